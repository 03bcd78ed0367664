//! Builders of IR: operators on expressions, and constructors of statements and places.
//!
//! Expressions are written as formulas, such as `2.0 * x * &y + c`, with Rust's operators and the methods of
//! [`Operand`]. A number in a formula becomes a literal of the scalar type of the other operand. The [operation
//! table](crate::ops) determines the type of a result. Building never fails: an operation that the table lacks gets the
//! type of its first operand, and [`verify`](crate::verify::verify) rejects it. Built nodes carry no span.

use crate::ir::{
    AtomicOp, Block, Direction, Expr, ExprKind, ForRange, Kernel, Literal, LocalId, Op, ParamId, Place, PlaceRoot,
    Projection, Scalar, Shape, Span, Stmt, StmtKind, StructId, TileOp, Type,
};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// A local with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var {
    /// The local.
    pub id: LocalId,
    /// The type of the local.
    pub ty: Type,
}

/// The right operand of an operation: an [`Operand`], or a number.
pub trait Rhs {
    /// The expression of the operand, next to an operand of type `ty`.
    fn beside(self, ty: Type) -> Expr;
}

impl<T: Operand> Rhs for T {
    fn beside(self, _: Type) -> Expr {
        self.into_expr()
    }
}

impl Rhs for f64 {
    /// A literal of the scalar type of `ty`, rounded and saturated as by `as`.
    fn beside(self, ty: Type) -> Expr {
        Expr::literal(match ty.scalar() {
            Scalar::Bool => Literal::Bool(self != 0.0),
            Scalar::I8 => Literal::I8(self as i8),
            Scalar::U8 => Literal::U8(self as u8),
            Scalar::I16 => Literal::I16(self as i16),
            Scalar::U16 => Literal::U16(self as u16),
            Scalar::I32 => Literal::I32(self as i32),
            Scalar::U32 => Literal::U32(self as u32),
            Scalar::I64 => Literal::I64(self as i64),
            Scalar::U64 => Literal::U64(self as u64),
            Scalar::Index => Literal::Index(self as u32),
            scalar @ (Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64) => {
                Literal::float(self, scalar).unwrap_or(Literal::f64(self))
            }
        })
    }
}

impl Rhs for i64 {
    fn beside(self, ty: Type) -> Expr {
        let literal = Literal::int(self.into(), ty.scalar().into());
        literal.map_or_else(|| (self as f64).beside(ty), Expr::literal)
    }
}

/// Methods of [`Operand`] for operations, named as in Rust.
macro_rules! methods {
    (of one: $($unary:ident $unary_op:ident),*; of two: $($binary:ident $binary_op:ident),*;) => {
        $(
            #[doc = concat!("[`Op::", stringify!($unary_op), "`].")]
            fn $unary(&self) -> Expr {
                Expr::op(Op::$unary_op, [self.expr()])
            }
        )*
        $(
            #[doc = concat!("[`Op::", stringify!($binary_op), "`].")]
            fn $binary(&self, b: impl Rhs) -> Expr {
                let a = self.expr();
                let b = b.beside(a.ty);
                Expr::op(Op::$binary_op, [a, b])
            }
        )*
    };
}
/// A typed operand of a formula: an expression, a reference to one, or a local.
pub trait Operand: Sized {
    /// The expression.
    fn expr(&self) -> Expr;

    /// The expression, without a copy if `self` owns it.
    fn into_expr(self) -> Expr {
        self.expr()
    }

    /// The scalar cast to `ty`; the operand itself if it has that type.
    fn cast(&self, ty: impl Into<Type>) -> Expr {
        let (expr, ty) = (self.expr(), ty.into());
        if expr.ty == ty { expr } else { Expr::new(ExprKind::Cast(Box::new(expr)), ty) }
    }

    /// `if self { then } else { other }`, for the condition `self`.
    fn select(&self, then: impl Operand, other: impl Rhs) -> Expr {
        let then = then.into_expr();
        let (ty, other) = (then.ty, Box::new(other.beside(then.ty)));
        Expr::new(ExprKind::Select { cond: Box::new(self.expr()), then: Box::new(then), other }, ty)
    }

