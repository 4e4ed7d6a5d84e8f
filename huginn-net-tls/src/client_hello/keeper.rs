//! Copies of hellos for events.

use huginn_net_core::BytesKeeper;

use super::{ClientHello, OwnedClientHello};
use crate::ja4::{Ja4Cache, Ja4Options};

/// Keeps hellos: with a JA4 that is remembered, and several in one piece of memory.
pub(crate) struct HelloKeeper {
    ja4: Ja4Cache,
    messages: BytesKeeper,
}

impl HelloKeeper {
    /// Remembers the JA4 of this many [kinds](Ja4Cache::new) of hellos.
    pub(crate) fn new(kinds: usize) -> Self {
        Self { ja4: Ja4Cache::new(kinds), messages: BytesKeeper::new() }
    }

    pub(crate) fn keep(&mut self, hello: &ClientHello<'_>) -> OwnedClientHello {
        let ja4 = self.ja4.ja4_of(hello, Ja4Options::default());
        OwnedClientHello { message: self.messages.copy(hello.message()), carrier: hello.carrier(), ja4 }
    }
}
