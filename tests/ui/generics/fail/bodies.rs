use kernel_rt::prelude::*;

#[device]
fn unknown_method<T: Float>(x: T) -> T {
    x.squared()
}

#[device]
fn not_for_integers<T: Number>(x: T) -> T {
    x.sqrt()
}

#[device]
fn no_whole_number<T: Integer>(x: T) -> T {
    x * T::lit(0.5)
}

#[device]
fn itself<T: Float>(x: T) -> T {
    itself(x) + T::ONE
}

#[kernel(instances(f32, f64))]
fn mixed<T: Float>(x: &[T], y: &mut [T]) {
    let i = tid();
    y[i] = x[i] + 1;
}

/// Right for some sizes.
#[device]
fn third<T: Float, const N: usize>(v: Vector<T, N>) -> T {
    v[2]
}

#[kernel]
fn too_small(v: &[Vec2], y: &mut [f32]) {
    let i = tid();
    y[i] = third(v[i]);
}

fn main() {}
