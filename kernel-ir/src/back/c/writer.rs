//! The state of the writer, and the code around the body: signatures, loops over the launch, and grid reductions.

use super::dialect::Dialect;
use super::lines::{Lines, WIDTH};
use super::prelude::Preludes;
use super::reserved::{self, entry_name};
use super::threads::Threads;
use crate::analysis::grid_reductions;
use crate::back::bounds::locals_of_bounds;
use crate::back::fault::Checks;
use crate::back::names::{FunctionNames, Names, Scoping, StructNames};
use crate::ir::{
    AbiArg, Block, Expr, ExprKind, Function, Kernel, Literal, LocalId, LocalSet, ParamId, ParamKind, Place, PlaceRoot,
    Stmt, StmtKind, Type,
};
use crate::ops::Op;
use crate::verify::VerifiedKernel;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// Writes one kernel, or one of its device functions, in one or several dialects at once.
pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) names: Names<'a>,
    pub(super) functions: Rc<FunctionNames>,
    pub(super) structs: Rc<StructNames>,
    pub(super) frame: Frame,
    pub(super) preludes: Preludes,
    pub(super) lines: Lines,
    /// The current line.
    pub(super) line: String,
    /// The names of device functions, and every name inside of them.
    given: Vec<String>,
    /// Tells the names that must not be used.
    taken: &'a dyn Fn(&str) -> bool,
    /// The dialects that are written at once.
    dialects: &'a [Dialect],
    /// The current dialect, where the dialects differ.
    pub(super) dialect: Dialect,
}

/// The surroundings of the body: the names that it refers to, and how a thread ends.
#[derive(Debug)]
pub(super) struct Frame {
    tids: Vec<String>,
    /// For each axis, the local that the body declares as the thread index. The launch loops declare it instead.
    bound: Vec<Option<LocalId>>,
    dims: Vec<String>,
    /// The arguments of the C function. The fault record, if any, comes before the launch size.
    abi: Vec<AbiArg>,
    extents: Vec<((ParamId, u8), String)>,
    /// The thread's partial sums of grid reductions.
    sums: Vec<Sum>,
    /// The locals that the text does not need, because it does not check indices.
    unread: LocalSet,
    /// The watch object of the thread, in checked text.
    pub(super) watch: Option<String>,
    /// The parameter of a kernel for the fault record, in checked text.
    fault: Option<String>,
    /// The parameters with the numbers of the arrays among the parameters of the kernel, in the checked text of a
    /// device function.
    numbers: Vec<(ParamId, String)>,
    /// Whether the body is a function of its own, because a loop inside it ends the thread.
    own_function: bool,
    /// The threads of a block, in the text of a block kernel for a GPU.
    pub(super) threads: Option<Threads>,
}

/// A thread's partial sum for an array element.
#[derive(Debug)]
struct Sum {
    array: ParamId,
    at: u32,
    name: String,
}

/// The names of the structs in the text of `kernel`, which avoids every name for which `taken` is true.
pub(super) fn struct_names(kernel: &Kernel, taken: &dyn Fn(&str) -> bool) -> StructNames {
    StructNames::new(kernel.structs(), &|name| is_global(kernel, name) || taken(name), &reserved::is_word)
}

/// Whether the text of `kernel` has another use for a name outside of functions.
fn is_global(kernel: &Kernel, name: &str) -> bool {
    let entry = entry_name(kernel);
    reserved::is_global(name) || name == thread_name(&entry) || name == entry
}

