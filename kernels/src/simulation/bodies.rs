//! Free rigid bodies.

use kernel_rt::prelude::*;

/// A rigid body with principal axes along those of its frame.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody {
    /// The centre of mass, in m.
    pub position: Vec3,
    /// From the frame of the body to that of the world; it need not have length 1.
    pub rotation: Quat,
    /// The velocity of the centre of mass, in m/s.
    pub velocity: Vec3,
    /// The angular velocity in the frame of the body, in rad/s.
    pub spin: Vec3,
}

/// A rotation after a short turn about an axis in the frame of the body: the product with the quaternion of the turn.
#[device]
fn turned(rotation: Quat, turn: Vec3) -> Quat {
    let half = 0.5 * turn.length();
    // sin(x)/x by its series where x is small.
    let part = if half < 0.01 { 0.5 - half * half / 12.0 } else { 0.5 * half.sin() / half };
    let step = Quat::from_xyzw(turn.x * part, turn.y * part, turn.z * part, half.cos());
    (rotation * step).normalize()
}

/// A step of rigid bodies, one a thread. The gyroscopic torque is implicit: a step of Newton's method for
/// I·(ω' − ω) + dt·ω' × I·ω' = dt·τ keeps thin bodies from spinning up (Catto, 2015). Eight corners of a box are pushed up by
/// a floor at y = 0, with friction; the air slows the rest. SI units.
#[kernel(family = "vector")]
pub fn step_boxes(
    #[domain(0.002..0.01)] dt: f32,
    #[domain(0.0..0.3)] drag: f32,
    #[domain(50.0..200.0)] stiffness: f32,
    #[domain(0.1..0.6)] friction: f32,
    #[domain(0.5..2.0)] mass: &[f32],
    #[domain(0.1..0.5)] half_size: &[Vec3],
    #[domain(-1.0..1.0)] bodies: &mut [RigidBody],
) {
    let i = tid();
    let body = bodies[i];
    if body.rotation.length() < 0.1 {
        return;
    }
    let rotation = body.rotation.normalize();
    let half = half_size[i];
    let squares = half * half;
    let others = Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
    let inertia = others * (mass[i] / 3.0);

    let mut force = Vec3::Y * (-9.81 * mass[i]) - body.velocity * drag;
    let mut torque = body.spin * (-drag * 0.1);
    for corner in 0..8u32 {
        let x = if corner & 1 == 0 { -half.x } else { half.x };
        let y = if corner & 2 == 0 { -half.y } else { half.y };
        let z = if corner & 4 == 0 { -half.z } else { half.z };
        let arm = Vec3::new(x, y, z);
        let world_arm = rotation * arm;
        let depth = -(body.position + world_arm).y;
        if depth > 0.0 {
            let speed = body.velocity + rotation * body.spin.cross(arm);
            let push = stiffness * depth;
            let sliding = Vec3::new(speed.x, 0.0, speed.z);
            let contact = Vec3::Y * push - sliding * (friction * push / (sliding.length() + 0.1));
            force += contact;
            torque += rotation.conjugate() * world_arm.cross(contact);
        }
    }
    // One step of Newton's method from the old angular velocity, in the frame of the body.
    let momentum = inertia * body.spin;
    let residual = (body.spin.cross(momentum) - torque) * dt;
    let slope = Mat3::from_diagonal(inertia) + (body.spin.skew() * Mat3::from_diagonal(inertia) - momentum.skew()) * dt;
    let spin = body.spin - slope.inverse() * residual;
    let velocity = body.velocity + force * (dt / mass[i]);
    bodies[i].velocity = velocity;
    bodies[i].position = body.position + velocity * dt;
    bodies[i].spin = spin;
    bodies[i].rotation = turned(rotation, spin * dt);
}
