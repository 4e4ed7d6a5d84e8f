//! Writes the seeds of the corpora: packets, options and files of every kind that the tests know.
//!
//! Run by `cargo run -p fuzz-targets --example seeds`; inputs that a fuzzer has added stay.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a tool for developers, which stops at the first error"
)]

use std::collections::BTreeMap;
use std::path::Path;

use fuzz_targets::LINK_TYPES;
use testkit::capture::Capture;
use testkit::container::Container;
use testkit::corpus;
use testkit::encap::link::link_type;
use testkit::wrap::Wrapping;

/// Captures that are wrapped and stored in every way: SYN and SYN+ACK on IPv4, SYN on IPv6.
const SHORT: [&str; 2] = ["tcp/a04_synack.pcap", "tcp/a05_v6_syn.pcap"];
/// Captures with clocks, options and lengths that are odd.
const ODD: [&str; 10] = [
    "tcp/c06_v6_frag.pcap",
    "tcp/d16_all_quirks.pcap",
    "tcp/f05_padding.pcap",
    "tcp/f12_totlen0_tso.pcap",
    "tcp/i09_synack_badack.pcap",
    "tcp/l02_250hz.pcap",
    "tcp/l11_backward.pcap",
    "tcp/l13_wrap.pcap",
    "real/tfo.pcap",
    "real/mptcp.pcap",
];

fn main() {
    let short = SHORT.map(|name| (stem(name), Capture::open(&corpus::path(name))));
    let mut frames = BTreeMap::new();
    let mut files = BTreeMap::new();
    for (name, capture) in &short {
        for wrapping in Wrapping::ALL {
            frames.insert(format!("{name}-{}", wrapping.name), frame_input(&wrapping.apply(capture)));
        }
        for container in Container::ALL {
            files.insert(format!("{name}-{}", container.name), container.write(capture));
        }
    }
    for name in ODD {
        frames.insert(stem(name), frame_input(&Capture::open(&corpus::path(name))));
    }
    let mut options = BTreeMap::new();
    for path in corpus::captures("tcp") {
        let capture = Capture::open(&path);
        if let Some(bytes) = options_of(&capture) {
            // One seed for each list of options.
            options.insert(bytes, stem(&path.to_string_lossy()));
        }
    }
    let options = options.into_iter().map(|(bytes, name)| (name, bytes)).collect();
    let tcp_fp = corpus::path("../huginn-net-db/data/tcp.fp");
    let text = std::fs::read_to_string(tcp_fp).expect("the signatures of this project");
    let lines: Vec<_> = text.lines().collect();
    let signatures = lines.chunks(80).zip(0..).map(|(lines, index)| {
        let text = format!("classes = win,unix,other\n[x-tcp:request]\n{}\n", lines.join("\n"));
        (format!("bundled-{index}"), text.into_bytes())
    });
    for (target, seeds) in [
        ("frame", frames),
        ("capture", files),
        ("tcp_options", options),
        ("signature_file", signatures.take(10).collect()),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, bytes) in seeds {
            std::fs::write(folder.join(name), bytes).expect("the seed can be written");
        }
    }
}

fn stem(path: &str) -> String {
    Path::new(path).file_stem().expect("a file").to_string_lossy().into_owned()
}

/// The input of the target `frame` that stands for a capture.
fn frame_input(capture: &Capture) -> Vec<u8> {
    let chosen = LINK_TYPES.iter().position(|known| known.0 == capture.link_type);
    let mut input =
        vec![u8::try_from(chosen.expect("a link type that is decoded")).expect("few link types"), 0];
    for record in &capture.records {
        input.extend(u16::try_from(record.bytes.len()).expect("a short frame").to_be_bytes());
        input.extend(&record.bytes);
    }
    input
}

/// The TCP options in the first frame of an Ethernet capture of IPv4.
fn options_of(capture: &Capture) -> Option<Vec<u8>> {
    let frame = &capture.records.first()?.bytes;
    if capture.link_type != link_type::ETHERNET || frame.get(12..15)? != [8, 0, 0x45] {
        return None;
    }
    let words = usize::from(frame.get(46)? >> 4);
    frame.get(54..34 + words * 4).map(<[u8]>::to_vec).filter(|options| !options.is_empty())
}
