//! Several captures at a time, each analyzed by one thread, as that costs less than to share one between threads. Records come in
//! the order of the captures all the same.

use core::time::Duration;
use std::io;
use std::mem;
use std::sync::Arc;
use std::thread::{self, Builder};

use huginn_net::{Event, Events, HuginnNet};

use super::turns::{Lines, Next, Over, Room, Turns};
use super::{Analyzed, Around, End, Run, Taker, take};
use crate::count::Count;
use crate::inputs::Input;
use crate::lock;
use crate::output::Format;
use crate::totals::Counted;

/// Bytes of records that make a piece, with which they are written or wait.
const PIECE: usize = 256 << 10;
/// Room for a record that goes beyond these.
const BEYOND: usize = 16 << 10;
/// Pieces of each thread that may wait for the turn of their capture: 32 MiB.
const AHEAD: usize = 128;
/// How soon it is seen that something is to be told in between.
const PATIENCE: Duration = Duration::from_millis(100);

impl Run<'_> {
    /// Reads captures by so many threads. Fails if there is no thread to be had.
    pub(super) fn read_side_by_side(&mut self, inputs: &[Input], threads: usize) -> io::Result<()> {
        let turns = Turns::new(inputs.len(), threads * AHEAD);
        let (around, alone) = (self.around.clone(), Arc::clone(&self.alone));
        let reader = Reader { inputs, turns: &turns, around: &around, pipeline: &alone };
        thread::scope(|scope| {
            let _end = EndOnPanic { turns: &turns, around: &around };
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
                self.around.so_far.abandon();
                return turns.end_all();
            }
        }
    }

    /// Waits for the end of the next capture, and writes what its thread has left to be written; whether anybody has read it.
    fn write_next(&mut self, input: &Input, turns: &Turns<End>) -> bool {
        self.outputs().begin(input.path());
        loop {
            self.tell_in_between();
            match turns.next(PATIENCE) {
                Next::NotYet => {}
                Next::Nothing => return false,
                Next::End(pieces, end) => {
                    pieces.iter().for_each(|lines| self.outputs().append(lines));
                    turns.give_back(pieces);
                    self.on_end(input, end);
                    turns.go_on();
                    return true;
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
struct EndOnPanic<'a> {
    turns: &'a Turns<End>,
    around: &'a Around,
}

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.around.so_far.abandon();
            self.turns.give_up();
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
        let _end = EndOnPanic { turns: self.turns, around: self.around };
        let formats = lock(&self.around.outputs).formats();
        let Self { turns, around, .. } = self;
        let (lines, counted) = (empty(formats.len()), Counted::default());
        let mut writer = Writer { formats, lines, waiting: Vec::new(), counted, turns, around, number: 0 };
        while let Some(number) = turns.begin() {
            let Some(input) = self.inputs.get(number) else { return };
            writer.number = number;
            let end = self.read(input, &mut writer);
            writer.end(end);
            if around.signals.interrupted().is_some() {
                turns.stop();
            }
        }
    }

    fn read(self, input: &Input, writer: &mut Writer<'_>) -> End {
        let opened = match self.around.open(input) {
            Ok(opened) => opened,
            Err(end) => return end,
        };
        let count = Count::new(None, None);
        let events = self.pipeline.analyze(self.around.limited(opened.capture, &count));
        writer.formats.iter_mut().for_each(|format| format.begin(input.path()));
        let (stats, failure) = take(events, &self.around.signals, writer);
        End::Read(Box::new(Analyzed { counted: mem::take(&mut writer.counted), stats, failure }))
    }
}

/// Lines of so many outputs, with memory for a piece of each.
fn empty(outputs: usize) -> Lines {
    (0..outputs).map(|_| Vec::with_capacity(PIECE + BEYOND)).collect()
}

/// Writes the records of a capture, those ahead of its turn into memory.
struct Writer<'a> {
    formats: Vec<Box<dyn Format>>,
    /// The piece that is being filled.
    lines: Lines,
    /// Those before it that wait for the turn.
    waiting: Vec<Lines>,
    counted: Counted,
    turns: &'a Turns<End>,
    around: &'a Around,
    /// The capture.
    number: usize,
}

impl Writer<'_> {
    /// Writes what there is, or lets it wait for its turn; whether nobody takes it.
    fn pass_on(&mut self) -> bool {
        match self.turns.ask_for_room(self.number) {
            Ok(Room::Granted(spare)) => {
                let next = spare.unwrap_or_else(|| empty(self.formats.len()));
                self.waiting.push(mem::replace(&mut self.lines, next));
                return false;
            }
            Ok(Room::ItsTurn) => {}
            Err(Over) => return true,
        }
        let mut outputs = lock(&self.around.outputs);
        self.waiting.iter().for_each(|lines| outputs.append(lines));
        outputs.append(&self.lines);
        let is_closed = outputs.is_closed();
        drop(outputs);
        self.lines.iter_mut().for_each(Vec::clear);
        self.turns.give_back(mem::take(&mut self.waiting));
        if is_closed {
            self.around.so_far.abandon();
            self.turns.end_all();
        }
        is_closed
    }

    /// Tells the end of the capture, with what waits of it.
    fn end(&mut self, end: End) {
        if !self.lines.iter().all(Vec::is_empty) {
            self.pass_on();
        }
        self.turns.end(self.number, mem::take(&mut self.waiting), end);
    }
}

impl Taker for Writer<'_> {
    fn on_event(&mut self, event: &Event) -> bool {
        self.counted.count(event);
        let mut is_full = false;
        for (format, lines) in self.formats.iter_mut().zip(&mut self.lines) {
            format.event(event, lines);
            is_full |= lines.len() >= PIECE;
        }
        is_full && self.pass_on()
    }

    fn on_idle(&mut self, _: &Events<Event>) {}
}
