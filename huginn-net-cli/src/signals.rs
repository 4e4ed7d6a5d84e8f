//! What is asked of a run while it goes on: SIGINT, SIGTERM and SIGHUP end it, SIGUSR1 asks for a summary, the clock for
//! statistics.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use core::time::Duration;
use std::fs;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
use signal_hook::low_level::exit;

use crate::exit::Outcome;
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

/// What SIGHUP does, which comes when a terminal goes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hangup {
    /// It ends the run as SIGTERM does.
    EndsRun,
    /// What it did before: nothing, if whoever started the process had it ignored, as `nohup` does.
    LeftAlone,
}

impl Hangup {
    /// Ends the run unless it is ignored. Linux tells that in a file; elsewhere it cannot be asked for without unsafe code.
    pub(crate) fn of_process() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Self::by_status(&status)
    }

    /// By the signals that are ignored, as bits of a hexadecimal number (proc_pid_status(5)).
    fn by_status(status: &str) -> Self {
        const BIT: u64 = 1 << (SIGHUP - 1);
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        match ignored.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok()) {
            Some(signals) if signals & BIT == 0 => Self::EndsRun,
            _ => Self::LeftAlone,
        }
    }
}

/// Lets a write that goes over the limit for the size of files fail, which is told, instead of ending the process.
pub(crate) fn outlive_file_size_limit() {
    // If that is refused, the process ends as it did.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
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
    pub(crate) fn start(
        stats_interval: Option<Duration>,
        hangup: Hangup,
        messages: &Messages,
    ) -> Result<Self, Outcome> {
        // If nobody can listen, signals end the process as they always do.
        let signals = Self::listen(hangup, messages).unwrap_or_default();
        if let Some(interval) = stats_interval {
            signals.ask_for_stats(interval).map_err(|error| {
                messages.failed("no statistics at intervals", &error);
                Outcome::OutputFailed
            })?;
        }
        Ok(signals)
    }

    /// Starts to listen. The first signal that ends the run does so in order, the second one at once.
    fn listen(hangup: Hangup, messages: &Messages) -> io::Result<Self> {
        let signals = Self::default();
        let mut arriving = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGUSR1])?;
        if hangup == Hangup::EndsRun {
            arriving.add_signal(SIGHUP)?;
        }
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
        if self.interrupted().is_none() {
            say_interrupted(messages.clone());
        }
        let number = u8::try_from(signal).unwrap_or(u8::MAX);
        if self.interrupt(number) {
            // Without what a process does at its end: that writes what is left for standard output, and may wait for ever.
            exit(Outcome::Interrupted(number).status().into());
        }
    }

    /// Ends the run, as this signal does: nothing more is read, and what was read is written. Whether it is to be over at once,
    /// as one signal has done that before. SIGHUP may come twice by itself, from the terminal and from the shell, so that
    /// the second one shows nobody's impatience.
    pub(crate) fn interrupt(&self, number: u8) -> bool {
        match self.0.ended_by.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {
                self.0.wished.fetch_add(1, Ordering::Release);
                false
            }
            Err(_) => i32::from(number) != SIGHUP,
        }
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
        // Release: whoever sees the new count also sees the wish.
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

/// Says that the run ends, before it does, unless nobody reads what is said: the next signal is to be heard all the same.
fn say_interrupted(messages: Messages) {
    const PATIENCE: Duration = Duration::from_millis(50);
    let (said, is_said) = mpsc::channel();
    let say = move || {
        messages.error("interrupted; once more to stop without writing what has been read");
        // Whoever waited for it may have gone on.
        let _ = said.send(());
    };
    // Without a thread for it, nothing is said.
    if thread::Builder::new().name("interrupted".to_owned()).spawn(say).is_ok() {
        let _ = is_said.recv_timeout(PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_signal_ends_a_run_at_once_unless_it_is_one_that_comes_twice_by_itself() {
        let [interrupt, hangup] = [SIGINT, SIGHUP].map(|signal| u8::try_from(signal).unwrap());
        let signals = Signals::default();
        let is_over = [hangup, hangup, interrupt].map(|signal| signals.interrupt(signal));
        assert_eq!(is_over, [false, false, true]);
        assert_eq!(signals.interrupted().map(Outcome::status), Some(129));
    }

    #[test]
    fn a_hangup_ends_a_run_only_where_it_is_known_not_to_be_ignored() {
        for (status, hangup) in [
            ("Name:\tx\nSigIgn:\t0000000000001000\n", Hangup::EndsRun),
            ("Name:\tx\nSigIgn:\t0000000000001001\n", Hangup::LeftAlone),
            ("SigIgn:\tnone\n", Hangup::LeftAlone),
            ("", Hangup::LeftAlone),
        ] {
            assert_eq!(Hangup::by_status(status), hangup, "{status}");
        }
    }
}
