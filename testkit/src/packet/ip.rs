//! IPv4 and IPv6 headers.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{Tcp, Udp, checksum, protocol};

/// An IP header that can be put in front of a payload: the outer header of every tunnel in [`crate::encap`].
pub trait IpHeader {
    /// The datagram of this header and a payload of the given protocol.
    fn carry(&self, protocol: u8, payload: &[u8]) -> Vec<u8>;

    /// The pseudo header of RFC 9293 §3.1 and RFC 8200 §8.1, which checksums include.
    fn pseudo_header(&self, protocol: u8, length: usize) -> Vec<u8>;

    /// The datagram that carries a TCP segment.
    fn tcp(&self, segment: &Tcp) -> Vec<u8> {
        let pseudo_header = self.pseudo_header(protocol::TCP, segment.byte_len());
        self.carry(protocol::TCP, &segment.to_bytes(&pseudo_header))
    }

    /// The datagram that carries a UDP datagram.
    fn udp(&self, datagram: &Udp) -> Vec<u8> {
        let pseudo_header = self.pseudo_header(protocol::UDP, datagram.byte_len());
        self.carry(protocol::UDP, &datagram.to_bytes(&pseudo_header))
    }
}

/// An IPv4 header: TTL 64, DF, identification 1 until told otherwise.
#[derive(Debug, Clone)]
pub struct Ipv4 {
    source: Ipv4Addr,
    destination: Ipv4Addr,
    tos: u8,
    identification: u16,
    reserved: bool,
    dont_fragment: bool,
    more_fragments: bool,
    fragment_offset: u16,
    ttl: u8,
    options: Vec<u8>,
    header_words: Option<u8>,
    total_length: Option<u16>,
    checksum: Option<u16>,
}

impl Ipv4 {
    /// A header from one address to another.
    #[must_use]
    pub fn new(source: impl Into<Ipv4Addr>, destination: impl Into<Ipv4Addr>) -> Self {
        Self {
            source: source.into(),
            destination: destination.into(),
            tos: 0,
            identification: 1,
            reserved: false,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: 0,
            ttl: 64,
            options: Vec::new(),
            header_words: None,
            total_length: None,
            checksum: None,
        }
    }

    /// Sets DSCP and ECN, the whole second byte.
    #[must_use]
    pub fn tos(mut self, tos: u8) -> Self {
        self.tos = tos;
        self
    }

    /// Sets the identification.
    #[must_use]
    pub fn identification(mut self, identification: u16) -> Self {
        self.identification = identification;
        self
    }

    /// Sets the flag that RFC 791 reserves.
    #[must_use]
    pub fn reserved(mut self, reserved: bool) -> Self {
        self.reserved = reserved;
        self
    }

    /// Sets DF.
    #[must_use]
    pub fn dont_fragment(mut self, dont_fragment: bool) -> Self {
        self.dont_fragment = dont_fragment;
        self
    }

    /// Sets MF.
    #[must_use]
    pub fn more_fragments(mut self, more_fragments: bool) -> Self {
        self.more_fragments = more_fragments;
        self
    }

    /// Sets the fragment offset, in units of 8 bytes.
    #[must_use]
    pub fn fragment_offset(mut self, units: u16) -> Self {
        assert!(units <= 0x1fff, "the fragment offset has thirteen bits");
        self.fragment_offset = units;
        self
    }

    /// Sets the time to live.
    #[must_use]
    pub fn ttl(mut self, ttl: u8) -> Self {
        self.ttl = ttl;
        self
    }

    /// Replaces the options. They are filled with zeros to a multiple of four bytes.
    #[must_use]
    pub fn options(mut self, options: &[u8]) -> Self {
        self.options = options.to_vec();
        self.options.resize(options.len().next_multiple_of(4), 0);
        assert!(self.options.len() <= 40, "an IPv4 header has room for 40 bytes of options");
        self
    }

    /// Writes this header length, in words, instead of the right one.
    #[must_use]
    pub fn header_words(mut self, words: u8) -> Self {
        assert!(words <= 15, "the header length has four bits");
        self.header_words = Some(words);
        self
    }

    /// Writes this total length instead of the right one.
    #[must_use]
    pub fn total_length(mut self, total_length: u16) -> Self {
        self.total_length = Some(total_length);
        self
    }

    /// Writes this header checksum instead of the right one.
    #[must_use]
    pub fn checksum(mut self, checksum: u16) -> Self {
        self.checksum = Some(checksum);
        self
    }
}

impl IpHeader for Ipv4 {
    fn carry(&self, protocol: u8, payload: &[u8]) -> Vec<u8> {
        let header_len = 20 + self.options.len();
        let words = self.header_words.unwrap_or((header_len / 4) as u8);
        let total_length = self.total_length.unwrap_or_else(|| {
            u16::try_from(header_len + payload.len())
                .expect("the datagram is longer than its length field can say")
        });
        let flags = u16::from(self.reserved) << 15
            | u16::from(self.dont_fragment) << 14
            | u16::from(self.more_fragments) << 13;
        let mut bytes = Vec::with_capacity(header_len + payload.len());
        bytes.extend([0x40 | words, self.tos]);
        bytes.extend(total_length.to_be_bytes());
        bytes.extend(self.identification.to_be_bytes());
        bytes.extend((flags | self.fragment_offset).to_be_bytes());
        bytes.extend([self.ttl, protocol, 0, 0]);
        bytes.extend(self.source.octets());
        bytes.extend(self.destination.octets());
        bytes.extend(&self.options);
        let checksum = self.checksum.unwrap_or_else(|| checksum(&[&bytes]));
        bytes[10..12].copy_from_slice(&checksum.to_be_bytes());
        bytes.extend(payload);
        bytes
    }

