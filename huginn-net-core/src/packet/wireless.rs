//! IEEE 802.11 data frames, with and without radiotap.

use super::Undecoded;
use super::walk::{Next, Walk};
use crate::Reader;

/// Flags of the radiotap field `Flags`.
mod radiotap_flags {
    pub(super) const FCS_AT_END: u8 = 0x10;
    pub(super) const DATA_PADDED: u8 = 0x20;
}

impl Walk<'_> {
    /// Radiotap: version, padding, length, presence words, fields; all little-endian and naturally aligned.
    pub(super) fn radiotap(&mut self) -> Result<Next, Undecoded> {
        let mut header = self.reader();
        let [version, _, len_low, len_high] = header.array("radiotap header")?;
        if version != 0 {
            return Err(Undecoded::Encapsulation);
        }
        let len = usize::from(u16::from_le_bytes([len_low, len_high]));
        let mut whole = self.reader();
        let flags = radiotap_flags(whole.take(len, "radiotap header")?)?;
        self.advance(&whole);
        // A cut frame has lost its frame check sequence.
        if flags & radiotap_flags::FCS_AT_END != 0 && !self.cut {
            let without = self.rest.len().checked_sub(4).ok_or(Undecoded::Encapsulation)?;
            let _ = self.shorten(without);
        }
        Ok(Next::Ieee80211 { padded: flags & radiotap_flags::DATA_PADDED != 0 })
    }

    /// IEEE 802.11 §9.2 and §9.3.2: frame control, duration, three or four addresses, sequence control, QoS and HT
    /// control as the frame control says; then LLC.
    pub(super) fn ieee80211(&mut self, padded: bool) -> Result<Next, Undecoded> {
        const DATA: u8 = 0b10;
        let mut reader = self.reader();
        let [control, flags] = reader.array("frame control")?;
        let (frame_type, subtype) = (control >> 2 & 0b11, control >> 4);
        let carries_data = subtype & 0b0100 == 0;
        if frame_type != DATA || !carries_data {
            return Err(Undecoded::NotIp);
        }
        if flags & 0x40 != 0 {
            return Err(Undecoded::Encrypted);
        }
        reader.skip(20, "802.11 header")?;
        let [fragment, _] = reader.array("sequence control")?;
        let more_fragments = flags & 0x04 != 0;
        if more_fragments || fragment & 0x0f != 0 {
            return Err(Undecoded::Fragment);
        }
        let four_addresses = flags & 0b11 == 0b11;
        if four_addresses {
            reader.skip(6, "fourth address")?;
        }
        let mut aggregated = false;
        let has_qos = subtype & 0b1000 != 0;
        if has_qos {
            let [qos, _] = reader.array("QoS control")?;
            aggregated = qos & 0x80 != 0;
            let has_ht_control = flags & 0x80 != 0;
            if has_ht_control {
                reader.skip(4, "HT control")?;
            }
        }
        if padded {
            let header_len = reader.position();
            reader.skip(header_len.next_multiple_of(4) - header_len, "header padding")?;
        }
        if aggregated {
            // Destination, source and length of the first aggregated frame (§9.3.2.2); the others are passed over.
            reader.skip(12, "aggregated frame")?;
            let len = reader.u16("aggregated length")?;
            self.advance(&reader);
            // A frame that ends earlier than its length says has no padding.
            let _ = self.shorten(usize::from(len));
        } else {
            self.advance(&reader);
        }
        Ok(Next::Llc)
    }
}

/// The `Flags` field of a radiotap header, 0 if it has none.
fn radiotap_flags(header: &[u8]) -> Result<u8, Undecoded> {
    const TSFT: u32 = 1;
    const FLAGS: u32 = 1 << 1;
    const ANOTHER_WORD: u32 = 1 << 31;
    let mut reader = Reader::new(header);
    reader.skip(4, "radiotap header")?;
    let present = u32::from_le_bytes(reader.array("radiotap presence")?);
    let mut word = present;
    while word & ANOTHER_WORD != 0 {
        word = u32::from_le_bytes(reader.array("radiotap presence")?);
    }
    if present & FLAGS == 0 {
        return Ok(0);
    }
    if present & TSFT != 0 {
        let at = reader.position();
        reader.skip(at.next_multiple_of(8) - at + 8, "radiotap timestamp")?;
    }
    Ok(reader.u8("radiotap flags")?)
}
