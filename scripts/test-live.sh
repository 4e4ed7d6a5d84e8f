#!/usr/bin/env bash
# Captures live in network namespaces, and holds the events against those of tcpdump's capture of the same packets.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: test-live.sh [-h] [-l] [-i] [-p PACKETS] [CASE...]

Everything happens between two network namespaces made for it, joined by a veth pair and by nothing else: no packet comes
from or goes to the network of this machine, and none of its settings change.

  CASE         what to test; all if none is given

  -h           print this text
  -l           list the cases
  -i           install what is missing of the programs it runs, as packages of Debian. Of the servers among them, the
               system may start what is set up with them
  -p PACKETS   how many packets the case replay sends in each of its runs, 20000 if not said: figures worth keeping take
               200000 and a release build

Needs root, and a kernel with network namespaces and veth; without them it says so and succeeds, as there is nothing to be
tested. The command is the one that HUGINN names, or is built.
TEXT
}

# The functions case_NAME below.
CASES=(events fanout jobs filter vlan tunnel loopback interfaces stop limits signals drain pipes privileges metrics refusal outage removal partial_removal starvation slowness replay)

# Programs it takes, with the packages of Debian that have them.
TOOLS=(ip:iproute2 ss:iproute2 tcpdump:tcpdump tcpreplay:tcpreplay python3:python3 curl:curl wget:wget openssl:openssl
    nginx:nginx-light gtlsclient:ngtcp2-client gtlsserver:ngtcp2-server setpriv:util-linux setcap:libcap2-bin)

CLIENT_NS="huginn-live-a-$$"
SERVER_NS="huginn-live-b-$$"
CLIENT4=10.9.0.1 SERVER4=10.9.0.2
CLIENT6=fd00::1 SERVER6=fd00::2
CLIENT_MAC=02:00:00:00:00:01 SERVER_MAC=02:00:00:00:00:02

ROOT=$(cd "$(dirname "$0")/.." && pwd)
WORK=
HUGINN=${HUGINN:-}
REPLAYED=20000
# Servers, and what rustup installs, are not where everybody looks for programs.
PATH=$PATH:/usr/sbin:${CARGO_HOME:-${HOME-}/.cargo}/bin

note() { printf '%s\n' "$*" >&2; }

die() {
    note "test-live.sh: $*"
    exit 1
}

nothing_to_test() {
    note "test-live.sh: skipped, $*"
    exit 0
}

in_client() { ip netns exec "$CLIENT_NS" "$@"; }
in_server() { ip netns exec "$SERVER_NS" "$@"; }

wait_for() {
    local what=$1
    shift
    for _ in {1..200}; do
        if "$@"; then
            return
        fi
        sleep 0.05
    done
    die "waited 10 seconds in vain until $what"
}

# --- the two namespaces -------------------------------------------------------------------------------

make_network() {
    ip netns add "$CLIENT_NS" 2>/dev/null || nothing_to_test "no network namespaces here"
    ip netns add "$SERVER_NS"
    ip -n "$CLIENT_NS" link add c0 address "$CLIENT_MAC" type veth \
        peer name s0 address "$SERVER_MAC" netns "$SERVER_NS" 2>/dev/null || nothing_to_test "no veth here"
    local namespace link address4 address6
    while read -r namespace link address4 address6; do
        ip -n "$namespace" link set lo up
        ip -n "$namespace" link set "$link" up
        ip -n "$namespace" address add "$address4/24" dev "$link"
        ip -n "$namespace" address add "$address6/64" dev "$link" nodad
    done <<LIST
$CLIENT_NS c0 $CLIENT4 $CLIENT6
$SERVER_NS s0 $SERVER4 $SERVER6
LIST
}

# add_link NUMBER: a further pair, on which nobody says anything unasked.
add_link() {
    ip -n "$CLIENT_NS" link add "c$1" type veth peer name "s$1" netns "$SERVER_NS"
    in_client sysctl -qw "net.ipv6.conf.c$1.disable_ipv6=1"
    in_server sysctl -qw "net.ipv6.conf.s$1.disable_ipv6=1"
    ip -n "$CLIENT_NS" link set "c$1" up
    ip -n "$SERVER_NS" link set "s$1" up
}

remove_network() {
    local namespace
    for namespace in "$CLIENT_NS" "$SERVER_NS"; do
        if [[ -e /run/netns/$namespace ]]; then
            ip netns delete "$namespace"
        fi
    done
}

# --- captures -----------------------------------------------------------------------------------------

LIVE=
DUMP=
BACKGROUND=()

# start_live OPTION...: records in live.jsonl, messages in live.log, until stop_live. SIGHUP ends it even where this script
# runs under nohup.
start_live() {
    rm -f "$WORK/live.jsonl" "$WORK/live.log"
    ip netns exec "$CLIENT_NS" env --default-signal=HUP "$HUGINN" live -v -o "json:$WORK/live.jsonl" "$@" 2>"$WORK/live.log" &
    LIVE=$!
    wait_for "the command captures" grep -sq '^capturing ' "$WORK/live.log"
}

# stop_live STATUS: interrupts it; it must end with that status.
stop_live() {
    # What was sent last is still on its way.
    sleep 0.2
    kill -INT "$LIVE"
    await_live "$1"
}

