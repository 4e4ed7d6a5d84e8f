//! Captures built for one rule each, with the signatures that p0f 3.09b gives them.

#![cfg(test)]

use std::collections::BTreeSet;

use huginn_net_tcp::{HuginnNetTcp, TcpEvent, TcpSettings, UptimeState};
use testkit::corpus::{self, Table};

const LINUX_SYN: &str = "4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+:0";

/// Rows where this project answers otherwise than p0f, as the table's column `required` asks.
const OURS: &[(&str, &[&str])] = &[
    // An atomic fragment is a whole packet; its header counts as extension header.
    ("c06_v6_frag", &["6:64+0:8:1440:mss*45,7:mss,sok,ts,nop,ws::0"]),
    // Any acknowledgment number but zero is `ack+`.
    ("d02_ack_1", &["4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+,ack+:0"]),
    ("d04_ack_fe", &["4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+,ack+:0"]),
    // The last byte after the end of the options counts too.
    ("e10_eol_nz_last", &["4:64+0:0:1460:mss*44,0:mss,eol+3:df,id+,opt+:0"]),
    ("e11b_eol_one_pad_nz", &["4:64+0:0:1460:mss*44,0:mss,nop,nop,eol+1:df,id+,opt+:0"]),
    // A total length of zero is that of segmentation offload.
    ("f12_totlen0_tso", &[LINUX_SYN]),
    // The MSS is printed, whatever it is.
    ("h49_sendsyn_mss_echo", &[LINUX_SYN, "4:64+0:0:1331:mss*10,7:mss,sok,ts,nop,ws:df:0"]),
    // A SYN+ACK that acknowledges something else answers no SYN.
    ("i09_synack_badack", &[LINUX_SYN]),
    // Tags and tunnels are passed.
    ("n06_vlan", &[LINUX_SYN]),
    ("n06b_vlan_prio", &[LINUX_SYN]),
    ("n07_qinq", &[LINUX_SYN]),
    ("n08_pppoe", &[LINUX_SYN]),
    ("n10_ipip", &[LINUX_SYN]),
    ("n12_6in4", &["6:64+0:0:1440:mss*45,7:mss,sok,ts,nop,ws::0"]),
    ("n13_vxlan", &[LINUX_SYN]),
    ("n16_8023", &[LINUX_SYN]),
    ("n17_gtpu", &[LINUX_SYN]),
    ("n18_geneve", &[LINUX_SYN]),
];

/// Rows whose table lists the SYN+ACKs alone: fifty SYNs are there to let time pass.
const SYN_ACKS_ALONE: &[&str] = &["o03_expire_30s", "o04_expire_exact30"];

fn events(capture: &str, settings: TcpSettings) -> Vec<TcpEvent> {
    HuginnNetTcp::with_settings(settings)
        .analyze_pcap(corpus::path(capture))
        .expect("a capture")
        .map(|event| event.expect("a readable capture"))
        .collect()
}

fn expected(raw_sig: &str) -> Vec<&str> {
    raw_sig.split(" ; ").filter(|signature| !signature.is_empty()).collect()
}

