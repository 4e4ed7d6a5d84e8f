//! ClientHellos from DTLS, versions 1.0 to 1.3: in all of them they are sent in the clear and in the same records.

mod error;
mod reader;
mod record;

pub use self::error::DtlsError;
pub use self::reader::{DtlsHello, DtlsHelloReader, DtlsLimits};
#[cfg(feature = "capture")]
pub(crate) use self::record::may_be_handshake;
