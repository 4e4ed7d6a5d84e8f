//! Connections of HTTP/2.

use core::time::Duration;

use huginn_net_core::{Direction, HeldBytes, Origin, Reader, Timestamp};

use super::connection::{Role, Upgrade};
use crate::akamai::{ClientHead, ClientReader};
use crate::event::{HttpEvent, HttpRequest, HttpResponse, HttpStart, RequestForm, ResponseForm};
use crate::http2::{Http2Error, Http2Limits, Http2Request, Http2Settings, ServerHead, ServerReader};

/// The stream of the response to the request that asked for an upgrade.
const UPGRADED: u32 = 1;
/// How long a client may take to its first request.
const PATIENCE: Duration = Duration::from_secs(1);

/// What both ends of a connection have sent.
pub(super) struct Http2Connection {
    client: ClientReader,
    server: ServerReader,
    /// The settings of the server, until its first response.
    settings: Option<Http2Settings>,
    /// The streams of the requests that wait for a response, with their numbers.
    asked: Vec<(u32, u32)>,
    /// As many that answered before their requests were seen.
    answered: Vec<(u32, u32)>,
    /// Number of the next exchange.
    next: u32,
    /// Requests that were reported.
    requests: u32,
    begun: Timestamp,
    /// The time of the latest packet of interest.
    seen_at: Timestamp,
    upgraded: Option<Upgrade>,
    /// A request of HTTP/1 may have asked for this, whether it was seen or not.
    may_be_upgraded: bool,
    /// The client has made a request of HTTP/2, or its start was reported without.
    has_request: bool,
    /// The latest packet of the client until then.
    opened_by: Option<Origin>,
    /// The client has sent more than what was read of it, and that may never come.
    is_client_short: bool,
    /// The way of the first FIN.
    half_closed: Option<Direction>,
}

/// What was found in the bytes of a segment.
#[derive(Default)]
pub(super) struct Pushed {
    /// Bytes behind them that are passed over.
    pub(super) skip: usize,
    pub(super) requests: u32,
    pub(super) responses: u32,
    /// Responses that answer nothing.
    pub(super) interim: u64,
}

impl Http2Connection {
    /// A connection that began with HTTP/2, or that was asked by a request of HTTP/1 to go on with it, the response to which is
    /// on stream 1 ([RFC 7540 §3.2](https://www.rfc-editor.org/rfc/rfc7540#section-3.2)): by the one that
    /// [`upgrade`](Self::upgrade) tells, or if it `may_be_upgraded`, by one that was not seen.
    pub(super) fn new(limits: Http2Limits, requests: u32, may_be_upgraded: bool, now: Timestamp) -> Self {
        Self {
            client: ClientReader::new(limits),
            server: ServerReader::new(limits),
            settings: None,
            asked: Vec::new(),
            answered: Vec::new(),
            next: requests,
            requests,
            begun: now,
            seen_at: now,
            upgraded: None,
            may_be_upgraded,
            has_request: false,
            opened_by: None,
            is_client_short: false,
            half_closed: None,
        }
    }

    /// Learns which request asked for this, if it was not known before.
    pub(super) fn upgrade(&mut self, upgraded: Option<Upgrade>) {
        if let (None, Some(Upgrade { exchange, .. })) = (self.upgraded, upgraded) {
            (self.upgraded, self.may_be_upgraded) = (upgraded, true);
            self.asked.push((UPGRADED, exchange));
        }
    }

    /// Reads the server on behind its SETTINGS, which were captured before it was known to be one.
    pub(super) fn go_on_behind_settings(&mut self) {
        self.server.go_on_behind_settings();
    }

    /// Takes a FIN; whether both ends have sent one.
    pub(super) fn on_fin(&mut self, way: Direction) -> bool {
        *self.half_closed.get_or_insert(way) != way
    }

    /// Whether `most` exchanges have begun.
    pub(super) const fn is_full(&self, most: u32) -> bool {
        self.next >= most
    }

    /// Whether nothing more is wanted of the client, if `most` exchanges are.
    pub(super) fn is_client_done(&self, most: u32) -> bool {
        self.requests >= most || self.is_full(most) && self.answered.is_empty()
    }

    /// As of the client.
    pub(super) fn is_server_done(&self, most: u32) -> bool {
        self.is_full(most) && self.asked.is_empty()
    }

    /// Reads the next bytes of an end, and reports the requests and responses of up to `most` exchanges, whichever comes
    /// first of the two. What is found before an error counts.
    pub(super) fn push(
        &mut self,
        (role, bytes): (Role, &[u8]),
        most: u32,
        origin: Origin,
        pushed: &mut Pushed,
        report: &mut dyn FnMut(HttpEvent),
    ) -> Result<(), Http2Error> {
        let mut input = Reader::new(bytes);
        match role {
            Role::Client => self.push_client(&mut input, most, origin, pushed, report),
            Role::Server => self.push_server(&mut input, most, origin, pushed, report),
        }
    }

    fn push_client(
        &mut self,
        input: &mut Reader<'_>,
        most: u32,
        origin: Origin,
        pushed: &mut Pushed,
        report: &mut dyn FnMut(HttpEvent),
    ) -> Result<(), Http2Error> {
        self.conclude_late_start(origin.captured_at, report);
        self.is_client_short = false;
        self.opened_by = Some(origin).filter(|_| !self.has_request);
        while self.requests < most
            && let Some(head) = self.client.next(input)?
        {
            if let Some(request) = self.request(head, most, origin) {
                report(HttpEvent::Request(request));
                pushed.requests += 1;
            }
        }
        pushed.skip = self.client.take_skip();
        Ok(())
    }

