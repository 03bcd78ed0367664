//! The state of the writer, and its output.

use super::names::Names;
use super::typing::Typing;
use super::{declarations, elements, names};
use crate::back::parts::returned_call;
use crate::back::wrap::{self, Style};
use crate::ir::{Function, Kernel, LocalId, ParamId, Stmt, StmtKind, StructId, Type};
use crate::verify::VerifiedKernel;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The line-breaking rules of Rust.
const STYLE: Style = Style {
    width: 120,
    operators: &[
        &["||"],
        &["&&"],
        &["==", "!=", "<", "<=", ">", ">="],
        &["|"],
        &["^"],
        &["&"],
        &["<<", ">>"],
        &["+", "-"],
        &["*", "/", "%"],
    ],
    block_keywords: &["if", "} else if", "while"],
    is_free_form: true,
    has_method_chains: true,
    has_trailing_comma: true,
};

/// The initial capacity of a text, which suffices for most texts.
const ROOM: usize = 2048;

/// The values of enums that are enums in the text. The others are structs with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enums {
    /// All, in the text of an author.
    All,
    /// Parameters and elements of arrays, in a body.
    OfParameters,
    /// None, in a function that a body calls.
    None,
}

/// Writes one kernel.
pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    /// Whether arrays are views, as in bodies. A change of an element then borrows the whole array. In the text of an
    /// author, the attribute computes first what reads the array.
    pub(super) has_views: bool,
    /// Which values of enums are enums in the text.
    pub(super) enums: Enums,
    /// The optional arrays that the text so far has unwrapped, in the current block and those around it.
    pub(super) unwrapped: Vec<ParamId>,
    /// The functions that the kernel names, which are written before it.
    functions: Vec<Arc<Function>>,
    /// The functions that the kernel runs.
    called: Vec<Arc<Function>>,
    pub(super) names: Names,
    /// The names of the parameters.
    params: Vec<String>,
    pub(super) typing: Typing,
    /// The locals that are `mut` parameters.
    pub(super) copies: HashMap<LocalId, ParamId>,
    /// The locals that are `const` items.
    pub(super) consts: HashSet<LocalId>,
    /// The names of the thread indices, if expressions use them directly.
    pub(super) tids: Vec<String>,
    /// The names of the row and the column of an element, in the closure of a tile.
    pub(super) tile_names: [String; 2],
    /// The name of the block, in the text of an author of a block kernel.
    pub(super) block: Option<String>,
    /// Whether the next draw of a random number advances the state.
    pub(super) in_place: bool,
    lines: String,
    depth: usize,
}

