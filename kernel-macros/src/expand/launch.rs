//! The function `launch(&device, dim, (args))`, with the pullback that a tape records.

use super::arg::{Arg, wrapped};
use super::host::HostFunction;
use super::names::{ours, runtime};
use super::winners::name_before;
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::ir::{Param, ParamId};
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use std::collections::BTreeSet;

/// The function `launch`. `host` is the CPU version of the kernel.
pub(super) fn function(
    vis: &syn::Visibility,
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    host: &HostFunction<'_>,
) -> TokenStream {
    let rt = runtime();
    let args = host.args.as_slice();
    let dim = usize::from(kernel.dim);
    let saved = Saved::of(backward);
    let idents = args.iter().map(|arg| &arg.ident);
    let types = args.iter().map(Arg::device_type);
    let unwraps = args.iter().map(Arg::unwrap_on_device);
    let passed = numbered(args).map(|(id, arg)| {
        let (ident, param) = (&arg.ident, &arg.param.name);
        if !arg.is_array() {
            return quote_spanned!(ours()=> #rt::Passed::Value { param: #param, value: &#ident });
        }
        let (writes, needed) = (arg.param.is_mutable(), saved.has(id));
        quote_spanned! {ours()=>
            #rt::Passed::Array(#rt::Access { param: #param, array: #ident, writes: #writes, needed: #needed })
        }
    });
    let before: Vec<&Ident> =
        numbered(args).filter(|(id, _)| saved.before.contains(id)).map(|(_, arg)| &arg.ident).collect();
    let before_names = before.iter().map(|ident| name_before(ident));
    let forward = forward(args, &host.unchecked());
    let passed_on: Vec<&Ident> = args.iter().map(|arg| &arg.ident).collect();
    let params: Vec<TokenStream> = args.iter().map(Arg::device_inner).collect();
    let handles: Vec<&Ident> = args.iter().filter(|arg| arg.is_array()).map(|arg| &arg.ident).collect();
    let kept = args.iter().map(|arg| {
        let ident = &arg.ident;
        if arg.is_array() { quote_spanned!(ours()=> &#ident) } else { ident.to_token_stream() }
    });
    let pullback = match backward {
        Some(backward) => pullback(backward, &saved, args),
        None if kernel.no_grad => quote_spanned!(ours()=> #rt::Pullback::Refused),
        None => quote_spanned!(ours()=> #rt::Pullback::Identity),
    };
    quote_spanned! {ours()=>
        /// Runs the kernel, once for every index of `dim`, on a device or on a tape.
        ///
        /// # Errors
        /// An array that the kernel writes to is passed twice, or a thread fails.
        #vis fn launch<On: #rt::Launcher>(
            on: &On,
            dim: impl #rt::LaunchDim<#dim>,
            (#(#idents,)*): (#(#types,)*),
        ) -> #rt::Result<On::Launched, #rt::LaunchError> {
            let dim = #rt::LaunchDim::extents(dim);
            #(#unwraps)*
            let forward = move |#(#passed_on: #params),*| { #forward };
            #rt::Launcher::launch(
                on,
                #rt::Launch { kernel: &Self::INFO, dim: &dim, args: &[#(#passed),*] },
                || (#(#rt::read(#before),)*),
                || forward(#(#passed_on),*),
                || {
                    #(let #handles = #rt::Clone::clone(#handles);)*
                    #rt::Replay::new(move || forward(#(#kept),*))
                },
                |(#(#before_names,)*)| { #pullback },
            )
        }
    }
}

/// The launch on host elements.
fn forward(args: &[Arg], cpu: &Ident) -> TokenStream {
    let rt = runtime();
    let holds = args.iter().filter(|arg| arg.is_array()).map(|arg| {
        let ident = &arg.ident;
        match arg.param.is_mutable() {
            true => quote_spanned!(ours()=> let mut #ident = #rt::write(Self::NAME, #ident);),
            false => quote_spanned!(ours()=> let #ident = #rt::read(#ident);),
        }
    });
    let passed = args.iter().map(|arg| {
        let ident = &arg.ident;
        arg.wrapped(match (arg.param.rank(), arg.param.is_mutable()) {
            (0, _) => ident.to_token_stream(),
            (1, false) => quote_spanned!(ours()=> #ident.as_slice()),
            (1, true) => quote_spanned!(ours()=> #ident.array().as_mut_slice()),
            (_, false) => quote_spanned!(ours()=> &#ident),
            (_, true) => quote_spanned!(ours()=> #ident.array()),
        })
    });
    quote_spanned! {ours()=>
        #(#holds)*
        Self::#cpu(dim, #(#passed),*)
    }
}

/// The pullback: it takes adjoints from the tape, calls the adjoint and stores the results. Handles, by-value arguments
/// and saved elements move into its closure.
fn pullback(backward: &Backward, saved: &Saved, args: &[Arg]) -> TokenStream {
    let rt = runtime();
    let arg = |ParamId(number): ParamId| args.get(number as usize);
    let after = saved.after.iter().filter_map(|id| arg(*id)).map(|arg| {
        let (ident, after) = (&arg.ident, name_after(&arg.ident));
        quote_spanned!(ours()=> let #after = #rt::read(#ident);)
    });
    // The adjoint kernel only reads the adjoint of an array with winners, but `cpu_backward` changes it.
    let changes = |id: ParamId, param: &Param| param.is_mutable() || backward.sources.contains(&Source::Winners(id));
    let adjoints = backward.sources.iter().zip(&backward.kernel.params).filter_map(|(source, param)| match *source {
        Source::Adjoint(id) => Some((arg(id)?, changes(id, param))),
        Source::Primal(_) | Source::Result(_) | Source::Counting | Source::Winners(_) => None,
    });
    let adjoints: Vec<(&Arg, bool)> = adjoints.collect();
    let handles = adjoints.iter().filter(|(arg, _)| arg.is_array()).map(|(arg, _)| {
        let ident = &arg.ident;
        quote_spanned!(ours()=> let #ident = #rt::Clone::clone(#ident);)
    });
    let takes = adjoints.iter().map(|(arg, changes)| {
        let (ident, adjoint) = (&arg.ident, name_adjoint(&arg.ident));
        let mutable = changes.then(|| quote_spanned!(ours()=> mut));
        match arg.is_array() {
            true => quote_spanned!(ours()=> let #mutable #adjoint = adjoints.take(&#ident);),
            false => {
                let ty = arg.elem();
                quote_spanned!(ours()=> let #mutable #adjoint = [<#ty as #rt::Element>::zero()];)
            }
        }
    });
    let passed = backward.sources.iter().zip(&backward.kernel.params).filter_map(|(source, param)| {
        let (name, rank, changes) = match *source {
            Source::Primal(id) if param.rank() == 0 => return Some(arg(id)?.ident.to_token_stream()),
            // The array from before the launch takes the place of the counts, which `cpu_backward` computes itself.
            Source::Primal(id) | Source::Winners(id) => (name_before(&arg(id)?.ident), param.rank(), false),
            Source::Result(id) => (name_after(&arg(id)?.ident), param.rank(), false),
            Source::Counting => return None,
            // A value has an adjoint array of one element.
            Source::Adjoint(id) => (name_adjoint(&arg(id)?.ident), arg(id)?.param.rank(), changes(id, param)),
        };
        let array = match (rank, changes) {
            (1, false) => quote_spanned!(ours()=> #name.as_slice()),
            (1, true) => quote_spanned!(ours()=> #name.as_mut_slice()),
            (_, false) => quote_spanned!(ours()=> &#name),
            (_, true) => quote_spanned!(ours()=> &mut #name),
        };
        Some(wrapped(param, array))
    });
    let puts = adjoints.iter().map(|(arg, _)| {
        let (ident, param, adjoint) = (&arg.ident, &arg.param.name, name_adjoint(&arg.ident));
        match arg.is_array() {
            true => quote_spanned!(ours()=> adjoints.put(&#ident, #adjoint);),
            false => quote_spanned!(ours()=> adjoints.put_value(launch, #param, #adjoint[0]);),
        }
    });
    quote_spanned! {ours()=>
        #(#after)*
        #(#handles)*
        #rt::Pullback::run(move |launch, adjoints| {
            #(#takes)*
            Self::cpu_backward(dim, #(#passed),*)?;
            #(#puts)*
            #rt::Ok(())
        })
    }
}

/// The arrays whose elements a tape saves.
struct Saved {
    /// Saved from before the launch.
    before: BTreeSet<ParamId>,
    /// Saved from after the launch.
    after: BTreeSet<ParamId>,
}

impl Saved {
    fn of(backward: Option<&Backward>) -> Saved {
        let mut saved = Saved { before: BTreeSet::new(), after: BTreeSet::new() };
        let Some(backward) = backward else { return saved };
        for (source, param) in backward.sources.iter().zip(&backward.kernel.params) {
            match *source {
                Source::Primal(id) if param.rank() > 0 => saved.before.insert(id),
                Source::Winners(id) => saved.before.insert(id),
                Source::Result(id) => saved.after.insert(id),
                Source::Primal(_) | Source::Counting | Source::Adjoint(_) => false,
            };
        }
        saved
    }

    fn has(&self, id: ParamId) -> bool {
        self.before.contains(&id) || self.after.contains(&id)
    }
}

fn numbered<'a, 'b>(args: &'b [Arg<'a>]) -> impl Iterator<Item = (ParamId, &'b Arg<'a>)> {
    (0..).map(ParamId).zip(args)
}

/// Local variables for saved results and for adjoints. Their hygiene keeps them apart from the author's names.
fn name_after(ident: &Ident) -> Ident {
    format_ident!("{}_after", ident, span = ours())
}

fn name_adjoint(ident: &Ident) -> Ident {
    format_ident!("adj_{}", ident, span = ours())
}
