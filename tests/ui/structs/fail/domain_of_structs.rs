use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

#[device]
#[derive(Clone, Copy)]
struct Range {
    start: u32,
    end: u32,
}

#[kernel]
fn unit(#[domain(unit)] rays: &[Ray], y: &mut [f32]) {
    let i = tid();
    y[i] = rays[i].from.x;
}

#[kernel]
fn integers(#[domain(0..8)] ranges: &[Range], y: &mut [u32]) {
    let i = tid();
    y[i] = ranges[i].end - ranges[i].start;
}

fn main() {}
