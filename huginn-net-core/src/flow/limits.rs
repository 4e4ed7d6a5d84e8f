//! What a table that forgets may hold, and why entries left it.

use core::time::Duration;

/// How much an [`Expiring`](super::Expiring) table holds, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpiringLimits {
    /// Most entries held at once: at least 1 (0 counts as 1), at most 2^30.
    pub max_entries: usize,
    /// How long an entry is kept after it was last touched; one nanosecond longer and it is idle.
    pub idle: Duration,
}

impl Default for ExpiringLimits {
    /// 32,768 entries, 30 seconds.
    fn default() -> Self {
        Self { max_entries: 32_768, idle: Duration::from_secs(30) }
    }
}

impl ExpiringLimits {
    /// With this [`max_entries`](Self::max_entries).
    #[must_use]
    pub const fn with_max_entries(self, max_entries: usize) -> Self {
        Self { max_entries, ..self }
    }

    /// With this [`idle`](Self::idle).
    #[must_use]
    pub const fn with_idle(self, idle: Duration) -> Self {
        Self { idle, ..self }
    }

    /// [`idle`](Self::idle) in the unit of [`Timestamp`](crate::Timestamp).
    pub(super) fn idle_nanos(&self) -> u64 {
        u64::try_from(self.idle.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// Why entries left an [`Expiring`](super::Expiring) table without having been asked to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpiringStats {
    /// Entries that made room for a newer one while they were still in use: the table was too small.
    pub evicted: u64,
    /// Entries that went out because nothing touched them for longer than [`ExpiringLimits::idle`].
    pub expired: u64,
}
