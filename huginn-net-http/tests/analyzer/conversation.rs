//! Connections made of what their ends send.

use huginn_net_http::HttpSettings;
use testkit::capture::Capture;
use testkit::encap::link::ethernet;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::watch::Watch;

/// The numbers of the SYN and of the SYN+ACK, each near the end of its circle.
pub(crate) const CLIENT_START: u32 = u32::MAX - 20;
pub(crate) const SERVER_START: u32 = u32::MAX - 30;
const ETHERNET: u16 = 1;
/// Bytes in a segment, which a datagram has room for.
const LONGEST: usize = 60_000;

pub(crate) const GET: &str = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// The frames of a connection, in the order of capture.
#[derive(Clone)]
pub(crate) struct Conversation {
    port: u16,
    client_next: u32,
    server_next: u32,
    pub(crate) frames: Vec<Vec<u8>>,
}

impl Conversation {
    /// A connection of which nothing was captured.
    pub(crate) fn mid_flow(port: u16) -> Self {
        let (client_next, server_next) = (CLIENT_START.wrapping_add(1), SERVER_START.wrapping_add(1));
        Self { port, client_next, server_next, frames: Vec::new() }
    }

    /// A connection with its SYN and SYN+ACK.
    pub(crate) fn new(port: u16) -> Self {
        let mut new = Self::mid_flow(port);
        let syn = Tcp::new(port, 80).sequence(CLIENT_START).flags(flags::SYN);
        let syn_ack = Tcp::new(80, port)
            .sequence(SERVER_START)
            .acknowledgment(new.client_next)
            .flags(flags::SYN | flags::ACK);
        new.frames.push(ethernet(&client().tcp(&syn)));
        new.frames.push(ethernet(&server().tcp(&syn_ack)));
        new
    }

    /// The client sends bytes.
    pub(crate) fn client(mut self, bytes: impl AsRef<[u8]>) -> Self {
        for part in bytes.as_ref().chunks(LONGEST) {
            self.frames.push(self.client_segment(0, part));
            self.client_next = self.client_next.wrapping_add(part.len() as u32);
        }
        self
    }

    /// The server sends bytes.
    pub(crate) fn server(mut self, bytes: impl AsRef<[u8]>) -> Self {
        for part in bytes.as_ref().chunks(LONGEST) {
            self.frames.push(self.server_segment(0, part));
            self.server_next = self.server_next.wrapping_add(part.len() as u32);
        }
        self
    }

    /// Both ends say that they have sent all.
    pub(crate) fn closed(self) -> Self {
        let [of_client, of_server] = [
            client().tcp(&Tcp::new(self.port, 80).sequence(self.client_next).flags(flags::FIN | flags::ACK)),
            server().tcp(&Tcp::new(80, self.port).sequence(self.server_next).flags(flags::FIN | flags::ACK)),
        ];
        self.frame(ethernet(&of_client)).frame(ethernet(&of_server))
    }

    /// A segment of the client that lies so many bytes ahead of what it has sent.
    pub(crate) fn client_segment(&self, ahead: u32, bytes: &[u8]) -> Vec<u8> {
        let sequence = self.client_next.wrapping_add(ahead);
        let segment = Tcp::new(self.port, 80)
            .sequence(sequence)
            .acknowledgment(self.server_next)
            .flags(flags::ACK)
            .payload(bytes);
        ethernet(&client().tcp(&segment))
    }

    /// A segment of the server that lies so many bytes ahead of what it has sent.
    pub(crate) fn server_segment(&self, ahead: u32, bytes: &[u8]) -> Vec<u8> {
        let sequence = self.server_next.wrapping_add(ahead);
        let segment = Tcp::new(80, self.port)
            .sequence(sequence)
            .acknowledgment(self.client_next)
            .flags(flags::ACK)
            .payload(bytes);
        ethernet(&server().tcp(&segment))
    }

    /// Bytes of the client that were not captured.
    pub(crate) fn client_lost(mut self, bytes: u32) -> Self {
        self.client_next = self.client_next.wrapping_add(bytes);
        self
    }

    /// Bytes of the server that were not captured.
    pub(crate) fn server_lost(mut self, bytes: u32) -> Self {
        self.server_next = self.server_next.wrapping_add(bytes);
        self
    }

    /// A frame of any kind.
    pub(crate) fn frame(mut self, frame: Vec<u8>) -> Self {
        self.frames.push(frame);
        self
    }

    pub(crate) fn capture(&self) -> Capture {
        Capture::of_frames(ETHERNET, self.frames.clone())
    }

    /// What an analyzer with default settings sees.
    pub(crate) fn watch(&self) -> Watch {
        self.watch_with(HttpSettings::default())
    }

    pub(crate) fn watch_with(&self, settings: HttpSettings) -> Watch {
        let mut watch = Watch::new(settings);
        watch.capture(&self.capture());
        watch
    }
}

fn client() -> Ipv4 {
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2])
}

fn server() -> Ipv4 {
    Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1])
}

/// The numbers of requests and responses in order, with what was asked for and what was answered.
pub(crate) fn exchanges(watch: &Watch) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    watch
        .events
        .iter()
        .map(|event| match (event.request(), event.response()) {
            (Some(seen), None) => {
                format!(
                    "{}> {} {}",
                    seen.exchange,
                    text(seen.method().unwrap()),
                    text(seen.target().unwrap())
                )
            }
            (None, Some(seen)) => {
                let answers = if seen.is_answer { "" } else { " to nothing seen" };
                format!("{}< {}{answers}", seen.exchange, seen.status().unwrap())
            }
            _ => unreachable!("an event is a request or a response"),
        })
        .collect()
}
