//! What is reported.

use core::fmt;
use std::sync::Arc;

use huginn_net_core::{Located, Origin};
use huginn_net_db::{ClientKey, ClientLabel, Label, Quality};
use huginn_net_tcp::{TcpObservation, Uptime};
use huginn_net_tls::{ClientHelloSeen, ServerHelloSeen, Sslv2HelloSeen};

use crate::http_events::{HttpClient, HttpServer, HttpStart};

/// Something seen of a host, with what the database says about it.
#[derive(Clone, Debug)]
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
    HttpStart(HttpStart),
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

/// A TCP stack as a SYN or SYN+ACK shows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stack {
    /// Where and when it was seen; the source is the host whose stack it shows.
    pub origin: Origin,
    /// What was seen.
    pub observation: TcpObservation,
    /// What the database makes of it; `None` if no signature fits.
    pub os: Option<OperatingSystem>,
    /// Hops to the sender.
    pub distance: Distance,
    /// MTU that the MSS was seen with, in bytes; `None` without an MSS, or if a tool built the packet. It is that of the
    /// sender's link unless there is a `mtu_origin`.
    pub mtu: Option<u32>,
    /// What kind of link has that MTU.
    pub link: Option<Link>,
    /// MTU of the sender's link in bytes, before the path lowered the MSS to what `mtu` was seen with: `mtu` then speaks
    /// of the path, a tunnel for example, and not of the sender's link. `None` unless the window gives it away.
    pub mtu_origin: Option<u32>,
    /// What kind of link has the MTU `mtu_origin`.
    pub link_origin: Option<Link>,
}

/// A TLS client as its hello shows it.
#[derive(Clone, Debug)]
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
    pub label: Arc<ClientLabel>,
    /// The fingerprint they were found by.
    pub key: ClientKey,
}

/// A label that the database gave.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OperatingSystem {
    /// The operating system, or the tool.
    pub label: Arc<Label>,
    /// How well the signature fits.
    pub quality: Quality,
    /// Line of the signature in its file, from 1.
    pub line: u32,
    /// Initial TTL of the signature.
    pub initial_ttl: u8,
    /// The packet fits only when a run of NOPs is read as a timestamps option that was overwritten on the way.
    pub timestamps_stripped: bool,
    /// The TTL is not one that this system starts from: a proxy, a tethering phone or the end of a VPN has set it anew,
    /// or somebody has configured the host.
    pub ttl_rewritten: bool,
    /// The MSS the sender computed its window with, in bytes, when the option was lowered on the way.
    pub mss_origin: Option<u16>,
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

/// What kind of link has an MTU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// For example `Ethernet`.
    pub name: Arc<str>,
    /// In bytes.
    pub mtu: u32,
}
