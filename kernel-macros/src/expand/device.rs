//! The expansion of a device function, struct, enum, constant or alias: the item itself, and the macro that gives kernels
//! its source.

use super::attributes::Attributes;
use super::names::{ours, runtime};
use super::{body, errors, names, resolve, structure, stub};
use kernel_ir::front::{
    CompiledDevice, DeviceItem, Devices, as_function, check_array_struct, compile_alias, compile_device, compile_enum,
    compile_struct, derivatives, is_array_struct, sample_arguments, without_attributes,
};
use kernel_ir::ir::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use quote::{quote, quote_spanned};

/// Expands `#[device(attr)] item`. `devices` are the device functions and structs that it names.
pub(super) fn item(attr: TokenStream, item: TokenStream, devices: &Devices) -> TokenStream {
    match DeviceItem::parse(item.clone()) {
        Some(DeviceItem::Struct(of)) => structure(attr, &of, item, devices),
        Some(DeviceItem::Enum(of)) => enumeration(attr, &of, item, devices),
        Some(DeviceItem::Const(of)) => constant(attr, &of, item, devices),
        Some(DeviceItem::Alias(of)) => alias(attr, &of, item, devices),
        Some(DeviceItem::Method(_) | DeviceItem::Module(_) | DeviceItem::Function(_)) | None => {
            function(attr, item, devices)
        }
    }
}

