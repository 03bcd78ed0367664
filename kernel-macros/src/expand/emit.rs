//! The code of a good kernel: a type with its launch functions and texts, and its entry in the registry.

use super::Texts;
use super::attributes::Attributes;
use super::body;
use super::names::{ours, runtime, rust_type};
use kernel_ir::check::CheckedKernel;
use kernel_ir::ir::{Param, ParamKind};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// The items that replace the function.
pub(super) fn kernel(kernel: &CheckedKernel, function: &syn::ItemFn, texts: &Texts) -> TokenStream {
    let attributes = Attributes::of(&function.attrs);
    let args: Vec<Arg> = kernel.params.iter().zip(&function.sig.inputs).filter_map(Arg::new).collect();
    let ty = kernel_type(function, &attributes);
    let (vis, name) = (&function.vis, &function.sig.ident);
    let constants = constants(vis, &kernel.name, &kernel.family, texts);
    let launch = launch(vis, usize::from(kernel.dim), &args);
    let cpu = cpu(vis, name, usize::from(kernel.dim), &args, body::thread(kernel, function, &attributes));
    let associated = associated(name, &attributes, quote_spanned!(ours()=> #constants #launch #cpu));
    let entry = registry_entry(name, usize::from(kernel.dim), &args);
    let on_items = &attributes.on_items;
    quote_spanned! {ours()=>
        #ty

        #associated

        #(#on_items)*
        #[allow(deprecated, clippy::used_underscore_binding, reason = "the macro writes the same for every kernel")]
        const _: () = {
            #entry
        };
    }
}

/// The type that stands for the kernel. It has no value of the same name, so locals may be called like the kernel.
pub(super) fn kernel_type(function: &syn::ItemFn, attributes: &Attributes) -> TokenStream {
    let (vis, name, attrs) = (&function.vis, &function.sig.ident, &attributes.on_type);
    let rt = runtime();
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
    }
}

/// The `impl` of the type, with these `items`.
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
    let Texts { rust, ir, cuda, cpp, python } = texts;
    quote_spanned! {ours()=>
        /// The name of the kernel.
        #vis const NAME: &'static #rt::str = #name;
        /// The family that the kernel belongs to.
        #vis const FAMILY: &'static #rt::str = #family;
        /// The annotated function, formatted.
        #vis const RUST_SOURCE: &'static #rt::str = #rust;
        /// The kernel in Weft's intermediate representation, as text.
        #vis const IR: &'static #rt::str = #ir;
        /// The kernel in CUDA C++.
        #vis const CUDA_FORWARD: &'static #rt::str = #cuda;
        /// The kernel in host C++.
        #vis const CPP_FORWARD: &'static #rt::str = #cpp;
        /// The kernel as an NVIDIA Warp Python module.
        #vis const PYTHON: &'static #rt::str = #python;
    }
}

/// A parameter: what the compiler knows of it, and the author's tokens.
struct Arg<'a> {
    param: &'a Param,
    ident: Ident,
    ty: &'a syn::Type,
}

