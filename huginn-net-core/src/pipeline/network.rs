//! A run on a network interface.

use super::{Events, Pipeline};
use crate::SourceError;
use crate::source::{LiveCapture, LiveOptions};

impl<E: 'static> Pipeline<E> {
    /// Analyzes what a network interface sends and receives, from when the events are first asked for. Ends when it is
    /// [stopped](Events::stopper) or the interface is removed; for other ways to capture, [`LiveCapture`] is a source.
    ///
    /// # Errors
    /// Those of [`LiveCapture::open`].
    pub fn analyze_network(&self, interface: &str) -> Result<Events<E>, SourceError> {
        Ok(self.analyze(LiveCapture::open(interface, &LiveOptions::default())?))
    }
}
