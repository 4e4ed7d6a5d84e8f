#!/usr/bin/env bash
# Builds huginn-net and runs it with these arguments, in the folder one is in.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

"$root/scripts/setup.sh"
exec cargo run --quiet --release --manifest-path "$root/Cargo.toml" -p huginn-net-cli -- "$@"
