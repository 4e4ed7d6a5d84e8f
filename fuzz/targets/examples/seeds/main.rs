//! Writes the seeds of the corpora: packets, options and files of every kind that the tests know.
//!
//! Run by `cargo run -p fuzz-targets --example seeds`; inputs that a fuzzer has added stay.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a tool for developers, which stops at the first error"
)]

mod alike;
mod turns;

use std::collections::BTreeMap;
use std::path::Path;

use fuzz_targets::LINK_TYPES;
use huginn_net_core::{Frame, LinkType, Packet};
use huginn_net_tls::{Carrier, ClientHello, ExtensionType};
use testkit::capture::Capture;
use testkit::container::Container;
use testkit::corpus;
use testkit::encap::link::{self, LengthOrder, Wifi, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};
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

/// Values of each form.
const FINGERPRINTS: [(&str, &str); 13] = [
    ("ja4", "t13d1516h2_8daaf6152771_02713d6af862"),
    ("ja4_s1", "t13d1516h2_8daaf6152771_22db41f7518f"),
    ("ja4_r", "t13d0203h2_1301,1302_000a,002b_0403,0804"),
    ("ja4_ro", "t13d0203h2_1302,1301_0010,002b,0000_0403"),
    ("ja4_r-empty", "t10i000000__"),
    ("ja4_r-upper-case", "T00i000000__"),
    ("md5", "20b279993ae2e137e62b9647c6d768fb"),
    ("ja3", "771,4865-4866-4867,0-10-16-43,29-23,0"),
    ("ja3-empty", "769,47-53-10,,,"),
    ("tcp", "4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0"),
    ("tcp-ipv6", "6:54+?:0:1440:mtu*4,7:mss,nop,eol+1:flow,ts1-:+"),
    ("akamai", "1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p"),
    ("akamai-priorities", "3:100;4:65535|00|3:0:0:201,5:0:0:101|m,p,s,a"),
];

/// Expressions of each kind, and what is none.
const EXPRESSIONS: [(&str, &str); 12] = [
    ("empty", ""),
    ("host", "host 10.1.1.10 and not dst host 2001:db8::1"),
    ("net", "src net 10/8 or net 172.16.0.0 mask 255.240.0.0 or 2001:db8::/32"),
    ("port", "tcp src or dst port 80 or (443 or not 8080)"),
    ("portrange", "src and dst portrange 1024-65535"),
    ("protocol", "ip proto \\udp or icmp6 || ip6 proto 6"),
    ("vlan", "vlan 7 and !(vlan && tcp)"),
    ("deep", "not (not (not (tcp or udp and (ip or (ip6)))))"),
    ("host-bits", "net 10.0.0.1/8"),
    ("unclosed", "(port (80 or 443)"),
    ("bytes", "tcp[13] & 2 != 0"),
    ("not-ascii", "host \u{e4}"),
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
    let aggregates = short.iter().map(|(_, capture)| aggregated(capture)).collect::<Vec<_>>();
    let aggregates = Capture::of_frames(link_type::IEEE802_11, aggregates);
    frames.insert("aggregated".to_owned(), frame_input(&aggregates));
    for name in ODD {
        frames.insert(stem(name), frame_input(&Capture::open(&corpus::path(name))));
    }
    frames.insert("syns-alike".to_owned(), frame_input(&alike::syns()));
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
    let servers = files_of("tls/server-hello").into_iter().collect();
    let clients_fp = corpus::path("../huginn-net-db/data/clients.fp");
    let text = std::fs::read_to_string(clients_fp).expect("the clients of this project");
    let clients = ["[x-tls:client]", "[x-http2:client]"].map(|section| {
        let lines = text.lines().skip_while(|line| *line != section).take(60);
        let name = format!("bundled-{}", section.trim_matches(['[', ']']).replace(':', "-"));
        (name, lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes())
    });
    let fingerprints = FINGERPRINTS.iter().map(|&(name, text)| (name.to_owned(), text.into()));
    let wrapping = Wrapping::ALL.iter().find(|wrapping| wrapping.name == "vxlan-in-gre").expect("a wrapping");
    let judged = [short[0].1.clone(), wrapping.apply(&short[0].1)];
    let filters = EXPRESSIONS.iter().zip(judged.iter().cycle());
    let filters = filters.map(|(&(name, text), capture)| (name.to_owned(), filter_input(text, capture)));
    let http2 = http2_clients();
    // One seed for each block.
    let blocks: BTreeMap<_, _> =
        http2.iter().filter_map(|(name, stream)| Some((block_input(stream)?, name.clone()))).collect();
    let blocks = blocks.into_iter().map(|(bytes, name)| (name, bytes)).collect();
    let http2 = http2.into_iter().map(|(name, stream)| (name, [&[15], &stream[..]].concat())).collect();
    for (target, seeds) in [
        ("client_hello", client_hellos()),
        ("server_hello", servers),
        ("quic_initial", quic_initials()),
        ("quic_frames", quic_frames()),
        ("dtls_hello", dtls_hellos()),
        ("transport_parameters", transport_parameters()),
        ("tls_frames", tls_frames()),
        ("frame", frames),
        ("filter", filters.collect()),
        ("capture", files),
        ("tcp_options", options),
        ("signature_file", signatures.take(10).chain(clients).collect()),
        ("fingerprint", fingerprints.collect()),
        ("http_frames", http_frames()),
        ("streams", turns::all()),
        ("http1", http1()),
        ("http2", http2),
        ("hpack", blocks),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, bytes) in seeds {
            std::fs::write(folder.join(name), bytes).expect("the seed can be written");
        }
    }
}

