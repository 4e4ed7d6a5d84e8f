//! What a time per packet means for a link.

use core::fmt;

/// Packets per second of a link that is full.
///
/// Frames of 1,518 bytes, the largest of Ethernet ([IEEE 802.3] §3.2.7), take 1,538 bytes of the wire with preamble, start
/// delimiter and gap; smaller frames mean more packets.
///
/// [IEEE 802.3]: https://standards.ieee.org/ieee/802.3/10422/
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkRate {
    /// For example `10 Gbps`.
    pub name: &'static str,
    /// Packets in one direction.
    pub packets_per_second: u32,
}

impl LinkRate {
    /// 1 Gbps.
    pub const GBPS_1: Self = Self { name: "1 Gbps", packets_per_second: 81_274 };
    /// 10 Gbps.
    pub const GBPS_10: Self = Self { name: "10 Gbps", packets_per_second: 812_740 };
}

/// What was measured of some work on packets.
///
/// ```
/// use huginn_net_core::capacity::{LinkRate, Load};
///
/// let load = Load { packets: 1_000_000, events: 20_000, nanoseconds: 60e6 };
/// assert_eq!(load.nanoseconds_per_packet(), 60.0);
/// assert_eq!((load.cpu_share(LinkRate::GBPS_10) * 100.0).round(), 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Packets that went in.
    pub packets: u64,
    /// Events that came out.
    pub events: u64,
    /// Time it took on one core, in nanoseconds.
    pub nanoseconds: f64,
}

impl Load {
    /// Time for one packet, in nanoseconds. 0 for no packets.
    #[must_use]
    pub fn nanoseconds_per_packet(&self) -> f64 {
        if self.packets == 0 { 0.0 } else { self.nanoseconds / as_f64(self.packets) }
    }

    /// Packets a core takes in a second. 0 for no packets.
    #[must_use]
    pub fn packets_per_second(&self) -> f64 {
        if self.nanoseconds > 0.0 { as_f64(self.packets) * 1e9 / self.nanoseconds } else { 0.0 }
    }

    /// Events per packet: how much of what went in told something.
    #[must_use]
    pub fn effectiveness(&self) -> f64 {
        if self.packets == 0 { 0.0 } else { as_f64(self.events) / as_f64(self.packets) }
    }

    /// Share of one core that a full link takes; more than 1 is more than a core has.
    #[must_use]
    pub fn cpu_share(&self, link: LinkRate) -> f64 {
        self.nanoseconds_per_packet() * f64::from(link.packets_per_second) / 1e9
    }
}

/// Counts are far below 2^53, up to which this is exact.
#[allow(clippy::cast_precision_loss, reason = "counts of packets")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}

/// Displays measurements, one per line, with what they mean for links of 1 and 10 Gbps. No events, or none counted, are a dash.
///
/// ```
/// use huginn_net_core::capacity::{CapacityTable, Load};
///
/// let load = Load { packets: 1_000, events: 950, nanoseconds: 2_000_000.0 };
/// let table = CapacityTable(&[("full analysis".into(), load)]).to_string();
/// assert!(table.lines().nth(1).unwrap().ends_with("2000.0 ns       500,000    95.0 %   16.3 %  162.5 % OVERLOAD"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CapacityTable<'a>(
    /// Names and measurements.
    pub &'a [(String, Load)],
);

impl fmt::Display for CapacityTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CASE: &str = "case";
        let width = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let width = width.max(CASE.len());
        writeln!(
            f,
            "{CASE:<width$}  {:>11}  {:>12}  {:>8}  {:>7}  {:>7}",
            "a packet",
            "packets/s",
            "events",
            LinkRate::GBPS_1.name,
            LinkRate::GBPS_10.name
        )?;
        for (name, load) in self.0 {
            let events = match load.events {
                0 => "-".to_owned(),
                _ => format!("{:.1} %", load.effectiveness() * 100.0),
            };
            write!(
                f,
                "{name:<width$}  {:>8.1} ns  {:>12}  {events:>8}",
                load.nanoseconds_per_packet(),
                Thousands(load.packets_per_second()).to_string(),
            )?;
            for link in [LinkRate::GBPS_1, LinkRate::GBPS_10] {
                write!(f, "  {:>5.1} %", load.cpu_share(link) * 100.0)?;
            }
            writeln!(f, "{}", if load.cpu_share(LinkRate::GBPS_10) > 1.0 { " OVERLOAD" } else { "" })?;
        }
        Ok(())
    }
}

/// A count with a comma between groups of three digits.
struct Thousands(f64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.0}", self.0);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_a_microsecond_is_eight_percent_of_a_core_at_10_gbps() {
        let load = Load { packets: 10, events: 1, nanoseconds: 1_000.0 };
        assert_eq!(load.packets_per_second(), 10e6);
        assert!((load.cpu_share(LinkRate::GBPS_10) - 0.081_274).abs() < 1e-9);
        assert!((load.effectiveness() - 0.1).abs() < 1e-9);
    }

    #[test]
    fn nothing_measured_is_no_load() {
        let load = Load { packets: 0, events: 0, nanoseconds: 0.0 };
        assert_eq!((load.nanoseconds_per_packet(), load.packets_per_second()), (0.0, 0.0));
        assert_eq!((load.effectiveness(), load.cpu_share(LinkRate::GBPS_1)), (0.0, 0.0));
    }

    #[test]
    fn only_more_than_a_whole_core_is_overload() {
        let load = |nanoseconds| Load { packets: 1, events: 0, nanoseconds };
        let table =
            CapacityTable(&[("fast".into(), load(1_230.0)), ("slow".into(), load(1_231.0))]).to_string();
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].starts_with("fast") && lines[1].ends_with("100.0 %"), "{table}");
        assert!(lines[2].starts_with("slow") && lines[2].ends_with("OVERLOAD"), "{table}");
    }

    #[test]
    fn large_counts_have_commas() {
        for (count, text) in [(0.0, "0"), (999.0, "999"), (1_000.0, "1,000"), (71_428_571.4, "71,428,571")] {
            assert_eq!(Thousands(count).to_string(), text);
        }
    }
}
