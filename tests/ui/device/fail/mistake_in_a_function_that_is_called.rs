use kernel_rt::prelude::*;

mod shapes {
    use kernel_rt::prelude::*;

    #[device]
    pub(super) fn half(x: f32) -> f32 {
        x / 2
    }

    #[device]
    pub(super) fn quarter(x: f32) -> f32 {
        half(half(x))
    }
}

#[kernel]
fn stays_quiet(out: &mut [f32]) {
    let i = tid();
    out[i] = shapes::quarter(out[i]);
}

fn main() {
    stays_quiet::cpu(1, &mut [shapes::half(1.0)]).unwrap();
}
