//! What `#[kernel]` emits means the same whatever its surroundings call things.

/// A module without a prelude, in which every name that the macro might lean on is somebody else's.
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

/// Names of parameters and locals that the emitted code uses for itself.
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
        // Called like a kernel of this module: `thread` must not be a value.
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
}

/// Kernels that come out of other macros, in part or as a whole.
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
