//! `--metrics`: the counters of a run over HTTP, for Prometheus.

mod exposition;

use core::time::Duration;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use huginn_net::Progress;
use huginn_net::http::{Http1Error, Http1Limits, Http1Request, Http1Scanner};

use crate::lock;
use crate::totals::Totals;

/// The counters as they were told last.
#[derive(Clone, Default)]
pub(super) struct Counters(Arc<Mutex<Totals>>);

impl Counters {
    /// Tells what has been counted since the run began.
    pub(super) fn set(&self, totals: Totals) {
        *lock(&self.0) = totals;
    }

    fn text(&self) -> String {
        exposition::text(&lock(&self.0))
    }
}

/// A server that answers one connection after the other, with one response each.
pub(super) struct Server {
    listener: TcpListener,
    /// How long a connection may take, so that the next one gets its turn.
    patience: Duration,
}

/// More than any client needs for a request of one packet and a response of a few.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of a request that are read, or thrown away behind one that is refused.
const MAX_REQUEST: usize = 8 * 1_024;

/// How long to wait when no connection can be accepted: for lack of descriptors, which takes time to mend.
const PAUSE: Duration = Duration::from_millis(100);

impl Server {
    /// Listens, and leaves connections waiting until it [serves](Self::serve) them.
    pub(super) fn bind(address: SocketAddr) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address)?, patience: PATIENCE })
    }

    /// Where it listens, with the port that the system chose if it was to choose one.
    pub(super) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers in a thread of its own, for as long as the process runs.
    pub(super) fn serve(self, counters: Counters) -> io::Result<()> {
        thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            for connection in self.listener.incoming() {
                let Ok(stream) = connection else {
                    thread::sleep(PAUSE);
                    continue;
                };
                // What goes wrong here is known to the client, and of no interest to others.
                let _ = Connection::new(stream, self.patience).answer(&counters);
            }
        })?;
        Ok(())
    }
}

/// A connection with a client that may be slow, silent, or no client of HTTP.
struct Connection {
    stream: TcpStream,
    ends_at: Instant,
}

/// A response that has no counters: its status (RFC 9110 §15, RFC 6585 §5) and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refusal {
    status: &'static str,
    /// A further field, with its end of line.
    field: &'static str,
    text: &'static str,
}

impl Refusal {
    const BAD_REQUEST: Self = Self::new("400 Bad Request", "this is no request of HTTP/1\n");
    const NOT_FOUND: Self = Self::new("404 Not Found", "the counters are at /metrics\n");
    const METHOD: Self = Self {
        field: "Allow: GET, HEAD\r\n",
        ..Self::new("405 Method Not Allowed", "the counters can only be read\n")
    };
    const TIMEOUT: Self = Self::new("408 Request Timeout", "the request took too long\n");
    const TOO_LARGE: Self = Self::new("431 Request Header Fields Too Large", "the request is too long\n");

    const fn new(status: &'static str, text: &'static str) -> Self {
        Self { status, field: "", text }
    }
}

