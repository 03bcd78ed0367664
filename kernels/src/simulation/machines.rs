//! Machines and nerves: models with many parameters.

use kernel_rt::prelude::*;

/// The rates (1/ms) at which a gate of a channel opens and closes: a fraction with a removable zero, and an exponential.
#[device]
fn vanishing_rate(scale: f64, distance: f64, width: f64) -> f64 {
    let x = distance / width;
    if x.abs() < 0.02 { scale * width * (1.0 + 0.5 * x + x * x / 12.0) } else { scale * distance / (1.0 - (-x).exp()) }
}

/// A gate after a step of time: it relaxes exponentially to the value at which it opens as fast as it closes (Rush and Larsen,
/// 1978).
#[device]
fn relaxed_gate(gate: f64, opening: f64, closing: f64, dt: f64) -> f64 {
    let total = opening + closing;
    let rest = opening / total;
    rest + (gate - rest) * (-dt * total).exp()
}

/// Steps of nerve cells after Hodgkin and Huxley (1952): sodium, potassium and leak currents through a membrane of 1 µF/cm².
/// Potentials are in mV, conductances in mS/cm², currents in µA/cm², time in ms; `gates` are (m, h, n). `spikes` counts how
/// often a potential rose above 0.
#[kernel(family = "scalar_param")]
pub fn hodgkin_huxley(
    #[domain(0.01..0.05)] dt: f64,
    #[domain(1..8)] steps: u32,
    #[domain(100.0..140.0)] sodium: f64,
    #[domain(30.0..42.0)] potassium: f64,
    #[domain(0.2..0.4)] leak: f64,
    #[domain(45.0..55.0)] sodium_rest: f64,
    #[domain(-80.0..-72.0)] potassium_rest: f64,
    #[domain(-56.0..-52.0)] leak_rest: f64,
    #[domain(0.0..20.0)] injected: &[f64],
    #[domain(-75.0..20.0)] potential: &mut [f64],
    #[domain(0.05..0.95)] gates: &mut [DVec3],
    spikes: &mut [u32],
) {
    let i = tid();
    let mut v = potential[i];
    let mut gate = gates[i];
    let mut crossed = 0;
    for _ in 0..steps {
        let opening = vanishing_rate(0.1, v + 40.0, 10.0);
        let closing = 4.0 * (-(v + 65.0) / 18.0).exp();
        gate.x = relaxed_gate(gate.x, opening, closing, dt);
        let opening = 0.07 * (-(v + 65.0) / 20.0).exp();
        let closing = 1.0 / (1.0 + (-(v + 35.0) / 10.0).exp());
        gate.y = relaxed_gate(gate.y, opening, closing, dt);
        let opening = vanishing_rate(0.01, v + 55.0, 10.0);
        let closing = 0.125 * (-(v + 65.0) / 80.0).exp();
        gate.z = relaxed_gate(gate.z, opening, closing, dt);

        let open_sodium = sodium * gate.x * gate.x * gate.x * gate.y;
        let open_potassium = potassium * gate.z * gate.z * gate.z * gate.z;
        let inward = open_sodium * (sodium_rest - v) + open_potassium * (potassium_rest - v) + leak * (leak_rest - v);
        let next = v + dt * (inward + injected[i]);
        if v < 0.0 && next >= 0.0 {
            crossed += 1;
        }
        v = next;
    }
    potential[i] = v;
    gates[i] = gate;
    spikes[i] += crossed;
}

/// The side force (N) of a tyre at a slip angle (rad) under a load (N), by Pacejka's "magic formula".
#[device]
fn tyre_force(slip: f32, load: f32, grip: f32, stiffness: f32, shape: f32, curvature: f32) -> f32 {
    let x = stiffness * slip;
    grip * load * (shape * (x - curvature * (x - x.atan())).atan()).sin()
}

/// A step of cars with one wheel in front and one behind (the "bicycle model"), with Pacejka's tyres, drag, and weight that
/// moves to the rear when a car speeds up. Speeds are (forwards, sideways, turning) in m/s and rad/s, poses are (x, y,
/// heading) in m and rad, controls are (steering angle in rad, drive force in N). Below 2 m/s a car rolls without slip.
#[kernel(family = "scalar_param")]
pub fn drive_cars(
    #[domain(0.005..0.02)] dt: f32,
    #[domain(1000.0..1800.0)] mass: f32,
    #[domain(1500.0..2500.0)] inertia: f32,
    #[domain(1.0..1.4)] to_front: f32,
    #[domain(1.2..1.6)] to_rear: f32,
    #[domain(0.4..0.6)] height: f32,
    #[domain(0.7..1.1)] grip: f32,
    #[domain(8.0..12.0)] stiffness: f32,
    #[domain(1.3..1.6)] shape: f32,
    #[domain(-0.5..0.5)] curvature: f32,
    #[domain(0.3..0.5)] drag: f32,
    #[domain(-0.4..0.4)] steering: &[f32],
    #[domain(-3000.0..3000.0)] drive: &[f32],
    #[domain(0.0..30.0)] forwards: &mut [f32],
    #[domain(-1.0..1.0)] sideways: &mut [f32],
    #[domain(-0.5..0.5)] turning: &mut [f32],
    #[domain(-1.0..1.0)] pose: &mut [Vec3],
) {
    const GRAVITY: f32 = 9.81;
    let i = tid();
    let length = to_front + to_rear;
    let (mut u, mut v, mut w) = (forwards[i], sideways[i], turning[i]);
    let push = drive[i] - drag * u * u;
    if u < 2.0 {
        u = (u + dt * push / mass).max(0.0);
        w = u * steering[i].tan() / length;
        v = w * to_rear;
    } else {
        let moved = push * height;
        let load_front = (mass * GRAVITY * to_rear - moved) / length;
        let load_rear = (mass * GRAVITY * to_front + moved) / length;
        let slip_front = steering[i] - ((v + w * to_front) / u).atan();
        let slip_rear = -((v - w * to_rear) / u).atan();
        let front = tyre_force(slip_front, load_front, grip, stiffness, shape, curvature);
        let rear = tyre_force(slip_rear, load_rear, grip, stiffness, shape, curvature);
        let across = front * steering[i].cos();
        let faster = u + dt * ((push - front * steering[i].sin()) / mass + v * w);
        v += dt * ((across + rear) / mass - u * w);
        w += dt * (across * to_front - rear * to_rear) / inertia;
        u = faster;
    }
    let heading = pose[i].z + dt * w;
    let (along, side) = (heading.cos(), heading.sin());
    pose[i] += Vec3::new(u * along - v * side, u * side + v * along, w) * dt;
    forwards[i] = u;
    sideways[i] = v;
    turning[i] = w;
}
