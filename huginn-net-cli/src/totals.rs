//! What was seen in all captures of a run.

use core::fmt;
use core::time::Duration;
use std::collections::BTreeMap;

use huginn_net::source::LiveStats;
use huginn_net::{Event, PoolStats, Stats, Timestamp};

/// Counts by a short fixed word, in alphabetical order.
pub(crate) type Counts = BTreeMap<&'static str, u64>;

/// Each of them.
pub(crate) fn each(counts: &Counts) -> impl Iterator<Item = (&'static str, u64)> {
    counts.iter().map(|(&name, &count)| (name, count))
}

/// Kind of a record of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dataset {
    Syn,
    SynAck,
    Uptime,
    ClientHello,
    ServerHello,
    HttpRequest,
    HttpResponse,
}

impl Dataset {
    const ALL: [Self; 7] = [
        Self::Syn,
        Self::SynAck,
        Self::Uptime,
        Self::ClientHello,
        Self::ServerHello,
        Self::HttpRequest,
        Self::HttpResponse,
    ];

    /// The kind of an event, and whether the database names its source.
    fn of(event: &Event) -> Option<(Self, bool)> {
        match event {
            Event::TcpSyn(stack) => Some((Self::Syn, stack.labels.os.is_some())),
            Event::TcpSynAck(stack) => Some((Self::SynAck, stack.labels.os.is_some())),
            Event::TcpUptime(_) => Some((Self::Uptime, false)),
            Event::TlsClientHello(client) => Some((Self::ClientHello, client.known.is_some())),
            Event::TlsSslv2Hello(_) => Some((Self::ClientHello, false)),
            Event::TlsServerHello(_) => Some((Self::ServerHello, false)),
            Event::HttpRequest(client) => Some((Self::HttpRequest, client.app.is_some())),
            Event::HttpStart(start) => Some((Self::HttpRequest, start.app.is_some())),
            Event::HttpResponse(server) => Some((Self::HttpResponse, server.app.is_some())),
            // The enum is open for kinds to come; every kind this build can report is above.
            _ => None,
        }
    }

    /// `event.dataset` of the record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Syn => "huginn.tcp.syn",
            Self::SynAck => "huginn.tcp.syn_ack",
            Self::Uptime => "huginn.tcp.uptime",
            Self::ClientHello => "huginn.tls.client_hello",
            Self::ServerHello => "huginn.tls.server_hello",
            Self::HttpRequest => "huginn.http.request",
            Self::HttpResponse => "huginn.http.response",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Syn => "SYN",
            Self::SynAck => "SYN+ACK",
            Self::Uptime => "UPTIME",
            Self::ClientHello => "TLS client",
            Self::ServerHello => "TLS server",
            Self::HttpRequest => "HTTP client",
            Self::HttpResponse => "HTTP server",
        }
    }

    /// Whether the database has names for what it shows.
    const fn has_names(self) -> bool {
        !matches!(self, Self::Uptime | Self::ServerHello)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    events: u64,
    named: u64,
}

/// Events by dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted([Seen; Dataset::ALL.len()]);

impl Counted {
    /// Counts an event.
    #[inline]
    pub(crate) fn count(&mut self, event: &Event) {
        if let Some((dataset, named)) = Dataset::of(event)
            && let Some(seen) = self.0.get_mut(dataset as usize)
        {
            seen.events += 1;
            seen.named += u64::from(named);
        }
    }

    /// Adds those that were counted elsewhere.
    pub(crate) fn add(&mut self, other: &Self) {
        for (seen, more) in self.0.iter_mut().zip(other.0) {
            seen.events += more.events;
            seen.named += more.named;
        }
    }
}

/// What was seen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) captures: u64,
    /// Network interfaces captured, which take the place of captures.
    pub(crate) interfaces: u64,
    /// Files passed over in directories, because they are no captures.
    pub(crate) passed_over: u64,
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
    pub(crate) decoded: u64,
    /// Packets that the filter left out.
    pub(crate) filtered: u64,
    pub(crate) not_decoded: Counts,
    pub(crate) malformed: Counts,
    pub(crate) limits_hit: Counts,
    pub(crate) damage: u64,
    /// Records that could not be written.
    pub(crate) dropped: u64,
    /// What live sources have missed.
    pub(crate) live: LiveStats,
    /// Packets of live sources for which workers had no room.
    pub(crate) queue_dropped: u64,
    /// The latest capture time.
    pub(crate) latest: Option<Timestamp>,
    pub(crate) counted: Counted,
    /// SYN+ACKs that were not reported, as their SYN was not seen.
    unpaired: u64,
    /// How hellos of TLS came; those that did not are left out.
    delivered: [u64; DELIVERIES.len()],
}

