//! The typed, structured intermediate representation of one kernel. The crate doc explains it.

mod abi;
mod expr;
mod function;
mod kernel;
mod literal;
mod locals;
mod op;
mod scalar;
mod shape;
mod size;
mod span;
mod stmt;
mod ty;
mod type_set;
mod visit;

pub use abi::AbiArg;
pub use expr::{Expr, ExprKind};
pub use function::{Function, Gradient};
pub use kernel::{Domain, Kernel, Local, LocalId, Param, ParamId, ParamKind};
pub use literal::Literal;
pub use locals::{LocalMap, LocalSet};
pub use op::Op;
pub use scalar::{Scalar, ScalarSet};
pub use shape::{Shape, ShapePattern};
pub use size::SizeExpr;
pub use span::{Span, SpanTable};
pub use stmt::{AtomicOp, Block, Direction, ForRange, Place, PlaceRoot, Projection, Stmt, StmtKind};
pub use ty::Type;
pub use type_set::TypeFamily;
pub(crate) use type_set::TypeSet;
