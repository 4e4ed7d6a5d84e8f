#!/usr/bin/env bash
# Runs what one would use instead on the same captures, beside huginn-net: p0f, tshark and ndpiReader as Debian has them,
# and crates for their part of the work. See benches/README.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$#" -eq 0 ]; then
    printf 'usage: %s CAPTURE…\n' "$0" >&2
    exit 2
fi
export PATH="$PATH:/usr/sbin"
scripts/setup.sh p0f:p0f tshark:tshark ndpiReader:libndpi-bin
cargo build --release --quiet -p huginn-net-cli -p benchkit --features benchkit/peers --bin huginn-net --bin peers
target=${CARGO_TARGET_DIR:-target}/release
HUGINN_NET=$target/huginn-net exec "$target/peers" "$@"
