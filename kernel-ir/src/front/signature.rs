//! Reads the signature and the attributes of a function: name, family, documentation, parameters, result.

use super::attributes::{ParamAttributes, take_param_attributes};
use super::items::Known;
use super::lengths::{self, MOST_ELEMENTS};
use super::syntax::{plain_name, ungrouped_type};
use super::{type_syntax, types};
use crate::diag::Diagnostic;
use crate::ir::{self, Span, SpanTable, Struct, Type};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;

/// The kind of an annotated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionKind {
    Kernel,
    Device,
}

impl FunctionKind {
    /// The kind as a noun, for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            FunctionKind::Kernel => "a kernel",
            FunctionKind::Device => "a device function",
        }
    }
}

/// The signature of a kernel or a device function. Sizes in it are still syntax, because they may name launch axes, and
/// only the body tells how many there are.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) kind: FunctionKind,
    pub(super) name: String,
    pub(super) family: String,
    pub(super) in_order: bool,
    pub(super) no_grad: bool,
    /// Whether messages stay.
    pub(super) debug: bool,
    pub(super) slots: Option<u32>,
    pub(super) doc: Vec<String>,
    pub(super) params: Vec<Param>,
    /// The return type of a device function, and its position. A type outside of the language is reported and then
    /// `None`.
    pub(super) ret: Option<(Option<Type>, Span)>,
}

impl Signature {
    /// Whether the type of a parameter is reported.
    fn has_broken_params(&self) -> bool {
        let is_broken =
            |param: &Param| matches!(param.kind, ParamKind::Value(None) | ParamKind::Array { elem: None, .. });
        self.params.iter().any(is_broken)
    }

    /// Whether the author names a family. Datasets take only such kernels.
    pub(super) fn is_of_a_family(&self) -> bool {
        self.family != DEFAULT_FAMILY
    }
}

#[derive(Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) kind: ParamKind,
    /// Declared `mut`: the body may assign its own copy.
    pub(super) mutable: bool,
    pub(super) attributes: ParamAttributes,
    pub(super) span: Span,
}

/// How a parameter is passed. A type outside of the language is reported and then `None`.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParamKind {
    Value(Option<Type>),
    /// `len` is that of `&[T; N]`. Without axes, it is one value that the function changes: `&mut T`.
    Array {
        elem: Option<Type>,
        rank: u8,
        len: Option<u32>,
        mutable: bool,
        optional: bool,
    },
}

