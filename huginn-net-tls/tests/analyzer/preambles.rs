//! Every preamble from packets: what the client sends, what it is answered, and its hello.

use huginn_net_tls::ViaKind;

use crate::connections::{Connection, JA4, hello, retry_request, server_hello};

/// A preamble as its two ends say it in turn, the client first.
struct Dialog {
    kind: ViaKind,
    turns: Vec<Vec<u8>>,
    source: Option<&'static str>,
    destination: Option<&'static str>,
}

impl Dialog {
    fn new<const N: usize>(
        kind: ViaKind,
        turns: [&[u8]; N],
        source: Option<&'static str>,
        destination: Option<&'static str>,
    ) -> Self {
        Self { kind, turns: turns.map(<[u8]>::to_vec).to_vec(), source, destination }
    }

    /// What the client sends if it waits for no answer.
    fn unanswered(&self) -> Vec<u8> {
        self.turns.iter().step_by(2).flatten().copied().collect()
    }
}

fn dialogs() -> Vec<Dialog> {
    let proxy_v2 = [
        &b"\r\n\r\n\0\r\nQUIT\n"[..],
        &[0x21, 0x11, 0, 16, 203, 0, 113, 7, 192, 0, 2, 1, 0xc8, 0x22, 0x01, 0xbb],
        // An extension of one byte.
        &[0x04, 0, 1, 9],
    ]
    .concat();
    let mysql = [&[32, 0, 0, 1, 0x00, 0x08][..], &[0; 30]].concat();
    let socks5_name = b"\x05\x01\x00\x03\x10www.example.test\x01\xbb";
    let socks5_v6 = [&[5, 1, 0, 4][..], &[0x20, 0x01, 0x0d, 0xb8], &[0; 11], &[1], &[0x01, 0xbb]].concat();
    let granted = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00";
    let name = Some("www.example.test:443");
    let address = Some("192.0.2.1:443");
    vec![
        Dialog::new(
            ViaKind::ProxyV1,
            [b"PROXY TCP4 203.0.113.7 192.0.2.1 51234 443\r\n"],
            Some("203.0.113.7:51234"),
            address,
        ),
        Dialog::new(ViaKind::ProxyV2, [&proxy_v2], Some("203.0.113.7:51234"), address),
        Dialog::new(
            ViaKind::HttpConnect,
            [b"CONNECT www.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"],
            None,
            name,
        ),
        Dialog::new(
            ViaKind::HttpConnect,
            [b"CONNECT www.example.test:443 HTTP/1.0\n\n", b"HTTP/1.0 200 OK\n\n"],
            None,
            name,
        ),
        Dialog::new(
            ViaKind::Socks4,
            [b"\x04\x01\x01\xbb\xc0\x00\x02\x01user\0", b"\0\x5a\0\0\0\0\0\0"],
            None,
            address,
        ),
        Dialog::new(
            ViaKind::Socks4,
            [b"\x04\x01\x01\xbb\x00\x00\x00\x01\0www.example.test\0", b"\0\x5a\0\0\0\0\0\0"],
            None,
            name,
        ),
        Dialog::new(ViaKind::Socks5, [b"\x05\x01\x00", b"\x05\x00", socks5_name, granted], None, name),
        Dialog::new(
            ViaKind::Socks5,
            [b"\x05\x02\x00\x02", b"\x05\x02", b"\x01\x04user\x06secret", b"\x01\x00", socks5_name, granted],
            None,
            name,
        ),
        Dialog::new(
            ViaKind::Socks5,
            [b"\x05\x01\x00", b"\x05\x00", b"\x05\x01\x00\x01\xc0\x00\x02\x01\x01\xbb", granted],
            None,
            address,
        ),
        Dialog::new(
            ViaKind::Socks5,
            [b"\x05\x01\x00", b"\x05\x00", &socks5_v6, granted],
            None,
            Some("[2001:db8::1]:443"),
        ),
        Dialog::new(ViaKind::Postgres, [b"\0\0\0\x08\x04\xd2\x16\x2f", b"S"], None, None),
        Dialog::new(
            ViaKind::Postgres,
            [b"\0\0\0\x08\x04\xd2\x16\x30", b"N", b"\0\0\0\x08\x04\xd2\x16\x2f", b"S"],
            None,
            None,
        ),
        Dialog::new(ViaKind::Mysql, [&mysql], None, None),
        Dialog::new(
            ViaKind::Rdp,
            [b"\x03\0\0\x13\x0e\xe0\0\0\0\0\0\x01\0\x08\0\x03\0\0\0", b"\x03\0\0\x0b\x06\xd0\0\0\x12\x34\0"],
            None,
            None,
        ),
        Dialog::new(
            ViaKind::Ldap,
            [b"\x30\x1d\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037", b"\x30\x0c"],
            None,
            None,
        ),
        // With lengths as programs of Windows write them.
        Dialog::new(
            ViaKind::Ldap,
            [b"\x30\x84\0\0\0\x21\x02\x01\x01\x77\x84\0\0\0\x18\x80\x161.3.6.1.4.1.1466.20037", b"\x30\x0c"],
            None,
            None,
        ),
        Dialog::new(
            ViaKind::Tds,
            [&tds_request(), b"\x04\x01\0\x0e\0\0\x01\0\0\0\x06\0\0\xff", &tds_header(&hello())],
            None,
            None,
        ),
    ]
}

