//! Signature files: those of `--db`, and `huginn-net db`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use huginn_net::Database;
use huginn_net::db::{Attribution, DatabaseError, Diagnostic, Label, SystemRef};

use crate::args::{ExportArgs, SignatureArgs};
use crate::exit::{Ended, Outcome};
use crate::inputs::{is_stdin, read_once, shown_input};
use crate::messages::{Messages, Printable, shown};
use crate::output::{Answers, InUse, SIGNATURES};

/// Errors of a signature file that are shown when it is to be used.
const MAX_ERRORS_SHOWN: usize = 10;

/// The signatures that the arguments name: those of files first, in their order, then the bundled ones.
pub(crate) fn load(
    args: &SignatureArgs,
    verbose: bool,
    messages: &Messages,
) -> Result<Arc<Database>, Outcome> {
    if args.db.is_empty() && !args.no_bundled_db {
        return Ok(Arc::clone(Database::bundled()));
    }
    let mut database = Database::default();
    for path in &args.db {
        // What an option names is part of the usage.
        let bytes = Database::read_bytes(path);
        let parse = if verbose { Database::check_bytes } else { Database::parse_bytes };
        let (bytes, file) = parse_as(parse, path, bytes, messages).map_err(|_| Outcome::Usage)?;
        if verbose {
            show(file.warnings().iter(), &bytes, messages);
        }
        database.append(&file);
    }
    if !args.no_bundled_db {
        database.append(Database::bundled());
    }
    Ok(Arc::new(database))
}

fn explain_read(path: &Path, error: &DatabaseError, messages: &Messages) {
    match error {
        DatabaseError::Read { source, .. } => {
            messages.failed(shown(path), source);
        }
        _ => messages.error(error),
    }
}

/// `bytes` are those of the file.
fn explain(path: &Path, error: &DatabaseError, bytes: &[u8], messages: &Messages) {
    let errors = || error.diagnostics().iter().filter(|diagnostic| diagnostic.is_error());
    show(errors().take(MAX_ERRORS_SHOWN), bytes, messages);
    let more = errors().count().saturating_sub(MAX_ERRORS_SHOWN);
    if more > 0 {
        messages.error(format_args!("{}: {more} more errors", shown(path)));
    }
}

fn show<'a>(findings: impl Iterator<Item = &'a Diagnostic>, bytes: &[u8], messages: &Messages) {
    for finding in findings {
        messages.error(finding.render(bytes));
    }
}

/// `huginn-net db check`: all findings of files, on standard output.
pub(crate) fn check(files: &[PathBuf], json: bool, quiet: bool, messages: &Messages) -> Ended {
    read_once(files, messages)?;
    let mut outcome = Outcome::Success;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for path in files {
        let (path, bytes) = read(path);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                explain_read(&path, &error, messages);
                outcome.add(Outcome::NotOpened);
                continue;
            }
        };
        let parsed = Database::check_bytes(&bytes, &path.to_string_lossy());
        let findings = match &parsed {
            Ok(database) => database.warnings(),
            Err(error) => error.diagnostics(),
        };
        if parsed.is_err() {
            outcome.add(Outcome::Damaged);
        }
        let written = findings.iter().try_for_each(|finding| {
            if json { write_json(finding, &mut out) } else { writeln!(out, "{}", finding.render(&bytes)) }
        });
        if let Err(error) = written.and_then(|()| out.flush()) {
            return Ok(crate::output_outcome(&error, messages));
        }
        if !quiet {
            let errors = findings.iter().filter(|finding| finding.is_error()).count();
            let warnings = findings.len() - errors;
            let plural = |count: usize| if count == 1 { "" } else { "s" };
            messages.say(format_args!(
                "{}: {errors} error{}, {warnings} warning{}",
                shown(&path),
                plural(errors),
                plural(warnings)
            ));
        }
    }
    Ok(outcome)
}

/// What a command reads that has files of signatures for arguments, and what to call it: standard input for `-`.
fn read(path: &Path) -> (PathBuf, Result<Vec<u8>, DatabaseError>) {
    if !is_stdin(path) {
        return (path.to_owned(), Database::read_bytes(path));
    }
    let name = PathBuf::from(shown_input(path));
    let read = Database::read_from(io::stdin(), &name);
    (name, read)
}

fn write_json(finding: &Diagnostic, out: &mut impl Write) -> io::Result<()> {
    let mut object = serde_json::json!({
        "file": &*finding.file,
        "line": finding.line,
        "column": finding.column,
        "code": finding.code.as_str(),
        "severity": finding.severity().to_string(),
        "message": finding.message,
        "span": [finding.span.start, finding.span.end],
    });
    if let (Some(help), Some(object)) = (&finding.help, object.as_object_mut()) {
        object.insert("help".to_owned(), help.as_str().into());
    }
    writeln!(out, "{object}")
}

