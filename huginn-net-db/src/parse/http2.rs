//! Grammar of the start of HTTP/2.

use huginn_net_http::{
    AkamaiFingerprint, Http2Priority, Http2Request, Http2Setting, Http2SettingId, Http2Settings,
};

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::field::Field;
use super::problems::Problems;

/// More settings, or more priorities, than this are refused.
const MAX_ITEMS: usize = 128;

/// Parses `settings|window|priorities|pseudo-headers`.
///
/// `None` if there was an error.
pub(crate) fn parse(text: Field<'_>, problems: &mut Problems) -> Option<AkamaiFingerprint> {
    let fields: Vec<_> = text.split('|').collect();
    let fifth = fields.get(4).map(|field| field.at - 1..text.end());
    let Ok([settings, window, priorities, pseudo_headers]) = <[Field<'_>; 4]>::try_from(fields) else {
        let range = fifth.unwrap_or(text.end()..text.end());
        problems.push(
            Problem::new(Code::Syntax, range, "the start of HTTP/2 has 4 fields with | between them")
                .help("write settings|window|priorities|pseudo-headers, for example 1:65536;4:131072|12517377|0|m,p,a,s"),
        );
        return None;
    };
    let settings = problems.keep(items(settings, ';', setting));
    let window_update = problems.keep(window_update(window));
    let priorities = match priorities.text {
        "0" => Some(Vec::new()),
        _ => problems.keep(items(priorities, ',', priority)),
    };
    let letters = problems.keep(items(pseudo_headers, ',', pseudo_header));
    let mut signature = AkamaiFingerprint::default();
    signature.settings = Some(Http2Settings::from(settings?));
    signature.window_update = window_update?;
    signature.priorities = priorities?;
    signature.request = Some(letters?)
        .filter(|letters| !letters.is_empty())
        .map(|letters| Http2Request::of_pseudo_headers(letters.iter().map(core::slice::from_ref)));
    problems.check_canonical(text, &signature.akamai());
    Some(signature)
}

/// The items of a list, none if there is no text.
fn items<T>(
    field: Field<'_>,
    separator: char,
    parse: impl Fn(Field<'_>) -> Result<T, Problem>,
) -> Result<Vec<T>, Problem> {
    let mut items = Vec::new();
    if field.is_empty() {
        return Ok(items);
    }
    for item in field.split(separator) {
        if items.len() == MAX_ITEMS {
            let message = format!("more than {MAX_ITEMS} items");
            return Err(item.problem(Code::OutOfRange, message));
        }
        items.push(parse(item)?);
    }
    Ok(items)
}

/// `id:value`.
fn setting(item: Field<'_>) -> Result<Http2Setting, Problem> {
    let Some((id, value)) = item.split_once(':') else {
        return Err(item.syntax("a setting is an identifier and a value with a colon between them"));
    };
    let id = Http2SettingId(id.number("an identifier of a setting", 0..65_536)?);
    Ok(Http2Setting { id, value: value.number("a value", 0..1 << 32)? })
}

/// `00` for none; otherwise a number.
fn window_update(field: Field<'_>) -> Result<Option<u32>, Problem> {
    match field.text {
        "00" => Ok(None),
        _ => field.number("the increment of the window", 0..1 << 31).map(Some),
    }
}

/// `stream:exclusive:depends_on:weight`.
fn priority(item: Field<'_>) -> Result<(u32, Http2Priority), Problem> {
    let fields: Vec<_> = item.split(':').collect();
    let Ok([stream, exclusive, depends_on, weight]) = <[Field<'_>; 4]>::try_from(fields) else {
        return Err(item
            .syntax("a priority has 4 numbers with colons between them")
            .help("write stream:exclusive:depends on:weight, or 0 if there is no priority"));
    };
    let stream = stream.number("a stream", 0..1 << 31)?;
    let priority = Http2Priority {
        exclusive: exclusive.number::<u8>("`exclusive`", 0..2)? == 1,
        dependency: depends_on.number("a stream", 0..1 << 31)?,
        weight: weight.number("a weight", 1..257)?,
    };
    Ok((stream, priority))
}

/// The first letter of a name, `?` for one that begins with none.
fn pseudo_header(item: Field<'_>) -> Result<u8, Problem> {
    match item.text.as_bytes() {
        &[letter @ (b'a'..=b'z' | b'?')] => Ok(letter),
        _ => Err(item.syntax("a pseudo-header is given by one letter: m, a, s or p")),
    }
}
