//! The same traffic in every wrapping: what an analysis reports must not depend on it.

use crate::capture::{Capture, Endian, Record};
use crate::encap::link::{self, HdlcAddress, Inet6, LengthOrder, Tag, Wifi, link_type};
use crate::encap::tunnel::{self, Geneve, Gre, GtpU, L2tp, Teredo};
use crate::encap::{bridge, captured, ether_type, ether_type_of, fragment};
use crate::packet::{Ipv4, Ipv6};

/// One way to wrap every frame of an Ethernet capture.
///
/// A frame that a wrapping has no place for (one that is not IP in a tunnel for IP, one that is too long) stays as it is
/// where the result is Ethernet, and is left out otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Wrapping {
    /// Short name, for messages.
    pub name: &'static str,
    link_type: u16,
    how: How,
    /// Whether `how` makes datagrams, which then go into Ethernet frames.
    makes_datagrams: bool,
}

/// What a wrapping takes of a frame, and what it makes of that.
#[derive(Debug, Clone, Copy)]
enum How {
    /// The whole frame.
    Frame(fn(&[u8]) -> Vec<u8>),
    /// EtherType and payload.
    Payload(fn(u16, &[u8]) -> Vec<u8>),
    /// An IP datagram.
    Datagram(fn(&[u8]) -> Vec<u8>),
    /// An IP datagram that a length of 802.3 can count.
    ShortDatagram(fn(&[u8]) -> Vec<u8>),
    /// An IPv4 datagram.
    Ipv4(fn(&[u8]) -> Vec<u8>),
    /// An IPv6 datagram.
    Ipv6(fn(&[u8]) -> Vec<u8>),
    /// A whole IPv4 datagram, which comes out in pieces.
    Ipv4Pieces(fn(&[u8]) -> Vec<Vec<u8>>),
    /// A whole IPv6 datagram, which comes out in pieces.
    Ipv6Pieces(fn(&[u8]) -> Vec<Vec<u8>>),
}

/// Bytes of payload in each fragment: more than the ports, less than a TCP header with options.
const FRAGMENT: usize = 24;
/// Bytes of a datagram that fit into an 802.3 frame behind LLC and SNAP headers.
const LONGEST_IN_8023: usize = 1_500 - 8;
/// Bytes of a frame that fit into a datagram with the headers of any wrapping here.
const LONGEST_IN_TUNNEL: usize = 65_535 - 256;

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

    const fn new(name: &'static str, link_type: u16, how: How) -> Self {
        Self { name, link_type, how, makes_datagrams: false }
    }

    const fn frame(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type::ETHERNET, How::Frame(wrap))
    }

    const fn whole(name: &'static str, link_type: u16, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Frame(wrap))
    }

    const fn payload(name: &'static str, link_type: u16, wrap: fn(u16, &[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Payload(wrap))
    }

    const fn datagram(name: &'static str, link_type: u16, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Datagram(wrap))
    }

    const fn tunnel(name: &'static str, how: How) -> Self {
        Self { name, link_type: link_type::ETHERNET, how, makes_datagrams: true }
    }

    const fn frame_tunnel(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::tunnel(name, How::Frame(wrap))
    }

    const fn ip_tunnel(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::tunnel(name, How::Datagram(wrap))
    }

    /// The same frames in this wrapping, at the same times.
    ///
    /// # Panics
    /// If the capture is not of Ethernet.
    #[must_use]
    pub fn apply(&self, capture: &Capture) -> Capture {
        assert_eq!(capture.link_type, link_type::ETHERNET, "only Ethernet captures are wrapped");
        let mut records = Vec::new();
        for record in &capture.records {
            match self.wrap(record) {
                Some(wrapped) => records.extend(wrapped),
                None if self.link_type == link_type::ETHERNET => records.push(record.clone()),
                None => {}
            }
        }
        Capture { link_type: self.link_type, records }
    }

    /// Whether [`Wrapping::apply`] wraps every IP datagram of a capture.
    #[must_use]
    pub fn wraps_all(&self, capture: &Capture) -> bool {
        let is_ip = |record: &&Record| Parts::of(&record.bytes).is_some_and(|parts| parts.is_ip());
        capture.records.iter().filter(is_ip).all(|record| self.wrap(record).is_some())
    }

    /// The records one becomes, or `None` if there is no place for it.
    fn wrap(&self, record: &Record) -> Option<Vec<Record>> {
        // What the capture cut off is put back as zeros, so that the lengths in the new headers are those of the
        // wire, and cut off again behind.
        let mut frame = record.bytes.clone();
        frame.resize(record.wire_len as usize, 0);
        let missing = frame.len() - record.bytes.len();
        let parts = Parts::of(&frame)?;
        if self.makes_datagrams && frame.len() > LONGEST_IN_TUNNEL {
            return None;
        }
        let wrapped = match self.how {
            How::Frame(wrap) => vec![wrap(&frame)],
            How::Payload(wrap) => vec![wrap(parts.ether_type, parts.payload)],
            How::Datagram(wrap) if parts.is_ip() => vec![wrap(parts.payload)],
            How::ShortDatagram(wrap) if parts.is_ip() && parts.payload.len() <= LONGEST_IN_8023 => {
                vec![wrap(parts.payload)]
            }
            How::Ipv4(wrap) if parts.is_ipv4() => vec![wrap(parts.payload)],
            How::Ipv6(wrap) if parts.is_ipv6() => vec![wrap(parts.payload)],
            How::Ipv4Pieces(cut) if parts.is_whole_ipv4() && missing == 0 => cut(parts.payload),
            How::Ipv6Pieces(cut) if parts.is_whole_ipv6() && missing == 0 => cut(parts.payload),
            _ => return None,
        };
        let to_record = |bytes: Vec<u8>| {
            let mut bytes = if self.makes_datagrams { link::ethernet(&bytes) } else { bytes };
            let wire_len = bytes.len() as u32;
            bytes.truncate(bytes.len() - missing);
            Record { ts_nanos: record.ts_nanos, bytes, wire_len }
        };
        Some(wrapped.into_iter().map(to_record).collect())
    }
}

