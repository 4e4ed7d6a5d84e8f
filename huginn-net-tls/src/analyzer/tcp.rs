//! Hellos in TCP connections.

use core::hint::black_box;
use core::time::Duration;

use huginn_net_core::{
    Direction, Expiring, ExpiringLimits, FlowFilter, FlowLog, FlowTag, Held, Opening, Packet, Segment,
    SeqNumber, TagHash, TcpFlags, TcpSegment, Timestamp,
};

use super::connection::{Connection, Context};
use super::cut::SpareBuffers;
use super::pending::{Pending, PendingKey};
use super::shape;
use super::turn::Turn;
use crate::settings::TlsSettings;

/// Follows connections from their SYN, or from the begin of a hello, to what they have to tell.
pub(super) struct TcpConnections {
    /// What SYNs and SYN+ACKs told of connections of which no byte was seen: a flood of them takes little time and memory,
    /// and gives up nothing that has shown more. A connection is never in both.
    openings: FlowLog<Opening>,
    connections: Expiring<FlowTag, Connection, TagHash>,
    /// Has openings, once for each segment, and connections of which more packets are wanted.
    filter: FlowFilter,
    spares: SpareBuffers,
    timeout: Duration,
}

impl TcpConnections {
    pub(super) fn new(settings: &TlsSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            openings: FlowLog::new(limits.with_max_entries(settings.max_flows.max(1).saturating_mul(2))),
            connections: Expiring::with_hash(limits, TagHash),
            filter: FlowFilter::new(),
            spares: SpareBuffers::default(),
            timeout: settings.flow_timeout,
        }
    }

    /// Connections that were given up for others.
    pub(super) fn evicted(&self) -> u64 {
        self.openings.evicted() + self.connections.stats().evicted
    }

    /// Whether a segment may begin something, or belong to a connection that is followed.
    #[inline]
    pub(super) fn may_matter(&self, segment: &TcpSegment<'_>, key: FlowTag) -> bool {
        self.filter.may_hold(key) || begins(segment)
    }

    /// The connections that are followed.
    pub(super) fn held(&self) -> FlowFilter {
        self.filter.clone()
    }

    /// Takes a segment if all that it does is to open a connection that is not held, as nearly all SYNs and SYN+ACKs do;
    /// says whether it is.
    #[inline]
    pub(super) fn try_open(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        (key, direction): PendingKey,
    ) -> bool {
        let opening = Opening::of_empty(direction, segment).filter(|_| packet.layout().payload_len() == 0);
        let opening = opening.filter(|_| self.connections.get(&key).is_none());
        opening.is_some_and(|opening| {
            self.open(key, opening, packet.captured_at());
            true
        })
    }

    /// Takes a segment that [`may_matter`](Self::may_matter).
    pub(super) fn on_segment(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        (key, direction): PendingKey,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let Some(segment) = self.on_flags(packet, segment, (key, direction), pending) else { return };
        let now = packet.captured_at();
        let Self { openings, connections, filter, spares, .. } = self;
        let known = Known { openings, connections, filter };
        if shape::begins_client_hello(segment.payload) {
            touch(segment.payload);
        }
        let connection = if shape::may_begin(segment.payload) {
            known.found_or_begun((key, direction), segment, now, pending)
        } else if let Some((connection, _)) = known.connections.touch_mut_if(&key, now, is_followed) {
            connection
        } else if let Some(connection) = known.opened(key, now, pending) {
            connection
        } else {
            return;
        };
        if connection.begins_as_client(direction, segment.payload) {
            connection.swap_roles();
        }
        let role = connection.role(direction);
        Turn { connection: &mut *connection, role, key: (key, direction), packet, spares }
            .on_segment(segment, pending, context);
        if connection.is_done() {
            pass_no_more(&mut self.filter, key, connection);
            remove_begun(pending, key, connection);
            if !connection.is_remembered() {
                self.connections.remove(&key);
            }
        }
    }

    /// Takes what the flags of a segment say of its connection, and gives its bytes, if it has any.
    #[inline]
    fn on_flags<'s>(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'s>,
        (key, direction): PendingKey,
        pending: &mut Pending,
    ) -> Option<Segment<'s>> {
        let (flags, payload) = (segment.flags(), segment.payload());
        let mut seq = SeqNumber(segment.sequence());
        if flags.intersects(TcpFlags::RST) {
            self.on_reset(&key, (direction, segment), packet.captured_at(), pending);
            return None;
        }
        if flags.is_syn() {
            self.on_syn(packet, &key, direction, seq, pending);
            // Data on a SYN follows its number (RFC 7413).
            seq += 1;
        } else if flags.is_syn_ack() {
            self.on_syn_ack(packet, &key, direction, segment, pending);
            seq += 1;
        } else if flags.intersects(TcpFlags::SYN) {
            return None;
        }
        (!payload.is_empty()).then_some(Segment { seq, payload })
    }

    /// A SYN opens a connection, whatever was known of these ports, unless it is sent again: before the connection would be forgotten,
    /// had another packet told the time.
    fn on_syn(
        &mut self,
        packet: &Packet<'_>,
        key: &FlowTag,
        client: Direction,
        seq: SeqNumber,
        pending: &mut Pending,
    ) {
        let has_data = packet.layout().payload_len() != 0;
        let (opening, now) = (Opening::of_syn(client, seq, has_data), packet.captured_at());
        if let Some((known, touched_at)) = self.connections.touch_mut(key, now) {
            let is_forgotten = now.since(touched_at) > self.timeout;
            if known.opened_by == Some(seq.0) && !is_forgotten {
                if known.is_over() {
                    // Another connection, of a host that numbers all of them alike, or the same one captured again.
                    begin_again((&mut self.filter, *key), known, &opening, pending);
                }
                return;
            }
            if known.opened_by.is_none() && !is_forgotten && known.begins_behind(client, seq) {
                known.opened_by = Some(seq.0);
                return;
            }
            self.remove(key, pending);
        }
        self.open(*key, opening, now);
    }

    /// Tells where the bytes of the server begin, and those of the client if its SYN was not seen.
    fn on_syn_ack(
        &mut self,
        packet: &Packet<'_>,
        key: &FlowTag,
        server: Direction,
        segment: &TcpSegment<'_>,
        pending: &mut Pending,
    ) {
        let (client_next, seq) = (SeqNumber(segment.acknowledgment()), SeqNumber(segment.sequence()));
        let now = packet.captured_at();
        if let Some((known, touched_at)) = self.connections.touch_mut(key, now) {
            // The ends may have turned out to have the other roles in TLS.
            let is_known =
                known.side_of(server.reversed()).next.is_some_and(|next| is_near(next, client_next));
            // One that comes late and was not seen before belongs to what was before it.
            let is_forgotten = known.side_of(server).next.is_some() && now.since(touched_at) > self.timeout;
            if is_known && !is_forgotten {
                known.side_of(server).next.get_or_insert(seq + 1);
                return;
            }
            self.remove(key, pending);
        }
        self.open(*key, Opening::of_syn_ack(server, client_next, seq), now);
    }

    /// Writes down what a segment tells of the begin of a connection that is not held.
    #[inline]
    fn open(&mut self, key: FlowTag, opening: Opening, now: Timestamp) {
        self.filter.add(key);
        if let Some(displaced) = self.openings.push(key, opening, now) {
            self.filter.remove(displaced);
        }
    }

    /// Forgets a connection, but for one of which hellos were reported: their segments may still be sent again, and what the other
    /// end sent before the reset reached it may be captured behind that.
    fn on_reset(
        &mut self,
        key: &FlowTag,
        (direction, segment): (Direction, &TcpSegment<'_>),
        now: Timestamp,
        pending: &mut Pending,
    ) {
        let seq = SeqNumber(segment.sequence());
        match self.connections.touch_mut_if(key, now, is_followed) {
            // The receiver does not take it (RFC 9293 §3.10.7.4).
            Some((connection, _)) if awaits_far_from(connection, direction, seq) => {}
            Some((connection, _)) => {
                if let Some(opening) = connection.repeated_opening() {
                    // What comes next may be what was reported before, captured again, or another connection with the same SYN.
                    begin_again((&mut self.filter, *key), connection, &opening, pending);
                } else if connection.has_hello() {
                    connection.on_reset(direction);
                    remove_begun_of(pending, (*key, direction), connection);
                    if connection.is_done() {
                        pass_no_more(&mut self.filter, *key, connection);
                    }
                } else {
                    self.remove(key, pending);
                }
            }
            None => {
                let filter = &mut self.filter;
                let is_ended = |known: &Opening| known.is_ended_by(direction, segment);
                if self.openings.take_if(*key, is_ended, |key| filter.remove(key)).is_some() {
                    filter.remove(*key);
                }
            }
        }
    }

    fn remove(&mut self, key: &FlowTag, pending: &mut Pending) {
        if let Some(connection) = self.connections.remove(key) {
            let_go(&mut self.filter, (*key, connection), pending);
        }
    }

    /// Forgets connections of which nothing was seen for too long.
    pub(super) fn on_time(&mut self, now: Timestamp, pending: &mut Pending) {
        let filter = &mut self.filter;
        self.openings.expire(now, |key| filter.remove(key));
        self.connections.expire(now, |key, connection| let_go(filter, (key, connection), pending));
    }
}

