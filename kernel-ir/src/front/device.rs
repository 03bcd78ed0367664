//! Device functions: the functions and structs that a function names, the arguments of `#[device(…)]`, and compilation.
//!
//! A macro sees the tokens of its own function only. Other functions reach it as [`Source`]s, callees before callers,
//! each with the paths by which it names others.

use super::items::Known;
use super::links::{DeviceCode, DeviceItem, Procedure, link_name, prototype};
use super::signature::{ParamKind, Signature};
use super::syntax::{in_source_order, plain_name, ungrouped};
use super::{consts, foreign, lower, module, params, resolve, signature, structs, tokens, types};
use crate::diag::Diagnostic;
use crate::ir::{AtomicOp, Function, Gradient, Kernel, ParamId, Span, SpanTable, Struct, StructId, Type};
use crate::ops::{Syntax, TABLE};
use crate::verify::{verify_function, verify_procedure};
use proc_macro2::TokenStream;
use std::collections::HashSet;
use std::sync::Arc;
use syn::punctuated::Punctuated;
use syn::visit::{
    Visit, visit_expr_call, visit_expr_path, visit_expr_struct, visit_item_const, visit_local, visit_pat_ident,
    visit_pat_struct, visit_type_path,
};

/// The paths by which a kernel refers to items outside of the language, without duplicates.
pub fn named_in_kernel(item: &syn::ItemFn) -> Vec<syn::Path> {
    named_in_function(&TokenStream::new(), item)
}

impl DeviceItem {
    /// The paths by which the item under `#[device(attr)]` refers to items outside of the language, without duplicates.
    pub fn named_items(&self, attr: &TokenStream) -> Vec<syn::Path> {
        match self {
            DeviceItem::Function(item) => named_in_function(attr, item),
            DeviceItem::Struct(item) => named_in_struct(item),
            DeviceItem::Const(item) => named_in_function(attr, &as_function(item)),
            DeviceItem::Method(method) => {
                let mut paths = named_in_function(attr, &method.function);
                paths.extend(method.owner().filter(|owner| may_be_struct(owner) && !paths.contains(owner)).cloned());
                paths
            }
            DeviceItem::Module(item) => module::named_outside(item),
        }
    }
}

/// The paths in the signature, in the body, and in the arguments `attr` of `#[device]`, as derivatives.
fn named_in_function(attr: &TokenStream, item: &syn::ItemFn) -> Vec<syn::Path> {
    let mut bound = Bound::default();
    bound.visit_signature(&item.sig);
    bound.visit_block(&item.block);
    let mut found = Named { own: plain_name(&item.sig.ident), bound: bound.0, ..Named::default() };
    found.visit_signature(&item.sig);
    found.visit_block(&item.block);
    derivatives(attr).iter().for_each(|path| found.add(path));
    // A type parameter is reported where the signature is read.
    found.paths.retain(|path| item.sig.generics.type_params().all(|param| !path.is_ident(&param.ident)));
    found.paths
}

/// The constant as a function without parameters, which gives its value.
pub fn as_function(item: &syn::ItemConst) -> syn::ItemFn {
    let syn::ItemConst { attrs, vis, ident, ty, expr, .. } = item;
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    syn::parse_quote!(#(#docs)* #vis fn #ident() -> #ty { #expr })
}

/// Whether the name is written as that of a constant: in capital letters.
pub fn is_constant_name(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// The names that a function binds: parameters, variables, and its own constants.
#[derive(Default)]
struct Bound(HashSet<String>);

impl Visit<'_> for Bound {
    fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
        self.0.insert(plain_name(&pattern.ident));
        visit_pat_ident(self, pattern);
    }

    fn visit_item_const(&mut self, item: &syn::ItemConst) {
        self.0.insert(plain_name(&item.ident));
        visit_item_const(self, item);
    }
}

/// The paths of the types of the fields. Empty for a generic struct, which the language does not have.
fn named_in_struct(item: &syn::ItemStruct) -> Vec<syn::Path> {
    let mut found = Named::default();
    if !item.generics.params.is_empty() {
        return found.paths;
    }
    item.fields.iter().for_each(|field| found.visit_type(&field.ty));
    // A struct in itself is reported where the struct is read.
    found.paths.retain(|path| !path.is_ident(&item.ident));
    found.paths
}

