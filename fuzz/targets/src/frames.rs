//! Frames for analyzers, and when they come.

use huginn_net_core::{Analyzer, Decoder, Frame, LinkType, Reader, Timestamp};

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
                decoder.decode_each(&frame, |packet| {
                    if analyzer.affinity(packet).is_some() {
                        analyzer.on_packet(packet, &mut |event| on_event(event, number));
                    }
                });
            }
            analyzer.on_time(captured_at, &mut |event| on_event(event, number));
        }
        analyzer.on_end(&mut |event| on_event(event, number));
    }
}
