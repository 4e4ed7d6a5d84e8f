//! Frames of 802.11, and radiotap in front of them.

use super::{DESTINATION_MAC, SOURCE_MAC, crc32, snap};
use crate::encap::{ether_type_of, join};

/// How an 802.11 data frame is made. The default is one from a station to its access point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wifi {
    /// QoS data, with a QoS control field.
    pub qos: bool,
    /// Between two access points, with four addresses.
    pub four_addresses: bool,
    /// QoS data with the +HTC/order bit, which adds an HT control field.
    pub ht_control: bool,
    /// The protected bit: what follows the header is encrypted and cannot be read.
    pub protected: bool,
    /// QoS data of a mesh, with a mesh control field of so many addresses: 0, 1 or 2.
    pub mesh: Option<u8>,
}

/// How the frames in an aggregated 802.11 frame state their lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthOrder {
    /// Big-endian, as IEEE 802.11-2020 has it for frames outside of a mesh.
    Big,
    /// Little-endian, as it has it for a mesh.
    Little,
    /// Big-endian, and mesh control counts.
    BigWithMeshControl,
}

/// An 802.11 data frame (link type 105).
#[must_use]
pub fn wifi(kind: Wifi, datagram: &[u8]) -> Vec<u8> {
    wifi_of(kind, ether_type_of(datagram), datagram)
}

/// An 802.11 data frame around anything that has an EtherType (link type 105).
#[must_use]
pub fn wifi_of(kind: Wifi, ether_type: u16, payload: &[u8]) -> Vec<u8> {
    let mesh_control = kind.mesh.map_or(vec![], mesh_control);
    join(&[&wifi_header(kind), &mesh_control, &snap(ether_type, payload)])
}

/// An 802.11 data frame with frame control in the other byte order, as Cisco sends it in CAPWAP, and sequence control, too, which may be
/// so there.
#[must_use]
pub fn wifi_big_endian(kind: Wifi, datagram: &[u8]) -> Vec<u8> {
    const SEQUENCE_CONTROL_AT: usize = 22;
    let mut frame = wifi(kind, datagram);
    for at in [0, SEQUENCE_CONTROL_AT] {
        frame.swap(at, at + 1);
    }
    frame
}

/// An 802.11 data frame that aggregates several, one for each datagram (A-MSDU, link type 105).
#[must_use]
pub fn wifi_aggregate(kind: Wifi, order: LengthOrder, datagrams: &[impl AsRef<[u8]>]) -> Vec<u8> {
    const QOS_LEN: usize = 2;
    const AGGREGATED: u8 = 0x80;
    assert!(kind.qos && !kind.ht_control, "the header ends with the QoS control field");
    let mut frame = wifi_header(kind);
    let qos_at = frame.len() - QOS_LEN;
    frame[qos_at] |= AGGREGATED;
    let start = frame.len();
    for datagram in datagrams.iter().map(AsRef::as_ref) {
        frame.resize(start + (frame.len() - start).next_multiple_of(4), 0xee);
        let mesh_control = kind.mesh.map_or(vec![], mesh_control);
        let body = snap(ether_type_of(datagram), datagram);
        let length = match order {
            LengthOrder::Big => (body.len() as u16).to_be_bytes(),
            LengthOrder::Little => (body.len() as u16).to_le_bytes(),
            LengthOrder::BigWithMeshControl => ((mesh_control.len() + body.len()) as u16).to_be_bytes(),
        };
        frame.extend(join(&[&DESTINATION_MAC, &SOURCE_MAC, &length, &mesh_control, &body]));
    }
    frame
}

/// Flags, time to live, sequence number and addresses.
fn mesh_control(addresses: u8) -> Vec<u8> {
    assert!(addresses <= 2, "mesh control has no room for more addresses");
    join(&[&[addresses, 31, 1, 0, 0, 0], &[0x06; 6].repeat(addresses.into())])
}

fn wifi_header(kind: Wifi) -> Vec<u8> {
    assert!(kind.qos || !kind.ht_control, "only QoS data carries an HT control field");
    assert!(kind.qos || kind.mesh.is_none(), "only QoS data carries mesh control");
    let subtype = if kind.qos { 0x88 } else { 0x08 };
    let to_and_from = if kind.four_addresses { 0x03 } else { 0x01 };
    let control = to_and_from | u8::from(kind.protected) << 6 | u8::from(kind.ht_control) << 7;
    let mut frame = vec![subtype, control, 0x2c, 0x00];
    frame.extend(DESTINATION_MAC);
    frame.extend(SOURCE_MAC);
    frame.extend(DESTINATION_MAC);
    // Not a part, number 17.
    frame.extend([0x10, 0x01]);
    if kind.four_addresses {
        frame.extend(SOURCE_MAC);
    }
    if kind.qos {
        frame.extend([0, u8::from(kind.mesh.is_some())]);
    }
    if kind.ht_control {
        frame.extend([0, 0, 0, 0]);
    }
    frame
}

/// A radiotap header in front of an 802.11 frame that has no check sequence (link type 127).
///
/// With `check_sequence` the flags field says that one follows, and one does.
#[must_use]
pub fn radiotap(check_sequence: bool, frame: &[u8]) -> Vec<u8> {
    let mut header = vec![0, 0, 0, 0];
    // Present: timer, flags, rate; and the bit that a second present word follows, which is empty.
    header.extend([0x07, 0, 0, 0x80, 0, 0, 0, 0]);
    // The timer starts at a multiple of eight from the start of the header.
    header.extend([0; 4]);
    header.extend([1, 2, 3, 4, 5, 6, 7, 8]);
    header.extend([if check_sequence { 0x10 } else { 0x00 }, 0x0c]);
    let length = (header.len() as u16).to_le_bytes();
    header[2..4].copy_from_slice(&length);
    let check = if check_sequence { &crc32(frame).to_le_bytes()[..] } else { &[] };
    join(&[&header, frame, check])
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATAGRAM: [u8; 4] = [0x45, 1, 2, 3];

    #[test]
    fn optional_fields_lengthen_the_header_of_802_11() {
        let header_len = |kind| wifi(kind, &DATAGRAM).len() - 8 - 4;
        let plain = Wifi::default();
        assert_eq!(header_len(plain), 24);
        assert_eq!(header_len(Wifi { qos: true, ..plain }), 26);
        assert_eq!(header_len(Wifi { qos: true, ht_control: true, ..plain }), 30);
        assert_eq!(header_len(Wifi { qos: true, four_addresses: true, ..plain }), 32);
    }

    #[test]
    fn a_radiotap_header_counts_itself() {
        assert_eq!(radiotap(false, &[]).len(), 26);
        assert_eq!(radiotap(false, &[])[..4], [0, 0, 26, 0]);
    }
}
