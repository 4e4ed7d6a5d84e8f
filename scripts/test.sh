#!/usr/bin/env bash
# Runs all tests of the workspace; arguments go to `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
exec cargo test --workspace "$@"
