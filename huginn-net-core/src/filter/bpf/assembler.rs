//! From instructions with labels to instructions with distances.

use super::BpfInstruction;
use super::opcode;

/// A place in a program, which is somewhere behind the instructions that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

/// An instruction whose targets are labels.
enum Item {
    Place(Label),
    Plain { code: u16, k: u32 },
    Goto(Label),
    Branch { code: u16, k: u32, yes: Label, no: Label },
}

/// A program that is being written, from its first instruction on.
#[derive(Default)]
pub(super) struct Assembler {
    items: Vec<Item>,
    labels: usize,
}

impl Assembler {
    /// Longest program that Linux takes (`BPF_MAXINSNS`), in instructions.
    const MAX_LEN: usize = 4_096;

    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Says that `label` is here.
    pub(super) fn place(&mut self, label: Label) {
        self.items.push(Item::Place(label));
    }

    pub(super) fn plain(&mut self, code: u16, k: u32) {
        self.items.push(Item::Plain { code, k });
    }

    pub(super) fn goto(&mut self, label: Label) {
        self.items.push(Item::Goto(label));
    }

    /// Goes to `yes` or `no` by how the accumulator compares with `k`.
    pub(super) fn branch(&mut self, code: u16, k: u32, yes: Label, no: Label) {
        self.items.push(Item::Branch { code, k, yes, no });
    }

    /// Goes to `yes` if the accumulator compares so with `k`, and goes on otherwise.
    pub(super) fn branch_if(&mut self, code: u16, k: u32, yes: Label) {
        let no = self.label();
        self.branch(code, k, yes, no);
        self.place(no);
    }

    /// The program; `None` if it is too long.
    pub(super) fn finish(self) -> Option<Vec<BpfInstruction>> {
        let mut written = Backwards { reversed: Vec::new(), places: vec![0; self.labels] };
        for item in self.items.into_iter().rev() {
            match item {
                Item::Place(label) => *written.places.get_mut(label.0)? = written.reversed.len(),
                Item::Plain { code, k } => written.push(code, 0, 0, k),
                Item::Goto(label) => written.goto(label)?,
                Item::Branch { code, k, yes, no } => written.branch(code, k, yes, no)?,
            }
            if written.reversed.len() > Self::MAX_LEN {
                return None;
            }
        }
        written.reversed.reverse();
        Some(written.reversed)
    }
}

/// A program that is written from its end, so that the distance to whatever follows is known.
struct Backwards {
    reversed: Vec<BpfInstruction>,
    /// By label, how many instructions there are from it to the end.
    places: Vec<usize>,
}

impl Backwards {
    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.reversed.push(BpfInstruction { code, jt, jf, k });
    }

    /// How many instructions there are between the one to be written and a label.
    fn distance(&self, label: Label) -> Option<usize> {
        self.reversed.len().checked_sub(*self.places.get(label.0)?)
    }

    fn goto(&mut self, label: Label) -> Option<()> {
        match u32::try_from(self.distance(label)?).ok()? {
            0 => {}
            distance => self.push(opcode::JA, 0, 0, distance),
        }
        Some(())
    }

    /// A branch spans 255 instructions; further ones go by way of a jump right behind it, which later ones use, too.
    fn branch(&mut self, code: u16, k: u32, yes: Label, no: Label) -> Option<()> {
        loop {
            let far = |label| Some(self.distance(label)? > usize::from(u8::MAX));
            let label = match (far(yes)?, far(no)?) {
                (true, _) => yes,
                (false, true) => no,
                (false, false) => break,
            };
            self.goto(label)?;
            *self.places.get_mut(label.0)? = self.reversed.len();
        }
        let (jt, jf) = (self.distance(yes)?, self.distance(no)?);
        self.push(code, u8::try_from(jt).ok()?, u8::try_from(jf).ok()?, k);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_further_than_255_instructions_goes_by_way_of_jumps() {
        let mut program = Assembler::default();
        let (yes, no) = (program.label(), program.label());
        program.branch(opcode::JEQ, 7, yes, no);
        for k in 0..255 {
            program.plain(opcode::LD_IMM, k);
        }
        program.place(no);
        program.plain(opcode::RET, 0);
        program.place(yes);
        program.plain(opcode::RET, 1);
        let program = program.finish().expect("not too long");
        // The jump to `yes` makes `no` too far.
        assert_eq!(program.len(), 3 + 255 + 2);
        assert_eq!(program[0], BpfInstruction { code: opcode::JEQ, jt: 1, jf: 0, k: 7 });
        assert_eq!(program[1], BpfInstruction { code: opcode::JA, jt: 0, jf: 0, k: 256 });
        assert_eq!(program[2], BpfInstruction { code: opcode::JA, jt: 0, jf: 0, k: 256 });
    }

    #[test]
    fn a_program_longer_than_linux_takes_is_none() {
        let of_len = |len| {
            let mut program = Assembler::default();
            (0..len).for_each(|k| program.plain(opcode::RET, k));
            program.finish()
        };
        assert_eq!(of_len(4_096).map(|program| program.len()), Some(4_096));
        assert_eq!(of_len(4_097), None);
    }
}
