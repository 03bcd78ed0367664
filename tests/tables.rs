//! Aliases of types, and constant tables under `#[device]`, through every stage.

use kernel_rt::prelude::*;

/// Items of a module, which refer to each other in any order.
#[device]
mod cells {
    use kernel_rt::prelude::*;

    /// A force and a torque.
    pub(super) type Spatial = Vector<f32, 6>;
    /// The number type of the module.
    pub(super) type Real = f32;
    /// A place.
    pub(super) type Point = Vector<Real, 3>;
    /// Another name of a struct.
    pub(super) type Body = Ball;

    /// A ball in N dimensions.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct Ball {
        /// Its centre.
        pub at: Point,
        /// Its radius.
        pub radius: Real,
    }

    impl Ball {
        /// The ball with another radius.
        pub(super) fn grown(self, by: Real) -> Body {
            Body { radius: self.radius * by, ..self }
        }
    }

    /// Half of one.
    pub(super) const HALF: Real = 0.5;
    /// The number of weights.
    pub(super) const COUNT: usize = 2 + 1;
    /// The weights of a stencil.
    pub(super) const WEIGHTS: [Real; COUNT] = [HALF, 2.0 * HALF, -1.5];
    /// The normals of two faces.
    pub(super) const NORMALS: [Point; 2] = [Point::new(1.0, HALF, 3.0), Point::ONE];

    /// A weight times a number.
    pub(super) fn weighted(x: Real, k: usize) -> Real {
        WEIGHTS[k] * x
    }
}

use cells::{Body, Real, Spatial, weighted};

/// A table outside of a module.
#[device]
const ORDER: [u32; 4] = [2, 0, 3, 1];

/// A table of another module with a name that is taken.
mod other {
    use kernel_rt::prelude::*;

    #[device]
    pub(super) const ORDER: [u32; 2] = [7, 9];
}

/// Aliases as types of parameters, locals and casts, and as owners of constants and functions.
#[kernel(family = "test")]
fn aliases(
    #[domain(-1.0..1.0)] x: &[Spatial],
    #[domain(-1.0..1.0)] bodies: &mut [Body],
    y: &mut [Spatial],
    z: &mut [Real],
) {
    let i = tid();
    let mut s: Spatial = x[i] * 2.0 as Real + Spatial::ONE;
    s[0] = Real::MAX.min(s[1] * s[2]);
    y[i] = s;
    let grown: Body = bodies[i].grown(Real::EPSILON + 1.5);
    bodies[i] = Body { at: cells::Point::new(1.0, 2.0, 3.0) * grown.radius + grown.at, ..grown };
    z[i] = s[2] * cells::Point::splat(2.0).x;
}

/// Tables by plain names and by paths, in kernels and in device functions, and two of one name.
#[kernel(family = "test")]
fn tables(#[domain(-2.0..2.0)] x: &[f32], y: &mut [f32], places: &mut [u32]) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..cells::COUNT {
        sum += weighted(x[i], k) * cells::WEIGHTS[k] * x[i];
    }
    y[i] = sum * cells::NORMALS[i % 2].y;
    places[i] = ORDER[i % 4] + other::ORDER[i % 2];
}

#[test]
fn tables_have_their_values() {
    let (mut y, mut places) = ([0.0; 2], [0; 2]);
    tables::cpu(2, &[1.0, 2.0], &mut y, &mut places).unwrap();
    assert_eq!((y, places), ([1.75, 14.0], [9, 9]));
}

#[test]
fn aliases_are_their_types() {
    let (mut y, mut z) = ([Spatial::ZERO], [0.0]);
    let mut bodies = [Body { at: Vec3::ZERO, radius: 2.0 }];
    aliases::cpu(1, &[Spatial::ONE], &mut bodies, &mut y, &mut z).unwrap();
    let at = Vec3::new(1.0, 2.0, 3.0) * (2.0 * (f32::EPSILON + 1.5));
    assert_eq!((y[0][0], y[0][5], z[0], bodies[0].at), (9.0, 3.0, 6.0, at));
}