/// The paths of the derivatives in the arguments of `#[device]`, in source order.
pub fn derivatives(attr: &TokenStream) -> Vec<syn::Path> {
    let arguments = Arguments::read(attr.clone(), &mut SpanTable::default(), &mut Vec::new());
    arguments.parts.into_iter().map(|part| part.function).collect()
}

#[derive(Default)]
struct Named {
    /// The name of the function itself.
    own: String,
    /// The names that it binds.
    bound: HashSet<String>,
    paths: Vec<syn::Path>,
    names: HashSet<String>,
    /// Locals that are closures. A call of one is not a device function; a later stage refuses closures.
    closures: HashSet<String>,
}

impl Named {
    fn add(&mut self, path: &syn::Path) {
        if self.names.insert(link_name(path)) {
            self.paths.push(path.clone());
        }
    }
}

impl Visit<'_> for Named {
    fn visit_local(&mut self, local: &syn::Local) {
        visit_local(self, local);
        if let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let syn::Expr::Closure(_) = ungrouped(&init.expr)
        {
            self.closures.insert(plain_name(&name.ident));
        }
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        if let syn::Expr::Path(path) = ungrouped(&call.func)
            && may_be_device(path)
            && !path.path.is_ident(&self.own)
            && !path.path.get_ident().is_some_and(|name| self.closures.contains(&plain_name(name)))
        {
            self.add(&path.path);
        }
        visit_expr_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        let is_bound = path.path.get_ident().is_some_and(|name| self.bound.contains(&plain_name(name)));
        if !is_bound && may_be_constant(path) && !path.path.is_ident(&self.own) {
            self.add(&path.path);
        }
        if let Some(owner) = owner(path)
            && may_be_struct(&owner)
        {
            self.add(&owner);
        }
        visit_expr_path(self, path);
    }

    fn visit_type_path(&mut self, ty: &syn::TypePath) {
        if ty.qself.is_none() && may_be_struct(&ty.path) {
            self.add(&ty.path);
        }
        visit_type_path(self, ty);
    }

    fn visit_pat_struct(&mut self, pattern: &syn::PatStruct) {
        if pattern.qself.is_none() && may_be_struct(&pattern.path) {
            self.add(&pattern.path);
        }
        visit_pat_struct(self, pattern);
    }

    fn visit_expr_struct(&mut self, value: &syn::ExprStruct) {
        if value.qself.is_none() && may_be_struct(&value.path) {
            self.add(&value.path);
        }
        visit_expr_struct(self, value);
    }
}

/// The path before the last name of `path`, such as `Ray` of `Ray::at`.
pub(super) fn owner(path: &syn::ExprPath) -> Option<syn::Path> {
    let mut owner = path.path.clone();
    owner.segments.pop()?;
    owner.segments.pop_punct();
    (path.qself.is_none() && !owner.segments.is_empty()).then_some(owner)
}

/// Whether an expression of this path can only be a device constant.
fn may_be_constant(path: &syn::ExprPath) -> bool {
    let names = types::path_names(path);
    let Some((name, owners)) = names.split_last() else { return false };
    let plain = path.qself.is_none() && path.path.segments.iter().all(|segment| segment.arguments.is_none());
    // `f32::MAX`, `Vec3::ZERO` and `f32::consts::PI` belong to the language.
    let is_owned = owners.last().is_some_and(|owner| {
        owner == "consts" || owner.starts_with(char::is_uppercase) || Type::from_rust_name(owner).is_some()
    });
    let is_known = owners.is_empty() && (consts::mathematical(name).is_some() || foreign::instead_of(name).is_some());
    plain && is_constant_name(name) && !is_owned && !is_known
}

/// Whether a type with this path can only be a device struct.
fn may_be_struct(path: &syn::Path) -> bool {
    let Some(name) = path.segments.last().map(|last| plain_name(&last.ident)) else { return false };
    let plain = path.segments.iter().all(|segment| segment.arguments.is_none());
    plain
        && name.starts_with(char::is_uppercase)
        && name != "Self"
        && Type::from_rust_name(&name).is_none()
        && types::substitute(&name).is_none()
}

