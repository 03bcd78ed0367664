//! Loops.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn ranges() {
    let found = lowered(
        "n: i32, x: &[f32]",
        r"
            for _ in 0..3 {}
            for j in 1..=n { let _k = j; }
            for j in (0..n).rev() {}
            for j in (0..x.len()).step_by(2) {}
            for j in (0..=n).rev().step_by(3) {}
            for _ in 0..n as usize {}
            for j in ((0..n)) {}
        ",
    );
    expect![[r#"
        for _.0: i32 in (0i32..3i32) {
        }
        for j.1: i32 in (1i32..=n) {
            let _k.2: i32 = j.1;
        }
        for j.3: i32 in (0i32..n).rev() {
        }
        for j.4: usize in (0usize..x.extent(0)).step_by(2usize) {
        }
        for j.5: i32 in (0i32..=n).rev().step_by(3usize) {
        }
        for _.6: usize in (0usize..n as usize) {
        }
        for j.7: i32 in (0i32..n) {
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn while_loop_break_continue() {
    let found = lowered(
        "mut a: f32",
        r"
            while a > 1.0 { a *= 0.5; if a == 3.0 { continue; } }
            loop { a += 1.0; if a > 9.0 { break; } }
        ",
    );
    expect![[r#"
        let mut a.0: f32 = a;
        while a.0 > 1.0f32 {
            a.0 *= 0.5f32;
            if a.0 == 3.0f32 {
                continue;
            }
        }
        while true {
            a.0 += 1.0f32;
            if a.0 > 9.0f32 {
                break;
            }
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_loop_that_never_breaks() {
    let found = lowered("out: &mut [f32]", "loop { out[0] += 1.0; if out[0] > 9.0 { return; } }");
    expect![[r#"
        while true {
            out[0usize] += 1.0f32;
            if out[0usize] > 9.0f32 {
                return;
            }
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn nested_loops_shadow() {
    let found = lowered(
        "n: i32",
        r"
            for j in 0..n { for j in j..n { let j = j * 2; let _ = j; } let _k = j; }
        ",
    );
    expect![[r#"
        for j.0: i32 in (0i32..n) {
            for j.1: i32 in (j.0..n) {
                let j.2: i32 = j.1 * 2i32;
            }
            let _k.3: i32 = j.0;
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn the_range_of_an_undecided_type_is_i32() {
    let found = lowered("out: &mut [f32]", "for j in 0..4 { out[j as usize] = j as f32; }");
    expect![[r#"
        for j.0: i32 in (0i32..4i32) {
            out[j.0 as usize] = j.0 as f32;
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn mistakes_in_ranges() {
    let found = mistakes(
        "x: &[f32], n: i32, i: usize",
        r"
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
            for j in (0..n).rev().rev() {}
            for j in (0..n).step_by(2).step_by(3) {}
        ",
    );
    expect![[r#"
        x
          a `for` runs over a range of integers
          help: write `for j in 0..n`, and read elements by their index
        len
          the method `len` is not in the kernel language
          help: only arrays have a length: `for j in 0..x.len()`
        i
          the ends of a range are integers of one type
          help: convert one, for example with `as usize`
        2.5
          the ends of a range are integers of one type
          help: count in whole numbers and convert inside of the loop: `j as f32 * 0.1`
        0..
          the range of a `for` has two ends
          help: write `0..n`, or `loop` with a `break`
        (0..n).step_by(2).rev()
          `.rev()` comes first, and once
          help: write `(a..b).rev().step_by(n)`; it starts from the last value, `b - 1`
        0
          a step of 0 never ends
          help: use 1 or more
        n
          mismatched types: expected `usize`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: a step is a `usize`: convert with `as usize`
        x.iter()
          a `for` runs over a range of integers
          help: write `for j in 0..n`, and read elements by their index
        mut j
          a loop variable cannot be assigned
          help: copy it: `let mut k = j;`
        (a, b)
          a loop variable is a plain name
          help: write `for j in 0..n`
        (0..n).rev().rev()
          `.rev()` comes first, and once
          help: write `(a..b).rev().step_by(n)`; it starts from the last value, `b - 1`
        (0..n).step_by(2).step_by(3)
          a second `.step_by`
          help: multiply the steps
    "#]]
    .assert_eq(&found);
}

#[test]
fn jumps_out_of_place() {
    let found = mistakes(
        "",
        r"
            break;
            continue;
            for _ in 0..3 { break 5; }
            'a: for _ in 0..2 { continue 'a; }
            return 3;
            'b: { break 'b; }
        ",
    );
    expect![[r#"
        break
          `break` outside of a loop
          help: to end this thread, write `return`
        continue
          `continue` outside of a loop
          help: to end this thread, write `return`
        break 5
          `break` with a value is not in the kernel language
          help: assign a variable that stands before the loop, then `break`
        'a
          labels are not in the kernel language
          help: set a `bool` in the inner loop and test it in the outer one
        'a
          labels are not in the kernel language
          help: set a `bool` in the inner loop and test it in the outer one
        return 3
          a kernel returns nothing
          help: write the value to an array parameter, then `return;`
        'b
          labels are not in the kernel language
          help: set a `bool` in the inner loop and test it in the outer one
        break 'b
          `break` outside of a loop
          help: to end this thread, write `return`
        'b
          labels are not in the kernel language
          help: set a `bool` in the inner loop and test it in the outer one
    "#]]
    .assert_eq(&found);
}

#[test]
fn loop_variables_are_not_assigned() {
    let found = mistakes("n: i32", "for j in 0..n { j += 1; }");
    expect![[r#"
        j
          the loop variable `j` cannot be assigned
          declared here: j
          help: copy it: `let mut k = j;`, or write a `while` loop
    "#]]
    .assert_eq(&found);
}
