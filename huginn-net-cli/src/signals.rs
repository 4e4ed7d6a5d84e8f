//! What is asked of a run while it goes on: an interrupt ends it, SIGUSR1 asks for a summary, the clock for statistics.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use core::time::Duration;
use std::io;
use std::process;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};

use crate::exit::Outcome;
use crate::inputs::describe;
use crate::messages::Messages;

/// What has been asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals(Arc<State>);

/// Something to be told between two packets, as a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Wish {
    Summary = 1,
    Stats = 2,
}

#[derive(Debug, Default)]
struct State {
    /// Number of the signal that ended the run; 0 for none.
    ended_by: AtomicU8,
    /// Wishes that have not been taken.
    wishes: AtomicU8,
    /// How many there have been.
    wished: AtomicU64,
}

impl Signals {
    /// Starts to listen, and asks for statistics each time that an interval has passed. What is wrong has been said when this
    /// fails.
    pub(crate) fn start(stats_interval: Option<Duration>, messages: &Messages) -> Result<Self, Outcome> {
        // If nobody can listen, signals end the process as they always do.
        let signals = Self::listen(messages).unwrap_or_default();
        if let Some(interval) = stats_interval {
            signals.ask_for_stats(interval).map_err(|error| {
                messages.error(format_args!("no statistics at intervals: {}", describe(&error)));
                Outcome::OutputFailed
            })?;
        }
        Ok(signals)
    }

    /// Starts to listen. The first SIGINT or SIGTERM ends the run in order, the second one at once.
    fn listen(messages: &Messages) -> io::Result<Self> {
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
            self.ask_for_summary();
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

    /// Asks for statistics each time that so much has passed.
    fn ask_for_stats(&self, every: Duration) -> io::Result<()> {
        let asked = self.clone();
        let ask = move || {
            loop {
                thread::sleep(every);
                asked.wish(Wish::Stats);
            }
        };
        thread::Builder::new().name("interval".to_owned()).spawn(ask).map(|_| ())
    }

    /// Asks for a summary.
    pub(crate) fn ask_for_summary(&self) {
        self.wish(Wish::Summary);
    }

    fn wish(&self, wish: Wish) {
        self.0.wishes.fetch_or(wish as u8, Ordering::Relaxed);
        // Behind the wish, which is there for whoever hears of it.
        self.0.wished.fetch_add(1, Ordering::Release);
    }

    fn takes(&self, wish: Wish) -> bool {
        self.0.wishes.fetch_and(!(wish as u8), Ordering::Relaxed) & wish as u8 != 0
    }

    /// How many times it was asked that something be told.
    #[inline]
    pub(crate) fn wished(&self) -> u64 {
        self.0.wished.load(Ordering::Acquire)
    }

    /// Whether a summary has been asked for since the last call.
    pub(crate) fn takes_summary(&self) -> bool {
        self.takes(Wish::Summary)
    }

    /// Whether statistics have been asked for since the last call.
    pub(crate) fn takes_stats(&self) -> bool {
        self.takes(Wish::Stats)
    }
}
