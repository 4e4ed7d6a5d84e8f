//! From the text of an expression to its tests.

use core::net::IpAddr;
use core::ops::Range;

use super::error::{FilterError, FilterReason};
use super::expression::{End, Expression, Test};
use super::lexer::{self, Placed, Token};
use super::network::Network;
use crate::{IpProtocol, IpVersion};

/// Bytes of an expression: some 3,000 addresses.
pub(super) const MAX_LEN: usize = 64 << 10;
/// Levels of parentheses, `not`, and turns from `and` to `or`.
pub(super) const MAX_DEPTH: usize = 64;

/// Reads an expression; `None` if it is empty.
pub(super) fn parse(text: &str) -> Result<Option<Expression>, FilterError> {
    if text.len() > MAX_LEN {
        let at = text.floor_char_boundary(MAX_LEN);
        return Err(FilterError::new(FilterReason::TooLong(MAX_LEN), at..text.len()));
    }
    let tokens = lexer::tokens(text)?;
    if tokens.is_empty() {
        return Ok(None);
    }
    let mut parser = Parser { rest: &tokens, end: text.trim_ascii_end().len() };
    let (part, _) = parser.expression(None, 0)?;
    match parser.rest.first() {
        None => Ok(Some(part.expression)),
        Some(_) => Err(parser.error(FilterReason::Operator)),
    }
}

/// An expression, and how many levels it has.
struct Part {
    expression: Expression,
    depth: usize,
}

/// What the keywords before a value say of it, and of the values behind it that have none.
#[derive(Clone, Copy)]
struct Qualifiers {
    protocol: Option<Protocol>,
    ends: Ends,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Host,
    Net,
    Port,
    PortRange,
}

/// Which ends of a packet a value is compared with.
#[derive(Clone, Copy)]
enum Ends {
    Source,
    Destination,
    Either,
    Both,
}

/// What a keyword for a protocol stands for.
#[derive(Clone, Copy)]
struct Protocol {
    version: Option<IpVersion>,
    carried: Option<IpProtocol>,
}

/// Reads tokens from front to back; each call consumes one at least, or fails.
struct Parser<'t, 'a> {
    rest: &'t [Placed<'a>],
    /// Offset of the end of the text.
    end: usize,
}

