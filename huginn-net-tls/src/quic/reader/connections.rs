//! The connections that a client began, and how its packets belong to them.

use huginn_net_core::{Progress, Reader};

use super::answer::Answer;
use super::{QuicFacts, QuicHello, QuicLimits};
#[cfg(feature = "capture")]
use crate::carriers::Carriers;
#[cfg(feature = "capture")]
use crate::event::PacketRef;
use crate::handshake::{self, HandshakeType};
use crate::quic::crypto::CryptoStream;
use crate::quic::gcm::GcmScratch;
use crate::quic::header::{ConnectionId, InitialPacket, LongPacket};
use crate::quic::keys::{InitialKeys, InitialSecret, LatestCiphers};
use crate::quic::pieces::SpareMemory;
use crate::quic::version::{InitialScheme, QuicVersion};
use crate::quic::{QuicError, QuicLimit};

/// What a [`QuicInitialReader`](super::QuicInitialReader) knows of a client and its server. Limits are told with each
/// datagram, and memory to work in is lent, so that many of these share both.
#[derive(Debug)]
pub(crate) struct QuicConnections {
    pub(super) all: Vec<Connection>,
    /// The connection that a packet was opened of last.
    pub(super) latest: Option<u32>,
    pub(super) packets: u32,
    pub(super) decryptions: u32,
    /// How many times a packet of the server was decrypted, in vain or not.
    pub(super) answer_decryptions: u32,
    /// What was read of the server of one of them.
    pub(super) answer: Option<Box<Answer>>,
}

/// Memory to read packets in, which the next ones use again.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(super) ciphers: LatestCiphers,
    /// A packet, opened.
    pub(super) opened: GcmScratch,
    /// The hello that was found last.
    pub(super) message: Vec<u8>,
    pub(super) spare: SpareMemory,
}

/// What one set of keys opens.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) version: QuicVersion,
    pub(super) destination: ConnectionId,
    pub(super) secret: InitialSecret,
    /// Those of the client.
    keys: InitialKeys,
    pub(super) source: ConnectionId,
    token_len: usize,
    pub(super) crypto: CryptoStream,
    /// Hellos found.
    hellos: u8,
    /// The random of the first.
    random: Option<[u8; 32]>,
    /// The datagrams that brought what was not found yet, and those of the hello that was found last.
    #[cfg(feature = "capture")]
    carriers: Option<Carriers>,
    #[cfg(feature = "capture")]
    found_in: Option<Carriers>,
}

/// Shortest connection ID that a client may make up
/// ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
const MIN_FIRST_ID: usize = 8;
/// Where a ClientHello has its random: behind header and version
/// ([RFC 8446 §4.1.2](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2)).
const RANDOM_AT: usize = handshake::HEADER + 2;

impl QuicConnections {
    /// Of a client that sent nothing.
    pub(crate) const NONE: Self = Self {
        all: Vec::new(),
        latest: None,
        packets: 0,
        decryptions: 0,
        answer_decryptions: 0,
        answer: None,
    };

