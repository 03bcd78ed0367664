use kernel_rt::prelude::*;

#[kernel]
fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

fn main() {
    let x = Device::cpu().zeros::<f32>(2).unwrap();
    double::launch(&x, 2, (&x,)).unwrap();
}
