//! Kernels that combine vectors, matrices, branches, loops and atomics, as whole programs do.

use kernel_rt::prelude::*;

/// Sphere tracing of a ball above the ground y = −1 by their signed distance; the depth is 20 where a ray hits nothing.
/// The camera stands at the origin and looks along z; the ball is 4 units ahead, moved by `offset`.
#[kernel(family = "combined")]
pub fn sphere_march(#[domain(-1.0..1.0)] offset: Vec3, #[domain(0.5..1.5)] radius: f32, depth: &mut Array2<f32>) {
    const FAR: f32 = 20.0;
    let (row, col) = tid2();
    let right = 2.0 * (col as f32 + 0.5) / depth.shape()[1] as f32 - 1.0;
    let up = 1.0 - 2.0 * (row as f32 + 0.5) / depth.shape()[0] as f32;
    let direction = Vec3::new(right, up, 1.5).normalize();
    let center = Vec3::Z * 4.0 + offset;
    let mut travelled = 0.0;
    for _ in 0..64 {
        let point = direction * travelled;
        let distance = (point.distance(center) - radius).min(point.y + 1.0);
        if distance < 1e-3 {
            break;
        }
        travelled += distance;
        if travelled > FAR {
            travelled = FAR;
            break;
        }
    }
    depth[[row, col]] = travelled;
}

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

/// Spring forces on the nodes of a cloth from their up to eight neighbours: F = −k·(|d| − rest)·d/|d|, plus weight along −y.
#[kernel(family = "combined")]
pub fn cloth_forces(
    #[domain(10.0..100.0)] stiffness: f32,
    #[domain(0.1..1.0)] spacing: f32,
    #[domain(-1.0..1.0)] position: &Array2<Vec3>,
    force: &mut Array2<Vec3>,
) {
    let (row, col) = tid2();
    let last_row = (row + 1).min(position.shape()[0] - 1);
    let last_col = (col + 1).min(position.shape()[1] - 1);
    let mut total = Vec3::Y * -9.81;
    for r in row.saturating_sub(1)..=last_row {
        for c in col.saturating_sub(1)..=last_col {
            if r == row && c == col {
                continue;
            }
            let diagonal = r != row && c != col;
            let rest = if diagonal { spacing * std::f32::consts::SQRT_2 } else { spacing };
            let spring = position[[r, c]] - position[[row, col]];
            let stretch = spring.length() - rest;
            total += spring.normalize_or_zero() * (stiffness * stretch);
        }
    }
    force[[row, col]] = total;
}

/// Assignment step of k-means: the nearest centroid of each point, and the sums (x, y) and sizes of the clusters.
#[kernel(family = "combined")]
pub fn kmeans_assign(
    #[domain(1..8)] clusters: usize,
    #[domain(-1.0..1.0)]
    #[shape(clusters)]
    centroids: &[Vec2],
    #[domain(-1.0..1.0)] points: &[Vec2],
    label: &mut [u32],
    #[shape(clusters, 2)] sums: &mut Array2<f32>,
    #[shape(clusters)] sizes: &mut [u32],
) {
    let i = tid();
    let point = points[i];
    let mut best = 0;
    let mut closest = point.distance_squared(centroids[0]);
    for k in 1..clusters {
        let distance = point.distance_squared(centroids[k]);
        if distance < closest {
            closest = distance;
            best = k;
        }
    }
    label[i] = best as u32;
    atomic_add(&mut sums[[best, 0]], point.x);
    atomic_add(&mut sums[[best, 1]], point.y);
    atomic_add(&mut sizes[best], 1);
}

