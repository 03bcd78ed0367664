//! Mistakes in the use of methods and operators.

use kernel_rt::prelude::*;

#[device]
mod geometry {
    use kernel_rt::prelude::*;
    use std::ops::{Add, AddAssign};

    #[derive(Clone, Copy)]
    pub struct Ray {
        pub from: Vec3,
        pub to: Vec3,
    }

    impl Ray {
        pub fn at(self, t: f32) -> Vec3 {
            self.from + self.to * t
        }

        pub fn advance(&mut self, t: f32) {
            self.from += self.to * t;
        }
    }

    impl Add for Ray {
        type Output = Ray;

        fn add(self, other: Ray) -> Ray {
            Ray { from: self.from + other.from, to: other.to }
        }
    }

    impl AddAssign for Ray {
        fn add_assign(&mut self, other: Ray) {
            self.from += other.from;
        }
    }
}

use geometry::Ray;

#[kernel]
fn arity(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    points[i] = rays[i].at(0.5, 1.0);
}

#[kernel]
fn argument(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    points[i] = rays[i].at(1);
}

#[kernel]
fn operands(rays: &[Ray], out: &mut [Ray]) {
    let i = tid();
    out[i] = rays[i] + 1.0;
}

#[kernel]
fn unknown_method(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    points[i] = rays[i].behind(0.5);
}

#[kernel]
fn unknown_constant(points: &mut [Vec3]) {
    let i = tid();
    points[i] = Ray::NONE.from;
}

#[kernel]
fn update(rays: &[Ray], out: &mut [Ray]) {
    let i = tid();
    out[i] -= rays[i];
}

#[kernel]
fn of_what_is_read(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    rays[i].advance(0.5);
    points[i] = rays[i].at(0.5);
}

#[kernel]
fn of_a_constant_variable(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    let ray = rays[i];
    ray.advance(0.5);
    points[i] = ray.at(0.5);
}

#[kernel]
fn of_a_result(rays: &[Ray], points: &mut [Vec3]) {
    let i = tid();
    (rays[i] + rays[i]).advance(0.5);
    points[i] = rays[i].at(0.5);
}

#[kernel]
fn beside_itself(rays: &mut [Ray]) {
    let i = tid();
    rays[i].advance(rays[0].from.x);
}

fn main() {}
