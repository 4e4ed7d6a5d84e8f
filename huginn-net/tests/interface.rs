//! What every user of a library expects of its types: that they can be sent to another thread, shared, and shown.

#![cfg(test)]

use core::error::Error;
use core::fmt::Debug;

use huginn_net::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Database, DecodeStats, EncapsulationPath, Event, Events,
    Filter, FilterError, FlowFilter, Frame, HuginnNet, Interest, IpHeader, IpProtocol, IpVersion, Layout,
    LinkType, Located, Origin, Packet, Pipeline, Protocol, Settings, SourceError, Stats, Stopper, TcpSegment,
    Timestamp, UdpDatagram, db, http, source, tcp, tls,
};

fn is_sent_and_shown<T: Send + Debug>() {}
fn is_shared<T: Send + Sync + Debug + Clone>() {}
fn is_an_error<T: Error + Send + Sync + 'static>() {}

#[test]
fn what_is_driven_can_move_to_another_thread() {
    is_sent_and_shown::<HuginnNet>();
    is_sent_and_shown::<Events<Event>>();
    is_sent_and_shown::<source::CaptureFile>();
    is_sent_and_shown::<source::LiveCapture>();
    is_sent_and_shown::<tcp::HuginnNetTcp>();
    is_sent_and_shown::<tcp::TcpAnalyzer>();
    is_sent_and_shown::<tls::HuginnNetTls>();
    is_sent_and_shown::<tls::TlsAnalyzer>();
    is_sent_and_shown::<tls::ClientHelloReader>();
    is_sent_and_shown::<tls::QuicInitialReader>();
    is_sent_and_shown::<tls::DtlsHelloReader>();
    is_sent_and_shown::<http::HuginnNetHttp>();
    is_sent_and_shown::<http::HttpAnalyzer>();
    is_sent_and_shown::<http::AkamaiReader>();
    is_sent_and_shown::<http::ServerSettingsReader>();
    is_sent_and_shown::<http::HpackDecoder>();
}

#[test]
fn what_is_told_or_set_can_be_shared_and_kept() {
    is_shared::<Event>();
    is_shared::<Settings>();
    is_shared::<Stats>();
    is_shared::<Stopper>();
    is_shared::<Filter>();
    is_shared::<Database>();
    is_shared::<db::SignatureFile>();
    is_shared::<db::Diagnostic>();
    is_shared::<db::Label>();
    is_shared::<tcp::TcpEvent>();
    is_shared::<tcp::TcpObservation>();
    is_shared::<tls::TlsEvent>();
    is_shared::<tls::OwnedClientHello>();
    is_shared::<tls::ClientHello<'static>>();
    is_shared::<tls::Ja4>();
    is_shared::<http::HttpEvent>();
    is_shared::<http::Http1Request<'static>>();
    is_shared::<http::AkamaiFingerprint>();
}

#[test]
fn every_error_can_be_boxed_and_sent() {
    is_an_error::<SourceError>();
    is_an_error::<FilterError>();
    is_an_error::<db::DatabaseError>();
    is_an_error::<db::FingerprintError>();
    is_an_error::<tls::TlsError>();
    is_an_error::<tls::QuicError>();
    is_an_error::<tls::DtlsError>();
    is_an_error::<tls::ParseJa4Error>();
    is_an_error::<tls::ParseListsError>();
    is_an_error::<tls::ParseMd5Error>();
    is_an_error::<http::Http1Error>();
    is_an_error::<http::Http2Error>();
    is_an_error::<http::HpackError>();
}

/// What is remembered of earlier heads, and where bytes are kept, makes no difference.
#[test]
fn events_can_be_compared() {
    for capture in ["real/http_kept_alive.pcap", "real/http2_clear.pcap", "real/browsers_small.pcap"] {
        let events = |pipeline: &HuginnNet| -> Vec<Event> {
            let events = pipeline.analyze_pcap(testkit::corpus::path(capture)).unwrap();
            events.map(Result::unwrap).collect()
        };
        let pipeline = HuginnNet::new();
        let seen = events(&pipeline);
        assert_eq!(seen, events(&pipeline), "{capture}");
        assert_eq!(seen, events(&HuginnNet::with_config(2, 100)), "{capture}");
        assert!(seen.iter().zip(seen.iter().skip(1)).all(|(one, other)| one != other), "{capture}");
    }
}

