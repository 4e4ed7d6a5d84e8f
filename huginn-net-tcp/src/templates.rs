//! Observations that are remembered, as most packets look like one that was seen before.

use core::{array, mem};

use huginn_net_core::{IpHeader, IpVersion, Ipv4Header, Ipv6Header, Origin, Packet, TcpHeader, TcpSegment};

use crate::common::{OptionWords, is_common};
use crate::observation::PackedOffer;
use crate::observe::{has_payload, words};
use crate::seen::Ticks;
use crate::{IpIdClass, PortClass, Seen, SynOffer, TcpObservation, TcpOptions, Timestamps};

/// The observations made last.
///
/// To make an observation takes several times as long as to find one that was made already. Which of them are kept
/// has no influence on what is observed.
pub(crate) struct Templates<M> {
    /// Each key has one set, of the two templates that were made last for it: with one, two stacks whose keys share a
    /// place would push each other out with every packet.
    kept: Box<[[Template<M>; 2]; Key::PLACES]>,
    /// The same of segments whose layout of options is not a common one, once there is one.
    others: Vec<[Other<M>; 2]>,
}

/// What the observations of segments have in common whose options, of any layout, say the same.
struct Other<M> {
    /// But for the values of timestamps.
    options: TcpOptions,
    template: Template<M>,
}

/// What the observations of segments with one key have in common.
pub(crate) struct Template<M> {
    key: Key,
    /// What it offers if it is a SYN.
    pub(crate) offer: PackedOffer,
    /// 0 when there is none.
    pub(crate) mss: u16,
    /// Whether there may be bytes behind the header.
    pub(crate) may_have_payload: bool,
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

    /// Whether something of it is as in hardly any other; `is_answer` says that it is a SYN+ACK.
    #[inline(always)]
    fn is_odd(&self, options: &OptionWords, is_answer: bool) -> bool {
        // Of a word that is read with the first byte as the lowest.
        const URGENT_POINTER: u32 = 0xffff_0000;
        let layout = self.packet.layout();
        let [_, sequence, acknowledgment, _, end] = words(self.tcp.bytes());
        let urgent_pointer = end & URGENT_POINTER;
        let has_odd_numbers = if is_answer {
            // The clock of the other end makes no difference.
            acknowledgment == 0 || urgent_pointer != 0
        } else {
            acknowledgment | options.ticks.peer() | urgent_pointer != 0
        };
        has_odd_numbers
            || sequence == 0
            || self.seq_is_destination()
            || options.is_stopped
            || layout.payload_len() != 0
            || layout.is_cut_or_has_zero_length()
    }

