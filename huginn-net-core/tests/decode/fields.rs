//! Packets built field by field and read back.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use huginn_net_core::{Checksum, Frame, IpProtocol, LinkType, Packet};
use proptest::prelude::*;
use testkit::encap::link;
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, Udp, protocol};

use crate::{cut, header4, header6, syn};

/// The fixed fields of a TCP header.
#[derive(Clone, Debug)]
struct TcpFields {
    ports: (u16, u16),
    sequence: u32,
    acknowledgment: u32,
    flags: u16,
    window: u16,
    urgent: u16,
    options: Vec<u8>,
    payload: Vec<u8>,
}

impl TcpFields {
    fn build(&self) -> Tcp {
        Tcp::new(self.ports.0, self.ports.1)
            .sequence(self.sequence)
            .acknowledgment(self.acknowledgment)
            .flags(self.flags)
            .window(self.window)
            .urgent(self.urgent)
            .options([testkit::packet::TcpOption::Raw(self.options.clone())])
            .payload(&self.payload)
    }
}

fn tcp_fields() -> impl Strategy<Value = TcpFields> {
    let numbers =
        (any::<(u16, u16)>(), any::<u32>(), any::<u32>(), 0..=0xfff_u16, any::<u16>(), any::<u16>());
    let bytes = (prop::collection::vec(any::<u8>(), 0..=40), prop::collection::vec(any::<u8>(), 0..200));
    (numbers, bytes).prop_map(
        |((ports, sequence, acknowledgment, flags, window, urgent), (options, payload))| TcpFields {
            ports,
            sequence,
            acknowledgment,
            flags,
            window,
            urgent,
            options,
            payload,
        },
    )
}

fn extensions() -> impl Strategy<Value = Vec<Extension>> {
    let body = || prop::collection::vec(any::<u8>(), 0..24);
    let extension = prop_oneof![
        body().prop_map(Extension::HopByHop),
        body().prop_map(Extension::Destination),
        body().prop_map(Extension::Routing),
        body().prop_map(Extension::Authentication),
        // An atomic fragment.
        any::<u32>().prop_map(|identification| Extension::Fragment {
            offset: 0,
            more: false,
            identification
        }),
    ];
    prop::collection::vec(extension, 0..=6)
}

/// A TCP packet on Ethernet reads as it was built, whatever padding follows.
fn assert_reads_back(datagram: &[u8], fields: &TcpFields, padding: usize) -> Result<(), TestCaseError> {
    let mut frame = link::ethernet(datagram);
    frame.resize(frame.len() + padding, 0xee);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET));
    let packet = packet.map_err(|reason| TestCaseError::fail(reason.to_string()))?;
    prop_assert_eq!(packet.protocol(), IpProtocol::TCP);
    let segment = packet.tcp().unwrap();
    prop_assert_eq!((segment.source_port(), segment.destination_port()), fields.ports);
    prop_assert_eq!(segment.sequence(), fields.sequence);
    prop_assert_eq!(segment.acknowledgment(), fields.acknowledgment);
    prop_assert_eq!(segment.flags().bits(), fields.flags);
    prop_assert_eq!(segment.window(), fields.window);
    prop_assert_eq!(segment.urgent_pointer(), fields.urgent);
    prop_assert_eq!(&segment.options()[..fields.options.len()], &fields.options[..]);
    prop_assert!(segment.options()[fields.options.len()..].iter().all(|&byte| byte == 0));
    prop_assert_eq!(segment.payload(), &fields.payload[..]);
    prop_assert_eq!(
        segment.header_len() + segment.payload().len(),
        20 + segment.options().len() + fields.payload.len()
    );
    prop_assert!(!packet.layout().is_cut());
    prop_assert!(packet.udp().is_none());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn tcp_on_ipv4_reads_back_with_every_field(
        fields in tcp_fields(),
        (source, destination) in any::<(u32, u32)>(),
        (tos, identification, ttl) in any::<(u8, u16, u8)>(),
        (reserved, dont_fragment) in any::<(bool, bool)>(),
        options in prop::collection::vec(any::<u8>(), 0..=40),
        padding in 0_usize..50,
    ) {
        let (source, destination) = (Ipv4Addr::from(source), Ipv4Addr::from(destination));
        let header = Ipv4::new(source, destination)
            .tos(tos)
            .identification(identification)
            .ttl(ttl)
            .reserved(reserved)
            .dont_fragment(dont_fragment)
            .options(&options);
        let datagram = header.tcp(&fields.build());
        assert_reads_back(&datagram, &fields, padding)?;
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).unwrap();
        prop_assert_eq!(packet.addresses(), (IpAddr::V4(source), IpAddr::V4(destination)));
        let header = packet.ipv4().unwrap();
        prop_assert_eq!((header.source(), header.destination()), (source, destination));
        prop_assert_eq!((header.traffic_class(), header.identification(), header.ttl()), (tos, identification, ttl));
        prop_assert_eq!((header.has_reserved_flag(), header.dont_fragment()), (reserved, dont_fragment));
        prop_assert_eq!(usize::from(header.total_length()), datagram.len());
        let padded = options.len().next_multiple_of(4);
        prop_assert_eq!(usize::from(header.header_len()), 20 + padded);
        prop_assert_eq!(usize::from(packet.layout().ip_options_len()), padded);
        prop_assert!(packet.ipv6().is_none());
    }

    #[test]
    fn tcp_on_ipv6_reads_back_with_every_field(
        fields in tcp_fields(),
        (source, destination) in any::<(u128, u128)>(),
        (traffic_class, flow_label, hop_limit) in (any::<u8>(), 0..=0xf_ffff_u32, any::<u8>()),
        extensions in extensions(),
        padding in 0_usize..50,
    ) {
        let (source, destination) = (Ipv6Addr::from(source), Ipv6Addr::from(destination));
        let header = Ipv6::new(source, destination)
            .traffic_class(traffic_class)
            .flow_label(flow_label)
            .hop_limit(hop_limit)
            .extensions(extensions);
        let datagram = header.tcp(&fields.build());
        assert_reads_back(&datagram, &fields, padding)?;
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).unwrap();
        prop_assert_eq!(packet.addresses(), (IpAddr::V6(source), IpAddr::V6(destination)));
        let header = packet.ipv6().unwrap();
        prop_assert_eq!((header.source(), header.destination()), (source, destination));
        prop_assert_eq!((header.traffic_class(), header.flow_label()), (traffic_class, flow_label));
        prop_assert_eq!(header.hop_limit(), hop_limit);
        prop_assert_eq!(usize::from(header.payload_length()) + 40, datagram.len());
        let behind = 20 + fields.options.len().next_multiple_of(4) + fields.payload.len();
        prop_assert_eq!(usize::from(packet.layout().ip_options_len()), datagram.len() - 40 - behind);
        prop_assert!(packet.ipv4().is_none());
    }

    #[test]
    fn udp_reads_back(
        source_port in any::<u16>(),
        destination_port in any::<u16>(),
        payload in prop::collection::vec(any::<u8>(), 0..200),
        six in any::<bool>(),
        padding in 0_usize..50,
    ) {
        let datagram = Udp::new(source_port, destination_port, &payload);
        let datagram = if six { header6().udp(&datagram) } else { header4().udp(&datagram) };
        let mut frame = link::ethernet(&datagram);
        frame.resize(frame.len() + padding, 0xee);
        let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).unwrap();
        let udp = packet.udp().unwrap();
        prop_assert_eq!((udp.source_port(), udp.destination_port()), (source_port, destination_port));
        prop_assert_eq!(udp.payload(), &payload[..]);
        prop_assert!(packet.tcp().is_none());
    }

    #[test]
    fn no_bytes_of_any_link_type_make_an_accessor_leave_the_frame(
        link_type in prop::sample::select(vec![0, 1, 9, 12, 14, 50, 51, 101, 104, 105, 108, 113, 117, 127, 228, 229, 276]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        missing in 0_u32..100,
    ) {
        let whole = Frame::new(&bytes, LinkType(link_type));
        let frame = Frame { wire_len: whole.wire_len + missing, ..whole };
        if let Ok(packet) = Packet::decode(&frame) {
            prop_assert!(packet.ipv4().is_some() != packet.ipv6().is_some());
            prop_assert!(packet.payload().len() < bytes.len());
            prop_assert_eq!(packet.tcp().is_some(), packet.protocol() == IpProtocol::TCP);
            prop_assert_eq!(packet.udp().is_some(), packet.protocol() == IpProtocol::UDP);
        }
    }
}

