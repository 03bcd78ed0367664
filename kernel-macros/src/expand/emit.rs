//! The code of a correct kernel: a type with its launch functions and texts, and its registry entry.

use super::arg::Arg;
use super::attributes::Attributes;
use super::host::{self, HostFunction};
use super::launch;
use super::names::{ours, runtime};
use super::texts::{PassTexts, Texts};
use super::winners;
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::analysis::TileExtent;
use kernel_ir::ir::ParamId;
use kernel_ir::target::Target;
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

/// The items that replace the function, without its [type](kernel_type).
pub(super) fn kernel(
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    function: &syn::ItemFn,
    texts: &Texts,
) -> TokenStream {
    let attributes = Attributes::of(&function.attrs);
    let (vis, name) = (&function.vis, &function.sig.ident);
    let constants = constants(vis, &kernel.name, &kernel.family, texts);
    let promises = backward.map(|backward| backward.promises.clone()).unwrap_or_default();
    let forward = HostFunction::forward(kernel, function, &attributes, promises);
    let adjoint = backward.map(|backward| HostFunction::backward(backward, &Arg::structs(&forward.args)));
    let launch = launch::function(vis, kernel, backward, &forward);
    let both_phases =
        backward.zip(adjoint.as_ref()).and_then(|(backward, host)| winners::function(vis, backward, host));
    // A phase of an adjoint has no meaning on its own, so it is private.
    let vis_of_adjoint = if both_phases.is_some() { &syn::Visibility::Inherited } else { vis };
    let cpu = forward.function(vis);
    let cpu_backward = adjoint.as_ref().map(|host| host.function(vis_of_adjoint));
    let items = quote_spanned!(ours()=> #constants #launch #cpu #cpu_backward #both_phases);
    let associated = associated(name, &attributes, items);
    let entry = registry_entry(name, texts, &forward, backward.zip(adjoint.as_ref()));
    let on_items = &attributes.on_items;
    quote_spanned! {ours()=>
        #associated

        #(#on_items)*
        #[allow(deprecated, clippy::used_underscore_binding, reason = "the macro writes the same for every kernel")]
        const _: () = {
            #entry
        };
    }
}

/// The type of the kernel, and a function of the same name that rejects calls. It is a function and not a constant,
/// because a local variable may have the name of a function: a `let` with the name of a constant is a pattern that matches
/// the constant.
pub(super) fn kernel_type(function: &syn::ItemFn, attributes: &Attributes) -> TokenStream {
    let (vis, name, attrs) = (&function.vis, &function.sig.ident, &attributes.on_type);
    let rt = runtime();
    let on_items = &attributes.on_items;
    // The first argument has the bound, so rustc checks it even if the number of arguments is wrong.
    let others = function.sig.inputs.iter().skip(1).map(|_| quote_spanned!(ours()=> _: impl #rt::Sized));
    quote_spanned! {ours()=>
        #(#attrs)*
        #[derive(#rt::Clone, #rt::Copy, #rt::Debug)]
        #[allow(
            dead_code,
            non_camel_case_types,
            rustdoc::broken_intra_doc_links,
            reason = "a kernel keeps the name of its function, and its doc has formulas with brackets"
        )]
        #vis struct #name {}

        #(#on_items)*
        #[doc(hidden)]
        #[allow(dead_code, deprecated, unreachable_pub, clippy::too_many_arguments, reason = "its error explains a call of a kernel")]
        #vis fn #name(_: impl #rt::ArgumentOfCall<#name>, #(#others),*) {}
    }
}

/// The `impl` of the kernel type with these `items`.
pub(super) fn associated(name: &Ident, attributes: &Attributes, items: TokenStream) -> TokenStream {
    let attrs = &attributes.on_items;
    quote_spanned! {ours()=>
        #(#attrs)*
        #[allow(
            dead_code,
            deprecated,
            unreachable_pub,
            clippy::missing_errors_doc,
            clippy::too_many_arguments,
            clippy::used_underscore_binding,
            reason = "the macro writes the same for every kernel"
        )]
        impl #name {
            #items
        }
    }
}

/// The associated constants.
pub(super) fn constants(vis: &syn::Visibility, name: &str, family: &str, texts: &Texts) -> TokenStream {
    let rt = runtime();
    let Texts { rust, python, forward, backward } = texts;
    let targets = of_targets(vis, forward, "FORWARD", "The kernel");
    let ir = &forward.ir;
    let backward = backward.as_ref().map(|texts| {
        let targets = of_targets(vis, texts, "BACKWARD", "The adjoint of the kernel");
        let ir = &texts.ir;
        quote_spanned! {ours()=>
            /// The adjoint of the kernel in Weft's intermediate representation, as text.
            #vis const IR_BACKWARD: &'static #rt::str = #ir;
            #targets
        }
    });
    quote_spanned! {ours()=>
        /// The name of the kernel.
        #vis const NAME: &'static #rt::str = #name;
        /// The family that the kernel belongs to.
        #vis const FAMILY: &'static #rt::str = #family;
        /// The annotated function, formatted.
        #vis const RUST_SOURCE: &'static #rt::str = #rust;
        /// The kernel in Weft's intermediate representation, as text.
        #vis const IR: &'static #rt::str = #ir;
        #targets
        /// The kernel as an NVIDIA Warp Python module.
        #vis const PYTHON: &'static #rt::str = #python;
        #backward
    }
}

