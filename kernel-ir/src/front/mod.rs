//! From Rust syntax to IR.

use crate::check::CheckedKernel;
use crate::diag::Diagnostic;
use crate::ir::SpanTable;
use proc_macro2::TokenStream;

/// What the front end made of one annotated function.
#[derive(Debug)]
pub struct Compiled {
    /// The kernel, or every mistake found in it.
    pub kernel: Result<CheckedKernel, Vec<Diagnostic>>,
    /// The function itself, with the attributes of Weft taken off its parameters; `None` if it is not one.
    pub item: Option<syn::ItemFn>,
    /// What the spans of kernel and mistakes stand for.
    pub spans: SpanTable,
}

/// Compiles the function `item` under `#[kernel(attr)]`.
pub fn compile(attr: TokenStream, item: TokenStream) -> Compiled {
    let _ = attr;
    Compiled { kernel: Err(Vec::new()), item: syn::parse2(item).ok(), spans: SpanTable::default() }
}
