//! SETTINGS ([RFC 9113 §6.5]), in a frame and in an HTTP/1.1 request.
//!
//! [RFC 9113 §6.5]: https://www.rfc-editor.org/rfc/rfc9113#section-6.5

use core::fmt::{self, Write};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use huginn_net_core::Reader;

use super::error::Http2Error;
use super::limits::Http2Limits;

/// What a parameter of SETTINGS is about ([IANA registry]).
///
/// [IANA registry]: https://www.iana.org/assignments/http2-parameters/http2-parameters.xhtml#settings
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Http2SettingId(
    /// The number on the wire.
    pub u16,
);

impl Http2SettingId {
    /// `SETTINGS_HEADER_TABLE_SIZE`, in bytes.
    pub const HEADER_TABLE_SIZE: Self = Self(1);
    /// `SETTINGS_ENABLE_PUSH`.
    pub const ENABLE_PUSH: Self = Self(2);
    /// `SETTINGS_MAX_CONCURRENT_STREAMS`.
    pub const MAX_CONCURRENT_STREAMS: Self = Self(3);
    /// `SETTINGS_INITIAL_WINDOW_SIZE`, in bytes.
    pub const INITIAL_WINDOW_SIZE: Self = Self(4);
    /// `SETTINGS_MAX_FRAME_SIZE`, in bytes.
    pub const MAX_FRAME_SIZE: Self = Self(5);
    /// `SETTINGS_MAX_HEADER_LIST_SIZE`, in bytes.
    pub const MAX_HEADER_LIST_SIZE: Self = Self(6);
    /// `SETTINGS_ENABLE_CONNECT_PROTOCOL` ([RFC 8441 §3](https://www.rfc-editor.org/rfc/rfc8441#section-3)).
    pub const ENABLE_CONNECT_PROTOCOL: Self = Self(8);
    /// `SETTINGS_NO_RFC7540_PRIORITIES` ([RFC 9218 §2.1](https://www.rfc-editor.org/rfc/rfc9218#section-2.1)).
    pub const NO_RFC7540_PRIORITIES: Self = Self(9);

    /// Whether some clients send such a number, with a random value, so that servers stay used to unknown ones: both bytes
    /// end in the digit `a`. This is not the rule of TLS, where the bytes are equal as well.
    #[must_use]
    pub const fn is_grease(self) -> bool {
        self.0 & 0x0f0f == 0x0a0a
    }
}

/// A parameter of SETTINGS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Http2Setting {
    /// What it is about.
    pub id: Http2SettingId,
    /// Its value; what it counts depends on the parameter.
    pub value: u32,
}

/// The parameters of a SETTINGS frame in the order sent, unknown and repeated ones included.
///
/// Written as the Akamai fingerprint does: `1:65536;4:131072`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Http2Settings(Vec<Http2Setting>);

impl From<Vec<Http2Setting>> for Http2Settings {
    /// Parameters that are known otherwise than from a frame.
    fn from(list: Vec<Http2Setting>) -> Self {
        Self(list)
    }
}

/// The length of a parameter in bytes.
const SETTING: usize = 6;

impl Http2Settings {
    /// Reads the payload of a SETTINGS frame. A parameter that is cut off at its end is left out.
    ///
    /// # Errors
    /// [`Http2Error::Limit`] if it is longer than the limits allow.
    pub fn parse(payload: &[u8], limits: &Http2Limits) -> Result<Self, Http2Error> {
        Self::check_length(payload.len(), limits)?;
        let mut list = Vec::with_capacity(payload.len() / SETTING);
        let mut reader = Reader::new(payload);
        while reader.remaining() >= SETTING {
            list.push(Http2Setting {
                id: Http2SettingId(reader.u16("setting")?),
                value: reader.u32("value")?,
            });
        }
        Ok(Self(list))
    }

    /// Reads the value of the header field `HTTP2-Settings`, by which a request of HTTP/1.1 asks for an upgrade
    /// ([RFC 7540 §3.2.1]): the payload of a SETTINGS frame in base64url. Padding is allowed, though the RFC leaves it out.
    ///
    /// ```
    /// use huginn_net_http::{Http2Limits, Http2Settings};
    ///
    /// let settings = Http2Settings::from_upgrade(b"AAMAAABkAAQAAP__", &Http2Limits::default())?;
    /// assert_eq!(settings.to_string(), "3:100;4:65535");
    /// # Ok::<(), huginn_net_http::Http2Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Http2Error::UpgradeSettings`], or as [`Self::parse`].
    ///
    /// [RFC 7540 §3.2.1]: https://www.rfc-editor.org/rfc/rfc7540#section-3.2.1
    pub fn from_upgrade(value: &[u8], limits: &Http2Limits) -> Result<Self, Http2Error> {
        const BASE64URL: GeneralPurpose = GeneralPurpose::new(
            &alphabet::URL_SAFE,
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
        );
        // Four characters are three bytes; up to three more are padding or a parameter that is cut off.
        Self::check_length((value.len() / 4 * 3).saturating_sub(2), limits)?;
        let payload = BASE64URL.decode(value).map_err(|_| Http2Error::UpgradeSettings)?;
        Self::parse(&payload, limits)
    }

    /// That a payload of this many bytes is within the limit.
    pub(crate) fn check_length(bytes: usize, limits: &Http2Limits) -> Result<(), Http2Error> {
        if bytes / SETTING > limits.max_settings {
            return Err(Http2Error::Limit { what: "settings", limit: limits.max_settings });
        }
        Ok(())
    }

