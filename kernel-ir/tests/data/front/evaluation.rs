//- operands left to right
fn k(mut k: i32) {
    let a = k + { k += 1; k } * { k *= 2; k };
}

//- the value before the place
fn k(out: &mut [f32], mut k: usize) {
    out[{ k += 1; k }] = { k *= 2; k as f32 };
}

//- compound assignment of numbers takes the value first
fn k(out: &mut [f32], mut k: usize) {
    out[k] += { k += 1; 1.0 }; out[{ k += 1; k }] *= k as f32;
}

//- compound assignment of vectors takes the place first
fn k(out: &mut [Vec3], mut k: usize) {
    out[k] += { k += 1; Vec3::ONE };
    out[{ k += 1; k }] *= k as f32;
}

//- lazy operators with effects
fn k(mut k: i32) {
    let a = k > 0 && { k += 1; k > 2 };
    let b = k < 0 || { k += 2; k > 9 }
    && k != 5;
    let c = k > 0 && k < 9;
}

//- a condition with effects runs before every trip
fn k(mut k: i32) {
    while { k += 1; k < 5 } { if k == 3 { continue; } }
}

//- effects in branches of an operand
fn k(mut p: f32) {
    let a = p * if p > 0.0 { p += 1.0; 2.0 } else { 3.0 } + p;
}

//- effects in arguments
fn k(mut p: f32) {
    let v = Vec3::new(p, { p += 1.0; p }, p);
    let b = p.max({ p = 0.0; p });
}

//- atomics in expressions
fn k(n: &mut [i32], mut k: usize) {
    let old = atomic_add(&mut n[k], 1);
    let a = atomic_add(&mut n[0], 2) + atomic_max(&mut n[1], old);
    if atomic_sub(&mut n[2], 1) > 0 { n[3] = 1; }
    n[k] = atomic_min(&mut n[4], a);
    atomic_add(&mut n[k], { k += 1; 5 });
}

//- range ends are evaluated once in order
fn k(mut k: i32) {
    for j in { k += 1; k }..k + 3 { k += j; }
}

//- nested values with effects
fn k(mut p: f32) {
    let a = 1.0 + if p > 0.0 { 1.0 + if p > 1.0 { p -= 1.0; 5.0 } else { 6.0 } } else { 7.0 }
    ;
}

//- an assignment of a branch that reads its target
fn k(mut p: f32) {
    p = if p > 0.0 { p = 2.0; p + 1.0 } else { p };
    p = { let q = p; q * q }
    ;
}
