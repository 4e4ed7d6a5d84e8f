//! What the bytes of a direction say, in their order.

use huginn_net_core::{Progress, ProxyHeader};

use super::connection::{Asked, Connection, Exchanges, Role, Stage, Upgrade};
use super::http2::{Http2Connection, Pushed};
use super::turn::{Context, Taken, Turn};
use crate::event::{HttpEvent, HttpRequest, HttpResponse, RequestForm, ResponseForm};
use crate::http1::{
    BodyLength, ChunkScanner, Framing, Http1Error, Http1Request, Http1Response, Http1Scanner, PassedOver,
};
use crate::http2::{FrameHeader, ServerReader};

/// Most proxies of which each writes a header before what it passes on.
const MAX_PROXIES: u8 = 16;

impl Turn<'_> {
    /// Takes bytes in order, the first of which is the next one of this side.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        scanner: &mut Http1Scanner,
        context: &mut Context<'_>,
    ) -> Taken {
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
    pub(super) fn scanner(&self, context: &Context<'_>) -> Http1Scanner {
        match self.role {
            Role::Client => Http1Scanner::request(context.settings.http1),
            Role::Server => Http1Scanner::response(context.settings.http1),
        }
    }

    fn take_head(&mut self, bytes: &[u8], scanner: &mut Http1Scanner, context: &mut Context<'_>) -> Taken {
        if self.role == Role::Server && self.connection.expects_http2() && self.may_begin_frames(bytes) {
            // A server of HTTP/2 need not wait for its client.
            if bytes.len() < FrameHeader::LEN {
                return Taken::NeedMore;
            }
            return self.begin_http2(bytes, context);
        }
        let taken = match scanner.scan_beside(bytes, context.shapes) {
            Ok(Progress::Done(_)) if self.role == Role::Client => Http1Request::of_scanned(bytes, scanner)
                .map(|request| {
                    let framing = scanner.known_framing().unwrap_or_else(|| request.framing());
                    self.on_request(request, &framing, bytes.len(), context)
                }),
            Ok(Progress::Done(_)) => Http1Response::of_scanned(bytes, scanner).map(|response| {
                let framing = scanner.known_framing().unwrap_or_else(|| response.framing());
                self.on_response(response, framing, bytes.len(), context)
            }),
            Ok(Progress::NeedMore) => return Taken::NeedMore,
            Err(error) => Err(error),
        };
        match taken {
            Ok(taken) => taken,
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
        let now = self.carrier.now();
        let Connection { exchanges: Exchanges { requests, is_whole, .. }, upgraded, .. } = *self.connection;
        if let Some(http2) = context.http2.get(&self.key.0, now, context.report) {
            http2.upgrade(upgraded);
            if self.role == Role::Server && ServerReader::acknowledges(bytes) {
                http2.go_on_behind_settings();
            }
        } else {
            let may_be_upgraded = requests > 0 || !is_whole;
            let mut http2 = Http2Connection::new(context.settings.http2, requests, may_be_upgraded, now);
            http2.upgrade(upgraded);
            let client = self.client_network();
            let is_held = client.is_some_and(|client| context.http2.insert(self.key.0, client, http2, now));
            if !is_held {
                self.connection.finish();
                return Taken::Stop;
            }
        }
        self.take_frames(bytes, context)
    }

    fn take_frames(&mut self, bytes: &[u8], context: &mut Context<'_>) -> Taken {
        let Some(http2) = context.http2.get(&self.key.0, self.carrier.now(), context.report) else {
            self.connection.finish();
            return Taken::Stop;
        };
        let most = u32::from(context.settings.max_exchanges);
        let (mut pushed, origin) = (Pushed::default(), self.carrier.origin());
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
        // A client need not wait for the answer before it uses the tunnel, whatever it sends through it.
        let is_tunnel =
            self.role == Role::Client && self.connection.exchanges.last_asked() == Some(Asked::Connect);
        if !is_tunnel && (!is_new || !is_other || self.begins(bytes)) {
            context.counts.refused(error);
        }
        self.search();
        // The other side may yet be one of HTTP.
        if is_new && is_other && self.connection.is_searching() {
            context.counts.not_http += 1;
            self.is_refused = true;
        }
    }

    /// Takes a request, of whose bytes and those behind them so many are `available`.
    fn on_request(
        &mut self,
        request: Http1Request<'_>,
        framing: &Framing<'_>,
        available: usize,
        context: &mut Context<'_>,
    ) -> Taken {
        let asked = Asked::of(request.method());
        let Some(exchange) = self.connection.exchanges.on_request(asked) else {
            context.counts.pipelined_limit += 1;
            self.connection.finish();
            return Taken::Stop;
        };
        if asked == Asked::Head && exchange + 1 == self.connection.exchanges.responses {
            self.on_late_head();
        }
        context.counts.http1_requests += 1;
        (context.report)(HttpEvent::Request(HttpRequest {
            origin: self.carrier.origin(),
            exchange,
            head: RequestForm::Http1(request.into_owned(context.keeper)),
        }));
        if self.connection.exchanges.requests >= u32::from(context.settings.max_exchanges) {
            context.counts.exchanges_limit += u64::from(!self.connection.server_side.is_done());
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
        self.side().may_lack_body = framing.expects_continue() && request.bytes().len() == available;
        self.pass_body(request.bytes().len(), framing.of_request(), context)
    }

    /// Learns that the latest response, whose request was captured behind it, answered HEAD: it has no body.
    fn on_late_head(&mut self) {
        let side = &mut self.connection.server_side;
        let lacks_body = core::mem::take(&mut side.may_lack_body);
        if lacks_body && !side.is_done() && !side.is_searching() {
            side.begin_at(side.next);
        }
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
            if response.status() == Some(100) {
                self.connection.client_side.may_lack_body = false;
            }
            return Taken::Bytes(len);
        }
        let asked = self.connection.exchanges.next_asked();
        let exchange = self.connection.exchanges.on_response();
        self.side().may_lack_body = asked.is_none() && response.bytes().len() == available;
        let is_persistent = framing.is_persistent(response.version());
        let body = match framing.of_response(response.status(), asked.map_or(&b""[..], Asked::method)) {
            // A server that says that it goes on ends no body with the connection: it may be the response to HEAD, which what
            // follows shows.
            BodyLength::UntilClose if framing.goes_on() && self.side().may_lack_body => {
                BodyLength::Known(u64::MAX)
            }
            body => body,
        };
        let is_http2 = response.status() == Some(101)
            && framing.upgrade().is_some_and(|named| named.eq_ignore_ascii_case(b"h2c"));
        context.counts.http1_responses += 1;
        (context.report)(HttpEvent::Response(HttpResponse {
            origin: self.carrier.origin(),
            exchange,
            is_answer: asked.is_some(),
            head: ResponseForm::Http1(response.into_owned(context.keeper)),
        }));
        if body == BodyLength::Switched {
            if is_http2 {
                self.connection.upgraded = Some(Upgrade { exchange, is_seen: asked.is_some() });
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
                self.side().stage =
                    Stage::Chunks(Box::new(ChunkScanner::with_limits(context.settings.http1)));
                Taken::Bytes(head as u64)
            }
            BodyLength::UntilClose | BodyLength::Switched | BodyLength::Unknown => {
                self.search();
                Taken::Stop
            }
        }
    }
}
