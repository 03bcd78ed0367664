use kernel_rt::prelude::*;

#[device]
pub struct Cloud<'a> {
    pub points: &'a [Vec3],
    pub mask: Option<&'a [bool]>,
    pub heights: &'a mut [f32],
    pub scale: f32,
}

#[kernel]
fn as_a_value(cloud: Cloud<'_>) {
    let i = tid();
    let copy = cloud;
    copy.heights[i] = 1.0;
}

#[kernel]
fn unknown_field(mut cloud: Cloud<'_>) {
    let i = tid();
    cloud.heights[i] = cloud.height;
}

#[kernel]
fn value_of_the_launch(mut cloud: Cloud<'_>) {
    let i = tid();
    cloud.scale = 2.0;
    cloud.heights[i] = cloud.scale;
}

#[kernel]
fn read_only(mut cloud: Cloud<'_>) {
    let i = tid();
    cloud.points[i] = Vec3::ZERO;
}

#[kernel]
fn same_name(mut cloud: Cloud<'_>) {
    let i = tid();
    cloud.heights[i] = 1.0;
    if i > 0 {
        let cloud = 2.0;
    }
}

#[device]
fn changes_what_it_reads(cloud: &Cloud<'_>, i: usize) -> f32 {
    cloud.heights[i] = 0.0;
    1.0
}

#[device]
fn takes_an_optional_array(cloud: &Cloud<'_>, i: usize) -> bool {
    cloud.mask[i]
}

fn main() {}
