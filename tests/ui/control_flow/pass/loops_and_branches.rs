use kernel_rt::prelude::*;

#[kernel]
fn loops_and_branches(n: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut done = false;
    for j in (0..x.len()).rev().step_by(2) {
        for k in 0..=n {
            if x[j] > k as f32 {
                done = true;
                break;
            }
        }
        if done {
            break;
        }
    }
    let a;
    if n == 0 {
        a = 1.0;
    } else if n == 1 {
        return;
    } else {
        a = if x[i] > 0.0 { x[i] } else { 0.0 };
    }
    let mut t = 0.0;
    let mut value = a;
    while t < 1.0 {
        t += 0.25;
        value *= 0.5;
    }
    out[i] = value;
}

fn main() {}
