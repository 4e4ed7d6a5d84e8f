//! HTTP/2 ([RFC 9113]), as far as a fingerprint needs it.
//!
//! [RFC 9113]: https://www.rfc-editor.org/rfc/rfc9113

mod blocks;
mod error;
mod fields;
pub(crate) mod frame;
mod headers;
mod hpack;
mod limits;
mod request;
mod response;
mod server;
mod settings;

pub(crate) use self::blocks::{HeaderBlocks, within};
pub use self::error::Http2Error;
pub use self::fields::Http2Fields;
pub(crate) use self::frame::FrameHeader;
pub use self::frame::Http2FrameType;
pub use self::headers::Http2Priority;
pub use self::hpack::{FieldForm, HpackDecoder, HpackError, HpackField, HpackLimits};
pub use self::limits::Http2Limits;
pub use self::request::Http2Request;
pub use self::response::Http2Response;
pub use self::server::ServerSettingsReader;
pub(crate) use self::server::{ServerHead, ServerReader};
pub(crate) use self::settings::write_list as write_settings;
pub use self::settings::{Http2Setting, Http2SettingId, Http2Settings};

/// What a client sends before its first frame ([RFC 9113 §3.4]). Three bytes tell it from every request of HTTP/1.
///
/// [RFC 9113 §3.4]: https://www.rfc-editor.org/rfc/rfc9113#section-3.4
pub const CLIENT_PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
