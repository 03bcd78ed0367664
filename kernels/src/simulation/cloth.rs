//! Cloth: springs on a grid, bending at edges, and ropes of constraints.

use kernel_rt::prelude::*;

/// A ball that cloth lies on.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The centre, in m.
    pub centre: Vec3,
    /// The radius, in m.
    pub radius: f32,
}

/// The force (N) of a damped spring on its first end.
#[device]
fn spring_force(from: Vec3, to: Vec3, slip: Vec3, rest: f32, stiffness: f32, damping: f32) -> Vec3 {
    let offset = to - from;
    let length = offset.length().max(0.01);
    let along = offset / length;
    along * (stiffness * (length - rest) + damping * slip.dot(along))
}

/// A step of a cloth: structural, shear and bending springs to twelve neighbours on the grid, wind on the surface, weight,
/// then friction on a ball that the cloth must not enter. Nodes have a mass of 1; `pinned` ones stay. SI units.
#[kernel(family = "vector")]
pub fn step_cloth(
    #[domain(0.001..0.01)] dt: f32,
    #[domain(20.0..80.0)] stiffness: f32,
    #[domain(0.0..1.0)] damping: f32,
    #[domain(0.2..0.6)] spacing: f32,
    #[domain(-3.0..3.0)] wind: Vec3,
    #[domain(0.2..0.8)] ball: Ball,
    pinned: &Array2<bool>,
    #[domain(-1.0..1.0)] position: &Array2<Vec3>,
    #[domain(-1.0..1.0)] velocity: &Array2<Vec3>,
    next_position: &mut Array2<Vec3>,
    next_velocity: &mut Array2<Vec3>,
) {
    const DOWN: [i32; 12] = [0, 0, 1, -1, 1, 1, -1, -1, 0, 0, 2, -2];
    const RIGHT: [i32; 12] = [1, -1, 0, 0, 1, -1, 1, -1, 2, -2, 0, 0];
    let (row, column) = tid2();
    let rows = position.shape()[0] as i32;
    let columns = position.shape()[1] as i32;
    let here = position[[row, column]];
    let speed = velocity[[row, column]];
    if pinned[[row, column]] {
        next_position[[row, column]] = here;
        next_velocity[[row, column]] = Vec3::ZERO;
        return;
    }
    let mut force = Vec3::Y * -9.81;
    for k in 0..12 {
        let r = row as i32 + DOWN[k];
        let c = column as i32 + RIGHT[k];
        if r < 0 || c < 0 || r >= rows || c >= columns {
            continue;
        }
        let there = position[[r as usize, c as usize]];
        let slip = velocity[[r as usize, c as usize]] - speed;
        let rest = spacing * ((DOWN[k] * DOWN[k] + RIGHT[k] * RIGHT[k]) as f32).sqrt();
        let strength = if k < 4 {
            stiffness
        } else if k < 8 {
            0.5 * stiffness
        } else {
            0.1 * stiffness
        };
        force += spring_force(here, there, slip, rest, strength, damping);
    }
    // Wind pushes on the area between the next node down and the next one to the right.
    let below = position[[(row + 1).min(position.shape()[0] - 1), column]];
    let beside = position[[row, (column + 1).min(position.shape()[1] - 1)]];
    let area = (below - here).cross(beside - here);
    force += area * (0.5 * area.dot(wind - speed));

    let mut v = speed + force * dt;
    let mut p = here + v * dt;
    let out = p - ball.centre;
    let distance = out.length();
    if distance < ball.radius {
        let normal = out / distance.max(0.001);
        p = ball.centre + normal * ball.radius;
        v = (v - normal * v.dot(normal).min(0.0)) * 0.9;
    }
    next_position[[row, column]] = p;
    next_velocity[[row, column]] = v;
}

/// The angle between two triangles with a common edge from `from` to `to`: 0 where they are flat, positive on one side.
#[device]
fn dihedral_angle(normal_a: Vec3, normal_b: Vec3, edge: Vec3) -> f32 {
    normal_a.cross(normal_b).dot(edge).atan2(normal_a.dot(normal_b) * edge.length())
}

