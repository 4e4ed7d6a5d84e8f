//! JSON Lines of the schema `huginn/1`, see `docs/events.md`.
//!
//! Records are written key by key into the buffer of the output, without an allocation for each.

mod http;
mod object;
mod stack;
mod tls;

use std::path::Path;

use huginn_net::{Event, Origin, SourceStats, Stack, Timestamp, Uptime};

use self::http::Heads;
use self::object::{Object, key, plain, twin_keys};
use self::tls::Hellos;
pub(crate) use self::tls::{client_hello, known_client};
use super::address::Addresses;
use super::clock::Clock;
use super::stacks::Stacks;
use super::{Format, append, rounded};
use crate::community_id::CommunityIds;
use crate::totals::{Counts, Dataset, Totals};

/// One object per line.
#[derive(Default)]
pub struct Json {
    /// `log.file.path` of the capture as it is written, with a comma in front.
    path: Vec<u8>,
    clock: Clock,
    addresses: Addresses,
    ids: CommunityIds,
    stacks: Stacks,
    hellos: Hellos,
    heads: Heads,
}

impl Json {
    /// Says that what follows comes from this capture; `None` for standard input.
    pub fn begin(&mut self, capture: Option<&Path>) {
        self.path.clear();
        if let Some(path) = capture {
            let path = path.as_os_str().as_encoded_bytes();
            Object::at_end_of(&mut self.path).bytes(twin_keys!("log.file.path"), path);
        }
    }

    /// Appends the line of an event.
    #[inline]
    pub fn event(&mut self, event: &Event, lines: &mut Vec<u8>) {
        match event {
            Event::TcpSyn(stack) => self.stack(Dataset::Syn, stack, lines),
            Event::TcpSynAck(stack) => self.stack(Dataset::SynAck, stack, lines),
            Event::TcpUptime(clock) => self.uptime(clock, lines),
            Event::TlsClientHello(client) => {
                self.begin_event(Dataset::ClientHello, &client.seen.origin, lines);
                self.hellos.write(&client.seen, lines);
                if let Some(known) = &client.known {
                    known_client(&known.label, known.key, lines);
                }
                Object::at_end_of(lines).end();
            }
            Event::HttpRequest(client) => {
                self.begin_event(Dataset::HttpRequest, &client.seen.origin, lines);
                self.heads.request(client, lines);
                Object::at_end_of(lines).end();
            }
            Event::HttpStart(start) => {
                self.begin_event(Dataset::HttpRequest, &start.seen.origin, lines);
                http::start(start, lines);
                Object::at_end_of(lines).end();
            }
            Event::HttpResponse(server) => {
                self.begin_event(Dataset::HttpResponse, &server.seen.origin, lines);
                self.heads.response(server, lines);
                Object::at_end_of(lines).end();
            }
            Event::TlsServerHello(seen) => {
                self.begin_event(Dataset::ServerHello, &seen.origin, lines);
                tls::server_hello(seen, lines);
                Object::at_end_of(lines).end();
            }
            Event::TlsSslv2Hello(seen) => {
                self.begin_event(Dataset::ClientHello, &seen.origin, lines);
                tls::sslv2_hello(seen, lines);
                Object::at_end_of(lines).end();
            }
            // The enum is open for kinds to come; every kind this build can report is above.
            _ => {}
        }
    }

    fn stack(&mut self, dataset: Dataset, stack: &Stack, lines: &mut Vec<u8>) {
        self.begin_event(dataset, &stack.origin, lines);
        self.stacks.write(stack, lines, stack::stack);
        Object::at_end_of(lines).end();
    }

    fn uptime(&mut self, clock: &Uptime, lines: &mut Vec<u8>) {
        self.begin_event(Dataset::Uptime, &clock.origin, lines);
        let mut object = Object::at_end_of(lines);
        append(object.member(key!("huginn.uptime.frequency_hz")), rounded(clock.frequency_hz));
        if let Some(seconds) = clock.seconds() {
            append(object.member(key!("huginn.uptime.seconds")), rounded(seconds));
        }
        append(object.member(key!("huginn.uptime.wraps_after_days")), rounded(clock.wraps_after_days()));
        object.boolean(key!("huginn.uptime.reliable"), clock.is_reliable());
        object.word(key!("huginn.uptime.reason"), clock.state.name());
        object.end();
    }