/// Where a pair of hosts was heard, and in how many packets of each protocol.
#[derive(Debug, PartialEq)]
struct Heard {
    origin: Origin,
    protocol: IpProtocol,
    packets: u64,
}

impl Located for Heard {
    fn located(&self) -> Option<&Origin> {
        Some(&self.origin)
    }
}

impl Protocol for Heard {
    type Settings = ();

    fn analyzers((): &()) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(Listener)]
    }

    fn conclusion((): &()) -> Box<dyn Conclude<Event = Self>> {
        Box::new(Counter { packets: 0 })
    }
}

struct Listener;

impl Analyzer for Listener {
    type Event = Heard;

    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        let segment: Option<TcpSegment<'_>> = packet.tcp();
        let datagram: Option<UdpDatagram<'_>> = packet.udp();
        (segment.is_some() || datagram.is_some()).then_some(Affinity::Any)
    }

    fn held(&self) -> Option<FlowFilter> {
        None
    }

    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Heard)) {
        report(Heard { origin: Origin::of(packet), protocol: packet.protocol(), packets: 1 });
    }

    fn on_time(&mut self, _: Timestamp, _: &mut dyn FnMut(Heard)) {}

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_seen("heard", 1);
    }
}

/// Numbers packets, which takes no more of [`Conclude`] than this.
struct Counter {
    packets: u64,
}

impl Conclude for Counter {
    type Event = Heard;

    fn on_event(&mut self, event: Heard, report: &mut dyn FnMut(Heard)) {
        self.packets += event.packets;
        report(Heard { packets: self.packets, ..event });
    }
}

#[test]
fn an_analyzer_can_be_written_with_the_names_of_this_crate_alone() {
    let path = testkit::corpus::path("real/v4.pcap");
    let mut events = Pipeline::<Heard>::new().analyze_pcap(&path).unwrap();
    let heard: Vec<Heard> = events.by_ref().map(Result::unwrap).collect();
    let last = heard.last().expect("the capture has packets");
    assert_eq!((last.packets, last.protocol), (heard.len() as u64, IpProtocol::TCP));
    let Stats { decode, .. } = events.stats();
    let DecodeStats { decoded, .. } = decode;
    assert_eq!(decoded, last.packets);
    let of_two = Pipeline::<Heard>::with_config(2, 100).analyze_pcap(&path).unwrap();
    assert_eq!(of_two.map(Result::unwrap).collect::<Vec<_>>(), heard);
}

#[test]
fn what_a_packet_gives_can_be_named_by_this_crate_alone() {
    fn parts(packet: &Packet<'_>) -> (Option<IpVersion>, EncapsulationPath) {
        let ip: Option<IpHeader<'_>> = packet.ip();
        let layout: &Layout = packet.layout();
        (ip.map(|_| packet.ip_version()), layout.path())
    }
    let frame =
        Frame::new(&[0x45, 0, 0, 20, 0, 0, 0, 0, 64, 89, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2], LinkType::RAW);
    let packet = Packet::decode(&frame).unwrap();
    assert_eq!(parts(&packet), (Some(IpVersion::V4), EncapsulationPath::default()));
}

#[test]
fn hellos_and_heads_are_shown_as_what_they_mean_and_not_as_lists_of_bytes() {
    let bytes = std::fs::read(testkit::corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
    let hello = tls::ClientHello::from_record(&bytes).unwrap();
    let told = format!("{hello:?}");
    assert!(told.contains("t13d040700_e00fd9ffaebd_8b8b673a840a"), "{told}");
    let head =
        http::Http1Request::parse(b"GET / HTTP/1.1\r\nHost: a.\x1bexample\r\n\r\n").unwrap().done().unwrap();
    let told = format!("{head:?}");
    assert!(told.contains(r#"start_line: "GET / HTTP/1.1""#), "{told}");
    assert!(told.contains(r#"headers: ["Host: a.\x1bexample"]"#), "{told}");
}
