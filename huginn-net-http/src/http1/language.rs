//! What languages a client asks for.

use std::borrow::Cow;

use super::iso639::english_name;
use super::lines::{list, trim};

/// The value of the field `Accept-Language`, or of all of them together ([RFC 9110 §12.5.4]).
///
/// ```
/// use huginn_net_http::AcceptLanguage;
///
/// let value = AcceptLanguage::new(b"de;q=0.1, fr-CH;q=0.9");
/// let best = value.best().unwrap();
/// assert_eq!((best.language(), best.region()), ("fr".to_owned(), Some(&b"CH"[..])));
/// assert_eq!(value.p0f(), "German"); // it does not look at weights
/// ```
///
/// [RFC 9110 §12.5.4]: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AcceptLanguage<'a>(Cow<'a, [u8]>);

impl<'a> AcceptLanguage<'a> {
    /// Of a value.
    #[must_use]
    pub fn new(value: impl Into<Cow<'a, [u8]>>) -> Self {
        Self(value.into())
    }

    /// Of all fields of a head, which are one list ([RFC 9110 §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3)). `None`
    /// of no field. A single one that says something is not copied.
    pub(crate) fn of_fields(mut values: impl Iterator<Item = Cow<'a, [u8]>>) -> Option<Self> {
        let first = values.next()?;
        let all = values.filter(|value| !value.is_empty()).fold(first, |list, value| {
            if list.is_empty() {
                return value;
            }
            let mut list = list.into_owned();
            list.extend_from_slice(b", ");
            list.extend_from_slice(&value);
            Cow::Owned(list)
        });
        Some(Self(all))
    }

    /// What is asked for, in the order in which it was sent, without what is no language range.
    pub fn ranges(&self) -> impl Iterator<Item = LanguageRange<'_>> {
        list(&self.0).filter_map(LanguageRange::parse)
    }

    /// What is liked best: the first of those with the highest weight whose language is a code of two or three letters
    /// ([RFC 5646 §2.2.1](https://www.rfc-editor.org/rfc/rfc5646#section-2.2.1)). `None` if there is none, as `*`, `x-…` and the
    /// word `english` name no language.
    #[must_use]
    pub fn best(&self) -> Option<LanguageRange<'_>> {
        let names_language = |range: &LanguageRange<'_>| {
            range.subtags().next().is_some_and(|first| matches!(first.len(), 2 | 3))
        };
        let named = self.ranges().filter(|range| names_language(range) && range.weight > 0);
        named.reduce(|best, range| if range.weight > best.weight { range } else { best })
    }

    /// What p0f 3.09b makes of it: the English name for the first two letters, `???` if it has none for them, `none` if
    /// there are not two letters.
    #[must_use]
    pub fn p0f(&self) -> &'static str {
        match &*self.0 {
            [a, b, rest @ ..] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => match rest.first() {
                Some(third) if third.is_ascii_alphabetic() => "none",
                _ => english_name([*a, *b]).unwrap_or("???"),
            },
            _ => "none",
        }
    }
}

/// A language, a group of them, or `*` for any ([RFC 4647 §2.1]).
///
/// [RFC 4647 §2.1]: https://www.rfc-editor.org/rfc/rfc4647#section-2.1
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LanguageRange<'a> {
    tag: &'a [u8],
    weight: u16,
}

impl<'a> LanguageRange<'a> {
    fn parse(item: &'a [u8]) -> Option<Self> {
        let mut parts = item.split(|&byte| byte == b';').map(trim);
        let tag = parts.next()?;
        let mut subtags = tag.split(|&byte| byte == b'-');
        let is_tag = tag == b"*"
            || (subtags.next().is_some_and(|first| {
                (1..=8).contains(&first.len()) && first.iter().all(u8::is_ascii_alphabetic)
            }) && subtags.all(|subtag| {
                (1..=8).contains(&subtag.len()) && subtag.iter().all(u8::is_ascii_alphanumeric)
            }));
        let weight = match parts.next() {
            None => 1_000,
            Some(parameter) => weight(parameter)?,
        };
        is_tag.then_some(Self { tag, weight })
    }

    /// The range as it was sent.
    #[must_use]
    pub const fn tag(&self) -> &'a [u8] {
        self.tag
    }

    /// How much it is liked, in thousandths: 0 to 1,000.
    #[must_use]
    pub const fn weight(&self) -> u16 {
        self.weight
    }

    /// The language alone, in lower case: mostly 2 or 3 letters.
    #[must_use]
    pub fn language(&self) -> String {
        let first = self.subtags().next().unwrap_or_default();
        first.iter().map(|&letter| char::from(letter.to_ascii_lowercase())).collect()
    }

    /// The script as it was sent: 4 letters ([RFC 5646 §2.2.3](https://www.rfc-editor.org/rfc/rfc5646#section-2.2.3)).
    #[must_use]
    pub fn script(&self) -> Option<&'a [u8]> {
        let is_script = |subtag: &&[u8]| subtag.len() == 4 && subtag.iter().all(u8::is_ascii_alphabetic);
        self.later_subtags().find(is_script)
    }

    /// The region as it was sent: 2 letters or 3 digits
    /// ([RFC 5646 §2.2.4](https://www.rfc-editor.org/rfc/rfc5646#section-2.2.4)).
    #[must_use]
    pub fn region(&self) -> Option<&'a [u8]> {
        self.later_subtags().find(|subtag| match subtag.len() {
            2 => subtag.iter().all(u8::is_ascii_alphabetic),
            3 => subtag.iter().all(u8::is_ascii_digit),
            _ => false,
        })
    }

    /// Up to the first extension, which a single character begins.
    fn later_subtags(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.subtags().skip(1).take_while(|subtag| subtag.len() > 1)
    }

    fn subtags(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.tag.split(|&byte| byte == b'-')
    }
}

/// `q=0.5` in thousandths ([RFC 9110 §12.4.2](https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2)).
fn weight(parameter: &[u8]) -> Option<u16> {
    let [b'q' | b'Q', b'=', one @ (b'0' | b'1'), rest @ ..] = parameter else { return None };
    let decimals = match rest {
        [] => rest,
        [b'.', decimals @ ..] if decimals.len() <= 3 && decimals.iter().all(u8::is_ascii_digit) => decimals,
        _ => return None,
    };
    let digits = decimals.iter().chain(b"000").take(3);
    let weight = digits.fold(u16::from(one - b'0'), |weight, digit| weight * 10 + u16::from(digit - b'0'));
    (weight <= 1_000).then_some(weight)
}