impl Connection {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, ends_at: Instant::now() + patience }
    }

    /// Reads a request, and answers it.
    fn answer(mut self, counters: &Counters) -> io::Result<()> {
        match self.read_request()? {
            Ok(with_body) => {
                let body = counters.text();
                let body_sent = if with_body { body.as_str() } else { "" };
                self.write(&format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
                     Content-Length: {}\r\nConnection: close\r\n\r\n{body_sent}",
                    body.len()
                ))?;
                self.stream.shutdown(Shutdown::Write)
            }
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Whether the counters are wanted with their text, or only the head of the response.
    fn read_request(&mut self) -> io::Result<Result<bool, Refusal>> {
        let limits = Http1Limits::default().with_max_head_bytes(MAX_REQUEST);
        let mut scanner = Http1Scanner::request(limits);
        let mut head = Vec::new();
        loop {
            let mut buffer = [0; 1_024];
            let len = match self.read(&mut buffer) {
                Ok(0) => return Ok(Err(Refusal::BAD_REQUEST)),
                Ok(len) => len,
                Err(error) if is_timeout(&error) => return Ok(Err(Refusal::TIMEOUT)),
                Err(error) => return Err(error),
            };
            head.extend(buffer.iter().take(len));
            match scanner.scan(&head) {
                Ok(Progress::Done(_)) => return Ok(wanted(&head, limits)),
                Ok(Progress::NeedMore) => {}
                Err(error) => return Ok(Err(refusal_of(error))),
            }
        }
    }

    /// Sends a refusal, which the client gets although it may not have read everything: closing a connection with bytes
    /// that were not read resets it (RFC 1122 §4.2.2.13).
    fn refuse(mut self, Refusal { status, field, text }: Refusal) -> io::Result<()> {
        // A request that was late has used up its time.
        self.ends_at = self.ends_at.max(Instant::now() + PAUSE);
        self.write(&format!(
            "HTTP/1.1 {status}\r\n{field}Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{text}",
            text.len()
        ))?;
        self.stream.shutdown(Shutdown::Write)?;
        let mut left = MAX_REQUEST;
        while left > 0 {
            let len = self.read(&mut [0; 1_024])?;
            if len == 0 {
                break;
            }
            left = left.saturating_sub(len);
        }
        Ok(())
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            self.stream.set_read_timeout(Some(self.left()?))?;
            match self.stream.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let mut bytes = text.as_bytes();
        while !bytes.is_empty() {
            self.stream.set_write_timeout(Some(self.left()?))?;
            match self.stream.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(len) => bytes = bytes.get(len..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The time that is left, which is not zero.
    fn left(&self) -> io::Result<Duration> {
        let left = self.ends_at.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

/// What a request asks for: whether with a body.
fn wanted(head: &[u8], limits: Http1Limits) -> Result<bool, Refusal> {
    let request = match Http1Request::parse_within(head, limits) {
        Ok(Progress::Done(request)) => request,
        Ok(Progress::NeedMore) => return Err(Refusal::BAD_REQUEST),
        Err(error) => return Err(refusal_of(error)),
    };
    let path = request.target().split(|&byte| byte == b'?').next();
    if path != Some(b"/metrics") {
        return Err(Refusal::NOT_FOUND);
    }
    match request.method() {
        b"GET" => Ok(true),
        b"HEAD" => Ok(false),
        _ => Err(Refusal::METHOD),
    }
}

fn refusal_of(error: Http1Error) -> Refusal {
    match error {
        Http1Error::Limit { .. } => Refusal::TOO_LARGE,
        _ => Refusal::BAD_REQUEST,
    }
}

/// Whether the time is over, which systems call by either name.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long enough for clients of any machine.
    const LONG: Duration = Duration::from_secs(600);

    /// Starts a server whose connections may take so long.
    fn start(patience: Duration) -> (SocketAddr, Counters) {
        let mut server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        server.patience = patience;
        let (address, counters) = (server.address().unwrap(), Counters::default());
        server.serve(counters.clone()).unwrap();
        (address, counters)
    }

    /// What the server answers to these bytes, in two pieces: head and body.
    fn ask(address: SocketAddr, bytes: &[u8]) -> (String, String) {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(bytes).unwrap();
        hear(stream)
    }

    fn hear(mut stream: TcpStream) -> (String, String) {
        let mut response = Vec::new();
        // To who is late, a connection that has been answered and closed ends with an error behind the answer.
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8(response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
        (head.to_owned(), body.to_owned())
    }

    #[test]
    fn the_latest_counters_are_served_with_their_type_and_length() {
        let (address, counters) = start(LONG);
        for packets in [0, 5] {
            let mut totals = Totals::default();
            totals.packets = packets;
            counters.set(totals);
            let (head, body) = ask(address, b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
            assert_eq!(
                head,
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
                     Content-Length: {}\r\nConnection: close",
                    body.len()
                )
            );
            assert!(body.contains(&format!("\nhuginn_packets_total {packets}\n")), "{body}");
        }
    }

    #[test]
    fn a_query_changes_nothing_and_head_leaves_out_the_body() {
        let (address, _) = start(LONG);
        let (_, body) = ask(address, b"GET /metrics?name=x HTTP/1.0\r\n\r\n");
        assert!(body.contains("huginn_packets_total 0"));
        let (head, nothing) = ask(address, b"HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{head}");
        assert_eq!(nothing, "");
    }

    #[test]
    fn what_is_no_request_for_counters_is_refused_with_the_status_that_says_why() {
        let (address, _) = start(LONG);
        for (bytes, status) in [
            (&b"GET / HTTP/1.1\r\n\r\n"[..], "404 Not Found"),
            (b"GET /metrics/x HTTP/1.1\r\n\r\n", "404 Not Found"),
            (b"POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\na=b", "405 Method Not Allowed"),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400 Bad Request"),
        ] {
            let (head, body) = ask(address, bytes);
            assert!(head.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{head}");
            assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{head}");
            assert_eq!(head.contains("\r\nAllow: GET, HEAD\r\n"), status.starts_with("405"), "{head}");
        }
    }

    #[test]
    fn refuses_request_longer_than_its_limit() {
        let (address, _) = start(LONG);
        let of_length = |len: usize| {
            let mut request = b"GET /metrics HTTP/1.1\r\n".to_vec();
            while request.len() + 100 < len {
                request.extend(b"X: ");
                request.resize(request.len() + 95, b'x');
                request.extend(b"\r\n");
            }
            request.extend(b"X: ");
            request.resize(len - 4, b'x');
            request.extend(b"\r\n\r\n");
            request
        };
        let (head, _) = ask(address, &of_length(MAX_REQUEST));
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let (head, _) = ask(address, &of_length(MAX_REQUEST + 1));
        assert!(head.starts_with("HTTP/1.1 431 "), "{head}");
    }

    #[test]
    fn who_never_ends_a_request_is_refused_and_the_next_one_is_served() {
        let (address, _) = start(Duration::from_millis(50));
        let silent = TcpStream::connect(address).unwrap();
        let mut begun = TcpStream::connect(address).unwrap();
        begun.write_all(b"GET /metrics HTTP/1.1\r\nHost:").unwrap();
        for stream in [silent, begun] {
            let (head, _) = hear(stream);
            assert!(head.starts_with("HTTP/1.1 408 "), "{head}");
        }
        // On a machine with much to do, a client may be as late without meaning it.
        let is_served =
            || ask(address, b"GET /metrics HTTP/1.1\r\n\r\n").1.contains("huginn_packets_total 0");
        assert!((0..100).any(|_| is_served()));
    }

    #[test]
    fn who_goes_away_leaves_the_next_one_to_be_served() {
        let (address, _) = start(LONG);
        drop(TcpStream::connect(address).unwrap());
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        drop(stream);
        let (_, body) = ask(address, b"GET /metrics HTTP/1.1\r\n\r\n");
        assert!(body.contains("huginn_packets_total 0"));
    }
}
