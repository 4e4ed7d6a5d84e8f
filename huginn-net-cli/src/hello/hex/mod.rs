//! Bytes written as hexadecimal digits, in the forms in which people have them at hand.
//!
//! What could be read in two ways is refused: a byte too many or too few gives another fingerprint.

mod dump;
#[cfg(test)]
mod tests;

/// What `--hex` takes, for the help.
pub(crate) const FORMS: &str = "\
Take the input for hexadecimal digits, whatever it begins with; input that begins with a printable character or a blank \
is taken so anyway. There may be: digits in pairs, one after the other or with blanks, colons or commas between them and \
0x before each (`xxd -p`, Wireshark's \"hex stream\"); an array of C, or what is within its braces (`xxd -i`); \\x16\\x03… \
in strings (Wireshark's \"escaped string\"); dumps with hexadecimal offsets that go with the number of bytes, also with \
the text of the bytes beside them (`xxd`, `hexdump -C`, `od -A x -t x1z`, `tshark -x`, Wireshark's \"hex dump\"). What is \
broken, or could be read in two ways, is refused";

/// What some editors write before a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What was read, or what is wrong.
type Decoded<T> = Result<T, Broken>;

/// What is wrong with a text, and at which of its bytes.
#[derive(Debug)]
struct Broken {
    at: usize,
    what: String,
}

/// Part of a text.
#[derive(Clone, Copy)]
struct Piece<'t> {
    at: usize,
    text: &'t [u8],
}

impl<'t> Piece<'t> {
    fn broken<T>(self, what: impl Into<String>) -> Decoded<T> {
        Err(Broken { at: self.at, what: what.into() })
    }

    /// Up to so many bytes, and the rest.
    fn split(self, at: usize) -> (Self, Self) {
        let (text, rest) = self.text.split_at_checked(at).unwrap_or((self.text, &[]));
        (Self { text, ..self }, Self { at: self.at + text.len(), text: rest })
    }

    /// What begins with bytes of this kind, and the rest.
    fn split_while(self, is_of_kind: impl Fn(&u8) -> bool) -> (Self, Self) {
        self.split(self.text.iter().take_while(|byte| is_of_kind(byte)).count())
    }

    /// The blanks that it begins with, and the rest.
    fn split_blanks(self) -> (Self, Self) {
        self.split_while(u8::is_ascii_whitespace)
    }

    fn trim_start(self) -> Self {
        self.split_blanks().1
    }

    fn without(self, prefix: &[u8]) -> Option<Self> {
        self.text.starts_with(prefix).then(|| self.split(prefix.len()).1)
    }

    /// Bytes from pairs of digits.
    fn bytes(self) -> Decoded<Vec<u8>> {
        let (digits, rest) = self.split_while(u8::is_ascii_hexdigit);
        if let Some(&byte) = rest.text.first() {
            let is_visible = byte.is_ascii_graphic();
            let found =
                if is_visible { format!("'{}'", char::from(byte)) } else { format!("byte {byte:#04x}") };
            return rest.broken(format!("{found} is no hexadecimal digit"));
        }
        let (pairs, single) = digits.text.as_chunks();
        if !single.is_empty() {
            return digits.split(pairs.len() * 2).1.broken("this digit has no partner");
        }
        if pairs.is_empty() {
            return rest.broken("digits are missing");
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        Ok(pairs.iter().filter_map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect())
    }
}

/// The bytes that a text stands for, or its line and column where it is wrong; both begin at 1, and columns are bytes.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    decode_piece(Piece { at: 0, text }).map_err(|Broken { at, what }| {
        let before = text.get(..at).unwrap_or(text);
        let line = before.split(|&byte| byte == b'\n').count();
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        format!("line {line}, column {column}: {what}")
    })
}

fn decode_piece(all: Piece<'_>) -> Decoded<Vec<u8>> {
    let text = all.text.trim_ascii_start();
    if dump::is_one(all) {
        dump::decode(all)
    } else if text.starts_with(b"\"") || text.starts_with(b"\\") {
        escaped(all)
    } else if text.contains(&b'{') {
        array(all)
    } else {
        plain(all)
    }
}

