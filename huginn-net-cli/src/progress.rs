//! How far a run has come.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::totals::grouped;

/// Progress of a run, by the stored bytes of its captures.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    packets: Arc<AtomicU64>,
}

impl Progress {
    /// Progress that nobody sees.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), packets: Arc::default() }
    }

    /// A bar on standard error, if that is a terminal.
    pub(crate) fn shown() -> Self {
        const REDRAWN_EVERY: Duration = Duration::from_millis(200);
        const TEMPLATE: &str = "{spinner} {msg}{bytes}, {bytes_per_sec}, {packets}";
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let progress = Self { bar, packets: Arc::default() };
        progress.set_template(TEMPLATE);
        progress.bar.enable_steady_tick(REDRAWN_EVERY);
        progress
    }

    /// Says how many bytes there are to read; unknown if any input is a pipe.
    pub(crate) fn expect(&self, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_length(bytes);
        self.set_template("{msg}{percent}% of {total_bytes}, {bytes_per_sec}, {packets}, {eta} left");
    }

    fn set_template(&self, template: &str) {
        // The templates are ours; without a style the bar has that of indicatif.
        let Ok(style) = ProgressStyle::with_template(template) else { return };
        let packets = Arc::clone(&self.packets);
        self.bar.set_style(style.with_key(
            "packets",
            move |state: &ProgressState, text: &mut dyn fmt::Write| {
                let milliseconds = u64::try_from(state.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
                let rate = packets.load(Ordering::Relaxed).saturating_mul(1_000) / milliseconds;
                let _ = write!(text, "{} packets/s", grouped(rate));
            },
        ));
    }

    /// The bar, for messages beside it.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Says that so many files have been read.
    pub(crate) fn on_file(&self, done: usize, files: usize) {
        if files > 1 {
            self.bar.set_message(format!("{done} of {files} files, "));
        }
    }

    /// Says that so many stored bytes have been read.
    pub(crate) fn on_bytes(&self, count: u64) {
        self.bar.inc(count);
    }

    /// Says that so many packets have been read.
    pub(crate) fn on_packets(&self, count: u64) {
        self.packets.fetch_add(count, Ordering::Relaxed);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