impl<'a> Writer<'a> {
    /// A writer that avoids every name for which `taken` is true.
    pub(super) fn new(
        kernel: &'a VerifiedKernel,
        dialects: &'a [Dialect],
        checks: Checks,
        taken: &'a dyn Fn(&str) -> bool,
    ) -> Writer<'a> {
        let structs = Rc::new(struct_names(kernel, taken));
        let is_used = |name: &str| is_global(kernel, name) || taken(name) || structs.has(name);
        let functions = Rc::new(FunctionNames::new(kernel.called(), &is_used));
        let abi = match checks {
            Checks::Off => kernel.abi(),
            Checks::On => kernel.checked_abi(),
        };
        let mut writer = Writer::of_code(kernel, functions, Rc::clone(&structs), abi, dialects, checks, taken);
        // Checked text must tell which thread adds a value, and sequential threads gain nothing from partial sums.
        if checks == Checks::Off && kernel.block.is_none() && dialects.iter().any(|dialect| dialect.has_grid()) {
            writer.frame.sums = sums(kernel, &mut writer.names);
        }
        if kernel.block.is_some() && writer.dialect.has_grid() {
            writer.frame.threads = Some(Threads::new(kernel.block_memory()));
        }
        writer
    }

    /// A writer of the body of a kernel or device function, which calls `functions`.
    fn of_code(
        code: &'a Kernel,
        functions: Rc<FunctionNames>,
        structs: Rc<StructNames>,
        abi: Vec<AbiArg>,
        dialects: &'a [Dialect],
        checks: Checks,
        taken: &'a dyn Fn(&str) -> bool,
    ) -> Writer<'a> {
        let reserved = |name: &str| reserved::is_word(name) || taken(name) || functions.has(name) || structs.has(name);
        let mut names = Names::new(code, Scoping::Block, &reserved);
        let frame = Frame::new(code, abi, checks, &mut names);
        let (preludes, lines, given) = (Preludes::new(dialects), Lines::new(dialects.len()), Vec::new());
        let (line, dialect) = (String::with_capacity(WIDTH), dialects[0]);
        Writer {
            kernel: code,
            names,
            functions,
            structs,
            frame,
            preludes,
            lines,
            line,
            given,
            taken,
            dialects,
            dialect,
        }
    }

    /// Ends the current line.
    pub(super) fn end_line(&mut self) {
        self.lines.line(&self.line);
        self.line.clear();
    }

    /// Ends the current line, which is a block head up to its closing parenthesis, and opens the block.
    pub(super) fn open_line(&mut self) {
        self.lines.open_parts(&[&self.line, ")"]);
        self.line.clear();
    }

    /// Writes code that differs between the dialects.
    pub(super) fn each(&mut self, mut write: impl FnMut(&mut Self, Dialect)) {
        let depth = self.lines.depth;
        for (place, dialect) in self.dialects.iter().enumerate() {
            self.choose(place..place + 1);
            self.lines.depth = depth;
            self.dialect = *dialect;
            write(self, *dialect);
        }
        self.choose(0..self.dialects.len());
    }

    fn choose(&mut self, texts: Range<usize>) {
        self.preludes.choose(texts.clone());
        self.lines.choose(texts);
    }

    /// Writes the kernel, and collects its preludes.
    pub(super) fn write(&mut self) {
        self.structs();
        for (function, name) in Rc::clone(&self.functions).iter() {
            self.function(function, name);
        }
        let entry = entry_name(self.kernel);
        let params = self.params();
        let thread = self.names.fresh(&thread_name(&entry));
        if self.frame.own_function {
            self.each(|writer, dialect| {
                let mut params = params[..params.len() - writer.frame.dims.len()].to_vec();
                params.extend(writer.frame.tids.iter().map(|tid| format!("index_t {tid}")));
                for Sum { array, name, .. } in writer.frame.sums(dialect) {
                    params.push(format!("{}& {name}", writer.preludes.ty(writer.kernel.param(*array).elem())));
                }
                let prefix = match dialect {
                    Dialect::Cuda | Dialect::Hip => "static __device__ void",
                    Dialect::Cpp => "static void",
                };
                writer.lines.line("/// What one thread does.");
                writer.open_function(prefix, &thread, &params);
            });
            self.watch();
            self.block(&self.kernel.body);
            self.lines.close();
            self.lines.line("");
        }
        self.doc();
        let mut opened = 0;
        self.each(|writer, dialect| {
            let prefix = match dialect {
                Dialect::Cuda | Dialect::Hip => match writer.kernel.block {
                    Some(size) => format!("extern \"C\" __global__ void __launch_bounds__({size})"),
                    None => "extern \"C\" __global__ void".to_owned(),
                },
                Dialect::Cpp => "extern \"C\" void".to_owned(),
            };
            writer.open_function(&prefix, &entry, &params);
            writer.open_sums(dialect);
            opened = writer.open_launch(dialect);
            if writer.frame.own_function {
                let args = writer.args(dialect).join(", ");
                writer.lines.parts(&[&thread, "(", &args, ");"]);
            }
        });
        if !self.frame.own_function {
            self.watch();
            self.block(&self.kernel.body);
        }
        for _ in 0..opened {
            self.lines.close();
        }
        self.each(|writer, dialect| writer.close_sums(dialect));
        self.lines.close();
    }

    /// Every name in the text.
    pub(super) fn given(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(String::as_str).chain(self.names.all())
    }

    /// Writes a device function.
    fn function(&mut self, function: &Function, name: &str) {
        let (code, functions, structs) = (&function.code, Rc::clone(&self.functions), Rc::clone(&self.structs));
        let checks = if is_watched(code) && self.frame.watch.is_some() { Checks::On } else { Checks::Off };
        let abi = self.frame.abi_of(code);
        let mut inner = Writer::of_code(code, functions, structs, abi, self.dialects, checks, self.taken);
        // The function writes to the same texts and preludes, but has its own names.
        std::mem::swap(&mut self.preludes, &mut inner.preludes);
        std::mem::swap(&mut self.lines, &mut inner.lines);
        inner.doc();
        let ty = inner.ty(function.ret);
        let params = inner.params();
        inner.each(|writer, dialect| {
            let prefix = match dialect {
                Dialect::Cuda | Dialect::Hip => format!("static __device__ {ty}"),
                Dialect::Cpp => format!("static {ty}"),
            };
            writer.open_function(&prefix, name, &params);
        });
        inner.block(&function.code.body);
        inner.lines.close();
        inner.lines.line("");
        std::mem::swap(&mut self.preludes, &mut inner.preludes);
        std::mem::swap(&mut self.lines, &mut inner.lines);
        self.given.extend(inner.names.all().map(str::to_owned));
        self.given.push(name.to_owned());
    }

    /// The name of a type. The prelude or the text defines it.
    pub(super) fn ty(&mut self, ty: Type) -> Cow<'static, str> {
        match self.structs.of(ty) {
            Some(name) => name.to_owned().into(),
            None => self.preludes.ty(ty).into(),
        }
    }

    /// Defines the structs.
    fn structs(&mut self) {
        for (id, name, fields) in Rc::clone(&self.structs).iter() {
            self.doc_lines(&id.doc);
            self.lines.line(format!("struct {name} {{"));
            for (variant, number) in &id.variants {
                self.lines.line(format!("    // {number}: {variant}"));
            }
            for (field, name) in id.fields.iter().zip(fields) {
                let ty = self.ty(field.ty);
                self.lines.line(format!("    {ty} {name};"));
            }
            self.lines.line("};");
            self.lines.line("");
        }
    }

    fn doc(&mut self) {
        self.doc_lines(&self.kernel.doc);
    }

    fn doc_lines(&mut self, doc: &[String]) {
        for line in doc.iter().flat_map(|text| text.split(['\n', '\r'])) {
            // A backslash at the end would continue the comment on the next line.
            let line = line.trim_end_matches(|c: char| c == '\\' || c.is_whitespace());
            self.lines.line(["/// ", line].concat().trim_end());
        }
    }

    fn open_function(&mut self, prefix: &str, name: &str, params: &[String]) {
        // The separators before, between and after the parameters: on one line if they fit, else on a line each.
        let length: usize = params.iter().map(|param| param.len() + 2).sum::<usize>().saturating_sub(2);
        let (before, between, after) = match prefix.len() + name.len() + length + 3 <= WIDTH {
            true => ("", ", ", ""),
            false => ("\n    ", ",\n    ", "\n"),
        };
        self.lines.open_parts(&[prefix, " ", name, "(", before, &params.join(between), after, ")"]);
    }

    /// In checked text, declares the watch object of the thread.
    fn watch(&mut self) {
        let (Some(name), Some(fault)) = (&self.frame.watch, &self.frame.fault) else { return };
        let tids = self.frame.tids.join(", ");
        self.lines.line(format!("const weft_watch {name} = {{{fault}, {{{tids}}}}};"));
    }

    /// Declares the partial sums of a thread.
    fn open_sums(&mut self, dialect: Dialect) {
        for Sum { array, name, .. } in self.frame.sums(dialect) {
            let ty = self.preludes.ty(self.kernel.param(*array).elem());
            self.lines.line(format!("{ty} {name} = {{}};"));
        }
    }

    /// Adds the partial sums of a thread to the arrays, with one atomic addition for each block. Every thread of the
    /// grid reaches this code, whatever the launch size, because it is outside of the grid-stride loops. The barriers
    /// in it require that.
    fn close_sums(&mut self, dialect: Dialect) {
        // The number of the thread in its block, and the number of threads in the block, over the axes of the launch.
        let (thread, threads) = match self.frame.tids.len() {
            2 => ("threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"),
            3 => (
                "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
                "blockDim.x * blockDim.y * blockDim.z",
            ),
            _ => ("threadIdx.x", "blockDim.x"),
        };
        for Sum { array, at, name } in self.frame.sums(dialect) {
            let elem = self.kernel.param(*array).elem();
            let add = self.preludes.function("block_atomic_add", [elem].into_iter(), elem);
            let (name_of, is_optional) = (self.names.param(*array), self.kernel.param(*array).is_optional());
            // The array is present in all threads of a block, or in none.
            let test = if is_optional { format!("if ({name_of} != nullptr) ") } else { String::new() };
            self.lines.line(format!("{test}{}(&{name_of}[{at}], {name}, {thread}, {threads});", add.name));
        }
    }

    fn params(&mut self) -> Vec<String> {
        let (kernel, abi) = (self.kernel, self.frame.abi.clone());
        let param = |arg: &AbiArg| match *arg {
            AbiArg::Value(id) | AbiArg::Pointer(id) => {
                let param = kernel.param(id);
                let (ty, name) = (self.ty(param.elem()), self.names.param(id));
                match param.kind {
                    ParamKind::Value(_) => [&ty, " ", name].concat(),
                    // The threads of a block meet at barriers, and a compiler need not expect other threads there that change
                    // what a restricted pointer leads to.
                    ParamKind::Array { mutable: true, .. } if kernel.block.is_some() => [&ty, "* ", name].concat(),
                    ParamKind::Array { mutable: true, .. } => [&ty, "* __restrict__ ", name].concat(),
                    ParamKind::Array { mutable: false, .. } => ["const ", &ty, "* __restrict__ ", name].concat(),
                }
            }
            AbiArg::Extent(id, axis) => ["index_t ", self.frame.extent(id, axis)].concat(),
            AbiArg::Dim(axis) => ["index_t ", &self.frame.dims[usize::from(axis)]].concat(),
        };
        let mut params: Vec<String> = abi.iter().map(param).collect();
        params.extend(self.frame.numbers.iter().map(|(_, name)| format!("unsigned int {name}")));
        match (&self.frame.fault, &self.frame.watch) {
            (Some(fault), _) => params.insert(params.len() - self.frame.dims.len(), format!("weft_fault* {fault}")),
            (None, Some(watch)) => params.push(format!("const weft_watch& {watch}")),
            (None, None) => {}
        }
        params
    }

    /// The arguments of the function with the body.
    fn args(&self, dialect: Dialect) -> Vec<String> {
        let arg = |arg: &AbiArg| match *arg {
            AbiArg::Value(id) | AbiArg::Pointer(id) => Some(self.names.param(id).to_owned()),
            AbiArg::Extent(id, axis) => Some(self.frame.extent(id, axis).to_owned()),
            AbiArg::Dim(_) => None,
        };
        let fault = self.frame.fault.clone().into_iter();
        let sums = self.frame.sums(dialect).iter().map(|sum| sum.name.clone());
        let own = fault.chain(self.frame.tids.iter().cloned()).chain(sums);
        self.frame.abi.iter().filter_map(arg).chain(own).collect()
    }

    /// Opens the loops over the launch; returns their number.
    fn open_launch(&mut self, dialect: Dialect) -> usize {
        let (tids, dims) = (&self.frame.tids, &self.frame.dims);
        match dialect {
            Dialect::Cpp => {
                for (i, dim) in tids.iter().zip(dims) {
                    self.lines.open_parts(&["for (index_t ", i, " = 0; ", i, " < ", dim, "; ++", i, ")"]);
                }
                tids.len()
            }
            // Consecutive threads of a warp differ in x, and consecutive elements in the last axis, so the last axis is
            // on x: memory accesses coalesce.
            // A block strides through the indices of blocks.
            Dialect::Cuda | Dialect::Hip if self.frame.threads.is_some() => {
                for (i, dim) in tids.iter().zip(dims) {
                    let head = ["for (index_t ", i, " = blockIdx.x; ", i, " < ", dim, "; ", i, " += gridDim.x)"];
                    self.lines.open(head.concat());
                }
                tids.len()
            }
            Dialect::Cuda | Dialect::Hip if tids.len() <= 3 => {
                let axes = ["z", "y", "x"];
                for ((i, dim), axis) in tids.iter().zip(dims).zip(&axes[3 - tids.len()..]) {
                    self.lines.open(grid_stride(i, dim, axis));
                }
                tids.len()
            }
            // A grid has three axes, so four are flattened into one loop, and the indices are computed by division.
            Dialect::Cuda | Dialect::Hip => {
                let (threads, flat) = (self.names.fresh("threads"), self.names.fresh("thread"));
                self.lines.line(format!("const index_t {threads} = {};", dims.join(" * ")));
                self.lines.open(grid_stride(&flat, &threads, "x"));
                let mut rest = flat;
                for (axis, (i, dim)) in (0..self.kernel.dim).zip(tids.iter().zip(dims)).rev() {
                    let index = if axis == 0 { rest.clone() } else { format!("{rest} % {dim}") };
                    // An unused index would cause a compiler warning.
                    if self.frame.names_tid(self.kernel, axis) {
                        self.lines.line(format!("const index_t {i} = {index};"));
                    }
                    rest += &format!(" / {dim}");
                }
                1
            }
        }
    }

    /// The name of the thread's partial sum for an element; `None` if there is none.
    pub(super) fn sum(&self, array: ParamId, index: &[Expr]) -> Option<&str> {
        let [Expr { kind: ExprKind::Literal(Literal::Index(at)), .. }] = index else { return None };
        let mut sums = self.frame.sums(self.dialect).iter();
        sums.find(|sum| (sum.array, sum.at) == (array, *at)).map(|sum| &*sum.name)
    }

    /// Whether the thread has a partial sum for the element.
    pub(super) fn is_grid_reduction(&self, place: &Place) -> bool {
        matches!(&place.root, PlaceRoot::Element { array, index } if self.sum(*array, index).is_some())
    }
}

