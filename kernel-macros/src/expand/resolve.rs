//! Resolution of device functions and structs: how an annotated item gets their source.
//!
//! A procedural macro sees one item only. `#[device] fn f` therefore also defines a macro `f!`, which `use` imports
//! together with the function. The macro contains the tokens of `f` and of all device functions and structs that it
//! names. In the same way, `#[device] struct S` defines a macro `S!`.
//!
//! When `#[kernel]` or `#[device]` meets a call `f(…)` that is not an operation of the language, or a type that is not
//! in the language, it expands to `f! { state }`. The state is its own function with all sources found so far. `f!` expands to
//! `resume! { state { tokens of f } }`, and the expansion continues with the next call. If no call is left, the
//! function itself is expanded. In this way, rustc resolves each path at the place where it is written.
//!
//! A kernel calls `f!` through an alias. The alias denotes `resume!` if `f` has no macro, so the expansion learns that
//! `f` is not a device function, and reports it. The alias needs nested scopes, so it is inside a block. A device
//! function must expand to module-level items, so it calls `f!` by its path.

use super::fragments;
use super::names::{ours, runtime, runtime_at};
use kernel_ir::front::{
    DeviceItem, Devices, Link, Source, is_constant_name, link_name, named_in_kernel, read_function,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// The attribute of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Kernel,
    Device,
}

/// The result of one step.
pub(super) enum Resumed {
    /// The source of the device item was found.
    Found(State),
    /// The kernel `item` names a function or type by `path` that is not a device item.
    NotADeviceItem { path: syn::Path, item: TokenStream },
    /// A constant is not a device constant. The compiler reports it where the kernel names it.
    NotADeviceConstant(State),
}

/// An annotated item, and the sources of the device functions and structs that it names.
pub(super) struct State {
    pub(super) kind: Kind,
    pub(super) attr: TokenStream,
    pub(super) item: TokenStream,
    pub(super) devices: Devices,
    /// The paths that are not resolved yet.
    missing: Vec<syn::Path>,
}

impl State {
    /// The initial state of an item.
    pub(super) fn new(kind: Kind, attr: TokenStream, item: TokenStream) -> State {
        let item = fragments::in_parentheses(item);
        let missing = match kind {
            Kind::Kernel => read_function(&item).map(|function| named_in_kernel(&function)),
            Kind::Device => DeviceItem::parse(item.clone())
                .or_else(|| read_function(&item).map(|function| DeviceItem::Function(Box::new(function))))
                .map(|item| item.named_items(&attr)),
        };
        State { kind, attr, item, devices: Devices::default(), missing: missing.unwrap_or_default() }
    }

