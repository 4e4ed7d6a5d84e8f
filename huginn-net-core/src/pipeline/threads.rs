//! The threads of a run, and how they ended.

use std::any::Any;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

use crate::SourceError;

/// The threads of one run, by their index.
#[derive(Default)]
pub(super) struct Threads(Vec<Option<JoinHandle<()>>>);

impl Threads {
    /// Starts a thread, which gets the next index; sends a message when the thread has ended, by a panic too.
    pub(super) fn start_with_farewell<M: Send + 'static>(
        &mut self,
        name: String,
        farewell: (Sender<M>, M),
        run: impl FnOnce() + Send + 'static,
    ) -> Result<(), SourceError> {
        let farewell = Farewell(Some(farewell));
        self.start(name, move || {
            // Dropped last, when nothing else is left to be done.
            let _farewell = farewell;
            run();
        })
    }

    /// Starts a thread, which gets the next index.
    pub(super) fn start(
        &mut self,
        name: String,
        run: impl FnOnce() + Send + 'static,
    ) -> Result<(), SourceError> {
        let thread = thread::Builder::new().name(name).spawn(run).map_err(SourceError::Thread)?;
        self.0.push(Some(thread));
        Ok(())
    }

    /// Waits for the end of a thread.
    ///
    /// # Errors
    /// It panicked.
    pub(super) fn join(&mut self, index: usize) -> Result<(), SourceError> {
        let Some(thread) = self.0.get_mut(index).and_then(Option::take) else { return Ok(()) };
        thread.join().map_err(|payload| panicked(payload.as_ref()))
    }

    /// Waits for the end of all threads, however they end.
    pub(super) fn join_all(&mut self) {
        for index in 0..self.0.len() {
            // A panic that nobody has asked for yet is told by nobody: this is called when a run is over.
            let _ = self.join(index);
        }
    }
}

/// The error that a panic is.
pub(super) fn panicked(payload: &(dyn Any + Send)) -> SourceError {
    SourceError::Panicked(text(payload).to_owned())
}

/// What a panic said, if it was text.
fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

struct Farewell<M>(Option<(Sender<M>, M)>);

impl<M> Drop for Farewell<M> {
    fn drop(&mut self) {
        if let Some((sender, message)) = self.0.take() {
            // Nobody listens any more when the run was given up.
            let _ = sender.send(message);
        }
    }
}
