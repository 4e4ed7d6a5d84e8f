//! The heads in a capture.

use std::collections::BTreeMap;

use huginn_net_core::{Frame, LinkType, Packet, Progress};
use huginn_net_http::{BodyLength, Http1Request, Http1Response};
use testkit::capture::Capture;
use testkit::corpus;

/// What both ends of a connection sent.
pub(crate) struct Connection {
    pub(crate) server_port: u16,
    client: Bytes,
    server: Bytes,
}

/// Bytes of one direction by where they stand behind its SYN; what is repeated stands in the same place.
#[derive(Default)]
struct Bytes {
    first: u32,
    by_offset: BTreeMap<u32, Vec<u8>>,
    joined: Vec<u8>,
}

impl Bytes {
    fn join(&mut self) {
        for (&offset, bytes) in &self.by_offset {
            let Some(known) = self.joined.len().checked_sub(offset as usize) else { break };
            self.joined.extend(bytes.iter().skip(known));
        }
    }
}

impl Connection {
    /// The requests, up to the first with a body.
    pub(crate) fn requests(&self) -> Vec<Http1Request<'_>> {
        let (mut requests, mut rest) = (Vec::new(), &self.client.joined[..]);
        while let Some(request) = Http1Request::parse(rest).ok().and_then(Progress::done) {
            rest = &rest[request.bytes().len()..];
            requests.push(request);
            let BodyLength::Known(0) = request.body() else { break };
        }
        requests
    }

    /// The first response.
    pub(crate) fn response(&self) -> Option<Http1Response<'_>> {
        Http1Response::parse(&self.server.joined).ok()?.done()
    }
}

/// The connections of a capture below `pcaps`, in the order in which they began.
pub(crate) fn connections(capture: &str) -> Vec<Connection> {
    let capture = Capture::open(&corpus::path(capture));
    let mut connections: Vec<(_, Connection)> = Vec::new();
    for record in &capture.records {
        let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
        let Ok(packet) = Packet::decode(&frame) else { continue };
        let Some(segment) = packet.tcp() else { continue };
        let (source, destination) = packet.addresses();
        let (from, to) = ((source, segment.source_port()), (destination, segment.destination_port()));
        if segment.flags().is_syn() {
            let client = Bytes { first: segment.sequence().wrapping_add(1), ..Bytes::default() };
            let (server, server_port) = (Bytes::default(), to.1);
            connections.push(((from, to), Connection { server_port, client, server }));
            continue;
        }
        let known = connections.iter_mut().rev().find(|(ends, _)| *ends == (from, to) || *ends == (to, from));
        let Some((ends, connection)) = known else { continue };
        let bytes = if *ends == (from, to) { &mut connection.client } else { &mut connection.server };
        if segment.flags().is_syn_ack() {
            bytes.first = segment.sequence().wrapping_add(1);
        } else if !segment.payload().is_empty() {
            let offset = segment.sequence().wrapping_sub(bytes.first);
            bytes.by_offset.entry(offset).or_insert_with(|| segment.payload().to_vec());
        }
    }
    connections
        .into_iter()
        .map(|(_, mut connection)| {
            connection.client.join();
            connection.server.join();
            connection
        })
        .collect()
}
