//! From frames to packets, fragments included.

use core::fmt;
use core::time::Duration;

use super::fragment::Defragmenter;
use super::walk::{End, MAX_TUNNELS, Next, Walk};
use super::wireless::Following;
use super::{Checksum, Layout, Packet, Undecoded};
use crate::{Frame, LinkType, Timestamp};

/// What a [`Decoder`] may hold while it waits for fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeLimits {
    /// Datagrams of which fragments are missing; the oldest is given up for another one. 1 or more.
    pub max_fragmented: usize,
    /// Fragments of one datagram.
    pub max_fragments: usize,
    /// Bytes of all fragments together; the oldest datagram is given up for another one.
    pub max_fragment_bytes: usize,
    /// Capture time between two fragments of a datagram (RFC 8200 §4.5 has 60 seconds for all of them).
    pub max_fragment_age: Duration,
}

impl Default for DecodeLimits {
    /// 1,024 datagrams of 128 fragments, 8 MiB, 30 seconds.
    fn default() -> Self {
        Self {
            max_fragmented: 1_024,
            max_fragments: 128,
            max_fragment_bytes: 8 << 20,
            max_fragment_age: Duration::from_secs(30),
        }
    }
}

impl DecodeLimits {
    /// With this [`max_fragmented`](Self::max_fragmented).
    #[must_use]
    pub const fn with_max_fragmented(self, max_fragmented: usize) -> Self {
        Self { max_fragmented, ..self }
    }

    /// With this [`max_fragments`](Self::max_fragments).
    #[must_use]
    pub const fn with_max_fragments(self, max_fragments: usize) -> Self {
        Self { max_fragments, ..self }
    }

    /// With this [`max_fragment_bytes`](Self::max_fragment_bytes).
    #[must_use]
    pub const fn with_max_fragment_bytes(self, max_fragment_bytes: usize) -> Self {
        Self { max_fragment_bytes, ..self }
    }

    /// With this [`max_fragment_age`](Self::max_fragment_age).
    #[must_use]
    pub const fn with_max_fragment_age(self, max_fragment_age: Duration) -> Self {
        Self { max_fragment_age, ..self }
    }
}

/// Turns frames into packets, and counts those that give none.
///
/// Apart from fragments, which are held until their datagram is complete, a frame leaves nothing behind and costs no
/// allocation.
pub struct Decoder {
    fragments: Defragmenter,
    /// The datagram that was completed last, lent to the packet made of it.
    datagram: Vec<u8>,
    decoded: u64,
    undecoded: [u64; Undecoded::ALL.len()],
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

/// What a [`Decoder`] has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeStats {
    /// Packets given.
    pub decoded: u64,
    /// Frames, or parts of frames that aggregate several, that gave no packet, by reason; reasons that did not occur
    /// are left out.
    pub undecoded: Vec<(Undecoded, u64)>,
    /// Datagrams put together from fragments.
    pub reassembled: u64,
    /// Datagrams given up because a limit was reached.
    pub fragments_evicted: u64,
    /// Datagrams given up because fragments were missing for too long.
    pub fragments_expired: u64,
}

impl DecodeStats {
    /// Adds what another decoder has done.
    pub fn add(&mut self, other: &Self) {
        let Self { decoded, undecoded, reassembled, fragments_evicted, fragments_expired } = other;
        self.decoded += decoded;
        for &(reason, count) in undecoded {
            match self.undecoded.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, total)) => *total += count,
                None => self.undecoded.push((reason, count)),
            }
        }
        self.reassembled += reassembled;
        self.fragments_evicted += fragments_evicted;
        self.fragments_expired += fragments_expired;
    }
}

