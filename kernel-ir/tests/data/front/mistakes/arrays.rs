//- mistakes with arrays
fn k(x: &[f32], m: &mut Array2<f32>, out: &mut [f32], n: i32, #[shape(1, 1, 1)] t: &Array3<i32>) {
    let a = x;
    x[0] = 1.0;
    let b = x[n];
    let c = x[0.5];
    let d = m[0];
    let e = m[0][1];
    let f = m[[0]];
    let g = x[[0]];
    let h = m.len();
    let i = x.shape()[0];
    let j = m.shape();
    let k = m.shape()[2];
    let [rows, columns] = m.shape();
    let cells = rows * columns;
    let l = m.shape()[n];
    let o = x[0..2];
    let p = x.iter();
    let q = t[[0, 1]];
    out = x;
    let r = x + 1.0;
    let s = &x[0];
    let u = x.first();
}

//- mistakes with places
fn k(p: f32, v: Vec3, m: Mat3) {
    p = 1.0;
    v.x = 2.0;
    let a = 1.0;
    a = 2.0;
    let mut w = m;
    w.col(0).x = 1.0;
    w.col(0) = v;
    p + 1.0 = 2.0;
    let c = w.col_mut(0);
    3.0 = p;
    *w = m;
    { w }.x_axis = v;
    p += 1.0;
    *w.col(1) = v;
    let (b, d) = (1.0, 2.0);
    (p, p) = (1.0, 2.0);
}

//- mistakes with atomics
fn k(x: &[f32], out: &mut [f32], v: &mut [Vec3], n: &mut [i32], b: &mut [bool], p: f32) {
    atomic_add(&mut out[0]);
    atomic_add(out[0], 1.0);
    atomic_add(&out[0], 1.0);
    atomic_add(&mut x[0], 1.0);
    atomic_add(&mut v[0], v[1]);
    atomic_add(&mut v[0].x, 1.0);
    atomic_add(&mut n[0], 1.0);
    let mut q = p;
    atomic_add(&mut q, 1.0);
    atomic_or(&mut n[0], 1);
    atomic_max(&mut b[0], true);
    atomic_add(&mut out, 1.0);
}

//- atomics on integers of 8 and 16 bits
fn k(bytes: &mut [u8], words: &mut [i16]) {
    atomic_add(&mut bytes[0], 1);
    atomic_max(&mut words[0], 2);
    atomic_or(&mut bytes[1], 3);
}

//- mistakes with the launch
fn k(out: &mut [f32]) {
    let i = tid();
    let (a, b) = tid2();
    let t = tid3();
    let c = tid2().0;
    let (d, e, f) = tid2();
    let g = tid(0);
    let ((h), k) = tid2();
}
