//! `cpu_backward` for a kernel whose adjoint [counts winners](kernel_ir::adjoint): it runs both launches of the
//! adjoint, with initial counts before and shares after them.

use super::arg::Arg;
use super::host::HostFunction;
use super::names::{ours, runtime};
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::ir::ParamId;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// An argument of the function.
enum Argument<'a> {
    /// An argument of the adjoint kernel.
    Own(&'a Arg<'a>),
    /// An array under `atomic_min` or `atomic_max`, from before the launch.
    Before(ParamId),
}

/// The function; `None` if the adjoint, whose CPU version is `host`, counts no winners.
pub(super) fn function(vis: &syn::Visibility, backward: &Backward, host: &HostFunction<'_>) -> Option<TokenStream> {
    let phase = backward.sources.iter().position(|source| *source == Source::Counting)?;
    let both = BothLaunches { backward, args: &host.args };
    let rt = runtime();
    let dim = usize::from(backward.kernel.dim);
    let params = both.arguments().map(|argument| both.param(&argument));
    let extrema: Vec<Extremum<'_>> = both.extrema().collect();
    let counts = extrema.iter().map(Extremum::count);
    let unwraps: Vec<TokenStream> = both.arguments().filter_map(|argument| both.unwrap(&argument)).collect();
    let name = &host.name;
    let launch = |counting: bool| {
        let passed = host.args.iter().enumerate().map(|(place, arg)| {
            let ident = &arg.ident;
            match backward.sources[place] {
                _ if place == phase => counting.to_token_stream(),
                Source::Winners(_) if arg.param.rank() == 1 => {
                    arg.wrapped(quote_spanned!(ours()=> #ident.as_mut_slice()))
                }
                Source::Winners(_) => arg.wrapped(quote_spanned!(ours()=> &mut #ident)),
                // It is used again after this launch.
                _ if arg.param.is_mutable() && arg.param.is_optional() => {
                    arg.wrapped(quote_spanned!(ours()=> &mut *#ident))
                }
                _ if arg.param.is_optional() => arg.wrapped(quote_spanned!(ours()=> &*#ident)),
                _ => ident.to_token_stream(),
            }
        });
        quote_spanned!(ours()=> Self::#name(dim, #(#passed),*)?;)
    };
    let (counting, adjoint) = (launch(true), launch(false));
    let shares = extrema.iter().map(Extremum::share);
    Some(quote_spanned! {ours()=>
        /// Runs the adjoint of the kernel on the CPU, for a launch of `dim`. It adds to the adjoints of the parameters that
        /// the kernel reads, and turns the adjoints of arrays after the launch into those before it. An array under
        /// `atomic_min` or `atomic_max` is passed twice: as it was after the launch and, after the arguments that the adjoint
        /// reads, as it was before it. Winners share the adjoint. The old value is a winner if the launch did not change it.
        ///
        /// # Errors
        /// A thread fails: an index out of bounds, an integer overflow, a division by zero. Threads after the first
        /// one that failed may have run too. Or an array from before the launch, or its adjoint, has another shape than
        /// the array.
        #vis fn cpu_backward(
            dim: impl #rt::LaunchDim<#dim>,
            #(#params),*
        ) -> #rt::Result<(), #rt::LaunchError> {
            let dim = #rt::LaunchDim::extents(dim);
            #(#unwraps)*
            #(#counts)*
            #counting
            #adjoint
            #(#shares)*
            #rt::Ok(())
        }
    })
}

/// The name of an array from before the launch. Its hygiene keeps it apart from the author's names.
pub(super) fn name_before(ident: &Ident) -> Ident {
    format_ident!("{}_before", ident, span = ours())
}

/// The adjoint, with the arguments of one launch.
struct BothLaunches<'a> {
    backward: &'a Backward,
    args: &'a [Arg<'a>],
}

impl<'a> BothLaunches<'a> {
    /// The arguments of the adjoint without its phase, and with arrays from before the launch in the place of counts.
    fn arguments(&self) -> impl Iterator<Item = Argument<'a>> {
        self.backward.sources.iter().zip(self.args).filter_map(|(source, arg)| match source {
            Source::Counting => None,
            Source::Winners(id) => Some(Argument::Before(*id)),
            Source::Primal(_) | Source::Result(_) | Source::Adjoint(_) => Some(Argument::Own(arg)),
        })
    }

    fn param(&self, argument: &Argument<'_>) -> TokenStream {
        match argument {
            Argument::Before(id) => {
                let after = self.arg(Source::Result(*id));
                let (name, ty) = (name_before(&after.ident), &after.ty);
                quote_spanned!(ours()=> #name: #ty)
            }
            Argument::Own(arg) => {
                let (ident, ty) = (&arg.ident, self.ty(arg));
                quote_spanned!(ours()=> #ident: #ty)
            }
        }
    }

    /// The statements that turn an optional array into an array.
    fn unwrap(&self, argument: &Argument<'_>) -> Option<TokenStream> {
        match argument {
            Argument::Before(id) => {
                let after = self.arg(Source::Result(*id));
                after.unwrap(&name_before(&after.ident), false)
            }
            Argument::Own(arg) => arg.unwrap(&arg.ident, arg.param.is_mutable() || self.is_shared_out(arg)),
        }
    }

    /// The type of an argument. The adjoint kernel only reads the adjoint of an array with winners, but the share at
    /// the end changes it.
    fn ty(&self, arg: &Arg<'_>) -> TokenStream {
        if self.is_shared_out(arg) { arg.mutable_type() } else { arg.ty.clone() }
    }

    /// Whether an argument is the adjoint of an array with winners.
    fn is_shared_out(&self, arg: &Arg<'_>) -> bool {
        self.extrema().any(|extremum| std::ptr::eq(extremum.adjoint, arg))
    }

    /// The argument of the adjoint with this source.
    fn arg(&self, source: Source) -> &'a Arg<'a> {
        let place = self.backward.sources.iter().position(|of| *of == source);
        &self.args[place.expect("an array with winners has a result and an adjoint")]
    }

    /// The arrays with winners.
    fn extrema(&self) -> impl Iterator<Item = Extremum<'a>> {
        let place_of =
            |wanted: &dyn Fn(&Argument<'a>) -> bool| self.arguments().position(|arg| wanted(&arg)).unwrap_or(0);
        self.backward.sources.iter().zip(self.args).filter_map(move |(source, winners)| {
            let Source::Winners(id) = *source else { return None };
            let (after, adjoint) = (self.arg(Source::Result(id)), self.arg(Source::Adjoint(id)));
            Some(Extremum {
                label: &self.backward.kernel.name,
                winners,
                after,
                adjoint,
                before_place: place_of(&|arg| matches!(arg, Argument::Before(of) if *of == id)),
                adjoint_place: place_of(&|arg| matches!(arg, Argument::Own(arg) if std::ptr::eq(*arg, adjoint))),
            })
        })
    }
}

/// The arguments of one array under `atomic_min` or `atomic_max`.
struct Extremum<'a> {
    label: &'a str,
    winners: &'a Arg<'a>,
    after: &'a Arg<'a>,
    adjoint: &'a Arg<'a>,
    before_place: usize,
    adjoint_place: usize,
}

impl Extremum<'_> {
    /// The statement that declares the counts.
    fn count(&self) -> TokenStream {
        let (rt, label) = (runtime(), self.label);
        let (winners, before, after, adjoint) =
            (&self.winners.ident, name_before(&self.after.ident), &self.after.ident, &self.adjoint.ident);
        let (before_place, adjoint_place) = (self.before_place, self.adjoint_place);
        let shape = |ident: &Ident| match self.after.param.rank() {
            1 => quote_spanned!(ours()=> [#ident.len()]),
            _ => quote_spanned!(ours()=> #ident.shape()),
        };
        let [shape_after, shape_before, shape_adjoint] = [after, &before, adjoint].map(shape);
        let [after, before] = [after, &before].map(|ident| self.elements(ident));
        quote_spanned! {ours()=>
            let mut #winners = #rt::Extremum {
                kernel: #label,
                after: (#shape_after, #after),
                before: (#shape_before, #before),
                before_place: #before_place,
                adjoint: #shape_adjoint,
                adjoint_place: #adjoint_place,
            }.first_winners()?;
        }
    }

    /// The statement that computes the share of the value from before.
    fn share(&self) -> TokenStream {
        let (rt, winners, adjoint) = (runtime(), &self.winners.ident, &self.adjoint.ident);
        let [before, after] = [&name_before(&self.after.ident), &self.after.ident].map(|ident| self.elements(ident));
        let adjoint = match self.after.param.rank() {
            1 => adjoint.to_token_stream(),
            _ => quote_spanned!(ours()=> #adjoint.as_mut_slice()),
        };
        quote_spanned!(ours()=> #rt::share_of_before(#before, #after, #winners.as_slice(), #adjoint);)
    }

    fn elements(&self, ident: &Ident) -> TokenStream {
        match self.after.param.rank() {
            1 => ident.to_token_stream(),
            _ => quote_spanned!(ours()=> #ident.as_slice()),
        }
    }
}
