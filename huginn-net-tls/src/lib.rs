//! Passive TLS client fingerprinting: what a ClientHello says of the program that sent it.
//!
//! ```no_run
//! use huginn_net_tls::{HuginnNetTls, TlsEvent};
//!
//! for event in HuginnNetTls::new().analyze_pcap("capture.pcapng")? {
//!     if let TlsEvent::ClientHello(seen) = event? {
//!         println!("{} {}", seen.origin.source, seen.hello.ja4());
//!     }
//! }
//! # Ok::<(), huginn_net_tls::core::SourceError>(())
//! ```
//!
//! For bytes one already has there is no thread and no I/O:
//!
//! ```
//! use huginn_net_tls::ClientHello;
//!
//! # let bytes = include_bytes!("../../pcaps/tls/hello/hand-base-tls13.bin");
//! let hello = ClientHello::from_record(bytes)?;
//! assert_eq!(hello.ja4().to_string(), "t13d040700_e00fd9ffaebd_8b8b673a840a");
//! assert_eq!(hello.server_name(), Some(&b"www.example.test"[..]));
//! # Ok::<(), huginn_net_tls::TlsError>(())
//! ```
//!
//! [`ClientHelloReader`] takes a stream in pieces of any size. Fingerprints are JA4 with its forms, JA3, and JA3S of the
//! server's answer; each is computed when it is asked for, and JA4 without allocation for up to 128 cipher
//! suites, and 128 extensions and signature algorithms together.
//!
//! # Features
//! All on: `capture` for packets, without which only what reads bytes at hand is there; `gzip` and `zstd` for compressed captures,
//! `live` for interfaces on Linux. `libpcap` is for interfaces by that library.

#[cfg(feature = "capture")]
mod analyzer;
#[cfg(feature = "capture")]
mod carriers;
mod client_hello;
mod dtls;
mod error;
#[cfg(feature = "capture")]
mod event;
mod fingerprinted;
mod grease;
mod handshake;
mod ja3;
mod ja4;
mod names;
mod numbers;
mod quic;
mod record;
mod server_hello;
#[cfg(feature = "capture")]
mod settings;
mod sha256;
mod sslv2;
mod text;

pub use huginn_net_core as core;

#[cfg(feature = "capture")]
pub use self::analyzer::{HuginnNetTls, TlsAnalyzer};
pub use self::client_hello::{
    Carrier, ClientHello, EncryptedHello, Extension, Extensions, Flaws, OwnedClientHello, SessionFacts,
};
pub use self::dtls::{DtlsError, DtlsHello, DtlsHelloReader, DtlsLimits};
pub use self::error::TlsError;
#[cfg(feature = "capture")]
pub use self::event::{
    ClientHelloSeen, PacketRef, ServerHelloSeen, Sslv2HelloSeen, TlsEvent, Via, ViaKind, ViaTarget,
};
pub use self::ja3::{Ja3, Ja3Lists, Ja3Text, Ja3n, Ja3s, Ja3sText, ParseMd5Error};
pub use self::ja4::{
    Ja4, Ja4Cache, Ja4Forms, Ja4ListHashes, Ja4Lists, Ja4Options, Ja4Original, Ja4Stable, Ja4Text,
    ParseJa4Error, ParseListsError,
};
pub use self::numbers::{
    CertificateCompression, CipherSuite, ExtensionType, NamedGroup, NumberList, Numbers, ProtocolVersion,
    SignatureScheme,
};
pub use self::quic::{
    QuicError, QuicFacts, QuicHello, QuicInitialReader, QuicLimit, QuicLimits, QuicPacketType, QuicVersion,
    TransportParameter, TransportParameterId, TransportParameters,
};
pub use self::record::{ClientHelloReader, HelloLimits};
pub use self::server_hello::ServerHello;
#[cfg(feature = "capture")]
pub use self::settings::TlsSettings;
pub use self::sslv2::Sslv2Hello;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
