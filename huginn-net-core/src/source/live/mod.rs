//! Network interfaces: their frames as they come.

#[cfg_attr(not(feature = "libpcap"), path = "none.rs")]
mod libpcap;
mod options;
#[cfg(all(feature = "live", target_os = "linux"))]
mod packet;

use core::fmt;
use core::net::IpAddr;
use core::time::Duration;

#[cfg(not(all(feature = "live", target_os = "linux")))]
use self::libpcap as system;
pub use self::options::LiveOptions;
#[cfg(all(feature = "live", target_os = "linux"))]
use self::packet as system;
use super::{LiveStats, Read, Source, SourceError, SourceStats};
use crate::{BpfInstruction, Frame, LinkType, Timestamp};

/// How long [`LiveCapture`] waits for a frame before it says that there is none.
const PATIENCE: Duration = Duration::from_millis(40);

/// Frames of a network interface, incoming and outgoing, as they come.
///
/// Takes frames from when it is [started](Self::start) or read first. While there are none it says so every 40 ms or more
/// often ([`Read::Idle`]). An interface that goes down is idle until it is up again; that it is removed is an error. Who
/// reads too slowly loses frames: [`SourceStats::live`] counts them.
///
/// On Linux the feature `live` captures by `AF_PACKET`, which takes the capability `CAP_NET_RAW` to open, and none
/// to read. The feature `libpcap` captures by that library, one interface at a time, on other systems and wherever
/// [`LiveOptions::libpcap_filter`] asks for it; it takes frames from when it is opened, and gives up those it holds when it
/// is [stopped](Self::stop). Without a way to capture in this build, [`open`](Self::open) fails with
/// [`SourceError::NoLive`].
///
/// ```no_run
/// use huginn_net_core::source::{LiveCapture, LiveOptions};
/// use huginn_net_core::{Read, Source};
///
/// let mut capture = LiveCapture::open("eth0", &LiveOptions::default())?;
/// loop {
///     match capture.read()? {
///         Read::Frame(frame) => println!("{} {} bytes", frame.captured_at, frame.bytes.len()),
///         Read::Idle => {}
///         Read::End => break,
///     }
/// }
/// # Ok::<(), huginn_net_core::SourceError>(())
/// ```
pub struct LiveCapture {
    backend: Box<dyn Backend>,
    stats: SourceStats,
    state: State,
    /// Reported when it has been counted what was missed until then.
    failure: Option<SourceError>,
}

/// A way to capture.
trait Backend: Send {
    /// Gets frames from now on, those that the program of their link type keeps, if there is one.
    fn start(&mut self, program: &mut ProgramOf<'_>) -> Result<(), SourceError>;

    /// Gets no more frames from now on; gives those that it has.
    fn stop(&mut self) -> Result<(), SourceError>;

    /// The next frame, if there is one in time.
    fn next(&mut self, patience: Duration) -> Result<Option<Lent<'_>>, SourceError>;

    /// What has been missed.
    fn stats(&self) -> LiveStats;
}

/// The program for frames of a link type, if it takes one.
type ProgramOf<'a> = dyn FnMut(LinkType) -> Option<Vec<BpfInstruction>> + 'a;

/// Ways to capture that share the frames of interfaces, and what these start with.
struct Opened {
    backends: Vec<Box<dyn Backend>>,
    link_types: Vec<LinkType>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Gets no frames yet.
    Opened,
    Running,
    /// Gets no more; those in the buffer are still to be read.
    Stopped,
    Ended,
}

/// A frame as a backend lends it.
struct Lent<'a> {
    bytes: &'a [u8],
    wire_len: u32,
    captured_at: Timestamp,
    link_type: LinkType,
}

/// A network interface of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// For example `eth0`.
    pub name: String,
    /// The number that the system gives it, or else that of its place in the list, from 1.
    pub index: u32,
    /// What its frames start with; `None` if they cannot be decoded or the system does not tell.
    pub link_type: Option<LinkType>,
    /// Whether it has been switched on.
    pub is_up: bool,
    /// Whether it can carry packets: it is on, and a cable or a peer is there.
    pub is_running: bool,
    /// Whether it leads back to this machine.
    pub is_loopback: bool,
    /// Its addresses, in the order of the system.
    pub addresses: Vec<IpAddr>,
}