await_live() {
    local status=0
    wait "$LIVE" || status=$?
    LIVE=
    [[ $status == "$1" ]] || die "the command ended with $status instead of $1: $(cat "$WORK/live.log")"
}

# start_dump INTERFACE: what it carries until stop_dump.
start_dump() {
    ip netns exec "$CLIENT_NS" tcpdump -i "$1" --immediate-mode -U -s 262144 -w "$WORK/dump.pcap" \
        2>"$WORK/tcpdump.log" &
    DUMP=$!
    wait_for "tcpdump listens" grep -sq 'listening on' "$WORK/tcpdump.log"
}

# stop_dump [OPTION...]: its events in read.jsonl.
stop_dump() {
    sleep 0.2
    # Not INT: a shell without job control starts what runs in the background with that ignored.
    kill -TERM "$DUMP"
    wait "$DUMP" || true
    DUMP=
    "$HUGINN" read -q -o json "$@" "$WORK/dump.pcap" >"$WORK/read.jsonl"
}

# What talk brings about.
TALK=(tcp.syn tcp.syn_ack tls.client_hello tls.server_hello http.request http.response)

# events_are_equal DATASET...: live.jsonl and read.jsonl have the same events, and some of each kind.
events_are_equal() {
    python3 "$WORK/tools.py" compare "$WORK/live.jsonl" "$WORK/read.jsonl" "$@" || die "events differ"
}

count_syns() { grep -c '"event.dataset":"huginn.tcp.syn"' "$WORK/live.jsonl"; }

# stats KEY: a number of the last record of live.jsonl.
stats() { python3 "$WORK/tools.py" stats "$WORK/live.jsonl" "$1"; }

# --- traffic ------------------------------------------------------------------------------------------

start_servers() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=live.test \
        -keyout "$WORK/key.pem" -out "$WORK/cert.pem" 2>/dev/null
    local identity=(-key "$WORK/key.pem" -cert "$WORK/cert.pem" -quiet)
    # A closed standard input would end them.
    mkfifo "$WORK/silence"
    exec 9<>"$WORK/silence"
    in_server openssl s_server -accept 4433 -www "${identity[@]}" <&9 >/dev/null 2>&1 &
    BACKGROUND+=($!)
    in_server openssl s_server -dtls -accept 4434 "${identity[@]}" <&9 >/dev/null 2>&1 &
    BACKGROUND+=($!)
    in_server gtlsserver -q '*' 4435 "$WORK/key.pem" "$WORK/cert.pem" -d "$WORK/www" >/dev/null 2>&1 &
    BACKGROUND+=($!)
    in_server python3 -m http.server --bind :: 8080 >/dev/null 2>&1 &
    BACKGROUND+=($!)
    write_nginx_conf
    in_server nginx -p "$WORK" -c "$WORK/nginx.conf" 2>"$WORK/nginx.log" &
    BACKGROUND+=($!)
    wait_for "servers listen" listen
}

write_nginx_conf() {
    mkdir "$WORK/www"
    printf 'a page\n' >"$WORK/www/index.html"
    # Its workers go on as somebody else.
    cat >"$WORK/nginx.conf" <<CONF
daemon off;
user nobody nogroup;
worker_processes 1;
pid $WORK/nginx.pid;
error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path $WORK;
    proxy_temp_path $WORK;
    fastcgi_temp_path $WORK;
    uwsgi_temp_path $WORK;
    scgi_temp_path $WORK;
    server {
        listen [::]:8081 ipv6only=off;
        listen [::]:8443 ipv6only=off ssl http2;
        ssl_certificate $WORK/cert.pem;
        ssl_certificate_key $WORK/key.pem;
        root $WORK/www;
    }
}
CONF
}

listen() {
    local sockets port
    sockets=$(in_server ss -Hlntu)
    for port in 4433 4434 4435 8080 8081 8443; do
        [[ $sockets == *:"$port"* ]] || return 1
    done
}

# What becomes of the transfer is of no interest, and some of these servers end it in their own way.
fetch() { in_client curl -so /dev/null --max-time 5 "$@" || true; }
fetch_by_wget() { in_client wget -qO /dev/null --no-check-certificate --tries 1 --timeout 5 "$@" || true; }

# talk ROUNDS: programs of different stacks, over IPv4 and IPv6.
talk() {
    local round server
    for ((round = 0; round < $1; round++)); do
        for server in "$SERVER4" "[$SERVER6]"; do
            fetch -k "https://$server:4433/"
            fetch -k --tls-max 1.2 --no-alpn "https://$server:4433/"
            fetch "http://$server:8080/"
            fetch -k "https://$server:8443/"
            fetch_by_wget "http://$server:8081/"
            fetch_by_wget "https://$server:8443/"
            in_client timeout 5 gtlsclient -q --exit-on-all-streams-close "${server//[][]/}" 4435 \
                "https://$server:4435/index.html" >/dev/null 2>&1 || true
            in_client openssl s_client -connect "$server:4433" -servername "round$round.test" \
                </dev/null >/dev/null 2>&1 || true
            in_client timeout 5 openssl s_client -dtls -connect "$server:4434" </dev/null >/dev/null 2>&1 || true
        done
        in_client python3 "$WORK/tools.py" hello "$SERVER4" 4433
    done
}

