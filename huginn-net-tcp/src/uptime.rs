//! Uptime of a host, as far as its connections agree on it.

use core::net::IpAddr;
use core::time::Duration;
use std::collections::VecDeque;

use huginn_net_core::{AnalyzerStats, Conclude, Expiring, ExpiringLimits, Origin, Timestamp};

use crate::TcpEvent;
use crate::clock::{self, DRIFT, MIN_PACKETS, Rate};

/// The clock behind a host's TCP timestamps.
///
/// Many stacks start the counter of each connection at a random value, so that a single connection proves nothing
/// about uptime; [`UptimeState`] says what the connections seen together prove. A host is reported when its state
/// is known or changes, when its uptime [becomes reliable](Self::is_reliable), and when connections that share a counter rule out
/// the rate that was reported, not for each connection. A rate takes three packets, of one connection or of several that agree
/// on it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Uptime {
    /// Where and when the last packet that counted was seen; the source is the host with the clock.
    pub origin: Origin,
    /// When the first one was.
    pub started_at: Timestamp,
    /// Ticks per second, 0.7 to 1500: a rate that stacks are known for if the measurement allows it, the measured
    /// rate otherwise. Connections that share a counter measure it together, if they lie far enough apart.
    pub frequency_hz: f64,
    /// By how much the measured rate may be off, in Hz.
    pub frequency_error_hz: f64,
    /// Packets of this connection that the rate is measured by, 2 or more.
    pub packets: u32,
    /// The counter in that packet.
    pub ticks: u32,
    /// What the connections of the host prove.
    pub state: UptimeState,
    /// Whether connections to several peers share the counter. What only those to one share may be the counter of that
    /// peer alone (Linux 4.11 to 6.17).
    pub several_peers: bool,
    /// Whether connections that share the counter measure the rate together, and not this one alone.
    pub measured_together: bool,
}

impl Uptime {
    /// Seconds since the counter was zero, modulo its wrap; `None` if the state says that this is no uptime. Whether it is one
    /// is not known unless it [is reliable](Self::is_reliable).
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        match self.state {
            UptimeState::Consistent | UptimeState::SingleConnection => {
                Some(f64::from(self.ticks) / self.frequency_hz)
            }
            UptimeState::PerPeerOffset | UptimeState::Randomised => None,
        }
    }

    /// Whether [`seconds`](Self::seconds) can be relied on: connections are consistent, and to several peers, and the rate is off by
    /// 2 % at most. One that no stack is known for takes more than one connection to be believed.
    #[must_use]
    pub fn is_reliable(&self) -> bool {
        const MAX_ERROR: f64 = 0.02;
        // What was measured may be off by the error to one side, and what it was taken for lies on the other.
        let is_known = clock::is_known(self.frequency_hz);
        let error = if is_known { 2.0 * self.frequency_error_hz } else { self.frequency_error_hz };
        self.state == UptimeState::Consistent
            && self.several_peers
            && error <= MAX_ERROR * self.frequency_hz
            && (self.measured_together || is_known)
    }

    /// Days after which the counter starts again at zero.
    #[must_use]
    pub fn wraps_after_days(&self) -> f64 {
        (f64::from(u32::MAX) / (self.frequency_hz * 86_400.0)).floor()
    }
}

/// What the connections of a host prove about its counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UptimeState {
    /// Connections that began or ended at least a second apart share one counter. With [several peers](Uptime::several_peers), it is the
    /// uptime.
    Consistent,
    /// One connection only: the value is not verified.
    SingleConnection,
    /// Connections to one peer share a counter, but those to different peers do not (Linux 4.11 to 6.17). Good for
    /// telling hosts apart, not for uptime.
    PerPeerOffset,
    /// Connections do not share a counter. As a rule each has one of its own; a host that was started anew, or several
    /// behind one address, look alike.
    Randomised,
}

impl UptimeState {
    /// A short fixed word, for example `single_connection`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::SingleConnection => "single_connection",
            Self::PerPeerOffset => "per_peer_offset",
            Self::Randomised => "randomised",
        }
    }
}

