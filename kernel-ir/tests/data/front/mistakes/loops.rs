//- mistakes in ranges
fn k(x: &[f32], n: i32, i: usize) {
    for j in x {}
    for j in 0..n.len() {}
    for j in n..i {}
    for j in 0..2.5 {}
    for j in 0.. {}
    for j in (0..n).step_by(2).rev() {}
    for j in (0..n).step_by(0) {}
    for j in (0..n).step_by(n) {}
    for j in x.iter() {}
    for mut j in 0..n {}
    for (a, b) in 0..n {}
    for (a, b) in x.iter().enumerate() { let c = a + b; }
    for j in (0..n).rev().rev() {}
    for j in (0..n).step_by(2).step_by(3) {}
}

//- jumps out of place
fn k() {
    break;
    continue;
    for _ in 0..3 { break 5; }
    'a: for _ in 0..2 { continue 'a; }
    return 3;
    'b: { break 'b; }
}

//- loop variables are not assigned
fn k(n: i32) {
    for j in 0..n { j += 1; }
}
