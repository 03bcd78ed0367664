//! The library against other implementations: glam for rotations, libm in double precision for the error function.

use kernel_rt::library::*;
use kernel_rt::value::{Mat3, Quat, Vec3};

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
    let x = [1.0, 2.0, 2.0, 5.0];
    assert_eq!([0.0, 1.0, 1.5, 2.0, 4.0, 5.0, 9.0].map(|value| lower_bound(&x, value)), [0, 0, 1, 1, 3, 3, 3]);
    assert_eq!(quat_inverse(Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)), Quat::from_xyzw(-1.0, -2.0, -3.0, 4.0));
}
