//! What is reported.

use core::fmt;

use huginn_net_core::{Located, Origin};
use huginn_net_db::{ClientKey, ClientLabel, Shared};
use huginn_net_tcp::Uptime;
use huginn_net_tls::{ClientHelloSeen, ServerHelloSeen, Sslv2HelloSeen};

use crate::http_events::{Http2Client, HttpClient, HttpServer};
use crate::stacks::Stack;

/// Something seen of a host, with what the database says about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A SYN, which shows the stack of a client.
    TcpSyn(Stack),
    /// A SYN+ACK, which shows the stack of a server.
    TcpSynAck(Stack),
    /// The clock of a host.
    TcpUptime(Uptime),
    /// A ClientHello, which shows the program of a client.
    TlsClientHello(TlsClient),
    /// A ServerHello, which shows what a server chose of what this client offered.
    TlsServerHello(ServerHelloSeen),
    /// A hello in the format of SSL 2.0, for which no fingerprint is defined.
    TlsSslv2Hello(Sslv2HelloSeen),
    /// The head of an HTTP request, which shows the program of a client.
    HttpRequest(HttpClient),
    /// The head of an HTTP response, which shows the program of a server.
    HttpResponse(HttpServer),
    /// How a client started HTTP/2, if it sent no request of HTTP/2 soon.
    HttpStart(Http2Client),
}

impl Event {
    /// Where and when it was seen.
    pub const fn origin(&self) -> &Origin {
        match self {
            Self::TcpSyn(stack) | Self::TcpSynAck(stack) => &stack.origin,
            Self::TcpUptime(uptime) => &uptime.origin,
            Self::TlsClientHello(client) => &client.seen.origin,
            Self::TlsServerHello(seen) => &seen.origin,
            Self::TlsSslv2Hello(seen) => &seen.origin,
            Self::HttpRequest(client) => &client.seen.origin,
            Self::HttpResponse(server) => &server.seen.origin,
            Self::HttpStart(start) => &start.seen.origin,
        }
    }
}

impl Located for Event {
    fn located(&self) -> Option<&Origin> {
        Some(self.origin())
    }
}

/// A TLS client as its hello shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TlsClient {
    /// What was seen.
    pub seen: ClientHelloSeen,
    /// The clients that send such hellos; `None` if nobody is known to.
    pub known: Option<KnownClient>,
}

/// Who sends a fingerprint, according to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownClient {
    /// Every client that fits, in words.
    pub label: Shared<ClientLabel>,
    /// The fingerprint they were found by.
    pub key: ClientKey,
}

/// Hops between a sender and the point of capture; displays as `7` or `<= 7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Distance {
    /// Number of hops.
    pub hops: u8,
    /// Whether there may be fewer, as the sender starts from random TTLs.
    pub at_most: bool,
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.at_most { "<= " } else { "" }, self.hops)
    }
}