write_tools() {
    cat >"$WORK/tools.py" <<'PYTHON'
import collections, fcntl, ipaddress, json, os, signal, socket, ssl, struct, sys, time

ETH_P_ALL = 3


def records(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def events(path):
    """What was seen, without where and when in the capture."""
    passing = {"@timestamp", "huginn.frame", "log.file.path"}
    found = collections.Counter()
    for record in records(path):
        if record["event.dataset"] not in ("huginn.input", "huginn.stats"):
            kept = {key: value for key, value in record.items() if key not in passing}
            found[json.dumps(kept, sort_keys=True)] += 1
    return found


def compare(left, right, *datasets):
    left, right = events(left), events(right)
    for name, missing in (("read", left - right), ("live", right - left)):
        for event in list(missing)[:5]:
            print(f"not in {name}: {event}", file=sys.stderr)
    counts = collections.Counter(json.loads(event)["event.dataset"] for event in left.elements())
    for dataset in datasets:
        if not counts[f"huginn.{dataset}"]:
            sys.exit(f"no {dataset} among {dict(counts)}")
    print("   ", ", ".join(f"{count} {name[7:]}" for name, count in sorted(counts.items())), file=sys.stderr)
    if left != right:
        sys.exit(1)


def stats(path, key):
    value = records(path)[-1]
    for part in key.split("/"):
        value = value[part]
    print(value)


def hello(address, port):
    """A hello of Python, in two segments."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname="python.test")
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    bytes = outgoing.read()
    with socket.create_connection((address, int(port))) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(bytes[:100])
        time.sleep(0.05)
        connection.sendall(bytes[100:])
        connection.recv(4096)


def checksum(bytes):
    total = sum(struct.unpack(f">{len(bytes) // 2}H", bytes))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def syn(source, destination, port, number):
    """IPv4 and TCP headers of a SYN."""
    addresses = ipaddress.ip_address(source).packed + ipaddress.ip_address(destination).packed
    options = bytes([2, 4, 5, 0xB4, 4, 2, 1, 1])
    header = struct.pack(">HHIIBBHHH", 1024 + port, 80, number, 0, 7 << 4, 2, 64240, 0, 0) + options
    total = 20 + len(header)
    start = struct.pack(">BBHHHBBH", 0x45, 0, total, port, 0x4000, 64, 6, 0) + addresses
    start = start[:10] + struct.pack(">H", checksum(start)) + start[12:]
    pseudo = addresses + struct.pack(">HH", 6, len(header))
    return start + header[:16] + struct.pack(">H", checksum(pseudo + header)) + header[18:]


def flood(interface, to, count, tag=0, first=0):
    """Sends SYNs, from number `first` on, from the other end of the link; `tag` is a VLAN, 0 for none."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as link:
        link.bind((interface, 0))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        ends = bytes.fromhex(to.replace(":", "")) + bytes.fromhex("020000000002")
        tag = struct.pack(">HH", 0x8100, int(tag)) if int(tag) else b""
        for number in range(int(first), int(first) + int(count)):
            # A port of each number up to 60,000, and then the next address.
            source = f"10.9.1.{1 + number // 60_000}"
            link.send(ends + tag + b"\x08\x00" + syn(source, "10.9.0.1", number % 60_000, number))


def go_down(interface, to, count):
    """Sends SYNs, and switches the interface off before anybody can have looked at them."""
    SIOCSIFFLAGS = 0x8914
    flood(interface, to, count)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", interface.encode(), 0))


def flood_and_interrupt(interface, to, count, process):
    """Sends SYNs, and signals to a process before it can have looked at them."""
    flood(interface, to, count)
    os.kill(int(process), signal.SIGINT)
    for _ in range(5):
        time.sleep(0.002)
        os.kill(int(process), signal.SIGUSR1)


def dawdle(address, port):
    """Begins a request of HTTP and never ends it, which is to be refused."""
    with socket.create_connection((address, int(port))) as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\n")
        response = connection.makefile("rb").read()
    if not response.startswith(b"HTTP/1.1 408 "):
        sys.exit(f"not refused: {response}")


def segment(source, destination, flags, number, acknowledged, payload=b"", options=b""):
    """IPv4 and TCP headers of a segment, and what it carries; ends are addresses with ports."""
    addresses = ipaddress.ip_address(source[0]).packed + ipaddress.ip_address(destination[0]).packed
    offset = (20 + len(options)) // 4 << 4
    header = struct.pack(">HHIIBBHHH", source[1], destination[1], number, acknowledged, offset, flags, 64240, 0, 0)
    header += options + payload
    start = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(header), 0, 0x4000, 64, 6, 0) + addresses
    start = start[:10] + struct.pack(">H", checksum(start)) + start[12:]
    padded = header + bytes(len(header) % 2)
    total = checksum(addresses + struct.pack(">HH", 6, len(header)) + padded)
    return start + header[:16] + struct.pack(">H", total) + header[18:]


def write_connections(path, packets, to):
    """A capture of connections with a hello, ten packets each: of them two with data of the client and four of the server."""
    SYN, ACK, FIN = 2, 16, 1
    context = ssl.create_default_context()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname="replay.test")
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = outgoing.read()
    options = bytes([2, 4, 5, 0xB4, 4, 2, 1, 1])
    ends = bytes.fromhex(to.replace(":", "")) + bytes.fromhex("020000000002") + b"\x08\x00"
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number in range(int(packets) // 10):
            client = (f"10.9.{16 + number // 60_000}.{1 + number % 200}", 1024 + number % 60_000)
            server = ("10.9.0.1", 443)
            data = 1 + len(hello)
            for packet in (
                segment(client, server, SYN, 0, 0, options=options),
                segment(server, client, SYN | ACK, 0, 1, options=options),
                segment(client, server, ACK, 1, 1),
                segment(client, server, ACK, 1, 1, hello),
                *(segment(server, client, ACK, 1 + 1460 * at, data, bytes(1460)) for at in range(4)),
                segment(client, server, ACK, data, 5841, bytes(200)),
                segment(client, server, ACK | FIN, data + 200, 5841),
            ):
                frame = ends + packet
                file.write(struct.pack("<IIII", 1_700_000_000, number % 1_000_000, len(frame), len(frame)) + frame)


def tunnel(name, count):
    """Makes an interface without a link layer, and lets SYNs arrive there when it is up."""
    TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    print("made", flush=True)
    sys.stdin.readline()
    for number in range(int(count)):
        os.write(device, syn("10.9.2.2", "10.9.2.1", number, number))
    sys.stdin.readline()


command, *arguments = sys.argv[1:]
globals()[command](*arguments)
PYTHON
}

