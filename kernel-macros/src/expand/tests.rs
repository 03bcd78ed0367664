//! Whole expansions, run outside of rustc.

use super::*;
use quote::quote;

/// The expansion, formatted.
fn expand(attr: TokenStream, item: TokenStream) -> String {
    let tokens = kernel(attr, item).tokens;
    let file = syn::parse2(tokens).expect("an expansion is a list of items");
    prettyplease::unparse(&file)
}

#[test]
fn a_kernel() {
    let text = expand(
        quote!(family = "arithmetic"),
        quote! {
            /// y = a·x + y.
            pub fn saxpy(#[domain(-1.0..1.0)] mut a: f32, x: &[f32], y: &mut [f32]) {
                let i = kernel_rt::tid();
                a += 1.0;
                y[i] += a * x[i];
            }
        },
    );
    println!("{text}");
}
