//! Traffic in memory.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use huginn_net_core::source::FrameStore;
use huginn_net_core::{Frame, LinkType, Packet, Read, Source, Timestamp};
use testkit::trace::{Events, Kind, Trace};

/// Frames to analyze any number of times; no connection is in them twice.
#[derive(Clone, Debug)]
pub struct Traffic {
    frames: Arc<FrameStore>,
}

impl Traffic {
    /// Bytes of generated traffic: several times the caches that a core has for itself on most machines.
    const SIZE: u64 = 96 << 20;
    /// How often a capture is replayed.
    const TIMES: u64 = 1_000;
    const SEED: u64 = 7;

    /// Generated traffic, and what there is to find in it. Little of it if the bench is only tested.
    #[must_use]
    pub fn generated(kind: Kind) -> (Self, Events) {
        Self::of_kind(kind, if is_test() { 1 << 20 } else { Self::SIZE })
    }

    /// Generated traffic of this size in bytes, and what there is to find in it.
    #[must_use]
    pub fn of_kind(kind: Kind, size: u64) -> (Self, Events) {
        Self::of(Trace::new(kind, Self::SEED, size))
    }

    /// Captures of `pcaps`, once and a thousand times, each time between other hosts. Three times if the bench is only tested.
    #[must_use]
    pub fn replayed(captures: &[&str]) -> Replayed {
        let times = if is_test() { 3 } else { Self::TIMES };
        let of = |times| Self::of(Trace::replay(captures, Self::SEED, times)).0;
        Replayed { once: of(1), all: of(times), times }
    }

    fn of(mut trace: Trace) -> (Self, Events) {
        let mut store = FrameStore::default();
        let mut number = 0;
        while let Some(frame) = trace.next_frame() {
            number += 1;
            let captured_at = Timestamp::from_nanos(frame.ts_nanos);
            store.push(&Frame { captured_at, number, ..Frame::new(frame.bytes, LinkType::ETHERNET) });
        }
        (Self { frames: Arc::new(store) }, trace.events())
    }

    /// Number of frames.
    #[must_use]
    pub fn packets(&self) -> u64 {
        self.frames.len() as u64
    }

    /// The frames, from the first one on.
    #[must_use]
    pub fn source(&self) -> impl Source + use<> {
        Arc::clone(&self.frames).source()
    }

    /// The same frames in so many parts, as a kernel deals them to sockets: both directions of a connection in one of them.
    #[must_use]
    pub fn shards(&self, count: usize) -> Vec<Self> {
        let mut stores = vec![FrameStore::default(); count];
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut source = self.source();
        while let Ok(Read::Frame(frame)) = source.read() {
            let hash = Packet::decode(&frame).map(|packet| {
                let ((source, destination), ports) = (packet.addresses(), packet.ports().unwrap_or_default());
                hasher.hash_one((source, ports.0)) ^ hasher.hash_one((destination, ports.1))
            });
            let shard = hash.map_or(0, |hash| (hash >> 32) as usize % count);
            stores.get_mut(shard).into_iter().for_each(|store| store.push(&frame));
        }
        stores.into_iter().map(|store| Self { frames: Arc::new(store) }).collect()
    }
}

/// A capture, once and many times.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The capture.
    pub once: Traffic,
    /// The capture again and again.
    pub all: Traffic,
    /// How often it is in `all`.
    pub times: u64,
}

/// Whether each case runs only once, without timing (`--test`).
fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_all_frames_between_them_and_connections_whole() {
        let (traffic, events) = Traffic::of(Trace::new(Kind::Syns, 1, 100_000));
        let shards = traffic.shards(4);
        assert_eq!(shards.iter().map(Traffic::packets).sum::<u64>(), events.packets);
        for shard in shards {
            assert!(shard.packets() > events.packets / 8, "{} of {}", shard.packets(), events.packets);
            // SYN and SYN+ACK are the whole connection.
            assert_eq!(shard.packets() % 2, 0);
        }
    }
}
