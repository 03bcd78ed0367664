use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Millimetre = 1,
    Metre = 1000,
}

#[kernel]
fn broken(unit: Unit, y: &mut [f32]) {
    let i = tid();
    y[i] = if unit == Unit::Metre { 1.0 } else { 0.001 };
}

fn main() {}
