//! Consecutive bytes that grow at both ends.

/// Consecutive bytes of a stream, in one piece of memory.
///
/// Growing by a byte takes amortised constant time at either end, which keeps segments that arrive back to front
/// from costing the square of their number. Memory stays under twice the most bytes the run may hold, and under
/// that number itself while it has only grown at its end.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The bytes, after `front` that are unused: room to grow into, or bytes that were dropped.
    buffer: Vec<u8>,
    /// At most the number of bytes.
    front: usize,
}

impl Run {
    pub(super) fn as_slice(&self) -> &[u8] {
        self.buffer.get(self.front..).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.buffer.len() - self.front
    }

    /// Bytes of memory taken.
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds bytes at the end of a run that never holds more than `most`.
    pub(super) fn append(&mut self, bytes: &[u8], most: usize) {
        let (len, capacity) = (self.buffer.len(), self.buffer.capacity());
        let needed = len + bytes.len();
        if needed > capacity {
            let useful = if self.front == 0 { most } else { 2 * most };
            let grown = needed.max(useful.min(2 * capacity));
            self.buffer.reserve_exact(grown - len);
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Adds bytes at the front.
    pub(super) fn prepend(&mut self, bytes: &[u8]) {
        if self.front < bytes.len() {
            let room = self.len().max(bytes.len());
            self.buffer.reserve_exact(room - self.front);
            self.buffer.splice(..self.front, core::iter::repeat_n(0, room));
            self.front = room;
        }
        let front = self.front - bytes.len();
        if let Some(room) = self.buffer.get_mut(front..self.front) {
            room.copy_from_slice(bytes);
        }
        self.front = front;
    }

    /// Adds `next` at the end; the smaller of the two is copied.
    pub(super) fn join(&mut self, mut next: Self, most: usize) {
        if self.len() < next.len() {
            next.prepend(self.as_slice());
            *self = next;
        } else {
            self.append(next.as_slice(), most);
        }
    }

    /// Drops bytes at the front, all of them if there are no more than `bytes`; an empty run holds no memory.
    pub(super) fn drop_front(&mut self, bytes: usize) {
        if bytes >= self.len() {
            *self = Self::default();
            return;
        }
        self.front += bytes;
        if self.front > self.len() {
            *self = Self { buffer: self.as_slice().to_vec(), front: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1_000;

    #[test]
    fn grows_and_shrinks_at_its_ends() {
        let mut run = Run::default();
        run.append(b"def", MOST);
        run.prepend(b"c");
        run.prepend(b"ab");
        run.append(b"gh", MOST);
        assert_eq!(run.as_slice(), b"abcdefgh");
        run.drop_front(3);
        assert_eq!(run.as_slice(), b"defgh");
        run.prepend(b"1234567890");
        assert_eq!(run.as_slice(), b"1234567890defgh");
        run.drop_front(14);
        assert_eq!(run.as_slice(), b"h");
        run.drop_front(2);
        assert!(run.is_empty());
        assert_eq!(run.buffer.capacity(), 0);
    }

    #[test]
    fn joins_in_order_whichever_is_longer() {
        for (first, second) in [("a", "bcd"), ("abc", "d"), ("", "abcd"), ("abcd", "")] {
            let (mut run, mut next) = (Run::default(), Run::default());
            run.append(first.as_bytes(), MOST);
            next.append(second.as_bytes(), MOST);
            run.join(next, MOST);
            assert_eq!(run.as_slice(), b"abcd");
        }
    }

    #[test]
    fn memory_follows_the_bound_it_states() {
        let mut in_order = Run::default();
        for _ in 0..MOST {
            in_order.append(&[1], MOST);
        }
        assert_eq!(in_order.buffer.capacity(), MOST);

        let mut sliding = Run::default();
        sliding.append(&[1; MOST / 2], MOST);
        for _ in 0..10 * MOST {
            sliding.drop_front(1);
            sliding.append(&[1], MOST);
            assert!(sliding.buffer.capacity() <= 2 * MOST);
        }

        let mut both_ends = Run::default();
        for _ in 0..MOST / 2 {
            both_ends.prepend(&[1]);
            both_ends.append(&[1], MOST);
            assert!(both_ends.buffer.capacity() <= 2 * MOST);
        }
        assert_eq!(both_ends.len(), MOST);
    }

    #[test]
    fn growing_byte_by_byte_moves_it_a_logarithmic_number_of_times() {
        let mut run = Run::default();
        let mut moves = 0;
        for _ in 0..MOST / 2 {
            let before = (run.buffer.as_ptr(), run.buffer.capacity(), run.front);
            run.prepend(&[1]);
            run.append(&[1], MOST);
            let moved_within = run.front > before.2;
            moves += usize::from(moved_within || run.buffer.capacity() != before.1);
        }
        assert!(moves < 40, "{moves}");
    }
}
