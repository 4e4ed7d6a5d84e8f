//! JA3 and JA3S of every capture, computed by tshark and by this project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use testkit::corpus;

use super::{name, ours, output};

/// Captures with a hello of which tshark gives another JA3 or none, and why.
const DEVIATIONS: &[(&str, &str)] = &[
    ("ext-block-short", "it believes the lengths of extensions where they contradict that of their block"),
    ("ext-overrun", "it gives none to a hello with an extension that is longer than what is left"),
    ("hand-crypto-shuffled", "it does not join frames of QUIC that are out of order within one packet"),
    ("tunnel-rdp", "it takes what follows a negotiation of RDP for more of TPKT"),
];

/// `random` of a ServerHello that is a HelloRetryRequest (RFC 8446 §4.1.3), which tshark takes for an answer.
const RETRY_REQUEST: &str = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

/// Hashes, and how often each is seen.
type Hashes = BTreeMap<String, usize>;

fn captures() -> Vec<PathBuf> {
    ["tls/pcap", "tls/pcap-hand", "tls/quic-pcap", "tls/tcp"].into_iter().flat_map(corpus::captures).collect()
}

/// JA3 and JA3S of a capture.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    ja3: Hashes,
    ja3s: Hashes,
}

impl Seen {
    fn by_us(capture: &Path) -> Self {
        let mut seen = Self::default();
        for record in ours(capture, false) {
            for (key, hashes) in [("tls.client.ja3", &mut seen.ja3), ("tls.server.ja3s", &mut seen.ja3s)] {
                if let Some(hash) = record[key].as_str() {
                    *hashes.entry(hash.to_owned()).or_default() += 1;
                }
            }
        }
        seen
    }

    fn by_tshark(capture: &Path) -> Self {
        const FIELDS: [&str; 6] = [
            "tls.handshake.ja3",
            "dtls.handshake.ja3",
            "tls.handshake.ja3s",
            "dtls.handshake.ja3s",
            "tls.handshake.random",
            "dtls.handshake.random",
        ];
        const HASHES: &str =
            "tls.handshake.ja3 || dtls.handshake.ja3 || tls.handshake.ja3s || dtls.handshake.ja3s";
        // Streams may come in any order, and some captures have TLS on a port that is known for something else.
        let settings =
            ["-n", "-o", "tcp.reassemble_out_of_order:TRUE", "-d", "tcp.port==445,tls", "-T", "fields"];
        let mut args = settings.to_vec();
        args.extend(["-Y", HASHES]);
        args.extend(["-r", capture.to_str().expect("paths are UTF-8")]);
        args.extend(FIELDS.iter().flat_map(|field| ["-e", field]));
        let mut seen = Self::default();
        for line in output("tshark", &args).lines() {
            let fields: Vec<_> = line.split('\t').collect();
            let [ja3, ja3_of_dtls, ja3s, ja3s_of_dtls, random, random_of_dtls] =
                fields.try_into().expect("as many fields as asked for");
            let ja3s = if random == RETRY_REQUEST { "" } else { ja3s };
            let ja3s_of_dtls = if random_of_dtls == RETRY_REQUEST { "" } else { ja3s_of_dtls };
            for (fields, counts) in
                [([ja3, ja3_of_dtls], &mut seen.ja3), ([ja3s, ja3s_of_dtls], &mut seen.ja3s)]
            {
                let hashes = fields.iter().flat_map(|field| field.split(','));
                for hash in hashes.filter(|hash| !hash.is_empty()) {
                    *counts.entry(hash.to_owned()).or_default() += 1;
                }
            }
        }
        seen
    }
}

#[test]
fn ja3_and_ja3s_are_those_of_tshark() {
    let mut deviating = BTreeSet::new();
    let (mut hellos, mut answers) = (0, 0);
    for capture in captures() {
        let (ours, theirs) = (Seen::by_us(&capture), Seen::by_tshark(&capture));
        hellos += theirs.ja3.values().sum::<usize>();
        answers += theirs.ja3s.values().sum::<usize>();
        if ours != theirs {
            println!("{}: tshark {theirs:?}, ours {ours:?}", name(&capture));
            deviating.insert(name(&capture).to_owned());
        }
    }
    assert!(hellos > 250 && answers > 100, "{hellos} hellos, {answers} answers");
    let known = DEVIATIONS.iter().map(|(name, _reason)| (*name).to_owned()).collect();
    assert_eq!(deviating, known);
}
