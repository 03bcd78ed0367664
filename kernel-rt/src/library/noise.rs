//! Gradient noise: smooth random functions of a position on a line, in the plane, in space, and in space and time.
//!
//! Whole numbers divide the plane, or the space, into cells. Each corner has a random direction, and with it a linear function
//! that is 0 at the corner. In a cell the functions of the corners are blended. So noise is 0 at whole numbers, its mean is 0,
//! its magnitude is at most 1, and its slope and curvature are continuous. A state of `rand_init` or `rand_seed` chooses the
//! function. Coordinates are below 2³¹ in magnitude; from 2²⁴ on, all of them are whole. The error is below 10⁻⁶.
//!
//! The values are those of Warp, bit for bit. There is one exception: below zero Warp's `pnoise` does not repeat. So the Warp text
//! calls it at the place in the tile from zero on. Noise has a derivative by the position, and curl noise also by `lacunarity` and
//! `gain`.
//!
//! Sources: K. Perlin, "Improving noise", 2002. The hash of corners is that of M. Teschner and others, "Optimized spatial
//! hashing for collision detection of deformable objects", 2003, as Warp has it.

use crate::prelude::*;

/// The weight of the corner behind, from 0 at 0 to 1 at 1, where its slope and its curvature are 0.
#[device(grad(t = fade_dt))]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[device]
fn fade_dt(t: f32, adj: f32) -> f32 {
    adj * fade_slope(t)
}

#[device(grad(t = fade_slope_dt))]
fn fade_slope(t: f32) -> f32 {
    30.0 * t * t * (t * (t - 2.0) + 1.0)
}

#[device]
fn fade_slope_dt(t: f32, adj: f32) -> f32 {
    adj * (60.0 * t * (t * (t * 2.0 - 3.0) + 1.0))
}

#[device]
fn blend(a: f32, b: f32, t: f32) -> f32 {
    (b - a) * fade(t) + a
}

/// `blend` with its slopes, from the slopes `da` and `db`. The position `t` is along the axis `unit`.
#[device]
fn blend_slopes<const N: usize>(
    a: f32,
    da: Vector<f32, N>,
    b: f32,
    db: Vector<f32, N>,
    t: f32,
    unit: Vector<f32, N>,
) -> (f32, Vector<f32, N>) {
    (blend(a, b, t), (db - da) * fade(t) + unit * ((b - a) * fade_slope(t)) + da)
}

/// The lowest corner of the cell around a position, and the position from there.
#[device]
fn cell<const N: usize>(x: Vector<f32, N>) -> (Vector<i32, N>, Vector<f32, N>) {
    let (mut floor, mut low) = (Vector::<f32, N>::splat(0.0), Vector::<i32, N>::splat(0));
    for axis in 0..N {
        floor[axis] = x[axis].floor();
        low[axis] = floor[axis] as i32;
    }
    (low, x - floor)
}

/// The highest corner of the cell with the lowest corner `low`.
#[device]
fn behind<const N: usize>(low: Vector<i32, N>) -> Vector<i32, N> {
    let mut high = low;
    for axis in 0..N {
        high[axis] = low[axis].wrapping_add(1);
    }
    high
}

/// The random direction at a corner: that of a random point of a cube around 0, and 0 for the center.
#[device]
fn direction<const N: usize>(state: u32, corner: Vector<i32, N>) -> Vector<f32, N> {
    let primes = [73_856_093u32, 19_349_663, 53_471_161, 10_000_019];
    let mut rng = (corner[N - 1] as u32).wrapping_mul(primes[N - 1]).wrapping_add(state);
    for axis in 0..N - 1 {
        rng ^= (corner[axis] as u32).wrapping_mul(primes[axis]);
    }
    let mut v = Vector::<f32, N>::splat(0.0);
    for axis in 0..N {
        v[axis] = randf(&mut rng) - 0.5;
    }
    let length = v.length();
    if length > 0.0 { v / length } else { v }
}

/// The neighbour of the corner `low` along an axis, and the unit vector of the axis.
#[device]
fn neighbour<const N: usize>(
    low: Vector<i32, N>,
    high: Vector<i32, N>,
    axis: usize,
) -> (Vector<i32, N>, Vector<f32, N>) {
    let (mut next, mut unit) = (low, Vector::<f32, N>::splat(0.0));
    next[axis] = high[axis];
    unit[axis] = 1.0;
    (next, unit)
}

/// Noise between the corner `low` and its neighbour along the first axis. `x` is the position from `low`. The blends are nested
/// as in Warp, so that they are rounded alike.
#[device]
fn edge<const N: usize>(state: u32, low: Vector<i32, N>, high: Vector<i32, N>, x: Vector<f32, N>) -> f32 {
    let (next, unit) = neighbour(low, high, 0);
    blend(x.dot(direction(state, low)), (x - unit).dot(direction(state, next)), x[0])
}

