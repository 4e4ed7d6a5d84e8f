//! HTTP signatures, how heads are matched against them, and what to think of what a program says of itself.

mod claim;
mod facts;
mod http2;
mod index;
mod matcher;
mod matching;
mod ranking;
mod signature;
mod systems;
mod template;
mod verdict;

pub use self::http2::Http2Judgment;
pub(crate) use self::index::HttpIndex;
pub use self::matcher::HttpMatcher;
pub(crate) use self::matching::MIN_REQUIRED;
pub use self::matching::{HttpMatch, HttpScore};
pub use self::signature::{HeaderPattern, HttpSignature, HttpVersion};
pub use self::systems::{NamedStacks, OsCheck};
pub use self::verdict::{Assessment, Channel, HttpJudgment, Verdict, VerdictReason};
