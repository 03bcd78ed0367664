//- unknown names
fn k(alpha: f32, out: &mut [f32]) {
    let a = alhpa;
    let b = PI;
    let c = undefined_thing;
    out[0] = foo(a);
    let d = MY_CONST;
    let e = crate::K;
    let f = sin(alpha);
    let g = alpha.sine();
    let h = usize::MAX;
    let i = alpha.clone();
    let j = x::y::z(1.0);
    let k = vec3(1.0, 2.0, 3.0);
    let l = f32::max;
}

//- constants in the wrong order
fn k() {
    const A: i32 = B; const B: i32 = 1; const C: i32 = C + 1;
}

//- items that the language lacks
fn k() {
    fn f() {}
    use std::f32::consts::PI;
    static S: i32 = 1;
    struct T;
    const A: &str = "a";
    const B: f32 = 1;
}
