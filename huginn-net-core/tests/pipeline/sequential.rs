//! In the thread of the caller: what is asked of a source, an analyzer and a conclusion, and in which order.

use std::sync::{Arc, Mutex};

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Events, Filter, Located, Origin, Packet, Pipeline, Protocol,
    Stopper, Timestamp, Undecoded,
};

use crate::script::{Script, Step};

/// What was asked of analyzer and conclusion, in order.
type Log = Arc<Mutex<Vec<String>>>;

/// An event: a word of who reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word(String);

fn word(text: impl Into<String>) -> Word {
    Word(text.into())
}

impl Located for Word {
    fn located(&self) -> Option<&Origin> {
        None
    }
}

impl Protocol for Word {
    type Settings = Log;

    fn analyzers(log: &Log) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(Recorder { log: Arc::clone(log), packets: 0 })]
    }

    fn conclusion(log: &Log) -> Box<dyn Conclude<Event = Self>> {
        Box::new(Echo { log: Arc::clone(log) })
    }
}

/// Reports each datagram that is not to port 9, in which it has no interest.
struct Recorder {
    log: Log,
    packets: u64,
}

impl Recorder {
    fn note(&self, text: String) {
        self.log.lock().expect("not poisoned").push(text);
    }
}

impl Analyzer for Recorder {
    type Event = Word;

    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        packet.udp().filter(|datagram| datagram.destination_port() != 9).map(|_| Affinity::Flow)
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Word)) {
        self.packets += 1;
        self.note(format!("packet {}", packet.number()));
        report(word(format!("packet {}", packet.number())));
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Word)) {
        self.note(format!("time {}", seconds(now)));
        report(word(format!("analyzer at {}", seconds(now))));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Word)) {
        self.note("end".into());
        report(word("analyzer's end"));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_limit("packets", self.packets);
    }
}

/// Reports what it is given, and at each time and at the end something of its own.
struct Echo {
    log: Log,
}

impl Conclude for Echo {
    type Event = Word;

    fn on_event(&mut self, event: Word, report: &mut dyn FnMut(Word)) {
        report(event);
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Word)) {
        report(word(format!("conclusion at {}", seconds(now))));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Word)) {
        self.log.lock().expect("not poisoned").push("conclusion's end".into());
        report(word("conclusion's end"));
    }
}

fn seconds(time: Timestamp) -> f64 {
    time.since(Timestamp::default()).as_secs_f64()
}

struct Run {
    events: Events<Word>,
    log: Log,
    reads_after_the_end: Arc<Mutex<u32>>,
}

fn run(steps: Vec<Step>) -> Run {
    run_with(Filter::default(), steps)
}

fn run_with(filter: Filter, steps: Vec<Step>) -> Run {
    let (log, reads_after_the_end) = (Log::default(), Arc::new(Mutex::new(0)));
    let mut source = Script::new(steps);
    source.reads_after_the_end = Arc::clone(&reads_after_the_end);
    let events = Pipeline::<Word>::with_settings(Arc::clone(&log)).with_filter(filter).analyze(source);
    Run { events, log, reads_after_the_end }
}

impl Run {
    /// The next event as text; `Err` as what it says.
    fn next(&mut self) -> Option<String> {
        self.events.next().map(|event| match event {
            Ok(Word(text)) => text,
            Err(error) => format!("error: {error}"),
        })
    }

    fn all(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().expect("not poisoned").clone()
    }
}

const ENDS: [&str; 2] = ["analyzer's end", "conclusion's end"];

#[test]
fn events_come_in_the_order_of_their_packets_and_the_ends_once() {
    let mut run = run(vec![Step::Datagram(1, 0), Step::Datagram(1, 10), Step::Datagram(1, 20)]);
    let first = ["packet 1", "analyzer at 0", "conclusion at 0", "packet 2", "packet 3"];
    assert_eq!(run.all(), [&first[..], &ENDS].concat());
    assert_eq!(run.next(), None);
    assert_eq!(run.next(), None);
    let ends = run.log().iter().filter(|entry| entry.contains("end")).count();
    assert_eq!((ends, *run.reads_after_the_end.lock().expect("not poisoned")), (2, 1));
}