impl<'a> Parser<'_, 'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.rest.first().map(|placed| placed.token)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first.token)
    }

    fn take(&mut self, token: Token<'_>) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.next();
        }
        is_next
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        self.take(Token::Word(keyword))
    }

    /// Takes the next token if it is a word that means something here.
    fn take_word<T>(&mut self, meaning: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let Token::Word(word) = self.peek()? else { return None };
        let taken = meaning(word)?;
        self.next();
        Some(taken)
    }

    /// Where the next token is, or the end.
    fn here(&self) -> Range<usize> {
        self.rest.first().map_or(self.end..self.end, |placed| placed.span.clone())
    }

    fn error(&self, reason: FilterReason) -> FilterError {
        FilterError::new(reason, self.here())
    }

    /// Operands combined by `and` and `or`, of equal precedence, from left to right; and the qualifiers for a value
    /// behind them.
    fn expression(
        &mut self,
        known: Option<Qualifiers>,
        level: usize,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        self.chain(known, |parser, known| parser.operand(known, level))
    }

    fn chain(
        &mut self,
        mut known: Option<Qualifiers>,
        operand: impl Fn(&mut Self, Option<Qualifiers>) -> Result<(Part, Option<Qualifiers>), FilterError>,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        let (mut left, next) = operand(self, known)?;
        known = next;
        while let Some(operator @ (Token::And | Token::Or)) = self.peek() {
            let here = self.here();
            self.next();
            let (right, next) = operand(self, known)?;
            known = next;
            left = combined(left, operator == Token::And, right)
                .map_err(|reason| FilterError::new(reason, here))?;
        }
        Ok((left, known))
    }

    /// A level further down.
    fn below(&self, level: usize) -> Result<usize, FilterError> {
        if level == MAX_DEPTH { Err(self.error(FilterReason::TooDeep(MAX_DEPTH))) } else { Ok(level + 1) }
    }

    fn operand(
        &mut self,
        known: Option<Qualifiers>,
        level: usize,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        let level_below = self.below(level)?;
        let opened = self.here();
        if self.take(Token::Not) {
            let (part, known) = self.operand(known, level_below)?;
            return Ok((negated(part), known));
        }
        if self.take(Token::Open) {
            let (part, _) = self.expression(known, level_below)?;
            self.close(opened)?;
            return Ok((part, None));
        }
        self.primitive(known, level)
    }

    fn close(&mut self, opened: Range<usize>) -> Result<(), FilterError> {
        if self.take(Token::Close) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(_) => self.error(FilterReason::Operator),
            None => FilterError::new(FilterReason::Unclosed, opened),
        })
    }

    fn primitive(
        &mut self,
        known: Option<Qualifiers>,
        level: usize,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        let start = self.here();
        let Some(Token::Word(word)) = self.peek() else {
            return Err(self.error(FilterReason::Primitive));
        };
        if self.take_keyword("vlan") {
            return Ok((test(Test::Vlan(self.vlan_id()?)), None));
        }
        let protocol = self.take_word(Protocol::of);
        if protocol.is_none_or(Protocol::is_ip) && self.take_keyword("proto") {
            let version = protocol.and_then(|protocol| protocol.version);
            let carried =
                self.take_word(protocol_number).ok_or_else(|| self.error(FilterReason::Protocol))?;
            return Ok((Protocol { version, carried: Some(carried) }.part(), None));
        }
        let ends = self.ends();
        let kind = self.take_word(Kind::of);
        let Some(qualifiers) = Qualifiers::of(protocol, ends, kind) else {
            return match protocol {
                Some(protocol) => Ok((protocol.part(), None)),
                None => self.value_alone(known, word),
            };
        };
        if !qualifiers.go_together() {
            return Err(FilterError::new(FilterReason::Qualifier, start));
        }
        self.value(qualifiers, level)
    }

    /// A value that takes the qualifiers of the one before it.
    fn value_alone(
        &mut self,
        known: Option<Qualifiers>,
        word: &str,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        match known {
            _ if is_unsupported(word) => Err(self.error(FilterReason::Unsupported)),
            Some(qualifiers) => Ok((self.comparison(qualifiers)?, known)),
            None if word.starts_with(|first: char| first.is_ascii_digit() || first == ':') => {
                Err(self.error(FilterReason::Unqualified))
            }
            None => Err(self.error(FilterReason::Primitive)),
        }
    }

    /// What stands behind qualifiers: a value, or several in parentheses.
    fn value(
        &mut self,
        qualifiers: Qualifiers,
        level: usize,
    ) -> Result<(Part, Option<Qualifiers>), FilterError> {
        let level = self.below(level)?;
        let opened = self.here();
        let part = if self.take(Token::Not) {
            negated(self.value(qualifiers, level)?.0)
        } else if self.take(Token::Open) {
            let (part, _) = self.chain(None, |parser, _| parser.value(qualifiers, level))?;
            self.close(opened)?;
            part
        } else {
            self.comparison(qualifiers)?
        };
        Ok((part, Some(qualifiers)))
    }

    fn comparison(&mut self, qualifiers: Qualifiers) -> Result<Part, FilterError> {
        let Qualifiers { protocol, ends, kind } = qualifiers;
        let compared = match kind {
            Kind::Host | Kind::Net => {
                let start = self.here();
                let network = if kind == Kind::Host { self.host()? } else { self.network()? };
                let version = protocol.and_then(|protocol| protocol.version);
                if version.is_some_and(|version| version != network.version()) {
                    return Err(FilterError::new(FilterReason::Version, start));
                }
                return Ok(ends.part(|end| Test::Address(end, network)));
            }
            Kind::Port => {
                let port = self.take_word(port).ok_or_else(|| self.error(FilterReason::Port))?;
                ends.part(|end| Test::Port(end, (port, port)))
            }
            Kind::PortRange => {
                let range = self.take_word(port_range).ok_or_else(|| self.error(FilterReason::PortRange))?;
                ends.part(|end| Test::Port(end, range))
            }
        };
        Ok(match protocol.and_then(|protocol| protocol.carried) {
            Some(carried) => Part {
                depth: compared.depth + 1,
                expression: Expression::All(vec![
                    Expression::Test(Test::Protocol(carried)),
                    compared.expression,
                ]),
            },
            None => compared,
        })
    }

    fn host(&mut self) -> Result<Network, FilterError> {
        let start = self.here();
        let address = self.take_word(|word| word.parse::<IpAddr>().ok());
        let address = address.ok_or_else(|| self.error(FilterReason::Address))?;
        if matches!(self.peek(), Some(Token::Slash | Token::Word("mask"))) {
            return Err(FilterError::new(FilterReason::Mask, start.start..self.here().end));
        }
        Ok(Network::host(address))
    }

    fn network(&mut self) -> Result<Network, FilterError> {
        let mut span = self.here();
        let network = self.take_word(Network::parse).ok_or_else(|| self.error(FilterReason::Network))?;
        let is_prefix = self.take(Token::Slash);
        let masked = if is_prefix || self.take_keyword("mask") {
            let mask = self.here();
            span.end = mask.end;
            let masked = self.take_word(|word| match is_prefix {
                true => number(word).map(|len| network.with_prefix(len)),
                false => word.parse().ok().map(|mask| network.with_mask(mask)),
            });
            masked
                .unwrap_or(Err(FilterReason::PrefixLength))
                .map_err(|reason| FilterError::new(reason, mask))?
        } else {
            network
        };
        if masked.has_host_bits() {
            return Err(FilterError::new(FilterReason::HostBits, span));
        }
        Ok(masked)
    }

    fn vlan_id(&mut self) -> Result<Option<u16>, FilterError> {
        match self.peek() {
            Some(Token::Word(word)) if word.starts_with(|first: char| first.is_ascii_digit()) => {
                let id = self.take_word(|word| number(word).filter(|&id| id <= 4_095));
                id.map(Some).ok_or_else(|| self.error(FilterReason::Vlan))
            }
            _ => Ok(None),
        }
    }

    /// `src`, `dst`, or both with `or` or `and` between them.
    fn ends(&mut self) -> Option<Ends> {
        let end = |token: Option<&Placed<'_>>| match token?.token {
            Token::Word("src") => Some(End::Source),
            Token::Word("dst") => Some(End::Destination),
            _ => None,
        };
        let first = end(self.rest.first())?;
        let second = end(self.rest.get(2)).filter(|&second| second != first);
        let both = match (self.rest.get(1).map(|placed| placed.token), second) {
            (Some(Token::Or), Some(_)) => Some(Ends::Either),
            (Some(Token::And), Some(_)) => Some(Ends::Both),
            _ => None,
        };
        self.rest = self.rest.get(if both.is_some() { 3 } else { 1 }..).unwrap_or_default();
        Some(both.unwrap_or(match first {
            End::Source => Ends::Source,
            End::Destination => Ends::Destination,
        }))
    }
}

