//! TCP signatures that others cover.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;
use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks, TtlGuess};

use super::Finding;
use crate::tcp::Negotiated;
use crate::{SignatureTtl, Specificity, TcpSignature, WindowPattern};

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
        if !sees_version || !sees_offers {
            return None;
        }
        let key = TcpKey {
            missed: self.missed,
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
mod tests {
    use huginn_net_tcp::OptionKind;
    use proptest::prelude::*;

    use super::*;

    /// One packet of a world that is small enough to look at all of them.
    #[derive(Clone, Copy, Debug)]
    struct Packet {
        version: IpVersion,
        quirks: Quirks,
        mss: u16,
        window: u16,
        window_scale: u8,
        has_payload: bool,
        /// What the packet answers; `None` if it has more than was offered, which no member of a family has.
        offered: Option<Negotiated>,
    }

    fn offers() -> [Negotiated; 4] {
        let set = |kind| Negotiated::of_kind(kind).expect("clients offer it");
        let (sack, timestamps) = (set(OptionKind::SACK_PERMITTED), set(OptionKind::TIMESTAMPS));
        [Negotiated::NONE, sack, timestamps, sack | timestamps]
    }

    const QUIRKS: [Quirks; 3] = [Quirks::DF, Quirks::ECN, Quirks::FLOW];
    const MSS: [u16; 2] = [0, 1460];
    const WINDOWS: [u16; 4] = [7, 1024, 1536, 2048];
    const SCALES: [u8; 2] = [0, 7];

    fn subsets() -> impl Iterator<Item = Quirks> {
        (0..1_u32 << QUIRKS.len()).map(|bits| {
            let chosen = QUIRKS.into_iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
            chosen.fold(Quirks::NONE, |all, (_, quirk)| all | quirk)
        })
    }

    fn impossible(version: IpVersion) -> Quirks {
        match version {
            IpVersion::V4 => Quirks::IPV6_ONLY,
            IpVersion::V6 => Quirks::IPV4_ONLY,
        }
    }

    fn packets() -> Vec<Packet> {
        let mut packets = Vec::new();
        for version in [IpVersion::V4, IpVersion::V6] {
            for quirks in subsets().filter(|&quirks| (quirks & impossible(version)).is_empty()) {
                for mss in MSS {
                    for window in WINDOWS {
                        for window_scale in SCALES {
                            for has_payload in [false, true] {
                                packets.extend(offers().map(Some).into_iter().chain([None]).map(|offered| {
                                    Packet {
                                        version,
                                        quirks,
                                        mss,
                                        window,
                                        window_scale,
                                        has_payload,
                                        offered,
                                    }
                                }));
                            }
                        }
                    }
                }
            }
        }
        packets
    }

    fn matches(subject: &Subject, packet: &Packet) -> bool {
        let signature = &subject.signature;
        let fits = |missed, offered| packet.offered.is_some() && (missed & offered) == Negotiated::NONE;
        subject.missed.is_none_or(|missed| fits(missed, packet.offered.unwrap_or_default()))
            && signature.version.is_none_or(|version| version == packet.version)
            && signature.quirks - impossible(packet.version) == packet.quirks
            && signature.mss.is_none_or(|mss| mss == packet.mss)
            && signature.window_scale.is_none_or(|scale| scale == packet.window_scale)
            && signature.has_payload.is_none_or(|payload| payload == packet.has_payload)
            && match signature.window {
                WindowPattern::Literal(window) => window == packet.window,
                WindowPattern::MultipleOf(divisor) => packet.window.is_multiple_of(divisor),
                _ => true,
            }
    }

    fn subjects() -> impl Strategy<Value = Subject> {
        let missed = prop::option::of(prop::sample::select(offers().to_vec()));
        (signature(), missed).prop_map(|(signature, missed)| Subject { signature, missed })
    }

    fn signature() -> impl Strategy<Value = TcpSignature> {
        let version = prop::sample::select(vec![None, Some(IpVersion::V4), Some(IpVersion::V6)]);
        let window = prop::sample::select(vec![
            WindowPattern::Any,
            WindowPattern::Literal(7),
            WindowPattern::Literal(1024),
            WindowPattern::MultipleOf(512),
            WindowPattern::MultipleOf(1024),
        ]);
        let quirks = prop::sample::select(subsets().collect::<Vec<_>>());
        let mss = prop::option::of(prop::sample::select(MSS.to_vec()));
        let scale = prop::option::of(prop::sample::select(SCALES.to_vec()));
        let parts = (version, window, quirks, mss, scale, any::<Option<bool>>());
        parts.prop_map(|(version, window, quirks, mss, window_scale, has_payload)| {
            let mut layout = OptionLayout::EMPTY;
            layout.push(OptionKind::MSS);
            let quirks = version.map_or(quirks, |version| quirks - impossible(version));
            let ttl = SignatureTtl::Initial(64);
            let ip_options_len = 0;
            TcpSignature {
                version,
                ttl,
                ip_options_len,
                mss,
                window,
                window_scale,
                layout,
                quirks,
                has_payload,
            }
        })
    }

    fn any_window(window: WindowPattern) -> Subject {
        let signature = TcpSignature {
            version: None,
            ttl: SignatureTtl::Initial(64),
            ip_options_len: 0,
            mss: None,
            window,
            window_scale: None,
            layout: OptionLayout::EMPTY,
            quirks: Quirks::NONE,
            has_payload: None,
        };
        Subject { signature, missed: None }
    }

    #[test]
    fn divisors_beyond_the_limit_cover_only_themselves() {
        let limit = u16::try_from(MAX_DIVISORS).unwrap();
        let mut coverage = TcpCoverage::default();
        // Above half of the largest window, so that none divides another.
        for index in 0..=limit {
            let signature = any_window(WindowPattern::MultipleOf(40_000 + index));
            assert_eq!(coverage.find(Specificity::Specific, &signature, false), None);
            coverage.add(Specificity::Specific, &signature, u32::from(index));
        }
        let literal = |index: u16| {
            coverage.find(Specificity::Specific, &any_window(WindowPattern::Literal(40_000 + index)), false)
        };
        assert_eq!(literal(limit - 1), Some(Finding::Shadowed { line: u32::from(limit - 1) }));
        assert_eq!(literal(limit), None);
        let last = any_window(WindowPattern::MultipleOf(40_000 + limit));
        assert_eq!(
            coverage.find(Specificity::Specific, &last, false),
            Some(Finding::Duplicate { line: u32::from(limit) })
        );
    }

    #[test]
    fn a_large_file_for_one_layout_takes_few_lookups_per_signature() {
        const SIGNATURES: u32 = 20_000;
        let mut coverage = TcpCoverage::default();
        let (mut lookups, mut longest) = (0, 0);
        for index in 0..SIGNATURES {
            let [_, _, high, low] = index.to_be_bytes();
            let mut later = any_window(WindowPattern::Literal(u16::from(high)));
            later.signature.ttl = SignatureTtl::Initial(low.max(1));
            later.signature.mss = Some(536);
            later.signature.window_scale = (index % 3 > 0).then_some(low % 15);
            lookups += coverage.wider_keys(&coverage.specific, &later).count();
            coverage.add(Specificity::Specific, &later, index);
        }
        for lines in coverage.specific.lines.values() {
            longest = lines.len().max(longest);
        }
        // A key with the scale, and one for any.
        assert!(lookups <= 2 * SIGNATURES as usize, "{lookups}");
        assert!(longest <= 255, "{longest}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn finds_the_first_signature_that_matches_every_packet_of_a_later_one(
            signatures in prop::collection::vec(subjects(), 1..40)
        ) {
            let packets = packets();
            let mut coverage = TcpCoverage::default();
            for (line, later) in (0_u32..).zip(&signatures) {
                let covers = |earlier: &Subject| {
                    packets.iter().all(|packet| !matches(later, packet) || matches(earlier, packet))
                };
                let first = (0..line).zip(&signatures).find(|(_, earlier)| covers(earlier)).map(|(line, _)| line);
                let found = coverage.first_covering(&coverage.specific, later).map(|(line, _)| line);
                prop_assert_eq!(found, first, "{} {:?}", later.signature, later.missed);
                coverage.add(Specificity::Specific, later, line);
            }
        }
    }
}
