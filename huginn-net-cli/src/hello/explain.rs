//! Where the parts of a JA4 come from.

use huginn_net::tls::{
    Carrier, CipherSuite, ClientHello, ExtensionType, Ja4Lists, Ja4Stable, ProtocolVersion, SignatureScheme,
};

/// What JA4 was made of.
pub(super) struct Explanation {
    /// The six fields of part a.
    pub(super) fields: Vec<Field>,
    /// Part b: the cipher suites, sorted.
    pub(super) cipher_suites: Vec<Item>,
    /// Part c: the extensions, sorted, without those that JA4 leaves out.
    pub(super) extensions: Vec<Item>,
    /// Part c: the signature algorithms in the order of the hello.
    pub(super) signature_algorithms: Vec<Item>,
    /// Extensions that are counted in part a and not listed in part c.
    pub(super) counted_only: Vec<Item>,
    /// Extensions that JA4_s1 leaves out.
    pub(super) left_out_of_s1: Vec<Item>,
}

/// A field of part a.
pub(super) struct Field {
    /// Its characters.
    pub(super) text: String,
    /// What it tells.
    pub(super) name: &'static str,
    /// Where it comes from.
    pub(super) reason: String,
}

/// A number with its name.
pub(super) struct Item {
    pub(super) number: u16,
    pub(super) name: Option<&'static str>,
}

impl Explanation {
    pub(super) fn of(hello: &ClientHello<'_>) -> Self {
        let ja4 = hello.ja4();
        let part = |from: usize, to: usize| ja4.as_str().get(from..to).unwrap_or_default().to_owned();
        let field = |from, to, name, reason| Field { text: part(from, to), name, reason };
        let fields = vec![
            field(0, 1, "carrier", format!("carried by {}", carrier_name(hello.carrier()))),
            field(1, 3, "version", version(hello)),
            field(3, 4, "server_name", server_name(hello)),
            field(4, 6, "cipher_suite_count", count("cipher suite", cipher_counts(hello))),
            field(6, 8, "extension_count", count("extension", extension_counts(hello))),
            field(8, 10, "alpn", alpn(hello)),
        ];

        let lists = hello.ja4_lists();
        let list = |items: fn(&Ja4Lists) -> &[u16], name: fn(u16) -> Option<&'static str>| {
            items(&lists).iter().map(|&number| Item { number, name: name(number) }).collect::<Vec<_>>()
        };
        let extension = |number: u16| ExtensionType(number).name();
        let kinds = |those: &[ExtensionType]| -> Vec<Item> {
            let kinds = hello.extensions().kinds_without_grease().filter(|kind| those.contains(kind));
            kinds.map(|kind| Item { number: kind.0, name: kind.name() }).collect()
        };
        Self {
            fields,
            cipher_suites: list(Ja4Lists::cipher_suites, |number| CipherSuite(number).name()),
            extensions: list(Ja4Lists::extensions, extension),
            signature_algorithms: list(Ja4Lists::signature_algorithms, |number| {
                SignatureScheme(number).name()
            }),
            counted_only: kinds(&[ExtensionType::SERVER_NAME, ExtensionType::ALPN]),
            left_out_of_s1: kinds(&Ja4Stable::LEFT_OUT),
        }
    }
}

pub(super) const fn carrier_name(carrier: Carrier) -> &'static str {
    match carrier {
        Carrier::Tcp => "TCP",
        Carrier::Quic => "QUIC",
        Carrier::Dtls => "DTLS",
    }
}

/// `TLS 1.3 (0304)`, or the number alone.
pub(super) fn version_name(version: ProtocolVersion) -> String {
    match version.name() {
        Some(name) => format!("{name} ({version})"),
        None => version.to_string(),
    }
}

fn version(hello: &ClientHello<'_>) -> String {
    let name = version_name(hello.version());
    let offered: Vec<_> = hello.supported_versions().without_grease().map(|it| it.to_string()).collect();
    if offered.is_empty() {
        let absent = hello.extension(ExtensionType::SUPPORTED_VERSIONS).is_none();
        let why = if absent { "is not there" } else { "has no version" };
        return format!("{name}: the version field, for supported_versions {why}");
    }
    let grease = if hello.supported_versions().has_grease() { "; GREASE left out" } else { "" };
    format!("{name}: the greatest of supported_versions, {}{grease}", offered.join(", "))
}

fn server_name(hello: &ClientHello<'_>) -> String {
    match (hello.has_server_name(), hello.server_name()) {
        (false, _) => "server_name is not there".to_owned(),
        (true, None) => "server_name is there, without a name".to_owned(),
        (true, Some(name)) => format!("server_name is there: {}", name.escape_ascii()),
    }
}

/// How many there are without GREASE, and of GREASE.
type Counts = (usize, usize);

fn cipher_counts(hello: &ClientHello<'_>) -> Counts {
    let counted = hello.cipher_suites().without_grease().count();
    (counted, hello.cipher_suites().len() - counted)
}

fn extension_counts(hello: &ClientHello<'_>) -> Counts {
    let counted = hello.extensions().kinds_without_grease().count();
    (counted, hello.extensions().count() - counted)
}

fn count(what: &str, (counted, grease): Counts) -> String {
    let plural = if counted == 1 { "" } else { "s" };
    let above = if counted > 99 { "; the field ends at 99" } else { "" };
    let left_out = if grease > 0 { format!("; {grease} of GREASE left out") } else { String::new() };
    format!("{counted} {what}{plural}{above}{left_out}")
}

fn alpn(hello: &ClientHello<'_>) -> String {
    let Some(name) = hello.alpn().next().filter(|name| !name.is_empty()) else {
        return "no protocol is offered".to_owned();
    };
    let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    if is_plain(name.first()) && is_plain(name.last()) {
        return format!("first and last character of the first protocol, {}", name.escape_ascii());
    }
    let hex: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("first and last hexadecimal digit of the first protocol, {} ({hex})", name.escape_ascii())
}
