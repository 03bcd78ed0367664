/// A moving point.
#[device]
#[derive(Clone, Copy)]
struct Body {
    x: Vec3,
    v: Vec3,
    mass: f32,
    fixed: bool,
}

/// A light.
#[device]
#[derive(Clone, Copy)]
struct Light {
    at: Vec3,
    power: f32,
}

#[device]
fn kinetic(bodies: &[Body], i: usize) -> f32 {
    0.5 * bodies[i].mass * bodies[i].v.length_squared()
}

#[kernel(family = "test")]
fn steps(dt: f32, lights: &[Light], sun: Light, bodies: &mut [Body], #[shape(1)] energy: &mut [f32]) {
    let i = tid();
    let body = bodies[i];
    if body.fixed {
        return;
    }
    let mut force = (sun.at - body.x) * sun.power;
    for k in 0..lights.len() {
        let light = lights[k];
        force += (light.at - body.x) * light.power;
    }
    bodies[i].v += force * (dt / body.mass);
    bodies[i].x += bodies[i].v * dt;
    bodies[i].x.y = bodies[i].x.y.max(0.0);
    atomic_add(&mut energy[0], kinetic(bodies, i));
}
