//! `huginn-net ifaces`: the interfaces that could be captured.

use core::fmt::Write;

use huginn_net::LiveCapture;
use huginn_net::source::Interface;

use crate::exit::Outcome;
use crate::messages::{Messages, Printable, failure_of};
use crate::print;

/// Runs the command.
pub(crate) fn run(messages: &Messages) -> Outcome {
    match LiveCapture::interfaces() {
        Ok(interfaces) => print(interfaces.iter().map(line).collect::<String>().as_bytes(), messages),
        Err(error) => {
            messages.error(Printable(&failure_of(&error)));
            Outcome::NotOpened
        }
    }
}

fn line(interface: &Interface) -> String {
    let Interface { name, index, link_type, addresses, .. } = interface;
    let state = match (interface.is_up, interface.is_running) {
        (true, true) => "up",
        (true, false) => "no link",
        (false, _) => "down",
    };
    let link_type = link_type.map_or_else(|| "-".to_owned(), |link_type| link_type.to_string());
    let mut line = format!("{}\t{index}\t{state}\t{link_type}\t", Printable(name));
    for (at, address) in addresses.iter().enumerate() {
        // A string takes everything.
        let _ = write!(line, "{}{address}", if at == 0 { "" } else { " " });
    }
    line.push('\n');
    line
}
