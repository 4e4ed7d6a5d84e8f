//! Passive HTTP fingerprinting: what heads of HTTP/1, and the first bytes of an HTTP/2 client, say of the program that
//! sent them.
//!
//! ```no_run
//! # #[cfg(feature = "capture")]
//! # fn main() -> Result<(), huginn_net_http::core::SourceError> {
//! use huginn_net_http::{HttpEvent, HuginnNetHttp};
//!
//! for event in HuginnNetHttp::new().analyze_pcap("capture.pcapng")? {
//!     if let HttpEvent::Request(seen) = event? {
//!         println!("{} {}", seen.origin.source, seen.user_agent().unwrap_or_default().escape_ascii());
//!     }
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "capture"))]
//! # fn main() {}
//! ```
//!
//! For bytes one already has, in a proxy for one, there is no thread and no I/O:
//!
//! ```
//! use huginn_net_http::AkamaiReader;
//! use huginn_net_http::core::Progress;
//!
//! # let bytes = include_bytes!("../../pcaps/http2/client/firefox-esr-153.7.0-run2.bin");
//! let mut reader = AkamaiReader::new();
//! if let Progress::Done(seen) = reader.push(bytes)? {
//!     assert_eq!(seen.akamai().to_string(), "1:65536;2:0;4:131072;5:16384|12517377|0|m,p,a,s");
//! #   return Ok(());
//! }
//! # panic!("no fingerprint");
//! # #[allow(unreachable_code)]
//! # Ok::<(), huginn_net_http::Http2Error>(())
//! ```
//!
//! [`ServerSettingsReader`] reads how a server begins, [`Http2Settings::from_upgrade`] what a request of HTTP/1.1 offers, and
//! [`HpackDecoder`] decodes the header blocks of one direction.
//!
//! [`Http1Request`] and [`Http1Response`] read the heads of HTTP/1, and give what p0f calls `raw_sig`; [`Http1Scanner`] finds
//! where a head ends while its bytes arrive, and [`ChunkScanner`] where a body of chunks does.
//!
//! # Features
//! All on: `capture` for packets, without which only what reads bytes at hand is there; `gzip` and `zstd` for compressed captures,
//! `live` for interfaces on Linux. `libpcap` is for interfaces by that library.

#![cfg_attr(
    not(feature = "capture"),
    allow(dead_code, unused_imports, reason = "what finds heads in packets uses them")
)]

mod akamai;
#[cfg(feature = "capture")]
mod analyzer;
#[cfg(feature = "capture")]
mod event;
mod http1;
mod http2;
mod intermediary;
#[cfg(feature = "capture")]
mod settings;

pub use huginn_net_core as core;

pub use self::akamai::{
    AkamaiFingerprint, AkamaiHash, AkamaiReader, AkamaiSha256, AkamaiText, ParseHashError,
};
#[cfg(feature = "capture")]
pub use self::analyzer::{HttpAnalyzer, HuginnNetHttp};
#[cfg(feature = "capture")]
pub use self::event::{HttpEvent, HttpRequest, HttpResponse, HttpStart};
pub use self::http1::{
    AcceptLanguage, BodyLength, ChunkScanner, Device, Engine, HeadShape, Header, Headers, Http1Error,
    Http1Limits, Http1Quirks, Http1Request, Http1Response, Http1Scanner, Http1Version, LanguageRange,
    PassedOver, RawSignature, TargetForm, UserAgent, UserAgentSystem,
};
pub use self::http2::{
    CLIENT_PREFACE, FieldForm, HpackDecoder, HpackError, HpackField, HpackLimits, Http2Error, Http2Fields,
    Http2FrameType, Http2Limits, Http2Priority, Http2Request, Http2Response, Http2Setting, Http2SettingId,
    Http2Settings, ServerSettingsReader,
};
pub use self::intermediary::{Intermediary, IntermediaryKind};
#[cfg(feature = "capture")]
pub use self::settings::HttpSettings;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
