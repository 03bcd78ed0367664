//! `if`, blocks and early ends.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn if_as_statement_and_expression() {
    let found = lowered(
        "a: f32, out: &mut [f32]",
        r"
            if a > 1.0 { out[0] = 1.0; } else if a > 0.0 { out[0] = 2.0; } else { out[0] = 3.0 }
            let b = if a > 2.0 { a } else { -a };
            out[1] = if a < b { a } else { b } + 1.0;
        ",
    );
    expect![[r#"
        if a > 1.0f32 {
            out[0usize] = 1.0f32;
        } else if a > 0.0f32 {
            out[0usize] = 2.0f32;
        } else {
            out[0usize] = 3.0f32;
        }
        let b.0: f32 = if a > 2.0f32 { a } else { -a };
        out[1usize] = (if a < b.0 { a } else { b.0 }) + 1.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn return_within_a_value() {
    let found = lowered(
        "a: f32, out: &mut [f32]",
        r"
            let b = if a > 0.0 { a.sqrt() } else { return; };
            out[0] = b;
            let c = if a > 1.0 { if a > 2.0 { return } else { 1.0 } } else { 0.0 };
            out[1] = c;
        ",
    );
    expect![[r#"
        let b.0: f32;
        if a > 0.0f32 {
            b.0 = sqrt(a);
        } else {
            return;
        }
        out[0usize] = b.0;
        let c.1: f32;
        if a > 1.0f32 {
            if a > 2.0f32 {
                return;
            } else {
                c.1 = 1.0f32;
            }
        } else {
            c.1 = 0.0f32;
        }
        out[1usize] = c.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn continue_and_break_within_a_value() {
    let found = lowered(
        "x: &[f32], out: &mut [f32]",
        r"
            for j in 0..x.len() { let a = if x[j] > 0.0 { x[j] } else { continue; }; let b = if a > 1.0 { break } else { a * 2.0 }; out[j] = b; }
        ",
    );
    expect![[r#"
        for j.0: usize in (0usize..x.extent(0)) {
            let a.1: f32;
            if x[j.0] > 0.0f32 {
                a.1 = x[j.0];
            } else {
                continue;
            }
            let b.2: f32;
            if a.1 > 1.0f32 {
                break;
            } else {
                b.2 = a.1 * 2.0f32;
            }
            out[j.0] = b.2;
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn blocks_are_values() {
    let found = lowered(
        "a: f32",
        r"
            let b = { let t = a * 2.0; t + 1.0 };
            let c = { { b } } + { 1.0 };
            let d = 1.0 + { let u = a; u * u }
            ;
        ",
    );
    expect![[r#"
        let t.0: f32 = a * 2.0f32;
        let b.1: f32 = t.0 + 1.0f32;
        let c.2: f32 = b.1 + 1.0f32;
        let u.3: f32 = a;
        let d.4: f32 = 1.0f32 + u.3 * u.3;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_branch_that_loops_forever_has_any_type() {
    let found = lowered(
        "a: f32, out: &mut [f32]",
        r"
            let b = if a > 0.0 { a } else { loop { out[0] += 1.0; if out[0] > 3.0 { return; } } };
            out[1] = b;
        ",
    );
    expect![[r#"
        let b.0: f32;
        if a > 0.0f32 {
            b.0 = a;
        } else {
            while true {
                out[0usize] += 1.0f32;
                if out[0usize] > 3.0f32 {
                    return;
                }
            }
        }
        out[1usize] = b.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn code_after_a_return() {
    let found = lowered(
        "out: &mut [f32]",
        r"
            if out[0] > 0.0 { return; out[0] = 1.0; }
            out[1] = 1.0;
            return;
        ",
    );
    expect![[r#"
        if out[0usize] > 0.0f32 {
            return;
            out[0usize] = 1.0f32;
        }
        out[1usize] = 1.0f32;
        return;
    "#]]
    .assert_eq(&found);
}

#[test]
fn dropped_values() {
    let found = lowered(
        "a: f32, out: &mut [f32]",
        r"
            let _ = a;
            _ = a.sin();
            a * 2.0;
            { out[0] = 1.0; }
            let _ = { out[1] = 2.0; a }
            ;
        ",
    );
    expect![[r#"
        out[0usize] = 1.0f32;
        out[1usize] = 2.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn values_that_are_not_there() {
    let found = mistakes(
        "c: bool, out: &mut [f32]",
        r"
            let a = if c { 1.0 };
            let b = { out[0] = 1.0; };
            let d = if c { 1.0 } else { out[0] = 2.0; };
            let e = loop { break; };
            let f = 1.0 + return;
            out[0] = while c {};
            let g = loop { break 1.0 }
            ;
        ",
    );
    expect![[r#"
        if c { 1.0 }
          a value is needed here, and this has none
          help: add an `else` with the other value
        { out[0] = 1.0; }
          a value is needed here, and this has none
          help: end each block with the value, without a semicolon
        if c { 1.0 } else { out[0] = 2.0; }
          a value is needed here, and this has none
          help: end each block with the value, without a semicolon
        loop { break; }
          a value is needed here, and this has none
          help: make it a statement of its own, and let it set a variable
        return
          a value is needed here, and this never gives one
          help: make it a statement of its own
        while c {}
          a value is needed here, and this has none
          help: make it a statement of its own, and let it set a variable
        break 1.0
          `break` with a value is not in the kernel language
          help: assign a variable that stands before the loop, then `break`
    "#]]
    .assert_eq(&found);
}

#[test]
fn conditions_are_bool() {
    let found = mistakes(
        "n: i32, x: f32",
        r"
            if n { }
            while x { }
            if n = 3 { }
            let a = if 1 { 1.0 } else { 2.0 }
            ;
        ",
    );
    expect![[r#"
        n
          mismatched types: expected `bool`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: compare, for example with `!= 0`
        x
          mismatched types: expected `bool`, found `f32`
          note: the kernel language, like Rust, converts nothing by itself
          help: compare, for example with `!= 0`
        n = 3
          an assignment is not a condition
          help: compare with `==`
        1
          mismatched types: expected `bool`, found an integer
          note: the kernel language, like Rust, converts nothing by itself
          help: compare, for example with `!= 0`
    "#]]
    .assert_eq(&found);
}

#[test]
fn branches_of_two_types() {
    let found = mistakes(
        "c: bool, x: f32",
        r"
            let a = if c { x } else { 1 };
            let b = if c { Vec2::ONE } else { x }
            ;
        ",
    );
    expect![[r#"
        1
          mismatched types: expected `f32`, found an integer
          note: the kernel language, like Rust, converts nothing by itself
          help: give the number a decimal point: `1.0` instead of `1`
        x
          mismatched types: expected `Vec2`, found `f32`
          note: the kernel language, like Rust, converts nothing by itself
          help: spread a number over the components with `Vec2::splat(…)`
    "#]]
    .assert_eq(&found);
}
