//! Labels say no more than is known of all who send such packets.

use super::*;

#[test]
fn every_layout_of_linux_has_a_name_on_ipv6_with_and_without_a_flow_label() {
    for (layout, scale) in [
        ("mss,sok,ts,nop,ws", 7),
        ("mss,nop,nop,sok,nop,ws", 7),
        ("mss,nop,nop,ts,nop,ws", 7),
        ("mss,nop,ws", 7),
        ("mss,sok,ts", 0),
        ("mss,nop,nop,sok", 0),
        ("mss,nop,nop,ts", 0),
        ("mss", 0),
    ] {
        for (flow, window, is_syn_ack) in ["flow", ""]
            .into_iter()
            .flat_map(|flow| [5_000, 8_192, 65_535].map(|window| (flow, window, false)))
            .chain([("flow", 5_000, true), ("", 5_000, true), ("flow", 65_535, true), ("", 8_192, true)])
        {
            let raw_sig = format!("6:60+4:0:1440:{window},{scale}:{layout}:{flow}:0");
            let found = answer(&raw_sig, is_syn_ack);
            let is_minimal = layout == "mss" && flow.is_empty() && !is_syn_ack;
            let named = found.is_some_and(|found| found.record.label.name == "Linux");
            assert!(named || (is_minimal && found.is_some()), "{raw_sig}: {:?}", label_of(found));
        }
    }
}

#[test]
fn a_fuzzy_answer_never_rests_on_options_that_many_systems_send() {
    for layout in ["mss", "mss,nop,nop,sok", "mss,sok,ts", "mss,nop,ws", "mss,nop,nop,ts"] {
        for (window, quirks) in
            [("8192,0", "df,id+"), ("65535,8", "df,id+"), ("8192,8", "df"), ("65535,0", "df")]
        {
            for is_syn_ack in [false, true] {
                let found = answer(&format!("4:64+0:0:1460:{window}:{layout}:{quirks}:0"), is_syn_ack);
                let name = found.map_or("", |found| found.record.label.name.as_str());
                assert_ne!(name, "Windows", "{window}:{layout}:{quirks}");
            }
        }
    }
}

#[test]
fn a_relay_is_never_called_freebsd() {
    for ttl in ["64+0", "60+4", "255+0"] {
        for scale in [9, 12] {
            let found = answer(&format!("4:{ttl}:0:1460:65535,{scale}:mss,nop,ws,sok,ts:df:0"), false);
            assert_eq!(
                found.map(|found| found.record.label.name.as_str()),
                Some("Relay or proxy"),
                "{scale}"
            );
        }
    }
    for raw_sig in [
        "4:64+0:0:1460:65535,10:mss,nop,ws,sok,ts:df:0",
        "4:64+0:0:1460:65535,6:mss,nop,ws,sok,ts:df:0",
        "4:64+0:0:1460:20000,9:mss,nop,ws,sok,ts:df:0",
        "6:64+0:0:1440:65535,9:mss,nop,ws,sok,ts::0",
    ] {
        assert_eq!(label_of(answer(raw_sig, false)), "BSD or relay", "{raw_sig}");
    }
}

#[test]
fn a_clamped_windows_tells_the_mss_it_started_from() {
    let found = answer("4:120+8:0:1400:64240,8:mss,nop,ws,nop,nop,sok:df,id+:0", false).unwrap();
    assert_eq!(found.mss_origin, Some(1460));
}

