//! Events that are nearly alike: what is kept of one is written of no other.

use std::sync::Arc;

use huginn_net::source::FrameStore;
use huginn_net::{Event, Frame, HuginnNet, LinkType, Settings, TcpSettings, Timestamp};
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, TcpOption, flags};

use super::{Format, Json, Text};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// The events of IP datagrams, a millisecond apart.
fn events(datagrams: impl Iterator<Item = Vec<u8>>) -> Vec<Event> {
    let mut store = FrameStore::default();
    for (datagram, millis) in datagrams.zip(0..) {
        let captured_at = Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
        store.push(&Frame { captured_at, number: millis + 1, ..Frame::new(&datagram, LinkType::RAW) });
    }
    let mut settings = Settings::default();
    settings.tcp = Some(TcpSettings::default().with_report_unpaired(true));
    HuginnNet::with_settings(settings).analyze(Arc::new(store).source()).map(Result::unwrap).collect()
}

/// Bytes, and what becomes of them when one is another.
fn changes(original: &[u8], from: usize) -> Vec<Vec<u8>> {
    let mut all = vec![original.to_vec()];
    for at in from..original.len() {
        let byte = original[at];
        for other in [byte ^ 1, !byte, b'\n', b' '] {
            let mut changed = original.to_vec();
            changed[at] = other;
            all.push(changed);
        }
    }
    all
}

fn line(format: &mut impl Format, event: &Event) -> String {
    let mut line = Vec::new();
    format.event(event, &mut line);
    String::from_utf8(line).unwrap()
}

/// Writes the first event and each other one in turn, twice.
fn are_written_as_each_is_alone<F: Format>(events: &[Event], new: impl Fn() -> F) {
    let (original, changed) = events.split_first().unwrap();
    let of_original = line(&mut new(), original);
    let mut one = new();
    for changed in changed {
        let expected = line(&mut new(), changed);
        for _ in 0..3 {
            assert_eq!(line(&mut one, original), of_original);
            assert_eq!(line(&mut one, changed), expected);
        }
    }
}

fn check(events: &[Event], at_least: usize) {
    assert!(events.len() >= at_least, "{}", events.len());
    are_written_as_each_is_alone(events, Json::default);
    are_written_as_each_is_alone(events, || Text::new(false));
}

/// The events of connections in which one end says one of these each.
fn of_payloads(payloads: Vec<Vec<u8>>, is_answer: bool) -> Vec<Event> {
    let datagrams = payloads.into_iter().zip(1_024..).map(|(payload, port)| {
        let (source, destination, ports) =
            if is_answer { (SERVER, CLIENT, [80, port]) } else { (CLIENT, SERVER, [port, 80]) };
        let segment = Tcp::new(ports[0], ports[1]).acknowledgment(1).flags(flags::ACK).payload(&payload);
        Ipv4::new(source, destination).tcp(&segment)
    });
    events(datagrams)
}

#[test]
fn a_hello_that_differs_in_one_byte() {
    for name in ["hand-s1-all", "hand-grease-everywhere", "hand-ech-outer"] {
        let hello = std::fs::read(testkit::corpus::path(&format!("tls/hello/{name}.bin"))).unwrap();
        check(&of_payloads(changes(&hello, 0), false), hello.len());
    }
    let message = testkit::corpus::path("tls/server-hello/openssl-3.0.19-tls1_1-0.bin");
    let message = std::fs::read(message).unwrap();
    let hello = [&[22, 3, 3, 0, u8::try_from(message.len()).unwrap()][..], &message].concat();
    check(&of_payloads(changes(&hello, 0), true), hello.len());
}

#[test]
fn a_head_that_differs_in_one_byte() {
    let request = b"GET /a HTTP/1.1\r\nHost: a.example\r\nAccept-Language: de,en;q=0.5\r\nServer: s\r\n\
        user-agent: x\r\nUser-Agent: curl/7.88.1\r\nCookie: a=b\r\nX: 1\r\n 2\r\nReferer\r\n\r\n";
    check(&of_payloads(changes(request, 0), false), request.len());
    let response = b"HTTP/1.1 200 OK\r\nserver: b\r\nServer: nginx/1.22.1\r\nContent-Type: a/b\r\n\
        Connection: close\r\nETag: \"1\"\r\nUser-Agent: x\r\n\r\n";
    check(&of_payloads(changes(response, 0), true), response.len());
}

#[test]
fn a_stack_that_differs_in_one_byte() {
    let options = [
        TcpOption::Mss(1_460),
        TcpOption::SackPermitted,
        TcpOption::Timestamps(7, 0),
        TcpOption::Nop,
        TcpOption::WindowScale(7),
    ];
    let syn = Tcp::new(40_000, 443).sequence(5).window(64_240).options(options);
    let answer = syn.clone().flags(flags::SYN | flags::ACK).acknowledgment(9);
    let v4 = Ipv4::new(CLIENT, SERVER);
    let v6 = Ipv6::new([1; 16], [2; 16]);
    let extended = Ipv6::new([1; 16], [2; 16]).extensions([Extension::HopByHop(vec![1, 4])]);
    for segment in [syn, answer] {
        for (datagram, tcp) in [(v4.tcp(&segment), 20), (v6.tcp(&segment), 40), (extended.tcp(&segment), 48)]
        {
            let mut all = changes(&datagram, 0);
            for (datagram, port) in all.iter_mut().zip(1_024_u16..) {
                // Each of its own flow, or it would be a SYN that is sent again.
                datagram[tcp..tcp + 2].copy_from_slice(&port.to_be_bytes());
            }
            let events = events(all.into_iter());
            let stacks: Vec<_> = events
                .into_iter()
                .filter(|event| matches!(event, Event::TcpSyn(_) | Event::TcpSynAck(_)))
                .collect();
            check(&stacks, datagram.len());
        }
    }
}
