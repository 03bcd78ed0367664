//! `#[domain(…)]` and `#[shape(…)]` on parameters.

use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable};
use syn::punctuated::Punctuated;

/// The attributes of a parameter, still as syntax.
#[derive(Debug, Default)]
pub(super) struct ParamAttributes {
    pub(super) domain: Option<syn::ExprRange>,
    pub(super) shape: Option<(Vec<syn::Expr>, Span)>,
}

/// Removes Weft's attributes from `attrs` and reads them. Other attributes stay, for rustc to check.
pub(super) fn take_param_attributes(
    attrs: &mut Vec<syn::Attribute>,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> ParamAttributes {
    let mut taken = ParamAttributes::default();
    attrs.retain(|attr| {
        let span = spans.insert_tokens(attr);
        if attr.path().is_ident("domain") {
            match attr.parse_args::<syn::ExprRange>() {
                Ok(_) if taken.domain.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "a second domain").help("keep one of the two"))
                }
                Ok(range) => taken.domain = Some(range),
                Err(_) => diagnostics
                    .push(Diagnostic::new(span, "a domain is a range of values").help("write `#[domain(-1.0..1.0)]`")),
            }
            false
        } else if attr.path().is_ident("shape") {
            match attr.parse_args_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated) {
                Ok(_) if taken.shape.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "a second shape").help("keep one of the two"))
                }
                Ok(extents) => taken.shape = Some((extents.into_iter().collect(), span)),
                Err(_) => diagnostics
                    .push(Diagnostic::new(span, "a shape is a list of extents").help("write `#[shape(dim0, 16)]`")),
            }
            false
        } else {
            true
        }
    });
    taken
}
