//! TCP options: their order, and the values a fingerprint needs.

use core::fmt;

use crate::Quirks;

/// A TCP option kind ([IANA registry](https://www.iana.org/assignments/tcp-parameters/)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionKind(pub u8);

impl OptionKind {
    /// End of option list ([RFC 9293 §3.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.1)).
    pub const EOL: Self = Self(0);
    /// No operation (RFC 9293 §3.1).
    pub const NOP: Self = Self(1);
    /// Maximum segment size (RFC 9293 §3.7.1).
    pub const MSS: Self = Self(2);
    /// Window scale ([RFC 7323 §2](https://www.rfc-editor.org/rfc/rfc7323#section-2)).
    pub const WINDOW_SCALE: Self = Self(3);
    /// SACK permitted ([RFC 2018 §2](https://www.rfc-editor.org/rfc/rfc2018#section-2)).
    pub const SACK_PERMITTED: Self = Self(4);
    /// SACK blocks (RFC 2018 §3).
    pub const SACK: Self = Self(5);
    /// Timestamps (RFC 7323 §3).
    pub const TIMESTAMPS: Self = Self(8);
    /// Multipath TCP ([RFC 8684 §3](https://www.rfc-editor.org/rfc/rfc8684#section-3)).
    pub const MPTCP: Self = Self(30);
    /// TCP Fast Open cookie ([RFC 7413 §4.1.1](https://www.rfc-editor.org/rfc/rfc7413#section-4.1.1)).
    pub const FAST_OPEN: Self = Self(34);

    /// p0f's name of the kind, without the padding of `eol+n`; `None` for kinds written as `?n`.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::EOL => Some("eol"),
            Self::NOP => Some("nop"),
            Self::MSS => Some("mss"),
            Self::WINDOW_SCALE => Some("ws"),
            Self::SACK_PERMITTED => Some("sok"),
            Self::SACK => Some("sack"),
            Self::TIMESTAMPS => Some("ts"),
            _ => None,
        }
    }

    /// The kind that p0f calls `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::EOL,
            Self::NOP,
            Self::MSS,
            Self::WINDOW_SCALE,
            Self::SACK_PERMITTED,
            Self::SACK,
            Self::TIMESTAMPS,
        ]
        .into_iter()
        .find(|kind| kind.name() == Some(name))
    }
}

/// The kinds of a packet's TCP options in order, and how many bytes follow an end-of-list option.
///
/// Displays as the option field of a p0f signature, for example `mss,nop,ws,sok,eol+1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
// Aligned so that copies of it are made of the same words: one that reads what another has just written at other
// boundaries waits for it.
#[repr(align(8))]
pub struct OptionLayout {
    /// Zero beyond `len`, so that equal layouts are equal bytes.
    kinds: [u8; Self::MAX_KINDS],
    len: u8,
    padding: u8,
}

impl OptionLayout {
    /// A header has room for 40 bytes of options (RFC 9293 §3.1), and the shortest option takes one.
    pub const MAX_KINDS: usize = 40;

    /// No options.
    pub const EMPTY: Self = Self { kinds: [0; Self::MAX_KINDS], len: 0, padding: 0 };

    /// Adds a kind at the end; `false` if there is no room.
    #[inline]
    pub fn push(&mut self, kind: OptionKind) -> bool {
        match self.kinds.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = kind.0;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// Adds an end-of-list option followed by `padding` bytes; `false` if there is no room.
    #[inline]
    pub fn push_eol(&mut self, padding: u8) -> bool {
        let fits = self.push(OptionKind::EOL);
        if fits {
            self.padding = padding;
        }
        fits
    }

    /// The kinds, in order.
    #[inline]
    #[must_use]
    pub fn kinds(&self) -> &[u8] {
        self.kinds.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The whole layout in words, of which most are zero for most: equal layouts have equal words, others have not.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn to_words(&self) -> [u64; Self::MAX_KINDS / 8 + 1] {
        let (eights, _) = self.kinds.as_chunks::<8>();
        let mut words = [u64::from(self.len) | u64::from(self.padding) << 8; Self::MAX_KINDS / 8 + 1];
        for (word, eight) in words.iter_mut().zip(eights) {
            *word = u64::from_le_bytes(*eight);
        }
        words
    }

    /// Bytes after the end-of-list option; 0 if there is no such option.
    #[inline]
    #[must_use]
    pub const fn padding(&self) -> u8 {
        self.padding
    }
}

impl Default for OptionLayout {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Display for OptionLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &kind) in self.kinds().iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            match (OptionKind(kind), OptionKind(kind).name()) {
                (OptionKind::EOL, _) => write!(f, "eol+{}", self.padding)?,
                (_, Some(name)) => f.write_str(name)?,
                (_, None) => write!(f, "?{kind}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for OptionLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OptionLayout({self})")
    }
}

/// The timestamps option ([RFC 7323 §3](https://www.rfc-editor.org/rfc/rfc7323#section-3)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Timestamps {
    /// TSval: the sender's clock, in ticks of its own.
    pub own: u32,
    /// TSecr: the last tick seen from the peer.
    pub peer: u32,
}

/// What the options of one TCP header say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TcpOptions {
    /// Order of the options.
    pub layout: OptionLayout,
    /// Maximum segment size in bytes; the last one if there are several.
    pub mss: Option<u16>,
    /// Window scale as a shift count; the last one if there are several.
    pub window_scale: Option<u8>,
    /// Timestamps; the last ones if there are several.
    pub timestamps: Option<Timestamps>,
    /// Whether selective acknowledgments are permitted.
    pub sack_permitted: bool,
    /// Length of the TCP Fast Open cookie in bytes, 0 for a cookie request.
    pub fast_open_cookie: Option<u8>,
    /// Version of a Multipath TCP `MP_CAPABLE` option.
    pub mptcp_version: Option<u8>,
    /// Those quirks that options can have: `ts1-`, `ts2+` (which counts on a SYN only), `opt+`, `exws` and `bad`.
    pub quirks: Quirks,
}

