//! Hygiene: the code that `#[kernel]` emits does not depend on the names around it.

/// A module without a prelude, in which other items have every name that the macro might rely on.
mod nothing_in_scope {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types, reason = "the names are there to be in the way")]

    use ::kernel_rt::prelude::{kernel, tid};

    struct Result;
    struct Option;
    struct Vec;
    struct String;
    struct Device;
    struct DeviceArray;
    struct LaunchDim;
    struct LaunchError;
    struct KernelInfo;
    struct str;
    struct usize;
    mod core {}
    mod std {}
    mod kernel_rt {}

    /// Doubles every element.
    #[kernel]
    pub(super) fn double(x: &mut [f32]) {
        let i = tid();
        x[i] *= 2.0;
    }
}

/// Parameters and locals with names that the emitted code uses itself.
mod names_of_the_macro {
    use kernel_rt::prelude::*;

    /// Every element of `result` becomes the sum of everything else.
    #[kernel]
    pub(super) fn thread(
        dim: f32,
        args: &[f32],
        index: f32,
        #[shape(1, dim0)] device: &Array2<f32>,
        r#loop: f32,
        result: &mut [f32],
    ) {
        let all = tid();
        let launch = args[all] + device[[0, all]];
        // A local with the name of a kernel in this module. `thread` must not be a value there.
        let thread = dim + index;
        result[all] = launch + thread + r#loop;
    }

    /// Out of the author's way even where they meet in one scope.
    #[kernel]
    pub(super) fn hosts(a_host: &mut Array2<f32>, a: &mut Array2<f32>) {
        let (i, j) = tid2();
        a_host[[i, j]] += a[[i, j]];
        a[[i, j]] = 0.0;
    }

    /// Parameters called like the adjoints of others.
    #[kernel]
    pub(super) fn adjoints(x: &[f64], x_: &[f64], adj_x: f64, adj_adj_x: &[f64], y: &mut [f64]) {
        let i = tid();
        let adj_y = x[i] * adj_x + x_[i];
        y[i] = adj_y * adj_adj_x[i];
    }
}

/// Names that the emitted code has for functions, constants and values that it supplies to bodies.
mod names_of_functions {
    use kernel_rt::prelude::{Array2, device, kernel};

    #[device]
    fn twice(x: f64) -> f64 {
        x + x
    }

    macro_rules! kernels {
        ($($name:ident)*) => {$(
            #[allow(non_snake_case, reason = "some names are those of other languages")]
            pub(super) mod $name {
                use kernel_rt::prelude::kernel;

                /// The parameter is a number.
                #[kernel]
                pub(crate) fn value($name: f64, x: &[f64], y: &mut [f64]) {
                    let i = kernel_rt::tid();
                    y[i] = (x[i] * $name).abs().sqrt().max(0.5);
                }

                /// The parameter is an array. Threads go through the loop in step.
                #[kernel]
                pub(crate) fn array($name: &[f64], y: &mut [f64]) {
                    let i = kernel_rt::tid();
                    let mut sum = 0.0;
                    for k in 0..$name.len() {
                        let d = $name[k] - $name[i];
                        sum += d / (d * d + 0.1);
                    }
                    y[i] = sum;
                }
            }
        )*};
    }
    kernels!(
        thread threads all group launch plan parts index chunk tid tid2 atomic_add cpu __group __lane __index
        // Names of the target languages.
        float double int sqrt sqrtf fabs fmax fmaxf blockIdx threadIdx std weft wp lambda def range print len max
    );

    /// A parameter called like a function, a parameter called like a constant, and a local.
    #[kernel]
    #[allow(non_snake_case, reason = "the name is that of a constant")]
    pub(super) fn called(twice: &[f64], SCHEDULE: f64, y: &mut [f64]) {
        let atomic_add = kernel_rt::tid();
        let mut tid = 0.0;
        for k in 0..twice.len() {
            tid += self::twice(twice[k]) * SCHEDULE;
        }
        kernel_rt::atomic_add(&mut y[atomic_add], tid);
    }

