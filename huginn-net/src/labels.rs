//! What is known of stacks, kept once for all of which the same is known.

use huginn_net_db::{Interner, Share, Shared};

use crate::stacks::StackLabels;

/// What is known of a stack, which it shares with others.
pub type SharedLabels = Shared<StackLabels>;

impl Share for StackLabels {
    fn interner() -> &'static Interner<Self> {
        static INTERNER: Interner<StackLabels> = Interner::new();
        &INTERNER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_stacks_are_kept_once() {
        let of_mtu = |mtu| SharedLabels::from(StackLabels { mtu: Some(mtu), ..StackLabels::default() });
        assert!(core::ptr::eq::<StackLabels>(&*of_mtu(1_500), &*of_mtu(1_500)));
        assert_ne!(of_mtu(1_500), of_mtu(1_400));
    }
}
