//! The library through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted C++ and
//! CUDA, and Warp, whose own functions the Python text calls. Random quaternions do not have length 1, so the formulas
//! agree for these, too.

use kernel_rt::library::*;
use kernel_rt::prelude::*;

/// Rotations from axes and angles, and of vectors.
#[kernel(family = "test")]
pub fn rotations(
    #[domain(-1.0..1.0)] axis: &[Vec3],
    #[domain(-3.0..3.0)] angle: &[f32],
    #[domain(-1.0..1.0)] q: &[Quat],
    there: &mut [Vec3],
    back: &mut [Vec3],
    turned: &mut [Quat],
) {
    let i = tid();
    let turn = quat_from_axis_angle(axis[i], angle[i]);
    there[i] = quat_rotate(turn, axis[i] + quat_rotate(q[i], axis[i]));
    back[i] = quat_rotate_inv(q[i], there[i]);
    turned[i] = quat_inverse(turn) * quat_rpy(angle[i], axis[i].x, axis[i].y);
}

/// Rotations to and from matrices, and between each other.
#[kernel(family = "test")]
pub fn conversions(
    #[domain(-1.0..1.0)] q: &[Quat],
    #[domain(-1.0..1.0)] m: &[Mat3],
    #[domain(0.0..1.0)] t: f32,
    matrices: &mut [Mat3],
    rotations: &mut [Quat],
    between: &mut [Quat],
    axes: &mut [Vec4],
) {
    let i = tid();
    matrices[i] = quat_to_matrix(q[i]);
    let r = quat_from_matrix(m[i]);
    rotations[i] = r;
    between[i] = quat_slerp(q[i].normalize(), r, t);
    let (axis, angle) = quat_to_axis_angle(q[i]);
    axes[i] = Vec4::new(axis.x, axis.y, axis.z, angle);
}

/// A chain of joints: transforms as state of a loop, in arrays and by field.
#[kernel(family = "test")]
pub fn chain(
    base: Transform,
    #[domain(-1.0..1.0)] joints: &[Transform],
    #[domain(0..6)] count: &[u32],
    #[domain(-2.0..2.0)] x: &[Vec3],
    ends: &mut [Transform],
    points: &mut [Vec3],
) {
    let i = tid();
    let mut frame = transform_multiply(transform_identity(), base);
    for k in 0..count[i] {
        frame = frame * joints[(i + k as usize) % joints.len()];
        frame.p.x += 0.125;
        frame.q = frame.q.normalize();
    }
    ends[i] = frame;
    ends[i].p += transform_vector(transform_inverse(frame), x[i]);
    points[i] = transform_point(frame, x[i]) - base.p;
}

/// Spatial algebra of bodies: velocities in another frame, the bias force, and the adjoint of a transform.
#[kernel(family = "test")]
pub fn bodies(
    #[domain(-1.0..1.0)] frames: &[Transform],
    #[domain(-1.0..1.0)] velocity: &[Vector<f32, 6>],
    #[domain(-1.0..1.0)] inertia: &[Matrix<f32, 6, 6>],
    #[shape(3)] totals: &mut [Vector<f32, 6>],
    moved: &mut [Vector<f32, 6>],
    power: &mut [f32],
) {
    let i = tid();
    let v = transform_twist(frames[i], velocity[i]);
    let bias = spatial_cross_dual(v, inertia[i] * v);
    atomic_add(&mut totals[i % 3], transform_wrench(frames[i], bias));
    let r = quat_to_matrix(frames[i].q);
    let columns =
        Mat3::from_cols(frames[i].p.cross(r.x_axis), frames[i].p.cross(r.y_axis), frames[i].p.cross(r.z_axis));
    let a = spatial_adjoint(r, columns) * velocity[i];
    moved[i] = spatial_cross(a, spatial_vector(spatial_bottom(v), spatial_top(v)));
    power[i] = spatial_dot(bias, velocity[i]);
}

/// The functions of one number.
#[kernel(family = "test")]
pub fn numbers(
    #[domain(-3.0..3.0)] x: &[f32],
    #[domain(-0.95..0.95)] p: &[f32],
    errors: &mut [Vec3],
    steps: &mut [Vec4],
) {
    let i = tid();
    errors[i] = Vec3::new(erf(x[i]), erfc(x[i]), erfinv(p[i]));
    steps[i] = Vec4::new(sign(x[i]), step(p[i]), frac(x[i] * 2.0), smoothstep(-1.0, 2.0, x[i]));
}

/// Numbers between those of a table, found by their place in it.
#[kernel(family = "test")]
pub fn places(
    #[domain(0.0..1.0)]
    #[shape(9)]
    table: &[f32],
    #[domain(0.0..1.0)] x: &[f32],
    places: &mut [i32],
    above: &mut [f32],
) {
    let i = tid();
    places[i] = lower_bound(table, x[i]);
    above[i] = x[i] - table[places[i] as usize];
}
