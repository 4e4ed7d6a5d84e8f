//! The wrappings there are.

use super::{How, Wrapping};
use crate::capture::Endian;
use crate::encap::link::{self, HdlcAddress, Inet6, LengthOrder, Tag, Wifi, link_type, rare};
use crate::encap::tunnel::{self, Capwap, Geneve, Gre, GtpU, L2tp, Teredo};
use crate::encap::{bridge, captured, ether_type, ether_type_of, fragment};
use crate::packet::{Ipv4, Ipv6};

/// Bytes of payload in each fragment: more than the ports, less than a TCP header with options.
const FRAGMENT: usize = 24;

impl Wrapping {
    /// All wrappings. Those with `ipv4` or `ipv6` in their name wrap only one of them; see [`Wrapping::wraps_all`].
    pub const ALL: &[Self] = &[
        Self::frame("vlan", |frame| link::push_tags(&[Tag::vlan(100)], frame)),
        Self::frame("vlan-priority", |frame| {
            link::push_tags(&[Tag { tpid: ether_type::VLAN, tci: 0x4064 }], frame)
        }),
        Self::frame("qinq", |frame| link::push_tags(&[Tag::service(7), Tag::vlan(100)], frame)),
        Self::frame("qinq-9100", |frame| {
            link::push_tags(&[Tag { tpid: ether_type::OLD_SERVICE_VLAN, tci: 7 }, Tag::vlan(100)], frame)
        }),
        Self::frame("vlan-four-tags", |frame| {
            link::push_tags(&[Tag::service(1), Tag::service(2), Tag::vlan(3), Tag::vlan(4)], frame)
        }),
        Self::new("llc-snap", link_type::ETHERNET, How::ShortDatagram(link::llc_snap)),
        Self::datagram("pppoe", link_type::ETHERNET, link::pppoe),
        Self::datagram("vlan-pppoe", link_type::ETHERNET, |datagram| {
            link::push_tags(&[Tag::vlan(7)], &link::pppoe(datagram))
        }),
        Self::datagram("mpls", link_type::ETHERNET, |datagram| link::mpls(&[16], datagram)),
        Self::datagram("mpls-three-labels", link_type::ETHERNET, |datagram| {
            link::mpls(&[16, 1_048_575, 500], datagram)
        }),
        Self::datagram("cisco-metadata", link_type::ETHERNET, link::cisco_metadata),
        Self::payload("sll", link_type::LINUX_SLL, link::sll_of),
        Self::payload("sll2", link_type::LINUX_SLL2, link::sll2_of),
        Self::datagram("raw-12", link_type::RAW_12, <[u8]>::to_vec),
        Self::datagram("raw-14", link_type::RAW_14, <[u8]>::to_vec),
        Self::datagram("raw-101", link_type::RAW, <[u8]>::to_vec),
        Self::new("raw-ipv4", link_type::IPV4, How::Ipv4(<[u8]>::to_vec)),
        Self::new("raw-ipv6", link_type::IPV6, How::Ipv6(<[u8]>::to_vec)),
        Self::datagram("null-le-netbsd", link_type::NULL, |datagram| {
            link::null(Endian::Little, Inet6::NetBsd, datagram)
        }),
        Self::datagram("null-le-freebsd", link_type::NULL, |datagram| {
            link::null(Endian::Little, Inet6::FreeBsd, datagram)
        }),
        Self::datagram("null-le-darwin", link_type::NULL, |datagram| {
            link::null(Endian::Little, Inet6::Darwin, datagram)
        }),
        Self::datagram("null-be", link_type::NULL, |datagram| {
            link::null(Endian::Big, Inet6::NetBsd, datagram)
        }),
        Self::datagram("loop", link_type::LOOP, link::openbsd_loop),
        Self::datagram("ppp", link_type::PPP, link::ppp),
        Self::datagram("ppp-hdlc", link_type::PPP, link::ppp_hdlc),
        Self::datagram("ppp-serial", link_type::PPP_SERIAL, link::ppp_hdlc),
        Self::payload("ppp-serial-cisco", link_type::PPP_SERIAL, |ether_type, payload| {
            link::cisco_hdlc_of(HdlcAddress::Unicast, ether_type, payload)
        }),
        Self::payload("ppp-cisco", link_type::PPP, |ether_type, payload| {
            link::cisco_hdlc_of(HdlcAddress::Unicast, ether_type, payload)
        }),
        Self::datagram("ppp-ether", link_type::PPP_ETHER, link::ppp_ether),
        Self::payload("c-hdlc", link_type::C_HDLC, |ether_type, payload| {
            link::cisco_hdlc_of(HdlcAddress::Unicast, ether_type, payload)
        }),
        Self::payload("c-hdlc-broadcast", link_type::C_HDLC, |ether_type, payload| {
            link::cisco_hdlc_of(HdlcAddress::Broadcast, ether_type, payload)
        }),
        Self::datagram("pflog-48", link_type::PFLOG, |datagram| link::pflog(48, Inet6::FreeBsd, datagram)),
        Self::datagram("pflog-61", link_type::PFLOG, |datagram| link::pflog(61, Inet6::NetBsd, datagram)),
        Self::datagram("pflog-64", link_type::PFLOG, |datagram| link::pflog(64, Inet6::Darwin, datagram)),
        Self::datagram("pflog-100", link_type::PFLOG, |datagram| link::pflog(100, Inet6::NetBsd, datagram)),
        Self::payload("wifi", link_type::IEEE802_11, |ether_type, payload| {
            link::wifi_of(Wifi::default(), ether_type, payload)
        }),
        Self::payload("wifi-qos", link_type::IEEE802_11, |ether_type, payload| {
            link::wifi_of(Wifi { qos: true, ..Wifi::default() }, ether_type, payload)
        }),
        Self::payload("wifi-qos-ht", link_type::IEEE802_11, |ether_type, payload| {
            link::wifi_of(Wifi { qos: true, ht_control: true, ..Wifi::default() }, ether_type, payload)
        }),
        Self::payload("wifi-four-addresses", link_type::IEEE802_11, |ether_type, payload| {
            link::wifi_of(Wifi { qos: true, four_addresses: true, ..Wifi::default() }, ether_type, payload)
        }),
        Self::payload("wifi-mesh", link_type::IEEE802_11, |ether_type, payload| {
            let kind = Wifi { qos: true, four_addresses: true, mesh: Some(1), ..Wifi::default() };
            link::wifi_of(kind, ether_type, payload)
        }),
        Self::datagram("wifi-aggregated", link_type::IEEE802_11, |datagram| {
            let kind = Wifi { qos: true, ..Wifi::default() };
            link::wifi_aggregate(kind, LengthOrder::Big, &[datagram])
        }),
        Self::payload("radiotap", link_type::IEEE802_11_RADIOTAP, |ether_type, payload| {
            link::radiotap(false, &link::wifi_of(Wifi::default(), ether_type, payload))
        }),
        Self::payload("radiotap-qos-fcs", link_type::IEEE802_11_RADIOTAP, |ether_type, payload| {
            link::radiotap(true, &link::wifi_of(Wifi { qos: true, ..Wifi::default() }, ether_type, payload))
        }),
        Self::payload("token-ring", link_type::TOKEN_RING, |ether_type, payload| {
            link::token_ring(0, ether_type, payload)
        }),
        Self::payload("token-ring-route", link_type::TOKEN_RING, |ether_type, payload| {
            link::token_ring(6, ether_type, payload)
        }),
        Self::payload("fddi", link_type::FDDI, link::fddi),
        Self::datagram("atm", link_type::ATM_RFC1483, link::atm),
        Self::whole("atm-bridged", link_type::ATM_RFC1483, link::atm_bridged),
        Self::datagram("frame-relay", link_type::FRELAY, link::frame_relay),
        Self::payload("frame-relay-cisco", link_type::FRELAY, link::frame_relay_cisco),
        Self::datagram("ppp-pppd", link_type::PPP_PPPD, |datagram| link::ppp_with_direction(true, datagram)),
        Self::datagram("ppp-direction", link_type::PPP_WITH_DIR, |datagram| {
            link::ppp_with_direction(false, datagram)
        }),
        Self::datagram("mpls-alone", link_type::MPLS, |datagram| link::label_stack(&[16, 17], datagram)),
        Self::payload("prism", link_type::IEEE802_11_PRISM, |ether_type, payload| {
            captured::prism(&link::wifi_of(Wifi::default(), ether_type, payload))
        }),
        Self::payload("prism-avs", link_type::IEEE802_11_PRISM, |ether_type, payload| {
            captured::avs(&link::wifi_of(Wifi::default(), ether_type, payload))
        }),
        Self::payload("avs", link_type::IEEE802_11_AVS, |ether_type, payload| {
            captured::avs(&link::wifi_of(Wifi::default(), ether_type, payload))
        }),
        Self::whole("ppi-ethernet", link_type::PPI, |frame| captured::ppi(link_type::ETHERNET, false, frame)),
        Self::payload("ppi-wifi-fcs", link_type::PPI, |ether_type, payload| {
            let frame = link::wifi_of(Wifi::default(), ether_type, payload);
            captured::ppi(link_type::IEEE802_11, true, &frame)
        }),
        Self::whole("pktap-ethernet", link_type::PKTAP, |frame| {
            captured::pktap(link_type::ETHERNET, 4, frame)
        }),
        Self::datagram("pktap-raw", link_type::PKTAP, |datagram| {
            captured::pktap(link_type::RAW_12, 0, datagram)
        }),
        Self::datagram("nflog-le", link_type::NFLOG, |datagram| captured::nflog(Endian::Little, datagram)),
        Self::datagram("nflog-be", link_type::NFLOG, |datagram| captured::nflog(Endian::Big, datagram)),
        Self::datagram("enc-le", link_type::ENC, |datagram| {
            captured::enc(Endian::Little, Inet6::FreeBsd, datagram)
        }),
        Self::datagram("enc-be", link_type::ENC, |datagram| {
            captured::enc(Endian::Big, Inet6::NetBsd, datagram)
        }),
        Self::whole("netanalyzer", link_type::NETANALYZER, |frame| captured::net_analyzer(false, frame)),
        Self::whole("netanalyzer-transparent", link_type::NETANALYZER_TRANSPARENT, |frame| {
            captured::net_analyzer(true, frame)
        }),
        Self::whole("erf", link_type::ERF, |frame| captured::erf(0, frame)),
        Self::whole("erf-extensions", link_type::ERF, |frame| captured::erf(2, frame)),
        Self::whole("juniper", link_type::JUNIPER_ETHERNET, captured::juniper),
        Self::datagram("juniper-ip", link_type::JUNIPER_ETHERNET, captured::juniper_ip),
        Self::datagram("slip", link_type::SLIP, rare::slip),
        Self::payload("fibre-channel", link_type::IP_OVER_FC, rare::fibre_channel),
        Self::datagram("sun-atm", link_type::SUNATM, rare::sun_atm),
        Self::whole("sun-atm-lane", link_type::SUNATM, rare::sun_atm_lane),
        Self::payload("fire-wire", link_type::APPLE_IP_OVER_IEEE1394, rare::fire_wire),
        Self::datagram("solaris-ip", link_type::IPNET, rare::solaris_ip),
        Self::payload("infiniband", link_type::IPOIB, rare::infiniband),
        Self::whole("mpacket", link_type::ETHERNET_MPACKET, rare::mpacket),
        Self::whole("switch-broadcom", link_type::DSA_TAG_BRCM, |frame| rare::switch_tag(false, frame)),
        Self::whole("switch-broadcom-front", link_type::DSA_TAG_BRCM_PREPEND, rare::switch_tag_in_front),
        Self::whole("switch-marvell", link_type::DSA_TAG_DSA, |frame| rare::switch_tag(false, frame)),
        Self::whole("switch-marvell-type", link_type::DSA_TAG_EDSA, |frame| rare::switch_tag(true, frame)),
        Self::frame("hsr", rare::seamless_redundancy),
        Self::frame("arista-time", |frame| rare::arista_time(true, frame)),
        Self::frame("arista-time-short", |frame| rare::arista_time(false, frame)),
        Self::frame("qinq-9200", |frame| {
            link::push_tags(&[Tag { tpid: 0x9200, tci: 7 }, Tag { tpid: 0x9300, tci: 100 }], frame)
        }),
        Self::frame("pbb", |frame| {
            link::push_tags(
                &[Tag::service(9)],
                &bridge::pbb(0x01_0203, &link::push_tags(&[Tag::vlan(5)], frame)),
            )
        }),
        Self::datagram("macsec", link_type::ETHERNET, |datagram| bridge::Macsec::default().ip(datagram)),
        Self::datagram("macsec-channel", link_type::ETHERNET, |datagram| {
            bridge::Macsec { channel: true, encrypted: false }.ip(datagram)
        }),
        Self::datagram("vn-tag", link_type::ETHERNET, |datagram| {
            bridge::vn_tag(ether_type_of(datagram), datagram)
        }),
        Self::datagram("e-tag", link_type::ETHERNET, |datagram| {
            bridge::e_tag(ether_type_of(datagram), datagram)
        }),
        Self::frame("fabric-path", bridge::fabric_path),
        Self::frame("trill", |frame| bridge::trill(0, frame)),
        Self::frame("trill-options", |frame| bridge::trill(3, frame)),
        Self::frame("nsh", bridge::nsh_ethernet),
        Self::frame("pseudowire", |frame| bridge::pseudowire(true, frame)),
        Self::frame("pseudowire-without-word", |frame| bridge::pseudowire(false, frame)),
        Self::ip_tunnel("ip-in-ipv4", |datagram| tunnel::ip_in_ip(&outer4(), datagram)),
        Self::ip_tunnel("ip-in-ipv6", |datagram| tunnel::ip_in_ip(&outer6(), datagram)),
        Self::ip_tunnel("gre", |datagram| Gre::default().ip(&outer4(), datagram)),
        Self::ip_tunnel("gre-over-ipv6", |datagram| Gre::default().ip(&outer6(), datagram)),
        Self::ip_tunnel("gre-all-fields", |datagram| {
            Gre { checksum: true, key: Some(7), sequence: Some(9) }.ip(&outer4(), datagram)
        }),
        Self::frame_tunnel("gre-ethernet", |frame| {
            Gre { key: Some(7), ..Gre::default() }.ethernet(&outer4(), frame)
        }),
        Self::frame_tunnel("erspan-i", |frame| tunnel::erspan_i(&outer4(), frame)),
        Self::frame_tunnel("erspan-ii", |frame| tunnel::erspan_ii(&outer4(), frame)),
        Self::frame_tunnel("erspan-iii", |frame| tunnel::erspan_iii(&outer4(), false, frame)),
        Self::frame_tunnel("erspan-iii-sub-header", |frame| tunnel::erspan_iii(&outer4(), true, frame)),
        Self::frame_tunnel("vxlan", |frame| tunnel::vxlan(&outer4(), tunnel::VXLAN_PORT, 77, frame)),
        Self::frame_tunnel("vxlan-8472", |frame| tunnel::vxlan(&outer4(), tunnel::OLD_VXLAN_PORT, 77, frame)),
        Self::frame_tunnel("vxlan-over-ipv6", |frame| {
            tunnel::vxlan(&outer6(), tunnel::VXLAN_PORT, 77, frame)
        }),
        Self::frame_tunnel("vxlan-vlan", |frame| {
            tunnel::vxlan(&outer4(), tunnel::VXLAN_PORT, 77, &link::push_tags(&[Tag::vlan(5)], frame))
        }),
        Self::frame_tunnel("geneve", |frame| Geneve { vni: 77, options: &[] }.ethernet(&outer4(), frame)),
        Self::ip_tunnel("geneve-options-ip", |datagram| {
            Geneve { vni: 77, options: &[1, 2, 0x80, 1, 9, 9, 9, 9] }.ip(&outer4(), datagram)
        }),
        Self::ip_tunnel("gtp-u", |datagram| GtpU::default().ip(&outer4(), 99, datagram)),
        Self::ip_tunnel("gtp-u-sequence", |datagram| {
            GtpU { sequence: Some(3), extension: false }.ip(&outer4(), 99, datagram)
        }),
        Self::ip_tunnel("gtp-u-extension", |datagram| {
            GtpU { sequence: Some(3), extension: true }.ip(&outer4(), 99, datagram)
        }),
        Self::tunnel("teredo-ipv6", How::Ipv6(|datagram| Teredo::default().ipv6(&outer4(), datagram))),
        Self::tunnel(
            "teredo-indications-ipv6",
            How::Ipv6(|datagram| Teredo { authentication: Some(0), origin: true }.ipv6(&outer4(), datagram)),
        ),
        Self::ip_tunnel("pptp", |datagram| tunnel::pptp(&outer4(), false, datagram)),
        Self::ip_tunnel("pptp-acknowledgment", |datagram| tunnel::pptp(&outer4(), true, datagram)),
        Self::ip_tunnel("wccp", |datagram| tunnel::wccp(&outer4(), true, datagram)),
        Self::ip_tunnel("wccp-1", |datagram| tunnel::wccp(&outer4(), false, datagram)),
        Self::frame_tunnel("ether-ip", |frame| tunnel::ether_ip(&outer4(), frame)),
        Self::frame_tunnel("ethernet-in-ipv6", |frame| tunnel::ethernet_in_ip(&outer6(), frame)),
        Self::ip_tunnel("mpls-in-ip", |datagram| tunnel::mpls_in_ip(&outer4(), &[16, 17], datagram)),
        Self::frame_tunnel("l2tp3", |frame| tunnel::l2tp3(&outer4(), 0, false, frame)),
        Self::frame_tunnel("l2tp3-cookie", |frame| tunnel::l2tp3(&outer6(), 8, true, frame)),
        Self::ip_tunnel("l2tp", |datagram| L2tp::default().ppp(&outer4(), &link::ppp_hdlc(datagram))),
        Self::ip_tunnel("l2tp-all-fields", |datagram| {
            L2tp { length: true, sequence: true, offset: Some(3) }.ppp(&outer4(), &link::ppp(datagram))
        }),
        Self::frame_tunnel("vxlan-gpe", |frame| tunnel::vxlan_gpe(&outer4(), 77, 3, frame)),
        Self::frame_tunnel("vxlan-gpe-nsh", |frame| {
            tunnel::vxlan_gpe(&outer4(), 77, 4, &bridge::nsh(0, 3, frame))
        }),
        Self::ip_tunnel("gue", |datagram| tunnel::gue_ip(&outer4(), datagram)),
        Self::ip_tunnel("gue-fields-gre", |datagram| {
            let gre = [&[0, 0][..], &ether_type_of(datagram).to_be_bytes(), datagram].concat();
            tunnel::gue(&outer6(), &[1; 8], 47, &gre)
        }),
        Self::ip_tunnel("gue-1", |datagram| tunnel::gue_1(&outer4(), datagram)),
        Self::ip_tunnel("gre-in-udp", |datagram| tunnel::gre_in_udp(&outer4(), datagram)),
        Self::ip_tunnel("mpls-in-udp", |datagram| tunnel::mpls_in_udp(&outer4(), &[16], datagram)),
        Self::ip_tunnel("lisp", |datagram| tunnel::lisp(&outer4(), None, datagram)),
        Self::ip_tunnel("lisp-instance", |datagram| tunnel::lisp(&outer4(), Some(77), datagram)),
        Self::frame_tunnel("tzsp", |frame| tunnel::tzsp(&outer4(), 1, frame)),
        Self::ip_tunnel("tzsp-wifi", |datagram| {
            tunnel::tzsp(&outer4(), 18, &link::wifi(Wifi::default(), datagram))
        }),
        Self::ip_tunnel("capwap", |datagram| {
            Capwap::default().data(&outer4(), &link::wifi(Wifi { qos: true, ..Wifi::default() }, datagram))
        }),
        Self::frame_tunnel("capwap-ethernet", |frame| {
            Capwap { ethernet: true, all_fields: true, from_controller: true }.data(&outer6(), frame)
        }),
        Self::tunnel(
            "ipv4-capwap-fragments",
            How::Ipv4Pieces(|datagram| {
                let frame = link::wifi_big_endian(Wifi::default(), datagram);
                Capwap::default().parts(&outer4(), FRAGMENT, &frame)
            }),
        ),
        Self::frame_tunnel("vxlan-in-gre", |frame| {
            Gre::default().ip(&outer6(), &tunnel::vxlan(&outer4(), tunnel::VXLAN_PORT, 77, frame))
        }),
        Self::tunnel("ipv4-fragments", How::Ipv4Pieces(|datagram| fragment::ipv4(datagram, FRAGMENT))),
        Self::tunnel(
            "ipv4-fragments-reversed",
            How::Ipv4Pieces(|datagram| fragment::ipv4(datagram, FRAGMENT).into_iter().rev().collect()),
        ),
        Self::tunnel(
            "ipv4-fragments-in-gre",
            How::Ipv4Pieces(|datagram| {
                let pieces = fragment::ipv4(datagram, FRAGMENT);
                pieces.iter().map(|piece| Gre::default().ip(&outer4(), piece)).collect()
            }),
        ),
        Self::tunnel(
            "ipv4-gre-in-fragments",
            How::Ipv4Pieces(|datagram| fragment::ipv4(&Gre::default().ip(&outer4(), datagram), FRAGMENT)),
        ),
        Self::tunnel("ipv6-fragments", How::Ipv6Pieces(|datagram| fragment::ipv6(datagram, FRAGMENT, 7))),
    ];
}

/// The header of every outer datagram over IPv4.
fn outer4() -> Ipv4 {
    Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2])
}

/// The header of every outer datagram over IPv6.
fn outer6() -> Ipv6 {
    Ipv6::new([0x2001, 0xdb8, 0xff, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0xff, 0, 0, 0, 0, 2])
}
