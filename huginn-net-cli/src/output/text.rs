//! One line per event, for people.

use core::fmt;
use std::path::Path;

use huginn_net::db::ClientKey;
use huginn_net::http::RawSignature;
use huginn_net::tcp::UptimeState;
use huginn_net::tls::{ServerHelloSeen, Sslv2HelloSeen, Via, ViaTarget};
use huginn_net::{Application, Event, HttpClient, HttpServer, SourceStats, Stack, TlsClient, Uptime};

use super::address::Addresses;
use super::clock::Clock;
use super::kept::Kept;
use super::room::Room;
use super::stacks::Stacks;
use super::{Format, append};
use crate::messages::{Printable, Word};
use crate::totals::Totals;

/// Lines of text, with or without colors.
pub(super) struct Text {
    style: &'static Style,
    clock: Clock,
    addresses: Addresses,
    stacks: Stacks,
    /// Signatures of heads.
    signatures: Kept<Vec<u8>>,
    /// What the latest of them is made of.
    made_of: Vec<u8>,
}

/// Control sequences (ECMA-48 §8.3.117) in front of the parts of a line, and behind them.
struct Style {
    kind: &'static str,
    name: &'static str,
    unknown: &'static str,
    detail: &'static str,
    reset: &'static str,
}

const PLAIN: Style = Style { kind: "", name: "", unknown: "", detail: "", reset: "" };
const COLORED: Style =
    Style { kind: "\x1b[36m", name: "\x1b[1;32m", unknown: "\x1b[33m", detail: "\x1b[2m", reset: "\x1b[0m" };

impl Style {
    fn stack(&self, stack: &Stack, lines: &mut Vec<u8>) {
        let Self { name, unknown, detail, reset, .. } = self;
        let quality = match &stack.labels.os {
            Some(os) => {
                append(lines, format_args!("{name}{}{reset}", Printable(&os.label.name)));
                if !os.label.flavor.is_empty() {
                    append(lines, format_args!("{name} {}{reset}", Printable(&os.label.flavor)));
                }
                os.quality.name()
            }
            None => {
                append(lines, format_args!("{unknown}unknown{reset}"));
                "-"
            }
        };
        match super::known_distance(stack) {
            Some(distance) => append(lines, format_args!("  dist {distance}  {quality}")),
            None => append(lines, format_args!("  dist ?  {quality}")),
        }
        if stack.observation.facts.unpaired {
            append(lines, " unpaired");
        }
        append(lines, format_args!("  {detail}{}{reset}\n", stack.observation));
    }
}

impl Text {
    pub(super) fn new(colored: bool) -> Self {
        Self {
            style: if colored { &COLORED } else { &PLAIN },
            clock: Clock::default(),
            addresses: Addresses::default(),
            stacks: Stacks::default(),
            signatures: Kept::default(),
            made_of: Vec::new(),
        }
    }

    /// Time, ends and `kind`, which has five characters at least, or spaces behind it.
    fn begin_line(&mut self, event: &Event, kind: &str, lines: &mut Vec<u8>) {
        let Style { kind: color, reset, .. } = self.style;
        let origin = event.origin();
        Room::with::<{ 2 * Addresses::LONGEST + 64 }>(lines, |room| {
            self.clock.put_time_of_day(origin.captured_at, room);
            room.put(b"  ");
            self.addresses.put_with_port(origin.source, room);
            // An arrow to the right, U+2192.
            room.put(b" \xe2\x86\x92 ");
            self.addresses.put_with_port(origin.destination, room);
        });
        for part in ["  ", color, kind, reset, "  "] {
            lines.extend_from_slice(part.as_bytes());
        }
    }

    fn stack(&mut self, stack: &Stack, lines: &mut Vec<u8>) {
        let style = self.style;
        self.stacks.write(stack, lines, |stack, lines| style.stack(stack, lines));
    }

    fn uptime(&self, uptime: &Uptime, lines: &mut Vec<u8>) {
        let Style { name, unknown, reset, .. } = self.style;
        let frequency = super::rounded(uptime.frequency_hz);
        let mut reason = uptime.state.name().replace('_', " ");
        if uptime.state == UptimeState::Consistent && !uptime.is_reliable() {
            reason.push_str(if uptime.several_peers { " at an uncertain rate" } else { " with one peer" });
        }
        append(lines, format_args!("{frequency} Hz  "));
        match uptime.seconds() {
            Some(seconds) => {
                let (up, modulo) = (Span(seconds), uptime.wraps_after_days());
                let line = if uptime.is_reliable() {
                    format_args!("{name}up {up}{reset}, modulo {modulo} days ({reason})\n")
                } else {
                    format_args!(
                        "perhaps up {unknown}{up}{reset}, modulo {modulo} days (unverified: {reason})\n"
                    )
                };
                append(lines, line);
            }
            None => append(lines, format_args!("up {unknown}unknown{reset} ({reason})\n")),
        }
    }

