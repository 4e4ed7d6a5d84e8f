//! The fields of a header block.

use core::fmt;

use super::hpack::{FieldForm, HpackDecoder, HpackError, HpackField};
use crate::http1::first_filled;

/// The fields of a header block in the order sent, pseudo-headers and repeated ones included.
///
/// Names and values are bytes as they were sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Http2Fields {
    /// Name and value of each field, one behind the other.
    bytes: Vec<u8>,
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    name_len: usize,
    value_len: usize,
    form: FieldForm,
}

impl Http2Fields {
    /// Decodes a complete header block.
    pub(crate) fn decode(block: &[u8], decoder: &mut HpackDecoder) -> Result<Self, HpackError> {
        // What a browser sends fits.
        let mut list = Self { bytes: Vec::with_capacity(1_024), fields: Vec::with_capacity(24) };
        decoder.decode(block, |HpackField { name, value, form }| {
            list.bytes.extend_from_slice(name);
            list.bytes.extend_from_slice(value);
            list.fields.push(Field { name_len: name.len(), value_len: value.len(), form });
        })?;
        Ok(list)
    }

    /// Pseudo-headers without values, of which the names are given without colon.
    pub(crate) fn of_pseudo_headers<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Self {
        let mut list = Self { bytes: Vec::new(), fields: Vec::new() };
        for name in names {
            list.bytes.push(b':');
            list.bytes.extend_from_slice(name);
            list.fields.push(Field { name_len: name.len() + 1, value_len: 0, form: FieldForm::Indexed });
        }
        list
    }

    /// Number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The fields, and how each was written.
    pub fn iter(&self) -> impl Iterator<Item = HpackField<'_>> + Clone {
        let mut rest = &self.bytes[..];
        self.fields.iter().map_while(move |field| {
            let (name, behind) = rest.split_at_checked(field.name_len)?;
            let (value, behind) = behind.split_at_checked(field.value_len)?;
            rest = behind;
            Some(HpackField { name, value, form: field.form })
        })
    }

    /// The first value of a name, which is in lower case in HTTP/2; that of a pseudo-header begins with a colon.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.iter().find(|field| field.name == name.as_bytes()).map(|field| field.value)
    }

    /// The first value of a name that is not empty; empty if none of them is.
    pub(super) fn first_value(&self, name: &str) -> Option<&[u8]> {
        first_filled(self.iter().filter(|field| field.name == name.as_bytes()).map(|field| field.value))
    }
}

impl fmt::Debug for Http2Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            |field: HpackField<'_>| format!("{}: {}", field.name.escape_ascii(), field.value.escape_ascii());
        f.debug_list().entries(self.iter().map(text)).finish()
    }
}
