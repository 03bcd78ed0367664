use kernel_rt::prelude::*;

fn main() {
    let device = Device::cpu();
    let count = device.zeros::<u32>(2).unwrap();
    let _ = Tape::new(&device).gradient(&count);
}
