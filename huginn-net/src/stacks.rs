//! TCP stacks, with what the database makes of them.

use std::ptr;
use std::sync::Arc;

use huginn_net_core::Origin;
use huginn_net_db::{Database, Label, NamedStacks, Quality, TcpMatch, TcpMatcher};
use huginn_net_tcp::{MakeEvent, Seen, TcpObservation, Uptime};

use crate::event::{Distance, Event};
use crate::labels::SharedLabels;

/// A TCP stack as a SYN or SYN+ACK shows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stack {
    /// Where and when it was seen; the source is the host whose stack it shows.
    pub origin: Origin,
    /// What was seen.
    pub observation: TcpObservation,
    /// Hops to the sender.
    pub distance: Distance,
    /// What is known of it.
    pub labels: SharedLabels,
}

/// What is known of a TCP stack beyond what was seen of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StackLabels {
    /// The operating system, or the tool; `None` if no signature fits.
    pub os: Option<OperatingSystem>,
    /// MTU that the MSS was seen with, in bytes; `None` without an MSS, or if a tool built the packet. It is that of the
    /// sender's link unless there is a `mtu_origin`.
    pub mtu: Option<u32>,
    /// What kind of link has that MTU.
    pub link: Option<Link>,
    /// MTU of the sender's link in bytes, before the path lowered the MSS to what `mtu` was seen with: `mtu` then speaks
    /// of the path, a tunnel for example, and not of the sender's link. `None` unless the window gives it away.
    pub mtu_origin: Option<u32>,
    /// What kind of link has the MTU `mtu_origin`.
    pub link_origin: Option<Link>,
}

/// A label that the database gave.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OperatingSystem {
    /// The operating system, or the tool.
    pub label: Arc<Label>,
    /// How well the signature fits.
    pub quality: Quality,
    /// Line of the signature in its file, from 1.
    pub line: u32,
    /// Initial TTL of the signature.
    pub initial_ttl: u8,
    /// The packet fits only when a run of NOPs is read as a timestamps option that was overwritten on the way.
    pub timestamps_stripped: bool,
    /// The TTL is not one that this system starts from: a proxy, a tethering phone or the end of a VPN has set it anew,
    /// or somebody has configured the host.
    pub ttl_rewritten: bool,
    /// The MSS the sender computed its window with, in bytes, when the option was lowered on the way.
    pub mss_origin: Option<u16>,
    /// Those of the label.
    pub(crate) stacks: NamedStacks,
}

/// What kind of link has an MTU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Link {
    /// For example `Ethernet`.
    pub name: Arc<str>,
    /// In bytes.
    pub mtu: u32,
}

/// Puts labels on stacks. Those of the last answers are remembered, so that events share them and are a third smaller.
///
/// Observations that are alike are remembered with their labels by the analyzer. Of all others the memory has 128 sets of two:
/// with one place for each answer, two of twenty usual ones often displaced each other.
pub(crate) struct Labeller {
    matching: Option<Matching>,
    memory: Box<Memory>,
}

struct Matching {
    database: Arc<Database>,
    matcher: TcpMatcher,
}

/// In each set the one that was put there last is the first, and the other goes next.
type Memory = [[Option<(Answer, SharedLabels)>; 2]; SETS];

const SETS: usize = 128;

impl Labeller {
    pub(crate) fn new(database: Option<Arc<Database>>) -> Self {
        let matching =
            database.map(|database| Matching { matcher: TcpMatcher::new(Arc::clone(&database)), database });
        Self { matching, memory: Box::new([const { [const { None }; 2] }; SETS]) }
    }

    /// Distance and labels of a stack that is not remembered with those like it.
    #[inline(never)]
    fn known(&mut self, seen: &TcpObservation, direction: Direction) -> Known {
        let (database, matched) = match &mut self.matching {
            None => (None, None),
            Some(Matching { database, matcher }) => {
                let matched = match direction {
                    Direction::Syn => matcher.match_syn(seen),
                    Direction::SynAck => matcher.match_syn_ack(seen),
                };
                (Some(&**database), matched)
            }
        };
        let matched = matched.as_ref();
        let distance = match matched {
            Some(matched) => Distance { hops: matched.distance, at_most: matched.distance_at_most },
            None => Distance { hops: seen.ttl_guess().distance(), at_most: false },
        };
        let answer = Answer::of(matched, seen.mtu());
        let set = self.memory.get_mut(answer.set());
        let remembered = set.iter().flat_map(|set| set.iter()).flatten().find(|(known, _)| *known == answer);
        let labels = match remembered {
            Some((_, labels)) => labels.clone(),
            None => {
                let labels = SharedLabels::from(answer.labels(matched, database));
                if let Some([first, second]) = set {
                    *second = first.replace((answer, labels.clone()));
                }
                labels
            }
        };
        Known { ttl: seen.ttl, distance, labels }
    }

