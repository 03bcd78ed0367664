//! The typed, structured intermediate representation of one kernel. The crate documentation explains it on one page;
//! `tree` defines its nodes.

mod abi;
mod atomic_op;
mod domain;
mod expr;
mod float_format;
mod function;
mod ids;
mod kernel;
mod language;
mod layout;
mod literal;
mod local_array;
mod locals;
mod message;
mod op;
mod phases;
mod scalar;
mod shape_pattern;
mod size;
mod span;
mod structs;
mod tile;
mod tree;
mod ty;
mod type_names;
mod type_set;
mod visit;

pub use abi::AbiArg;
pub use float_format::FloatFormat;
pub use function::CallArg;
pub use ids::{LocalId, ParamId};
pub use layout::Layout;
pub use literal::Literal;
pub use local_array::first_values;
pub(crate) use locals::drop_undeclared;
pub use locals::{LocalMap, LocalSet};
pub use message::{Piece, pieces, text_of};
pub use op::Op;
pub use phases::Memory;
pub(crate) use phases::{Lane, lane_of, own_round};
pub use scalar::{Scalar, ScalarSet};
pub use shape_pattern::ShapePattern;
pub use size::SizeExpr;
pub use span::{Span, SpanTable};
pub(crate) use tile::{Over, REDUCTIONS, SCANS, TileForm, tile_steps};
pub use tree::{
    AtomicOp, Block, Callee, Direction, Domain, Expr, ExprKind, ForRange, Function, Gradient, Kernel, Local, Message,
    Param, ParamKind, Place, PlaceRoot, Projection, Relation, Scan, Stmt, StmtKind, Structure, TileOp, ValueRange,
};
pub use ty::{Field, Shape, Struct, StructId, Type};
pub use type_set::TypeFamily;
pub(crate) use type_set::TypeSet;
