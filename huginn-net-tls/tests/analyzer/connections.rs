//! Connections of every kind, built segment by segment.

use huginn_net_core::Analyzer;
use huginn_net_tls::{Carrier, TlsEvent, TlsSettings, ViaKind};
use testkit::corpus;
use testkit::packet::{IpHeader, Ipv4, Ipv6, Tcp, flags};

use crate::captures::{open, table};
use crate::watch::{MILLISECOND, SECOND, START, Watch, watch};

pub(crate) const CLIENT: [u8; 4] = [10, 0, 0, 1];
pub(crate) const SERVER: [u8; 4] = [10, 0, 0, 2];
pub(crate) const ISN: u32 = 1_000;
pub(crate) const SERVER_ISN: u32 = 5_000;

pub(crate) fn hello() -> Vec<u8> {
    std::fs::read(corpus::path("tls/hello/hand-base-tls13.bin")).unwrap()
}

pub(crate) const JA4: &str = "t13d040700_e00fd9ffaebd_8b8b673a840a";

/// A client and its server; a millisecond passes with each packet.
pub(crate) struct Connection {
    pub(crate) watch: Watch,
    nanos: u64,
}

impl Connection {
    pub(crate) fn new() -> Self {
        Self::with(TlsSettings::default())
    }

    pub(crate) fn with(settings: TlsSettings) -> Self {
        Self { watch: Watch::new(settings), nanos: 0 }
    }

    pub(crate) fn opened() -> Self {
        let mut connection = Self::new();
        connection.open();
        connection
    }

    pub(crate) fn open(&mut self) {
        self.client(ISN, flags::SYN, b"");
        self.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
    }

    pub(crate) fn push(&mut self, datagram: &[u8]) {
        self.nanos += MILLISECOND;
        self.watch.datagram(datagram, self.nanos);
    }

    pub(crate) fn client(&mut self, sequence: u32, flags: u16, payload: &[u8]) {
        let acknowledgment = SERVER_ISN + 1;
        let segment = Tcp::new(40_000, 443).sequence(sequence).acknowledgment(acknowledgment);
        self.push(&Ipv4::new(CLIENT, SERVER).tcp(&segment.flags(flags).payload(payload)));
    }

    pub(crate) fn server(&mut self, sequence: u32, flags: u16, payload: &[u8]) {
        let segment = Tcp::new(443, 40_000).sequence(sequence).acknowledgment(ISN + 1);
        self.push(&Ipv4::new(SERVER, CLIENT).tcp(&segment.flags(flags).payload(payload)));
    }

    /// Bytes of the client at a distance from the first.
    pub(crate) fn sends(&mut self, at: usize, payload: &[u8]) {
        self.client((ISN + 1).wrapping_add(at as u32), flags::ACK, payload);
    }

    /// Bytes of the server at a distance from the first.
    pub(crate) fn answers(&mut self, at: usize, payload: &[u8]) {
        self.server((SERVER_ISN + 1).wrapping_add(at as u32), flags::ACK, payload);
    }

    pub(crate) fn wait(&mut self, nanos: u64) {
        self.nanos += nanos;
    }
}

#[test]
fn a_hello_in_one_segment_is_told_with_where_it_came_from() {
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!(seen.hello.ja4().as_str(), JA4);
    assert_eq!(seen.hello.message(), &hello()[5..]);
    assert_eq!(seen.hello.carrier(), Carrier::Tcp);
    assert_eq!(seen.hello.parsed().server_name(), Some(&b"www.example.test"[..]));
    let ends = format!("{} to {}", seen.origin.source, seen.origin.destination);
    assert_eq!(ends, "10.0.0.1:40000 to 10.0.0.2:443");
    assert_eq!((seen.origin.frame, seen.first.frame, seen.packets), (3, 3, 1));
    assert_eq!((seen.hello_index, seen.after_hrr, &seen.via, seen.quic), (0, false, &None, None));
    assert_eq!(
        (connection.watch.seen("tls_single_segment"), connection.watch.seen("tls_reassembled")),
        (1, 0)
    );
}

