//! Compilation of device functions, structs and methods.

use super::arguments::Arguments;
use super::generics::{self, Generic, GenericArg};
use super::items::{Compiler, InstanceArgs, Items, Known};
use super::links::{DeviceCode, DeviceItem, Devices, Link, Procedure, is_of_kernels};
use super::methods::{Method, Role};
use super::named::{as_function, is_of_the_language};
use super::signature::Signature;
use super::syntax::in_source_order;
use super::tables::with_tables;
use super::{enums, foreign, lower, params, resolve, signature, structs, tokens, types};
use crate::diag::Diagnostic;
use crate::ir::{Function, Kernel, SpanTable, Struct, StructId, Type};
use crate::verify::{verify_function, verify_procedure};
use proc_macro2::TokenStream;
use std::rc::Rc;
use std::sync::Arc;

/// The items of `devices`, which a function called `name` uses.
pub(super) fn items(devices: &Devices, name: &str, spans: &mut SpanTable) -> Rc<Items> {
    Items::new(devices, name, Compiler { structure, enumeration, alias, code: DeviceItem::compile, operands }, spans)
}

/// The types of the operands of a method: that of `self`, and that of the right side of an operator. `None` if one of them
/// has mistakes, which are reported at the method.
fn operands(method: &Method, known: &Known, spans: &mut SpanTable) -> Option<(Type, Type)> {
    let mut read = |ty: &syn::Type| types::read(ty, known, spans, &mut Vec::new());
    let of = read(&method.item.self_ty)?;
    let right = match &method.role {
        Role::Infix(_, Some(right)) => read(right)?,
        Role::Infix(_, None) | Role::Named(_) | Role::Negation => of,
    };
    Some((of, right))
}

impl DeviceItem {
    /// Compiles a function, constant or method under `#[device(attr)]`, which names the items in `known`. The list of
    /// mistakes is empty if all of them are in those items.
    pub(super) fn compile(
        &mut self,
        attr: &TokenStream,
        known: &Known,
        spans: &mut SpanTable,
    ) -> Result<DeviceCode, Vec<Diagnostic>> {
        match self {
            DeviceItem::Function(item) => function(attr.clone(), item, known, spans),
            DeviceItem::Const(item) => function(TokenStream::new(), &mut as_function(item), known, spans),
            DeviceItem::Method(method) => function(attr.clone(), &mut method.function, known, spans),
            DeviceItem::Struct(_) | DeviceItem::Enum(_) | DeviceItem::Alias(_) | DeviceItem::Module(_) => {
                Err(Vec::new())
            }
        }
    }
}

/// Reads the struct `item` under `#[device(attr)]`. The list of mistakes is empty if all of them are in the items in `known`.
pub(super) fn structure(
    attr: TokenStream,
    item: &syn::ItemStruct,
    known: &Known,
    spans: &mut SpanTable,
) -> Result<StructId, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let warp = Arguments::read(attr, spans, &mut diagnostics).of_struct(&mut diagnostics);
    let read = structs::read(item, known, spans);
    match read {
        Ok(id) if diagnostics.is_empty() => Ok(Struct { warp, ..Struct::clone(&id) }.intern()),
        read => {
            diagnostics.extend(read.err().into_iter().flatten());
            Err(in_source_order(diagnostics, spans))
        }
    }
}

/// Reads the type that `item` gives another name. The list of mistakes is empty if all of them are in the items in `known`.
pub(super) fn alias(item: &syn::ItemType, known: &Known, spans: &mut SpanTable) -> Result<Type, Vec<Diagnostic>> {
    if !item.generics.params.is_empty() {
        let diagnostic = Diagnostic::new(spans.insert_tokens(&item.generics), "an alias in kernels is not generic");
        return Err(vec![diagnostic.help("write the type itself, or one alias for each type")]);
    }
    let mut diagnostics: Vec<Diagnostic> = structs::name_mistake(&item.ident, "an alias", spans).into_iter().collect();
    let ty = types::read(&item.ty, known, spans, &mut diagnostics);
    ty.filter(|_| diagnostics.is_empty() && !known.has_mistakes()).ok_or(diagnostics)
}

/// Reads the enum `item` under `#[device(attr)]`.
pub(super) fn enumeration(
    attr: TokenStream,
    item: &syn::ItemEnum,
    spans: &mut SpanTable,
) -> Result<StructId, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    Arguments::read(attr, spans, &mut diagnostics).of_enum(&mut diagnostics);
    match enums::read(item, spans) {
        Ok(id) if diagnostics.is_empty() => Ok(id),
        read => {
            diagnostics.extend(read.err().into_iter().flatten());
            Err(in_source_order(diagnostics, spans))
        }
    }
}

