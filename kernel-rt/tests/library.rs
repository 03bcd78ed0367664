//! The library against other implementations: glam for rotations, libm in double precision for the error function.

use kernel_rt::library::*;
use kernel_rt::prelude::{rand_init, rand_seed, randf, randf_range};
use kernel_rt::value::{Mat3, Mat4, Quat, Vec2, Vec3, Vec4, Vector};

/// Numbers from `low` to `high`, the ends included.
fn range(low: f32, high: f32, steps: u32) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |k| low + (high - low) * (k as f32 / steps as f32))
}

/// The distance between a result and the true value, in units in the last place of the true value.
fn units(found: f32, truth: f64) -> f64 {
    let nearest = (truth as f32).abs();
    let unit = f64::from(nearest.next_up()) - f64::from(nearest);
    (f64::from(found) - truth).abs() / unit
}

#[track_caller]
fn check(of: &str, most: f64, values: impl Iterator<Item = (f32, f32, f64)>) {
    let worst = values.map(|(x, found, truth)| (units(found, truth), x)).max_by(|a, b| a.0.total_cmp(&b.0));
    let (worst, at) = worst.expect("there are values");
    assert!(worst <= most, "{of}({at:e}) is wrong by {worst} units in the last place");
}

#[test]
fn the_error_function_is_accurate() {
    let wide = || range(-10.0, 10.0, 200_000).chain(range(-1e-3, 1e-3, 1000)).chain([1e-30, -1e-20, 1e-44]);
    check("erf", 3.0, wide().map(|x| (x, erf(x), libm::erf(x.into()))));
    check("erfc", 5.0, wide().map(|x| (x, erfc(x), libm::erfc(x.into()))));
    assert_eq!((erf(f32::INFINITY), erf(f32::NEG_INFINITY), erf(0.0)), (1.0, -1.0, 0.0));
    assert_eq!((erfc(f32::INFINITY), erfc(f32::NEG_INFINITY), erfc(0.0)), (0.0, 2.0, 1.0));
    assert!(erf(f32::NAN).is_nan() && erfc(f32::NAN).is_nan());
}

#[test]
fn the_inverse_error_function_is_accurate() {
    // The true inverse is found by bisection in double precision.
    let inverse = |x: f32| {
        let (mut low, mut high) = (0.0_f64, 6.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            let below = if x.abs() < 0.5 {
                libm::erf(middle) < f64::from(x.abs())
            } else {
                libm::erfc(middle) > 1.0 - f64::from(x.abs())
            };
            if below { low = middle } else { high = middle }
        }
        low.copysign(x.into())
    };
    let ends = (1..100).map(|k| 1.0 - k as f32 * f32::EPSILON / 2.0);
    let values = range(-0.999, 0.999, 4_000).chain(ends).filter(|x| *x != 0.0);
    check("erfinv", 6.0, values.map(|x| (x, erfinv(x), inverse(x))));
    assert_eq!((erfinv(1.0), erfinv(-1.0), erfinv(0.0)), (f32::INFINITY, f32::NEG_INFINITY, 0.0));
    assert!(erfinv(1.5).is_nan() && erfinv(f32::NAN).is_nan());
}

fn near(found: &[f32], truth: &[f64]) -> bool {
    found.iter().zip(truth).all(|(a, b)| (f64::from(*a) - b).abs() < 2e-6)
}

#[test]
fn rotations_are_those_of_glam() {
    for k in 0..200 {
        let k = f64::from(k);
        let axis = glam::DVec3::new((k * 0.7).sin(), (k * 1.3).cos(), (k * 2.1).sin()).normalize();
        let (angle, v) = ((k * 0.37) % 6.0 - 3.0, glam::DVec3::new(1.0 - 0.01 * k, 0.3, -2.0));
        let truth = glam::DQuat::from_axis_angle(axis, angle);
        let single = |v: glam::DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        let q = quat_from_axis_angle(single(axis), angle as f32);
        assert!(near(&q.to_array(), &truth.to_array()), "{q:?} {truth:?}");
        assert!(near(&quat_rotate(q, single(v)).to_array(), &(truth * v).to_array()));
        assert!(near(&quat_rotate_inv(q, single(v)).to_array(), &(truth.inverse() * v).to_array()));
        assert!(near(quat_to_matrix(q).to_cols_array().as_slice(), &glam::DMat3::from_quat(truth).to_cols_array()));
        let m = glam::DMat3::from_quat(truth).to_cols_array().map(|number| number as f32);
        let back = quat_from_matrix(Mat3::from_cols_array(&m));
        let sign = if back.dot(q) < 0.0 { -1.0 } else { 1.0 };
        assert!(near(&(back * sign).to_array(), &truth.to_array()), "{back:?} {truth:?}");
        let (found_axis, found_angle) = quat_to_axis_angle(q);
        assert!(
            near(&quat_from_axis_angle(found_axis, found_angle).to_array(), &truth.to_array())
                || near(&(-quat_from_axis_angle(found_axis, found_angle)).to_array(), &truth.to_array())
        );
        let other = glam::DQuat::from_axis_angle(axis.any_orthonormal_vector(), 0.9);
        let b = quat_from_axis_angle(single(axis.any_orthonormal_vector()), 0.9);
        let (middle, true_middle) = (quat_slerp(q, b, 0.25), truth.slerp(other, 0.25));
        let sign = if f64::from(middle.w) * true_middle.w < 0.0 { -1.0 } else { 1.0 };
        assert!(near(&(middle * sign).to_array(), &true_middle.to_array()), "{middle:?} {true_middle:?}");
        let rpy = quat_rpy(0.3, angle as f32, -1.1);
        let true_rpy = glam::DQuat::from_euler(glam::EulerRot::ZYX, -1.1, angle, 0.3);
        assert!(near(&rpy.to_array(), &true_rpy.to_array()), "{rpy:?} {true_rpy:?}");
    }
}

