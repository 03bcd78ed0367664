//! Small helpers over syntax trees, and for speaking of them.

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

/// `1 axis`, `2 axes`.
pub(super) fn axes(count: usize) -> String {
    if count == 1 { "1 axis".to_owned() } else { format!("{count} axes") }
}
