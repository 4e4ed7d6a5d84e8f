//! Options as they are sent, and as they are damaged.

use super::*;

fn layout_and_quirks(options: &[u8]) -> String {
    let parsed = TcpOptions::parse(options);
    format!("{}:{}", parsed.layout, parsed.quirks)
}

#[test]
fn reads_the_options_of_a_linux_syn() {
    let parsed = TcpOptions::parse(&[
        2, 4, 0x05, 0xb4, 4, 2, 8, 10, 0, 0, 0, 9, 0, 0, 0, 0, 1, 3, 3, 7, //
    ]);
    assert_eq!(parsed.layout.to_string(), "mss,sok,ts,nop,ws");
    assert_eq!(parsed.mss, Some(1460));
    assert_eq!(parsed.window_scale, Some(7));
    assert_eq!(parsed.timestamps, Some(Timestamps { own: 9, peer: 0 }));
    assert_eq!(parsed.quirks, Quirks::NONE);
}

#[test]
fn timestamps_read_alone_are_those_of_all_options() {
    let alone = [1, 1, 8, 10, 0, 0, 1, 2, 0, 3, 0, 4];
    assert_eq!(TcpOptions::timestamps_of(&alone), Some(Timestamps { own: 0x102, peer: 0x3_0004 }));
    let before_another = [alone.as_slice(), &[1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 8]].concat();
    assert_eq!(TcpOptions::timestamps_of(&before_another), Some(Timestamps { own: 7, peer: 8 }));
    for at in 0..alone.len() {
        for value in 0..=u8::MAX {
            let mut options = alone;
            options[at] = value;
            let all = TcpOptions::parse(&options).timestamps;
            assert_eq!(TcpOptions::timestamps_of(&options), all, "{options:02x?}");
        }
    }
}

#[test]
fn a_wrong_length_byte_is_bad_but_the_value_counts() {
    let parsed = TcpOptions::parse(&[2, 3, 0x05, 0xb4, 3, 9, 2, 4, 7]);
    assert_eq!(parsed.layout.to_string(), "mss,ws,sok");
    assert_eq!((parsed.mss, parsed.window_scale), (Some(1460), Some(2)));
    assert_eq!(parsed.quirks, Quirks::BAD);
}

#[test]
fn an_option_that_runs_past_the_end_stays_in_the_layout_without_a_value() {
    let parsed = TcpOptions::parse(&[1, 2, 4, 0x05]);
    assert_eq!(parsed.layout.to_string(), "nop,mss");
    assert_eq!(parsed.mss, None);
    assert_eq!(parsed.quirks, Quirks::BAD);
}

#[test]
fn an_impossible_length_ends_the_parsing() {
    assert_eq!(layout_and_quirks(&[77, 1, 2, 4, 5, 0xb4]), "?77:bad");
    assert_eq!(layout_and_quirks(&[5, 9, 1, 1, 1, 1, 1, 1, 1]), "sack:bad");
    assert_eq!(layout_and_quirks(&[5, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1]), "sack,nop:");
}

#[test]
fn any_byte_after_the_end_of_the_list_is_seen() {
    assert_eq!(layout_and_quirks(&[1, 0, 0, 0]), "nop,eol+2:");
    assert_eq!(layout_and_quirks(&[1, 0, 0, 1]), "nop,eol+2:opt+");
    assert_eq!(layout_and_quirks(&[1, 0, 1]), "nop,eol+1:opt+");
    assert_eq!(layout_and_quirks(&[0]), "eol+0:");
}

#[test]
fn words_differ_where_layouts_do() {
    let words = |kinds: &[u8], padding| {
        let mut layout = OptionLayout { padding, ..OptionLayout::EMPTY };
        assert!(kinds.iter().all(|&kind| layout.push(OptionKind(kind))));
        layout.to_words()
    };
    assert_eq!(words(&[2, 4, 8, 1, 3], 0), words(&[2, 4, 8, 1, 3], 0));
    // An end of list is a zero, as what is beyond the end.
    let others: [(&[u8], u8); 5] = [(&[], 0), (&[0], 0), (&[0], 1), (&[1; 39], 0), (&[1; 40], 0)];
    for (at, (kinds, padding)) in others.iter().enumerate() {
        for (other, other_padding) in &others[..at] {
            assert_ne!(words(kinds, *padding), words(other, *other_padding), "{kinds:?} {other:?}");
        }
    }
}

#[test]
fn forty_one_byte_options_fit() {
    assert_eq!(TcpOptions::parse(&[1; 40]).layout.kinds().len(), 40);
    assert_eq!(TcpOptions::parse(&[1; 40]).quirks, Quirks::NONE);
}

#[test]
fn an_excessive_scale_is_remembered_when_a_smaller_one_follows() {
    let parsed = TcpOptions::parse(&[3, 3, 15, 3, 3, 2]);
    assert_eq!(parsed.window_scale, Some(2));
    assert_eq!(parsed.quirks, Quirks::EXCESSIVE_SCALE);
}

#[test]
fn reads_fast_open_cookies_and_the_multipath_version() {
    let parsed = TcpOptions::parse(&[34, 10, 1, 2, 3, 4, 5, 6, 7, 8, 30, 4, 0x01, 0x81]);
    assert_eq!(parsed.fast_open_cookie, Some(8));
    assert_eq!(parsed.mptcp_version, Some(1));
    for subtype in 1..=15 {
        let options = [30, 4, subtype << 4 | 1, 0];
        assert_eq!(TcpOptions::parse(&options).mptcp_version, None, "subtype {subtype}");
    }
}