    /// The component of a vector or quaternion, or the column of a matrix, with this number.
    fn part(&self, number: impl Rhs) -> Expr {
        let (base, number) = (Box::new(self.expr()), Box::new(number.beside(Type::INDEX)));
        let ty = base.ty.part();
        let kind = if base.ty.is_matrix() { ExprKind::Column } else { ExprKind::Component };
        Expr::new(kind(base, number), ty)
    }

    /// The first component.
    fn x(&self) -> Expr {
        self.part(0)
    }

    /// The second component.
    fn y(&self) -> Expr {
        self.part(1)
    }

    /// The third component.
    fn z(&self) -> Expr {
        self.part(2)
    }

    /// The fourth component.
    fn w(&self) -> Expr {
        self.part(3)
    }

    /// The vector of type `ty` with this scalar in every component.
    fn splat(&self, ty: Type) -> Expr {
        Expr::op_to(Op::Splat, [self.expr()], ty)
    }

    /// [`Op::Powi`]; the exponent is an `i32`.
    fn powi(&self, exponent: impl Rhs) -> Expr {
        Expr::op(Op::Powi, [self.expr(), exponent.beside(Type::I32)])
    }

    /// [`Op::Clamp`].
    fn clamp(&self, low: impl Rhs, high: impl Rhs) -> Expr {
        let a = self.expr();
        let [low, high] = [low.beside(a.ty), high.beside(a.ty)];
        Expr::op(Op::Clamp, [a, low, high])
    }

    methods! {
        of one: abs Abs, signum Signum, floor Floor, trunc Trunc, sqrt Sqrt, exp Exp, ln Ln, log2 Log2, sin Sin, cos Cos,
            sinh Sinh, cosh Cosh, to_radians ToRadians, to_degrees ToDegrees, length Length, length_squared LengthSquared,
            truncate Truncate, element_sum ElementSum, conjugate Conjugate, transpose Transpose;
        of two: equals Eq, differs Ne, lt Lt, le Le, gt Gt, ge Ge, and And, or Or, min Min, max Max, powf Powf, hypot Hypot,
            rem_euclid RemEuclid, wrapping_add WrappingAdd, wrapping_mul WrappingMul, saturating_sub SaturatingSub, below Below,
            dot Dot, cross Cross, reflect Reflect, extend Extend, strong_mul StrongMul, strong_div StrongDiv,
            strong_dot StrongDot, strong_cross StrongCross;
    }
}

impl Operand for Expr {
    fn expr(&self) -> Expr {
        self.clone()
    }

    fn into_expr(self) -> Expr {
        self
    }
}

impl Operand for &Expr {
    fn expr(&self) -> Expr {
        (*self).clone()
    }
}

impl Operand for Var {
    fn expr(&self) -> Expr {
        Expr::local(self.id, self.ty)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*; $($bits:ident $bits_method:ident)*) => {
        $(operators!(@left $trait $method: Expr, &Expr, Var);)*
        $(operators!(@number $trait $method: Expr, &Expr, Var);)*
        $(operators!(@left $bits $bits_method: Expr, &Expr, Var);)*
    };
    (@left $trait:ident $method:ident: $($ty:ty),*) => {
        $(impl<B: Rhs> $trait<B> for $ty {
            type Output = Expr;

            fn $method(self, b: B) -> Expr {
                let a = self.into_expr();
                let b = b.beside(a.ty);
                Expr::op(Op::$trait, [a, b])
            }
        })*
    };
    (@number $trait:ident $method:ident: $($ty:ty),*) => {
        $(impl $trait<$ty> for f64 {
            type Output = Expr;

            fn $method(self, b: $ty) -> Expr {
                let b = b.into_expr();
                Expr::op(Op::$trait, [self.beside(b.ty), b])
            }
        })*
    };
    (@unary $($trait:ident $method:ident)*: $ty:ty) => {
        $(impl $trait for $ty {
            type Output = Expr;

            fn $method(self) -> Expr {
                Expr::op(Op::$trait, [self.into_expr()])
            }
        })*
    };
}

operators!(Add add Sub sub Mul mul Div div; Rem rem BitAnd bitand BitOr bitor BitXor bitxor Shl shl Shr shr);
operators!(@unary Neg neg Not not: Expr);
operators!(@unary Neg neg Not not: &Expr);
operators!(@unary Neg neg Not not: Var);

impl Expr {
    /// An expression without a source position.
    pub fn new(kind: ExprKind, ty: Type) -> Expr {
        Expr { kind, ty, span: Span::NONE }
    }

