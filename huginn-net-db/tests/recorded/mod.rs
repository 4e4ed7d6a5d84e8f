//! What captures show, read from their packets.

use huginn_net_tcp::{HuginnNetTcp, TcpEvent, TcpObservation};
use testkit::corpus;

/// A SYN or SYN+ACK of a capture.
pub(crate) struct Recorded {
    /// Name of the capture, without its extension.
    pub(crate) capture: String,
    pub(crate) is_syn_ack: bool,
    pub(crate) seen: TcpObservation,
}

/// All of a folder of captures, by their names and then in the order of the packets.
pub(crate) fn packets(folder: &str) -> Vec<Recorded> {
    let mut packets = Vec::new();
    for path in corpus::captures(folder) {
        let capture = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for event in HuginnNetTcp::new().analyze_pcap(&path).unwrap() {
            let (is_syn_ack, handshake) = match event.unwrap() {
                TcpEvent::Syn(handshake) => (false, handshake),
                TcpEvent::SynAck(handshake) => (true, handshake),
                _ => continue,
            };
            packets.push(Recorded { capture: capture.clone(), is_syn_ack, seen: handshake.observation });
        }
    }
    packets
}
