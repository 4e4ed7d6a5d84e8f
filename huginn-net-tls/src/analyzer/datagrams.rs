//! Hellos in datagrams: QUIC and DTLS.

use huginn_net_core::{FlowTag, HeldBytes, Packet, Progress, Reader, Timestamp};

use super::allowance::Allowance;
use super::connection::Context;
use super::pending::{Begun, Pending, PendingKey};
use super::relay;
use super::reported::ReportedHellos;
use crate::dtls::{self, DtlsError, DtlsHello, DtlsHelloReader};
use crate::event::{PacketRef, Via, ViaKind};
use crate::handshake::HandshakeType;
use crate::quic::{InitialPacket, QuicConnections, QuicError, Scratch};
use crate::settings::TlsSettings;

/// Both ends of QUIC, that of the server once its client was read, and of DTLS.
pub(super) struct DatagramClients {
    reported: ReportedHellos,
    decryptions: Allowance,
    scratch: Scratch,
}

/// A client of QUIC whose first packet was authentic.
pub(super) struct QuicClient(QuicConnections);

/// An end of DTLS that has begun its hello.
pub(super) struct DtlsEnd(DtlsHelloReader);

/// Records of DTLS, the first of which is of a handshake.
pub(super) struct DtlsDatagram<'a> {
    /// The flow, or the part of it that is relayed for one peer, and the way.
    pub(super) key: PendingKey,
    payload: &'a [u8],
    /// What they are in.
    pub(super) via: Option<Via>,
}

impl<'a> DtlsDatagram<'a> {
    /// The records of a datagram, or of what is in it.
    fn of(payload: &'a [u8], is_cut: bool, key: PendingKey) -> Option<Self> {
        if dtls::may_be_handshake(payload) {
            return Some(Self { key, payload, via: None });
        }
        if let Some(payload) = in_capwap(payload) {
            return Some(Self { key, payload, via: Some(Via::of(ViaKind::Capwap)) });
        }
        let relayed = relay::relayed(payload, is_cut)?;
        let (flow, way) = key;
        Some(Self { key: (relayed.flow(flow), way), payload: relayed.payload, via: Some(relayed.via()) })
    }
}

/// What is behind the header of encrypted CAPWAP, if it is a handshake record
/// ([RFC 5415 §4.2](https://www.rfc-editor.org/rfc/rfc5415#section-4.2)).
fn in_capwap(datagram: &[u8]) -> Option<&[u8]> {
    const HEADER: [u8; 4] = [1, 0, 0, 0];
    datagram.strip_prefix(&HEADER).filter(|record| dtls::may_be_handshake(record))
}

impl QuicClient {
    /// Whether a part of a hello is held.
    pub(super) fn has_hello(&self) -> bool {
        self.0.has_begun()
    }
}

impl DtlsEnd {
    /// Whether a part of a hello is held.
    pub(super) fn has_hello(&self) -> bool {
        self.0.has_begun()
    }
}

impl HeldBytes for QuicClient {
    fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

impl HeldBytes for DtlsEnd {
    fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

/// Whether a datagram can matter: a long header of QUIC, or a handshake record of DTLS, which may be in something else.
#[inline]
pub(super) fn is_wanted(payload: &[u8]) -> bool {
    matches!(payload, [0x80..=0xff, ..])
        || dtls::may_be_handshake(payload)
        || relay::may_be_relayed(payload)
        || in_capwap(payload).is_some()
}

impl DatagramClients {
    pub(super) fn new(settings: &TlsSettings) -> Self {
        Self {
            reported: ReportedHellos::new(settings),
            decryptions: Allowance::new(settings.max_decryptions_per_second),
            scratch: Scratch::EMPTY,
        }
    }

    /// Flows whose last hello was forgotten for others.
    pub(super) fn evicted(&self) -> u64 {
        self.reported.evicted()
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
        if let [0x80..=0xff, ..] = payload {
            let mut behind = Reader::new(payload);
            match InitialPacket::first_of(&mut behind) {
                Ok(Some(initial)) => self.on_quic(packet, payload, (&initial, behind), pending, context),
                Ok(None) => {}
                Err(error) => context.counts.malformed_because(error.reason()),
            }
        } else if let Some(key) = packet.flow()
            && let Some(datagram) = DtlsDatagram::of(payload, packet.layout().is_cut(), key)
        {
            self.on_dtls(packet, &datagram, pending, context);
        }
    }

    pub(super) fn on_time(&mut self, now: Timestamp) {
        self.reported.on_time(now);
    }

    fn on_quic(
        &mut self,
        packet: &Packet<'_>,
        payload: &[u8],
        (initial, behind): (&InitialPacket<'_>, Reader<'_>),
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let Some((flow, direction)) = packet.flow() else { return };
        let (key, now) = ((flow, direction), packet.captured_at());
        let server_key = (flow, direction.reversed());
        if let Some(Begun::Quic(client)) = pending.get(&server_key, now)
            && client.0.is_answered_with(initial)
        {
            let result = self.on_quic_answer(&mut client.0, packet, flow, (initial, payload), context);
            pending.charge(&server_key);
            return result.unwrap_or_else(|error| context.counts.malformed_because(error.reason()));
        }
        let known = match pending.get(&key, now) {
            Some(Begun::Quic(client)) if client.0.is_past_answer_with(initial) => return,
            Some(Begun::Quic(client)) => Some(client),
            Some(_) => return,
            None => None,
        };
        if !self.decryptions.is_left(now) {
            context.counts.refused_decryptions += 1;
            return;
        }
        let spent = match known {
            Some(client) => match self.open(&mut client.0, packet, flow, (initial, behind), context) {
                Err(error) if error.is_final() => Some(error),
                result => {
                    pending.charge(&key);
                    return finish(result.map_err(|error| error.reason()), &key, pending, context);
                }
            },
            None => None,
        };
        // Authentic is what anybody seals who knows the version: packets in the name of a client must not use up what may
        // be spent on it. What is spent on all of them together has its own limit.
        let mut connections = QuicConnections::NONE;
        let mut result = self.open(&mut connections, packet, flow, (initial, behind), context);
        // One that does not prove authentic leaves nothing behind.
        if result.is_ok()
            && let Some(source) = packet.source_network()
        {
            // Which charges it with what it holds.
            pending.insert(key, source, Begun::Quic(QuicClient(connections)), now);
        } else if let Some(error) = spent {
            pending.charge(&key);
            result = Err(error);
        }
        finish(result.map_err(|error| error.reason()), &key, pending, context);
    }

