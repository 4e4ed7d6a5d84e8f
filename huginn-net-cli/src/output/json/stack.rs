//! What is written of TCP stacks.

use huginn_net::tcp::OptionLayout;
use huginn_net::{Quality, Stack};

use super::super::{append, known_distance};
use super::object::{Object, key, plain};

/// Appends the members of a stack.
pub(super) fn stack(stack: &Stack, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    let seen = &stack.observation;
    append(object.member(key!("huginn.tcp.signature")), format_args!("\"{seen}\""));
    object.number(key!("huginn.tcp.ttl"), seen.ttl);
    // Not always that of the signature: a TTL that was set anew on the way counts from there.
    let initial_ttl = seen.ttl.saturating_add(stack.distance.hops);
    object.number(key!("huginn.tcp.initial_ttl"), initial_ttl);
    if let Some(distance) = known_distance(stack) {
        object.number(key!("huginn.tcp.distance"), distance.hops);
    }
    if let Some(mss) = seen.mss {
        object.number(key!("huginn.tcp.mss"), mss);
    }
    object.number(key!("huginn.tcp.window"), seen.window);
    if let Some(scale) = seen.window_scale {
        object.number(key!("huginn.tcp.window_scale"), scale);
    }
    if seen.layout != OptionLayout::EMPTY {
        append(object.member(key!("huginn.tcp.options")), format_args!("\"{}\"", seen.layout));
    }
    object.list(key!("huginn.tcp.quirks"), seen.quirks.names(), plain);
    if let Some(mtu) = stack.labels.mtu {
        object.number(key!("huginn.tcp.mtu"), mtu);
    }
    if let Some(os) = &stack.labels.os {
        object.text(key!("huginn.os.name"), &os.label.name);
        if !os.label.flavor.is_empty() {
            object.text(key!("huginn.os.flavor"), &os.label.flavor);
        }
        object.text(key!("huginn.os.class"), os.label.class.name());
        object.word(key!("huginn.os.type"), os.label.specificity.name());
        object.word(key!("huginn.os.quality"), os.quality.name());
        object.boolean(key!("huginn.os.fuzzy"), os.quality == Quality::Fuzzy);
        object.number(key!("huginn.os.line"), os.line);
    }
    if let Some(link) = &stack.labels.link {
        object.text(key!("huginn.link.name"), &link.name);
        object.number(key!("huginn.link.mtu"), link.mtu);
    }
}