    fn client_hello(&self, client: &TlsClient, lines: &mut Vec<u8>) {
        let Style { name, unknown, reset, .. } = self.style;
        let seen = &client.seen;
        lines.extend_from_slice(seen.hello.ja4().as_str().as_bytes());
        match seen.hello.parsed().server_name().filter(|name| !name.is_empty()) {
            Some(server) => append(lines, format_args!("  {}", Word(server))),
            None => append(lines, format_args!("  {unknown}no server name{reset}")),
        }
        match &client.known {
            Some(known) => {
                append(lines, format_args!("  {name}{}{reset}", Printable(&known.label.to_string())));
                // Less than all that JA4 tells is the same.
                if known.key != ClientKey::Ja4 {
                    append(lines, format_args!("  by {}", known.key));
                }
            }
            None => append(lines, format_args!("  {unknown}unknown{reset}")),
        }
        if seen.hello_index > 0 {
            append(lines, "  second hello");
        }
        via(seen.via.as_deref(), lines);
        lines.push(b'\n');
    }

    fn server_hello(seen: &ServerHelloSeen, lines: &mut Vec<u8>) {
        let ServerHelloSeen { ja3s, version, cipher_suite, .. } = seen;
        append(lines, format_args!("{ja3s}  version {version}  cipher suite {cipher_suite}\n"));
    }

    fn request(&mut self, client: &HttpClient, lines: &mut Vec<u8>) {
        let Style { detail, reset, .. } = self.style;
        let seen = &client.seen;
        self.application(client.app.as_ref(), lines);
        let (method, target) = (seen.method().unwrap_or_default(), seen.target().unwrap_or_default());
        append(lines, format_args!("  {} ", Word(method)));
        // A target that has no host of its own begins behind it.
        if let Some(host) = seen.host().filter(|_| target.starts_with(b"/")) {
            append(lines, Word(&host));
        }
        append(lines, Word(target));
        flags(client.flags(), lines);
        append(lines, format_args!("  {detail}"));
        if let Some(opening) = seen.fingerprint() {
            append(lines, Printable(&opening.akamai().to_string()));
        } else if let Some(signature) = seen.http1().and_then(|head| head.signature()) {
            self.signature(&signature, lines);
        }
        append(lines, format_args!("{reset}\n"));
    }

    fn response(&mut self, server: &HttpServer, lines: &mut Vec<u8>) {
        let Style { detail, reset, .. } = self.style;
        let seen = &server.seen;
        self.application(server.app.as_ref(), lines);
        match seen.status() {
            Some(status) => append(lines, format_args!("  {status:03}")),
            None => append(lines, "  no status"),
        }
        flags(server.flags(), lines);
        if let Some(signature) = seen.http1().and_then(|head| head.signature()) {
            append(lines, format_args!("  {detail}"));
            self.signature(&signature, lines);
            append(lines, reset);
        }
        lines.push(b'\n');
    }

    fn signature(&mut self, signature: &RawSignature<'_>, lines: &mut Vec<u8>) {
        self.made_of.clear();
        signature.append_made_of(&mut self.made_of);
        let written = self.signatures.get(&self.made_of, |written| {
            written.clear();
            append(written, Printable(&signature.to_string()));
        });
        lines.extend_from_slice(written);
    }

    fn application(&self, app: Option<&Application>, lines: &mut Vec<u8>) {
        let Style { name, unknown, reset, .. } = self.style;
        match app {
            Some(app) => {
                let quality = app.quality().name();
                append(lines, format_args!("{name}{}{reset}  {quality}", Printable(&app.to_string())));
            }
            None => append(lines, format_args!("{unknown}unknown{reset}  -")),
        }
    }

    fn sslv2_hello(seen: &Sslv2HelloSeen, lines: &mut Vec<u8>) {
        append(lines, format_args!("hello of SSL 2.0, up to version {}", seen.version));
        via(seen.via.as_deref(), lines);
        lines.push(b'\n');
    }
}

/// What is unusual.
fn flags(flags: impl Iterator<Item = &'static str>, lines: &mut Vec<u8>) {
    for (index, flag) in flags.enumerate() {
        append(lines, format_args!("{}{flag}", if index == 0 { "  " } else { "," }));
    }
}

