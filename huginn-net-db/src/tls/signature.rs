//! What a TLS signature says.

use core::fmt;

use huginn_net_tls::{Ja3, Ja3n, Ja4, Ja4Lists, Ja4Original, Ja4Stable};

/// Fingerprints of one hello, as many as are known; at least one is.
///
/// Displays as `sig` has it: `name=value`, separated by blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TlsSignature {
    pub(crate) lists: Option<Box<Ja4Lists>>,
    pub(crate) ja4: Option<Ja4>,
    pub(crate) ja4_s1: Option<Ja4Stable>,
    pub(crate) ja4_o: Option<Ja4Original>,
    pub(crate) ja3: Option<Ja3>,
    pub(crate) ja3n: Option<Ja3n>,
}

impl TlsSignature {
    /// The lists of JA4_r.
    #[must_use]
    pub fn lists(&self) -> Option<&Ja4Lists> {
        self.lists.as_deref()
    }

    /// JA4.
    #[must_use]
    pub const fn ja4(&self) -> Option<Ja4> {
        self.ja4
    }

    /// JA4_s1.
    #[must_use]
    pub const fn ja4_s1(&self) -> Option<Ja4Stable> {
        self.ja4_s1
    }

    /// JA4_o; a client that shuffles its extensions has none.
    #[must_use]
    pub const fn ja4_o(&self) -> Option<Ja4Original> {
        self.ja4_o
    }

    /// JA3; a client that shuffles its extensions has none.
    #[must_use]
    pub const fn ja3(&self) -> Option<Ja3> {
        self.ja3
    }

    /// JA3 with the extensions sorted.
    #[must_use]
    pub const fn ja3n(&self) -> Option<Ja3n> {
        self.ja3n
    }
}

impl fmt::Display for TlsSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut write = |name: &str, value: Option<&dyn fmt::Display>| {
            let Some(value) = value else { return Ok(()) };
            let blank = if core::mem::take(&mut first) { "" } else { " " };
            write!(f, "{blank}{name}={value}")
        };
        fn shown<T: fmt::Display>(value: Option<&T>) -> Option<&dyn fmt::Display> {
            value.map(|value| value as &dyn fmt::Display)
        }
        write("ja4_r", shown(self.lists.as_deref()))?;
        // The lists say these, too.
        if self.lists.is_none() {
            write("ja4", shown(self.ja4.as_ref()))?;
            write("ja4_s1", shown(self.ja4_s1.as_ref()))?;
        }
        write("ja4_o", shown(self.ja4_o.as_ref()))?;
        write("ja3", shown(self.ja3.as_ref()))?;
        write("ja3n", shown(self.ja3n.as_ref()))
    }
}
