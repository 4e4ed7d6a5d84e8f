//! The first bytes of one direction of a TCP stream, in order.

mod head;
mod islands;
mod run;
mod segment;
mod seq;

pub use self::head::{Pushed, StreamHead, StreamLimit, StreamLimits};
pub use self::segment::Segment;
pub use self::seq::SeqNumber;
