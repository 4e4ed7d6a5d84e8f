#!/usr/bin/env bash
# Records the captures of pcaps/real again: Linux as client and server, and scanners, in network namespaces.
set -euo pipefail

# shellcheck source=scripts/recording.sh
. "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/recording.sh"

usage() {
    cat <<'TEXT'
Usage: record-pcaps.sh [-h] [-l] [-n] [FOLDER [SCENARIO...]]

Records what this kernel and Debian's scanners send, one capture per case, named as in pcaps/real.
Everything happens between two network namespaces made for it, joined by a veth pair and by nothing
else: no packet comes from or goes to the network of this machine, and none of its settings change.

  FOLDER     where to write; a new temporary folder if not given
  SCENARIO   which to record; all if none is given

  -h         print this text
  -l         list the scenarios
  -n         do not install what is missing, fail instead

Needs root, a Debian-like system, and a kernel with network namespaces and veth. Installs what it does
not find with apt-get. A case that the kernel does not support is skipped with a note.

The stacks of user space are built from scripts/stacks, which takes Go for that of gVisor, cargo for
smoltcp, and a C compiler and liblwip-dev for lwIP; one that cannot be built is skipped with a note.

The captures of browsers, HTTP clients and HTTP servers are not made here: record-http.sh makes two of
them, the others take dozens of programs that Debian does not package.
TEXT
}

# The functions scenario_NAME below.
SCENARIOS=(plain flow_labels mtu loopback options ecn rmem rcvbuf window_clamp maxseg ttl tos nopmtud
    mptcp fast_open timestamps scan_nmap scan_hping3 scan_masscan scan_zmap
    stack_gvisor stack_smoltcp stack_lwip)

# tool:package
TOOLS=(ip:iproute2 tcpdump:tcpdump python3:python3 nmap:nmap hping3:hping3 masscan:masscan zmap:zmap)

CLIENT_NS="huginn-client-$$"
SERVER_NS="huginn-server-$$"
CLIENT4=10.9.0.1 SERVER4=10.9.0.2
CLIENT6=fd00::1 SERVER6=fd00::2
CLIENT_MAC=02:00:00:00:00:01 SERVER_MAC=02:00:00:00:00:02
PORT=9000

STACKS=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/stacks


# --- the two namespaces -------------------------------------------------------------------------------

in_client() { ip netns exec "$CLIENT_NS" "$@"; }
in_server() { ip netns exec "$SERVER_NS" "$@"; }

# Two new namespaces with the defaults of the kernel, so that no setting outlives its case.
fresh_network() {
    remove_network
    ip netns add "$CLIENT_NS"
    ip netns add "$SERVER_NS"
    ip -n "$CLIENT_NS" link add c0 address "$CLIENT_MAC" type veth \
        peer name s0 address "$SERVER_MAC" netns "$SERVER_NS"
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
    ip -n "$CLIENT_NS" neighbour replace "$SERVER4" lladdr "$SERVER_MAC" dev c0
    ip -n "$SERVER_NS" neighbour replace "$CLIENT4" lladdr "$CLIENT_MAC" dev s0
    ip -n "$CLIENT_NS" neighbour replace "$SERVER6" lladdr "$SERVER_MAC" dev c0
    ip -n "$SERVER_NS" neighbour replace "$CLIENT6" lladdr "$CLIENT_MAC" dev s0
}

remove_network() {
    local namespace
    for namespace in "$CLIENT_NS" "$SERVER_NS"; do
        if [[ -e /run/netns/$namespace ]]; then
            ip netns delete "$namespace"
        fi
    done
}

# client_sysctl NAME VALUE: false if the kernel has no such setting or does not take the value.
client_sysctl() { in_client sysctl -qw "$1=$2" 2>/dev/null; }
server_sysctl() { in_server sysctl -qw "$1=$2" 2>/dev/null; }
both_sysctl() { client_sysctl "$1" "$2" && server_sysctl "$1" "$2"; }

set_mtu() {
    ip -n "$CLIENT_NS" link set c0 mtu "$1"
    ip -n "$SERVER_NS" link set s0 mtu "$1"
}

# --- recording ----------------------------------------------------------------------------------------

RECORDER=
SERVER=

