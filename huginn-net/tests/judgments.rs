//! What the facade says of requests, and where it is asked not to.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use huginn_net::db::OsCheck;
use huginn_net::{CaptureFile, Event, HttpClient, HuginnNet, Settings};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::encap::link::{ethernet, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};

/// A request behind a SYN of Windows, whose `User-Agent` names Linux.
fn capture() -> Vec<u8> {
    let ip = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).ttl(128).dont_fragment(true).identification(7);
    let options = [
        TcpOption::Mss(1_460),
        TcpOption::Nop,
        TcpOption::WindowScale(8),
        TcpOption::Nop,
        TcpOption::Nop,
        TcpOption::SackPermitted,
    ];
    let head = "GET / HTTP/1.1\r\nHost: a.example\r\n\
                User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0\r\n\r\n";
    let syn = Tcp::new(40_000, 80).sequence(100).flags(flags::SYN).window(64_240).options(options);
    let data = Tcp::new(40_000, 80).sequence(101).flags(flags::ACK | flags::PSH).payload(head.as_bytes());
    let frames = [syn, data].map(|segment| ethernet(&ip.tcp(&segment)));
    container::pcap(Pcap::Nanos, Endian::Little, &Capture::of_frames(link_type::ETHERNET, frames))
}

fn client(settings: Settings) -> HttpClient {
    let file = CaptureFile::from_bytes(capture()).expect("a capture");
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