impl TcpOptions {
    /// Parses the bytes between the fixed TCP header and the payload.
    ///
    /// Follows p0f 3.09b where options are malformed: the kind stays in the layout, the value is not used unless
    /// only the length byte is wrong, and the packet gets the quirk `bad`. It differs in two points, both faults of
    /// that version: `opt+` looks at the last byte too, and there is no limit of 24 options.
    #[must_use]
    pub fn parse(options: &[u8]) -> Self {
        // The layout is apart, for it is written at places that only the packet knows: what shares a struct with it
        // would have to be in memory too.
        let mut layout = OptionLayout::EMPTY;
        let mut parsed = Self::default();
        let mut rest = options;
        while let &[kind, ref after_kind @ ..] = rest {
            let kind = OptionKind(kind);
            if kind == OptionKind::EOL {
                // At most 39 bytes can follow in an option area of 40.
                layout.push_eol(u8::try_from(after_kind.len()).unwrap_or(u8::MAX));
                let trailing = after_kind.iter().any(|&byte| byte != 0);
                parsed.quirks |= Quirks::when(trailing, Quirks::TRAILING_NONZERO);
                break;
            }
            let after = if layout.push(kind) { parsed.read(kind, after_kind) } else { None };
            let Some(after) = after else {
                // What follows an option that does not fit is left unread.
                parsed.quirks |= Quirks::BAD;
                break;
            };
            rest = after;
        }
        Self { layout, ..parsed }
    }

    /// The timestamps alone. Nearly all segments after the handshake have no other option, behind two NOPs
    /// ([RFC 7323, appendix A](https://www.rfc-editor.org/rfc/rfc7323#appendix-A)).
    #[inline]
    pub(crate) fn timestamps_of(options: &[u8]) -> Option<Timestamps> {
        match *options {
            [1, 1, 8, 10, a, b, c, d, e, f, g, h] => Some(Timestamps {
                own: u32::from_be_bytes([a, b, c, d]),
                peer: u32::from_be_bytes([e, f, g, h]),
            }),
            _ => Self::parse(options).timestamps,
        }
    }

    /// Takes an option, of which the bytes after the kind are given, and returns those after the option; `None` if
    /// it does not fit.
    #[inline(always)]
    fn read<'a>(&mut self, kind: OptionKind, after_kind: &'a [u8]) -> Option<&'a [u8]> {
        match kind {
            OptionKind::NOP => Some(after_kind),
            OptionKind::MSS => {
                let (&[len, high, low], rest) = after_kind.split_first_chunk()?;
                self.require(len == 4);
                self.mss = Some(u16::from_be_bytes([high, low]));
                Some(rest)
            }
            OptionKind::WINDOW_SCALE => {
                let (&[len, shift], rest) = after_kind.split_first_chunk()?;
                self.require(len == 3);
                self.set_window_scale(shift);
                Some(rest)
            }
            OptionKind::SACK_PERMITTED => {
                let (&len, rest) = after_kind.split_first()?;
                self.require(len == 2);
                self.sack_permitted = true;
                Some(rest)
            }
            OptionKind::TIMESTAMPS => {
                let (&[len, a, b, c, d, e, f, g, h], rest) = after_kind.split_first_chunk()?;
                self.require(len == 10);
                self.set_timestamps(u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
                Some(rest)
            }
            OptionKind::SACK => split_body(after_kind, 10, 34).map(|(_, rest)| rest),
            OptionKind::FAST_OPEN => {
                let (cookie, rest) = split_body(after_kind, 2, 40)?;
                self.fast_open_cookie = u8::try_from(cookie.len()).ok();
                Some(rest)
            }
            OptionKind::MPTCP => {
                let (body, rest) = split_body(after_kind, 2, 40)?;
                // RFC 8684 §3.1: subtype 0 (MP_CAPABLE) in the upper, version in the lower four bits.
                if let Some(&first) = body.first()
                    && first >> 4 == 0
                {
                    self.mptcp_version = Some(first & 0x0f);
                }
                Some(rest)
            }
            _ => split_body(after_kind, 2, 40).map(|(_, rest)| rest),
        }
    }

    #[inline(always)]
    fn set_window_scale(&mut self, shift: u8) {
        self.quirks |= Quirks::when(shift > 14, Quirks::EXCESSIVE_SCALE);
        self.window_scale = Some(shift);
    }

    #[inline(always)]
    fn set_timestamps(&mut self, own: u32, peer: u32) {
        self.quirks |= Quirks::when(own == 0, Quirks::OWN_TIMESTAMP_ZERO);
        self.quirks |= Quirks::when(peer != 0, Quirks::PEER_TIMESTAMP_NONZERO);
        self.timestamps = Some(Timestamps { own, peer });
    }

    #[inline(always)]
    fn require(&mut self, well_formed: bool) {
        self.quirks |= Quirks::when(!well_formed, Quirks::BAD);
    }
}

/// Reads the length byte of an option, which counts kind and length too, and splits its body from what follows.
fn split_body(after_kind: &[u8], min_len: u8, max_len: u8) -> Option<(&[u8], &[u8])> {
    let (&len, after_len) = after_kind.split_first()?;
    if !(min_len..=max_len).contains(&len) {
        return None;
    }
    after_len.split_at_checked(usize::from(len).saturating_sub(2))
}

#[cfg(test)]
mod tests;
