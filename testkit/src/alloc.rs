//! Counts what a closure allocates.
//!
//! Linking this module makes the counting allocator the global one of the test binary. It counts the calling thread
//! only, so tests that run side by side do not disturb each other.

/// What a closure allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allocations {
    /// How many allocations it made, reallocations included.
    pub count: u64,
    /// Bytes of all of them together.
    pub total_bytes: u64,
    /// The most bytes it held at any one time.
    pub peak_bytes: u64,
    /// Bytes it still held at its end, its result included; negative if it freed what was there before.
    pub kept_bytes: i64,
}

impl Allocations {
    /// None at all.
    pub const NONE: Self = Self { count: 0, total_bytes: 0, peak_bytes: 0, kept_bytes: 0 };
}

/// Runs a closure and counts its allocations.
pub fn measure<T>(run: impl FnOnce() -> T) -> (T, Allocations) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(run()));
    let allocations = Allocations {
        count: info.count_total,
        total_bytes: info.bytes_total,
        peak_bytes: info.bytes_max,
        kept_bytes: info.bytes_current,
    };
    (result.expect("the closure has run"), allocations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_held_and_what_is_dropped() {
        let (kept, allocations) = measure(|| {
            // The optimiser leaves out an allocation that nobody looks at.
            drop(std::hint::black_box(Vec::<u8>::with_capacity(1_000)));
            std::hint::black_box(Vec::<u8>::with_capacity(100))
        });
        assert_eq!(kept.capacity(), 100);
        assert_eq!(
            allocations,
            Allocations { count: 2, total_bytes: 1_100, peak_bytes: 1_000, kept_bytes: 100 }
        );
    }

    #[test]
    fn arithmetic_allocates_nothing() {
        assert_eq!(measure(|| 2 + 2), (4, Allocations::NONE));
    }
}
