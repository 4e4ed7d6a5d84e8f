//! What there is to find in a generated trace is found.

#![cfg(test)]

use std::collections::HashSet;

use huginn_net::{CaptureFile, Event, HttpSettings, HuginnNet, Settings};
use testkit::trace::{Events, Kind, Trace};

/// What is reported of a trace, as the trace says it.
fn found(file: Vec<u8>, said: &Events) -> Events {
    let mut found = Events { units: said.units, ..Events::default() };
    let mut settings = Settings::default();
    // As many as a connection of a trace has, which is more than are looked at by default.
    settings.http = Some(HttpSettings::default().with_max_exchanges(6));
    let mut events =
        HuginnNet::with_settings(settings).analyze(CaptureFile::from_bytes(file).expect("a capture"));
    for event in events.by_ref() {
        *(match event.expect("a readable capture") {
            Event::TcpSyn(_) => &mut found.syns,
            Event::TcpSynAck(_) => &mut found.syn_acks,
            Event::TcpUptime(_) => &mut found.clocks,
            Event::TlsClientHello(_) => &mut found.client_hellos,
            Event::TlsServerHello(_) => &mut found.server_hellos,
            Event::HttpRequest(_) => &mut found.http_requests,
            Event::HttpResponse(_) => &mut found.http_responses,
            other => panic!("{other:?}"),
        }) += 1;
    }
    let stats = events.stats();
    found.packets = stats.decode.decoded;
    found.bytes = stats.source.bytes;
    // A connection that has reached the last exchange is counted, whether more would follow or not.
    let limits = stats.analysis.limits_hit.iter().filter(|(limit, _)| *limit != "http_exchanges");
    assert_eq!(limits.count(), 0);
    assert_eq!(stats.analysis.malformed, []);
    found
}

fn trace(kind: Kind, size: u64) -> (Vec<u8>, Events) {
    let mut file = Vec::new();
    let events = Trace::new(kind, 1, size).write_pcap(&mut file).expect("memory");
    (file, events)
}

#[test]
fn every_event_of_a_trace_is_reported_and_no_other() {
    for kind in Kind::ALL {
        let (file, said) = trace(kind, 3_000_000);
        assert_eq!(found(file, &said), said, "{}", kind.name());
    }
}

#[test]
fn each_kind_has_the_events_that_it_is_for() {
    let of = |kind| trace(kind, 3_000_000).1;
    let hellos = of(Kind::Hellos);
    assert_eq!(hellos.client_hellos, hellos.units);
    let in_two = hellos.packets - hellos.units;
    assert!(
        (28..39).contains(&(100 * in_two / hellos.units)),
        "{in_two} of {} in two segments",
        hellos.units
    );
    let handshakes = of(Kind::Handshakes);
    let each = [handshakes.syns, handshakes.syn_acks, handshakes.client_hellos, handshakes.server_hellos];
    assert_eq!(each, [handshakes.units; 4]);
    let syns = of(Kind::Syns);
    assert_eq!([syns.syns, syns.syn_acks, syns.packets], [syns.units, syns.units, 2 * syns.units]);
    let http = of(Kind::Http);
    assert_eq!(
        [http.syns, http.http_requests, http.http_responses],
        [1, 6, 6].map(|count| count * http.units)
    );
    let bulk = of(Kind::Bulk);
    assert_eq!([bulk.syns, bulk.clocks], [1, 2].map(|count| count * bulk.units));
    let quic = of(Kind::Quic);
    assert_eq!([quic.client_hellos, quic.server_hellos], [quic.units; 2]);
    let mixed = of(Kind::Mixed);
    assert!(mixed.syns > mixed.client_hellos && mixed.client_hellos == mixed.server_hellos);
    assert!(mixed.server_hellos > 0 && mixed.http_requests > 0 && mixed.clocks == 0);
}

#[test]
fn no_two_units_share_a_client() {
    let (file, said) = trace(Kind::Syns, 3_000_000);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    let clients: HashSet<_> = events
        .filter_map(|event| match event.expect("a readable capture") {
            Event::TcpSyn(syn) => Some(syn.origin.source.ip()),
            _ => None,
        })
        .collect();
    assert_eq!(clients.len() as u64, said.units);
}
