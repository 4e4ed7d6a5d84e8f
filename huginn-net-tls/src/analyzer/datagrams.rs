//! Hellos in datagrams: QUIC and DTLS.

use huginn_net_core::{
    Expiring, ExpiringLimits, FlowTag, HeldBytes, Origin, Packet, Progress, TagHash, Timestamp,
};

use super::allowance::Allowance;
use super::connection::{self, Context};
use super::pending::{Begun, Pending, PendingKey};
use crate::client_hello::ClientHello;
use crate::dtls::{DtlsHello, DtlsHelloReader};
use crate::event::{ClientHelloSeen, PacketRef, QuicFacts, TlsEvent};
use crate::handshake::HandshakeType;
use crate::quic::{InitialPacket, QuicError, QuicHello, QuicInitialReader, Scratch};
use crate::server_hello::ServerHello;
use crate::settings::TlsSettings;

/// Both ends of QUIC, that of the server once its client was read, and of DTLS.
pub(super) struct DatagramClients {
    /// The hellos that each flow brought last: they may be sent again when their reader is gone.
    reported: Expiring<FlowTag, Reported, TagHash>,
    decryptions: Allowance,
    scratch: Scratch,
}

/// What was reported of a flow. Its ports may be used again, and what was sent before may then be sent again.
#[derive(Default)]
struct Reported {
    /// The latest first.
    hellos: [ReportedHello; MOST_REPORTED],
    /// By the randoms of the server; the latest first.
    answers: [Option<Mark>; MOST_REPORTED],
    /// The server asked for another hello by a HelloRetryRequest.
    retried: bool,
}

/// The hellos of a client with one random, if it has sent any.
#[derive(Default)]
struct ReportedHello {
    random: Mark,
    /// Bit by the index of the hello.
    indices: u8,
}

/// A part of a random that tells it from others.
type Mark = [u8; 8];

/// Connections of a flow of which it is known what was reported.
const MOST_REPORTED: usize = 2;

/// A client of QUIC whose first packet was authentic.
pub(super) struct QuicClient {
    reader: QuicInitialReader,
    first: PacketRef,
}

/// An end of DTLS that has begun its hello.
pub(super) struct DtlsEnd {
    reader: DtlsHelloReader,
    first: PacketRef,
    packets: u32,
}

impl HeldBytes for QuicClient {
    fn held_bytes(&self) -> usize {
        self.reader.held_bytes()
    }
}

impl HeldBytes for DtlsEnd {
    fn held_bytes(&self) -> usize {
        self.reader.held_bytes()
    }
}

/// Whether a datagram can matter: a long header of QUIC, or a handshake record of DTLS.
#[inline]
pub(super) fn is_wanted(payload: &[u8]) -> bool {
    matches!(payload, [0x80..=0xff, ..] | [22, 0xfe, ..])
}

