//! Capture by libpcap, on systems that have it.

use core::mem;
use core::time::Duration;
use std::thread;

use pcap::{Active, Capture, Error};

#[cfg(not(all(feature = "live", target_os = "linux")))]
use super::Interface;
use super::{Backend, Lent, LiveOptions, Opened, ProgramOf};
use crate::source::{LiveStats, SourceError};
use crate::{LinkType, Timestamp};

pub(super) fn open(interfaces: &[&str], captures: u8, options: &LiveOptions) -> Result<Opened, SourceError> {
    let &[interface] = interfaces else { return Err(refused("libpcap captures one interface at a time")) };
    if captures > 1 {
        return Err(refused("libpcap does not share an interface among captures"));
    }
    let of_interface = |error: Error| refused(format!("{interface}: {}", message(error)));
    // Its numbers are signed.
    let at_most = |value: u64| i32::try_from(value).unwrap_or(i32::MAX);
    let mut capture = Capture::from_device(interface)
        .map_err(of_interface)?
        .promisc(options.promiscuous)
        .snaplen(at_most(options.snaplen.into()))
        .buffer_size(at_most(options.buffer_len as u64))
        .immediate_mode(true)
        .open()
        .map_err(of_interface)?
        .setnonblock()
        .map_err(of_interface)?;
    if let Some(filter) = options.libpcap_filter.as_deref() {
        capture.filter(filter, true).map_err(|error| refused(message(error)))?;
    }
    let number = u16::try_from(capture.get_datalink().0).unwrap_or(u16::MAX);
    // Some systems number raw IP otherwise than capture files do; both are known.
    let link_type = LinkType(number);
    if link_type.name().is_none() {
        return Err(refused(format!("{interface}: frames of link type {number} cannot be decoded")));
    }
    let backend = Libpcap {
        capture,
        link_type,
        stats: LiveStats::default(),
        dropped: 0,
        is_idle: false,
        uncounted: 0,
        is_stopped: false,
    };
    Ok(Opened { backends: vec![Box::new(backend)], link_types: vec![link_type] })
}

/// The interfaces that libpcap lists. It does not tell their link types before they are opened.
#[cfg(not(all(feature = "live", target_os = "linux")))]
pub(super) fn interfaces() -> Result<Vec<Interface>, SourceError> {
    let devices = pcap::Device::list().map_err(|error| refused(message(error)))?;
    let interfaces = devices.into_iter().zip(1..).map(|(device, index)| Interface {
        index,
        link_type: None,
        is_up: device.flags.is_up(),
        is_running: device.flags.is_running(),
        is_loopback: device.flags.is_loopback(),
        addresses: device.addresses.iter().map(|address| address.addr).collect(),
        name: device.name,
    });
    Ok(interfaces.collect())
}

struct Libpcap {
    capture: Capture<Active>,
    link_type: LinkType,
    stats: LiveStats,
    /// What libpcap has said it dropped.
    dropped: u32,
    /// Whether nothing was there the last time.
    is_idle: bool,
    /// Frames lent since it was asked last what was dropped.
    uncounted: u32,
    is_stopped: bool,
}

impl Libpcap {
    /// Adds what libpcap has dropped since the last time.
    fn count(&mut self) {
        self.uncounted = 0;
        let Ok(counted) = self.capture.stats() else { return };
        // Its counter has 32 bits, which lost frames fill in an hour or so.
        let more = counted.dropped.wrapping_sub(mem::replace(&mut self.dropped, counted.dropped));
        self.stats.kernel_dropped += u64::from(more);
    }
}

impl Backend for Libpcap {
    // What comes between opening and reading is in the buffer already, and libpcap makes its own programs.
    fn start(&mut self, _: &mut ProgramOf<'_>) -> Result<(), SourceError> {
        Ok(())
    }

    // A filter that lets nothing pass drops what is in the buffer, too.
    fn stop(&mut self) -> Result<(), SourceError> {
        self.is_stopped = true;
        self.count();
        Ok(())
    }

    fn next(&mut self, patience: Duration) -> Result<Option<Lent<'_>>, SourceError> {
        // libpcap has no way to wait on all systems that ends when nothing comes.
        const NAP: Duration = Duration::from_millis(10);
        const COUNTED_EVERY: u32 = 4_096;
        if self.is_stopped {
            return Ok(None);
        }
        // Who is late enough to lose frames may never be idle.
        if mem::take(&mut self.is_idle) || self.uncounted >= COUNTED_EVERY {
            self.count();
        }
        match self.capture.next_packet() {
            Ok(packet) => {
                self.uncounted += 1;
                let seconds = u64::try_from(packet.header.ts.tv_sec).unwrap_or_default();
                let micros = u64::try_from(packet.header.ts.tv_usec).unwrap_or_default();
                Ok(Some(Lent {
                    bytes: packet.data,
                    wire_len: packet.header.len,
                    captured_at: Timestamp::from_parts(seconds, micros.saturating_mul(1_000)),
                    link_type: self.link_type,
                }))
            }
            Err(Error::TimeoutExpired | Error::NoMorePackets) => {
                self.is_idle = true;
                thread::sleep(patience.min(NAP));
                Ok(None)
            }
            Err(error) => Err(refused(message(error))),
        }
    }

    fn stats(&self) -> LiveStats {
        self.stats
    }
}

fn refused(why: impl Into<String>) -> SourceError {
    SourceError::Refused(why.into())
}

fn message(error: Error) -> String {
    match error {
        Error::PcapError(message) => message,
        other => other.to_string(),
    }
}
