//! What the benches share: [`Traffic`] in memory, [`Analyses`] of it, a [`Recorder`] that collects what Criterion measures, and the [`Report`] it makes of it.
//!
//! ```no_run
//! use benchkit::{Note, Recorder};
//!
//! static RECORDER: Recorder = Recorder::new("tcp");
//!
//! fn benches() {
//!     RECORDER.note(Note::on("analysis", "SYN").events(256));
//!     // Groups of Criterion.
//! }
//!
//! fn main() {
//!     RECORDER.run(benches);
//! }
//! ```
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod drive;
mod machine;
mod recorder;
mod report;
mod traffic;

pub use self::drive::{Analyses, Driver};
pub use self::machine::Machine;
pub use self::recorder::{Note, Recorder};
pub use self::report::{Measured, Report, RunsDiffer, folder};
pub use self::traffic::{Replayed, Traffic};
