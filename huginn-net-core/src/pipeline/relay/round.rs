//! What is read at a time, and what workers find in it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::lanes::{LaneSet, Lanes};
use super::super::merge::Run;
use super::super::pool::PoolConfig;
use crate::source::Block;
use crate::{Frame, Layout, LinkType, Packet, SourceError, Timestamp};

/// What was read together. Rounds go to and fro; there are as many as may be on their way at once.
pub(super) struct Round<E> {
    /// Shared with whoever analyzes a part; `None` once all have been analyzed.
    pub(super) frames: Option<Arc<Frames>>,
    /// What workers found; `None` while somebody analyzes the part of one.
    pub(super) found: Vec<Option<Run<E>>>,
    /// Parts that have not been analyzed.
    pub(super) undone: usize,
    /// The times that were told, by their places among the events.
    pub(super) ticks: VecDeque<(u64, Timestamp)>,
    pub(super) then: Then,
    /// The thread that read it, which has it in the cache.
    pub(super) by: Option<usize>,
}

/// What comes behind a round.
pub(super) enum Then {
    More,
    /// A round of what has been read already.
    Rest,
    /// The source had nothing for the moment.
    Idle,
    /// The end, and why if the source failed.
    End(Option<SourceError>),
}

/// Frames, and what of them each worker has to analyze.
pub(super) struct Frames {
    pub(super) block: Block,
    /// Packets that are no frame of the block, such as those put together from fragments.
    pub(super) others: Block,
    /// By worker.
    pub(super) parts: Vec<Part>,
    /// The times that all workers are told, by their places among the packets.
    pub(super) ticks: Vec<(u64, Timestamp)>,
    /// Whether workers are told the end behind all else.
    pub(super) is_last: bool,
    /// Whether workers are to tell what their analyzers have counted.
    pub(super) publishes: bool,
}

/// The packets of one worker, in order.
pub(super) type Part = Vec<Noted>;

/// A packet, of which the round has the bytes.
pub(super) struct Noted {
    pub(super) place: u64,
    pub(super) bytes: Bytes,
    /// Who wants it, if they were asked; otherwise it is offered to all.
    pub(super) lanes: Option<LaneSet>,
    pub(super) layout: Layout,
}

/// Where the bytes of a packet are: in the frame at this place.
#[derive(Clone, Copy)]
pub(super) enum Bytes {
    OfBlock(usize),
    OfOthers(usize),
}

const _: () = assert!(size_of::<Noted>() <= 96, "a round has as many as packets");

/// Place of events that are reported at the end.
pub(super) const AT_END: u64 = u64::MAX;

impl<E> Round<E> {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            frames: None,
            found: (0..workers).map(|_| Some(Run::new())).collect(),
            undone: 0,
            ticks: VecDeque::new(),
            then: Then::More,
            by: None,
        }
    }

    /// Makes it ready to be filled again; memory that one moment with many events or times took is given back.
    pub(super) fn clear(&mut self) {
        /// Times that an empty round keeps room for.
        const TICKS: usize = 64;
        self.ticks.clear();
        self.ticks.shrink_to(TICKS);
        self.found.iter_mut().flatten().for_each(Run::clear);
    }
}

impl Frames {
    pub(super) fn new(config: &PoolConfig) -> Self {
        let block = || Block::new(config.batch_packets, config.batch_bytes);
        let parts = (0..config.workers).map(|_| Part::new()).collect();
        Self { block: block(), others: block(), parts, ticks: Vec::new(), is_last: false, publishes: false }
    }

    /// Makes it ready to be filled again; memory that many packets took is given back.
    pub(super) fn clear(&mut self, config: &PoolConfig) {
        self.others.clear();
        for part in &mut self.parts {
            part.clear();
            part.shrink_to(config.batch_packets.saturating_mul(2));
        }
        self.ticks.clear();
        (self.is_last, self.publishes) = (false, false);
    }

    fn get(&self, bytes: Bytes) -> Option<Frame<'_>> {
        match bytes {
            Bytes::OfBlock(index) => self.block.get(index),
            Bytes::OfOthers(index) => self.others.get(index),
        }
    }

    /// Does what is to be done for a worker, and collects events.
    pub(super) fn analyze<E>(&self, part: &Part, lanes: &mut Lanes<E>, events: &mut Run<E>) {
        let mut ticks = self.ticks.iter().peekable();
        for Noted { place, bytes, lanes: set, layout } in part {
            while let Some(&(at, now)) = ticks.next_if(|(at, _)| at < place) {
                lanes.on_time(now, &mut |lane, event| events.push(at, lane, event));
            }
            // The frame is there: it was noted with the packet.
            let Some(frame) = self.get(*bytes) else { continue };
            let packet = Packet::from_layout(&frame, *layout);
            let report = |lane, event| events.push(*place, lane, event);
            match set {
                Some(set) => lanes.on_packet(&packet, *set, report),
                None => lanes.offer_each(&packet, report),
            }
        }
        for &(at, now) in ticks {
            lanes.on_time(now, &mut |lane, event| events.push(at, lane, event));
        }
        if self.is_last {
            lanes.on_end(&mut |lane, event| events.push(AT_END, lane, event));
        }
    }
}

impl Bytes {
    /// Puts the bytes of a packet where they stay, if they are not those of its frame, which is this one of the block.
    #[inline]
    pub(super) fn of(packet: &Packet<'_>, index: usize, frame: &Frame<'_>, others: &mut Block) -> Self {
        if std::ptr::eq(packet.bytes(), frame.bytes) {
            return Self::OfBlock(index);
        }
        let (captured_at, number) = (packet.captured_at(), packet.number());
        others.push(&Frame { captured_at, number, ..Frame::new(packet.bytes(), LinkType::RAW) });
        Self::OfOthers(others.len() - 1)
    }
}
