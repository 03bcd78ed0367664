//! The kernels. Each function becomes a record: Rust, Warp Python, CUDA C++ and host C++, with its adjoint and an example.

use kernel_rt::prelude::*;

/// Damped springs between neighbours on a line: one step of explicit Euler.
#[kernel(family = "springs")]
pub fn spring_step(
    #[domain(10.0..50.0)] stiffness: f32,
    #[domain(0.001..0.01)] dt: f32,
    #[domain(-1.0..1.0)] position: &[f32],
    #[domain(-1.0..1.0)] velocity: &[f32],
    moved: &mut [f32],
) {
    let i = tid();
    let mut force = -0.1 * velocity[i];
    if i > 0 {
        force += stiffness * (position[i - 1] - position[i]);
    }
    if i + 1 < position.len() {
        force += stiffness * (position[i + 1] - position[i]);
    }
    moved[i] = position[i] + dt * (velocity[i] + dt * force);
}

/// The energy of the springs, as one number.
#[kernel(family = "springs")]
pub fn spring_energy(
    #[domain(10.0..50.0)] stiffness: f32,
    #[domain(-1.0..1.0)] position: &[f32],
    #[shape(1)] energy: &mut [f32],
) {
    let i = tid();
    if i + 1 < position.len() {
        let stretch = position[i + 1] - position[i];
        atomic_add(&mut energy[0], 0.5 * stiffness * stretch * stretch);
    }
}
