//! TCP signatures that others cover.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;
use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks, TtlGuess};

use super::Finding;
use crate::tcp::Negotiated;
use crate::{SignatureTtl, Specificity, TcpFactSet, TcpSignature, WindowPattern};

/// Of more different `%N` in a file than this, the later ones are not seen to cover anything but themselves.
const MAX_DIVISORS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct TcpCoverage {
    specific: TcpTable,
    generic: TcpTable,
    /// Lines of specific signatures.
    exact: HashMap<Subject, u32, RandomState>,
    divisors: BTreeSet<u16>,
}

/// A TCP signature and the offers it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Subject {
    pub(super) signature: TcpSignature,
    /// What must not have been offered, of a member of a family; others are for every offer.
    pub(super) missed: Option<Negotiated>,
}

#[derive(Debug, Default)]
struct TcpTable {
    /// By all that must be equal to cover; with their TTLs and lines in file order.
    lines: HashMap<TcpKey, Vec<(SignatureTtl, u32)>, RandomState>,
    /// Those of the keys.
    shapes: HashSet<Shape, RandomState>,
}

/// Which fields of a key are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    view: View,
    missed: Option<Negotiated>,
    facts: TcpFactSet,
    any_mss: bool,
    any_scale: bool,
    any_payload: bool,
    window: WindowShape,
}

/// What the window of a key has to be to cover that of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum WindowShape {
    Any,
    /// The same.
    Same,
    /// One of the `%N` of the file that divides it.
    Divisor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TcpKey {
    view: View,
    missed: Option<Negotiated>,
    quirks: Quirks,
    layout: OptionLayout,
    ip_options_len: u8,
    mss: Option<u16>,
    window: WindowPattern,
    window_scale: Option<u8>,
    has_payload: Option<bool>,
    facts: TcpFactSet,
}

/// Which packets the quirks of a key speak of.
///
/// A signature for both IP versions asks for no quirk that the version of a packet cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum View {
    /// A signature for both versions.
    Both,
    /// Only its IPv4 packets.
    V4OfBoth,
    /// Only its IPv6 packets.
    V6OfBoth,
    /// A signature for IPv4.
    V4,
    /// A signature for IPv6.
    V6,
}

impl TcpCoverage {
    /// p0f does not read sections that are `extended`, so that what it overlooks need not be let pass there.
    pub(super) fn find(
        &self,
        specificity: Specificity,
        subject: &Subject,
        extended: bool,
    ) -> Option<Finding> {
        let signature = &subject.signature;
        if let Some(&line) = self.exact.get(subject) {
            return Some(if escapes_p0f(signature) && !extended {
                Finding::UnseenDuplicate { line }
            } else {
                Finding::Duplicate { line }
            });
        }
        if let Some((line, ttl)) = self.first_covering(&self.specific, subject) {
            let nearby = !covers_every_ttl(ttl, signature.ttl);
            return Some(if nearby { Finding::ShadowedNearby { line } } else { Finding::Shadowed { line } });
        }
        if specificity == Specificity::Specific {
            return None;
        }
        let (line, ttl) = self.first_covering(&self.generic, subject)?;
        let nearby = !covers_every_ttl(ttl, signature.ttl);
        Some(if nearby { Finding::UnreachableNearby { line } } else { Finding::Unreachable { line } })
    }

    pub(super) fn add(&mut self, specificity: Specificity, subject: &Subject, line: u32) {
        let signature = &subject.signature;
        let table = match specificity {
            Specificity::Specific => {
                self.exact.entry(*subject).or_insert(line);
                &mut self.specific
            }
            Specificity::Generic => &mut self.generic,
        };
        if let WindowPattern::MultipleOf(divisor) = signature.window
            && self.divisors.len() < MAX_DIVISORS
        {
            self.divisors.insert(divisor);
        }
        let views: &[View] = match signature.version {
            None => &[View::Both, View::V4OfBoth, View::V6OfBoth],
            Some(IpVersion::V4) => &[View::V4],
            Some(IpVersion::V6) => &[View::V6],
        };
        for &view in views {
            table.add(TcpKey::of(subject, view), signature.ttl, line);
        }
    }

    /// Line and TTL of the first signature of the table that matches whatever the subject does.
    fn first_covering(&self, table: &TcpTable, subject: &Subject) -> Option<(u32, SignatureTtl)> {
        // In file order, so that the first one that covers is the first of its key.
        let covering = |key: TcpKey| {
            let mut lines = table.lines.get(&key)?.iter();
            lines.find(|(ttl, _)| covers_ttl(*ttl, subject.signature.ttl)).map(|&(ttl, line)| (line, ttl))
        };
        self.wider_keys(table, subject).filter_map(covering).min_by_key(|&(line, _)| line)
    }

    /// Every key that the table may have and that is for whatever the subject is for, but for the TTL.
    fn wider_keys<'a>(
        &'a self,
        table: &'a TcpTable,
        subject: &'a Subject,
    ) -> impl Iterator<Item = TcpKey> + use<'a> {
        table.shapes.iter().filter_map(|shape| shape.key_for(subject)).flat_map(|(key, window)| {
            let one = (window != WindowShape::Divisor).then_some(key);
            let divisors = one.is_none().then(|| self.divisors_of(key.window)).into_iter().flatten();
            let divided =
                divisors.map(move |divisor| TcpKey { window: WindowPattern::MultipleOf(divisor), ..key });
            one.into_iter().chain(divided)
        })
    }

    /// The `%N` of the file that match every window which `window` matches.
    fn divisors_of(&self, window: WindowPattern) -> impl Iterator<Item = u16> {
        let number = match window {
            WindowPattern::Literal(number) | WindowPattern::MultipleOf(number) => Some(number),
            _ => None,
        };
        let divides = move |divisor: &u16| number.is_some_and(|number| number.is_multiple_of(*divisor));
        self.divisors.iter().copied().filter(divides)
    }
}

