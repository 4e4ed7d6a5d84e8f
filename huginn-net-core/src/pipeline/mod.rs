//! The driver: takes packets from a source to analyzers and their events to the caller.

mod conclusions;
mod decoding;
mod events;
mod joined;
mod lanes;
mod merge;
mod network;
mod pool;
mod relay;
mod sequential;
mod shards;
mod shared;
mod spread;
mod threads;
mod ticks;

use core::fmt;
use core::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use self::decoding::{Decoding, Input};
use self::events::Driver;
pub use self::events::{Events, Stats, Step, Stopper};
use self::joined::BaseConclusion;
pub use self::joined::Joined;
use self::lanes::Lanes;
use self::pool::Pool;
pub use self::pool::{PoolConfig, PoolStats, WorkerStats};
use self::relay::Relay;
use self::sequential::Sequential;
use self::shards::Shards;
use crate::{Analyzer, CaptureFile, Conclude, DecodeLimits, Filter, Located, Mapped, Source, SourceError};

/// A kind of event that comes with the analyzers that report it.
pub trait Protocol: Located + Sized + Send + 'static {
    /// What can be set; its default is what [`Pipeline::new`] uses.
    type Settings: Clone + Default + Send + Sync + 'static;

    /// Analyzers with nothing seen. Each has an affinity of its own, so that a worker gets the packets that its copy of
    /// one wants, and not those that another one's does.
    fn analyzers(settings: &Self::Settings) -> Vec<Box<dyn Analyzer<Event = Self>>>;

    /// What stands above all copies of the analyzers; unless it is told otherwise, nothing, and events go out as they are.
    fn conclusion(settings: &Self::Settings) -> Box<dyn Conclude<Event = Self>> {
        let _ = settings;
        Box::new(AsReported(PhantomData))
    }
}

/// Concludes nothing.
struct AsReported<E>(PhantomData<fn(E)>);

impl<E> Conclude for AsReported<E> {
    type Event = E;

    fn passes(&mut self, _: &mut E) -> bool {
        true
    }

    fn on_event(&mut self, event: E, report: &mut dyn FnMut(E)) {
        report(event);
    }
}

type MakeAnalyzers<E> = Arc<dyn Fn() -> Vec<Box<dyn Analyzer<Event = E>>> + Send + Sync>;
type MakeConclusion<E> = Arc<dyn Fn() -> Box<dyn Conclude<Event = E>> + Send + Sync>;

/// One driver for one protocol or many: decodes each packet once and gives it to the analyzers, in the thread of the caller
/// or in several.
///
/// A pipeline holds no state of a capture, so that it can be used for any number of them.
pub struct Pipeline<E> {
    make_analyzers: MakeAnalyzers<E>,
    make_conclusion: MakeConclusion<E>,
    decode_limits: DecodeLimits,
    filter: Option<Arc<Filter>>,
    pool: Option<PoolConfig>,
}

impl<E> Clone for Pipeline<E> {
    fn clone(&self) -> Self {
        let Self { make_analyzers, make_conclusion, decode_limits, filter, pool } = self;
        Self {
            make_analyzers: Arc::clone(make_analyzers),
            make_conclusion: Arc::clone(make_conclusion),
            decode_limits: *decode_limits,
            filter: filter.clone(),
            pool: *pool,
        }
    }
}

impl<E> fmt::Debug for Pipeline<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("decode_limits", &self.decode_limits)
            .field("filter", &self.filter)
            .field("pool", &self.pool)
            .finish_non_exhaustive()
    }
}

impl<E: Protocol> Pipeline<E> {
    /// A pipeline for this protocol, with default settings, in the thread of the caller.
    #[must_use]
    pub fn new() -> Self {
        Self::with_settings(E::Settings::default())
    }

    /// A pipeline for this protocol, with default settings, of so many workers (1 to 64) with a queue of so many batches of
    /// packets each (1 or more): [`Pipeline::with_pool`] with the defaults of [`PoolConfig`].
    #[must_use]
    pub fn with_config(workers: usize, queue: usize) -> Self {
        Self::new().with_pool(PoolConfig::new(workers, queue))
    }

    /// A pipeline for this protocol, in the thread of the caller.
    pub fn with_settings(settings: E::Settings) -> Self {
        let settings = Arc::new(settings);
        let of_conclusion = Arc::clone(&settings);
        Self {
            make_analyzers: Arc::new(move || E::analyzers(&settings)),
            make_conclusion: Arc::new(move || E::conclusion(&of_conclusion)),
            decode_limits: DecodeLimits::default(),
            filter: None,
            pool: None,
        }
    }
}

