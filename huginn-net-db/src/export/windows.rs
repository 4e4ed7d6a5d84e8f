//! `fill` windows as counts of segments.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use huginn_net_core::IpVersion;
use huginn_net_tcp::{IPV4_HEADERS, IPV6_HEADERS, MIN_MSS, OptionKind, TIMESTAMPS_ROOM};

use crate::tcp::{Direction, fill};
use crate::{MtuRecord, TcpSignature, WindowPattern};

/// Links of a list that are looked at; a list that somebody keeps has a hundred.
const MAX_LINKS: usize = 256;
/// A count below this is of the large segments of a loopback or jumbo frames, or of a small buffer. Old systems open with
/// such counts on every link, so that it is written for the MSS in question only.
const TELLING_COUNT: u16 = 10;

/// MSS and window of signatures that stand for one.
type Expanded = Rc<[(Option<u16>, WindowPattern)]>;

/// What windows come to on the links of a list.
pub(super) struct Windows {
    mtus: Vec<u32>,
    /// By space, room that timestamps take, and IP version.
    known: HashMap<(u32, u16, Option<IpVersion>), Expanded>,
}

impl Windows {
    pub(super) fn of(links: &[MtuRecord]) -> Self {
        let mut mtus = BTreeSet::new();
        for link in links {
            if mtus.len() < MAX_LINKS {
                mtus.insert(link.mtu);
            }
        }
        Self { mtus: mtus.into_iter().collect(), known: HashMap::new() }
    }

    /// MSS and window of every signature that `signature` stands for; none if no packet follows from it.
    pub(super) fn of_signature(&mut self, signature: &TcpSignature, direction: Direction) -> Expanded {
        let &TcpSignature { version, mss, window, ref layout, .. } = signature;
        let WindowPattern::Fill(space) = window else { return Rc::new([(mss, window)]) };
        let has = |kind: OptionKind| layout.kinds().contains(&kind.0);
        if !has(OptionKind::MSS) {
            return Rc::new([]);
        }
        // The timestamps of a SYN are not yet agreed upon.
        let takes_room = direction == Direction::SynAck && has(OptionKind::TIMESTAMPS);
        let room = if takes_room { TIMESTAMPS_ROOM } else { 0 };
        if mss.is_some() {
            let window = mss.and_then(|mss| window_of(space, mss, room));
            return window.map(|window| (mss, window)).into_iter().collect();
        }
        let mtus = &self.mtus;
        let expanded =
            self.known.entry((space, room, version)).or_insert_with(|| expand(mtus, space, room, version));
        Rc::clone(expanded)
    }
}

fn expand(mtus: &[u32], space: u32, room: u16, version: Option<IpVersion>) -> Expanded {
    let headers: &[u16] = match version {
        Some(IpVersion::V4) => &[IPV4_HEADERS],
        Some(IpVersion::V6) => &[IPV6_HEADERS],
        None => &[IPV4_HEADERS, IPV6_HEADERS],
    };
    // Counts of segments for any MSS, largest first as on the smallest links; then what is for one MSS only.
    let mut counts = BTreeSet::new();
    let mut of_one = Vec::new();
    for &mtu in mtus {
        for &headers in headers {
            let Some(mss) = mtu.checked_sub(headers.into()).and_then(|mss| u16::try_from(mss).ok()) else {
                continue;
            };
            match window_of(space, mss, room) {
                Some(WindowPattern::Mss(count)) if count >= TELLING_COUNT => {
                    counts.insert(count);
                }
                Some(window) => of_one.push((Some(mss), window)),
                None => {}
            }
        }
    }
    counts.into_iter().map(|count| (None, WindowPattern::Mss(count))).chain(of_one).collect()
}

/// The window of a packet with this MSS as p0f sees it; `None` if there is no such packet.
fn window_of(space: u32, mss: u16, room: u16) -> Option<WindowPattern> {
    if mss < MIN_MSS {
        return None;
    }
    let segment = mss - room;
    let window = fill(space, segment)?;
    // A window that is less than one segment is no multiple of it. p0f tries the MSS first.
    let divisor = [mss, segment].into_iter().find(|&divisor| window != 0 && window.is_multiple_of(divisor));
    Some(match divisor {
        Some(divisor) => WindowPattern::Mss(window / divisor),
        None => WindowPattern::Literal(window),
    })
}
