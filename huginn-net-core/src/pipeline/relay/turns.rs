//! Who does what next.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::super::lanes::Lanes;
use super::super::merge::Run;
use super::super::pool::PoolConfig;
use super::super::shared::{Shared, locked};
use super::super::threads::panicked;
use super::reader::Reader;
use super::round::{Frames, Round, Then};
use crate::SourceError;
use crate::source::{Ahead, Claim, bytes_of};

/// Reader and workers of a run, and the rounds on their way. They are no threads, but what one goes on with: whoever has time takes
/// what is to be done next, does it, and puts it back.
pub(super) struct Turns<E> {
    state: Mutex<State<E>>,
    /// There is something to do for a thread.
    work: Condvar,
    /// The same for who takes the rounds, or the next one is done.
    news: Condvar,
    shared: Arc<Shared>,
}

struct State<E> {
    config: PoolConfig,
    /// Rounds that may be on their way.
    limit: usize,
    reading: Reading<E>,
    workers: Vec<Worker<E>>,
    /// Those that were filled and not taken, in order.
    rounds: VecDeque<Round<E>>,
    /// The number of the first of them.
    first: u64,
    /// Rounds that are being filled, or were taken and have not come back.
    away: usize,
    spare: Vec<Round<E>>,
    /// Memory that is free, and who used it last, in whose cache it is.
    memory: Vec<(Taker, Arc<Frames>)>,
    /// Jobs that somebody is at.
    busy: usize,
    panic: Option<SourceError>,
    /// Threads that have nothing to do.
    waiting: usize,
    /// Whether who takes the rounds waits, too.
    taker_waits: bool,
    is_closed: bool,
}

/// A thread, by its number, or `None`: who takes the rounds.
type Taker = Option<usize>;

/// Where rounds come from.
struct Reading<E> {
    /// `None` while somebody reads, at the end, and after a panic.
    reader: Option<Box<Reader<E>>>,
    /// Whether reading may wait.
    may_wait: bool,
    has_ended: bool,
    /// Whether there is enough for the next round in what has been read.
    has_rest: bool,
    /// What may be read ahead of the reader, if that is so and its end has not been found.
    ahead: Option<Ahead>,
    /// Bytes that are to be read ahead together.
    piece_len: usize,
    /// Those that were, or are being, in order.
    pieces: VecDeque<Piece<E>>,
    /// The number of the first of them.
    first: u64,
}

/// A piece of a source that is read ahead.
struct Piece<E> {
    by: Taker,
    /// What is to be filled with it, once it is there.
    round: Option<Round<E>>,
}

/// The analyzers of a worker.
struct Worker<E> {
    /// `None` while somebody is at it, and after a panic.
    lanes: Option<Box<Lanes<E>>>,
    /// The number of the round of which it has to analyze its part next.
    next: u64,
}

/// Something to be done.
enum Job<E> {
    /// To read a piece ahead; whether there may be another one behind it.
    ReadAhead { number: u64, claim: Claim, round: Round<E>, goes_on: bool },
    /// To fill a round.
    Fill(Box<Reader<E>>, Round<E>),
    /// To analyze the part that a worker has in a round.
    Analyze { worker: usize, number: u64, lanes: Box<Lanes<E>>, frames: Arc<Frames>, events: Run<E> },
}

impl<E> Turns<E> {
    /// So many may be at work, with who takes the rounds.
    pub(super) fn new(
        reader: Reader<E>,
        lanes: impl Iterator<Item = Lanes<E>>,
        config: PoolConfig,
        threads: usize,
    ) -> Self {
        let worker = |lanes| Worker { lanes: Some(Box::new(lanes)), next: 0 };
        let shared = Arc::clone(&reader.shared);
        let state = State {
            // One that is read and one that is analyzed by each, and some that wait to be taken.
            limit: config.queue.min(2 * threads + 2),
            reading: Reading::new(reader, &config),
            config,
            workers: lanes.map(worker).collect(),
            rounds: VecDeque::new(),
            first: 0,
            away: 0,
            spare: Vec::new(),
            memory: Vec::new(),
            busy: 0,
            panic: None,
            waiting: 0,
            taker_waits: false,
            is_closed: false,
        };
        Self { state: Mutex::new(state), work: Condvar::new(), news: Condvar::new(), shared }
    }

