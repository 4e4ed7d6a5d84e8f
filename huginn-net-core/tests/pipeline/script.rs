//! A source that gives what it was told to.

use std::sync::{Arc, Mutex};

use huginn_net_core::{Frame, LinkType, Read, Source, SourceError, SourceStats, Timestamp};
use testkit::encap::link::{self, LengthOrder, Wifi};
use testkit::packet::{IpHeader, Ipv4, Udp};

/// What a source gives.
pub(crate) enum Step {
    /// A datagram to a port, at a time in milliseconds.
    Datagram(u16, u64),
    /// An 802.11 frame that aggregates datagrams to these ports.
    Aggregate([u16; 3]),
    /// A raw IP packet, at a time in milliseconds.
    Raw(Vec<u8>, u64),
    /// A frame that is no packet, at a time in milliseconds.
    Garbage(u64),
    Idle,
    Fail,
    Panic,
    /// Something is done first.
    Do(Box<dyn FnOnce() + Send>),
}

/// Gives what it was told to, then the end for ever.
pub(crate) struct Script {
    steps: Box<dyn Iterator<Item = Step> + Send>,
    bytes: Vec<u8>,
    stats: SourceStats,
    pub(crate) is_live: bool,
    pub(crate) reads_after_the_end: Arc<Mutex<u32>>,
    /// Shared with who wants to know whether the source is still there.
    pub(crate) alive: Arc<()>,
}

impl Script {
    pub(crate) fn new<I>(steps: I) -> Self
    where
        I: IntoIterator<Item = Step, IntoIter: Send + 'static>,
    {
        Self {
            steps: Box::new(steps.into_iter()),
            bytes: Vec::new(),
            stats: SourceStats::default(),
            is_live: false,
            reads_after_the_end: Arc::default(),
            alive: Arc::default(),
        }
    }

    pub(crate) fn live(self) -> Self {
        Self { is_live: true, ..self }
    }
}

/// A datagram to a port.
pub(crate) fn datagram(port: u16) -> Vec<u8> {
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(1, port, b"payload"))
}

impl Source for Script {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        let (link_type, bytes, millis) = loop {
            break match self.steps.next() {
                Some(Step::Datagram(port, millis)) => (LinkType::RAW, datagram(port), millis),
                Some(Step::Aggregate(ports)) => {
                    let kind = Wifi { qos: true, ..Wifi::default() };
                    let frame = link::wifi_aggregate(kind, LengthOrder::Big, &ports.map(datagram));
                    (LinkType::IEEE802_11, frame, 0)
                }
                Some(Step::Raw(bytes, millis)) => (LinkType::RAW, bytes, millis),
                Some(Step::Garbage(millis)) => (LinkType::RAW, vec![0x45], millis),
                Some(Step::Idle) => return Ok(Read::Idle),
                Some(Step::Fail) => return Err(SourceError::Refused("the cable is out".to_owned())),
                Some(Step::Panic) => panic!("the cable burns"),
                Some(Step::Do(something)) => {
                    something();
                    continue;
                }
                None => {
                    *self.reads_after_the_end.lock().expect("not poisoned") += 1;
                    return Ok(Read::End);
                }
            };
        };
        self.bytes = bytes;
        let captured_at = Timestamp::from_nanos(millis * 1_000_000);
        self.stats.count_frame(self.bytes.len(), captured_at);
        let number = self.stats.packets;
        Ok(Read::Frame(Frame { captured_at, number, ..Frame::new(&self.bytes, link_type) }))
    }

    fn stats(&self) -> &SourceStats {
        &self.stats
    }

    fn is_live(&self) -> bool {
        self.is_live
    }
}
