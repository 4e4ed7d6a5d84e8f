//! The first message of a client.

mod carrier;
mod extensions;
mod flaws;
mod index;
#[cfg(feature = "capture")]
mod keeper;
mod owned;

use core::fmt;

use huginn_net_core::{Progress, Reader};

pub use self::carrier::Carrier;
pub use self::extensions::{Extension, Extensions};
pub use self::flaws::Flaws;
use self::index::{ExtensionIndex, Named};
pub(crate) use self::index::{LowTypes, MOST_HIGH};
#[cfg(feature = "capture")]
pub(crate) use self::keeper::HelloKeeper;
pub use self::owned::OwnedClientHello;
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};
use crate::numbers::{
    CertificateCompression, CipherSuite, ExtensionType, NamedGroup, NumberList, ProtocolVersion,
    SignatureScheme,
};
use crate::record::{self, HelloLimits};

/// A ClientHello ([RFC 8446 §4.1.2], [RFC 5246 §7.4.1.2]; DTLS: [RFC 9147 §5.3]), borrowed from the bytes it was read
/// from.
///
/// Everything is as it was sent, GREASE and nonsense included: lists whose length is wrong end where their bytes end, and
/// [`flaws`](Self::flaws) tells. Of an extension that is there twice the first one is read.
///
/// ```
/// use huginn_net_tls::{Carrier, ClientHello, ExtensionType, ProtocolVersion};
/// use huginn_net_tls::core::Progress;
///
/// let mut message = vec![1, 0, 0, 50, 3, 3];
/// message.extend([7; 32]); // random
/// message.extend([0, 0, 4, 0x13, 0x01, 0x13, 0x02, 1, 0]); // session id, cipher suites, compression
/// message.extend([0, 5, 0x00, 0x2b, 0, 1, 0]); // an empty list of versions
/// let Progress::Done(hello) = ClientHello::parse(&message, Carrier::Tcp)? else { panic!() };
/// assert_eq!(hello.cipher_suites().len(), 2);
/// assert!(hello.extension(ExtensionType::SUPPORTED_VERSIONS).is_some());
/// assert_eq!(hello.version(), ProtocolVersion::TLS_1_2);
/// assert_eq!(hello.ja4().to_string(), "t12i020100_62ed6f6ca7ad_b9a491fefe05");
/// # Ok::<(), huginn_net_tls::TlsError>(())
/// ```
///
/// [RFC 8446 §4.1.2]: https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2
/// [RFC 5246 §7.4.1.2]: https://www.rfc-editor.org/rfc/rfc5246#section-7.4.1.2
/// [RFC 9147 §5.3]: https://www.rfc-editor.org/rfc/rfc9147#section-5.3
#[derive(Clone, Copy)]
pub struct ClientHello<'a> {
    message: &'a [u8],
    carrier: Carrier,
    legacy_version: ProtocolVersion,
    random: &'a [u8; 32],
    session_id: &'a [u8],
    cookie: &'a [u8],
    cipher_suites: &'a [u8],
    compression_methods: &'a [u8],
    extension_block: &'a [u8],
    index: ExtensionIndex,
    flaws: Flaws,
}

impl fmt::Debug for ClientHello<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientHello")
            .field("ja4", &self.ja4())
            .field("carrier", &self.carrier)
            .field("bytes", &self.message.len())
            .field("flaws", &self.flaws)
            .finish_non_exhaustive()
    }
}

/// What a hello says about earlier sessions, and how much it was padded: what changes a JA4 without another client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct SessionFacts {
    /// The client offers to go on with an earlier session: by `pre_shared_key`, by a ticket, or by a session id. Over TCP a
    /// session id says nothing if the client offers TLS 1.3, where it is there for middleboxes
    /// ([RFC 8446 §D.4](https://www.rfc-editor.org/rfc/rfc8446#appendix-D.4)).
    pub resumption_offered: bool,
    /// The client sends data before the server has answered.
    pub early_data: bool,
    /// `session_ticket` is there, with a ticket or without.
    pub ticket: bool,
    /// Length of the padding in bytes, if there is any extension for it.
    pub padding: Option<usize>,
}

