//! The classic format of libpcap
//! ([draft-ietf-opsawg-pcap](https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcap/)).

use super::buffer::Buffer;
use super::byte_order::ByteOrder;
use super::file::{Found, Magic};
use super::{Container, Damage, DamageReason, SourceError, SourceStats};
use crate::{LinkType, Timestamp};

const FILE_HEADER: usize = 24;

/// Captured length that is accepted whatever the file header says: libpcap's largest snapshot length.
const MAX_RECORD: u32 = 256 * 1024;

/// Captured length that is accepted at most, if the file header announces a snapshot length that large.
const MAX_SNAPLEN: u32 = 4 * 1024 * 1024;

/// Length on the wire beyond which bytes are not taken for a record header when looking for one, or in a header of another time.
const MAX_WIRE_LEN: u32 = 16 * 1024 * 1024;

/// A record further than this from the one before it, in seconds, is looked at twice: one week.
const USUAL_GAP: u32 = 7 * 24 * 60 * 60;

/// A record this near to the last good one, in seconds, needs no further record to prove it: one hour. A
/// header that is read a few bytes too early has a misplaced first byte of the seconds, which is 194 days or
/// more.
const NEAR_GAP: u32 = 60 * 60;

/// Records looked at to tell the variants of a magic apart.
const MAX_PROBED: usize = 16;

/// Bytes looked at for that.
const PROBED: usize = 64 * 1024;

/// Formats that have a magic in common: the same fields begin a record in all of them, and nothing in the file
/// says how long its header is (tcpdump of Nokia IPSO, of Red Hat 6.1, and of SuSE 6.3).
const VARIANTS: [(Container, &[(Container, usize)]); 2] = [
    (Container::Pcap, &[(Container::PcapNokia, 20), (Container::PcapRedHat, 24)]),
    (Container::PcapKuznetzov, &[(Container::PcapSuse, 28)]),
];

/// Reads the records of one file, or of several that were joined.
pub(super) struct Pcap {
    container: Container,
    order: ByteOrder,
    link_type: LinkType,
    record_header: usize,
    /// Whether the two lengths of a record may be in the other order, as they were up to version 2.3.
    may_be_swapped: bool,
    /// The most bytes a record may hold.
    max_len: u32,
    /// Fractions of a second in a second.
    fractions: u32,
    nanos_per_fraction: u32,
    /// Time of the last good record.
    last_seconds: Option<u32>,
}

/// The first 16 bytes of a record:
///
/// ```text
///  0               4               8              12              16
/// +---------------+---------------+---------------+---------------+
/// |    seconds    |   fraction    | captured len  |   wire len    |
/// +---------------+---------------+---------------+---------------+
/// ```
///
/// Kuznetzov's is followed by interface, protocol and packet type: 8 more bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordHeader {
    seconds: u32,
    fraction: u32,
    captured_len: u32,
    wire_len: u32,
}

impl RecordHeader {
    const LEN: usize = 16;

    #[inline]
    fn decode(bytes: &[u8], order: ByteOrder) -> Option<Self> {
        let [seconds, fraction, captured_len, wire_len] = order.words(bytes)?;
        Some(Self { seconds, fraction, captured_len, wire_len })
    }
}

/// Version of the format: since 1998, every writer but that of AIX says 2.4.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    major: u16,
    minor: u16,
}

impl Version {
    const AIX: Self = Self { major: 2, minor: 2 };

    fn decode(word: u32, order: ByteOrder) -> Self {
        let [a, b, c, d] = match order {
            ByteOrder::Little => word.to_le_bytes(),
            ByteOrder::Big => word.to_be_bytes(),
        };
        Self { major: order.u16([a, b]), minor: order.u16([c, d]) }
    }

    /// Whether libpcap takes the length on the wire to come first, or looks which of the two is the longer one. That of
    /// Digital Unix calls itself 543.0.
    fn is_old(self) -> bool {
        self.major == 2 && self.minor <= 3 || self.major == 543
    }
}

/// The link type that a capture of AIX is of, if it is one: it has interface types of the MIB
/// ([RFC 1573](https://www.rfc-editor.org/rfc/rfc1573)), and nanoseconds.
fn link_type_of_aix(interface_type: LinkType) -> Option<LinkType> {
    match interface_type.0 {
        6 => Some(LinkType::ETHERNET),
        9 => Some(LinkType::TOKEN_RING),
        15 => Some(LinkType::FDDI),
        24 => Some(LinkType::NULL),
        _ => None,
    }
}

