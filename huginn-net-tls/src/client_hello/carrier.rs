//! What carries hellos.

/// What carried a hello: known from where its bytes came from, never from the bytes.
///
/// There are no others: JA4 has a letter for each of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carrier {
    /// TLS records, over TCP or anything else that keeps order.
    Tcp,
    /// The CRYPTO stream of QUIC.
    Quic,
    /// DTLS, over UDP or SCTP. Its hello has one field more, the cookie.
    Dtls,
}

impl Carrier {
    /// `tcp`, `quic` or `dtls`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Quic => "quic",
            Self::Dtls => "dtls",
        }
    }
}
