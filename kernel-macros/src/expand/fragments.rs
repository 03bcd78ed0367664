//! Fragments of a `macro_rules!` around an annotated item.
//!
//! A fragment such as `$e:expr` arrives in invisible delimiters, which rustc drops from the output of a procedural
//! macro: `a * $e` would become `a * 2.0 + 3.0`. This pass replaces them by parentheses before anything else reads the
//! item.

use super::names::ours;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_attribute_mut, visit_expr_mut};

/// The item with parentheses around expressions that are fragments. An item without fragments, or with mistakes that
/// keep it from being parsed, stays unchanged.
pub(super) fn in_parentheses(item: TokenStream) -> TokenStream {
    if !has_fragments(item.clone()) {
        return item;
    }
    let Ok(mut parsed) = syn::parse2::<syn::Item>(item.clone()) else { return item };
    Parentheses.visit_item_mut(&mut parsed);
    parsed.into_token_stream()
}

fn has_fragments(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::None || has_fragments(group.stream()),
        _ => false,
    })
}

struct Parentheses;

impl VisitMut for Parentheses {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_expr_mut(self, expr);
        let syn::Expr::Group(group) = expr else { return };
        let span = group.group_token.span;
        let inner = std::mem::replace(&mut *group.expr, syn::Expr::PLACEHOLDER);
        let attrs = std::mem::take(&mut group.attrs);
        *expr = match inner {
            atom @ (syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Paren(_)) if attrs.is_empty() => atom,
            inner => {
                // The macro's hygiene keeps rustc from reporting unnecessary parentheses.
                let mut brackets = Group::new(Delimiter::Parenthesis, TokenStream::new());
                brackets.set_span(span.resolved_at(ours()));
                let paren_token = syn::token::Paren { span: brackets.delim_span() };
                syn::Expr::Paren(syn::ExprParen { attrs, paren_token, expr: Box::new(inner) })
            }
        };
    }

    /// Also handles the expressions in `#[domain(…)]` and `#[shape(…)]`.
    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        visit_attribute_mut(self, attr);
        if !attr.path().is_ident("domain") && !attr.path().is_ident("shape") {
            return;
        }
        let syn::Meta::List(list) = &mut attr.meta else { return };
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let Ok(mut parts) = list.parse_args_with(parser) else { return };
        for part in &mut parts {
            match part {
                // A whole domain is a range. It needs no parentheses.
                syn::Expr::Group(group) if matches!(*group.expr, syn::Expr::Range(_)) => {
                    let mut range = std::mem::replace(&mut *group.expr, syn::Expr::PLACEHOLDER);
                    visit_expr_mut(self, &mut range);
                    *part = range;
                }
                part => self.visit_expr_mut(part),
            }
        }
        list.tokens = parts.into_token_stream();
    }
}
