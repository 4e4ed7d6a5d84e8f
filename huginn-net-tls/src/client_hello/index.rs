//! Which extensions a hello has, and where: found in one pass.

use super::Extensions;
use crate::grease::is_grease;
use crate::numbers::ExtensionType;

/// The extensions whose bodies are asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    ServerName,
    SupportedGroups,
    EcPointFormats,
    SignatureAlgorithms,
    Alpn,
    Padding,
    SessionTicket,
    PreSharedKey,
    EarlyData,
    SupportedVersions,
    KeyShare,
    /// The latest extension that is none of these, or that repeats one.
    Unnamed,
}

impl Named {
    const fn of(kind: ExtensionType) -> Self {
        match kind {
            ExtensionType::SERVER_NAME => Self::ServerName,
            ExtensionType::SUPPORTED_GROUPS => Self::SupportedGroups,
            ExtensionType::EC_POINT_FORMATS => Self::EcPointFormats,
            ExtensionType::SIGNATURE_ALGORITHMS => Self::SignatureAlgorithms,
            ExtensionType::ALPN => Self::Alpn,
            ExtensionType::PADDING => Self::Padding,
            ExtensionType::SESSION_TICKET => Self::SessionTicket,
            ExtensionType::PRE_SHARED_KEY => Self::PreSharedKey,
            ExtensionType::EARLY_DATA => Self::EarlyData,
            ExtensionType::SUPPORTED_VERSIONS => Self::SupportedVersions,
            ExtensionType::KEY_SHARE => Self::KeyShare,
            _ => Self::Unnamed,
        }
    }
}

/// Types below 64, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct LowTypes(u64);

impl LowTypes {
    const COUNT: u16 = 64;

    /// The set of these types, which are low.
    pub(crate) const fn of<const N: usize>(kinds: [ExtensionType; N]) -> Self {
        let mut bits = 0;
        let mut rest = kinds.as_slice();
        while let Some((kind, next)) = rest.split_first() {
            bits |= 1 << kind.0;
            rest = next;
        }
        Self(bits)
    }

    pub(crate) const fn contains(self, kind: u16) -> bool {
        kind < Self::COUNT && self.0 >> kind & 1 == 1
    }

    pub(crate) const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub(crate) const fn intersects(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    pub(crate) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// From the lowest to the highest.
impl Iterator for LowTypes {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        let lowest = u16::try_from(self.0.trailing_zeros()).ok().filter(|_| self.0 != 0)?;
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

/// The names of the low types.
const NAMES: [Named; LowTypes::COUNT as usize] = {
    let mut names = [Named::Unnamed; LowTypes::COUNT as usize];
    let (mut kind, mut rest) = (0, names.as_mut_slice());
    while let Some((name, next)) = rest.split_first_mut() {
        *name = Named::of(ExtensionType(kind));
        kind += 1;
        rest = next;
    }
    names
};

/// Those that have a name.
const NAMED: LowTypes = {
    let mut bits = 0;
    let (mut bit, mut rest) = (1, NAMES.as_slice());
    while let Some((name, next)) = rest.split_first() {
        if !matches!(name, Named::Unnamed) {
            bits |= bit;
        }
        bit <<= 1;
        rest = next;
    }
    LowTypes(bits)
};

/// Where the body of an extension lies in its block, which has at most 65,535 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u16,
    len: u16,
}

/// Types that are not low and known of one hello; browsers send three.
pub(crate) const MOST_HIGH: usize = 8;

/// What an extension block holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtensionIndex {
    /// By [`Named`]; those that are not there are empty.
    spans: [Span; 12],
    low: LowTypes,
    /// Those that are there twice.
    repeated: LowTypes,
    /// Other types but GREASE, in order, as far as there is room.
    high: [u16; MOST_HIGH],
    high_count: u16,
}

impl ExtensionIndex {
    pub(super) const EMPTY: Self = Self {
        spans: [Span { start: 0, len: 0 }; 12],
        low: LowTypes(0),
        repeated: LowTypes(0),
        high: [0; MOST_HIGH],
        high_count: 0,
    };

    /// Looks at all extensions that are left.
    #[inline]
    pub(super) fn read(extensions: &mut Extensions<'_>) -> Self {
        let mut index = Self::EMPTY;
        let (mut low, mut repeated, mut high_count) = (0, 0, 0);
        while let Some(extension) = extensions.next() {
            let ExtensionType(kind) = extension.kind;
            let Some(&name) = NAMES.get(usize::from(kind)) else {
                if !is_grease(kind) {
                    if let Some(place) = index.high.get_mut(usize::from(high_count)) {
                        *place = kind;
                    }
                    // A block has room for 16,383 extensions.
                    high_count += 1;
                }
                continue;
            };
            let bit = 1 << kind;
            repeated |= low & bit;
            // Of two the first counts, without a branch for it.
            let name = if low & bit == 0 { name } else { Named::Unnamed };
            low |= bit;
            let len = extension.body.len();
            if let Some(place) = index.spans.get_mut(name as usize) {
                *place = Span { start: low_bits(extensions.offset() - len), len: low_bits(len) };
            }
        }
        Self { low: LowTypes(low), repeated: LowTypes(repeated), high_count, ..index }
    }

