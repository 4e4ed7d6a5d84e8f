//! What ends of connections say in turns.

use std::collections::BTreeMap;

use huginn_net_core::{Frame, LinkType, Packet};
use testkit::capture::Capture;
use testkit::corpus;

use super::stem;

/// That of short captures.
pub(crate) fn all() -> BTreeMap<String, Vec<u8>> {
    const CHOSEN: [&str; 14] = [
        "http/h01_basic",
        "http/h03_head",
        "http/h04_post",
        "http/h08_lf",
        "http/h13_fold",
        "http/h43_seg_res_status",
        "http/h47_pipeline",
        "http/h53_body",
        "tls/pcap-hand/alert-then-hello",
        "tls/pcap-hand/base-tls13",
        "tls/pcap-hand/ccs-before",
        "tls/pcap-hand/ech-outer",
        "tls/pcap-hand/many-ext",
        "tls/pcap/curl-7.88.1-hrr",
    ];
    let turns = |capture: &Capture| {
        let mut client = None;
        let mut input = vec![6];
        for record in &capture.records {
            let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
            let packet = Packet::decode(&frame).expect("a whole packet");
            let Some(segment) = packet.tcp().filter(|segment| !segment.payload().is_empty()) else {
                continue;
            };
            let client = *client.get_or_insert(segment.source_port());
            input.push(u8::from(segment.source_port() != client));
            input.extend(u16::try_from(segment.payload().len()).expect("a segment").to_be_bytes());
            input.extend(segment.payload());
        }
        input
    };
    let paths = CHOSEN.map(|name| corpus::path(&format!("{name}.pcap")));
    paths.iter().map(|path| (stem(&path.to_string_lossy()), turns(&Capture::open(path)))).collect()
}