/// An 802.11 frame of a mesh that aggregates the datagrams of an Ethernet capture.
fn aggregated(capture: &Capture) -> Vec<u8> {
    let datagrams: Vec<_> = capture.records.iter().map(|record| &record.bytes[14..]).collect();
    let kind = Wifi { qos: true, four_addresses: true, mesh: Some(0), ..Wifi::default() };
    link::wifi_aggregate(kind, LengthOrder::Little, &datagrams)
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

/// The input of the target `filter` that judges the first frame of an Ethernet capture.
fn filter_input(expression: &str, capture: &Capture) -> Vec<u8> {
    let len = u16::try_from(expression.len()).expect("a short expression").to_be_bytes();
    [&[0][..], &len, expression.as_bytes(), &capture.records[0].bytes].concat()
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

/// The files in a folder of `pcaps`, under their names.
fn files_of(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(corpus::path(folder)).expect("the folder can be listed");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| (stem(&path.to_string_lossy()), std::fs::read(path).expect("a file"))).collect()
}

/// Hellos that were made by hand, and a few recorded ones, in pieces of some length.
fn client_hellos() -> BTreeMap<String, Vec<u8>> {
    const RECORDED: [&str; 5] = [
        "chromium-156.0.8078.79",
        "curl-7.88.1-hrr",
        "firefox-esr-153.7.0-resumption__4",
        "gnutls-3.7.9-dtls",
        "openssl-3.0.19-0rtt__2",
    ];
    let chosen = |name: &str| name.starts_with("hand-") || RECORDED.contains(&name);
    let hellos =
        files_of("tls/hello").into_iter().filter(|(name, bytes)| chosen(name) && bytes.len() < 4_096);
    let mut seeds: BTreeMap<_, _> =
        hellos.zip(0_u8..).map(|((name, bytes), piece)| (name, [vec![piece], bytes].concat())).collect();
    let hello = |name: &str| std::fs::read(corpus::path("tls/hello").join(name)).expect("a hello");
    let two =
        [&hello("curl-7.88.1-hrr.bin")[..], &[20, 3, 3, 0, 1, 1], &hello("curl-7.88.1-hrr__2.bin")].concat();
    seeds.insert("two-hellos".to_owned(), [vec![100], two].concat());
    seeds
}

/// Datagrams, each after its length.
fn datagrams<'a>(datagrams: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let with_len = |datagram: &[u8]| {
        let len = u16::try_from(datagram.len()).expect("a datagram");
        [&len.to_be_bytes()[..], datagram].concat()
    };
    datagrams.into_iter().flat_map(with_len).collect()
}