impl<E: Protocol> Default for Pipeline<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Located + Send + 'static> Pipeline<E> {
    /// With other limits on what decoding may hold.
    #[must_use]
    pub fn with_decode_limits(mut self, limits: DecodeLimits) -> Self {
        self.decode_limits = limits;
        self
    }

    /// With a filter: only the packets that it wants are analyzed, and the others counted. It takes the place of another one.
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = Some(Arc::new(filter));
        self
    }

    /// With workers that analyze, each with a copy of the analyzers. Events are the same and in the same order as without, unless a
    /// limit is hit: limits hold for each copy.
    ///
    /// Threads take turns in reading a source, and each analyzes what it has read; there are no more of them than cores
    /// ([`PoolConfig::max_threads`]), however many workers. A [live](Source::is_live) source, which does not wait, is read by one more
    /// thread, which copies packets for the workers, each of which has a thread.
    #[must_use]
    pub fn with_pool(mut self, config: PoolConfig) -> Self {
        self.pool = Some(config);
        self
    }

    /// Adds an analyzer beside those that are there, which gets its packets from the same decode.
    ///
    /// `make` is called for each copy that is needed. What takes packets that do not meet in one copy has to be concluded
    /// from the events.
    #[must_use]
    pub fn with_analyzer<A>(
        self,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Pipeline<Joined<E, A::Event>>
    where
        A: Analyzer + 'static,
        A::Event: Located + Send + 'static,
    {
        let Self { make_analyzers, make_conclusion, decode_limits, filter, pool } = self;
        let join = move || {
            let base = make_analyzers().into_iter().map(|analyzer| -> Box<dyn Analyzer<Event = _>> {
                Box::new(Mapped::new(analyzer, |event, report| report(Joined::Base(event))))
            });
            let added = Mapped::new(make(), |event, report| report(Joined::Added(event)));
            base.chain([Box::new(added) as _]).collect()
        };
        Pipeline {
            make_analyzers: Arc::new(join),
            make_conclusion: Arc::new(move || Box::new(BaseConclusion::new(make_conclusion()))),
            decode_limits,
            filter,
            pool,
        }
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
        let (conclusion, stopper) = ((self.make_conclusion)(), Stopper::default());
        let Some(config) = self.pool.map(PoolConfig::in_range) else {
            let sequential = Sequential::new(self.input(source), self.lanes(), conclusion, stopper.clone());
            return Events::new(Driver::Sequential(Box::new(sequential)), stopper);
        };
        let (is_live, input, lanes) = (source.is_live(), self.input(source), || self.lanes());
        let driver = if is_live {
            Driver::Pool(Box::new(Pool::start(input, config, lanes, conclusion, stopper.clone())))
        } else {
            Driver::Relay(Box::new(Relay::start(input, config, lanes, conclusion, stopper.clone())))
        };
        Events::new(driver, stopper)
    }

    /// Analyzes the frames of several sources that share the traffic by flow, such as a fanout group of sockets: each source
    /// is read, decoded and analyzed in a thread of its own, and no packet goes from one to another.
    ///
    /// Events come in the order of capture time; a source that has nothing at the moment is not waited for. How many
    /// events wait for the caller is bounded by the queue of [`PoolConfig`]. A source that gives no answer for long holds up
    /// the events of the others; those of live sources until a queue is full, and then they come before their turn.
    ///
    /// The events are those of one source with all frames, but for what waits longer than its timeout: each shard ends it by
    /// the time of its own frames, so one with little traffic may do so later.
    pub fn analyze_shards<S: Source + 'static>(&self, shards: impl IntoIterator<Item = S>) -> Events<E> {
        let stopper = Stopper::default();
        let shards = shards.into_iter().map(|source| (self.input(source), self.lanes())).collect();
        let (config, conclusion) = (self.pool.unwrap_or_default(), (self.make_conclusion)());
        let shards = Shards::start(shards, config, conclusion, stopper.clone());
        Events::new(Driver::Shards(Box::new(shards)), stopper)
    }

    fn input(&self, source: impl Source + 'static) -> Input {
        let decoding = Decoding::new(self.decode_limits, self.filter.clone());
        Input { source: Box::new(source), decoding }
    }

    fn lanes(&self) -> Lanes<E> {
        Lanes::new((self.make_analyzers)())
    }
}
