//! Several captures at a time, each analyzed by one thread, as that costs less than to share one between threads. Records come in
//! the order of the captures all the same.

use core::time::Duration;
use std::io;
use std::mem;
use std::sync::Arc;
use std::thread::{self, Builder};

use huginn_net::{Event, Events, HuginnNet};

use super::turns::{Next, Over, Records, Turns};
use super::{Analyzed, Around, End, Run, Taker, take};
use crate::count::Count;
use crate::inputs::Input;
use crate::lock;
use crate::output::Format;
use crate::totals::Counted;

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
                return self.end_all(turns);
            }
        }
    }

    /// Ends all reading, as nobody takes any more what is found.
    fn end_all(&self, turns: &Turns<End>) {
        self.around.so_far.abandon();
        turns.end_all();
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
                Next::Records(Records { lines, counted }) => {
                    self.totals.counted.add(&counted);
                    self.outputs().append(&lines);
                    turns.give_back(lines);
                    if self.outputs().is_closed() {
                        self.end_all(turns);
                    }
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
        let mut writer = Writer { formats, records: Records::default(), turns: self.turns, number: 0 };
        while let Some(number) = self.turns.begin() {
            let Some(input) = self.inputs.get(number) else { return };
            let end = self.read(input, number, &mut writer);
            self.turns.end(number, end);
            if self.around.signals.interrupted().is_some() {
                self.turns.stop();
            }
        }
    }

    fn read(self, input: &Input, number: usize, writer: &mut Writer<'_>) -> End {
        let opened = match self.around.open(input) {
            Ok(opened) => opened,
            Err(end) => return end,
        };
        let count = Count::new(None, None);
        let events = self.pipeline.analyze(self.around.limited(opened.capture, &count));
        writer.begin(input, number);
        let (stats, failure) = take(events, &self.around.signals, writer);
        writer.send_rest();
        End::Read(Box::new(Analyzed { counted: Counted::default(), stats, failure }))
    }
}

/// Writes the records of a capture, and sends them to who has them written in order.
struct Writer<'a> {
    formats: Vec<Box<dyn Format>>,
    records: Records,
    turns: &'a Turns<End>,
    /// The capture.
    number: usize,
}

impl Writer<'_> {
    fn begin(&mut self, input: &Input, number: usize) {
        self.number = number;
        self.formats.iter_mut().for_each(|format| format.begin(input.path()));
    }

    /// Sends what there is; whether nobody takes it.
    fn send(&mut self) -> bool {
        match self.turns.put(self.number, mem::take(&mut self.records)) {
            Ok(empty) => {
                self.records.lines = empty;
                false
            }
            Err(Over) => true,
        }
    }

    /// Sends what is left at the end of a capture.
    fn send_rest(&mut self) {
        let Records { lines, counted } = &mut self.records;
        let bytes: usize = lines.iter().map(Vec::len).sum();
        if (1..SMALL).contains(&bytes) {
            // Of many small captures each would wait in much more memory than it needs.
            let copied = Records { lines: lines.clone(), counted: mem::take(counted) };
            lines.iter_mut().for_each(Vec::clear);
            // Nobody asks for more of it.
            let _ = self.turns.put(self.number, copied);
        } else if *counted != Counted::default() {
            self.send();
        }
    }
}

impl Taker for Writer<'_> {
    fn on_event(&mut self, event: &Event) -> bool {
        let Records { lines, counted } = &mut self.records;
        counted.count(event);
        lines.resize_with(self.formats.len(), || Vec::with_capacity(TOGETHER + BEYOND));
        let mut is_full = false;
        for (format, lines) in self.formats.iter_mut().zip(lines) {
            format.event(event, lines);
            is_full |= lines.len() >= TOGETHER;
        }
        is_full && self.send()
    }

    fn on_idle(&mut self, _: &Events<Event>) {}
}
