//! What can go wrong.

use std::io;

use thiserror::Error;

/// A capture could not be opened, or ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no interface of this name.
    #[error("{name}: there is no such interface")]
    NoInterface {
        /// The name.
        name: String,
    },
    /// No interface is named.
    #[error("no interface is named")]
    NoneNamed,
    /// The interface was named before, maybe by another of its names: each of its frames would be captured twice.
    #[error("{name}: the interface is named twice")]
    NamedTwice {
        /// The name.
        name: String,
    },
    /// The interface was removed while it was captured.
    #[error("{name}: the interface was removed")]
    Removed {
        /// Its name.
        name: String,
    },
    /// The process has no capability `CAP_NET_RAW`.
    #[error("no permission to capture")]
    Permission,
    /// The kernel refused a program, which must have 1 to 4,096 instructions, jump forward only and end with a return.
    #[error("the kernel refused the filter program")]
    Program,
    /// The kernel has no room for a program of this length, less than 4,096 instructions where its setting
    /// `net.core.optmem_max` is small.
    #[error("the kernel has no room for the filter program")]
    NoRoomForProgram,
    /// The operating system refused something else; `doing` says what, and the source of this error why.
    #[error("{doing} failed")]
    Os {
        /// What was asked for, in a few words.
        doing: &'static str,
        /// The answer.
        #[source]
        error: io::Error,
    },
}

impl Error {
    /// What becomes of a refusal.
    pub(crate) fn of(doing: &'static str, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Permission,
            _ => Self::Os { doing, error },
        }
    }
}

#[cfg(test)]
mod tests {
    use core::error::Error as _;

    use super::*;

    #[test]
    fn what_the_operating_system_says_is_the_source_and_not_part_of_the_message() {
        let error = Error::of("making a ring", io::ErrorKind::OutOfMemory.into());
        assert_eq!(error.to_string(), "making a ring failed");
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::OutOfMemory));
    }

    #[test]
    fn a_lack_of_permission_has_an_error_of_its_own() {
        let error = Error::of("opening a packet socket", io::ErrorKind::PermissionDenied.into());
        assert!(matches!(error, Error::Permission));
    }
}
