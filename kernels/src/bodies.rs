//! Rigid bodies: transforms, spatial vectors and rotations, with the functions of the library. The kernels belong to the
//! families of what they compute with.

use kernel_rt::library::*;
use kernel_rt::prelude::*;

/// A joint that turns a link about an axis.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The frame of the joint in that of the link before it.
    pub frame: Transform,
    /// The axis, which need not have length 1.
    pub axis: Vec3,
}

/// The ends of arms with hinges, one arm a thread: forward kinematics. Row i of `angles`, in radians, is arm i.
#[kernel(family = "vector")]
pub fn reach_of_arms(
    base: Transform,
    #[domain(1..6)] links: usize,
    #[shape(links)] hinges: &[Hinge],
    #[shape(dim0, links)]
    #[domain(-2.0..2.0)]
    angles: &Array2<f32>,
    #[domain(-0.5..0.5)] tool: Vec3,
    ends: &mut [Transform],
    tips: &mut [Vec3],
) {
    let i = tid();
    let mut frame = Transform { p: base.p, q: base.q.normalize() };
    for k in 0..links {
        let hinge = hinges[k];
        let turn = quat_from_axis_angle(hinge.axis.normalize_or_zero(), angles[[i, k]]);
        frame = frame * hinge.frame * Transform { p: Vec3::ZERO, q: turn };
        frame.q = frame.q.normalize();
    }
    ends[i] = frame;
    tips[i] = transform_point(frame, tool);
}

/// Forces of contacts on bodies: each contact adds a torque and a force, in the frame of the world, to its body.
#[kernel(family = "atomic")]
pub fn contact_forces(
    #[shape(4)] frames: &[Transform],
    #[shape(4)]
    #[domain(-1.0..1.0)]
    velocities: &[Vector<f32, 6>],
    #[domain(0..4)] body: &[u32],
    #[domain(-1.0..1.0)] points: &[Vec3],
    #[domain(10.0..100.0)] stiffness: f32,
    #[domain(0.1..2.0)] damping: f32,
    #[shape(4)] forces: &mut [Vector<f32, 6>],
) {
    let i = tid();
    let b = body[i] as usize;
    let arm = transform_vector(frames[b], points[i]);
    let place = frames[b].p + arm;
    if place.y >= 0.0 {
        return;
    }
    let velocity = spatial_bottom(velocities[b]) + spatial_top(velocities[b]).cross(arm);
    let normal = (-stiffness * place.y - damping * velocity.y).max(0.0);
    let force = Vec3::new(-damping * velocity.x, normal, -damping * velocity.z);
    atomic_add(&mut forces[b], spatial_vector(arm.cross(force), force));
}

/// Momentum and rate of change of momentum of bodies, from their spatial inertia and velocity: I·v, v ×* I·v.
#[kernel(family = "matrix")]
pub fn gyroscopic_forces(
    #[domain(-1.0..1.0)] frames: &[Transform],
    #[domain(0.1..2.0)] mass: &[f32],
    #[domain(0.1..1.0)] inertia: &[Vec3],
    #[domain(-2.0..2.0)] velocity: &[Vector<f32, 6>],
    momentum: &mut [Vector<f32, 6>],
    force: &mut [Vector<f32, 6>],
) {
    let i = tid();
    let r = quat_to_matrix(frames[i].q.normalize());
    let about_center = r * Mat3::from_diagonal(inertia[i]) * r.transpose();
    let w = spatial_top(velocity[i]);
    let linear = (spatial_bottom(velocity[i]) + w.cross(frames[i].p)) * mass[i];
    momentum[i] = spatial_vector(about_center * w + frames[i].p.cross(linear), linear);
    force[i] = spatial_cross_dual(velocity[i], momentum[i]);
}

/// Poses between those of an animation: the key frames around each time are found in a table, and interpolated.
#[kernel(family = "control_flow")]
pub fn play_animation(
    #[shape(8)]
    #[domain(0.0..1.0, sorted)]
    times: &[f32],
    #[shape(8)] keys: &[Transform],
    #[domain(0.0..1.0)] now: &[f32],
    poses: &mut [Transform],
) {
    let i = tid();
    let after = lower_bound(times, now[i]);
    if after == 0 {
        poses[i] = keys[0];
        return;
    }
    let (a, b) = (after as usize - 1, after as usize);
    let part = smoothstep(times[a], times[b], now[i]);
    let q = quat_slerp(keys[a].q.normalize(), keys[b].q.normalize(), part);
    poses[i] = Transform { p: keys[a].p.lerp(keys[b].p, part), q };
}

/// Prices of European call options by the formula of Black and Scholes, and their rates of change with the price of the stock.
#[kernel(family = "math")]
pub fn call_options(
    #[domain(20.0..150.0)] stock: &[f32],
    #[domain(50.0..100.0)] strike: f32,
    #[domain(0.1..0.5)] volatility: &[f32],
    #[domain(0.1..2.0)] years: f32,
    #[domain(0.0..0.1)] rate: f32,
    price: &mut [f32],
    delta: &mut [f32],
) {
    let i = tid();
    let spread = volatility[i] * years.sqrt();
    let d = ((stock[i] / strike).ln() + rate * years) / spread + 0.5 * spread;
    let above = 0.5 * erfc(-d * std::f32::consts::FRAC_1_SQRT_2);
    let paid = 0.5 * erfc((spread - d) * std::f32::consts::FRAC_1_SQRT_2);
    price[i] = stock[i] * above - strike * (-rate * years).exp() * paid;
    delta[i] = above;
}
