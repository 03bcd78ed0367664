//! Atomic updates: many threads add to, or compete for, the same elements.

use kernel_rt::prelude::*;

/// Histogram of samples from 0 to 1 in 16 equal bins.
#[kernel(family = "atomic")]
pub fn histogram(#[domain(0.0..1.0)] samples: &[f32], #[shape(16)] counts: &mut [u32]) {
    let i = tid();
    let bin = (samples[i] * 16.0) as usize;
    atomic_add(&mut counts[bin.min(15)], 1);
}

/// Sum of all values, in one element.
#[kernel(family = "atomic")]
pub fn global_sum(#[domain(-1.0..1.0)] values: &[f64], #[shape(1)] sum: &mut [f64]) {
    let i = tid();
    atomic_add(&mut sum[0], values[i]);
}

/// Largest and smallest of all readings, in one element each that holds the extreme so far.
#[kernel(family = "atomic")]
pub fn running_extremes(
    #[domain(-10000..10000)] readings: &[i32],
    #[shape(1)]
    #[domain(-100..0)]
    highest: &mut [i32],
    #[shape(1)]
    #[domain(0..100)]
    lowest: &mut [i32],
) {
    let i = tid();
    atomic_max(&mut highest[0], readings[i]);
    atomic_min(&mut lowest[0], readings[i]);
}

/// Largest absolute residual |b − Ax| of a linear solver, given both vectors; `largest[0]` holds the one so far.
#[kernel(family = "atomic")]
pub fn max_residual(
    #[domain(-1.0..1.0)] ax: &[f32],
    #[domain(-1.0..1.0)] b: &[f32],
    #[shape(1)]
    #[domain(0.0..0.1)]
    largest: &mut [f32],
) {
    let i = tid();
    let residual = (b[i] - ax[i]).abs();
    atomic_max(&mut largest[0], residual);
}

/// Earliest collision time (s) of particles with the ground under gravity g (m/s²): the first root of h + v·t − g·t²/2.
/// `earliest[0]` holds the time step's end.
#[kernel(family = "atomic")]
pub fn earliest_impact(
    #[domain(5.0..15.0)] gravity: f32,
    #[domain(0.1..4.0)] height: &[f32],
    #[domain(-3.0..3.0)] speed: &[f32],
    #[shape(1)]
    #[domain(1.0..2.0)]
    earliest: &mut [f32],
) {
    let i = tid();
    let root = (speed[i] * speed[i] + 2.0 * gravity * height[i]).sqrt();
    atomic_min(&mut earliest[0], (speed[i] + root) / gravity);
}

/// How many pixels of an image are brighter than a threshold.
#[kernel(family = "atomic")]
pub fn count_above(
    #[domain(0.2..0.8)] threshold: f32,
    #[domain(0.0..1.0)] image: &Array2<f32>,
    #[shape(1)] count: &mut [u32],
) {
    let (row, column) = tid2();
    if image[[row, column]] > threshold {
        atomic_add(&mut count[0], 1);
    }
}

/// Scatter-add: each value is added to the element of `totals` that its index names.
#[kernel(family = "atomic")]
pub fn scatter_add(
    #[domain(-1.0..1.0)] totals: &mut [f32],
    #[domain(0..totals.len())] index: &[u32],
    #[domain(-1.0..1.0)] values: &[f32],
) {
    let i = tid();
    let bucket = index[i] as usize;
    atomic_add(&mut totals[bucket], values[i]);
}

/// Mass and first moments of particles: (Σm, Σm·x, Σm·y, Σm·z) in kg and kg·m; the centroid is the last three over
/// the first.
#[kernel(family = "atomic")]
pub fn mass_moments(
    #[domain(0.1..2.0)] mass: &[f32],
    #[domain(-3.0..3.0)] position: &[Vec3],
    #[shape(4)] moments: &mut [f32],
) {
    let i = tid();
    let weighted = position[i] * mass[i];
    atomic_add(&mut moments[0], mass[i]);
    atomic_add(&mut moments[1], weighted.x);
    atomic_add(&mut moments[2], weighted.y);
    atomic_add(&mut moments[3], weighted.z);
}

/// Out-degree and in-degree of the nodes of a directed graph; one thread per edge (from, to).
#[kernel(family = "atomic")]
pub fn node_degrees(
    #[shape(dim0 / 3 + 1)] out_degree: &mut [u32],
    #[shape(out_degree.len())] in_degree: &mut [u32],
    #[domain(0..out_degree.len())] edges: &[UVec2],
) {
    let edge = tid();
    let ends = edges[edge];
    atomic_add(&mut out_degree[ends.x as usize], 1);
    atomic_add(&mut in_degree[ends.y as usize], 1);
}

