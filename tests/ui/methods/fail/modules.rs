//! Mistakes in device modules and in uses of methods.

use kernel_rt::prelude::*;

#[device]
mod geometry {
    use kernel_rt::prelude::*;
    use std::ops::Add;

    #[derive(Clone, Copy)]
    pub struct Ray {
        pub from: Vec3,
        pub to: Vec3,
    }

    impl Ray {
        pub fn advance(&self, t: f32) {
            self.from += self.to * t;
        }

        pub fn wrong(self) -> f32 {
            self.to
        }

        pub fn unknown(self) -> f32 {
            self.far()
        }
    }

    impl Add for Ray {
        type Output = Ray;

        fn add(self, other: Ray) -> Ray {
            Ray { from: self.from + other.to.x, to: other.to }
        }
    }

    pub fn one(x: f32) -> f32 {
        other(x)
    }

    pub fn other(x: f32) -> f32 {
        one(x)
    }
}

fn main() {}
