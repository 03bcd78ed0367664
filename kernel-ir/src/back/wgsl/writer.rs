//! The state of the writer, and the code around the body: structs, bindings, functions, the entry point.

use super::arguments::{ArgumentField, ArgumentSource, Arguments, WORKGROUP, pieces};
use super::guarded::guarded;
use super::lines::Lines;
use super::memory::Memory;
use super::prelude::Prelude;
use super::reserved;
use super::sums::{self, Sum};
use super::text::{Level, Text};
use super::types::{is_native, type_name};
use crate::back::bounds::locals_of_bounds;
use crate::back::fault::Checks;
use crate::back::names::{Names, Scoping, StructNames};
use crate::ir::{
    ExprKind, Function, Kernel, LocalId, LocalSet, Param, ParamId, ParamKind, Scalar, Stmt, StmtKind, Type,
};
use crate::rewrite::shared_atomics;
use crate::verify::VerifiedKernel;
use std::borrow::Cow;
use std::sync::Arc;

/// A device function with the arrays of the kernel that it reads. WGSL passes no arrays, so there is an instance for
/// each choice of arrays.
#[derive(Debug)]
pub(super) struct Instance {
    function: Arc<Function>,
    arrays: Vec<ParamId>,
    name: String,
}

/// What all functions of the text share.
pub(super) struct Shared {
    /// The name of the kernel's own function.
    entry: String,
    arguments: Arguments,
    pub(super) structs: StructNames,
    instances: Vec<Instance>,
    pub(super) prelude: Prelude,
    /// The functions that access arrays, with their texts.
    pub(super) accesses: Vec<(String, String)>,
    /// The names of the arrays and by-value parameters of the kernel.
    params: Vec<String>,
    /// The names of the fields of the uniform buffer.
    fields: Vec<String>,
    memories: Vec<Memory>,
    /// Every name of a variable, an array or a function of the author.
    given: Vec<String>,
    /// The functions that return at once where their value does not count.
    pub(super) guarded: Vec<Arc<Function>>,
    /// Reasons for which the kernel has no text.
    pub(super) refusals: Vec<String>,
}

/// Writes the body of a kernel or of a device function.
pub(super) struct Writer<'a, 's> {
    pub(super) kernel: &'a Kernel,
    pub(super) names: Names<'a>,
    pub(super) shared: &'s mut Shared,
    pub(super) lines: Lines,
    /// For each array parameter, the array of the kernel.
    arrays: Vec<ParamId>,
    /// The names of the thread indices.
    tids: Vec<String>,
    /// The locals that the text does not declare: thread indices, and what only bounds read.
    undeclared: LocalSet,
    pub(super) checks: Checks,
    /// The condition under which the value counts that is being written.
    pub(super) counts: Text,
    /// Whether an expression may declare variables in lines before it.
    pub(super) has_own_lines: bool,
    /// In checked text, the array and the variable with the offset of the element that the statement stores.
    pub(super) stored: Option<(ParamId, String)>,
    /// The number of loops around the place that is being written.
    loops: usize,
    /// The fields of the uniform buffer that the text reads once, into variables of the same names.
    read_once: Vec<usize>,
}

/// The text of a kernel.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) prelude: Prelude,
    /// The names of the functions that access arrays.
    accesses: Vec<String>,
    /// The names of arrays that functions which access them have variables of.
    hidden: Vec<&'static str>,
    /// Every name of a variable, an array or a function of the author.
    pub(super) given: Vec<String>,
    pub(super) refusals: Vec<String>,
}