impl Decoder {
    /// A decoder that holds no fragments yet, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(DecodeLimits::default())
    }

    /// A decoder that holds no fragments yet, with limits of one's own.
    #[must_use]
    pub fn with_limits(limits: DecodeLimits) -> Self {
        let fragments = Defragmenter::new(limits);
        Self { fragments, datagram: Vec::new(), decoded: 0, undecoded: [0; Undecoded::ALL.len()] }
    }

    /// Locates the headers of a frame, or of the datagram that this frame completes.
    ///
    /// An 802.11 frame may aggregate several: this looks at the first, and [`decode_each`](Self::decode_each) at all.
    ///
    /// # Errors
    /// The frame gives no packet, or not yet; the reason is counted.
    // Inlined so that the packet is made where it is used: copying it costs more than all the walking.
    #[inline(always)]
    pub fn decode<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Packet<'a>, Undecoded> {
        if let Some(layout) = Layout::straight(frame) {
            self.decoded += 1;
            return Ok(Packet::from_layout(frame, layout));
        }
        self.walk(frame)
    }

    /// Gives each packet of a frame to `on_packet`, where it was made, which saves a copy of it: the one that
    /// [`decode`](Self::decode) gives or, of an 802.11 frame that aggregates several (A-MSDU, IEEE 802.11-2020
    /// §9.3.2.2), those of all, in order. What gives none is counted.
    #[inline(always)]
    pub fn decode_each(&mut self, frame: &Frame<'_>, mut on_packet: impl FnMut(&Packet<'_>)) {
        if let Some(layout) = Layout::straight(frame) {
            self.decoded += 1;
            on_packet(&Packet::from_layout(frame, layout));
        } else if Layout::is_nowhere(frame) {
            self.count(Undecoded::NotIp);
        } else {
            // A copy, so that the frames of all others need not be in memory.
            self.walk_each(*frame, &mut on_packet);
        }
    }

    /// Locates the headers of a frame that takes a closer look.
    #[inline(never)]
    fn walk<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Packet<'a>, Undecoded> {
        let mut walk = Walk::of_frame(frame);
        let end = walk.start(frame);
        self.conclude(frame, &walk, end)
    }

    /// Locates the headers of a frame that takes a closer look, and of those that it aggregates. Every turn passes
    /// over the header of one at least.
    #[inline(never)]
    fn walk_each(&mut self, frame: Frame<'_>, on_packet: &mut impl FnMut(&Packet<'_>)) {
        let frame = &frame;
        let mut walk = Walk::of_frame(frame);
        let mut end = walk.start(frame);
        loop {
            if let Ok(End::Fragment) = end {
                self.decode_each_of_datagram(frame, &walk, on_packet);
            } else if let Ok(packet) = self.conclude(frame, &walk, end) {
                on_packet(&packet);
            }
            let Some(following) = walk.following else { return };
            let Some(next) = Walk::of_following(frame, following) else { return };
            walk = next;
            end = walk.go(Next::Subframe(following.kind));
        }
    }

    /// Counts what a walk ended at, and makes the packet.
    #[inline(always)]
    fn conclude<'a>(
        &'a mut self,
        frame: &Frame<'a>,
        walk: &Walk<'_>,
        end: Result<End, Undecoded>,
    ) -> Result<Packet<'a>, Undecoded> {
        match end {
            Ok(End::Packet) => {
                self.decoded += 1;
                Ok(Packet::from_layout(frame, walk.layout()))
            }
            Ok(End::Fragment) => self.decode_fragment(frame, walk),
            Err(reason) => Err(self.count(reason)),
        }
    }

    #[cold]
    fn decode_fragment<'a>(
        &'a mut self,
        frame: &Frame<'a>,
        walk: &Walk<'_>,
    ) -> Result<Packet<'a>, Undecoded> {
        let result = self.reassemble(frame, walk);
        let datagram = result.map_err(|reason| self.count(reason))?;
        self.conclude_datagram(frame, &datagram)
    }

    /// Locates the headers in the datagram that a frame may complete, and of the frames that it aggregates where it carries one
    /// of 802.11.
    #[cold]
    fn decode_each_of_datagram(
        &mut self,
        frame: &Frame<'_>,
        walk: &Walk<'_>,
        on_packet: &mut impl FnMut(&Packet<'_>),
    ) {
        let mut datagram = match self.reassemble(frame, walk) {
            Ok(datagram) => datagram,
            Err(reason) => {
                self.count(reason);
                return;
            }
        };
        loop {
            if let Ok(packet) = self.conclude_datagram(frame, &datagram) {
                on_packet(&packet);
            }
            let bytes = self.bytes_of_datagram(frame);
            let Some(following) = datagram.following else { return };
            let Some(mut next) = Walk::of_following(&bytes, following) else { return };
            let end = next.go(Next::Subframe(following.kind));
            let is_late = datagram.is_late;
            datagram = Reassembled::of(&next, end, is_late);
            // Not all of it need be of the datagram that its begin is of.
            if is_late && datagram.layout.is_ok_and(|layout| !self.was_sent(frame, layout)) {
                datagram.layout = Err(Undecoded::Fragment);
            }
        }
    }

    /// Counts what a walk through a datagram ended at, and makes the packet.
    fn conclude_datagram<'a>(
        &'a mut self,
        frame: &Frame<'a>,
        datagram: &Reassembled,
    ) -> Result<Packet<'a>, Undecoded> {
        let layout = datagram.layout.map_err(|reason| self.count(reason))?;
        self.decoded += 1;
        Ok(Packet::from_layout(&self.bytes_of_datagram(frame), layout))
    }

    /// The datagram that a frame completed.
    fn bytes_of_datagram<'a>(&'a self, frame: &Frame<'a>) -> Frame<'a> {
        let wire_len = u32::try_from(self.datagram.len()).unwrap_or(u32::MAX);
        Frame { bytes: &self.datagram, link_type: LinkType::RAW, wire_len, ..*frame }
    }

    #[inline]
    fn count(&mut self, reason: Undecoded) -> Undecoded {
        if let Some(count) = self.undecoded.get_mut(reason as usize) {
            *count += 1;
        }
        reason
    }

    /// Leaves the completed datagram in `self.datagram`. One turn for each tunnel that may be passed, and one for the
    /// packet itself: IPv6 has room for fragment headers within fragments, which copy the same bytes once more each.
    fn reassemble(&mut self, frame: &Frame<'_>, walk: &Walk<'_>) -> Result<Reassembled, Undecoded> {
        let now = frame.captured_at;
        let (mut whole, mut passed) = (self.fragments.push(walk, now)?, walk.passed);
        let is_late = whole.is_late;
        for _ in 0..=MAX_TUNNELS {
            self.datagram = whole.datagram;
            let mut inner = Walk::new(&self.datagram, passed);
            let end = inner.go(whole.next);
            // A fragment among several frames does not take the place of the others.
            if end != Ok(End::Fragment) || inner.following.is_some() {
                let datagram = Reassembled::of(&inner, end, is_late);
                return if is_late { self.judge_late(frame, walk, datagram) } else { Ok(datagram) };
            }
            (whole, passed) = (self.fragments.push(&inner, now)?, inner.passed);
        }
        Err(Undecoded::TooDeep)
    }

    /// Gives a datagram up whose fragments came late, if it was not sent like this. Network cards fill checksums in, though not those
    /// of what is sent in fragments: one that is wrong says something only where something else is odd.
    fn judge_late(
        &mut self,
        frame: &Frame<'_>,
        walk: &Walk<'_>,
        datagram: Reassembled,
    ) -> Result<Reassembled, Undecoded> {
        let Ok(layout) = datagram.layout else {
            // Without a checksum to judge by, nothing behind it is believed.
            return Ok(Reassembled { following: None, ..datagram });
        };
        let was_sent = self.was_sent(frame, layout);
        self.fragments.judge_late(walk, was_sent);
        if was_sent { Ok(datagram) } else { Err(Undecoded::Fragment) }
    }

    /// Whether a packet of the datagram that was put together may have been sent like this, by its checksum.
    fn was_sent(&self, frame: &Frame<'_>, layout: Layout) -> bool {
        Packet::from_layout(&self.bytes_of_datagram(frame), layout).checksum() != Checksum::Invalid
    }

    /// Gives up datagrams whose fragments did not arrive in time.
    pub fn on_time(&mut self, now: Timestamp) {
        self.fragments.on_time(now);
    }

    /// What has been done so far.
    #[must_use]
    pub fn stats(&self) -> DecodeStats {
        let undecoded =
            Undecoded::ALL.iter().copied().zip(self.undecoded).filter(|&(_, count)| count > 0).collect();
        DecodeStats {
            decoded: self.decoded,
            undecoded,
            reassembled: self.fragments.reassembled,
            fragments_evicted: self.fragments.evicted,
            fragments_expired: self.fragments.expired,
        }
    }
}

/// What a walk through a datagram came to that was put together.
struct Reassembled {
    layout: Result<Layout, Undecoded>,
    /// What is aggregated behind it.
    following: Option<Following>,
    /// Whether fragments of the frame's own came late.
    is_late: bool,
}

impl Reassembled {
    fn of(walk: &Walk<'_>, end: Result<End, Undecoded>, is_late: bool) -> Self {
        let layout = match end {
            Ok(End::Packet) => Ok(walk.layout()),
            Ok(End::Fragment) => Err(Undecoded::Fragment),
            Err(reason) => Err(reason),
        };
        Self { layout, following: walk.following, is_late }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}
