//! Fragments as networks reorder them and as attackers make them.

#![cfg(test)]

use core::time::Duration;

use huginn_net_core::{DecodeLimits, Decoder, Frame, LinkType, Packet, Timestamp, Undecoded};
use testkit::alloc;
use testkit::encap::fragment::{ipv4 as cut4, ipv6 as cut6};
use testkit::encap::link::{self, Tag};
use testkit::encap::tunnel::Gre;
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, Udp, protocol};
use testkit::rng::Rng;

const SECOND: u64 = 1_000_000_000;
const START: u64 = 1_700_000_000 * SECOND;

fn header4() -> Ipv4 {
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).identification(77).dont_fragment(false)
}

fn header6() -> Ipv6 {
    Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0, 0, 0, 0, 0, 2])
}

fn segment(payload_len: usize) -> Tcp {
    Tcp::new(40_000, 80).payload(&Rng::new(5).bytes(payload_len))
}

/// A decoder fed with raw datagrams or Ethernet frames at times after [`START`].
struct Feed {
    decoder: Decoder,
    link_type: LinkType,
}

impl Feed {
    fn new() -> Self {
        Self::with(DecodeLimits::default())
    }

    fn with(limits: DecodeLimits) -> Self {
        Self { decoder: Decoder::with_limits(limits), link_type: LinkType::RAW }
    }

    fn ethernet() -> Self {
        Self { link_type: LinkType::ETHERNET, ..Self::new() }
    }

    fn packet<'a>(&'a mut self, bytes: &'a [u8], after: u64) -> Result<Packet<'a>, Undecoded> {
        let captured_at = Timestamp::from_nanos(START + after);
        self.decoder.decode(&Frame { captured_at, ..Frame::new(bytes, self.link_type) })
    }

    /// The datagram that these bytes complete.
    fn push(&mut self, bytes: &[u8], after: u64) -> Result<Vec<u8>, Undecoded> {
        self.packet(bytes, after).map(|packet| packet.bytes().to_vec())
    }

    /// Feeds one after the other at the same time and gives the last answer; the others must have been fragments.
    fn push_all(&mut self, pieces: &[Vec<u8>]) -> Result<Vec<u8>, Undecoded> {
        let (last, first) = pieces.split_last().unwrap();
        for piece in first {
            assert_eq!(self.push(piece, 0), Err(Undecoded::Fragment));
        }
        self.push(last, 0)
    }

    fn count(&self, reason: Undecoded) -> u64 {
        let stats = self.decoder.stats();
        stats.undecoded.iter().find(|(counted, _)| *counted == reason).map_or(0, |(_, count)| *count)
    }
}

/// An IPv4 fragment with a payload of its own.
fn piece4(offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    header4().fragment_offset(offset / 8).more_fragments(more).carry(protocol::UDP, payload)
}

/// An IPv6 fragment with a payload of its own.
fn piece6(identification: u32, offset: u16, more: bool, next: u8, payload: &[u8]) -> Vec<u8> {
    header6()
        .extensions([Extension::Fragment { offset: offset / 8, more, identification }])
        .carry(next, payload)
}

/// An IPv4 datagram without its header checksum, which reassembly does not recompute.
fn without_checksum(mut datagram: Vec<u8>) -> Vec<u8> {
    datagram[10..12].fill(0);
    datagram
}

#[test]
fn ipv4_fragments_in_any_order_with_repetitions_give_the_datagram() {
    let datagram = header4().options(&[1, 1, 1, 1]).ttl(57).tcp(&segment(500));
    let pieces = cut4(&datagram, 48);
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut order: Vec<_> = pieces.clone();
        rng.shuffle(&mut order);
        for at in (1..order.len()).rev() {
            // A repetition of an earlier fragment.
            let repeated = order[rng.below(at)].clone();
            order.insert(at, repeated);
        }
        let mut feed = Feed::new();
        let whole = feed.push_all(&order).expect("the last fragment completes the datagram");
        assert_eq!(without_checksum(whole), without_checksum(datagram.clone()), "seed {seed}");
        let stats = feed.decoder.stats();
        assert_eq!((stats.decoded, stats.reassembled), (1, 1));
        assert_eq!(stats.undecoded, [(Undecoded::Fragment, order.len() as u64 - 1)]);
    }
}

