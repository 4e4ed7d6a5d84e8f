//! The forms of JA4 that write their lists out, read back from text.

use core::fmt;
use core::str::FromStr;
use std::collections::HashMap;

use thiserror::Error;

use super::{
    DIGITS, Form, Ja4, Ja4Options, Ja4Original, Ja4Stable, LENGTH, Part, Sections, ascii, hex4, is_part_a,
    two_digits,
};
use crate::client_hello::ClientHello;
use crate::numbers::ExtensionType;

/// A JA4_r, JA4_ro or JA4_s1r as text, and what follows from it: all hashed forms that its lists are enough for.
///
/// JA4_ro is known by its order, or by having the server name or ALPN in its list. A JA4_s1r looks like the JA4_r of a
/// hello that has none of the extensions that JA4_s1 leaves out, and is taken for it. Displays as the text it was.
///
/// ```
/// use huginn_net_tls::Ja4Lists;
///
/// let text = "t12i020100_1301,1302_002b";
/// let lists = Ja4Lists::parse(text)?;
/// assert_eq!(lists.ja4().to_string(), "t12i020100_62ed6f6ca7ad_b9a491fefe05");
/// assert_eq!(lists.to_string(), text);
///
/// let error = Ja4Lists::parse("t12i020100_1301,13 2_002b").unwrap_err();
/// assert_eq!((error.at, error.to_string().as_str()), (18, "four hexadecimal digits in lower case are expected"));
/// # Ok::<(), huginn_net_tls::ParseListsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ja4Lists {
    a: [u8; 10],
    as_sent: bool,
    cipher_suites: Box<[u16]>,
    extensions: Box<[u16]>,
    signature_algorithms: Box<[u16]>,
}

/// Why a text is no list form of a fingerprint, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("{what}")]
#[non_exhaustive]
pub struct ParseListsError {
    /// The first byte that does not fit, from 0.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl ParseListsError {
    pub(crate) const fn new(at: usize, what: &'static str) -> Self {
        Self { at, what }
    }
}

impl Ja4Lists {
    /// Reads `a_ciphers_extensions` or `a_ciphers_extensions_algorithms`, numbers of four hexadecimal digits in lower
    /// case with commas between them.
    ///
    /// # Errors
    /// [`ParseListsError`] if it is something else, or if part a counts other numbers than there are.
    pub fn parse(text: &str) -> Result<Self, ParseListsError> {
        const PARTS: &str = "two or three underscores are expected, between part a and the lists";
        let mut parts = text.split('_');
        let mut at = 0;
        let mut next = |error_at: usize| {
            let part = parts.next().ok_or(ParseListsError::new(error_at, PARTS))?;
            let start = at;
            at += part.len() + 1;
            Ok::<_, ParseListsError>((part, start))
        };
        let (a, _) = next(0)?;
        let (cipher_suites, ciphers_at) = next(text.len())?;
        let (extensions, extensions_at) = next(text.len())?;
        let signature_algorithms = next(text.len()).ok();
        if let Ok((_, start)) = next(text.len()) {
            return Err(ParseListsError::new(start - 1, PARTS));
        }

        let a = part_a(a)?;
        let cipher_suites = numbers(cipher_suites, ciphers_at)?;
        let extensions = numbers(extensions, extensions_at)?;
        let signature_algorithms = match signature_algorithms {
            Some(("", start)) => {
                return Err(ParseListsError::new(start - 1, "no underscore stands before an empty list"));
            }
            Some((list, start)) => numbers(list, start)?,
            None => Box::default(),
        };
        let as_sent = are_as_sent(&cipher_suites, &extensions);
        let [_, _, _, _, c0, c1, e0, e1, ..] = a;
        if [c0, c1] != two_digits(cipher_suites.len()) {
            return Err(ParseListsError::new(4, "part a counts other cipher suites than there are"));
        }
        let counted = [e0, e1];
        let fits = if as_sent {
            counted == two_digits(extensions.len())
        } else {
            // Server name and ALPN are counted and not listed.
            counted >= two_digits(extensions.len())
        };
        if !fits {
            return Err(ParseListsError::new(6, "part a counts other extensions than there are"));
        }
        Ok(Self { a, as_sent, cipher_suites, extensions, signature_algorithms })
    }

    /// Whether the lists are in the order of the hello: a JA4_ro.
    #[must_use]
    pub const fn is_as_sent(&self) -> bool {
        self.as_sent
    }

    /// Part a, 10 characters.
    #[must_use]
    pub const fn part_a(&self) -> &str {
        ascii(&self.a)
    }