impl Pcap {
    /// Reads the file header; `None` if the file is cut within it.
    pub(super) fn open(
        container: Container,
        order: ByteOrder,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<Option<Self>, SourceError> {
        let start = buffer.position();
        let words = if buffer.has(FILE_HEADER)? { order.words(buffer.unread()) } else { None };
        let Some([_magic, version, _zone, _accuracy, snaplen, network]) = words else {
            buffer.report_end(DamageReason::CutHeader, start, stats);
            return Ok(None);
        };
        buffer.consume(FILE_HEADER);
        let version = Version::decode(version, order);
        // The upper half says whether frames end with their check sequence, and how long that is.
        let [.., high, low] = network.to_be_bytes();
        let network = LinkType(u16::from_be_bytes([high, low]));
        let of_aix = if version == Version::AIX { link_type_of_aix(network) } else { None };
        let link_type = of_aix.unwrap_or(network);
        stats.see_link_type(link_type);
        let is_nanos = container == Container::PcapNanos || of_aix.is_some();
        Ok(Some(Self {
            container,
            order,
            link_type,
            record_header: RecordHeader::LEN + if container == Container::PcapKuznetzov { 8 } else { 0 },
            may_be_swapped: version.is_old(),
            max_len: snaplen.clamp(MAX_RECORD, MAX_SNAPLEN),
            fractions: if is_nanos { 1_000_000_000 } else { 1_000_000 },
            nanos_per_fraction: if is_nanos { 1 } else { 1_000 },
            last_seconds: None,
        }))
    }

    /// The next frame, if it is all in the buffer and its record has the header that every common writer gives it.
    #[inline]
    pub(super) fn next_usual(&mut self, buffer: &mut Buffer) -> Option<Found> {
        let header = self.usual(buffer.unread())?;
        Some(self.take(header, buffer))
    }

    /// The header of the record that these bytes begin with, if it is usual, and all of the record is there.
    #[inline]
    pub(super) fn usual(&self, unread: &[u8]) -> Option<RecordHeader> {
        let header = self.header(unread)?;
        let is_usual = self.last_seconds.is_some()
            && self.is_usual(header)
            && self.record_header + header.captured_len as usize <= unread.len();
        is_usual.then_some(header)
    }

    /// The next frame; `None` at the end.
    pub(super) fn next(
        &mut self,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<Option<Found>, SourceError> {
        loop {
            let header = if buffer.has(self.record_header)? { self.header_at(buffer, 0) } else { None };
            let Some(header) = header else {
                buffer.report_end(DamageReason::CutRecord, buffer.position(), stats);
                return Ok(None);
            };
            let is_good = self.last_seconds.is_some()
                && self.is_usual(header)
                && buffer.has(self.record_header + header.captured_len as usize)?;
            if is_good || self.doubt(header, buffer, stats)? {
                return Ok(Some(self.take(header, buffer)));
            }
        }
    }

    /// Takes a record that is good and all in the buffer.
    #[inline(always)]
    fn take(&mut self, header: RecordHeader, buffer: &mut Buffer) -> Found {
        let len = header.captured_len as usize;
        self.last_seconds = Some(header.seconds);
        let nanos = u64::from(header.fraction) * u64::from(self.nanos_per_fraction);
        Found {
            place: buffer.consume(self.record_header + len) + self.record_header,
            len,
            captured_at: Timestamp::from_parts(header.seconds.into(), nanos),
            wire_len: header.wire_len.max(header.captured_len),
            link_type: self.link_type,
        }
    }

    /// Whether a record has the header that every common writer gives it.
    #[inline]
    fn is_usual(&self, header: RecordHeader) -> bool {
        // No short circuits: one branch for all.
        (header.captured_len <= self.max_len)
            & (header.captured_len <= header.wire_len)
            & (header.wire_len != 0)
            & (header.fraction < self.fractions)
            & self.last_seconds.is_none_or(|last| header.seconds.abs_diff(last) <= USUAL_GAP)
    }

    fn header_at(&self, buffer: &Buffer, offset: usize) -> Option<RecordHeader> {
        self.header(buffer.unread().get(offset..)?)
    }

    #[inline]
    fn header(&self, bytes: &[u8]) -> Option<RecordHeader> {
        let header = RecordHeader::decode(bytes, self.order)?;
        let RecordHeader { captured_len, wire_len, .. } = header;
        Some(if self.may_be_swapped & (captured_len > wire_len) {
            RecordHeader { captured_len: wire_len, wire_len: captured_len, ..header }
        } else {
            header
        })
    }

    /// Finds out which variant of its magic the file is, from what has been read when the first record is all there, so
    /// that it is given at once. Two records have to agree: behind a single one, what a longer header would take in may as
    /// well be the rest of a record that was cut. Of a pipe that delivers it alone, the format is what the magic says.
    fn probe(&mut self, buffer: &mut Buffer, stats: &mut SourceStats) -> Result<bool, SourceError> {
        let unread = buffer.at_hand(PROBED)?;
        if self.records_of(self.record_header, unread).is_some() {
            return Ok(false);
        }
        let variants = VARIANTS.iter().filter(|(magic, _)| *magic == self.container);
        let mut variants = variants.flat_map(|(_, variants)| *variants);
        let variant =
            variants.find(|(_, len)| self.records_of(*len, unread).is_some_and(|records| records > 1));
        let Some(&(container, record_header)) = variant else { return Ok(false) };
        (self.container, self.record_header) = (container, record_header);
        if let Some(format) = stats.format.as_mut().filter(|_| stats.packets == 0) {
            format.container = container;
        }
        Ok(true)
    }

    /// How many records begin in `bytes` if their headers are so long, at most [`MAX_PROBED`]; `None` if something
    /// else follows one of them.
    fn records_of(&self, record_header: usize, bytes: &[u8]) -> Option<usize> {
        let (mut rest, mut last, mut records) = (bytes, None, 0);
        while let Some(header) = self.header(rest).filter(|_| records < MAX_PROBED) {
            let is_as_old = last.is_none_or(|last| header.seconds.abs_diff(last) <= USUAL_GAP);
            if !self.could_resume(header) || !is_as_old {
                return None;
            }
            records += 1;
            last = Some(header.seconds);
            rest = rest.get(record_header + header.captured_len as usize..).unwrap_or_default();
        }
        Some(records)
    }

    /// Judges a record that is not usual or not all there, and says whether it is good: if something good
    /// follows it, because clocks are set and odd writers exist. Otherwise moves on to what does look like a
    /// record, or to the end.
    #[cold]
    fn doubt(
        &mut self,
        header: RecordHeader,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<bool, SourceError> {
        if self.begin_joined_file(buffer, stats)? {
            return Ok(false);
        }
        if self.last_seconds.is_none() {
            let is_whole =
                self.is_usual(header) && buffer.has(self.record_header + header.captured_len as usize)?;
            if self.probe(buffer, stats)? {
                return Ok(false);
            }
            if is_whole {
                return Ok(true);
            }
        }
        let successor = match self.is_misread(header) {
            true => Successor::Bad,
            false => self.successor(header, buffer)?,
        };
        if matches!(successor, Successor::Good | Successor::End | Successor::Cut) {
            return Ok(true);
        }
        let start = buffer.position();
        // The commonest damage: the writer was stopped. What the last record holds of its frame was chosen by a
        // sender and is not searched for records.
        if matches!(successor, Successor::Missing) && self.is_usual(header) {
            if !buffer.is_broken_off() {
                stats.see_damage(Damage::new(DamageReason::CutRecord, start));
            }
            buffer.consume_all();
            return Ok(false);
        }
        buffer.consume(1);
        let is_found = self.find_record(buffer);
        let reason = match successor {
            _ if header.captured_len > self.max_len => DamageReason::AbsurdLength,
            Successor::Missing if matches!(is_found, Ok(false)) => DamageReason::CutRecord,
            _ => DamageReason::Garbage,
        };
        // A record cut by corrupt compression is one place of damage: the end of what could be decompressed.
        if !(reason == DamageReason::CutRecord && buffer.is_broken_off()) {
            stats.see_damage(Damage::new(reason, start));
        }
        // What was found before the input failed has been said.
        is_found.map(|_| false)
    }

    /// Whether a header is of another time, and of a frame that never was on a wire. Where four bytes are missing, all later
    /// headers are read four bytes too late, and follow one another: the fractions are taken for the seconds, the captured
    /// length for the fractions, and for the length on the wire what the frame begins with.
    fn is_misread(&self, header: RecordHeader) -> bool {
        self.last_seconds.is_some_and(|last| header.seconds.abs_diff(last) > USUAL_GAP)
            && !(1..=MAX_WIRE_LEN).contains(&header.wire_len)
    }

    /// Goes on with another capture if its header comes next: `cat` and gzip make such files.
    fn begin_joined_file(
        &mut self,
        buffer: &mut Buffer,
        stats: &mut SourceStats,
    ) -> Result<bool, SourceError> {
        let Some(Magic::Pcap(container, order)) = Magic::of(buffer.unread()) else { return Ok(false) };
        // Version 2.4, as every file since 1998 has it: two 16-bit numbers in either byte order.
        if !matches!(order.words(buffer.unread()), Some([_magic, 0x0002_0004 | 0x0004_0002])) {
            return Ok(false);
        }
        match Self::open(container, order, buffer, stats)? {
            Some(joined) => *self = joined,
            None => buffer.consume_all(),
        }
        Ok(true)
    }

    /// Moves on to the next bytes that look like a record, or to the end. Looks at each byte a fixed number
    /// of times.
    fn find_record(&self, buffer: &mut Buffer) -> Result<bool, SourceError> {
        while buffer.has(self.record_header)? {
            let windows = buffer.unread().windows(self.record_header);
            let starts = windows.len();
            let candidate = windows
                .enumerate()
                .filter_map(|(at, window)| Some((at, self.header(window)?)))
                .find(|(_, header)| self.could_resume(*header));
            let Some((at, header)) = candidate else {
                buffer.consume(starts);
                continue;
            };
            buffer.consume(at);
            if self.is_near(header) {
                return Ok(true);
            }
            // Zeros and small numbers in a frame look like empty records of 1970, one behind the other.
            let may_be_of_another_time = header.captured_len != 0;
            if may_be_of_another_time
                && matches!(self.successor(header, buffer)?, Successor::Good | Successor::End)
            {
                let near = self.near_within(header, buffer)?;
                buffer.consume(near.unwrap_or_default());
                return Ok(true);
            }
            buffer.consume(1);
        }
        buffer.consume_all();
        Ok(false)
    }

    /// Where in a record of another time, which comes next in the buffer, one begins that goes on with the time before the damage, and is
    /// followed by another: then the first is none, but bytes of frames that look like one, and like the next one as all of a kind do.
    fn near_within(&self, outer: RecordHeader, buffer: &mut Buffer) -> Result<Option<usize>, SourceError> {
        let end = self.record_header + outer.captured_len as usize;
        for at in 1..end.min(buffer.unread().len()) {
            let Some(header) = self.near_at(at, buffer) else { continue };
            let next = at + self.record_header + header.captured_len as usize;
            // Where more than the largest record is to be read, nothing is proved.
            let can_be_read = next + self.record_header <= MAX_SNAPLEN as usize;
            if can_be_read && buffer.has(next + self.record_header)? && self.near_at(next, buffer).is_some() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The header of a record that begins there in the buffer, and goes on with the time of the last one.
    fn near_at(&self, at: usize, buffer: &Buffer) -> Option<RecordHeader> {
        let header = self.header(buffer.unread().get(at..)?)?;
        (self.could_resume(header) && self.is_near(header)).then_some(header)
    }

    /// Whether a record goes on with the time of the last one.
    fn is_near(&self, header: RecordHeader) -> bool {
        self.last_seconds.is_some_and(|last| header.seconds.abs_diff(last) <= NEAR_GAP)
    }

    fn could_resume(&self, header: RecordHeader) -> bool {
        (header.captured_len <= self.max_len)
            & (header.captured_len <= header.wire_len)
            & (1..=MAX_WIRE_LEN).contains(&header.wire_len)
            & (header.fraction < self.fractions)
    }

    /// What comes after a record that begins here.
    fn successor(&self, header: RecordHeader, buffer: &mut Buffer) -> Result<Successor, SourceError> {
        if header.captured_len > self.max_len {
            return Ok(Successor::Bad);
        }
        let end = self.record_header + header.captured_len as usize;
        if !buffer.has(end + self.record_header)? {
            return Ok(match buffer.unread().len().checked_sub(end) {
                None => Successor::Missing,
                Some(0) => Successor::End,
                Some(_) => Successor::Cut,
            });
        }
        let is_good = self.header_at(buffer, end).is_some_and(|next| {
            let is_as_old = next.seconds.abs_diff(header.seconds) <= USUAL_GAP;
            let is_empty = next == RecordHeader { seconds: 0, fraction: 0, captured_len: 0, wire_len: 0 };
            self.could_resume(next) || (next.captured_len <= self.max_len && is_as_old && !is_empty)
        });
        Ok(if is_good { Successor::Good } else { Successor::Bad })
    }
}

/// What comes after a record.
#[derive(Clone, Copy)]
enum Successor {
    /// Another record: one about as old, or one with a header that every common writer gives it.
    Good,
    /// Something else.
    Bad,
    /// The end of the capture.
    End,
    /// Too few bytes for a header.
    Cut,
    /// The record itself is not all there.
    Missing,
}