/// The entries of `quic.json`.
fn quic_vectors() -> Vec<serde_json::Value> {
    let text = std::fs::read(corpus::path("tls/quic.json")).expect("the table");
    let table: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    table["vectors"].as_array().expect("a list").clone()
}

fn tls_file(name: &serde_json::Value) -> Vec<u8> {
    std::fs::read(corpus::path("tls").join(name.as_str().expect("a name"))).expect("a file")
}

fn quic_initials() -> BTreeMap<String, Vec<u8>> {
    let seed = |entry: serde_json::Value| {
        let payloads: Vec<_> = entry["datagrams"].as_array().expect("a list").iter().map(tls_file).collect();
        (entry["name"].as_str().expect("a name").to_owned(), datagrams(payloads.iter().map(Vec::as_slice)))
    };
    quic_vectors().into_iter().map(seed).collect()
}

/// A hello in the frames of packets as senders cut it, and as nobody does.
fn quic_frames() -> BTreeMap<String, Vec<u8>> {
    // What follows the header of its record.
    let hello = std::fs::read(corpus::path("tls/hello/curl-7.88.1-hrr.bin")).expect("a hello");
    let (message, len) = (&hello[5..], hello.len() - 5);
    let crypto = |from: usize, to: usize| {
        let numbers = [from, to - from].map(|number| u16::try_from(number | 0x4000).expect("a short hello"));
        let [offset, length] = numbers.map(u16::to_be_bytes);
        [&[6][..], &offset, &length, &message[from..to]].concat()
    };
    let pieces = |size: usize| (0..len).step_by(size).map(move |from| crypto(from, len.min(from + size)));
    let reversed = |size: usize| pieces(size).rev().collect::<Vec<_>>();
    let padded =
        |size: usize| pieces(size).map(|frame| [&frame[..], &[0; 37], &[1]].concat()).collect::<Vec<_>>();
    let acknowledgment = b"\x03\x40\x09\0\x01\x02\x03\x04\x05\x06\x07";
    let contradicted = [[&[6, 30, 20][..], &[7; 20]].concat(), crypto(0, 40), crypto(30, len)].concat();
    let behind = u32::try_from(len).expect("a short hello") | 0x8000_0000;
    let again = [&[6][..], &behind.to_be_bytes(), b"\x05\x01\0\0\x01\0"].concat();
    let seeds: [(&str, u8, Vec<Vec<u8>>); 11] = [
        ("whole", 0, vec![crypto(0, len)]),
        ("two-packets", 0, pieces(len / 2 + 1).collect()),
        ("two-packets-in-a-datagram", 1, pieces(len / 2 + 1).collect()),
        ("backwards-in-packets", 2, reversed(20)),
        ("backwards-in-a-packet", 0, vec![reversed(7).concat()]),
        ("padded", 0, vec![padded(50).concat()]),
        ("acknowledged", 0, vec![acknowledgment.to_vec(), [&acknowledgment[..], &crypto(0, len)].concat()]),
        ("repeated", 0, vec![crypto(0, 50), crypto(0, 50), crypto(20, len), crypto(0, len)]),
        ("contradicted", 0, vec![contradicted]),
        ("two-hellos", 3, vec![crypto(0, len), again]),
        ("closed", 0, vec![[&crypto(0, 50)[..], &[0x1c], &crypto(50, len)].concat(), crypto(50, len)]),
    ];
    let input = |(name, packets, frames): (&str, u8, Vec<Vec<u8>>)| {
        (name.to_owned(), [vec![packets], datagrams(frames.iter().map(Vec::as_slice))].concat())
    };
    seeds.into_iter().map(input).collect()
}

