use kernel_rt::prelude::*;

mod helper {
    pub fn sq(x: f32) -> f32 {
        x * x
    }

    pub fn same<T>(x: T) -> T {
        x
    }
}

#[kernel]
fn by_path(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = helper::sq(x[i]);
}

#[kernel]
fn generic(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = helper::same(x[i]);
}

fn main() {
    by_path::cpu(1, &[1.0], &mut [0.0]).unwrap();
}