impl Qualifiers {
    /// `None` if there are none but a protocol, which is a primitive then.
    fn of(protocol: Option<Protocol>, ends: Option<Ends>, kind: Option<Kind>) -> Option<Self> {
        let is_one = ends.is_some() || kind.is_some();
        let (ends, kind) = (ends.unwrap_or(Ends::Either), kind.unwrap_or(Kind::Host));
        is_one.then_some(Self { protocol, ends, kind })
    }

    /// Whether there is such a thing: hosts and networks are those of IP, and ports those of TCP and UDP.
    fn go_together(&self) -> bool {
        self.protocol.is_none_or(|protocol| match self.kind {
            Kind::Host | Kind::Net => protocol.is_ip(),
            Kind::Port | Kind::PortRange => {
                matches!(protocol.carried, Some(IpProtocol::TCP | IpProtocol::UDP))
            }
        })
    }
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "host" => Self::Host,
            "net" => Self::Net,
            "port" => Self::Port,
            "portrange" => Self::PortRange,
            _ => return None,
        })
    }
}

impl Ends {
    fn part(self, compare: impl Fn(End) -> Test) -> Part {
        let [source, destination] = [End::Source, End::Destination].map(compare);
        match self {
            Self::Source => test(source),
            Self::Destination => test(destination),
            Self::Either => Part {
                expression: Expression::Any(vec![Expression::Test(source), Expression::Test(destination)]),
                depth: 2,
            },
            Self::Both => Part {
                expression: Expression::All(vec![Expression::Test(source), Expression::Test(destination)]),
                depth: 2,
            },
        }
    }
}

