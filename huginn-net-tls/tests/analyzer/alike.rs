//! Hellos that are nearly alike: what is remembered of one is told of no other.

use huginn_net_tls::{TlsEvent, TlsSettings};
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::connections::server_hello;
use crate::watch::{MILLISECOND, Watch};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// Which end says something.
#[derive(Clone, Copy, Debug)]
enum End {
    Client,
    Server,
}

/// An analyzer that is told of one connection after the other.
struct Talk {
    watch: Watch,
    connections: u16,
}

impl Talk {
    fn new() -> Self {
        Self { watch: Watch::new(TlsSettings::default()), connections: 0 }
    }

    /// All that is told of a connection of which one end says this, in segments cut at these places.
    fn says(&mut self, end: End, bytes: &[u8], cuts: &[usize]) -> Vec<String> {
        self.connections += 1;
        let port = 1_024 + self.connections % 60_000;
        let mut nanos = u64::from(self.connections) * 10 * MILLISECOND;
        let told_before = self.watch.events.len();
        let mut start = 0;
        for &cut in cuts.iter().chain([&bytes.len()]) {
            let (source, destination, ports) = match end {
                End::Client => (CLIENT, SERVER, [port, 443]),
                End::Server => (SERVER, CLIENT, [443, port]),
            };
            let segment = Tcp::new(ports[0], ports[1]).sequence(1 + start as u32).acknowledgment(1);
            let segment = segment.flags(flags::ACK).payload(&bytes[start..cut]);
            nanos += MILLISECOND;
            self.watch.datagram(&Ipv4::new(source, destination).tcp(&segment), nanos);
            start = cut;
        }
        // What was begun must not count for its source any longer.
        let reset = Tcp::new(port, 443).sequence(1).flags(flags::RST);
        self.watch.datagram(&Ipv4::new(CLIENT, SERVER).tcp(&reset), nanos + MILLISECOND);
        self.watch.events.drain(told_before..).map(|event| told(&event)).collect()
    }
}

/// All that is told but where and when.
fn told(event: &TlsEvent) -> String {
    match event {
        TlsEvent::ClientHello(seen) => {
            let hello = seen.hello.parsed();
            format!(
                "{} {:?} {:?} {} {} {} {:?}",
                seen.hello.ja4(),
                hello.message(),
                hello.flaws(),
                seen.packets,
                seen.hello_index,
                seen.after_hrr,
                seen.via
            )
        }
        TlsEvent::ServerHello(seen) => format!(
            "{} {} {} {} {}",
            seen.ja3s, seen.ja3s_full, seen.version, seen.cipher_suite, seen.after_hrr
        ),
        other => format!("{other:?}"),
    }
}

/// Hellos with what fingerprints, caches and cuts are sensitive to: names, GREASE, several key shares, a ticket, ECH.
fn hellos() -> Vec<(End, Vec<u8>)> {
    let clients = ["hand-base-tls13", "hand-grease-everywhere"].map(|name| {
        (End::Client, std::fs::read(testkit::corpus::path(&format!("tls/hello/{name}.bin"))).unwrap())
    });
    let servers = ["dec-tls13-TLS_AES_128_GCM_SHA256-0", "openssl-3.0.19-tls1_1-0"]
        .map(|name| (End::Server, server_hello(name)));
    clients.into_iter().chain(servers).collect()
}

#[test]
fn a_hello_that_differs_in_one_bit_from_one_that_was_seen_is_told_as_if_it_were_the_first() {
    let mut one = Talk::new();
    let mut events = 0;
    for (end, original) in hellos() {
        let of_original = Talk::new().says(end, &original, &[]);
        for at in 0..original.len() {
            let mut changed = original.clone();
            changed[at] ^= 1 << (at % 8);
            let cut = [at.clamp(10, original.len() - 1)];
            for cuts in [&[][..], &cut] {
                let expected = Talk::new().says(end, &changed, cuts);
                events += expected.len();
                for _ in 0..2 {
                    assert_eq!(one.says(end, &original, &[]), of_original, "{end:?} {at}");
                    assert_eq!(one.says(end, &changed, cuts), expected, "{end:?} {at} {cuts:?}");
                }
            }
        }
    }
    assert!(events > 1_000, "{events}");
}