    /// What all events have.
    fn begin_event(&mut self, dataset: Dataset, origin: &Origin, lines: &mut Vec<u8>) {
        const TCP: u8 = 6;
        const UDP: u8 = 17;
        let Origin { source, destination, .. } = origin;
        lines.extend_from_slice(b"{\"@timestamp\":\"");
        self.clock.write(origin.captured_at, lines);
        lines.push(b'"');
        let mut object = Object::at_end_of(lines);
        object.word(key!("event.dataset"), dataset.name());
        object.appended(key!("source.ip"), |lines| self.addresses.write(source.ip(), lines));
        object.number(key!("source.port"), source.port());
        object.appended(key!("destination.ip"), |lines| self.addresses.write(destination.ip(), lines));
        object.number(key!("destination.port"), destination.port());
        object.members(match (origin.protocol.0, source.ip().is_ipv4()) {
            (TCP, true) => b",\"network.transport\":\"tcp\",\"network.type\":\"ipv4\"",
            (TCP, false) => b",\"network.transport\":\"tcp\",\"network.type\":\"ipv6\"",
            (UDP, true) => b",\"network.transport\":\"udp\",\"network.type\":\"ipv4\"",
            (UDP, false) => b",\"network.transport\":\"udp\",\"network.type\":\"ipv6\"",
            (_, true) => b",\"network.type\":\"ipv4\"",
            (_, false) => b",\"network.type\":\"ipv6\"",
        });
        if matches!(origin.protocol.0, TCP | UDP) {
            let id = self.ids.of(source, destination, origin.protocol.0);
            object.appended(key!("network.community_id"), |lines| lines.extend_from_slice(&id));
        }
        if let Some(vlan) = origin.vlan {
            object.number(key!("network.vlan.id"), vlan);
        }
        object.members(&self.path);
        object.number(key!("huginn.frame"), origin.frame);
        if !origin.path.is_empty() {
            object.list(key!("huginn.tunnel"), origin.path.iter(), |layer, lines| plain(layer.name(), lines));
        }
    }

    /// Begins a record that is no event; its time is that of the last packet, if there was one.
    fn begin_record(&mut self, time: Option<Timestamp>, dataset: &str, lines: &mut Vec<u8>) {
        lines.push(b'{');
        if let Some(time) = time {
            lines.extend_from_slice(b"\"@timestamp\":\"");
            self.clock.write(time, lines);
            lines.extend_from_slice(b"\",");
        }
        append(lines, format_args!("\"event.dataset\":\"{dataset}\""));
    }
}

impl Format for Json {
    fn begin(&mut self, capture: Option<&Path>) {
        self.begin(capture);
    }

    fn event(&mut self, event: &Event, lines: &mut Vec<u8>) {
        self.event(event, lines);
    }

    fn input(&mut self, stats: &SourceStats, lines: &mut Vec<u8>) {
        self.begin_record(stats.last, "huginn.input", lines);
        let mut object = Object::at_end_of(lines);
        object.members(&self.path);
        if let Some(format) = stats.format {
            append(object.member(key!("huginn.input.format")), format_args!("\"{format}\""));
        }
        object.list(key!("huginn.input.link_types"), stats.link_types.iter(), |link_type, lines| {
            append(lines, format_args!("\"{link_type}\""));
        });
        object.number(key!("huginn.input.packets"), stats.packets);
        object.number(key!("huginn.input.bytes"), stats.bytes);
        if let Some(first) = stats.first {
            object.appended(key!("huginn.input.first"), |lines| self.clock.write(first, lines));
        }
        if let Some(last) = stats.last {
            object.appended(key!("huginn.input.last"), |lines| self.clock.write(last, lines));
        }
        object.list(key!("huginn.input.damage"), stats.damage.iter(), |damage, lines| {
            lines.extend_from_slice(b"{\"reason\":");
            plain(damage.reason.name(), lines);
            let mut object = Object::at_end_of(lines);
            object.number(key!("offset"), damage.offset);
            lines.push(b'}');
        });
        object.end();
    }

