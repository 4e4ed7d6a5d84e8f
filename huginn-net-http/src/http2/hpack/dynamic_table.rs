//! The fields that HPACK remembers ([RFC 7541 §2.3.2, §4]).
//!
//! [RFC 7541 §2.3.2, §4]: https://www.rfc-editor.org/rfc/rfc7541#section-2.3.2

use std::collections::VecDeque;

/// What an entry counts besides its name and value ([RFC 7541 §4.1]), in bytes.
///
/// [RFC 7541 §4.1]: https://www.rfc-editor.org/rfc/rfc7541#section-4.1
const ENTRY_OVERHEAD: usize = 32;

/// Fields, the newest first, up to a size that the sender may change.
#[derive(Debug)]
pub(super) struct DynamicTable {
    entries: VecDeque<Entry>,
    /// Names and values, the oldest entry first, with what is left of evicted entries in front.
    bytes: Vec<u8>,
    /// How many bytes have been taken from the front of `bytes`; it may wrap around.
    taken: usize,
    size: usize,
    max_size: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where the name begins, counted as if no byte had been taken from `bytes`.
    start: usize,
    name_len: usize,
    value_len: usize,
}

impl Entry {
    const fn size(self) -> usize {
        self.name_len + self.value_len + ENTRY_OVERHEAD
    }
}

impl DynamicTable {
    pub(super) const fn new(max_size: usize) -> Self {
        Self { entries: VecDeque::new(), bytes: Vec::new(), taken: 0, size: 0, max_size }
    }

    /// The field at an index; 0 is the newest.
    pub(super) fn field(&self, index: usize) -> Option<(&[u8], &[u8])> {
        let entry = self.entries.get(index)?;
        let behind = self.bytes.get(self.place(*entry)..)?;
        let (name, behind) = behind.split_at_checked(entry.name_len)?;
        Some((name, behind.get(..entry.value_len)?))
    }

    /// Adds a field and evicts the oldest ones it needs the room of ([RFC 7541 §4.4]): all, if it is larger than the table.
    ///
    /// [RFC 7541 §4.4]: https://www.rfc-editor.org/rfc/rfc7541#section-4.4
    pub(super) fn insert(&mut self, name: &[u8], value: &[u8]) {
        let start = self.taken.wrapping_add(self.bytes.len());
        let entry = Entry { start, name_len: name.len(), value_len: value.len() };
        self.evict_to(self.max_size.saturating_sub(entry.size()));
        if entry.size() > self.max_size {
            return;
        }
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(value);
        self.size += entry.size();
        self.entries.push_front(entry);
    }

    /// Changes the maximum size, and evicts what no longer has room ([RFC 7541 §4.3]).
    ///
    /// [RFC 7541 §4.3]: https://www.rfc-editor.org/rfc/rfc7541#section-4.3
    pub(super) fn resize(&mut self, max_size: usize) {
        self.max_size = max_size;
        self.evict_to(max_size);
    }

    /// Bytes of memory held.
    pub(super) fn held_bytes(&self) -> usize {
        self.bytes.capacity() + self.entries.capacity() * size_of::<Entry>()
    }

    fn place(&self, entry: Entry) -> usize {
        entry.start.wrapping_sub(self.taken)
    }

    fn evict_to(&mut self, size: usize) {
        while self.size > size
            && let Some(entry) = self.entries.pop_back()
        {
            self.size -= entry.size();
        }
        let left = self.entries.back().map_or(self.bytes.len(), |&oldest| self.place(oldest));
        // The bytes that move are fewer than those that go: evicting costs no more than inserting did.
        if left > self.bytes.len() / 2 {
            self.bytes.drain(..left);
            self.taken = self.taken.wrapping_add(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(table: &DynamicTable) -> Vec<&[u8]> {
        (0..).map_while(|index| table.field(index)).map(|(name, _)| name).collect()
    }

    #[test]
    fn an_entry_counts_32_bytes_more_than_its_text() {
        let mut table = DynamicTable::new(2 * (32 + 3));
        table.insert(b"a", b"12");
        table.insert(b"b", b"34");
        assert_eq!(names(&table), [b"b", b"a"]);
        assert_eq!(table.field(1), Some((&b"a"[..], &b"12"[..])));
        table.insert(b"c", b"567");
        assert_eq!(names(&table), [b"c"]);
    }

    #[test]
    fn an_entry_larger_than_the_table_empties_it() {
        let mut table = DynamicTable::new(64);
        table.insert(b"a", b"");
        table.insert(b"b", &[b'x'; 32]);
        assert_eq!(names(&table), [b""; 0]);
        table.insert(b"c", &[b'x'; 31]);
        assert_eq!(names(&table), [b"c"]);
    }

    #[test]
    fn a_smaller_size_evicts_the_oldest_and_a_larger_one_brings_nothing_back() {
        let mut table = DynamicTable::new(4096);
        for name in [b"a", b"b", b"c"] {
            table.insert(name, b"");
        }
        table.resize(2 * 33);
        assert_eq!(names(&table), [b"c", b"b"]);
        table.resize(0);
        table.resize(4096);
        assert_eq!(names(&table), [b""; 0]);
        table.insert(b"d", b"");
        assert_eq!(names(&table), [b"d"]);
    }

    #[test]
    fn memory_stays_within_four_times_the_size_however_many_fields_pass() {
        let mut table = DynamicTable::new(4096);
        for number in 0..2_000_usize {
            let value = vec![b'v'; number * 7919 % 3000];
            table.insert(number.to_string().as_bytes(), &value);
            assert_eq!(table.field(0).unwrap().0, number.to_string().as_bytes());
            assert_eq!(table.field(0).unwrap().1, value);
            let entries = names(&table).len();
            assert_eq!(names(&table).last().copied(), Some((number + 1 - entries).to_string().as_bytes()));
            assert!(table.held_bytes() <= 4 * 4096 + 4 * 1024, "{}", table.held_bytes());
        }
    }
}
