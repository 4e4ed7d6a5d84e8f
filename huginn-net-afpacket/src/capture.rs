//! A capture of one interface.

use core::time::Duration;
use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::netdevice::name_to_index;

use crate::block::{Cursor, Found};
use crate::sys::{RETIRE_AFTER, Ring, Socket};
use crate::{Error, Framing, Instruction, Options};

/// A frame as a capture lends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What was kept of it, from what its [`Framing`] says on, with its VLAN tag if it had one.
    pub bytes: &'a [u8],
    /// Its length on the wire, in bytes.
    pub wire_len: u32,
    /// When it was captured, in nanoseconds since 1970-01-01T00:00:00Z.
    pub nanos: u64,
}

/// What a capture has counted since it was opened.
///
/// Once a capture has been [stopped](Capture::stop) and read to its end, `received` is the number of frames lent plus
/// `dropped` plus `lost`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Frames that the program let pass.
    pub received: u64,
    /// Those that the kernel dropped because the ring was full.
    pub dropped: u64,
    /// How often the ring was full.
    pub freezes: u64,
    /// Frames in the ring that could not be found in it, which no kernel should do.
    pub lost: u64,
    /// How often the interface was switched off or lost its link.
    pub outages: u64,
}

/// Frames of one interface, or the share that a group of captures gives to this one.
///
/// Incoming and outgoing frames alike; on a loopback interface, where each frame is both, once.
///
/// An interface that is switched off gives nothing until it is switched on again. The ring is filled whether it is read
/// or not: who reads too slowly loses frames, which are [counted](Capture::counts).
pub struct Capture {
    socket: Socket,
    ring: Ring,
    cursor: Cursor,
    counts: Counts,
    interface: i32,
    hardware_type: u16,
    framing: Framing,
    snaplen: u32,
    /// Whether the interface has gone down and shown nothing since.
    is_down: bool,
    is_stopped: bool,
}

impl Capture {
    /// Opens a capture, which gets no frame before it is [started](Capture::start).
    ///
    /// # Errors
    /// There is no such interface, the process has no `CAP_NET_RAW`, or there is no memory for the ring.
    pub fn open(interface: &str, options: &Options) -> Result<Self, Error> {
        let socket = Socket::new().map_err(|error| Error::of("opening a packet socket", error))?;
        let index = name_to_index(&socket, interface).map_err(|_| Error::NoInterface)?;
        let index = i32::try_from(index).map_err(|_| Error::NoInterface)?;
        let refused = |doing| move |error| Error::of(doing, error);
        if options.adapter_times {
            socket.set_adapter_times().map_err(refused("asking for times of the adapter"))?;
        }
        let ring = Ring::new(&socket, options.blocks()).map_err(refused("making a ring"))?;
        // Before it is bound, so that nothing gets past it.
        socket.attach(&[Instruction::keep(0)]).map_err(refused("attaching a program"))?;
        socket.bind(index).map_err(refused("binding to the interface"))?;
        let (_, hardware_type) = socket.bound_to().map_err(refused("asking for the type of the link"))?;
        if hardware_type == libc::ARPHRD_LOOPBACK {
            socket.ignore_outgoing().map_err(refused("leaving out what goes out"))?;
        }
        if options.promiscuous {
            socket.set_promiscuous(index).map_err(refused("making the interface promiscuous"))?;
        }
        Ok(Self {
            socket,
            ring,
            cursor: Cursor::default(),
            counts: Counts::default(),
            interface: index,
            hardware_type,
            framing: Framing::of(hardware_type),
            snaplen: options.snaplen.max(1),
            is_down: false,
            is_stopped: false,
        })
    }

    /// Opens a group of captures that share the frames of an interface: all frames of a flow, in both directions, go to
    /// the same one. The kernel puts fragments of IP together before it decides, so that whole datagrams are captured.
    ///
    /// # Errors
    /// As [`open`](Self::open); or the kernel makes no more groups.
    pub fn open_group(interface: &str, captures: u8, options: &Options) -> Result<Vec<Self>, Error> {
        let mut opened = Vec::new();
        let mut group = None;
        for _ in 0..captures {
            let capture = Self::open(interface, options)?;
            let is_loopback = capture.hardware_type == libc::ARPHRD_LOOPBACK;
            let joined = capture.socket.join(group, is_loopback).and_then(|()| capture.socket.group());
            group = Some(joined.map_err(|error| Error::of("joining a group of sockets", error))?);
            opened.push(capture);
        }
        Ok(opened)
    }

