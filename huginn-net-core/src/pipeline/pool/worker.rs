//! The threads that analyze.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use super::super::lanes::Lanes;
use super::super::shared::Shared;
use super::batch::Batch;
use super::round::Message;

/// Analyzes batches until no more will come.
pub(super) fn work<E>(
    mut lanes: Lanes<E>,
    batches: &Receiver<Batch<E>>,
    merger: &Sender<Message<E>>,
    shared: &Arc<Shared>,
) {
    for mut batch in batches {
        if shared.is_abandoned() {
            return;
        }
        batch.analyze(&mut lanes);
        if let Some(progress) = shared.worker(batch.worker) {
            progress.on_place(batch.place);
            progress.on_batch(batch.packets(), batch.events.len());
            if batch.publishes {
                progress.publish(|stats| lanes.count(stats));
            }
        }
        if merger.send(Message::Done(batch)).is_err() {
            return;
        }
    }
}
