//! Random kernels that have a derivative, straight in the IR.
//!
//! A kernel keeps every rule of the language and never fails: indices are in range and integers small by
//! construction. Its values stay moderate, so that two ways to compute a derivative agree to many digits, and its
//! threads meet in atomic additions only, so that they may run in any order.

mod jumps;
mod loops;
mod numbers;
mod params;
mod rules;
mod stmts;
mod terms;

use crate::rng::Rng;
use kernel_ir::ir::{Block, Expr, Kernel, Local, LocalId, ParamId, Scalar, Shape, Span, Type};
use rules::Range;

/// The largest extent of a launch that the ranges of indices are made for.
const MOST_THREADS: f64 = 64.0;

/// How many trips the loops around a statement may make together.
const MOST_TRIPS: u64 = 48;

/// The kernel of that number, of about `size` statements.
pub(super) fn kernel(seed: u64, size: usize) -> Kernel {
    let mut rng = Rng::new(seed);
    let dim = if rng.percent(20) { 2 } else { 1 };
    let float = rng.pick(&[Scalar::F32, Scalar::F64]);
    let kernel = Kernel {
        name: format!("random_{seed}"),
        family: "combined".to_owned(),
        doc: Vec::new(),
        dim,
        no_grad: false,
        slots: rng.pick(&[None, None, None, Some(1), Some(2), Some(3), Some(8)]),
        params: Vec::new(),
        locals: Vec::new(),
        body: Vec::new(),
    };
    let shapes = shapes(&mut rng, float);
    let mut generator = Generator {
        rng,
        kernel,
        float,
        shapes,
        arrays: Vec::new(),
        values: Vec::new(),
        vars: Vec::new(),
        facts: Vec::new(),
        tid: Vec::new(),
        loops: Vec::new(),
        trips: 1,
        budget: size,
    };
    generator.params();
    generator.kernel.body = generator.body();
    generator.kernel
}

/// The types other than numbers that a kernel uses.
fn shapes(rng: &mut Rng, float: Scalar) -> Vec<Type> {
    let (vector, matrix) = (|n| Type::vector(float, n), |n| Type::matrix(float, n, n));
    match rng.below(16) {
        0..7 => Vec::new(),
        7..9 => vec![vector(2)],
        9..12 => vec![vector(3)],
        12 => vec![vector(3), vector(4)],
        13 => vec![vector(2), matrix(2)],
        14 => vec![vector(3), matrix(3)],
        _ => vec![vector(3), Type::quat(float)],
    }
}

/// An extent of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// The launch size along an axis.
    Launch(u8),
    /// A constant.
    Fixed(u32),
    /// An integer parameter, above 0.
    Sized(ParamId),
}

/// What threads do with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    /// Each thread stores to its own element.
    Write,
    /// Each thread adds to its own element.
    Accumulate,
    /// Any thread adds atomically to any element.
    Atomic,
    /// Each thread reads and stores its own element.
    Own,
}

#[derive(Clone, Debug)]
struct Array {
    id: ParamId,
    elem: Type,
    axes: Vec<Axis>,
    range: Range,
    access: Access,
    /// The axis for which its elements, integers, are indices.
    points_to: Option<Axis>,
}

/// A by-value parameter.
#[derive(Clone, Copy, Debug)]
struct Value {
    id: ParamId,
    ty: Type,
    range: Range,
}

/// What may be done with a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It keeps its value, or something special changes it.
    Fixed,
    /// It may be assigned.
    State,
    /// It may be added to.
    Sum,
}

/// A visible local.
#[derive(Clone, Copy, Debug)]
struct Var {
    local: LocalId,
    ty: Type,
    range: Range,
    slope: f64,
    role: Role,
}

/// An index that lies within an axis wherever it is visible.
#[derive(Clone, Debug)]
struct Fact {
    axis: Axis,
    index: Expr,
}

/// An open loop.
#[derive(Clone, Copy, Debug)]
struct Loop {
    may_continue: bool,
}

struct Generator {
    rng: Rng,
    kernel: Kernel,
    /// The float type that the kernel mostly computes with.
    float: Scalar,
    shapes: Vec<Type>,
    arrays: Vec<Array>,
    values: Vec<Value>,
    vars: Vec<Var>,
    facts: Vec<Fact>,
    /// The index of the thread, along each axis, as this kernel writes it.
    tid: Vec<Expr>,
    loops: Vec<Loop>,
    /// The most trips that the innermost open loop makes in all.
    trips: u64,
    /// How many statements may still be made.
    budget: usize,
}

impl Generator {
    fn number(&self) -> Type {
        self.float.into()
    }

    /// A new local, not visible yet. It turns `mutable` where it is assigned again.
    fn new_local(&mut self, name: String, ty: Type) -> LocalId {
        let id = LocalId(self.kernel.locals.len() as u32);
        self.kernel.locals.push(Local { name, ty, mutable: false, len: None, span: Span::NONE });
        id
    }

    /// A name that no local has yet.
    fn fresh_name(&mut self, ty: Type) -> String {
        let letters: &[&str] = match ty {
            Type { scalar, shape: Shape::Scalar } if scalar.is_float() => &["p", "q", "r", "s", "t", "u"],
            Type::BOOL => &["flag"],
            Type { shape: Shape::Scalar, .. } => &["j", "k", "m"],
            Type { shape: Shape::Vector(_), .. } => &["v", "w"],
            Type { shape: Shape::Matrix(..), .. } => &["mat"],
            Type { shape: Shape::Quat, .. } => &["rot"],
        };
        format!("{}{}", self.rng.pick(letters), self.kernel.locals.len())
    }

    /// What `make` makes in a scope of its own.
    fn scoped<T>(&mut self, make: impl FnOnce(&mut Generator) -> T) -> T {
        let (vars, facts) = (self.vars.clone(), self.facts.clone());
        let made = make(self);
        (self.vars, self.facts) = (vars, facts);
        made
    }

    fn body(&mut self) -> Block {
        let mut body = Vec::new();
        self.thread_index(&mut body);
        let size = self.budget;
        self.statements(size, &mut body);
        self.stores(&mut body);
        body
    }
}
