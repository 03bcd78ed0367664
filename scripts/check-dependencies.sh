#!/usr/bin/env bash
# Checks the dependencies by cargo-deny, with the rules of `deny.toml`: licences, versions of one crate, wildcards, sources.
# Advisories are not checked: their database is a repository of its own, and CI reaches package registries only.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    echo "Usage: scripts/check-dependencies.sh"
    echo "Needs what scripts/install-tools.sh installs. \`cargo-deny check advisories\` asks the database of advisories."
    exit
fi

deny=${WEFT_TOOLS:-.tools}/venv/bin/cargo-deny
[[ -x $deny ]] || {
    echo "error: there is no $deny; scripts/install-tools.sh installs it" >&2
    exit 2
}
"$deny" --locked --all-features --workspace check bans licenses sources
