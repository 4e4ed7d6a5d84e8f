//! Captures as the command reads them: counted, limited, and ended by a signal.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};

use huginn_net::source::Read as Answer;
use huginn_net::{Source, SourceError, SourceStats};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::output::Outputs;
use crate::progress::Progress;
use crate::signals::Signals;

/// Bytes of a capture. While there are none to be had, everything is written that is known by then.
pub(crate) struct InputReader {
    file: File,
    outputs: Arc<Mutex<Outputs>>,
    signals: Signals,
    progress: Progress,
}

impl InputReader {
    pub(crate) fn new(
        file: File,
        outputs: Arc<Mutex<Outputs>>,
        signals: Signals,
        progress: Progress,
    ) -> Self {
        Self { file, outputs, signals, progress }
    }

    /// Waits for bytes or for the end of the input, which regular files always have.
    fn wait(&self) -> io::Result<()> {
        // How soon an interrupt ends the waiting.
        const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        const NONE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.is_ready(NONE)? {
            return Ok(());
        }
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner).flush();
        while !self.is_ready(PATIENCE)? {
            if self.signals.interrupted().is_some() {
                return Err(io::Error::other("interrupted"));
            }
        }
        Ok(())
    }

    fn is_ready(&self, patience: Timespec) -> io::Result<bool> {
        let file = self.file.as_fd();
        match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&patience)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Read for InputReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        let len = self.file.read(into)?;
        self.progress.on_bytes(len as u64);
        Ok(len)
    }
}

/// A source that ends early, after a number of packets or by a signal, and pauses when a summary is wanted.
pub(crate) struct Limited<S> {
    source: S,
    left: u64,
    signals: Signals,
    progress: Progress,
}

impl<S: Source> Limited<S> {
    pub(crate) fn new(source: S, left: u64, signals: Signals, progress: Progress) -> Self {
        Self { source, left, signals, progress }
    }
}

impl<S: Source> Source for Limited<S> {
    fn read(&mut self) -> Result<Answer<'_>, SourceError> {
        if self.left == 0 || self.signals.interrupted().is_some() {
            return Ok(Answer::End);
        }
        if self.signals.wants_summary() {
            return Ok(Answer::Idle);
        }
        let answer = self.source.read()?;
        if let Answer::Frame(_) = answer {
            self.left -= 1;
            self.progress.on_packet();
        }
        Ok(answer)
    }

    fn stats(&self) -> &SourceStats {
        self.source.stats()
    }

    fn is_live(&self) -> bool {
        self.source.is_live()
    }
}
