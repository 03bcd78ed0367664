//! Device functions, and derivatives given by their authors.

use kernel_ir::front::compile_file;
use kernel_ir::gradcheck::{Failure, Launch, dot_product};
use kernel_ir::{sample, text};
use kernel_rt::prelude::*;
use kernel_rt::{Seed, registered_kernels};
use kernels::functions::{smooth_min, smoothstep};
use tests::checked;

/// Functions of another crate, one of them by its path.
#[kernel(family = "user")]
fn blend_edges(#[domain(0.1..0.5)] width: f32, #[domain(0.0..1.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = smooth_min(smoothstep(x[i]), 0.5, width) + kernels::functions::smoothstep(0.5 * x[i]);
}

#[test]
fn functions_of_another_crate_are_called() {
    let x = [0.0, 0.3, 0.9];
    let mut y = [0.0; 3];
    blend_edges::cpu(3, 0.25, &x, &mut y).unwrap();
    assert_eq!(y, x.map(|x| smooth_min(smoothstep(x), 0.5, 0.25) + smoothstep(0.5 * x)));
    assert_eq!(blend_edges::CUDA_FORWARD.matches("static __device__ float").count(), 2);
    assert_eq!(blend_edges::PYTHON.matches("@wp.func\n").count(), 2);
}

/// The steps from a number to 1 by Collatz's rule. For 0 the loop does not end.
#[device]
fn collatz_steps(start: u32) -> u32 {
    let mut n = start;
    let mut count = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    count
}

/// Steps to 1. The side that is not chosen must not be evaluated.
#[kernel(family = "user")]
fn collatz(#[domain(0..30)] n: &[u32], count: &mut [u32]) {
    let i = tid();
    count[i] = if n[i] == 0 { 0 } else { collatz_steps(n[i]) };
}

#[test]
fn a_side_that_is_not_chosen_is_not_evaluated() {
    let check = |device: &Device| {
        let n = device.array_from(&[0, 1, 27, 0]).unwrap();
        let count = device.zeros::<u32>(4).unwrap();
        collatz::launch(device, 4, (&n, &count)).unwrap();
        assert_eq!(count.to_vec().unwrap(), [0, 0, 111, 0]);
    };
    check(&Device::cpu());
    #[cfg(feature = "wgpu")]
    crate::device::adapter().iter().for_each(check);
}

/// The sum of a row of a matrix, weighted.
#[device]
fn row_dot(m: &Array2<f32>, row: usize, x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..m.shape()[1] {
        sum += m[[row, j]] * x[j];
    }
    sum
}

/// Products of the rows of a matrix with two vectors.
#[kernel(family = "user")]
fn two_products(
    #[domain(-1.0..1.0)]
    #[shape(dim0, dim0 + 2)]
    m: &Array2<f32>,
    #[domain(-1.0..1.0)]
    #[shape(dim0 + 2)]
    x: &[f32],
    #[domain(-1.0..1.0)]
    #[shape(dim0 + 2)]
    z: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = row_dot(m, i, x) * row_dot(m, i, z);
}

#[test]
fn functions_read_the_arrays_of_the_kernel() {
    let m = Array2::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    let mut y = [0.0; 2];
    two_products::cpu(2, &m, &[1.0, 10.0], &[0.0, 1.0], &mut y).unwrap();
    assert_eq!(y, [42.0, 172.0]);
    let info = registered_kernels().into_iter().find(|info| info.name == "two_products").unwrap();
    assert_eq!(info.execution, "all cores; each thread has its own elements of `y`");
    let device = Device::cpu();
    let (m, x, z) = (device.array_from_nd(&m).unwrap(), [1.0, 10.0], [0.0, 1.0]);
    let [x, z] = [x, z].map(|of| device.array_from(&of).unwrap());
    let y = device.zeros::<f32>(2).unwrap();
    let tape = Tape::new(&device);
    two_products::launch(&tape, 2, (&m, &x, &z, &y)).unwrap();
    let weights = device.array_from(&[1.0, 1.0]).unwrap();
    tape.backward_from(&[Seed::new(&y, &weights).unwrap()]).unwrap();
    // Σᵢ mᵢⱼ·(m·z)ᵢ
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [1.0 * 2.0 + 3.0 * 4.0, 2.0 * 2.0 + 4.0 * 4.0]);
}

