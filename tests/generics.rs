//! Generic device functions and kernels.

use kernel_rt::prelude::*;

/// a + (b - a)·t
#[device]
fn mix<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t.clamp(T::ZERO, T::lit(1.0))
}

/// The sum of the squares of the components.
#[device]
fn energy<T: Float, const N: usize>(v: Vector<T, N>) -> T {
    let mut sum = T::ZERO;
    for k in 0..N {
        sum += v[k] * v[k];
    }
    T::lit(0.5) * sum
}

/// The largest element of a window.
#[device]
fn largest<T: Number>(x: &[T], from: usize, to: usize) -> T {
    let mut most = x[from];
    for k in from + 1..to {
        most = most.max(x[k]);
    }
    most
}

/// One of two values.
#[device]
fn pick<T: Value>(first: bool, a: T, b: T) -> T {
    if first { a } else { b }
}

/// Interpolates between two tables of numbers, in both precisions.
#[kernel(family = "arithmetic", instances(f32, f64))]
pub fn blend_tables<T: Float>(
    #[domain(-2.0..2.0)] a: &[T],
    #[domain(-2.0..2.0)] b: &[T],
    #[domain(0.1..0.9)] t: T,
    out: &mut [T],
) {
    let i = tid();
    out[i] = mix(a[i], b[i], t) * T::lit(0.1);
}

/// The energies of states of one size, with one function for both.
#[kernel(family = "vector", instances((f32, 3), (f64, 3), (f32, 6)))]
pub fn state_energies<T: Float, const N: usize>(
    #[domain(-2.0..2.0)] states: &[Vector<T, N>],
    #[domain(-2.0..2.0)] weights: &[T],
    out: &mut [T],
) {
    let i = tid();
    let scale = pick(i % 2 == 0, T::ONE, T::cast(N));
    out[i] = weights[i] * energy(states[i]) / scale;
}

/// The largest number of each window, and whether it is in the first half.
#[kernel(family = "nested_loop", instances((f32, 4), (i32, 4), (u64, 8)))]
pub fn window_peaks<T: Number, const WIDTH: usize>(x: &[T], peaks: &mut [T]) {
    let i = tid();
    let start = i / WIDTH * WIDTH;
    let end = (start + WIDTH).min(x.len());
    peaks[i] = largest(x, start, end);
}

/// x³, with its derivative.
#[device(grad(x = cube_dx))]
fn cube<T: Float>(x: T) -> T {
    x * x * x
}

#[device]
fn cube_dx<T: Float>(x: T, adj: T) -> T {
    adj * T::lit(3) * x * x
}

/// The same function in two precisions, and how far they are apart.
#[kernel(family = "conversion")]
pub fn precision_loss(#[domain(-2.0..2.0)] x: &[f32], exact: &mut [f64], loss: &mut [f64]) {
    let i = tid();
    let wide = cube(x[i] as f64);
    exact[i] = wide;
    loss[i] = wide - cube(x[i]) as f64;
}

#[device]
mod shapes {
    use kernel_rt::prelude::*;

    /// A disc.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Disc {
        /// The radius.
        pub(super) radius: f32,
    }

    impl Disc {
        /// The area.
        pub(super) fn area(self) -> f32 {
            std::f32::consts::PI * square(self.radius)
        }
    }

    /// x².
    pub(super) fn square<T: Number>(x: T) -> T {
        x * x
    }

    /// The sum of the first `COUNT` powers of x.
    pub(super) fn geometric<const COUNT: i32, const SKIP_FIRST: bool>(x: f32) -> f32 {
        let mut sum = 0.0;
        for k in 0..COUNT {
            sum += if SKIP_FIRST && k == 0 { 0.0 } else { x.powi(k) };
        }
        sum
    }

    /// Adds to the first element.
    pub(super) fn add_to<T: Number>(totals: &mut [T], at: usize, value: T) {
        totals[at] += value;
    }
}

/// Generic functions beside a struct whose method calls one, with constants behind the name.
#[kernel(family = "reduction")]
pub fn discs_and_series(#[domain(0.1..0.9)] x: &[f32], counts: &[i32], out: &mut [f32], squares: &mut [i32]) {
    let i = tid();
    let disc = shapes::Disc { radius: x[i] };
    out[i] = disc.area() + shapes::geometric::<4, true>(x[i]) + shapes::geometric::<3, false>(x[i]);
    squares[i] = shapes::square::<i32>(counts[i] % 100);
    shapes::add_to(squares, i, 1);
    shapes::add_to(out, i, 0.5);
}

/// The integral of a function by midpoints.
#[device]
fn integral<T: Float>(f: impl Fn(T) -> T, a: T, b: T) -> T {
    let mut sum = T::ZERO;
    let h = (b - a) / T::lit(8);
    for k in 0..8 {
        sum += f(a + h * (T::cast(k) + T::lit(0.5)));
    }
    sum * h
}

#[device]
fn bump(x: f32) -> f32 {
    (-x * x).exp()
}

/// The gradient of a field by central differences.
#[device]
fn slope<F: Fn(Vec3, f32) -> f32 + Copy>(field: F, at: Vec3, t: f32) -> Vec3 {
    let h = 0.125;
    let dx = field(at + Vec3::X * h, t) - field(at - Vec3::X * h, t);
    let dy = field(at + Vec3::Y * h, t) - field(at - Vec3::Y * h, t);
    let dz = field(at + Vec3::Z * h, t) - field(at - Vec3::Z * h, t);
    Vec3::new(dx, dy, dz) / (2.0 * h)
}

