//! Where a TCP segment lies in a frame, whatever is around it.

use crate::encap::ether_type;
use crate::encap::link::link_type;
use crate::encap::tunnel::VXLAN_PORT;
use crate::packet::{flags, protocol};

/// A TCP segment and the headers in front of it.
pub(super) struct Segment<'a> {
    pub(super) headers: Headers<'a>,
    pub(super) payload: &'a [u8],
}

/// Everything before the payload of a TCP segment.
#[derive(Clone)]
pub(super) struct Headers<'a> {
    bytes: &'a [u8],
    ip_at: usize,
    tcp_at: usize,
    /// Where the lengths stand that count the payload, and what they are without it.
    lengths: Vec<(usize, u16)>,
}

/// Addresses and ports of one direction.
pub(super) type Endpoints = (Vec<u8>, Vec<u8>);

/// Finds a TCP segment: `None` if what is around it is unknown, `Some(None)` if an IP datagram holds something else.
pub(super) fn find(link: u16, frame: &[u8]) -> Option<Option<Segment<'_>>> {
    let mut walk = Walk { frame, at: 0, lengths: Vec::new() };
    match link {
        link_type::ETHERNET => walk.ethernet(),
        link_type::RAW => walk.ip(),
        link_type::NULL => walk.skip(4).ip(),
        link_type::LINUX_SLL => walk.skip(14).ether_type(),
        link_type::LINUX_SLL2 => {
            let kind = walk.u16(0)?;
            walk.skip(20).payload(kind)
        }
        _ => None,
    }
}

/// Goes from header to header.
struct Walk<'a> {
    frame: &'a [u8],
    at: usize,
    lengths: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn skip(&mut self, bytes: usize) -> &mut Self {
        self.at += bytes;
        self
    }

    fn u8(&self, ahead: usize) -> Option<u8> {
        self.frame.get(self.at + ahead).copied()
    }

    fn u16(&self, ahead: usize) -> Option<u16> {
        Some(u16::from_be_bytes([self.u8(ahead)?, self.u8(ahead + 1)?]))
    }

    fn ethernet(&mut self) -> Option<Option<Segment<'a>>> {
        self.skip(12).ether_type()
    }

    fn ether_type(&mut self) -> Option<Option<Segment<'a>>> {
        let kind = self.u16(0)?;
        self.skip(2).payload(kind)
    }

    fn payload(&mut self, kind: u16) -> Option<Option<Segment<'a>>> {
        match kind {
            ether_type::IPV4 | ether_type::IPV6 => self.ip(),
            ether_type::VLAN | ether_type::SERVICE_VLAN | ether_type::OLD_SERVICE_VLAN => {
                self.skip(2).ether_type()
            }
            ether_type::PPPOE_SESSION => {
                self.lengths.push(self.at + 4);
                self.skip(8).ip()
            }
            ether_type::ETHERNET => self.ethernet(),
            _ => None,
        }
    }

    fn ip(&mut self) -> Option<Option<Segment<'a>>> {
        let ip_at = self.at;
        let (carried, end) = match self.u8(0)? >> 4 {
            4 => {
                let header = usize::from(self.u8(0)? & 0x0f) * 4;
                let (carried, total) = (self.u8(9)?, usize::from(self.u16(2)?));
                self.lengths.push(ip_at + 2);
                self.skip(header);
                (carried, ip_at + total)
            }
            6 => {
                let (carried, length) = (self.u8(6)?, usize::from(self.u16(4)?));
                self.lengths.push(ip_at + 4);
                self.skip(40);
                (carried, self.at + length)
            }
            _ => return None,
        };
        match carried {
            protocol::TCP => self.tcp(ip_at, end).map(Some),
            protocol::IPV4 | protocol::IPV6 => self.ip(),
            protocol::GRE => {
                // RFC 2784 §2.1 and RFC 2890 §2: checksum, key and sequence number are there if their bits are.
                let (bits, kind) = (self.u16(0)?, self.u16(2)?);
                let optional = [0x8000, 0x2000, 0x1000].iter().filter(|&bit| bits & bit != 0).count();
                self.skip(4 + 4 * optional).payload(kind)
            }
            protocol::UDP if self.u16(2)? == VXLAN_PORT => {
                self.lengths.push(self.at + 4);
                self.skip(16).ethernet()
            }
            _ => Some(None),
        }
    }

    fn tcp(&mut self, ip_at: usize, end: usize) -> Option<Segment<'a>> {
        let tcp_at = self.at;
        let payload_at = tcp_at + usize::from(self.u8(12)? >> 4) * 4;
        let (bytes, payload) = (self.frame.get(..payload_at)?, self.frame.get(payload_at..end)?);
        let without = |&at: &usize| {
            let length = u16::from_be_bytes([bytes[at], bytes[at + 1]]);
            (at, length - payload.len() as u16)
        };
        let lengths = self.lengths.iter().map(without).collect();
        Some(Segment { headers: Headers { bytes, ip_at, tcp_at, lengths }, payload })
    }
}

impl Segment<'_> {
    pub(super) fn sequence(&self) -> u32 {
        let Headers { bytes, tcp_at, .. } = self.headers;
        u32::from_be_bytes(bytes[tcp_at + 4..tcp_at + 8].try_into().unwrap())
    }
}

impl Headers<'_> {
    pub(super) fn flags(&self) -> u16 {
        u16::from(self.bytes[self.tcp_at + 13])
    }

    pub(super) fn endpoints(&self) -> Endpoints {
        let addresses = match self.bytes[self.ip_at] >> 4 {
            6 => &self.bytes[self.ip_at + 8..self.ip_at + 40],
            _ => &self.bytes[self.ip_at + 12..self.ip_at + 20],
        };
        let (source, destination) = addresses.split_at(addresses.len() / 2);
        let ports = &self.bytes[self.tcp_at..self.tcp_at + 4];
        ([source, &ports[..2]].concat(), [destination, &ports[2..]].concat())
    }

    pub(super) fn reversed(&self) -> Endpoints {
        let (source, destination) = self.endpoints();
        (destination, source)
    }

    /// A frame with another payload and number. Checksums stay as they were.
    pub(super) fn rebuild(&self, sequence: u32, payload: &[u8], cleared: u16) -> Vec<u8> {
        let mut frame = [self.bytes, payload].concat();
        for &(at, length) in &self.lengths {
            let payload = u16::try_from(payload.len()).expect("turns are shorter than 64 KiB");
            let length = length.checked_add(payload).expect("turns are shorter than 64 KiB");
            frame[at..at + 2].copy_from_slice(&length.to_be_bytes());
        }
        frame[self.tcp_at + 4..self.tcp_at + 8].copy_from_slice(&sequence.to_be_bytes());
        frame[self.tcp_at + 13] &= !(cleared as u8);
        frame
    }

    /// Whether the connection begins or ends here.
    pub(super) fn is_begin_or_end(&self) -> bool {
        self.flags() & (flags::SYN | flags::FIN | flags::RST) != 0
    }
}
