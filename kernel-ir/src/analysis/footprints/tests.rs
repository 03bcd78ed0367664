use super::*;
use crate::front;
use expect_test::{Expect, expect};

/// What is proven about `y` in the kernel with these parameters and this body: whether threads meet, and when each load
/// of `y` has its value.
fn check(params: &str, body: &str, expect: Expect) {
    let item = format!("fn k({params}) {{ {body} }}").parse().unwrap();
    let kernel = front::compile(Default::default(), item).kernel.unwrap();
    let (y, _) = kernel.param_ids().find(|(_, param)| param.name == "y").unwrap();
    let found = Footprints::promised(&kernel);
    let threads = if found.meeting(y).is_some() { "threads may meet" } else { "threads never meet" };
    let moments = found.moments(y).unwrap();
    let moments = moments.values().map(|moment| match moment {
        Moment::Before => "before",
        Moment::After => "after",
        Moment::Between(..) => "between",
    });
    let moments: Vec<&str> = moments.collect();
    expect.assert_eq(&format!("{threads}; {}", moments.join(", ")));
}

#[test]
fn one_thread_alone() {
    let params = "x: &[f32], y: &mut [f32]";
    check(params, "if tid() == 0 { y[0] = x[0]; }", expect!["threads never meet; "]);
    check(
        params,
        "if tid() == 0 { for j in 1..y.len() { y[j] = 0.5 * y[j - 1] + x[j]; } }",
        expect!["threads never meet; after"],
    );
    check(params, "if tid() < 2 { y[0] = x[0]; }", expect!["threads may meet; "]);
    check(
        params,
        "let t = tid(); if t != 0 { return; } for j in 0..x.len() { y[0] += x[j]; }",
        expect!["threads never meet; "],
    );
}

#[test]
fn rows_with_two_axes() {
    let params = "x: &[f32], n: usize, y: &mut Array2<f32>";
    check(params, "let i = tid(); for k in 0..n { y[[i, k]] *= x[k]; }", expect!["threads never meet; "]);
    check(
        params,
        "let i = tid(); for k in 0..n - 1 { y[[i, k + 1]] = y[[i, k]].sin() * x[k]; }",
        expect!["threads never meet; after"],
    );
    check(
        params,
        "let i = tid(); for k in (0..n).rev() { y[[i, k]] = y[[i, k + 1]].sin() * x[k]; }",
        expect!["threads never meet; after"],
    );
    check(params, "let i = tid(); for k in 0..n { y[[k, i]] = y[[i, k]]; }", expect!["threads may meet; before"]);
}

#[test]
fn rows_of_a_flat_array() {
    let params = "x: &[f32], n: usize, m: usize, y: &mut [f32]";
    check(params, "let i = tid(); for k in 0..n { y[i * n + k] *= x[k]; }", expect!["threads never meet; "]);
    check(params, "let i = tid(); for k in 0..=n { y[i * n + k] *= x[k]; }", expect!["threads may meet; "]);
    check(
        params,
        "let i = tid(); for k in 0..n { for l in 0..m { y[(i * n + k) * m + l] *= x[l]; } }",
        expect!["threads never meet; "],
    );
    check(params, "let i = tid(); y[(i / n) * n + i % n] = x[i];", expect!["threads never meet; "]);
    check(
        params,
        "let i = tid(); let mut k = 0; while k < n { y[i * n + k] *= x[k]; k += 1; }",
        expect!["threads never meet; "],
    );
    check(params, "let i = tid(); for k in 0..4 { y[i * 4 + k] *= x[k]; }", expect!["threads never meet; "]);
    check(
        "n: i32, y: &mut [f32]",
        "let i = tid() as i32; for k in 0..n { y[(i * n + k) as usize] = 1.0; }",
        expect!["threads never meet; "],
    );
}

#[test]
fn pairs() {
    let params = "x: &[f32], s: usize, y: &mut [f32]";
    check(
        params,
        "let i = tid(); let j = (i / s) * 2 * s + i % s; let a = y[j]; let b = y[j + s]; y[j] = a + b; y[j + s] = a - b;",
        expect!["threads never meet; before, before"],
    );
    check(
        "s: u32, y: &mut [f32]",
        "let i = tid() as u32; let h = 1 << s; let j = (i >> s) * 2 * h + (i & ((1 << s) - 1));
         let a = y[j as usize]; let b = y[(j + h) as usize]; y[j as usize] = a + b; y[(j + h) as usize] = a - b;",
        expect!["threads never meet; before, before"],
    );
    check(
        params,
        "let i = tid(); if i < y.len() / 2 { let j = y.len() - 1 - i; let a = y[i]; y[i] = y[j]; y[j] = a; }",
        expect!["threads never meet; before, before"],
    );
    check(
        params,
        "let i = tid(); if i % 2 == 0 { y[i] = 0.5 * (y[i + 1] + y[i + 3]); }",
        expect!["threads never meet; after, after"],
    );
    check(
        params,
        "let i = tid(); if i % 2 == 0 { y[i] = 0.5 * (y[i + 1] + y[i + 2]); }",
        expect!["threads may meet; after, after"],
    );
    check(
        params,
        "let i = tid(); y[2 * i + 1] = y[2 * i].sin() * y[2 * i + 2];",
        expect!["threads never meet; after, after"],
    );
}

