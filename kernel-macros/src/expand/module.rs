//! The expansion of a device module: each item is expanded as if it stood under `#[device]` alone.
//!
//! A macro sees the whole module, so the items may refer to each other in any order. The macro of an item contains the
//! sources of what it needs, and the macro of a struct those of all of its methods.

use super::device::{id, item};
use super::names::runtime;
use super::{body, errors};
use kernel_ir::front::{Contents, DeviceItem, Devices, Link, Method, Part, Source, compile_method, link_name};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

/// The module with `inside` in the place of its device items.
pub(super) fn around(of: &syn::ItemMod, inside: &TokenStream) -> TokenStream {
    let syn::ItemMod { attrs, vis, ident, .. } = of;
    let others = Contents::of(of).others;
    quote! {
        #(#attrs)*
        #vis mod #ident {
            #(#others)*
            #inside
        }
    }
}

/// The device items of the module. `devices` are the items outside of it that they name.
pub(super) fn contents(of: &syn::ItemMod, devices: &Devices) -> TokenStream {
    let rt = runtime();
    if of.content.is_none() {
        let message = "a device module stands in this file: `#[device] mod name { … }`";
        return quote_spanned!(of.ident.span()=> #rt::compile_error!(#message););
    }
    let Contents { parts, mut blocks, .. } = Contents::of(of);
    let sources = sources(&parts, devices);
    let mut tokens = TokenStream::new();
    let all = Devices { sources: devices.sources.iter().chain(&sources).cloned().collect(), links: Vec::new() };
    for (part, source) in parts.iter().zip(&sources) {
        let devices = all.needed_by(source);
        let DeviceItem::Method(method) = &part.item else {
            tokens.extend(item(part.attr.clone(), part.item.to_token_stream(), &devices));
            continue;
        };
        // A method stays in its block, so it expands to its mistakes, and to uses of its derivatives.
        let (compiled, spans) = compile_method(&part.attr, method, &devices);
        if let Err(mistakes) = compiled {
            tokens.extend(errors::render(&mistakes, &spans));
            functions_of(method, &mut blocks).for_each(without_body);
        }
        functions_of(method, &mut blocks).for_each(|function| body::without_messages(&part.attr, &mut function.block));
        let derivatives = part.derivatives();
        tokens.extend(quote!(#(const _: () = { let _ = #derivatives; };)*));
    }
    let lints = body::lints();
    tokens.extend(blocks.iter().map(|block| quote!(#lints #block)));
    tokens
}

/// The function of a method, in the block that it stands in.
fn functions_of<'a>(
    method: &'a Method,
    blocks: &'a mut [syn::ItemImpl],
) -> impl Iterator<Item = &'a mut syn::ImplItemFn> {
    let names: Vec<&syn::Ident> = method.item.items.iter().filter_map(function_name).collect();
    let own = |block: &&mut syn::ItemImpl| block.self_ty == method.item.self_ty && block.trait_ == method.item.trait_;
    let functions =
        blocks.iter_mut().filter(own).flat_map(|block| &mut block.items).filter_map(|member| match member {
            syn::ImplItem::Fn(function) => Some(function),
            _ => None,
        });
    functions.filter(move |function| names.contains(&&function.sig.ident))
}

/// Replaces the body of a method with mistakes, about which rustc would complain, too.
fn without_body(function: &mut syn::ImplItemFn) {
    let rt = runtime();
    function.attrs.push(syn::parse_quote!(#[allow(unused_variables, reason = "the method has mistakes")]));
    function.block = syn::parse_quote!({ #rt::unreachable!() });
}

fn function_name(member: &syn::ImplItem) -> Option<&syn::Ident> {
    match member {
        syn::ImplItem::Fn(function) => Some(&function.sig.ident),
        _ => None,
    }
}

/// The items as sources, with links to each other and to those outside.
fn sources(parts: &[Part], devices: &Devices) -> Vec<Source> {
    let ids: Vec<String> = parts.iter().map(|part| id(part.item.ident(), &part.item.to_token_stream())).collect();
    let link = |path: syn::Path| {
        let path = link_name(&path);
        let name = path.strip_prefix("self::").unwrap_or(&path);
        match parts.iter().position(|part| part.name().as_deref() == Some(name)) {
            Some(place) => Some(Link { id: ids[place].clone(), path }),
            None => devices.links.iter().find(|link| link.path == path).cloned(),
        }
    };
    let generic = |path: &str| Part::function(parts, path);
    let source = |(part, id): (&Part, &String)| Source {
        id: id.clone(),
        attr: part.attr.clone(),
        item: part.item.to_token_stream(),
        links: part.named().into_iter().chain(part.passed(&generic)).filter_map(link).collect(),
    };
    parts.iter().zip(&ids).map(source).collect()
}