/// A request of TDS for encryption, with the options of the version and of that.
fn tds_request() -> Vec<u8> {
    let options = [&[0, 0, 11, 0, 6][..], &[1, 0, 17, 0, 1], &[0xff]];
    let values = [&[16, 0, 0, 0, 0, 0][..], &[1]];
    [&[0x12, 1, 0, 26, 0, 0, 1, 0][..], &options.concat(), &values.concat()].concat()
}

/// What stands before a record in TDS.
fn tds_header(record: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(8 + record.len()).expect("a short record").to_be_bytes();
    vec![0x12, 1, high, low, 0, 0, 0, 0]
}

fn check(dialog: &Dialog, connection: &Connection, how: &str) {
    let kind = dialog.kind;
    assert_eq!(connection.watch.ja4(), [JA4], "{kind:?} {how}");
    let [seen] = connection.watch.hellos()[..] else { panic!("{kind:?} {how}") };
    let Some(via) = &seen.via else { panic!("{kind:?} {how}") };
    assert_eq!(via.kind, kind, "{how}");
    assert_eq!(via.source.map(|source| source.to_string()).as_deref(), dialog.source, "{kind:?} {how}");
    let destination = via.destination.as_ref().map(ToString::to_string);
    assert_eq!(destination.as_deref(), dialog.destination, "{kind:?} {how}");
}

#[test]
fn a_preamble_that_is_answered_is_told_with_the_hello_behind_it() {
    for dialog in dialogs() {
        for step in [usize::MAX, 1, 5] {
            let mut connection = Connection::opened();
            let mut sent = [0, 0];
            for (turn, bytes) in dialog.turns.iter().enumerate() {
                let end = turn % 2;
                for part in bytes.chunks(step.min(bytes.len())) {
                    if end == 0 {
                        connection.sends(sent[0], part);
                    } else {
                        connection.answers(sent[1], part);
                    }
                    sent[end] += part.len();
                }
            }
            connection.sends(sent[0], &hello());
            check(&dialog, &connection, &format!("in pieces of {step}"));
        }
    }
}

#[test]
fn a_preamble_that_waits_for_no_answer_is_told_however_it_is_cut() {
    for dialog in dialogs() {
        let preamble = dialog.unanswered();
        let stream = [&preamble[..], &hello()].concat();
        for cut in 1..stream.len() {
            let mut connection = Connection::opened();
            // In the wrong order too, but for a hello that is whole in front of its preamble: it waits for nothing.
            let keeps_order = cut % 2 == 0 || cut == preamble.len();
            let parts = [(0, &stream[..cut]), (cut, &stream[cut..])];
            for (at, part) in if keeps_order { parts } else { [parts[1], parts[0]] } {
                connection.sends(at, part);
            }
            check(&dialog, &connection, &format!("cut at {cut}"));
        }
        let mut connection = Connection::opened();
        connection.sends(0, &stream);
        check(&dialog, &connection, "in one segment");
    }
}

