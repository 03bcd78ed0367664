//! Helpers over syntax trees, and for messages.

use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable};
use proc_macro2::TokenStream;

/// The expression without parentheses and the invisible groups of `macro_rules!`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
pub(super) fn ungrouped(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => ungrouped(&inner.expr),
        syn::Expr::Group(inner) => ungrouped(&inner.expr),
        other => other,
    }
}

/// The type without parentheses and without the invisible groups that `macro_rules!` puts around it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
pub(super) fn ungrouped_type(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => ungrouped_type(&group.elem),
        syn::Type::Paren(paren) => ungrouped_type(&paren.elem),
        other => other,
    }
}

/// `1 axis`, `2 axes`.
pub(super) fn axes(count: usize) -> String {
    if count == 1 { "1 axis".to_owned() } else { format!("{count} axes") }
}

/// An identifier without the prefix `r#`.
pub(super) fn plain_name(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

/// Sorts by position, so that the first mistake in the source is reported first.
pub(super) fn in_source_order(mut diagnostics: Vec<Diagnostic>, spans: &SpanTable) -> Vec<Diagnostic> {
    let position = |span: Span| {
        let start = spans.get(span).start();
        (start.line, start.column)
    };
    diagnostics.sort_by_key(|diagnostic| position(diagnostic.span));
    diagnostics
}

/// Removes the attribute from the list and returns its arguments.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
pub(super) fn take_attribute(attrs: &mut Vec<syn::Attribute>, name: &str) -> Option<TokenStream> {
    let place = attrs.iter().position(|attr| attr.path().is_ident(name))?;
    match attrs.remove(place).meta {
        syn::Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}

/// The type of a constant that is a table.
pub(super) fn table_type(item: &syn::ItemConst) -> Option<&syn::TypeArray> {
    if let syn::Type::Array(array) = ungrouped_type(&item.ty) { Some(array) } else { None }
}
