//! Frames for analyzers, and when they come.

use core::net::IpAddr;

use huginn_net_core::{Affinity, Analyzer, Decoder, Frame, LinkType, Packet, Reader, Timestamp};

use crate::LINK_TYPES;

/// What an input says.
///
/// The first byte chooses the link type, the second the time between two frames, in hundredths of a second; if that is
/// odd, time also jumps back. Then come frames, each after its length in two bytes; the last one may be shorter.
pub(crate) struct Frames<'a> {
    link_type: LinkType,
    step: u8,
    frames: Vec<&'a [u8]>,
}

impl<'a> Frames<'a> {
    pub(crate) fn read(data: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(data);
        let [link_type, step] = reader.array("link type and step").ok()?;
        let link_type =
            LINK_TYPES.iter().cycle().nth(usize::from(link_type)).copied().unwrap_or(LinkType::RAW);
        let mut frames = Vec::new();
        while let Ok(len) = reader.u16("frame length") {
            frames.push(reader.take(usize::from(len), "frame").unwrap_or_else(|_| reader.take_rest()));
        }
        Some(Self { link_type, step, frames })
    }

    /// Gives each frame so often to an analyzer, to the end; events come with the number of the frame they were reported
    /// at.
    pub(crate) fn feed<A: Analyzer>(
        &self,
        copies: u64,
        analyzer: &mut A,
        mut on_event: impl FnMut(A::Event, u64),
    ) {
        self.each(copies, |step| match step {
            Step::Packet(packet) => analyzer.offer(packet, &mut |event| on_event(event, packet.number())),
            Step::Time(now, number) => analyzer.on_time(now, &mut |event| on_event(event, number)),
            Step::End(number) => analyzer.on_end(&mut |event| on_event(event, number)),
        });
    }

    /// Deals the packets of each frame to two analyzers as a pool of workers does: both ways of a flow to the same, and none
    /// of a flow that it does not hold where it asks for no others.
    pub(crate) fn deal<A: Analyzer>(&self, analyzers: &mut [A; 2], mut on_event: impl FnMut(A::Event, u64)) {
        self.each(1, |step| match step {
            Step::Packet(packet) => {
                let [one, other] = &mut *analyzers;
                let analyzer = if is_for_other(packet) { other } else { one };
                let held = match (analyzer.affinity(packet), packet.flow()) {
                    (None, _) => return,
                    (Some(Affinity::HeldFlow), Some((flow, _))) => Some(flow),
                    (Some(Affinity::HeldWay), Some((flow, direction))) => Some(flow.of_way(direction)),
                    _ => None,
                };
                let filter = held.zip(analyzer.held());
                if filter.is_none_or(|(held, filter)| filter.may_hold(held)) {
                    analyzer.on_packet(packet, &mut |event| on_event(event, packet.number()));
                }
            }
            Step::Time(now, number) => {
                analyzers.iter_mut().for_each(|one| one.on_time(now, &mut |event| on_event(event, number)));
            }
            Step::End(number) => {
                analyzers.iter_mut().for_each(|one| one.on_end(&mut |event| on_event(event, number)));
            }
        });
    }

    fn each(&self, copies: u64, mut take: impl FnMut(Step<'_, '_>)) {
        let mut decoder = Decoder::default();
        let mut number = 0;
        for (index, bytes) in (0_u64..).zip(&self.frames) {
            let jump = if self.step % 2 == 1 && index % 4 == 3 { 5_000_000_000 } else { 0 };
            let nanos = 1_700_000_000_000_000_000 + index * u64::from(self.step) * 10_000_000 - jump;
            let captured_at = Timestamp::from_nanos(nanos);
            for _ in 0..copies {
                number += 1;
                let wire_len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                let frame = Frame { bytes, captured_at, wire_len, link_type: self.link_type, number };
                decoder.decode_each(&frame, |packet| take(Step::Packet(packet)));
            }
            take(Step::Time(captured_at, number));
        }
        take(Step::End(number));
    }
}

/// What comes next of some frames; time and end with the number of the latest.
enum Step<'p, 'a> {
    Packet(&'p Packet<'a>),
    Time(Timestamp, u64),
    End(u64),
}

/// Half of all flows.
fn is_for_other(packet: &Packet<'_>) -> bool {
    let (source, destination) = packet.addresses();
    let (from, to) = packet.ports().unwrap_or_default();
    let address = |address: IpAddr| match address {
        IpAddr::V4(address) => address.octets().iter().fold(0, |sum, byte| sum ^ byte),
        IpAddr::V6(address) => address.octets().iter().fold(0, |sum, byte| sum ^ byte),
    };
    let ports = u32::from(from ^ to).count_ones();
    (u32::from(address(source) ^ address(destination)).count_ones() + ports) % 2 == 1
}
