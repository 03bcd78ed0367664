use super::backward;
use crate::check::check;
use crate::text::{parse, print};

/// The adjoint of a kernel in text form, in text form.
fn adjoint(params: &str, body: &str) -> String {
    let text = format!("#[kernel(family = \"f\", dim = 1)]\nfn k({params}) {{\n{body}\n}}\n");
    let kernel = check(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    match backward(&kernel) {
        Ok(backward) => print(&backward.kernel),
        Err(mistakes) => mistakes.iter().map(|mistake| mistake.message.clone() + "\n").collect(),
    }
}

#[test]
fn look() {
    println!(
        "{}",
        adjoint(
            "a: f32, x: &[f32; dim(0)], y: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); if i.0 < y.extent(0) { y[i.0] = a * x[i.0] + y[i.0]; }"
        )
    );
    println!(
        "{}",
        adjoint(
            "x: &[f32; dim(0)], y: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); if i.0 >= y.extent(0) { return; } let mut s.1: f32 = 0.0f32; for k.2: usize in (0usize..x.extent(0)) { s.1 += x[k.2] * x[i.0]; } y[i.0] = exp(s.1);"
        )
    );
    println!(
        "{}",
        adjoint(
            "k: f32, steps: i32, start: &[f32; dim(0)], end: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); let mut p.1: f32 = start[i.0]; let mut v.2: f32 = 0.0f32; for k.3: i32 in (0i32..steps) { v.2 -= 0.01f32 * k * sin(p.1); p.1 += 0.01f32 * v.2; } end[i.0] = p.1;"
        )
    );
    println!(
        "{}",
        adjoint(
            "x: &[f32; dim(0)], y: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); let mut s.1: f32 = x[i.0]; for k.2: usize in (0usize..10usize) { if s.1 > 1.0f32 { break; } s.1 = s.1 * s.1 + 0.1f32; } y[i.0] = s.1;"
        )
    );
    println!(
        "{}",
        adjoint(
            "x: &[f32; dim(0)], y: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); let mut s.1: f32 = x[i.0]; for k.2: usize in (0usize..10usize) { s.1 = s.1 * s.1 + 0.1f32; } y[i.0] = s.1;"
        )
    );
}
