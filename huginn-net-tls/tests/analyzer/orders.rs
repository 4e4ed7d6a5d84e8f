//! Segments that are late, lost, repeated or of another connection on the same ports.

use huginn_net_core::Analyzer as _;
use huginn_net_tls::ViaKind;
use testkit::packet::{IpHeader as _, Ipv4, Tcp, flags};

use crate::connections::{
    CLIENT, Connection, ISN, JA4, SERVER, SERVER_ISN, hello, retry_request, server_hello,
};
use crate::watch::SECOND;

/// The hello of the tests with another random.
fn other_hello() -> Vec<u8> {
    let mut hello = hello();
    hello[11] ^= 1;
    hello
}

#[test]
fn a_hello_that_begins_within_what_waited_is_found_when_the_gap_closes() {
    let hello = hello();
    let mut connection = Connection::opened();
    connection.sends(6, b"STARTTLS\r\n");
    connection.sends(16, &hello[..100]);
    connection.sends(0, b"EHLO\r\n");
    connection.sends(116, &hello[100..]);
    assert_eq!(connection.watch.ja4(), [JA4]);
}

/// In records of these lengths, and one of the rest.
fn in_records(message: &[u8], lengths: &[usize]) -> Vec<u8> {
    let record = |bytes: &[u8]| [&[22, 3, 1][..], &(bytes.len() as u16).to_be_bytes(), bytes].concat();
    let (mut stream, mut rest) = (Vec::new(), message);
    for &length in lengths {
        let (bytes, behind) = rest.split_at(length);
        stream.extend(record(bytes));
        rest = behind;
    }
    stream.extend(record(rest));
    stream
}

#[test]
fn a_hello_in_short_records_or_behind_another_is_found_without_the_begin_of_its_connection() {
    let message = &hello()[5..];
    let mut behind_change_cipher_spec = vec![20, 3, 1, 0, 1, 1];
    behind_change_cipher_spec.extend(hello());
    let behind_alert = [&[21, 3, 1, 0, 2, 1, 0][..], &hello()].concat();
    let streams = [
        in_records(message, &[1; 100]),
        in_records(message, &[2, 3, 4]),
        in_records(message, &[5]),
        in_records(message, &[0, 6]),
        behind_change_cipher_spec,
        behind_alert,
    ];
    for stream in streams {
        for size in [stream.len(), 100] {
            let mut connection = Connection::new();
            for (index, segment) in stream.chunks(size).enumerate() {
                connection.sends(index * size, segment);
            }
            assert_eq!(connection.watch.ja4(), [JA4], "{:02x?} by {size}", &stream[..12]);
        }
    }
}

#[test]
fn an_encrypted_record_behind_change_cipher_spec_begins_no_hello() {
    let mut connection = Connection::new();
    connection.sends(0, &[&[20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 40][..], &[0; 40]].concat());
    connection.sends(51, &hello());
    assert_eq!(connection.watch.ja4(), [JA4]);
    assert_eq!(connection.watch.stats().malformed, []);
}

#[test]
fn a_hello_behind_a_gap_is_found_when_it_is_complete_whatever_waits_before_it() {
    let hello = hello();
    for cut in [50, 100, hello.len()] {
        let mut connection = Connection::opened();
        connection.sends(6, b"STARTTLS\r\n");
        connection.sends(16, &hello[..cut]);
        if cut < hello.len() {
            connection.sends(16 + cut, &hello[cut..]);
        }
        assert_eq!(connection.watch.ja4(), [JA4], "{cut} bytes, then the rest");
        connection.sends(0, b"EHLO\r\n");
        connection.sends(16, &hello);
        assert_eq!(connection.watch.ja4(), [JA4], "not told again");
    }
}

#[test]
fn a_second_hello_behind_change_cipher_spec_is_found_though_the_first_was_lost() {
    let stream = [&[20, 3, 3, 0, 1, 1][..], &hello()].concat();
    let mut connection = Connection::opened();
    connection.answers(0, &retry_request());
    connection.sends(517, &stream);
    assert_eq!(connection.watch.ja4(), [JA4]);
    let mut connection = Connection::opened();
    connection.sends(517, &stream[..200]);
    connection.watch.analyzer.on_end(&mut |_| panic!("half a hello"));
    assert_eq!(connection.watch.limit("tls_incomplete"), 1, "and if it is not complete, that is told");
}

#[test]
fn a_syn_that_is_late_belongs_to_the_connection_that_it_opened() {
    let hello = hello();
    let mut connection = Connection::new();
    connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
    connection.sends(0, &hello[..100]);
    connection.client(ISN, flags::SYN, b"");
    connection.sends(100, &hello[100..]);
    assert_eq!(connection.watch.ja4(), [JA4], "in the middle of the hello");

    let mut connection = Connection::new();
    connection.sends(0, &hello);
    connection.client(ISN, flags::SYN, b"");
    connection.sends(0, &hello);
    connection.answers(0, &retry_request());
    connection.sends(hello.len(), &hello);
    let indices: Vec<_> = connection.watch.hellos().iter().map(|seen| seen.hello_index).collect();
    assert_eq!(indices, [0, 1], "behind the hello");
}

