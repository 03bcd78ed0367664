//- if as statement and expression
fn k(a: f32, out: &mut [f32]) {
    if a > 1.0 { out[0] = 1.0; } else if a > 0.0 { out[0] = 2.0; } else { out[0] = 3.0 }
    let b = if a > 2.0 { a } else { -a };
    out[1] = if a < b { a } else { b } + 1.0;
}

//- return within a value
fn k(a: f32, out: &mut [f32]) {
    let b = if a > 0.0 { a.sqrt() } else { return; };
    out[0] = b;
    let c = if a > 1.0 { if a > 2.0 { return } else { 1.0 } } else { 0.0 };
    out[1] = c;
}

//- continue and break within a value
fn k(x: &[f32], out: &mut [f32]) {
    for j in 0..x.len() { let a = if x[j] > 0.0 { x[j] } else { continue; }; let b = if a > 1.0 { break } else { a * 2.0 }; out[j] = b; }
}

//- blocks are values
fn k(a: f32) {
    let b = { let t = a * 2.0; t + 1.0 };
    let c = { { b } } + { 1.0 };
    let d = 1.0 + { let u = a; u * u }
    ;
}

//- a branch that loops forever has any type
fn k(a: f32, out: &mut [f32]) {
    let b = if a > 0.0 { a } else { loop { out[0] += 1.0; if out[0] > 3.0 { return; } } };
    out[1] = b;
}

//- code after a return
fn k(out: &mut [f32]) {
    if out[0] > 0.0 { return; out[0] = 1.0; }
    out[1] = 1.0;
    return;
}

//- dropped values
fn k(a: f32, out: &mut [f32]) {
    let _ = a;
    _ = a.sin();
    a * 2.0;
    { out[0] = 1.0; }
    let _ = { out[1] = 2.0; a }
    ;
}

//- the range of a match from zero has no lower bound
fn k(n: &[u32], out: &mut [f32]) {
    match n[0] { 0..=3 => out[0] = 1.0, 4..8 => out[0] = 2.0, _ => {} }
}
