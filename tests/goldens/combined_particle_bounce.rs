/// Falling particles that bounce off the ground z = 0, in small steps of symplectic Euler.
/// `bounces` counts all of them; SI units.
#[kernel(family = "combined")]
pub fn particle_bounce(
    #[domain(0.001..0.01)] dt: f32,
    #[domain(1..50)] steps: i32,
    #[domain(0.2..0.9)] restitution: f32,
    #[domain(0.0..1.0)] position: &mut [Vec3],
    #[domain(-2.0..2.0)] velocity: &mut [Vec3],
    #[shape(1)] bounces: &mut [u32],
) {
    let i = tid();
    let gravity = Vec3::Z * -9.81;
    let mut p = position[i];
    let mut v = velocity[i];
    for _ in 0..steps {
        v += gravity * dt;
        p += v * dt;
        if p.z < 0.0 && v.z < 0.0 {
            p.z *= -restitution;
            v.z *= -restitution;
            atomic_add(&mut bounces[0], 1);
        }
    }
    position[i] = p;
    velocity[i] = v;
}