# --- cases --------------------------------------------------------------------------------------------

case_events() {
    start_dump c0
    start_live -i c0
    talk 3
    stop_live 130
    stop_dump
    events_are_equal "${TALK[@]}"
    local transport
    for transport in tcp quic dtls; do
        grep -q "\"huginn.tls.transport\":\"$transport\"" "$WORK/live.jsonl" || die "no hello over $transport"
    done
}

# Were a flow split, a SYN+ACK would miss its SYN, and a hello its other half.
case_fanout() {
    local sockets
    for sockets in 1 2 4; do
        start_dump c0
        start_live -i c0 --fanout "$sockets"
        talk 3
        stop_live 130
        stop_dump
        events_are_equal "${TALK[@]}"
    done
}

case_jobs() {
    start_dump c0
    start_live -i c0 -j 2
    talk 2
    stop_live 130
    stop_dump
    events_are_equal "${TALK[@]}"
}

# The kernel leaves out what the filter does.
case_filter() {
    start_dump c0
    start_live -i c0 -f 'tcp port 8080'
    talk 1
    stop_live 130
    stop_dump -f 'tcp port 8080'
    events_are_equal tcp.syn tcp.syn_ack http.request http.response
    local packets
    packets=$(stats huginn.stats.packets)
    start_live -i c0 -f 'tcp port 8080'
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 50
    stop_live 130
    ((packets > 0 && $(stats huginn.stats.packets) == 0)) || die "the kernel let pass what was to be left out"
    # What it has no room for is left to the command. Before Linux 6.8 namespaces do not have this setting.
    if in_client sysctl -qw net.core.optmem_max=20480 2>/dev/null; then
        start_live -i c0 -f "tcp and not ($(printf 'host 10.1.%d.1 or ' {0..255} {0..255} {0..255})host 10.2.0.1)"
        in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 5
        stop_live 130
        [[ $(count_syns) == 5 ]] || die "nothing was captured without a program"
        in_client sysctl -qw net.core.optmem_max=131072
    fi
}

# The kernel takes the tag out of a frame that arrives, and tells it beside the frame.
case_vlan() {
    start_dump c0
    start_live -i c0
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 5 42
    stop_live 130
    stop_dump
    events_are_equal tcp.syn
    [[ $(grep -c '"network.vlan.id":42' "$WORK/live.jsonl") == 5 ]] || die "tags were not restored"
}

# Frames of a tunnel begin with IP.
case_tunnel() {
    if ! [[ -w /dev/net/tun ]]; then
        note "    skipped, no /dev/net/tun here"
        return
    fi
    coproc TUNNEL { ip netns exec "$CLIENT_NS" python3 "$WORK/tools.py" tunnel tun7 5; }
    read -r _ <&"${TUNNEL[0]}" || die "no tunnel"
    ip -n "$CLIENT_NS" link set tun7 up
    start_live -i tun7
    printf 'go\n' >&"${TUNNEL[1]}"
    stop_live 130
    printf 'end\n' >&"${TUNNEL[1]}"
    wait "$TUNNEL_PID"
    [[ $(count_syns) == 5 ]] || die "SYNs of the tunnel are missing"
    grep -q '"huginn.input.link_types":\["RAW"\]' "$WORK/live.jsonl" || die "not captured as IP"
}

# Each packet is both sent and received there, and is to be seen once.
case_loopback() {
    start_dump lo
    start_live -i lo
    fetch "http://127.0.0.1:9/"
    fetch "http://[::1]:9/"
    stop_live 130
    stop_dump
    events_are_equal tcp.syn
}

