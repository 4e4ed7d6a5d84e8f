//! Header blocks that are odd, wrong, or too much; all short ones; and those of an encoder.

use std::collections::BTreeMap;

use super::*;

type Field = (Vec<u8>, Vec<u8>, FieldForm);

fn decode_with(decoder: &mut HpackDecoder, block: &[u8]) -> Result<Vec<Field>, HpackError> {
    let mut fields = Vec::new();
    decoder.decode(block, |field| fields.push((field.name.to_vec(), field.value.to_vec(), field.form)))?;
    Ok(fields)
}

fn decode(block: &[u8]) -> Result<Vec<Field>, HpackError> {
    decode_with(&mut HpackDecoder::new(), block)
}

fn truncated<T>(what: &'static str, at: usize) -> Result<T, HpackError> {
    Err(HpackError::Truncated { what, at })
}

fn limit<T>(what: &'static str, limit: usize) -> Result<T, HpackError> {
    Err(HpackError::Limit { what, limit })
}

#[test]
fn an_empty_block_has_no_fields() {
    assert_eq!(decode(&[]), Ok(vec![]));
}

#[test]
fn every_block_of_one_byte_has_one_field_one_size_or_one_error() {
    for byte in 0..=255_u8 {
        let result = decode(&[byte]);
        match byte {
            // An index of the static table, of nothing, of the empty dynamic table, and one that goes on.
            0x81..=0xbd => {
                let (name, value) = static_table::FIELDS[usize::from(byte - 0x81)];
                assert_eq!(result, Ok(vec![(name.to_vec(), value.to_vec(), FieldForm::Indexed)]));
            }
            0x80 | 0xbe..=0xfe => assert_eq!(result, Err(HpackError::Index(u32::from(byte & 0x7f)))),
            0x1f | 0x0f | 0x3f | 0x7f | 0xff => assert_eq!(result, truncated("integer", 1), "{byte:#x}"),
            // Sizes of 0 to 30.
            0x20..=0x3e => assert_eq!(result, Ok(vec![])),
            // Literals whose name has index 62; then those with a name, whose value is missing.
            0x7e => assert_eq!(result, Err(HpackError::Index(62))),
            0x00..=0x7d => assert_eq!(result, truncated("integer", 1), "{byte:#x}"),
        }
    }
}

#[test]
fn every_block_of_two_bytes_is_decoded_or_refused_for_a_reason() {
    let mut results = BTreeMap::new();
    for block in (0..=u16::MAX).map(u16::to_be_bytes) {
        let result = decode(&block);
        let of_first = decode(&block[..1]);
        // What one byte is wrong about does not become right, unless it was only short.
        if !matches!(of_first, Ok(_) | Err(HpackError::Truncated { .. })) {
            assert_eq!(result, of_first, "{block:02x?}");
        }
        let key = match result {
            Ok(fields) => format!("{} fields", fields.len()),
            Err(error) => error.reason().to_owned(),
        };
        *results.entry(key).or_insert(0) += 1;
    }
    let expected = [
        // Two sizes, or one of two bytes from 31 to 31 + 127.
        ("0 fields", 31 * 31 + 128),
        // A size and an index; an index of the static table that takes two bytes there is none.
        // Literals: 61 + 14 + 14 names by index, with a value that is empty, Huffman coded or not.
        ("1 fields", 31 * 61 + (61 + 14 + 14) * 2),
        ("2 fields", 61 * 61),
        // The first byte is wrong, or the second one after a size, after a field, or as the end of an index: 127 to 254,
        // and of literals 63 to 190 or 15 + 0 to 127, of which 15 to 61 are in the static table.
        ("hpack_index", 66 * 256 + (31 + 61) * 66 + 128 + 256 + 128 + 2 * (128 - 47) + (31 + 61)),
        ("hpack_late_table_size", 61 * 32),
    ];
    for (key, count) in expected {
        assert_eq!(results.remove(key), Some(count), "{key}");
    }
    // All others end too early.
    let truncated = results.remove("hpack_truncated").unwrap();
    assert_eq!(results, BTreeMap::new());
    assert_eq!(truncated + expected.iter().map(|(_, count)| count).sum::<usize>(), 1 << 16);
}

