//! What is remembered of packets changes nothing that is said of others, however much alike they are.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use huginn_net::{CaptureFile, HuginnNet, Settings, TcpSettings};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::encap::link::link_type;

/// Captures with programs and systems of all kinds, of plain Ethernet frames.
const CAPTURES: [&str; 14] = [
    "real/browsers_net.pcap",
    "real/http_tools.pcap",
    "real/http_servers.pcap",
    "real/http_clients.pcap",
    "real/scan_nmap_O.pcap",
    "real/scan_masscan.pcap",
    "tcp/a02_win10_syn.pcap",
    "tcp/a04_synack.pcap",
    "tcp/a05_v6_syn.pcap",
    "tls/pcap/chromium-156.0.8078.79.pcap",
    "tls/pcap/curl-7.88.1-hrr.pcap",
    "tls/pcap/curl_cffi-0.16.3-edge99.pcap",
    "tls/pcap/curl_cffi-0.16.3-firefox147.pcap",
    "tls/quic-pcap/q-aioquic-1.7.2-hq.pcap",
];

fn pipeline() -> HuginnNet {
    let mut settings = Settings::default();
    settings.tcp = Some(TcpSettings::default().with_report_unpaired(true));
    HuginnNet::with_settings(settings)
}

/// What is said of each frame, by its number from 1, without where and when it was.
fn said(pipeline: &HuginnNet, frames: Vec<Vec<u8>>) -> BTreeMap<u64, Vec<String>> {
    let capture = Capture::of_frames(link_type::ETHERNET, frames);
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let mut said = BTreeMap::<u64, Vec<String>>::new();
    for event in pipeline.analyze(CaptureFile::from_bytes(file).expect("a capture")) {
        let event = event.expect("a readable capture");
        let origin = event.origin();
        let place = format!("captured_at: {:?}, frame: {}", origin.captured_at, origin.frame);
        let text = format!("{event:?}").replace(&format!("{origin:?}"), "Origin").replace(&place, "");
        said.entry(origin.frame).or_default().push(text);
    }
    said
}

fn said_alone(pipeline: &HuginnNet, frame: &[u8]) -> Vec<String> {
    said(pipeline, vec![frame.to_vec()]).remove(&1).unwrap_or_default()
}

/// The same frame of another sender, so that it belongs to a connection of its own.
fn of_sender(number: u32, frame: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    let address = match frame.get(12..14) {
        Some([0x08, 0x00]) => 26..30,
        Some([0x86, 0xdd]) => 22..26,
        _ => return frame,
    };
    if let Some(address) = frame.get_mut(address) {
        address.copy_from_slice(&(0x0a00_0000 + number).to_be_bytes());
    }
    frame
}

/// Frames of which something is said, one of each kind, length and label.
fn frames(pipeline: &HuginnNet) -> Vec<Vec<u8>> {
    let mut kinds = BTreeSet::new();
    let mut frames = Vec::new();
    for name in CAPTURES {
        for record in Capture::open(&corpus::path(name)).records {
            let frame = record.bytes;
            // Of a tunnel, others would be the senders.
            let protocol = match frame.get(12..14) {
                Some([0x08, 0x00]) => frame.get(23),
                Some([0x86, 0xdd]) => frame.get(20),
                _ => None,
            };
            if !matches!(protocol, Some(6 | 17)) || frame.len() != record.wire_len as usize {
                continue;
            }
            let said = said_alone(pipeline, &frame);
            let kind = said.first().map(|event| {
                let (kind, rest) = event.split_once('(').expect("an event is a variant with something in it");
                (kind.to_owned(), rest.split("labels: ").nth(1).map(str::to_owned), frame.len())
            });
            if kind.is_some_and(|kind| kinds.insert(kind)) {
                frames.push(frame);
            }
        }
    }
    frames
}

/// What bytes are changed by.
const MASKS: [u8; 4] = [0x01, 0x20, 0x80, 0xff];

/// A frame with one byte changed: each byte of a SYN, and of longer frames some, so that the test takes seconds.
fn changes(number: usize, original: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    const SHORT: usize = 100;
    let (begin, step) = if original.len() < SHORT { (0, 1) } else { (number % 23, 23) };
    (14 + begin..original.len()).step_by(step).map(move |at| {
        let mut changed = original.to_vec();
        if let (Some(byte), Some(mask)) = (changed.get_mut(at), MASKS.get((number + at) % MASKS.len())) {
            *byte ^= mask;
        }
        changed
    })
}

#[test]
fn a_frame_that_differs_in_one_byte_from_one_that_was_seen_is_read_as_if_it_were_alone() {
    let pipeline = pipeline();
    let originals = frames(&pipeline);
    assert!(originals.len() > 100, "{}", originals.len());
    let (mut together, mut expected, mut senders) = (Vec::new(), Vec::new(), 0..);
    let mut from_another = |frame: &[u8]| of_sender(senders.next().expect("there are enough"), frame);
    for (number, original) in originals.iter().enumerate() {
        let of_original = said_alone(&pipeline, original);
        for changed in changes(number, original) {
            let of_changed = said_alone(&pipeline, &from_another(&changed));
            for (frame, said) in [(original, &of_original), (&changed, &of_changed)].repeat(2) {
                together.push(from_another(frame));
                expected.push(said.clone());
            }
        }
    }
    let found = said(&pipeline, together.clone());
    for (number, (frame, expected)) in (1..).zip(together.iter().zip(expected)) {
        let found = found.get(&number).cloned().unwrap_or_default();
        assert_eq!(found, expected, "frame {number}: {frame:02x?}");
    }
}
