#!/usr/bin/env bash
# Captures live in network namespaces, and holds the events against those of tcpdump's capture of the same packets.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: test-live.sh [-h] [-l] [CASE...]

Everything happens between two network namespaces made for it, joined by a veth pair and by nothing else: no packet comes
from or goes to the network of this machine, and none of its settings change.

  CASE   what to test; all if none is given

  -h     print this text
  -l     list the cases

Needs root, and a kernel with network namespaces and veth; without them it says so and succeeds, as there is nothing to be
tested. The command is the one that HUGINN names, or is built.
TEXT
}

# The functions case_NAME below.
CASES=(events fanout jobs filter vlan tunnel loopback interfaces stop limits signals drain privileges refusal outage removal starvation)

CLIENT_NS="huginn-live-a-$$"
SERVER_NS="huginn-live-b-$$"
CLIENT4=10.9.0.1 SERVER4=10.9.0.2
CLIENT6=fd00::1 SERVER6=fd00::2
CLIENT_MAC=02:00:00:00:00:01 SERVER_MAC=02:00:00:00:00:02

ROOT=$(cd "$(dirname "$0")/.." && pwd)
WORK=
HUGINN=${HUGINN:-}

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

# start_live OPTION...: records in live.jsonl, messages in live.log, until stop_live.
start_live() {
    rm -f "$WORK/live.jsonl" "$WORK/live.log"
    ip netns exec "$CLIENT_NS" "$HUGINN" live -v -o "json:$WORK/live.jsonl" "$@" 2>"$WORK/live.log" &
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
    wait_for "tcpdump listens" grep -q 'listening on' "$WORK/tcpdump.log"
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
    in_server python3 -m http.server --bind :: 8080 >/dev/null 2>&1 &
    BACKGROUND+=($!)
    wait_for "servers listen" listen
}

listen() {
    local sockets
    sockets=$(in_server ss -Hlntu)
    [[ $sockets == *:4433* && $sockets == *:4434* && $sockets == *:8080* ]]
}

# What becomes of the transfer is of no interest, and some of these servers end it in their own way.
fetch() { in_client curl -so /dev/null --max-time 5 "$@" || true; }

# talk ROUNDS: programs of different stacks, over IPv4 and IPv6.
talk() {
    local round server
    for ((round = 0; round < $1; round++)); do
        for server in "$SERVER4" "[$SERVER6]"; do
            fetch -k "https://$server:4433/"
            fetch -k --tls-max 1.2 --no-alpn "https://$server:4433/"
            fetch "http://$server:8080/"
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
    events_are_equal tcp.syn tcp.syn_ack tls.client_hello tls.server_hello
}

# Were a flow split, a SYN+ACK would miss its SYN, and a hello its other half.
case_fanout() {
    local sockets
    for sockets in 2 4; do
        start_dump c0
        start_live -i c0 --fanout "$sockets"
        talk 3
        stop_live 130
        stop_dump
        events_are_equal tcp.syn tcp.syn_ack tls.client_hello tls.server_hello
    done
}

case_jobs() {
    start_dump c0
    start_live -i c0 -j 2
    talk 2
    stop_live 130
    stop_dump
    events_are_equal tcp.syn tcp.syn_ack tls.client_hello tls.server_hello
}

# The kernel leaves out what the filter does.
case_filter() {
    start_dump c0
    start_live -i c0 -f 'tcp port 8080'
    talk 1
    stop_live 130
    stop_dump -f 'tcp port 8080'
    events_are_equal tcp.syn tcp.syn_ack
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
    local made
    read -r made <&"${TUNNEL[0]}" || die "no tunnel"
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
    start_live -i c0 -i lo
    fetch "http://127.0.0.1:9/"
    fetch "http://$SERVER4:8080/"
    stop_live 130
    [[ $(count_syns) == 2 ]] || die "not one SYN of each interface"
    local listed
    listed=$(in_client "$HUGINN" ifaces)
    [[ $listed == *$'c0\t'*$'\tup\tEN10MB\t'*"$CLIENT4"* ]] || die "ifaces lists $listed"
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
    start_live -i lo --duration 1s --stats-interval 1s
    await_live 0
    start_live -i c0 -s 34 --no-promisc
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 5
    stop_live 130
    [[ $(stats huginn.stats.not_decoded/cut) == 5 ]] || die "-s 34 did not cut"
}

case_signals() {
    start_live -i c0
    in_server python3 "$WORK/tools.py" flood s0 "$CLIENT_MAC" 3
    sleep 0.3
    kill -USR1 "$LIVE"
    wait_for "a summary is said" grep -q '^1 interface, ' "$WORK/live.log"
    # Records do not wait for more.
    wait_for "records are written" grep -q 'huginn.tcp.syn' "$WORK/live.jsonl"
    kill -TERM "$LIVE"
    await_live 143
    [[ $(grep -c '^1 interface, ' "$WORK/live.log") == 2 ]] || die "no summary at the end"
}

# What was sent just before an interrupt is read, whatever signals come then.
case_drain() {
    start_live -i c0
    in_server python3 "$WORK/tools.py" flood_and_interrupt s0 "$CLIENT_MAC" 20 "$LIVE"
    await_live 130
    [[ $(count_syns) == 20 ]] || die "SYNs were missed: $(count_syns) of 20"
}

case_privileges() {
    start_live -i c0 -u nobody
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
    note "    $checked threads; $(grep '^privileges: ' "$WORK/live.log")"
}

case_refusal() {
    local status=0
    in_client setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs --bounding-set -all \
        "$WORK/huginn-net" live -i c0 -c 1 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 ]] || die "ended with $status instead of 4"
    grep -qF "sudo setcap cap_net_raw=eip $WORK/huginn-net" "$WORK/refusal.log" || die "no setcap line"
    status=0
    in_client "$HUGINN" live -i no-such0 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 && $(cat "$WORK/refusal.log") == *'no-such0: there is no such interface'* ]] ||
        die "an interface that is not there: $status, $(cat "$WORK/refusal.log")"
    status=0
    in_client timeout 5 "$HUGINN" live -i c0 -i lo -i c0 2>"$WORK/refusal.log" || status=$?
    [[ $status == 4 && $(cat "$WORK/refusal.log") == *'c0: the interface is named twice'* ]] ||
        die "an interface that is named twice: $status, $(cat "$WORK/refusal.log")"
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
    while getopts hl option; do
        case $option in
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
    for tool in ip ss tcpdump python3 curl openssl setpriv; do
        command -v "$tool" >/dev/null || nothing_to_test "$tool is not installed"
    done

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
