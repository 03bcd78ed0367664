#!/usr/bin/env bash
# Times what a kernel adds to its author's `cargo build`: builds a crate outside the workspace with 50 kernels and with none.
# The dependencies are built before. The goal is less than 60 ms of CPU time for each kernel.
#
#     scripts/bench-kernels.sh               # this workspace
#     scripts/bench-kernels.sh ../weft-0.2   # another checkout, for a comparison
set -euo pipefail
shopt -s inherit_errexit
here=$(cd "$(dirname "$0")/.." && pwd)
workspace=$(cd "${1:-$here}" && pwd)
kernels=50
rounds=5

crate=$(mktemp -d)
trap 'rm -rf "$crate"' EXIT
export CARGO_TARGET_DIR="$crate/target" CARGO_INCREMENTAL=0
mkdir "$crate/src"
cp "$workspace/Cargo.lock" "$crate/"
cat >"$crate/Cargo.toml" <<END
[package]
name = "author"
version = "0.0.0"
edition = "2024"

[dependencies]
kernel-rt = { path = "$workspace/kernel-rt" }

[workspace]
END

# Writes the crate with $1 kernels, which alternate between five kinds, from one line to a loop with an exit.
write_crate() {
    echo "#![allow(unused_imports)]"
    echo "use kernel_rt::prelude::*;"
    for ((n = 0; n < $1; n++)); do
        case $((n % 5)) in
            0) cat <<END ;;
/// y = a·x + y.
#[kernel]
pub fn axpy_$n(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}
END
            1) cat <<END ;;
/// Symplectic Euler steps of a pendulum.
#[kernel]
pub fn pendulum_$n(k: f32, steps: i32, start: &[f32], end: &mut [f32]) {
    let i = tid();
    let mut p = start[i];
    let mut v = 0.0;
    for _ in 0..steps {
        v -= 0.01 * k * p.sin();
        p += 0.01 * v;
    }
    end[i] = p;
}
END
            2) cat <<END ;;
/// The force of a damped spring on each particle.
#[kernel]
pub fn spring_$n(stiffness: f32, damping: f32, rest: f32, at: &[Vec3], moving: &[Vec3], force: &mut [Vec3]) {
    let i = tid();
    let away = at[i];
    let length = away.length();
    if length > 1e-6 {
        let along = away / length;
        let stretch = stiffness * (length - rest) + damping * moving[i].dot(along);
        force[i] = along * -stretch;
    } else {
        force[i] = Vec3::ZERO;
    }
}
END
            3) cat <<END ;;
/// An element of a matrix product.
#[kernel]
pub fn product_$n(inner: usize, a: &Array2<f32>, b: &Array2<f32>, c: &mut Array2<f32>) {
    let (row, column) = tid2();
    let mut sum = 0.0;
    for k in 0..inner {
        sum += a[[row, k]] * b[[k, column]];
    }
    c[[row, column]] = sum;
}
END
            4) cat <<END ;;
/// Newton's method for a root, until the step is short.
#[kernel]
pub fn root_$n(x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut guess = 1.0;
    let mut steps = 0;
    while steps < 20 {
        let next = 0.5 * (guess + x[i] / guess);
        if (next - guess).abs() < 1e-12 {
            break;
        }
        guess = next;
        steps += 1;
    }
    y[i] = guess;
}
END
        esac
    done
}

# The least CPU time of several builds of the crate, in milliseconds. Wall time would include other load.
build() {
    local best= round took user system
    local TIMEFORMAT="%U %S"
    write_crate "$1" >"$crate/src/lib.rs"
    for ((round = 0; round <= rounds; round++)); do
        touch "$crate/src/lib.rs"
        took=$({ time cargo build --quiet --offline --manifest-path "$crate/Cargo.toml" 2>"$crate/log"; } 2>&1) || {
            cat "$crate/log" >&2
            return 1
        }
        read -r user system <<<"$took"
        took=$((10#${user/./} + 10#${system/./}))
        # The first round builds the dependencies.
        if ((round > 0)) && [[ -z $best || $took -lt $best ]]; then best=$took; fi
    done
    echo "$best"
}

none=$(build 0)
all=$(build $kernels)
echo "a crate without kernels: $none ms; with $kernels: $all ms; a kernel: $(((all - none) / kernels)) ms"
