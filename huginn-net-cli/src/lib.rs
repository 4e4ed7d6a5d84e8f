//! The inside of the command `huginn-net`: arguments, files and formats of output.
//!
//! Protocols, decoding and signatures are in the crate `huginn-net`, which is the one to build on. What is public here
//! is so for the command and for its benches, and changes without notice.

mod analysis;
mod args;
mod bench;
mod community_id;
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
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use indicatif::ProgressBar;

use crate::args::{Cli, Command, DbCommand};
use crate::exit::Outcome;
use crate::inputs::describe;
use crate::messages::Messages;

#[doc(hidden)]
pub use crate::output::Json;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let messages = Messages::beside(ProgressBar::hidden());
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli.command, &messages),
        Err(error) => on_usage(&error, &messages),
    };
    ExitCode::from(outcome.status())
}

fn run(command: &Command, messages: &Messages) -> Outcome {
    match command {
        Command::Read(args) => read::run(args),
        Command::Live(args) => live::run(args, messages),
        Command::Ifaces => ifaces::run(messages),
        Command::Hello(args) => hello::run(args, messages),
        Command::Bench(args) => bench::run(args, messages),
        Command::Match(args) => lookup::run(args, messages),
        Command::Db { command: DbCommand::Check { files, json, quiet } } => {
            signatures::check(files, *json, *quiet, messages)
        }
        Command::Db { command: DbCommand::Export(args) } => signatures::export(args, messages),
        Command::Db { command: DbCommand::List { signatures } } => signatures::list(signatures, messages),
        Command::Schema => print(output::SCHEMA.as_bytes(), messages),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "huginn-net", &mut script);
            print(&script, messages)
        }
        Command::Man { command } => print_man(command.as_deref(), messages),
    }
}

/// Prints the manual page of the command as a whole or of one below it.
fn print_man(name: Option<&str>, messages: &Messages) -> Outcome {
    let mut command = Cli::command();
    command.build();
    let command = match name {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone().display_name(format!("huginn-net-{name}")),
            None => {
                messages.error(format_args!("there is no command {name:?}"));
                return Outcome::Usage;
            }
        },
    };
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).render(&mut page) {
        Ok(()) => print(&page, messages),
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

/// How a command ends that cannot write to standard output: well, if only its reader went away.
fn output_outcome(error: &io::Error, messages: &Messages) -> Outcome {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Outcome::Success;
    }
    messages.error(format_args!("standard output: {}", describe(error)));
    Outcome::OutputFailed
}

/// Prints the help that was asked for, or in one line what is wrong with the arguments.
fn on_usage(error: &clap::Error, messages: &Messages) -> Outcome {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            // Styled for a terminal only.
            if io::IsTerminal::is_terminal(&io::stdout()) {
                print(text.ansi().to_string().as_bytes(), messages)
            } else {
                print(text.to_string().as_bytes(), messages)
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            messages.say(error.render());
            Outcome::Usage
        }
        _ => {
            messages.error(one_line(&error.render().to_string()));
            Outcome::Usage
        }
    }
}

/// The parts of a message of clap that say what is wrong and what could be meant.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told: Vec<_> =
        lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
    let told = told.join(" ").replace(" tip: ", "; ");
    match told.split_once(" [possible values: ") {
        Some((what, values)) => format!("{what}; there are {}", values.trim_end_matches(']')),
        None => told,
    }
}
