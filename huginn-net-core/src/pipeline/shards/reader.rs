//! The threads that read, decode and analyze.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use super::super::decoding::Input;
use super::super::events::Stopper;
use super::super::lanes::{Lanes, put_in_order};
use super::super::pool::PoolConfig;
use super::super::shared::Shared;
use super::super::ticks::Ticks;
use crate::{Located, Read, SourceError, Timestamp};

/// Events after which a shard tells them.
pub(super) const EVENTS_TOLD: usize = 512;

/// Capture time, and the number of the frame in its source.
pub(super) type Position = (Timestamp, u64);

/// From the threads to the one who merges, with the index of the shard.
pub(super) enum Message<E> {
    Report(usize, Report<E>),
    Gone(usize),
}

/// What a shard has to tell. There are as many as may be on their way at once; they go to and fro.
pub(super) struct Report<E> {
    pub(super) events: VecDeque<(Position, E)>,
    /// Where the shard has got to.
    pub(super) position: Position,
    /// The source had nothing for the moment.
    pub(super) is_idle: bool,
    pub(super) end: Option<End<E>>,
}

/// What is left to say at the end.
pub(super) struct End<E> {
    pub(super) events: Vec<(usize, E)>,
    pub(super) failure: Option<SourceError>,
}

impl<E> Default for Report<E> {
    fn default() -> Self {
        Self { events: VecDeque::new(), position: Position::default(), is_idle: false, end: None }
    }
}

/// Reads until the source or the run ends.
pub(super) struct Reader<E> {
    pub(super) index: usize,
    pub(super) input: Input,
    pub(super) lanes: Lanes<E>,
    pub(super) config: PoolConfig,
    pub(super) report: Report<E>,
    /// Empty reports. The one that came back last is taken first, while its memory is still in the cache.
    pub(super) spare: Vec<Report<E>>,
    pub(super) returned: Receiver<Report<E>>,
    pub(super) merger: Sender<Message<E>>,
    pub(super) shared: Arc<Shared>,
    pub(super) stopper: Stopper,
}

/// Nobody takes events any more.
struct Closed;

impl<E: Located> Reader<E> {
    pub(super) fn run(mut self) {
        // Whoever closed the channels knows why.
        let _ = self.read_all();
    }

    fn read_all(&mut self) -> Result<(), Closed> {
        let (is_live, mut ticks, mut told_at) = (self.input.source.is_live(), Ticks::default(), None);
        let mut together = Vec::new();
        let mut packets = 0;
        loop {
            if self.stopper.is_stopped() {
                return self.end(packets, None);
            }
            match self.input.source.read() {
                // By reference: to copy what was just written field by field takes a wait.
                Ok(Read::Frame(ref frame)) => {
                    let now = frame.captured_at;
                    let (lanes, report, position) = (&mut self.lanes, &mut self.report, (now, frame.number));
                    report.position = position;
                    self.input.decoding.each(frame, |packet| {
                        packets += 1;
                        lanes.offer(packet, &mut |event| report.events.push_back((position, event)));
                    });
                    let has_told = *told_at.get_or_insert(now);
                    let is_tick = ticks.is_due(now);
                    if is_tick {
                        self.input.decoding.on_time(now);
                        self.lanes.on_time(now, &mut |lane, event| together.push((lane, event)));
                        put_in_order(&mut together);
                        let events = together.drain(..).map(|(_, event)| (position, event));
                        self.report.events.extend(events);
                    }
                    let is_late = is_live && now.abs_diff(has_told) >= self.config.linger;
                    if is_tick || is_late || self.report.events.len() >= EVENTS_TOLD {
                        told_at = Some(now);
                        self.tell(mem::take(&mut packets), is_tick)?;
                    }
                }
                Ok(Read::Idle) => {
                    self.report.is_idle = true;
                    self.tell(mem::take(&mut packets), true)?;
                }
                Ok(Read::End) => return self.end(packets, None),
                Err(error) => return self.end(packets, Some(error)),
            }
        }
    }

    fn end(&mut self, packets: usize, failure: Option<SourceError>) -> Result<(), Closed> {
        let mut events = Vec::new();
        self.lanes.on_end(&mut |lane, event| events.push((lane, event)));
        self.report.end = Some(End { events, failure });
        self.tell(packets, true)
    }

    /// Sends the report, and waits for an empty one.
    fn tell(&mut self, packets: usize, with_counts: bool) -> Result<(), Closed> {
        self.shared.publish_read(self.index, &self.input);
        if let Some(progress) = self.shared.worker(self.index) {
            let at_end = self.report.end.as_ref().map_or(0, |end| end.events.len());
            progress.on_batch(packets, self.report.events.len() + at_end);
            if with_counts {
                progress.publish(|stats| self.lanes.count(stats));
            }
        }
        let is_end = self.report.end.is_some();
        let position = self.report.position;
        let report = mem::take(&mut self.report);
        self.merger.send(Message::Report(self.index, report)).map_err(|_| Closed)?;
        if !is_end {
            self.spare.extend(self.returned.try_iter());
            self.report = match self.spare.pop() {
                Some(report) => report,
                None => self.returned.recv().map_err(|_| Closed)?,
            };
            self.report.position = position;
        }
        Ok(())
    }
}
