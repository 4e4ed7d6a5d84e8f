//! Observations that are remembered, as most packets look like one that was seen before.

use core::{array, mem};

use huginn_net_core::{IpHeader, IpVersion, Origin, Packet, TcpHeader, TcpSegment};

use crate::common::CommonOptions;
use crate::observation::PackedOffer;
use crate::observe::has_payload;
use crate::seen::Ticks;
use crate::{IpIdClass, PortClass, Seen, SynOffer, TcpObservation, TcpOptions, Timestamps};

/// The observations made last of segments with a common layout of options.
///
/// To make an observation takes several times as long as to find one that was made already. Which of them are kept
/// has no influence on what is observed.
pub(crate) struct Templates<M> {
    /// Each key has one set, of the two templates that were made last for it: with one, two stacks whose keys share a
    /// place would push each other out with every packet.
    kept: Box<[[Template<M>; 2]; Key::PLACES]>,
    /// The last one of another layout, of which no packet but its own is like.
    other: Template<M>,
}

/// What the observations of segments with one key have in common.
pub(crate) struct Template<M> {
    key: Key,
    /// What it offers if it is a SYN.
    pub(crate) offer: PackedOffer,
    /// 0 when there is none.
    pub(crate) mss: u16,
    /// That of the segment it was made of, of which only what is common counts.
    observation: TcpObservation,
    /// What the maker of events remembers of them.
    memo: M,
}

/// A packet with its headers, each of which is looked for once.
pub(crate) struct Received<'p, 'a> {
    pub(crate) packet: &'p Packet<'a>,
    pub(crate) ip: IpHeader<'a>,
    pub(crate) tcp: TcpHeader<'a>,
}

impl<'p, 'a> Received<'p, 'a> {
    /// A TCP packet, and `None` for others.
    #[inline(always)]
    pub(crate) fn of(packet: &'p Packet<'a>) -> Option<Self> {
        let (ip, tcp) = packet.tcp_headers()?;
        Some(Self { packet, ip, tcp })
    }

    /// Where it was seen.
    #[inline(always)]
    pub(crate) fn origin(&self) -> Origin {
        Origin::of_headers(self.packet, &self.ip, &self.tcp)
    }
}

/// What a SYN+ACK is read against: in one word, of which the lower half is zero, as it is part of a [`Key`]. All of it is zero if
/// the SYN was not seen.
#[derive(Clone, Copy)]
pub(crate) struct SeenSyn(u64);

impl SeenSyn {
    /// There is none.
    pub(crate) const NONE: Self = Self(0);
    const IS_SEEN: u64 = 1 << 63;

    /// What that SYN had, an MSS of 0 for none.
    #[inline]
    pub(crate) fn new(mss: u16, offer: PackedOffer) -> Self {
        Self(Self::IS_SEEN | u64::from(offer.bits()) << 48 | u64::from(mss) << 32)
    }

    fn mss(self) -> Option<u16> {
        let [_, _, high, low, ..] = self.0.to_be_bytes();
        Some(u16::from_be_bytes([high, low])).filter(|&mss| mss != 0)
    }

    fn offer(self) -> Option<SynOffer> {
        let [_, offer, ..] = self.0.to_be_bytes();
        (self.0 & Self::IS_SEEN != 0).then(|| PackedOffer::from_bits(offer).unpack())
    }
}

/// All that goes into an observation of a common layout, but for what a [`Seen`](crate::Seen) takes from each packet.
#[derive(Clone, Copy)]
struct Key {
    /// The TCP header from its length on, with facts about the rest of the segment in the place of the checksum.
    tcp: u64,
    /// Begin and flags of an IPv4 header, with facts about the identification in the place of length and identification;
    /// begin of an IPv6 header, with a fact about the flow label in the place of it.
    ip: u64,
    /// Values of the options, length of the IP options, and of the SYN that is answered, the MSS and what it offered.
    values: u64,
}