    /// Two axes.
    #[kernel]
    pub(super) fn axes(tid2: &Array2<f64>, y: &mut Array2<f64>) {
        let (tid, atomic_max) = kernel_rt::tid2();
        y[[tid, atomic_max]] = tid2[[tid, atomic_max]] * tid2[[tid, atomic_max]];
    }
}

/// Kernels that other macros produce, in part or as a whole.
mod other_macros {
    use kernel_rt::prelude::*;

    macro_rules! offset {
        ($name:ident, $ty:ty, $offset:expr) => {
            /// Adds a constant.
            #[kernel]
            pub(super) fn $name(x: &mut [$ty]) {
                let i = tid();
                x[i] += $offset;
            }
        };
    }
    offset!(offset_f32, f32, 1.0 + 0.5);
    offset!(offset_i64, i64, 3);

    macro_rules! under_attribute {
        ($($item:tt)*) => {
            #[kernel]
            $($item)*
        };
    }
    under_attribute! {
        /// The index, twice.
        pub(super) fn indices(x: &mut [u32]) {
            let i = tid();
            x[i] = i as u32 + kernel_rt::tid() as u32;
        }
    }
}

/// A macro fragment keeps the meaning that it had where it was written. `parity` compares these kernels with the
/// interpreter, as all others.
mod fragments {
    #![deny(warnings)]

    use kernel_rt::prelude::*;

    macro_rules! kernels {
        ($sum:expr, $difference:expr, $either:expr, $negative:literal, $int:expr, $float:ty, $value:block, $path:path) => {
            #[device]
            pub(super) fn times_sum(a: f64) -> f64 {
                a * $sum
            }

            #[device]
            const THRICE: f64 = 3.0 * $sum;

            /// Products and quotients with a sum.
            #[kernel]
            pub(super) fn factors(x: &[$float], y: &mut [f64]) {
                let i = $path();
                let a: $float = x[i];
                y[i] = a * $sum + a / $sum - $sum * a;
            }

            /// What binds more tightly than a difference, a comparison and a sign.
            #[kernel]
            pub(super) fn signs(x: &[f64], y: &mut [f64]) {
                let i = tid();
                let alone = $sum;
                y[i] = -$difference.abs() * x[i] + $negative.abs() + alone;
                if !$either {
                    y[i] = 100.0;
                }
                if $either {
                    y[i] += 1000.0;
                }
            }

            /// A constant, a block, and a device function.
            #[kernel]
            pub(super) fn constants(x: &[f64], y: &mut [f64]) {
                const TWICE: f64 = 2.0 * $sum;
                let i = tid();
                y[i] = x[i] * TWICE * $value + times_sum(x[i]) + THRICE;
            }

            /// Attributes, casts, the end of a range, and an index.
            #[kernel]
            pub(super) fn places(#[domain(0.0..2.0 * $sum)] x: &[f64], #[shape(2 * $int)] y: &mut [f64]) {
                let i = tid();
                let mut sum = $int as f64;
                for k in 0..$int {
                    sum += x[(i * $int) % x.len()] * k as $float;
                }
                if i < y.len() {
                    y[i] = sum;
                }
            }
        };
    }
    kernels!(2.0 + 3.0, 2.0f64 - 3.0, 1 > 2 || 3 < 4, -2.0f64, 2 + 1, f64, { 1.0 + 1.0 }, kernel_rt::tid);
}

#[test]
fn names_in_scope_do_not_matter() {
    let mut x = [1.0, 2.0];
    nothing_in_scope::double::cpu(2, &mut x).unwrap();
    assert_eq!(x, [2.0, 4.0]);
}

