//! Classic BPF, the programs that decide in the kernel which frames are captured.

/// One instruction of classic BPF (`struct sock_filter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Operation.
    pub code: u16,
    /// Instructions to pass over when a comparison holds.
    pub jt: u8,
    /// Instructions to pass over when it does not.
    pub jf: u8,
    /// Operand.
    pub k: u32,
}

impl Instruction {
    /// `BPF_RET | BPF_K`: ends the program and keeps that many bytes of the frame, none if it is 0.
    const RETURN: u16 = 0x06;

    /// Ends the program and keeps the first `len` bytes of the frame; 0 refuses it.
    #[must_use]
    pub const fn keep(len: u32) -> Self {
        Self { code: Self::RETURN, jt: 0, jf: 0, k: len }
    }

    /// The same instruction, which keeps no more than `snaplen` bytes if it is one that ends the program.
    pub(crate) fn within(self, snaplen: u32) -> Self {
        if self.code == Self::RETURN { Self { k: self.k.min(snaplen), ..self } } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_keeps_no_more_than_the_snaplen_and_still_refuses() {
        assert_eq!(Instruction::keep(262_144).within(96), Instruction::keep(96));
        assert_eq!(Instruction::keep(60).within(96), Instruction::keep(60));
        assert_eq!(Instruction::keep(0).within(96), Instruction::keep(0));
        let load = Instruction { code: 0x28, jt: 0, jf: 0, k: 1_000 };
        assert_eq!(load.within(96), load);
    }
}
