use kernel_rt::prelude::*;

/// Every kind of parameter.
#[kernel(family = "custom")]
pub fn parameters(a: f32, mut n: i32, m: &Array2<f32>, q: Quat, x: &[DVec3], out: &mut Array2<f32>) {
    let (i, j) = tid2();
    n += q.x as i32 + x[0].y as i32;
    out[[i, j]] = a * m[[i, j]] + n as f32;
}

#[kernel]
fn single_value(result: &mut [f32]) {
    result[tid()] = 1.0;
}

macro_rules! for_type {
    ($name:ident, $t:ty) => {
        #[kernel]
        fn $name(x: &[$t], out: &mut [$t]) {
            let i = tid();
            out[i] = <$t>::max(x[i], 0 as $t);
        }
    };
}
for_type!(floats, f32);
for_type!(integers, i64);

fn main() {}
