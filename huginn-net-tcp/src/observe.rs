//! From a packet to an observation.

use huginn_net_core::{IpHeader, Ipv4Header, Packet, TcpFlags, TcpHeader, TcpSegment};

use crate::window::WindowInputs;
use crate::{IpIdClass, PortClass, Quirks, TcpFacts, TcpObservation, TcpOptions, WindowMultiple};

impl TcpObservation {
    /// Observes a SYN or SYN+ACK; `None` for any other packet.
    ///
    /// `syn_mss` is the MSS of the SYN that a SYN+ACK answers, against which its window is read.
    #[must_use]
    pub fn of(packet: &Packet<'_>, syn_mss: Option<u16>) -> Option<Self> {
        let segment = packet.tcp()?;
        let flags = segment.flags();
        let is_handshake = flags.is_syn() || flags.is_syn_ack();
        is_handshake
            .then(|| Self::with_options(packet, &segment, &TcpOptions::parse(segment.options()), syn_mss))
    }

    // Inlined so that the observation is made in the event: it is larger than what it is made of.
    #[inline(always)]
    pub(crate) fn with_options(
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        options: &TcpOptions,
        syn_mss: Option<u16>,
    ) -> Self {
        let layout = packet.layout();
        let flags = segment.flags();
        let is_syn_ack = flags.contains(TcpFlags::ACK);
        let syn_mss = syn_mss.filter(|_| is_syn_ack);
        let network = NetworkPart::of(packet, segment);

        let ecn_tcp = flags.bits() >> 6 & 0b111;
        let mut quirks = network.quirks | tcp_quirks(segment) | options.quirks;
        quirks |= Quirks::when(network.traffic_class & 0b11 != 0 || ecn_tcp != 0, Quirks::ECN);
        if is_syn_ack {
            quirks = quirks - Quirks::PEER_TIMESTAMP_NONZERO;
        }
        let window_multiple = WindowMultiple::detect(WindowInputs {
            version: packet.ip_version(),
            window: segment.window(),
            mss: options.mss.unwrap_or(0),
            has_own_timestamp: options.timestamps.is_some_and(|timestamps| timestamps.own != 0),
            header_len: u16::try_from(network.header_len + segment.header_len()).unwrap_or(u16::MAX),
            syn_mss,
        });
        Self {
            ip_version: packet.ip_version(),
            ttl: network.ttl,
            ip_options_len: layout.ip_options_len(),
            mss: options.mss,
            window: segment.window(),
            window_multiple,
            window_scale: options.window_scale,
            layout: options.layout,
            quirks,
            has_payload: has_payload(packet, segment),
            timestamps: options.timestamps,
            syn_mss,
            syn_offer: None,
            facts: TcpFacts {
                dscp: network.traffic_class >> 2,
                ecn_ip: network.traffic_class & 0b11,
                // Three bits each.
                ecn_tcp: u8::try_from(ecn_tcp).unwrap_or(0),
                reserved: u8::try_from(flags.bits() >> 9 & 0b111).unwrap_or(0),
                source_port: Some(PortClass::of(segment.source_port())),
                ip_id: network.ip_id,
                seq_is_destination: network.seq_is_destination,
                fast_open_cookie: options.fast_open_cookie,
                mptcp_version: options.mptcp_version,
                total_length_zero: layout.has_zero_length(),
                truncated: layout.is_cut(),
                unpaired: false,
            },
        }
    }
}

/// What the IP header adds to an observation.
struct NetworkPart {
    ttl: u8,
    traffic_class: u8,
    /// Without IPv6 extension headers.
    header_len: usize,
    quirks: Quirks,
    ip_id: Option<IpIdClass>,
    seq_is_destination: bool,
}

impl NetworkPart {
    #[inline]
    fn of(packet: &Packet<'_>, segment: &TcpSegment<'_>) -> Self {
        if let Some(header) = packet.ipv4() {
            let has_id = header.identification() != 0;
            let quirks = match (header.dont_fragment(), has_id) {
                (true, true) => Quirks::DF | Quirks::ID_NONZERO,
                (true, false) => Quirks::DF,
                (false, true) => Quirks::NONE,
                (false, false) => Quirks::ID_ZERO,
            };
            Self {
                ttl: header.ttl(),
                traffic_class: header.traffic_class(),
                header_len: usize::from(header.header_len()),
                quirks: quirks | Quirks::when(header.has_reserved_flag(), Quirks::RESERVED_SET),
                ip_id: Some(IpIdClass::of(&header, segment)),
                seq_is_destination: segment.sequence() == header.destination().to_bits(),
            }
        } else {
            let header = packet.ipv6();
            Self {
                ttl: header.map_or(0, |header| header.hop_limit()),
                traffic_class: header.map_or(0, |header| header.traffic_class()),
                header_len: 40,
                quirks: Quirks::when(header.is_some_and(|header| header.flow_label() != 0), Quirks::FLOW),
                ip_id: None,
                seq_is_destination: false,
            }
        }
    }
}

