//! Hellos in TCP connections.

use huginn_net_core::{
    Direction, Expiring, ExpiringLimits, FlowFilter, FlowTag, Held, Packet, SeqNumber, TagHash, TcpFlags,
    TcpSegment, Timestamp,
};

use super::connection::{self, Connection, Context, Evidence, Front, Role, Side};
use super::cut::{CutHello, SpareBuffers};
use super::pending::{Begun, Pending, PendingKey};
use super::reading::{MAX_AHEAD, Reading};
use crate::event::PacketRef;
use crate::record::RecordJoiner;
use crate::settings::TlsSettings;

/// Follows connections from their SYN, or from the begin of a hello, to what they have to tell.
pub(super) struct TcpConnections {
    connections: Expiring<FlowTag, Connection, TagHash>,
    filter: FlowFilter,
    spares: SpareBuffers,
}

/// Numbers this far apart are of different connections: hellos and what is searched end far before.
const FAR: u32 = 1 << 20;

impl TcpConnections {
    pub(super) fn new(settings: &TlsSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            connections: Expiring::with_hash(limits, TagHash),
            filter: FlowFilter::new(),
            spares: SpareBuffers::default(),
        }
    }

    /// Connections that were given up for others.
    pub(super) fn evicted(&self) -> u64 {
        self.connections.stats().evicted
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

    /// Takes a segment that [`may_matter`](Self::may_matter).
    pub(super) fn on_segment(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        (key, direction): PendingKey,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let (flags, payload) = (segment.flags(), segment.payload());
        let mut seq = SeqNumber(segment.sequence());
        if flags.intersects(TcpFlags::RST) {
            return self.on_reset(&key, packet.captured_at(), pending);
        }
        if flags.is_syn() {
            self.on_syn(packet, &key, direction, seq, pending);
            // Data on a SYN follows its number (RFC 7413).
            seq += 1;
        } else if flags.is_syn_ack() {
            self.on_syn_ack(packet, &key, direction, segment, pending);
            seq += 1;
        } else if flags.intersects(TcpFlags::SYN) {
            return;
        }
        if payload.is_empty() {
            return;
        }

        let now = packet.captured_at();
        let connection = if connection::may_begin(payload) {
            let client =
                if connection::begins_server_hello(payload) { direction.reversed() } else { direction };
            let Held { value, is_new, displaced } =
                self.connections.get_or_insert_with(key, now, || Connection::new(client));
            if let Some((key, mut displaced)) = displaced {
                pass_no_more(&mut self.filter, key, &mut displaced);
                remove_begun(pending, &key);
            }
            if is_new {
                self.filter.add(key);
            } else if is_of_another(value, direction, seq, payload) {
                pass_no_more(&mut self.filter, key, value);
                remove_begun(pending, &key);
                *value = Connection::new(client);
                self.filter.add(key);
            }
            value
        } else {
            let Some((connection, _)) = self.connections.touch_mut(&key, now) else { return };
            connection
        };
        if !connection.has_hello()
            && connection.role(direction) == Role::Server
            && connection::begins_client_hello(payload)
        {
            // The end that accepted the connection is the client of TLS, as in FTP with data from the server.
            connection.client = direction;
            core::mem::swap(&mut connection.client_side, &mut connection.server_side);
        }
        let role = connection.role(direction);
        Turn { connection: &mut *connection, role, key: (key, direction), packet, spares: &mut self.spares }
            .on_segment(Segment { seq, payload }, pending, context);
        if connection.is_done() {
            pass_no_more(&mut self.filter, key, connection);
            if !connection.is_remembered() {
                self.connections.remove(&key);
            }
            remove_begun(pending, &key);
        }
    }

    /// A SYN opens a connection, whatever was known of these ports, unless it is sent again.
    fn on_syn(
        &mut self,
        packet: &Packet<'_>,
        key: &FlowTag,
        client: Direction,
        seq: SeqNumber,
        pending: &mut Pending,
    ) {
        let mut connection = Connection::new(client);
        if let Some((known, _)) = self.connections.touch_mut(key, packet.captured_at()) {
            if known.opened_by == Some(seq.0) {
                if !known.is_done() {
                    return;
                }
                // Another connection, of a host that numbers all of them alike, or the same one captured again.
                connection.expect_repeated(known);
            } else if known.opened_by.is_none() && known.begins_behind(client, seq) {
                known.opened_by = Some(seq.0);
                return;
            }
            self.remove(key, pending);
        }
        connection.opened_by = Some(seq.0);
        connection.client_side.next = Some(seq + 1);
        self.hold(*key, connection, packet.captured_at(), pending);
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
        let client_next = SeqNumber(segment.acknowledgment());
        if let Some((known, _)) = self.connections.touch_mut(key, packet.captured_at()) {
            // The ends may have turned out to have the other roles in TLS.
            let is_known =
                known.side_of(server.reversed()).next.is_some_and(|next| is_near(next, client_next));
            if is_known {
                known.side_of(server).next.get_or_insert(SeqNumber(segment.sequence()) + 1);
                return;
            }
            self.remove(key, pending);
        }
        let mut connection = Connection::new(server.reversed());
        connection.client_side.next = Some(client_next);
        connection.server_side.next = Some(SeqNumber(segment.sequence()) + 1);
        self.hold(*key, connection, packet.captured_at(), pending);
    }

    /// Forgets a connection, but for hellos that were reported: their segments may still be sent again.
    fn on_reset(&mut self, key: &FlowTag, now: Timestamp, pending: &mut Pending) {
        remove_begun(pending, key);
        match self.connections.touch_mut(key, now) {
            Some((connection, _)) if connection.has_hello() => {
                connection.finish();
                pass_no_more(&mut self.filter, *key, connection);
            }
            Some(_) => self.remove(key, pending),
            None => {}
        }
    }

    /// Holds a connection that is not held yet.
    fn hold(&mut self, key: FlowTag, connection: Connection, now: Timestamp, pending: &mut Pending) {
        self.filter.add(key);
        if let Some((key, mut displaced)) = self.connections.insert_absent(key, connection, now) {
            pass_no_more(&mut self.filter, key, &mut displaced);
            remove_begun(pending, &key);
        }
    }

    fn remove(&mut self, key: &FlowTag, pending: &mut Pending) {
        if let Some(mut connection) = self.connections.remove(key) {
            pass_no_more(&mut self.filter, *key, &mut connection);
        }
        remove_begun(pending, key);
    }

    /// Forgets connections of which nothing was seen for too long.
    pub(super) fn on_time(&mut self, now: Timestamp, pending: &mut Pending) {
        let filter = &mut self.filter;
        self.connections.expire(now, |key, mut connection| {
            pass_no_more(filter, key, &mut connection);
            remove_begun(pending, &key);
        });
    }
}