#[test]
fn a_hello_in_swapped_segments_tells_its_first_and_its_last_packet() {
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.sends(100, &hello[100..]);
    connection.sends(0, &hello[..100]);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!((seen.first.frame, seen.origin.frame, seen.packets), (3, 4, 2));
    assert_eq!(seen.first.captured_at.as_nanos(), START + 3 * MILLISECOND);
    assert_eq!((connection.watch.seen("tls_reassembled"), connection.watch.seen("tls_out_of_order")), (1, 1));
}

#[test]
fn a_hello_tells_how_many_segments_carried_it() {
    let hello = hello();
    for count in 1..=5_u32 {
        let mut connection = Connection::opened();
        let size = hello.len().div_ceil(count as usize);
        for (index, part) in hello.chunks(size).enumerate() {
            connection.sends(index * size, part);
        }
        let [seen] = connection.watch.hellos()[..] else { panic!("{count}") };
        assert_eq!((seen.packets, seen.first.frame + u64::from(count) - 1), (count, seen.origin.frame));
        assert_eq!(seen.hello.message(), &hello[5..]);
    }
}

#[test]
fn segments_that_are_sent_again_bring_no_second_event() {
    let (hello, mut connection) = (hello(), Connection::opened());
    for _ in 0..2 {
        connection.sends(0, &hello);
        connection.sends(50, &hello[50..]);
        connection.wait(9 * SECOND);
    }
    connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
    connection.sends(0, &hello);
    connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
    connection.client(ISN, flags::RST, b"");
    connection.sends(0, &hello);
    assert_eq!(connection.watch.ja4(), [JA4]);
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn data_on_a_syn_that_was_not_taken_is_sent_again() {
    let (hello, mut connection) = (hello(), Connection::new());
    connection.client(ISN, flags::SYN, &hello);
    connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
    connection.client(ISN, flags::SYN, &hello);
    connection.sends(0, &hello);
    assert_eq!(connection.watch.ja4(), [JA4]);
}

#[test]
fn a_hello_over_several_records_and_segments_is_joined() {
    let hello = hello();
    let records: Vec<u8> = hello[5..]
        .chunks(40)
        .flat_map(|part| [&[22, 3, 1, 0, part.len() as u8][..], part].concat())
        .collect();
    for step in [1, 7, 300, records.len()] {
        let mut connection = Connection::opened();
        for (index, part) in records.chunks(step).enumerate() {
            connection.sends(index * step, part);
        }
        assert_eq!(connection.watch.ja4(), [JA4], "{step}");
    }
}

/// A recorded ServerHello in a record.
pub(crate) fn server_hello(name: &str) -> Vec<u8> {
    let message = std::fs::read(corpus::path("tls").join(format!("server-hello/{name}.bin"))).unwrap();
    [&[22, 3, 3, 0, message.len() as u8][..], &message].concat()
}

/// What a server sends to ask for another hello.
pub(crate) fn retry_request() -> Vec<u8> {
    let mut record = vec![22, 3, 3, 0, 44, 2, 0, 0, 40, 3, 3];
    record.extend(b"\xcf\x21\xad\x74\xe5\x9a\x61\x11\xbe\x1d\x8c\x02\x1e\x65\xb8\x91");
    record.extend(b"\xc2\xa2\x11\x16\x7a\xbb\x8c\x5e\x07\x9e\x09\xe2\xc8\xa8\x33\x9c");
    record.extend([0, 0x13, 0x01, 0, 0, 0]);
    record
}

#[test]
fn every_server_hello_is_told_with_its_ja3s_and_without_its_client_too() {
    let entries = table("tls/ja3s.json", "vectors");
    assert_eq!(entries.len(), 11);
    for entry in entries {
        let answer = server_hello(entry["name"].as_str().unwrap());
        for with_client in [true, false] {
            let mut connection = Connection::new();
            if with_client {
                connection.open();
                connection.sends(0, &hello());
            }
            connection.answers(0, &answer);
            connection.answers(0, &answer);
            let [seen] = connection.watch.server_hellos()[..] else { panic!("{}", entry["name"]) };
            assert_eq!(seen.ja3s.to_string(), entry["ja3s"]);
            assert_eq!(*seen.ja3s_full, *entry["ja3s_full"].as_str().unwrap());
            assert_eq!((seen.origin.source.port(), seen.after_hrr), (443, false));
        }
    }
}

#[test]
fn a_server_hello_comes_in_pieces_too() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    let mut connection = Connection::opened();
    connection.sends(0, &hello);
    connection.answers(30, &answer[30..]);
    for at in 0..30 {
        connection.answers(at, &answer[at..=at]);
    }
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn a_server_that_asks_for_another_hello_gets_one_and_has_not_answered() {
    let (hello, mut connection) = (hello(), Connection::opened());
    let change_cipher_spec = [20, 3, 3, 0, 1, 1];
    connection.sends(0, &hello);
    connection.answers(0, &retry_request());
    assert_eq!(connection.watch.server_hellos().len(), 0);
    connection.sends(hello.len(), &[&change_cipher_spec[..], &hello].concat());
    connection.answers(retry_request().len(), &server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0"));
    let hellos = connection.watch.hellos();
    let told: Vec<_> = hellos.iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect();
    assert_eq!(told, [(0, false), (1, true)]);
    let [answer] = connection.watch.server_hellos()[..] else { panic!() };
    assert!(answer.after_hrr);
    assert_eq!(connection.watch.seen("tls_hello_retry_request"), 1);
}

#[test]
fn recorded_retries_are_told_from_hellos_that_only_follow_another() {
    for name in ["hrr-curl_cffi-chrome150", "hrr-gnutls-3.7.9", "hrr-go-1.26.8", "hrr-openssl-3.0.19"] {
        let watch = watch(&open(&format!("pcap/{name}.pcap")));
        let told: Vec<_> = watch.hellos().iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect();
        assert_eq!(told, [(0, false), (1, true)], "{name}");
    }
    let watch = watch(&open("tcp/two-hellos-one-flow.pcap"));
    let told: Vec<_> = watch.hellos().iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect();
    assert_eq!(told, [(0, false), (1, false)]);
}

#[test]
fn early_data_behind_a_hello_is_not_waited_for() {
    let (hello, mut connection) = (hello(), Connection::opened());
    let early = [&hello[..], &[23, 3, 3, 0x3f, 0xff, 1, 2, 3]].concat();
    connection.sends(0, &early);
    let change_cipher_spec = [20, 3, 3, 0, 1, 1];
    connection.sends(early.len(), &[9; 500]);
    connection.answers(0, &retry_request());
    connection.sends(early.len() + 500, &[&change_cipher_spec[..], &hello].concat());
    assert_eq!(connection.watch.ja4(), [JA4; 2]);
}

#[test]
fn a_second_hello_is_expected_for_10_seconds_and_16_kib() {
    let hello = hello();
    for (bytes, wait, expected) in [(16_000, 0, 2), (17_000, 0, 1), (100, 9, 2), (100, 11, 1)] {
        let mut connection = Connection::opened();
        connection.sends(0, &hello);
        connection.wait(wait * SECOND);
        let mut at = hello.len();
        for part in vec![9; bytes].chunks(1_000) {
            connection.sends(at, part);
            at += part.len();
        }
        connection.sends(at, &hello);
        assert_eq!(connection.watch.ja4().len(), expected, "{bytes} bytes, {wait} s");
    }
}

#[test]
fn hellos_of_ssl_2_are_told_without_a_fingerprint() {
    for (name, version, specs) in [("sslv2-pure", 0x0002, 3), ("sslv2-compat-tls10", 0x0301, 7)] {
        let watch = watch(&open(&format!("pcap-hand/{name}.pcap")));
        let [TlsEvent::Sslv2Hello(seen)] = &watch.events[..] else { panic!("{name}: {:?}", watch.events) };
        assert_eq!((seen.version.0, seen.cipher_specs.len(), seen.packets), (version, specs, 1), "{name}");
        assert_eq!(watch.seen("tls_sslv2"), 1);
    }
}

#[test]
fn recorded_tunnels_tell_what_stood_before_the_hello() {
    let via = |name: &str| {
        let watch = watch(&open(&format!("pcap/{name}.pcap")));
        let vias: Vec<_> = watch.hellos().iter().filter_map(|seen| seen.via.clone()).collect();
        let [via] = &vias[..] else { panic!("{name}: {vias:?}") };
        (
            via.kind,
            via.source.map(|source| source.to_string()),
            via.destination.as_ref().map(ToString::to_string),
        )
    };
    let target = |target: &str| Some(target.to_owned());
    let www = "www.example.test:443";
    assert_eq!(via("tunnel-http-connect"), (ViaKind::HttpConnect, None, target(www)));
    assert_eq!(via("tunnel-socks4a"), (ViaKind::Socks4, None, target(www)));
    let (kind, source, destination) = via("tunnel-proxy-v2");
    assert_eq!(kind, ViaKind::ProxyV2);
    assert!(source.is_some() && destination.is_some());
    assert_eq!(via("starttls-mariadb-11.8"), (ViaKind::Mysql, None, None));
    assert_eq!(via("starttls-psql-15"), (ViaKind::Postgres, None, None));
}

#[test]
fn a_preamble_may_share_a_segment_with_the_hello_and_need_no_syn() {
    let proxy = b"PROXY TCP4 203.0.113.7 192.0.2.1 51234 443\r\n";
    let connect = b"CONNECT www.example.test:443 HTTP/1.1\r\n\r\n";
    let stream = [&proxy[..], connect, &hello()].concat();
    for mut connection in [Connection::opened(), Connection::new()] {
        connection.sends(0, &stream);
        let [seen] = connection.watch.hellos()[..] else { panic!() };
        let via = seen.via.as_deref().unwrap();
        assert_eq!((via.kind, via.source), (ViaKind::ProxyV1, Some("203.0.113.7:51234".parse().unwrap())));
    }
}

#[test]
fn a_hello_behind_the_request_of_mysql_in_one_segment_needs_no_syn() {
    let request = [&[32, 0, 0, 1, 0x85, 0xae, 0xff, 0x01, 0, 0, 0, 1, 45][..], &[0; 23]].concat();
    let mut connection = Connection::new();
    connection.sends(0, &[&request[..], &hello()].concat());
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!(seen.via.as_deref().unwrap().kind, ViaKind::Mysql);
}

#[test]
fn a_second_hello_behind_change_cipher_spec_needs_neither_syn_nor_first_hello() {
    let mut connection = Connection::new();
    connection.sends(0, &[&[20, 3, 3, 0, 1, 1][..], &hello()].concat());
    assert_eq!(connection.watch.ja4(), [JA4]);
}

#[test]
fn a_hello_late_in_a_connection_is_found_at_the_begin_of_a_segment() {
    let (hello, mut connection) = (hello(), Connection::opened());
    for index in 0..20 {
        connection.sends(index * 1_000, &[b'x'; 1_000]);
    }
    assert_eq!(connection.watch.seen("tls_not_tls"), 1);
    connection.sends(20_000, &hello);
    assert_eq!(connection.watch.ja4(), [JA4]);
}

#[test]
fn the_first_12_segments_of_a_client_are_searched() {
    let hello = hello();
    for (segments, hellos) in [(12, 1), (13, 0)] {
        let mut connection = Connection::opened();
        for index in 0..segments {
            connection.sends(index * 2, b"x\n");
            connection.answers(index * 2, b"y\n");
        }
        assert_eq!(connection.watch.seen("tls_not_tls"), u64::from(hellos == 0), "{segments}");
        // One that is not at the begin of a segment is found only where its connection is followed.
        let preamble = b"\x05\x01\x00";
        connection.sends(segments * 2, &[&preamble[..], &hello].concat());
        assert_eq!(connection.watch.hellos().len(), hellos, "{segments}");
    }
}

#[test]
fn a_segment_that_was_not_captured_does_not_hide_a_later_hello() {
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.sends(0, b"EHLO\r\n");
    connection.sends(16, &hello);
    assert_eq!(connection.watch.ja4(), [JA4], "complete behind a gap");
    let mut connection = Connection::opened();
    connection.sends(70_000, &hello);
    assert_eq!(connection.watch.ja4(), [JA4], "far behind a gap");
}

#[test]
fn what_begins_like_a_hello_and_is_none_is_counted_by_reason() {
    let count = |bytes: &[u8], reason: &str| {
        let mut connection = Connection::opened();
        connection.sends(0, bytes);
        assert_eq!(connection.watch.malformed(reason), 1, "{reason} {:?}", connection.watch.stats());
        assert_eq!(connection.watch.ja4(), [""; 0]);
    };
    count(&[22, 3, 1, 0xff, 0xff, 1], "record_length");
    count(&[22, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3], "truncated");
}

#[test]
fn a_hello_waits_3_seconds_for_its_next_packet_and_10_for_its_last() {
    let hello = hello();
    for (gaps, complete) in [(vec![2_900; 3], true), (vec![3_100], false), (vec![2_500; 5], false)] {
        let mut connection = Connection::opened();
        let step = hello.len().div_ceil(gaps.len() + 1);
        let mut parts = hello.chunks(step).enumerate();
        let (_, first) = parts.next().unwrap();
        connection.sends(0, first);
        for ((index, part), gap) in parts.zip(&gaps) {
            connection.wait(gap * MILLISECOND);
            connection.sends(index * step, part);
        }
        assert_eq!(connection.watch.ja4().len(), usize::from(complete), "{gaps:?}");
        assert_eq!(connection.watch.limit("tls_pending_time"), u64::from(!complete), "{gaps:?}");
    }
}

#[test]
fn ipv6_and_every_port_are_the_same() {
    let mut watch = Watch::new(TlsSettings::default());
    let header = Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0, 0, 0, 0, 0, 2]);
    for port in [1, 25, 80, 445, 65_535] {
        let segment = Tcp::new(40_000, port).sequence(1).flags(flags::ACK | flags::URG).payload(&hello());
        watch.datagram(&header.tcp(&segment), u64::from(port));
    }
    assert_eq!(watch.ja4(), [JA4; 5]);
}