/// Counts of `AnalyzerStats::seen` that the summary shows, and how it calls them.
const DELIVERIES: [(&str, &str); 5] = [
    ("tls_single_segment", "in one segment"),
    ("tls_reassembled", "in several"),
    ("tls_quic", "QUIC"),
    ("tls_dtls", "DTLS"),
    ("tls_sslv2", "SSLv2"),
];

impl Totals {
    /// Events by dataset, those that did not occur left out.
    pub(crate) fn events(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.events_of_all().filter(|&(_, events)| events > 0)
    }

    /// Events by dataset, of every dataset there is.
    pub(crate) fn events_of_all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = Dataset::ALL.into_iter().zip(self.counted.0);
        all.map(|(dataset, seen)| (dataset.name(), seen.events))
    }

    /// What was lost, by who lost it. Files wait for a slow reader, so that of them nothing is lost but what an output
    /// refused.
    pub(crate) fn dropped_by(&self) -> [(&'static str, u64); 4] {
        let (kernel, ring) = (self.live.kernel_dropped, self.live.ring_lost);
        [("kernel", kernel), ("ring", ring), ("queue", self.queue_dropped), ("output", self.dropped)]
    }

    /// Adds what became of the packets of a capture.
    pub(crate) fn add(&mut self, stats: &Stats) {
        let Stats { source, decode, analysis, pool, .. } = stats;
        self.captures += 1;
        self.packets += source.packets;
        self.bytes += source.bytes;
        self.damage += source.damage_total;
        self.latest = self.latest.max(source.last);
        self.live.add(&source.live);
        self.queue_dropped += pool.as_ref().map_or(0, PoolStats::dropped);
        self.decoded += decode.decoded;
        self.filtered += stats.filtered;
        for &(reason, count) in &decode.undecoded {
            let counts = if reason.is_malformed() { &mut self.malformed } else { &mut self.not_decoded };
            *counts.entry(reason.name()).or_default() += count;
        }
        for &(reason, count) in &analysis.malformed {
            *self.malformed.entry(reason).or_default() += count;
        }
        let seen = |name| {
            let counts = analysis.seen.iter().filter(|(seen, _)| *seen == name);
            counts.map(|(_, count)| count).sum::<u64>()
        };
        for (total, (name, _)) in self.delivered.iter_mut().zip(DELIVERIES) {
            *total += seen(name);
        }
        self.unpaired += seen("tcp_unpaired");
        let of_fragments =
            [("fragments", decode.fragments_evicted), ("fragment_age", decode.fragments_expired)];
        for &(limit, count) in analysis.limits_hit.iter().chain(&of_fragments) {
            if count > 0 {
                *self.limits_hit.entry(limit).or_default() += count;
            }
        }
    }

    /// The totals with those of a capture that has not been read to its end.
    pub(crate) fn with(&self, stats: &Stats) -> Self {
        let mut totals = self.clone();
        totals.add(stats);
        totals
    }

    /// The summary of a run that took so long.
    pub(crate) fn summary(&self, elapsed: Duration) -> Summary<'_> {
        Summary { totals: self, elapsed }
    }
}

