#!/usr/bin/env bash
# Times `cargo build` of the kernel families from a clean target folder, dependencies included. To be held: under 60 s
# on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fetch --quiet
target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT
start=$(date +%s.%N)
CARGO_TARGET_DIR="$target" cargo build --quiet -p kernels
everything=$(date +%s.%N)
touch kernels/src/lib.rs
CARGO_TARGET_DIR="$target" cargo build --quiet -p kernels
end=$(date +%s.%N)
echo "from clean: $(echo "$everything - $start" | bc) s; the families again: $(echo "$end - $everything" | bc) s"
