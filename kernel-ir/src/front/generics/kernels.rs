//! The instances of a generic kernel: plain kernels, which its author lists.

use super::generic::{Generic, GenericArg, is_generic, parameters, read_arg, span_of};
use super::substitute;
use crate::diag::Diagnostic;
use crate::front::syntax::plain_name;
use crate::ir::SpanTable;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;

/// An instance of a generic kernel.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The arguments of its `#[kernel]`.
    pub attr: TokenStream,
    /// The plain function.
    pub item: syn::ItemFn,
}

/// The instances of a kernel, or the mistakes in the list.
pub type Instances = Result<Vec<Instance>, (Vec<Diagnostic>, SpanTable)>;

const FORM: &str = "list them: `#[kernel(instances(f32, f64))]`, or `instances((f32, 4), (f64, 8))` for two parameters";

/// The instances that `#[kernel(attr)]` lists for a generic function; `None` if the function is not generic, and lists
/// none.
pub fn instances(attr: &TokenStream, item: &syn::ItemFn) -> Option<Instances> {
    let parser = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    // Arguments that cannot be read are reported where the plain function is compiled.
    let metas = syn::parse::Parser::parse2(parser, attr.clone()).unwrap_or_default();
    let (lists, others): (Vec<syn::Meta>, Vec<syn::Meta>) =
        metas.into_iter().partition(|meta| meta.path().is_ident("instances"));
    if lists.is_empty() && !is_generic(item) {
        return None;
    }
    let spans = &mut SpanTable::default();
    let found = read(&lists, item, spans);
    let attr = Punctuated::<syn::Meta, syn::Token![,]>::from_iter(others).into_token_stream();
    let instance = |(generic, args): (&Generic, Vec<GenericArg>)| {
        let own: &Ident = &item.sig.ident;
        let name = format_ident!("{}_{}", plain_name(own), words(&args), span = own.span());
        Instance { attr: attr.clone(), item: substitute::instance(generic, &args, name) }
    };
    Some(match found {
        Ok((generic, each)) => Ok(each.into_iter().map(|args| instance((&generic, args))).collect()),
        Err(mistakes) => Err((mistakes, std::mem::take(spans))),
    })
}

fn words(args: &[GenericArg]) -> String {
    args.iter().map(GenericArg::word).collect::<Vec<_>>().join("_")
}

/// The function, and the arguments of each instance.
fn read(
    lists: &[syn::Meta],
    item: &syn::ItemFn,
    spans: &mut SpanTable,
) -> Result<(Generic, Vec<Vec<GenericArg>>), Vec<Diagnostic>> {
    let name = plain_name(&item.sig.ident);
    let fail = |mistake: Diagnostic| Err(vec![mistake]);
    if !is_generic(item) {
        let span = spans.insert_tokens(&lists[0]);
        let mistake = Diagnostic::new(span, format!("`{name}` has no generic parameters"));
        return fail(mistake.help(format!("remove `instances`, or write `fn {name}<T: Float>(…)`")));
    }
    let generic = Generic::read(item, spans)?;
    if let Some(input) = generic.functions.first().and_then(|function| item.sig.inputs.iter().nth(function.position)) {
        let mistake = Diagnostic::new(spans.insert_tokens(input), "a kernel takes no functions");
        return fail(mistake.help("call the device function by its name, or write a kernel for each of them"));
    }
    let list = match lists {
        [syn::Meta::List(list)] => list,
        [] => {
            let span = spans.insert_tokens(&item.sig.generics);
            return fail(Diagnostic::new(span, "a generic kernel needs a list of its instances").help(FORM));
        }
        [other, ..] => {
            let span = spans.insert_tokens(other);
            return fail(Diagnostic::new(span, "the instances of a kernel are one list").help(FORM));
        }
    };
    let entries = list.parse_args_with(Punctuated::<Entry, syn::Token![,]>::parse_terminated).unwrap_or_default();
    if entries.is_empty() {
        let span = spans.insert_tokens(list);
        return fail(Diagnostic::new(span, "the instances of a kernel are types and constants").help(FORM));
    }
    let (mut each, mut mistakes): (Vec<Vec<GenericArg>>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for Entry(written) in &entries {
        match read_entry(&generic, written, spans) {
            Ok(args) if each.contains(&args) => {
                let span = spans.insert_tokens(written);
                mistakes.push(Diagnostic::new(span, "an instance is listed twice").help("keep one of the two"));
            }
            Ok(args) => each.push(args),
            Err(found) => mistakes.extend(found),
        }
    }
    if mistakes.is_empty() { Ok((generic, each)) } else { Err(mistakes) }
}

fn read_entry(
    generic: &Generic,
    args: &Punctuated<syn::GenericArgument, syn::Token![,]>,
    spans: &mut SpanTable,
) -> Result<Vec<GenericArg>, Vec<Diagnostic>> {
    let (wanted, name) = (generic.params.len(), plain_name(&generic.item.sig.ident));
    if args.len() != wanted {
        let span = spans.insert_tokens(args);
        let message = format!("`{name}` has {}, and this instance {}", parameters(wanted), args.len());
        return Err(vec![Diagnostic::new(span, message).help(FORM)]);
    }
    let mut mistakes = Vec::new();
    let read = args.iter().enumerate().filter_map(|(place, arg)| {
        let span = span_of(arg, spans);
        let checked = read_arg(arg, spans).and_then(|arg| match generic.check(place, arg, span) {
            Some(mistake) => Err(mistake),
            None => Ok(arg),
        });
        checked.map_err(|mistake| mistakes.push(mistake)).ok()
    });
    let read: Vec<GenericArg> = read.collect();
    if mistakes.is_empty() { Ok(read) } else { Err(mistakes) }
}

/// The arguments of one instance: `(f32, 4)`, or `f32` for one parameter.
struct Entry(Punctuated<syn::GenericArgument, syn::Token![,]>);

impl syn::parse::Parse for Entry {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Entry> {
        if input.peek(syn::token::Paren) {
            let inside;
            syn::parenthesized!(inside in input);
            return Ok(Entry(Punctuated::parse_terminated_with(&inside, argument)?));
        }
        Ok(Entry(std::iter::once(argument(input)?).collect()))
    }
}

fn argument(input: syn::parse::ParseStream) -> syn::Result<syn::GenericArgument> {
    // Behind a function's name a negative number needs braces.
    if input.peek(syn::Token![-]) {
        return input.parse().map(syn::GenericArgument::Const);
    }
    input.parse()
}