/// Pairs of digits, between which blanks may stand, or a colon or comma, and before each of which `0x`.
fn plain(all: Piece<'_>) -> Decoded<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut is_behind_value = false;
    let prefixes = all.text.windows(2).filter(|two| two.eq_ignore_ascii_case(b"0x")).count();
    let mut rest = all.trim_start();
    while let Some(first) = rest.text.first() {
        if matches!(first, b':' | b',') {
            if !is_behind_value {
                return rest.broken("there is no byte before this");
            }
            is_behind_value = false;
            rest = rest.split(1).1.trim_start();
            continue;
        }
        let (value, behind) =
            rest.split_while(|byte| !matches!(byte, b':' | b',') && !byte.is_ascii_whitespace());
        let digits = value.without(b"0x").or_else(|| value.without(b"0X"));
        if digits.is_some_and(|digits| digits.text.len() > 2 && prefixes > 1) {
            return value.broken("a number of several bytes, which may be in either order");
        }
        bytes.extend(digits.unwrap_or(value).bytes()?);
        is_behind_value = true;
        rest = behind.trim_start();
    }
    Ok(bytes)
}

/// `\x` and two digits each, in strings that may go on in the next line.
fn escaped(all: Piece<'_>) -> Decoded<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = all;
    let mut is_open = false;
    while !rest.text.is_empty() {
        rest = if let Some(digits) = rest.without(b"\\x") {
            let (pair, behind) = digits.split(2);
            bytes.extend(pair.bytes()?);
            behind
        } else if let Some(behind) = rest.without(b"\"") {
            is_open = !is_open;
            behind
        } else if let (false, [b'\\', b'\r' | b'\n', ..] | [b' ' | b'\t' | b'\r' | b'\n', ..] | b"\\") =
            (is_open, rest.text)
        {
            rest.split(1).1
        } else {
            return rest.broken("neither \\x nor the end of a string");
        };
    }
    if is_open { rest.broken("the string does not end") } else { Ok(bytes) }
}

/// An array of C: `unsigned char name[] = { 0x16, … };`, behind which its length may be declared.
fn array(all: Piece<'_>) -> Decoded<Vec<u8>> {
    let (before, rest) = all.split_while(|byte| *byte != b'{');
    let (body, rest) = rest.split(1).1.split_while(|byte| *byte != b'}');
    let Some(behind) = rest.without(b"}") else { return rest.broken("the array does not end") };

    let declaration = before.text.trim_ascii();
    let is_of_bytes = declaration.is_empty()
        || declaration
            .strip_suffix(b"=")
            .is_some_and(|text| matches!(*words(text), [.., b"char" | b"uint8_t", _]));
    if !is_of_bytes {
        return before.trim_start().broken("not the declaration of an array of unsigned char");
    }
    let mut value = body;
    while let (_, found @ Piece { text: [first, ..], .. }) =
        value.split_while(|byte| *byte == b',' || byte.is_ascii_whitespace())
    {
        if *first != b'0' || !matches!(found.text.get(1), Some(b'x' | b'X')) {
            return found.broken("a value without 0x, which may be decimal");
        }
        value = found.split_while(|byte| *byte != b',' && !byte.is_ascii_whitespace()).1;
    }
    let bytes = plain(body)?;
    let told = behind.text.trim_ascii();
    let told = told.strip_prefix(b";").unwrap_or(told);
    let is_told_right = match *words(told.strip_suffix(b";").unwrap_or(told)) {
        [] => true,
        [b"unsigned", b"int", _, b"=", len] => len == bytes.len().to_string().as_bytes(),
        _ => false,
    };
    if is_told_right {
        return Ok(bytes);
    }
    behind.broken(format!("what follows does not tell that the array has {} bytes", bytes.len()))
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}
