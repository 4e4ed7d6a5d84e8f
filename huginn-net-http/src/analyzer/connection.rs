//! What is known of a TCP connection.

use huginn_net_core::{Direction, Opening, Segment, SeqNumber};

use super::opened::Opened;
use crate::http1::ChunkScanner;

/// A connection of which bytes were seen.
pub(super) struct Connection {
    /// The way of the client's bytes.
    pub(super) client: Direction,
    pub(super) opened: Opened,
    pub(super) client_side: Side,
    pub(super) server_side: Side,
    /// Whether its packets pass the filter, until nothing more is wanted of them.
    pub(super) filtered: bool,
    /// The way of the packets that nevertheless do not, see [`Connection::quiet`].
    pub(super) quiet: Option<Direction>,
    pub(super) exchanges: Exchanges,
    /// Of a connection whose begin was not seen, where the server goes on behind what its client had when it sent the first request
    /// that was seen: with the response to that, or to one before it.
    pub(super) server_goes_on_at: Option<SeqNumber>,
    /// An end has begun with HTTP/2.
    pub(super) is_http2: bool,
    /// The request that asked for HTTP/2 and was granted it.
    pub(super) upgraded: Option<Upgrade>,
}

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct Side {
    /// A number near the next byte that matters: the first one that has not arrived.
    pub(super) next: SeqNumber,
    /// How many bytes from there on do not matter: the rest of a body.
    pub(super) skip: u64,
    pub(super) stage: Stage,
    /// Bytes are held that wait for others, unless they were given up.
    pub(super) is_waiting: bool,
    /// Nothing followed the latest head yet, and it may have no body, whatever it announces: of a response, as its request was not
    /// seen, which may have been HEAD ([RFC 9110 §9.3.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2)); of a request, as
    /// the client waits to be let go on.
    pub(super) may_lack_body: bool,
    /// Headers of proxies that were passed over before the first byte of the client.
    pub(super) proxies: u8,
    /// Whether `next` is known.
    is_known: bool,
}

/// A request of HTTP/1 that asked for HTTP/2 and was granted it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upgrade {
    /// Its number.
    pub(super) exchange: u32,
    /// Whether it was seen before it was granted.
    pub(super) is_seen: bool,
}

/// What shows by the numbers of a connection and was not captured, or not yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// One number, which is that of a FIN: no frame is as short.
    Fin,
    Bytes,
}

/// What comes next in a direction.
#[derive(Debug)]
pub(super) enum Stage {
    /// Nobody knows: the next segment that begins with a head is looked for.
    Search,
    /// The first byte of a head.
    Head,
    /// A part of a body in chunks.
    Chunks(Box<ChunkScanner>),
    /// Frames of HTTP/2, which are read where the connection of HTTP/2 is held.
    Http2,
    /// Nothing that matters.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Client,
    Server,
}

/// Numbers this far apart are of different connections, a body between them left out.
pub(super) const FAR: u64 = Opening::FAR as u64;

impl Connection {
    /// A connection of which nothing is known but who is the client.
    pub(super) fn new(client: Direction) -> Self {
        Self {
            client,
            opened: Opened::Unseen,
            client_side: Side::unknown(),
            server_side: Side::unknown(),
            filtered: true,
            quiet: None,
            exchanges: Exchanges::default(),
            server_goes_on_at: None,
            is_http2: false,
            upgraded: None,
        }
    }

    /// A connection of which bytes come now, after this begin.
    pub(super) fn opened(opening: &Opening) -> Self {
        let mut connection = Self::new(opening.client());
        connection.opened = Opened::of(opening);
        connection.client_side.begin_at(opening.client_next());
        if let Some(next) = opening.server_next() {
            connection.server_side.begin_at(next);
        }
        connection.exchanges.is_whole = true;
        connection
    }

    pub(super) fn role(&self, direction: Direction) -> Role {
        if direction == self.client { Role::Client } else { Role::Server }
    }

    pub(super) fn side(&mut self, role: Role) -> &mut Side {
        match role {
            Role::Client => &mut self.client_side,
            Role::Server => &mut self.server_side,
        }
    }