/// Writes a kernel, with names for which `taken` is false.
pub(super) fn write(verified: &VerifiedKernel, checks: Checks, taken: &dyn Fn(&str) -> bool) -> Written {
    // Checked text must tell which thread adds a value.
    let (kernel, sums) = match checks {
        Checks::Off => sums::split(verified),
        Checks::On => (Cow::Borrowed(&**verified), Vec::new()),
    };
    let serial = shared_atomics::as_updates(&kernel);
    let kernel = &*serial;
    let is_used = |name: &str| reserved::is_word(name) || taken(name);
    let structs = StructNames::new(kernel.structs(), &is_used, &reserved::is_word);
    let is_taken = |name: &str| is_used(name) || structs.has(name);
    let mut names = Names::new(kernel, Scoping::Block, &is_taken);
    let arguments = match checks {
        Checks::Off => Arguments::of(kernel),
        Checks::On => Arguments::checked(kernel),
    };
    let fields = field_names(kernel, &arguments, &mut names);
    let params: Vec<String> = kernel.param_ids().map(|(id, _)| names.param(id).to_owned()).collect();
    let mut instances = Vec::new();
    let identity: Vec<ParamId> = kernel.param_ids().map(|(id, _)| id).collect();
    collect(kernel, &identity, &mut instances);
    let mut known: Vec<String> = Vec::new();
    for instance in &mut instances {
        let arrays: Vec<&str> = instance.arrays.iter().map(|id| params[id.0 as usize].as_str()).collect();
        let own = [&[instance.function.name().trim_start_matches("r#")], arrays.as_slice()].concat().join("_");
        instance.name = own;
        while is_taken(&instance.name)
            || names.all().any(|name| name == instance.name)
            || known.contains(&instance.name)
        {
            instance.name.push('_');
        }
        known.push(instance.name.clone());
    }
    let memories = kernel.param_ids().map(|(id, _)| Memory::of(verified, id)).collect();
    let mut shared = Shared {
        entry: names.kernel().to_owned(),
        arguments,
        structs,
        instances,
        prelude: Prelude::default(),
        accesses: Vec::new(),
        params,
        fields,
        memories,
        given: Vec::new(),
        guarded: guarded(kernel),
        refusals: Vec::new(),
    };
    let record = (checks == Checks::On).then(|| shared.record());
    let functions = functions(&mut shared, checks, &is_used);
    let mut writer = Writer::new(kernel, names, identity, &mut shared, checks);
    writer.entry_point(&sums);
    let entry = writer.lines.text;
    let mut lines = Lines::default();
    shared.heads(kernel, &mut lines);
    record.iter().for_each(|record| lines.whole(record));
    for (_, access) in &shared.accesses {
        lines.line("");
        lines.whole(access);
    }
    lines.text.push('\n');
    lines.text.extend([functions, entry]);
    let hidden = shared.hidden();
    let Shared { prelude, accesses, refusals, given, .. } = shared;
    let accesses = accesses.into_iter().map(|(name, _)| name).collect();
    Written { text: lines.text, prelude, accesses, hidden, given, refusals }
}

impl Written {
    /// Whether the text has another meaning for a name than that of a variable, or of a function of the author.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.prelude.uses(name) || self.accesses.iter().any(|access| access == name) || self.hidden.contains(&name)
    }
}

/// The record and the functions of checked text, behind the binding of the record.
const CHECKS: &str = include_str!("checked.wgsl");

/// The names that these functions need.
const OF_CHECKS: [&str; 5] = ["weft_fault", "weft_thread", "weft_report", "weft_at", "atomicExchange"];

/// The names of variables in the functions that access arrays.
const OWN: [&str; 10] = ["first", "index", "at", "value", "seen", "exchange", "compare", "condition", "then", "other"];

/// The functions that `code` calls, callees first, with the arrays of the kernel that they read. `arrays` are the arrays of
/// the kernel for the parameters of `code`.
fn collect(code: &Kernel, arrays: &[ParamId], found: &mut Vec<Instance>) {
    code.walk_exprs(&mut |expr| {
        let ExprKind::Call(callee, _) = &expr.kind else { return };
        let of_kernel: Vec<ParamId> = callee.arrays.iter().map(|id| arrays[id.0 as usize]).collect();
        if found.iter().any(|known| *known.function == *callee.function && known.arrays == of_kernel) {
            return;
        }
        collect(&callee.function.code, &in_code(&callee.function.code, &of_kernel), found);
        found.push(Instance { function: Arc::clone(&callee.function), arrays: of_kernel, name: String::new() });
    });
}

