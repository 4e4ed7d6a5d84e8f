//! The answer of a parser that may have to wait for bytes.

/// What a parser knows after the bytes it was given, one or the other.
///
/// That the bytes can *never* become what was asked for is the parser's error, not a variant here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress<T> {
    /// The value is complete.
    Done(T),
    /// Nothing is wrong so far, but more bytes are needed.
    NeedMore,
}

impl<T> Progress<T> {
    /// The value, if it is complete.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(value) => Some(value),
            Self::NeedMore => None,
        }
    }

    /// Changes the value, if it is complete.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Progress<U> {
        match self {
            Self::Done(value) => Progress::Done(change(value)),
            Self::NeedMore => Progress::NeedMore,
        }
    }
}