/// Noise between the corners along the first two axes.
#[device]
fn face<const N: usize>(state: u32, low: Vector<i32, N>, high: Vector<i32, N>, x: Vector<f32, N>) -> f32 {
    let (next, unit) = neighbour(low, high, 1);
    blend(edge(state, low, high, x), edge(state, next, high, x - unit), x[1])
}

/// Noise between the corners along the first three axes.
#[device]
fn cube<const N: usize>(state: u32, low: Vector<i32, N>, high: Vector<i32, N>, x: Vector<f32, N>) -> f32 {
    let (next, unit) = neighbour(low, high, 2);
    blend(face(state, low, high, x), face(state, next, high, x - unit), x[2])
}

/// Noise between the corners along four axes.
#[device]
fn hypercube(state: u32, low: IVec4, high: IVec4, x: Vec4) -> f32 {
    let (next, unit) = neighbour(low, high, 3);
    blend(cube(state, low, high, x), cube(state, next, high, x - unit), x[3])
}

/// `edge` with its slopes.
#[device]
fn edge_slopes<const N: usize>(
    state: u32,
    low: Vector<i32, N>,
    high: Vector<i32, N>,
    x: Vector<f32, N>,
) -> (f32, Vector<f32, N>) {
    let (next, unit) = neighbour(low, high, 0);
    let (da, db) = (direction(state, low), direction(state, next));
    blend_slopes(x.dot(da), da, (x - unit).dot(db), db, x[0], unit)
}

/// `face` with its slopes.
#[device]
fn face_slopes<const N: usize>(
    state: u32,
    low: Vector<i32, N>,
    high: Vector<i32, N>,
    x: Vector<f32, N>,
) -> (f32, Vector<f32, N>) {
    let (next, unit) = neighbour(low, high, 1);
    let (a, da) = edge_slopes(state, low, high, x);
    let (b, db) = edge_slopes(state, next, high, x - unit);
    blend_slopes(a, da, b, db, x[1], unit)
}

/// `cube` with its slopes.
#[device]
fn cube_slopes<const N: usize>(
    state: u32,
    low: Vector<i32, N>,
    high: Vector<i32, N>,
    x: Vector<f32, N>,
) -> (f32, Vector<f32, N>) {
    let (next, unit) = neighbour(low, high, 2);
    let (a, da) = face_slopes(state, low, high, x);
    let (b, db) = face_slopes(state, next, high, x - unit);
    blend_slopes(a, da, b, db, x[2], unit)
}

/// `hypercube` with its slopes.
#[device]
fn hypercube_slopes(state: u32, low: IVec4, high: IVec4, x: Vec4) -> (f32, Vec4) {
    let (next, unit) = neighbour(low, high, 3);
    let (a, da) = cube_slopes(state, low, high, x);
    let (b, db) = cube_slopes(state, next, high, x - unit);
    blend_slopes(a, da, b, db, x[3], unit)
}

/// The random slope at a whole number on a line, from -1 to 1.
#[device]
fn slope(state: u32, i: i32) -> f32 {
    let mut rng = (i as u32).wrapping_mul(73_856_093).wrapping_add(state);
    randf_range(&mut rng, -1.0, 1.0)
}

/// Noise on a line.
#[device(warp = "noise")]
pub fn noise1(state: u32, x: f32) -> f32 {
    let floor = x.floor();
    let (i, t) = (floor as i32, x - floor);
    blend(t * slope(state, i), (t - 1.0) * slope(state, i.wrapping_add(1)), t)
}

/// Noise in the plane.
#[device(warp = "noise")]
pub fn noise2(state: u32, x: Vec2) -> f32 {
    let (low, place) = cell(x);
    face(state, low, behind(low), place)
}

/// Noise in space.
#[device(warp = "noise")]
pub fn noise3(state: u32, x: Vec3) -> f32 {
    let (low, place) = cell(x);
    cube(state, low, behind(low), place)
}

/// Noise in space and time.
#[device(warp = "noise")]
pub fn noise4(state: u32, x: Vec4) -> f32 {
    let (low, place) = cell(x);
    hypercube(state, low, behind(low), place)
}

/// The position in the first tile of the periods.
#[device]
fn in_tile<const N: usize>(x: Vector<f32, N>, period: Vector<i32, N>) -> Vector<f32, N> {
    let mut place = x;
    for axis in 0..N {
        place[axis] = x[axis].rem_euclid(period[axis] as f32);
    }
    place
}

/// The corner of the first tile that has the same direction.
#[device]
fn corner_in_tile<const N: usize>(corner: Vector<i32, N>, period: Vector<i32, N>) -> Vector<i32, N> {
    let mut low = corner;
    for axis in 0..N {
        low[axis] = corner[axis] % period[axis];
    }
    low
}

#[device(warp = "pnoise")]
fn tile1(state: u32, x: f32, px: i32) -> f32 {
    let floor = x.floor();
    let (i, t) = (floor as i32 % px, x - floor);
    blend(t * slope(state, i), (t - 1.0) * slope(state, (i + 1) % px), t)
}

