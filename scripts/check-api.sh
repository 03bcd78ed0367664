#!/usr/bin/env bash
# Compares the public API of the libraries with that of an earlier revision, by cargo-semver-checks: a breaking change needs
# a new minor version, as the versions are below 1.0. Only with WEFT_FULL=1, because the tool and the documentation of both
# revisions take minutes to build.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    cat <<END
Usage: WEFT_FULL=1 scripts/check-api.sh [REVISION]

REVISION is the revision of git to compare with; without it, the parent of HEAD. Nothing is compared with a registry.
Installs cargo-semver-checks by scripts/install-tools.sh --api.
END
    exit
fi
if [[ ${WEFT_FULL:-0} != 1 ]]; then
    echo "not checked: the API; WEFT_FULL=1 does that"
    exit
fi

revision=$(git rev-parse --verify --quiet "${1:-HEAD^}^{commit}") || {
    echo "error: git has no revision ${1:-HEAD^} here; a shallow clone has no parents" >&2
    exit 2
}
scripts/install-tools.sh --api

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/baseline"
git archive "$revision" | tar -x -C "$scratch/baseline"

# The tool finds packages by their names, and cannot compare macros.
status=0
for folder in kernel-ir kernel-rt kernels gen-dataset; do
    package=$(sed -n 's/^name = "\(.*\)"/\1/p' "$folder/Cargo.toml" | head -1)
    if ! grep -q "^name = \"$package\"" "$scratch/baseline/$folder/Cargo.toml" 2>/dev/null; then
        echo "not checked: $package, which is not in $revision under this name"
        continue
    fi
    "${WEFT_TOOLS:-.tools}/bin/cargo-semver-checks" semver-checks --package "$package" --baseline-root "$scratch/baseline" ||
        status=1
done
exit $status