impl DatagramClients {
    pub(super) fn new(settings: &TlsSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            reported: Expiring::with_hash(limits, TagHash),
            decryptions: Allowance::new(settings.max_decryptions_per_second),
            scratch: Scratch::default(),
        }
    }

    /// Flows whose last hello was forgotten for others.
    pub(super) fn evicted(&self) -> u64 {
        self.reported.stats().evicted
    }

    /// Takes a datagram that [`is_wanted`] lets pass.
    #[inline]
    pub(super) fn on_datagram(
        &mut self,
        packet: &Packet<'_>,
        payload: &[u8],
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        if payload.first() == Some(&22) {
            for kind in [HandshakeType::ClientHello, HandshakeType::ServerHello] {
                if DtlsHelloReader::begins_with(kind, payload) {
                    self.on_dtls(kind, packet, payload, pending, context);
                }
            }
        } else if let Some(initial) = InitialPacket::first_of(payload) {
            self.on_quic(packet, payload, &initial, pending, context);
        }
    }

    pub(super) fn on_time(&mut self, now: Timestamp) {
        self.reported.expire(now, |_, _| {});
    }

    fn on_quic(
        &mut self,
        packet: &Packet<'_>,
        payload: &[u8],
        initial: &InitialPacket<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let Some((flow, direction)) = context.tagger.flow(packet) else { return };
        let (key, now) = ((flow, direction), packet.captured_at());
        let server_key = (flow, direction.reversed());
        if let Some(Begun::Quic(client)) = pending.get(&server_key, now)
            && client.reader.is_answered_with(initial)
        {
            let result = self.on_quic_answer(&mut client.reader, packet, flow, payload, context);
            pending.charge(&server_key);
            return result.unwrap_or_else(|error| context.counts.malformed_because(error.reason()));
        }
        let known = match pending.get(&key, now) {
            Some(Begun::Quic(client)) if client.reader.is_past_answer_with(initial) => return,
            Some(Begun::Quic(client)) => Some(client),
            Some(_) => return,
            None => None,
        };
        if !self.decryptions.is_left(now) {
            context.counts.refused_decryptions += 1;
            return;
        }
        let spent = match known {
            Some(client) => {
                let first = client.first;
                match self.open(&mut client.reader, packet, flow, first, payload, context) {
                    Err(error) if error.is_final() => Some(error),
                    result => return finish(result, &key, pending, context),
                }
            }
            None => None,
        };
        // Authentic is what anybody seals who knows the version: packets in the name of a client must not use up what may
        // be spent on it. What is spent on all of them together has its own limit.
        let first = PacketRef { captured_at: now, frame: packet.number() };
        let mut reader = QuicInitialReader::new(context.settings.quic);
        let mut result = self.open(&mut reader, packet, flow, first, payload, context);
        // One that does not prove authentic leaves nothing behind.
        if result.is_ok()
            && let Some(source) = context.tagger.source_network(packet)
        {
            let begun = Begun::Quic(Box::new(QuicClient { reader, first }));
            pending.insert(key, source, begun, now);
        } else if let Some(error) = spent {
            result = Err(error);
        }
        finish(result, &key, pending, context);
    }

    /// Reads a datagram of a server whose client was read, until it has answered.
    fn on_quic_answer(
        &mut self,
        reader: &mut QuicInitialReader,
        packet: &Packet<'_>,
        flow: FlowTag,
        payload: &[u8],
        context: &mut Context<'_>,
    ) -> Result<(), QuicError> {
        if reader.is_answered() {
            return Ok(());
        }
        if !self.decryptions.is_left(packet.captured_at()) {
            context.counts.refused_decryptions += 1;
            return Ok(());
        }
        // As with what comes in the name of a client.
        reader.allow_answer();
        let before = reader.decryptions();
        let result = reader.push_answer_with(payload, &mut self.scratch).map(Progress::done);
        let result = result.map(|hello| hello.map(|hello| self.report_answer(&hello, packet, flow, context)));
        self.decryptions.spend(reader.decryptions() - before);
        reader.forget_read();
        result.map(|_| ())
    }

    /// Opens a datagram, and reports the hello it completes. Whether it did.
    fn open(
        &mut self,
        reader: &mut QuicInitialReader,
        packet: &Packet<'_>,
        flow: FlowTag,
        first: PacketRef,
        payload: &[u8],
        context: &mut Context<'_>,
    ) -> Result<bool, QuicError> {
        let before = reader.decryptions();
        let result = reader.push_with(payload, &mut self.scratch).map(Progress::done);
        let parsed = match &result {
            Ok(Some(hello)) => Some((*hello, hello.client_hello())),
            Ok(None) | Err(_) => None,
        };
        let completed = result.map(|hello| hello.is_some());
        if let Some((quic, hello)) = parsed {
            match hello {
                Ok(hello) => self.report_quic(&quic, &hello, packet, flow, first, context),
                Err(error) => context.counts.malformed(error),
            }
        }
        self.decryptions.spend(reader.decryptions() - before);
        reader.forget_read();
        completed
    }

    fn report_quic(
        &mut self,
        quic: &QuicHello<'_>,
        hello: &ClientHello<'_>,
        packet: &Packet<'_>,
        flow: FlowTag,
        first: PacketRef,
        context: &mut Context<'_>,
    ) {
        if !self.is_new(flow, hello, quic.hello_index, packet.captured_at()) {
            return;
        }
        context.counts.quic += 1;
        (context.report)(TlsEvent::ClientHello(ClientHelloSeen {
            origin: Origin::of(packet),
            hello: context.keeper.keep(hello),
            first,
            packets: quic.initials,
            hello_index: quic.hello_index,
            after_hrr: quic.hello_index > 0,
            quic: Some(QuicFacts {
                version: quic.version,
                destination_id_len: quic.destination_id_len,
                source_id_len: quic.source_id_len,
                token_len: quic.token_len,
                initials: quic.initials,
                crypto_pieces: quic.crypto_pieces,
                in_order: quic.in_order,
            }),
            via: None,
        }));
    }

    fn on_dtls(
        &mut self,
        kind: HandshakeType,
        packet: &Packet<'_>,
        payload: &[u8],
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let Some(key) = context.tagger.flow(packet) else { return };
        let now = packet.captured_at();
        let first = PacketRef { captured_at: now, frame: packet.number() };
        let mut new = None;
        let end = match pending.get(&key, now) {
            Some(Begun::Dtls(end)) => end,
            Some(_) => return,
            None => new.insert(Box::new(DtlsEnd {
                reader: DtlsHelloReader::of_kind(kind, context.settings.dtls),
                first,
                packets: 0,
            })),
        };
        if end.packets == 0 {
            end.first = first;
        }
        end.packets = end.packets.saturating_add(1);
        end.reader.allow();
        let (began, packets) = (end.first, end.packets);
        let result = match end.reader.push(payload) {
            Ok(Progress::Done(hello)) => {
                match kind {
                    HandshakeType::ClientHello => {
                        self.report_dtls(&hello, packet, key.0, (began, packets), context);
                    }
                    HandshakeType::ServerHello => match ServerHello::parse(hello.message) {
                        Ok(Progress::Done(hello)) => self.report_answer(&hello, packet, key.0, context),
                        Ok(Progress::NeedMore) => {}
                        Err(error) => context.counts.malformed(error),
                    },
                }
                end.packets = 0;
                Ok(true)
            }
            Ok(Progress::NeedMore) => {
                // A hello that was told is sent again until it is answered: none of that is of the next one.
                if !end.reader.has_begun() {
                    end.packets = 0;
                }
                Ok(false)
            }
            Err(error) => Err(error),
        };
        if let Some(end) = new
            && result.is_ok()
            && let Some(source) = context.tagger.source_network(packet)
        {
            pending.insert(key, source, Begun::Dtls(end), now);
        }
        pending.charge(&key);
        match result {
            Ok(true) => pending.complete(&key),
            Ok(false) => {}
            Err(error) => context.counts.malformed_because(error.reason()),
        }
    }

    fn report_dtls(
        &mut self,
        dtls: &DtlsHello<'_>,
        packet: &Packet<'_>,
        flow: FlowTag,
        (first, packets): (PacketRef, u32),
        context: &mut Context<'_>,
    ) {
        let hello = match dtls.client_hello() {
            Ok(hello) => hello,
            Err(error) => return context.counts.malformed(error),
        };
        let hello_index = u8::try_from(dtls.message_seq).unwrap_or(u8::MAX);
        if !self.is_new(flow, &hello, hello_index, packet.captured_at()) {
            return;
        }
        context.counts.dtls += 1;
        (context.report)(TlsEvent::ClientHello(ClientHelloSeen {
            origin: Origin::of(packet),
            hello: context.keeper.keep(&hello),
            first,
            packets,
            hello_index,
            // A HelloVerifyRequest asks for its cookie in the field for it (RFC 6347 §4.2.1).
            after_hrr: hello_index > 0 && hello.cookie().is_empty(),
            quic: None,
            via: None,
        }));
    }

    fn report_answer(
        &mut self,
        hello: &ServerHello<'_>,
        packet: &Packet<'_>,
        flow: FlowTag,
        context: &mut Context<'_>,
    ) {
        let reported = self.reported.get_or_insert_with(flow, packet.captured_at(), Reported::default).value;
        let random = Some(mark(hello.random()));
        if reported.answers.contains(&random) {
            return;
        }
        match connection::server_hello_seen(packet, hello, reported.retried, context) {
            Some(seen) => {
                reported.answers.rotate_right(1);
                let [latest, ..] = &mut reported.answers;
                *latest = random;
                context.counts.server_hellos += 1;
                (context.report)(TlsEvent::ServerHello(seen));
            }
            None => {
                context.counts.retry_requests += u64::from(!reported.retried);
                reported.retried = true;
            }
        }
    }

    /// Whether a hello was not reported before. A second hello of a flow has the random of the first.
    fn is_new(&mut self, flow: FlowTag, hello: &ClientHello<'_>, index: u8, now: Timestamp) -> bool {
        let random = mark(hello.random());
        let bit = 1 << index.min(7);
        let reported = self.reported.get_or_insert_with(flow, now, Reported::default).value;
        if let Some(known) =
            reported.hellos.iter_mut().find(|known| known.indices != 0 && known.random == random)
        {
            let is_new = known.indices & bit == 0;
            known.indices |= bit;
            return is_new;
        }
        reported.hellos.rotate_right(1);
        let [latest, before, ..] = &mut reported.hellos;
        *latest = ReportedHello { random, indices: bit };
        // What the first one was answered by may have been captured before it.
        reported.retried &= before.indices == 0;
        true
    }
}

/// Bytes of a random that are random: it may begin with the time and end with the mark of a downgrade
/// ([RFC 8446 §4.1.3](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.3)).
fn mark(random: &[u8; 32]) -> Mark {
    let (marks, _) = random.as_chunks();
    marks.get(1).copied().unwrap_or_default()
}

/// Charges a client of QUIC with what it holds, and counts why nothing came of a datagram.
fn finish(
    result: Result<bool, QuicError>,
    key: &PendingKey,
    pending: &mut Pending,
    context: &mut Context<'_>,
) {
    pending.charge(key);
    match result {
        Ok(true) => pending.complete(key),
        Ok(false) => {}
        Err(error) => context.counts.malformed_because(error.reason()),
    }
}