    pub(super) fn side_of(&mut self, direction: Direction) -> &mut Side {
        self.side(self.role(direction))
    }

    /// Whether frames of HTTP/2 are what comes next of an end.
    pub(super) const fn is_in_frames(&self) -> bool {
        matches!(self.client_side.stage, Stage::Http2) || matches!(self.server_side.stage, Stage::Http2)
    }

    /// What a client of HTTP/2 has sent besides what was read, if it has `sent` all before this number. `None` if that is nothing,
    /// or so much that it cannot be.
    pub(super) fn unread(&self, sent: SeqNumber) -> Option<Unread> {
        let side = &self.client_side;
        let ahead = u64::try_from(sent.distance_from(side.next)).unwrap_or(0);
        match ahead.saturating_sub(side.skip) {
            _ if !matches!(side.stage, Stage::Http2) => None,
            1 => Some(Unread::Fin),
            2..=FAR => Some(Unread::Bytes),
            _ => None,
        }
    }

    /// Whether a segment that begins at `seq` cannot belong to what is known of its direction.
    pub(super) fn is_far_from(&self, direction: Direction, seq: SeqNumber) -> bool {
        self.known_of(direction).is_far_from(seq)
    }

    fn known_of(&self, direction: Direction) -> &Side {
        match self.role(direction) {
            Role::Client => &self.client_side,
            Role::Server => &self.server_side,
        }
    }

    /// Whether a segment that begins at `seq` is sent again, or nothing more is wanted of its direction.
    pub(super) fn is_past(&self, direction: Direction, seq: SeqNumber) -> bool {
        let side = self.known_of(direction);
        side.is_done() || side.is_known && seq.precedes(side.next)
    }

    /// Whether it was seen where the bytes of the end begin that accepted the connection, or some of them.
    pub(super) fn is_answered(&self, server: Direction) -> bool {
        !matches!(self.opened, Opened::Syn(_) | Opened::Reset(_)) && self.known_of(server).is_known
    }

    /// Whether nothing more is wanted of either side.
    pub(super) fn is_done(&self) -> bool {
        self.client_side.is_done() && self.server_side.is_done()
    }

    /// Whether a SYN like the one before opens another connection: without the server's number, one that is over cannot be told
    /// from it.
    pub(super) fn may_be_opened_again(&self) -> bool {
        match self.opened {
            Opened::Reset(_) => true,
            Opened::Syn(_) => self.is_done(),
            Opened::Unseen | Opened::Answered { .. } | Opened::Again { .. } => false,
        }
    }

    /// Nothing more comes of an end that has reset the connection. What the other had sent before may still come.
    pub(super) fn on_reset(&mut self, direction: Direction) {
        self.opened.on_reset();
        self.side_of(direction).stage = Stage::Done;
    }

    /// Whether what was seen of one direction follows a SYN with this number.
    pub(super) fn begins_behind(&mut self, direction: Direction, syn: SeqNumber) -> bool {
        let side = self.side_of(direction);
        !side.is_searching() && (0..Opening::NEAR).contains(&side.next.distance_from(syn + 1))
    }

    /// Whether nothing of HTTP was seen yet.
    pub(super) const fn is_new(&self) -> bool {
        !self.exchanges.have_begun() && !self.is_http2
    }

    /// Whether a server may begin with HTTP/2 now.
    pub(super) const fn expects_http2(&self) -> bool {
        self.is_http2 || self.upgraded.is_some() || !self.exchanges.have_begun()
    }

    /// Whether a SYN+ACK that acknowledges the bytes before `client_next` tells where the bytes of this end begin: nothing of
    /// HTTP was seen, or nothing of this end, as the captures of both directions were joined by clocks that differ. The SYN that
    /// it answers then tells that no request before those that were seen is missing.
    pub(super) fn may_begin_late(&mut self, server: Direction, client_next: SeqNumber) -> bool {
        let is_new = self.is_new();
        let is_whole = self.exchanges.is_whole && self.opened.syn().is_some_and(|syn| syn + 1 == client_next);
        let side = self.side_of(server);
        side.is_searching() && (is_new || is_whole && !side.is_known)
    }

