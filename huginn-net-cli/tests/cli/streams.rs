//! Pipes that are slow, long or interrupted.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process};
use testkit::capture::{Capture, Endian};
use testkit::container::{Pcap, pcap};
use testkit::corpus;
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};

use crate::run::{HUGINN_NET, command, command_by, finish, records, records_of, run};

/// Long enough for any machine; only a failing test takes it.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(args: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    start_by(command(args))
}

fn start_by(mut command: Command) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    (child, stdin, stdout)
}

/// Runs something that may wait forever if the command is wrong.
#[track_caller]
fn in_time<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(run()));
    receiver.recv_timeout(PATIENCE).expect("it does not wait for what never comes")
}

fn line<R: Read + Send + 'static>(mut stdout: BufReader<R>) -> (String, BufReader<R>) {
    in_time(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        (line, stdout)
    })
}

/// Waits until nobody can read from a pipe. Whatever other tests are about to start has both ends of it for a moment.
fn until_nobody_reads(pipe: &PipeWriter) {
    let patience = Timespec::try_from(PATIENCE).unwrap();
    let mut ends = [PollFd::new(pipe, PollFlags::empty())];
    assert_eq!(poll(&mut ends, Some(&patience)).unwrap(), 1);
    assert!(ends[0].revents().contains(PollFlags::ERR));
}

fn send(signal: Signal, child: &Child) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn the_first_event_appears_before_the_rest_of_a_slow_pipe_arrives() {
    let bytes = fs::read(corpus::path("real/tsoff.pcap")).unwrap();
    let (first, rest) = bytes.split_at(24 + 16 + 74);
    let (child, mut stdin, stdout) = start(&["read", "-q", "-o", "json", "-"]);
    stdin.write_all(first).unwrap();
    let (mut jsonl, mut stdout) = line(stdout);
    assert!(jsonl.contains("\"huginn.tcp.syn\""), "{jsonl}");
    stdin.write_all(rest).unwrap();
    drop(stdin);
    stdout.read_to_string(&mut jsonl).unwrap();
    assert_eq!(finish(child).status, Some(0));
    let at_once = run(["read", "-q", "-o", "json", "pcaps/real/tsoff.pcap"]).stdout;
    assert_eq!(jsonl.lines().count(), at_once.lines().count());
}

#[test]
fn later_events_appear_while_a_pipe_is_idle_too() {
    let bytes = fs::read(corpus::path("real/v4.pcap")).unwrap();
    for jobs in ["1", "3"] {
        let (child, mut stdin, stdout) = start(&["read", "-q", "-j", jobs, "-o", "json", "-"]);
        stdin.write_all(&bytes).unwrap();
        let (_, stdout) = line(stdout);
        let (second, _) = line(stdout);
        assert!(second.contains("\"huginn.tcp.syn_ack\""), "{second}");
        drop(stdin);
        assert_eq!(finish(child).status, Some(0));
    }
}

#[test]
fn a_run_ends_while_its_pipe_is_silent_when_nobody_reads_what_it_writes() {
    for jobs in ["1", "3"] {
        let (stdout, pipe) = io::pipe().unwrap();
        let mut command = command(["read", "-q", "-j", jobs, "-o", "json", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(pipe.try_clone().unwrap()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&syns(0, 1)).unwrap();
        let (_, stdout) = line(BufReader::new(stdout));
        drop(stdout);
        until_nobody_reads(&pipe);
        let finished = in_time(move || finish(child));
        assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""), "-j {jobs}");
        drop(stdin);
    }
}

#[test]
fn an_interrupt_ends_the_run_with_everything_read_so_far() {
    for jobs in ["1", "2"] {
        ended_by(Signal::INT, jobs);
    }
}

#[test]
fn a_terminal_that_goes_away_ends_the_run_with_everything_read_so_far() {
    ended_by(Signal::HUP, "1");
}

/// The command with SIGHUP as it is for most programs, even where these tests ignore it, which those they start inherit.
fn command_with_hup(args: &[&str]) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:\t")?, 16).ok());
    if ignored.is_none_or(|ignored| ignored & 1 == 0) {
        return command(args);
    }
    command_by("env", ["--default-signal=HUP", HUGINN_NET].iter().chain(args))
}

