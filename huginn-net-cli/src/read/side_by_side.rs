//! Several captures at a time, each analyzed by one thread, as that costs less than to share one between threads. Records come in
//! the order of the captures all the same.

use core::time::Duration;
use std::io;
use std::mem;
use std::sync::Arc;
use std::thread::{self, Builder};

use huginn_net::{Event, Events, HuginnNet};

use super::turns::{Lines, Next, Turns};
use super::{Around, End, Run, Taker, take};
use crate::count::Count;
use crate::inputs::Input;
use crate::lock;
use crate::output::Format;
use crate::totals::Totals;

/// Bytes of records of each thread that may wait for the turn of their capture.
const AHEAD: usize = 8 << 20;
/// Bytes of records that go to who writes them together.
const TOGETHER: usize = 128 << 10;
/// Room for a record that goes beyond these.
const BEYOND: usize = 16 << 10;
/// Bytes of records that are copied rather than sent with the room behind them.
const SMALL: usize = TOGETHER / 4;
/// How soon it is seen that something is to be told in between.
const PATIENCE: Duration = Duration::from_millis(100);

impl Run<'_> {
    /// Reads captures by so many threads. Fails if there is no thread to be had.
    pub(super) fn read_side_by_side(&mut self, inputs: &[Input], threads: usize) -> io::Result<()> {
        let turns = Turns::new(inputs.len(), threads * AHEAD);
        let (around, alone) = (self.around.clone(), Arc::clone(&self.alone));
        let reader = Reader { inputs, turns: &turns, around: &around, pipeline: &alone };
        thread::scope(|scope| {
            let _end = EndOnPanic(&turns);
            let mut started = 0;
            for number in 0..threads {
                let name = format!("huginn-capture-{number}");
                match Builder::new().name(name).spawn_scoped(scope, || reader.run()) {
                    Ok(_) => started += 1,
                    Err(error) if started == 0 => return Err(error),
                    // Fewer will do.
                    Err(_) => break,
                }
            }
            self.write_in_order(inputs, &turns);
            Ok(())
        })
    }

    /// Writes what is found as captures have their turns.
    fn write_in_order(&mut self, inputs: &[Input], turns: &Turns<End>) {
        for (done, input) in inputs.iter().enumerate() {
            self.progress.on_file(done, inputs.len());
            if !self.write_next(input, turns) || self.outputs().is_closed() {
                return turns.end_all();
            }
        }
    }

    /// Writes what is found in the next capture; whether anybody has read it.
    fn write_next(&mut self, input: &Input, turns: &Turns<End>) -> bool {
        self.outputs().begin(input.path());
        loop {
            self.tell_in_between();
            match turns.next(PATIENCE) {
                Next::NotYet => {}
                Next::Nothing => return false,
                Next::End(end) => {
                    self.on_end(input, end);
                    return true;
                }
                Next::Lines(lines) => {
                    let mut outputs = self.outputs();
                    outputs.append(&lines);
                    if outputs.is_closed() {
                        turns.end_all();
                    }
                    turns.give_back(lines);
                }
            }
        }
    }

    /// Tells what has been asked for: of captures that were written to their ends.
    fn tell_in_between(&self) {
        let Around { signals, so_far, .. } = &self.around;
        if signals.takes_summary() {
            so_far.say();
        }
        if signals.takes_stats() {
            let mut outputs = self.outputs();
            so_far.write(&mut outputs);
            outputs.flush();
        }
    }
}

/// Ends all reading where a thread panics, so that no other one waits for it; the panic goes on when all have ended.
struct EndOnPanic<'a>(&'a Turns<End>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.give_up();
        }
    }
}

/// A thread that reads one capture after the other.
#[derive(Clone, Copy)]
struct Reader<'a> {
    inputs: &'a [Input],
    turns: &'a Turns<End>,
    around: &'a Around,
    pipeline: &'a HuginnNet,
}

impl Reader<'_> {
    fn run(self) {
        let _end = EndOnPanic(self.turns);
        let formats = lock(&self.around.outputs).formats();
        let mut records = Records { formats, lines: Lines::new(), turns: self.turns, number: 0 };
        while let Some(number) = self.turns.begin() {
            let Some(input) = self.inputs.get(number) else { return };
            let end = self.read(input, number, &mut records);
            self.turns.end(number, end);
            if self.around.signals.interrupted().is_some() {
                self.turns.stop();
            }
        }
    }

    fn read(self, input: &Input, number: usize, records: &mut Records<'_>) -> End {
        let opened = match self.around.open(input) {
            Ok(opened) => opened,
            Err(end) => return end,
        };
        let count = Count::new(None, None);
        let events = self.pipeline.analyze(self.around.limited(opened.capture, &count));
        self.turns.set_stopper(number, events.stopper());
        records.begin(input, number);
        let analyzed = take(events, &self.around.signals, records);
        records.send_rest();
        End::Read(Box::new(analyzed))
    }
}

/// Records of a capture, on their way to who writes them.
struct Records<'a> {
    formats: Vec<Box<dyn Format>>,
    lines: Lines,
    turns: &'a Turns<End>,
    /// The capture.
    number: usize,
}

impl Records<'_> {
    fn begin(&mut self, input: &Input, number: usize) {
        self.number = number;
        self.formats.iter_mut().for_each(|format| format.begin(input.path()));
    }

    /// Sends what there is; whether nobody takes it.
    fn send(&mut self) -> bool {
        match self.turns.put(self.number, mem::take(&mut self.lines)) {
            Ok(empty) => {
                self.lines = empty;
                false
            }
            Err(_) => true,
        }
    }

    /// Sends what is left at the end of a capture; whether nobody takes it.
    fn send_rest(&mut self) -> bool {
        let bytes: usize = self.lines.iter().map(Vec::len).sum();
        match bytes {
            0 => false,
            // Of many small captures each would wait in much more memory than it needs.
            1..SMALL => {
                let copied = self.lines.clone();
                self.lines.iter_mut().for_each(Vec::clear);
                self.turns.put(self.number, copied).is_err()
            }
            _ => self.send(),
        }
    }
}

impl Taker for Records<'_> {
    fn on_event(&mut self, event: &Event) -> bool {
        self.lines.resize_with(self.formats.len(), || Vec::with_capacity(TOGETHER + BEYOND));
        let mut is_full = false;
        for (format, lines) in self.formats.iter_mut().zip(&mut self.lines) {
            format.event(event, lines);
            is_full |= lines.len() >= TOGETHER;
        }
        is_full && self.send()
    }

    fn on_idle(&mut self, _: &Events<Event>, _: &Totals) {}
}
