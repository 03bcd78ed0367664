use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Link {
    to: usize,
    weight: f32,
}

#[kernel]
fn broken(first: Link, links: &[Link], y: &mut [f32]) {
    let i = tid();
    y[i] = links[i].weight + first.weight;
}

fn main() {}
