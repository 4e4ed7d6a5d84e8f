//! Filters.

use huginn_net_core::{BpfInstruction, Decoder, Filter, Frame, Interest};

use crate::LINK_TYPES;

/// Reads an expression and judges a frame by it.
///
/// The first byte chooses the link type. Then comes the length of the expression in two bytes, the expression, and the
/// frame.
pub fn filter(data: &[u8]) {
    let [choice, high, low, rest @ ..] = data else { return };
    let len = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
    let Some((text, bytes)) = rest.split_at_checked(len) else { return };
    let text = String::from_utf8_lossy(text);
    let filter = match Filter::parse(&text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "an error names a place in the text");
            assert_eq!(error.column(), error.span().start + 1);
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let opposite = Filter::parse(&format!("not ({text})")).unwrap_or_default();
    let Some(&link_type) = LINK_TYPES.get(usize::from(*choice) % LINK_TYPES.len()) else { return };
    let is_opposite = opposite != Filter::default();
    Decoder::default().decode_each(&Frame::new(bytes, link_type), |packet| {
        // Of several headers, one may fit and another one not.
        let fits = filter.matches(packet) || !is_opposite || opposite.matches(packet);
        assert!(fits, "a header fits a filter or its opposite");
    });
    for interest in [Interest::Everything, Interest::Hellos, Interest::Tcp] {
        if let Some(program) = filter.to_bpf_for(link_type, interest) {
            assert_sound(&program);
        }
    }
}

/// Asserts that a program ends wherever it goes, as a kernel does before it takes one.
fn assert_sound(program: &[BpfInstruction]) {
    const RETURN: u16 = 0x06;
    const JUMP: u16 = 0x05;
    const CLASS: u16 = 0x07;
    for (at, instruction) in program.iter().enumerate() {
        let left = program.len() - at - 1;
        let BpfInstruction { code, jt, jf, k } = *instruction;
        match code & CLASS {
            _ if code == JUMP => assert!((k as usize) < left, "a jump beyond the end"),
            JUMP => assert!(usize::from(jt.max(jf)) < left, "a branch beyond the end"),
            RETURN => {}
            _ => assert!(left > 0, "nothing behind the last instruction"),
        }
    }
}
