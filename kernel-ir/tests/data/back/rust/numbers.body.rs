x[0] = (-2.0f64).abs() - -(2.0 as f64) + -x[1].abs() * -0.0;
x[1] = f64::from_bits(0xfff8000000000000) + f64::INFINITY;
x[2] = ((i32::MIN.abs() + 1) << k) as f64;
let near = (k as usize) < x.len();
let half: f32 = 0.5;
x[3] = if near { half.sqrt() as f64 } else { 1e300 };
