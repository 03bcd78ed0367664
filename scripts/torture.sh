#!/usr/bin/env bash
# Computes the gradients of the torture suite with Weft and with every other installed system, and writes the tables into
# docs/gradients.md. scripts/install-judges.sh --peers installs the other systems.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    echo "Usage: scripts/torture.sh [--only KERNEL]"
    echo "Prints the tables of gradients and writes them into docs/gradients.md; with --only, prints one row."
    exit
fi

folder=${WEFT_JUDGES:-$PWD/.judges}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
figures=$scratch/figures.json
WEFT_TORTURE=$figures cargo test --quiet -p tests --test all torture::figures_for_the_others >&2

pythons=()
add() { # adds system $1, if package $2 is in the virtual environment $3
    local python="$folder/$3/bin/python"
    if "$python" -c "import importlib.metadata as m; m.version('$2')" 2>/dev/null; then
        pythons+=(--python "$1=$python")
    else
        echo "no $1 in $folder/$3" >&2
    fi
}
add Warp warp-lang venv
add Quadrants quadrants peers
add Taichi taichi peers
add Dr.Jit drjit peers
add JAX jax peers
add PyTorch torch peers
[[ ! -f $folder/llvm/libLLVM.so ]] || export DRJIT_LIBLLVM_PATH=$folder/llvm/libLLVM.so
# Fresh caches, because results of an earlier run prove nothing.
export WARP_CACHE_PATH=$scratch/warp PYTHONDONTWRITEBYTECODE=1

runner=${pythons[1]:-=python3}
if (($#)); then
    "${runner#*=}" judges/torture.py --figures "$figures" "${pythons[@]}" "$@"
else
    "${runner#*=}" judges/torture.py --figures "$figures" "${pythons[@]}" --document docs/gradients.md
fi
