//! Matching against p0f 3.09b, which was run on captures made for one rule each.
#![cfg(test)]

mod observe;

use huginn_net_db::{Database, Quality, TcpMatch};
use huginn_net_tcp::TcpObservation;
use testkit::corpus::{self, Table};

use observe::observation;

/// Label, quality and distance.
type Answer<'a> = Option<(&'a str, Quality, u8)>;

/// Where p0f's answer is a fault: what the answer must be.
const BETTER: [(&str, Answer<'_>); 9] = [
    ("c09_v6_star_flow_extra", Some(("OSany star", Quality::Fuzzy, 0))),
    ("c12_v6_star_flow_missing", Some(("OSanyF starflow", Quality::Fuzzy, 0))),
    ("c13_v6_star_mbz", Some(("OSmbz mbz", Quality::Exact, 0))),
    ("c15_v6sig_v4pkt", None),
    ("c16_v4sig_v6pkt_fuzzy", None),
    ("j17_tool_fuzzy", None),
    ("j18_fuzzy_first", Some(("FuzzyB second, ttl exact", Quality::Fuzzy, 8))),
    ("j37_badttl_olen", None),
    ("j38_badttl_olen8", Some(("BadTtlOlen 64- then olen 8", Quality::Exact, 0))),
];

#[test]
fn answers_as_p0f_does_except_where_p0f_is_wrong() {
    let database = Database::open(corpus::path("fp/match.fp")).unwrap();
    let table = Table::open("tcp/index.tsv");
    let mut better = BETTER.to_vec();
    let mut compared = 0;
    for row in table.rows().filter(|row| row.field("database") == "match.fp") {
        let id = row.field("id");
        let verdicts: Vec<Verdict<'_>> =
            row.field("observations").split("},{").filter_map(Verdict::parse).collect();
        assert!(!verdicts.is_empty(), "{id} has an observation");
        for verdict in verdicts {
            let seen = observation(verdict.raw_sig, verdict.is_syn_ack);
            let answer =
                if verdict.is_syn_ack { database.match_syn_ack(&seen) } else { database.match_syn(&seen) };
            let expected = match better.iter().position(|&(of, _)| of == id) {
                Some(at) => better.swap_remove(at).1,
                None => {
                    assert_eq!(row.field("required"), "=", "{id} differs from p0f in an unknown way");
                    assert_eq!(distance(&seen, answer), verdict.distance, "distance of {id}");
                    verdict.label.map(|label| (label, verdict.quality, verdict.hops()))
                }
            };
            let answer_text = answer.map(|found| found.record.label.to_string());
            let answer = answer_text
                .as_deref()
                .zip(answer)
                .map(|(label, found)| (label, found.quality, found.distance));
            assert_eq!(answer, expected, "{id}");
            compared += 1;
        }
    }
    assert_eq!(better, [], "rows that are not in the table");
    assert_eq!(compared, 41);
}

#[test]
fn a_packet_without_a_signature_still_has_a_guessed_distance() {
    let seen = observation("4:60+4:0:1460:5556,0:mss,nop,nop,sok:ecn:0", false);
    assert_eq!(seen.ttl_guess().distance(), 4);
}

#[test]
fn the_first_link_with_an_mtu_is_named() {
    let database = Database::open(corpus::path("fp/match.fp")).unwrap();
    assert_eq!(database.link_of(1500).map(|record| &*record.link), Some("test-eth"));
    assert_eq!(database.link_of(1440), None);
}

/// What p0f said of one packet.
struct Verdict<'a> {
    is_syn_ack: bool,
    raw_sig: &'a str,
    label: Option<&'a str>,
    quality: Quality,
    distance: &'a str,
}

impl<'a> Verdict<'a> {
    /// `None` for verdicts on something else than the signature.
    fn parse(json: &'a str) -> Option<Self> {
        let field = |name: &str| {
            let (_, value) = json.split_once(&format!("\"{name}\":\""))?;
            value.split_once('"').map(|(value, _)| value)
        };
        let is_syn_ack = match field("mod")? {
            "syn" => false,
            "syn+ack" => true,
            _ => return None,
        };
        let params = field("params")?;
        let quality = match (params.contains("fuzzy"), params.contains("generic")) {
            (true, _) => Quality::Fuzzy,
            (false, true) => Quality::Generic,
            (false, false) => Quality::Exact,
        };
        Some(Self {
            is_syn_ack,
            raw_sig: field("raw_sig")?,
            label: field("os").or_else(|| field("app")).filter(|&label| label != "???"),
            quality,
            distance: field("dist")?,
        })
    }

    fn hops(&self) -> u8 {
        self.distance.trim_start_matches("<= ").parse().unwrap()
    }
}

/// The distance as p0f prints it.
fn distance(seen: &TcpObservation, answer: Option<TcpMatch<'_>>) -> String {
    match answer {
        Some(found) if found.distance_at_most => format!("<= {}", found.distance),
        Some(found) => found.distance.to_string(),
        None => seen.ttl_guess().distance().to_string(),
    }
}
