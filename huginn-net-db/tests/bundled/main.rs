//! The signatures that come with the crate.
#![cfg(test)]

mod labels;
#[path = "../observe/mod.rs"]
mod observe;
#[path = "../recorded/mod.rs"]
mod recorded;

use std::collections::BTreeSet;

use huginn_net_core::IpVersion;
use huginn_net_db::{Database, Quality, Specificity, TcpFactSet, TcpMatch, TcpRecord, WindowPattern};
use huginn_net_tcp::{OptionKind, Quirks, TcpObservation, Timestamps, WindowMultiple};
use testkit::alloc::{self, Allocations};

use observe::observation;
use recorded::Recorded;

const NEW: &str = "Linux 6.16 or newer, or older with a larger limit of the receive buffer";
const OLD: &str = "Linux 4.20 to 6.5 or 6.10 to 6.15, or newer with a smaller limit of the receive buffer";
const TWENTY: &str = "Linux 3.10 to 4.19, or a changed receive buffer or initial window";
const TEN: &str = "Linux 2.6.32 to 3.10, or a changed receive buffer or initial window";
const FOUR: &str = "Linux 2.4 or 2.6, or a changed receive buffer or initial window";
const TWENTY_NO_SCALE: &str =
    "Linux 3.10 to 4.19, or a changed receive buffer or initial window, window scaling off";
const MIDDLE_NO_SCALE: &str = "Linux 6.6 to 6.9, or a default receive buffer of 64 KiB, window scaling off";
const APP: &str = "Linux (receive buffer set by the application)";
const NO_SCALE: &str = "Linux 4.20 or newer, window scaling off";
const NO_SCALE_PEER: &str = "Linux 4.20 or newer, without window scaling";
const OTHER_LIMIT: &str = "Linux 4.20 or newer, other limit of the receive buffer";
const SMALL: &str = "Linux (default receive buffer of 16 KiB)";
const MIDDLE: &str = "Linux 6.6 to 6.9, or a default receive buffer of 64 KiB";
const ROKU: &str = "Linux (default receive buffer of 87380 bytes)";
const ANDROID: &str = "Linux (Android, or a receive buffer of 128 KiB or more)";
const BIG: &str = "Linux (receive buffer of 128 KiB or more)";
const NMAP: &str = "nmap SYN scan";
const NMAP_OS: &str = "nmap OS detection";
const HPING: &str = "hping3 SYN scan";
const MASSCAN: &str = "masscan SYN scan";
const ZMAP: &str = "zmap SYN scan";
const GVISOR: &str = "gVisor (sandboxes, and programs that end a VPN without the kernel)";
const GVISOR6: &str = "Linux 3.10 to 4.19, or gVisor";
const SMOLTCP: &str = "smoltcp";
const BIG_OR_SMOLTCP: &str = "Linux (receive buffer of 128 KiB or more), or smoltcp";
const BIG_OR_APPLE: &str = "Linux (receive buffer of 128 KiB or more), Apple or smoltcp";
const BSD_OR_SMOLTCP: &str = "Apple or FreeBSD or smoltcp, without window scaling";
const APPLE: &str = "Apple macOS 10.13 or newer, or iOS 11 or newer";
const OLD_APPLE: &str = "Apple macOS 10.12 or older, or iOS 10 or older";
const ANY_WINDOWS: &str = "Windows Vista or newer, or Server 2008 or newer";
const NEW_WINDOWS: &str = "Windows 10 or 11, or Server 2019 or newer";
const OLD_WINDOWS: &str = "Windows Vista to 10 before 1703, or Server 2008 to 2016";
const LWIP: &str = "lwIP (with the settings of Debian)";
const NONE: &str = "";

