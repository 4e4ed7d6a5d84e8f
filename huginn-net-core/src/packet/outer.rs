//! IP headers outside the innermost one.

use super::Packet;
use super::walk::{MAX_HEADERS, Next, Walk};

impl Packet<'_> {
    /// Whether one of the packets that carry this one fits, from the outside in. Of a packet that fragments were put
    /// together to, those outside the fragments are not known.
    #[inline]
    pub(crate) fn any_outer(&self, mut fits: impl FnMut(&Self) -> bool) -> bool {
        self.layout.outer_ip_at != self.layout.ip_at && self.any_walked(&mut fits)
    }

    /// Walks the headers once more. Where a tunnel leads to another IP header, the walk has the one before still.
    #[cold]
    fn any_walked(&self, fits: &mut dyn FnMut(&Self) -> bool) -> bool {
        let mut walk = Walk::again(self.bytes, self.layout.outer_ip_at as usize);
        let mut next = Next::Ip;
        for _ in 0..MAX_HEADERS {
            let before = walk;
            let Ok(following) = walk.step(next) else { return false };
            let is_behind_one = !before.ip.packet.is_empty();
            if is_behind_one && walk.ip.at != before.ip.at && fits(&Self { layout: before.layout(), ..*self })
            {
                return true;
            }
            if matches!(following, Next::End(_)) {
                return false;
            }
            next = following;
        }
        false
    }
}
