//! Grammar of HTTP signatures.

use huginn_net_http::Http1Quirks;

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::field::Field;
use super::problems::Problems;
use super::signatures::Position;
use crate::http::MIN_REQUIRED;
use crate::{HeaderPattern, HttpSignature, HttpVersion, Specificity};

/// Headers as they are commonly written.
const COMMON_NAMES: &[&str] = &[
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Accept-Ranges",
    "Age",
    "Authorization",
    "Cache-Control",
    "Connection",
    "Content-Disposition",
    "Content-Encoding",
    "Content-Length",
    "Content-Range",
    "Content-Type",
    "Cookie",
    "DNT",
    "Date",
    "ETag",
    "Expires",
    "Host",
    "If-Modified-Since",
    "If-None-Match",
    "Keep-Alive",
    "Last-Modified",
    "Location",
    "Origin",
    "Pragma",
    "Priority",
    "Proxy-Authorization",
    "Proxy-Connection",
    "Range",
    "Referer",
    "Refresh",
    "Sec-Fetch-Dest",
    "Sec-Fetch-Mode",
    "Sec-Fetch-Site",
    "Sec-Fetch-User",
    "Server",
    "Set-Cookie",
    "TE",
    "Transfer-Encoding",
    "Upgrade",
    "Upgrade-Insecure-Requests",
    "User-Agent",
    "Vary",
    "Via",
    "X-Forwarded-For",
    "X-Powered-By",
];

/// Parses `version:headers:absent:software`, in an extended section with `:quirks` behind it if there are some.
///
/// `None` if there was an error; lints too go into `problems`.
pub(crate) fn parse(text: Field<'_>, at: Position, problems: &mut Problems) -> Option<HttpSignature> {
    let Some((version, rest)) = text.split_once(':') else {
        problems.push(field_missing(text));
        return None;
    };
    let version = problems.keep(self::version(version));
    let (headers, rest) = problems.keep(headers(rest))?;
    let Some((absent, software)) = rest.split_once(':') else {
        problems.push(field_missing(rest));
        return None;
    };
    let absent = problems.keep(self::absent(absent));
    let (software, quirks) = match software.split_once(':').filter(|_| at.section.is_extended_http()) {
        Some((software, quirks)) => (software, self::quirks(quirks, problems)),
        None => (software, Some(Http1Quirks::NONE)),
    };
    let software = problems.keep(self::software(software));
    // With evidence the case is a fact.
    if problems.takes_doubts() && !(at.section.is_extended_http() && at.has_evidence) {
        for &name in headers.iter().map(|(name, _)| name).chain(absent.iter().flatten()) {
            check_case(name, problems);
        }
    }
    // Collected in place they would keep the memory that names with their places need.
    let mut patterns = Vec::with_capacity(headers.len());
    patterns.extend(headers.into_iter().map(|(_, header)| header));
    let signature = HttpSignature {
        version: version?,
        headers: patterns,
        absent: absent?.into_iter().map(|name| name.text.to_owned()).collect(),
        software: software?,
        quirks: quirks?,
    };
    problems.check_canonical(text, &signature);
    let required = signature.required().count();
    if required < MIN_REQUIRED && at.specificity == Specificity::Specific {
        let message =
            format!("with {required} required headers this is a generic claim, whatever the label says");
        problems.push(text.problem(Code::WeakHttp, message));
    }
    Some(signature)
}

pub(crate) fn field_missing(rest: Field<'_>) -> Problem {
    Problem::new(Code::Syntax, rest.end()..rest.end(), "an HTTP signature has 4 fields between colons")
        .help("write version:headers:absent headers:software")
}

pub(crate) fn version(field: Field<'_>) -> Result<Option<HttpVersion>, Problem> {
    match field.text {
        "*" => Ok(None),
        "0" => Ok(Some(HttpVersion::Http10)),
        "1" => Ok(Some(HttpVersion::Http11)),
        _ => Err(field.syntax("an HTTP version is 0 for HTTP/1.0, 1 for HTTP/1.1 or *")),
    }
}