    /// Takes what the first bytes of the client, which begin at `seq`, acknowledge: the server has sent nothing but its SYN then, if
    /// that was not captured, or what it had sent before the capture began.
    pub(super) fn on_acknowledgment(&mut self, seq: SeqNumber, server_next: SeqNumber) {
        if !self.is_new() || !self.server_side.is_searching() {
            return;
        }
        if !self.exchanges.is_whole {
            self.server_goes_on_at.get_or_insert(server_next);
        } else if seq == self.client_side.next {
            self.server_side.begin_at(server_next);
        }
    }

    /// Whether of neither side it is known what comes next.
    pub(super) const fn is_searching(&self) -> bool {
        self.client_side.is_searching() && self.server_side.is_searching()
    }

    /// The way on which nothing but the begin of a head can matter, while nothing of HTTP was seen, not even a part of a
    /// head: the other end may yet send some.
    pub(super) fn quiet(&self) -> Option<Direction> {
        if !self.is_new() || self.client_side.is_waiting || self.server_side.is_waiting {
            return None;
        }
        match (self.client_side.is_searching(), self.server_side.is_searching()) {
            (true, false) => Some(self.client),
            (false, true) => Some(self.client.reversed()),
            _ => None,
        }
    }

    /// Whether the ends were taken for each other, by a segment that begins at `seq` with a head of this sender: the end that
    /// accepted the connection sends the requests, or what told who accepted it was damaged or forged, as a SYN+ACK that
    /// answers nothing. Of a head that was cut, the rest may look like a response, and so may the first bytes of an end whose SYN
    /// was seen: it answers nothing that was asked.
    pub(super) fn has_other_roles(&self, direction: Direction, sender: Role, seq: SeqNumber) -> bool {
        if !self.is_new() || sender == self.role(direction) {
            return false;
        }
        let is_cut = || self.client_side.is_waiting || self.server_side.is_waiting;
        let may_begin = || self.client_side.is_searching() || self.client_side.next == seq;
        sender == Role::Client || self.opened == Opened::Unseen && !is_cut() && may_begin()
    }

    /// Makes the end that was taken for the server the client, as it sends requests.
    pub(super) fn swap_roles(&mut self) {
        self.client = self.client.reversed();
        core::mem::swap(&mut self.client_side, &mut self.server_side);
    }

    /// Nothing more is wanted of the server, and of the client only requests whose responses were captured before them.
    pub(super) fn finish_server(&mut self) {
        self.server_side.stage = Stage::Done;
        if self.exchanges.are_asked() {
            self.client_side.stage = Stage::Done;
        }
    }

    pub(super) fn finish(&mut self) {
        self.client_side.stage = Stage::Done;
        self.server_side.stage = Stage::Done;
    }
}

impl Side {
    const fn unknown() -> Self {
        Self {
            next: SeqNumber(0),
            skip: 0,
            stage: Stage::Search,
            is_waiting: false,
            may_lack_body: false,
            proxies: 0,
            is_known: false,
        }
    }

    /// Expects a head from this number on.
    pub(super) fn begin_at(&mut self, start: SeqNumber) {
        *self = Self { next: start, stage: Stage::Head, is_known: true, ..Self::unknown() };
    }

    /// Looks for the next head, behind the bytes before `end`.
    pub(super) fn search_from(&mut self, end: SeqNumber) {
        (self.stage, self.next, self.skip) = (Stage::Search, end, 0);
    }

