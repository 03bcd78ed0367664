use kernel_rt::prelude::*;

#[kernel]
fn halves(a: f16, x: &[f32], wide: &[f64], y: &mut [f16], z: &mut [bf16], w: &mut [f32]) {
    let i = tid();
    y[i] = f16::from_f32(x[i]) + f16::from_f32(wide[i] as f32);
    y[i] *= f16::from_f32(2.0);
    z[i] = bf16::from_f32(y[i].to_f32().sin());
    w[i] = z[i].to_f32() * 2.0 + (a.to_f64() as f32);
    if a > f16::ZERO {
        w[i] = -a.to_f32();
    }
}

/// A type of the user's own of the same name hides that of the prelude.
mod own {
    #[allow(unused_imports)]
    use kernel_rt::prelude::*;

    #[allow(non_camel_case_types)]
    pub struct f16(pub u16);

    pub fn bits(x: f16) -> u16 {
        x.0
    }
}

fn main() {
    assert_eq!(own::bits(own::f16(3)), 3);
}
