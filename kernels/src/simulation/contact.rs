//! Contacts between rigid bodies.

use kernel_rt::prelude::*;

/// The motion of a rigid body.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// The velocity of the centre of mass, in m/s.
    pub velocity: Vec3,
    /// The angular velocity, in rad/s.
    pub spin: Vec3,
}

/// The inverse mass of a rigid body; both are 0 for a body that does not move.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseMass {
    /// The reciprocal of the mass, in 1/kg.
    pub linear: f32,
    /// The reciprocals of the principal moments of inertia, in 1/(kg·m²), in the frame of the world.
    pub angular: Vec3,
}

/// A point where two bodies touch.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// From the centre of the first body to the point, in m.
    pub arm_a: Vec3,
    /// From the centre of the second body to the point, in m.
    pub arm_b: Vec3,
    /// The direction from the first body to the second; it need not have length 1.
    pub normal: Vec3,
    /// How far the bodies overlap, in m.
    pub depth: f32,
}

/// How fast a point of a body moves.
#[device]
fn velocity_at(motion: Motion, arm: Vec3) -> Vec3 {
    motion.velocity + motion.spin.cross(arm)
}

/// How much an impulse of 1 along a direction changes the velocity of the point where it acts, along that direction.
#[device]
fn mobility(inverse: InverseMass, arm: Vec3, direction: Vec3) -> f32 {
    let turning = arm.cross(direction);
    inverse.linear + turning.dot(inverse.angular * turning)
}

/// An iteration of a contact solver after Jacobi: each contact finds the impulse that stops its two bodies from
/// approaching, keeps the sum of its impulses pushing, limits friction by Coulomb's cone, and adds the changes to the
/// motions of the bodies. `pushed` and `rubbed` are the impulses so far (N·s), along the normal and across it.
#[kernel(family = "atomic")]
pub fn solve_contacts(
    #[domain(0.005..0.02)] dt: f32,
    #[domain(0.1..0.8)] friction: f32,
    #[domain(0.0..0.3)] correction: f32,
    #[shape(dim0 / 2 + 2)]
    #[domain(-1.0..1.0)]
    motions: &[Motion],
    #[shape(motions.len())]
    #[domain(0.2..1.0)]
    masses: &[InverseMass],
    #[domain(0..motions.len())] ends: &[UVec2],
    #[domain(-0.5..0.5)] contacts: &[Contact],
    #[domain(0.0..0.5)] pushed: &mut [f32],
    #[domain(-0.2..0.2)] rubbed: &mut [Vec3],
    #[shape(motions.len())] changes: &mut [Motion],
) {
    const SLOP: f32 = 0.01;
    let i = tid();
    let a = ends[i].x as usize;
    let b = ends[i].y as usize;
    let contact = contacts[i];
    if a == b || contact.normal.length_squared() < 0.01 {
        return;
    }
    let normal = contact.normal.normalize();
    let approach = velocity_at(motions[b], contact.arm_b) - velocity_at(motions[a], contact.arm_a);

    // Along the normal: the sum of the impulses never pulls.
    let mass_along = mobility(masses[a], contact.arm_a, normal) + mobility(masses[b], contact.arm_b, normal);
    let bias = correction / dt * (contact.depth - SLOP).max(0.0);
    let before = pushed[i];
    let push = (before + (bias - approach.dot(normal)) / mass_along).max(0.0);
    pushed[i] = push;

    // Across the normal: friction is at most a fraction of the push.
    let sliding = approach - normal * approach.dot(normal);
    let speed = sliding.length();
    let mut impulse = normal * (push - before);
    if speed > 0.001 {
        let tangent = sliding / speed;
        let mass_across = mobility(masses[a], contact.arm_a, tangent) + mobility(masses[b], contact.arm_b, tangent);
        let mut rub = rubbed[i] - tangent * (speed / mass_across);
        let limit = friction * push;
        let size = rub.length();
        if size > limit {
            rub *= limit / size;
        }
        impulse += rub - rubbed[i];
        rubbed[i] = rub;
    }
    atomic_sub(&mut changes[a].velocity, impulse * masses[a].linear);
    atomic_sub(&mut changes[a].spin, masses[a].angular * contact.arm_a.cross(impulse));
    atomic_add(&mut changes[b].velocity, impulse * masses[b].linear);
    atomic_add(&mut changes[b].spin, masses[b].angular * contact.arm_b.cross(impulse));
}
