//! The stub of a kernel with errors, which keeps code that uses the kernel free of follow-up errors.

use super::attributes::Attributes;
use super::emit::{associated, constants};
use super::names::{ours, runtime};
use super::texts::{PassTexts, Texts};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};

/// The associated items of the kernel, with no implementation. The author's body is omitted, so that one mistake gives
/// one message. The functions evaluate a constant that fails. A program that calls them is therefore never built, even if
/// no other error was reported, as for a malformed body, which rustc reports.
pub(super) fn kernel(function: &syn::ItemFn) -> TokenStream {
    if function.sig.receiver().is_some() {
        // A method: no stub can replace it.
        return TokenStream::new();
    }
    let rt = runtime();
    let attributes = Attributes::of(&function.attrs);
    let (vis, name) = (&function.vis, &function.sig.ident);
    let (generics, _, clause) = function.sig.generics.split_for_impl();
    let mut with_launcher = function.sig.generics.clone();
    with_launcher.params.push(syn::parse_quote_spanned!(ours()=> On: #rt::Launcher));
    let (launch_generics, ..) = with_launcher.split_for_impl();
    let texts = Texts { forward: PassTexts::empty(), backward: Some(PassTexts::empty()), ..Texts::default() };
    let constants = constants(vis, &name.to_string(), "", &texts);
    let host_types: Vec<&syn::Type> = function.sig.inputs.iter().filter_map(param_type).collect();
    let device_types = host_types.iter().map(|ty| device_type(ty));
    let items = quote_spanned! {ours()=>
        #constants
        /// The kernel has mistakes.
        #vis fn launch #launch_generics (
            _: &On,
            _: impl #rt::Sized,
            _: (#(#device_types,)*),
        ) -> #rt::Result<On::Launched, #rt::LaunchError> #clause {
            const { #rt::unreachable!() }
        }
        /// The kernel has mistakes.
        #vis fn cpu #generics (
            _: impl #rt::Sized,
            #(_: #host_types),*
        ) -> #rt::Result<(), #rt::LaunchError> #clause {
            const { #rt::unreachable!() }
        }
    };
    associated(name, &attributes, items)
}

/// The item itself, if it is valid Rust: the attribute was only put on the wrong kind of item.
pub(super) fn other_item(item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(item) {
        Ok(syn::Item::Verbatim(_)) | Err(_) => TokenStream::new(),
        Ok(item) => item.into_token_stream(),
    }
}

pub(super) fn param_type(input: &syn::FnArg) -> Option<&syn::Type> {
    match input {
        syn::FnArg::Typed(typed) => Some(&typed.ty),
        syn::FnArg::Receiver(_) => None,
    }
}

/// The type of a parameter of `launch`: a `DeviceArray` for a parameter that looks like an array; any other type stays.
pub(super) fn device_type(ty: &syn::Type) -> TokenStream {
    let rt = runtime();
    if let Some(inner) = optional(ty) {
        let inner = device_type(inner);
        return quote_spanned!(ours()=> #rt::Option<#inner>);
    }
    match array_of(ty) {
        Some((elem, rank)) => quote_spanned!(ours()=> &#rt::DeviceArray<#elem, #rank>),
        None => ty.to_token_stream(),
    }
}

/// The type `T` in `Option<T>`.
fn optional(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

/// The element type and the number of axes of `&[T]`, `&Array2<T>` and the like.
fn array_of(ty: &syn::Type) -> Option<(&syn::Type, usize)> {
    let syn::Type::Reference(reference) = ty else { return None };
    match &*reference.elem {
        syn::Type::Slice(slice) => Some((&slice.elem, 1)),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            let rank = (2..=4).find(|rank| last.ident == format!("Array{rank}"))?;
            let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
            match args.args.first() {
                Some(syn::GenericArgument::Type(elem)) => Some((elem, rank)),
                _ => None,
            }
        }
        _ => None,
    }
}