#[test]
fn names_of_the_author_do_not_matter() {
    use kernel_rt::prelude::*;

    let row = Array2::from_vec([1, 2], vec![10.0, 20.0]).unwrap();
    let mut result = [0.0; 2];
    names_of_the_macro::thread::cpu(2, 100.0, &[1.0, 2.0], 1000.0, &row, 10000.0, &mut result).unwrap();
    assert_eq!(result, [11111.0, 11122.0]);

    let device = Device::cpu();
    let (left, right) = (device.array_from_nd(&row).unwrap(), device.array_from_nd(&row).unwrap());
    names_of_the_macro::hosts::launch(&device, [1, 2], (&left, &right)).unwrap();
    assert_eq!(left.to_vec().unwrap(), [20.0, 40.0]);
    assert_eq!(right.to_vec().unwrap(), [0.0, 0.0]);

    let (x, more) = (device.array_from(&[2.0]).unwrap(), device.array_from(&[3.0]).unwrap());
    let (factors, y) = (device.array_from(&[5.0]).unwrap(), device.zeros(1).unwrap());
    let tape = Tape::new(&device);
    names_of_the_macro::adjoints::launch(&tape, 1, (&x, &more, 10.0, &factors, &y)).unwrap();
    tape.backward(&y).unwrap();
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [50.0]);
    assert_eq!(tape.gradient(&more).unwrap().to_vec().unwrap(), [5.0]);
    assert_eq!(tape.gradient(&factors).unwrap().to_vec().unwrap(), [23.0]);
}

#[test]
fn names_of_called_functions_do_not_matter() {
    use kernel_rt::prelude::*;

    let mut y = [0.0; 2];
    names_of_functions::threads::value::cpu(2, 2.0, &[0.0, -8.0], &mut y).unwrap();
    assert_eq!(y, [0.5, 4.0]);
    names_of_functions::tid::array::cpu(2, &[1.0, 1.0], &mut y).unwrap();
    assert_eq!(y, [0.0, 0.0]);
    names_of_functions::called::cpu(2, &[1.0, 2.0], 10.0, &mut y).unwrap();
    assert_eq!(y, [60.0, 60.0]);
    let row = Array2::from_vec([1, 2], vec![3.0, 4.0]).unwrap();
    let mut squares = Array2::zeros([1, 2]);
    names_of_functions::axes::cpu((1, 2), &row, &mut squares).unwrap();
    assert_eq!(squares.as_slice(), [9.0, 16.0]);
}

#[test]
fn macros_around_a_kernel_do_not_matter() {
    let (mut floats, mut ints, mut indices) = ([1.0], [1], [0; 3]);
    other_macros::offset_f32::cpu(1, &mut floats).unwrap();
    other_macros::offset_i64::cpu(1, &mut ints).unwrap();
    other_macros::indices::cpu(3, &mut indices).unwrap();
    assert_eq!((floats, ints, indices), ([2.5], [4], [0, 2, 4]));
}

#[test]
fn fragments_of_macros_stay_whole() {
    let x = [1.5, -2.0];
    let mut y = [0.0; 2];
    fragments::factors::cpu(2, &x, &mut y).unwrap();
    assert_eq!(y, x.map(|a| a * 5.0 + a / 5.0 - 5.0 * a));
    fragments::signs::cpu(2, &x, &mut y).unwrap();
    assert_eq!(y, x.map(|a| -a + 2.0 + 5.0 + 1000.0));
    fragments::constants::cpu(2, &x, &mut y).unwrap();
    assert_eq!(y, x.map(|a| a * 10.0 * 2.0 + a * 5.0 + 15.0));
    let mut z = [0.0; 6];
    fragments::places::cpu(2, &x, &mut z).unwrap();
    assert_eq!(z, [3.0 + 3.0 * x[0], 3.0 + 3.0 * x[1], 0.0, 0.0, 0.0, 0.0]);
    assert!(fragments::factors::RUST_SOURCE.contains("a * (2.0 + 3.0)"), "{}", fragments::factors::RUST_SOURCE);
}

#[test]
fn a_kernel_may_stand_in_a_function() {
    use kernel_rt::prelude::*;

    /// Every element becomes 1.
    #[kernel]
    fn ones(x: &mut [f32]) {
        let i = tid();
        x[i] = 1.0;
    }

    let mut x = [0.0; 2];
    ones::cpu(2, &mut x).unwrap();
    assert_eq!(x, [1.0; 2]);
}