/// A constant for each target, such as `CUDA_FORWARD` for `cuda`.
fn of_targets(vis: &syn::Visibility, texts: &PassTexts, pass: &str, what: &str) -> TokenStream {
    let rt = runtime();
    let constants = texts.targets.iter().map(|(target, text)| {
        let (constant, doc) = (constant_of(target, pass), format!(" {what} in {}.", target.language));
        quote_spanned!(ours()=> #[doc = #doc] #vis const #constant: &'static #rt::str = #text;)
    });
    constants.collect()
}

/// The name of the constant with the text of a pass for `target`.
fn constant_of(target: &Target, pass: &str) -> Ident {
    Ident::new(&format!("{}_{pass}", target.id.to_uppercase()), ours())
}

/// The texts of a pass, for the registry.
fn registered_texts(name: &Ident, texts: &PassTexts, pass: &str) -> TokenStream {
    let each = texts.targets.iter().map(|(target, _)| {
        let (id, constant) = (target.id, constant_of(target, pass));
        quote_spanned!(ours()=> (#id, #name::#constant))
    });
    quote_spanned!(ours()=> &[#(#each),*])
}

/// The registry entry, with the CPU versions that take arguments as data.
fn registry_entry(
    name: &Ident,
    texts: &Texts,
    forward: &HostFunction,
    adjoint: Option<(&Backward, &HostFunction)>,
) -> TokenStream {
    let rt = runtime();
    let targets = registered_texts(name, &texts.forward, "FORWARD");
    let cpu = forward.on_data(name);
    let execution = forward.execution();
    let promises = adjoint.iter().flat_map(|(backward, _)| &backward.promises).map(|promise| {
        let (ParamId(array), structure) = (promise.array, host::structure(promise.structure));
        quote_spanned!(ours()=> #rt::Promise { array: #rt::ParamId(#array), structure: #structure })
    });
    let promises: Vec<TokenStream> = promises.collect();
    let tiles = forward.tiles.iter().map(|TileExtent { array: ParamId(array), axis, fit }| {
        let fit = host::tile_fit(*fit);
        quote_spanned!(ours()=> #rt::TileExtent { array: #rt::ParamId(#array), axis: #axis, fit: #fit })
    });
    let (cpu_backward, backward) = match adjoint {
        Some((backward, host)) => {
            let targets = texts.backward.as_ref().map(|texts| registered_texts(name, texts, "BACKWARD"));
            (Some(host.on_data(name)), backward_info(name, backward, host, targets))
        }
        None => (None, quote_spanned!(ours()=> #rt::None)),
    };
    quote_spanned! {ours()=>
        #cpu
        #cpu_backward

        impl #name {
            const INFO: #rt::KernelInfo = #rt::KernelInfo::new(
                #name::NAME,
                #rt::module_path!(),
                #name::FAMILY,
                #name::RUST_SOURCE,
                #name::IR,
                #targets,
                #name::PYTHON,
                cpu,
                #execution,
                #backward,
                &[#(#promises),*],
                &[#(#tiles),*],
            );
        }

        #rt::submit!(#name::INFO);
    }
}

/// The registry entry of the adjoint.
fn backward_info(name: &Ident, backward: &Backward, host: &HostFunction, targets: Option<TokenStream>) -> TokenStream {
    let rt = runtime();
    let id = |ParamId(number): ParamId| quote_spanned!(ours()=> #rt::ParamId(#number));
    let sources = backward.sources.iter().map(|source| {
        let variant = match source {
            Source::Primal(_) => quote_spanned!(ours()=> Primal),
            Source::Result(_) => quote_spanned!(ours()=> Result),
            Source::Counting => quote_spanned!(ours()=> Counting),
            Source::Winners(_) => quote_spanned!(ours()=> Winners),
            Source::Adjoint(_) => quote_spanned!(ours()=> Adjoint),
        };
        let of = source.param().map(id).map(|id| quote_spanned!(ours()=> (#id)));
        quote_spanned!(ours()=> #rt::Source::#variant #of)
    });
    let (execution, cpu) = (host.execution(), &host.name);
    quote_spanned! {ours()=>
        #rt::Some(#rt::BackwardInfo::new(
            #name::IR_BACKWARD,
            #targets,
            #cpu,
            #execution,
            &[#(#sources),*],
        ))
    }
}
