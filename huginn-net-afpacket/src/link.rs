//! One interface of a capture.

use core::time::Duration;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Instant;

use rustix::net::netdevice::name_to_index;

use crate::block::{Cursor, Found};
use crate::sys::{RETIRE_AFTER, Ring, Socket, Statistics};
use crate::{Counts, Error, Framing, Instruction, Options};

/// Longer than the kernel keeps a block that is not full, with time for a busy machine.
pub(crate) const UNTIL_RETIRED: Duration = Duration::from_millis(3 * RETIRE_AFTER as u64);

/// The socket of an interface, and the ring that is filled from it.
pub(crate) struct Link {
    name: String,
    socket: Socket,
    ring: Ring,
    cursor: Cursor,
    /// Number of the interface.
    pub(crate) index: i32,
    pub(crate) hardware_type: u16,
    pub(crate) framing: Framing,
    /// Whether the interface has ever gone down, without which it cannot have been removed.
    was_down: bool,
    /// Whether what becomes of the interface is counted here: by one of a group of sockets, all of which are told.
    pub(crate) counts_for_group: bool,
    /// When it was noticed that the interface is no more.
    removed_at: Option<Instant>,
}

impl Link {
    /// Opens an interface, whose frames are not captured before a program is attached that keeps them.
    pub(crate) fn open(name: &str, options: &Options) -> Result<Self, Error> {
        let refused = |doing| move |error| Error::of(doing, error);
        let no_interface = || Error::NoInterface { name: name.to_owned() };
        let socket = Socket::new().map_err(refused("opening a packet socket"))?;
        let index = name_to_index(&socket, name).map_err(|_| no_interface())?;
        let index = i32::try_from(index).map_err(|_| no_interface())?;
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
        let framing = Framing::of(hardware_type);
        let (name, cursor) = (name.to_owned(), Cursor::default());
        let (was_down, counts_for_group, removed_at) = (false, true, None);
        Ok(Self {
            name,
            socket,
            ring,
            cursor,
            index,
            hardware_type,
            framing,
            was_down,
            counts_for_group,
            removed_at,
        })
    }

    /// Shares the frames of the interface with the other sockets of a group, or of a new one, which is given.
    pub(crate) fn join(&mut self, group: Option<i32>) -> Result<i32, Error> {
        self.counts_for_group = group.is_none();
        let is_loopback = self.hardware_type == libc::ARPHRD_LOOPBACK;
        let joined = self.socket.join(group, is_loopback).and_then(|()| self.socket.group());
        joined.map_err(|error| Error::of("joining a group of sockets", error))
    }

    /// Lets this program decide what is captured.
    pub(crate) fn attach(&self, program: &[Instruction]) -> Result<(), Error> {
        self.socket.attach(program).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => Error::Program,
            io::ErrorKind::OutOfMemory => Error::NoRoomForProgram,
            _ => Error::of("attaching a program", error),
        })
    }

    /// Takes a block from the ring, if there is one, once all frames of the last one have been given.
    pub(crate) fn acquire(&mut self, counts: &mut Counts) -> Result<bool, Error> {
        if !self.ring.acquire() {
            return Ok(false);
        }
        self.cursor = self.ring.held().map(|block| Cursor::at_start_of(block)).unwrap_or_default();
        self.count(counts)?;
        Ok(true)
    }

    /// The next frame of the block that was taken, which is given back at its end.
    pub(crate) fn next(&mut self, counts: &mut Counts) -> Option<Found> {
        let block = self.ring.held()?;
        let found = self.cursor.next(block, self.framing);
        if found.is_none() {
            counts.lost += u64::from(self.cursor.left());
            self.ring.release();
        }
        found
    }

    /// The bytes of the frame that was given last.
    pub(crate) fn bytes_of(&mut self, found: &Found) -> &[u8] {
        let block = self.ring.held().unwrap_or_default();
        block.get(found.at..).and_then(|bytes| bytes.get(..found.len)).unwrap_or_default()
    }

    /// Adds what the kernel has counted since the last time.
    pub(crate) fn count(&self, counts: &mut Counts) -> Result<(), Error> {
        let counted = self.socket.statistics();
        let Statistics { received, dropped, freezes } =
            counted.map_err(|error| Error::of("asking what was dropped", error))?;
        counts.received += u64::from(received);
        counts.dropped += u64::from(dropped);
        counts.freezes += u64::from(freezes);
        Ok(())
    }

    /// Looks after the socket when no frame has come, `has_error` if it reports an error.
    pub(crate) fn check(&mut self, has_error: bool, counts: &mut Counts) -> Result<(), Error> {
        let refused = |error: io::Error| Error::of("waiting for frames", error);
        if has_error && let Some(error) = self.socket.take_error().map_err(refused)? {
            if error.raw_os_error() != Some(libc::ENETDOWN) {
                return Err(refused(error));
            }
            counts.outages += u64::from(self.counts_for_group);
            self.was_down = true;
        }
        // An interface that is removed goes down first, and that is all the socket is told. What it has brought may be in
        // a block that the kernel has not handed over.
        if self.was_down && self.socket.bound_to().map_err(refused)?.0 != self.index {
            let removed_at = *self.removed_at.get_or_insert_with(Instant::now);
            if removed_at.elapsed() >= UNTIL_RETIRED && !self.acquire(counts)? {
                return Err(Error::Removed { name: self.name.clone() });
            }
        }
        Ok(())
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
