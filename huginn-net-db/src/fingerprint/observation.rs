//! Raw signatures of TCP, read back as what was seen.

use huginn_net_tcp::{OptionKind, Quirks, TcpObservation, Timestamps, WindowMultiple};

use super::{FingerprintError, parsed};
use crate::parse::Section;
use crate::parse::family::Families;
use crate::parse::signatures::Position;
use crate::parse::tcp;
use crate::{MatchCost, Quality, SignatureTtl, Specificity, TcpMatch, WindowPattern};

/// Reads `version:ttl+distance:olen:mss:window,scale:options:quirks:payload` without wildcards.
///
/// What a raw signature does not tell is taken as usual: timestamps are running, and a window in segments has the size of
/// the MSS option as its unit, if it can; [`readings`] gives the others.
pub(crate) fn parse(text: &str) -> Result<TcpObservation, FingerprintError> {
    const WILDCARD: &str = "a raw signature has no wildcard";

    // p0f writes `+?` when the packet came from too far to be believed. The text keeps its length.
    let readable = text.replacen("+?:", "+0:", 1);
    let at = Position {
        section: Section::TcpRequest,
        specificity: Specificity::Generic,
        has_evidence: false,
        line: 1,
    };
    let families = Families::default();
    let tcp::Parsed::One(signature) =
        parsed(&readable, |field, problems| tcp::parse(field, at, &families, problems))?
    else {
        return Err(FingerprintError::new(0, WILDCARD));
    };
    let starts = field_starts(text);
    let wildcard =
        |field: usize| FingerprintError::new(starts.get(field).copied().unwrap_or_default(), WILDCARD);

    let version = signature.version.ok_or_else(|| wildcard(0))?;
    let SignatureTtl::Initial(_) = signature.ttl else {
        return Err(FingerprintError::new(
            starts.get(1).copied().unwrap_or_default(),
            "a raw signature has the TTL and the distance, as in 64+0",
        ));
    };
    let ttl = ttl(text).ok_or_else(|| wildcard(1))?;
    let mss = signature.mss.ok_or_else(|| wildcard(3))?;
    let scale = signature.window_scale.ok_or_else(|| wildcard(4))?;
    let has_payload = signature.has_payload.ok_or_else(|| wildcard(7))?;
    let has = |kind: OptionKind| signature.layout.kinds().contains(&kind.0);
    let quirk = |quirk: Quirks| signature.quirks.contains(quirk);
    let timestamps = Timestamps {
        own: u32::from(!quirk(Quirks::OWN_TIMESTAMP_ZERO)),
        peer: u32::from(quirk(Quirks::PEER_TIMESTAMP_NONZERO)),
    };
    let timestamps = has(OptionKind::TIMESTAMPS).then_some(timestamps);
    let segmented = |multiple: WindowMultiple, count: u16| {
        let has_own_timestamp = timestamps.is_some_and(|timestamps| timestamps.own != 0);
        let window = multiple.windows(version, mss, has_own_timestamp).next();
        // Of the MSS of a peer, which nobody knows.
        let largest = || u16::MAX - u16::MAX.checked_rem(count).unwrap_or_default();
        (window.unwrap_or_else(largest), Some(multiple))
    };
    let (window, window_multiple) = match signature.window {
        WindowPattern::Literal(window) => (window, None),
        WindowPattern::Mss(count) => segmented(WindowMultiple::Mss(count), count),
        WindowPattern::Mtu(count) => segmented(WindowMultiple::Mtu(count), count),
        WindowPattern::Any | WindowPattern::MultipleOf(_) | WindowPattern::Fill(_) => {
            return Err(wildcard(4));
        }
    };

    let mut seen = TcpObservation::new(version, ttl, window);
    seen.ip_options_len = signature.ip_options_len;
    seen.mss = has(OptionKind::MSS).then_some(mss);
    seen.window_multiple = window_multiple;
    seen.window_scale = has(OptionKind::WINDOW_SCALE).then_some(scale);
    seen.layout = signature.layout;
    seen.quirks = signature.quirks;
    seen.has_payload = has_payload;
    seen.timestamps = timestamps;
    Ok(seen)
}

/// What the sender of a raw signature may have sent: it says how many segments the window is, and not of what size.
fn readings(seen: &TcpObservation) -> impl Iterator<Item = TcpObservation> {
    let has_own_timestamp = seen.timestamps.is_some_and(|timestamps| timestamps.own != 0);
    let mss = seen.mss.unwrap_or_default();
    let windows =
        seen.window_multiple.map(|multiple| multiple.windows(seen.ip_version, mss, has_own_timestamp));
    let others = windows.into_iter().flatten().map(|window| {
        let mut other = *seen;
        other.window = window;
        other
    });
    core::iter::once(*seen).chain(others)
}

/// The reading of a raw signature that matches best, and what it matches; of equals the first.
pub(super) fn best<'a>(
    seen: &TcpObservation,
    matching: impl Fn(&TcpObservation) -> Option<TcpMatch<'a>>,
) -> Option<(TcpObservation, TcpMatch<'a>)> {
    let found = readings(seen).filter_map(|reading| Some((reading, matching(&reading)?)));
    found.min_by_key(|(_, found)| rank(found))
}

/// Matches of several packets in the order in which a database prefers those of one.
fn rank(found: &TcpMatch<'_>) -> (u8, MatchCost) {
    let is_fill = matches!(found.record.signature.window, WindowPattern::Fill(_));
    let tier = match found.quality {
        Quality::Exact => 0,
        Quality::Fuzzy if is_fill && found.cost == MatchCost::CLAMPED_MSS => 1,
        Quality::Generic => 2,
        Quality::Fuzzy => 3,
    };
    (tier, found.cost)
}

/// The TTL as it was captured: the first number of the second field.
fn ttl(text: &str) -> Option<u8> {
    let (_, rest) = text.split_once(':')?;
    let (ttl, _) = rest.split_once(':')?;
    ttl.split('+').next()?.parse().ok()
}

fn field_starts(text: &str) -> Vec<usize> {
    core::iter::once(0).chain(text.match_indices(':').map(|(at, _)| at + 1)).collect()
}