impl TcpTable {
    fn add(&mut self, key: TcpKey, ttl: SignatureTtl, line: u32) {
        let windows: &[WindowShape] = match key.window {
            WindowPattern::Any => &[WindowShape::Any],
            WindowPattern::MultipleOf(_) => &[WindowShape::Same, WindowShape::Divisor],
            _ => &[WindowShape::Same],
        };
        self.shapes.extend(windows.iter().map(|&window| Shape {
            view: key.view,
            missed: key.missed,
            facts: key.facts,
            any_mss: key.mss.is_none(),
            any_scale: key.window_scale.is_none(),
            any_payload: key.has_payload.is_none(),
            window,
        }));
        let lines = self.lines.entry(key).or_default();
        // The first of equal TTLs covers all that the later ones do, which bounds the list.
        if !lines.iter().any(|(known, _)| *known == ttl) {
            lines.push((ttl, line));
        }
    }
}

impl Shape {
    /// The key of this shape that is for whatever the subject is for; its window is that of the subject if a divisor is to be
    /// found. `None` if there is no such key.
    fn key_for(self, subject: &Subject) -> Option<(TcpKey, WindowShape)> {
        let signature = &subject.signature;
        let sees_version = match (signature.version, self.view) {
            (None, view) => view == View::Both,
            (Some(IpVersion::V4), view) => matches!(view, View::V4OfBoth | View::V4),
            (Some(IpVersion::V6), view) => matches!(view, View::V6OfBoth | View::V6),
        };
        // Whoever may not be offered less is for more offers.
        let sees_offers = match (self.missed, subject.missed) {
            (None, _) => true,
            (Some(earlier), Some(later)) => later.contains(earlier),
            (Some(_), None) => false,
        };
        // Whoever asks for less is for more packets.
        let sees_facts = signature.facts.contains(self.facts);
        if !sees_version || !sees_offers || !sees_facts {
            return None;
        }
        let key = TcpKey {
            missed: self.missed,
            facts: self.facts,
            mss: open_or_same(self.any_mss, signature.mss)?,
            window_scale: open_or_same(self.any_scale, signature.window_scale)?,
            has_payload: open_or_same(self.any_payload, signature.has_payload)?,
            window: if self.window == WindowShape::Any { WindowPattern::Any } else { signature.window },
            ..TcpKey::of(subject, self.view)
        };
        Some((key, self.window))
    }
}

/// A field of a key that is open, or the same as `value`; `None` if it is neither.
fn open_or_same<T>(is_open: bool, value: Option<T>) -> Option<Option<T>> {
    if is_open { Some(None) } else { value.map(Some) }
}

impl TcpKey {
    fn of(subject: &Subject, view: View) -> Self {
        let signature = &subject.signature;
        let ignored = match view {
            View::V4OfBoth => Quirks::IPV6_ONLY,
            View::V6OfBoth => Quirks::IPV4_ONLY,
            View::Both | View::V4 | View::V6 => Quirks::NONE,
        };
        Self {
            view,
            missed: subject.missed,
            quirks: signature.quirks - ignored,
            layout: signature.layout,
            ip_options_len: signature.ip_options_len,
            mss: signature.mss,
            window: signature.window,
            window_scale: signature.window_scale,
            has_payload: signature.has_payload,
            facts: signature.facts,
        }
    }
}

/// Whether `earlier` takes packets of `later` that have not travelled yet, which is how p0f 3.09b judges it. Those
/// that have travelled far may still match only `later`. Random TTLs have to be covered down to the lowest.
fn covers_ttl(earlier: SignatureTtl, later: SignatureTtl) -> bool {
    match (earlier, later) {
        (SignatureTtl::AtMost(highest), later) => later.highest() <= highest,
        (SignatureTtl::Initial(earlier), SignatureTtl::Initial(later)) => {
            earlier.checked_sub(later).is_some_and(|distance| distance <= TtlGuess::MAX_DISTANCE)
        }
        (SignatureTtl::Initial(earlier), SignatureTtl::AtMost(highest)) => {
            highest <= earlier && earlier <= TtlGuess::MAX_DISTANCE
        }
    }
}

/// Whether `earlier`, which covers `later`, takes even those packets that have travelled as far as is believed.
fn covers_every_ttl(earlier: SignatureTtl, later: SignatureTtl) -> bool {
    earlier == later
        || matches!(earlier, SignatureTtl::AtMost(_))
        || earlier.highest() <= TtlGuess::MAX_DISTANCE
}

/// Whether p0f 3.09b takes this signature a second time: its check for duplicates looks for these quirks on one side
/// only. Its own file has such lines, so that refusing them would refuse the file.
fn escapes_p0f(signature: &TcpSignature) -> bool {
    let blind = Quirks::DF | Quirks::ID_NONZERO | Quirks::ID_ZERO;
    signature.version.is_none() && !(signature.quirks & blind).is_empty()
}

#[cfg(test)]
mod tests;
