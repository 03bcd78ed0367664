//! What rust-analyzer sees: the author's function.
//!
//! rust-analyzer completes at a cursor by expanding the text twice, as it is and with a made-up name at the cursor, and compares
//! the two expansions position by position. The text with that name is a mistake, so the rest of the two expansions differs. The
//! author's function therefore comes first, and does not depend on mistakes.

use super::names::{ours, runtime};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;

/// The function as the author wrote it, without its attributes, for rust-analyzer alone; nothing for another item, or for a
/// method, beside which no item can stand. It need not be valid Rust, so it is the argument of a macro, which rustc removes
/// unread.
pub(super) fn author(item: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let attributes = tokens.chunks(2).take_while(|pair| is_punct(&pair[0], '#')).count();
    tokens.drain(..(2 * attributes).min(tokens.len()));
    let function = tokens.iter().position(|token| is_word(token, "fn"));
    let is_method = |token: &TokenTree| match token {
        TokenTree::Group(params) => params.stream().into_iter().any(|token| is_word(&token, "self")),
        _ => false,
    };
    let params =
        tokens.iter().skip(function.unwrap_or(tokens.len())).find(|token| matches!(token, TokenTree::Group(_)));
    if function.is_none() || params.is_some_and(is_method) {
        return TokenStream::new();
    }
    let rt = runtime();
    quote_spanned! {ours()=>
        #[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
        const _: () = {
            #[cfg(rust_analyzer)]
            #rt::author! { #(#tokens)* }
        };
    }
}

fn is_word(token: &TokenTree, what: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == what)
}

fn is_punct(token: &TokenTree, what: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == what)
}
