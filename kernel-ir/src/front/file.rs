//! Compiles a text with device functions, structs, constants and a kernel, as [`rust::write`](crate::back::rust::write) makes it.

use super::compile::kernel;
use super::device;
use super::links::{DeviceItem, Devices, Link, Source, link_name};
use super::module::{Contents, Part};
use super::named::named_in_kernel;
use super::passed::passed;
use super::syntax::{plain_name, take_attribute};
use super::tokens;
use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable};
use crate::verify::VerifiedKernel;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Compiles the first function under `#[kernel(…)]` in `tokens`, with the items under `#[device]`. The items
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
    let mut parts: Vec<Part> = Vec::new();
    let mut kernels: Vec<(TokenStream, syn::ItemFn)> = Vec::new();
    for item in file.items {
        let Some(mut item) = DeviceItem::of(item) else { continue };
        match (take_attribute(item.attrs_mut(), "device"), item) {
            (Some(_), DeviceItem::Module(module)) => parts.extend(Contents::of(&module).parts),
            (Some(attr), item) => parts.push(Part { attr, item }),
            (None, DeviceItem::Function(mut function)) => {
                let attr = take_attribute(&mut function.attrs, "kernel");
                kernels.extend(attr.map(|attr| (attr, *function)));
            }
            (None, _) => {}
        }
    }
    let Some((attr, mut function)) = kernels.into_iter().next() else {
        return failed("there is no function under `#[kernel]`".to_owned());
    };
    // The name alone is not unique: two operators of a struct may have one.
    let id = |place: usize| format!("{} {place}", parts[place].item.ident());
    let link = |path: syn::Path| {
        let path = link_name(&path);
        let name = path.strip_prefix("self::").unwrap_or(&path);
        let place = parts.iter().position(|part| part.name().as_deref() == Some(name))?;
        Some(Link { id: id(place), path })
    };
    let generic = |path: &str| Part::function(&parts, path);
    let source = |(place, part): (usize, &Part)| Source {
        id: id(place),
        attr: part.attr.clone(),
        item: part.item.to_token_stream(),
        links: part.named().into_iter().chain(part.passed(&generic)).filter_map(link).collect(),
    };
    let named = named_in_kernel(&function).into_iter().chain(passed(&function, &generic));
    let devices =
        Devices { sources: parts.iter().enumerate().map(source).collect(), links: named.filter_map(link).collect() };
    let devices = devices.flatten(&mut function, true, spans)?;
    let items = device::items(&devices, &plain_name(&function.sig.ident), spans);
    let known = items.known(&devices.links);
    kernel(attr, &mut function, &known, spans)
}
