//! A writer of pcapng files, block by block, odd ones included.

use crate::capture::Endian;

/// `if_tsresol` of microseconds, the resolution of an interface that names none.
pub const MICROSECONDS: u8 = 6;
/// `if_tsresol` of nanoseconds.
pub const NANOSECONDS: u8 = 9;

/// A pcapng file in the making. Each method appends one block.
#[derive(Debug, Clone)]
pub struct Pcapng {
    endian: Endian,
    resolutions: Vec<u8>,
    bytes: Vec<u8>,
}

impl Pcapng {
    /// A file that starts with a section header.
    #[must_use]
    pub fn new(endian: Endian) -> Self {
        Self { endian, resolutions: Vec::new(), bytes: Vec::new() }.section(endian)
    }

    /// Starts a section, which may have another byte order and has interfaces of its own.
    #[must_use]
    pub fn section(mut self, endian: Endian) -> Self {
        self.endian = endian;
        self.resolutions.clear();
        let version = [endian.u16(1), endian.u16(0)].concat();
        let body = [&endian.u32(0x1a2b_3c4d)[..], &version, &[0xff; 8]].concat();
        self.block(0x0a0d_0d0a, &body)
    }

    /// Adds an interface. `resolution` is written as `if_tsresol` when there is one: a power of ten, or of two with the
    /// highest bit set.
    #[must_use]
    pub fn interface(mut self, link_type: u16, resolution: Option<u8>, snaplen: u32) -> Self {
        self.resolutions.push(resolution.unwrap_or(MICROSECONDS));
        let endian = self.endian;
        let mut body = [&endian.u16(link_type)[..], &[0, 0], &endian.u32(snaplen)].concat();
        if let Some(resolution) = resolution {
            // An option before it, for a reader has to step over it: if_name.
            body.extend([&endian.u16(2)[..], &endian.u16(3), b"em0\0"].concat());
            body.extend([&endian.u16(9)[..], &endian.u16(1), &[resolution, 0, 0, 0]].concat());
            body.extend([0; 4]);
        }
        self.block(1, &body)
    }

    /// Adds an enhanced packet block.
    #[must_use]
    pub fn enhanced(self, interface: u32, ts_nanos: u64, bytes: &[u8], wire_len: u32) -> Self {
        let endian = self.endian;
        let mut body = endian.u32(interface).to_vec();
        body.extend(self.packet(interface as usize, ts_nanos, bytes, wire_len));
        self.block(6, &body)
    }

    /// Adds an obsolete packet block.
    #[must_use]
    pub fn obsolete(self, interface: u16, ts_nanos: u64, bytes: &[u8], wire_len: u32) -> Self {
        let endian = self.endian;
        let mut body = [endian.u16(interface), endian.u16(0xffff)].concat();
        body.extend(self.packet(usize::from(interface), ts_nanos, bytes, wire_len));
        self.block(2, &body)
    }

    /// Adds a simple packet block: of interface 0, without a time. `bytes` is what the snapshot length left.
    #[must_use]
    pub fn simple(self, bytes: &[u8], wire_len: u32) -> Self {
        let body = [&self.endian.u32(wire_len)[..], bytes].concat();
        self.block(3, &body)
    }

    /// Adds a block of any type; the body is filled with zeros to a multiple of four bytes.
    #[must_use]
    pub fn block(mut self, kind: u32, body: &[u8]) -> Self {
        let padded = body.len().next_multiple_of(4);
        let length = self.endian.u32((12 + padded) as u32);
        self.bytes.extend(self.endian.u32(kind));
        self.bytes.extend(length);
        self.bytes.extend(body);
        self.bytes.resize(self.bytes.len() + padded - body.len(), 0);
        self.bytes.extend(length);
        self
    }

    /// Appends bytes as they are, for a damaged file.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend(bytes);
        self
    }

    /// The file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Time, lengths and bytes, which enhanced and obsolete packet blocks have in common.
    fn packet(&self, interface: usize, ts_nanos: u64, bytes: &[u8], wire_len: u32) -> Vec<u8> {
        let endian = self.endian;
        let ticks = ticks(ts_nanos, self.resolutions[interface]);
        let mut body = [endian.u32((ticks >> 32) as u32), endian.u32(ticks as u32)].concat();
        body.extend(endian.u32(bytes.len() as u32));
        body.extend(endian.u32(wire_len));
        body.extend(bytes);
        body
    }
}

/// A time in units of `resolution`, rounded down.
fn ticks(ts_nanos: u64, resolution: u8) -> u64 {
    let per_second = match resolution {
        0..128 => 10_u128.pow(u32::from(resolution)),
        128.. => 1 << (resolution & 0x7f),
    };
    u64::try_from(u128::from(ts_nanos) * per_second / 1_000_000_000).expect("the time has too many ticks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_follow_the_resolution() {
        assert_eq!(ticks(1_500_000_001, NANOSECONDS), 1_500_000_001);
        assert_eq!(ticks(1_500_000_999, MICROSECONDS), 1_500_000);
        assert_eq!(ticks(1_500_000_000, 0), 1);
        assert_eq!(ticks(1_500_000_000, 0x80 | 10), 1536);
    }

    #[test]
    fn blocks_repeat_their_length_and_end_at_words() {
        let file =
            Pcapng::new(Endian::Big).interface(1, None, 0).block(0x0bad, &[1, 2, 3, 4, 5]).into_bytes();
        assert_eq!(file[..12], [0x0a, 0x0d, 0x0d, 0x0a, 0, 0, 0, 28, 0x1a, 0x2b, 0x3c, 0x4d]);
        assert_eq!(file[28..48], [0, 0, 0, 1, 0, 0, 0, 20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]);
        assert_eq!(file[48..], [0, 0, 0x0b, 0xad, 0, 0, 0, 20, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 20]);
    }
}
