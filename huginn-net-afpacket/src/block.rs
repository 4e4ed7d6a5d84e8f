//! What the kernel writes into a block of the ring.

use crate::Framing;

/// A frame in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Offset of its first byte in the block.
    pub(crate) at: usize,
    /// Captured bytes.
    pub(crate) len: usize,
    /// Bytes on the wire.
    pub(crate) wire_len: u32,
    /// Nanoseconds since the epoch.
    pub(crate) nanos: u64,
}

/// How far a block has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Offset of the next frame's header.
    at: usize,
    /// Frames that have not been read.
    left: u32,
}

/// Offsets in `struct tpacket_block_desc`, whose header is a `struct tpacket_hdr_v1` (`linux/if_packet.h`).
mod header {
    pub(super) const FRAMES: usize = 12;
    pub(super) const FIRST_FRAME: usize = 16;
}

/// Offsets in `struct tpacket3_hdr`.
mod frame {
    pub(super) const NEXT: usize = 0;
    pub(super) const SECONDS: usize = 4;
    pub(super) const NANOS: usize = 8;
    pub(super) const CAPTURED_LEN: usize = 12;
    pub(super) const WIRE_LEN: usize = 16;
    pub(super) const STATUS: usize = 20;
    pub(super) const LINK_HEADER: usize = 24;
    pub(super) const NETWORK_HEADER: usize = 26;
    pub(super) const TAG: usize = 32;
    pub(super) const TAG_TYPE: usize = 36;
}

/// Both addresses of an Ethernet frame; a tag comes behind them.
const ADDRESSES_LEN: usize = 12;
/// A tag of IEEE 802.1Q: its type and its value.
pub(crate) const TAG_LEN: usize = 4;
/// Type of a tag whose type the kernel does not tell.
const TAG_TYPE_8021Q: u16 = 0x8100;

impl Cursor {
    /// The beginning of a block.
    pub(crate) fn at_start_of(block: &[u8]) -> Self {
        let at = u32_at(block, header::FIRST_FRAME).and_then(|at| usize::try_from(at).ok());
        let frames = u32_at(block, header::FRAMES);
        Self { at: at.unwrap_or_default(), left: frames.unwrap_or_default() }
    }

    /// Frames of the block that have not been read.
    pub(crate) fn left(self) -> u32 {
        self.left
    }

    /// The next frame. That of Ethernet has its VLAN tag back in its place.
    ///
    /// `None` at the end of the block, and at a frame that does not lie in it; [`Cursor::left`] tells one from the other.
    pub(crate) fn next(&mut self, block: &mut [u8], framing: Framing) -> Option<Found> {
        if self.left == 0 {
            return None;
        }
        let header = block.get(self.at..)?;
        let next = usize::try_from(u32_at(header, frame::NEXT)?).ok()?;
        let status = u32_at(header, frame::STATUS)?;
        let seconds = u32_at(header, frame::SECONDS)?;
        let link_header = u16_at(header, frame::LINK_HEADER)?;
        let left_out = match framing {
            Framing::Ip | Framing::IpBehindLink => {
                u16_at(header, frame::NETWORK_HEADER)?.saturating_sub(link_header)
            }
            _ => 0,
        };
        let captured = usize::try_from(u32_at(header, frame::CAPTURED_LEN)?).ok()?;
        let data = usize::from(link_header) + usize::from(left_out);
        let found = Found {
            at: self.at.checked_add(data)?,
            len: captured.saturating_sub(left_out.into()),
            wire_len: u32_at(header, frame::WIRE_LEN)?.saturating_sub(left_out.into()),
            nanos: u64::from(seconds) * 1_000_000_000 + u64::from(u32_at(header, frame::NANOS)?),
        };
        let is_tagged = framing == Framing::Ethernet && status & libc::TP_STATUS_VLAN_VALID != 0;
        let tag = if is_tagged { Some(tag_of(header, status)?) } else { None };
        header.get(data..)?.get(..found.len)?;

        self.left -= 1;
        self.at = self.at.checked_add(next).filter(|_| next > 0).unwrap_or(block.len());
        Some(tag.and_then(|tag| with_tag(found, block, tag)).unwrap_or(found))
    }
}

