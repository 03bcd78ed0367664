use kernel_rt::prelude::*;

#[kernel]
fn narrow(gain: f32, a: &[u8], b: &[i16], out: &mut [u8], sum: &mut [i16]) {
    let i = tid();
    out[i] = (gain * a[i] as f32).round() as u8;
    sum[i] = b[i].saturating_sub(a[i] as i16) >> 1;
}

fn main() {}