    /// Reads a datagram of a server whose client was read, until it has answered.
    fn on_quic_answer(
        &mut self,
        connections: &mut QuicConnections,
        packet: &Packet<'_>,
        flow: FlowTag,
        (first, payload): (&InitialPacket<'_>, &[u8]),
        context: &mut Context<'_>,
    ) -> Result<(), QuicError> {
        if connections.has_answer_for(first) {
            return Ok(());
        }
        if !self.decryptions.is_left(packet.captured_at()) {
            context.counts.refused_decryptions += 1;
            return Ok(());
        }
        // As with what comes in the name of a client.
        connections.allow_answer();
        let before = connections.decryptions();
        let result = connections.push_answer(payload, &context.settings.quic, &mut self.scratch);
        let result = result.map(|progress| {
            if let Progress::Done(hello) = progress {
                self.reported.report_answer(&hello, packet, flow, true, context);
            }
        });
        self.decryptions.spend(connections.decryptions() - before);
        result
    }

    /// Opens a datagram, and reports the hello it completes. Whether it did.
    fn open(
        &mut self,
        connections: &mut QuicConnections,
        packet: &Packet<'_>,
        flow: FlowTag,
        first: (&InitialPacket<'_>, Reader<'_>),
        context: &mut Context<'_>,
    ) -> Result<bool, QuicError> {
        let before = connections.decryptions();
        let limits = &context.settings.quic;
        let result = connections.push_behind(PacketRef::of(packet), first, limits, &mut self.scratch);
        let result = result.map(|progress| {
            let Progress::Done(quic) = progress else { return false };
            match quic.client_hello() {
                Ok(hello) => self.reported.report_quic(&quic, &hello, packet, flow, context),
                Err(error) => context.counts.malformed(error),
            }
            true
        });
        self.decryptions.spend(connections.decryptions() - before);
        result
    }

    fn on_dtls(
        &mut self,
        packet: &Packet<'_>,
        datagram: &DtlsDatagram<'_>,
        pending: &mut Pending,
        context: &mut Context<'_>,
    ) {
        let DtlsDatagram { key, payload, .. } = datagram;
        if DtlsHelloReader::is_cut(payload) {
            return context.counts.malformed_because("dtls_truncated");
        }
        let kinds = [HandshakeType::ClientHello, HandshakeType::ServerHello];
        let Some(kind) = kinds.into_iter().find(|&kind| DtlsHelloReader::begins_with(kind, payload)) else {
            return;
        };
        let now = packet.captured_at();
        let mut new = None;
        let end = match pending.get(key, now) {
            Some(Begun::Dtls(end)) => end,
            Some(_) => return,
            None => new.insert(Box::new(DtlsEnd(DtlsHelloReader::of_kind(kind, context.settings.dtls)))),
        };
        let result = self.read_dtls(kind, end, packet, datagram, context);
        if let Some(end) = new
            && result.is_ok()
            && let Some(source) = packet.source_network()
        {
            pending.insert(*key, source, Begun::Dtls(end), now);
        }
        pending.charge(key);
        finish(result.map_err(|error| error.reason()), key, pending, context);
    }

    /// Reads a datagram of an end of DTLS, and reports the hello it completes. Whether it did.
    fn read_dtls(
        &mut self,
        kind: HandshakeType,
        end: &mut DtlsEnd,
        packet: &Packet<'_>,
        datagram: &DtlsDatagram<'_>,
        context: &mut Context<'_>,
    ) -> Result<bool, DtlsError> {
        let DtlsEnd(reader) = end;
        reader.allow();
        match reader.push_of(PacketRef::of(packet), datagram.payload)? {
            Progress::Done(hello) => {
                context.counts.overlap_conflict += u64::from(hello.contradicted);
                let other = hello.other.map(|message| DtlsHello { message, ..hello });
                for hello in [Some(hello), other].into_iter().flatten() {
                    match kind {
                        HandshakeType::ClientHello => {
                            self.reported.report_dtls(&hello, packet, datagram, context);
                        }
                        HandshakeType::ServerHello => {
                            self.reported.report_dtls_answer(&hello, packet, datagram, context);
                        }
                    }
                }
                Ok(true)
            }
            Progress::NeedMore => Ok(false),
        }
    }
}

/// Notes what came of a datagram: whether it completed a hello, or the reason why it was of no use.
fn finish(
    result: Result<bool, &'static str>,
    key: &PendingKey,
    pending: &mut Pending,
    context: &mut Context<'_>,
) {
    match result {
        Ok(true) => pending.complete(key),
        Ok(false) => {}
        Err(reason) => context.counts.malformed_because(reason),
    }
}
