//! From the paths on the command line to the captures they stand for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::exit::Outcome;
use crate::messages::{Messages, describe, shown};

/// A capture to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file that was asked for by its name.
    Named(PathBuf),
    /// A file that fits a pattern.
    Matched(PathBuf),
    /// A file found in a directory, which may be something else than a capture.
    Found(PathBuf),
}

impl Input {
    /// The path, which standard input does not have.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::Named(path) | Self::Matched(path) | Self::Found(path) => Some(path),
        }
    }

    /// Whether it was found, by a pattern or in a directory, and not asked for by its name.
    pub(crate) fn is_found(&self) -> bool {
        matches!(self, Self::Matched(_) | Self::Found(_))
    }
}

/// Whether a path on the command line means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What messages call a path on the command line.
pub(crate) fn shown_input(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { shown(path) }
}

/// Refuses paths of which several mean standard input, and says so.
pub(crate) fn read_once(paths: &[PathBuf], messages: &Messages) -> Result<(), Outcome> {
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        messages.error("standard input can be read only once");
        return Err(Outcome::Usage);
    }
    Ok(())
}

/// A path that leads to no capture, and why.
pub(crate) type Failure = (PathBuf, String);

/// Replaces patterns and directories by the files they stand for, in the order of their names, and keeps the order
/// of the arguments.
pub(crate) fn expand(paths: &[PathBuf], recursive: bool) -> Vec<Result<Input, Failure>> {
    let mut inputs = Vec::new();
    for path in paths {
        if is_stdin(path) {
            inputs.push(Ok(Input::Stdin));
            continue;
        }
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_pattern(path) => {
                expand_pattern(path, recursive, &mut inputs);
            }
            Ok(metadata) if metadata.is_dir() => expand_directory(path, recursive, &mut inputs),
            // Whatever else is wrong with a path shows when it is opened.
            _ => inputs.push(Ok(Input::Named(path.clone()))),
        }
    }
    inputs
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '[']))
}

fn expand_pattern(path: &Path, recursive: bool, inputs: &mut Vec<Result<Input, Failure>>) {
    let failed = |reason: String| Err((path.to_owned(), reason));
    let matches = match glob::glob(&path.to_string_lossy()) {
        Ok(matches) => matches,
        Err(error) => return inputs.push(failed(format!("not a valid pattern: {}", error.msg))),
    };
    let before = inputs.len();
    for found in matches {
        match found {
            Ok(found) if found.is_dir() => expand_directory(&found, recursive, inputs),
            Ok(found) => inputs.push(Ok(Input::Matched(found))),
            Err(error) => inputs.push(Err((error.path().to_owned(), describe(error.error())))),
        }
    }
    if inputs.len() == before {
        inputs.push(failed("no file matches this pattern".to_owned()));
    }
}

fn expand_directory(path: &Path, recursive: bool, inputs: &mut Vec<Result<Input, Failure>>) {
    if !recursive {
        inputs.push(Err((path.to_owned(), "is a directory (-R reads the captures in it)".to_owned())));
        return;
    }
    // Of a directory its files and its directories, in one order; a stack, so that depth costs no stack frames.
    let before = inputs.len();
    let mut waiting = vec![(path.to_owned(), true)];
    while let Some((path, is_directory)) = waiting.pop() {
        if !is_directory {
            inputs.push(Ok(Input::Found(path)));
            continue;
        }
        match entries(&path) {
            Ok(entries) => waiting.extend(entries.into_iter().rev()),
            Err(error) => inputs.push(Err((path, describe(&error)))),
        }
    }
    if inputs.len() == before {
        inputs.push(Err((path.to_owned(), "there is no file in this directory".to_owned())));
    }
}

/// Regular files (`false`) and directories (`true`) in a directory, by name. A link to a file counts as file; links
/// to directories are not followed, as they may lead in a circle.
fn entries(directory: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        let kind = entry.file_type()?;
        // What is wrong with a link shows when it is opened.
        let leads_to_file = || fs::metadata(&path).map_or(true, |metadata| metadata.is_file());
        if kind.is_dir() {
            entries.push((path, true));
        } else if kind.is_file() || kind.is_symlink() && leads_to_file() {
            entries.push((path, false));
        }
    }
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.pcap", "a.pcap", "sub/d", "sub/deeper/c", "z.txt"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        folder
    }

    fn names(folder: &Path, inputs: Vec<Result<Input, Failure>>) -> Vec<String> {
        let relative = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        inputs
            .into_iter()
            .map(|input| match input {
                Ok(input) => input.path().map_or("-".to_owned(), relative),
                Err((path, reason)) => format!("{}: {reason}", relative(&path)),
            })
            .collect()
    }

    #[test]
    fn a_directory_is_read_in_order_of_names_and_only_when_asked_to() {
        let folder = folder();
        let paths = [folder.path().to_owned()];
        let found = names(folder.path(), expand(&paths, true));
        assert_eq!(found, ["a.pcap", "b.pcap", "sub/d", "sub/deeper/c", "z.txt"]);
        let refused = names(folder.path(), expand(&paths, false));
        assert_eq!(refused, [": is a directory (-R reads the captures in it)"]);
    }

    #[test]
    fn a_pattern_stands_for_files_in_order_and_must_match_some() {
        let folder = folder();
        let matching = |pattern| names(folder.path(), expand(&[folder.path().join(pattern)], false));
        assert_eq!(matching("*.pcap"), ["a.pcap", "b.pcap"]);
        assert_eq!(matching("*.cap"), ["*.cap: no file matches this pattern"]);
        assert_eq!(matching("no.cap"), ["no.cap"]);
    }

    #[test]
    fn an_existing_file_is_not_a_pattern() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("[a].pcap"), "").unwrap();
        fs::write(folder.path().join("a.pcap"), "").unwrap();
        let inputs = expand(&[folder.path().join("[a].pcap")], false);
        assert_eq!(names(folder.path(), inputs), ["[a].pcap"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_but_not_to_directories() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("sub/loop")).unwrap();
        std::os::unix::fs::symlink("d", folder.path().join("sub/e")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("sub/f")).unwrap();
        let found = names(folder.path(), expand(&[folder.path().join("sub")], true));
        assert_eq!(
            found,
            ["sub/d", "sub/deeper/c", "sub/e", "sub/f"],
            "one that leads nowhere is told when opened"
        );
    }
}
