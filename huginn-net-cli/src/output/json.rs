//! JSON Lines of the schema `huginn/1`, see `docs/events.md`.
//!
//! Records are written key by key into the buffer of the output, without an allocation for each.

use core::net::{IpAddr, SocketAddr};
use core::ops::Range;
use std::path::Path;
use std::sync::Arc;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use huginn_net::{Event, Label, Origin, SourceStats, Stack, Timestamp, Uptime};

use super::{Format, append, known_distance, rounded};
use crate::community_id::community_id;
use crate::totals::{Counts, Dataset, Totals};

/// Appends a key behind another one.
macro_rules! key {
    ($lines:expr, $name:literal) => {
        $lines.extend_from_slice(concat!(",\"", $name, "\":").as_bytes())
    };
}

/// One object per line.
#[derive(Default)]
pub(super) struct Json {
    /// `log.file.path` of the capture, its key and a comma included.
    path: Vec<u8>,
    clock: Clock,
    labels: LabelCache,
}

impl Json {
    fn event(&mut self, dataset: Dataset, origin: &Origin, lines: &mut Vec<u8>) {
        lines.extend_from_slice(b"{\"@timestamp\":");
        self.clock.time(origin.captured_at, lines);
        key!(lines, "event.dataset");
        plain(dataset.name(), lines);

        key!(lines, "source.ip");
        address(origin.source.ip(), lines);
        key!(lines, "source.port");
        number(origin.source.port(), lines);
        key!(lines, "destination.ip");
        address(origin.destination.ip(), lines);
        key!(lines, "destination.port");
        number(origin.destination.port(), lines);
        flow(origin.source, origin.destination, origin.protocol.0, lines);

        if let Some(vlan) = origin.vlan {
            key!(lines, "network.vlan.id");
            number(vlan, lines);
        }
        lines.extend_from_slice(&self.path);
        key!(lines, "huginn.frame");
        number(origin.frame, lines);
        if !origin.path.is_empty() {
            key!(lines, "huginn.tunnel");
            list(origin.path.iter(), lines, |layer, lines| plain(layer.name(), lines));
        }
    }

    fn tcp(&mut self, stack: &Stack, lines: &mut Vec<u8>) {
        let seen = &stack.observation;
        key!(lines, "huginn.tcp.signature");
        lines.push(b'"');
        let signature_at = lines.len();
        append(lines, seen);
        lines.push(b'"');
        key!(lines, "huginn.tcp.ttl");
        number(seen.ttl, lines);
        key!(lines, "huginn.tcp.initial_ttl");
        number(stack.os.as_ref().map_or(seen.ttl_guess().initial(), |os| os.initial_ttl), lines);
        if let Some(distance) = known_distance(stack) {
            key!(lines, "huginn.tcp.distance");
            number(distance.hops, lines);
        }
        if let Some(mss) = seen.mss {
            key!(lines, "huginn.tcp.mss");
            number(mss, lines);
        }
        key!(lines, "huginn.tcp.window");
        number(seen.window, lines);
        if let Some(scale) = seen.window_scale {
            key!(lines, "huginn.tcp.window_scale");
            number(scale, lines);
        }
        key!(lines, "huginn.tcp.options");
        // The layout is the sixth field of the signature and need not be made twice.
        let layout = field(lines, signature_at, 5);
        lines.push(b'"');
        lines.extend_from_within(layout);
        lines.push(b'"');
        key!(lines, "huginn.tcp.quirks");
        list(seen.quirks.names(), lines, plain);
        if let Some(mtu) = stack.mtu {
            key!(lines, "huginn.tcp.mtu");
            number(mtu, lines);
        }
        if let Some(os) = &stack.os {
            self.labels.write(&os.label, lines);
            key!(lines, "huginn.os.quality");
            plain(os.quality.name(), lines);
            key!(lines, "huginn.os.fuzzy");
            boolean(os.quality == huginn_net::Quality::Fuzzy, lines);
            key!(lines, "huginn.os.line");
            number(os.line, lines);
        }
        if let Some(link) = &stack.link {
            key!(lines, "huginn.link.name");
            string(&link.name, lines);
            key!(lines, "huginn.link.mtu");
            number(link.mtu, lines);
        }
    }
}

