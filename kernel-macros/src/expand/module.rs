//! The expansion of a device module: each item is expanded as if it stood under `#[device]` alone.
//!
//! A macro sees the whole module, so the items may refer to each other in any order. The macro of an item contains the
//! sources of what it needs, and the macro of a struct those of all of its methods.

use super::names::runtime;
use super::{body, device, errors};
use kernel_ir::front::{Contents, DeviceItem, Devices, Link, Part, Source, compile_method, link_name};
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
    let Contents { parts, blocks, .. } = Contents::of(of);
    let sources = sources(&parts, devices);
    let mut tokens = TokenStream::new();
    let all = Devices { sources: devices.sources.iter().chain(&sources).cloned().collect(), links: Vec::new() };
    for (part, source) in parts.iter().zip(&sources) {
        tokens.extend(expanded(part, &all.needed_by(source)));
    }
    let lints = body::lints();
    tokens.extend(blocks.iter().map(|block| quote!(#lints #block)));
    tokens
}

/// The expansion of an item. A method stays in its block, so it expands to its mistakes, and to uses of its derivatives.
fn expanded(part: &Part, devices: &Devices) -> TokenStream {
    let DeviceItem::Method(method) = &part.item else {
        return device::item(part.attr.clone(), part.item.to_token_stream(), devices);
    };
    let (compiled, spans) = compile_method(&part.attr, method, devices);
    let mistakes = compiled.err().map(|mistakes| errors::render(&mistakes, &spans));
    let derivatives = part.derivatives();
    quote!(#mistakes #(const _: () = { let _ = #derivatives; };)*)
}

/// The items as sources, with links to each other and to those outside.
fn sources(parts: &[Part], devices: &Devices) -> Vec<Source> {
    let id = |part: &Part| device::id(part.item.ident(), &part.item.to_token_stream());
    let ids: Vec<String> = parts.iter().map(id).collect();
    let link = |path: syn::Path| {
        let path = link_name(&path);
        let name = path.strip_prefix("self::").unwrap_or(&path);
        match parts.iter().position(|part| part.name().as_deref() == Some(name)) {
            Some(place) => Some(Link { id: ids[place].clone(), path }),
            None => devices.links.iter().find(|link| link.path == path).cloned(),
        }
    };
    let source = |(part, id): (&Part, &String)| Source {
        id: id.clone(),
        attr: part.attr.clone(),
        item: part.item.to_token_stream(),
        links: part.named().into_iter().filter_map(link).collect(),
    };
    parts.iter().zip(&ids).map(source).collect()
}
