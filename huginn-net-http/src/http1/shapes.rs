//! Heads that are like others that were read before.

use core::fmt;
use core::iter;
use core::num::NonZero;
use core::sync::atomic::{AtomicU64, Ordering};

use memchr::{memchr, memmem};

use super::body::Framing;
use super::lines::{is_blank, is_text, trim};
use super::{Headers, Http1Limits, Http1Scanner};

/// What heads share that a program sends again and again: a number, which is that of no other shape in this process.
///
/// Two requests, or two responses, of one shape have the same fields in the same order: as many of them, with names that are
/// written alike, the same line ends, and the same values of the fields of which [`keeps_value`](Self::keeps_value) is true. Other
/// values may be any, and so may the start line. Two heads of different shapes may be alike all the same.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeadShape(NonZero<u64>);

impl HeadShape {
    /// Fields of which a program sends few values, in lower case.
    const KEPT: [&'static str; 38] = [
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "accept-ranges",
        "cache-control",
        "connection",
        "content-encoding",
        "content-type",
        "dnt",
        "expect",
        "icy-metadata",
        "keep-alive",
        "mime-version",
        "pragma",
        "priority",
        "proxy-agent",
        "proxy-connection",
        "sec-ch-ua",
        "sec-ch-ua-mobile",
        "sec-ch-ua-platform",
        "sec-fetch-dest",
        "sec-fetch-mode",
        "sec-fetch-site",
        "sec-fetch-user",
        "sec-purpose",
        "sec-websocket-extensions",
        "sec-websocket-version",
        "server",
        "te",
        "transfer-encoding",
        "upgrade",
        "upgrade-insecure-requests",
        "user-agent",
        "vary",
        "x-content-type-options",
        "x-powered-by",
        "x-squid-error",
    ];

    /// One that there has not been.
    fn new() -> Option<Self> {
        static LATEST: AtomicU64 = AtomicU64::new(0);
        NonZero::new(LATEST.fetch_add(1, Ordering::Relaxed) + 1).map(Self)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0.get()
    }

    /// Whether all heads of a shape have the same value in a field of this name, the case of which does not count.
    #[must_use]
    pub fn keeps_value(name: &[u8]) -> bool {
        Self::KEPT.iter().any(|kept| name.eq_ignore_ascii_case(kept.as_bytes()))
    }
}

/// Without the number, which depends on what else was read, and on how many analyzers there are.
impl fmt::Debug for HeadShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeadShape").finish_non_exhaustive()
    }
}

/// The shapes of requests and of responses that were read before.
pub(crate) struct HeadShapes {
    requests: Shapes,
    responses: Shapes,
}

impl HeadShapes {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self { requests: Shapes::new(b"User-Agent: "), responses: Shapes::new(b"Server: ") }
    }

    pub(super) fn of(&mut self, is_request: bool) -> &mut Shapes {
        if is_request { &mut self.requests } else { &mut self.responses }
    }
}

/// The shapes of the requests or of the responses that were read before, up to 256 of 1.2 KiB at most.
///
/// They are found by what the head calls its program, eight of them for each of 32 sets of programs. What is found out by a shape
/// is what reading would tell: whoever sends many different heads, of programs that share a set, makes each of them no dearer
/// than one that was not seen before.
pub(super) struct Shapes {
    /// What stands before it, mostly: it only says where to look.
    software: memmem::Finder<'static>,
    /// Empty before the first shape.
    sets: Vec<Set>,
    /// Where the latest one was learnt or found.
    latest: (usize, usize),
}

/// What ends a line that a shape is made of.
const ENDS: [u8; 2] = *b"\r\n";
const SETS: usize = 32;
const PLACES: usize = 8;
/// Of so many heads that have no place in a full set, one takes that of an older shape: to learn one takes as long as to read
/// several heads, and where there are more shapes than places, most are displaced before they come again.
const MISSES: u8 = 8;
/// Bytes of a shape: heads of browsers have some 400 that are kept.
const MAX_TEXT: usize = 1_024;
/// Values that are left out of a shape.
const MAX_GAPS: usize = 31;

#[derive(Default)]
struct Set {
    shapes: Vec<Shape>,
    /// How many gaps all of them begin with that are alike, as is the text up to them: where a server sends one kind of
    /// head for each type of content, for example, that is compared once.
    alike: usize,
    /// The place that the next one takes.
    next: usize,
    /// Heads without a place since then.
    missed: u8,
}

/// The lines of a head behind its start line, with gaps in the place of values.
struct Shape {
    shape: HeadShape,
    /// What is between the gaps, up to the end of the empty line. CR LF is behind each of them.
    text: Box<[u8]>,
    /// Where in `text` the gaps are, in their order.
    gaps: Box<[u16]>,
    /// How many fields there are.
    fields: usize,
    framing: Option<KnownFraming>,
}

