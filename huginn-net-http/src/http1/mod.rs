//! HTTP/1 ([RFC 9112]): heads of requests and responses, and where bodies end.
//!
//! [RFC 9112]: https://www.rfc-editor.org/rfc/rfc9112

mod body;
mod chunked;
mod date;
mod error;
mod head;
mod headers;
mod intermediary;
mod iso639;
mod language;
mod limits;
mod lines;
mod quirks;
mod request;
mod response;
mod scanner;
mod signature;
mod start_line;
mod user_agent;

pub use self::body::BodyLength;
pub use self::chunked::{ChunkScanner, PassedOver};
pub use self::error::Http1Error;
pub use self::headers::{Header, Headers};
pub use self::intermediary::{Intermediary, IntermediaryKind};
pub use self::language::{AcceptLanguage, LanguageRange};
pub use self::limits::Http1Limits;
pub use self::quirks::Http1Quirks;
pub use self::request::Http1Request;
pub use self::response::Http1Response;
pub use self::scanner::Http1Scanner;
pub use self::signature::RawSignature;
pub use self::start_line::{Http1Version, TargetForm};
pub use self::user_agent::{Device, Engine, UserAgent, UserAgentSystem};
