//! What the facade says of recorded TLS clients.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use huginn_net::{CaptureFile, Event, Events, HuginnNet};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::encap::link::{ethernet, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp};

/// In `programs-by-name.pcap`: who sent each hello, and in which version. Those of Python's urllib are of 3.11.2, 3.8.18, 3.10.13,
/// 3.12.1 and 3.13.0, in this order.
const BY_NAME: &[(&str, &str)] = &[
    ("curl", "7.88.1 with OpenSSL 3.0.19"),
    ("curl", "7.88.1 with OpenSSL 3.0.19"),
    ("ELinks", "0.13.2 with GnuTLS"),
    ("Axel", "2.17.11 with OpenSSL"),
    ("Python", "requests 2.28.1"),
    ("Python", "httpx 0.23.3"),
    ("Python", "aiohttp 3.8.4"),
    ("Python", "3.11.2 urllib"),
    ("Python", "3.7 to 3.9 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Perl", "IO-Socket-SSL 2.081"),
    ("Perl", "HTTP-Tiny 0.080"),
    ("Ruby", "3.1.2 net/http"),
    ("PHP", "8.2 streams"),
    ("Node.js", "20.20.2"),
    ("Node.js", "20.20.2"),
    ("mosquitto_pub", "2.0.11 with OpenSSL"),
    ("LFTP", "4.9.2 with GnuTLS"),
];

/// In `programs-by-address.pcap`, for a server that is named by its address. Those of Python's urllib are of 3.11.2, 2.7.18, 3.6.15,
/// 3.8.18, 3.10.13, 3.12.1 and 3.13.0, in this order.
const BY_ADDRESS: &[(&str, &str)] = &[
    ("curl", "7.88.1 with OpenSSL 3.0.19"),
    ("curl", "7.88.1 with OpenSSL 3.0.19"),
    ("curl", "7.88.1 with OpenSSL 3.0.19"),
    ("Links", "2.28 with OpenSSL"),
    ("ELinks", "0.13.2 with GnuTLS"),
    ("aria2", "1.36.0 with GnuTLS"),
    ("HTTPie", ""),
    ("Python", "requests 2.28.1"),
    ("Python", "httpx 0.23.3"),
    ("Python", "aiohttp 3.8.4"),
    ("Python", "3.11.2 urllib"),
    ("Python", "2.7.18 ssl with OpenSSL 3.0.19"),
    ("Python", "3.6.15 ssl"),
    ("Python", "3.7 to 3.9 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Python", "3.10 to 3.13 urllib"),
    ("Perl", "IO-Socket-SSL 2.081"),
    ("Node.js", "20.20.2"),
    ("Node.js", "20.20.2"),
    ("Node.js", "20.20.2"),
    ("OpenJDK", "17.0.15"),
    ("OpenJDK", "17.0.15"),
    ("nghttp", "1.52.0 with OpenSSL 3.0.19"),
    ("h2load", "1.52.0"),
];

/// In `programs-of-services.pcap`: programs that speak something else than HTTP, over TCP, QUIC and DTLS, and scanners.
const OF_SERVICES: &[(&str, &str)] = &[
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("gnutls-cli", "3.7.9"),
    ("Swaks", "20201014.0"),
    ("psql", "15.18"),
    ("ldapsearch", "2.5.13 with GnuTLS"),
    ("redis-cli", "7.0.15"),
    ("kdig", "3.2.6 with GnuTLS"),
    ("kdig", "3.2.6 with GnuTLS"),
    ("Nmap", "7.93 -sV"),
    ("Nmap", "7.93 -sV"),
    ("Nmap", "7.93 -sV"),
    ("kdig", "3.2.6 with GnuTLS"),
    ("Firefox", "ESR 153.7.0"),
    ("MariaDB", "10.11.19 client"),
];