    /// Whether the sequence number is the destination address. IPv4 only.
    #[inline(always)]
    fn seq_is_destination(&self) -> bool {
        let IpHeader::V4(ip) = &self.ip else { return false };
        let [.., destination] = words::<5, 20>(ip.bytes());
        let [_, sequence, ..] = words::<5, 20>(self.tcp.bytes());
        sequence == destination
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

/// All that goes into an observation of a common layout, but for what a [`Seen`](crate::Seen) takes from each packet; of other
/// layouts the options go into it, too.
#[derive(Clone, Copy)]
struct Key {
    /// The TCP header from its length on, with facts about the rest of the segment in the place of the checksum.
    tcp: u64,
    /// Begin and flags of an IPv4 header, with facts about the identification in the place of length and identification;
    /// begin of an IPv6 header, with a fact about the flow label in the place of it. With the length of the IP options.
    ip: u64,
    /// The options but for the values of timestamps, or what [stands for](OptionWords::standing_for) those of other layouts.
    options: [u64; 2],
    /// The SYN that is answered.
    syn: SeenSyn,
}

#[inline]
const fn bit(fact: bool, at: u32) -> u64 {
    (fact as u64) << at
}

impl Key {
    /// That of no segment, as each has a length.
    const NONE: Self = Self { tcp: 0, ip: 0, options: [0; 2], syn: SeenSyn::NONE };
    const PLACES: usize = 128;
    /// Where it says that there are facts of the unusual.
    const ODD_AT: u32 = 32;

    /// Of a SYN, or of a SYN+ACK with what it is read against; without facts of the unusual.
    #[inline(always)]
    fn usual(
        Received { packet, ip, tcp: header }: &Received<'_, '_>,
        options: &OptionWords,
        answered: Option<SeenSyn>,
    ) -> Self {
        // Of words that are read with the first byte as the lowest: of IPv4 and of IPv6.
        const VERSION_AND_CLASS: u32 = 0xffff;
        const FLAGS: u32 = 0xffff_0000;
        const FLOW_LABEL: u32 = 0xffff_0f00;

        // As words: of bytes that are told apart the compiler reads each by itself.
        let [_, _, _, begin, _] = words(header.bytes());
        let ip = match ip {
            IpHeader::V4(ip) => {
                let [first, middle, ..] = words::<5, 20>(ip.bytes());
                u64::from(first & VERSION_AND_CLASS)
                    | u64::from(middle & FLAGS) << 32
                    | (IpIdClass::of(ip, header) as u64) << 16
            }
            IpHeader::V6(ip) => {
                let [first, ..] = words::<10, 40>(ip.bytes());
                u64::from(first & !FLOW_LABEL) | bit(first & FLOW_LABEL != 0, 16)
            }
        };
        Self {
            tcp: u64::from(begin),
            ip: ip | u64::from(packet.layout().ip_options_len()) << 24,
            options: options.fixed,
            syn: answered.unwrap_or(SeenSyn::NONE),
        }
    }

    /// The same with them.
    fn of(received: &Received<'_, '_>, options: &OptionWords, answered: Option<SeenSyn>) -> Self {
        let usual = Self::usual(received, options, answered);
        let is_odd = received.is_odd(options, answered.is_some());
        let facts = if is_odd { Self::odd_facts(received, options.ticks) } else { 0 };
        Self { tcp: usual.tcp | facts, ..usual }
    }

    /// Facts for the place of checksum and urgent pointer, of a segment that has one that hardly any has.
    fn odd_facts(received: &Received<'_, '_>, ticks: Ticks) -> u64 {
        let packet = received.packet;
        let Some(segment) = &packet.tcp() else { return 0 };
        let layout = packet.layout();
        bit(true, Self::ODD_AT)
            | bit(segment.sequence() == 0, 33)
            | bit(segment.acknowledgment() != 0, 34)
            | bit(segment.urgent_pointer() != 0, 35)
            | bit(received.seq_is_destination(), 36)
            | bit(ticks.own() == 0, 37)
            | bit(ticks.peer() != 0, 38)
            | bit(has_payload(packet, segment), 39)
            | bit(layout.is_cut(), 40)
            | bit(layout.has_zero_length(), 41)
    }

    /// Whether it has facts of the unusual. Without, all that was sent is there, and ends with the header.
    #[inline]
    const fn is_odd(&self) -> bool {
        self.tcp >> Self::ODD_AT != 0
    }

    /// Equality without a branch for each part.
    #[inline]
    const fn is(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.options, other.options);
        (self.tcp ^ other.tcp) | (self.ip ^ other.ip) | (a ^ c) | (b ^ d) | (self.syn.0 ^ other.syn.0) == 0
    }

    /// Where it is kept.
    #[inline]
    const fn place(&self) -> usize {
        // A sender who makes packets that share a place makes them as dear as those of other layouts, and no dearer.
        let [first, others] = self.options;
        let a = self.tcp ^ 0x9e37_79b9_7f4a_7c15 ^ others.rotate_left(40);
        let b = self.ip ^ first.rotate_left(20) ^ self.syn.0;
        // The middle of a product depends on the most bits of both factors.
        let [_, _, _, _, _, _, _, place, ..] = (a as u128 * b as u128).to_le_bytes();
        place as usize % Self::PLACES
    }
}

impl<M: Default> Templates<M> {
    /// Nothing remembered.
    pub(crate) fn new() -> Self {
        let kept = Box::new(array::from_fn(|_| array::from_fn(|_| Template::none())));
        Self { kept, others: Vec::new() }
    }

    /// Observes a SYN.
    #[inline(always)]
    pub(crate) fn observe_syn(
        &mut self,
        &Received { packet, ip, tcp }: &Received<'_, '_>,
    ) -> (&mut Template<M>, Ticks) {
        match ip {
            IpHeader::V4(ip) => self.observe_syn_v4(packet, ip, tcp),
            IpHeader::V6(ip) => self.observe_syn_v6(packet, ip, tcp),
        }
    }

    // Not inlined, as more would live at once than there are registers for, and given in registers what it takes.
    #[inline(never)]
    fn observe_syn_v4<'a>(
        &mut self,
        packet: &Packet<'a>,
        ip: Ipv4Header<'a>,
        tcp: TcpHeader<'a>,
    ) -> (&mut Template<M>, Ticks) {
        self.observe(&Received { packet, ip: IpHeader::V4(ip), tcp }, None)
    }