/// The words of a header, each with its first byte as the lowest.
#[inline(always)]
fn words<const WORDS: usize, const BYTES: usize>(header: &[u8; BYTES]) -> [u32; WORDS] {
    const { assert!(BYTES == WORDS * 4) };
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(header.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

#[inline]
const fn bit(fact: bool, at: u32) -> u64 {
    (fact as u64) << at
}

impl Key {
    /// That of no segment, as each has a length.
    const NONE: Self = Self { tcp: 0, ip: 0, values: 0 };
    const PLACES: usize = 128;

    #[inline(always)]
    fn of(
        Received { packet, ip, tcp: header }: &Received<'_, '_>,
        options: &CommonOptions,
        syn: SeenSyn,
    ) -> Self {
        // Of words that are read with the first byte as the lowest: of TCP, of IPv4 and of IPv6.
        const ACK: u32 = 0x10 << 8;
        const URGENT_POINTER: u32 = 0xffff_0000;
        const VERSION_AND_CLASS: u32 = 0xffff;
        const FLAGS: u32 = 0xffff_0000;
        const FLOW_LABEL: u32 = 0xffff_0f00;

        let layout = packet.layout();
        // As words: of bytes that are told apart the compiler reads each by itself.
        let [_, _, _, begin, end] = words(header.bytes());
        let (is_answer, acknowledges) = (begin & ACK != 0, header.acknowledgment() != 0);
        let is_odd = (header.sequence() == 0)
            | (acknowledges != is_answer)
            | (options.timestamps.own == 0)
            // Of an answer it makes no difference.
            | (options.timestamps.peer != 0 && !is_answer)
            | (layout.payload_len() != 0)
            | layout.is_cut_or_has_zero_length();
        let facts = if is_odd { Self::odd_facts(packet, options.timestamps) } else { 0 };
        let tcp =
            u64::from(begin) | (options.layout as u64) << 32 | facts | u64::from(end & URGENT_POINTER) << 32;
        let ip = match ip {
            IpHeader::V4(ip) => {
                let [begin, middle, ..] = words::<5, 20>(ip.bytes());
                u64::from(begin & VERSION_AND_CLASS)
                    | u64::from(middle & FLAGS) << 32
                    | (IpIdClass::of(ip, header) as u64) << 16
                    | bit(header.sequence() == ip.destination().to_bits(), 20)
            }
            IpHeader::V6(ip) => {
                let [begin, ..] = words::<10, 40>(ip.bytes());
                u64::from(begin & !FLOW_LABEL) | bit(begin & FLOW_LABEL != 0, 16)
            }
        };
        let values = u64::from(options.mss)
            | u64::from(options.window_scale) << 16
            | u64::from(layout.ip_options_len()) << 24
            | syn.0;
        Self { tcp, ip, values }
    }

    /// Facts for the place of the checksum, of a segment that has one that hardly any has.
    #[inline(never)]
    fn odd_facts(packet: &Packet<'_>, timestamps: Timestamps) -> u64 {
        let Some(segment) = &packet.tcp() else { return 0 };
        let layout = packet.layout();
        bit(segment.sequence() == 0, 36)
            | bit(segment.acknowledgment() != 0, 37)
            | bit(timestamps.own == 0, 38)
            | bit(timestamps.peer != 0, 39)
            | bit(has_payload(packet, segment), 40)
            | bit(layout.is_cut(), 41)
            | bit(layout.has_zero_length(), 42)
            | bit(true, 43)
    }

    /// Equality without a branch for each part.
    #[inline]
    const fn is(&self, other: &Self) -> bool {
        (self.tcp ^ other.tcp) | (self.ip ^ other.ip) | (self.values ^ other.values) == 0
    }

    /// Where it is kept.
    #[inline]
    const fn place(&self) -> usize {
        // A sender who makes packets that share a place makes them as dear as those of other layouts, and no dearer.
        let (a, b) = (self.tcp ^ 0x9e37_79b9_7f4a_7c15, self.ip ^ self.values.rotate_left(20));
        // The middle of a product depends on the most bits of both factors.
        let [_, _, _, _, _, _, _, place, ..] = (a as u128 * b as u128).to_le_bytes();
        place as usize % Self::PLACES
    }
}

impl<M: Default> Templates<M> {
    /// Nothing remembered.
    pub(crate) fn new() -> Self {
        let kept = Box::new(array::from_fn(|_| array::from_fn(|_| Template::none())));
        Self { kept, other: Template::none() }
    }

    /// Observes a SYN or SYN+ACK; `syn` is what is known of the SYN that a SYN+ACK answers.
    // Not inlined, as more would live at once than there are registers for.
    #[inline(never)]
    pub(crate) fn observe(&mut self, received: &Received<'_, '_>, syn: SeenSyn) -> (&mut Template<M>, Ticks) {
        let packet = received.packet;
        let Some(options) = CommonOptions::parse(packet.tcp_options()) else {
            let template = self.observe_other(packet, syn);
            let ticks = Ticks::of(template.observation.timestamps);
            return (template, ticks);
        };
        let key = Key::of(received, &options, syn);
        let ticks = Ticks::of(options.timestamps());
        let [newer, older] = self.set(&key);
        let is_older = !newer.key.is(&key);
        if is_older && !older.key.is(&key) {
            return (self.learn(packet, syn), ticks);
        }
        let [newer, older] = self.set(&key);
        (if is_older { older } else { newer }, ticks)
    }

    /// Remembers an observation that no template is like. Reads the packet again, so that nothing is kept in memory for it where
    /// there is one.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, packet: &Packet<'_>, syn: SeenSyn) -> &mut Template<M> {
        let Some(received) = &Received::of(packet) else { return &mut self.other };
        let Some(segment) = &packet.tcp() else { return &mut self.other };
        let Some(options) = CommonOptions::parse(segment.options()) else { return &mut self.other };
        let key = Key::of(received, &options, syn);
        let [newer, older] = self.set(&key);
        mem::swap(newer, older);
        newer.renew(key, packet, segment, &TcpOptions::of_common(&options), syn);
        newer
    }

    /// Observes a segment whose layout of options is not a common one.
    #[inline(never)]
    fn observe_other(&mut self, packet: &Packet<'_>, syn: SeenSyn) -> &mut Template<M> {
        if let Some(segment) = &packet.tcp() {
            let options = TcpOptions::parse_any(segment.options());
            self.other.renew(Key::NONE, packet, segment, &options, syn);
        }
        &mut self.other
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "a place is less than the number of places")]
    fn set(&mut self, key: &Key) -> &mut [Template<M>; 2] {
        &mut self.kept[key.place()]
    }
}

