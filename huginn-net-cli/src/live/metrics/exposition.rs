//! Counters in the text format of Prometheus.

use core::fmt::Write;

use crate::totals::{Totals, each};

/// The counters of the record `huginn.stats`, and those that only the summary of a live run has besides, in the text format
/// of Prometheus, version 0.0.4. Counters without a label, of events and of what was dropped are there from the beginning;
/// reasons and limits once there is one.
pub(super) fn text(totals: &Totals) -> String {
    let mut text = Text(String::new());
    text.plain("packets", "Frames captured.", totals.packets);
    text.plain("decoded_packets", "Packets that frames gave.", totals.decoded);
    text.plain("filtered_packets", "Decoded packets that the filter left out.", totals.filtered);
    let reasons = "Frames, or parts of an aggregated one, that gave no packet.";
    text.each("not_decoded", reasons, "reason", each(&totals.not_decoded));
    let reasons = "Frames and packets that contradict their protocol.";
    text.each("malformed", reasons, "reason", each(&totals.malformed));
    text.each("events", "Records.", "dataset", totals.events_of_all());
    text.each("limits_hit", "How often a limit was reached.", "limit", each(&totals.limits_hit));
    let lost =
        "Frames lost by the kernel or in its ring, packets lost by a queue, records lost by an output.";
    text.each("dropped", lost, "by", totals.dropped_by().into_iter());
    text.plain("buffer_full", "How often the buffer of the kernel was full.", totals.live.freezes);
    text.plain("link_down", "How often an interface went down.", totals.live.outages);
    text.plain("interfaces_removed", "Interfaces that were removed.", totals.live.removed);
    text.0
}

/// Lines of the format. Names and labels are words of this project, in which nothing has to be escaped.
struct Text(String);

impl Text {
    /// A counter.
    fn plain(&mut self, name: &str, help: &str, count: u64) {
        self.describe(name, help);
        self.line(format_args!("huginn_{name}_total {count}"));
    }

    /// A counter for each value of a label; nothing if there is none.
    fn each(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: impl Iterator<Item = (&'static str, u64)>,
    ) {
        for (index, (value, count)) in counts.enumerate() {
            if index == 0 {
                self.describe(name, help);
            }
            self.line(format_args!("huginn_{name}_total{{{label}=\"{value}\"}} {count}"));
        }
    }

    fn describe(&mut self, name: &str, help: &str) {
        self.line(format_args!("# HELP huginn_{name}_total {help}"));
        self.line(format_args!("# TYPE huginn_{name}_total counter"));
    }

    fn line(&mut self, line: core::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = writeln!(self.0, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::totals::Counts;

    #[test]
    fn counters_are_there_before_there_is_anything_to_count() {
        let text = text(&Totals::default());
        for line in [
            "# TYPE huginn_packets_total counter",
            "huginn_packets_total 0",
            "huginn_decoded_packets_total 0",
            "huginn_filtered_packets_total 0",
            "huginn_events_total{dataset=\"huginn.tls.client_hello\"} 0",
            "huginn_dropped_total{by=\"kernel\"} 0",
            "huginn_dropped_total{by=\"output\"} 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        // A family without a counter is none.
        assert!(!text.contains("huginn_malformed_total"), "{text}");
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn every_counter_of_the_statistics_is_told_once_with_its_help_before_it() {
        let mut totals = Totals::default();
        (totals.packets, totals.decoded, totals.filtered) = (12, 10, 9);
        totals.not_decoded = Counts::from([("cut", 1), ("not_ip", 2)]);
        totals.malformed = Counts::from([("ip_length", 3)]);
        totals.limits_hit = Counts::from([("tcp_flows", 4)]);
        (totals.dropped, totals.queue_dropped) = (5, 6);
        totals.live.kernel_dropped = 7;
        totals.live.ring_lost = 8;
        (totals.live.freezes, totals.live.outages, totals.live.removed) = (9, 10, 11);
        let text = text(&totals);
        let (before, after) = text.split_once("# HELP huginn_events_total Records.\n").unwrap();
        assert_eq!(
            before,
            "# HELP huginn_packets_total Frames captured.\n\
             # TYPE huginn_packets_total counter\n\
             huginn_packets_total 12\n\
             # HELP huginn_decoded_packets_total Packets that frames gave.\n\
             # TYPE huginn_decoded_packets_total counter\n\
             huginn_decoded_packets_total 10\n\
             # HELP huginn_filtered_packets_total Decoded packets that the filter left out.\n\
             # TYPE huginn_filtered_packets_total counter\n\
             huginn_filtered_packets_total 9\n\
             # HELP huginn_not_decoded_total Frames, or parts of an aggregated one, that gave no packet.\n\
             # TYPE huginn_not_decoded_total counter\n\
             huginn_not_decoded_total{reason=\"cut\"} 1\n\
             huginn_not_decoded_total{reason=\"not_ip\"} 2\n\
             # HELP huginn_malformed_total Frames and packets that contradict their protocol.\n\
             # TYPE huginn_malformed_total counter\n\
             huginn_malformed_total{reason=\"ip_length\"} 3\n"
        );
        let (_, after) = after.split_once("# HELP huginn_limits_hit_total ").unwrap();
        assert_eq!(
            after,
            "How often a limit was reached.\n\
             # TYPE huginn_limits_hit_total counter\n\
             huginn_limits_hit_total{limit=\"tcp_flows\"} 4\n\
             # HELP huginn_dropped_total Frames lost by the kernel or in its ring, packets lost by a queue, records lost \
             by an output.\n\
             # TYPE huginn_dropped_total counter\n\
             huginn_dropped_total{by=\"kernel\"} 7\n\
             huginn_dropped_total{by=\"ring\"} 8\n\
             huginn_dropped_total{by=\"queue\"} 6\n\
             huginn_dropped_total{by=\"output\"} 5\n\
             # HELP huginn_buffer_full_total How often the buffer of the kernel was full.\n\
             # TYPE huginn_buffer_full_total counter\n\
             huginn_buffer_full_total 9\n\
             # HELP huginn_link_down_total How often an interface went down.\n\
             # TYPE huginn_link_down_total counter\n\
             huginn_link_down_total 10\n\
             # HELP huginn_interfaces_removed_total Interfaces that were removed.\n\
             # TYPE huginn_interfaces_removed_total counter\n\
             huginn_interfaces_removed_total 11\n"
        );
    }
}
