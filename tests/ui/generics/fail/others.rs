use kernel_rt::prelude::*;

#[device(grad(x = square_dx))]
fn square(x: f32) -> f32 {
    x * x
}

#[device]
fn square_dx<T: Float>(x: T, adj: T) -> T {
    adj * T::lit(2) * x
}

#[device]
fn of_a_pointer(f: fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

#[device]
fn of_something(x: impl Copy) -> f32 {
    1.0
}

#[device]
fn change<T: Number>(x: &mut [T], value: T) {
    x[0] = value;
}

#[kernel]
fn lent_and_read(x: &mut [f32]) {
    change(&mut x[1..], x[0]);
}

fn main() {}
