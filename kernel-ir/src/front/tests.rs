//! The front end on small kernels.

use super::compile;
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
