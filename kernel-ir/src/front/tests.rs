//! The front end on small kernels.

use super::compile;
use expect_test::expect;
use quote::quote;

/// The messages for a kernel, one a line.
fn messages(item: proc_macro2::TokenStream) -> String {
    match compile(quote!(family = "test"), item).kernel {
        Ok(_) => String::new(),
        Err(diagnostics) => diagnostics.iter().map(|d| format!("{}\n", d.message)).collect(),
    }
}

#[test]
fn the_pendulum_compiles() {
    let found = messages(quote! {
        pub fn pendulum(k: f32, steps: i32, #[domain(-1.0..1.0)] start: &[f32], end: &mut [f32]) {
            let i = tid();
            let mut p = start[i];
            let mut v = 0.0;
            for _ in 0..steps {
                v -= 0.01 * k * p.sin();
                p += 0.01 * v;
            }
            end[i] = p;
        }
    });
    assert_eq!(found, "");
}

/// The text form of a kernel.
fn text(item: proc_macro2::TokenStream) -> String {
    match compile(quote!(family = "test"), item).kernel {
        Ok(kernel) => crate::text::print(&kernel),
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

#[test]
fn a_match_is_a_chain_of_branches() {
    let text = text(quote! {
        fn choose(op: u32, x: &[i32], flag: &[bool], y: &mut [f32]) {
            const LAST: i32 = 9;
            let i = tid();
            match op {
                0 | 3 => y[i] = 1.0,
                1..=2 if x[i] > 0 => { y[i] = 2.0; return; }
                4.. => {}
                _ => y[i] += 1.0,
            }
            let scale = match x[i] - 5 {
                -1 => 0.5,
                LAST => 0.25,
                i32::MIN..-1 => return,
                n @ 5..8 => n as f32,
                small if small < 3 => (small * 2) as f32,
                _ => 1.0,
            };
            y[i] *= scale * match flag[i] { true => 2.0, false => 3.0 };
        }
    });
    let body: String =
        text.lines().skip_while(|line| !line.contains("let i")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
            let i.1: usize = tid(0);
            if op == 0u32 || op == 3u32 {
                y[i.1] = 1.0f32;
            } else if op >= 1u32 && op <= 2u32 && x[i.1] > 0i32 {
                y[i.1] = 2.0f32;
                return;
            } else if op >= 4u32 {
            } else {
                y[i.1] += 1.0f32;
            }
            let n.2: i32 = x[i.1] - 5i32;
            let scale.3: f32;
            if n.2 == -1i32 {
                scale.3 = 0.5f32;
            } else if n.2 == LAST.0 {
                scale.3 = 0.25f32;
            } else if n.2 >= -2147483648i32 && n.2 < -1i32 {
                return;
            } else {
                scale.3 = if n.2 >= 5i32 && n.2 < 8i32 { n.2 as f32 } else { if n.2 < 3i32 { (n.2 * 2i32) as f32 } else { 1.0f32 } };
            }
            let matched.4: bool = flag[i.1];
            y[i.1] *= scale.3 * (if matched.4 { 2.0f32 } else { 3.0f32 });
        }
    "#]].assert_eq(&body);
}

#[test]
fn arms_that_nothing_reaches_are_left_out() {
    let text = text(quote! {
        fn choose(flag: bool, n: i32, x: &[f32], y: &mut [f32]) {
            let i = tid();
            const LAST: i32 = 9;
            let a = match flag { true => 1.0, false => 2.0, true if x[i] > 0.0 => 3.0 };
            let b = match n { k => k as f32, 3 => { let c = 1.0; c } };
            y[i] = a + b + match LAST { k => match n { k => k as f32 } };
        }
    });
    let body: String =
        text.lines().skip_while(|line| !line.contains("let i")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
            let i.1: usize = tid(0);
            let a.2: f32 = if flag { 1.0f32 } else { 2.0f32 };
            let b.3: f32 = n as f32;
            let k.4: i32 = LAST.0;
            y[i.1] = a.2 + b.3 + n as f32;
        }
    "#]]
    .assert_eq(&body);
}

#[test]
fn a_guard_has_no_effects_and_matches_end() {
    let found = messages(quote! {
        fn count(n: i32, y: &mut [f32]) {
            let i = tid();
            let mut m = 0;
            match n { 1 | 2 if { m += 1; m > 1 } => y[i] = 1.0, _ => {} }
        }
    });
    assert_eq!(found, "a guard only computes a condition\n");
    let arms = |count: i32| {
        let arms = (0..count).map(|n| quote!(#n => y[i] = 1.0,));
        messages(quote!(fn many(n: i32, y: &mut [f32]) { let i = tid(); match n { #(#arms)* _ => {} } }))
    };
    assert_eq!(arms(80), "");
    assert_eq!(arms(10_000), "this statement is too long or nested too deeply\n");
}

#[test]
fn a_condition_belongs_to_its_loop() {
    let text = text(quote! {
        fn seek(n: i32, x: &[f32], y: &mut [f32]) {
            let i = tid();
            'all: for k in 0..n {
                while { if x[i] > k as f32 { break 'all; } y[i] < 3.0 } { y[i] += 1.0; }
            }
        }
    });
    let body: String =
        text.lines().skip_while(|line| !line.contains("let i")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
            let i.0: usize = tid(0);
            let mut all_ends.2: bool = false;
            for k.1: i32 in (0i32..n) {
                while true {
                    if x[i.0] > k.1 as f32 {
                        all_ends.2 = true;
                        break;
                    }
                    if !(y[i.0] < 3.0f32) {
                        break;
                    }
                    y[i.0] += 1.0f32;
                }
                if all_ends.2 {
                    break;
                }
            }
        }
    "#]]
    .assert_eq(&body);
}

#[test]
fn jumps_of_outer_loops_set_flags() {
    let text = text(quote! {
        fn search(n: i32, x: &[f32], y: &mut [f32]) {
            let i = tid();
            'rows: for r in 0..n {
                'all: loop {
                    for c in 0..n {
                        if x[i] > 1.0 { continue 'rows; }
                        if x[i] > 2.0 { break 'rows; }
                        if x[i] > 3.0 { break 'all; }
                        y[i] += (r + c) as f32;
                    }
                }
                y[i] *= 2.0;
            }
        }
    });
    let body: String =
        text.lines().skip_while(|line| !line.contains("let i")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
            let i.0: usize = tid(0);
            let mut rows_ends.4: bool = false;
            for r.1: i32 in (0i32..n) {
                let mut rows_continues.3: bool = false;
                let mut all_ends.5: bool = false;
                while true {
                    for c.2: i32 in (0i32..n) {
                        if x[i.0] > 1.0f32 {
                            rows_continues.3 = true;
                            break;
                        }
                        if x[i.0] > 2.0f32 {
                            rows_ends.4 = true;
                            break;
                        }
                        if x[i.0] > 3.0f32 {
                            all_ends.5 = true;
                            break;
                        }
                        y[i.0] += (r.1 + c.2) as f32;
                    }
                    if rows_continues.3 {
                        break;
                    }
                    if rows_ends.4 {
                        break;
                    }
                    if all_ends.5 {
                        break;
                    }
                }
                if rows_continues.3 {
                    continue;
                }
                if rows_ends.4 {
                    break;
                }
                y[i.0] *= 2.0f32;
            }
        }
    "#]]
    .assert_eq(&body);
}

#[test]
fn effects_in_expressions_keep_their_order() {
    let text = text(quote! {
        fn order(end: &mut [f32], mut p: f32) {
            let i = tid();
            let q = if p > 0.0 { let t = p * 2.0; t } else if p < -1.0 { return; } else { 3.0 };
            end[i] = if p > 1.0 && { p += 1.0; p > 2.0 } { p.max(0.0) } else { q } + { p *= 2.0; p };
        }
    });
    let body: String =
        text.lines().skip_while(|line| !line.contains("let i")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
            let i.1: usize = tid(0);
            let q.3: f32;
            if p.0 > 0.0f32 {
                let t.2: f32 = p.0 * 2.0f32;
                q.3 = t.2;
            } else if p.0 < -1.0f32 {
                return;
            } else {
                q.3 = 3.0f32;
            }
            let mut holds.4: bool = p.0 > 1.0f32;
            if holds.4 {
                p.0 += 1.0f32;
                holds.4 = p.0 > 2.0f32;
            }
            let before.5: f32 = if holds.4 { max(p.0, 0.0f32) } else { q.3 };
            p.0 *= 2.0f32;
            end[i.1] = before.5 + p.0;
        }
    "#]]
    .assert_eq(&body);
}

#[test]
fn only_items_of_a_circle_need_themselves() {
    let mistakes = super::compile_file(quote! {
        #[device]
        mod items {
            pub fn one(x: f32) -> f32 { other(x) }
            pub fn other(x: f32) -> f32 { one(x) }
            pub fn wrong(x: f32) -> f32 { x.y }
        }

        #[kernel]
        fn k(x: &mut [f32]) {
            let i = tid();
            x[i] = one(x[i]) + wrong(x[i]);
        }
    });
    let messages: Vec<String> =
        mistakes.expect_err("no item is right").into_iter().map(|found| found.message).collect();
    // What is wrong is reported where it is defined.
    assert_eq!(messages, ["`one` needs itself"]);
}
