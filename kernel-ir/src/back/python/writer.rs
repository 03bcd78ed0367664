//! The state of the writer, and the module around the body: imports, helpers, signature, docstring, thread index.

use super::declare::Declarations;
use super::prelude::Helpers;
use super::reserved::is_reserved;
use super::types::{definition, short_name, type_name};
use crate::back::bounds::locals_of_bounds;
use crate::back::names::{FunctionNames, Names, Scoping, StructNames};
use crate::back::wrap::{self, Style};
use crate::ir::{
    Expr, ExprKind, Function, Gradient, Kernel, LocalId, LocalSet, Param, ParamKind, Stmt, StmtKind, StructId, Type,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The line-breaking rules of Python.
const STYLE: Style = Style {
    width: 100,
    operators: &[
        &["if", "else"],
        &["or"],
        &["and"],
        &["==", "!=", "<", "<=", ">", ">="],
        &["|"],
        &["^"],
        &["&"],
        &["<<", ">>"],
        &["+", "-"],
        &["*", "/", "//", "%"],
    ],
    block_keywords: &["if", "elif", "while"],
    is_free_form: false,
    has_method_chains: false,
    has_trailing_comma: true,
};

/// The initial capacity of a text, which suffices for most texts.
const ROOM: usize = 2048;

/// The state of writing a kernel, or one of its device functions.
pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) names: Names<'a>,
    pub(super) functions: Rc<FunctionNames>,
    pub(super) structs: Rc<StructNames>,
    pub(super) declarations: Declarations<'a>,
    /// The locals that the text does not need, because it does not check indices.
    pub(super) unread: LocalSet,
    pub(super) helpers: Helpers,
    /// The variables that hold the thread index, one for each launch axis.
    pub(super) tid: Vec<String>,
    /// Whether the next draw of a random number advances the state.
    pub(super) in_place: bool,
    /// The names of device functions, and every name inside of them.
    given: Vec<String>,
    out: String,
    depth: usize,
}

impl<'a> Writer<'a> {
    /// A writer for a module that has at least these helpers. It adds helpers as the kernel uses them.
    pub(super) fn new(kernel: &'a Kernel, helpers: Helpers) -> Writer<'a> {
        let is_used = |name: &str| is_reserved(name, &helpers) || name == kernel.name;
        let structs = Rc::new(StructNames::new(own_structs(kernel), &is_used, &|name| is_reserved(name, &helpers)));
        let is_used = |name: &str| is_used(name) || structs.has(name);
        let functions = Rc::new(FunctionNames::new(kernel.functions_for_warp(), &is_used));
        Writer::of_code(kernel, functions, Rc::clone(&structs), helpers)
    }

    /// A writer of the body of a kernel or device function, which refers to `functions`.
    fn of_code(
        code: &'a Kernel,
        functions: Rc<FunctionNames>,
        structs: Rc<StructNames>,
        helpers: Helpers,
    ) -> Writer<'a> {
        let reserved = |name: &str| is_reserved(name, &helpers) || functions.has(name) || structs.has(name);
        Writer {
            kernel: code,
            names: Names::new(code, Scoping::Function, &reserved),
            functions,
            structs,
            declarations: Declarations::of(code),
            unread: locals_of_bounds(code),
            helpers,
            tid: Vec::new(),
            in_place: false,
            given: Vec::new(),
            out: String::with_capacity(ROOM),
            depth: 0,
        }
    }

    pub(super) fn function_name(&self) -> &str {
        self.names.kernel()
    }

    /// Whether a name in the kernel hides a helper.
    pub(super) fn hides_a_helper(&self) -> bool {
        let mut given = self.given.iter().map(String::as_str).chain(self.names.all()).chain([self.names.kernel()]);
        given.any(|name| self.helpers.has(name))
    }

    /// The whole module, after [`definition`](Writer::definition).
    pub(super) fn module(self) -> String {
        let helpers: Vec<&str> = self.helpers.sources().collect();
        let mut module = String::with_capacity(ROOM + self.out.len());
        if helpers.iter().any(|source| source.contains("Any")) {
            module.push_str("from typing import Any\n\n");
        }
        module.push_str("import warp as wp\n\n");
        for definition in defined_types(self.kernel).into_iter().filter_map(definition) {
            module.extend([&definition, "\n"]);
        }
        module.push_str(if module.ends_with("\n\n") { "\n" } else { "\n\n" });
        for source in helpers {
            module.push_str(source);
            module.push_str("\n\n\n");
        }
        module.push_str(&self.out);
        module
    }