#[track_caller]
fn ended_by(signal: Signal, jobs: &str) {
    let bytes = fs::read(corpus::path("real/v4.pcap")).unwrap();
    // Cut in a record: that the rest is missing is no damage of the capture.
    let (child, mut stdin, stdout) = start_by(command_with_hup(&["read", "-j", jobs, "-o", "json", "-"]));
    stdin.write_all(&bytes[..bytes.len() - 10]).unwrap();
    let (mut jsonl, stdout) = line(stdout);
    // The second event is written when the pipe is idle, which is when all of it has been read.
    let (second, mut stdout) = line(stdout);
    send(signal, &child);
    let finished = in_time(move || finish(child));
    jsonl.push_str(&second);
    stdout.read_to_string(&mut jsonl).unwrap();
    assert_eq!(finished.status, Some(128 + signal.as_raw()));
    let stats = records(&jsonl).pop().unwrap();
    assert_eq!(
        (&stats["event.dataset"], &stats["huginn.stats.packets"]),
        (&"huginn.stats".into(), &6.into())
    );
    let mut messages = finished.stderr.lines();
    assert_eq!(
        messages.next(),
        Some("huginn-net: interrupted; once more to stop without writing what has been read")
    );
    assert!(messages.next().unwrap().starts_with("1 capture, 6 packets, "), "{}", finished.stderr);
    drop(stdin);
}