# record NAME COMMAND...: what the client's link, or the one in LINK, carries while the command runs.
record() {
    local name=$1 link=${LINK:-c0}
    shift
    # What the recorder before this one said is no sign that this one listens.
    rm -f "$WORK/tcpdump.log"
    ip netns exec "$CLIENT_NS" tcpdump -i "$link" --immediate-mode -U -s 262144 -w "$OUT/$name.pcap" tcp \
        2>"$WORK/tcpdump.log" &
    RECORDER=$!
    wait_for "tcpdump listens" grep -qs 'listening on' "$WORK/tcpdump.log"
    "$@"
    # The last packets are still on their way to the recorder.
    sleep 0.3
    # Not INT: a shell without job control starts what runs in the background with that ignored.
    kill -TERM "$RECORDER"
    wait "$RECORDER" || true
    RECORDER=
    note "  $name.pcap: $(tcpdump -nr "$OUT/$name.pcap" 2>/dev/null | wc -l) packets"
}

wait_for() {
    local what=$1
    shift
    for _ in {1..100}; do
        if "$@"; then
            return
        fi
        sleep 0.05
    done
    die "waited 5 seconds in vain until $what"
}

# serve NAMESPACE ADDRESS [OPTION...]: accepts on PORT in the background until stop_server.
serve() {
    local namespace=$1 address=$2
    shift 2
    rm -f "$WORK/ready"
    ip netns exec "$namespace" python3 "$WORK/peer.py" serve "$address" "$PORT" --ready "$WORK/ready" "$@" &
    SERVER=$!
    wait_for "the server listens" test -e "$WORK/ready"
}

stop_server() {
    kill "$SERVER"
    wait "$SERVER" 2>/dev/null || true
    SERVER=
}

connect() { in_client python3 "$WORK/peer.py" connect "$@"; }

