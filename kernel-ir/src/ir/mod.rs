//! The typed, structured intermediate representation of one kernel. The crate doc explains it.

mod abi;
pub mod build;
mod expr;
mod function;
mod kernel;
mod literal;
mod locals;
mod size;
mod span;
mod stmt;
mod ty;

pub use abi::AbiArg;
pub use expr::{Expr, ExprKind};
pub use function::{Function, Gradient};
pub use kernel::{Domain, Kernel, Local, LocalId, Param, ParamId, ParamKind};
pub use literal::Literal;
pub use locals::{LocalMap, LocalSet};
pub use size::SizeExpr;
pub use span::{Span, SpanTable};
pub use stmt::{AtomicOp, Block, Direction, ForRange, Place, PlaceRoot, Projection, Stmt, StmtKind};
pub use ty::{Scalar, Type};
