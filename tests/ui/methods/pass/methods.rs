//! Device modules that are right: methods, operators, constants, and functions in any order.

use kernel_rt::prelude::*;

#[device]
mod geometry {
    use kernel_rt::prelude::*;
    use std::ops::{AddAssign, Mul, Neg};

    pub fn reflected(ray: Ray, normal: Vec3) -> Ray {
        Ray::new(ray.from, -ray.flipped().to * REACH - 2.0 * ray.along(normal) * normal)
    }

    const REACH: f32 = 1.0;

    #[derive(Clone, Copy, Default)]
    pub struct Ray {
        pub from: Vec3,
        pub to: Vec3,
    }

    impl Ray {
        pub const NONE: Ray = Ray { from: Vec3::ZERO, to: Vec3::ZERO };

        pub fn new(from: Vec3, to: Vec3) -> Self {
            Self { from, to }
        }

        pub fn at(&self, t: f32) -> Vec3 {
            self.from + self.to * t
        }

        pub fn along(self, normal: Vec3) -> f32 {
            let Self { to, .. } = self;
            to.dot(normal)
        }

        pub fn flipped(&self) -> Ray {
            -*self
        }

        #[device(grad(t = length_dt))]
        fn length(t: f32) -> f32 {
            t.abs()
        }

        pub fn advance(&mut self, t: f32) {
            self.from = self.at(t);
        }

        pub fn turn(&mut self) -> f32 {
            *self = self.flipped();
            self.advance(REACH);
            self.reach()
        }

        pub fn reach(self) -> f32 {
            Ray::length(self.to.x)
        }
    }

    fn length_dt(t: f32, adj: f32) -> f32 {
        adj * t.signum()
    }

    impl AddAssign<Vec3> for Ray {
        fn add_assign(&mut self, by: Vec3) {
            self.from += by;
        }
    }

    impl Neg for Ray {
        type Output = Ray;

        fn neg(self) -> Ray {
            Ray { to: -self.to, ..self }
        }
    }

    impl Mul<Ray> for f32 {
        type Output = Ray;

        fn mul(self, ray: Ray) -> Ray {
            Ray { to: self * ray.to, ..ray }
        }
    }

    impl PartialEq for Ray {
        fn eq(&self, other: &Ray) -> bool {
            self.from == other.from && self.to == other.to
        }
    }
}

use geometry::{Ray, reflected};

#[kernel]
fn trace(rays: &[Ray], normal: Vec3, points: &mut [Vec3], reach: &mut [f32]) {
    let i = tid();
    let mut ray = 2.0 * reflected(rays[i], normal);
    let turned = ray.turn();
    ray += normal * turned;
    ray.advance(turned);
    points[i] = ray.at(0.5) + geometry::Ray::NONE.from;
    reach[i] = (-ray).reach();
}

fn main() {
    let rays = [Ray::new(Vec3::ZERO, Vec3::X)];
    assert!(rays[0] == rays[0] && rays[0] != Ray::NONE);
    let (mut points, mut reach) = ([Vec3::ZERO], [0.0]);
    trace::cpu(1, &rays, Vec3::Y, &mut points, &mut reach).unwrap();
}
