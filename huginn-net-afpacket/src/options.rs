//! How to capture.

use crate::sys::BLOCK_LEN;

/// How to capture; the default is what most want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Bytes kept of a frame, 1 or more; those of a restored VLAN tag come on top. No more are kept than a block of the ring has
    /// room for, some 130,900.
    pub snaplen: u32,
    /// Whether frames for others are captured, too.
    pub promiscuous: bool,
    /// Bytes of the ring of each socket; rounded up to blocks of 128 KiB, of which there are 2 to 16,384 (2 GiB).
    pub buffer_len: usize,
    /// Whether to take times of the network adapter where it gives them. Its clock need not agree with that of the
    /// system.
    pub adapter_times: bool,
}

impl Default for Options {
    /// Up to 262,144 bytes of each frame, promiscuous, 32 MiB, times of the system.
    fn default() -> Self {
        Self { snaplen: 262_144, promiscuous: true, buffer_len: 32 << 20, adapter_times: false }
    }
}

impl Options {
    /// With this [`snaplen`](Self::snaplen); 0 counts as 1.
    #[must_use]
    pub const fn with_snaplen(self, snaplen: u32) -> Self {
        Self { snaplen: if snaplen == 0 { 1 } else { snaplen }, ..self }
    }

    /// With this [`promiscuous`](Self::promiscuous).
    #[must_use]
    pub const fn with_promiscuous(self, promiscuous: bool) -> Self {
        Self { promiscuous, ..self }
    }

    /// With this [`buffer_len`](Self::buffer_len).
    #[must_use]
    pub const fn with_buffer_len(self, buffer_len: usize) -> Self {
        Self { buffer_len, ..self }
    }

    /// With this [`adapter_times`](Self::adapter_times).
    #[must_use]
    pub const fn with_adapter_times(self, adapter_times: bool) -> Self {
        Self { adapter_times, ..self }
    }

    /// Blocks of the ring.
    pub(crate) fn blocks(&self) -> u16 {
        const MIN: u16 = 2;
        const MAX: u16 = 16_384;
        u16::try_from(self.buffer_len.div_ceil(BLOCK_LEN)).unwrap_or(MAX).clamp(MIN, MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_has_two_blocks_at_least_and_2_gib_at_most() {
        for (len, blocks) in
            [(0, 2), (1, 2), (32 << 20, 256), ((32 << 20) + 1, 257), (2 << 30, 16_384), (usize::MAX, 16_384)]
        {
            assert_eq!(Options::default().with_buffer_len(len).blocks(), blocks, "{len}");
        }
    }
}
