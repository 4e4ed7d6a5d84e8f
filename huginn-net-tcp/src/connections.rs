//! Connections from their SYN on.

use huginn_net_core::{
    Direction, EncapsulationPath, Expiring, ExpiringLimits, FlowFilter, FlowTag, NetworkTag, Origin, Packet,
    TagHash, TcpFlags, TcpSegment, Timestamp, UnwantedBytes,
};

use crate::clock::{ConnectionClock, Rate};
use crate::observation::PackedOffer;
use crate::sources::PendingSources;
use crate::{TcpOptions, TcpSettings, Uptime, UptimeState};

/// The connections that are held, within limits.
pub(crate) struct Connections {
    pub(crate) flows: Expiring<FlowTag, Connection, TagHash>,
    pub(crate) gates: Gates,
    /// Connections that were not held, as their source had too many.
    pub(crate) refused: u64,
}

/// What is asked before the table of connections, and has to hear of each that is held no longer.
pub(crate) struct Gates {
    /// Has the connections of which more packets are wanted.
    pub(crate) filter: FlowFilter,
    /// Has the ends of which no packets are wanted for a while, as their clocks have just had some.
    unwanted: UnwantedBytes,
    pub(crate) sources: PendingSources,
}

impl Gates {
    fn new(max_pending_per_source: u16) -> Self {
        Self {
            filter: FlowFilter::new(),
            unwanted: UnwantedBytes::new(),
            sources: PendingSources::new(max_pending_per_source),
        }
    }

    /// Whether a later packet of a connection may be wanted; one that ends it always is.
    #[inline]
    pub(crate) fn may_want(
        &self,
        (tag, direction): (FlowTag, Direction),
        flags: TcpFlags,
        now: Timestamp,
    ) -> bool {
        self.filter.may_hold(tag) && (ends(flags) || !self.unwanted.contains_all(tag.of_way(direction), now))
    }

    /// Passes over an end of a connection until a time; `before` is when the connection was touched last, before `now`.
    pub(crate) fn pass_over(
        &mut self,
        (tag, direction): (FlowTag, Direction),
        until: Timestamp,
        (before, now): (Timestamp, Timestamp),
    ) {
        // In each second the first packet of either end has to be heard of, also where time goes back.
        if before.second() != now.second() {
            self.pass_over_neither(tag);
        }
        if until > now {
            self.unwanted.add_all_before(tag.of_way(direction), until, now);
        }
    }

    /// Passes over no end of a connection any longer.
    pub(crate) fn pass_over_neither(&mut self, tag: FlowTag) {
        for direction in [Direction::FromLower, Direction::FromHigher] {
            self.unwanted.remove(tag.of_way(direction));
        }
    }
}

/// Whether a segment ends a connection.
#[inline]
pub(crate) const fn ends(flags: TcpFlags) -> bool {
    flags.intersects(TcpFlags::FIN.union(TcpFlags::RST))
}

