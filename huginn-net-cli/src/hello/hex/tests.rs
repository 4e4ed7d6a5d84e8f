//! The forms as programs write them, and what is none of them.

use core::fmt::Write;

use super::decode;

/// Bytes whose text is hard to tell from digits.
const BYTES: &[u8] = b"\x16\x03\x01\x00 abcdef0123 456\xff|<abcd";
/// Bytes of which dumps leave lines out.
const ZEROS: [u8; 106] = {
    let mut bytes = [0; 106];
    (bytes[0], bytes[1], bytes[2]) = (0x16, 3, 1);
    (bytes[103], bytes[104], bytes[105]) = (b'a', b'b', b'c');
    bytes
};

const XXD: &str = "\
00000000: 1603 0100 2061 6263 6465 6630 3132 3320  .... abcdef0123 
00000010: 3435 36ff 7c3c 6162 6364                 456.|<abcd
";
const XXD_I: &str = "\
unsigned char w_cli_s_bin[] = {
  0x16, 0x03, 0x01, 0x00, 0x20, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x30,
  0x31, 0x32, 0x33, 0x20, 0x34, 0x35, 0x36, 0xff, 0x7c, 0x3c, 0x61, 0x62,
  0x63, 0x64
};
unsigned int w_cli_s_bin_len = 26;
";
const HEXDUMP_C: &str = "\
00000000  16 03 01 00 20 61 62 63  64 65 66 30 31 32 33 20  |.... abcdef0123 |
00000010  34 35 36 ff 7c 3c 61 62  63 64                    |456.|<abcd|
0000001a
";
const OD: &str = "\
000000 16 03 01 00 20 61 62 63 64 65 66 30 31 32 33 20  >.... abcdef0123 <
000010 34 35 36 ff 7c 3c 61 62 63 64                    >456.|<abcd<
00001a
";

/// Forms that stand for [`BYTES`].
fn forms() -> Vec<(&'static str, String)> {
    let wireshark = "\
0000   16 03 01 00 20 61 62 63 64 65 66 30 31 32 33 20   .... abcdef0123 
0010   34 35 36 ff 7c 3c 61 62 63 64                     456.|<abcd
";
    let without_text = "0000   16 03 01 00 20 61 62 63 64 65 66 30 31 32 33 20\n\
        0010   34 35 36 ff 7c 3c 61 62 63 64\n";
    let of_four = "\
00000000: 16030100 20616263 64656630 31323320  .... abcdef0123 
00000010: 343536ff 7c3c6162 6364               456.|<abcd
";
    let pairs: Vec<_> = BYTES.iter().map(|byte| format!("{byte:02x}")).collect();
    let escaped = pairs.iter().map(|pair| format!("\\x{pair}")).collect::<String>();
    let (first, second) = escaped.split_at(16 * 4);
    let colons: String = pairs.chunks(15).map(|line| line.join(":") + ":\n").collect();
    [
        ("xxd", XXD.to_owned()),
        ("xxd, lines of CR and LF", XXD.replace('\n', "\r\n")),
        ("xxd, without blanks at ends", XXD.replace(" \n", "\n")),
        ("xxd -g1", wireshark.replace("0000   1", "00000000: 1").replace("0010   3", "00000010: 3")),
        ("xxd -g4", of_four.to_owned()),
        ("xxd -i", XXD_I.to_owned()),
        ("xxd -i of standard input", XXD_I.lines().skip(1).take(3).collect::<Vec<_>>().join("\n")),
        ("array in one line", format!("const uint8_t hello[]={{{}}};", "0x".to_owned() + &pairs.join(",0X"))),
        ("hexdump -C", HEXDUMP_C.to_owned()),
        (
            "hexdump -C -s 66",
            HEXDUMP_C
                .replace("00000010", "00000052")
                .replacen("00000000", "00000042", 1)
                .replace("0000001a", "0000005c"),
        ),
        ("od -A x -t x1z", OD.to_owned()),
        (
            "od -A x -t x1",
            OD.lines().map(|line| line.split("  ").next().unwrap().to_owned() + "\n").collect(),
        ),
        ("Wireshark's hex and ASCII dump", wireshark.to_owned()),
        ("Wireshark's hex dump", without_text.to_owned()),
        ("Wireshark's escaped string", format!("\"{first}\" \\\n\"{second}\"")),
        ("strings", format!("\"{first}\"\n  \"{second}\"\n")),
        ("escaped bytes", escaped),
        ("stream", pairs.concat().to_uppercase()),
        ("stream behind 0x", "0x".to_owned() + &pairs.concat()),
        ("lines of a stream", pairs.chunks(7).map(|line| line.concat() + "\n").collect()),
        ("pairs", format!("\u{feff} {}\n", pairs.join(" "))),
        ("words", pairs.chunks(2).map(|word| word.concat() + "\t").collect()),
        ("colons", colons),
        ("list", "0x".to_owned() + &pairs.join(", 0X")),
    ]
    .into()
}

