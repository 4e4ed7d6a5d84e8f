//! Reading, decoding and analysis.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex};

use super::super::decoding::Input;
use super::super::events::Stopper;
use super::super::lanes::Lanes;
use super::super::merge::Run;
use super::super::shared::{Shared, locked};
use super::super::spread::Spread;
use super::super::ticks::Ticks;
use crate::{Read, SourceError, Timestamp};

/// A batch of events. There are as many as may be on their way at once; they go to and fro.
pub(super) struct Report<E> {
    pub(super) events: Run<E>,
    /// The times that were told, by their places, among the events.
    pub(super) ticks: VecDeque<(u64, Timestamp)>,
    /// The place of what comes next; what came before it has been analyzed.
    pub(super) before: u64,
    pub(super) then: Then,
}

/// What comes behind the events of a batch.
pub(super) enum Then {
    More,
    /// The source had nothing for the moment.
    Idle,
    /// The end behind this frame, and why if the source failed; the events are those [at the end](AT_END).
    End(u64, Option<SourceError>),
}

/// Place of events that are reported at the end.
pub(super) const AT_END: u64 = u64::MAX;

/// Frames after which a worker reports although there is little to report, for each event that it would report.
const FRAMES_PER_EVENT: u64 = 32;

impl<E> Default for Report<E> {
    fn default() -> Self {
        Self { events: Run::new(), ticks: VecDeque::new(), before: 0, then: Then::More }
    }
}

impl<E> Report<E> {
    /// Times that an empty one keeps room for.
    const TICKS_KEPT: usize = 64;

    fn is_empty(&self) -> bool {
        self.events.len() == 0 && self.ticks.is_empty()
    }

    /// Makes it ready to be filled again; memory that one moment with many events took is given back.
    pub(super) fn emptied(self) -> Self {
        let Self { mut events, mut ticks, .. } = self;
        events.clear();
        ticks.clear();
        ticks.shrink_to(Self::TICKS_KEPT);
        Self { events, ticks, ..Self::default() }
    }
}

/// How far all workers read before they ask again, so that all end behind the same frame when the run is over: what their
/// analyzers have seen belongs together then, and so do their counts.
#[derive(Default)]
pub(super) struct Horizon(Mutex<Bounds>);

#[derive(Default)]
struct Bounds {
    /// Frames that some worker may have read.
    furthest: u64,
    /// Frames behind which all end.
    end: Option<u64>,
}

impl Horizon {
    /// Frames that a worker reads before it asks again.
    const STEP: u64 = 4_096;

    /// How many frames a worker may read in all that has read so many; no more at the end of the run.
    fn after(&self, frames: u64) -> u64 {
        let mut bounds = locked(&self.0);
        bounds.end.unwrap_or_else(|| {
            let until = frames + Self::STEP;
            bounds.furthest = bounds.furthest.max(until);
            until
        })
    }

    /// Ends the run behind the last frame that a worker may have read. Gives the number of frames until then.
    fn end(&self) -> u64 {
        let mut bounds = locked(&self.0);
        let furthest = bounds.furthest;
        *bounds.end.get_or_insert(furthest)
    }

    /// Ends the run behind so many frames, as no more can be read.
    fn end_behind(&self, frames: u64) {
        let mut bounds = locked(&self.0);
        bounds.end = Some(bounds.end.map_or(frames, |end| end.min(frames)));
    }
}

/// How far a worker is.
#[derive(Default)]
pub(super) struct Position {
    /// Places so far: of packets, its own or not, and of times.
    place: u64,
    /// Frames that were read.
    frames: u64,
    /// The number of the last one.
    frame: u64,
    /// Frames that it may read before it asks.
    horizon: u64,
    /// Packets that were its own, since it reported last.
    packets: usize,
}

/// Reads the capture, and analyzes the packets of its flows.
pub(super) struct Worker<E> {
    pub(super) index: usize,
    pub(super) input: Input,
    pub(super) lanes: Lanes<E>,
    pub(super) spread: Spread,
    /// Events after which they are reported.
    pub(super) batch_events: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) stopper: Stopper,
    pub(super) horizon: Arc<Horizon>,
    pub(super) ticks: Ticks,
    pub(super) position: Position,
    /// The source or the run has ended, and why if the source failed.
    pub(super) end: Option<Option<SourceError>>,
}

impl<E> Worker<E> {
    /// Frames that it has read.
    pub(super) fn frames(&self) -> u64 {
        self.position.frames
    }

    /// Goes on until a batch is full, and tells how it went on. A batch that says that the end is reached is the last one.
    pub(super) fn fill(&mut self, mut report: Report<E>) -> Report<E> {
        if self.end.is_none() {
            report.then = self.read(&mut report);
        }
        // What was read before the end is told by itself.
        if let Some(failure) = self.end.take_if(|_| report.is_empty()) {
            let events = &mut report.events;
            self.lanes.on_end(&mut |lane, event| events.push(AT_END, lane, event));
            report.then = Then::End(self.position.frame, failure);
        }
        report.before = self.position.place + 1;
        self.shared.publish_read(self.index, &self.input);
        if let Some(progress) = self.shared.worker(self.index) {
            progress.on_batch(mem::take(&mut self.position.packets), report.events.len());
            progress.publish(|stats| self.lanes.count(stats));
        }
        report
    }

    /// Reads and analyzes until there is enough to report, or nothing to read.
    fn read(&mut self, report: &mut Report<E>) -> Then {
        let worker = u32::try_from(self.index).unwrap_or(u32::MAX);
        let frames_reported = FRAMES_PER_EVENT.saturating_mul(self.batch_events as u64);
        let report_at = self.position.frames.saturating_add(frames_reported);
        let Report { events, ticks: told, .. } = report;
        loop {
            if self.is_over() {
                self.end = Some(None);
                return Then::More;
            }
            match self.input.source.read() {
                // By reference: to copy what was just written field by field takes a wait.
                Ok(Read::Frame(ref frame)) => {
                    let (lanes, spread, position) = (&mut self.lanes, &self.spread, &mut self.position);
                    position.frames += 1;
                    position.frame = frame.number;
                    self.input.decoding.each(frame, |packet| {
                        position.place += 1;
                        let place = position.place;
                        let report = &mut |lane, event| events.push(place, lane, event);
                        position.packets += usize::from(lanes.offer_of(worker, spread, packet, report));
                    });
                    let now = frame.captured_at;
                    if self.ticks.is_due(now) {
                        position.place += 1;
                        let place = position.place;
                        told.push_back((place, now));
                        self.input.decoding.on_time(now);
                        lanes.on_time(now, &mut |lane, event| events.push(place, lane, event));
                    }
                    if events.len() >= self.batch_events || position.frames >= report_at {
                        return Then::More;
                    }
                }
                Ok(Read::Idle) => return Then::Idle,
                Ok(Read::End) => {
                    self.end = Some(None);
                    return Then::More;
                }
                Err(error) => {
                    self.horizon.end_behind(self.position.frames);
                    self.end = Some(Some(error));
                    return Then::More;
                }
            }
        }
    }

    /// Whether the run ends before the next frame.
    #[inline]
    fn is_over(&mut self) -> bool {
        (self.stopper.is_stopped() || self.position.frames >= self.position.horizon)
            && (self.shared.is_abandoned() || self.has_reached_end())
    }

    #[cold]
    fn has_reached_end(&mut self) -> bool {
        let Position { frames, horizon, .. } = &mut self.position;
        *horizon = if self.stopper.is_stopped() { self.horizon.end() } else { self.horizon.after(*frames) };
        *frames >= *horizon
    }
}
