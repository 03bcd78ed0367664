#!/usr/bin/env bash
# Checks that dependencies between the workspace's crates point one way:
# gen-dataset -> weft-kernels -> kernel-rt -> kernel-macros -> kernel-ir, that only kernel-rt depends on the CUDA bindings, and
# that the tool is built with one version of syn. (tests/layers checks the modules inside the crates.)
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A allowed=(
    [kernel-ir]=""
    [kernel-macros]="kernel-ir"
    [kernel-rt]="kernel-ir kernel-macros"
    [weft-kernels]="kernel-rt"
    [gen-dataset]="kernel-ir kernel-rt weft-kernels"
    [examples]="kernel-rt"
)
status=0
for crate in "${!allowed[@]}"; do
    while read -r dependency; do
        case "$dependency" in
            kernel-ir | kernel-macros | kernel-rt | weft-kernels | gen-dataset | tests)
                if [[ " ${allowed[$crate]} " != *" $dependency "* ]]; then
                    echo "error: $crate depends on $dependency; it may depend on: ${allowed[$crate]:-nothing of ours}"
                    status=1
                fi
                ;;
            cudarc)
                if [[ $crate != kernel-rt ]]; then
                    echo "error: $crate depends on cudarc; only kernel-rt may"
                    status=1
                fi
                ;;
        esac
    done < <(cargo tree --package "$crate" --all-features --edges normal,build --depth 1 --prefix none --format '{p}' |
        tail -n +2 | cut -d ' ' -f 1)
done
# A second version of syn costs several seconds of a first build. `half` 2.7 depends on zerocopy-derive and so on syn 2,
# so Cargo.lock holds `half` 2.6.
syns=$(cargo tree --package gen-dataset --edges normal,build --prefix none --format '{p}' | grep '^syn ' | cut -d ' ' -f 2 | sort -u)
if [[ $(wc -l <<<"$syns") != 1 ]]; then
    echo "error: gen-dataset is built with several versions of syn:" $syns
    status=1
fi
# What a user's program gets of glam is its own choice: `scalar-math` would change the alignment of `glam::Vec4` in it.
of_users=$(cargo tree --package kernel-rt --edges normal --prefix none --format '{p}')
if grep '^\(glam\|mint\|nalgebra\) ' <<<"$of_users"; then
    echo "error: kernel-rt depends on a crate of linear algebra without a feature that asks for it"
    status=1
fi
with_glam=$(cargo tree --package kernel-rt --features glam --edges normal,features)
if grep 'glam feature "scalar-math"' <<<"$with_glam"; then
    echo "error: kernel-rt turns on glam's scalar-math"
    status=1
fi
exit $status
