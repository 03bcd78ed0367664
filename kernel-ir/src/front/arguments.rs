//! The arguments of `#[device(…)]`: derivatives, and the name in Warp.

use super::items::Known;
use super::links::{DeviceCode, link_name, prototype};
use super::signature::{self, ParamKind, Signature};
use super::syntax::{plain_name, ungrouped};
use crate::diag::Diagnostic;
use crate::ir::{Function, Gradient, ParamId, Span, SpanTable, Type};
use proc_macro2::TokenStream;
use std::sync::Arc;
use syn::punctuated::Punctuated;

/// The paths of the derivatives in the arguments of `#[device]`, in source order.
pub fn derivatives(attr: &TokenStream) -> Vec<syn::Path> {
    let arguments = Arguments::read(attr.clone(), &mut SpanTable::default(), &mut Vec::new());
    arguments.parts.into_iter().map(|part| part.function).collect()
}

/// The name that `value` gives, if it can be one in Python.
fn warp_name(value: &syn::Expr) -> Option<String> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. }) = ungrouped(value) else { return None };
    let name = name.value();
    syn::parse_str::<syn::Ident>(&name).is_ok().then_some(name)
}

/// The arguments of `#[device(…)]`.
#[derive(Default)]
pub(super) struct Arguments {
    parts: Vec<Part>,
    /// The position of `grad(…)`.
    grad: Option<Span>,
    surrogate: Option<Span>,
    /// Whether messages stay.
    pub(super) debug: bool,
    /// The name in Warp, and its position.
    pub(super) warp: Option<(String, Span)>,
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
    pub(super) fn read(attr: TokenStream, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) -> Arguments {
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
                syn::Meta::Path(path) if path.is_ident("debug") && !found.debug => found.debug = true,
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
                    "the arguments are `grad(x = f_dx, …)` and, beside it, `surrogate`; `warp = \"f\"` for \
                             what Warp has itself; and `debug` for a function that prints its messages",
                )),
            }
        }
        found
    }

    /// The name in Warp of a struct, which has no other arguments.
    pub(super) fn of_struct(self, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
        if let Some(span) = self.grad.or(self.surrogate) {
            diagnostics.push(Diagnostic::new(span, "a struct has no derivative").help("write `#[device]`"));
        }
        self.warp.map(|(name, _)| name)
    }

    /// Reports the arguments of an enum, which has none.
    pub(super) fn of_enum(self, diagnostics: &mut Vec<Diagnostic>) {
        let warp = self.warp.map(|(_, span)| (span, "an enum has no counterpart in Warp"));
        let derivative = self.grad.or(self.surrogate).map(|span| (span, "an enum has no derivative"));
        let mistakes = warp.into_iter().chain(derivative);
        diagnostics.extend(mistakes.map(|(span, message)| Diagnostic::new(span, message).help("write `#[device]`")));
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
    pub(super) fn gradient(
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
            let found = known.derivative(&written, spans);
            let Some(Ok(DeviceCode::Function(function))) = &found else {
                if found.is_none() {
                    diagnostics.push(match known.generic(&written, spans) {
                        Some(_) => Diagnostic::new(
                            part.span,
                            format!("`{written}` has other generic parameters than `{name}`"),
                        )
                        .help("give both functions the same parameters: the arguments of one are those of the other"),
                        None => Diagnostic::new(part.span, format!("there is no device function `{written}`"))
                            .help("write `#[device]` before the function"),
                    });
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
