//! The expansion of an annotated item.
//!
//! 1. `resolve` finds the source of the device functions and structs that the item names.
//! 2. [`kernel`](kernel()) compiles the function, differentiates it, and writes both in every language.
//! 3. `emit` generates the code of a correct kernel; `errors` and `stub` generate that of an incorrect one.
//!
//! All code here works on `proc_macro2` tokens, so it also runs outside of rustc, in tests.

mod aliases;
mod arg;
mod attributes;
mod body;
mod borrows;
mod device;
mod editor;
mod emit;
mod errors;
mod fragments;
mod generic;
mod host;
mod launch;
mod module;
mod names;
mod resolve;
mod source;
mod structure;
mod stub;
mod texts;
mod winners;

#[cfg(test)]
mod tests;

use attributes::Attributes;
use kernel_ir::adjoint;
use kernel_ir::front::{self, Compiled, DeviceItem, Devices};
use names::{ours, runtime};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use resolve::{Kind, Resumed, State};
use texts::Texts;

/// The expansion of a function.
pub(crate) struct Expansion {
    /// The code that replaces the function.
    pub(crate) tokens: TokenStream,
    /// The stages of a correct kernel: pairs of name and text.
    pub(crate) stages: Vec<(String, String)>,
}

impl From<TokenStream> for Expansion {
    fn from(tokens: TokenStream) -> Expansion {
        Expansion { tokens, stages: Vec::new() }
    }
}

/// Expands `#[kernel(attr)] item`.
pub(crate) fn kernel(attr: TokenStream, item: TokenStream) -> Expansion {
    let author = editor::author(&item);
    let mut expansion = kernel_for_rustc(attr, item);
    expansion.tokens = [author, expansion.tokens].into_iter().collect();
    expansion
}

fn kernel_for_rustc(attr: TokenStream, item: TokenStream) -> Expansion {
    let state = State::new(Kind::Kernel, attr, item);
    if let Some(function) = front::read_function(&state.item)
        && let Some(instances) = front::instances(&state.attr, &function)
    {
        return generic::kernel(&function, instances).into();
    }
    // The type is emitted at once. If a device function is not found, only that is an error, and not every use of the
    // kernel.
    let ty = front::read_function(&state.item).filter(|function| function.sig.receiver().is_none());
    let ty = ty.map(|function| emit::kernel_type(&function, &Attributes::of(&function.attrs)));
    let mut expansion = step(state);
    expansion.tokens = ty.into_iter().chain([expansion.tokens]).collect();
    expansion
}

/// Expands `#[device(attr)] item`.
pub(crate) fn device(attr: TokenStream, item: TokenStream) -> Expansion {
    let state = State::new(Kind::Device, attr, item);
    let item = DeviceItem::parse(state.item.clone());
    let author = match item {
        Some(DeviceItem::Function(_)) | None => editor::author(&state.item),
        Some(_) => TokenStream::new(),
    };
    let expansion = step(state);
    match item {
        // Paths inside of a module are resolved there.
        Some(DeviceItem::Module(of)) => module::around(&of, &expansion.tokens).into(),
        _ => [author, expansion.tokens].into_iter().collect::<TokenStream>().into(),
    }
}

/// Continues the expansion after the macro of a device item was expanded.
pub(crate) fn resume(state: TokenStream) -> Expansion {
    match State::resume(state) {
        Some(Resumed::Found(state) | Resumed::NotADeviceConstant(state)) => step(state),
        Some(Resumed::NotADeviceItem { path, item }) => {
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

/// Requests the source of the next missing device item; expands the item if none is missing.
fn step(mut state: State) -> Expansion {
    if let Some(call) = state.next_call() {
        return call.into();
    }
    match state.kind {
        Kind::Kernel => expand_kernel(state.attr, state.item, &state.devices),
        Kind::Device => expand_device_item(state).into(),
    }
}

fn expand_device_item(State { attr, item, devices, .. }: State) -> TokenStream {
    match DeviceItem::parse(item.clone()) {
        Some(DeviceItem::Module(of)) => module::contents(&of, &devices),
        _ => device::item(attr, item, &devices),
    }
}

/// Expands a kernel, without its type.
fn expand_kernel(attr: TokenStream, item: TokenStream, devices: &Devices) -> Expansion {
    let devices = &devices.needed_by_kernel(&item);
    let Compiled { kernel, item: function, malformed, spans } =
        front::compile_with(attr.clone(), item.clone(), devices);
    let both = kernel.and_then(|kernel| {
        let backward = adjoint::differentiate(&kernel)?;
        Ok((kernel, backward))
    });
    match (both, function) {
        (Ok((kernel, backward)), Some(mut function)) => {
            body::without_messages(&attr, &mut function.block);
            let texts = Texts::new(&kernel, backward.as_ref(), source::format(attr, item, devices));
            let tokens = emit::kernel(&kernel, backward.as_ref(), &function, &texts);
            Expansion { tokens, stages: texts.into_stages() }
        }
        (Ok(_), None) => Expansion { tokens: item, stages: Vec::new() },
        (Err(diagnostics), function) => {
            // rustc itself reports a function that is not valid Rust.
            let mut tokens = if malformed { TokenStream::new() } else { errors::render(&diagnostics, &spans) };
            tokens.extend(match function {
                Some(function) => stub::kernel(&function),
                None => stub::other_item(item),
            });
            Expansion { tokens, stages: Vec::new() }
        }
    }
}
