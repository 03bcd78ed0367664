//! The library through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted C++ and
//! CUDA, and Warp, whose own functions the Python text calls. Random quaternions do not have length 1, so the formulas
//! agree for these, too.

use kernel_rt::library::*;
use kernel_rt::prelude::*;

/// Rotations from axes and angles, and of vectors.
#[kernel(family = "test")]
pub fn rotations(
    #[domain(-1.0..1.0)] axis: &[Vec3],
    #[domain(-3.0..3.0)] angle: &[f32],
    #[domain(-1.0..1.0)] q: &[Quat],
    there: &mut [Vec3],
    back: &mut [Vec3],
    turned: &mut [Quat],
) {
    let i = tid();
    let turn = quat_from_axis_angle(axis[i], angle[i]);
    there[i] = quat_rotate(turn, axis[i] + quat_rotate(q[i], axis[i]));
    back[i] = quat_rotate_inv(q[i], there[i]);
    turned[i] = quat_inverse(turn) * quat_rpy(angle[i], axis[i].x, axis[i].y);
}

/// Rotations to and from matrices, and between each other.
#[kernel(family = "test")]
pub fn conversions(
    #[domain(-1.0..1.0)] q: &[Quat],
    #[domain(-1.0..1.0)] m: &[Mat3],
    #[domain(0.0..1.0)] t: f32,
    matrices: &mut [Mat3],
    rotations: &mut [Quat],
    between: &mut [Quat],
    axes: &mut [Vec4],
) {
    let i = tid();
    matrices[i] = quat_to_matrix(q[i]);
    let r = quat_from_matrix(m[i]);
    rotations[i] = r;
    between[i] = quat_slerp(q[i].normalize(), r, t);
    let (axis, angle) = quat_to_axis_angle(q[i]);
    axes[i] = Vec4::new(axis.x, axis.y, axis.z, angle);
}

/// A chain of joints: transforms as state of a loop, in arrays and by field.
#[kernel(family = "test")]
pub fn chain(
    base: Transform,
    #[domain(-1.0..1.0)] joints: &[Transform],
    #[domain(0..6)] count: &[u32],
    #[domain(-2.0..2.0)] x: &[Vec3],
    ends: &mut [Transform],
    points: &mut [Vec3],
) {
    let i = tid();
    let mut frame = transform_multiply(transform_identity(), base);
    for k in 0..count[i] {
        frame = frame * joints[(i + k as usize) % joints.len()];
        frame.p.x += 0.125;
        frame.q = frame.q.normalize();
    }
    ends[i] = frame;
    ends[i].p += transform_vector(transform_inverse(frame), x[i]);
    points[i] = transform_point(frame, x[i]) - base.p;
}

/// Spatial algebra of bodies: velocities in another frame, the bias force, and the adjoint of a transform.
#[kernel(family = "test")]
pub fn bodies(
    #[domain(-1.0..1.0)] frames: &[Transform],
    #[domain(-1.0..1.0)] velocity: &[Vector<f32, 6>],
    #[domain(-1.0..1.0)] inertia: &[Matrix<f32, 6, 6>],
    #[shape(3)] totals: &mut [Vector<f32, 6>],
    moved: &mut [Vector<f32, 6>],
    power: &mut [f32],
) {
    let i = tid();
    let v = transform_twist(frames[i], velocity[i]);
    let bias = spatial_cross_dual(v, inertia[i] * v);
    atomic_add(&mut totals[i % 3], transform_wrench(frames[i], bias));
    let r = quat_to_matrix(frames[i].q);
    let columns =
        Mat3::from_cols(frames[i].p.cross(r.x_axis), frames[i].p.cross(r.y_axis), frames[i].p.cross(r.z_axis));
    let a = spatial_adjoint(r, columns) * velocity[i];
    moved[i] = spatial_cross(a, spatial_vector(spatial_bottom(v), spatial_top(v)));
    power[i] = spatial_dot(bias, velocity[i]);
}

/// The functions of one number.
#[kernel(family = "test")]
pub fn numbers(
    #[domain(-3.0..3.0)] x: &[f32],
    #[domain(-0.95..0.95)] p: &[f32],
    errors: &mut [Vec3],
    steps: &mut [Vec4],
) {
    let i = tid();
    errors[i] = Vec3::new(erf(x[i]), erfc(x[i]), erfinv(p[i]));
    steps[i] = Vec4::new(sign(x[i]), step(p[i]), frac(x[i] * 2.0), smoothstep(-1.0, 2.0, x[i]));
}