impl<M: Default> Template<M> {
    /// Of no segment.
    fn none() -> Self {
        let observation = TcpObservation::new(IpVersion::V4, 0, 0);
        Self { key: Key::NONE, offer: PackedOffer::default(), mss: 0, observation, memo: M::default() }
    }

    /// What a segment shows that has these ticks, and what the maker of events remembers.
    #[inline(always)]
    pub(crate) fn seen(&mut self, received: &Received<'_, '_>, ticks: Ticks) -> (Seen<'_>, &mut M) {
        let ttl = match &received.ip {
            IpHeader::V4(ip) => ip.ttl(),
            IpHeader::V6(ip) => ip.hop_limit(),
        };
        let source_port = PortClass::of(received.tcp.source_port());
        (Seen { alike: &self.observation, ttl, ticks, source_port, unpaired: false }, &mut self.memo)
    }

    #[inline(never)]
    fn renew(
        &mut self,
        key: Key,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        options: &TcpOptions,
        syn: SeenSyn,
    ) {
        self.key = key;
        self.offer = SynOffer::of(segment.flags(), options).pack();
        self.mss = options.mss.unwrap_or(0);
        self.observation = TcpObservation {
            syn_offer: syn.offer(),
            ..TcpObservation::with_options(packet, segment, options, syn.mss())
        };
        self.memo = M::default();
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::{Frame, LinkType, TcpFlags};
    use testkit::encap::link;
    use testkit::packet::{Extension, IpHeader as _, Ipv4, Ipv6, Tcp, TcpOption, flags};

    use super::*;
    use crate::TcpFacts;

    /// SYNs and SYN+ACKs of each common layout, of both IP versions, with and without what is odd.
    fn frames() -> Vec<Vec<u8>> {
        use TcpOption::{Eol, Mss, Nop, SackPermitted, Timestamps, WindowScale};
        let layouts = [
            vec![],
            vec![Mss(1_460)],
            vec![Mss(1_460), SackPermitted, Timestamps(7, 0), Nop, WindowScale(7)],
            vec![Mss(1_460), Nop, Nop, SackPermitted, Nop, WindowScale(7)],
            vec![Mss(1_460), Nop, WindowScale(8), Nop, Nop, SackPermitted],
            vec![Mss(1_460), Nop, WindowScale(6), Nop, Nop, Timestamps(7, 9), SackPermitted, Eol, Eol],
            vec![Mss(1_460), Nop, WindowScale(6), SackPermitted, Timestamps(0, 9)],
            vec![Mss(1_460), WindowScale(6)],
        ];
        let v4 = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
        let v6 = Ipv6::new([1; 16], [2; 16]);
        let extended = Ipv6::new([1; 16], [2; 16]).extensions([Extension::HopByHop(vec![1, 4])]);
        let mut frames = Vec::new();
        for options in layouts {
            let syn =
                Tcp::new(50_000, 80).sequence(5).flags(flags::SYN).window(64_240).options(options.clone());
            let answer = Tcp::new(80, 50_000)
                .acknowledgment(6)
                .flags(flags::SYN | flags::ACK)
                .window(28_960)
                .options(options);
            for segment in [syn.clone(), answer, syn.payload(b"data")] {
                frames.extend(
                    [v4.tcp(&segment), v6.tcp(&segment), extended.tcp(&segment)]
                        .map(|ip| link::ethernet(&ip)),
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
                let (template, ticks) = templates.observe(&received, syn);
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
                for value in 0..=u8::MAX {
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
}
