//! Hellos in datagrams that were reported: each is reported once.

use huginn_net_core::{Expiring, ExpiringLimits, FlowTag, Origin, Packet, Progress, TagHash, Timestamp};

use super::connection::{self, Context};
use super::datagrams::DtlsDatagram;
use crate::carriers::Carriers;
use crate::client_hello::ClientHello;
use crate::dtls::DtlsHello;
use crate::event::{ClientHelloSeen, PacketRef, TlsEvent};
use crate::numbers::ProtocolVersion;
use crate::quic::QuicHello;
use crate::server_hello::ServerHello;
use crate::settings::TlsSettings;

/// The hellos that each flow brought last: they may be sent again when their reader is gone.
pub(super) struct ReportedHellos(Expiring<FlowTag, Reported, TagHash>);

/// What was reported of a flow. Its ports may be used again, and what was sent before may then be sent again.
#[derive(Default)]
struct Reported {
    /// The latest first.
    hellos: [ReportedHello; MOST_REPORTED],
    /// By the randoms of the server; the latest first.
    answers: [Option<Mark>; MOST_REPORTED],
    /// The server asked for another hello by a HelloRetryRequest.
    retried: bool,
}

/// The hellos of a client with one random, if it has sent any.
#[derive(Clone, Copy, Default)]
struct ReportedHello {
    random: Mark,
    /// Bit by the index of the hello.
    indices: u8,
}

/// A part of a random that tells it from others.
type Mark = [u8; 8];

/// Connections of a flow of which it is known what was reported.
const MOST_REPORTED: usize = 2;

impl ReportedHellos {
    pub(super) fn new(settings: &TlsSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self(Expiring::with_hash(limits, TagHash))
    }

    /// Flows whose last hello was forgotten for others.
    pub(super) fn evicted(&self) -> u64 {
        self.0.stats().evicted
    }

    pub(super) fn on_time(&mut self, now: Timestamp) {
        self.0.expire(now, |_, _| {});
    }

    pub(super) fn report_quic(
        &mut self,
        quic: &QuicHello<'_>,
        hello: &ClientHello<'_>,
        packet: &Packet<'_>,
        flow: FlowTag,
        context: &mut Context<'_>,
    ) {
        if !self.is_new(flow, hello, quic.hello_index, packet.captured_at()) {
            return;
        }
        context.counts.quic += 1;
        let Carriers { first, packets } = carriers(quic.carriers, packet);
        (context.report)(TlsEvent::ClientHello(ClientHelloSeen {
            origin: Origin::of(packet),
            hello: context.keeper.keep(hello),
            first,
            packets,
            hello_index: quic.hello_index,
            after_hrr: quic.hello_index > 0,
            quic: Some(quic.facts),
            via: None,
        }));
    }

    pub(super) fn report_dtls(
        &mut self,
        dtls: &DtlsHello<'_>,
        packet: &Packet<'_>,
        datagram: &DtlsDatagram<'_>,
        context: &mut Context<'_>,
    ) {
        let hello = match dtls.client_hello() {
            Ok(hello) => hello,
            Err(error) => return context.counts.malformed(error),
        };
        let hello_index = u8::try_from(dtls.message_seq).unwrap_or(u8::MAX);
        let ((flow, _), now) = (datagram.key, packet.captured_at());
        // One that was contradicted need not be its client's, which may be sent again.
        let is_new = if dtls.contradicted {
            !self.is_known(flow, &hello, hello_index, now)
        } else {
            self.is_new(flow, &hello, hello_index, now)
        };
        if !is_new {
            return;
        }
        context.counts.dtls += 1;
        let Carriers { first, packets } = carriers(dtls.carriers, packet);
        (context.report)(TlsEvent::ClientHello(ClientHelloSeen {
            origin: Origin::of(packet),
            hello: context.keeper.keep(&hello),
            first,
            packets,
            hello_index,
            after_hrr: hello_index > 0 && may_follow_retry(&hello),
            quic: None,
            via: datagram.via.clone().map(Box::new),
        }));
    }

