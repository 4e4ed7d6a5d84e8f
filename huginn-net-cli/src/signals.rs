//! Signals: an interrupt ends the run, SIGUSR1 asks for a summary.

use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::io;
use std::process;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};

use crate::exit::Outcome;
use crate::messages::Messages;

/// What signals have asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Number of the signal that ended the run; 0 for none.
    ended_by: AtomicU8,
    summary: AtomicBool,
}

impl Signals {
    /// Starts to listen. The first SIGINT or SIGTERM ends the run in order, the second one at once.
    pub(crate) fn listen(messages: &Messages) -> io::Result<Self> {
        let signals = Self::default();
        let mut arriving = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGUSR1])?;
        let (of_thread, messages) = (signals.clone(), messages.clone());
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in arriving.forever() {
                of_thread.on_signal(signal, &messages);
            }
        })?;
        Ok(signals)
    }

    fn on_signal(&self, signal: i32, messages: &Messages) {
        if signal == SIGUSR1 {
            self.0.summary.store(true, Ordering::Relaxed);
            return;
        }
        let number = u8::try_from(signal).unwrap_or(u8::MAX);
        if self.interrupt(number) {
            messages.error("interrupted; once more to stop without writing what has been read");
        } else {
            process::exit(Outcome::Interrupted(number).status().into());
        }
    }

    /// Ends the run, as this signal does; whether it was still running.
    fn interrupt(&self, number: u8) -> bool {
        self.0.ended_by.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// How the run ends if a signal has ended it.
    #[inline]
    pub(crate) fn interrupted(&self) -> Option<Outcome> {
        match self.0.ended_by.load(Ordering::Relaxed) {
            0 => None,
            number => Some(Outcome::Interrupted(number)),
        }
    }

    /// Whether a summary is asked for and has not been taken.
    #[inline]
    pub(crate) fn wants_summary(&self) -> bool {
        self.0.summary.load(Ordering::Relaxed)
    }

    /// Whether a summary has been asked for since the last call.
    pub(crate) fn takes_summary(&self) -> bool {
        self.0.summary.swap(false, Ordering::Relaxed)
    }
}