#[test]
fn transforms_compose() {
    let turn = |angle: f32, p: Vec3| Transform { p, q: quat_from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle) };
    let (a, b) = (turn(0.7, Vec3::new(1.0, 2.0, 3.0)), turn(-2.0, Vec3::new(-1.0, 0.5, 0.0)));
    let x = Vec3::new(0.3, -0.4, 2.0);
    let numbers = |v: Vec3| v.to_array().map(f64::from);
    let both = transform_point(transform_multiply(a, b), x);
    assert!(near(&both.to_array(), &numbers(transform_point(a, transform_point(b, x)))));
    let back = transform_point(transform_inverse(a), transform_point(a, x));
    assert!(near(&back.to_array(), &numbers(x)));
    assert!(near(&transform_vector(a, x).to_array(), &numbers(transform_point(a, x) - a.p)));
    assert_eq!(transform_point(transform_identity(), x), x);
    // The power of a force is the same in every frame.
    let (velocity, force) = (spatial_vector(x, a.p), spatial_vector(b.p, Vec3::new(0.1, 0.2, 0.3)));
    let power = spatial_dot(transform_twist(a, velocity), transform_wrench(a, force));
    assert!((power - spatial_dot(velocity, force)).abs() < 1e-5);
    // The adjoint of a transform is the matrix of its twist.
    let r = quat_to_matrix(a.q);
    let columns = [r.x_axis, r.y_axis, r.z_axis].map(|axis| a.p.cross(axis));
    let matrix = spatial_adjoint(r, Mat3::from_cols(columns[0], columns[1], columns[2]));
    let (one, other) = (matrix * velocity, transform_twist(a, velocity));
    assert!(near(&one.to_array(), &other.to_array().map(f64::from)), "{one:?} {other:?}");
    // The two cross products are dual.
    let (u, v, f) = (velocity, spatial_vector(b.p, x), force);
    assert!((spatial_dot(spatial_cross(u, v), f) + spatial_dot(v, spatial_cross_dual(u, f))).abs() < 1e-5);
    assert_eq!((spatial_top(u), spatial_bottom(u)), (x, a.p));
}