/// Joint histogram of two signals from −1 to 1, in a square of `bins` × `bins`.
#[kernel(family = "atomic")]
pub fn joint_histogram(
    #[domain(1..12)] bins: usize,
    #[domain(-1.0..1.0)] x: &[f32],
    #[domain(-1.0..1.0)] y: &[f32],
    #[shape(bins, bins)] counts: &mut Array2<u32>,
) {
    let i = tid();
    let scale = 0.5 * bins as f32;
    let row = ((y[i] + 1.0) * scale) as usize;
    let column = ((x[i] + 1.0) * scale) as usize;
    atomic_add(&mut counts[[row.min(bins - 1), column.min(bins - 1)]], 1);
}

/// Red, green and blue histograms of an image of packed 0xRRGGBB pixels, as three rows of 256 levels.
#[kernel(family = "atomic")]
pub fn color_histogram(#[domain(0..16777216)] image: &Array2<u32>, #[shape(3, 256)] counts: &mut Array2<u32>) {
    let (row, column) = tid2();
    let pixel = image[[row, column]];
    for channel in 0..3u32 {
        let level = (pixel >> (16 - 8 * channel)) & 0xff;
        atomic_add(&mut counts[[channel as usize, level as usize]], 1);
    }
}

/// Brightness histogram of an RGB image with a byte for each channel: how many pixels have each rounded luma.
#[kernel(family = "atomic")]
pub fn luma_histogram(
    #[domain(0..256)]
    #[shape(dim0, dim1, 3)]
    image: &Array3<u8>,
    #[shape(256)] counts: &mut [u32],
) {
    let (row, column) = tid2();
    let red = image[[row, column, 0]] as f32;
    let green = image[[row, column, 1]] as f32;
    let blue = image[[row, column, 2]] as f32;
    let luma = (0.299 * red + 0.587 * green + 0.114 * blue).round() as u8;
    atomic_add(&mut counts[luma as usize], 1);
}

/// Density of a point cloud in the unit cube on a grid of cubic voxels: the mass in each voxel over its volume.
#[kernel(family = "atomic")]
pub fn voxel_density(
    #[domain(1..8)] resolution: usize,
    #[domain(0.0..1.0)] points: &[Vec3],
    #[domain(0.5..2.0)] mass: &[f32],
    #[shape(resolution, resolution, resolution)] density: &mut Array3<f32>,
) {
    let i = tid();
    let cells = resolution as f32;
    let last = resolution - 1;
    let x = ((points[i].x * cells) as usize).min(last);
    let y = ((points[i].y * cells) as usize).min(last);
    let z = ((points[i].z * cells) as usize).min(last);
    atomic_add(&mut density[[x, y, z]], mass[i] * cells * cells * cells);
}

/// Axis-aligned bounding box of points, its corners grown from what they hold: `lower` and `upper` have three elements,
/// one for each axis.
#[kernel(family = "atomic")]
pub fn bounding_box(
    #[domain(-10.0..10.0)] points: &[DVec3],
    #[shape(3)]
    #[domain(0.0..1.0)]
    lower: &mut [f64],
    #[shape(3)]
    #[domain(-1.0..0.0)]
    upper: &mut [f64],
) {
    let i = tid();
    for axis in 0..3 {
        atomic_min(&mut lower[axis], points[i][axis]);
        atomic_max(&mut upper[axis], points[i][axis]);
    }
}

/// Sparse matrix times vector from coordinate triplets: y[row] += value·x[column], one thread per stored element.
#[kernel(family = "atomic")]
pub fn coo_matvec(
    #[domain(-1.0..1.0)] x: &[f64],
    y: &mut [f64],
    #[domain(0..y.len())] rows: &[u32],
    #[domain(0..x.len())] columns: &[u32],
    #[domain(-2.0..2.0)] values: &[f64],
) {
    let k = tid();
    let product = values[k] * x[columns[k] as usize];
    atomic_add(&mut y[rows[k] as usize], product);
}

/// Bank transfers in cents: each amount leaves one account and enters another.
#[kernel(family = "atomic")]
pub fn settle_transfers(
    #[shape(dim0 / 4 + 2)]
    #[domain(-100000..100000)]
    balances: &mut [i64],
    #[domain(0..balances.len())] payer: &[i32],
    #[domain(0..balances.len())] payee: &[i32],
    #[domain(0..50000)] amount: &[i64],
) {
    let i = tid();
    atomic_sub(&mut balances[payer[i] as usize], amount[i]);
    atomic_add(&mut balances[payee[i] as usize], amount[i]);
}