    /// The call of the macro of the next unresolved device item; `None` if all are resolved.
    pub(super) fn next_call(&mut self) -> Option<TokenStream> {
        let path = self.missing.pop().or_else(|| self.passed())?;
        let kind = match self.kind {
            Kind::Kernel => quote!(kernel),
            Kind::Device => quote!(device),
        };
        let State { attr, item, devices, missing, .. } = self;
        let (sources, links) = (sources(devices), links(&devices.links));
        // A `cfg` that removes the item must remove the call too.
        let conditions = DeviceItem::parse(item.clone()).map(|item| item.attrs().to_vec()).unwrap_or_default();
        let conditions = conditions.iter().filter(|attr| attr.path().is_ident("cfg"));
        let state = quote!({ #kind } { #attr } { #item } { #(#missing),* } { #sources } { #links } { #path });
        let rt = runtime();
        // If the name does not exist, rustc reports it at the import.
        let import = quote_spanned!(name_span(&path)=> use #path as __weft_device_function;);
        Some(match self.kind {
            Kind::Kernel => quote! {
                #(#conditions)*
                #[allow(non_local_definitions, reason = "the type of the kernel stands outside")]
                const _: () = {
                    #[allow(unused_imports, reason = "for items that have no macro")]
                    use #rt::resume as __weft_device_function;
                    const _: () = {
                        #[allow(deprecated, unused_imports, reason = "rustc says so where the author names it")]
                        #import
                        // Behind both `use`s: a macro that is not expanded could define the names that they look for.
                        const _: () = { __weft_device_function! { #state } };
                    };
                };
            },
            Kind::Device => quote!(#(#conditions)* #path! { #state }),
        })
    }

    /// The next function that the item passes to another one. Which arguments are functions is known when the others are
    /// found.
    fn passed(&self) -> Option<syn::Path> {
        let function = read_function(&self.item)?;
        self.devices.passed_by(&function).into_iter().next()
    }

    /// Parses the arguments of `resume!`; `None` if they do not have the form of a state.
    pub(super) fn resume(tokens: TokenStream) -> Option<Resumed> {
        let mut groups: Vec<TokenStream> = tokens.into_iter().map(braced).collect::<Option<_>>()?;
        // The macro of a device function appends an eighth group, its source. Without it, the alias denoted `resume!`
        // itself.
        let added = if groups.len() == 8 { groups.pop() } else { None };
        let [kind, attr, item, missing, sources, links, path] = <[TokenStream; 7]>::try_from(groups).ok()?;
        let path = syn::parse2::<syn::Path>(path).ok()?;
        let parser = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let missing = syn::parse::Parser::parse2(parser, missing).ok()?.into_iter().collect();
        let mut devices = Devices { sources: read_sources(sources)?, links: read_links(links)? };
        let kind = if kind.to_string() == "kernel" { Kind::Kernel } else { Kind::Device };
        let Some(added) = added else {
            let is_constant = path.segments.last().is_some_and(|last| is_constant_name(&last.ident.to_string()));
            return Some(match is_constant {
                true => Resumed::NotADeviceConstant(State { kind, attr, item, devices, missing }),
                false => Resumed::NotADeviceItem { path, item },
            });
        };
        let added = read_sources(added)?;
        devices.links.push(Link { path: link_name(&path), id: added.last()?.id.clone() });
        for source in added {
            if devices.sources.iter().all(|known| known.id != source.id) {
                devices.sources.push(source);
            }
        }
        Some(Resumed::Found(State { kind, attr, item, devices, missing }))
    }
}

/// An error at `path`, which names a function or type that is not a device item. If it does not exist, the failed import
/// is the only error.
pub(super) fn refusal(path: &syn::Path) -> TokenStream {
    let at = name_span(path);
    let rt = runtime_at(at);
    let is_type = path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase));
    match is_type {
        true => quote_spanned!(at=> const _: () = #rt::expect_device_struct::<__weft_device_function>();),
        false => quote_spanned!(at=> const _: () = #rt::expect_device_function(&__weft_device_function);),
    }
}

/// The span of the item's name.
fn name_span(path: &syn::Path) -> Span {
    path.segments.last().map_or_else(ours, |segment| segment.ident.span())
}

/// The macro of a device item with the unique name `id`. It contains its tokens and those of `devices`.
pub(super) fn definition(
    name: &Ident,
    id: &str,
    attr: &TokenStream,
    item: &TokenStream,
    devices: &Devices,
) -> TokenStream {
    let rt = runtime();
    let (sources, links) = (sources(devices), links(&devices.links));
    quote_spanned! {ours()=>
        macro_rules! #name {
            ($($state:tt)*) => {
                #rt::resume! { $($state)* { #sources { #id } { #attr } { #item } { #links } } }
            };
        }
    }
}

fn sources(devices: &Devices) -> TokenStream {
    let source = |Source { id, attr, item, links }: &Source| {
        let links = self::links(links);
        quote!({ #id } { #attr } { #item } { #links })
    };
    devices.sources.iter().map(source).collect()
}

fn links(links: &[Link]) -> TokenStream {
    links.iter().map(|Link { path, id }| quote!({ #path #id })).collect()
}

fn read_sources(tokens: TokenStream) -> Option<Vec<Source>> {
    let groups: Vec<TokenStream> = tokens.into_iter().map(braced).collect::<Option<_>>()?;
    let source = |parts: &[TokenStream]| {
        let [id, attr, item, links] = parts else { return None };
        let id = syn::parse2::<syn::LitStr>(id.clone()).ok()?.value();
        Some(Source { id, attr: attr.clone(), item: item.clone(), links: read_links(links.clone())? })
    };
    groups.chunks(4).map(source).collect()
}

fn read_links(tokens: TokenStream) -> Option<Vec<Link>> {
    let link = |token: TokenTree| {
        let mut parts = braced(token)?.into_iter().map(|part| syn::parse2::<syn::LitStr>(part.into_token_stream()));
        let (path, id) = (parts.next()?.ok()?, parts.next()?.ok()?);
        Some(Link { path: path.value(), id: id.value() })
    };
    tokens.into_iter().map(link).collect()
}

/// The contents of a group in braces.
fn braced(token: TokenTree) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(Group::stream(&group)),
        _ => None,
    }
}
