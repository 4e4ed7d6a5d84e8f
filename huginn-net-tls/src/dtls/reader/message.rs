//! A message that is put together from fragments.

use huginn_net_core::{SeqNumber, StreamHead, StreamLimits};

use super::{DtlsHello, DtlsLimits};
#[cfg(feature = "capture")]
use crate::carriers::Carriers;
use crate::dtls::DtlsError;
use crate::dtls::record::Fragment;
use crate::handshake::{self, HandshakeType};
use crate::numbers::ProtocolVersion;

/// A message of which at least one fragment arrived.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) seq: u16,
    record_version: ProtocolVersion,
    body_len: u32,
    pub(super) fragments: u32,
    in_order: bool,
    /// Where the next fragment begins if they are in order.
    next_offset: u64,
    /// What fragments say that contradict bytes that arrived before them, in the order of arrival.
    pub(super) contradictions: Vec<Contradiction>,
    /// Header of TLS, and body.
    pub(super) stream: StreamHead,
    /// The datagrams that brought what none before them had.
    #[cfg(feature = "capture")]
    pub(super) carriers: Option<Carriers>,
    /// Whether the one that is being read is among them.
    #[cfg(feature = "capture")]
    pub(super) is_counted: bool,
}

/// The data of a fragment, and where it belongs in its message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    at: usize,
    data: Box<[u8]>,
}

/// The number of a message's first byte. Its body begins at 0, as the offsets of fragments have it; the four bytes of
/// the header come before.
const MESSAGE_START: SeqNumber = SeqNumber(u32::MAX - 3);

impl Message {
    /// A message that has its header.
    pub(super) fn new(
        kind: HandshakeType,
        fragment: &Fragment<'_>,
        record_version: ProtocolVersion,
        limits: DtlsLimits,
    ) -> Self {
        let [_, length @ ..] = fragment.message_len.to_be_bytes();
        let [high, middle, low] = length;
        let max_bytes = handshake::HEADER + fragment.message_len as usize;
        let mut stream = StreamHead::new(
            MESSAGE_START,
            StreamLimits::default()
                .with_max_bytes(max_bytes)
                .with_max_pieces(limits.max_pieces)
                .with_max_out_of_order(max_bytes),
        );
        let header = [kind as u8, high, middle, low];
        // It is in order and fits.
        let _ = stream.push(MESSAGE_START, &header);
        Self {
            seq: fragment.message_seq,
            record_version,
            body_len: fragment.message_len,
            fragments: 0,
            in_order: true,
            next_offset: 0,
            contradictions: Vec::new(),
            stream,
            #[cfg(feature = "capture")]
            carriers: None,
            #[cfg(feature = "capture")]
            is_counted: false,
        }
    }

    /// Whether a fragment belongs to it: the fragments of a message tell its number and its length alike
    /// ([RFC 6347 §4.2.3](https://www.rfc-editor.org/rfc/rfc6347#section-4.2.3)). One that tells another length in the
    /// name of the sender does not stand in its way; as many as [`DtlsLimits::max_messages`] do. Nor do fragments stand in
    /// the way of a whole message that contradicts them.
    pub(super) fn is_of(&self, fragment: &Fragment<'_>) -> bool {
        (self.seq, self.body_len) == (fragment.message_seq, fragment.message_len)
            && !(fragment.is_whole() && self.is_contradicted_by(fragment))
    }

    fn is_contradicted_by(&self, fragment: &Fragment<'_>) -> bool {
        self.stream.conflicts_with(SeqNumber(fragment.offset), fragment.data)
    }

    pub(super) fn take(&mut self, fragment: &Fragment<'_>, limits: DtlsLimits) -> Result<(), DtlsError> {
        let Fragment { offset, data, .. } = *fragment;
        self.fragments = self.fragments.saturating_add(1);
        self.in_order &= u64::from(offset) == self.next_offset;
        self.next_offset = u64::from(offset) + data.len() as u64;
        if self.is_contradicted_by(fragment) {
            self.note_contradiction(fragment, limits);
        }
        match self.stream.push(SeqNumber(offset), data).limit {
            Some(_) => Err(DtlsError::Limit { what: "pieces", limit: limits.max_pieces }),
            None => Ok(()),
        }
    }

    /// Remembers what the latest of such fragments say, as many as there may be pieces and no more bytes than the message has.
    fn note_contradiction(&mut self, fragment: &Fragment<'_>, limits: DtlsLimits) {
        let at = handshake::HEADER + fragment.offset as usize;
        let contradiction = Contradiction { at, data: fragment.data.into() };
        self.contradictions.retain(|known| *known != contradiction);
        self.contradictions.push(contradiction);
        while self.contradictions.len() > limits.max_pieces.max(1)
            || self.contradicted() > self.body_len as usize
        {
            self.contradictions.remove(0);
        }
    }

    /// Bytes of contradictions.
    fn contradicted(&self) -> usize {
        self.contradictions.iter().map(|known| known.data.len()).sum()
    }

    /// A complete message as its contradictions have it, if there are any.
    pub(super) fn other(&self) -> Option<Vec<u8>> {
        if self.contradictions.is_empty() {
            return None;
        }
        let mut message = self.stream.bytes().to_vec();
        for Contradiction { at, data } in &self.contradictions {
            // A fragment lies within its message.
            if let Some(place) = message.get_mut(*at..*at + data.len()) {
                place.copy_from_slice(data);
            }
        }
        (message != self.stream.bytes()).then_some(message)
    }

    /// Bytes that it holds of what was sent.
    pub(super) fn held(&self) -> usize {
        self.stream.held() + self.contradicted()
    }

    /// Bytes of memory taken besides the message itself.
    pub(super) fn memory(&self) -> usize {
        let contradictions = self.contradictions.capacity() * size_of::<Contradiction>();
        self.stream.memory() + contradictions + self.contradicted()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.stream.is_full()
    }

    pub(super) fn hello<'a>(&'a self, other: Option<&'a [u8]>) -> DtlsHello<'a> {
        DtlsHello {
            message: self.stream.bytes(),
            record_version: self.record_version,
            message_seq: self.seq,
            fragments: self.fragments,
            in_order: self.in_order,
            contradicted: !self.contradictions.is_empty(),
            other,
            #[cfg(feature = "capture")]
            carriers: self.carriers,
        }
    }
}

/// The stream of a message that is there.
pub(super) fn whole(message: &[u8]) -> StreamHead {
    let mut stream = StreamHead::new(MESSAGE_START, StreamLimits::default().with_max_bytes(message.len()));
    // It is in order and fits.
    let _ = stream.push(MESSAGE_START, message);
    stream
}
