//! The block format pcapng
//! ([draft-ietf-opsawg-pcapng](https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/)).

mod clock;

use self::clock::Clock;
use super::buffer::Buffer;
use super::byte_order::ByteOrder;
use super::file::Found;
use super::{Damage, DamageReason, SourceError, SourceStats};
use crate::{LinkType, Timestamp};

/// The type of a Section Header Block, which reads the same in either byte order.
pub(super) const SECTION_MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];

/// Type and length in front of a block's body.
const BLOCK_HEADER: usize = 8;

/// The length again, behind it.
const BLOCK_TRAILER: usize = 4;

/// Length of the largest block that is kept as a whole; others are passed over if they are of no interest.
const MAX_BLOCK: u32 = 4 * 1024 * 1024;
/// The longest block of a type for local use that is believed to be one: half of all garbage begins with such a type, but
/// one in 1,024 of it with such a length, too.
const MAX_LOCAL_BLOCK: u32 = 16 * 1024 * 1024;

/// Interfaces of a section that are remembered.
const MAX_INTERFACES: usize = 65_536;

/// Reads the blocks of one section after the other.
#[derive(Default)]
pub(super) struct Pcapng {
    section: Option<Section>,
}

struct Section {
    order: ByteOrder,
    /// By number; `None` where a description could not be read.
    interfaces: Vec<Option<Interface>>,
}

#[derive(Clone, Copy)]
struct Interface {
    link_type: LinkType,
    /// The most bytes kept of a frame; 0 for all.
    snaplen: u32,
    clock: Clock,
}

/// A block type ([§11.1](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng#section-11.1)).
#[derive(Clone, Copy, PartialEq, Eq)]
struct BlockType(u32);

impl BlockType {
    const INTERFACE: Self = Self(1);
    /// Obsolete since 2009.
    const PACKET: Self = Self(2);
    const SIMPLE_PACKET: Self = Self(3);
    const ENHANCED_PACKET: Self = Self(6);
    const SECTION: Self = Self(u32::from_be_bytes(SECTION_MAGIC));

    /// Whether blocks of this type are read rather than passed over.
    fn is_read(self) -> bool {
        matches!(
            self,
            Self::SECTION | Self::INTERFACE | Self::PACKET | Self::SIMPLE_PACKET | Self::ENHANCED_PACKET
        )
    }

    /// Whether the type is for local use.
    fn is_local(self) -> bool {
        self.0 >> 31 == 1
    }

    /// Whether the type has been assigned.
    fn is_assigned(self) -> bool {
        self == Self::SECTION
            || matches!(self.0, 1..=0xa | 0x101 | 0x102 | 0x201..=0x21c | 0xbad | 0x4000_0bad)
    }

    /// Whether a block of this type is a place to go on after garbage.
    fn can_resume(self) -> bool {
        self.is_read() || matches!(self.0, 4..=0xa | 0xbad | 0x4000_0bad)
    }

    /// Length of the smallest block of this type. An interface may be of any length, because it takes a
    /// number even if its description cannot be read.
    fn min_len(self) -> u32 {
        match self {
            Self::SECTION => 28,
            Self::PACKET | Self::ENHANCED_PACKET => 32,
            Self::SIMPLE_PACKET => 16,
            _ => 12,
        }
    }
}

/// The front of a block, as it is read before the block is known to be sound.
#[derive(Clone, Copy)]
struct BlockHeader {
    block_type: BlockType,
    len: u32,
    order: ByteOrder,
}

impl BlockHeader {
    /// With the byte-order magic of a Section Header Block.
    const LEN: usize = 12;

