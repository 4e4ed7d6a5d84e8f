//! An expression as a program of tests, each of which says which one is next.

use core::net::IpAddr;

use super::expression::{End, Expression, Test};
use crate::{IpProtocol, IpVersion, Layout, Packet};

/// Tests that are made one after another until one of them decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// From the last one to the first: a step leads only to one before it in this list, so that a run ends.
    pub(super) steps: Vec<Step>,
    pub(super) start: Target,
}

/// A test, and where its answer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) test: Test,
    /// Whether the expression asks for the opposite.
    pub(super) negated: bool,
    /// Where to go when what the expression asks for holds.
    pub(super) then: Target,
    pub(super) otherwise: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Accept,
    Reject,
    /// The step with this index.
    Step(usize),
}

impl Program {
    /// The program that accepts everything.
    pub(super) const ALL: Self = Self { steps: Vec::new(), start: Target::Accept };

    pub(super) fn of(expression: &Expression) -> Self {
        let mut program = Self::ALL;
        program.start = program.add(expression, false, Target::Accept, Target::Reject);
        program
    }

    /// Puts an expression, or its opposite, before what is there; gives where it begins.
    fn add(&mut self, expression: &Expression, negated: bool, then: Target, otherwise: Target) -> Target {
        match (expression, negated) {
            (&Expression::Test(test), _) => {
                self.steps.push(Step { test, negated, then, otherwise });
                Target::Step(self.steps.len() - 1)
            }
            (Expression::Not(operand), _) => self.add(operand, !negated, then, otherwise),
            // Not all of them hold if the opposite of any does.
            (Expression::All(operands), false) | (Expression::Any(operands), true) => {
                operands.iter().rev().fold(then, |next, operand| self.add(operand, negated, next, otherwise))
            }
            (Expression::Any(operands), false) | (Expression::All(operands), true) => {
                operands.iter().rev().fold(otherwise, |next, operand| self.add(operand, negated, then, next))
            }
        }
    }

    #[inline]
    pub(super) fn accepts(&self, header: &Header<'_>) -> bool {
        let mut next = self.start;
        loop {
            let step = match next {
                Target::Accept => return true,
                Target::Reject => return false,
                Target::Step(index) => self.steps.get(index),
            };
            let Some(step) = step else { return false };
            next = step.next(header.fits(step.test));
        }
    }
}

impl Step {
    /// Where to go from here if the test holds, or if it does not.
    #[inline]
    pub(super) const fn next(&self, holds: bool) -> Target {
        if holds == self.negated { self.otherwise } else { self.then }
    }
}

/// An IP header, what it carries, and the tags of its frame.
pub(super) struct Header<'a> {
    version: IpVersion,
    protocol: IpProtocol,
    source: IpAddr,
    destination: IpAddr,
    ports: Option<(u16, u16)>,
    layout: &'a Layout,
}

impl<'a> Header<'a> {
    /// The IP header of `packet`, in a frame of this layout.
    #[inline]
    pub(super) fn of(packet: &Packet<'_>, layout: &'a Layout) -> Self {
        let (source, destination) = packet.addresses();
        let (version, protocol, ports) = (packet.ip_version(), packet.protocol(), packet.ports());
        Self { version, protocol, source, destination, ports, layout }
    }

    #[inline]
    fn fits(&self, test: Test) -> bool {
        match test {
            Test::Version(version) => self.version == version,
            Test::Protocol(protocol) => self.protocol == protocol,
            Test::Address(End::Source, network) => network.contains(self.source),
            Test::Address(End::Destination, network) => network.contains(self.destination),
            Test::Port(end, (lowest, highest)) => self.ports.is_some_and(|(source, destination)| {
                let port = if end == End::Source { source } else { destination };
                (lowest..=highest).contains(&port)
            }),
            Test::Vlan(None) => self.layout.vlan().is_some(),
            Test::Vlan(id) => self.layout.vlan() == id || self.layout.inner_vlan() == id,
        }
    }
}