#[test]
fn three_jumbo_segments_behind_a_lowered_mss_are_not_taken_for_the_buffer_of_one_version() {
    for (raw_sig, is_syn_ack, mss_origin) in [
        ("4:53+11:0:1318:26847,7:mss,sok,ts,nop,ws:df:0", true, Some(8961)),
        ("4:43+21:0:1460:26844,7:mss,sok,ts,nop,ws:df:0", true, Some(8960)),
        ("4:45+19:0:1460:26883,0:mss:df:0", true, Some(8961)),
        ("4:45+19:0:1460:26883,7:mss,nop,nop,sok,nop,ws:df:0", true, Some(8961)),
        // The TTL of another class as well.
        ("4:231+24:0:1452:26847,7:mss,sok,ts,nop,ws:df:0", true, Some(8961)),
        ("4:53+11:0:1460:26883,7:mss,sok,ts,nop,ws:df,id+:0", false, Some(8961)),
        ("6:53+11:0:1440:26823,7:mss,sok,ts,nop,ws:flow:0", false, Some(8941)),
        ("4:53+11:0:1460:26880,0:mss,nop,nop,sok:df,id+:0", false, Some(8960)),
    ] {
        let found = answer(raw_sig, is_syn_ack).unwrap();
        assert_eq!(found.record.label.to_string(), JUMBO_3, "{raw_sig}");
        assert_eq!((found.quality, found.mss_origin), (Quality::Fuzzy, mss_origin), "{raw_sig}");
    }
    // Twenty segments of the MSS that is seen.
    let label = label_of(answer("4:53+11:0:1344:mss*20,7:mss,sok,ts,nop,ws:df,id+:0", false));
    assert_eq!(label, TWENTY);
    // Of an MSS that only a translator makes of this one.
    assert_eq!(label_of(answer("4:53+11:0:1460:26820,7:mss,sok,ts,nop,ws:df,id+:0", false)), "Linux");
}

#[test]
fn a_front_end_of_google_is_not_taken_for_a_newer_linux_than_there_was() {
    for raw_sig in [
        "4:46+18:0:1430:mss*30,6:mss,sok,ts,nop,ws::0",
        "4:53+11:0:1430:mss*30,7:mss,nop,nop,sok,nop,ws::0",
        "4:52+12:0:1380:mss*31,7:mss,sok,ts,nop,ws::0",
        "4:57+7:0:1380:mss*31,8:mss,nop,nop,sok,nop,ws::0",
    ] {
        let found = answer(raw_sig, true);
        let quality = found.map(|found| found.quality);
        assert_eq!(
            (label_of(found), quality),
            ("Google front end".to_owned(), Some(Quality::Exact)),
            "{raw_sig}"
        );
    }
}

#[test]
fn a_buffer_that_older_kernels_fill_as_well_names_no_version() {
    for (raw_sig, is_syn_ack) in [
        // A larger initial window is asked for by a route, or by Android.
        ("4:142+?:0:1400:43440,6:mss,sok,ts,nop,ws:df:0", true),
        ("4:64+0:0:1460:mss*30,7:mss,sok,ts,nop,ws:df:0", true),
        ("4:64+0:0:1460:mss*29,6:mss,sok,ts,nop,ws:df,id+:0", false),
        ("4:64+0:0:1500:mss*21,10:mss,sok,ts,nop,ws:df,id+:0", false),
        // Five segments are less than any version opens with.
        ("4:64+0:0:1460:mss*5,7:mss,sok,ts,nop,ws:df,id+:0", false),
        ("4:64+0:0:1460:mss*5,7:mss,sok,ts,nop,ws:df:0", true),
    ] {
        let label = label_of(answer(raw_sig, is_syn_ack));
        assert!(label.starts_with("Linux (default receive buffer of "), "{raw_sig}: {label}");
    }
}

/// 6.18 sends the scale of older versions with a limit below 8 MiB, which it sets itself where there is little memory, and older
/// ones its own with a limit of 32 MiB.
#[test]
fn a_scale_tells_a_limit_of_the_receive_buffer_and_names_every_version_that_may_have_it() {
    for scale in [7, 10] {
        for (raw_sig, is_syn_ack) in [
            (format!("4:64+0:0:1460:mss*44,{scale}:mss,sok,ts,nop,ws:df,id+:0"), false),
            (format!("6:64+0:0:1440:mss*45,{scale}:mss,sok,ts,nop,ws:flow:0"), false),
            (format!("4:64+0:0:1460:mss*45,{scale}:mss,sok,ts,nop,ws:df:0"), true),
        ] {
            let label = label_of(answer(&raw_sig, is_syn_ack));
            let others = if scale == 7 { "newer with a smaller limit" } else { "older with a larger limit" };
            assert!(label.contains(others), "{raw_sig}: {label}");
        }
    }
}