    /// Whether a payload of this many bytes consists of whole parameters.
    pub(crate) const fn is_whole(bytes: usize) -> bool {
        bytes.is_multiple_of(SETTING)
    }

    /// The parameters in the order sent.
    #[must_use]
    pub fn list(&self) -> &[Http2Setting] {
        &self.0
    }

    /// The value of a parameter: the last one if it is repeated, as receivers take them in order.
    #[must_use]
    pub fn value(&self, id: Http2SettingId) -> Option<u32> {
        self.0.iter().rev().find(|setting| setting.id == id).map(|setting| setting.value)
    }

    /// Whether any parameter is GREASE.
    #[must_use]
    pub fn has_grease(&self) -> bool {
        self.0.iter().any(|setting| setting.id.is_grease())
    }
}

impl fmt::Display for Http2Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter())
    }
}

/// Writes parameters as `id:value` with semicolons between them.
pub(crate) fn write_list<'s>(
    f: &mut fmt::Formatter<'_>,
    settings: impl Iterator<Item = &'s Http2Setting>,
) -> fmt::Result {
    let mut number = itoa::Buffer::new();
    for (index, setting) in settings.enumerate() {
        if index > 0 {
            f.write_char(';')?;
        }
        f.write_str(number.format(setting.id.0))?;
        f.write_char(':')?;
        f.write_str(number.format(setting.value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(payload: &[u8]) -> Http2Settings {
        Http2Settings::parse(payload, &Http2Limits::default()).unwrap()
    }

    fn upgrade(value: &[u8]) -> Result<String, Http2Error> {
        Http2Settings::from_upgrade(value, &Http2Limits::default()).map(|settings| settings.to_string())
    }

    #[test]
    fn every_parameter_is_kept_in_order_known_or_not() {
        let settings = parse(&[
            0, 7, 0, 0, 0, 1, //
            0, 0, 0xff, 0xff, 0xff, 0xff, //
            0x7a, 0x9a, 0, 0, 0, 5, //
            0, 3, 0, 0, 0, 100, //
            0, 3, 0, 0, 0, 200,
        ]);
        assert_eq!(settings.to_string(), "7:1;0:4294967295;31386:5;3:100;3:200");
        assert_eq!(settings.value(Http2SettingId::MAX_CONCURRENT_STREAMS), Some(200));
        assert_eq!(settings.value(Http2SettingId::ENABLE_PUSH), None);
        assert!(settings.has_grease());
    }

    #[test]
    fn a_parameter_that_is_cut_off_is_left_out() {
        assert_eq!(parse(&[0, 1, 0, 0, 16, 0, 0, 2, 0]).to_string(), "1:4096");
        assert_eq!(parse(&[0, 1, 0, 0, 16]).to_string(), "");
        assert_eq!(parse(&[]).to_string(), "");
    }

    #[test]
    fn both_low_digits_of_grease_are_a() {
        for grease in [0x0a0a, 0x7a9a, 0xfafa, 0x1aca] {
            assert!(Http2SettingId(grease).is_grease(), "{grease:#x}");
        }
        for other in [0x000a, 0x0a00, 0x0a0b, 0x1a1b, 0xa0a0] {
            assert!(!Http2SettingId(other).is_grease(), "{other:#x}");
        }
    }

    #[test]
    fn the_header_of_an_upgrade_is_the_payload_in_base64url() {
        // As curl 7.88.1 and nghttp 1.52.0 send it.
        assert_eq!(upgrade(b"AAMAAABkAAQCAAAAAAIAAAAA"), Ok("3:100;4:33554432;2:0".to_owned()));
        assert_eq!(upgrade(b"AAMAAABkAAQAAP__"), Ok("3:100;4:65535".to_owned()));
        assert_eq!(upgrade(b""), Ok(String::new()));
        // Seven bytes; with padding and without.
        assert_eq!(upgrade(b"AAMAAABkAA=="), Ok("3:100".to_owned()));
        assert_eq!(upgrade(b"AAMAAABkAA"), Ok("3:100".to_owned()));
    }

    #[test]
    fn other_characters_than_those_of_base64url_are_refused() {
        for wrong in
            [&b"AAMAAABkAAQAAP//"[..], b"AAMAAABkAAQAAP+/", b"AAMA AABk", b"AAMAAABkA", b"\xff\xff", b"="]
        {
            assert_eq!(upgrade(wrong), Err(Http2Error::UpgradeSettings), "{wrong:?}");
        }
    }

    #[test]
    fn more_parameters_than_the_limit_are_refused() {
        let limits = Http2Limits::default().with_max_settings(2);
        let error = Http2Error::Limit { what: "settings", limit: 2 };
        assert!(Http2Settings::parse(&[0; 17], &limits).is_ok());
        assert_eq!(Http2Settings::parse(&[0; 18], &limits), Err(error));
        // 17 bytes, 18 bytes, and so many that they are not even decoded.
        assert!(Http2Settings::from_upgrade(b"AAAAAAAAAAAAAAAAAAAAAAA", &limits).is_ok());
        assert_eq!(Http2Settings::from_upgrade(b"AAAAAAAAAAAAAAAAAAAAAAAA", &limits), Err(error));
        assert_eq!(Http2Settings::from_upgrade(&[b'!'; 1000], &limits), Err(error));
    }
}
