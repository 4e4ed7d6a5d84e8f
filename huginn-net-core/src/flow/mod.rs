//! State kept per flow or host.

mod epochs;
mod expiring;
mod filter;
mod hash;
mod index;
mod key;
mod limits;
mod log;
mod opening;
mod pending;
mod sources;
mod tag;
mod unwanted;

pub use self::expiring::{Expiring, Held};
pub use self::filter::FlowFilter;
pub use self::hash::{HashKeys, KeyedHash, TagHash};
pub use self::key::{Direction, FlowKey};
pub use self::limits::{ExpiringLimits, ExpiringStats};
pub use self::log::{FlowLog, Follow};
pub use self::opening::Opening;
pub use self::pending::{HeldBytes, Pending, PendingLimits, PendingStats};
pub use self::sources::SourceCounts;
#[cfg(feature = "capture")]
pub(crate) use self::tag::share;
pub use self::tag::{FlowTag, NetworkTag};
pub use self::unwanted::UnwantedBytes;

/// State per flow, bounded in number and age.
pub type FlowTable<S> = Expiring<FlowKey, S>;