/// The header of every outer datagram over IPv4.
fn outer4() -> Ipv4 {
    Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2])
}

/// The header of every outer datagram over IPv6.
fn outer6() -> Ipv6 {
    Ipv6::new([0x2001, 0xdb8, 0xff, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0xff, 0, 0, 0, 0, 2])
}

/// An Ethernet II frame in two.
struct Parts<'a> {
    ether_type: u16,
    payload: &'a [u8],
}

impl<'a> Parts<'a> {
    /// `None` for 802.3 and for less than a header.
    fn of(frame: &'a [u8]) -> Option<Self> {
        let ether_type = u16::from_be_bytes([*frame.get(12)?, *frame.get(13)?]);
        (ether_type >= 0x600).then(|| Self { ether_type, payload: &frame[14..] })
    }

    fn is_ipv4(&self) -> bool {
        self.ether_type == ether_type::IPV4 && self.payload.first().is_some_and(|byte| byte >> 4 == 4)
    }

    fn is_ipv6(&self) -> bool {
        self.ether_type == ether_type::IPV6 && self.payload.first().is_some_and(|byte| byte >> 4 == 6)
    }

    fn is_ip(&self) -> bool {
        self.is_ipv4() || self.is_ipv6()
    }

    /// Whether the lengths in the IPv4 header can be believed.
    fn is_whole_ipv4(&self) -> bool {
        let header_len = self.payload.first().map_or(0, |byte| usize::from(byte & 15) * 4);
        let total_length = self.length_at(2);
        self.is_ipv4() && header_len >= 20 && header_len < total_length && total_length <= self.payload.len()
    }

    /// Whether the length in the IPv6 header can be believed.
    fn is_whole_ipv6(&self) -> bool {
        let length = self.length_at(4);
        self.is_ipv6() && length > 0 && 40 + length <= self.payload.len()
    }