/// Numbers between those of a table, found by their place in it.
#[kernel(family = "test", instances(f32, f64))]
pub fn places<T: Float>(
    #[domain(0.0..1.0)]
    #[shape(9)]
    table: &[T],
    #[domain(0.0..1.0)] x: &[T],
    places: &mut [i32],
    above: &mut [T],
) {
    let i = tid();
    places[i] = lower_bound(table, x[i]);
    above[i] = x[i] - table[places[i] as usize];
}

/// Rotations and numbers in double precision.
#[kernel(family = "test")]
pub fn precise(
    #[domain(-1.0..1.0)] q: &[DQuat],
    #[domain(-1.0..1.0)] axis: &[DVec3],
    #[domain(-3.0..3.0)] angle: &[f64],
    #[domain(-1.0..1.0)] m: &[DMat3],
    turned: &mut [DVec3],
    between: &mut [DQuat],
    matrices: &mut [DMat3],
    axes: &mut [DVec4],
    angles: &mut [DVec3],
    numbers: &mut [DVec4],
) {
    let i = tid();
    let turn = quat_from_axis_angle(axis[i], angle[i]) * quat_inverse(quat_rpy(0.5, angle[i], axis[i].x));
    turned[i] = quat_rotate(turn, axis[i]) + quat_rotate_inv(q[i], axis[i]);
    between[i] = quat_slerp(q[i].normalize(), quat_from_matrix(m[i]), 0.25);
    matrices[i] = quat_to_matrix(q[i]);
    let (found, about) = quat_to_axis_angle(q[i]);
    axes[i] = found.extend(about);
    angles[i] = quat_to_euler(q[i], 2, 0, 1);
    numbers[i] = DVec4::new(sign(angle[i]), step(axis[i].y), frac(angle[i] * 2.0), smoothstep(-1.0, 2.0, angle[i]));
}

/// Euler angles in all orders of the axes, twists, and the velocity of a point of a body.
#[kernel(family = "test")]
pub fn angles(
    #[domain(-3.0..3.0)] e: &[Vec3],
    #[domain(-1.0..1.0)] q: &[Quat],
    #[domain(-1.0..1.0)] velocity: &[Vector<f32, 6>],
    turned: &mut [Quat],
    found: &mut [Vec3],
    proper: &mut [Vec3],
    rolled: &mut [Vec3],
    twists: &mut [Quat],
    twisted: &mut [Vec2],
    moved: &mut [Vec3],
) {
    let i = tid();
    let first = (i % 3) as i32;
    let second = (first + 1 + (i / 3 % 2) as i32) % 3;
    turned[i] = quat_from_euler(e[i], first, second, 3 - first - second);
    found[i] = quat_to_euler(q[i], first, second, 3 - first - second);
    proper[i] = quat_to_euler(q[i], first, second, first);
    rolled[i] = quat_to_rpy(q[i] * 0.5);
    let axis = e[i].normalize_or_zero();
    twists[i] = quat_twist(axis, q[i]);
    twisted[i] = Vec2::new(quat_twist_angle(axis, q[i]), quat_twist_angle_signed(axis, q[i]));
    moved[i] = velocity_at_point(velocity[i], e[i]);
}

/// Transforms from and to matrices.
#[kernel(family = "test")]
pub fn frames(
    #[domain(-1.0..1.0)] m: &[Mat4],
    #[domain(-1.0..1.0)] t: &[Transform],
    #[domain(0.5..2.0)] scale: &[Vec3],
    frames: &mut [Transform],
    matrices: &mut [Mat4],
    scaled: &mut [Mat4],
    parts: &mut [Transform],
    scales: &mut [Vec3],
) {
    let i = tid();
    frames[i] = transform_from_matrix(m[i]);
    matrices[i] = transform_to_matrix(t[i]);
    scaled[i] = transform_compose(t[i].p, t[i].q, scale[i]);
    let (p, q, s) = transform_decompose(m[i]);
    parts[i] = Transform { p, q };
    scales[i] = s;
}

