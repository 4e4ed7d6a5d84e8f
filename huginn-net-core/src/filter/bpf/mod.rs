//! Filters as programs of the classic BSD packet filter.

mod assembler;
mod opcode;

use self::assembler::{Assembler, Label};
use super::expression::{End, Test};
use super::program::{Program, Target};
use crate::packet::{ether_type, tunnel_port};
use crate::{IpProtocol, IpVersion, LinkType};

/// An instruction, laid out as the `sock_filter` of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BpfInstruction {
    /// What to do.
    pub code: u16,
    /// Instructions to pass over if a comparison holds.
    pub jt: u8,
    /// Instructions to pass over if it does not.
    pub jf: u8,
    /// Operand.
    pub k: u32,
}

/// Which packets matter to those who analyze them; the later, the fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Interest {
    /// All.
    Everything,
    /// Those of TCP, those of UDP that begin like a QUIC packet with a long header or like a handshake record of DTLS, also
    /// where TURN relays it or it encrypts CAPWAP, and those that may hold such packets.
    Hellos,
    /// Those of TCP, and those that may hold some.
    Tcp,
}

impl Interest {
    /// What matters to either.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        self.min(other)
    }
}

/// Words of scratch memory.
mod memory {
    /// Offset of the IP header.
    pub(super) const IP_AT: u32 = 0;
    /// What follows the IP header.
    pub(super) const PROTOCOL: u32 = 1;
    pub(super) const SOURCE_PORT: u32 = 2;
    pub(super) const DESTINATION_PORT: u32 = 3;
}

/// A number beyond those of ports.
const NO_PORT: u32 = 0x1_0000;

/// Tags that are looked through; frames with more are let pass.
const MAX_TAGS: u32 = 2;

/// The program that accepts what a filter wants and is of interest, as far as it can tell.
pub(super) fn program(
    filter: &Program,
    link_type: LinkType,
    interest: Interest,
) -> Option<Vec<BpfInstruction>> {
    let mut assembler = Assembler::default();
    let [accept, reject, v4, v6] = core::array::from_fn(|_| assembler.label());
    let mut writer = Writer { assembler, accept, reject, interest };
    writer.link(link_type, v4, v6)?;
    for (version, entry) in [(IpVersion::V4, v4), (IpVersion::V6, v6)] {
        writer.assembler.place(entry);
        writer.headers(version);
        writer.steps(filter, version);
    }
    let Writer { mut assembler, .. } = writer;
    assembler.place(accept);
    assembler.plain(opcode::RET, u32::MAX);
    assembler.place(reject);
    assembler.plain(opcode::RET, 0);
    assembler.finish()
}

struct Writer {
    assembler: Assembler,
    accept: Label,
    reject: Label,
    interest: Interest,
}

impl Writer {
    /// Finds the IP header, and goes to `v4` or `v6` with its offset in the index register.
    fn link(&mut self, link_type: LinkType, v4: Label, v6: Label) -> Option<()> {
        match link_type {
            LinkType::ETHERNET => self.ethernet(v4, v6),
            LinkType::IPV4 => self.ip_at(0, v4),
            LinkType::IPV6 => self.ip_at(0, v6),
            LinkType::RAW | LinkType::RAW_BSD | LinkType::RAW_OPENBSD => self.ip_of_version(0, v4, v6),
            // The family before it is in an order that differs between hosts, and says no more.
            LinkType::NULL | LinkType::LOOP => self.ip_of_version(4, v4, v6),
            _ => return None,
        }
        Some(())
    }

    fn ip_at(&mut self, at: u32, version: Label) {
        self.assembler.plain(opcode::LDX_IMM, at);
        self.assembler.goto(version);
    }

    fn ip_of_version(&mut self, at: u32, v4: Label, v6: Label) {
        let Self { assembler, reject, .. } = self;
        assembler.plain(opcode::LDX_IMM, at);
        assembler.plain(opcode::LDB_ABS, at);
        assembler.plain(opcode::AND, 0xf0);
        assembler.branch_if(opcode::JEQ, 0x40, v4);
        assembler.branch(opcode::JEQ, 0x60, v6, *reject);
    }

    fn ethernet(&mut self, v4: Label, v6: Label) {
        for tags in 0..=MAX_TAGS {
            let type_at = 12 + 4 * tags;
            let tagged = self.assembler.label();
            self.assembler.plain(opcode::LDX_IMM, type_at + 2);
            self.assembler.plain(opcode::LDH_ABS, type_at);
            self.assembler.branch_if(opcode::JEQ, ether_type::IPV4.into(), v4);
            self.assembler.branch_if(opcode::JEQ, ether_type::IPV6.into(), v6);
            for tag in ether_type::TAGS {
                self.assembler.branch_if(opcode::JEQ, tag.into(), tagged);
            }
            for carrier in ether_type::CARRIERS {
                self.assembler.branch_if(opcode::JEQ, carrier.into(), self.accept);
            }
            // Smaller ones are lengths, behind which LLC says what follows.
            self.assembler.branch(opcode::JGE, ether_type::MIN.into(), self.reject, self.accept);
            self.assembler.place(tagged);
        }
        self.assembler.goto(self.accept);
    }

