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

It runs the device suites (every registered kernel and adjoint against the interpreter, the tape, graphs), the same
on the GPU's Vulkan driver if it has one, the heat example, standalone programs of a sample of records compiled by nvcc,
and the benchmark; the report says what passed, on which device. It exits with 1 if something failed.

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
# The seconds that a suite may take.
readonly limit=${WEFT_LIMIT:-3600}

# The path of a target's executable, from the JSON messages of cargo.
executable() { # cargo's arguments
    cargo "$@" --no-run --message-format=json 2>/dev/null |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

prepare() { # folder
    local folder=$1 tool features=kernel-rt/cuda,kernel-rt/wgpu
    mkdir -p "$folder/programs"
    cargo test -p tests --features cuda,wgpu --test all --no-run
    strip -o "$folder/tests" "$(executable test -p tests --features cuda,wgpu --test all)"
    cargo bench -p tests --features cuda,wgpu --bench device --no-run
    strip -o "$folder/bench" "$(executable bench -p tests --features cuda,wgpu --bench device)"
    cargo build --release -p examples --features cuda,wgpu --example plate
    strip -o "$folder/heat" "${CARGO_TARGET_DIR:-target}/release/examples/plate"
    rm -rf "$folder/dataset" "$folder/programs"
    # The same features as in the builds above, so that nothing is built twice.
    cargo build --release -p gen-dataset --features "wgpu,$features"
    tool=${CARGO_TARGET_DIR:-target}/release/gen-dataset
    "$tool" generate --output "$folder/dataset"
    "$tool" export "$folder/dataset" --cu "$folder/programs"
    rm -rf "$folder/dataset"
    # Keeps evenly spaced programs, so that all families are in the sample.
    local all kept=0
    mapfile -t all < <(find "$folder/programs" -name '*.cu' | sort)
    for i in "${!all[@]}"; do
        if ((i * programs / ${#all[@]} < kept)); then rm "${all[i]}"; else kept=$((kept + 1)); fi
    done
    ((kept == programs)) || fail "$kept programs were exported"
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

suite() { # folder, filters…
    local tests=$1/tests
    shift
    (cd tests 2>/dev/null || true; WEFT_REQUIRE_DEVICE=1 WEFT_DEVICE=cuda timeout "$limit" "$tests" "$@" --skip stand_in)
}

# Each process compiles one kernel at a time, so the kernels are divided among several.
in_parts() { # folder, filter
    local parts part bad=0
    parts=$(nproc)
    for ((part = 1; part <= parts; part++)); do
        WEFT_PART=$part/$parts suite "$1" "$2" >"$scratch/part$part" 2>&1 &
    done
    for ((part = 1; part <= parts; part++)); do wait -n || bad=$((bad + 1)); done
    for ((part = 1; part <= parts; part++)); do
        echo "part $part of $parts: $(grep '^test result' "$scratch/part$part" || tail -3 "$scratch/part$part")"
        grep -h 'agree with' "$scratch/part$part" || true
        grep -q '^test result: ok' "$scratch/part$part" || sed -n '/^failures:/,$p' "$scratch/part$part"
    done
    ((bad == 0))
}

# Compiles and runs one program; prints its name and last line if it fails.
one_program() { # source
    local built=$scratch/${1//\//_}
    nvcc -std=c++17 -fmad=false -arch=native -o "$built" "$1" >"$built.out" 2>&1 && "$built" >"$built.out" 2>&1 ||
        echo "$(basename "$1"): $(tail -1 "$built.out")"
}

standalone() { # folder
    local sources bad
    mapfile -t sources < <(find "$1/programs" -name '*.cu')
    command -v nvcc >/dev/null || { echo "nvcc is not in PATH" && return 1; }
    export -f one_program
    export scratch
    bad=$(printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'one_program "$1"' one_program)
    [[ -z $bad ]] || echo "$bad"
    echo "$((${#sources[@]} - $(grep -c . <<<"$bad"))) of ${#sources[@]} standalone programs print PASS"
    [[ -z $bad ]]
}

run() { # folder
    echo "# Report of a run on a GPU"
    echo
    echo "Date: $(date -u +%Y-%m-%d)"
    section "Device" nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv
    section "Kernels and adjoints" in_parts "$1" device::parity
    section "Arrays, launches, streams, graphs" suite "$1" device:: --skip parity --skip adapter
    section "Tape" suite "$1" tape::
    section "Heat example" "$1/heat" --device cuda "$scratch/heat"
    section "Standalone programs" standalone "$1"
    section "Benchmark" "$1/bench" --bench
    section "WGSL on the driver for Vulkan: launches, functions, tape" suite "$1" wgsl::launch wgsl::functions device::tapes_on_an_adapter
    section "WGSL on the driver for Vulkan: kernels and adjoints" in_parts "$1" wgsl::parity::every
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
run "$folder" >"$report"
exit "$failed"