impl Protocol {
    fn of(word: &str) -> Option<Self> {
        let (version, carried) = match word {
            "ip" => (Some(IpVersion::V4), None),
            "ip6" => (Some(IpVersion::V6), None),
            "tcp" => (None, Some(IpProtocol::TCP)),
            "udp" => (None, Some(IpProtocol::UDP)),
            "sctp" => (None, Some(IpProtocol(132))),
            "esp" => (None, Some(IpProtocol(50))),
            "icmp" => (Some(IpVersion::V4), Some(IpProtocol(1))),
            "igmp" => (Some(IpVersion::V4), Some(IpProtocol(2))),
            "icmp6" => (Some(IpVersion::V6), Some(IpProtocol(58))),
            _ => return None,
        };
        Some(Self { version, carried })
    }

    fn is_ip(self) -> bool {
        self.carried.is_none()
    }

    fn part(self) -> Part {
        let tests = [self.version.map(Test::Version), self.carried.map(Test::Protocol)];
        let tests = tests.into_iter().flatten().map(Expression::Test).collect();
        Part { expression: Expression::All(tests), depth: 2 }
    }
}

fn test(test: Test) -> Part {
    Part { expression: Expression::Test(test), depth: 1 }
}

fn negated(part: Part) -> Part {
    Part { expression: Expression::Not(Box::new(part.expression)), depth: part.depth + 1 }
}

/// Both parts by one operator. A chain of one operator stays flat, however long it is.
fn combined(left: Part, is_and: bool, right: Part) -> Result<Part, FilterReason> {
    let (mut operands, depth) = match (left.expression, is_and) {
        (Expression::All(operands), true) | (Expression::Any(operands), false) => {
            (operands, left.depth.max(right.depth + 1))
        }
        (other, _) => (vec![other], left.depth.max(right.depth) + 1),
    };
    // `not` and parentheses are counted as they are read.
    if depth > MAX_DEPTH {
        return Err(FilterReason::TooDeep(MAX_DEPTH));
    }
    operands.push(right.expression);
    let expression = if is_and { Expression::All(operands) } else { Expression::Any(operands) };
    Ok(Part { expression, depth })
}

/// A decimal number without leading zeros, which some programs take for octal.
fn number<T: core::str::FromStr>(word: &str) -> Option<T> {
    let is_decimal = word == "0" || word.starts_with(|first| matches!(first, '1'..='9'));
    word.parse().ok().filter(|_| is_decimal)
}

fn port(word: &str) -> Option<u16> {
    number(word)
}

/// Either of two ports may be the lower one, and one port is a range, too.
fn port_range(word: &str) -> Option<(u16, u16)> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (port(first)?, port(last)?);
    Some((first.min(last), first.max(last)))
}

/// A number, or a keyword with or without a backslash.
fn protocol_number(word: &str) -> Option<IpProtocol> {
    let keyword = word.strip_prefix('\\').unwrap_or(word);
    number(word).map(IpProtocol).or_else(|| Protocol::of(keyword)?.carried)
}

/// Keywords of tcpdump that are none here.
fn is_unsupported(word: &str) -> bool {
    const LINKS: &[&str] =
        &["ether", "link", "wlan", "ppp", "mpls", "pppoed", "pppoes", "arp", "rarp", "type", "subtype"];
    const TUNNELS: &[&str] = &["geneve", "vxlan", "gre", "ah", "pim", "vrrp", "protochain"];
    const OTHERS: &[&str] =
        &["gateway", "broadcast", "multicast", "less", "greater", "len", "inbound", "outbound", "ifname"];
    [LINKS, TUNNELS, OTHERS].iter().any(|keywords| keywords.contains(&word))
}