#[test]
fn every_form_gives_the_bytes() {
    for (name, text) in forms() {
        assert_eq!(decode(text.as_bytes()).as_deref(), Ok(BYTES), "{name}:\n{text}");
    }
}

/// A text that ends too early may have fewer bytes, and never other ones.
#[test]
fn a_text_cut_anywhere_has_the_first_bytes_or_is_refused() {
    for (name, text) in forms() {
        // Less than the first offset may be bytes; no hello begins with those.
        for end in 12..text.len() {
            if let Ok(bytes) = decode(&text.as_bytes()[..end]) {
                assert!(BYTES.starts_with(&bytes), "{name}: {:?}: {bytes:02x?}", &text[..end]);
            }
        }
    }
}

#[test]
fn a_line_that_is_lost_or_doubled_is_found() {
    for (name, text) in [("xxd", XXD), ("hexdump -C", HEXDUMP_C), ("od", OD)] {
        let lines: Vec<_> = text.lines().collect();
        for at in 0..lines.len() - 1 {
            let mut doubled = lines.clone();
            doubled.insert(at, lines[at]);
            assert!(decode(doubled.join("\n").as_bytes()).is_err(), "{name}, {at} twice");
        }
        let swapped = [lines[1], lines[0]].join("\n");
        assert!(decode(swapped.as_bytes()).is_err(), "{name}, out of order");
    }
    let lines: Vec<_> = HEXDUMP_C.lines().collect();
    assert!(decode([lines[0], lines[2]].join("\n").as_bytes()).is_err());
}

#[test]
fn lines_that_a_dump_leaves_out_are_there() {
    let hexdump = "\
00000000  16 03 01 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
*
00000060  00 00 00 00 00 00 00 61  62 63                    |.......abc|
0000006a
";
    assert_eq!(decode(hexdump.as_bytes()).as_deref(), Ok(&ZEROS[..]));
    // To the end.
    let (head, _) = hexdump.split_once("00000060").unwrap();
    let to_the_end = decode(format!("{head}00000060\n").as_bytes());
    assert_eq!(to_the_end.as_deref(), Ok(&ZEROS[..0x60]));
    for (rest, line) in [
        ("", 3),
        ("00000061\n", 4),
        ("00000020\n", 4),
        ("ffffffffffffffff\n", 4),
        ("00fffff0\n", 4),
        ("*\n", 4),
    ] {
        let told = decode(format!("{head}{rest}").as_bytes()).unwrap_err();
        assert!(told.starts_with(&format!("line {line}, column 1: ")), "{rest}: {told}");
    }
}

/// The reversed groups of `xxd -e`, and words of this machine's order as `hexdump` writes them.
#[test]
fn groups_in_another_order_are_refused() {
    let little = "\
00000000: 00010316 63626120 30666564 20333231  .... abcdef0123 
00000010: ff363534 62613c7c     6463           456.|<abcd
";
    let words =
        "0000000 0316 0001 6120 6362 6564 3066 3231 2033\n0000010 3534 ff36 3c7c 6261 6463\n000001a\n";
    for (text, told) in [
        (little, "line 1, column 48: this is not the text of the bytes before it"),
        (
            words,
            "line 1, column 9: groups of several bytes, of which nothing tells the order; take a dump of single bytes",
        ),
        // The text goes with either order.
        (
            "0000: 1603 0100  ....\n",
            "line 1, column 7: groups of several bytes, of which nothing tells the order; take a dump of single bytes",
        ),
    ] {
        assert_eq!(decode(text.as_bytes()), Err(told.to_owned()));
    }
    assert_eq!(decode(b"0000: 1616 0300 6100  ....a.\n"), Ok(vec![0x16, 0x16, 3, 0, b'a', 0]));
}

