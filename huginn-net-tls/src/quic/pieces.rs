//! Pieces of a stream, in whatever order they come.

/// How much [`Pieces`] hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceLimits {
    /// Most bytes from the front on; those that lie further away are refused.
    pub(super) max_bytes: usize,
    /// Most gaps between the front and pieces behind it.
    pub(super) max_gaps: usize,
}

/// Which of the [`PieceLimits`] refused bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Bytes,
    Gaps,
}

/// The part of a stream that has arrived and was not taken yet. Where pieces overlap, the first to arrive wins.
///
/// Bytes stay where they were put when they arrived, one piece behind the other, and are copied in their order once: when
/// they are taken. Memory follows the bytes that are held, not where they belong.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Where the bytes that were not taken begin.
    front: usize,
    held: Memory,
    /// Runs that do not begin where the run before them ends, or at the front.
    gaps: usize,
    /// The run whose bytes are the last of `held`.
    latest: usize,
}

#[derive(Debug, Default)]
struct Memory {
    bytes: Vec<u8>,
    /// What the bytes are, by their place in the stream; no two overlap.
    runs: Vec<Run>,
}

/// Bytes that follow each other in the stream and in memory.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Place in the stream.
    start: usize,
    /// Place in memory.
    at: usize,
    len: usize,
}

/// Memory of pieces that were taken, for those to come: at most 192 KiB.
#[derive(Debug)]
pub(super) struct SpareMemory(Vec<Memory>);

/// Runs that touch are held apart until there are so many more of them than gaps.
const MOST_APART: usize = 64;

impl Run {
    const fn end(self) -> usize {
        self.start + self.len
    }
}

impl Pieces {
    /// Holds what is new of a piece that begins at `start`, as far as the limits allow.
    pub(super) fn hold(&mut self, start: u64, data: &[u8], limits: PieceLimits) -> Result<(), Refused> {
        let window_end = self.front.saturating_add(limits.max_bytes);
        // A window that reaches the end of the numbers would have to be held in memory.
        let begin = usize::try_from(start).ok().filter(|&begin| begin < window_end);
        let Some(begin) = begin else { return if data.is_empty() { Ok(()) } else { Err(Refused::Bytes) } };
        let end = begin.saturating_add(data.len()).min(window_end);
        let mut result = if end - begin < data.len() { Err(Refused::Bytes) } else { Ok(()) };
        let data_from = |from: usize, to: usize| data.get(from - begin..to - begin).unwrap_or_default();

        if self.continues_latest(begin, end) {
            self.append(self.latest, data_from(begin, end));
            return result;
        }
        let mut from = begin.max(self.front);
        let mut next = self.held.runs.partition_point(|run| run.end() <= from);
        while from < end {
            let known = self.held.runs.get(next).copied();
            let new_end = known.map_or(end, |known| known.start.min(end));
            if from < new_end {
                match self.insert(next, from, data_from(from, new_end), limits.max_gaps) {
                    Ok(inserted) => next += inserted,
                    Err(refused) => result = Err(refused),
                }
            }
            let Some(known) = known else { break };
            from = known.end();
            next += 1;
        }
        if self.held.runs.len() > self.gaps + MOST_APART {
            self.join();
        }
        result
    }