impl Format for Json {
    fn begin(&mut self, capture: Option<&Path>) {
        self.path.clear();
        if let Some(path) = capture {
            key!(self.path, "log.file.path");
            let bytes = path.as_os_str().as_encoded_bytes();
            match str::from_utf8(bytes) {
                Ok(text) => string(text, &mut self.path),
                Err(_) => {
                    let latin1: String = bytes.iter().copied().map(char::from).collect();
                    string(&latin1, &mut self.path);
                    key!(self.path, "log.file.path_b64");
                    append(&mut self.path, format_args!("\"{}\"", Base64Display::new(bytes, &STANDARD)));
                }
            }
        }
    }

    fn event(&mut self, event: &Event, lines: &mut Vec<u8>) {
        match event {
            Event::TcpSyn(stack) => {
                self.event(Dataset::Syn, &stack.origin, lines);
                self.tcp(stack, lines);
            }
            Event::TcpSynAck(stack) => {
                self.event(Dataset::SynAck, &stack.origin, lines);
                self.tcp(stack, lines);
            }
            Event::TcpUptime(clock) => {
                self.event(Dataset::Uptime, &clock.origin, lines);
                uptime(clock, lines);
            }
            // The enum is open for kinds to come; every kind this build can report is above.
            _ => return,
        }
        lines.extend_from_slice(b"}\n");
    }

    fn input(&mut self, stats: &SourceStats, lines: &mut Vec<u8>) {
        self.clock.begin_record(stats.last, "huginn.input", lines);
        lines.extend_from_slice(&self.path);
        if let Some(format) = stats.format {
            key!(lines, "huginn.input.format");
            append(lines, format_args!("\"{format}\""));
        }
        key!(lines, "huginn.input.link_types");
        list(stats.link_types.iter(), lines, |link_type, lines| {
            append(lines, format_args!("\"{link_type}\""));
        });
        key!(lines, "huginn.input.packets");
        number(stats.packets, lines);
        key!(lines, "huginn.input.bytes");
        number(stats.bytes, lines);
        if let Some(first) = stats.first {
            key!(lines, "huginn.input.first");
            self.clock.time(first, lines);
        }
        if let Some(last) = stats.last {
            key!(lines, "huginn.input.last");
            self.clock.time(last, lines);
        }
        key!(lines, "huginn.input.damage");
        list(stats.damage.iter(), lines, |damage, lines| {
            lines.extend_from_slice(b"{\"reason\":");
            plain(damage.reason.name(), lines);
            key!(lines, "offset");
            number(damage.offset, lines);
            lines.push(b'}');
        });
        lines.extend_from_slice(b"}\n");
    }

    fn stats(&mut self, totals: &Totals, lines: &mut Vec<u8>) {
        self.clock.begin_record(totals.latest, "huginn.stats", lines);
        key!(lines, "huginn.stats.packets");
        number(totals.packets, lines);
        key!(lines, "huginn.stats.decoded");
        number(totals.decoded, lines);
        key!(lines, "huginn.stats.not_decoded");
        counts(&totals.not_decoded, lines);
        key!(lines, "huginn.stats.malformed");
        counts(&totals.malformed, lines);
        key!(lines, "huginn.stats.events");
        map(totals.events(), lines);
        key!(lines, "huginn.stats.limits_hit");
        counts(&totals.limits_hit, lines);
        key!(lines, "huginn.stats.dropped");
        // Files wait for a slow reader, so that nothing is lost but what an output refused.
        let dropped = [("kernel", 0), ("ring", 0), ("queue", 0), ("output", totals.dropped)];
        map(dropped.into_iter(), lines);
        lines.extend_from_slice(b"}\n");
    }
}

fn flow(source: SocketAddr, destination: SocketAddr, protocol: u8, lines: &mut Vec<u8>) {
    const TCP: u8 = 6;
    const UDP: u8 = 17;
    match protocol {
        TCP => lines.extend_from_slice(b",\"network.transport\":\"tcp\""),
        UDP => lines.extend_from_slice(b",\"network.transport\":\"udp\""),
        _ => {}
    }
    key!(lines, "network.type");
    plain(if source.is_ipv4() { "ipv4" } else { "ipv6" }, lines);
    if matches!(protocol, TCP | UDP) {
        key!(lines, "network.community_id");
        lines.push(b'"');
        lines.extend_from_slice(&community_id(0, source, destination, protocol));
        lines.push(b'"');
    }
}

