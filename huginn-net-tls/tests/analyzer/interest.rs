//! What a live capture asks the kernel for.

use huginn_net_core::{Analyzer, Decoder, Filter, Frame, LinkType};
use huginn_net_tls::{TlsAnalyzer, TlsSettings};
use testkit::capture::Capture;
use testkit::encap::link;
use testkit::{bpf, corpus};

use crate::datagrams::{dtls, from_client};
use crate::relayed::{in_capwap, in_channel, payloads, sent_to};

#[test]
fn the_program_for_the_kernel_lets_all_pass_that_is_wanted() {
    let analyzer = TlsAnalyzer::new(TlsSettings::default());
    let mut decoder = Decoder::default();
    let mut wanted = 0;
    let mut check = |frame: &[u8], link_type: LinkType, name: &str| {
        let program = Filter::default().to_bpf_for(link_type, analyzer.interest());
        let Some(program) = program else { return };
        let program: Vec<_> = program.iter().map(|it| (it.code, it.jt, it.jf, it.k)).collect();
        let is_wanted = match decoder.decode(&Frame::new(frame, link_type)) {
            Ok(packet) => analyzer.affinity(&packet).is_some(),
            Err(_) => false,
        };
        wanted += usize::from(is_wanted);
        assert!(!is_wanted || bpf::run(&program, frame) != 0, "{name}: {frame:02x?}");
    };
    let folders = ["tls", "tls/pcap", "tls/pcap-hand", "tls/quic-pcap", "tls/tcp"];
    for path in folders.into_iter().flat_map(corpus::captures) {
        let capture = Capture::open(&path);
        for record in &capture.records {
            check(&record.bytes, LinkType(capture.link_type), &path.display().to_string());
        }
    }
    for (name, capture) in dtls() {
        for (payload, _) in payloads(&capture) {
            // Of a draft, too.
            let draft = [&payload[..1], &[1, 0], &payload[3..]].concat();
            for payload in [payload, &draft] {
                for payload in
                    [payload.to_vec(), in_channel(1, payload), sent_to(5_000, payload), in_capwap(payload)]
                {
                    check(&link::ethernet(&from_client(&payload)), LinkType::ETHERNET, name);
                }
            }
        }
    }
    assert!(wanted > 1_000, "{wanted}");
}
