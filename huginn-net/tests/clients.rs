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
    ("curl", "with OpenSSL"),
    ("curl", "with OpenSSL"),
    ("ELinks", "with GnuTLS"),
    ("Axel", "with OpenSSL"),
    ("Python", "requests"),
    ("Python", "httpx"),
    ("Python", "aiohttp"),
    ("Python", "urllib with the cipher suites of OpenSSL"),
    ("Python", "3.7 to 3.9 urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Perl", "IO-Socket-SSL"),
    ("Perl", "HTTP-Tiny"),
    ("Ruby", "net/http"),
    ("PHP", "streams"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("mosquitto_pub", "with OpenSSL"),
    ("LFTP", "with GnuTLS"),
];

/// In `programs-by-address.pcap`, for a server that is named by its address. Those of Python's urllib are of 3.11.2, 2.7.18, 3.6.15,
/// 3.8.18, 3.10.13, 3.12.1 and 3.13.0, in this order.
const BY_ADDRESS: &[(&str, &str)] = &[
    ("curl", "with OpenSSL"),
    ("curl", "with OpenSSL"),
    ("curl", "with OpenSSL"),
    ("Links", "with OpenSSL"),
    ("ELinks", "with GnuTLS"),
    ("aria2", "with GnuTLS"),
    ("HTTPie", ""),
    ("Python", "requests"),
    ("Python", "httpx"),
    ("Python", "aiohttp"),
    ("Python", "urllib with the cipher suites of OpenSSL"),
    ("Python", "before 3.7 ssl"),
    ("Python", "before 3.7 ssl"),
    ("Python", "3.7 to 3.9 urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Python", "3.10 or newer urllib"),
    ("Perl", "IO-Socket-SSL"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("OpenJDK", "17 to 23"),
    ("OpenJDK", "17 to 23"),
    ("nghttp", "with OpenSSL before 3.2"),
    ("h2load", "with OpenSSL before 3.2"),
];

/// In `programs-of-services.pcap`: programs that speak something else than HTTP, over TCP, QUIC and DTLS, and scanners.
const OF_SERVICES: &[(&str, &str)] = &[
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("gnutls-cli", ""),
    ("Swaks", ""),
    ("psql", ""),
    ("ldapsearch", "with GnuTLS"),
    ("redis-cli", ""),
    ("kdig", "with GnuTLS"),
    ("kdig", "with GnuTLS"),
    ("Nmap", "-sV"),
    ("Nmap", "-sV"),
    ("Nmap", "-sV"),
    ("kdig", "with GnuTLS"),
    ("Firefox", "after 147"),
    ("MariaDB", "client"),
];

/// In `programs-of-libraries.pcap`: what sent each hello, by the library that it is built on.
const OF_LIBRARIES: &[(&str, &str)] = &[
    ("pandoc", ""),
    ("Mono", ""),
    ("Erlang", "ssl"),
    ("Perl", "Mojolicious"),
    ("Ruby", "Excon"),
    ("Ruby", "HTTPClient"),
    ("wrk", "with OpenSSL"),
    ("HTTrack", "with OpenSSL"),
    ("Subversion", "with OpenSSL"),
    ("cadaver", "with GnuTLS"),
    ("GStreamer", "with GnuTLS"),
    ("tnftp", "with OpenSSL"),
    ("Niquests", ""),
    ("wreq", ""),
    ("curl", "with OpenSSL 3.5 or newer"),
    ("AWS CRT", "with s2n"),
    ("Mbed TLS", ""),
    ("BearSSL", ""),
    ("wolfSSL", ""),
    ("wolfSSL", "with TLS 1.2"),
    ("wolfSSL", "with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.2"),
    ("gRPC", "after 1.60.0, core of C++, Python, Ruby, PHP or C#"),
    ("Mbed TLS", "in python-mbedtls"),
    ("OpenConnect", "with GnuTLS"),
    ("FreeRDP", "with OpenSSL"),
    ("msmtp", "with GnuTLS"),
    ("Guile", "with GnuTLS"),
    ("Tcl", "tls with OpenSSL"),
    ("Go", "1.13 to 1.20"),
    ("Go", "1.13 to 1.20"),
    ("cadaver", "with GnuTLS"),
    ("reqwest", "in uv with rustls"),
    ("Niquests", ""),
    ("primp", "with rustls"),
    ("wreq", ""),
    ("curl", "with OpenSSL 3.5 or newer"),
    ("Mbed TLS", ""),
    ("BearSSL", ""),
    ("wolfSSL", ""),
    ("wolfSSL", "with TLS 1.2"),
    ("wolfSSL", "with TLS 1.3"),
    ("Go", "1.25 or newer with TLS 1.2"),
    ("gRPC", "after 1.60.0, core of C++, Python, Ruby, PHP or C#"),
    ("OpenConnect", "with GnuTLS"),
    ("Mbed TLS", "with DTLS"),
    ("wolfSSL", "with DTLS"),
    ("Pion DTLS", ""),
    ("Pion DTLS", "with SRTP"),
    ("Niquests", "with QUIC"),
    ("Mbed TLS", "with DTLS"),
    ("wolfSSL", "with DTLS"),
    ("Pion DTLS", ""),
    ("quic-go", "with Go 1.25 or newer"),
    ("Conscrypt", ""),
    ("Conscrypt", ""),
    ("Bouncy Castle", ""),
    ("Bouncy Castle", ""),
    ("Netty", "tcnative"),
    ("Conscrypt", ""),
    ("Conscrypt", ""),
    ("Bouncy Castle", ""),
    ("Bouncy Castle", ""),
    ("Netty", "tcnative"),
];

/// In `programs-of-settings.pcap`: libraries with other settings than their own, each for a name and for an address; with a session
/// cache, a second time with the session resumed. Those of Python are of smtplib and imaplib.
const OF_SETTINGS: &[(&str, &str)] = &[
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("OpenSSL", "s_client"),
    ("Python", "ssl with the cipher suites of OpenSSL"),
    ("Python", "ssl with the cipher suites of OpenSSL"),
    ("Python", "3.7 to 3.9 ssl"),
    ("Python", "3.7 to 3.9 ssl"),
    ("Python", "3.10 or newer ssl"),
    ("Python", "3.10 or newer ssl"),
    ("Python", "before 3.7 ssl"),
    ("Python", "before 3.7 ssl"),
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
    ("NSS", "tstclnt"),
    ("NSS", "tstclnt"),
    ("NSS", "tstclnt"),
    ("NSS", "tstclnt"),
    ("NSS", "tstclnt"),
    ("NSS", "tstclnt"),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("aioquic", ""),
    ("Pion DTLS", ""),
    ("Pion DTLS", ""),
];

/// In `programs-of-releases.pcap`: other releases than those that were recorded first, and other programs with the same libraries.
const OF_RELEASES: &[(&str, &str)] = &[
    ("Thunderbird", "or another program with Gecko"),
    ("Wget2", "before 2.2.0 with GnuTLS"),
    // gnutls-cli with a priority.
    ("aria2", "or another program with GnuTLS"),
    ("gnutls-cli", "or another program with GnuTLS"),
    ("cargo", "or another program with OpenSSL"),
    ("Erlang", "ssl"),
    ("Erlang", "ssl"),
    ("aioquic", ""),
    ("OpenJDK", "before 17"),
    ("OpenJDK", "before 17"),
    ("OpenJDK", "17 to 23"),
    ("OpenJDK", "17 to 23"),
    ("OpenJDK", "17 to 23"),
    ("OpenJDK", "17 to 23"),
    ("OpenJDK", "after 21"),
    ("OpenJDK", "after 21"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "17 to 24"),
    ("Node.js", "22 or newer"),
    ("Node.js", "22 or newer"),
    ("Node.js", "22 or newer"),
];

/// In `programs-of-openssl.pcap`: pyOpenSSL with OpenSSL 3.2.2, 3.3.2 and 3.4.1, as it is, with ALPN, with TLS 1.3 alone and with
/// TLS 1.2 at most, each for a name and for an address; Node.js 16.15.1, 22.12.0, 23.11.1 and 24.4.1 with TLS 1.3 alone and as it is.
const OF_OPENSSL: &[(&str, &str)] = &[
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL 3.2 to 3.3"),
    ("pyOpenSSL", "with OpenSSL after 3.3 and before 3.5"),
    ("pyOpenSSL", "with OpenSSL after 3.3 and before 3.5"),
    ("pyOpenSSL", "with OpenSSL after 3.3 and before 3.5"),
    ("pyOpenSSL", "with OpenSSL after 3.3 and before 3.5"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.3 and OpenSSL 3.2 to 3.4"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL after 3.3 and before 3.5"),
    ("pyOpenSSL", "with TLS 1.2 at most and OpenSSL after 3.3 and before 3.5"),
    ("Node.js", "12 to 24 with TLS 1.3"),
    ("Node.js", "12 to 16"),
    ("Node.js", "12 to 24 with TLS 1.3"),
    ("Node.js", "17 to 24"),
    ("Node.js", "12 to 24 with TLS 1.3"),
    ("Node.js", "17 to 24"),
    ("Node.js", "12 to 24 with TLS 1.3"),
    ("Node.js", "17 to 24"),
];

/// In `sql-server.pcap`.
const OF_SQL_SERVER: &[(&str, &str)] = &[("FreeTDS", "with GnuTLS"), ("python-tds", "with OpenSSL")];

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
        ("t13i291200_723694b0fccc_899037bd0b8c", "Wget with GnuTLS or another program with GnuTLS"),
        (
            "t13i311000_e8f1e7e78f70_d41ae481755e",
            "Python 3.7 to 3.9 ssl, ssl with the cipher suites of OpenSSL or aiohttp, Links with OpenSSL before 3.2, Swaks, MariaDB client, \
             OpenSSL before 3.2 s_client, or another program with OpenSSL",
        ),
        ("t13i2911h2_723694b0fccc_288f874c93d6", "git with libcurl-gnutls or another program with libcurl"),
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
        ("programs-of-releases.pcap", OF_RELEASES),
        ("programs-of-openssl.pcap", OF_OPENSSL),
        ("sql-server.pcap", OF_SQL_SERVER),
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
        (
            "t13d3113h1_e8f1e7e78f70_d339722ba4af",
            "Python urllib with the cipher suites of OpenSSL or another program with OpenSSL",
        ),
        ("t13d1813h1_85036bcba153_d339722ba4af", "Python 3.10 or newer urllib"),
        (
            "t13d311200_e8f1e7e78f70_d339722ba4af",
            "Python 3.7 to 3.9 urllib, Ruby net/http or another program with OpenSSL",
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

/// curl sends the same behind an upgrade, but here nobody upgraded, and the client ends behind it.
#[test]
fn a_start_of_http2_without_its_request_is_nobodys() {
    let begin = [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
        &[0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100, 0, 4, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0],
        &[0, 0, 4, 8, 0, 0, 0, 0, 0, 1, 0xff, 0, 1],
    ]
    .concat();
    let datagram =
        Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(40_000, 80).flags(0x19).payload(&begin));
    let capture = Capture::of_frames(link_type::ETHERNET, [ethernet(&datagram)]);
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    assert_eq!(starts(events), [("3:100;4:33554432;2:0|33488897|0|".to_owned(), None)]);
}
