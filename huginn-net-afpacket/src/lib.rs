//! Frames of a network interface on Linux, lent from a ring of memory that the kernel fills (`AF_PACKET`, `TPACKET_V3`):
//! no system call and no copy for a frame.
//!
//! ```no_run
//! # #[cfg(target_os = "linux")] {
//! use core::time::Duration;
//!
//! use huginn_net_afpacket::{Capture, Options};
//!
//! let mut capture = Capture::open(&["eth0"], &Options::default())?;
//! capture.start()?;
//! while let Some(frame) = capture.next(Duration::from_secs(1))? {
//!     println!("{} ns: {} of {} bytes", frame.nanos, frame.bytes.len(), frame.wire_len);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It takes the capability `CAP_NET_RAW` to open a capture, and none to read it. On other systems this crate is empty.
//!
//! What talks to the kernel is in the module `sys`, the only one with unsafe code. What the kernel wrote is read as bytes,
//! by safe code that checks every offset.

#![cfg(target_os = "linux")]

mod block;
mod capture;
mod error;
mod framing;
mod interface;
mod link;
mod options;
mod program;
mod sys;

pub use self::capture::{Capture, Counts, Frame};
pub use self::error::Error;
pub use self::framing::Framing;
pub use self::interface::{Interface, interfaces};
pub use self::options::Options;
pub use self::program::Instruction;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
