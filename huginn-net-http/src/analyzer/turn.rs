//! One direction of a connection, and the packet that brings bytes of it.

use huginn_net_core::{BytesKeeper, FlowTagger, Origin, Packet, Progress, ProxyHeader, Segment, SeqNumber};

use super::connection::{Asked, Connection, Role, Side, Stage};
use super::counts::Counts;
use super::http2::{Http2Connection, Pushed};
use super::http2_connections::Http2Connections;
use super::reading::{MAX_AHEAD, PendingKey, PendingReadings, Reading};
use super::shape;
use crate::event::{HttpEvent, HttpRequest, HttpResponse, RequestForm, ResponseForm};
use crate::http1::{
    BodyLength, ChunkScanner, Framing, HeadShapes, Http1Error, Http1Request, Http1Response, Http1Scanner,
    PassedOver,
};
use crate::http2::ServerReader;
use crate::settings::HttpSettings;

/// What analysis goes by, and where its results go.
pub(super) struct Context<'a> {
    pub(super) settings: &'a HttpSettings,
    pub(super) tagger: &'a FlowTagger,
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
    pub(super) packet: &'a Packet<'a>,
    /// Whether the connection is none of HTTP.
    pub(super) is_refused: bool,
}

/// What became of bytes.
enum Taken {
    /// So many are done with, which need not be there.
    Bytes(u64),
    /// They are the begin of something.
    NeedMore,
    /// Nothing more is read here.
    Stop,
}

