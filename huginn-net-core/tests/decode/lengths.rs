//! Versions and lengths that IP, TCP and UDP headers state.

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::encap::{link, tunnel};
use testkit::packet::{Extension, IpHeader, Udp, protocol};

use crate::{cut, header4, header6, refused, refused_cut, syn};

#[test]
fn an_ip_version_other_than_announced_is_malformed() {
    let mut frame = link::ethernet(&header4().tcp(&syn()));
    frame[14] = 0x65;
    assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::IpVersion));
    let mut frame = link::ethernet(&header6().tcp(&syn()));
    frame[14] = 0x40;
    assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::IpVersion));
    assert_eq!(refused(&[0x55; 60], LinkType::RAW), Some(Undecoded::IpVersion));
    assert_eq!(refused(&header6().tcp(&syn()), LinkType::IPV4), Some(Undecoded::IpVersion));
}

#[test]
fn an_ipv4_header_length_below_20_or_beyond_the_datagram_is_malformed() {
    for words in 0..5 {
        let datagram = header4().header_words(words).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpHeaderLength), "{words} words");
    }
    let datagram = header4().header_words(15).carry(protocol::TCP, &[0; 30]);
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
    // The length of zero says nothing about the header.
    let offloaded = header4().header_words(15).total_length(0).carry(protocol::TCP, &[0; 30]);
    assert_eq!(refused(&offloaded, LinkType::RAW), Some(Undecoded::IpHeaderLength));
}

#[test]
fn ip_lengths_shorter_than_the_headers_or_longer_than_the_frame_are_malformed() {
    let syn_len = u16::try_from(header4().tcp(&syn()).len()).unwrap();
    for (length, reason) in [
        (1, Undecoded::IpLength),
        (19, Undecoded::IpLength),
        (20, Undecoded::TcpHeader),
        (39, Undecoded::TcpHeader),
        (syn_len - 1, Undecoded::TcpHeader),
        (syn_len + 1, Undecoded::IpLength),
        (65_535, Undecoded::IpLength),
    ] {
        let datagram = header4().total_length(length).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(reason), "{length}");
    }
    for (length, reason) in [
        (1, Undecoded::TcpHeader),
        (23, Undecoded::TcpHeader),
        (25, Undecoded::IpLength),
        (65_535, Undecoded::IpLength),
    ] {
        let datagram = header6().payload_length(length).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(reason), "{length}");
    }
}

#[test]
fn an_inner_datagram_may_not_be_longer_than_the_outer_one_says() {
    let mut datagram = tunnel::ip_in_ip(&header4(), &header4().tcp(&syn()));
    datagram[3] -= 1;
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
}

#[test]
fn a_length_of_zero_is_that_of_segmentation_offload() {
    let payload = [9; 3_000];
    for datagram in [
        header4().total_length(0).tcp(&syn().payload(&payload)),
        header6().payload_length(0).tcp(&syn().payload(&payload)),
    ] {
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert!(packet.layout().has_zero_length());
        assert_eq!(packet.payload(), payload);
        // Where the capture cut it, nothing tells what is missing.
        for (kept, reason) in [(10, Undecoded::Cut), (45, Undecoded::Cut), (63, Undecoded::Cut)] {
            let reason = (kept < datagram.len() - payload.len()).then_some(reason);
            assert_eq!(refused_cut(&datagram, kept, LinkType::RAW), reason, "{kept}");
        }
    }
    // Options and UDP lengths that the capture cut.
    let options = header4().options(&[1; 40]).total_length(0).tcp(&syn());
    assert_eq!(refused_cut(&options, 30, LinkType::RAW), Some(Undecoded::Cut));
    let udp = header4().total_length(0).udp(&Udp::new(1, 2, &[1; 100]));
    let packet = Packet::decode(&cut(&udp, 40, LinkType::RAW)).expect("a packet");
    assert_eq!((packet.payload().len(), packet.layout().is_cut()), (12, true));
}

#[test]
fn eight_extension_headers_of_256_bytes_are_passed_and_no_more() {
    let pad = |len: usize| Extension::Destination(vec![0; len]);
    for (extensions, expected) in [
        (vec![pad(6); 8], Ok(64)),
        (vec![pad(6); 9], Err(Undecoded::TooDeep)),
        (vec![pad(126), pad(118)], Ok(248)),
        // More than a byte can count.
        (vec![pad(126), pad(126)], Ok(255)),
        (vec![pad(126), pad(126), pad(6)], Err(Undecoded::TooDeep)),
    ] {
        let datagram = header6().extensions(extensions.clone()).tcp(&syn());
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW));
        assert_eq!(packet.map(|packet| packet.layout().ip_options_len()), expected, "{extensions:?}");
    }
}

#[test]
fn an_extension_header_longer_than_its_packet_is_malformed() {
    let mut datagram = header6().extensions([Extension::HopByHop(vec![1, 4])]).tcp(&syn());
    datagram[41] = 200;
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
}

#[test]
fn an_authentication_header_behind_ipv4_is_passed() {
    let segment = header4().tcp(&syn())[20..].to_vec();
    let authentication = [&[protocol::TCP, 4, 0, 0][..], &[0; 20]].concat();
    let datagram = header4().carry(protocol::AUTHENTICATION, &[authentication, segment].concat());
    let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
    assert_eq!(packet.tcp().unwrap().source_port(), 40_000);
}

#[test]
fn a_data_offset_below_20_or_beyond_the_datagram_is_malformed() {
    for words in [0, 4, 7, 15] {
        let datagram = header4().tcp(&syn().data_offset(words));
        assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::TcpHeader), "{words} words");
    }
    // Within a frame that is long enough, too.
    let mut padded = header4().tcp(&syn().data_offset(15));
    padded.resize(100, 0);
    assert_eq!(refused(&padded, LinkType::RAW), Some(Undecoded::TcpHeader));
}

#[test]
fn a_udp_length_below_8_or_beyond_the_datagram_is_malformed() {
    let of = |length| header4().udp(&Udp::new(1, 2, b"payload").length(length));
    for length in [1, 7, 16, 65_535] {
        assert_eq!(refused(&of(length), LinkType::RAW), Some(Undecoded::UdpHeader), "{length}");
    }
    let short = header4().carry(protocol::UDP, &[0; 7]);
    assert_eq!(refused(&short, LinkType::RAW), Some(Undecoded::UdpHeader));
    for (length, payload) in [(0, &b"payload"[..]), (8, b""), (10, b"pa"), (15, b"payload")] {
        let datagram = of(length);
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert_eq!(packet.udp().unwrap().payload(), payload, "{length}");
    }
}