/// Connections of a host that are compared.
const MAX_SAMPLES: usize = 8;
/// Connections closer than this may share a counter by the same packet burst, and prove nothing.
const MIN_DISTANCE: Duration = Duration::from_secs(1);
/// How long a second connection is waited for before the first is reported alone.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a host is remembered, and how far apart connections of it are compared.
const HOST_IDLE: Duration = Duration::from_secs(2 * 60 * 60);

impl Uptime {
    /// The rate at which one counter goes from one connection to the other, if both can come from one: the offsets `ticks −
    /// frequency · time` are the same but for two ticks, a second and a half, and what the rate of either may be off by. That
    /// two counters are so near each other by chance happens once in 400 times at most, as a rule less than once in 100,000.
    fn shared_rate(&self, other: &Self) -> Option<Rate> {
        /// How far apart the offsets of one counter may seem: by packets that wait on a busy mobile link, and by a clock that
        /// a device keeps less well while it sleeps.
        const APART_SECONDS: f64 = 1.5;
        /// The counter wraps.
        const RANGE: f64 = u32::MAX as f64 + 1.0;
        let (earlier, later) =
            if self.origin.captured_at <= other.origin.captured_at { (self, other) } else { (other, self) };
        let elapsed = later.origin.captured_at.since(earlier.origin.captured_at).as_secs_f64();
        let advance = f64::from(later.ticks.wrapping_sub(earlier.ticks));
        let shared = [self, other].into_iter().filter_map(|of| {
            let expected = elapsed * of.frequency_hz;
            let advance = advance + ((expected - advance) / RANGE).round() * RANGE;
            let apart = 2.0 + of.frequency_hz * APART_SECONDS;
            // A rate that was taken for a known one may be another.
            let rate_error = of.frequency_error_hz.max(of.frequency_hz * DRIFT);
            let agrees = (advance - expected).abs() <= apart + elapsed * rate_error;
            agrees.then(|| Rate::of(advance / elapsed, apart / elapsed + of.frequency_hz * DRIFT))
        });
        shared.min_by(|one, other| one.error.total_cmp(&other.error))
    }

    /// The same, with a rate that connections measure together if that is known better, and may be the one that was measured.
    fn with_rate(self, rate: Option<Rate>) -> Self {
        let fits = |rate: &Rate| {
            let apart = (rate.frequency - self.frequency_hz).abs();
            rate.error < self.frequency_error_hz && apart <= self.frequency_error_hz + rate.error
        };
        match rate.filter(fits) {
            Some(Rate { frequency, error }) => {
                Self { frequency_hz: frequency, frequency_error_hz: error, measured_together: true, ..self }
            }
            None => self,
        }
    }

    /// Whether both may tick at one rate.
    fn has_rate_of(&self, other: &Self) -> bool {
        let apart = (self.frequency_hz - other.frequency_hz).abs();
        apart <= self.frequency_error_hz + other.frequency_error_hz
    }

    /// Whether the rate is measured by packets enough not to need another connection.
    fn has_slope(&self) -> bool {
        self.packets >= MIN_PACKETS
    }

    /// Whether both were measured up to one packet, captured twice: at two places, by clocks that differ by more than the
    /// connection took. The later capture says nothing of the counter. Where a packet is missing in one of them, they may
    /// have been measured up to different ones, and are not told to be the same.
    fn has_packet_of(&self, other: &Self) -> bool {
        self.is_same_connection(other) && self.ticks == other.ticks
    }

    /// Whether they are too near each other, in time, or too far apart to be compared: both by their ends, and near by their
    /// beginnings, too.
    fn is_out_of_reach_of(&self, other: &Self) -> bool {
        let apart = |one: Timestamp, other: Timestamp| one.since(other).max(other.since(one));
        let ends = apart(self.origin.captured_at, other.origin.captured_at);
        ends > HOST_IDLE || ends < MIN_DISTANCE && apart(self.started_at, other.started_at) < MIN_DISTANCE
    }

    fn is_same_connection(&self, other: &Self) -> bool {
        (self.origin.source, self.origin.destination) == (other.origin.source, other.origin.destination)
    }
}

/// What is remembered of a host.
struct Host {
    /// Oldest first.
    samples: VecDeque<Uptime>,
    /// What was reported last; `None` while a second connection is waited for.
    reported: Option<Reported>,
}

