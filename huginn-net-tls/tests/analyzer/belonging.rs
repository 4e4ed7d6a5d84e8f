//! Which connection a segment belongs to, which end of it is the client, and what ends it.

use huginn_net_core::{Analyzer, Frame, LinkType, Packet};
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::connections::{
    CLIENT, Connection, ISN, JA4, SERVER, SERVER_ISN, hello, retry_request, server_hello,
};
use crate::watch::{MILLISECOND, SECOND};

#[test]
fn ports_that_are_used_again_begin_again_with_or_without_a_syn() {
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.sends(0, &hello);
    connection.client(0x7000_0000, flags::SYN, b"");
    connection.client(0x7000_0001, flags::ACK, &hello);
    connection.client(0x1234_5678, flags::ACK, &hello);
    connection.client(0xf234_5678, flags::ACK, &hello);
    assert_eq!(connection.watch.ja4(), [JA4; 4]);
    assert!(connection.watch.hellos().iter().all(|seen| seen.hello_index == 0));
}

/// Nothing else is captured in between. A capture may have the begin of neither, or only the answer of the server.
#[test]
fn a_connection_with_the_same_numbers_is_another_one_once_the_first_is_forgotten() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    let told = |copies: &[(u32, u64)]| {
        let mut connection = Connection::new();
        for &(from, wait) in copies {
            connection.wait(wait * SECOND);
            if from == 0 {
                connection.client(ISN, flags::SYN, b"");
            }
            if from < 2 {
                connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
            }
            connection.sends(0, &hello);
            connection.answers(0, &answer);
        }
        (connection.watch.hellos().len(), connection.watch.server_hellos().len())
    };
    for (from, next_from) in [(0, 0), (1, 1), (2, 2), (0, 2), (2, 0), (1, 0)] {
        assert_eq!(told(&[(from, 0)]), (1, 1), "{from}");
        assert_eq!(told(&[(from, 0), (next_from, 29)]), (1, 1), "{from}, {next_from}: sent again");
        for late in [31, 3_700, 100_000] {
            let twice = told(&[(from, 0), (next_from, late)]);
            assert_eq!(twice, (2, 2), "{from}, {next_from} after {late} seconds");
        }
    }
}

#[test]
fn how_long_an_ended_connection_is_known_does_not_depend_on_the_others() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    let run = |others: u16| {
        let mut connection = Connection::opened();
        connection.sends(0, &hello);
        connection.answers(0, &answer);
        // Nearly every place of the filter is taken.
        for port in 0..others {
            let syn = Tcp::new(port, 443).flags(flags::SYN);
            connection.watch.datagram(&Ipv4::new([10, 0, 0, 3], SERVER).tcp(&syn), 20 * SECOND);
        }
        connection.wait(25 * SECOND);
        connection.sends(hello.len(), b"of something else");
        connection.wait(20 * SECOND);
        connection.sends(0, &hello);
        connection.watch.hellos().len()
    };
    assert_eq!((run(0), run(32_000)), (2, 2));
}

#[test]
fn a_syn_or_a_reset_in_the_middle_ends_a_hello() {
    for flag in [flags::SYN, flags::RST] {
        let (hello, mut connection) = (hello(), Connection::opened());
        connection.sends(0, &hello[..100]);
        connection.client(77, flag, b"");
        connection.sends(100, &hello[100..]);
        assert_eq!(connection.watch.ja4(), [""; 0]);
    }
}

#[test]
fn what_a_server_sent_before_a_reset_of_its_client_reached_it_is_told_once() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    for split in [0, 20] {
        let mut connection = Connection::opened();
        connection.sends(0, &hello);
        connection.answers(0, &answer[..split]);
        // Behind bytes that were not captured, and of whoever sends more than one.
        connection.client(ISN + 1 + hello.len() as u32 + 200, flags::RST | flags::ACK, b"");
        connection.client(ISN + 1 + hello.len() as u32, flags::RST, b"");
        connection.answers(split, &answer[split..]);
        connection.answers(0, &answer);
        assert_eq!((connection.watch.hellos().len(), connection.watch.server_hellos().len()), (1, 1));
        assert!(!is_wanted(&mut connection), "{split}");
    }
    // A server that has reset a connection has nothing to add.
    let mut connection = Connection::opened();
    connection.sends(0, &hello);
    connection.server(SERVER_ISN + 1, flags::RST, b"");
    connection.answers(0, &answer);
    assert_eq!(connection.watch.server_hellos().len(), 0);
    connection.client(ISN + 1, flags::RST, b"");
    assert!(!is_wanted(&mut connection), "reset by both");
}

