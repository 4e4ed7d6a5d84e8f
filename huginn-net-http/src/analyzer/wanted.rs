//! Which packets of a connection are let pass, and which go by unseen.

use huginn_net_core::{Direction, FlowFilter, FlowTag, Timestamp, UnwantedBytes};

use super::connection::{Connection, Side};

/// The directions of a flow.
pub(super) const WAYS: [Direction; 2] = [Direction::FromLower, Direction::FromHigher];

/// Lets further packets of a connection go by unseen.
pub(super) fn pass_no_more(filter: &mut FlowFilter, key: FlowTag, connection: &mut Connection) {
    if core::mem::take(&mut connection.filtered) {
        for way in WAYS.into_iter().filter(|&way| connection.quiet != Some(way)) {
            filter.remove(key.of_way(way));
        }
    }
}

/// Lets packets of one way go by unseen, or again not, as it has become or is no longer quiet.
pub(super) fn pass_quiet(filter: &mut FlowFilter, key: FlowTag, connection: &mut Connection) {
    let quiet = connection.quiet();
    if !connection.filtered || connection.quiet == quiet {
        return;
    }
    if let Some(wanted) = core::mem::replace(&mut connection.quiet, quiet) {
        filter.add(key.of_way(wanted));
    }
    if let Some(quiet) = quiet {
        filter.remove(key.of_way(quiet));
    }
}

/// Lets packets of a flow pass, in both directions.
pub(super) fn add(filter: &mut FlowFilter, key: FlowTag) {
    WAYS.into_iter().for_each(|way| filter.add(key.of_way(way)));
}

/// Takes back what [`add`] let pass.
pub(super) fn remove(filter: &mut FlowFilter, key: FlowTag) {
    WAYS.into_iter().for_each(|way| filter.remove(key.of_way(way)));
}

/// Lets the bytes go by unseen that do not matter.
pub(super) fn note_unwanted(unwanted: &mut UnwantedBytes, way: FlowTag, side: &Side, now: Timestamp) {
    if side.is_done() || side.is_searching() {
        unwanted.add_all(way, now);
    } else if side.skip > 0 && !side.is_waiting && !side.may_lack_body {
        unwanted.add(way, side.next, side.skip, now);
    } else {
        unwanted.remove(way);
    }
}
