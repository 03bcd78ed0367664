//- a literal takes the type that its use decides later
fn k(out: &mut [f32], k: u64) {
    let a = 2.0;
    let b = a;
    let n = 3;
    let m = k + n;
    out[0] = b;
    let _x = m;
}

//- undecided literals are i32 and f64
fn k() {
    let a = 1; let b = 1.5; let c = a + 2; let d = -b;
}

//- suffixes underscores bases and exponents
fn k() {
    let a = 1_000_i64;
    let b = 0xff_u32;
    let c = 0o17;
    let d = 0b1010_0101u64;
    let e = 1e3;
    let f = 2.5E-3_f32;
    let g = 1_f32;
    let h = 1.;
    let i = 7usize;
    let j = 0xffff_ffff_ffff_ffffu64;
}

//- negative literals
fn k() {
    let a = -1;
    let b = -2147483648;
    let c = -(2147483648);
    let d = -9223372036854775808_i64;
    let e = -1.0;
    let f = -0.0_f32;
    let g = - -1;
    let h = -(1.5);
}

//- a minus before a method call comes last
fn k() {
    let a = -1.0_f32.abs();
    let b = (-1.0_f32).abs();
    let c = -2_i32.pow(2);
    let d = (-2_i32).pow(2);
    let e = -1.5 as f32;
}

//- a literal directly under a cast has the type cast to
fn k() {
    let a = 3 as i64;
    let b = 0.1 as f32;
    let c = (7) as usize;
    let d = { 3_000_000_000 } as u32;
    let e = 1 as f32;
    let f = 2.5 as i32;
}

//- a cast does not decide the type of a variable
fn k(out: &mut [f32], big: &mut [i64]) {
    let mut s = 0.0;
    s += 0.1;
    out[0] = s as f32;
    let n = 7;
    big[0] = (n * n) as i64;
    big[1] = (1 + 2) as i64;
}

//- f32 literals round once
fn k() {
    let a: f32 = 0.1;
    let b: f32 = 16777217.0;
    let c: f32 = 1e-45;
    let d = 1.0e308;
    let e: f32 = 3.4028235e38;
}

//- constants of types
fn k() {
    let a = f32::EPSILON;
    let b = f64::MIN_POSITIVE;
    let c = i32::MIN;
    let d = u64::MAX;
    let e = f32::INFINITY;
    let g = std::f32::consts::PI;
    let h = core::f64::consts::TAU;
    let i = i64::MAX;
    let j = f32::NEG_INFINITY;
}

//- constants of aggregates
fn k() {
    let a = Vec3::ZERO;
    let b = IVec2::ONE;
    let c = DVec4::Y;
    let d = Vec2::NEG_X;
    let e = Mat2::IDENTITY;
    let f = DQuat::IDENTITY;
    let g = Vec3::NEG_ONE;
    let h = Mat3::ZERO;
}
