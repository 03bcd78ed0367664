//! The rules of the signature.

use crate::diag::Diagnostic;
use crate::ir::{Kernel, Param, ParamId, ParamKind, SizeExpr, Structure, Type, ValueRange};

/// Checks the attributes of a kernel: launch axes and checkpoints.
pub(super) fn check_head(kernel: &Kernel, mistakes: &mut Vec<Diagnostic>) {
    if !(1..=4).contains(&kernel.dim) {
        let message = format!("a launch has 1 to 4 axes, not {}", kernel.dim);
        mistakes.push(Diagnostic::new(crate::ir::Span::NONE, message));
    }
    if let Some(slots) = kernel.slots
        && (kernel.no_grad || !(1..=Kernel::MOST_SLOTS).contains(&slots))
    {
        let message =
            format!("`slots` must be a number from 1 to {}, and a kernel with `no_grad` has none", Kernel::MOST_SLOTS);
        mistakes.push(Diagnostic::new(crate::ir::Span::NONE, message));
    }
}

pub(super) fn check(kernel: &Kernel, mistakes: &mut Vec<Diagnostic>) {
    for (id, param) in kernel.param_ids() {
        let mut report = |message: String| mistakes.push(Diagnostic::new(param.span, message));
        if kernel.params[..id.0 as usize].iter().any(|earlier| earlier.name == param.name) {
            report(format!("two parameters are called `{}`", param.name));
        }
        if let ParamKind::Array { elem, shape, .. } = &param.kind {
            // Code that is inserted may take local arrays and variables.
            if kernel.dim > 0 {
                array(param, *elem, shape.len(), &mut report);
            }
            for extent in shape {
                size(kernel, id, extent, &mut report);
            }
        }
        let Some(domain) = &param.domain else { continue };
        match &domain.range {
            ValueRange::Bool => bool_domain(param, &mut report),
            ValueRange::Int { low, high } => {
                int_domain(param, &mut report);
                size(kernel, id, low, &mut report);
                size(kernel, id, high, &mut report);
            }
            ValueRange::Float { low, high } => {
                float_domain(param, f64::from_bits(*low), f64::from_bits(*high), &mut report);
            }
        }
        if let Some(structure) = domain.structure {
            check_structure(param, structure, &domain.range, &mut report);
        }
    }
}

pub(super) fn array(param: &Param, elem: Type, rank: usize, report: &mut impl FnMut(String)) {
    let name = &param.name;
    if elem == Type::INDEX {
        report(format!("`{name}` cannot be an array of {elem}"));
    }
    if !(1..=4).contains(&rank) {
        report(format!("`{name}` has {rank} axes; an array has 1 to 4"));
    }
}

fn bool_domain(param: &Param, report: &mut impl FnMut(String)) {
    if param.elem() != Type::BOOL {
        report(format!("`{}` has a domain of `bool`, but its type is {}", param.name, param.elem().rust_name()));
    }
}

fn int_domain(param: &Param, report: &mut impl FnMut(String)) {
    if !param.elem().scalar().is_integer() {
        report(format!("`{}` has a domain of integers, but its type is {}", param.name, param.elem().rust_name()));
    }
}

fn check_structure(param: &Param, structure: Structure, range: &ValueRange, report: &mut impl FnMut(String)) {
    let (name, word) = (&param.name, structure.name());
    if !structure.fits(&param.kind) {
        report(format!("`{name}` cannot be `{word}`, which is for {}", structure.subject()));
    }
    if structure.own_range(&param.kind).is_some_and(|own| own != *range) {
        report(format!("the range of `{name}` is not that of `{word}`"));
    }
}

fn float_domain(param: &Param, low: f64, high: f64, report: &mut impl FnMut(String)) {
    let name = &param.name;
    if !param.elem().is_float() {
        report(format!("`{name}` has a domain of floats, but its type is {}", param.elem().rust_name()));
    }
    if !(low.is_finite() && high.is_finite() && low < high) {
        report(format!("the domain of `{name}` must go from a finite number to a larger one: {low:?}..{high:?}"));
    }
}

/// Checks a size in the shape or domain of the parameter `id`.
fn size(kernel: &Kernel, id: ParamId, size_expr: &SizeExpr, report: &mut impl FnMut(String)) {
    let name = &kernel.param(id).name;
    match size_expr {
        SizeExpr::Literal(_) => {}
        SizeExpr::Dim(axis) if *axis >= kernel.dim => {
            report(format!("`dim{axis}` in `{name}`: the launch has {} axes", kernel.dim));
        }
        SizeExpr::Dim(_) => {}
        SizeExpr::Param(other) | SizeExpr::Extent(other, _) if *other >= id => {
            let other = kernel.params.get(other.0 as usize).map_or("?", |param| &param.name);
            report(format!("the shape or domain of `{name}` uses `{other}`, which is not declared before `{name}`"));
        }
        SizeExpr::Param(other) => {
            let other = kernel.param(*other);
            let is_int = matches!(other.kind, ParamKind::Value(ty) if ty.is_scalar() && ty.scalar().is_integer());
            if !is_int {
                report(format!("the shape or domain of `{name}` uses `{}`, which is not an integer", other.name));
            }
        }
        SizeExpr::Extent(other, axis) => {
            let other = kernel.param(*other);
            if other.is_optional() {
                report(format!("the shape or domain of `{name}` uses `{}`, which may be absent", other.name));
            }
            if usize::from(*axis) >= other.rank() {
                report(format!(
                    "the shape or domain of `{name}` uses axis {axis} of `{}`, which has no such axis",
                    other.name
                ));
            }
        }
        SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
            size(kernel, id, a, report);
            size(kernel, id, b, report);
        }
    }
}