#[test]
fn every_packet_of_an_aggregated_frame_is_analyzed_before_time_goes_on() {
    let mut run = run(vec![Step::Aggregate([1, 9, 1]), Step::Datagram(1, 2_000)]);
    assert_eq!(run.all()[..4], ["packet 1", "packet 1", "analyzer at 0", "conclusion at 0"]);
    let decode = run.events.stats().decode;
    assert_eq!((decode.decoded, decode.undecoded), (4, vec![]));
}

#[test]
fn an_empty_source_has_the_events_of_the_end_alone() {
    assert_eq!(run(vec![]).all(), ENDS);
}

#[test]
fn a_source_that_fails_in_the_middle_gives_what_was_read_then_the_error_then_nothing() {
    let mut run = run(vec![Step::Datagram(1, 0), Step::Fail, Step::Datagram(1, 20)]);
    let read = ["packet 1", "analyzer at 0", "conclusion at 0"];
    assert_eq!(run.all(), [&read[..], &ENDS, &["error: the cable is out"]].concat());
    assert_eq!(run.next(), None);
    assert_eq!(run.events.stats().source.packets, 1, "nothing is read behind the error");
}

#[test]
fn packets_of_no_interest_are_decoded_and_go_no_further() {
    let mut run = run(vec![Step::Datagram(9, 0), Step::Garbage(1), Step::Datagram(1, 2)]);
    let _ = run.all();
    assert_eq!(run.log(), ["time 0", "packet 3", "end", "conclusion's end"]);
    let stats = run.events.stats();
    assert_eq!((stats.source.packets, stats.decode.decoded), (3, 2));
    assert_eq!(stats.decode.undecoded, [(Undecoded::IpLength, 1)]);
    assert_eq!(stats.analysis.limits_hit, [("packets", 1)]);
}

#[test]
fn an_idle_source_is_asked_again() {
    let mut run = run(vec![Step::Idle, Step::Idle, Step::Datagram(1, 0), Step::Idle]);
    assert_eq!(run.next().as_deref(), Some("packet 1"));
    assert_eq!(run.all().len(), 4);
}

#[test]
fn a_stopped_run_reads_no_further_and_ends_as_any_other() {
    let mut run = run((0..100).map(|millis| Step::Datagram(1, millis)).collect());
    assert_eq!(run.next().as_deref(), Some("packet 1"));
    let stopper = run.events.stopper();
    assert!(!stopper.is_stopped());
    stopper.stop();
    assert!(run.events.stopper().is_stopped());
    assert_eq!(run.all(), [&["analyzer at 0", "conclusion at 0"][..], &ENDS].concat());
    assert_eq!(run.events.stats().source.packets, 1);
}

#[test]
fn a_run_that_is_stopped_from_another_thread_while_its_source_is_idle_ends() {
    let mut run = run((0..100_000).map(|_| Step::Idle).collect());
    let stopper: Stopper = run.events.stopper();
    std::thread::spawn(move || stopper.stop()).join().expect("the thread ends");
    assert_eq!(run.all(), ENDS);
    assert_eq!(*run.reads_after_the_end.lock().expect("not poisoned"), 0);
}

#[test]
fn a_run_stopped_before_its_first_read_never_reads() {
    let mut run = run(vec![Step::Datagram(1, 0)]);
    run.events.stopper().stop();
    assert_eq!(run.all(), ENDS);
    assert_eq!(run.events.stats().source.packets, 0);
}

fn times(millis: &[u64]) -> Vec<String> {
    let mut run = run(millis.iter().map(|&millis| Step::Datagram(9, millis)).collect());
    let _ = run.all();
    run.log().into_iter().filter_map(|entry| entry.strip_prefix("time ").map(str::to_owned)).collect()
}

