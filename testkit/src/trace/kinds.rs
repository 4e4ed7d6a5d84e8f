//! What each kind is made of.

use super::Kind;
use super::talk::{self, From, Talk};
use super::template::{Parts, Template, frames_of, units_of};
use crate::encap::link;
use crate::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};
use crate::rng::Rng;

/// Templates, and how often each is used.
pub(super) struct Mix {
    pub(super) templates: Vec<Template>,
    /// By template, the sum of the weights up to it.
    weights: Vec<usize>,
    /// Bytes of frames for each second of the trace.
    pub(super) bytes_per_second: u64,
}

/// Nanoseconds between the frames of a unit.
const WAIT: u64 = 200_000;

/// Connections of TLS, of TCP from SYN to FIN, with one ClientHello each that fits a segment.
const TLS: [&str; 14] = [
    "curl-7.88.1-http1.1",
    "curl-7.88.1-ipv6-nosni",
    "curl_cffi-0.16.3-chrome120",
    "curl_cffi-0.16.3-chrome99_android",
    "curl_cffi-0.16.3-edge99",
    "curl_cffi-0.16.3-safari184",
    "dec-tls12-ECDHE-RSA-AES128-GCM-SHA256",
    "git-2.39.5-libcurl-gnutls",
    "gnutls-3.7.9-default",
    "go-1.19-h2",
    "java-17.0.15-h1",
    "nghttp-1.52.0-openssl",
    "nginx-1.22.1-upstream",
    "node-18.20.8-fetch",
];

/// Those of which the ClientHello is large, as browsers with post-quantum key exchange have it.
const TLS_LARGE: [&str; 4] =
    ["curl_cffi-0.16.3-chrome136", "curl_cffi-0.16.3-firefox147", "go-1.26.8-h2", "node-24.21.0-fetch"];

/// Connections that begin with a SYN and its answer, from Linux with one thing or another changed.
const SYNS: [&str; 10] = [
    "ecn1",
    "ecn3_accecn",
    "mptcp",
    "opt_ts0_sack0_ws0",
    "rcvbuf8192",
    "ttl128",
    "v4",
    "v4_mtu1400",
    "v6",
    "v6_mtu1280",
];

/// The first packets of QUIC connections, with one ClientHello each.
const QUIC: [&str; 8] = [
    "q-aioquic-1.7.2-v2",
    "q-chromium-156.0.8078.79-1",
    "q-chromium-156.0.8078.79-2",
    "q-curl-8.14.1-ngtcp2-openssl",
    "q-curl_cffi-0.16.3-chrome146",
    "q-deno-2.9.6-quinn",
    "q-gtlsclient-ngtcp2-1.11-gnutls",
    "q-quic-go-v1",
];

impl Mix {
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Hellos => Self::new(125_000_000, [(1, hellos())]),
            Kind::Handshakes => Self::new(125_000_000, [(1, handshakes())]),
            Kind::Syns => Self::new(25_000_000, [(1, syns())]),
            Kind::Http => Self::new(125_000_000, [(1, vec![http()])]),
            Kind::Bulk => Self::new(62_500_000, [(1, vec![bulk(1_000).with(|events| events.clocks = 2)])]),
            Kind::Quic => Self::new(25_000_000, [(1, quic())]),
            // By the packets of each, bulk makes three quarters.
            Kind::Mixed => Self::new(
                125_000_000,
                [
                    (90, vec![bulk(25)]),
                    (150, vec![dns()]),
                    (40, handshakes()),
                    (10, vec![http()]),
                    (40, quic()),
                    (100, syns()),
                ],
            ),
        }
    }

    /// Every connection and exchange of datagrams of the captures.
    pub(super) fn of_captures(names: &[&str]) -> Self {
        let units = names.iter().flat_map(|name| units_of(name));
        Self::new(125_000_000, units.map(|frames| (1, vec![Template::new(frames, WAIT)])))
    }

    /// Groups of templates that are used equally often, and how often a group is.
    fn new(bytes_per_second: u64, groups: impl IntoIterator<Item = (usize, Vec<Template>)>) -> Self {
        /// Divided by the number of templates in a group: any number of them up to 18.
        const PARTS: usize = 12_252_240;
        let mut mix = Self { templates: Vec::new(), weights: Vec::new(), bytes_per_second };
        let mut sum = 0;
        for (weight, templates) in groups {
            let each = weight * PARTS / templates.len();
            for template in templates {
                sum += each;
                mix.weights.push(sum);
                mix.templates.push(template);
            }
        }
        mix
    }

    /// The index of a template.
    pub(super) fn choose(&self, rng: &mut Rng) -> usize {
        let at = rng.below(*self.weights.last().expect("a template"));
        self.weights.partition_point(|&weight| weight <= at)
    }
}

fn tls() -> impl Iterator<Item = &'static str> {
    TLS.into_iter()
}

fn tls_capture(name: &str) -> String {
    format!("tls/pcap/{name}.pcap")
}

fn handshakes() -> Vec<Template> {
    tls().chain(TLS_LARGE).map(|name| Template::of_capture(&tls_capture(name), WAIT)).collect()
}

/// Of three templates for each client, the last is in two segments.
fn hellos() -> Vec<Template> {
    let in_one_segment = tls().map(|name| {
        let frames = frames_of(&tls_capture(name));
        let is_hello = |frame: &&Vec<u8>| {
            let parts = Parts::of(frame).expect("a segment");
            frame[parts.payload_at..].starts_with(&[22, 3])
        };
        frames.iter().find(is_hello).cloned().expect("a hello")
    });
    in_one_segment
        .flat_map(|frame| {
            let whole = || Template::new(vec![frame.clone()], WAIT);
            [whole(), whole(), Template::new(in_two(&frame), WAIT)]
        })
        .collect()
}

