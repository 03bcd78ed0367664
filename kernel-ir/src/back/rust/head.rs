//! What stands before the body: doc comment, attributes, name and parameters.

use super::code::Code;
use super::names::spelled;
use super::writer::Writer;
use crate::back::numbers::push_f64;
use crate::ir::{Domain, Function, Param, ParamId, ParamKind, SizeExpr, Type};
use std::sync::Arc;

impl Writer<'_> {
    /// Everything up to the brace that opens the body.
    pub(super) fn head(&mut self) {
        let kernel = self.kernel;
        self.doc();
        let adjoint = kernel.adjoint_arguments();
        self.line(&format!("#[kernel(family = {:?}{adjoint})]", kernel.family));
        self.signature("pub ", "");
    }

    /// The same for a device function, of which the annotations may be left out.
    pub(super) fn function_head(&mut self, function: &Function, annotated: bool) {
        if annotated {
            self.doc();
            let arguments = function.gradient.as_ref().map_or_else(String::new, |gradient| {
                let part = |(param, part): &(ParamId, Arc<Function>)| {
                    format!("{} = {}", self.param(*param), spelled(part.name()))
                };
                let parts = gradient.parts.iter().map(part).collect::<Vec<_>>().join(", ");
                format!("(grad({parts}){})", if gradient.surrogate { ", surrogate" } else { "" })
            });
            self.line(&format!("#[device{arguments}]"));
        }
        self.signature("", &format!(" -> {}", function.ret.rust_name()));
    }

    fn doc(&mut self) {
        for line in self.kernel.doc.iter().flat_map(|line| line.split('\n')) {
            self.line(&if line.is_empty() { "///".to_owned() } else { format!("/// {line}") });
        }
    }

    /// From the visibility to the brace.
    fn signature(&mut self, vis: &str, result: &str) {
        let kernel = self.kernel;
        let name = spelled(&kernel.name);
        let params: Vec<Vec<String>> = kernel.param_ids().map(|(id, param)| self.declaration(id, param)).collect();
        // Like rustfmt: two attributes stand above their parameter, one beside it.
        let is_wide = params.iter().any(|parts| parts.len() > 2);
        let line = params.iter().map(|parts| parts.join(" ")).collect::<Vec<_>>().join(", ");
        let line = format!("{vis}fn {name}({line}){result} {{");
        if !is_wide && self.has_room(&line) {
            return self.line(&line);
        }
        self.open(&format!("{vis}fn {name}("));
        for parts in &params {
            let text = parts.join(if parts.len() > 2 { "\n" } else { " " });
            self.line(&format!("{text},"));
        }
        self.close(&format!("){result} {{"));
    }

    /// The attributes of a parameter, then `name: type`.
    fn declaration(&self, id: ParamId, param: &Param) -> Vec<String> {
        let domain = param.domain.as_ref().map(|domain| ["#[domain(", &self.domain(domain), ")]"].concat());
        let mut parts: Vec<String> = domain.into_iter().chain(self.shape(param)).collect();
        let mutable = if self.copies.values().any(|copied| *copied == id) { "mut " } else { "" };
        parts.push([mutable, self.param(id), ": ", &ty(param)].concat());
        parts
    }

    fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Float { low, high } => {
                let mut range = String::new();
                push_f64(&mut range, f64::from_bits(*low));
                range.push_str("..");
                push_f64(&mut range, f64::from_bits(*high));
                range
            }
            Domain::Int { low, high } => format!("{}..{}", self.size(low).text, self.size(high).text),
        }
    }

    /// The shape, if it is not that of the launch.
    fn shape(&self, param: &Param) -> Option<String> {
        let ParamKind::Array { shape, .. } = &param.kind else { return None };
        if (0..self.kernel.dim).map(SizeExpr::Dim).take(shape.len()).eq(shape.iter().cloned()) {
            return None;
        }
        let extents = shape.iter().map(|size| self.size(size).text).collect::<Vec<_>>();
        Some(format!("#[shape({})]", extents.join(", ")))
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

    /// The number of elements of an array along an axis.
    pub(super) fn extent(&self, array: ParamId, axis: u8) -> Code {
        let name = self.param(array);
        match self.kernel.param(array).rank() {
            1 => Code::atom(format!("{name}.len()")),
            _ => Code::atom(format!("{name}.shape()[{axis}]")),
        }
    }
}

fn ty(param: &Param) -> String {
    let array = |elem: &Type, rank: usize| match rank {
        1 => ["[", &elem.rust_name(), "]"].concat(),
        _ => format!("Array{rank}<{}>", elem.rust_name()),
    };
    match &param.kind {
        ParamKind::Value(ty) => ty.rust_name(),
        ParamKind::Array { elem, mutable, shape } => {
            [if *mutable { "&mut " } else { "&" }, &array(elem, shape.len())].concat()
        }
    }
}
