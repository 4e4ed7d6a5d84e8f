//! How many connections each source has pending.

use huginn_net_core::{NetworkTag, SourceCounts};

/// Refuses a source that has too many.
///
/// Networks fall into shares (see [`NetworkTag::share`]), and as long as a share has fewer connections than one source
/// may have, none of its sources has too many. Exact counts by source are kept only while a share has more.
pub(crate) struct PendingSources {
    limit: u32,
    /// Connections of the sources of each share.
    shares: Box<[u32; 256]>,
    counts: Option<Counts>,
}

impl PendingSources {
    /// Counts that let each source have `limit` pending connections.
    pub(crate) fn new(limit: u16) -> Self {
        Self { limit: limit.into(), shares: Box::new([0; 256]), counts: None }
    }

    /// Counts one more connection of `source`, unless there are as many already as it may have. `held` gives the
    /// connections there are, as the source of each that was counted and `None` for the others.
    #[inline(always)]
    pub(crate) fn try_add<I: Iterator<Item = Option<NetworkTag>>>(
        &mut self,
        source: NetworkTag,
        held: impl FnOnce() -> I,
    ) -> bool {
        let Some(share) = self.shares.get_mut(usize::from(source.share())) else { return false };
        if self.counts.is_none() && *share < self.limit {
            *share += 1;
            return true;
        }
        self.try_count(source, held)
    }

    #[cold]
    fn try_count<I: Iterator<Item = Option<NetworkTag>>>(
        &mut self,
        source: NetworkTag,
        held: impl FnOnce() -> I,
    ) -> bool {
        let counts = self.counts.get_or_insert_with(|| Counts::of(held(), &self.shares, self.limit));
        let Some(share) = self.shares.get_mut(usize::from(source.share())) else { return false };
        if !counts.try_add(source, self.limit) {
            return false;
        }
        *share += 1;
        counts.full += u32::from(*share == self.limit);
        true
    }

    /// Counts one connection of `source` less.
    #[inline(always)]
    pub(crate) fn remove(&mut self, source: NetworkTag) {
        if self.counts.is_some() {
            self.discount(source);
        }
        if let Some(share) = self.shares.get_mut(usize::from(source.share())) {
            *share = share.saturating_sub(1);
        }
    }

    /// Takes a connection out of the counts by source, before it is taken out of its share.
    #[cold]
    fn discount(&mut self, source: NetworkTag) {
        let Some(counts) = &mut self.counts else { return };
        let Some(&share) = self.shares.get(usize::from(source.share())) else { return };
        counts.full = counts.full.saturating_sub(u32::from(share == self.limit));
        counts.by_source.remove(source);
        if counts.full == 0 && share <= self.limit / 2 && counts.are_paid_for() {
            self.counts = None;
        }
    }
}

struct Counts {
    by_source: SourceCounts,
    /// Shares with as many connections as one source may have, or more.
    full: u32,
    /// Connections that were looked at to make the counts, and those offered to them since.
    made_of: u64,
    offered: u64,
}

impl Counts {
    #[cold]
    fn of(held: impl Iterator<Item = Option<NetworkTag>>, shares: &[u32; 256], limit: u32) -> Self {
        let full = shares.iter().map(|&share| u32::from(share >= limit)).sum();
        let mut counts = Self { by_source: SourceCounts::new(), full, made_of: 0, offered: 0 };
        for source in held {
            counts.made_of += 1;
            if let Some(source) = source {
                counts.by_source.try_add(source, u32::MAX);
            }
        }
        counts
    }

    /// Whether making the counts anew would cost little beside what was done with them.
    fn are_paid_for(&self) -> bool {
        self.offered >= self.made_of
    }

    fn try_add(&mut self, source: NetworkTag, limit: u32) -> bool {
        self.offered += 1;
        self.by_source.try_add(source, limit)
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::{Frame, LinkType, Packet};

    use super::*;

    fn hosts<const N: usize>() -> [NetworkTag; N] {
        core::array::from_fn(|last| {
            let last = u8::try_from(last).expect("few hosts");
            let datagram = [
                0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, last, 10, 0, 1, 1, // IPv4
                0, 40, 0, 80, 0, 8, 0, 0, // UDP
            ];
            let frame = Frame::new(&datagram, LinkType::RAW);
            Packet::decode(&frame).expect("a packet").source_network().expect("an address")
        })
    }

    #[test]
    fn a_source_is_refused_at_its_limit_also_when_counting_began_late() {
        let [busy, other] = hosts();
        let mut sources = PendingSources::new(3);
        let mut held = Vec::new();
        for (source, fits) in
            [(busy, true), (other, true), (busy, true), (busy, true), (busy, false), (other, true)]
        {
            assert_eq!(sources.try_add(source, || held.clone().into_iter()), fits);
            held.extend(fits.then_some(Some(source)));
        }
        sources.remove(busy);
        assert!(sources.try_add(busy, core::iter::empty), "counts that were made are kept");
        assert!(!sources.try_add(busy, core::iter::empty));
    }

    #[test]
    fn counting_ends_when_few_are_pending_and_begins_again() {
        let [busy] = hosts();
        let mut sources = PendingSources::new(4);
        for round in 0..3 {
            let mut made = 0;
            for held in 0..8_usize {
                let count = || {
                    made += 1;
                    core::iter::repeat_n(Some(busy), held)
                };
                assert_eq!(sources.try_add(busy, count), held < 4, "round {round}");
            }
            assert_eq!(made, 1, "round {round}");
            (0..4).for_each(|_| sources.remove(busy));
            assert!(sources.counts.is_none());
        }
    }

    #[test]
    fn counts_that_were_dear_to_make_are_kept_until_they_were_used_as_much() {
        let [busy] = hosts();
        let mut sources = PendingSources::new(2);
        let held = || core::iter::repeat_n(Some(busy), 2).chain(core::iter::repeat_n(None, 98));
        for fits in [true, true, false] {
            assert_eq!(sources.try_add(busy, held), fits);
        }
        (0..2).for_each(|_| sources.remove(busy));
        assert!(sources.counts.is_some(), "one use does not pay for looking at a hundred");
    }

    #[test]
    fn many_connections_of_many_sources_are_not_counted_by_source() {
        let hosts = hosts::<200>();
        let mut sources = PendingSources::new(100);
        let mut shares = [0; 256];
        hosts.iter().for_each(|host| shares[usize::from(host.share())] += 1);
        for round in 1..100 / shares.iter().max().expect("shares") {
            for host in hosts {
                let none = || -> core::iter::Empty<_> { panic!("no share is full in round {round}") };
                assert!(sources.try_add(host, none));
            }
        }
        assert!(sources.counts.is_none());
    }

    #[test]
    fn a_limit_of_zero_refuses_all() {
        let [host] = hosts();
        assert!(!PendingSources::new(0).try_add(host, core::iter::empty));
    }
}