/// What is known of connections, as a segment with bytes comes.
struct Known<'a, 'f> {
    openings: &'f mut FlowLog<Opening>,
    connections: &'a mut Expiring<FlowTag, Connection, TagHash>,
    filter: &'f mut FlowFilter,
}

impl<'a> Known<'a, '_> {
    /// The connection of a segment that may begin something.
    #[inline]
    fn found_or_begun(
        self,
        (key, direction): PendingKey,
        Segment { seq, payload }: Segment<'_>,
        now: Timestamp,
        pending: &mut Pending,
    ) -> &'a mut Connection {
        let Self { openings, connections, filter } = self;
        let client = if shape::begins_server_hello(payload) { direction.reversed() } else { direction };
        let mut is_opened = false;
        let Held { value, is_new, displaced } = connections.get_or_insert_with(key, now, || {
            let connection = opened(openings, filter, key);
            is_opened = connection.is_some();
            connection.unwrap_or_else(|| Connection::new(client))
        });
        if is_new && !is_opened {
            filter.add(key);
        }
        if let Some(displaced) = displaced {
            let_go(filter, displaced, pending);
        }
        if (!is_new || is_opened) && is_of_another(value, direction, seq, payload) {
            pass_no_more(filter, key, value);
            remove_begun(pending, key, value);
            *value = Connection::new(client);
            filter.add(key);
        }
        value
    }

    /// The connection of a segment that begins nothing, of which no byte was seen: if it was opened.
    #[inline]
    fn opened(self, key: FlowTag, now: Timestamp, pending: &mut Pending) -> Option<&'a mut Connection> {
        let Self { openings, connections, filter } = self;
        let connection = opened(openings, filter, key)?;
        let Held { value, displaced, .. } = connections.get_or_insert_with(key, now, || connection);
        if let Some(displaced) = displaced {
            let_go(filter, displaced, pending);
        }
        Some(value)
    }
}

