//! The library against other implementations: glam for rotations, libm in double precision for the error function.

use kernel_rt::library::*;
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
