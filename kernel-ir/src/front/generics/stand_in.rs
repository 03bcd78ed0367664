//! Stand-ins for functions that are arguments, where a function that takes them is defined.

use super::functions::FunctionParam;
use super::generic::{Generic, GenericArg};
use super::substitute;
use crate::front::type_syntax;
use crate::ir::{Shape, Type};
use quote::format_ident;

/// A function in the place of the parameter, with which an instance is checked where the function is defined. `None` if
/// its result is a device struct that none of its arguments is.
pub(in crate::front) fn stand_in(generic: &Generic, param: &FunctionParam, args: &[GenericArg]) -> Option<syn::ItemFn> {
    let FunctionParam { name, signature, .. } = param;
    let name = format_ident!("{name}");
    let inputs: Vec<&syn::Type> = signature.inputs.iter().map(|input| &input.ty).collect();
    let syn::ReturnType::Type(_, ret) = &signature.output else { return None };
    let names = (0..inputs.len()).map(|number| format_ident!("a{number}"));
    let item: syn::ItemFn = syn::parse_quote!(fn #name(#(#names: #inputs),*) -> #ret { () });
    let mut item = substitute::instance(&Generic { item, functions: Vec::new(), ..generic.clone() }, args, name);
    let syn::ReturnType::Type(_, ret) = &item.sig.output else { return None };
    let same = item.sig.inputs.iter().position(|input| matches!(input, syn::FnArg::Typed(typed) if typed.ty == *ret));
    let value: syn::Expr = match same {
        Some(number) => {
            let name = format_ident!("a{number}");
            syn::parse_quote!(#name)
        }
        None => zero(type_syntax::known(ret)?, ret),
    };
    item.block = syn::parse_quote!({ #value });
    Some(item)
}

fn zero(of: Type, written: &syn::Type) -> syn::Expr {
    match of.shape {
        Shape::Scalar if of == Type::BOOL => syn::parse_quote!(false),
        Shape::Scalar if of.scalar().is_half() => syn::parse_quote!(<#written>::ZERO),
        Shape::Scalar if of.is_float() => syn::parse_quote!(0.0),
        Shape::Scalar => syn::parse_quote!(0),
        Shape::Quat => syn::parse_quote!(<#written>::IDENTITY),
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Struct(_) | Shape::Tile(..) => {
            syn::parse_quote!(<#written>::ZERO)
        }
    }
}
