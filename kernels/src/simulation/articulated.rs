//! Articulated bodies: rigid links that are joined by hinges.

use kernel_rt::library::quat_from_axis_angle;
use kernel_rt::prelude::*;

/// A link of an arm and the hinge at its start. Vectors are in the frame of the link.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The axis of the hinge, which need not have length 1.
    pub axis: Vec3,
    /// From this hinge to the next one, in m.
    pub next: Vec3,
    /// From this hinge to the centre of mass, in m.
    pub centre: Vec3,
    /// The principal moments of inertia about the centre of mass, in kg·m².
    pub inertia: Vec3,
    /// The mass in kg.
    pub mass: f32,
}

/// The torques (N·m) at three hinges that give the arm an acceleration: the recursion of Newton and Euler, outwards for the
/// motion of the links and inwards for the forces (Luh, Walker and Paul, 1980). The base accelerates against gravity.
#[device]
fn inverse_dynamics(links: &[Link], angle: Vec3, rate: Vec3, acceleration: Vec3, gravity: Vec3) -> Vec3 {
    let mut turn = [Quat::IDENTITY; 3];
    let mut force = [Vec3::ZERO; 3];
    let mut moment = [Vec3::ZERO; 3];
    let mut spin = Vec3::ZERO;
    let mut spin_change = Vec3::ZERO;
    let mut lift = -gravity;
    let mut offset = Vec3::ZERO;
    for k in 0..3 {
        let axis = links[k].axis.normalize();
        turn[k] = quat_from_axis_angle(axis, angle[k]);
        let back = turn[k].conjugate();
        lift = back * (lift + spin_change.cross(offset) + spin.cross(spin.cross(offset)));
        spin = back * spin;
        spin_change = back * spin_change + spin.cross(axis * rate[k]) + axis * acceleration[k];
        spin += axis * rate[k];
        let centre = links[k].centre;
        let inertia = links[k].inertia;
        force[k] = (lift + spin_change.cross(centre) + spin.cross(spin.cross(centre))) * links[k].mass;
        moment[k] = inertia * spin_change + spin.cross(inertia * spin) + centre.cross(force[k]);
        offset = links[k].next;
    }
    let mut torque = Vec3::ZERO;
    let mut passed_force = Vec3::ZERO;
    let mut passed_moment = Vec3::ZERO;
    for k in (0..3).rev() {
        passed_moment = moment[k] + passed_moment + links[k].next.cross(passed_force);
        passed_force += force[k];
        torque[k] = passed_moment.dot(links[k].axis.normalize());
        passed_force = turn[k] * passed_force;
        passed_moment = turn[k] * passed_moment;
    }
    torque
}

/// A step of arms with three hinges, one arm a thread: M(q)·q'' = τ − c(q, q') − damping·q', by symplectic Euler. Inverse
/// dynamics gives the bias c, and a column of the mass matrix M for each hinge. Angles are in radians, rates in rad/s.
#[kernel(family = "loop")]
pub fn step_arms(
    #[domain(-10.0..10.0)] gravity: Vec3,
    #[domain(0.001..0.02)] dt: f32,
    #[domain(0.0..0.5)] damping: f32,
    #[shape(3)]
    #[domain(0.2..1.0)]
    links: &[Link],
    #[domain(-2.0..2.0)] torques: &[Vec3],
    #[domain(-1.5..1.5)] angles: &mut [Vec3],
    #[domain(-2.0..2.0)] rates: &mut [Vec3],
) {
    let i = tid();
    let angle = angles[i];
    let rate = rates[i];
    let bias = inverse_dynamics(links, angle, rate, Vec3::ZERO, gravity);
    let mut mass = Mat3::ZERO;
    for k in 0..3 {
        let mut unit = Vec3::ZERO;
        unit[k] = 1.0;
        *mass.col_mut(k) = inverse_dynamics(links, angle, Vec3::ZERO, unit, Vec3::ZERO);
    }
    let acceleration = mass.inverse() * (torques[i] - bias - rate * damping);
    let faster = rate + acceleration * dt;
    rates[i] = faster;
    angles[i] = angle + faster * dt;
}
