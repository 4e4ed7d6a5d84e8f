//! Captures as the command reads them: counted, limited, and ended by a signal.

use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use huginn_net::source::{Ahead, Behind, Block, Read as Answer, ReadAt};
use huginn_net::{CaptureFile, Source, SourceError, SourceStats};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::count::Counter;
use crate::lock;
use crate::messages::{Messages, describe};
use crate::output::Outputs;
use crate::progress::Progress;
use crate::signals::Signals;
use crate::totals::Totals;

/// Bytes of a capture. While there are none to be had, everything is written that is known by then, and summaries and
/// statistics are given of what was known when the waiting began.
pub(crate) struct InputReader {
    file: File,
    /// Whether bytes may be long in coming, as those of a pipe; a regular file has all of them.
    may_wait: bool,
    /// Bytes read so far.
    bytes: u64,
    outputs: Arc<Mutex<Outputs>>,
    signals: Signals,
    progress: Progress,
    so_far: Arc<SoFar>,
}

impl InputReader {
    pub(crate) fn new(
        file: File,
        outputs: Arc<Mutex<Outputs>>,
        signals: Signals,
        progress: Progress,
        so_far: Arc<SoFar>,
    ) -> Self {
        let may_wait = !file.metadata().is_ok_and(|metadata| metadata.is_file());
        so_far.set_last(false);
        Self { file, may_wait, bytes: 0, outputs, signals, progress, so_far }
    }

    /// A capture of these bytes.
    pub(crate) fn capture(mut self) -> Result<CaptureFile, SourceError> {
        match self.file.stream_position() {
            Ok(start) if !self.may_wait => CaptureFile::from_read_at(RegularReader { start, reader: self }),
            _ => CaptureFile::from_reader(self),
        }
    }

    /// Whether it waits for bytes, and takes hold of the outputs to write what is known by then.
    pub(crate) fn may_wait(&self) -> bool {
        self.may_wait
    }

    /// Fails if a signal has ended the run, or what is found has nowhere to go. Whoever looks for the next packet in gigabytes of
    /// garbage hears of it here alone.
    fn go_on(&self) -> io::Result<()> {
        if self.so_far.is_abandoned() {
            return Err(io::Error::other("nobody takes what would be found"));
        }
        if self.signals.interrupted().is_some() {
            return Err(io::Error::other("interrupted"));
        }
        Ok(())
    }

    /// Waits for bytes or for the end of the input.
    fn wait(&mut self) -> io::Result<()> {
        // How soon a signal ends the waiting.
        const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        if self.is_ready(NO_PATIENCE)? {
            return Ok(());
        }
        self.outputs().flush();
        while !self.is_ready(PATIENCE)? {
            self.go_on()?;
            self.outputs().look_for_reader();
            if self.outputs().is_closed() {
                return Err(io::Error::other("nobody reads what would be written"));
            }
            if self.signals.takes_summary() {
                self.so_far.say();
            }
            if self.signals.takes_stats() {
                let mut outputs = self.outputs();
                self.so_far.write(&mut outputs);
                outputs.flush();
            }
        }
        Ok(())
    }

    fn outputs(&self) -> MutexGuard<'_, Outputs> {
        lock(&self.outputs)
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

const NO_PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

impl Read for InputReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.go_on()?;
        let len = loop {
            if self.may_wait {
                self.wait()?;
            }
            match self.file.read(into) {
                // Somebody else who reads the same pipe was faster.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => break read.map_err(|error| at_byte(error, self.bytes))?,
            }
        };
        self.bytes += len as u64;
        self.progress.on_bytes(len as u64);
        if self.may_wait {
            self.so_far.set_last(!self.is_ready(NO_PATIENCE)?);
        }
        Ok(len)
    }
}

/// The same of a regular file, which several threads may read at a time.
struct RegularReader {
    reader: InputReader,
    /// Where the file stood when it was given.
    start: u64,
}

impl ReadAt for RegularReader {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        self.reader.go_on()?;
        let len =
            self.reader.file.read_at(into, self.start + offset).map_err(|error| at_byte(error, offset))?;
        self.reader.progress.on_bytes(len as u64);
        Ok(len)
    }
}

/// A disk that fails in the middle has records before that.
fn at_byte(error: io::Error, byte: u64) -> io::Error {
    if byte == 0 {
        return error;
    }
    io::Error::new(error.kind(), format!("{} at byte {byte}", describe(&error)))
}

/// What is known while a capture is read, for summaries and statistics in between.
pub(crate) struct SoFar {
    totals: Mutex<Totals>,
    /// Whether the bytes read last are all there were, so that the next packet may be long in coming.
    is_last: AtomicBool,
    /// Nobody takes any more what is found.
    is_abandoned: AtomicBool,
    started: Instant,
    messages: Messages,
}

