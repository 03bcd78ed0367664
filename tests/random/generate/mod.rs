//! Random differentiable kernels, generated as IR.
//!
//! A kernel obeys every rule of the language and never fails: indices are in range and integers small by construction.
//! Its values stay moderate, so that two ways to compute a derivative agree in many digits. Its threads share only
//! atomic additions, so the order of threads does not matter.

mod jumps;
mod loops;
mod numbers;
mod optional;
mod params;
mod rules;
mod stmts;
mod terms;

use crate::rng::Rng;
use kernel_ir::ir::{Block, Expr, Kernel, Local, LocalId, ParamId, Scalar, Shape, Span, Type};
use rules::Range;

/// The largest extent of a launch that the ranges of indices allow.
const MOST_THREADS: f64 = 64.0;

/// The largest product of the trip counts of the loops around a statement.
const MOST_TRIPS: u64 = 48;

/// The kernel with this seed, of about `size` statements.
pub(super) fn kernel(seed: u64, size: usize) -> Kernel {
    let mut rng = Rng::new(seed);
    let dim = if rng.percent(20) { 2 } else { 1 };
    let float = rng.pick(&[Scalar::F32, Scalar::F64]);
    let kernel = Kernel {
        name: format!("random_{seed}"),
        family: "combined".to_owned(),
        doc: Vec::new(),
        dim,
        block: None,
        no_grad: false,
        in_order: false,
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
    generator.make_optional();
    generator.kernel
}

/// The vector and matrix types of a kernel.
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

/// The extent of an array along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// The launch size along an axis.
    Launch(u8),
    /// A constant.
    Fixed(u32),
    /// An integer parameter, above 0.
    Sized(ParamId),
}

/// The use of an array by the threads.
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
    /// The axis that its elements, which are integers, are indices of.
    points_to: Option<Axis>,
}

/// A by-value parameter.
#[derive(Clone, Copy, Debug)]
struct Value {
    id: ParamId,
    ty: Type,
    range: Range,
}

/// The permitted changes of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It keeps its value, or only its loop changes it.
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

/// An index that is known to be within an axis wherever it is visible.
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
    /// The main float type of the kernel.
    float: Scalar,
    shapes: Vec<Type>,
    arrays: Vec<Array>,
    values: Vec<Value>,
    vars: Vec<Var>,
    facts: Vec<Fact>,
    /// The thread index along each axis, as this kernel writes it.
    tid: Vec<Expr>,
    loops: Vec<Loop>,
    /// The largest number of trips of the innermost open loop, over all loops around it.
    trips: u64,
    /// The number of statements that may still be made.
    budget: usize,
}

impl Generator {
    fn number(&self) -> Type {
        self.float.into()
    }

    /// A new local that is not visible yet. It becomes `mutable` at its first assignment.
    fn new_local(&mut self, name: String, ty: Type) -> LocalId {
        let id = LocalId(self.kernel.locals.len() as u32);
        self.kernel.locals.push(Local { name, ty, mutable: false, len: None, span: Span::NONE });
        id
    }

    /// A name that no local has.
    fn fresh_name(&mut self, ty: Type) -> String {
        let letters: &[&str] = match ty {
            Type { scalar, shape: Shape::Scalar } if scalar.is_float() => &["p", "q", "r", "s", "t", "u"],
            Type::BOOL => &["flag"],
            Type { shape: Shape::Scalar, .. } => &["j", "k", "m"],
            Type { shape: Shape::Vector(_), .. } => &["v", "w"],
            Type { shape: Shape::Matrix(..), .. } => &["mat"],
            Type { shape: Shape::Quat, .. } => &["rot"],
            Type { shape: Shape::Struct(_) | Shape::Tile(..), .. } => &["body"],
        };
        format!("{}{}", self.rng.pick(letters), self.kernel.locals.len())
    }

    /// Calls `make` in a nested scope.
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