/// For each parameter of a function, the array of the kernel; anything for one by value.
fn in_code(code: &Kernel, arrays: &[ParamId]) -> Vec<ParamId> {
    let mut arrays = arrays.iter().copied();
    let of = |param: &Param| if param.is_array() { arrays.next() } else { None };
    code.params.iter().map(of).map(|array| array.unwrap_or(ParamId(u32::MAX))).collect()
}

/// The names of the fields of the uniform buffer.
fn field_names(kernel: &Kernel, arguments: &Arguments, names: &mut Names<'_>) -> Vec<String> {
    let name = |field: &ArgumentField| match field.source {
        ArgumentSource::Value { param, first } => match pieces(kernel.param(param).elem()).len() {
            1 => names.param(param).to_owned(),
            _ => {
                let preferred = format!("{}_{first}", names.param(param));
                names.fresh(&preferred)
            }
        },
        ArgumentSource::Extent(param, axis) => {
            let what = if kernel.param(param).rank() == 1 { "len".to_owned() } else { format!("shape{axis}") };
            let preferred = format!("{}_{what}", names.param(param));
            names.fresh(&preferred)
        }
        ArgumentSource::Present(param) => {
            let preferred = format!("{}_present", names.param(param));
            names.fresh(&preferred)
        }
        ArgumentSource::Dim(axis) => {
            let preferred = if kernel.dim == 1 { "dim".to_owned() } else { format!("dim{axis}") };
            names.fresh(&preferred)
        }
    };
    arguments.fields.iter().map(name).collect()
}

/// Writes the device functions.
fn functions(shared: &mut Shared, checks: Checks, is_used: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for number in 0..shared.instances.len() {
        let Instance { function, arrays, name } = &shared.instances[number];
        let (function, arrays, name) = (Arc::clone(function), in_code(&function.code, arrays), name.clone());
        let reserved = |name: &str| is_used(name) || shared.is_global(name);
        let names = Names::new(&function.code, Scoping::Block, &reserved);
        let mut writer = Writer::new(&function.code, names, arrays, shared, checks);
        writer.function(&function, &name);
        text.push_str(&writer.lines.text);
    }
    text
}

impl Shared {
    /// Whether an item of the text outside of functions has the name.
    fn is_global(&self, name: &str) -> bool {
        self.structs.has(name)
            || self.instances.iter().any(|instance| instance.name == name)
            || self.params.iter().any(|param| param == name)
            || name == self.entry
    }

    /// The names of arrays that functions which access them have variables of.
    fn hidden(&self) -> Vec<&'static str> {
        let is_hidden = |word: &&str| {
            let element = format!("{word}[");
            self.params.iter().any(|param| param == word)
                && self.accesses.iter().any(|(_, text)| text.contains(&element))
        };
        OWN.into_iter().filter(is_hidden).collect()
    }

    /// The name of an array of the kernel, and its memory.
    pub(super) fn array(&self, id: ParamId) -> (&str, Memory) {
        (&self.params[id.0 as usize], self.memories[id.0 as usize])
    }

    /// The record of checked text, which is the binding behind those of the arrays, and its functions.
    fn record(&mut self) -> String {
        OF_CHECKS.iter().for_each(|name| self.prelude.calls(name));
        format!("@group(0) @binding({}) {CHECKS}", self.arguments.arrays.len() + 1)
    }

    /// Adds the conversions of floats of 16 bits between memory and values to the prelude.
    pub(super) fn conversions(&mut self, memory: Memory) {
        for scalar in memory.elem.scalars().filter(|scalar| scalar.is_half()) {
            let ty = Type::of(scalar);
            ["value_of", "bits_of"].iter().for_each(|name| drop(self.prelude.function(name, &[ty], ty)));
        }
    }

    /// The name of a type.
    pub(super) fn ty(&mut self, ty: Type) -> String {
        match self.structs.of(ty) {
            Some(name) => name.to_owned(),
            None => self.prelude.ty(ty),
        }
    }

    /// The field of the uniform buffer with this source.
    fn field(&self, source: ArgumentSource) -> Text {
        Text::primary(format!("args.{}", self.fields[self.field_number(source)]))
    }

    /// The number of the field of the uniform buffer with this source.
    fn field_number(&self, source: ArgumentSource) -> usize {
        let number = self.arguments.fields.iter().position(|field| field.source == source);
        number.expect("the uniform buffer has all that a text reads")
    }

    /// The structs, the uniform buffer and the arrays.
    fn heads(&mut self, kernel: &Kernel, lines: &mut Lines) {
        let structs: Vec<_> =
            self.structs.iter().map(|(id, name, fields)| (id, name.to_owned(), fields.to_vec())).collect();
        for (id, name, fields) in structs {
            doc_lines(&id.doc, lines);
            lines.open(format!("struct {name}"));
            for (field, name) in id.fields.iter().zip(fields) {
                let ty = self.ty(field.ty);
                lines.line(format!("{name}: {ty},"));
            }
            lines.close();
            lines.line("");
        }
        lines.open("struct Args");
        for (field, name) in self.arguments.fields.iter().zip(&self.fields) {
            lines.line(format!("{name}: {},", type_name(field.ty)));
        }
        lines.close();
        lines.line("");
        lines.line("@group(0) @binding(0) var<uniform> args: Args;");
        for (number, id) in self.arguments.arrays.iter().enumerate() {
            let (name, memory) = self.array(*id);
            let access = match kernel.param(*id).kind {
                ParamKind::Array { mutable: true, .. } => "read_write",
                ParamKind::Array { .. } | ParamKind::Value(_) => "read",
            };
            let binding = number + 1;
            lines.line(format!("@group(0) @binding({binding}) var<storage, {access}> {name}: {};", memory.binding()));
        }
    }
}

