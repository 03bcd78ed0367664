//! Kernels from `macro_rules!`, whose fragments arrive in invisible groups.

use expect_test::expect;
use kernel_ir::front::compile;
use kernel_ir::text;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// `tokens` as a macro fragment.
fn fragment(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, tokens)).into()
}

fn text_of(item: TokenStream) -> String {
    let family = fragment(quote!("test"));
    match compile(quote!(family = #family), item).kernel {
        Ok(kernel) => text::print(&kernel),
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

#[test]
fn types_and_constants_of_a_type() {
    let ty = fragment(quote!(f64));
    let vector = fragment(quote!(DVec3));
    let text = text_of(quote! {
        fn k(a: #ty, x: &[#ty], out: &mut [#vector]) {
            let i = tid();
            let b: #ty = x[i] as #ty + #ty::MAX + #ty::max(a, 1.0);
            out[i] = #vector::new(a, b, 0.0) + #vector::ONE;
        }
    });
    expect![[r##"
        #[kernel(family = "test", dim = 1)]
        fn k(
            a: f64,
            x: &[f64; dim(0)],
            out: &mut [vec3d; dim(0)],
        ) {
            let i.0: usize = tid(0);
            let b.1: f64 = x[i.0] + 1.7976931348623157e308f64 + max(a, 1.0f64);
            out[i.0] = vec(a, b.1, 0.0f64) + splat<vec3d>(1.0f64);
        }
    "##]]
    .assert_eq(&text);
}

#[test]
fn expressions_and_literals() {
    let sum = fragment(quote!(a + 1.0));
    let number = fragment(quote!(2.0));
    let array = fragment(quote!(out));
    let index = fragment(quote!(tid2()));
    let low = fragment(quote!(-1.0));
    let size = fragment(quote!(n));
    let text = text_of(quote! {
        fn k(#[domain(#low..#number)] a: f32, n: i32, #[shape(#size * 2)] out: &mut [f32]) {
            let (i, _) = #index;
            #array[i] = #sum * 2.0 - -#number;
            #array[0] += #number;
            for j in #size..#size + 1 {
                atomic_add(&mut #array[j as usize], #number);
            }
        }
    });
    expect![[r##"
        #[kernel(family = "test", dim = 2)]
        fn k(
            a: f32 in -1.0f64..2.0f64,
            n: i32,
            out: &mut [f32; n * 2],
        ) {
            let i.0: usize = tid(0);
            out[i.0] = (a + 1.0f32) * 2.0f32 - -2.0f32;
            out[0usize] += 2.0f32;
            for j.1: i32 in (n..n + 1i32) {
                atomic_add(out[j.1 as usize], 2.0f32);
            }
        }
    "##]]
    .assert_eq(&text);
}
