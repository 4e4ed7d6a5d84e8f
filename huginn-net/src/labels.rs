//! What is known of stacks, kept once for all of which the same is known.

use core::fmt;
use core::ops::Deref;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::stacks::StackLabels;

/// What is known of a stack, which it shares with others; as cheap to clone as an address.
///
/// The first 1,024 different ones of a process stay in memory until it ends, less than 200 KiB beside the texts that they name. A count of
/// references would cost a SYN more than all of its matching: the processor waits with it until all is stored that was written
/// before. Further ones are counted.
#[derive(Clone)]
pub struct SharedLabels(Kept);

#[derive(Clone)]
enum Kept {
    Interned(&'static StackLabels),
    Counted(Arc<StackLabels>),
}

impl From<StackLabels> for SharedLabels {
    fn from(labels: StackLabels) -> Self {
        static INTERNED: Mutex<Interner> = Mutex::new(Interner::new(1_024));
        INTERNED.lock().unwrap_or_else(PoisonError::into_inner).share(labels)
    }
}

impl Deref for SharedLabels {
    type Target = StackLabels;

    #[inline]
    fn deref(&self) -> &StackLabels {
        match &self.0 {
            Kept::Interned(labels) => labels,
            Kept::Counted(labels) => labels,
        }
    }
}

impl PartialEq for SharedLabels {
    /// By address first, which tells nearly always.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq::<StackLabels>(&**self, &**other) || **self == **other
    }
}

impl fmt::Debug for SharedLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Keeps the first values it is given, and never lets go of them.
struct Interner {
    most: usize,
    known: Option<HashSet<&'static StackLabels>>,
}

impl Interner {
    const fn new(most: usize) -> Self {
        Self { most, known: None }
    }

    fn share(&mut self, labels: StackLabels) -> SharedLabels {
        let known = self.known.get_or_insert_default();
        if let Some(labels) = known.get(&labels) {
            return SharedLabels(Kept::Interned(labels));
        }
        if known.len() >= self.most {
            return SharedLabels(Kept::Counted(Arc::new(labels)));
        }
        let labels: &'static StackLabels = Box::leak(Box::new(labels));
        known.insert(labels);
        SharedLabels(Kept::Interned(labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_mtu(mtu: u32) -> StackLabels {
        StackLabels { mtu: Some(mtu), ..StackLabels::default() }
    }

    fn is_interned(labels: &SharedLabels) -> bool {
        matches!(labels.0, Kept::Interned(_))
    }

    #[test]
    fn equal_labels_are_kept_once() {
        let (first, second) = (SharedLabels::from(of_mtu(1_500)), SharedLabels::from(of_mtu(1_500)));
        assert!(core::ptr::eq::<StackLabels>(&*first, &*second));
        assert_ne!(first, SharedLabels::from(of_mtu(1_400)));
    }

    #[test]
    fn labels_past_the_limit_are_counted_and_equal_all_the_same() {
        let mut interner = Interner::new(2);
        let mut share = |mtu| interner.share(of_mtu(mtu));
        let (first, second) = (share(1), share(2));
        assert!(is_interned(&first) && is_interned(&second));
        let (third, again) = (share(3), share(3));
        assert!(!is_interned(&third) && !is_interned(&again));
        assert_eq!(third, again);
        assert!(is_interned(&share(2)), "what was kept is found though nothing is added");
        let Kept::Counted(counted) = &third.0 else { panic!("{third:?}") };
        assert_eq!(Arc::strong_count(counted), 1, "and is let go with its stacks");
    }
}