#[test]
fn small_functions() {
    assert_eq!([-2.5, -0.0, 0.0, 3.0].map(sign), [-1.0, 1.0, 1.0, 1.0]);
    assert_eq!([-2.5, 0.0, 3.0].map(step), [1.0, 0.0, 0.0]);
    assert_eq!([-2.5, 0.0, 3.25].map(frac), [-0.5, 0.0, 0.25]);
    assert_eq!([0.0, 1.0, 2.0, 3.0, 4.0].map(|x| smoothstep(1.0, 3.0, x)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!([-0.0, 0.0, 1e-45, -7.0].map(nonzero::<f32>), [0.0, 0.0, 1.0, 1.0]);
    let x = [1.0, 2.0, 2.0, 5.0];
    assert_eq!([0.0, 1.0, 1.5, 2.0, 4.0, 5.0, 9.0].map(|value| lower_bound(&x, value)), [0, 0, 1, 1, 3, 3, 3]);
    assert_eq!(quat_inverse(Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)), Quat::from_xyzw(-1.0, -2.0, -3.0, 4.0));
}

/// The rotation about an axis of the frame.
fn about(axis: i32, angle: f64) -> glam::DQuat {
    glam::DQuat::from_axis_angle(glam::DVec3::AXES[axis as usize], angle)
}

/// Whether the rotations are the same, up to `most` in each number.
fn same_rotation(found: &[f64], truth: glam::DQuat, most: f64) -> bool {
    let truth = truth.to_array();
    let apart = |sign: f64| found.iter().zip(truth).all(|(a, b)| (a * sign - b).abs() < most);
    apart(1.0) || apart(-1.0)
}

#[test]
fn euler_angles_are_those_of_the_axes() {
    use std::f64::consts::FRAC_PI_2;
    let axes = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)];
    // The ends of the second angle, where the others are not unique, and places near them.
    let gaps = [0.0, 1e-7, 1e-5, 1e-3, 0.1, 1.0, FRAC_PI_2];
    for ((i, j, last), k) in axes.into_iter().flat_map(|axes| (0..140).map(move |k| (axes, k))) {
        let t = f64::from(k);
        let middle = (FRAC_PI_2 - gaps[k as usize % 7]) * if k % 2 == 0 { 1.0 } else { -1.0 };
        let (first, third) = ((t * 0.37) % 6.0 - 3.0, (t * 0.73) % 6.0 - 3.0);
        let single = |q: glam::DQuat| Quat::from_array(q.to_array().map(|number| number as f32));
        let wide = |e: Vec3| e.to_array().map(f64::from);

        let mut e = [0.0; 3];
        (e[i as usize], e[j as usize], e[last as usize]) = (first, middle, third);
        let truth = about(last, third) * about(j, middle) * about(i, first);
        let made = quat_from_euler(Vec3::from_array(e.map(|angle| angle as f32)), i, j, last);
        assert!(same_rotation(&made.to_array().map(f64::from), truth, 4e-7), "{made:?} {truth:?}");
        let found = wide(quat_to_euler(single(truth), i, j, last));
        let again = about(last, found[last as usize]) * about(j, found[j as usize]) * about(i, found[i as usize]);
        assert!(same_rotation(&again.to_array(), truth, 1e-6), "{found:?} {e:?}: {again} {truth}");
        assert!(found[j as usize].abs() < FRAC_PI_2 + 1e-6);

        let truth = about(i, third) * about(j, middle + FRAC_PI_2) * about(i, first);
        let found = wide(quat_to_euler(single(truth), i, j, i));
        let again = about(i, found[last as usize]) * about(j, found[j as usize]) * about(i, found[i as usize]);
        assert!(same_rotation(&again.to_array(), truth, 1e-6), "{found:?} {e:?}: {again} {truth}");
        assert!((0.0..2.0 * FRAC_PI_2 + 1e-6).contains(&found[j as usize]));
    }
    let angles = Vec3::new(0.3, -1.1, 2.5);
    let found = quat_to_rpy(quat_rpy(angles.x, angles.y, angles.z));
    assert!(near(&found.to_array(), &angles.to_array().map(f64::from)));
    // Where an angle is unique, it is found itself.
    let found = quat_to_euler(quat_from_euler(angles, 0, 1, 2), 0, 1, 2);
    assert!(near(&found.to_array(), &angles.to_array().map(f64::from)), "{found}");
}

#[test]
fn twists_are_about_the_axis() {
    let (axis, across) = (glam::DVec3::new(0.6, 0.0, 0.8), glam::DVec3::new(0.8, 0.0, -0.6));
    for k in 0..100 {
        let (angle, swing) = (f64::from(k) * 0.0628 - 3.1, f64::from(k) * 0.02);
        let twist = glam::DQuat::from_axis_angle(axis, angle);
        let q = glam::DQuat::from_axis_angle(across, swing) * twist;
        let q = Quat::from_array(q.to_array().map(|number| number as f32));
        let axis = Vec3::new(0.6, 0.0, 0.8);
        assert!(same_rotation(&quat_twist(axis, q).to_array().map(f64::from), twist, 1e-6));
        let found = (f64::from(quat_twist_angle(axis, q)), f64::from(quat_twist_angle_signed(axis, q)));
        assert!((found.0 - angle.abs()).abs() < 1e-6 && (found.1 - angle).abs() < 1e-6, "{angle}: {found:?}");
    }
}

#[test]
fn transforms_are_matrices() {
    let t = Transform { p: Vec3::new(1.0, 2.0, 3.0), q: quat_from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0) };
    let (m, scale) = (transform_to_matrix(t), Vec3::new(2.0, 0.5, 3.0));
    let x = Vec3::new(0.3, -0.4, 2.0);
    let numbers = |v: Vec3| v.to_array().map(f64::from);
    assert!(near(&(m * x.extend(1.0)).truncate().to_array(), &numbers(transform_point(t, x))));
    let back = transform_from_matrix(m);
    assert!(near(&back.p.to_array(), &numbers(t.p)) && near(&back.q.to_array(), &t.q.to_array().map(f64::from)));
    let composed = transform_compose(t.p, t.q, scale);
    assert!(near(&(composed * x.extend(1.0)).truncate().to_array(), &numbers(transform_point(t, x * scale))));
    let (p, q, s) = transform_decompose(composed);
    assert!(near(&p.to_array(), &numbers(t.p)) && near(&s.to_array(), &numbers(scale)));
    assert!(near(&q.to_array(), &t.q.to_array().map(f64::from)));
    assert_eq!(transform_decompose(Mat4::ZERO).2, Vec3::ZERO);
    let velocity = velocity_at_point(spatial_vector(x, t.p), scale);
    assert!(near(&velocity.to_array(), &numbers(t.p + x.cross(scale))));
}

