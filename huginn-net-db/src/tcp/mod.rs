//! TCP signatures and how an observation is matched against them.

mod candidate;
mod cost;
mod facts;
mod family;
mod fill;
mod index;
mod judge;
mod matcher;
mod matching;
mod parts;
mod signature;
mod stripped;

pub use self::cost::MatchCost;
pub use self::facts::TcpFactSet;
pub use self::family::{FamilySignature, LayoutFamily};
pub(crate) use self::family::{Negotiated, OfferRule};
pub(crate) use self::fill::{Direction, SegmentedWindow, fill};
pub(crate) use self::index::TcpIndex;
pub use self::matcher::TcpMatcher;
pub use self::matching::{Quality, TcpMatch};
pub use self::signature::{SignatureTtl, TcpSignature, WindowPattern};
