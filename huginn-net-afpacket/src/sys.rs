//! Sockets and memory of the kernel: the only module with unsafe code.
//!
//! Everything it offers is safe to call. Values that the kernel reads or writes are integers and structures of the
//! kernel's own interface; memory that the kernel shares is lent as bytes, and only while the kernel keeps off it.

#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};
use core::mem::{size_of, zeroed};
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU32, Ordering};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use crate::Instruction;
use crate::block::TAG_LEN;

/// Bytes of a block of the ring: more than the 64 KiB that segmentation offload makes of frames, and small, as a block
/// that the kernel hands over before it is full is used up all the same.
pub(crate) const BLOCK_LEN: usize = 128 * 1_024;

/// Milliseconds after which the kernel hands over a block that is not full.
pub(crate) const RETIRE_AFTER: u32 = 20;

/// A packet socket.
pub(crate) struct Socket(OwnedFd);

/// What `PACKET_STATISTICS` tells since the last time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statistics {
    /// Frames that the program let pass.
    pub(crate) received: u32,
    /// Those among them for which the ring had no room.
    pub(crate) dropped: u32,
    /// How often the ring was full.
    pub(crate) freezes: u32,
}

/// Types that are made of integers alone, without padding: any bytes are a value of them, and all of their bytes are
/// set.
///
/// # Safety
/// Whoever implements this has checked that.
unsafe trait Plain: Copy {}

// SAFETY: an integer.
unsafe impl Plain for c_int {}
// SAFETY: seven of `unsigned int`.
unsafe impl Plain for libc::tpacket_req3 {}
// SAFETY: three of `unsigned int`.
unsafe impl Plain for libc::tpacket_stats_v3 {}
// SAFETY: 4 + 2 + 2 + 8 bytes, aligned to 4.
unsafe impl Plain for libc::packet_mreq {}