#[test]
fn data_of_a_syn_are_the_first_bytes_though_the_answer_that_acknowledges_them_was_captured_before() {
    let hello = hello();
    for in_syn in [hello.len(), 100] {
        let (first, rest) = hello.split_at(in_syn);
        let mut connection = Connection::new();
        let acknowledged = (ISN + 1).wrapping_add(in_syn as u32);
        let answer = Tcp::new(443, 40_000).sequence(SERVER_ISN).acknowledgment(acknowledged);
        connection.push(&Ipv4::new(SERVER, CLIENT).tcp(&answer.flags(flags::SYN | flags::ACK)));
        connection.client(ISN, flags::SYN, first);
        if !rest.is_empty() {
            connection.sends(in_syn, rest);
        }
        assert_eq!(connection.watch.ja4(), [JA4], "{in_syn} bytes in the SYN");
    }
}

#[test]
fn a_connection_that_is_over_gives_its_ports_and_its_numbers_to_another() {
    for reset in [true, false] {
        let mut connection = Connection::opened();
        connection.sends(0, &hello());
        if reset {
            connection.client(ISN + 1, flags::RST, b"");
        } else {
            connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
        }
        connection.client(ISN, flags::SYN, b"");
        connection.sends(0, &other_hello());
        connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
        assert_eq!(connection.watch.ja4(), [JA4; 2]);
        assert!(connection.watch.hellos().iter().all(|seen| seen.hello_index == 0));
        assert_eq!(connection.watch.server_hellos().len(), if reset { 1 } else { 2 });
    }
}

