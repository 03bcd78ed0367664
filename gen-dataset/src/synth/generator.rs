//! The generator: a kernel under construction, with its scope, the available values and the known bounds of indices.

use super::lexicon::{self, THEMES, Theme, Word};
use super::notes::{Mark, Note};
use super::overloads::OpClass;
use super::rng::Rng;
use super::samples::{self, Samples};
use kernel_ir::ir::{
    Block, Domain, Expr, ExprKind, Kernel, Literal, Local, LocalId, Param, ParamId, ParamKind, Scalar, Shape, SizeExpr,
    Span, Stmt, Type,
};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};
use std::collections::HashSet;

/// The largest expected extent of a launch along an axis.
const MOST_THREADS: f64 = 1024.0;

/// An expression with what is known about its value.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) expr: Expr,
    /// The values in some threads.
    pub(super) samples: Samples,
    /// The number of its nodes.
    pub(super) size: usize,
}

impl Term {
    pub(super) fn new(expr: Expr, samples: Samples) -> Term {
        Term { expr, samples, size: 1 }
    }

    pub(super) fn literal(value: Literal) -> Term {
        Term::new(Expr::literal(value), samples::constant(value))
    }

    /// The literal `value` of type `ty`.
    pub(super) fn number(value: f64, ty: Type) -> Term {
        let expr = Expr::number(value, ty);
        match expr.kind {
            ExprKind::Literal(literal) => Term::literal(literal),
            _ => Term::literal(Literal::Bool(true)),
        }
    }

    pub(super) fn ty(&self) -> Type {
        self.expr.ty
    }

    /// The operation at the root, if there is one.
    pub(super) fn root(&self) -> Option<Op> {
        match self.expr.kind {
            ExprKind::Op(op, _) => Some(op),
            _ => None,
        }
    }

    pub(super) fn is_literal(&self) -> bool {
        matches!(self.expr.kind, ExprKind::Literal(_))
    }
}

/// A value that is in scope.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) term: Term,
    /// The number of reads so far. Values that nothing has read yet are preferred at the end.
    pub(super) uses: usize,
    /// The mutable local that it is, if it is one.
    pub(super) target: Option<Var>,
}

/// The extent of an array along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// The launch size along an axis.
    Launch(u8),
    /// So many elements for each block of the launch.
    OfBlocks(u32),
    /// A constant.
    Fixed(u32),
    /// An integer parameter with values from 1 to below the number.
    Sized(ParamId, u32),
}

impl Axis {
    pub(super) fn size(self) -> SizeExpr {
        match self {
            Axis::Launch(axis) => SizeExpr::Dim(axis),
            Axis::OfBlocks(count) => {
                SizeExpr::Mul(Box::new(SizeExpr::Dim(0)), Box::new(SizeExpr::Literal(count.into())))
            }
            Axis::Fixed(extent) => SizeExpr::Literal(extent.into()),
            Axis::Sized(id, _) => SizeExpr::Param(id),
        }
    }

    /// The largest possible extent.
    pub(super) fn most(self) -> f64 {
        match self {
            Axis::Launch(_) => MOST_THREADS,
            Axis::OfBlocks(count) => MOST_THREADS * f64::from(count),
            Axis::Fixed(extent) => extent.into(),
            Axis::Sized(_, below) => f64::from(below) - 1.0,
        }
    }
}

/// An array that is only read.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) id: ParamId,
    pub(super) elem: Type,
    pub(super) axes: Vec<Axis>,
    pub(super) range: (f64, f64),
}

/// An index that is known to be within an axis wherever it is visible.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) axis: Axis,
    pub(super) index: Expr,
}