    /// Whether a head may be looked for from `seq` on: not in bytes that are sent again.
    pub(super) fn may_begin_at(&self, seq: SeqNumber) -> bool {
        let behind = u64::try_from(self.next.distance_from(seq)).unwrap_or(0);
        !self.is_known || behind == 0 || behind > FAR
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    pub(super) const fn is_searching(&self) -> bool {
        matches!(self.stage, Stage::Search)
    }

    /// Whether bytes before this number were not seen.
    pub(super) fn misses_bytes_before(&self, seq: SeqNumber) -> bool {
        self.is_known && self.next.precedes(seq)
    }

    /// Whether a frame of HTTP/2 is what comes next, and not the rest of one that does not matter.
    pub(super) const fn awaits_frame(&self) -> bool {
        matches!(self.stage, Stage::Http2) && self.skip == 0
    }

    /// Whether a segment that begins at `seq` cannot belong to what is known of this direction.
    pub(super) fn is_far_from(&self, seq: SeqNumber) -> bool {
        match self.stage {
            Stage::Search | Stage::Done => false,
            Stage::Head | Stage::Chunks(_) | Stage::Http2 => {
                match u64::try_from(seq.distance_from(self.next)) {
                    Ok(ahead) => ahead > self.skip.saturating_add(FAR),
                    Err(_) => u64::from(seq.distance_from(self.next).unsigned_abs()) > FAR,
                }
            }
        }
    }

    /// Goes on to a segment, and gives what of it matters.
    pub(super) fn pass<'s>(&mut self, segment: Segment<'s>) -> Option<Segment<'s>> {
        let Ok(ahead) = u32::try_from(segment.end().distance_from(self.next)) else { return None };
        self.may_lack_body &= ahead == 0;
        if u64::from(ahead) <= self.skip {
            self.next += ahead;
            self.skip -= u64::from(ahead);
            return None;
        }
        // Less than `ahead`, which is less than 2^31.
        self.next += u32::try_from(self.skip).unwrap_or(u32::MAX);
        self.skip = 0;
        let before = usize::try_from(self.next.distance_from(segment.seq)).unwrap_or(0);
        segment.without(before)
    }

    /// Passes over bytes, of which `arrived` are there. They lie behind all that does not matter, some of which may not have
    /// arrived when they waited for what was before it.
    pub(super) fn advance(&mut self, bytes: u64, arrived: usize) {
        // Less than 2^30 are there, and not much more is before them.
        let here = u32::try_from(bytes.min(arrived as u64)).unwrap_or(u32::MAX);
        self.next += u32::try_from(self.skip).unwrap_or(u32::MAX);
        self.next += here;
        self.skip = bytes - u64::from(here);
    }
}

/// The requests and responses of a connection, and which belongs to which.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchanges {
    /// Numbers of the next request and of the next response.
    pub(super) requests: u32,
    pub(super) responses: u32,
    /// Requests without response, the oldest in the lowest bits.
    asked: u64,
    asked_len: u8,
    /// Both sides were followed from their first bytes, so that equal numbers belong together whichever is seen first.
    pub(super) is_whole: bool,
}

/// What of a request matters for where its response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Head,
    Connect,
    Other,
    /// It may be another request that is answered.
    Doubtful,
}

impl Asked {
    const BITS: u32 = 2;

    pub(super) fn of(method: &[u8]) -> Self {
        match method {
            b"HEAD" => Self::Head,
            b"CONNECT" => Self::Connect,
            _ => Self::Other,
        }
    }

    /// By its lowest [`BITS`](Self::BITS).
    const fn of_bits(bits: u64) -> Self {
        match bits & 0b11 {
            0 => Self::Head,
            1 => Self::Connect,
            2 => Self::Other,
            _ => Self::Doubtful,
        }
    }

    /// A method that asks for the same.
    pub(super) const fn method(self) -> &'static [u8] {
        match self {
            Self::Head => b"HEAD",
            Self::Connect => b"CONNECT",
            Self::Other => b"GET",
            Self::Doubtful => b"",
        }
    }
}

impl Exchanges {
    /// Most requests that are followed before their responses.
    const MAX_ASKED: u8 = 32;

    /// Whether anything was reported.
    pub(super) const fn have_begun(&self) -> bool {
        self.requests > 0 || self.responses > 0
    }

    /// Whether every request has its response.
    pub(super) const fn are_answered(&self) -> bool {
        self.requests <= self.responses
    }

    /// Whether every response has its request.
    pub(super) const fn are_asked(&self) -> bool {
        self.responses <= self.requests
    }

