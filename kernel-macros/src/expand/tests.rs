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
    expect![[r##"# [allow (clippy :: manual_is_multiple_of , clippy :: manual_memcpy , clippy :: manual_range_contains , clippy :: manual_swap , clippy :: needless_range_loop , clippy :: too_many_arguments , reason = "the kernel language does not have what these lints ask for")] # [inline] # [doc = r" Twice."] pub fn twice (x : f32) -> f32 { x + x } # [doc (hidden)] # [allow (unused_macros , non_local_definitions , reason = "only kernels use it")] # [macro_export] macro_rules ! … { ($ ($ state : tt) *) => { :: kernel_rt :: __private :: resume ! { $ ($ state) * { { "__weft_twice_0ff959b3fac0df87" } { } { # [doc = r" Twice."] pub fn twice (x : f32) -> f32 { x + x } } { } } } } ; } # [doc (hidden)] # [allow (unused_imports , reason = "only kernels use it")] pub use __weft_twice_0ff959b3fac0df87 as twice ;"##]].assert_eq(&format!("{before}…{}", &after[16..]));
}

#[test]
fn a_bad_kernel_becomes_errors_and_a_stub() {
    check("errors_and_stub");
}

/// What rust-analyzer puts where one types stays in the body that it sees, with the author's parameters and spans.
#[test]
fn rust_analyzer_sees_the_body_of_a_kernel_with_mistakes() {
    let body = quote!({
        let i = tid();
        let v = x[i];
        y[i] = v.intellijRulezz;
    });
    let expansion =
        kernel(quote!(), quote!(fn half_written(#[domain(0.0..1.0)] a: f32, x: &[Vec3], y: &mut [f32]) #body));
    let file: syn::File = syn::parse2(expansion.tokens).expect("an expansion is a list of items");
    let stub = associated(&file, "cpu");
    let [syn::Stmt::Item(syn::Item::Fn(author)), _] = &*stub.block.stmts else { panic!("the body, then a panic") };
    assert_eq!(author.attrs, [syn::parse_quote!(#[cfg(rust_analyzer)])]);
    assert_eq!(author.sig, syn::parse_quote!(fn half_written(a: f32, x: &[Vec3], y: &mut [f32])));
    assert_eq!(*author.block, syn::parse_quote!(#body));
}

#[test]
fn rust_analyzer_sees_the_body_of_a_device_function_with_mistakes() {
    let tokens = device(
        quote!(),
        quote!(
            fn half_written(v: Vec3) -> f32 {
                v.intellijRulezz
            }
        ),
    )
    .tokens;
    let file: syn::File = syn::parse2(tokens).expect("an expansion is a list of items");
    let stub = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) => Some(&function.block),
        _ => None,
    });
    let expected: syn::Block = syn::parse_quote!({
        #[cfg(rust_analyzer)]
        return { v.intellijRulezz };
        ::kernel_rt::__private::unreachable!()
    });
    assert_eq!(stub.map(|block| &**block), Some(&expected));
}

/// The associated function of that name.
fn associated<'a>(file: &'a syn::File, name: &str) -> &'a syn::ImplItemFn {
    let items = file.items.iter().filter_map(|item| match item {
        syn::Item::Impl(item) => Some(&item.items),
        _ => None,
    });
    let mut functions = items.flatten().filter_map(|item| match item {
        syn::ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    });
    functions.next().expect("there is one")
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