/// A kernel under construction.
pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) kernel: Kernel,
    pub(super) theme: &'static Theme,
    pub(super) op_class: OpClass,
    /// The main float type of the kernel.
    pub(super) float: Scalar,
    /// The main integer type of the kernel.
    pub(super) int: Scalar,
    /// The vector, matrix and quaternion types in use.
    pub(super) shapes: Vec<Type>,
    names: HashSet<String>,
    pub(super) items: Vec<Item>,
    pub(super) arrays: Vec<Array>,
    pub(super) facts: Vec<Fact>,
    /// The index of the thread's own element: the thread index along each launch axis.
    pub(super) tid: Vec<Expr>,
    /// The axes of arrays with an element for each thread.
    pub(super) own_axes: Vec<Axis>,
    /// Besides the launch size, what bounds the indices in `tid`.
    pub(super) most_threads: f64,
    /// The statements of the current block.
    pub(super) block: Block,
    /// The number of enclosing blocks.
    pub(super) nesting: usize,
    /// The number of inputs that may still be added.
    pub(super) inputs_left: usize,
    /// The notes about the steps so far.
    pub(super) notes: Vec<Note>,
    /// The recursion depth of the search for leaves.
    pub(super) descent: usize,
    /// The depth of its terms.
    pub(super) depth: usize,
    /// The percentage of inputs that are by-value parameters.
    pub(super) values: usize,
    /// Whether a step has already stored a result.
    pub(super) has_stored: bool,
}

impl Generator {
    pub(super) fn new(mut rng: Rng, family: &str, dim: u8, op_class: OpClass, depth: usize) -> Generator {
        let theme = &THEMES[rng.below(THEMES.len())];
        let kernel = Kernel {
            name: String::new(),
            family: family.to_owned(),
            doc: Vec::new(),
            dim,
            block: None,
            no_grad: false,
            in_order: false,
            slots: None,
            params: Vec::new(),
            locals: Vec::new(),
            body: Vec::new(),
        };
        let float = if rng.percent(82) { Scalar::F32 } else { Scalar::F64 };
        let int = rng.weighted(&[(6, Scalar::I32), (4, Scalar::U32), (1, Scalar::I64), (1, Scalar::U64)]);
        let mut generator = Generator {
            rng,
            kernel,
            theme,
            op_class,
            float,
            int,
            shapes: Vec::new(),
            names: HashSet::new(),
            items: Vec::new(),
            arrays: Vec::new(),
            facts: Vec::new(),
            tid: Vec::new(),
            own_axes: (0..dim).map(Axis::Launch).collect(),
            most_threads: MOST_THREADS,
            block: Vec::new(),
            nesting: 0,
            inputs_left: 0,
            notes: Vec::new(),
            descent: 0,
            depth,
            values: 30,
            has_stored: false,
        };
        generator.inputs_left = generator.rng.pick(&[2, 3, 3, 4, 4, 5]);
        generator.bind_thread();
        generator
    }

    pub(super) fn number(&self) -> Type {
        self.float.into()
    }

    /// The vector types of the main float type.
    pub(super) fn float_vectors(&self) -> Vec<Type> {
        self.shapes
            .iter()
            .copied()
            .filter(|ty| matches!(ty, Type { scalar: s, shape: Shape::Vector(_) } if *s == self.float))
            .collect()
    }

    /// Declares locals for the thread index.
    fn bind_thread(&mut self) {
        let names: &[&str] = match self.kernel.dim {
            1 => self.rng.pick(&[&["i"][..], &["i"], &["i"], &["thread"], &["idx"]]),
            2 => self.rng.pick(&[&["i", "j"][..], &["row", "col"], &["row", "column"], &["y", "x"]]),
            3 => self.rng.pick(&[&["i", "j", "k"][..], &["x", "y", "z"], &["batch", "row", "col"]]),
            _ => self.rng.pick(&[&["n", "c", "h", "w"][..], &["i", "j", "k", "l"]]),
        };
        for axis in 0..self.kernel.dim {
            let local = self.local(names[usize::from(axis)], Type::INDEX, false);
            let tid = Expr::tid(axis);
            self.block.push(local.declare(tid));
            let index = local.expr();
            self.facts.push(Fact { axis: Axis::Launch(axis), index: index.clone() });
            self.tid.push(index);
        }
    }

    /// The thread index along a random axis, as a number.
    pub(super) fn thread_term(&mut self) -> Term {
        // A device function has no thread index.
        if self.tid.is_empty() {
            let index = self.rng.below(4);
            return Term::literal(Literal::Index(index as u32));
        }
        let axis = self.rng.below(self.tid.len());
        let samples = samples::draw(&mut self.rng, Type::INDEX, 0.0, self.most_threads);
        Term::new(self.tid[axis].clone(), samples)
    }