/// What `encrypted_client_hello` says of the hello it stands in ([RFC 9849 §5]); every first byte is one of these.
///
/// [RFC 9849 §5]: https://www.rfc-editor.org/rfc/rfc9849#section-5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncryptedHello {
    /// An outer hello: its server name need not be the one meant. Also what a client without keys sends as GREASE; from
    /// outside the two cannot be told apart.
    Outer,
    /// An inner hello, which is not seen in the clear unless somebody erred.
    Inner,
    /// Any other type, or none: the extension has no first byte.
    Other(Option<u8>),
}

impl<'a> ClientHello<'a> {
    /// Reads a handshake message from its type byte on; bytes behind the message are ignored.
    ///
    /// For DTLS the message is the one of TLS with the cookie: the eight bytes about fragments left out of the header.
    ///
    /// # Errors
    /// [`TlsError::NotClientHello`], or [`TlsError::Truncated`] if the message ends before its compression methods do.
    #[inline]
    pub fn parse(message: &'a [u8], carrier: Carrier) -> Result<Progress<Self>, TlsError> {
        match handshake::message(message, HandshakeType::ClientHello)? {
            Progress::Done(message) => Self::of_message(message, carrier).map(Progress::Done),
            Progress::NeedMore => Ok(Progress::NeedMore),
        }
    }

    /// Reads the hello of a TLS stream that begins with a record; ChangeCipherSpec and alerts before it are passed over.
    ///
    /// # Errors
    /// As [`Self::parse`]; [`TlsError::Incomplete`] if the bytes end early; [`TlsError::SeveralRecords`] if the hello does
    /// not lie in one piece, where [`ClientHelloReader`](crate::ClientHelloReader) helps; [`TlsError::Sslv2`] and the errors
    /// of records if it is none.
    #[inline]
    pub fn from_record(bytes: &'a [u8]) -> Result<Self, TlsError> {
        match record::first_message(bytes, HandshakeType::ClientHello, &HelloLimits::default(), false)? {
            Progress::Done(message) => Self::of_message(message.bytes, Carrier::Tcp),
            Progress::NeedMore => Err(TlsError::Incomplete),
        }
    }

    /// `message` is complete and of the right type.
    pub(crate) fn of_message(message: &'a [u8], carrier: Carrier) -> Result<Self, TlsError> {
        let mut reader = Reader::at(message, handshake::HEADER);
        let mut flaws = Flaws::NONE;

        let legacy_version = ProtocolVersion(reader.u16("legacy_version")?);
        let random = handshake::random(&mut reader)?;
        let session_id = reader.sub_u8("session_id")?.rest();
        let cookie = match carrier {
            Carrier::Dtls => reader.sub_u8("cookie")?.rest(),
            Carrier::Tcp | Carrier::Quic => &[],
        };
        let cipher_suites = reader.sub_u16("cipher_suites")?.rest();
        let compression_methods = reader.sub_u8("compression_methods")?.rest();
        flaws.set_if(session_id.len() > 32, Flaws::SESSION_ID_LENGTH);
        flaws.set_if(cipher_suites.is_empty() || cipher_suites.len() % 2 == 1, Flaws::CIPHER_SUITES_LENGTH);
        flaws.set_if(compression_methods.is_empty(), Flaws::NO_COMPRESSION_METHOD);

        let extension_block = extension_block(reader, &mut flaws);
        let mut extensions = Extensions::new(extension_block);
        let index = ExtensionIndex::read(&mut extensions);
        flaws.set_if(extensions.overran(), Flaws::EXTENSION_OVERRUN);

        Ok(Self {
            message,
            carrier,
            legacy_version,
            random,
            session_id,
            cookie,
            cipher_suites,
            compression_methods,
            extension_block,
            index,
            flaws,
        })
    }

