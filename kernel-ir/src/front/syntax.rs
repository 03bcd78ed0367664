//! Small helpers over syntax trees, and for speaking of them.

/// The expression without parentheses and the invisible groups of `macro_rules!`.
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
