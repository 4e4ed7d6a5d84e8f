//! What all sets of flags have.

/// Gives a set of flags, a newtype of bits, what all of them have: questions, names, `|`, and a display by name.
///
/// `$names` lists flags with their names, in the order of printing. `$unit` is what the documents call one of them.
#[doc(hidden)]
#[macro_export]
macro_rules! flag_set {
    ($set:ident, $unit:literal, $names:expr) => {
        impl $set {
            /// Whether there is none in the set.
            #[inline]
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether all of `other` are in the set.
            #[inline]
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether any of `other` is in the set.
            #[inline]
            #[must_use]
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Both sets together.
            #[inline]
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[doc = concat!("The names of the ", $unit, "s in the set, in the order of printing.")]
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                $names.iter().filter(move |&&(one, _)| self.contains(one)).map(|&(_, name)| name)
            }

            #[doc = concat!("The ", $unit, " of this name.")]
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                $names.iter().find(|&&(_, known)| known == name).map(|&(one, _)| one)
            }
        }

        impl ::core::ops::BitOr for $set {
            type Output = Self;

            #[inline]
            fn bitor(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl ::core::ops::BitOrAssign for $set {
            #[inline]
            fn bitor_assign(&mut self, other: Self) {
                *self = self.union(other);
            }
        }

        /// Names, between commas; then bits without a name, as `0x200`.
        impl ::core::fmt::Display for $set {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut comma = "";
                for name in self.names() {
                    write!(f, "{comma}{name}")?;
                    comma = ",";
                }
                match $names.iter().fold(self.0, |rest, &(one, _)| rest & !one.0) {
                    0 => Ok(()),
                    rest => write!(f, "{comma}{rest:#x}"),
                }
            }
        }

        impl ::core::fmt::Debug for $set {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{}({self})", stringify!($set))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::{Frame, LinkType, Packet, TcpFlags};

    #[test]
    fn a_set_displays_as_the_names_of_its_flags() {
        let flags = TcpFlags::ACK | TcpFlags::SYN;
        assert_eq!(flags.to_string(), "syn,ack");
        assert_eq!(format!("{flags:?}"), "TcpFlags(syn,ack)");
    }

    #[test]
    fn bits_without_a_name_are_shown_too() {
        let mut bytes = [0; 40];
        (bytes[0], bytes[3], bytes[8], bytes[9]) = (0x45, 40, 64, 6);
        // With the bit before AE, which no RFC gives a meaning.
        (bytes[32], bytes[33]) = (0x52, 0x02);
        let packet = Packet::decode(&Frame::new(&bytes, LinkType::RAW)).unwrap();
        let flags = packet.tcp().unwrap().flags();
        assert_eq!(flags.to_string(), "syn,0x200");
    }

    #[test]
    fn every_name_gives_its_flag() {
        let mut all = TcpFlags::FIN;
        for name in ["fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr", "ae"] {
            let flag = TcpFlags::from_name(name).unwrap();
            assert!(flag.names().eq([name]));
            all |= flag;
        }
        assert_eq!((all.bits(), TcpFlags::from_name("SYN")), (0x1ff, None));
    }
}