#[test]
fn every_vector_gives_the_signatures_of_p0f_or_the_better_ones_asked_for() {
    let table = Table::open("tcp/index.tsv");
    let mut wrong = Vec::new();
    for row in table.rows() {
        let id = row.field("id");
        let seen: Vec<_> = events(&format!("tcp/{}", row.field("pcap")), TcpSettings::default())
            .into_iter()
            .filter_map(|event| match event {
                TcpEvent::Syn(_) if SYN_ACKS_ALONE.contains(&id) => None,
                TcpEvent::Syn(seen) | TcpEvent::SynAck(seen) => Some(seen.observation.to_string()),
                _ => None,
            })
            .collect();
        let ours = OURS.iter().find(|(known, _)| *known == id).map(|(_, wanted)| wanted.to_vec());
        assert!(ours.is_none() || row.field("required") != "=", "{id} is to be as p0f has it");
        let wanted = ours.unwrap_or_else(|| expected(row.field("raw_sig")));
        if seen != wanted {
            wrong.push(format!("{id} ({}): {seen:?} instead of {wanted:?}", row.field("required")));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn packets_drawn_by_lot_have_the_signatures_of_p0f() {
    for row in Table::open("random/index.tsv").rows() {
        let capture = format!("random/{}", row.field("pcap"));
        let seen: Vec<_> = events(&capture, TcpSettings::default())
            .into_iter()
            .filter_map(|event| match event {
                TcpEvent::Syn(seen) | TcpEvent::SynAck(seen) => Some(seen.observation.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(seen, expected(row.field("raw_sig")), "{capture}");
        assert_eq!(seen.len(), 500);
    }
}

#[test]
fn every_recorded_capture_gives_the_signatures_of_p0f() {
    /// p0f tests one bit of the acknowledgment number, and so misses `ack+` on some probes.
    const ACK_BUG: &[&str] =
        &["scan_hping3.pcap", "scan_hping3_df.pcap", "scan_nmap_O.pcap", "scan_nmap_O6.pcap"];
    /// p0f drops a connection whose SYN it takes for a tool's, and with it the answer.
    const DROPPED_BY_P0F: &str = "scan_nmap_O.pcap";
    let table = Table::open("real/index.tsv");
    let mut captures: Vec<_> = table.rows().map(|row| row.field("pcap")).collect();
    captures.dedup();
    for capture in captures {
        let without_ack = |signature: &str| match ACK_BUG.contains(&capture) {
            true => signature.replace(",ack+", "").replace("ack+", ""),
            false => signature.to_owned(),
        };
        // The table lists each signature of a capture once.
        let wanted: BTreeSet<_> = table
            .rows()
            .filter(|row| row.field("pcap") == capture && row.field("mod").starts_with("syn"))
            .map(|row| (row.field("mod") == "syn", without_ack(row.field("raw_sig"))))
            .collect();
        let seen: BTreeSet<_> = events(&format!("real/{capture}"), TcpSettings::default())
            .into_iter()
            .filter_map(|event| match event {
                TcpEvent::Syn(seen) => Some((true, without_ack(&seen.observation.to_string()))),
                TcpEvent::SynAck(_) if capture == DROPPED_BY_P0F => None,
                TcpEvent::SynAck(seen) => Some((false, without_ack(&seen.observation.to_string()))),
                _ => None,
            })
            .collect();
        assert_eq!(seen, wanted, "{capture}");
    }
}

#[test]
fn unpaired_syn_acks_are_reported_when_asked_for_and_marked() {
    let settings = TcpSettings::default().with_report_unpaired(true);
    for (capture, unpaired) in [
        ("tcp/a07_stray_synack.pcap", true),
        ("tcp/i09_synack_badack.pcap", true),
        ("tcp/o03_expire_30s.pcap", true),
        ("tcp/o04_expire_exact30.pcap", false),
        ("tcp/a04_synack.pcap", false),
    ] {
        let marks: Vec<_> = events(capture, settings)
            .iter()
            .filter_map(|event| match event {
                TcpEvent::SynAck(seen) => Some(seen.observation.facts.unpaired),
                _ => None,
            })
            .collect();
        assert_eq!(marks, [unpaired], "{capture}");
    }
    assert_eq!(events("tcp/a07_stray_synack.pcap", TcpSettings::default()), []);
}

/// Rates and states of the clocks of a capture.
fn clocks(capture: &str) -> Vec<(f64, UptimeState)> {
    events(capture, TcpSettings::default())
        .iter()
        .filter_map(|event| match event {
            TcpEvent::Uptime(uptime) => Some((uptime.frequency_hz, uptime.state)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_single_connection_gives_an_unverified_uptime() {
    assert_eq!(clocks("tcp/l35_locked.pcap"), [(100.0, UptimeState::SingleConnection)]);
}

#[test]
fn a_single_connection_of_two_packets_gives_none() {
    for capture in [
        "tcp/l01_100hz.pcap",
        "tcp/l02_250hz.pcap",
        "tcp/l03_1000hz.pcap",
        "tcp/l07_10min.pcap",
        "tcp/l13_wrap.pcap",
        "tcp/l30_server.pcap",
    ] {
        assert_eq!(clocks(capture), [], "{capture}");
    }
}

#[test]
fn counters_that_are_no_clock_give_no_uptime() {
    for capture in [
        "tcp/l04_24ms.pcap",
        "tcp/l08_fast.pcap",
        "tcp/l10_toslow.pcap",
        "tcp/l11_backward.pcap",
        "tcp/l36_no_synack.pcap",
        // Connections of a tenth of a second.
        "real/tsoff.pcap",
        "real/tsoff6.pcap",
    ] {
        assert_eq!(clocks(capture), [], "{capture}");
    }
}

#[test]
fn connections_with_offsets_of_their_own_have_a_frequency_and_no_uptime() {
    assert_eq!(clocks("tcp/l33_random_uptime.pcap"), [(1000.0, UptimeState::Randomised)]);
    let events = events("tcp/l33_random_uptime.pcap", TcpSettings::default());
    let seconds = events.iter().find_map(|event| match event {
        TcpEvent::Uptime(uptime) => Some(uptime.seconds()),
        _ => None,
    });
    assert_eq!(seconds, Some(None));
}
