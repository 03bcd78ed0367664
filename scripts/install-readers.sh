#!/usr/bin/env bash
# Installs the programs with which tests read datasets into `.readers/` of the checkout: pyarrow, polars, DuckDB,
# `datasets`, Ray, datatrove and emulators of S3 and Google Cloud Storage from PyPI, in a virtual environment, and an
# emulator of Azure Blob Storage from npm.
set -euo pipefail
source "$(dirname "$0")/lib/install.sh"

# Pinned versions, so that a test only fails because of a change in this repository.
python_packages=(
    azure-storage-blob==12.31.1
    datasets==5.2.0
    datatrove==0.10.1
    duckdb==2.0.0
    gcp-storage-emulator==2026.7.19
    jsonschema==4.26.0
    'moto[server]==5.2.5'
    polars==2.1.0
    pyarrow==26.0.1
    PyYAML==6.0.3
    ray==2.60.0
    zstandard==0.25.0
)
node_packages=(
    azurite@3.37.0
)

case "${1:-}" in
    "") ;;
    -h | --help)
        echo "Usage: scripts/install-readers.sh"
        echo "Installs into .readers/ of the checkout, or into \$WEFT_READERS if that is set: ${python_packages[*]} ${node_packages[*]}"
        exit
        ;;
    *) fail "unknown argument \`$1\`; --help shows what there is" ;;
esac

folder=${WEFT_READERS:-$(cd "$(dirname "$0")/.." && pwd)/.readers}
stamp="$folder/stamp"
if is_complete "$stamp" "${python_packages[@]}" "${node_packages[@]}"; then
    echo "the readers in $folder are complete"
    exit
fi
command -v npm >/dev/null || fail "npm is missing; install nodejs and npm"
rm -f "$stamp"
install_python_packages "$folder/venv" "${python_packages[@]}"
npm install --prefix "$folder/node" --silent --no-audit --no-fund "${node_packages[@]}" ||
    fail "npm cannot install the packages"
stamp_of "${python_packages[@]}" "${node_packages[@]}" >"$stamp"
echo "installed the readers in $folder"