/// What all sides of the captures of DTLS sent, in order and backwards.
fn dtls_hellos() -> BTreeMap<String, Vec<u8>> {
    let mut seeds = BTreeMap::new();
    let recorded = ["gnutls-3.7.9-dtls", "openssl-3.0.19-dtls1_0", "openssl-3.0.19-dtls1_2-frag"];
    let by_hand = ["dtls10", "dtls12-in-sv", "dtls13"];
    let captures =
        recorded.map(|name| ("pcap", name)).into_iter().chain(by_hand.map(|name| ("pcap-hand", name)));
    for (folder, name) in captures {
        let capture = Capture::open(&corpus::path(&format!("tls/{folder}/{name}.pcap")));
        let mut payloads = Vec::new();
        for record in &capture.records {
            let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
            let packet = Packet::decode(&frame).expect("a whole packet");
            payloads.extend(packet.udp().map(|udp| udp.payload()));
        }
        seeds.insert(name.to_owned(), datagrams(payloads.iter().copied()));
        seeds.insert(format!("{name}-backwards"), datagrams(payloads.iter().rev().copied()));
    }
    seeds
}

/// Short captures of connections of every kind.
fn tls_frames() -> BTreeMap<String, Vec<u8>> {
    const FOLDERS: [&str; 4] = ["tls/tcp", "tls/pcap", "tls/quic-pcap", "tls/pcap-hand"];
    const CHOSEN: [&str; 11] = [
        "starttls-",
        "tunnel-",
        "-dtls",
        "sslv2-",
        "ccs-before",
        "alert-then-hello",
        "hand-coalesced",
        "hand-cross",
        "hand-three",
        "hand-truncated",
        "dtls1",
    ];
    let mut seeds = BTreeMap::new();
    for folder in FOLDERS {
        for (name, bytes) in files_of(folder) {
            let path = corpus::path(&format!("{folder}/{name}.pcap"));
            let is_chosen = folder == "tls/tcp" || CHOSEN.iter().any(|part| name.contains(part));
            if is_chosen && bytes.len() < 5_000 && path.exists() {
                seeds.insert(name, frame_input(&Capture::open(&path)));
            }
        }
    }
    seeds
}

/// Short captures of HTTP/1, and streams of HTTP/2 in packets: with and without an upgrade before them.
fn http_frames() -> BTreeMap<String, Vec<u8>> {
    const CHOSEN: [&str; 14] = [
        "h01_basic",
        "h03_head",
        "h04_post",
        "h08_lf",
        "h09_lead_crlf",
        "h13_fold",
        "h23_short",
        "h43_seg_res_status",
        "h45_ooo",
        "h47_pipeline",
        "h51_h2",
        "h52_tls",
        "h53_body",
        "m30_date_ok",
    ];
    const SWITCHED: &[u8] = b"HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
    // SETTINGS, and `:status: 200` on the first two streams.
    const SERVER: &[u8] =
        b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\0\x01\x01\x04\0\0\0\x01\x88\0\0\x01\x01\x04\0\0\0\x03\x88";
    let captures =
        CHOSEN.map(|name| (name.to_owned(), Capture::open(&corpus::path(&format!("http/{name}.pcap")))));
    let streams = http2_clients().into_iter().filter(|(_, stream)| stream.len() < 1_500);
    let http2 = streams.map(|(name, stream)| {
        let preface = stream.windows(3).position(|window| window == b"PRI").unwrap_or(0);
        let (upgrade, frames) = stream.split_at(preface);
        let server: &[u8] = if upgrade.is_empty() { b"" } else { SWITCHED };
        (name, conversation(&[(true, upgrade), (false, server), (true, frames), (false, SERVER)]))
    });
    let alike = ("heads-alike".to_owned(), conversation(&alike::heads()));
    let all = captures.into_iter().chain(http2).chain([alike]);
    all.map(|(name, capture)| (name, frame_input(&capture))).collect()
}

/// The packets of a connection in which the client, or not, sends bytes.
fn conversation(turns: &[(bool, &[u8])]) -> Capture {
    let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
    let (mut sent, mut answered) = (1, 1);
    let mut frames = vec![link::ethernet(&Ipv4::new(client, server).tcp(&Tcp::new(4_000, 80).sequence(0)))];
    let syn_ack = Tcp::new(80, 4_000).sequence(0).acknowledgment(1).flags(flags::SYN | flags::ACK);
    frames.push(link::ethernet(&Ipv4::new(server, client).tcp(&syn_ack)));
    for &(is_client, bytes) in turns.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let len = u32::try_from(bytes.len()).expect("a short turn");
        let (header, segment) = if is_client {
            (Ipv4::new(client, server), Tcp::new(4_000, 80).sequence(sent))
        } else {
            (Ipv4::new(server, client), Tcp::new(80, 4_000).sequence(answered))
        };
        *(if is_client { &mut sent } else { &mut answered }) += len;
        frames.push(link::ethernet(&header.tcp(&segment.flags(flags::ACK).payload(bytes))));
    }
    Capture::of_frames(link_type::ETHERNET, frames)
}

