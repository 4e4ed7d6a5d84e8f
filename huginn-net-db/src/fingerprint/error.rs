//! Why a text is no value.

use crate::DiagnosticCode;
use crate::parse::Problem;

/// Why a text is no value of a known form, and where; displays with the column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {reason}", at.saturating_add(1))]
#[non_exhaustive]
pub struct FingerprintError {
    /// The first byte that does not fit, from 0.
    pub at: usize,
    /// What is wrong.
    pub reason: FingerprintReason,
}

/// What is wrong with a text that is no value; displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FingerprintReason {
    /// It is longer than [`Fingerprint::MAX_LEN`](crate::Fingerprint::MAX_LEN).
    #[error("the value is too long")]
    TooLong,
    /// It looks like none of the forms.
    #[error(
        "no JA4, no JA3, no MD5 of 32 hexadecimal digits, no signature of TCP or HTTP/1, no start of HTTP/2"
    )]
    UnknownForm,
    /// The first part of a JA4 is none.
    #[error("part a is 10 characters such as t13d1516h2")]
    Ja4PartA,
    /// The second or third part of a JA4 is no hash.
    #[error("parts b and c are 12 hexadecimal digits each, in lower case")]
    Ja4Hash,
    /// More follows the third part of a JA4.
    #[error("a JA4 has three parts")]
    Ja4PartCount,
    /// A form with lists, such as JA4_r or the text of a JA3, is not well formed.
    #[error("{what}")]
    List {
        /// As [`ParseListsError`](huginn_net_tls::ParseListsError) tells it.
        what: &'static str,
    },
    /// A raw signature has a pattern, as only signatures of a file have.
    #[error("a raw signature has no wildcard")]
    Wildcard,
    /// A raw TCP signature has a range of TTLs.
    #[error("a raw signature has the TTL and the distance, as in 64+0")]
    NoDistance,
    /// A field is not what the grammar of signature files allows.
    #[error("{message}")]
    Field {
        /// The kind of finding that it would be in a file.
        code: DiagnosticCode,
        /// What is wrong, as a finding tells it.
        message: String,
    },
}

impl FingerprintError {
    pub(super) const fn new(at: usize, reason: FingerprintReason) -> Self {
        Self { at, reason }
    }
}

impl From<Problem> for FingerprintError {
    fn from(Problem { code, range, message, .. }: Problem) -> Self {
        Self::new(range.start, FingerprintReason::Field { code, message })
    }
}
