//! Rigid transforms.

use crate::prelude::*;

pub use items::*;

#[device]
mod items {
    use crate::library::rotation::{quat_inverse, quat_multiply, quat_rotate};
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

    impl Mul for Transform {
        type Output = Transform;

        /// The transform `other`, then this one.
        #[device(warp = "transform_multiply")]
        fn mul(self, other: Transform) -> Transform {
            transform_multiply(self, other)
        }
    }
}
