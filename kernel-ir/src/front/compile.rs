//! The entry points: from the tokens of an annotated function to IR.

use super::device;
use super::items::Known;
use super::links::{DeviceItem, Devices};
use super::methods::Method;
use super::syntax::{in_source_order, plain_name};
use super::tables::with_tables;
use super::{array_structs, lower, params, resolve, signature, tokens};
use crate::diag::Diagnostic;
use crate::ir::{Kernel, SpanTable, StructId, Type};
use crate::verify::{VerifiedKernel, verify};
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};

/// The result of compiling a function under `#[kernel]`.
#[derive(Debug)]
pub struct Compiled {
    /// The kernel, or all mistakes in it.
    pub kernel: Result<VerifiedKernel, Vec<Diagnostic>>,
    /// The function, without Weft's attributes on its parameters; `None` if the tokens are not a function.
    pub item: Option<syn::ItemFn>,
    /// Whether the body is not valid Rust. `item` then has an empty body. rustc parses a function before its attribute
    /// macros run, so it has reported the mistake already.
    pub malformed: bool,
    /// Resolves the spans of the kernel and of the mistakes.
    pub spans: SpanTable,
}

/// The result of compiling a function under `#[device]`.
#[derive(Debug)]
pub struct CompiledDevice {
    /// All mistakes in the function, if it has any.
    pub function: Result<(), Vec<Diagnostic>>,
    /// The function as syntax; `None` if the tokens are not a function.
    pub item: Option<syn::ItemFn>,
    /// Whether the body is not valid Rust. `item` then has an empty body.
    pub malformed: bool,
    /// Resolves the spans of the function and of the mistakes.
    pub spans: SpanTable,
}

/// Compiles the function `item` under `#[kernel(attr)]`, which calls no device functions.
pub fn compile(attr: TokenStream, item: TokenStream) -> Compiled {
    compile_with(attr, item, &Devices::default())
}

/// Compiles the function `item` under `#[kernel(attr)]`. The list of mistakes is empty if all of them are in `devices`,
/// because they are reported at the definitions of those functions.
pub fn compile_with(attr: TokenStream, item: TokenStream, devices: &Devices) -> Compiled {
    let (kernel, Parsed { item, malformed }, spans) = annotated(&KERNEL, attr, item, |attr, item, spans| {
        let devices = devices.flatten(item, true, spans)?;
        let items = device::items(&devices, &plain_name(&item.sig.ident), spans);
        kernel(attr, item, &items.known(&devices.links), spans)
    });
    Compiled { kernel, item, malformed, spans }
}

/// Compiles the function `item` under `#[device(attr)]`. The list of mistakes is empty if all of them are in `devices`.
pub fn compile_device(attr: TokenStream, item: TokenStream, devices: &Devices) -> CompiledDevice {
    let (function, Parsed { item, malformed }, spans) = annotated(&DEVICE, attr, item, |attr, item, spans| {
        let devices = devices.flatten(item, false, spans)?;
        let items = device::items(&devices, &plain_name(&item.sig.ident), spans);
        device::definition(attr, item, &items, &devices.links, spans)
    });
    CompiledDevice { function, item, malformed, spans }
}

/// Compiles a method under `#[device(attr)]`. The list of mistakes is empty if all of them are in `devices`.
pub fn compile_method(
    attr: &TokenStream,
    method: &Method,
    devices: &Devices,
) -> (Result<(), Vec<Diagnostic>>, SpanTable) {
    let mut spans = SpanTable::default();
    let (mut method, inputs) = (method.clone(), method.function.sig.inputs.len());
    let devices = match devices.flatten(&mut method.function, false, &mut spans) {
        Ok(devices) if inputs == method.function.sig.inputs.len() => devices,
        // It stays a method in the program on the CPU.
        Ok(_) => {
            let at = spans.insert_tokens(&method.item.items.first());
            let diagnostic = Diagnostic::new(at, "a method takes no struct that holds arrays");
            return (Err(vec![diagnostic.help("write a function, or pass the arrays")]), spans);
        }
        Err(mistakes) => return (Err(mistakes), spans),
    };
    let known = device::items(&devices, &plain_name(&method.ident), &mut spans).known(&devices.links);
    let compiled = DeviceItem::Method(Box::new(method)).compile(attr, &known, &mut spans);
    (compiled.map(drop), spans)
}

/// Reads the struct `item` under `#[device(attr)]`. The list of mistakes is empty if all of them are in `devices`.
pub fn compile_struct(
    attr: TokenStream,
    item: &syn::ItemStruct,
    devices: &Devices,
) -> (Result<StructId, Vec<Diagnostic>>, SpanTable) {
    let mut spans = SpanTable::default();
    let known = device::items(devices, &plain_name(&item.ident), &mut spans).known(&devices.links);
    let read = device::structure(attr, item, &known, &mut spans);
    (read, spans)
}

/// Reads the type that `item` under `#[device]` gives another name. The list of mistakes is empty if all of them are in
/// `devices`.
pub fn compile_alias(item: &syn::ItemType, devices: &Devices) -> (Result<Type, Vec<Diagnostic>>, SpanTable) {
    let mut spans = SpanTable::default();
    let known = device::items(devices, &plain_name(&item.ident), &mut spans).known(&devices.links);
    let read = device::alias(item, &known, &mut spans);
    (read, spans)
}

