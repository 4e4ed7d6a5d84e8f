//! What the facade says of recorded TLS clients.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use huginn_net::{Event, HuginnNet};
use testkit::corpus;

/// A server that is named by its address gets no `server_name` (RFC 6066 §3), which makes it another hello.
#[test]
fn names_clients_that_ask_for_an_address() {
    let events = HuginnNet::new().analyze_pcap(corpus::path("tls/by-address.pcap")).expect("a capture");
    let clients: Vec<_> = events
        .filter_map(|event| match event.expect("a readable capture") {
            Event::TlsClientHello(client) => Some(client),
            _ => None,
        })
        .map(|client| {
            let label = client.known.map_or_else(String::new, |found| found.label.to_string());
            (client.seen.hello.ja4().to_string(), label)
        })
        .collect();
    let expected = [
        ("t13i1311h2_f57a46bbacb6_ab7e3b40a677", "Go 1.26.8 net/http or crypto/tls"),
        ("t13i131000_f57a46bbacb6_ab7e3b40a677", "Go 1.26.8 net/http or crypto/tls"),
        ("t13i291200_723694b0fccc_899037bd0b8c", "Wget 1.21.3 with GnuTLS 3.7.9"),
        ("t13i311000_e8f1e7e78f70_d41ae481755e", "Python 3.11.2 ssl with OpenSSL 3.0.19"),
        ("t13i2911h2_723694b0fccc_288f874c93d6", "git 2.39.5 with libcurl-gnutls 7.88.1"),
    ];
    assert_eq!(clients, expected.map(|(ja4, label)| (ja4.to_owned(), label.to_owned())));
}
