//! Kernels with nested loops: matrix products, filters, transforms, dynamic programming, small solvers.

use kernel_rt::prelude::*;

/// Matrix product C = A·B, one thread per entry of C, summed in tiles of four columns of A.
#[kernel(family = "nested_loop")]
pub fn matmul_tiled(
    #[domain(1..20)] inner: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, inner)]
    a: &Array2<f32>,
    #[domain(-1.0..1.0)]
    #[shape(inner, dim1)]
    b: &Array2<f32>,
    c: &mut Array2<f32>,
) {
    let (row, col) = tid2();
    let mut sum = 0.0;
    for tile in (0..inner).step_by(4) {
        let mut part = 0.0;
        for k in tile..(tile + 4).min(inner) {
            part += a[[row, k]] * b[[k, col]];
        }
        sum += part;
    }
    c[[row, col]] = sum;
}

/// Correlation of an image with a square filter, where the filter fits: the output is smaller by `taps` − 1.
#[kernel(family = "nested_loop")]
pub fn convolve_2d(
    #[domain(1..6)] taps: usize,
    #[domain(-1.0..1.0)]
    #[shape(taps, taps)]
    filter: &Array2<f32>,
    #[domain(0.0..1.0)]
    #[shape(dim0 + taps - 1, dim1 + taps - 1)]
    image: &Array2<f32>,
    filtered: &mut Array2<f32>,
) {
    let (row, col) = tid2();
    let mut sum = 0.0;
    for down in 0..taps {
        for right in 0..taps {
            sum += filter[[down, right]] * image[[row + down, col + right]];
        }
    }
    filtered[[row, col]] = sum;
}

/// Box blur: the mean of the pixels within `radius`, of those that exist at the border.
#[kernel(family = "nested_loop")]
pub fn box_blur(#[domain(0..4)] radius: usize, #[domain(0.0..1.0)] image: &Array2<f32>, blurred: &mut Array2<f32>) {
    let (row, col) = tid2();
    let last_row = (row + radius).min(image.shape()[0] - 1);
    let last_col = (col + radius).min(image.shape()[1] - 1);
    let mut sum = 0.0;
    let mut count = 0;
    for r in row.saturating_sub(radius)..=last_row {
        for c in col.saturating_sub(radius)..=last_col {
            sum += image[[r, c]];
            count += 1;
        }
    }
    blurred[[row, col]] = sum / count as f32;
}

/// Discrete Fourier transform of each row by its definition: X(f) = Σ x(t)·exp(−2πi·f·t/n), as (real, imaginary).
#[kernel(family = "nested_loop")]
pub fn fourier_rows(
    #[domain(1..17)] samples: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, samples)]
    signal: &Array2<f32>,
    #[shape(dim0, samples)] spectrum: &mut Array2<Vec2>,
) {
    let i = tid();
    let turn = -2.0 * std::f32::consts::PI / samples as f32;
    for frequency in 0..samples {
        let mut sum = Vec2::ZERO;
        for time in 0..samples {
            let angle = turn * (frequency * time % samples) as f32;
            sum += Vec2::new(angle.cos(), angle.sin()) * signal[[i, time]];
        }
        spectrum[[i, frequency]] = sum;
    }
}

/// Gravity at each target of point masses (x, y, z, mass) and of their images one period to either side along x.
/// The distance is softened, a = Σ m·d/(d² + ε²)^(3/2).
#[kernel(family = "nested_loop")]
pub fn periodic_gravity(
    #[domain(1..16)] bodies: usize,
    #[domain(0.05..0.5)] softening: f32,
    #[domain(2.0..4.0)] period: f32,
    #[domain(-1.0..1.0)]
    #[shape(bodies)]
    sources: &[Vec4],
    #[domain(-1.0..1.0)] targets: &[Vec3],
    acceleration: &mut [Vec3],
) {
    let i = tid();
    let mut total = Vec3::ZERO;
    for body in 0..bodies {
        let nearest = sources[body].truncate() - targets[i];
        for image in -1..=1 {
            let offset = nearest + Vec3::X * (image as f32 * period);
            let distance_squared = offset.length_squared() + softening * softening;
            total += offset * (sources[body].w / (distance_squared * distance_squared.sqrt()));
        }
    }
    acceleration[i] = total;
}