#[test]
fn sequences_are_even() {
    for i in (0..5000).chain([u32::MAX, u32::MAX - 1, 1 << 31, 0x1234_5678]) {
        assert_eq!(van_der_corput(i), (i.reverse_bits() >> 8) as f32 / (1 << 24) as f32);
        for base in [2, 3, 5, 7, 97, 65536] {
            let (mut rest, mut mirrored, mut power) = (i, 0u128, 1u128);
            while rest > 0 {
                mirrored = mirrored * u128::from(base) + u128::from(rest % base);
                power *= u128::from(base);
                rest /= base;
            }
            let (found, truth) = (halton(i, base), mirrored as f64 / power as f64);
            assert!(found < 1.0 && units(found, truth) <= 2.0, "{i} {base}: {found} {truth}");
        }
        let plastic = 1.324_717_957_244_746_f64;
        let truth = [1.0 / plastic, 1.0 / (plastic * plastic)].map(|step| (0.5 + f64::from(i) * step).fract());
        let found = roberts2(i).to_array().map(f64::from);
        let apart = found.iter().zip(truth).map(|(a, b)| (a - b).abs()).map(|apart| apart.min(1.0 - apart));
        assert!(apart.into_iter().all(|apart| apart < 1e-7 + f64::from(i) / 8e9), "{i}: {found:?} {truth:?}");
    }
    // In each row of 2ᵏ points, each box with sides of powers of two and the area 2⁻ᵏ has one.
    for k in 0..=10 {
        for (wide, start) in (0..=k).flat_map(|wide| [0, 1, 77].map(|start| (wide, start << k))) {
            let mut seen = vec![false; 1 << k];
            for i in start..start + (1 << k) {
                let p = sobol2(i);
                let (x, y) = ((p.x * (1 << wide) as f32) as usize, (p.y * (1 << (k - wide)) as f32) as usize);
                assert!(!std::mem::replace(&mut seen[x << (k - wide) | y], true), "{k} {wide} {start}");
            }
        }
    }
}

#[test]
fn curves_and_tables_interpolate() {
    let (a, b, c, d) = (0.5, -2.0, 1.0, 4.0);
    assert_eq!((catmull_rom(a, b, c, d, 0.0), catmull_rom(a, b, c, d, 1.0)), (b, c));
    // The curve through the values of a polynomial of degree 2 is that polynomial.
    let square = |x: f64| 3.0 * x * x - 2.0 * x + 1.0;
    for t in [0.0, 0.1, 0.5, 0.75, 1.0] {
        let found = catmull_rom(square(-1.0), square(0.0), square(1.0), square(2.0), t);
        assert!((found - square(t)).abs() < 1e-14);
        let cubic = |x: f64| x * x * x - x;
        assert!((hermite(cubic(0.0), -1.0, cubic(1.0), 2.0, t) - cubic(t)).abs() < 1e-15);
        let vector = |x: f64| Vector::<f64, 2>::from_array([square(x), -2.0 * square(x)]);
        let found = catmull_rom_curve(vector(-1.0), vector(0.0), vector(1.0), vector(2.0), t);
        assert!((found - vector(t)).length() < 1e-13);
    }
    let numbers = (0..12).map(|k| (k / 4 * 10 + k % 4) as f32).collect();
    let table = kernel_rt::Array2::from_vec([3, 4], numbers).unwrap();
    for (y, x, truth) in [(0.0, 0.0, 0.0), (1.5, 2.25, 17.25), (2.0, 3.0, 23.0), (-5.0, 1.5, 1.5), (9.0, 9.0, 23.0)] {
        assert_eq!(bilinear(&table, y, x), truth);
    }
    assert_eq!(bilinear(&kernel_rt::Array2::from_vec([1, 1], vec![7.0]).unwrap(), 0.5, -0.5), 7.0);
    assert_eq!((mix(2.0, 4.0, 0.25), sin_cos(0.0)), (2.5, (0.0, 1.0)));
}

