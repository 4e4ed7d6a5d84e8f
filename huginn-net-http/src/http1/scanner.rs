//! Where a head ends, while its bytes arrive.

use huginn_net_core::Progress;
use memchr::{memchr, memchr2};

use super::body::Framing;
use super::limits::check;
use super::lines::{Place, is_blank, is_token};
use super::shapes::{HeadShape, HeadShapes, Known, Shapes};
use super::start_line::{RequestLine, StatusLine};
use super::{Http1Error, Http1Limits, Http1Quirks};

/// Finds the end of a head in bytes that grow, and looks at each of them once.
///
/// Give it all bytes from the first of the head on, each time with more of them at their end. What can be no head is
/// refused as soon as it shows, which is mostly at the first byte. Parse the head when it is complete.
///
/// ```
/// use huginn_net_http::core::Progress;
/// use huginn_net_http::{Http1Error, Http1Limits, Http1Scanner};
///
/// let mut scanner = Http1Scanner::request(Http1Limits::default());
/// assert_eq!(scanner.scan(b"GET / HTTP/1.1\r\nHost: a"), Ok(Progress::NeedMore));
/// assert_eq!(scanner.scan(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nbody"), Ok(Progress::Done(27)));
///
/// let mut scanner = Http1Scanner::response(Http1Limits::default());
/// assert_eq!(scanner.scan(b"\x16\x03"), Err(Http1Error::NotHttp1));
/// ```
#[derive(Clone, Debug)]
pub struct Http1Scanner {
    is_request: bool,
    limits: Http1Limits,
    /// Where the line begins that has not ended yet.
    line: usize,
    /// Bytes that have been looked at.
    seen: usize,
    stage: Stage,
    /// The start line without what ends it, what it is, and where the fields begin.
    start_line: Place,
    start: Start,
    fields_at: usize,
    /// Fields that have begun.
    fields: usize,
    /// Bytes of the latest field behind its name.
    value_bytes: usize,
    /// Whether a line goes on the one before it.
    has_fold: bool,
    shape: Option<HeadShape>,
    /// What its shape tells of a complete head.
    framing: Option<Framing<'static>>,
    /// Whether some lines have a CR before their LF, and some have none.
    with_cr: bool,
    without_cr: bool,
    failed: Option<Http1Error>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    StartLine { empty_lines: u8 },
    Fields,
    Done,
}

/// What was found out about a start line.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// It has not ended.
    Unknown,
    Request(RequestLine),
    Status(StatusLine),
}

/// The longest head that there can be, so that places in it have 32 bits.
const MAX_HEAD: usize = u32::MAX as usize;

/// Lines that a request may have before it: some clients end a body with CR LF that is not counted
/// ([RFC 9112 §2.2](https://www.rfc-editor.org/rfc/rfc9112#section-2.2)).
const MAX_EMPTY_LINES: u8 = 2;

impl Http1Scanner {
    /// For a request.
    #[must_use]
    pub const fn request(limits: Http1Limits) -> Self {
        Self::new(true, limits)
    }

    /// For a response.
    #[must_use]
    pub const fn response(limits: Http1Limits) -> Self {
        Self::new(false, limits)
    }

    const fn new(is_request: bool, limits: Http1Limits) -> Self {
        let limits = limits.with_max_head_bytes(if limits.max_head_bytes < MAX_HEAD {
            limits.max_head_bytes
        } else {
            MAX_HEAD
        });
        let stage = Stage::StartLine { empty_lines: 0 };
        Self {
            is_request,
            limits,
            line: 0,
            seen: 0,
            stage,
            start_line: Place { start: 0, end: 0 },
            start: Start::Unknown,
            fields_at: 0,
            fields: 0,
            value_bytes: 0,
            has_fold: false,
            shape: None,
            framing: None,
            with_cr: false,
            without_cr: false,
            failed: None,
        }
    }

