//! From Rust syntax to IR.
//!
//! `tokens` (what must be judged before parsing) → `signature` (attributes and parameters) → `resolve` (names to ids, sugar removed, constraints on types
//! collected) → `infer` (types found) → `lower` (effects made statements) → [`check`](crate::check). Every stage
//! reports all that it finds; the next one runs only if nothing was found.

mod attributes;
mod consts;
mod hir;
mod infer;
mod lower;
mod params;
mod resolve;
mod signature;
mod syntax;
mod tokens;
mod types;

#[cfg(test)]
mod tests;

use crate::check::{CheckedKernel, check};
use crate::diag::Diagnostic;
use crate::ir::{Kernel, Span, SpanTable};
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
    let mut spans = SpanTable::default();
    if let Err(diagnostic) = tokens::check_nesting(&item, &mut spans) {
        return Compiled { kernel: Err(vec![diagnostic]), item: None, spans };
    }
    if let Err(diagnostic) = tokens::check_nesting(&attr, &mut spans) {
        return Compiled { kernel: Err(vec![diagnostic]), item: syn::parse2(item).ok(), spans };
    }
    match syn::parse2::<syn::ItemFn>(item) {
        Ok(mut item) => {
            let kernel = compile_fn(attr, &mut item, &mut spans);
            Compiled { kernel, item: Some(item), spans }
        }
        Err(error) => {
            let span = spans.insert(error.span());
            let diagnostic = Diagnostic::new(span, "`#[kernel]` does not understand this")
                .note(format!("a kernel is a plain function; its parser says: {error}"))
                .help("write `#[kernel]` before `fn name(…) { … }`");
            Compiled { kernel: Err(vec![diagnostic]), item: None, spans }
        }
    }
}

fn compile_fn(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    spans: &mut SpanTable,
) -> Result<CheckedKernel, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    tokens::check_attributes(item, spans, &mut diagnostics);
    let signature = signature::read(attr, item, spans, &mut diagnostics);
    let mut body = resolve::resolve(&signature, &item.block, spans, &mut diagnostics);
    let params = params::build(&signature, body.dim, spans, &mut diagnostics);
    diagnostics.extend(body.infer.solve());
    if !diagnostics.is_empty() {
        return Err(in_source_order(diagnostics, spans));
    }
    let (block, locals) = lower::lower(&body).map_err(|found| in_source_order(found, spans))?;
    let signature::Signature { name, family, no_grad, doc, .. } = signature;
    let kernel = Kernel { name, family, doc, dim: body.dim, no_grad, params, locals, body: block };
    check(kernel).map_err(|found| in_source_order(found, spans))
}

/// Sorts by position, so that the first mistake in the file is the first reported.
fn in_source_order(mut diagnostics: Vec<Diagnostic>, spans: &SpanTable) -> Vec<Diagnostic> {
    let position = |span: Span| {
        let start = spans.get(span).start();
        (start.line, start.column)
    };
    diagnostics.sort_by_key(|diagnostic| position(diagnostic.span));
    diagnostics
}