    /// Takes a request, and gives its number. `None` if too many wait for their response.
    pub(super) fn on_request(&mut self, asked: Asked) -> Option<u32> {
        let number = self.requests;
        self.requests += 1;
        if number < self.responses {
            // Its response was captured before it.
            return Some(number);
        }
        if self.asked_len >= Self::MAX_ASKED {
            return None;
        }
        self.asked |= (asked as u64) << (Asked::BITS * u32::from(self.asked_len));
        self.asked_len += 1;
        Some(number)
    }

    /// The request that the next response answers, if it was seen.
    pub(super) fn next_asked(&self) -> Option<Asked> {
        let asked = (self.asked_len > 0).then_some(Asked::of_bits(self.asked));
        asked.filter(|asked| *asked != Asked::Doubtful)
    }

    /// Of several requests that wait for their responses, forgets which one the next response answers: requests before them may
    /// wait, too. False if there is one at most.
    pub(super) fn doubt_several_asked(&mut self) -> bool {
        let is_several = self.asked_len > 1;
        if is_several {
            self.asked = u64::MAX >> (u64::BITS - Asked::BITS * u32::from(self.asked_len));
        }
        is_several
    }

    /// The latest request, if it waits for its response.
    pub(super) fn last_asked(&self) -> Option<Asked> {
        let last = self.asked_len.checked_sub(1)?;
        Some(Asked::of_bits(self.asked >> (Asked::BITS * u32::from(last))))
    }

    /// Takes a response, and gives its number.
    pub(super) fn on_response(&mut self) -> u32 {
        let number = self.responses;
        self.responses += 1;
        if self.asked_len > 0 {
            self.asked >>= Asked::BITS;
            self.asked_len -= 1;
        } else if !self.is_whole {
            // Its request was before what is known, not behind.
            self.requests = self.requests.max(self.responses);
        }
        number
    }

    /// A side was not followed for a while, and now goes on with a head.
    pub(super) fn on_search_end(&mut self, role: Role) {
        let now = *self;
        self.on_gap(role, Missing::Other, &now);
    }

    /// A side goes on with a head behind bytes that are `missing`; `before` is what was known when it came.
    pub(super) fn on_gap(&mut self, role: Role, missing: Missing, before: &Self) {
        if role == Role::Client {
            // What was answered meanwhile had been asked.
            self.requests = self.requests.max(before.responses);
            return;
        }
        // A response answers nothing that was asked behind it.
        let Some(ahead) = before.requests.checked_sub(self.responses + 1) else { return };
        match (ahead, missing) {
            (0, Missing::Head | Missing::Other) => {}
            (1, Missing::Head | Missing::RestOfHead) => {
                self.on_response();
            }
            // Of several requests nobody knows which one it answers, only that a response was begun before it.
            _ => {
                (self.asked, self.asked_len) = (0, 0);
                self.responses += ahead.max(u32::from(missing == Missing::RestOfHead));
            }
        }
    }
}