/// Reads the arguments of the attribute and the signature of a kernel. Removes Weft's attributes from the parameters.
pub(super) fn read(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Signature {
    let Arguments { family, in_order, no_grad, debug, slots } = read_arguments(attr, spans, diagnostics);
    let family = family.unwrap_or_else(|| DEFAULT_FAMILY.to_owned());
    if let syn::ReturnType::Type(_, ty) = &item.sig.output {
        diagnostics.push(
            Diagnostic::new(spans.insert_tokens(ty), "a kernel returns nothing")
                .help("write results to an array parameter, for example `out: &mut [f32]`"),
        );
    }
    let slots = slots.map(|(slots, _)| slots);
    Signature {
        family,
        in_order,
        no_grad,
        debug,
        slots,
        ..read_common(FunctionKind::Kernel, item, known, spans, diagnostics)
    }
}

/// Reads the signature of a device function.
pub(super) fn read_device(
    item: &mut syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Signature {
    let mut signature = read_common(FunctionKind::Device, item, known, spans, diagnostics);
    for param in &signature.params {
        if param.attributes.domain.is_some() || param.attributes.shape.is_some() {
            diagnostics.push(
                Diagnostic::new(
                    param.span,
                    format!("the parameter `{}` of a device function cannot have a domain or a shape", param.name),
                )
                .help("write `#[domain]` and `#[shape]` at the parameters of the kernels that call the function"),
            );
        }
    }
    let changes_arrays =
        signature.params.iter().any(|param| matches!(param.kind, ParamKind::Array { mutable: true, .. }));
    let ret = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => (types::read(ty, known, spans, diagnostics), spans.insert_tokens(ty)),
        // A parameter with a mistake may be meant as an array.
        syn::ReturnType::Default if changes_arrays || signature.has_broken_params() => return signature,
        syn::ReturnType::Default => {
            let span = spans.insert_tokens(&item.sig.ident);
            diagnostics.push(
                Diagnostic::new(span, format!("the device function `{}` does nothing", signature.name))
                    .note("a device function returns a value, or changes an array that it takes by `&mut`")
                    .help(
                        "declare the return type, for example `-> f32`, or take the array, for example `y: &mut [f32]`",
                    ),
            );
            (None, span)
        }
    };
    signature.ret = Some(ret);
    signature
}

/// Reads the parts that kernels and device functions share.
fn read_common(
    kind: FunctionKind,
    item: &mut syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Signature {
    check_form(kind, item, spans, diagnostics);
    let params: Vec<Param> =
        item.sig.inputs.iter_mut().filter_map(|input| read_param(kind, input, known, spans, diagnostics)).collect();
    for (position, param) in params.iter().enumerate() {
        if let Some(first) = params[..position].iter().find(|first| first.name == param.name) {
            diagnostics.push(
                Diagnostic::new(param.span, format!("two parameters are called `{}`", param.name))
                    .related(first.span, "the first one")
                    .help("rename one of them"),
            );
        }
    }
    Signature {
        kind,
        name: plain_name(&item.sig.ident),
        family: String::new(),
        in_order: false,
        no_grad: false,
        debug: false,
        slots: None,
        doc: read_doc(&item.attrs),
        params,
        ret: None,
    }
}

/// The family of a kernel whose author names no family.
const DEFAULT_FAMILY: &str = "custom";

/// The arguments of `#[kernel(…)]`.
#[derive(Default)]
struct Arguments {
    family: Option<String>,
    in_order: bool,
    no_grad: bool,
    debug: bool,
    slots: Option<(u32, Span)>,
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn read_arguments(attr: TokenStream, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) -> Arguments {
    let parser = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    let metas = match syn::parse::Parser::parse2(parser, attr) {
        Ok(metas) => metas,
        Err(error) => {
            let span = spans.insert(error.span());
            diagnostics.push(
                Diagnostic::new(span, "the arguments of `#[kernel]` cannot be read")
                    .help("write `#[kernel(family = \"arithmetic\")]`"),
            );
            return Arguments::default();
        }
    };
    let mut found = Arguments::default();
    for meta in metas {
        let span = spans.insert_tokens(&meta);
        match &meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("family") => match read_family_name(&pair.value) {
                Some(_) if found.family.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "`family` is given twice").help("keep one of the two"));
                }
                Some(name) => found.family = Some(name),
                None => diagnostics.push(
                    Diagnostic::new(span, "a family must be a lower-case name in quotes")
                        .help("write `family = \"nested_loop\"`"),
                ),
            },
            syn::Meta::Path(path) if path.is_ident("no_grad") => match found.no_grad {
                true => diagnostics.push(Diagnostic::new(span, "`no_grad` is given twice").help("keep one of the two")),
                false => found.no_grad = true,
            },
            syn::Meta::Path(path) if path.is_ident("debug") => match found.debug {
                true => diagnostics.push(Diagnostic::new(span, "`debug` is given twice").help("keep one of the two")),
                false => found.debug = true,
            },
            syn::Meta::Path(path) if path.is_ident("in_order") => match found.in_order {
                true => diagnostics.push(Diagnostic::new(span, "`in_order` is given twice").help("keep one of the two")),
                false => found.in_order = true,
            },
            syn::Meta::NameValue(pair) if pair.path.is_ident("slots") => match read_slots(&pair.value) {
                Some(_) if found.slots.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "`slots` is given twice").help("keep one of the two"));
                }
                Some(slots) => found.slots = Some((slots, span)),
                None => diagnostics.push(
                    Diagnostic::new(span, format!("`slots` must be a number from 1 to {}", ir::Kernel::MOST_SLOTS))
                        .note("`slots` is the largest number of states of a loop that its adjoint keeps")
                        .help("write `slots = 8`"),
                ),
            },
            _ => diagnostics.push(Diagnostic::new(span, "unknown argument of `#[kernel]`").help(
                "the arguments are `family = \"…\"`, `no_grad` for a kernel without an adjoint, `slots = 8`, `in_order` \
                 for a kernel whose threads run one after the other on the CPU, and `debug` for one that prints its messages",
            )),
        }
    }
    if let (Some((_, span)), true) = (found.slots, found.no_grad) {
        diagnostics.push(
            Diagnostic::new(span, "`slots` is for the adjoint, but `no_grad` says that there is none")
                .help("remove one of the two"),
        );
        found.slots = None;
    }
    found
}