/// Distance along each ray to a triangle by Möller and Trumbore's test, −1 where the ray misses it.
#[kernel(family = "combined")]
pub fn ray_triangle(
    #[domain(-1.0..1.0)] a: Vec3,
    #[domain(-1.0..1.0)] b: Vec3,
    #[domain(-1.0..1.0)] c: Vec3,
    #[domain(-2.0..2.0)] origin: &[Vec3],
    #[domain(-1.0..1.0)] direction: &[Vec3],
    hit: &mut [f32],
) {
    let i = tid();
    let edge1 = b - a;
    let edge2 = c - a;
    let normal = direction[i].cross(edge2);
    let determinant = edge1.dot(normal);
    if determinant.abs() < 1e-3 {
        hit[i] = -1.0;
        return;
    }
    let from_corner = origin[i] - a;
    let across = from_corner.cross(edge1);
    let u = from_corner.dot(normal) / determinant;
    let v = direction[i].dot(across) / determinant;
    let t = edge2.dot(across) / determinant;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    hit[i] = if inside && t > 0.0 { t } else { -1.0 };
}

/// Line a·x + b of least squares through each row of samples at x = 0, 1, 2, …, by the normal equations; (a, b) a row.
#[kernel(family = "combined")]
pub fn line_fit(
    #[domain(2..16)] samples: usize,
    #[domain(-2.0..2.0)]
    #[shape(dim0, samples)]
    height: &Array2<f64>,
    line: &mut [DVec2],
) {
    let i = tid();
    let mut normal = DMat2::ZERO;
    let mut moment = DVec2::ZERO;
    for j in 0..samples {
        let jacobian = DVec2::new(j as f64, 1.0);
        normal += DMat2::from_cols(jacobian * jacobian.x, jacobian * jacobian.y);
        moment += jacobian * height[[i, j]];
    }
    line[i] = normal.inverse() * moment;
}

/// One damped Gauss–Newton step of the fit y = p·exp(q·x) to each row of samples on 0 … 1; (p, q) in place,
/// and the squared error before the step.
#[kernel(family = "combined")]
pub fn gauss_newton_exponential(
    #[domain(2..12)] samples: usize,
    #[domain(0.1..1.0)] damping: f64,
    #[domain(0.0..2.0)]
    #[shape(dim0, samples)]
    observed: &Array2<f64>,
    #[domain(-1.0..1.0)] parameters: &mut [DVec2],
    error: &mut [f64],
) {
    let i = tid();
    let p = parameters[i].x;
    let q = parameters[i].y;
    let mut normal = DMat2::from_diagonal(DVec2::splat(damping));
    let mut gradient = DVec2::ZERO;
    let mut squares = 0.0;
    for j in 0..samples {
        let x = j as f64 / (samples - 1) as f64;
        let growth = (q * x).exp();
        let residual = observed[[i, j]] - p * growth;
        let jacobian = DVec2::new(growth, p * x * growth);
        normal += DMat2::from_cols(jacobian * jacobian.x, jacobian * jacobian.y);
        gradient += jacobian * residual;
        squares += residual * residual;
    }
    parameters[i] += normal.inverse() * gradient;
    error[i] = squares;
}

/// Softmax of each row of logits at a temperature; entries beyond the row's `length` get probability 0.
#[kernel(family = "combined")]
pub fn masked_softmax(
    #[domain(1..16)] cols: usize,
    #[domain(0.5..2.0)] temperature: f32,
    #[domain(1..cols + 1)] length: &[u32],
    #[domain(-5.0..5.0)]
    #[shape(dim0, cols)]
    logits: &Array2<f32>,
    #[shape(dim0, cols)] probability: &mut Array2<f32>,
) {
    let i = tid();
    let used = length[i] as usize;
    let mut peak = logits[[i, 0]];
    for j in 1..used {
        peak = peak.max(logits[[i, j]]);
    }
    let mut sum = 0.0;
    for j in 0..used {
        sum += ((logits[[i, j]] - peak) / temperature).exp();
    }
    for j in 0..cols {
        probability[[i, j]] = if j < used { ((logits[[i, j]] - peak) / temperature).exp() / sum } else { 0.0 };
    }
}

