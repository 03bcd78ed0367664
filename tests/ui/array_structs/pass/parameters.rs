//! Structs that hold arrays, of one module and of another.

#![deny(warnings)]

mod clouds {
    use kernel_rt::prelude::*;

    #[device]
    pub struct Cloud<'a> {
        pub points: &'a [Vec3],
        pub mask: Option<&'a [bool]>,
        pub heights: &'a mut [f32],
        pub grid: &'a Array2<f32>,
        pub scale: f32,
    }

    #[device]
    pub fn height(cloud: &Cloud<'_>, i: usize) -> f32 {
        cloud.points[i].z * cloud.scale
    }

    #[device]
    pub fn set_height(cloud: &mut Cloud<'_>, i: usize, offset: f32) {
        let height = height(cloud, i);
        cloud.heights[i] = height + offset + cloud.grid[[0, 0]];
    }
}

use clouds::{Cloud, height, set_height};
use kernel_rt::prelude::*;

#[kernel]
fn raise(mut cloud: Cloud<'_>, offset: f32, lowest: &mut [f32]) {
    let i = tid();
    if let Some(mask) = cloud.mask
        && !mask[i]
    {
        return;
    }
    set_height(&mut cloud, i, offset);
    atomic_min(&mut lowest[0], height(&cloud, i));
}

fn main() {
    let (points, grid) = ([Vec3::Z], Array2::zeros([1, 1]));
    let (mut heights, mut lowest) = ([0.0], [9.0]);
    raise::cpu(1, &points, None, &mut heights, &grid, 2.0, 1.0, &mut lowest).unwrap();
    assert_eq!((heights, lowest), ([3.0], [2.0]));
    let cloud = Cloud { points: &points, mask: None, heights: &mut heights, grid: &grid, scale: 1.0 };
    assert_eq!(cloud.points.len(), 1);
}
