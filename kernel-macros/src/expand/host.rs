//! The functions that run a launch on the CPU: one for plain Rust arguments, and one for arguments as data, for the
//! registry.

use super::arg::{Arg, Structs};
use super::attributes::Attributes;
use super::body;
use super::names::{ours, runtime};
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::analysis::{
    Execution, ExtentPrecondition, Lockstep, Promise, Sharing, TileExtent, TileFit, tile_extents,
};
use kernel_ir::ir::{ParamId, Structure};
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

/// A function that runs all threads of a launch.
pub(super) struct HostFunction<'a> {
    /// `cpu` or `cpu_backward`; `cpu_backward_phase` for one of the two launches of an adjoint that counts winners.
    pub(super) name: Ident,
    /// An expression for the kernel's name in errors.
    label: TokenStream,
    /// The positions of the author's array accesses, as in `Body::indexed`.
    indexed: Vec<TokenStream>,
    /// The first line of the doc comment.
    summary: &'static str,
    kernel: &'a VerifiedKernel,
    execution: Execution,
    pub(super) args: Vec<Arg<'a>>,
    /// What the function checks of its arguments before it runs.
    promises: Vec<Promise>,
    pub(super) tiles: Vec<TileExtent>,
    /// `fn thread(index, args…)`.
    thread: TokenStream,
    /// `fn group(group, args…)` for lockstep groups, if the kernel has them.
    group: Option<(Lockstep, TokenStream)>,
}

impl<'a> HostFunction<'a> {
    /// `cpu`, with the author's body. Whole lockstep groups run the compiler's version of it.
    pub(super) fn forward(
        kernel: &'a VerifiedKernel,
        function: &syn::ItemFn,
        attributes: &Attributes,
        promises: Vec<Promise>,
    ) -> HostFunction<'a> {
        let kernel_type = &function.sig.ident;
        let execution = Execution::of(kernel);
        let args: Vec<Arg> = kernel.params.iter().zip(&function.sig.inputs).filter_map(Arg::of_author).collect();
        let types: Vec<TokenStream> = shared_types(&args, &execution);
        HostFunction {
            name: Ident::new("cpu", ours()),
            label: quote_spanned!(ours()=> #kernel_type::NAME),
            indexed: body::indexed(kernel, function),
            summary: "Runs the kernel on the CPU, once for every index of `dim`.",
            thread: body::thread(kernel, function, attributes, &args, &types),
            group: group(kernel, &execution),
            kernel,
            execution,
            args,
            promises,
            tiles: tile_extents(kernel).into_iter().collect(),
        }
    }

