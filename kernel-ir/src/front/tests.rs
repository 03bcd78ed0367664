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