impl Turn<'_> {
    /// Takes a segment, wherever it belongs.
    pub(super) fn on_segment(
        &mut self,
        segment: Segment<'_>,
        pending: &mut PendingReadings,
        context: &mut Context<'_>,
    ) {
        if self.side().is_searching() && !self.find(segment) {
            return;
        }
        if self.side().is_done() {
            return;
        }
        if self.side().may_lack_body && self.side().next == segment.seq && self.begins(segment.payload) {
            self.side().begin_at(segment.seq);
        }
        if self.connection.is_new() && self.reaches_over_begin(segment) && self.begins(segment.payload) {
            self.side().begin_at(segment.seq);
        }
        let Some(segment) = self.side().pass(segment) else { return };
        if core::mem::take(&mut self.side().is_waiting) {
            let now = self.packet.captured_at();
            match pending.get(&self.key, now) {
                Some(reading) if !reading.is_far_from(segment.seq) => {
                    if self.continue_reading(reading, segment, context) {
                        self.side().is_waiting = true;
                        pending.charge(&self.key);
                    } else {
                        pending.remove(&self.key);
                    }
                    return;
                }
                // Its number may be one that the receiver does not take: what waits is still waited for. Behind what is missing
                // of HTTP/2 nothing begins anew.
                Some(_) if self.is_in_frames() || !self.begins(segment.payload) => {
                    self.side().is_waiting = true;
                    return;
                }
                Some(_) => {
                    pending.remove(&self.key);
                    self.lose(context);
                }
                // Nothing is missing before this segment, whatever else was given up.
                None if ahead_of(self.side(), segment) == 0 => {}
                // It was given up, and what this segment would continue with it.
                None => self.lose(context),
            }
        }
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
            self.connection.exchanges.on_search_end(self.role);
        }
        is_found
    }

    /// Whether a segment begins with a head of the kind that this side sends.
    fn begins(&self, payload: &[u8]) -> bool {
        match self.role {
            Role::Client => shape::begins_request(payload),
            Role::Server => {
                shape::begins_response(payload)
                    || self.connection.is_http2
                        && payload.len() >= FRAME_HEADER
                        && ServerReader::may_begin(payload)
            }
        }
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

    /// Whether frames of HTTP/2 are what comes next.
    fn is_in_frames(&mut self) -> bool {
        matches!(self.side().stage, Stage::Http2)
    }

    fn search(&mut self) {
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
        let now = self.packet.captured_at();
        let begins = self.begins(segment.payload);
        let pushed = reading.push(segment.seq, segment.payload, begins, now, context.counts);
        let is_late = now.since(reading.missing_since) > context.settings.max_pending_idle;
        let is_stuck = pushed.is_none() || is_late && reading.head.gaps() > 0 && pushed != Some(true);
        if is_stuck {
            self.lose(context);
            if self.side().is_done() {
                return false;
            }
            let Some(front) = reading.pass_gap(now) else { return false };
            self.side().begin_at(front);
            self.connection.exchanges.on_search_end(self.role);
        }
        self.read_on(reading, context)
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
        let now = self.packet.captured_at();
        let mut reading = Box::new(Reading::new(start, scanner, &context.settings.http1, now));
        let begins = self.begins(segment.payload);
        match reading.push(segment.seq, segment.payload, begins, now, context.counts) {
            Some(_) => self.hold(reading, pending, context),
            None => self.give_up(),
        }
    }

    /// Waits for the next bytes of this side, as a segment says that they are missing whose number may be one that the receiver
    /// does not take.
    fn wait(&mut self, pending: &mut PendingReadings, context: &Context<'_>) {
        let (next, now) = (self.side().next, self.packet.captured_at());
        let reading = Reading::new(next, None, &context.settings.http1, now);
        self.hold(Box::new(reading), pending, context);
    }

    fn hold(&mut self, reading: Box<Reading>, pending: &mut PendingReadings, context: &Context<'_>) {
        let Some(source) = context.tagger.source_network(self.packet) else { return };
        if pending.insert(self.key, source, reading, self.packet.captured_at()) {
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
            let scanner = reading.scanner.get_or_insert_with(|| self.scanner(context));
            match self.take(reading.head.bytes(), scanner, context) {
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

    /// Takes bytes in order, the first of which is the next one of this side.
    fn take(&mut self, bytes: &[u8], scanner: &mut Http1Scanner, context: &mut Context<'_>) -> Taken {
        match &mut self.connection.side(self.role).stage {
            Stage::Search | Stage::Done => Taken::Stop,
            Stage::Head => self.take_head(bytes, scanner, context),
            Stage::Http2 => self.take_frames(bytes, context),
            Stage::Chunks(chunks) => match chunks.scan(bytes) {
                Ok(PassedOver { bytes, is_end }) => {
                    if is_end {
                        self.side().stage = Stage::Head;
                    }
                    Taken::Bytes(bytes)
                }
                Err(error) => {
                    context.counts.refused(&error);
                    self.search();
                    Taken::Stop
                }
            },
        }
    }

    /// For a head of the kind that this side sends.
    fn scanner(&self, context: &Context<'_>) -> Http1Scanner {
        match self.role {
            Role::Client => Http1Scanner::request(context.settings.http1),
            Role::Server => Http1Scanner::response(context.settings.http1),
        }
    }

    fn take_head(&mut self, bytes: &[u8], scanner: &mut Http1Scanner, context: &mut Context<'_>) -> Taken {
        if self.role == Role::Server && self.connection.expects_http2() && ServerReader::may_begin(bytes) {
            // A server of HTTP/2 need not wait for its client.
            if bytes.len() < FRAME_HEADER {
                return Taken::NeedMore;
            }
            return self.begin_http2(bytes, context);
        }
        let taken = match self.role {
            Role::Client => scanner
                .scan_beside(bytes, context.shapes)
                .and_then(|scanned| match scanned {
                    Progress::Done(_) => Http1Request::of_scanned(bytes, scanner).map(Progress::Done),
                    Progress::NeedMore => Ok(Progress::NeedMore),
                })
                .map(|parsed| parsed.map(|request| self.on_request(request, context))),
            Role::Server => scanner
                .scan_beside(bytes, context.shapes)
                .and_then(|scanned| match scanned {
                    Progress::Done(_) => Http1Response::of_scanned(bytes, scanner).map(Progress::Done),
                    Progress::NeedMore => Ok(Progress::NeedMore),
                })
                .map(|parsed| {
                    parsed.map(|response| {
                        let framing = scanner.known_framing().unwrap_or_else(|| response.framing());
                        self.on_response(response, framing, bytes.len(), context)
                    })
                }),
        };
        match taken {
            Ok(Progress::Done(taken)) => taken,
            Ok(Progress::NeedMore) => Taken::NeedMore,
            Err(Http1Error::Http2Preface) => self.begin_http2(bytes, context),
            Err(error) => match self.awaits_proxy().then(|| ProxyHeader::parse(bytes)).flatten() {
                Some(Progress::Done(header)) => {
                    self.side().proxies += 1;
                    Taken::Bytes(header.length as u64)
                }
                Some(Progress::NeedMore) => Taken::NeedMore,
                None => {
                    self.on_refused(bytes, &error, context);
                    Taken::Stop
                }
            },
        }
    }

    /// Whether a proxy may speak before this side: the client, when nothing of either was read.
    fn awaits_proxy(&self) -> bool {
        self.role == Role::Client
            && self.connection.is_new()
            && self.connection.client_side.proxies < MAX_PROXIES
    }

    /// Goes on with frames of HTTP/2, the first of which are in `bytes`.
    fn begin_http2(&mut self, bytes: &[u8], context: &mut Context<'_>) -> Taken {
        self.side().stage = Stage::Http2;
        self.connection.is_http2 = true;
        let now = self.packet.captured_at();
        let Connection { exchanges, upgraded, .. } = &*self.connection;
        if let Some(http2) = context.http2.get(&self.key.0, now) {
            http2.upgrade(*upgraded);
        } else {
            let http2 = Http2Connection::new(context.settings.http2, exchanges.requests, *upgraded, now);
            let source = context.tagger.source_network(self.packet);
            let is_held = source.is_some_and(|source| context.http2.insert(self.key.0, source, http2, now));
            if !is_held {
                self.connection.finish();
                return Taken::Stop;
            }
        }
        self.take_frames(bytes, context)
    }

    fn take_frames(&mut self, bytes: &[u8], context: &mut Context<'_>) -> Taken {
        let Some(http2) = context.http2.get(&self.key.0, self.packet.captured_at()) else {
            self.connection.finish();
            return Taken::Stop;
        };
        let most = u32::from(context.settings.max_exchanges);
        let (mut pushed, origin) = (Pushed::default(), Origin::of(self.packet));
        let was_full = http2.is_full(most);
        let read = http2.push((self.role, bytes), most, origin, &mut pushed, context.report);
        context.counts.exchanges_limit += u64::from(!was_full && http2.is_full(most));
        let (is_client_done, is_server_done) = (http2.is_client_done(most), http2.is_server_done(most));
        context.counts.http2_requests += u64::from(pushed.requests);
        context.counts.http2_responses += u64::from(pushed.responses);
        context.counts.interim += pushed.interim;
        self.connection.exchanges.requests += pushed.requests;
        self.connection.exchanges.responses += pushed.responses;
        if let Err(error) = read {
            context.counts.refused_http2(&error);
            context.http2.discard(&self.key.0);
            self.connection.finish();
            return Taken::Stop;
        }
        context.http2.charge(&self.key.0);
        if is_client_done {
            self.connection.client_side.stage = Stage::Done;
        }
        if is_server_done {
            self.connection.server_side.stage = Stage::Done;
        }
        match self.side().stage {
            Stage::Http2 => Taken::Bytes(bytes.len().saturating_add(pushed.skip) as u64),
            _ => Taken::Stop,
        }
    }

    /// Bytes that are no head, or one beyond a limit.
    fn on_refused(&mut self, bytes: &[u8], error: &Http1Error, context: &mut Context<'_>) {
        let is_new = self.connection.is_new();
        let is_other = matches!(error, Http1Error::NotHttp1);
        if !is_new || !is_other || self.begins(bytes) {
            context.counts.refused(error);
        }
        self.search();
        // The other side may yet be one of HTTP.
        if is_new && is_other && self.connection.is_searching() {
            context.counts.not_http += 1;
            self.is_refused = true;
        }
    }

    fn on_request(&mut self, request: Http1Request<'_>, context: &mut Context<'_>) -> Taken {
        let exchanges = &mut self.connection.exchanges;
        let Some(exchange) = exchanges.on_request(Asked::of(request.method())) else {
            context.counts.pipelined_limit += 1;
            self.connection.finish();
            return Taken::Stop;
        };
        context.counts.http1_requests += 1;
        (context.report)(HttpEvent::Request(HttpRequest {
            origin: Origin::of(self.packet),
            exchange,
            head: RequestForm::Http1(request.into_owned(context.keeper)),
        }));
        if self.connection.exchanges.requests >= u32::from(context.settings.max_exchanges) {
            context.counts.exchanges_limit += 1;
            self.side().stage = Stage::Done;
            if self.connection.exchanges.are_answered() {
                self.connection.finish();
            }
            return Taken::Stop;
        }
        if self.connection.server_side.is_done() && self.connection.exchanges.are_asked() {
            self.connection.finish();
            return Taken::Stop;
        }
        self.pass_body(request.bytes().len(), request.body(), context)
    }

    /// Takes a response, of whose bytes and those behind them so many are `available`.
    fn on_response(
        &mut self,
        response: Http1Response<'_>,
        framing: Framing<'_>,
        available: usize,
        context: &mut Context<'_>,
    ) -> Taken {
        let len = response.bytes().len() as u64;
        if matches!(response.status(), Some(100 | 102..=199)) {
            context.counts.interim += 1;
            return Taken::Bytes(len);
        }
        let asked = self.connection.exchanges.next_asked();
        let exchange = self.connection.exchanges.on_response();
        self.side().may_lack_body = asked.is_none() && response.bytes().len() == available;
        let body = framing.of_response(response.status(), asked.map_or(&b""[..], Asked::method));
        let is_persistent = framing.is_persistent(response.version());
        let is_http2 = response.status() == Some(101)
            && framing.upgrade().is_some_and(|named| named.eq_ignore_ascii_case(b"h2c"));
        context.counts.http1_responses += 1;
        (context.report)(HttpEvent::Response(HttpResponse {
            origin: Origin::of(self.packet),
            exchange,
            is_answer: asked.is_some(),
            head: ResponseForm::Http1(response.into_owned(context.keeper)),
        }));
        if body == BodyLength::Switched {
            if is_http2 {
                self.connection.upgraded = Some(exchange);
                return Taken::Bytes(len);
            }
            context.counts.switched += 1;
        }
        let is_last = self.connection.exchanges.responses >= u32::from(context.settings.max_exchanges);
        context.counts.exchanges_limit += u64::from(is_last && !self.connection.client_side.is_done());
        if is_last || matches!(body, BodyLength::Switched | BodyLength::UntilClose) || !is_persistent {
            self.connection.finish_server();
            return Taken::Stop;
        }
        self.pass_body(response.bytes().len(), body, context)
    }

    /// Passes over a head and its body, as far as it is known where that ends.
    fn pass_body(&mut self, head: usize, body: BodyLength, context: &Context<'_>) -> Taken {
        match body {
            BodyLength::Known(bytes) => Taken::Bytes(bytes.saturating_add(head as u64)),
            BodyLength::Chunked => {
                self.side().stage = Stage::Chunks(Box::new(ChunkScanner::new(context.settings.http1)));
                Taken::Bytes(head as u64)
            }
            BodyLength::UntilClose | BodyLength::Switched | BodyLength::Unknown => {
                self.search();
                Taken::Stop
            }
        }
    }

    fn side(&mut self) -> &mut Side {
        self.connection.side(self.role)
    }
}

/// Most proxies of which each writes a header before what it passes on.
const MAX_PROXIES: u8 = 16;
/// Bytes of the header of a frame.
const FRAME_HEADER: usize = 9;

/// How many bytes are missing before a segment, of which all matters.
fn ahead_of(side: &Side, segment: Segment<'_>) -> u32 {
    u32::try_from(segment.seq.distance_from(side.next)).unwrap_or(0)
}
