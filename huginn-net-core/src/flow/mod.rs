//! State kept per flow or host.

mod expiring;
mod filter;
mod hash;
mod key;

pub use self::expiring::{Expiring, ExpiringLimits, ExpiringStats, Held};
pub use self::filter::{FilterSlot, FlowFilter};
pub use self::hash::KeyedHash;
pub use self::key::{Direction, FlowKey};

/// State per flow, bounded in number and age.
pub type FlowTable<S> = Expiring<FlowKey, S>;