    /// The bytes in order from the front on.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &[u8]> {
        let mut end = self.front;
        self.held.runs.iter().map_while(move |run| {
            let follows = core::mem::replace(&mut end, run.end()) == run.start;
            self.held.bytes.get(run.at..run.at + run.len).filter(|_| follows)
        })
    }

    /// Moves the next `len` bytes into `taken`, in place of what it holds: all of them are [in order](Self::in_order).
    pub(super) fn take(&mut self, len: usize, taken: &mut Vec<u8>) {
        let end = self.front + len;
        taken.clear();
        if let [Run { at: 0, len: all, .. }] = *self.held.runs
            && all == len
        {
            core::mem::swap(&mut self.held.bytes, taken);
        } else {
            taken.reserve(len);
            for run in self.in_order() {
                let wanted = len - taken.len();
                taken.extend_from_slice(run.get(..wanted).unwrap_or(run));
            }
        }
        self.front = end;
        let runs = &mut self.held.runs;
        runs.drain(..runs.partition_point(|run| run.end() <= end));
        if let Some(first) = runs.first_mut() {
            let cut = end.saturating_sub(first.start);
            *first = Run { start: first.start + cut, at: first.at + cut, len: first.len - cut };
            self.join();
        } else {
            self.held.bytes.clear();
        }
    }

    /// Holds nothing any more. What was held of the stream is missing from then on.
    pub(super) fn clear(&mut self) {
        *self = Self { front: self.front, ..Self::default() };
    }

    /// How many bytes are held.
    pub(super) fn held(&self) -> usize {
        self.held.bytes.len()
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.held.memory()
    }

    /// Takes memory to hold pieces in if it has none.
    pub(super) fn borrow(&mut self, spare: &mut SpareMemory) {
        if self.held.bytes.capacity() == 0 {
            self.held = spare.0.pop().unwrap_or_default();
        }
    }

    /// Gives its memory back if it holds nothing in it.
    pub(super) fn give_back(&mut self, spare: &mut SpareMemory) {
        if self.held.runs.is_empty() {
            spare.add(core::mem::take(&mut self.held));
        }
    }

    /// Whether a piece goes on where the last one ended, and a gap is behind both.
    fn continues_latest(&self, begin: usize, end: usize) -> bool {
        let runs = self.held.runs.get(self.latest..).unwrap_or_default();
        let is_latest = runs.first().is_some_and(|latest| latest.end() == begin);
        is_latest && runs.get(1).is_none_or(|next| end < next.start)
    }

    fn append(&mut self, index: usize, data: &[u8]) {
        self.held.bytes.extend_from_slice(data);
        if let Some(run) = self.held.runs.get_mut(index) {
            run.len += data.len();
        }
    }

    /// Holds bytes of which none is held, before the run at `index`. How many runs there are more.
    fn insert(&mut self, index: usize, start: usize, data: &[u8], max_gaps: usize) -> Result<usize, Refused> {
        let end = start + data.len();
        let before = index.checked_sub(1).and_then(|index| self.held.runs.get(index));
        let follows = before.map_or(self.front, |before| before.end()) == start;
        let is_followed = self.held.runs.get(index).map(|behind| behind.start == end);
        let gaps = self.gaps + usize::from(!follows) + usize::from(is_followed == Some(false));
        // Before the run behind it there was one.
        let gaps = gaps - usize::from(is_followed.is_some());
        if gaps > self.gaps && gaps > max_gaps {
            return Err(Refused::Gaps);
        }
        self.gaps = gaps;
        let at = self.held.bytes.len();
        if follows && let Some(before) = before.filter(|before| before.at + before.len == at) {
            debug_assert_eq!(before.end(), start);
            self.latest = index - 1;
            self.append(index - 1, data);
            return Ok(0);
        }
        self.held.bytes.extend_from_slice(data);
        self.held.runs.insert(index, Run { start, at, len: data.len() });
        self.latest = index;
        Ok(1)
    }

    /// Puts all bytes in order, and makes one run of those that touch.
    fn join(&mut self) {
        let held = core::mem::take(&mut self.held);
        self.held.bytes.reserve(held.runs.iter().map(|run| run.len).sum());
        for run in &held.runs {
            let at = self.held.bytes.len();
            self.held.bytes.extend_from_slice(held.bytes.get(run.at..run.at + run.len).unwrap_or_default());
            match self.held.runs.last_mut() {
                Some(last) if last.end() == run.start => last.len += run.len,
                _ => self.held.runs.push(Run { at, ..*run }),
            }
        }
        self.latest = self.held.runs.len().saturating_sub(1);
    }
}

impl Memory {
    fn memory(&self) -> usize {
        self.bytes.capacity() + self.runs.capacity() * size_of::<Run>()
    }
}

