//! Keys of Initial packets, and opening packets with them.

use core::fmt;

use aes::Aes128Enc;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use huginn_net_core::Reader;

use super::gcm::{Gcm, GcmScratch};
use super::header::InitialPacket;
use super::mac::{MacKey, Message};
use super::version::{Derivation, InitialScheme};

/// What the keys of both ends of a connection come from ([RFC 9001 §5.2]), as a key itself.
///
/// [RFC 9001 §5.2]: https://www.rfc-editor.org/rfc/rfc9001#section-5.2
#[derive(Clone, Copy, Debug)]
pub(super) struct InitialSecret(MacKey);

/// What protects the Initial packets of one end ([RFC 9001 §5.1]).
///
/// Kept as bytes: the [ciphers](LatestCiphers) made from them are eleven times their size.
///
/// [RFC 9001 §5.1]: https://www.rfc-editor.org/rfc/rfc9001#section-5.1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InitialKeys {
    key: [u8; 16],
    iv: [u8; 12],
    header: [u8; 16],
}

/// The ciphers of the keys that were used last: the datagrams of a client come one behind the other.
pub(super) struct LatestCiphers(Option<Box<Ciphers>>);

struct Ciphers {
    keys: InitialKeys,
    header: Aes128Enc,
    packet: Gcm,
}

/// Where the sample for header protection begins, counted from the packet number: as if that had its greatest length.
const SAMPLE_AT: usize = 4;

impl InitialSecret {
    /// That of the connection ID which the client's first Initial was sent to: HKDF-Extract.
    pub(super) fn extract(scheme: &InitialScheme, destination: &[u8]) -> Self {
        let [secret] = scheme.derivation().salt.macs([&Message::new(&[destination])]);
        Self(MacKey::new(&secret))
    }

    pub(super) fn client_keys(&self, scheme: &InitialScheme) -> InitialKeys {
        self.keys(scheme, &scheme.derivation().client)
    }

    /// Half of the work, or more, where there are those of the client: many a client is never answered.
    pub(super) fn server_keys(&self, scheme: &InitialScheme) -> InitialKeys {
        self.keys(scheme, &scheme.derivation().server)
    }

    /// HKDF-Expand-Label of at most a hash, twice.
    fn keys(&self, scheme: &InitialScheme, end: &Message) -> InitialKeys {
        let Derivation { key, iv, header, .. } = scheme.derivation();
        let [secret] = self.0.macs([end]);
        let [key, iv, header] = MacKey::new(&secret).macs([key, iv, header]);
        InitialKeys { key: truncated(key), iv: truncated(iv), header: truncated(header) }
    }
}

impl InitialKeys {
    /// Opens a packet: its frames, in `scratch`, or `None` if the keys are not those it was sealed with
    /// ([RFC 9001 §5.3 and §5.4](https://www.rfc-editor.org/rfc/rfc9001#section-5.3)).
    pub(super) fn open<'s>(
        &self,
        packet: &InitialPacket<'_>,
        ciphers: &mut LatestCiphers,
        scratch: &'s mut GcmScratch,
    ) -> Option<&'s [u8]> {
        let mut sample = Reader::at(packet.protected, SAMPLE_AT);
        let sample = sample.array("sample").ok()?;
        let ciphers = ciphers.of(self);
        let [mask_first, mask_number @ ..] = ciphers.header_mask(sample);

        let (first, header) = packet.header.split_first()?;
        let first = first ^ (mask_first & 0x0f);
        let (masked, sealed) = packet.protected.split_at_checked(usize::from(first & 3) + 1)?;
        let mut number = mask_number;
        for (byte, masked) in number.iter_mut().zip(masked) {
            *byte ^= masked;
        }
        let number = number.get(..masked.len())?;
        let mut nonce = self.iv;
        // Initials are numbered from 0, so that the bytes sent are the whole number.
        for (byte, number) in nonce.iter_mut().rev().zip(number.iter().rev()) {
            *byte ^= number;
        }
        ciphers.packet.open(&nonce, [&[first], header, number], sealed, scratch)
    }
}

impl LatestCiphers {
    pub(super) const NONE: Self = Self(None);

    fn of(&mut self, keys: &InitialKeys) -> &Ciphers {
        let latest = self.0.get_or_insert_with(|| Box::new(Ciphers::new(keys)));
        if latest.keys != *keys {
            **latest = Ciphers::new(keys);
        }
        latest
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.0.as_ref().map_or(0, |_| size_of::<Ciphers>())
    }
}

impl fmt::Debug for LatestCiphers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map(|latest| latest.keys).fmt(f)
    }
}

impl Ciphers {
    fn new(keys: &InitialKeys) -> Self {
        Self { keys: *keys, header: Aes128Enc::new(&keys.header.into()), packet: Gcm::new(&keys.key) }
    }