#[test]
fn time_is_told_at_most_once_per_second_of_it() {
    assert_eq!(
        times(&[500, 600, 1_400, 1_499, 1_500, 1_501, 2_499, 2_500, 9_000]),
        ["0.5", "1.5", "2.5", "9"]
    );
}

#[test]
fn time_that_went_back_is_told_and_counted_from_there() {
    assert_eq!(times(&[5_000, 4_000, 4_500, 4_998, 5_000]), ["5", "4", "5"]);
    assert_eq!(times(&[5_000, 0, 999, 1_000]), ["5", "0", "1"]);
    // As in a capture that is joined with itself.
    assert_eq!(times(&[0, 300_000, 0, 300_000, 600_000]), ["0", "300", "0", "300", "600"]);
}

#[test]
fn frames_a_little_out_of_order_are_no_news() {
    assert_eq!(times(&[5_000, 4_999, 5_001, 4_998, 5_999, 6_000]), ["5", "6"]);
}

#[test]
fn a_single_frame_far_ahead_or_back_is_not_believed() {
    const YEAR: u64 = 365 * 24 * 3_600_000;
    assert_eq!(times(&[5_000, YEAR, 5_100, 6_000]), ["5", "6"]);
    assert_eq!(
        times(&[YEAR, 0, YEAR + 1_000]),
        [format!("{}", YEAR / 1_000), format!("{}", YEAR / 1_000 + 1)]
    );
    // Nor are several, while those between them are of the time before.
    assert_eq!(times(&[5_000, YEAR, 5_100, YEAR + 100, 5_200, YEAR + 200, 6_000]), ["5", "6"]);
    assert_eq!(times(&[5_000, YEAR, YEAR + 100])[1], format!("{}", YEAR as f64 / 1_000.0 + 0.1));
}

#[test]
fn a_frame_that_is_no_packet_tells_the_time_too() {
    let mut run = run(vec![Step::Garbage(3_000), Step::Garbage(3_500), Step::Garbage(4_000)]);
    let _ = run.all();
    assert_eq!(run.log(), ["time 3", "time 4", "end", "conclusion's end"]);
}

#[test]
fn time_is_told_after_the_packet_that_reached_it() {
    let mut run = run(vec![Step::Datagram(1, 0), Step::Datagram(1, 2_000)]);
    let _ = run.all();
    assert_eq!(run.log()[..4], ["packet 1", "time 0", "packet 2", "time 2"]);
}

#[test]
fn a_pipeline_holds_no_state_of_a_capture() {
    let pipeline = Pipeline::<Word>::with_settings(Log::default());
    let empty = || Script::new([Step::Datagram(1, 0)]);
    let first: Vec<_> = pipeline.analyze(empty()).map(|event| event.expect("an event")).collect();
    let second: Vec<_> = pipeline.analyze(empty()).map(|event| event.expect("an event")).collect();
    assert_eq!(first, second);
}

#[test]
fn packets_that_a_filter_leaves_out_are_counted_and_no_analyzer_sees_them() {
    let filter = Filter::parse("dst port 1 or 2").expect("an expression");
    let steps = vec![
        Step::Datagram(1, 0),
        Step::Datagram(3, 10),
        Step::Garbage(20),
        Step::Aggregate([4, 2, 5]),
        Step::Datagram(9, 30),
    ];
    let mut run = run_with(filter, steps);
    let packets: Vec<_> = run.all().into_iter().filter(|event| event.starts_with("packet")).collect();
    assert_eq!(packets, ["packet 1", "packet 4"]);
    let stats = run.events.stats();
    assert_eq!((stats.decode.decoded, stats.filtered), (6, 4));
    assert_eq!(stats.analysis.limits_hit, [("packets", 2)]);
}
