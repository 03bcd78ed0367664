//! Fluids: particles, lattices and shocks.

use kernel_rt::prelude::*;

/// A fluid of particles.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fluid {
    /// The radius within which particles feel each other, in m.
    pub radius: f32,
    /// The mass of a particle, in kg.
    pub mass: f32,
    /// The density without pressure, in kg/m³.
    pub rest_density: f32,
    /// Pressure by density above that, in J/kg.
    pub stiffness: f32,
    /// Viscosity, in Pa·s.
    pub viscosity: f32,
}

/// The pressure at a density.
#[device]
fn pressure_at(fluid: Fluid, density: f32) -> f32 {
    fluid.stiffness * (density - fluid.rest_density).max(0.0)
}

/// Acceleration (m/s²) of the particles of a fluid by pressure and viscosity, with the kernels "spiky" and "viscosity" of Müller,
/// Charypar and Gross (2003). Particles are sorted by the cells of a grid of 4 × 4 × 4 cells as wide as `radius`: those of
/// cell c are at `starts[c]` to below `starts[c + 1]`.
#[kernel(family = "nested_loop")]
pub fn fluid_acceleration(
    #[domain(0.5..1.0)] fluid: Fluid,
    #[domain(-10.0..0.0)] gravity: f32,
    #[shape(65)]
    #[domain(0..dim0 + 1, sorted)]
    starts: &[u32],
    #[domain(0.0..2.0)] position: &[Vec3],
    #[domain(-1.0..1.0)] velocity: &[Vec3],
    #[domain(0.5..2.0)] density: &[f32],
    acceleration: &mut [Vec3],
) {
    const CELLS: i32 = 4;
    let i = tid();
    let here = position[i];
    let pressure = pressure_at(fluid, density[i]);
    let h = fluid.radius;
    // Both are slopes of kernels in space: −45/(π·h⁶)·(h − r)² and 45/(π·h⁶)·(h − r).
    let scale = 45.0 / (std::f32::consts::PI * h.powi(6));
    let column = (here.x / h) as i32;
    let row = (here.y / h) as i32;
    let layer = (here.z / h) as i32;
    let mut force = Vec3::ZERO;
    for z in (layer - 1).max(0)..(layer + 2).min(CELLS) {
        for y in (row - 1).max(0)..(row + 2).min(CELLS) {
            for x in (column - 1).max(0)..(column + 2).min(CELLS) {
                let cell = ((z * CELLS + y) * CELLS + x) as usize;
                for j in starts[cell] as usize..starts[cell + 1] as usize {
                    let offset = here - position[j];
                    let distance = offset.length();
                    if j == i || distance >= h || distance < 0.001 {
                        continue;
                    }
                    let near = h - distance;
                    let shared = 0.5 * (pressure + pressure_at(fluid, density[j])) / density[j];
                    force += offset * (fluid.mass * shared * scale * near * near / distance);
                    let slip = (velocity[j] - velocity[i]) / density[j];
                    force += slip * (fluid.mass * fluid.viscosity * scale * near);
                }
            }
        }
    }
    acceleration[i] = force / density[i] + Vec3::Y * gravity;
}

/// The share of the particles of a lattice that move along one of nine directions, in equilibrium at a density and a velocity
/// (Qian, d'Humières and Lallemand, 1992).
#[device]
fn equilibrium(weight: f32, along: Vec2, density: f32, velocity: Vec2) -> f32 {
    let speed = along.dot(velocity);
    weight * density * (1.0 + 3.0 * speed + 4.5 * speed * speed - 1.5 * velocity.length_squared())
}

/// A step of a fluid on the lattice D2Q9: particles stream from the neighbours, then relax towards equilibrium (BGK). Cells are
/// 0 fluid, 1 wall, 2 lid that moves along x, 3 inflow, 4 outflow, others free slip at a mirror below. Walls send particles
/// back the way they came. All is in units of the lattice.
#[kernel(family = "multi_conditional")]
pub fn lattice_boltzmann_step(
    #[domain(0.6..1.4)] relaxation: f32,
    #[domain(-0.1..0.1)] lid: f32,
    #[domain(-0.1..0.1)] inflow: Vec2,
    #[domain(0..6)] kind: &Array2<u8>,
    #[shape(9, dim0, dim1)]
    #[domain(0.05..0.15)]
    shares: &Array3<f32>,
    #[shape(9, dim0, dim1)] next: &mut Array3<f32>,
    density: &mut Array2<f32>,
    velocity: &mut Array2<Vec2>,
) {
    const WEIGHT: [f32; 9] = [
        0.44444445,
        0.11111111,
        0.11111111,
        0.11111111,
        0.11111111,
        0.027777778,
        0.027777778,
        0.027777778,
        0.027777778,
    ];
    const X: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    const Y: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
    const BACK: [usize; 9] = [0, 3, 4, 1, 2, 7, 8, 5, 6];
    const MIRROR: [usize; 9] = [0, 1, 4, 3, 2, 8, 7, 6, 5];
    let (row, column) = tid2();
    let (rows, columns) = (kind.shape()[0] as i32, kind.shape()[1] as i32);
    let mut arriving = [0.0f32; 9];
    for k in 0..9 {
        // The neighbour that the particles come from, on a torus.
        let r = (row as i32 - Y[k]).rem_euclid(rows) as usize;
        let c = (column as i32 - X[k]).rem_euclid(columns) as usize;
        arriving[k] = match kind[[r, c]] {
            1 => shares[[BACK[k], row, column]],
            2 => shares[[BACK[k], row, column]] + 6.0 * WEIGHT[k] * X[k] as f32 * lid,
            5 => shares[[MIRROR[k], row, column]],
            _ => shares[[k, r, c]],
        };
    }
    let mut mass = 0.0;
    let mut momentum = Vec2::ZERO;
    for k in 0..9 {
        mass += arriving[k];
        momentum += Vec2::new(X[k] as f32, Y[k] as f32) * arriving[k];
    }
    let mut flow = momentum / mass;
    let mut rate = 1.0 / relaxation;
    match kind[[row, column]] {
        1 => flow = Vec2::ZERO,
        2 => flow = Vec2::new(lid, 0.0),
        3 => {
            flow = inflow;
            rate = 1.0;
        }
        4 => {
            mass = 1.0;
            rate = 1.0;
        }
        _ => flow += Vec2::new(0.0001, 0.0),
    }
    for k in 0..9 {
        let target = equilibrium(WEIGHT[k], Vec2::new(X[k] as f32, Y[k] as f32), mass, flow);
        next[[k, row, column]] = arriving[k] + rate * (target - arriving[k]);
    }
    density[[row, column]] = mass;
    velocity[[row, column]] = flow;
}