/// Eigenvalues, singular values and polar decompositions, of matrices whose values differ.
#[kernel(family = "test", instances(f32, f64))]
pub fn factors<T: Float>(
    #[domain(-0.4..0.4)] a: &[Matrix<T, 3, 3>],
    #[domain(-0.4..0.4)] b: &[Matrix<T, 2, 2>],
    vectors: &mut [Matrix<T, 3, 3>],
    values: &mut [Vector<T, 3>],
    left: &mut [Matrix<T, 3, 3>],
    singular: &mut [Vector<T, 3>],
    right: &mut [Matrix<T, 3, 3>],
    rotation: &mut [Matrix<T, 3, 3>],
    stretch: &mut [Matrix<T, 3, 3>],
    plane: &mut [Matrix<T, 2, 2>],
    plane_values: &mut [Vector<T, 4>],
) {
    let i = tid();
    let m = a[i] + Matrix::<T, 3, 3>::from_diagonal(Vector::<T, 3>::new(T::lit(2), T::lit(6), T::lit(-4)));
    let (q, d) = eig3(m);
    vectors[i] = q;
    values[i] = d;
    let (u, s, v) = svd3(m);
    left[i] = u;
    singular[i] = s;
    right[i] = v;
    let (r, p) = polar3(m);
    rotation[i] = r;
    stretch[i] = p;
    let n = b[i] + Matrix::<T, 2, 2>::from_diagonal(Vector::<T, 2>::new(T::lit(1), T::lit(3)));
    let (q2, d2) = eig2(n);
    let (u2, s2, v2) = svd2(n);
    let (r2, p2) = polar2(n);
    plane[i] = q2 * u2 + v2 * r2 * p2;
    plane_values[i] = Vector::<T, 4>::new(d2.x, d2.y, s2.x, s2.y);
}

/// The decomposition into a rotation and a triangle, of columns that do not depend on each other.
#[kernel(family = "test", instances(f32, f64))]
pub fn triangles<T: Float>(
    #[domain(-0.4..0.4)] a: &[Matrix<T, 3, 3>],
    rotations: &mut [Matrix<T, 3, 3>],
    triangles: &mut [Matrix<T, 3, 3>],
) {
    let i = tid();
    let (q, r) = qr3(a[i] + Matrix::<T, 3, 3>::from_diagonal(Vector::<T, 3>::new(T::lit(2), T::lit(-1), T::lit(1))));
    rotations[i] = q;
    triangles[i] = r;
}

/// Linear systems of several sizes.
#[kernel(family = "test", instances((f32, 2), (f64, 3), (f64, 5)))]
pub fn systems<T: Float, const N: usize>(
    #[domain(-1.0..1.0)] a: &[Matrix<T, N, N>],
    #[domain(-1.0..1.0)] b: &[Vector<T, N>],
    factor: &mut [Matrix<T, N, N>],
    eliminated: &mut [Vector<T, N>],
    solved: &mut [Vector<T, N>],
    sums: &mut [T],
) {
    let i = tid();
    let far = Matrix::<T, N, N>::from_diagonal(Vector::<T, N>::splat(T::lit(3)));
    let positive = a[i] * a[i].transpose() + far;
    factor[i] = cholesky(positive);
    eliminated[i] = lu_solve(a[i] + far, b[i]);
    solved[i] = cholesky_solve(positive, b[i]);
    sums[i] = ddot(a[i], factor[i]) + get_diag(a[i]).dot(b[i]);
}

/// Nearest points of edges, some of which are points.
#[kernel(family = "test")]
pub fn edges(#[domain(-1.0..1.0)] p: &[Vec3], #[domain(-1.0..1.0)] q: &[Vec3], nearest: &mut [Vec3], seen: &mut [f32]) {
    let i = tid();
    let n = p.len();
    let (a, b, c) = (p[i], q[i], p[(i + 1) % n]);
    let d = if i % 7 == 3 { c } else { q[(i + 2) % n] };
    nearest[i] = closest_point_edge_edge(a, if i % 5 == 2 { a } else { b }, c, d, 1e-6);
    seen[i] = nonzero(a.x) + nonzero(if i % 2 == 0 { 0.0 } else { b.y });
}

/// Curves, tables and robust lengths.
#[kernel(family = "test")]
pub fn curves(
    #[domain(-1.0..1.0)] p: &[Vec3],
    #[domain(-1.0..1.0)] x: &[f32],
    #[domain(0.0..1.0)] t: &[f32],
    #[shape(5, 4)]
    #[domain(-1.0..1.0)]
    table: &Array2<f32>,
    #[domain(-1.0..5.0)] at: &[Vec2],
    points: &mut [Vec3],
    numbers: &mut [Vec3],
    looked_up: &mut [f32],
    lengths: &mut [Vec3],
    directions: &mut [Vec3],
) {
    let i = tid();
    let n = p.len();
    let (a, b, c, d) = (p[i], p[(i + 1) % n], p[(i + 2) % n], p[(i + 3) % n]);
    points[i] = catmull_rom_curve(a, b, c, d, t[i]) + hermite_curve(a, d, c, b, x[i]);
    let (sin, cos) = sin_cos(x[i]);
    let curve = catmull_rom(a.x, b.x, c.x, d.x, t[i]);
    numbers[i] = Vec3::new(curve, hermite(sin, cos, x[i], t[i], 0.25), mix(a.y, x[i], t[i]));
    looked_up[i] = bilinear(table, at[i].y, at[i].x);
    lengths[i] = Vec3::new(norm_l1(a), norm_huber(b, 0.75), norm_pseudo_huber(c, 0.5));
    directions[i] = smooth_normalize(d, 0.5);
}