/// A segment cut in the middle of its payload.
fn in_two(frame: &[u8]) -> Vec<Vec<u8>> {
    let parts = Parts::of(frame).expect("a segment");
    let middle = (frame.len() - parts.payload_at) / 2;
    let (mut first, mut second) = (frame.to_vec(), frame.to_vec());
    first.truncate(parts.payload_at + middle);
    second.drain(parts.payload_at..parts.payload_at + middle);
    super::template::add(&mut second, parts.transport_at + 4, middle as u32);
    for piece in [&mut first, &mut second] {
        let (at, before) = if parts.is_v6 { (18, 54) } else { (16, 14) };
        let len = (piece.len() - before) as u16;
        piece[at..at + 2].copy_from_slice(&len.to_be_bytes());
    }
    vec![first, second]
}

fn syns() -> Vec<Template> {
    let recorded = SYNS.iter().map(|name| {
        let mut frames = frames_of(&format!("real/{name}.pcap"));
        frames.truncate(2);
        frames
    });
    let windows = vec![
        TcpOption::Mss(1_460),
        TcpOption::Nop,
        TcpOption::WindowScale(8),
        TcpOption::Nop,
        TcpOption::Nop,
        TcpOption::SackPermitted,
    ];
    let to_windows = vec![
        TcpOption::Mss(1_460),
        TcpOption::Nop,
        TcpOption::Nop,
        TcpOption::SackPermitted,
        TcpOption::Nop,
        TcpOption::WindowScale(7),
    ];
    let scanner = vec![TcpOption::Mss(1_460)];
    let built = [
        syn_and_answer(128, 64_240, windows, to_windows),
        syn_and_answer(64, 1_024, scanner.clone(), scanner),
    ];
    recorded.chain(built).map(|frames| Template::new(frames, WAIT)).collect()
}

fn syn_and_answer(ttl: u8, window: u16, asked: Vec<TcpOption>, answered: Vec<TcpOption>) -> Vec<Vec<u8>> {
    let (client, server) = ([10, 0, 0, 1], [198, 18, 0, 1]);
    let syn = Tcp::new(40_000, 443).sequence(0).window(window).options(asked);
    let answer = Tcp::new(443, 40_000)
        .sequence(0)
        .acknowledgment(1)
        .flags(flags::SYN | flags::ACK)
        .window(64_240)
        .options(answered);
    let syn = Ipv4::new(client, server).ttl(ttl).dont_fragment(true).identification(1).tcp(&syn);
    let answer = Ipv4::new(server, client).ttl(64).dont_fragment(true).identification(0).tcp(&answer);
    vec![link::ethernet(&syn), link::ethernet(&answer)]
}

/// Six requests for objects of different sizes, one after another.
fn http() -> Template {
    const PATHS: [(&str, &str, usize); 6] = [
        ("/", "text/html; charset=utf-8", 5_200),
        ("/style/main.css", "text/css", 2_100),
        ("/script/app.js", "application/javascript", 9_800),
        ("/image/logo.png", "image/png", 3_300),
        ("/api/items?page=1", "application/json", 640),
        ("/favicon.ico", "image/x-icon", 318),
    ];
    let mut talk = Talk::open(80, WAIT);
    for (path, media_type, len) in PATHS {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: www.example.test\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; \
             Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36\r\nAccept: */*\r\n\
             Referer: http://www.example.test/\r\nAccept-Encoding: gzip, deflate\r\nAccept-Language: \
             en-US,en;q=0.9\r\n\r\n"
        );
        talk.send(From::Client, request.as_bytes());
        let head = format!(
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\nContent-Type: \
             {media_type}\r\nContent-Length: {len}\r\nConnection: keep-alive\r\nAccept-Ranges: bytes\r\n\r\n"
        );
        talk.send(From::Server, &[head.as_bytes(), &vec![b'x'; len]].concat());
    }
    Template::new(talk.close(), WAIT)
}

/// A server sends pairs of full segments, as they look when they are encrypted.
fn bulk(pairs: usize) -> Template {
    let mut talk = Talk::open(443, WAIT);
    let mut rng = Rng::new(pairs as u64);
    for _ in 0..pairs {
        let mut data = rng.bytes(2 * talk::FULL);
        // No record of a handshake, and no head.
        data[0] = 0x80;
        data[talk::FULL] = 0x80;
        talk.send(From::Server, &data);
    }
    Template::new(talk.close(), WAIT)
}

fn quic() -> Vec<Template> {
    let one = |name| {
        let template = Template::of_capture(&format!("tls/quic-pcap/{name}.pcap"), WAIT);
        // The hellos are encrypted.
        template.with(|events| (events.client_hellos, events.server_hellos) = (1, 1))
    };
    QUIC.into_iter().map(one).collect()
}

/// An address is asked for and told (RFC 1035 §4.1).
fn dns() -> Template {
    const NAME: &[u8] = b"\x03www\x07example\x04test\x00";
    let question = [b"\x4d\x2a\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00", NAME, b"\x00\x01\x00\x01"].concat();
    let answer = [
        b"\x4d\x2a\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00",
        NAME,
        b"\x00\x01\x00\x01\xc0\x0c\x00\x01\x00\x01\x00\x00\x01\x2c\x00\x04\xc6\x12\x00\x01",
    ];
    Template::new(talk::datagrams(53, &question, &answer.concat()), WAIT)
}
