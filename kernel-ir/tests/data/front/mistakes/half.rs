//- casts
fn k(x: f16, y: f32, n: i32) {
    let a = y as f16;
    let b = n as bf16;
    let c = x as f32;
    let d = x as i32;
    let e = x as bf16;
    let f = 2.0 as f16;
    let g = x as f64;
}

//- conversions of other types
fn k(x: f16, y: f32, n: i32) {
    let a = f16::from_f64(1.0);
    let b = f16::from_f32(x);
    let c = f16::from_f32(y, y);
    let d = f16::from_f32(n);
    let e = y.to_f32();
    let f = x.to_f32(y);
    let g = f16::cast(n);
    let h = bf16::from_f32(1);
}

//- functions and literals
fn k(x: f16, y: f32, b: bf16) {
    let a = x.sin();
    let b1 = x.max(x);
    let c = 1.0f16;
    let d = 2bf16;
    let e = x * 2.0;
    let f = x + y;
    let g = x + b;
    let h: f16 = 0.5;
    let i: f16 = y;
    let j: f32 = x;
    let l = x % x;
    let m = Vector::<f16, 2>::splat(x);
}

//- atomics
fn k(x: f16, out: &mut [f16]) {
    let i = tid();
    atomic_max(&mut out[i], x);
}