    fn stats(&mut self, totals: &Totals, lines: &mut Vec<u8>) {
        fn each(counts: &Counts) -> impl Iterator<Item = (&str, u64)> {
            counts.iter().map(|(&name, &count)| (name, count))
        }
        self.begin_record(totals.latest, "huginn.stats", lines);
        let mut object = Object::at_end_of(lines);
        object.number(key!("huginn.stats.packets"), totals.packets);
        object.number(key!("huginn.stats.decoded"), totals.decoded);
        object.counts(key!("huginn.stats.not_decoded"), each(&totals.not_decoded));
        object.counts(key!("huginn.stats.malformed"), each(&totals.malformed));
        object.counts(key!("huginn.stats.events"), totals.events());
        object.counts(key!("huginn.stats.limits_hit"), each(&totals.limits_hit));
        object.counts(key!("huginn.stats.dropped"), totals.dropped_by().into_iter());
        object.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_costs_no_allocation_once_its_stack_has_been_seen() {
        let capture = testkit::corpus::path("real/tsoff.pcap");
        let events: Vec<Event> =
            huginn_net::HuginnNet::new().analyze_pcap(capture).unwrap().map(Result::unwrap).collect();
        let mut json = Json::default();
        let mut lines = Vec::with_capacity(1 << 20);
        let mut write = || events.iter().for_each(|event| json.event(event, &mut lines));
        write();
        let ((), allocations) = testkit::alloc::measure(write);
        assert_eq!(allocations, testkit::alloc::Allocations::NONE);
        assert!(events.len() > 5);
    }

    #[test]
    fn a_hello_costs_no_allocation_once_its_client_has_been_seen_twice() {
        for (capture, count) in [("pcap/chromium-156.0.8078.79", 4), ("quic-pcap/q-quic-go-v2", 2)] {
            let capture = testkit::corpus::path(&format!("tls/{capture}.pcap"));
            let mut events: Vec<Event> =
                huginn_net::HuginnNet::new().analyze_pcap(capture).unwrap().map(Result::unwrap).collect();
            events.retain(|event| matches!(event, Event::TlsClientHello(_) | Event::TlsServerHello(_)));
            assert_eq!(events.len(), count);
            let (mut json, mut lines) = (Json::default(), Vec::with_capacity(1 << 20));
            let mut write = || events.iter().for_each(|event| json.event(event, &mut lines));
            write();
            write();
            let ((), allocations) = testkit::alloc::measure(write);
            assert_eq!(allocations, testkit::alloc::Allocations::NONE);
        }
    }

    #[track_caller]
    fn are_written_as_each_is_alone<'a>(events: impl Iterator<Item = &'a Event>) {
        let mut json = Json::default();
        for event in events {
            let (mut line, mut alone) = (Vec::new(), Vec::new());
            json.event(event, &mut line);
            Json::default().event(event, &mut alone);
            assert_eq!(String::from_utf8(line).unwrap(), String::from_utf8(alone).unwrap());
        }
    }

    #[test]
    fn what_is_kept_of_a_client_is_written_of_no_other() {
        let mut events = Vec::new();
        for folder in ["tls/pcap", "tls/quic-pcap", "tls/pcap-hand"] {
            for path in testkit::corpus::captures(folder) {
                let capture = huginn_net::HuginnNet::new().analyze_pcap(path).unwrap();
                let hellos = capture.map(Result::unwrap);
                events.extend(hellos.filter(|event| matches!(event, Event::TlsClientHello(_))));
            }
        }
        assert!(events.len() > 250, "{}", events.len());
        are_written_as_each_is_alone(events.iter().chain(&events).chain(events.iter().rev()));
    }

    #[test]
    fn what_is_kept_of_a_head_is_written_of_no_other() {
        let mut events = Vec::new();
        for path in testkit::corpus::captures("http") {
            let capture = huginn_net::HuginnNet::new().analyze_pcap(path).unwrap();
            let heads = capture.map(Result::unwrap);
            events.extend(
                heads.filter(|event| matches!(event, Event::HttpRequest(_) | Event::HttpResponse(_))),
            );
        }
        assert!(events.len() > 80, "{}", events.len());
        are_written_as_each_is_alone(events.iter().chain(&events).chain(events.iter().rev()));
    }

    #[test]
    fn what_is_kept_of_a_stack_is_written_of_no_other() {
        let mut paths: Vec<_> = std::fs::read_dir(testkit::corpus::path("tcp")).unwrap().collect();
        paths.retain(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|kind| kind == "pcap"));
        let mut events = Vec::new();
        for entry in paths {
            let capture = huginn_net::HuginnNet::new().analyze_pcap(entry.unwrap().path()).unwrap();
            events.extend(capture.map(Result::unwrap));
        }
        // The window of each once more, as the smallest change there can be.
        let mut changed = events.clone();
        for event in &mut changed {
            if let Event::TcpSyn(stack) | Event::TcpSynAck(stack) = event {
                stack.observation.window ^= 1;
            }
        }
        events.extend(changed);
        assert!(events.len() > 500);

        are_written_as_each_is_alone(events.iter().chain(events.iter().rev()));
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
