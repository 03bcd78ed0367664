#!/usr/bin/env bash
# Compiles every program that `gen-dataset export` wrote. For the host, it also runs each program, which must print PASS.
# With nvcc it only compiles, because running needs a GPU.
set -euo pipefail

usage() {
    cat <<END
Usage: scripts/check-programs.sh [--every N] DIR [NVCC]

It runs whatever is in the folder, as you. \`gen-dataset export\` verifies what it writes, unless told to trust the dataset.

  DIR   the folder that \`gen-dataset export DATASET --cu DIR\` wrote
  NVCC  the nvcc to compile with instead of g++, such as .judges/cuda/bin/nvcc

  --every N  take one program in N, by name
END
}

every=1
if [[ ${1:-} == --every && ${2:-} =~ ^[1-9][0-9]*$ ]]; then
    every=$2
    shift 2
fi
if [[ $# -lt 1 || $# -gt 2 || $1 == -h || $1 == --help ]]; then
    usage
    [[ ${1:-} == -h || ${1:-} == --help ]] && exit 0 || exit 2
fi
folder=$1
export nvcc=${2:-}
scratch=$(mktemp -d)
export scratch
trap 'rm -rf "$scratch"' EXIT

# Prints the name of the program $1 and its error, if it has one.
check() {
    local out said
    out=$(mktemp -p "$scratch")
    if [[ -n $nvcc ]]; then
        local cuda=${nvcc%/bin/nvcc}
        said=$("$nvcc" -O2 -fmad=false -arch=sm_90 -I"$cuda/include" -L"$cuda/lib" "$1" -o "$out" 2>&1) && [[ -z $said ]] && said=PASS
    else
        # The optimiser is not under test here, and compiling without it takes half the time.
        said=$(g++ -O0 -ffp-contract=off -DWEFT_HOST -x c++ "$1" -o "$out" 2>&1 && "$out")
    fi
    rm -f "$out"
    [[ $said == PASS ]] || echo "$1: ${said:-it does not compile}"
}
export -f check

mapfile -d '' -t programs < <(find "$folder" -name '*.cu' -print0 | sort -z)
chosen=()
for ((place = every - 1; place < ${#programs[@]}; place += every)); do
    chosen+=("${programs[place]}")
done
count=${#chosen[@]}
((count)) || {
    echo "error: there is no program in $folder" >&2
    exit 2
}
printf '%s\0' "${chosen[@]}" |
    xargs -0 -P "$(nproc)" -I{} bash -c 'check "$1"' check {} >"$scratch/wrong" || true
cat "$scratch/wrong"
if [[ -s $scratch/wrong ]]; then
    exit 1
fi
echo "$count programs pass"
