//! How a head is written, where programs differ.

/// A set of things that most heads do not have, of a head or of one of its fields.
///
/// Some are errors by [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112), others are merely rare. Nothing is repaired.
///
/// ```
/// use huginn_net_http::Http1Quirks;
///
/// assert_eq!(Http1Quirks::from_name("lf_only"), Some(Http1Quirks::LF_ONLY));
/// assert_eq!((Http1Quirks::TAB | Http1Quirks::NUL).to_string(), "tab,nul");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Http1Quirks(u32);

huginn_net_core::flag_set!(Http1Quirks, "quirk", Self::NAMES);

impl Http1Quirks {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Empty lines before the start line.
    pub const LEADING_EMPTY_LINE: Self = Self(1);
    /// The target of a request has a scheme, or is an authority: what proxies are asked.
    pub const PROXY_FORM: Self = Self(1 << 1);
    /// A blank or tab in the target of a request.
    pub const SPACE_IN_TARGET: Self = Self(1 << 2);
    /// No line has a CR before its LF.
    pub const LF_ONLY: Self = Self(1 << 3);
    /// Some lines have a CR before their LF, others have not.
    pub const MIXED_EOL: Self = Self(1 << 4);
    /// A CR that is not the one before an LF.
    pub const BARE_CR: Self = Self(1 << 5);
    /// Blanks or tabs between name and colon.
    pub const SPACE_BEFORE_COLON: Self = Self(1 << 6);
    /// A value that goes on in a line that begins with a blank or tab.
    pub const OBS_FOLD: Self = Self(1 << 7);
    /// Neither blank nor tab between colon and value.
    pub const NO_SPACE: Self = Self(1 << 8);
    /// More than one blank or tab behind the colon.
    pub const MULTI_SPACE: Self = Self(1 << 9);
    /// A tab behind the colon.
    pub const TAB: Self = Self(1 << 10);
    /// A line without a colon.
    pub const NO_COLON: Self = Self(1 << 11);
    /// A name that is no token ([RFC 9110 §5.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2)).
    pub const BAD_NAME: Self = Self(1 << 12);
    /// A byte 0.
    pub const NUL: Self = Self(1 << 13);
    /// Another control character, 127 included. CR is one of its own, and tab is none.
    pub const CONTROL: Self = Self(1 << 14);
    /// A byte of 128 or more.
    pub const HIGH_BYTES: Self = Self(1 << 15);

    /// All of them.
    pub const ALL: Self = Self(0xffff);

    const NAMES: [(Self, &'static str); 16] = [
        (Self::LEADING_EMPTY_LINE, "leading_empty_line"),
        (Self::PROXY_FORM, "proxy_form"),
        (Self::SPACE_IN_TARGET, "space_in_target"),
        (Self::LF_ONLY, "lf_only"),
        (Self::MIXED_EOL, "mixed_eol"),
        (Self::BARE_CR, "bare_cr"),
        (Self::SPACE_BEFORE_COLON, "sp_before_colon"),
        (Self::OBS_FOLD, "obs_fold"),
        (Self::NO_SPACE, "no_space"),
        (Self::MULTI_SPACE, "multi_space"),
        (Self::TAB, "tab"),
        (Self::NO_COLON, "no_colon"),
        (Self::BAD_NAME, "bad_name"),
        (Self::NUL, "nul"),
        (Self::CONTROL, "control"),
        (Self::HIGH_BYTES, "high_bytes"),
    ];

    pub(super) const fn set_if(&mut self, condition: bool, quirk: Self) {
        if condition {
            self.0 |= quirk.0;
        }
    }

    /// What single bytes tell, of a line or field without the CR and LF that end its lines.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let mut quirks = Self::NONE;
        // Nearly all have none, which is found out for many bytes at a time.
        if bytes.iter().fold(true, |plain, byte| plain & (b' '..=b'~').contains(byte)) {
            return quirks;
        }
        for &byte in bytes {
            match byte {
                b'\t' | 0x20..=0x7e => {}
                0 => quirks |= Self::NUL,
                b'\r' => quirks |= Self::BARE_CR,
                0x80.. => quirks |= Self::HIGH_BYTES,
                _ => quirks |= Self::CONTROL,
            }
        }
        quirks
    }
}
