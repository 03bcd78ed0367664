//! The time that the compiler takes for the registered kernels: `cargo bench -p tests`. Items are kernels.
//!
//! Goals: the macro expands more than 333 kernels a second (3 ms each), and the writers emit the forward texts of more
//! than 20,000 kernels a second (50 µs each).

#[path = "../../kernel-macros/src/expand/mod.rs"]
#[allow(dead_code, missing_docs, unused_imports, reason = "the macro crate's own module, as the bench sees it")]
mod expand;

use divan::Bencher;
use divan::counter::ItemsCount;
use kernel_ir::back::{c, python};
use kernel_ir::{front, text};
use kernel_rt::registered_kernels;
use kernels as _;
use proc_macro2::TokenStream;
use quote::ToTokens;

fn main() {
    divan::main();
}

/// The tokens of every kernel: the attribute's arguments and the function.
fn sources() -> Vec<(TokenStream, TokenStream)> {
    let source = |text: &str| {
        let mut function: syn::ItemFn = syn::parse_str(text).expect("the registry holds what rustc took");
        let place = function.attrs.iter().position(|attr| attr.path().is_ident("kernel")).expect("it is annotated");
        let attr = match function.attrs.remove(place).meta {
            syn::Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        (attr, function.into_token_stream())
    };
    // A kernel with device functions is expanded in several steps, by the macros of these functions.
    let alone = |source: &&str| !source.contains("#[device");
    registered_kernels().iter().map(|info| info.rust_source).filter(alone).map(source).collect()
}

/// From tokens to verified IR.
#[divan::bench]
fn front_end(bencher: Bencher) {
    let sources = sources();
    bencher.counter(ItemsCount::new(sources.len())).bench_local(|| {
        for (attr, item) in &sources {
            divan::black_box(front::compile(attr.clone(), item.clone()));
        }
    });
}

/// The whole macro: from tokens to tokens.
#[divan::bench]
fn macro_expansion(bencher: Bencher) {
    let sources = sources();
    bencher.counter(ItemsCount::new(sources.len())).bench_local(|| {
        for (attr, item) in &sources {
            divan::black_box(expand::kernel(attr.clone(), item.clone()));
        }
    });
}

/// From verified IR to CUDA, C++, Python and IR text.
#[divan::bench]
fn rendering(bencher: Bencher) {
    let compile = |(attr, item)| front::compile(attr, item).kernel.expect("the registry holds what rustc took");
    let kernels: Vec<_> = sources().into_iter().map(compile).collect();
    bencher.counter(ItemsCount::new(kernels.len())).bench_local(|| {
        for kernel in &kernels {
            divan::black_box(text::print(kernel));
            divan::black_box(c::write_both(kernel));
            divan::black_box(python::write(kernel));
        }
    });
}
