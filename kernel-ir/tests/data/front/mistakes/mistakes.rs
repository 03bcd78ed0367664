//- forms that the language lacks
fn k(x: f32, out: &mut [f32]) {
    match x { _ => {} }
    let f = |a| a;
    let t = (1.0, 2.0);
    let a = [1.0, 2.0];
    let b = [0.0; 4];
    let s = Foo { x };
    let r = 0..3;
    let q = x?;
    unsafe { }
    if let Some(y) = x { }
    let z = &x;
    let w = *z;
    println!("{}", x);
    assert!(x > 0.0);
    let Some(v) = x else { return };
    let (a, b) = (1.0, 2.0);
    async { };
    let ref k = x;
    let n @ m = x;
    foo!(x);
}

//- several mistakes are all reported
fn k(a: f32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let b = a + 1;
    out[i] = unknown;
    x[i] = 2.0;
    let c: u128 = 3;
    out[i] = b.sinus();
}

//- attributes in the body
fn k(x: f32, out: &mut [f32]) {
    #[cfg(debug_assertions)] { out[0] = 1.0; }
    #[allow(unused)] let a = 1.0;
    #[inline] let b = 2.0;
}
