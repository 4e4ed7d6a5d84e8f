//! What is reported of TLS.

use core::fmt;
use core::net::SocketAddr;

use huginn_net_core::{Located, Origin, Packet, Timestamp};

use crate::client_hello::OwnedClientHello;
use crate::ja3::Ja3s;
use crate::numbers::{CipherSuite, ProtocolVersion};
use crate::quic::QuicFacts;

/// Something seen of TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TlsEvent {
    /// A ClientHello, which shows the program that sent it.
    ClientHello(ClientHelloSeen),
    /// A ServerHello, which shows what a server chose of what this client offered.
    ServerHello(ServerHelloSeen),
    /// A hello in the format of SSL 2.0, for which no fingerprint is defined.
    Sslv2Hello(Sslv2HelloSeen),
}

impl TlsEvent {
    /// Where and when it was seen.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        match self {
            Self::ClientHello(seen) => &seen.origin,
            Self::ServerHello(seen) => &seen.origin,
            Self::Sslv2Hello(seen) => &seen.origin,
        }
    }

    /// The ClientHello, if it is one.
    #[must_use]
    pub const fn client_hello(&self) -> Option<&ClientHelloSeen> {
        match self {
            Self::ClientHello(seen) => Some(seen),
            Self::ServerHello(_) | Self::Sslv2Hello(_) => None,
        }
    }

    /// The ServerHello, if it is one.
    #[must_use]
    pub const fn server_hello(&self) -> Option<&ServerHelloSeen> {
        match self {
            Self::ServerHello(seen) => Some(seen),
            Self::ClientHello(_) | Self::Sslv2Hello(_) => None,
        }
    }
}

impl Located for TlsEvent {
    fn located(&self) -> Option<&Origin> {
        Some(self.origin())
    }
}

/// A ClientHello and how it came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientHelloSeen {
    /// Where and when it was seen: the packet that completed it. The source is the client.
    pub origin: Origin,
    /// The hello itself.
    pub hello: OwnedClientHello,
    /// The first packet that carried a part of it.
    pub first: PacketRef,
    /// How many packets carried it, 1 or more: those with bytes of it that none before them had. A datagram in IP fragments is
    /// one packet.
    pub packets: u32,
    /// 0 for the first hello of a connection, 1 for the one that answers a HelloRetryRequest or a cookie, or stands before one that
    /// came ahead of it.
    pub hello_index: u8,
    /// It answers a HelloRetryRequest: that was seen before it, or it brings what only such a hello does, a cookie in the
    /// extension. Over QUIC, where a HelloRetryRequest is encrypted, every second hello answers one; over DTLS every
    /// second one without a cookie in the field for it.
    pub after_hrr: bool,
    /// What QUIC tells besides, if it came over QUIC.
    pub quic: Option<QuicFacts>,
    /// What stood before the hello, for example the real client in a PROXY header.
    pub via: Option<Box<Via>>,
}

/// A packet of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PacketRef {
    /// Capture time.
    pub captured_at: Timestamp,
    /// 1-based number of the frame in its capture.
    pub frame: u64,
}

impl PacketRef {
    pub(crate) const fn of(packet: &Packet<'_>) -> Self {
        Self { captured_at: packet.captured_at(), frame: packet.number() }
    }
}

/// A ServerHello that is no HelloRetryRequest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerHelloSeen {
    /// Where and when it was seen: the packet that completed it. The source is the server.
    pub origin: Origin,
    /// JA3S.
    pub ja3s: Ja3s,
    /// What JA3S is the hash of: version, cipher suite, extensions.
    pub ja3s_full: Box<str>,
    /// The version chosen.
    pub version: ProtocolVersion,
    /// The cipher suite chosen.
    pub cipher_suite: CipherSuite,
    /// A HelloRetryRequest was seen before it. One that was not captured may have come.
    pub after_hrr: bool,
}

