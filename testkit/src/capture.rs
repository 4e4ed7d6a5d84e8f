//! Captures in memory: read from classic pcap files, written as any kind of file by [`crate::container`].

use std::path::Path;

/// Byte order of a file or of the host that captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// The bytes of a 16-bit number in this order.
    #[must_use]
    pub fn u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    /// The bytes of a 32-bit number in this order.
    #[must_use]
    pub fn u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }
}

/// One captured frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Capture time in nanoseconds since 1970.
    pub ts_nanos: u64,
    /// The bytes that were kept.
    pub bytes: Vec<u8>,
    /// Length on the wire, not less than that of `bytes`.
    pub wire_len: u32,
}

impl Record {
    /// A frame of which nothing was cut off.
    #[must_use]
    pub fn whole(ts_nanos: u64, bytes: Vec<u8>) -> Self {
        let wire_len = bytes.len() as u32;
        Self { ts_nanos, bytes, wire_len }
    }
}

/// Frames of one link type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// `LINKTYPE_` number, see [`crate::encap::link::link_type`].
    pub link_type: u16,
    /// The frames in the order of the file.
    pub records: Vec<Record>,
}

impl Capture {
    /// A capture of whole frames, a millisecond apart from a fixed second on.
    #[must_use]
    pub fn of_frames(link_type: u16, frames: impl IntoIterator<Item = Vec<u8>>) -> Self {
        const START: u64 = 1_700_000_000 * 1_000_000_000;
        let at = |(index, bytes): (usize, Vec<u8>)| Record::whole(START + index as u64 * 1_000_000, bytes);
        Self { link_type, records: frames.into_iter().enumerate().map(at).collect() }
    }

    /// Reads a classic pcap file.
    ///
    /// # Panics
    /// If it cannot be read; see [`Capture::parse`].
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self::parse(&bytes)
    }

    /// Reads a classic pcap file of either byte order and either resolution.
    ///
    /// # Panics
    /// If it is anything else, or cut.
    #[must_use]
    pub fn parse(file: &[u8]) -> Self {
        let magic = u32::from_le_bytes(file[..4].try_into().unwrap());
        let (little, nanos) = match magic {
            0xa1b2_c3d4 => (true, false),
            0xa1b2_3c4d => (true, true),
            0xd4c3_b2a1 => (false, false),
            0x4d3c_b2a1 => (false, true),
            magic => panic!("no magic number of a classic capture: {magic:08x}"),
        };
        let word = |at: usize| {
            let bytes = file[at..at + 4].try_into().unwrap();
            if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
        };
        let mut records = Vec::new();
        let mut at = 24;
        while at < file.len() {
            let captured = word(at + 8) as usize;
            let fraction = u64::from(word(at + 4)) * if nanos { 1 } else { 1_000 };
            records.push(Record {
                ts_nanos: u64::from(word(at)) * 1_000_000_000 + fraction,
                bytes: file[at + 16..at + 16 + captured].to_vec(),
                wire_len: word(at + 12),
            });
            at += 16 + captured;
        }
        Self { link_type: word(20) as u16, records }
    }
}
