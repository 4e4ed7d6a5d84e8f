//! Traffic of a kind in any amount, to time analyses with: the same bytes for the same seed on every machine, and known
//! events.
//!
//! A trace is made of *units*: a connection, or an exchange of datagrams, of which there is a template. Templates are
//! captures of `pcaps` or are built. Each unit has addresses, ports, sequence numbers, timestamps and, where it is in one
//! segment, a client random of its own, with checksums that are right; units overlap in time, as those of a link do.
//! Datagrams of QUIC keep what they carry, connection ids included, as that cannot be changed without encrypting it anew.
//!
//! ```
//! use testkit::trace::{Kind, Trace};
//!
//! let mut file = Vec::new();
//! let events = Trace::new(Kind::Syns, 1, 10_000).write_pcap(&mut file)?;
//! assert_eq!((events.syns, events.syn_acks), (events.packets / 2, events.packets / 2));
//! # Ok::<(), std::io::Error>(())
//! ```

mod kinds;
mod talk;
mod template;
mod unit;

use core::fmt;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};

use self::kinds::Mix;
use self::unit::Identity;
use crate::capture::{Capture, Record};
use crate::encap::link::link_type;
use crate::rng::Rng;

/// What a trace is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// ClientHellos over TCP, one of a connection and nothing else of it; a third of them over two segments.
    Hellos,
    /// Connections of TLS from SYN to FIN.
    Handshakes,
    /// SYN and SYN+ACK of connections.
    Syns,
    /// Connections of HTTP/1.1 with several requests each.
    Http,
    /// A few connections at a time that carry full segments.
    Bulk,
    /// Connections of QUIC, as far as they were captured: the first packets.
    Quic,
    /// Of each some, and DNS, as on an uplink: three in four packets are bulk.
    Mixed,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Hellos, Self::Handshakes, Self::Syns, Self::Http, Self::Bulk, Self::Quic, Self::Mixed];

    /// A short word, for example `hellos`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hellos => "hellos",
            Self::Handshakes => "handshakes",
            Self::Syns => "syns",
            Self::Http => "http",
            Self::Bulk => "bulk",
            Self::Quic => "quic",
            Self::Mixed => "mixed",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What there is to find in a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Events {
    /// Frames.
    pub packets: u64,
    /// Bytes of all frames.
    pub bytes: u64,
    /// Connections or exchanges of datagrams.
    pub units: u64,
    /// SYNs, none of them twice.
    pub syns: u64,
    /// SYN+ACKs, none of them twice, each after its SYN.
    pub syn_acks: u64,
    /// Ends of connections whose timestamps tell a tick rate.
    pub clocks: u64,
    /// ClientHellos of TCP and QUIC.
    pub client_hellos: u64,
    /// ServerHellos of TCP and QUIC.
    pub server_hellos: u64,
    /// Requests of HTTP/1.1, six of each connection: more than some analyses look at.
    pub http_requests: u64,
    /// Responses of HTTP/1.1, as many.
    pub http_responses: u64,
}

impl Events {
    fn add(&mut self, other: &Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.units += other.units;
        self.syns += other.syns;
        self.syn_acks += other.syn_acks;
        self.clocks += other.clocks;
        self.client_hellos += other.client_hellos;
        self.server_hellos += other.server_hellos;
        self.http_requests += other.http_requests;
        self.http_responses += other.http_responses;
    }
}

/// A frame of a trace, lent until the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceFrame<'a> {
    /// Capture time in nanoseconds since 1970.
    pub ts_nanos: u64,
    /// An Ethernet frame.
    pub bytes: &'a [u8],
}

/// Makes the frames of a trace, in order of time. What it holds depends on the units that overlap, not on the size.
pub struct Trace {
    mix: Mix,
    rng: Rng,
    left: Left,
    next_start: u64,
    running: BinaryHeap<Reverse<Running>>,
    events: Events,
    buffer: Vec<u8>,
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").field("left", &self.left).finish_non_exhaustive()
    }
}

/// What has not been begun.
#[derive(Debug, Clone, Copy)]
enum Left {
    /// Bytes of a file, of units that are chosen at random.
    Bytes(u64),
    /// Units, which take turns.
    Units(u64),
}