#[test]
fn nearest_points_of_edges() {
    let number = |k: u32| {
        let mixed = (k ^ 0x9e37).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
        f64::from(mixed >> 8) / f64::from(1 << 23) - 1.0
    };
    let point = |k: u32| glam::DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
    let single = |v: glam::DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    for k in 0..500 {
        let [p1, q1, p2, q2] = [point(4 * k), point(4 * k + 1), point(4 * k + 2), point(4 * k + 3)];
        let at = |s: f64, t: f64| (p1.lerp(q1, s) - p2.lerp(q2, t)).length();
        // The distance is convex in both places: a search by thirds finds the truth.
        let third = |f: &dyn Fn(f64) -> f64| {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..100 {
                let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if f(a) < f(b) { high = b } else { low = a }
            }
            0.5 * (low + high)
        };
        let s = third(&|s| at(s, third(&|t| at(s, t))));
        let t = third(&|t| at(s, t));
        let found = closest_point_edge_edge(single(p1), single(q1), single(p2), single(q2), 1e-6);
        assert!((f64::from(found.z) - at(s, t)).abs() < 1e-6, "{k}: {found} {s} {t}");
        assert!((f64::from(found.x) - s).abs() < 1e-4 && (f64::from(found.y) - t).abs() < 1e-4, "{k}: {found} {s} {t}");
    }
    let (o, x) = (Vec3::ZERO, Vec3::X);
    assert_eq!(closest_point_edge_edge(o, o, x, x, 1e-6), Vec3::new(0.0, 0.0, 1.0));
    assert_eq!(closest_point_edge_edge(o, o, Vec3::NEG_ONE, Vec3::ONE, 1e-6), Vec3::new(0.0, 0.5, 0.0));
    assert_eq!(closest_point_edge_edge(Vec3::NEG_ONE, Vec3::ONE, o, o, 1e-6), Vec3::new(0.5, 0.0, 0.0));
    // Parallel edges side by side, and apart.
    assert_eq!(closest_point_edge_edge(o, x, Vec3::Y, x + Vec3::Y, 1e-6).z, 1.0);
    assert_eq!(closest_point_edge_edge(o, x, x * 3.0, x * 4.0, 1e-6), Vec3::new(1.0, 0.0, 2.0));
}

#[test]
fn lengths_and_sums() {
    let v = Vec4::new(1.0, -2.0, 2.0, 4.0);
    assert_eq!((norm_l1(v), norm_huber(v, 5.0), norm_huber(v, 2.0)), (9.0, 12.5, 8.0));
    assert_eq!(norm_pseudo_huber(v, 5.0), 5.0 * 2.0f32.sqrt());
    assert_eq!(smooth_normalize(Vec2::ZERO, 2.0), Vec2::ZERO);
    let m = Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!((ddot(m, m), get_diag(m)), (285.0, Vec3::new(1.0, 5.0, 9.0)));
}

/// Noise in double precision: the sum over the corners, each with its weight.
fn noise64<const N: usize>(state: u32, x: [f64; N], period: Option<[i32; N]>) -> f64 {
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let mut sum = 0.0;
    for corner in 0..1 << N {
        let bit = |axis: usize| corner >> axis & 1;
        let (mut weight, mut place, mut low) = (1.0, x, [0; N]);
        for axis in 0..N {
            let floor = x[axis].floor();
            let t = x[axis] - floor;
            weight *= if bit(axis) == 1 { fade(t) } else { 1.0 - fade(t) };
            place[axis] = t - f64::from(bit(axis));
            low[axis] = floor as i32 + bit(axis);
            if let Some(period) = period {
                low[axis] = low[axis].rem_euclid(period[axis]);
            }
        }
        let primes = [73_856_093u32, 19_349_663, 53_471_161, 10_000_019];
        let hashes = (0..N).map(|axis| (low[axis] as u32).wrapping_mul(primes[axis]));
        let mut rng = hashes
            .enumerate()
            .fold(0, |all, (axis, hash)| all ^ if axis == N - 1 { hash.wrapping_add(state) } else { hash });
        let dot = if N == 1 {
            place[0] * f64::from(randf_range(&mut rng, -1.0, 1.0))
        } else {
            let v: [f64; N] = std::array::from_fn(|_| f64::from(randf(&mut rng)) - 0.5);
            let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
            v.iter().zip(place).map(|(v, place)| v * place).sum::<f64>() / length
        };
        sum += weight * dot;
    }
    sum
}

/// The slope of noise along an axis, by differences.
fn slope64<const N: usize>(state: u32, x: [f64; N], axis: usize) -> f64 {
    let at = |step: f64| {
        let mut x = x;
        x[axis] += step;
        noise64(state, x, None)
    };
    (at(1e-5) - at(-1e-5)) / 2e-5
}

