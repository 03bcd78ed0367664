//! The functions that run a launch on the CPU: on plain Rust arguments, and on arguments as data for the registry.

use super::arg::Arg;
use super::attributes::Attributes;
use super::body;
use super::names::{ours, runtime};
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::check::CheckedKernel;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// A function that runs every thread of a launch.
pub(super) struct HostFunction<'a> {
    /// `cpu` or `cpu_backward`.
    name: Ident,
    /// What errors call the kernel: an expression.
    label: TokenStream,
    /// What it does, for its doc comment.
    summary: &'static str,
    dim: usize,
    pub(super) args: Vec<Arg<'a>>,
    /// The arguments that all threads add to and none reads: the adjoints of by-value parameters.
    sums: Vec<Ident>,
    /// `fn thread(index, args…)`.
    thread: TokenStream,
}

impl<'a> HostFunction<'a> {
    /// `cpu`: the author's own body.
    pub(super) fn forward(
        kernel: &'a CheckedKernel,
        function: &syn::ItemFn,
        attributes: &Attributes,
    ) -> HostFunction<'a> {
        let kernel_type = &function.sig.ident;
        HostFunction {
            name: Ident::new("cpu", ours()),
            label: quote_spanned!(ours()=> #kernel_type::NAME),
            summary: "Runs the kernel on the CPU, once for every index of `dim`, in row-major order.",
            dim: kernel.dim.into(),
            args: kernel.params.iter().zip(&function.sig.inputs).filter_map(Arg::of_author).collect(),
            sums: Vec::new(),
            thread: body::thread(kernel, function, attributes),
        }
    }

    /// `cpu_backward`: the body that the compiler made.
    pub(super) fn backward(kernel: &CheckedKernel, backward: &'a Backward) -> HostFunction<'a> {
        let Backward { kernel: adjoint, sources, .. } = backward;
        let args: Vec<Arg> = adjoint.params.iter().map(Arg::of_compiler).collect();
        let is_sum = |source: &Source, arg: &Arg| match source {
            Source::Adjoint(of) => kernel.param(*of).rank() == 0 && arg.param.is_mutable(),
            _ => false,
        };
        let sums = sources.iter().zip(&args).filter(|(source, arg)| is_sum(source, arg));
        let sums = sums.map(|(_, arg)| arg.ident.clone()).collect();
        HostFunction {
            name: Ident::new("cpu_backward", ours()),
            label: adjoint.name.to_token_stream(),
            summary: "Runs the adjoint of the kernel on the CPU, for a launch of `dim`: it adds to the adjoints of what \
                      the kernel reads, and turns those of the arrays after the launch into those before it.",
            dim: adjoint.dim.into(),
            thread: body::compiled_thread(adjoint, &args),
            args,
            sums,
        }
    }

    /// The function itself. What `dim` can be makes it generic; the loop over the threads inside is not, and is compiled
    /// once. What all threads add to is a local meanwhile: that nobody sees after a panic, so it can stay in a register.
    pub(super) fn function(&self, vis: &syn::Visibility) -> TokenStream {
        let rt = runtime();
        let HostFunction { name, label, summary, dim, args, sums, thread } = self;
        let idents: Vec<&Ident> = args.iter().map(|arg| &arg.ident).collect();
        let types: Vec<&TokenStream> = args.iter().map(|arg| &arg.ty).collect();
        let sum = |ident: &Ident| format_ident!("{}_sum", ident, span = ours());
        let locals: Vec<Ident> = sums.iter().map(sum).collect();
        let passed = idents.iter().map(|ident| match sums.contains(ident) {
            true => {
                let local = sum(ident);
                quote_spanned!(ours()=> &mut #local)
            }
            false => ident.to_token_stream(),
        });
        quote_spanned! {ours()=>
            #[doc = #summary]
            ///
            /// # Errors
            /// A thread fails: an index out of bounds, an integer overflow, a division by zero. The arrays are as the
            /// threads up to there left them.
            #vis fn #name(
                dim: impl #rt::LaunchDim<#dim>,
                #(#idents: #types),*
            ) -> #rt::Result<(), #rt::LaunchError> {
                fn all(dim: [#rt::usize; #dim], #(#idents: #types),*) -> #rt::Result<(), #rt::LaunchError> {
                    #thread
                    #rt::run(#label, dim, |threads| {
                        #(let mut #locals = [#sums[0]];)*
                        threads.each(|index| thread(index, #(#passed),*));
                        #(#sums[0] = #locals[0];)*
                    })
                }
                all(#rt::LaunchDim::extents(dim), #(#idents),*)
            }
        }
    }

    /// A function of the same name on arguments as data; `kernel_type` has the function itself.
    pub(super) fn on_data(&self, kernel_type: &Ident) -> TokenStream {
        let rt = runtime();
        let HostFunction { name, label, dim, args, .. } = self;
        let idents = args.iter().map(|arg| &arg.ident);
        let count = args.len();
        let reads = args.iter().map(|arg| {
            let (ident, param, elem, rank) = (&arg.ident, &arg.param.name, arg.elem(), arg.param.rank());
            let host = arg.host();
            match (rank, arg.param.is_mutable()) {
                (0, _) => quote_spanned!(ours()=> let #ident = #rt::value::<#elem>(#label, #param, #ident)?;),
                (1, false) => quote_spanned!(ours()=> let #ident = #rt::slice::<#elem>(#label, #param, #ident)?;),
                (1, true) => quote_spanned!(ours()=> let #ident = #rt::slice_mut::<#elem>(#label, #param, #ident)?;),
                (_, false) => {
                    quote_spanned!(ours()=> let #host = #rt::array::<#elem, #rank>(#label, #param, #ident)?;)
                }
                (_, true) => {
                    quote_spanned!(ours()=> let mut #host = #rt::array::<#elem, #rank>(#label, #param, #ident)?;)
                }
            }
        });
        let passed = args.iter().map(|arg| {
            let (ident, host) = (&arg.ident, arg.host());
            match (arg.param.rank(), arg.param.is_mutable()) {
                (0 | 1, _) => ident.to_token_stream(),
                (_, false) => quote_spanned!(ours()=> &#host),
                (_, true) => quote_spanned!(ours()=> &mut #host),
            }
        });
        let stores = args.iter().filter(|arg| arg.param.rank() > 1 && arg.param.is_mutable()).map(|arg| {
            let (ident, host) = (&arg.ident, arg.host());
            quote_spanned!(ours()=> #rt::store(#ident, &#host);)
        });
        quote_spanned! {ours()=>
            fn #name(dim: &[#rt::usize], args: &mut [#rt::Arg]) -> #rt::Result<(), #rt::LaunchError> {
                let dim = #rt::launch_dim::<#dim>(#label, dim)?;
                let [#(#idents),*] = #rt::each_arg::<#count>(#label, args)?;
                #(#reads)*
                let result = #kernel_type::#name(dim, #(#passed),*);
                #(#stores)*
                result
            }
        }
    }
}
