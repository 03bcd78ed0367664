#!/usr/bin/env bash
# Times `cargo build` of the kernel families from a clean target folder, dependencies included. The goal is less than 60 s
# on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fetch --quiet
target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT
export CARGO_TARGET_DIR="$target"
TIMEFORMAT="from clean: %R s by the clock, %U + %S s of computing"
time cargo build --quiet -p weft-kernels
touch kernels/src/lib.rs
TIMEFORMAT="the families again: %R s by the clock, %U + %S s of computing"
time cargo build --quiet -p weft-kernels
