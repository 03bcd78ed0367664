use kernel_rt::prelude::*;

#[device]
pub struct TwoLifetimes<'a, 'b> {
    pub points: &'a [Vec3],
    pub heights: &'b [f32],
}

#[device]
pub struct Reference<'a> {
    pub point: &'a Vec3,
}

#[device]
pub struct OtherElements<'a> {
    pub names: &'a [String],
}

#[device]
pub struct Vectors<'a> {
    pub points: &'a Vec<Vec3>,
}

fn main() {}
