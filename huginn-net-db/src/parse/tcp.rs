//! Grammar of TCP signatures.

use std::sync::Arc;

use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionKind, OptionLayout, Quirks};

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::family::Families;
use super::field::Field;
use super::problems::Problems;
use super::signatures::Position;
use super::tree::Section;
use crate::tcp::Negotiated;
use crate::{
    FamilySignature, LayoutFamily, SignatureTtl, Specificity, TcpFactSet, TcpSignature, WindowPattern,
};

/// More options than this are refused, as in p0f 3.09b.
const MAX_OPTIONS: usize = 24;
/// As p0f 3.09b, for `mss*N` and `mtu*N`.
const MAX_MULTIPLE: u64 = 1_000;
/// Half of the receive buffer that Linux starts with, 128 KiB: one more than a window field can hold.
const MAX_FILL: u64 = 65_536;

/// What a `sig` line of a TCP section says.
#[derive(Debug)]
pub(crate) enum Parsed {
    One(TcpSignature),
    Family(FamilySignature),
}

/// Parses `version:ttl:olen:mss:window,scale:options:quirks:payload`, in an extended section with `:facts` behind it if there
/// are some.
///
/// `None` if there was an error; lints too go into `problems`.
pub(crate) fn parse(
    text: Field<'_>,
    at: Position,
    families: &Families,
    problems: &mut Problems,
) -> Option<Parsed> {
    let fields = problems.keep(Fields::split(text, at.section.is_extended_tcp()))?;
    let (common, options) = fields.read(at, families, problems)?;
    let parsed = match options {
        Options::Layout(given) => {
            problems.check_canonical(text, &common);
            // Of malformed options not all have to be in the list.
            if !common.quirks.contains(Quirks::BAD) {
                check_options_len(&given, fields.layout, problems);
            }
            Parsed::One(common)
        }
        Options::Family(family, with, without) => {
            let signature = FamilySignature::new(common, family, with, without);
            if signature.members().next().is_none() && !signature.family().layouts().is_empty() {
                problems.push(fields.layout.syntax("the family has no such layout"));
            }
            problems.check_canonical(text, &signature);
            Parsed::Family(signature)
        }
    };
    if !problems.takes_doubts() {
        return Some(parsed);
    }
    let window = fields.window.split_once(',').map_or(fields.window, |(window, _)| window);
    check_literal_window(&common, window, problems);
    check_flow(&common, fields.quirks, problems);
    // A generic signature is meant to match much.
    if at.specificity == Specificity::Specific {
        check_distinctions(&common, text, problems);
    }
    Some(parsed)
}

/// The fields of a signature, where they stand.
pub(crate) struct Fields<'a> {
    pub(crate) version: Field<'a>,
    pub(crate) ttl: Field<'a>,
    pub(crate) ip_options_len: Field<'a>,
    pub(crate) mss: Field<'a>,
    pub(crate) window: Field<'a>,
    pub(crate) layout: Field<'a>,
    pub(crate) quirks: Field<'a>,
    pub(crate) payload: Field<'a>,
    /// Only in extended signatures.
    pub(crate) facts: Option<Field<'a>>,
}

impl<'a> Fields<'a> {
    pub(crate) fn split(text: Field<'a>, extended: bool) -> Result<Self, Problem> {
        let mut fields = text.split(':');
        let first: [_; 8] = core::array::from_fn(|_| fields.next());
        let facts = if extended { fields.next() } else { None };
        let surplus = fields.next();
        let (
            [
                Some(version),
                Some(ttl),
                Some(ip_options_len),
                Some(mss),
                Some(window),
                Some(layout),
                Some(quirks),
                Some(payload),
            ],
            None,
        ) = (first, surplus)
        else {
            let range = surplus.map_or(text.end()..text.end(), |field| field.at - 1..text.end());
            let count = text.split(':').count();
            let message = format!("a TCP signature has 8 fields between colons, this one has {count}");
            let help = match count {
                9 => "facts behind the payload are an extension of [x-tcp:request] and [x-tcp:response]",
                10.. => "write version:ttl:olen:mss:window,scale:options:quirks:payload:facts",
                _ => "write version:ttl:olen:mss:window,scale:options:quirks:payload",
            };
            return Err(Problem::new(Code::Syntax, range, message).help(help));
        };
        Ok(Self { version, ttl, ip_options_len, mss, window, layout, quirks, payload, facts })
    }

