//! HTTP signatures that others cover.

use std::collections::{BTreeSet, HashMap};

use super::Finding;
use crate::{HeaderPattern, HttpScore, HttpSignature, Specificity};

/// Signatures with a header in common that one is compared with.
pub(super) const MAX_CANDIDATES: usize = 512;

#[derive(Debug, Default)]
pub(super) struct HttpCoverage {
    signatures: Vec<(HttpSignature, Specificity, u32)>,
    /// Lines of specific signatures.
    exact: HashMap<HttpSignature, u32>,
    /// Positions in `signatures` by a header that the signature requires; by nothing if there is none.
    by_header: HashMap<String, Vec<usize>>,
}

impl HttpCoverage {
    pub(super) fn find(&self, specificity: Specificity, signature: &HttpSignature) -> Option<Finding> {
        if let Some(&line) = self.exact.get(signature) {
            return Some(Finding::Duplicate { line });
        }
        let names: BTreeSet<&str> = signature.headers.iter().map(|header| header.name.as_str()).collect();
        let covering: Vec<_> = names
            .into_iter()
            .chain([""])
            .filter_map(|name| self.by_header.get(name))
            .flatten()
            .take(MAX_CANDIDATES)
            .filter_map(|&index| self.signatures.get(index))
            .filter(|(earlier, ..)| covers_http(earlier, signature) && outranks(earlier, signature))
            .collect();
        let first = |wanted: Specificity| {
            covering.iter().filter(|(_, found, _)| *found == wanted).map(|(_, _, line)| *line).min()
        };
        if let Some(line) = first(Specificity::Specific) {
            return Some(Finding::Shadowed { line });
        }
        let line = first(Specificity::Generic).filter(|_| specificity == Specificity::Generic)?;
        Some(Finding::Unreachable { line })
    }

    pub(super) fn add(&mut self, specificity: Specificity, signature: &HttpSignature, line: u32) {
        if specificity == Specificity::Specific {
            self.exact.entry(signature.clone()).or_insert(line);
        }
        // The header that the fewest others stand under tells most.
        let rarest = signature
            .required()
            .map(|header| header.name.as_str())
            .min_by_key(|name| self.by_header.get(*name).map_or(0, Vec::len))
            .unwrap_or("");
        self.by_header.entry(rarest.to_owned()).or_default().push(self.signatures.len());
        self.signatures.push((signature.clone(), specificity, line));
    }
}

/// Whether `earlier` tells at least as much as `later` of every message that both match: what tells more wins, wherever it
/// stands.
fn outranks(earlier: &HttpSignature, later: &HttpSignature) -> bool {
    let names = |header: &HeaderPattern| earlier.headers.iter().any(|other| other.name == header.name);
    HttpScore::of(earlier) >= HttpScore::of(later) && later.headers.iter().all(names)
}

/// Whether `earlier` matches the message that `later` describes.
pub(crate) fn covers_http(earlier: &HttpSignature, later: &HttpSignature) -> bool {
    if earlier.version.is_some() && earlier.version != later.version {
        return false;
    }
    if !later.quirks.contains(earlier.quirks) {
        return false;
    }
    if !earlier.absent.iter().all(|name| later.absent.contains(name)) {
        return false;
    }
    let mut rest = later.headers.iter();
    for header in &earlier.headers {
        let mut ahead = rest.clone();
        match ahead.find(|candidate| candidate.name == header.name) {
            Some(found) => {
                let value_fits = header
                    .value
                    .as_ref()
                    .is_none_or(|value| found.value.as_ref().is_some_and(|found| found.contains(value)));
                if !value_fits || (found.optional && !header.optional) {
                    return false;
                }
                rest = ahead;
            }
            None if !header.optional => return false,
            None if later.headers.iter().any(|other| other.name == header.name) => return false,
            None => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeaderPattern;

    #[test]
    fn a_signature_is_compared_with_no_more_others_than_the_limit() {
        let with_value = |value: String| HttpSignature {
            version: None,
            headers: vec![HeaderPattern { name: "Host".to_owned(), value: Some(value), optional: false }],
            absent: Vec::new(),
            quirks: Default::default(),
            software: String::new(),
        };
        let mut coverage = HttpCoverage::default();
        for line in 0..=u32::try_from(MAX_CANDIDATES).unwrap() {
            coverage.add(Specificity::Specific, &with_value(format!("({line})")), line);
        }
        let covering = |line: usize| coverage.find(Specificity::Specific, &with_value(format!("x({line})")));
        assert_eq!(covering(MAX_CANDIDATES - 1), Some(Finding::Shadowed { line: 511 }));
        assert_eq!(covering(MAX_CANDIDATES), None);
    }
}