    /// Does what is to be done until all is, or the run is over: what a thread does.
    pub(super) fn work(&self, thread: usize) {
        let mut state = locked(&self.state);
        while !state.is_over() {
            state = match state.begin(Some(thread)) {
                Some(job) => {
                    drop(state);
                    self.go_on(job)
                }
                None => {
                    state.waiting += 1;
                    let mut state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                    state
                }
            };
        }
    }

    /// The next round, once all of it has been analyzed; whoever asks does what is to be done until then.
    ///
    /// # Errors
    /// There will be no further one, as the reader or a worker panicked.
    pub(super) fn take(&self) -> Result<Round<E>, SourceError> {
        let mut state = locked(&self.state);
        loop {
            if state.is_next_done()
                && let Some(round) = state.rounds.pop_front()
            {
                (state.first, state.away) = (state.first + 1, state.away + 1);
                return Ok(round);
            }
            state = match state.begin(None) {
                Some(job) => {
                    drop(state);
                    self.go_on(job)
                }
                None => {
                    // What others are at may be of a round before that of the panic.
                    if state.busy == 0
                        && let Some(panic) = state.panic.take()
                    {
                        return Err(panic);
                    }
                    state.taker_waits = true;
                    let mut state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.taker_waits = false;
                    state
                }
            };
        }
    }

    /// Gives a round back that was taken.
    pub(super) fn give_back(&self, mut round: Round<E>) {
        round.clear();
        let mut state = locked(&self.state);
        state.away -= 1;
        state.spare.push(round);
        if state.waiting > 0 && state.has_work() {
            self.work.notify_one();
        }
    }

    /// Has all threads end that are [at work](Self::work), behind what they are doing.
    pub(super) fn close(&self) {
        locked(&self.state).is_closed = true;
        self.work.notify_all();
    }

    /// Does what is to be done, and puts back what it was done with.
    fn go_on(&self, job: Job<E>) -> MutexGuard<'_, State<E>> {
        // What a panic has left half done is dropped.
        let done = panic::catch_unwind(AssertUnwindSafe(|| job.run(&self.shared)));
        let mut state = locked(&self.state);
        state.busy -= 1;
        match done {
            Ok(job) => state.put_back(job, &self.shared),
            Err(payload) => {
                state.panic.get_or_insert_with(|| panicked(payload.as_ref()));
            }
        }
        // To wake somebody costs as much as to analyze some packets. One is enough: whoever goes on from here takes one thing itself.
        if state.taker_waits && (state.is_next_done() || state.panic.is_some()) {
            self.news.notify_one();
        } else if state.has_work() {
            if state.waiting > 0 {
                self.work.notify_one();
            } else if state.taker_waits {
                self.news.notify_one();
            }
        }
        state
    }
}

impl<E> Job<E> {
    fn run(self, shared: &Shared) -> Self {
        match self {
            Self::ReadAhead { number, claim, mut round, .. } => {
                // Nobody else has them yet.
                let frames = round.frames.as_mut().and_then(Arc::get_mut);
                let goes_on = frames.is_some_and(|frames| frames.block.read_ahead(&claim));
                Self::ReadAhead { number, claim, round, goes_on }
            }
            Self::Fill(mut reader, mut round) => {
                reader.fill(&mut round);
                Self::Fill(reader, round)
            }
            Self::Analyze { worker, number, mut lanes, frames, mut events } => {
                if let Some(part) = frames.parts.get(worker) {
                    frames.analyze(part, &mut lanes, &mut events);
                    if let Some(progress) = shared.worker(worker) {
                        progress.on_batch(part.len(), events.len());
                        if frames.publishes {
                            progress.publish(|stats| lanes.count(stats));
                        }
                    }
                }
                Self::Analyze { worker, number, lanes, frames, events }
            }
        }
    }
}

