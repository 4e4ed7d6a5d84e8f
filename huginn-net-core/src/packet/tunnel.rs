//! Tunnels that are protocols of IP.

use super::layout::Encapsulation;
use super::link::ether_type;
use super::udp_tunnel::l2tp_pseudowire;
use super::walk::{End, Next, Walk};
use super::{Undecoded, plausible};
use crate::Reader;

impl Walk<'_> {
    /// RFC 2784 §2, RFC 2890 §2 and, for version 1, RFC 2637 §4.1 (PPTP).
    pub(super) fn gre(&mut self) -> Result<Next, Undecoded> {
        const CHECKSUM: u16 = 0x8000;
        const KEY: u16 = 0x2000;
        const SEQUENCE: u16 = 0x1000;
        const ACKNOWLEDGMENT: u16 = 0x0080;
        /// RFC 2784 §2.3: a receiver that does not implement RFC 1701 discards packets with one of these.
        const SOURCE_ROUTING: u16 = 0x4c00;
        const ERSPAN: u16 = 0x88be;
        const ERSPAN_III: u16 = 0x22eb;
        const WCCP: u16 = 0x883e;

        let mut reader = self.reader();
        let flags = reader.u16("GRE flags")?;
        let protocol = reader.u16("GRE protocol")?;
        let version = flags & 0b111;
        if flags & SOURCE_ROUTING != 0 || version > 1 {
            return Err(Undecoded::Encapsulation);
        }
        if flags & CHECKSUM != 0 {
            reader.skip(4, "GRE checksum")?;
        }
        let key = if flags & KEY != 0 { Some(reader.u32("GRE key")?) } else { None };
        if flags & SEQUENCE != 0 {
            reader.skip(4, "GRE sequence number")?;
        }
        if version == 1 && flags & ACKNOWLEDGMENT != 0 {
            reader.skip(4, "GRE acknowledgment number")?;
        }
        let layer = match protocol {
            ERSPAN | ERSPAN_III => Encapsulation::Erspan,
            _ => Encapsulation::Gre,
        };
        let next = match protocol {
            // Type I has neither a sequence number nor a header of its own.
            ERSPAN if flags & SEQUENCE == 0 => Next::Ethernet,
            ERSPAN => erspan_ii(&mut reader)?,
            ERSPAN_III => erspan_iii(&mut reader)?,
            ether_type::BRIDGED => Next::Ethernet,
            WCCP => redirected(&mut reader, self.cut)?,
            ether_type::PPP if reader.is_empty() && !self.cut => return Err(Undecoded::NotIp),
            ether_type::PPP => Next::Ppp,
            _ => Next::EtherType(protocol),
        };
        self.advance(&reader);
        self.enter_tunnel(layer)?;
        match key {
            // NVGRE: the lowest byte differs between the flows of a network (RFC 7637 §3.2).
            Some(key) if protocol == ether_type::BRIDGED => self.separate(Encapsulation::Gre, key >> 8),
            Some(key) if version == 0 => self.separate(Encapsulation::Gre, key),
            // Of PPTP's key, one half is a length and the other differs by direction.
            Some(_) | None => self.separate_by_ends(),
        }
        Ok(next)
    }

    /// RFC 3378 §3: version 3 in the first 4 bits, then 12 of zero. Some systems have the version in the last bits of the
    /// first byte.
    pub(super) fn ether_ip(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [0x30 | 0x03, 0] = reader.array("EtherIP header")? else {
            return Err(Undecoded::Encapsulation);
        };
        self.advance(&reader);
        self.enter_between_ends(Encapsulation::EtherIp, Next::Ethernet)
    }

    /// RFC 3931 §4.1.1.1: a session, which is 0 in front of control messages. What a session carries was agreed upon before,
    /// so that nothing but Ethernet with IP in it is recognised.
    pub(super) fn l2tp_over_ip(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let session = reader.u32("L2TP session")?;
        let next = if session == 0 { None } else { l2tp_pseudowire(&mut reader, self.cut) };
        let Some(next) = next else { return Ok(Next::End(End::Packet)) };
        self.advance(&reader);
        self.enter_between_ends(Encapsulation::L2tp, next)
    }

    pub(super) fn enter_between_ends(&mut self, layer: Encapsulation, next: Next) -> Result<Next, Undecoded> {
        self.enter_tunnel(layer)?;
        self.separate_by_ends();
        Ok(next)
    }
}

/// draft-foschiano-erspan §4.2: version (4 bits), VLAN (12), session (10 of 16) and index.
fn erspan_ii(reader: &mut Reader<'_>) -> Result<Next, Undecoded> {
    const VERSION: u8 = 1;
    let version = reader.u8("ERSPAN version")? >> 4;
    reader.skip(7, "ERSPAN header")?;
    if version == VERSION { Ok(Next::Ethernet) } else { Err(Undecoded::NotIp) }
}

/// draft-foschiano-erspan §4.3: version (4 bits) and VLAN (12), session (10 of 16), timestamp, security group tag,
/// and flags whose last bit announces 8 bytes more; frame type 0 is Ethernet and 2 IP.
fn erspan_iii(reader: &mut Reader<'_>) -> Result<Next, Undecoded> {
    const VERSION: u8 = 2;
    let version = reader.u8("ERSPAN version")? >> 4;
    reader.skip(9, "ERSPAN header")?;
    let flags = reader.u16("ERSPAN flags")?;
    if flags & 1 != 0 {
        reader.skip(8, "ERSPAN subheader")?;
    }
    match (version, flags >> 10 & 0x1f) {
        (VERSION, 0) => Ok(Next::Ethernet),
        (VERSION, 2) => Ok(Next::Ip),
        _ => Err(Undecoded::NotIp),
    }
}

/// WCCP (draft-wilson-wrec-wccp-v2 §4.12): an IP packet that was redirected, behind a header of 4 bytes or, before version 2,
/// without one. Nothing else than the packet tells.
fn redirected(reader: &mut Reader<'_>, cut: bool) -> Result<Next, Undecoded> {
    if !plausible::ip(reader.rest(), cut) {
        reader.skip(4, "WCCP redirect header")?;
    }
    Ok(Next::Ip)
}
