//! Signatures of operating systems, links, software and clients.
//!
//! ```
//! use huginn_net_db::Database;
//!
//! let text = "classes = unix\n[tcp:request]\nlabel = s:unix:Linux:6.x\nsig = *:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0\n";
//! let database = Database::parse(text, "my.fp")?;
//! assert_eq!(database.tcp_requests()[0].label.to_string(), "Linux 6.x");
//! # Ok::<(), huginn_net_db::DatabaseError>(())
//! ```
//!
//! [`Database::open`] reads a file, and [`Database::bundled`] has the signatures of this project. What was seen is matched by
//! [`Database::match_syn`] and [`Database::match_syn_ack`], [`Database::match_hello`] and [`Database::match_akamai`]; heads of
//! HTTP are named and judged by [`Database::judge_request`], [`Database::judge_http2_request`] and
//! [`Database::judge_response`]. [`Database::match_fingerprint`] looks up a fingerprint that is known as text. Whoever
//! matches many packets or heads takes a [`TcpMatcher`] and an [`HttpMatcher`], which remember answers.

mod alike;
mod contents;
mod corpus;
mod database;
mod export;
mod fingerprint;
mod http;
mod label;
mod mtu;
mod parse;
mod record;
mod shared;
mod tcp;
mod tls;

pub use self::database::{Database, DatabaseError};
pub use self::export::{LeftOut, P0fExport};
pub use self::fingerprint::{
    Difference, Fingerprint, FingerprintError, FingerprintReason, Found, KnownRecord, Neighbour,
    RawHttpSignature,
};
pub use self::http::{
    Assessment, Channel, HeaderPattern, Http2Judgment, HttpJudgment, HttpMatch, HttpMatcher, HttpScore,
    HttpSignature, HttpVersion, NamedStacks, OsCheck, Verdict, VerdictReason,
};
pub use self::label::{Class, Label, Specificity};
pub use self::parse::{
    Diagnostic, DiagnosticCode, Line, LineContent, Section, Severity, SignatureFile, Statement,
};
pub use self::record::{
    ClientRecord, Http2Record, HttpRecord, ListedSystem, MtuRecord, SystemRef, TcpRecord, TlsRecord,
};
pub use self::shared::{Interner, Share, Shared};
pub use self::tcp::{
    FamilySignature, LayoutFamily, MatchCost, Quality, SignatureTtl, TcpFactSet, TcpMatch, TcpMatcher,
    TcpSignature, WindowPattern,
};
pub use self::tls::{Attribution, Client, ClientKey, ClientKind, ClientLabel, ClientMatch, TlsSignature};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