/// What all heads of a shape say of where their bodies end, but for the length.
struct KnownFraming {
    /// Of fields without a length.
    framing: Framing<'static>,
    /// The gap that the length is in.
    length: Option<u8>,
}

/// What is known of a head by its shape.
pub(super) struct Known {
    pub(super) shape: HeadShape,
    /// Bytes from its first field to the end of the empty line.
    pub(super) len: usize,
    pub(super) fields: usize,
    pub(super) framing: Option<Framing<'static>>,
}

impl Shapes {
    fn new(software: &'static [u8]) -> Self {
        Self { software: memmem::Finder::new(software), sets: Vec::new(), latest: (0, 0) }
    }

    /// What is known of a head by its lines behind the start line, and what follows them.
    pub(super) fn find(&mut self, lines: &[u8], limits: &Http1Limits) -> Option<Known> {
        // Mostly it is the one that was sent before, or another one of the same program.
        let (latest, place) = self.latest;
        let found = self.sets.get(latest)?.find(lines, limits, place).map(|found| (latest, found));
        let (set, (place, known)) = found.or_else(|| {
            let at = self.set_of(lines);
            let set = self.sets.get(at).filter(|_| at != latest)?;
            Some((at, set.find(lines, limits, 0)?))
        })?;
        self.latest = (set, place);
        Some(known)
    }

    /// Remembers a complete head. `None` if it is too long, or has lines that are not plain.
    pub(super) fn learn(&mut self, scanner: &Http1Scanner, head: &[u8]) -> Option<HeadShape> {
        let lines = head.get(scanner.fields_at()..scanner.len()).filter(|_| scanner.is_plain())?;
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        let at = self.set_of(lines);
        let set = self.sets.get_mut(at)?;
        if set.shapes.len() == PLACES {
            set.missed = (set.missed + 1) % MISSES;
            if set.missed != 0 {
                return None;
            }
        }
        let shape = Shape::of(lines, scanner.fields())?;
        let number = shape.shape;
        self.latest = (at, set.next);
        set.put(shape);
        Some(number)
    }

