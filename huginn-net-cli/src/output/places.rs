//! Opening outputs without losing what is to be read.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use super::{OutputSpec, Place, Target};
use crate::exit::Outcome;
use crate::inputs::is_stdin;
use crate::messages::{Messages, shown};

/// Files that are read, and what to say of an output that would go there.
#[derive(Default)]
pub(crate) struct InUse {
    places: HashMap<Place, &'static str>,
}

/// Why no output may be where signatures are.
pub(crate) const SIGNATURES: &str = "is a signature file to be read, not an output";

impl InUse {
    /// Adds places; `why` ends a message that begins with the name of the output.
    pub(crate) fn add(&mut self, places: impl IntoIterator<Item = Place>, why: &'static str) {
        for place in places {
            self.places.entry(place).or_insert(why);
        }
    }

    /// As [`add`](Self::add), by path. What is wrong with a path shows when it is opened.
    pub(crate) fn add_files<'a>(&mut self, paths: impl IntoIterator<Item = &'a PathBuf>, why: &'static str) {
        self.add(paths.into_iter().filter_map(|path| place_of(path)), why);
    }

    /// Adds the files of `--db`, where `-` is a name like others.
    pub(crate) fn add_signatures(&mut self, paths: &[PathBuf]) {
        self.add(paths.iter().filter_map(|path| Place::by(&fs::metadata(path).ok()?)), SIGNATURES);
    }
}

fn place_of(path: &Path) -> Option<Place> {
    if is_stdin(path) {
        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        return Place::of(&stdin.into()).ok()?;
    }
    Place::by(&fs::metadata(path).ok()?)
}

/// Opens outputs, unless they would write over each other or over what is read, whatever their names.
pub(crate) fn open_all(
    specs: &[OutputSpec],
    in_use: &InUse,
    messages: &Messages,
) -> Result<Vec<Target>, Outcome> {
    let usage = |spec: &OutputSpec, why: &str| {
        messages.error(format_args!("{}: {why}", name_of(spec)));
        Outcome::Usage
    };
    const TWICE: &str = "two outputs cannot go to the same place";

    // By their names before any file is made.
    let mut names = HashSet::new();
    if let Some(spec) = specs.iter().find(|spec| !names.insert(spec.path.as_deref())) {
        return Err(usage(spec, TWICE));
    }
    let mut places = HashSet::new();
    let mut targets = Vec::new();
    for spec in specs {
        let target = spec.open().map_err(|error| {
            messages.failed(name_of(spec), &error);
            Outcome::OutputFailed
        })?;
        if let Some(place) = target.place {
            if let Some(why) = in_use.places.get(&place) {
                return Err(usage(spec, why));
            }
            if !places.insert(place) {
                return Err(usage(spec, TWICE));
            }
        }
        targets.push(target);
    }
    Ok(targets)
}

/// What messages call an output.
pub(crate) fn name_of(spec: &OutputSpec) -> String {
    spec.path.as_deref().map_or("standard output".into(), shown)
}
