//! What was found in captures that are read ahead of their turn, until it comes.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use huginn_net::Stopper;

use crate::lock;

/// Lines of each output.
pub(super) type Lines = Vec<Vec<u8>>;

/// Captures, by their numbers, that several threads read at a time, and one more takes from in their order.
///
/// Each is begun by one thread, in order, so that the one whose turn it is has been begun before all that wait for it. How much
/// waits is limited; a thread whose capture has its turn never waits for the others. To wake a thread takes as long as to find a
/// good part of what it waits for, so that is done when there is half of what may wait.
pub(super) struct Turns<E> {
    captures: usize,
    /// Bytes of memory for lines after which those that are ahead of their turn wait for it.
    most_bytes: usize,
    state: Mutex<State<E>>,
    /// Something was taken, or the run is over.
    taken: Condvar,
    /// There is something of the capture whose turn it is, or the run is over.
    come: Condvar,
}

struct State<E> {
    /// Captures that were begun, from the one whose turn it is on.
    parts: VecDeque<Part<E>>,
    /// The capture whose turn it is.
    turn: usize,
    /// Bytes of memory for lines that wait.
    bytes: usize,
    /// No other capture is begun.
    is_stopped: bool,
    /// No lines are taken any more.
    is_over: bool,
    /// The end of some capture will never come.
    is_broken: bool,
    /// Emptied.
    spare: Vec<Lines>,
    spare_bytes: usize,
    /// Who waits for room.
    waiting: usize,
}

/// What there is of a capture and was not taken.
struct Part<E> {
    lines: VecDeque<Lines>,
    bytes: usize,
    /// What comes behind the lines.
    end: Option<E>,
    stopper: Option<Stopper>,
}

/// That no lines are taken any more.
#[derive(Debug)]
pub(super) struct Over;

/// The answer of [`Turns::next`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<E> {
    /// Lines of the capture whose turn it is.
    Lines(Lines),
    /// Its end; it is the turn of the next one.
    End(E),
    /// Nothing yet.
    NotYet,
    /// There is no other capture that was begun.
    Nothing,
}

impl<E> Turns<E> {
    /// Bytes of memory for lines that wait of the capture whose turn it is, at most.
    const OF_TURN: usize = 1 << 20;

    /// For so many captures, of which so many bytes of memory for lines may wait for their turn.
    pub(super) fn new(captures: usize, most_bytes: usize) -> Self {
        let state = State {
            parts: VecDeque::new(),
            turn: 0,
            bytes: 0,
            is_stopped: false,
            is_over: false,
            is_broken: false,
            spare: Vec::new(),
            spare_bytes: 0,
            waiting: 0,
        };
        Self { captures, most_bytes, state: Mutex::new(state), taken: Condvar::new(), come: Condvar::new() }
    }

    /// The next capture that somebody is to read.
    pub(super) fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        let number = state.turn + state.parts.len();
        if number == self.captures || state.is_stopped || state.is_over {
            return None;
        }
        state.parts.push_back(Part { lines: VecDeque::new(), bytes: 0, end: None, stopper: None });
        Some(number)
    }

    /// Says what ends the analysis of a capture once no lines are taken any more.
    pub(super) fn set_stopper(&self, number: usize, stopper: Stopper) {
        let mut state = self.state();
        if state.is_over {
            stopper.stop();
        } else if let Some(part) = state.part(number) {
            part.stopper = Some(stopper);
        }
    }

    /// Puts lines of a capture behind those that it has, when there is room for them. Gives empty ones.
    pub(super) fn put(&self, number: usize, lines: Lines) -> Result<Lines, Over> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return Err(Over);
            }
            let is_its_turn = number == state.turn;
            let of_all = state.bytes;
            let Some(part) = state.part(number) else { return Err(Over) };
            let has_room = if is_its_turn { part.bytes < Self::OF_TURN } else { of_all < self.most_bytes };
            if has_room {
                let bytes = memory(&lines);
                part.bytes += bytes;
                part.lines.push_back(lines);
                let is_worth_waking = is_its_turn && part.bytes >= Self::OF_TURN / 2;
                state.bytes += bytes;
                let empty = state.spare.pop().unwrap_or_default();
                state.spare_bytes -= memory(&empty);
                drop(state);
                if is_worth_waking {
                    self.come.notify_one();
                }
                return Ok(empty);
            }
            state.waiting += 1;
            state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Puts the end of a capture behind its lines.
    pub(super) fn end(&self, number: usize, end: E) {
        let mut state = self.state();
        let is_its_turn = number == state.turn;
        if let Some(part) = state.part(number) {
            (part.end, part.stopper) = (Some(end), None);
        }
        drop(state);
        if is_its_turn {
            self.come.notify_one();
        }
    }

    /// What comes next, if it comes within this time.
    pub(super) fn next(&self, patience: Duration) -> Next<E> {
        let state = self.state();
        let waits = |state: &mut State<E>| {
            let has_begun = !state.parts.is_empty();
            let has_come =
                state.parts.front().is_some_and(|part| !part.lines.is_empty() || part.end.is_some());
            // Nobody begins another one.
            let is_last = state.turn == self.captures || state.is_stopped || state.is_over;
            !has_come && !state.is_broken && (has_begun || !is_last)
        };
        let waited = self.come.wait_timeout_while(state, patience, waits);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Next::NotYet;
        }
        let Some(part) = state.parts.front_mut() else { return Next::Nothing };
        let (next, is_worth_waking) = if let Some(lines) = part.lines.pop_front() {
            let bytes = memory(&lines);
            part.bytes -= bytes;
            let has_run_down = part.bytes <= Self::OF_TURN / 2;
            state.bytes -= bytes;
            (Next::Lines(lines), has_run_down)
        } else if let Some(end) = part.end.take() {
            state.parts.pop_front();
            state.turn += 1;
            (Next::End(end), true)
        } else {
            // Somebody who reads is gone.
            (Next::Nothing, false)
        };
        if is_worth_waking && state.waiting > 0 {
            drop(state);
            self.taken.notify_all();
        }
        next
    }

    /// Gives lines back that were taken, to be filled again.
    pub(super) fn give_back(&self, mut lines: Lines) {
        lines.iter_mut().for_each(Vec::clear);
        let mut state = self.state();
        // What waits and what is spare were all there at once.
        if state.spare_bytes + state.bytes < self.most_bytes {
            state.spare_bytes += memory(&lines);
            state.spare.push(lines);
        }
    }

    /// Begins no other capture; those that were begun are read to their ends.
    pub(super) fn stop(&self) {
        self.state().is_stopped = true;
        self.come.notify_one();
    }

    /// Ends all that is read, as no lines are taken any more. The ends of captures still come.
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
        for part in &mut state.parts {
            if let Some(stopper) = &part.stopper {
                stopper.stop();
            }
        }
        drop(state);
        self.taken.notify_all();
        self.come.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State<E>> {
        lock(&self.state)
    }
}