/// The name of the function with the body.
fn thread_name(entry: &str) -> String {
    [entry, "_thread"].concat()
}

/// The head of a grid-stride loop over the launch indices along one axis.
fn grid_stride(i: &str, end: &str, axis: &str) -> String {
    let first = ["blockIdx.", axis, " * blockDim.", axis, " + threadIdx.", axis].concat();
    ["for (index_t ", i, " = ", &first, "; ", i, " < ", end, "; ", i, " += gridDim.", axis, " * blockDim.", axis, ")"]
        .concat()
}

impl Frame {
    fn new(kernel: &Kernel, abi: Vec<AbiArg>, checks: Checks, names: &mut Names<'_>) -> Frame {
        let axes = 0..kernel.dim;
        let bound: Vec<Option<LocalId>> = axes.clone().map(|axis| bound_tid(kernel, axis)).collect();
        let extents = abi.iter().filter_map(|arg| match *arg {
            AbiArg::Extent(id, axis) => {
                let array = kernel.param(id);
                let what =
                    if array.rank() == 1 { "len" } else { ["shape0", "shape1", "shape2", "shape3"][usize::from(axis)] };
                let preferred = [names.param(id), "_", what].concat();
                Some(((id, axis), names.fresh(&preferred)))
            }
            AbiArg::Value(_) | AbiArg::Pointer(_) | AbiArg::Dim(_) => None,
        });
        let extents = extents.collect();
        let dims = axes.clone().map(|axis| {
            names.fresh(if kernel.dim == 1 { "dim" } else { ["dim0", "dim1", "dim2", "dim3"][usize::from(axis)] })
        });
        let dims = dims.collect();
        let tids = bound.iter().zip(["i", "j", "k", "l"]).map(|(bound, usual)| match bound {
            Some(local) => names.local(*local).to_owned(),
            None => names.fresh(usual),
        });
        let tids = tids.collect();
        let (is_checked, is_kernel) = (checks == Checks::On, kernel.dim > 0);
        let watch = is_checked.then(|| names.fresh("watch"));
        let fault = (is_checked && is_kernel).then(|| names.fresh("fault"));
        let arrays = kernel.param_ids().filter(|(_, param)| is_checked && !is_kernel && param.rank() > 0);
        let numbers = arrays.map(|(id, _)| (id, names.fresh(&format!("{}_number", names.param(id))))).collect();
        Frame {
            tids,
            bound,
            dims,
            abi,
            extents,
            sums: Vec::new(),
            unread: if is_checked { LocalSet::default() } else { locals_of_bounds(kernel) },
            watch,
            fault,
            numbers,
            own_function: returns_from_loop(&kernel.body, false),
            threads: None,
        }
    }