    /// The length of the head in bytes, from the first of `bytes` to the end of the empty line.
    ///
    /// # Errors
    /// [`Http1Error`] if the bytes are no head, or one beyond the limits; the same again on each later call.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<Progress<usize>, Http1Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let scanned = self.scan_lines(bytes, None);
        self.failed = scanned.err();
        scanned
    }

    /// As [`scan`](Self::scan), with heads that were read before, which spares looking at most of one that is like them.
    pub(crate) fn scan_beside(
        &mut self,
        bytes: &[u8],
        shapes: &mut HeadShapes,
    ) -> Result<Progress<usize>, Http1Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let shapes = shapes.of(self.is_request);
        let scanned = self.scan_lines(bytes, Some(&mut *shapes));
        self.failed = scanned.err();
        if self.shape.is_none() && matches!(scanned, Ok(Progress::Done(_))) {
            self.shape = shapes.learn(self, bytes);
        }
        scanned
    }

    /// What a complete head has in common with others.
    pub(super) const fn shape(&self) -> Option<HeadShape> {
        self.shape
    }

    /// Where the body ends behind a complete head, and what follows it, if that is known by its shape.
    pub(crate) fn known_framing(&mut self) -> Option<Framing<'static>> {
        self.framing.take()
    }

    /// Whether each line of a complete head ends with CR LF, and none goes on another.
    pub(super) const fn is_plain(&self) -> bool {
        self.with_cr && !self.without_cr && !self.has_fold
    }

    /// Number of fields in a complete head.
    pub(super) const fn fields(&self) -> usize {
        self.fields
    }

    /// Where the start line of a complete head is, without what ends it.
    pub(super) const fn start_line(&self) -> Place {
        self.start_line
    }

    /// What is known of the start line of a complete request.
    pub(super) const fn request_line(&self) -> Option<RequestLine> {
        match self.start {
            Start::Request(line) => Some(line),
            Start::Status(_) | Start::Unknown => None,
        }
    }

    /// What is known of the start line of a complete response.
    pub(super) const fn status_line(&self) -> Option<StatusLine> {
        match self.start {
            Start::Status(line) => Some(line),
            Start::Request(_) | Start::Unknown => None,
        }
    }

    /// Where the line begins that follows the start line of a complete head.
    pub(super) const fn fields_at(&self) -> usize {
        self.fields_at
    }

    /// Bytes of a complete head.
    pub(super) const fn len(&self) -> usize {
        self.seen
    }

    /// How the lines of a complete head end.
    pub(super) const fn line_ends(&self) -> Http1Quirks {
        match (self.with_cr, self.without_cr) {
            (false, true) => Http1Quirks::LF_ONLY,
            (true, true) => Http1Quirks::MIXED_EOL,
            _ => Http1Quirks::NONE,
        }
    }

    fn scan_lines(
        &mut self,
        bytes: &[u8],
        mut shapes: Option<&mut Shapes>,
    ) -> Result<Progress<usize>, Http1Error> {
        let limit = self.limits.max_head_bytes;
        let within = bytes.get(..limit).unwrap_or(bytes);
        // Most of what is none shows it here, before the end of a line is looked for.
        if self.seen == 0 && within.first().is_some_and(|&first| !self.may_begin_with(first)) {
            return Err(Http1Error::NotHttp1);
        }
        let mut rest = within.get(self.line..).unwrap_or_default();
        while !matches!(self.stage, Stage::Done) {
            let seen = self.seen - self.line;
            let new = rest.get(seen..).unwrap_or_default();
            let ended = memchr(b'\n', new).and_then(|len| rest.split_at_checked(seen + len + 1));
            let Some((line, behind)) = ended else {
                self.check_open_line(rest)?;
                self.seen = self.seen.max(within.len());
                // With no end among that many bytes it is none of theirs.
                return match within.len() < limit {
                    true => Ok(Progress::NeedMore),
                    false => Err(Http1Error::Limit { what: "head_bytes", limit }),
                };
            };
            let begin = self.line;
            self.line += line.len();
            self.seen = self.line;
            let has_cr = matches!(line, [.., b'\r', b'\n']);
            self.with_cr |= has_cr;
            self.without_cr |= !has_cr;
            match self.stage {
                Stage::StartLine { empty_lines } => {
                    self.end_start_line(begin, line, empty_lines)?;
                    if matches!(self.stage, Stage::Fields)
                        && !self.without_cr
                        && let Some(known) =
                            shapes.take().and_then(|shapes| shapes.find(behind, &self.limits))
                    {
                        self.end_known(known);
                    }
                }
                _ => self.end_field(line, rest)?,
            }
            rest = behind;
        }
        Ok(Progress::Done(self.seen))
    }

    /// Whether this can be the first byte of a start line, or of an empty line before it.
    #[inline]
    const fn may_begin_with(&self, first: u8) -> bool {
        match self.is_request {
            true => is_token(first) || matches!(first, b'\r' | b'\n'),
            false => first == b'H',
        }
    }

    /// A line that has not ended. Fields are looked at when they end; until then the limit of the head is theirs.
    fn check_open_line(&self, line: &[u8]) -> Result<(), Http1Error> {
        match self.stage {
            // A CR alone may be the begin of an empty line.
            Stage::StartLine { .. } if self.is_request && line == b"\r" => Ok(()),
            Stage::StartLine { .. } => self.check_start_line(line),
            _ => Ok(()),
        }
    }

    /// A start line that may go on. What it begins with is told before it is told that it is too long, however much of it is
    /// there.
    fn check_start_line(&self, line: &[u8]) -> Result<(), Http1Error> {
        let limit = self.limits.max_start_line_bytes;
        let may_begin = match self.is_request {
            true => RequestLine::may_begin(line),
            false => StatusLine::may_begin(line),
        };
        if !may_begin {
            return Err(Http1Error::NotHttp1);
        }
        check(line.len(), limit, "start_line_bytes")
    }

    /// Takes a line that is the start line, or an empty one before it.
    fn end_start_line(&mut self, begin: usize, line: &[u8], empty_lines: u8) -> Result<(), Http1Error> {
        let text = without_end(line);
        if self.is_request && text.is_empty() {
            self.stage = Stage::StartLine { empty_lines: empty_lines + 1 };
            return if empty_lines < MAX_EMPTY_LINES { Ok(()) } else { Err(Http1Error::NotHttp1) };
        }
        let limit = self.limits.max_start_line_bytes;
        if line.len() > limit {
            self.check_start_line(text)?;
        }
        check(line.len(), limit, "start_line_bytes")?;
        self.start = match self.is_request {
            true => Start::Request(RequestLine::parse(text)?),
            false => Start::Status(StatusLine::parse(text)?),
        };
        self.start_line = Place::between(begin, begin + text.len());
        self.fields_at = self.line;
        self.stage = Stage::Fields;
        Ok(())
    }

    /// Takes all fields and the empty line behind them, which are like those of another head.
    fn end_known(&mut self, known: Known) {
        // It was found in bytes within the limit.
        (self.shape, self.framing) = (Some(known.shape), known.framing);
        self.fields = known.fields;
        self.line += known.len;
        self.seen = self.line;
        self.stage = Stage::Done;
    }

    /// Takes a line of the fields, with which `rest` begins.
    #[inline]
    fn end_field(&mut self, line: &[u8], rest: &[u8]) -> Result<(), Http1Error> {
        match line {
            // Of CRs more than one, too, where p0f 3.09b stops as well.
            [crs @ .., b'\n'] if crs.iter().all(|&byte| byte == b'\r') => {
                self.stage = Stage::Done;
                return Ok(());
            }
            // It carries on the field before it (RFC 9112 §5.2).
            [first, ..] if is_blank(*first) && self.fields > 0 => {
                self.has_fold = true;
                self.value_bytes += without_end(line).len();
                return check(self.value_bytes, self.limits.max_value_bytes, "value_bytes");
            }
            _ => {}
        }
        let name = name_in(line, rest);
        self.fields += 1;
        self.value_bytes = value_behind(name, line).len();
        check(name.len(), self.limits.max_name_bytes, "name_bytes")?;
        check(self.fields, self.limits.max_fields, "fields")?;
        check(self.value_bytes, self.limits.max_value_bytes, "value_bytes")
    }
}

/// A line without what ends it.
#[inline]
const fn without_end(line: &[u8]) -> &[u8] {
    match line {
        [text @ .., b'\r', b'\n'] | [text @ .., b'\n'] => text,
        _ => line,
    }
}

/// The value behind a name: without the colon, a blank and what ends the line.
#[inline]
fn value_behind<'a>(name: &[u8], line: &'a [u8]) -> &'a [u8] {
    match without_end(line.get(name.len()..).unwrap_or_default()) {
        [b':', b' ' | b'\t', value @ ..] | [b':', value @ ..] => value,
        whole => whole,
    }
}

/// What stands before the colon of a line, with which `rest` begins: there is mostly so much of it that no bytes are
/// looked at one by one. Empty for a line without a colon.
#[inline]
fn name_in<'a>(line: &'a [u8], rest: &[u8]) -> &'a [u8] {
    match memchr2(b':', b'\n', rest).and_then(|end| line.split_at_checked(end)) {
        Some((name, [b':', ..])) => name,
        _ => &[],
    }
}
