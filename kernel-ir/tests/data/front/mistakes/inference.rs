//- mismatched operands
fn k(x: f32, n: i32, i: usize, v: Vec3, m: Mat3, w: Vec2, c: bool) {
    let a = x * 2;
    let b = n * x;
    let d = i + n;
    let e = v + w;
    let f = v * m;
    let g = v == v;
    let h = c + c;
    let j = n + 1.5;
    let k = x && c;
    let l = i << 1;
    let o = v < 1.0;
    let p = x << 1;
    let q = n << x;
}

//- mismatched results
fn k(x: f32, v: Vec3, n: i32, out: &mut [f32]) {
    let a: f32 = v * v;
    let b: i32 = x.floor();
    let mut s = 1.0;
    s *= v;
    out[0] = v;
    out[0] = n;
    let d: f32 = v.x_axis;
    let e: i32 = v[0];
    let f: Vec3 = x;
    let g: bool = n;
    out[1] = n > 0;
    let h: f32 = 1;
    let j: i32 = 1.0;
}

//- methods on other types
fn k(x: f32, n: i32, i: usize, v: Vec3, w: Vec2) {
    let v1 = w.clamp(Vec2::ZERO, w);
    let v2 = v.sin();
    let a = n.sin();
    let b = x.pow(2);
    let c = v.dot(w);
    let d = x.max(1);
    let e = x.powi(2.0);
    let f = i.wrapping_add(1);
    let g = w.cross(w);
    let h = 2.0.sqrt();
    let j = v.length(1.0);
    let k = x.powi();
    let l = x.dot(x);
}

//- constructors with wrong arguments
fn k(x: f32, n: i32) {
    let a = Vec3::new(x, x);
    let b = Vec3::new(1, 2, 3);
    let c = IVec2::new(1.0, 2.0);
    let d = Vec2::splat(n);
    let e = f32::new(x);
    let f = Vec3::from_xyzw(x, x, x, x);
    let g = Vec3::news(x, x, x);
    let h = f32::max(n, n);
}

//- casts that do not exist
fn k(x: f32, v: Vec3, c: bool, n: i32) {
    let a = v as f32;
    let b = x as bool;
    let d = c as f32;
    let e = n as Vec3;
    let f = n as i128;
    let g = n as _;
}

//- nothing decides
fn k() {
    let a; let b = if true { return } else { return };
}

//- components that do not exist
fn k(v: Vec2, m: Mat3, x: f32, q: Quat) {
    let a = v.z;
    let b = m.x;
    let c = x.y;
    let d = v.x_axis;
    let e = v[2];
    let f = m[0];
    let g = q[0];
    let h = x[0];
    let i = v.foo;
    let j = m.col(3);
    let k = v[1.0];
    let l = v.0;
}

//- narrow integers do not mix
fn k(a: u8, b: i8, c: u16, x: f32) {
    let d = a + b;
    let e = a + c;
    let f = x * a;
    let g = c << x;
}

//- integer variables in the place of floats
fn k(x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut sum = 0;
    for k in 0..10 {
        y[i] += x[i] * k;
        sum += 1;
    }
    y[i] = x[i] + sum;
    y[i] = sum;
}
