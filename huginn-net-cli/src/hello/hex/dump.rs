//! Dumps: lines of an offset, bytes, and perhaps their text.
//!
//! Nothing tells where the bytes of a line end and their text begins, and either may look like the other. Each line is read
//! in all ways in which what is taken for text is that of the bytes before it; the next offset, or that there is one way
//! only, tells which of them is meant.

use super::{Broken, Decoded, Piece};

/// The most bytes of a dump, in which one line may stand for any number of them.
const MOST: usize = 1 << 20;

/// Whether a text begins with an offset: with digits before a colon and a blank, with zeros, with which no hello begins, or
/// with digits that are not as many as those behind them.
pub(super) fn is_one(text: Piece<'_>) -> bool {
    let line = text.trim_start().split_while(|byte| *byte != b'\n').0;
    let Some(Offset { value, digits, is_told, rest }) = Offset::of(line) else { return false };
    let next = rest.trim_start().split_while(|byte| !byte.is_ascii_whitespace()).0.text.len();
    // `16: 03` are bytes.
    if is_told { digits != 2 } else { next > 0 && (value == 0 || digits != next) }
}

/// The bytes of a dump. `*` stands for lines like the one before it.
pub(super) fn decode(text: Piece<'_>) -> Decoded<Vec<u8>> {
    let mut dump = Dump::default();
    let mut rest = text;
    while !rest.text.is_empty() {
        let (line, behind) = rest.split_while(|byte| *byte != b'\n');
        rest = behind.split(1).1;
        let line = line.trim_start();
        let line = line.split(line.text.trim_ascii_end().len()).0;
        if !line.text.is_empty() {
            dump.push(line)?;
        }
    }
    dump.finish()
}

/// The begin of a line.
struct Offset<'t> {
    value: usize,
    digits: usize,
    /// Whether a colon tells that it is an offset.
    is_told: bool,
    rest: Piece<'t>,
}

impl<'t> Offset<'t> {
    fn of(line: Piece<'t>) -> Option<Self> {
        let numbered = line.without(b"0x");
        let (digits, behind) = numbered.unwrap_or(line).split_while(u8::is_ascii_hexdigit);
        let rest = behind.without(b":");
        let is_told = rest.is_some();
        let rest = rest.unwrap_or(behind);
        let is_whole = rest.text.first().is_none_or(u8::is_ascii_whitespace);
        if !is_whole || !is_told && (numbered.is_some() || digits.text.len() < 4) {
            return None;
        }
        let value = usize::from_str_radix(str::from_utf8(digits.text).ok()?, 16).ok()?;
        Some(Self { value, digits: digits.text.len(), is_told, rest })
    }
}

/// One way to read a line.
struct Reading<'t> {
    bytes: Vec<u8>,
    /// Bytes of a group.
    group: usize,
    /// The text of the bytes.
    text: Option<&'t [u8]>,
}

/// What has been read of a dump.
#[derive(Default)]
struct Dump<'t> {
    start: Option<(usize, Piece<'t>)>,
    bytes: Vec<u8>,
    /// The last line, which the next offset tells how to read.
    waiting: Option<(Piece<'t>, Vec<Reading<'t>>)>,
    /// The `*` behind it.
    repeated: Option<Piece<'t>>,
    /// Whether something tells that what is taken for offsets is not bytes.
    has_offsets: bool,
    /// Whether bytes are known to be in the order in which they are written.
    is_ordered: bool,
    /// The first line that would be another one if the bytes of its groups were in the other order.
    unordered: Option<Piece<'t>>,
}

impl<'t> Dump<'t> {
    fn push(&mut self, line: Piece<'t>) -> Decoded<()> {
        if line.text == b"*" && self.waiting.is_some() && self.repeated.is_none() {
            self.repeated = Some(line);
            return Ok(());
        }
        let Some(Offset { value, is_told, rest, .. }) = Offset::of(line) else {
            return line.broken("there is no offset, as before the lines above");
        };
        let (start, _) = *self.start.get_or_insert((value, line));
        self.has_offsets |= is_told || value == 0 || self.waiting.is_some();
        let here = value.checked_sub(start).filter(|here| *here <= MOST);
        if let Some((place, mut readings)) = self.waiting.take() {
            let is_repeated = self.repeated.take().is_some();
            let most = readings.iter().map(|reading| reading.bytes.len()).max().unwrap_or_default();
            let read = self.bytes.len();
            readings.retain(|reading| {
                let further = here.and_then(|here| here.checked_sub(read + reading.bytes.len()));
                match further {
                    Some(0) => !is_repeated,
                    Some(further) => is_repeated && further % reading.bytes.len() == 0,
                    None => false,
                }
            });
            let [reading] = readings.as_slice() else {
                let next = start.saturating_add(read + most);
                return line.broken(format!(
                    "this offset does not go with the bytes before it, which end at {next:#x} of a dump"
                ));
            };
            self.take(place, reading);
            while here.is_some_and(|here| self.bytes.len() < here) {
                self.bytes.extend_from_slice(&reading.bytes);
            }
        } else if here != Some(self.bytes.len()) || !self.bytes.is_empty() {
            return line.broken("the dump ends in the line before this one");
        }
        let place = rest.trim_start();
        if !place.text.is_empty() {
            self.waiting = Some((place, readings(rest)?));
        }
        Ok(())
    }