fn uptime(clock: &Uptime, lines: &mut Vec<u8>) {
    key!(lines, "huginn.uptime.frequency_hz");
    append(lines, rounded(clock.frequency_hz));
    if let Some(seconds) = clock.seconds() {
        key!(lines, "huginn.uptime.seconds");
        append(lines, rounded(seconds));
    }
    key!(lines, "huginn.uptime.wraps_after_days");
    append(lines, rounded(clock.wraps_after_days()));
    key!(lines, "huginn.uptime.reliable");
    boolean(clock.state.is_reliable(), lines);
    key!(lines, "huginn.uptime.reason");
    plain(clock.state.name(), lines);
}

/// Where a field of a signature is that starts at this place and is the last text in the buffer but for a quote.
fn field(lines: &[u8], start: usize, index: usize) -> Range<usize> {
    let mut at = start;
    let fields = lines.get(start..).unwrap_or_default().split(|&byte| byte == b':');
    for (number, text) in fields.enumerate() {
        if number == index {
            return at..at + text.len();
        }
        at += text.len() + 1;
    }
    start..start
}

/// What is written of labels, of which a capture has few.
struct LabelCache {
    /// By the address of the label, which is kept so that no other one gets that address.
    entries: Box<[Option<WrittenLabel>; Self::PLACES]>,
}

type WrittenLabel = (Arc<Label>, Vec<u8>);

impl Default for LabelCache {
    fn default() -> Self {
        Self { entries: Box::new([const { None }; Self::PLACES]) }
    }
}

impl LabelCache {
    const PLACES: usize = 256;

    fn write(&mut self, label: &Arc<Label>, lines: &mut Vec<u8>) {
        // Allocations are aligned, so that the lowest bits tell nothing.
        let place = Arc::as_ptr(label).addr() / 16 % Self::PLACES;
        let Some(entry) = self.entries.get_mut(place) else { return };
        match entry {
            Some((known, text)) if Arc::ptr_eq(known, label) => lines.extend_from_slice(text),
            _ => {
                let mut text = Vec::new();
                write_label(label, &mut text);
                lines.extend_from_slice(&text);
                *entry = Some((Arc::clone(label), text));
            }
        }
    }
}

fn write_label(label: &Label, lines: &mut Vec<u8>) {
    key!(lines, "huginn.os.name");
    string(&label.name, lines);
    if !label.flavor.is_empty() {
        key!(lines, "huginn.os.flavor");
        string(&label.flavor, lines);
    }
    key!(lines, "huginn.os.class");
    string(label.class.name(), lines);
    key!(lines, "huginn.os.type");
    plain(label.specificity.name(), lines);
}

/// Writes times; most of them fall into the second of the one before.
struct Clock {
    second: Option<u64>,
    /// The last time as it was written.
    text: [u8; 32],
}

impl Default for Clock {
    fn default() -> Self {
        Self { second: None, text: *b"\"0000-00-00T00:00:00.000000000Z\"" }
    }
}

impl Clock {
    const NANOS: u64 = 1_000_000_000;

    fn time(&mut self, time: Timestamp, lines: &mut Vec<u8>) {
        let second = time.as_nanos() / Self::NANOS;
        if self.second != Some(second) {
            let utc = time.to_utc();
            digits(utc.year, self.text.get_mut(1..5));
            for (at, part) in
                [(6, utc.month), (9, utc.day), (12, utc.hour), (15, utc.minute), (18, utc.second)]
            {
                digits(part, self.text.get_mut(at..at + 2));
            }
            self.second = Some(second);
        }
        digits(time.as_nanos() % Self::NANOS, self.text.get_mut(21..30));
        lines.extend_from_slice(&self.text);
    }

    /// Begins a record that is no event; its time is that of the last packet, if there was one.
    fn begin_record(&mut self, time: Option<Timestamp>, dataset: &str, lines: &mut Vec<u8>) {
        lines.push(b'{');
        if let Some(time) = time {
            lines.extend_from_slice(b"\"@timestamp\":");
            self.time(time, lines);
            lines.push(b',');
        }
        append(lines, format_args!("\"event.dataset\":\"{dataset}\""));
    }
}