/// The tag that the adapter or the kernel took out of a frame.
fn tag_of(header: &[u8], status: u32) -> Option<[u8; TAG_LEN]> {
    let [.., high, low] = u32_at(header, frame::TAG)?.to_be_bytes();
    let told = u16_at(header, frame::TAG_TYPE)?;
    let is_told = status & libc::TP_STATUS_VLAN_TPID_VALID != 0;
    let [type_high, type_low] = (if is_told { told } else { TAG_TYPE_8021Q }).to_be_bytes();
    Some([type_high, type_low, high, low])
}

/// Puts a tag behind the addresses, which move into the room that is left in front of every frame for this. A frame too
/// short to have addresses stays as it is.
fn with_tag(found: Found, block: &mut [u8], tag: [u8; TAG_LEN]) -> Option<Found> {
    if found.len < ADDRESSES_LEN {
        return None;
    }
    let at = found.at.checked_sub(TAG_LEN)?;
    let head = block.get_mut(at..)?.first_chunk_mut::<{ TAG_LEN + ADDRESSES_LEN }>()?;
    head.copy_within(TAG_LEN.., 0);
    *head.last_chunk_mut()? = tag;
    let wire_len = found.wire_len.saturating_add(4);
    Some(Found { at, len: found.len + TAG_LEN, wire_len, ..found })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_ne_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAGGED: u32 = libc::TP_STATUS_VLAN_VALID;
    const TAGGED_WITH_TYPE: u32 = TAGGED | libc::TP_STATUS_VLAN_TPID_VALID;

    /// A frame as the kernel lays it: header, address, room for a tag, and the bytes.
    struct Laid {
        bytes: Vec<u8>,
        status: u32,
        tag: (u32, u16),
        wire_len: u32,
    }

    impl Laid {
        fn new(bytes: &[u8]) -> Self {
            let wire_len = u32::try_from(bytes.len()).unwrap();
            Self { bytes: bytes.to_vec(), status: 0, tag: (0, 0), wire_len }
        }

        fn tagged(bytes: &[u8], status: u32, tci: u32, tpid: u16) -> Self {
            Self { status, tag: (tci, tpid), ..Self::new(bytes) }
        }
    }

    /// Offset of a frame's bytes from its header: 48 of header, 20 of address, up to 16 for alignment, 4 for a tag.
    const DATA: usize = 86;

    fn block(frames: &[Laid]) -> Vec<u8> {
        const HEADER: usize = 48;
        let mut block = vec![0; HEADER];
        block[12..16].copy_from_slice(&u32::try_from(frames.len()).unwrap().to_ne_bytes());
        block[16..20].copy_from_slice(&u32::try_from(HEADER).unwrap().to_ne_bytes());
        for (index, Laid { bytes, status, tag, wire_len }) in frames.iter().enumerate() {
            let len = (DATA + bytes.len()).next_multiple_of(16);
            let next = if index + 1 == frames.len() { 0 } else { u32::try_from(len).unwrap() };
            let captured = u32::try_from(bytes.len()).unwrap();
            let mut laid = Vec::new();
            for word in [next, 1_700_000_000, 7, captured, *wire_len, *status] {
                laid.extend(word.to_ne_bytes());
            }
            laid.extend(u16::try_from(DATA).unwrap().to_ne_bytes());
            laid.extend(u16::try_from(DATA + 14).unwrap().to_ne_bytes());
            laid.extend(0xfeed_beef_u32.to_ne_bytes());
            laid.extend(tag.0.to_ne_bytes());
            laid.extend(tag.1.to_ne_bytes());
            laid.resize(DATA, 0xee);
            laid.extend(bytes);
            laid.resize(len, 0xee);
            block.extend(laid);
        }
        block
    }

    fn read(block: &mut [u8], framing: Framing) -> Vec<(Vec<u8>, u32, u64)> {
        let mut cursor = Cursor::at_start_of(block);
        let mut frames = Vec::new();
        while let Some(found) = cursor.next(block, framing) {
            frames.push((block[found.at..][..found.len].to_vec(), found.wire_len, found.nanos));
        }
        frames
    }

    const ETHERNET: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x08, 0x00, 0x45, 0x00];

    #[test]
    fn gives_every_frame_with_its_time_and_length_and_then_none() {
        let cut = Laid { wire_len: 1_500, ..Laid::new(&[9; 5]) };
        let mut block = block(&[Laid::new(&ETHERNET), Laid::new(&[]), cut]);
        let time = 1_700_000_000_000_000_007;
        let expected = [(ETHERNET.to_vec(), 16, time), (vec![], 0, time), (vec![9; 5], 1_500, time)];
        assert_eq!(read(&mut block, Framing::Ethernet), expected);
        let mut cursor = Cursor::at_start_of(&block);
        while cursor.next(&mut block, Framing::Ethernet).is_some() {}
        assert_eq!(cursor.left(), 0);
    }

    #[test]
    fn a_tag_comes_back_behind_the_addresses() {
        for (status, tpid, restored) in [(TAGGED, 0, [0x81, 0x00]), (TAGGED_WITH_TYPE, 0x88a8, [0x88, 0xa8])]
        {
            let mut block = block(&[Laid::tagged(&ETHERNET, status, 0x6005, tpid), Laid::new(&ETHERNET)]);
            let frames = read(&mut block, Framing::Ethernet);
            let mut expected = ETHERNET[..12].to_vec();
            expected.extend(restored);
            expected.extend([0x60, 0x05]);
            expected.extend(&ETHERNET[12..]);
            assert_eq!((&frames[0].0, frames[0].1), (&expected, 20));
            assert_eq!(frames[1].0, ETHERNET);
        }
    }

    #[test]
    fn no_tag_is_put_into_what_is_no_ethernet_or_has_no_addresses() {
        let mut of_tunnel = block(&[Laid::tagged(&ETHERNET, TAGGED, 5, 0)]);
        assert_eq!(read(&mut of_tunnel, Framing::Radiotap)[0].0, ETHERNET);
        for (len, tag) in [(11, &[][..]), (12, &[0x81, 0x00, 0, 5])] {
            let mut short = block(&[Laid::tagged(&ETHERNET[..len], TAGGED, 5, 0)]);
            assert_eq!(read(&mut short, Framing::Ethernet)[0].0, [&ETHERNET[..len], tag].concat());
        }
    }

    #[test]
    fn a_block_of_no_frames_gives_none_of_those_it_had_before() {
        let mut used = block(&[Laid::new(&ETHERNET), Laid::new(&ETHERNET)]);
        used[12..16].fill(0);
        assert_eq!(read(&mut used, Framing::Ethernet), []);
    }

    #[test]
    fn of_a_link_that_carries_ip_alone_frames_begin_with_ip() {
        let mut block = block(&[Laid::new(&ETHERNET), Laid::new(&ETHERNET[..13])]);
        let frames = read(&mut block, Framing::Ip);
        assert_eq!((&frames[0].0[..], frames[0].1), (&[0x45, 0x00][..], 2));
        assert_eq!((&frames[1].0[..], frames[1].1), (&[][..], 0));
    }

    #[test]
    fn a_block_cut_anywhere_ends_early_and_tells_how_much_is_missing() {
        let whole = block(&[Laid::tagged(&ETHERNET, TAGGED, 5, 0), Laid::new(&ETHERNET)]);
        // Behind the last frame there is padding, which may be missing.
        let end = whole.len() - (DATA + ETHERNET.len()).next_multiple_of(16) + DATA + ETHERNET.len();
        for len in 0..end {
            let mut cut = whole[..len].to_vec();
            let mut cursor = Cursor::at_start_of(&cut);
            let mut frames = 0;
            while cursor.next(&mut cut, Framing::Ethernet).is_some() {
                frames += 1;
            }
            let announced = if len < 16 { 0 } else { 2 };
            assert_eq!(cursor.left() + frames, announced, "{len}");
            assert!(len < 16 || cursor.left() > 0, "{len}");
        }
    }

    #[test]
    fn absurd_offsets_and_lengths_end_the_block() {
        let whole = block(&[Laid::new(&ETHERNET), Laid::new(&ETHERNET)]);
        const FRAME: usize = 48;
        for (at, expected) in [(16, 0), (FRAME, 1), (FRAME + 12, 0)] {
            let mut damaged = whole.clone();
            damaged[at..][..4].copy_from_slice(&[0xff; 4]);
            assert_eq!(read(&mut damaged, Framing::Ethernet).len(), expected, "{at}");
        }
        let mut far = whole.clone();
        far[FRAME + 24..][..2].copy_from_slice(&[0xff; 2]);
        assert_eq!(read(&mut far, Framing::Ethernet).len(), 0);
        // More frames than there are: the last one's offset to the next is 0.
        let mut many = whole;
        many[12..16].copy_from_slice(&[0xff; 4]);
        assert_eq!(read(&mut many, Framing::Ethernet).len(), 2);
    }
}