/// Whether further packets of a connection are asked for.
fn is_wanted(connection: &mut Connection) -> bool {
    let packet = Ipv4::new(CLIENT, SERVER).tcp(&Tcp::new(40_000, 443).flags(flags::ACK).payload(b"x"));
    let packet = Packet::decode(&Frame::new(&packet, LinkType::RAW)).unwrap();
    let (flow, _) = packet.flow().unwrap();
    connection.watch.analyzer.held().unwrap().may_hold(flow)
}

#[test]
fn an_answer_that_does_not_come_behind_a_reset_is_waited_for_until_the_connection_is_forgotten() {
    let mut connection = Connection::opened();
    connection.sends(0, &hello());
    connection.client(ISN + 1 + hello().len() as u32, flags::RST, b"");
    assert!(is_wanted(&mut connection));
    connection.wait(31 * SECOND);
    connection.push(&Ipv4::new(CLIENT, SERVER).tcp(&Tcp::new(1, 443)));
    assert!(!is_wanted(&mut connection));
}

/// As of a host that numbers all of its connections alike: whether the server has answered before or not.
#[test]
fn numbers_that_are_used_again_behind_a_reset_are_of_another_connection_if_the_hello_is_another() {
    let (hello, mut other) = (hello(), hello());
    // Another random.
    other[12] ^= 1;
    let answer = server_hello("openssl-3.0.19-tls1_1-0");
    for (again, told) in [(&hello, 1), (&other, 2)] {
        for answered in [false, true] {
            let mut connection = Connection::opened();
            connection.sends(0, &hello);
            if answered {
                connection.answers(0, &answer);
            }
            connection.client(ISN + 1 + hello.len() as u32, flags::RST, b"");
            connection.open();
            connection.sends(0, again);
            connection.answers(0, &answer);
            assert_eq!(connection.watch.hellos().len(), told, "{answered}");
            let answers = if answered { told } else { 1 };
            assert_eq!(connection.watch.server_hellos().len(), answers, "{told} {answered}");
        }
    }
}

/// RFC 9293 §3.10.7.4: the receiver takes neither.
#[test]
fn what_is_far_from_what_a_receiver_takes_hides_no_hello() {
    const FAR: usize = 3_000_000;
    let hello = hello();
    for (reset, split) in [(true, 100), (false, 0), (false, 100)] {
        for from_server in [false, true] {
            let mut connection = Connection::opened();
            if split > 0 {
                connection.sends(0, &hello[..split]);
            }
            let far = u32::try_from(FAR).unwrap();
            match (reset, from_server) {
                (true, false) => connection.client(ISN + 1 + far, flags::RST, b""),
                (true, true) => connection.server(SERVER_ISN + 1 + far, flags::RST, b""),
                (false, false) => connection.sends(100_000, b"anything"),
                (false, true) => connection.answers(100_000, b"anything"),
            }
            connection.sends(split, &hello[split..]);
            connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
            assert_eq!(connection.watch.ja4(), [JA4], "{reset} {split} {from_server}");
            assert_eq!(connection.watch.server_hellos().len(), 1, "{reset} {split} {from_server}");
        }
    }
}

/// RFC 9293 §3.10.7.4: the receiver takes none of them.
#[test]
fn segments_far_from_what_a_receiver_takes_do_not_use_up_the_search_for_hellos() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    let far = |at: usize| 3_000_000 + 1_400 * at;
    for segments in [12, 100] {
        for split in [0, 100] {
            let mut connection = Connection::opened();
            connection.sends(0, &hello[..split]);
            (0..segments).for_each(|at| connection.answers(far(at), &[b'x'; 1_400]));
            connection.sends(split, &hello[split..]);
            (0..segments).for_each(|at| connection.answers(far(at), &[b'x'; 1_400]));
            connection.answers(0, &answer);
            assert_eq!(connection.watch.ja4(), [JA4], "{segments} {split}");
            assert_eq!(connection.watch.server_hellos().len(), 1, "{segments} {split}");
        }
        let mut connection = Connection::opened();
        connection.sends(0, &hello);
        connection.answers(0, &retry_request());
        (0..segments).for_each(|at| connection.sends(far(at), &[b'x'; 1_400]));
        connection.sends(hello.len(), &hello[..100]);
        connection.sends(hello.len() + 100, &hello[100..]);
        assert_eq!(connection.watch.ja4(), [JA4; 2], "{segments}");
    }
}

