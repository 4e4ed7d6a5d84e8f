//! Names of numbers, as the registries of IANA have them, for those who read.
//!
//! <https://www.iana.org/assignments/tls-parameters> and
//! <https://www.iana.org/assignments/tls-extensiontype-values>; extensions that browsers send without having registered
//! them have the names their makers use.

mod cipher_suites;

use crate::numbers::{ExtensionType, NamedGroup, ProtocolVersion, SignatureScheme};

impl ProtocolVersion {
    /// For example `TLS 1.3`; `None` for drafts and what is not assigned.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::SSL_2 => "SSL 2.0",
            Self::SSL_3 => "SSL 3.0",
            Self::TLS_1_0 => "TLS 1.0",
            Self::TLS_1_1 => "TLS 1.1",
            Self::TLS_1_2 => "TLS 1.2",
            Self::TLS_1_3 => "TLS 1.3",
            Self::DTLS_1_0 => "DTLS 1.0",
            Self::DTLS_1_2 => "DTLS 1.2",
            Self::DTLS_1_3 => "DTLS 1.3",
            _ => return None,
        })
    }
}

impl ExtensionType {
    /// For example `server_name`; `None` if there is no name.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0x0000 => "server_name",
            0x0001 => "max_fragment_length",
            0x0002 => "client_certificate_url",
            0x0003 => "trusted_ca_keys",
            0x0004 => "truncated_hmac",
            0x0005 => "status_request",
            0x0006 => "user_mapping",
            0x0007 => "client_authz",
            0x0008 => "server_authz",
            0x0009 => "cert_type",
            0x000a => "supported_groups",
            0x000b => "ec_point_formats",
            0x000c => "srp",
            0x000d => "signature_algorithms",
            0x000e => "use_srtp",
            0x000f => "heartbeat",
            0x0010 => "application_layer_protocol_negotiation",
            0x0011 => "status_request_v2",
            0x0012 => "signed_certificate_timestamp",
            0x0013 => "client_certificate_type",
            0x0014 => "server_certificate_type",
            0x0015 => "padding",
            0x0016 => "encrypt_then_mac",
            0x0017 => "extended_master_secret",
            0x0018 => "token_binding",
            0x0019 => "cached_info",
            0x001a => "tls_lts",
            0x001b => "compress_certificate",
            0x001c => "record_size_limit",
            0x001d => "pwd_protect",
            0x001e => "pwd_clear",
            0x001f => "password_salt",
            0x0020 => "ticket_pinning",
            0x0021 => "tls_cert_with_extern_psk",
            0x0022 => "delegated_credential",
            0x0023 => "session_ticket",
            0x0029 => "pre_shared_key",
            0x002a => "early_data",
            0x002b => "supported_versions",
            0x002c => "cookie",
            0x002d => "psk_key_exchange_modes",
            0x002f => "certificate_authorities",
            0x0030 => "oid_filters",
            0x0031 => "post_handshake_auth",
            0x0032 => "signature_algorithms_cert",
            0x0033 => "key_share",
            0x0034 => "transparency_info",
            0x0036 => "connection_id",
            0x0037 => "external_id_hash",
            0x0038 => "external_session_id",
            0x0039 => "quic_transport_parameters",
            0x003a => "ticket_request",
            0x003b => "dnssec_chain",
            0x003c => "sequence_number_encryption_algorithms",
            0x003d => "rrc",
            0x003e => "tls_flags",
            0x3374 => "next_protocol_negotiation",
            0x4469 => "application_settings_old",
            0x44cd => "application_settings",
            0x754f => "channel_id_old",
            0x7550 => "channel_id",
            0xca34 => "trust_anchors",
            0xfd00 => "ech_outer_extensions",
            0xfe0d => "encrypted_client_hello",
            0xff01 => "renegotiation_info",
            0xffa5 => "quic_transport_parameters_draft",
            0xffce => "encrypted_server_name",
            _ => return None,
        })
    }
}

