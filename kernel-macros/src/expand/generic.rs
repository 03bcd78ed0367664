//! The expansion of a generic kernel: a kernel for each instance that its author lists, and a type with a `launch` that
//! chooses one of them by the types of the arguments.

use super::attributes::Attributes;
use super::emit::{associated, kernel_type};
use super::names::{ours, runtime};
use super::{errors, stub};
use kernel_ir::front::{Instance, Instances, launch_axes};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;

/// The items that replace the generic function.
pub(super) fn kernel(function: &syn::ItemFn, instances: Instances) -> TokenStream {
    let attributes = Attributes::of(&function.attrs);
    let mut tokens = kernel_type(function, &attributes);
    match instances {
        Ok(instances) => {
            tokens.extend(launch(function, &attributes, &instances));
            let rt = runtime();
            tokens.extend(
                instances.iter().map(|Instance { attr, item }| quote_spanned!(ours()=> #[#rt::kernel(#attr)] #item)),
            );
        }
        Err((mistakes, spans)) => {
            tokens.extend(errors::render(&mistakes, &spans));
            tokens.extend(stub::kernel(function));
        }
    }
    tokens
}

/// The function `launch`, and the arguments that it takes: those of each instance whose types are its own.
fn launch(function: &syn::ItemFn, attributes: &Attributes, instances: &[Instance]) -> TokenStream {
    let rt = runtime();
    let (vis, name, on_items) = (&function.vis, &function.sig.ident, &attributes.on_items);
    let axes = usize::from(launch_axes(&function.block));
    let types: Vec<TokenStream> = instances.iter().map(arguments).collect();
    let mut uses: HashMap<String, usize> = HashMap::new();
    types.iter().for_each(|types| *uses.entry(types.to_string()).or_default() += 1);
    let own = types.iter().zip(instances).filter(|(types, _)| uses[&types.to_string()] == 1);
    let implementations = own.map(|(types, Instance { item, .. })| {
        let instance = &item.sig.ident;
        quote_spanned! {ours()=>
            #(#on_items)*
            #[allow(deprecated, reason = "the macro writes the same for every kernel")]
            impl #rt::ArgumentsOf<#name, #axes> for (#types) {
                fn launch_on<On: #rt::Launcher>(
                    self,
                    on: &On,
                    dim: [#rt::usize; #axes],
                ) -> #rt::Result<On::Launched, #rt::LaunchError> {
                    #instance::launch(on, dim, self)
                }
            }
        }
    });
    let implementations: TokenStream = implementations.collect();
    let items = quote_spanned! {ours()=>
        /// Runs the instance of the kernel for these arguments, once for every index of `dim`, on a device or on a tape.
        ///
        /// # Errors
        /// An array that the kernel writes to is passed twice, or a thread fails.
        #vis fn launch<On: #rt::Launcher, Arguments: #rt::ArgumentsOf<#name, #axes>>(
            on: &On,
            dim: impl #rt::LaunchDim<#axes>,
            arguments: Arguments,
        ) -> #rt::Result<On::Launched, #rt::LaunchError> {
            #rt::ArgumentsOf::launch_on(arguments, on, #rt::LaunchDim::extents(dim))
        }
    };
    let associated = associated(name, attributes, items);
    quote_spanned!(ours()=> #associated #implementations)
}

/// The types of the arguments of a launch.
fn arguments(instance: &Instance) -> TokenStream {
    let types = instance.item.sig.inputs.iter().filter_map(stub::param_type).map(stub::device_type);
    types.flat_map(|ty| [ty, quote_spanned!(ours()=> ,).into_token_stream()]).collect()
}
