//! A run on a network interface.

use super::{Events, Pipeline};
use crate::source::{LiveCapture, LiveOptions};
use crate::{BpfInstruction, Interest, LinkType, Located, SourceError};

impl<E: Located + Send + 'static> Pipeline<E> {
    /// Analyzes what a network interface sends and receives from now on. Ends when it is [stopped](Events::stopper) or the
    /// interface is removed. For other ways to capture, [`LiveCapture`] is a source.
    ///
    /// # Errors
    /// Those of [`LiveCapture::open`].
    pub fn analyze_network(&self, interface: &str) -> Result<Events<E>, SourceError> {
        let mut capture = LiveCapture::open(interface, &LiveOptions::default())?;
        capture.start_with(|link_type| self.program(link_type))?;
        Ok(self.analyze(capture))
    }

    /// A program, for a kernel, that leaves out frames of this link type from which this pipeline would make no event:
    /// packets that its filter does not want, and those that are of no interest to its analyzers. `None` if there is no
    /// such program.
    pub fn program(&self, link_type: LinkType) -> Option<Vec<BpfInstruction>> {
        let interests = (self.make_analyzers)().into_iter().map(|analyzer| analyzer.interest());
        let interest = interests.reduce(Interest::joined).unwrap_or(Interest::Everything);
        self.filter.as_deref().cloned().unwrap_or_default().to_bpf_for(link_type, interest)
    }
}
