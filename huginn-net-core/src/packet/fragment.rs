//! Fragments of IP datagrams, and of what a tunnel carries, put together again.

use core::time::Duration;

use super::capwap::InParts;
use super::walk::{Fragment, Next, Walk};
use super::{DecodeLimits, IpVersion, Undecoded};
use crate::Timestamp;
use crate::flow::{Expiring, ExpiringLimits};

/// Longest IP datagram: RFC 791 §3.1 counts the header, RFC 8200 §3 does not.
const fn max_datagram_len(version: IpVersion) -> usize {
    match version {
        IpVersion::V4 => 65_535,
        IpVersion::V6 => 40 + 65_535,
    }
}

/// What fragments of one datagram have in common (RFC 791 §3.2, RFC 8200 §4.5), within one address space.
#[derive(Clone, PartialEq, Eq, Hash)]
struct DatagramKey {
    version: IpVersion,
    addresses: [u8; 32],
    identification: u32,
    protocol: u8,
    /// If it is what a tunnel carries between these addresses.
    carried: Option<InParts>,
    domain: u64,
}

impl DatagramKey {
    fn of(walk: &Walk<'_>, fragment: &Fragment<'_>) -> Option<Self> {
        let (at, len) = match walk.ip.version {
            IpVersion::V4 => (12, 8),
            IpVersion::V6 => (8, 32),
        };
        let mut addresses = [0; 32];
        let from = fragment.header.get(at..)?.get(..len)?;
        addresses.get_mut(..len)?.copy_from_slice(from);
        Some(Self {
            version: walk.ip.version,
            addresses,
            identification: fragment.identification,
            // IPv6 datagrams are told apart by addresses and identification alone.
            protocol: if walk.ip.version == IpVersion::V4 { fragment.next_header } else { 0 },
            carried: fragment.carried,
            domain: walk.passed.domain,
        })
    }
}

/// The fragments of one datagram that have arrived.
#[derive(Default)]
struct Assembly {
    /// Headers that every fragment repeats, as the first fragment has them; none of what a tunnel carries.
    header: Vec<u8>,
    /// In order of their offsets; none overlaps another.
    pieces: Vec<Piece>,
    received: usize,
    /// Length of the payload, once the last fragment has arrived.
    total: Option<usize>,
    /// When a fragment arrived last.
    touched: Timestamp,
    /// What has arrived since a gap, which may be of another datagram than what arrived before it.
    since_gap: Option<Box<Self>>,
}

struct Piece {
    offset: usize,
    bytes: Vec<u8>,
}

impl Piece {
    fn end(&self) -> usize {
        self.offset + self.bytes.len()
    }
}

impl Assembly {
    /// Takes a fragment, whose payload is at the cursor of `walk`.
    fn add(&mut self, walk: &Walk<'_>, fragment: &Fragment<'_>) -> Result<(), Undecoded> {
        if fragment.offset == 0 && self.header.is_empty() && fragment.carried.is_none() {
            self.header = repeated_header(walk.ip.version, fragment).unwrap_or_default();
        }
        self.insert(fragment.offset, walk.rest, fragment.more)
    }

    /// Takes the payload of a fragment.
    fn insert(&mut self, offset: usize, payload: &[u8], more: bool) -> Result<(), Undecoded> {
        let end = offset + payload.len();
        if !more {
            if self.total.is_some_and(|total| total != end) {
                return Err(Undecoded::FragmentOverlap);
            }
            self.total = Some(end);
        }
        if self
            .total
            .is_some_and(|total| end > total || self.pieces.last().is_some_and(|last| last.end() > total))
        {
            return Err(Undecoded::FragmentOverlap);
        }
        let index = self.pieces.partition_point(|piece| piece.offset < offset);
        if let Some(same) = self.pieces.get(index)
            && same.offset == offset
            && same.bytes == payload
        {
            return Ok(());
        }
        let overlaps_earlier =
            index.checked_sub(1).and_then(|at| self.pieces.get(at)).is_some_and(|p| p.end() > offset);
        let overlaps_later = self.pieces.get(index).is_some_and(|piece| piece.offset < end);
        if overlaps_earlier || overlaps_later {
            return Err(Undecoded::FragmentOverlap);
        }
        self.received += payload.len();
        self.pieces.insert(index, Piece { offset, bytes: payload.to_vec() });
        Ok(())
    }

    fn is_complete(&self) -> bool {
        // All of it begins with the fragment that brought the header.
        self.total == Some(self.received)
    }

    fn held(&self) -> usize {
        self.header.len() + self.received + self.since_gap.as_ref().map_or(0, |since| since.held())
    }

    /// What was cut as it was before.
    fn joined(self) -> Vec<u8> {
        let mut whole = self.header;
        whole.reserve_exact(self.received);
        for piece in &self.pieces {
            whole.extend_from_slice(&piece.bytes);
        }
        whole
    }

    /// The datagram as it was before it was cut, with the length that follows from that.
    fn into_datagram(self, version: IpVersion) -> Result<Vec<u8>, Undecoded> {
        let mut datagram = self.joined();
        let (field, len) = match version {
            IpVersion::V4 => (2..4, datagram.len()),
            IpVersion::V6 => (4..6, datagram.len().saturating_sub(40)),
        };
        let len = u16::try_from(len).map_err(|_| Undecoded::FragmentLength)?;
        if let Some(slot) = datagram.get_mut(field) {
            slot.copy_from_slice(&len.to_be_bytes());
        }
        Ok(datagram)
    }
}

/// Puts fragments together within limits.
pub(super) struct Defragmenter {
    table: Expiring<DatagramKey, Assembly>,
    limits: DecodeLimits,
    held: usize,
    /// Datagrams given up because a limit was reached.
    pub(super) evicted: u64,
    /// Datagrams given up because fragments were missing for too long.
    pub(super) expired: u64,
    pub(super) reassembled: u64,
}