#[device(warp = "pnoise")]
fn tile2(state: u32, x: Vec2, px: i32, py: i32) -> f32 {
    let period = IVec2::new(px, py);
    let (corner, place) = cell(x);
    let low = corner_in_tile(corner, period);
    face(state, low, corner_in_tile(behind(low), period), place)
}

#[device(warp = "pnoise")]
fn tile3(state: u32, x: Vec3, px: i32, py: i32, pz: i32) -> f32 {
    let period = IVec3::new(px, py, pz);
    let (corner, place) = cell(x);
    let low = corner_in_tile(corner, period);
    cube(state, low, corner_in_tile(behind(low), period), place)
}

#[device(warp = "pnoise")]
fn tile4(state: u32, x: Vec4, px: i32, py: i32, pz: i32, pt: i32) -> f32 {
    let period = IVec4::new(px, py, pz, pt);
    let (corner, place) = cell(x);
    let low = corner_in_tile(corner, period);
    hypercube(state, low, corner_in_tile(behind(low), period), place)
}

/// Noise on a line that repeats after `px`, from 1 to 2²⁴. The place in the tile is rounded for negative `x`.
#[device]
pub fn pnoise1(state: u32, x: f32, px: i32) -> f32 {
    tile1(state, x.rem_euclid(px as f32), px)
}

/// Noise in the plane that repeats after `px` along x and `py` along y.
#[device]
pub fn pnoise2(state: u32, x: Vec2, px: i32, py: i32) -> f32 {
    tile2(state, in_tile(x, IVec2::new(px, py)), px, py)
}

/// Noise in space that repeats after `px`, `py` and `pz`.
#[device]
pub fn pnoise3(state: u32, x: Vec3, px: i32, py: i32, pz: i32) -> f32 {
    tile3(state, in_tile(x, IVec3::new(px, py, pz)), px, py, pz)
}

/// Noise in space and time that repeats after `px`, `py`, `pz` and `pt`.
#[device]
pub fn pnoise4(state: u32, x: Vec4, px: i32, py: i32, pz: i32, pt: i32) -> f32 {
    tile4(state, in_tile(x, IVec4::new(px, py, pz, pt)), px, py, pz, pt)
}

/// The curl of noise in the plane: a field of velocities that keeps the area of what it moves. The slopes of the octaves are
/// added, each at `lacunarity` times the frequency and `gain` times the amplitude of the one before.
///
/// Source: R. Bridson, J. Houriham and M. Nordenstam, "Curl-noise for procedural fluid flow", 2007.
#[device(warp = "curlnoise")]
pub fn curlnoise2(state: u32, x: Vec2, octaves: u32, lacunarity: f32, gain: f32) -> Vec2 {
    let (mut sum, mut frequency, mut amplitude) = (Vec2::ZERO, 1.0, 1.0);
    for _ in 0..octaves {
        let (low, place) = cell(x * frequency);
        let (_, slopes) = face_slopes(state, low, behind(low), place);
        sum += slopes * amplitude;
        amplitude *= gain;
        frequency *= lacunarity;
    }
    Vec2::new(-sum.y, sum.x)
}

/// The curl of three noises. `slopes` gives a noise in a cell and its slopes.
#[device]
fn curl<const N: usize>(
    slopes: impl Fn(u32, Vector<i32, N>, Vector<i32, N>, Vector<f32, N>) -> (f32, Vector<f32, N>),
    state: u32,
    x: Vector<f32, N>,
    octaves: u32,
    lacunarity: f32,
    gain: f32,
) -> Vec3 {
    let primes = [0, 10_019_689, 13_112_221];
    let mut state = state;
    let mut sums = Matrix::<f32, N, 3>::ZERO;
    let (mut frequency, mut amplitude) = (1.0, 1.0);
    for _ in 0..octaves {
        let (low, place) = cell(x * frequency);
        let high = behind(low);
        for k in 0..3 {
            if k > 0 {
                state = rand_init(state as i32, primes[k]);
            }
            let (_, slopes_of_noise) = slopes(state, low, high, place);
            *sums.col_mut(k) += slopes_of_noise * amplitude;
        }
        amplitude *= gain;
        frequency *= lacunarity;
    }
    let (first, second, third) = (sums.col(0), sums.col(1), sums.col(2));
    Vec3::new(third[1] - second[2], first[2] - third[0], second[0] - first[1])
}

/// The curl of three noises in space: a field of velocities that keeps the volume of what it moves. Octaves are those of
/// `curlnoise2`.
#[device(warp = "curlnoise")]
pub fn curlnoise3(state: u32, x: Vec3, octaves: u32, lacunarity: f32, gain: f32) -> Vec3 {
    curl(cube_slopes::<3>, state, x, octaves, lacunarity, gain)
}

/// The curl by x, y and z of three noises in space and time. Octaves are those of `curlnoise2`.
#[device(warp = "curlnoise")]
pub fn curlnoise4(state: u32, x: Vec4, octaves: u32, lacunarity: f32, gain: f32) -> Vec3 {
    curl(hypercube_slopes, state, x, octaves, lacunarity, gain)
}