    fn length_at(&self, at: usize) -> usize {
        self.payload.get(at..at + 2).map_or(0, |bytes| usize::from(u16::from_be_bytes([bytes[0], bytes[1]])))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::packet::{IpHeader as _, Tcp, TcpOption};

    fn syn() -> Tcp {
        Tcp::new(40_000, 80).options([TcpOption::Mss(1_460), TcpOption::SackPermitted, TcpOption::Nop])
    }

    fn capture() -> Capture {
        let four = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn());
        let six = Ipv6::new([1; 8], [2; 8]).tcp(&syn());
        let arp = link::ethernet_of(0x0806, &[0; 28]);
        Capture::of_frames(link_type::ETHERNET, [link::ethernet(&four), link::ethernet(&six), arp])
    }

    #[test]
    fn names_differ() {
        let names: HashSet<_> = Wrapping::ALL.iter().map(|wrapping| wrapping.name).collect();
        assert_eq!(names.len(), Wrapping::ALL.len());
    }

    #[test]
    fn every_wrapping_still_holds_the_datagram() {
        let capture = capture();
        for wrapping in Wrapping::ALL {
            let wrapped = wrapping.apply(&capture);
            for record in &capture.records[..2] {
                if wrapping.wrap(record).is_none_or(|records| records.len() > 1) {
                    continue;
                }
                let datagram = &record.bytes[14..];
                let holds =
                    |wrapped: &Record| wrapped.bytes.windows(datagram.len()).any(|window| window == datagram);
                assert!(wrapped.records.iter().any(holds), "{}", wrapping.name);
            }
        }
    }

    #[test]
    fn only_wrappings_named_so_leave_a_family_out() {
        let capture = capture();
        for wrapping in Wrapping::ALL {
            let one_family =
                ["raw-ipv", "teredo", "ipv4-", "ipv6-"].iter().any(|part| wrapping.name.starts_with(part));
            assert_eq!(wrapping.wraps_all(&capture), !one_family, "{}", wrapping.name);
        }
    }

    #[test]
    fn frames_without_a_place_stay_on_ethernet_and_go_elsewhere() {
        let arp = capture().records.pop().unwrap();
        let named = |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap();
        assert_eq!(named("gre").apply(&capture()).records.last(), Some(&arp));
        assert_eq!(named("raw-101").apply(&capture()).records.len(), 2);
        assert_eq!(named("sll2").apply(&capture()).records.len(), 3);
    }

    #[test]
    fn frames_too_long_for_a_length_field_stay_as_they_are() {
        let header = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
        let long = |len: usize| Capture::of_frames(1, [link::ethernet(&header.carry(6, &vec![0; len - 20]))]);
        let named = |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap();
        assert!(named("llc-snap").wraps_all(&long(1_492)));
        assert!(!named("llc-snap").wraps_all(&long(1_493)));
        for wrapping in Wrapping::ALL.iter().filter(|wrapping| wrapping.makes_datagrams) {
            assert_eq!(wrapping.apply(&long(65_535)), long(65_535), "{}", wrapping.name);
        }
    }

    #[test]
    fn cut_frames_stay_cut_at_the_same_byte() {
        let mut cut = capture();
        for record in &mut cut.records {
            record.bytes.truncate(record.bytes.len() - 5);
        }
        let whole = capture();
        for wrapping in Wrapping::ALL.iter().filter(|wrapping| wrapping.name != "radiotap-qos-fcs") {
            for (cut, whole) in wrapping.apply(&cut).records.iter().zip(&wrapping.apply(&whole).records) {
                if wrapping.name.contains("fragments") {
                    continue;
                }
                assert_eq!(cut.wire_len, whole.wire_len, "{}", wrapping.name);
                assert_eq!(cut.bytes.len() + 5, whole.bytes.len(), "{}", wrapping.name);
            }
        }
    }

    #[test]
    fn fragments_come_in_order_or_backwards() {
        let named =
            |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap().apply(&capture());
        let forwards = named("ipv4-fragments").records;
        let backwards = named("ipv4-fragments-reversed").records;
        assert_eq!(forwards.len(), 2 + 2);
        assert_eq!(forwards[..2], [backwards[1].clone(), backwards[0].clone()]);
    }
}