/// Whether a segment can matter: it carries bytes, or begins or ends a connection.
#[inline]
pub(super) fn is_wanted(segment: &TcpSegment<'_>) -> bool {
    !segment.payload().is_empty() || segment.flags().intersects(TcpFlags::SYN.union(TcpFlags::RST))
}

/// Whether a segment may begin something, in a connection of which nothing is known.
#[inline]
pub(super) fn begins(segment: &TcpSegment<'_>) -> bool {
    segment.flags().intersects(TcpFlags::SYN) || connection::may_begin(segment.payload())
}

/// Whether a hello cannot belong to the connection that is known: the ports are used again and the SYN was not seen.
fn is_of_another(known: &Connection, direction: Direction, seq: SeqNumber, payload: &[u8]) -> bool {
    connection::begins_client_hello(payload)
        && known.next_of(direction).is_some_and(|next| !is_near(next, seq))
}

fn is_near(one: SeqNumber, other: SeqNumber) -> bool {
    one.distance_from(other).unsigned_abs() < FAR
}

/// Lets further packets of a connection go by unseen.
fn pass_no_more(filter: &mut FlowFilter, key: FlowTag, connection: &mut Connection) {
    if core::mem::take(&mut connection.filtered) {
        filter.remove(key);
    }
}

fn remove_begun(pending: &mut Pending, key: &FlowTag) {
    if !pending.is_empty() {
        pending.remove(&(*key, Direction::FromLower));
        pending.remove(&(*key, Direction::FromHigher));
    }
}

/// One direction of a connection, and the packet that brought bytes of it.
struct Turn<'a> {
    connection: &'a mut Connection,
    role: Role,
    key: PendingKey,
    packet: &'a Packet<'a>,
    spares: &'a mut SpareBuffers,
}

/// Bytes and where they belong.
#[derive(Clone, Copy)]
struct Segment<'a> {
    seq: SeqNumber,
    payload: &'a [u8],
}

impl<'a> Segment<'a> {
    /// Number of the byte behind the last.
    fn end(self) -> SeqNumber {
        // No IP datagram, reassembled or not, has as many bytes as there are numbers.
        self.seq + u32::try_from(self.payload.len()).unwrap_or(u32::MAX)
    }

    /// What is left without bytes at the front, if anything.
    fn without(self, bytes: usize) -> Option<Self> {
        let payload = self.payload.get(bytes..).filter(|payload| !payload.is_empty())?;
        Some(Self { seq: self.seq + u32::try_from(bytes).ok()?, payload })
    }
}

