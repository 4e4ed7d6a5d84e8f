//! Uptime of a host, as far as its connections agree on it.

use core::net::IpAddr;
use core::time::Duration;
use std::collections::VecDeque;

use huginn_net_core::{AnalyzerStats, Conclude, Expiring, ExpiringLimits, Origin, Timestamp};

use crate::TcpEvent;
use crate::clock::{KNOWN_RATES, MIN_PACKETS};

/// The clock behind a host's TCP timestamps.
///
/// Many stacks start the counter of each connection at a random value, so that a single connection proves nothing
/// about uptime; [`UptimeState`] says what the connections seen together prove. A host is reported when its state
/// is known or changes, not for each connection. A rate takes three packets, of one connection or of several that agree
/// on it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Uptime {
    /// Where and when the last packet that counted was seen; the source is the host with the clock.
    pub origin: Origin,
    /// Ticks per second, 0.7 to 1500: a rate that stacks are known for if the measurement allows it, the measured
    /// rate otherwise.
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

    /// Whether [`seconds`](Self::seconds) can be relied on: connections are consistent, and to several peers.
    #[must_use]
    pub fn is_reliable(&self) -> bool {
        self.state == UptimeState::Consistent && self.several_peers
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
    /// Connections at least a second apart share one counter. With [several peers](Uptime::several_peers), it is the
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
/// Hosts remembered, and for how long.
const HOST_IDLE: Duration = Duration::from_secs(2 * 60 * 60);

impl Uptime {
    /// Whether both can come from one counter: the offsets `ticks − frequency · time` are the same but for two
    /// ticks, the way to the capture and the drift between the two.
    fn agrees_with(&self, other: &Self) -> bool {
        const JITTER_SECONDS: f64 = 0.02;
        const DRIFT: f64 = 500e-6;
        let frequency = self.frequency_hz;
        let (earlier, later) =
            if self.origin.captured_at <= other.origin.captured_at { (self, other) } else { (other, self) };
        let elapsed = later.origin.captured_at.since(earlier.origin.captured_at).as_secs_f64();
        // The counter wraps, so that the difference is taken modulo its range.
        let range = f64::from(u32::MAX) + 1.0;
        let advance = f64::from(later.ticks.wrapping_sub(earlier.ticks));
        let off = (advance - elapsed * frequency).rem_euclid(range);
        let off = off.min(range - off);
        let rate_error =
            if KNOWN_RATES.contains(&frequency) { frequency * DRIFT } else { self.frequency_error_hz };
        self.has_rate_of(other) && off <= 2.0 + frequency * JITTER_SECONDS + elapsed * rate_error
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

    fn is_same_connection(&self, other: &Self) -> bool {
        (self.origin.source, self.origin.destination) == (other.origin.source, other.origin.destination)
    }
}

/// What is remembered of a host.
struct Host {
    /// Oldest first.
    samples: VecDeque<Uptime>,
    /// What was reported last; `None` while a second connection is waited for.
    reported: Option<Verdict>,
}

/// What connections that were compared prove.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Verdict {
    state: UptimeState,
    several_peers: bool,
}

impl Verdict {
    const SINGLE_CONNECTION: Self = Self { state: UptimeState::SingleConnection, several_peers: false };
}

impl Host {
    /// Compares a connection with those before it; `None` if none of them can be compared.
    fn judge(&self, new: &Uptime) -> Option<Verdict> {
        let (mut same_peer, mut other_peer) = (Agreement::default(), Agreement::default());
        for old in &self.samples {
            let distance = new.origin.captured_at.since(old.origin.captured_at);
            if old.is_same_connection(new) || distance < MIN_DISTANCE {
                continue;
            }
            // Two packets are two points, which say nothing unless another connection has their rate.
            let both_have_slopes = old.has_slope() && new.has_slope();
            if !both_have_slopes && !old.has_rate_of(new) {
                continue;
            }
            let peers_match = old.origin.destination.ip() == new.origin.destination.ip();
            if peers_match { &mut same_peer } else { &mut other_peer }.count(old.agrees_with(new));
        }
        let agrees_with_another = other_peer.yes > 0;
        let state = match (same_peer, other_peer) {
            (Agreement { yes: 0, no: 0 }, Agreement { yes: 0, no: 0 }) => return None,
            (Agreement { no: 0, .. }, Agreement { no: 0, .. }) => UptimeState::Consistent,
            (Agreement { yes: 1.., no: 0 }, _) => UptimeState::PerPeerOffset,
            // The first connection to a peer agrees with none to others, where each peer has a counter.
            (Agreement { yes: 0, no: 0 }, Agreement { yes: 0, .. }) if self.has_counters_of_peers() => {
                UptimeState::PerPeerOffset
            }
            _ => UptimeState::Randomised,
        };
        // What was proved once does not end with the connections that are forgotten meanwhile.
        let were_several = self.reported.is_some_and(|reported| reported.several_peers);
        let several_peers = state == UptimeState::Consistent && (agrees_with_another || were_several);
        Some(Verdict { state, several_peers })
    }

    /// Whether connections to one peer were found to share a counter, and none to different ones.
    fn has_counters_of_peers(&self) -> bool {
        self.reported.is_some_and(|verdict| match verdict.state {
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
        if host.reported.is_none() && new.has_slope() && self.waiting.get(&key).is_none() {
            self.waiting.insert(key, (), now);
        }
        if let Some(verdict) = host.judge(&new)
            && host.reported != Some(verdict)
        {
            host.reported = Some(verdict);
            let Verdict { state, several_peers } = verdict;
            report(TcpEvent::Uptime(Uptime { state, several_peers, ..new }));
        }
        if host.samples.len() == MAX_SAMPLES {
            host.samples.pop_front();
        }
        host.samples.push_back(new);
    }
}

impl Host {
    /// Reports the first connection with a slope if nothing has been reported of the host.
    fn report_alone(&self, report: &mut dyn FnMut(TcpEvent)) {
        if self.reported.is_none()
            && let Some(first) = self.samples.iter().find(|connection| connection.has_slope())
        {
            report(TcpEvent::Uptime(Uptime { state: UptimeState::SingleConnection, ..*first }));
        }
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
                host.report_alone(report);
                host.reported.get_or_insert(Verdict::SINGLE_CONNECTION);
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
mod tests {
    use huginn_net_core::{Frame, LinkType, Packet};

    use super::*;

    /// A connection of 10.0.0.1 to the host 10.0.0.`peer`, whose counter of 1000 Hz was `ticks` at `millis`.
    fn connection(port: u16, peer: u8, millis: u64, ticks: u32) -> TcpEvent {
        let [high, low] = port.to_be_bytes();
        let datagram = [
            0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, peer, //
            high, low, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x10, 0, 0, 0, 0, 0, 0,
        ];
        let captured_at = Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
        let frame = Frame { captured_at, ..Frame::new(&datagram, LinkType::RAW) };
        let packet = Packet::decode(&frame).expect("a packet");
        TcpEvent::Uptime(Uptime {
            origin: Origin::of(&packet),
            frequency_hz: 1000.0,
            frequency_error_hz: 1.0,
            packets: 3,
            ticks,
            state: UptimeState::SingleConnection,
            several_peers: false,
        })
    }

    fn reported(connections: &[TcpEvent]) -> Vec<Uptime> {
        let mut conclusion = UptimeConclusion::new(10);
        let mut reported = Vec::new();
        let mut report = |event: TcpEvent| match event {
            TcpEvent::Uptime(uptime) => reported.push(uptime),
            other => panic!("{other:?}"),
        };
        for &event in connections {
            conclusion.on_event(event, &mut report);
        }
        conclusion.on_end(&mut report);
        reported
    }

    fn states(connections: &[TcpEvent]) -> Vec<UptimeState> {
        reported(connections).iter().map(|uptime| uptime.state).collect()
    }

    fn reliable(connections: &[TcpEvent]) -> Vec<bool> {
        reported(connections).iter().map(Uptime::is_reliable).collect()
    }

    #[test]
    fn connections_that_share_a_counter_are_consistent_and_prove_the_uptime_once_they_are_to_several_peers() {
        let shared =
            [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 75_003), connection(3, 9, 9_000, 79_000)];
        assert_eq!(states(&shared), [UptimeState::Consistent; 2]);
        assert_eq!(reliable(&shared), [false, true]);
        assert!(reported(&shared).iter().all(|uptime| uptime.seconds().is_some()));
    }

    #[test]
    fn connections_to_one_peer_are_consistent_until_those_to_another_are_not() {
        let one_peer = [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 75_003)];
        assert_eq!(states(&one_peer), [UptimeState::Consistent]);
        let of_its_own = [one_peer[0], one_peer[1], connection(3, 9, 9_000, 3_000_000_000)];
        assert_eq!(states(&of_its_own), [UptimeState::Consistent, UptimeState::PerPeerOffset]);
        assert_eq!(reliable(&of_its_own), [false, false]);
    }

    #[test]
    fn an_uptime_that_was_proved_is_not_reported_again_when_the_other_peers_are_forgotten() {
        let mut shared = vec![connection(1, 2, 0, 70_000), connection(2, 9, 5_000, 75_000)];
        for later in 3..20 {
            let seconds = u32::from(later) * 5;
            shared.push(connection(later, 9, u64::from(seconds) * 1_000, 70_000 + seconds * 1_000));
        }
        assert_eq!(reliable(&shared), [true]);
    }

    #[test]
    fn connections_of_two_packets_need_another_of_their_rate() {
        let of_two = |event, frequency_hz| {
            let TcpEvent::Uptime(uptime) = event else { panic!("an uptime") };
            TcpEvent::Uptime(Uptime { packets: 2, frequency_hz, ..uptime })
        };
        let (first, second) = (connection(1, 2, 0, 70_000), connection(2, 9, 5_000, 3_000_000_000));
        assert_eq!(states(&[of_two(first, 1000.0)]), []);
        assert_eq!(states(&[of_two(first, 1000.0), of_two(second, 700.0)]), []);
        let agreeing = [of_two(first, 1000.0), of_two(second, 1000.0)];
        assert_eq!(states(&agreeing), [UptimeState::Randomised]);
        assert_eq!(states(&[of_two(first, 1000.0), second]), [UptimeState::Randomised]);
        assert_eq!(states(&[of_two(first, 700.0), second]), [UptimeState::SingleConnection]);
    }

    #[test]
    fn a_host_waits_from_its_first_slope_on() {
        let mut conclusion = UptimeConclusion::new(10);
        let mut count = 0;
        let TcpEvent::Uptime(first) = connection(1, 2, 0, 70_000) else { panic!("an uptime") };
        conclusion.on_event(TcpEvent::Uptime(Uptime { packets: 2, ..first }), &mut |_| count += 1);
        conclusion.on_time(Timestamp::from_parts(1_700_000_040, 0), &mut |_| count += 1);
        assert_eq!((count, conclusion.waiting.len()), (0, 0));
        let TcpEvent::Uptime(other) = connection(1, 2, 40_000, 110_000) else { panic!("an uptime") };
        conclusion.on_event(TcpEvent::Uptime(other), &mut |_| count += 1);
        conclusion.on_time(Timestamp::from_parts(1_700_000_071, 0), &mut |_| count += 1);
        assert_eq!(count, 1);
    }

    #[test]
    fn connections_with_counters_of_their_own_disprove_it() {
        let random = [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 3_000_000_000)];
        assert_eq!(states(&random), [UptimeState::Randomised]);
    }

    #[test]
    fn a_counter_per_peer_is_told_from_one_per_connection() {
        let per_peer = [
            connection(1, 2, 0, 70_000),
            connection(2, 9, 5_000, 3_000_000_000),
            connection(3, 2, 9_000, 79_001),
        ];
        assert_eq!(states(&per_peer), [UptimeState::Randomised, UptimeState::PerPeerOffset]);
    }

    #[test]
    fn a_single_connection_is_reported_at_the_end_as_such() {
        assert_eq!(states(&[connection(1, 2, 0, 70_000)]), [UptimeState::SingleConnection]);
    }

    #[test]
    fn a_burst_of_connections_proves_nothing() {
        let burst = [connection(1, 2, 0, 70_000), connection(2, 2, 400, 70_400)];
        assert_eq!(states(&burst), [UptimeState::SingleConnection]);
    }

    #[test]
    fn connections_prove_something_from_a_second_apart_on() {
        assert_eq!(
            states(&[connection(1, 2, 0, 0), connection(2, 9, 999, 999)]),
            [UptimeState::SingleConnection]
        );
        assert_eq!(
            states(&[connection(1, 2, 0, 0), connection(2, 9, 1_000, 1_000)]),
            [UptimeState::Consistent]
        );
    }

    #[test]
    fn a_counter_is_shared_if_it_is_off_by_no_more_than_two_ticks_the_way_and_the_drift() {
        // At 1000 Hz after four seconds: 2 ticks, 20 for the way to the capture, 2 for the drift.
        let second = |ticks| states(&[connection(1, 2, 0, 0), connection(2, 9, 4_000, ticks)]);
        assert_eq!([4_024, 3_976].map(second), [[UptimeState::Consistent]; 2]);
        assert_eq!([4_025, 3_975].map(second), [[UptimeState::Randomised]; 2]);
    }

    #[test]
    fn a_shared_counter_may_wrap_between_two_connections() {
        let wrapped = [connection(1, 2, 0, u32::MAX - 999), connection(2, 9, 2_000, 1_000)];
        assert_eq!(states(&wrapped), [UptimeState::Consistent]);
    }

    #[test]
    fn a_measured_rate_is_as_uncertain_when_it_happens_to_be_a_whole_number() {
        let at_rate = |event, frequency_hz| {
            let TcpEvent::Uptime(uptime) = event else { panic!("an uptime") };
            TcpEvent::Uptime(Uptime { frequency_hz, frequency_error_hz: 0.5, ..uptime })
        };
        for frequency in [98.9, 99.0] {
            // A clock of 98.9 Hz, from two connections 1,000 seconds apart.
            let connections = [connection(1, 2, 0, 0), connection(2, 9, 1_000_000, 98_900)];
            let connections = connections.map(|event| at_rate(event, frequency));
            assert_eq!(states(&connections), [UptimeState::Consistent], "{frequency}");
        }
    }

    #[test]
    fn a_host_is_reported_when_the_patience_is_over_and_not_again_at_the_end() {
        let mut conclusion = UptimeConclusion::new(10);
        let mut count = 0;
        conclusion.on_event(connection(1, 2, 0, 70_000), &mut |_| count += 1);
        let patience_ends = Timestamp::from_parts(1_700_000_030, 0);
        conclusion.on_time(patience_ends, &mut |_| count += 1);
        assert_eq!(count, 0);
        conclusion.on_time(Timestamp::from_parts(1_700_000_030, 1), &mut |_| count += 1);
        assert_eq!(count, 1);
        conclusion.on_end(&mut |_| count += 1);
        assert_eq!(count, 1);
    }

    #[test]
    fn more_hosts_than_the_limit_report_the_oldest_and_keep_no_trace_of_it() {
        let mut conclusion = UptimeConclusion::new(1);
        let mut count = 0;
        conclusion.on_event(connection(1, 2, 0, 70_000), &mut |_| count += 1);
        let TcpEvent::Uptime(mut other) = connection(1, 2, 0, 70_000) else { panic!("an uptime") };
        other.origin.source = other.origin.source.with_ip(IpAddr::from([10, 0, 0, 77]));
        conclusion.on_event(TcpEvent::Uptime(other), &mut |_| count += 1);
        assert_eq!((count, conclusion.hosts.len(), conclusion.waiting.len()), (1, 1, 1));
    }

    #[test]
    fn equal_addresses_of_different_networks_are_different_hosts() {
        let mut conclusion = UptimeConclusion::new(10);
        let mut states = Vec::new();
        for (domain, event) in [(1, connection(1, 2, 0, 70_000)), (2, connection(2, 2, 5_000, 3_000_000_000))]
        {
            let TcpEvent::Uptime(mut uptime) = event else { panic!("an uptime") };
            uptime.origin.domain = domain;
            conclusion.on_event(TcpEvent::Uptime(uptime), &mut |_| panic!("nothing to compare with"));
        }
        conclusion.on_end(&mut |event| match event {
            TcpEvent::Uptime(uptime) => states.push(uptime.state),
            other => panic!("{other:?}"),
        });
        assert_eq!(states, [UptimeState::SingleConnection; 2]);
    }
}
