//! What one direction of a connection brings.

use huginn_net_core::{Packet, Segment, SeqNumber};

use super::connection::{Connection, Context, Evidence, Front, Role, Side};
use super::cut::{CutHello, SpareBuffers};
use super::pending::{Begun, Pending, PendingKey};
use super::preamble::tds;
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
        if self.connection.begins_in_gap(self.role, segment) {
            if core::mem::take(&mut self.side().has_begun) {
                pending.remove(&self.key);
            }
            return self.read_segment(segment, pending, context);
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
                if reading.head.bytes().is_empty() && is_far(segment.seq, reading.head.next_seq()) {
                    self.side().has_begun = true;
                    return self.on_far(segment.payload, context);
                }
                if reading.head.bytes().is_empty()
                    && reading.head.next_seq().precedes(segment.seq)
                    && self.begins_whole(segment.payload, context)
                {
                    self.connection.note_gap(self.role, reading.head.next_seq());
                    pending.remove(&self.key);
                    return self.read_segment(segment, pending, context);
                }
                let news = reading.push(segment, self.packet_ref(), context.counts);
                let is_readable = news == News::InOrder || self.pass_gap(reading, context);
                if !is_readable || self.read_on(reading, segment, context) {
                    self.count_cut(hello_in(segment, news, reading), context);
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
        // What is missing before a hello was not captured, or belongs to what came before it.
        if is_apart || self.begins_whole(segment.payload, context) {
            self.connection.note_gap(self.role, next);
            self.read_segment(segment, pending, context);
        } else {
            self.begin(next, segment, pending, context);
        }
    }

    /// Takes a segment so far ahead that its receiver may not take it: the hello that it begins with, if it has the whole of it,
    /// as what is missing before it may not have been captured. Who sends such in the name of an end must not move what is
    /// awaited of it.
    fn on_far(&mut self, payload: &[u8], context: &mut Context<'_>) {
        if !self.is_whole(payload, context) {
            let now = self.packet.captured_at();
            return self.connection.pass_far(self.role, payload.len(), now, context);
        }
        let front = self.connection.front(self.role, payload, &context.settings.hello);
        if matches!(&front, Front::Hello(hello, _) if self.connection.is_sent_again(hello)) {
            return;
        }
        let evidence = self.evidence(Carriers::of(self.packet_ref()));
        self.connection.take(self.role, front, payload.len(), &evidence, context);
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

    /// Whether a segment begins with the whole of a hello, or with that in a packet of TDS.
    fn begins_whole(&mut self, payload: &[u8], context: &Context<'_>) -> bool {
        let wrapped = tds::before(self.role.hello(), payload).and_then(|at| payload.get(at..));
        self.is_whole(wrapped.unwrap_or(payload), context)
    }

    /// Passes over the bytes that are missing before a hello that is whole behind them.
    fn pass_gap(&mut self, reading: &mut Reading, context: &Context<'_>) -> bool {
        let front = reading.head.next_seq();
        let has_passed = reading.pass_gap(|bytes| self.is_whole(bytes, context));
        if has_passed {
            self.connection.note_gap(self.role, front);
        }
        has_passed
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