/// The curl of noise with three octaves, each with twice the frequency and half of the amplitude of the one before.
fn curl64<const N: usize>(state: u32, x: [f64; N]) -> [f64; 3] {
    let (mut state, mut curl) = (state, [0.0; 3]);
    for octave in 0..3 {
        let (scale, amplitude) = (f64::from(1 << octave), 0.5f64.powi(octave));
        let x = x.map(|x| x * scale);
        let mut fields = [[0.0; 3]; 3];
        for (field, prime) in fields.iter_mut().zip([10_019_689, 13_112_221, 0]) {
            *field = std::array::from_fn(|axis| if axis < N { amplitude * slope64(state, x, axis) } else { 0.0 });
            if N > 2 && prime > 0 {
                state = rand_init(state as i32, prime);
            }
        }
        let [a, b, c] = fields;
        let of_octave = if N == 2 { [-a[1], a[0], 0.0] } else { [c[1] - b[2], a[2] - c[0], b[0] - a[1]] };
        curl.iter_mut().zip(of_octave).for_each(|(sum, part)| *sum += part);
    }
    curl
}

/// Places on both sides of zero, whole numbers among them.
fn places() -> impl Iterator<Item = (u32, Vec4)> {
    (0..400u32).map(|k| {
        let t = k as f32;
        let x = Vec4::new(t * 0.37 - 40.0, 60.0 - t * 0.73, t * 0.119 - 17.0, t * 0.25 - 50.0);
        (rand_init(k as i32 / 10, 3), x)
    })
}

fn wide<const N: usize>(x: Vector<f32, N>) -> [f64; N] {
    x.to_array().map(f64::from)
}

#[track_caller]
fn within(found: &[f32], truth: &[f64], most: f64) {
    let worst = found.iter().zip(truth).map(|(found, truth)| (f64::from(*found) - truth).abs()).fold(0.0, f64::max);
    assert!(worst <= most, "{found:?} is wrong by {worst:e}: {truth:?}");
}

#[test]
fn noise_is_the_sum_over_the_corners() {
    // Near the end of a cell the polynomial of the blend is the difference of 10 and 9, so it is rounded to 5e-7.
    for (state, x) in places() {
        let (two, three) = (Vec2::new(x.x, x.y), Vec3::new(x.x, x.y, x.z));
        within(&[noise1(state, x.x)], &[noise64(state, [x.x.into()], None)], 1e-6);
        within(&[noise2(state, two)], &[noise64(state, wide(two), None)], 1e-6);
        within(&[noise3(state, three)], &[noise64(state, wide(three), None)], 1e-6);
        within(&[noise4(state, x)], &[noise64(state, wide(x), None)], 1e-6);
        within(&[pnoise1(state, x.x, 3)], &[noise64(state, [x.x.into()], Some([3]))], 1e-6);
        within(&[pnoise2(state, two, 3, 7)], &[noise64(state, wide(two), Some([3, 7]))], 2e-6);
        within(&[pnoise3(state, three, 1, 2, 5)], &[noise64(state, wide(three), Some([1, 2, 5]))], 2e-6);
        within(&[pnoise4(state, x, 4, 3, 2, 9)], &[noise64(state, wide(x), Some([4, 3, 2, 9]))], 2e-6);
    }
    let whole = Vec4::new(3.0, -2.0, 0.0, 7.0);
    assert_eq!((noise1(5, -4.0), noise4(5, whole), pnoise4(5, whole, 2, 2, 3, 4)), (0.0, 0.0, 0.0));
}

#[test]
fn curls_are_those_of_the_slopes() {
    for (state, x) in places().step_by(4) {
        let (two, three) = (Vec2::new(x.x, x.y), Vec3::new(x.x, x.y, x.z));
        within(&curlnoise2(state, two, 3, 2.0, 0.5).to_array(), &curl64(state, wide(two))[..2], 4e-6);
        within(&curlnoise3(state, three, 3, 2.0, 0.5).to_array(), &curl64(state, wide(three)), 4e-6);
        within(&curlnoise4(state, x, 3, 2.0, 0.5).to_array(), &curl64(state, wide(x)), 4e-6);
        assert_eq!(curlnoise3(state, three, 0, 2.0, 0.5), Vec3::ZERO);
    }
}

