//! From the tokens of an annotated function to the tokens that replace it.
//!
//! `resolve` finds the device functions that a function names. [`kernel`](kernel()) compiles the function, makes its adjoint and prints both in every language; `emit` writes the code of a good kernel,
//! `errors` and `stub` that of a bad one. Everything here works on `proc_macro2` and runs outside of rustc, too.

mod arg;
mod attributes;
mod body;
mod borrows;
mod device;
mod emit;
mod errors;
mod fragments;
mod host;
mod launch;
mod names;
mod resolve;
mod source;
mod stub;
mod texts;
mod winners;

#[cfg(test)]
mod tests;

use attributes::Attributes;
use kernel_ir::adjoint;
use kernel_ir::front::{self, Compiled, Devices};
use names::{ours, runtime};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use resolve::{Kind, Resumed, State};
use texts::Texts;

/// What the macro made of a function.
pub(crate) struct Expansion {
    /// The code that replaces it.
    pub(crate) tokens: TokenStream,
    /// The stages of a good kernel, by name, as text.
    pub(crate) stages: Vec<(String, String)>,
}

impl From<TokenStream> for Expansion {
    fn from(tokens: TokenStream) -> Expansion {
        Expansion { tokens, stages: Vec::new() }
    }
}

/// Expands `#[kernel(attr)] item`.
pub(crate) fn kernel(attr: TokenStream, item: TokenStream) -> Expansion {
    let state = State::new(Kind::Kernel, attr, item);
    // The type comes at once: if a function is not found, rustc says so, and call sites stay quiet.
    let ty = front::read_function(&state.item).filter(|function| function.sig.receiver().is_none());
    let ty = ty.map(|function| emit::kernel_type(&function, &Attributes::of(&function.attrs)));
    let mut expansion = step(state);
    expansion.tokens = ty.into_iter().chain([expansion.tokens]).collect();
    expansion
}

/// Expands `#[device(attr)] item`.
pub(crate) fn device(attr: TokenStream, item: TokenStream) -> Expansion {
    step(State::new(Kind::Device, attr, item))
}

/// Goes on where the macro of a device function was called.
pub(crate) fn resume(state: TokenStream) -> Expansion {
    match State::resume(state) {
        Some(Resumed::Found(state)) => step(state),
        Some(Resumed::NotADeviceFunction { path, item }) => {
            let function = front::read_function(&item);
            resolve::refusal(&path)
                .into_iter()
                .chain(function.as_ref().map(stub::kernel).into_iter().flatten())
                .collect::<TokenStream>()
                .into()
        }
        None => {
            let rt = runtime();
            let message = "this macro is a part of a device function, and not to be called";
            quote_spanned!(ours()=> #rt::compile_error!(#message);).into()
        }
    }
}

/// Looks for the next device function that is needed; expands the function if none is missing.
fn step(mut state: State) -> Expansion {
    if let Some(call) = state.next_call() {
        return call.into();
    }
    match state.kind {
        Kind::Kernel => expand_kernel(state.attr, state.item, &state.devices),
        Kind::Device => device::function(state.attr, state.item, &state.devices).into(),
    }
}

/// Expands a kernel, all but the type that stands for it.
fn expand_kernel(attr: TokenStream, item: TokenStream, devices: &Devices) -> Expansion {
    let Compiled { kernel, item: function, malformed, spans } =
        front::compile_with(attr.clone(), item.clone(), devices);
    let both = kernel.and_then(|kernel| {
        let backward = adjoint::differentiate(&kernel)?;
        Ok((kernel, backward))
    });
    match (both, function) {
        (Ok((kernel, backward)), Some(function)) => {
            let texts = Texts::new(&kernel, backward.as_ref(), source::format(attr, item, devices));
            let tokens = emit::kernel(&kernel, backward.as_ref(), &function, &texts);
            Expansion { tokens, stages: texts.into_stages() }
        }
        (Ok(_), None) => Expansion { tokens: item, stages: Vec::new() },
        (Err(diagnostics), function) => {
            let mut tokens = if malformed { TokenStream::new() } else { errors::render(&diagnostics, &spans) };
            tokens.extend(match function {
                Some(function) => stub::kernel(&function),
                None => stub::other_item(item),
            });
            Expansion { tokens, stages: Vec::new() }
        }
    }
}
