//! What is left where nothing can be captured.

#[cfg(not(all(feature = "live", target_os = "linux")))]
use super::Interface;
use super::{LiveOptions, Opened};
use crate::source::SourceError;

pub(super) fn open(_: &[&str], _: u8, _: &LiveOptions) -> Result<Opened, SourceError> {
    Err(SourceError::NoLive)
}

#[cfg(not(all(feature = "live", target_os = "linux")))]
pub(super) fn interfaces() -> Result<Vec<Interface>, SourceError> {
    Err(SourceError::NoLive)
}
