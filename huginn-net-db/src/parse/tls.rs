//! Grammar of TLS signatures.

use core::str::FromStr;

use huginn_net_tls::{Ja4ListHashes, Ja4Lists};

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::field::Field;
use super::problems::Problems;
use crate::TlsSignature;

const KEYS: &str = "fingerprints are ja4_r, ja4, ja4_s1, ja4_o, ja3 and ja3n";

/// Parses `name=value name=value`.
///
/// `None` if there was an error.
pub(crate) fn parse(
    text: Field<'_>,
    hashes: &mut Ja4ListHashes,
    problems: &mut Problems,
) -> Option<TlsSignature> {
    let mut signature = TlsSignature::default();
    let mut complete = true;
    for item in text.split(' ').filter(|item| !item.is_empty()) {
        complete &= problems.keep(add(item, hashes, &mut signature)).is_some();
    }
    if complete && signature == TlsSignature::default() {
        problems.push(text.syntax("a fingerprint is missing here").help(KEYS));
        return None;
    }
    if !complete {
        return None;
    }
    problems.check_canonical(text, &signature);
    Some(signature)
}

fn add(item: Field<'_>, hashes: &mut Ja4ListHashes, signature: &mut TlsSignature) -> Result<(), Problem> {
    let Some((name, value)) = item.split_once('=') else {
        return Err(item.syntax("a fingerprint is a name and a value with = between them").help(KEYS));
    };
    match name.text {
        "ja4_r" => {
            if signature.ja4.is_some() || signature.ja4_s1.is_some() || signature.lists.is_some() {
                return Err(again(name));
            }
            let lists = lists(value)?;
            signature.ja4 = Some(hashes.ja4(&lists));
            signature.ja4_s1 = hashes.ja4_s1(&lists);
            signature.lists = Some(Box::new(lists));
            Ok(())
        }
        "ja4" if signature.lists.is_some() => Err(again(name)),
        "ja4_s1" if signature.lists.is_some() => Err(again(name)),
        "ja4" => set(name, value, &mut signature.ja4),
        "ja4_s1" => set(name, value, &mut signature.ja4_s1),
        "ja4_o" => set(name, value, &mut signature.ja4_o),
        "ja3" => set(name, value, &mut signature.ja3),
        "ja3n" => set(name, value, &mut signature.ja3n),
        _ => {
            let message = format!("no fingerprint is called `{}`", name.text);
            Err(name.problem(Code::UnknownName, message).help(KEYS))
        }
    }
}

fn set<T: FromStr<Err: ToString>>(
    name: Field<'_>,
    value: Field<'_>,
    slot: &mut Option<T>,
) -> Result<(), Problem> {
    if slot.is_some() {
        return Err(again(name));
    }
    *slot = Some(value.text.parse().map_err(|error: T::Err| value.syntax(error.to_string()))?);
    Ok(())
}

/// The lists of JA4_r, which are sorted.
fn lists(value: Field<'_>) -> Result<Ja4Lists, Problem> {
    let lists = Ja4Lists::parse(value.text).map_err(|error| {
        let at = value.at + error.at;
        Problem::new(Code::Syntax, at..value.end().max(at), error.to_string())
    })?;
    if lists.is_as_sent() {
        let problem = value.syntax("these lists are not sorted, or have the server name or ALPN");
        return Err(problem.help(format!("write ja4_r={}", lists.sorted())));
    }
    Ok(lists)
}

fn again(name: Field<'_>) -> Problem {
    name.syntax(format!("`{}` is told already; ja4_r tells ja4 and ja4_s1, too", name.text))
}