#[test]
fn a_block_cut_at_any_byte_is_decoded_up_to_a_field_or_is_truncated() {
    // C.6.3 of RFC 7541 without the references to earlier blocks.
    let block = [
        0x88, 0x61, 0x96, 0xd0, 0x7a, 0xbe, 0x94, 0x10, 0x54, 0xd4, 0x44, 0xa8, 0x20, 0x05, 0x95, 0x04, 0x0b,
        0x81, 0x66, 0xe0, 0x84, 0xa6, 0x2d, 0x1b, 0xff, 0x5a, 0x83, 0x9b, 0xd9, 0xab,
    ];
    let whole = decode(&block).unwrap();
    assert_eq!(whole.len(), 3);
    for cut in 0..block.len() {
        let fields = decode(&block[..cut]);
        match cut {
            0 => assert_eq!(fields, Ok(vec![])),
            1 => assert_eq!(fields.as_deref(), Ok(&whole[..1])),
            25 => assert_eq!(fields.as_deref(), Ok(&whole[..2])),
            _ => assert!(matches!(fields, Err(HpackError::Truncated { .. })), "cut at {cut}: {fields:?}"),
        }
    }
}

#[test]
fn an_integer_has_32_bits_and_five_bytes_after_its_prefix() {
    let read = |bytes: &[u8]| integer(&mut Reader::new(bytes), 7);
    assert_eq!(read(&[0xfe]), Ok(126));
    assert_eq!(read(&[0xff, 0]), Ok(127));
    assert_eq!(read(&[0xff, 0x80, 0x80, 0x80, 0x80, 0]), Ok(127));
    // 2^32 - 1 and 2^32.
    assert_eq!(read(&[0xff, 0x80, 0xff, 0xff, 0xff, 0x0f]), Ok(u32::MAX));
    assert_eq!(read(&[0xff, 0x81, 0xff, 0xff, 0xff, 0x0f]), Err(HpackError::IntegerOverflow));
    assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), Err(HpackError::IntegerOverflow));
    assert_eq!(read(&[0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0]), Err(HpackError::IntegerOverflow));
    assert_eq!(read(&[0xff, 0x80, 0x80]), truncated("integer", 3));
}

#[test]
fn a_string_longer_than_the_block_is_cut_off() {
    assert_eq!(decode(&[0x40, 3, b'a', b'b']), truncated("name", 2));
    assert_eq!(decode(&[0x40, 1, b'a', 0x82, 0xff]), truncated("value", 4));
    // A length of 2^32 - 1 reserves nothing.
    assert_eq!(decode(&[0x40, 0x7f, 0x80, 0xff, 0xff, 0xff, 0x0f, 0]), truncated("name", 7));
}

#[test]
fn a_name_stays_when_taking_its_field_in_evicts_it() {
    let mut decoder = HpackDecoder::with_limits(HpackLimits::default().with_max_table_bytes(40));
    assert_eq!(decode_with(&mut decoder, &[0x40, 3, b'a', b'b', b'c', 1, b'1']).unwrap().len(), 1);
    // Index 62 is the name: the new field takes all the room.
    let fields = decode_with(&mut decoder, &[0x7e, 2, b'2', b'3', 0xbe]).unwrap();
    assert_eq!(fields[0], (b"abc".to_vec(), b"23".to_vec(), FieldForm::Incremental));
    assert_eq!(fields[1], (b"abc".to_vec(), b"23".to_vec(), FieldForm::Indexed));
    assert_eq!(decode_with(&mut decoder, &[0xbf]), Err(HpackError::Index(63)));
}

#[test]
fn the_table_changes_its_size_before_the_first_field_and_as_often_as_it_likes() {
    let mut decoder = HpackDecoder::new();
    decode_with(&mut decoder, &[0x40, 1, b'a', 1, b'1']).unwrap();
    // To 0 and to 30 + 31, where the old field is gone and a new one of 34 bytes has room.
    assert_eq!(
        decode_with(&mut decoder, &[0x20, 0x3f, 30, 0x40, 1, b'b', 1, b'2', 0xbe]).map(|fields| fields.len()),
        Ok(2)
    );
    assert_eq!(decode_with(&mut decoder, &[0x82, 0x20]), Err(HpackError::LateTableSize));
}

#[test]
fn the_table_does_not_grow_over_its_limit() {
    // 65 536 and 65 537.
    assert_eq!(decode(&[0x3f, 0xe1, 0xff, 0x03]), Ok(vec![]));
    let size = HpackError::TableSize { size: 65_537, limit: 65_536 };
    assert_eq!(decode(&[0x3f, 0xe2, 0xff, 0x03]), Err(size));
    let mut decoder = HpackDecoder::with_limits(HpackLimits::default().with_max_table_bytes(100));
    let size = HpackError::TableSize { size: 101, limit: 100 };
    assert_eq!(decode_with(&mut decoder, &[0x3f, 70]), Err(size));
}

