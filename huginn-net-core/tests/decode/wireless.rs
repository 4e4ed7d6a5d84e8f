//! IEEE 802.11.

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, Wifi};
use testkit::packet::IpHeader;

use crate::{header4, refused, syn};

#[test]
fn fragments_of_802_11_frames_are_refused() {
    let whole = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    for (at, value) in [(1, 0x04), (22, 0x01)] {
        let mut frame = whole.clone();
        frame[at] |= value;
        assert_eq!(refused(&frame, LinkType::IEEE802_11), Some(Undecoded::Fragment));
    }
}

#[test]
fn encrypted_frames_of_802_11_are_counted_as_such() {
    let frame = link::wifi(Wifi { protected: true, ..Wifi::default() }, &header4().tcp(&syn()));
    assert_eq!(refused(&frame, LinkType::IEEE802_11), Some(Undecoded::Encrypted));
    assert_eq!(
        refused(&link::radiotap(false, &frame), LinkType::IEEE802_11_RADIOTAP),
        Some(Undecoded::Encrypted)
    );
}

#[test]
fn a_frame_of_aggregated_802_11_gives_its_first_datagram() {
    let datagram = header4().tcp(&syn());
    let data = link::wifi(Wifi { qos: true, ..Wifi::default() }, &datagram);
    // 24 bytes of header and the QoS control, whose bit 7 says that frames follow with headers of their own.
    let (header, body) = data.split_at(26);
    let mut frame = header.to_vec();
    frame[24] |= 0x80;
    frame.extend([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]);
    frame.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
    frame.extend(body);
    frame.extend([0xee; 80]);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::IEEE802_11)).expect("a packet");
    assert_eq!(packet.payload(), []);
    assert_eq!(packet.tcp().unwrap().destination_port(), 80);
}