/// Expands a struct. It gets the layout of C, because kernels on devices read it in memory.
fn structure(attr: TokenStream, of: &syn::ItemStruct, item: TokenStream, devices: &Devices) -> TokenStream {
    if is_array_struct(of) {
        return array_structure(attr, of, item, devices);
    }
    let (read, spans) = compile_struct(attr.clone(), of, devices);
    let mut tokens = read.as_ref().map_or_else(|mistakes| errors::render(mistakes, &spans), |_| TokenStream::new());
    let attributes = Attributes::of(&of.attrs);
    let (name, on_items, at) = (&of.ident, &attributes.on_items, of.ident.span());
    let rt = names::runtime_at(at);
    let layout =
        (!of.attrs.iter().any(|attr| attr.path().is_ident("repr"))).then(|| quote_spanned!(ours()=> #[repr(C)]));
    tokens.extend(quote!(#layout #of));
    if let Ok(id) = read {
        tokens.extend(quote_spanned!(at=> #(#on_items)* const _: () = #rt::expect_copy::<#name>();));
        // Without `Copy`, rustc would also complain about each trait.
        let traits = is_copy(&of.attrs).then(|| structure::traits(of, Type::of_struct(id)));
        tokens.extend(quote_spanned!(ours()=> #(#on_items)* const _: () = { #traits };));
    }
    tokens.extend(macro_of(&of.vis, name, &of.attrs, &attr, &item, devices));
    tokens
}

/// Expands an enum. Its numbers get a type of the same size on every target.
fn enumeration(attr: TokenStream, of: &syn::ItemEnum, item: TokenStream, devices: &Devices) -> TokenStream {
    let (read, spans) = compile_enum(attr.clone(), of);
    let attributes = Attributes::of(&of.attrs);
    let (name, on_items, at) = (&of.ident, &attributes.on_items, of.ident.span());
    let rt = names::runtime_at(at);
    let has_repr = of.attrs.iter().any(|attr| attr.path().is_ident("repr"));
    let mut tokens = match read {
        Err(mistakes) => {
            let mut tokens = errors::render(&mistakes, &spans);
            tokens.extend(quote!(#of));
            tokens
        }
        Ok(id) => {
            let layout = (!has_repr).then(|| quote_spanned!(ours()=> #[repr(i32)]));
            let traits = is_copy(&of.attrs).then(|| structure::enum_traits(of, Type::of_struct(id)));
            let copy = quote_spanned!(at=> #(#on_items)* const _: () = #rt::expect_copy::<#name>(););
            let traits = quote_spanned!(ours()=> #(#on_items)* const _: () = { #traits };);
            quote!(#layout #of #copy #traits)
        }
    };
    tokens.extend(macro_of(&of.vis, name, &of.attrs, &attr, &item, devices));
    tokens
}

/// Expands a struct that holds arrays, which stands for its fields.
fn array_structure(attr: TokenStream, of: &syn::ItemStruct, item: TokenStream, devices: &Devices) -> TokenStream {
    let (mistakes, spans) = check_array_struct(of, devices);
    let mut tokens = errors::render(&mistakes, &spans);
    let plain = without_attributes(of);
    tokens.extend(quote_spanned! {ours()=>
        #[allow(dead_code, reason = "kernels take its fields")]
        #plain
    });
    tokens.extend(macro_of(&of.vis, &of.ident, &of.attrs, &attr, &item, devices));
    tokens
}

/// Whether the type with these attributes derives `Copy`.
fn is_copy(attrs: &[syn::Attribute]) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        // A derive that cannot be read is an error of its own.
        let _ = attr.parse_nested_meta(|derived| {
            found |= derived.path.segments.last().is_some_and(|last| last.ident == "Copy");
            Ok(())
        });
    }
    found
}

/// Expands a constant.
fn constant(attr: TokenStream, of: &syn::ItemConst, item: TokenStream, devices: &Devices) -> TokenStream {
    let CompiledDevice { function: compiled, spans, .. } =
        compile_device(attr.clone(), as_function(of).into_token_stream(), devices);
    let mut tokens = compiled.err().map(|mistakes| errors::render(&mistakes, &spans)).unwrap_or_default();
    tokens.extend(of.into_token_stream());
    tokens.extend(macro_of(&of.vis, &of.ident, &of.attrs, &attr, &item, devices));
    tokens
}

/// Expands another name of a type.
fn alias(attr: TokenStream, of: &syn::ItemType, item: TokenStream, devices: &Devices) -> TokenStream {
    let (read, spans) = compile_alias(of, devices);
    let mut tokens = read.err().map(|mistakes| errors::render(&mistakes, &spans)).unwrap_or_default();
    tokens.extend(of.into_token_stream());
    tokens.extend(macro_of(&of.vis, &of.ident, &of.attrs, &attr, &item, devices));
    tokens
}

/// Expands a function.
fn function(attr: TokenStream, item: TokenStream, devices: &Devices) -> TokenStream {
    let CompiledDevice { function: compiled, item: function, malformed, spans } =
        compile_device(attr.clone(), item.clone(), devices);
    let Some(mut function) = function else {
        let mut tokens = compiled.map_or_else(|mistakes| errors::render(&mistakes, &spans), |_| TokenStream::new());
        tokens.extend(stub::other_item(item));
        return tokens;
    };
    body::without_messages(&attr, &mut function.block);
    let mut tokens = match &compiled {
        Ok(_) => author_function(&function, &attr),
        Err(_) if malformed => function_stub(&function),
        Err(mistakes) => {
            let mut tokens = errors::render(mistakes, &spans);
            tokens.extend(function_stub(&function));
            tokens
        }
    };
    if function.sig.receiver().is_none() {
        tokens.extend(macro_of(&function.vis, &function.sig.ident, &function.attrs, &attr, &item, devices));
    }
    tokens
}

/// The author's function, and a use of each derivative, which rustc would otherwise report as unused.
fn author_function(function: &syn::ItemFn, attr: &TokenStream) -> TokenStream {
    let attributes = Attributes::of(&function.attrs);
    let (lints, on_items) = (body::lints(), &attributes.on_items);
    let bound = body::bound_in_matches(&function.block).map(|bound| quote!(#(#on_items)* const _: () = { #bound };));
    let inline = (!attributes.says_inline()).then(|| quote_spanned!(ours()=> #[inline]));
    let derivatives = derivatives(attr);
    // A derivative of a generic function has its parameters.
    let arguments = sample_arguments(function);
    let derivatives = derivatives.iter().map(|path| quote!(#(#on_items)* const _: () = { let _ = #path #arguments; };));
    quote! {
        #lints
        #inline
        #function
        #bound
        #(#derivatives)*
    }
}

/// The function without its body, which has errors.
fn function_stub(function: &syn::ItemFn) -> TokenStream {
    let rt = runtime();
    if function.sig.receiver().is_some() {
        return TokenStream::new();
    }
    let syn::ItemFn { attrs, vis, sig, .. } = function;
    quote_spanned! {ours()=>
        #(#attrs)*
        #[allow(unused_variables, unused_mut, dead_code, reason = "the function has mistakes")]
        #vis #sig {
            #rt::unreachable!()
        }
    }
}

/// The macro with the source of the item. It has the item's name and visibility.
fn macro_of(
    vis: &syn::Visibility,
    name: &Ident,
    attrs: &[syn::Attribute],
    attr: &TokenStream,
    item: &TokenStream,
    devices: &Devices,
) -> TokenStream {
    let id = id(name, item);
    let unique = Ident::new(&id, Span::call_site());
    let definition = resolve::definition(&unique, &id, attr, item, devices);
    let attributes = Attributes::of(attrs);
    let on_items = &attributes.on_items;
    // Another crate can import a macro only with `macro_export`.
    let export = matches!(vis, syn::Visibility::Public(_)).then(|| quote_spanned!(ours()=> #[macro_export]));
    quote_spanned! {ours()=>
        #(#on_items)*
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions, reason = "only kernels use it")]
        #export
        #definition

        #(#on_items)*
        #[doc(hidden)]
        #[allow(unused_imports, reason = "only kernels use it")]
        #vis use #unique as #name;
    }
}

/// A unique name, because the exported macros of a crate share one namespace.
pub(super) fn id(name: &Ident, item: &TokenStream) -> String {
    let (at, krate) = (name.span(), std::env::var("CARGO_CRATE_NAME").unwrap_or_default());
    let text = format!("{krate} {} {:?} {item}", at.file(), at.start());
    // FNV-1a, because the standard hasher is not stable across versions.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let name = name.to_string();
    format!("__weft_{}_{hash:016x}", name.trim_start_matches("r#"))
}
