//! What the begin of a TCP connection tells.

use super::{Direction, Follow};
use crate::{SeqNumber, TcpFlags, TcpHeader, TcpSegment};

/// What SYN and SYN+ACK tell of a connection, before a byte of it was seen: where the bytes of its ends begin.
///
/// Takes 16 bytes, as nearly all connections there are while a host is flooded are no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// 0 if the SYN was not seen.
    syn: SeqNumber,
    client_next: SeqNumber,
    /// 0 if the SYN+ACK was not seen.
    server_next: SeqNumber,
    client: Direction,
    has_syn: bool,
    has_answer: bool,
    /// Whether the SYN brought data.
    has_data: bool,
}

impl Opening {
    /// Sequence numbers further apart than this are of different connections, in bytes.
    pub const FAR: u32 = 1 << 20;
    /// A SYN less than this before what is known may have been captured late, in bytes.
    pub const NEAR: i32 = 64 << 10;

    /// Of a SYN, its sequence number, and whether there are data on it
    /// ([RFC 7413 §4.2](https://www.rfc-editor.org/rfc/rfc7413#section-4.2)).
    #[inline]
    #[must_use]
    pub fn of_syn(client: Direction, seq: SeqNumber, has_data: bool) -> Self {
        Self {
            syn: seq,
            client_next: seq + 1,
            server_next: SeqNumber(0),
            client,
            has_syn: true,
            has_answer: false,
            has_data,
        }
    }

    /// Of a SYN+ACK, with its acknowledgment number and its sequence number.
    #[inline]
    #[must_use]
    pub fn of_syn_ack(server: Direction, acknowledged: SeqNumber, seq: SeqNumber) -> Self {
        Self {
            syn: SeqNumber(0),
            client_next: acknowledged,
            server_next: seq + 1,
            client: server.reversed(),
            has_syn: false,
            has_answer: true,
            has_data: false,
        }
    }

    /// Of a segment without data, if it is a SYN or a SYN+ACK.
    #[inline]
    #[must_use]
    pub fn of_empty(sender: Direction, tcp: &TcpHeader<'_>) -> Option<Self> {
        let (flags, seq) = (tcp.flags(), SeqNumber(tcp.sequence()));
        if flags.is_syn() {
            Some(Self::of_syn(sender, seq, false))
        } else if flags.is_syn_ack() {
            Some(Self::of_syn_ack(sender, SeqNumber(tcp.acknowledgment()), seq))
        } else {
            None
        }
    }

    /// The way of the SYN.
    #[must_use]
    pub const fn client(&self) -> Direction {
        self.client
    }

    /// Sequence number of the SYN, if it was seen.
    #[must_use]
    pub fn syn(&self) -> Option<SeqNumber> {
        self.has_syn.then_some(self.syn)
    }

    /// Number of the first byte of the client.
    #[must_use]
    pub const fn client_next(&self) -> SeqNumber {
        self.client_next
    }

    /// Number of the first byte of the server, if the SYN+ACK was seen.
    #[must_use]
    pub fn server_next(&self) -> Option<SeqNumber> {
        self.has_answer.then_some(self.server_next)
    }

    /// Whether a reset ends the connection, of which no byte was seen: its number is exactly the one that is expected
    /// ([RFC 5961 §3.2](https://www.rfc-editor.org/rfc/rfc5961#section-3.2)), or if that of the server is not known, it
    /// acknowledges the SYN ([RFC 9293 §3.10.7.3](https://www.rfc-editor.org/rfc/rfc9293#section-3.10.7.3)). Any other is
    /// not believed by who gets it.
    #[must_use]
    pub fn is_ended_by(&self, direction: Direction, reset: &TcpSegment<'_>) -> bool {
        match self.next_of(direction) {
            Some(next) => next.0 == reset.sequence(),
            None => reset.flags().intersects(TcpFlags::ACK) && self.client_next.0 == reset.acknowledgment(),
        }
    }

    /// Number of the first byte of one direction, if it is known.
    fn next_of(&self, direction: Direction) -> Option<SeqNumber> {
        if direction == self.client { Some(self.client_next) } else { self.server_next() }
    }

    /// Takes another SYN: what is known then, or `None` if it opens another connection.
    fn with_syn(self, latest: Self) -> Option<Self> {
        let Self { client, syn: seq, .. } = latest;
        if self.has_syn {
            return (self.syn == seq).then_some(self);
        }
        let is_late =
            self.next_of(client).is_some_and(|next| (0..Self::NEAR).contains(&next.distance_from(seq + 1)));
        // What its answer acknowledges is behind the data on it.
        let begins_here = latest.has_data && client == self.client;
        let client_next = if begins_here { latest.client_next } else { self.client_next };
        is_late.then_some(Self { syn: seq, client_next, has_syn: true, ..self })
    }

    /// Takes a SYN+ACK, of which the first one counts: what is known then, or `None` if it is of another connection.
    ///
    /// Who sent a SYN believes none that does not acknowledge it
    /// ([RFC 9293 §3.10.7.3](https://www.rfc-editor.org/rfc/rfc9293#section-3.10.7.3)), and sends one himself only with the number of
    /// his SYN, as an answer to that of the other end.
    fn with_syn_ack(self, server: Direction, client_next: SeqNumber, server_next: SeqNumber) -> Option<Self> {
        let Some(known) = self.next_of(server.reversed()) else {
            let is_same_end = server_next == self.client_next;
            return (!is_same_end).then_some(self);
        };
        if client_next.distance_from(known).unsigned_abs() > Self::FAR {
            return self.has_syn.then_some(self);
        }
        let is_first = server != self.client && !self.has_answer;
        Some(if is_first { Self { server_next, has_answer: true, ..self } } else { self })
    }
}

