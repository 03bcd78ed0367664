use kernel_rt::prelude::*;

mod helper {
    use kernel_rt::prelude::*;

    #[device]
    pub fn twice(x: f32) -> f32 {
        x + x
    }
}

#[kernel]
fn misspelt(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = helper::twise(x[i]);
}

fn main() {
    misspelt::cpu(1, &[1.0], &mut [0.0]).unwrap();
}
