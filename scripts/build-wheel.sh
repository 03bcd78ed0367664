#!/usr/bin/env bash
# Builds the Python wheel that carries `gen-dataset`, installs it into an empty environment, and runs it there.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<END
Usage: scripts/build-wheel.sh [--dev] [--help]

Writes the wheel to dist/. With --dev, the wheel has the unoptimised program with the features of
\`cargo test --workspace --features cuda,object-store,wgpu\`, and is thrown away after the checks.
Needs what scripts/install-tools.sh installs.
END
}

fail() {
    echo "error: $1" >&2
    exit 2
}

dev=no
case "${1:-}" in
    "") ;;
    --dev) dev=yes ;;
    -h | --help)
        usage
        exit
        ;;
    *) fail "unknown argument \`$1\`; --help shows what there is" ;;
esac

maturin=${WEFT_TOOLS:-$PWD/.tools}/venv/bin/maturin
[[ -x $maturin ]] || fail "there is no $maturin; scripts/install-tools.sh installs it"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build() { # maturin's options
    # A folder of its own, so that exactly one wheel is in it. maturin reads the pyproject.toml of the current folder.
    (cd python && "$maturin" build --quiet --locked --out "$scratch/wheel" "$@")
}

if [[ $dev == yes ]]; then
    # The features of that build, so that no dependency is built again. A wheel for this machine alone may link to anything.
    build --profile dev --features object-store,wgpu,kernel-rt/cuda --compatibility linux --compression-method stored
else
    build --release --strip
fi

wheels=("$scratch"/wheel/*.whl)
python3 -m venv "$scratch/venv" || fail "python3 cannot make virtual environments; install python3-venv"
bin=$scratch/venv/bin
# The wheel depends on no other package.
"$bin/pip" install --quiet --disable-pip-version-check --no-index "${wheels[0]}"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
run() { # runs the program away from the checkout; what it says is shown if it fails
    (cd "$scratch" && "$@" 2>said) || {
        cat "$scratch/said" >&2
        fail "\`${*#"$scratch"/venv/bin/}\` does not work from the wheel"
    }
}
[[ $(run "$bin/gen-dataset" --version) == "gen-dataset $version" ]] || fail "the wheel has another version than $version"
[[ $(run "$bin/python" -m weft --version) == "gen-dataset $version" ]] || fail "\`python -m weft\` is another program"
[[ $(run "$bin/python" -c 'import weft; print(weft.__version__)') == "$version" ]] || fail "the package has another version"
run "$bin/gen-dataset" list | grep -q saxpy || fail "the program in the wheel lists no kernels"
run "$bin/gen-dataset" generate --count 3 --configs default,rl --output dataset >/dev/null
run "$bin/gen-dataset" validate dataset --judges none >/dev/null
run "$bin/gen-dataset" doctor --json | "$bin/python" -c 'import json, sys; assert json.load(sys.stdin)["parts"]'

# The scorer of the package finds the program of the wheel, and Linux on x86-64 has what it needs.
cat >"$scratch/score.py" <<'END'
import json
import weft

with open("dataset/data/rl/train-00000-of-00001.jsonl", encoding="utf-8") as rows:
    row = json.loads(next(rows))
reward = weft.KernelReward()
assert reward(completions=["def f(): pass"], **{name: [row[name]] for name in ("id", "task", "ir", "seed")}) == [0.0]
END
[[ $(uname -sm) != "Linux x86_64" ]] || run "$bin/python" score.py

size=$(du -h "${wheels[0]}" | cut -f 1)
if [[ $dev == yes ]]; then
    echo "the wheel works: $(basename "${wheels[0]}"), $size"
else
    mkdir -p dist
    cp "${wheels[0]}" dist/
    echo "the wheel works: dist/$(basename "${wheels[0]}"), $size"
fi