/// First and last fragment of a segment with this payload.
fn halves(payload: u8) -> (Vec<u8>, Vec<u8>) {
    let pieces = cut4(&header4().tcp(&Tcp::new(40_000, 80).payload(&[payload; 44])), 32);
    let [first, last] = pieces.try_into().unwrap();
    (first, last)
}

/// The last byte of a datagram.
fn told(whole: Result<Vec<u8>, Undecoded>) -> Option<u8> {
    whole.ok().and_then(|datagram| datagram.last().copied())
}

#[test]
fn fragments_that_a_lost_one_left_behind_do_not_complete_a_later_datagram_of_the_same_number() {
    let mut feed = Feed::new();
    assert_eq!(told(feed.push(&halves(1).1, 0)), None);
    for payload in 2..6 {
        let ((first, last), now) = (halves(payload), u64::from(payload) * 5 * SECOND);
        assert_eq!(told(feed.push(&first, now)), None);
        assert_eq!(told(feed.push(&last, now)), Some(payload));
    }
    let stats = feed.decoder.stats();
    assert_eq!((stats.reassembled, stats.fragments_expired), (4, 1));
}

#[test]
fn whichever_fragment_was_left_behind_the_next_datagram_of_the_same_number_is_whole() {
    let thirds = |payload: u8| cut4(&header4().tcp(&Tcp::new(40_000, 80).payload(&[payload; 76])), 32);
    for left_behind in 0..3 {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut feed = Feed::new();
            assert_eq!(told(feed.push(&thirds(1)[left_behind], 0)), None);
            let pieces = thirds(2);
            let whole: Vec<_> =
                order.into_iter().filter_map(|at| told(feed.push(&pieces[at], 5 * SECOND))).collect();
            assert_eq!(whole, [2], "{left_behind} {order:?}");
            // Nothing of it waits for a third one.
            assert!(feed.push_all(&thirds(3)).is_ok());
        }
    }
}

#[test]
fn fragments_that_were_captured_twice_do_not_complete_a_later_datagram() {
    let mut feed = Feed::new();
    for payload in 2..6 {
        let ((first, last), now) = (halves(payload), u64::from(payload) * 5 * SECOND);
        let whole: Vec<_> = [&first, &first, &last, &last]
            .into_iter()
            .filter_map(|piece| told(feed.push(piece, now)))
            .collect();
        assert_eq!(whole, [payload]);
    }
}

#[test]
fn fragments_that_arrive_late_are_put_together_if_their_checksum_is_right_and_soon_ones_in_any_case() {
    for (wrong_checksum, apart, is_whole) in
        [(false, 5 * SECOND, true), (true, 5 * SECOND, false), (true, SECOND, true)]
    {
        let (mut first, last) = halves(7);
        first[20 + 16] ^= u8::from(wrong_checksum);
        let mut feed = Feed::new();
        assert_eq!(told(feed.push(&first, 0)), None);
        assert_eq!(told(feed.push(&last, apart)), is_whole.then_some(7), "{wrong_checksum} {apart}");
    }
}

#[test]
fn a_fragment_with_a_time_far_ahead_takes_nothing_from_other_datagrams() {
    let mut feed = Feed::new();
    let (first, last) = halves(7);
    assert_eq!(told(feed.push(&first, 0)), None);
    let other = header4().identification(78).more_fragments(true).carry(protocol::UDP, &[0; 16]);
    assert_eq!(told(feed.push(&other, 25 * 3_600 * SECOND)), None);
    assert_eq!(told(feed.push(&last, 0)), Some(7));
}

#[test]
fn the_header_of_the_first_fragment_to_arrive_wins() {
    let piece = |ttl, offset: u16, more| {
        header4().ttl(ttl).fragment_offset(offset / 8).more_fragments(more).carry(protocol::UDP, &[0; 16])
    };
    let whole = Feed::new().push_all(&[piece(57, 0, true), piece(3, 0, true), piece(9, 16, false)]);
    // The TTL is the ninth byte.
    assert_eq!(whole.map(|datagram| datagram[8]), Ok(57));
}

