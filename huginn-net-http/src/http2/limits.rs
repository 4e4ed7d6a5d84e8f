//! How much one end may send before its fingerprint is complete.

use super::hpack::HpackLimits;

/// How much one end may send before what was asked for is complete.
///
/// Payloads that nobody wants are passed over whatever their length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Http2Limits {
    /// The most frames before the end of the header block, CONTINUATION left out. Browsers send ten.
    pub max_frames: usize,
    /// The most parameters in a SETTINGS frame.
    pub max_settings: usize,
    /// The most PRIORITY frames.
    pub max_priorities: usize,
    /// The longest header block, in bytes as it is sent: padding and priority of a HEADERS frame count.
    pub max_header_block_bytes: usize,
    /// The most CONTINUATION frames of a header block.
    pub max_continuations: usize,
    /// What the header block may hold.
    pub hpack: HpackLimits,
}

impl Default for Http2Limits {
    /// 256 frames, 128 parameters, 64 priorities, 64 KiB of header block in 32 CONTINUATION frames.
    fn default() -> Self {
        Self {
            max_frames: 256,
            max_settings: 128,
            max_priorities: 64,
            max_header_block_bytes: 64 << 10,
            max_continuations: 32,
            hpack: HpackLimits::default(),
        }
    }
}

impl Http2Limits {
    /// With another limit on frames.
    #[must_use]
    pub const fn with_max_frames(self, max_frames: usize) -> Self {
        Self { max_frames, ..self }
    }

    /// With another limit on the parameters of a SETTINGS frame.
    #[must_use]
    pub const fn with_max_settings(self, max_settings: usize) -> Self {
        Self { max_settings, ..self }
    }

    /// With another limit on PRIORITY frames.
    #[must_use]
    pub const fn with_max_priorities(self, max_priorities: usize) -> Self {
        Self { max_priorities, ..self }
    }

    /// With another limit on the header block, in bytes.
    #[must_use]
    pub const fn with_max_header_block_bytes(self, max_header_block_bytes: usize) -> Self {
        Self { max_header_block_bytes, ..self }
    }

    /// With another limit on CONTINUATION frames.
    #[must_use]
    pub const fn with_max_continuations(self, max_continuations: usize) -> Self {
        Self { max_continuations, ..self }
    }

    /// With other limits on what the header block may hold.
    #[must_use]
    pub const fn with_hpack(self, hpack: HpackLimits) -> Self {
        Self { hpack, ..self }
    }
}
