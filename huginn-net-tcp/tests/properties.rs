//! Whatever a packet says, the observation says the same.

#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers of tests fit")]

use huginn_net_core::{Frame, LinkType, Packet};
use huginn_net_tcp::{Quirks, TcpObservation, TcpOptions, Timestamps, WindowMultiple};
use proptest::prelude::*;
use testkit::encap::link;
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, TcpOption, flags};

/// An option of a SYN that is well formed, and its kind.
fn option() -> impl Strategy<Value = TcpOption> {
    prop_oneof![
        3 => Just(TcpOption::Nop),
        2 => any::<u16>().prop_map(TcpOption::Mss),
        2 => (0..=20_u8).prop_map(TcpOption::WindowScale),
        2 => Just(TcpOption::SackPermitted),
        2 => any::<(u32, u32)>().prop_map(|(own, echoed)| TcpOption::Timestamps(own, echoed)),
        1 => prop::collection::vec(any::<(u32, u32)>(), 1..=2).prop_map(TcpOption::Sack),
        1 => (unassigned(), prop::collection::vec(any::<u8>(), 0..6)).prop_map(|(kind, body)| TcpOption::Other(kind, body)),
    ]
}

/// A kind without a meaning here.
fn unassigned() -> impl Strategy<Value = u8> {
    any::<u8>().prop_filter("a kind with a meaning", |kind| !matches!(kind, 0..=5 | 8 | 30 | 34 | 253 | 254))
}

fn len(option: &TcpOption) -> usize {
    match option {
        TcpOption::Eol | TcpOption::Nop => 1,
        TcpOption::SackPermitted => 2,
        TcpOption::WindowScale(_) => 3,
        TcpOption::Mss(_) => 4,
        TcpOption::Timestamps(..) => 10,
        TcpOption::Sack(blocks) => 2 + 8 * blocks.len(),
        TcpOption::Other(_, body) => 2 + body.len(),
        TcpOption::Raw(bytes) => bytes.len(),
    }
}

/// As it is written in a signature.
fn name(option: &TcpOption) -> String {
    match option {
        TcpOption::Nop => "nop".into(),
        TcpOption::SackPermitted => "sok".into(),
        TcpOption::WindowScale(_) => "ws".into(),
        TcpOption::Mss(_) => "mss".into(),
        TcpOption::Timestamps(..) => "ts".into(),
        TcpOption::Sack(_) => "sack".into(),
        TcpOption::Other(kind, _) => format!("?{kind}"),
        TcpOption::Eol | TcpOption::Raw(_) => unreachable!("not generated"),
    }
}

/// Options that fit into a header, of which some may have been left out.
fn options() -> impl Strategy<Value = Vec<TcpOption>> {
    prop::collection::vec(option(), 0..12).prop_map(|mut options| {
        let mut room = 40;
        options.retain(|option| {
            let fits = len(option) <= room;
            room -= if fits { len(option) } else { 0 };
            fits
        });
        options
    })
}

#[derive(Clone, Debug)]
struct Syn {
    is_answer: bool,
    sequence: u32,
    acknowledgment: u32,
    /// Flags that make no type of segment.
    more_flags: u16,
    window: u16,
    urgent: u16,
    options: Vec<TcpOption>,
    payload: Vec<u8>,
}

impl Syn {
    fn flags(&self) -> u16 {
        self.more_flags | flags::SYN | if self.is_answer { flags::ACK } else { 0 }
    }

    fn build(&self) -> Tcp {
        Tcp::new(40_000, 80)
            .sequence(self.sequence)
            .acknowledgment(self.acknowledgment)
            .flags(self.flags())
            .window(self.window)
            .urgent(self.urgent)
            .options(self.options.clone())
            .payload(&self.payload)
    }

    fn find<T>(&self, wanted: impl Fn(&TcpOption) -> Option<T>) -> Option<T> {
        self.options.iter().rev().find_map(wanted)
    }

    fn timestamps(&self) -> Option<Timestamps> {
        self.find(|option| match *option {
            TcpOption::Timestamps(own, peer) => Some(Timestamps { own, peer }),
            _ => None,
        })
    }