    /// `cpu_backward` or one phase of it, with the body that the compiler generated.
    /// `structs` are those of the kernel's parameters.
    pub(super) fn backward(backward: &'a Backward, structs: &Structs) -> HostFunction<'a> {
        let adjoint = &backward.kernel;
        let execution = Execution::of(adjoint);
        let args = Arg::of_compiler(adjoint, structs);
        let types: Vec<TokenStream> = shared_types(&args, &execution);
        let counts = backward.sources.contains(&Source::Counting);
        HostFunction {
            name: Ident::new(if counts { "cpu_backward_phase" } else { "cpu_backward" }, ours()),
            label: adjoint.name.to_token_stream(),
            indexed: Vec::new(),
            summary: "Runs the adjoint of the kernel on the CPU, for a launch of `dim`. It adds to the adjoints of the \
                      parameters that the kernel reads, and turns the adjoints of arrays after the launch into those \
                      before it.",
            thread: body::compiled_thread(adjoint, &args, &types),
            group: group(adjoint, &execution),
            kernel: adjoint,
            execution,
            args,
            // The launch has checked them.
            promises: Vec::new(),
            tiles: Vec::new(),
        }
    }

    /// A phrase that says how the kernel runs and why.
    pub(super) fn execution(&self) -> String {
        let lockstep = if self.group.is_some() { "; groups of threads run loops in lockstep" } else { "" };
        self.execution.describe(self.kernel) + lockstep
    }

    /// The function itself. Its inner items could shadow its parameters, because items have no hygiene; the prefix
    /// `__weft` avoids that. The outer function is generic over `dim`; the inner one is not, so it is compiled once.
    pub(super) fn function(&self, vis: &syn::Visibility) -> TokenStream {
        let rt = runtime();
        let HostFunction { summary, kernel, args, thread, .. } = self;
        let dim = usize::from(kernel.dim);
        let idents: Vec<&Ident> = args.iter().map(|arg| &arg.ident).collect();
        let types: Vec<&TokenStream> = args.iter().map(|arg| &arg.ty).collect();
        let inner: Vec<&TokenStream> = args.iter().map(|arg| &arg.inner).collect();
        let unwraps = args.iter().map(|arg| arg.unwrap(&arg.ident, arg.param.is_mutable()));
        let how = format!(" Runs on {}.", self.execution());
        let threads = self.threads();
        let group = self.group.as_ref().map(|(_, group)| group);
        let launch = self.launch();
        let doc = quote_spanned! {ours()=>
            #[doc = #summary]
            ///
            #[doc = #how]
            ///
            /// # Errors
            /// A thread fails: an index out of bounds, an integer overflow, a division by zero. Threads after the first
            /// one that failed may have run too.
        };
        let name = self.unchecked();
        let checked = self.has_checks().then(|| self.checked(vis, &doc));
        let doc = if checked.is_some() { quote_spanned!(ours()=> #[doc(hidden)]) } else { doc };
        quote_spanned! {ours()=>
            #checked

            #doc
            #vis fn #name(
                dim: impl #rt::LaunchDim<#dim>,
                #(#idents: #types),*
            ) -> #rt::Result<(), #rt::LaunchError> {
                fn __weft_all(dim: [#rt::usize; #dim], #(#idents: #inner),*) -> #rt::Result<(), #rt::LaunchError> {
                    #thread
                    #group
                    #threads
                    #launch
                }
                #(#unwraps)*
                __weft_all(#rt::LaunchDim::extents(dim), #(#idents),*)
            }
        }
    }

    fn has_checks(&self) -> bool {
        !self.promises.is_empty() || !self.tiles.is_empty()
    }

    /// The name of the function that checks nothing before it runs.
    pub(super) fn unchecked(&self) -> Ident {
        match self.has_checks() {
            false => self.name.clone(),
            true => format_ident!("{}_unchecked", self.name),
        }
    }

    /// The function that checks promises and the extents for tiles, and then calls the other one.
    fn checked(&self, vis: &syn::Visibility, doc: &TokenStream) -> TokenStream {
        let rt = runtime();
        let HostFunction { name, label, kernel, args, .. } = self;
        let (dim, unchecked) = (usize::from(kernel.dim), self.unchecked());
        let idents: Vec<&Ident> = args.iter().map(|arg| &arg.ident).collect();
        let types = args.iter().map(|arg| &arg.ty);
        let checks = self.promises.iter().map(|promise| {
            let arg = &args[promise.array.0 as usize];
            let (ident, param, elem, structure) =
                (&arg.ident, &arg.param.name, arg.elem(), structure(promise.structure));
            quote_spanned!(ours()=> #rt::keep(#label, #param, #rt::Option::<&[#elem]>::from(#ident), #structure)?;)
        });
        let covers = self.tiles.iter().map(|needed| {
            let arg = &args[needed.array.0 as usize];
            let (ident, param, axis, fit) = (&arg.ident, &arg.param.name, needed.axis, tile_fit(needed.fit));
            let extent = match arg.param.rank() {
                1 => quote_spanned!(ours()=> #ident.len()),
                _ => {
                    let axis = usize::from(axis);
                    quote_spanned!(ours()=> #ident.shape()[#axis])
                }
            };
            quote_spanned!(ours()=> #rt::cover(#label, #param, #axis, #extent, #fit)?;)
        });
        quote_spanned! {ours()=>
            #doc
            ///
            /// Or the elements of an array are not as its domain says, and the adjoint rests on that; or tiles do not cover an
            /// array. Nothing has run then.
            #vis fn #name(
                dim: impl #rt::LaunchDim<#dim>,
                #(#idents: #types),*
            ) -> #rt::Result<(), #rt::LaunchError> {
                #(#checks)*
                #(#covers)*
                Self::#unchecked(dim, #(#idents),*)
            }
        }
    }

    /// `fn threads(chunk, args…)`: the loop over the threads of a chunk. If every index is that of the thread, the loop
    /// is emitted twice: if the launch fits the arrays, the condition proves all indices in bounds, and the compiler
    /// removes the checks. The function is never inlined, because the compiler knows that the arguments of a function
    /// do not alias, but loses that information on inlining.
    fn threads(&self) -> TokenStream {
        let rt = runtime();
        let dim = usize::from(self.kernel.dim);
        let idents: Vec<&Ident> = self.args.iter().map(|arg| &arg.ident).collect();
        let shared = self.shared();
        let types = chunk_types(&self.args, &self.execution);
        let has_lanes = shared.iter().any(|(_, class)| matches!(class, Some(Sharing::Sum { .. })));
        let passed: Vec<TokenStream> = shared
            .iter()
            .map(|(arg, class)| {
                let ident = &arg.ident;
                match class {
                    Some(Sharing::Sum { .. }) => quote_spanned!(ours()=> #ident.0.lane(lane, #ident.1)),
                    _ => ident.to_token_stream(),
                }
            })
            .collect();
        let reborrowed = shared.iter().map(|(arg, class)| {
            let ident = &arg.ident;
            match class {
                Some(Sharing::Sum { .. }) => quote_spanned!(ours()=> (&mut *#ident.0, #ident.1)),
                _ => ident.to_token_stream(),
            }
        });
        let each = match has_lanes {
            true => quote_spanned!(ours()=> chunk.each_in_lanes(|index, lane| __weft_thread(index, #(#passed),*))),
            false => quote_spanned!(ours()=> chunk.each(|index| __weft_thread(index, #(#passed),*))),
        };
        let all = match &self.group {
            Some((lockstep, _)) => {
                let preconditions = self.preconditions(&lockstep.preconditions);
                let passed = match has_lanes {
                    true => {
                        quote_spanned!(ours()=> #rt::Part::Thread(index, lane) => __weft_thread(index, #(#passed),*))
                    }
                    false => quote_spanned!(ours()=> #rt::Part::Thread(index, _) => __weft_thread(index, #(#passed),*)),
                };
                let parts = quote_spanned! {ours()=>
                    chunk.each_part(|part| match part {
                        #rt::Part::Group(all) => __weft_group(&all, #(#reborrowed),*),
                        #passed,
                    })
                };
                quote_spanned!(ours()=> if #preconditions { #parts } else { #each })
            }
            None if self.execution.preconditions.is_empty() => each,
            None => {
                let preconditions = self.preconditions(&self.execution.preconditions);
                quote_spanned!(ours()=> if #preconditions { #each } else { #each })
            }
        };
        quote_spanned! {ours()=>
            #[allow(clippy::too_many_arguments, clippy::if_same_then_else, reason = "the macro writes the same for every kernel")]
            #[inline(never)]
            fn __weft_threads(chunk: &#rt::Chunk<'_, #dim>, #(#idents: #types),*) {
                #all
            }
        }
    }

    /// The condition that the launch has no more threads than the arrays have elements.
    fn preconditions(&self, preconditions: &[ExtentPrecondition]) -> TokenStream {
        let each = preconditions.iter().map(|precondition| {
            let arg = &self.args[precondition.array.0 as usize];
            let (ident, tid, axis) = (&arg.ident, usize::from(precondition.tid), usize::from(precondition.axis));
            let fits = match arg.param.rank() {
                1 => quote_spanned!(ours()=> chunk.dim[#tid] <= #ident.len()),
                _ => quote_spanned!(ours()=> chunk.dim[#tid] <= #ident.shape()[#axis]),
            };
            if !arg.param.is_optional() {
                return fits;
            }
            let is_absent = arg.is_empty();
            quote_spanned!(ours()=> (#is_absent || #fits))
        });
        match preconditions {
            [] => quote_spanned!(ours()=> true),
            _ => quote_spanned!(ours()=> #(#each)&&*),
        }
    }

    /// The statements that run all chunks.
    fn launch(&self) -> TokenStream {
        let (rt, body) = (runtime(), self.body());
        let kernel_ir::analysis::Schedule { work, scattered, stride } = self.execution.schedule;
        let shared = self.shared();
        let scatters: Vec<&Arg> =
            shared.iter().filter(|(_, class)| *class == Some(Sharing::Scatter)).map(|(arg, _)| *arg).collect();
        let sizes = scatters.iter().map(|arg| {
            let ident = &arg.ident;
            quote_spanned!(ours()=> + #ident.len())
        });
        let serial = self.execution.serial.map(|phase| {
            let ident = &self.args[phase.param.0 as usize].ident;
            let not = (!phase.value).then(|| quote_spanned!(ours()=> !));
            quote_spanned!(ours()=> .serial_if(#not #ident))
        });
        let plan = quote_spanned! {ours()=>
            const __WEFT_SCHEDULE: #rt::Schedule = #rt::Schedule { work: #work, scattered: #scattered, stride: #stride };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0 #(#sizes)*) #serial;
        };
        if self.execution.reason.is_some() {
            let idents = self.args.iter().map(|arg| &arg.ident);
            return quote_spanned! {ours()=>
                #plan
                #rt::run_in_order(#body, dim, &plan, &mut |chunk| __weft_threads(chunk, #(#idents),*))
            };
        }
        let has_view = |class| matches!(class, Some(Sharing::Own | Sharing::Commuting | Sharing::Phased));
        let views = shared.iter().filter(|(_, class)| has_view(*class)).map(|(arg, _)| {
            let ident = &arg.ident;
            match arg.param.rank() {
                1 => quote_spanned!(ours()=> let #ident = #rt::View::of_slice(#ident);),
                _ => quote_spanned!(ours()=> let #ident = #rt::View::of_array(#ident);),
            }
        });
        let sums: Vec<&Arg> = shared
            .iter()
            .filter(|(_, class)| matches!(class, Some(Sharing::Sum { .. })))
            .map(|(arg, _)| *arg)
            .collect();
        let run = match (scatters.is_empty(), sums.is_empty()) {
            (true, true) => {
                let call = self.call(true);
                quote_spanned!(ours()=> #rt::run(#body, dim, &plan, &|chunk| #call))
            }
            (true, false) => self.in_parts(&sums, &[], quote_spanned!(ours()=> #rt::run), quote_spanned!(ours()=> &)),
            (false, _) => {
                let run = quote_spanned!(ours()=> #rt::run);
                let private = self.in_parts(&sums, &scatters, run, quote_spanned!(ours()=> &));
                let run = quote_spanned!(ours()=> #rt::run_in_order);
                let direct = self.in_parts(&sums, &[], run, quote_spanned!(ours()=> &mut));
                quote_spanned!(ours()=> if plan.private { #private } else { #direct })
            }
        };
        quote_spanned! {ours()=>
            #plan
            #(#views)*
            #run
        }
    }

    /// The data for error messages.
    fn body(&self) -> TokenStream {
        let (rt, HostFunction { label, indexed, .. }) = (runtime(), self);
        quote_spanned!(ours()=> #rt::Body { kernel: #label, file: #rt::file!(), indexed: &[#(#indexed),*] })
    }

    /// A run whose chunks add to private `sums` and `copies`, followed by their addition in the order of the chunks.
    fn in_parts(&self, sums: &[&Arg], copies: &[&Arg], run: TokenStream, closure: TokenStream) -> TokenStream {
        let (rt, body) = (runtime(), self.body());
        let make_sums = sums.iter().map(|arg| {
            let part = name_part(&arg.ident);
            quote_spanned!(ours()=> let mut #part = #rt::Lanes::zeros();)
        });
        let make_copies = copies.iter().map(|arg| {
            let (ident, part) = (&arg.ident, name_part(&arg.ident));
            match arg.param.rank() {
                1 => quote_spanned!(ours()=> let mut #part = #rt::zeros(#ident.len());),
                _ => quote_spanned!(ours()=> let mut #part = #rt::Array::zeros(#ident.shape());),
            }
        });
        let call = self.call(!copies.is_empty());
        let kept = sums.iter().map(|arg| {
            let part = name_part(&arg.ident);
            quote_spanned!(ours()=> #part.total())
        });
        let kept = kept.chain(copies.iter().map(|arg| name_part(&arg.ident).to_token_stream()));
        let all = || sums.iter().chain(copies);
        let parts = all().map(|arg| name_part(&arg.ident));
        let adds = all().map(|arg| {
            let (ident, part) = (&arg.ident, name_part(&arg.ident));
            match arg.param.rank() {
                1 => quote_spanned!(ours()=> #rt::add(#ident, &#part);),
                _ => quote_spanned!(ours()=> #rt::add(#ident.as_mut_slice(), #part.as_slice());),
            }
        });
        // After a panic, the partial sums are dropped.
        quote_spanned! {ours()=>
            let parts = #rt::Parts::new(&plan);
            let result = #run(#body, dim, &plan, #closure |chunk| {
                #(#make_sums)*
                #(#make_copies)*
                #call;
                parts.put(chunk, (#(#kept,)*));
            });
            if result.is_ok() {
                for (#(#parts,)*) in parts.into_ordered() {
                    #(#adds)*
                }
            }
            result
        }
    }

    /// The call of `threads` for one chunk. If `private`, the chunk gets its own copies of scattered arrays.
    fn call(&self, private: bool) -> TokenStream {
        let rt = runtime();
        let passed = self.shared().into_iter().map(|(arg, class)| {
            let (ident, part) = (&arg.ident, name_part(&arg.ident));
            // The sharing analysis has proven the contract of `View::share`. The block has the macro's span, so that
            // rustc and clippy do not report `unsafe_code` and `undocumented_unsafe_blocks` in a crate that forbids
            // them.
            let view = quote_spanned!(ours()=> unsafe { #ident.share() });
            match class {
                Some(Sharing::Own | Sharing::Phased) => quote_spanned!(ours()=> &mut #view),
                Some(Sharing::Commuting) => quote_spanned!(ours()=> &mut #rt::Atomics::new(#view)),
                Some(Sharing::Sum { .. }) => quote_spanned!(ours()=> (&mut #part, #ident.len())),
                Some(Sharing::Scatter) if private => quote_spanned!(ours()=> &mut #part),
                _ => ident.to_token_stream(),
            }
        });
        quote_spanned!(ours()=> __weft_threads(chunk, #(#passed),*))
    }

    /// The arguments with their sharing classes.
    fn shared(&self) -> Vec<(&Arg<'a>, Option<Sharing>)> {
        let ids = (0..).map(ParamId);
        self.args.iter().zip(ids).map(|(arg, id)| (arg, self.execution.sharing(id))).collect()
    }

    /// A function of the same name that takes arguments as data and calls the function of `kernel_type`.
    pub(super) fn on_data(&self, kernel_type: &Ident) -> TokenStream {
        let rt = runtime();
        let HostFunction { name, label, kernel, args, .. } = self;
        let dim = usize::from(kernel.dim);
        let columns: Vec<Ident> = args.iter().flat_map(Arg::columns).collect();
        let count = columns.len();
        // Other arrays are copied. Data has floats of 16 bits as `f32`.
        let is_slice = |arg: &Arg| {
            let elem = arg.param.elem();
            arg.param.rank() == 1 && !elem.is_struct() && !elem.scalar().is_half()
        };
        let reads = args.iter().map(|arg| {
            let (ident, param, elem, rank) = (&arg.ident, &arg.param.name, arg.elem(), arg.param.rank());
            let (host, columns) = (arg.host(), arg.columns());
            match (rank, arg.param.is_mutable()) {
                (0, _) => {
                    quote_spanned!(ours()=> let #ident = #rt::value::<#elem, _>(#label, #param, [#(&*#columns),*])?;)
                }
                (_, false) if is_slice(arg) => {
                    quote_spanned!(ours()=> let #ident = #rt::slice::<#elem>(#label, #param #(, #columns)*)?;)
                }
                (_, true) if is_slice(arg) => {
                    quote_spanned!(ours()=> let #ident = #rt::slice_mut::<#elem>(#label, #param #(, #columns)*)?;)
                }
                (_, mutable) => {
                    let mutable = mutable.then(|| quote_spanned!(ours()=> mut));
                    quote_spanned! {ours()=>
                        let #mutable #host = #rt::array::<#elem, #rank, _>(#label, #param, [#(&*#columns),*])?;
                    }
                }
            }
        });
        let passed = args.iter().map(|arg| {
            let (ident, host) = (&arg.ident, arg.host());
            arg.wrapped(match (arg.param.rank(), arg.param.is_mutable()) {
                (0, _) => ident.to_token_stream(),
                _ if is_slice(arg) => ident.to_token_stream(),
                (1, false) => quote_spanned!(ours()=> #host.as_slice()),
                (1, true) => quote_spanned!(ours()=> #host.as_mut_slice()),
                (_, false) => quote_spanned!(ours()=> &#host),
                (_, true) => quote_spanned!(ours()=> &mut #host),
            })
        });
        let stores = args.iter().filter(|arg| arg.param.is_mutable() && !is_slice(arg)).map(|arg| {
            let (host, columns) = (arg.host(), arg.columns());
            quote_spanned!(ours()=> #rt::store([#(#columns),*], &#host);)
        });
        quote_spanned! {ours()=>
            fn #name(dim: &[#rt::usize], args: &mut [#rt::Arg]) -> #rt::Result<(), #rt::LaunchError> {
                let dim = #rt::launch_dim::<#dim>(#label, dim)?;
                let [#(#columns),*] = #rt::each_arg::<#count>(#label, args)?;
                #(#reads)*
                let result = #kernel_type::#name(dim, #(#passed),*);
                #(#stores)*
                result
            }
        }
    }
}

/// A structure, as an expression.
pub(super) fn structure(structure: Structure) -> TokenStream {
    let rt = runtime();
    let variant = format_ident!("{structure:?}", span = ours());
    quote_spanned!(ours()=> #rt::Structure::#variant)
}

pub(super) fn tile_fit(fit: TileFit) -> TokenStream {
    let rt = runtime();
    match fit {
        TileFit::Multiple(step) => quote_spanned!(ours()=> #rt::TileFit::Multiple(#step)),
        TileFit::AtLeast(least) => quote_spanned!(ours()=> #rt::TileFit::AtLeast(#least)),
    }
}

/// `fn group(group, args…)` for `kernel`, if its threads run in lockstep.
fn group(kernel: &VerifiedKernel, execution: &Execution) -> Option<(Lockstep, TokenStream)> {
    let lockstep = Lockstep::of(kernel, execution)?;
    // The text of a group uses plain parameter names, without the author's hygiene.
    // No kernel with structs among its parameters runs in lockstep.
    let args = Arg::of_compiler(kernel, &Structs::new());
    let group = body::compiled_group(kernel, &args, &chunk_types(&args, execution), execution, &lockstep);
    Some((lockstep, group))
}

/// The parameter types of a thread. An array that threads share in place is a view.
fn shared_types(args: &[Arg], execution: &Execution) -> Vec<TokenStream> {
    let rt = runtime();
    let ids = (0..).map(ParamId);
    args.iter()
        .zip(ids)
        .map(|(arg, id)| {
            let (elem, rank) = (arg.elem(), arg.param.rank());
            match execution.sharing(id) {
                Some(Sharing::Own | Sharing::Phased) => quote_spanned!(ours()=> &mut #rt::View<'_, #elem, #rank>),
                Some(Sharing::Commuting) => quote_spanned!(ours()=> &mut #rt::Atomics<'_, #elem, #rank>),
                _ => arg.inner.clone(),
            }
        })
        .collect()
}

/// The parameter types of a chunk. They are those of a thread, but a grid reduction has all lanes and the length of its
/// array.
fn chunk_types(args: &[Arg], execution: &Execution) -> Vec<TokenStream> {
    let rt = runtime();
    let ids = (0..).map(ParamId);
    let of = |((ty, arg), id): ((TokenStream, &Arg), ParamId)| match execution.sharing(id) {
        Some(Sharing::Sum { len }) => {
            let elem = arg.elem();
            quote_spanned!(ours()=> (&mut #rt::Lanes<#elem, #len>, #rt::usize))
        }
        _ => ty,
    };
    shared_types(args, execution).into_iter().zip(args).zip(ids).map(of).collect()
}

/// The local variable for the partial sums of a chunk. Its hygiene keeps it apart from the author's names.
fn name_part(ident: &Ident) -> Ident {
    format_ident!("{}_part", ident, span = ours())
}
