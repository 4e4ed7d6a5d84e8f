//! The connections of a capture.

use huginn_net_core::{
    Direction, Expiring, ExpiringLimits, FlowFilter, FlowLog, FlowTag, Opening, Packet, Segment, SeqNumber,
    TagHash, TcpFlags, TcpHeader, TcpSegment, Timestamp, UnwantedBytes,
};

use super::connection::{Connection, Role, Unread};
use super::ends::{conclude, conclude_waiting, end};
use super::opened::Opened;
use super::reading::{PendingKey, PendingReadings, Reading};
use super::shape;
use super::turn::{Carrier, Context, Turn};
use super::wanted::{WAYS, add, note_unwanted, pass_no_more, pass_quiet, remove};
use crate::settings::HttpSettings;

/// Follows connections from their SYN, or from the begin of a head, through their exchanges.
pub(super) struct Flows {
    /// What SYNs and SYN+ACKs told of those of which no byte was seen, apart from the others: a flood of them takes little
    /// time and memory, and gives up nothing that has shown more. A connection is never in both.
    openings: FlowLog<Opening>,
    connections: Expiring<FlowTag, Connection, TagHash>,
    /// Has the ways of openings, once for each segment, and those of connections of which more packets are wanted.
    filter: FlowFilter,
    unwanted: UnwantedBytes,
}

/// A segment of a flow.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    key: FlowTag,
    direction: Direction,
    /// Who sends such a segment, by its looks.
    sender: Option<Role>,
}