#[test]
fn an_old_linux_is_not_named_alone_for_what_a_new_one_sends_with_other_settings() {
    for (raw_sig, is_syn_ack, expected) in [
        // SO_RCVBUF of 15000 and 30000.
        ("4:64+0:0:1460:mss*10,0:mss,sok,ts,nop,ws:df,id+:0", false, APP),
        ("6:64+0:0:1440:mss*10,0:mss,sok,ts,nop,ws:flow:0", false, APP),
        ("6:64+0:0:1440:mss*20,0:mss,sok,ts,nop,ws:flow:0", false, APP),
        ("4:64+0:0:1460:mss*10,0:mss,sok,ts,nop,ws:df:0", true, APP),
        ("6:64+0:0:1440:mss*20,0:mss,sok,ts,nop,ws:flow:0", true, APP),
        // A route with initrwnd.
        ("4:64+0:0:1460:mss*4,10:mss,sok,ts,nop,ws:df,id+:0", false, FOUR),
        ("4:64+0:0:1460:mss*10,10:mss,sok,ts,nop,ws:df,id+:0", false, TEN),
        ("4:64+0:0:1460:mss*20,10:mss,sok,ts,nop,ws:df,id+:0", false, TWENTY),
        ("4:64+0:0:1460:mss*10,10:mss,sok,ts,nop,ws:df:0", true, TEN),
        ("4:64+0:0:1460:mss*20,10:mss,sok,ts,nop,ws:df:0", true, TWENTY),
        // A default receive buffer of 60000 bytes.
        ("4:64+0:0:1460:mss*20,7:mss,sok,ts,nop,ws:df,id+:0", false, TWENTY),
        // One of 64 KiB, and one of 60000 bytes, with window scaling off.
        ("4:64+0:0:1460:mss*22,0:mss,sok,ts:df,id+:0", false, MIDDLE_NO_SCALE),
        ("4:64+0:0:1460:mss*20,0:mss,sok,ts:df,id+:0", false, TWENTY_NO_SCALE),
    ] {
        assert_eq!(label_of(answer(raw_sig, is_syn_ack)), expected, "{raw_sig}");
    }
}

#[test]
fn an_apple_is_told_by_its_identification_and_not_by_its_scale() {
    for scale in 4..=7 {
        for quirks in ["df", "df,ecn"] {
            let raw_sig = format!("4:64+0:0:1460:65535,{scale}:mss,nop,ws,nop,nop,ts,sok,eol+1:{quirks}:0");
            let found = answer(&raw_sig, false);
            assert_eq!(
                (label_of(found), found.map(|found| found.quality)),
                (APPLE.to_owned(), Some(Quality::Exact)),
                "{raw_sig}"
            );
        }
        for quirks in ["", "ecn", "flow", "ecn,flow"] {
            let raw_sig = format!("6:64+0:0:1440:65535,{scale}:mss,nop,ws,nop,nop,ts,sok,eol+1:{quirks}:0");
            assert_eq!(label_of(answer(&raw_sig, false)), "Apple macOS or iOS", "{raw_sig}");
        }
    }
    for scale in [4, 5] {
        let raw_sig = format!("4:64+0:0:1460:65535,{scale}:mss,nop,ws,nop,nop,ts,sok,eol+1:df,id+:0");
        assert_eq!(label_of(answer(&raw_sig, false)), OLD_APPLE, "{raw_sig}");
    }
}

#[test]
fn the_linux_that_wrote_timestamps_first_is_not_solaris() {
    let label = |raw_sig, is_syn_ack| label_of(answer(raw_sig, is_syn_ack));
    assert_eq!(label("4:64+0:0:1460:mss*4,5:sok,ts,mss,nop,ws:df,id+:0", false), "Linux 2.6.27");
    assert_eq!(label("6:64+0:0:1440:mss*4,7:sok,ts,mss,nop,ws::0", false), "Linux 2.6.27");
    assert_eq!(label("4:64+0:0:1460:mss*4,5:sok,ts,mss,nop,ws:df:0", true), "Linux 2.6.27");
    assert_eq!(label("4:64+0:0:1460:mss*44,2:sok,ts,mss,nop,ws:df,id+:0", false), "Solaris 11, or illumos");
    // A window that an application may have set.
    let either = "Solaris 11, or illumos, or Linux 2.6.27";
    assert_eq!(label("4:64+0:0:1460:8192,2:sok,ts,mss,nop,ws:df,id+:0", false), either);
    assert_eq!(label("4:64+0:0:1460:8192,2:sok,ts,mss,nop,ws:df:0", true), either);
}

