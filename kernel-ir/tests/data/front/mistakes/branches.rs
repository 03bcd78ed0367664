//- values that are not there
fn k(c: bool, out: &mut [f32]) {
    let a = if c { 1.0 };
    let b = { out[0] = 1.0; };
    let d = if c { 1.0 } else { out[0] = 2.0; };
    let e = loop { break; };
    let f = 1.0 + return;
    out[0] = while c {};
    let g = loop { break 1.0 }
    ;
}

//- conditions are bool
fn k(n: i32, x: f32) {
    if n { }
    while x { }
    if n = 3 { }
    let a = if 1 { 1.0 } else { 2.0 }
    ;
}

//- branches of two types
fn k(c: bool, x: f32) {
    let a = if c { x } else { 1 };
    let b = if c { Vec2::ONE } else { x }
    ;
}
