//! Analyzers whose events tell which packets they have seen.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Events, FlowKey, Located, Origin, Packet, Protocol, Step,
    Timestamp,
};

/// The packets that one analyzer counts as belonging together, so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) lane: u8,
    pub(crate) when: When,
    pub(crate) count: u64,
    /// Of the last of them.
    pub(crate) origin: Option<Origin>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Packet,
    Time,
    End,
    /// By the conclusion, of all events so far.
    Concluded,
}

impl Located for Counted {
    fn located(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
}

/// What an analyzer does with a datagram to a port before it counts it.
pub(crate) type Before = Arc<dyn Fn(u16) + Send + Sync>;

/// Port in which no analyzer has an interest.
pub(crate) const NOBODY: u16 = 9;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) lanes: Vec<Kind>,
    pub(crate) before: Before,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lanes: vec![Kind::Flow], before: Arc::new(|_| {}) }
    }
}

impl Settings {
    pub(crate) fn before(before: impl Fn(u16) + Send + Sync + 'static) -> Self {
        Self { before: Arc::new(before), ..Self::default() }
    }
}

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Flow,
    /// Everything to a host.
    Host,
    /// Each packet stands alone.
    Any,
}

impl Protocol for Counted {
    type Settings = Settings;

    fn analyzers(settings: &Settings) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        let analyzer = |(lane, kind): (u8, &Kind)| {
            Box::new(Counting { lane, kind: *kind, before: settings.before.clone(), seen: BTreeMap::new() })
                as _
        };
        (0..).zip(&settings.lanes).map(analyzer).collect()
    }

    fn conclusion(_: &Settings) -> Box<dyn Conclude<Event = Self>> {
        Box::new(Total(0))
    }
}

/// Counts packets that belong together, and reports their number at each packet, each second and the end.
pub(crate) struct Counting {
    pub(crate) lane: u8,
    pub(crate) kind: Kind,
    pub(crate) before: Before,
    pub(crate) seen: BTreeMap<String, (u64, Origin)>,
}

impl Counting {
    fn report_all(&self, when: When, report: &mut dyn FnMut(Counted)) {
        for &(count, origin) in self.seen.values() {
            report(Counted { lane: self.lane, when, count, origin: Some(origin) });
        }
    }
}

impl Analyzer for Counting {
    type Event = Counted;

    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        let port = packet.udp()?.destination_port();
        (port != NOBODY).then(|| match self.kind {
            Kind::Flow => Affinity::Flow,
            Kind::Host => Affinity::Host(packet.addresses().1),
            Kind::Any => Affinity::Any,
        })
    }

    fn goes_by_flow(&self) -> bool {
        self.kind != Kind::Host
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Counted)) {
        let port = packet.udp().map_or(0, |datagram| datagram.destination_port());
        assert_ne!(port, NOBODY, "it did not want that");
        (self.before)(port);
        let origin = Origin::of(packet);
        let key = match self.kind {
            Kind::Flow => format!("{:?}", FlowKey::of(packet)),
            Kind::Host => format!("{}", packet.addresses().1),
            Kind::Any => {
                return report(Counted {
                    lane: self.lane,
                    when: When::Packet,
                    count: 1,
                    origin: Some(origin),
                });
            }
        };
        let (count, latest) = self.seen.entry(key).or_insert((0, origin));
        (*count, *latest) = (*count + 1, origin);
        report(Counted { lane: self.lane, when: When::Packet, count: *count, origin: Some(origin) });
    }

    fn on_time(&mut self, _: Timestamp, report: &mut dyn FnMut(Counted)) {
        self.report_all(When::Time, report);
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Counted)) {
        self.report_all(When::End, report);
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_seen("packets", self.seen.values().map(|(count, _)| count).sum());
    }
}

/// Reports how many events there were, each second and at the end.
struct Total(u64);

impl Total {
    fn report(&self, report: &mut dyn FnMut(Counted)) {
        report(Counted { lane: 0, when: When::Concluded, count: self.0, origin: None });
    }
}

impl Conclude for Total {
    type Event = Counted;

    fn on_event(&mut self, event: Counted, report: &mut dyn FnMut(Counted)) {
        self.0 += 1;
        report(event);
    }

    fn on_time(&mut self, _: Timestamp, report: &mut dyn FnMut(Counted)) {
        self.report(report);
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Counted)) {
        self.report(report);
    }
}

/// All that is left to be had: events, `idle` and errors.
pub(crate) fn rest<E: Located + core::fmt::Debug>(events: &mut Events<E>) -> Vec<String> {
    let mut rest = Vec::new();
    loop {
        match events.step() {
            Ok(Step::Event(event)) => rest.push(format!("{event:?}")),
            Ok(Step::Idle) => rest.push("idle".to_owned()),
            Ok(Step::End) => return rest,
            Err(error) => rest.push(format!("error: {error}")),
        }
    }
}

/// Runs something that may wait forever if the driver is wrong; only a failing test takes so long.
#[track_caller]
pub(crate) fn in_time<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(run()));
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it waits for what never comes"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            std::panic::resume_unwind(thread.join().expect_err("it sent nothing"))
        }
    }
}

/// A gate that threads wait at until it is opened.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, std::sync::Condvar)>);

impl Gate {
    pub(crate) fn open(&self) {
        *self.0.0.lock().expect("not poisoned") = true;
        self.0.1.notify_all();
    }

    pub(crate) fn wait(&self) {
        let is_open = self.0.0.lock().expect("not poisoned");
        drop(self.0.1.wait_while(is_open, |is_open| !*is_open).expect("not poisoned"));
    }
}