/// Directed Hausdorff distance of two point sets a row: how far a point of the first can be from all of the second.
#[kernel(family = "nested_loop")]
pub fn hausdorff_distance(
    #[domain(1..8)] from_points: usize,
    #[domain(1..8)] to_points: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, from_points)]
    from: &Array2<DVec2>,
    #[domain(-1.0..1.0)]
    #[shape(dim0, to_points)]
    to: &Array2<DVec2>,
    distance: &mut [f64],
) {
    let i = tid();
    let mut farthest = 0.0;
    for j in 0..from_points {
        let mut nearest = f64::MAX;
        for k in 0..to_points {
            nearest = nearest.min(from[[i, j]].distance_squared(to[[i, k]]));
        }
        farthest = nearest.max(farthest);
    }
    distance[i] = farthest.sqrt();
}

/// Trilinear sample of a volume at points whose coordinates run from 0 to 1 along each axis.
#[kernel(family = "nested_loop")]
pub fn trilinear_sample(
    #[domain(2..6)] depth: usize,
    #[domain(2..6)] height: usize,
    #[domain(2..6)] width: usize,
    #[domain(-1.0..1.0)]
    #[shape(depth, height, width)]
    volume: &Array3<f32>,
    #[domain(0.0..1.0)] points: &[Vec3],
    samples: &mut [f32],
) {
    let i = tid();
    let last = Vec3::new((width - 1) as f32, (height - 1) as f32, (depth - 1) as f32);
    let place = points[i] * last;
    let x = (place.x as usize).min(width - 2);
    let y = (place.y as usize).min(height - 2);
    let z = (place.z as usize).min(depth - 2);
    let part = place - Vec3::new(x as f32, y as f32, z as f32);
    let mut sum = 0.0;
    for dz in 0..2 {
        let weight_z = if dz == 0 { 1.0 - part.z } else { part.z };
        for dy in 0..2 {
            let weight_y = if dy == 0 { 1.0 - part.y } else { part.y };
            for dx in 0..2 {
                let weight_x = if dx == 0 { 1.0 - part.x } else { part.x };
                sum += weight_z * weight_y * weight_x * volume[[z + dz, y + dy, x + dx]];
            }
        }
    }
    samples[i] = sum;
}

/// Gauss–Seidel sweeps of Laplace's equation on rods, one a row, in place; the ends keep their temperature.
#[kernel(family = "nested_loop", no_grad)]
pub fn gauss_seidel_rods(
    #[domain(2..12)] nodes: usize,
    #[domain(0..10)] sweeps: u32,
    #[domain(-1.0..1.0)]
    #[shape(dim0, nodes)]
    temperature: &mut Array2<f64>,
) {
    let i = tid();
    for _ in 0..sweeps {
        for j in 1..nodes - 1 {
            temperature[[i, j]] = 0.5 * (temperature[[i, j - 1]] + temperature[[i, j + 1]]);
        }
    }
}

/// Solution of L·x = b by forward substitution, one system a row, in place in `rhs`.
/// L is lower triangular with ones on the diagonal; only what stands below it is read.
#[kernel(family = "nested_loop")]
pub fn forward_substitution(
    #[domain(1..8)] size: usize,
    #[domain(-0.5..0.5)]
    #[shape(dim0, size, size)]
    lower: &Array3<f64>,
    #[domain(-1.0..1.0)]
    #[shape(dim0, size)]
    rhs: &mut Array2<f64>,
) {
    let i = tid();
    for row in 1..size {
        let mut known = 0.0;
        for col in 0..row {
            known += lower[[i, row, col]] * rhs[[i, col]];
        }
        rhs[[i, row]] -= known;
    }
}

/// Shortest paths between all pairs of nodes by Floyd and Warshall's algorithm, one graph a thread, in place.
#[kernel(family = "nested_loop")]
pub fn floyd_warshall(
    #[domain(1..7)] nodes: usize,
    #[domain(1..100)]
    #[shape(dim0, nodes, nodes)]
    length: &mut Array3<i32>,
) {
    let graph = tid();
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let detour = length[[graph, from, via]] + length[[graph, via, to]];
                if detour < length[[graph, from, to]] {
                    length[[graph, from, to]] = detour;
                }
            }
        }
    }
}

