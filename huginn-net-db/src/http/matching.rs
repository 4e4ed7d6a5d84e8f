//! Looking up who sent a head.

use core::fmt;

use huginn_net_http::{Headers, Http1Quirks, Http1Request, Http1Response, Http1Version};

use super::index::{HttpIndex, SeenHead};
use super::ranking::{Kept, Ranking};
use crate::contents::Indexed;
use crate::{Database, HttpRecord, HttpSignature, HttpVersion, Label, Quality, Specificity};

/// A signature that requires less of a head than this is a generic claim at best, whatever its label says.
pub(crate) const MIN_REQUIRED: usize = 4;

/// The signature that tells most of those that match a head, and others that tell nearly as much.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpMatch<'a> {
    /// What was found.
    pub record: &'a HttpRecord,
    /// [`Quality::Exact`], or [`Quality::Generic`] if the label is generic or the signature requires less than four
    /// headers.
    pub quality: Quality,
    /// How much the signature tells.
    pub score: HttpScore,
    ranking: Ranking<'a>,
}

impl<'a> HttpMatch<'a> {
    /// Scores are this near to each other where the choice between them says little: one point.
    const NEAR: HttpScore = HttpScore { quarters: 4 };

    pub(super) fn new(ranking: Ranking<'a>) -> Option<Self> {
        let (record, score) = ranking.best()?;
        let is_generic = record.label.specificity == Specificity::Generic
            || record.signature.required().nth(MIN_REQUIRED - 1).is_none();
        let quality = if is_generic { Quality::Generic } else { Quality::Exact };
        Some(Self { record, quality, score, ranking })
    }

    /// Signatures of other labels that match and tell at most one point less, best first; up to seven. Where a program was
    /// believed what it calls itself, one that tells more may be among them.
    pub fn alternatives(&self) -> impl Iterator<Item = (&'a HttpRecord, HttpScore)> {
        let least = HttpScore { quarters: self.score.quarters - Self::NEAR.quarters };
        self.ranking.iter().skip(1).take_while(move |&(_, score)| score >= least)
    }

    /// The best signature with such a label in the place of the best of all; `None` if none matches.
    pub(super) fn led_by(self, is_wanted: impl Fn(&Label) -> bool) -> Option<Self> {
        Self::new(self.ranking.led_by(is_wanted)?)
    }

    /// What it can be made of again.
    pub(super) const fn kept(&self) -> KeptMatch {
        KeptMatch { ranking: self.ranking.kept(), quality: self.quality }
    }

    /// A match in these records that was [kept](Self::kept).
    #[inline]
    pub(super) fn of_kept(records: &'a [HttpRecord], kept: &KeptMatch) -> Option<Self> {
        let ranking = Ranking::of_kept(records, kept.ranking);
        let (record, score) = ranking.best()?;
        Some(Self { record, quality: kept.quality, score, ranking })
    }
}

/// A match without what it borrows.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptMatch {
    ranking: Kept,
    quality: Quality,
}

/// How much a signature says of the heads it matches; displays as a decimal number.
///
/// A header that must be there counts 1, and 2 more with a value; one that must not be there 0.5; a quirk 1; each field of the head
/// that the signature does not name, while others of the database do, takes 0.25 away. It orders signatures and is no
/// probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpScore {
    quarters: i32,
}

impl HttpScore {
    /// The score in quarters, the unit in which it is counted.
    #[must_use]
    pub const fn in_quarters(self) -> i32 {
        self.quarters
    }

    /// Of a head with no other fields.
    pub(crate) fn of(signature: &HttpSignature) -> Self {
        let required = signature.required().map(|header| if header.value.is_some() { 12 } else { 4 });
        let absent = signature.absent.iter().map(|_| 2);
        let quirks = signature.quirks.names().map(|_| 4);
        Self { quarters: required.chain(absent).chain(quirks).sum() }
    }

    pub(super) fn minus_unnamed(self, fields: usize) -> Self {
        Self { quarters: self.quarters.saturating_sub(i32::try_from(fields).unwrap_or(i32::MAX)) }
    }
}

impl fmt::Display for HttpScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.quarters) / 4.0)
    }
}

impl Database {
    /// The program that sends such requests: of all signatures that match, the one that tells most.
    ///
    /// A request of a version that does not exist has none, nor has one with more than 128 fields that signatures know.
    ///
    /// ```
    /// use huginn_net_core::Progress;
    /// use huginn_net_db::Database;
    /// use huginn_net_http::Http1Request;
    ///
    /// let bytes = b"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: Wget/1.21.3\r\nAccept: */*\r\n\
    ///               Accept-Encoding: identity\r\nConnection: Keep-Alive\r\n\r\n";
    /// let Progress::Done(request) = Http1Request::parse(bytes)? else { panic!("it is complete") };
    /// let found = Database::bundled().match_request(&request);
    /// assert_eq!(found.map(|found| found.record.label.name.as_str()), Some("Wget"));
    /// # Ok::<(), huginn_net_http::Http1Error>(())
    /// ```
    pub fn match_request(&self, request: &Http1Request<'_>) -> Option<HttpMatch<'_>> {
        HttpMatch::new(self.rank_request(request, |_| {}))
    }

    /// The program that sends such responses, as [`match_request`](Self::match_request).
    pub fn match_response(&self, response: &Http1Response<'_>) -> Option<HttpMatch<'_>> {
        HttpMatch::new(self.rank_response(response, |_| {}))
    }

    /// Calls `found` with every record that matches, in no order.
    pub(super) fn rank_request<'a>(
        &'a self,
        request: &Http1Request<'_>,
        found: impl FnMut(&'a HttpRecord),
    ) -> Ranking<'a> {
        let version = request.version();
        rank(&self.http.requests, (version, request.headers()), || request.quirks(), found)
    }

    /// Calls `found` with every record that matches, in no order.
    pub(super) fn rank_response<'a>(
        &'a self,
        response: &Http1Response<'_>,
        found: impl FnMut(&'a HttpRecord),
    ) -> Ranking<'a> {
        let version = response.version();
        rank(&self.http.responses, (version, response.headers()), || response.quirks(), found)
    }
}

fn rank<'a>(
    records: &'a Indexed<HttpRecord, HttpIndex>,
    (version, headers): (Http1Version, Headers<'_>),
    quirks: impl FnOnce() -> Http1Quirks,
    mut found: impl FnMut(&'a HttpRecord),
) -> Ranking<'a> {
    let (index, mut ranking) = (records.index(), Ranking::new(records));
    let version = match version {
        Http1Version::HTTP_1_0 => HttpVersion::Http10,
        Http1Version::HTTP_1_1 => HttpVersion::Http11,
        _ => return ranking,
    };
    let quirks = if index.asks_for_quirks() { quirks() } else { Http1Quirks::NONE };
    let mut seen = SeenHead::new(version, quirks);
    if !index.see(headers, &mut seen) {
        return ranking;
    }
    index.for_each_match(&seen, |at, score| {
        let Some(record) = records.get(at) else { return };
        found(record);
        ranking.add(at, score);
    });
    ranking
}
