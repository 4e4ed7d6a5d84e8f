//! JSON Lines of the schema `huginn/1`, see `docs/events.md`.
//!
//! Records are written key by key into the buffer of the output, without an allocation for each.

mod http;
mod object;
mod stack;
mod tls;

use core::fmt;
use core::net::IpAddr;
use std::path::Path;

use huginn_net::{Event, Origin, SourceStats, Stack, Timestamp, Uptime};

use self::http::Heads;
use self::object::{Object, key, plain, twin_keys};
use self::tls::Hellos;
pub(crate) use self::tls::{client_hello, known_client};
use super::address::Addresses;
use super::clock::Clock;
use super::number::put_number;
use super::room::{Room, Word};
use super::stacks::Stacks;
use super::{Format, append, rounded};
use crate::community_id::CommunityIds;
use crate::totals::{Dataset, Totals, each};

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

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Json").finish_non_exhaustive()
    }
}

impl Json {
    /// Says that what follows comes from this capture; `None` for standard input.
    pub fn begin(&mut self, capture: Option<&Path>) {
        self.path.clear();
        where_read(capture, None, &mut self.path);
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
                self.hellos.client_hello(client, lines);
            }
            Event::HttpRequest(client) => {
                self.begin_event(Dataset::HttpRequest, &client.seen.origin, lines);
                self.heads.request(client, lines);
            }
            Event::HttpStart(start) => {
                self.begin_event(Dataset::HttpRequest, &start.seen.origin, lines);
                http::start(start, lines);
                Object::at_end_of(lines).end();
            }
            Event::HttpResponse(server) => {
                self.begin_event(Dataset::HttpResponse, &server.seen.origin, lines);
                self.heads.response(server, lines);
            }
            Event::TlsServerHello(seen) => {
                self.begin_event(Dataset::ServerHello, &seen.origin, lines);
                self.hellos.server_hello(seen, lines);
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
        self.stacks.write(stack, lines, |stack, lines| {
            stack::stack(stack, lines);
            Object::at_end_of(lines).end();
        });
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
        Room::with::<HEAD>(lines, |room| {
            room.put(b"{\"@timestamp\":\"");
            self.clock.put(origin.captured_at, room);
            between_time_and_source(dataset).put(room);
            self.addresses.put(source.ip(), room);
            room.put(b"\",\"source.port\":");
            put_number(source.port().into(), room);
            room.put(b",\"destination.ip\":\"");
            self.addresses.put(destination.ip(), room);
            room.put(b"\",\"destination.port\":");
            put_number(destination.port().into(), room);
            match origin.protocol.0 {
                TCP => room.put(b",\"network.transport\":\"tcp\""),
                UDP => room.put(b",\"network.transport\":\"udp\""),
                _ => {}
            }
            match source.ip() {
                IpAddr::V4(_) => room.put(b",\"network.type\":\"ipv4\""),
                IpAddr::V6(_) => room.put(b",\"network.type\":\"ipv6\""),
            }
            if matches!(origin.protocol.0, TCP | UDP) {
                room.put(b",\"network.community_id\":\"");
                self.ids.with(source, destination, origin.protocol.0, |id| room.put(id));
                room.put(b"\"");
            }
            if let Some(vlan) = origin.vlan {
                room.put(b",\"network.vlan.id\":");
                put_number(vlan.into(), room);
            }
        });
        lines.extend_from_slice(&self.path);
        let mut object = Object::at_end_of(lines);
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

/// Appends where something was read: the file, and the packet of a capture.
pub(crate) fn where_read(file: Option<&Path>, packet: Option<&Origin>, line: &mut Vec<u8>) {
    let mut object = Object::at_end_of(line);
    if let Some(origin) = packet {
        object.appended(key!("@timestamp"), |line| Clock::default().write(origin.captured_at, line));
        object.displayed(key!("source.ip"), origin.source.ip());
        object.number(key!("source.port"), origin.source.port());
        object.displayed(key!("destination.ip"), origin.destination.ip());
        object.number(key!("destination.port"), origin.destination.port());
    }
    if let Some(file) = file {
        object.bytes(twin_keys!("log.file.path"), file.as_os_str().as_encoded_bytes());
    }
    if let Some(origin) = packet {
        object.number(key!("huginn.frame"), origin.frame);
    }
}

/// Room for what [`Json::begin_event`] writes up to the path of the capture; the longest takes some 400 bytes.
const HEAD: usize = 512;

/// What stands between the time of an event and its source.
fn between_time_and_source(dataset: Dataset) -> &'static Word<64> {
    const fn of(dataset: Dataset) -> Word<64> {
        Word::new(&["\",\"event.dataset\":\"", dataset.name(), "\",\"source.ip\":\""])
    }
    match dataset {
        Dataset::Syn => const { &of(Dataset::Syn) },
        Dataset::SynAck => const { &of(Dataset::SynAck) },
        Dataset::Uptime => const { &of(Dataset::Uptime) },
        Dataset::ClientHello => const { &of(Dataset::ClientHello) },
        Dataset::ServerHello => const { &of(Dataset::ServerHello) },
        Dataset::HttpRequest => const { &of(Dataset::HttpRequest) },
        Dataset::HttpResponse => const { &of(Dataset::HttpResponse) },
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
    use huginn_net::db::OsCheck;
    use huginn_net::{Endpoint, TcpObservation};

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
        let mut unknown = events.clone();
        for event in &mut unknown {
            if let Event::TlsClientHello(client) = event {
                client.known = None;
            }
        }
        are_written_as_each_is_alone(events.iter().zip(&unknown).flat_map(|(one, other)| [one, other, one]));
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
        let mut judged = events.clone();
        for event in &mut judged {
            match event {
                Event::HttpRequest(client) => client.os_check = OsCheck::Conflict,
                Event::HttpResponse(server) => server.assessment = None,
                _ => {}
            }
        }
        let mut unknown = judged.clone();
        for event in &mut unknown {
            match event {
                Event::HttpRequest(client) => client.app = None,
                Event::HttpResponse(server) => server.app = None,
                _ => {}
            }
        }
        let all = events.iter().zip(&judged).zip(&unknown);
        are_written_as_each_is_alone(all.flat_map(|((one, other), third)| [one, other, third, one]));
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
        // Each once more with another value of one field, as the smallest change there can be.
        let changes: [fn(&mut TcpObservation); 6] = [
            |seen| seen.window ^= 1,
            |seen| seen.ttl ^= 1,
            |seen| seen.ip_options_len ^= 4,
            |seen| seen.mss = seen.mss.map(|mss| mss ^ 1),
            |seen| seen.window_scale = seen.window_scale.map(|scale| scale ^ 1),
            |seen| seen.has_payload ^= true,
        ];
        let seen = events.clone();
        for change in changes {
            events.extend(seen.iter().cloned().map(|mut event| {
                if let Event::TcpSyn(stack) | Event::TcpSynAck(stack) = &mut event {
                    change(&mut stack.observation);
                }
                event
            }));
        }
        assert!(events.len() > 500);

        are_written_as_each_is_alone(events.iter().chain(events.iter().rev()));
    }

    #[test]
    fn the_longest_begin_of_a_line_has_room() {
        let capture = testkit::corpus::path("tls/pcap/curl-7.88.1-hrr.pcap");
        let events = huginn_net::HuginnNet::new().analyze_pcap(capture).unwrap().map(Result::unwrap);
        let mut hellos: Vec<_> =
            events.filter(|event| matches!(event, Event::TlsClientHello(_))).take(1).collect();
        let Some(Event::TlsClientHello(client)) = hellos.first_mut() else { panic!() };
        let origin = &mut client.seen.origin;
        origin.captured_at = Timestamp::MAX;
        (origin.frame, origin.vlan) = (u64::MAX, Some(u16::MAX));
        let end = |address: &str| Endpoint::new(address.parse().unwrap(), u16::MAX);
        (origin.source, origin.destination) =
            (end("abcd:ef01:2345:6789:abcd:ef01:2345:6789"), end("abcd:ef01:2345:6789:abcd:ef01:2345:678a"));
        let mut line = Vec::new();
        Json::default().event(&hellos[0], &mut line);
        let line: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(line["@timestamp"], Timestamp::MAX.to_string());
        assert_eq!(line["source.ip"], "abcd:ef01:2345:6789:abcd:ef01:2345:6789");
        assert_eq!(line["destination.ip"], "abcd:ef01:2345:6789:abcd:ef01:2345:678a");
        assert_eq!(
            [&line["source.port"], &line["destination.port"], &line["network.vlan.id"]],
            [u16::MAX; 3]
        );
        assert_eq!(line["huginn.frame"], u64::MAX);
    }

    #[test]
    fn the_longest_delivery_of_a_hello_has_room() {
        let capture = testkit::corpus::path("tls/quic-pcap/hand-cross-shuffle.pcap");
        let events = huginn_net::HuginnNet::new().analyze_pcap(capture).unwrap().map(Result::unwrap);
        let mut hellos: Vec<_> =
            events.filter(|event| matches!(event, Event::TlsClientHello(_))).take(1).collect();
        let Some(Event::TlsClientHello(client)) = hellos.first_mut() else { panic!() };
        (client.seen.packets, client.seen.hello_index) = (u32::MAX, u8::MAX);
        client.seen.after_hrr = false;
        let Some(facts) = &mut client.seen.quic else { panic!() };
        (facts.destination_id_len, facts.token_len, facts.crypto_pieces) = (u8::MAX, usize::MAX, u32::MAX);
        let mut line = Vec::new();
        Json::default().event(&hellos[0], &mut line);
        let line: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(line["huginn.tls.packets"], u32::MAX);
        assert_eq!(line["huginn.tls.hello_index"], u8::MAX);
        assert_eq!(line["huginn.tls.after_hrr"], false);
        assert_eq!(line["huginn.tls.session"]["ticket"], false);
        let quic = &line["huginn.tls.quic"];
        assert_eq!(
            [&quic["dcid_len"], &quic["token_len"], &quic["crypto_pieces"]],
            [u64::from(u8::MAX), usize::MAX as u64, u32::MAX.into()]
        );
        assert!(quic["transport_parameters"].is_object() || quic["transport_parameters"].is_array());
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
