//! A handshake message that lies in several records.

use huginn_net_core::Reader;

use super::{Content, HelloLimits, RECORD_HEADER, RecordCount, RecordHeader, allowed_length};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};

/// Joins handshake messages from records that arrive in pieces of any size.
///
/// Never more memory is taken than bytes have arrived.
#[derive(Debug)]
pub(crate) struct RecordJoiner {
    kind: HandshakeType,
    limits: HelloLimits,
    count: RecordCount,
    /// The header of the next record, as far as it has arrived.
    header: [u8; RECORD_HEADER],
    header_len: usize,
    /// The record being read; its length is what is still to come.
    record: Option<RecordHeader>,
    /// The message, as far as it has arrived.
    message: Vec<u8>,
}

impl RecordJoiner {
    /// A joiner at the begin of a record, for messages of one type.
    pub(crate) fn new(kind: HandshakeType, limits: HelloLimits) -> Self {
        Self {
            kind,
            limits,
            count: RecordCount::default(),
            header: [0; RECORD_HEADER],
            header_len: 0,
            record: None,
            message: Vec::new(),
        }
    }

    /// Takes the next bytes of the stream up to the end of the message: how many those are, if it is complete.
    ///
    /// With `early_data`, records of application data may stand before it.
    pub(crate) fn push(&mut self, bytes: &[u8], early_data: bool) -> Result<Option<usize>, TlsError> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let Some(record) = &mut self.record else {
                let byte = reader.u8("record")?;
                if let Some(place) = self.header.get_mut(self.header_len) {
                    *place = byte;
                    self.header_len += 1;
                }
                let header = self.header.get(..self.header_len).unwrap_or_default();
                if let Some(header) = RecordHeader::read(header, early_data)? {
                    self.count.add(header, &self.limits)?;
                    self.header_len = 0;
                    self.record = Some(header).filter(|header| header.length > 0);
                }
                continue;
            };
            let part = match record.content {
                Content::PassedOver => record.length,
                Content::Handshake => {
                    let length = allowed_length(&self.message, self.kind, &self.limits)?;
                    length.unwrap_or(handshake::HEADER).saturating_sub(self.message.len()).min(record.length)
                }
            };
            let part = reader.take(part.min(reader.remaining()), "record")?;
            record.length -= part.len();
            let content = record.content;
            if record.length == 0 {
                self.record = None;
            }
            if content == Content::Handshake {
                self.message.extend_from_slice(part);
                let length = allowed_length(&self.message, self.kind, &self.limits)?;
                if length.is_some_and(|length| length == self.message.len()) {
                    return Ok(Some(reader.position()));
                }
            }
        }
        Ok(None)
    }

    /// The message, complete when [`push`](Self::push) says so.
    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Forgets the message and looks for the next, in the record where that one ended.
    pub(super) fn begin_next(&mut self) {
        self.count = RecordCount::default();
        self.message.clear();
    }

    /// Goes on in a record of handshake messages of which `left` bytes are still to come.
    pub(super) fn go_on_in_record(&mut self, left: usize) {
        self.record = Some(RecordHeader { content: Content::Handshake, length: left }).filter(|_| left > 0);
    }

    /// Whether a record has begun that has not ended.
    pub(super) const fn is_in_record(&self) -> bool {
        self.record.is_some()
    }

    /// Bytes of memory held besides the joiner itself.
    pub(crate) const fn held_bytes(&self) -> usize {
        self.message.capacity()
    }
}
