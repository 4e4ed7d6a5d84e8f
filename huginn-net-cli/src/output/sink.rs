//! Lines on their way to a file, a pipe or a terminal.

use std::io::{self, Write};

/// Bytes that are collected before they are written.
const FULL: usize = 64 * 1024;

/// Collects lines and writes them in large pieces, the first record and those for a terminal at once.
///
/// After an error nothing is written any more. That a reader has closed its end of a pipe is no error.
pub(super) struct Sink {
    name: String,
    lines: Vec<u8>,
    target: Box<dyn Write + Send>,
    state: State,
    by_record: bool,
    has_written: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The reader went away.
    Closed,
    Failed,
}

impl Sink {
    /// A sink; `by_record` if each record is to be written at once.
    pub(super) fn new(name: String, target: impl Write + Send + 'static, by_record: bool) -> Self {
        let lines = Vec::with_capacity(FULL + FULL / 4);
        Self { name, lines, target: Box::new(target), state: State::Open, by_record, has_written: false }
    }

    /// What messages call it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether lines still get anywhere.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Whether it was lost otherwise than by its reader going away.
    pub(super) fn has_failed(&self) -> bool {
        self.state == State::Failed
    }

    /// Where to append lines.
    #[inline]
    pub(super) fn lines(&mut self) -> &mut Vec<u8> {
        &mut self.lines
    }

    /// Writes what has been collected if it is time to.
    #[inline]
    pub(super) fn after_record(&mut self) -> io::Result<()> {
        if self.lines.len() >= FULL || self.by_record || !self.has_written { self.flush() } else { Ok(()) }
    }

    /// Writes what has been collected.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.lines.is_empty() || self.state != State::Open {
            return Ok(());
        }
        let written = self.target.write_all(&self.lines).and_then(|()| self.target.flush());
        self.lines.clear();
        self.has_written = true;
        match written {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.state = State::Closed;
                Ok(())
            }
            Err(error) => {
                self.state = State::Failed;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Remembers each piece written, and fails after so many.
    #[derive(Clone)]
    struct Target {
        pieces: Arc<Mutex<Vec<usize>>>,
        room: usize,
        failure: io::ErrorKind,
    }

    impl Target {
        fn with_room(room: usize, failure: io::ErrorKind) -> Self {
            Self { pieces: Arc::default(), room, failure }
        }

        fn pieces(&self) -> Vec<usize> {
            self.pieces.lock().unwrap().clone()
        }
    }

    impl Write for Target {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut pieces = self.pieces.lock().unwrap();
            if pieces.len() == self.room {
                return Err(self.failure.into());
            }
            pieces.push(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn push(sink: &mut Sink, len: usize) -> io::Result<()> {
        let lines = sink.lines();
        lines.resize(lines.len() + len, b'x');
        sink.after_record()
    }

    #[test]
    fn the_first_record_is_written_at_once_and_later_ones_together() {
        let target = Target::with_room(9, io::ErrorKind::Other);
        let mut sink = Sink::new(String::new(), target.clone(), false);
        push(&mut sink, 10).unwrap();
        assert_eq!(target.pieces(), [10]);
        for _ in 0..7 {
            push(&mut sink, 10_000).unwrap();
        }
        assert_eq!(target.pieces(), [10, 70_000]);
        push(&mut sink, 5).unwrap();
        sink.flush().unwrap();
        assert_eq!(target.pieces(), [10, 70_000, 5]);
    }

    #[test]
    fn every_record_is_written_at_once_where_somebody_watches() {
        let target = Target::with_room(9, io::ErrorKind::Other);
        let mut sink = Sink::new(String::new(), target.clone(), true);
        push(&mut sink, 10).unwrap();
        push(&mut sink, 20).unwrap();
        assert_eq!(target.pieces(), [10, 20]);
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let mut sink = Sink::new(String::new(), Target::with_room(0, io::ErrorKind::BrokenPipe), false);
        push(&mut sink, 1).unwrap();
        assert!(!sink.is_open() && !sink.has_failed());
    }

    #[test]
    fn a_full_disk_is_an_error_once() {
        let mut sink = Sink::new(String::new(), Target::with_room(0, io::ErrorKind::StorageFull), false);
        assert!(push(&mut sink, 1).is_err());
        assert!(!sink.is_open() && sink.has_failed());
        sink.flush().unwrap();
    }
}