case_interfaces() {
    # Which has no address of its own; not every machine can make one.
    local tunnel=
    ip -n "$CLIENT_NS" tuntap add dev t0 mode tun 2>>"$WORK/tools.log" && tunnel=t0
    start_live -i c0 -i lo
    fetch "http://127.0.0.1:9/"
    fetch "http://$SERVER4:8080/"
    stop_live 130
    [[ $(count_syns) == 2 ]] || die "not one SYN of each interface"
    local listed
    listed=$(in_client "$HUGINN" ifaces)
    [[ $listed == *$'c0\t'*$'\tup\tEN10MB\t'*"$CLIENT4"* ]] || die "ifaces lists $listed"
    [[ -z $tunnel || $listed == *$'t0\t'*$'\tdown\tRAW\t'* ]] || die "ifaces lists $listed"
}

# The median of five: a busy machine may be late.
case_stop() {
    local times=() begun
    # Nothing is said on this link any more, not even by IPv6.
    start_live -i lo
    await_interrupted
    for _ in {1..5}; do
        start_live -i lo
        begun=${EPOCHREALTIME/./}
        await_interrupted
        times+=($((${EPOCHREALTIME/./} - begun)))
    done
    mapfile -t times < <(printf '%s\n' "${times[@]}" | sort -n)
    note "    ended after ${times[*]} µs"
    ((times[2] < 200000)) || die "took too long to stop"
}

await_interrupted() {
    kill -INT "$LIVE"
    await_live 130
}

case_limits() {
    start_live -i c0 -c 5
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 50
    await_live 0
    [[ $(stats huginn.stats.packets) == 5 ]] || die "-c 5 read $(stats huginn.stats.packets) packets"
    # Sockets that have one packet more at hand than may be read, which they have more often than not.
    local _
    for _ in {1..5}; do
        start_live -i c0 -c 5 --fanout 4
        in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 50
        await_live 0
        # Hosts greet each other, too.
        [[ $(stats huginn.stats.packets) == 5 && $(count_syns) -le 5 ]] ||
            die "-c 5 of 4 sockets read $(stats huginn.stats.packets) packets with $(count_syns) SYNs"
    done
    # Packets of no interest count, as the kernel leaves none out then: of a flood of SYNs those to another port than is wanted do not.
    start_live -i c0 -c 3 -f 'udp port 9'
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 5
    in_server python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); [s.sendto(b"x", ("10.9.0.1", 9)) for _ in range(6)]'
    await_live 0
    [[ $(stats huginn.stats.packets) == 3 ]] || die "-c 3 of UDP read $(stats huginn.stats.packets) packets"
    start_live -i lo --duration 2s --stats-interval 1s
    await_live 0
    (($(grep -c '"event.dataset":"huginn.stats"' "$WORK/live.jsonl") > 1)) || die "no statistics in between"
    start_live -i c0 -s 34 --no-promisc
    [[ $(promiscuity c0) == 0 ]] || die "--no-promisc made the interface promiscuous"
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 5
    stop_live 130
    [[ $(stats huginn.stats.not_decoded/cut) == 5 ]] || die "-s 34 did not cut"
    start_live -i c0
    [[ $(promiscuity c0) == 1 ]] || die "the interface is not promiscuous"
    # Packets for others, as they come by then.
    in_server python3 "$WORK/tools.py" flood s0 02:00:00:00:00:77 5
    stop_live 130
    [[ $(count_syns) == 5 ]] || die "packets for others were left out"
    [[ $(promiscuity c0) == 0 ]] || die "the interface stayed promiscuous"
}

promiscuity() { ip -n "$CLIENT_NS" -d -o link show dev "$1" | sed 's/.* promiscuity \([0-9]*\).*/\1/'; }