    /// The partial sums that a thread keeps in this dialect.
    fn sums(&self, dialect: Dialect) -> &[Sum] {
        if dialect.has_grid() { &self.sums } else { &[] }
    }

    /// The name of the thread index along an axis.
    pub(super) fn tid(&self, axis: u8) -> &str {
        &self.tids[usize::from(axis)]
    }

    /// Whether the body, or the call of the function with it, refers to the thread index along an axis.
    fn names_tid(&self, kernel: &Kernel, axis: u8) -> bool {
        let bound = self.bound[usize::from(axis)];
        let mut is_named = |expr: &Expr| {
            expr.kind == ExprKind::Tid(axis) || bound.is_some_and(|local| expr.kind == ExprKind::Local(local))
        };
        let mut names = |stmt: &Stmt| {
            let is_bound = matches!(stmt.kind, StmtKind::Let { local, .. } if self.is_bound(local));
            !is_bound && stmt.exprs().any(|expr| expr.any(&mut is_named))
        };
        self.own_function || self.watch.is_some() || kernel.body.iter().any(|stmt| stmt.any(&mut names))
    }

    /// The arguments of a device function in this text.
    pub(super) fn abi_of(&self, code: &Kernel) -> Vec<AbiArg> {
        if self.watch.is_some() { code.checked_abi() } else { code.abi() }
    }

