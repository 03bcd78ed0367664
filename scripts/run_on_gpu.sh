#!/usr/bin/env bash
# Runs everything that needs a GPU, and writes a report. See docs/gpu-testing.md.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'USAGE'
Usage: scripts/run_on_gpu.sh [--report FILE]        build here, run here
       scripts/run_on_gpu.sh --prepare FOLDER       build here, to run elsewhere
       scripts/run_on_gpu.sh --prepared FOLDER [--report FILE]
                                                    run what --prepare made; needs neither Rust nor a network

It runs the device suites (every registered kernel and adjoint against the interpreter, the tape, graphs), the heat
example, standalone programs of a sample of records compiled by nvcc, and the benchmark; the report says what passed, on
which device. It exits with 1 if something failed.

Examples:
  scripts/run_on_gpu.sh --report docs/gpu-report.md
  scripts/run_on_gpu.sh --prepare gpu && scp -r gpu scripts other: && ssh other scripts/run_on_gpu.sh --prepared gpu
USAGE
}

fail() {
    echo "error: $1" >&2
    exit 2
}

# The number of standalone programs in the sample.
readonly programs=40

# The path of a target's executable, from the JSON messages of cargo.
executable() { # cargo's arguments
    cargo "$@" --no-run --message-format=json 2>/dev/null |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

prepare() { # folder
    local folder=$1 binary
    mkdir -p "$folder/programs"
    cargo test -p tests --features cuda --no-run
    binary=$(executable test -p tests --features cuda --test all)
    strip -o "$folder/tests" "$binary"
    binary=$(executable bench -p tests --features cuda --bench device)
    strip -o "$folder/bench" "$binary"
    cargo build --release -p examples --features cuda --example plate
    strip -o "$folder/heat" "${CARGO_TARGET_DIR:-target}/release/examples/plate"
    rm -rf "$folder/dataset" "$folder/programs"
    # The same features as in the builds above, so that nothing is built twice.
    cargo run --release --quiet -p gen-dataset --features kernel-rt/cuda -- generate --output "$folder/dataset"
    cargo run --release --quiet -p gen-dataset --features kernel-rt/cuda -- export "$folder/dataset" --cu "$folder/programs"
    rm -rf "$folder/dataset"
    # Keeps evenly spaced programs, so that all families are in the sample.
    local all=("$folder"/programs/*.cu) kept=0
    for i in "${!all[@]}"; do
        if ((i * programs / ${#all[@]} < kept)); then rm "${all[i]}"; else kept=$((kept + 1)); fi
    done
    echo "prepared $folder: $(du -sh "$folder" | cut -f1)"
}

failed=0
section() { # title, command…
    local title=$1 status=0
    shift
    printf '\n## %s\n\n```\n' "$title"
    "$@" 2>&1 || status=$?
    printf '```\n\n'
    if ((status == 0)); then echo "passed"; else echo "**FAILED** with status $status" && failed=1; fi
}

suite() { # folder, filter
    (cd tests 2>/dev/null || true; WEFT_REQUIRE_DEVICE=1 WEFT_DEVICE=cuda "$1/tests" "$2" --skip stand_in)
}

standalone() { # folder
    local bad=0 run=0 source
    command -v nvcc >/dev/null || { echo "nvcc is not in PATH" && return 1; }
    for source in "$1"/programs/*.cu; do
        run=$((run + 1))
        if ! nvcc -std=c++17 -arch=native -o "$scratch/program" "$source" || ! "$scratch/program" >"$scratch/out"; then
            bad=$((bad + 1))
            echo "$(basename "$source"): $(tail -1 "$scratch/out")"
        fi
    done
    echo "$((run - bad)) of $run standalone programs print PASS"
    ((bad == 0))
}

run() { # folder
    echo "# Report of a run on a GPU"
    echo
    echo "Date: $(date -u +%Y-%m-%d)"
    section "Device" nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv
    section "Kernels, adjoints, arrays, graphs" suite "$1" device::
    section "Tape" suite "$1" tape::
    section "Heat example" "$1/heat" --device cuda "$scratch/heat"
    section "Standalone programs" standalone "$1"
    section "Benchmark" "$1/bench" --bench
}

report=/dev/stdout folder='' mode=both
while (($#)); do
    case $1 in
        -h | --help) usage && exit ;;
        --report) report=${2:?--report takes a file} && shift 2 ;;
        --prepare | --prepared) mode=${1#--} folder=${2:?$1 takes a folder} && shift 2 ;;
        *) fail "unknown argument $1; --help says what there is" ;;
    esac
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[[ -n $folder ]] || folder=$scratch/prepared
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[[ $mode == prepared ]] || prepare "$folder" >&2
[[ $mode == prepare ]] && exit
[[ -x $folder/tests ]] || fail "$folder was not made by --prepare"
command -v nvidia-smi >/dev/null || fail "this machine has no NVIDIA driver (nvidia-smi is missing)"
run "$folder" >"$scratch/report.md" || failed=1
cat "$scratch/report.md" >"$report"
exit "$failed"
