//! A parameter of an emitted function.

use super::names::{ours, runtime, rust_type};
use kernel_ir::back::rust;
use kernel_ir::ir::{Param, ParamKind};
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// A parameter: its declaration in the IR, and the tokens of its name and type.
pub(super) struct Arg<'a> {
    pub(super) param: &'a Param,
    pub(super) ident: Ident,
    pub(super) ty: TokenStream,
}

impl<'a> Arg<'a> {
    /// A parameter as the author declares it. `None` for a pattern or `self`, which no valid kernel has.
    pub(super) fn of_author((param, input): (&'a Param, &syn::FnArg)) -> Option<Arg<'a>> {
        let syn::FnArg::Typed(typed) = input else { return None };
        let syn::Pat::Ident(pat) = &*typed.pat else { return None };
        Some(Arg { param, ident: pat.ident.clone(), ty: typed.ty.to_token_stream() })
    }

    /// The parameters of `kernel` for a body that a writer produced as text. Such a body uses plain names, without
    /// hygiene.
    pub(super) fn of_compiler(kernel: &'a VerifiedKernel) -> Vec<Arg<'a>> {
        kernel.params.iter().zip(rust::body_params(kernel)).map(|(param, name)| Arg::named(param, &name)).collect()
    }

    fn named(param: &'a Param, name: &str) -> Arg<'a> {
        let array = array_type(param);
        let ty = match param.kind {
            ParamKind::Value(_) => rust_type(param.elem()),
            ParamKind::Array { mutable: false, .. } => quote_spanned!(ours()=> &#array),
            ParamKind::Array { mutable: true, .. } => quote_spanned!(ours()=> &mut #array),
        };
        let ident = syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()));
        Arg { param, ident, ty }
    }

    /// The type of the parameter if the array were mutable.
    pub(super) fn mutable_type(&self) -> TokenStream {
        let array = array_type(self.param);
        quote_spanned!(ours()=> &mut #array)
    }

    pub(super) fn elem(&self) -> TokenStream {
        rust_type(self.param.elem())
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.param.kind, ParamKind::Array { .. })
    }

    /// The type of the argument of `launch`.
    pub(super) fn device_type(&self) -> TokenStream {
        let (rt, elem, rank) = (runtime(), self.elem(), self.param.rank());
        match rank {
            0 => elem,
            1 => quote_spanned!(ours()=> &#rt::DeviceArray<#elem>),
            _ => quote_spanned!(ours()=> &#rt::DeviceArray<#elem, #rank>),
        }
    }

    /// The local variable for the copy of an N-D array. Its hygiene keeps it apart from the author's names.
    pub(super) fn host(&self) -> Ident {
        format_ident!("{}_host", self.ident, span = ours())
    }
}

/// The array type of a parameter, without the `&`.
fn array_type(param: &Param) -> TokenStream {
    let (rt, elem, rank) = (runtime(), rust_type(param.elem()), param.rank());
    match rank {
        1 => quote_spanned!(ours()=> [#elem]),
        _ => quote_spanned!(ours()=> #rt::Array<#elem, #rank>),
    }
}
