//! Frames of interfaces.

use core::fmt;
use core::time::Duration;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::block::Found;
use crate::link::{Link, UNTIL_RETIRED};
use crate::{Error, Framing, Instruction, Options};

/// A frame as a capture lends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// What was kept of it, from what its [`Framing`] says on, with its VLAN tag if it had one.
    pub bytes: &'a [u8],
    /// Its length on the wire, in bytes.
    pub wire_len: u32,
    /// When it was captured, in nanoseconds since 1970-01-01T00:00:00Z.
    pub nanos: u64,
    /// What it starts with.
    pub framing: Framing,
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
    /// How often an interface was switched off or removed; the first one of a group counts it for all.
    pub outages: u64,
    /// Interfaces that were removed while there were others left; the first capture of a group counts them for all.
    pub removed: u64,
}

/// Frames of one interface or several, or the share of them that a group of captures gives to this one.
///
/// Incoming and outgoing frames alike; on a loopback interface, where each frame is both, once. Of several interfaces a
/// block from each in turn, so that their frames are in order of time only as far as blocks are: 20 ms apart at most,
/// unless the reader is slow.
///
/// An interface that is switched off gives nothing until it is switched on again. The ring is filled whether it is read
/// or not: who reads too slowly loses frames, which are [counted](Capture::counts).
pub struct Capture {
    links: Vec<Link>,
    /// Which link has given the last frame, or is to be asked next.
    current: usize,
    counts: Counts,
    snaplen: u32,
    is_stopped: bool,
}

impl Capture {
    /// Opens a capture of interfaces, by their names, which gets no frame before it is [started](Self::start).
    ///
    /// # Errors
    /// No interface is named, there is none of a name, one is named twice, the process has no `CAP_NET_RAW`, or there is
    /// no memory for the ring.
    pub fn open(interfaces: &[&str], options: &Options) -> Result<Self, Error> {
        // It would wait for nothing, and never end.
        if interfaces.is_empty() {
            return Err(Error::NoneNamed);
        }
        let mut links: Vec<Link> = Vec::new();
        for name in interfaces {
            let link = Link::open(name, options)?;
            if links.iter().any(|other| other.index == link.index) {
                return Err(Error::NamedTwice { name: (*name).to_owned() });
            }
            links.push(link);
        }
        let snaplen = options.snaplen.max(1);
        Ok(Self { links, current: 0, counts: Counts::default(), snaplen, is_stopped: false })
    }

    /// Opens a group of captures that share the frames of interfaces: those of a flow on an interface, in both
    /// directions, all go to the same one. The kernel puts fragments of IPv4 together before it decides, so that whole
    /// datagrams are captured. Those of IPv6 it leaves as they are, and decides by their addresses: they all go to one
    /// capture, which may be another one than that of their flow.
    ///
    /// The kernel looks into tunnels of IP in IP and of GRE, and not into those of UDP: what such a tunnel carries in
    /// one direction can go to another capture than what it carries in the other.
    ///
    /// # Errors
    /// As [`open`](Self::open), if there is a capture to open; or the kernel makes no more groups.
    pub fn open_group(interfaces: &[&str], captures: u8, options: &Options) -> Result<Vec<Self>, Error> {
        let opened = (0..captures).map(|_| Self::open(interfaces, options));
        let mut opened = opened.collect::<Result<Vec<_>, _>>()?;
        // A group for each interface, of the sockets that the captures have of it. Nothing is captured yet, so that no
        // frame is shared before all are in.
        for interface in 0..interfaces.len() {
            let mut group = None;
            for link in opened.iter_mut().filter_map(|capture| capture.links.get_mut(interface)) {
                group = Some(link.join(group)?);
            }
        }
        Ok(opened)
    }

    /// What frames start with, and the type of the link (`ARPHRD_`), by interface.
    pub fn framings(&self) -> impl Iterator<Item = (Framing, u16)> {
        self.links.iter().map(|link| (link.framing, link.hardware_type))
    }

    /// Gets all frames from now on, also after it was [stopped](Self::stop).
    ///
    /// # Errors
    /// The kernel refuses, which it has no reason to.
    pub fn start(&mut self) -> Result<(), Error> {
        self.start_with(|_| None)
    }

    /// Gets frames from now on: those that a program keeps, or all of an interface for whose framing there is none. May be
    /// called again to change programs.
    ///
    /// What a program keeps of a frame is cut to [`Options::snaplen`]. It sees frames without their VLAN tag if the
    /// adapter or the kernel has taken it out, which is put back only into what is kept.
    ///
    /// # Errors
    /// The kernel does not take a program.
    pub fn start_with(
        &mut self,
        mut program: impl FnMut(Framing) -> Option<Vec<Instruction>>,
    ) -> Result<(), Error> {
        self.links.iter().try_for_each(|link| {
            let program = program(link.framing).unwrap_or_else(|| vec![Instruction::keep(u32::MAX)]);
            let program: Vec<_> =
                program.into_iter().map(|instruction| instruction.within(self.snaplen)).collect();
            link.attach(&program)
        })?;
        self.is_stopped = false;
        Ok(())
    }