/// A function that passes on what it gets.
#[device]
fn slope_along(field: impl Fn(Vec3, f32) -> f32 + Copy, at: Vec3, direction: Vec3) -> f32 {
    slope(field, at, 0.5).dot(direction)
}

#[device]
mod fields {
    use kernel_rt::prelude::*;

    /// The distance from a sphere around the origin.
    pub(super) fn sphere(p: Vec3, r: f32) -> f32 {
        p.length_squared() - r
    }

    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    fn third(x: f32) -> f32 {
        x / 3.0
    }

    /// x / 9
    pub(super) fn ninth(x: f32) -> f32 {
        twice(third, x)
    }
}

/// Functions as arguments: plain, generic, of a module, and passed on.
#[kernel(family = "math")]
pub fn integrals_and_slopes(
    #[domain(0.5..2.0)] b: &[f32],
    #[domain(-1.0..1.0)] p: &[Vec3],
    out: &mut [f32],
    slopes: &mut [f32],
) {
    let i = tid();
    out[i] = integral(bump, 0.0, b[i]) + integral(cube::<f32>, 0.0, b[i]) + fields::ninth(b[i]);
    out[i] += integral(cube::<f64>, 0.0, b[i] as f64) as f32;
    slopes[i] = slope_along(fields::sphere, p[i], Vec3::new(1.0, 2.0, b[i]));
}

/// Sorts a few numbers.
#[device]
fn sort<T: Number, const N: usize>(a: &mut [T; N]) {
    for i in 1..N {
        let mut j = i;
        while j > 0 && a[j - 1] > a[j] {
            let larger = a[j - 1];
            a[j - 1] = a[j];
            a[j] = larger;
            j -= 1;
        }
    }
}

#[device]
fn total<T: Float>(x: &[T]) -> T {
    let mut sum = T::ZERO;
    for k in 0..x.len() {
        sum += x[k];
    }
    sum
}

#[device]
fn accumulate<T: Number>(sum: &mut T, value: T) {
    *sum += value;
}

/// Generic functions of local arrays, rows, ranges, variables and elements.
#[kernel(family = "nested_loop", instances(f32, f64))]
pub fn row_medians<T: Float>(
    #[domain(-2.0..2.0)]
    #[shape(dim0, 5)]
    x: &Array2<T>,
    #[domain(-2.0..2.0)] more: &[T],
    out: &mut [T],
) {
    let i = tid();
    let mut a = [T::ZERO; 5];
    for k in 0..5 {
        a[k] = x[[i, k]];
    }
    sort(&mut a);
    let mut sum = a[2];
    accumulate(&mut sum, total(x.row(i)));
    accumulate(&mut sum, total(&a) * T::lit(0.5));
    accumulate(&mut sum, total(&more[i..]));
    accumulate(&mut out[i], sum);
}

/// The same functions of bytes.
#[kernel(family = "conversion")]
pub fn median_bytes(x: &[u8], out: &mut [u8]) {
    let i = tid();
    let mut a = [x[i] / 4, 3, 100];
    sort(&mut a);
    out[i] = 0;
    accumulate(&mut out[i], a[1]);
}

#[test]
fn arguments_choose_the_instance() {
    let device = Device::cpu();
    let (a, b) = (device.array_from(&[1.0f32, 2.0]).unwrap(), device.array_from(&[3.0f32, 4.0]).unwrap());
    let out = device.zeros::<f32>(2).unwrap();
    blend_tables::launch(&device, 2, (&a, &b, 0.5, &out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0.2, 0.3]);

    let (a, b) = (device.array_from(&[1.0f64, 2.0]).unwrap(), device.array_from(&[3.0f64, 4.0]).unwrap());
    let (tape, out) = (Tape::new(&device), device.zeros::<f64>(2).unwrap());
    blend_tables::launch(&tape, 2, (&a, &b, 0.25, &out)).unwrap();
    let seeds = device.array_from(&[1.0f64, 1.0]).unwrap();
    tape.backward_from(&[Seed::new(&out, &seeds).unwrap()]).unwrap();
    assert_eq!(tape.gradient(&a).unwrap().to_vec().unwrap(), [0.75 * 0.1; 2]);
}

#[test]
fn instances_have_names() {
    let names: Vec<&str> = registered_kernels().iter().map(|kernel| kernel.name).collect();
    for name in ["blend_tables_f32", "blend_tables_f64", "state_energies_f32_6", "window_peaks_u64_8"] {
        assert!(names.contains(&name), "{name}");
    }
    // The first instance of a function has its name.
    assert!(precision_loss::CUDA_FORWARD.contains("double cube(double x)"), "{}", precision_loss::CUDA_FORWARD);
    assert!(precision_loss::CUDA_FORWARD.contains("float cube_f32(float x)"), "{}", precision_loss::CUDA_FORWARD);
    // The author's text keeps the function generic, and the kernel is plain.
    let source = state_energies_f32_6::RUST_SOURCE;
    assert!(source.contains("fn energy<T: Float, const N: usize>(v: Vector<T, N>) -> T"), "{source}");
    assert!(source.contains("pub fn state_energies_f32_6("), "{source}");
    assert!(source.contains("states: &[Vector<f32, 6>]"), "{source}");
}