impl<'a> Arg<'a> {
    /// `None` for what no kernel has: a pattern, or `self`.
    fn new((param, input): (&'a Param, &'a syn::FnArg)) -> Option<Arg<'a>> {
        let syn::FnArg::Typed(typed) = input else { return None };
        let syn::Pat::Ident(pat) = &*typed.pat else { return None };
        Some(Arg { param, ident: pat.ident.clone(), ty: &typed.ty })
    }

    fn elem(&self) -> TokenStream {
        rust_type(self.param.elem())
    }

    fn is_array(&self) -> bool {
        matches!(self.param.kind, ParamKind::Array { .. })
    }

    /// The type of the argument of `launch`.
    fn device_type(&self) -> TokenStream {
        let (rt, elem, rank) = (runtime(), self.elem(), self.param.rank());
        match rank {
            0 => elem,
            1 => quote_spanned!(ours()=> &#rt::DeviceArray<#elem>),
            _ => quote_spanned!(ours()=> &#rt::DeviceArray<#elem, #rank>),
        }
    }
}

/// `launch(&device, dim, (args))`.
fn launch(vis: &syn::Visibility, dim: usize, args: &[Arg]) -> TokenStream {
    let rt = runtime();
    let idents = args.iter().map(|arg| &arg.ident);
    let types = args.iter().map(Arg::device_type);
    let accesses = args.iter().filter(|arg| arg.is_array()).map(|arg| {
        let (ident, name) = (&arg.ident, &arg.param.name);
        match arg.param.is_mutable() {
            true => quote_spanned!(ours()=> #rt::Access::writes(#name, #ident)),
            false => quote_spanned!(ours()=> #rt::Access::reads(#name, #ident)),
        }
    });
    let holds = args.iter().filter(|arg| arg.is_array()).map(|arg| {
        let ident = &arg.ident;
        match arg.param.is_mutable() {
            true => quote_spanned!(ours()=> let mut #ident = launch.write(#ident);),
            false => quote_spanned!(ours()=> let #ident = launch.read(#ident);),
        }
    });
    let passed = args.iter().map(|arg| {
        let ident = &arg.ident;
        match (arg.param.rank(), arg.param.is_mutable()) {
            (0, _) => ident.to_token_stream(),
            (1, false) => quote_spanned!(ours()=> #ident.as_slice()),
            (1, true) => quote_spanned!(ours()=> #ident.array().as_mut_slice()),
            (_, false) => quote_spanned!(ours()=> &#ident),
            (_, true) => quote_spanned!(ours()=> #ident.array()),
        }
    });
    quote_spanned! {ours()=>
        /// Runs the kernel on `device`, once for every index of `dim`.
        ///
        /// # Errors
        /// An array that the kernel writes to is passed twice, or a thread fails.
        #vis fn launch(
            device: &#rt::Device,
            dim: impl #rt::LaunchDim<#dim>,
            (#(#idents,)*): (#(#types,)*),
        ) -> #rt::Result<(), #rt::LaunchError> {
            let launch = #rt::DeviceLaunch::begin(Self::NAME, device, &[#(#accesses),*])?;
            #(#holds)*
            let result = Self::cpu(#rt::LaunchDim::extents(dim), #(#passed),*);
            #rt::drop(launch);
            result
        }
    }
}

/// `cpu(dim, args…)`. What `dim` can be makes it generic; the loop over the threads inside is not, and is compiled once.
fn cpu(vis: &syn::Visibility, name: &Ident, dim: usize, args: &[Arg], thread: TokenStream) -> TokenStream {
    let rt = runtime();
    let idents: Vec<&Ident> = args.iter().map(|arg| &arg.ident).collect();
    let types: Vec<&syn::Type> = args.iter().map(|arg| arg.ty).collect();
    quote_spanned! {ours()=>
        /// Runs the kernel on the CPU, once for every index of `dim`, in row-major order.
        ///
        /// # Errors
        /// A thread fails: an index out of bounds, an integer overflow, a division by zero. The arrays are as the
        /// threads up to there left them.
        #vis fn cpu(
            dim: impl #rt::LaunchDim<#dim>,
            #(#idents: #types),*
        ) -> #rt::Result<(), #rt::LaunchError> {
            fn all(dim: [#rt::usize; #dim], #(#idents: #types),*) -> #rt::Result<(), #rt::LaunchError> {
                #thread
                #rt::run(#name::NAME, dim, |index| thread(index, #(#idents),*))
            }
            all(#rt::LaunchDim::extents(dim), #(#idents),*)
        }
    }
}

/// The entry in the registry, with `cpu` on arguments as data.
fn registry_entry(name: &Ident, dim: usize, args: &[Arg]) -> TokenStream {
    let rt = runtime();
    let idents = args.iter().map(|arg| &arg.ident);
    let count = args.len();
    let reads = args.iter().map(|arg| {
        let (ident, param, elem, rank) = (&arg.ident, &arg.param.name, arg.elem(), arg.param.rank());
        let host = arg.host();
        match (rank, arg.param.is_mutable()) {
            (0, _) => quote_spanned!(ours()=> let #ident = #rt::value::<#elem>(#name::NAME, #param, #ident)?;),
            (1, false) => quote_spanned!(ours()=> let #ident = #rt::slice::<#elem>(#name::NAME, #param, #ident)?;),
            (1, true) => quote_spanned!(ours()=> let #ident = #rt::slice_mut::<#elem>(#name::NAME, #param, #ident)?;),
            (_, false) => {
                quote_spanned!(ours()=> let #host = #rt::array::<#elem, #rank>(#name::NAME, #param, #ident)?;)
            }
            (_, true) => {
                quote_spanned!(ours()=> let mut #host = #rt::array::<#elem, #rank>(#name::NAME, #param, #ident)?;)
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
        fn cpu(dim: &[#rt::usize], args: &mut [#rt::Arg]) -> #rt::Result<(), #rt::LaunchError> {
            let dim = #rt::launch_dim::<#dim>(#name::NAME, dim)?;
            let [#(#idents),*] = #rt::each_arg::<#count>(#name::NAME, args)?;
            #(#reads)*
            let result = #name::cpu(dim, #(#passed),*);
            #(#stores)*
            result
        }

        #rt::submit! {
            #rt::KernelInfo {
                name: #name::NAME,
                module: #rt::module_path!(),
                family: #name::FAMILY,
                rust_source: #name::RUST_SOURCE,
                ir: #name::IR,
                cpp_forward: #name::CPP_FORWARD,
                cuda_forward: #name::CUDA_FORWARD,
                python: #name::PYTHON,
                cpu,
            }
        }
    }
}

impl Arg<'_> {
    /// The local for the copy of an N-D array. It has the macro's hygiene, so it does not meet the author's names.
    fn host(&self) -> Ident {
        format_ident!("{}_host", self.ident, span = ours())
    }
}
