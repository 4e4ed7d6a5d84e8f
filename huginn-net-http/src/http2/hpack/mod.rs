//! Header compression of HTTP/2 ([RFC 7541]).
//!
//! [RFC 7541]: https://www.rfc-editor.org/rfc/rfc7541

mod dynamic_table;
mod error;
mod huffman;
#[cfg(test)]
mod rfc7541;
mod static_table;
#[cfg(test)]
mod tests;

use huginn_net_core::Reader;

use self::dynamic_table::DynamicTable;
pub use self::error::HpackError;

/// The size of the dynamic table until somebody changes it ([RFC 9113 §6.5.2]), in bytes.
///
/// [RFC 9113 §6.5.2]: https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2
const INITIAL_TABLE_SIZE: usize = 4096;

/// How much a sender may put in a header block and in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HpackLimits {
    /// The most fields in a block.
    pub max_fields: usize,
    /// The most bytes of all names and values of a block together.
    pub max_decoded_bytes: usize,
    /// The largest dynamic table, in bytes as [RFC 7541 §4.1](https://www.rfc-editor.org/rfc/rfc7541#section-4.1) counts
    /// them. A receiver allows 4096 unless its SETTINGS say more; who does not see them cannot know.
    pub max_table_bytes: usize,
}

impl Default for HpackLimits {
    /// 512 fields, 256 KiB, a table of 64 KiB.
    fn default() -> Self {
        Self { max_fields: 512, max_decoded_bytes: 256 << 10, max_table_bytes: 64 << 10 }
    }
}

impl HpackLimits {
    /// With another limit on the fields of a block.
    #[must_use]
    pub const fn with_max_fields(self, max_fields: usize) -> Self {
        Self { max_fields, ..self }
    }

    /// With another limit on the bytes of a block's names and values.
    #[must_use]
    pub const fn with_max_decoded_bytes(self, max_decoded_bytes: usize) -> Self {
        Self { max_decoded_bytes, ..self }
    }

    /// With another limit on the dynamic table, in bytes.
    #[must_use]
    pub const fn with_max_table_bytes(self, max_table_bytes: usize) -> Self {
        Self { max_table_bytes, ..self }
    }
}

/// How a field was written ([RFC 7541 §6]); there are no other ways.
///
/// [RFC 7541 §6]: https://www.rfc-editor.org/rfc/rfc7541#section-6
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldForm {
    /// As the index of a field in a table.
    Indexed,
    /// As a literal that the dynamic table takes in.
    Incremental,
    /// As a literal that is left out of the dynamic table.
    NotIndexed,
    /// As a literal that nobody on the way may index either.
    NeverIndexed,
}

/// One field of a header block, as it was sent: any bytes, not only those that HTTP allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HpackField<'a> {
    /// The name; that of a pseudo-header begins with a colon.
    pub name: &'a [u8],
    /// The value.
    pub value: &'a [u8],
    /// How the field was written.
    pub form: FieldForm,
}

/// Decodes the header blocks that one end of a connection sends.
///
/// Each block changes what the next ones mean: one decoder has to see all of a direction, in order. After an error it
/// refuses everything.
///
/// ```
/// use huginn_net_http::HpackDecoder;
///
/// let mut decoder = HpackDecoder::new();
/// let mut names = Vec::new();
/// decoder.decode(&[0x82, 0x87, 0x84, 0x41, 1, b'a'], |field| names.push(field.name.to_vec()))?;
/// assert_eq!(names, [&b":method"[..], b":scheme", b":path", b":authority"]);
/// # Ok::<(), huginn_net_http::HpackError>(())
/// ```
#[derive(Debug)]
pub struct HpackDecoder {
    limits: HpackLimits,
    table: DynamicTable,
    failed: Option<HpackError>,
}

