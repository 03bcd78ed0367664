//! The families of synthesised kernels, and the steps of each.
//!
//! The weights decide how common each construct is in a dataset, so a changed weight changes every dataset.

use super::overloads::OpClass;
use super::rng::Rng;
use super::steps::Step;
use kernel_ir::ir::{Block, ExprKind, Kernel, ParamKind, Scalar, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;

/// Choices with their weights.
type Weights<T> = &'static [(usize, T)];

/// A family of kernels.
#[derive(Debug)]
pub(crate) struct Family {
    /// The name.
    pub(crate) name: &'static str,
    pub(super) op_class: OpClass,
    /// What a launch runs: threads, or blocks of threads.
    pub(super) level: Level,
    /// The weights of launches with 1, 2, 3 and 4 axes.
    pub(super) dims: [usize; 4],
    /// The defining steps. Each kernel takes one of them.
    pub(super) core: Weights<Step>,
    /// Further steps.
    pub(super) more: Weights<Step>,
    /// The percentage of kernels with atomics.
    pub(super) meets: usize,
    /// The percentage of inputs that are by-value parameters.
    pub(super) values: usize,
    /// The defining feature, which every kernel of the family must have.
    pub(super) has: Has,
    pub(super) verbs: &'static [&'static str],
}

impl Family {
    /// The numbers of axes that launches of such kernels may have.
    pub(crate) fn axes(&self) -> impl Iterator<Item = usize> {
        (1..).zip(self.dims).filter(|(_, weight)| *weight > 0).map(|(axes, _)| axes)
    }
}

/// What the body of a kernel is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// A thread that knows nothing of others.
    Threads,
    /// The threads of a block, which work in phases.
    Phases,
    /// A block that computes with tiles.
    Tiles,
}

/// A defining feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Has {
    /// No feature is required.
    Anything,
    Loop,
    /// A nested loop.
    Nest,
    /// At least this many conditions, in statements, values and loops.
    Conditions(usize),
    /// A by-value float or integer parameter.
    Value,
    Vector,
    Matrix,
    Atomic,
    /// A mix of bits.
    Bits,
    /// A launch over blocks.
    Block,
}

impl Has {
    pub(super) fn holds(self, kernel: &Kernel) -> bool {
        match self {
            Has::Anything => true,
            Has::Loop => depth(&kernel.body) > 0,
            Has::Nest => depth(&kernel.body) > 1,
            Has::Conditions(least) => conditions(kernel) >= least,
            Has::Value => kernel.params.iter().any(|param| matches!(param.kind, ParamKind::Value(_))),
            Has::Vector => has_type(kernel, |ty| ty.is_vector() || ty.is_quat()),
            Has::Bits => mixes_bits(kernel),
            Has::Block => kernel.block.is_some(),
            Has::Matrix => has_type(kernel, |ty| ty.is_matrix()),
            Has::Atomic => {
                let mut found = false;
                kernel.walk_stmts(&mut |stmt| found |= stmt.atomic().is_some());
                found
            }
        }
    }
}

/// The largest depth of nested loops.
fn depth(block: &Block) -> usize {
    let of = |stmt: &Stmt| {
        let inside = stmt.blocks().map(depth).max().unwrap_or(0);
        inside + usize::from(stmt.is_loop())
    };
    block.iter().map(of).max().unwrap_or(0)
}

fn conditions(kernel: &Kernel) -> usize {
    let mut count = 0;
    kernel.walk_stmts(&mut |stmt| {
        count += usize::from(matches!(stmt.kind, StmtKind::If { .. } | StmtKind::While { .. }));
    });
    kernel.walk_exprs(&mut |expr| count += usize::from(matches!(expr.kind, ExprKind::Select { .. })));
    count
}

fn mixes_bits(kernel: &Kernel) -> bool {
    let is_mixing =
        |op: Op| matches!(op, Op::WrappingMul | Op::WrappingAdd | Op::BitXor | Op::BitAnd | Op::Shr | Op::Shl);
    let mut found = false;
    kernel.walk_exprs(&mut |expr| found |= matches!(expr.kind, ExprKind::Op(op, _) if is_mixing(op)));
    found
}

fn has_type(kernel: &Kernel, is_such: impl Fn(Type) -> bool) -> bool {
    let mut found = kernel.params.iter().any(|param| is_such(param.elem()));
    kernel.walk_exprs(&mut |expr| found |= is_such(expr.ty));
    found
}

use Step::*;

/// Steps that suit every family.
const ANY: Weights<Step> = &[(6, Let), (2, Update), (2, Choose), (1, Parts), (1, Branch), (1, Stencil), (1, Gather)];

