//! The function that runs one thread, and the function that runs a lockstep group. A kernel uses the author's body,
//! with only the thread index supplied. An adjoint uses a body that the Rust writer produced.

use super::aliases::Arrays;
use super::arg::Arg;
use super::attributes::Attributes;
use super::borrows;
use super::names::{ours, runtime};
use kernel_ir::analysis::{Execution, LANES, Lockstep, Sharing};
use kernel_ir::back::rust::{self, GroupNames};
use kernel_ir::front;
use kernel_ir::ir::{Param, ParamId, SizeExpr};
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::visit::{Visit, visit_arm, visit_expr_index, visit_expr_method_call, visit_pat_ident};
use syn::visit_mut::{VisitMut, visit_expr_call_mut, visit_expr_mut, visit_stmt_mut};

/// `fn thread(index: [usize; N], …)`, which runs one thread. `types` are the types of the parameters.
pub(super) fn thread(
    kernel: &VerifiedKernel,
    function: &syn::ItemFn,
    attributes: &Attributes,
    args: &[Arg],
    types: &[TokenStream],
) -> TokenStream {
    let rt = runtime();
    let attrs = &attributes.on_body;
    let inputs = || function.sig.inputs.iter().zip(args);
    let params = inputs().zip(types).map(|((input, arg), ty)| match input {
        syn::FnArg::Typed(_) if arg.param.is_optional() => {
            let ident = &arg.ident;
            quote_spanned!(ours()=> #ident: #ty)
        }
        syn::FnArg::Typed(syn::PatType { attrs, pat, .. }) => quote_spanned!(ours()=> #(#attrs)* #pat: #ty),
        syn::FnArg::Receiver(receiver) => receiver.to_token_stream(),
    });
    // For the author's body, an array without elements is absent.
    let options = inputs().filter(|(_, arg)| arg.param.is_optional()).map(|(input, arg)| match input {
        syn::FnArg::Typed(syn::PatType { attrs, pat, .. }) => {
            let (ident, is_empty) = (&arg.ident, arg.is_empty());
            quote_spanned!(ours()=> #(#attrs)* let #pat = if #is_empty { #rt::None } else { #rt::Some(#ident) };)
        }
        syn::FnArg::Receiver(receiver) => receiver.to_token_stream(),
    });
    let dim = usize::from(kernel.dim);
    let tid = Ident::new(&kernel.block.map_or_else(|| tid_name(dim), |_| "block".to_owned()), ours());
    let (ty, value) = match kernel.block {
        None => thread_index(dim),
        Some(size) => {
            let size = Literal::usize_unsuffixed(size as usize);
            let ty = quote_spanned!(ours()=> #rt::Block<#size>);
            (ty, quote_spanned!(ours()=> #rt::Block::<#size>::at(index[0])))
        }
    };
    let mut body = (*function.block).clone();
    borrows::separate(kernel, &mut body);
    let mut calls = IndexCalls { tid: tid.clone(), written: None };
    calls.visit_block_mut(&mut body);
    // Without a call there is no index to supply. The author's path is used once, so that rustc checks it and does not
    // report its import as unused.
    let supply = calls.written.map(|written| {
        quote_spanned! {ours()=>
            let _: fn() -> #ty = #written;
            let #tid = move || #value;
        }
    });
    let index = match supply {
        Some(_) => quote_spanned!(ours()=> index),
        None => quote_spanned!(ours()=> _),
    };
    let inline = (!attributes.says_inline()).then(|| quote_spanned!(ours()=> #[inline(always)]));
    let named = named_by_sizes(kernel, function);
    let (stmts, lints, bound) = (&body.stmts, lints(), bound_in_matches(&function.block));
    // The methods of tiles are those of traits, which the author's module need not import.
    let traits = kernel.has_tiles().then(|| {
        quote_spanned! {ours()=>
            use #rt::{MatMul as _, TileGrid as _, TileGridSums as _, TileSlice as _, TileSliceSums as _};
        }
    });
    let block = quote_spanned!(ours()=> #traits #bound #(#options)* #(let _ = &#named;)* #supply #(#stmts)*);
    quote_spanned! {ours()=>
        #(#attrs)*
        #lints
        #inline
        fn __weft_thread(#index: [#rt::usize; #dim], #(#params),*) {
            #block
        }
    }
}

/// The source positions of all index expressions, with the name of the array in the signature. Error messages look up the array by
/// position.
pub(super) fn indexed(kernel: &VerifiedKernel, function: &syn::ItemFn) -> Vec<TokenStream> {
    struct Indexed<'a>(Arrays<'a>, Vec<TokenStream>);

    impl<'ast> Visit<'ast> for Indexed<'_> {
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            front::message_values(mac).iter().for_each(|value| self.visit_expr(value));
        }

        // A load of a tile panics at the name of the method.
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            if let syn::Expr::Path(path) = &*call.receiver
                && let Some(array) = path.path.get_ident()
                && let Some(param) = self.0.get(array)
            {
                let (start, name) = (call.method.span().start(), &param.name);
                let (line, column) =
                    (Literal::usize_unsuffixed(start.line), Literal::usize_unsuffixed(start.column + 1));
                self.1.push(quote_spanned!(ours()=> (#line, #column, #name)));
            }
            visit_expr_method_call(self, call);
        }

        fn visit_expr_index(&mut self, expr: &'ast syn::ExprIndex) {
            if let syn::Expr::Path(path) = &*expr.expr
                && let Some(array) = path.path.get_ident()
            {
                let name = self.0.get(array).map_or_else(|| array.unraw().to_string(), |param| param.name.clone());
                // A panic of a slice points at the array, a panic of a view at the bracket. Panic locations count
                // columns from 1, spans from 0.
                for start in [array.span().start(), expr.bracket_token.span.open().start()] {
                    let line = Literal::usize_unsuffixed(start.line);
                    let column = Literal::usize_unsuffixed(start.column + 1);
                    self.1.push(quote_spanned!(ours()=> (#line, #column, #name)));
                }
            }
            visit_expr_index(self, expr);
        }
    }

    let mut indexed = Indexed(Arrays::of(kernel, &function.block), Vec::new());
    indexed.visit_block(&function.block);
    indexed.1
}

/// A function that rustc refuses if a pattern of a `match` binds the name of a constant outside of the kernel. rustc would
/// compare with that constant, which the kernel's compiler does not see.
pub(super) fn bound_in_matches(block: &syn::Block) -> Option<TokenStream> {
    #[derive(Default)]
    struct Names {
        bound: Vec<Ident>,
        constants: BTreeSet<Ident>,
    }

    impl<'ast> Visit<'ast> for Names {
        fn visit_arm(&mut self, arm: &'ast syn::Arm) {
            struct Bound<'a>(&'a mut Vec<Ident>);

            impl<'ast> Visit<'ast> for Bound<'_> {
                fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
                    self.0.extend(pat.subpat.is_none().then(|| pat.ident.clone()));
                    visit_pat_ident(self, pat);
                }

                // A guard is no pattern.
                fn visit_expr(&mut self, _: &'ast syn::Expr) {}
            }

            Bound(&mut self.bound).visit_pat(&arm.pat);
            visit_arm(self, arm);
        }

        fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
            self.constants.insert(item.ident.clone());
        }
    }

    let mut names = Names::default();
    names.visit_block(block);
    names.bound.retain(|name| !names.constants.contains(name));
    let bound = &names.bound;
    (!bound.is_empty()).then(|| {
        quote_spanned! {ours()=>
            #[allow(
                dead_code,
                unused_variables,
                non_snake_case,
                clippy::redundant_pattern,
                reason = "code for the compiler alone"
            )]
            fn __weft_bound_in_matches() {
                #(let #bound @ _ = ();)*
            }
        }
    })
}

/// Turns messages off, unless `attr`, the arguments of the attribute, asks for them. They stay for rustc to check.
pub(super) fn without_messages(attr: &TokenStream, block: &mut syn::Block) {
    struct Off;

    impl VisitMut for Off {
        fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
            visit_stmt_mut(self, stmt);
            if let syn::Stmt::Macro(syn::StmtMacro { mac, .. }) = stmt
                && front::is_message(mac)
            {
                *stmt = syn::parse_quote_spanned!(ours()=> if false { #mac; });
            }
        }

        fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
            visit_expr_mut(self, expr);
            if let syn::Expr::Macro(syn::ExprMacro { mac, .. }) = expr
                && front::is_message(mac)
            {
                *expr = syn::parse_quote_spanned!(ours()=> if false { #mac; });
            }
        }
    }

    if !front::asks_for_messages(attr) {
        Off.visit_block_mut(block);
    }
}

/// The clippy lints that ask for code outside the kernel language.
pub(super) fn lints() -> TokenStream {
    quote_spanned! {ours()=>
        #[allow(
            clippy::manual_div_ceil,
            clippy::manual_is_multiple_of,
            clippy::manual_memcpy,
            clippy::manual_range_contains,
            clippy::manual_swap,
            clippy::needless_range_loop,
            clippy::too_many_arguments,
            reason = "the kernel language does not have what these lints ask for"
        )]
    }
}

/// Like [`thread`], for a kernel that the compiler generated; [`rust::write_body`] writes its body.
pub(super) fn compiled_thread(kernel: &VerifiedKernel, args: &[Arg], types: &[TokenStream]) -> TokenStream {
    let rt = runtime();
    let dim = usize::from(kernel.dim);
    let tid = Ident::new(&tid_name(dim), Span::call_site());
    let (_, value) = thread_index(dim);
    let idents = args.iter().map(|arg| &arg.ident);
    let body: TokenStream = rust::write_body(kernel).parse().unwrap_or_else(|_| {
        let message =
            format!("the adjoint of `{}` is not valid Rust; this is a bug of Weft: please report it", kernel.name);
        quote_spanned!(ours()=> #rt::compile_error!(#message))
    });
    let lints = compiled_lints();
    quote_spanned! {ours()=>
        #lints
        #[inline(always)]
        fn __weft_thread(index: [#rt::usize; #dim], #(#idents: #types),*) {
            use ::kernel_rt::prelude::*;
            let #tid = move || #value;
            #body
        }
    }
}

/// `fn group(group, …)`, which runs a lockstep group. `types` are the types of the parameters.
pub(super) fn compiled_group(
    kernel: &VerifiedKernel,
    args: &[Arg],
    types: &[TokenStream],
    execution: &Execution,
    lockstep: &Lockstep,
) -> TokenStream {
    let rt = runtime();
    let dim = usize::from(kernel.dim);
    let idents = args.iter().map(|arg| &arg.ident);
    let axes: Vec<String> = (0..dim).map(|axis| format!("__index[{axis}]")).collect();
    let tid = tid_name(dim);
    // A lane of a grid reduction is selected once, at the start of each thread.
    let mut head = format!("let __index = __group.index(__lane);\nlet {tid} = move || ({});", axes.join(", "));
    for (arg, id) in args.iter().zip((0..).map(ParamId)) {
        if let Some(Sharing::Sum { .. }) = execution.sharing(id) {
            let name = &arg.ident;
            head += &format!("\nlet {name} = {name}.0.lane(__lane, {name}.1);");
        }
    }
    let names = GroupNames { lane: "__lane", head: &head, lanes: LANES, lanes_at_run_time: "__group.lanes()" };
    let body: TokenStream = rust::write_group(kernel, lockstep, names).parse().unwrap_or_else(|_| {
        let message = format!(
            "the code of `{}` for a group of threads is not valid Rust; this is a bug of Weft: please report it",
            kernel.name
        );
        quote_spanned!(ours()=> #rt::compile_error!(#message))
    });
    let group = Ident::new("__group", Span::call_site());
    let lints = compiled_lints();
    quote_spanned! {ours()=>
        #lints
        #[inline(always)]
        fn __weft_group(#group: &#rt::Group<#dim>, #(#idents: #types),*) {
            use ::kernel_rt::prelude::*;
            #body
        }
    }
}

/// Lints that do not apply to generated code.
fn compiled_lints() -> TokenStream {
    quote_spanned! {ours()=>
        #[allow(
            unused,
            non_snake_case,
            unconditional_panic,
            arithmetic_overflow,
            double_negations,
            clippy::all,
            clippy::pedantic,
            reason = "code for the compiler alone"
        )]
    }
}

/// The type and the value of the thread index: `tid()` returns a number, the others return tuples.
fn thread_index(dim: usize) -> (TokenStream, TokenStream) {
    let rt = runtime();
    let axes = 0..dim;
    match dim {
        1 => (quote_spanned!(ours()=> #rt::usize), quote_spanned!(ours()=> index[0])),
        _ => {
            let types = axes.clone().map(|_| quote_spanned!(ours()=> #rt::usize));
            (quote_spanned!(ours()=> (#(#types),*)), quote_spanned!(ours()=> (#(index[#axes]),*)))
        }
    }
}

/// The parameters that a shape or a domain names. The emitted code uses them, so that rustc does not report them as
/// unused.
fn named_by_sizes(kernel: &VerifiedKernel, function: &syn::ItemFn) -> Vec<Ident> {
    let ids: BTreeSet<_> =
        kernel.params.iter().flat_map(Param::sizes).flat_map(SizeExpr::params).map(|id| id.0 as usize).collect();
    let input = |place: usize| match &function.sig.inputs[place] {
        syn::FnArg::Typed(typed) => match &*typed.pat {
            syn::Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    };
    ids.into_iter().filter_map(input).collect()
}

/// The name of the index function for a launch of `dim` axes.
fn tid_name(dim: usize) -> String {
    match dim {
        1 => "tid".to_owned(),
        _ => format!("tid{dim}"),
    }
}

/// Redirects every call of the index function, or of `block`, by any path, to the local function of the macro. A local
/// `tid` could not shadow the author's name instead: inside a `macro_rules!`, that name has its own hygiene.
struct IndexCalls {
    tid: Ident,
    /// The first path in the author's calls.
    written: Option<TokenStream>,
}

impl VisitMut for IndexCalls {
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        front::visit_values(mac, |value| self.visit_expr_mut(value));
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let syn::Expr::Path(path) = &mut *call.func
            && let Some(last) = path.path.segments.last()
            && last.ident == self.tid
        {
            self.written.get_or_insert_with(|| path.path.to_token_stream());
            let mut local = self.tid.clone();
            local.set_span(last.ident.span().resolved_at(ours()));
            path.path = local.into();
        }
        visit_expr_call_mut(self, call);
    }
}
