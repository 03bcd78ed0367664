use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Millimetre = 1,
    Metre = 1000,
}

#[kernel]
fn broken(units: &[Unit], y: &mut [f32]) {
    let i = tid();
    y[i] = if units[i] == Unit::Metre { 1.0 } else { 0.001 };
}

fn main() {}