    /// What they say, with no layout in the signature if a family has it. Notes what is wrong with each of them, and not
    /// only with the first.
    fn read(
        &self,
        at: Position,
        families: &Families,
        problems: &mut Problems,
    ) -> Option<(TcpSignature, Options)> {
        let version = problems.keep(version(self.version));
        let ttl = problems.keep(ttl(self.ttl));
        let ip_options_len = problems.keep(ip_options_len(self.ip_options_len));
        let mss = problems.keep(mss(self.mss));
        let window = window_and_scale(self.window, at.section.is_extended_tcp(), problems);
        let options = options(self.layout, at, families, problems);
        let quirks = quirks(self.quirks, version.flatten(), problems);
        let has_payload = problems.keep(payload(self.payload));
        let facts = facts(self.facts, version, problems);

        let (window, window_scale) = window?;
        let options = options?;
        let signature = TcpSignature {
            version: version?,
            ttl: ttl?,
            ip_options_len: ip_options_len?,
            mss: mss?,
            window,
            window_scale,
            layout: if let Options::Layout(layout) = &options { *layout } else { OptionLayout::EMPTY },
            quirks: quirks?,
            has_payload: has_payload?,
            facts: facts?,
        };
        Some((signature, options))
    }
}

/// What stands in the field of the options.
enum Options {
    Layout(OptionLayout),
    /// With and without these.
    Family(Arc<LayoutFamily>, Negotiated, Negotiated),
}

fn options(field: Field<'_>, at: Position, families: &Families, problems: &mut Problems) -> Option<Options> {
    let Some(reference) = field.strip_prefix("@") else {
        return problems.keep(layout(field)).map(Options::Layout);
    };
    if at.section != Section::ExtendedTcpResponse {
        problems.push(
            field
                .syntax("families are not allowed in this section")
                .help("they describe answers, which stand in [x-tcp:response]"),
        );
        return None;
    }
    let (family, with, without) = families.reference(reference, problems)?;
    Some(Options::Family(family, with, without))
}

