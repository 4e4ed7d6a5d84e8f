//! What one direction of a connection brings.

use huginn_net_core::{Packet, Segment, SeqNumber};

use super::connection::{Connection, Context, Evidence, Front, Role, Side};
use super::cut::{CutHello, SpareBuffers};
use super::pending::{Begun, Pending, PendingKey};
use super::reading::{MAX_AHEAD, News, Reading};
use super::shape;
use crate::carriers::Carriers;
use crate::event::PacketRef;
use crate::handshake::HandshakeType;
use crate::record::{self, RecordJoiner};

/// One direction of a connection, and the packet that brought bytes of it.
pub(super) struct Turn<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) role: Role,
    pub(super) key: PendingKey,
    pub(super) packet: &'a Packet<'a>,
    pub(super) spares: &'a mut SpareBuffers,
}

/// What is left of bytes that were held.
enum Left {
    /// They wait for others.
    Waiting,
    /// Nothing; bytes are awaited from this one on.
    Awaited(SeqNumber),
    /// Nothing, as the segment begins with the whole of a hello behind those that are missing.
    WholeHello,
}

impl<'a> Turn<'a> {
    /// Takes a segment, wherever it belongs.
    pub(super) fn on_segment(
        &mut self,
        segment: Segment<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        if self.side().is_done {
            let now = self.packet.captured_at();
            return self.connection.pass(self.role, segment.payload.len(), now, context);
        }
        let side = self.side();
        let mut next = *side.next.get_or_insert(segment.seq);
        let had_begun = core::mem::take(&mut side.has_begun);
        let now = self.packet.captured_at();
        let begun = if had_begun { pending.get(&self.key, now) } else { None };
        if let Some(begun) = begun {
            if let Begun::Cut(cut) = begun {
                if let Some(end) = self.read_cut(cut, segment, context) {
                    return self.on_cut_complete(end, segment, pending, context);
                }
                *begun = Begun::Stream(Box::new(cut.reading(&context.settings.hello)));
            }
            if let Begun::Stream(reading) = begun {
                match self.on_stream(reading, segment, context) {
                    Left::Waiting => {
                        self.side().has_begun = true;
                        pending.charge(&self.key);
                    }
                    Left::Awaited(next) => {
                        self.side().next = Some(next);
                        pending.remove(&self.key);
                    }
                    Left::WholeHello => {
                        pending.remove(&self.key);
                        self.on_early_hello(segment, pending, context);
                    }
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

    /// Takes a segment of which bytes before it, or behind it, are held.
    fn on_stream(&mut self, reading: &mut Reading, segment: Segment<'_>, context: &mut Context<'_>) -> Left {
        let awaited = reading.head.next_seq();
        if reading.head.bytes().is_empty() {
            if is_far(segment.seq, awaited) {
                self.on_far(segment.payload, context);
                return Left::Waiting;
            }
            if awaited.precedes(segment.seq) && self.is_whole(segment.payload, context) {
                return Left::WholeHello;
            }
        }
        let news = reading.push(segment, self.packet_ref(), context.counts);
        let is_in_order = news == News::InOrder;
        if !is_in_order && self.role == Role::Client && self.take_behind_gap(reading, context) {
            return Left::Awaited(awaited);
        }
        let is_server = self.role == Role::Server;
        let is_readable = is_in_order || is_server && reading.pass_gap(|bytes| self.is_whole(bytes, context));
        if is_readable && !self.read_on(reading, segment, context) {
            return Left::Awaited(reading.head.next_seq());
        }
        self.count_cut(hello_in(segment, news, reading), context);
        Left::Waiting
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
            let evidence = self.evidence(Carriers::of(self.packet_ref()));
            let taken = self.connection.take(self.role, front, segment.payload.len(), &evidence, context);
            let Some(rest) = segment.without(taken) else { return };
            segment = rest;
        }
    }

    /// Holds a segment that begins a hello and does not end it.
    fn begin_cut(&mut self, segment: Segment<'_>, pending: &mut Pending, context: &mut Context<'_>) {
        self.count_cut(Some(self.role.hello()), context);
        let side = self.side();
        (side.next, side.has_begun) = (Some(segment.seq), true);
        let Some(source) = self.packet.source_network() else { return };
        let cut = CutHello::new(segment.seq, self.packet_ref(), segment.payload, self.spares);
        pending.insert(self.key, source, Begun::Cut(cut), self.packet.captured_at());
    }

    /// Says why a `hello` that goes on behind the segment may never be whole: the capture has only the begin of the segment.
    fn count_cut(&self, hello: Option<HandshakeType>, context: &mut Context<'_>) {
        if self.packet.layout().is_cut() && hello == Some(self.role.hello()) {
            context.counts.malformed_because("tls_cut");
        }
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
        let evidence = self.evidence(Carriers { first, packets: 2 });
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
        if is_far(segment.seq, next) {
            return self.on_far(segment.payload, context);
        }
        // What a server sends before it was asked matters to nobody. The rest of the hello that asks may have been captured late.
        let is_asked = self.connection.has_hello() || self.connection.client_side.has_begun;
        let is_apart = self.role == Role::Server && !is_asked;
        if is_apart && !shape::may_begin(segment.payload) {
            let (bytes, now) = (segment.payload.len(), self.packet.captured_at());
            return self.connection.pass(self.role, bytes, now, context);
        }
        if is_apart {
            self.read_segment(segment, pending, context);
        } else if self.is_whole(segment.payload, context) {
            self.on_early_hello(segment, pending, context);
        } else if self.side().has_told_ahead && !shape::may_begin(segment.payload) {
            self.pass_ahead(segment.payload, context);
        } else {
            self.begin(next, segment, pending, context);
        }
    }

    /// Takes a segment that begins with the whole of a hello, before which bytes are missing: they were not captured, or belong
    /// to what came before it, or are still to come, so that a client's are awaited as before: who sends such in the name of a
    /// client must not hide what it says. Its server answers one of them.
    fn on_early_hello(&mut self, segment: Segment<'_>, pending: &mut Pending, context: &mut Context<'_>) {
        match self.role {
            Role::Client => self.take_ahead(segment.payload, Carriers::of(self.packet_ref()), context),
            Role::Server => self.read_segment(segment, pending, context),
        }
    }

    /// Takes a segment so far ahead that its receiver may not take it: the hello that it begins with, if it has the whole of it,
    /// as what is missing before it may not have been captured. Who sends such in the name of an end must not move what is
    /// awaited of it.
    fn on_far(&mut self, payload: &[u8], context: &mut Context<'_>) {
        if self.is_whole(payload, context) {
            self.take_ahead(payload, Carriers::of(self.packet_ref()), context);
        } else {
            self.pass_ahead(payload, context);
        }
    }

    /// Passes over bytes that may be anybody's.
    fn pass_ahead(&mut self, bytes: &[u8], context: &mut Context<'_>) {
        let now = self.packet.captured_at();
        self.connection.pass_ahead(self.role, bytes.len(), now, context);
    }

    /// Takes the hello that these bytes begin with, unless it is the same again. What is awaited stays the same, and so does that
    /// a client's hello is awaited.
    fn take_ahead(&mut self, bytes: &[u8], carriers: Carriers, context: &mut Context<'_>) {
        let front = self.connection.front(self.role, bytes, &context.settings.hello);
        if let Front::Hello(hello, _) = &front
            && (self.connection.has_all_hellos() || self.connection.is_sent_again(hello))
        {
            return self.pass_ahead(bytes, context);
        }
        let evidence = self.evidence(carriers);
        self.connection.take(self.role, front, bytes.len(), &evidence, context);
        let is_client = self.role == Role::Client;
        let side = self.side();
        side.has_told_ahead = true;
        side.is_done &= !is_client;
    }

    /// Takes the hello of the client that is whole among the bytes that wait, if one is.
    fn take_behind_gap(&mut self, reading: &Reading, context: &mut Context<'_>) -> bool {
        let Some((begin, bytes)) = reading.behind_gap(|bytes| self.is_whole(bytes, context)) else {
            return false;
        };
        let front = self.connection.front(self.role, bytes, &context.settings.hello);
        // The bytes lie within a stream of at most 2^30.
        let end = begin + front.end().map_or(u32::MAX, |end| u32::try_from(end).unwrap_or(u32::MAX));
        let carriers = reading.brought.carriers(begin..end, self.packet_ref());
        self.take_ahead(bytes, carriers, context);
        true
    }

    /// Whether bytes begin with a record of the hello of this side.
    fn begins_hello(&self, bytes: &[u8]) -> bool {
        match self.role {
            Role::Client => shape::begins_client_hello(bytes),
            Role::Server => shape::begins_server_hello(bytes),
        }
    }

    /// Whether bytes begin with the whole of a hello, as it may stand behind a ChangeCipherSpec.
    fn is_whole(&mut self, bytes: &[u8], context: &Context<'_>) -> bool {
        self.begins_hello(shape::behind_passed_over(bytes))
            && matches!(
                self.connection.front(self.role, bytes, &context.settings.hello),
                Front::Hello(..) | Front::Answer(..)
            )
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
        let news = reading.push(segment, self.packet_ref(), context.counts);
        if news == News::InOrder && !self.read_on(&mut reading, segment, context) {
            self.side().next = Some(reading.head.next_seq());
        } else if reading.head.held() > 0 {
            self.count_cut(hello_in(segment, news, &reading), context);
            self.side().has_begun = true;
            let Some(source) = self.packet.source_network() else { return };
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
            let (front, end) = match &mut reading.joiner {
                None => {
                    let front = self.connection.front(self.role, bytes, &context.settings.hello);
                    let end = front.end().unwrap_or(bytes.len());
                    (front, end)
                }
                Some(joiner) => {
                    let new = bytes.get(reading.joined..).unwrap_or_default();
                    reading.joined = bytes.len();
                    joined(self.role, joiner, new, bytes.len())
                }
            };
            // What a hello waits behind is none of it.
            let before = record::passed_over(bytes);
            match front {
                Front::Incomplete if reading.head.is_full() => {
                    self.connection.on_too_long(context.counts);
                    return false;
                }
                Front::Incomplete => {
                    if before.is_none() {
                        reading.brought.pass_all();
                    }
                    return true;
                }
                Front::SeveralRecords => {
                    reading.joiner = Some(RecordJoiner::new(self.role.hello(), context.settings.hello));
                    continue;
                }
                _ => {}
            }
            // The bytes lie within a stream of at most 2^30.
            let number_of = |at: usize| reading.head.front_seq() + u32::try_from(at).unwrap_or(u32::MAX);
            let hello = number_of(before.unwrap_or_default())..number_of(end);
            let evidence = self.evidence(reading.brought.carriers(hello, self.packet_ref()));
            let taken = self.connection.take(self.role, front, available, &evidence, context);
            reading.pass(taken);
        }
        false
    }

    fn side(&mut self) -> &mut Side {
        self.connection.side(self.role)
    }

    fn packet_ref(&self) -> PacketRef {
        PacketRef::of(self.packet)
    }

    fn evidence(&self, carriers: Carriers) -> Evidence<'a> {
        Evidence { packet: self.packet, carriers }
    }
}

/// The hello that a segment with `news` goes on with or begins.
fn hello_in(segment: Segment<'_>, news: News, reading: &Reading) -> Option<HandshakeType> {
    match news {
        News::Nothing => None,
        News::Waiting => shape::hello_of(shape::behind_passed_over(segment.payload)),
        News::InOrder => reading.hello_at_front(),
    }
}

/// Whether a segment is too far ahead to belong to what is awaited.
fn is_far(seq: SeqNumber, next: SeqNumber) -> bool {
    seq.distance_from(next) >= MAX_AHEAD
}

/// Joins the records of a hello from `new` bytes on, and tells where it ends. All `read` so far are done with when it is complete.
fn joined<'a>(role: Role, joiner: &'a mut RecordJoiner, new: &[u8], read: usize) -> (Front<'a>, usize) {
    match joiner.push(new, false) {
        Ok(Some(end)) => (Front::of_message(role, joiner.message(), read), read - new.len() + end),
        Ok(None) => (Front::Incomplete, read),
        Err(error) => (Front::Other(Some(error)), read),
    }
}