impl SpareMemory {
    pub(super) const NONE: Self = Self(Vec::new());
    const MOST: usize = 16;
    const LARGEST: usize = 12 << 10;

    fn add(&mut self, mut memory: Memory) {
        let size = memory.memory();
        if self.0.len() < Self::MOST && (1..=Self::LARGEST).contains(&size) {
            memory.bytes.clear();
            memory.runs.clear();
            self.0.push(memory);
        }
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.0.capacity() * size_of::<Memory>() + self.0.iter().map(Memory::memory).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMITS: PieceLimits = PieceLimits { max_bytes: 100, max_gaps: 3 };

    fn in_order(pieces: &Pieces) -> Vec<u8> {
        pieces.in_order().flatten().copied().collect()
    }

    /// Pieces of which these were held, none refused.
    fn holding(held: &[(u64, &[u8])]) -> Pieces {
        let mut pieces = Pieces::default();
        for (start, data) in held {
            assert_eq!(pieces.hold(*start, data, LIMITS), Ok(()));
        }
        pieces
    }

    #[test]
    fn bytes_are_in_order_whatever_order_they_come_in() {
        let pieces = holding(&[(4, b"ef"), (8, b"ij"), (0, b"ab"), (6, b"gh")]);
        assert_eq!((in_order(&pieces), pieces.gaps), (b"ab".to_vec(), 1));
        let pieces = holding(&[(4, b"ef"), (8, b"ij"), (0, b"ab"), (6, b"gh"), (2, b"cd")]);
        assert_eq!((in_order(&pieces), pieces.gaps), (b"abcdefghij".to_vec(), 0));
    }

    #[test]
    fn the_first_bytes_to_arrive_win_in_every_overlap() {
        let pieces = holding(&[(2, b"CD"), (6, b"GH"), (0, b"abcdefghij"), (1, b"xxxxxxxxxx")]);
        assert_eq!(in_order(&pieces), b"abCDefGHijx");
    }

    #[test]
    fn what_lies_behind_the_window_is_refused_and_what_lies_in_it_held() {
        let mut pieces = Pieces::default();
        assert_eq!(pieces.hold(100, b"x", LIMITS), Err(Refused::Bytes));
        assert_eq!(pieces.hold(u64::MAX, b"x", LIMITS), Err(Refused::Bytes));
        assert_eq!(pieces.hold(u64::MAX, b"", LIMITS), Ok(()));
        assert_eq!(pieces.hold(0, &[7; 101], LIMITS), Err(Refused::Bytes));
        assert_eq!(in_order(&pieces), [7; 100]);
        pieces.take(50, &mut Vec::new());
        assert_eq!(pieces.hold(100, &[8; 50], LIMITS), Ok(()), "the window moves on with the front");
        assert_eq!(pieces.hold(150, b"x", LIMITS), Err(Refused::Bytes));
        assert_eq!(in_order(&pieces), [[7; 50], [8; 50]].concat());
    }

    #[test]
    fn a_piece_that_makes_a_gap_too_many_is_refused_and_one_that_touches_held() {
        let mut pieces = holding(&[(10, b"a"), (20, b"b"), (30, b"c")]);
        assert_eq!(pieces.hold(40, b"d", LIMITS), Err(Refused::Gaps));
        assert_eq!(pieces.hold(15, b"d", LIMITS), Err(Refused::Gaps));
        assert_eq!(pieces.hold(11, b"bcde", LIMITS), Ok(()));
        assert_eq!(pieces.hold(19, b"a", LIMITS), Ok(()));
        assert_eq!(pieces.hold(0, b"0123456789", LIMITS), Ok(()));
        assert_eq!((in_order(&pieces), pieces.gaps), (b"0123456789abcde".to_vec(), 2));
        assert_eq!(pieces.hold(40, b"d", LIMITS), Ok(()), "there is room for a gap again");
    }

    #[test]
    fn what_is_taken_is_passed_over_and_the_rest_stays() {
        let mut pieces = holding(&[(3, b"defgh"), (0, b"abc"), (20, b"z")]);
        let mut taken = b"before".to_vec();
        pieces.take(5, &mut taken);
        assert_eq!((&taken[..], in_order(&pieces)), (&b"abcde"[..], b"fgh".to_vec()));
        assert_eq!(pieces.hold(0, b"xxxxxxxxij", LIMITS), Ok(()));
        assert_eq!((in_order(&pieces), pieces.gaps), (b"fghij".to_vec(), 1));
        pieces.take(5, &mut taken);
        assert_eq!((&taken[..], in_order(&pieces)), (&b"fghij"[..], vec![]));
        assert_eq!(pieces.hold(10, b"klmnopqrst", LIMITS), Ok(()));
        assert_eq!(in_order(&pieces), b"klmnopqrstz");
    }

    #[test]
    fn memory_is_used_again_and_has_its_limits() {
        let mut spare = SpareMemory::NONE;
        let mut all: Vec<Pieces> = (0..20).map(|_| holding(&[(0, &[7; 90])])).collect();
        for pieces in &mut all {
            pieces.give_back(&mut spare);
            assert!(pieces.memory() > 0, "it holds something");
            pieces.take(90, &mut Vec::new());
            pieces.give_back(&mut spare);
            assert_eq!(pieces.memory(), 0);
        }
        assert_eq!(spare.0.len(), 16);
        let mut next = Pieces::default();
        next.borrow(&mut spare);
        assert_eq!((spare.0.len(), in_order(&next)), (15, vec![]));
        assert_eq!(next.hold(0, &[8; 90], LIMITS), Ok(()));
        let limits = PieceLimits { max_bytes: 1 << 20, max_gaps: 0 };
        let mut large = Pieces::default();
        assert_eq!(large.hold(1, &[9; 13 << 10], PieceLimits { max_gaps: 1, ..limits }), Ok(()));
        assert_eq!(large.hold(0, &[9], limits), Ok(()));
        large.take(1 + (13 << 10), &mut Vec::new());
        large.give_back(&mut spare);
        assert_eq!((large.memory(), spare.0.len()), (0, 15), "larger than is kept");
    }

    #[test]
    fn pieces_of_one_byte_take_little_more_memory_than_bytes_in_order() {
        let limits = PieceLimits { max_bytes: 32 << 10, max_gaps: 64 };
        let mut pieces = Pieces::default();
        for start in (0..32 << 10).rev() {
            assert_eq!(pieces.hold(start, &[7], limits), Ok(()));
            assert!(pieces.held.runs.len() <= 1 + MOST_APART);
        }
        assert_eq!(in_order(&pieces).len(), 32 << 10);
        assert!(pieces.memory() < (64 << 10) + 8 * 1_024, "{}", pieces.memory());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// Against a stream that holds every byte by itself.
        #[test]
        fn every_byte_is_where_it_belongs(
            steps in prop::collection::vec((0_u32..200, 0_u8..40, any::<u8>(), any::<bool>()), 0..60),
        ) {
            let limits = PieceLimits { max_bytes: 120, max_gaps: 1_000 };
            let (mut pieces, mut front) = (Pieces::default(), 0);
            let mut stream = [None; 300];
            for (start, len, first, takes) in steps {
                let data: Vec<u8> = (0..len).map(|at| first.wrapping_add(at)).collect();
                let _ = pieces.hold(start.into(), &data, limits);
                for (place, byte) in (start as usize..front + 120).zip(&data) {
                    if place >= front {
                        stream[place].get_or_insert(*byte);
                    }
                }
                let known: Vec<u8> = stream[front..].iter().map_while(|byte| *byte).collect();
                prop_assert_eq!(&in_order(&pieces), &known);
                if takes && front + known.len() < 150 {
                    let mut taken = Vec::new();
                    pieces.take(known.len() / 2, &mut taken);
                    prop_assert_eq!(&taken[..], &known[..known.len() / 2]);
                    front += known.len() / 2;
                }
            }
        }
    }
}
