#!/usr/bin/env bash
# Sees to what building and testing need: a Rust toolchain with rustfmt and clippy in the PATH, and a linker.
set -euo pipefail
cd "$(dirname "$0")/.."

# The oldest compiler that will do, as the manifest says.
wanted=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

# Installs Debian packages, if this is a machine where that can be done.
install_packages() {
    command -v apt-get >/dev/null || fail "please install: $*"
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "please install as root: $*"
        sudo=(sudo)
    fi
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

command -v cargo >/dev/null || fail "no cargo in the PATH: install Rust $wanted or newer, for example from https://rustup.rs"

found=$(rustc --version | cut -d' ' -f2)
if [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
    fail "Rust $found is too old, $wanted is needed: rustup update stable"
fi

if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
    if command -v rustup >/dev/null; then
        rustup component add rustfmt clippy
    else
        printf 'setup: rustfmt or clippy is missing; only .ci/run needs them\n' >&2
    fi
fi

if ! command -v cc >/dev/null; then
    install_packages gcc libc6-dev
fi

# Further packages, as `program:package`, for those who ask for them.
missing=()
for tool in "$@"; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
fi
