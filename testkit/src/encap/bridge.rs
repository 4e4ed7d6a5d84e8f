//! Headers of bridges, behind the addresses of an Ethernet frame (link type 1).

use super::link::{DESTINATION_MAC, SOURCE_MAC, ethernet_of};
use super::{ether_type_of, join};

/// An Ethernet frame in one of a provider backbone, in front of which an outer tag may be put (IEEE 802.1ah).
#[must_use]
pub fn pbb(service: u32, frame: &[u8]) -> Vec<u8> {
    assert!(service < 1 << 24, "a service identifier has 24 bits");
    ethernet_of(0x88e7, &join(&[&service.to_be_bytes(), frame]))
}

/// How MACsec protects a frame (IEEE 802.1AE). The default protects its integrity and names no channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Macsec {
    /// Writes the secure channel.
    pub channel: bool,
    /// Says that what follows is encrypted.
    pub encrypted: bool,
}

impl Macsec {
    /// MACsec around anything that has an EtherType, with a check value of 16 bytes.
    #[must_use]
    pub fn carry(self, ether_type: u16, payload: &[u8]) -> Vec<u8> {
        let flags = u8::from(self.channel) << 5 | if self.encrypted { 0x0c } else { 0 };
        let channel: &[u8] = if self.channel { &[2, 0, 0, 0, 0, 1, 0, 1] } else { &[] };
        let data_len = payload.len() + 2;
        let short_len = if data_len < 48 { data_len as u8 } else { 0 };
        let tag = join(&[&[flags, short_len, 0, 0, 0, 1], channel]);
        ethernet_of(0x88e5, &join(&[&tag, &ether_type.to_be_bytes(), payload, &[0xcc; 16]]))
    }

    /// MACsec around an IP datagram.
    #[must_use]
    pub fn ip(self, datagram: &[u8]) -> Vec<u8> {
        self.carry(ether_type_of(datagram), datagram)
    }
}

/// A VN-Tag (IEEE 802.1Qbh).
#[must_use]
pub fn vn_tag(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    ethernet_of(0x8926, &join(&[&[0x80, 0x01, 0, 0x02], &ether_type.to_be_bytes(), payload]))
}

/// An E-TAG (IEEE 802.1BR).
#[must_use]
pub fn e_tag(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    ethernet_of(0x893f, &join(&[&[0x40, 0x01, 0x10, 0x02, 0, 0], &ether_type.to_be_bytes(), payload]))
}

/// An Ethernet frame in one of Cisco FabricPath.
#[must_use]
pub fn fabric_path(frame: &[u8]) -> Vec<u8> {
    ethernet_of(0x8903, &join(&[&[0x00, 0x60], frame]))
}

/// An Ethernet frame in one of TRILL, with so many words of options (RFC 6325 §3).
#[must_use]
pub fn trill(option_words: u8, frame: &[u8]) -> Vec<u8> {
    assert!(option_words < 32, "options have 31 words at most");
    let first = (u16::from(option_words) << 6 | 20).to_be_bytes();
    let options = vec![0; 4 * usize::from(option_words)];
    ethernet_of(0x22f3, &join(&[&first, &[0, 1, 0, 2], &options, frame]))
}

/// A network service header (RFC 8300) with so many words of metadata, around what `next` says: 1 IPv4, 2 IPv6, 3
/// Ethernet, 5 MPLS.
#[must_use]
pub fn nsh(metadata_words: u8, next: u8, payload: &[u8]) -> Vec<u8> {
    let len = 2 + metadata_words;
    assert!(len < 64, "the header has 63 words at most");
    // TTL 63; metadata of variable length.
    let base = [0x0f, 0xc0 | len, 0x02, next];
    let metadata = vec![0x3d; 4 * usize::from(metadata_words)];
    join(&[&base, &[0, 0, 42, 255], &metadata, payload])
}

/// A network service header on Ethernet, around an Ethernet frame.
#[must_use]
pub fn nsh_ethernet(frame: &[u8]) -> Vec<u8> {
    ethernet_of(0x894f, &nsh(4, 3, frame))
}

/// An Ethernet pseudowire over MPLS, with a control word or without (RFC 4448).
#[must_use]
pub fn pseudowire(control_word: bool, frame: &[u8]) -> Vec<u8> {
    let word: &[u8] = if control_word { &[0, 0, 0, 0] } else { &[] };
    super::link::mpls(&[16, 17], &join(&[word, frame]))
}

/// An Ethernet frame whose addresses begin with these bytes.
#[must_use]
pub fn with_first_bytes(first: &[u8], frame: &[u8]) -> Vec<u8> {
    let addresses = join(&[first, &DESTINATION_MAC[first.len()..], &SOURCE_MAC]);
    join(&[&addresses, &frame[12..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_what_they_are_lengths_of() {
        let short = Macsec { channel: true, encrypted: false }.carry(0x0800, &[9; 4]);
        assert_eq!(short[14..16], [0x20, 6]);
        assert_eq!(short.len(), 14 + 6 + 8 + 2 + 4 + 16);
        assert_eq!(Macsec::default().carry(0x0800, &[9; 46])[14..16], [0, 0]);
        assert_eq!(trill(2, &[9])[14..16], [0, 0x94]);
        assert_eq!(nsh(4, 3, &[9])[1] & 0x3f, 6);
        assert_eq!(nsh(4, 3, &[9]).len(), 24 + 1);
    }

    #[test]
    fn the_first_bytes_of_the_addresses_are_those_asked_for() {
        let frame = ethernet_of(0x0800, &[9]);
        let other = with_first_bytes(&[0x45, 0], &frame);
        assert_eq!((&other[..2], &other[2..]), (&[0x45, 0][..], &frame[2..]));
    }
}
