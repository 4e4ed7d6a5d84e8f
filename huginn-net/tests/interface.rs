//! What every user of a library expects of its types: that they can be sent to another thread, shared, and shown.

#![cfg(test)]

use core::error::Error;
use core::fmt::Debug;

use huginn_net::{
    Database, Event, Events, Filter, FilterError, HuginnNet, Settings, SourceError, Stats, Stopper, db, http,
    source, tcp, tls,
};

fn is_named<T>() {}
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

/// Those that methods and traits of this crate give and take, too.
#[test]
fn every_type_of_the_interface_can_be_named_by_this_crate_alone() {
    fn concludes<C: ?Sized + huginn_net::core::Conclude>() {}
    fn is_driven<E: huginn_net::core::Protocol>() {}

    is_named::<huginn_net::core::DecodeStats>();
    is_named::<huginn_net::core::IpProtocol>();
    is_named::<huginn_net::core::IpVersion>();
    is_named::<huginn_net::core::EncapsulationPath>();
    is_named::<huginn_net::core::TcpSegment<'static>>();
    is_named::<huginn_net::core::FlowFilter>();
    concludes::<dyn huginn_net::core::Conclude<Event = Event>>();
    is_driven::<Event>();
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