/// `huginn-net db export --p0f`: signatures as a file for p0f.
pub(crate) fn export(args: &ExportArgs, messages: &Messages) -> Ended {
    let database = load_all(&args.files, messages)?;
    let mut in_use = InUse::default();
    in_use.add_files(&args.files, SIGNATURES);
    let mut answers = Answers::open(core::slice::from_ref(&args.output), &in_use, messages)?;
    let export = database.to_p0f();
    if !args.quiet {
        messages.say(format_args!("{} signatures for p0f", export.signatures));
        for (what, count) in &export.left_out {
            messages.say(format_args!("left out: {count} {what}"));
        }
    }
    answers.write_text(&export.text);
    Ok(answers.finish())
}

/// The signatures of files, none of which may have errors; the bundled ones if there is no file.
fn load_all(files: &[PathBuf], messages: &Messages) -> Result<Arc<Database>, Outcome> {
    read_once(files, messages)?;
    if files.is_empty() {
        return Ok(Arc::clone(Database::bundled()));
    }
    let mut outcome = Outcome::Success;
    let mut database = Database::default();
    for path in files {
        let (path, bytes) = read(path);
        match parse_as(Database::parse_bytes, &path, bytes, messages) {
            Ok((_, file)) => database.append(&file),
            Err(failure) => outcome.add(failure),
        }
    }
    if outcome == Outcome::Success { Ok(Arc::new(database)) } else { Err(outcome) }
}

/// Parses what a file has. What is wrong has been said when this fails.
fn parse_as(
    parse: fn(&[u8], &str) -> Result<Database, DatabaseError>,
    path: &Path,
    bytes: Result<Vec<u8>, DatabaseError>,
    messages: &Messages,
) -> Result<(Vec<u8>, Database), Outcome> {
    let bytes = bytes.map_err(|error| {
        explain_read(path, &error, messages);
        Outcome::NotOpened
    })?;
    match parse(&bytes, &path.to_string_lossy()) {
        Ok(database) => Ok((bytes, database)),
        Err(error) => {
            explain(path, &error, &bytes, messages);
            Err(Outcome::Damaged)
        }
    }
}

/// `huginn-net db list`: all signatures, one per line.
pub(crate) fn list(args: &SignatureArgs, messages: &Messages) -> Ended {
    let database = load(args, false, messages)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    Ok(match write_list(&database, &mut out).and_then(|()| out.flush()) {
        Ok(()) => Outcome::Success,
        Err(error) => crate::output_outcome(&error, messages),
    })
}

fn write_list(database: &Database, out: &mut impl Write) -> io::Result<()> {
    for (section, records) in
        [("tcp:request", database.tcp_requests()), ("tcp:response", database.tcp_responses())]
    {
        for record in records {
            let label = full_label(&record.label, &record.systems);
            let (signature, source, line) = (record.signature, Printable(&record.source), record.line);
            let evidence = Printable(&record.provenance);
            writeln!(out, "{section}\t{}\t{signature}\t{source}:{line}\t{evidence}", Printable(&label))?;
        }
    }
    for (section, records) in
        [("http:request", database.http_requests()), ("http:response", database.http_responses())]
    {
        for record in records {
            let label = full_label(&record.label, &record.systems);
            let signature = record.signature.to_string();
            let (source, line) = (Printable(&record.source), record.line);
            let (label, signature) = (Printable(&label), Printable(&signature));
            let evidence = Printable(&record.provenance);
            writeln!(out, "{section}\t{label}\t{signature}\t{source}:{line}\t{evidence}")?;
        }
    }
    for record in database.mtus() {
        let (link, source) = (Printable(&record.link), Printable(&record.source));
        writeln!(out, "mtu\t{link}\t{}\t{source}:{}\t", record.mtu, record.line)?;
    }
    for record in database.tls_clients() {
        let place = (&*record.source, record.line);
        write_clients("x-tls:client", &record.clients, &record.signature.to_string(), place, out)?;
    }
    for record in database.http2_clients() {
        let place = (&*record.source, record.line);
        write_clients("x-http2:client", &record.clients, &record.signature.akamai().to_string(), place, out)?;
    }
    Ok(())
}

/// A line for each client of a signature.
fn write_clients(
    section: &str,
    clients: &[Attribution],
    signature: &str,
    (source, line): (&str, u32),
    out: &mut impl Write,
) -> io::Result<()> {
    for Attribution { client, provenance, .. } in clients {
        let label = format!("{}:{}:{}", client.kind.name(), client.name, client.version);
        let (label, source, evidence) = (Printable(&label), Printable(source), Printable(provenance));
        writeln!(out, "{section}\t{label}\t{signature}\t{source}:{line}\t{evidence}")?;
    }
    Ok(())
}

/// A label as a file writes it, with the systems a tool runs on.
fn full_label(label: &Label, systems: &[SystemRef]) -> String {
    let mut text =
        format!("{}:{}:{}:{}", label.specificity.letter(), label.class.name(), label.name, label.flavor);
    for (index, system) in systems.iter().enumerate() {
        text.push_str(if index == 0 { " on " } else { "," });
        text.push_str(&system.to_string());
    }
    text
}
