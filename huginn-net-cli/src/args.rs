//! The command line.

use core::net::SocketAddr;
use core::str::FromStr;
use core::time::Duration;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use huginn_net::PoolConfig;
use huginn_net::tls::Carrier;

use crate::exit;
use crate::hello::hex;
use crate::output::OutputSpec;

/// The command line as a whole.
#[derive(Debug, Parser)]
#[command(
    name = "huginn-net",
    version,
    about = "Tells from packets alone who is talking, without sending a byte",
    after_help = exit::HELP,
    max_term_width = 100,
    propagate_version = true,
    args_override_self = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Analyze captures
    Read(ReadArgs),
    /// Analyze what network interfaces send and receive
    Live(LiveArgs),
    /// List network interfaces: name, number, state, link type and addresses, separated by tabs
    Ifaces,
    /// Explain ClientHellos: their fingerprints, where each part comes from, and who sends them
    Hello(HelloArgs),
    /// Look up fingerprints: JA4 and JA3 in their forms, raw signatures as p0f writes them, Akamai strings of HTTP/2
    Match(MatchArgs),
    /// Measure what the analysis of a capture costs on this machine, and what that means for links of 1 and 10 Gbps
    Bench(BenchArgs),
    /// Work with signature files
    Db {
        #[command(subcommand)]
        command: DbCommand,
    },
    /// Print the JSON Schema of the records of `-o json`
    Schema,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print a manual page
    Man {
        /// The command it is about, as in `man db check`; that of all commands if there is none
        command: Vec<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct ReadArgs {
    /// Captures: pcap or pcapng, also compressed with gzip or Zstandard, whatever their names; patterns with
    /// `*`, `?`, `[…]`; directories with -R; `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read all captures in directories and below; files that are none are passed over, with exit status 3, and outputs
    /// that are found there are left out
    #[arg(short = 'R', long)]
    pub(crate) recursive: bool,
    /// What to write, and where: text or json, to standard output or to a file; may be repeated
    #[arg(short, long, value_name = "FORMAT[:PATH]", default_value = "text", value_parser = OutputSpec::parser())]
    pub(crate) output: Vec<OutputSpec>,
    /// Stop after so many packets; with a filter, of those that it wants
    #[arg(short, long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    #[command(flatten)]
    pub(crate) analysis: AnalysisArgs,
    /// Show progress on standard error, if that is a terminal. With auto not while records go to a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
    /// Color text. With auto on a terminal, unless the environment has NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// No progress and no summary; errors are still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Tell more about each capture, files passed over or left out, and warnings of signature files
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// What is analyzed, and with which signatures.
#[derive(Debug, Args)]
pub(crate) struct AnalysisArgs {
    /// Protocols to analyze: tcp, tls, http; all if there is none. What compares two protocols takes both, as os_contradiction does
    /// of requests and SYNs
    #[arg(long, value_name = "PROTOCOL,…", value_delimiter = ',', value_parser = parse_protocol)]
    pub(crate) only: Vec<Protocol>,
    /// Analyze only the packets that fit, in the words of tcpdump: host, net, port, portrange, proto, ip, ip6, tcp,
    /// udp, icmp, vlan, src, dst, and, or, not. Tunnels and tags are looked through
    #[arg(short, long, value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// Threads that analyze: 1 for all in one thread, or auto for one per core. Of several files each is read by one of them,
    /// unless one has more than three fifths of all bytes, packets are counted (-c), or any is a pipe. Otherwise all share one
    /// capture, and there are no more of them than cores, or one for an uncompressed file below 2 MiB; interfaces take as many as
    /// are asked for, and one more, which reads.
    /// Records and their order are the same, unless a limit is hit: limits hold for each thread that shares a capture
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub(crate) jobs: Jobs,
    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,
    /// Connections held at once [default: 32768]
    #[arg(long, value_name = "FLOWS", value_parser = clap::value_parser!(u32).range(1..=MAX_FLOWS))]
    pub(crate) max_flows: Option<u32>,
    /// Capture time without a packet after which a connection is given up, as in 45, 30s, 5m, 1h [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) flow_timeout: Option<Duration>,
    /// Report SYN+ACKs whose SYN was not seen, too
    #[arg(long)]
    pub(crate) unpaired: bool,
    /// Write a record of the statistics so far each time that so much has passed by the clock, to outputs of json
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) stats_interval: Option<Duration>,
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct LiveArgs {
    /// Network interface; may be repeated, for several
    #[arg(short, long, required = true, value_name = "IFACE")]
    pub(crate) interface: Vec<String>,
    /// What to write, and where: text or json, to standard output or to a file; may be repeated
    #[arg(short, long, value_name = "FORMAT[:PATH]", default_value = "text", value_parser = OutputSpec::parser())]
    pub(crate) output: Vec<OutputSpec>,
    /// Stop after so many packets; with a filter, of those that it wants
    #[arg(short, long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// Stop after this time, as in 45, 30s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) analysis: AnalysisArgs,
    /// Bytes kept of a packet, some 130,900 at most; what is cut may not be found
    #[arg(short, long, value_name = "BYTES", default_value = "262144", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) snaplen: u32,
    /// Ask the interfaces for packets for other hosts, too, which is the default
    #[arg(long, overrides_with = "no_promisc")]
    pub(crate) promisc: bool,
    /// Do not ask for packets for other hosts; an interface may bring some all the same
    #[arg(long, overrides_with = "promisc")]
    pub(crate) no_promisc: bool,
    /// Bytes that the kernel may hold for each socket, as in 512K, 32M, 1G
    #[arg(long, value_name = "SIZE", default_value = "32M", value_parser = parse_size)]
    pub(crate) buffer: usize,
    /// Sockets that share the packets of each interface by flow, as the outermost headers tell it, each with a thread that
    /// reads and analyzes; -j is for tunnels like VXLAN, whose two directions may have different ports
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with = "jobs")]
    pub(crate) fanout: u8,
    /// User to go on as before the first packet is read, with its first group or the one that is given, and no other:
    /// names or numbers. The number of no user takes a group
    #[arg(short, long, value_name = "USER[:GROUP]")]
    pub(crate) user: Option<String>,
    /// Keep the capabilities of the process and its access to files
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// Serve the statistics to Prometheus, at http://ADDR/metrics, without asking who reads them: an IP address and a
    /// port, as in 127.0.0.1:9617
    #[arg(long, value_name = "ADDR", value_parser = parse_address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// Color text. With auto on a terminal, unless the environment has NO_COLOR
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// No summary; errors are still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Tell which privileges were given up, and warnings of signature files
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// As many as `--max-flows` takes: some 4 GiB of memory.
const MAX_FLOWS: i64 = 1 << 24;

#[derive(Debug, Args)]
pub(crate) struct SignatureArgs {
    /// Signature file, searched before the bundled signatures; may be repeated, the first one comes first
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Vec<PathBuf>,
    /// Leave the bundled signatures out
    #[arg(long)]
    pub(crate) no_bundled_db: bool,
}

impl AnalysisArgs {
    /// Whether a protocol is to be analyzed.
    pub(crate) fn wants(&self, protocol: Protocol) -> bool {
        self.only.is_empty() || self.only.contains(&protocol)
    }
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct HelloArgs {
    /// TLS records, a handshake message, DTLS records or QUIC datagrams with one ClientHello, as bytes or as
    /// hexadecimal digits; the datagrams of one may be in several files; captures, for all hellos in them; `-` for
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    // The forms that it takes are those of the decoder.
    #[arg(long, help = hex::FORMS)]
    pub(crate) hex: bool,
    /// What carried the hello, if it is a bare handshake message [default: dtls by its version, else tcp]
    #[arg(long, value_name = "CARRIER")]
    pub(crate) carrier: Option<CarrierName>,
    /// What to write, and where: text or json, to standard output or to a file; may be repeated
    #[arg(short, long, value_name = "FORMAT[:PATH]", default_value = "text", value_parser = OutputSpec::parser())]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct MatchArgs {
    /// Values to look up; `-` for those on standard input, one per line
    #[arg(required = true, value_name = "VALUE", allow_hyphen_values = false)]
    pub(crate) values: Vec<String>,
    /// What to write, and where: text or json, one object per value, to standard output or to a file; may be repeated
    #[arg(short, long, value_name = "FORMAT[:PATH]", default_value = "text", value_parser = OutputSpec::parser())]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct BenchArgs {
    /// Captures, which are held in memory together; `-` for standard input
    #[arg(required = true, value_name = "CAPTURE")]
    pub(crate) captures: Vec<PathBuf>,
    /// How often each case is measured; the median counts
    #[arg(long, value_name = "ROUNDS", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: u32,
    /// Memory for packets, in MiB; those that do not fit are left out
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,
    /// What to write, and where: text or json, one object per case, to standard output or to a file; may be repeated
    #[arg(short, long, value_name = "FORMAT[:PATH]", default_value = "text", value_parser = OutputSpec::parser())]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,
}

/// What carries hellos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CarrierName {
    Tcp,
    Quic,
    Dtls,
}

impl From<CarrierName> for Carrier {
    fn from(name: CarrierName) -> Self {
        match name {
            CarrierName::Tcp => Self::Tcp,
            CarrierName::Quic => Self::Quic,
            CarrierName::Dtls => Self::Dtls,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Check signature files; exit status 3 if one has errors
    Check {
        /// Signature files; `-` for standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print findings as JSON, one object per line
        #[arg(long)]
        json: bool,
        /// Do not print the number of findings
        #[arg(short, long)]
        quiet: bool,
    },
    /// Write signatures for another program; exit status 3 if a file has errors, and then nothing is written
    Export(ExportArgs),
    /// List signatures in the order in which they are searched: section, label, signature, place and evidence,
    /// separated by tabs
    List {
        #[command(flatten)]
        signatures: SignatureArgs,
    },
}

#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub(crate) struct ExportArgs {
    /// Signature files, the first one comes first; `-` for standard input [default: the bundled signatures]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// As a file that p0f 3.09b loads: families and fill windows are written out, what p0f cannot say is left out
    #[arg(long, required = true)]
    pub(crate) p0f: bool,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "PATH", default_value = "-", value_parser = OutputSpec::text_parser())]
    pub(crate) output: OutputSpec,
    /// Do not print what was left out
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// A protocol that `--only` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Tcp,
    Tls,
    Http,
}

