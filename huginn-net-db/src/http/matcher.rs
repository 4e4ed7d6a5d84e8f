//! Matching and judging with a memory.

use core::fmt;
use core::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use huginn_net_http::{HeadShape, Headers, Http1Request, Http1Response, Http1Version, UserAgentSystem};

use super::facts::is_to_own_host;
use super::matching::{HttpMatch, KeptMatch};
use super::template::Template;
use super::verdict::{REQUEST_VALUES, RESPONSE_VALUES};
use crate::{Assessment, Channel, Database, HttpJudgment, HttpRecord};

/// Judges as a [`Database`] does, and remembers the answers: a program sends nearly the same head again and again.
///
/// An answer is remembered for all that it depends on: the names of the fields and their order, the values that
/// signatures and verdicts look at, the version, and what matters of method and host. Other values, a cookie for one, may
/// be any. The memory has room for 256 answers with up to 1.5 KiB each; the one that comes last takes the place of an
/// older one. For heads of an analyzer, lines that were judged twice stand for names, order and values.
///
/// ```
/// use std::sync::Arc;
/// use huginn_net_core::Progress;
/// use huginn_net_db::{Channel, Database, HttpMatcher};
/// use huginn_net_http::Http1Request;
///
/// let mut matcher = HttpMatcher::new(Arc::clone(Database::bundled()));
/// for host in ["a.example", "b.example"] {
///     let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n");
///     let Progress::Done(request) = Http1Request::parse(head.as_bytes())? else { panic!("it is complete") };
///     let judgment = matcher.judge_request(&request, Channel::Cleartext);
///     assert_eq!(judgment.found.map(|found| found.record.label.name.as_str()), Some("curl"));
/// }
/// # Ok::<(), huginn_net_http::Http1Error>(())
/// ```
pub struct HttpMatcher {
    database: Arc<Database>,
    requests: Memory,
    responses: Memory,
}

impl HttpMatcher {
    /// A matcher that remembers nothing.
    pub fn new(database: Arc<Database>) -> Self {
        Self { database, requests: Memory::default(), responses: Memory::default() }
    }

    /// Where the answers come from.
    #[must_use]
    pub const fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// As [`Database::judge_request`].
    pub fn judge_request(&mut self, request: &Http1Request<'_>, channel: Channel) -> HttpJudgment<'_> {
        let database = &*self.database;
        let key = Key {
            version: request.version(),
            is_connect: request.method() == b"CONNECT",
            channel,
            headers: request.headers(),
            shape: request.shape(),
        };
        let own_host = || is_to_own_host(request);
        if let Some(answer) = self.requests.find_shape(&key, own_host) {
            return answer.resolve(database.http_requests());
        }
        let software = request.user_agent();
        let software = software.as_deref().unwrap_or_default();
        let matters = |name: &[u8]| {
            REQUEST_VALUES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
                || database.http.requests.index().compares_value(name)
        };
        if let Some(&answer) = self.requests.find(&key, software, own_host) {
            self.requests.remember_shape(&key, answer, matters);
            return answer.resolve(database.http_requests());
        }
        let judgment = database.judge_request(request, channel);
        // Quirks may be in what is left out of templates.
        if database.http.requests.index().asks_for_quirks() {
            return judgment;
        }
        let own_host = judgment.asks_host.then(own_host);
        self.requests.remember(&key, software, Answer::of(&judgment, own_host), matters);
        judgment
    }

    /// As [`Database::judge_response`].
    pub fn judge_response(&mut self, response: &Http1Response<'_>) -> HttpJudgment<'_> {
        let database = &*self.database;
        let (version, headers, shape) = (response.version(), response.headers(), response.shape());
        let key = Key { version, is_connect: false, channel: Channel::Cleartext, headers, shape };
        if let Some(answer) = self.responses.find_shape(&key, || false) {
            return answer.resolve(database.http_responses());
        }
        let software = response.server();
        let software = software.as_deref().unwrap_or_default();
        let matters = |name: &[u8]| {
            RESPONSE_VALUES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
                || database.http.responses.index().compares_value(name)
        };
        if let Some(&answer) = self.responses.find(&key, software, || false) {
            self.responses.remember_shape(&key, answer, matters);
            return answer.resolve(database.http_responses());
        }
        let judgment = database.judge_response(response);
        if database.http.responses.index().asks_for_quirks() {
            return judgment;
        }
        self.responses.remember(&key, software, Answer::of(&judgment, None), matters);
        judgment
    }
}

impl fmt::Debug for HttpMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpMatcher").finish_non_exhaustive()
    }
}

/// What an answer depends on, but for the host.
struct Key<'h> {
    version: Http1Version,
    is_connect: bool,
    channel: Channel,
    headers: Headers<'h>,
    shape: Option<HeadShape>,
}

/// A judgment without what it borrows.
#[derive(Clone, Copy, Debug)]
struct Answer {
    found: Option<KeptMatch>,
    assessment: Assessment,
    system: Option<UserAgentSystem>,
    /// Whether the request is to the own host, if that matters.
    own_host: Option<bool>,
}

