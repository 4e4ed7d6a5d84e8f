//! The examples of [RFC 7541 Appendix C], all of them.
//!
//! [RFC 7541 Appendix C]: https://www.rfc-editor.org/rfc/rfc7541#appendix-C

use huginn_net_core::Reader;

use super::*;

type Field<'a> = (&'a str, &'a str);

/// A block in hexadecimal, what it decodes to, the table afterwards and its size.
struct Example<'a> {
    block: &'a str,
    fields: &'a [Field<'a>],
    table: &'a [Field<'a>],
    size: usize,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).unwrap()).collect()
}

/// Decodes the blocks of one connection; the forms of the last one.
fn check(mut decoder: HpackDecoder, examples: &[Example<'_>]) -> Vec<FieldForm> {
    let mut forms = Vec::new();
    for example in examples {
        let mut fields = Vec::new();
        forms.clear();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        decoder
            .decode(&bytes(example.block), |field| {
                fields.push((text(field.name), text(field.value)));
                forms.push(field.form);
            })
            .unwrap();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        assert_eq!(fields, example.fields, "{}", example.block);
        let table: Vec<_> = (0..).map_while(|index| decoder.table.field(index)).collect();
        let expected: Vec<_> =
            example.table.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        assert_eq!(table, expected, "{}", example.block);
        let size: usize = table.iter().map(|(name, value)| name.len() + value.len() + 32).sum();
        assert_eq!(size, example.size, "{}", example.block);
    }
    forms
}

#[test]
fn c_1_integers() {
    let read = |hex, prefix| integer(&mut Reader::new(&bytes(hex)), prefix);
    assert_eq!(read("0a", 5), Ok(10));
    assert_eq!(read("1f9a0a", 5), Ok(1337));
    assert_eq!(read("2a", 8), Ok(42));
}

#[test]
fn c_2_1_literal_with_indexing() {
    let field = ("custom-key", "custom-header");
    let example = Example {
        block: "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
        fields: &[field],
        table: &[field],
        size: 55,
    };
    assert_eq!(check(HpackDecoder::new(), &[example]), [FieldForm::Incremental]);
}

#[test]
fn c_2_2_literal_without_indexing() {
    let example = Example {
        block: "040c 2f73 616d 706c 652f 7061 7468",
        fields: &[(":path", "/sample/path")],
        table: &[],
        size: 0,
    };
    assert_eq!(check(HpackDecoder::new(), &[example]), [FieldForm::NotIndexed]);
}

#[test]
fn c_2_3_literal_never_indexed() {
    let example = Example {
        block: "1008 7061 7373 776f 7264 0673 6563 7265 74",
        fields: &[("password", "secret")],
        table: &[],
        size: 0,
    };
    assert_eq!(check(HpackDecoder::new(), &[example]), [FieldForm::NeverIndexed]);
}

#[test]
fn c_2_4_indexed() {
    let example = Example { block: "82", fields: &[(":method", "GET")], table: &[], size: 0 };
    assert_eq!(check(HpackDecoder::new(), &[example]), [FieldForm::Indexed]);
}

/// The requests of C.3 and C.4, which differ in how strings are written.
fn check_requests(blocks: [&str; 3]) {
    let authority = (":authority", "www.example.com");
    let cache_control = ("cache-control", "no-cache");
    let custom = ("custom-key", "custom-value");
    let [first, second, third] = blocks;
    let examples = [
        Example {
            block: first,
            fields: &[(":method", "GET"), (":scheme", "http"), (":path", "/"), authority],
            table: &[authority],
            size: 57,
        },
        Example {
            block: second,
            fields: &[(":method", "GET"), (":scheme", "http"), (":path", "/"), authority, cache_control],
            table: &[cache_control, authority],
            size: 110,
        },
        Example {
            block: third,
            fields: &[(":method", "GET"), (":scheme", "https"), (":path", "/index.html"), authority, custom],
            table: &[custom, cache_control, authority],
            size: 164,
        },
    ];
    check(HpackDecoder::new(), &examples);
}

#[test]
fn c_3_requests_without_huffman_coding() {
    check_requests([
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ]);
}

#[test]
fn c_4_requests_with_huffman_coding() {
    check_requests([
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ]);
}

/// The responses of C.5 and C.6, to a table of 256 bytes, which evicts.
fn check_responses(blocks: [&str; 3]) {
    let private = ("cache-control", "private");
    let date = ("date", "Mon, 21 Oct 2013 20:13:21 GMT");
    let later = ("date", "Mon, 21 Oct 2013 20:13:22 GMT");
    let location = ("location", "https://www.example.com");
    let gzip = ("content-encoding", "gzip");
    let cookie = ("set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    let [first, second, third] = blocks;
    let examples = [
        Example {
            block: first,
            fields: &[(":status", "302"), private, date, location],
            table: &[location, date, private, (":status", "302")],
            size: 222,
        },
        Example {
            block: second,
            fields: &[(":status", "307"), private, date, location],
            table: &[(":status", "307"), location, date, private],
            size: 222,
        },
        Example {
            block: third,
            fields: &[(":status", "200"), private, later, location, gzip, cookie],
            table: &[cookie, gzip, later],
            size: 215,
        },
    ];
    check(HpackDecoder::with_limits(HpackLimits::default().with_max_table_bytes(256)), &examples);
}

#[test]
fn c_5_responses_without_huffman_coding() {
    check_responses([
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
         2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
         6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d
         54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049
         5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e
         3d31",
    ]);
}

#[test]
fn c_6_responses_with_huffman_coding() {
    check_responses([
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
         2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
         77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
         9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    ]);
}