/// Area-weighted vertex normals of a mesh, not yet of unit length: each triangle adds its cross product to its three
/// corners.
#[kernel(family = "atomic")]
pub fn vertex_normals(
    #[shape(dim0 / 2 + 3)]
    #[domain(-1.0..1.0)]
    positions: &[Vec3],
    #[domain(0..positions.len())] triangles: &[UVec3],
    #[shape(positions.len())] normals: &mut [Vec3],
) {
    let triangle = triangles[tid()];
    let a = positions[triangle.x as usize];
    let b = positions[triangle.y as usize];
    let c = positions[triangle.z as usize];
    let normal = (b - a).cross(c - a);
    atomic_add(&mut normals[triangle.x as usize], normal);
    atomic_add(&mut normals[triangle.y as usize], normal);
    atomic_add(&mut normals[triangle.z as usize], normal);
}

/// Forces (N) of damped springs on the particles at their ends, by Hooke's law.
#[kernel(family = "atomic")]
pub fn spring_network(
    #[domain(10.0..100.0)] stiffness: f32,
    #[domain(0.1..2.0)] damping: f32,
    #[shape(dim0 / 2 + 2)]
    #[domain(-1.0..1.0)]
    positions: &[Vec3],
    #[shape(positions.len())]
    #[domain(-1.0..1.0)]
    velocities: &[Vec3],
    #[domain(0..positions.len())] ends: &[UVec2],
    #[domain(0.2..1.0)] rest_lengths: &[f32],
    #[shape(positions.len())] forces: &mut [Vec3],
) {
    let spring = tid();
    let a = ends[spring].x as usize;
    let b = ends[spring].y as usize;
    if a == b {
        return;
    }
    let offset = positions[b] - positions[a];
    let length = offset.length();
    let direction = offset / length;
    let speed = (velocities[b] - velocities[a]).dot(direction);
    let force = direction * (stiffness * (length - rest_lengths[spring]) + damping * speed);
    atomic_add(&mut forces[a], force);
    atomic_sub(&mut forces[b], force);
}

/// Inertia tensor (kg·m²) of a cloud of point masses about the origin: Σ m·(|r|²·1 − r·rᵀ).
#[kernel(family = "atomic")]
pub fn inertia_tensor(
    #[domain(0.1..1.0)] masses: &[f64],
    #[domain(-1.0..1.0)] positions: &[DVec3],
    #[shape(1)] inertia: &mut [DMat3],
) {
    let i = tid();
    let r = positions[i];
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    let diagonal = DMat3::from_diagonal(DVec3::splat(r.dot(r)));
    atomic_add(&mut inertia[0], (diagonal - outer) * masses[i]);
}

/// Momentum of each of eight zones along the floor: masses move in the plane, so only x and z are collected.
#[kernel(family = "atomic")]
pub fn zone_momentum(
    #[domain(0.5..2.0)] masses: &[f32],
    #[domain(-1.0..1.0)] velocities: &[Vec3],
    #[domain(0..8)] zones: &[u32],
    #[shape(8)] momentum: &mut [Vec3],
) {
    let i = tid();
    let zone = zones[i] as usize;
    atomic_add(&mut momentum[zone].x, masses[i] * velocities[i].x);
    atomic_add(&mut momentum[zone].z, masses[i] * velocities[i].z);
}

/// Occupancy of 256 cells as a bitmap: a point sets the bit of its cell, 32 cells to a word.
#[kernel(family = "atomic")]
pub fn occupancy_bitmap(#[domain(0.0..1.0)] points: &[f32], #[shape(8)] words: &mut [u32]) {
    let i = tid();
    let cell = ((points[i] * 256.0) as u32).min(255);
    atomic_or(&mut words[(cell / 32) as usize], 1 << (cell % 32));
}

/// One step of a breadth-first search in a graph given by its edges. A node that an edge reaches first gets the depth as its
/// level, and is counted; -1 marks nodes that are not reached yet.
#[kernel(family = "atomic")]
pub fn breadth_first_step(
    #[domain(1..9)] depth: i32,
    #[shape(dim0 / 2 + 3)]
    #[domain(-1..1)]
    level: &mut [i32],
    #[shape(level.len())]
    #[domain(0..2)]
    in_frontier: &[u32],
    #[domain(0..level.len())] from: &[u32],
    #[domain(0..level.len())] to: &[u32],
    #[shape(1)] found: &mut [u32],
) {
    let edge = tid();
    if in_frontier[from[edge] as usize] == 1 && atomic_cas(&mut level[to[edge] as usize], -1, depth) == -1 {
        atomic_add(&mut found[0], 1);
    }
}

