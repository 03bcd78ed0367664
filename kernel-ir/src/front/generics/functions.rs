//! Functions as arguments of device functions: parameters such as `f: impl Fn(f32) -> f32`. In an instance they are the
//! functions that the call names, so the parameter itself is not there.

use crate::front::syntax::{plain_name, ungrouped_type};

/// A parameter that is a function.
#[derive(Clone, Debug)]
pub(in crate::front) struct FunctionParam {
    /// Its position among all parameters.
    pub(in crate::front) position: usize,
    pub(in crate::front) name: String,
    /// The types of its arguments and of its result.
    pub(super) signature: syn::ParenthesizedGenericArguments,
}

/// The parameters of a function that are functions.
#[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed is no function")]
pub(in crate::front) fn function_params(item: &syn::ItemFn) -> Vec<FunctionParam> {
    let read = |(position, input): (usize, &syn::FnArg)| {
        let syn::FnArg::Typed(typed) = input else { return None };
        let syn::Pat::Ident(name) = &*typed.pat else { return None };
        let signature = match ungrouped_type(&typed.ty) {
            syn::Type::ImplTrait(of) => signature_in(of.bounds.iter()),
            syn::Type::Path(path) => {
                let param = item.sig.generics.type_params().find(|param| path.path.is_ident(&param.ident))?;
                signature_in(param.bounds.iter())
            }
            _ => None,
        };
        Some(FunctionParam { position, name: plain_name(&name.ident), signature: signature?.clone() })
    };
    item.sig.inputs.iter().enumerate().filter_map(read).collect()
}

/// The signature in the bound `Fn(A, B) -> C`.
pub(super) fn signature_in<'b>(
    mut bounds: impl Iterator<Item = &'b syn::TypeParamBound>,
) -> Option<&'b syn::ParenthesizedGenericArguments> {
    bounds.find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|last| last.ident == "Fn")?;
        match &last.arguments {
            syn::PathArguments::Parenthesized(signature) => Some(signature),
            syn::PathArguments::None | syn::PathArguments::AngleBracketed(_) => None,
        }
    })
}
