//! Exact matches by the index against exact matches by reading all signatures in order.

use huginn_net_core::IpVersion;
use huginn_net_db::{Database, Quality, SignatureTtl, Specificity, TcpFactSet, TcpRecord, WindowPattern};
use huginn_net_tcp::{OptionKind, Quirks, TcpObservation, Timestamps, WindowMultiple};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What a packet has in place of the fields of a signature; `None` keeps what the signature asks for.
#[derive(Clone, Copy, Debug)]
struct Changes {
    ttl: Option<u8>,
    mss: u16,
    window: Option<u16>,
    scale: Option<u8>,
    quirk: Option<usize>,
    has_payload: Option<bool>,
    version: IpVersion,
    /// Whether the sequence number is the destination, the one fact that bundled signatures ask for.
    facts: Option<bool>,
}

fn changes() -> impl Strategy<Value = Changes> {
    (
        proptest::option::weighted(0.2, any::<u8>()),
        select(vec![1460, 1440, 1400, 1380, 1200, 536, 8960, 65_495, 99, 0]),
        proptest::option::weighted(0.3, select(vec![0, 1024, 8192, 64_240, 65_535, 32_120, 5_840])),
        proptest::option::weighted(0.2, 0..=20_u8),
        proptest::option::weighted(0.2, 0..17_usize),
        proptest::option::weighted(0.1, any::<bool>()),
        select(vec![IpVersion::V4, IpVersion::V6]),
        proptest::option::weighted(0.3, any::<bool>()),
    )
        .prop_map(|(ttl, mss, window, scale, quirk, has_payload, version, facts)| Changes {
            ttl,
            mss,
            window,
            scale,
            quirk,
            has_payload,
            version,
            facts,
        })
}

/// A packet near `record`.
fn packet(record: &TcpRecord, changes: Changes) -> TcpObservation {
    let signature = &record.signature;
    let has = |kind: OptionKind| signature.layout.kinds().contains(&kind.0);
    let mss = signature.mss.unwrap_or(changes.mss);
    let window = match (changes.window, signature.window) {
        (Some(window), _) | (None, WindowPattern::Literal(window)) => window,
        (None, WindowPattern::Mss(count)) => mss.saturating_mul(count),
        (None, WindowPattern::Fill(space)) => filled(space, mss).unwrap_or(u16::MAX),
        (None, _) => 1460,
    };
    let mut seen =
        TcpObservation::new(changes.version, changes.ttl.unwrap_or(signature.ttl.highest()), window);
    seen.ip_options_len = signature.ip_options_len;
    seen.mss = has(OptionKind::MSS).then_some(mss);
    let is_whole = mss >= 100 && window != 0 && window.is_multiple_of(mss);
    seen.window_multiple = is_whole.then(|| WindowMultiple::Mss(window / mss));
    seen.window_scale =
        has(OptionKind::WINDOW_SCALE).then(|| changes.scale.or(signature.window_scale).unwrap_or(3));
    seen.layout = signature.layout;
    let hidden = if changes.version == IpVersion::V4 { Quirks::IPV6_ONLY } else { Quirks::IPV4_ONLY };
    seen.quirks = signature.quirks - hidden;
    if let Some(name) = changes.quirk.and_then(|quirk| Quirks::ALL.names().nth(quirk)) {
        let quirk = Quirks::from_name(name).unwrap_or_default();
        seen.quirks = (seen.quirks | quirk) - (seen.quirks & quirk);
    }
    seen.has_payload = changes.has_payload.or(signature.has_payload).unwrap_or_default();
    seen.timestamps = has(OptionKind::TIMESTAMPS).then_some(Timestamps { own: 1, peer: 0 });
    if changes.version == IpVersion::V4 {
        let asked = signature.facts.contains(TcpFactSet::SEQ_IS_DESTINATION);
        seen.facts.seq_is_destination = changes.facts.unwrap_or(asked);
    }
    seen
}

