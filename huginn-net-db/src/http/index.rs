//! Signatures of one direction, prepared for matching.

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};
use huginn_net_http::{Headers, Http1Quirks};
use memchr::memmem::Finder;

use super::matching::HttpScore;
use crate::alike::beyond_limit;
use crate::contents::Index;
use crate::{HttpRecord, HttpSignature, HttpVersion};

/// Where to find the signatures that can match a head.
///
/// Names have numbers, the ones that most signatures have first. A signature stands under the rarest header that it
/// requires: a head is compared only with those that stand under a header it has.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpIndex {
    /// As of all tables here, the author of a file chooses the keys, so that he must not know their hashes.
    names: HashMap<Box<[u8]>, Name, RandomState>,
    /// Names the values of which a signature looks at.
    valued: HashSet<Box<[u8]>, RandomState>,
    /// The values that signatures look for, most of which several have in common.
    values: Vec<Finder<'static>>,
    signatures: Vec<Compiled>,
    /// Positions in `signatures` by the number of a name.
    by_header: Vec<Vec<usize>>,
    /// Those that require no header.
    without_header: Vec<usize>,
    /// The quirks that a signature asks for.
    quirks: Http1Quirks,
}

/// Number of a name that a signature has.
type Name = u32;

/// A signature with numbers in the place of names.
#[derive(Clone, Debug)]
struct Compiled {
    version: Option<HttpVersion>,
    headers: Box<[CompiledHeader]>,
    absent: Box<[Name]>,
    /// The names that must be there, those that may, and those that must not, as far as a [`NameSet`] has room.
    required: NameSet,
    named: NameSet,
    forbidden: NameSet,
    quirks: Http1Quirks,
    score: HttpScore,
}

#[derive(Clone, Debug)]
struct CompiledHeader {
    name: Name,
    /// Position in [`HttpIndex::values`].
    value: Option<usize>,
    is_optional: bool,
}

/// Names with low numbers.
#[derive(Clone, Copy, Debug, Default)]
struct NameSet(u128);

impl NameSet {
    fn bit(name: Name) -> u128 {
        1_u128.checked_shl(name).unwrap_or(0)
    }

    fn insert(&mut self, name: Name) {
        self.0 |= Self::bit(name);
    }

    /// `None` for a name that the set has no room for.
    fn contains(self, name: Name) -> Option<bool> {
        match Self::bit(name) {
            0 => None,
            bit => Some(self.0 & bit != 0),
        }
    }

    fn of(names: impl Iterator<Item = Name>) -> Self {
        let mut set = Self::default();
        names.for_each(|name| set.insert(name));
        set
    }
}

/// Fields of a head that are compared. Heads have no more within the default limits of the parser.
const MAX_FIELDS: usize = 128;
/// Bytes of a value that are compared; p0f 3.09b reads no longer ones.
const MAX_VALUE: usize = 1_024;

/// The fields of a head whose names a signature has, in order.
pub(super) struct SeenHead<'a> {
    version: HttpVersion,
    names: [Name; MAX_FIELDS],
    /// Empty for a field that is folded, which p0f 3.09b does not read either.
    values: [&'a [u8]; MAX_FIELDS],
    len: usize,
    present: NameSet,
    quirks: Http1Quirks,
}

impl SeenHead<'_> {
    /// Without fields. It is large, and so not passed on by value.
    pub(super) const fn new(version: HttpVersion, quirks: Http1Quirks) -> Self {
        Self {
            version,
            names: [0; MAX_FIELDS],
            values: [&[]; MAX_FIELDS],
            len: 0,
            present: NameSet(0),
            quirks,
        }
    }

    fn names(&self) -> &[Name] {
        self.names.get(..self.len).unwrap_or_default()
    }

    fn has(&self, name: Name) -> bool {
        self.present.contains(name).unwrap_or_else(|| self.names().contains(&name))
    }
}

