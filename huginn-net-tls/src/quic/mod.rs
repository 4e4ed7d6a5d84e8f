//! Hellos from QUIC: Initial packets, whose keys anyone can derive who saw the first of them.

mod crypto;
mod error;
mod frame;
mod gcm;
mod header;
mod keys;
mod mac;
mod pieces;
mod reader;
#[cfg(test)]
mod testing;
mod transport_parameters;
mod version;

pub use self::error::{QuicError, QuicLimit};
#[cfg(feature = "capture")]
pub(crate) use self::header::InitialPacket;
pub use self::header::QuicPacketType;
#[cfg(feature = "capture")]
pub(crate) use self::reader::{QuicConnections, Scratch};
pub use self::reader::{QuicFacts, QuicHello, QuicInitialReader, QuicLimits};
pub use self::transport_parameters::{TransportParameter, TransportParameterId, TransportParameters};
pub use self::version::QuicVersion;