impl Follow for Opening {
    /// As told by one segment, which this is, behind others.
    fn after(self, before: Self) -> Self {
        let known = if self.has_syn {
            before.with_syn(self)
        } else {
            before.with_syn_ack(self.client.reversed(), self.client_next, self.server_next)
        };
        known.unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use testkit::packet::{IpHeader as _, Ipv4, Tcp, flags};

    use super::*;
    use crate::{Frame, LinkType, Packet};

    const CLIENT: Direction = Direction::FromHigher;
    const SERVER: Direction = Direction::FromLower;

    fn syn(client: Direction, seq: u32) -> Opening {
        Opening::of_syn(client, SeqNumber(seq), false)
    }

    fn answer(server: Direction, acknowledged: u32, seq: u32) -> Opening {
        Opening::of_syn_ack(server, SeqNumber(acknowledged), SeqNumber(seq))
    }

    /// Where the bytes of client and server begin, as far as that is known.
    fn begins(opening: Opening) -> (u32, Option<u32>) {
        (opening.client_next().0, opening.server_next().map(|next| next.0))
    }

    #[test]
    fn takes_16_bytes() {
        assert_eq!(size_of::<Option<Opening>>(), 16);
    }

    #[test]
    fn syn_and_answer_tell_where_bytes_begin() {
        let opening = syn(CLIENT, u32::MAX);
        assert_eq!((begins(opening), opening.client()), ((0, None), CLIENT));
        let opening = answer(SERVER, 0, 500).after(opening);
        assert_eq!(begins(opening), (0, Some(501)));
        let opening = answer(SERVER, 0, 900).after(opening);
        assert_eq!(begins(opening), (0, Some(501)), "the first of them counts");
        let alone = answer(SERVER, 7, 8);
        assert_eq!((begins(alone), alone.client(), alone.syn()), ((7, Some(9)), CLIENT, None));
    }

    #[test]
    fn segments_without_data_that_open_a_connection_are_told_from_others() {
        let of = |bits: u16| {
            let segment = Tcp::new(1, 80).sequence(100).acknowledgment(7).flags(bits);
            let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment);
            let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
            Opening::of_empty(CLIENT, &packet.tcp().expect("a segment"))
        };
        assert_eq!(of(flags::SYN | flags::PSH), Some(syn(CLIENT, 100)));
        assert_eq!(of(flags::SYN | flags::ACK), Some(answer(CLIENT, 7, 100)));
        for others in [flags::ACK, flags::RST, flags::SYN | flags::RST, flags::SYN | flags::ACK | flags::FIN]
        {
            assert_eq!(of(others), None, "{others:x}");
        }
    }

    #[test]
    fn a_syn_that_is_sent_again_is_told_from_another_one() {
        let answered = answer(SERVER, 101, 500).after(syn(CLIENT, 100));
        assert_eq!(syn(CLIENT, 100).after(answered), answered);
        assert_eq!(syn(CLIENT, 101).after(answered), syn(CLIENT, 101));
        assert_eq!(syn(SERVER, 700).after(answered), syn(SERVER, 700), "both ends may open a connection");
    }

    #[test]
    fn a_syn_may_be_captured_behind_its_answer() {
        let answered = answer(SERVER, 1_101, 500);
        for (seq, is_its_own) in
            [(1_100, true), (100, true), (1_101, false), (1_101_u32.wrapping_sub(70_000), false)]
        {
            let opening = syn(CLIENT, seq).after(answered);
            assert_eq!(opening.syn(), Some(SeqNumber(seq)));
            let acknowledged = if is_its_own { 1_101 } else { seq.wrapping_add(1) };
            assert_eq!(begins(opening), (acknowledged, is_its_own.then_some(501)), "{seq}");
            let with_data = Opening::of_syn(CLIENT, SeqNumber(seq), true).after(answered);
            assert_eq!(begins(with_data).0, seq.wrapping_add(1), "{seq}: the answer acknowledges its data");
        }
    }

    #[test]
    fn an_answer_to_another_syn_than_one_that_was_seen_tells_nothing() {
        for (next, is_its_own) in
            [(101, true), (101 + (1 << 20), true), (102 + (1 << 20), false), (u32::MAX, true)]
        {
            let opening = answer(SERVER, next, 4).after(syn(CLIENT, 100));
            assert_eq!(
                (begins(opening), opening.syn().is_some()),
                ((101, is_its_own.then_some(5)), true),
                "{next}"
            );
            let opening = answer(SERVER, next, 4).after(answer(SERVER, 101, 900));
            assert_eq!(opening.server_next(), Some(SeqNumber(if is_its_own { 901 } else { 5 })), "{next}");
        }
        // In the name of the client, with another number than that of its SYN.
        assert_eq!(answer(CLIENT, 901, 99).after(syn(CLIENT, 100)), syn(CLIENT, 100));
    }

    #[test]
    fn ends_that_both_sent_a_syn_answer_each_other() {
        let both = syn(SERVER, 900).after(syn(CLIENT, 100));
        let answered = answer(CLIENT, 901, 100).after(both);
        assert_eq!((begins(answered), answered.client()), ((901, Some(101)), SERVER));
        assert_eq!(answer(SERVER, 101, 900).after(answered), answered, "the other answer tells nothing new");
        // Without the second SYN: nobody answers himself.
        let answered = answer(CLIENT, 901, 100).after(syn(CLIENT, 100));
        assert_eq!((begins(answered), answered.client()), ((901, Some(101)), SERVER));
    }
}
