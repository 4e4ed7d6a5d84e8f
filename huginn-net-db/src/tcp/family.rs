//! Answers whose options follow from what the client offered.

use core::fmt;
use core::ops::{BitAnd, BitOr, Sub};
use std::sync::Arc;

use huginn_net_tcp::{OptionKind, OptionLayout, SynOffer};

use crate::TcpSignature;

/// A set of the options that a SYN+ACK has only if the SYN had them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Negotiated(u8);

impl Negotiated {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0b11111);
    /// Those that a stack takes up whenever they are offered, unless it was told not to.
    pub(crate) const EXPECTED: Self = Self(0b00111);

    /// Bits and kinds, in the order in which they are written.
    const KINDS: [(Self, OptionKind); 5] = [
        (Self(0b00001), OptionKind::WINDOW_SCALE),
        (Self(0b00010), OptionKind::SACK_PERMITTED),
        (Self(0b00100), OptionKind::TIMESTAMPS),
        (Self(0b01000), OptionKind::MPTCP),
        (Self(0b10000), OptionKind::FAST_OPEN),
    ];

    /// The set of one kind; `None` for kinds that need no offer.
    pub(crate) fn of_kind(kind: OptionKind) -> Option<Self> {
        Self::KINDS.into_iter().find(|&(_, known)| known == kind).map(|(set, _)| set)
    }

    /// What a SYN+ACK of this layout takes up.
    pub(crate) fn in_layout(layout: &OptionLayout) -> Self {
        let sets = layout.kinds().iter().filter_map(|&kind| Self::of_kind(OptionKind(kind)));
        sets.fold(Self::NONE, Self::bitor)
    }

    /// What a SYN offers.
    pub(crate) fn offered(offer: SynOffer) -> Self {
        let SynOffer { window_scale, sack, timestamps, multipath, fast_open, .. } = offer;
        let bits = [window_scale, sack, timestamps, multipath, fast_open];
        let sets = Self::KINDS.into_iter().zip(bits).filter(|&(_, offered)| offered);
        sets.fold(Self::NONE, |all, ((set, _), _)| all | set)
    }

    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn kinds(self) -> impl Iterator<Item = OptionKind> {
        Self::KINDS.into_iter().filter(move |&(set, _)| self.contains(set)).map(|(_, kind)| kind)
    }
}

impl BitOr for Negotiated {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Negotiated {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Negotiated {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Which offers a SYN+ACK can be the answer to; the default is for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OfferRule {
    /// What it takes up, which must have been offered.
    pub(crate) taken: Negotiated,
    /// What it would have taken up, too, had it been offered.
    pub(crate) missed: Negotiated,
}

impl OfferRule {
    /// The rule of a layout within the family of its stack.
    pub(crate) fn of(family: &LayoutFamily, layout: &OptionLayout) -> Self {
        let taken = Negotiated::in_layout(layout);
        Self { taken, missed: family.expected() - taken }
    }
}

/// What is known of an offer; what is in neither set is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    made: Negotiated,
    not_made: Negotiated,
}

impl Offer {
    /// The offer of a SYN; nothing is known of it if the SYN was not seen.
    #[inline]
    pub(crate) fn of(syn: Option<SynOffer>) -> Self {
        let known = |syn| {
            let made = Negotiated::offered(syn);
            Self { made, not_made: Negotiated::ALL - made }
        };
        syn.map(known).unwrap_or_default()
    }

    /// Whether a SYN+ACK takes up what was not offered.
    #[inline]
    pub(crate) fn is_exceeded(self, rule: OfferRule) -> bool {
        self.not_made.intersects(rule.taken)
    }

    /// Whether a SYN+ACK leaves out what its stack would have taken up.
    #[inline]
    pub(crate) fn is_declined(self, rule: OfferRule) -> bool {
        self.made.intersects(rule.missed)
    }
}

/// How one stack orders the options of a SYN+ACK, for each choice of options that a client can offer.
///
/// A line `family = name:layout:layout…` of a signature file, in which `?option` behind the name stands for an option that
/// the stack may leave unanswered. Displays as what stands behind `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutFamily {
    name: String,
    /// What the stack need not take up when it is offered.
    optional: Negotiated,
    /// Each takes up another choice of options; never empty.
    layouts: Vec<OptionLayout>,
}

impl LayoutFamily {
    /// The layouts take up different choices of options.
    pub(crate) fn new(name: &str, optional: Negotiated, layouts: Vec<OptionLayout>) -> Self {
        Self { name: name.to_owned(), optional, layouts }
    }

    /// The name that signatures refer to.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The layouts, in the order of the file.
    #[must_use]
    pub fn layouts(&self) -> &[OptionLayout] {
        &self.layouts
    }

