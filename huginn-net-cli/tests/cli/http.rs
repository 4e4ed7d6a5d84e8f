//! Heads of HTTP through the command.

use std::fs;

use serde_json::{Value, json};
use testkit::capture::{Capture, Endian};
use testkit::container::{Pcap, pcap};
use testkit::corpus::{self, Table};
use testkit::encap::link::{self, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};

use crate::run::{records_of, run, run_with_stdin};

const REQUEST: &str = "huginn.http.request";
const RESPONSE: &str = "huginn.http.response";

/// A connection whose client has the stack of Windows 10 or later.
fn of_windows(request: &[u8]) -> Vec<u8> {
    let ip = || Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).ttl(128).dont_fragment(true).identification(7);
    let options =
        [TcpOption::Mss(1_460), TcpOption::Nop, TcpOption::WindowScale(8), TcpOption::Nop, TcpOption::Nop];
    let options = options.into_iter().chain([TcpOption::SackPermitted]);
    let syn = Tcp::new(40_000, 80).sequence(100).flags(flags::SYN).window(64_240).options(options);
    let data = Tcp::new(40_000, 80).sequence(101).flags(flags::ACK | flags::PSH).payload(request);
    capture([syn, data].map(|segment| link::ethernet(&ip().tcp(&segment))))
}

fn capture(frames: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let capture = Capture::of_frames(link_type::ETHERNET, frames);
    pcap(Pcap::Nanos, Endian::Little, &capture)
}

fn request_in(pcap: &[u8]) -> Value {
    let finished = run_with_stdin(["read", "-q", "-o", "json", "-"], pcap);
    let requests = records_of(&finished.stdout, REQUEST);
    let [request] = &requests[..] else { panic!("{requests:?}") };
    request.clone()
}

/// Other than in p0f, which has numbers for all names in its signature file.
#[test]
fn what_a_signature_shows_of_a_value_does_not_depend_on_names_in_signature_files() {
    let pcap = of_windows(b"GET / HTTP/1.1\r\nHost: h\r\nDNT: 1|x\r\nAccept: a|b\r\n\r\n");
    let signature = request_in(&pcap)["huginn.http.signature"].clone();
    assert!(signature.as_str().unwrap().starts_with("1:Host,DNT=[1|x],Accept=[a]:"), "{signature}");
}

#[test]
fn signatures_of_vectors_are_those_of_p0f_where_it_is_right() {
    let table = Table::open("http/index.tsv");
    let mut compared = 0;
    for row in table.rows().filter(|row| row.field("required") == "=") {
        let path = format!("pcaps/http/{}", row.field("pcap"));
        let finished = run(["read", "-q", "--only", "http", "-o", "json", &path]);
        assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""), "{path}");
        let mut seen: Vec<_> = [REQUEST, RESPONSE]
            .into_iter()
            .flat_map(|dataset| records_of(&finished.stdout, dataset))
            .filter_map(|record| Some(record["huginn.http.signature"].as_str()?.to_owned()))
            .collect();
        let mut expected: Vec<_> =
            row.field("raw_sig").split(" ; ").filter(|text| !text.is_empty()).collect();
        seen.sort();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{path}");
        compared += seen.len();
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn starts_of_http2_come_with_their_fingerprints() {
    let table: Value =
        serde_json::from_slice(&fs::read(corpus::path("http2/clients.json")).unwrap()).unwrap();
    let is_recorded = |bytes: &[u8]| bytes.starts_with(b"PRI * HTTP/2.0");
    let of_vector = |vector: &Value| {
        let expected = &vector["expected"];
        let bytes = fs::read(corpus::path("http2").join(vector["file"].as_str()?)).ok()?;
        let pair = (expected["akamai"].as_str()?.to_owned(), expected["akamai_md5"].as_str()?.to_owned());
        is_recorded(&bytes).then_some((bytes, pair))
    };
    let vectors: Vec<_> = table["vectors"].as_array().unwrap().iter().filter_map(of_vector).collect();
    assert!(vectors.len() > 100, "{}", vectors.len());
    let frames = vectors.iter().zip(1_u16..).flat_map(|((bytes, _), port)| {
        let mut sequence = 1;
        bytes.chunks(1_000).map(move |chunk| {
            let segment = Tcp::new(port, 80).sequence(sequence).flags(flags::ACK).payload(chunk);
            sequence += u32::try_from(chunk.len()).unwrap();
            link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment))
        })
    });
    let finished = run_with_stdin(["read", "-q", "--only", "http", "-o", "json", "-"], &capture(frames));
    let requests = records_of(&finished.stdout, REQUEST);
    for ((_, (akamai, hash)), port) in vectors.iter().zip(1_u16..) {
        let of_client = |request: &&Value| request["source.port"] == port;
        let first = requests.iter().find(of_client).unwrap_or_else(|| panic!("{port}: no request"));
        assert_eq!(first["huginn.http.akamai"], *akamai);
        assert_eq!(first["huginn.http.akamai_hash"], *hash);
        assert_eq!((&first["http.version"], first.get("huginn.http.signature")), (&json!("2"), None));
    }
}

