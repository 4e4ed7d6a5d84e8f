//! Instruction codes: class, size or operation, and mode or operand, as `linux/bpf_common.h` numbers them.

/// Accumulator: a number.
pub(super) const LD_IMM: u16 = 0x00;
/// Accumulator: a byte or a word of 16 bits of the frame, at an offset.
pub(super) const LDB_ABS: u16 = 0x30;
pub(super) const LDH_ABS: u16 = 0x28;
/// Accumulator: a byte or a word of 16 or 32 bits of the frame, at an offset from the index.
pub(super) const LDB_IND: u16 = 0x50;
pub(super) const LDH_IND: u16 = 0x48;
pub(super) const LDW_IND: u16 = 0x40;
/// Accumulator: a word of memory.
pub(super) const LD_MEM: u16 = 0x60;
/// Index: a number.
pub(super) const LDX_IMM: u16 = 0x01;
/// Index: a word of memory.
pub(super) const LDX_MEM: u16 = 0x61;
/// Memory: the accumulator.
pub(super) const ST: u16 = 0x02;
/// Memory: the index.
pub(super) const STX: u16 = 0x03;
/// Arithmetic on the accumulator, with a number or with the index.
pub(super) const ADD: u16 = 0x04;
pub(super) const ADD_X: u16 = 0x0c;
pub(super) const AND: u16 = 0x54;
pub(super) const LSH: u16 = 0x64;
/// Passes over instructions.
pub(super) const JA: u16 = 0x05;
/// Compares the accumulator with a number: equal, greater, greater or equal, any bit in common.
pub(super) const JEQ: u16 = 0x15;
pub(super) const JGT: u16 = 0x25;
pub(super) const JGE: u16 = 0x35;
pub(super) const JSET: u16 = 0x45;
/// Accepts so many bytes; none rejects the frame.
pub(super) const RET: u16 = 0x06;
/// Index: the accumulator.
pub(super) const TAX: u16 = 0x07;
/// Accumulator: the index.
pub(super) const TXA: u16 = 0x87;
