//! The text under a JA3, read back.

use core::fmt;
use core::str::FromStr;

use super::pieces::Pieces;
use super::{Ja3, Ja3n, md5};
use crate::ja4::ParseListsError;
use crate::text::{Text, display};

/// The text that a JA3 is the hash of: `version,ciphers,extensions,groups,formats`, numbers in decimal with hyphens
/// between them. Displays as that text.
///
/// ```
/// use huginn_net_tls::Ja3Lists;
///
/// let lists = Ja3Lists::parse("771,4866-4865-4867,51-43-13-10-16-57,23-24-29-30,")?;
/// assert_eq!(lists.ja3().to_string(), "8cc986f1729d77bb2bad79dd44d85837");
/// assert_eq!(lists.ja3n().to_string(), "5566f2e1204b2290a86db980ed3216c5");
/// # Ok::<(), huginn_net_tls::ParseListsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ja3Lists {
    version: u16,
    /// Cipher suites, extensions, groups, point formats.
    lists: [Box<[u16]>; 4],
}

impl Ja3Lists {
    /// Reads the text.
    ///
    /// # Errors
    /// [`ParseListsError`] if it is something else. Numbers are at most 65,535, and have no zeros in front.
    pub fn parse(text: &str) -> Result<Self, ParseListsError> {
        let fields =
            || ParseListsError::new(text.len(), "a JA3 has five fields with four commas between them");
        let mut parts = text.split(',');
        let version_text = parts.next().unwrap_or_default();
        let version = number(version_text, 0)?;
        let mut at = version_text.len() + 1;
        let mut lists = [const { Vec::new() }; 4];
        for list in &mut lists {
            let part = parts.next().ok_or_else(fields)?;
            if !part.is_empty() {
                let mut item_at = at;
                for item in part.split('-') {
                    list.push(number(item, item_at)?);
                    item_at += item.len() + 1;
                }
            }
            at += part.len() + 1;
        }
        if parts.next().is_some() {
            return Err(ParseListsError::new(at - 1, "a JA3 has five fields with four commas between them"));
        }
        Ok(Self { version, lists: lists.map(Vec::into_boxed_slice) })
    }

    /// The cipher suites, in order.
    #[must_use]
    pub fn cipher_suites(&self) -> &[u16] {
        let [cipher_suites, ..] = &self.lists;
        cipher_suites
    }

    /// The extensions, in order.
    #[must_use]
    pub fn extensions(&self) -> &[u16] {
        let [_, extensions, ..] = &self.lists;
        extensions
    }

    /// JA3.
    #[must_use]
    pub fn ja3(&self) -> Ja3 {
        Ja3(md5(self))
    }

    /// JA3 with the extensions sorted.
    #[must_use]
    pub fn ja3n(&self) -> Ja3n {
        let mut sorted = self.clone();
        let [_, extensions, _, _] = &mut sorted.lists;
        extensions.sort_unstable();
        Ja3n(md5(&sorted))
    }
}

impl FromStr for Ja3Lists {
    type Err = ParseListsError;

    fn from_str(text: &str) -> Result<Self, ParseListsError> {
        Self::parse(text)
    }
}

impl Text for Ja3Lists {
    fn write<E>(&self, out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut pieces = Pieces::new(out);
        pieces.number(self.version)?;
        self.lists.iter().try_for_each(|list| pieces.list(list.iter().copied()))?;
        pieces.end()
    }
}

impl fmt::Display for Ja3Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}

fn number(text: &str, at: usize) -> Result<u16, ParseListsError> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let padded = text.len() > 1 && text.starts_with('0');
    match text.parse() {
        Ok(number) if digits == text.len() && !padded => Ok(number),
        _ => {
            let at = at + if digits < text.len() { digits } else { 0 };
            Err(ParseListsError::new(at, "a number from 0 to 65535 is expected"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_go_round() {
        for text in ["769,47-53-10,,,", "771,,,,", "771,4865,0-65281-10,29-23,0"] {
            assert_eq!(Ja3Lists::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn errors_name_the_byte() {
        for (text, at) in [
            ("", 0),
            ("771", 3),
            ("771,,,", 6),
            ("771,,,,,", 7),
            ("771,1-,,,", 6),
            ("771,1-2x,,,", 7),
            ("771,65536,,,", 4),
            ("771,047,,,", 4),
            ("+71,,,,", 0),
        ] {
            assert_eq!(Ja3Lists::parse(text).map_err(|error| error.at), Err(at), "{text}");
        }
    }
}
