//! Link layers that are seldom captured.

use super::super::{ether_type, ether_type_of, join};
use super::{DESTINATION_MAC, SOURCE_MAC, snap};

/// IP over a serial line (link type 8): an incoming packet that was not compressed.
#[must_use]
pub fn slip(datagram: &[u8]) -> Vec<u8> {
    join(&[&[0, 0x40], &[0; 14], datagram])
}

/// IP over Fibre Channel (RFC 2625; link type 122).
#[must_use]
pub fn fibre_channel(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    let address = |mac: &[u8]| join(&[&[0x10, 0], mac]);
    join(&[&address(&DESTINATION_MAC), &address(&SOURCE_MAC), &snap(ether_type, payload)])
}

/// ATM of Solaris with LLC (link type 123).
#[must_use]
pub fn sun_atm(datagram: &[u8]) -> Vec<u8> {
    join(&[&[0x82, 0, 0, 100], &snap(ether_type_of(datagram), datagram)])
}

/// ATM of Solaris with LAN emulation (link type 123).
#[must_use]
pub fn sun_atm_lane(frame: &[u8]) -> Vec<u8> {
    join(&[&[0x01, 0, 0, 100, 0, 7], frame])
}

/// IP over IEEE 1394 (link type 138).
#[must_use]
pub fn fire_wire(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[2; 8], &[1; 8], &ether_type.to_be_bytes(), payload])
}

/// IP of Solaris (link type 226).
#[must_use]
pub fn solaris_ip(datagram: &[u8]) -> Vec<u8> {
    let family = if ether_type_of(datagram) == ether_type::IPV4 { 2 } else { 26 };
    join(&[&[2, family], &[0; 22], datagram])
}

/// IP over InfiniBand (link type 242).
#[must_use]
pub fn infiniband(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[3; 40], &ether_type.to_be_bytes(), &[0, 0], payload])
}

/// An express frame with its preamble and check sequence (link type 274).
#[must_use]
pub fn mpacket(frame: &[u8]) -> Vec<u8> {
    join(&[&[0x55; 7], &[0xd5], frame, &[1, 2, 3, 4]])
}

/// A tag for a switch behind the addresses of a frame, of 4 bytes (link types 281 and 284), or of 8 (link type 285).
#[must_use]
pub fn switch_tag(long: bool, frame: &[u8]) -> Vec<u8> {
    let (addresses, rest) = frame.split_at(12);
    let tag: &[u8] = if long { &[0xda, 0xda, 0, 0, 0xc0, 0x10, 5, 0x39] } else { &[0xc0, 0x0a, 0, 0] };
    join(&[addresses, tag, rest])
}

/// A tag for a switch in front of a frame (link type 282).
#[must_use]
pub fn switch_tag_in_front(frame: &[u8]) -> Vec<u8> {
    join(&[&[0, 0, 0x20, 5], frame])
}

/// A tag of High-availability Seamless Redundancy behind the addresses of a frame.
#[must_use]
pub fn seamless_redundancy(frame: &[u8]) -> Vec<u8> {
    let (addresses, rest) = frame.split_at(12);
    let size = u16::try_from(rest.len() + 4).expect("frames of Ethernet are short") & 0x0fff | 0x1000;
    join(&[addresses, &0x892f_u16.to_be_bytes(), &size.to_be_bytes(), &[0, 7], rest])
}

/// A timestamp of Arista behind the addresses of a frame, in 8 bytes or in 6.
#[must_use]
pub fn arista_time(long: bool, frame: &[u8]) -> Vec<u8> {
    let (addresses, rest) = frame.split_at(12);
    let (form, time): (u16, &[u8]) = if long { (0x0010, &[9; 8]) } else { (0x0120, &[9; 6]) };
    join(&[addresses, &0xd28b_u16.to_be_bytes(), &[0, 1], &form.to_be_bytes(), time, rest])
}
