//! Whose turn it is to write, of captures that are read at a time.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::lock;

/// Lines of each output, of records that follow each other.
pub(super) type Lines = Vec<Vec<u8>>;

/// Captures, by their numbers, that several threads read at a time, and whose records are written in their order.
///
/// Each is begun by one thread, in order, so that the one whose turn it is has been begun before all that wait for it. Its thread
/// writes what it finds, so that nothing of it goes to another core; what is found ahead of its turn is kept by whoever finds it,
/// within limits, and written when the turn has come, or by who takes the ends of captures in their order.
pub(super) struct Turns<E> {
    captures: usize,
    /// Pieces of records that may wait for their turn.
    most_pieces: usize,
    state: Mutex<State<E>>,
    /// A turn is over, or the run.
    taken: Condvar,
    /// The capture whose turn it is has ended, or the run is over.
    come: Condvar,
}

struct State<E> {
    /// Captures that were begun, from the one whose turn it is on.
    parts: VecDeque<Part<E>>,
    /// The capture whose turn it is.
    turn: usize,
    /// Pieces that wait, or for which there is room.
    pieces: usize,
    /// Memory of some that have been written. To ask the system for it each time takes as long as to find what goes there.
    spare: Vec<Lines>,
    /// No other capture is begun.
    is_stopped: bool,
    /// No records are written any more.
    is_over: bool,
    /// The end of some capture will never come.
    is_broken: bool,
    /// Threads that wait.
    waiting: usize,
}

/// A capture that was begun.
struct Part<E> {
    /// Its end, with the records before it that were not written.
    end: Option<(Vec<Lines>, E)>,
}

/// That no records are written any more.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Over;

/// The answer of [`Turns::ask_for_room`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// There is room for another piece; empty lines, if there are some that were written before.
    Granted(Option<Lines>),
    /// None is needed: it is the turn of the capture, of which all is to be written.
    ItsTurn,
}

/// The answer of [`Turns::next`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<E> {
    /// The end of the capture whose turn it is, and the records before it that are to be written.
    End(Vec<Lines>, E),
    /// Nothing yet.
    NotYet,
    /// There is no other capture that was begun.
    Nothing,
}

impl<E> Turns<E> {
    /// Captures that may have been begun, with that whose turn it is: what is told of each at its end takes some memory, too.
    const MOST_BEGUN: usize = 1_024;

    /// For so many captures, of which so many pieces of records may wait for their turn.
    pub(super) fn new(captures: usize, most_pieces: usize) -> Self {
        let state = State {
            parts: VecDeque::new(),
            turn: 0,
            pieces: 0,
            spare: Vec::new(),
            is_stopped: false,
            is_over: false,
            is_broken: false,
            waiting: 0,
        };
        Self { captures, most_pieces, state: Mutex::new(state), taken: Condvar::new(), come: Condvar::new() }
    }

