# Short names for what is done often; `just` lists them.

_default:
    @just --list

# Run the command: just run read pcaps/real/v4.pcap
run *args:
    scripts/run.sh {{args}}

# Run all tests
test *args:
    scripts/test.sh {{args}}

# Run everything a change must pass
ci:
    .ci/run

# Format and lint
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets -- -D warnings

# Write the expected records again; look at the difference before you commit it
bless:
    HUGINN_BLESS=1 cargo test -p huginn-net-cli --test cli records_are_those_expected

# Compare with p0f and tshark
differential:
    cargo test -p huginn-net-cli --test differential

# Run the benches of a crate: just bench huginn-net-tcp
bench crate:
    cargo bench -p {{crate}}
