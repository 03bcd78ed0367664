//! A kernel: its signature, its locals and its body.

use super::{Block, Expr, Literal, SizeExpr, Span, Type};

/// A parameter, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(pub u32);

/// A local, by position in [`Kernel::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// One kernel: what a thread does, for every thread of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The author's name for it.
    pub name: String,
    /// The family that it belongs to.
    pub family: String,
    /// The lines of its doc comment, without the leading space.
    pub doc: Vec<String>,
    /// The number of launch axes, 1 to 4; 0 for the code of a device function.
    pub dim: u8,
    /// Whether the author wants no adjoint of it.
    pub no_grad: bool,
    /// How many states of a loop its adjoint keeps at most, if the author says so: 1 to [`Kernel::MOST_SLOTS`].
    pub slots: Option<u32>,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// Every local that the body declares, each declared by exactly one `Let` or `For`.
    pub locals: Vec<Local>,
    /// What one thread does.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The author's name.
    pub name: String,
    /// By value, or an array.
    pub kind: ParamKind,
    /// The values that it is meant for, by component; `None` if the author gave none.
    pub domain: Option<Domain>,
    /// The source that it came from.
    pub span: Span,
}

/// How a parameter is passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// A value.
    Value(Type),
    /// A row-major, contiguous array.
    Array {
        /// The type of an element.
        elem: Type,
        /// Whether the kernel may write to it.
        mutable: bool,
        /// The extents that a caller gives it, one an axis (1 to 4): from `#[shape(…)]`, else the launch size.
        shape: Vec<SizeExpr>,
    },
}

/// A range of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Floats from `low` to below `high`, as bits of `f64`.
    Float {
        /// The bits of the smallest value.
        low: u64,
        /// The bits of the upper bound.
        high: u64,
    },
    /// Integers from `low` to below `high`.
    Int {
        /// The smallest value.
        low: SizeExpr,
        /// The upper bound, itself not included.
        high: SizeExpr,
    },
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// The author's name, or a name made up for a value that had none. Not unique: Rust allows shadowing.
    pub name: String,
    /// Its type, or that of an element.
    pub ty: Type,
    /// Whether it is assigned after its declaration.
    pub mutable: bool,
    /// How many values it holds as an array of the thread's own, with zeros to begin with; `None` for a single value.
    /// No author writes one: adjoint code keeps intermediate states there.
    pub len: Option<u32>,
    /// The source that it came from.
    pub span: Span,
}

impl Kernel {
    /// The most that [`Kernel::slots`] may be: every thread has memory for so many states.
    pub const MOST_SLOTS: u32 = 1024;

    /// What `#[kernel(…)]` says of the adjoint, behind a comma.
    pub(crate) fn adjoint_arguments(&self) -> String {
        let no_grad = if self.no_grad { ", no_grad" } else { "" };
        let slots = self.slots.map_or_else(String::new, |slots| format!(", slots = {slots}"));
        format!("{no_grad}{slots}")
    }

    /// The parameter of that id.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }

    /// The local of that id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// The parameters with their ids.
    pub fn param_ids(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..).map(ParamId).zip(&self.params)
    }
}

impl Local {
    /// Makes a mutable local and returns its id.
    pub(crate) fn fresh(locals: &mut Vec<Local>, name: impl Into<String>, ty: Type) -> LocalId {
        locals.push(Local { name: name.into(), ty, mutable: true, len: None, span: Span::NONE });
        LocalId(u32::try_from(locals.len() - 1).expect("a kernel has fewer than 2^32 locals"))
    }
}

impl Param {
    /// The type of the value, or of an element.
    pub fn elem(&self) -> Type {
        match self.kind {
            ParamKind::Value(ty) | ParamKind::Array { elem: ty, .. } => ty,
        }
    }

    /// The number of array axes; 0 for a value.
    pub fn rank(&self) -> usize {
        match &self.kind {
            ParamKind::Value(_) => 0,
            ParamKind::Array { shape, .. } => shape.len(),
        }
    }

    /// The sizes in its shape and its domain.
    pub fn sizes(&self) -> Vec<&SizeExpr> {
        let mut sizes: Vec<&SizeExpr> = match &self.kind {
            ParamKind::Value(_) => Vec::new(),
            ParamKind::Array { shape, .. } => shape.iter().collect(),
        };
        if let Some(Domain::Int { low, high }) = &self.domain {
            sizes.extend([low, high]);
        }
        sizes
    }

    /// Whether it is an array that the kernel may write to.
    pub fn is_mutable(&self) -> bool {
        matches!(self.kind, ParamKind::Array { mutable: true, .. })
    }
}

impl Domain {
    /// Integers from `low` to below `high`, both constant.
    pub fn ints(low: i64, high: i64) -> Domain {
        Domain::Int { low: SizeExpr::Literal(low), high: SizeExpr::Literal(high) }
    }

    /// Floats from `low` to below `high`.
    pub fn floats(low: f64, high: f64) -> Domain {
        Domain::Float { low: low.to_bits(), high: high.to_bits() }
    }
}

impl From<Literal> for Expr {
    fn from(value: Literal) -> Expr {
        Expr::literal(value)
    }
}