fn parse_protocol(name: &str) -> Result<Protocol, String> {
    match name {
        "tcp" => Ok(Protocol::Tcp),
        "tls" => Ok(Protocol::Tls),
        "http" => Ok(Protocol::Http),
        _ => Err("no such protocol; there are tcp, tls and http".to_owned()),
    }
}

/// How many threads analyze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jobs(usize);

impl Jobs {
    const MOST: usize = 64;

    /// The pool that it takes; `None` if the thread that reads is the one that analyzes.
    pub(crate) fn pool(self) -> Option<PoolConfig> {
        (self.0 > 1).then(|| PoolConfig::new(self.0, PoolConfig::default().queue))
    }
}

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self(PoolConfig::default().workers));
        }
        let number = text.parse().ok().filter(|number| (1..=Self::MOST).contains(number));
        number.map(Self).ok_or_else(|| format!("neither auto nor a number from 1 to {}", Self::MOST))
    }
}

/// Reads a number of seconds, or a number with the unit `s`, `m` or `h`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 's')) => (text.get(..at), 1),
        Some((at, 'm')) => (text.get(..at), 60),
        Some((at, 'h')) => (text.get(..at), 3_600),
        _ => (Some(text), 1),
    };
    number
        .and_then(|number| number.parse::<u64>().ok())
        .and_then(|number| number.checked_mul(unit))
        .filter(|&seconds| seconds > 0)
        .map(Duration::from_secs)
        .ok_or_else(|| "not a time of one second or more, such as 45, 30s, 5m or 1h".to_owned())
}

