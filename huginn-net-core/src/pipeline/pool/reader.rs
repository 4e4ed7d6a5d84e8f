//! The thread that reads: decodes each frame once and deals its packets to workers.

use std::sync::Arc;

use super::super::decoding::Input;
use super::super::events::Stopper;
use super::super::shared::Shared;
use super::super::ticks::Ticks;
use super::dealer::{Closed, Dealer};
use super::round::Then;
use crate::{Read, SourceError};

/// Reads until the source or the run ends.
pub(super) struct Reader<E> {
    pub(super) input: Input,
    pub(super) dealer: Dealer<E>,
    pub(super) stopper: Stopper,
    pub(super) shared: Arc<Shared>,
}

impl<E> Reader<E> {
    pub(super) fn run(mut self) {
        // Whoever closed the channels knows why.
        let _ = self.read_all();
    }

    fn read_all(&mut self) -> Result<(), Closed> {
        let mut ticks = Ticks::default();
        loop {
            if self.stopper.is_stopped() {
                return self.end(None);
            }
            let dealer = &mut self.dealer;
            match self.input.source.read() {
                // By reference: to copy what was just written field by field takes a wait.
                Ok(Read::Frame(ref frame)) => {
                    let now = frame.captured_at;
                    let mut dealt = Ok(());
                    self.input.decoding.each(frame, |packet| {
                        if dealt.is_ok() {
                            dealt = dealer.deal(packet);
                        }
                    });
                    dealt?;
                    if ticks.is_due(now) {
                        self.input.decoding.on_time(now);
                        dealer.tick(now)?;
                    }
                    if dealer.is_round_over(now) {
                        self.flush(Then::More)?;
                    }
                }
                Ok(Read::Idle) => {
                    dealer.ask_for_counts()?;
                    self.flush(Then::Idle)?;
                }
                Ok(Read::End) => return self.end(None),
                Err(error) => return self.end(Some(error)),
            }
        }
    }

    fn end(&mut self, failure: Option<SourceError>) -> Result<(), Closed> {
        let place = self.dealer.end()?;
        self.flush(Then::End(place, failure))
    }

    fn flush(&mut self, then: Then) -> Result<(), Closed> {
        self.shared.publish_read(0, &self.input);
        self.dealer.flush(then)
    }
}
