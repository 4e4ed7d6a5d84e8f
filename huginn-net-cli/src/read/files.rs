//! Which captures are read, and where they lie.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;

use rustix::fs::OFlags;

use crate::args::ReadArgs;
use crate::exit::Outcome;
use crate::inputs::{self, Input};
use crate::messages::{Messages, shown};
use crate::output::{Place, Target, name_of};

/// What is wrong with an output that was found where captures are, and was no output before.
const NOT_OURS: &str = "holds something else than records, and is not written over";

/// The captures that the paths stand for, and how well these could be followed. What is wrong with them has been said.
pub(super) fn find_inputs(args: &ReadArgs, messages: &Messages) -> Result<(Vec<Input>, Outcome), Outcome> {
    inputs::read_once(&args.paths, messages)?;
    let mut outcome = Outcome::Success;
    let mut inputs = Vec::new();
    for input in inputs::expand(&args.paths, args.recursive) {
        match input {
            Ok(input) => inputs.push(input),
            Err((path, reason)) => {
                messages.error(format_args!("{}: {reason}", shown(&path)));
                outcome.add(Outcome::NotOpened);
            }
        }
    }
    Ok((inputs, outcome))
}

/// Leaves out files that were found and are outputs, as those of the run before this one. Nobody means to write over anything
/// else that lies among captures.
pub(super) fn without_targets(
    inputs: Vec<Input>,
    targets: &[Target],
    verbose: bool,
    messages: &Messages,
) -> Result<Vec<Input>, Outcome> {
    let found = inputs.len();
    let mut left = Vec::with_capacity(found);
    for input in inputs {
        let place = if input.is_found() { place_of(&input) } else { None };
        let target = targets.iter().find(|target| place.is_some() && target.place == place);
        match (target, input.path()) {
            (Some(target), _) if !is_written_anew(&input) => {
                messages.error(format_args!("{}: {NOT_OURS}", name_of(&target.spec)));
                return Err(Outcome::Usage);
            }
            (Some(_), Some(path)) => {
                if verbose {
                    messages.say(format_args!("{}: left out, as it is an output", shown(path)));
                }
            }
            _ => left.push(input),
        }
    }
    if left.is_empty() && found > 0 {
        messages.error("there is no file but those to be written");
        return Err(Outcome::NotOpened);
    }
    Ok(left)
}

/// Whether writing over a file loses nothing but what a run before wrote: it is empty, begins as records do, or is no regular
/// file.
fn is_written_anew(input: &Input) -> bool {
    let begin = |mut file: File| {
        let is_regular = file.metadata()?.is_file();
        let mut begin = Vec::new();
        if is_regular {
            file.by_ref().take(3).read_to_end(&mut begin)?;
        }
        io::Result::Ok(begin)
    };
    open(input).and_then(begin).is_ok_and(|begin| match *begin {
        [] | [b'{', b'"', ..] => true,
        // The time of day, in text.
        [tens, ones, b':'] => tens.is_ascii_digit() && ones.is_ascii_digit(),
        _ => false,
    })
}

pub(super) fn open(input: &Input) -> io::Result<File> {
    match input.path() {
        // Without waiting for somebody who opens a named pipe to write, which no signal would end.
        Some(path) => {
            let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
            OpenOptions::new().read(true).custom_flags(flags).open(path)
        }
        // Without the buffer of `io::stdin`, so that waiting for the descriptor means waiting for bytes.
        None => Ok(io::stdin().as_fd().try_clone_to_owned()?.into()),
    }
}

/// Where a capture lies.
pub(super) fn place_of(input: &Input) -> Option<Place> {
    match input.path() {
        Some(path) => Place::by(&fs::metadata(path).ok()?),
        None => Place::of(&open(input).ok()?).ok()?,
    }
}