impl<'a, 's> Writer<'a, 's> {
    fn new(
        kernel: &'a Kernel,
        mut names: Names<'a>,
        arrays: Vec<ParamId>,
        shared: &'s mut Shared,
        checks: Checks,
    ) -> Writer<'a, 's> {
        let bound: Vec<Option<LocalId>> = (0..kernel.dim).map(|axis| bound_tid(kernel, axis)).collect();
        let tids = bound.iter().zip(["i", "j", "k", "l"]).map(|(bound, usual)| match bound {
            Some(local) => names.local(*local).to_owned(),
            None => names.fresh(usual),
        });
        let tids = tids.collect();
        // Checked text reads bounds.
        let mut undeclared = if checks == Checks::On { LocalSet::default() } else { locals_of_bounds(kernel) };
        bound.iter().flatten().for_each(|local| {
            undeclared.insert(*local);
        });
        Writer {
            kernel,
            names,
            shared,
            lines: Lines::default(),
            arrays,
            tids,
            undeclared,
            checks,
            counts: Text::primary("true"),
            has_own_lines: true,
            stored: None,
            loops: 0,
            read_once: Vec::new(),
        }
    }

    /// The array of the kernel for a parameter.
    pub(super) fn array(&self, id: ParamId) -> ParamId {
        self.arrays[id.0 as usize]
    }

    /// The name of the thread index along an axis.
    pub(super) fn tid(&self, axis: u8) -> &str {
        &self.tids[usize::from(axis)]
    }

    /// Whether the text declares the local.
    pub(super) fn declares(&self, local: LocalId) -> bool {
        !self.undeclared.contains(local)
    }

    /// The name of the instance of a function.
    pub(super) fn instance(&self, function: &Function, arrays: &[ParamId]) -> String {
        let arrays: Vec<ParamId> = arrays.iter().map(|id| self.array(*id)).collect();
        let is_it = |known: &&Instance| *known.function == *function && known.arrays == arrays;
        self.shared.instances.iter().find(is_it).map_or_else(String::new, |found| found.name.clone())
    }

    /// A by-value parameter.
    pub(super) fn param(&mut self, id: ParamId) -> Text {
        let ty = self.kernel.param(id).elem();
        if self.kernel.dim == 0 || !is_native(ty) {
            return Text::primary(self.names.param(id));
        }
        let field = self.uniform(ArgumentSource::Value { param: id, first: 0 });
        of_uniform(field, ty)
    }