impl Answer {
    fn of(judgment: &HttpJudgment<'_>, own_host: Option<bool>) -> Self {
        let found = judgment.found.as_ref().map(HttpMatch::kept);
        Self { found, assessment: judgment.assessment, system: judgment.system, own_host }
    }

    #[inline]
    fn resolve<'a>(&self, records: &'a [HttpRecord]) -> HttpJudgment<'a> {
        let found = self.found.as_ref().and_then(|kept| HttpMatch::of_kept(records, kept));
        let &Self { assessment, system, own_host, .. } = self;
        HttpJudgment { found, assessment, system, asks_host: own_host.is_some() }
    }
}

/// Answers in sets, in which a program finds those for the kinds of heads it sends.
#[derive(Debug, Default)]
struct Memory {
    hasher: FixedState,
    /// Empty before the first answer.
    sets: Vec<Set>,
    /// By the number of a shape, which tells all but what is remembered beside the answer. Empty before the first of them.
    by_shape: Vec<Option<(HeadShape, Remembered)>>,
}

/// Places for the answers to shapes, of which each analyzer has no more.
const SHAPES: usize = 256;
const SETS: usize = 64;
const PLACES: usize = 4;

#[derive(Debug, Default)]
struct Set {
    places: [Place; PLACES],
    /// The place that the next answer takes.
    next: u8,
}

#[derive(Debug, Default)]
struct Place {
    template: Template,
    of: Option<Remembered>,
}

/// What else an answer depends on, and the answer.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    version: Http1Version,
    is_connect: bool,
    channel: Channel,
    answer: Answer,
}

impl Remembered {
    fn is_for(&self, key: &Key<'_>) -> bool {
        self.version == key.version && self.is_connect == key.is_connect && self.channel == key.channel
    }
}

impl Answer {
    fn is_for(&self, own_host: impl Fn() -> bool) -> bool {
        self.own_host.is_none_or(|own| own == own_host())
    }
}

impl Memory {
    /// The answer to a head of the same shape, which nothing has to be compared for.
    fn find_shape(&self, key: &Key<'_>, own_host: impl Fn() -> bool) -> Option<&Answer> {
        let shape = key.shape?;
        let (known, of) = self.by_shape.get(Self::place_of(shape))?.as_ref()?;
        (*known == shape && of.is_for(key) && of.answer.is_for(own_host)).then_some(&of.answer)
    }

    /// Remembers an answer to a head of a shape, unless the shape leaves out a value that matters.
    fn remember_shape(&mut self, key: &Key<'_>, answer: Answer, matters: impl Fn(&[u8]) -> bool) {
        let is_left_out = |name: &[u8]| !HeadShape::keeps_value(name) && matters(name);
        let Some(shape) = key.shape.filter(|_| !key.headers.iter().any(|field| is_left_out(field.name())))
        else {
            return;
        };
        let at = Self::place_of(shape);
        if self.by_shape.len() <= at {
            self.by_shape.resize(at + 1, None);
        }
        if let Some(place) = self.by_shape.get_mut(at) {
            let &Key { version, is_connect, channel, .. } = key;
            *place = Some((shape, Remembered { version, is_connect, channel, answer }));
        }
    }

    /// Shapes are numbered one by one.
    fn place_of(shape: HeadShape) -> usize {
        usize::try_from(shape.number() % SHAPES as u64).unwrap_or(0)
    }

    fn find(&self, key: &Key<'_>, software: &[u8], own_host: impl Fn() -> bool) -> Option<&Answer> {
        let set = self.sets.get(self.set_of(software, key.headers.len()))?;
        let fields = key.headers.as_sent();
        let mut alike = set.places.iter().filter_map(|Place { template, of }| {
            of.as_ref().filter(|of| of.is_for(key) && template.fits(fields)).map(|of| &of.answer)
        });
        alike.find(|answer| answer.is_for(&own_host))
    }

    fn remember(&mut self, key: &Key<'_>, software: &[u8], answer: Answer, matters: impl Fn(&[u8]) -> bool) {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        let at = self.set_of(software, key.headers.len());
        let Some(set) = self.sets.get_mut(at) else { return };
        let next = usize::from(set.next);
        let Some(place) = set.places.get_mut(next) else { return };
        let &Key { version, is_connect, channel, headers, .. } = key;
        place.of = None;
        if place.template.set(headers, matters) {
            place.of = Some(Remembered { version, is_connect, channel, answer });
            set.next = if next + 1 < PLACES { set.next + 1 } else { 0 };
        }
    }

    /// Whoever chooses names and numbers of fields that share a set makes heads as dear as those that were not seen
    /// before, and no dearer.
    #[expect(clippy::cast_possible_truncation, reason = "the number of a set")]
    fn set_of(&self, software: &[u8], fields: usize) -> usize {
        self.hasher.hash_one((software, fields)) as usize % SETS
    }
}
