//! What the benches share: a [`Recorder`] that keeps the samples Criterion takes, and the [`Report`] it makes of them.
//!
//! ```no_run
//! use benchkit::{Case, Recorder};
//! use std::time::Duration;
//!
//! static RECORDER: Recorder = Recorder::new("tcp");
//!
//! let case = Case::new("analysis", "SYN, matched").packets(256).events(256);
//! let mut samples = RECORDER.case(case);
//! // In `bencher.iter_custom(|rounds| …)`:
//! let taken = Duration::from_micros(10);
//! assert_eq!(samples.add(1, taken), taken);
//! drop(samples);
//! RECORDER.finish();
//! ```
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod machine;
mod recorder;
mod report;

pub use self::machine::Machine;
pub use self::recorder::{Case, Recorder, Samples};
pub use self::report::{Measured, Report, folder};