#[test]
fn a_second_interrupt_ends_a_run_that_cannot_write() {
    let (mut child, mut stdin, stdout) = start(&["read", "-q", "-o", "json", "-"]);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    // More than fits into two pipes; fails when the command ends.
    let writer = thread::spawn(move || stdin.write_all(&syns(0, 20_000)));
    let (_, stdout) = line(stdout);
    // Nobody reads any more, so that the command soon waits for room in the pipe.
    send(Signal::INT, &child);
    let mut message = String::new();
    stderr.read_line(&mut message).unwrap();
    assert!(message.contains("interrupted"), "{message}");
    send(Signal::INT, &child);
    let finished = in_time(move || finish(child));
    drop(stdout);
    assert_eq!(finished.status, Some(130));
    assert!(writer.join().unwrap().is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_interrupt_ends_a_run_that_can_neither_write_nor_say_so() {
    let (reader, mut writer) = io::pipe().unwrap();
    // As much as the pipe holds.
    ioctl_fionbio(&writer, true).unwrap();
    while writer.write(b"x").is_ok() {}
    ioctl_fionbio(&writer, false).unwrap();
    let mut command = command(["read", "-o", "json", "-"]);
    command.stdin(Stdio::piped()).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(&syns(0, 1)).unwrap();
    wait_for_signals(&child);
    send(Signal::INT, &child);
    // Signals that come together are one.
    in_time({
        let tasks = format!("/proc/{}/task", child.id());
        move || {
            let is_saying = |task: fs::DirEntry| {
                fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name == "interrupted\n")
            };
            while !fs::read_dir(&tasks).unwrap().flatten().any(is_saying) {
                thread::yield_now();
            }
        }
    });
    send(Signal::INT, &child);
    assert_eq!(in_time(move || child.wait().unwrap().code()), Some(130));
    drop(reader);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_goes_away_does_not_end_what_was_started_without_heed_of_it() {
    // As `nohup` does.
    let (child, mut stdin, stdout) =
        start_by(command_by("sh", ["-c", "trap '' HUP; exec \"$0\" read -q -o json -", HUGINN_NET]));
    stdin.write_all(&syns(0, 1)).unwrap();
    let (_, mut stdout) = line(stdout);
    send(Signal::HUP, &child);
    stdin.write_all(&syns(1, 1)[24..]).unwrap();
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(records_of(&rest, "huginn.tcp.syn").len(), 1, "{rest}");
    assert_eq!(finish(child).status, Some(0));
}

/// The first line of a summary, without how long it took.
fn summary(stderr: &mut BufReader<ChildStderr>) -> String {
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    line.split(" in ").next().unwrap().to_owned()
}

#[test]
fn a_summary_of_a_silent_pipe_tells_all_that_was_read() {
    let data = Tcp::new(40_000, 443).flags(flags::ACK).payload(b"leads to no event");
    let data = link::ethernet(&Ipv4::new([10, 0, 0, 1], [192, 0, 2, 1]).tcp(&data));
    let mut packets = syns(0, 2);
    packets.extend(&pcap(Pcap::Micros, Endian::Little, &Capture::of_frames(1, [data]))[24..]);
    assert!(packets.len() < 4_096, "which is what a pipe takes in one piece");

    let (mut child, mut stdin, stdout) = start(&["read", "-o", "json", "-"]);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stdin.write_all(&packets).unwrap();
    // The second event is written when the pipe is idle, which is when all of it has been read.
    let (_, stdout) = line(stdout);
    let (_, stdout) = line(stdout);
    for _ in 0..2 {
        send(Signal::USR1, &child);
        let (first, rest) = in_time(move || {
            let first = summary(&mut stderr);
            let mut decoded = String::new();
            while !decoded.contains("decoded") {
                decoded.clear();
                stderr.read_line(&mut decoded).unwrap();
            }
            assert_eq!(decoded, "  decoded      3\n");
            (first, stderr)
        });
        assert!(first.starts_with("1 capture, 3 packets, "), "{first}");
        stderr = rest;
    }
    drop((stdin, stdout));
    assert_eq!(finish(child).status, Some(0));
}

#[test]
fn statistics_are_written_at_intervals_while_a_pipe_is_silent() {
    let (child, mut stdin, mut stdout) = start(&["read", "-q", "-o", "json", "--stats-interval", "1s", "-"]);
    stdin.write_all(&syns(0, 2)).unwrap();
    // Nothing else is written until more is read.
    for _ in 0..2 {
        let mut record;
        loop {
            (record, stdout) = line(stdout);
            // A slow machine may still be reading after an interval.
            if record.contains("\"huginn.stats.packets\":2") {
                break;
            }
        }
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        assert_eq!(record["huginn.stats.events"]["huginn.tcp.syn"], 2);
    }
    stdin.write_all(&syns(2, 1)[24..]).unwrap();
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let last = rest.lines().last().unwrap();
    assert!(last.contains("\"huginn.stats.packets\":3"), "{last}");
    assert_eq!(finish(child).status, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_summary_can_be_asked_for_before_there_is_a_capture() {
    let (mut child, stdin, _stdout) = start(&["read", "-o", "json", "-"]);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    wait_for_signals(&child);
    send(Signal::USR1, &child);
    assert_eq!(in_time(move || summary(&mut stderr)), "0 captures, 0 packets, 0 bytes");
    drop(stdin);
    assert_eq!(finish(child).status, Some(3));
}

/// Writes a capture of a SYN, and behind it more garbage than anybody reads in a minute; as a hole, it takes no room.
fn write_garbage(path: &Path) {
    const GARBAGE: u64 = 1 << 40;
    fs::write(path, syns(0, 1)).unwrap();
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(GARBAGE).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_captures_that_are_read_side_by_side_with_what_was_found_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a", "b", "c"];
    names.iter().for_each(|name| write_garbage(&folder.path().join(name)));
    let args = ["read", "-R", "-ojson", "-j2"].map(OsStr::new);
    let mut child = command(args.into_iter().chain([folder.path().as_os_str()])).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    wait_for_reading(&child, 2 << 20);
    send(Signal::TERM, &child);
    let finished = in_time(move || finish(child));
    assert_eq!(finished.status, Some(128 + Signal::TERM.as_raw()));
    let mut jsonl = String::new();
    stdout.read_to_string(&mut jsonl).unwrap();
    let syns = records_of(&jsonl, "huginn.tcp.syn");
    let paths = syns.iter().map(|syn| syn["log.file.path"].as_str().unwrap().rsplit('/').next().unwrap());
    // The second one may not have been begun, and the third one waited for a thread.
    assert!(paths.eq(names.into_iter().take(syns.len())) && (1..=2).contains(&syns.len()), "{jsonl}");
    let inputs = records_of(&jsonl, "huginn.input").len();
    assert_eq!(inputs, syns.len());
}

/// Reads a capture of many SYNs, and others of garbage side by side with it.
#[cfg(target_os = "linux")]
fn read_beside_garbage(folder: &Path, stdout: impl Into<Stdio>) -> Child {
    let path = |name: &str| folder.join(name);
    // All are as long, for otherwise each would be read by all threads.
    ["a", "b", "c"].iter().for_each(|name| write_garbage(&path(name)));
    let many = syns(0, 20_000);
    fs::OpenOptions::new().write(true).open(path("a")).unwrap().write_all(&many).unwrap();
    let args = ["read", "-R", "-ojson", "-j2"].map(OsStr::new);
    command(args.into_iter().chain([folder.as_os_str()])).stdout(stdout).spawn().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn captures_that_are_read_side_by_side_end_when_their_output_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut left = read_beside_garbage(folder.path(), Stdio::piped());
    // The records of the first one fill the pipe.
    wait_for_reading(&left, 4 << 20);
    drop(left.stdout.take());
    let left = in_time(move || finish(left));
    assert_eq!((left.status, left.stderr.as_str()), (Some(0), ""));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let full = read_beside_garbage(folder.path(), full);
    let full = in_time(move || finish(full));
    assert_eq!(full.status, Some(5));
    assert!(full.stderr.contains("no space left on device"), "{}", full.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_search_for_a_packet_in_a_file_of_garbage() {
    for jobs in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("capture");
        write_garbage(&path);
        let args =
            [OsStr::new("read"), OsStr::new("-ojson"), OsStr::new("-j"), jobs.as_ref(), path.as_os_str()];
        let mut child = command(args).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // Far behind the packet; more takes long where there is much else to do.
        wait_for_reading(&child, 2 << 20);
        send(Signal::TERM, &child);
        let finished = in_time(move || finish(child));
        assert_eq!(finished.status, Some(128 + Signal::TERM.as_raw()));
        assert!(
            finished.stderr.contains("capture: bytes that are no record at byte "),
            "{}",
            finished.stderr
        );
        let mut jsonl = String::new();
        stdout.read_to_string(&mut jsonl).unwrap();
        assert_eq!(records_of(&jsonl, "huginn.tcp.syn").len(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_wait_for_somebody_who_writes_to_a_named_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("capture");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = command([OsStr::new("read"), pipe.as_os_str()]).spawn().unwrap();
    wait_for_signals(&child);
    send(Signal::INT, &child);
    let finished = in_time(move || finish(child));
    assert_eq!(finished.status, Some(130));
}

#[test]
fn a_named_pipe_is_read_until_its_writer_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("capture");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let args = [OsStr::new("read"), OsStr::new("-ojson"), pipe.as_os_str()];
    let mut child = command(args).spawn().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    // Opening waits for the command.
    let mut writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    writer.write_all(&syns(0, 1)).unwrap();
    let (first, mut stdout) = line(stdout);
    writer.write_all(&syns(1, 1)[24..]).unwrap();
    drop(writer);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(records_of(&(first + &rest), "huginn.tcp.syn").len(), 2);
    assert_eq!(finish(child).status, Some(0));
}

/// Waits until the command listens to signals, which would have ended it before.
#[cfg(target_os = "linux")]
fn wait_for_signals(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let wanted = 1 << (Signal::USR1.as_raw() - 1) | 1 << (Signal::INT.as_raw() - 1);
    in_time(move || {
        loop {
            let status = fs::read_to_string(&status).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            if u64::from_str_radix(caught.trim(), 16).unwrap() & wanted == wanted {
                return;
            }
            thread::yield_now();
        }
    });
}

/// Waits until the command has read so many bytes.
#[cfg(target_os = "linux")]
fn wait_for_reading(child: &Child, bytes: u64) {
    let io = format!("/proc/{}/io", child.id());
    in_time(move || {
        loop {
            let io = fs::read_to_string(&io).unwrap();
            let read = io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
            if read.parse::<u64>().unwrap() >= bytes {
                return;
            }
            thread::yield_now();
        }
    });
}

/// A capture of SYNs of as many hosts.
fn syns(first: u32, count: u32) -> Vec<u8> {
    let frame = |host: u32| {
        let [_, a, b, c] = host.to_be_bytes();
        let options = [TcpOption::Mss(1_460), TcpOption::WindowScale(7)];
        let syn = Tcp::new(40_000, 443).flags(flags::SYN).window(64_240).options(options);
        link::ethernet(&Ipv4::new([10, a, b, c], [192, 0, 2, 1]).ttl(57).tcp(&syn))
    };
    pcap(Pcap::Micros, Endian::Little, &Capture::of_frames(1, (first..first + count).map(frame)))
}

/// Peak memory of a process in bytes, as the kernel accounts for it.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1_024
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_capture() {
    const MOST: u64 = 64 << 20;
    const BATCH: u32 = 10_000;
    let (mut child, mut stdin, mut stdout) = start(&["read", "-q", "-o", "json", "-"]);
    let reader = thread::spawn(move || io::copy(&mut stdout, &mut io::sink()).unwrap());
    let header = syns(0, 0);
    stdin.write_all(&header).unwrap();
    let mut written = 0;
    for batch in 0..60 {
        let bytes = syns(batch * BATCH, BATCH);
        stdin.write_all(&bytes[header.len()..]).unwrap();
        written += bytes.len() as u64;
    }
    // What is in the pipe is all that is left to read.
    let peak = peak_memory(child.id());
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(reader.join().unwrap() > 5 * written, "every SYN is reported");
    assert!(peak < MOST && peak < written, "{peak} bytes for a capture of {written}");
}
