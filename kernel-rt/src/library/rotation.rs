//! Rotations as quaternions. All functions take quaternions of length 1, and are defined for others by their formulas. Their
//! results are exact to 2e-6.

use crate::prelude::*;

/// The rotation by `angle` radians about `axis`, which has length 1.
#[device(warp = "quat_from_axis_angle")]
pub fn quat_from_axis_angle<T: Float>(axis: Vector<T, 3>, angle: T) -> Quaternion<T> {
    let half = angle * T::lit(0.5);
    let v = axis * half.sin();
    Quaternion::<T>::from_xyzw(v.x, v.y, v.z, half.cos())
}

/// The axis, of length 1, and the angle from 0 to π of the rotation `q`. Of no rotation they are 0 and 0.
#[device(warp = "quat_to_axis_angle")]
pub fn quat_to_axis_angle<T: Float>(q: Quaternion<T>) -> (Vector<T, 3>, T) {
    let v = Vector::<T, 3>::new(q.x, q.y, q.z);
    let length = v.length();
    let axis = if length > T::ZERO { v / length } else { Vector::<T, 3>::new(T::ZERO, T::ZERO, T::ZERO) };
    (if q.w < T::ZERO { -axis } else { axis }, T::lit(2.0) * length.atan2(q.w.abs()))
}

/// The rotation by `roll` about x, then by `pitch` about y, then by `yaw` about z, in radians.
#[device(warp = "quat_rpy")]
pub fn quat_rpy<T: Float>(roll: T, pitch: T, yaw: T) -> Quaternion<T> {
    let (cy, sy) = ((yaw * T::lit(0.5)).cos(), (yaw * T::lit(0.5)).sin());
    let (cr, sr) = ((roll * T::lit(0.5)).cos(), (roll * T::lit(0.5)).sin());
    let (cp, sp) = ((pitch * T::lit(0.5)).cos(), (pitch * T::lit(0.5)).sin());
    Quaternion::<T>::from_xyzw(
        cy * sr * cp - sy * cr * sp,
        cy * cr * sp + sy * sr * cp,
        sy * cr * cp - cy * sr * sp,
        cy * cr * cp + sy * sr * sp,
    )
}

