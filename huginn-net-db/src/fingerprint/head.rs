//! Raw signatures of HTTP/1, read back as heads.

use huginn_net_core::Progress;
use huginn_net_http::{Http1Request, Http1Response};

use super::{FingerprintError, FingerprintReason};
use crate::parse::field::Field;
use crate::parse::http;
use crate::{Database, HeaderPattern, HttpMatch, HttpVersion};

/// A raw signature of HTTP/1 as p0f 3.09b writes it, `version:headers:absent:software`, of a request or of a response, which it
/// does not tell.
///
/// It is read as a head with these fields, each written as most programs write it. Values of fields that have none here are
/// empty, but for the software, and those that were cut stay cut: a signature that asks for more does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawHttpSignature {
    version: HttpVersion,
    /// Lines of fields.
    fields: String,
}

/// Whether a text has the form of one, or of a pattern for them: what stands behind the version is no number, as it is in a start of
/// HTTP/2 and in a signature of TCP.
pub(super) fn is_signature(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0' | b'1' | b'*', b':', next, ..] if !next.is_ascii_digit())
}

impl RawHttpSignature {
    pub(super) fn parse(text: &str) -> Result<Self, FingerprintError> {
        let text = Field::new(text, 0);
        let (version, rest) = text.split_once(':').ok_or_else(|| http::field_missing(text))?;
        let version = http::version(version)?
            .ok_or_else(|| FingerprintError::new(version.at, FingerprintReason::Wildcard))?;
        let (headers, rest) = http::headers(rest)?;
        let (absent, software) = rest.split_once(':').ok_or_else(|| http::field_missing(rest))?;
        http::absent(absent)?;
        // Behind the last colon a signature has nothing but this.
        let software = software.text;
        let fields = headers.iter().map(|(_, header)| field(header, software)).collect();
        Ok(Self { version, fields })
    }

    /// A head that begins with a line for this version.
    fn head(&self, start_line: impl FnOnce(HttpVersion) -> String) -> Vec<u8> {
        format!("{}\r\n{}\r\n", start_line(self.version), self.fields).into_bytes()
    }

    /// What sends such requests.
    pub(super) fn of_request<'a>(&self, database: &'a Database) -> Option<HttpMatch<'a>> {
        let head = self.head(|version| format!("GET / HTTP/1.{version}"));
        match Http1Request::parse(&head) {
            Ok(Progress::Done(request)) => database.match_request(&request),
            _ => None,
        }
    }

    /// What sends such responses.
    pub(super) fn of_response<'a>(&self, database: &'a Database) -> Option<HttpMatch<'a>> {
        let head = self.head(|version| format!("HTTP/1.{version} 200 OK"));
        match Http1Response::parse(&head) {
            Ok(Progress::Done(response)) => database.match_response(&response),
            _ => None,
        }
    }
}

/// The line of a field.
fn field(header: &HeaderPattern, software: &str) -> String {
    let HeaderPattern { name, value, .. } = header;
    let value = match name.as_str() {
        "User-Agent" | "Server" => software,
        _ => value.as_deref().unwrap_or_default(),
    };
    format!("{name}: {value}\r\n")
}
