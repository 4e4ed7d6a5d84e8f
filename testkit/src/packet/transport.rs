//! TCP segments and UDP datagrams.

use super::{checksum, flags};

/// One TCP option, written in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TcpOption {
    /// Kind 0. What follows it in the list is written after it, as padding.
    Eol,
    /// Kind 1.
    Nop,
    /// Kind 2, maximum segment size.
    Mss(u16),
    /// Kind 3, window scale.
    WindowScale(u8),
    /// Kind 4, SACK permitted.
    SackPermitted,
    /// Kind 5, blocks of left and right edges.
    Sack(Vec<(u32, u32)>),
    /// Kind 8, own and echoed value.
    Timestamps(u32, u32),
    /// Any kind with a body: the length byte is right.
    Other(u8, Vec<u8>),
    /// Bytes as they are: no kind, no length.
    Raw(Vec<u8>),
}

impl TcpOption {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Eol => out.push(0),
            Self::Nop => out.push(1),
            Self::Mss(mss) => {
                out.extend([2, 4]);
                out.extend(mss.to_be_bytes());
            }
            Self::WindowScale(shift) => out.extend([3, 3, *shift]),
            Self::SackPermitted => out.extend([4, 2]),
            Self::Sack(blocks) => {
                out.extend([5, (2 + 8 * blocks.len()) as u8]);
                for (left, right) in blocks {
                    out.extend(left.to_be_bytes());
                    out.extend(right.to_be_bytes());
                }
            }
            Self::Timestamps(own, echoed) => {
                out.extend([8, 10]);
                out.extend(own.to_be_bytes());
                out.extend(echoed.to_be_bytes());
            }
            Self::Other(kind, body) => {
                out.extend([*kind, (2 + body.len()) as u8]);
                out.extend(body);
            }
            Self::Raw(bytes) => out.extend(bytes),
        }
    }
}

/// A TCP segment: a SYN of sequence number 1 with window 65535 and no options until told otherwise.
#[derive(Debug, Clone)]
pub struct Tcp {
    source_port: u16,
    destination_port: u16,
    sequence: u32,
    acknowledgment: u32,
    data_offset: Option<u8>,
    flags: u16,
    window: u16,
    checksum: Option<u16>,
    urgent: u16,
    options: Vec<u8>,
    payload: Vec<u8>,
}

impl Tcp {
    /// A SYN from one port to another.
    #[must_use]
    pub fn new(source_port: u16, destination_port: u16) -> Self {
        Self {
            source_port,
            destination_port,
            sequence: 1,
            acknowledgment: 0,
            data_offset: None,
            flags: flags::SYN,
            window: 65_535,
            checksum: None,
            urgent: 0,
            options: Vec::new(),
            payload: Vec::new(),
        }
    }

    /// Sets the sequence number.
    #[must_use]
    pub fn sequence(mut self, sequence: u32) -> Self {
        self.sequence = sequence;
        self
    }

    /// Sets the acknowledgment number, not the flag.
    #[must_use]
    pub fn acknowledgment(mut self, acknowledgment: u32) -> Self {
        self.acknowledgment = acknowledgment;
        self
    }

    /// Replaces all twelve flag bits, reserved ones included. See [`flags`].
    #[must_use]
    pub fn flags(mut self, flags: u16) -> Self {
        assert!(flags <= 0xfff, "a TCP header has twelve flag bits");
        self.flags = flags;
        self
    }

    /// Sets the window field, unscaled.
    #[must_use]
    pub fn window(mut self, window: u16) -> Self {
        self.window = window;
        self
    }

    /// Sets the urgent pointer, not the flag.
    #[must_use]
    pub fn urgent(mut self, urgent: u16) -> Self {
        self.urgent = urgent;
        self
    }

    /// Replaces the options. They are filled with zeros to a multiple of four bytes.
    #[must_use]
    pub fn options(mut self, options: impl IntoIterator<Item = TcpOption>) -> Self {
        self.options.clear();
        for option in options {
            option.write(&mut self.options);
        }
        self.options.resize(self.options.len().next_multiple_of(4), 0);
        assert!(self.options.len() <= 40, "a TCP header has room for 40 bytes of options");
        self
    }

