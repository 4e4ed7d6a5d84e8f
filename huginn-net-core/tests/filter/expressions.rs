//! What is an expression, what is none, and where it goes wrong.

use huginn_net_core::{Filter, FilterReason};

use crate::filter;

/// Asserts that an expression fails for a reason, at the text that follows the marker `~`, which is no part of it.
#[track_caller]
fn assert_fails(marked: &str, len: usize, reason: FilterReason) {
    let start = marked.find('~').expect("a marker");
    let error = Filter::parse(&marked.replacen('~', "", 1)).expect_err("no expression");
    assert_eq!((error.reason(), error.span()), (reason, start..start + len), "{marked}");
    assert_eq!(error.column(), start + 1);
}

#[test]
fn what_is_written_in_two_ways_is_the_same_filter() {
    for (one, other) in [
        ("", " \t\n"),
        ("tcp && udp || !ip", "tcp and udp or not ip"),
        ("!tcp&&(udp)", "not tcp and udp"),
        ("tcp||(udp)", "tcp or udp"),
        ("src or dst host 10.0.0.1", "host 10.0.0.1"),
        ("dst or src port 80", "port 80"),
        ("src 10.0.0.1", "src host 10.0.0.1"),
        ("net 10", "net 10.0.0.0/8"),
        ("net 172.16/12", "net 172.16.0.0 mask 255.240.0.0"),
        ("net 10.0.0.1", "host 10.0.0.1"),
        ("net 2001:db8::1", "host 2001:db8::1"),
        ("portrange 6008-6000", "portrange 6000-6008"),
        ("portrange 80", "port 80"),
        ("ip proto \\tcp", "ip proto 6"),
        ("proto udp", "udp"),
        ("icmp6", "ip6 proto 58"),
        ("icmp", "ip proto 1"),
        ("igmp", "ip proto 2"),
        ("esp", "proto 50"),
        ("sctp", "proto 132"),
        ("port (80 or 443)", "port 80 or port 443"),
        ("not not tcp", "tcp"),
    ] {
        assert_eq!(filter(one), filter(other), "{one:?} and {other:?}");
    }
    assert_eq!(Filter::default(), filter(""));
}

#[test]
fn a_value_alone_has_the_keywords_of_the_one_before_it() {
    for (short, long) in [
        ("tcp port 80 or 443", "tcp port 80 or tcp port 443"),
        ("src net 10 or 192.168.0.0/16", "src net 10 or src net 192.168.0.0/16"),
        ("host 10.0.0.1 and not 10.0.0.2", "host 10.0.0.1 and not host 10.0.0.2"),
        ("not port 80 or 443", "not port 80 or port 443"),
        ("port 80 or (443 or 8080)", "port 80 or (port 443 or port 8080)"),
        ("tcp port 80 or host 10.0.0.1 or 10.0.0.2", "tcp port 80 or host 10.0.0.1 or host 10.0.0.2"),
        ("src host not 10.0.0.1", "not src host 10.0.0.1"),
        ("dst port (80 or not 443) or 22", "dst port 80 or not dst port 443 or dst port 22"),
    ] {
        assert_eq!(filter(short), filter(long), "{short:?} and {long:?}");
    }
}

#[test]
fn and_and_or_are_of_equal_precedence_from_left_to_right_and_not_binds_closest() {
    assert_eq!(filter("tcp or udp and ip"), filter("(tcp or udp) and ip"));
    assert_ne!(filter("tcp or udp and ip"), filter("tcp or (udp and ip)"));
    assert_eq!(filter("not tcp and udp"), filter("(not tcp) and udp"));
    assert_ne!(filter("not tcp and udp"), filter("not (tcp and udp)"));
}

