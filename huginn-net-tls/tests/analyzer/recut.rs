//! The same captures in other segments.

use testkit::capture::Capture;
use testkit::recut::recut;
use testkit::shuffle::Plan;

use crate::captures::{check_entries, hello_captures, open, tcp_cases};
use crate::watch::watch;

/// Captures without a SYN, in which nobody can know how far a segment is from the begin of the stream.
const WITHOUT_BEGIN: [&str; 1] = ["tcp/mid-stream.pcap"];

fn keeps_order(plan: &Plan) -> bool {
    plan.reorder_within == 1
}

/// All plans, but with no more than five segments in another order: of those, two pieces at most wait for the first.
pub(crate) fn plans() -> impl Iterator<Item = (&'static str, Plan)> {
    Plan::ALL.iter().map(|&(how, plan)| (how, Plan { reorder_within: plan.reorder_within.min(5), ..plan }))
}

/// A capture cut by each plan, with the name of the plan.
fn cuts(name: &str, capture: &Capture) -> Vec<(&'static str, Capture)> {
    let plans = plans().filter(|(_, plan)| keeps_order(plan) || !WITHOUT_BEGIN.contains(&name));
    plans.map(|(how, plan)| (how, recut(capture, &plan, 5).unwrap())).collect()
}

#[test]
fn every_tcp_case_gives_the_same_however_it_is_cut() {
    let mut cut = 0;
    for (file, expected) in tcp_cases() {
        for (how, capture) in cuts(&file, &open(&file)) {
            assert_eq!(watch(&capture).ja4(), expected, "{file} {how}");
            cut += 1;
        }
    }
    assert_eq!(cut, 128);
}

#[test]
fn every_capture_of_a_hello_gives_each_hello_once_however_it_is_cut() {
    for (name, entries) in hello_captures() {
        let original = open(&name);
        let (hellos, answers) = (watch(&original).hellos().len(), watch(&original).server_hellos().len());
        for (how, capture) in cuts(&name, &original) {
            let watch = watch(&capture);
            check_entries(&name, &entries, &watch, how);
            assert_eq!(watch.hellos().len(), hellos, "{name} {how}");
            assert_eq!(watch.server_hellos().len(), answers, "{name} {how}");
        }
    }
}

#[test]
fn messages_are_the_same_to_the_byte_however_they_are_cut() {
    for name in ["pcap/chromium-156.0.8078.79.pcap", "pcap/hrr-go-1.26.8.pcap", "pcap/starttls-smtp.pcap"] {
        let messages = |capture: &Capture| -> Vec<(Vec<u8>, u8, bool)> {
            let watch = watch(capture);
            let of = |seen: &&huginn_net_tls::ClientHelloSeen| {
                (seen.hello.message().to_vec(), seen.hello_index, seen.after_hrr)
            };
            watch.hellos().iter().map(of).collect()
        };
        let original = open(name);
        for (how, capture) in cuts(name, &original) {
            assert_eq!(messages(&capture), messages(&original), "{name} {how}");
        }
    }
}
