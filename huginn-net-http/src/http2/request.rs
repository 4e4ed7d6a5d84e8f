//! The head of a request, as far as events and fingerprints need it.

use super::headers::Priority;
use super::hpack::{FieldForm, HpackDecoder, HpackError, HpackField};

/// The head of a request: the names of its fields in order, and the values of a few of them.
///
/// Names and values are bytes as they were sent. Of a field that is repeated, the first value is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestHead {
    stream: u32,
    priority: Option<Priority>,
    /// All names, one behind the other.
    names: Vec<u8>,
    fields: Vec<Field>,
    method: Value,
    scheme: Value,
    authority: Value,
    path: Value,
    host: Value,
    user_agent: Value,
    accept_language: Value,
}

type Value = Option<Box<[u8]>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    name_len: usize,
    form: FieldForm,
}

impl RequestHead {
    /// Decodes a complete header block.
    pub(crate) fn decode(
        stream: u32,
        priority: Option<Priority>,
        block: &[u8],
        decoder: &mut HpackDecoder,
    ) -> Result<Self, HpackError> {
        let mut head = Self {
            stream,
            priority,
            // What a browser sends fits.
            names: Vec::with_capacity(256),
            fields: Vec::with_capacity(24),
            method: None,
            scheme: None,
            authority: None,
            path: None,
            host: None,
            user_agent: None,
            accept_language: None,
        };
        decoder.decode(block, |field| head.add(field))?;
        Ok(head)
    }

    fn add(&mut self, HpackField { name, value, form }: HpackField<'_>) {
        self.names.extend_from_slice(name);
        self.fields.push(Field { name_len: name.len(), form });
        let kept = match name {
            b":method" => &mut self.method,
            b":scheme" => &mut self.scheme,
            b":authority" => &mut self.authority,
            b":path" => &mut self.path,
            b"host" => &mut self.host,
            b"user-agent" => &mut self.user_agent,
            b"accept-language" => &mut self.accept_language,
            _ => return,
        };
        kept.get_or_insert_with(|| value.into());
    }

    /// The stream: odd, 1 to 2^31 - 1.
    #[must_use]
    pub const fn stream(&self) -> u32 {
        self.stream
    }

    /// The priority in the HEADERS frame.
    #[must_use]
    pub const fn priority(&self) -> Option<Priority> {
        self.priority
    }

    /// The names of all fields in the order sent, pseudo-headers and repeated ones included.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.fields().map(|(name, _)| name)
    }

    /// The names of all fields in the order sent, and how each field was written.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], FieldForm)> {
        let mut rest = &self.names[..];
        self.fields.iter().map_while(move |field| {
            let (name, behind) = rest.split_at_checked(field.name_len)?;
            rest = behind;
            Some((name, field.form))
        })
    }

    /// The names of the pseudo-headers in the order sent, their colon left out.
    pub fn pseudo_headers(&self) -> impl Iterator<Item = &[u8]> {
        self.names().filter_map(|name| name.strip_prefix(b":"))
    }

    /// The value of `:method`.
    #[must_use]
    pub fn method(&self) -> Option<&[u8]> {
        self.method.as_deref()
    }

    /// The value of `:scheme`.
    #[must_use]
    pub fn scheme(&self) -> Option<&[u8]> {
        self.scheme.as_deref()
    }

    /// The value of `:authority`.
    #[must_use]
    pub fn authority(&self) -> Option<&[u8]> {
        self.authority.as_deref()
    }

    /// The value of `:path`.
    #[must_use]
    pub fn path(&self) -> Option<&[u8]> {
        self.path.as_deref()
    }

    /// The value of `host`, which `:authority` replaces in most requests.
    #[must_use]
    pub fn host(&self) -> Option<&[u8]> {
        self.host.as_deref()
    }

    /// The value of `user-agent`.
    #[must_use]
    pub fn user_agent(&self) -> Option<&[u8]> {
        self.user_agent.as_deref()
    }

    /// The value of `accept-language`.
    #[must_use]
    pub fn accept_language(&self) -> Option<&[u8]> {
        self.accept_language.as_deref()
    }
}