    /// Gets no more frames from now on. Those that have been captured are still given.
    ///
    /// # Errors
    /// The kernel refuses, which it has no reason to.
    pub fn stop(&mut self) -> Result<(), Error> {
        self.is_stopped = true;
        self.links.iter().try_for_each(|link| link.attach(&[Instruction::keep(0)]))
    }

    /// The next frame, which is lent until the next call. `None` if there is none and none comes in time, or once a
    /// [stopped](Self::stop) capture has given all.
    ///
    /// # Errors
    /// All interfaces were removed, or the kernel reports something else.
    pub fn next(&mut self, patience: Duration) -> Result<Option<Frame<'_>>, Error> {
        let Some(found) = self.find(patience)? else { return Ok(None) };
        let Some(link) = self.links.get_mut(self.current) else { return Ok(None) };
        let framing = link.framing;
        let Found { wire_len, nanos, .. } = found;
        Ok(Some(Frame { bytes: link.bytes_of(&found), wire_len, nanos, framing }))
    }

    /// What has been counted until the ring was last asked for a block.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Finds the next frame, in the block that is at hand or in the next one.
    fn find(&mut self, patience: Duration) -> Result<Option<Found>, Error> {
        if let Some(link) = self.links.get_mut(self.current)
            && let Some(found) = link.next(&mut self.counts)
        {
            return Ok(Some(found));
        }
        if let Some(found) = self.next_block()? {
            return Ok(Some(found));
        }
        // What was on its way when the capture was stopped is in a block that the kernel is about to hand over: neither a
        // signal nor the error of an interface, which end a wait early, say that there is none.
        let until = self.is_stopped.then(|| Instant::now() + UNTIL_RETIRED);
        let found = loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            self.wait(left.unwrap_or(patience))?;
            let found = self.next_block()?;
            if found.is_some() || left.is_none_or(|left| left.is_zero()) {
                break found;
            }
        };
        if found.is_none() {
            self.links.iter().try_for_each(|link| link.count(&mut self.counts))?;
        }
        Ok(found)
    }

    /// The first frame of the next block that there is, asking the links in turn.
    fn next_block(&mut self) -> Result<Option<Found>, Error> {
        for _ in 0..self.links.len() {
            self.current = (self.current + 1) % self.links.len();
            let Some(link) = self.links.get_mut(self.current) else { break };
            if link.acquire(&mut self.counts)?
                && let Some(found) = link.next(&mut self.counts)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Waits until there is a block, or something is wrong, and gives up interfaces that were removed.
    fn wait(&mut self, patience: Duration) -> Result<(), Error> {
        // Longer than anybody waits.
        let patience = Timespec::try_from(patience).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 });
        let polled = self.links.iter().map(|link| PollFd::new(link, PollFlags::IN | PollFlags::ERR));
        let mut polled: Vec<_> = polled.collect();
        match poll(&mut polled, Some(&patience)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(Error::of("waiting for frames", error.into())),
        }
        let errors: Vec<_> = polled.iter().map(|polled| polled.revents().contains(PollFlags::ERR)).collect();
        drop(polled);
        let mut removed = None;
        for (at, has_error) in errors.into_iter().enumerate().rev() {
            let Some(link) = self.links.get_mut(at) else { continue };
            match link.check(has_error, &mut self.counts) {
                Ok(()) => {}
                Err(error @ Error::Removed { .. }) => {
                    link.count(&mut self.counts)?;
                    let link = self.links.remove(at);
                    self.counts.removed += u64::from(link.counts_for_group && !self.links.is_empty());
                    removed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        removed.filter(|_| self.links.is_empty()).map_or(Ok(()), Err)
    }
}

impl fmt::Debug for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capture")
            .field("counts", &self.counts)
            .field("snaplen", &self.snaplen)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_of_no_interface_is_refused() {
        assert!(matches!(Capture::open(&[], &Options::default()), Err(Error::NoneNamed)));
    }

    #[test]
    fn a_capture_that_is_started_again_is_not_stopped() {
        let snaplen = 1;
        let mut capture =
            Capture { links: Vec::new(), current: 0, counts: Counts::default(), snaplen, is_stopped: false };
        capture.stop().unwrap();
        assert!(capture.is_stopped);
        capture.start().unwrap();
        assert!(!capture.is_stopped);
    }
}