    /// First five bytes of the mask ([RFC 9001 §5.4.3](https://www.rfc-editor.org/rfc/rfc9001#section-5.4.3)).
    fn header_mask(&self, sample: [u8; 16]) -> [u8; 5] {
        let mut block = sample.into();
        self.header.encrypt_block(&mut block);
        let block: [u8; 16] = block.into();
        let [a, b, c, d, e, ..] = block;
        [a, b, c, d, e]
    }
}

/// The first bytes of a hash, which has more.
fn truncated<const N: usize>(hash: [u8; 32]) -> [u8; N] {
    hash.first_chunk().copied().unwrap_or([0; N])
}

#[cfg(test)]
impl InitialKeys {
    /// Seals a packet. `header` is unprotected and ends with the packet number.
    pub(super) fn seal(&self, header: &[u8], frames: &[u8]) -> Vec<u8> {
        use aes_gcm::aead::AeadInOut;

        let number_len = usize::from(header[0] & 3) + 1;
        let number_at = header.len() - number_len;
        let mut nonce = self.iv;
        for (byte, number) in nonce.iter_mut().rev().zip(header[number_at..].iter().rev()) {
            *byte ^= number;
        }
        let mut payload = frames.to_vec();
        let tag = aes_gcm::Aes128Gcm::new(&self.key.into())
            .encrypt_inout_detached(&nonce.into(), header, payload.as_mut_slice().into())
            .unwrap();
        let mut packet = [header, &payload, &tag].concat();
        let sample = packet[number_at + SAMPLE_AT..][..16].try_into().unwrap();
        let [mask_first, mask_number @ ..] = Ciphers::new(self).header_mask(sample);
        packet[0] ^= mask_first & 0x0f;
        for (byte, mask) in packet[number_at..header.len()].iter_mut().zip(mask_number) {
            *byte ^= mask;
        }
        packet
    }
}

#[cfg(test)]
mod tests {
    use super::super::header::LongPacket;
    use super::super::testing::hex;
    use super::super::version::QuicVersion;
    use super::*;

    fn secret(scheme: &InitialScheme) -> InitialSecret {
        InitialSecret::extract(scheme, &hex("8394c8f03e515708"))
    }

    fn keys(version: QuicVersion) -> InitialKeys {
        let scheme = version.initial().unwrap();
        secret(scheme).client_keys(scheme)
    }

    fn server_keys(version: QuicVersion) -> InitialKeys {
        let scheme = version.initial().unwrap();
        secret(scheme).server_keys(scheme)
    }

    /// [RFC 9001 appendix A.1](https://www.rfc-editor.org/rfc/rfc9001#appendix-A.1) and
    /// [RFC 9369 appendix A.1](https://www.rfc-editor.org/rfc/rfc9369#appendix-A.1).
    #[test]
    fn derives_the_keys_of_servers() {
        let keys = server_keys(QuicVersion::V1);
        assert_eq!(keys.key.to_vec(), hex("cf3a5331653c364c88f0f379b6067e37"));
        assert_eq!(keys.iv.to_vec(), hex("0ac1493ca1905853b0bba03e"));
        assert_eq!(keys.header.to_vec(), hex("c206b8d9b9f0f37644430b490eeaa314"));
        let keys = server_keys(QuicVersion::V2);
        assert_eq!(keys.key.to_vec(), hex("82db637861d55e1d011f19ea71d5d2a7"));
        assert_eq!(keys.iv.to_vec(), hex("dd13c276499c0249d3310652"));
        assert_eq!(keys.header.to_vec(), hex("edf6d05c83121201b436e16877593c3a"));
    }

    /// [RFC 9001 appendix A.1](https://www.rfc-editor.org/rfc/rfc9001#appendix-A.1).
    #[test]
    fn derives_the_client_keys_of_version_1() {
        let keys = keys(QuicVersion::V1);
        assert_eq!(keys.key.to_vec(), hex("1f369613dd76d5467730efcbe3b1a22d"));
        assert_eq!(keys.iv.to_vec(), hex("fa044b2f42a3fd3b46fb255c"));
        assert_eq!(keys.header.to_vec(), hex("9f50449e04a0e810283a1e9933adedd2"));
    }

    /// [RFC 9369 appendix A.1](https://www.rfc-editor.org/rfc/rfc9369#appendix-A.1).
    #[test]
    fn derives_the_client_keys_of_version_2() {
        let keys = keys(QuicVersion::V2);
        assert_eq!(keys.key.to_vec(), hex("8b1a0bc121284290a29e0971b5cd045d"));
        assert_eq!(keys.iv.to_vec(), hex("91f73e2351d8fa91660e909f"));
        assert_eq!(keys.header.to_vec(), hex("45b95e15235d6f45a6b19cbcb0294ba9"));
    }

