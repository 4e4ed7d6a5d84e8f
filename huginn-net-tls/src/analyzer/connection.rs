//! What is known of a TCP connection.

use huginn_net_core::{Direction, Opening, Origin, Packet, Progress, Segment, SeqNumber, Timestamp};

use super::counts::Counts;
use super::known_answers::KnownAnswers;
use super::preamble::{Preamble, Preambles, tds};
use super::reading::MAX_AHEAD;
use super::shape;
use crate::carriers::Carriers;
use crate::client_hello::{Carrier, ClientHello, HelloKeeper};
use crate::error::TlsError;
use crate::event::{ClientHelloSeen, ServerHelloSeen, Sslv2HelloSeen, TlsEvent, Via};
use crate::handshake::HandshakeType;
use crate::numbers::ExtensionType;
use crate::record::{self, FirstMessage, HelloLimits};
use crate::server_hello::ServerHello;
use crate::settings::TlsSettings;
use crate::sslv2::Sslv2Hello;

/// A connection of which bytes were seen.
pub(super) struct Connection {
    /// The way of the client's bytes.
    pub(super) client: Direction,
    /// Sequence number of the SYN, if it was seen.
    pub(super) opened_by: Option<u32>,
    pub(super) client_side: Side,
    pub(super) server_side: Side,
    /// Whether its packets pass the filter, until nothing more is wanted of them.
    pub(super) filtered: bool,
    /// ClientHellos reported.
    hellos: u8,
    /// Number of the client's byte from which on bytes were missing before its first hello, which was told.
    gap: Option<SeqNumber>,
    /// Number of the client's byte that a HelloRetryRequest waits for, if one was seen.
    retried: Option<SeqNumber>,
    /// A ServerHello that is no HelloRetryRequest was seen.
    answered: bool,
    /// An end has reset it: what the other had sent before may still come.
    is_reset: bool,
    /// A hello went over a limit. Nothing behind its begin is one.
    is_too_long: bool,
    /// Eight bytes of the random of the first hello.
    random: Option<[u8; 8]>,
    /// `random` is that of a connection before this one with the same numbers: such a hello was reported.
    may_repeat: bool,
    /// A ServerHello of such a connection was reported. No other is looked for before a hello that is not the same.
    was_answered: bool,
    /// When the latest hello was complete, or the answer if no hello was seen. Before either, when bytes came that are far ahead.
    expected_since: Option<Timestamp>,
    /// Segments far ahead that were passed over since then.
    far: u16,
    preambles: Preambles,
    via: Option<Box<Via>>,
}

/// One direction of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    /// Number of the next byte that was not looked at, if that is known.
    pub(super) next: Option<SeqNumber>,
    /// Bytes that were passed over since the begin, or since the latest hello.
    passed: u32,
    /// How many times bytes were passed over, which is about once a segment.
    passes: u8,
    /// Bytes are held that wait for others, unless they were given up.
    pub(super) has_begun: bool,
    /// Nothing more is wanted of this direction.
    pub(super) is_done: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Client,
    Server,
}

impl Role {
    /// What it begins with.
    pub(super) const fn hello(self) -> HandshakeType {
        match self {
            Self::Client => HandshakeType::ClientHello,
            Self::Server => HandshakeType::ServerHello,
        }
    }
}

/// What the bytes of a side begin with.
pub(super) enum Front<'a> {
    Hello(ClientHello<'a>, usize),
    Sslv2(Sslv2Hello<'a>),
    Answer(ServerHello<'a>, usize),
    Preamble(usize, Option<Via>),
    /// It may become one of these.
    Incomplete,
    /// A hello, of either side, whose records have to be joined.
    SeveralRecords,
    Other(Option<TlsError>),
}

impl<'a> Front<'a> {
    /// Where what follows a hello begins.
    pub(super) fn end(&self) -> Option<usize> {
        match self {
            Self::Hello(_, end) | Self::Answer(_, end) => Some(*end),
            _ => None,
        }
    }

    /// Reads the hello of a side, which is complete; `end` is where what follows it begins.
    pub(super) fn of_message(role: Role, message: &'a [u8], end: usize) -> Self {
        match role {
            Role::Client => match ClientHello::of_message(message, Carrier::Tcp) {
                Ok(hello) => Self::Hello(hello, end),
                Err(error) => Self::Other(Some(error)),
            },
            Role::Server => match ServerHello::of_message(message) {
                Ok(hello) => Self::Answer(hello, end),
                Err(error) => Self::Other(Some(error)),
            },
        }
    }
}

/// Which packets something came from.
pub(super) struct Evidence<'a> {
    /// The one that completed it.
    pub(super) packet: &'a Packet<'a>,
    pub(super) carriers: Carriers,
}

/// What analysis goes by, and where its results go.
pub(super) struct Context<'a> {
    pub(super) settings: &'a TlsSettings,
    pub(super) keeper: &'a mut HelloKeeper,
    pub(super) answers: &'a mut KnownAnswers,
    pub(super) counts: &'a mut Counts,
    pub(super) report: &'a mut dyn FnMut(TlsEvent),
}