/// As many whole segments as fit, with subtractions.
fn filled(space: u32, segment: u16) -> Option<u16> {
    let segment = u32::from(segment);
    let mut window = if space > segment && segment != 0 { 0 } else { space };
    while segment != 0 && space > segment && window + segment <= space {
        window += segment;
    }
    u16::try_from(window).ok()
}

/// Whether a SYN has nothing that `record` does not allow, field by field.
fn allows(record: &TcpRecord, seen: &TcpObservation) -> bool {
    let signature = &record.signature;
    let ignored = match (signature.version, seen.ip_version) {
        (Some(version), seen) if version != seen => return false,
        (Some(_), _) => Quirks::NONE,
        (None, IpVersion::V4) => Quirks::IPV6_ONLY,
        (None, IpVersion::V6) => Quirks::IPV4_ONLY,
    };
    let ttl = match signature.ttl {
        SignatureTtl::Initial(initial) => seen.ttl <= initial && initial - seen.ttl <= 35,
        SignatureTtl::AtMost(highest) => seen.ttl <= highest,
    };
    let window = match signature.window {
        WindowPattern::Any => true,
        WindowPattern::Literal(window) => seen.window == window,
        WindowPattern::MultipleOf(divisor) => seen.window.is_multiple_of(divisor),
        WindowPattern::Mss(count) => seen.window_multiple == Some(WindowMultiple::Mss(count)),
        WindowPattern::Mtu(count) => seen.window_multiple == Some(WindowMultiple::Mtu(count)),
        WindowPattern::Fill(space) => {
            seen.mss.is_some_and(|mss| mss != 0 && filled(space, mss) == Some(seen.window))
        }
        other => unreachable!("a window of a new kind, {other}"),
    };
    ttl && window
        && signature.layout == seen.layout
        && signature.ip_options_len == seen.ip_options_len
        && signature.mss.is_none_or(|mss| mss == seen.mss.unwrap_or(0))
        && signature.window_scale.is_none_or(|scale| scale == seen.window_scale.unwrap_or(0))
        && signature.has_payload.is_none_or(|has_payload| has_payload == seen.has_payload)
        && signature.quirks - ignored == seen.quirks - ignored
        && (signature.facts.is_empty() || seen.facts.seq_is_destination)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_specific_and_then_the_first_generic_signature_that_allows_a_packet_wins(
        record in any::<Index>(),
        changes in changes(),
    ) {
        let database = Database::bundled();
        let records = database.tcp_requests();
        let seen = packet(record.get(records), changes);
        let first_of = |specificity: Specificity| {
            records.iter().find(|record| record.label.specificity == specificity && allows(record, &seen))
        };
        let found = database.match_syn(&seen);
        let exact = found.filter(|found| found.quality == Quality::Exact).map(|found| found.record);
        prop_assert_eq!(exact, first_of(Specificity::Specific));
        if let Some(found) = found.filter(|found| found.quality == Quality::Generic) {
            prop_assert_eq!(Some(found.record), first_of(Specificity::Generic));
        }
        let is_generic = first_of(Specificity::Generic).is_some();
        prop_assert!(!is_generic || found.is_some_and(|found| found.cost.in_quarters() <= 2));
    }

    #[test]
    fn the_first_of_the_top_is_the_match(
        record in any::<Index>(),
        changes in changes(),
        is_syn_ack in any::<bool>(),
    ) {
        let database = Database::bundled();
        let (found, top): (_, Vec<_>) = if is_syn_ack {
            let seen = packet(record.get(database.tcp_responses()), changes);
            (database.match_syn_ack(&seen), database.match_syn_ack_top(&seen).collect())
        } else {
            let seen = packet(record.get(database.tcp_requests()), changes);
            (database.match_syn(&seen), database.match_syn_top(&seen).collect())
        };
        prop_assert_eq!(found, top.first().copied());
        prop_assert!(top.iter().all(|found| found.cost.in_quarters() <= 16));
        prop_assert!(top.iter().all(|found| found.quality == Quality::Fuzzy || found.cost.in_quarters() == 0));
    }
}