/// A datagram, or what a tunnel carries, that is whole again, and what it is.
pub(super) struct Reassembled {
    pub(super) datagram: Vec<u8>,
    pub(super) next: Next,
    /// Its fragments arrived so far apart that they may be of two datagrams with the same identification
    /// ([RFC 4963](https://www.rfc-editor.org/rfc/rfc4963)).
    pub(super) is_late: bool,
}

/// Fragments of one datagram are sent together; a router may delay one for some hundred milliseconds.
const LATE: Duration = Duration::from_secs(1);

impl Defragmenter {
    pub(super) fn new(limits: DecodeLimits) -> Self {
        let table = Expiring::new(ExpiringLimits {
            max_entries: limits.max_fragmented.max(1),
            idle: limits.max_fragment_age,
        });
        Self { table, limits, held: 0, evicted: 0, expired: 0, reassembled: 0 }
    }

    /// Forgets datagrams whose fragments did not arrive in time.
    pub(super) fn on_time(&mut self, now: Timestamp) {
        let (held, expired) = (&mut self.held, &mut self.expired);
        self.table.expire(now, |_, assembly| {
            *held -= assembly.held();
            *expired += 1;
        });
    }

    /// Takes a fragment, whose payload is at the cursor of `walk`; gives the datagram if this was the last one missing.
    pub(super) fn push(&mut self, walk: &Walk<'_>, now: Timestamp) -> Result<Reassembled, Undecoded> {
        let fragment = walk.fragment.as_ref().ok_or(Undecoded::Fragment)?;
        let payload = walk.rest;
        let whole_units = payload.len().is_multiple_of(8);
        let end = fragment.header.len() + fragment.offset + payload.len();
        if payload.is_empty() || (fragment.more && !whole_units) || end > max_datagram_len(walk.ip.version) {
            return Err(Undecoded::FragmentLength);
        }
        let key = DatagramKey::of(walk, fragment).ok_or(Undecoded::FragmentLength)?;
        let mut assembly = self.take(&key, now);
        assembly.touched = now;
        let mut since_gap = assembly.since_gap.take();
        if let Some(since) = &mut since_gap {
            since.add(walk, fragment)?;
            if since.is_complete() || assembly.add(walk, fragment).is_err() {
                // Nothing of what came before the gap belongs to it.
                self.expired += 1;
                assembly = *since_gap.take().unwrap_or_default();
                assembly.touched = now;
            }
        } else {
            assembly.add(walk, fragment)?;
        }
        if assembly.is_complete() {
            let is_late = since_gap.is_some();
            if let Some(since) = since_gap {
                self.hold(key, Assembly { touched: now, ..*since }, now);
            }
            let (datagram, next) = match (fragment.carried, walk.ip.version) {
                (Some(carried), _) => (assembly.joined(), carried.next()),
                (None, version @ IpVersion::V4) => (assembly.into_datagram(version)?, Next::IPV4),
                (None, version @ IpVersion::V6) => (assembly.into_datagram(version)?, Next::IPV6),
            };
            self.reassembled += 1;
            return Ok(Reassembled { datagram, next, is_late });
        }
        assembly.since_gap = since_gap;
        if assembly.pieces.len() > self.limits.max_fragments {
            self.evicted += 1;
            return Err(Undecoded::Fragment);
        }
        self.hold(key, assembly, now);
        Err(Undecoded::Fragment)
    }

    /// What has arrived of a datagram; nothing if that is too long ago.
    fn take(&mut self, key: &DatagramKey, now: Timestamp) -> Assembly {
        let Some(mut assembly) = self.table.remove(key) else { return Assembly::default() };
        self.held -= assembly.held();
        // Where time runs back, too.
        let age = now.abs_diff(assembly.touched);
        if age > self.limits.max_fragment_age {
            self.expired += 1;
            return Assembly::default();
        }
        if age > LATE {
            assembly.since_gap = Some(Box::default());
        }
        assembly
    }

    /// Says what became of a datagram whose fragments came late, and which this fragment completed: with a wrong checksum it
    /// was never sent, and what came since the gap waits for the rest of another one.
    pub(super) fn judge_late(&mut self, walk: &Walk<'_>, was_sent: bool) {
        if !was_sent {
            self.reassembled -= 1;
            self.expired += 1;
        } else if let Some(key) = walk.fragment.as_ref().and_then(|fragment| DatagramKey::of(walk, fragment))
            && let Some(since) = self.table.remove(&key)
        {
            self.held -= since.held();
        }
    }

    /// Keeps an assembly, and gives up the oldest ones for it when there is no room.
    fn hold(&mut self, key: DatagramKey, assembly: Assembly, now: Timestamp) {
        self.held += assembly.held();
        if let Some((_, oldest)) = self.table.insert(key, assembly, now) {
            self.held -= oldest.held();
            self.evicted += 1;
        }
        while self.held > self.limits.max_fragment_bytes {
            let Some((_, oldest)) = self.table.pop_oldest() else { break };
            self.held -= oldest.held();
            self.evicted += 1;
        }
    }
}

/// The headers of a first fragment as they were before the datagram was cut: on IPv4 without "more fragments", on
/// IPv6 without the fragment header. The checksum of IPv4 stays as it was captured.
fn repeated_header(version: IpVersion, fragment: &Fragment<'_>) -> Option<Vec<u8>> {
    let mut header = fragment.header.to_vec();
    *header.get_mut(fragment.next_header_at)? = fragment.next_header;
    if version == IpVersion::V4 {
        const MORE_FRAGMENTS: u8 = 0x20;
        *header.get_mut(6)? &= !MORE_FRAGMENTS;
    }
    Some(header)
}
