//! The material point method in the plane: particles carry a solid, and a grid moves it. The transfers are those of MLS-MPM
//! (Hu and others, 2018), with the affine velocities of APIC (Jiang and others, 2015).

use kernel_rt::prelude::*;

/// A grid with square cells. Node (i, j) is at ((i, j) + 0.5)·`spacing`.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The width of a cell, in m.
    pub spacing: f32,
    /// The step of time, in s.
    pub dt: f32,
}

/// The weights of three nodes in a row for a particle at `x` cells from the first one: quadratic B-splines.
#[device]
fn spline_weights(x: f32) -> Vec3 {
    let (left, right) = (1.5 - x, x - 0.5);
    Vec3::new(0.5 * left * left, 0.75 - (x - 1.0) * (x - 1.0), 0.5 * right * right)
}

/// The Kirchhoff stress of a neo-Hookean solid: μ·(F·Fᵀ − 1) + λ·ln(det F)·1.
#[device]
fn kirchhoff_stress(deformation: Mat2, shear: f32, bulk: f32) -> Mat2 {
    let stretch = deformation * deformation.transpose() - Mat2::IDENTITY;
    stretch * shear + Mat2::IDENTITY * (bulk * deformation.determinant().ln())
}

/// Particles to the grid: each particle adds its mass (kg) and its momentum (kg·m/s), with the impulse of its stress, to nine
/// nodes. `strain` is F − 1, the gradient of the displacement.
#[kernel(family = "atomic")]
pub fn particles_to_grid(
    #[domain(0.1..0.2)] grid: Grid,
    #[domain(1.0..4.0)] shear: f32,
    #[domain(1.0..4.0)] bulk: f32,
    #[domain(0.5..1.5)] mass: &[f32],
    #[domain(0.01..0.02)] volume: &[f32],
    #[domain(0.2..0.7)] position: &[Vec2],
    #[domain(-1.0..1.0)] velocity: &[Vec2],
    #[domain(-1.0..1.0)] affine: &[Mat2],
    #[domain(-0.2..0.2)] strain: &[Mat2],
    #[shape(8, 8)] node_mass: &mut Array2<f32>,
    #[shape(8, 8)] momentum: &mut Array2<Vec2>,
) {
    let i = tid();
    let scaled = position[i] / grid.spacing;
    let base = Vec2::new((scaled.x - 0.5).floor(), (scaled.y - 0.5).floor());
    if base.min_element() < 0.0 || base.max_element() > 5.0 {
        return;
    }
    let within = scaled - base;
    let weights_x = spline_weights(within.x);
    let weights_y = spline_weights(within.y);

    // The force of the stress and the affine velocity are one matrix for all nodes.
    let stress = kirchhoff_stress(Mat2::IDENTITY + strain[i], shear, bulk);
    let spread = -4.0 * grid.dt * volume[i] / (grid.spacing * grid.spacing);
    let push = stress * spread + affine[i] * mass[i];
    for a in 0..3 {
        for b in 0..3 {
            let offset = (Vec2::new(a as f32, b as f32) - within) * grid.spacing;
            let weight = weights_x[a] * weights_y[b];
            let row = base.x as usize + a;
            let column = base.y as usize + b;
            atomic_add(&mut node_mass[[row, column]], weight * mass[i]);
            atomic_add(&mut momentum[[row, column]], (velocity[i] * mass[i] + push * offset) * weight);
        }
    }
}

/// The velocity (m/s) of a node after gravity and the walls: nothing passes a wall, and friction slows what slides along it.
#[device]
fn moved_by_walls(velocity: Vec2, row: usize, column: usize, rows: usize, columns: usize, friction: f32) -> Vec2 {
    let mut v = velocity;
    if row < 2 && v.x < 0.0 || row + 2 >= rows && v.x > 0.0 {
        v = Vec2::new(0.0, v.y * (1.0 - friction));
    }
    if column < 2 && v.y < 0.0 || column + 2 >= columns && v.y > 0.0 {
        v = Vec2::new(v.x * (1.0 - friction), 0.0);
    }
    v
}

/// The grid back to particles: each particle gathers the velocities of nine nodes, after gravity and the walls, moves with them
/// and is deformed by them. Its volume may change by a factor between 0.6 and 1.4 only.
#[kernel(family = "combined")]
pub fn grid_to_particles(
    #[domain(0.1..0.2)] grid: Grid,
    #[domain(-10.0..0.0)] gravity: f32,
    #[domain(0.0..0.5)] friction: f32,
    #[shape(8, 8)]
    #[domain(0.0..1.0)]
    node_mass: &Array2<f32>,
    #[shape(8, 8)]
    #[domain(-1.0..1.0)]
    momentum: &Array2<Vec2>,
    #[domain(0.2..0.7)] position: &mut [Vec2],
    velocity: &mut [Vec2],
    affine: &mut [Mat2],
    #[domain(-0.2..0.2)] strain: &mut [Mat2],
) {
    let i = tid();
    let (rows, columns) = (node_mass.shape()[0], node_mass.shape()[1]);
    let scaled = position[i] / grid.spacing;
    let base = Vec2::new((scaled.x - 0.5).floor(), (scaled.y - 0.5).floor());
    if base.min_element() < 0.0 || base.x as usize + 3 > rows || base.y as usize + 3 > columns {
        return;
    }
    let within = scaled - base;
    let weights_x = spline_weights(within.x);
    let weights_y = spline_weights(within.y);
    let mut gathered = Vec2::ZERO;
    let mut slope = Mat2::ZERO;
    for a in 0..3 {
        for b in 0..3 {
            let row = base.x as usize + a;
            let column = base.y as usize + b;
            if node_mass[[row, column]] < 0.01 {
                continue;
            }
            let mut v = momentum[[row, column]] / node_mass[[row, column]].max(0.1);
            v.y += grid.dt * gravity;
            v = moved_by_walls(v, row, column, rows, columns, friction) * (weights_x[a] * weights_y[b]);
            gathered += v;
            slope += v.outer(Vec2::new(a as f32, b as f32) - within);
        }
    }
    velocity[i] = gathered;
    let gradient = slope * (4.0 / grid.spacing);
    affine[i] = gradient;
    position[i] += gathered * grid.dt;
    let mut deformation = (Mat2::IDENTITY + gradient * grid.dt) * (Mat2::IDENTITY + strain[i]);
    let size = deformation.determinant();
    if size < 0.6 {
        deformation *= (0.6 / size.max(0.1)).sqrt();
    } else if size > 1.4 {
        deformation *= (1.4 / size).sqrt();
    }
    strain[i] = deformation - Mat2::IDENTITY;
}