    /// The next capture that somebody is to read, as soon as not too many are ahead of their turn.
    pub(super) fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            let number = state.turn + state.parts.len();
            if number == self.captures || state.is_stopped || state.is_over {
                return None;
            }
            if state.parts.len() < Self::MOST_BEGUN {
                state.parts.push_back(Part { end: None });
                return Some(number);
            }
            state = self.wait(state);
        }
    }

    /// Waits for room for another piece of a capture, or for its turn.
    pub(super) fn ask_for_room(&self, number: usize) -> Result<Room, Over> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return Err(Over);
            }
            if number == state.turn {
                return Ok(Room::ItsTurn);
            }
            if state.pieces < self.most_pieces {
                state.pieces += 1;
                return Ok(Room::Granted(state.spare.pop()));
            }
            state = self.wait(state);
        }
    }

    /// Gives pieces back that have been written.
    pub(super) fn give_back(&self, pieces: Vec<Lines>) {
        if pieces.is_empty() {
            return;
        }
        let mut state = self.state();
        state.pieces -= pieces.len();
        state.spare.extend(pieces.into_iter().map(|mut lines| {
            lines.iter_mut().for_each(Vec::clear);
            lines
        }));
        // What is spare has waited at some time.
        let room = self.most_pieces - state.pieces;
        state.spare.truncate(room);
        if state.waiting > 0 {
            drop(state);
            self.taken.notify_all();
        }
    }

    /// Tells the end of a capture, with the pieces that were not written, and what is behind them.
    pub(super) fn end(&self, number: usize, pieces: Vec<Lines>, end: E) {
        let mut state = self.state();
        let is_its_turn = number == state.turn;
        let place = number.checked_sub(state.turn);
        if let Some(part) = place.and_then(|place| state.parts.get_mut(place)) {
            part.end = Some((pieces, end));
        }
        drop(state);
        if is_its_turn {
            self.come.notify_one();
        }
    }

    /// The end of the capture whose turn it is, if it comes within this time; [`go_on`](Self::go_on) is to follow.
    pub(super) fn next(&self, patience: Duration) -> Next<E> {
        let state = self.state();
        let waits = |state: &mut State<E>| {
            let has_come = state.parts.front().is_some_and(|part| part.end.is_some());
            // Nobody begins another one.
            let is_last = state.turn == self.captures || state.is_stopped || state.is_over;
            let is_all = state.parts.is_empty() && is_last;
            !(has_come || state.is_broken || is_all)
        };
        let waited = self.come.wait_timeout_while(state, patience, waits);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Next::NotYet;
        }
        // Somebody who reads is gone if there is no end.
        match state.parts.front_mut().and_then(|part| part.end.take()) {
            Some((pieces, end)) => Next::End(pieces, end),
            None => Next::Nothing,
        }
    }

    /// Makes it the turn of the next capture, as all of the one that has ended was written.
    pub(super) fn go_on(&self) {
        let mut state = self.state();
        state.parts.pop_front();
        state.turn += 1;
        drop(state);
        self.taken.notify_all();
    }

    /// Begins no other capture; those that were begun are read to their ends.
    pub(super) fn stop(&self) {
        self.state().is_stopped = true;
        self.taken.notify_all();
        self.come.notify_one();
    }

    /// Takes no records any more. The ends of captures still come.
    pub(super) fn end_all(&self) {
        self.end_in(|_| {});
    }

    /// As [`end_all`](Self::end_all), where the end of some capture will never come.
    pub(super) fn give_up(&self) {
        self.end_in(|state| state.is_broken = true);
    }

    fn end_in(&self, change: impl FnOnce(&mut State<E>)) {
        let mut state = self.state();
        state.is_over = true;
        change(&mut state);
        drop(state);
        self.taken.notify_all();
        self.come.notify_one();
    }

    /// Waits until a turn is over, or the run.
    fn wait<'s>(&self, mut state: MutexGuard<'s, State<E>>) -> MutexGuard<'s, State<E>> {
        state.waiting += 1;
        let mut state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    fn state(&self) -> MutexGuard<'_, State<E>> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;
    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    fn piece(text: &str) -> Lines {
        vec![text.as_bytes().to_vec()]
    }

    fn wait_for_threads<E>(turns: &Turns<E>, waiting: usize) {
        while turns.state().waiting < waiting {
            thread::yield_now();
        }
    }

    #[test]
    fn what_ends_first_of_later_captures_waits_for_its_turn() {
        let turns = Turns::new(2, 1);
        assert_eq!([turns.begin(), turns.begin(), turns.begin()], [Some(0), Some(1), None]);
        assert_eq!(turns.ask_for_room(1), Ok(Room::Granted(None)));
        turns.end(1, vec![piece("b")], 'B');
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        assert_eq!(turns.ask_for_room(0), Ok(Room::ItsTurn));
        turns.end(0, Vec::new(), 'A');
        assert_eq!(turns.next(LONG), Next::End(Vec::new(), 'A'));
        assert_eq!(turns.next(AT_ONCE), Next::NotYet, "the turn is not over");
        turns.go_on();
        assert_eq!(turns.next(LONG), Next::End(vec![piece("b")], 'B'));
        turns.go_on();
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn no_more_waits_than_may_and_all_is_written_in_order() {
        const CAPTURES: usize = 40;
        const PIECES: usize = 50;
        const MOST: usize = 30;
        let turns = Turns::new(CAPTURES, MOST);
        let (written, most) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let write = |pieces: Vec<Lines>| {
            lock(&written).extend(pieces.iter().flatten().flatten());
            turns.give_back(pieces);
        };
        let read = || {
            while let Some(number) = turns.begin() {
                let mut waiting = Vec::new();
                for _ in 0..PIECES {
                    match turns.ask_for_room(number).unwrap() {
                        Room::Granted(spare) => {
                            let mut piece = spare.unwrap_or_else(|| vec![Vec::new()]);
                            piece[0].push(u8::try_from(number).unwrap());
                            waiting.push(piece);
                        }
                        Room::ItsTurn => {
                            write(core::mem::take(&mut waiting));
                            lock(&written).push(u8::try_from(number).unwrap());
                        }
                    }
                    let state = turns.state();
                    most.fetch_max(state.pieces + state.spare.len(), Ordering::Relaxed);
                }
                turns.end(number, waiting, number);
            }
        };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(read);
            }
            for number in 0..CAPTURES {
                let Next::End(pieces, end) = turns.next(LONG) else { panic!("capture {number} has no end") };
                assert_eq!(end, number);
                write(pieces);
                turns.go_on();
            }
        });
        assert!(
            lock(&written)
                .iter()
                .copied()
                .map(usize::from)
                .eq((0..CAPTURES).flat_map(|number| [number; PIECES]))
        );
        assert!((1..=MOST).contains(&most.into_inner()));
        assert_eq!((turns.next(LONG), turns.state().pieces), (Next::Nothing, 0));
    }

    #[test]
    fn once_stopped_what_was_begun_is_taken_to_its_end() {
        let turns = Turns::new(9, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.stop();
        assert_eq!(turns.begin(), None);
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        turns.end(0, Vec::new(), ());
        assert_eq!(turns.next(LONG), Next::End(Vec::new(), ()));
        turns.go_on();
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn when_no_records_are_taken_any_more_nobody_waits_for_room() {
        let turns = Turns::new(3, 0);
        assert_eq!([turns.begin(), turns.begin()], [Some(0), Some(1)]);
        thread::scope(|scope| {
            // There is no room for what is ahead of its turn.
            let waiting = scope.spawn(|| turns.ask_for_room(1));
            wait_for_threads(&turns, 1);
            turns.end_all();
            assert_eq!(waiting.join().unwrap(), Err(Over));
        });
        assert_eq!((turns.ask_for_room(0), turns.begin()), (Err(Over), None));
        for number in [0, 1] {
            turns.end(number, Vec::new(), number);
            assert_eq!(turns.next(LONG), Next::End(Vec::new(), number));
            turns.go_on();
        }
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn no_more_captures_are_begun_ahead_of_their_turn_than_may() {
        const MOST: usize = Turns::<usize>::MOST_BEGUN;
        let turns = Turns::new(MOST + 2, 0);
        for number in 0..MOST {
            assert_eq!(turns.begin(), Some(number));
            turns.end(number, Vec::new(), number);
        }
        thread::scope(|scope| {
            let begun = scope.spawn(|| [turns.begin(), turns.begin()]);
            wait_for_threads(&turns, 1);
            assert_eq!(turns.next(LONG), Next::End(Vec::new(), 0));
            turns.go_on();
            while turns.state().parts.len() < MOST {
                thread::yield_now();
            }
            turns.stop();
            assert_eq!(begun.join().unwrap(), [Some(MOST), None]);
        });
    }

    #[test]
    fn nobody_waits_for_a_capture_whose_thread_is_gone() {
        let turns = Turns::<()>::new(2, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.give_up();
        assert_eq!((turns.begin(), turns.next(LONG)), (None, Next::Nothing));
    }
}
