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
            "x: &[f32; dim(0)], y: &mut [f32; dim(0)],",
            "let i.0: usize = tid(0); let mut e.1: f32; let size.2: f32 = abs(x[i.0]); if size.2 > 0.5f32 { e.1 = size.2 - 0.5f32; } else { e.1 = 0.0f32; } let l.3: f32 = if e.1 > 1.0f32 { 1.0f32 } else { e.1 }; y[i.0] = copysign(l.3, x[i.0]);"
        )
    );
}
