//! Packets on their way to a worker, and their events on the way back.

use super::super::lanes::{LaneSet, Lanes};
use super::super::merge::Run;
use super::config::PoolConfig;
use super::route::Share;
use crate::{Frame, Layout, LinkType, Packet, Timestamp};

/// A part of the packets of one round. It goes from the reader to a worker, from there with the events to who merges them,
/// and back to the reader, empty.
pub(super) struct Batch<E> {
    pub(super) worker: usize,
    /// Whether the worker is to tell what its analyzers have counted.
    pub(super) publishes: bool,
    /// The bytes of all packets, one after the other.
    bytes: Vec<u8>,
    items: Vec<Item>,
    packets: usize,
    /// That of the last item.
    pub(super) place: u64,
    pub(super) events: Run<E>,
}

/// What a worker is told, in order.
enum Item {
    Packet(Copied),
    Tick { place: u64, now: Timestamp },
    End { place: u64 },
}

/// A packet whose bytes are in the batch.
struct Copied {
    place: u64,
    len: usize,
    captured_at: Timestamp,
    number: u64,
    layout: Layout,
    lanes: LaneSet,
}

const _: () = assert!(size_of::<Item>() <= 104, "a batch has as many as packets");

impl<E> Batch<E> {
    pub(super) fn new() -> Self {
        Self {
            worker: 0,
            publishes: false,
            bytes: Vec::new(),
            items: Vec::new(),
            packets: 0,
            place: 0,
            events: Run::new(),
        }
    }

    /// Copies a packet, or its headers if nothing else is wanted: what comes from memory that is in no cache is half of what
    /// the reader does.
    #[inline]
    pub(super) fn push(&mut self, packet: &Packet<'_>, place: u64, share: Share) {
        let Share { lanes, is_whole, .. } = share;
        let bytes = if is_whole { packet.bytes() } else { packet.up_to_payload() };
        self.bytes.extend_from_slice(bytes);
        self.packets += 1;
        self.place = place;
        self.items.push(Item::Packet(Copied {
            place,
            len: bytes.len(),
            captured_at: packet.captured_at(),
            number: packet.number(),
            layout: *packet.layout(),
            lanes,
        }));
    }

    pub(super) fn push_tick(&mut self, place: u64, now: Timestamp) {
        self.publishes = true;
        self.place = place;
        self.items.push(Item::Tick { place, now });
    }

    pub(super) fn push_end(&mut self, place: u64) {
        self.publishes = true;
        self.place = place;
        self.items.push(Item::End { place });
    }

    #[inline]
    pub(super) fn is_full(&self, config: &PoolConfig) -> bool {
        self.items.len() >= config.batch_packets || self.bytes.len() >= config.batch_bytes
    }

    pub(super) fn packets(&self) -> usize {
        self.packets
    }

    /// Does what the items say, and collects events.
    pub(super) fn analyze(&mut self, lanes: &mut Lanes<E>) {
        let Self { bytes, items, events, .. } = self;
        let mut rest = bytes.as_slice();
        for item in items {
            match *item {
                Item::Packet(Copied { place, len, captured_at, number, layout, lanes: set }) => {
                    // The bytes of each packet are there: they were pushed with it.
                    let Some((bytes, behind)) = rest.split_at_checked(len) else { return };
                    rest = behind;
                    let frame = Frame { captured_at, number, ..Frame::new(bytes, LinkType::RAW) };
                    let packet = Packet::from_layout(&frame, layout);
                    lanes.on_packet(&packet, set, |lane, event| {
                        events.push(place, lane, event);
                    });
                }
                Item::Tick { place, now } => {
                    lanes.on_time(now, &mut |lane, event| events.push(place, lane, event));
                }
                Item::End { place } => {
                    lanes.on_end(&mut |lane, event| events.push(place, lane, event));
                }
            }
        }
    }

    /// Makes it ready to be filled again; memory that a few large packets took is given back.
    pub(super) fn clear(&mut self, config: &PoolConfig) {
        self.publishes = false;
        self.packets = 0;
        self.items.clear();
        self.bytes.clear();
        self.bytes.shrink_to(config.batch_bytes.saturating_mul(2));
        self.events.clear();
    }
}
