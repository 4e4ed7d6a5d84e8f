//! The driver: takes packets from a source to analyzers and their events to the caller.

mod events;
mod network;

use std::path::Path;
use std::sync::Arc;

pub use self::events::{Events, Stats, Step, Stopper};
use crate::{Analyzer, CaptureFile, Conclude, DecodeLimits, Filter, Source, SourceError};

/// A kind of event that comes with the analyzer that reports it.
pub trait Protocol: Sized + Send + 'static {
    /// What can be set; its default is what [`Pipeline::new`] uses.
    type Settings: Clone + Default + Send + Sync + 'static;

    /// An analyzer with nothing seen.
    fn analyzer(settings: &Self::Settings) -> Box<dyn Analyzer<Event = Self>>;

    /// What stands above all copies of the analyzer.
    fn conclusion(settings: &Self::Settings) -> Box<dyn Conclude<Event = Self>>;
}

type MakeStage<S> = Arc<dyn Fn() -> Box<S> + Send + Sync>;

/// One driver for one protocol or many: decodes each packet once and gives it to the analyzer.
///
/// A pipeline holds no state of a capture, so that it can be used for any number of them.
pub struct Pipeline<E> {
    make_analyzer: MakeStage<dyn Analyzer<Event = E>>,
    make_conclusion: MakeStage<dyn Conclude<Event = E>>,
    decode_limits: DecodeLimits,
    filter: Option<Arc<Filter>>,
}

impl<E: Protocol> Pipeline<E> {
    /// A pipeline for this protocol, with default settings.
    pub fn new() -> Self {
        Self::with_settings(E::Settings::default())
    }

    /// A pipeline for this protocol.
    pub fn with_settings(settings: E::Settings) -> Self {
        let settings = Arc::new(settings);
        let of_conclusion = Arc::clone(&settings);
        Self {
            make_analyzer: Arc::new(move || E::analyzer(&settings)),
            make_conclusion: Arc::new(move || E::conclusion(&of_conclusion)),
            decode_limits: DecodeLimits::default(),
            filter: None,
        }
    }
}

impl<E: Protocol> Default for Pipeline<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: 'static> Pipeline<E> {
    /// Changes what decoding may hold.
    #[must_use]
    pub fn decode_limits(mut self, limits: DecodeLimits) -> Self {
        self.decode_limits = limits;
        self
    }

    /// Analyzes only the packets that a filter wants; the others are counted.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = Some(Arc::new(filter));
        self
    }

    /// Analyzes a capture file: pcap or pcapng, compressed or not.
    ///
    /// # Errors
    /// The file cannot be opened or is no capture.
    pub fn analyze_pcap(&self, path: impl AsRef<Path>) -> Result<Events<E>, SourceError> {
        Ok(self.analyze(CaptureFile::open(path)?))
    }

    /// Analyzes the frames of a source.
    pub fn analyze(&self, source: impl Source + 'static) -> Events<E> {
        let (analyzer, conclusion) = ((self.make_analyzer)(), (self.make_conclusion)());
        Events::new(Box::new(source), analyzer, conclusion, self.decode_limits, self.filter.clone())
    }
}
