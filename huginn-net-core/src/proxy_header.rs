//! What proxies write before the bytes of their clients.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::{Progress, Reader, Truncated};

/// A header of the PROXY protocol: for whom a proxy has opened a connection.
///
/// It stands before the first byte of the client, often in the same segment.
///
/// ```
/// use huginn_net_core::{Progress, ProxyHeader};
///
/// let bytes = b"PROXY TCP4 192.0.2.1 198.51.100.2 40000 80\r\nGET / HTTP/1.1\r\n";
/// let Some(Progress::Done(header)) = ProxyHeader::parse(bytes) else { panic!() };
/// assert_eq!(header.source.unwrap().to_string(), "192.0.2.1:40000");
/// assert!(bytes[header.length..].starts_with(b"GET"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProxyHeader {
    /// Whether it is of version 2, in binary, and not of version 1, in text.
    pub is_binary: bool,
    /// The client. `None` if the proxy speaks for itself, or does not know.
    pub source: Option<SocketAddr>,
    /// What the client has connected to.
    pub destination: Option<SocketAddr>,
    /// In bytes.
    pub length: usize,
}

/// Longest header in text, its line end included.
const MAX_TEXT: usize = 107;
/// Longest content of a header in binary; the format allows 65,535.
const MAX_CONTENT: usize = 2_048;
const TEXT: &[u8] = b"PROXY ";
const BINARY: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

impl ProxyHeader {
    /// Whether bytes begin like one: as nothing else does.
    #[inline]
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(TEXT) || bytes.starts_with(BINARY)
    }

    /// Reads the one that bytes begin with. `None` if they do not.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Progress<Self>> {
        if bytes.starts_with(TEXT) {
            Self::of_text(bytes)
        } else if bytes.starts_with(BINARY) {
            Self::of_binary(bytes).unwrap_or(Some(Progress::NeedMore))
        } else {
            (TEXT.starts_with(bytes) || BINARY.starts_with(bytes)).then_some(Progress::NeedMore)
        }
    }

    /// `PROXY TCP4 source destination port port`, or `PROXY UNKNOWN` and anything, which means nothing.
    fn of_text(bytes: &[u8]) -> Option<Progress<Self>> {
        let line = bytes.get(..MAX_TEXT).unwrap_or(bytes);
        let Some(end) = line.windows(2).position(|window| window == b"\r\n") else {
            return (line.len() < MAX_TEXT).then_some(Progress::NeedMore);
        };
        let mut words = line.get(..end).unwrap_or_default().split(|&byte| byte == b' ').skip(1);
        let mut word = || core::str::from_utf8(words.next()?).ok();
        let protocol = word();
        let (source, destination) = (word(), word());
        let (source_port, destination_port) = (word(), word());
        let endpoint = |address: Option<&str>, port: Option<&str>| {
            let address = match protocol? {
                "TCP4" => IpAddr::V4(address?.parse().ok()?),
                "TCP6" => IpAddr::V6(address?.parse().ok()?),
                _ => return None,
            };
            Some(SocketAddr::new(address, port?.parse().ok()?))
        };
        Some(Progress::Done(Self {
            is_binary: false,
            source: endpoint(source, source_port),
            destination: endpoint(destination, destination_port),
            length: end + 2,
        }))
    }

    /// Signature, version and command, family, length, addresses, and more that is passed over.
    fn of_binary(bytes: &[u8]) -> Result<Option<Progress<Self>>, Truncated> {
        const LOCAL: u8 = 0x20;
        const PROXY: u8 = 0x21;
        let mut reader = Reader::at(bytes, BINARY.len());
        let command = reader.u8("command")?;
        if !matches!(command, LOCAL | PROXY) {
            return Ok(None);
        }
        let family = reader.u8("family")?;
        let length = usize::from(reader.u16("length")?);
        if length > MAX_CONTENT {
            return Ok(None);
        }
        let mut content = Reader::new(reader.take(length, "content")?);
        let addresses = match (command, family >> 4) {
            (PROXY, 1) => endpoints::<4>(&mut content, |octets| Ipv4Addr::from(octets).into()),
            (PROXY, 2) => endpoints::<16>(&mut content, |octets| Ipv6Addr::from(octets).into()),
            _ => None,
        };
        Ok(Some(Progress::Done(Self {
            is_binary: true,
            source: addresses.map(|(source, _)| source),
            destination: addresses.map(|(_, destination)| destination),
            length: reader.position(),
        })))
    }
}

/// Two addresses, then two ports.
fn endpoints<const N: usize>(
    content: &mut Reader<'_>,
    address: impl Fn([u8; N]) -> IpAddr,
) -> Option<(SocketAddr, SocketAddr)> {
    let [source, destination] = [content.array("source").ok()?, content.array("destination").ok()?];
    let [from, to] = [content.u16("source port").ok()?, content.u16("destination port").ok()?];
    Some((SocketAddr::new(address(source), from), SocketAddr::new(address(destination), to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [&[u8]; 2] = [
        b"PROXY TCP6 2001:db8::1 2001:db8::2 40000 80\r\n",
        b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0e\xc0\0\x02\x01\xc6\x33\x64\x02\x9c\x40\0\x50\x04\0",
    ];

    /// Source, destination and length.
    type Told = (Option<String>, Option<String>, usize);

    fn parsed(bytes: &[u8]) -> Option<Progress<Told>> {
        let text = |address: Option<SocketAddr>| address.map(|address| address.to_string());
        let told = |header: ProxyHeader| (text(header.source), text(header.destination), header.length);
        Some(ProxyHeader::parse(bytes)?.map(told))
    }

    #[test]
    fn both_versions_tell_client_and_server_and_where_they_end() {
        let told = |source: &str, destination: &str, length| {
            Some(Progress::Done((Some(source.to_owned()), Some(destination.to_owned()), length)))
        };
        let [text, binary] = BOTH.map(|header| parsed(&[header, b"GET /"].concat()));
        assert_eq!(text, told("[2001:db8::1]:40000", "[2001:db8::2]:80", 45));
        assert_eq!(binary, told("192.0.2.1:40000", "198.51.100.2:80", 30));
        assert_eq!(BOTH.map(ProxyHeader::begins), [true; 2]);
    }

    #[test]
    fn of_a_cut_header_more_is_needed() {
        for header in BOTH {
            for cut in 0..header.len() {
                assert_eq!(parsed(&header[..cut]), Some(Progress::NeedMore), "{cut}");
            }
        }
    }

    #[test]
    fn a_proxy_that_speaks_for_itself_names_nobody() {
        let nobody = |length| Some(Progress::Done((None, None, length)));
        assert_eq!(parsed(b"PROXY UNKNOWN\r\n"), nobody(15));
        assert_eq!(parsed(b"PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n"), nobody(40));
        assert_eq!(parsed(b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"), nobody(16));
    }

    #[test]
    fn what_is_too_long_or_begins_otherwise_is_none() {
        assert_eq!(parsed(&[TEXT, &[b'a'; MAX_TEXT]].concat()), None);
        assert_eq!(parsed(b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x08\x01"), None);
        assert_eq!(parsed(b"\r\n\r\n\0\r\nQUIT\n\x31\x11\0\0"), None);
        assert_eq!(parsed(b"PROPFIND / HTTP/1.1\r\n"), None);
        assert_eq!(parsed(b"\r\nGET / HTTP/1.1\r\n"), None);
    }
}