    /// The number of an array among the parameters of the kernel, in checked text.
    pub(super) fn number(&self, array: ParamId) -> String {
        let number = self.numbers.iter().find(|(id, _)| *id == array);
        number.map_or_else(|| array.0.to_string(), |(_, name)| name.clone())
    }

    /// The name of the extent of an array along an axis.
    pub(super) fn extent(&self, array: ParamId, axis: u8) -> &str {
        let (_, name) =
            self.extents.iter().find(|(key, _)| *key == (array, axis)).expect("the ABI has what is asked for");
        name
    }

    /// Whether the text declares the local.
    pub(super) fn declares(&self, local: LocalId) -> bool {
        !self.is_bound(local) && !self.unread.contains(local)
    }

    /// Whether the launch loops declare the local.
    fn is_bound(&self, local: LocalId) -> bool {
        self.bound.contains(&Some(local))
    }

    /// The statement that ends the thread.
    pub(super) fn exit_statement(&self) -> &'static str {
        if self.own_function { "return;" } else { "continue;" }
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

/// The partial sums of a thread, one for each element of a grid reduction.
fn sums(kernel: &VerifiedKernel, names: &mut Names<'_>) -> Vec<Sum> {
    let each = grid_reductions(kernel).into_iter().flat_map(|(array, elements)| {
        let single = elements.len() == 1;
        elements.into_iter().map(move |at| (array, at, if single { String::new() } else { at.to_string() }))
    });
    each.map(|(array, at, suffix)| {
        let name = names.fresh(&format!("{}_sum{suffix}", names.param(array)));
        Sum { array, at, name }
    })
    .collect()
}

/// Whether a `return` is inside a loop of the body.
fn returns_from_loop(block: &Block, in_loop: bool) -> bool {
    block.iter().any(|stmt: &Stmt| {
        let inner = in_loop || stmt.is_loop();
        (in_loop && matches!(stmt.kind, StmtKind::Return(_)))
            || stmt.blocks().any(|block| returns_from_loop(block, inner))
    })
}

/// Whether checked text checks something in the code of a function: an index, here or in what it calls.
pub(super) fn is_watched(code: &Kernel) -> bool {
    let has_indices = |code: &Kernel| {
        let mut has_bounds = false;
        code.walk_exprs(&mut |expr| has_bounds |= matches!(expr.kind, ExprKind::Op(Op::Below, _)));
        let has_arrays = code.params.iter().any(|param| param.rank() > 0);
        has_bounds || has_arrays || code.locals.iter().any(|local| local.len.is_some())
    };
    has_indices(code) || code.functions().iter().any(|function| has_indices(&function.code))
}