/// Displays as several lines for the end of a run.
pub(crate) struct Summary<'a> {
    totals: &'a Totals,
    elapsed: Duration,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { captures, interfaces, packets, bytes, decoded, filtered, .. } = *self.totals;
        let Totals { passed_over, damage, dropped, live, queue_dropped, .. } = *self.totals;
        let seconds = self.elapsed.as_secs_f64();
        let sources =
            if interfaces > 0 { count(interfaces, "interface") } else { count(captures, "capture") };
        write!(f, "{sources}, {}, {}", count(packets, "packet"), count(bytes, "byte"))?;
        write!(f, " in {seconds:.2} s")?;
        for (dataset, seen) in Dataset::ALL.into_iter().zip(self.totals.counted.0) {
            if seen.events > 0 {
                write!(f, "\n  {:<12} {}", dataset.title(), grouped(seen.events))?;
                if dataset.has_names() {
                    write!(f, ", {} named", grouped(seen.named))?;
                }
                if dataset == Dataset::ClientHello {
                    let delivered = self.totals.delivered.iter().zip(DELIVERIES);
                    let delivered = delivered.map(|(&number, (_, title))| (title, number));
                    list(delivered.filter(|(_, number)| *number > 0), f)?;
                }
            }
        }
        let unpaired = self.totals.unpaired;
        if unpaired > 0 {
            let them = count(unpaired, "SYN+ACK");
            write!(f, "\n  {:<12} {them} without a SYN, which --unpaired reports", "not reported")?;
        }
        write!(f, "\n  {:<12} {}", "decoded", grouped(decoded))?;
        if filtered > 0 {
            write!(f, "\n  {:<12} {}", "filtered out", grouped(filtered))?;
        }
        for (title, counts) in [
            ("not decoded", &self.totals.not_decoded),
            ("malformed", &self.totals.malformed),
            ("limits hit", &self.totals.limits_hit),
        ] {
            if !counts.is_empty() {
                write!(f, "\n  {title:<12} {}", grouped(counts.values().sum()))?;
                list(each(counts), f)?;
            }
        }
        let missed = [("kernel", live.kernel_dropped), ("ring", live.ring_lost), ("queue", queue_dropped)];
        let total = live.dropped() + queue_dropped;
        if total > 0 {
            write!(f, "\n  {:<12} {}", "dropped", grouped(total))?;
            list(missed.into_iter().filter(|(_, number)| *number > 0), f)?;
        }
        for (title, number, what) in [
            ("buffer full", live.freezes, "time"),
            ("link down", live.outages, "time"),
            ("removed", live.removed, "interface"),
            ("damaged", damage, "place"),
            ("passed over", passed_over, "file"),
            ("not written", dropped, "record"),
        ] {
            if number > 0 {
                write!(f, "\n  {title:<12} {}", count(number, what))?;
            }
        }
        Ok(())
    }
}

/// Writes what a number is made of.
fn list<'a>(counts: impl Iterator<Item = (&'a str, u64)>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, (name, number)) in counts.enumerate() {
        write!(f, "{} {name} {}", if index == 0 { ":" } else { "," }, grouped(number))?;
    }
    Ok(())
}

fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_summary_names_what_was_not_decoded() {
        let totals = Totals {
            captures: 1,
            packets: 12_345,
            bytes: 1,
            decoded: 12_340,
            filtered: 1_000,
            not_decoded: Counts::from([("cut", 2), ("not_ip", 2)]),
            malformed: Counts::from([("ip_length", 1)]),
            damage: 1,
            ..Totals::default()
        };
        let text = "1 capture, 12,345 packets, 1 byte in 1.50 s\n  decoded      12,340\n  filtered out 1,000\n  not decoded  4: cut 2, \
                    not_ip 2\n  malformed    1: ip_length 1\n  damaged      1 place";
        assert_eq!(totals.summary(Duration::from_millis(1_500)).to_string(), text);
    }

    #[test]
    fn the_summary_of_a_live_run_tells_what_was_missed() {
        let mut totals = Totals { interfaces: 2, packets: 7, bytes: 420, decoded: 7, ..Totals::default() };
        let text = "2 interfaces, 7 packets, 420 bytes in 2.00 s\n  decoded      7";
        assert_eq!(totals.summary(Duration::from_secs(2)).to_string(), text);
        totals.live.kernel_dropped = 1_000;
        totals.queue_dropped = 7;
        totals.live.freezes = 1;
        totals.live.outages = 2;
        totals.live.removed = 1;
        let text = format!(
            "{text}\n  dropped      1,007: kernel 1,000, queue 7\n  buffer full  1 time\n  link down    2 times\n  \
             removed      1 interface"
        );
        assert_eq!(totals.summary(Duration::from_secs(2)).to_string(), text);
    }
}
