//! How to capture.

/// How to capture; the default is what most want.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveOptions {
    /// Bytes kept of a frame, 1 or more; some 130,900 at most on Linux without libpcap. Hellos that are cut are not found.
    pub snaplen: u32,
    /// Whether frames for others are captured, too.
    pub promiscuous: bool,
    /// Bytes of the kernel's buffer for each capture, up to 2 GiB.
    pub buffer_len: usize,
    /// Whether to take times of the network adapter where it gives them. Its clock need not agree with that of the
    /// system.
    pub adapter_times: bool,
    /// Lets libpcap capture, with a filter in its own words, which may be empty; `None` for the way of the system, where
    /// there is one. It takes the feature `libpcap`.
    pub libpcap_filter: Option<String>,
}

impl Default for LiveOptions {
    /// Up to 262,144 bytes of each frame, promiscuous, 32 MiB, times of the system.
    fn default() -> Self {
        Self {
            snaplen: 262_144,
            promiscuous: true,
            buffer_len: 32 << 20,
            adapter_times: false,
            libpcap_filter: None,
        }
    }
}

impl LiveOptions {
    /// With this [`snaplen`](Self::snaplen); 0 counts as 1.
    #[must_use]
    pub fn with_snaplen(self, snaplen: u32) -> Self {
        Self { snaplen: snaplen.max(1), ..self }
    }

    /// With this [`promiscuous`](Self::promiscuous).
    #[must_use]
    pub fn with_promiscuous(self, promiscuous: bool) -> Self {
        Self { promiscuous, ..self }
    }

    /// With this [`buffer_len`](Self::buffer_len).
    #[must_use]
    pub fn with_buffer_len(self, buffer_len: usize) -> Self {
        Self { buffer_len, ..self }
    }

    /// With this [`adapter_times`](Self::adapter_times).
    #[must_use]
    pub fn with_adapter_times(self, adapter_times: bool) -> Self {
        Self { adapter_times, ..self }
    }

    /// With this [`libpcap_filter`](Self::libpcap_filter).
    #[must_use]
    pub fn with_libpcap_filter(self, filter: impl Into<String>) -> Self {
        Self { libpcap_filter: Some(filter.into()), ..self }
    }
}
