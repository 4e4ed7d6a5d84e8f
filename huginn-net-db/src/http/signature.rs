//! HTTP signatures.

use core::fmt;

use huginn_net_http::Http1Quirks;

/// An HTTP signature, `version:headers:absent:software` in a file, and `:quirks` behind that if there are some.
///
/// Displays in canonical form, without trailing commas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HttpSignature {
    /// `None` for any.
    pub version: Option<HttpVersion>,
    /// Headers in the order in which they are sent; others may stand between them.
    pub headers: Vec<HeaderPattern>,
    /// Names of headers that must not be there.
    pub absent: Vec<String>,
    /// What `User-Agent` or `Server` contains if it tells the truth; may be empty, blanks at either end count.
    pub software: String,
    /// How a head is written, among other things; mostly nothing.
    pub quirks: Http1Quirks,
}

impl HttpSignature {
    /// More headers than this in either list are refused, as in p0f 3.09b.
    pub const MAX_HEADERS: usize = 32;

    /// The headers that every matching message has.
    pub fn required(&self) -> impl Iterator<Item = &HeaderPattern> {
        self.headers.iter().filter(|header| !header.optional)
    }

    /// All names that it has, those of headers that must not be there behind the others.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let listed = self.headers.iter().map(|header| header.name.as_str());
        listed.chain(self.absent.iter().map(String::as_str))
    }
}

/// HTTP version of a signature: the two whose heads are lines of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HttpVersion {
    /// HTTP/1.0.
    Http10,
    /// HTTP/1.1.
    Http11,
}

/// One header of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HeaderPattern {
    /// Name as sent; its case counts.
    pub name: String,
    /// What the value contains; never empty.
    pub value: Option<String>,
    /// `?`: the header may be missing.
    pub optional: bool,
}

impl fmt::Display for HttpVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http10 => "0",
            Self::Http11 => "1",
        })
    }
}

impl fmt::Display for HeaderPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.optional {
            f.write_str("?")?;
        }
        f.write_str(&self.name)?;
        match &self.value {
            Some(value) => write!(f, "=[{value}]"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for HttpSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "{version}:")?,
            None => f.write_str("*:")?,
        }
        for (index, header) in self.headers.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{header}")?;
        }
        write!(f, ":{}:{}", self.absent.join(","), self.software)?;
        for (index, quirk) in self.quirks.names().enumerate() {
            write!(f, "{}{quirk}", if index > 0 { "," } else { ":" })?;
        }
        Ok(())
    }
}
