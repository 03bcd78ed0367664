//! The way from the tokens of an annotated function to IR.

use super::device::{self, Functions};
use super::links::{Callees, Devices};
use super::syntax::{in_source_order, plain_name};
use super::{lower, params, resolve, signature, tokens};
use crate::diag::Diagnostic;
use crate::ir::{Function, Kernel, SpanTable};
use crate::verify::{VerifiedKernel, verify};
use proc_macro2::TokenStream;

/// What the front end made of a function under `#[kernel]`.
#[derive(Debug)]
pub struct Compiled {
    /// The kernel, or every mistake found in it.
    pub kernel: Result<VerifiedKernel, Vec<Diagnostic>>,
    /// The function itself, with the attributes of Weft taken off its parameters; `None` if it is not one.
    pub item: Option<syn::ItemFn>,
    /// What the spans of kernel and mistakes stand for.
    pub spans: SpanTable,
}

/// What the front end made of a function under `#[device]`.
#[derive(Debug)]
pub struct CompiledDevice {
    /// The function, or every mistake found in it.
    pub function: Result<Function, Vec<Diagnostic>>,
    /// The function as Rust has it; `None` if it is not one.
    pub item: Option<syn::ItemFn>,
    /// What the spans of function and mistakes stand for.
    pub spans: SpanTable,
}

/// Compiles the function `item` under `#[kernel(attr)]`, which calls no device functions.
pub fn compile(attr: TokenStream, item: TokenStream) -> Compiled {
    compile_with(attr, item, &Devices::default())
}

/// Compiles the function `item` under `#[kernel(attr)]`. The list of mistakes is empty if all of them are in `devices`:
/// they are reported where those are defined.
pub fn compile_with(attr: TokenStream, item: TokenStream, devices: &Devices) -> Compiled {
    let (kernel, item, spans) = annotated("#[kernel]", "a kernel", attr, item, |attr, item, spans| {
        let functions = Functions::compile(devices, &plain_name(&item.sig.ident), spans);
        kernel(attr, item, &functions.callees(&devices.links), spans)
    });
    Compiled { kernel, item, spans }
}

/// Compiles the function `item` under `#[device(attr)]`. The list of mistakes is empty if all of them are in `devices`.
pub fn compile_device(attr: TokenStream, item: TokenStream, devices: &Devices) -> CompiledDevice {
    let (function, item, spans) = annotated("#[device]", "a device function", attr, item, |attr, item, spans| {
        let functions = Functions::compile(devices, &plain_name(&item.sig.ident), spans);
        device::function(attr, item, &functions.callees(&devices.links), spans)
    });
    CompiledDevice { function, item, spans }
}

/// Compiles what stands under `attribute`, which makes `noun` of it.
fn annotated<T>(
    attribute: &str,
    noun: &str,
    attr: TokenStream,
    item: TokenStream,
    compile: impl FnOnce(TokenStream, &mut syn::ItemFn, &mut SpanTable) -> Result<T, Vec<Diagnostic>>,
) -> (Result<T, Vec<Diagnostic>>, Option<syn::ItemFn>, SpanTable) {
    let mut spans = SpanTable::default();
    if let Err(diagnostic) = tokens::check_nesting(&item, &mut spans) {
        return (Err(vec![diagnostic]), None, spans);
    }
    if let Err(diagnostic) = tokens::check_nesting(&attr, &mut spans) {
        return (Err(vec![diagnostic]), syn::parse2(item).ok(), spans);
    }
    match syn::parse2::<syn::ItemFn>(item) {
        Ok(mut item) => {
            let made = compile(attr, &mut item, &mut spans);
            (made, Some(item), spans)
        }
        Err(error) => {
            let span = spans.insert(error.span());
            let diagnostic = Diagnostic::new(span, format!("`{attribute}` does not understand this"))
                .note(format!("{noun} is a plain function; its parser says: {error}"))
                .help(format!("write `{attribute}` before `fn name(…) {{ … }}`"));
            (Err(vec![diagnostic]), None, spans)
        }
    }
}

pub(super) fn kernel(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    callees: &Callees,
    spans: &mut SpanTable,
) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    tokens::check_attributes(item, spans, &mut diagnostics);
    let signature = signature::read(attr, item, spans, &mut diagnostics);
    let mut body = resolve::resolve(&signature, callees, &item.block, spans, &mut diagnostics);
    let params = params::build(&signature, body.dim, spans, &mut diagnostics);
    diagnostics.extend(body.infer.solve());
    if !diagnostics.is_empty() || callees.values().any(Option::is_none) {
        return Err(in_source_order(diagnostics, spans));
    }
    let (block, locals) = lower::lower(&body).map_err(|found| in_source_order(found, spans))?;
    let signature::Signature { name, family, no_grad, slots, doc, .. } = signature;
    let kernel = Kernel { name, family, doc, dim: body.dim, no_grad, slots, params, locals, body: block };
    verify(kernel).map_err(|found| in_source_order(found, spans))
}
