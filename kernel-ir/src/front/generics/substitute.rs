//! Puts types and values in the place of generic parameters, in syntax.

use super::generic::{Generic, GenericArg, GenericKind, GenericParam};
use crate::front::messages::visit_values;
use crate::front::syntax::ungrouped;
use crate::ir::{Scalar, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{
    VisitMut, visit_attribute_mut, visit_expr_mut, visit_expr_path_mut, visit_generic_argument_mut, visit_type_mut,
};

/// The instance of a generic function. A constant parameter becomes a constant of the body; in types its value stands
/// itself.
pub(in crate::front) fn instance(generic: &Generic, args: &[GenericArg], name: Ident) -> syn::ItemFn {
    let mut item = generic.item.clone();
    item.sig.generics = syn::Generics::default();
    let functions: Vec<usize> = generic.functions.iter().map(|function| function.position).collect();
    let values = std::mem::take(&mut item.sig.inputs).into_iter().enumerate();
    item.sig.inputs = values.filter(|(place, _)| !functions.contains(place)).map(|(_, input)| input).collect();
    item.sig.ident = name;
    let mut substitute = Substitute { generic, args, used: vec![false; args.len()] };
    substitute.visit_signature_mut(&mut item.sig);
    substitute.visit_block_mut(&mut item.block);
    let constants = substitute.constants();
    item.block.stmts.splice(0..0, constants);
    item
}

struct Substitute<'a> {
    generic: &'a Generic,
    args: &'a [GenericArg],
    /// The constant parameters that the body names as values.
    used: Vec<bool>,
}

