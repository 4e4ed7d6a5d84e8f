//! What a kernel may leave out before anything is analyzed.

#![cfg(test)]

use huginn_net::{BpfInstruction, CaptureFile, Filter, HuginnNet, LinkType, Settings};
use testkit::bpf;
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::wrap::Wrapping;

/// The events of a capture, without the numbers of their frames, which are others when frames are missing.
fn events(capture: &Capture) -> Vec<String> {
    let file = container::pcap(Pcap::Nanos, Endian::Little, capture);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    events.map(|event| without_numbers(&format!("{:?}", event.expect("a readable capture")))).collect()
}

fn without_numbers(event: &str) -> String {
    let mut parts = event.split("frame: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// The frames that a program accepts.
fn accepted(program: &[bpf::Instruction], capture: &Capture) -> Capture {
    let is_accepted = |record: &&Record| bpf::run(program, &record.bytes) != 0;
    let records = capture.records.iter().filter(is_accepted).cloned().collect();
    Capture { link_type: capture.link_type, records }
}

/// Compares the events of a capture with those of what the program of a link type leaves of it: how many there are, and
/// how many frames were left out.
fn compare(name: &str, capture: &Capture) -> (usize, usize) {
    let program = HuginnNet::new().program(LinkType(capture.link_type));
    let Some(program) = program else { return (0, 0) };
    let program: Vec<_> =
        program.iter().map(|&BpfInstruction { code, jt, jf, k }| (code, jt, jf, k)).collect();
    let left = accepted(&program, capture);
    let expected = events(capture);
    assert_eq!(events(&left), expected, "{name}");
    (expected.len(), capture.records.len() - left.records.len())
}

#[test]
fn what_is_of_no_interest_brings_no_event() {
    let (mut events, mut left_out) = (0, 0);
    for folder in ["tcp", "http", "real", "tls/pcap", "tls/pcap-hand", "tls/quic-pcap", "tls/tcp"] {
        for path in corpus::captures(folder) {
            let (more, out) = compare(&path.display().to_string(), &Capture::open(&path));
            (events, left_out) = (events + more, left_out + out);
        }
    }
    assert!(events > 2_000 && left_out > 100, "{events} events, {left_out} frames left out");
}

#[test]
fn what_a_pipeline_has_no_use_for_is_left_out() {
    let accepts = |pipeline: &HuginnNet, frame: &[u8]| {
        let program = pipeline.program(LinkType::RAW).expect("a program");
        let program: Vec<_> =
            program.iter().map(|&BpfInstruction { code, jt, jf, k }| (code, jt, jf, k)).collect();
        bpf::run(&program, frame) != 0
    };
    // IPv4 of 34 bytes, UDP from 4433 to 443: a long header of QUIC.
    let mut datagram = vec![
        0x45, 0, 0, 34, 0, 1, 0x40, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2, 0x11, 0x51, 1, 0xbb, 0, 14,
        0, 0, 0xc0, 0, 0, 0, 1, 8,
    ];
    assert!(accepts(&HuginnNet::new(), &datagram));
    let mut settings = Settings::default();
    settings.tls = None;
    assert!(!accepts(&HuginnNet::with_settings(settings), &datagram));
    let filtered =
        |expression| HuginnNet::new().with_filter(Filter::parse(expression).expect("an expression"));
    assert!(accepts(&filtered("port 443"), &datagram));
    assert!(!accepts(&filtered("port 80"), &datagram));
    // A short header carries no hello.
    datagram[28] = 0x40;
    assert!(!accepts(&HuginnNet::new(), &datagram));
}

#[test]
fn nor_does_it_in_any_wrapping() {
    let mut events = 0;
    for name in ["tls/quic-pcap/q-quic-go-v2.pcap", "tls/pcap/gnutls-3.7.9-dtls.pcap", "tcp/c06_v6_frag.pcap"]
    {
        let capture = Capture::open(&corpus::path(name));
        for wrapping in Wrapping::ALL {
            events += compare(&format!("{name} in {}", wrapping.name), &wrapping.apply(&capture)).0;
        }
    }
    assert!(events > 50, "{events} events");
}