impl<'a> Turn<'a> {
    /// Takes a segment, wherever it belongs.
    fn on_segment(&mut self, segment: Segment<'_>, pending: &mut Pending, context: &mut Context<'_>) {
        if self.side().is_done {
            let now = self.packet.captured_at();
            return self.connection.pass(self.role, segment.payload.len(), now, context);
        }
        let side = self.side();
        let mut next = *side.next.get_or_insert(segment.seq);
        let had_begun = core::mem::take(&mut side.has_begun);
        let now = self.packet.captured_at();
        let begun = if pending.is_empty() { None } else { pending.get(&self.key, now) };
        if let Some(begun) = begun {
            if let Begun::Cut(cut) = begun {
                if let Some(end) = self.read_cut(cut, segment, context) {
                    return self.on_cut_complete(end, segment, pending, context);
                }
                *begun = Begun::Stream(Box::new(cut.reading(&context.settings.hello)));
            }
            if let Begun::Stream(reading) = begun {
                if reading.head.bytes().is_empty()
                    && reading.head.next_seq().precedes(segment.seq)
                    && self.is_whole(segment.payload, context)
                {
                    pending.remove(&self.key);
                    return self.read_segment(segment, pending, context);
                }
                let brought = reading.push(segment.seq, segment.payload, self.packet_ref(), context.counts);
                let is_readable = brought || self.pass_gap(reading, context);
                if !is_readable || self.read_on(reading, segment, context) {
                    self.side().has_begun = true;
                    pending.charge(&self.key);
                } else {
                    self.side().next = Some(reading.head.next_seq());
                    pending.remove(&self.key);
                }
                return;
            }
        }

        if had_begun {
            // What was begun was given up, and what this segment would continue with it.
            next = segment.seq;
            self.connection.give_up_preamble();
        }
        let ahead = segment.seq.distance_from(next);
        if ahead > 0 {
            self.on_early(next, segment, pending, context);
        } else if let Some(new) = segment.without(ahead.unsigned_abs() as usize) {
            // Anything else is sent again, or a keep-alive probe.
            self.read_segment(new, pending, context);
        }
    }

    /// Reads bytes that begin where the side was, from the segment itself.
    fn read_segment(&mut self, mut segment: Segment<'_>, pending: &mut Pending, context: &mut Context<'_>) {
        self.side().next = Some(segment.end());
        while !self.side().is_done {
            let front = self.connection.front(self.role, segment.payload, &context.settings.hello);
            match front {
                Front::Incomplete if self.begins_hello(segment.payload) => {
                    return self.begin_cut(segment, pending, context);
                }
                Front::Incomplete | Front::SeveralRecords => {
                    return self.begin(segment.seq, segment, pending, context);
                }
                _ => {}
            }
            let evidence = self.evidence(self.packet_ref(), 1);
            let taken = self.connection.take(self.role, front, segment.payload.len(), &evidence, context);
            let Some(rest) = segment.without(taken) else { return };
            segment = rest;
        }
    }

    /// Holds a segment that begins a hello and does not end it.
    fn begin_cut(&mut self, segment: Segment<'_>, pending: &mut Pending, context: &Context<'_>) {
        let side = self.side();
        (side.next, side.has_begun) = (Some(segment.seq), true);
        let Some(source) = context.tagger.source_network(self.packet) else { return };
        let cut = CutHello::new(segment.seq, self.packet_ref(), segment.payload, self.spares);
        pending.insert(self.key, source, Begun::Cut(cut), self.packet.captured_at());
    }

    /// Reads a hello that ends in the segment behind its first: the number of the byte behind it. `None` if the segment
    /// is another or does not end it.
    fn read_cut(
        &mut self,
        cut: &mut CutHello,
        segment: Segment<'_>,
        context: &mut Context<'_>,
    ) -> Option<SeqNumber> {
        let (start, first, held) = (cut.start(), cut.first(), cut.len());
        if usize::try_from(segment.seq.distance_from(start)) != Ok(held) {
            return None;
        }
        let bytes = cut.joined(segment.payload);
        let front = self.connection.front(self.role, bytes, &context.settings.hello);
        if !matches!(front, Front::Hello(..) | Front::Answer(..)) {
            cut.cut_to(held);
            return None;
        }
        let evidence = self.evidence(first, 2);
        let taken = self.connection.take(self.role, front, bytes.len(), &evidence, context);
        Some(start + u32::try_from(taken).ok()?)
    }

    /// Goes on behind a hello that ended in a segment.
    fn on_cut_complete(
        &mut self,
        end: SeqNumber,
        segment: Segment<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        if let Some(Begun::Cut(cut)) = pending.remove(&self.key) {
            self.spares.add(cut);
        }
        self.side().next = Some(end);
        // The hello was not complete before the segment.
        let taken = usize::try_from(end.distance_from(segment.seq)).unwrap_or_default();
        if let Some(rest) = segment.without(taken) {
            self.read_segment(rest, pending, context);
        }
    }

