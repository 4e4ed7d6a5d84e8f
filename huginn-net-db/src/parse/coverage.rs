//! Signatures that can never win because others stand above them.
//!
//! Everything here takes time in proportion to the number of signatures, whatever is in them. A TCP signature looks up
//! each way in which signatures above it leave fields open: a handful in files that people write, and never more than
//! the 5 views of the IP version × 9 offers × 8 choices of MSS, scale and payload × 66 windows that there are, each with at
//! most one entry per TTL behind it. An HTTP signature is compared with at most [`MAX_CANDIDATES`] others.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;
use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks, TtlGuess};

use super::diagnostic::DiagnosticCode as Code;
use super::signatures::Position;
use super::tree::Section;
use crate::tcp::Negotiated;
use crate::{
    Http2Signature, HttpSignature, SignatureTtl, Specificity, TcpSignature, TlsSignature, WindowPattern,
};

/// Of more different `%N` in a file than this, the later ones are not seen to cover anything but themselves.
const MAX_DIVISORS: usize = 64;
/// HTTP signatures with a header in common that one is compared with.
const MAX_CANDIDATES: usize = 512;

/// Why a signature never wins, and because of which line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It is equal in every field.
    Duplicate { line: u32 },
    /// It is equal in every field, which p0f 3.09b does not see.
    UnseenDuplicate { line: u32 },
    /// A specific signature matches the same packets.
    Shadowed { line: u32 },
    /// A specific signature with a higher TTL matches the same packets, unless they came from very far.
    ShadowedNearby { line: u32 },
    /// As `Shadowed`, both generic.
    Unreachable { line: u32 },
    /// As `ShadowedNearby`, both generic.
    UnreachableNearby { line: u32 },
}

impl Finding {
    /// Code and message for the signature of line `this`.
    pub(crate) fn explain(self, this: u32) -> (Code, String) {
        let never = |why| format!("line {this} never wins: {why}");
        let from_far = |why| format!("line {this} wins only for packets that came from very far: {why}");
        match self {
            Self::Duplicate { line } => {
                (Code::Duplicate, format!("this is the signature of line {line} again"))
            }
            Self::UnseenDuplicate { line } => {
                (Code::Shadowed, never(format!("it is the signature of line {line} again")))
            }
            Self::Shadowed { line } => {
                (Code::Shadowed, never(format!("line {line} already matches all of it")))
            }
            Self::ShadowedNearby { line } => {
                (Code::Shadowed, from_far(format!("line {line} already matches the others")))
            }
            Self::Unreachable { line } => {
                (Code::Unreachable, never(format!("line {line}, generic too, already matches all of it")))
            }
            Self::UnreachableNearby { line } => {
                (Code::Unreachable, from_far(format!("line {line}, generic too, already matches the others")))
            }
        }
    }
}

/// The signatures seen so far.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    links: HashMap<u32, u32>,
    tls: HashMap<TlsSignature, u32>,
    http2: HashMap<Http2Signature, u32>,
    tcp_request: TcpCoverage,
    tcp_response: TcpCoverage,
    http_request: HttpCoverage,
    http_response: HttpCoverage,
}

impl Coverage {
    /// What stands above this MTU; then remembers it.
    pub(crate) fn on_mtu(&mut self, mtu: u32, line: u32) -> Option<Finding> {
        let first = *self.links.entry(mtu).or_insert(line);
        (first != line).then_some(Finding::Shadowed { line: first })
    }

    /// The line above that has this signature; then remembers it.
    pub(crate) fn on_tls(&mut self, signature: &TlsSignature, line: u32) -> Option<Finding> {
        let first = *self.tls.entry(signature.clone()).or_insert(line);
        (first != line).then_some(Finding::Duplicate { line: first })
    }

    /// The line above that has this signature; then remembers it.
    pub(crate) fn on_http2(&mut self, signature: &Http2Signature, line: u32) -> Option<Finding> {
        let first = *self.http2.entry(signature.clone()).or_insert(line);
        (first != line).then_some(Finding::Duplicate { line: first })
    }

    /// What stands above this signature; then remembers it.
    ///
    /// `missed` is what a member of a family does not answer, as in [`OfferRule`](crate::tcp::OfferRule).
    pub(crate) fn on_tcp(
        &mut self,
        signature: &TcpSignature,
        missed: Option<Negotiated>,
        at: Position,
    ) -> Option<Finding> {
        let coverage = match at.section {
            Section::TcpResponse | Section::ExtendedTcpResponse => &mut self.tcp_response,
            _ => &mut self.tcp_request,
        };
        let subject = Subject { signature: *signature, missed };
        let finding = coverage.find(at.specificity, &subject, at.section.is_extended_tcp());
        coverage.add(at.specificity, &subject, at.line);
        finding
    }

    /// What stands above this signature; then remembers it.
    pub(crate) fn on_http(&mut self, signature: &HttpSignature, at: Position) -> Option<Finding> {
        let coverage = match at.section {
            Section::HttpResponse => &mut self.http_response,
            _ => &mut self.http_request,
        };
        let finding = coverage.find(at.specificity, signature);
        coverage.add(at.specificity, signature, at.line);
        finding
    }
}

#[derive(Debug, Default)]
struct TcpCoverage {
    specific: TcpTable,
    generic: TcpTable,
    /// Lines of specific signatures.
    exact: HashMap<Subject, u32, RandomState>,
    divisors: BTreeSet<u16>,
}

/// A TCP signature and the offers it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Subject {
    signature: TcpSignature,
    /// What must not have been offered, of a member of a family; others are for every offer.
    missed: Option<Negotiated>,
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
    fn find(&self, specificity: Specificity, subject: &Subject, extended: bool) -> Option<Finding> {
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

    fn add(&mut self, specificity: Specificity, subject: &Subject, line: u32) {
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

#[derive(Debug, Default)]
struct HttpCoverage {
    signatures: Vec<(HttpSignature, Specificity, u32)>,
    /// Lines of specific signatures.
    exact: HashMap<HttpSignature, u32>,
    /// Positions in `signatures` by a header that the signature requires; by nothing if there is none.
    by_header: HashMap<String, Vec<usize>>,
}

impl HttpCoverage {
    fn find(&self, specificity: Specificity, signature: &HttpSignature) -> Option<Finding> {
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
            .filter(|(earlier, ..)| covers_http(earlier, signature))
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

    fn add(&mut self, specificity: Specificity, signature: &HttpSignature, line: u32) {
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

/// Whether `earlier` matches the message that `later` describes.
fn covers_http(earlier: &HttpSignature, later: &HttpSignature) -> bool {
    if earlier.version.is_some() && earlier.version != later.version {
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
    use huginn_net_tcp::OptionKind;
    use proptest::prelude::*;

    use super::*;
    use crate::HeaderPattern;

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

    #[test]
    fn http_signatures_are_compared_with_no_more_than_the_limit() {
        let with_value = |value: String| HttpSignature {
            version: None,
            headers: vec![HeaderPattern { name: "Host".to_owned(), value: Some(value), optional: false }],
            absent: Vec::new(),
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
