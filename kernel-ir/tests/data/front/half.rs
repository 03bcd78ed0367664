//- conversions, constants and arithmetic
fn k(a: f16, x: &[f16], y: &mut [bf16], z: &mut [f64]) {
    let i = tid();
    let h = x[i];
    let b = bf16::from_f32(h.to_f32() * 2.0);
    y[i] += b * bf16::ONE - -y[i] / b;
    let big = f16::MAX;
    if h < a && !(h == f16::ZERO) || b.is_nan() || big >= a {
        z[i] = h.to_f64() + b.to_f64();
    }
    z[i] = f16::from_f32(z[i] as f32 + i as f32).to_f32() as i32 as f64;
    let mut m = f16::INFINITY;
    m /= a;
    let n: f16 = if m.is_finite() { m } else { f16::EPSILON };
    y[i] = bf16::from_f32(n.to_f32());
}

//- arrays of several dimensions, local arrays and functions
fn k(x: &Array2<f16>, out: &mut Array2<bf16>) {
    let (i, j) = tid2();
    let mut sums = [f16::ZERO; 3];
    sums[j % 3] = x[[i, j]];
    out[[i, j]] = bf16::from_f32(sums[0].to_f32());
}
