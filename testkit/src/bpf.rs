//! A machine for programs of the classic BSD packet filter, as a kernel would run them.

/// Operation code, instructions to pass over if a comparison holds or does not, and operand.
pub type Instruction = (u16, u8, u8, u32);

/// Runs a program on a frame: how many bytes of it are accepted, 0 if it is rejected.
///
/// # Panics
/// If the program has an instruction that this machine does not know, leaves its end, or reads memory that it has not
/// written, for all of which a kernel refuses it.
#[must_use]
pub fn run(program: &[Instruction], frame: &[u8]) -> u32 {
    let (mut a, mut x, mut memory) = (0_u32, 0_u32, [None; 16]);
    let mut at = 0;
    loop {
        let (code, jt, jf, k) = program[at];
        at += 1;
        let read = |offset: u32, len: usize| {
            let offset = offset as usize;
            let bytes = frame.get(offset..offset + len)?;
            Some(bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte)))
        };
        let branch = |holds: bool| usize::from(if holds { jt } else { jf });
        let stored = |word: Option<u32>| word.expect("memory that was written");
        match code {
            0x00 => a = k,
            0x01 => x = k,
            0x20 | 0x28 | 0x30 | 0x40 | 0x48 | 0x50 => {
                let len = [4, 2, 1][usize::from(code >> 3 & 3)];
                let base = if code & 0x40 != 0 { x } else { 0 };
                match base.checked_add(k).and_then(|offset| read(offset, len)) {
                    Some(value) => a = value,
                    // A read beyond the frame rejects it.
                    None => return 0,
                }
            }
            0x60 => a = stored(memory[k as usize]),
            0x61 => x = stored(memory[k as usize]),
            0x02 => memory[k as usize] = Some(a),
            0x03 => memory[k as usize] = Some(x),
            0x04 => a = a.wrapping_add(k),
            0x0c => a = a.wrapping_add(x),
            0x54 => a &= k,
            0x64 => a <<= k,
            0x05 => at += k as usize,
            0x15 => at += branch(a == k),
            0x25 => at += branch(a > k),
            0x35 => at += branch(a >= k),
            0x45 => at += branch(a & k != 0),
            0x06 => return k,
            0x07 => x = a,
            0x87 => a = x,
            _ => panic!("instruction {:#04x} at {}", code, at - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_tcpdump_accepts_ipv4_tcp_and_nothing_else() {
        // tcpdump -d 'ip proto 6'
        let program = [
            (0x28, 0, 0, 12),
            (0x15, 0, 3, 0x800),
            (0x30, 0, 0, 23),
            (0x15, 0, 1, 6),
            (0x06, 0, 0, 262_144),
            (0x06, 0, 0, 0),
        ];
        let mut frame = vec![0; 34];
        (frame[12], frame[23]) = (8, 6);
        assert_eq!(run(&program, &frame), 262_144);
        assert_eq!(run(&program, &frame[..23]), 0);
        frame[23] = 17;
        assert_eq!(run(&program, &frame), 0);
    }
}
