use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = x[i] * 2;
}

fn launches() {
    let device = Device::cpu();
    let x = device.array_from(&[1.0, 2.0]).unwrap();
    let out = device.zeros::<f32>(2).unwrap();
    broken::launch(&device, 2, (&x, &out)).unwrap();
    broken::cpu(2, &[1.0, 2.0], &mut [0.0, 0.0]).unwrap();
    let _ = (broken::NAME, broken::CUDA_FORWARD);
}

fn main() {
    launches();
}
