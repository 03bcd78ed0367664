use kernel_rt::prelude::*;

#[device]
fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(f(x))
}

#[device]
fn square<T: Number>(x: T) -> T {
    x * x
}

#[device]
fn of_vectors(v: Vec3) -> f32 {
    v.x
}

#[kernel]
fn of_a_closure(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(|x| 2.0 * x, x[i]);
}

#[kernel]
fn of_an_open_instance(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(square, x[i]);
}

#[kernel]
fn of_another_signature(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(of_vectors, x[i]);
}

#[kernel]
fn of_itself(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(twice, x[i]);
}

#[kernel]
fn of_a_number(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = twice(x[i], x[i]);
}

#[device]
fn wrong_inside(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x, x)
}

#[kernel(instances(f32))]
fn kernel_of_functions<T: Float>(f: impl Fn(T) -> T, x: &mut [T]) {
    x[tid()] = f(T::ONE);
}

fn main() {}
