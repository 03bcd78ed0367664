//! Rotations as quaternions. All functions take quaternions of length 1, and are defined for others by their formulas.

use crate::prelude::*;

/// The rotation by `angle` radians about `axis`, which has length 1.
#[device(warp = "quat_from_axis_angle")]
pub fn quat_from_axis_angle(axis: Vec3, angle: f32) -> Quat {
    let half = angle * 0.5;
    let v = axis * half.sin();
    Quat::from_xyzw(v.x, v.y, v.z, half.cos())
}

/// The axis, of length 1, and the angle from 0 to π of the rotation `q`. Of no rotation they are 0 and 0.
#[device(warp = "quat_to_axis_angle")]
pub fn quat_to_axis_angle(q: Quat) -> (Vec3, f32) {
    let v = Vec3::new(q.x, q.y, q.z);
    let length = v.length();
    let axis = if length > 0.0 { v / length } else { Vec3::ZERO };
    (if q.w < 0.0 { -axis } else { axis }, 2.0 * length.atan2(q.w.abs()))
}

/// The rotation by `roll` about x, then by `pitch` about y, then by `yaw` about z, in radians.
#[device(warp = "quat_rpy")]
pub fn quat_rpy(roll: f32, pitch: f32, yaw: f32) -> Quat {
    let (cy, sy) = ((yaw * 0.5).cos(), (yaw * 0.5).sin());
    let (cr, sr) = ((roll * 0.5).cos(), (roll * 0.5).sin());
    let (cp, sp) = ((pitch * 0.5).cos(), (pitch * 0.5).sin());
    Quat::from_xyzw(
        cy * sr * cp - sy * cr * sp,
        cy * cr * sp + sy * sr * cp,
        sy * cr * cp - cy * sr * sp,
        cy * cr * cp + sy * sr * sp,
    )
}

/// The inverse rotation.
#[device(warp = "quat_inverse")]
pub fn quat_inverse(q: Quat) -> Quat {
    q.conjugate()
}

/// The rotation `b`, then `a`. The order of the sums is Warp's.
#[device]
pub(super) fn quat_multiply(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z,
        a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
        a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// The vector `v`, rotated by `q`.
#[device(warp = "quat_rotate")]
pub fn quat_rotate(q: Quat, v: Vec3) -> Vec3 {
    let u = Vec3::new(q.x, q.y, q.z);
    v * (2.0 * q.w * q.w - 1.0) + u * (2.0 * u.dot(v)) + u.cross(v) * (q.w * 2.0)
}

/// The vector `v`, rotated by the inverse of `q`.
#[device(warp = "quat_rotate_inv")]
pub fn quat_rotate_inv(q: Quat, v: Vec3) -> Vec3 {
    let u = Vec3::new(q.x, q.y, q.z);
    v * (2.0 * q.w * q.w - 1.0) + u * (2.0 * u.dot(v)) - u.cross(v) * (q.w * 2.0)
}

/// The rotation on the arc from `a` to `b`, the shorter one, at `t` from 0 to 1.
#[device(warp = "quat_slerp")]
pub fn quat_slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let (axis, angle) = quat_to_axis_angle(quat_multiply(a.conjugate(), b));
    quat_multiply(a, quat_from_axis_angle(axis, t * angle))
}

/// The matrix of the rotation `q`.
#[device(warp = "quat_to_matrix")]
pub fn quat_to_matrix(q: Quat) -> Mat3 {
    Mat3::from_cols(
        quat_rotate(q, Vec3::new(1.0, 0.0, 0.0)),
        quat_rotate(q, Vec3::new(0.0, 1.0, 0.0)),
        quat_rotate(q, Vec3::new(0.0, 0.0, 1.0)),
    )
}

/// The rotation of the matrix `m`, whose columns are three axes at right angles, of length 1 and right-handed.
#[device(warp = "quat_from_matrix")]
pub fn quat_from_matrix(m: Mat3) -> Quat {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    // The largest of the four components comes from a sum without cancellation, and gives the others.
    let q = if x.x + y.y + z.z >= 0.0 {
        let h = (x.x + y.y + z.z + 1.0).sqrt();
        let s = 0.5 / h;
        Quat::from_xyzw((y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, 0.5 * h)
    } else if x.x >= y.y && x.x >= z.z {
        let h = (x.x - (y.y + z.z) + 1.0).sqrt();
        let s = 0.5 / h;
        Quat::from_xyzw(0.5 * h, (y.x + x.y) * s, (x.z + z.x) * s, (y.z - z.y) * s)
    } else if y.y >= z.z {
        let h = (y.y - (z.z + x.x) + 1.0).sqrt();
        let s = 0.5 / h;
        Quat::from_xyzw((y.x + x.y) * s, 0.5 * h, (z.y + y.z) * s, (z.x - x.z) * s)
    } else {
        let h = (z.z - (x.x + y.y) + 1.0).sqrt();
        let s = 0.5 / h;
        Quat::from_xyzw((x.z + z.x) * s, (z.y + y.z) * s, 0.5 * h, (x.y - y.x) * s)
    };
    q.normalize()
}