    /// Replaces the payload.
    #[must_use]
    pub fn payload(mut self, payload: &[u8]) -> Self {
        self.payload = payload.to_vec();
        self
    }

    /// Writes this data offset, in words, instead of the right one.
    #[must_use]
    pub fn data_offset(mut self, words: u8) -> Self {
        self.data_offset = Some(words);
        self
    }

    /// Writes this checksum instead of the right one.
    #[must_use]
    pub fn checksum(mut self, checksum: u16) -> Self {
        self.checksum = Some(checksum);
        self
    }

    pub(super) fn byte_len(&self) -> usize {
        20 + self.options.len() + self.payload.len()
    }

    pub(super) fn to_bytes(&self, pseudo_header: &[u8]) -> Vec<u8> {
        let words = self.data_offset.unwrap_or((5 + self.options.len() / 4) as u8);
        let mut bytes = Vec::with_capacity(20 + self.options.len() + self.payload.len());
        bytes.extend(self.source_port.to_be_bytes());
        bytes.extend(self.destination_port.to_be_bytes());
        bytes.extend(self.sequence.to_be_bytes());
        bytes.extend(self.acknowledgment.to_be_bytes());
        bytes.extend((u16::from(words) << 12 | self.flags).to_be_bytes());
        bytes.extend(self.window.to_be_bytes());
        bytes.extend([0, 0]);
        bytes.extend(self.urgent.to_be_bytes());
        bytes.extend(&self.options);
        bytes.extend(&self.payload);
        let checksum = self.checksum.unwrap_or_else(|| checksum(&[pseudo_header, &bytes]));
        bytes[16..18].copy_from_slice(&checksum.to_be_bytes());
        bytes
    }
}

/// A UDP datagram.
#[derive(Debug, Clone)]
pub struct Udp {
    source_port: u16,
    destination_port: u16,
    length: Option<u16>,
    checksum: Option<u16>,
    payload: Vec<u8>,
}

impl Udp {
    /// A datagram from one port to another.
    #[must_use]
    pub fn new(source_port: u16, destination_port: u16, payload: &[u8]) -> Self {
        Self { source_port, destination_port, length: None, checksum: None, payload: payload.to_vec() }
    }

    /// Writes this length instead of the right one.
    #[must_use]
    pub fn length(mut self, length: u16) -> Self {
        self.length = Some(length);
        self
    }

    /// Writes this checksum instead of the right one; 0 says that there is none.
    #[must_use]
    pub fn checksum(mut self, checksum: u16) -> Self {
        self.checksum = Some(checksum);
        self
    }

    pub(super) fn byte_len(&self) -> usize {
        8 + self.payload.len()
    }

    pub(super) fn to_bytes(&self, pseudo_header: &[u8]) -> Vec<u8> {
        let length = self.length.unwrap_or((8 + self.payload.len()) as u16);
        let mut bytes = Vec::with_capacity(8 + self.payload.len());
        bytes.extend(self.source_port.to_be_bytes());
        bytes.extend(self.destination_port.to_be_bytes());
        bytes.extend(length.to_be_bytes());
        bytes.extend([0, 0]);
        bytes.extend(&self.payload);
        // RFC 768: a sum of zero is sent as all ones, for zero means that there is no sum.
        let checksum = self.checksum.unwrap_or_else(|| match checksum(&[pseudo_header, &bytes]) {
            0 => 0xffff,
            sum => sum,
        });
        bytes[6..8].copy_from_slice(&checksum.to_be_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_filled_to_whole_words() {
        let segment = Tcp::new(1, 2).options([TcpOption::WindowScale(7)]);
        assert_eq!(segment.options, [3, 3, 7, 0]);
        let sack = Tcp::new(1, 2).options([TcpOption::Nop, TcpOption::Nop, TcpOption::Sack(vec![(1, 2)])]);
        assert_eq!(sack.options, [1, 1, 5, 10, 0, 0, 0, 1, 0, 0, 0, 2]);
    }
}