/// Forces (N) that bend a cloth back at its inner edges, with damping, on the four corners of the two triangles beside each
/// edge (Bridson, Marino and Fedkiw, 2003). `corners` are the two opposite corners, then the ends of the edge; `rest` is the
/// angle without a force. Triangles with almost no area are left out.
#[kernel(family = "atomic")]
pub fn bend_cloth(
    #[domain(0.1..2.0)] stiffness: f32,
    #[domain(0.0..0.2)] damping: f32,
    #[shape(dim0 / 2 + 4)]
    #[domain(-1.0..1.0)]
    position: &[Vec3],
    #[shape(position.len())]
    #[domain(-1.0..1.0)]
    velocity: &[Vec3],
    #[domain(0..position.len())] corners: &[UVec4],
    #[domain(-0.5..0.5)] rest: &[f32],
    #[shape(position.len())] forces: &mut [Vec3],
) {
    let i = tid();
    let mut points = [Vec3::ZERO; 4];
    for k in 0..4 {
        points[k] = position[corners[i][k] as usize];
    }
    let edge = points[3] - points[2];
    let length = edge.length();
    let to_a = points[0] - points[2];
    let to_b = points[1] - points[2];
    let across_a = to_a.cross(points[0] - points[3]);
    let across_b = (points[1] - points[3]).cross(to_b);
    let area_a = across_a.length_squared();
    let area_b = across_b.length_squared();
    if length < 0.1 || area_a < 0.01 || area_b < 0.01 {
        return;
    }
    // By how much the angle falls as each corner moves.
    let slope_a = across_a / area_a;
    let slope_b = across_b / area_b;
    let mut slopes = [Vec3::ZERO; 4];
    slopes[0] = slope_a * length;
    slopes[1] = slope_b * length;
    let axis = edge / length;
    slopes[2] = slope_a * (points[0] - points[3]).dot(axis) + slope_b * (points[1] - points[3]).dot(axis);
    slopes[3] = -(slope_a * to_a.dot(axis) + slope_b * to_b.dot(axis));

    let angle = dihedral_angle(across_a, across_b, axis);
    let mut turning = 0.0;
    for k in 0..4 {
        turning += slopes[k].dot(velocity[corners[i][k] as usize]);
    }
    let weight = length * length / (area_a.sqrt() + area_b.sqrt());
    let moment = stiffness * weight * (angle - rest[i]) - damping * length * turning;
    for k in 0..4 {
        atomic_add(&mut forces[corners[i][k] as usize], slopes[k] * moment);
    }
}

/// A step of ropes of six particles by position-based dynamics with compliance (XPBD: Macklin, Müller and Chentanez, 2016):
/// predict, satisfy the distances between neighbours and the ground in sweeps, and take velocities from positions. The first
/// particle is fixed. Particles have a mass of 1; `compliance` is in m/N.
#[kernel(family = "nested_loop")]
pub fn step_ropes(
    #[domain(0.005..0.02)] dt: f32,
    #[domain(0.0001..0.01)] compliance: f32,
    #[domain(0.2..0.4)] segment: f32,
    #[domain(1..5)] sweeps: u32,
    #[shape(dim0, 6)]
    #[domain(-1.0..1.0)]
    position: &Array2<Vec3>,
    #[shape(dim0, 6)]
    #[domain(-1.0..1.0)]
    velocity: &Array2<Vec3>,
    #[shape(dim0, 6)] next_position: &mut Array2<Vec3>,
    #[shape(dim0, 6)] next_velocity: &mut Array2<Vec3>,
) {
    const PARTICLES: usize = 6;
    const GROUND: f32 = -0.5;
    let i = tid();
    let mut p = [Vec3::ZERO; PARTICLES];
    let mut multiplier = [0.0f32; PARTICLES];
    p[0] = position[[i, 0]];
    for k in 1..PARTICLES {
        let v = velocity[[i, k]] - Vec3::Y * (9.81 * dt);
        p[k] = position[[i, k]] + v * dt;
    }
    let softness = compliance / (dt * dt);
    for _ in 0..sweeps {
        for k in 1..PARTICLES {
            let free = if k == 1 { 0.0 } else { 1.0 };
            let offset = p[k] - p[k - 1];
            let length = offset.length().max(0.01);
            let stretch = length - segment;
            let change = -(stretch + softness * multiplier[k]) / (1.0 + free + softness);
            multiplier[k] += change;
            let along = offset * (change / length);
            p[k] += along;
            p[k - 1] -= along * free;
        }
        for k in 1..PARTICLES {
            if p[k].y < GROUND {
                p[k].y = GROUND;
                // Friction: the ground keeps half of the way along it.
                let start = position[[i, k]];
                p[k].x = 0.5 * (p[k].x + start.x);
                p[k].z = 0.5 * (p[k].z + start.z);
            }
        }
    }
    for k in 0..PARTICLES {
        next_position[[i, k]] = p[k];
        next_velocity[[i, k]] = (p[k] - position[[i, k]]) / dt;
    }
}