/// The angles in radians of `quat_rpy`: roll, pitch from -π/2 to π/2, yaw. Near the ends of the pitch, roll and yaw lose their
/// digits; there `quat_to_euler(q, 0, 1, 2)` does not.
#[device(warp = "quat_to_rpy")]
pub fn quat_to_rpy(q: Quat) -> Vec3 {
    let roll = (2.0 * (q.w * q.x + q.y * q.z)).atan2(1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    let pitch = (2.0 * (q.w * q.y - q.z * q.x)).clamp(-1.0, 1.0).asin();
    let yaw = (2.0 * (q.w * q.z + q.x * q.y)).atan2(1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    Vec3::new(roll, pitch, yaw)
}

/// The rotation by half of an angle, whose sine and cosine are given, about an axis of the frame.
#[device]
fn quat_about(axis: i32, sin: f32, cos: f32) -> Quat {
    if axis == 0 {
        Quat::from_xyzw(sin, 0.0, 0.0, cos)
    } else if axis == 1 {
        Quat::from_xyzw(0.0, sin, 0.0, cos)
    } else {
        Quat::from_xyzw(0.0, 0.0, sin, cos)
    }
}

/// The rotation about the fixed axis `i`, then about `j`, then about `k`, by the angles `e[i]`, `e[j]` and `e[k]` in radians.
/// The axes are 0 to 2, and `j` is another one than `i` and `k`.
#[device(warp = "quat_from_euler")]
pub fn quat_from_euler(e: Vec3, i: i32, j: i32, k: i32) -> Quat {
    let (a, b, c) = (e[i as usize] * 0.5, e[j as usize] * 0.5, e[k as usize] * 0.5);
    let (first, second, third) =
        (quat_about(i, a.sin(), a.cos()), quat_about(j, b.sin(), b.cos()), quat_about(k, c.sin(), c.cos()));
    quat_multiply(third, quat_multiply(second, first))
}

/// The angles in radians by which `quat_from_euler` makes the rotation `q`, each at the place of its axis. The second angle
/// is from -π/2 to π/2. If `k` is `i`, it is from 0 to π, and the third angle stands at the axis that is left.
///
/// At the ends of the second angle, where the two others are not unique, the result is one of many. Its numbers are those of
/// Warp elsewhere; near the ends, Warp's lose half of their digits, so the Warp text has this function. Source of the formula:
/// E. Bernardes and S. Viollet, "Quaternion to Euler angles conversion: A direct, general and computationally efficient
/// method", 2022.
#[device]
pub fn quat_to_euler<T: Float>(q: Quaternion<T>, i: i32, j: i32, k: i32) -> Vector<T, 3> {
    let v = Vector::<T, 3>::new(q.x, q.y, q.z);
    let last = 3 - i - j;
    // Three different axes have the sum 3.
    let is_proper = i + j + k != 3;
    let sign = if (j - i + 3) % 3 == 1 { T::ONE } else { -T::ONE };
    let (mut a, mut b) = (q.w, v[i as usize]);
    let (mut c, mut d) = (v[j as usize], v[last as usize] * sign);
    if !is_proper {
        (a, b, c, d) = (a - c, b + d, c + a, d - b);
    }
    let (sum, difference) = (b.atan2(a), d.atan2(c));
    let middle = T::lit(2.0) * (c * c + d * d).sqrt().atan2((a * a + b * b).sqrt());
    let (first, third) = (sum - difference, sum + difference);
    let (middle, third) =
        if is_proper { (middle, third) } else { (middle - T::cast(std::f64::consts::FRAC_PI_2), third * sign) };
    let mut e = Vector::<T, 3>::new(T::ZERO, T::ZERO, T::ZERO);
    e[i as usize] = first;
    e[j as usize] = middle;
    e[last as usize] = third;
    e
}

/// The part of the rotation `q` about `axis`, which has length 1: `q` is the twist, then a rotation about an axis at right
/// angles. It is NaN if `q` is a half turn about such an axis.
#[device(warp = "quat_twist")]
pub fn quat_twist(axis: Vec3, q: Quat) -> Quat {
    let a = axis * Vec3::new(q.x, q.y, q.z).dot(axis);
    Quat::from_xyzw(a.x, a.y, a.z, q.w).normalize()
}

/// The angle of the twist of `q` about `axis`, from 0 to 2π; to π where `q.w` is not negative.
#[device(warp = "quat_twist_angle")]
pub fn quat_twist_angle(axis: Vec3, q: Quat) -> f32 {
    2.0 * axis.dot(Vec3::new(q.x, q.y, q.z)).abs().atan2(q.w)
}

/// The angle of the twist of `q` about `axis`, from -2π to 2π; from -π to π where `q.w` is not negative.
#[device(warp = "quat_twist_angle_signed")]
pub fn quat_twist_angle_signed(axis: Vec3, q: Quat) -> f32 {
    2.0 * axis.dot(Vec3::new(q.x, q.y, q.z)).atan2(q.w)
}

/// The inverse rotation.
#[device(warp = "quat_inverse")]
pub fn quat_inverse<T: Float>(q: Quaternion<T>) -> Quaternion<T> {
    q.conjugate()
}

/// The rotation `b`, then `a`. The order of the sums is Warp's.
#[device]
pub(super) fn quat_multiply<T: Float>(a: Quaternion<T>, b: Quaternion<T>) -> Quaternion<T> {
    Quaternion::<T>::from_xyzw(
        a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z,
        a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
        a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// The vector `v`, rotated by `q`.
#[device(warp = "quat_rotate")]
pub fn quat_rotate<T: Float>(q: Quaternion<T>, v: Vector<T, 3>) -> Vector<T, 3> {
    let u = Vector::<T, 3>::new(q.x, q.y, q.z);
    v * (T::lit(2.0) * q.w * q.w - T::ONE) + u * (T::lit(2.0) * u.dot(v)) + u.cross(v) * (q.w * T::lit(2.0))
}

/// The vector `v`, rotated by the inverse of `q`.
#[device(warp = "quat_rotate_inv")]
pub fn quat_rotate_inv<T: Float>(q: Quaternion<T>, v: Vector<T, 3>) -> Vector<T, 3> {
    let u = Vector::<T, 3>::new(q.x, q.y, q.z);
    v * (T::lit(2.0) * q.w * q.w - T::ONE) + u * (T::lit(2.0) * u.dot(v)) - u.cross(v) * (q.w * T::lit(2.0))
}

/// The rotation on the arc from `a` to `b`, the shorter one, at `t` from 0 to 1.
#[device(warp = "quat_slerp")]
pub fn quat_slerp<T: Float>(a: Quaternion<T>, b: Quaternion<T>, t: T) -> Quaternion<T> {
    let (axis, angle) = quat_to_axis_angle(quat_multiply(a.conjugate(), b));
    quat_multiply(a, quat_from_axis_angle(axis, t * angle))
}

/// The matrix of the rotation `q`.
#[device(warp = "quat_to_matrix")]
pub fn quat_to_matrix<T: Float>(q: Quaternion<T>) -> Matrix<T, 3, 3> {
    Matrix::<T, 3, 3>::from_cols(
        quat_rotate(q, Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO)),
        quat_rotate(q, Vector::<T, 3>::new(T::ZERO, T::ONE, T::ZERO)),
        quat_rotate(q, Vector::<T, 3>::new(T::ZERO, T::ZERO, T::ONE)),
    )
}

/// The rotation of the matrix `m`, whose columns are three axes at right angles, of length 1 and right-handed.
#[device(warp = "quat_from_matrix")]
pub fn quat_from_matrix<T: Float>(m: Matrix<T, 3, 3>) -> Quaternion<T> {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    // The largest of the four components comes from a sum without cancellation, and gives the others.
    let q = if x.x + y.y + z.z >= T::ZERO {
        let h = (x.x + y.y + z.z + T::ONE).sqrt();
        let s = T::lit(0.5) / h;
        Quaternion::<T>::from_xyzw((y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, T::lit(0.5) * h)
    } else if x.x >= y.y && x.x >= z.z {
        let h = (x.x - (y.y + z.z) + T::ONE).sqrt();
        let s = T::lit(0.5) / h;
        Quaternion::<T>::from_xyzw(T::lit(0.5) * h, (y.x + x.y) * s, (x.z + z.x) * s, (y.z - z.y) * s)
    } else if y.y >= z.z {
        let h = (y.y - (z.z + x.x) + T::ONE).sqrt();
        let s = T::lit(0.5) / h;
        Quaternion::<T>::from_xyzw((y.x + x.y) * s, T::lit(0.5) * h, (z.y + y.z) * s, (z.x - x.z) * s)
    } else {
        let h = (z.z - (x.x + y.y) + T::ONE).sqrt();
        let s = T::lit(0.5) / h;
        Quaternion::<T>::from_xyzw((x.z + z.x) * s, (z.y + y.z) * s, T::lit(0.5) * h, (x.y - y.x) * s)
    };
    q.normalize()
}