    /// By what a head calls its program, whatever follows the head.
    fn set_of(&self, lines: &[u8]) -> usize {
        let lines = lines.get(..MAX_TEXT).unwrap_or(lines);
        let behind = self.software.find(lines).and_then(|at| lines.get(at + self.software.needle().len()..));
        let name = behind.unwrap_or_default().split(|&byte| byte == b'\r').next().unwrap_or_default();
        let hash = name.chunks(8).fold(0_u64, |hash, chunk| {
            let number = chunk.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            // An odd number without a pattern: that of the golden section.
            (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        usize::try_from(hash % SETS as u64).unwrap_or(0)
    }
}

impl Set {
    /// A shape that lines have, the one in this place before others.
    fn find(&self, lines: &[u8], limits: &Http1Limits, first: usize) -> Option<(usize, Known)> {
        let mut left_out = NOTHING_LEFT_OUT;
        let begin = Passed { rest: lines, start: 0, sum: 0, gaps: 0 };
        let alike = self.shapes.first()?.pass(begin, self.alike, &mut left_out, limits)?;
        let places = iter::once(first).chain((0..self.shapes.len()).filter(|&place| place != first));
        for place in places {
            let Some(shape) = self.shapes.get(place).filter(|shape| shape.goes_on(alike)) else { continue };
            if let Some(known) = shape.known(lines, alike, &mut left_out, limits) {
                return Some((place, known));
            }
        }
        None
    }

    /// Puts in a shape, in the place of the oldest one of a full set.
    fn put(&mut self, shape: Shape) {
        match self.shapes.get_mut(self.next) {
            Some(older) => *older = shape,
            None => self.shapes.push(shape),
        }
        self.next = (self.next + 1) % PLACES;
        let first = self.shapes.first();
        let alike = self.shapes.iter().filter_map(|shape| Some(shape.gaps_alike(first?)));
        self.alike = alike.min().unwrap_or(0);
    }
}

/// How far lines have been found to be like a shape.
#[derive(Clone, Copy)]
struct Passed<'l> {
    /// The lines from the end of the latest gap on.
    rest: &'l [u8],
    /// Where that is in the text of the shape.
    start: usize,
    /// Bytes in all gaps so far, and how many those are.
    sum: usize,
    gaps: usize,
}

/// How many bytes the gaps before each one have together.
type LeftOut = [u32; MAX_GAPS + 1];
const NOTHING_LEFT_OUT: LeftOut = [0; MAX_GAPS + 1];

impl Shape {
    /// Of the lines behind a start line, with so many fields.
    fn of(lines: &[u8], fields: usize) -> Option<Self> {
        let (mut text, mut gaps, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_odd_name = false;
        let mut rest = lines;
        loop {
            let (line, behind) = rest.split_at_checked(memchr(b'\n', rest)? + 1)?;
            if line == ENDS {
                text.extend(ENDS);
                // Nothing is behind the empty line that ends a head.
                let shape = HeadShape::new().filter(|_| behind.is_empty())?;
                let headers = Headers::new(lines.strip_suffix(&ENDS)?, fields);
                let framing = if has_odd_name { None } else { KnownFraming::of(headers, &lengths) };
                return Some(Self { shape, text: text.into(), gaps: gaps.into(), fields, framing });
            }
            let name = memchr(b':', line).and_then(|colon| line.get(..colon));
            // With blanks before its colon a name may be one that matters, too.
            let is_odd = name.is_some_and(|name| name.last().copied().is_some_and(is_blank));
            has_odd_name |= is_odd;
            match name.filter(|name| !is_odd && !HeadShape::keeps_value(name)) {
                Some(name) => {
                    text.extend(name);
                    text.push(b':');
                    if is_text(name, b"Content-Length") {
                        lengths.push(u8::try_from(gaps.len()).ok()?);
                    }
                    gaps.push(u16::try_from(text.len()).ok()?);
                    text.extend(ENDS);
                }
                None => text.extend(line),
            }
            if text.len() + ENDS.len() > MAX_TEXT || gaps.len() > MAX_GAPS {
                return None;
            }
            rest = behind;
        }
    }

    /// How many gaps this shape begins with that another one has in the same places, with the same text before them.
    fn gaps_alike(&self, other: &Self) -> usize {
        let gaps = self.gaps.iter().zip(&other.gaps);
        let mut start = 0;
        let is_alike = |&(one, other_gap): &(&u16, &u16)| {
            let text = start..usize::from(*one);
            start = text.end;
            one == other_gap && self.text.get(text.clone()) == other.text.get(text)
        };
        gaps.take_while(is_alike).count()
    }

    /// Whether lines go on like this shape up to the next gap.
    #[inline]
    fn goes_on(&self, passed: Passed<'_>) -> bool {
        let end = self.gaps.get(passed.gaps).map_or(self.text.len(), |&gap| usize::from(gap));
        self.text.get(passed.start..end).is_some_and(|text| passed.rest.starts_with(text))
    }

    /// Goes on in lines up to behind a gap, if they are like those of this shape so far.
    #[inline]
    fn pass<'l>(
        &self,
        passed: Passed<'l>,
        gaps: usize,
        left_out: &mut LeftOut,
        limits: &Http1Limits,
    ) -> Option<Passed<'l>> {
        let Passed { mut rest, mut start, mut sum, gaps: from } = passed;
        let left_out = left_out.get_mut(from + 1..)?;
        for (&gap, left_out) in self.gaps.get(from..gaps)?.iter().zip(left_out) {
            let gap = usize::from(gap);
            rest = rest.strip_prefix(self.text.get(start..gap)?)?;
            // A CR before it is compared next.
            let len = memchr(b'\n', rest)?.checked_sub(1)?;
            // As if the colon and the end of the line counted, so that what is near the limit is measured line by line.
            if len + 1 + ENDS.len() > limits.max_value_bytes {
                return None;
            }
            rest = rest.get(len..)?;
            sum += len;
            // No head has more bytes.
            *left_out = u32::try_from(sum).ok()?;
            start = gap;
        }
        Some(Passed { rest, start, sum, gaps })
    }

    /// What is known of lines, if they are like those of this shape behind what has been passed, too.
    // Not inlined, so that shapes that lines do not have cost no more than to see that.
    #[inline(never)]
    fn known(
        &self,
        lines: &[u8],
        passed: Passed<'_>,
        left_out: &mut LeftOut,
        limits: &Http1Limits,
    ) -> Option<Known> {
        let Passed { rest, start, sum, .. } = self.pass(passed, self.gaps.len(), left_out, limits)?;
        if !rest.starts_with(self.text.get(start..)?) {
            return None;
        }
        let before = |gaps: u8| left_out.get(usize::from(gaps)).copied().unwrap_or_default();
        let framing = self.framing.as_ref().and_then(|known| {
            let mut framing = known.framing.clone();
            if let Some(gap) = known.length {
                let at = usize::from(*self.gaps.get(usize::from(gap))?);
                framing.on_length(trim(lines.get(at + before(gap) as usize..at + before(gap + 1) as usize)?));
            }
            Some(framing)
        });
        Some(Known { shape: self.shape, len: self.text.len() + sum, fields: self.fields, framing })
    }
}

impl KnownFraming {
    /// Of fields, and the gaps that lengths are in. All other fields that matter keep their values.
    fn of(headers: Headers<'_>, lengths: &[u8]) -> Option<Self> {
        let length = match *lengths {
            [] => None,
            [gap] => Some(gap),
            _ => return None,
        };
        Some(Self { framing: Framing::of(headers).without_length()?, length })
    }
}

#[cfg(test)]
mod tests;