impl Socket {
    /// A socket that gets nothing before it is bound.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        Ok(Self(socket_with(AddressFamily::PACKET, SocketType::RAW, flags, None)?))
    }

    /// Takes the frames of an interface from now on.
    pub(crate) fn bind(&self, interface: c_int) -> io::Result<()> {
        let address = libc::sockaddr_ll {
            sll_family: FAMILY,
            sll_protocol: ALL_PROTOCOLS.to_be(),
            sll_ifindex: interface,
            sll_hatype: 0,
            sll_pkttype: 0,
            sll_halen: 0,
            sll_addr: [0; 8],
        };
        // SAFETY: the pointer is to a `sockaddr_ll`, of this length, that lives until the call returns.
        let result = unsafe {
            libc::bind(self.0.as_raw_fd(), ptr::from_ref(&address).cast(), len_of::<libc::sockaddr_ll>())
        };
        check(result)
    }

    /// The interface this is bound to, -1 once it was removed, and its type (`ARPHRD_`).
    pub(crate) fn bound_to(&self) -> io::Result<(c_int, u16)> {
        // SAFETY: a `sockaddr_ll` is integers, for which zero is a value.
        let mut address: libc::sockaddr_ll = unsafe { zeroed() };
        let mut len = len_of::<libc::sockaddr_ll>();
        // SAFETY: the kernel writes at most `len` bytes, which is the size of `address`, and the length.
        let result = unsafe {
            libc::getsockname(self.0.as_raw_fd(), ptr::from_mut(&mut address).cast(), &raw mut len)
        };
        check(result)?;
        Ok((address.sll_ifindex, address.sll_hatype))
    }

    /// Takes frames for others, too, for as long as this socket lives.
    pub(crate) fn set_promiscuous(&self, interface: c_int) -> io::Result<()> {
        let membership =
            libc::packet_mreq { mr_ifindex: interface, mr_type: PROMISCUOUS, mr_alen: 0, mr_address: [0; 8] };
        self.set(libc::SOL_PACKET, libc::PACKET_ADD_MEMBERSHIP, membership)
    }

    /// Leaves out frames that go out, which is how a loopback interface shows each frame once.
    pub(crate) fn ignore_outgoing(&self) -> io::Result<()> {
        self.set(libc::SOL_PACKET, libc::PACKET_IGNORE_OUTGOING, 1)
    }

    /// Takes times of the adapter where it gives them.
    pub(crate) fn set_adapter_times(&self) -> io::Result<()> {
        self.set(libc::SOL_PACKET, libc::PACKET_TIMESTAMP, ADAPTER_TIMES)
    }

    /// Shares the frames with the other sockets of a group, by flow; makes a new group without one.
    pub(crate) fn join(&self, group: Option<c_int>, ignores_outgoing: bool) -> io::Result<()> {
        let mut flags = libc::PACKET_FANOUT_HASH | libc::PACKET_FANOUT_FLAG_DEFRAG;
        if group.is_none() {
            flags |= libc::PACKET_FANOUT_FLAG_UNIQUEID;
        }
        if ignores_outgoing {
            flags |= libc::PACKET_FANOUT_FLAG_IGNORE_OUTGOING;
        }
        // The kernel takes the flags in the upper half of a signed integer, as they are.
        let flags = (flags << 16).cast_signed();
        self.set(libc::SOL_PACKET, libc::PACKET_FANOUT, flags | group.unwrap_or_default())
    }

    /// The group of sockets this belongs to.
    pub(crate) fn group(&self) -> io::Result<c_int> {
        Ok(self.get::<c_int>(libc::SOL_PACKET, libc::PACKET_FANOUT, 0)? & 0xffff)
    }

    /// Lets this program decide about every frame from now on.
    pub(crate) fn attach(&self, program: &[Instruction]) -> io::Result<()> {
        let len = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let mut filters: Vec<libc::sock_filter> = program
            .iter()
            .map(|&Instruction { code, jt, jf, k }| libc::sock_filter { code, jt, jf, k })
            .collect();
        let program = libc::sock_fprog { len, filter: filters.as_mut_ptr() };
        // SAFETY: the pointer is to a `sock_fprog` of this length. That points to as many instructions as it says,
        // which live until the call returns; the kernel copies them.
        let result = unsafe {
            libc::setsockopt(
                self.0.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_ATTACH_FILTER,
                ptr::from_ref(&program).cast(),
                len_of::<libc::sock_fprog>(),
            )
        };
        check(result)
    }

    /// What has been counted since the last call.
    pub(crate) fn statistics(&self) -> io::Result<Statistics> {
        let nothing = libc::tpacket_stats_v3 { tp_packets: 0, tp_drops: 0, tp_freeze_q_cnt: 0 };
        let counted = self.get(libc::SOL_PACKET, libc::PACKET_STATISTICS, nothing)?;
        Ok(Statistics {
            received: counted.tp_packets,
            dropped: counted.tp_drops,
            freezes: counted.tp_freeze_q_cnt,
        })
    }

    /// Takes the error that is pending, if there is one.
    pub(crate) fn take_error(&self) -> io::Result<Option<io::Error>> {
        let error: c_int = self.get(libc::SOL_SOCKET, libc::SO_ERROR, 0)?;
        Ok((error != 0).then(|| io::Error::from_raw_os_error(error)))
    }

    fn set<T: Plain>(&self, level: c_int, name: c_int, value: T) -> io::Result<()> {
        // SAFETY: the pointer is to a value of this size that lives until the call returns.
        let result = unsafe {
            libc::setsockopt(self.0.as_raw_fd(), level, name, ptr::from_ref(&value).cast(), len_of::<T>())
        };
        check(result)
    }

    fn get<T: Plain>(&self, level: c_int, name: c_int, mut value: T) -> io::Result<T> {
        let mut len = len_of::<T>();
        // SAFETY: the kernel writes at most `len` bytes, which is the size of `value`, and the length. Any bytes are a
        // value of the type, as it is `Plain`.
        let result = unsafe {
            libc::getsockopt(self.0.as_raw_fd(), level, name, ptr::from_mut(&mut value).cast(), &raw mut len)
        };
        check(result).map(|()| value)
    }
}