    /// The operation `op` on `args`, with the result type that the table gives.
    pub fn op(op: Op, args: impl Into<Vec<Expr>>) -> Expr {
        let args = args.into();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        let ty = op.results(&types).first().or(types.first()).copied().unwrap_or(Type::BOOL);
        Expr::op_to(op, args, ty)
    }

    /// The operation `op` on `args` with the result type `ty`, for operations whose operands do not determine it.
    pub fn op_to(op: Op, args: impl Into<Vec<Expr>>, ty: Type) -> Expr {
        Expr::new(ExprKind::Op(op, args.into()), ty)
    }

    /// The number `value` as a literal of the scalar type of `ty`.
    pub fn number(value: impl Rhs, ty: impl Into<Type>) -> Expr {
        value.beside(ty.into())
    }

    /// The literal `value` of the index type. Panics in no case: a value beyond `u32` saturates.
    pub fn index(value: usize) -> Expr {
        Expr::number(value as i64, Type::INDEX)
    }

    /// The zero of type `ty`: every scalar is 0. `false` for `bool`.
    pub fn zero(ty: Type) -> Expr {
        let number = || Expr::number(0, ty);
        match ty.shape {
            Shape::Scalar => number(),
            Shape::Vector(_) => number().splat(ty),
            Shape::Matrix(rows, columns) if rows == columns => {
                Expr::op_to(Op::FromDiagonal, [Expr::zero(ty.part())], ty)
            }
            Shape::Matrix(_, columns) => Expr::op_to(Op::MatFromCols, vec![Expr::zero(ty.part()); columns.into()], ty),
            Shape::Quat => Expr::op(Op::QuatNew, [number(), number(), number(), number()]),
            Shape::Struct(id) => Expr::structure(id, id.fields.iter().map(|field| Expr::zero(field.ty))),
            Shape::Tile(..) => Expr::new(ExprKind::Tile(TileOp::Broadcast, vec![Expr::zero(ty.element())]), ty),
        }
    }

    /// The struct `id` with these values of its fields, in order.
    pub fn structure(id: StructId, fields: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::new(ExprKind::Struct(fields.into_iter().collect()), Type::of_struct(id))
    }

    /// The field of the struct with this number.
    ///
    /// # Panics
    /// If the value has no such field.
    pub fn field(self, number: u8) -> Expr {
        let ty = self.ty.field(number);
        Expr::new(ExprKind::Field(Box::new(self), number), ty)
    }

    /// The value of a local.
    pub fn local(id: LocalId, ty: Type) -> Expr {
        Expr::new(ExprKind::Local(id), ty)
    }

    /// The value of a parameter.
    pub fn param(id: ParamId, ty: Type) -> Expr {
        Expr::new(ExprKind::Param(id), ty)
    }

    /// The index of the thread along a launch axis.
    pub fn tid(axis: u8) -> Expr {
        Expr::new(ExprKind::Tid(axis), Type::INDEX)
    }

    /// The extent of an array along an axis.
    pub fn extent(array: ParamId, axis: u8) -> Expr {
        Expr::new(ExprKind::Extent { array, axis }, Type::INDEX)
    }

    /// Whether an optional array is present.
    pub fn present(array: ParamId) -> Expr {
        Expr::new(ExprKind::Present(array), Type::BOOL)
    }

    /// A load of an element of type `ty`.
    pub fn load(array: ParamId, index: impl Into<Vec<Expr>>, ty: Type) -> Expr {
        Expr::new(ExprKind::Load { array, index: index.into() }, ty)
    }
}

impl Var {
    /// The local `id` of type `ty`.
    pub fn new(id: LocalId, ty: Type) -> Var {
        Var { id, ty }
    }

    /// The place that is the whole local.
    pub fn place(self) -> Place {
        Place { root: PlaceRoot::Local(self.id), path: Vec::new(), ty: self.ty, span: Span::NONE }
    }

    /// `let self = init;`
    pub fn declare(self, init: impl Rhs) -> Stmt {
        Stmt::new(StmtKind::Let { local: self.id, init: Some(init.beside(self.ty)) })
    }

    /// `self = value;`
    pub fn set(self, value: impl Rhs) -> Stmt {
        self.place().set(value)
    }