    /// Reads a message that was read before, so that it cannot fail; if it did, every field would be empty.
    pub(crate) fn of_known_message(message: &'a [u8], carrier: Carrier) -> Self {
        Self::of_message(message, carrier).unwrap_or(Self {
            message,
            carrier,
            legacy_version: ProtocolVersion(0),
            random: &[0; 32],
            session_id: &[],
            cookie: &[],
            cipher_suites: &[],
            compression_methods: &[],
            extension_block: &[],
            index: ExtensionIndex::EMPTY,
            flaws: Flaws::NONE,
        })
    }

    /// What carried it.
    #[must_use]
    pub const fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// The whole handshake message with its header of four bytes.
    #[must_use]
    pub const fn message(&self) -> &'a [u8] {
        self.message
    }

    /// The version field of the message, which stays at 1.2 in TLS 1.3.
    #[must_use]
    pub const fn legacy_version(&self) -> ProtocolVersion {
        self.legacy_version
    }

    /// The client's random.
    #[must_use]
    pub const fn random(&self) -> &'a [u8; 32] {
        self.random
    }

    /// The session id. TLS 1.3 clients send 32 random bytes for the sake of middleboxes.
    #[must_use]
    pub const fn session_id(&self) -> &'a [u8] {
        self.session_id
    }

    /// The cookie of DTLS, empty in the first hello and in other carriers.
    #[must_use]
    pub const fn cookie(&self) -> &'a [u8] {
        self.cookie
    }

    /// The cipher suites.
    #[must_use]
    pub const fn cipher_suites(&self) -> NumberList<'a, CipherSuite> {
        NumberList::new(self.cipher_suites)
    }

    /// The compression methods, one byte each.
    #[must_use]
    pub const fn compression_methods(&self) -> &'a [u8] {
        self.compression_methods
    }

    /// The extensions; none if the message has no block for them.
    #[must_use]
    pub const fn extensions(&self) -> Extensions<'a> {
        Extensions::new(self.extension_block)
    }

    /// The types of the extensions but for GREASE, those below 64 apart and the others in order; `None` of a hello that
    /// has more than an honest client sends, or one of the low types twice.
    #[inline]
    pub(crate) fn extension_types(&self) -> Option<(LowTypes, &[u16])> {
        self.index.types()
    }

    /// The body of the first extension of a type.
    #[must_use]
    pub fn extension(&self, kind: ExtensionType) -> Option<&'a [u8]> {
        if self.index.lacks(kind) {
            return None;
        }
        self.extensions().find(|extension| extension.kind == kind).map(|extension| extension.body)
    }

    fn body(&self, name: Named) -> Option<&'a [u8]> {
        self.index.body(self.extension_block, name)
    }

    /// Whether there is a `server_name` extension, whatever it holds.
    #[must_use]
    pub const fn has_server_name(&self) -> bool {
        self.index.low().intersects(LowTypes::of([ExtensionType::SERVER_NAME]))
    }

    /// The name of the server as it was sent, which need not be text ([RFC 6066 §3]).
    ///
    /// [RFC 6066 §3]: https://www.rfc-editor.org/rfc/rfc6066#section-3
    #[must_use]
    pub fn server_name(&self) -> Option<&'a [u8]> {
        const HOST_NAME: u8 = 0;
        let mut names = list_u16(self.body(Named::ServerName)?);
        loop {
            let kind = names.u8("name_type").ok()?;
            let name = clamped_u16(&mut names)?;
            if kind == HOST_NAME {
                return Some(name);
            }
        }
    }

    /// The names of `application_layer_protocol_negotiation` in order, the empty ones too.
    pub fn alpn(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        names(self.body(Named::Alpn).unwrap_or_default())
    }

    /// The list of `supported_versions`; empty if the extension is not there.
    #[must_use]
    pub fn supported_versions(&self) -> NumberList<'a, ProtocolVersion> {
        NumberList::new(list_u8(self.body(Named::SupportedVersions).unwrap_or_default()))
    }

    /// The numerically greatest version of `supported_versions`, GREASE aside, or else the legacy version.
    ///
    /// It is the one JA4 tells. Version numbers of DTLS fall as versions rise, so for DTLS it is the *oldest* that is
    /// offered; [`Self::newest_version`] is not.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.supported_versions().without_grease().max().unwrap_or(self.legacy_version)
    }

    /// The newest version the client offers, also of DTLS, where versions of TLS do not count.
    #[must_use]
    pub fn newest_version(&self) -> ProtocolVersion {
        match self.carrier {
            Carrier::Tcp | Carrier::Quic => self.version(),
            Carrier::Dtls => {
                let offered = self.supported_versions().without_grease();
                offered.filter(|version| version.is_dtls()).min().unwrap_or_else(|| self.version())
            }
        }
    }

    /// The list of `supported_groups`.
    #[must_use]
    pub fn supported_groups(&self) -> NumberList<'a, NamedGroup> {
        NumberList::new(list_u16(self.body(Named::SupportedGroups).unwrap_or_default()).rest())
    }

    /// The list of `ec_point_formats`, one byte each.
    #[must_use]
    pub fn ec_point_formats(&self) -> &'a [u8] {
        list_u8(self.body(Named::EcPointFormats).unwrap_or_default())
    }

    /// The list of `signature_algorithms`. Those for certificates and for delegated credentials are other extensions.
    #[must_use]
    pub fn signature_algorithms(&self) -> NumberList<'a, SignatureScheme> {
        NumberList::new(list_u16(self.body(Named::SignatureAlgorithms).unwrap_or_default()).rest())
    }

    /// The groups for which the client sends a share of a key, in order.
    pub fn key_share_groups(&self) -> impl Iterator<Item = NamedGroup> + Clone + use<'a> {
        let mut shares = list_u16(self.body(Named::KeyShare).unwrap_or_default());
        core::iter::from_fn(move || {
            let group = shares.u16("group").ok()?;
            clamped_u16(&mut shares)?;
            Some(NamedGroup(group))
        })
    }

    /// The algorithms of `compress_certificate` ([RFC 8879 §3](https://www.rfc-editor.org/rfc/rfc8879#section-3)).
    #[must_use]
    pub fn certificate_compressions(&self) -> NumberList<'a, CertificateCompression> {
        NumberList::new(list_u8(self.extension(ExtensionType::COMPRESS_CERTIFICATE).unwrap_or_default()))
    }

    /// The protocols of `application_settings` (ALPS) at its second code point, or else at its first.
    pub fn application_settings(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        let newer = self.extension(ExtensionType::APPLICATION_SETTINGS);
        names(newer.or_else(|| self.extension(ExtensionType::APPLICATION_SETTINGS_OLD)).unwrap_or_default())
    }

    /// How many keys `pre_shared_key` offers.
    #[must_use]
    pub fn pre_shared_keys(&self) -> usize {
        const OBFUSCATED_AGE: usize = 4;
        let mut identities = list_u16(self.body(Named::PreSharedKey).unwrap_or_default());
        core::iter::from_fn(|| {
            clamped_u16(&mut identities)?;
            identities.skip(OBFUSCATED_AGE, "obfuscated_ticket_age").ok()
        })
        .count()
    }

    /// What it says about earlier sessions and about padding.
    #[must_use]
    pub fn session(&self) -> SessionFacts {
        let by_ticket = self.body(Named::SessionTicket).is_some_and(|ticket| !ticket.is_empty());
        // For middleboxes, or where there is no session of an older version to resume.
        let means_nothing = match self.carrier {
            Carrier::Tcp => {
                self.supported_versions().without_grease().any(|version| version > ProtocolVersion::TLS_1_2)
            }
            Carrier::Quic => true,
            Carrier::Dtls => false,
        };
        let by_id = !self.session_id.is_empty() && !means_nothing;
        SessionFacts {
            resumption_offered: self.body(Named::PreSharedKey).is_some() || by_ticket || by_id,
            early_data: self.body(Named::EarlyData).is_some(),
            ticket: self.body(Named::SessionTicket).is_some(),
            padding: self.body(Named::Padding).map(<[u8]>::len),
        }
    }

    /// What `encrypted_client_hello` says, if it is there.
    #[must_use]
    pub fn encrypted_hello(&self) -> Option<EncryptedHello> {
        Some(match self.extension(ExtensionType::ENCRYPTED_CLIENT_HELLO)?.first() {
            Some(0) => EncryptedHello::Outer,
            Some(1) => EncryptedHello::Inner,
            other => EncryptedHello::Other(other.copied()),
        })
    }

    /// Whether there is GREASE among the cipher suites, extensions, versions, groups, key shares or signature algorithms.
    #[must_use]
    pub fn has_grease(&self) -> bool {
        self.cipher_suites().has_grease()
            || self.extensions().any(|extension| extension.kind.is_grease())
            || self.supported_versions().has_grease()
            || self.supported_groups().has_grease()
            || self.key_share_groups().any(NamedGroup::is_grease)
            || self.signature_algorithms().has_grease()
    }

    /// What is wrong with the message, although it can be read.
    #[must_use]
    pub fn flaws(&self) -> Flaws {
        let mut flaws = self.flaws;
        let wrong = [
            (self.body(Named::SupportedGroups), true),
            (self.body(Named::SignatureAlgorithms), true),
            (self.body(Named::Alpn), true),
            (self.body(Named::KeyShare), true),
            (self.body(Named::SupportedVersions), false),
            (self.body(Named::EcPointFormats), false),
        ]
        .into_iter()
        .filter_map(|(body, wide)| body.map(|body| (Reader::new(body), wide)))
        .any(|(mut body, wide)| {
            let list = if wide { body.sub_u16("list") } else { body.sub_u8("list") };
            list.is_err() || !body.is_empty()
        });
        flaws.set_if(wrong, Flaws::LIST_LENGTH);
        let outer = self.index.count_of(ExtensionType::ENCRYPTED_CLIENT_HELLO).unwrap_or_else(|| {
            self.extensions()
                .filter(|extension| extension.kind == ExtensionType::ENCRYPTED_CLIENT_HELLO)
                .count()
        });
        let repeats = self.index.repeats_named() || outer > 1;
        flaws.set_if(repeats, Flaws::REPEATED_EXTENSION);
        flaws
    }
}