/// The number of slots in a literal; `None` unless it is a number that a kernel may have.
fn read_slots(value: &syn::Expr) -> Option<u32> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) = without_group(value) else { return None };
    number.base10_parse().ok().filter(|slots| (1..=ir::Kernel::MOST_SLOTS).contains(slots))
}

/// The expression without the invisible group that a macro may put around it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn without_group(value: &syn::Expr) -> &syn::Expr {
    match value {
        syn::Expr::Group(group) => &group.expr,
        plain => plain,
    }
}

/// The family in a string literal, if it is made of lower-case letters, digits and underscores.
fn read_family_name(value: &syn::Expr) -> Option<String> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = without_group(value) else { return None };
    let name = text.value();
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (starts && plain).then_some(name)
}

/// Checks that the function has no modifiers and no generics.
fn check_form(kind: FunctionKind, item: &syn::ItemFn, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) {
    let sig = &item.sig;
    let mut refuse = |at: &dyn ToTokens, what: &str, help: &str| {
        let message = format!("{} {what}", kind.noun());
        diagnostics.push(Diagnostic::new(spans.insert_tokens(at), message).help(help));
    };
    if let Some(token) = &sig.constness {
        refuse(&token, "cannot be `const`", "remove `const`");
    }
    if let Some(token) = &sig.asyncness {
        refuse(&token, "cannot be `async`", "remove `async`: a launch runs every thread to its end");
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        refuse(&sig.safety, "cannot be `unsafe` or `safe`", "remove the keyword");
    }
    if let Some(abi) = &sig.abi {
        refuse(&abi, "cannot have a foreign ABI", "remove `extern`");
    }
    if !sig.generics.params.is_empty() {
        refuse(&sig.generics, "cannot be generic here", "write it outside of `impl`, or one function for each type");
    }
    if let Some(clause) = &sig.generics.where_clause {
        refuse(&clause, "cannot have a `where` clause", "remove it");
    }
    if let Some(variadic) = &sig.variadic {
        refuse(&variadic, "takes a fixed number of parameters", "remove `...`");
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn read_param(
    kind: FunctionKind,
    input: &mut syn::FnArg,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Param> {
    let typed = match input {
        syn::FnArg::Typed(typed) => typed,
        syn::FnArg::Receiver(receiver) => {
            let span = spans.insert_tokens(receiver);
            diagnostics.push(
                Diagnostic::new(span, format!("{} cannot take `self`", kind.noun()))
                    .help("pass the fields that it needs as parameters"),
            );
            return None;
        }
    };
    let attributes = take_param_attributes(&mut typed.attrs, spans, diagnostics);
    let span = spans.insert_tokens(&typed.pat);
    let (name, mutable) = match &*typed.pat {
        syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            (plain_name(&pat.ident), pat.mutability.is_some())
        }
        _ => {
            let message = format!("a parameter of {} must be a plain name", kind.noun());
            diagnostics.push(Diagnostic::new(span, message).help("write `name: type`"));
            return None;
        }
    };
    let kind = read_param_kind(kind, &typed.ty, known, spans, diagnostics);
    // `mut` before an optional array lets the body borrow it: `if let Some(z) = &mut z`.
    let may_rebind = matches!(kind, ParamKind::Value(_) | ParamKind::Array { mutable: true, optional: true, .. });
    if mutable && !may_rebind {
        diagnostics.push(
            Diagnostic::new(span, format!("the array `{name}` cannot be rebound"))
                .help("remove `mut` before the name; a writable array is `&mut [T]`"),
        );
    }
    Some(Param { name, kind, mutable, attributes, span })
}

fn read_param_kind(
    kind: FunctionKind,
    ty: &syn::Type,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> ParamKind {
    if let Some(inner) = type_syntax::optional(ty) {
        return read_optional(kind, ty, inner, known, spans, diagnostics);
    }
    let syn::Type::Reference(reference) = ungrouped_type(ty) else {
        if let Some((elem, rank)) = type_syntax::array_of(ty) {
            let wanted = if rank == 1 { "&[T]".to_owned() } else { format!("&Array{rank}<T>") };
            let span = spans.insert_tokens(ty);
            diagnostics.push(
                Diagnostic::new(span, "arrays are passed by reference")
                    .help(format!("write `{wanted}` to read it, `&mut {}` to write it", &wanted[1..])),
            );
            let elem = read_elem(elem, known, spans, diagnostics);
            return ParamKind::Array { elem, rank, len: None, mutable: false, optional: false };
        }
        let value = types::read(ty, known, spans, diagnostics);
        return ParamKind::Value(value.filter(|value| {
            let mistake = if value.is_tuple() {
                let mistake = Diagnostic::new(spans.insert_tokens(ty), "a parameter cannot be a tuple");
                mistake.help("write one parameter for each value, or use a device struct")
            } else if kind == FunctionKind::Kernel && value.is_struct() && value.layout().is_none() {
                let message = format!("a kernel cannot take `{}`, which has a `usize`", value.rust_name());
                Diagnostic::new(spans.insert_tokens(ty), message).note(SIZE_DIFFERS).help("use `u32`")
            } else if let (FunctionKind::Kernel, Some(of)) = (kind, value.enum_with_gaps()) {
                enum_with_gaps(&of, "a kernel cannot take", spans.insert_tokens(ty))
            } else {
                return true;
            };
            diagnostics.push(mistake);
            false
        }));
    };
    let mutable = reference.mutability.is_some();
    if let Some(lifetime) = &reference.lifetime {
        let span = spans.insert_tokens(lifetime);
        diagnostics
            .push(Diagnostic::new(span, "a kernel's parameters have no named lifetimes").help("remove the lifetime"));
    }
    if kind == FunctionKind::Device
        && let Some(param) = read_lent(reference, known, spans, diagnostics)
    {
        return param;
    }
    match type_syntax::array_of(&reference.elem) {
        Some((elem, rank)) => {
            // A device function may take a local array of `usize`.
            let ty = match (kind, rank) {
                (FunctionKind::Device, 1) => read_value(elem, known, spans, diagnostics),
                _ => read_elem(elem, known, spans, diagnostics),
            };
            ParamKind::Array { elem: ty, rank, len: None, mutable, optional: false }
        }
        None if let Some(elem) = type_syntax::one_axis(&reference.elem) => {
            let span = spans.insert_tokens(ty);
            let elem = read_elem(elem, known, spans, diagnostics);
            let wanted = elem.map_or("T".to_owned(), Type::rust_name);
            let reference = if mutable { "&mut " } else { "&" };
            diagnostics.push(
                Diagnostic::new(span, "a kernel takes a one-dimensional array as a slice")
                    .help(format!("write `{reference}[{wanted}]`")),
            );
            ParamKind::Array { elem, rank: 1, len: None, mutable, optional: false }
        }
        None => {
            let span = spans.insert_tokens(ty);
            let diagnostic = match type_syntax::known(&reference.elem) {
                Some(ty) if mutable => Diagnostic::new(span, "a kernel cannot write to a single value of its caller")
                    .help(format!("pass an array of one element: `&mut [{}]`", ty.rust_name())),
                Some(ty) => Diagnostic::new(span, "single values are passed by value")
                    .help(format!("write `{}`", ty.rust_name())),
                None => Diagnostic::new(span, "this is not an array that a kernel can take")
                    .help("arrays are `&[T]`, `&mut [T]`, and `&Array2<T>` to `&mut Array4<T>`"),
            };
            diagnostics.push(diagnostic);
            ParamKind::Value(None)
        }
    }
}

/// Reads the types of parameters for what a thread has itself: local arrays, `&[T; N]` and `&mut [T; N]`, and variables,
/// `&mut T`. `None` for other types.
fn read_lent(
    reference: &syn::TypeReference,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ParamKind> {
    let mutable = reference.mutability.is_some();
    if let syn::Type::Array(array) = ungrouped_type(&reference.elem) {
        let elem = read_value(&array.elem, known, spans, diagnostics);
        let len =
            lengths::constant_integer(&array.len, &|_| None, known, spans).and_then(|len| u32::try_from(len).ok());
        if len.is_none_or(|len| !(1..=MOST_ELEMENTS).contains(&len)) {
            let span = spans.insert_tokens(&array.len);
            let message = format!("the length of an array that a function takes is a number from 1 to {MOST_ELEMENTS}");
            diagnostics.push(
                Diagnostic::new(span, message).help("write a number or a constant under `#[device]`, or take `&[T]`"),
            );
        }
        return Some(ParamKind::Array { elem, rank: 1, len: Some(len.unwrap_or(1)), mutable, optional: false });
    }
    let is_array = type_syntax::array_of(&reference.elem).is_some() || type_syntax::one_axis(&reference.elem).is_some();
    if !mutable || is_array {
        return None;
    }
    let elem = read_value(&reference.elem, known, spans, diagnostics);
    Some(ParamKind::Array { elem, rank: 0, len: None, mutable, optional: false })
}

/// The type of a value that a variable may have.
fn read_value(ty: &syn::Type, known: &Known, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) -> Option<Type> {
    let value = types::read(ty, known, spans, diagnostics)?;
    if value.is_tuple() {
        let mistake = Diagnostic::new(spans.insert_tokens(ty), "a function cannot borrow a tuple");
        diagnostics.push(mistake.help("take one parameter for each value, or use a device struct"));
        return None;
    }
    Some(value)
}

/// Reads the type `Option<inner>` of a parameter.
fn read_optional(
    kind: FunctionKind,
    ty: &syn::Type,
    inner: &syn::Type,
    known: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> ParamKind {
    let mut refuse = |message: &str, help: &str| {
        diagnostics.push(Diagnostic::new(spans.insert_tokens(ty), message).help(help));
    };
    match kind {
        FunctionKind::Device => {
            let help = "take the array itself, and call the function where it is present: \
                        `if let Some(z) = z { f(z) }`";
            refuse("a device function cannot take an optional array", help);
        }
        FunctionKind::Kernel if !matches!(ungrouped_type(inner), syn::Type::Reference(_)) => {
            refuse("only arrays are optional", "write `Option<&[T]>`, or pass a `bool` beside the value");
            return ParamKind::Value(None);
        }
        FunctionKind::Kernel => {}
    }
    match read_param_kind(kind, inner, known, spans, diagnostics) {
        ParamKind::Array { elem, rank, len, mutable, .. } => {
            ParamKind::Array { elem, rank, len, mutable, optional: true }
        }
        value @ ParamKind::Value(_) => value,
    }
}

/// Why memory holds no `usize`.
const SIZE_DIFFERS: &str = "its size differs between the targets";

/// The mistake of an enum in data: there every number below that of the variants must be one of them.
fn enum_with_gaps(of: &Struct, what: &str, at: Span) -> Diagnostic {
    let (name, repr) = (&of.name, of.repr().rust_name());
    let variant = &of.variants[0].0;
    Diagnostic::new(at, format!("{what} `{name}`, whose numbers are not 0, 1, 2 and so on"))
        .note("datasets draw the numbers of an enum, and zero must be one of them")
        .help(format!(
            "number the variants without gaps, or take `{repr}` and compare with `{name}::{variant} as {repr}`"
        ))
}

/// The type of an element of an array.
fn read_elem(ty: &syn::Type, known: &Known, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) -> Option<Type> {
    let elem = types::read(ty, known, spans, diagnostics)?;
    let mistake = if elem.is_tuple() {
        Diagnostic::new(spans.insert_tokens(ty), "an array cannot hold tuples").help("use a device struct")
    } else if elem.layout().is_none() {
        let of = if elem.is_struct() { format!(", which `{}` has", elem.rust_name()) } else { String::new() };
        Diagnostic::new(spans.insert_tokens(ty), format!("an array cannot hold `usize`{of}"))
            .note(SIZE_DIFFERS)
            .help("use `u32`")
    } else if let Some(of) = elem.enum_with_gaps() {
        enum_with_gaps(&of, "an array cannot hold", spans.insert_tokens(ty))
    } else {
        return Some(elem);
    };
    diagnostics.push(mistake);
    None
}

/// The lines of a doc comment, without the space that follows the slashes.
pub(super) fn read_doc(attrs: &[syn::Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }),
            ..
        }) = &attr.meta
        {
            let text = text.value();
            lines.extend(text.split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()));
        }
    }
    lines
}
