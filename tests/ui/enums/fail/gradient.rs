use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Sphere,
    Box,
    Capsule,
}

#[kernel]
fn broken(shapes: &[Shape], y: &mut [f32]) {
    let i = tid();
    y[i] = shapes[i] as i32 as f32;
}

fn main() {
    let device = Device::cpu();
    let shapes = device.zeros::<Shape>(1).unwrap();
    let tape = Tape::new(&device);
    broken::launch(&tape, 1, (&shapes, &device.zeros(1).unwrap())).unwrap();
    let _ = tape.gradient(&shapes);
}
