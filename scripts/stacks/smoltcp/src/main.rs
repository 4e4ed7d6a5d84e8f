//! Opens one TCP connection, or accepts them, with smoltcp on a tap device.

use std::error::Error;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant as Clock};

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{Medium, TunTapInterface, wait};
use smoltcp::socket::tcp;
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, IpAddress, IpCidr};

const USAGE: &str =
    "usage: record-smoltcp TAP OWN-IPV4 OWN-IPV6 connect|serve ADDRESS PORT RECEIVE-BUFFER TIMESTAMPS(0|1)";

/// How long a connection stays open.
const OPEN: Duration = Duration::from_millis(100);
/// As `OPEN`, and what the last packets of a connection take.
const DONE: Duration = Duration::from_millis(400);
const LOCAL_PORT: u16 = 49_500;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, tap, own4, own6, role, address, port, receive_buffer, timestamps] = &arguments[..] else {
        return Err(USAGE.into());
    };
    let is_client = role == "connect";
    let address: IpAddress = address.parse().map_err(|()| USAGE)?;
    let port: u16 = port.parse()?;
    let own: Vec<IpCidr> =
        [own4, own6].into_iter().map(|own| own.parse()).collect::<Result<_, _>>().map_err(|()| USAGE)?;

    let mut device = TunTapInterface::new(tap, Medium::Ethernet)?;
    let mut config = Config::new(EthernetAddress([2, 0, 0, 0, 0, 2]).into());
    config.random_seed = Clock::now().elapsed().as_nanos() as u64 ^ u64::from(std::process::id());
    let mut interface = Interface::new(config, &mut device, Instant::now());
    interface.update_ip_addrs(|addresses| {
        for own in own {
            let _ = addresses.push(own);
        }
    });

    let buffer = |len: usize| tcp::SocketBuffer::new(vec![0; len]);
    let mut socket = tcp::Socket::new(buffer(receive_buffer.parse()?), buffer(4096));
    if timestamps == "1" {
        socket.set_tsval_generator(Some(|| Instant::now().total_millis() as u32));
    }
    if is_client {
        socket.connect(interface.context(), (address, port), LOCAL_PORT)?;
    } else {
        socket.listen(port)?;
    }
    let mut sockets = SocketSet::new(Vec::new());
    let handle: SocketHandle = sockets.add(socket);

    let mut opened: Option<Clock> = None;
    loop {
        interface.poll(Instant::now(), &mut device, &mut sockets);
        let socket = sockets.get_mut::<tcp::Socket>(handle);
        if opened.is_none() && socket.may_send() {
            opened = Some(Clock::now());
        }
        if opened.is_some_and(|opened| opened.elapsed() > OPEN) {
            socket.close();
        }
        if is_client && opened.is_some_and(|opened| opened.elapsed() > DONE) {
            return Ok(());
        }
        if !is_client && !socket.is_open() {
            socket.listen(port)?;
            opened = None;
        }
        wait(device.as_raw_fd(), Some(smoltcp::time::Duration::from_millis(10)))?;
    }
}