#[test]
fn what_may_begin_something_far_from_what_a_receiver_takes_hides_no_hello() {
    let (hello, answer) = (hello(), server_hello("openssl-3.0.19-tls1_1-0"));
    let begins = [&[22][..], &[22, 3, 3], &answer[..10], b"CONNECT www.example.test:443 HTTP/1.1\r\n"];
    let far = begins.map(|begin| [100_000, 3_000_000, 2_000_000_000].map(|ahead| (begin, ahead)));
    let near = [(&hello[..20], 100_000), (&hello[..100], 1_000_000)];
    for (begin, ahead) in far.into_iter().flatten().chain(near) {
        for split in [0, 100] {
            let mut connection = Connection::opened();
            connection.sends(ahead, begin);
            connection.answers(ahead, begin);
            connection.sends(0, &hello[..split]);
            connection.sends(ahead, begin);
            connection.sends(split, &hello[split..]);
            connection.answers(ahead, begin);
            connection.answers(0, &answer[..split / 10]);
            connection.answers(split / 10, &answer[split / 10..]);
            assert_eq!(connection.watch.ja4(), [JA4], "{begin:?} {ahead} {split}");
            assert_eq!(connection.watch.server_hellos().len(), 1, "{begin:?} {ahead} {split}");
        }
    }
}

#[test]
fn a_whole_hello_far_from_what_a_receiver_takes_is_told_once_and_hides_no_other() {
    let (hello, mut other) = (hello(), hello());
    // Another random.
    other[20] ^= 1;
    for early in [false, true] {
        let mut connection = Connection::opened();
        if early {
            connection.sends(100, &hello[100..]);
        }
        connection.sends(100_000, &other);
        connection.sends(100_000, &other);
        connection.sends(0, &hello[..100]);
        connection.sends(100, &hello[100..]);
        let told: Vec<_> =
            connection.watch.hellos().iter().map(|seen| seen.hello.message().to_vec()).collect();
        assert_eq!(told, [&other[5..], &hello[5..]], "{early}");
    }
}

#[test]
fn what_is_far_from_what_a_receiver_takes_is_passed_over_for_1000_segments() {
    for (segments, found) in [(900, 1), (1_100, 0)] {
        let mut connection = Connection::opened();
        for at in 0..segments {
            connection.answers(3_000_000 + 1_400 * at, &[b'x'; 1_400]);
        }
        assert_eq!(connection.watch.seen("tls_not_tls"), 1 - found, "{segments}");
        // The end of a hello is known only in a connection that is followed.
        connection.sends(10, &hello()[10..]);
        connection.sends(0, &hello()[..10]);
        assert_eq!(connection.watch.hellos().len() as u64, found, "{segments}");
    }
}

#[test]
fn what_is_far_from_what_a_receiver_takes_is_passed_over_for_10_seconds() {
    for (seconds, searched) in [(9, 1), (11, 0)] {
        for asked in [true, false] {
            let mut connection = Connection::opened();
            if asked {
                connection.sends(0, &hello());
            }
            for at in 0..100 {
                connection.wait(seconds * 10 * MILLISECOND);
                connection.answers(3_000_000 + 1_400 * at, &[b'x'; 1_400]);
            }
            // The end of an answer is known only in a connection that is followed.
            let answer = server_hello("openssl-3.0.19-tls1_1-0");
            connection.answers(10, &answer[10..]);
            connection.answers(0, &answer[..10]);
            let found = connection.watch.server_hellos().len();
            assert_eq!(found, if asked { searched } else { 0 }, "{seconds} {asked}");
            assert_eq!(connection.watch.seen("tls_not_tls"), u64::from(!asked && searched == 0));
        }
    }
}