/// Points of low discrepancy.
#[kernel(family = "test")]
pub fn points(from: &[u32], #[domain(2..100)] base: &[u32], points: &mut [Vec4], more: &mut [Vec2]) {
    let i = tid();
    let (s, r) = (sobol2(from[i]), roberts2(from[i]));
    points[i] = Vec4::new(s.x, s.y, r.x, r.y);
    more[i] = Vec2::new(van_der_corput(from[i]), halton(from[i], base[i]));
}

/// Noise, and noise that repeats, at places on both sides of zero.
#[kernel(family = "test")]
pub fn noises(
    #[domain(0..1000)] seed: i32,
    #[domain(-8.0..8.0)] x: &[Vec4],
    #[domain(1..6)] period: i32,
    noises: &mut [Vec4],
    repeated: &mut [Vec4],
) {
    let i = tid();
    let state = rand_init(seed, i as i32 / 5);
    let (two, three) = (Vec2::new(x[i].x, x[i].y), Vec3::new(x[i].x, x[i].y, x[i].z));
    noises[i] = Vec4::new(noise1(state, x[i].w), noise2(state, two), noise3(state, three), noise4(state, x[i]));
    let line = pnoise1(state, x[i].w, period);
    let plane = pnoise2(state, two, period, 4);
    let space = pnoise3(state, three, 2, period, 5);
    repeated[i] = Vec4::new(line, plane, space, pnoise4(state, x[i], 3, 1, 4, period));
}

/// Curls of noise in the plane.
#[kernel(family = "test")]
pub fn curls(
    #[domain(0..1000)] seed: i32,
    #[domain(0..4)] octaves: u32,
    #[domain(1.5..2.5)] lacunarity: f32,
    #[domain(0.3..0.7)] gain: f32,
    #[domain(-3.0..3.0)] x: &[Vec2],
    flow: &mut [Vec2],
) {
    let i = tid();
    flow[i] = curlnoise2(rand_seed(seed), x[i], octaves, lacunarity, gain);
}

/// Curls of noise in space, and in space and time.
#[kernel(family = "test")]
pub fn curls_in_space(
    #[domain(0..1000)] seed: i32,
    #[domain(0..3)] octaves: u32,
    #[domain(-3.0..3.0)] x: &[Vec4],
    flow: &mut [Vec3],
    drift: &mut [Vec3],
) {
    let i = tid();
    let state = rand_seed(seed);
    flow[i] = curlnoise3(state, Vec3::new(x[i].x, x[i].y, x[i].z), octaves, 2.0, 0.5);
    drift[i] = curlnoise4(state, x[i], octaves, 2.0, 0.5);
}

/// Random points of all shapes, moved and stretched by what has a derivative.
#[kernel(family = "test")]
pub fn shapes(
    #[domain(0..1000)] seed: i32,
    #[domain(0.5..2.0)] size: &[f32],
    #[domain(0.0..1.0, sorted)]
    #[shape(7)]
    cdf: &[f32],
    plane: &mut [Vec2],
    space: &mut [Vec3],
    half: &mut [Vec3],
    chosen: &mut [i32],
    states: &mut [u32],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let corner = sample_triangle(&mut rng) + sample_unit_ring(&mut rng) * size[i];
    plane[i] = corner + sample_unit_disk(&mut rng) * size[i] + sample_unit_square(&mut rng);
    let p = sample_unit_sphere_surface(&mut rng) * size[i];
    space[i] = p + sample_unit_sphere(&mut rng) + sample_unit_cube(&mut rng) * size[i];
    half[i] = sample_unit_hemisphere_surface(&mut rng) * size[i] - sample_unit_hemisphere(&mut rng);
    chosen[i] = sample_cdf(&mut rng, cdf);
    states[i] = rng;
}

/// Numbers of events, of few and of many, and what they weigh.
#[kernel(family = "test")]
pub fn events(
    #[domain(0..1000)] seed: i32,
    #[domain(0.0..25.0)] lam: &[f32],
    #[domain(0.1..2.0)] weight: f32,
    counts: &mut [UVec2],
    weights: &mut [f32],
) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let n = poisson(&mut rng, if i % 7 == 0 { 0.0 } else { lam[i] });
    counts[i] = UVec2::new(n, poisson(&mut rng, 40.0 * lam[i]));
    weights[i] = weight * n as f32 - lam[i];
}
