//! A parameter of an emitted function.

use super::names::{ours, runtime, rust_type};
use kernel_ir::back::rust;
use kernel_ir::ir::{Param, ParamKind, StructId};
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// A parameter: its declaration in the IR, and the tokens of its name and type.
pub(super) struct Arg<'a> {
    pub(super) param: &'a Param,
    pub(super) ident: Ident,
    /// The type in the signature.
    pub(super) ty: TokenStream,
    /// The type of the value or the array, whether it is optional or not. Behind the signature an absent array is an
    /// array without elements.
    pub(super) inner: TokenStream,
    /// The type of the value, or of an element.
    elem: TokenStream,
}

/// The structs among the types of parameters, as the author names them.
pub(super) type Structs = Vec<(StructId, TokenStream)>;

impl<'a> Arg<'a> {
    /// A parameter as the author declares it. `None` for a pattern or `self`, which no valid kernel has.
    pub(super) fn of_author((param, input): (&'a Param, &syn::FnArg)) -> Option<Arg<'a>> {
        let syn::FnArg::Typed(typed) = input else { return None };
        let syn::Pat::Ident(pat) = &*typed.pat else { return None };
        let inner = if param.is_optional() { argument_of(&typed.ty) } else { Some(&*typed.ty) }?;
        let elem = if param.elem().is_struct() { elem_of(inner) } else { rust_type(param.elem()) };
        let (ident, ty, inner) = (pat.ident.clone(), typed.ty.to_token_stream(), inner.to_token_stream());
        Some(Arg { param, ident, ty, inner, elem })
    }

    /// The parameters of `kernel` for a body that a writer produced as text. Such a body uses plain names, without
    /// hygiene. `structs` are those of its parameters.
    pub(super) fn of_compiler(kernel: &'a VerifiedKernel, structs: &Structs) -> Vec<Arg<'a>> {
        let names = rust::body_params(kernel);
        kernel.params.iter().zip(names).map(|(param, name)| Arg::named(param, &name, structs)).collect()
    }

    fn named(param: &'a Param, name: &str, structs: &Structs) -> Arg<'a> {
        let known = structs.iter().find(|(id, _)| Some(*id) == param.elem().as_struct());
        let elem = known.map_or_else(|| rust_type(param.elem()), |(_, name)| name.clone());
        let array = array_type(param, &elem);
        let inner = match param.kind {
            ParamKind::Value(_) => elem.clone(),
            ParamKind::Array { mutable: false, .. } => quote_spanned!(ours()=> &#array),
            ParamKind::Array { mutable: true, .. } => quote_spanned!(ours()=> &mut #array),
        };
        let ident = syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()));
        Arg { param, ident, ty: in_option(param, inner.clone()), inner, elem }
    }

    /// The structs among the types of `args`.
    pub(super) fn structs(args: &[Arg]) -> Structs {
        args.iter().filter_map(|arg| Some((arg.param.elem().as_struct()?, arg.elem.clone()))).collect()
    }

    /// The type of the parameter if the array were mutable.
    pub(super) fn mutable_type(&self) -> TokenStream {
        let array = array_type(self.param, &self.elem);
        in_option(self.param, quote_spanned!(ours()=> &mut #array))
    }

    /// An argument of this parameter, whose elements are `array`.
    pub(super) fn wrapped(&self, array: TokenStream) -> TokenStream {
        wrapped(self.param, array)
    }

    /// The statements that turn the optional array `ident`, a parameter of this type, into an array; nothing for other
    /// parameters.
    pub(super) fn unwrap(&self, ident: &Ident, mutable: bool) -> Option<TokenStream> {
        let (rt, rank, empty) = (runtime(), self.param.rank(), format_ident!("{}_absent", ident, span = ours()));
        self.param.is_optional().then(|| match (rank, mutable) {
            (1, _) => quote_spanned!(ours()=> let #ident = #rt::Option::unwrap_or_default(#ident);),
            (_, false) => quote_spanned! {ours()=>
                let #empty = #rt::Array::zeros([0; #rank]);
                let #ident = #rt::Option::unwrap_or(#ident, &#empty);
            },
            (_, true) => quote_spanned! {ours()=>
                let mut #empty = #rt::Array::zeros([0; #rank]);
                let #ident = #rt::Option::unwrap_or(#ident, &mut #empty);
            },
        })
    }

    /// Whether the optional array has no elements, and so is absent.
    pub(super) fn is_empty(&self) -> TokenStream {
        let ident = &self.ident;
        match self.param.rank() {
            1 => quote_spanned!(ours()=> #ident.is_empty()),
            _ => quote_spanned!(ours()=> #ident.shape().contains(&0)),
        }
    }

    pub(super) fn elem(&self) -> &TokenStream {
        &self.elem
    }

    /// The local variables for the columns of the argument as data.
    pub(super) fn columns(&self) -> Vec<Ident> {
        let columns = 0..self.param.elem().leaves().len();
        columns.map(|column| format_ident!("{}_{column}", self.ident, span = ours())).collect()
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.param.kind, ParamKind::Array { .. })
    }

    /// The type of the argument of `launch`.
    pub(super) fn device_type(&self) -> TokenStream {
        in_option(self.param, self.device_inner())
    }

    /// The type of the argument of `launch`, whether it is optional or not.
    pub(super) fn device_inner(&self) -> TokenStream {
        let (rt, elem, rank) = (runtime(), self.elem(), self.param.rank());
        match rank {
            0 => elem.clone(),
            1 => quote_spanned!(ours()=> &#rt::DeviceArray<#elem>),
            _ => quote_spanned!(ours()=> &#rt::DeviceArray<#elem, #rank>),
        }
    }

    /// The statements of `launch` that put an array without elements in the place of an absent one.
    pub(super) fn unwrap_on_device(&self) -> Option<TokenStream> {
        let (rt, ident) = (runtime(), &self.ident);
        let empty = format_ident!("{}_absent", ident, span = ours());
        self.param.is_optional().then(|| {
            quote_spanned! {ours()=>
                let #empty;
                let #ident = match #ident {
                    #rt::Some(array) => array,
                    #rt::None => {
                        #empty = #rt::absent(Self::NAME, on)?;
                        &#empty
                    }
                };
            }
        })
    }

    /// The local variable for the copy of an N-D array. Its hygiene keeps it apart from the author's names.
    pub(super) fn host(&self) -> Ident {
        format_ident!("{}_host", self.ident, span = ours())
    }
}

/// An argument of the parameter `param`, whose elements are `array`.
pub(super) fn wrapped(param: &Param, array: TokenStream) -> TokenStream {
    let rt = runtime();
    if param.is_optional() { quote_spanned!(ours()=> #rt::Some(#array)) } else { array }
}

/// The type of the parameter `param`, where `inner` is that of its array.
fn in_option(param: &Param, inner: TokenStream) -> TokenStream {
    let rt = runtime();
    if param.is_optional() { quote_spanned!(ours()=> #rt::Option<#inner>) } else { inner }
}

/// The type `T` in `Name<T>`.
fn argument_of(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Group(group) => argument_of(&group.elem),
        syn::Type::Paren(paren) => argument_of(&paren.elem),
        syn::Type::Path(path) => match &path.path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                syn::GenericArgument::Type(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The type of an element in the type of a parameter.
fn elem_of(ty: &syn::Type) -> TokenStream {
    match ty {
        syn::Type::Group(group) => elem_of(&group.elem),
        syn::Type::Paren(paren) => elem_of(&paren.elem),
        syn::Type::Reference(reference) => elem_of(&reference.elem),
        syn::Type::Slice(slice) => slice.elem.to_token_stream(),
        syn::Type::Path(path) => {
            let elem = path.path.segments.last().and_then(|last| match &last.arguments {
                syn::PathArguments::AngleBracketed(arguments) => arguments.args.first(),
                _ => None,
            });
            elem.map_or_else(|| ty.to_token_stream(), ToTokens::to_token_stream)
        }
        _ => ty.to_token_stream(),
    }
}

/// The array type of a parameter, without the `&`.
fn array_type(param: &Param, elem: &TokenStream) -> TokenStream {
    let (rt, rank) = (runtime(), param.rank());
    match rank {
        1 => quote_spanned!(ours()=> [#elem]),
        _ => quote_spanned!(ours()=> #rt::Array<#elem, #rank>),
    }
}
