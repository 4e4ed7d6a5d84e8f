//! What the begin of a TCP connection tells.

use huginn_net_core::{Direction, SeqNumber};

use super::connection::{Connection, FAR, NEAR};

/// A connection of which no byte was seen yet; a fraction of a [`Connection`], as nearly all there are while a host is
/// flooded are such.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    /// The way of the SYN.
    client: Direction,
    /// Sequence number of the SYN, if it was seen.
    syn: Option<SeqNumber>,
    /// Number of the first byte of the client.
    client_next: SeqNumber,
    /// Number of the first byte of the server, if the SYN+ACK was seen.
    server_next: Option<SeqNumber>,
}

impl Opening {
    /// Of a SYN.
    pub(super) fn of_syn(client: Direction, seq: SeqNumber) -> Self {
        Self { client, syn: Some(seq), client_next: seq + 1, server_next: None }
    }

    /// Of a SYN+ACK, the SYN of which was not seen.
    pub(super) const fn of_syn_ack(
        server: Direction,
        client_next: SeqNumber,
        server_next: SeqNumber,
    ) -> Self {
        Self { client: server.reversed(), syn: None, client_next, server_next: Some(server_next) }
    }

    /// Takes another SYN; false if it opens another connection.
    pub(super) fn on_syn(&mut self, client: Direction, seq: SeqNumber) -> bool {
        if let Some(known) = self.syn {
            return known == seq;
        }
        let next = if client == self.client { Some(self.client_next) } else { self.server_next };
        let is_late = next.is_some_and(|next| (0..NEAR).contains(&next.distance_from(seq + 1)));
        if is_late {
            self.syn = Some(seq);
        }
        is_late
    }

    /// Takes a SYN+ACK; false if it is of another connection.
    pub(super) fn on_syn_ack(
        &mut self,
        server: Direction,
        client_next: SeqNumber,
        server_next: SeqNumber,
    ) -> bool {
        let is_answer = server != self.client;
        let known = if is_answer { Some(self.client_next) } else { self.server_next };
        let is_far =
            known.is_some_and(|known| u64::from(client_next.distance_from(known).unsigned_abs()) > FAR);
        if is_answer && !is_far {
            self.server_next.get_or_insert(server_next);
        }
        !is_far
    }

    /// The connection, of which bytes come now.
    pub(super) fn connection(self) -> Connection {
        let mut connection = Connection::new(self.client);
        connection.opened_by = self.syn.map(|syn| syn.0);
        connection.client_side.begin_at(self.client_next);
        if let Some(server_next) = self.server_next {
            connection.server_side.begin_at(server_next);
        }
        connection.exchanges.is_whole = true;
        connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: Direction = Direction::FromHigher;
    const SERVER: Direction = Direction::FromLower;

    /// Where the bytes of client and server begin, as far as that is known.
    fn begins(opening: Opening) -> (u32, Option<u32>) {
        let connection = opening.connection();
        let server = &connection.server_side;
        (connection.client_side.next.0, (!server.is_searching()).then_some(server.next.0))
    }

    #[test]
    fn syn_and_answer_tell_where_bytes_begin() {
        let mut opening = Opening::of_syn(CLIENT, SeqNumber(u32::MAX));
        assert_eq!(begins(opening), (0, None));
        assert!(opening.on_syn_ack(SERVER, SeqNumber(0), SeqNumber(501)));
        assert!(opening.on_syn_ack(SERVER, SeqNumber(0), SeqNumber(901)), "the first of them counts");
        assert_eq!(begins(opening), (0, Some(501)));
        assert_eq!(begins(Opening::of_syn_ack(SERVER, SeqNumber(7), SeqNumber(9))), (7, Some(9)));
    }

    #[test]
    fn a_syn_that_is_sent_again_is_told_from_another_one() {
        let mut opening = Opening::of_syn(CLIENT, SeqNumber(100));
        assert!(opening.on_syn(CLIENT, SeqNumber(100)));
        assert!(!opening.on_syn(CLIENT, SeqNumber(101)));
        assert!(!opening.on_syn(SERVER, SeqNumber(700)), "both ends may open a connection");
    }

    #[test]
    fn a_syn_may_be_captured_behind_its_answer() {
        let answered = Opening::of_syn_ack(SERVER, SeqNumber(1_101), SeqNumber(501));
        for (syn, is_its_own) in
            [(1_100, true), (100, true), (1_101, false), (1_101_u32.wrapping_sub(70_000), false)]
        {
            let mut opening = answered;
            assert_eq!(opening.on_syn(CLIENT, SeqNumber(syn)), is_its_own, "{syn}");
            assert_eq!(opening.connection().opened_by, is_its_own.then_some(syn));
        }
    }

    #[test]
    fn an_answer_to_another_syn_is_of_another_connection() {
        for (next, is_its_own) in
            [(101, true), (101 + (1 << 20), true), (102 + (1 << 20), false), (u32::MAX, true)]
        {
            let mut opening = Opening::of_syn(CLIENT, SeqNumber(100));
            assert_eq!(opening.on_syn_ack(SERVER, SeqNumber(next), SeqNumber(5)), is_its_own, "{next}");
            assert_eq!(begins(opening), (101, is_its_own.then_some(5)));
        }
        let mut opening = Opening::of_syn(CLIENT, SeqNumber(100));
        assert!(opening.on_syn_ack(CLIENT, SeqNumber(1 << 30), SeqNumber(5)), "nobody answers himself");
        assert_eq!(begins(opening), (101, None));
    }
}