# exchange NAME 4|6 [CLIENT-OPTION... [-- SERVER-OPTION...]]: one connection, recorded.
exchange() {
    local name=$1 address=$SERVER4
    [[ $2 == 6 ]] && address=$SERVER6
    shift 2
    local client_options=()
    while (($#)) && [[ $1 != -- ]]; do
        client_options+=("$1")
        shift
    done
    serve "$SERVER_NS" "$address" "${@:2}"
    record "$name" connect "$address" "$PORT" "${client_options[@]}"
    stop_server
}

# Both ends of a connection: the server closes after 50 ms, the client 50 ms later.
write_peer() {
    cat >"$WORK/peer.py" <<'PYTHON'
import argparse, pathlib, socket, time

MPTCP = 262
parser = argparse.ArgumentParser()
parser.add_argument("role", choices=["serve", "connect"])
parser.add_argument("address")
parser.add_argument("port", type=int)
parser.add_argument("--ready", help="file to make once the server listens")
parser.add_argument("--connections", type=int, default=1)
parser.add_argument("--pause", type=float, default=0.65, help="seconds between connections")
parser.add_argument("--mptcp", action="store_true")
parser.add_argument("--fast-open", action="store_true")
parser.add_argument(
    "--option", nargs=3, type=int, action="append", default=[], metavar=("LEVEL", "NAME", "VALUE")
)
args = parser.parse_args()


def new_socket():
    family = socket.AF_INET6 if ":" in args.address else socket.AF_INET
    new = socket.socket(family, socket.SOCK_STREAM, MPTCP if args.mptcp else 0)
    for level, name, value in args.option:
        new.setsockopt(level, name, value)
    return new


if args.role == "serve":
    listener = new_socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if args.fast_open:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 5)
    listener.bind((args.address, args.port))
    listener.listen(5)
    pathlib.Path(args.ready).touch()
    while True:
        connection, _ = listener.accept()
        time.sleep(0.05)
        connection.close()
else:
    for number in range(args.connections):
        if number:
            time.sleep(args.pause)
        connection = new_socket()
        if args.fast_open:
            connection.sendto(b"GET / HTTP/1.0\r\n\r\n", socket.MSG_FASTOPEN, (args.address, args.port))
        else:
            connection.connect((args.address, args.port))
        time.sleep(0.1)
        connection.close()
PYTHON
}

# Numbers of Linux that Python has no name for or that differ between its versions.
SOL_SOCKET=1 SO_RCVBUF=8
IPPROTO_IP=0 IP_TOS=1 IP_TTL=2 IP_MTU_DISCOVER=10 IP_PMTUDISC_DONT=0
IPPROTO_TCP=6 TCP_MAXSEG=2 TCP_WINDOW_CLAMP=10

# --- scenarios ----------------------------------------------------------------------------------------

scenario_plain() {
    local name
    for name in v4 v4_b; do
        fresh_network
        exchange "$name" 4
    done
    for name in v6 v6_b; do
        fresh_network
        exchange "$name" 6
    done
}

scenario_flow_labels() {
    fresh_network
    both_sysctl net.ipv6.auto_flowlabels 0
    exchange v6_nofl 6
}

scenario_mtu() {
    local mtu
    for mtu in 1280 1400 1420 1450 1492 8951 9000 9001; do
        fresh_network
        set_mtu "$mtu"
        exchange "v4_mtu$mtu" 4
    done
    for mtu in 1280 1420; do
        fresh_network
        set_mtu "$mtu"
        exchange "v6_mtu$mtu" 6
    done
}

scenario_loopback() {
    fresh_network
    serve "$CLIENT_NS" 127.0.0.1
    LINK=lo record lo4 connect 127.0.0.1 "$PORT"
    stop_server
    serve "$CLIENT_NS" ::1
    LINK=lo record lo6 connect ::1 "$PORT"
    stop_server
}

scenario_options() {
    local timestamps sack scaling
    for timestamps in 0 1; do
        for sack in 0 1; do
            for scaling in 0 1; do
                fresh_network
                both_sysctl net.ipv4.tcp_timestamps "$timestamps"
                both_sysctl net.ipv4.tcp_sack "$sack"
                both_sysctl net.ipv4.tcp_window_scaling "$scaling"
                exchange "opt_ts${timestamps}_sack${sack}_ws${scaling}" 4
            done
        done
    done
}

# 1 asks for ECN (RFC 3168), 3 for accurate ECN where the kernel takes that; servers agree by default.
scenario_ecn() {
    fresh_network
    client_sysctl net.ipv4.tcp_ecn 1
    exchange ecn1 4
    fresh_network
    client_sysctl net.ipv4.tcp_ecn 1
    exchange ecn1_v6 6
    fresh_network
    if client_sysctl net.ipv4.tcp_ecn 3; then exchange ecn3_accecn 4; else skip ecn3_accecn "not in this kernel"; fi
    fresh_network
    if both_sysctl net.ipv4.tcp_ecn 3; then exchange ecn33 4; else skip ecn33 "not in this kernel"; fi
}

scenario_rmem() {
    local sizes
    for sizes in "4096 16384 4194304" "4096 65536 6291456" "4096 87380 6291456" "4096 131072 6291456" \
        "4096 131072 16777216" "4096 131072 67108864" "4096 262144 6291456" "4096 524288 6291456"; do
        fresh_network
        both_sysctl net.ipv4.tcp_rmem "$sizes"
        exchange "rmem_${sizes// /_}" 4
    done
}

scenario_rcvbuf() {
    local size
    for size in 4096 8192 16384 32768 65536 131072 262144 1048576; do
        fresh_network
        exchange "rcvbuf$size" 4 --option $SOL_SOCKET $SO_RCVBUF "$size" \
            -- --option $SOL_SOCKET $SO_RCVBUF "$size"
    done
}

scenario_window_clamp() {
    fresh_network
    exchange clamp8192 4 --option $IPPROTO_TCP $TCP_WINDOW_CLAMP 8192
}

scenario_maxseg() {
    fresh_network
    exchange maxseg1200 4 --option $IPPROTO_TCP $TCP_MAXSEG 1200
}

scenario_ttl() {
    fresh_network
    exchange ttl128 4 --option $IPPROTO_IP $IP_TTL 128
}

scenario_tos() {
    fresh_network
    exchange tos28 4 --option $IPPROTO_IP $IP_TOS 40
}

scenario_nopmtud() {
    fresh_network
    exchange nopmtud 4 --option $IPPROTO_IP $IP_MTU_DISCOVER $IP_PMTUDISC_DONT
    fresh_network
    client_sysctl net.ipv4.ip_no_pmtu_disc 1
    exchange nopmtud_sys 4
}

scenario_mptcp() {
    local name
    fresh_network
    if ! both_sysctl net.mptcp.enabled 1; then
        for name in mptcp mptcp6 mptcp_c; do skip "$name" "not in this kernel"; done
        return
    fi
    exchange mptcp 4 --mptcp -- --mptcp
    fresh_network
    exchange mptcp6 6 --mptcp -- --mptcp
    fresh_network
    exchange mptcp_c 4 --mptcp
}

# The first connection asks for a cookie, the second sends data with it.
scenario_fast_open() {
    fresh_network
    both_sysctl net.ipv4.tcp_fastopen 3
    exchange tfo 4 --fast-open --connections 2 --pause 0.1 -- --fast-open
}

# Several connections of one host: do the timestamps of one follow from those of another?
scenario_timestamps() {
    fresh_network
    exchange tsoff 4 --connections 5
    fresh_network
    exchange tsoff6 6 --connections 2
}

# Runs a scanner, whose words are shown only if it fails.
scan() {
    if ! in_client "$@" >"$WORK/scanner.log" 2>&1; then
        cat "$WORK/scanner.log" >&2
        die "$1 failed"
    fi
}

scenario_scan_nmap() {
    fresh_network
    record scan_nmap_sS scan nmap -n -Pn -sS -p 22,80,443 "$SERVER4"
    record scan_nmap_sT scan nmap -n -Pn -sT -p 80,443 "$SERVER4"
    record scan_nmap_sS6 scan nmap -n -6 -Pn -sS -p 80,443 "$SERVER6"
    local saved=$PORT
    PORT=9999
    serve "$SERVER_NS" "$SERVER4"
    record scan_nmap_O scan nmap -n -Pn -O --max-os-tries 2 -p 80,9999 "$SERVER4"
    stop_server
    serve "$SERVER_NS" "$SERVER6"
    record scan_nmap_O6 scan nmap -n -6 -Pn -O --max-os-tries 1 -p 80,9999 "$SERVER6"
    stop_server
    PORT=$saved
}

scenario_scan_hping3() {
    fresh_network
    record scan_hping3 scan hping3 -S -p 80 -c 3 "$SERVER4"
    record scan_hping3_df scan hping3 -S --dontfrag -p 80 -c 2 "$SERVER4"
}

scenario_scan_masscan() {
    fresh_network
    record scan_masscan scan masscan "$SERVER4" -p 22,80,443 --rate 10 --wait 1 -e c0 \
        --adapter-ip "$CLIENT4" --router-mac "${SERVER_MAC//:/-}"
}

scenario_scan_zmap() {
    fresh_network
    # The list of addresses that zmap leaves out by default has all private ones.
    : >"$WORK/empty"
    local common=(-i c0 -G "$SERVER_MAC" -S "$CLIENT4" -p 80 -r 10 -c 1 -b "$WORK/empty" -o "$WORK/zmap.csv")
    record scan_zmap scan zmap "${common[@]}" -M tcp_synscan "$SERVER4/32"
    # With TCP options, which zmap 2.1 does not send.
    if zmap --list-probe-modules 2>/dev/null | grep -qx tcp_synopt; then
        record scan_zmap_opt scan zmap "${common[@]}" -M tcp_synopt "$SERVER4/32"
    else
        skip scan_zmap_opt "not in this zmap"
    fi
}

# --- network stacks of user space ---------------------------------------------------------------------

# Linux with the client's addresses on a tap device, at the other end of which a stack has the server's.
tap_network() {
    fresh_network
    ip -n "$CLIENT_NS" link delete c0
    ip -n "$CLIENT_NS" tuntap add dev c0 mode tap
    ip -n "$CLIENT_NS" link set c0 address "$CLIENT_MAC"
    ip -n "$CLIENT_NS" link set c0 up
    ip -n "$CLIENT_NS" address add "$CLIENT4/24" dev c0
    ip -n "$CLIENT_NS" address add "$CLIENT6/64" dev c0 nodad
    ip -n "$CLIENT_NS" neighbour replace "$SERVER4" lladdr "$SERVER_MAC" dev c0
    ip -n "$CLIENT_NS" neighbour replace "$SERVER6" lladdr "$SERVER_MAC" dev c0
}

# stack_command STACK connect|serve ADDRESS [OPTION...]: into COMMAND, how to run what build_stack has built.
stack_command() {
    COMMAND=(ip netns exec "$CLIENT_NS" env PRECONFIGURED_TAPIF=c0
        "$WORK/stack-$1" c0 "$SERVER4/24" "$SERVER6/64" "$2" "$3" "$PORT" "${@:4}")
}

# stack_client STACK CAPTURE 4|6 [OPTION...]: the stack connects to Linux.
stack_client() {
    local stack=$1 capture=$2 address=$CLIENT4
    [[ $3 == 6 ]] && address=$CLIENT6
    shift 3
    tap_network
    serve "$CLIENT_NS" "$address"
    stack_command "$stack" connect "$address" "$@"
    record "$capture" "${COMMAND[@]}"
    stop_server
}

stack_listens() {
    [[ $(in_client cat /sys/class/net/c0/carrier) == 1 ]]
}

# stack_server STACK CAPTURE 4|6 [OPTION...]: Linux connects to the stack; sysctls are those of OFFER.
stack_server() {
    local stack=$1 capture=$2 address=$SERVER4 setting
    [[ $3 == 6 ]] && address=$SERVER6
    shift 3
    tap_network
    for setting in "${OFFER[@]}"; do
        client_sysctl "${setting%=*}" "${setting#*=}"
    done
    stack_command "$stack" serve "$address" "$@"
    "${COMMAND[@]}" &
    SERVER=$!
    wait_for "the stack has its device" stack_listens
    # The device is there before the socket.
    sleep 0.5
    record "$capture" connect "$address" "$PORT"
    stop_server
}

COMMAND=()
OFFER=()

# stack_answers STACK PREFIX [OPTION...]: as server, with each choice of options offered.
stack_answers() {
    local stack=$1 prefix=$2 timestamps sack scaling
    shift 2
    for timestamps in 0 1; do
        for sack in 0 1; do
            for scaling in 0 1; do
                OFFER=("net.ipv4.tcp_timestamps=$timestamps" "net.ipv4.tcp_sack=$sack"
                    "net.ipv4.tcp_window_scaling=$scaling")
                stack_server "$stack" "${prefix}_ts${timestamps}_sack${sack}_ws${scaling}" 4 "$@"
            done
        done
    done
    OFFER=()
}

# record_stack STACK [OPTION...]
record_stack() {
    local stack=$1
    shift
    stack_client "$stack" "${stack}_client" 4 "$@"
    stack_client "$stack" "${stack}_client6" 6 "$@"
    stack_server "$stack" "${stack}_server6" 6 "$@"
    stack_answers "$stack" "${stack}_server" "$@"
}

# build_stack STACK COMMAND...: false if the command fails; its words are shown then.
build_stack() {
    local stack=$1
    shift
    command -v "$1" >/dev/null && "$@" >"$WORK/build.log" 2>&1 && return
    cat "$WORK/build.log" >&2 2>/dev/null || true
    skip "$stack" "it cannot be built here"
    return 1
}

scenario_stack_gvisor() {
    build_stack gvisor go -C "$STACKS/gvisor" build -o "$WORK/stack-gvisor" . || return 0
    record_stack gvisor
}

# The window is the receive buffer, whose size every program has to choose.
scenario_stack_smoltcp() {
    build_stack smoltcp cargo install --quiet --locked --debug --path "$STACKS/smoltcp" --root "$WORK/smoltcp" \
        --target-dir "$WORK/target" || return 0
    ln -s "$WORK/smoltcp/bin/record-smoltcp" "$WORK/stack-smoltcp"
    record_stack smoltcp 65535 0
    stack_client smoltcp smoltcp_client_stamps 4 65535 1
    stack_client smoltcp smoltcp_client_4k 4 4096 0
    stack_client smoltcp smoltcp_client_256k 4 262144 0
    # With timestamps, which a program has to ask for.
    stack_answers smoltcp smoltcp_stamps 65535 1
}

# With the settings of Debian's library.
scenario_stack_lwip() {
    build_stack lwip cc -O1 -Wall -I/usr/include/lwip -o "$WORK/stack-lwip" "$STACKS/lwip/main.c" -llwip || return 0
    record_stack lwip
}

# --- start --------------------------------------------------------------------------------------------

clean_up() {
    local process
    for process in $RECORDER $SERVER; do
        kill "$process" 2>/dev/null || true
    done
    remove_network
    if [[ -n $WORK ]]; then
        rm -rf "$WORK"
    fi
}

prepare() { write_peer; }

main "$@"