#[test]
fn a_symmetric_matrix() {
    let body = "let (i, j) = tid2(); if j <= i { let a = x[[i, j]]; y[[i, j]] = a; y[[j, i]] = a; }";
    check("x: &Array2<f32>, y: &mut Array2<f32>", body, expect!["threads never meet; "]);
}

#[test]
fn values_that_are_overwritten_twice() {
    let params = "x: &[f32], n: usize, y: &mut Array2<f32>";
    check(
        params,
        "let i = tid(); let mut s = 0.0; for k in 0..n { let e = y[[i, k]].exp(); y[[i, k]] = e; s += e; }
         for k in 0..n { y[[i, k]] = y[[i, k]] / s; }",
        expect!["threads never meet; before, between"],
    );
    check(
        params,
        "let i = tid(); for t in 0..4 { for k in 1..n { y[[i, k]] = y[[i, k - 1]].sin(); } }",
        expect!["threads never meet; between"],
    );
}

#[test]
fn factors_of_a_matrix() {
    check(
        "n: usize, y: &mut Array2<f32>",
        "if tid() == 0 { for j in 0..n { for k in 0..j {
             let l = y[[j, k]] / y[[k, k]]; y[[j, k]] = l; for m in k + 1..n { y[[j, m]] -= l * y[[k, m]]; } } } }",
        expect!["threads never meet; between, after, after"],
    );
}

/// Products of products have terms without end; the walk gives them up.
#[test]
fn squares_of_squares() {
    let squares = "let a = a * a + a * n + 1; ".repeat(12);
    check(
        "n: usize, y: &mut [f32]",
        &format!("let a = tid() + n; {squares} y[a] = 1.0;"),
        expect!["threads may meet; "],
    );
}

#[test]
fn strides_over_the_launch() {
    check(
        "n: usize, s: usize, y: &mut [f32]",
        "for k in (tid()..n).step_by(s) { y[k] *= 2.0; }",
        expect!["threads may meet; "],
    );
}

#[test]
fn what_may_meet() {
    let params = "x: &[f32], p: &[u32], n: usize, y: &mut [f32]";
    check(params, "let i = tid(); y[p[i] as usize] = x[i];", expect!["threads may meet; "]);
    check(params, "let i = tid(); y[i] = y[i + 1];", expect!["threads may meet; after"]);
    check(params, "let i = tid(); y[i / 2] = x[i];", expect!["threads may meet; "]);
    check(params, "let i = tid(); y[i * n] = x[i];", expect!["threads may meet; "]);
    check(params, "let i = tid(); for k in 0..p[i] as usize { y[i * n + k] = x[i]; }", expect!["threads may meet; "]);
    check(
        params,
        "let i = tid(); let j = (i as i32 - 1) as usize; if j > n { y[0] = 1.0; }",
        expect!["threads may meet; "],
    );
}

#[test]
fn indices_through_arrays() {
    let params =
        "x: &[f32], n: usize, #[domain(permutation)] p: &[u32], #[domain(0..9, distinct)] q: &[i32], y: &mut [f32]";
    check(params, "let i = tid(); y[p[i] as usize] = x[i];", expect!["threads never meet; "]);
    check(params, "let i = tid(); y[q[p[i] as usize] as usize] *= x[i];", expect!["threads never meet; "]);
    check(
        params,
        "let i = tid(); for k in 0..n { y[q[i] as usize * n + k] *= x[i]; }",
        expect!["threads never meet; "],
    );
    check(params, "let i = tid(); y[p[i / 2] as usize] = x[i];", expect!["threads may meet; "]);
    check(params, "let i = tid(); y[p[i] as usize + 1] = y[p[i] as usize];", expect!["threads may meet; after"]);
    check(params, "if tid() == 0 { for k in 0..n { y[p[k] as usize] *= x[k]; } }", expect!["threads never meet; "]);
    let params = "x: &[f32], #[domain(0..9, offsets)] s: &[u32], y: &mut [f32]";
    check(
        params,
        "let i = tid(); for k in s[i] as usize..s[i + 1] as usize { y[k] *= x[i]; }",
        expect!["threads never meet; "],
    );
    check(
        params,
        "let i = tid(); for k in s[i] as usize..=s[i + 1] as usize { y[k] *= x[i]; }",
        expect!["threads may meet; "],
    );
}