    pub(super) fn report_dtls_answer(
        &mut self,
        dtls: &DtlsHello<'_>,
        packet: &Packet<'_>,
        datagram: &DtlsDatagram<'_>,
        context: &mut Context<'_>,
    ) {
        match ServerHello::parse(dtls.message) {
            Ok(Progress::Done(hello)) => {
                // As of a client.
                self.report_answer(&hello, packet, datagram.key.0, !dtls.contradicted, context);
            }
            Ok(Progress::NeedMore) => {}
            Err(error) => context.counts.malformed(error),
        }
    }

    /// Reports an answer that is not known, and knows it from then on if it `stands` for the one that is sent again.
    pub(super) fn report_answer(
        &mut self,
        hello: &ServerHello<'_>,
        packet: &Packet<'_>,
        flow: FlowTag,
        stands: bool,
        context: &mut Context<'_>,
    ) {
        let reported = self.0.get_or_insert_with(flow, packet.captured_at(), Reported::default).value;
        let random = Some(mark(hello.random()));
        if reported.answers.contains(&random) {
            return;
        }
        match connection::server_hello_seen(packet, hello, reported.retried, context) {
            Some(seen) => {
                if stands {
                    reported.answers.rotate_right(1);
                    let [latest, ..] = &mut reported.answers;
                    *latest = random;
                }
                context.counts.server_hellos += 1;
                (context.report)(TlsEvent::ServerHello(seen));
            }
            None => {
                context.counts.retry_requests += u64::from(!reported.retried);
                reported.retried = true;
            }
        }
    }

    /// Whether a hello was reported before.
    fn is_known(&mut self, flow: FlowTag, hello: &ClientHello<'_>, index: u8, now: Timestamp) -> bool {
        let random = mark(hello.random());
        let reported = self.0.get_or_insert_with(flow, now, Reported::default).value;
        reported.hellos.iter().any(|known| known.indices & bit(index) != 0 && known.random == random)
    }

    /// Whether a hello was not reported before, which it is from then on. A second hello of a flow has the random of the
    /// first.
    fn is_new(&mut self, flow: FlowTag, hello: &ClientHello<'_>, index: u8, now: Timestamp) -> bool {
        let random = mark(hello.random());
        let bit = bit(index);
        let latest = ReportedHello { random, indices: bit };
        let first = || Reported { hellos: [latest, ReportedHello::default()], ..Reported::default() };
        let held = self.0.get_or_insert_with(flow, now, first);
        if held.is_new {
            return true;
        }
        let reported = held.value;
        if let Some(known) =
            reported.hellos.iter_mut().find(|known| known.indices != 0 && known.random == random)
        {
            let is_new = known.indices & bit == 0;
            known.indices |= bit;
            return is_new;
        }
        let [before, _] = reported.hellos;
        reported.hellos = [latest, before];
        // What the first one was answered by may have been captured before it.
        reported.retried &= before.indices == 0;
        true
    }
}

/// Whether a second hello of DTLS may answer a HelloRetryRequest, which only DTLS 1.3 has. A HelloVerifyRequest asks for its
/// cookie in the field for it, which may be empty
/// ([RFC 6347 §4.2.1](https://www.rfc-editor.org/rfc/rfc6347#section-4.2.1)).
fn may_follow_retry(hello: &ClientHello<'_>) -> bool {
    hello.cookie().is_empty()
        && hello.supported_versions().without_grease().any(|version| version == ProtocolVersion::DTLS_1_3)
}

/// The packets that carried a hello: at least the one that completed it.
fn carriers(known: Option<Carriers>, last: &Packet<'_>) -> Carriers {
    known.unwrap_or(Carriers::of(PacketRef::of(last)))
}

fn bit(index: u8) -> u8 {
    1 << index.min(7)
}

/// Bytes of a random that are random: it may begin with the time and end with the mark of a downgrade
/// ([RFC 8446 §4.1.3](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.3)).
fn mark(random: &[u8; 32]) -> Mark {
    let (marks, _) = random.as_chunks();
    marks.get(1).copied().unwrap_or_default()
}