impl SignatureScheme {
    /// For example `ed25519`; `None` if there is no name. Pairs of hash and algorithm of TLS 1.2 have names of the same
    /// kind.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0x0101 => "rsa_pkcs1_md5",
            0x0201 => "rsa_pkcs1_sha1",
            0x0202 => "dsa_sha1",
            0x0203 => "ecdsa_sha1",
            0x0301 => "rsa_pkcs1_sha224",
            0x0302 => "dsa_sha224",
            0x0303 => "ecdsa_sha224",
            0x0401 => "rsa_pkcs1_sha256",
            0x0402 => "dsa_sha256",
            0x0403 => "ecdsa_secp256r1_sha256",
            0x0501 => "rsa_pkcs1_sha384",
            0x0502 => "dsa_sha384",
            0x0503 => "ecdsa_secp384r1_sha384",
            0x0601 => "rsa_pkcs1_sha512",
            0x0602 => "dsa_sha512",
            0x0603 => "ecdsa_secp521r1_sha512",
            0x0708 => "sm2sig_sm3",
            0x0804 => "rsa_pss_rsae_sha256",
            0x0805 => "rsa_pss_rsae_sha384",
            0x0806 => "rsa_pss_rsae_sha512",
            0x0807 => "ed25519",
            0x0808 => "ed448",
            0x0809 => "rsa_pss_pss_sha256",
            0x080a => "rsa_pss_pss_sha384",
            0x080b => "rsa_pss_pss_sha512",
            0x081a => "ecdsa_brainpoolP256r1tls13_sha256",
            0x081b => "ecdsa_brainpoolP384r1tls13_sha384",
            0x081c => "ecdsa_brainpoolP512r1tls13_sha512",
            0x0904 => "mldsa44",
            0x0905 => "mldsa65",
            0x0906 => "mldsa87",
            _ => return None,
        })
    }
}

impl NamedGroup {
    /// For example `x25519`; `None` if there is no name.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0x0001 => "sect163k1",
            0x0002 => "sect163r1",
            0x0003 => "sect163r2",
            0x0004 => "sect193r1",
            0x0005 => "sect193r2",
            0x0006 => "sect233k1",
            0x0007 => "sect233r1",
            0x0008 => "sect239k1",
            0x0009 => "sect283k1",
            0x000a => "sect283r1",
            0x000b => "sect409k1",
            0x000c => "sect409r1",
            0x000d => "sect571k1",
            0x000e => "sect571r1",
            0x000f => "secp160k1",
            0x0010 => "secp160r1",
            0x0011 => "secp160r2",
            0x0012 => "secp192k1",
            0x0013 => "secp192r1",
            0x0014 => "secp224k1",
            0x0015 => "secp224r1",
            0x0016 => "secp256k1",
            0x0017 => "secp256r1",
            0x0018 => "secp384r1",
            0x0019 => "secp521r1",
            0x001a => "brainpoolP256r1",
            0x001b => "brainpoolP384r1",
            0x001c => "brainpoolP512r1",
            0x001d => "x25519",
            0x001e => "x448",
            0x001f => "brainpoolP256r1tls13",
            0x0020 => "brainpoolP384r1tls13",
            0x0021 => "brainpoolP512r1tls13",
            0x0022 => "GC256A",
            0x0023 => "GC256B",
            0x0024 => "GC256C",
            0x0025 => "GC256D",
            0x0026 => "GC512A",
            0x0027 => "GC512B",
            0x0028 => "GC512C",
            0x0029 => "curveSM2",
            0x0100 => "ffdhe2048",
            0x0101 => "ffdhe3072",
            0x0102 => "ffdhe4096",
            0x0103 => "ffdhe6144",
            0x0104 => "ffdhe8192",
            0x0200 => "MLKEM512",
            0x0201 => "MLKEM768",
            0x0202 => "MLKEM1024",
            0x11eb => "SecP256r1MLKEM768",
            0x11ec => "X25519MLKEM768",
            0x11ed => "SecP384r1MLKEM1024",
            0x6399 => "X25519Kyber768Draft00",
            0x639a => "SecP256r1Kyber768Draft00",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::CipherSuite;

    #[test]
    fn numbers_have_the_names_of_their_standards() {
        // RFC 8446 §B.3.1.3, §4.2, §4.2.7 and §B.4; RFC 9847; RFC 7507 §2.
        assert_eq!(SignatureScheme(0x0804).name(), Some("rsa_pss_rsae_sha256"));
        assert_eq!(ExtensionType::KEY_SHARE.name(), Some("key_share"));
        assert_eq!(NamedGroup(0x001d).name(), Some("x25519"));
        assert_eq!(CipherSuite(0x1301).name(), Some("TLS_AES_128_GCM_SHA256"));
        assert_eq!(CipherSuite(0xc02b).name(), Some("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"));
        assert_eq!(CipherSuite(0x5600).name(), Some("TLS_FALLBACK_SCSV"));
        assert_eq!(ProtocolVersion(0x0304).name(), Some("TLS 1.3"));
    }

    #[test]
    fn grease_and_what_is_not_assigned_have_no_name() {
        assert_eq!(ExtensionType(0x0a0a).name(), None);
        assert_eq!(CipherSuite(0x0a0a).name(), None);
        assert_eq!(NamedGroup(0x0a0a).name(), None);
        assert_eq!(SignatureScheme(0x0a0a).name(), None);
        assert_eq!(ProtocolVersion(0x7f1c).name(), None);
    }
}