impl Left {
    const fn is_some(self) -> bool {
        let (Self::Bytes(left) | Self::Units(left)) = self;
        left > 0
    }
}

/// A unit of which frames are left, ordered by the time of the next one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Running {
    at: u64,
    number: u64,
    template: usize,
    next: usize,
    identity: Identity,
}

impl Trace {
    /// Bytes of the header of a file and of those of its records.
    const FILE_HEADER: u64 = 24;
    const RECORD_HEADER: u64 = 16;

    /// A trace that takes `size` bytes or a little more as a file: as many whole units as that needs.
    ///
    /// # Panics
    /// If a capture that it is made of is not in `pcaps`.
    #[must_use]
    pub fn new(kind: Kind, seed: u64, size: u64) -> Self {
        Self::of(Mix::of(kind), seed, Left::Bytes(size.saturating_sub(Self::FILE_HEADER)))
    }

    /// Every connection and exchange of datagrams of these captures of `pcaps`, so many times, each time with an identity of
    /// its own and with the pace of the other traces rather than that of the capture. [`Events`] tells what shows in single segments of these; what else there is in the captures it does not know.
    ///
    /// # Panics
    /// If there is no such capture of Ethernet.
    #[must_use]
    pub fn replay(captures: &[&str], seed: u64, times: u64) -> Self {
        let mix = Mix::of_captures(captures);
        let units = mix.templates.len() as u64 * times;
        Self::of(mix, seed, Left::Units(units))
    }

    fn of(mix: Mix, seed: u64, left: Left) -> Self {
        const START: u64 = 1_700_000_000 * 1_000_000_000;
        Self {
            mix,
            rng: Rng::new(seed),
            left,
            next_start: START,
            running: BinaryHeap::new(),
            events: Events::default(),
            buffer: Vec::new(),
        }
    }