#[test]
fn noise_and_samples_are_those_of_warp() {
    // From Warp 1.19 on a CPU, with states of `rand_init(7, i)`.
    let places = [Vec4::new(-0.75, 1.25, 2.5, 0.125), Vec4::new(3.3, 2.6, 0.7, 9.1)];
    #[rustfmt::skip]
    let noise = [
        [-8.083_731e-3, -2.471_064_3e-1, 1.224_902_3e-1, 3.711_913_8e-1, 1.480_890_7e-1, -1.420_337e-1, -2.566_405e-1,
         -2.632_039_2e-1, -1.235_061_2, -5.968_194_6e-1, 2.747_832e-1, 1.232_908_5, 2.883_257e-1, -5.688_112e-1,
         -4.860_183_6e-1, -4.749_347_6e-1],
        [-2.220_856e-1, -1.657_515_2e-1, -6.164_705_8e-2, 1.959_678_5e-2, 3.210_155_4e-1, 2.944_660_2e-2, -2.429_495_8e-1,
         2.006_234_1e-4, 3.480_896_4e-1, -3.883_401_5e-1, 9.378_260_4e-1, 2.714_342e-1, 1.259_930_8, -7.724_955_7e-1,
         -1.111_394_2, -4.630_398e-1],
    ];
    for ((i, x), truth) in (0..).zip(places).zip(noise) {
        let state = rand_init(7, i);
        let (two, three) = (Vec2::new(x.x, x.y), Vec3::new(x.x, x.y, x.z));
        let mut found = vec![noise1(state, x.x), noise2(state, two), noise3(state, three), noise4(state, x)];
        // Below zero Warp's `pnoise` does not repeat.
        let x0 = x.x.abs();
        found.extend([pnoise1(state, x0, 3), pnoise2(state, Vec2::new(x0, x.y), 3, 4)]);
        found.push(pnoise3(state, Vec3::new(x0, x.y, x.z), 3, 4, 5));
        found.push(pnoise4(state, Vec4::new(x0, x.y, x.z, x.w), 3, 4, 5, 6));
        found.extend(curlnoise2(state, two, 3, 2.0, 0.5).to_array());
        found.extend(curlnoise3(state, three, 3, 2.0, 0.5).to_array());
        found.extend(curlnoise4(state, x, 3, 2.0, 0.5).to_array());
        assert_eq!(found, truth);
    }
    #[rustfmt::skip]
    let points = [
        [0.180_246_95, 0.370_203_82, 0.999_997_7, -0.002_168_002, 0.475_427_42, 0.043_138_29, 0.437_607_53, 0.302_576_9,
         -0.425_835_85, 0.399_687_26, -0.811_735_15, -0.139_032_26, -0.488_553_14, -0.445_609_2, 0.484_526_6, 0.709_457,
         0.511_766_3, 0.207_642_42, -0.541_341_54, 0.503_898_56, 0.127_744_08, -0.298_088_2, -0.417_180_96],
        [0.035_560_668, 0.489_848_23, 0.308_189_2, 0.951_325_06, 0.210_468_71, 0.657_391_3, -0.107_537_33, 0.064_962_864,
         -0.574_252_9, 0.809_616_45, -0.121_469_475, -0.418_077_68, 0.663_658_6, 0.124_531_105, 0.494_003_7, 0.722_617_4,
         0.483_512_52, -0.351_476_25, 0.324_688_14, 0.225_921_39, -0.200_389_39, 0.030_689_657, -0.279_448_93],
    ];
    let numbers = [[3, 1, 8, 8, 74, 913, 2_809_115_995], [3, 1, 9, 12, 79, 880, 2_333_966_595]];
    for ((i, truth), numbers) in (0..).zip(points).zip(numbers) {
        let rng = &mut rand_init(7, i);
        let mut found = sample_triangle(rng).to_array().to_vec();
        found.extend(sample_unit_ring(rng).to_array());
        found.extend(sample_unit_disk(rng).to_array());
        found.extend(sample_unit_square(rng).to_array());
        found.extend(sample_unit_sphere_surface(rng).to_array());
        found.extend(sample_unit_sphere(rng).to_array());
        found.extend(sample_unit_hemisphere_surface(rng).to_array());
        found.extend(sample_unit_hemisphere(rng).to_array());
        found.extend(sample_unit_cube(rng).to_array());
        within(&found, &truth, 3e-7);
        let chosen = sample_cdf(rng, &[0.25, 0.5, 0.625, 1.0]) as u32;
        let counts = [0.5, 7.25, 10.0, 80.0, 900.0].map(|lam| poisson(rng, lam));
        assert_eq!([&[chosen], counts.as_slice(), &[*rng]].concat(), numbers);
    }
}

/// Whether the mean of many samples is the true one, for a standard deviation of one sample of at most `spread`.
#[track_caller]
fn mean(truth: f64, spread: f64, samples: impl Iterator<Item = f64>) {
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in samples {
        sum += sample;
        count += 1.0;
    }
    let (found, error): (f64, f64) = (sum / count, 4.0 * spread / f64::sqrt(count));
    assert!((found - truth).abs() < error, "{found} is not {truth} ± {error}");
}

const SAMPLES: usize = 20_000;