    /// The cipher suites, in the order of the text.
    #[must_use]
    pub const fn cipher_suites(&self) -> &[u16] {
        &self.cipher_suites
    }

    /// The extensions, in the order of the text.
    #[must_use]
    pub const fn extensions(&self) -> &[u16] {
        &self.extensions
    }

    /// The signature algorithms, in the order of the text.
    #[must_use]
    pub const fn signature_algorithms(&self) -> &[u16] {
        &self.signature_algorithms
    }

    /// JA4.
    #[must_use]
    pub fn ja4(&self) -> Ja4 {
        Ja4(self.hashed(Form::Sorted, self.a, Part::hash))
    }

    /// JA4_o, if the lists are in the order of the hello.
    #[must_use]
    pub fn ja4_o(&self) -> Option<Ja4Original> {
        self.as_sent.then(|| Ja4Original(self.hashed(Form::AsSent, self.a, Part::hash)))
    }

    /// JA4_s1; `None` if there are 99 extensions or more, for then it is not known how many are left.
    #[must_use]
    pub fn ja4_s1(&self) -> Option<Ja4Stable> {
        self.ja4_s1_with(Part::hash)
    }

    fn ja4_s1_with(&self, hash: impl FnMut(&Part) -> [u8; DIGITS]) -> Option<Ja4Stable> {
        let left_out = self.extensions.iter().filter(|&&kind| !Form::Stable.counts(kind)).count();
        Some(Ja4Stable(self.hashed(Form::Stable, self.a_without(left_out)?, hash)))
    }

    /// The same without `padding`. `None` without one or with more, and if there are 99 extensions or more, for then it
    /// is not known how many are left.
    #[must_use]
    pub fn unpadded(&self) -> Option<Self> {
        let is_left = |kind: &&u16| **kind != ExtensionType::PADDING.0;
        let count = self.extensions.iter().filter(is_left).count();
        if count + 1 != self.extensions.len() {
            return None;
        }
        let a = self.a_without(1)?;
        let extensions: Box<[u16]> = self.extensions.iter().filter(is_left).copied().collect();
        let as_sent = are_as_sent(&self.cipher_suites, &extensions);
        Some(Self { a, as_sent, extensions, ..self.clone() })
    }

    /// Part a of a hello with fewer extensions, if their number is known.
    fn a_without(&self, left_out: usize) -> Option<[u8; 10]> {
        let [t, v0, v1, n, c0, c1, e0, e1, p0, p1] = self.a;
        let counted = 10 * usize::from(e0 - b'0') + usize::from(e1 - b'0');
        let left = counted.checked_sub(left_out).filter(|_| counted < 99)?;
        let [e0, e1] = two_digits(left);
        Some([t, v0, v1, n, c0, c1, e0, e1, p0, p1])
    }

    /// The lists of JA4_r: sorted, without server name and ALPN.
    #[must_use]
    pub fn sorted(&self) -> Self {
        let mut cipher_suites = self.cipher_suites.clone();
        cipher_suites.sort_unstable();
        let listed = |&kind: &u16| Form::Sorted.lists(kind);
        let mut extensions: Vec<u16> = self.extensions.iter().copied().filter(listed).collect();
        extensions.sort_unstable();
        Self { as_sent: false, cipher_suites, extensions: extensions.into(), ..self.clone() }
    }

    fn hashed(&self, form: Form, a: [u8; 10], mut hash: impl FnMut(&Part) -> [u8; DIGITS]) -> [u8; LENGTH] {
        let mut sections = Sections::new(form);
        sections.a = a;
        let ciphers = &mut sections.b;
        ciphers.numbers.extend(self.cipher_suites.iter().copied());
        ciphers.underscore = ciphers.numbers.as_slice().len();
        let extensions = &mut sections.c;
        extensions.sorts = ciphers.sorts;
        let listed = self.extensions.iter().copied().filter(|&kind| form.lists(kind));
        extensions.numbers.extend(listed);
        extensions.underscore = extensions.numbers.as_slice().len();
        extensions.numbers.extend(self.signature_algorithms.iter().copied());
        let [b, c] = [ciphers, extensions].map(|part| {
            part.sort();
            hash(part)
        });
        sections.with_digits(b, c)
    }
}

impl ClientHello<'_> {
    /// What JA4 is made of, as [`ja4_r`](Self::ja4_r) writes it.
    #[must_use]
    pub fn ja4_lists(&self) -> Ja4Lists {
        let mut sections = Sections::new(Form::Sorted);
        sections.read(self, Form::Sorted, Ja4Options::default());
        sections.b.sort();
        let Sections { a, b, c } = &sections;
        let numbers = c.numbers.as_slice();
        let (extensions, signature_algorithms) =
            numbers.split_at_checked(c.underscore).unwrap_or((numbers, &[]));
        Ja4Lists {
            a: *a,
            as_sent: false,
            cipher_suites: b.numbers.as_slice().into(),
            extensions: extensions.into(),
            signature_algorithms: signature_algorithms.into(),
        }
    }
}