    /// Inlined so that a stack is made in its event.
    #[inline(always)]
    fn stack(
        &mut self,
        direction: Direction,
        origin: Origin,
        seen: Seen<'_>,
        memo: &mut Option<Known>,
    ) -> Stack {
        let known = match memo {
            Some(known) if known.ttl == seen.ttl() => known,
            _ => memo.insert(self.known(&seen.observation(), direction)),
        };
        let (distance, labels) = (known.distance, known.labels.clone());
        Stack { origin, observation: seen.observation(), distance, labels }
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Syn,
    SynAck,
}

/// What was told last of stacks that differ in nothing else that matters than what is kept here.
pub(crate) struct Known {
    ttl: u8,
    distance: Distance,
    labels: SharedLabels,
}

impl MakeEvent for Labeller {
    type Event = Event;
    type Memo = Option<Known>;

    #[inline(always)]
    fn syn(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Option<Known>) -> Event {
        Event::TcpSyn(self.stack(Direction::Syn, origin, seen, memo))
    }

    #[inline(always)]
    fn syn_ack(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Option<Known>) -> Event {
        Event::TcpSynAck(self.stack(Direction::SynAck, origin, seen, memo))
    }

    fn uptime(uptime: Uptime) -> Event {
        Event::TcpUptime(uptime)
    }
}

/// All that labels are made of, for one database.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Answer {
    /// The address of the record, which tells it from others of a database; 0 for none.
    record: usize,
    quality: Option<Quality>,
    timestamps_stripped: bool,
    ttl_rewritten: bool,
    mss_origin: Option<u16>,
    /// MTU by the MSS, whoever built the packet.
    mtu: Option<u32>,
    mtu_origin: Option<u32>,
}

impl Answer {
    #[inline]
    fn of(matched: Option<&TcpMatch<'_>>, mtu: Option<u32>) -> Self {
        Self {
            record: matched.map_or(0, |matched| ptr::from_ref(matched.record).addr()),
            quality: matched.map(|matched| matched.quality),
            timestamps_stripped: matched.is_some_and(|matched| matched.timestamps_stripped),
            ttl_rewritten: matched.is_some_and(|matched| matched.ttl_rewritten),
            mss_origin: matched.and_then(|matched| matched.mss_origin),
            mtu,
            mtu_origin: matched.and_then(|matched| matched.mtu_origin),
        }
    }

    /// Where it is remembered. Whoever makes packets that share a set makes them dearer by an allocation and a search.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "seven bits")]
    fn set(&self) -> usize {
        let mtu = u64::from(self.mtu.unwrap_or(0)) << 32 | u64::from(self.mtu_origin.unwrap_or(0));
        let mixed = (self.record as u64 ^ mtu.rotate_left(7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - SETS.ilog2())) as usize
    }

    #[cold]
    fn labels(&self, matched: Option<&TcpMatch<'_>>, database: Option<&Database>) -> StackLabels {
        let by_tool = matched.is_some_and(|matched| matched.record.label.is_tool());
        let mtu = self.mtu.filter(|_| !by_tool);
        let mtu_origin = self.mtu_origin.filter(|_| mtu.is_some());
        let link_of = |mtu: u32| {
            let record = database?.link_of(mtu)?;
            Some(Link { name: Arc::clone(&record.link), mtu })
        };
        let (link, link_origin) = (mtu.and_then(link_of), mtu_origin.and_then(link_of));
        let os = matched.map(|matched| OperatingSystem {
            label: Arc::clone(&matched.record.label),
            quality: matched.quality,
            line: matched.record.line,
            initial_ttl: matched.record.signature.ttl.highest(),
            timestamps_stripped: matched.timestamps_stripped,
            ttl_rewritten: matched.ttl_rewritten,
            mss_origin: matched.mss_origin,
            stacks: NamedStacks::of(&matched.record.label),
        });
        StackLabels { os, mtu, link, mtu_origin, link_origin }
    }
}