#[test]
fn a_hello_that_a_preamble_carries_is_not_that_of_the_connection() {
    let hello = hello();
    let length = |bytes: usize| u16::try_from(bytes).expect("a short hello").to_be_bytes();
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11".to_vec();
    header.extend(length(12 + 3 + hello.len()));
    header.extend([192, 0, 2, 1, 192, 0, 2, 2, 0x9c, 0x40, 0x01, 0xbb, 0xe0]);
    header.extend(length(hello.len()));
    header.extend(&hello);
    for cut in 1..header.len() {
        let mut connection = Connection::opened();
        connection.sends(0, &header[..cut]);
        connection.sends(cut, &header[cut..]);
        connection.sends(header.len(), &hello);
        let dialog = Dialog::new(ViaKind::ProxyV2, [&header], Some("192.0.2.1:40000"), Some("192.0.2.2:443"));
        check(&dialog, &connection, &format!("cut at {cut}"));
    }
}

#[test]
fn hellos_in_packets_of_tds_are_found_without_their_request_and_again_behind_a_retry() {
    let packet = |record: &[u8]| [&tds_header(record)[..], record].concat();
    let answer = packet(&server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0"));
    let first = packet(&hello());

    let mut connection = Connection::opened();
    connection.sends(26, &first);
    connection.answers(14, &answer);
    let dialog = Dialog::new(ViaKind::Tds, [], None, None);
    check(&dialog, &connection, "what was asked and answered before was not captured");
    assert_eq!(connection.watch.server_hellos().len(), 1);

    let mut connection = Connection::opened();
    let retry = packet(&retry_request());
    connection.sends(0, &tds_request());
    connection.sends(26, &first);
    connection.answers(0, &retry);
    let change_cipher_spec = packet(&[20, 3, 3, 0, 1, 1]);
    connection.sends(26 + first.len(), &change_cipher_spec);
    connection.sends(26 + first.len() + change_cipher_spec.len(), &first);
    connection.answers(retry.len(), &answer);
    let told: Vec<_> =
        connection.watch.hellos().iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect();
    assert_eq!(told, [(0, false), (1, true)]);
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn every_kind_of_preamble_is_among_these() {
    let mut kinds: Vec<_> = dialogs().iter().map(|dialog| dialog.kind.name()).collect();
    kinds.dedup();
    let named = [
        "proxy_v1",
        "proxy_v2",
        "http_connect",
        "socks4",
        "socks5",
        "postgresql",
        "mysql",
        "rdp",
        "ldap",
        "tds",
    ];
    assert_eq!(kinds, named);
}

#[test]
fn of_several_proxies_the_last_one_asked_tells_where_a_hello_goes_and_the_first_header_who_sends_it() {
    let connect = |host: &str| format!("CONNECT {host}.test:443 HTTP/1.1\r\n\r\n");
    let header = |host: u8| format!("PROXY TCP4 203.0.113.{host} 192.0.2.{host} 1 443\r\n");
    let seen = |requests: &[String]| {
        let mut connection = Connection::opened();
        let (mut sent, mut answered) = (0, 0);
        for request in requests {
            connection.sends(sent, request.as_bytes());
            sent += request.len();
            if request.starts_with('C') {
                let answer = b"HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n";
                connection.answers(answered, answer);
                answered += answer.len();
            }
        }
        connection.sends(sent, &hello());
        let [seen] = connection.watch.hellos()[..] else { panic!("{:?}", connection.watch.ja4()) };
        let via = seen.via.clone().unwrap();
        (via.kind, via.destination.unwrap().to_string())
    };
    let refused = seen(&[connect("refused"), connect("reached")]);
    assert_eq!(refused, (ViaKind::HttpConnect, "reached.test:443".to_owned()));
    // Greeting, and a request for 7 bytes of name at port 283.
    let socks = |host: &str| format!("\x05\x01\0\x05\x01\0\x03\x07{host}.test\x01{}", '\x1b');
    assert_eq!(
        seen(&[socks("p1"), connect("reached")]),
        refused,
        "the second proxy, asked through the first"
    );
    let reached = (ViaKind::Socks5, "p1.test:283".to_owned());
    assert_eq!(seen(&[connect("p2"), socks("p1")]), reached);
    let headers = seen(&[header(1), header(2)]);
    assert_eq!(headers, (ViaKind::ProxyV1, "192.0.2.1:443".to_owned()));
    assert_eq!(seen(&[header(1), connect("reached")]), headers);
}