fn any_or<T>(
    field: Field<'_>,
    parse: impl FnOnce(Field<'_>) -> Result<T, Problem>,
) -> Result<Option<T>, Problem> {
    if field.text == "*" { Ok(None) } else { parse(field).map(Some) }
}

pub(crate) fn version(field: Field<'_>) -> Result<Option<IpVersion>, Problem> {
    match field.text {
        "*" => Ok(None),
        "4" => Ok(Some(IpVersion::V4)),
        "6" => Ok(Some(IpVersion::V6)),
        _ => Err(field.syntax("an IP version is 4, 6 or *")),
    }
}

fn ttl(field: Field<'_>) -> Result<SignatureTtl, Problem> {
    let initial = |field: Field<'_>| field.number::<u8>("an initial TTL", 1..256);
    if let Some(text) = field.text.strip_suffix('-') {
        return initial(Field::new(text, field.at)).map(SignatureTtl::AtMost);
    }
    let Some((seen, distance)) = field.split_once('+') else {
        return initial(field).map(SignatureTtl::Initial);
    };
    let seen = initial(seen)?;
    if distance.text == "?" {
        return Err(distance
            .syntax("the distance is not known")
            .help("write the initial TTL of the system, for example 64, 128 or 255"));
    }
    initial_ttl(seen, distance, field).map(SignatureTtl::Initial)
}

/// What the TTL of a packet and its distance in hops, both from `field`, add up to.
pub(crate) fn initial_ttl(seen: u8, distance: Field<'_>, field: Field<'_>) -> Result<u8, Problem> {
    // p0f 3.09b reads a missing number as 0.
    let distance = if distance.is_empty() { 0 } else { distance.number("a distance", 0..256)? };
    let too_many = || field.problem(Code::OutOfRange, "TTL and distance add up to more than 255");
    seen.checked_add(distance).ok_or_else(too_many)
}

pub(crate) fn ip_options_len(field: Field<'_>) -> Result<u8, Problem> {
    field.number("the length of IP options", 0..256)
}

pub(crate) fn mss(field: Field<'_>) -> Result<Option<u16>, Problem> {
    any_or(field, |mss| mss.number("an MSS", 0..65_536))
}

pub(crate) fn window_and_scale(
    field: Field<'_>,
    extended: bool,
    problems: &mut Problems,
) -> Option<(WindowPattern, Option<u8>)> {
    let Some((window, scale)) = field.split_once(',') else {
        problems.push(field.syntax("a window is followed by a comma and its scale"));
        return None;
    };
    let window = problems.keep(self::window(window, extended));
    let scale = problems.keep(any_or(scale, |scale| scale.number("a window scale", 0..256)));
    Some((window?, scale?))
}

fn window(field: Field<'_>, extended: bool) -> Result<WindowPattern, Problem> {
    if field.text == "*" {
        return Ok(WindowPattern::Any);
    }
    if let Some(divisor) = field.strip_prefix("%") {
        return divisor.number("the number after % of a window", 2..65_536).map(WindowPattern::MultipleOf);
    }
    if let Some(count) = field.strip_prefix("mss*") {
        return count.number("a count of segments", 1..MAX_MULTIPLE + 1).map(WindowPattern::Mss);
    }
    if let Some(count) = field.strip_prefix("mtu*") {
        return count.number("a count of packets", 1..MAX_MULTIPLE + 1).map(WindowPattern::Mtu);
    }
    if let Some(space) = field.strip_prefix("fill") {
        if !extended {
            let problem = field.syntax("a window of this form is not allowed in this section");
            return Err(problem
                .help("`fill` is an extension, which sections [x-tcp:request] and [x-tcp:response] have"));
        }
        return space.number("the space after fill", 1..MAX_FILL + 1).map(WindowPattern::Fill);
    }
    field.number("a window other than *, %N, mss*N or mtu*N", 0..65_536).map(WindowPattern::Literal)
}

pub(crate) fn layout(field: Field<'_>) -> Result<OptionLayout, Problem> {
    layout_up_to(MAX_OPTIONS, field)
}

/// A layout of at most so many options, which are no more than [`OptionLayout::MAX_KINDS`].
pub(crate) fn layout_up_to(most: usize, field: Field<'_>) -> Result<OptionLayout, Problem> {
    let mut layout = OptionLayout::EMPTY;
    let mut end_of_options = None;
    for (index, item) in field.items().enumerate() {
        if index == most {
            let rest = item.at..field.end();
            return Err(Problem::new(Code::OutOfRange, rest, format!("more than {most} TCP options")));
        }
        if let Some(eol) = end_of_options {
            return Err(Field::syntax(eol, "the end of options must be the last option"));
        }
        let fits = match option(item)? {
            (OptionKind::EOL, padding) => {
                end_of_options = Some(item);
                layout.push_eol(padding)
            }
            (kind, _) => layout.push(kind),
        };
        debug_assert!(fits, "a layout has room for {most} options");
    }
    Ok(layout)
}

/// An option with the padding of `eol+n`.
fn option(item: Field<'_>) -> Result<(OptionKind, u8), Problem> {
    if item.is_empty() {
        return Err(item.syntax("a TCP option is missing here"));
    }
    if let Some(kind) = item.strip_prefix("?") {
        // p0f 3.09b takes any number here, those it has names for too, and 0 as the end without padding.
        return kind.number("the kind of a TCP option", 0..256).map(|kind| (OptionKind(kind), 0));
    }
    if item.text == "eol" {
        return Err(item
            .syntax("the number of bytes after the end of options is missing")
            .help("write eol+0"));
    }
    if let Some(padding) = item.strip_prefix("eol+") {
        return padding
            .number("the number of bytes after the end of options", 0..256)
            .map(|padding| (OptionKind::EOL, padding));
    }
    OptionKind::from_name(item.text).map(|kind| (kind, 0)).ok_or_else(|| {
        item.problem(Code::UnknownName, format!("no TCP option is called `{}`", item.text))
            .help("options are mss, nop, ws, sok, sack, ts, eol+N and ?N for the kind N")
    })
}

pub(crate) fn quirks(
    field: Field<'_>,
    version: Option<IpVersion>,
    problems: &mut Problems,
) -> Option<Quirks> {
    let mut quirks = Some(Quirks::NONE);
    for item in field.items() {
        match problems.keep(quirk(item, version)) {
            Some(quirk) => quirks = quirks.map(|quirks| quirks | quirk),
            None => quirks = None,
        }
    }
    quirks
}

fn quirk(item: Field<'_>, version: Option<IpVersion>) -> Result<Quirks, Problem> {
    if item.is_empty() {
        return Err(item.syntax("a quirk is missing here"));
    }
    let Some(quirk) = Quirks::from_name(item.text) else {
        let known: Vec<_> = Quirks::ALL.names().collect();
        return Err(item
            .problem(Code::UnknownName, format!("no quirk is called `{}`", item.text))
            .help(format!("quirks are {}", known.join(", "))));
    };
    let conflict = match version {
        Some(IpVersion::V6) if Quirks::IPV4_ONLY.contains(quirk) => "an IPv6",
        Some(IpVersion::V4) if Quirks::IPV6_ONLY.contains(quirk) => "an IPv4",
        _ => return Ok(quirk),
    };
    Err(item.problem(Code::QuirkVersion, format!("{conflict} packet cannot have the quirk `{quirk}`")))
}

/// The set that a field names, none if there is no field. `version` is that of the signature, if that could be read.
pub(crate) fn facts(
    field: Option<Field<'_>>,
    version: Option<Option<IpVersion>>,
    problems: &mut Problems,
) -> Option<TcpFactSet> {
    let Some(field) = field else { return Some(TcpFactSet::NONE) };
    let mut facts = Some(TcpFactSet::NONE);
    // Not `items`, as here nothing at all is a mistake.
    for item in field.split(',') {
        match problems.keep(fact(item)) {
            Some(fact) => facts = facts.map(|facts| facts | fact),
            None => facts = None,
        }
    }
    let facts = facts?;
    if !facts.is_possible() {
        problems.push(field.syntax("a packet has one identification, which is of one of these kinds"));
        return None;
    }
    if version? != Some(IpVersion::V4) {
        let message = "only an IPv4 packet can have these facts";
        problems.push(field.problem(Code::QuirkVersion, message).help("start the signature with 4"));
        return None;
    }
    Some(facts)
}

fn fact(item: Field<'_>) -> Result<TcpFactSet, Problem> {
    if item.is_empty() {
        return Err(item.syntax("a fact is missing here"));
    }
    TcpFactSet::from_name(item.text).ok_or_else(|| {
        let known: Vec<_> = TcpFactSet::ALL.names().collect();
        item.problem(Code::UnknownName, format!("no fact is called `{}`", item.text))
            .help(format!("facts are {}", known.join(", ")))
    })
}

pub(crate) fn payload(field: Field<'_>) -> Result<Option<bool>, Problem> {
    match field.text {
        "*" => Ok(None),
        "0" => Ok(Some(false)),
        "+" => Ok(Some(true)),
        text => {
            let problem = field.syntax("a payload is 0, + or *");
            Err(if text.contains(';') {
                problem.help("comments stand on lines of their own")
            } else {
                problem
            })
        }
    }
}

fn check_literal_window(signature: &TcpSignature, window: Field<'_>, problems: &mut Problems) {
    if let (WindowPattern::Literal(bytes), None) = (signature.window, signature.mss)
        && let Some(count) = multiple_of_common_mss(bytes)
    {
        let message = format!("{bytes} bytes are {count} segments of a common link");
        problems.push(
            window
                .problem(Code::LiteralMultiple, message)
                .help(format!("if the system counts in segments, write mss*{count}")),
        );
    }
}

/// How many segments `window` holds on Ethernet or PPPoE.
fn multiple_of_common_mss(window: u16) -> Option<u16> {
    const MTUS: [u16; 2] = [1_500, 1_492];
    // IPv4 and TCP, the same with 12 bytes of timestamps in each segment, and both with IPv6.
    const HEADERS: [u16; 4] = [40, 52, 60, 72];
    let mut sizes = MTUS.into_iter().flat_map(|mtu| HEADERS.map(|headers| mtu - headers));
    let size = sizes.find(|&size| window != 0 && window.is_multiple_of(size))?;
    Some(window / size)
}

/// A TCP header counts its length in words of 4 bytes ([RFC 9293 §3.1]), so that the options fill whole ones.
///
/// [RFC 9293 §3.1]: https://www.rfc-editor.org/rfc/rfc9293#section-3.1
pub(crate) fn check_options_len(layout: &OptionLayout, place: Field<'_>, problems: &mut Problems) {
    const WORD: u32 = 4;

    let padding = u32::from(layout.padding());
    let len_of = |&kind: &u8| match OptionKind(kind) {
        OptionKind::EOL => Some(1 + padding),
        OptionKind::NOP => Some(1),
        OptionKind::MSS => Some(4),
        OptionKind::WINDOW_SCALE => Some(3),
        OptionKind::SACK_PERMITTED => Some(2),
        OptionKind::TIMESTAMPS => Some(10),
        // Of any length.
        _ => None,
    };
    let len: Option<u32> = layout.kinds().iter().map(len_of).sum();
    if let Some(len) = len
        && !len.is_multiple_of(WORD)
    {
        let message = format!("no packet has these options, as their {len} bytes are no multiple of {WORD}");
        problems.push(place.problem(Code::ImpossibleOptions, message));
    }
}

fn check_flow(signature: &TcpSignature, quirks: Field<'_>, problems: &mut Problems) {
    if signature.version.is_none()
        && let Some(flow) = quirks.items().find(|item| item.text == "flow")
    {
        problems.push(
            flow.problem(
                Code::FlowForAnyVersion,
                "IPv4 packets, which this signature is for too, have no flow label",
            )
            .help("start the signature with 6"),
        );
    }
}

fn check_distinctions(signature: &TcpSignature, text: Field<'_>, problems: &mut Problems) {
    const ENOUGH: usize = 3;

    let distinctions = [
        matches!(signature.ttl, SignatureTtl::Initial(_)),
        signature.ip_options_len != 0,
        signature.mss.is_some(),
        signature.window != WindowPattern::Any,
        signature.window_scale.is_some(),
        // This is what any minimal stack sends.
        signature.layout.kinds() != [OptionKind::MSS.0],
        !signature.quirks.is_empty(),
        !signature.facts.is_empty(),
    ];
    let count = distinctions.into_iter().filter(|&tells| tells).count();
    if count < ENOUGH {
        let message = format!(
            "only {count} of TTL, IP options, MSS, window, scale, options, quirks, facts tell this system from others"
        );
        problems.push(text.problem(Code::WeakTcp, message));
    }
}