/// RFC 5961 §3.2: whoever gets one whose number is not exactly the next does not believe it. Of a SYN, what is exact is what it
/// acknowledges (RFC 9293 §3.10.7.3).
#[test]
fn a_reset_before_the_first_byte_ends_a_connection_only_with_exactly_the_next_number() {
    let hello = hello();
    let is_found = |answered: bool, reset: &Tcp, from_server: bool| {
        let mut connection = Connection::new();
        connection.client(ISN, flags::SYN, b"");
        if answered {
            connection.server(SERVER_ISN, flags::SYN | flags::ACK, b"");
        }
        let (from, to) = if from_server { (SERVER, CLIENT) } else { (CLIENT, SERVER) };
        connection.push(&Ipv4::new(from, to).tcp(reset));
        // The begin of a hello is known without its connection, what comes before it is not.
        connection.sends(100, &hello[100..]);
        connection.sends(0, &hello[..100]);
        connection.watch.ja4() == [JA4]
    };
    let client = |sequence: u32| Tcp::new(40_000, 443).sequence(sequence).flags(flags::RST);
    let server = |sequence: u32| Tcp::new(443, 40_000).sequence(sequence).flags(flags::RST);
    for (number, ends) in [(1, true), (0, false), (2, false), (100, false), (3_000_000, false)] {
        for answered in [false, true] {
            assert_eq!(!is_found(answered, &client(ISN + number), false), ends, "client {number} {answered}");
        }
        assert_eq!(!is_found(true, &server(SERVER_ISN + number), true), ends, "server {number}");
        assert!(is_found(false, &server(SERVER_ISN + number), true), "nobody knows the number of the server");
        let refused = server(0).acknowledgment(ISN + number).flags(flags::RST | flags::ACK);
        assert_eq!(!is_found(false, &refused, true), ends, "refused {number}");
    }
}

/// RFC 9293 §3.10.7.3: who sent a SYN does not believe a SYN+ACK that acknowledges another.
#[test]
fn an_answer_to_another_syn_does_not_make_a_reset_exact() {
    const FORGED: u32 = 0x7777_0000;
    let (hello, answered) = (hello(), flags::SYN | flags::ACK);
    for (from_client, is_early) in [(false, false), (false, true), (true, false), (true, true)] {
        let (source, port, to, to_port) =
            if from_client { (CLIENT, 40_000, SERVER, 443) } else { (SERVER, 443, CLIENT, 40_000) };
        let forged = Tcp::new(port, to_port).sequence(FORGED).acknowledgment(FORGED).flags(answered);
        let reset = Tcp::new(port, to_port).sequence(FORGED + 1).flags(flags::RST);
        let mut connection = Connection::new();
        connection.client(ISN, flags::SYN, b"");
        if !is_early {
            connection.server(SERVER_ISN, answered, b"");
        }
        connection.push(&Ipv4::new(source, to).tcp(&forged));
        connection.push(&Ipv4::new(source, to).tcp(&reset));
        // The begin of a hello is known without its connection, what comes before it is not.
        connection.sends(100, &hello[100..]);
        connection.sends(0, &hello[..100]);
        assert_eq!(connection.watch.ja4(), [JA4], "{from_client} {is_early}");
    }
}

#[test]
fn a_syn_that_is_sent_again_does_not_change_which_reset_is_exact() {
    let hello = hello();
    let wrong = Tcp::new(443, 40_000).sequence(9).acknowledgment(ISN + 1).flags(flags::RST | flags::ACK);
    let exact = Tcp::new(443, 40_000).sequence(SERVER_ISN + 1).flags(flags::RST);
    for (reset, expected) in [(wrong, 1), (exact, 0)] {
        let mut connection = Connection::opened();
        connection.client(ISN, flags::SYN, b"");
        connection.push(&Ipv4::new(SERVER, CLIENT).tcp(&reset));
        connection.sends(100, &hello[100..]);
        connection.sends(0, &hello[..100]);
        assert_eq!(connection.watch.hellos().len(), expected);
    }
}

#[test]
fn what_comes_early_of_a_server_that_was_not_asked_hides_no_server_hello() {
    for ahead in [1, 100, 10_000, 70_000, 3_000_000] {
        let mut connection = Connection::opened();
        connection.answers(ahead, b"anything");
        connection.sends(0, &hello());
        connection.answers(0, &server_hello("openssl-3.0.19-tls1_1-0"));
        assert_eq!(connection.watch.ja4(), [JA4], "{ahead}");
        assert_eq!(connection.watch.server_hellos().len(), 1, "{ahead}");
    }
}

#[test]
fn the_accepting_end_may_be_the_client_of_tls() {
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.answers(0, &hello);
    connection.sends(0, &server_hello("openssl-3.0.19-tls1_1-0"));
    assert_eq!(connection.watch.ja4(), [JA4]);
    assert_eq!(connection.watch.server_hellos().len(), 1);
}
