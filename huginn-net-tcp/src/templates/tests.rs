//! Observations that are remembered, and those that are made anew.

use huginn_net_core::{Frame, LinkType, TcpFlags};
use testkit::encap::link;
use testkit::packet::{Extension, IpHeader as _, Ipv4, Ipv6, Tcp, TcpOption, flags};

use super::*;
use crate::{TcpFacts, Timestamps};

/// SYNs and SYN+ACKs of each common layout and of some others, of both IP versions, with and without what is odd.
fn frames() -> Vec<Vec<u8>> {
    use TcpOption::{Eol, Mss, Nop, Other, SackPermitted, Timestamps, WindowScale};
    let layouts = [
        vec![],
        vec![Mss(1_460)],
        vec![Mss(1_460), SackPermitted, Timestamps(7, 0), Nop, WindowScale(7)],
        vec![Mss(1_460), Nop, Nop, SackPermitted, Nop, WindowScale(7)],
        vec![Mss(1_460), Nop, WindowScale(8), Nop, Nop, SackPermitted],
        vec![Mss(1_460), Nop, WindowScale(6), Nop, Nop, Timestamps(7, 9), SackPermitted, Eol, Eol],
        vec![Mss(1_460), Nop, WindowScale(6), SackPermitted, Timestamps(0, 9)],
        vec![Mss(1_460), WindowScale(6)],
        // Multipath TCP, of a client, and a cookie of Fast Open.
        vec![Mss(1_460), SackPermitted, Timestamps(7, 0), Nop, WindowScale(7), Other(30, vec![1, 1])],
        vec![Mss(1_460), Nop, WindowScale(7), SackPermitted, Other(34, vec![9; 8]), Timestamps(0, 0)],
    ];
    let v4 = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let v6 = Ipv6::new([1; 16], [2; 16]);
    let extended = Ipv6::new([1; 16], [2; 16]).extensions([Extension::HopByHop(vec![1, 4])]);
    let mut frames = Vec::new();
    for options in layouts {
        let syn = Tcp::new(50_000, 80).sequence(5).flags(flags::SYN).window(64_240).options(options.clone());
        let answer = Tcp::new(80, 50_000)
            .acknowledgment(6)
            .flags(flags::SYN | flags::ACK)
            .window(28_960)
            .options(options);
        for segment in [syn.clone(), answer, syn.payload(b"data")] {
            frames.extend(
                [v4.tcp(&segment), v6.tcp(&segment), extended.tcp(&segment)].map(|ip| link::ethernet(&ip)),
            );
        }
    }
    frames
}

/// Remembers the first observation and whether it is one of an answer.
type Memo = Option<(TcpObservation, bool)>;

/// Without what may differ between observations with one memo.
fn common(observation: TcpObservation) -> TcpObservation {
    TcpObservation {
        ttl: 0,
        timestamps: observation.timestamps.map(|_| Timestamps { own: 0, peer: 0 }),
        facts: TcpFacts { source_port: None, ..observation.facts },
        ..observation
    }
}

fn check(templates: &mut Templates<Memo>, bytes: &[u8], wire_len: u32) {
    let frame = Frame { wire_len, ..Frame::new(bytes, LinkType::ETHERNET) };
    let Ok(packet) = Packet::decode(&frame) else { return };
    let Some(segment) = packet.tcp() else { return };
    let Some(received) = Received::of(&packet) else { return };
    if !segment.flags().contains(TcpFlags::SYN) {
        return;
    }
    // Only a window of an answer is read against it.
    let is_answer = segment.flags().contains(TcpFlags::ACK);
    let syn = |mss: Option<u16>, sack| {
        let offer = SynOffer { sack, ..SynOffer::default() };
        (mss, Some(offer), SeenSyn::new(mss.unwrap_or(0), offer.pack()))
    };
    let none = (None, None, SeenSyn::NONE);
    let syns = [none, syn(Some(1_400), true), syn(Some(536), false), syn(None, true)];
    for (syn_mss, syn_offer, syn) in syns.into_iter().take(if is_answer { 4 } else { 1 }) {
        let options = TcpOptions::parse(segment.options());
        let expected = TcpObservation {
            syn_offer,
            ..TcpObservation::with_options(&packet, &segment, &options, syn_mss)
        };
        // Once made and once remembered.
        for _ in 0..2 {
            let (template, ticks) = if is_answer {
                templates.observe_syn_ack(&received, syn)
            } else {
                templates.observe_syn(&received)
            };
            let (seen, memo) = template.seen(&received, ticks);
            assert_eq!(seen.observation(), expected, "{bytes:02x?}");
            assert_eq!(seen.ttl(), expected.ttl);
            let common = (common(expected), is_answer);
            assert_eq!(*memo.get_or_insert(common), common, "{bytes:02x?}");
            assert_eq!(template.offer, SynOffer::of(segment.flags(), &options).pack());
        }
    }
}

#[test]
fn whatever_differs_between_two_packets_differs_in_what_is_observed() {
    let mut templates = Templates::new();
    for original in frames() {
        let len = u32::try_from(original.len()).expect("a frame");
        for at in 14..original.len() {
            // Each of its bits, and the numbers that kinds and lengths of options are.
            let flipped = (0..8).map(|bit| original[at] ^ 1 << bit);
            for value in flipped.chain(0..=40).chain([253, 254]) {
                let mut bytes = original.clone();
                bytes[at] = value;
                check(&mut templates, &bytes, len);
                // The packet it was made of, which is like it in all but that byte.
                check(&mut templates, &original, len);
            }
        }
    }
}

#[test]
fn numbers_that_scanners_derive_from_others_are_not_taken_for_those_of_any_host() {
    let mut templates = Templates::new();
    let [destination, port] = [0x0a00_0002_u32, 80];
    // Any, Mirai's sequence number, masscan's identification, and both.
    for (sequence, is_folded) in [(5, false), (destination, false), (7, true), (destination, true)] {
        let folded = (destination ^ port ^ sequence) & 0xffff;
        let id = if is_folded { u16::try_from(folded).expect("16 bits") } else { 4_711 };
        let segment = Tcp::new(50_000, 80).sequence(sequence).flags(flags::SYN).window(1_024);
        let mut bytes = link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment));
        bytes.splice(18..20, id.to_be_bytes());
        check(&mut templates, &bytes, u32::try_from(bytes.len()).expect("a frame"));
    }
}

#[test]
fn what_the_capture_cut_is_not_taken_for_whole() {
    let mut templates = Templates::new();
    for original in frames() {
        let len = u32::try_from(original.len()).expect("a frame");
        for end in 14..=original.len() {
            check(&mut templates, &original, len);
            check(&mut templates, original.get(..end).expect("within"), len);
        }
    }
}
