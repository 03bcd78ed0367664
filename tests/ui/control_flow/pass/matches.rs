use kernel_rt::prelude::*;

#[kernel]
fn matches(op: u32, n: i32, flag: bool, k: &[i32], out: &mut [f32]) {
    const LAST: i32 = 9;
    let i = tid();
    match op {
        0 | 3 => out[i] = 1.0,
        1..=2 if k[i] > 0 => {
            out[i] = 2.0;
            return;
        }
        u32::MAX => (),
        4.. => {}
        _ => out[i] += 1.0,
    }
    let mut state = n;
    let scale = match state {
        -1 => 0.5,
        LAST => 0.25,
        i32::MIN..-1 => return,
        n @ 5..=7 => n as f32,
        small if small < 3 && small % 2 == 0 => (small * 2) as f32,
        other => {
            state += other;
            state as f32
        }
    };
    loop {
        match state % 4 {
            0 => break,
            1 => {
                state += 2;
                continue;
            }
            _ => state += 1,
        }
    }
    out[i] *= scale * match flag { true => 2.0, false => match i { 0 => 1.0, _ => i as f32 } };
}

fn main() {}
