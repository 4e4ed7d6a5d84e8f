//! What stands around the header block, and the priority of a stream.

use core::fmt;

use huginn_net_core::{Reader, Truncated};

use super::error::Http2Error;
use super::frame::{Flags, LOW_31_BITS};

/// What a client says of the importance of a stream ([RFC 7540 §5.3]; deprecated by RFC 9113, and still sent).
///
/// Written as `exclusive:dependency:weight`, as in the Akamai fingerprint.
///
/// [RFC 7540 §5.3]: https://www.rfc-editor.org/rfc/rfc7540#section-5.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Http2Priority {
    /// The stream becomes the only one that depends on `dependency`.
    pub exclusive: bool,
    /// The stream it depends on, 0 to 2^31 - 1.
    pub dependency: u32,
    /// 1 to 256: one more than the byte on the wire.
    pub weight: u16,
}

impl Http2Priority {
    /// Length in bytes.
    pub(crate) const LEN: usize = 5;

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Truncated> {
        let dependency = reader.u32("stream dependency")?;
        Ok(Self {
            exclusive: dependency > LOW_31_BITS,
            dependency: dependency & LOW_31_BITS,
            weight: u16::from(reader.u8("weight")?) + 1,
        })
    }
}

impl fmt::Display for Http2Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", u8::from(self.exclusive), self.dependency, self.weight)
    }
}

/// The payload of a HEADERS frame ([RFC 9113 §6.2]).
///
/// ```text
///  [pad length (8)] [exclusive (1) dependency (31) weight (8)] fragment [padding]
/// ```
///
/// [RFC 9113 §6.2]: https://www.rfc-editor.org/rfc/rfc9113#section-6.2
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadersPayload<'a> {
    pub(crate) priority: Option<Http2Priority>,
    pub(crate) fragment: &'a [u8],
}

impl<'a> HeadersPayload<'a> {
    pub(crate) fn parse(flags: Flags, payload: &'a [u8]) -> Result<Self, Http2Error> {
        let mut reader = Reader::new(payload);
        let padding = if flags.contains(Flags::PADDED) { reader.u8("pad length")? } else { 0 };
        let priority =
            if flags.contains(Flags::PRIORITY) { Some(Http2Priority::read(&mut reader)?) } else { None };
        let fragment =
            reader.remaining().checked_sub(usize::from(padding)).ok_or(Http2Error::Padding(padding))?;
        Ok(Self { priority, fragment: reader.take(fragment, "header block fragment")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_priority_are_not_part_of_the_block() {
        let payload = [2, 0x80, 0, 0, 3, 255, 0x82, 0x84, 0, 0];
        let both = Flags(Flags::PADDED.0 | Flags::PRIORITY.0);
        let priority = Http2Priority { exclusive: true, dependency: 3, weight: 256 };
        assert_eq!(
            HeadersPayload::parse(both, &payload),
            Ok(HeadersPayload { priority: Some(priority), fragment: &[0x82, 0x84] })
        );
        assert_eq!(priority.to_string(), "1:3:256");
        let plain = HeadersPayload { priority: None, fragment: &payload[..] };
        assert_eq!(HeadersPayload::parse(Flags::END_HEADERS, &payload), Ok(plain));
    }

    #[test]
    fn padding_may_fill_the_frame_and_not_more() {
        let empty = HeadersPayload { priority: None, fragment: &[][..] };
        assert_eq!(HeadersPayload::parse(Flags::PADDED, &[2, 0, 0]), Ok(empty));
        assert_eq!(HeadersPayload::parse(Flags::PADDED, &[3, 0, 0]), Err(Http2Error::Padding(3)));
    }

    #[test]
    fn a_payload_shorter_than_its_flags_say_is_cut_off() {
        let cut = |what, at| Err(Http2Error::Truncated { what, at });
        assert_eq!(HeadersPayload::parse(Flags::PADDED, &[]), cut("pad length", 0));
        assert_eq!(HeadersPayload::parse(Flags::PRIORITY, &[0, 0, 0]), cut("stream dependency", 0));
        assert_eq!(HeadersPayload::parse(Flags::PRIORITY, &[0, 0, 0, 0]), cut("weight", 4));
    }
}
