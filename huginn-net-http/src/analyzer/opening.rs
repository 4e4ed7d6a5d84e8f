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