#[test]
fn a_connection_that_is_captured_twice_is_told_once() {
    let mut connection = Connection::new();
    for _ in 0..3 {
        connection.open();
        connection.sends(0, &hello());
        connection.answers(0, &retry_request());
        connection.sends(hello().len(), &hello());
        connection.answers(retry_request().len(), &server_hello("openssl-3.0.19-tls1_1-0"));
    }
    assert_eq!(connection.watch.ja4(), [JA4; 2]);
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn an_answer_that_is_captured_again_behind_its_syn_is_told_once() {
    let answer = server_hello("openssl-3.0.19-tls1_1-0");
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    connection.answers(0, &answer);
    for _ in 0..2 {
        connection.client(ISN, flags::SYN, b"");
        connection.answers(0, &answer);
        connection.sends(0, &hello());
        connection.answers(0, &answer);
    }
    assert_eq!((connection.watch.ja4().len(), connection.watch.server_hellos().len()), (1, 1));
}

/// As by a second capture whose clock is late, while the connection still ends in the first one.
#[test]
fn a_reset_between_a_syn_and_a_hello_that_are_captured_again_does_not_make_them_new() {
    let answer = server_hello("openssl-3.0.19-tls1_1-0");
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    connection.answers(0, &answer);
    connection.client(ISN, flags::SYN, b"");
    connection.client(ISN.wrapping_add(1 + hello().len() as u32), flags::RST, b"");
    connection.sends(0, &hello());
    connection.answers(0, &answer);
    assert_eq!((connection.watch.ja4().len(), connection.watch.server_hellos().len()), (1, 1));
    // Another connection, of a host that numbers all of them alike.
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    connection.answers(0, &answer);
    connection.client(ISN, flags::SYN, b"");
    connection.client(ISN.wrapping_add(1), flags::RST, b"");
    connection.sends(0, &other_hello());
    assert_eq!(connection.watch.ja4(), [JA4; 2]);
}

#[test]
fn what_a_reset_ends_is_not_joined_with_the_next_connection_of_the_same_number() {
    let reset = |connection: &mut Connection, sent: usize| {
        connection.client(ISN.wrapping_add(1 + sent as u32), flags::RST, b"");
        connection.client(ISN, flags::SYN, b"");
    };
    for begun in [&other_hello()[..60], b"x", b"CONNECT a.example:443 HTTP/1.1\r\n\r\n"] {
        let mut connection = Connection::opened();
        connection.sends(0, &hello());
        reset(&mut connection, hello().len());
        connection.sends(0, begun);
        reset(&mut connection, begun.len());
        connection.sends(0, &other_hello());
        assert_eq!(connection.watch.ja4(), [JA4; 2], "{begun:?}");
    }
}

#[test]
fn early_data_beyond_what_is_searched_does_not_hide_the_answer() {
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    for at in 0..17 {
        connection.sends(hello().len() + 1_000 * at, &[23; 1_000]);
    }
    connection.answers(0, &server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0"));
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn the_parts_of_an_answer_may_come_in_any_order_before_the_hello_that_asked_is_whole() {
    let (hello, answer) = (hello(), server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0"));
    let (asks, answers) = (hello.split_at(100), answer.split_at(40));
    for order in [["C", "s", "S", "c"], ["C", "s", "c", "S"], ["C", "S", "s", "c"], ["C", "c", "s", "S"]] {
        let mut connection = Connection::opened();
        for part in order {
            match part {
                "C" => connection.sends(0, asks.0),
                "c" => connection.sends(100, asks.1),
                "S" => connection.answers(0, answers.0),
                _ => connection.answers(40, answers.1),
            }
        }
        let watch = &connection.watch;
        assert_eq!((watch.hellos().len(), watch.server_hellos().len()), (1, 1), "{order:?}");
    }
}

#[test]
fn a_request_that_was_given_up_does_not_hide_the_end_of_another() {
    let mut connection = Connection::opened();
    let long = [&b"CONNECT www.example.test:443 HTTP/1.1\r\nx: "[..], &[b'x'; 400]].concat();
    connection.sends(0, &long);
    connection.wait(4 * SECOND);
    let short = b"CONNECT www.example.test:443 HTTP/1.1\r\n\r\n";
    connection.sends(long.len(), &[&short[..], &hello(), &[23; 200]].concat());
    let [seen] = connection.watch.hellos()[..] else { panic!("{:?}", connection.watch.ja4()) };
    assert_eq!(seen.via.as_ref().unwrap().kind, ViaKind::HttpConnect);
}

#[test]
fn a_hello_with_a_cookie_answers_a_retry_that_was_not_captured() {
    let name = "tls/hello/hand-base-tls13.bin";
    let mut hello = std::fs::read(testkit::corpus::path(name)).unwrap();
    // Extension 44: a cookie of one byte in a list of its own length.
    let cookie = [0, 44, 0, 3, 0, 1, 7];
    let extensions = 5 + 4 + 2 + 32 + 1 + usize::from(hello[43]);
    let ciphers = usize::from(u16::from_be_bytes([hello[extensions], hello[extensions + 1]]));
    let extensions = extensions + 2 + ciphers + 2;
    for at in [3, 7, extensions] {
        let length = u16::from_be_bytes([hello[at], hello[at + 1]]) + cookie.len() as u16;
        hello[at..at + 2].copy_from_slice(&length.to_be_bytes());
    }
    hello.extend(cookie);
    let mut connection = Connection::opened();
    connection.sends(0, &hello);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!((seen.hello_index, seen.after_hrr), (0, true));
}

#[test]
fn what_is_known_of_one_direction_alone_is_forgotten_when_it_carries_data() {
    let mut connection = Connection::new();
    connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
    for at in 1..20 {
        connection.answers(1_000 * at, &[23; 1_000]);
    }
    assert_eq!(connection.watch.server_hellos().len(), 1);
    assert_eq!(connection.watch.seen("tls_not_tls"), 0);
    // Nothing is known any more: neither may this be a second answer.
    connection.client(ISN, flags::RST, b"");
    connection.sends(0, &hello());
    assert_eq!(connection.watch.ja4(), [JA4]);
}

#[test]
fn a_server_that_says_much_does_not_end_what_its_client_has_begun() {
    let hello = hello();
    let mut connection = Connection::opened();
    connection.sends(0, &hello[..100]);
    for at in 0..10 {
        connection.answers(1_000 * at, &[b'x'; 1_000]);
    }
    connection.sends(100, &hello[100..]);
    assert_eq!(connection.watch.ja4(), [JA4]);
}

#[test]
fn a_hello_that_waited_tells_its_own_packets() {
    let hello = hello();
    let mut connection = Connection::opened();
    connection.sends(10, &hello[..100]);
    connection.sends(110, &hello[100..]);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!((seen.first.frame, seen.origin.frame, seen.packets), (3, 4, 2), "a gap before it");

    let mut connection = Connection::opened();
    connection.sends(16, &hello[..100]);
    connection.sends(6, b"STARTTLS\r\n");
    connection.sends(0, b"EHLO\r\n");
    connection.sends(116, &hello[100..]);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!((seen.first.frame, seen.origin.frame, seen.packets), (3, 6, 2), "others before it");
}

#[test]
fn sixteen_preambles_are_read_and_no_more() {
    let request = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
    for (preambles, hellos) in [(16, 1), (17, 0)] {
        let mut connection = Connection::opened();
        connection.sends(0, &[&request.repeat(preambles)[..], &hello()].concat());
        assert_eq!(connection.watch.hellos().len(), hellos, "{preambles}");
    }
}

#[test]
fn a_syn_ack_that_is_sent_again_belongs_to_its_connection_whoever_is_the_client_of_tls() {
    let hello = hello();
    let mut connection = Connection::opened();
    connection.answers(0, &hello[..100]);
    connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
    connection.answers(100, &hello[100..]);
    connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
    connection.answers(0, &hello);
    assert_eq!(connection.watch.ja4(), [JA4]);
}