impl<E> State<E> {
    /// Whether there is nothing more to be done for threads.
    fn is_over(&self) -> bool {
        self.is_closed || self.reading.has_ended && self.rounds.iter().all(|round| round.undone == 0)
    }

    /// Whether the next round has been analyzed.
    fn is_next_done(&self) -> bool {
        self.rounds.front().is_some_and(|round| round.undone == 0)
    }

    /// Rounds on their way that are filled, or being filled.
    fn filled(&self) -> usize {
        self.rounds.len() + self.away
    }

    /// Rounds on their way.
    fn on_their_way(&self) -> usize {
        self.filled() + self.reading.pieces.len()
    }

    /// Whether there is something to be done for a thread.
    fn has_work(&self) -> bool {
        self.reading.has_piece()
            || self.reading.can_read() && self.filled() < self.limit
            || self.reading.ahead.is_some() && self.on_their_way() < self.limit
            || (0..self.workers.len()).any(|worker| self.part_of(worker, |_| true).is_some())
    }

    /// What is to be done next by somebody: what is in the own cache, as that was read there; then to read; then what others
    /// have read.
    fn begin(&mut self, taker: Taker) -> Option<Job<E>> {
        let job = self
            .begin_to_analyze(|by| by == taker)
            .or_else(|| self.begin_to_fill_with_piece(|by| by == taker))
            .or_else(|| self.begin_to_read_ahead(taker))
            .or_else(|| self.begin_to_fill(taker))
            .or_else(|| self.begin_to_fill_with_piece(|_| true))
            .or_else(|| self.begin_to_analyze(|_| true))?;
        self.busy += 1;
        Some(job)
    }

    /// The place of the round of which a worker can analyze its part, if that is of somebody wanted.
    fn part_of(&self, worker: usize, is_wanted: impl Fn(Taker) -> bool) -> Option<usize> {
        let worker = self.workers.get(worker).filter(|worker| worker.lanes.is_some())?;
        let place = usize::try_from(worker.next.checked_sub(self.first)?).ok()?;
        self.rounds.get(place).filter(|round| is_wanted(round.by)).map(|_| place)
    }

    fn begin_to_analyze(&mut self, is_wanted: impl Fn(Taker) -> bool) -> Option<Job<E>> {
        let parts = (0..self.workers.len()).map(|worker| (worker, self.part_of(worker, &is_wanted)));
        let (index, place) = parts.filter_map(|(worker, place)| Some((worker, place?))).next()?;
        let round = self.rounds.get_mut(place)?;
        let frames = Arc::clone(round.frames.as_ref()?);
        let events = round.found.get_mut(index)?.take()?;
        let worker = self.workers.get_mut(index)?;
        let (lanes, number) = (worker.lanes.take()?, worker.next);
        worker.next += 1;
        Some(Job::Analyze { worker: index, number, lanes, frames, events })
    }

    fn begin_to_read_ahead(&mut self, taker: Taker) -> Option<Job<E>> {
        if self.on_their_way() >= self.limit {
            return None;
        }
        let reading = &mut self.reading;
        let claim = reading.ahead.as_mut()?.take(reading.piece_len);
        let number = reading.first + reading.pieces.len() as u64;
        reading.pieces.push_back(Piece { by: taker, round: None });
        Some(Job::ReadAhead { number, claim, round: self.begin_round(taker), goes_on: false })
    }

    fn begin_to_fill_with_piece(&mut self, is_wanted: impl Fn(Taker) -> bool) -> Option<Job<E>> {
        let reading = &mut self.reading;
        if !reading.has_piece() || !reading.pieces.front().is_some_and(|piece| is_wanted(piece.by)) {
            return None;
        }
        let (reader, round) = (reading.reader.take()?, reading.pieces.pop_front()?.round?);
        reading.first += 1;
        self.away += 1;
        Some(Job::Fill(reader, round))
    }

