//! The ServerHello that answers a client.

use huginn_net_core::{Progress, Reader};

use super::QuicLimits;
use super::connections::{QuicConnections, Scratch};
use crate::handshake::HandshakeType;
use crate::quic::crypto::CryptoStream;
use crate::quic::header::{ConnectionId, InitialPacket, LongPacket};
use crate::quic::keys::{InitialKeys, InitialSecret};
use crate::quic::{QuicError, QuicLimit, QuicVersion};
use crate::server_hello::ServerHello;

/// What was read of the server of one connection.
#[derive(Debug)]
pub(super) struct Answer {
    /// Which of the connections.
    connection: usize,
    /// The server may choose another than its client began with
    /// ([RFC 9369 §4.1](https://www.rfc-editor.org/rfc/rfc9369#section-4.1)).
    version: QuicVersion,
    /// What the server calls itself.
    source: ConnectionId,
    keys: InitialKeys,
    crypto: CryptoStream,
    /// A ServerHello that is no HelloRetryRequest was read.
    is_complete: bool,
}

impl Answer {
    /// Bytes of memory held, itself included.
    pub(super) fn held_bytes(&self) -> usize {
        size_of::<Self>() + self.crypto.memory()
    }
}

impl QuicConnections {
    /// See [`QuicInitialReader::is_answered_by`](super::QuicInitialReader::is_answered_by), of the first Initial
    /// packet of the datagram.
    pub(crate) fn is_answered_with(&self, packet: &InitialPacket<'_>) -> bool {
        (0..self.all.len()).any(|at| self.is_answered_at(at, packet))
    }

    /// See [`QuicInitialReader::is_answered`](super::QuicInitialReader::is_answered).
    pub(crate) fn is_answered(&self) -> bool {
        self.latest().is_some_and(|latest| self.has_answer_of(latest))
    }

    /// Whether the server has answered the connection that a packet of it is most likely of.
    #[cfg(feature = "capture")]
    pub(crate) fn has_answer_for(&self, packet: &InitialPacket<'_>) -> bool {
        self.likely_of(packet).is_some_and(|at| self.has_answer_of(at))
    }

