//! Generic device functions and kernels that are right.

use kernel_rt::prelude::*;

#[device]
fn mix<T: Float>(a: T, b: T, t: T) -> T {
    let one = T::lit(1);
    a * (one - t) + b * t.min(one).max(T::lit(-0.5)).abs()
}

#[device]
fn products<T: Number, const N: usize>(a: Vector<T, N>, b: Vector<T, N>) -> T {
    let mut sum = T::ZERO;
    for k in 0..N {
        sum += a[k] * b[k];
    }
    sum
}

#[device]
fn transformed<T: Float, const R: usize, const C: usize>(m: Matrix<T, R, C>, v: Vector<T, C>) -> Vector<T, R> {
    m * v
}

#[device]
fn chosen<V: Value>(first: bool, a: V, b: V) -> V {
    if first { a } else { b }
}

#[device]
fn bits<T: Integer>(x: T) -> T {
    (x ^ x >> 1) & !T::lit(8) | T::cast(x.count_ones())
}

#[device]
fn magnitude<T: SignedNumber>(x: T) -> T {
    -x.abs() * x.signum()
}

#[device]
fn window_sum<T: Number, const WIDTH: usize>(x: &[T], from: usize) -> T {
    let mut kept = [T::ZERO; WIDTH];
    for k in 0..WIDTH {
        kept[k] = x[from + k];
    }
    let mut sum = kept[0];
    for k in 1..WIDTH {
        sum += kept[k];
    }
    sum
}

#[device]
fn twice_or_thrice<const THRICE: bool>(x: f32) -> f32 {
    if THRICE { 3.0 * x } else { 2.0 * x }
}

/// A function of another generic function.
#[device]
fn nested<T: Float>(v: Vector<T, 3>) -> T {
    mix(products(v, v), v.length(), T::lit(0.25)) + T::EPSILON
}

#[device]
#[derive(Clone, Copy)]
struct Step {
    to: f32,
    cost: f32,
}

/// A function whose result nothing can stand for where this one is defined.
#[device]
fn cost_of(step: impl Fn(f32) -> Step, x: f32) -> f32 {
    let first = step(x);
    first.cost + step(first.to).cost
}

#[device]
fn downhill(x: f32) -> Step {
    Step { to: 0.5 * x, cost: x * x }
}

#[kernel]
fn searches(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = cost_of(downhill, x[i]);
}

#[kernel]
fn calls(x: &[f32], n: &[u32], m: &[Matrix<f32, 2, 3>], v: &[Vec3], y: &mut [f32], z: &mut [Vec2]) {
    let i = tid();
    y[i] = mix(x[i], 1.0, 0.5) + products(v[i], v[i]) + nested(v[i]);
    y[i] += mix::<f64>(0.5, 0.25, 1.0) as f32 + bits(n[i]) as f32 + magnitude(x[i]);
    y[i] += window_sum::<_, 3>(x, 0) + window_sum::<f32, 2>(x, i) + twice_or_thrice::<true>(x[i]);
    z[i] = chosen(x[i] > 0.0, transformed(m[i], v[i]), Vec2::ZERO);
}

#[kernel(instances(f32, f64))]
fn saxpy<T: Float>(a: T, x: &[T], y: &mut [T]) {
    let i = tid();
    y[i] += a * x[i];
}

/// Instances that the arguments do not tell apart are launched by their names.
#[kernel(family = "stencil", instances((f32, 1), (f32, 2)))]
fn blurred<T: Float, const RADIUS: usize>(x: &[T], mask: Option<&[T]>, y: &mut [T]) {
    let i = tid();
    let mut sum = T::ZERO;
    for k in 0..2 * RADIUS + 1 {
        sum += x[(i + k).min(x.len() - 1)];
    }
    if let Some(mask) = mask {
        sum *= mask[i];
    }
    y[i] = sum / T::cast(2 * RADIUS + 1);
}

#[kernel(instances((i32, -1), (i64, 2)))]
pub fn shifted<T: SignedNumber, const BY: i32>(x: &Array2<T>, y: &mut Array2<T>) {
    let (i, j) = tid2();
    y[[i, j]] = x[[i, j]] + T::cast(BY);
}

fn main() {
    let device = Device::cpu();
    let (x, y) = (device.array_from(&[1.0f32]).unwrap(), device.array_from(&[2.0f32]).unwrap());
    saxpy::launch(&device, 1, (2.0, &x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [4.0]);
    blurred_f32_2::launch(&device, 1, (&x, None, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1.0]);

    let mut y = [2.0f64];
    saxpy_f64::cpu(1, 2.0, &[1.0], &mut y).unwrap();
    assert_eq!((y, mix(1.0f32, 3.0, 0.5)), ([4.0], 2.0));
    let x = device.array_from_nd(&Array2::from_vec([1, 2], vec![5i64, 5]).unwrap()).unwrap();
    let y = device.zeros_nd::<i64, 2>([1, 2]).unwrap();
    shifted::launch(&device, [1, 2], (&x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7, 7]);
}