    /// Type of the link (`ARPHRD_`).
    pub const fn hardware_type(&self) -> u16 {
        self.hardware_type
    }

    /// What frames start with.
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// Gets frames from now on: all, or those that a program keeps. May be called again to change the program.
    ///
    /// What a program keeps of a frame is cut to [`Options::snaplen`].
    ///
    /// # Errors
    /// The kernel does not take the program.
    pub fn start(&self, program: Option<&[Instruction]>) -> Result<(), Error> {
        let program: Vec<_> = program
            .unwrap_or(&[Instruction::keep(u32::MAX)])
            .iter()
            .map(|instruction| instruction.within(self.snaplen))
            .collect();
        self.socket.attach(&program).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => Error::Program,
            _ => Error::of("attaching a program", error),
        })
    }

    /// Gets no more frames from now on. Those that have been captured are still given.
    ///
    /// # Errors
    /// The kernel refuses, which it has no reason to.
    pub fn stop(&mut self) -> Result<(), Error> {
        self.socket
            .attach(&[Instruction::keep(0)])
            .map_err(|error| Error::of("stopping a capture", error))?;
        self.is_stopped = true;
        Ok(())
    }

    /// The next frame, which is lent until the next call. `None` if there is none and none comes in time, or once a
    /// [stopped](Self::stop) capture has given all.
    ///
    /// # Errors
    /// The interface was removed, or the kernel reports something else.
    pub fn next(&mut self, patience: Duration) -> Result<Option<Frame<'_>>, Error> {
        let Some(Found { at, len, wire_len, nanos }) = self.find(patience)? else { return Ok(None) };
        let block = self.ring.held().unwrap_or_default();
        let bytes = block.get(at..).and_then(|bytes| bytes.get(..len)).unwrap_or_default();
        Ok(Some(Frame { bytes, wire_len, nanos }))
    }

    /// What has been counted by the kernel until a block was last asked for, and by this.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    fn find(&mut self, patience: Duration) -> Result<Option<Found>, Error> {
        if let Some(found) = self.next_in_block() {
            return Ok(Some(found));
        }
        if !self.ring.acquire() {
            // What was on its way when the capture was stopped is in a block that the kernel is about to hand over.
            self.wait(if self.is_stopped { UNTIL_RETIRED } else { patience })?;
        }
        self.update_counts()?;
        if !self.ring.acquire() {
            return Ok(None);
        }
        self.is_down = false;
        self.cursor = self.ring.held().map(|block| Cursor::at_start_of(block)).unwrap_or_default();
        Ok(self.next_in_block())
    }

    /// The next frame of the block that is held, which is given back at its end.
    fn next_in_block(&mut self) -> Option<Found> {
        let block = self.ring.held()?;
        let found = self.cursor.next(block, self.framing);
        if found.is_none() {
            self.counts.lost += u64::from(self.cursor.left());
            self.ring.release();
        }
        found
    }

    /// Waits until there is a block, or something is wrong.
    fn wait(&mut self, patience: Duration) -> Result<(), Error> {
        let refused = |error: io::Error| Error::of("waiting for frames", error);
        // Longer than anybody waits.
        let patience = Timespec::try_from(patience).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 });
        let socket = self.socket.as_fd();
        let mut polled = [PollFd::new(&socket, PollFlags::IN | PollFlags::ERR)];
        match poll(&mut polled, Some(&patience)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(refused(error.into())),
        }
        let has_error = polled.iter().any(|polled| polled.revents().contains(PollFlags::ERR));
        if has_error && let Some(error) = self.socket.take_error().map_err(refused)? {
            if error.raw_os_error() != Some(libc::ENETDOWN) {
                return Err(refused(error));
            }
            self.counts.outages += 1;
            self.is_down = true;
        }
        // An interface that is removed goes down first, and that is all the socket is told.
        if self.is_down && self.socket.bound_to().map_err(refused)?.0 != self.interface {
            return Err(Error::Removed);
        }
        Ok(())
    }

    fn update_counts(&mut self) -> Result<(), Error> {
        let counted =
            self.socket.statistics().map_err(|error| Error::of("asking what was dropped", error))?;
        self.counts.received += u64::from(counted.received);
        self.counts.dropped += u64::from(counted.dropped);
        self.counts.freezes += u64::from(counted.freezes);
        Ok(())
    }
}

/// Longer than the kernel keeps a block that is not full, with time for a busy machine.
const UNTIL_RETIRED: Duration = Duration::from_millis(3 * RETIRE_AFTER as u64);
