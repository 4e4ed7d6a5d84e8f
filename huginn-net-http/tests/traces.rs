//! Requests and responses of a generated trace are found.

#![cfg(test)]

use huginn_net_core::CaptureFile;
use huginn_net_http::{HttpEvent, HttpSettings, HuginnNetHttp};
use testkit::trace::{Kind, Trace};

/// Requests and responses that are reported of a capture.
fn found(settings: HttpSettings, file: Vec<u8>) -> (u64, u64) {
    let pipeline = HuginnNetHttp::with_settings(settings);
    let (mut requests, mut responses) = (0, 0);
    for event in pipeline.analyze(CaptureFile::from_bytes(file).expect("a capture")) {
        match event.expect("a readable capture") {
            HttpEvent::Request(_) => requests += 1,
            HttpEvent::Response(_) => responses += 1,
            other => panic!("{other:?}"),
        }
    }
    (requests, responses)
}

#[test]
fn every_request_and_response_of_a_trace_is_reported_and_no_other() {
    for kind in Kind::ALL {
        let mut file = Vec::new();
        let said = Trace::new(kind, 1, 3_000_000).write_pcap(&mut file).expect("memory");
        let all = HttpSettings::default().with_max_exchanges(6);
        let first = HttpSettings::default().with_max_exchanges(4);
        assert_eq!(found(all, file.clone()), (said.http_requests, said.http_responses), "{}", kind.name());
        let of_first = (said.http_requests / 6 * 4, said.http_responses / 6 * 4);
        assert_eq!(found(first, file), of_first, "{}", kind.name());
    }
}