#[test]
fn ipv6_fragments_in_any_order_give_the_datagram_with_headers_before_and_behind() {
    let inner = header6().extensions([Extension::Destination(vec![1, 4, 0, 0, 0, 0])]).tcp(&segment(300));
    let pieces = cut6(&inner, 64, 9);
    for seed in 0..100 {
        let mut order = pieces.clone();
        Rng::new(seed).shuffle(&mut order);
        assert_eq!(Feed::new().push_all(&order), Ok(inner.clone()), "seed {seed}");
    }

    // A header that routers look at stands before the fragment header, in every fragment.
    let per_hop = Extension::HopByHop(vec![5, 2, 0, 0, 1, 0]);
    let piece = |offset: u16, more, payload: &[u8]| {
        let fragment = Extension::Fragment { offset: offset / 8, more, identification: 3 };
        header6().extensions([per_hop.clone(), fragment]).carry(protocol::UDP, payload)
    };
    let udp = header6().extensions([per_hop.clone()]).udp(&Udp::new(1, 2, b"sixteen bytes..."));
    let (first, last) = udp[48..].split_at(8);
    assert_eq!(Feed::new().push_all(&[piece(8, false, last), piece(0, true, first)]), Ok(udp.clone()));
}

#[test]
fn the_header_of_a_reassembled_datagram_is_that_of_its_first_fragment() {
    let datagram = header4().ttl(57).tos(0x12).tcp(&segment(40));
    let mut pieces = cut4(&datagram, 40);
    let last = pieces.last_mut().unwrap();
    // The TTL of the last one differs.
    last[8] = 3;
    for reversed in [false, true] {
        let mut order = pieces.clone();
        if reversed {
            order.reverse();
        }
        let mut feed = Feed::new();
        for piece in &order[..order.len() - 1] {
            assert_eq!(feed.push(piece, 0), Err(Undecoded::Fragment));
        }
        let packet = feed.packet(order.last().unwrap(), 0).expect("complete");
        let header = packet.ipv4().unwrap();
        assert_eq!((header.ttl(), header.traffic_class(), header.identification()), (57, 0x12, 77));
        assert_eq!(usize::from(header.total_length()), datagram.len());
        assert_eq!(packet.tcp().unwrap().payload().len(), 40);
        assert!(!packet.layout().is_cut());
    }
}