/// How long after a hello a second one is expected.
const MAX_RETRY: core::time::Duration = core::time::Duration::from_secs(10);
/// Segments far ahead that are passed over for nothing, in both directions together.
const MAX_FAR: u16 = 1_000;
/// A connection sends one hello, or two.
const MAX_HELLOS: u8 = 2;

impl Connection {
    pub(super) fn new(client: Direction) -> Self {
        Self {
            client,
            opened_by: None,
            client_side: Side::default(),
            server_side: Side::default(),
            filtered: true,
            hellos: 0,
            gap: None,
            retried: None,
            answered: false,
            random: None,
            may_repeat: false,
            was_answered: false,
            is_reset: false,
            is_too_long: false,
            expected_since: None,
            far: 0,
            preambles: Preambles::default(),
            via: None,
        }
    }

    /// A connection of which bytes come now, after this begin.
    pub(super) fn opened(opening: &Opening) -> Self {
        let mut connection = Self::new(opening.client());
        connection.opened_by = opening.syn().map(|syn| syn.0);
        connection.client_side.next = Some(opening.client_next());
        connection.server_side.next = opening.server_next();
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

    /// Whether a segment shows that the end that accepted the connection is the client of TLS, as in FTP with data from the
    /// server.
    pub(super) fn begins_as_client(&self, direction: Direction, payload: &[u8]) -> bool {
        !self.has_hello() && self.role(direction) == Role::Server && shape::begins_client_hello(payload)
    }

    pub(super) fn swap_roles(&mut self) {
        self.client = self.client.reversed();
        core::mem::swap(&mut self.client_side, &mut self.server_side);
    }

    /// What is known of a direction.
    pub(super) fn known_of(&self, direction: Direction) -> &Side {
        match self.role(direction) {
            Role::Client => &self.client_side,
            Role::Server => &self.server_side,
        }
    }

    /// Whether nothing more is wanted of either side.
    pub(super) fn is_done(&self) -> bool {
        self.client_side.is_done && self.server_side.is_done
    }

    pub(super) fn has_hello(&self) -> bool {
        self.hellos > 0
    }

    /// Remembers from where on bytes are missing before a hello that is about to be told: a client's own one may yet come there, if
    /// somebody sent another ahead of it in its name.
    pub(super) fn note_gap(&mut self, role: Role, front: SeqNumber) {
        if role == Role::Client && !self.has_hello() {
            self.gap = Some(front);
        }
    }

    /// Whether a segment of the client begins a hello where bytes were missing before the one that was told, which is no longer
    /// taken for the only one then.
    pub(super) fn begins_in_gap(&mut self, role: Role, Segment { seq, payload }: Segment<'_>) -> bool {
        let begins = role == Role::Client && self.gap == Some(seq) && shape::begins_client_hello(payload);
        if begins {
            self.gap = None;
        }
        begins
    }

    /// Whether a SYN like the one before begins it again, as it is over but for what is still under way.
    pub(super) fn is_over(&self) -> bool {
        self.is_reset || self.is_done()
    }

    /// Nothing more comes of an end that has reset the connection.
    pub(super) fn on_reset(&mut self, direction: Direction) {
        self.is_reset = true;
        self.side_of(direction).is_done = true;
    }

    /// Whether the connection has to be known after nothing more is wanted of it: segments of a hello may be sent again.
    pub(super) fn is_remembered(&self) -> bool {
        self.hellos > 0 || self.is_too_long
    }

    /// Begins anew with a SYN like the one before, and expects that it may be the same connection once more.
    pub(super) fn repeat(&mut self, syn: &Opening) {
        let (random, was_answered) = (self.random, self.answered || self.was_answered);
        *self = Self { random, may_repeat: random.is_some(), was_answered, ..Self::opened(syn) };
        self.server_side.is_done = was_answered;
    }

    /// How it began, if its next hello may be the one that was reported before the SYN came again.
    pub(super) fn repeated_opening(&self) -> Option<Opening> {
        let syn = self.opened_by.filter(|_| self.may_repeat)?;
        Some(Opening::of_syn(self.client, SeqNumber(syn), false))
    }

    /// Whether what was seen of one direction follows a SYN with this number.
    pub(super) fn begins_behind(&self, direction: Direction, syn: SeqNumber) -> bool {
        self.known_of(direction)
            .next
            .is_some_and(|next| (0..MAX_AHEAD).contains(&next.distance_from(syn + 1)))
    }

    /// Forgets how far a preamble was read whose bytes are no longer held.
    pub(super) fn give_up_preamble(&mut self) {
        self.preambles.give_up();
    }

    /// Ends a connection whose hello went over a limit.
    pub(super) fn on_too_long(&mut self, counts: &mut Counts) {
        counts.too_long += 1;
        self.is_too_long = true;
        self.finish();
    }

    /// Reads what the bytes of a side begin with.
    pub(super) fn front<'a>(&mut self, role: Role, bytes: &'a [u8], limits: &HelloLimits) -> Front<'a> {
        match role {
            Role::Client => self.client_front(bytes, limits),
            Role::Server => server_front(bytes, limits),
        }
    }

    fn client_front<'a>(&mut self, bytes: &'a [u8], limits: &HelloLimits) -> Front<'a> {
        match record::first_message(bytes, HandshakeType::ClientHello, limits, false) {
            Ok(Progress::Done(FirstMessage { bytes: message, end, left })) => {
                Front::of_message(Role::Client, message, end + left)
            }
            Ok(Progress::NeedMore) if record::hold_nothing(bytes) => Front::Other(None),
            Ok(Progress::NeedMore) => Front::Incomplete,
            Err(TlsError::SeveralRecords) => Front::SeveralRecords,
            Err(TlsError::Sslv2) => match Sslv2Hello::parse(bytes) {
                Ok(Progress::Done(hello)) => Front::Sslv2(hello),
                _ => Front::Other(None),
            },
            Err(error @ (TlsError::RecordLength(_) | TlsError::Limit { .. })) => Front::Other(Some(error)),
            Err(_) if self.hellos == 0 => match self.preambles.read(bytes) {
                Preamble::Complete(length, via) => Front::Preamble(length, via),
                Preamble::NeedMore => Front::Incomplete,
                Preamble::None => Front::Other(None),
            },
            // Each hello has a packet of its own.
            Err(_) => match tds::before(HandshakeType::ClientHello, bytes) {
                Some(length) => Front::Preamble(length, None),
                None => Front::Other(None),
            },
        }
    }

    /// Takes what a side begins with, and reports a hello. How many of the `available` bytes are done with.
    pub(super) fn take(
        &mut self,
        role: Role,
        front: Front<'_>,
        available: usize,
        evidence: &Evidence<'_>,
        context: &mut Context<'_>,
    ) -> usize {
        match front {
            Front::Hello(hello, end) => {
                self.on_hello(&hello, evidence, context);
                return end;
            }
            Front::Sslv2(hello) => self.on_sslv2(&hello, evidence, context),
            Front::Answer(hello, end) => {
                self.on_answer(&hello, evidence.packet, context);
                return end;
            }
            Front::Preamble(length, via) => {
                if let Some(via) = via
                    && self.via.as_ref().is_none_or(|before| via.supersedes(before))
                {
                    self.via = Some(Box::new(via));
                }
                return length;
            }
            Front::Incomplete | Front::SeveralRecords => {}
            Front::Other(Some(TlsError::Limit { .. })) if role == Role::Client && self.hellos == 0 => {
                self.on_too_long(context.counts);
            }
            Front::Other(error) => {
                if let Some(error) = error.filter(|_| role == Role::Server || self.hellos == 0) {
                    context.counts.malformed(error);
                }
                self.pass(role, available, evidence.packet.captured_at(), context);
            }
        }
        available
    }

    /// Passes over bytes that nothing begins with, or that are no longer looked at, up to the limit of that.
    ///
    /// A side that reaches it is done: the other may still have its part to say, for as many bytes again.
    pub(super) fn pass(&mut self, role: Role, bytes: usize, now: Timestamp, context: &mut Context<'_>) {
        let mut limit = context.settings.max_searched_bytes;
        let is_searched = role == Role::Client && !self.has_hello();
        if self.has_hello() || self.answered {
            limit = limit.saturating_mul(2);
        }
        let is_late = (self.has_hello() || self.answered) && self.is_late(now);
        let side = self.side(role);
        side.passed = side.passed.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
        side.passes = side.passes.saturating_add(1);
        let is_over =
            side.passed > limit || is_searched && side.passes > context.settings.max_searched_segments;
        let was_done = is_over && core::mem::replace(&mut side.is_done, true);
        let is_known = self.has_hello() || self.answered || self.is_too_long;
        // Nothing is left that the other side could tell.
        let is_quiet = !is_known && !self.client_side.has_begun && !self.server_side.has_begun;
        if is_late || is_over && (was_done || is_quiet) {
            context.counts.not_tls += u64::from(!is_known);
            self.finish();
        } else if is_over {
            let side = self.side(role);
            (side.passed, side.passes) = (0, 0);
        }
    }

    /// Passes over bytes so far ahead that their receiver may not take them ([RFC 9293 §3.10.7.4]): who sends such in the name
    /// of an end must not use up what is searched of it. That holds for as long as a hello is expected behind the latest, or
    /// behind the first of such bytes, and for so many segments as end a connection that is no TLS early, whatever its rate.
    ///
    /// [RFC 9293 §3.10.7.4]: https://www.rfc-editor.org/rfc/rfc9293#section-3.10.7.4
    pub(super) fn pass_far(&mut self, role: Role, bytes: usize, now: Timestamp, context: &mut Context<'_>) {
        self.expected_since.get_or_insert(now);
        self.far = self.far.saturating_add(1);
        if self.far > MAX_FAR || self.is_late(now) {
            self.pass(role, bytes, now, context);
        }
    }

    /// Whether a hello is no longer expected.
    fn is_late(&self, now: Timestamp) -> bool {
        self.expected_since.is_some_and(|since| now.abs_diff(since) > MAX_RETRY)
    }

    /// Expects a hello from now on.
    fn expect(&mut self, now: Timestamp) {
        (self.expected_since, self.far) = (Some(now), 0);
    }

    /// Whether a hello is the first one sent again, and not the one that a HelloRetryRequest asked for, which has the same random.
    pub(super) fn is_sent_again(&self, hello: &ClientHello<'_>) -> bool {
        self.has_hello()
            && self.random.is_some()
            && self.random == hello.random().first_chunk().copied()
            && self.retried.is_none()
            && hello.extension(ExtensionType::COOKIE).is_none()
    }

    pub(super) fn finish(&mut self) {
        self.client_side.is_done = true;
        self.server_side.is_done = true;
    }

    pub(super) fn on_hello(
        &mut self,
        hello: &ClientHello<'_>,
        evidence: &Evidence<'_>,
        context: &mut Context<'_>,
    ) {
        let &Evidence { packet, carriers: Carriers { first, packets } } = evidence;
        if self.has_hello() && self.gap.is_some() && self.retried.is_none() {
            // No server asked for it: who sends one in the name of a client, behind another, must not use up what is told.
            return;
        }
        if self.hellos == 0 {
            let random = hello.random().first_chunk().copied();
            let is_repeated = self.may_repeat && random == self.random;
            (self.random, self.may_repeat) = (random, false);
            if is_repeated {
                self.hellos = MAX_HELLOS;
                self.client_side.is_done = true;
                return;
            }
            self.was_answered = false;
            if !self.answered {
                // What the server has said until now did not answer this.
                self.server_side.is_done = false;
            }
        }
        let counts = &mut *context.counts;
        let count = if packets > 1 { &mut counts.reassembled } else { &mut counts.single_segment };
        *count += 1;
        (context.report)(TlsEvent::ClientHello(ClientHelloSeen {
            origin: Origin::of(packet),
            hello: context.keeper.keep(hello),
            first,
            packets,
            hello_index: self.hellos,
            // RFC 8446 §4.2.2: the cookie of a HelloRetryRequest stands in no other hello.
            after_hrr: self.follows_retry(packet) || hello.extension(ExtensionType::COOKIE).is_some(),
            quic: None,
            via: self.via.clone(),
        }));
        self.hellos = self.hellos.saturating_add(1);
        self.expect(packet.captured_at());
        self.client_side.passed = 0;
        self.server_side.passed = 0;
        self.client_side.is_done = self.hellos >= MAX_HELLOS;
    }

    /// Whether a hello that this packet completes follows a HelloRetryRequest, and was not only captured behind it.
    fn follows_retry(&self, packet: &Packet<'_>) -> bool {
        let begin = packet.tcp().map(|segment| SeqNumber(segment.sequence()));
        self.retried.zip(begin).is_some_and(|(awaited, begin)| self.has_hello() || !begin.precedes(awaited))
    }

    fn on_sslv2(&mut self, hello: &Sslv2Hello<'_>, evidence: &Evidence<'_>, context: &mut Context<'_>) {
        context.counts.sslv2 += 1;
        let &Evidence { packet, carriers: Carriers { first, packets } } = evidence;
        (context.report)(TlsEvent::Sslv2Hello(Sslv2HelloSeen {
            origin: Origin::of(packet),
            version: hello.version,
            cipher_specs: hello.cipher_specs().collect(),
            first,
            packets,
            via: self.via.clone(),
        }));
        self.hellos = MAX_HELLOS;
        self.expect(packet.captured_at());
        self.client_side.is_done = true;
    }

    fn on_answer(&mut self, hello: &ServerHello<'_>, packet: &Packet<'_>, context: &mut Context<'_>) {
        let Some(seen) = server_hello_seen(packet, hello, self.retried.is_some(), context) else {
            context.counts.retry_requests += 1;
            self.retried = packet.tcp().map(|segment| SeqNumber(segment.acknowledgment()));
            return;
        };
        context.counts.server_hellos += 1;
        (context.report)(TlsEvent::ServerHello(seen));
        if self.hellos == 0 {
            self.expect(packet.captured_at());
        }
        self.answered = true;
        self.server_side.passed = 0;
        self.server_side.is_done = true;
        // Whatever the client sends after its hello, or its second one, is encrypted now. Before it, the answer was captured
        // too early.
        self.client_side.is_done = self.hellos > u8::from(self.retried.is_some());
    }
}