case_signals() {
    local signal status
    for signal in TERM:143 HUP:129; do
        status=${signal#*:} signal=${signal%:*}
        signal_run "$signal" "$status"
    done
}

# signal_run SIGNAL STATUS: a run that the signal ends.
signal_run() {
    start_live -i c0
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 3
    sleep 0.3
    kill -USR1 "$LIVE"
    wait_for "a summary is said" grep -q '^1 interface, ' "$WORK/live.log"
    # Records do not wait for more.
    wait_for "records are written" grep -q 'huginn.tcp.syn' "$WORK/live.jsonl"
    kill -"$1" "$LIVE"
    await_live "$2"
    [[ $(grep -c '^1 interface, ' "$WORK/live.log") == 2 ]] || die "no summary at the end"
}

# What was sent just before an interrupt is read, whatever signals come then.
case_drain() {
    start_live -i c0
    in_server python3 "$WORK/tools.py" flood_and_interrupt s0 "$CLIENT_MAC" 20 "$LIVE"
    await_live 130
    [[ $(count_syns) == 20 ]] || die "SYNs were missed: $(count_syns) of 20"
}

# A reader that goes away ends the run in silence, however many threads there are; one that does not read holds up an
# interrupt, and not a second one.
case_pipes() {
    local mode status process
    for mode in '-j 1' '-j 2' '--fanout 2'; do
        status=0
        # shellcheck disable=SC2086
        { in_client timeout 20 "$HUGINN" live -i c0 -o json $mode 2>"$WORK/pipe.log" || echo $? >"$WORK/status"; } |
            head -n 1 >"$WORK/first.jsonl" &
        process=$!
        for _ in {1..100}; do
            in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 200
            is_running "$process" || break
        done
        wait "$process"
        [[ ! -e $WORK/status && ! -s $WORK/pipe.log ]] ||
            die "with $mode, when the reader had gone away: $(cat "$WORK/status" "$WORK/pipe.log")"
        grep -q huginn.tcp.syn "$WORK/first.jsonl" || die "the first record is missing"
    done
    mkfifo "$WORK/unread"
    exec 8<>"$WORK/unread"
    ip netns exec "$CLIENT_NS" "$HUGINN" live -v -i c0 -o json >&8 2>"$WORK/live.log" &
    LIVE=$!
    wait_for "the command captures" grep -sq '^capturing ' "$WORK/live.log"
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 2000
    sleep 0.3
    kill -INT "$LIVE"
    wait_for "the first interrupt is answered" grep -q 'interrupted; once more' "$WORK/live.log"
    sleep 0.5
    is_running "$LIVE" || die "the first interrupt did not wait for the output"
    await_interrupted
    exec 8<&-
}

is_running() { kill -0 "$1" 2>/dev/null; }

case_privileges() {
    start_live -i c0 -u nobody --metrics 127.0.0.1:617
    local task checked=0
    for task in /proc/"$LIVE"/task/*/status; do
        python3 - "$task" <<'PYTHON' || die "privileges are left in $task: $(cat "$task")"
import pwd, sys

status = dict(line.rstrip("\n").split(":\t", 1) for line in open(sys.argv[1]) if ":\t" in line)
nobody = pwd.getpwnam("nobody")
assert status["Uid"].split() == [str(nobody.pw_uid)] * 4
assert status["Gid"].split() == [str(nobody.pw_gid)] * 4
assert status["Groups"].split() == [str(nobody.pw_gid)]
assert status["NoNewPrivs"] == "1"
for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    assert int(status[name], 16) == 0, name
PYTHON
        checked=$((checked + 1))
    done
    # It captures all the same, and writes what root has opened.
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 3
    stop_live 130
    [[ $(count_syns) == 3 ]] || die "nothing was captured"
    ((checked == 3)) || die "there are $checked threads, and not those of the analysis, signals and metrics"
    note "    $(grep '^privileges: ' "$WORK/live.log")"

    # A user and a group that are in no list.
    start_live -i c0 -u 4123456789:4123456780
    local ids
    ids=$(awk '/^(Uid|Gid|Groups):/ { $1 = ""; print }' "/proc/$LIVE/status" | xargs)
    stop_live 130
    [[ $ids == "$(printf '4123456789 %.0s' 1 2 3 4)$(printf '4123456780 %.0s' 1 2 3 4)4123456780" ]] ||
        die "not the numbers it was told: $ids"
}

# The counters of a run that has given up its privileges, and who asks for them wrongly.
case_metrics() {
    start_live -i c0 -u nobody --metrics 127.0.0.1:617
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 20
    in_client python3 "$WORK/tools.py" dawdle 127.0.0.1 617 &
    local slow=$!
    wait_for "the counters show the packets" counter_is 'huginn_packets_total' 20
    wait "$slow" || die "who is slow is not refused"
    counter_is 'huginn_events_total{dataset="huginn.tcp.syn"}' 20 || die "the counters lack SYNs: $(counters)"
    counter_is 'huginn_dropped_total{by="kernel"}' 0 || die "the counters lack what was dropped"
    local status=0
    in_client "$HUGINN" live -i c0 --metrics 127.0.0.1:617 -o "json:$WORK/other.jsonl" 2>"$WORK/other.log" || status=$?
    [[ $status == 5 && ! -s $WORK/other.jsonl && $(cat "$WORK/other.log") == *'127.0.0.1:617: address already in use'* ]] ||
        die "an address in use: $status, $(cat "$WORK/other.log")"
    stop_live 130
    [[ $(count_syns) == 20 ]] || die "nothing was captured"
}

counters() { in_client curl -sf --max-time 5 http://127.0.0.1:617/metrics; }

# counter_is NAME VALUE
counter_is() { counters | grep -xF "$1 $2" >/dev/null; }

case_refusal() {
    local status=0
    in_client setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs --bounding-set -all \
        "$WORK/huginn-net" live -i c0 -c 1 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 ]] || die "ended with $status instead of 4"
    grep -qF "sudo setcap cap_net_raw=eip $WORK/huginn-net" "$WORK/refusal.log" || die "no setcap line"
    # What that line does is enough.
    if setcap cap_net_raw=eip "$WORK/huginn-net" 2>/dev/null; then
        in_client setpriv --reuid nobody --regid nogroup --clear-groups "$WORK/huginn-net" live -i lo --duration 1s -v \
            2>"$WORK/refusal.log" || die "no capture with the capability: $(cat "$WORK/refusal.log")"
        setcap -r "$WORK/huginn-net"
    else
        note "    skipped, the file system has no capabilities"
    fi
    status=0
    in_client "$HUGINN" live -i no-such0 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 && $(cat "$WORK/refusal.log") == *'no-such0: there is no such interface'* ]] ||
        die "an interface that is not there: $status, $(cat "$WORK/refusal.log")"
    status=0
    in_client timeout 5 "$HUGINN" live -i c0 -i lo -i c0 2>"$WORK/refusal.log" || status=$?
    [[ $status == 2 && $(cat "$WORK/refusal.log") == *'-i c0: named twice'* ]] ||
        die "an interface that is named twice: $status, $(cat "$WORK/refusal.log")"
    # Root that may capture, and not become somebody else.
    status=0
    printf kept >"$WORK/kept.jsonl"
    in_client timeout 5 setpriv --bounding-set -setuid,-setgid "$WORK/huginn-net" live -i c0 -u nobody \
        -o json:"$WORK/kept.jsonl" 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 && $(cat "$WORK/refusal.log") == *'cannot give up privileges: '* ]] ||
        die "a user that it may not become: $status, $(cat "$WORK/refusal.log")"
    [[ $(cat "$WORK/kept.jsonl") == kept ]] || die "a run that could not begin has emptied its output"
}

case_outage() {
    local sockets number
    for sockets in 1 2; do
        add_link 1
        start_live -i c1 --fanout "$sockets"
        for number in 1 2; do
            in_server python3 "$WORK/tools.py" flood s1 "$CLIENT_MAC" 2 0 "${number}0"
            sleep 0.2
            ip -n "$CLIENT_NS" link set c1 down
            sleep 0.2
            ip -n "$CLIENT_NS" link set c1 up
            # The other end notices after a while that there is a link again.
            wait_for "there is a link" is_up "$SERVER_NS" s1
        done
        in_server python3 "$WORK/tools.py" flood s1 "$CLIENT_MAC" 2
        sleep 0.2
        ip -n "$CLIENT_NS" link delete c1
        await_live 3
        grep -q 'c1: the interface was removed' "$WORK/live.log" || die "nothing said of the removal"
        grep -Eq 'link down +3 times' "$WORK/live.log" || die "outages: $(cat "$WORK/live.log")"
        [[ $(count_syns) == 6 ]] || die "SYNs were missed: $(count_syns) of 6"
    done
}

# What an interface has carried just before it goes down and is removed is read, and that it was removed is noticed.
case_removal() {
    add_link 3
    start_live -i c3
    in_client python3 "$WORK/tools.py" go_down c3 "$SERVER_MAC" 20
    sleep 0.2
    ip -n "$CLIENT_NS" link delete c3
    wait_for "the removal is noticed" grep -q 'c3: the interface was removed' "$WORK/live.log"
    await_live 3
    [[ $(count_syns) == 20 ]] || die "SYNs were missed: $(count_syns) of 20"
    # Of several sockets, and of two interfaces.
    add_link 3
    add_link 4
    start_live -i c3 -i c4 --fanout 2
    ip -n "$CLIENT_NS" link delete c3
    wait_for "the removal is said" grep -q '1 of 2 interfaces removed' "$WORK/live.log"
    ip -n "$CLIENT_NS" link delete c4
    await_live 3
    [[ $(grep -c 'c4: the interface was removed' "$WORK/live.log") == 1 ]] ||
        die "the end was not said once: $(cat "$WORK/live.log")"
    grep -Eq 'removed +2 interfaces' "$WORK/live.log" || die "not both were counted: $(cat "$WORK/live.log")"
}

# That one of several interfaces was removed is said, once, and the others are captured on.
case_partial_removal() {
    local sockets
    for sockets in 1 2; do
        add_link 4
        start_live -i c4 -i c0 --fanout "$sockets"
        ip -n "$CLIENT_NS" link delete c4
        wait_for "the removal is said" grep -q '1 of 2 interfaces removed' "$WORK/live.log"
        in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 20
        stop_live 130
        [[ $(count_syns) == 20 ]] || die "the other interface was not captured on"
        [[ $(grep -Ec 'interfaces removed|removed +1 interface' "$WORK/live.log") == 2 ]] ||
            die "the removal was not said once, and once more in the summary: $(cat "$WORK/live.log")"
    done
    # An end of its own shows in the status.
    add_link 4
    start_live -i c4 -i c0 -c 20 -f tcp
    ip -n "$CLIENT_NS" link delete c4
    wait_for "the removal is said" grep -q '1 of 2 interfaces removed' "$WORK/live.log"
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 20
    await_live 3
}

# is_up NAMESPACE LINK
is_up() { [[ $(ip -n "$1" -br link show dev "$2") == *' UP '* ]]; }

# A consumer that does not run loses packets, each of which is counted.
case_starvation() {
    local sent=40000 read dropped
    add_link 2
    local sockets
    for sockets in 1 2; do
        start_live -i c2 --buffer 1M --fanout "$sockets"
        kill -STOP "$LIVE"
        in_server python3 "$WORK/tools.py" flood s2 "$CLIENT_MAC" "$sent"
        kill -CONT "$LIVE"
        stop_live 130
        read=$(stats huginn.stats.packets)
        dropped=$(stats huginn.stats.dropped/kernel)
        note "    $sent sent = $read read + $dropped dropped, by $sockets sockets"
        ((dropped > 0)) || die "nothing was dropped, so that nothing was tested"
        ((read + dropped == sent)) || die "packets are unaccounted for"
    done
}

# A consumer that is slow has packets dropped before the workers or by the kernel, each of which is counted, and all others
# are analyzed.
case_slowness() {
    # More than the queues of two workers hold.
    local sent=200000 mode reader syns kernel queue
    add_link 5
    mkfifo "$WORK/slow"
    for mode in '-j 1' '-j 2' '--fanout 2'; do
        exec 7<>"$WORK/slow"
        # shellcheck disable=SC2086
        ip netns exec "$CLIENT_NS" "$HUGINN" live -v -i c5 -o "json:$WORK/slow" --buffer 1M $mode 2>"$WORK/live.log" &
        LIVE=$!
        wait_for "the command captures" grep -sq '^capturing ' "$WORK/live.log"
        in_server python3 "$WORK/tools.py" flood s5 "$CLIENT_MAC" "$sent"
        sleep 0.5
        cat <"$WORK/slow" >"$WORK/live.jsonl" 7<&- &
        reader=$!
        exec 7<&-
        stop_live 130
        wait "$reader"
        syns=$(count_syns) kernel=$(stats huginn.stats.dropped/kernel) queue=$(stats huginn.stats.dropped/queue)
        note "    $sent sent = $syns analyzed + $kernel dropped by the kernel + $queue by queues, with $mode"
        ((syns + kernel + queue == sent)) || die "packets are unaccounted for"
        ((kernel + queue > 0)) || die "nothing was dropped, so that nothing was tested"
    done
    rm "$WORK/slow"
}

# Connections with hellos, replayed at two rates and as fast as it goes: what is lost is counted, whatever it is, and nothing
# is lost of what comes slowly. Prints figures.
case_replay() {
    local mode rate replayed sent received kernel queue used
    python3 "$WORK/tools.py" write_connections "$WORK/replay.pcap" "$REPLAYED" "$CLIENT_MAC"
    for mode in '-j 1' '-j 2' '--fanout 2'; do
        for rate in --pps=10000 --pps=100000 --topspeed; do
            # shellcheck disable=SC2086
            start_live -i c0 $mode
            replayed=$(in_server tcpreplay -q -K -i s0 "$rate" "$WORK/replay.pcap" 2>/dev/null)
            sent=$(sed -n 's/^[[:space:]]*Successful packets: *//p' <<<"$replayed")
            sleep 0.5
            used=$(cpu_milliseconds "$LIVE")
            stop_live 130
            received=$(stats huginn.stats.packets)
            kernel=$(stats huginn.stats.dropped/kernel)
            queue=$(stats huginn.stats.dropped/queue)
            note "    $mode $rate: $sent packets, $(sed -n 's/^Rated:.*, \(.*\)\..* pps$/\1/p' <<<"$replayed") a second; dropped $kernel by the kernel, $queue by queues;" \
                "$(stats huginn.stats.events/huginn.tls.client_hello) hellos; $used ms of processor time"
            ((sent == REPLAYED && received + kernel == sent)) || die "packets are unaccounted for: $received read"
        done
    done
}

# Processor time that a process has used, of all its threads, in milliseconds.
cpu_milliseconds() {
    local fields
    read -ra fields <<<"$(sed 's/.*) //' "/proc/$1/stat")"
    printf '%d\n' $(((fields[11] + fields[12]) * 1000 / $(getconf CLK_TCK)))
}

# --- start --------------------------------------------------------------------------------------------

clean_up() {
    local process
    for process in $LIVE $DUMP "${BACKGROUND[@]}"; do
        kill -CONT "$process" 2>/dev/null || true
        kill "$process" 2>/dev/null || true
    done
    # Servers are children of `ip netns exec`, and nothing else is in the namespaces.
    for process in $(ip netns pids "$CLIENT_NS" 2>/dev/null) $(ip netns pids "$SERVER_NS" 2>/dev/null); do
        kill "$process" 2>/dev/null || true
    done
    remove_network
    if [[ -n $WORK ]]; then
        rm -rf "$WORK"
    fi
}

main() {
    local option name tool
    local installs=false missing=()
    while getopts hlip: option; do
        case $option in
            i) installs=true ;;
            p) REPLAYED=$OPTARG ;;
            h) usage && exit 0 ;;
            l) printf '%s\n' "${CASES[@]}" && exit 0 ;;
            *) usage >&2 && exit 2 ;;
        esac
    done
    shift $((OPTIND - 1))
    local chosen=("$@")
    ((${#chosen[@]})) || chosen=("${CASES[@]}")
    for name in "${chosen[@]}"; do
        [[ " ${CASES[*]} " == *" $name "* ]] || die "no case $name; -l lists them"
    done
    ((EUID == 0)) || nothing_to_test "it takes root to make network namespaces"
    [[ $REPLAYED =~ ^[1-9][0-9]{0,5}0$ ]] || die "a number of packets is a multiple of ten, and below ten million"
    if $installs; then
        "$ROOT/scripts/setup.sh" "${TOOLS[@]}"
    fi
    for tool in "${TOOLS[@]}"; do
        command -v "${tool%%:*}" >/dev/null || missing+=("${tool%%:*}")
    done
    ((${#missing[@]} == 0)) || die "not installed: ${missing[*]}; -i installs them"

    if [[ -z $HUGINN ]]; then
        cargo build --quiet --manifest-path "$ROOT/Cargo.toml" -p huginn-net-cli
        HUGINN=${CARGO_TARGET_DIR:-$ROOT/target}/debug/huginn-net
    fi
    WORK=$(mktemp -d)
    # For a user who may do nothing else.
    chmod 755 "$WORK"
    cp "$HUGINN" "$WORK/huginn-net"
    trap clean_up EXIT
    write_tools
    make_network
    start_servers
    for name in "${chosen[@]}"; do
        note "$name"
        "case_$name"
    done
    note "live capture: all cases passed"
}

main "$@"
