//! Known records that resemble a value.
//!
//! A distance counts what differs. It orders records of one kind and is no probability:
//!
//! | value | counted |
//! |---|---|
//! | JA4, JA4_s1 | 6 each for part b and part c, 1 for each of the six fields of part a; against the JA4 of the record, and against its JA4_s1 if that has the same part c |
//! | JA4_r, JA4_ro | 1 for each cipher suite, extension and signature algorithm that only one side has, 1 for another carrier, version, presence of the server name, and ALPN |
//! | text of a JA3 | 1 for each cipher suite and extension that only one side has |
//! | start of HTTP/2 | 1 for each setting that only one side has or for their order, 1 for another window, priorities, and pseudo-headers |
//! | TCP signature | 1 for each of the fields the signature does not allow |

use huginn_net_http::{AkamaiFingerprint, Http2Setting, Http2Settings};
use huginn_net_tcp::{TcpObservation, TtlGuess};
use huginn_net_tls::{Ja3Lists, Ja4, Ja4Lists, Ja4Stable};

use super::Fingerprint;
use super::observation::best;
use crate::tcp::{Direction, SegmentedWindow};
use crate::{Database, Http2Record, SignatureTtl, TcpFactSet, TcpRecord, TcpSignature, TlsRecord};

/// A record that resembles a value without being equal to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Neighbour<'a> {
    /// How much differs, counted as `docs/fingerprints.md` tells; at least 1.
    pub distance: u32,
    /// The record.
    pub record: KnownRecord<'a>,
    /// What differs.
    pub differences: Vec<Difference>,
}