    /// The quirks that do not depend on the IP header.
    fn quirks(&self) -> Quirks {
        let has = |flag| self.flags() & flag != 0;
        let all_timestamps: Vec<_> = self
            .options
            .iter()
            .filter_map(|option| match *option {
                TcpOption::Timestamps(own, peer) => Some((own, peer)),
                _ => None,
            })
            .collect();
        Quirks::when(self.sequence == 0, Quirks::SEQ_ZERO)
            | Quirks::when(!has(flags::ACK) && self.acknowledgment != 0, Quirks::ACK_NONZERO)
            | Quirks::when(has(flags::ACK) && self.acknowledgment == 0, Quirks::ACK_ZERO)
            | Quirks::when(has(flags::URG), Quirks::URG)
            | Quirks::when(!has(flags::URG) && self.urgent != 0, Quirks::URG_POINTER_NONZERO)
            | Quirks::when(has(flags::PSH), Quirks::PUSH)
            | Quirks::when(all_timestamps.iter().any(|&(own, _)| own == 0), Quirks::OWN_TIMESTAMP_ZERO)
            | Quirks::when(
                !self.is_answer && all_timestamps.iter().any(|&(_, peer)| peer != 0),
                Quirks::PEER_TIMESTAMP_NONZERO,
            )
            | Quirks::when(
                self.options.iter().any(|option| matches!(option, TcpOption::WindowScale(15..))),
                Quirks::EXCESSIVE_SCALE,
            )
    }
}

/// Zero as often as not.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0_u32), any::<u32>()]
}

fn syn() -> impl Strategy<Value = Syn> {
    let other_flags = 0..=0xfff_u16;
    let of_type = flags::SYN | flags::ACK | flags::FIN | flags::RST;
    let numbers = (
        any::<bool>(),
        number(),
        number(),
        other_flags,
        any::<u16>(),
        prop_oneof![Just(0_u16), any::<u16>()],
    );
    (numbers, options(), prop_oneof![Just(Vec::new()), prop::collection::vec(any::<u8>(), 1..20)]).prop_map(
        move |((is_answer, sequence, acknowledgment, other_flags, window, urgent), options, payload)| Syn {
            is_answer,
            sequence,
            acknowledgment,
            more_flags: other_flags & !of_type,
            window,
            urgent,
            options,
            payload,
        },
    )
}

fn observe(datagram: &[u8]) -> TcpObservation {
    let mut frame = link::ethernet(datagram);
    frame.resize(frame.len().max(60), 0xee);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet");
    TcpObservation::of(&packet, None).expect("a SYN or SYN+ACK")
}

