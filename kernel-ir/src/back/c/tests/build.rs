//! Kernels built by hand.

use crate::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, Literal, Local, LocalId, Param, ParamId, ParamKind, Place,
    SizeExpr, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
use crate::ops::build::{Operand, Var};
use crate::verify::{VerifiedKernel, verify};

/// A kernel that grows.
pub(super) struct Build(pub(super) Kernel);

impl Build {
    pub(super) fn new(name: &str, dim: u8) -> Build {
        Build(Kernel {
            name: name.to_owned(),
            family: "test".to_owned(),
            doc: Vec::new(),
            dim,
            block: None,
            no_grad: false,
            in_order: false,
            slots: None,
            params: Vec::new(),
            locals: Vec::new(),
            body: Vec::new(),
        })
    }

    fn param(&mut self, name: &str, kind: ParamKind) -> ParamId {
        self.0.params.push(Param { name: name.to_owned(), kind, domain: None, span: Span::NONE });
        ParamId(self.0.params.len() as u32 - 1)
    }

    pub(super) fn value(&mut self, name: &str, ty: Type) -> Expr {
        Expr::param(self.param(name, ParamKind::Value(ty)), ty)
    }

    /// An array with the extents of the launch, and of 4 along any further axis.
    pub(super) fn array(&mut self, name: &str, elem: Type, mutable: bool, rank: u8) -> ParamId {
        let extent = |axis| if axis < self.0.dim { SizeExpr::Dim(axis) } else { SizeExpr::Literal(4) };
        let shape = (0..rank).map(extent).collect();
        self.param(name, ParamKind::Array { elem, mutable, optional: false, shape })
    }

    pub(super) fn local(&mut self, name: &str, ty: Type, mutable: bool) -> LocalId {
        self.0.locals.push(Local { name: name.to_owned(), ty, mutable, len: None, span: Span::NONE });
        LocalId(self.0.locals.len() as u32 - 1)
    }

    /// `let name = init;`
    pub(super) fn bind(&mut self, name: &str, init: Expr) -> (Stmt, Expr) {
        let var = Var::new(self.local(name, init.ty, false), init.ty);
        (var.declare(init), var.expr())
    }

    /// `let mut name = init;`
    pub(super) fn bind_mut(&mut self, name: &str, init: Expr) -> (Stmt, Expr) {
        let (stmt, read) = self.bind(name, init);
        self.0.locals.last_mut().expect("just pushed").mutable = true;
        (stmt, read)
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.0.body.push(stmt);
    }

    /// `let i = tid();`
    pub(super) fn tid(&mut self, name: &str, axis: u8) -> Expr {
        let (stmt, read) = self.bind(name, Expr::tid(axis));
        self.push(stmt);
        read
    }

    pub(super) fn load(&self, array: ParamId, index: Vec<Expr>) -> Expr {
        Expr::load(array, index, self.0.param(array).elem())
    }

    pub(super) fn finish(self) -> VerifiedKernel {
        verify(self.0).expect("a kernel that keeps the rules")
    }
}

pub(super) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr::new(kind, ty)
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt::new(kind)
}

pub(super) fn op(op: Op, args: &[Expr], ret: Type) -> Expr {
    Expr::op_to(op, args, ret)
}

pub(super) fn arith(which: Op, args: &[Expr]) -> Expr {
    Expr::op(which, args)
}

pub(super) fn compare(which: Op, a: &Expr, b: &Expr) -> Expr {
    Expr::op(which, [a.clone(), b.clone()])
}

/// A cast, even to the type that the value has.
pub(super) fn cast(value: &Expr, ty: Type) -> Expr {
    Expr::new(ExprKind::Cast(Box::new(value.clone())), ty)
}

pub(super) fn f32(value: f32) -> Expr {
    Expr::literal(Literal::f32(value))
}

pub(super) fn i32(value: i32) -> Expr {
    Expr::literal(Literal::I32(value))
}

pub(super) fn index(value: u32) -> Expr {
    Expr::literal(Literal::Index(value))
}

pub(super) fn component(base: &Expr, k: Expr) -> Expr {
    base.part(k)
}

/// The place that `read` reads.
pub(super) fn place(read: &Expr) -> Place {
    match &read.kind {
        ExprKind::Local(local) => Var::new(*local, read.ty).place(),
        ExprKind::Load { array, index } => Place::element(*array, &index[..], read.ty),
        ExprKind::Component(base, k) | ExprKind::Column(base, k) => place(base).part(&**k),
        other => panic!("no place: {other:?}"),
    }
}

pub(super) fn assign(target: &Expr, value: Expr) -> Stmt {
    place(target).set(value)
}

pub(super) fn update(target: &Expr, op: Op, value: Expr) -> Stmt {
    place(target).update(op, value)
}

pub(super) fn if_(cond: Expr, then: Block, other: Block) -> Stmt {
    Stmt::branch(cond, then, other)
}

/// `start..end`.
pub(super) fn range(start: Expr, end: Expr) -> ForRange {
    ForRange { start, end, inclusive: false, direction: Direction::Up, step: None }
}

pub(super) fn for_(local: LocalId, range: ForRange, body: Block) -> Stmt {
    Stmt::new(StmtKind::For { local, range, body })
}
