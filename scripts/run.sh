#!/usr/bin/env bash
# Builds huginn-net and runs it with these arguments, in the folder one is in.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# Where rustup puts cargo, which a shell older than the installation does not search.
PATH=$PATH:${CARGO_HOME:-${HOME-}/.cargo}/bin
"$root/scripts/setup.sh"
exec cargo run --quiet --release --manifest-path "$root/Cargo.toml" -p huginn-net-cli -- "$@"