    /// Takes a segment before which others are missing, from `next` on.
    fn on_early(
        &mut self,
        next: SeqNumber,
        segment: Segment<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        // What is missing before a hello was not captured, or belongs to what came before it. What a server sends before
        // it was asked matters to nobody.
        let is_unordered = self.is_whole(segment.payload, context)
            || self.role == Role::Server && !self.connection.has_hello();
        if is_unordered || segment.seq.distance_from(next) >= MAX_AHEAD {
            self.read_segment(segment, pending, context);
        } else {
            self.begin(next, segment, pending, context);
        }
    }

    /// Whether bytes begin with a record of the hello of this side.
    fn begins_hello(&self, bytes: &[u8]) -> bool {
        match self.role {
            Role::Client => connection::begins_client_hello(bytes),
            Role::Server => connection::begins_server_hello(bytes),
        }
    }

    /// Whether bytes begin with the whole of a hello.
    fn is_whole(&mut self, bytes: &[u8], context: &Context<'_>) -> bool {
        self.begins_hello(bytes)
            && matches!(
                self.connection.front(self.role, bytes, &context.settings.hello),
                Front::Hello(..) | Front::Answer(..)
            )
    }

    /// Passes over the bytes that are missing before a hello that is whole behind them.
    fn pass_gap(&mut self, reading: &mut Reading, context: &Context<'_>) -> bool {
        reading.pass_gap(self.packet_ref(), |bytes| self.is_whole(bytes, context))
    }

    /// Holds a segment until the bytes from `start` on that are missing before it arrive, or those behind it.
    fn begin(
        &mut self,
        start: SeqNumber,
        segment: Segment<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        self.side().next = Some(start);
        let mut reading = Box::new(Reading::new(start, self.packet_ref(), &context.settings.hello));
        let brought = reading.push(segment.seq, segment.payload, self.packet_ref(), context.counts);
        if brought && !self.read_on(&mut reading, segment, context) {
            self.side().next = Some(reading.head.next_seq());
        } else if reading.head.held() > 0 {
            self.side().has_begun = true;
            let Some(source) = context.tagger.source_network(self.packet) else { return };
            let (begun, now) = (Begun::Stream(reading), self.packet.captured_at());
            pending.insert(self.key, source, begun, now);
        }
    }

    /// Reads the bytes that are in order; `latest` is the segment that made them so. False if nothing is left that waits.
    fn read_on(&mut self, reading: &mut Reading, latest: Segment<'_>, context: &mut Context<'_>) -> bool {
        while !self.side().is_done {
            let bytes = reading.head.bytes();
            if bytes.is_empty() {
                return reading.head.gaps() > 0;
            }
            // Where nothing begins at the front, it may at the begin of the latest segment, or of what waited behind it.
            let available = reading.up_to_begin([latest.seq, latest.end()]);
            let front = match &mut reading.joiner {
                None => self.connection.front(self.role, bytes, &context.settings.hello),
                Some(joiner) => {
                    let new = bytes.get(reading.joined..).unwrap_or_default();
                    reading.joined = bytes.len();
                    joined(self.role, joiner, new, bytes.len())
                }
            };
            match front {
                Front::Incomplete if reading.head.is_full() => {
                    self.connection.on_too_long(context.counts);
                    return false;
                }
                Front::Incomplete => return true,
                Front::SeveralRecords => {
                    reading.joiner = Some(RecordJoiner::new(self.role.hello(), context.settings.hello));
                    continue;
                }
                _ => {}
            }
            let evidence = self.evidence(reading.first, reading.packets);
            let taken = self.connection.take(self.role, front, available, &evidence, context);
            reading.pass(taken, self.packet_ref());
        }
        false
    }

    fn side(&mut self) -> &mut Side {
        self.connection.side(self.role)
    }

    fn packet_ref(&self) -> PacketRef {
        PacketRef { captured_at: self.packet.captured_at(), frame: self.packet.number() }
    }

    fn evidence(&self, first: PacketRef, packets: u32) -> Evidence<'a> {
        Evidence { packet: self.packet, first, packets }
    }
}

/// Joins the records of a hello from `new` bytes on. All `read` so far are done with when it is complete.
fn joined<'a>(role: Role, joiner: &'a mut RecordJoiner, new: &[u8], read: usize) -> Front<'a> {
    match joiner.push(new, false) {
        Ok(Some(_)) => Front::of_message(role, joiner.message(), read),
        Ok(None) => Front::Incomplete,
        Err(error) => Front::Other(Some(error)),
    }
}
