use kernel_rt::prelude::*;

#[device]
fn mix<T: Float>(a: T, b: T) -> T {
    a + b
}

#[device]
fn constant<T: Float>(k: usize) -> T {
    T::cast(k)
}

#[device]
fn products<T: Float, const N: usize>(a: Vector<T, N>, b: Vector<T, N>) -> T {
    a.dot(b) + T::cast(N)
}

#[device]
fn first<T: Float>(x: &[T]) -> T {
    x[0]
}

#[device]
fn basis<const N: usize>(k: usize) -> Vector<f32, N> {
    let mut v = Vector::<f32, N>::splat(0.0);
    v[k] = 1.0;
    v
}

#[kernel]
fn of_integers(n: &[i32], y: &mut [i32]) {
    let i = tid();
    y[i] = mix(n[i], 1);
}

#[kernel]
fn of_two_types(x: &[f32], z: &[f64], y: &mut [f32]) {
    let i = tid();
    y[i] = mix(x[i], z[i]);
}

#[kernel]
fn open(y: &mut [f32]) {
    let i = tid();
    y[i] = constant(i);
}

#[kernel]
fn of_two_sizes(a: &[Vec3], b: &[Vec2], y: &mut [f32]) {
    let i = tid();
    y[i] = products(a[i], b[i]);
}

#[kernel]
fn of_a_number(a: &[Vec3], y: &mut [f32]) {
    let i = tid();
    y[i] = products(a[i], 1.0);
}

#[kernel]
fn too_few(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = mix(x[i]);
}

#[kernel]
fn too_many_arguments(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = mix::<f32, f32>(x[i], 1.0);
}

#[kernel]
fn of_no_array(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = first(x[i]);
}

#[kernel]
fn too_large(y: &mut [f32]) {
    let i = tid();
    y[i] = basis::<17>(i)[0];
}

#[kernel]
fn not_a_constant(n: usize, y: &mut [f32]) {
    let i = tid();
    y[i] = basis::<n>(i)[0];
}

fn main() {}