/// The bodies of the extension in recorded hellos.
fn transport_parameters() -> BTreeMap<String, Vec<u8>> {
    let seed = |entry: serde_json::Value| {
        let message = tls_file(entry.get("hello")?);
        let hello = ClientHello::parse(&message, Carrier::Quic).ok()?.done()?;
        let body = hello.extension(ExtensionType::QUIC_TRANSPORT_PARAMETERS)?;
        Some((entry["name"].as_str()?.to_owned(), body.to_vec()))
    };
    quic_vectors().into_iter().filter_map(seed).collect()
}

/// What either end sent in captures of HTTP/1, once each, and heads and chunks that are odd in other ways.
fn http1() -> BTreeMap<String, Vec<u8>> {
    const ODD: [(&str, &str); 6] = [
        (
            "proxy",
            "GET http://a.example:80/x HTTP/1.0\r\nHost:b\r\nVia: 1.1 a, 1.0 b\r\nCDN-Loop: c;d\r\n\r\n",
        ),
        ("quirks", "\r\n\nGET /a b\r HTTP/1.1\n A\r\nB (:\t c\0\u{1}\r\n d\r\nno colon\n\r\r\n"),
        (
            "upgrade",
            "GET / HTTP/1.1\r\nConnection: a, Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        ),
        ("lengths", "HTTP/1.1 200\r\nContent-Length: 5, 5\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        ("chunks", "005;a=b\r\nhello\r\na\n0123456789\r\n0\r\nT: 1\r\n\r\nHTTP/1.1 200 OK"),
        ("chunk-that-is-missing", "ffffffffffffffff\r\nx"),
    ];
    let mut streams: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    for path in corpus::captures("http") {
        let capture = Capture::open(&path);
        let mut sent: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
        for record in &capture.records {
            let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
            let packet = Packet::decode(&frame).expect("a whole packet");
            let segment = packet.tcp().expect("TCP");
            sent.entry(segment.source_port()).or_default().extend(segment.payload());
        }
        for (port, bytes) in sent {
            streams.entry(bytes).or_insert_with(|| format!("{}-{port}", stem(&path.to_string_lossy())));
        }
    }
    let odd = ODD.map(|(name, text)| (name.to_owned(), text.into()));
    let seeds = streams.into_iter().filter(|(bytes, _)| !bytes.is_empty()).map(|(bytes, name)| (name, bytes));
    seeds.chain(odd).map(|(name, bytes)| (name, [vec![6], bytes].concat())).collect()
}

/// The streams of HTTP/2 clients that ask a question, and of some browsers and programs.
fn http2_clients() -> Vec<(String, Vec<u8>)> {
    const RECORDED: [&str; 7] =
        ["chromium-156.0.8078.79", "firefox-esr", "go-1.26", "h2c-nghttp", "node-24", "python", "safari260"];
    let chosen = |name: &str| name.starts_with("hand-") || RECORDED.iter().any(|part| name.contains(part));
    files_of("http2/client").into_iter().filter(|(name, _)| chosen(name)).collect()
}

/// The input of the target `hpack` that holds the header block of a client, if it is whole in a frame without padding.
fn block_input(stream: &[u8]) -> Option<Vec<u8>> {
    let mut rest = stream.strip_prefix(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")?;
    loop {
        let (&[high, middle, low, kind, flags, _, _, _, _], behind) = rest.split_first_chunk()?;
        let len = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
        let (payload, next) = behind.split_at_checked(len)?;
        if kind == 1 {
            let block = if flags & 0x20 == 0 { payload } else { payload.get(5..)? };
            let len = u16::try_from(block.len()).ok()?.to_be_bytes();
            return (flags & 0xc == 4).then(|| [&[64], &len[..], block].concat());
        }
        rest = next;
    }
}
