use huginn_net_db::{Channel, Database};
use crate::stream::connections;

#[test]
fn dump() {
    let db = Database::bundled();
    for file in ["real/http_clients.pcap", "real/browsers_lo.pcap", "real/browsers_net.pcap", "real/http_servers.pcap"] {
        for c in connections(file) {
            for r in c.requests() {
                let j = db.judge_request(&r, Channel::Cleartext);
                println!("{file} {} REQ {} | {} | {:?} {} {:?} {:?}", c.server_port, String::from_utf8_lossy(r.method()), r.signature().unwrap(),
                    j.found.map(|f| (f.record.label.to_string(), f.quality.name(), f.score.to_string(), f.alternatives().map(|(r,s)| format!("{} {s}", r.label)).collect::<Vec<_>>())), j.verdict, j.reasons().collect::<Vec<_>>(), j.flags().collect::<Vec<_>>());
                println!("   {}", r.bytes().escape_ascii());
            }
            if let Some(r) = c.response() {
                let j = db.judge_response(&r);
                println!("{file} {} RES {:?} | {} | {:?} {} {:?} {:?}", c.server_port, r.status(), r.signature().unwrap(),
                    j.found.map(|f| (f.record.label.to_string(), f.quality.name(), f.score.to_string(), f.alternatives().map(|(r,s)| format!("{} {s}", r.label)).collect::<Vec<_>>())), j.verdict, j.reasons().collect::<Vec<_>>(), j.flags().collect::<Vec<_>>());
            } else { println!("{file} {} no response", c.server_port); }
        }
    }
}
