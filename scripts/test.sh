#!/usr/bin/env bash
# Runs all tests of the workspace; arguments go to `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# Where rustup puts cargo, which a shell older than the installation does not search.
PATH=$PATH:${CARGO_HOME:-${HOME-}/.cargo}/bin
scripts/setup.sh
exec cargo test --workspace "$@"