    #[inline(never)]
    fn observe_syn_v6<'a>(
        &mut self,
        packet: &Packet<'a>,
        ip: Ipv6Header<'a>,
        tcp: TcpHeader<'a>,
    ) -> (&mut Template<M>, Ticks) {
        self.observe(&Received { packet, ip: IpHeader::V6(ip), tcp }, None)
    }

    /// Observes a SYN+ACK; `syn` is what is known of the SYN that it answers.
    #[inline(always)]
    pub(crate) fn observe_syn_ack(
        &mut self,
        &Received { packet, ip, tcp }: &Received<'_, '_>,
        syn: SeenSyn,
    ) -> (&mut Template<M>, Ticks) {
        self.observe_answer(packet, ip, tcp, syn)
    }

    #[inline(never)]
    fn observe_answer<'a>(
        &mut self,
        packet: &Packet<'a>,
        ip: IpHeader<'a>,
        tcp: TcpHeader<'a>,
        syn: SeenSyn,
    ) -> (&mut Template<M>, Ticks) {
        self.observe(&Received { packet, ip, tcp }, Some(syn))
    }

    /// Observes a SYN, or a SYN+ACK with what is known of the SYN that it answers.
    #[inline(always)]
    fn observe(
        &mut self,
        received: &Received<'_, '_>,
        answered: Option<SeenSyn>,
    ) -> (&mut Template<M>, Ticks) {
        let packet = received.packet;
        let Some(options) = packet.tcp_options().and_then(OptionWords::of) else {
            return self.observe_other(packet, answered);
        };
        if received.is_odd(&options, answered.is_some()) {
            return self.observe_odd(packet, answered);
        }
        let key = Key::usual(received, &options, answered);
        self.observe_like(&key, options.ticks, packet, answered)
    }

    /// Observes a segment with facts of the unusual. Reads the packet again, as [`learn`](Self::learn) does.
    #[inline(never)]
    fn observe_odd(&mut self, packet: &Packet<'_>, answered: Option<SeenSyn>) -> (&mut Template<M>, Ticks) {
        let options = packet.tcp_options().and_then(OptionWords::of);
        let Some((received, options)) = Received::of(packet).zip(options) else {
            return self.observe_other(packet, answered);
        };
        let key = Key::of(&received, &options, answered);
        self.observe_like(&key, options.ticks, packet, answered)
    }

    /// The template of a key, which is that of the packet.
    #[inline(always)]
    fn observe_like(
        &mut self,
        key: &Key,
        ticks: Ticks,
        packet: &Packet<'_>,
        answered: Option<SeenSyn>,
    ) -> (&mut Template<M>, Ticks) {
        let [newer, older] = self.set(key);
        let is_older = !newer.key.is(key);
        if is_older && !older.key.is(key) {
            return self.learn(packet, answered);
        }
        let [newer, older] = self.set(key);
        (if is_older { older } else { newer }, ticks)
    }

    /// Remembers an observation that no template is like, if its layout is a common one. Reads the packet again, so that nothing
    /// is kept in memory for it where there is one.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, packet: &Packet<'_>, answered: Option<SeenSyn>) -> (&mut Template<M>, Ticks) {
        let Some((received, segment)) = &Received::of(packet).zip(packet.tcp()) else {
            return self.observe_other(packet, answered);
        };
        let words = OptionWords::of(segment.options()).filter(|_| is_common(segment.options()));
        let Some(words) = words else { return self.observe_other(packet, answered) };
        let key = Key::of(received, &words, answered);
        let [newer, older] = self.set(&key);
        mem::swap(newer, older);
        newer.renew(key, packet, segment, &TcpOptions::parse(segment.options()));
        (newer, words.ticks)
    }

    /// Observes a segment whose layout of options is not a common one. Its options are read to know whether others are like it.
    #[inline(never)]
    fn observe_other(&mut self, packet: &Packet<'_>, answered: Option<SeenSyn>) -> (&mut Template<M>, Ticks) {
        let parsed = TcpOptions::parse(packet.tcp_options().unwrap_or_default());
        let (ticks, words) = (Ticks::of(parsed.timestamps), OptionWords::standing_for(&parsed));
        let key = Received::of(packet).map_or(Key::NONE, |received| Key::of(&received, &words, answered));
        let options = TcpOptions { timestamps: parsed.timestamps.map(|_| Timestamps::default()), ..parsed };
        let [newer, older] = self.set_of_others(&key);
        // None is like one whose headers were not found.
        let is_known = !key.is(&Key::NONE);
        let is = |other: &Other<M>| is_known && other.template.key.is(&key) && other.options == options;
        let is_older = !is(newer) && is(older);
        if !is_older && !is(newer) {
            mem::swap(newer, older);
            newer.options = options;
            if let Some(segment) = &packet.tcp() {
                newer.template.renew(key, packet, segment, &parsed);
            }
        }
        (&mut if is_older { older } else { newer }.template, ticks)
    }

    #[expect(clippy::indexing_slicing, reason = "a place is less than the number of places")]
    fn set_of_others(&mut self, key: &Key) -> &mut [Other<M>; 2] {
        const PLACES: usize = 32;
        if self.others.is_empty() {
            self.others.resize_with(PLACES, || array::from_fn(|_| Other::none()));
        }
        &mut self.others[key.place() % PLACES]
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
        Self {
            key: Key::NONE,
            offer: PackedOffer::default(),
            mss: 0,
            may_have_payload: true,
            observation,
            memo: M::default(),
        }
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
    fn renew(&mut self, key: Key, packet: &Packet<'_>, segment: &TcpSegment<'_>, options: &TcpOptions) {
        let syn = key.syn;
        self.key = key;
        self.may_have_payload = key.is_odd();
        self.offer = SynOffer::of(segment.flags(), options).pack();
        self.mss = options.mss.unwrap_or(0);
        self.observation = TcpObservation {
            syn_offer: syn.offer(),
            ..TcpObservation::with_options(packet, segment, options, syn.mss())
        };
        self.memo = M::default();
    }
}

impl<M: Default> Other<M> {
    /// Of no segment.
    fn none() -> Self {
        Self { options: TcpOptions::default(), template: Template::none() }
    }
}

#[cfg(test)]
mod tests;