impl FromStr for Ja4Lists {
    type Err = ParseListsError;

    fn from_str(text: &str) -> Result<Self, ParseListsError> {
        Self::parse(text)
    }
}

impl fmt::Display for Ja4Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ascii(&self.a))?;
        let lists = [&self.cipher_suites, &self.extensions, &self.signature_algorithms];
        for (index, list) in lists.into_iter().enumerate() {
            if index < 2 || !list.is_empty() {
                f.write_str("_")?;
            }
            for (index, number) in list.iter().enumerate() {
                f.write_str(if index > 0 { "," } else { "" })?;
                f.write_str(ascii(&hex4(*number)))?;
            }
        }
        Ok(())
    }
}

/// The hashes of the lists that have been asked for: clients have most of their lists in common, and hashing is what
/// reading many fingerprints would spend most of its time on.
///
/// It keeps every list that it was ever given, and is meant for fingerprints that a file names. For hellos, whose senders
/// choose their lists, there is [`Ja4Cache`](crate::Ja4Cache).
///
/// ```
/// use huginn_net_tls::{Ja4ListHashes, Ja4Lists};
///
/// let mut hashes = Ja4ListHashes::default();
/// for text in ["t13i020100_1301,1302_002b", "t13i020200_1301,1302_002b,0033"] {
///     let lists = Ja4Lists::parse(text)?;
///     assert_eq!(hashes.ja4(&lists), lists.ja4());
///     assert_eq!(hashes.ja4_s1(&lists), lists.ja4_s1());
/// }
/// # Ok::<(), huginn_net_tls::ParseListsError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ja4ListHashes {
    /// By the numbers of a list, and behind them where its underscore is.
    known: HashMap<Box<[u16]>, [u8; DIGITS]>,
    /// What is looked for.
    key: Vec<u16>,
}

impl Ja4ListHashes {
    /// [`Ja4Lists::ja4`].
    #[must_use]
    pub fn ja4(&mut self, lists: &Ja4Lists) -> Ja4 {
        Ja4(lists.hashed(Form::Sorted, lists.a, |part| self.hash(part)))
    }

    /// [`Ja4Lists::ja4_s1`].
    #[must_use]
    pub fn ja4_s1(&mut self, lists: &Ja4Lists) -> Option<Ja4Stable> {
        lists.ja4_s1_with(|part| self.hash(part))
    }

    fn hash(&mut self, part: &Part) -> [u8; DIGITS] {
        let Self { known, key } = self;
        let Ok(underscore) = u16::try_from(part.underscore) else { return part.hash() };
        key.clear();
        key.extend_from_slice(part.numbers.as_slice());
        key.push(underscore);
        if let Some(hash) = known.get(key.as_slice()) {
            return *hash;
        }
        let hash = part.hash();
        known.insert(key.as_slice().into(), hash);
        hash
    }
}

/// Whether such lists are of a JA4_ro.
fn are_as_sent(cipher_suites: &[u16], extensions: &[u16]) -> bool {
    let is_unlisted = |kind| matches!(ExtensionType(kind), ExtensionType::SERVER_NAME | ExtensionType::ALPN);
    !cipher_suites.is_sorted() || !extensions.is_sorted() || extensions.iter().any(|&kind| is_unlisted(kind))
}

fn part_a(text: &str) -> Result<[u8; 10], ParseListsError> {
    let wrong = ParseListsError::new(0, "part a is 10 characters such as t13d1516h2");
    let a = text.as_bytes().try_into().map_err(|_| wrong)?;
    if is_part_a(&a) { Ok(a) } else { Err(wrong) }
}

fn numbers(text: &str, at: usize) -> Result<Box<[u16]>, ParseListsError> {
    let mut numbers = Vec::with_capacity(text.len() / 5 + 1);
    let mut follows_comma = false;
    for item in text.as_bytes().chunks(5) {
        let Some((digits, comma @ ([] | b","))) = item.split_first_chunk() else {
            return Err(no_number(text, at));
        };
        numbers.push(number(*digits).ok_or_else(|| no_number(text, at))?);
        follows_comma = !comma.is_empty();
    }
    if follows_comma { Err(no_number(text, at)) } else { Ok(numbers.into()) }
}