impl SoFar {
    pub(crate) fn new(started: Instant, messages: Messages) -> Self {
        Self {
            totals: Mutex::default(),
            is_last: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            started,
            messages,
        }
    }

    /// Sets what is known.
    pub(crate) fn set(&self, totals: Totals) {
        *self.totals() = totals;
    }

    /// Gives a summary.
    pub(crate) fn say(&self) {
        let totals = self.totals();
        self.messages.say(totals.summary(self.started.elapsed()));
    }

    /// Writes statistics.
    pub(crate) fn write(&self, outputs: &mut Outputs) {
        let mut totals = self.totals();
        totals.dropped = outputs.dropped();
        outputs.stats(&totals);
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        lock(&self.totals)
    }

    /// Ends all reading, as nobody takes any more what is found.
    pub(crate) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }

    fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed)
    }

    fn set_last(&self, is_last: bool) {
        self.is_last.store(is_last, Ordering::Relaxed);
    }

    fn is_last(&self) -> bool {
        self.is_last.load(Ordering::Relaxed)
    }
}

/// A capture that ends early, after a number of packets or by a signal.
///
/// It is idle for a moment when something is to be told, and behind each packet that may be the last one for a while, as no
/// other one has been read: what was found in it is complete only then, and nobody can ask for it any more once the next
/// one is waited for.
pub(crate) struct Limited {
    source: CaptureFile,
    counter: Counter,
    signals: Signals,
    progress: Progress,
    so_far: Arc<SoFar>,
    is_behind_packet: bool,
    /// Packets of which the progress has not been told: other captures may be read at the same time, and to count together takes
    /// as long as to pass over a packet.
    untold: u64,
    /// Of what was wished, how much it was idle for. Who writes in another thread may take a while.
    heard: u64,
}

impl Limited {
    /// Packets that are told to the progress at once.
    const TOLD_TOGETHER: u64 = 256;

    pub(crate) fn new(
        source: CaptureFile,
        counter: Counter,
        signals: Signals,
        progress: Progress,
        so_far: Arc<SoFar>,
    ) -> Self {
        let (is_behind_packet, untold, heard) = (false, 0, 0);
        Self { source, counter, signals, progress, so_far, is_behind_packet, untold, heard }
    }

    /// Whether no packet is to be read any more.
    #[inline]
    fn is_over(&self) -> bool {
        self.counter.is_used_up() || self.signals.interrupted().is_some()
    }

    /// Whether to be idle for a moment, as something is to be told.
    #[inline]
    fn takes_moment(&mut self) -> bool {
        let wished = self.signals.wished();
        let is_moment = wished != self.heard || self.may_be_last();
        if is_moment {
            (self.is_behind_packet, self.heard) = (false, wished);
            self.tell();
        }
        is_moment
    }

    fn tell(&mut self) {
        self.progress.on_packets(mem::take(&mut self.untold));
    }

    /// Whether a packet has been read, and the next one may be long in coming.
    #[inline]
    fn may_be_last(&self) -> bool {
        self.is_behind_packet && self.so_far.is_last() && !self.source.has_next()
    }
}