    fn take(&mut self, place: Piece<'t>, reading: &Reading<'_>) {
        self.bytes.extend_from_slice(&reading.bytes);
        let groups = reading.bytes.chunks(reading.group.max(1));
        let turned: Vec<_> = groups.flat_map(|group| group.iter().rev().copied()).collect();
        if turned != reading.bytes {
            self.unordered.get_or_insert(place);
            self.is_ordered |= reading.text.is_some_and(|text| !is_text_of(&turned, text));
        }
    }

    fn finish(mut self) -> Decoded<Vec<u8>> {
        if let Some(place) = self.repeated {
            return place.broken("no offset tells how many lines this stands for");
        }
        if let Some((place, readings)) = self.waiting.take() {
            let [reading] = readings.as_slice() else {
                return place.broken("bytes and their text cannot be told apart");
            };
            self.has_offsets |= reading.text.is_some();
            self.take(place, reading);
        }
        match (self.start, self.unordered) {
            (Some((_, place)), _) if !self.has_offsets => {
                place.broken("this may be an offset or bytes; a dump of one line begins at offset 0000")
            }
            (_, Some(place)) if !self.is_ordered => place.broken(
                "groups of several bytes, of which nothing tells the order; take a dump of single bytes",
            ),
            _ => Ok(self.bytes),
        }
    }
}

/// All ways to read what follows an offset: groups of digits, up to their text or to the end.
fn readings(line: Piece<'_>) -> Decoded<Vec<Reading<'_>>> {
    let mut readings = Vec::new();
    let (mut rest, mut bytes, mut digits) = (line, Vec::new(), 0);
    let mut other_text = None;
    let broken = loop {
        let (gap, behind) = rest.split_blanks();
        let gap = gap.text.len();
        if behind.text.is_empty() {
            readings.push(Reading { bytes, group: digits / 2, text: None });
            return Ok(readings);
        }
        if gap >= 2 && !bytes.is_empty() {
            match text_of(&bytes, gap, behind.text) {
                Some(text) => {
                    readings.push(Reading { bytes: bytes.clone(), group: digits / 2, text: Some(text) });
                }
                None => other_text = Some(behind),
            }
            // There are two blanks in the middle of a line, too.
            if gap > 2 || bytes.len() != 8 {
                break None;
            }
        }
        let (group, next) = behind.split_while(|byte| !byte.is_ascii_whitespace());
        if digits == 0 {
            digits = group.text.len();
        }
        // The last group may have fewer.
        let is_last = next.text.is_empty() || next.split_blanks().0.text.len() >= 2;
        if group.text.len() > digits || group.text.len() < digits && !is_last {
            break Some(Broken { at: group.at, what: "groups of digits differ in length".to_owned() });
        }
        match group.bytes() {
            Ok(decoded) => bytes.extend(decoded),
            Err(broken) => break Some(broken),
        }
        rest = next;
    };
    match (readings.is_empty(), broken, other_text) {
        (false, ..) => Ok(readings),
        (true, Some(broken), _) => Err(broken),
        (true, None, text) => text.unwrap_or(line).broken("this is not the text of the bytes before it"),
    }
}

/// The text of these bytes, if that is what stands behind so many blanks; some of them may be its own.
fn text_of<'t>(bytes: &[u8], gap: usize, behind: &'t [u8]) -> Option<&'t [u8]> {
    let framed = |begin: &[u8], end: &[u8]| {
        let text = behind.strip_prefix(begin)?.strip_suffix(end)?;
        (text.len() == bytes.len() && is_text_of(bytes, text)).then_some(text)
    };
    let own = bytes.iter().take_while(|byte| **byte == b' ').count();
    let is_plain = gap >= 2 + own && bytes.get(own..).is_some_and(|bytes| is_text_of(bytes, behind));
    if is_plain { Some(behind) } else { framed(b"|", b"|").or_else(|| framed(b">", b"<")) }
}

/// Whether dumps show these bytes so: a dot for each that is not printable. Blanks may be lost at either end.
fn is_text_of(bytes: &[u8], text: &[u8]) -> bool {
    let shown: Vec<_> =
        bytes.iter().map(|byte| if matches!(byte, b' '..=b'~') { *byte } else { b'.' }).collect();
    shown.trim_ascii() == text.trim_ascii()
}