impl Flows {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            openings: FlowLog::new(limits.with_max_entries(settings.max_flows.max(1).saturating_mul(2))),
            connections: Expiring::with_hash(limits, TagHash),
            filter: FlowFilter::new(),
            unwanted: UnwantedBytes::new(),
        }
    }

    /// Connections that were given up for others.
    pub(super) fn evicted(&self) -> u64 {
        self.openings.evicted() + self.connections.stats().evicted
    }

    /// The connections that are followed.
    pub(super) fn held(&self) -> FlowFilter {
        self.filter.clone()
    }

    /// Whose segment this is, one that [`is_wanted`] lets pass. `None` if nothing is wanted of it, which most are told here.
    #[inline(always)]
    pub(super) fn arrival(
        &self,
        (key, direction): (FlowTag, Direction),
        tcp: &TcpHeader<'_>,
        payload: &[u8],
        now: Timestamp,
    ) -> Option<Arrival> {
        let way = key.of_way(direction);
        let begins_or_ends = tcp.flags().intersects(CONTROL);
        let is_held = self.filter.may_hold(way);
        let is_control = begins_or_ends || is_held && tcp.flags().intersects(TcpFlags::FIN);
        let bytes = (SeqNumber(tcp.sequence()), payload.len());
        // Most packets are of bodies.
        if is_held && !is_control && self.unwanted.contains(way, bytes, now) {
            return None;
        }
        let sender = shape::sender(payload);
        let is_unwanted = || !is_held || self.unwanted.contains_all(way, now);
        (is_control || sender.is_some() || !is_unwanted()).then_some(Arrival { key, direction, sender })
    }

    /// Takes a segment if all that it does is to open a connection that is not held, as nearly all SYNs and SYN+ACKs do;
    /// says whether it is.
    #[inline]
    pub(super) fn try_open(&mut self, packet: &Packet<'_>, tcp: &TcpHeader<'_>, arrival: Arrival) -> bool {
        let Arrival { key, direction, .. } = arrival;
        let opening = Opening::of_empty(direction, tcp).filter(|_| packet.payload().is_empty());
        let opening = opening.filter(|_| self.connections.get(&key).is_none());
        opening.is_some_and(|opening| {
            self.open(key, opening, packet.captured_at());
            true
        })
    }

    /// Takes a segment of which something may be wanted.
    pub(super) fn on_segment(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        arrival: Arrival,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        self.on_flags_and_bytes(packet, segment, arrival, readings, context);
        if segment.flags().intersects(TcpFlags::FIN) {
            self.on_fin((arrival.key, arrival.direction), segment, packet.captured_at(), context);
        }
    }

    /// An end has sent all.
    fn on_fin(
        &self,
        (key, direction): PendingKey,
        segment: &TcpSegment<'_>,
        now: Timestamp,
        context: &mut Context<'_>,
    ) {
        // Whether a packet of a quiet way comes this far depends on what shares a place of the filter with it.
        let is_its = |known: &&Connection| known.is_http2 && known.quiet != Some(direction);
        if let Some(connection) = self.connections.get(&key).filter(is_its) {
            note_sent(connection, (key, direction), segment, now, context);
            context.http2.on_fin(&key, direction, now, context.report);
        }
    }

    fn on_flags_and_bytes(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        arrival: Arrival,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let Arrival { key, direction, sender } = arrival;
        let now = packet.captured_at();
        let acknowledgment = segment.flags().intersects(TcpFlags::ACK).then(|| segment.acknowledgment());
        let Some(bytes) = self.on_flags((key, direction), segment, now, readings, context) else { return };
        let seq = bytes.seq;
        let (mut is_passed_over, mut is_of_another, mut is_in_frames) = (false, false, false);
        // Which of the packets of a body get here depends on who shares a place in `unwanted`, but not the first of a second.
        let touched = self.connections.touch_mut_once_a_second_if(&key, now, |known| {
            // Whether a segment of it comes this far depends on what shares a place of the filter with it; what is known of
            // it must not.
            is_passed_over = sender.is_none() && (known.is_done() || known.quiet == Some(direction));
            // The ports are used again and the SYN was not seen.
            is_of_another = sender.is_some() && known.is_far_from(direction, seq);
            is_in_frames = known.is_in_frames();
            !is_passed_over && !is_of_another
        });
        let connection = match touched {
            Some((known, touched_at))
                if sender.is_none()
                    || !known.is_past(direction, seq)
                    || !is_forgotten(touched_at, now, context) =>
            {
                known
            }
            None if is_passed_over => return,
            forgotten => {
                if forgotten.is_some() {
                    self.remove(&key, readings, context);
                } else if is_of_another {
                    // Or it is forged: HTTP/1 is found again by its next head, HTTP/2 is not.
                    if is_in_frames && !self.is_quiet(&key, now, context) {
                        return;
                    }
                    self.remove(&key, readings, context);
                }
                self.begin(arrival, seq, now, readings, context);
                let Some(begun) = self.connections.peek_mut(&key) else { return };
                begun
            }
        };
        if sender.is_some_and(|sender| connection.has_other_roles(direction, sender, seq)) {
            connection.swap_roles();
            self.unwanted.remove(key.of_way(direction.reversed()));
        }
        let role = connection.role(direction);
        if let (Role::Client, Some(number)) = (role, acknowledgment) {
            connection.on_acknowledgment(seq, SeqNumber(number));
        }
        // Whether a packet of a body comes this far depends on what shares a place of `unwanted` with it.
        if role == Role::Server && connection.server_side.awaits_frame() {
            note_sent(connection, (key, direction), segment, now, context);
        }
        let (key_of_side, carrier) = ((key, direction), Carrier::Packet(packet));
        let mut turn =
            Turn { connection: &mut *connection, role, key: key_of_side, carrier, is_refused: false };
        turn.on_segment(bytes, readings, context);
        let is_refused = turn.is_refused;
        if is_refused {
            return self.remove(&key, readings, context);
        }
        if connection.is_done() {
            pass_no_more(&mut self.filter, key, connection);
            end(&key, Some(now), readings, context);
            return;
        }
        // What lets packets pass again has to be one that the reader of a pool knows to begin something.
        if connection.quiet.is_none() || sender.is_some() {
            pass_quiet(&mut self.filter, key, connection);
        }
        note_unwanted(&mut self.unwanted, key.of_way(direction), connection.side(role), now);
    }

    /// Takes what waited for too long in a direction.
    pub(super) fn on_late(
        &mut self,
        key: PendingKey,
        mut reading: Box<Reading>,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let (flow, direction) = key;
        let Some(connection) = self.connections.peek_mut(&flow) else { return };
        conclude(connection, key, &mut reading, Some(now), context);
        if connection.is_done() {
            pass_no_more(&mut self.filter, flow, connection);
            end(&flow, Some(now), readings, context);
            return;
        }
        if connection.quiet.is_none() {
            pass_quiet(&mut self.filter, flow, connection);
        }
        note_unwanted(&mut self.unwanted, flow.of_way(direction), connection.side_of(direction), now);
    }

    /// Takes what waits at the end.
    pub(super) fn on_end(&mut self, readings: &mut PendingReadings, context: &mut Context<'_>) {
        while let Some((key, mut reading)) = readings.pop() {
            if let Some(connection) = self.connections.peek_mut(&key.0) {
                context.counts.lost += u64::from(reading.has_head());
                conclude(connection, key, &mut reading, None, context);
            }
        }
    }

    /// Takes what the flags of a segment say of its connection, and gives its bytes, if it has any.
    #[inline]
    fn on_flags<'s>(
        &mut self,
        (key, direction): PendingKey,
        segment: &TcpSegment<'s>,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) -> Option<Segment<'s>> {
        let (flags, payload) = (segment.flags(), segment.payload());
        let mut seq = SeqNumber(segment.sequence());
        if flags.intersects(TcpFlags::RST) {
            self.on_reset((key, direction), segment, now, readings, context);
            return None;
        }
        if flags.is_syn() {
            self.on_syn((key, direction), seq, !payload.is_empty(), now, readings, context);
            // Data on a SYN follows its number (RFC 7413).
            seq += 1;
        } else if flags.is_syn_ack() {
            self.on_syn_ack((key, direction), segment, now, readings, context);
            seq += 1;
        } else if flags.intersects(TcpFlags::SYN) {
            return None;
        }
        (!payload.is_empty()).then_some(Segment { seq, payload })
    }

    /// A SYN opens a connection, whatever was known of these ports, unless it is sent again.
    fn on_syn(
        &mut self,
        (key, client): PendingKey,
        seq: SeqNumber,
        has_data: bool,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        if let Some((known, touched_at)) = self.connections.touch_mut(&key, now) {
            let is_new = known.may_be_opened_again() || is_forgotten(touched_at, now, context);
            if known.opened.syn() == Some(seq) && !is_new {
                return known.opened.on_syn_again();
            }
            if known.opened == Opened::Unseen && !is_new && known.begins_behind(client, seq) {
                known.opened = Opened::Syn(seq);
                return;
            }
            self.remove(&key, readings, context);
        }
        self.open(key, Opening::of_syn(client, seq, has_data), now);
    }

    /// Tells where the bytes of the server begin, and those of the client if its SYN was not seen.
    fn on_syn_ack(
        &mut self,
        (key, server): PendingKey,
        segment: &TcpSegment<'_>,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let (client_next, seq) = (SeqNumber(segment.acknowledgment()), SeqNumber(segment.sequence()));
        if let Some((known, touched_at)) = self.connections.touch_mut(&key, now) {
            let is_new = known.is_answered(server) && is_forgotten(touched_at, now, context);
            let of_another = known.opened.on_answer(client_next, seq);
            // The ends may have turned out to have the other roles in HTTP.
            let client = known.side_of(server.reversed());
            if of_another.is_none() && !client.is_far_from(client_next) && !is_new {
                if known.may_begin_late(server, client_next) {
                    known.side_of(server).begin_at(seq + 1);
                    pass_quiet(&mut self.filter, key, known);
                    self.want(key);
                }
                return;
            }
            self.remove(&key, readings, context);
            if let Some(syn) = of_another {
                self.open(key, Opening::of_syn(server.reversed(), syn, false), now);
            }
        }
        self.open(key, Opening::of_syn_ack(server, client_next, seq), now);
    }

    /// Writes down what a segment tells of the begin of a connection that is not held.
    #[inline]
    fn open(&mut self, key: FlowTag, opening: Opening, now: Timestamp) {
        add(&mut self.filter, key);
        self.want(key);
        if let Some(displaced) = self.openings.push(key, opening, now) {
            remove(&mut self.filter, displaced);
        }
    }

    /// Holds a connection that is not held, now that bytes of it come: what was opened, or one that begins with a head.
    fn begin(
        &mut self,
        arrival: Arrival,
        seq: SeqNumber,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let Arrival { key, direction, sender } = arrival;
        let filter = &mut self.filter;
        let opening = self.openings.take(key, |key| remove(filter, key));
        let is_in_filter = opening.is_some();
        let is_its = |opened: &Connection| sender.is_none() || !opened.is_far_from(direction, seq);
        let connection = match (opening.as_ref().map(Connection::opened).filter(is_its), sender) {
            (Some(opened), _) => opened,
            (None, Some(sender)) => {
                if !is_in_filter {
                    add(&mut self.filter, key);
                }
                self.want(key);
                Connection::new(if sender == Role::Server { direction.reversed() } else { direction })
            }
            (None, None) => return,
        };
        if let Some((key, mut displaced)) = self.connections.insert_absent(key, connection, now) {
            conclude_waiting(&mut displaced, key, Some(now), readings, context);
            pass_no_more(&mut self.filter, key, &mut displaced);
            end(&key, Some(now), readings, context);
        }
    }

    /// Forgets a connection, but for one of which something was reported: its segments may still be sent again, and what the other
    /// end sent before the reset reached it may be captured behind that.
    fn on_reset(
        &mut self,
        (key, direction): PendingKey,
        segment: &TcpSegment<'_>,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let seq = SeqNumber(segment.sequence());
        match self.connections.touch_mut(&key, now) {
            // The receiver does not take it (RFC 9293 §3.10.7.4).
            Some((connection, _)) if connection.is_far_from(direction, seq) => {}
            Some((connection, _)) => {
                conclude_waiting(connection, key, Some(now), readings, context);
                note_sent(connection, (key, direction), segment, now, context);
                if !connection.exchanges.have_begun() {
                    return self.remove(&key, readings, context);
                }
                connection.on_reset(direction);
                if connection.is_done() {
                    pass_no_more(&mut self.filter, key, connection);
                    end(&key, None, readings, context);
                } else {
                    context.http2.on_reset(&key, now, context.report);
                }
            }
            None => {
                let filter = &mut self.filter;
                let is_ended = |known: &Opening| known.is_ended_by(direction, segment);
                if self.openings.take_if(key, is_ended, |key| remove(filter, key)).is_some() {
                    remove(filter, key);
                }
            }
        }
    }

    /// Whether nothing was seen of a connection for as long as the next packet of a head may take.
    fn is_quiet(&self, key: &FlowTag, now: Timestamp, context: &Context<'_>) -> bool {
        let touched_at = self.connections.touched_at(key);
        touched_at.is_none_or(|touched_at| now.since(touched_at) > context.settings.pending.max_idle)
    }

    /// Lets no more bytes of a connection go by unseen.
    fn want(&mut self, key: FlowTag) {
        WAYS.into_iter().for_each(|way| self.unwanted.remove(key.of_way(way)));
    }

    fn remove(&mut self, key: &FlowTag, readings: &mut PendingReadings, context: &mut Context<'_>) {
        if let Some(mut connection) = self.connections.remove(key) {
            conclude_waiting(&mut connection, *key, None, readings, context);
            pass_no_more(&mut self.filter, *key, &mut connection);
        }
        end(key, None, readings, context);
    }

    /// Forgets connections of which nothing was seen for too long.
    pub(super) fn on_time(
        &mut self,
        now: Timestamp,
        readings: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let filter = &mut self.filter;
        self.openings.expire(now, |key| remove(filter, key));
        self.connections.expire(now, |key, mut connection| {
            conclude_waiting(&mut connection, key, Some(now), readings, context);
            pass_no_more(filter, key, &mut connection);
            end(&key, Some(now), readings, context);
        });
    }
}

