//- ranges
fn k(n: i32, x: &[f32]) {
    for _ in 0..3 {}
    for j in 1..=n { let _k = j; }
    for j in (0..n).rev() {}
    for j in (0..x.len()).step_by(2) {}
    for j in (0..=n).rev().step_by(3) {}
    for _ in 0..n as usize {}
    for j in ((0..n)) {}
}

//- while loop break continue
fn k(mut a: f32) {
    while a > 1.0 { a *= 0.5; if a == 3.0 { continue; } }
    loop { a += 1.0; if a > 9.0 { break; } }
}

//- a loop that never breaks
fn k(out: &mut [f32]) {
    loop { out[0] += 1.0; if out[0] > 9.0 { return; } }
}

//- nested loops shadow
fn k(n: i32) {
    for j in 0..n { for j in j..n { let j = j * 2; let _ = j; } let _k = j; }
}

//- the range of an undecided type is i32
fn k(out: &mut [f32]) {
    for j in 0..4 { out[j as usize] = j as f32; }
}