    /// See [`QuicInitialReader::push`](super::QuicInitialReader::push).
    pub(crate) fn push<'a>(
        &'a mut self,
        datagram: &[u8],
        limits: &QuicLimits,
        scratch: &'a mut Scratch,
    ) -> Result<Progress<QuicHello<'a>>, QuicError> {
        let opened = self.open_datagram(None, &mut Reader::new(datagram), limits, scratch)?;
        self.find_hello(opened, limits, scratch)
    }

    /// As [`push`](Self::push), of the datagram of a `packet` of which the first Initial packet was read, and what is `behind`
    /// it was not.
    #[cfg(feature = "capture")]
    pub(crate) fn push_behind<'a>(
        &'a mut self,
        packet: PacketRef,
        (first, mut behind): (&InitialPacket<'_>, Reader<'_>),
        limits: &QuicLimits,
        scratch: &'a mut Scratch,
    ) -> Result<Progress<QuicHello<'a>>, QuicError> {
        let opened = self.open_datagram(Some(first), &mut behind, limits, scratch)?;
        if let Some(connection) = self.all.get_mut(opened)
            && core::mem::take(&mut connection.crypto.has_news)
        {
            Carriers::add(&mut connection.carriers, packet);
        }
        self.find_hello(opened, limits, scratch)
    }

    /// The next hello of the connection that a datagram belongs to.
    fn find_hello<'a>(
        &'a mut self,
        opened: usize,
        limits: &QuicLimits,
        scratch: &'a mut Scratch,
    ) -> Result<Progress<QuicHello<'a>>, QuicError> {
        let Some(connection) = self.all.get_mut(opened) else { return Ok(Progress::NeedMore) };
        if !connection.find_hello(limits, scratch)? || self.is_repeated(opened) {
            return Ok(Progress::NeedMore);
        }
        let connection = self.all.get(opened);
        Ok(connection.map_or(Progress::NeedMore, |found| Progress::Done(found.hello(&scratch.message))))
    }

    /// See [`QuicInitialReader::decryptions`](super::QuicInitialReader::decryptions).
    pub(crate) const fn decryptions(&self) -> usize {
        self.decryptions as usize + self.answer_decryptions as usize
    }

    /// Whether a part of a hello is held.
    #[cfg(feature = "capture")]
    pub(crate) fn has_begun(&self) -> bool {
        self.all.iter().any(|connection| connection.crypto.holds_any())
    }

    /// Bytes of memory held besides itself: never less, and little more.
    pub(crate) fn held_bytes(&self) -> usize {
        let streams = self.all.iter().map(|connection| connection.crypto.memory()).sum::<usize>();
        let answer = self.answer.as_ref().map_or(0, |answer| answer.held_bytes());
        self.all.capacity() * size_of::<Connection>() + streams + answer
    }

    /// Opens what can be opened of a datagram; the connection it belongs to. It is one: senders must not put packets to
    /// several connection IDs into a datagram ([RFC 9000 §12.2](https://www.rfc-editor.org/rfc/rfc9000#section-12.2)).
    ///
    /// `packets` are those behind the `first` if that was read, or else all.
    fn open_datagram(
        &mut self,
        first: Option<&InitialPacket<'_>>,
        packets: &mut Reader<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let mut answer = match first {
            Some(first) => self
                .count_packet(limits)
                .inspect_err(|_| _ = packets.take_rest())
                .and_then(|()| self.open(first, limits, scratch)),
            None => self.open_next(packets, limits, scratch),
        };
        while !packets.is_empty() {
            let next = self.open_next(packets, limits, scratch);
            if next.is_ok() {
                answer = next;
            }
        }
        answer
    }

    /// Opens the packet at the front of `packets`, which becomes shorter or empty.
    fn open_next(
        &mut self,
        packets: &mut Reader<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let packet = match LongPacket::read(packets) {
            Ok(packet) => packet,
            Err(error) => {
                packets.take_rest();
                return Err(error);
            }
        };
        self.count_packet(limits).inspect_err(|_| _ = packets.take_rest())?;
        match packet {
            LongPacket::Initial(initial) => self.open(&initial, limits, scratch),
            LongPacket::Other(kind) => Err(QuicError::NotInitial(kind)),
        }
    }

    fn count_packet(&mut self, limits: &QuicLimits) -> Result<(), QuicError> {
        if self.packets as usize >= limits.max_packets {
            return Err(QuicError::Limit { what: QuicLimit::Packets, limit: limits.max_packets });
        }
        self.packets = self.packets.saturating_add(1);
        Ok(())
    }

    /// Opens a packet with the keys of its own connection ID or with those that opened the last one.
    ///
    /// The ID changes without the keys when the server has chosen another
    /// ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)), and with the keys and the token after a
    /// Retry ([RFC 9001 §5.2](https://www.rfc-editor.org/rfc/rfc9001#section-5.2)); which of them is tried first saves a
    /// decryption.
    fn open(
        &mut self,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let own = self.all.iter().position(|connection| connection.is_named_by(packet));
        let latest = self.latest().and_then(|at| Some((at, self.all.get(at)?)));
        let latest = latest.filter(|(at, latest)| Some(*at) != own && latest.version == packet.version);
        let has_opened = own.and_then(|at| self.all.get(at)).is_some_and(|own| own.crypto.packets > 0);

        match latest.filter(|_| !has_opened).map(|(at, latest)| (at, latest.token_len == packet.token_len)) {
            None => self.open_with_own(own, packet, limits, scratch),
            Some((at, true)) => self
                .open_with(at, packet, limits, scratch)
                .or_else(|_| self.open_with_own(own, packet, limits, scratch)),
            Some((at, false)) => self.open_with_own(own, packet, limits, scratch).or_else(|error| {
                // That it was not tried with its own keys is what matters.
                let limit = matches!(error, QuicError::Limit { .. }).then_some(error);
                self.open_with(at, packet, limits, scratch).map_err(|error| limit.unwrap_or(error))
            }),
        }
    }

    fn open_with_own(
        &mut self,
        own: Option<usize>,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let at = match own {
            Some(at) => at,
            None => self.add_connection(packet, limits)?,
        };
        self.open_with(at, packet, limits, scratch)
    }

    /// Derives the keys of a packet's own connection ID. They are kept if they open nothing, too: forged packets
    /// cost their derivation once.
    fn add_connection(
        &mut self,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
    ) -> Result<usize, QuicError> {
        if packet.destination.len() < MIN_FIRST_ID && packet.token_len == 0 {
            return Err(QuicError::NotAuthentic);
        }
        if self.all.len() >= limits.max_keys {
            return Err(QuicError::Limit { what: QuicLimit::Keys, limit: limits.max_keys });
        }
        let scheme = packet.version.initial().ok_or(QuicError::UnknownVersion(packet.version))?;
        // There is rarely another.
        self.all.reserve_exact(1);
        self.all.push(Connection::new(packet, scheme));
        Ok(self.all.len() - 1)
    }

    fn open_with(
        &mut self,
        at: usize,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let limit = limits.max_decryptions;
        let connection = self.all.get_mut(at).ok_or(QuicError::NotAuthentic)?;
        if let Some(error) = connection.crypto.failed {
            return Err(error.into());
        }
        if self.decryptions as usize >= limit {
            return Err(QuicError::Limit { what: QuicLimit::Decryptions, limit });
        }
        self.decryptions = self.decryptions.saturating_add(1);
        let Scratch { ciphers, opened, spare, .. } = scratch;
        let frames = connection.keys.open(packet, ciphers, opened).ok_or(QuicError::NotAuthentic)?;
        connection.crypto.take(packet.version, frames, limits, spare);
        self.latest = u32::try_from(at).ok();
        Ok(at)
    }

    pub(super) fn latest(&self) -> Option<usize> {
        self.latest.map(|at| at as usize)
    }

    /// Whether the first hello of a connection is one that another had before.
    fn is_repeated(&self, at: usize) -> bool {
        let (before, after) = self.all.split_at_checked(at).unwrap_or_default();
        let Some((connection, after)) = after.split_first() else { return false };
        connection.hellos == 1
            && connection.random.is_some()
            && before.iter().chain(after).any(|other| other.random == connection.random)
    }
}

