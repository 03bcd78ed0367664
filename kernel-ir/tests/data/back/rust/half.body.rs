let i = tid();
let h = x[i];
let wide = h.to_f32();
y[i] += a * h;
y[i] = (y[i] - f16::from_f32(0.5)) / -h;
z[i] = bf16::from_f32(wide * 2.0);
if h < a && h.is_finite() {
    z[i] = bf16::INFINITY;
}
let mut local = [f16::ZERO; 2];
local[1] = if a == f16::ZERO { h } else { f16::ONE };
y[i] -= local[1];
atomic_add(&mut sums[0], z[i]);
atomic_sub(&mut sums[1], z[i].strong_mul(bf16::from_f32(3.0)));