/// Fills a place with the last digits of a number.
fn digits(mut number: u64, place: Option<&mut [u8]>) {
    for digit in place.unwrap_or_default().iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

fn address(address: IpAddr, lines: &mut Vec<u8>) {
    lines.push(b'"');
    match address {
        IpAddr::V4(address) => {
            for (index, octet) in address.octets().into_iter().enumerate() {
                if index > 0 {
                    lines.push(b'.');
                }
                number(octet, lines);
            }
        }
        IpAddr::V6(address) => append(lines, address),
    }
    lines.push(b'"');
}

fn number(number: impl itoa::Integer, lines: &mut Vec<u8>) {
    lines.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

fn boolean(value: bool, lines: &mut Vec<u8>) {
    lines.extend_from_slice(if value { b"true" } else { b"false" });
}

/// A word of ours, in which nothing needs escaping.
fn plain(word: &str, lines: &mut Vec<u8>) {
    lines.push(b'"');
    lines.extend_from_slice(word.as_bytes());
    lines.push(b'"');
}

/// Any text.
fn string(text: &str, lines: &mut Vec<u8>) {
    // A vector takes everything, and a string can always be written.
    let _ = serde_json::to_writer(lines, text);
}

fn list<T>(items: impl Iterator<Item = T>, lines: &mut Vec<u8>, mut item: impl FnMut(T, &mut Vec<u8>)) {
    lines.push(b'[');
    for (index, value) in items.enumerate() {
        if index > 0 {
            lines.push(b',');
        }
        item(value, lines);
    }
    lines.push(b']');
}

fn map(entries: impl Iterator<Item = (&'static str, u64)>, lines: &mut Vec<u8>) {
    lines.push(b'{');
    for (index, (name, count)) in entries.enumerate() {
        if index > 0 {
            lines.push(b',');
        }
        plain(name, lines);
        lines.push(b':');
        number(count, lines);
    }
    lines.push(b'}');
}

fn counts(counts: &Counts, lines: &mut Vec<u8>) {
    map(counts.iter().map(|(&name, &count)| (name, count)), lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(times: &[Timestamp]) -> String {
        let mut clock = Clock::default();
        let mut lines = Vec::new();
        for &time in times {
            clock.time(time, &mut lines);
        }
        String::from_utf8(lines).unwrap()
    }

    #[test]
    fn times_are_written_as_they_display() {
        let all = [
            Timestamp::default(),
            Timestamp::from_nanos(1),
            Timestamp::from_parts(1_700_000_000, 5),
            Timestamp::from_parts(1_700_000_000, 999_999_999),
            Timestamp::from_parts(951_782_400, 0),
            Timestamp::MAX,
        ];
        let expected: String = all.iter().map(|time| format!("\"{time}\"")).collect();
        assert_eq!(times(&all), expected);
    }

    #[test]
    fn addresses_are_written_as_they_display() {
        for text in ["0.0.0.0", "10.200.3.45", "255.255.255.255", "::", "2001:db8::1", "::ffff:1.2.3.4"] {
            let mut lines = Vec::new();
            address(text.parse().unwrap(), &mut lines);
            assert_eq!(lines, format!("\"{text}\"").into_bytes());
        }
    }

    #[test]
    fn an_event_costs_no_allocation_once_its_label_has_been_seen() {
        let capture = testkit::corpus::path("real/tsoff.pcap");
        let events: Vec<Event> =
            huginn_net::HuginnNet::new().analyze_pcap(capture).unwrap().map(Result::unwrap).collect();
        let mut json = Json::default();
        let mut lines = Vec::with_capacity(1 << 20);
        let mut write = || events.iter().for_each(|event| Format::event(&mut json, event, &mut lines));
        write();
        let ((), allocations) = testkit::alloc::measure(write);
        assert_eq!(allocations, testkit::alloc::Allocations::NONE);
        assert!(events.len() > 5);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf8_is_kept_byte_by_byte() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let mut json = Json::default();
        json.begin(Some(Path::new(OsStr::from_bytes(b"a\"\xff.pcap"))));
        let expected = ",\"log.file.path\":\"a\\\"ÿ.pcap\",\"log.file.path_b64\":\"YSL/LnBjYXA=\"";
        assert_eq!(String::from_utf8(json.path.clone()).unwrap(), expected);
        json.begin(None);
        assert!(json.path.is_empty());
    }
}
