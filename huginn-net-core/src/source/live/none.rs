//! What is left where nothing can be captured.

use super::{Interface, LiveOptions, Opened};
use crate::source::SourceError;

pub(super) fn open(_: &[&str], _: u8, _: &LiveOptions) -> Result<Opened, SourceError> {
    Err(SourceError::NoLive)
}

pub(super) fn interfaces() -> Result<Vec<Interface>, SourceError> {
    Err(SourceError::NoLive)
}
