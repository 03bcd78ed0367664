use kernel_rt::prelude::*;

/// The standard gravity, in m/s².
#[device]
const GRAVITY: f32 = 9.80665;

mod limits {
    use kernel_rt::prelude::*;

    #[device]
    pub const MOST: u32 = 3;
    #[device]
    pub(crate) const LAST: u32 = MOST * 2 - 1;
    #[device]
    pub const UP: Vec3 = Vec3::Y;

    /// A function with a constant of its module.
    #[device]
    pub fn below(k: u32) -> bool {
        k < LAST
    }
}

#[device]
#[derive(Clone, Copy)]
struct Range {
    low: f32,
    high: f32,
}

#[device]
const UNIT: Range = Range { low: 0.0, high: 1.0 };

#[device]
const TWO_G: f32 = 2.0 * GRAVITY;

use limits::MOST as MOST_STEPS;

#[kernel]
fn fall(dt: f32, v: &mut [Vec3], count: &mut [u32]) {
    const HALF: f32 = 0.5;
    let i = tid();
    v[i] -= limits::UP * (GRAVITY * dt * HALF + TWO_G * 0.0);
    if limits::below(i as u32) && v[i].y < UNIT.high {
        count[i] = MOST_STEPS + limits::LAST + crate::limits::MOST;
    }
}

/// A parameter in capital letters is no constant from outside.
#[kernel]
fn own(SCALE: f32, y: &mut [f32]) {
    const MOST: f32 = 2.0;
    let i = tid();
    y[i] = SCALE + MOST + std::f32::consts::PI * 0.0 + f32::MAX.min(0.0);
}

fn main() {
    let (mut v, mut count) = ([Vec3::ZERO], [0]);
    fall::cpu(1, 0.5, &mut v, &mut count).unwrap();
    assert_eq!((v[0].y, count), (-9.80665 * 0.25, [11]));
    assert!(fall::CUDA_FORWARD.contains("const float GRAVITY = 9.80665f;"), "{}", fall::CUDA_FORWARD);
    assert!(fall::RUST_SOURCE.contains("#[device]\nconst GRAVITY: f32 = 9.80665;"), "{}", fall::RUST_SOURCE);
    let mut y = [0.0];
    own::cpu(1, 1.0, &mut y).unwrap();
    assert_eq!(y, [3.0]);
}