#[test]
fn an_overlap_gives_up_the_whole_datagram_and_is_counted() {
    let a = [1; 16];
    // Reaches into the one before, into the one behind, around it, and replaces it.
    for (offset, payload) in [(8, &[2; 16][..]), (16, &[2; 24]), (16, &[2; 48]), (24, &[2; 16])] {
        let mut feed = Feed::new();
        assert_eq!(feed.push(&piece4(0, true, &a), 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(&piece4(24, true, &a), 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(&piece4(offset, true, payload), 0), Err(Undecoded::FragmentOverlap));
        assert_eq!(feed.count(Undecoded::FragmentOverlap), 1);
        // What was there is gone, so that the missing pieces complete nothing.
        assert_eq!(feed.push(&piece4(16, true, &[3; 8]), 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(&piece4(40, false, &[3; 8]), 0), Err(Undecoded::Fragment));
        assert_eq!(feed.decoder.stats().reassembled, 0);
    }
}

#[test]
fn a_fragment_repeated_with_other_bytes_is_an_overlap() {
    let mut feed = Feed::new();
    assert_eq!(feed.push(&piece4(0, true, &[1; 16]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.push(&piece4(0, true, &[2; 16]), 0), Err(Undecoded::FragmentOverlap));
}

#[test]
fn two_ends_contradict_each_other() {
    for second in [16, 32] {
        let mut feed = Feed::new();
        assert_eq!(feed.push(&piece4(24, false, &[1; 8]), 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(&piece4(second, false, &[1; 8]), 0), Err(Undecoded::FragmentOverlap));
    }
}

#[test]
fn bytes_behind_the_end_contradict_it_whichever_comes_first() {
    let (end, behind) = (piece4(8, false, &[1; 8]), piece4(16, true, &[1; 8]));
    for order in [[&end, &behind], [&behind, &end]] {
        let mut feed = Feed::new();
        assert_eq!(feed.push(order[0], 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(order[1], 0), Err(Undecoded::FragmentOverlap));
    }
}

#[test]
fn fragments_of_lengths_that_only_a_last_one_may_have_are_malformed() {
    let mut feed = Feed::new();
    assert_eq!(feed.push(&piece4(0, true, &[1; 12]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.push(&piece4(8, true, &[]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.push(&piece6(1, 0, true, protocol::UDP, &[1; 7]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.push(&piece6(1, 8, false, protocol::UDP, &[]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.count(Undecoded::FragmentLength), 4);
}

#[test]
fn a_datagram_of_65535_bytes_is_put_together_and_one_more_is_malformed() {
    const EXPERIMENT: u8 = 253;
    let longest = header4().carry(EXPERIMENT, &Rng::new(1).bytes(65_515));
    assert_eq!(longest.len(), 65_535);
    let whole = Feed::new().push_all(&cut4(&longest, 1_480)).map(without_checksum);
    assert_eq!(whole, Ok(without_checksum(longest)));

    // "Ping of death": the last fragment ends behind what a length field can say.
    let mut feed = Feed::new();
    assert_eq!(feed.push(&piece4(65_512, false, &[1; 4]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.push(&piece4(65_512, false, &[1; 3]), 0), Err(Undecoded::Fragment));
    // IPv6 counts from behind its header.
    assert_eq!(feed.push(&piece6(1, 65_528, false, 17, &[1; 8]), 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.push(&piece6(1, 65_528, false, 17, &[1; 7]), 0), Err(Undecoded::Fragment));
}

#[test]
fn a_first_fragment_with_options_can_make_a_datagram_too_long() {
    // Without options the end is at 65,535; the options of the first fragment move it behind.
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragments(100));
    let body = [7; 65_515];
    let pieces = cut4(&header4().carry(protocol::UDP, &body), 1_480);
    let first = header4().options(&[1; 40]).more_fragments(true).carry(protocol::UDP, &body[..1_480]);
    for piece in &pieces[1..] {
        assert_eq!(feed.push(piece, 0), Err(Undecoded::Fragment));
    }
    assert_eq!(feed.push(&first, 0), Err(Undecoded::FragmentLength));
    assert_eq!(feed.decoder.stats().reassembled, 0);
}

#[test]
fn more_fragments_than_the_limit_give_up_the_datagram() {
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragments(4));
    for at in 0..4 {
        assert_eq!(feed.push(&piece4(at * 8, true, &[1; 8]), 0), Err(Undecoded::Fragment));
    }
    assert_eq!(feed.decoder.stats().fragments_evicted, 0);
    assert_eq!(feed.push(&piece4(32, true, &[1; 8]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.decoder.stats().fragments_evicted, 1);
    // A datagram of exactly as many pieces, one more than are ever held, is put together.
    let datagram = header4().udp(&Udp::new(1, 2, &[9; 32]));
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragments(4));
    assert!(feed.push_all(&cut4(&datagram, 8)).is_ok());
}

#[test]
fn more_datagrams_than_the_limit_give_up_the_oldest() {
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragmented(2));
    let of = |identification: u16| {
        let datagram = header4().identification(identification).udp(&Udp::new(1, 2, &[9; 8]));
        cut4(&datagram, 8)
    };
    for identification in 1..=3 {
        assert_eq!(feed.push(&of(identification)[0], 0), Err(Undecoded::Fragment));
    }
    assert_eq!(feed.decoder.stats().fragments_evicted, 1);
    assert_eq!(
        feed.push(&of(1)[1], 0),
        Err(Undecoded::Fragment),
        "the first one was given up, now the second is"
    );
    assert!(feed.push(&of(3)[1], 0).is_ok());
}

#[test]
fn memory_stays_within_the_limits_whatever_fragments_a_flood_is_made_of() {
    // Per piece, what holds it; per datagram, the table's share and the repeated headers.
    let limits = DecodeLimits::default().with_max_fragment_bytes(1 << 20);
    let bound = limits.max_fragment_bytes + limits.max_fragmented * (limits.max_fragments * 64 + 512);
    for (size, per_datagram) in [(8_u16, 100), (1_400, 40), (64_000, 1)] {
        let payload = vec![1; size.into()];
        let ((), allocations) = alloc::measure(|| {
            let mut decoder = Decoder::with_limits(limits);
            let mut rng = Rng::new(3);
            for identification in 0..20_000 / per_datagram {
                for at in 0..per_datagram {
                    let offset = at * size;
                    let frame = header4()
                        .identification(identification ^ (rng.next_u16() % 4))
                        .fragment_offset(offset / 8)
                        .more_fragments(true)
                        .carry(protocol::UDP, &payload);
                    let captured_at = Timestamp::from_nanos(START);
                    let frame = Frame { captured_at, ..Frame::new(&frame, LinkType::RAW) };
                    assert!(decoder.decode(&frame).is_err());
                }
            }
            assert!(decoder.stats().fragments_evicted > 0 || size == 8);
        });
        let peak = usize::try_from(allocations.peak_bytes).unwrap();
        assert!(peak <= bound, "{peak} bytes for fragments of {size}, which may take {bound}");
    }
}

#[test]
fn the_byte_limit_gives_up_the_oldest_and_lets_a_datagram_that_alone_exceeds_it_go() {
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragment_bytes(100));
    assert_eq!(feed.push(&piece4(0, true, &[1; 80]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.decoder.stats().fragments_evicted, 0, "20 bytes of header and 80");
    assert_eq!(feed.push(&piece4(80, true, &[1; 8]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.decoder.stats().fragments_evicted, 1, "20 bytes of header and 88 are more than 100");
    assert_eq!(feed.push(&piece4(0, true, &[1; 40]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.push(&piece6(1, 8, true, 17, &[1; 48]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.decoder.stats().fragments_evicted, 2, "108 bytes are more than 100");
}

#[test]
fn of_datagrams_that_were_completed_late_nothing_counts_against_the_byte_limit() {
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragment_bytes(100));
    for round in 0..5 {
        let ((first, last), now) = (halves(7), round * 20 * SECOND);
        assert_eq!(told(feed.push(&first, now)), None);
        assert_eq!(told(feed.push(&last, now + 5 * SECOND)), Some(7), "{round}");
    }
    assert_eq!(feed.decoder.stats().fragments_evicted, 0);
}

#[test]
fn missing_fragments_are_waited_for_by_packet_time() {
    let datagram = header4().udp(&Udp::new(1, 2, &[9; 8]));
    let pieces = cut4(&datagram, 8);
    for (after, completes) in [(30 * SECOND, true), (30 * SECOND + 1, false)] {
        let mut feed = Feed::new();
        assert_eq!(feed.push(&pieces[0], 0), Err(Undecoded::Fragment));
        assert_eq!(feed.push(&pieces[1], after).is_ok(), completes);
        assert_eq!(feed.decoder.stats().fragments_expired, u64::from(!completes));
    }
}

#[test]
fn time_that_passes_without_fragments_frees_what_is_held() {
    let mut feed = Feed::new();
    assert_eq!(feed.push(&piece4(0, true, &[1; 8]), 0), Err(Undecoded::Fragment));
    feed.decoder.on_time(Timestamp::from_nanos(START + 31 * SECOND));
    assert_eq!(feed.decoder.stats().fragments_expired, 1);
}

#[test]
fn bytes_of_fragments_that_time_ended_are_given_back() {
    let mut feed = Feed::with(DecodeLimits::default().with_max_fragment_bytes(100));
    for round in 0..3 {
        assert_eq!(feed.push(&piece4(0, true, &[1; 80]), round * 40 * SECOND), Err(Undecoded::Fragment));
        feed.decoder.on_time(Timestamp::from_nanos(START + (round * 40 + 31) * SECOND));
    }
    let stats = feed.decoder.stats();
    assert_eq!(
        (stats.fragments_expired, stats.fragments_evicted),
        (3, 0),
        "20 bytes of header and 80 at a time"
    );
}

#[test]
fn time_that_jumps_back_far_leaves_no_fragment_waiting_for_ever() {
    let mut feed = Feed::new();
    let pieces = cut4(&header4().udp(&Udp::new(1, 2, &[9; 8])), 8);
    assert_eq!(feed.push(&pieces[0], 10_000 * SECOND), Err(Undecoded::Fragment));
    assert_eq!(feed.push(&pieces[1], 0), Err(Undecoded::Fragment), "the other one is of another time");
    assert_eq!(feed.decoder.stats().fragments_expired, 1);
    assert!(feed.push(&pieces[0], SECOND).is_ok());
}

#[test]
fn fragments_of_a_tunnel_and_within_it_and_both_at_once_are_put_together() {
    let inner = header4().ttl(33).tcp(&segment(200));
    let outer = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]).identification(500);
    let gre = |datagram: &[u8]| Gre::default().ip(&outer, datagram);
    let of_inner = cut4(&inner, 96);
    assert_eq!(of_inner.len(), 3);

    let within: Vec<_> = of_inner.iter().map(|piece| gre(piece)).collect();
    let around = cut4(&gre(&inner), 96);
    let both: Vec<_> = of_inner
        .iter()
        .zip(1..)
        .flat_map(|(piece, identification)| {
            let outer = outer.clone().identification(identification);
            cut4(&Gre::default().ip(&outer, piece), 48)
        })
        .collect();
    for pieces in [within, around, both] {
        let (last, first) = pieces.split_last().unwrap();
        let mut feed = Feed::new();
        for piece in first {
            assert_eq!(feed.push(piece, 0), Err(Undecoded::Fragment));
        }
        let packet = feed.packet(last, 0).expect("complete");
        assert_eq!(packet.ipv4().unwrap().ttl(), 33);
        assert_eq!(packet.tcp().unwrap().payload(), Rng::new(5).bytes(200));
        assert_eq!(format!("{:?}", packet.layout().path()), r#"["gre"]"#);
        let stats = feed.decoder.stats();
        assert_eq!(stats.decoded, 1);
    }
}

#[test]
fn fragment_headers_within_fragments_cost_no_more_turns_than_tunnels() {
    // Each held piece is the fragment header of the next, so that one last fragment would complete them all, and copy
    // its bytes for each.
    const NESTED: u32 = 100;
    let mut feed = Feed::new();
    for identification in 0..NESTED {
        let mut next = vec![protocol::FRAGMENT, 0, 0, 8];
        next.extend((identification + 1).to_be_bytes());
        let piece = piece6(identification, 0, true, protocol::FRAGMENT, &next);
        assert_eq!(feed.push(&piece, 0), Err(Undecoded::Fragment));
    }
    let last = piece6(0, 8, false, protocol::FRAGMENT, &[1; 8_000]);
    let (answer, allocations) = alloc::measure(|| feed.push(&last, 0));
    assert_eq!(answer, Err(Undecoded::TooDeep));
    assert!(allocations.total_bytes < 200_000, "{allocations:?}");
}

#[test]
fn equal_identifications_in_other_networks_do_not_mix() {
    let datagram = header4().tcp(&segment(100));
    let pieces = cut4(&datagram, 80);
    let mut feed = Feed::ethernet();
    let tagged = |id, piece: &[u8]| link::vlan(&[Tag::vlan(id)], piece);
    assert_eq!(feed.push(&tagged(1, &pieces[0]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.push(&tagged(2, &pieces[1]), 0), Err(Undecoded::Fragment));
    assert_eq!(feed.push(&link::ethernet(&pieces[1]), 0), Err(Undecoded::Fragment));
    let last = tagged(1, &pieces[1]);
    let packet = feed.packet(&last, 0).expect("complete");
    assert_eq!(packet.layout().vlan(), Some(1));
    assert_ne!(packet.layout().domain(), 0);
    // The other two still wait.
    assert!(feed.push(&tagged(2, &pieces[0]), 0).is_ok());
    assert!(feed.push(&link::ethernet(&pieces[0]), 0).is_ok());
}

#[test]
fn datagrams_are_told_apart_by_protocol_on_ipv4_and_not_on_ipv6() {
    let mut feed = Feed::new();
    let datagram = header4().udp(&Udp::new(1, 2, &[9; 8]));
    let mut pieces = cut4(&datagram, 8);
    assert_eq!(feed.push(&pieces[0], 0), Err(Undecoded::Fragment));
    pieces[1][9] = protocol::TCP;
    assert_eq!(feed.push(&pieces[1], 0), Err(Undecoded::Fragment));
    // RFC 8200 §4.5: the next header of the first fragment is the one that counts.
    let udp = header6().udp(&Udp::new(1, 2, &[9; 8]));
    let mut pieces = cut6(&udp, 8, 1);
    assert_eq!(feed.push(&pieces[0], 0), Err(Undecoded::Fragment));
    pieces[1][40] = protocol::TCP;
    assert_eq!(feed.push(&pieces[1], 0), Ok(udp));
}

#[test]
fn a_fragment_that_the_capture_cut_is_not_taken() {
    let piece = piece4(0, true, &[1; 64]);
    let mut decoder = Decoder::default();
    for len in 20..piece.len() {
        let frame = Frame { bytes: &piece[..len], ..Frame::new(&piece, LinkType::RAW) };
        assert_eq!(decoder.decode(&frame).err(), Some(Undecoded::Cut), "{len}");
    }
    assert_eq!(Packet::decode(&Frame::new(&piece, LinkType::RAW)).err(), Some(Undecoded::Fragment));
}

#[test]
fn padding_behind_a_fragment_is_none_of_its_bytes() {
    let datagram = header4().udp(&Udp::new(1, 2, b"12345"));
    let mut feed = Feed::ethernet();
    let frames: Vec<_> = cut4(&datagram, 8)
        .iter()
        .map(|piece| {
            let mut frame = link::ethernet(piece);
            frame.resize(60, 0xee);
            frame
        })
        .collect();
    assert_eq!(feed.push_all(&frames).map(without_checksum), Ok(without_checksum(datagram)));
}

#[test]
fn the_largest_number_of_fragments_costs_the_same_for_each() {
    // Every possible fragment of a datagram, last one first: the worst case for a list in order.
    let allocated = |count: u16| {
        let limits = DecodeLimits::default().with_max_fragmented(1);
        let mut decoder = Decoder::with_limits(limits);
        let ((), allocations) = alloc::measure(|| {
            for at in 0..count {
                let mut frame = [0; 28];
                frame[..20].copy_from_slice(&piece4(0, true, &[1; 8])[..20]);
                frame[4..6].copy_from_slice(&(at / 8_000).to_be_bytes());
                frame[6..8].copy_from_slice(&(0x2000 | (8_000 - at % 8_000)).to_be_bytes());
                let frame =
                    Frame { captured_at: Timestamp::from_nanos(START), ..Frame::new(&frame, LinkType::RAW) };
                assert_eq!(decoder.decode(&frame).err(), Some(Undecoded::Fragment));
            }
        });
        allocations.total_bytes
    };
    let (few, many) = (allocated(4_000), allocated(64_000));
    assert!(many < 17 * few, "{few} bytes for 4,000 and {many} for 64,000");
}

#[test]
fn limits_of_zero_hold_nothing_and_break_nothing() {
    let zero = DecodeLimits::default()
        .with_max_fragmented(0)
        .with_max_fragments(0)
        .with_max_fragment_bytes(0)
        .with_max_fragment_age(Duration::ZERO);
    let mut feed = Feed::with(zero);
    for piece in cut4(&header4().udp(&Udp::new(1, 2, &[9; 64])), 8) {
        assert_eq!(feed.push(&piece, 0), Err(Undecoded::Fragment));
    }
    assert_eq!(feed.decoder.stats().fragments_evicted, 9);
}
