//! Programs that are known from what others publish of them.

use std::collections::BTreeSet;

use huginn_net_core::Progress;
use huginn_net_db::{Database, Verdict};
use huginn_net_http::Http1Response;

/// Name and verdict of a response with these fields.
fn answer(fields: &str) -> (Option<&'static str>, Verdict) {
    let bytes = format!("HTTP/1.1 200 OK\r\n{}\r\n", fields.replace('\n', "\r\n"));
    let Ok(Progress::Done(response)) = Http1Response::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    let judgment = Database::bundled().judge_response(&response);
    (judgment.found.map(|found| &*found.record.label.name), judgment.assessment.verdict)
}

#[test]
fn these_programs_are_all_whose_signatures_were_not_recorded() {
    let database = Database::bundled();
    let published = database.http_requests().iter().chain(database.http_responses());
    let published = published.filter(|record| record.provenance.starts_with("A: "));
    let names: BTreeSet<_> = published.map(|record| &*record.label.name).collect();
    assert_eq!(names, BTreeSet::from(["CaptiveNetworkSupport", "Cloudflare", "IIS", "nginx"]));
}

#[test]
fn iis_is_named_by_its_order_and_its_name_together() {
    let iis = (Some("IIS"), Verdict::Consistent);
    let file = "Content-Type: text/html\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\nAccept-Ranges: bytes\n\
                ETag: \"1\"\nServer: Microsoft-IIS/10.0\nX-Powered-By: ASP.NET\n\
                Date: Thu, 01 Jan 2026 00:00:00 GMT\nContent-Length: 3\n";
    let page = "Cache-Control: private\nContent-Type: text/html; charset=utf-8\nServer: Microsoft-IIS/8.5\n\
                X-AspNet-Version: 4.0.30319\nX-Powered-By: ASP.NET\nDate: Thu, 01 Jan 2026 00:00:00 GMT\n\
                Content-Length: 3\n";
    assert_eq!(answer(file), iis);
    assert_eq!(answer(page), iis);

    let of_another_name = file.replace("Microsoft-IIS/10.0", "Own/1");
    assert_ne!(answer(&of_another_name).0, iis.0);
    let of_another_order = "Server: Microsoft-IIS/10.0\nDate: Thu, 01 Jan 2026 00:00:00 GMT\n\
                            Content-Type: text/html\nContent-Length: 3\n";
    assert_ne!(answer(of_another_order).0, iis.0);
}

#[test]
fn the_edge_of_cloudflare_is_named_and_not_the_server_behind_it() {
    for last in ["CF-RAY: 1-AMS\nServer: cloudflare\n", "Server: cloudflare\nCF-RAY: 1-AMS\n"] {
        let fields = format!("Date: Thu, 01 Jan 2026 00:00:00 GMT\nContent-Type: text/html\n{last}");
        assert_eq!(answer(&fields), (Some("Cloudflare"), Verdict::Consistent), "{last}");
    }
}