/// What the SYNs and the SYN+ACKs of each capture in `pcaps/real` come from.
const RECORDED: &[(&str, &str, &str)] = &[
    ("browser_chromium_lo", NEW, NEW),
    ("browser_chromium_net", NEW, NEW),
    ("browser_emulated", NEW, NEW),
    ("browser_firefox_lo", NEW, NEW),
    ("browser_firefox_net", NEW, NEW),
    ("browser_qtwebengine", NEW, NEW),
    ("browser_webkitgtk", NEW, NEW),
    ("browsers_lo", NEW, NEW),
    ("browsers_net", NEW, NEW),
    ("browsers_small", NEW, NEW),
    ("clamp8192", APP, NEW),
    ("ecn1", NEW, NEW),
    ("ecn1_v6", NEW, NEW),
    ("ecn33", NEW, NEW),
    ("ecn3_accecn", NEW, NEW),
    ("gvisor_client", GVISOR, NEW),
    ("gvisor_client6", GVISOR6, NEW),
    ("gvisor_server6", NEW, GVISOR),
    ("gvisor_server_ts0_sack0_ws0", NO_SCALE, GVISOR),
    ("gvisor_server_ts0_sack0_ws1", NEW, GVISOR),
    ("gvisor_server_ts0_sack1_ws0", NO_SCALE, GVISOR),
    ("gvisor_server_ts0_sack1_ws1", NEW, GVISOR),
    ("gvisor_server_ts1_sack0_ws0", NO_SCALE, GVISOR),
    ("gvisor_server_ts1_sack0_ws1", NEW, GVISOR),
    ("gvisor_server_ts1_sack1_ws0", NO_SCALE, GVISOR),
    ("gvisor_server_ts1_sack1_ws1", NEW, GVISOR),
    ("http2_clear", NEW, NEW),
    ("http2_grpc", NEW, NEW),
    ("http_answers", NEW, NEW),
    ("http_callers", NEW, NEW),
    ("http_clients", NEW, NEW),
    ("http_frameworks", NEW, NEW),
    ("http_libraries", NEW, NEW),
    ("http_kept_alive", NEW, NEW),
    ("http_minimal", NEW, NEW),
    ("http_more", NEW, NEW),
    ("http_platforms", NEW, NEW),
    ("http_probes", NEW, NEW),
    ("http_programs", NEW, NEW),
    ("http_releases", NEW, NEW),
    ("http_proxies", NEW, NEW),
    ("http_servers", NEW, NEW),
    ("http_small_servers", NEW, NEW),
    ("http_tools", NEW, NEW),
    ("lo4", NEW, NEW),
    ("lo6", NEW, NEW),
    ("lwip_client", LWIP, NEW),
    ("lwip_client6", LWIP, NEW),
    ("lwip_server6", NEW, LWIP),
    ("lwip_server_ts0_sack0_ws0", NO_SCALE, LWIP),
    ("lwip_server_ts0_sack0_ws1", NEW, LWIP),
    ("lwip_server_ts0_sack1_ws0", NO_SCALE, LWIP),
    ("lwip_server_ts0_sack1_ws1", NEW, LWIP),
    ("lwip_server_ts1_sack0_ws0", NO_SCALE, LWIP),
    ("lwip_server_ts1_sack0_ws1", NEW, LWIP),
    ("lwip_server_ts1_sack1_ws0", NO_SCALE, LWIP),
    ("lwip_server_ts1_sack1_ws1", NEW, LWIP),
    ("maxseg1200", NEW, NEW),
    ("mptcp", NEW, NEW),
    ("mptcp6", NEW, NEW),
    ("mptcp_c", NEW, NEW),
    ("nopmtud", NEW, NEW),
    ("nopmtud_sys", NEW, NEW),
    ("opt_ts0_sack0_ws0", NO_SCALE, NO_SCALE_PEER),
    ("opt_ts0_sack0_ws1", NEW, NEW),
    ("opt_ts0_sack1_ws0", NO_SCALE, NO_SCALE_PEER),
    ("opt_ts0_sack1_ws1", NEW, NEW),
    ("opt_ts1_sack0_ws0", NO_SCALE, NO_SCALE_PEER),
    ("opt_ts1_sack0_ws1", NEW, NEW),
    ("opt_ts1_sack1_ws0", NO_SCALE, NO_SCALE_PEER),
    ("opt_ts1_sack1_ws1", NEW, NEW),
    ("rcvbuf1048576", APP, APP),
    ("rcvbuf131072", APP, APP),
    ("rcvbuf16384", APP, APP),
    ("rcvbuf262144", APP, APP),
    ("rcvbuf32768", APP, APP),
    ("rcvbuf4096", APP, APP),
    ("rcvbuf65536", APP, APP),
    ("rcvbuf8192", APP, APP),
    ("rmem_4096_131072_16777216", OTHER_LIMIT, OTHER_LIMIT),
    ("rmem_4096_131072_6291456", OLD, OLD),
    ("rmem_4096_131072_67108864", OTHER_LIMIT, OTHER_LIMIT),
    ("rmem_4096_16384_4194304", SMALL, SMALL),
    ("rmem_4096_262144_6291456", ANDROID, BIG),
    ("rmem_4096_524288_6291456", ANDROID, BIG),
    ("rmem_4096_65536_6291456", MIDDLE, MIDDLE),
    ("rmem_4096_87380_6291456", ROKU, ROKU),
    ("scan_hping3", HPING, NONE),
    ("scan_hping3_df", HPING, NONE),
    ("scan_masscan", MASSCAN, NONE),
    ("scan_nmap_sS", NMAP, NONE),
    ("scan_nmap_sS6", NMAP, NONE),
    ("scan_nmap_sT", NEW, NONE),
    ("scan_zmap", ZMAP, NONE),
    ("scan_zmap_opt", ZMAP, NONE),
    ("smoltcp_client", SMOLTCP, NEW),
    ("smoltcp_client6", SMOLTCP, NEW),
    ("smoltcp_client_256k", SMOLTCP, NEW),
    ("smoltcp_client_4k", SMOLTCP, NEW),
    ("smoltcp_client_stamps", SMOLTCP, NEW),
    ("smoltcp_server6", NEW, SMOLTCP),
    ("smoltcp_server_ts0_sack0_ws0", NO_SCALE, BIG_OR_APPLE),
    ("smoltcp_server_ts0_sack0_ws1", NEW, SMOLTCP),
    ("smoltcp_server_ts0_sack1_ws0", NO_SCALE, BSD_OR_SMOLTCP),
    ("smoltcp_server_ts0_sack1_ws1", NEW, SMOLTCP),
    ("smoltcp_server_ts1_sack0_ws0", NO_SCALE, BIG_OR_APPLE),
    ("smoltcp_server_ts1_sack0_ws1", NEW, SMOLTCP),
    ("smoltcp_server_ts1_sack1_ws0", NO_SCALE, BSD_OR_SMOLTCP),
    ("smoltcp_server_ts1_sack1_ws1", NEW, SMOLTCP),
    ("smoltcp_stamps_ts0_sack0_ws0", NO_SCALE, BIG_OR_APPLE),
    ("smoltcp_stamps_ts0_sack0_ws1", NEW, SMOLTCP),
    ("smoltcp_stamps_ts0_sack1_ws0", NO_SCALE, BSD_OR_SMOLTCP),
    ("smoltcp_stamps_ts0_sack1_ws1", NEW, SMOLTCP),
    ("smoltcp_stamps_ts1_sack0_ws0", NO_SCALE, SMOLTCP),
    ("smoltcp_stamps_ts1_sack0_ws1", NEW, SMOLTCP),
    ("smoltcp_stamps_ts1_sack1_ws0", NO_SCALE, BIG_OR_SMOLTCP),
    ("smoltcp_stamps_ts1_sack1_ws1", NEW, SMOLTCP),
    ("tfo", NEW, NEW),
    ("tos28", NEW, NEW),
    ("tsoff", NEW, NEW),
    ("tsoff6", NEW, NEW),
    ("ttl128", NEW, NEW),
    ("v4", NEW, NEW),
    ("v4_b", NEW, NEW),
    ("v4_mtu1280", NEW, NEW),
    ("v4_mtu1400", NEW, NEW),
    ("v4_mtu1420", NEW, NEW),
    ("v4_mtu1450", NEW, NEW),
    ("v4_mtu1492", NEW, NEW),
    ("v4_mtu8951", NEW, NEW),
    ("v4_mtu9000", NEW, NEW),
    ("v4_mtu9001", NEW, NEW),
    ("v6", NEW, NEW),
    ("v6_b", NEW, NEW),
    ("v6_mtu1280", NEW, NEW),
    ("v6_mtu1420", NEW, NEW),
    ("v6_nofl", NEW, NEW),
];

