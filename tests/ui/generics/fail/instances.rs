use kernel_rt::prelude::*;

#[kernel(instances(u32, f32))]
fn other_type<T: Float>(x: &mut [T]) {
    x[tid()] = T::ONE;
}

#[kernel(instances((f32, 4)))]
fn too_many<T: Float>(x: &mut [T]) {
    x[tid()] = T::ONE;
}

#[kernel(instances(f32))]
fn too_few<T: Float, const N: usize>(x: &mut [T]) {
    x[tid()] = T::cast(N);
}

#[kernel(instances(f32, f64, f32))]
fn twice<T: Float>(x: &mut [T]) {
    x[tid()] = T::ONE;
}

#[kernel(instances())]
fn none<T: Float>(x: &mut [T]) {
    x[tid()] = T::ONE;
}

#[kernel(instances((4, f32)))]
fn exchanged<T: Float, const N: usize>(x: &mut [T]) {
    x[tid()] = T::cast(N);
}

#[kernel(instances(-1))]
fn negative<const N: usize>(x: &mut [f32]) {
    x[tid()] = N as f32;
}

#[kernel(instances(String))]
fn no_type<T: Value>(x: &mut [T], y: T) {
    x[tid()] = y;
}

#[kernel(instances(f32))]
fn plain(x: &mut [f32]) {
    x[tid()] = 1.0;
}

#[kernel(instances = f32)]
fn other_form<T: Float>(x: &mut [T]) {
    x[tid()] = T::ONE;
}

fn main() {}