/// Flags that begin a connection, or end it whatever is still under way.
const CONTROL: TcpFlags = TcpFlags::SYN.union(TcpFlags::RST);

/// Whether a segment can matter: it carries bytes, or begins or ends a connection.
#[inline]
pub(super) fn is_wanted(tcp: &TcpHeader<'_>, payload: &[u8]) -> bool {
    !payload.is_empty() || tcp.flags().intersects(CONTROL.union(TcpFlags::FIN))
}

/// Whether a segment can matter in a connection of which nothing is known.
#[inline]
pub(super) fn begins(segment: &TcpSegment<'_>) -> bool {
    segment.flags().intersects(CONTROL) || shape::sender(segment.payload()).is_some()
}

/// Whether a connection of which nothing was seen since then would be forgotten by now, had another packet told the time. What is
/// sent again so late is of another one, and what goes on is not.
fn is_forgotten(touched_at: Timestamp, now: Timestamp, context: &Context<'_>) -> bool {
    now.since(touched_at) > context.settings.flow_timeout
}

/// Learns from the numbers of a segment what a client of HTTP/2 has sent that was not captured. A server whose segment is ahead of what
/// was captured of it is not believed.
fn note_sent(
    connection: &Connection,
    (key, direction): PendingKey,
    segment: &TcpSegment<'_>,
    now: Timestamp,
    context: &mut Context<'_>,
) {
    let sent = match connection.role(direction) {
        Role::Client => {
            Some(Segment { seq: SeqNumber(segment.sequence()), payload: segment.payload() }.end())
        }
        Role::Server => {
            let is_ahead = connection.server_side.misses_bytes_before(SeqNumber(segment.sequence()));
            let is_believed = segment.flags().intersects(TcpFlags::ACK) && !is_ahead;
            is_believed.then(|| SeqNumber(segment.acknowledgment()))
        }
    };
    match sent.filter(|_| connection.is_http2).and_then(|sent| connection.unread(sent)) {
        Some(Unread::Fin) => context.http2.on_fin(&key, connection.client, now, context.report),
        Some(Unread::Bytes) => context.http2.on_client_short(&key, now, context.report),
        None => {}
    }
}
