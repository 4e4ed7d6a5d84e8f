//! Reading, decoding, and who gets what.

use std::sync::Arc;

use super::super::decoding::Input;
use super::super::events::Stopper;
use super::super::lanes::Lanes;
use super::super::pool::{PoolConfig, Router};
use super::super::shared::Shared;
use super::super::spread::Spread;
use super::super::ticks::Ticks;
use super::round::{Bytes, Frames, Noted, Round, Then};
use crate::source::Behind;

/// Reads the source, a round at a time.
pub(super) struct Reader<E> {
    pub(super) input: Input,
    pub(super) dealing: Dealing<E>,
    pub(super) ticks: Ticks,
    /// Of the packet or time that was dealt last.
    pub(super) place: u64,
    pub(super) config: PoolConfig,
    pub(super) stopper: Stopper,
    pub(super) shared: Arc<Shared>,
}

/// How it is found out which worker gets a packet.
pub(super) enum Dealing<E> {
    /// By its flow, as no analyzer asks for more.
    ByFlow(Spread),
    /// As each analyzer asks for.
    AsAsked(Box<Router<E>>),
}

impl<E> Dealing<E> {
    pub(super) fn new(lanes: Lanes<E>, workers: usize) -> Self {
        if lanes.goes_by_flow() {
            Self::ByFlow(Spread::over(workers))
        } else {
            Self::AsAsked(Box::new(Router::asking(lanes, workers)))
        }
    }
}

impl<E> Reader<E> {
    /// Reads the next frames, and deals their packets.
    pub(super) fn fill(&mut self, round: &mut Round<E>) {
        // Nobody else has them yet.
        let frames = round.frames.as_mut().and_then(Arc::get_mut);
        let Some(frames) = frames else { return };
        frames.clear(&self.config);
        let Frames { block, others, parts, ticks, is_last, publishes } = frames;
        let behind = if self.stopper.is_stopped() {
            block.clear();
            Ok(Behind::End)
        } else {
            self.input.source.read_block(block)
        };
        for (index, frame) in block.frames().enumerate() {
            let (place, dealing) = (&mut self.place, &mut self.dealing);
            self.input.decoding.each(&frame, |packet| {
                *place += 1;
                let place = *place;
                let mut deal = |worker: usize, bytes, lanes| {
                    if let Some(part) = parts.get_mut(worker) {
                        part.push(Noted { place, bytes, lanes, layout: *packet.layout() });
                    }
                };
                match dealing {
                    Dealing::ByFlow(spread) => {
                        let bytes = Bytes::of(packet, index, &frame, others);
                        deal(spread.of_flow(packet).1 as usize, bytes, None);
                    }
                    Dealing::AsAsked(router) => {
                        let shares = router.route(packet).shares;
                        if !shares.is_empty() {
                            let bytes = Bytes::of(packet, index, &frame, others);
                            shares.iter().for_each(|share| deal(share.worker, bytes, Some(share.lanes)));
                        }
                    }
                }
            });
            if self.ticks.is_due(frame.captured_at) {
                self.place += 1;
                self.input.decoding.on_time(frame.captured_at);
                ticks.push((self.place, frame.captured_at));
            }
        }
        round.then = match behind {
            Ok(Behind::More) => Then::More,
            Ok(Behind::Rest) => Then::Rest,
            Ok(Behind::Idle) => Then::Idle,
            Ok(Behind::End) => Then::End(None),
            Err(failure) => Then::End(Some(failure)),
        };
        round.ticks.extend(&*ticks);
        *is_last = matches!(round.then, Then::End(_));
        *publishes = !ticks.is_empty() || !matches!(round.then, Then::More | Then::Rest);
        round.undone = parts.len();
        self.shared.publish_read(0, &self.input);
    }
}