/// Median of the 3×3 neighbourhood of a pixel, the border repeated outwards.
/// The median is the pixel with at most 4 smaller ones and, with those equal to it, more than 4.
#[kernel(family = "nested_loop")]
pub fn median_3x3(#[domain(0..256)] image: &Array2<i32>, median: &mut Array2<i32>) {
    let (row, col) = tid2();
    let last_row = image.shape()[0] - 1;
    let last_col = image.shape()[1] - 1;
    for candidate in 0..9 {
        let candidate_row = (row + candidate / 3).saturating_sub(1).min(last_row);
        let candidate_col = (col + candidate % 3).saturating_sub(1).min(last_col);
        let value = image[[candidate_row, candidate_col]];
        let mut smaller = 0;
        let mut equal = 0;
        for down in 0..3 {
            for right in 0..3 {
                let other = image
                    [[(row + down).saturating_sub(1).min(last_row), (col + right).saturating_sub(1).min(last_col)]];
                smaller += (other < value) as i32;
                equal += (other == value) as i32;
            }
        }
        if smaller <= 4 && smaller + equal > 4 {
            median[[row, col]] = value;
            break;
        }
    }
}

/// How many primes there are up to each limit, by trial division.
#[kernel(family = "nested_loop")]
pub fn count_primes(#[domain(0..300)] limit: &[u32], count: &mut [u32]) {
    let i = tid();
    let mut primes = 0;
    for n in 2..=limit[i] {
        let mut prime = true;
        let mut divisor = 2;
        while divisor * divisor <= n {
            if n % divisor == 0 {
                prime = false;
                break;
            }
            divisor += 1;
        }
        if prime {
            primes += 1;
        }
    }
    count[i] = primes;
}

/// Levenshtein's edit distance of two words a row. `costs` is each thread's line of the table:
/// in the end the cost of turning the first word into each beginning of the second.
#[kernel(family = "nested_loop")]
pub fn edit_distance(
    #[domain(0..8)] first_len: usize,
    #[domain(0..8)] second_len: usize,
    #[domain(0..4)]
    #[shape(dim0, first_len)]
    first: &Array2<u32>,
    #[domain(0..4)]
    #[shape(dim0, second_len)]
    second: &Array2<u32>,
    #[shape(dim0, second_len + 1)] costs: &mut Array2<u32>,
    distance: &mut [u32],
) {
    let i = tid();
    for k in 0..=second_len {
        costs[[i, k]] = k as u32;
    }
    for j in 0..first_len {
        let mut diagonal = costs[[i, 0]];
        costs[[i, 0]] = j as u32 + 1;
        for k in 0..second_len {
            let above = costs[[i, k + 1]];
            let replaced = diagonal + if first[[i, j]] == second[[i, k]] { 0 } else { 1 };
            costs[[i, k + 1]] = replaced.min(above + 1).min(costs[[i, k]] + 1);
            diagonal = above;
        }
    }
    distance[i] = costs[[i, second_len]];
}

/// Insertion sort of each row, in place.
#[kernel(family = "nested_loop", no_grad)]
pub fn insertion_sort_rows(
    #[domain(1..16)] cols: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, cols)]
    table: &mut Array2<f32>,
) {
    let i = tid();
    for j in 1..cols {
        let value = table[[i, j]];
        let mut hole = j;
        while hole > 0 && table[[i, hole - 1]] > value {
            table[[i, hole]] = table[[i, hole - 1]];
            hole -= 1;
        }
        table[[i, hole]] = value;
    }
}

/// Maximum pooling of a batch of images (image, channel, row, column) over square windows side by side.
#[kernel(family = "nested_loop")]
pub fn max_pool_2d(
    #[domain(1..4)] window: usize,
    #[domain(-1.0..1.0)]
    #[shape(dim0, dim1, dim2 * window, dim3 * window)]
    images: &Array4<f32>,
    pooled: &mut Array4<f32>,
) {
    let (image, channel, row, col) = tid4();
    let mut largest = f32::NEG_INFINITY;
    for r in row * window..(row + 1) * window {
        for c in col * window..(col + 1) * window {
            largest = largest.max(images[[image, channel, r, c]]);
        }
    }
    pooled[[image, channel, row, col]] = largest;
}