impl LiveCapture {
    /// Opens an interface by its name.
    ///
    /// # Errors
    /// There is no such interface, its frames cannot be decoded, this build cannot capture, or the system refuses
    /// ([`SourceError::Capture`]).
    pub fn open(interface: &str, options: &LiveOptions) -> Result<Self, SourceError> {
        Self::open_all(&[interface], options)
    }

    /// Opens several interfaces as one source, which gives frames of each in turn. It ends when the last of them is
    /// removed.
    ///
    /// # Errors
    /// As [`open`](Self::open); or no interface is named.
    pub fn open_all(interfaces: &[&str], options: &LiveOptions) -> Result<Self, SourceError> {
        let captures = Self::open_group(interfaces, 1, options)?;
        captures.into_iter().next().ok_or(SourceError::NoLive)
    }

    /// Opens several captures that share the frames of interfaces, so that each can be read by a thread of its own:
    /// frames of a flow on an interface, in both directions, come from the same one. 0 captures count as 1.
    ///
    /// # Errors
    /// As [`open_all`](Self::open_all).
    pub fn open_group(
        interfaces: &[&str],
        captures: u8,
        options: &LiveOptions,
    ) -> Result<Vec<Self>, SourceError> {
        let Opened { backends, link_types } = match options.libpcap_filter {
            Some(_) => libpcap::open(interfaces, captures, options)?,
            None => system::open(interfaces, captures, options)?,
        };
        let mut stats = SourceStats::default();
        for link_type in link_types {
            stats.see_link_type(link_type);
        }
        let with_backend =
            |backend| Self { backend, stats: stats.clone(), state: State::Opened, failure: None };
        Ok(backends.into_iter().map(with_backend).collect())
    }

    /// The interfaces of this machine, which takes no privilege.
    ///
    /// # Errors
    /// This build cannot capture, or the system does not list them.
    pub fn interfaces() -> Result<Vec<Interface>, SourceError> {
        system::interfaces()
    }

    /// Gets frames from now on, and not only from when it is read first. Changes nothing once it has been started or
    /// stopped.
    ///
    /// # Errors
    /// The system refuses, which it has no reason to.
    pub fn start(&mut self) -> Result<(), SourceError> {
        self.start_with(|_| None)
    }

    /// Gets frames from now on, but those that a program leaves out: `program` is asked for one for each link type, and
    /// leaves nothing out where it gives none. Programs spare work and decide nothing: they run where the system has a
    /// place for them. Those of a [`Pipeline`](crate::Pipeline) come from [`Pipeline::program`](crate::Pipeline::program).
    ///
    /// Changes nothing once it has been started, read or stopped: the programs of the first call stay.
    ///
    /// # Errors
    /// The system refuses, of a program that is none for instance.
    pub fn start_with(
        &mut self,
        mut program: impl FnMut(LinkType) -> Option<Vec<BpfInstruction>>,
    ) -> Result<(), SourceError> {
        if self.state == State::Opened {
            self.backend.start(&mut program)?;
            self.state = State::Running;
        }
        Ok(())
    }

    /// Gets no more frames from now on. Those that have been captured are still read, and then the capture ends, with
    /// exact counts in its statistics.
    ///
    /// # Errors
    /// The system refuses, which it has no reason to.
    pub fn stop(&mut self) -> Result<(), SourceError> {
        if matches!(self.state, State::Opened | State::Running) {
            self.backend.stop()?;
            self.state = State::Stopped;
        }
        Ok(())
    }
}

impl Source for LiveCapture {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        self.start()?;
        // As of the frame before: the next one borrows what counts.
        self.stats.live = self.backend.stats();
        if let Some(failure) = self.failure.take() {
            self.state = State::Ended;
            return Err(failure);
        }
        if self.state == State::Ended {
            return Ok(Read::End);
        }
        let next = match self.backend.next(PATIENCE) {
            Ok(next) => next,
            Err(error) => {
                self.failure = Some(error);
                return Ok(Read::Idle);
            }
        };
        let Some(Lent { bytes, wire_len, captured_at, link_type }) = next else {
            if self.state == State::Stopped {
                self.state = State::Ended;
            }
            return Ok(Read::Idle);
        };
        self.stats.count_frame(bytes.len(), captured_at);
        Ok(Read::Frame(Frame { bytes, captured_at, wire_len, link_type, number: self.stats.packets }))
    }

    fn stats(&self) -> &SourceStats {
        &self.stats
    }

    fn is_live(&self) -> bool {
        true
    }
}

