#!/usr/bin/env bash
# Builds huginn-net and runs it with these arguments, in the folder one is in.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# Where rustup puts cargo, which a shell older than the installation does not search.
PATH=$PATH:${CARGO_HOME:-${HOME-}/.cargo}/bin
# Standard output is for records. The first build takes minutes, and says so.
"$root/scripts/setup.sh" >&2
package=(--locked --release --manifest-path "$root/Cargo.toml" -p huginn-net-cli)
cargo build "${package[@]}" >&2
exec cargo run --quiet "${package[@]}" -- "$@"