    /// Puts what the filter asks for into memory, and goes on if that is all there; the index register has the offset
    /// of the IP header.
    fn headers(&mut self, version: IpVersion) {
        let Self { assembler, accept, .. } = self;
        assembler.plain(opcode::STX, memory::IP_AT);
        match version {
            IpVersion::V4 => {
                // Fragments: "more fragments", or an offset.
                assembler.plain(opcode::LDH_IND, 6);
                assembler.branch_if(opcode::JSET, 0x3fff, *accept);
                assembler.plain(opcode::LDB_IND, 9);
                assembler.plain(opcode::ST, memory::PROTOCOL);
                // Where the header ends: its length is in units of 4 bytes.
                assembler.plain(opcode::LDB_IND, 0);
                assembler.plain(opcode::AND, 0x0f);
                assembler.plain(opcode::LSH, 2);
                assembler.plain(opcode::ADD_X, 0);
            }
            IpVersion::V6 => {
                assembler.plain(opcode::LDB_IND, 6);
                assembler.plain(opcode::ST, memory::PROTOCOL);
                assembler.plain(opcode::TXA, 0);
                assembler.plain(opcode::ADD, 40);
            }
        }
        assembler.plain(opcode::TAX, 0);
        assembler.plain(opcode::LD_IMM, NO_PORT);
        assembler.plain(opcode::ST, memory::SOURCE_PORT);
        assembler.plain(opcode::ST, memory::DESTINATION_PORT);
        self.transport(version);
        self.assembler.plain(opcode::LDX_MEM, memory::IP_AT);
    }

    /// Ports, and what is of interest; the index register has the offset of the transport header.
    fn transport(&mut self, version: IpVersion) {
        let [tcp, udp, done] = core::array::from_fn(|_| self.assembler.label());
        let Self { assembler, accept, reject, interest } = self;
        assembler.plain(opcode::LD_MEM, memory::PROTOCOL);
        assembler.branch_if(opcode::JEQ, IpProtocol::TCP.0.into(), tcp);
        assembler.branch_if(opcode::JEQ, IpProtocol::UDP.0.into(), udp);
        for carrier in IpProtocol::carriers(version) {
            assembler.branch_if(opcode::JEQ, carrier.0.into(), *accept);
        }
        assembler.goto(if *interest == Interest::Everything { done } else { *reject });

        assembler.place(udp);
        assembler.plain(opcode::LDH_IND, 0);
        for port in tunnel_port::SOURCES {
            assembler.branch_if(opcode::JEQ, port.into(), *accept);
        }
        assembler.plain(opcode::LDH_IND, 2);
        for port in tunnel_port::DESTINATIONS {
            assembler.branch_if(opcode::JEQ, port.into(), *accept);
        }
        match interest {
            Interest::Everything => assembler.goto(tcp),
            Interest::Tcp => assembler.goto(*reject),
            Interest::Hellos => {
                // QUIC's header form (RFC 9000 §17.2), or the type and version of a DTLS record (RFC 6347 §4.1; 0x0100 is that
                // of a draft).
                assembler.plain(opcode::LDB_IND, 8);
                assembler.branch_if(opcode::JSET, 0x80, tcp);
                let [capwap, message, carried] = core::array::from_fn(|_| assembler.label());
                // Of the upper two bits one is set in the numbers of channels.
                assembler.plain(opcode::AND, 0xc0);
                assembler.branch_if(opcode::JEQ, 0x40, carried);
                assembler.plain(opcode::LDH_IND, 8);
                assembler.branch_if(opcode::JEQ, 0x16fe, tcp);
                assembler.branch_if(opcode::JEQ, 0x1601, tcp);
                assembler.branch_if(opcode::JEQ, 0x0100, capwap);
                // Send or Data, and the cookie of STUN (RFC 8656 §11, RFC 8489 §5).
                assembler.plain(opcode::AND, 0xfffe);
                assembler.branch(opcode::JEQ, 0x0016, message, *reject);
                assembler.place(message);
                assembler.plain(opcode::LDW_IND, 12);
                assembler.branch(opcode::JEQ, 0x2112_a442, tcp, *reject);
                // A record behind the rest of a header (RFC 5415 §4.2), or behind the number of a channel and a length (RFC 8656 §12.4).
                assembler.place(capwap);
                assembler.plain(opcode::LDH_IND, 10);
                assembler.branch(opcode::JEQ, 0, carried, *reject);
                assembler.place(carried);
                assembler.plain(opcode::LDH_IND, 12);
                assembler.branch_if(opcode::JEQ, 0x16fe, tcp);
                assembler.branch(opcode::JEQ, 0x1601, tcp, *reject);
            }
        }

        // Both headers begin with the ports.
        assembler.place(tcp);
        assembler.plain(opcode::LDH_IND, 0);
        assembler.plain(opcode::ST, memory::SOURCE_PORT);
        assembler.plain(opcode::LDH_IND, 2);
        assembler.plain(opcode::ST, memory::DESTINATION_PORT);
        assembler.place(done);
    }

