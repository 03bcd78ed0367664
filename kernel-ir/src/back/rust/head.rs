//! The head of a function: doc comment, attributes, name and parameters.

use super::code::Code;
use super::names::spelled;
use super::writer::Writer;
use crate::back::numbers::push_f64;
use crate::ir::{Domain, Function, Param, ParamId, ParamKind, SizeExpr, ValueRange};
use std::sync::Arc;

impl Writer<'_> {
    /// Writes everything up to the opening brace of the body.
    pub(super) fn head(&mut self) {
        let kernel = self.kernel;
        self.doc();
        let debug = if kernel.has_messages() { ", debug" } else { "" };
        let more = kernel.arguments() + debug;
        self.line(&format!("#[kernel(family = {:?}{more})]", kernel.family));
        self.signature("pub ", "");
    }

    /// As `head`, for a device function. `annotated`: with doc comment and attribute.
    pub(super) fn function_head(&mut self, function: &Function, annotated: bool) {
        if annotated {
            self.doc();
            let gradient = function.gradient.as_ref().map(|gradient| {
                let part = |(param, part): &(ParamId, Arc<Function>)| {
                    format!("{} = {}", self.param(*param), spelled(part.name()))
                };
                let parts = gradient.parts.iter().map(part).collect::<Vec<_>>().join(", ");
                format!("grad({parts}){}", if gradient.surrogate { ", surrogate" } else { "" })
            });
            self.device_attribute(gradient, function.warp.as_deref());
        }
        self.signature("", &format!(" -> {}", function.ret.rust_name()));
    }

    /// Writes `#[device(…)]`. `gradient` are the arguments that give the derivative, `warp` is the name in Warp.
    pub(super) fn device_attribute(&mut self, gradient: Option<String>, warp: Option<&str>) {
        let warp = warp.map(|name| format!("warp = {name:?}"));
        let arguments: Vec<String> = gradient.into_iter().chain(warp).collect();
        match arguments.as_slice() {
            [] => self.line("#[device]"),
            _ => self.line(&format!("#[device({})]", arguments.join(", "))),
        }
    }

    fn doc(&mut self) {
        self.doc_lines(&self.kernel.doc);
    }

    pub(super) fn doc_lines(&mut self, doc: &[String]) {
        for line in doc.iter().flat_map(|line| line.split('\n')) {
            self.line(&[if line.is_empty() { "///" } else { "/// " }, line].concat());
        }
    }

    /// Writes the signature, from the visibility to the opening brace.
    fn signature(&mut self, vis: &str, result: &str) {
        let kernel = self.kernel;
        let name = spelled(&kernel.name);
        let params: Vec<Declaration> = kernel.param_ids().map(|(id, param)| self.declaration(id, param)).collect();
        if !params.iter().any(|param| param.is_wide) {
            let length: usize = params.iter().map(|param| param.text.len() + 2).sum();
            let mut line = String::with_capacity(length + vis.len() + name.len() + result.len() + 8);
            line.extend([vis, "fn ", &name, "("]);
            for (place, param) in params.iter().enumerate() {
                line.extend([if place > 0 { ", " } else { "" }, &param.text]);
            }
            line.extend([")", result, " {"]);
            if self.has_room(&line) {
                return self.line(&line);
            }
        }
        self.open(&[vis, "fn ", &name, "("].concat());
        for Declaration { mut text, .. } in params {
            text.push(',');
            self.line(&text);
        }
        self.close(&[")", result, " {"].concat());
    }

    /// The attributes of a parameter, then `name: type`.
    fn declaration(&self, id: ParamId, param: &Param) -> Declaration {
        let shape = self.shape(param);
        // As with rustfmt, two attributes stand above their parameter, and one stands next to it.
        let is_wide = param.domain.is_some() && shape.is_some();
        let end = if is_wide { "]\n" } else { "] " };
        let mut text = String::with_capacity(64);
        if let Some(domain) = &param.domain {
            text.push_str("#[domain(");
            self.push_domain(&mut text, param, domain);
            text.extend([")", end]);
        }
        if let Some(shape) = shape {
            text.push_str("#[shape(");
            for (place, extent) in shape.iter().enumerate() {
                text.extend([if place > 0 { ", " } else { "" }, &self.size(extent).text]);
            }
            text.extend([")", end]);
        }
        let is_mutable = self.copies.values().any(|copied| *copied == id) || self.needs_mut(id);
        let mutable = if is_mutable { "mut " } else { "" };
        text.extend([mutable, self.param(id), ": "]);
        text.push_str(&param.rust_type());
        Declaration { text, is_wide }
    }

    /// The arguments of `#[domain(…)]`. A structure that has a range of its own is written without it.
    fn push_domain(&self, out: &mut String, param: &Param, domain: &Domain) {
        let Some(structure) = domain.structure else { return self.push_range(out, &domain.range) };
        if structure.own_range(&param.kind).is_none() {
            self.push_range(out, &domain.range);
            out.push_str(", ");
        }
        out.push_str(structure.name());
    }

    fn push_range(&self, out: &mut String, range: &ValueRange) {
        match range {
            ValueRange::Bool => out.push_str("false..=true"),
            ValueRange::Float { low, high } => {
                push_f64(out, f64::from_bits(*low));
                out.push_str("..");
                push_f64(out, f64::from_bits(*high));
            }
            ValueRange::Int { low, high } => out.extend([&self.size(low).text, "..", &self.size(high).text]),
        }
    }

    /// The shape of an array, if it is not that of the launch.
    fn shape<'p>(&self, param: &'p Param) -> Option<&'p [SizeExpr]> {
        let ParamKind::Array { shape, .. } = &param.kind else { return None };
        // The arrays of a device function have no shapes of their own.
        if self.kernel.dim == 0 {
            return None;
        }
        let is_of_launch = |(axis, size): (u8, &SizeExpr)| axis < self.kernel.dim && *size == SizeExpr::Dim(axis);
        (!(0..).zip(shape).all(is_of_launch)).then_some(shape)
    }

    fn size(&self, size: &SizeExpr) -> Code {
        let infix = |sign, a, b| Code::infix(sign, self.size(a), self.size(b));
        match size {
            SizeExpr::Literal(value) => Code::number(value.to_string()),
            SizeExpr::Dim(axis) => Code::atom(format!("dim{axis}")),
            SizeExpr::Param(id) => Code::atom(self.param(*id)),
            SizeExpr::Extent(id, axis) => self.extent(*id, *axis),
            SizeExpr::Add(a, b) => infix("+", a, b),
            SizeExpr::Sub(a, b) => infix("-", a, b),
            SizeExpr::Mul(a, b) => infix("*", a, b),
            SizeExpr::Div(a, b) => infix("/", a, b),
        }
    }

    /// The extent of an array along an axis.
    pub(super) fn extent(&self, array: ParamId, axis: u8) -> Code {
        let name = self.param(array);
        match self.kernel.param(array).rank() {
            1 => Code::atom(format!("{name}.len()")),
            _ => Code::atom(format!("{name}.shape()[{axis}]")),
        }
    }
}

/// A parameter in a signature.
struct Declaration {
    text: String,
    /// Whether it takes several lines.
    is_wide: bool,
}
