//! Rust's order of evaluation.

use super::lowered;
use expect_test::expect;

#[test]
fn operands_left_to_right() {
    let found = lowered("mut k: i32", "let a = k + { k += 1; k } * { k *= 2; k };");
    expect![[r#"
        let mut k.0: i32 = k;
        let before.3: i32 = k.0;
        k.0 += 1i32;
        let before.2: i32 = k.0;
        k.0 *= 2i32;
        let a.1: i32 = before.3 + before.2 * k.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn the_value_before_the_place() {
    let found = lowered("out: &mut [f32], mut k: usize", "out[{ k += 1; k }] = { k *= 2; k as f32 };");
    expect![[r#"
        let mut k.0: usize = k;
        k.0 *= 2usize;
        let before.1: f32 = k.0 as f32;
        k.0 += 1usize;
        out[k.0] = before.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn compound_assignment_of_numbers_takes_the_value_first() {
    let found = lowered("out: &mut [f32], mut k: usize", "out[k] += { k += 1; 1.0 }; out[{ k += 1; k }] *= k as f32;");
    expect![[r#"
        let mut k.0: usize = k;
        k.0 += 1usize;
        out[k.0] += 1.0f32;
        let before.1: f32 = k.0 as f32;
        k.0 += 1usize;
        out[k.0] *= before.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn compound_assignment_of_vectors_takes_the_place_first() {
    let found = lowered(
        "out: &mut [Vec3], mut k: usize",
        r"
            out[k] += { k += 1; Vec3::ONE };
            out[{ k += 1; k }] *= k as f32;
        ",
    );
    expect![[r#"
        let mut k.0: usize = k;
        let before.1: usize = k.0;
        k.0 += 1usize;
        out[before.1] += splat<vec3>(1.0f32);
        k.0 += 1usize;
        out[k.0] *= k.0 as f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn lazy_operators_with_effects() {
    let found = lowered(
        "mut k: i32",
        r"
            let a = k > 0 && { k += 1; k > 2 };
            let b = k < 0 || { k += 2; k > 9 }
            && k != 5;
            let c = k > 0 && k < 9;
        ",
    );
    expect![[r#"
        let mut k.0: i32 = k;
        let mut holds.4: bool = k.0 > 0i32;
        if holds.4 {
            k.0 += 1i32;
            holds.4 = k.0 > 2i32;
        }
        let a.1: bool = holds.4;
        let mut holds.5: bool = k.0 < 0i32;
        if !holds.5 {
            k.0 += 2i32;
            holds.5 = k.0 > 9i32 && k.0 != 5i32;
        }
        let b.2: bool = holds.5;
        let c.3: bool = k.0 > 0i32 && k.0 < 9i32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_condition_with_effects_runs_before_every_trip() {
    let found = lowered("mut k: i32", "while { k += 1; k < 5 } { if k == 3 { continue; } }");
    expect![[r#"
        let mut k.0: i32 = k;
        while true {
            k.0 += 1i32;
            if !(k.0 < 5i32) {
                break;
            }
            if k.0 == 3i32 {
                continue;
            }
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn effects_in_branches_of_an_operand() {
    let found = lowered("mut p: f32", "let a = p * if p > 0.0 { p += 1.0; 2.0 } else { 3.0 } + p;");
    expect![[r#"
        let mut p.0: f32 = p;
        let before.3: f32 = p.0;
        let value.2: f32;
        if p.0 > 0.0f32 {
            p.0 += 1.0f32;
            value.2 = 2.0f32;
        } else {
            value.2 = 3.0f32;
        }
        let a.1: f32 = before.3 * value.2 + p.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn effects_in_arguments() {
    let found = lowered(
        "mut p: f32",
        r"
            let v = Vec3::new(p, { p += 1.0; p }, p);
            let b = p.max({ p = 0.0; p });
        ",
    );
    expect![[r#"
        let mut p.0: f32 = p;
        let before.3: f32 = p.0;
        p.0 += 1.0f32;
        let v.1: vec3 = vec3(before.3, p.0, p.0);
        let before.4: f32 = p.0;
        p.0 = 0.0f32;
        let b.2: f32 = max(before.4, p.0);
    "#]]
    .assert_eq(&found);
}

#[test]
fn atomics_in_expressions() {
    let found = lowered(
        "n: &mut [i32], mut k: usize",
        r"
            let old = atomic_add(&mut n[k], 1);
            let a = atomic_add(&mut n[0], 2) + atomic_max(&mut n[1], old);
            if atomic_sub(&mut n[2], 1) > 0 { n[3] = 1; }
            n[k] = atomic_min(&mut n[4], a);
            atomic_add(&mut n[k], { k += 1; 5 });
        ",
    );
    expect![[r#"
        let mut k.0: usize = k;
        let old.1: i32;
        old.1 = atomic_add(n[k.0], 1i32);
        let old.3: i32;
        old.3 = atomic_add(n[0usize], 2i32);
        let old.4: i32;
        old.4 = atomic_max(n[1usize], old.1);
        let a.2: i32 = old.3 + old.4;
        let old.5: i32;
        old.5 = atomic_sub(n[2usize], 1i32);
        if old.5 > 0i32 {
            n[3usize] = 1i32;
        }
        let old.6: i32;
        old.6 = atomic_min(n[4usize], a.2);
        n[k.0] = old.6;
        let before.7: usize = k.0;
        k.0 += 1usize;
        atomic_add(n[before.7], 5i32);
    "#]]
    .assert_eq(&found);
}

#[test]
fn range_ends_are_evaluated_once_in_order() {
    let found = lowered("mut k: i32", "for j in { k += 1; k }..k + 3 { k += j; }");
    expect![[r#"
        let mut k.0: i32 = k;
        k.0 += 1i32;
        for j.1: i32 in (k.0..k.0 + 3i32) {
            k.0 += j.1;
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn nested_values_with_effects() {
    let found = lowered(
        "mut p: f32",
        r"
            let a = 1.0 + if p > 0.0 { 1.0 + if p > 1.0 { p -= 1.0; 5.0 } else { 6.0 } } else { 7.0 }
            ;
        ",
    );
    expect![[r#"
        let mut p.0: f32 = p;
        let value.2: f64;
        if p.0 > 0.0f32 {
            let value.3: f64;
            if p.0 > 1.0f32 {
                p.0 -= 1.0f32;
                value.3 = 5.0f64;
            } else {
                value.3 = 6.0f64;
            }
            value.2 = 1.0f64 + value.3;
        } else {
            value.2 = 7.0f64;
        }
        let a.1: f64 = 1.0f64 + value.2;
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_assignment_of_a_branch_that_reads_its_target() {
    let found = lowered(
        "mut p: f32",
        r"
            p = if p > 0.0 { p = 2.0; p + 1.0 } else { p };
            p = { let q = p; q * q }
            ;
        ",
    );
    expect![[r#"
        let mut p.0: f32 = p;
        if p.0 > 0.0f32 {
            p.0 = 2.0f32;
            p.0 = p.0 + 1.0f32;
        } else {
            p.0 = p.0;
        }
        let q.1: f32 = p.0;
        p.0 = q.1 * q.1;
    "#]]
    .assert_eq(&found);
}