impl Index<HttpRecord> for HttpIndex {
    fn build(records: &[HttpRecord]) -> Self {
        let signatures = || records.iter().map(|record| &record.signature);
        let names = names_by_number(records);
        let mut index = Self {
            signatures: Vec::with_capacity(records.len()),
            by_header: vec![Vec::new(); names.len()],
            ..Self::default()
        };
        for (number, name) in (0..).zip(names) {
            index.names.insert(name.as_bytes().into(), number);
        }
        for header in signatures().flat_map(|signature| &signature.headers) {
            if header.value.is_some() {
                index.valued.insert(header.name.as_bytes().into());
            }
        }
        let mut known_values = HashMap::default();
        for (at, signature) in signatures().enumerate() {
            let compiled = index.compile(signature, &mut known_values);
            index.quirks |= signature.quirks;
            // The higher the number, the fewer signatures have it.
            let required = compiled.headers.iter().filter(|header| !header.is_optional);
            let rarest = required.map(|header| header.name).max();
            let rarest = rarest.and_then(|name| index.by_header.get_mut(usize::try_from(name).ok()?));
            rarest.unwrap_or(&mut index.without_header).push(at);
            index.signatures.push(compiled);
        }
        index
    }
}

/// The names that signatures have, each at the place of its number.
fn names_by_number(records: &[HttpRecord]) -> Vec<&str> {
    let mut counts: HashMap<&str, usize, RandomState> = HashMap::default();
    let names = records.iter().flat_map(|record| record.signature.names());
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by(|(one, often), (other, less)| less.cmp(often).then_with(|| one.cmp(other)));
    counts.into_iter().map(|(name, _)| name).collect()
}

impl HttpIndex {
    /// For each header under which more signatures stand than a head may be compared with, and for none: the line of the
    /// first one beyond.
    pub(crate) fn lines_beyond_limit(records: &[HttpRecord]) -> impl Iterator<Item = (Option<&str>, u32)> {
        let numbers: HashMap<&str, Name, RandomState> =
            names_by_number(records).into_iter().zip(0..).collect();
        beyond_limit(records.iter().map(move |record| {
            let required = record.signature.required().map(|header| header.name.as_str());
            (required.max_by_key(|name| numbers.get(name)), record.line)
        }))
    }

    /// Whether it depends on the value of a field of this name what matches.
    pub(super) fn compares_value(&self, name: &[u8]) -> bool {
        self.valued.contains(name)
    }

    /// Whether it depends on how a head is written what matches.
    pub(super) const fn asks_for_quirks(&self) -> bool {
        !self.quirks.is_empty()
    }

    fn compile<'r>(
        &mut self,
        signature: &'r HttpSignature,
        known_values: &mut HashMap<&'r str, usize, RandomState>,
    ) -> Compiled {
        let Self { names, values, .. } = self;
        let number = |name: &String| names.get(name.as_bytes()).copied();
        let mut value_at = |value: &'r str| {
            *known_values.entry(value).or_insert_with(|| {
                values.push(Finder::new(value.as_bytes()).into_owned());
                values.len() - 1
            })
        };
        let compiled = signature.headers.iter().filter_map(|header| {
            Some(CompiledHeader {
                name: number(&header.name)?,
                value: header.value.as_deref().map(&mut value_at),
                is_optional: header.optional,
            })
        });
        let headers: Box<[_]> = compiled.collect();
        let absent: Box<[Name]> = signature.absent.iter().filter_map(number).collect();
        let required = headers.iter().filter(|header| !header.is_optional);
        Compiled {
            version: signature.version,
            required: NameSet::of(required.map(|header| header.name)),
            named: NameSet::of(headers.iter().map(|header| header.name)),
            forbidden: NameSet::of(absent.iter().copied()),
            quirks: signature.quirks,
            score: HttpScore::of(signature),
            headers,
            absent,
        }
    }

    /// Reads the fields of a head; false for one with more than are compared.
    pub(super) fn see<'a>(&self, headers: Headers<'a>, seen: &mut SeenHead<'a>) -> bool {
        for header in headers.iter() {
            let Some(&name) = self.names.get(header.name()) else { continue };
            let Some((number, value)) = seen.names.get_mut(seen.len).zip(seen.values.get_mut(seen.len))
            else {
                return false;
            };
            *number = name;
            *value = header.compared_value().unwrap_or_default();
            seen.present.insert(name);
            seen.len += 1;
        }
        true
    }

    /// Calls `found` with the position and the score of each signature that matches, in no order.
    pub(super) fn for_each_match(&self, seen: &SeenHead<'_>, mut found: impl FnMut(usize, HttpScore)) {
        let mut compare = |candidates: &[usize]| {
            for &at in candidates {
                let Some(signature) = self.signatures.get(at) else { continue };
                if signature.matches(seen, &self.values) {
                    found(at, signature.score.minus_unnamed(signature.unnamed(seen)));
                }
            }
        };
        compare(&self.without_header);
        for (at, &name) in seen.names().iter().enumerate() {
            let is_repeated = || seen.names().iter().take(at).any(|&before| before == name);
            let Some(candidates) = usize::try_from(name).ok().and_then(|name| self.by_header.get(name))
            else {
                continue;
            };
            if !candidates.is_empty() && !is_repeated() {
                compare(candidates);
            }
        }
    }
}

