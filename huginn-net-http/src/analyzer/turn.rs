//! One direction of a connection, and the packet that brings bytes of it.

use huginn_net_core::{BytesKeeper, NetworkTag, Origin, Packet, Segment, SeqNumber, Timestamp};

use super::connection::{Connection, Missing, Role, Side, Stage};
use super::counts::Counts;
use super::http2_connections::Http2Connections;
use super::opened::Opened;
use super::reading::{Earlier, MAX_AHEAD, PendingKey, PendingReadings, Reading};
use super::shape;
use crate::event::HttpEvent;
use crate::http1::{HeadShapes, Http1Scanner};
use crate::http2::{FrameHeader, ServerReader};
use crate::settings::HttpSettings;

/// What analysis goes by, and where its results go.
pub(super) struct Context<'a> {
    pub(super) settings: &'a HttpSettings,
    pub(super) shapes: &'a mut HeadShapes,
    /// Keeps the heads of events.
    pub(super) keeper: &'a mut BytesKeeper,
    pub(super) http2: &'a mut Http2Connections,
    pub(super) counts: &'a mut Counts,
    pub(super) report: &'a mut dyn FnMut(HttpEvent),
}

/// One direction of a connection, and the packet that brought bytes of it.
pub(super) struct Turn<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) role: Role,
    pub(super) key: PendingKey,
    pub(super) carrier: Carrier<'a>,
    /// Whether the connection is none of HTTP.
    pub(super) is_refused: bool,
}

/// The packet that brought the bytes that are read.
#[derive(Clone, Copy)]
pub(super) enum Carrier<'a> {
    Packet(&'a Packet<'a>),
    /// One whose bytes waited until now.
    Earlier(Earlier, Timestamp),
}

impl Carrier<'_> {
    /// The time at which its bytes are read.
    pub(super) fn now(&self) -> Timestamp {
        match self {
            Self::Packet(packet) => packet.captured_at(),
            Self::Earlier(_, now) => *now,
        }
    }

    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Packet(packet) => Origin::of(packet),
            Self::Earlier(packet, _) => packet.origin,
        }
    }

    /// Whether bytes of it were not captured.
    fn is_cut(&self) -> bool {
        match self {
            Self::Packet(packet) => packet.layout().is_cut(),
            Self::Earlier(packet, _) => packet.is_cut,
        }
    }
}

/// What became of bytes.
pub(super) enum Taken {
    /// So many are done with, which need not be there.
    Bytes(u64),
    /// They are the begin of something.
    NeedMore,
    /// Nothing more is read here.
    Stop,
}