    /// Appendix A of drafts 29 and 27 of what became RFC 9001.
    #[test]
    fn derives_the_client_keys_of_drafts() {
        assert_eq!(keys(QuicVersion::DRAFT_29).key.to_vec(), hex("175257a31eb09dea9366d8bb79ad80ba"));
        assert_eq!(keys(QuicVersion(0xff00_001b)).key.to_vec(), hex("af7fd7efebd21878ff66811248983694"));
    }

    /// The CRYPTO frame of [RFC 9001 appendix A.2](https://www.rfc-editor.org/rfc/rfc9001#appendix-A.2), which
    /// RFC 9369 uses again, with the padding behind it.
    fn frames() -> Vec<u8> {
        let mut frames = hex("060040f1010000ed0303ebf8fa56f12939b9584a3896472ec40bb863cfd3e868\
             04fe3a47f06a2b69484c00000413011302010000c000000010000e00000b6578\
             616d706c652e636f6dff01000100000a00080006001d00170018001000070005\
             04616c706e000500050100000000003300260024001d00209370b2c9caa47fba\
             baf4559fedba753de171fa71f50f1ce15d43e994ec74d748002b000302030400\
             0d0010000e0403050306030203080408050806002d00020101001c0002400100\
             3900320408ffffffffffffffff05048000ffff07048000ffff08011001048000\
             75300901100f088394c8f03e51570806048000ffff");
        frames.resize(1_162, 0);
        frames
    }

    fn opens(version: QuicVersion, packet: &[u8]) {
        let Ok(LongPacket::Initial(initial)) = LongPacket::read(&mut Reader::new(packet)) else {
            panic!("not an Initial");
        };
        let (mut ciphers, mut opened) = (LatestCiphers::NONE, GcmScratch::EMPTY);
        assert_eq!(keys(version).open(&initial, &mut ciphers, &mut opened), Some(&frames()[..]));
    }

    #[test]
    fn opens_the_client_initial_of_rfc_9001() {
        let packet =
            keys(QuicVersion::V1).seal(&hex("c300000001088394c8f03e5157080000449e00000002"), &frames());
        assert_eq!(packet.len(), 1_200);
        let start = "c000000001088394c8f03e5157080000449e7b9aec34d1b1c98dd7689fb8ec11d242b123dc9b\
                     d8bab936b47d92ec356c0bab7df5976d27cd449f63300099f399";
        assert_eq!(packet[..64], hex(start));
        assert_eq!(packet[1_184..], hex("e221af44860018ab0856972e194cd934"));
        opens(QuicVersion::V1, &packet);
    }

    #[test]
    fn opens_the_client_initial_of_rfc_9369() {
        let packet =
            keys(QuicVersion::V2).seal(&hex("d36b3343cf088394c8f03e5157080000449e00000002"), &frames());
        let start = "d76b3343cf088394c8f03e5157080000449ea0c95e82ffe67b6abcdb4298b485dd04de806071\
                     bf03dceebfa162e75d6c96058bdbfb127cdfcbf903388e99ad049f9a3dd4425ae4d0992cfff18ecf\
                     0fdb5a842d0974";
        assert_eq!(packet[..85], hex(start));
        opens(QuicVersion::V2, &packet);
    }

    #[test]
    fn a_packet_with_any_byte_changed_does_not_open() {
        let keys = keys(QuicVersion::V1);
        let packet = keys.seal(&hex("c300000001088394c8f03e5157080000403200000002"), &[0; 30]);
        assert_eq!(packet.len(), 22 + 30 + 16);
        let (mut ciphers, mut opened) = (LatestCiphers::NONE, GcmScratch::EMPTY);
        for at in 0..packet.len() {
            let mut damaged = packet.clone();
            damaged[at] ^= 0x01;
            if let Ok(LongPacket::Initial(initial)) = LongPacket::read(&mut Reader::new(&damaged)) {
                assert_eq!(keys.open(&initial, &mut ciphers, &mut opened), None, "byte {at}");
            }
        }
    }

    #[test]
    fn ciphers_of_other_keys_are_made_anew() {
        let (mut ciphers, mut opened) = (LatestCiphers::NONE, GcmScratch::EMPTY);
        let header = hex("c300000001088394c8f03e5157080000403200000002");
        for of_server in [false, true, false, false] {
            let keys = if of_server { server_keys(QuicVersion::V1) } else { keys(QuicVersion::V1) };
            let packet = keys.seal(&header, &[of_server.into(); 30]);
            let Ok(LongPacket::Initial(initial)) = LongPacket::read(&mut Reader::new(&packet)) else {
                panic!("not an Initial");
            };
            let opened = keys.open(&initial, &mut ciphers, &mut opened).map(<[u8]>::to_vec);
            assert_eq!(opened, Some(vec![of_server.into(); 30]));
        }
    }
}