fn samples<T>(draw: impl Fn(&mut u32) -> T) -> Vec<T> {
    let mut rng = rand_seed(5);
    (0..SAMPLES).map(|_| draw(&mut rng)).collect()
}

/// Checks points that have no direction: the mean is 0, and the mean of products of coordinates is `squares` or 0.
#[track_caller]
fn centered<const N: usize>(points: &[Vector<f32, N>], squares: f64) {
    for i in 0..N {
        mean(0.0, 1.0, points.iter().map(|p| p[i].into()));
        for j in 0..N {
            mean(if i == j { squares } else { 0.0 }, 1.0, points.iter().map(|p| f64::from(p[i]) * f64::from(p[j])));
        }
    }
}

#[test]
fn samples_fill_their_shapes() {
    let triangle = samples(sample_triangle);
    assert!(triangle.iter().all(|p| p.x >= 0.0 && p.y >= 0.0 && p.x + p.y <= 1.0 + 1e-6));
    mean(1.0 / 3.0, 0.3, triangle.iter().map(|p| p.x.into()));
    mean(1.0 / 3.0, 0.3, triangle.iter().map(|p| p.y.into()));
    mean(1.0 / 6.0, 0.3, triangle.iter().map(|p| (p.x * p.x).into()));
    mean(1.0 / 12.0, 0.3, triangle.iter().map(|p| (p.x * p.y).into()));
    let (ring, disk) = (samples(sample_unit_ring), samples(sample_unit_disk));
    assert!(ring.iter().all(|p| (p.length() - 1.0).abs() < 1e-6) && disk.iter().all(|p| p.length() < 1.0 + 1e-6));
    centered(&ring, 0.5);
    centered(&disk, 0.25);
    let (square, cube) = (samples(sample_unit_square), samples(sample_unit_cube));
    assert!(square.iter().all(|p| p.abs().max_element() <= 0.5) && cube.iter().all(|p| p.abs().max_element() <= 0.5));
    centered(&square, 1.0 / 12.0);
    centered(&cube, 1.0 / 12.0);
    let (surface, ball) = (samples(sample_unit_sphere_surface), samples(sample_unit_sphere));
    assert!(surface.iter().all(|p| (p.length() - 1.0).abs() < 1e-6) && ball.iter().all(|p| p.length() < 1.0 + 1e-6));
    centered(&surface, 1.0 / 3.0);
    centered(&ball, 0.2);
    let (dome, half) = (samples(sample_unit_hemisphere_surface), samples(sample_unit_hemisphere));
    assert!(dome.iter().all(|p| (p.length() - 1.0).abs() < 1e-6 && p.z >= 0.0));
    assert!(half.iter().all(|p| p.length() < 1.0 + 1e-6 && p.z >= 0.0));
    mean(0.5, 0.3, dome.iter().map(|p| p.z.into()));
    mean(0.375, 0.3, half.iter().map(|p| p.z.into()));
    // Mirrored at random, both are the whole shapes.
    let mirrored = |points: &[Vec3]| {
        let signed = points.iter().enumerate().map(|(k, p)| if k % 2 == 0 { *p } else { -*p });
        signed.collect::<Vec<_>>()
    };
    centered(&mirrored(&dome), 1.0 / 3.0);
    centered(&mirrored(&half), 0.2);
}

#[test]
fn indices_and_events_have_their_probabilities() {
    let chosen = samples(|rng| sample_cdf(rng, &[0.125, 0.125, 0.75, 1.0]));
    for (index, truth) in [(0, 0.125), (1, 0.0), (2, 0.625), (3, 0.25)] {
        mean(truth, 0.5, chosen.iter().map(|k| f64::from(u32::from(*k == index))));
    }
    for lam in [0.0f32, 0.1, 1.0, 9.75, 10.0, 12.5, 40.0, 1000.0, 1e6] {
        let (counts, wide) = (samples(|rng| poisson(rng, lam)), f64::from(lam));
        mean(wide, wide.sqrt() + 1e-9, counts.iter().map(|n| f64::from(*n)));
        let squares = counts.iter().map(|n| (f64::from(*n) - wide).powi(2));
        mean(wide, (wide + 3.0 * wide * wide).sqrt() + 1e-9, squares);
        // Each number has the probability exp(-lam) · lamⁿ / n!.
        let mut expected = (-wide).exp();
        for n in 0..if lam < 100.0 { 100 } else { 0 } {
            let found = counts.iter().filter(|count| **count == n).count() as f64 / SAMPLES as f64;
            let error = 5.0 * (expected * (1.0 - expected) / SAMPLES as f64).sqrt() + 2.0 / SAMPLES as f64;
            assert!((found - expected).abs() < error, "{lam}: {n} has {found}, not {expected}");
            expected *= wide / f64::from(n + 1);
        }
    }
}