/// The headers with the place of each name, and what follows the colon behind them.
///
/// Values may contain commas and colons, so this list cannot be split in advance.
pub(crate) fn headers(mut rest: Field<'_>) -> Result<(Vec<(Field<'_>, HeaderPattern)>, Field<'_>), Problem> {
    let mut headers = Vec::new();
    loop {
        // Reached at the start, and after a comma, which may be the last character of the list.
        if let Some(rest) = rest.strip_prefix(":") {
            return Ok((headers, rest));
        }
        if headers.len() == HttpSignature::MAX_HEADERS {
            return Err(too_many(rest));
        }
        let (name, header, after) = header(rest)?;
        headers.push((name, header));
        rest = match after.strip_prefix(",") {
            Some(next) => next,
            None if after.text.starts_with(':') => after,
            None => return Err(unexpected(after, "a header is followed by a comma, a colon or =[value]")),
        };
    }
}

fn header(start: Field<'_>) -> Result<(Field<'_>, HeaderPattern, Field<'_>), Problem> {
    let (optional, start) = match start.strip_prefix("?") {
        Some(rest) => (true, rest),
        None => (false, start),
    };
    let (name, rest) = start.take_while(is_name_char);
    if name.is_empty() {
        return Err(unexpected(rest, "a header name is expected here"));
    }
    let (value, rest) = match rest.strip_prefix("=") {
        None => (None, rest),
        Some(value) => {
            let (value, rest) = bracketed(value)?;
            (Some(value.text.to_owned()), rest)
        }
    };
    Ok((name, HeaderPattern { name: name.text.to_owned(), value, optional }, rest))
}

/// The text of `[text]`, which is not empty, and what follows it.
pub(crate) fn bracketed(start: Field<'_>) -> Result<(Field<'_>, Field<'_>), Problem> {
    let Some(inner) = start.strip_prefix("[") else {
        return Err(unexpected(start, "a value stands in brackets").help("write =[value]"));
    };
    let Some((value, rest)) = inner.split_once(']') else {
        return Err(start.syntax("the bracket is not closed"));
    };
    if value.is_empty() {
        return Err(Problem::new(Code::Syntax, start.at..rest.at, "a value is not empty"));
    }
    Ok((value, rest))
}

pub(crate) fn absent(field: Field<'_>) -> Result<Vec<Field<'_>>, Problem> {
    let mut names = Vec::new();
    for item in field.items() {
        if names.len() == HttpSignature::MAX_HEADERS {
            return Err(too_many(item));
        }
        let (name, rest) = item.take_while(is_name_char);
        if name.is_empty() || !rest.is_empty() {
            return Err(unexpected(rest, "a header name is made of letters, digits, - and _"));
        }
        names.push(name);
    }
    Ok(names)
}

fn software(field: Field<'_>) -> Result<String, Problem> {
    match field.split_once(':') {
        Some((before, _)) => Err(Problem::new(
            Code::Syntax,
            before.end()..field.end(),
            "a colon cannot be part of the software",
        )),
        None => Ok(field.text.to_owned()),
    }
}

fn quirks(field: Field<'_>, problems: &mut Problems) -> Option<Http1Quirks> {
    let mut quirks = Some(Http1Quirks::NONE);
    // Not `items`, as here nothing at all is a mistake.
    for item in field.split(',') {
        match problems.keep(quirk(item)) {
            Some(quirk) => quirks = quirks.map(|quirks| quirks | quirk),
            None => quirks = None,
        }
    }
    quirks
}

fn quirk(item: Field<'_>) -> Result<Http1Quirks, Problem> {
    if item.is_empty() {
        return Err(item.syntax("a quirk is missing here"));
    }
    Http1Quirks::from_name(item.text).ok_or_else(|| {
        let known: Vec<_> = Http1Quirks::ALL.names().collect();
        item.problem(Code::UnknownName, format!("no quirk is called `{}`", item.text))
            .help(format!("quirks are {}", known.join(", ")))
    })
}

fn check_case(name: Field<'_>, problems: &mut Problems) {
    let common = COMMON_NAMES.iter().find(|common| common.eq_ignore_ascii_case(name.text));
    if let Some(common) = common.filter(|&&common| common != name.text) {
        let message = format!("most programs write `{common}`, and the case of a name counts");
        problems.push(name.problem(Code::HeaderCase, message));
    }
}

fn too_many(place: Field<'_>) -> Problem {
    place.problem(Code::OutOfRange, format!("more than {} headers", HttpSignature::MAX_HEADERS))
}

/// A problem with the first character of `rest`.
fn unexpected(rest: Field<'_>, message: &str) -> Problem {
    let len = rest.text.chars().next().map_or(0, char::len_utf8);
    Problem::new(Code::Syntax, rest.at..rest.at + len, message)
}

fn is_name_char(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'-' || c == b'_'
}