    /// What the stack takes up whenever it is offered.
    fn expected(&self) -> Negotiated {
        let known = self.layouts.iter().map(Negotiated::in_layout).fold(Negotiated::NONE, Negotiated::bitor);
        (known & Negotiated::EXPECTED) - self.optional
    }
}

impl fmt::Display for LayoutFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for kind in self.optional.kinds() {
            f.write_str(",?")?;
            write_kind(f, kind)?;
        }
        self.layouts.iter().try_for_each(|layout| write!(f, ":{layout}"))
    }
}

/// A signature of a SYN+ACK whose options are those of a family; it stands for one signature per layout.
///
/// Displays as the line it was read from, in canonical form, with `@name` for the options, `+option` for layouts that have
/// an option only, and `-option` for layouts that do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilySignature {
    /// Everything but the layout.
    common: TcpSignature,
    family: Arc<LayoutFamily>,
    with: Negotiated,
    without: Negotiated,
}

impl FamilySignature {
    /// `common` is without a layout.
    pub(crate) fn new(
        common: TcpSignature,
        family: Arc<LayoutFamily>,
        with: Negotiated,
        without: Negotiated,
    ) -> Self {
        Self { common, family, with, without }
    }

    /// The family of the options.
    #[must_use]
    pub fn family(&self) -> &Arc<LayoutFamily> {
        &self.family
    }

    /// One signature for each layout that is meant. Those without window scaling have a scale of 0.
    pub fn members(&self) -> impl Iterator<Item = TcpSignature> {
        self.family.layouts.iter().filter(|layout| self.selects(layout)).map(|&layout| {
            let has_scale = layout.kinds().contains(&OptionKind::WINDOW_SCALE.0);
            let window_scale = if has_scale { self.common.window_scale } else { Some(0) };
            TcpSignature { layout, window_scale, ..self.common }
        })
    }

    fn selects(&self, layout: &OptionLayout) -> bool {
        let taken = Negotiated::in_layout(layout);
        taken.contains(self.with) && !taken.intersects(self.without)
    }
}

impl fmt::Display for FamilySignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.common.write(f, &Selection(self))
    }
}

/// The options of a [`FamilySignature`] as a file writes them.
struct Selection<'a>(&'a FamilySignature);

impl fmt::Display for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0.family.name)?;
        for (sign, set) in [("+", self.0.with), ("-", self.0.without)] {
            for kind in set.kinds() {
                f.write_str(sign)?;
                write_kind(f, kind)?;
            }
        }
        Ok(())
    }
}

fn write_kind(f: &mut fmt::Formatter<'_>, kind: OptionKind) -> fmt::Result {
    match kind.name() {
        Some(name) => f.write_str(name),
        None => write!(f, "?{}", kind.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(kinds: &[OptionKind]) -> OptionLayout {
        let mut layout = OptionLayout::EMPTY;
        for &kind in kinds {
            layout.push(kind);
        }
        layout
    }

    #[test]
    fn an_offer_and_a_layout_with_the_same_options_are_the_same_set() {
        let mut offer = SynOffer::default();
        assert_eq!(Negotiated::offered(offer), Negotiated::NONE);
        offer.sack = true;
        offer.multipath = true;
        let both = layout(&[OptionKind::MSS, OptionKind::SACK_PERMITTED, OptionKind::MPTCP]);
        assert_eq!(Negotiated::offered(offer), Negotiated::in_layout(&both));
        offer.fast_open = true;
        assert!(Negotiated::offered(offer).contains(Negotiated::in_layout(&both)));
        assert!(!Negotiated::in_layout(&both).contains(Negotiated::offered(offer)));
    }

    #[test]
    fn what_a_layout_misses_is_what_the_rest_of_the_family_answers() {
        let mss = layout(&[OptionKind::MSS]);
        let sok = layout(&[OptionKind::MSS, OptionKind::SACK_PERMITTED]);
        let ts = layout(&[OptionKind::TIMESTAMPS]);
        let tfo = layout(&[OptionKind::FAST_OPEN]);
        let set = |layout| Negotiated::in_layout(layout);
        let family = |optional| LayoutFamily::new("a", optional, vec![mss, sok, ts, tfo]);

        let strict = family(Negotiated::NONE);
        assert_eq!(OfferRule::of(&strict, &mss).missed, set(&sok) | set(&ts));
        assert_eq!(OfferRule::of(&strict, &sok), OfferRule { taken: set(&sok), missed: set(&ts) });
        let lenient = family(set(&ts));
        assert_eq!(OfferRule::of(&lenient, &sok).missed, Negotiated::NONE);
        assert_eq!(lenient.to_string(), "a,?ts:mss:mss,sok:ts:?34");
    }
}
