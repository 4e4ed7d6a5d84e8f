//! Known clients by the fingerprints of their hellos, and by the settings they start HTTP/2 with.

mod client;
mod index;
mod matching;
mod signature;

pub use self::client::{Attribution, Client, ClientKind, ClientLabel};
pub(crate) use self::index::{Http2Index, TlsIndex};
pub use self::matching::{ClientKey, ClientMatch};
pub use self::signature::TlsSignature;
