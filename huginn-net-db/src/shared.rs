//! Values that events share.

use core::fmt;
use core::hash::Hash;
use core::ops::Deref;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A value that many share; as cheap to clone as an address, in any number of threads.
///
/// The first 1,024 different ones of each type stay in memory until the process ends. A count of references would cost an event more
/// than all of its matching: the processor waits with it until all is stored that was written before, and threads that clone and drop
/// what is equal wait for each other. Further ones are counted.
pub struct Shared<T: 'static>(Kept<T>);

enum Kept<T: 'static> {
    Interned(&'static T),
    Counted(Arc<T>),
}

/// A type whose values can be [`Shared`].
pub trait Share: Eq + Hash + Send + Sync + Sized + 'static {
    /// Where those of this type are kept: a static.
    fn interner() -> &'static Interner<Self>;
}

/// Keeps the first values that it is given, and never lets go of them.
pub struct Interner<T: 'static> {
    most: usize,
    known: Mutex<Option<HashSet<&'static T>>>,
}

impl<T: Share> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        T::interner().share(value)
    }
}

impl<T> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Kept::Interned(value) => Kept::Interned(value),
            Kept::Counted(value) => Kept::Counted(Arc::clone(value)),
        })
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.0 {
            Kept::Interned(value) => value,
            Kept::Counted(value) => value,
        }
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    /// By address first, which tells nearly always.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq::<T>(&**self, &**other) || **self == **other
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interner").field("most", &self.most).finish_non_exhaustive()
    }
}

impl<T> Interner<T> {
    /// Without any values yet.
    #[must_use]
    pub const fn new() -> Self {
        Self::of(1_024)
    }

    const fn of(most: usize) -> Self {
        Self { most, known: Mutex::new(None) }
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Eq + Hash> Interner<T> {
    fn share(&self, value: T) -> Shared<T> {
        // Nothing panics while the lock is held that leaves a set which is none.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(value) = known.get(&value) {
            return Shared(Kept::Interned(value));
        }
        if known.len() >= self.most {
            return Shared(Kept::Counted(Arc::new(value)));
        }
        let value: &'static T = Box::leak(Box::new(value));
        known.insert(value);
        Shared(Kept::Interned(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_interned(value: &Shared<String>) -> bool {
        matches!(value.0, Kept::Interned(_))
    }

    #[test]
    fn equal_values_are_kept_once() {
        let interner = Interner::new();
        let share = |text: &str| interner.share(text.to_owned());
        let (first, second) = (share("a"), share("a"));
        assert!(core::ptr::eq::<String>(&*first, &*second));
        assert_ne!(first, share("b"));
        assert_eq!((first.to_string(), format!("{first:?}")), ("a".to_owned(), "\"a\"".to_owned()));
    }

    #[test]
    fn values_past_the_limit_are_counted_and_equal_all_the_same() {
        let interner = Interner::of(2);
        let share = |text: &str| interner.share(text.to_owned());
        let (first, second) = (share("1"), share("2"));
        assert!(is_interned(&first) && is_interned(&second));
        let (third, again) = (share("3"), share("3"));
        assert!(!is_interned(&third) && !is_interned(&again));
        assert_eq!(third, again);
        assert!(is_interned(&share("2")), "what was kept is found though nothing is added");
        let Kept::Counted(counted) = &third.0 else { panic!("{third:?}") };
        assert_eq!(Arc::strong_count(counted), 1, "and is let go with its events");
    }
}
