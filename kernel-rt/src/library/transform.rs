//! Rigid transforms.

use crate::prelude::*;

pub use items::*;

#[device]
mod items {
    use crate::library::rotation::{quat_from_matrix, quat_inverse, quat_multiply, quat_rotate, quat_to_matrix};
    use crate::library::spatial::{spatial_bottom, spatial_top, spatial_vector};
    use crate::prelude::*;
    use std::ops::Mul;

    /// A rigid transform: a rotation by `q`, then a translation by `p`.
    #[device(warp = "transform")]
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Transform {
        /// The translation.
        pub p: Vec3,
        /// The rotation, of length 1.
        pub q: Quat,
    }

    /// The transform that changes nothing.
    #[device(warp = "transform_identity")]
    pub fn transform_identity() -> Transform {
        Transform { p: Vec3::ZERO, q: Quat::IDENTITY }
    }

    /// The transform `b`, then `a`.
    #[device(warp = "transform_multiply")]
    pub fn transform_multiply(a: Transform, b: Transform) -> Transform {
        Transform { p: quat_rotate(a.q, b.p) + a.p, q: quat_multiply(a.q, b.q) }
    }

    /// The inverse transform.
    #[device(warp = "transform_inverse")]
    pub fn transform_inverse(t: Transform) -> Transform {
        let q = quat_inverse(t.q);
        Transform { p: -quat_rotate(q, t.p), q }
    }

    /// The point `x`, rotated and moved.
    #[device(warp = "transform_point")]
    pub fn transform_point(t: Transform, x: Vec3) -> Vec3 {
        t.p + quat_rotate(t.q, x)
    }

    /// The direction `v`, rotated.
    #[device(warp = "transform_vector")]
    pub fn transform_vector(t: Transform, v: Vec3) -> Vec3 {
        quat_rotate(t.q, v)
    }

    /// The velocity `x` of a body, its rotation first, in the frame of `t`.
    #[device(warp = "transform_twist")]
    pub fn transform_twist(t: Transform, x: Vector<f32, 6>) -> Vector<f32, 6> {
        let w = quat_rotate(t.q, spatial_top(x));
        spatial_vector(w, quat_rotate(t.q, spatial_bottom(x)) + t.p.cross(w))
    }

    /// The torque and force `x` on a body, the torque first, in the frame of `t`.
    #[device(warp = "transform_wrench")]
    pub fn transform_wrench(t: Transform, x: Vector<f32, 6>) -> Vector<f32, 6> {
        let v = quat_rotate(t.q, spatial_bottom(x));
        spatial_vector(quat_rotate(t.q, spatial_top(x)) + t.p.cross(v), v)
    }

    /// The transform of a 4×4 matrix, whose last row is 0, 0, 0, 1, and which has no scale.
    #[device(warp = "transform_from_matrix")]
    pub fn transform_from_matrix(m: Mat4) -> Transform {
        let r = Mat3::from_cols(m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate());
        Transform { p: m.w_axis.truncate(), q: quat_from_matrix(r) }
    }

    /// The 4×4 matrix of a transform.
    #[device(warp = "transform_to_matrix")]
    pub fn transform_to_matrix(t: Transform) -> Mat4 {
        let r = quat_to_matrix(t.q);
        Mat4::from_cols(r.x_axis.extend(0.0), r.y_axis.extend(0.0), r.z_axis.extend(0.0), t.p.extend(1.0))
    }

    /// The 4×4 matrix that scales along the axes, then rotates, then moves.
    #[device(warp = "transform_compose")]
    pub fn transform_compose(position: Vec3, rotation: Quat, scale: Vec3) -> Mat4 {
        let r = quat_to_matrix(rotation);
        let (x, y, z) = (r.x_axis * scale.x, r.y_axis * scale.y, r.z_axis * scale.z);
        Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), position.extend(1.0))
    }

    /// The position, rotation and scale of a 4×4 matrix of `transform_compose`. The scale is not negative; an axis with the
    /// scale 0 makes the rotation another one.
    #[device(warp = "transform_decompose")]
    pub fn transform_decompose(m: Mat4) -> (Vec3, Quat, Vec3) {
        let (x, y, z) = (m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate());
        let scale = Vec3::new(x.length(), y.length(), z.length());
        let r = Mat3::from_cols(
            if scale.x == 0.0 { x } else { x / scale.x },
            if scale.y == 0.0 { y } else { y / scale.y },
            if scale.z == 0.0 { z } else { z / scale.z },
        );
        (m.w_axis.truncate(), quat_from_matrix(r), scale)
    }

    impl Mul for Transform {
        type Output = Transform;

        /// The transform `other`, then this one.
        #[device(warp = "transform_multiply")]
        fn mul(self, other: Transform) -> Transform {
            transform_multiply(self, other)
        }
    }
}