impl Turn<'_> {
    /// Takes the segment of the packet, wherever it belongs.
    pub(super) fn on_segment(
        &mut self,
        segment: Segment<'_>,
        pending: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        self.place(segment, pending, context);
        if self.role == Role::Client && self.connection.is_http2 && self.is_short(pending) {
            context.http2.on_client_short(&self.key.0, self.carrier.now(), context.report);
        }
    }

    /// Whether this side has sent more than what was read of it.
    fn is_short(&mut self, pending: &mut PendingReadings) -> bool {
        let waits_behind_gap = |pending: &mut PendingReadings| {
            let reading = pending.get(&self.key, self.carrier.now());
            reading.is_none_or(|reading| reading.head.gaps() > 0)
        };
        let side = self.connection.side(self.role);
        side.is_done() || self.carrier.is_cut() || side.is_waiting && waits_behind_gap(pending)
    }

    fn place(&mut self, segment: Segment<'_>, pending: &mut PendingReadings, context: &mut Context<'_>) {
        if self.side().is_searching() && !self.find(segment) {
            return;
        }
        if self.side().is_done() {
            return;
        }
        if self.lacks_body() && self.side().next == segment.seq && self.begins(segment.payload) {
            self.side().begin_at(segment.seq);
        }
        if self.connection.is_new() && self.reaches_over_begin(segment) && self.begins(segment.payload) {
            self.side().begin_at(segment.seq);
        }
        let Some(segment) = self.side().pass(segment) else { return };
        let was_waiting = core::mem::take(&mut self.side().is_waiting);
        let goes_on = if was_waiting { self.on_awaited(segment, pending, context) } else { Some(segment) };
        let Some(segment) = goes_on else { return };
        if self.side().is_done() {
            return;
        }
        if !self.side().is_searching() && ahead_of(self.side(), segment) > MAX_AHEAD {
            if self.is_in_frames() {
                return self.wait(pending, context);
            }
            self.lose(context);
        }
        if self.side().is_searching() && !self.find(segment) {
            return;
        }
        if ahead_of(self.side(), segment) == 0 {
            self.read_segment(segment, pending, context);
        } else {
            let start = self.side().next;
            self.begin(start, segment, None, pending, context);
        }
    }

    /// Takes a segment where bytes wait for others. Gives what of it goes on without them, if they wait no longer.
    fn on_awaited<'s>(
        &mut self,
        segment: Segment<'s>,
        pending: &mut PendingReadings,
        context: &mut Context<'_>,
    ) -> Option<Segment<'s>> {
        let now = self.carrier.now();
        let mut segment = segment;
        if ahead_of(self.side(), segment) == 0 && !self.is_in_frames() {
            // What was missing came after all.
            pending.hear(&self.key, now);
        }
        if let Some(late) = pending.take_late(&self.key, now) {
            segment = self.go_on_behind(late, segment, context)?;
        }
        match pending.get(&self.key, now) {
            Some(reading) if !reading.is_far_from(segment.seq) => {
                if self.continue_reading(reading, segment, context) {
                    self.side().is_waiting = true;
                    pending.charge(&self.key);
                } else {
                    pending.remove(&self.key);
                }
                return None;
            }
            // Its number may be one that the receiver does not take: what waits is still waited for. Behind what is missing
            // of HTTP/2 nothing begins anew.
            Some(_) if self.is_in_frames() || !self.begins(segment.payload) => {
                self.side().is_waiting = true;
                return None;
            }
            Some(_) => {
                if let Some(reading) = pending.remove(&self.key) {
                    segment = self.go_on_behind(reading, segment, context)?;
                }
                if ahead_of(self.side(), segment) > 0 {
                    self.lose(context);
                }
            }
            // Nothing is missing before this segment, whatever else was given up.
            None if ahead_of(self.side(), segment) == 0 => {}
            // What was given up may have been nothing but such numbers, and this is one, too.
            None if self.awaits_frames_far_before(segment, context) => {
                self.wait(pending, context);
                return None;
            }
            // It was given up, and what this segment would continue with it.
            None => self.lose(context),
        }
        Some(segment)
    }

    /// What is kept of the packet whose bytes wait.
    fn keep(&self) -> Earlier {
        let (origin, is_cut) = (self.carrier.origin(), self.carrier.is_cut());
        let exchanges = self.connection.exchanges;
        Earlier { origin, is_cut, client_network: self.client_network(), exchanges }
    }

    /// The network of the client.
    pub(super) fn client_network(&self) -> Option<NetworkTag> {
        match (self.carrier, self.role) {
            (Carrier::Packet(packet), Role::Client) => packet.source_network(),
            (Carrier::Packet(packet), Role::Server) => packet.destination_network(),
            (Carrier::Earlier(packet, _), _) => packet.client_network,
        }
    }

    /// Whether the next frame of HTTP/2 is waited for so far before a segment that this one would not wait, as long as the
    /// connection is followed.
    fn awaits_frames_far_before(&mut self, segment: Segment<'_>, context: &mut Context<'_>) -> bool {
        self.is_in_frames()
            && ahead_of(self.side(), segment) > MAX_AHEAD
            && context.http2.get(&self.key.0, self.carrier.now(), context.report).is_some()
    }

    /// Whether a segment has bytes before and behind the first one that this side should send, so that its begin was told wrong:
    /// bytes that are sent again do not reach behind it.
    fn reaches_over_begin(&mut self, segment: Segment<'_>) -> bool {
        let side = self.side();
        !side.is_waiting
            && side.next.distance_from(segment.seq) > 0
            && segment.end().distance_from(side.next) > 0
    }

    /// Begins anew at a segment that begins with a head.
    fn find(&mut self, segment: Segment<'_>) -> bool {
        let is_found = self.begins(segment.payload) && self.side().may_begin_at(segment.seq);
        if is_found {
            self.side().begin_at(segment.seq);
            let goes_on = self.role == Role::Server && self.connection.server_goes_on_at == Some(segment.seq);
            if !(goes_on && self.connection.exchanges.doubt_several_asked()) {
                self.connection.exchanges.on_search_end(self.role);
            }
        }
        is_found
    }

    /// Whether a segment begins with a head of the kind that this side sends.
    pub(super) fn begins(&self, payload: &[u8]) -> bool {
        match self.role {
            Role::Client => shape::begins_request(payload),
            Role::Server => {
                shape::begins_response(payload)
                    || (self.connection.is_http2 || self.connection.is_new())
                        && payload.len() >= FrameHeader::LEN
                        && self.may_begin_frames(payload)
            }
        }
    }

    /// Whether a server may begin with these frames of HTTP/2: with its SETTINGS or, where it need not have waited for its client and
    /// nobody knew yet that they are HTTP/2, with the acknowledgment of the client's, which comes before all responses.
    pub(super) fn may_begin_frames(&self, bytes: &[u8]) -> bool {
        let may_have_begun = self.connection.is_http2 && self.connection.opened == Opened::Unseen;
        ServerReader::may_begin(bytes) || may_have_begun && ServerReader::acknowledges(bytes)
    }

    /// Counts that bytes of this side are missing.
    fn lose(&mut self, context: &mut Context<'_>) {
        context.counts.lost += 1;
        self.give_up();
    }

    /// Gives up to follow this side. HTTP/2 cannot be read on where bytes are missing.
    fn give_up(&mut self) {
        if self.is_in_frames() {
            self.connection.finish();
        } else {
            self.search();
        }
    }

    /// Whether the latest head has no body if the next one begins where that would. A request that was not let go on has its
    /// response by then.
    fn lacks_body(&mut self) -> bool {
        let is_refused = self.role == Role::Server || self.connection.exchanges.are_answered();
        is_refused && self.side().may_lack_body
    }

    /// Whether a head is what comes next.
    fn is_at_head(&mut self) -> bool {
        matches!(self.side().stage, Stage::Head)
    }

    /// Whether frames of HTTP/2 are what comes next.
    fn is_in_frames(&mut self) -> bool {
        matches!(self.side().stage, Stage::Http2)
    }

    pub(super) fn search(&mut self) {
        let side = self.side();
        side.search_from(side.next);
        self.connection.exchanges.is_whole = false;
    }

    /// What comes behind bytes that nothing more is read of.
    fn stop_at(&mut self, end: SeqNumber) {
        let side = self.side();
        if side.is_searching() {
            side.search_from(end);
        }
    }

    /// Adds a segment to bytes that wait. False if nothing is left that waits.
    fn continue_reading(
        &mut self,
        reading: &mut Reading,
        segment: Segment<'_>,
        context: &mut Context<'_>,
    ) -> bool {
        let now = self.carrier.now();
        let begins = self.begins(segment.payload).then_some(|| self.keep());
        let pushed = reading.push(segment, begins, now, context.counts);
        let is_late = now.since(reading.missing_since) > context.settings.pending.max_idle;
        let is_stuck = pushed.is_none() || is_late && reading.head.gaps() > 0 && pushed != Some(true);
        if is_stuck {
            let was_at_head = self.is_at_head();
            self.lose(context);
            if self.side().is_done() || !self.pass_gap(reading, was_at_head) {
                return false;
            }
        }
        self.read_on(reading, context)
    }

    /// Goes on with the next head that waits, without the bytes that are missing before it, which `was_at_head` says to begin with
    /// a head, or within one. False if there is none.
    fn pass_gap(&mut self, reading: &mut Reading, was_at_head: bool) -> bool {
        let missing = match (was_at_head, reading.head.bytes()) {
            (true, []) => Missing::Head,
            (true, _) => Missing::RestOfHead,
            (false, _) => Missing::Other,
        };
        let Some((front, before)) = reading.pass_gap(self.carrier.now()) else { return false };
        self.side().begin_at(front);
        self.connection.exchanges.is_whole = false;
        self.connection.exchanges.on_gap(self.role, missing, &before);
        true
    }

    /// Reads the heads that wait behind bytes that will not come.
    pub(super) fn conclude(&mut self, reading: &mut Reading, context: &mut Context<'_>) {
        self.side().is_waiting = false;
        loop {
            let was_at_head = self.is_at_head();
            if self.side().is_done() || self.is_in_frames() || !self.pass_gap(reading, was_at_head) {
                break;
            }
            if !self.read_on(reading, context) {
                break;
            }
        }
        let is_short = reading.head.held() > 0 || self.carrier.is_cut();
        if is_short && self.role == Role::Client && self.connection.is_http2 {
            context.http2.on_client_short(&self.key.0, self.carrier.now(), context.report);
        }
    }

    /// Reads the heads that wait behind bytes that will not come, and gives what of a segment behind them matters.
    fn go_on_behind<'s>(
        &mut self,
        mut reading: Box<Reading>,
        segment: Segment<'s>,
        context: &mut Context<'_>,
    ) -> Option<Segment<'s>> {
        self.conclude(&mut reading, context);
        let segment = self.side().pass(segment)?;
        (!self.side().is_done()).then_some(segment)
    }

    /// Reads bytes that begin where the side was, from the segment itself.
    fn read_segment(
        &mut self,
        mut segment: Segment<'_>,
        pending: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        loop {
            let mut scanner = self.scanner(context);
            match self.take(segment.payload, &mut scanner, context) {
                Taken::Bytes(bytes) => {
                    self.side().advance(bytes, segment.payload.len());
                    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                    let Some(rest) = segment.without(bytes) else { return };
                    segment = rest;
                }
                Taken::NeedMore => return self.begin(segment.seq, segment, Some(scanner), pending, context),
                Taken::Stop => return self.stop_at(segment.end()),
            }
        }
    }

    /// Holds a segment until the bytes from `start` on that are missing before it arrive, or those behind it.
    fn begin(
        &mut self,
        start: SeqNumber,
        segment: Segment<'_>,
        scanner: Option<Http1Scanner>,
        pending: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        let now = self.carrier.now();
        let mut reading = Box::new(Reading::new(start, scanner, &context.settings.http1, now));
        let begins = self.begins(segment.payload).then_some(|| self.keep());
        match reading.push(segment, begins, now, context.counts) {
            Some(_) => self.hold(reading, pending),
            None => self.give_up(),
        }
    }

    /// Waits for the next bytes of this side, as a segment says that they are missing whose number may be one that the receiver
    /// does not take.
    fn wait(&mut self, pending: &mut PendingReadings, context: &Context<'_>) {
        let (next, now) = (self.side().next, self.carrier.now());
        let reading = Reading::new(next, None, &context.settings.http1, now);
        self.hold(Box::new(reading), pending);
    }

    fn hold(&mut self, reading: Box<Reading>, pending: &mut PendingReadings) {
        let Carrier::Packet(packet) = self.carrier else { return };
        let Some(source) = packet.source_network() else { return };
        if pending.insert(self.key, source, reading, self.carrier.now()) {
            self.side().is_waiting = true;
        } else {
            self.give_up();
        }
    }

    /// Reads the bytes that are in order. False if nothing is left that waits.
    fn read_on(&mut self, reading: &mut Reading, context: &mut Context<'_>) -> bool {
        loop {
            let available = reading.head.bytes().len();
            if available == 0 {
                return reading.head.gaps() > 0;
            }
            let now = self.carrier.now();
            let earlier = reading.packet_of_front().map(|packet| Carrier::Earlier(packet, now));
            let scanner = reading.scanner.get_or_insert_with(|| self.scanner(context));
            let latest = self.carrier;
            self.carrier = earlier.unwrap_or(latest);
            let taken = self.take(reading.head.bytes(), scanner, context);
            self.carrier = latest;
            match taken {
                Taken::Bytes(bytes) => {
                    self.side().advance(bytes, available);
                    reading.scanner = None;
                    reading.head.skip(bytes);
                }
                Taken::NeedMore => return true,
                Taken::Stop => {
                    self.stop_at(reading.head.next_seq());
                    return false;
                }
            }
        }
    }

    pub(super) fn side(&mut self) -> &mut Side {
        self.connection.side(self.role)
    }
}

/// How many bytes are missing before a segment, of which all matters.
fn ahead_of(side: &Side, segment: Segment<'_>) -> u32 {
    u32::try_from(segment.seq.distance_from(side.next)).unwrap_or(0)
}
