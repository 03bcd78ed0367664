//! The traits of a device struct or enum: kernels take it by value and in arrays.

use super::names::{ours, runtime, rust_type};
use kernel_ir::ir::Type;
use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;

/// The implementations for the struct `of`, whose type is `ty`.
pub(super) fn traits(of: &syn::ItemStruct, ty: Type) -> TokenStream {
    let (rt, name) = (runtime(), &of.ident);
    let element = element(name);
    let fields: Vec<&syn::Ident> = of.fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let types = of.fields.iter().map(|field| &field.ty);
    let names = fields.iter().map(|field| field.unraw().to_string());
    let (plain_name, doc) = (name.unraw().to_string(), ty.as_struct().map(|id| id.doc.clone()).unwrap_or_default());
    let warp = match ty.as_struct().and_then(|id| id.warp.clone()) {
        Some(name) => quote_spanned!(ours()=> #rt::Some(#name)),
        None => quote_spanned!(ours()=> #rt::None),
    };
    // A `usize` has no place in memory that every target knows, and not every number is an enum with gaps.
    let in_memory = ty.layout().filter(|_| ty.enum_with_gaps().is_none()).map(|_| {
        let gradient = ty.is_float().then(|| {
            quote_spanned! {ours()=>
                impl #rt::FloatElement for #name {
                    fn add_all(sums: &mut [#name], more: &[#name]) {
                        #rt::add_structs(sums, more);
                    }

                    fn are_zero(elements: &[#name]) -> #rt::types::bool {
                        #rt::are_zero_structs(elements)
                    }
                }
            }
        });
        quote_spanned! {ours()=>
            impl #rt::sealed::Sealed for #name {}

            impl #rt::Value for #name {
                fn ir_type() -> #rt::Type {
                    static TYPE: #rt::OnceLock<#rt::Type> = #rt::OnceLock::new();
                    *TYPE.get_or_init(|| {
                        #rt::struct_type(
                            #plain_name,
                            &[#(#doc),*],
                            &[#((#names, <#types as #rt::Value>::ir_type())),*],
                            #warp,
                        )
                    })
                }

                fn bits(&self) -> #rt::Bits {
                    #rt::struct_bits(self)
                }

                fn put(&self, columns: &mut #rt::ColumnsMut<'_>) {
                    #(#rt::Value::put(&self.#fields, columns);)*
                }

                fn take(columns: &mut #rt::Columns<'_>) -> #rt::Option<#name> {
                    #rt::Some(#name { #(#fields: #rt::Value::take(columns)?),* })
                }
            }

            #element

            #gradient
        }
    });
    in_memory.unwrap_or_default()
}

/// The implementations for the enum `of`, whose type is `ty`.
pub(super) fn enum_traits(of: &syn::ItemEnum, ty: Type) -> TokenStream {
    let (rt, name) = (runtime(), &of.ident);
    let Some(id) = ty.as_enum() else { return TokenStream::new() };
    let repr = rust_type(id.repr());
    let (plain_name, doc) = (name.unraw().to_string(), &id.doc);
    let variants: Vec<&syn::Ident> = of.variants.iter().map(|variant| &variant.ident).collect();
    let names = id.variants.iter().map(|(name, _)| name);
    let numbers: Vec<Literal> = id.variants.iter().map(|(_, number)| Literal::i64_unsuffixed(*number)).collect();
    let (first, element) = (&variants[0], element(name));
    let in_memory = id.is_contiguous().then(|| {
        quote_spanned! {ours()=>
            impl #rt::sealed::Sealed for #name {}

            impl #rt::Value for #name {
                fn ir_type() -> #rt::Type {
                    static TYPE: #rt::OnceLock<#rt::Type> = #rt::OnceLock::new();
                    *TYPE.get_or_init(|| {
                        #rt::enum_type(
                            #plain_name,
                            &[#(#doc),*],
                            <#repr as #rt::Value>::ir_type(),
                            &[#((#names, #numbers)),*],
                        )
                    })
                }

                fn bits(&self) -> #rt::Bits {
                    #rt::Value::bits(&(*self as #repr))
                }

                fn put(&self, columns: &mut #rt::ColumnsMut<'_>) {
                    #rt::Value::put(&(*self as #repr), columns);
                }

                fn take(columns: &mut #rt::Columns<'_>) -> #rt::Option<#name> {
                    <#name as #rt::DeviceEnum>::of_number(#rt::Value::take(columns)?)
                }
            }

            #element
        }
    });
    quote_spanned! {ours()=>
        impl #rt::DeviceEnum for #name {
            type Number = #repr;

            const FIRST: #name = #name::#first;

            fn of_number(number: #repr) -> #rt::Option<#name> {
                match number {
                    #(#numbers => #rt::Some(#name::#variants),)*
                    #[allow(unreachable_patterns, reason = "an enum may have all numbers")]
                    _ => #rt::None,
                }
            }
        }

        #in_memory
    }
}

/// The implementation of `Element` for the struct or enum `name`.
fn element(name: &syn::Ident) -> TokenStream {
    let rt = runtime();
    quote_spanned! {ours()=>
        impl #rt::Element for #name {
            fn zero() -> #name {
                #rt::struct_zero()
            }

            fn to_memory(elements: &[#name]) -> #rt::Cow<'_, [#rt::u8]> {
                #rt::struct_memory(elements)
            }

            fn from_memory(
                len: #rt::usize,
                read: impl #rt::FnOnce(&mut [#rt::u8]) -> #rt::Result<(), #rt::DeviceError>,
            ) -> #rt::Result<#rt::Vec<#name>, #rt::DeviceError> {
                #rt::structs_in_memory(len, read)
            }
        }
    }
}
