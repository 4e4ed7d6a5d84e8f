//! The connections of HTTP/2 that are followed.

use std::collections::VecDeque;

use huginn_net_core::{
    Direction, FlowTag, NetworkTag, Pending, PendingLimits, PendingStats, TagHash, Timestamp,
};

use super::http2::{Http2Connection, is_late};
use crate::event::HttpEvent;

/// What is held of connections of HTTP/2, and which of them have just begun.
pub(super) struct Http2Connections {
    held: Pending<FlowTag, Box<Http2Connection>, TagHash>,
    /// In the order of their begin, as long as a request is waited for.
    begun: VecDeque<(FlowTag, Timestamp)>,
    most_begun: usize,
    /// The time that was told last.
    told: Option<Timestamp>,
}

impl Http2Connections {
    pub(super) fn new(limits: PendingLimits) -> Self {
        Self {
            held: Pending::with_hash(limits, TagHash),
            begun: VecDeque::new(),
            most_begun: limits.max_entries,
            told: None,
        }
    }

    pub(super) fn stats(&self) -> PendingStats {
        self.held.stats()
    }

    /// What is held of a connection. One that took too long is given up, and what can be said of it reported.
    pub(super) fn get(
        &mut self,
        key: &FlowTag,
        now: Timestamp,
        report: &mut dyn FnMut(HttpEvent),
    ) -> Option<&mut Http2Connection> {
        if let Some(mut late) = self.held.take_late(key, now) {
            late.conclude_late_start(now, report);
            return None;
        }
        let http2 = self.held.get(key, now)?;
        http2.see(now);
        Some(http2)
    }

    /// Holds a connection that has begun; false if there is no room for it.
    pub(super) fn insert(
        &mut self,
        key: FlowTag,
        source: NetworkTag,
        http2: Http2Connection,
        now: Timestamp,
    ) -> bool {
        if self.begun.len() >= self.most_begun {
            self.begun.pop_front();
        }
        self.begun.push_back((key, now));
        self.held.insert(key, source, Box::new(http2), now)
    }

    /// Learns that a client has sent more than what was read of it.
    pub(super) fn on_client_short(
        &mut self,
        key: &FlowTag,
        now: Timestamp,
        report: &mut dyn FnMut(HttpEvent),
    ) {
        if let Some(http2) = self.get(key, now, report) {
            http2.on_client_short();
        }
    }

    /// Charges a connection with what it holds now, which may end it.
    pub(super) fn charge(&mut self, key: &FlowTag) {
        self.held.charge(key);
    }

    /// An end has sent all. When both have, the connection counts no longer for its client, and what is still to come of it is
    /// read.
    pub(super) fn on_fin(
        &mut self,
        key: &FlowTag,
        way: Direction,
        now: Timestamp,
        report: &mut dyn FnMut(HttpEvent),
    ) {
        if self.get(key, now, report).is_some_and(|http2| http2.on_fin(way)) {
            self.held.complete(key);
        }
    }

    /// An end has reset a connection: it counts no longer for its client, and a response that is still under way is read.
    pub(super) fn on_reset(&mut self, key: &FlowTag, now: Timestamp, report: &mut dyn FnMut(HttpEvent)) {
        if !self.held.is_empty()
            && let Some(http2) = self.get(key, now, report)
        {
            http2.conclude_start(report);
            if http2.awaits_response() {
                self.held.complete(key);
            } else {
                self.held.remove(key);
            }
        }
    }

    /// Lets go of a connection, and reports what can be said of it; `now` is the time, unless the connection is over.
    pub(super) fn end(&mut self, key: &FlowTag, now: Option<Timestamp>, report: &mut dyn FnMut(HttpEvent)) {
        if self.held.is_empty() {
            return;
        }
        match (self.held.remove(key), now) {
            (Some(mut http2), Some(now)) => http2.conclude_open_start(now, report),
            (Some(mut http2), None) => http2.conclude_start(report),
            (None, _) => {}
        }
    }

    /// Lets go of a connection that cannot be read on, of which nothing can be said.
    pub(super) fn discard(&mut self, key: &FlowTag) {
        self.held.remove(key);
    }

    /// Reports of clients that made no request for a while, and gives up what took too long.
    pub(super) fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(HttpEvent)) {
        self.told = Some(now);
        while let Some(&(key, begun)) = self.begun.front()
            && is_late(begun, now)
        {
            self.begun.pop_front();
            // By now there may be another connection with this key.
            if let Some(http2) = self.get(&key, now, report) {
                http2.conclude_late_start(now, report);
            }
        }
        self.held.expire(now, |_, mut http2| http2.conclude_late_start(now, report));
    }

    /// Reports of clients that made no request before they closed their connection, or for a while.
    pub(super) fn on_end(&mut self, report: &mut dyn FnMut(HttpEvent)) {
        while let Some((key, _)) = self.begun.pop_front() {
            if let Some(mut http2) = self.held.remove(&key) {
                // Capture time may have gone on since it was told.
                let seen_at = http2.seen_at();
                let now = self.told.map_or(seen_at, |told| told.max(seen_at));
                http2.conclude_open_start(now, report);
            }
        }
    }
}