/// Whether bytes follow the TCP header; that they were cut still shows that there were some.
#[inline]
pub(crate) fn has_payload(packet: &Packet<'_>, segment: &TcpSegment<'_>) -> bool {
    /// Ethernet fills up shorter frames with zeros (IEEE 802.3 §4A.2.3.2.4), which a length of zero does not exclude.
    const MIN_FRAME: usize = 60;
    let layout = packet.layout();
    let may_be_padding = layout.has_zero_length() && packet.bytes().len() <= MIN_FRAME;
    let is_padding = may_be_padding && segment.payload().iter().all(|&byte| byte == 0);
    layout.is_cut() || (!segment.payload().is_empty() && !is_padding)
}

/// Bytes behind the TCP header as they were sent, of which the capture may have cut some or all. Where the IP header
/// gives no length, it is those that are there.
#[inline]
pub(crate) fn sent_payload_len(packet: &Packet<'_>, ip: &IpHeader<'_>) -> u16 {
    let layout = packet.layout();
    let captured = u16::try_from(layout.payload_len()).unwrap_or(u16::MAX);
    if !layout.is_cut() {
        return captured;
    }
    let sent = match ip {
        IpHeader::V4(header) => u32::from(header.total_length()),
        IpHeader::V6(header) => u32::from(header.payload_length()) + 40,
    };
    u16::try_from(sent.saturating_sub(layout.header_len())).unwrap_or(u16::MAX).max(captured)
}

/// The quirks of the fixed TCP header.
#[inline]
fn tcp_quirks(segment: &TcpSegment<'_>) -> Quirks {
    let flags = segment.flags();
    let acknowledges = segment.acknowledgment() != 0;
    let of_acknowledgment = if flags.contains(TcpFlags::ACK) {
        Quirks::when(!acknowledges, Quirks::ACK_ZERO)
    } else {
        Quirks::when(acknowledges, Quirks::ACK_NONZERO)
    };
    let of_urgency = if flags.contains(TcpFlags::URG) {
        Quirks::URG
    } else {
        Quirks::when(segment.urgent_pointer() != 0, Quirks::URG_POINTER_NONZERO)
    };
    Quirks::when(segment.sequence() == 0, Quirks::SEQ_ZERO)
        | of_acknowledgment
        | of_urgency
        | Quirks::when(flags.contains(TcpFlags::PSH), Quirks::PUSH)
}

impl IpIdClass {
    #[inline]
    pub(crate) fn of(ip: &Ipv4Header<'_>, tcp: &TcpHeader<'_>) -> Self {
        const ZERO: u16 = 0;
        const ZMAP: u16 = 54_321_u16.to_be();
        // As they lie in memory, as nothing but equality is asked for, and as words, so that none is read twice.
        let [_, id_and_flags, _, _, destination] = words(ip.bytes());
        let [ports, sequence, ..] = words::<5, 20>(tcp.bytes());
        let [id, _] = halves(id_and_flags);
        let [_, folded] = halves(destination ^ ports ^ sequence);
        match id {
            ZERO => Self::Zero,
            ZMAP => Self::Zmap,
            id if id == folded => Self::Masscan,
            _ => Self::Other,
        }
    }
}

/// The words of a header, each with its first byte as the lowest.
#[inline(always)]
pub(crate) fn words<const WORDS: usize, const BYTES: usize>(header: &[u8; BYTES]) -> [u32; WORDS] {
    const { assert!(BYTES == WORDS * 4) };
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(header.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The first and the last two bytes of such a word, as they lie in memory.
#[inline(always)]
const fn halves(word: u32) -> [u16; 2] {
    let [a, b, c, d] = word.to_le_bytes();
    [u16::from_ne_bytes([a, b]), u16::from_ne_bytes([c, d])]
}
