//! What is found against what every packet of a small world says.

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
    facts: TcpFactSet,
    /// What the packet answers; `None` if it has more than was offered, which no member of a family has.
    offered: Option<Negotiated>,
}

fn offers() -> [Negotiated; 4] {
    let set = |kind| Negotiated::of_kind(kind).expect("clients offer it");
    let (sack, timestamps) = (set(OptionKind::SACK_PERMITTED), set(OptionKind::TIMESTAMPS));
    [Negotiated::NONE, sack, timestamps, sack | timestamps]
}

/// Sets of facts that packets of the version can have.
const fn facts_of(version: IpVersion) -> &'static [TcpFactSet] {
    const FACTS: [TcpFactSet; 3] = [TcpFactSet::NONE, TcpFactSet::SEQ_IS_DESTINATION, TcpFactSet::IP_ID_ZMAP];
    match version {
        IpVersion::V4 => &FACTS,
        IpVersion::V6 => &[TcpFactSet::NONE],
    }
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
                            for &facts in facts_of(version) {
                                packets.extend(offers().map(Some).into_iter().chain([None]).map(|offered| {
                                    Packet {
                                        version,
                                        quirks,
                                        mss,
                                        window,
                                        window_scale,
                                        has_payload,
                                        facts,
                                        offered,
                                    }
                                }));
                            }
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
        && packet.facts.contains(signature.facts)
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
    let facts = prop::sample::select(facts_of(IpVersion::V4));
    let parts = (version, window, quirks, mss, scale, any::<Option<bool>>(), facts);
    parts.prop_map(|(version, window, quirks, mss, window_scale, has_payload, facts)| {
        let mut layout = OptionLayout::EMPTY;
        layout.push(OptionKind::MSS);
        let quirks = version.map_or(quirks, |version| quirks - impossible(version));
        let ttl = SignatureTtl::Initial(64);
        let ip_options_len = 0;
        let facts = if version == Some(IpVersion::V4) { facts } else { TcpFactSet::NONE };
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
            facts,
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
        facts: TcpFactSet::NONE,
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