impl Connections {
    /// None, and room for as many as the settings say.
    pub(crate) fn new(settings: &TcpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            flows: Expiring::with_hash(limits, TagHash),
            gates: Gates::new(settings.max_pending_per_source),
            refused: 0,
        }
    }

    /// Holds a connection that is not held yet and whose SYN was seen just now, unless too many of its source wait for an
    /// answer. Gives the clocks of one that is given up for it.
    #[inline(always)]
    pub(crate) fn hold_pending(
        &mut self,
        tag: FlowTag,
        source: NetworkTag,
        now: Timestamp,
        make: impl FnOnce() -> Connection,
    ) -> Option<Box<Clocks>> {
        let flows = &self.flows;
        let pending = || flows.iter().map(|(_, connection)| connection.pending_source());
        if self.gates.sources.try_add(source, pending) {
            self.hold(tag, now, make)
        } else {
            self.refused += 1;
            None
        }
    }

    /// Holds a connection that is not held yet. Gives the clocks of one that is given up for it.
    // Inlined so that the connection is made where it is held, and of what is read no sooner.
    #[inline(always)]
    pub(crate) fn hold(
        &mut self,
        tag: FlowTag,
        now: Timestamp,
        make: impl FnOnce() -> Connection,
    ) -> Option<Box<Clocks>> {
        self.gates.filter.add(tag);
        let (tag, displaced) = self.flows.insert_absent_with(tag, now, make)?;
        displaced.conclude(tag, &mut self.gates)
    }

    /// Takes the SYN of a connection sent once more. One that waits for its answer is not idle then, and the clock of its
    /// client begins with this SYN: its time is that of the entry.
    #[cold]
    #[inline(never)]
    pub(crate) fn on_syn_again(&mut self, tag: FlowTag, packet: &Packet<'_>) {
        let timestamps = packet.tcp().and_then(|segment| TcpOptions::timestamps_of(segment.options()));
        let ticks = timestamps.map_or(0, |timestamps| timestamps.own);
        // The same ticks again, of a stack that sends the same bytes or of a frame captured twice, are of the first time; earlier
        // ones of a frame that came late.
        let is_later = |connection: &Connection| match &connection.stage {
            Stage::Pending(asked) => ticks == 0 || ticks.wrapping_sub(asked.ticks).cast_signed() > 0,
            _ => false,
        };
        let touched = self.flows.touch_mut_if(&tag, packet.captured_at(), is_later);
        if let Some((Connection { stage: Stage::Pending(asked), .. }, _)) = touched {
            asked.ticks = ticks;
        }
    }

    /// Holds a connection no longer, and gives its clocks.
    pub(crate) fn remove(&mut self, tag: FlowTag) -> Option<Box<Clocks>> {
        self.flows.remove(&tag)?.conclude(tag, &mut self.gates)
    }

    /// Holds those no longer that are idle.
    pub(crate) fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Uptime)) {
        let gates = &mut self.gates;
        self.flows.expire(now, |tag, connection| {
            if let Some(clocks) = connection.conclude(tag, gates) {
                clocks.on_end(report);
            }
        });
    }

    /// Holds none any longer.
    pub(crate) fn on_end(&mut self, report: &mut dyn FnMut(Uptime)) {
        while let Some((tag, connection)) = self.flows.pop_oldest() {
            if let Some(clocks) = connection.conclude(tag, &mut self.gates) {
                clocks.on_end(report);
            }
        }
    }
}

/// A connection whose SYN or SYN+ACK was seen; small, as most of them never get further while a host is flooded.
pub(crate) struct Connection {
    /// Sequence number of the SYN.
    pub(crate) isn: u32,
    /// The way of the SYN.
    pub(crate) client: Direction,
    /// What the SYN offered; nothing if it was not seen.
    pub(crate) offer: PackedOffer,
    pub(crate) stage: Stage,
}

const _: () = assert!(size_of::<Connection>() <= 32, "a flood of SYNs fills the table with them");

/// How far a connection has got, with what is needed to go on.
pub(crate) enum Stage {
    /// Only the SYN was seen.
    Pending(Asked),
    /// The SYN+ACK was seen without its SYN, which may have been captured after it.
    Unpaired { syn_seen: bool },
    /// Both were seen, one of them at least with a timestamp.
    Answered(FirstTicks),
    /// A later packet was seen.
    Measured(Box<Clocks>),
    /// Nothing more is wanted of it: its packets do not pass the filter.
    Done,
}

/// What is remembered of a SYN.
pub(crate) struct Asked {
    pub(crate) client_network: NetworkTag,
    /// 0 when there was no timestamp.
    pub(crate) ticks: u32,
    /// 0 when there was none.
    pub(crate) mss: u16,
    pub(crate) payload_len: u16,
}

/// The timestamps of SYN and SYN+ACK, 0 for none. The clocks are not made before a later packet: a connection of which
/// none comes has nothing to be measured.
pub(crate) struct FirstTicks {
    pub(crate) syn_at: Timestamp,
    pub(crate) syn: u32,
    pub(crate) syn_ack: u32,
}

impl Connection {
    /// The network that waits for an answer.
    #[inline]
    fn pending_source(&self) -> Option<NetworkTag> {
        match &self.stage {
            Stage::Pending(asked) => Some(asked.client_network),
            _ => None,
        }
    }

    /// Whether nothing more is wanted of it.
    #[inline]
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Whether a SYN of this direction and sequence number is the one that opened the connection.
    #[inline]
    pub(crate) fn is_opened_by(&self, client: Direction, isn: u32) -> bool {
        self.client == client && self.isn == isn
    }

    /// Whether a SYN+ACK of this direction would be the first one.
    #[inline]
    pub(crate) fn waits_for_answer(&self, direction: Direction) -> bool {
        self.client != direction && matches!(self.stage, Stage::Pending(_))
    }

