//! Interfaces of this machine.

use core::net::IpAddr;
use std::io;
use std::os::fd::AsFd;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use rustix::net::netdevice::name_to_index;
use rustix::net::{AddressFamily, SocketType, socket};

use crate::sys::hardware_type;
use crate::{Error, Framing};

/// An interface, as the kernel lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// For example `eth0`.
    pub name: String,
    /// Number of the interface, from 1.
    pub index: u32,
    /// Type of its link (`ARPHRD_`).
    pub hardware_type: u16,
    /// What its frames start with.
    pub framing: Framing,
    /// Whether it has been switched on.
    pub is_up: bool,
    /// Whether it can carry packets: it is on, and a cable or a peer is there.
    pub is_running: bool,
    /// Whether it leads back to this machine.
    pub is_loopback: bool,
    /// Its addresses, in the order of the kernel.
    pub addresses: Vec<IpAddr>,
}

impl Interface {
    fn of(name: String, index: u32, hardware_type: u16, flags: InterfaceFlags) -> Self {
        Self {
            name,
            index,
            hardware_type,
            framing: Framing::of(hardware_type),
            is_up: flags.contains(InterfaceFlags::IFF_UP),
            is_running: flags.contains(InterfaceFlags::IFF_RUNNING),
            is_loopback: flags.contains(InterfaceFlags::IFF_LOOPBACK),
            addresses: Vec::new(),
        }
    }
}

/// The interfaces of this machine, by number. It takes no privilege to list them.
///
/// # Errors
/// The kernel does not list them.
pub fn interfaces() -> Result<Vec<Interface>, Error> {
    let mut found: Vec<Interface> = Vec::new();
    let mut addresses = Vec::new();
    let entries =
        getifaddrs().map_err(|error| Error::Os { doing: "listing interfaces", error: error.into() })?;
    for entry in entries {
        let Some(address) = entry.address else {
            // The link has no address, as those of tunnels. One that has gone meanwhile is left out.
            found.extend(without_address(entry.interface_name, entry.flags).ok());
            continue;
        };
        if let Some(link) = address.as_link_addr() {
            let index = u32::try_from(link.ifindex()).unwrap_or_default();
            found.push(Interface::of(entry.interface_name, index, link.hatype(), entry.flags));
        } else if let Some(address) = address.as_sockaddr_in() {
            addresses.push((entry.interface_name, IpAddr::V4(address.ip())));
        } else if let Some(address) = address.as_sockaddr_in6() {
            addresses.push((entry.interface_name, IpAddr::V6(address.ip())));
        }
    }
    for (name, address) in addresses {
        // An address may be listed under an alias (`eth0:1`) of the interface.
        let name = name.split_once(':').map_or(name.as_str(), |(name, _)| name);
        if let Some(interface) = found.iter_mut().find(|interface| interface.name == name) {
            interface.addresses.push(address);
        }
    }
    found.sort_by_key(|interface| interface.index);
    Ok(found)
}

/// An interface that the kernel lists by nothing but its name.
fn without_address(name: String, flags: InterfaceFlags) -> io::Result<Interface> {
    let socket = socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    let (index, kind) = (name_to_index(&socket, &name)?, hardware_type(socket.as_fd(), &name)?);
    Ok(Interface::of(name, index, kind, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_has_a_loopback_interface() {
        let interfaces = interfaces().unwrap();
        let loopback = interfaces.iter().find(|interface| interface.is_loopback).unwrap();
        assert_eq!((loopback.framing, loopback.index), (Framing::Ethernet, 1));
    }
}
