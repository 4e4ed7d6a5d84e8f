//! What is remembered and must not be taken for something that is nearly alike.

use testkit::capture::Capture;
use testkit::encap::link::{self, link_type};
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};

/// Heads that differ in little that matters, each of them so often that it is remembered.
pub(crate) fn heads() -> Vec<(bool, &'static [u8])> {
    const BROWSERS: [&[u8]; 4] = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) \
          AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\nAccept: */*\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) \
          AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\nAccept: */*\r\n\r\n",
        b"GET / HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) \
          AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\nAccept: */*\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) \
          AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12.0.0.0 Safari/537.36\r\nAccept: */*\r\n\r\n",
    ];
    const SERVERS: [&[u8]; 4] = [
        b"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Length: 1\r\nX-A: 1\r\n\r\na",
        b"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Length: 12\r\nX-A: 23\r\n\r\n0123456789ab",
        b"HTTP/1.1 404 No\r\nServer: Apache\r\nContent-Length: 0\r\nX-A: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Length: 1\r\nx-a: 1\r\n\r\na",
    ];
    let exchanges = BROWSERS.into_iter().zip(SERVERS).cycle().take(16);
    exchanges.flat_map(|(request, response)| [(true, request), (false, response)]).collect()
}

/// SYNs that differ in a number of their options, or in one of their headers.
pub(crate) fn syns() -> Capture {
    use TcpOption::{Mss, Nop, SackPermitted, Timestamps, WindowScale};
    let linux =
        |mss, own, peer, scale| vec![Mss(mss), SackPermitted, Timestamps(own, peer), Nop, WindowScale(scale)];
    let freebsd = |mss, scale| vec![Mss(mss), Nop, WindowScale(scale), SackPermitted, Timestamps(7, 0)];
    let windows = |mss, scale| vec![Mss(mss), Nop, WindowScale(scale), Nop, Nop, SackPermitted];
    let options = [
        vec![],
        vec![Mss(1_460)],
        vec![Mss(1_400)],
        linux(1_460, 7, 0, 7),
        linux(1_460, 0, 0, 7),
        linux(1_460, 7, 9, 7),
        linux(1_460, 7, 0, 8),
        linux(1_400, 7, 0, 7),
        freebsd(1_460, 7),
        freebsd(1_460, 6),
        freebsd(1_400, 7),
        windows(1_460, 8),
        windows(1_460, 7),
        windows(1_400, 8),
    ];
    let ip = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let frames = (40_000_u16..).zip(options.iter().cycle()).take(2 * options.len()).map(|(port, options)| {
        let segment =
            Tcp::new(port, 80).sequence(5).flags(flags::SYN).window(64_240).options(options.clone());
        link::ethernet(&ip.tcp(&segment))
    });
    Capture::of_frames(link_type::ETHERNET, frames.collect::<Vec<_>>())
}