    /// What its SYN was, if a SYN+ACK with this acknowledgment answers it: the SYN alone, or with Fast Open (RFC 7413) together
    /// with all of its data. A part of them, which nobody is known to acknowledge, tells of forged numbers.
    #[inline]
    pub(crate) fn asked(&self, acknowledgment: u32) -> Option<&Asked> {
        let after_syn = acknowledgment.wrapping_sub(self.isn.wrapping_add(1));
        match &self.stage {
            Stage::Pending(asked) => {
                Some(asked).filter(|asked| after_syn == 0 || after_syn == asked.payload_len.into())
            }
            _ => None,
        }
    }

    /// Takes the SYN that opened the connection; says whether it was captured after its answer. Otherwise it is a
    /// retransmission.
    pub(crate) fn on_own_syn(&mut self) -> bool {
        match &mut self.stage {
            Stage::Unpaired { syn_seen } => !core::mem::replace(syn_seen, true),
            _ => false,
        }
    }

    /// Takes a packet after the handshake; `before` is when the connection was touched last: as long as no later packet was seen, by
    /// its SYN+ACK. Says from when on another one of the same end is wanted.
    #[inline]
    pub(crate) fn on_later(
        &mut self,
        direction: Direction,
        before: Timestamp,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(Uptime),
    ) -> Timestamp {
        let from_client = self.client == direction;
        if let Stage::Answered(first) = &self.stage {
            self.stage = Stage::Measured(Box::new(Clocks::starting(first, before, from_client, packet)));
        }
        let Stage::Measured(clocks) = &mut self.stage else { return Timestamp::default() };
        let wanted_from = clocks.on_packet(from_client, packet, segment, report);
        if clocks.is_done() {
            self.stage = Stage::Done;
        }
        wanted_from
    }

    /// Takes it out of what is counted, as it is held no longer, and gives its clocks, of which something may be left to say.
    #[inline(always)]
    fn conclude(self, tag: FlowTag, gates: &mut Gates) -> Option<Box<Clocks>> {
        // First, as most are of a flood where it matters.
        if let Some(source) = self.pending_source() {
            gates.filter.remove(tag);
            gates.sources.remove(source);
            return None;
        }
        if !self.is_done() {
            gates.filter.remove(tag);
        }
        match self.stage {
            Stage::Measured(clocks) => {
                gates.pass_over_neither(tag);
                Some(clocks)
            }
            _ => None,
        }
    }
}

impl FirstTicks {
    /// Whether neither end has a clock.
    #[inline]
    pub(crate) const fn is_none(&self) -> bool {
        self.syn == 0 && self.syn_ack == 0
    }
}

/// The clocks of both ends; `None` where there are no timestamps or nothing more is wanted of them.
///
/// With every packet of a connection the clock of one end is brought into the cache, so that what does not change is kept
/// apart from it.
pub(crate) struct Clocks {
    client: Option<EndClock>,
    server: Option<EndClock>,
    /// Of a packet of the client.
    origin: Origin,
}

struct EndClock {
    clock: ConnectionClock,
    /// What differs between the packets of an end but for the time, which the clock has: of the last one that counted.
    frame: u64,
    path: EncapsulationPath,
    vlan: Option<u16>,
}

const _: () = assert!(size_of::<Option<EndClock>>() <= 96, "a line of cache and a half");

impl EndClock {
    /// `None` if there are no ticks.
    fn starting(ticks: u32, at: Timestamp, packet: &Packet<'_>) -> Option<Self> {
        let clock = ConnectionClock::new(ticks, at);
        (ticks != 0).then(|| Self {
            clock,
            frame: packet.number(),
            path: packet.layout().path(),
            vlan: packet.layout().vlan(),
        })
    }

    /// Takes a packet if it counts.
    #[inline]
    fn push(&mut self, ticks: u32, packet: &Packet<'_>, segment: &TcpSegment<'_>) {
        if self.clock.push(ticks, mark(packet, segment), packet.captured_at()) {
            self.frame = packet.number();
            self.path = packet.layout().path();
            self.vlan = packet.layout().vlan();
        }
    }

    /// Reports a rate, which takes packets that counted; `origin` is that of any packet of this end.
    fn report(&self, rate: Rate, origin: Origin, report: &mut dyn FnMut(Uptime)) {
        let mut origin = origin;
        origin.captured_at = self.clock.last_at();
        (origin.frame, origin.path, origin.vlan) = (self.frame, self.path, self.vlan);
        report(Uptime {
            origin,
            started_at: self.clock.started_at(),
            frequency_hz: rate.frequency,
            frequency_error_hz: rate.error,
            packets: self.clock.packets(),
            ticks: self.clock.ticks(),
            state: UptimeState::SingleConnection,
            several_peers: false,
            measured_together: false,
        });
    }
}