    fn begin_to_fill(&mut self, taker: Taker) -> Option<Job<E>> {
        // Who takes the rounds is not to wait for bytes while there are others to come.
        let waits = self.reading.may_wait && taker.is_none() && self.on_their_way() > 0;
        // Pieces wait for what comes before them.
        if self.filled() >= self.limit || waits || !self.reading.can_read() {
            return None;
        }
        let (reader, round) = (self.reading.reader.take()?, self.begin_round(taker));
        self.away += 1;
        Some(Job::Fill(reader, round))
    }

    fn begin_round(&mut self, taker: Taker) -> Round<E> {
        let mut round = self.spare.pop().unwrap_or_else(|| Round::new(self.config.workers));
        let own = self.memory.iter().position(|(by, _)| *by == taker);
        let memory = own.map(|own| self.memory.swap_remove(own)).or_else(|| self.memory.pop());
        let frames = memory.map_or_else(|| Arc::new(Frames::new(&self.config)), |(_, frames)| frames);
        (round.by, round.frames) = (taker, Some(frames));
        round
    }

    fn put_back(&mut self, job: Job<E>, shared: &Shared) {
        match job {
            Job::ReadAhead { number, round, goes_on, .. } => {
                if !goes_on {
                    self.reading.ahead = None;
                }
                let place = usize::try_from(number - self.reading.first).unwrap_or(usize::MAX);
                if let Some(piece) = self.reading.pieces.get_mut(place) {
                    piece.round = Some(round);
                }
            }
            Job::Fill(reader, round) => {
                self.reading.put_back(reader, &round, &self.config);
                self.away -= 1;
                self.rounds.push_back(round);
                for worker in 0..self.workers.len() {
                    if let Some(progress) = shared.worker(worker) {
                        progress.on_queued(self.rounds.len());
                    }
                }
            }
            Job::Analyze { worker, number, lanes, frames, events } => {
                drop(frames);
                let place = usize::try_from(number - self.first).unwrap_or(usize::MAX);
                if let Some(worker) = self.workers.get_mut(worker) {
                    worker.lanes = Some(lanes);
                }
                if let Some(round) = self.rounds.get_mut(place)
                    && let Some(found) = round.found.get_mut(worker)
                {
                    *found = Some(events);
                    round.undone -= 1;
                    if round.undone == 0 {
                        self.memory.extend(round.frames.take().map(|frames| (round.by, frames)));
                    }
                }
            }
        }
    }
}

impl<E> Reading<E> {
    fn new(reader: Reader<E>, config: &PoolConfig) -> Self {
        let source = &reader.input.source;
        Self {
            may_wait: source.may_wait(),
            has_ended: false,
            has_rest: false,
            ahead: source.ahead(),
            piece_len: bytes_of(config.batch_packets, source.stats()),
            pieces: VecDeque::new(),
            first: 0,
            reader: Some(Box::new(reader)),
        }
    }

    /// Whether the next piece is there and wanted, and nobody reads.
    fn has_piece(&self) -> bool {
        self.reader.is_some()
            && !self.has_rest
            && self.pieces.front().is_some_and(|piece| piece.round.is_some())
    }

    /// Whether nobody reads, and the next round takes no piece: nothing is or may be read ahead, or there is a rest.
    fn can_read(&self) -> bool {
        let takes_piece = self.ahead.is_some() || !self.pieces.is_empty();
        self.reader.is_some() && (self.has_rest || !takes_piece)
    }

    /// Takes the reader back, and what comes behind the round that it has filled.
    fn put_back(&mut self, reader: Box<Reader<E>>, round: &Round<E>, config: &PoolConfig) {
        let source = &reader.input.source;
        self.piece_len = bytes_of(config.batch_packets, source.stats());
        if let (Some(ahead), Some(of_source)) = (&mut self.ahead, source.ahead()) {
            ahead.catch_up(&of_source);
        }
        self.has_rest = matches!(round.then, Then::Rest);
        self.has_ended = matches!(round.then, Then::End(_));
        if !self.has_ended {
            self.reader = Some(reader);
        }
    }
}
