//! From the tokens of an annotated function to the tokens that replace it.
//!
//! [`kernel`](kernel()) compiles the function, makes its adjoint and prints both in every language; `emit` writes the code of a good kernel,
//! `errors` and `stub` that of a bad one. Everything here works on `proc_macro2` and runs outside of rustc, too.

mod arg;
mod attributes;
mod body;
mod emit;
mod errors;
mod host;
mod launch;
mod names;
mod source;
mod stub;
mod texts;

#[cfg(test)]
mod tests;

use kernel_ir::adjoint;
use kernel_ir::front::{self, Compiled};
use proc_macro2::TokenStream;
use texts::Texts;

/// What the macro made of a function.
pub(crate) struct Expansion {
    /// The code that replaces it.
    pub(crate) tokens: TokenStream,
    /// The stages of a good kernel, by name, as text.
    pub(crate) stages: Vec<(&'static str, String)>,
}

/// Expands `#[kernel(attr)] item`.
pub(crate) fn kernel(attr: TokenStream, item: TokenStream) -> Expansion {
    let Compiled { kernel, item: function, spans } = front::compile(attr.clone(), item.clone());
    let both = kernel.and_then(|kernel| {
        let backward = adjoint::differentiate(&kernel)?;
        Ok((kernel, backward))
    });
    match (both, function) {
        (Ok((kernel, backward)), Some(function)) => {
            let texts = Texts::new(&kernel, backward.as_ref(), source::format(attr, item));
            let tokens = emit::kernel(&kernel, backward.as_ref(), &function, &texts);
            Expansion { tokens, stages: texts.into_stages() }
        }
        (Ok(_), None) => Expansion { tokens: item, stages: Vec::new() },
        (Err(diagnostics), function) => {
            let mut tokens = errors::render(&diagnostics, &spans);
            tokens.extend(match function {
                Some(function) => stub::kernel(&function),
                None => stub::other_item(item),
            });
            Expansion { tokens, stages: Vec::new() }
        }
    }
}
