//! The command `huginn-net`.

use std::process::ExitCode;

fn main() -> ExitCode {
    huginn_net_cli::main()
}
