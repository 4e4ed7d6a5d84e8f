use super::*;

const PROXY_V1: &[u8] = b"PROXY ";
const PROXY_V2: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

fn address(text: &str) -> ViaTarget {
    ViaTarget::Address(text.parse().unwrap())
}

fn name(host: &str, port: Option<u16>) -> ViaTarget {
    ViaTarget::Name { host: host.as_bytes().into(), port }
}

/// Reads a preamble with a hello behind it, cut at every byte, and whole.
fn read(preamble: &[u8]) -> Option<Via> {
    let mut preambles = Preambles::default();
    for length in 1..preamble.len() {
        assert_eq!(preambles.read(&preamble[..length]), Preamble::NeedMore, "{length} bytes");
    }
    let with_hello = [preamble, b"\x16\x03\x01"].concat();
    match preambles.read(&with_hello) {
        Preamble::Complete(length, via) if length == preamble.len() => via,
        other => panic!("{other:?}"),
    }
}

fn refused(bytes: &[u8]) {
    assert_eq!(Preambles::default().read(bytes), Preamble::None, "{}", bytes.escape_ascii());
}

#[test]
fn proxy_v1_tells_both_ends() {
    let via = read(b"PROXY TCP4 203.0.113.7 192.0.2.1 51234 443\r\n").unwrap();
    assert_eq!(via.kind, ViaKind::ProxyV1);
    assert_eq!(via.source, Some("203.0.113.7:51234".parse().unwrap()));
    assert_eq!(via.destination, Some(address("192.0.2.1:443")));
    let via = read(b"PROXY TCP6 2001:db8::7 2001:db8::1 51234 443\r\n").unwrap();
    assert_eq!(via.source, Some("[2001:db8::7]:51234".parse().unwrap()));
    let via = read(b"PROXY UNKNOWN\r\n").unwrap();
    assert_eq!((via.source, via.destination), (None, None));
    for nobody in ["UNKNOWN 203.0.113.7 192.0.2.1 51234 443", "TCP4 2001:db8::7 2001:db8::1 51234 443"] {
        let via = read(format!("PROXY {nobody}\r\n").as_bytes()).unwrap();
        assert_eq!((via.source, via.destination), (None, None), "{nobody}");
    }
    refused(&[b"PROXY ".as_slice(), &[b'x'; 101]].concat());
}