impl<E> State<E> {
    fn part(&mut self, number: usize) -> Option<&mut Part<E>> {
        self.parts.get_mut(number.checked_sub(self.turn)?)
    }
}

/// Bytes that lines take, with the room behind them.
fn memory(lines: &Lines) -> usize {
    lines.iter().map(Vec::capacity).sum()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;
    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    fn line(text: &str) -> Lines {
        vec![text.as_bytes().to_vec()]
    }

    #[test]
    fn what_is_found_first_in_a_later_capture_waits_for_its_turn() {
        let turns = Turns::new(2, 100);
        assert_eq!([turns.begin(), turns.begin(), turns.begin()], [Some(0), Some(1), None]);
        turns.put(1, line("b")).unwrap();
        turns.end(1, 'B');
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        turns.put(0, line("a")).unwrap();
        turns.end(0, 'A');
        assert_eq!(turns.next(LONG), Next::Lines(line("a")));
        assert_eq!(turns.next(LONG), Next::End('A'));
        assert_eq!(turns.next(LONG), Next::Lines(line("b")));
        assert_eq!(turns.next(LONG), Next::End('B'));
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn no_more_waits_than_may_and_the_capture_whose_turn_it_is_goes_on() {
        const CAPTURES: usize = 5;
        let turns = Turns::new(CAPTURES, 10);
        let read = || {
            while let Some(number) = turns.begin() {
                for _ in 0..50 {
                    assert!(turns.put(number, line("12345")).is_ok());
                }
                turns.end(number, number);
            }
        };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(read);
            }
            let (mut lines, mut ends) = (0, Vec::new());
            loop {
                {
                    let state = turns.state();
                    let ahead: usize = state.parts.iter().skip(1).map(|part| part.bytes).sum();
                    // What had room when the last of it was put.
                    assert!(ahead < 15, "{ahead} bytes");
                }
                match turns.next(LONG) {
                    Next::Lines(taken) => {
                        lines += 1;
                        turns.give_back(taken);
                    }
                    Next::End(end) => ends.push(end),
                    Next::NotYet => panic!("nothing came"),
                    Next::Nothing => break,
                }
            }
            assert_eq!((lines, ends), (50 * CAPTURES, (0..CAPTURES).collect()));
        });
    }

    #[test]
    fn once_stopped_what_was_begun_is_taken_to_its_end() {
        let turns = Turns::new(9, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.stop();
        assert_eq!(turns.begin(), None);
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        turns.put(0, line("a")).unwrap();
        turns.end(0, ());
        assert_eq!(turns.next(LONG), Next::Lines(line("a")));
        assert_eq!(turns.next(LONG), Next::End(()));
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn when_no_lines_are_taken_any_more_analyses_are_stopped_and_nobody_waits_for_room() {
        let turns = Turns::new(3, 0);
        assert_eq!([turns.begin(), turns.begin()], [Some(0), Some(1)]);
        let [early, late] = [Stopper::default(), Stopper::default()];
        turns.set_stopper(0, early.clone());
        thread::scope(|scope| {
            // There is no room for what is ahead of its turn.
            let waiting = scope.spawn(|| turns.put(1, line("b")).is_err());
            turns.end_all();
            assert!(waiting.join().unwrap());
        });
        turns.set_stopper(1, late.clone());
        assert!(early.is_stopped() && late.is_stopped());
        assert!(turns.put(0, line("a")).is_err());
        assert_eq!(turns.begin(), None);
        for number in [0, 1] {
            turns.end(number, number);
            assert_eq!(turns.next(LONG), Next::End(number));
        }
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn nobody_waits_for_a_capture_whose_thread_is_gone() {
        let turns = Turns::<()>::new(2, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.give_up();
        assert_eq!((turns.begin(), turns.next(LONG)), (None, Next::Nothing));
    }
}
