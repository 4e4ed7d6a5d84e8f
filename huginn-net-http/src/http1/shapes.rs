//! Heads that are like others that were read before.

use core::fmt;
use core::iter;
use core::num::NonZero;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use memchr::{memchr, memmem};

use super::body::Framing;
use super::lines::{Place, is_blank, is_text, trim};
use super::scanner::FoundFields;
use super::{Headers, Http1Limits, Http1Scanner};

/// What heads share that a program sends again and again: a number, which is that of no other shape in this process.
///
/// Two requests, or two responses, of one shape have the same fields in the same order: as many of them, with names that are
/// written alike, the same line ends, and the same values of the fields of which [`keeps_value`](Self::keeps_value) is true. Other
/// values may be any, and so may the start line. Two heads of different shapes may be alike all the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeadShape(NonZero<u64>);

impl HeadShape {
    /// Fields of which a program sends few values, in lower case.
    const KEPT: [&'static str; 37] = [
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
    count: usize,
    delimits: bool,
    may_have_more_software: bool,
    /// Of the lines that tell of framing, and of the one that names the program.
    framing_lines: Range<Spot>,
    software_line: Range<Spot>,
    framing: Option<KnownFraming>,
}

/// A place in a shape: where in its text, and how many gaps are before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    at: u16,
    gaps: u8,
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
    /// With places from its first field on.
    pub(super) found: FoundFields,
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
        let shape = Shape::of(lines, &scanner.found().before(scanner.fields_at()))?;
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
    /// Of the lines behind a start line, of which places are counted from the first of them.
    fn of(lines: &[u8], found: &FoundFields) -> Option<Self> {
        let (mut text, mut gaps, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut framing_lines, mut software_line) =
            (Spot::default()..Spot::default(), Spot::default()..Spot::default());
        let mut rest = lines;
        loop {
            let at = lines.len() - rest.len();
            let spot = Spot { at: u16::try_from(text.len()).ok()?, gaps: u8::try_from(gaps.len()).ok()? };
            for (place, spots) in
                [(&found.framing, &mut framing_lines), (&found.software, &mut software_line)]
            {
                if place.start as usize == at {
                    spots.start = spot;
                }
                if place.end as usize == at {
                    spots.end = spot;
                }
            }
            let (line, behind) = rest.split_at_checked(memchr(b'\n', rest)? + 1)?;
            if line == ENDS {
                text.extend(ENDS);
                // Nothing is behind the empty line that ends a head.
                let shape = HeadShape::new().filter(|_| behind.is_empty())?;
                let framing = KnownFraming::of(lines, found, &lengths);
                let &FoundFields { count, delimits, may_have_more_software, .. } = found;
                let (text, gaps) = (text.into(), gaps.into());
                return Some(Self {
                    shape,
                    text,
                    gaps,
                    count,
                    delimits,
                    may_have_more_software,
                    framing_lines,
                    software_line,
                    framing,
                });
            }
            // Blanks before a colon make a name that is looked at again.
            let name = memchr(b':', line).and_then(|colon| line.get(..colon));
            let name = name.filter(|name| !name.last().copied().is_some_and(is_blank));
            match name.filter(|name| !HeadShape::keeps_value(name)) {
                Some(name) => {
                    text.extend(name);
                    text.push(b':');
                    if is_text(name, b"Content-Length") {
                        lengths.push(spot.gaps);
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
            // The colon and the end of the line count as well.
            if len + 1 + ENDS.len() > limits.value_bytes {
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
        let at = |Spot { at, gaps }: Spot| u32::from(at).saturating_add(before(gaps));
        let place_of = |spots: &Range<Spot>| Place { start: at(spots.start), end: at(spots.end) };
        let found = FoundFields {
            count: self.count,
            framing: place_of(&self.framing_lines),
            delimits: self.delimits,
            software: place_of(&self.software_line),
            may_have_more_software: self.may_have_more_software,
        };
        let framing = self.framing.as_ref().and_then(|known| {
            let mut framing = known.framing.clone();
            if let Some(gap) = known.length {
                let at = usize::from(*self.gaps.get(usize::from(gap))?);
                framing.on_length(trim(lines.get(at + before(gap) as usize..at + before(gap + 1) as usize)?));
            }
            Some(framing)
        });
        Some(Known { shape: self.shape, len: self.text.len() + sum, found, framing })
    }
}

impl KnownFraming {
    /// Of lines, and the gaps that lengths are in. All other fields that matter keep their values.
    fn of(lines: &[u8], found: &FoundFields, lengths: &[u8]) -> Option<Self> {
        let length = match *lengths {
            [] => None,
            [gap] => Some(gap),
            _ => return None,
        };
        // Names with blanks behind them are among those that may be others.
        let lines = Some(found.framing.of(lines)).filter(|_| !found.may_have_more_software)?;
        Some(Self { framing: Framing::of(Headers::new(lines, found.count)).without_length()?, length })
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::Progress;

    use super::*;
    use crate::http1::{Http1Error, Http1Request, Http1Response};

    const GET: &str = "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nUser-Agent: p/1\r\nCookie: a\r\n\
                       Content-Length: 12\r\nX-A: \r\nAccept: */*\r\n\r\n";
    const OK: &str = "HTTP/1.1 200 OK\r\nServer: s/1\r\nDate: Sat, 21 Nov 2026 08:11:25 GMT\r\nContent-Length: 5\r\n\
                      Content-Type: text/html\r\nConnection: close\r\nETag: \"1\"\r\n\r\n";

    /// All that a scanner tells of a head.
    fn told(
        scanned: Result<Progress<usize>, Http1Error>,
        scanner: &mut Http1Scanner,
        bytes: &[u8],
    ) -> Result<Option<String>, Http1Error> {
        let Progress::Done(len) = scanned? else { return Ok(None) };
        let known = scanner.known_framing();
        let head = match scanner.request_line() {
            Some(_) => {
                let request = Http1Request::of_scanned(bytes, scanner)?;
                format!("{:?} {request:?}", known.unwrap_or_else(|| request.framing()))
            }
            None => {
                let response = Http1Response::of_scanned(bytes, scanner)?;
                format!("{:?} {response:?}", known.unwrap_or_else(|| response.framing()))
            }
        };
        // Its shape is nothing that a head says.
        let parts = head.split(", ").filter(|part| !part.starts_with("shape: "));
        Ok(Some(format!("{len} {:?} {}", scanner.found(), parts.collect::<String>())))
    }

    fn scanner(head: &str, limits: Http1Limits) -> Http1Scanner {
        match head.starts_with("HTTP/") {
            true => Http1Scanner::response(limits),
            false => Http1Scanner::request(limits),
        }
    }

    /// What is told of bytes by one who has read `before`, which is what everybody tells; whether it was known.
    #[track_caller]
    fn check(before: &str, bytes: &[u8], limits: Http1Limits) -> bool {
        let mut shapes = HeadShapes::new();
        let mut reader = scanner(before, limits);
        assert!(matches!(reader.scan_beside(before.as_bytes(), &mut shapes), Ok(Progress::Done(_))));
        let learnt = reader.shape().expect("a shape");

        let (mut alone, mut beside) = (scanner(before, limits), scanner(before, limits));
        let scanned = (alone.scan(bytes), beside.scan_beside(bytes, &mut shapes));
        let is_known = beside.shape() == Some(learnt);
        let told = (told(scanned.0, &mut alone, bytes), told(scanned.1, &mut beside, bytes));
        assert_eq!(told.1, told.0, "{}", bytes.escape_ascii());
        is_known
    }

    #[test]
    fn a_head_that_differs_in_a_byte_from_one_that_was_read_is_read_as_if_alone() {
        for head in [GET, OK] {
            let bytes = [head.as_bytes(), b"body: \r\n\r\n"].concat();
            let mut known = 0;
            for at in 0..head.len() {
                let (before, behind) = bytes.split_at(at);
                for other in [&b"\n"[..], b"\r", b" ", b":", b"9", b"a", b"\0", b"", b"\r\n", b"\r\n ", b"1x"]
                {
                    let changed = [before, other, behind.get(1..).unwrap_or_default()].concat();
                    known += u32::from(check(head, &changed, Http1Limits::default()));
                    let inserted = [before, other, behind].concat();
                    known += u32::from(check(head, &inserted, Http1Limits::default()));
                }
            }
            assert!(known > 400, "many are of the same shape: {known}");
        }
    }

    #[test]
    fn shapes_that_share_a_set_are_told_apart_wherever_they_begin_to_differ() {
        let variants = [
            ("", ""),
            ("text/html", "text/css"),
            ("text/html", "text/css;"),
            ("text/html", "image/png"),
            ("Date: ", "DATE: "),
            ("Date: ", "Age: 1\r\nDate: "),
            ("Content-Length: 5\r\n", ""),
            ("ETag", "Etag"),
            ("Connection: close\r\n", ""),
            ("Server: s/1\r\n", "Server: s/1\r\nVia: a\r\n"),
            ("Server: s/1\r\nDate", "X-A: 1\r\nServer: s/1\r\nDate"),
        ];
        let heads = variants.map(|(from, to)| OK.replace(from, to));
        for turn in 0..heads.len() {
            let mut shapes = HeadShapes::new();
            // Of so many that share a set those are known that came last, unless what came between them took too long.
            for (number, head) in heads.iter().cycle().skip(turn).take(heads.len() * 3).enumerate() {
                let (mut alone, mut beside) = (scanner(OK, limits()), scanner(OK, limits()));
                let scanned = (alone.scan(head.as_bytes()), beside.scan_beside(head.as_bytes(), &mut shapes));
                let told = (
                    told(scanned.0, &mut alone, head.as_bytes()),
                    told(scanned.1, &mut beside, head.as_bytes()),
                );
                assert_eq!(told.1, told.0, "{head}");
                if number < PLACES {
                    let mut again = scanner(OK, limits());
                    assert!(again.scan_beside(head.as_bytes(), &mut shapes).is_ok());
                    assert_eq!(again.shape(), beside.shape(), "it was remembered: {head}");
                }
            }
        }
    }

    fn limits() -> Http1Limits {
        Http1Limits::default()
    }

    #[test]
    fn of_what_follows_a_head_and_of_a_part_of_it_nothing_is_told() {
        for head in [GET, OK] {
            for len in 0..head.len() {
                assert!(!check(head, head.as_bytes().get(..len).unwrap_or_default(), Http1Limits::default()));
            }
            let lengths = (0..40).map(|len| [head.as_bytes(), &[b'\n'; 40][..len]].concat());
            assert!(lengths.into_iter().all(|bytes| check(head, &bytes, Http1Limits::default())));
        }
    }

    #[test]
    fn limits_hold_for_heads_that_are_known() {
        let limits = Http1Limits::default().with_head_bytes(250).with_value_bytes(40);
        for len in 1..=140 {
            let host = format!("Host: {}", "a".repeat(len));
            check(GET, GET.replace("Host: a.example", &host).as_bytes(), limits);
        }
    }

    #[test]
    fn what_is_left_out_may_be_anything_and_what_is_kept_may_not() {
        let is_known =
            |from: &str, to: &str| check(OK, OK.replace(from, to).as_bytes(), Http1Limits::default());
        assert!(is_known("200 OK", "404 Not Found"));
        assert!(is_known("Sat, 21 Nov 2026 08:11:25 GMT", "never"));
        assert!(is_known(" 5\r\n", "\r\n"), "a length that is none, too");
        for (from, to) in [("s/1", "s/2"), ("close", "keep-alive"), ("ETag", "Etag"), ("Date: ", "Date : ")] {
            assert!(!is_known(from, to), "{to}");
        }
    }

    #[test]
    fn heads_with_other_line_ends_or_with_too_many_or_too_long_fields_have_no_shape() {
        let shape = |head: &str| {
            let mut scanner = scanner(head, Http1Limits::default());
            let scanned = scanner.scan_beside(head.as_bytes(), &mut HeadShapes::new());
            assert_eq!(scanned, Ok(Progress::Done(head.len())), "{head:?}");
            scanner.shape()
        };
        let with = |fields: &str| format!("GET / HTTP/1.1\r\n{fields}\r\n");
        assert!(shape(&with("")).is_some());
        assert!(shape(&with(&"A: 1\r\n".repeat(MAX_GAPS))).is_some());
        assert!(shape(&with(&"A: 1\r\n".repeat(MAX_GAPS + 1))).is_none());
        let agent = |len: usize| with(&format!("User-Agent:{}\r\n", "a".repeat(len)));
        assert!(shape(&agent(MAX_TEXT - 15)).is_some());
        assert!(shape(&agent(MAX_TEXT - 14)).is_none());
        assert!(shape(&with(&format!("A: {}\r\n", "1".repeat(10_000)))).is_some());
        for fields in ["A: 1\n", "A: 1\r\n 2\r\n", "A: 1\r\n\r"] {
            assert!(shape(&with(fields)).is_none(), "{fields:?}");
        }
    }

    #[test]
    fn of_more_heads_than_are_remembered_the_latest_are_known_in_bounded_memory() {
        let mut shapes = HeadShapes::new();
        let mut read = |number: u32| {
            let agent = format!("p{number}/{}", "x".repeat(900));
            let head = format!("GET / HTTP/1.1\r\nUser-Agent: {agent}\r\nHost: a\r\n\r\n");
            let mut scanner = Http1Scanner::request(Http1Limits::default());
            assert_eq!(scanner.scan_beside(head.as_bytes(), &mut shapes), Ok(Progress::Done(head.len())));
            scanner.shape()
        };
        let numbers: Vec<_> = (0..2_000).map(&mut read).collect();
        assert_eq!(read(1_999), numbers[1_999]);
        assert!(read(0) != numbers[0], "it has been forgotten");
        let shapes = shapes.requests;
        assert!(shapes.sets.len() == SETS && shapes.sets.iter().all(|set| set.shapes.len() <= PLACES));
        let texts = shapes.sets.iter().flat_map(|set| &set.shapes).map(|shape| shape.text.len());
        assert!(texts.sum::<usize>() <= SETS * PLACES * MAX_TEXT);
    }

    #[test]
    fn fields_that_keep_their_value_are_listed_in_order() {
        assert!(HeadShape::KEPT.is_sorted_by(|one, other| one < other));
        assert!(HeadShape::keeps_value(b"USER-Agent") && !HeadShape::keeps_value(b"Cookie"));
    }
}