    /// `self op= value;`
    pub fn update(self, op: Op, value: impl Rhs) -> Stmt {
        self.place().update(op, value)
    }
}

impl Place {
    /// An expression that reads the place, in the code of `kernel`.
    pub fn read(&self, kernel: &Kernel) -> Expr {
        let root = match &self.root {
            PlaceRoot::Local(local) => Expr::new(ExprKind::Local(*local), kernel.local(*local).ty),
            PlaceRoot::LocalElement { local, index } => {
                let element = ExprKind::LocalElement { local: *local, index: Box::new(index.clone()) };
                Expr::new(element, kernel.local(*local).ty)
            }
            PlaceRoot::Element { array, index } => Expr::load(*array, index.clone(), kernel.param(*array).elem()),
        };
        self.path.iter().fold(root, |base, step| {
            let ty = base.ty.part();
            match step {
                Projection::Component(index) => {
                    Expr::new(ExprKind::Component(Box::new(base), Box::new(index.clone())), ty)
                }
                Projection::Column(index) => Expr::new(ExprKind::Column(Box::new(base), Box::new(index.clone())), ty),
                Projection::Field(number) => base.field(*number),
            }
        })
    }

    /// The place of an array element of type `ty`.
    pub fn element(array: ParamId, index: impl Into<Vec<Expr>>, ty: Type) -> Place {
        Place { root: PlaceRoot::Element { array, index: index.into() }, path: Vec::new(), ty, span: Span::NONE }
    }

    /// The component, or the column of a matrix, with this number.
    pub fn part(mut self, number: impl Rhs) -> Place {
        let number = number.beside(Type::INDEX);
        let projection = if self.ty.is_matrix() { Projection::Column } else { Projection::Component };
        self.path.push(projection(number));
        self.ty = self.ty.part();
        self
    }

    /// `self = value;`
    pub fn set(self, value: impl Rhs) -> Stmt {
        let value = value.beside(self.ty);
        Stmt::new(StmtKind::Assign { place: self, value })
    }

    /// `self op= value;`
    pub fn update(self, op: Op, value: impl Rhs) -> Stmt {
        let value = value.beside(self.ty);
        Stmt::new(StmtKind::Update { place: self, op, value })
    }

    /// The atomic `self op= value;`. The old value is dropped.
    pub fn atomic(self, op: AtomicOp, value: impl Rhs) -> Stmt {
        let value = value.beside(self.ty);
        Stmt::new(StmtKind::Atomic { op, place: self, compare: None, value, result: None })
    }

    /// The expression that reads the place. `root` is the type of the root's value.
    pub fn value(&self, root: Type) -> Expr {
        let kind = match &self.root {
            PlaceRoot::Local(local) => ExprKind::Local(*local),
            PlaceRoot::LocalElement { local, index } => {
                ExprKind::LocalElement { local: *local, index: Box::new(index.clone()) }
            }
            PlaceRoot::Element { array, index } => ExprKind::Load { array: *array, index: index.clone() },
        };
        self.path.iter().fold(Expr::new(kind, root), |base, step| match step {
            Projection::Column(number) | Projection::Component(number) => base.part(number),
            Projection::Field(number) => base.field(*number),
        })
    }
}

impl Stmt {
    /// A statement without a source position.
    pub fn new(kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::NONE }
    }

    /// `if cond { then }`.
    pub fn when(cond: Expr, then: impl Into<Block>) -> Stmt {
        Stmt::branch(cond, then, [])
    }

    /// `if cond { then } else { other }`.
    pub fn branch(cond: Expr, then: impl Into<Block>, other: impl Into<Block>) -> Stmt {
        Stmt::new(StmtKind::If { cond, then: then.into(), other: other.into() })
    }

    /// `for var in start..end { body }`.
    pub fn for_loop(var: Var, start: impl Rhs, end: impl Rhs, body: impl Into<Block>) -> Stmt {
        let [start, end] = [start.beside(var.ty), end.beside(var.ty)];
        let range = ForRange { start, end, inclusive: false, direction: Direction::Up, step: None };
        Stmt::new(StmtKind::For { local: var.id, range, body: body.into() })
    }

    /// `while cond { body }`.
    pub fn while_loop(cond: Expr, body: impl Into<Block>) -> Stmt {
        Stmt::new(StmtKind::While { cond, body: body.into() })
    }
}