    /// Writes the kernel and its device functions.
    pub(super) fn definition(&mut self) {
        for (id, name, fields) in Rc::clone(&self.structs).iter().filter(|(id, ..)| !id.is_tuple()) {
            self.structure(id, name, fields);
        }
        for (function, name) in Rc::clone(&self.functions).iter() {
            self.function(function, name);
        }
        self.line("@wp.kernel");
        let name = self.names.kernel().to_owned();
        self.signature(&name, "", &[]);
        self.nested(|w| {
            let doc = &w.kernel.doc;
            w.docstring(doc);
            let rest = w.thread_index();
            w.stmts(rest);
        });
    }

    /// Writes the definition of a struct.
    fn structure(&mut self, id: StructId, name: &str, fields: &[String]) {
        self.line("@wp.struct");
        self.line(&format!("class {name}:"));
        self.nested(|w| {
            if !id.doc.is_empty() {
                w.docstring(&id.doc);
                w.out.push('\n');
            }
            for (variant, number) in &id.variants {
                w.line(&format!("# {number}: {variant}"));
            }
            for (field, name) in id.fields.iter().zip(fields) {
                let ty = w.type_name(field.ty);
                w.line(&format!("{name}: {ty}"));
            }
        });
        self.out.push_str("\n\n");
    }

    /// The name of a type; Python's own name if there is one.
    pub(super) fn type_name(&self, ty: Type) -> String {
        let Some(id) = ty.as_struct() else { return short_name(ty) };
        if id.is_tuple() {
            let types: Vec<String> = id.fields.iter().map(|field| self.type_name(field.ty)).collect();
            return format!("tuple[{}]", types.join(", "));
        }
        match (&id.warp, self.structs.of(ty)) {
            (Some(name), _) => format!("wp.{name}"),
            (None, Some(name)) => name.to_owned(),
            (None, None) => short_name(ty),
        }
    }

    /// The name of a field of a struct.
    pub(super) fn field_name(&self, ty: Type, number: u8) -> String {
        match ty.as_struct() {
            Some(id) if id.warp.is_some() => id.fields[usize::from(number)].name.clone(),
            _ => self.structs.field(ty, number).to_owned(),
        }
    }

    /// Appends the name of a function.
    pub(super) fn push_function(&self, function: &Function, out: &mut String) {
        match &function.warp {
            Some(name) => out.extend(["wp.", name]),
            None => out.push_str(self.functions.of(function)),
        }
    }

    /// Writes a device function, with its derivative if the author gives one.
    fn function(&mut self, function: &Function, name: &str) {
        let helpers = std::mem::take(&mut self.helpers);
        let (functions, structs) = (Rc::clone(&self.functions), Rc::clone(&self.structs));
        let mut inner = Writer::of_code(&function.code, functions, structs, helpers);
        inner.out = std::mem::take(&mut self.out);
        inner.line("@wp.func");
        let result = format!(" -> {}", inner.type_name(function.ret));
        inner.signature(name, &result, &[]);
        inner.nested(|w| {
            w.docstring(&function.code.doc);
            w.stmts(&function.code.body);
        });
        inner.out.push_str("\n\n");
        if let Some(gradient) = &function.gradient {
            inner.gradient(function, gradient, name);
        }
        self.given.extend(inner.names.all().map(str::to_owned));
        self.given.push(name.to_owned());
        self.out = inner.out;
        self.helpers = inner.helpers;
    }

    /// Writes the function that gives Warp the author's derivative.
    fn gradient(&mut self, function: &Function, gradient: &Gradient, name: &str) {
        self.line(&format!("@wp.func_grad({name})"));
        let result = self.names.fresh("adj_ret");
        self.signature(&format!("adj_{name}"), "", &[format!("{result}: {}", short_name(function.ret))]);
        self.nested(|w| {
            let args = w.kernel.param_ids().map(|(id, _)| w.names.param(id).to_owned()).chain([result.clone()]);
            let args = args.collect::<Vec<_>>().join(", ");
            for (param, part) in &gradient.parts {
                let mut line = format!("wp.adjoint[{}] += ", w.names.param(*param));
                w.push_function(part, &mut line);
                line.extend(["(", &args, ")"]);
                w.line(&line);
            }
        });
        self.out.push_str("\n\n");
    }

    /// Writes a statement at the current depth, broken over several lines if it is too long.
    pub(super) fn line(&mut self, text: &str) {
        wrap::push_line(&mut self.out, self.depth, text, &STYLE);
    }

    /// Writes a block one level deeper; `pass` if `inside` writes nothing.
    pub(super) fn nested(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        let before = self.out.len();
        inside(self);
        if self.out.len() == before {
            self.line("pass");
        }
        self.depth -= 1;
    }

