//! Observations from the text that p0f prints of a packet.

use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionKind, OptionLayout, Quirks, TcpObservation, Timestamps, WindowMultiple};

/// An observation that prints as `raw_sig`.
///
/// A window printed as `mss*N` or `mtu*N` is taken to count segments the way Linux does: whole MSS on a SYN, and
/// less the room of the timestamps, if there are any, on a SYN+ACK.
pub(crate) fn observation(raw_sig: &str, is_syn_ack: bool) -> TcpObservation {
    let fields: Vec<&str> = raw_sig.split(':').collect();
    let [version, ttl, ip_options_len, mss, window, layout, quirks, payload] = fields[..] else {
        panic!("{raw_sig} has not eight fields");
    };
    let version = match version {
        "4" => IpVersion::V4,
        "6" => IpVersion::V6,
        _ => panic!("IP version {version}"),
    };
    let ttl = ttl.split_once('+').map_or(ttl, |(ttl, _)| ttl).parse().unwrap();
    let mss: u16 = mss.parse().unwrap();
    let layout = parse_layout(layout);
    let has = |kind: OptionKind| layout.kinds().contains(&kind.0);
    let (window, scale) = window.split_once(',').unwrap();

    let timestamps = has(OptionKind::TIMESTAMPS).then_some(Timestamps { own: 1, peer: 0 });
    let segment = if is_syn_ack && timestamps.is_some() { mss - 12 } else { mss };
    let multiple = |prefix: &str| window.strip_prefix(prefix).map(|count| count.parse::<u16>().unwrap());
    let (window, window_multiple) = match (multiple("mss*"), multiple("mtu*")) {
        (Some(count), _) => (count * segment, Some(WindowMultiple::Mss(count))),
        (_, Some(count)) => (count * (mss + 40), Some(WindowMultiple::Mtu(count))),
        _ => (window.parse().unwrap(), None),
    };

    let mut seen = TcpObservation::new(version, ttl, window);
    seen.ip_options_len = ip_options_len.parse().unwrap();
    seen.mss = has(OptionKind::MSS).then_some(mss);
    seen.window_multiple = window_multiple;
    seen.window_scale = has(OptionKind::WINDOW_SCALE).then(|| scale.parse().unwrap());
    seen.layout = layout;
    for name in quirks.split(',').filter(|name| !name.is_empty()) {
        seen.quirks |= Quirks::from_name(name).unwrap();
    }
    seen.has_payload = payload == "+";
    seen.timestamps = timestamps;
    seen
}

fn parse_layout(text: &str) -> OptionLayout {
    let mut layout = OptionLayout::EMPTY;
    for name in text.split(',').filter(|name| !name.is_empty()) {
        let fits = match (name.strip_prefix("eol+"), name.strip_prefix('?')) {
            (Some(padding), _) => layout.push_eol(padding.parse().unwrap()),
            (_, Some(kind)) => layout.push(OptionKind(kind.parse().unwrap())),
            _ => layout.push(OptionKind::from_name(name).unwrap()),
        };
        assert!(fits, "{text} is too long");
    }
    layout
}