/// Steps of a thread in a phase of a block. They access no elements but the thread's own.
const IN_PHASES: Weights<Step> = &[
    (8, Let),
    (2, Update),
    (3, Choose),
    (2, Branch),
    (1, Nested),
    (1, Cases),
    (1, Switch),
    (1, Iterate),
    (1, Hash),
    (1, Polynomial),
    (1, Bits),
];

/// Every family, in alphabetical order.
pub(crate) static FAMILIES: [Family; 15] = [
    Family {
        name: "arithmetic",
        op_class: OpClass::Arithmetic,
        level: Level::Threads,
        dims: [6, 2, 1, 1],
        core: &[(15, Let), (6, Update), (5, Bits), (2, Polynomial)],
        more: &[(6, Let), (3, Update), (1, Choose), (1, Parts)],
        meets: 0,
        values: 30,
        has: Has::Anything,
        verbs: &["combine", "scale", "mix", "blend", "compute", "weigh", "encode", "pack"],
    },
    Family {
        name: "atomic",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [6, 3, 1, 0],
        core: &[(6, Let), (2, Branch), (2, Gather), (2, Choose), (1, Bisect), (1, Bits)],
        more: ANY,
        meets: 100,
        values: 25,
        has: Has::Atomic,
        verbs: &["accumulate", "collect", "pool", "gather", "merge", "deposit"],
    },
    Family {
        name: "combined",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [5, 3, 1, 1],
        core: &[
            (2, Sum),
            (2, Iterate),
            (1, Cases),
            (1, Window),
            (1, Product),
            (1, While),
            (1, Hash),
            (1, Newton),
            (1, Search),
            (1, Softmax),
            (1, Moments),
            (1, Extreme),
            (1, Scan),
            (2, Sparse),
            (1, Interpolate),
            (1, Field),
            (1, Springs),
            (1, Escape),
            (1, Bisect),
        ],
        more: &[
            (3, Let),
            (2, Branch),
            (1, Cases),
            (1, Sum),
            (1, Iterate),
            (1, Stencil),
            (1, Gather),
            (1, Parts),
            (1, Choose),
            (1, Hash),
            (1, Nested),
            (1, Switch),
            (1, Update),
        ],
        meets: 30,
        values: 30,
        has: Has::Anything,
        verbs: &["simulate", "advance", "process", "evaluate", "resolve", "step", "estimate"],
    },
    Family {
        name: "control_flow",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [7, 2, 1, 0],
        core: &[(12, Branch), (6, Nested), (6, Search), (3, While), (1, Escape), (2, Field), (1, Bits)],
        more: &[(3, Let), (2, Guard), (2, Branch), (2, Choose), (1, Update), (1, Switch), (1, Stencil)],
        meets: 4,
        values: 30,
        has: Has::Conditions(1),
        verbs: &["limit", "select", "route", "gate", "filter", "clip", "switch", "screen"],
    },
    Family {
        name: "loop",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [8, 2, 1, 0],
        core: &[
            (8, Iterate),
            (4, Sum),
            (6, While),
            (4, Newton),
            (2, Search),
            (3, Scan),
            (1, Softmax),
            (1, Moments),
            (2, Extreme),
            (2, Sparse),
            (2, Bisect),
            (2, Escape),
            (1, Polynomial),
            (1, Springs),
            (1, Bits),
        ],
        more: &[(4, Let), (1, Update), (1, Choose), (1, Iterate), (1, Branch)],
        meets: 3,
        values: 35,
        has: Has::Loop,
        verbs: &["iterate", "relax", "integrate", "repeat", "evolve", "refine", "march"],
    },
    Family {
        name: "math",
        op_class: OpClass::Math,
        level: Level::Threads,
        dims: [7, 2, 1, 1],
        core: &[(10, Let), (2, Update), (2, Choose), (3, Interpolate), (2, Polynomial), (1, Bisect)],
        more: &[(6, Let), (2, Update), (1, Choose), (1, Stencil)],
        meets: 0,
        values: 30,
        has: Has::Anything,
        verbs: &["evaluate", "transform", "map", "model", "shape", "warp", "fit"],
    },
    Family {
        name: "matrix",
        op_class: OpClass::Matrix,
        level: Level::Threads,
        dims: [6, 4, 1, 0],
        core: &[(4, Let), (2, Parts), (3, Product)],
        more: &[(5, Let), (2, Parts), (2, Update), (1, Product), (1, Choose)],
        meets: 2,
        values: 30,
        has: Has::Matrix,
        verbs: &["transform", "map", "compose", "apply", "assemble", "mix", "shear"],
    },
    Family {
        name: "multi_conditional",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [7, 2, 1, 0],
        core: &[(5, Cases), (3, Switch), (1, Nested)],
        more: &[(4, Let), (2, Cases), (1, Switch), (1, Branch), (1, Update), (1, Guard)],
        meets: 4,
        values: 30,
        has: Has::Conditions(2),
        verbs: &["classify", "grade", "rate", "bracket", "dispatch", "tier", "label"],
    },
    Family {
        name: "nested_loop",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [5, 5, 1, 0],
        core: &[(4, DoubleSum), (4, Window), (2, IterateTwice), (1, Scan)],
        more: &[(4, Let), (1, Update), (1, Choose), (1, Branch), (1, Gather)],
        meets: 2,
        values: 25,
        has: Has::Nest,
        verbs: &["contract", "sweep", "aggregate", "accumulate", "fold", "combine", "gather"],
    },
    Family {
        name: "random_math",
        op_class: OpClass::Math,
        level: Level::Threads,
        dims: [7, 3, 1, 0],
        core: &[(6, Hash), (6, RandomLoop), (1, Bits)],
        more: &[(10, Let), (2, Choose), (2, Branch), (2, Hash), (2, Update), (1, Bits)],
        meets: 4,
        values: 45,
        has: Has::Bits,
        verbs: &["sample", "perturb", "jitter", "dither", "randomize", "scatter"],
    },
    Family {
        name: "reduction",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [6, 3, 1, 0],
        core: &[(6, Sum), (1, Product), (1, Search), (2, Softmax), (2, Moments), (2, Extreme), (2, Sparse)],
        more: &[(8, Let), (2, Update), (2, Sum), (2, Choose), (1, Extreme)],
        meets: 35,
        values: 20,
        has: Has::Loop,
        verbs: &["reduce", "condense", "summarize", "collapse", "aggregate", "gather"],
    },
    Family {
        name: "scalar_param",
        op_class: OpClass::Any,
        level: Level::Threads,
        dims: [8, 2, 1, 0],
        core: &[(10, Let), (2, Iterate), (2, Branch), (2, Choose), (2, Interpolate), (2, Polynomial), (1, Field)],
        more: &[(6, Let), (2, Update), (1, Choose), (1, Branch)],
        meets: 2,
        values: 75,
        has: Has::Value,
        verbs: &["tune", "adjust", "calibrate", "scale", "control", "configure", "parametrize"],
    },
    Family {
        name: "shared",
        op_class: OpClass::Any,
        level: Level::Phases,
        dims: [1, 0, 0, 0],
        core: IN_PHASES,
        more: IN_PHASES,
        meets: 0,
        values: 35,
        has: Has::Block,
        verbs: &["reduce", "exchange", "scan", "gather", "share", "smooth", "summarize", "combine", "balance", "rank"],
    },
    Family {
        name: "tile",
        op_class: OpClass::Any,
        level: Level::Tiles,
        dims: [1, 0, 0, 0],
        core: IN_PHASES,
        more: IN_PHASES,
        meets: 0,
        values: 35,
        has: Has::Block,
        verbs: &["project", "normalize", "attend", "score", "transform", "condense", "mix", "correlate", "fuse", "fit"],
    },
    Family {
        name: "vector",
        op_class: OpClass::Vector,
        level: Level::Threads,
        dims: [7, 2, 1, 0],
        core: &[(10, Let), (4, Parts), (2, Update), (2, Springs), (1, Extreme)],
        more: &[(5, Let), (2, Parts), (2, Update), (1, Choose), (1, Gather), (1, Stencil)],
        meets: 2,
        values: 30,
        has: Has::Vector,
        verbs: &["orient", "steer", "displace", "shift", "move", "align", "deflect"],
    },
];

impl Family {
    /// The vector, matrix and quaternion types of a kernel of the family, besides those of the operation that it is
    /// built around.
    pub(super) fn shapes(&self, rng: &mut Rng, float: Scalar) -> Vec<Type> {
        let vector = |n| Type::vector(float, n);
        match self.op_class {
            OpClass::Vector => match rng.below(10) {
                0..3 => vec![vector(3)],
                3..5 => vec![vector(2)],
                5 => vec![vector(4)],
                6 | 7 => vec![vector(3), Type::quat(float)],
                8 => vec![vector(2), vector(3)],
                _ => vec![Type::vector(rng.pick(&[Scalar::I32, Scalar::U32]), rng.pick(&[2, 3, 4]))],
            },
            OpClass::Matrix => {
                let n = rng.pick(&[2, 3, 3, 4]);
                vec![Type::matrix(float, n, n), vector(n)]
            }
            OpClass::Math | OpClass::Arithmetic => Vec::new(),
            OpClass::Any => match rng.below(12) {
                0 | 1 => vec![vector(3)],
                2 => vec![vector(2)],
                3 => vec![vector(4)],
                _ => Vec::new(),
            },
        }
    }
}
