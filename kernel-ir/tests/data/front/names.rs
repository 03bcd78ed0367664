//- constants may stand below their use
fn k(out: &mut [f32]) {
    out[N] = HALF; const N: usize = 1; const HALF: f32 = 0.5;
}

//- an inner constant is seen in its whole block
fn k(out: &mut [i32]) {
    const N: i32 = 4;
    { out[0] = N; const N: i32 = 5; out[1] = N; }
    out[2] = N;
}

//- constants of constants
fn k() {
    const A: i32 = 3;
    const B: i32 = A * A + 1;
    const T: f32 = std::f32::consts::PI / 2.0;
    let c = B;
}

//- raw names
fn k(r#in: f32, r#type: &mut [f32]) {
    let r#fn = r#in;
    r#type[0] = r#fn;
    let r#match = 1.0;
    for r#loop in 0..2 { let _ = r#loop; }
}

//- made up names do not clash
fn k(mut p: f32) {
    let value = 1.0;
    let before = 2.0;
    let holds = true;
    let old = 3.0;
    let a = p + { p += 1.0; p } + if p > 1.0 { p = 2.0; 1.0 } else { before } * value * old;
}
