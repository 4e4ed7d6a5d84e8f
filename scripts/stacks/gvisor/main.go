// Opens one TCP connection, or accepts them, with the network stack of gVisor on a tap device.
package main

import (
	"context"
	"log"
	"net/netip"
	"os"
	"strconv"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/link/tun"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
)

const usage = "usage: gvisor TAP OWN-IPV4 OWN-IPV6 connect ADDRESS PORT | serve ADDRESS PORT"

const nic = 1

func main() {
	log.SetFlags(0)
	if len(os.Args) != 7 {
		log.Fatal(usage)
	}
	device, own4, own6, role := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	address := netip.MustParseAddr(os.Args[5])
	port, err := strconv.ParseUint(os.Args[6], 10, 16)
	if err != nil {
		log.Fatal(usage)
	}

	netstack := newStack(device, netip.MustParsePrefix(own4), netip.MustParsePrefix(own6))
	there := tcpip.FullAddress{NIC: nic, Addr: tcpip.AddrFromSlice(address.AsSlice()), Port: uint16(port)}
	network := ipv4.ProtocolNumber
	if address.Is6() {
		network = ipv6.ProtocolNumber
	}
	switch role {
	case "connect":
		connection, err := gonet.DialContextTCP(context.Background(), netstack, there, network)
		if err != nil {
			log.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		connection.Close()
		time.Sleep(200 * time.Millisecond)
	case "serve":
		listener, err := gonet.ListenTCP(netstack, there, network)
		if err != nil {
			log.Fatal(err)
		}
		for {
			connection, err := listener.Accept()
			if err != nil {
				log.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
			connection.Close()
		}
	default:
		log.Fatal(usage)
	}
}

func newStack(device string, own4, own6 netip.Prefix) *stack.Stack {
	tap, err := tun.OpenTAP(device)
	if err != nil {
		log.Fatal(err)
	}
	link, err := fdbased.New(&fdbased.Options{
		FDs:            []int{tap},
		MTU:            1500,
		EthernetHeader: true,
		Address:        tcpip.LinkAddress("\x02\x00\x00\x00\x00\x02"),
	})
	if err != nil {
		log.Fatal(err)
	}
	netstack := stack.New(stack.Options{
		NetworkProtocols: []stack.NetworkProtocolFactory{
			arp.NewProtocol, ipv4.NewProtocol, ipv6.NewProtocol,
		},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol},
	})
	// As runsc and Tailscale do; the library itself starts without.
	sack := tcpip.TCPSACKEnabled(true)
	check(netstack.SetTransportProtocolOption(tcp.ProtocolNumber, &sack))
	check(netstack.CreateNIC(nic, link))
	for _, own := range []netip.Prefix{own4, own6} {
		protocol := ipv4.ProtocolNumber
		route := header.IPv4EmptySubnet
		if own.Addr().Is6() {
			protocol, route = ipv6.ProtocolNumber, header.IPv6EmptySubnet
		}
		check(netstack.AddProtocolAddress(nic, tcpip.ProtocolAddress{
			Protocol: protocol,
			AddressWithPrefix: tcpip.AddressWithPrefix{
				Address:   tcpip.AddrFromSlice(own.Addr().AsSlice()),
				PrefixLen: own.Bits(),
			},
		}, stack.AddressProperties{}))
		netstack.AddRoute(tcpip.Route{Destination: route, NIC: nic})
	}
	return netstack
}

func check(err tcpip.Error) {
	if err != nil {
		log.Fatal(err)
	}
}