/// Sobel's edge detector: strength of the gradient, cut off below the threshold, and how many edge pixels there are.
/// The border of the image is repeated outwards.
#[kernel(family = "combined")]
pub fn sobel_edges(
    #[domain(0.5..3.0)] threshold: f32,
    binary: bool,
    #[domain(0.0..1.0)] image: &Array2<f32>,
    edges: &mut Array2<f32>,
    #[shape(1)] count: &mut [i32],
) {
    let (row, col) = tid2();
    let mut gradient = Vec2::ZERO;
    for down in -1..=1 {
        for right in -1..=1 {
            let r = (row + (down + 1) as usize).saturating_sub(1).min(image.shape()[0] - 1);
            let c = (col + (right + 1) as usize).saturating_sub(1).min(image.shape()[1] - 1);
            let weight = Vec2::new((right * (2 - i32::abs(down))) as f32, (down * (2 - i32::abs(right))) as f32);
            gradient += weight * image[[r, c]];
        }
    }
    let strength = gradient.length();
    if strength < threshold {
        edges[[row, col]] = 0.0;
        return;
    }
    atomic_add(&mut count[0], 1);
    edges[[row, col]] = if binary { 1.0 } else { strength };
}

/// Position on an elliptic orbit of semi-major axis 1 from the mean anomaly M, by Newton's method for
/// Kepler's equation M = E − e·sin(E).
#[kernel(family = "combined")]
pub fn kepler_position(
    #[domain(0.0..0.8)] eccentricity: &[f64],
    #[domain(0.0..6.2)] mean_anomaly: &[f64],
    position: &mut [DVec2],
) {
    let i = tid();
    let e = eccentricity[i];
    let mut anomaly = mean_anomaly[i] + e * mean_anomaly[i].sin();
    for _ in 0..20 {
        let excess = anomaly - e * anomaly.sin() - mean_anomaly[i];
        let step = excess / (1.0 - e * anomaly.cos());
        anomaly -= step;
        if step.abs() < 1e-10 {
            break;
        }
    }
    let flattening = (1.0 - e * e).sqrt();
    position[i] = DVec2::new(anomaly.cos() - e, flattening * anomaly.sin());
}

/// Attitude of spinning bodies by small steps of q' = ω·q/2, normalised each time; `heading` is where their x axis ends up.
#[kernel(family = "combined")]
pub fn integrate_attitude(
    #[domain(0.001..0.02)] dt: f32,
    #[domain(1..30)] steps: i32,
    #[domain(-3.0..3.0)] spin: &[Vec3],
    #[domain(0.1..1.0)] attitude: &mut [Quat],
    heading: &mut [Vec3],
) {
    let i = tid();
    let mut q = attitude[i].normalize();
    let rate = Quat::from_xyzw(spin[i].x, spin[i].y, spin[i].z, 0.0);
    for _ in 0..steps {
        let change = rate * q * (0.5 * dt);
        q = (q + change).normalize();
    }
    attitude[i] = q;
    heading[i] = q * Vec3::X;
}

/// One explicit step of heat conduction in a plate with a round heater in the middle of the unit square.
/// The border is cooled to 0, or `insulated`: there the missing neighbour is the cell itself.
#[kernel(family = "combined")]
pub fn heat_plate(
    insulated: bool,
    #[domain(0.05..0.25)] diffusion: f64,
    #[domain(0.0..0.1)] heating: f64,
    #[domain(0.0..1.0)] before: &Array2<f64>,
    after: &mut Array2<f64>,
) {
    let (row, col) = tid2();
    let rows = before.shape()[0];
    let cols = before.shape()[1];
    let here = before[[row, col]];
    let border = row == 0 || col == 0 || row + 1 == rows || col + 1 == cols;
    if border && !insulated {
        after[[row, col]] = 0.0;
        return;
    }
    let above = before[[row.saturating_sub(1), col]];
    let below = before[[(row + 1).min(rows - 1), col]];
    let left = before[[row, col.saturating_sub(1)]];
    let right = before[[row, (col + 1).min(cols - 1)]];
    let mut warmer = here + diffusion * (above + below + left + right - 4.0 * here);
    let place = DVec2::new((col as f64 + 0.5) / cols as f64, (row as f64 + 0.5) / rows as f64);
    if place.distance(DVec2::splat(0.5)) < 0.2 {
        warmer += heating;
    }
    after[[row, col]] = warmer;
}