/// What was reported of a host.
#[derive(Clone, Copy)]
struct Reported {
    verdict: Verdict,
    rate: Rate,
    is_reliable: bool,
}

impl Reported {
    fn of(uptime: &Uptime) -> Self {
        let Uptime { state, several_peers, frequency_hz: frequency, frequency_error_hz: error, .. } = *uptime;
        let verdict = Verdict { state, several_peers };
        Self { verdict, rate: Rate { frequency, error }, is_reliable: uptime.is_reliable() }
    }

    /// Whether there is more to say of the host than before: another verdict, that its uptime is reliable now, or another rate
    /// than was taken for the one of the counter that its connections share.
    fn is_outdated_by(&self, new: &Self, shared: Option<Rate>) -> bool {
        let Rate { frequency, error } = self.rate;
        let is_ruled_out = |rate: Rate| rate.error < error && (rate.frequency - frequency).abs() > rate.error;
        self.verdict != new.verdict
            || new.is_reliable && !self.is_reliable
            || new.verdict.state == UptimeState::Consistent && shared.is_some_and(is_ruled_out)
    }
}

/// What connections that were compared prove.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Verdict {
    state: UptimeState,
    several_peers: bool,
}

impl Host {
    /// Compares a connection with those that were reported before it; `None` if none of them can be compared. Gives the rate that
    /// those tell it best which share its counter, too.
    fn judge(&self, new: &Uptime) -> Option<(Verdict, Option<Rate>)> {
        let (mut same_peer, mut other_peer) = (Agreement::default(), Agreement::default());
        let mut best: Option<Rate> = None;
        for old in &self.samples {
            if old.is_same_connection(new) || new.is_out_of_reach_of(old) {
                continue;
            }
            // Two packets are two points, which say nothing unless another connection has their rate.
            let both_have_slopes = old.has_slope() && new.has_slope();
            if !both_have_slopes && !old.has_rate_of(new) {
                continue;
            }
            let peers_match = old.origin.destination.ip() == new.origin.destination.ip();
            let rate = old.shared_rate(new);
            if peers_match { &mut same_peer } else { &mut other_peer }.count(rate.is_some());
            best = rate.into_iter().chain(best).min_by(|one, other| one.error.total_cmp(&other.error));
        }
        let agrees_with_another = other_peer.yes > 0;
        let state = match (same_peer, other_peer) {
            (Agreement { yes: 0, no: 0 }, Agreement { yes: 0, no: 0 }) => return None,
            // That other peers have other counters stays true when the connections to them are forgotten.
            (Agreement { no: 0, .. }, Agreement { yes: 0, no: 0 }) if self.has_counter_per_peer() => {
                UptimeState::PerPeerOffset
            }
            (Agreement { no: 0, .. }, Agreement { no: 0, .. }) => UptimeState::Consistent,
            (Agreement { yes: 1.., no: 0 }, _) => UptimeState::PerPeerOffset,
            // The first connection to a peer agrees with none to others, where each peer has a counter.
            (Agreement { yes: 0, no: 0 }, Agreement { yes: 0, .. }) if self.has_counters_of_peers() => {
                UptimeState::PerPeerOffset
            }
            _ => UptimeState::Randomised,
        };
        // What was proved once does not end with the connections that are forgotten meanwhile.
        let were_several = self.reported.is_some_and(|reported| reported.verdict.several_peers);
        let several_peers = state == UptimeState::Consistent && (agrees_with_another || were_several);
        Some((Verdict { state, several_peers }, best))
    }

    /// Whether connections to different peers were found to have different counters, and those to one to share one.
    fn has_counter_per_peer(&self) -> bool {
        self.reported.is_some_and(|reported| reported.verdict.state == UptimeState::PerPeerOffset)
    }

    /// Whether connections to one peer were found to share a counter, and none to different ones.
    fn has_counters_of_peers(&self) -> bool {
        self.reported.is_some_and(|Reported { verdict, .. }| match verdict.state {
            UptimeState::Consistent => !verdict.several_peers,
            UptimeState::PerPeerOffset => true,
            UptimeState::SingleConnection | UptimeState::Randomised => false,
        })
    }
}