/// The extension block is absent in old hellos; its length is believed only as far as there are bytes.
#[inline]
fn extension_block<'a>(mut rest: Reader<'a>, flaws: &mut Flaws) -> &'a [u8] {
    let Ok(length) = rest.u16("extensions") else {
        flaws.set_if(!rest.is_empty(), Flaws::TRAILING_BYTES);
        return &[];
    };
    match rest.take(usize::from(length), "extensions") {
        Ok(block) => {
            flaws.set_if(!rest.is_empty(), Flaws::TRAILING_BYTES);
            block
        }
        Err(_) => {
            flaws.set_if(true, Flaws::EXTENSION_BLOCK_LENGTH);
            rest.take_rest()
        }
    }
}

/// The names in a list as `application_layer_protocol_negotiation` has it
/// ([RFC 7301 §3.1](https://www.rfc-editor.org/rfc/rfc7301#section-3.1)).
fn names(body: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut names = list_u16(body);
    core::iter::from_fn(move || {
        let length = usize::from(names.u8("protocol_name").ok()?);
        Some(names.take(length, "protocol_name").unwrap_or_else(|_| names.take_rest()))
    })
}

/// The items of a list with a length of two bytes, as far as there are bytes.
fn list_u16(body: &[u8]) -> Reader<'_> {
    Reader::new(clamped_u16(&mut Reader::new(body)).unwrap_or_default())
}

/// The items of a list with a length of one byte, as far as there are bytes.
fn list_u8(body: &[u8]) -> &[u8] {
    let mut reader = Reader::new(body);
    let length = reader.u8("list").map_or(0, usize::from);
    reader.take(length, "list").unwrap_or_else(|_| reader.take_rest())
}

/// Reads a length of two bytes and as many bytes, or those there are. `None` if there is no length.
fn clamped_u16<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = usize::from(reader.u16("length").ok()?);
    Some(reader.take(length, "content").unwrap_or_else(|_| reader.take_rest()))
}