    /// A field of the uniform buffer. A loop of the kernel reads a variable instead, because drivers load a field anew in
    /// each trip.
    pub(super) fn uniform(&mut self, source: ArgumentSource) -> Text {
        let number = self.shared.field_number(source);
        if self.loops == 0 || self.kernel.dim == 0 {
            return Text::primary(format!("args.{}", self.shared.fields[number]));
        }
        if !self.read_once.contains(&number) {
            self.read_once.push(number);
        }
        Text::primary(&self.shared.fields[number])
    }

    /// Writes what every trip of a loop evaluates.
    pub(super) fn in_loop<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.loops += 1;
        let written = write(self);
        self.loops -= 1;
        written
    }

    fn entry_point(&mut self, sums: &[Sum]) {
        doc_lines(&self.kernel.doc, &mut self.lines);
        self.lines.line(format!("@compute @workgroup_size({WORKGROUP})"));
        let (id, groups) = (self.names.fresh("id"), self.names.fresh("groups"));
        let name = self.names.kernel().to_owned();
        let mut builtins = vec![
            format!("@builtin(global_invocation_id) {id}: vec3u"),
            format!("@builtin(num_workgroups) {groups}: vec3u"),
        ];
        let member = (!sums.is_empty()).then(|| self.names.fresh("member"));
        builtins.extend(member.iter().map(|member| format!("@builtin(local_invocation_index) {member}: u32")));
        self.lines.open(format!("fn {name}({})", builtins.join(", ")));
        for sum in sums {
            self.declare(sum.local, None);
            self.undeclared.insert(sum.local);
        }
        // A launch that is too long for one row of workgroups has several.
        let flat = format!("{id}.y * ({WORKGROUP}u * {groups}.x) + {id}.x");
        let step = format!("{WORKGROUP}u * {groups}.x * {groups}.y");
        let strides = !sums.is_empty();
        let mut start = self.lines.text.len();
        if strides {
            self.composed_params();
            start = self.lines.text.len();
            // The body is in a loop over the launch.
            self.loops = 1;
        }
        let mut once = self.lines.beside();
        let dims: Vec<String> = (0..self.kernel.dim).map(|axis| self.uniform(ArgumentSource::Dim(axis)).text).collect();
        let thread = if dims.len() == 1 { self.tids[0].clone() } else { self.names.fresh("thread") };
        let threads = dims.join(" * ");
        if strides {
            self.lines.open(format!("for (var {thread} = {flat}; {thread} < {threads}; {thread} += {step})"));
        } else {
            self.lines.line(format!("let {thread} = {flat};"));
            self.lines.line(format!("if ({thread} >= {threads}) {{ return; }}"));
        }
        // A remainder costs as much as a division.
        let mut rest = thread;
        for (axis, dim) in dims.iter().enumerate().skip(1).rev() {
            let rows = if axis == 1 { self.tids[0].clone() } else { self.names.fresh("rows") };
            self.lines.line(format!("let {rows} = {rest} / {dim};"));
            self.lines.line(format!("let {} = {rest} - {rows} * {dim};", self.tids[axis]));
            rest = rows;
        }
        if self.is_checked() {
            let mut thread = self.tids.clone();
            thread.resize(4, "0u".to_owned());
            self.lines.line(format!("weft_thread = array({});", thread.join(", ")));
        }
        if !strides {
            self.composed_params();
            start = self.lines.text.len();
        }
        self.block(&self.kernel.body);
        self.loops = 0;
        for number in std::mem::take(&mut self.read_once) {
            let name = &self.shared.fields[number];
            once.line(format!("let {name} = args.{name};"));
        }
        self.lines.text.insert_str(start, &once.text);
        if let Some(member) = member {
            self.lines.close();
            self.close_sums(sums, &member);
        }
        self.lines.close();
        self.note_names();
    }

    /// Puts together the by-value parameters whose types WGSL does not have, from fields of the uniform buffer.
    fn composed_params(&mut self) {
        for (id, param) in self.kernel.param_ids() {
            let ty = param.elem();
            if param.is_array() || is_native(ty) {
                continue;
            }
            let own = pieces(ty);
            let sources: Vec<ArgumentSource> = self.shared.arguments.of_value(id).map(|field| field.source).collect();
            let mut fields = Vec::new();
            for (source, ty) in sources.into_iter().zip(own) {
                fields.push(of_uniform(self.shared.field(source), ty));
            }
            let value = self.composed(ty, &mut fields.into_iter());
            self.lines.line(format!("let {} = {};", self.names.param(id), value.text));
        }
    }

    fn composed(&mut self, ty: Type, fields: &mut impl Iterator<Item = Text>) -> Text {
        if is_native(ty) {
            return fields.next().unwrap_or_else(|| Text::primary(""));
        }
        let name = self.shared.ty(ty);
        let parts: Vec<Type> = match ty.as_struct() {
            Some(id) => id.fields.iter().map(|field| field.ty).collect(),
            None => vec![ty.part(); ty.parts().into()],
        };
        let mut values = Vec::new();
        for part in parts {
            values.push(self.composed(part, fields));
        }
        Text::call(&name, values)
    }

    fn function(&mut self, function: &Function, name: &str) {
        doc_lines(&function.code.doc, &mut self.lines);
        let mut params = Vec::new();
        let is_guarded = self.shared.is_guarded(function);
        let counts = (is_guarded || self.is_checked()).then(|| self.names.fresh("counts"));
        params.extend(counts.iter().map(|counts| format!("{counts}: bool")));
        for (id, param) in self.kernel.param_ids().filter(|(_, param)| !param.is_array()) {
            let ty = self.shared.ty(param.elem());
            params.push(format!("{}: {ty}", self.names.param(id)));
        }
        let ret = self.shared.ty(function.ret);
        self.lines.open(format!("fn {name}({}) -> {ret}", params.join(", ")));
        match counts {
            // The loop may not end for arguments that do not count.
            Some(counts) if is_guarded => self.lines.line(format!("if (!{counts}) {{ return {ret}(); }}")),
            Some(counts) => self.counts = Text::primary(counts),
            None => {}
        }
        self.block(&function.code.body);
        if !always_returns(&function.code.body) {
            // No path comes here, which a compiler of WGSL does not see.
            self.lines.line(format!("return {ret}();"));
        }
        self.lines.close();
        self.lines.line("");
        self.note_names();
        self.shared.given.push(name.to_owned());
    }

    fn note_names(&mut self) {
        self.shared.given.extend(self.names.all().map(str::to_owned));
        self.shared.given.push(self.names.kernel().to_owned());
    }
}

