#!/usr/bin/env bash
# Times what a kernel adds to its author's `cargo build`: a crate outside the workspace is built with 50 kernels and with
# none, its dependencies being built already. To be held: under 40 ms a kernel on 2 cores.
#
#     scripts/bench-kernels.sh               # this workspace
#     scripts/bench-kernels.sh ../weft-0.2   # another checkout, for a comparison
set -euo pipefail
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

# Writes the crate with so many kernels: five kinds in turn, from a line to two nested loops.
write_crate() {
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
/// A row of a matrix product.
#[kernel]
pub fn product_$n(size: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let row = tid();
    for column in 0..size {
        let mut sum = 0.0;
        for k in 0..size {
            sum += a[row * size + k] * b[k * size + column];
        }
        c[row * size + column] = sum;
    }
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

# The fastest of some builds of the crate alone, in milliseconds.
build() {
    local best= round start took
    write_crate "$1" >"$crate/src/lib.rs"
    for ((round = 0; round <= rounds; round++)); do
        touch "$crate/src/lib.rs"
        start=$(date +%s%N)
        cargo build --quiet --offline --manifest-path "$crate/Cargo.toml"
        took=$((($(date +%s%N) - start) / 1000))
        # The first one builds the dependencies.
        if ((round > 0)) && [[ -z $best || $took -lt $best ]]; then best=$took; fi
    done
    echo "$best"
}

none=$(build 0)
all=$(build $kernels)
echo "a crate without kernels: $((none / 1000)) ms; with $kernels: $((all / 1000)) ms"
echo "a kernel: $(((all - none) / kernels)) µs"