#[test]
fn a_decoder_that_failed_refuses_what_would_be_right() {
    let mut decoder = HpackDecoder::new();
    assert_eq!(decode_with(&mut decoder, &[0x80]), Err(HpackError::Index(0)));
    assert_eq!(decode_with(&mut decoder, &[0x82]), Err(HpackError::Index(0)));
}

#[test]
fn more_fields_than_the_limit_are_refused() {
    assert_eq!(decode(&[0x82; 512]).map(|fields| fields.len()), Ok(512));
    assert_eq!(decode(&[0x82; 513]), limit("fields", 512));
    // As many in ten blocks are no block of that many.
    let mut decoder = HpackDecoder::new();
    for _ in 0..10 {
        assert_eq!(decode_with(&mut decoder, &[0x82; 100]).map(|fields| fields.len()), Ok(100));
    }
    assert_eq!(decode(&[0, 1, b'a', 0].repeat(10_000)), limit("fields", 512));
}

#[test]
fn a_small_block_does_not_decode_to_more_than_the_limit() {
    // A field of 3 + 4 000 bytes in the table, and its index again and again.
    let mut block = vec![0x40, 3, b'a', b'b', b'c', 0x7f, 0xa1, 0x1e];
    block.resize(block.len() + 4000, b'x');
    block.resize(block.len() + 64, 0xbe);
    assert_eq!(decode(&block).map(|fields| fields.len()), Ok(65));
    block.push(0xbe);
    assert_eq!(decode(&block), limit("decoded_bytes", 256 << 10));
    // The name alone, with other values.
    let mut decoder = HpackDecoder::with_limits(HpackLimits::default().with_max_decoded_bytes(10));
    assert_eq!(decode_with(&mut decoder, &[0x42, 3, b'P', b'U', b'T']).map(|fields| fields.len()), Ok(1));
    assert_eq!(decode_with(&mut decoder, &[0x42, 4, b'P', b'U', b'T', b'S']), limit("decoded_bytes", 10));
    // Huffman coded: eight bytes of '0' in five.
    let limits = HpackLimits::default().with_max_decoded_bytes(8);
    let coded = [0x40, 0x85, 0, 0, 0, 0, 0, 0];
    assert_eq!(decode_with(&mut HpackDecoder::with_limits(limits), &coded).map(|fields| fields.len()), Ok(1));
    let limits = limits.with_max_decoded_bytes(7);
    assert_eq!(decode_with(&mut HpackDecoder::with_limits(limits), &coded), limit("decoded_bytes", 7));
}

mod encoded {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// What an encoder may choose for a field. Indexes are taken modulo what there is.
    #[derive(Clone, Debug)]
    enum Choice {
        Indexed(usize),
        Literal { form: FieldForm, name: Name, value: Text },
    }

    #[derive(Clone, Debug)]
    enum Name {
        Indexed(usize),
        New(Text),
    }

    #[derive(Clone, Debug)]
    struct Text {
        octets: Vec<u8>,
        huffman: bool,
    }

    /// An encoder that does as it is told, with the plainest table there is.
    struct Encoder {
        table: Vec<(Vec<u8>, Vec<u8>)>,
        max_size: usize,
    }

    impl Encoder {
        fn field(&self, index: usize) -> (usize, Vec<u8>, Vec<u8>) {
            let index = index % (61 + self.table.len());
            let (name, value) = match index.checked_sub(61) {
                None => {
                    let (name, value) = static_table::FIELDS[index];
                    (name.to_vec(), value.to_vec())
                }
                Some(index) => self.table[index].clone(),
            };
            (index + 1, name, value)
        }

        fn resize(&mut self, size: usize, block: &mut Vec<u8>) {
            self.max_size = size;
            self.evict();
            write_integer(block, 0x20, 5, size);
        }

        fn evict(&mut self) {
            let size = |(name, value): &(Vec<u8>, Vec<u8>)| name.len() + value.len() + 32;
            while self.table.iter().map(size).sum::<usize>() > self.max_size {
                self.table.pop();
            }
        }

