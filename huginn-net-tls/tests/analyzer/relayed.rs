//! DTLS in other datagrams: what a TURN server relays, and CAPWAP.

use huginn_net_tls::{TlsSettings, ViaKind, ViaTarget};
use testkit::capture::Capture;
use testkit::packet::{IpHeader, Ipv4, Udp};

use crate::datagrams::{dtls, from_client};
use crate::watch::{MILLISECOND, Watch, watch};

/// ChannelData.
pub(crate) fn in_channel(number: u8, payload: &[u8]) -> Vec<u8> {
    let len = u16::try_from(payload.len()).unwrap().to_be_bytes();
    [&[0x40, number], &len[..], payload].concat()
}

/// A Send indication to 10.0.0.3 and a port.
pub(crate) fn sent_to(port: u16, payload: &[u8]) -> Vec<u8> {
    let attribute = |kind: u8, value: &[u8]| {
        let padding = vec![0; value.len().next_multiple_of(4) - value.len()];
        let len = u16::try_from(value.len()).unwrap().to_be_bytes();
        [&[0, kind], &len[..], value, &padding].concat()
    };
    let peer = [&[0, 1], &(port ^ 0x2112).to_be_bytes()[..], &[10 ^ 0x21, 0x12, 0xa4, 3 ^ 0x42]].concat();
    let attributes = [attribute(0x12, &peer), attribute(0x13, payload)].concat();
    let len = u16::try_from(attributes.len()).unwrap().to_be_bytes();
    [&[0, 0x16], &len[..], b"\x21\x12\xa4\x42twelve bytes", &attributes].concat()
}

/// A packet of encrypted CAPWAP.
pub(crate) fn in_capwap(payload: &[u8]) -> Vec<u8> {
    [&[1, 0, 0, 0], payload].concat()
}

/// Payloads of UDP over IPv4 without options, over Ethernet, each with the port it is sent from.
pub(crate) fn payloads(capture: &Capture) -> impl Iterator<Item = (&[u8], &[u8])> {
    capture.records.iter().map(|record| (&record.bytes[42..], &record.bytes[34..36]))
}

#[test]
fn dtls_in_other_datagrams_is_found_and_told_as_it_is_elsewhere() {
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let wraps: [(Wrap, ViaKind); 3] = [
        (|payload| in_channel(7, payload), ViaKind::Turn),
        (|payload| sent_to(443, payload), ViaKind::Turn),
        (in_capwap, ViaKind::Capwap),
    ];
    for (name, capture) in dtls() {
        for (wrap, kind) in wraps {
            let mut relayed = Watch::new(TlsSettings::default());
            let (_, client_port) = payloads(&capture).next().unwrap();
            for ((payload, port), at) in payloads(&capture).zip((0..).step_by(1_000_000)) {
                let wrapped = wrap(payload);
                let ends = ([10, 0, 0, 1], [10, 0, 0, 2]);
                let ((source, destination), ports) = if port == client_port {
                    (ends, (50_000, 3478))
                } else {
                    ((ends.1, ends.0), (3478, 50_000))
                };
                let datagram = Ipv4::new(source, destination).udp(&Udp::new(ports.0, ports.1, &wrapped));
                relayed.datagram(&datagram, at);
            }
            let direct = watch(&capture);
            assert_eq!(relayed.ja4(), direct.ja4(), "{name}");
            assert_eq!(relayed.server_hellos().len(), direct.server_hellos().len(), "{name}");
            let kinds: Vec<_> = relayed.hellos().iter().map(|seen| seen.via.as_ref().unwrap().kind).collect();
            assert_eq!(kinds, [kind; 2], "{name}");
            assert_eq!(relayed.stats().malformed, [], "{name}");
        }
    }
}

#[test]
fn what_only_looks_like_encrypted_capwap_is_passed_over() {
    let (_, capture) = dtls().into_iter().next().unwrap();
    let (hello, _) = payloads(&capture).next().unwrap();
    for header in [[0, 0, 0, 0], [0x11, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0]] {
        let mut watch = Watch::new(TlsSettings::default());
        watch.datagram(&from_client(&[&header, hello].concat()), 0);
        assert!(watch.hellos().is_empty() && watch.stats().malformed.is_empty(), "{header:?}");
    }
}

/// An allocation may serve several peers ([RFC 8656 §2](https://www.rfc-editor.org/rfc/rfc8656#section-2)).
#[test]
fn fragments_for_several_peers_of_one_client_are_kept_apart_and_each_hello_is_told_once() {
    const RANDOM_AT: usize = 13 + 12 + 2;

    let (_, capture) = dtls().into_iter().find(|(name, _)| name.ends_with("frag")).unwrap();
    let fragments: Vec<_> = payloads(&capture).take(2).map(|(payload, _)| payload.to_vec()).collect();
    let of_peer = |peer: u8, fragment: usize| {
        let mut fragment = fragments[fragment].clone();
        if fragment[18..22] == [0; 4] {
            fragment[RANDOM_AT] = peer;
        }
        fragment
    };
    let mut watch = Watch::new(TlsSettings::default());
    for (round, fragment) in [(0, 0), (1, 1), (2, 0), (3, 1)] {
        for peer in 1..=5 {
            let payload = of_peer(peer, fragment);
            let relayed = if peer < 4 {
                in_channel(peer, &payload)
            } else {
                sent_to(5_000 + u16::from(peer), &payload)
            };
            watch.datagram(&from_client(&relayed), round * MILLISECOND);
        }
    }
    let randoms: Vec<_> = watch.hellos().iter().map(|seen| seen.hello.parsed().random()[0]).collect();
    assert_eq!(randoms, [1, 2, 3, 4, 5]);
    assert!(watch.hellos().iter().all(|seen| seen.packets == 2));
    let to = |index: usize| watch.hellos()[index].via.as_ref().unwrap().destination.clone();
    assert_eq!(to(2), None);
    assert_eq!(to(4), Some(ViaTarget::Address("10.0.0.3:5005".parse().unwrap())));
}
