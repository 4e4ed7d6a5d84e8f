//! How a connection was opened.

use huginn_net_core::{Opening, SeqNumber};

/// What was seen of SYN and SYN+ACK: their sequence numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// No SYN.
    Unseen,
    Syn(SeqNumber),
    /// An end has reset the connection, of which the SYN+ACK was not seen.
    Reset(SeqNumber),
    Answered {
        syn: SeqNumber,
        answer: SeqNumber,
    },
    /// The same SYN came behind its answer: sent again, or by a host that numbers all of its connections alike.
    Again {
        syn: SeqNumber,
        answer: SeqNumber,
    },
}

impl Opened {
    pub(super) fn of(opening: &Opening) -> Self {
        match (opening.syn(), opening.server_next()) {
            (None, _) => Self::Unseen,
            (Some(syn), None) => Self::Syn(syn),
            (Some(syn), Some(next)) => Self::Answered { syn, answer: SeqNumber(next.0.wrapping_sub(1)) },
        }
    }

    pub(super) const fn syn(self) -> Option<SeqNumber> {
        match self {
            Self::Unseen => None,
            Self::Syn(syn) | Self::Reset(syn) | Self::Answered { syn, .. } | Self::Again { syn, .. } => {
                Some(syn)
            }
        }
    }

    pub(super) fn on_syn_again(&mut self) {
        if let Self::Answered { syn, answer } = *self {
            *self = Self::Again { syn, answer };
        }
    }

    pub(super) fn on_reset(&mut self) {
        if let Self::Syn(syn) = *self {
            *self = Self::Reset(syn);
        }
    }

    /// Takes a SYN+ACK: the SYN of another connection if it answers that. A server that gets a SYN again sends its answer again, and
    /// numbers another connection in another way ([RFC 6528](https://www.rfc-editor.org/rfc/rfc6528)).
    pub(super) fn on_answer(&mut self, acknowledged: SeqNumber, seq: SeqNumber) -> Option<SeqNumber> {
        let syn = self.syn().filter(|syn| *syn + 1 == acknowledged)?;
        match *self {
            Self::Again { answer, .. } if answer != seq => return Some(syn),
            Self::Again { answer, .. } => *self = Self::Answered { syn, answer },
            Self::Syn(_) | Self::Reset(_) => *self = Self::Answered { syn, answer: seq },
            Self::Unseen | Self::Answered { .. } => {}
        }
        None
    }
}