    /// `wish`, or `wish` with a number if the name is taken.
    pub(super) fn name(&mut self, wish: &str) -> String {
        if self.names.insert(wish.to_owned()) {
            return wish.to_owned();
        }
        let mut number = 2;
        loop {
            let name = format!("{wish}{number}");
            if self.names.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }

    /// A name of `wishes` that is not taken, if there is one.
    pub(super) fn one_of(&mut self, wishes: &[&str]) -> String {
        let start = self.rng.below(wishes.len());
        let free =
            (0..wishes.len()).map(|k| wishes[(start + k) % wishes.len()]).find(|name| !self.names.contains(*name));
        let wish = free.unwrap_or(wishes[start]);
        self.name(wish)
    }

    fn word(&mut self, words: &[Word]) -> (String, f64, f64) {
        let start = self.rng.below(words.len());
        let free = (0..words.len()).map(|k| words[(start + k) % words.len()]).find(|word| !self.names.contains(word.0));
        let (wish, low, high) = free.unwrap_or(words[start]);
        (self.name(wish), low, high)
    }

    /// A name for an input of type `ty`, with its usual range.
    fn input_word(&mut self, ty: Type) -> (String, f64, f64) {
        match ty {
            Type::BOOL => (self.one_of(&lexicon::FLAGS), 0.0, 2.0),
            Type { scalar, shape: Shape::Scalar } if scalar.is_float() => self.word(self.theme.floats),
            Type::U32 | Type::U64 if self.rng.percent(45) => self.word(&lexicon::BITS),
            Type { scalar, shape: Shape::Scalar } if scalar.is_signed_integer() && self.rng.percent(35) => {
                let (name, low, high) = self.word(self.theme.counts);
                (name, -high - low, high)
            }
            // No input is a struct.
            Type { shape: Shape::Scalar | Shape::Struct(_) | Shape::Tile(..), .. } => self.word(self.theme.counts),
            Type { scalar, shape: Shape::Vector(_) } if scalar.is_float() => self.word(self.theme.vectors),
            Type { scalar, shape: Shape::Vector(_) } => {
                let (name, low, high) = self.word(self.theme.vectors);
                let high = (4.0 * high).ceil().max(3.0);
                let low = (4.0 * low).floor();
                (name, if scalar == Scalar::U32 { low.max(0.0) } else { low }, high)
            }
            Type { shape: Shape::Matrix(..), .. } => self.word(&lexicon::MATRICES),
            Type { shape: Shape::Quat, .. } => self.word(&lexicon::QUATERNIONS),
        }
    }

    pub(super) fn local(&mut self, wish: &str, ty: Type, mutable: bool) -> Var {
        let name = self.name(wish);
        self.local_named(name, ty, mutable)
    }

    pub(super) fn local_named(&mut self, name: String, ty: Type, mutable: bool) -> Var {
        let id = LocalId(self.kernel.locals.len() as u32);
        self.kernel.locals.push(Local { name, ty, mutable, len: None, span: Span::NONE });
        Var::new(id, ty)
    }

    pub(super) fn param(&mut self, name: String, kind: ParamKind, domain: Option<Domain>) -> ParamId {
        let id = ParamId(self.kernel.params.len() as u32);
        self.kernel.params.push(Param { name, kind, domain, span: Span::NONE });
        id
    }

    fn domain(ty: Type, low: f64, high: f64) -> Option<Domain> {
        match ty.scalar() {
            Scalar::Bool => None,
            scalar if scalar.is_float() => Some(Domain::floats(low, high)),
            _ => Some(Domain::ints(low as i64, high as i64)),
        }
    }

    /// Adds a by-value parameter.
    pub(super) fn value_input(&mut self, ty: Type) -> Term {
        let (name, low, high) = self.input_word(ty);
        let id = self.param(name, ParamKind::Value(ty), Generator::domain(ty, low, high));
        self.inputs_left = self.inputs_left.saturating_sub(1);
        Term::new(Expr::param(id, ty), samples::draw(&mut self.rng, ty, low, high).shared())
    }

    /// Adds an array that is only read.
    pub(super) fn array_input(&mut self, elem: Type, axes: Vec<Axis>) -> Array {
        let (name, low, high) = match elem {
            Type::BOOL => (self.one_of(&lexicon::MASKS), 0.0, 2.0),
            _ => self.input_word(elem),
        };
        self.array_named(name, elem, axes, (low, high))
    }

    /// Adds an array with this name that is only read.
    pub(super) fn array_named(&mut self, name: String, elem: Type, axes: Vec<Axis>, range: (f64, f64)) -> Array {
        let shape = axes.iter().map(|axis| axis.size()).collect();
        let domain = Generator::domain(elem, range.0, range.1);
        let id = self.param(name, ParamKind::Array { elem, mutable: false, optional: false, shape }, domain);
        self.inputs_left = self.inputs_left.saturating_sub(1);
        let array = Array { id, elem, axes, range };
        self.arrays.push(array.clone());
        array
    }

    /// The element of `array` at `index`, with samples of its own.
    pub(super) fn element(&mut self, array: &Array, index: Vec<Expr>) -> Term {
        let samples = samples::draw(&mut self.rng, array.elem, array.range.0, array.range.1);
        let is_shared = index.iter().all(|index| matches!(index.kind, ExprKind::Literal(_)));
        let samples = if is_shared { samples.shared() } else { samples };
        Term::new(Expr::load(array.id, index, array.elem), samples)
    }

    /// All launch axes.
    pub(super) fn launch_axes(&self) -> Vec<Axis> {
        self.own_axes.clone()
    }

    /// Adds an input of type `ty`, if another one is allowed.
    pub(super) fn input(&mut self, ty: Type) -> Option<Term> {
        let is_first = self.arrays.is_empty();
        if self.inputs_left == 0 {
            return None;
        }
        // A mask without another array says nothing about a number.
        let no_array = ty == Type::INDEX || (ty == Type::BOOL && (is_first || self.rng.percent(40)));
        let term = if no_array || (!is_first && self.rng.percent(self.values)) {
            self.value_input(ty)
        } else {
            let mut axes = self.launch_axes();
            if axes.len() > 1 && !is_first && self.rng.percent(25) {
                axes = vec![Axis::Launch(self.rng.below(axes.len()) as u8)];
            }
            let array = self.array_input(ty, axes);
            let index = array.axes.iter().map(|axis| self.index_of(*axis)).collect();
            self.element(&array, index)
        };
        self.items.push(Item { term: term.clone(), uses: 0, target: None });
        Some(term)
    }

    /// An index within the axis. For a launch axis it is the thread's own.
    pub(super) fn index_of(&mut self, axis: Axis) -> Expr {
        let known: Vec<usize> = (0..self.facts.len()).filter(|k| self.facts[*k].axis == axis).collect();
        match (known.is_empty(), axis) {
            (false, _) => self.facts[self.rng.pick(&known)].index.clone(),
            (true, Axis::Fixed(extent)) => Expr::index(self.rng.below(extent as usize)),
            (true, _) => Expr::index(0),
        }
    }

    /// Appends a statement.
    pub(super) fn push(&mut self, stmt: Stmt) {
        self.block.push(stmt);
    }

    /// A name for a local: one of `wishes`, or one of them with a word before it if all are taken.
    fn local_name(&mut self, wishes: &[&str]) -> String {
        let is_taken = wishes.iter().all(|wish| wish.len() > 2 && self.names.contains(*wish));
        if !is_taken {
            return self.one_of(wishes);
        }
        let (word, wish) = (self.rng.pick(&lexicon::QUALIFIERS), self.rng.pick(wishes));
        self.name(&format!("{word}_{wish}"))
    }

    /// Appends `let name = term;` and returns the local as a term.
    pub(super) fn bind(&mut self, wishes: &[&str], term: Term) -> Term {
        let name = self.local_name(wishes);
        let ty = term.ty();
        let local = self.local_named(name, ty, false);
        self.push(local.declare(term.expr));
        let bound = Term::new(local.expr(), term.samples);
        self.items.push(Item { term: bound.clone(), uses: 0, target: None });
        bound
    }

    /// Appends `let mut name = term;` and returns the local and its term.
    pub(super) fn bind_mut(&mut self, wishes: &[&str], term: Term) -> (Var, Term) {
        let name = self.local_name(wishes);
        let ty = term.ty();
        let local = self.local_named(name, ty, true);
        self.push(local.declare(term.expr));
        let bound = Term::new(local.expr(), term.samples);
        self.items.push(Item { term: bound.clone(), uses: 0, target: Some(local) });
        (local, bound)
    }

    /// Appends `let mut name = first;`, which is not yet in scope for other terms.
    pub(super) fn hidden(&mut self, wishes: &[&str], first: Expr) -> Var {
        let name = self.one_of(wishes);
        let local = self.local_named(name, first.ty, true);
        self.push(local.declare(first));
        local
    }

    /// The term of `expr`, of which only the range is known.
    pub(super) fn known(&mut self, expr: Expr, low: f64, high: f64) -> Term {
        let samples = samples::draw(&mut self.rng, expr.ty, low, high);
        Term { expr, samples, size: 3 }
    }

    /// Marks all items since `count` as the same for all threads.
    pub(super) fn share_since(&mut self, count: usize) {
        self.items.iter_mut().skip(count).for_each(|item| item.term.samples.by_thread = false);
    }

    /// Adds the term to the scope.
    pub(super) fn offer(&mut self, term: Term) {
        self.items.push(Item { term, uses: 0, target: None });
    }

    /// Generates a nested block with `make`.
    pub(super) fn nested<T>(&mut self, make: impl FnOnce(&mut Generator) -> T) -> (Block, T) {
        let (items, facts) = (self.items.len(), self.facts.len());
        let outside = std::mem::take(&mut self.block);
        self.nesting += 1;
        let made = make(self);
        self.nesting -= 1;
        let block = std::mem::replace(&mut self.block, outside);
        // New parameters stay in scope. Locals of the block do not.
        let inside: Vec<Item> = self.items.drain(items..).collect();
        let tid = &self.tid;
        self.items.extend(inside.into_iter().filter(|item| item.target.is_none() && reads_only(&item.term.expr, tid)));
        self.facts.truncate(facts);
        (block, made)
    }

    /// The item of the local.
    pub(super) fn item_of(&mut self, local: Var) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.target == Some(local))
    }

    /// Replaces the samples of the local.
    pub(super) fn set_samples(&mut self, local: Var, samples: Samples) {
        if let Some(item) = self.item_of(local) {
            item.term.samples = samples;
        }
    }

    /// Adds a note about a step.
    pub(super) fn note(&mut self, mark: Mark, tag: &'static str, text: impl Into<String>) {
        self.note_if(vec![mark], tag, text);
    }

    /// Adds a note that holds if all `marks` remain in the kernel.
    pub(super) fn note_if(&mut self, marks: Vec<Mark>, tag: &'static str, text: impl Into<String>) {
        self.notes.push(Note::new(marks, tag, text.into(), Vec::new()));
    }

    /// Adds a note about the current step. It holds if a loop of the step remains, or, in a step without loops, one of
    /// its locals.
    pub(super) fn tell(&mut self, tag: &'static str, text: impl Into<String>) {
        self.note_if(Vec::new(), tag, text);
    }

    /// Adds a note about what a step does to the locals `of`.
    pub(super) fn note_of(&mut self, mark: Mark, tag: &'static str, text: impl Into<String>, of: Vec<LocalId>) {
        self.notes.push(Note::new(vec![mark], tag, text.into(), of));
    }
}

/// Whether the expression reads no locals except thread indices.
fn reads_only(expr: &Expr, indices: &[Expr]) -> bool {
    let mut only = true;
    expr.walk(&mut |expr| only &= !matches!(expr.kind, ExprKind::Local(_)) || indices.contains(expr));
    only
}
