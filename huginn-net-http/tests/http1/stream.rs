//! The streams of a capture, and the heads in them.

use huginn_net_core::{
    Direction, FlowKey, Frame, LinkType, Packet, Progress, SeqNumber, StreamHead, StreamLimits, Timestamp,
};
use huginn_net_http::{BodyLength, Http1Request, Http1Response};
use testkit::capture::Capture;
use testkit::corpus;

/// A connection of which both ends' first packets were seen.
pub(crate) struct Connection {
    key: FlowKey,
    client: Direction,
    from_client: StreamHead,
    from_server: Option<StreamHead>,
}

impl Connection {
    pub(crate) fn client(&self) -> &[u8] {
        self.from_client.bytes()
    }

    pub(crate) fn server(&self) -> &[u8] {
        self.from_server.as_ref().map_or(&[], StreamHead::bytes)
    }

    /// The requests until something else comes.
    pub(crate) fn requests(&self) -> Vec<Http1Request<'_>> {
        let (mut requests, mut rest) = (Vec::new(), self.client());
        while let Ok(Progress::Done(request)) = Http1Request::parse(rest) {
            rest = &rest[request.bytes().len()..];
            requests.push(request);
            let BodyLength::Known(0) = request.body() else { break };
        }
        requests
    }

    pub(crate) fn response(&self) -> Option<Http1Response<'_>> {
        Http1Response::parse(self.server()).ok()?.done()
    }
}

/// The connections of a capture below `pcaps`, in the order in which they began.
pub(crate) fn connections(capture: &str) -> Vec<Connection> {
    let limits = StreamLimits::default().with_max_bytes(128 * 1024);
    let mut connections: Vec<Connection> = Vec::new();
    let capture = Capture::open(&corpus::path(capture));
    for record in &capture.records {
        let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
        let Ok(packet) = Packet::decode(&frame) else { continue };
        let (Some(segment), Some((key, direction))) = (packet.tcp(), FlowKey::of(&packet)) else { continue };
        let (seq, now) = (SeqNumber(segment.sequence()), Timestamp::from_nanos(record.ts_nanos));
        let known = connections.iter_mut().rev().find(|connection| connection.key == key);
        match known {
            _ if segment.flags().is_syn() => connections.push(Connection {
                key,
                client: direction,
                from_client: StreamHead::new(seq + 1, limits),
                from_server: None,
            }),
            Some(connection) if segment.flags().is_syn_ack() => {
                connection.from_server.get_or_insert_with(|| StreamHead::new(seq + 1, limits));
            }
            Some(connection) if connection.client == direction => {
                let _ = connection.from_client.push(seq, segment.payload(), now);
            }
            Some(Connection { from_server: Some(stream), .. }) => {
                let _ = stream.push(seq, segment.payload(), now);
            }
            _ => {}
        }
    }
    connections
}