    /// `None` if the byte order is not known.
    #[inline]
    fn decode(bytes: &[u8], order: Option<ByteOrder>) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<4>();
        let [block_type, len, body, ..] = words else { return None };
        if *block_type == SECTION_MAGIC {
            // The byte-order magic 0x1a2b3c4d (§4.1).
            let order = match body {
                [0x4d, 0x3c, 0x2b, 0x1a] => ByteOrder::Little,
                [0x1a, 0x2b, 0x3c, 0x4d] => ByteOrder::Big,
                _ => return None,
            };
            return Some(Self { block_type: BlockType::SECTION, len: order.u32(*len), order });
        }
        let order = order?;
        Some(Self { block_type: BlockType(order.u32(*block_type)), len: order.u32(*len), order })
    }

    fn has_sound_length(self) -> bool {
        self.len.is_multiple_of(4) && self.len >= self.block_type.min_len()
    }

    /// Whether the length is sound, and not too much for a block that is kept as a whole.
    fn can_be_kept(self) -> bool {
        self.has_sound_length() && self.len <= MAX_BLOCK
    }

    /// Whether the length stands behind the body as well.
    fn matches_trailer(self, block: &[u8]) -> bool {
        block.last_chunk().is_some_and(|trailer| self.order.u32(*trailer) == self.len)
    }
}

