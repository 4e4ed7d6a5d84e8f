//! The threads that read, decode and analyze.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use super::super::decoding::Input;
use super::super::events::Stopper;
use super::super::lanes::Lanes;
use super::super::merge::Run;
use super::super::shared::Shared;
use super::super::spread::Spread;
use super::super::ticks::Ticks;
use crate::{Read, SourceError, Timestamp};

/// From a worker to who merges.
pub(super) enum Message<E> {
    Told(Told<E>),
    /// The thread has ended.
    Gone,
}

/// A batch of events. There are as many as may be on their way at once; they go to and fro.
pub(super) struct Told<E> {
    pub(super) events: Run<E>,
    /// The place of what comes next; what came before it has been analyzed.
    pub(super) before: u64,
    pub(super) then: Then,
}

/// What comes behind the events of a batch.
pub(super) enum Then {
    More,
    /// The source had nothing for the moment.
    Idle,
    /// The time was told, at the place that comes next, and its events are there.
    Time(Timestamp),
    /// The end behind this frame, and why if the source failed; the events are those [at the end](AT_END).
    End(u64, Option<SourceError>),
}

/// Place of events that are reported at the end.
pub(super) const AT_END: u64 = u64::MAX;

/// Packets after which a worker tells how far it is although there is little to tell, for each event that it would tell.
const PACKETS_PER_EVENT: u64 = 32;

impl<E> Default for Told<E> {
    fn default() -> Self {
        Self { events: Run::new(), before: 0, then: Then::More }
    }
}

impl<E> Told<E> {
    /// Events that an empty batch keeps room for.
    const EVENTS_KEPT: usize = 1_024;

    /// Makes it ready to be filled again; memory that one moment with many events took is given back.
    pub(super) fn emptied(self) -> Self {
        let mut events = self.events;
        events.clear(Self::EVENTS_KEPT);
        Self { events, ..Self::default() }
    }
}

/// How far a worker is.
#[derive(Default)]
pub(super) struct Position {
    /// Places so far: of packets, its own or not, and of times.
    place: u64,
    /// When it was told.
    told: u64,
    /// Frames that were read.
    frames: u64,
    /// The number of the last one.
    frame: u64,
    /// Packets that were its own, since it told last.
    packets: usize,
}

/// Reads until the source or the run ends.
pub(super) struct Reader<E> {
    pub(super) index: usize,
    pub(super) input: Input,
    pub(super) lanes: Lanes<E>,
    pub(super) spread: Spread,
    /// Events after which they are told.
    pub(super) batch_events: usize,
    pub(super) told: Told<E>,
    /// Empty batches. The one that came back last is taken first, while its memory is still in the cache.
    pub(super) spare: Vec<Told<E>>,
    /// How many batches there are, with those on their way.
    pub(super) batches: usize,
    pub(super) returned: Receiver<Told<E>>,
    pub(super) merger: Sender<Message<E>>,
    pub(super) shared: Arc<Shared>,
    pub(super) stopper: Stopper,
    /// Frames after which all end, whoever has seen first that the run is over.
    pub(super) ends_at: Arc<AtomicU64>,
    pub(super) position: Position,
}

/// Nobody takes events any more.
struct Closed;

impl<E> Reader<E> {
    pub(super) fn run(mut self) {
        // Whoever closed the channels knows why.
        let _ = self.read_all();
    }

    fn read_all(&mut self) -> Result<(), Closed> {
        let mut ticks = Ticks::default();
        let worker = u32::try_from(self.index).unwrap_or(u32::MAX);
        let packets_told = PACKETS_PER_EVENT.saturating_mul(self.batch_events as u64);
        loop {
            if self.is_over() {
                return self.end(None);
            }
            match self.input.source.read() {
                // By reference: to copy what was just written field by field takes a wait.
                Ok(Read::Frame(ref frame)) => {
                    let (lanes, spread, position) = (&mut self.lanes, &self.spread, &mut self.position);
                    let events = &mut self.told.events;
                    position.frames += 1;
                    position.frame = frame.number;
                    self.input.decoding.each(frame, |packet| {
                        position.place += 1;
                        let place = position.place;
                        let report = &mut |lane, event| events.push(place, lane, event);
                        position.packets += usize::from(lanes.offer_of(worker, spread, packet, report));
                    });
                    let now = frame.captured_at;
                    if ticks.is_due(now) {
                        self.input.decoding.on_time(now);
                        self.on_time(now)?;
                    } else if events.len() >= self.batch_events
                        || position.place - position.told >= packets_told
                    {
                        self.tell(Then::More)?;
                    }
                }
                Ok(Read::Idle) => self.tell(Then::Idle)?,
                Ok(Read::End) => return self.end(None),
                Err(error) => {
                    self.end_all();
                    return self.end(Some(error));
                }
            }
        }
    }

    /// Whether the run was ended before this frame.
    #[inline]
    fn is_over(&self) -> bool {
        if self.stopper.is_stopped() {
            self.end_all();
        }
        self.position.frames >= self.ends_at.load(Ordering::Relaxed)
    }

    /// Has all workers end here, or where another one ends before.
    #[cold]
    fn end_all(&self) {
        self.ends_at.fetch_min(self.position.frames, Ordering::Relaxed);
    }

    fn on_time(&mut self, now: Timestamp) -> Result<(), Closed> {
        self.position.place += 1;
        let (place, events) = (self.position.place, &mut self.told.events);
        self.lanes.on_time(now, &mut |lane, event| events.push(place, lane, event));
        self.tell_at(place, Then::Time(now))
    }

    fn end(&mut self, failure: Option<SourceError>) -> Result<(), Closed> {
        if self.told.events.len() > 0 {
            self.tell(Then::More)?;
        }
        let events = &mut self.told.events;
        self.lanes.on_end(&mut |lane, event| events.push(AT_END, lane, event));
        self.tell(Then::End(self.position.frame, failure))
    }

    /// Tells what there is, behind which something follows that has no place itself.
    fn tell(&mut self, then: Then) -> Result<(), Closed> {
        self.tell_at(self.position.place + 1, then)
    }

    /// Sends what there is, and waits for an empty batch.
    fn tell_at(&mut self, before: u64, then: Then) -> Result<(), Closed> {
        self.spare.extend(self.returned.try_iter());
        self.shared.publish_read(self.index, &self.input);
        if let Some(progress) = self.shared.worker(self.index) {
            progress.on_batch(mem::take(&mut self.position.packets), self.told.events.len());
            progress.on_queued(self.batches - self.spare.len());
            if !matches!(then, Then::More) {
                progress.publish(|stats| self.lanes.count(stats));
            }
        }
        self.position.told = self.position.place;
        let is_end = matches!(then, Then::End(..));
        let told = Told { before, then, ..mem::take(&mut self.told) };
        self.merger.send(Message::Told(told)).map_err(|_| Closed)?;
        if !is_end {
            if self.spare.is_empty() {
                // For half of them: to wake a thread costs as much as to fill a good part of a batch.
                self.spare.extend(self.returned.iter().take(self.batches.div_ceil(2)));
            }
            self.told = self.spare.pop().ok_or(Closed)?;
        }
        Ok(())
    }
}