/// What depends on TCP alone.
fn assert_shows(seen: &TcpObservation, syn: &Syn) -> Result<(), TestCaseError> {
    let written: usize = syn.options.iter().map(len).sum();
    let mut layout: Vec<_> = syn.options.iter().map(name).collect();
    if !written.is_multiple_of(4) {
        // The builder fills up with zeros, the first of which ends the options.
        layout.push(format!("eol+{}", written.next_multiple_of(4) - written - 1));
    }
    prop_assert_eq!(seen.layout.to_string(), layout.join(","));
    let mss = syn.find(|option| if let TcpOption::Mss(mss) = *option { Some(mss) } else { None });
    let scale =
        syn.find(|option| if let TcpOption::WindowScale(shift) = *option { Some(shift) } else { None });
    prop_assert_eq!((seen.mss, seen.window_scale, seen.timestamps), (mss, scale, syn.timestamps()));
    prop_assert_eq!((seen.window, seen.has_payload), (syn.window, !syn.payload.is_empty()));
    let of_ip = Quirks::IPV4_ONLY | Quirks::IPV6_ONLY | Quirks::ECN;
    prop_assert_eq!((seen.quirks - of_ip).to_string(), syn.quirks().to_string());
    prop_assert_eq!(seen.facts.ecn_tcp, (syn.more_flags >> 6 & 7) as u8);
    prop_assert_eq!(seen.facts.accurate_ecn(), syn.more_flags & 0x1c0 == 0x1c0);
    prop_assert_eq!(seen.facts.reserved, (syn.more_flags >> 9 & 7) as u8);
    if let Some(multiple) = seen.window_multiple {
        let (WindowMultiple::Mss(count) | WindowMultiple::Mtu(count)) = multiple;
        prop_assert!(count > 0 && syn.window.is_multiple_of(count), "{multiple}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn an_observation_on_ipv4_shows_what_was_sent(
        syn in syn(),
        (tos, ttl) in any::<(u8, u8)>(),
        identification in prop_oneof![Just(0_u16), any::<u16>()],
        (reserved, dont_fragment) in any::<(bool, bool)>(),
        ip_options in 0..=10_usize,
    ) {
        let header = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2])
            .tos(tos)
            .ttl(ttl)
            .identification(identification)
            .reserved(reserved)
            .dont_fragment(dont_fragment)
            .options(&vec![1; ip_options * 4]);
        let seen = observe(&header.tcp(&syn.build()));
        assert_shows(&seen, &syn)?;
        prop_assert_eq!((seen.ttl, usize::from(seen.ip_options_len)), (ttl, ip_options * 4));
        let has = |quirk| seen.quirks.contains(quirk);
        prop_assert_eq!(has(Quirks::DF), dont_fragment);
        prop_assert_eq!(has(Quirks::ID_NONZERO), dont_fragment && identification != 0);
        prop_assert_eq!(has(Quirks::ID_ZERO), !dont_fragment && identification == 0);
        prop_assert_eq!(has(Quirks::RESERVED_SET), reserved);
        prop_assert_eq!(has(Quirks::ECN), tos & 3 != 0 || seen.facts.ecn_tcp != 0);
        prop_assert!(!has(Quirks::FLOW));
        prop_assert_eq!((seen.facts.dscp, seen.facts.ecn_ip), (tos >> 2, tos & 3));
        let start = format!("4:{ttl}+");
        prop_assert!(seen.to_string().starts_with(&start));
    }

    #[test]
    fn an_observation_on_ipv6_shows_what_was_sent(
        syn in syn(),
        (traffic_class, hop_limit) in any::<(u8, u8)>(),
        flow_label in prop_oneof![Just(0_u32), 0..=0xf_ffff_u32],
        extensions in 0..=4_usize,
    ) {
        let header = Ipv6::new([1; 8], [2; 8])
            .traffic_class(traffic_class)
            .hop_limit(hop_limit)
            .flow_label(flow_label)
            .extensions(vec![Extension::Destination(vec![1, 4]); extensions]);
        let seen = observe(&header.tcp(&syn.build()));
        assert_shows(&seen, &syn)?;
        prop_assert_eq!((seen.ttl, usize::from(seen.ip_options_len)), (hop_limit, extensions * 8));
        prop_assert_eq!(seen.quirks.contains(Quirks::FLOW), flow_label != 0);
        prop_assert_eq!(seen.quirks.contains(Quirks::ECN), traffic_class & 3 != 0 || seen.facts.ecn_tcp != 0);
        prop_assert!(!Quirks::IPV4_ONLY.names().any(|name| seen.quirks.names().any(|seen| seen == name)));
        prop_assert_eq!(seen.facts.ip_id, None);
    }

    #[test]
    fn options_that_are_cut_anywhere_keep_the_kinds_before_the_cut(options in options(), at in 0..=40_usize) {
        let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(1, 2).options(options.clone()));
        let written: usize = options.iter().map(len).sum();
        let at = at.min(written);
        let parsed = TcpOptions::parse(&datagram[40..40 + at]);
        let mut end = 0;
        let whole: Vec<_> = options.iter().take_while(|option| { end += len(option); end <= at }).collect();
        let kinds: Vec<_> = whole.iter().map(|option| name(option)).collect();
        let shown = parsed.layout.to_string();
        prop_assert!(shown.starts_with(&kinds.join(",")), "{} and {:?}", shown, kinds);
        let within = whole.iter().map(|option| len(option)).sum::<usize>() != at;
        prop_assert_eq!(parsed.layout.kinds().len(), whole.len() + usize::from(within));
        prop_assert_eq!(parsed.quirks.contains(Quirks::BAD), within);
    }

    #[test]
    fn any_bytes_are_options(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let parsed = TcpOptions::parse(&bytes);
        prop_assert!(parsed.layout.kinds().len() <= bytes.len().min(40));
        prop_assert!(usize::from(parsed.layout.padding()) < bytes.len().max(1));
    }
}
