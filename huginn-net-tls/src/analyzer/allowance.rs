//! A limit on work by capture time.

use core::time::Duration;

use huginn_net_core::Timestamp;

/// So much work in each second.
#[derive(Debug)]
pub(super) struct Allowance {
    per_second: u32,
    left: u32,
    since: Timestamp,
}

impl Allowance {
    pub(super) fn new(per_second: u32) -> Self {
        Self { per_second, left: per_second, since: Timestamp::default() }
    }

    /// Whether any is left.
    pub(super) fn is_left(&mut self, now: Timestamp) -> bool {
        // Time that goes back begins a new second as well, or nothing would be left until it caught up.
        if now < self.since || now.since(self.since) >= Duration::from_secs(1) {
            (self.left, self.since) = (self.per_second, now);
        }
        self.left > 0
    }

    pub(super) fn spend(&mut self, work: usize) {
        self.left = self.left.saturating_sub(u32::try_from(work).unwrap_or(u32::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_comes_back_after_a_second_and_when_time_goes_back() {
        let at = |millis: u64| Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
        let mut allowance = Allowance::new(2);
        assert!(allowance.is_left(at(0)));
        allowance.spend(3);
        assert!(!allowance.is_left(at(0)));
        assert!(!allowance.is_left(at(999)));
        assert!(allowance.is_left(at(1_000)));
        allowance.spend(2);
        assert!(!allowance.is_left(at(1_500)));
        assert!(allowance.is_left(at(900)));
    }
}
