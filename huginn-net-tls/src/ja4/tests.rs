//! Parts of a JA4.

use super::*;

#[test]
fn alpn_is_told_by_its_first_and_last_character_or_else_hexadecimal_digit() {
    for (name, code) in [
        (&b""[..], b"00"),
        (b"h2", b"h2"),
        (b"http/1.1", b"h1"),
        (b"http/1.0", b"h0"),
        (b"h3-29", b"h9"),
        (b"x", b"xx"),
        (b"H2", b"H2"),
        (b"h\x002", b"h2"),
        (b"foo.", b"6e"),
        (b".ab", b"22"),
        (b"postgresql", b"pl"),
        (b"\xab", b"ab"),
        (b"\x20", b"20"),
        (b"\xab\xcd", b"ad"),
        (b"\x20\x61", b"21"),
        (b"\x30\xab", b"3b"),
        (b"\x61\x20", b"60"),
        (b"\x30\x31\xab\xcd", b"3d"),
        (b"\x30\xab\xcd\x31", b"01"),
        (b"\xc3\xa92", b"c2"),
        (b"\x0a\x0a", b"0a"),
    ] {
        assert_eq!(alpn_code(name), *code, "{name:02x?}");
    }
}

#[test]
fn a_version_without_a_code_is_00() {
    assert_eq!(version_code(ProtocolVersion(0x7f1c)), *b"00");
    assert_eq!(version_code(ProtocolVersion(0x0305)), *b"00");
    assert_eq!(version_code(ProtocolVersion(0x0202)), *b"00");
    assert_eq!(version_code(ProtocolVersion::SSL_2), *b"s2");
    assert_eq!(version_code(ProtocolVersion::SSL_3), *b"s3");
    assert_eq!(version_code(ProtocolVersion::DTLS_1_3), *b"d3");
}

#[test]
fn counts_stop_at_99() {
    assert_eq!([0, 9, 10, 99, 100, 1000].map(two_digits), [*b"00", *b"09", *b"10", *b"99", *b"99", *b"99"]);
}

#[test]
fn only_the_form_of_a_ja4_is_read_as_one() {
    let right = "q13d0310h3_55b375c5d22e_cd85d2d88918";
    assert_eq!(right.parse::<Ja4>().map(|ja4| ja4.to_string()), Ok(right.to_owned()));
    for wrong in [
        "",
        "x13d0310h3_55b375c5d22e_cd85d2d88918",
        "q1xd0310h3_55b375c5d22e_cd85d2d88918",
        "q14d0310h3_55b375c5d22e_cd85d2d88918",
        "q23d0310h3_55b375c5d22e_cd85d2d88918",
        "q13x0310h3_55b375c5d22e_cd85d2d88918",
        "q13d03x0h3_55b375c5d22e_cd85d2d88918",
        "q13d0310h-_55b375c5d22e_cd85d2d88918",
        "q13d0310h3-55b375c5d22e_cd85d2d88918",
        "q13d0310h3_55b375c5d22e-cd85d2d88918",
        "q13d0310h3_55b375c5d22E_cd85d2d88918",
        "q13d0310h3_55b375c5d22e_cd85d2d8891",
        "q13d0310h3_55b375c5d22e_cd85d2d889180",
        "q13d0310h3_55b375c5d22e_cd85d2d889\u{e9}",
    ] {
        assert_eq!(wrong.parse::<Ja4>(), Err(ParseJa4Error), "{wrong}");
    }
}
