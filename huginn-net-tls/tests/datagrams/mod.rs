//! UDP payloads of the captures in `pcaps/tls`.

use huginn_net_core::{Decoder, Frame, LinkType, Timestamp};
use testkit::capture::Capture;
use testkit::corpus;

/// The payloads sent from one port, or from that of the first datagram, in the order of the capture.
pub(crate) fn of_client(capture: &str, port: Option<u16>) -> Vec<Vec<u8>> {
    let capture = Capture::open(&corpus::path("tls").join(capture));
    let mut decoder = Decoder::default();
    let mut datagrams = Vec::new();
    for record in &capture.records {
        let captured_at = Timestamp::from_nanos(record.ts_nanos);
        let frame = Frame { captured_at, ..Frame::new(&record.bytes, LinkType(capture.link_type)) };
        let packet = decoder.decode(&frame).expect("captures hold whole packets");
        let udp = packet.udp().expect("captures hold nothing but UDP");
        datagrams.push((udp.source_port(), udp.payload().to_vec()));
    }
    let port = port.unwrap_or(datagrams[0].0);
    datagrams.retain(|(source, _)| *source == port);
    datagrams.into_iter().map(|(_, payload)| payload).collect()
}