/// What bytes that are missing begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// With a head, as far as nothing else stands there.
    Head,
    /// With what follows the first bytes of a head.
    RestOfHead,
    /// Nobody knows.
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(seq: u32, payload: &[u8]) -> Segment<'_> {
        Segment { seq: SeqNumber(seq), payload }
    }

    fn side(next: u32, skip: u64) -> Side {
        Side { skip, is_known: true, stage: Stage::Head, next: SeqNumber(next), ..Side::unknown() }
    }

    /// What of a segment matters: where it begins, and how long it is.
    fn passed(side: &mut Side, seq: u32, payload: &[u8]) -> Option<(u32, usize)> {
        side.pass(segment(seq, payload)).map(|rest| (rest.seq.0, rest.payload.len()))
    }

    #[test]
    fn a_body_of_5_gib_is_passed_over_by_numbers_that_wrap() {
        let mut side = side(0xffff_fff0, 5 << 30);
        // A segment in each GiB, of which nothing else was captured.
        for end in [0x3fff_fff0, 0x7fff_fff0, 0xbfff_fff0, 0xffff_fff0] {
            assert_eq!(passed(&mut side, end - 10, b"0123456789"), None, "{end:x}");
        }
        assert_eq!(side.skip, 1 << 30);
        assert_eq!(passed(&mut side, 0x3fff_ffed, b"endHTTP"), Some((0x3fff_fff0, 4)));
    }

    #[test]
    fn what_was_passed_over_is_repeated_in_vain_and_a_gap_in_a_body_is_none() {
        let mut side = side(100, 1_000);
        assert_eq!(passed(&mut side, 900, b"ab"), None);
        assert_eq!((side.next.0, side.skip), (902, 198));
        assert_eq!(passed(&mut side, 200, b"ab"), None);
        assert_eq!((side.next.0, side.skip), (902, 198));
        assert_eq!(passed(&mut side, 1_300, b"abc"), Some((1_300, 3)));
        assert_eq!((side.next.0, side.skip), (1_100, 0));
    }

    #[test]
    fn requests_are_answered_in_their_order() {
        let mut exchanges = Exchanges { is_whole: true, ..Exchanges::default() };
        for (number, method) in (0..).zip([&b"GET"[..], b"HEAD", b"CONNECT"]) {
            assert_eq!(exchanges.on_request(Asked::of(method)), Some(number));
        }
        for (number, asked) in (0..).zip([Asked::Other, Asked::Head, Asked::Connect]) {
            assert_eq!(exchanges.next_asked(), Some(asked));
            assert_eq!(exchanges.on_response(), number);
        }
        assert!(exchanges.next_asked().is_none() && exchanges.are_answered());
    }

    #[test]
    fn a_response_that_is_captured_before_its_request_has_its_number() {
        let mut exchanges = Exchanges { is_whole: true, ..Exchanges::default() };
        assert_eq!(exchanges.on_response(), 0);
        assert_eq!(exchanges.on_request(Asked::Head), Some(0));
        assert_eq!(exchanges.next_asked(), None);
        assert_eq!(exchanges.on_request(Asked::Head), Some(1));
        assert_eq!(exchanges.next_asked(), Some(Asked::Head));
    }

    #[test]
    fn a_response_at_the_begin_of_a_capture_has_a_number_of_its_own() {
        let mut exchanges = Exchanges::default();
        assert_eq!(exchanges.on_response(), 0);
        assert_eq!(exchanges.on_request(Asked::Other), Some(1));
        assert_eq!(exchanges.on_response(), 1);
    }

    #[test]
    fn thirty_two_requests_wait_for_their_responses() {
        let mut exchanges = Exchanges::default();
        for number in 0..32 {
            assert_eq!(exchanges.on_request(Asked::Connect), Some(number));
        }
        assert_eq!(exchanges.on_request(Asked::Connect), None);
    }

    #[test]
    fn a_response_behind_lost_bytes_has_the_number_that_nothing_contradicts() {
        // Requests that were known when it came, what is missing before it, its number, and whether what it answers is known.
        for (asked, missing, number, is_known) in [
            (1, Missing::Head, 0, true),
            (1, Missing::Other, 0, true),
            (1, Missing::RestOfHead, 1, false),
            (2, Missing::Head, 1, true),
            (2, Missing::RestOfHead, 1, true),
            (2, Missing::Other, 1, false),
            (4, Missing::Head, 3, false),
        ] {
            let mut exchanges = Exchanges::default();
            let ask = |exchanges: &mut Exchanges, count: u32| {
                for _ in 0..count {
                    assert!(exchanges.on_request(Asked::Other).is_some());
                }
            };
            ask(&mut exchanges, asked);
            let before = exchanges;
            // What was asked behind it is not what it answers.
            ask(&mut exchanges, 3);
            exchanges.on_gap(Role::Server, missing, &before);
            let found = (exchanges.next_asked().is_some(), exchanges.on_response());
            assert_eq!(found, (is_known, number), "{asked} requests, {missing:?}");
        }
    }

    #[test]
    fn a_request_behind_lost_bytes_comes_behind_those_that_were_answered_before_it() {
        let mut exchanges = Exchanges::default();
        assert_eq!(exchanges.on_response(), 0);
        let before = exchanges;
        exchanges.is_whole = true;
        assert_eq!([exchanges.on_response(), exchanges.on_response()], [1, 2]);
        exchanges.on_gap(Role::Client, Missing::Head, &before);
        assert_eq!(exchanges.on_request(Asked::Other), Some(1));
    }
}