        fn write(&mut self, choice: Choice, block: &mut Vec<u8>) -> Field {
            match choice {
                Choice::Indexed(index) => {
                    let (index, name, value) = self.field(index);
                    write_integer(block, 0x80, 7, index);
                    (name, value, FieldForm::Indexed)
                }
                Choice::Literal { form, name, value } => {
                    let (first, prefix) = match form {
                        FieldForm::Incremental => (0x40, 6),
                        FieldForm::NeverIndexed => (0x10, 4),
                        _ => (0x00, 4),
                    };
                    let name = match name {
                        Name::Indexed(index) => {
                            let (index, name, _) = self.field(index);
                            write_integer(block, first, prefix, index);
                            name
                        }
                        Name::New(name) => {
                            write_integer(block, first, prefix, 0);
                            write_text(block, &name);
                            name.octets
                        }
                    };
                    write_text(block, &value);
                    if form == FieldForm::Incremental {
                        self.table.insert(0, (name.clone(), value.octets.clone()));
                        self.evict();
                    }
                    (name, value.octets, form)
                }
            }
        }
    }

    fn write_integer(block: &mut Vec<u8>, first: u8, prefix: u32, value: usize) {
        let most = (1 << prefix) - 1;
        if value < most {
            block.push(first | u8::try_from(value).unwrap());
            return;
        }
        block.push(first | u8::try_from(most).unwrap());
        let mut rest = value - most;
        while rest >= 128 {
            block.push(u8::try_from(rest % 128).unwrap() | 0x80);
            rest /= 128;
        }
        block.push(u8::try_from(rest).unwrap());
    }

    fn write_text(block: &mut Vec<u8>, text: &Text) {
        let coded = if text.huffman { huffman::encode(&text.octets) } else { text.octets.clone() };
        write_integer(block, if text.huffman { 0x80 } else { 0 }, 7, coded.len());
        block.extend(coded);
    }

    fn text() -> impl Strategy<Value = Text> {
        let octets =
            prop_oneof![vec(any::<u8>(), 0..40), "[a-z0-9/:. -]{0,200}".prop_map(String::into_bytes)];
        (octets, any::<bool>()).prop_map(|(octets, huffman)| Text { octets, huffman })
    }

    fn choice() -> impl Strategy<Value = Choice> {
        let form = prop_oneof![
            3 => Just(FieldForm::Incremental),
            1 => Just(FieldForm::NotIndexed),
            1 => Just(FieldForm::NeverIndexed),
        ];
        let name = prop_oneof![(0..120_usize).prop_map(Name::Indexed), text().prop_map(Name::New)];
        prop_oneof![
            (0..120_usize).prop_map(Choice::Indexed),
            (form, name, text()).prop_map(|(form, name, value)| Choice::Literal { form, name, value }),
        ]
    }

    proptest! {
        #[test]
        fn what_an_encoder_writes_is_what_is_read(
            blocks in vec((vec(0..5000_usize, 0..3), vec(choice(), 0..20)), 0..8),
        ) {
            let mut encoder = Encoder { table: Vec::new(), max_size: 4096 };
            let mut decoder = HpackDecoder::new();
            for (sizes, choices) in blocks {
                let mut block = Vec::new();
                for size in sizes {
                    encoder.resize(size, &mut block);
                }
                let expected: Vec<_> =
                    choices.into_iter().map(|choice| encoder.write(choice, &mut block)).collect();
                prop_assert_eq!(decode_with(&mut decoder, &block), Ok(expected));
                let table: Vec<_> = (0..).map_while(|index| decoder.table.field(index)).collect();
                let expected: Vec<_> =
                    encoder.table.iter().map(|(name, value)| (&name[..], &value[..])).collect();
                prop_assert_eq!(table, expected);
            }
        }

        #[test]
        fn any_bytes_are_decoded_or_refused_within_the_limits(
            blocks in vec(vec(any::<u8>(), 0..300), 1..4),
        ) {
            let limits = HpackLimits::default().with_max_fields(20).with_max_decoded_bytes(500).with_max_table_bytes(300);
            let mut decoder = HpackDecoder::with_limits(limits);
            for block in blocks {
                if let Ok(fields) = decode_with(&mut decoder, &block) {
                    prop_assert!(fields.len() <= 20);
                    prop_assert!(fields.iter().map(|(name, value, _)| name.len() + value.len()).sum::<usize>() <= 500);
                }
            }
        }
    }
}
