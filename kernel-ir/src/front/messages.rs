//! The syntax of `kernel_print!` and `kernel_assert!`.

use super::syntax::ungrouped;
use crate::ir::{Piece, pieces, text_of};
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// A message as it is written.
pub(super) struct Written {
    /// The condition of an assertion.
    pub(super) cond: Option<syn::Expr>,
    /// The text, with `{}` for each value.
    pub(super) text: String,
    pub(super) values: Vec<syn::Expr>,
}

/// The values that a macro call with messages names; none for other macros, and for what cannot be read.
pub fn message_values(mac: &syn::Macro) -> Vec<syn::Expr> {
    match written(mac) {
        Some(Ok(Written { cond, values, .. })) => cond.into_iter().chain(values).collect(),
        Some(Err(_)) | None => Vec::new(),
    }
}

/// Calls `visit` on the condition, the text and the values of a macro call with messages.
pub fn visit_values(mac: &mut syn::Macro, visit: impl FnMut(&mut syn::Expr)) {
    let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    if is_message(mac)
        && let Ok(mut args) = parser.parse2(mac.tokens.clone())
    {
        args.iter_mut().for_each(visit);
        mac.tokens = args.into_token_stream();
    }
}

/// Whether the arguments of `#[kernel]` or `#[device]` ask for messages.
pub fn asks_for_messages(attr: &TokenStream) -> bool {
    let parser = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    parser.parse2(attr.clone()).is_ok_and(|metas| metas.iter().any(|meta| meta.path().is_ident("debug")))
}

/// Whether the macro is `kernel_print!` or `kernel_assert!`.
pub fn is_message(mac: &syn::Macro) -> bool {
    name(mac).is_some()
}

fn name(mac: &syn::Macro) -> Option<String> {
    let name = mac.path.segments.last()?.ident.to_string();
    matches!(name.as_str(), "kernel_print" | "kernel_assert").then_some(name)
}

/// Reads a call; `None` if it calls another macro. A mistake comes with its position.
pub(super) fn written(mac: &syn::Macro) -> Option<Result<Written, (Span, String)>> {
    let name = name(mac)?;
    let args = match Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
        Ok(args) => args,
        Err(error) => return Some(Err((error.span(), format!("the arguments of `{name}!` cannot be read")))),
    };
    let whole = mac.path.segments.last()?.ident.span();
    let mut args = args.into_iter();
    let cond = match (name.as_str(), args.next()) {
        ("kernel_assert", Some(cond)) => Some(cond),
        ("kernel_assert", None) => return Some(Err((whole, "`kernel_assert!` takes a condition".to_owned()))),
        (_, first) => {
            return Some(match first {
                Some(text) => message(None, &text, args),
                None => Err((whole, "`kernel_print!` takes a text".to_owned())),
            });
        }
    };
    let text = args.next();
    Some(match (cond, text) {
        (cond, Some(text)) => message(cond, &text, args),
        (cond, None) => {
            let mut asserted = String::from("assertion failed: ");
            spell(cond.to_token_stream(), &mut asserted);
            let text = text_of(&[Piece::Text(asserted)]);
            Ok(Written { cond, text, values: Vec::new() })
        }
    })
}

/// Appends tokens with spaces as a formatter puts them. The text of a token stream itself depends on who prints it.
fn spell(tokens: TokenStream, out: &mut String) {
    let mut operator = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                operator.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    let ends_value = out.ends_with(|last: char| last.is_alphanumeric() || "_)]}\"".contains(last));
                    let is_tight = matches!(operator.as_str(), "." | "::" | "!" | "?") || !ends_value;
                    match operator.as_str() {
                        "," => out.push_str(", "),
                        _ if is_tight => out.push_str(&operator),
                        _ => out.extend([" ", &operator, " "]),
                    }
                    operator.clear();
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                spell(group.stream(), out);
                out.push_str(close);
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                out.push_str(&operator);
                operator.clear();
                if out.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    out.push(' ');
                }
                out.push_str(&token.to_string());
            }
        }
    }
}

fn message(
    cond: Option<syn::Expr>,
    text: &syn::Expr,
    values: impl Iterator<Item = syn::Expr>,
) -> Result<Written, (Span, String)> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = ungrouped(text) else {
        return Err((syn::spanned::Spanned::span(text), "a message is a text in quotes".to_owned()));
    };
    let found = pieces(&text.value()).map_err(|mistake| (text.span(), mistake))?;
    let (mut given, mut all) = (values.peekable(), Vec::new());
    for piece in &found {
        let Piece::Value { name, .. } = piece else { continue };
        all.push(match name {
            None => given
                .next()
                .ok_or_else(|| (text.span(), "the text has more places than there are values".to_owned()))?,
            Some(name) => syn::parse_str::<syn::Ident>(name)
                .map(|mut name| {
                    name.set_span(text.span());
                    syn::parse_quote!(#name)
                })
                .map_err(|_| (text.span(), format!("`{name}` is not the name of a variable")))?,
        });
    }
    match given.peek() {
        Some(value) => Err((syn::spanned::Spanned::span(value), "the text has no place for this value".to_owned())),
        None => Ok(Written { cond, text: text_of(&found), values: all }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(call: &str) -> Result<(String, usize), String> {
        let mac = syn::parse_str(call).unwrap();
        let written = written(&mac).unwrap().map_err(|(_, mistake)| mistake)?;
        Ok((written.text, written.values.len()))
    }

    #[test]
    fn calls_are_read() {
        assert_eq!(read(r#"kernel_print!("x = {}, {y:.2}", x[i])"#), Ok(("x = {}, {:.2}".to_owned(), 2)));
        assert_eq!(
            read("kernel_assert!(x[i] >= -1.0 && !f(a, b.c as f32) || m != kernel::N)"),
            Ok(("assertion failed: x[i] >= -1.0 && !f(a, b.c as f32) || m != kernel::N".to_owned(), 0))
        );
        assert_eq!(read(r#"kernel_assert!(x, "x")"#), Ok(("x".to_owned(), 0)));
        assert!(written(&syn::parse_str("println!()").unwrap()).is_none());
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |call| read(call).unwrap_err();
        assert_eq!(mistake("kernel_print!()"), "`kernel_print!` takes a text");
        assert_eq!(mistake("kernel_print!(x)"), "a message is a text in quotes");
        assert_eq!(mistake(r#"kernel_print!("{} {}", x)"#), "the text has more places than there are values");
        assert_eq!(mistake(r#"kernel_print!("{}", x, y)"#), "the text has no place for this value");
        assert_eq!(mistake(r#"kernel_print!("{x.y}")"#), "`x.y` is not the name of a variable");
        assert_eq!(mistake("kernel_assert!()"), "`kernel_assert!` takes a condition");
    }
}