fn label_of(found: Option<TcpMatch<'_>>) -> String {
    found.map(|found| found.record.label.to_string()).unwrap_or_default()
}

fn answer(raw_sig: &str, is_syn_ack: bool) -> Option<TcpMatch<'static>> {
    best(&observation(raw_sig, is_syn_ack), is_syn_ack)
}

fn best(seen: &TcpObservation, is_syn_ack: bool) -> Option<TcpMatch<'static>> {
    let database = Database::bundled();
    if is_syn_ack { database.match_syn_ack(seen) } else { database.match_syn(seen) }
}

fn records() -> impl Iterator<Item = (bool, &'static TcpRecord)> {
    let database = Database::bundled();
    let requests = database.tcp_requests().iter().map(|record| (false, record));
    requests.chain(database.tcp_responses().iter().map(|record| (true, record)))
}

#[test]
fn every_recorded_packet_gets_the_label_of_what_sent_it() {
    let mut wrong = Vec::new();
    let mut captures = BTreeSet::new();
    for Recorded { capture, is_syn_ack, seen } in recorded::packets("real") {
        let expected = match capture.as_str() {
            // The first probes of a detection are two of a port scan.
            "scan_nmap_O" | "scan_nmap_O6" if !is_syn_ack && seen.window == 1024 => NMAP,
            "scan_nmap_O" | "scan_nmap_O6" if !is_syn_ack => NMAP_OS,
            // Its host answered; not every probe offers window scaling.
            "scan_nmap_O" | "scan_nmap_O6" if seen.window_scale.is_none() => NO_SCALE_PEER,
            "scan_nmap_O" | "scan_nmap_O6" => NEW,
            // tnftp and httperf set their receive buffers.
            "http_programs" if !is_syn_ack && seen.window_scale != Some(10) => APP,
            _ => {
                let (_, syn, syn_ack) = RECORDED.iter().find(|(name, ..)| *name == capture).unwrap();
                if is_syn_ack { syn_ack } else { syn }
            }
        };
        let found = best(&seen, is_syn_ack);
        let quality = match expected {
            // The Linux that was set to start from a TTL of 128.
            _ if seen.ttl == 128 => Quality::Fuzzy,
            SMOLTCP => Quality::Generic,
            _ => Quality::Exact,
        };
        if label_of(found) != expected || found.is_none_or(|found| found.quality != quality) {
            wrong.push(format!(
                "{capture} {seen}: {:?} instead of {expected}",
                found.map(|found| (label_of(Some(found)), found.quality))
            ));
        }
        captures.insert(capture);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(captures.len(), RECORDED.len() + 2);
}

#[test]
fn published_systems_get_their_labels() {
    for (raw_sig, expected, quality) in [
        ("4:128+0:0:1460:65535,8:mss,nop,ws,nop,nop,sok:df,id+:0", ANY_WINDOWS, Quality::Exact),
        ("4:120+8:0:1460:mss*44,8:mss,nop,ws,nop,nop,sok:df,id+:0", NEW_WINDOWS, Quality::Exact),
        ("4:120+8:0:1378:mss*47,8:mss,nop,ws,nop,nop,sok:df,id+:0", NEW_WINDOWS, Quality::Exact),
        ("4:120+8:0:1400:64240,8:mss,nop,ws,nop,nop,sok:df,id+:0", NEW_WINDOWS, Quality::Fuzzy),
        ("4:64+0:0:1460:mss*44,8:mss,nop,ws,nop,nop,sok:df,id+:0", NEW_WINDOWS, Quality::Fuzzy),
        ("6:128+0:0:1440:65535,8:mss,nop,ws,nop,nop,sok::0", ANY_WINDOWS, Quality::Exact),
        ("6:128+0:0:1440:65535,8:mss,nop,ws,nop,nop,sok:flow:0", ANY_WINDOWS, Quality::Exact),
        ("4:128+0:0:1460:60000,8:mss,nop,ws,nop,nop,sok:df,id+:0", "Windows", Quality::Generic),
        (
            "4:128+0:0:1460:8192,2:mss,nop,ws,nop,nop,sok:df,id+:0",
            "Windows Vista to 8.1, or Server 2008 to 2012 R2",
            Quality::Exact,
        ),
        ("4:128+0:0:1460:8192,8:mss,nop,ws,nop,nop,sok:df,id+:0", OLD_WINDOWS, Quality::Exact),
        (
            "4:128+0:0:1460:65518,8:mss,nop,ws,nop,nop,sok:df,id+:0",
            "Windows (Xbox One or Series)",
            Quality::Exact,
        ),
        ("4:64+0:0:1460:mss*22,7:mss,sok,ts,nop,ws:df,id+:0", MIDDLE, Quality::Exact),
        ("4:55+9:0:1400:64240,7:mss,sok,ts,nop,ws:df,id+:0", OLD, Quality::Fuzzy),
        ("4:64+0:0:1460:mss*20,7:mss,sok,ts,nop,ws:df,id+:0", TWENTY, Quality::Exact),
        ("4:64+0:0:1460:mss*10,4:mss,sok,ts,nop,ws:df,id+:0", TEN, Quality::Exact),
        ("4:64+0:0:1460:mss*4,6:mss,sok,ts,nop,ws:df,id+:0", FOUR, Quality::Exact),
        ("4:64+0:0:1460:5000,6:mss,sok,ts,nop,ws:df,id+:0", "Linux", Quality::Generic),
        ("4:50+14:0:1360:65535,9:mss,sok,ts,nop,ws:df,id+:0", ANDROID, Quality::Exact),
        ("6:50+14:0:1340:65535,8:mss,sok,ts,nop,ws:flow:0", ANDROID, Quality::Exact),
        (
            "4:50+14:0:1360:65535,8:mss,sok,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,ws:df,id+:0",
            ANDROID,
            Quality::Fuzzy,
        ),
        ("4:64+0:0:1460:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0", APPLE, Quality::Exact),
        (
            "4:64+0:0:1400:65535,6:mss,nop,ws,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,sok,eol+1:df:0",
            APPLE,
            Quality::Fuzzy,
        ),
        ("4:64+0:0:1460:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:df,id+:0", OLD_APPLE, Quality::Exact),
        (
            "4:64+0:0:1460:65535,6:mss,nop,ws,sok,ts:df,id+:0",
            "FreeBSD 9 or newer, or PlayStation 4 or 5",
            Quality::Exact,
        ),
        ("4:255+0:0:1460:mss*4,0:mss::0", "lwIP (for example on ESP8266 or ESP32)", Quality::Exact),
        ("4:255+0:0:1460:4128,0:mss::0", "Cisco IOS or IOS-XE", Quality::Exact),
        ("4:255+0:0:1460:3000,0:mss::0", "Minimal stack (embedded device or scanner)", Quality::Generic),
    ] {
        let found = answer(raw_sig, false);
        assert_eq!(
            (label_of(found), found.map(|found| found.quality)),
            (expected.to_owned(), Some(quality)),
            "{raw_sig}"
        );
    }
}

/// Packets that can be mistaken for those of another system, with the label that claims no more than is known.
const SYNS: &[(&str, &str)] = &[
    // Few options, from a TTL that is not that of Windows.
    (
        "4:64+0:0:1460:65535,0:mss,nop,nop,sok:df,id+:0",
        "Linux window scaling off, receive buffer of 128 KiB or more",
    ),
    ("4:64+0:0:1460:60000,0:mss,nop,nop,sok:df,id+:0", "Linux or another Unix"),
    ("4:64+0:0:1460:60000,0:mss:df,id+:0", "Linux or another Unix"),
    ("4:64+0:0:1460:65535,6:mss,nop,ws:df,id+:0", "Linux or another Unix"),
    // Loopback and jumbo frames.
    ("4:64+0:0:65495:43690,7:mss,sok,ts,nop,ws:df,id+:0", OLD_LOOPBACK),
    ("6:64+0:0:65476:43690,7:mss,sok,ts,nop,ws:flow:0", OLD_LOOPBACK),
    ("4:64+0:0:16396:mss*2,2:mss,sok,ts,nop,ws:df,id+:0", "Linux 2.6 or 3.x over loopback"),
    ("4:64+0:0:16396:mss*2,4:mss,sok,ts,nop,ws:df,id+:0", "Linux 2.6 or 3.x over loopback"),
    ("4:64+0:0:16396:mss*2,7:mss,sok,ts,nop,ws:df,id+:0", "Linux 2.6 or 3.x over loopback"),
    ("4:64+0:0:16396:mss*2,0:mss,sok,ts,nop,ws:df,id+:0", "Linux 2.4 over loopback"),
    ("4:64+0:0:8960:mss*4,6:mss,sok,ts,nop,ws:df,id+:0", JUMBO_4),
    ("4:64+0:0:8960:mss*3,7:mss,sok,ts,nop,ws:df,id+:0", JUMBO_3),
    ("4:64+0:0:8961:mss*3,7:mss,sok,ts,nop,ws:df,id+:0", JUMBO_3),
    ("6:64+0:0:8940:mss*3,7:mss,sok,ts,nop,ws:flow:0", JUMBO_3),
    // An MSS that divides 64 KiB.
    ("4:64+0:0:1024:65535,7:mss,sok,ts,nop,ws:df,id+:0", ANDROID),
    ("4:64+0:0:1024:65535,9:mss,sok,ts,nop,ws:df,id+:0", ANDROID),
    (
        "4:64+0:0:1460:mss*20,0:mss,sok,ts,nop,ws:df,id+:0",
        "Linux 2.2, or a receive buffer set by the application",
    ),
    // Window scaling off.
    ("4:64+0:0:1460:mss*22,0:mss,nop,nop,sok:df,id+:0", MIDDLE_NO_SCALE),
    ("4:64+0:0:1460:mss*22,0:mss:df,id+:0", MIDDLE_NO_SCALE),
    ("4:64+0:0:1460:mss*20,0:mss,nop,nop,ts:df,id+:0", TWENTY_NO_SCALE),
    ("4:64+0:0:1460:mss*20,0:mss,sok,ts:df,id+:0", TWENTY_NO_SCALE),
    // IPv6 without a flow label.
    ("6:64+0:0:1440:mss*45,10:mss,nop,nop,sok,nop,ws::0", NEW),
    ("6:64+0:0:1440:mss*45,7:mss,nop,nop,ts,nop,ws::0", OLD),
    ("6:64+0:0:1440:mss*20,7:mss,nop,nop,sok,nop,ws::0", TWENTY),
    ("6:64+0:0:1440:5000,7:mss,nop,nop,sok,nop,ws::0", "Linux"),
    ("6:64+0:0:1440:5000,0:mss,nop,nop,sok::0", "Linux or another Unix"),
    ("4:64+0:0:1460:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0", APPLE),
    ("6:64+0:0:1440:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1::0", "Apple macOS or iOS"),
    ("6:64+0:0:1440:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1::0", "Apple macOS or iOS"),
    ("6:64+0:0:1440:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn,flow:0", "Apple macOS or iOS"),
    // Windows.
    (
        "4:128+0:0:1460:65535,0:mss,nop,nop,sok:df,id+:0",
        "Windows XP, Server 2003, or newer with window scaling off",
    ),
    (
        "4:128+0:0:1460:mss*44,0:mss,nop,nop,sok:df,id+:0",
        "Windows 2000 to Server 2003, or 10 or newer with window scaling off",
    ),
    ("4:128+0:0:1460:8192,3:mss,nop,ws,nop,nop,sok:df,id+:0", "Windows 10 before 1703, or Server 2016"),
    (
        "4:128+0:0:1460:mss*44,2:mss,nop,ws,sok,ts:df,id+:0",
        "Windows 10 or 11, or Server 2019 or newer, timestamps on",
    ),
    (
        "4:64+0:0:1460:mss*44,8:mss,nop,ws,sok,ts:df,id+:0",
        "Windows 10 or 11, or Server 2019 or newer, timestamps on",
    ),
    ("4:128+0:0:1460:65535,6:mss,nop,ws,sok,ts:df,id+:0", "FreeBSD 9 or newer, or PlayStation 4 or 5"),
    // Apple and FreeBSD without timestamps.
    ("4:64+0:0:1460:65535,6:mss,nop,ws,sok,eol+1:df:0", "Apple macOS or iOS, timestamps off"),
    ("4:64+0:0:1460:65535,6:mss,nop,ws,sok,eol+1:df,id+:0", "FreeBSD 9 or newer, or PlayStation 4 or 5"),
    ("6:64+0:0:1440:65535,6:mss,nop,ws,sok,eol+1::0", "Apple or FreeBSD or F5, timestamps off"),
    // A flow label, which every system of today may send.
    ("6:64+0:0:1440:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:flow:0", "Apple macOS or iOS"),
    ("6:64+0:0:1440:65535,6:mss,nop,ws,sok,ts:flow:0", "FreeBSD 9 or newer, or PlayStation 4 or 5"),
    ("6:64+0:0:1440:16384,6:mss,nop,nop,sok,nop,ws,nop,nop,ts:flow:0", "OpenBSD 6.1 or newer"),
    // Devices.
    ("4:255+0:0:1460:4128,0:mss,sok,eol+1::0", "Cisco IOS or IOS-XE"),
    ("4:255+0:0:1460:4128,0:mss,sok,nop,nop,ts,eol+1::0", "Cisco IOS or IOS-XE"),
    ("4:64+0:0:1460:20000,0:mss,nop,nop,ts::0", "Cisco NX-OS"),
    ("4:255+0:0:1460:2144,0:mss::0", "lwIP (for example with FreeRTOS or in a controller)"),
    ("4:255+0:0:1460:mss*4,0:mss,nop,ws::0", "lwIP (for example with FreeRTOS or in a controller)"),
    ("4:64+0:0:1460:mss*1,0:mss::0", "uIP or Contiki"),
    ("4:50+14:0:1024:mss*1,0:mss::0", "Minimal stack (embedded device or scanner)"),
    ("4:64+0:0:1460:8688,0:mss,nop,ws,nop,nop,ts::0", "Printer HP, Brother or Epson"),
    ("4:64+0:0:1460:mss*8,0:mss,nop,ws,nop,nop,ts::0", "Printer HP, Brother or Epson"),
    ("4:64+0:0:1460:mss*20,0:mss,nop,ws,nop,nop,ts::0", NONE),
];

/// As [`SYNS`].
const SYN_ACKS: &[(&str, &str)] = &[
    ("4:64+0:0:1460:65535,0:mss,nop,nop,sok:df:0", BIG),
    ("4:64+0:0:1460:65535,0:mss:df:0", BIG_OR_APPLE),
    ("4:64+0:0:1460:65535,0:mss,nop,nop,ts:df:0", "Linux (receive buffer of 128 KiB or more), or Apple"),
    // To a client without timestamps.
    ("4:64+0:0:1460:65535,6:mss,nop,ws,sok,eol+1:df:0", "Apple or FreeBSD without timestamps"),
    ("4:64+0:0:1460:65535,5:mss,nop,ws,sok,eol+1:df:0", "Apple macOS or iOS, without timestamps"),
    ("4:64+0:0:1460:65535,6:mss,nop,ws,sok,eol+1:df,id+:0", "FreeBSD 9 or newer, or PlayStation 4 or 5"),
    ("4:64+0:0:1460:65535,10:mss,nop,nop,sok,nop,ws:df:0", BIG),
    ("4:64+0:0:1460:8192,0:mss:df:0", "Linux or another Unix"),
    ("4:64+0:0:1460:65535,6:mss,nop,ws:df,id+:0", "FreeBSD 9 or newer, or PlayStation 4 or 5"),
    ("4:64+0:0:1460:65535,3:mss,nop,ws:df,id+:0", "FreeBSD 8"),
    ("4:64+0:0:1460:65535,0:mss,sok,ts:df,id+:0", TO_SIMPLE_CLIENT),
    ("4:64+0:0:1460:65535,0:mss,nop,nop,ts:df,id+:0", TO_SIMPLE_CLIENT),
    ("4:64+0:0:1460:65535,0:mss:df,id+:0", TO_SIMPLE_CLIENT),
    ("4:64+0:0:1460:30000,0:mss:df,id+:0", NONE),
    ("4:64+0:0:1460:8192,8:mss,nop,ws:df,id+:0", "BSD or another Unix"),
    ("4:128+0:0:1460:65535,0:mss:df,id+:0", XP_OR_NEWER),
    ("4:128+0:0:1460:65535,0:mss,nop,nop,sok:df,id+:0", XP_OR_NEWER),
    ("4:128+0:0:1460:65535,8:mss,nop,ws,nop,nop,sok:df,id+:0", ANY_WINDOWS),
    ("4:64+0:0:65495:43690,7:mss,sok,ts,nop,ws:df:0", OLD_LOOPBACK),
    ("4:64+0:0:8960:mss*3,7:mss,sok,ts,nop,ws:df:0", JUMBO_3),
    ("4:64+0:0:8960:mss*4,7:mss,sok,ts,nop,ws:df:0", JUMBO_4),
    ("6:64+0:0:1440:65535,6:mss,nop,ws,sok,eol+1::0", "Apple or FreeBSD without timestamps"),
    ("6:64+0:0:1440:mss*45,10:mss,nop,nop,sok,nop,ws::0", NEW),
    ("6:64+0:0:1440:5000,7:mss,nop,nop,sok,nop,ws::0", "Linux"),
    ("6:64+0:0:1440:65535,0:mss,sok,ts::0", "Linux or another Unix"),
    ("6:64+0:0:1440:5000,0:mss,sok,ts:flow:0", "Linux or another Unix"),
    ("6:64+0:0:1440:65535,0:mss,sok,ts:flow:0", OR_FREEBSD),
    ("6:64+0:0:1440:65535,0:mss:flow:0", OR_FREEBSD),
    ("6:64+0:0:1440:65535,0:mss,nop,nop,sok:flow:0", "Linux (receive buffer of 128 KiB or more)"),
    ("4:255+0:0:1460:4128,0:mss,sok,eol+1::0", "Cisco IOS or IOS-XE"),
];

const OLD_LOOPBACK: &str = "Linux 3.x to 4.19 over loopback, or a default receive buffer of 87380 bytes";
const JUMBO_3: &str =
    "Linux 3.10 to 4.19, 6.6 to 6.9 or a default receive buffer of 64 KiB, with jumbo frames";
const JUMBO_4: &str = "Linux 2.4, 2.6 or a default receive buffer of 87380 bytes, with jumbo frames";
const XP_OR_NEWER: &str = "Windows XP, Server 2003, or newer without window scaling";
const OR_FREEBSD: &str = "Linux (receive buffer of 128 KiB or more), or FreeBSD";
const TO_SIMPLE_CLIENT: &str = "FreeBSD 8 or newer, or macOS, without window scaling";

#[test]
fn packets_that_look_alike_get_labels_that_say_no_more_than_is_known() {
    let mut wrong = Vec::new();
    for (packets, is_syn_ack) in [(SYNS, false), (SYN_ACKS, true)] {
        for &(raw_sig, expected) in packets {
            let label = label_of(answer(raw_sig, is_syn_ack));
            if label != expected {
                wrong.push(format!("{raw_sig}: {label:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_signature_carries_its_provenance() {
    for (_, record) in records() {
        let (letters, _) = record.provenance.split_once(':').unwrap_or_default();
        let known = |letter: &str| ["M", "K", "P", "S", "N", "J", "D", "G", "Z", "A"].contains(&letter);
        assert!(letters.split(", ").all(known), "line {}: {:?}", record.line, record.provenance);
        let measured = letters.split(", ").any(|letter| letter == "M");
        assert!(measured || record.provenance.contains("published"), "line {}", record.line);
    }
}

#[test]
fn only_generic_signatures_and_those_that_ask_for_facts_take_any_window() {
    for (_, record) in records() {
        let any_window = record.signature.window == WindowPattern::Any && record.signature.facts.is_empty();
        assert!(!any_window || record.label.specificity == Specificity::Generic, "line {}", record.line);
    }
}

#[test]
fn every_signature_is_the_answer_to_some_packet() {
    let mut mute = Vec::new();
    for (is_syn_ack, record) in records() {
        let answers =
            |seen: &TcpObservation| best(seen, is_syn_ack).is_some_and(|found| found.record == record);
        if !witnesses(record, is_syn_ack).iter().any(answers) {
            mute.push(format!("line {}: {} {}", record.line, record.label, record.signature));
        }
    }
    assert!(mute.is_empty(), "{mute:#?}");
}

#[test]
fn no_packet_fits_the_specific_signatures_of_two_families() {
    let database = Database::bundled();
    for (is_syn_ack, record) in
        records().filter(|(_, record)| record.label.specificity == Specificity::Specific)
    {
        for seen in witnesses(record, is_syn_ack) {
            let top: Vec<_> = if is_syn_ack {
                database.match_syn_ack_top(&seen).collect()
            } else {
                database.match_syn_top(&seen).collect()
            };
            let families: BTreeSet<_> = top
                .iter()
                // Facts that are asked for are worth more than all else.
                .filter(|found| found.record.signature.facts == record.signature.facts)
                .filter(|found| found.quality == Quality::Exact)
                .map(|found| found.record.label.name.as_str())
                .collect();
            assert!(families.len() <= 1, "{seen}: {families:?}");
        }
    }
}

#[test]
fn a_foreign_ttl_tells_of_a_box_that_rewrites_it_and_not_of_another_system() {
    const SHARED_LAYOUTS: [&str; 5] = ["", "mss", "mss,nop,nop,sok", "mss,nop,nop,ts", "mss,sok,ts"];
    let (mut wrong, mut kept) = (Vec::new(), 0);
    for (is_syn_ack, record) in records().filter(|(_, record)| {
        let signature = &record.signature;
        let is_system = record.label.specificity == Specificity::Specific && !record.label.is_tool();
        is_system && !SHARED_LAYOUTS.contains(&signature.layout.to_string().as_str())
    }) {
        for mut seen in witnesses(record, is_syn_ack) {
            let own_ttl = seen.ttl;
            for ttl in [30, 60, 120, 250].into_iter().filter(|&ttl| ttl > own_ttl || own_ttl - ttl > 64) {
                seen.ttl = ttl;
                let found = best(&seen, is_syn_ack).filter(|found| found.quality == Quality::Fuzzy);
                // Other signatures may know this TTL.
                let Some(found) = found else { continue };
                if !found.ttl_rewritten || found.cost.in_quarters() != 12 {
                    wrong.push(format!("{seen}: {} instead of {}", found.record.label, record.label));
                }
                kept += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(kept > 1_000, "{kept}");
}

#[test]
fn matching_allocates_nothing_with_what_was_prepared() {
    let database = Database::bundled();
    database.prepare();
    let packets: Vec<_> = [
        "4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0",
        "4:64+0:0:1360:64240,10:mss,sok,ts,nop,ws:df,ecn:0",
        "4:50+14:0:1360:65535,8:mss,sok,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,nop,ws:df,id+:0",
        "4:64+0:0:1460:1,1:ws,ws,mss:df,id+:0",
    ]
    .map(|raw_sig| observation(raw_sig, false))
    .into();
    let match_all = || {
        let best = packets.iter().filter(|seen| database.match_syn(seen).is_some()).count();
        let top: usize = packets.iter().map(|seen| database.match_syn_top(seen).count()).sum();
        (best, top)
    };
    let (matched, allocations) = alloc::measure(match_all);
    assert_eq!(allocations, Allocations::NONE);
    assert!(matched.0 == 3 && matched.1 > 3, "{matched:?}");
}

#[test]
fn links_are_named_by_all_their_known_causes() {
    let link = |mtu| Database::bundled().link_of(mtu).map_or("", |record| &*record.link);
    assert_eq!(link(1500), "Ethernet or Wi-Fi");
    assert_eq!(link(1280), "IPv6 minimum, Tailscale, Teredo or OpenVPN");
    assert_eq!(link(1420), "WireGuard or a clamped MSS");
    assert_eq!(link(1499), "");
    // What Linux has on IPv4 and IPv6 over loopback.
    assert_eq!((link(65_535), link(65_536)), ("loopback of Linux", "loopback of Linux"));
    let mtus: BTreeSet<_> = Database::bundled().mtus().iter().map(|record| record.mtu).collect();
    assert_eq!(mtus.len(), Database::bundled().mtus().len(), "no MTU twice");
}

/// Packets that fit a signature exactly, for a choice of values where it leaves one.
fn witnesses(record: &TcpRecord, is_syn_ack: bool) -> Vec<TcpObservation> {
    let signature = &record.signature;
    let has = |kind: OptionKind| signature.layout.kinds().contains(&kind.0);
    let versions = signature.version.map_or(vec![IpVersion::V4, IpVersion::V6], |version| vec![version]);
    let sizes = match signature.mss {
        Some(mss) => vec![mss],
        None => vec![1460, 1440, 1400, 1394, 1380, 1360, 1285, 1220, 1024, 536, 8960, 65_495],
    };
    let scales: Vec<u8> = match signature.window_scale {
        Some(scale) => vec![scale],
        None if has(OptionKind::WINDOW_SCALE) => (0..=14).collect(),
        None => vec![0],
    };
    let timestamps = has(OptionKind::TIMESTAMPS).then_some(Timestamps { own: 1, peer: 0 });

    let mut witnesses = Vec::new();
    for (&version, &mss) in versions.iter().flat_map(|version| sizes.iter().map(move |mss| (version, mss))) {
        let segment = if is_syn_ack && timestamps.is_some() { mss.saturating_sub(12) } else { mss };
        let wide = u32::from(segment);
        let windows: Vec<u32> = match signature.window {
            WindowPattern::Literal(window) => vec![window.into()],
            WindowPattern::Mss(count) => vec![u32::from(count) * wide],
            WindowPattern::Fill(space) if space > wide => vec![space - space % wide],
            WindowPattern::Fill(space) => vec![space],
            WindowPattern::MultipleOf(divisor) => (1..8).map(|count| count * u32::from(divisor)).collect(),
            WindowPattern::Any => vec![1, 8_192, 17_520, 32_768, 64_240, 65_535],
            other => panic!("no bundled signature has the window {other}"),
        };
        for window in windows.into_iter().filter_map(|window| u16::try_from(window).ok()) {
            for &scale in &scales {
                let mut seen = TcpObservation::new(version, signature.ttl.highest(), window);
                seen.ip_options_len = signature.ip_options_len;
                seen.mss = has(OptionKind::MSS).then_some(mss);
                let whole = segment >= 100 && window.is_multiple_of(segment) && window != 0;
                seen.window_multiple = whole.then(|| WindowMultiple::Mss(window / segment));
                seen.window_scale = has(OptionKind::WINDOW_SCALE).then_some(scale);
                seen.layout = signature.layout;
                seen.quirks = match version {
                    IpVersion::V4 => signature.quirks - Quirks::IPV6_ONLY,
                    IpVersion::V6 => signature.quirks - Quirks::IPV4_ONLY,
                };
                seen.has_payload = signature.has_payload.unwrap_or(true);
                seen.timestamps = timestamps;
                seen.facts.seq_is_destination = signature.facts.contains(TcpFactSet::SEQ_IS_DESTINATION);
                witnesses.push(seen);
            }
        }
    }
    witnesses
}