/// Linear blend skinning: each vertex moves with up to four bones, by weights that need not add up to 1.
/// Weights below the cut-off are ignored.
#[kernel(family = "combined")]
pub fn skin_vertices(
    #[domain(0.0..0.3)] cutoff: f32,
    #[domain(-1.0..1.0)]
    #[shape(6)]
    bones: &[Mat4],
    #[domain(0..bones.len())] influences: &[UVec4],
    #[domain(0.0..1.0)] weights: &[Vec4],
    #[domain(-1.0..1.0)] rest: &[Vec3],
    posed: &mut [Vec3],
) {
    let i = tid();
    let vertex = rest[i].extend(1.0);
    let mut moved = Vec3::ZERO;
    let mut total = 0.0;
    for k in 0..4 {
        let weight = weights[i][k];
        if weight < cutoff {
            continue;
        }
        let bone = bones[influences[i][k] as usize];
        moved += (bone * vertex).truncate() * weight;
        total += weight;
    }
    posed[i] = if total > 0.01 { moved / total } else { rest[i] };
}

/// Kalman filter of a target on a line that keeps its speed: position and speed from noisy positions, a track a row.
/// `seen` is 0 where a measurement is missing; then the filter only predicts.
#[kernel(family = "combined")]
pub fn kalman_track(
    #[domain(1..16)] scans: usize,
    #[domain(0.05..1.0)] noise: f64,
    #[domain(-2.0..2.0)]
    #[shape(dim0, scans)]
    measured: &Array2<f64>,
    #[domain(0..2)]
    #[shape(dim0, scans)]
    seen: &Array2<i32>,
    track: &mut [DVec2],
) {
    let i = tid();
    let motion = DMat2::from_cols(DVec2::X, DVec2::new(0.1, 1.0));
    let mut state = DVec2::ZERO;
    let mut covariance = DMat2::IDENTITY;
    for j in 0..scans {
        state = motion * state;
        covariance = motion * covariance * motion.transpose() + DMat2::from_diagonal(DVec2::splat(0.01));
        if seen[[i, j]] == 0 {
            continue;
        }
        let gain = covariance.x_axis / (covariance.x_axis.x + noise);
        state += gain * (measured[[i, j]] - state.x);
        let known = covariance.row(0);
        covariance -= DMat2::from_cols(gain * known.x, gain * known.y);
    }
    track[i] = state;
}

/// Lennard-Jones forces of listed neighbours within the cut-off, 4·(r⁻¹² − r⁻⁶), and the total energy in `energy[0]`.
/// Pairs closer than 0.9 count as at 0.9; an atom may stand in its own list and is skipped there.
#[kernel(family = "combined")]
pub fn lennard_jones_neighbors(
    #[domain(1.5..3.0)] cutoff: f64,
    #[domain(0.0..4.0)] atoms: &[DVec3],
    #[domain(0..atoms.len())]
    #[shape(dim0, 8)]
    neighbors: &Array2<u32>,
    force: &mut [DVec3],
    #[shape(1)] energy: &mut [f64],
) {
    let i = tid();
    let mut total = DVec3::ZERO;
    for k in 0..neighbors.shape()[1] {
        let other = neighbors[[i, k]] as usize;
        if other == i {
            continue;
        }
        let apart = atoms[i] - atoms[other];
        let squared = apart.length_squared().max(0.81);
        if squared > cutoff * cutoff {
            continue;
        }
        let attraction = 1.0 / (squared * squared * squared);
        let repulsion = attraction * attraction;
        total += apart * (24.0 * (2.0 * repulsion - attraction) / squared);
        atomic_add(&mut energy[0], 2.0 * (repulsion - attraction));
    }
    force[i] = total;
}