impl Substitute<'_> {
    /// The argument for the parameter that `path` is, with its position.
    fn of_path(&self, path: &syn::Path) -> Option<(usize, GenericArg)> {
        let place = self.generic.position(path.get_ident()?)?;
        Some((place, *self.args.get(place)?))
    }

    /// The type in the place of `ty`.
    fn of_type(&self, ty: &syn::Type) -> Option<Type> {
        let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return None };
        match self.of_path(path)?.1 {
            GenericArg::Type(ty) => Some(ty),
            GenericArg::Int(_) | GenericArg::Bool(_) => None,
        }
    }

    /// The constant in the place of the type or value at `path`.
    fn of_const(&self, path: &syn::Path) -> Option<syn::Expr> {
        match self.of_path(path)?.1 {
            GenericArg::Type(_) => None,
            arg @ (GenericArg::Int(_) | GenericArg::Bool(_)) => value(arg),
        }
    }

    /// The declarations of the constants that the body names.
    fn constants(&self) -> Vec<syn::Stmt> {
        let used = self.generic.params.iter().zip(self.args).zip(&self.used).filter(|(_, used)| **used);
        let constant = |((param, arg), _): ((&GenericParam, &GenericArg), &bool)| {
            let GenericKind::Const(scalar) = param.kind else { return None };
            let (name, ty) = (Ident::new(&param.name, Span::call_site()), Ident::new(scalar.name(), Span::call_site()));
            let value = value(*arg)?;
            Some(syn::parse_quote!(const #name: #ty = #value;))
        };
        used.filter_map(constant).collect()
    }

    /// `T::lit(0.5)` and `T::cast(x)` for a scalar `T`: the literal `0.5f32`, and the cast `x as f32`.
    fn called(&self, call: &syn::ExprCall) -> Option<syn::Expr> {
        let syn::Expr::Path(syn::ExprPath { qself: None, path, .. }) = &*call.func else { return None };
        let [owner, function] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let GenericArg::Type(ty) = *self.args.get(self.generic.position(&owner.ident)?)? else { return None };
        let arg = (call.args.len() == 1 && ty.is_scalar()).then(|| call.args.first()).flatten()?;
        let written = syntax_of(ty, owner.ident.span());
        let function = &function.ident;
        match function.to_string().as_str() {
            // What the type does not have is reported as a call of its `lit`.
            "lit" => literal(arg, ty.scalar)
                .or_else(|| Some(syn::parse_quote_spanned!(function.span()=> <#written>::#function(#arg)))),
            "cast" => {
                let arg = without_parentheses(arg);
                Some(syn::parse_quote!((#arg as #written)))
            }
            _ => None,
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed is left as it is")]
fn without_parentheses(expr: &syn::Expr) -> syn::Expr {
    match ungrouped(expr) {
        plain @ (syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Index(_) | syn::Expr::Call(_)) => plain.clone(),
        syn::Expr::MethodCall(_) | syn::Expr::Field(_) => ungrouped(expr).clone(),
        other => syn::parse_quote!((#other)),
    }
}

/// The type as syntax.
fn syntax_of(ty: Type, span: Span) -> syn::Type {
    let tokens: TokenStream = ty.rust_name().parse().unwrap_or_default();
    let located = tokens.into_iter().map(|mut token: TokenTree| {
        token.set_span(span);
        token
    });
    syn::parse_quote!(#(#located)*)
}

/// The constant as an expression.
fn value(arg: GenericArg) -> Option<syn::Expr> {
    match arg {
        GenericArg::Type(_) => None,
        GenericArg::Int(value) => {
            let digits = Literal::u128_unsuffixed(value.unsigned_abs());
            Some(if value < 0 { syn::parse_quote!(-#digits) } else { syn::parse_quote!(#digits) })
        }
        GenericArg::Bool(value) => Some(syn::parse_quote!(#value)),
    }
}

/// The literal `arg` as a literal of type `scalar`; `None` if the type does not have the value. A float is rounded to
/// `f64` first, as `Number::lit` does.
#[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed is no literal")]
fn literal(arg: &syn::Expr, scalar: Scalar) -> Option<syn::Expr> {
    let (lit, negative) = match ungrouped(arg) {
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => (ungrouped(expr), true),
        other => (other, false),
    };
    let syn::Expr::Lit(syn::ExprLit { lit, .. }) = lit else { return None };
    let digits = match (lit, scalar) {
        (syn::Lit::Int(number), Scalar::F32 | Scalar::F64) => format!("{}.0", number.base10_digits()),
        (syn::Lit::Int(number), _) => number.base10_digits().to_owned(),
        (syn::Lit::Float(number), Scalar::F64) => number.base10_digits().to_owned(),
        (syn::Lit::Float(number), Scalar::F32) => {
            let (exact, direct) = (number.base10_parse::<f64>().ok()? as f32, number.base10_parse::<f32>().ok()?);
            if exact == direct { number.base10_digits().to_owned() } else { format!("{exact:?}") }
        }
        _ => return None,
    };
    let suffixed = format!("{digits}{}", scalar.name());
    let mut literal: Literal = suffixed.parse().ok()?;
    literal.set_span(lit.span());
    let literal = syn::Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::new(literal) });
    // A method binds more tightly than the sign.
    Some(if negative { syn::parse_quote!((-#literal)) } else { literal })
}

impl VisitMut for Substitute<'_> {
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        visit_values(mac, |value| self.visit_expr_mut(value));
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Array(array) = ty
            && let syn::Expr::Path(path) = &array.len
            && let Some(value) = self.of_const(&path.path)
        {
            array.len = value;
        }
        match self.of_type(ty) {
            Some(found) => *ty = syntax_of(found, span_of(ty)),
            None => visit_type_mut(self, ty),
        }
    }

    fn visit_generic_argument_mut(&mut self, arg: &mut syn::GenericArgument) {
        if let syn::GenericArgument::Type(syn::Type::Path(path)) = arg
            && let Some(value) = self.of_const(&path.path)
        {
            *arg = syn::GenericArgument::Const(value);
        }
        visit_generic_argument_mut(self, arg);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_expr_mut(self, expr);
        if let syn::Expr::Call(call) = expr
            && let Some(plain) = self.called(call)
        {
            *expr = plain;
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed takes brackets")]
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        visit_expr_path_mut(self, path);
        if path.qself.is_none()
            && let Some((place, GenericArg::Int(_) | GenericArg::Bool(_))) = self.of_path(&path.path)
        {
            self.used[place] = true;
        }
        let Some(owner) = path.path.segments.first().filter(|_| path.path.segments.len() > 1) else { return };
        let place = self.generic.position(&owner.ident).filter(|_| path.qself.is_none());
        let Some(GenericArg::Type(ty)) = place.and_then(|place| self.args.get(place)) else { return };
        // `lit` and `cast` keep their owner until the call around them is reached.
        let is_called =
            path.path.segments.iter().nth(1).is_some_and(|name| name.ident == "lit" || name.ident == "cast");
        if is_called && ty.is_scalar() {
            return;
        }
        let ty = syntax_of(*ty, owner.ident.span());
        let rest: Vec<syn::PathSegment> = path.path.segments.iter().skip(1).cloned().collect();
        *path = match &ty {
            syn::Type::Path(of) if of.path.segments.iter().all(|segment| segment.arguments.is_none()) => {
                let of = &of.path;
                syn::parse_quote!(#of #(::#rest)*)
            }
            _ => syn::parse_quote!(<#ty> #(::#rest)*),
        };
    }

    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        visit_attribute_mut(self, attribute);
        // Shapes and domains may name constants.
        if let syn::Meta::List(list) = &mut attribute.meta {
            list.tokens = self.tokens(std::mem::take(&mut list.tokens));
        }
    }
}

impl Substitute<'_> {
    /// The tokens of an attribute.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let each = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(name) => {
                let place = self.generic.position(&name);
                match place.and_then(|place| self.args.get(place)) {
                    Some(GenericArg::Type(ty)) => syntax_of(*ty, name.span()).into_token_stream(),
                    Some(arg) => value(*arg).into_token_stream(),
                    None => name.into_token_stream(),
                }
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                inner.set_span(group.span());
                inner.into_token_stream()
            }
            other @ (TokenTree::Punct(_) | TokenTree::Literal(_)) => other.into_token_stream(),
        });
        each.collect()
    }
}

fn span_of(ty: &syn::Type) -> Span {
    syn::spanned::Spanned::span(ty)
}