    fn pseudo_header(&self, protocol: u8, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(12);
        bytes.extend(self.source.octets());
        bytes.extend(self.destination.octets());
        bytes.extend([0, protocol]);
        bytes.extend((length as u16).to_be_bytes());
        bytes
    }
}

/// An IPv6 extension header, written in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extension {
    /// Hop-by-hop options; the bytes after the length byte, filled with zeros (Pad1) to a multiple of eight.
    HopByHop(Vec<u8>),
    /// Destination options, likewise.
    Destination(Vec<u8>),
    /// Routing header, likewise.
    Routing(Vec<u8>),
    /// Fragment header: the offset counts units of 8 bytes.
    Fragment {
        /// Offset in units of 8 bytes.
        offset: u16,
        /// Whether more fragments follow.
        more: bool,
        /// What the fragments of one datagram have in common.
        identification: u32,
    },
    /// Authentication header: the check value, filled with zeros to a multiple of eight after 12 fixed bytes.
    Authentication(Vec<u8>),
}

impl Extension {
    fn protocol(&self) -> u8 {
        match self {
            Self::HopByHop(_) => protocol::HOP_BY_HOP,
            Self::Destination(_) => protocol::DESTINATION,
            Self::Routing(_) => protocol::ROUTING,
            Self::Fragment { .. } => protocol::FRAGMENT,
            Self::Authentication(_) => protocol::AUTHENTICATION,
        }
    }

    fn to_bytes(&self, next_header: u8) -> Vec<u8> {
        let mut bytes = vec![next_header, 0];
        match self {
            Self::HopByHop(body) | Self::Destination(body) | Self::Routing(body) => {
                bytes.extend(body);
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                bytes[1] = (bytes.len() / 8 - 1) as u8;
            }
            Self::Fragment { offset, more, identification } => {
                bytes.extend((offset << 3 | u16::from(*more)).to_be_bytes());
                bytes.extend(identification.to_be_bytes());
            }
            Self::Authentication(check) => {
                // Reserved, security parameters index, sequence number (RFC 4302 §2).
                bytes.extend([0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
                bytes.extend(check);
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                bytes[1] = (bytes.len() / 4 - 2) as u8;
            }
        }
        bytes
    }
}

/// An IPv6 header: hop limit 64, flow label 0 until told otherwise.
#[derive(Debug, Clone)]
pub struct Ipv6 {
    source: Ipv6Addr,
    destination: Ipv6Addr,
    traffic_class: u8,
    flow_label: u32,
    hop_limit: u8,
    extensions: Vec<Extension>,
    payload_length: Option<u16>,
}

impl Ipv6 {
    /// A header from one address to another.
    #[must_use]
    pub fn new(source: impl Into<Ipv6Addr>, destination: impl Into<Ipv6Addr>) -> Self {
        Self {
            source: source.into(),
            destination: destination.into(),
            traffic_class: 0,
            flow_label: 0,
            hop_limit: 64,
            extensions: Vec::new(),
            payload_length: None,
        }
    }

    /// Sets DSCP and ECN.
    #[must_use]
    pub fn traffic_class(mut self, traffic_class: u8) -> Self {
        self.traffic_class = traffic_class;
        self
    }

    /// Sets the flow label, 20 bits.
    #[must_use]
    pub fn flow_label(mut self, flow_label: u32) -> Self {
        assert!(flow_label <= 0xf_ffff, "the flow label has twenty bits");
        self.flow_label = flow_label;
        self
    }

    /// Sets the hop limit.
    #[must_use]
    pub fn hop_limit(mut self, hop_limit: u8) -> Self {
        self.hop_limit = hop_limit;
        self
    }

    /// Replaces the extension headers.
    #[must_use]
    pub fn extensions(mut self, extensions: impl IntoIterator<Item = Extension>) -> Self {
        self.extensions = extensions.into_iter().collect();
        self
    }

    /// Writes this payload length instead of the right one.
    #[must_use]
    pub fn payload_length(mut self, payload_length: u16) -> Self {
        self.payload_length = Some(payload_length);
        self
    }
}

impl IpHeader for Ipv6 {
    fn carry(&self, protocol: u8, payload: &[u8]) -> Vec<u8> {
        let mut first = protocol;
        let mut extensions = Vec::new();
        for extension in self.extensions.iter().rev() {
            extensions.push(extension.to_bytes(first));
            first = extension.protocol();
        }
        extensions.reverse();
        let extensions = extensions.concat();
        let payload_length = self.payload_length.unwrap_or_else(|| {
            u16::try_from(extensions.len() + payload.len())
                .expect("the payload is longer than its length field can say")
        });
        let first_word = 6 << 28 | u32::from(self.traffic_class) << 20 | self.flow_label;
        let mut bytes = Vec::with_capacity(40 + extensions.len() + payload.len());
        bytes.extend(first_word.to_be_bytes());
        bytes.extend(payload_length.to_be_bytes());
        bytes.extend([first, self.hop_limit]);
        bytes.extend(self.source.octets());
        bytes.extend(self.destination.octets());
        bytes.extend(extensions);
        bytes.extend(payload);
        bytes
    }

    fn pseudo_header(&self, protocol: u8, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(40);
        bytes.extend(self.source.octets());
        bytes.extend(self.destination.octets());
        bytes.extend((length as u32).to_be_bytes());
        bytes.extend([0, 0, 0, protocol]);
        bytes
    }
}