/// The event of a ServerHello that a packet completed; none of a HelloRetryRequest.
pub(super) fn server_hello_seen(
    packet: &Packet<'_>,
    hello: &ServerHello<'_>,
    after_hrr: bool,
    context: &mut Context<'_>,
) -> Option<ServerHelloSeen> {
    let (ja3s, ja3s_full) = context.answers.ja3s(hello)?;
    Some(ServerHelloSeen {
        origin: Origin::of(packet),
        ja3s,
        ja3s_full,
        version: hello.version(),
        cipher_suite: hello.cipher_suite(),
        after_hrr,
    })
}

fn server_front<'a>(bytes: &'a [u8], limits: &HelloLimits) -> Front<'a> {
    match record::first_message(bytes, HandshakeType::ServerHello, limits, false) {
        Ok(Progress::Done(FirstMessage { bytes: message, end, left })) => {
            Front::of_message(Role::Server, message, end + left)
        }
        Ok(Progress::NeedMore) if record::hold_nothing(bytes) => Front::Other(None),
        Ok(Progress::NeedMore) => Front::Incomplete,
        Err(TlsError::SeveralRecords) => Front::SeveralRecords,
        Err(_) => match tds::of_server(bytes) {
            Preamble::Complete(length, _) => Front::Preamble(length, None),
            Preamble::NeedMore => Front::Incomplete,
            Preamble::None => Front::Other(None),
        },
    }
}