/// A record of one of the kinds that are compared with values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum KnownRecord<'a> {
    /// Clients by their hello.
    Tls(&'a TlsRecord),
    /// Clients by their start of HTTP/2.
    Http2(&'a Http2Record),
    /// A SYN.
    Syn(&'a TcpRecord),
    /// A SYN+ACK.
    SynAck(&'a TcpRecord),
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// For example `alpn` or `cipher_suites`.
    pub part: &'static str,
    /// What the value has, or has alone; may be empty.
    pub value: String,
    /// What the record has, or has alone; may be empty.
    pub record: String,
}

/// What differs, while it is only counted or when it is to be told.
#[derive(Default)]
struct Differences {
    distance: u32,
    /// Parts that are equal, of those that tell much.
    equal_parts: u32,
    told: Option<Vec<Difference>>,
}

/// Other stacks differ in nearly everything.
const MAX_TCP_DISTANCE: u32 = 3;

impl Database {
    /// The records nearest to a value, at most `count`, the nearest first and among equals in the order of the
    /// database. Records that are equal to it are what [`Database::match_fingerprint`] finds, and are left out.
    ///
    /// Of hashes only their equality can be seen: nothing is near to an MD5, nor to a head, of which signatures leave much open;
    /// and a JA4 is near to those that it has a
    /// part in common with. It takes time in proportion to the number of records.
    pub fn nearest(&self, value: &Fingerprint, count: usize) -> Vec<Neighbour<'_>> {
        match value {
            Fingerprint::Md5(_) | Fingerprint::Http1(_) => Vec::new(),
            Fingerprint::Ja4(_) | Fingerprint::Ja4Lists(_) | Fingerprint::Ja3Lists(_) => {
                nearest(&self.clients.tls, count, KnownRecord::Tls, |record, differences| {
                    tls(value, record, differences)
                })
            }
            Fingerprint::Http2(seen) => {
                nearest(&self.clients.http2, count, KnownRecord::Http2, |record, differences| {
                    http2(seen, &record.signature, differences)
                })
            }
            Fingerprint::Tcp(seen) => {
                let syn = best(seen, |seen| self.match_syn(seen)).map_or(**seen, |(seen, _)| seen);
                let syn_ack = best(seen, |seen| self.match_syn_ack(seen)).map_or(**seen, |(seen, _)| seen);
                let near = |seen: TcpObservation, direction: Direction| {
                    move |record: &TcpRecord, differences: &mut Differences| {
                        tcp(&seen, direction, &record.signature, differences)
                            && differences.distance <= MAX_TCP_DISTANCE
                    }
                };
                let near_syn = near(syn, Direction::Syn);
                let near_syn_ack = near(syn_ack, Direction::SynAck);
                let mut found = nearest(&self.tcp.syn, count, KnownRecord::Syn, near_syn);
                found.extend(nearest(&self.tcp.syn_ack, count, KnownRecord::SynAck, near_syn_ack));
                found.sort_by_key(|neighbour| neighbour.distance);
                found.truncate(count);
                found
            }
        }
    }
}

/// `compare` says whether a record can be compared and resembles the value at all.
fn nearest<'a, R>(
    records: &'a [R],
    count: usize,
    known: fn(&'a R) -> KnownRecord<'a>,
    compare: impl Fn(&R, &mut Differences) -> bool,
) -> Vec<Neighbour<'a>> {
    let mut near: Vec<(u32, &'a R)> = records
        .iter()
        .filter_map(|record| {
            let mut differences = Differences::default();
            let resembles = compare(record, &mut differences) && differences.distance > 0;
            resembles.then_some((differences.distance, record))
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.truncate(count);
    near.into_iter()
        .map(|(distance, record)| {
            let mut told = Differences { told: Some(Vec::new()), ..Differences::default() };
            compare(record, &mut told);
            Neighbour { distance, record: known(record), differences: told.told.unwrap_or_default() }
        })
        .collect()
}

impl Differences {
    /// Counts `weight` if two things differ.
    fn compare(&mut self, part: &'static str, value: &str, record: &str, weight: u32) -> bool {
        let equal = value == record;
        if !equal {
            self.add(part, weight, || (value.to_owned(), record.to_owned()));
        }
        equal
    }

    fn add(&mut self, part: &'static str, weight: u32, tell: impl FnOnce() -> (String, String)) {
        self.distance = self.distance.saturating_add(weight);
        if let Some(told) = &mut self.told {
            let (value, record) = tell();
            told.push(Difference { part, value, record });
        }
    }

    /// Counts what only one of two lists has.
    fn compare_sets<T: Ord + Copy>(
        &mut self,
        part: &'static str,
        value: &[T],
        record: &[T],
        write: fn(T) -> String,
    ) {
        let (only_value, only_record) = (without(value, record), without(record, value));
        let count = u32::try_from(only_value.len() + only_record.len()).unwrap_or(u32::MAX);
        if count > 0 {
            let list = |items: Vec<T>| items.into_iter().map(write).collect::<Vec<_>>().join(",");
            self.add(part, count, || (list(only_value), list(only_record)));
        }
    }
}

/// What is in the first list and not in the second, as often as it is there more often.
fn without<T: Ord + Copy>(one: &[T], other: &[T]) -> Vec<T> {
    let sorted = |items: &[T]| {
        let mut items = items.to_vec();
        items.sort_unstable();
        items
    };
    let mut others = sorted(other).into_iter().peekable();
    let mut left = sorted(one);
    left.retain(|item| {
        while others.next_if(|other| other < item).is_some() {}
        others.next_if_eq(item).is_none()
    });
    left
}

fn tls(value: &Fingerprint, record: &TlsRecord, differences: &mut Differences) -> bool {
    let signature = &record.signature;
    match value {
        Fingerprint::Ja4(ja4) => {
            let value = ja4.as_str();
            // The value may be a JA4_s1, too. That a count happens to fit does not make it one; part c does.
            let part_c = |ja4: &str| ja4.get(24..).map(str::to_owned);
            let stable = signature.ja4_s1.as_ref().map(Ja4Stable::as_str);
            let stable = stable.filter(|stable| part_c(stable) == part_c(value));
            let forms = [signature.ja4.as_ref().map(Ja4::as_str), stable];
            let distance = |form: &&str| {
                let mut counted = Differences::default();
                ja4_parts(value, form, &mut counted);
                counted.distance
            };
            forms.into_iter().flatten().min_by_key(distance).is_some_and(|form| {
                ja4_parts(value, form, differences);
                differences.equal_parts > 0
            })
        }
        Fingerprint::Ja4Lists(lists) => signature.lists().is_some_and(|known| {
            ja4_lists(lists, known, differences);
            true
        }),
        Fingerprint::Ja3Lists(lists) => signature.lists().is_some_and(|known| {
            ja3_lists(lists, known, differences);
            true
        }),
        Fingerprint::Md5(_) | Fingerprint::Tcp(_) | Fingerprint::Http1(_) | Fingerprint::Http2(_) => false,
    }
}

/// The fields of part a, which has one form.
fn fields_of_a(ja4: &str) -> [(&'static str, &str); 6] {
    let field = |from: usize, to: usize| ja4.get(from..to).unwrap_or_default();
    [
        ("carrier", field(0, 1)),
        ("version", field(1, 3)),
        ("server_name", field(3, 4)),
        ("cipher_suite_count", field(4, 6)),
        ("extension_count", field(6, 8)),
        ("alpn", field(8, 10)),
    ]
}

fn ja4_parts(value: &str, record: &str, differences: &mut Differences) {
    const HASH: u32 = 6;

    let before = differences.distance;
    for ((part, value), (_, record)) in fields_of_a(value).into_iter().zip(fields_of_a(record)) {
        differences.compare(part, value, record, 1);
    }
    differences.equal_parts += u32::from(differences.distance == before);
    let hashes = |ja4: &str| {
        [ja4.get(11..23).unwrap_or_default().to_owned(), ja4.get(24..).unwrap_or_default().to_owned()]
    };
    for (part, (value, record)) in
        ["ciphers", "extensions"].into_iter().zip(hashes(value).into_iter().zip(hashes(record)))
    {
        differences.equal_parts += u32::from(differences.compare(part, &value, &record, HASH));
    }
}

fn hex(number: u16) -> String {
    format!("{number:04x}")
}

fn ja4_lists(value: &Ja4Lists, record: &Ja4Lists, differences: &mut Differences) {
    let sorted = value.sorted();
    // Counts follow from the lists.
    let fields = fields_of_a(value.part_a()).into_iter().zip(fields_of_a(record.part_a()));
    for ((part, value), (_, record)) in fields.filter(|((part, _), _)| !part.ends_with("_count")) {
        differences.compare(part, value, record, 1);
    }
    differences.compare_sets("cipher_suites", sorted.cipher_suites(), record.cipher_suites(), hex);
    differences.compare_sets("extensions", sorted.extensions(), record.extensions(), hex);
    let (algorithms, known) = (sorted.signature_algorithms(), record.signature_algorithms());
    differences.compare_sets("signature_algorithms", algorithms, known, hex);
    compare_order("signature_algorithm_order", algorithms, known, differences, hex);
}

/// Counts 1 if two lists have the same items in another order.
fn compare_order<T: Ord + Copy>(
    part: &'static str,
    value: &[T],
    record: &[T],
    differences: &mut Differences,
    write: fn(T) -> String,
) {
    if value != record && without(value, record).is_empty() && without(record, value).is_empty() {
        let list = |items: &[T]| items.iter().copied().map(write).collect::<Vec<_>>().join(",");
        differences.add(part, 1, || (list(value), list(record)));
    }
}

fn ja3_lists(value: &Ja3Lists, record: &Ja4Lists, differences: &mut Differences) {
    // JA4_r does not list server name and ALPN.
    let listed: Vec<u16> =
        value.extensions().iter().copied().filter(|kind| !matches!(kind, 0 | 16)).collect();
    differences.compare_sets("cipher_suites", value.cipher_suites(), record.cipher_suites(), hex);
    differences.compare_sets("extensions", &listed, record.extensions(), hex);
}

fn http2(value: &AkamaiFingerprint, record: &AkamaiFingerprint, differences: &mut Differences) -> bool {
    let setting = |Http2Setting { id, value }: Http2Setting| format!("{}:{value}", id.0);
    let known = |seen: &AkamaiFingerprint| {
        let settings = seen.settings.iter().flat_map(Http2Settings::list).copied();
        settings.filter(|setting| !setting.id.is_grease()).collect::<Vec<_>>()
    };
    let (settings, known) = (known(value), known(record));
    differences.compare_sets("settings", &settings, &known, setting);
    compare_order("setting_order", &settings, &known, differences, setting);
    let fields = |seen: &AkamaiFingerprint| {
        let text = seen.akamai().to_string();
        let mut fields = text.split('|').skip(1).map(str::to_owned);
        [(); 3].map(|()| fields.next().unwrap_or_default())
    };
    let parts = ["window", "priorities", "pseudo_headers"];
    for (part, (value, record)) in parts.into_iter().zip(fields(value).into_iter().zip(fields(record))) {
        differences.compare(part, &value, &record, 1);
    }
    true
}

fn tcp(
    seen: &TcpObservation,
    direction: Direction,
    signature: &TcpSignature,
    differences: &mut Differences,
) -> bool {
    // The order of the options is what tells stacks apart most.
    if seen.layout != signature.layout {
        return false;
    }
    if signature.version.is_some_and(|version| version != seen.ip_version) {
        let record = signature.version.map(|version| version.to_string()).unwrap_or_default();
        differences.add("version", 1, || (seen.ip_version.to_string(), record));
    }
    let came_from = |ttl: u8| ttl.checked_sub(seen.ttl);
    let ttl = match signature.ttl {
        SignatureTtl::Initial(ttl) => came_from(ttl).is_some_and(|hops| hops <= TtlGuess::MAX_DISTANCE),
        SignatureTtl::AtMost(ttl) => came_from(ttl).is_some(),
    };
    let mss = signature.mss.is_none_or(|mss| mss == seen.mss.unwrap_or(0));
    let scale = signature.window_scale.is_none_or(|scale| scale == seen.window_scale.unwrap_or(0));
    let window = SegmentedWindow::new(seen, direction, seen.timestamps.is_some());
    let fields = [
        ("ttl", 1, ttl),
        ("ip_options", 2, seen.ip_options_len == signature.ip_options_len),
        ("mss", 3, mss),
        ("window", 4, window.follows(signature.window)),
        ("window_scale", 4, scale),
        ("quirks", 6, seen.quirks == signature.quirks),
        ("payload", 7, signature.has_payload.is_none_or(|has| has == seen.has_payload)),
    ];
    for (part, index, fits) in fields {
        if !fits {
            let field = |text: String| text.split(':').nth(index).unwrap_or_default().to_owned();
            differences.add(part, 1, || (field(seen.to_string()), field(signature.to_string())));
        }
    }
    let facts = TcpFactSet::of(&seen.facts);
    if !facts.contains(signature.facts) {
        differences.add("facts", 1, || (facts.to_string(), signature.facts.to_string()));
    }
    true
}