/// Point on Hilbert's curve through a square of 2^order cells a side, at a distance along the curve.
#[kernel(family = "combined")]
pub fn hilbert_point(#[domain(6..12)] order: i32, #[domain(0..4096)] along: &[i32], point: &mut [IVec2]) {
    let i = tid();
    let mut rest = along[i];
    let mut p = IVec2::ZERO;
    for level in 0..order {
        let side = 1 << level;
        let right = (rest / 2) & 1;
        let up = (rest ^ right) & 1;
        if up == 0 {
            if right == 1 {
                p = IVec2::splat(side - 1) - p;
            }
            p = IVec2::new(p.y, p.x);
        }
        p += IVec2::new(right, up) * side;
        rest /= 4;
    }
    point[i] = p;
}

/// The value of an image between the centres of its pixels, from the four around the place.
#[device]
fn bilinear(image: &Array2<f32>, row: f32, column: f32) -> f32 {
    let i = (row as usize).min(image.shape()[0] - 2);
    let j = (column as usize).min(image.shape()[1] - 2);
    let down = row - i as f32;
    let right = column - j as f32;
    let above = image[[i, j]] * (1.0 - right) + image[[i, j + 1]] * right;
    let below = image[[i + 1, j]] * (1.0 - right) + image[[i + 1, j + 1]] * right;
    above * (1.0 - down) + below * down
}

/// An image moved by a field of flow: each pixel takes the value at the place that its flow points to, or at the edge.
#[kernel(family = "combined")]
pub fn warp_by_flow(
    #[domain(0.0..1.0)]
    #[shape(dim0 + 1, dim1 + 1)]
    image: &Array2<f32>,
    #[domain(-2.0..2.0)] flow: &Array2<Vec2>,
    warped: &mut Array2<f32>,
) {
    let (i, j) = tid2();
    let row = (i as f32 + flow[[i, j]].y).clamp(0.0, (image.shape()[0] - 1) as f32);
    let column = (j as f32 + flow[[i, j]].x).clamp(0.0, (image.shape()[1] - 1) as f32);
    warped[[i, j]] = bilinear(image, row, column);
}

/// A half-line, with a direction of length 1.
#[device]
#[derive(Clone, Copy)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes.
    pub direction: Vec3,
}

/// The distances at which a ray enters and leaves a sphere, and whether it meets the sphere.
#[device]
pub fn ray_through_sphere(ray: Ray, centre: Vec3, radius: f32) -> (bool, f32, f32) {
    let offset = ray.origin - centre;
    let along = offset.dot(ray.direction);
    let discriminant = along * along - offset.dot(offset) + radius * radius;
    if discriminant <= 0.0 {
        return (false, 0.0, 0.0);
    }
    let root = discriminant.sqrt();
    (true, -along - root, -along + root)
}

/// Lambert's shade of the nearest of four spheres along each ray: the cosine between surface and light, 0 for the background.
#[kernel(family = "combined")]
pub fn shaded_spheres(
    #[domain(unit)] light: Vec3,
    #[domain(-0.5..0.5)] origin: &[Vec3],
    #[domain(unit)] direction: &[Vec3],
    #[shape(4)]
    #[domain(-2.0..2.0)]
    centre: &[Vec3],
    #[shape(4)]
    #[domain(0.4..0.9)]
    radius: &[f32],
    shade: &mut [f32],
) {
    let i = tid();
    let ray = Ray { origin: origin[i], direction: direction[i] };
    let mut nearest = 1e6;
    let mut normal = Vec3::ZERO;
    for k in 0..centre.len() {
        let (meets, enters, leaves) = ray_through_sphere(ray, centre[k], radius[k]);
        if meets && leaves > 0.0 {
            // A ray that starts inside of a sphere sees its far side.
            let (distance, side) = if enters > 0.0 { (enters, 1.0) } else { (leaves, -1.0) };
            if distance < nearest {
                nearest = distance;
                normal = (ray.origin + ray.direction * distance - centre[k]) * (side / radius[k]);
            }
        }
    }
    shade[i] = normal.dot(light).max(0.0);
}
