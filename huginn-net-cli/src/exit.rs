//! Exit statuses.

use huginn_net::SourceError;

/// What the statuses mean, for the end of the help.
pub(crate) const HELP: &str = "\
Exit status: 0 success, 2 wrong usage, 3 some input was damaged or skipped, as a file \
that is no capture, 4 some input could not be opened or no thread be had for it, 5 an output failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)";

/// How a command ended; of several outcomes the greatest one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All went well.
    #[default]
    Success,
    /// Some input was damaged or skipped; the records of the rest were written.
    Damaged,
    /// Some input could not be opened.
    NotOpened,
    /// An output failed.
    OutputFailed,
    /// The arguments are wrong; nothing was read.
    Usage,
    /// A signal of this number ended the run early.
    Interrupted(u8),
}

/// How a command ended: by `Err` if it could not begin, of which it has said why.
pub(crate) type Ended = Result<Outcome, Outcome>;

impl Outcome {
    /// Of a capture that could not be opened, or not be read to its end.
    pub(crate) const fn of(error: &SourceError) -> Self {
        match error {
            SourceError::Open { .. } | SourceError::Read(_) | SourceError::Thread(_) => Self::NotOpened,
            _ => Self::Damaged,
        }
    }

    /// Of an analysis that failed behind the beginning of a capture: by the capture, or for want of a thread.
    pub(crate) const fn of_analysis(error: &SourceError) -> Self {
        match error {
            SourceError::Thread(_) => Self::NotOpened,
            _ => Self::Damaged,
        }
    }

    /// The exit status.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Usage => 2,
            Self::Damaged => 3,
            Self::NotOpened => 4,
            Self::OutputFailed => 5,
            // What shells report of a process that the signal ended.
            Self::Interrupted(signal) => 128_u8.saturating_add(signal),
        }
    }

    /// Remembers a further outcome if it is graver.
    pub(crate) fn add(&mut self, other: Self) {
        *self = (*self).max(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_outcome_counts() {
        let mut outcome = Outcome::NotOpened;
        outcome.add(Outcome::Damaged);
        assert_eq!(outcome.status(), 4);
        outcome.add(Outcome::OutputFailed);
        assert_eq!(outcome.status(), 5);
        outcome.add(Outcome::Interrupted(2));
        assert_eq!(outcome.status(), 130);
    }
}
