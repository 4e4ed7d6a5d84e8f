//! TCP signatures and how an observation is matched against them.

mod fill;
mod index;
mod matching;
mod signature;

pub(crate) use self::index::TcpIndex;
pub use self::matching::{MatchCost, Quality, TcpMatch};
pub use self::signature::{SignatureTtl, TcpSignature, WindowPattern};