    fn push_server(
        &mut self,
        input: &mut Reader<'_>,
        most: u32,
        origin: Origin,
        pushed: &mut Pushed,
        report: &mut dyn FnMut(HttpEvent),
    ) -> Result<(), Http2Error> {
        while let Some(head) = self.server.next(input)? {
            let head = match head {
                ServerHead::Settings(settings) => {
                    self.settings = Some(settings);
                    continue;
                }
                ServerHead::Response(head) => head,
            };
            // RFC 9113 §8.4.2: streams of servers are even, and bring what nobody has asked for.
            if matches!(head.status(), Some(100..=199)) || head.stream().is_multiple_of(2) {
                pushed.interim += 1;
                continue;
            }
            let asked = take(&mut self.asked, head.stream());
            // To a request that was not seen, which has a number all the same, or was not reported.
            let Some(exchange) = asked.or_else(|| self.next_below(most)) else { continue };
            if asked.is_none() {
                self.answered.push((head.stream(), exchange));
            }
            pushed.responses += 1;
            let is_seen = head.stream() != UPGRADED || self.upgraded.is_none_or(|upgrade| upgrade.is_seen);
            let is_answer = asked.is_some() && is_seen;
            let head = ResponseForm::Http2 { head: Box::new(head), settings: self.settings.take() };
            report(HttpEvent::Response(HttpResponse { origin, exchange, is_answer, head }));
        }
        pushed.skip = self.server.take_skip();
        Ok(())
    }

    /// Learns the time of a packet.
    pub(super) fn see(&mut self, now: Timestamp) {
        self.seen_at = now;
    }

    pub(super) fn seen_at(&self) -> Timestamp {
        self.seen_at
    }

    /// Whether a request waits for its response.
    pub(super) fn awaits_response(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Reports what the client has sent, if it made no request for so long that none is waited for.
    pub(super) fn conclude_late_start(&mut self, now: Timestamp, report: &mut dyn FnMut(HttpEvent)) {
        if is_late(self.begun, now) {
            self.conclude_start(report);
        }
    }

    /// Learns, behind the bytes read last, that the client has sent more: what it has sent before its first request is not
    /// known until that comes.
    pub(super) fn on_client_short(&mut self) {
        self.is_client_short = true;
    }

    /// As [`conclude_late_start`](Self::conclude_late_start), or if an end has closed the connection: a client that is still
    /// young and open may yet make its request.
    pub(super) fn conclude_open_start(&mut self, now: Timestamp, report: &mut dyn FnMut(HttpEvent)) {
        if self.half_closed.is_some() {
            self.conclude_start(report);
        } else {
            self.conclude_late_start(now, report);
        }
    }

    /// Reports what the client has sent, if it made no request.
    pub(super) fn conclude_start(&mut self, report: &mut dyn FnMut(HttpEvent)) {
        if self.is_client_short || self.has_lost_request() || !self.client.is_complete() {
            return;
        }
        if let (Some(origin), Some(seen)) = (self.opened_by.take(), self.client.partial()) {
            self.has_request = true;
            let fingerprint = Box::new(seen);
            report(HttpEvent::Start(HttpStart {
                origin,
                upgraded: self.upgraded.map(|upgrade| upgrade.exchange),
                fingerprint,
            }));
        }
    }

    /// Whether the server has answered a request of HTTP/2 that was not seen.
    fn has_lost_request(&self) -> bool {
        self.answered.iter().any(|&(stream, _)| stream != UPGRADED || !self.may_be_upgraded)
    }

    /// The number of an exchange that begins, if it is one of the first.
    fn next_below(&mut self, most: u32) -> Option<u32> {
        let exchange = self.next;
        self.next += u32::from(exchange < most);
        (exchange < most).then_some(exchange)
    }

    fn request(&mut self, head: ClientHead, most: u32, origin: Origin) -> Option<HttpRequest> {
        (self.has_request, self.opened_by) = (true, None);
        let (stream, head) = match head {
            ClientHead::First(seen) => {
                (seen.request.as_ref().map_or(0, Http2Request::stream), RequestForm::First(Box::new(seen)))
            }
            ClientHead::Later(head) => (head.stream(), RequestForm::Http2(Box::new(head))),
        };
        let exchange = match take(&mut self.answered, stream) {
            Some(exchange) => exchange,
            None => {
                let exchange = self.next_below(most)?;
                self.asked.push((stream, exchange));
                exchange
            }
        };
        self.requests += 1;
        Some(HttpRequest { origin, exchange, head })
    }
}

/// Takes the exchange of a stream out of a list, which has no more than are reported of a connection.
fn take(exchanges: &mut Vec<(u32, u32)>, stream: u32) -> Option<u32> {
    let at = exchanges.iter().position(|&(known, _)| known == stream)?;
    Some(exchanges.remove(at).1)
}

/// Whether a connection that began then has had its time.
pub(super) fn is_late(begun: Timestamp, now: Timestamp) -> bool {
    now.abs_diff(begun) >= PATIENCE
}

impl HeldBytes for Http2Connection {
    fn held_bytes(&self) -> usize {
        self.client.held_bytes()
            + self.server.held_bytes()
            + self.settings.as_ref().map_or(0, |settings| size_of_val(settings.list()))
            + (self.asked.capacity() + self.answered.capacity()) * size_of::<(u32, u32)>()
    }
}