fn number(digits: [u8; 4]) -> Option<u16> {
    digits.into_iter().try_fold(0, |number, byte| Some(number << 4 | digit(byte)?))
}

fn digit(byte: u8) -> Option<u16> {
    match byte {
        b'0'..=b'9' => Some(u16::from(byte - b'0')),
        b'a'..=b'f' => Some(u16::from(byte - b'a' + 10)),
        _ => None,
    }
}

/// What is wrong with a list that is none.
fn no_number(text: &str, mut at: usize) -> ParseListsError {
    for item in text.as_bytes().split(|&byte| byte == b',') {
        if item.try_into().ok().and_then(number).is_none() {
            let digits = item.iter().take_while(|&&byte| digit(byte).is_some()).count();
            at += if digits < item.len() { digits.min(4) } else { 0 };
            break;
        }
        at += item.len() + 1;
    }
    ParseListsError::new(at, "four hexadecimal digits in lower case are expected")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "t13d1516h2_1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,c013,c014,009c,009d,002f,0035_\
                           001b,0000,0033,0010,4469,0017,002d,000d,0005,0023,0012,002b,ff01,000b,000a,0015_\
                           0403,0804,0401,0503,0805,0501,0806,0601";

    #[test]
    fn hashed_forms_follow_from_the_lists() {
        let sent = Ja4Lists::parse(EXAMPLE).unwrap();
        assert!(sent.is_as_sent());
        assert_eq!(sent.ja4().as_str(), "t13d1516h2_8daaf6152771_e5627efa2ab1");
        assert_eq!(sent.ja4_o().unwrap().as_str(), "t13d1516h2_acb858a92679_18f69afefd3d");
        assert_eq!(sent.ja4_s1().unwrap().as_str(), "t13d1514h2_8daaf6152771_59204b37da4c");

        let sorted = sent.sorted();
        assert_eq!(Ja4Lists::parse(&sorted.to_string()), Ok(sorted.clone()));
        assert_eq!((sorted.ja4(), sorted.ja4_s1(), sorted.ja4_o()), (sent.ja4(), sent.ja4_s1(), None));
    }

    #[test]
    fn empty_lists_keep_their_underscores_and_hash_to_zeros() {
        let lists = Ja4Lists::parse("t10i000000__").unwrap();
        assert_eq!(lists.ja4().as_str(), "t10i000000_000000000000_000000000000");
        assert_eq!(lists.to_string(), "t10i000000__");
    }

    #[test]
    fn what_is_left_of_99_extensions_is_not_known() {
        let list = (1..=120).map(|kind| format!("{kind:04x}")).collect::<Vec<_>>().join(",");
        let lists = Ja4Lists::parse(&format!("t13i00{}00__{list}", 99)).unwrap();
        assert_eq!(lists.ja4_s1(), None);
    }

    #[test]
    fn padding_is_left_out_and_not_counted() {
        let unpadded = |text: &str| Ja4Lists::parse(text).unwrap().unpadded().map(|lists| lists.to_string());
        assert_eq!(unpadded("t13d0103h2_1301_0015,002b_0403"), Some("t13d0102h2_1301_002b_0403".to_owned()));
        assert_eq!(unpadded("t13d0103h2_1301_002b_0403"), None);
        assert_eq!(unpadded("t13d0103h2_1301_0015,0015_0403"), None);
        assert_eq!(unpadded("t13d0199h2_1301_0015,002b_0403"), None, "99 or more");
        // What is left may be the lists of either form, as its text may.
        let sent = Ja4Lists::parse("t13i010200_1301_002b,0015").unwrap();
        assert_eq!(sent.unpadded(), Some(Ja4Lists::parse("t13i010100_1301_002b").unwrap()));
    }

    #[test]
    fn errors_name_the_byte() {
        for (text, at) in [
            ("", 0),
            ("t13d1516h2", 10),
            ("t13d1516h2_1301", 15),
            ("x13i010000_1301_", 0),
            ("t13i010000_130_", 11),
            ("t13i010000_1301,_", 16),
            ("t13i010000_13O1_", 13),
            ("t13i010000_1301_000a_", 20),
            ("t13i010000_1301__0403_", 21),
            ("t13i020000_1301_", 4),
            ("t13i010000_1301_000a", 6),
            ("t13i010300_1301_000b,000a", 6),
            ("t13i010000_13é_", 13),
            ("t13i020000_1301;1302_", 15),
            ("t13i020000_1301,13022_", 16),
            ("t13i010000_,1301_", 11),
        ] {
            assert_eq!(Ja4Lists::parse(text).map_err(|error| error.at), Err(at), "{text}");
        }
    }
}