#[test]
fn a_user_agent_of_another_system_than_the_syn_is_a_contradiction() {
    let with = |system: &str| {
        let head = format!(
            "GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: Mozilla/5.0 ({system}) Gecko/20100101 Firefox/150.0\r\n\r\n"
        );
        let flags = request_in(&of_windows(head.as_bytes()))["huginn.flags"].clone();
        flags.as_array().is_some_and(|flags| flags.contains(&json!("os_contradiction")))
    };
    assert!(!with("Windows NT 10.0; Win64; x64; rv:150.0"));
    assert!(with("X11; Linux x86_64; rv:150.0"));
    assert!(!with("Haiku x86_64; rv:150.0"));
}

#[test]
fn bytes_of_the_wire_are_kept_whatever_they_are() {
    let head = b"GET /\xff HTTP/1.1\r\nHost: b\xc3\xbc.example:8080\r\nX-\xe4: 1\r\nUser-Agent: a\tb\x1b[31m\r\n\r\n";
    let pcap = of_windows(head);
    let request = request_in(&pcap);
    assert_eq!(request["url.original"], "/\u{ff}");
    assert_eq!(request["url.original_b64"], "L/8=");
    assert_eq!((&request["url.domain"], request.get("url.domain_b64")), (&json!("bü.example"), None));
    assert_eq!(request["huginn.http.header_names"], json!(["Host", "X-ä", "User-Agent"]));
    assert_eq!(request["huginn.http.header_names_b64"], json!(["SG9zdA==", "WC3k", "VXNlci1BZ2VudA=="]));
    assert_eq!(request["user_agent.original"], "a\tb\u{1b}[31m");
    let text = run_with_stdin(["read", "-q", "--only", "http", "-"], &pcap).stdout;
    assert_eq!(text.lines().count(), 1);
    assert!(!text.trim_end().contains(|c: char| c.is_control()), "{text:?}");
}

#[test]
fn lines_name_the_program_what_it_asks_for_and_the_signature() {
    let finished = run(["read", "-q", "--only", "http", "pcaps/http/h01_basic.pcap"]);
    let signature = "1:Host,User-Agent,Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:";
    let lines: Vec<_> = finished.stdout.lines().collect();
    assert!(
        lines[0].contains("  REQUEST  curl or another program with libcurl  generic  GET ")
            && lines[0].contains(signature),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("  RESPONSE  nginx  exact  200  1:Server,Date,"), "{}", lines[1]);
    assert_eq!(lines.len(), 2);
}

#[test]
fn the_summary_counts_heads() {
    let finished = run(["read", "-o", "json", "pcaps/real/browsers_net.pcap"]);
    assert!(
        finished.stderr.contains("\n  HTTP client  17, 17 named\n  HTTP server  17, 17 named\n"),
        "{}",
        finished.stderr
    );
}
