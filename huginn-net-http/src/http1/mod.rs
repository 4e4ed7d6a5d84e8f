//! HTTP/1 ([RFC 9112]): heads of requests and responses, and where bodies end.
//!
//! [RFC 9112]: https://www.rfc-editor.org/rfc/rfc9112

mod body;
mod chunked;
mod date;
mod error;
mod head;
mod headers;
mod iso639;
mod language;
mod limits;
mod lines;
mod quirks;
mod request;
mod response;
mod scanner;
mod shapes;
mod signature;
mod start_line;
mod user_agent;

pub use self::body::BodyLength;
pub(crate) use self::body::Framing;
pub use self::chunked::{ChunkScanner, PassedOver};
pub(crate) use self::date::http_date;
pub use self::error::Http1Error;
pub(crate) use self::head::host_of;
pub use self::headers::{Header, Headers};
pub use self::language::{AcceptLanguage, LanguageRange};
pub use self::limits::Http1Limits;
pub(crate) use self::lines::{first_filled, list};
pub use self::quirks::Http1Quirks;
pub use self::request::Http1Request;
pub(crate) use self::request::OwnedRequest;
pub use self::response::Http1Response;
pub(crate) use self::response::OwnedResponse;
pub use self::scanner::Http1Scanner;
pub use self::shapes::HeadShape;
pub(crate) use self::shapes::HeadShapes;
pub use self::signature::RawSignature;
pub(crate) use self::start_line::status_code;
pub use self::start_line::{Http1Version, TargetForm};
pub use self::user_agent::{Device, Engine, UserAgent, UserAgentSystem};