#[derive(Default)]
struct Agreement {
    yes: u32,
    no: u32,
}

impl Agreement {
    fn count(&mut self, agrees: bool) {
        if agrees {
            self.yes += 1;
        } else {
            self.no += 1;
        }
    }
}

/// A host within its address space.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct HostKey {
    address: IpAddr,
    domain: u64,
}

/// Compares the connections of each host; other events pass.
pub(crate) struct UptimeConclusion {
    hosts: Expiring<HostKey, Host>,
    /// Those of `hosts` of which a second connection is waited for.
    waiting: Expiring<HostKey, ()>,
}

impl UptimeConclusion {
    pub(crate) fn new(max_hosts: usize) -> Self {
        Self {
            hosts: Expiring::new(ExpiringLimits::default().with_max_entries(max_hosts).with_idle(HOST_IDLE)),
            waiting: Expiring::new(ExpiringLimits::default().with_max_entries(max_hosts).with_idle(PATIENCE)),
        }
    }

    fn on_connection(&mut self, new: Uptime, report: &mut dyn FnMut(TcpEvent)) {
        let key = HostKey { address: new.origin.source.ip(), domain: new.origin.domain };
        let now = new.origin.captured_at;
        let held =
            self.hosts.get_or_insert_with(key, now, || Host { samples: VecDeque::new(), reported: None });
        if let Some((gone, displaced)) = held.displaced {
            displaced.report_alone(report);
            self.waiting.remove(&gone);
        }
        let host = held.value;
        if let Some(at) = host.samples.iter().position(|old| old.has_packet_of(&new)) {
            let old = host.samples.remove(at);
            if old.is_some_and(|old| old.has_slope()) || !new.has_slope() {
                host.samples.extend(old);
                return;
            }
        }
        if host.reported.is_none() && new.has_slope() && self.waiting.get(&key).is_none() {
            self.waiting.insert(key, (), now);
        }
        if let Some((Verdict { state, several_peers }, rate)) = host.judge(&new) {
            let uptime = Uptime { state, several_peers, ..new.with_rate(rate) };
            let told = Reported::of(&uptime);
            if host.reported.is_none_or(|before| before.is_outdated_by(&told, rate)) {
                host.reported = Some(told);
                report(TcpEvent::Uptime(uptime));
            }
        }
        if host.samples.len() == MAX_SAMPLES {
            host.samples.pop_front();
        }
        host.samples.push_back(new);
    }
}

impl Host {
    /// Reports the first connection with a slope if nothing has been reported of the host.
    fn report_alone(&self, report: &mut dyn FnMut(TcpEvent)) -> Option<Reported> {
        let first = self.samples.iter().find(|connection| connection.has_slope());
        let first = first.filter(|_| self.reported.is_none())?;
        let uptime = Uptime { state: UptimeState::SingleConnection, ..*first };
        report(TcpEvent::Uptime(uptime));
        Some(Reported::of(&uptime))
    }
}

impl Conclude for UptimeConclusion {
    type Event = TcpEvent;

    fn passes(&mut self, event: &mut TcpEvent) -> bool {
        !matches!(event, TcpEvent::Uptime(_))
    }

    fn on_event(&mut self, event: TcpEvent, report: &mut dyn FnMut(TcpEvent)) {
        match event {
            TcpEvent::Uptime(uptime) => self.on_connection(uptime, report),
            other => report(other),
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(TcpEvent)) {
        let (hosts, waiting) = (&mut self.hosts, &mut self.waiting);
        waiting.expire(now, |key, ()| {
            if let Some(host) = hosts.peek_mut(&key) {
                let alone = host.report_alone(report);
                host.reported = host.reported.or(alone);
            }
        });
        hosts.expire(now, |key, host| {
            host.report_alone(report);
            waiting.remove(&key);
        });
    }

    fn on_end(&mut self, report: &mut dyn FnMut(TcpEvent)) {
        for (_, host) in self.hosts.iter() {
            host.report_alone(report);
        }
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_limit("tcp_hosts", self.hosts.stats().evicted);
    }
}

#[cfg(test)]
mod tests;