    fn push_annotation(&self, out: &mut String, param: &Param) {
        match &param.kind {
            ParamKind::Value(ty) => out.push_str(&self.type_name(*ty)),
            ParamKind::Array { elem, shape, .. } => {
                let rank = ["", "2d", "3d", "4d"][shape.len() - 1];
                let elem = if elem.is_struct() { self.type_name(*elem) } else { type_name(*elem) };
                out.extend(["wp.array", rank, "(dtype=", &elem, ")"]);
            }
        }
    }

    /// Writes the head of a function: the parameters of the code, then `more`.
    fn signature(&mut self, name: &str, result: &str, more: &[String]) {
        let mut params = String::with_capacity(STYLE.width);
        for (id, param) in self.kernel.param_ids() {
            params.extend([self.names.param(id), ": "]);
            self.push_annotation(&mut params, param);
            params.push_str(",\n");
        }
        more.iter().for_each(|param| params.extend([param, ",\n"]));
        let line = ["def ", name, "(", &params.trim_end_matches(",\n").replace('\n', " "), ")", result, ":"].concat();
        if line.chars().count() <= STYLE.width {
            self.line(&line);
            return;
        }
        self.line(&["def ", name, "("].concat());
        self.depth += 1;
        params.lines().for_each(|param| self.line(param));
        self.depth -= 1;
        self.line(&[")", result, ":"].concat());
    }

    fn docstring(&mut self, doc: &[String]) {
        let lines: Vec<Cow<'_, str>> = doc.iter().map(|line| escape(line)).collect();
        match lines.as_slice() {
            [] => {}
            [only] if !only.ends_with('"') => self.line(&format!("\"\"\"{only}\"\"\"")),
            [first, rest @ ..] => {
                self.line(&format!("\"\"\"{first}"));
                for line in rest {
                    if !line.is_empty() {
                        self.out.push_str(&"    ".repeat(self.depth));
                        self.out.push_str(line);
                    }
                    self.out.push('\n');
                }
                self.line("\"\"\"");
            }
        }
    }

    /// Writes `i, j = wp.tid()` if the kernel uses its thread index. Declarations at the start of the body that bind
    /// the index supply the names. Returns the other statements of the body.
    fn thread_index(&mut self) -> Vec<&'a Stmt> {
        let kernel = self.kernel;
        let mut uses = vec![0; usize::from(kernel.dim)];
        kernel.walk_exprs(&mut |expr| {
            if let ExprKind::Tid(axis) = expr.kind {
                uses[usize::from(axis)] += 1;
            }
        });
        let mut own: Vec<Option<LocalId>> = vec![None; uses.len()];
        let head = kernel.body.iter().take_while(|stmt| matches!(stmt.kind, StmtKind::Let { .. })).count();
        let (head, rest) = kernel.body.split_at(head);
        let mut others = Vec::new();
        for stmt in head {
            match tid_declaration(stmt) {
                // A mutable variable may take the index only if nothing else reads the index.
                Some((local, axis)) if own[axis].is_none() && (!kernel.local(local).mutable || uses[axis] == 1) => {
                    own[axis] = Some(local);
                }
                _ => others.push(stmt),
            }
        }
        for (axis, own) in own.iter().enumerate() {
            let name = match own {
                Some(local) => self.names.local(*local).to_owned(),
                None => self.names.fresh(["i", "j", "k", "l"][axis]),
            };
            self.tid.push(name);
        }
        if uses.iter().any(|&n| n > 0) {
            let line = format!("{} = wp.tid()", self.tid.join(", "));
            self.line(&line);
        }
        others.into_iter().chain(rest).collect()
    }
}

/// The structs that the text defines, and tuples.
fn own_structs(kernel: &Kernel) -> Vec<StructId> {
    kernel.structs().into_iter().filter(|id| id.warp.is_none()).collect()
}

/// The types that the kernel and its functions use and Warp has no names for.
fn defined_types(kernel: &Kernel) -> BTreeSet<Type> {
    let mut types = BTreeSet::new();
    let mut add = |ty: Type| {
        if definition(ty).is_some() {
            types.insert(ty);
        }
    };
    for code in kernel.functions_for_warp().iter().map(|function| &function.code).chain([kernel]) {
        code.params.iter().for_each(|param| add(param.elem()));
        code.locals.iter().for_each(|local| add(local.ty));
        code.walk_exprs(&mut |expr| add(expr.ty));
    }
    types
}

/// The local that `stmt` initialises with the thread index, and the axis.
fn tid_declaration(stmt: &Stmt) -> Option<(LocalId, usize)> {
    let StmtKind::Let { local, init: Some(Expr { kind: ExprKind::Tid(axis), .. }) } = stmt.kind else { return None };
    Some((local, axis.into()))
}

/// The text of a line inside of a docstring.
fn escape(line: &str) -> Cow<'_, str> {
    match line.contains(['\\', '"']) {
        true => line.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"").into(),
        false => Cow::Borrowed(line),
    }
}