impl<'a> Writer<'a> {
    /// A writer of the whole kernel.
    pub(super) fn for_kernel(kernel: &'a VerifiedKernel) -> Writer<'a> {
        let written = Some(kernel.with_tiles()).filter(|kernel| elements::can_be_written(kernel)).unwrap_or(kernel);
        let (copies, params) = (declarations::mutable_params(written), own_names(written));
        Writer::new(written, kernel.functions(), kernel.called(), copies, params, std::iter::empty())
    }

    /// A writer of the body alone. The surrounding code declares the parameters.
    pub(super) fn for_body(kernel: &'a VerifiedKernel) -> Writer<'a> {
        let params = names::body_params(kernel);
        let called = kernel.called();
        let mut writer = Writer::new(kernel, kernel.functions(), called, HashMap::new(), params, names::supplied());
        writer.names.avoid_constants(&writer.consts);
        Writer { has_views: true, enums: Enums::OfParameters, ..writer }
    }

    /// A writer of a device function.
    fn for_function(function: &'a Function) -> Writer<'a> {
        let code = &function.code;
        let (copies, params) = (declarations::mutable_params(code), own_names(code));
        Writer::new(code, code.functions(), code.called(), copies, params, std::iter::empty())
    }

    fn new(
        kernel: &'a Kernel,
        functions: Vec<Arc<Function>>,
        called: Vec<Arc<Function>>,
        copies: HashMap<LocalId, ParamId>,
        params: Vec<String>,
        supplied: impl Iterator<Item = &'static str>,
    ) -> Writer<'a> {
        let consts = declarations::consts(kernel, &copies);
        let outside = called.iter().map(|function| function.name().to_owned()).chain(supplied.map(str::to_owned));
        let names = Names::new(kernel, &copies, &consts, outside);
        let typing = Typing::new(kernel);
        let params = params.iter().map(|name| names::spelled(name)).collect();
        Writer {
            kernel,
            has_views: false,
            enums: Enums::All,
            unwrapped: Vec::new(),
            functions,
            called,
            names,
            params,
            typing,
            copies,
            consts,
            tids: Vec::new(),
            tile_names: Default::default(),
            block: None,
            in_place: false,
            lines: String::with_capacity(ROOM),
            depth: 0,
        }
    }

    /// The text of the kernel.
    pub(super) fn kernel(mut self) -> String {
        self.structs(true);
        for function in std::mem::take(&mut self.functions) {
            let mut inner = Writer::for_function(&function);
            inner.function(&function, true);
            self.lines += &inner.lines;
            self.line("");
        }
        self.head();
        self.depth += 1;
        self.bind_block();
        self.thread();
        self.close("}");
        self.lines
    }

    /// The text of the body.
    pub(super) fn body(mut self) -> String {
        self.called();
        self.thread();
        self.lines
    }

    /// Writes the definitions of structs and enums; `annotated`: with documentation and `#[device]`.
    fn structs(&mut self, annotated: bool) {
        for id in self.kernel.structs().into_iter().filter(|id| !id.is_tuple()) {
            if annotated {
                self.doc_lines(&id.doc);
                self.device_attribute(None, id.warp.as_deref());
            }
            if id.is_enum() && annotated {
                self.enumeration(id);
                continue;
            }
            self.line("#[derive(Clone, Copy)]");
            self.open(&format!("{}struct {} {{", if annotated { "pub " } else { "" }, names::spelled(&id.name)));
            for field in &id.fields {
                self.line(&format!("pub {}: {},", names::spelled(&field.name), field.ty.rust_name()));
            }
            self.close("}");
            if annotated {
                self.line("");
            }
        }
    }

    /// Writes the definition of an enum.
    fn enumeration(&mut self, id: StructId) {
        if id.repr() != Type::I32 {
            self.line(&format!("#[repr({})]", id.repr().rust_name()));
        }
        self.line("#[derive(Clone, Copy, PartialEq)]");
        self.open(&format!("pub enum {} {{", names::spelled(&id.name)));
        let mut next = 0;
        for (name, number) in &id.variants {
            let name = names::spelled(name);
            self.line(&if *number == next { format!("{name},") } else { format!("{name} = {number},") });
            next = number.saturating_add(1);
        }
        self.close("}");
        self.line("");
    }

    /// Writes the structs and device functions that the body uses.
    pub(super) fn called(&mut self) {
        self.structs(false);
        for function in std::mem::take(&mut self.called) {
            let mut inner = Writer { enums: Enums::None, ..Writer::for_function(&function) };
            inner.function(&function, false);
            self.lines += &inner.lines;
        }
    }

    /// Writes a device function; `annotated`: with its documentation and `#[device]`.
    fn function(&mut self, function: &Function, annotated: bool) {
        self.function_head(function, annotated);
        self.depth += 1;
        match function.code.body.split_last() {
            Some((last, [before @ .., first])) if let Some(call) = returned_call(first, last) => {
                self.block(before);
                self.tail(call, false);
            }
            Some((Stmt { kind: StmtKind::Return(Some(result)), .. }, before)) => {
                self.block(before);
                self.tail(result, false);
            }
            _ => self.block(&function.code.body),
        }
        self.close("}");
    }

    /// The text written so far.
    pub(super) fn finish(self) -> String {
        self.lines
    }

    fn thread(&mut self) {
        self.bind_thread_index();
        self.block(&self.kernel.body);
    }

    pub(super) fn line(&mut self, line: &str) {
        for part in line.split('\n') {
            wrap::push_line(&mut self.lines, self.depth, part, &STYLE);
        }
    }

    /// Writes a line that opens a block.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Closes a block with `line`.
    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// Closes a block and opens the next one on the same line, as in `} else {`.
    pub(super) fn reopen(&mut self, line: &str) {
        self.close(line);
        self.depth += 1;
    }

    /// Whether the text fits on a line.
    pub(super) fn has_room(&self, text: &str) -> bool {
        4 * self.depth + text.chars().count() <= STYLE.width
    }

    /// The name of a parameter.
    pub(super) fn param(&self, id: ParamId) -> &str {
        &self.params[id.0 as usize]
    }

    /// The path by which expressions call a function of `kernel_rt`.
    pub(super) fn supplied(&self, name: &str) -> String {
        self.path("kernel_rt", name)
    }

    /// The path by which expressions call a function of `module`: its plain name, unless a parameter or local hides it.
    pub(super) fn path(&self, module: &str, name: &str) -> String {
        let name = names::spelled(name);
        match self.params.contains(&name) || self.names.any(&name) {
            true => format!("{module}::{name}"),
            false => name,
        }
    }
}

/// The author's names of the parameters.
fn own_names(kernel: &Kernel) -> Vec<String> {
    kernel.params.iter().map(|param| param.name.clone()).collect()
}