/// A value of type `ty` from a field of the uniform buffer, which has no `bool`.
fn of_uniform(field: Text, ty: Type) -> Text {
    if ty.scalar() != Scalar::Bool {
        return field;
    }
    let zero = if ty.is_scalar() { "0u".to_owned() } else { format!("vec{}u()", ty.parts()) };
    Text { text: format!("{} != {zero}", field.text), level: Level::Relation }
}

/// The lines of a doc comment.
fn doc_lines(doc: &[String], lines: &mut Lines) {
    for line in doc.iter().flat_map(|text| text.split(['\n', '\r'])) {
        lines.line(["/// ", line].concat().trim_end());
    }
}

/// The local that a declaration at the start of the body initialises with the thread index along `axis`.
fn bound_tid(kernel: &Kernel, axis: u8) -> Option<LocalId> {
    let declarations = kernel.body.iter().map_while(|stmt| {
        let StmtKind::Let { local, init } = &stmt.kind else { return None };
        Some((*local, init))
    });
    declarations
        .filter(|(local, _)| !kernel.local(*local).mutable)
        .find(|(_, init)| init.as_ref().is_some_and(|init| init.kind == ExprKind::Tid(axis)))
        .map(|(local, _)| local)
}

/// Whether the last statement is a `return`, or a branch of which both sides end with one.
fn always_returns(block: &[Stmt]) -> bool {
    match block.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_)) => true,
        Some(StmtKind::If { then, other, .. }) => always_returns(then) && always_returns(other),
        Some(
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Print(_),
        )
        | None => false,
    }
}
