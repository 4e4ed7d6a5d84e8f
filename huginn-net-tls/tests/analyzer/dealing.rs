//! Copies of the analyzer side by side, and the driver.

use huginn_net_core::{Affinity, Analyzer, Decoder, FlowKey, Frame, LinkType, Packet, Timestamp};
use huginn_net_tls::{HuginnNetTls, TlsAnalyzer, TlsEvent, TlsSettings};
use testkit::capture::{Capture, Record};
use testkit::corpus;

use crate::captures::{hello_captures, open, table};
use crate::watch::watch;

/// One capture of all Ethernet captures, a second apart, interleaved by time within.
fn everything() -> Capture {
    let quic = table("tls/quic.json", "vectors");
    let quic = quic.iter().map(|entry| format!("quic-pcap/{}.pcap", entry["name"].as_str().unwrap()));
    let mut records: Vec<Record> = Vec::new();
    for (index, name) in hello_captures().into_keys().chain(quic).enumerate() {
        let capture = open(&name);
        assert_eq!(capture.link_type, 1);
        let start = capture.records[0].ts_nanos;
        for mut record in capture.records {
            // Ten captures overlap. The hand-made ones share their ports: they begin later than those are forgotten.
            record.ts_nanos =
                1_700_000_000_000_000_000 + (record.ts_nanos - start) / 10 + index as u64 * 40_000_000_000;
            records.push(record);
        }
    }
    records.sort_by_key(|record| record.ts_nanos);
    Capture { link_type: 1, records }
}

/// What an event says, in a form that sorts.
fn line(event: &TlsEvent) -> String {
    format!("{event:?}")
}

#[test]
fn copies_that_share_flows_by_their_key_report_what_one_does() {
    let capture = everything();
    let mut expected: Vec<_> = watch(&capture).events.iter().map(line).collect();
    expected.sort();
    assert!(expected.len() > 350, "{}", expected.len());
    for copies in [2, 8] {
        let mut analyzers: Vec<_> = (0..copies).map(|_| TlsAnalyzer::new(TlsSettings::default())).collect();
        let (mut decoder, mut events, mut ticked) = (Decoder::default(), Vec::new(), Timestamp::default());
        let (mut unsent, mut due) = (0, None);
        for (record, number) in capture.records.iter().zip(1..) {
            let captured_at = Timestamp::from_nanos(record.ts_nanos);
            let frame = Frame { captured_at, number, ..Frame::new(&record.bytes, LinkType::ETHERNET) };
            if let Some(due) = due.take() {
                // In every copy at the same place behind a packet, as the driver does.
                analyzers.iter_mut().for_each(|analyzer| analyzer.on_time(due, &mut drop));
            }
            if captured_at.since(ticked).as_secs() >= 1 {
                ticked = captured_at;
                due = Some(captured_at);
            }
            let Ok(packet) = decoder.decode(&frame) else { continue };
            let Some((key, direction)) = FlowKey::of(&packet) else { continue };
            let copy = usize::from(key.source(direction).port() ^ key.destination(direction).port());
            let analyzer = &mut analyzers[copy % copies];
            match analyzer.affinity(&packet) {
                None => continue,
                Some(Affinity::HeldFlow) if !holds(analyzer, &packet) => {
                    unsent += 1;
                    continue;
                }
                Some(affinity) => assert!(matches!(affinity, Affinity::Flow | Affinity::HeldFlow)),
            }
            analyzer.on_packet(&packet, &mut |event| events.push(line(&event)));
        }
        events.sort();
        assert_eq!(events, expected, "{copies} copies");
        assert!(unsent > 100, "{unsent}");
    }
}

/// Whether an analyzer may hold the flow of a packet.
fn holds(analyzer: &TlsAnalyzer, packet: &Packet<'_>) -> bool {
    let (flow, _) = packet.flow().unwrap();
    analyzer.held().unwrap().may_hold(flow)
}

#[test]
fn the_driver_takes_a_file_to_its_events() -> Result<(), Box<dyn std::error::Error>> {
    let path = corpus::path("tls/pcap/chromium-156.0.8078.79.pcap");
    let mut fingerprints = Vec::new();
    for event in HuginnNetTls::new().analyze_pcap(&path)? {
        if let Some(seen) = event?.client_hello() {
            fingerprints.push(seen.hello.ja4().to_string());
        }
    }
    assert_eq!(fingerprints, watch(&open("pcap/chromium-156.0.8078.79.pcap")).ja4());
    assert!(!fingerprints.is_empty());
    Ok(())
}

#[test]
fn the_driver_tells_what_was_counted() -> Result<(), Box<dyn std::error::Error>> {
    let path = corpus::path("tls/tcp/split-record-header.pcap");
    let mut events = HuginnNetTls::new().analyze_pcap(&path)?;
    assert_eq!(events.by_ref().count(), 1);
    assert_eq!(events.stats().analysis.seen, [("tls_reassembled", 1)]);
    Ok(())
}