#[test]
fn a_checksum_is_right_wrong_or_not_known() {
    let verdict =
        |datagram: &[u8]| Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet").checksum();
    let odd = syn().payload(b"odd");
    for whole in [header4().tcp(&odd), header6().tcp(&odd), header4().udp(&Udp::new(1, 2, b"x"))] {
        assert_eq!(verdict(&whole), Checksum::Valid);
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(verdict(&damaged), Checksum::Invalid);
        let cut = cut(&whole, whole.len() - 1, LinkType::RAW);
        assert_eq!(Packet::decode(&cut).expect("a packet").checksum(), Checksum::Unknown);
    }
    assert_eq!(verdict(&header4().udp(&Udp::new(1, 2, b"x").checksum(0))), Checksum::Unknown);
    assert_eq!(verdict(&header4().carry(1, &[8, 0, 0, 0])), Checksum::Unknown);
}

#[test]
fn headers_found_in_one_step_are_those_found_one_by_one() {
    let tcp = syn();
    let v4 = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let v6 = Ipv6::new([1; 16], [2; 16]);
    let with_options = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).options(&[1; 4]);
    let authentication = [&[protocol::TCP, 4, 0, 0][..], &[0; 20]].concat();
    let behind_authentication = [authentication, v4.tcp(&tcp)[20..].to_vec()].concat();
    let datagrams = [
        (v4.tcp(&tcp), true),
        (with_options.tcp(&tcp), false),
        (v4.carry(protocol::AUTHENTICATION, &behind_authentication), false),
        (v6.tcp(&tcp), false),
        (v4.udp(&Udp::new(1, 2, &[0; 40])), false),
    ];
    for (datagram, is_plain) in datagrams {
        let frame = Frame::new(&datagram, LinkType::RAW);
        let packet = Packet::decode(&frame).expect("a packet");
        let at_once = packet.tcp_headers_v4().map(|(ip, tcp)| (*ip.bytes(), *tcp.bytes()));
        let apart = packet.ipv4().zip(packet.tcp()).map(|(ip, tcp)| (*ip.bytes(), *tcp.bytes()));
        assert_eq!(at_once, apart.filter(|_| is_plain), "{datagram:02x?}");
        let of_any = packet.tcp_headers().map(|(ip, tcp)| (ip.addresses(), *tcp.bytes()));
        assert_eq!(of_any, packet.tcp().map(|tcp| (packet.addresses(), *tcp.bytes())));
        assert_eq!(packet.tcp_options(), packet.tcp().map(|tcp| tcp.options()));
        assert_eq!(packet.layout().payload_len() as usize, packet.payload().len());
        // The layout of another packet finds nothing where there are no bytes.
        let short = Frame::new(datagram.get(..30).expect("longer"), LinkType::RAW);
        assert!(Packet::from_layout(&short, *packet.layout()).tcp_headers_v4().is_none());
    }
}
