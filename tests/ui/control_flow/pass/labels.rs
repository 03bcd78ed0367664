use kernel_rt::prelude::*;

#[kernel]
fn labels(n: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut k = 0;
    'rows: for r in 0..n {
        'all: loop {
            for c in 0..n {
                if x[i] > c as f32 {
                    continue 'rows;
                }
                if x[i] > 2.0 * c as f32 {
                    break 'rows;
                }
                if x[i] > 3.0 {
                    break 'all;
                }
                out[i] += (r + c) as f32;
            }
            k += 1;
            if k > 20 {
                break 'all;
            }
        }
        out[i] *= 2.0;
    }
    'waiting: while out[i] > 1.0 {
        'waiting_more: while k > 0 {
            k -= 1;
            match k {
                3 => continue 'waiting,
                2 => break 'waiting_more,
                _ => {}
            }
        }
        break 'waiting;
    }
}

fn main() {}
