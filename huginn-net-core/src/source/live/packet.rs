//! Capture by `AF_PACKET`, on Linux.

use core::time::Duration;
use std::io;

use huginn_net_afpacket::{Capture, Counts, Error, Frame, Framing, Instruction, Options};

use super::{Backend, Interface, Lent, LiveOptions, Opened, ProgramOf};
use crate::source::{LiveStats, SourceError};
use crate::{BpfInstruction, LinkType, Timestamp};

pub(super) fn open(interfaces: &[&str], captures: u8, options: &LiveOptions) -> Result<Opened, SourceError> {
    let options = Options::default()
        .with_snaplen(options.snaplen)
        .with_promiscuous(options.promiscuous)
        .with_buffer_len(options.buffer_len)
        .with_adapter_times(options.adapter_times);
    let captures = match captures {
        0 | 1 => vec![Capture::open(interfaces, &options)?],
        _ => Capture::open_group(interfaces, captures, &options)?,
    };
    let mut link_types = Vec::new();
    // All captures are of the same interfaces.
    let framings = captures.first().into_iter().flat_map(Capture::framings);
    for (name, (framing, hardware_type)) in interfaces.iter().zip(framings) {
        let unsupported = || SourceError::UnsupportedLink { name: (*name).to_owned(), hardware_type };
        link_types.push(link_type_of(framing).ok_or_else(unsupported)?);
    }
    let boxed = |capture| -> Box<dyn Backend> { Box::new(Packet { capture }) };
    Ok(Opened { backends: captures.into_iter().map(boxed).collect(), link_types })
}

struct Packet {
    capture: Capture,
}

impl Backend for Packet {
    fn start(&mut self, program: &mut ProgramOf<'_>) -> Result<(), SourceError> {
        let started = self.capture.start_with(|framing| {
            // To a program, frames of such links do not begin with IP.
            let link_type = link_type_of(framing).filter(|_| framing != Framing::IpBehindLink)?;
            let instruction = |BpfInstruction { code, jt, jf, k }| Instruction { code, jt, jf, k };
            Some(program(link_type)?.into_iter().map(instruction).collect())
        });
        Ok(match started {
            // It would only have spared work.
            Err(Error::NoRoomForProgram) => self.capture.start(),
            other => other,
        }?)
    }

    fn stop(&mut self) -> Result<(), SourceError> {
        Ok(self.capture.stop()?)
    }

    fn next(&mut self, patience: Duration) -> Result<Option<Lent<'_>>, SourceError> {
        let Some(frame) = self.capture.next(patience)? else { return Ok(None) };
        let Frame { bytes, wire_len, nanos, framing, .. } = frame;
        // Interfaces of which this is not known are not opened.
        let link_type = link_type_of(framing).unwrap_or(LinkType::RAW);
        Ok(Some(Lent { bytes, wire_len, captured_at: Timestamp::from_nanos(nanos), link_type }))
    }

    fn stats(&self) -> LiveStats {
        let Counts { dropped, freezes, lost, outages, removed, .. } = self.capture.counts();
        LiveStats { kernel_dropped: dropped, ring_lost: lost, freezes, outages, removed }
    }
}

pub(super) fn interfaces() -> Result<Vec<Interface>, SourceError> {
    Ok(huginn_net_afpacket::interfaces()?
        .into_iter()
        .map(|interface| Interface {
            name: interface.name,
            index: interface.index,
            link_type: link_type_of(interface.framing),
            is_up: interface.is_up,
            is_running: interface.is_running,
            is_loopback: interface.is_loopback,
            addresses: interface.addresses,
        })
        .collect())
}

fn link_type_of(framing: Framing) -> Option<LinkType> {
    match framing {
        Framing::Ethernet => Some(LinkType::ETHERNET),
        Framing::Ip | Framing::IpBehindLink => Some(LinkType::RAW),
        Framing::Ieee80211 => Some(LinkType::IEEE802_11),
        Framing::Radiotap => Some(LinkType::IEEE802_11_RADIOTAP),
        Framing::CiscoHdlc => Some(LinkType::C_HDLC),
        _ => None,
    }
}

impl From<Error> for SourceError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoInterface { name } => Self::NoInterface { name },
            Error::Removed { name } => Self::Removed { name },
            Error::Permission => {
                let source = io::ErrorKind::PermissionDenied.into();
                Self::Capture { doing: "opening an interface", source }
            }
            Error::Os { doing, error } => Self::Capture { doing, source: error },
            other => Self::Refused(other.to_string()),
        }
    }
}
