#!/usr/bin/env bash
# Packages every crate that may be published, in the order of their dependencies, and checks that each archive has all that
# its build reads. With WEFT_FULL=1 cargo builds each archive by itself, and installs the tool from the checkout: minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    echo "Usage: [WEFT_FULL=1] scripts/check-packages.sh"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Those whose manifest does not forbid it.
mapfile -t packages < <(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] is None:
        print(package["name"])
')
arguments=()
for package in "${packages[@]}"; do
    arguments+=(-p "$package")
done

# Targets whose files the archive leaves out, such as tests, are reported as warnings, and so is the missing address.
full=${WEFT_FULL:-0}
if [[ $full == 1 ]]; then
    folder=$(cargo metadata --no-deps --format-version 1 | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
    cargo package --quiet --allow-dirty "${arguments[@]}"
else
    folder=$scratch
    cargo package --quiet --allow-dirty --no-verify --target-dir "$folder" "${arguments[@]}"
fi 2>"$scratch/log" || {
    cat "$scratch/log" >&2
    exit 1
}

python3 - "$folder/package" "${packages[@]}" <<'END'
"""Checks the archives in a folder."""
import pathlib, re, sys, tarfile, tomllib

# The registry's limit.
LARGEST = 10 * 1024 * 1024

folder, packages = pathlib.Path(sys.argv[1]), sys.argv[2:]
version = tomllib.loads(pathlib.Path("Cargo.toml").read_text())["workspace"]["package"]["version"]
wrong = []
for package in packages:
    path = folder / f"{package}-{version}.crate"
    if not path.is_file():
        wrong.append(f"{package}: cargo made no {path.name}; do the versions in Cargo.toml agree?")
        continue
    if path.stat().st_size > LARGEST:
        wrong.append(f"{package}: the archive has {path.stat().st_size} bytes, and a registry takes {LARGEST}")
    with tarfile.open(path) as archive:
        files = {
            pathlib.PurePosixPath(*pathlib.PurePosixPath(member.name).parts[1:]): archive.extractfile(member).read()
            for member in archive.getmembers()
            if member.isfile()
        }
    manifest = tomllib.loads(files[pathlib.PurePosixPath("Cargo.toml")].decode())["package"]
    for key in ["description", "license", "keywords", "categories", "readme"]:
        if not manifest.get(key):
            wrong.append(f"{package}: the manifest has no {key}")
    needed = ["LICENSE", manifest.get("readme", "README.md")]
    for name in needed:
        if not files.get(pathlib.PurePosixPath(name), b"").strip():
            wrong.append(f"{package}: the archive has no {name}, or an empty one")
    for name, text in files.items():
        if name.suffix != ".rs":
            continue
        for included in re.findall(r'\binclude(?:_str|_bytes)?!\(\s*"([^"]+)"', text.decode()):
            parts = []
            for part in (name.parent / included).parts:
                if part != "..":
                    parts.append(part)
                elif parts:
                    parts.pop()
                else:
                    parts = ["outside of the package"]
                    break
            if pathlib.PurePosixPath(*parts) not in files:
                wrong.append(f"{package}: {name} includes `{included}`, which the archive does not have")
    print(f"{path.name}: {len(files)} files, {path.stat().st_size // 1024} KiB")
for line in wrong:
    print(f"error: {line}", file=sys.stderr)
sys.exit(bool(wrong))
END

if [[ $full == 1 ]]; then
    cargo install --quiet --locked --path gen-dataset --root "$scratch/installed"
    (cd "$scratch" && installed/bin/gen-dataset --version && installed/bin/gen-dataset generate --count 2 >/dev/null)
    echo "cargo install --path gen-dataset gives a tool that works"
else
    echo "not built from the archives: WEFT_FULL=1 does that"
fi
