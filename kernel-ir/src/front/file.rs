//! Compiles a text with device functions and a kernel, as [`rust::write`](crate::back::rust::write) makes it.

use super::compile::kernel;
use super::device::Functions;
use super::device::named_functions;
use super::links::{Devices, Link, Source, link_name};
use super::syntax::plain_name;
use super::tokens;
use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable};
use crate::verify::VerifiedKernel;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Compiles the first function under `#[kernel(…)]` in `tokens`, with the functions under `#[device]` before it. The
/// functions refer to each other by plain names, optionally with the prefix `self::`. All other items are ignored.
///
/// # Errors
/// The mistakes, without source positions.
pub fn compile_file(tokens: TokenStream) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    let failed = |message: String| Err(vec![Diagnostic::new(Span::NONE, message)]);
    let spans = &mut SpanTable::forgetful();
    if let Err(mistake) = tokens::check_nesting(&tokens, spans) {
        return Err(vec![mistake]);
    }
    let file: syn::File = match syn::parse2(tokens) {
        Ok(file) => file,
        Err(error) => return failed(format!("this is not valid Rust: {error}")),
    };
    let mut devices = Devices::default();
    for item in file.items {
        let syn::Item::Fn(mut function) = item else { continue };
        if let Some(attr) = take_attribute(&mut function, "device") {
            let links = links(&attr, &function, &devices);
            let id = function.sig.ident.to_string();
            devices.sources.push(Source { id, attr, item: function.into_token_stream(), links });
        } else if let Some(attr) = take_attribute(&mut function, "kernel") {
            let functions = Functions::compile(&devices, &plain_name(&function.sig.ident), spans);
            let callees = functions.callees(&links(&attr, &function, &devices));
            return kernel(attr, &mut function, &callees, spans);
        }
    }
    failed("there is no function under `#[kernel]`".to_owned())
}

/// The functions among `devices` that `function` refers to.
fn links(attr: &TokenStream, function: &syn::ItemFn, devices: &Devices) -> Vec<Link> {
    let paths = named_functions(attr, function).into_iter().map(|path| link_name(&path));
    let known = |path: String| {
        let id = path.strip_prefix("self::").unwrap_or(&path).to_owned();
        devices.sources.iter().any(|source| source.id == id).then_some(Link { id, path })
    };
    paths.filter_map(known).collect()
}

/// Removes the attribute from the function and returns its arguments.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn take_attribute(function: &mut syn::ItemFn, name: &str) -> Option<TokenStream> {
    let place = function.attrs.iter().position(|attr| attr.path().is_ident(name))?;
    match function.attrs.remove(place).meta {
        syn::Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}