impl fmt::Debug for LiveCapture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveCapture").field("stats", &self.stats).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of one byte, and what is missed before the last of them.
    struct Script {
        frames: Vec<u8>,
        is_stopped: bool,
        lent: usize,
    }

    impl Backend for Script {
        fn start(&mut self, program: &mut ProgramOf<'_>) -> Result<(), SourceError> {
            program(LinkType::RAW);
            Ok(())
        }

        fn stop(&mut self) -> Result<(), SourceError> {
            self.is_stopped = true;
            Ok(())
        }

        fn next(&mut self, _: Duration) -> Result<Option<Lent<'_>>, SourceError> {
            let Some(byte) = self.frames.get(self.lent) else {
                return if self.is_stopped {
                    Ok(None)
                } else {
                    Err(SourceError::Removed { name: "eth0".to_owned() })
                };
            };
            self.lent += 1;
            let bytes = core::slice::from_ref(byte);
            let captured_at = Timestamp::from_nanos(u64::from(*byte));
            Ok(Some(Lent { bytes, wire_len: 60, captured_at, link_type: LinkType::RAW }))
        }

        fn stats(&self) -> LiveStats {
            LiveStats { kernel_dropped: self.lent as u64 * 10, ..LiveStats::default() }
        }
    }

    fn capture(frames: &[u8]) -> LiveCapture {
        LiveCapture {
            backend: Box::new(Script { frames: frames.to_vec(), is_stopped: false, lent: 0 }),
            stats: SourceStats::default(),
            state: State::Opened,
            failure: None,
        }
    }

    #[test]
    fn programs_are_those_of_the_first_start() {
        let mut capture = capture(&[]);
        let mut asked = 0;
        for _ in 0..2 {
            let started = capture.start_with(|_| {
                asked += 1;
                None
            });
            started.unwrap();
        }
        assert_eq!(asked, 1);
    }

    #[test]
    fn a_stopped_capture_gives_what_it_has_and_ends_with_exact_counts() {
        let mut capture = capture(&[1, 2, 3]);
        let first =
            Frame { wire_len: 60, captured_at: Timestamp::from_nanos(1), ..Frame::new(&[1], LinkType::RAW) };
        assert_eq!(capture.read().unwrap(), Read::Frame(first));
        capture.stop().unwrap();
        for byte in [2, 3] {
            let Read::Frame(frame) = capture.read().unwrap() else { panic!("a frame is left") };
            assert_eq!((frame.bytes, frame.number), (&[byte][..], u64::from(byte)));
        }
        assert_eq!(capture.read().unwrap(), Read::Idle);
        for _ in 0..2 {
            assert_eq!(capture.read().unwrap(), Read::End);
        }
        assert_eq!((capture.stats().packets, capture.stats().live.kernel_dropped), (3, 30));
    }

    #[test]
    fn a_failed_capture_tells_what_was_missed_and_ends() {
        let mut capture = capture(&[1]);
        assert!(matches!(capture.read(), Ok(Read::Frame(_))));
        assert_eq!(capture.read().unwrap(), Read::Idle);
        assert!(matches!(capture.read(), Err(SourceError::Removed { .. })));
        assert_eq!(capture.stats().live.kernel_dropped, 10);
        assert_eq!(capture.read().unwrap(), Read::End);
        // Nothing is left to be stopped.
        capture.stop().unwrap();
        assert_eq!(capture.read().unwrap(), Read::End);
    }

    #[test]
    fn an_interface_that_is_not_there_cannot_be_opened() {
        let error = LiveCapture::open("no-such-link0", &LiveOptions::default()).expect_err("no interface");
        if cfg!(all(target_os = "linux", feature = "live")) {
            // Who has no right to capture is not told more.
            let is_told = match &error {
                SourceError::NoInterface { name } => name == "no-such-link0",
                SourceError::Capture { source, .. } => source.kind() == std::io::ErrorKind::PermissionDenied,
                _ => false,
            };
            assert!(is_told, "{error}");
        } else if cfg!(feature = "libpcap") {
            assert!(error.to_string().starts_with("no-such-link0: "), "{error}");
        } else {
            assert!(matches!(error, SourceError::NoLive), "{error}");
        }
    }

    #[test]
    fn a_capture_of_no_interface_cannot_be_opened() {
        let error = LiveCapture::open_all(&[], &LiveOptions::default()).expect_err("no interface");
        if cfg!(all(target_os = "linux", feature = "live", not(feature = "libpcap"))) {
            assert!(error.to_string().contains("no interface is named"), "{error}");
        }
    }
}