#[test]
fn what_is_broken_or_could_be_two_things_is_refused_where_it_is() {
    let octal = "0000000 16 03 01 00 20 61 62 63 64 65 66 30 31 32 33 20\n0000020 34\n";
    let binary = "00000000: 00010110 00000011 00000001 00000110 00100000 00000001  .... .\n";
    let changed = XXD.replacen("2061", "2062", 1);
    let decimal = XXD_I.replacen("0x16", "22", 1);
    let short = XXD_I.replacen(", 0x64\n", "\n", 1);
    let cut = XXD_I.split_once('}').unwrap().0;
    for (text, told) in [
        ("16 03 0y", "line 1, column 8: 'y' is no hexadecimal digit"),
        ("16 03\n\x01", "line 2, column 1: byte 0x01 is no hexadecimal digit"),
        ("16 0 3", "line 1, column 4: this digit has no partner"),
        ("160", "line 1, column 3: this digit has no partner"),
        ("0x160x03", "line 1, column 1: a number of several bytes, which may be in either order"),
        ("0x16, 0x", "line 1, column 9: digits are missing"),
        ("0x1603, 0x0100", "line 1, column 1: a number of several bytes, which may be in either order"),
        ("16,,03", "line 1, column 4: there is no byte before this"),
        (":16", "line 1, column 1: there is no byte before this"),
        (
            "1603 01",
            "line 1, column 1: this may be an offset or bytes; a dump of one line begins at offset 0000",
        ),
        (
            "000042 0316 0201\n000046 0001 0000",
            "line 1, column 8: groups of several bytes, of which nothing tells the order; take a dump of single bytes",
        ),
        ("hello", "line 1, column 1: 'h' is no hexadecimal digit"),
        ("0x0000:  1603 0zz0", "line 1, column 16: 'z' is no hexadecimal digit"),
        ("0000  16 03 01\n0003  0", "line 2, column 7: this digit has no partner"),
        ("0000  16 03 01\nFrame 2", "line 2, column 1: there is no offset, as before the lines above"),
        (
            "0000  16 03 01\n0000  16 03 01",
            "line 2, column 1: this offset does not go with the bytes before it, which end at 0x3 of a dump",
        ),
        ("0000  16 03\n0002\n0002 01", "line 3, column 1: the dump ends in the line before this one"),
        ("0000  16 03 0102", "line 1, column 13: groups of digits differ in length"),
        // Eight bytes and their text, or eleven bytes.
        (
            "0000  36 36 20 36 31 20 36 32  66 61 62",
            "line 1, column 7: bytes and their text cannot be told apart",
        ),
        ("\"\\x16\\x03", "line 1, column 10: the string does not end"),
        ("\"\\x16a\"", "line 1, column 6: neither \\x nor the end of a string"),
        ("\"\\x1\"", "line 1, column 5: '\"' is no hexadecimal digit"),
        ("\\x16 \\u0003", "line 1, column 6: neither \\x nor the end of a string"),
        ("short a[] = { 0x16 };", "line 1, column 1: not the declaration of an array of unsigned char"),
        (
            octal,
            "line 2, column 1: this offset does not go with the bytes before it, which end at 0x10 of a dump",
        ),
        (
            "ffffffffffffffff: 16 03\n0: 01\n",
            "line 2, column 1: this offset does not go with the bytes before it, which end at 0xffffffffffffffff of a dump",
        ),
        (binary, "line 1, column 66: this is not the text of the bytes before it"),
        (&changed, "line 1, column 52: this is not the text of the bytes before it"),
        (&decimal, "line 2, column 3: a value without 0x, which may be decimal"),
        (&short, "line 5, column 2: what follows does not tell that the array has 25 bytes"),
        (cut, "line 5, column 1: the array does not end"),
    ] {
        assert_eq!(decode(text.as_bytes()), Err(told.to_owned()), "{text:?}");
    }
}

/// No text makes it panic or take much memory.
#[test]
fn a_text_with_any_byte_changed_is_read_or_refused() {
    for (name, text) in forms() {
        for at in 0..text.len() {
            for other in [b' ', b'\n', b'*', b'0', b':', 0xff] {
                let mut changed = text.clone().into_bytes();
                changed[at] = other;
                if let Ok(bytes) = decode(&changed) {
                    assert!(bytes.len() <= BYTES.len() + 16, "{name}: {}", String::from_utf8_lossy(&changed));
                }
            }
        }
    }
}

#[test]
fn text_of_every_byte_is_known() {
    let all: Vec<u8> = (0..=255).collect();
    let mut text = String::new();
    for (row, bytes) in all.chunks(16).enumerate() {
        let _ = write!(text, "{:08x}: ", row * 16);
        bytes.iter().for_each(|byte| {
            let _ = write!(text, "{byte:02x} ");
        });
        let shown = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
        let _ = writeln!(text, " {}", bytes.iter().map(shown).collect::<String>());
    }
    assert_eq!(decode(text.as_bytes()), Ok(all));
}
