use kernel_rt::prelude::*;

#[kernel(instances(f32, f64))]
fn saxpy<T: Float>(a: T, x: &[T], y: &mut [T]) {
    let i = tid();
    y[i] += a * x[i];
}

fn main() {
    let device = Device::cpu();
    let (x, y) = (device.zeros::<u32>(1).unwrap(), device.zeros::<u32>(1).unwrap());
    saxpy::launch(&device, 1, (2, &x, &y)).unwrap();
    saxpy(2.0, &[1.0], &mut [1.0]);
}