#[test]
fn an_index_out_of_bounds_in_a_function_is_an_error() {
    let m = Array2::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    let found = two_products::cpu(2, &m, &[1.0, 10.0], &[0.0], &mut [0.0; 2]).unwrap_err().to_string();
    assert!(found.starts_with("kernel `two_products`, thread [0]: index out of bounds"), "{found}");
    assert!(found.contains("functions.rs"), "{found}");
}

/// x², with a derivative that no calculus gives.
#[device(grad(x = seven), surrogate)]
fn square(x: f64, offset: f64) -> f64 {
    x * x + offset
}

#[device]
fn seven(x: f64, offset: f64, adj: f64) -> f64 {
    7.0 * adj + 0.0 * (x + offset)
}

/// Squares.
#[kernel(family = "user")]
fn squares(#[domain(-1.0..1.0)] offset: f64, #[domain(-1.0..1.0)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = 2.0 * square(3.0 * x[i], offset) + square(offset, x[i]);
}

#[test]
fn the_derivative_is_the_authors() {
    let device = Device::cpu();
    let x = device.array_from(&[1.0, -2.0]).unwrap();
    let y = device.zeros::<f64>(2).unwrap();
    let tape = Tape::new(&device);
    let launch = squares::launch(&tape, 2, (0.5, &x, &y)).unwrap();
    let weights = device.array_from(&[1.0, 10.0]).unwrap();
    tape.backward_from(&[Seed::new(&y, &weights).unwrap()]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.0 * 9.5 + 1.25, 2.0 * 36.5 - 1.75]);
    // With respect to `x`, the first call contributes 2·7·3. The second contributes nothing, because `x` is not its
    // first parameter.
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [42.0, 420.0]);
    assert_eq!(tape.value_gradient::<f64>(launch, "offset").unwrap(), 7.0 * 11.0);
}

#[test]
fn the_root_has_the_gradient_of_the_root() {
    let device = Device::cpu();
    let (e, mean) = (0.3, 1.2);
    let eccentricity = device.array_from(&[e]).unwrap();
    let mean_anomaly = device.array_from(&[mean]).unwrap();
    let radius = device.zeros::<f64>(1).unwrap();
    let tape = Tape::new(&device);
    kernels::math::orbit_radius::launch(&tape, 1, (1.0, &eccentricity, &mean_anomaly, &radius)).unwrap();
    tape.backward(&radius).unwrap();
    let mut anomaly: f64 = mean;
    (0..99).for_each(|_| anomaly = mean + e * anomaly.sin());
    let slope = 1.0 / (1.0 - e * anomaly.cos());
    let close = |found: &DeviceArray<f64>, expected: f64| {
        let found = tape.gradient(found).unwrap().to_vec().unwrap()[0];
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    };
    close(&mean_anomaly, e * anomaly.sin() * slope);
    close(&eccentricity, e * anomaly.sin() * anomaly.sin() * slope - anomaly.cos());
    assert!(!kernels::math::orbit_radius::IR_BACKWARD.contains("trips"), "the steps are not differentiated");
}

/// Compiles a kernel and compares its adjoint with dual numbers.
fn judged(source: &str) -> Result<f64, Failure> {
    let kernel = compile_file(source.parse().unwrap()).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let backward = kernel_ir::adjoint::backward(&kernel).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let args = sample::args(&kernel, &[9], 1).unwrap();
    dot_product(&kernel, &backward, Launch { dim: &[9], args: &args, trips: 1000, seed: 1 })
}

/// A kernel that calls a function `f` with the derivative `df`.
fn with_derivative(ret: &str, body: &str, derivative: &str) -> String {
    format!(
        "#[device] fn df(x: f64, v: DVec3, adj: {ret}) -> DVec3 {{ {derivative} }}
        #[device(grad(v = df), surrogate)] fn f(x: f64, v: DVec3) -> {ret} {{ {body} }}
        #[kernel] fn k(#[domain(-1.0..1.0)] x: &[f64], #[domain(-1.0..1.0)] v: &[DVec3], y: &mut [{ret}]) {{
            let i = tid();
            let mut w = v[i];
            for j in 0..3 {{
                if w.x < 0.5 {{ w += v[i] * 0.3; }}
                y[i] += f(x[i] * w.y, w + v[i] * w.z);
                w.x -= 0.1 * j as f64;
            }}
        }}"
    )
}