impl Compiled {
    fn matches(&self, seen: &SeenHead<'_>, values: &[Finder<'static>]) -> bool {
        if self.required.0 & !seen.present.0 != 0
            || self.forbidden.0 & seen.present.0 != 0
            || self.version.is_some_and(|version| version != seen.version)
            || !seen.quirks.contains(self.quirks)
        {
            return false;
        }
        self.has_order_of(seen, values) && !self.absent.iter().any(|&name| seen.has(name))
    }

    /// The walk of p0f 3.09b: each header is looked for behind the one before it. One that may be missing must not stand
    /// elsewhere.
    fn has_order_of(&self, seen: &SeenHead<'_>, values: &[Finder<'static>]) -> bool {
        let has_value = |header: &CompiledHeader, value: &[u8]| {
            let wanted = header.value.and_then(|at| values.get(at));
            wanted.is_none_or(|wanted| wanted.find(value.get(..MAX_VALUE).unwrap_or(value)).is_some())
        };
        // Most heads of other programs fail here, and values cost more than names.
        self.walk(seen, |_, _| true) && self.walk(seen, has_value)
    }

    fn walk(&self, seen: &SeenHead<'_>, accepts: impl Fn(&CompiledHeader, &[u8]) -> bool) -> bool {
        let mut next = 0;
        self.headers.iter().all(|header| {
            let rest = seen.names().get(next..).unwrap_or_default();
            match rest.iter().position(|&name| name == header.name) {
                Some(ahead) => {
                    let value = seen.values.get(next + ahead).copied().unwrap_or_default();
                    next += ahead + 1;
                    accepts(header, value)
                }
                None => header.is_optional && !seen.has(header.name),
            }
        })
    }

    /// Fields of the head that this signature does not have, while others do.
    fn unnamed(&self, seen: &SeenHead<'_>) -> usize {
        let is_named = |name: Name| {
            self.named.contains(name).unwrap_or_else(|| self.headers.iter().any(|header| header.name == name))
        };
        seen.names().iter().filter(|&&name| !is_named(name)).count()
    }
}

#[cfg(test)]
mod tests {
    use core::hash::BuildHasher as _;

    use super::*;

    #[test]
    fn the_author_of_a_file_cannot_choose_names_of_equal_hashes() {
        let hashes = || {
            let index = HttpIndex::build(&[]);
            [index.names.hasher().hash_one("Host"), index.valued.hasher().hash_one("Host")]
        };
        let (one, other) = (hashes(), hashes());
        assert!(one.iter().all(|hash| !other.contains(hash)), "{one:?}, {other:?}");
    }
}