/// Discrete Laplacian of a volume over all 26 neighbours: their mean, as far as they exist, minus the cell itself.
#[kernel(family = "nested_loop")]
pub fn laplacian_3d(#[domain(-1.0..1.0)] volume: &Array3<f64>, laplacian: &mut Array3<f64>) {
    let (z, y, x) = tid3();
    let mut sum = 0.0;
    let mut count = 0;
    for k in z.saturating_sub(1)..(z + 2).min(volume.shape()[0]) {
        for j in y.saturating_sub(1)..(y + 2).min(volume.shape()[1]) {
            for i in x.saturating_sub(1)..(x + 2).min(volume.shape()[2]) {
                if k == z && j == y && i == x {
                    continue;
                }
                sum += volume[[k, j, i]];
                count += 1;
            }
        }
    }
    laplacian[[z, y, x]] = if count > 0 { sum / count as f64 - volume[[z, y, x]] } else { 0.0 };
}

/// One generation of Conway's game of life on a torus.
#[kernel(family = "nested_loop")]
pub fn life_on_torus(alive: &Array2<bool>, next: &mut Array2<bool>) {
    let (i, j) = tid2();
    let rows = alive.shape()[0];
    let columns = alive.shape()[1];
    let mut neighbours = 0;
    for di in 0..3 {
        for dj in 0..3 {
            let is_other = di != 1 || dj != 1;
            if is_other && alive[[(i + rows + di - 1) % rows, (j + columns + dj - 1) % columns]] {
                neighbours += 1;
            }
        }
    }
    next[[i, j]] = neighbours == 3 || (alive[[i, j]] && neighbours == 2);
}

/// A lamp in a room.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Its place.
    pub place: Vec3,
    /// Its colour, times its power.
    pub colour: Vec3,
    /// The distance at which half of its light arrives.
    pub reach: f32,
}

/// The light of lamps on the tiles of a floor, each at several places.
#[kernel(family = "nested_loop")]
pub fn light_tiles(
    #[shape(5)] lamps: &[Lamp],
    #[domain(0.5..2.0)] tile: f32,
    #[domain(1..4)] samples: u32,
    light: &mut Array2<Vec3>,
) {
    let (row, column) = tid2();
    let mut sum = Vec3::ZERO;
    for k in 0..lamps.len() {
        let lamp = lamps[k];
        for s in 0..samples {
            let part = (s as f32 + 0.5) / samples as f32;
            let place = Vec3::new((column as f32 + part) * tile, 0.0, (row as f32 + part) * tile);
            let distance_squared = (lamp.place - place).length_squared();
            let reach_squared = lamp.reach * lamp.reach + 0.1;
            sum += lamp.colour * (reach_squared / (reach_squared + distance_squared));
        }
    }
    light[[row, column]] = sum / samples as f32;
}

/// Sorts numbers by insertion. Returns the number of exchanges.
#[device]
fn sort_in_place(numbers: &mut [f32; 5]) -> u32 {
    let mut exchanges = 0;
    for i in 1..numbers.len() {
        let mut j = i;
        while j > 0 && numbers[j - 1] > numbers[j] {
            (numbers[j - 1], numbers[j]) = (numbers[j], numbers[j - 1]);
            exchanges += 1;
            j -= 1;
        }
    }
    exchanges
}

/// The median of sorted numbers, and the mean distance from it.
#[device]
fn spread(sorted: &[f32], median: &mut f32, width: &mut f32) {
    *median = sorted[sorted.len() / 2];
    for k in 0..sorted.len() {
        *width += (sorted[k] - *median).abs();
    }
    *width /= sorted.len() as f32;
}

/// A median filter over windows of five, with the mean distance from the median, without the extremes. Windows that are in
/// order already are left as they are.
#[kernel(family = "nested_loop")]
pub fn median_filter(
    #[domain(-1.0..1.0)]
    #[shape(dim0 + 4)]
    signal: &[f32],
    filtered: &mut [f32],
    width: &mut [f32],
) {
    let i = tid();
    let window = &signal[i..i + 5];
    let mut numbers = [0.0f32; 5];
    for k in 0..numbers.len() {
        numbers[k] = window[k];
    }
    let mut median = window[2];
    if sort_in_place(&mut numbers) > 0 {
        spread(&numbers[1..4], &mut median, &mut width[i]);
    }
    filtered[i] = median;
}