/// Reads an address to listen at. No name, which would have to be asked for.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "not an IP address and a port, such as 127.0.0.1:9617 or [::1]:9617".to_owned())
}

/// Reads a number of bytes, or a number with the unit `K`, `M` or `G`.
fn parse_size(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (text.get(..at), 1 << 10),
        Some((at, 'm' | 'M')) => (text.get(..at), 1 << 20),
        Some((at, 'g' | 'G')) => (text.get(..at), 1 << 30),
        _ => (Some(text), 1),
    };
    number
        .and_then(|number| number.parse::<usize>().ok())
        .and_then(|number| number.checked_mul(unit))
        .filter(|bytes| (1..=MAX_BUFFER).contains(bytes))
        .ok_or_else(|| "not a size of up to 2G, such as 512K, 32M or 1G".to_owned())
}

/// As much as `--buffer` takes.
const MAX_BUFFER: usize = 2 << 30;

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn one_job_takes_no_pool_and_more_take_as_many_workers() {
        let workers = |text: &str| text.parse::<Jobs>().map(|jobs| jobs.pool().map(|pool| pool.workers));
        assert_eq!(workers("1"), Ok(None));
        assert_eq!(workers("64"), Ok(Some(64)));
        assert!(workers("auto").is_ok());
        for text in ["0", "65", "-1", "two", ""] {
            assert!(workers(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units_or_are_bytes() {
        for (text, bytes) in
            [("65536", 65_536), ("512K", 524_288), ("32m", 33_554_432), ("2G", 2_147_483_648)]
        {
            assert_eq!(parse_size(text), Ok(bytes));
        }
        for text in ["", "K", "0", "0M", "-1", "3G", "1T", "99999999999999999G", "ß"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_to_listen_at_is_one_of_ip_and_has_a_port() {
        for text in ["127.0.0.1:9617", "[::1]:9617", "0.0.0.0:0"] {
            assert_eq!(parse_address(text).unwrap().to_string(), text);
        }
        for text in ["", "9617", ":9617", "127.0.0.1", "::1", "localhost:9617", "127.0.0.1:65536"] {
            assert!(parse_address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, seconds) in [("45", 45), ("30s", 30), ("5m", 300), ("1h", 3_600)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "s", "0", "-1", "1.5s", "5d", "99999999999999999h", "ß"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