#[test]
fn adjoints_use_the_derivative_in_loops_and_branches() {
    judged(&with_derivative("f64", "x * v.x", "v * (x * adj)")).unwrap();
    judged(&with_derivative("DVec3", "v * x", "adj.cross(v) * x")).unwrap();
    judged(&with_derivative("DMat2", "DMat2::from_cols(v.truncate(), v.truncate())", "v * adj.col(1).x")).unwrap();
}

#[test]
fn a_derivative_that_is_not_linear_in_the_adjoint_is_noticed() {
    let found = judged(&with_derivative("f64", "x * v.x", "v * adj.clamp(-0.1, 0.1)"));
    assert!(matches!(found, Err(Failure::Mismatch(_))), "{found:?}");
}

#[test]
fn code_without_a_derivative_of_its_own_is_differentiated() {
    // A result from each kind of exit, and calls in a condition, after `&&`, in a select, and as an index.
    let found = judged(
        "#[device] fn limit(x: f64, most: f64) -> f64 {
            let mut left = x;
            for k in 0..4 {
                if left > most { return most + 0.1 * left; }
                left = left * 1.5 + 0.01 * k as f64;
            }
            if left < -most { -most * left } else { left.sin() }
        }
        #[device] fn twice(x: f64) -> f64 { limit(x, 0.3) + x * limit(x * x, 0.7) }
        #[device] fn place(i: usize) -> usize { i }
        #[device] fn parity(n: i32) -> f64 { let mut m = n; while m > 1 { m -= 2; } m as f64 }
        #[kernel] fn k(#[domain(-1.0..1.0)] x: &[f64], y: &mut [f64]) {
            let i = tid();
            let mut sum = x[i];
            let mut n = 0;
            while limit(sum, 2.0) < 3.0 && n < 5 {
                if sum > 0.0 && twice(sum) > 0.2 || n == 3 { sum += 0.25 * twice(sum); }
                sum = if n == 2 { limit(sum, 0.5) } else { 1.1 * sum + parity(n) * limit(x[i], 0.1) };
                n += 1;
            }
            y[place(i)] = sum * twice(x[i]);
        }",
    );
    assert!(found.is_ok(), "{found:?}");
}

mod first {
    use kernel_rt::prelude::*;

    #[device]
    pub(super) fn scale(x: f32) -> f32 {
        2.0 * x
    }
}

mod second {
    use kernel_rt::prelude::*;

    #[device]
    pub(super) fn scale(x: f32) -> f32 {
        super::first::scale(x) + 1.0
    }
}

/// Functions of one name, which the kernel has, too.
#[kernel(family = "user")]
fn scale(#[domain(-1.0..1.0)] x: &mut [f32]) {
    let i = tid();
    x[i] = second::scale(x[i]) * first::scale(x[i]);
}

#[test]
fn functions_of_one_name_get_numbers() {
    let mut x = [0.5];
    scale::cpu(1, &mut x).unwrap();
    assert_eq!(x, [2.0]);
    assert!(scale::RUST_SOURCE.contains("x[i] = scale_2(x[i]) * scale_1(x[i]);"), "{}", scale::RUST_SOURCE);
}

#[test]
fn the_rust_source_is_the_whole_program() {
    let mut count = 0;
    for info in registered_kernels().into_iter().filter(|info| info.ir.contains("#[device")) {
        let compiled = compile_file(info.rust_source.parse().unwrap());
        let kernel = compiled.unwrap_or_else(|mistakes| panic!("{}: {mistakes:#?}", info.name));
        assert_eq!(text::print(&kernel), info.ir);
        assert_eq!(kernel, checked(info));
        count += 1;
    }
    assert!(count >= 8, "{count} kernels have device functions");
}