/// Checks the function `item` under `#[device(attr)]` where it is defined: a generic one by some of its instances.
pub(super) fn definition(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    items: &Rc<Items>,
    links: &[Link],
    spans: &mut SpanTable,
) -> Result<(), Vec<Diagnostic>> {
    let known = items.known(links);
    if !generics::is_generic(item) {
        return function(attr, item, &known, spans).map(drop);
    }
    let generic = Generic::read(item, spans)?;
    for numbers in generic.samples() {
        let mut mistakes = Vec::new();
        let mut holds = |values: &Vec<GenericArg>| {
            let mut instance = generics::instance(&generic, values, item.sig.ident.clone());
            let Some(functions) = items.attempt(|| known.stand_ins(&generic, values, spans)) else { return true };
            let args = InstanceArgs { values: values.clone(), functions };
            let known = known.clone().of_instance(&args);
            let found = items.attempt(|| function(attr.clone(), &mut instance, &known, spans).err());
            // Of several numbers the first one explains best.
            if let Some(found) = &found
                && mistakes.is_empty()
            {
                let written = format!("in the instance `{}{args}`", item.sig.ident);
                mistakes = found.iter().cloned().map(|mistake| with_note(mistake, &written)).collect();
            }
            found.is_none()
        };
        if !numbers.iter().any(&mut holds) {
            return Err(mistakes);
        }
    }
    Ok(())
}

fn with_note(mistake: Diagnostic, note: &str) -> Diagnostic {
    if mistake.note.is_some() { mistake } else { mistake.note(note) }
}

/// Compiles the function `item` under `#[device(attr)]`, which names the items in `known`. The list of mistakes is empty
/// if all of them are in those items.
pub(super) fn function(
    attr: TokenStream,
    item: &mut syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
) -> Result<DeviceCode, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    tokens::check_attributes(item, spans, &mut diagnostics);
    let arguments = Arguments::read(attr, spans, &mut diagnostics);
    let signature =
        Signature { debug: arguments.debug, ..signature::read_device(item, known, spans, &mut diagnostics) };
    if is_of_the_language(&signature.name) || foreign::instead_of(&signature.name).is_some() {
        let span = spans.insert_tokens(&item.sig.ident);
        diagnostics.push(
            Diagnostic::new(span, format!("`{}` is a built-in name of the kernel language", signature.name))
                .help("give the function another name"),
        );
    }
    let with_tables = with_tables(item, known, spans)?;
    let (block, known) = with_tables.as_ref().map_or((&*item.block, known), |(block, known)| (block, known));
    let mut body = resolve::resolve(&signature, known, block, spans, &mut diagnostics);
    let params = params::build(&signature, 0, spans, &mut diagnostics);
    diagnostics.extend(body.infer.solve());
    let gradient = arguments.gradient(&signature, known, spans, &mut diagnostics);
    if !diagnostics.is_empty() || known.has_mistakes() {
        return Err(in_source_order(diagnostics, spans));
    }
    let (block, locals) = lower::lower(&body).map_err(|found| in_source_order(found, spans))?;
    let Signature { name, doc, ret, .. } = signature;
    let code = Kernel { name, doc, params, locals, body: block, ..Kernel::of_function() };
    let ret = match ret {
        Some((ret, _)) => Some(ret.ok_or_else(Vec::new)?),
        None => None,
    };
    // Calls are expressions, which print nothing.
    let has_messages = code.has_messages();
    if let (true, Some(_)) = (has_messages, &gradient) {
        let diagnostic = Diagnostic::new(
            spans.insert_tokens(&item.sig.ident),
            "a function with a derivative of its own prints no messages",
        );
        return Err(vec![diagnostic.help("remove `debug`, or print in the kernel")]);
    }
    let is_inserted = has_messages || code.params.iter().any(|param| param.is_mutable() || !is_of_kernels(param));
    let (compiled, mistakes) = match ret {
        Some(ret) if !is_inserted => {
            let warp = arguments.warp.map(|(name, _)| name);
            let function = Function { code, ret, gradient, warp };
            let mistakes = verify_function(&function);
            (DeviceCode::Function(Arc::new(function)), mistakes)
        }
        ret => {
            if let Some((_, span)) = arguments.warp {
                let diagnostic = Diagnostic::new(
                    span,
                    "a function that changes an array, or takes a local one, has no counterpart in Warp",
                );
                return Err(vec![diagnostic.help("remove `warp`")]);
            }
            let procedure = Procedure { code, ret };
            let mistakes = verify_procedure(&procedure.code, procedure.ret);
            (DeviceCode::Procedure(Arc::new(procedure)), mistakes)
        }
    };
    match mistakes {
        mistakes if mistakes.is_empty() => Ok(compiled),
        mistakes => Err(in_source_order(mistakes, spans)),
    }
}