/// The type (`ARPHRD_`) of the interface of this name; any socket will do.
pub(crate) fn hardware_type(socket: BorrowedFd<'_>, name: &str) -> io::Result<u16> {
    // SAFETY: an `ifreq` is characters and a union of integers, addresses and a pointer, for all of which zero is a value.
    let mut request: libc::ifreq = unsafe { zeroed() };
    // The last one stays 0.
    for (place, byte) in request.ifr_name.iter_mut().take(libc::IFNAMSIZ - 1).zip(name.bytes()) {
        *place = c_char::from_ne_bytes([byte]);
    }
    // SAFETY: this request reads the name and writes the address of the `ifreq` that the pointer is to, which lives until the
    // call returns.
    let result = unsafe {
        libc::ioctl(
            socket.as_raw_fd(),
            libc::SIOCGIFHWADDR as libc::Ioctl,
            ptr::from_mut(&mut request).cast::<c_void>(),
        )
    };
    check(result)?;
    // SAFETY: an address is integers, and all bytes of the union have been set.
    let address = unsafe { request.ifr_ifru.ifru_hwaddr };
    Ok(address.sa_family)
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Memory that is shared with the kernel: blocks, each of which belongs to one of the two at a time.
///
/// The kernel fills a block and hands it over by setting its status. It does not touch it, nor any later one, before the
/// status is set back (Documentation/networking/packet_mmap.rst of Linux). Blocks are handed over in order, in a circle.
pub(crate) struct Ring {
    /// Where `blocks` times [`BLOCK_LEN`] bytes are mapped, readable and writable, until this is dropped.
    start: NonNull<u8>,
    blocks: u16,
    /// The block that is ours, or the next one to be; less than `blocks`.
    current: u16,
    /// Whether the current block is ours.
    is_held: bool,
}

// SAFETY: the mapping belongs to this value alone, no copy of the pointer leaves it, and the kernel does not care which
// thread of the process uses it.
unsafe impl Send for Ring {}

impl Ring {
    /// Offset of `block_status` in a block: behind the version and an offset (`struct tpacket_block_desc`).
    const STATUS: usize = 8;

    /// Makes a ring for a socket that has none.
    pub(crate) fn new(socket: &Socket, blocks: u16) -> io::Result<Self> {
        socket.set(libc::SOL_PACKET, libc::PACKET_VERSION, TPACKET_V3)?;
        // Room for the VLAN tag in front of every frame.
        socket.set(libc::SOL_PACKET, libc::PACKET_RESERVE, TAG_LEN_OPTION)?;
        let request = libc::tpacket_req3 {
            tp_block_size: BLOCK_LEN_OPTION,
            tp_block_nr: u32::from(blocks),
            // Of no meaning for this version but checked: as if each block were one frame.
            tp_frame_size: BLOCK_LEN_OPTION,
            tp_frame_nr: u32::from(blocks),
            tp_retire_blk_tov: RETIRE_AFTER,
            tp_sizeof_priv: 0,
            tp_feature_req_word: 0,
        };
        socket.set(libc::SOL_PACKET, libc::PACKET_RX_RING, request)?;
        Self::map(socket.0.as_raw_fd(), libc::MAP_SHARED, blocks)
    }

    fn map(fd: c_int, flags: c_int, blocks: u16) -> io::Result<Self> {
        let len = usize::from(blocks) * BLOCK_LEN;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place of the kernel's choice changes nothing that exists.
        let start = unsafe { libc::mmap(ptr::null_mut(), len, access, flags, fd, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { start, blocks, current: 0, is_held: false })
    }

    /// Whether the current block is ours, now that it has been asked for.
    pub(crate) fn acquire(&mut self) -> bool {
        // What the kernel wrote before it set the status is seen after it.
        self.is_held = self.is_held || self.status().load(Ordering::Acquire) & libc::TP_STATUS_USER != 0;
        self.is_held
    }

    /// The bytes of the block that is ours, if one is.
    pub(crate) fn held(&mut self) -> Option<&mut [u8]> {
        let block = self.block();
        // SAFETY: the mapping has BLOCK_LEN bytes from here on, all of them set by the kernel, as it maps pages of zeros.
        // While a block is held the kernel keeps off it. Nobody else has a reference to the mapping: other references
        // are made by methods that borrow `self`, as this one does.
        self.is_held.then(|| unsafe { core::slice::from_raw_parts_mut(block.as_ptr(), BLOCK_LEN) })
    }

    /// Gives the block back, if one is ours, so that the kernel can fill it again.
    pub(crate) fn release(&mut self) {
        if self.is_held {
            self.is_held = false;
            // What was read and written here comes before the kernel sees the status.
            self.status().store(libc::TP_STATUS_KERNEL, Ordering::Release);
            self.current = (self.current + 1) % self.blocks;
        }
    }

    /// The current block.
    fn block(&self) -> NonNull<u8> {
        // SAFETY: `current` is less than `blocks`, so that the offset lies in the mapping.
        unsafe { self.start.add(usize::from(self.current) * BLOCK_LEN) }
    }

    fn status(&self) -> &AtomicU32 {
        // SAFETY: the offset is smaller than a block.
        let status = unsafe { self.block().add(Self::STATUS) };
        // SAFETY: it is aligned, as blocks begin at pages and the offset is a multiple of 4. It lives as long as `self`.
        // The kernel reads and writes it as a whole. The bytes that `held` lends include it, and borrow `self` mutably.
        unsafe { AtomicU32::from_ptr(status.cast().as_ptr()) }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let len = usize::from(self.blocks) * BLOCK_LEN;
        // SAFETY: this is the mapping that was made, of that length, and nothing borrows from it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast::<c_void>(), len) };
    }
}

// Constants of the kernel in the types that its calls take them in.
const FAMILY: u16 = 17;
const ALL_PROTOCOLS: u16 = 0x0003;
const PROMISCUOUS: u16 = 1;
const TPACKET_V3: c_int = 2;
const ADAPTER_TIMES: c_int = 1 << 6;
const TAG_LEN_OPTION: c_int = 4;
const BLOCK_LEN_OPTION: u32 = 128 * 1_024;
const _: () = {
    assert!(FAMILY as c_int == libc::AF_PACKET);
    assert!(ALL_PROTOCOLS as c_int == libc::ETH_P_ALL);
    assert!(PROMISCUOUS as c_int == libc::PACKET_MR_PROMISC);
    assert!(TPACKET_V3 == libc::tpacket_versions::TPACKET_V3 as c_int);
    assert!(ADAPTER_TIMES.cast_unsigned() == libc::SOF_TIMESTAMPING_RAW_HARDWARE);
    assert!(TAG_LEN_OPTION as usize == TAG_LEN);
    assert!(BLOCK_LEN_OPTION as usize == BLOCK_LEN);
};

fn len_of<T>() -> libc::socklen_t {
    const { assert!(size_of::<T>() <= 64) };
    // No larger than 64.
    libc::socklen_t::try_from(size_of::<T>()).unwrap_or_default()
}

fn check(result: c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring whose other side is the test.
    fn ring(blocks: u16) -> Ring {
        Ring::map(-1, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, blocks).unwrap()
    }

    /// Does what the kernel does when the current block is full.
    fn hand_over(ring: &Ring) {
        ring.status().store(libc::TP_STATUS_USER, Ordering::Release);
    }

    #[test]
    fn a_block_is_lent_only_between_its_handing_over_and_its_release() {
        let mut ring = ring(2);
        assert!(!ring.acquire());
        assert!(ring.held().is_none());
        hand_over(&ring);
        assert!(ring.held().is_none());
        assert!(ring.acquire());
        assert_eq!(ring.held().map(|block| block.len()), Some(BLOCK_LEN));
        ring.release();
        assert!(ring.held().is_none());
        assert!(!ring.acquire());
    }

    #[test]
    fn blocks_are_lent_in_a_circle() {
        let mut ring = ring(3);
        for round in 0..4_u8 {
            for block in 0..3_u8 {
                hand_over(&ring);
                assert!(ring.acquire());
                let bytes = ring.held().unwrap();
                assert_eq!(bytes[BLOCK_LEN - 1], if round == 0 { 0 } else { (round - 1) * 3 + block + 1 });
                bytes[BLOCK_LEN - 1] = round * 3 + block + 1;
                ring.release();
            }
        }
    }
}
