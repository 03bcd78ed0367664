//! From the tokens of an annotated function to the tokens that replace it.
//!
//! [`kernel`](kernel()) compiles the function and prints it in every language; `emit` writes the code of a good kernel,
//! `errors` and `stub` that of a bad one. Everything here works on `proc_macro2` and runs outside of rustc, too.

mod attributes;
mod body;
mod emit;
mod errors;
mod names;
mod source;
mod stub;

#[cfg(test)]
mod tests;

use kernel_ir::back::c::{Dialect, write_forward};
use kernel_ir::back::python;
use kernel_ir::check::CheckedKernel;
use kernel_ir::front::{self, Compiled};
use kernel_ir::text;
use proc_macro2::TokenStream;

/// What the macro made of a function.
pub(crate) struct Expansion {
    /// The code that replaces it.
    pub(crate) tokens: TokenStream,
    /// The stages of a good kernel, by name, as text.
    pub(crate) stages: Vec<(&'static str, String)>,
}

/// A kernel in every language.
struct Texts {
    rust: String,
    ir: String,
    cuda: String,
    cpp: String,
    python: String,
}

/// Expands `#[kernel(attr)] item`.
pub(crate) fn kernel(attr: TokenStream, item: TokenStream) -> Expansion {
    let Compiled { kernel, item: function, spans } = front::compile(attr.clone(), item.clone());
    match (kernel, function) {
        (Ok(kernel), Some(function)) => {
            let texts = Texts::new(&kernel, source::format(attr, item));
            let tokens = emit::kernel(&kernel, &function, &texts);
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

impl Texts {
    fn new(kernel: &CheckedKernel, rust: String) -> Texts {
        Texts {
            rust,
            ir: text::print(kernel),
            cuda: write_forward(kernel, Dialect::Cuda),
            cpp: write_forward(kernel, Dialect::Cpp),
            python: python::write(kernel),
        }
    }

    fn into_stages(self) -> Vec<(&'static str, String)> {
        let Texts { rust, ir, cuda, cpp, python } = self;
        vec![("rust", rust), ("ir", ir), ("cuda", cuda), ("cpp", cpp), ("python", python)]
    }
}