/// Whether a call by this path can only mean a device function.
fn may_be_device(path: &syn::ExprPath) -> bool {
    let names = types::path_names(path);
    let Some(name) = names.last() else { return false };
    // Module names are in lower case, and so is a scalar type such as `f32`.
    let is_type = |owner: &String| owner.starts_with(char::is_uppercase) || Type::from_rust_name(owner).is_some();
    let owned = names.len() > 1 && is_type(&names[names.len() - 2]);
    let plain = path.qself.is_none() && path.path.segments.iter().all(|segment| segment.arguments.is_none());
    plain
        && !owned
        && !is_of_the_language(name)
        && foreign::instead_of(name).is_none()
        && name.starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// Whether the language has a function, method or operation with this name.
fn is_of_the_language(name: &str) -> bool {
    let is_word = |def: &crate::ops::OpDef| {
        def.name == name || matches!(def.rust, Syntax::Method(own) | Syntax::Assoc(own) if own == name)
    };
    let is_launch = matches!(name, "tid" | "tid2" | "tid3" | "tid4");
    is_launch || AtomicOp::ALL.iter().any(|op| op.name() == name) || TABLE.iter().any(is_word)
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
            DeviceItem::Method(method) => match method.mistake(spans) {
                Some(mistake) => Err(vec![mistake]),
                None => function(attr.clone(), &mut method.function, known, spans),
            },
            DeviceItem::Struct(_) | DeviceItem::Module(_) => Err(Vec::new()),
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
    let signature = signature::read_device(item, known, spans, &mut diagnostics);
    if is_of_the_language(&signature.name) || foreign::instead_of(&signature.name).is_some() {
        let span = spans.insert_tokens(&item.sig.ident);
        diagnostics.push(
            Diagnostic::new(span, format!("`{}` is a built-in name of the kernel language", signature.name))
                .help("give the function another name"),
        );
    }
    let mut body = resolve::resolve(&signature, known, &item.block, spans, &mut diagnostics);
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
    let changes_arrays = code.params.iter().any(|param| param.is_mutable());
    let (compiled, mistakes) = match ret {
        Some(ret) if !changes_arrays => {
            let warp = arguments.warp.map(|(name, _)| name);
            let function = Function { code, ret, gradient, warp };
            let mistakes = verify_function(&function);
            (DeviceCode::Function(Arc::new(function)), mistakes)
        }
        ret => {
            if let Some((_, span)) = arguments.warp {
                let diagnostic = Diagnostic::new(span, "a function that changes an array has no counterpart in Warp");
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

/// The name that `value` gives, if it can be one in Python.
fn warp_name(value: &syn::Expr) -> Option<String> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) = ungrouped(value) else { return None };
    let name = name.value();
    syn::parse_str::<syn::Ident>(&name).is_ok().then_some(name)
}

/// The arguments of `#[device(…)]`.
#[derive(Default)]
struct Arguments {
    parts: Vec<Part>,
    /// The position of `grad(…)`.
    grad: Option<Span>,
    surrogate: Option<Span>,
    /// The name in Warp, and its position.
    warp: Option<(String, Span)>,
}

/// One entry of `grad(…)`, such as `a = cube_root_da`.
struct Part {
    param: syn::Ident,
    param_span: Span,
    function: syn::Path,
    span: Span,
}

impl Arguments {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn read(attr: TokenStream, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) -> Arguments {
        const FORM: &str = "write `#[device]`, or `#[device(grad(x = f_dx))]` to give the derivative by `x`";
        const WARP: &str = "write the name in the module `wp`, as in `warp = \"transform_point\"`";
        let mut found = Arguments::default();
        let parser = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        let metas = match syn::parse::Parser::parse2(parser, attr) {
            Ok(metas) => metas,
            Err(error) => {
                let span = spans.insert(error.span());
                diagnostics.push(Diagnostic::new(span, "the arguments of `#[device]` cannot be read").help(FORM));
                return found;
            }
        };
        for meta in metas {
            let span = spans.insert_tokens(&meta);
            match &meta {
                syn::Meta::List(list) if list.path.is_ident("grad") && found.grad.is_none() => {
                    found.grad = Some(span);
                    match list.parse_args_with(Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated) {
                        Ok(pairs) => {
                            for pair in pairs {
                                found.add(&pair, spans, diagnostics);
                            }
                        }
                        Err(_) => diagnostics.push(
                            Diagnostic::new(span, "`grad` takes a list of parameters with their derivatives")
                                .help(FORM),
                        ),
                    }
                }
                syn::Meta::Path(path) if path.is_ident("surrogate") && found.surrogate.is_none() => {
                    found.surrogate = Some(span);
                }
                syn::Meta::NameValue(pair) if pair.path.is_ident("warp") && found.warp.is_none() => {
                    match warp_name(&pair.value) {
                        Some(name) => found.warp = Some((name, span)),
                        None => diagnostics.push(
                            Diagnostic::new(span, "`warp` gives the name of a function or type of Warp").help(WARP),
                        ),
                    }
                }
                syn::Meta::List(list) if list.path.is_ident("grad") => {
                    diagnostics.push(
                        Diagnostic::new(span, "`grad` is given twice").help("write one list with all derivatives"),
                    );
                }
                _ => diagnostics.push(Diagnostic::new(span, "unknown argument of `#[device]`").help(
                    "the arguments are `grad(x = f_dx, …)` and, beside it, `surrogate`; and `warp = \"f\"` for \
                             what Warp has itself",
                )),
            }
        }
        found
    }

    /// The name in Warp of a struct, which has no other arguments.
    fn of_struct(self, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
        if let Some(span) = self.grad.or(self.surrogate) {
            diagnostics.push(Diagnostic::new(span, "a struct has no derivative").help("write `#[device]`"));
        }
        self.warp.map(|(name, _)| name)
    }

    fn add(&mut self, pair: &syn::MetaNameValue, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) {
        let span = spans.insert_tokens(&pair.value);
        let value = ungrouped(&pair.value);
        match (pair.path.get_ident(), value) {
            (Some(param), syn::Expr::Path(function)) => self.parts.push(Part {
                param: param.clone(),
                param_span: spans.insert_tokens(param),
                function: function.path.clone(),
                span,
            }),
            _ => diagnostics.push(
                Diagnostic::new(span, "a derivative must be the name of a device function")
                    .help("write `grad(x = f_dx)`"),
            ),
        }
    }

    /// The derivative of a function with this signature, as the arguments give it.
    fn gradient(
        &self,
        signature: &Signature,
        known: &Known,
        spans: &mut SpanTable,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Gradient> {
        let name = &signature.name;
        let Some(grad) = self.grad else {
            diagnostics.extend(self.surrogate.map(|span| {
                Diagnostic::new(span, "`surrogate` needs `grad`")
                    .note("`surrogate` says that the given derivative differs from the true one on purpose")
                    .help("add `grad(x = f_dx)`, or remove `surrogate`")
            }));
            return None;
        };
        if self.parts.is_empty() {
            diagnostics.push(
                Diagnostic::new(grad, format!("no derivative of `{name}` is given"))
                    .help("name a parameter and a function: `grad(x = f_dx)`"),
            );
        }
        if let Some(array) = signature.params.iter().find(|param| matches!(param.kind, ParamKind::Array { .. })) {
            diagnostics.push(
                Diagnostic::new(
                    grad,
                    format!("`{name}` takes the array `{}`, so its derivative cannot be given", array.name),
                )
                .related(array.span, "declared here")
                .note("a derivative is by values; that of an array has as many parts as the array")
                .help("remove `grad`: the compiler differentiates the function, or pass the elements that it needs"),
            );
            return None;
        }
        let ret = signature.ret.and_then(|(ret, _)| ret)?;
        let of_structs = |param: &signature::Param| matches!(param.kind, ParamKind::Value(Some(ty)) if ty.is_struct());
        if ret.is_struct() || signature.params.iter().any(of_structs) {
            diagnostics.push(
                Diagnostic::new(grad, format!("`{name}` takes or returns a struct, so its derivative cannot be given"))
                    .help(
                        "remove `grad`: the compiler differentiates the function, or give the derivative of a function \
                         of the fields",
                    ),
            );
            return None;
        }
        if !ret.is_float() {
            diagnostics.push(
                Diagnostic::new(grad, format!("`{name}` returns `{}`, which has no derivative", ret.rust_name()))
                    .help("remove `grad`"),
            );
            return None;
        }
        let mut parts: Vec<(ParamId, Arc<Function>)> = Vec::new();
        for part in &self.parts {
            let Some((id, ty)) = part.parameter(signature, &parts, diagnostics) else { continue };
            let written = link_name(&part.function);
            let found = known.function(&written, spans);
            let Some(Ok(DeviceCode::Function(function))) = &found else {
                if found.is_none() {
                    diagnostics.push(
                        Diagnostic::new(part.span, format!("there is no device function `{written}`"))
                            .help("write `#[device]` before the function"),
                    );
                }
                continue;
            };
            if part.check(signature, ty, ret, function, diagnostics) {
                parts.push((id, Arc::clone(function)));
            }
        }
        // The IR lists derivatives in the order of the parameters. The author may use any order.
        parts.sort_by_key(|(param, _)| *param);
        Some(Gradient { parts, surrogate: self.surrogate.is_some() })
    }
}

impl Part {
    /// The parameter that the entry names, with its type. Reports a mistake if there is no such float parameter.
    fn parameter(
        &self,
        signature: &Signature,
        others: &[(ParamId, Arc<Function>)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(ParamId, Type)> {
        let (name, of) = (plain_name(&self.param), &signature.name);
        let place = signature.params.iter().position(|param| param.name == name);
        let Some(place) = place else {
            let names: Vec<String> = signature.params.iter().map(|param| format!("`{}`", param.name)).collect();
            diagnostics.push(
                Diagnostic::new(self.param_span, format!("`{of}` has no parameter `{name}`"))
                    .help(format!("its parameters are {}", names.join(", "))),
            );
            return None;
        };
        let ParamKind::Value(Some(ty)) = signature.params[place].kind else { return None };
        let id = ParamId(place as u32);
        if !ty.is_float() {
            let message = format!("`{name}` has the type `{}`, which has no derivative", ty.rust_name());
            diagnostics.push(Diagnostic::new(self.param_span, message).help(format!("remove `{name}` from `grad`")));
            return None;
        }
        if others.iter().any(|(other, _)| *other == id) {
            let message = format!("two derivatives by `{name}` are given");
            diagnostics.push(Diagnostic::new(self.param_span, message).help("keep one of the two"));
            return None;
        }
        Some((id, ty))
    }

    /// Whether `function` takes the arguments of the function and the adjoint of its result, and returns a `ty`.
    /// Reports a mistake if it does not.
    fn check(
        &self,
        signature: &Signature,
        ty: Type,
        ret: Type,
        function: &Arc<Function>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let own = signature.params.iter().filter_map(|param| match param.kind {
            ParamKind::Value(ty) => ty,
            ParamKind::Array { .. } => None,
        });
        let wanted: Vec<Type> = own.chain([ret]).collect();
        let found: Vec<Type> = function.code.params.iter().map(|param| param.elem()).collect();
        let takes_arrays = function.code.params.iter().any(|param| param.rank() > 0);
        if wanted == found && !takes_arrays && function.ret == ty {
            return true;
        }
        let name = link_name(&self.function);
        let params =
            signature.params.iter().zip(&wanted).map(|(param, ty)| format!("{}: {}", param.name, ty.rust_name()));
        let params: Vec<String> = params.chain([format!("adj: {}", ret.rust_name())]).collect();
        diagnostics.push(
            Diagnostic::new(
                self.span,
                format!(
                    "`{name}` does not have the signature of the derivative of `{}` by `{}`",
                    signature.name, self.param
                ),
            )
            .note(format!("its signature is `{}`", prototype(&DeviceCode::Function(Arc::clone(function)))))
            .help(format!(
                "write the parameters of the function, then the adjoint of its result: `fn {name}({}) -> {}`",
                params.join(", "),
                ty.rust_name()
            )),
        );
        false
    }
}