    /// The next frame; `None` at the end.
    pub fn next_frame(&mut self) -> Option<TraceFrame<'_>> {
        while self.left.is_some()
            && self.running.peek().is_none_or(|Reverse(first)| self.next_start <= first.at)
        {
            self.start();
        }
        let Reverse(unit) = self.running.pop()?;
        let template = &self.mix.templates[unit.template];
        let frame = &template.frames[unit.next];
        unit.identity.apply(frame, &mut self.buffer);
        let ts_nanos = unit.at;
        if let Some(following) = template.frames.get(unit.next + 1) {
            let at = unit.at + following.wait;
            self.running.push(Reverse(Running { at, next: unit.next + 1, ..unit }));
        }
        Some(TraceFrame { ts_nanos, bytes: &self.buffer })
    }

    /// Begins another unit.
    fn start(&mut self) {
        let template = match self.left {
            Left::Bytes(_) => self.mix.choose(&mut self.rng),
            Left::Units(_) => (self.events.units % self.mix.templates.len() as u64) as usize,
        };
        let events = &self.mix.templates[template].events;
        let (at, number) = (self.next_start, self.events.units);
        let identity = Identity::new(number, &mut self.rng);
        self.running.push(Reverse(Running { at, number, template, next: 0, identity }));
        self.events.add(events);
        self.left = match self.left {
            Left::Bytes(left) => {
                Left::Bytes(left.saturating_sub(events.bytes + events.packets * Self::RECORD_HEADER))
            }
            Left::Units(left) => Left::Units(left - 1),
        };
        self.next_start += events.bytes * 1_000_000_000 / self.mix.bytes_per_second;
    }

    /// What there is to find in the units that have begun: at the end, in the trace.
    #[must_use]
    pub fn events(&self) -> Events {
        self.events
    }

    /// Writes the trace as a capture file (nanoseconds, little-endian), and says what there is to find.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_pcap(mut self, mut out: impl Write) -> io::Result<Events> {
        let magic = 0xa1b2_3c4d_u32.to_le_bytes();
        let words = [0, 0, 262_144, u32::from(link_type::ETHERNET)];
        out.write_all(&[&magic[..], &[2, 0, 4, 0], &words.map(u32::to_le_bytes).concat()].concat())?;
        while let Some(TraceFrame { ts_nanos, bytes }) = self.next_frame() {
            let len = bytes.len() as u32;
            let seconds = (ts_nanos / 1_000_000_000) as u32;
            let nanos = (ts_nanos % 1_000_000_000) as u32;
            for word in [seconds, nanos, len, len] {
                out.write_all(&word.to_le_bytes())?;
            }
            out.write_all(bytes)?;
        }
        out.flush()?;
        Ok(self.events)
    }

    /// The frames in memory, and what there is to find.
    #[must_use]
    pub fn into_capture(mut self) -> (Capture, Events) {
        let mut records = Vec::new();
        while let Some(TraceFrame { ts_nanos, bytes }) = self.next_frame() {
            records.push(Record::whole(ts_nanos, bytes.to_vec()));
        }
        (Capture { link_type: link_type::ETHERNET, records }, self.events)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn file(kind: Kind, seed: u64, size: u64) -> (Vec<u8>, Events) {
        let mut file = Vec::new();
        let events = Trace::new(kind, seed, size).write_pcap(&mut file).expect("memory");
        (file, events)
    }

    /// FNV-1a.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_on_every_machine_and_another_one_others() {
        let expected = [
            (Kind::Hellos, 0x7f7a_e88b_37af_1173),
            (Kind::Handshakes, 0x16da_1383_85e2_1ed8),
            (Kind::Syns, 0xb632_24e8_9e84_9cae),
            (Kind::Http, 0x9fc5_9908_c0a3_64ba),
            (Kind::Bulk, 0x1fc6_b9af_4702_fb1d),
            (Kind::Quic, 0x245c_64ef_5b9c_ef17),
            (Kind::Mixed, 0xb198_f632_53ca_0f38),
        ];
        for (kind, expected) in expected {
            let (first, _) = file(kind, 7, 200_000);
            assert_eq!(hash(&first), expected, "{}", kind.name());
            assert_ne!(file(kind, 8, 200_000).0, first, "{}", kind.name());
        }
    }

    #[test]
    fn a_trace_takes_the_size_that_was_asked_for_and_less_than_a_unit_more() {
        for kind in Kind::ALL {
            for size in [1, 100_000, 4_000_000] {
                let (file, events) = file(kind, 1, size);
                let len = file.len() as u64;
                assert_eq!(len, 24 + events.bytes + 16 * events.packets, "{}", kind.name());
                let mix = Mix::of(kind);
                let units = mix.templates.iter().map(|template| template.events);
                let longest = units.map(|unit| unit.bytes + 16 * unit.packets).max().expect("templates");
                assert!((size..size.max(24) + longest).contains(&len), "{} {size}: {len}", kind.name());
            }
        }
    }

    #[test]
    fn a_replay_has_each_connection_of_its_captures_so_many_times() {
        let captures = ["real/http_clients.pcap", "real/v6.pcap"];
        let count = |times| Trace::replay(&captures, 1, times).into_capture();
        let (once, events) = count(1);
        assert_eq!(events.packets, once.records.len() as u64);
        assert_eq!((events.units, events.syns), (37, 37));
        let (capture, events) = count(5);
        assert_eq!((events.units, events.packets), (5 * 37, 5 * once.records.len() as u64));
        let clients: HashSet<_> =
            capture.records.iter().map(|record| record.bytes[26..38].to_vec()).collect();
        assert!(clients.len() > 5 * 37, "{} senders and receivers", clients.len());
    }

    #[test]
    fn frames_are_in_order_of_time() {
        for kind in Kind::ALL {
            let (capture, events) = Trace::new(kind, 1, 500_000).into_capture();
            assert!(capture.records.is_sorted_by_key(|record| record.ts_nanos), "{}", kind.name());
            assert_eq!(capture.records.len() as u64, events.packets, "{}", kind.name());
        }
    }

    #[test]
    fn kinds_are_known_by_their_names() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.name()), Some(kind));
        }
        assert_eq!(Kind::parse("smtp"), None);
    }
}
