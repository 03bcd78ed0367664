//! Compiles a text with device functions, structs, constants and a kernel, as [`rust::write`](crate::back::rust::write) makes it.

use super::compile::kernel;
use super::device::{Items, named_in_kernel};
use super::links::{DeviceItem, Devices, Link, Source, link_name};
use super::syntax::plain_name;
use super::tokens;
use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable};
use crate::verify::VerifiedKernel;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Compiles the first function under `#[kernel(…)]` in `tokens`, with the items under `#[device]` before it. The items
/// refer to each other by plain names, optionally with the prefix `self::`. All other items are ignored.
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
        let Some(mut item) = DeviceItem::of(item) else { continue };
        if let Some(attr) = take_attribute(item.attrs_mut(), "device") {
            let links = links(item.named_items(&attr), &devices);
            devices.sources.push(Source { id: item.ident().to_string(), attr, item: item.into_token_stream(), links });
        } else if let DeviceItem::Function(mut function) = item
            && let Some(attr) = take_attribute(&mut function.attrs, "kernel")
        {
            let items = Items::compile(&devices, &plain_name(&function.sig.ident), spans);
            let known = items.known(&links(named_in_kernel(&function), &devices));
            return kernel(attr, &mut function, &known, spans);
        }
    }
    failed("there is no function under `#[kernel]`".to_owned())
}

/// The links of these paths to items among `devices`.
fn links(paths: Vec<syn::Path>, devices: &Devices) -> Vec<Link> {
    let paths = paths.into_iter().map(|path| link_name(&path));
    let known = |path: String| {
        let id = path.strip_prefix("self::").unwrap_or(&path).to_owned();
        devices.sources.iter().any(|source| source.id == id).then_some(Link { id, path })
    };
    paths.filter_map(known).collect()
}

/// Removes the attribute from the list and returns its arguments.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn take_attribute(attrs: &mut Vec<syn::Attribute>, name: &str) -> Option<TokenStream> {
    let place = attrs.iter().position(|attr| attr.path().is_ident(name))?;
    match attrs.remove(place).meta {
        syn::Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}