impl Default for HpackDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl HpackDecoder {
    /// A decoder for a new connection, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(HpackLimits::default())
    }

    /// A decoder for a new connection.
    #[must_use]
    pub fn with_limits(limits: HpackLimits) -> Self {
        let table = DynamicTable::new(INITIAL_TABLE_SIZE.min(limits.max_table_bytes));
        Self { limits, table, failed: None }
    }

    /// Decodes a complete block and reports its fields in order.
    ///
    /// # Errors
    /// See [`HpackError`]. Fields that were reported before the error mean nothing.
    pub fn decode(&mut self, block: &[u8], report: impl FnMut(HpackField<'_>)) -> Result<(), HpackError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let decoded = self.decode_fields(block, report);
        self.failed = decoded.err();
        decoded
    }

    /// Bytes of memory held besides the decoder itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.table.held_bytes()
    }

    /// The representations of [RFC 7541 §6].
    ///
    /// [RFC 7541 §6]: https://www.rfc-editor.org/rfc/rfc7541#section-6
    fn decode_fields(
        &mut self,
        block: &[u8],
        mut report: impl FnMut(HpackField<'_>),
    ) -> Result<(), HpackError> {
        let mut reader = Reader::new(block);
        let mut budget = Budget::new(&self.limits);
        let (mut name_text, mut value_text) = (Vec::new(), Vec::new());
        while let Some(first) = reader.peek() {
            let (form, prefix) = match first.leading_zeros() {
                0 => {
                    let index = integer(&mut reader, 7)?;
                    let (name, value) = self.field(index)?;
                    budget.spend(name.len() + value.len())?;
                    budget.end_field()?;
                    report(HpackField { name, value, form: FieldForm::Indexed });
                    continue;
                }
                2 => {
                    // §4.2: at the beginning of a block only.
                    if budget.fields < self.limits.max_fields {
                        return Err(HpackError::LateTableSize);
                    }
                    self.resize(integer(&mut reader, 5)?)?;
                    continue;
                }
                1 => (FieldForm::Incremental, 6),
                3 => (FieldForm::NeverIndexed, 4),
                _ => (FieldForm::NotIndexed, 4),
            };
            name_text.clear();
            let name = match integer(&mut reader, prefix)? {
                0 => string(&mut reader, "name", &mut name_text, &mut budget)?,
                index => {
                    let (name, _) = self.field(index)?;
                    budget.spend(name.len())?;
                    // Taking the field in may evict the one whose name it has.
                    name_text.extend_from_slice(name);
                    &name_text
                }
            };
            value_text.clear();
            let value = string(&mut reader, "value", &mut value_text, &mut budget)?;
            budget.end_field()?;
            report(HpackField { name, value, form });
            if form == FieldForm::Incremental {
                self.table.insert(name, value);
            }
        }
        Ok(())
    }

    /// The field of an index: 1 to 61 in the static table, from 62 on in the dynamic one ([RFC 7541 §2.3.3]).
    ///
    /// [RFC 7541 §2.3.3]: https://www.rfc-editor.org/rfc/rfc7541#section-2.3.3
    fn field(&self, index: u32) -> Result<(&[u8], &[u8]), HpackError> {
        let unknown = HpackError::Index(index);
        let place = (index as usize).checked_sub(1).ok_or(unknown)?;
        match static_table::FIELDS.get(place) {
            Some(&field) => Ok(field),
            None => self.table.field(place - static_table::FIELDS.len()).ok_or(unknown),
        }
    }

    fn resize(&mut self, size: u32) -> Result<(), HpackError> {
        let limit = self.limits.max_table_bytes;
        if size as usize > limit {
            return Err(HpackError::TableSize { size, limit });
        }
        self.table.resize(size as usize);
        Ok(())
    }
}

/// What a block may still bring.
struct Budget {
    limits: HpackLimits,
    fields: usize,
    bytes: usize,
}

impl Budget {
    const fn new(limits: &HpackLimits) -> Self {
        Self { limits: *limits, fields: limits.max_fields, bytes: limits.max_decoded_bytes }
    }

    fn end_field(&mut self) -> Result<(), HpackError> {
        let limit = self.limits.max_fields;
        self.fields = self.fields.checked_sub(1).ok_or(HpackError::Limit { what: "fields", limit })?;
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), HpackError> {
        let limit = self.limits.max_decoded_bytes;
        self.bytes =
            self.bytes.checked_sub(bytes).ok_or(HpackError::Limit { what: "decoded_bytes", limit })?;
        Ok(())
    }
}

/// An integer whose first bits share a byte with something else ([RFC 7541 §5.1]); `prefix` is how many bits it has there.
///
/// [RFC 7541 §5.1]: https://www.rfc-editor.org/rfc/rfc7541#section-5.1
fn integer(reader: &mut Reader<'_>, prefix: u32) -> Result<u32, HpackError> {
    let most = u8::MAX >> (8 - prefix);
    let first = reader.u8("integer")? & most;
    if first < most {
        return Ok(u32::from(first));
    }
    let mut value = u64::from(most);
    // Five bytes of seven bits are enough for 32 bits.
    for shift in (0..35).step_by(7) {
        let byte = reader.u8("integer")?;
        value += u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(value).map_err(|_| HpackError::IntegerOverflow);
        }
    }
    Err(HpackError::IntegerOverflow)
}

/// A string ([RFC 7541 §5.2]), borrowed from the block if it is not Huffman coded, else decoded into `text`.
///
/// [RFC 7541 §5.2]: https://www.rfc-editor.org/rfc/rfc7541#section-5.2
fn string<'t, 'b: 't>(
    reader: &mut Reader<'b>,
    what: &'static str,
    text: &'t mut Vec<u8>,
    budget: &mut Budget,
) -> Result<&'t [u8], HpackError> {
    let is_huffman = reader.peek().is_some_and(|first| first & 0x80 != 0);
    let len = integer(reader, 7)?;
    let coded = reader.take(len as usize, what)?;
    if !is_huffman {
        budget.spend(coded.len())?;
        return Ok(coded);
    }
    huffman::decode(coded, text)?;
    budget.spend(text.len())?;
    Ok(text)
}