    /// The body of the first extension of a name; `block` is that which was read.
    #[inline]
    pub(super) fn body<'a>(&self, block: &'a [u8], name: Named) -> Option<&'a [u8]> {
        let span = self.spans.get(name as usize)?;
        let (start, len) = (usize::from(span.start), usize::from(span.len));
        // No body begins where the first extension does.
        block.get(start..start + len).filter(|_| start > 0)
    }

    /// Whether one of the named extensions is there twice.
    pub(super) const fn repeats_named(&self) -> bool {
        self.repeated.intersects(NAMED)
    }

    /// Whether it is known without a search that an extension is not there.
    pub(super) fn lacks(&self, kind: ExtensionType) -> bool {
        match self.count_of(kind) {
            Some(count) => count == 0,
            None => kind.0 < LowTypes::COUNT && !self.low.contains(kind.0),
        }
    }

    /// How often a high type but GREASE is there; `None` of others, and if there are more than are known.
    pub(super) fn count_of(&self, kind: ExtensionType) -> Option<usize> {
        let known = self.high.get(..usize::from(self.high_count))?;
        let is_kept = kind.0 >= LowTypes::COUNT && !is_grease(kind.0);
        is_kept.then(|| known.iter().filter(|&&high| high == kind.0).count())
    }

    /// The low types, whether once or twice.
    pub(crate) const fn low(&self) -> LowTypes {
        self.low
    }

    /// See [`extension_types`](super::ClientHello::extension_types).
    #[inline]
    pub(super) fn types(&self) -> Option<(LowTypes, &[u16])> {
        let high = self.high.get(..usize::from(self.high_count))?;
        (self.repeated == LowTypes(0)).then_some((self.low, high))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a block has at most 65,535 bytes")]
const fn low_bits(position: usize) -> u16 {
    position as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Extensions whose bodies tell which of them they are.
    fn block(kinds: &[u16]) -> Vec<u8> {
        let extension = |(at, kind): (u8, &u16)| [&kind.to_be_bytes()[..], &[0, 1, at]].concat();
        (0..).zip(kinds).flat_map(extension).collect()
    }

    fn index(block: &[u8]) -> ExtensionIndex {
        ExtensionIndex::read(&mut Extensions::new(block))
    }

    #[test]
    fn of_two_extensions_of_a_name_the_first_counts() {
        let block = block(&[0x33, 0x10, 0x22, 0x10, 0x33, 0x10]);
        let index = index(&block);
        assert_eq!(index.body(&block, Named::Alpn), Some(&[1][..]));
        assert_eq!(index.body(&block, Named::KeyShare), Some(&[0][..]));
        assert_eq!(index.body(&block, Named::ServerName), None);
        assert!(index.repeats_named());
        assert!(index.types().is_none());
    }

    #[test]
    fn an_empty_body_is_there_too() {
        let index = index(&[0, 0, 0, 0, 0, 0x2b, 0, 0]);
        assert_eq!(index.body(&[0; 8], Named::ServerName), Some(&[][..]));
        assert_eq!(index.body(&[0; 8], Named::SupportedVersions), Some(&[][..]));
        assert_eq!(index.body(&[0; 8], Named::Alpn), None);
    }

    #[test]
    fn bodies_are_found_up_to_the_end_of_the_longest_block() {
        let mut block = [&[0xff, 0x01, 0xff, 0xf6][..], &[7; 0xfff6]].concat();
        block.extend([0, 0x10, 0, 1, 9]);
        assert_eq!(block.len(), 0xffff);
        assert_eq!(index(&block).body(&block, Named::Alpn), Some(&[9][..]));
    }

    #[test]
    fn types_are_told_apart_and_grease_left_out() {
        let block = block(&[0xff01, 0x3f, 0x0a0a, 0, 0x40, 0x10, 0xfafa, 0xff01]);
        let (low, high) = index(&block).types().map(|(low, high)| (low, high.to_vec())).unwrap();
        assert_eq!(low.collect::<Vec<_>>(), [0, 0x10, 0x3f]);
        assert_eq!(high, [0xff01, 0x40, 0xff01]);
    }

    #[test]
    fn eight_high_types_are_known_and_no_more() {
        let kinds: Vec<u16> = (0x4000..0x4009).collect();
        assert_eq!(index(&block(&kinds[..8])).types().map(|(_, high)| high.len()), Some(8));
        assert!(index(&block(&kinds)).types().is_none());
    }

    #[test]
    fn high_types_are_counted_unless_they_are_too_many_or_grease() {
        let ech = ExtensionType::ENCRYPTED_CLIENT_HELLO;
        let grease = ExtensionType(0x0a0a);
        for count in 0..3 {
            let kinds: Vec<u16> = core::iter::repeat_n(ech.0, count).chain([0x4000, 0x0a0a, 0x10]).collect();
            let index = index(&block(&kinds));
            assert_eq!((index.count_of(ech), index.lacks(ech)), (Some(count), count == 0));
            assert_eq!((index.count_of(grease), index.lacks(grease)), (None, false));
            assert_eq!(
                (index.count_of(ExtensionType::ALPN), index.lacks(ExtensionType::ALPN)),
                (None, false)
            );
        }
        let kinds: Vec<u16> = (0x4000..0x4009).collect();
        assert_eq!((index(&block(&kinds)).count_of(ech), index(&block(&kinds)).lacks(ech)), (None, false));
    }

    #[test]
    fn twice_an_extension_without_a_name_is_no_flaw_of_those_with_one() {
        assert!(!index(&block(&[0x17, 0x17])).repeats_named());
    }
}