impl Scratch {
    pub(crate) const EMPTY: Self = Self {
        ciphers: LatestCiphers::NONE,
        opened: GcmScratch::EMPTY,
        message: Vec::new(),
        spare: SpareMemory::NONE,
    };

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.ciphers.memory() + self.opened.memory() + self.message.capacity() + self.spare.memory()
    }
}

impl Connection {
    fn new(packet: &InitialPacket<'_>, scheme: &InitialScheme) -> Self {
        let secret = InitialSecret::extract(scheme, packet.destination);
        Self {
            version: packet.version,
            destination: ConnectionId::of(packet.destination),
            secret,
            keys: secret.client_keys(scheme),
            source: ConnectionId::of(packet.source),
            token_len: packet.token_len,
            crypto: CryptoStream::new(HandshakeType::ClientHello),
            hellos: 0,
            random: None,
            #[cfg(feature = "capture")]
            carriers: None,
            #[cfg(feature = "capture")]
            found_in: None,
        }
    }

    fn is_named_by(&self, packet: &InitialPacket<'_>) -> bool {
        self.version == packet.version && self.destination.as_slice() == packet.destination
    }

    /// Moves the hello behind those that were handed out into the place for it, if it is complete.
    fn find_hello(&mut self, limits: &QuicLimits, scratch: &mut Scratch) -> Result<bool, QuicError> {
        let found = self.crypto.find_hello(limits, &mut scratch.message, &mut scratch.spare)?;
        if found {
            self.hellos = self.hellos.saturating_add(1);
            #[cfg(feature = "capture")]
            {
                self.found_in = self.carriers.take();
            }
            if self.hellos == 1 {
                self.random = Reader::at(&scratch.message, RANDOM_AT).array("random").ok();
            }
        }
        Ok(found)
    }

    /// The hello that was found.
    fn hello<'a>(&self, message: &'a [u8]) -> QuicHello<'a> {
        QuicHello {
            message,
            hello_index: self.hellos.saturating_sub(1),
            facts: QuicFacts {
                version: self.version,
                destination_id_len: self.destination.len(),
                source_id_len: self.source.len(),
                token_len: self.token_len,
                initials: self.crypto.packets,
                crypto_pieces: self.crypto.pieces,
                in_order: self.crypto.in_order,
            },
            #[cfg(feature = "capture")]
            carriers: self.found_in,
        }
    }
}
