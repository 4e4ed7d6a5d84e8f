//! Extensions in any order and number, against JA4 written by hand.

use huginn_net_tls::{Carrier, ClientHello};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

/// A hello with these extensions, all of them empty.
#[expect(clippy::cast_possible_truncation, reason = "there are few")]
fn hello_with(kinds: &[u16]) -> Vec<u8> {
    let block: Vec<u8> = kinds.iter().flat_map(|kind| [&kind.to_be_bytes()[..], &[0, 0]].concat()).collect();
    let body =
        [&[3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0], &(block.len() as u16).to_be_bytes(), &block];
    let body = body.concat();
    let [_, length @ ..] = (body.len() as u32).to_be_bytes();
    [&[1][..], &length, &body].concat()
}

fn is_grease(kind: u16) -> bool {
    kind & 0x0f0f == 0x0a0a && kind >> 8 == kind & 0xff
}

fn joined(kinds: &[u16]) -> String {
    kinds.iter().map(|kind| format!("{kind:04x}")).collect::<Vec<_>>().join(",")
}

/// Types as clients send them, those that are left out somewhere, GREASE, and any others.
fn kind() -> impl Strategy<Value = u16> {
    prop_oneof![
        6 => 0_u16..70,
        2 => proptest::sample::select(vec![0, 16, 21, 35, 41, 42, 63, 64, 0x0a0a, 0xfafa, 0x0a1a, 0xff01, 0xfe0d, 0x44cd]),
        1 => any::<u16>(),
    ]
}

proptest! {
    #[test]
    fn extensions_are_listed_and_counted_as_by_hand(kinds in proptest::collection::vec(kind(), 0..40)) {
        let message = hello_with(&kinds);
        let hello = ClientHello::parse(&message, Carrier::Tcp).unwrap().done().unwrap();
        let sent: Vec<u16> = kinds.iter().copied().filter(|&kind| !is_grease(kind)).collect();
        let text = |count: usize, listed: Vec<u16>| {
            let name = if sent.contains(&0) { 'd' } else { 'i' };
            let mut text = format!("t12{name}01{:02}00_1301_{}", count.min(99), joined(&listed));
            if listed.is_empty() {
                text.truncate(text.rfind('_').unwrap() + 1);
            }
            text
        };
        let mut sorted: Vec<u16> = sent.iter().copied().filter(|kind| ![0, 16].contains(kind)).collect();
        sorted.sort_unstable();
        let is_of_session = |kind: &u16| [21, 35, 41, 42].contains(kind);
        let lasting = sent.iter().filter(|kind| !is_of_session(kind)).count();
        let stable = sorted.iter().copied().filter(|kind| !is_of_session(kind)).collect();
        prop_assert_eq!(hello.ja4_r().to_string(), text(sent.len(), sorted));
        prop_assert_eq!(hello.ja4_ro().to_string(), text(sent.len(), sent.clone()));
        prop_assert_eq!(hello.ja4_s1r().to_string(), text(lasting, stable));
        for (hashed, written) in [
            (hello.ja4().to_string(), hello.ja4_r().to_string()),
            (hello.ja4_o().to_string(), hello.ja4_ro().to_string()),
            (hello.ja4_s1().to_string(), hello.ja4_s1r().to_string()),
        ] {
            let hash = |list: &str| match list {
                "" => "000000000000".to_owned(),
                list => Sha256::digest(list)[..6].iter().map(|byte| format!("{byte:02x}")).collect(),
            };
            let (a, lists) = written.split_once('_').unwrap();
            let (b, c) = lists.split_once('_').unwrap();
            prop_assert_eq!(hashed, format!("{a}_{}_{}", hash(b), hash(c)));
        }
    }
}
