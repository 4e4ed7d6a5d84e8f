//! Lines on their way to a file, a pipe or a terminal.

use core::mem;
use std::io::{self, Write};

/// Bytes of lines that are collected before they are written; whole records are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pieces(usize);

impl Pieces {
    /// Each record, for who watches.
    pub(super) const RECORDS: Self = Self(0);
    /// What a pipe holds.
    pub(super) const OF_STREAM: Self = Self(64 * 1024);
    /// The larger they are, the larger the pieces of memory in which the kernel keeps a file, but these still fit a
    /// level-2 cache with all else.
    pub(super) const OF_FILE: Self = Self(256 * 1024);
}

/// Collects lines and writes them in large pieces, the first record at once.
///
/// After an error nothing is written any more. That a reader has closed its end of a pipe is no error.
pub(super) struct Sink {
    name: String,
    lines: Vec<u8>,
    target: Box<dyn Write + Send>,
    state: State,
    pieces: Pieces,
    has_written: bool,
    /// Lines that were collected and could not be written.
    lost: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The reader went away.
    Closed,
    Failed,
}

impl Sink {
    /// A sink that has written nothing.
    pub(super) fn new(name: String, target: impl Write + Send + 'static, pieces: Pieces) -> Self {
        let lines = Vec::with_capacity(pieces.0 + pieces.0 / 4);
        Self {
            name,
            lines,
            target: Box::new(target),
            state: State::Open,
            pieces,
            has_written: false,
            lost: 0,
        }
    }

    /// What messages call it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Writes nothing any more, as the reader went away.
    pub(super) fn close(&mut self) {
        if self.is_open() {
            self.state = State::Closed;
        }
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

    /// Lines that were lost when it failed.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// Where to append lines.
    #[inline]
    pub(super) fn lines(&mut self) -> &mut Vec<u8> {
        &mut self.lines
    }

    /// Writes what has been collected if it is time to.
    #[inline]
    pub(super) fn after_record(&mut self) -> io::Result<()> {
        if self.lines.len() >= self.pieces.0 || !self.has_written { self.flush() } else { Ok(()) }
    }

    /// Takes whole records, which are written from where they lie if they are many.
    pub(super) fn append(&mut self, records: &[u8]) -> io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        if records.len() < self.pieces.0 {
            self.lines.extend_from_slice(records);
            return self.after_record();
        }
        let flushed = self.flush();
        if flushed.is_err() {
            self.lost += count(records);
        }
        flushed?;
        if self.is_open() { self.write(records) } else { Ok(()) }
    }

    /// Writes what has been collected.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.lines.is_empty() || !self.is_open() {
            return Ok(());
        }
        let mut lines = mem::take(&mut self.lines);
        let outcome = self.write(&lines);
        lines.clear();
        self.lines = lines;
        outcome
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.has_written = true;
        match write(&mut *self.target, lines) {
            Ok(()) => Ok(()),
            Err((error, _)) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.close();
                Ok(())
            }
            Err((error, rest)) => {
                self.state = State::Failed;
                self.lost += count(rest);
                Err(error)
            }
        }
    }
}

/// How many lines these are.
pub(super) fn count(lines: &[u8]) -> u64 {
    lines.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

/// Writes all of it, or tells what is left when that fails.
fn write<'l>(target: &mut dyn Write, lines: &'l [u8]) -> Result<(), (io::Error, &'l [u8])> {
    let mut rest = lines;
    while !rest.is_empty() {
        match target.write(rest) {
            Ok(0) => return Err((io::ErrorKind::WriteZero.into(), rest)),
            Ok(len) => rest = rest.get(len..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err((error, rest)),
        }
    }
    target.flush().map_err(|error| (error, rest))
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
        let mut sink = Sink::new(String::new(), target.clone(), Pieces::OF_STREAM);
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
    fn files_get_larger_pieces_of_whole_records() {
        let target = Target::with_room(9, io::ErrorKind::Other);
        let mut sink = Sink::new(String::new(), target.clone(), Pieces::OF_FILE);
        for _ in 0..30 {
            push(&mut sink, 10_000).unwrap();
        }
        assert_eq!(target.pieces(), [10_000, 270_000]);
    }

    #[test]
    fn many_records_are_written_from_where_they_lie_behind_those_before_them() {
        let target = Target::with_room(3, io::ErrorKind::Other);
        let mut sink = Sink::new(String::new(), target.clone(), Pieces::OF_STREAM);
        let records = b"record\n".repeat(10_000);
        sink.append(&records[..7]).unwrap();
        sink.append(&[]).unwrap();
        sink.append(&records[..14]).unwrap();
        assert_eq!(target.pieces(), [7]);
        sink.append(&records).unwrap();
        assert_eq!(target.pieces(), [7, 14, 70_000]);
        // Nothing more is taken.
        sink.append(&records[..7]).unwrap();
        assert!(sink.append(&records).is_err() && sink.has_failed());
        assert_eq!(sink.lost(), 10_001);
    }

    #[test]
    fn every_record_is_written_at_once_where_somebody_watches() {
        let target = Target::with_room(9, io::ErrorKind::Other);
        let mut sink = Sink::new(String::new(), target.clone(), Pieces::RECORDS);
        push(&mut sink, 10).unwrap();
        push(&mut sink, 20).unwrap();
        assert_eq!(target.pieces(), [10, 20]);
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let mut sink =
            Sink::new(String::new(), Target::with_room(0, io::ErrorKind::BrokenPipe), Pieces::OF_FILE);
        push(&mut sink, 1).unwrap();
        assert!(!sink.is_open() && !sink.has_failed());
    }

    #[test]
    fn lines_that_a_full_disk_has_no_room_for_are_counted_the_one_it_cuts_too() {
        /// Has room for 5 bytes.
        struct Disk;

        impl Write for Disk {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if bytes.starts_with(b"one\n") { Ok(5) } else { Err(io::ErrorKind::StorageFull.into()) }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let mut sink = Sink::new(String::new(), Disk, Pieces::OF_FILE);
        sink.lines().extend_from_slice(b"one\ntwo\nthree\n");
        assert_eq!(sink.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(sink.lost(), 2);
    }

    #[test]
    fn a_full_disk_is_an_error_once() {
        let mut sink =
            Sink::new(String::new(), Target::with_room(0, io::ErrorKind::StorageFull), Pieces::OF_FILE);
        assert!(push(&mut sink, 1).is_err());
        assert!(!sink.is_open() && sink.has_failed());
        sink.flush().unwrap();
    }
}