/// In `programs-of-libraries.pcap`: what sent each hello, by the library that it is built on.
const OF_LIBRARIES: &[(&str, &str)] = &[
    ("pandoc", "2.17.1.1"),
    ("Mono", "6.8.0"),
    ("Erlang", "httpc on OTP 25"),
    ("Perl", "Mojolicious 9.31"),
    ("Ruby", "Excon 0.88.0"),
    ("Ruby", "HTTPClient 2.8.3"),
    ("wrk", "4.1.0 with OpenSSL"),
    ("HTTrack", "3.49.4 with OpenSSL"),
    ("Subversion", "1.14.2 with OpenSSL"),
    ("cadaver", "0.24 with GnuTLS"),
    ("GStreamer", "1.22.0 with GnuTLS"),
    ("tnftp", "20210827 with OpenSSL"),
    ("Niquests", "3.21.2"),
    ("wreq", "0.13.0"),
    ("curl", "libcurl 8.23.0 with OpenSSL 3.6.5 in PycURL 7.49.0"),
    ("AWS CRT", "0.38.1 with s2n"),
    ("Mbed TLS", "2.28.3"),
    ("BearSSL", "0.6"),
    ("wolfSSL", "5.5.4"),
    ("wolfSSL", "5.5.4 with TLS 1.2"),
    ("wolfSSL", "5.5.4 with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.2"),
    ("gRPC", "1.85.1 core of C++, Python, Ruby, PHP or C#"),
    ("Mbed TLS", "2.28 in python-mbedtls 2.10.1"),
    ("OpenConnect", "9.01 with GnuTLS"),
    ("FreeRDP", "2.11.7 with OpenSSL"),
    ("msmtp", "1.8.23 with GnuTLS"),
    ("Guile", "3.0 with GnuTLS 3.7.9"),
    ("Tcl", "tls 1.7.22 with OpenSSL"),
    ("Go", "1.13 to 1.20"),
    ("Go", "1.13 to 1.20"),
    ("cadaver", "0.24 with GnuTLS"),
    ("reqwest", "in uv 0.13.9 with rustls"),
    ("Niquests", "3.21.2"),
    ("primp", "2.0.1 with rustls"),
    ("wreq", "0.13.0"),
    ("curl", "libcurl 8.23.0 with OpenSSL 3.6.5 in PycURL 7.49.0"),
    ("Mbed TLS", "2.28.3"),
    ("BearSSL", "0.6"),
    ("wolfSSL", "5.5.4"),
    ("wolfSSL", "5.5.4 with TLS 1.2"),
    ("wolfSSL", "5.5.4 with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.2"),
    ("gRPC", "1.85.1 core of C++, Python, Ruby, PHP or C#"),
    ("OpenConnect", "9.01 with GnuTLS"),
    ("Mbed TLS", "2.28.3 with DTLS"),
    ("wolfSSL", "5.5.4 with DTLS"),
    ("Pion DTLS", "3.1.15"),
    ("Pion DTLS", "3.1.15 with SRTP"),
    ("Niquests", "3.21.2 with QUIC"),
    ("Mbed TLS", "2.28.3 with DTLS"),
    ("wolfSSL", "5.5.4 with DTLS"),
    ("Pion DTLS", "3.1.15"),
    ("quic-go", "with Go 1.25 or newer"),
    ("Conscrypt", ""),
    ("Conscrypt", ""),
    ("Bouncy Castle", "1.78.1"),
    ("Bouncy Castle", "1.78.1"),
    ("Netty", "tcnative 2.0.65"),
    ("Conscrypt", ""),
    ("Conscrypt", ""),
    ("Bouncy Castle", "1.78.1"),
    ("Bouncy Castle", "1.78.1"),
    ("Netty", "tcnative 2.0.65"),
];

