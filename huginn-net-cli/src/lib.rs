//! The inside of the command `huginn-net`: arguments, files and formats of output.
//!
//! Protocols, decoding and signatures are in the crate `huginn-net`, which is the one to build on. What is public here
//! is so for the command and for its benches, and changes without notice.

mod analysis;
mod args;
mod bench;
mod community_id;
mod count;
mod exit;
mod filter;
mod hello;
mod ifaces;
mod inputs;
mod live;
mod lookup;
mod messages;
mod output;
mod progress;
mod read;
mod signals;
mod signatures;
mod source;
mod totals;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use indicatif::ProgressBar;

use crate::args::{Cli, Command, DbCommand};
use crate::exit::{Ended, Outcome};
use crate::messages::{Messages, Printable};

#[doc(hidden)]
pub use crate::output::Json;

/// What manual pages are of.
const VERSION: &str = concat!("huginn-net ", env!("CARGO_PKG_VERSION"));

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    signals::outlive_file_size_limit();
    let messages = Messages::beside(ProgressBar::hidden());
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli.command, &messages).unwrap_or_else(|outcome| outcome),
        Err(error) => on_usage(&error, &messages),
    };
    ExitCode::from(outcome.status())
}

fn run(command: &Command, messages: &Messages) -> Ended {
    match command {
        Command::Read(args) => read::run(args),
        Command::Live(args) => live::run(args, messages),
        Command::Ifaces => Ok(ifaces::run(messages)),
        Command::Hello(args) => hello::run(args, messages),
        Command::Bench(args) => bench::run(args, messages),
        Command::Match(args) => lookup::run(args, messages),
        Command::Db { command: DbCommand::Check { files, json, quiet } } => {
            signatures::check(files, *json, *quiet, messages)
        }
        Command::Db { command: DbCommand::Export(args) } => signatures::export(args, messages),
        Command::Db { command: DbCommand::List { signatures } } => signatures::list(signatures, messages),
        Command::Schema => Ok(print(output::SCHEMA.as_bytes(), messages)),
        Command::Completions { shell } => Ok(print(completions(*shell).as_bytes(), messages)),
        Command::Man { command } => Ok(print_man(command, messages)),
    }
}

/// The completion script for a shell.
fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "huginn-net", &mut script);
    let script = String::from_utf8_lossy(&script);
    // For bash, clap_complete (4.6.11) takes the hyphen of the name for the blank before a command where it lists options,
    // and not where it finds out which command it is; no command would have options.
    script.replace("huginn__subcmd__net", "huginn__net")
}

/// Prints the manual page of the command as a whole, or of the one that these names lead to.
fn print_man(names: &[String], messages: &Messages) -> Outcome {
    let mut root = Cli::command();
    root.build();
    let found = names.iter().try_fold(&root, |command, name| command.find_subcommand(name));
    let Some(command) = found else {
        messages.error(format_args!("there is no command {:?}", names.join(" ")));
        return Outcome::Usage;
    };
    let page_name = ["huginn-net"].into_iter().chain(names.iter().map(String::as_str)).collect::<Vec<_>>();
    let command = command.clone().display_name(page_name.join("-"));
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).source(VERSION).render(&mut page) {
        // What clap puts behind the options is about exit statuses in every command that has it.
        Ok(()) => {
            let page =
                String::from_utf8_lossy(&page).replace(".SH EXTRA\nExit status: ", ".SH \"EXIT STATUS\"\n");
            print(page.as_bytes(), messages)
        }
        Err(error) => output_outcome(&error, messages),
    }
}

/// Writes to standard output.
fn print(bytes: &[u8], messages: &Messages) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Outcome::Success,
        Err(error) => output_outcome(&error, messages),
    }
}

/// Locks. Nothing panics while it holds one of these, and what they hold is none the worse for it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a command ends that cannot write to standard output: well, if only its reader went away.
fn output_outcome(error: &io::Error, messages: &Messages) -> Outcome {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Outcome::Success;
    }
    messages.failed("standard output", error);
    Outcome::OutputFailed
}

/// Prints the help that was asked for, or in one line what is wrong with the arguments.
fn on_usage(error: &clap::Error, messages: &Messages) -> Outcome {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            // Styled for a terminal only.
            if output::shows_color() {
                print(text.ansi().to_string().as_bytes(), messages)
            } else {
                print(text.to_string().as_bytes(), messages)
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            messages.say(error.render());
            Outcome::Usage
        }
        kind => {
            let mut told = one_line(&error.render().to_string());
            if is_file_for_a_command(error) {
                told.push_str("; `huginn-net read FILE` analyzes a file");
            }
            let is_misspelt = matches!(kind, ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument);
            if is_misspelt && !told.contains("; ") {
                told.push_str("; --help lists what there is");
            }
            messages.error(Printable(&told));
            Outcome::Usage
        }
    }
}

/// Whether a file stands where a command should.
fn is_file_for_a_command(error: &clap::Error) -> bool {
    let name = error.get(ContextKind::InvalidSubcommand);
    matches!(name, Some(ContextValue::String(name)) if Path::new(name).is_file())
}

/// The parts of a message of clap that say what is wrong and what could be meant.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    // Whoever writes an option of another program does not mean a file of that name.
    let needless = ["For more information", "tip: to pass '"];
    let told: Vec<_> = lines
        .filter(|line| !line.is_empty() && !needless.iter().any(|start| line.starts_with(start)))
        .collect();
    let told = told.join(" ").replace(" tip: ", "; ");
    let with_values = told.split_once(" [possible values: ");
    match with_values.and_then(|(what, rest)| Some((what, rest.split_once(']')?))) {
        Some((what, (values, rest))) => format!("{what}; there are {values}{rest}"),
        None => told,
    }
}