impl Source for Limited {
    fn read(&mut self) -> Result<Answer<'_>, SourceError> {
        if self.is_over() {
            return Ok(Answer::End);
        }
        if self.takes_moment() {
            return Ok(Answer::Idle);
        }
        // Handed on where it lies: taken apart and put together again it would be copied.
        let answer = self.source.read();
        if let Ok(Answer::Frame(ref frame)) = answer {
            // It may be: this source alone counts at this time.
            self.counter.takes(frame);
            self.is_behind_packet = true;
            self.untold += 1;
            if self.untold < Self::TOLD_TOGETHER {
                return answer;
            }
        }
        self.progress.on_packets(mem::take(&mut self.untold));
        answer
    }

    fn stats(&self) -> &SourceStats {
        self.source.stats()
    }

    fn is_live(&self) -> bool {
        self.source.is_live()
    }

    fn read_block(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        // Packets that are counted are looked at one by one.
        if self.counter.is_limited() {
            return block.copy_from(self);
        }
        if self.is_over() {
            block.clear();
            return Ok(Behind::End);
        }
        let behind = self.source.read_block(block);
        self.is_behind_packet |= !block.is_empty();
        self.untold += block.len() as u64;
        self.tell();
        // Behind the block, which may have bytes that were read ahead.
        if matches!(behind, Ok(Behind::More)) && self.takes_moment() { Ok(Behind::Idle) } else { behind }
    }

    fn ahead(&self) -> Option<Ahead> {
        self.source.ahead().filter(|_| !self.counter.is_limited())
    }

    fn may_wait(&self) -> bool {
        self.source.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use huginn_net::{HuginnNet, PoolConfig, Step};
    use testkit::capture::Capture;
    use testkit::container::Container;

    use super::*;
    use crate::args::When;
    use crate::count::Count;

    #[test]
    fn a_source_is_idle_once_for_what_is_asked_and_goes_on_before_it_is_told() {
        let capture = Capture::of_frames(1, (0..3).map(|_| vec![0; 60]));
        let so_far = SoFar::new(Instant::now(), Messages::beside(Progress::hidden().bar()));
        let signals = Signals::default();
        let mut source = Limited::new(
            CaptureFile::from_bytes(Container::ALL[0].write(&capture)).unwrap(),
            Count::new(None, None).counter(),
            signals.clone(),
            Progress::hidden(),
            Arc::new(so_far),
        );
        let mut is_idle = || matches!(source.read(), Ok(Answer::Idle));
        assert!(!is_idle());
        signals.ask_for_summary();
        assert_eq!([is_idle(), is_idle()], [true, false]);
        // One that is asked for before the last one was told is heard, too.
        signals.ask_for_summary();
        assert_eq!([is_idle(), is_idle()], [true, false]);
        assert!(signals.takes_summary() && !signals.takes_summary());
    }

    #[test]
    fn what_was_read_ahead_is_kept_while_something_is_told() {
        const FRAMES: u64 = 10_000;
        let capture = Capture::of_frames(1, (0..FRAMES).map(|_| vec![0; 60]));
        let messages = Messages::beside(Progress::hidden().bar());
        let signals = Signals::default();
        let source = Limited::new(
            CaptureFile::from_bytes(Container::ALL[0].write(&capture)).unwrap(),
            Count::new(None, None).counter(),
            signals.clone(),
            Progress::hidden(),
            Arc::new(SoFar::new(Instant::now(), messages)),
        );
        let pool = PoolConfig::new(2, 100).with_batch(3, usize::MAX).with_max_threads(2);
        signals.ask_for_summary();
        let mut events = HuginnNet::new().with_pool(pool).analyze(source);
        let mut told = 0;
        while let Step::Idle = events.step().unwrap() {
            told += 1;
            if told < 50 {
                signals.ask_for_summary();
            }
        }
        assert_eq!((told, events.stats().source.packets), (50, FRAMES));
    }

    const PACKETS: u64 = 5;

    /// What is read of a pipe that brings packets at once and then nothing for now: a letter for each packet and for each time
    /// that the source is idle.
    fn of_one_chunk(container: &Container) -> String {
        let (reader, mut writer) = io::pipe().unwrap();
        writer
            .write_all(&container.write(&Capture::of_frames(1, (0..PACKETS).map(|_| vec![0; 60]))))
            .unwrap();
        let messages = Messages::beside(Progress::hidden().bar());
        let signals = Signals::default();
        let so_far = Arc::new(SoFar::new(Instant::now(), messages.clone()));
        let outputs = Arc::new(Mutex::new(Outputs::start(Vec::new(), When::Never, &messages).unwrap()));
        let file = File::from(OwnedFd::from(reader));
        let reader = InputReader::new(file, outputs, signals.clone(), Progress::hidden(), so_far.clone());
        let source = CaptureFile::from_reader(reader).unwrap();
        let counter = Count::new(None, None).counter();
        let mut source = Limited::new(source, counter, signals, Progress::hidden(), so_far);
        let mut letters = String::new();
        // Behind the last packet it would wait for more.
        while source.stats().packets < PACKETS || !letters.ends_with('i') {
            match source.read().unwrap() {
                Answer::Frame(_) => letters.push('f'),
                Answer::Idle => letters.push('i'),
                Answer::End => break,
            }
        }
        drop(writer);
        letters
    }

    #[test]
    fn a_read_that_fails_behind_other_bytes_tells_how_many_there_were() {
        let (near, mut far) = UnixStream::pair().unwrap();
        (&near).write_all(b"never read").unwrap();
        far.write_all(&[0; 30]).unwrap();
        // Closed with bytes that were not read, the connection fails behind those that were sent.
        drop(far);
        let messages = Messages::beside(Progress::hidden().bar());
        let outputs = Arc::new(Mutex::new(Outputs::start(Vec::new(), When::Always, &messages).unwrap()));
        let so_far = Arc::new(SoFar::new(Instant::now(), messages));
        let file = File::from(OwnedFd::from(near));
        let mut reader = InputReader::new(file, outputs, Signals::default(), Progress::hidden(), so_far);
        assert_eq!(reader.read(&mut [0; 20]).unwrap(), 20);
        assert_eq!(reader.read(&mut [0; 20]).unwrap(), 10);
        let error = reader.read(&mut [0; 20]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(error.to_string(), "connection reset by peer at byte 30");
    }

    #[test]
    fn a_source_is_idle_once_behind_all_packets_that_came_together() {
        for container in Container::ALL.iter().filter(|container| container.name.ends_with("-le")) {
            assert_eq!(of_one_chunk(container), "fffffi", "{}", container.name);
        }
    }
}