#[test]
fn a_window_that_an_application_sets_on_any_windows_names_no_version() {
    for (raw_sig, is_syn_ack, expected) in [
        ("4:128+0:0:1460:65535,8:mss,nop,ws,nop,nop,sok:df,id+:0", false, ANY_WINDOWS),
        ("4:128+0:0:1285:mss*51,8:mss,nop,ws,nop,nop,sok:df,id+:0", false, ANY_WINDOWS),
        ("6:128+0:0:1440:65535,8:mss,nop,ws,nop,nop,sok:ecn,flow:0", false, ANY_WINDOWS),
        ("4:128+0:0:1460:65535,8:mss,nop,ws:df,id+:0", true, ANY_WINDOWS),
        ("4:128+0:0:1460:65535,0:mss,sok,ts:df,id+:0", true, ANY_WINDOWS),
        // What the stack computes by itself does name them.
        ("4:128+0:0:1460:mss*44,8:mss,nop,ws,nop,nop,sok:df,id+:0", false, NEW_WINDOWS),
    ] {
        assert_eq!(label_of(answer(raw_sig, is_syn_ack)), expected, "{raw_sig}");
    }
}

#[test]
fn vista_and_server_2008_are_named_where_7_and_2008_r2_are() {
    for (raw_sig, is_syn_ack) in [
        ("4:127+1:0:1460:8192,8:mss,nop,ws,sok,ts:df,id+:0", true),
        ("4:128+0:0:1460:8192,8:mss,nop,ws,nop,nop,sok:df,id+:0", true),
        ("4:128+0:0:1460:8192,8:mss,nop,ws,nop,nop,sok:df,id+:0", false),
        ("4:128+0:0:1460:8192,2:mss,nop,ws,nop,nop,sok:df,id+:0", false),
        ("4:128+0:0:1460:8192,8:mss,nop,ws,sok,ts:df,id+:0", false),
    ] {
        let label = label_of(answer(raw_sig, is_syn_ack));
        assert!(label.contains("Vista") && label.contains("Server 2008 to"), "{raw_sig}: {label}");
    }
}

#[test]
fn windows_that_older_versions_without_scaling_send_name_these_too() {
    for (window, older) in [("mss*44", "2000"), ("65535", "XP"), ("8192", "or older")] {
        let raw_sig = format!("4:128+0:0:1460:{window},0:mss,nop,nop,sok:df,id+:0");
        let label = label_of(answer(&raw_sig, false));
        assert!(label.contains(older), "{raw_sig}: {label}");
    }
}

#[test]
fn ranges_of_linux_begin_with_the_first_that_opens_with_so_many_segments() {
    for (raw_sig, is_syn_ack, first) in [
        ("4:64+0:0:1460:mss*4,0:mss,sok,ts,nop,ws:df,id+:0", false, "2.4 "),
        // RHEL 6 and 7.
        ("4:64+0:0:1460:mss*10,7:mss,sok,ts,nop,ws:df,id+:0", false, "2.6.32 "),
        ("4:64+0:0:1460:mss*10,7:mss,sok,ts,nop,ws:df:0", true, "2.6.32 "),
        ("4:64+0:0:1460:mss*20,7:mss,sok,ts,nop,ws:df,id+:0", false, "3.10 "),
        ("4:64+0:0:1460:mss*20,7:mss,sok,ts,nop,ws:df:0", true, "3.10 "),
    ] {
        let label = label_of(answer(raw_sig, is_syn_ack));
        assert!(label.starts_with(&format!("Linux {first}")), "{raw_sig}: {label}");
    }
}