/// Number of distinct values among many from 0 to 63: the first thread that marks a value counts it.
#[kernel(family = "atomic")]
pub fn distinct_values(
    #[domain(0..64)] values: &[i32],
    #[shape(64)]
    #[domain(0..1)]
    marks: &mut [u32],
    #[shape(1)] distinct: &mut [u32],
) {
    let i = tid();
    if atomic_exch(&mut marks[values[i] as usize], 1) == 0 {
        atomic_add(&mut distinct[0], 1);
    }
}

/// Sums of each row and each column of an image in 64 bits: its projections on the two axes.
#[kernel(family = "atomic")]
pub fn image_projections(
    #[domain(0..65536)] image: &Array2<u32>,
    row_sums: &mut [u64],
    #[shape(dim1)] column_sums: &mut [u64],
) {
    let (row, column) = tid2();
    let value = image[[row, column]] as u64;
    atomic_add(&mut row_sums[row], value);
    atomic_add(&mut column_sums[column], value);
}

/// Sum of absolute differences between two frames, for each square block of `size` × `size` pixels.
#[kernel(family = "atomic")]
pub fn block_differences(
    #[domain(1..8)] size: usize,
    #[domain(0..256)] frame: &Array2<u32>,
    #[domain(0..256)] reference: &Array2<u32>,
    #[shape((dim0 + size - 1) / size, (dim1 + size - 1) / size)] difference: &mut Array2<u64>,
) {
    let (row, column) = tid2();
    let distance = frame[[row, column]].abs_diff(reference[[row, column]]);
    atomic_add(&mut difference[[row / size, column / size]], distance as u64);
}

/// Mean squared error of predictions against targets, in one element: Σ(p − t)²/n.
#[kernel(family = "atomic")]
pub fn mean_squared_error(
    #[domain(-1.0..1.0)] prediction: &[f32],
    #[domain(-1.0..1.0)] target: &[f32],
    #[shape(1)] loss: &mut [f32],
) {
    let i = tid();
    let difference = prediction[i] - target[i];
    atomic_add(&mut loss[0], difference * difference / prediction.len() as f32);
}

/// Last time at which each of eight sensors was heard, in nanoseconds: the latest of its events and what it holds.
#[kernel(family = "atomic")]
pub fn latest_event(
    #[shape(8)]
    #[domain(0..1000000)]
    latest: &mut [u64],
    #[domain(0..latest.len())] sensor: &[u32],
    #[domain(0..1000000000000)] timestamp: &[u64],
) {
    let event = tid();
    atomic_max(&mut latest[sensor[event] as usize], timestamp[event]);
}

/// Mean activation of each channel of a tensor of samples × channels × rows × columns.
#[kernel(family = "atomic")]
pub fn channel_means(#[domain(-1.0..1.0)] activations: &Array4<f32>, #[shape(dim1)] means: &mut [f32]) {
    let (n, c, h, w) = tid4();
    let count = activations.shape()[0] * activations.shape()[2] * activations.shape()[3];
    atomic_add(&mut means[c], activations[[n, c, h, w]] / count as f32);
}

/// Adds a value to the four cells around a place, by the areas opposite to them (cloud in cell). Nothing outside of the grid.
#[device]
pub fn deposit(grid: &mut Array2<f32>, place: Vec2, value: f32) {
    let corner = Vec2::new(place.x.floor(), place.y.floor());
    let part = place - corner;
    let (i, j) = (corner.x as usize, corner.y as usize);
    if corner.min_element() < 0.0 || i + 1 >= grid.shape()[0] || j + 1 >= grid.shape()[1] {
        return;
    }
    atomic_add(&mut grid[[i, j]], value * (1.0 - part.x) * (1.0 - part.y));
    atomic_add(&mut grid[[i + 1, j]], value * part.x * (1.0 - part.y));
    atomic_add(&mut grid[[i, j + 1]], value * (1.0 - part.x) * part.y);
    atomic_add(&mut grid[[i + 1, j + 1]], value * part.x * part.y);
}

/// Charge and charge times velocity along x of particles on a grid of 6 × 6 nodes, as in particle-in-cell codes.
#[kernel(family = "atomic")]
pub fn charge_deposition(
    #[domain(0.0..6.5)] place: &[Vec2],
    #[domain(-1.0..1.0)] charge: &[f32],
    #[domain(-1.0..1.0)] velocity: &[f32],
    #[shape(6, 6)] density: &mut Array2<f32>,
    #[shape(6, 6)] current: &mut Array2<f32>,
) {
    let i = tid();
    deposit(density, place[i], charge[i]);
    deposit(current, place[i], charge[i] * velocity[i]);
}