/// Reads the enum `item` under `#[device(attr)]`.
pub fn compile_enum(attr: TokenStream, item: &syn::ItemEnum) -> (Result<StructId, Vec<Diagnostic>>, SpanTable) {
    let mut spans = SpanTable::default();
    let read = device::enumeration(attr, item, &mut spans);
    (read, spans)
}

/// The mistakes in a struct under `#[device]` that holds arrays, and the positions of them.
pub fn check_array_struct(item: &syn::ItemStruct, devices: &Devices) -> (Vec<Diagnostic>, SpanTable) {
    let mut spans = SpanTable::default();
    let known = device::items(devices, &plain_name(&item.ident), &mut spans).known(&devices.links);
    let mistakes = array_structs::mistakes(item, &known, &mut spans);
    (in_source_order(mistakes, &spans), spans)
}

/// A parsed function.
struct Parsed {
    item: Option<syn::ItemFn>,
    malformed: bool,
}

/// Parses `item` as a function; a malformed body is replaced by an empty one. `None` if `item` is not a function, or is
/// nested too deeply to parse.
pub fn read_function(item: &TokenStream) -> Option<syn::ItemFn> {
    tokens::check_nesting(item, &mut SpanTable::default()).ok()?;
    syn::parse2(item.clone()).ok().or_else(|| head.parse2(item.clone()).ok())
}

/// Parses a function up to its body, and gives it an empty body.
fn head(input: ParseStream) -> syn::Result<syn::ItemFn> {
    let attrs = syn::Attribute::parse_outer(input)?;
    let (vis, sig): (syn::Visibility, syn::Signature) = (input.parse()?, input.parse()?);
    let body;
    syn::braced!(body in input);
    body.parse::<TokenStream>()?;
    Ok(syn::parse_quote!(#(#attrs)* #vis #sig {}))
}

/// What messages say about an attribute.
struct Attribute {
    name: &'static str,
    /// What the attribute is for.
    subject: &'static str,
    /// The form of such an item.
    form: &'static str,
}

const KERNEL: Attribute =
    Attribute { name: "#[kernel]", subject: "a kernel is a function", form: "`fn name(…) { … }`" };

const DEVICE: Attribute = Attribute {
    name: "#[device]",
    subject: "it is for functions, structs, enums, constants, aliases of types and modules",
    form: "`fn name(…) -> … { … }`, `struct Name { … }`, `enum Name { … }` or `mod name { … }`",
};

/// Compiles the item under `attribute` by `compile`.
fn annotated<T>(
    attribute: &Attribute,
    attr: TokenStream,
    item: TokenStream,
    compile: impl FnOnce(TokenStream, &mut syn::ItemFn, &mut SpanTable) -> Result<T, Vec<Diagnostic>>,
) -> (Result<T, Vec<Diagnostic>>, Parsed, SpanTable) {
    let mut spans = SpanTable::default();
    if let Err(diagnostic) = tokens::check_nesting(&item, &mut spans) {
        return (Err(vec![diagnostic]), Parsed { item: None, malformed: false }, spans);
    }
    if let Err(diagnostic) = tokens::check_nesting(&attr, &mut spans) {
        return (Err(vec![diagnostic]), Parsed { item: syn::parse2(item).ok(), malformed: false }, spans);
    }
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(mut item) => {
            let made = compile(attr, &mut item, &mut spans);
            (made, Parsed { item: Some(item), malformed: false }, spans)
        }
        Err(error) => {
            let span = spans.insert(error.span());
            let Attribute { name, subject, form } = attribute;
            let diagnostic = Diagnostic::new(span, format!("`{name}` cannot be applied to this item"))
                .note(format!("{subject}; the parser reports: {error}"))
                .help(format!("write `{name}` before {form}"));
            let item = head.parse2(item).ok();
            (Err(vec![diagnostic]), Parsed { malformed: item.is_some(), item }, spans)
        }
    }
}

pub(super) fn kernel(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    tokens::check_attributes(item, spans, &mut diagnostics);
    let signature = signature::read(attr, item, known, spans, &mut diagnostics);
    let with_tables = with_tables(item, known, spans)?;
    let (block, known) = with_tables.as_ref().map_or((&*item.block, known), |(block, known)| (block, known));
    let mut body = resolve::resolve(&signature, known, block, spans, &mut diagnostics);
    let params = params::build(&signature, body.dim, spans, &mut diagnostics);
    // Inference runs even after mistakes in names, so that one build reports both. Broken types keep it from reporting
    // follow-up mistakes.
    diagnostics.extend(body.infer.solve());
    if !diagnostics.is_empty() || known.has_mistakes() {
        return Err(in_source_order(diagnostics, spans));
    }
    let (block, locals) = lower::lower(&body).map_err(|found| in_source_order(found, spans))?;
    let signature::Signature { name, family, in_order, no_grad, slots, doc, .. } = signature;
    // A device function that changes an array takes it as a slice, which only one core can have.
    let in_order = in_order || body.lends;
    let (dim, of_block) = (body.dim, body.block);
    let kernel =
        Kernel { name, family, doc, dim, block: of_block, in_order, no_grad, slots, params, locals, body: block };
    verify(kernel).map_err(|found| in_source_order(found, spans))
}