/// A gas in motion along a line.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gas {
    /// Mass by volume, in kg/m³.
    pub density: f64,
    /// The velocity, in m/s.
    pub velocity: f64,
    /// The pressure, in Pa.
    pub pressure: f64,
}

/// Energy by volume.
#[device]
fn gas_energy(gas: Gas, gamma: f64) -> f64 {
    gas.pressure / (gamma - 1.0) + 0.5 * gas.density * gas.velocity * gas.velocity
}

/// What flows through a point at rest in a second: mass, momentum and energy.
#[device]
fn gas_flux(gas: Gas, gamma: f64) -> DVec3 {
    let mass = gas.density * gas.velocity;
    let energy = (gas_energy(gas, gamma) + gas.pressure) * gas.velocity;
    DVec3::new(mass, mass * gas.velocity + gas.pressure, energy)
}

/// The conserved quantities between a wave and the contact surface, which moves at `contact`.
#[device]
fn star_state(gas: Gas, gamma: f64, wave: f64, contact: f64) -> DVec3 {
    let share = gas.density * (wave - gas.velocity) / (wave - contact);
    let energy = gas_energy(gas, gamma) / gas.density;
    let work = (contact - gas.velocity) * (contact + gas.pressure / (gas.density * (wave - gas.velocity)));
    DVec3::new(share, share * contact, share * (energy + work))
}

/// Fluxes of mass, momentum and energy between cells of a gas, by the approximate Riemann solver HLLC (Toro, Spruce and Speares,
/// 1994), with wave speeds estimated by pressure. Which of four states is at the face depends on the signs of three waves.
#[kernel(family = "multi_conditional")]
pub fn hllc_flux(
    #[domain(1.2..1.7)] gamma: f64,
    #[domain(0.5..2.0)] left: &[Gas],
    #[domain(0.3..1.5)] right: &[Gas],
    flux: &mut [DVec3],
    fastest: &mut [f64],
) {
    let i = tid();
    let l = left[i];
    // The gas on the right moves to the left.
    let r = Gas { velocity: 0.5 - 2.0 * right[i].velocity, ..right[i] };
    let sound_l = (gamma * l.pressure / l.density).sqrt();
    let sound_r = (gamma * r.pressure / r.density).sqrt();
    let mean = 0.25 * (l.density + r.density) * (sound_l + sound_r);
    let middle = 0.5 * (l.pressure + r.pressure - (r.velocity - l.velocity) * mean);
    // Shocks are faster than sound.
    let excess_l = (middle.max(0.0) / l.pressure - 1.0).max(0.0);
    let excess_r = (middle.max(0.0) / r.pressure - 1.0).max(0.0);
    let wave_l = l.velocity - sound_l * (1.0 + 0.5 * (gamma + 1.0) / gamma * excess_l).sqrt();
    let wave_r = r.velocity + sound_r * (1.0 + 0.5 * (gamma + 1.0) / gamma * excess_r).sqrt();
    let push_l = l.density * (wave_l - l.velocity);
    let push_r = r.density * (wave_r - r.velocity);
    let jump = r.pressure - l.pressure + push_l * l.velocity - push_r * r.velocity;
    let contact = jump / (push_l - push_r);
    flux[i] = if wave_l >= 0.0 {
        gas_flux(l, gamma)
    } else if contact >= 0.0 {
        let state = DVec3::new(l.density, l.density * l.velocity, gas_energy(l, gamma));
        gas_flux(l, gamma) + (star_state(l, gamma, wave_l, contact) - state) * wave_l
    } else if wave_r > 0.0 {
        let state = DVec3::new(r.density, r.density * r.velocity, gas_energy(r, gamma));
        gas_flux(r, gamma) + (star_state(r, gamma, wave_r, contact) - state) * wave_r
    } else {
        gas_flux(r, gamma)
    };
    fastest[i] = wave_l.abs().max(wave_r.abs());
}