impl Pcapng {
    /// The next frame; `None` at the end.
    #[inline]
    pub(super) fn next(
        &mut self,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<Option<Found>, SourceError> {
        loop {
            if !buffer.has(BlockHeader::LEN)? {
                buffer.report_end(self.cut_reason(), buffer.position(), stats);
                return Ok(None);
            }
            let header = self.header(buffer.unread());
            let Some(header) = header.filter(|header| header.can_be_kept()) else {
                self.pass_over(header, buffer, stats)?;
                continue;
            };
            let len = header.len as usize;
            if !buffer.has(len)? {
                if self.is_cut_packet(header, buffer.unread()) {
                    self.see_cut(buffer.position(), buffer, stats);
                    buffer.consume_all();
                } else {
                    self.doubt(buffer, stats)?;
                }
                continue;
            }
            let start = buffer.position();
            let block = buffer.unread().get(..len).unwrap_or_default();
            if !header.matches_trailer(block) {
                self.resume(DamageReason::BadBlock, buffer, stats)?;
                continue;
            }
            let body = block.get(BLOCK_HEADER..len - BLOCK_TRAILER).unwrap_or_default();
            let result = match header.block_type {
                BlockType::ENHANCED_PACKET => self.enhanced_packet(body).map(Some),
                BlockType::PACKET => self.packet(body).map(Some),
                BlockType::SIMPLE_PACKET => {
                    self.simple_packet(body, stats.last.unwrap_or_default()).map(Some)
                }
                BlockType::INTERFACE => self.interface(body, stats).map(|()| None),
                BlockType::SECTION => {
                    self.begin_section(header.order);
                    Ok(None)
                }
                _ => Ok(None),
            };
            let place = buffer.consume(len) + BLOCK_HEADER;
            match result {
                Ok(Some(found)) => return Ok(Some(Found { place: place + found.place, ..found })),
                Ok(None) => {}
                Err(reason) => stats.see_damage(Damage::new(reason, start)),
            }
        }
    }

    /// The front of the block that these bytes begin with; `None` if its byte order is not known.
    #[inline]
    fn header(&self, bytes: &[u8]) -> Option<BlockHeader> {
        BlockHeader::decode(bytes, self.section.as_ref().map(|section| section.order))
    }

    /// Whether these bytes begin with a whole Enhanced Packet Block (§4.3) that gives a frame.
    pub(super) fn has_packet(&self, unread: &[u8]) -> bool {
        let header = self
            .header(unread)
            .filter(|header| header.block_type == BlockType::ENHANCED_PACKET && header.can_be_kept());
        header.is_some_and(|header| {
            let len = header.len as usize;
            let block = unread.get(..len).filter(|block| header.matches_trailer(block));
            let body = block.and_then(|block| block.get(BLOCK_HEADER..len - BLOCK_TRAILER));
            body.is_some_and(|body| self.enhanced_packet(body).is_ok())
        })
    }

    /// Section Header Block (§4.1). Its version and length do not matter: the length may be wrong or missing,
    /// and every block says where the next one begins.
    fn begin_section(&mut self, order: ByteOrder) {
        let mut interfaces = self.section.take().map(|section| section.interfaces).unwrap_or_default();
        interfaces.clear();
        self.section = Some(Section { order, interfaces });
    }

    /// Interface Description Block (§4.2).
    fn interface(&mut self, body: &[u8], stats: &mut SourceStats) -> Result<(), DamageReason> {
        let Some(section) = &mut self.section else { return Err(DamageReason::BadBlock) };
        if section.interfaces.len() >= MAX_INTERFACES {
            return Err(DamageReason::UnknownInterface);
        }
        let interface = Interface::decode(body, section.order);
        section.interfaces.push(interface);
        stats.see_link_type(interface.ok_or(DamageReason::BadBlock)?.link_type);
        Ok(())
    }

    /// Enhanced Packet Block (§4.3).
    #[inline]
    fn enhanced_packet(&self, body: &[u8]) -> Result<Found, DamageReason> {
        let section = self.section()?;
        let [interface, high, low, captured_len, wire_len] =
            section.order.words(body).ok_or(DamageReason::BadBlock)?;
        let Interface { link_type, clock, .. } = *section.interface(interface)?;
        let captured_at = clock.time(u64::from(high) << 32 | u64::from(low));
        Found { place: 20, len: captured_len as usize, captured_at, wire_len, link_type }.within(body)
    }

    /// Packet Block (Appendix A), obsolete: like the Enhanced one, but the upper half of the first word
    /// counts drops.
    fn packet(&self, body: &[u8]) -> Result<Found, DamageReason> {
        let section = self.section()?;
        let [_, high, low, captured_len, wire_len] =
            section.order.words(body).ok_or(DamageReason::BadBlock)?;
        let interface = section.order.u16(*body.first_chunk().ok_or(DamageReason::BadBlock)?);
        let Interface { link_type, clock, .. } = *section.interface(interface.into())?;
        let captured_at = clock.time(u64::from(high) << 32 | u64::from(low));
        Found { place: 20, len: captured_len as usize, captured_at, wire_len, link_type }.within(body)
    }

    /// Simple Packet Block (§4.4): always of the first interface, its captured length that of the frame or
    /// the snapshot length. It has no time and gets that of the frame before it.
    fn simple_packet(&self, body: &[u8], captured_at: Timestamp) -> Result<Found, DamageReason> {
        let section = self.section()?;
        let [wire_len] = section.order.words(body).ok_or(DamageReason::BadBlock)?;
        let Interface { link_type, snaplen, .. } = *section.interface(0)?;
        let len = if snaplen == 0 { wire_len } else { wire_len.min(snaplen) } as usize;
        Found { place: 4, len, captured_at, wire_len, link_type }.within(body)
    }

    #[inline]
    fn section(&self) -> Result<&Section, DamageReason> {
        self.section.as_ref().ok_or(DamageReason::BadBlock)
    }
}

/// What goes on after damage.
impl Pcapng {
    /// Takes what is no block, or one that is too long to be kept.
    #[cold]
    fn pass_over(
        &mut self,
        header: Option<BlockHeader>,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<(), SourceError> {
        let Some(header) = header else { return self.resume(DamageReason::BadBlock, buffer, stats) };
        let start = buffer.position();
        match header.block_type {
            block_type if !header.has_sound_length() => {
                let reason =
                    if block_type.is_assigned() { DamageReason::BadBlock } else { DamageReason::Garbage };
                self.resume(reason, buffer, stats)
            }
            block_type if block_type.is_read() => self.resume(DamageReason::AbsurdLength, buffer, stats),
            block_type if block_type.is_assigned() => self.skip_block(header, buffer, stats),
            block_type if block_type.is_local() && header.len <= MAX_LOCAL_BLOCK => {
                self.skip_block(header, buffer, stats)
            }
            _ => {
                // Garbage, unless it ends where it says.
                buffer.consume(1);
                let is_found = self.find_block(buffer)?;
                if buffer.position() == start + u64::from(header.len) {
                    return Ok(());
                }
                if is_found {
                    stats.see_damage(Damage::new(DamageReason::Garbage, start));
                } else {
                    self.see_cut(start, buffer, stats);
                }
                Ok(())
            }
        }
    }

    /// Passes over a block without keeping it.
    fn skip_block(
        &mut self,
        header: BlockHeader,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<(), SourceError> {
        let start = buffer.position();
        if !buffer.skip(u64::from(header.len) - BLOCK_TRAILER as u64)? || !buffer.has(BLOCK_TRAILER)? {
            buffer.consume_all();
            self.see_cut(start, buffer, stats);
        } else if header.matches_trailer(buffer.unread().get(..BLOCK_TRAILER).unwrap_or_default()) {
            buffer.consume(BLOCK_TRAILER);
        } else {
            stats.see_damage(Damage::new(DamageReason::BadBlock, start));
            self.find_block(buffer)?;
        }
        Ok(())
    }

    /// Takes a block that is not all there. It has been cut, unless there are blocks in it: then its length
    /// is wrong.
    #[cold]
    fn doubt(&mut self, buffer: &mut Buffer, stats: &mut SourceStats) -> Result<(), SourceError> {
        let start = buffer.position();
        buffer.consume(1);
        if self.find_block(buffer)? {
            stats.see_damage(Damage::new(DamageReason::AbsurdLength, start));
        } else {
            self.see_cut(start, buffer, stats);
        }
        Ok(())
    }

    /// Whether a block that ends behind the capture is an Enhanced Packet Block (§4.3) whose writer was stopped: its
    /// lengths agree. What it holds of its frame was chosen by a sender and is not searched for blocks.
    fn is_cut_packet(&self, header: BlockHeader, unread: &[u8]) -> bool {
        const FIXED: u32 = 32;
        const MAX_OPTIONS: u32 = 4_096;
        let (Some(section), BlockType::ENHANCED_PACKET) = (&self.section, header.block_type) else {
            return false;
        };
        let Some([_, _, interface, _, _, captured_len, wire_len]) = header.order.words(unread) else {
            return true;
        };
        let shortest = captured_len.saturating_add(FIXED);
        (interface as usize) < section.interfaces.len()
            && captured_len <= wire_len
            && shortest <= header.len
            && header.len - shortest <= MAX_OPTIONS
    }

    /// Reports a block that was cut at the end, unless corrupt compression cut it, which is reported by
    /// itself.
    fn see_cut(&self, start: u64, buffer: &Buffer, stats: &mut SourceStats) {
        if !buffer.is_broken_off() {
            stats.see_damage(Damage::new(self.cut_reason(), start));
        }
    }

    fn cut_reason(&self) -> DamageReason {
        if self.section.is_none() { DamageReason::CutHeader } else { DamageReason::CutRecord }
    }

    /// Reports damage here and moves on to the next sound block, or to the end.
    #[cold]
    fn resume(
        &mut self,
        reason: DamageReason,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<(), SourceError> {
        stats.see_damage(Damage::new(reason, buffer.position()));
        buffer.consume(1);
        self.find_block(buffer).map(drop)
    }

    /// Moves on to the next bytes that are a sound block of a known type, or to the end. They need not be
    /// aligned, since garbage can have any length. Looks at each byte a fixed number of times.
    fn find_block(&self, buffer: &mut Buffer) -> Result<bool, SourceError> {
        while buffer.has(BlockHeader::LEN)? {
            let windows = buffer.unread().windows(BlockHeader::LEN);
            let starts = windows.len();
            let candidate = windows
                .enumerate()
                .filter_map(|(at, window)| Some((at, self.header(window)?)))
                .find(|(_, header)| header.block_type.can_resume() && header.can_be_kept());
            let Some((at, header)) = candidate else {
                buffer.consume(starts);
                continue;
            };
            buffer.consume(at);
            if buffer.has(header.len as usize)? && self.is_sound(header, buffer)? {
                return Ok(true);
            }
            buffer.consume(1);
        }
        buffer.consume_all();
        Ok(false)
    }

    /// Whether the block that comes next in the buffer, all of it, is one and no bytes of a frame that look like one: its lengths
    /// agree, and so does what is in it, or another block follows.
    fn is_sound(&self, header: BlockHeader, buffer: &mut Buffer) -> Result<bool, SourceError> {
        let len = header.len as usize;
        let block = buffer.unread().get(..len).unwrap_or_default();
        let body = block.get(BLOCK_HEADER..len - BLOCK_TRAILER).unwrap_or_default();
        if !header.matches_trailer(block) {
            return Ok(false);
        }
        let order = header.order;
        let is_packet = |place, captured_len: Option<u32>| {
            let padded = captured_len.and_then(|len| usize::try_from(len.checked_next_multiple_of(4)?).ok());
            let options = padded.and_then(|padded| body.get(padded.checked_add(place)?..));
            options.is_some_and(|options| are_options(options, order))
        };
        match header.block_type {
            BlockType::ENHANCED_PACKET | BlockType::PACKET => {
                let captured_len = order.words(body).map(|[_, _, _, captured_len]| captured_len);
                Ok(is_packet(20, captured_len))
            }
            BlockType::SIMPLE_PACKET => {
                let packet = self.simple_packet(body, Timestamp::default()).ok();
                let captured_len = packet.and_then(|packet| u32::try_from(packet.len).ok());
                Ok(is_packet(4, captured_len))
            }
            BlockType::INTERFACE if Interface::is_described(body, order) => Ok(true),
            _ => is_followed(header, buffer),
        }
    }
}

/// Whether the block that comes next in the buffer has another one behind it, or nothing.
fn is_followed(header: BlockHeader, buffer: &mut Buffer) -> Result<bool, SourceError> {
    let len = header.len as usize;
    // Of a cut one nothing can be told.
    if !buffer.has(len + BlockHeader::LEN)? {
        return Ok(true);
    }
    let next = BlockHeader::decode(buffer.unread().get(len..).unwrap_or_default(), Some(header.order));
    let Some(next) = next.filter(|next| next.has_sound_length()) else { return Ok(false) };
    let end = len + next.len as usize;
    if !next.can_be_kept() || !buffer.has(end)? {
        return Ok(next.block_type.is_assigned());
    }
    Ok(next.matches_trailer(buffer.unread().get(len..end).unwrap_or_default()))
}

/// Whether bytes are the options of a block ([§3.5]): code, length, value and padding each, up to the end of options if there is one.
/// Of many only the first are looked at, so that what looks like blocks within blocks costs little.
///
/// [§3.5]: https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcapng#section-3.5
fn are_options(mut bytes: &[u8], order: ByteOrder) -> bool {
    const MOST: usize = 64;
    for _ in 0..MOST {
        let Some(([code_high, code_low, len_high, len_low], rest)) = bytes.split_first_chunk() else {
            return bytes.is_empty();
        };
        let (code, len) = (order.u16([*code_high, *code_low]), order.u16([*len_high, *len_low]));
        if code == 0 {
            return len == 0;
        }
        let Some(behind) = rest.get(usize::from(len).next_multiple_of(4)..) else { return false };
        bytes = behind;
    }
    true
}

impl Section {
    #[inline]
    fn interface(&self, number: u32) -> Result<&Interface, DamageReason> {
        self.interfaces.get(number as usize).and_then(Option::as_ref).ok_or(DamageReason::UnknownInterface)
    }
}

impl Interface {
    /// Whether a body is that of an Interface Description Block, and not any bytes: the type is one that is decoded, what is reserved
    /// is zero, and options follow.
    fn is_described(body: &[u8], order: ByteOrder) -> bool {
        let Some(([type_high, type_low, 0, 0, _, _, _, _], options)) = body.split_first_chunk() else {
            return false;
        };
        LinkType(order.u16([*type_high, *type_low])).name().is_some() && are_options(options, order)
    }

    /// Body of an Interface Description Block (§4.2); `None` if it is too short.
    fn decode(body: &[u8], order: ByteOrder) -> Option<Self> {
        let (fixed, options) = body.split_first_chunk::<8>()?;
        let [link_type_low, link_type_high, _, _, snaplen @ ..] = *fixed;
        Some(Self {
            link_type: LinkType(order.u16([link_type_low, link_type_high])),
            snaplen: order.u32(snaplen),
            clock: Clock::decode(options, order),
        })
    }
}