#[test]
fn proxy_v2_tells_both_ends_and_passes_over_what_follows_them() {
    let v2 = |rest: &[u8]| [PROXY_V2, rest].concat();
    let four = b"\x21\x11\x00\x0f\xcb\x00\x71\x07\xc0\x00\x02\x01\xc8\x22\x01\xbb\x04\x00\x00";
    let via = read(&v2(four)).unwrap();
    assert_eq!(via.kind, ViaKind::ProxyV2);
    assert_eq!(via.source, Some("203.0.113.7:51234".parse().unwrap()));
    assert_eq!(via.destination, Some(address("192.0.2.1:443")));
    let mut six = v2(b"\x21\x21\x00\x24");
    six.extend([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    six.extend([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    six.extend([0xc8, 0x22, 0x01, 0xbb]);
    assert_eq!(read(&six).unwrap().source, Some("[2001:db8::7]:51234".parse().unwrap()));
    let local = read(&v2(b"\x20\x11\x00\x0c\xcb\x00\x71\x07\xc0\x00\x02\x01\xc8\x22\x01\xbb")).unwrap();
    assert_eq!((local.source, local.destination), (None, None), "a health check of the proxy itself");
    refused(&v2(b"\x11\x11\x00\x00"));
    refused(&v2(b"\x21\x11\x08\x01"));
}

#[test]
fn connect_tells_what_the_client_wants_to_reach() {
    let request = b"CONNECT www.example.test:443 HTTP/1.1\r\nHost: www.example.test:443\r\n\r\n";
    let via = read(request).unwrap();
    assert_eq!(via.kind, ViaKind::HttpConnect);
    assert_eq!(via.destination, Some(name("www.example.test", Some(443))));
    let target =
        |text: &str| read(format!("CONNECT {text} HTTP/1.1\r\n\r\n").as_bytes()).unwrap().destination;
    assert_eq!(target("[2001:db8::1]:8443"), Some(address("[2001:db8::1]:8443")));
    assert_eq!(target("192.0.2.1:443"), Some(address("192.0.2.1:443")));
    assert_eq!(target("www.example.test"), Some(name("www.example.test", None)));
    assert_eq!(target("www.example.test:99999"), Some(name("www.example.test:99999", None)));
    let via = read(b"CONNECT \xff\x00:1 HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(via.destination.unwrap().to_string(), "\\xff\\x00:1");
    let endless = [CONNECT, &[b'x'; MAX_CONNECT]].concat();
    refused(&endless);
}

#[test]
fn lines_of_connect_may_end_without_a_carriage_return() {
    for request in ["CONNECT a:1 HTTP/1.0\n\n", "CONNECT a:1\r\nHost: b\n\r\n", "CONNECT a:1\n\r\n"] {
        let via = read(request.as_bytes()).unwrap();
        assert_eq!(via.destination, Some(name("a", Some(1))), "{request:?}");
    }
    assert_eq!(end_of_head(b"a\n\rb\r\n"), None);
}

#[test]
fn socks4_tells_an_address_and_4a_a_name() {
    let via = read(b"\x04\x01\x01\xbb\xc0\x00\x02\x01user\x00").unwrap();
    assert_eq!((via.kind, via.destination), (ViaKind::Socks4, Some(address("192.0.2.1:443"))));
    let via = read(b"\x04\x01\x01\xbb\x00\x00\x00\x01\x00www.example.test\x00").unwrap();
    assert_eq!(via.destination, Some(name("www.example.test", Some(443))));
    refused(b"\x04\x03\x01\xbb");
    refused(&[&b"\x04\x01\x01\xbb\xc0\x00\x02\x01"[..], &[b'x'; 256]].concat());
}

#[test]
fn socks5_greets_before_it_requests() {
    let mut preambles = Preambles::default();
    // A greeting of one method is also the begin of a request.
    assert_eq!(preambles.read(b"\x05\x01\x02\x05"), Preamble::Complete(3, None));
    assert_eq!(preambles.read(b"\x01\x04user\x06secret"), Preamble::Complete(13, None));
    let mut via = |request: &[u8]| match preambles.read(request) {
        Preamble::Complete(length, Some(via)) if length == request.len() => (via.kind, via.destination),
        other => panic!("{other:?}"),
    };
    let by_name = via(b"\x05\x01\x00\x03\x10www.example.test\x01\xbb");
    assert_eq!(by_name, (ViaKind::Socks5, Some(name("www.example.test", Some(443)))));
    assert_eq!(via(b"\x05\x01\x00\x01\xc0\x00\x02\x01\x01\xbb").1, Some(address("192.0.2.1:443")));
    let six = b"\x05\x01\x00\x04\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\xbb";
    assert_eq!(via(six).1, Some(address("[2001:db8::1]:443")));
    assert_eq!(preambles.read(b"\x05\x09\x00\x01"), Preamble::None);
    refused(b"\x05\x00");
    // Of another protocol, as DNP3 is: nobody offers a hundred methods.
    refused(b"\x05\x64");
    refused(b"\x01\x04user");
}

#[test]
fn databases_ask_for_encryption() {
    assert_eq!(read(SSL_REQUEST).unwrap().kind, ViaKind::Postgres);
    assert_eq!(read(GSS_REQUEST).unwrap().kind, ViaKind::Postgres);
    refused(b"\x00\x00\x00\x08\x04\xd2\x16\x2e");
    let mut request = vec![32, 0, 0, 1, 0x85, 0xaa, 0xbf, 0, 0, 0, 0, 1, 45];
    request.resize(36, 0);
    assert_eq!(read(&request).unwrap().kind, ViaKind::Mysql);
    request[5] &= !0x08;
    refused(&request);
}

#[test]
fn clients_of_sql_server_ask_for_encryption_and_wrap_their_hello() {
    let tds = |body: &[u8]| [&[0x12, 1, 0, 8 + u8::try_from(body.len()).unwrap(), 0, 0, 1, 0], body].concat();
    let version = b"\0\0\x06\0\x06\xff\x10\0\0\0\0\0";
    assert_eq!(read(&tds(version)).unwrap().kind, ViaKind::Tds);
    let hello = tds(b"\x16\x03\x01\0\x06\x01\0\0\x02\x03\x03");
    let via = Some(Via::of(ViaKind::Tds));
    for cut in 1..14 {
        assert_eq!(Preambles::default().read(&hello[..cut]), Preamble::NeedMore, "{cut} bytes");
    }
    assert_eq!(Preambles::default().read(&hello), Preamble::Complete(8, via));
    // A hello that goes on in another packet, whose header would be in its middle, and what a server says.
    refused(&tds(b"\x16\x03\x01\0\x07\x01\0\0\x03\x03\x03"));
    refused(&tds(b"\x16\x03\x01\0\x06\x02\0\0\x02\x03\x03"));
    // The first option is another; the value of the version would be among the options, or outside of the packet.
    refused(&tds(b"\x01\0\x06\0\x01\xff\x01"));
    refused(&tds(b"\0\0\x05\0\x06\xff\x10\0\0\0\0\0"));
    refused(&tds(b"\0\0\x0c\0\x06\xff\x10\0\0\0\0\0"));
    // Another status, a packet shorter than its header and one that is too long, a window.
    for (at, byte) in [(1, 2), (3, 7), (2, 0x11), (7, 1)] {
        let mut packet = tds(version);
        packet[at] = byte;
        refused(&packet);
    }
}

#[test]
fn remote_desktops_ask_for_encryption() {
    let request = b"\x03\x00\x00\x13\x0e\xe0\x00\x00\x00\x00\x00\x01\x00\x08\x00\x01\x00\x00\x00";
    assert_eq!(read(request), Some(Via::of(ViaKind::Rdp)));
    refused(b"\x03\x00\x00\x13\x0d\xe0");
    refused(b"\x03\x00\x00\x13\x0e\xf0");
    // A code outside of the request that is announced.
    refused(b"\x03\x00\x00\x06\x00\xe0");
    refused(b"\x03\x00\x00\x05\x00\xe0");
    refused(b"\x03\x01\x00\x13");
}

#[test]
fn directories_are_asked_for_encryption() {
    let name = b"\x80\x161.3.6.1.4.1.1466.20037";
    for head in [&b"\x30\x1d\x02\x01\x07\x77\x18"[..], b"\x30\x81\x1f\x02\x02\x07\x07\x77\x81\x18"] {
        let via = read(&[head, name].concat());
        assert_eq!(via, Some(Via::of(ViaKind::Ldap)), "{head:02x?}");
    }
    // Another name of that length, more than the name, a message without a number, a search.
    refused(&[b"\x30\x1d\x02\x01\x07\x77\x18", &name[..23], b"8"].concat());
    refused(&[b"\x30\x1f\x02\x01\x07\x77\x18", &name[..], b"\xa0\x00"].concat());
    refused(b"\x30\x1a\x77\x18");
    refused(b"\x30\x1d\x02\x01\x07\x63\x18");
}

#[test]
fn the_end_of_a_request_is_found_without_reading_it_again() {
    let mut preambles = Preambles::default();
    let request = [CONNECT, &[b'x'; 4_000], b"\r\n\r\n"].concat();
    for length in 8..request.len() {
        assert_eq!(preambles.read(&request[..length]), Preamble::NeedMore);
        assert_eq!(preambles.searched, length);
    }
    assert!(matches!(preambles.read(&request), Preamble::Complete(4_012, Some(_))));
}

#[test]
fn only_what_is_like_nothing_else_is_recognised_anywhere() {
    let ssl_of_mysql = [&[32, 0, 0, 1, 0x85, 0xae, 0xff, 0x01, 0, 0, 0, 1, 45][..], &[0; 23]].concat();
    for distinct in [PROXY_V1, PROXY_V2, CONNECT, SSL_REQUEST, GSS_REQUEST, &ssl_of_mysql] {
        assert!(is_distinct(distinct));
        assert!(!is_distinct(&distinct[..distinct.len() - 1]));
    }
    let hello_of_tds = b"\x12\x01\0\x13\0\0\x01\0\x16\x03\x01\0\x06\x01";
    assert!(is_distinct(hello_of_tds) && !is_distinct(&hello_of_tds[..13]));
    assert!(!is_distinct(b"\x04\x01\x01\xbb\xc0\x00\x02\x01\x00"));
    let without_ssl = [&[32, 0, 0, 1, 0x85, 0xa6][..], &[0; 30]].concat();
    assert!(!is_distinct(&without_ssl));
    assert!(!is_distinct(b""));
}
