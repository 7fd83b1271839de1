#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, documentation, tests, and the engine without threads.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

step() { printf '\n== %s\n' "$*"; }

step format
cargo fmt --all --check

step lints
cargo clippy --workspace --all-targets -- -D warnings

step documentation
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step tests
cargo test --workspace

step "the engine on one thread only, same bits"
cargo test -p ondine --no-default-features --test engine determinism

step "determinism in a release build"
cargo test --release -p ondine --test engine determinism

step "the gallery's hashes in a release build"
cargo test --release -p ondine-cli --test gallery runs_the_same
