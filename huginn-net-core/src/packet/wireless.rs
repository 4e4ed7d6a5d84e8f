//! IEEE 802.11 data frames, with and without radiotap.

use super::Undecoded;
use super::walk::{Next, Passed, Walk};
use crate::Reader;

/// Flags of the radiotap field `Flags`.
mod radiotap_flags {
    pub(super) const FCS_AT_END: u8 = 0x10;
    pub(super) const DATA_PADDED: u8 = 0x20;
    pub(super) const BAD_FCS: u8 = 0x40;
}

impl Walk<'_> {
    /// Radiotap: version, padding, length, presence words, fields; all little-endian and naturally aligned.
    pub(super) fn radiotap(&mut self) -> Result<Next, Undecoded> {
        let mut header = self.reader();
        let [version, _, len_low, len_high] = header.array("radiotap header")?;
        if version != 0 {
            return Err(Undecoded::Encapsulation);
        }
        let len = usize::from(u16::from_le_bytes([len_low, len_high]));
        let mut whole = self.reader();
        let flags = radiotap_flags(whole.take(len, "radiotap header")?)?;
        self.advance(&whole);
        self.strip_frame_check(
            flags & radiotap_flags::FCS_AT_END != 0,
            flags & radiotap_flags::BAD_FCS != 0,
        )?;
        Ok(Next::Ieee80211 { padded: flags & radiotap_flags::DATA_PADDED != 0 })
    }

    /// Takes a check sequence off the end of the frame, if it is there.
    pub(super) fn strip_frame_check(&mut self, is_there: bool, is_wrong: bool) -> Result<(), Undecoded> {
        const LEN: usize = 4;
        if is_wrong {
            return Err(Undecoded::FrameCheck);
        }
        // A cut frame has lost it.
        if is_there && !self.cut {
            let without = self.rest.len().checked_sub(LEN).ok_or(Undecoded::Encapsulation)?;
            let _ = self.shorten(without);
        }
        Ok(())
    }

    /// IEEE 802.11-2020 §9.2 and §9.3.2: frame control, duration, three or four addresses, sequence control, QoS and HT
    /// control as the frame control says; then mesh control or not, and LLC, or several of these.
    pub(super) fn ieee80211(&mut self, padded: bool) -> Result<Next, Undecoded> {
        self.ieee80211_in(FieldOrder::LittleEndian, padded)
    }

    /// A frame whose frame control is in this order.
    pub(super) fn ieee80211_in(&mut self, order: FieldOrder, padded: bool) -> Result<Next, Undecoded> {
        const VERSION_0: u8 = 0b00;
        const DATA: u8 = 0b10;
        let mut reader = self.reader();
        let [control, flags] = order.low_first(reader.array("frame control")?);
        let (version, frame_type, subtype) = (control & 0b11, control >> 2 & 0b11, control >> 4);
        let carries_data = subtype & 0b0100 == 0;
        // Frames of version 1 (§9.8) have other headers.
        if version != VERSION_0 || frame_type != DATA || !carries_data {
            return Err(Undecoded::NotIp);
        }
        if flags & 0x40 != 0 {
            return Err(Undecoded::Encrypted);
        }
        reader.skip(20, "802.11 header")?;
        let [fragment, _] = reader.array("sequence control")?;
        let more_fragments = flags & 0x04 != 0;
        // Which byte has the number is not known of the other order. Behind the first fragment no LLC header is found.
        let is_later = order == FieldOrder::LittleEndian && fragment & 0x0f != 0;
        if more_fragments || is_later {
            return Err(Undecoded::Fragment);
        }
        let (to_distribution, from_distribution) = (flags & 0b01 != 0, flags & 0b10 != 0);
        if to_distribution && from_distribution {
            reader.skip(6, "fourth address")?;
        }
        let (mut aggregated, mut may_be_mesh) = (false, false);
        let has_qos = subtype & 0b1000 != 0;
        if has_qos {
            let [qos, qos_high] = reader.array("QoS control")?;
            // Access points that send the other order take aggregates apart.
            if order == FieldOrder::LittleEndian {
                aggregated = qos & 0x80 != 0;
                // From a station to its access point the bit is part of a queue size (§9.2.4.5.1).
                may_be_mesh = from_distribution && qos_high & 1 != 0;
            }
            let has_ht_control = flags & 0x80 != 0;
            if has_ht_control {
                reader.skip(4, "HT control")?;
            }
        }
        if padded {
            let header_len = reader.position();
            reader.skip(header_len.next_multiple_of(4) - header_len, "header padding")?;
        }
        self.advance(&reader);
        if aggregated {
            let kinds = if may_be_mesh { &Subframe::MESH[..] } else { &[] };
            let fitting = kinds.iter().copied().find(|kind| kind.fits(self.rest, self.cut));
            return Ok(Next::Subframe(fitting.unwrap_or(Subframe::Basic)));
        }
        if may_be_mesh && let Some(len) = reader.peek().and_then(mesh_control_len) {
            reader.skip(len, "mesh control")?;
            self.advance(&reader);
        }
        Ok(Next::Llc)
    }

    /// One frame of those that are aggregated, which is at the cursor, and where the next one begins (§9.3.2.2.2).
    pub(super) fn subframe(&mut self, kind: Subframe) -> Result<Next, Undecoded> {
        let (at, end) = (self.at(), self.end());
        let mut reader = self.reader();
        let len = kind.len(&mut reader)?;
        let passed = self.passed;
        self.following = Some(Following { at: at + len.next_multiple_of(4), end, kind, passed });
        // A frame that ends earlier than its length says has no padding.
        let _ = self.shorten(len);
        self.rest = self.rest.get(reader.position()..).unwrap_or_default();
        Ok(Next::Llc)
    }
}