/// What stood before a hello, and for whom it came.
fn via(via: Option<&Via>, lines: &mut Vec<u8>) {
    let Some(via) = via else { return };
    append(lines, format_args!("  via {}", via.kind.name()));
    if let Some(source) = via.source {
        append(lines, format_args!(" from {source}"));
    }
    match &via.destination {
        Some(ViaTarget::Name { host, port }) => {
            append(lines, format_args!(" to {}", Word(host)));
            if let Some(port) = port {
                append(lines, format_args!(":{port}"));
            }
        }
        Some(destination) => append(lines, format_args!(" to {destination}")),
        None => {}
    }
}

impl Format for Text {
    fn begin(&mut self, _capture: Option<&Path>) {}

    fn event(&mut self, event: &Event, lines: &mut Vec<u8>) {
        match event {
            Event::TcpSyn(stack) => {
                self.begin_line(event, "SYN  ", lines);
                self.stack(stack, lines);
            }
            Event::TcpSynAck(stack) => {
                self.begin_line(event, "SYN+ACK", lines);
                self.stack(stack, lines);
            }
            Event::TcpUptime(uptime) => {
                self.begin_line(event, "UPTIME", lines);
                self.uptime(uptime, lines);
            }
            Event::TlsClientHello(client) => {
                self.begin_line(event, "TLS  ", lines);
                self.client_hello(client, lines);
            }
            Event::TlsServerHello(seen) => {
                self.begin_line(event, "SERVER", lines);
                Self::server_hello(seen, lines);
            }
            Event::HttpRequest(client) => {
                self.begin_line(event, "REQUEST", lines);
                self.request(client, lines);
            }
            Event::HttpStart(start) => {
                self.begin_line(event, "HTTP/2", lines);
                self.application(start.app.as_ref(), lines);
                let Style { detail, reset, .. } = self.style;
                let opening = start.seen.fingerprint.akamai().to_string();
                append(lines, format_args!("  {detail}{}{reset}\n", Printable(&opening)));
            }
            Event::HttpResponse(server) => {
                self.begin_line(event, "RESPONSE", lines);
                self.response(server, lines);
            }
            Event::TlsSslv2Hello(seen) => {
                self.begin_line(event, "TLS  ", lines);
                Self::sslv2_hello(seen, lines);
            }
            // The enum is open for kinds to come; every kind this build can report is above.
            _ => {}
        }
    }

    // What captures and runs come to is said on standard error.
    fn input(&mut self, _stats: &SourceStats, _lines: &mut Vec<u8>) {}

    fn stats(&mut self, _totals: &Totals, _lines: &mut Vec<u8>) {}
}

/// Seconds; displays as `12 days 3 h` or, below a day, `3 h 25 min`.
struct Span(f64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HOUR: f64 = 3_600.0;
        const DAY: f64 = 24.0 * HOUR;
        let Self(seconds) = *self;
        let days = (seconds / DAY).floor();
        let hours = (seconds % DAY / HOUR).floor();
        let minutes = (seconds % HOUR / 60.0).floor();
        if days > 0.0 {
            write!(f, "{days} day{} {hours} h", if days > 1.0 { "s" } else { "" })
        } else {
            write!(f, "{hours} h {minutes} min")
        }
    }
}

#[cfg(test)]
mod tests {
    use huginn_net::{HuginnNet, Settings, TcpSettings};

    use super::*;

    #[test]
    fn uptimes_are_given_in_days_and_hours() {
        for (seconds, text) in
            [(0.0, "0 h 0 min"), (3_660.0, "1 h 1 min"), (86_400.0, "1 day 0 h"), (200_000.0, "2 days 7 h")]
        {
            assert_eq!(Span(seconds).to_string(), text);
        }
    }

    #[test]
    fn what_is_kept_is_written_of_no_other_event() {
        let mut events = Vec::new();
        for folder in ["tcp", "real", "http", "tls/pcap-hand"] {
            for path in testkit::corpus::captures(folder) {
                let mut settings = Settings::default();
                settings.tcp = Some(TcpSettings::default().with_report_unpaired(true));
                let capture = HuginnNet::with_settings(settings).analyze_pcap(path).unwrap();
                events.extend(capture.map(Result::unwrap));
            }
        }
        assert!(events.len() > 500, "{}", events.len());
        let mut text = Text::new(false);
        for event in events.iter().chain(&events).chain(events.iter().rev()) {
            let (mut line, mut alone) = (Vec::new(), Vec::new());
            text.event(event, &mut line);
            Text::new(false).event(event, &mut alone);
            assert_eq!(String::from_utf8(line).unwrap(), String::from_utf8(alone).unwrap());
        }
    }
}
