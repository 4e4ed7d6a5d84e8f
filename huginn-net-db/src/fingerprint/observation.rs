//! Raw signatures of TCP, read back as what was seen.

use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionKind, OptionLayout, Quirks, TcpObservation, Timestamps, WindowMultiple};

use super::{FingerprintError, FingerprintReason, parsed};
use crate::parse::Problem;
use crate::parse::field::Field;
use crate::parse::tcp::{self, Fields};
use crate::{MatchCost, Quality, TcpMatch, WindowPattern};

/// Reads `version:ttl+distance:olen:mss:window,scale:options:quirks:payload` without wildcards, perhaps with `:facts` behind it.
///
/// What a raw signature does not tell is taken as usual: timestamps are running, and a window in segments has the size of
/// the MSS option as its unit, if it can; [`readings`] gives the others.
pub(crate) fn parse(text: &str) -> Result<TcpObservation, FingerprintError> {
    let fields = Fields::split(Field::new(text, 0), true)?;
    let version = known(fields.version, tcp::version)?;
    let ttl = ttl(fields.ttl)?;
    let ip_options_len = tcp::ip_options_len(fields.ip_options_len)?;
    let mss = known(fields.mss, tcp::mss)?;
    let (window, scale) = parsed(|problems| tcp::window_and_scale(fields.window, false, problems))?;
    let scale = scale.ok_or_else(|| wildcard(fields.window))?;
    // As many as a packet has room for, which is more than signatures of a file may have.
    let layout = tcp::layout_up_to(OptionLayout::MAX_KINDS, fields.layout)?;
    let quirks = parsed(|problems| tcp::quirks(fields.quirks, Some(version), problems))?;
    let has_payload = known(fields.payload, tcp::payload)?;
    let facts = parsed(|problems| tcp::facts(fields.facts, Some(Some(version)), problems))?;
    let timestamps = timestamps(&layout, quirks);
    let (window, window_multiple) =
        captured_window(window, version, mss, timestamps).ok_or_else(|| wildcard(fields.window))?;

    let has = |kind: OptionKind| layout.kinds().contains(&kind.0);
    let mut seen = TcpObservation::new(version, ttl, window);
    seen.ip_options_len = ip_options_len;
    seen.mss = has(OptionKind::MSS).then_some(mss);
    seen.window_multiple = window_multiple;
    seen.window_scale = has(OptionKind::WINDOW_SCALE).then_some(scale);
    seen.layout = layout;
    seen.quirks = quirks;
    seen.has_payload = has_payload;
    seen.timestamps = timestamps;
    facts.write_to(&mut seen.facts);
    Ok(seen)
}

/// What a field says that signatures may leave open.
fn known<T>(
    field: Field<'_>,
    parse: impl FnOnce(Field<'_>) -> Result<Option<T>, Problem>,
) -> Result<T, FingerprintError> {
    parse(field)?.ok_or_else(|| wildcard(field))
}

fn wildcard(field: Field<'_>) -> FingerprintError {
    FingerprintError::new(field.at, FingerprintReason::Wildcard)
}

/// The TTL as it was captured, which may be 0, unlike one that a stack starts from.
fn ttl(field: Field<'_>) -> Result<u8, FingerprintError> {
    if field.text.ends_with('-') {
        return Err(FingerprintError::new(field.at, FingerprintReason::NoDistance));
    }
    let captured = |field: Field<'_>| field.number::<u8>("a TTL", 0..256);
    let Some((seen, distance)) = field.split_once('+') else { return Ok(captured(field)?) };
    let seen = captured(seen)?;
    // p0f writes `?` when the packet came from too far to be believed.
    if distance.text != "?" {
        tcp::initial_ttl(seen, distance, field)?;
    }
    Ok(seen)
}

fn timestamps(layout: &OptionLayout, quirks: Quirks) -> Option<Timestamps> {
    let timestamps = Timestamps {
        own: u32::from(!quirks.contains(Quirks::OWN_TIMESTAMP_ZERO)),
        peer: u32::from(quirks.contains(Quirks::PEER_TIMESTAMP_NONZERO)),
    };
    layout.kinds().contains(&OptionKind::TIMESTAMPS.0).then_some(timestamps)
}

/// The window in bytes, and in segments if that is how it is written; `None` of a wildcard.
fn captured_window(
    pattern: WindowPattern,
    version: IpVersion,
    mss: u16,
    timestamps: Option<Timestamps>,
) -> Option<(u16, Option<WindowMultiple>)> {
    let (multiple, count) = match pattern {
        WindowPattern::Literal(window) => return Some((window, None)),
        WindowPattern::Mss(count) => (WindowMultiple::Mss(count), count),
        WindowPattern::Mtu(count) => (WindowMultiple::Mtu(count), count),
        WindowPattern::Any | WindowPattern::MultipleOf(_) | WindowPattern::Fill(_) => return None,
    };
    let has_own_timestamp = timestamps.is_some_and(|timestamps| timestamps.own != 0);
    let window = multiple.windows(version, mss, has_own_timestamp).next();
    // Of the MSS of a peer, which nobody knows.
    let largest = || u16::MAX - u16::MAX.checked_rem(count).unwrap_or_default();
    Some((window.unwrap_or_else(largest), Some(multiple)))
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