/// What differs between most segments of one end that follow each other, and not between a segment and a copy that another tap or a
/// router made of it.
#[inline]
fn mark(packet: &Packet<'_>, segment: &TcpSegment<'_>) -> u16 {
    // The payload itself may have been left to whoever reads for all.
    let payload_len = packet.layout().payload_len();
    let numbers = segment.sequence() ^ segment.acknowledgment().rotate_left(7) ^ payload_len.rotate_left(3);
    let [a, b, c, d] = numbers.to_be_bytes();
    u16::from_be_bytes([a ^ c, b ^ d])
}

impl Clocks {
    /// Clocks that have seen a SYN and, at `answered_at`, a SYN+ACK, and are about to see the first later packet.
    fn starting(first: &FirstTicks, answered_at: Timestamp, from_client: bool, packet: &Packet<'_>) -> Self {
        let origin = Origin::of(packet);
        Self {
            client: EndClock::starting(first.syn, first.syn_at, packet),
            server: EndClock::starting(first.syn_ack, answered_at, packet),
            origin: if from_client { origin } else { origin.reversed() },
        }
    }

    /// Takes a later packet of one end; reports its clock once it is known well enough. Says from when on another one is wanted.
    fn on_packet(
        &mut self,
        from_client: bool,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(Uptime),
    ) -> Timestamp {
        let slot = if from_client { &mut self.client } else { &mut self.server };
        let Some(end) = slot else { return Timestamp::MAX };
        let timestamps = TcpOptions::timestamps_of(segment.options());
        if let Some(timestamps) = timestamps.filter(|timestamps| timestamps.own != 0) {
            end.push(timestamps.own, packet, segment);
            let rate = end.clock.settled();
            if let Some(rate) = rate {
                end.report(rate, if from_client { self.origin } else { self.origin.reversed() }, report);
            }
            if rate.is_some() || end.clock.is_broken() {
                *slot = None;
                return Timestamp::MAX;
            }
        }
        end.clock.wanted_from(packet.captured_at())
    }

    fn is_done(&self) -> bool {
        self.client.is_none() && self.server.is_none()
    }