/// In `programs-of-settings.pcap`: libraries with other settings than their own, each for a name and for an address; with a session
/// cache, a second time with the session resumed. Those of Python are of smtplib and imaplib.
const OF_SETTINGS: &[(&str, &str)] = &[
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("OpenSSL", "3.0.19 s_client"),
    ("Python", "3.11.2 ssl with OpenSSL 3.0.19"),
    ("Python", "3.11.2 ssl with OpenSSL 3.0.19"),
    ("Python", "3.7 to 3.9 ssl"),
    ("Python", "3.7 to 3.9 ssl"),
    ("Python", "3.10 to 3.13 ssl"),
    ("Python", "3.10 to 3.13 ssl"),
    ("Python", "3.6.15 ssl"),
    ("Python", "2.7.18 ssl with OpenSSL 3.0.19"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with a session cache"),
    ("Go", "1.25 or newer with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("Go", "1.25 or newer with TLS 1.3 and a session cache"),
    ("NSS", "3.87.1 tstclnt"),
    ("NSS", "3.87.1 tstclnt"),
    ("NSS", "3.87.1 tstclnt"),
    ("NSS", "3.87.1 tstclnt"),
    ("NSS", "3.87.1 tstclnt"),
    ("NSS", "3.87.1 tstclnt"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("aioquic", "1.7.2"),
    ("Pion DTLS", "3.1.15"),
    ("Pion DTLS", "3.1.15"),
];

/// JA4 and label of each hello of a capture in `pcaps/tls`.
fn clients_of(capture: &str) -> Vec<(String, String)> {
    let events = HuginnNet::new().analyze_pcap(corpus::path("tls").join(capture)).expect("a capture");
    events
        .filter_map(|event| match event.expect("a readable capture") {
            Event::TlsClientHello(client) => Some(client),
            _ => None,
        })
        .map(|client| {
            let label = client.known.map_or_else(String::new, |found| found.label.to_string());
            (client.seen.hello.ja4().to_string(), label)
        })
        .collect()
}

/// A server that is named by its address gets no `server_name` (RFC 6066 §3), which makes it another hello.
#[test]
fn names_clients_that_ask_for_an_address() {
    let expected = [
        ("t13i1311h2_f57a46bbacb6_ab7e3b40a677", "Go 1.25 or newer"),
        ("t13i131000_f57a46bbacb6_ab7e3b40a677", "Go 1.25 or newer"),
        ("t13i291200_723694b0fccc_899037bd0b8c", "Wget 1.21.3 with GnuTLS 3.7.9"),
        (
            "t13i311000_e8f1e7e78f70_d41ae481755e",
            "Python 3.7 to 3.9 ssl, 3.11.2 ssl with OpenSSL 3.0.19 or aiohttp 3.8.4, Links 2.28 with OpenSSL, Swaks 20201014.0, \
             MariaDB 10.11.19 client, OpenSSL 3.0.19 s_client, or another program with OpenSSL",
        ),
        (
            "t13i2911h2_723694b0fccc_288f874c93d6",
            "git 2.39.5 with libcurl-gnutls 7.88.1 or another program with libcurl",
        ),
    ];
    let expected = expected.map(|(ja4, label)| (ja4.to_owned(), label.to_owned()));
    assert_eq!(clients_of("by-address.pcap"), expected);
}

#[test]
fn who_sent_a_hello_is_among_those_who_are_named() {
    for (capture, senders) in [
        ("programs-by-name.pcap", BY_NAME),
        ("programs-by-address.pcap", BY_ADDRESS),
        ("programs-of-services.pcap", OF_SERVICES),
        ("programs-of-libraries.pcap", OF_LIBRARIES),
        ("programs-of-settings.pcap", OF_SETTINGS),
    ] {
        let clients = clients_of(capture);
        assert_eq!(clients.len(), senders.len(), "{capture}");
        for ((ja4, label), (name, version)) in clients.iter().zip(senders) {
            assert!(
                label.contains(name) && label.contains(version),
                "{name} {version} sent {ja4}: {label:?}"
            );
        }
    }
}

/// What differs from a known hello in the ticket only has its JA4_s1, and was named by that before it was recorded itself:
/// as curl, as another version of Python, and as Python where it was PHP.
#[test]
fn a_hello_that_was_recorded_is_not_named_by_one_that_resembles_it() {
    let label = |capture: &str, ja4: &str| {
        let found = clients_of(capture).into_iter().find(|(seen, _)| seen == ja4);
        found.expect("a hello of the capture").1
    };
    for (ja4, expected) in [
        ("t13d3113h1_e8f1e7e78f70_d339722ba4af", "Python 3.11.2 urllib or another program with OpenSSL"),
        ("t13d1813h1_85036bcba153_d339722ba4af", "Python 3.10 to 3.13 urllib"),
        (
            "t13d311200_e8f1e7e78f70_d339722ba4af",
            "Python 3.7 to 3.9 urllib, Ruby 3.1.2 net/http or another program with OpenSSL",
        ),
    ] {
        assert_eq!(label("programs-by-name.pcap", ja4), expected);
    }
    assert_eq!(
        label("programs-by-address.pcap", "t13i311100_e8f1e7e78f70_d339722ba4af"),
        "Python 3.7 to 3.9 urllib or another program with OpenSSL"
    );
}

/// How clients started HTTP/2 that sent no request of it, and who does.
fn starts(events: Events<Event>) -> Vec<(String, Option<String>)> {
    events
        .filter_map(|event| match event.expect("a readable capture") {
            Event::HttpStart(start) => {
                Some((start.seen.fingerprint.akamai().to_string(), start.app.map(|app| app.to_string())))
            }
            _ => None,
        })
        .collect()
}

/// Behind an upgrade nghttp sends its priorities, with that of the request it began with.
#[test]
fn names_a_client_that_a_server_let_upgrade() {
    let capture = corpus::path("http2/nghttp-upgrade.pcap");
    let akamai = "3:100;4:65535|00|3:0:0:201,5:0:0:101,7:0:0:1,9:0:7:1,11:0:3:1,1:0:11:16|";
    let expected = (akamai.to_owned(), Some("nghttp that upgrades HTTP/1.1".to_owned()));
    assert_eq!(starts(HuginnNet::new().analyze_pcap(capture).expect("a capture")), [expected]);
}

/// curl sends the same behind an upgrade, but here nobody upgraded: the segment with its request was lost.
#[test]
fn a_start_of_http2_without_its_request_is_nobodys() {
    let begin = [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
        &[0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100, 0, 4, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0],
        &[0, 0, 4, 8, 0, 0, 0, 0, 0, 1, 0xff, 0, 1],
    ]
    .concat();
    let datagram =
        Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(40_000, 80).flags(0x18).payload(&begin));
    let capture = Capture::of_frames(link_type::ETHERNET, [ethernet(&datagram)]);
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    assert_eq!(starts(events), [("3:100;4:33554432;2:0|33488897|0|".to_owned(), None)]);
}
