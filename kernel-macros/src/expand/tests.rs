//! Whole expansions, run outside of rustc.

use super::*;
use expect_test::{expect, expect_file};
use quote::quote;
use std::path::Path;

/// Checks the expansion of `tests/data/<name>.rs`, formatted, its paths and its texts cut short, against
/// `<name>.expanded.rs`, which `UPDATE_EXPECT=1` rewrites.
fn check(name: &str) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let source = std::fs::read_to_string(data.join(format!("{name}.rs"))).expect("the case is there");
    let (attr, item) = source.strip_prefix("#[kernel(").and_then(|source| source.split_once(")]\n")).expect("a kernel");
    let (attr, item) = (attr.parse().expect("tokens"), item.parse().expect("tokens"));
    let tokens = kernel(attr, item).tokens;
    let file = syn::parse2(tokens).expect("an expansion is a list of items");
    let text = prettyplease::unparse(&file).replace("::kernel_rt::__private", "rt");
    let lines = text.lines().map(|line| match line.split_once(" const ") {
        Some((_, constant)) if constant.starts_with("NAME") || constant.starts_with(['_', '{']) => line.to_owned(),
        Some(_) => format!("{} = …;", line.split_once(" = ").map_or(line, |(declaration, _)| declaration)),
        None => line.to_owned(),
    });
    let text: Vec<String> = lines.filter(|line| !line.trim_start().starts_with("///")).collect();
    expect_file![data.join(format!("{name}.expanded.rs"))].assert_eq(&(text.join("\n") + "\n"));
}

#[test]
fn a_kernel_becomes_a_type_with_launch_functions_and_an_entry() {
    check("two_axes");
}

#[test]
fn an_adjoint_that_counts_winners_is_launched_twice() {
    check("winners");
}

#[test]
fn optional_arrays_are_options_in_signatures_only() {
    check("optional_arrays");
}

#[test]
fn a_kernel_asks_for_the_device_functions_that_it_names() {
    check("device_functions");
}

#[test]
fn a_device_function_becomes_itself_and_a_macro() {
    let tokens = device(
        quote!(),
        quote! {
            /// Twice.
            pub fn twice(x: f32) -> f32 {
                x + x
            }
        },
    );
    let text = tokens.tokens.to_string();
    let (before, after) = text.split_once("__weft_twice_").expect("the macro has a name of its own");
    expect![[r##"# [allow (unexpected_cfgs , reason = "rust-analyzer sets it")] const _ : () = { # [cfg (rust_analyzer)] :: kernel_rt :: __private :: author ! { pub fn twice (x : f32) -> f32 { x + x } } } ; # [allow (clippy :: manual_div_ceil , clippy :: manual_is_multiple_of , clippy :: manual_memcpy , clippy :: manual_range_contains , clippy :: manual_swap , clippy :: needless_range_loop , clippy :: too_many_arguments , reason = "the kernel language does not have what these lints ask for")] # [inline] # [doc = r" Twice."] pub fn twice (x : f32) -> f32 { x + x } # [doc (hidden)] # [allow (unused_macros , non_local_definitions , reason = "only kernels use it")] # [macro_export] macro_rules ! … { ($ ($ state : tt) *) => { :: kernel_rt :: __private :: resume ! { $ ($ state) * { { "__weft_twice_0ff959b3fac0df87" } { } { # [doc = r" Twice."] pub fn twice (x : f32) -> f32 { x + x } } { } } } } ; } # [doc (hidden)] # [allow (unused_imports , reason = "only kernels use it")] pub use __weft_twice_0ff959b3fac0df87 as twice ;"##]].assert_eq(&format!("{before}…{}", &after[16..]));
}

#[test]
fn a_bad_kernel_becomes_errors_and_a_stub() {
    check("errors_and_stub");
}

/// What comes first in an expansion, for rust-analyzer alone.
fn seen_by_rust_analyzer(expansion: &TokenStream) -> Option<TokenStream> {
    let file: syn::File = syn::parse2(expansion.clone()).expect("an expansion is a list of items");
    let Some(syn::Item::Const(first)) = file.items.first() else { return None };
    let syn::Expr::Block(block) = &*first.expr else { return None };
    let [syn::Stmt::Macro(call)] = &*block.block.stmts else { return None };
    assert_eq!(call.attrs, [syn::parse_quote!(#[cfg(rust_analyzer)])]);
    Some(call.mac.tokens.clone())
}

/// rust-analyzer compares the expansion of what one types with that of the same text with a name more.
#[test]
fn rust_analyzer_sees_the_function_whatever_its_mistakes() {
    let bodies = [
        quote!({
            y[tid()] = x[tid()].x;
        }),
        quote!({
            y[tid()] = x[tid()].intellijRulezz;
        }),
        quote!({ y[tid()] = x[tid()].; }),
        quote!({ let }),
        quote!({
            nope(x);
        }),
    ];
    for body in bodies {
        let author = quote!(pub fn half_written(#[domain(0.0..1.0)] a: f32, x: &[Vec3], y: &mut [f32]) #body);
        let expansion = kernel(quote!(), quote!(#[doc = "Half."] #[inline] #author)).tokens;
        assert_eq!(seen_by_rust_analyzer(&expansion).map(|seen| seen.to_string()), Some(author.to_string()));
        let author = quote!(fn half_written(x: Vec3, y: f32) -> f32 #body);
        let expansion = device(quote!(), author.clone()).tokens;
        assert_eq!(seen_by_rust_analyzer(&expansion).map(|seen| seen.to_string()), Some(author.to_string()));
    }
    let other = device(
        quote!(),
        quote!(
            struct Body {
                x: Vec3,
            }
        ),
    )
    .tokens;
    assert!(seen_by_rust_analyzer(&other).is_none());
    let method = kernel(
        quote!(),
        quote!(
            fn k(&self, x: &mut [f32]) {}
        ),
    )
    .tokens;
    assert!(seen_by_rust_analyzer(&method).is_none());
}

#[test]
fn what_is_not_a_function_stays() {
    check("not_a_function");
}

#[test]
fn no_input_makes_the_macro_panic() {
    let items = [
        quote!(),
        quote!(fn),
        quote!(
            fn f(&self) {}
        ),
        quote!(
            fn f(self: Box<Self>, _: f32, (a, b): C, x: impl Fn(), ...) -> ! {
                loop {}
            }
        ),
        quote!(
            async unsafe extern "C" fn f<'a, T, const N: usize>(x: &'a [T; N])
            where
                T: Copy,
            {
            }
        ),
        quote!(
            fn f(x: &mut [f32]) {
                let tid = tid;
                tid()();
                tid(tid());
                x[tid2().0] = {
                    struct S;
                    1.0
                };
            }
        ),
        quote!(
            fn f(x: &mut [f32]) {
                #![inner]
                m! { a b };
                'a: loop {
                    break 'a;
                }
            }
        ),
        quote!(
            fn f(r#type: &mut [f32]) {
                r#type[0] = 1.0;
            }
        ),
    ];
    for item in items {
        for attr in [quote!(), quote!(family), quote!(family = 3, = =)] {
            kernel(attr, item.clone());
        }
    }
}