    /// Reports what is known although packets are few.
    pub(crate) fn on_end(&self, report: &mut dyn FnMut(Uptime)) {
        for (end, origin) in [(&self.client, self.origin), (&self.server, self.origin.reversed())] {
            if let Some(end) = end
                && let Some(rate) = end.clock.rate()
            {
                end.report(rate, origin, report);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::{Frame, LinkType};
    use testkit::encap::link::{self, Tag};
    use testkit::packet::{IpHeader as _, Ipv4, Tcp, TcpOption, flags};

    use super::*;

    /// What the packets that arrive at 1, 2, … seconds, with so many ticks, bring to be reported of the clock of their sender.
    fn reported(from_client: bool, packets: &[(u32, Vec<Tag>)]) -> Vec<Uptime> {
        let at = |second: usize| Timestamp::from_parts(1_700_000_000 + second as u64, 0);
        let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
        let header = if from_client { Ipv4::new(client, server) } else { Ipv4::new(server, client) };
        let (mut clocks, mut found) = (None, Vec::new());
        for (second, (ticks, tags)) in (1..).zip(packets) {
            let options = [TcpOption::Nop, TcpOption::Nop, TcpOption::Timestamps(*ticks, 1)];
            let bytes =
                link::vlan(tags, &header.tcp(&Tcp::new(40_000, 80).flags(flags::ACK).options(options)));
            let frame = Frame {
                captured_at: at(second),
                number: second as u64,
                ..Frame::new(&bytes, LinkType::ETHERNET)
            };
            let packet = Packet::decode(&frame).expect("a packet");
            let segment = packet.tcp().expect("a segment");
            let first = FirstTicks { syn_at: at(0), syn: 1_000, syn_ack: 1_000 };
            clocks.get_or_insert_with(|| Clocks::starting(&first, at(0), from_client, &packet)).on_packet(
                from_client,
                &packet,
                &segment,
                &mut |uptime| found.push(uptime),
            );
        }
        clocks.expect("packets").on_end(&mut |uptime| found.push(uptime));
        found
    }

    #[test]
    fn a_connection_that_ends_leaves_the_filter_to_others_with_its_place() {
        let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(40_000, 80));
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        let (tag, client) = packet.flow().expect("ports");
        let client_network = packet.source_network().expect("an address");
        let first = FirstTicks { syn_at: Timestamp::default(), syn: 1, syn_ack: 1 };
        for (stage, is_in_filter) in [
            (Stage::Pending(Asked { client_network, ticks: 0, mss: 0, payload_len: 0 }), true),
            (Stage::Answered(first), true),
            (Stage::Done, false),
        ] {
            let mut gates = Gates::new(1);
            assert!(gates.sources.try_add(client_network, core::iter::empty));
            gates.filter.add(tag);
            if is_in_filter {
                gates.filter.add(tag);
            }
            let connection = Connection { isn: 0, client, offer: PackedOffer::default(), stage };
            assert!(connection.conclude(tag, &mut gates).is_none());
            assert!(gates.filter.may_hold(tag), "the other one is still there");
            gates.filter.remove(tag);
            assert!(!gates.filter.may_hold(tag));
        }
    }

    #[test]
    fn one_end_is_passed_over_for_a_while_but_for_what_ends_the_connection() {
        let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(40_000, 80));
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        let (tag, way) = packet.flow().expect("ports");
        let at = |millis: u64| Timestamp::from_nanos(millis * 1_000_000);
        let mut gates = Gates::new(1);
        assert!(!gates.may_want((tag, way), TcpFlags::ACK, at(10)), "it is not held");
        gates.filter.add(tag);
        gates.pass_over((tag, way), at(15), (at(9), at(10)));
        let wants = |gates: &Gates, way, flags, millis| gates.may_want((tag, way), flags, at(millis));
        let found = [9, 10, 14, 15].map(|millis| wants(&gates, way, TcpFlags::ACK, millis));
        assert_eq!(found, [true, false, false, true]);
        assert!(wants(&gates, way.reversed(), TcpFlags::ACK, 10));
        for ending in [TcpFlags::FIN, TcpFlags::RST] {
            assert!(wants(&gates, way, ending.union(TcpFlags::ACK), 10));
        }
        gates.pass_over_neither(tag);
        assert!(wants(&gates, way, TcpFlags::ACK, 10));
    }

    #[test]
    fn an_end_of_which_nothing_more_is_known_is_passed_over() {
        let datagram = |own| {
            let segment = Tcp::new(40_000, 80).flags(flags::ACK).options([TcpOption::Timestamps(own, 1)]);
            Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment)
        };
        let first = FirstTicks { syn_at: Timestamp::default(), syn: 1_000, syn_ack: 0 };
        let wanted_from = |from_client, millis: u64| {
            let (captured_at, bytes) = (Timestamp::from_nanos(millis * 1_000_000), datagram(1_000));
            let frame = Frame { captured_at, ..Frame::new(&bytes, LinkType::RAW) };
            let packet = Packet::decode(&frame).expect("a packet");
            let mut clocks = Clocks::starting(&first, Timestamp::default(), from_client, &packet);
            clocks.on_packet(from_client, &packet, &packet.tcp().expect("a segment"), &mut |_| {})
        };
        assert_eq!(wanted_from(true, 5), Timestamp::from_nanos(5_000_000));
        assert_eq!(wanted_from(false, 5), Timestamp::MAX, "it has no clock");
        assert_eq!(wanted_from(true, 600_001), Timestamp::MAX, "its clock is followed no longer");
    }

    #[test]
    fn a_copy_of_a_segment_is_no_third_point_of_a_line() {
        let of = |ticks: &[u32]| {
            let packets: Vec<_> = ticks.iter().map(|&ticks| (ticks, vec![])).collect();
            reported(true, &packets).iter().map(|uptime| uptime.packets).collect::<Vec<_>>()
        };
        assert_eq!([of(&[2_000, 2_000]), of(&[2_000, 3_000])], [[2], [3]]);
    }

    #[test]
    fn a_clock_is_reported_with_its_sender_and_the_way_of_the_last_packet_that_counted() {
        for (from_client, sender) in [(true, "10.0.0.1"), (false, "10.0.0.2")] {
            // Of two packets at the end, and of three at once, the SYN or its answer counted.
            for packets in
                [vec![(2_000, vec![Tag::vlan(7)])], vec![(2_000, vec![]), (3_000, vec![Tag::vlan(7)])]]
            {
                let found = reported(from_client, &packets);
                let [uptime] = found.as_slice() else { panic!("{found:?}") };
                let origin = uptime.origin;
                assert_eq!(origin.source.ip().to_string(), sender);
                assert_eq!(
                    origin.captured_at,
                    Timestamp::from_parts(1_700_000_000 + packets.len() as u64, 0)
                );
                assert_eq!((origin.frame, origin.vlan), (packets.len() as u64, Some(7)));
                assert!(!origin.path.is_empty());
            }
        }
    }
}
