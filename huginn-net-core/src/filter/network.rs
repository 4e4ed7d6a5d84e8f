//! Addresses and networks, as they are written and as they are compared.

use core::net::{IpAddr, Ipv4Addr};

use super::error::FilterReason;
use crate::IpVersion;

/// The addresses that agree with one in the bits of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Network {
    V4 { address: u32, mask: u32 },
    V6 { address: u128, mask: u128 },
}

impl Network {
    /// The network of one address.
    pub(super) fn host(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::V4 { address: address.to_bits(), mask: u32::MAX },
            IpAddr::V6(address) => Self::V6 { address: address.to_bits(), mask: u128::MAX },
        }
    }

    /// Reads an address or, of IPv4, its first bytes, which make a network of as many.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse() {
            return Some(Self::host(address));
        }
        let bytes = text.split('.').count();
        // The missing bytes are zero; four of them would have been an address.
        let filled = match bytes {
            1 => format!("{text}.0.0.0"),
            2 => format!("{text}.0.0"),
            3 => format!("{text}.0"),
            _ => return None,
        };
        let address = filled.parse::<Ipv4Addr>().ok()?.to_bits();
        Some(Self::V4 { address, mask: u32::MAX << (32 - 8 * bytes) })
    }

    /// The same, of so many bits.
    pub(super) fn with_prefix(self, len: u32) -> Result<Self, FilterReason> {
        match self {
            Self::V4 { address, .. } => {
                let host_bits = u32::BITS.checked_sub(len).ok_or(FilterReason::PrefixLength)?;
                Ok(Self::V4 { address, mask: u32::MAX.checked_shl(host_bits).unwrap_or(0) })
            }
            Self::V6 { address, .. } => {
                let host_bits = u128::BITS.checked_sub(len).ok_or(FilterReason::PrefixLength)?;
                Ok(Self::V6 { address, mask: u128::MAX.checked_shl(host_bits).unwrap_or(0) })
            }
        }
    }

    /// The same, of the bits of a mask.
    pub(super) fn with_mask(self, mask: Ipv4Addr) -> Result<Self, FilterReason> {
        let len = mask.to_bits().leading_ones();
        match self {
            Self::V4 { .. } if len + mask.to_bits().trailing_zeros() == u32::BITS || len == u32::BITS => {
                self.with_prefix(len)
            }
            Self::V4 { .. } => Err(FilterReason::PrefixLength),
            Self::V6 { .. } => Err(FilterReason::Version),
        }
    }

    /// Whether the address has bits outside the mask, so that no address would fit.
    pub(super) const fn has_host_bits(self) -> bool {
        match self {
            Self::V4 { address, mask } => address & !mask != 0,
            Self::V6 { address, mask } => address & !mask != 0,
        }
    }

    pub(super) const fn version(self) -> IpVersion {
        match self {
            Self::V4 { .. } => IpVersion::V4,
            Self::V6 { .. } => IpVersion::V6,
        }
    }

    #[inline]
    pub(super) fn contains(self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::V4 { address, mask }, IpAddr::V4(other)) => other.to_bits() & mask == address,
            (Self::V6 { address, mask }, IpAddr::V6(other)) => other.to_bits() & mask == address,
            (Self::V4 { .. }, IpAddr::V6(_)) | (Self::V6 { .. }, IpAddr::V4(_)) => false,
        }
    }

    /// Address and mask in words of 32 bits, from the first byte on.
    pub(super) fn words(self) -> Vec<(u32, u32)> {
        match self {
            Self::V4 { address, mask } => vec![(address, mask)],
            Self::V6 { address, mask } => {
                let (address, mask) = (address.to_be_bytes(), mask.to_be_bytes());
                let words = |bytes: &[u8; 16]| bytes.as_chunks::<4>().0.to_vec();
                let pairs = words(&address).into_iter().zip(words(&mask));
                pairs.map(|(address, mask)| (u32::from_be_bytes(address), u32::from_be_bytes(mask))).collect()
            }
        }
    }
}