/// How frame control of an 802.11 header is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldOrder {
    /// As the standard has them.
    LittleEndian,
    /// As Cisco's access points and controllers send frame control to each other.
    BigEndian,
}

impl FieldOrder {
    const fn low_first(self, [first, second]: [u8; 2]) -> [u8; 2] {
        match self {
            Self::LittleEndian => [first, second],
            Self::BigEndian => [second, first],
        }
    }
}

/// Length of the longest A-MSDU (Table 9-25), in bytes.
const MAX_AGGREGATED_LEN: usize = 11_454;

/// Frames that are aggregated behind one that has been walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Following {
    /// Offset of the next one, each of which begins at a multiple of 4 from the first.
    pub(super) at: usize,
    /// Offset of the end of the last one.
    pub(super) end: usize,
    pub(super) kind: Subframe,
    /// What is around all of them.
    pub(super) passed: Passed,
}

/// How an aggregated frame begins: destination (6 bytes), source (6), length (2) and, in a mesh, mesh control.
///
/// For a mesh, the standard makes the length little-endian and leaves mesh control out of it. Transmitters differ in
/// both, and nothing in a frame says how it was made; receivers such as Linux try which way its lengths add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subframe {
    /// Without mesh control; the length is big-endian.
    Basic,
    /// As the standard has it.
    Mesh,
    /// With a big-endian length.
    MeshBigEndian,
    /// With a big-endian length that counts mesh control.
    MeshCounted,
}

impl Subframe {
    /// Length of what precedes mesh control.
    pub(super) const HEADER_LEN: usize = 14;

    const MESH: [Self; 3] = [Self::Mesh, Self::MeshBigEndian, Self::MeshCounted];

    /// Moves `reader` behind the header, and gives the length of header and frame as stated.
    fn len(self, reader: &mut Reader<'_>) -> Result<usize, Undecoded> {
        let start = reader.position();
        reader.skip(12, "subframe addresses")?;
        let stated = reader.array("subframe length")?;
        let stated = usize::from(match self {
            Self::Mesh => u16::from_le_bytes(stated),
            Self::Basic | Self::MeshBigEndian | Self::MeshCounted => u16::from_be_bytes(stated),
        });
        if self != Self::Basic {
            let flags = reader.peek().ok_or(Undecoded::Cut)?;
            let control_len = mesh_control_len(flags).ok_or(Undecoded::Encapsulation)?;
            reader.skip(control_len, "mesh control")?;
        }
        let before = if self == Self::MeshCounted { Self::HEADER_LEN } else { reader.position() - start };
        Ok(before + stated)
    }

    /// Whether the lengths of the subframes in `bytes` add up, if they are read this way. Padding and a frame check
    /// sequence may follow, and `cut` says that more bytes were sent than are there.
    fn fits(self, bytes: &[u8], cut: bool) -> bool {
        let mut rest = bytes;
        while rest.len() >= Self::HEADER_LEN {
            match self.len(&mut Reader::new(rest)) {
                Ok(len) if len <= rest.len() => {
                    rest = rest.get(len.next_multiple_of(4)..).unwrap_or_default();
                }
                Ok(len) => return cut && len <= MAX_AGGREGATED_LEN,
                Err(reason) => return cut && reason == Undecoded::Cut,
            }
        }
        true
    }
}

/// Length of the mesh control field that begins with these flags (§9.2.4.7.3): flags, TTL, sequence number (4 bytes), and
/// none, one or two addresses. `None` for reserved flags, which the first byte of LLC has: then it is not there.
fn mesh_control_len(flags: u8) -> Option<usize> {
    match flags {
        0 => Some(6),
        1 => Some(12),
        2 => Some(18),
        _ => None,
    }
}

/// The `Flags` field of a radiotap header, 0 if it has none.
fn radiotap_flags(header: &[u8]) -> Result<u8, Undecoded> {
    const TSFT: u32 = 1;
    const FLAGS: u32 = 1 << 1;
    const ANOTHER_WORD: u32 = 1 << 31;
    let mut reader = Reader::new(header);
    reader.skip(4, "radiotap header")?;
    let present = u32::from_le_bytes(reader.array("radiotap presence")?);
    let mut word = present;
    while word & ANOTHER_WORD != 0 {
        word = u32::from_le_bytes(reader.array("radiotap presence")?);
    }
    if present & FLAGS == 0 {
        return Ok(0);
    }
    if present & TSFT != 0 {
        let at = reader.position();
        reader.skip(at.next_multiple_of(8) - at + 8, "radiotap timestamp")?;
    }
    Ok(reader.u8("radiotap flags")?)
}
