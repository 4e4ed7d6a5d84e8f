//! Which signatures p0f 3.09b would refuse because of others above them.
//!
//! It looks a signature up as if it were a packet that has not travelled, and refuses it if a specific one matches exactly:
//! without a look at the IP version of the one above, whose quirks it reduces to those of the version of the one below, where
//! none counts as IPv6. Every signature takes a few lookups here, of one key for each field that the one above may leave open.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks, TtlGuess, WindowMultiple};

use crate::{SignatureTtl, Specificity, TcpSignature, WindowPattern};

/// The specific signatures so far.
#[derive(Debug, Default)]
pub(super) struct P0fCoverage {
    ttls: HashMap<Key, Ttls, RandomState>,
    divisors: HashSet<u16, RandomState>,
}

/// All that must be equal but for the TTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    view: View,
    quirks: Quirks,
    layout: OptionLayout,
    ip_options_len: u8,
    mss: Option<u16>,
    window: Window,
    window_scale: Option<u8>,
    has_payload: Option<bool>,
}

/// Which quirks of a signature are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum View {
    /// All, as it is for one IP version.
    All,
    /// Those that IPv4 has, of one for both versions.
    V4,
    /// Those that IPv6 has.
    V6,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Window {
    Pattern(WindowPattern),
    /// Any `%N`: what a window of 0 is a multiple of.
    AnyDivisor,
}

/// The TTLs of signatures with the same key.
#[derive(Clone, Copy, Debug, Default)]
struct Ttls {
    /// A bit for each initial TTL.
    initial: [u128; 2],
    highest_random: Option<u8>,
}

impl Ttls {
    fn add(&mut self, ttl: SignatureTtl) {
        match ttl {
            SignatureTtl::Initial(ttl) => {
                let [low, high] = &mut self.initial;
                let half = if ttl < 128 { low } else { high };
                *half |= 1 << (ttl % 128);
            }
            SignatureTtl::AtMost(ttl) => self.highest_random = self.highest_random.max(Some(ttl)),
        }
    }

    fn has(&self, ttl: u8) -> bool {
        let [low, high] = self.initial;
        (if ttl < 128 { low } else { high }) >> (ttl % 128) & 1 == 1
    }

    /// Whether one of them takes a packet with this TTL.
    fn cover(&self, ttl: u8) -> bool {
        let farthest = ttl.saturating_add(TtlGuess::MAX_DISTANCE);
        self.highest_random.is_some_and(|highest| ttl <= highest) || (ttl..=farthest).any(|ttl| self.has(ttl))
    }
}

impl P0fCoverage {
    /// Whether p0f refuses the signature below those so far.
    pub(super) fn covers(&self, later: &TcpSignature) -> bool {
        if self.ttls.is_empty() {
            return false;
        }
        let views = [View::All, if later.version == Some(IpVersion::V4) { View::V4 } else { View::V6 }];
        let windows = self.windows_above(later);
        // A bit for each field that the one above leaves open.
        let above = |view, window, open: u8| Key {
            view,
            quirks: later.quirks,
            layout: later.layout,
            ip_options_len: later.ip_options_len,
            mss: later.mss.filter(|_| open & 1 == 0),
            window,
            window_scale: later.window_scale.filter(|_| open & 2 == 0),
            has_payload: later.has_payload.filter(|_| open & 4 == 0),
        };
        let covers = |key| self.ttls.get(&key).is_some_and(|ttls: &Ttls| ttls.cover(later.ttl.highest()));
        views
            .into_iter()
            .any(|view| windows.iter().any(|&window| (0..8).any(|open| covers(above(view, window, open)))))
    }

    /// Remembers a signature; generic ones cover nothing.
    pub(super) fn add(&mut self, signature: &TcpSignature, specificity: Specificity) {
        if specificity == Specificity::Generic {
            return;
        }
        let views = match signature.version {
            Some(_) => vec![(View::All, Quirks::NONE)],
            None => vec![(View::V4, Quirks::IPV6_ONLY), (View::V6, hidden_from_ipv6())],
        };
        let mut windows = vec![Window::Pattern(signature.window)];
        if let WindowPattern::MultipleOf(divisor) = signature.window {
            self.divisors.insert(divisor);
            windows.push(Window::AnyDivisor);
        }
        for (view, hidden) in views {
            for &window in &windows {
                let key = Key {
                    view,
                    quirks: signature.quirks - hidden,
                    layout: signature.layout,
                    ip_options_len: signature.ip_options_len,
                    mss: signature.mss,
                    window,
                    window_scale: signature.window_scale,
                    has_payload: signature.has_payload,
                };
                self.ttls.entry(key).or_default().add(signature.ttl);
            }
        }
    }

    /// The windows that match that of a signature. Only a number is looked at as if a packet had it.
    fn windows_above(&self, later: &TcpSignature) -> Vec<Window> {
        let mut windows = vec![Window::Pattern(later.window)];
        let WindowPattern::Literal(window) = later.window else { return windows };
        windows.push(Window::Pattern(WindowPattern::Any));
        let version = later.version.unwrap_or(IpVersion::V4);
        let multiple = later.mss.and_then(|mss| WindowMultiple::without_timestamps(version, window, mss));
        windows.extend(multiple.map(|multiple| {
            Window::Pattern(match multiple {
                WindowMultiple::Mss(count) => WindowPattern::Mss(count),
                WindowMultiple::Mtu(count) => WindowPattern::Mtu(count),
            })
        }));
        if window == 0 {
            windows.push(Window::AnyDivisor);
        } else if !self.divisors.is_empty() {
            // Every divisor is one of a pair, the smaller of which is below 256.
            let pairs = (1..=u16::from(u8::MAX)).filter(|&small| window.is_multiple_of(small));
            let divisors = pairs.flat_map(|small| [small, window / small]);
            let known = divisors.filter(|divisor| self.divisors.contains(divisor));
            windows.extend(known.map(|divisor| Window::Pattern(WindowPattern::MultipleOf(divisor))));
        }
        windows
    }
}

/// Quirks that p0f 3.09b takes from a signature for both versions when it holds an IPv6 packet against it. It leaves `0+`.
fn hidden_from_ipv6() -> Quirks {
    Quirks::DF | Quirks::ID_NONZERO | Quirks::ID_ZERO
}

#[cfg(test)]
mod tests {
    use testkit::corpus::Table;

    use super::*;
    use crate::{Database, TcpRecord};

    fn record(line: &str) -> TcpRecord {
        let text = format!("classes = unix\n[tcp:request]\n{}\n", line.replace(" / ", "\n"));
        Database::parse(&text, "my.fp").unwrap().tcp_requests().first().unwrap().clone()
    }

    #[test]
    fn judges_as_p0f_does() {
        let table = Table::open("fp/covered.tsv");
        let mut refused = 0;
        for row in table.rows() {
            let [earlier, later] = ["earlier", "later"].map(|column| record(row.field(column)));
            let mut coverage = P0fCoverage::default();
            assert!(!coverage.covers(&earlier.signature));
            coverage.add(&earlier.signature, earlier.label.specificity);
            let is_refused = coverage.covers(&later.signature);
            assert_eq!(is_refused, row.field("p0f_result") == "refused", "{}", row.field("description"));
            refused += u32::from(is_refused);
        }
        assert!(refused > 10, "{refused}");
    }
}