#[test]
fn an_error_names_its_reason_and_the_text_that_is_wrong() {
    use FilterReason::*;
    for (marked, len, reason) in [
        ("tcp port ~99999", 5, Port),
        ("tcp port ~http", 4, Port),
        ("port ~080", 3, Port),
        ("port ~0x50", 4, Port),
        ("port~ ", 0, Port),
        ("port 80 or port~  ", 0, Port),
        ("portrange ~80-", 3, PortRange),
        ("portrange ~1-70000", 7, PortRange),
        ("host ~www.example.org", 15, Address),
        ("host ~10", 2, Address),
        ("host ~256.1.1.1", 9, Address),
        ("src ~tcp port 80", 3, Address),
        ("host ~10.0.0.0/8", 9, Mask),
        ("src ~10.0.0.0/8", 9, Mask),
        ("net ~10.0.0.1/8", 10, HostBits),
        ("net ~2001:db8::1/32", 14, HostBits),
        ("net ~10.0.0.1 mask 255.0.0.0", 23, HostBits),
        ("net 10.0.0.0/~33", 2, PrefixLength),
        ("net ::/~129", 3, PrefixLength),
        ("net 10.0.0.0/~", 0, PrefixLength),
        ("net 10.0.0.0 mask ~255.0.255.0", 11, PrefixLength),
        ("net 2001:db8:: mask ~255.0.0.0", 9, Version),
        ("net ~10.0.0.0.0", 10, Network),
        ("net ~1000", 4, Network),
        ("ip host ~::1", 3, Version),
        ("ip6 net ~10.0.0.0/8", 8, Version),
        ("~tcp host 10.0.0.1", 3, Qualifier),
        ("~icmp port 80", 4, Qualifier),
        ("~ip port 80", 2, Qualifier),
        ("vlan ~4096", 4, Vlan),
        ("vlan 5 or ~6", 1, Unqualified),
        ("~10.0.0.1", 8, Unqualified),
        ("~::1", 3, Unqualified),
        ("~2001:db8::a", 11, Unqualified),
        ("tcp or ~80", 2, Unqualified),
        ("(host 10.0.0.1) or ~10.0.0.2", 8, Unqualified),
        ("~TCP", 3, Primitive),
        ("~tcp4", 4, Primitive),
        ("~and tcp", 3, Primitive),
        ("tcp and~ ", 0, Primitive),
        ("(~)", 1, Primitive),
        ("!~", 0, Primitive),
        ("tcp ~udp", 3, Operator),
        ("host 10.0.0.1 ~10.0.0.2", 8, Operator),
        ("tcp ~)", 1, Operator),
        ("(tcp ~udp)", 3, Operator),
        ("udp and ~(tcp", 1, Unclosed),
        ("port ~(80", 1, Unclosed),
        ("ip proto ~host", 4, Protocol),
        ("proto ~256", 3, Protocol),
        ("~ether host 1:2:3:4:5:6", 5, Unsupported),
        ("~arp", 3, Unsupported),
        ("tcp or ~greater 100", 7, Unsupported),
        ("tcp~[13] & 2 != 0", 1, Bytes),
        ("len ~<= 100", 1, Bytes),
        ("tcp ~& udp", 1, Bytes),
        ("tcp port ~ä", 2, Character('ä')),
        ("~\u{1b}[31m", 1, Character('\u{1b}')),
    ] {
        assert_fails(marked, len, reason);
    }
}

#[test]
fn an_error_reads_as_a_sentence_with_its_column() {
    let error = Filter::parse("tcp port 99999").expect_err("no port");
    assert_eq!(error.to_string(), "expected a port, 0 to 65535 (names are not looked up) at column 10");
}

#[test]
fn refuses_an_expression_longer_than_its_limit() {
    let of_len = |len| Filter::parse(&format!("tcp{}", " ".repeat(len - 3)));
    assert!(of_len(Filter::MAX_LEN).is_ok());
    let error = of_len(Filter::MAX_LEN + 1).expect_err("too long");
    assert_eq!(error.reason(), FilterReason::TooLong(Filter::MAX_LEN));
    // The limit is within a character.
    let error = Filter::parse(&format!("x{}", "ä".repeat(Filter::MAX_LEN / 2))).expect_err("too long");
    assert_eq!(error.span(), Filter::MAX_LEN - 1..Filter::MAX_LEN + 1);
}

#[test]
fn refuses_an_expression_deeper_than_its_limit() {
    let max = Filter::MAX_DEPTH;
    type Nest = fn(usize) -> String;
    let nests: [(Nest, usize); 5] = [
        (|levels| format!("{}tcp{}", "(".repeat(levels), ")".repeat(levels)), max - 1),
        (|levels| format!("{}tcp", "not ".repeat(levels)), max - 1),
        (|levels| format!("port {}80{}", "(".repeat(levels), ")".repeat(levels)), max - 1),
        // Two levels are those of the first operator and of `tcp` itself.
        (|levels| format!("tcp{}", " or udp and ip".repeat(levels / 2)), max - 2),
        // The same behind an operator, where it is not the first operand that is deep.
        (|levels| format!("tcp or udp or (tcp{})", " or udp and ip".repeat(levels / 2)), max - 4),
    ];
    for (nest, deepest) in nests {
        assert!(Filter::parse(&nest(deepest)).is_ok(), "{}", nest(deepest));
        for levels in [deepest + 2, 4_000] {
            let error = Filter::parse(&nest(levels)).expect_err("too deep");
            assert_eq!(error.reason(), FilterReason::TooDeep(max), "{}", nest(levels));
        }
    }
}

#[test]
fn a_chain_of_one_operator_is_as_long_as_the_text_may_be() {
    let addresses: Vec<_> = (0..3_000).map(|index| format!("10.{}.{}.1", index / 250, index % 250)).collect();
    let chain = filter(&format!("host {}", addresses.join(" or ")));
    assert_ne!(chain, Filter::default());
}
