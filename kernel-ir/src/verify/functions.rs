//! The rules of a device function apart from its body.

use super::params;
use crate::diag::Diagnostic;
use crate::ir::{AtomicOp, Function, Gradient, Param, ParamId, ParamKind, Span, TileOp, Type};
use crate::ops::Op;

/// Checks the name, the signature and the derivatives of a function.
pub(super) fn check_form(function: &Function, mistakes: &mut Vec<Diagnostic>) {
    let (name, code) = (function.name(), &function.code);
    let mut report = |span: Span, message: String| mistakes.push(Diagnostic::new(span, message));
    let is_atomic = AtomicOp::ALL.iter().any(|op| op.name() == name);
    let is_of_tiles = name == TileOp::LOAD || TileOp::from_name(name).is_some();
    if Op::from_name(name).is_some() || is_atomic || is_of_tiles || name == "tid" {
        report(Span::NONE, format!("`{name}` is the name of an operation"));
    }
    let of_kernels = code.block.is_some() || code.in_order || code.no_grad || code.slots.is_some();
    if code.dim != 0 || !code.family.is_empty() || of_kernels {
        report(Span::NONE, format!("`{name}` is a device function, and cannot have the arguments of a kernel"));
    }
    for param in &code.params {
        if let ParamKind::Array { elem, mutable, optional, shape } = &param.kind {
            params::array(param, *elem, shape.len(), &mut |message| report(param.span, message));
            if *mutable {
                report(param.span, format!("a device function cannot write the array `{}`", param.name));
            }
            if *optional {
                report(param.span, format!("the array `{}` of a device function cannot be optional", param.name));
            }
            if shape.iter().any(|extent| *extent != Param::NO_EXTENT) {
                report(param.span, format!("`{}` has a shape, which is for the parameters of kernels", param.name));
            }
        }
        if param.domain.is_some() {
            report(param.span, format!("`{}` has a domain, which is for the parameters of kernels", param.name));
        }
    }
    if let Some(gradient) = &function.gradient {
        check_gradient(function, gradient, &mut report);
    }
}

fn check_gradient(function: &Function, gradient: &Gradient, report: &mut impl FnMut(Span, String)) {
    let name = function.name();
    if function.code.params.iter().any(|param| param.rank() > 0) {
        report(Span::NONE, format!("`{name}` takes an array, and cannot have a derivative of its own"));
    }
    if function.ret.is_struct() || function.code.params.iter().any(|param| param.elem().is_struct()) {
        report(Span::NONE, format!("`{name}` takes or returns a struct, and cannot have a derivative of its own"));
    }
    if gradient.parts.is_empty() {
        report(Span::NONE, format!("no derivative of `{name}` is given"));
    }
    if !function.ret.is_float() {
        report(Span::NONE, format!("`{name}` returns `{}`, which has no derivative", function.ret.rust_name()));
    }
    let in_order = gradient.parts.windows(2).all(|pair| pair[0].0 < pair[1].0);
    if !in_order {
        report(Span::NONE, format!("the derivatives of `{name}` are not in the order of its parameters"));
    }
    for (ParamId(place), part) in &gradient.parts {
        let Some(param) = function.code.params.get(*place as usize) else {
            report(Span::NONE, format!("`{name}` has no parameter number {place}"));
            continue;
        };
        let types = |function: &Function| function.code.params.iter().map(|param| param.elem()).collect::<Vec<Type>>();
        let wanted: Vec<Type> = types(function).into_iter().chain([function.ret]).collect();
        if !param.elem().is_float() || types(part) != wanted || part.ret != param.elem() {
            report(
                Span::NONE,
                format!(
                    "`{}` does not have the signature of the derivative of `{name}` by `{}`",
                    part.name(),
                    param.name
                ),
            );
        }
    }
}