#[test]
fn overlapping_segments_that_contradict_are_counted() {
    for (name, conflicts) in
        [("overlap-conflict-first-wins", 1), ("overlap-conflict-out-of-order", 1), ("in-order-2seg", 0)]
    {
        let watch = watch(&open(&format!("tcp/{name}.pcap")));
        assert_eq!(watch.seen("tls_overlap_conflict"), conflicts, "{name}");
    }
}

#[test]
fn packets_that_cannot_matter_are_asked_for_by_nobody() {
    let watch = Watch::new(TlsSettings::default());
    let wants = |datagram: &[u8]| {
        let frame = huginn_net_core::Frame::new(datagram, huginn_net_core::LinkType::RAW);
        watch.analyzer.affinity(&huginn_net_core::Packet::decode(&frame).unwrap()).is_some()
    };
    let tcp = |flags: u16, payload: &[u8]| {
        wants(&Ipv4::new(CLIENT, SERVER).tcp(&Tcp::new(1, 2).flags(flags).payload(payload)))
    };
    assert!(!tcp(flags::ACK, b"") && !tcp(flags::ACK | flags::FIN, b""));
    assert!(tcp(flags::SYN, b"") && tcp(flags::RST, b"") && tcp(flags::ACK, b"x"));
    let udp =
        |payload: &[u8]| wants(&Ipv4::new(CLIENT, SERVER).udp(&testkit::packet::Udp::new(1, 2, payload)));
    assert!(!udp(b"") && !udp(b"\x00\x01stun") && !udp(b"\x16\x03\x01"));
    assert!(udp(b"\xc0") && udp(b"\x16\xfe\xfd"));
    assert!(!wants(&Ipv4::new(CLIENT, SERVER).carry(1, &[8, 0, 0, 0])));
}