/// Takes what was opened with this key. The filter has it already, and has it still.
fn opened(openings: &mut FlowLog<Opening>, filter: &mut FlowFilter, key: FlowTag) -> Option<Connection> {
    openings.take(key, |key| filter.remove(key)).map(|begin| Connection::opened(&begin))
}

/// Whether a segment can matter: it carries bytes, or begins or ends a connection.
#[inline]
pub(super) fn is_wanted(segment: &TcpSegment<'_>) -> bool {
    !segment.payload().is_empty() || segment.flags().intersects(TcpFlags::SYN.union(TcpFlags::RST))
}

/// Whether a segment may begin something, in a connection of which nothing is known.
#[inline]
pub(super) fn begins(segment: &TcpSegment<'_>) -> bool {
    segment.flags().intersects(TcpFlags::SYN) || shape::may_begin(segment.payload())
}

/// Whether segments of a connection come this far for certain. Those of one of which nothing more is wanted come if another shares
/// its place in the filter, so that they must not change how long it is known.
fn is_followed(known: &Connection) -> bool {
    !known.is_done()
}

/// Whether a hello cannot belong to the connection that is known: the ports are used again and the SYN was not seen.
fn is_of_another(known: &Connection, direction: Direction, seq: SeqNumber, payload: &[u8]) -> bool {
    shape::begins_client_hello(payload)
        && known.known_of(direction).next.is_some_and(|next| !is_near(next, seq))
}

/// Whether a segment has a number far from what is still wanted of its direction.
fn awaits_far_from(known: &Connection, direction: Direction, seq: SeqNumber) -> bool {
    let side = known.known_of(direction);
    !side.is_done && side.next.is_some_and(|next| !is_near(next, seq))
}

/// Whether both may be numbers of one connection: hellos and what is searched end far before.
fn is_near(one: SeqNumber, other: SeqNumber) -> bool {
    one.distance_from(other).unsigned_abs() <= Opening::FAR
}

/// Forgets a connection that went out of its table.
fn let_go(filter: &mut FlowFilter, (key, mut connection): (FlowTag, Connection), pending: &mut Pending) {
    pass_no_more(filter, key, &mut connection);
    remove_begun(pending, key, &mut connection);
}

/// Lets further packets of a connection go by unseen.
fn pass_no_more(filter: &mut FlowFilter, key: FlowTag, connection: &mut Connection) {
    if core::mem::take(&mut connection.filtered) {
        filter.remove(key);
    }
}

/// Forgets what was read of a connection but what shows whether the next one is the same.
fn begin_again(
    (filter, key): (&mut FlowFilter, FlowTag),
    connection: &mut Connection,
    opening: &Opening,
    pending: &mut Pending,
) {
    filter.add(key);
    pass_no_more(filter, key, connection);
    remove_begun(pending, key, connection);
    connection.repeat(opening);
}

fn remove_begun(pending: &mut Pending, key: FlowTag, connection: &mut Connection) {
    for direction in [Direction::FromLower, Direction::FromHigher] {
        remove_begun_of(pending, (key, direction), connection);
    }
}

fn remove_begun_of(pending: &mut Pending, key: PendingKey, connection: &mut Connection) {
    if core::mem::take(&mut connection.side_of(key.1).has_begun) {
        pending.remove(&key);
    }
}

/// Asks for the bytes of a ClientHello. Those that are in no cache come together then, and not one line after the other as
/// its extensions lead from each to the next.
#[inline]
fn touch(payload: &[u8]) {
    const LINE: usize = 64;
    black_box(payload.iter().step_by(LINE).fold(0, |any, &byte| any | byte));
}
