//! One launch for devices and tapes, by value or through references.

use kernel_rt::prelude::*;

#[kernel]
fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

fn twice<L: Launcher>(on: &L, x: &DeviceArray<f32>) {
    double::launch(on, x.len(), (x,)).unwrap();
    double::launch(&on, x.len(), (x,)).unwrap();
}

fn main() {
    let device = Device::cpu();
    let x = device.array_from(&[1.0]).unwrap();
    twice(&device, &x);
    let tape = Tape::new(&device);
    twice(&tape, &x);
    assert_eq!((x.to_vec().unwrap()[0], tape.len()), (16.0, 2));
}