/// A hello in the format of SSL 2.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sslv2HelloSeen {
    /// Where and when it was seen: the packet that completed it. The source is the client.
    pub origin: Origin,
    /// The newest version offered.
    pub version: ProtocolVersion,
    /// The cipher specs of three bytes each, in order.
    pub cipher_specs: Box<[u32]>,
    /// The first packet that carried a part of it.
    pub first: PacketRef,
    /// How many packets carried it, 1 or more.
    pub packets: u32,
    /// What stood before the hello.
    pub via: Option<Box<Via>>,
}

/// What stood before a hello in the stream of its client, or around it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Via {
    /// What it was.
    pub kind: ViaKind,
    /// The client that a proxy or relay speaks for.
    pub source: Option<SocketAddr>,
    /// What the client of a proxy or relay wants to reach, or what it reached a proxy by.
    pub destination: Option<ViaTarget>,
}

impl Via {
    /// Nobody speaks for anybody else.
    pub(crate) const fn of(kind: ViaKind) -> Self {
        Self { kind, source: None, destination: None }
    }

    /// Whether the hello goes where this leads, and not where one before it did: the client was refused there, or asked the proxy
    /// that it reached for the next one. What stands first tells most otherwise, as of several headers of proxies that of the one
    /// whom the client spoke to.
    pub(crate) fn supersedes(&self, before: &Self) -> bool {
        self.kind.asks() && before.kind.asks() && self.destination.is_some()
    }
}

/// What stood before a hello, or around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ViaKind {
    /// PROXY header in text.
    ProxyV1,
    /// PROXY header in binary.
    ProxyV2,
    /// Method CONNECT of HTTP ([RFC 9110 §9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)).
    HttpConnect,
    /// SOCKS 4 or 4a.
    Socks4,
    /// SOCKS 5 ([RFC 1928](https://www.rfc-editor.org/rfc/rfc1928)).
    Socks5,
    /// A PostgreSQL client asked for encryption.
    Postgres,
    /// A MySQL or MariaDB client asked for encryption.
    Mysql,
    /// A client of RDP asked for a connection.
    Rdp,
    /// A client of LDAP asked for encryption: StartTLS ([RFC 4511 §4.14](https://www.rfc-editor.org/rfc/rfc4511#section-4.14)).
    Ldap,
    /// A client of SQL Server asked for encryption in TDS, whose packets also carry the handshake
    /// ([MS-TDS] §2.2.6.5: PRELOGIN).
    ///
    /// [MS-TDS]: https://learn.microsoft.com/openspecs/windows_protocols/ms-tds
    Tds,
    /// A TURN server relays the datagrams ([RFC 8656](https://www.rfc-editor.org/rfc/rfc8656)); the other end is known of those that
    /// are not in a channel.
    Turn,
    /// An access point and its controller encrypt CAPWAP ([RFC 5415 §4.2](https://www.rfc-editor.org/rfc/rfc5415#section-4.2)).
    Capwap,
}

impl ViaKind {
    /// Whether it asks a proxy for a connection.
    const fn asks(self) -> bool {
        matches!(self, Self::HttpConnect | Self::Socks4 | Self::Socks5)
    }

    /// A short fixed word, for example `proxy_v1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProxyV1 => "proxy_v1",
            Self::ProxyV2 => "proxy_v2",
            Self::HttpConnect => "http_connect",
            Self::Socks4 => "socks4",
            Self::Socks5 => "socks5",
            Self::Postgres => "postgresql",
            Self::Mysql => "mysql",
            Self::Rdp => "rdp",
            Self::Ldap => "ldap",
            Self::Tds => "tds",
            Self::Turn => "turn",
            Self::Capwap => "capwap",
        }
    }
}

/// An endpoint as a client named it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViaTarget {
    /// An address and port.
    Address(SocketAddr),
    /// A host name and port, as sent; the name need not be text.
    Name {
        /// The name.
        host: Box<[u8]>,
        /// The port; `None` if the client named none.
        port: Option<u16>,
    },
}

impl fmt::Display for ViaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Name { host, port } => {
                write!(f, "{}", host.escape_ascii())?;
                port.map_or(Ok(()), |port| write!(f, ":{port}"))
            }
        }
    }
}
