//! What can be said of a connection when it ends, or when bytes of it are given up.

use huginn_net_core::{Direction, FlowTag, Timestamp};

use super::connection::Connection;
use super::reading::{PendingKey, PendingReadings, Reading};
use super::turn::{Carrier, Context, Turn};
use super::wanted::WAYS;

/// Takes what waits of a connection for bytes that can no longer come, and counts the directions in which that is a head.
pub(super) fn conclude_waiting(
    connection: &mut Connection,
    key: FlowTag,
    now: Option<Timestamp>,
    readings: &mut PendingReadings,
    context: &mut Context<'_>,
) {
    if readings.is_empty() {
        return;
    }
    for way in WAYS {
        if let Some(mut reading) = readings.remove(&(key, way)) {
            context.counts.lost += u64::from(reading.has_head());
            conclude(connection, (key, way), &mut reading, now, context);
        }
    }
}

/// Reads the heads of a direction that wait behind bytes which do not come; `now` is the time, unless nothing comes behind it.
pub(super) fn conclude(
    connection: &mut Connection,
    key: PendingKey,
    reading: &mut Reading,
    now: Option<Timestamp>,
    context: &mut Context<'_>,
) {
    let role = connection.role(key.1);
    match reading.first_waiting() {
        Some(packet) => {
            let carrier = Carrier::Earlier(packet, now.unwrap_or(packet.origin.captured_at));
            Turn { connection, role, key, carrier, is_refused: false }.conclude(reading, context);
        }
        None => connection.side(role).is_waiting = false,
    }
}

/// Lets go of what is held of a connection, and reports what can be said of it; `now` is the time, unless the connection is over.
pub(super) fn end(
    key: &FlowTag,
    now: Option<Timestamp>,
    readings: &mut PendingReadings,
    context: &mut Context<'_>,
) {
    if !readings.is_empty() {
        readings.remove(&(*key, Direction::FromLower));
        readings.remove(&(*key, Direction::FromHigher));
    }
    context.http2.end(key, now, context.report);
}