    fn has_answer_of(&self, at: usize) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.is_complete && answer.connection == at)
    }

    /// See [`QuicInitialReader::is_past_answer`](super::QuicInitialReader::is_past_answer), of the first Initial
    /// packet of the datagram.
    pub(crate) fn is_past_answer_with(&self, packet: &InitialPacket<'_>) -> bool {
        self.answer
            .as_ref()
            .is_some_and(|answer| answer.is_complete && answer.source.as_slice() == packet.destination)
    }

    /// See [`QuicInitialReader::push_answer`](super::QuicInitialReader::push_answer).
    pub(crate) fn push_answer<'a>(
        &mut self,
        datagram: &[u8],
        limits: &QuicLimits,
        scratch: &'a mut Scratch,
    ) -> Result<Progress<ServerHello<'a>>, QuicError> {
        let mut packets = Reader::new(datagram);
        let mut opened = None;
        // An error leaves nothing that could be read behind it.
        while let Ok(packet) = LongPacket::read(&mut packets) {
            if let LongPacket::Initial(packet) = packet {
                let next = self.open_answer(&packet, limits, scratch);
                opened = opened.filter(Result::is_ok).or(Some(next));
            }
            if packets.is_empty() {
                break;
            }
        }
        opened.unwrap_or(Ok(()))?;
        let Some(answer) = &mut self.answer else { return Ok(Progress::NeedMore) };
        let Scratch { message, spare, .. } = scratch;
        if answer.is_complete || !answer.crypto.find_hello(limits, message, spare)? {
            return Ok(Progress::NeedMore);
        }
        let hello = ServerHello::parse(message)?;
        if let Progress::Done(hello) = &hello {
            answer.is_complete = !hello.is_hello_retry_request();
        }
        Ok(hello)
    }

    /// Gives back what was spent on the server: who reads for many connections has a limit for all of them together, and
    /// packets in the name of a server must not use up what may be spent on it.
    #[cfg(feature = "capture")]
    pub(crate) fn allow_answer(&mut self) {
        self.answer_decryptions = 0;
    }

    /// Whether a packet of the server may belong to a connection.
    fn is_answered_at(&self, at: usize, packet: &InitialPacket<'_>) -> bool {
        self.all
            .get(at)
            .is_some_and(|known| known.crypto.packets > 0 && known.source.as_slice() == packet.destination)
    }

    /// Which connection a packet of the server most likely belongs to: the one that its client used last, for there the keys are
    /// new after a Retry while the client's own connection ID is not.
    fn likely_of(&self, packet: &InitialPacket<'_>) -> Option<usize> {
        let is_of = |at: &usize| self.is_answered_at(*at, packet);
        self.latest().filter(is_of).or_else(|| (0..self.all.len()).find(is_of))
    }

    /// Opens a packet of the server. What the client sent before a Retry may come once more behind it, so that others of its
    /// connections are tried, too.
    fn open_answer(
        &mut self,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<(), QuicError> {
        let likely = self.likely_of(packet);
        let others = (0..self.all.len()).rev().filter(|&at| Some(at) != likely);
        for at in likely.into_iter().chain(others) {
            if !self.is_answered_at(at, packet) {
                continue;
            }
            match self.open_answer_of(at, packet, limits, scratch) {
                Err(QuicError::NotAuthentic) => {}
                result => return result,
            }
        }
        Err(QuicError::NotAuthentic)
    }

    fn open_answer_of(
        &mut self,
        at: usize,
        packet: &InitialPacket<'_>,
        limits: &QuicLimits,
        scratch: &mut Scratch,
    ) -> Result<(), QuicError> {
        let limit = limits.max_decryptions;
        if self.answer_decryptions as usize >= limit {
            return Err(QuicError::Limit { what: QuicLimit::Decryptions, limit });
        }
        self.answer_decryptions = self.answer_decryptions.saturating_add(1);
        let Scratch { ciphers, opened, spare, .. } = scratch;
        let answer = match &mut self.answer {
            Some(answer) if (answer.connection, answer.version) == (at, packet.version) => answer,
            answer => {
                let scheme = packet.version.initial().ok_or(QuicError::UnknownVersion(packet.version))?;
                let connection = self.all.get(at).ok_or(QuicError::NotAuthentic)?;
                let secret = if packet.version == connection.version {
                    connection.secret
                } else {
                    InitialSecret::extract(scheme, connection.destination.as_slice())
                };
                let keys = secret.server_keys(scheme);
                // Another one is replaced when this proves authentic.
                let frames = keys.open(packet, ciphers, opened).ok_or(QuicError::NotAuthentic)?;
                let mut crypto = CryptoStream::new(HandshakeType::ServerHello);
                crypto.take(packet.version, frames, limits, spare);
                let (connection, version, source) = (at, packet.version, ConnectionId::of(packet.source));
                let begun = Answer { connection, version, source, keys, crypto, is_complete: false };
                *answer = Some(Box::new(begun));
                return Ok(());
            }
        };
        if let Some(error) = answer.crypto.failed {
            return Err(error.into());
        }
        let frames = answer.keys.open(packet, ciphers, opened).ok_or(QuicError::NotAuthentic)?;
        answer.crypto.take(packet.version, frames, limits, spare);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::QuicInitialReader;
    use super::*;
    use crate::quic::testing::{Initial, crypto, hello};

    const FIRST_ID: &[u8] = b"client's";
    const RETRY_ID: &[u8] = b"again";
    /// What the client of these tests calls itself.
    const CLIENT_ID: &[u8] = b"SS";

    /// A ServerHello with this random and cipher suite 1301.
    fn server_hello(random: [u8; 32]) -> Vec<u8> {
        [&[2, 0, 0, 40, 3, 3][..], &random, &[0, 0x13, 0x01, 0, 0, 0]].concat()
    }

    const RETRY: [u8; 32] = [
        0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
        0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
    ];

    /// A packet of the server to a client that first wrote to `key_id`.
    fn answer(key_id: &[u8]) -> Initial {
        Initial { destination: CLIENT_ID.to_vec(), is_answer: true, ..Initial::to(key_id) }
    }

    /// The random of a ServerHello that a datagram completes.
    fn push(reader: &mut QuicInitialReader, datagram: &[u8]) -> Result<Option<u8>, QuicError> {
        assert!(reader.is_answered_by(datagram));
        let hello = reader.push_answer(datagram)?.done();
        Ok(hello.map(|hello| hello.random()[0]))
    }

    /// A reader that has read the hello of a client to this connection ID.
    fn reader_of(client: &Initial) -> QuicInitialReader {
        let mut reader = QuicInitialReader::new();
        reader.push(&client.with(&crypto(0, &hello(7, 300)))).unwrap().done().unwrap();
        reader
    }

    #[test]
    fn reads_the_answer_in_pieces_and_from_any_packet_of_a_datagram() {
        let message = server_hello([9; 32]);
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        let packet = answer(FIRST_ID);
        let end = packet.with(&crypto(20, &message[20..]));
        // A Handshake packet, an acknowledgment of packet 0, the start, and a Handshake packet again.
        let start = Initial { number: 1, ..packet.clone() }.with(&crypto(0, &message[..20]));
        let handshake = [&[0xe0, 0, 0, 0, 1, 2][..], CLIENT_ID, &[2, b'S', b'S', 4, 1, 2, 3, 4]].concat();
        assert_eq!(push(&mut reader, &end), Ok(None));
        assert!(!reader.is_answered());
        let acknowledgment = packet.with(&[2, 0, 0, 0, 0]);
        let datagram = [handshake.clone(), acknowledgment, start.clone(), handshake].concat();
        assert_eq!(push(&mut reader, &datagram), Ok(Some(9)));
        assert!(reader.is_answered());
        assert_eq!(push(&mut reader, &start), Ok(None), "sent again");
    }

    #[test]
    fn a_retry_request_is_followed_by_the_answer() {
        let stream = [server_hello(RETRY), server_hello([9; 32])].concat();
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        let packet = answer(FIRST_ID);
        assert_eq!(push(&mut reader, &packet.with(&crypto(0, &stream[..44]))), Ok(Some(0xcf)));
        assert!(!reader.is_answered());
        assert_eq!(push(&mut reader, &packet.with(&crypto(44, &stream[44..]))), Ok(Some(9)));
        assert!(reader.is_answered());
    }

    #[test]
    fn keys_are_those_of_the_connection_after_a_retry_and_of_the_version_that_the_server_chose() {
        let message = crypto(0, &server_hello([9; 32]));
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        let again = Initial { token: b"token".to_vec(), ..Initial::to(RETRY_ID) };
        assert!(reader.push(&again.with(&crypto(0, &hello(7, 300)))).unwrap().done().is_none());
        assert_eq!(push(&mut reader, &answer(b"a third ").with(&message)), Err(QuicError::NotAuthentic));
        assert_eq!(push(&mut reader, &answer(RETRY_ID).with(&message)), Ok(Some(9)));

        let mut reader = reader_of(&Initial::to(FIRST_ID));
        let version_2 = Initial { version: QuicVersion::V2, ..answer(FIRST_ID) };
        assert_eq!(push(&mut reader, &version_2.with(&message)), Ok(Some(9)));
    }

    #[test]
    fn what_was_sent_before_a_retry_does_not_hide_the_answer_when_it_comes_again() {
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        let again = Initial { token: b"token".to_vec(), ..Initial::to(RETRY_ID) };
        assert!(reader.push(&again.with(&crypto(0, &hello(7, 300)))).unwrap().done().is_none());
        assert!(
            reader.push(&Initial::to(FIRST_ID).with(&crypto(0, &hello(7, 300)))).unwrap().done().is_none()
        );
        let message = crypto(0, &server_hello([9; 32]));
        assert_eq!(push(&mut reader, &answer(RETRY_ID).with(&message)), Ok(Some(9)));
    }

    #[test]
    fn what_does_not_open_leaves_the_answer_that_was_begun_and_costs_no_more_than_the_limit() {
        let message = server_hello([9; 32]);
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        assert_eq!(push(&mut reader, &answer(FIRST_ID).with(&crypto(0, &message[..20]))), Ok(None));
        let forged = [
            answer(RETRY_ID),
            Initial { version: QuicVersion::V2, ..answer(RETRY_ID) },
            Initial { is_answer: false, ..answer(FIRST_ID) },
        ];
        for forged in &forged {
            assert_eq!(push(&mut reader, &forged.with(&[1])), Err(QuicError::NotAuthentic));
        }
        let mut other = reader_of(&Initial::to(FIRST_ID));
        for _ in 0..8 {
            assert_eq!(push(&mut other, &forged[0].with(&[1])), Err(QuicError::NotAuthentic));
        }
        let limit = Err(QuicError::Limit { what: QuicLimit::Decryptions, limit: 8 });
        assert_eq!(push(&mut other, &answer(FIRST_ID).with(&crypto(0, &message))), limit);
        assert_eq!(other.decryptions(), 9);
        assert_eq!(push(&mut reader, &answer(FIRST_ID).with(&crypto(20, &message[20..]))), Ok(Some(9)));
    }

    #[test]
    fn what_does_not_open_behind_an_answer_does_not_hide_it() {
        let packet = answer(FIRST_ID).with(&crypto(0, &server_hello([9; 32])));
        let forged = answer(RETRY_ID).with(&[1]);
        for datagram in [[packet.clone(), forged.clone()].concat(), [forged.clone(), packet].concat()] {
            assert_eq!(push(&mut reader_of(&Initial::to(FIRST_ID)), &datagram), Ok(Some(9)));
        }
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        assert_eq!(push(&mut reader, &[&forged[..], &forged].concat()), Err(QuicError::NotAuthentic));
    }

    #[test]
    fn a_client_hello_or_a_message_over_the_limit_in_the_name_of_a_server_is_none() {
        for start in [&[1, 0, 0, 40, 3, 3][..], &[2, 0, 0xff, 0xff, 3, 3]] {
            let mut reader = reader_of(&Initial::to(FIRST_ID));
            for _ in 0..2 {
                let result = push(&mut reader, &answer(FIRST_ID).with(&crypto(0, start)));
                assert!(matches!(result, Err(QuicError::Hello(_))), "{result:?}");
            }
            assert!(reader.held_bytes() < 4_096);
        }
    }

    #[test]
    fn packets_of_the_client_are_past_the_answer_once_that_is_no_retry_request() {
        let stream = [server_hello(RETRY), server_hello([9; 32])].concat();
        // What the server of these tests calls itself, too.
        let client = Initial { destination: CLIENT_ID.to_vec(), ..Initial::to(FIRST_ID) };
        let acknowledgment = client.with(&[2, 0, 0, 0, 0]);
        let mut reader = reader_of(&Initial::to(FIRST_ID));
        assert!(!reader.is_past_answer(&acknowledgment));
        assert_eq!(push(&mut reader, &answer(FIRST_ID).with(&crypto(0, &stream[..44]))), Ok(Some(0xcf)));
        assert!(!reader.is_past_answer(&acknowledgment), "another hello may come");
        assert_eq!(push(&mut reader, &answer(FIRST_ID).with(&crypto(44, &stream[44..]))), Ok(Some(9)));
        assert!(reader.is_past_answer(&acknowledgment));
        assert!(!reader.is_past_answer(&Initial::to(b"another one").with(&[1])), "another connection");
        assert!(!reader.is_past_answer(b"no packet"));
    }

    #[test]
    fn only_packets_to_the_id_of_a_client_that_was_read_answer_it() {
        let reader = reader_of(&Initial::to(FIRST_ID));
        let other = Initial { destination: b"XX".to_vec(), ..answer(FIRST_ID) }.with(&[1]);
        assert!(!reader.is_answered_by(&other));
        assert!(reader.is_answered_by(&answer(FIRST_ID).with(&[1])));
        let unread = QuicInitialReader::new();
        assert!(!unread.is_answered_by(&answer(FIRST_ID).with(&[1])));
    }
}