    /// The tests of a filter; the index register has the offset of the IP header.
    fn steps(&mut self, filter: &Program, version: IpVersion) {
        let settled = settled(filter, version);
        let labels: Vec<Label> = filter.steps.iter().map(|_| self.assembler.label()).collect();
        let mut is_reached = vec![false; filter.steps.len()];
        let (accept, reject) = (self.accept, self.reject);
        let reach = |target: Target, is_reached: &mut [bool]| match after(&settled, target) {
            Target::Accept => accept,
            Target::Reject => reject,
            Target::Step(index) => {
                if let Some(is_reached) = is_reached.get_mut(index) {
                    *is_reached = true;
                }
                labels.get(index).copied().unwrap_or(accept)
            }
        };
        let start = reach(filter.start, &mut is_reached);
        self.assembler.goto(start);
        for (index, (step, &label)) in filter.steps.iter().zip(&labels).enumerate().rev() {
            if is_reached.get(index) == Some(&true) {
                let then = reach(step.then, &mut is_reached);
                let otherwise = reach(step.otherwise, &mut is_reached);
                let (yes, no) = if step.negated { (otherwise, then) } else { (then, otherwise) };
                self.assembler.place(label);
                self.test(step.test, version, yes, no);
            }
        }
    }

    fn test(&mut self, test: Test, version: IpVersion, yes: Label, no: Label) {
        let assembler = &mut self.assembler;
        match test {
            Test::Protocol(protocol) => {
                assembler.plain(opcode::LD_MEM, memory::PROTOCOL);
                assembler.branch(opcode::JEQ, protocol.0.into(), yes, no);
            }
            Test::Port(end, (lowest, highest)) => {
                assembler.plain(
                    opcode::LD_MEM,
                    match end {
                        End::Source => memory::SOURCE_PORT,
                        End::Destination => memory::DESTINATION_PORT,
                    },
                );
                if lowest == highest {
                    assembler.branch(opcode::JEQ, lowest.into(), yes, no);
                } else {
                    let at_least = assembler.label();
                    assembler.branch(opcode::JGE, lowest.into(), at_least, no);
                    assembler.place(at_least);
                    assembler.branch(opcode::JGT, highest.into(), no, yes);
                }
            }
            Test::Address(end, network) => {
                let address_at = match (version, end) {
                    (IpVersion::V4, End::Source) => 12,
                    (IpVersion::V4, End::Destination) => 16,
                    (IpVersion::V6, End::Source) => 8,
                    (IpVersion::V6, End::Destination) => 24,
                };
                let words = (address_at..).step_by(4).zip(network.words());
                let mut words = words.filter(|&(_, (_, mask))| mask != 0).peekable();
                if words.peek().is_none() {
                    assembler.goto(yes);
                }
                while let Some((at, (address, mask))) = words.next() {
                    assembler.plain(opcode::LDW_IND, at);
                    if mask != u32::MAX {
                        assembler.plain(opcode::AND, mask);
                    }
                    if words.peek().is_some() {
                        let equal = assembler.label();
                        assembler.branch(opcode::JEQ, address, equal, no);
                        assembler.place(equal);
                    } else {
                        assembler.branch(opcode::JEQ, address, yes, no);
                    }
                }
            }
            // Settled before.
            Test::Version(_) | Test::Vlan(_) => assembler.goto(yes),
        }
    }
}

/// By step, the first one at it or behind it whose answer is not known from the version of the IP header.
fn settled(filter: &Program, version: IpVersion) -> Vec<Target> {
    let mut settled = Vec::with_capacity(filter.steps.len());
    for (index, step) in filter.steps.iter().enumerate() {
        let known = match step.test {
            Test::Version(wanted) => Some(step.next(wanted == version)),
            Test::Address(_, network) if network.version() != version => Some(step.next(false)),
            // Whatever is asked of tags may hold.
            Test::Vlan(_) => Some(step.then),
            Test::Protocol(_) | Test::Address(..) | Test::Port(..) => None,
        };
        settled.push(known.map_or(Target::Step(index), |next| after(&settled, next)));
    }
    settled
}

fn after(settled: &[Target], target: Target) -> Target {
    match target {
        Target::Step(index) => settled.get(index).copied().unwrap_or(Target::Accept),
        end => end,
    }
}
