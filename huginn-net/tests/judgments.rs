//! What the facade says of requests, and where it is asked not to.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use huginn_net::db::OsCheck;
use huginn_net::{CaptureFile, Event, HttpClient, HuginnNet, Settings};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::encap::link::{ethernet, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};

const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";

/// The head of a request with these lines between its first one and the last, which is empty.
fn http1(lines: &str) -> Vec<u8> {
    format!("GET / HTTP/1.1\r\n{}\r\n", lines.replace("UA", &format!("User-Agent: {AGENT}"))).into_bytes()
}

/// How a client begins HTTP/2, with a request that is written without indexes.
fn http2() -> Vec<u8> {
    let agent = [":method GET", ":scheme http", ":path /", ":authority a.example"].map(str::to_owned);
    let fields = agent.into_iter().chain([format!("user-agent {AGENT}")]);
    let block: Vec<u8> = fields
        .flat_map(|field| {
            let (name, value) = field.split_once(' ').expect("a name and a value");
            let lengths = [name, value].map(|text| u8::try_from(text.len()).expect("a short text"));
            [&[0, lengths[0]], name.as_bytes(), &[lengths[1]], value.as_bytes()].concat()
        })
        .collect();
    let length = u8::try_from(block.len()).expect("a short block");
    [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
        &[0, 0, 0, 4, 0, 0, 0, 0, 0],
        &[0, 0, length, 1, 5, 0, 0, 0, 1],
        &block,
    ]
    .concat()
}

/// A request behind a SYN of Windows, whose `User-Agent` names Linux.
fn capture(head: &[u8]) -> Vec<u8> {
    let ip = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).ttl(128).dont_fragment(true).identification(7);
    let options = [
        TcpOption::Mss(1_460),
        TcpOption::Nop,
        TcpOption::WindowScale(8),
        TcpOption::Nop,
        TcpOption::Nop,
        TcpOption::SackPermitted,
    ];
    let syn = Tcp::new(40_000, 80).sequence(100).flags(flags::SYN).window(64_240).options(options);
    let data = Tcp::new(40_000, 80).sequence(101).flags(flags::ACK | flags::PSH).payload(head);
    let frames = [syn, data].map(|segment| ethernet(&ip.tcp(&segment)));
    container::pcap(Pcap::Nanos, Endian::Little, &Capture::of_frames(link_type::ETHERNET, frames))
}

fn client(settings: Settings) -> HttpClient {
    client_with(settings, &http1("Host: a.example\r\nUA\r\n"))
}

fn client_with(settings: Settings, head: &[u8]) -> HttpClient {
    let file = CaptureFile::from_bytes(capture(head)).expect("a capture");
    let request = |event| match event {
        Ok(Event::HttpRequest(client)) => Some(client),
        _ => None,
    };
    HuginnNet::with_settings(settings).analyze(file).find_map(request).expect("a request")
}

#[test]
fn what_a_request_says_of_its_system_is_checked_only_where_requests_are_judged() {
    let judged = client(Settings::default());
    assert_eq!((judged.os_check, judged.assessment.is_some()), (OsCheck::Conflict, true));
    assert!(judged.flags().any(|flag| flag == "os_contradiction"));
    for settings in
        [Settings::default().with_match_http_clients(false), Settings::default().with_database(None)]
    {
        let seen = client(settings);
        assert_eq!((seen.os_check, seen.assessment.is_none()), (OsCheck::Unknown, true));
        assert_eq!((seen.app, seen.seen.user_agent().is_some()), (None, true));
    }
}

#[test]
fn what_a_proxy_passes_on_is_not_compared_with_the_syn_of_the_proxy() {
    let check = |head: &[u8]| client_with(Settings::default(), head).os_check;
    for lines in [
        "Host: a.example\r\nUA\r\nX-Forwarded-For: 10.0.0.9\r\n",
        // What nginx sets stands before what the client sent.
        "Host: a.example\r\nConnection: close\r\nUA\r\nAccept: */*\r\n",
    ] {
        assert_eq!(check(&http1(lines)), OsCheck::Unknown, "{lines}");
    }
    let own = "Host: a.example\r\nUA\r\nConnection: close\r\n";
    assert_eq!(check(&http1(own)), OsCheck::Conflict);
    // No browser asks so in the clear.
    assert_eq!(check(&http2()), OsCheck::Unknown);
}
