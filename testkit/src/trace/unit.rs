//! What tells one unit from another.

use super::template::{Parts, TemplateFrame, add};
use crate::packet::{checksum, flags, protocol};
use crate::rng::Rng;

/// Addresses, ports and numbers of a unit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    number: u64,
    server: u16,
    client_port: u16,
    /// Of client and server: what is added to sequence numbers and to timestamps.
    sequence: [u32; 2],
    ticks: [u32; 2],
    random: [u64; 4],
}

impl Identity {
    /// An identity that none before it has: each number has a client of its own, the first 2²⁴ of them on IPv4.
    pub(super) fn new(number: u64, rng: &mut Rng) -> Self {
        // Ports that Linux gives to clients; no tunnel has one of them.
        const PORTS: core::ops::Range<u16> = 32_768..61_000;
        let mut word = || rng.next_u64();
        Self {
            number,
            server: word() as u16,
            client_port: PORTS.start + (word() % PORTS.len() as u64) as u16,
            sequence: [word() as u32, word() as u32],
            // Far from the end, so that no clock wraps.
            ticks: [word() as u32 >> 2, word() as u32 >> 2],
            random: [word(), word(), word(), word()],
        }
    }

    /// Makes the frame of this unit in `buffer`.
    pub(super) fn apply(&self, frame: &TemplateFrame, buffer: &mut Vec<u8>) {
        buffer.clear();
        buffer.extend(&frame.bytes);
        let parts = Parts::of(buffer).expect("a frame of a template");
        self.address(frame.from_client, &parts, buffer);
        let (own, other) = if frame.from_client { (0, 1) } else { (1, 0) };
        if parts.protocol == protocol::TCP {
            shift(buffer, self.sequence[own], self.sequence[other]);
            shift_timestamps(&parts, buffer, self.ticks[own], self.ticks[other]);
        }
        if let Some(at) = frame.random_at {
            let random = self.random.map(u64::to_be_bytes);
            buffer[at..at + 32].copy_from_slice(random.as_flattened());
        }
        fill_in_checksums(&parts, buffer);
    }

    fn address(&self, from_client: bool, parts: &Parts, frame: &mut [u8]) {
        let (client_at, server_at, port_at) = match (parts.is_v6, from_client) {
            (false, true) => (26, 30, 0),
            (false, false) => (30, 26, 2),
            (true, true) => (22, 38, 0),
            (true, false) => (38, 22, 2),
        };
        let port_at = parts.transport_at + port_at;
        frame[port_at..port_at + 2].copy_from_slice(&self.client_port.to_be_bytes());
        if parts.is_v6 {
            // 2001:db8:0:1::/64 and 2001:db8:0:2::/64.
            let network = |network: u8| [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, network];
            frame[client_at..client_at + 8].copy_from_slice(&network(1));
            frame[client_at + 8..client_at + 16].copy_from_slice(&self.number.to_be_bytes());
            frame[server_at..server_at + 8].copy_from_slice(&network(2));
            frame[server_at + 8..server_at + 16].copy_from_slice(&u64::from(self.server).to_be_bytes());
        } else {
            // 10.0.0.0/8, in an order that spreads, and 198.18.0.0/16. An odd factor keeps numbers apart.
            let [_, b, c, d] = (self.number as u32).wrapping_mul(0x009e_3779).to_be_bytes();
            frame[client_at..client_at + 4].copy_from_slice(&[10, b, c, d]);
            let [c, d] = self.server.to_be_bytes();
            frame[server_at..server_at + 4].copy_from_slice(&[198, 18, c, d]);
            // An identification of zero stays, as it says something of the stack.
            let at = Parts::IP_AT + 4;
            let identification = u16::from_be_bytes([frame[at], frame[at + 1]]);
            if identification != 0 {
                let next = (u64::from(identification) - 1 + self.number) % 65_535 + 1;
                frame[at..at + 2].copy_from_slice(&(next as u16).to_be_bytes());
            }
        }
    }
}

/// Adds to the sequence number of a segment, and to what it acknowledges. Other frames stay as they are.
pub(super) fn shift(frame: &mut [u8], own: u32, other: u32) {
    let Some(parts) = Parts::of(frame).filter(|parts| parts.protocol == protocol::TCP) else { return };
    add(frame, parts.transport_at + 4, own);
    if parts.tcp_flags(frame) & flags::ACK != 0 {
        add(frame, parts.transport_at + 8, other);
    }
    each_option(&parts, frame, |frame, kind, body_at, len| {
        if kind == 5 {
            (0..len / 4).for_each(|edge| add(frame, body_at + 4 * edge, other));
        }
    });
}

/// Adds to the timestamps of a segment; zeros stay, as they say something of the stack.
fn shift_timestamps(parts: &Parts, frame: &mut [u8], own: u32, other: u32) {
    each_option(parts, frame, |frame, kind, body_at, len| {
        if kind == 8 && len == 8 {
            for (at, amount) in [(body_at, own), (body_at + 4, other)] {
                if frame[at..at + 4] != [0; 4] {
                    add(frame, at, amount);
                }
            }
        }
    });
}

/// Gives kind, offset of the body, and its length, of each TCP option.
fn each_option(parts: &Parts, frame: &mut [u8], mut change: impl FnMut(&mut [u8], u8, usize, usize)) {
    let mut at = parts.transport_at + 20;
    while at + 1 < parts.payload_at {
        match (frame[at], usize::from(frame[at + 1])) {
            (0, _) => return,
            (1, _) => at += 1,
            (kind, len) if len >= 2 && at + len <= parts.payload_at => {
                change(frame, kind, at + 2, len - 2);
                at += len;
            }
            _ => return,
        }
    }
}

fn fill_in_checksums(parts: &Parts, frame: &mut [u8]) {
    let Parts { is_v6, protocol, transport_at, .. } = *parts;
    let (addresses, end) = if is_v6 {
        let len = u16::from_be_bytes([frame[18], frame[19]]);
        (22..54, transport_at + usize::from(len))
    } else {
        frame[24..26].fill(0);
        let sum = checksum(&[&frame[14..34]]);
        frame[24..26].copy_from_slice(&sum.to_be_bytes());
        let len = u16::from_be_bytes([frame[16], frame[17]]);
        (26..34, Parts::IP_AT + usize::from(len))
    };
    let checksum_at = transport_at + if protocol == protocol::TCP { 16 } else { 6 };
    frame[checksum_at..checksum_at + 2].fill(0);
    let len = ((end - transport_at) as u32).to_be_bytes();
    let sum = checksum(&[&frame[addresses], &len, &[0, 0, 0, protocol], &frame[transport_at..end]]);
    // RFC 768: zero would say that there is none.
    let sum = if sum == 0 && protocol == protocol::UDP { 0xffff } else { sum };
    frame[checksum_at..checksum_at + 2].copy_from_slice(&sum.to_be_bytes());
}
