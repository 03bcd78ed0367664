//! Kernels built by hand.

use crate::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, Literal, Local, LocalId, Param, ParamId, ParamKind, Place,
    PlaceRoot, Projection, SizeExpr, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
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
            no_grad: false,
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
        expr(ExprKind::Param(self.param(name, ParamKind::Value(ty))), ty)
    }

    /// An array with the extents of the launch, and of 4 along any further axis.
    pub(super) fn array(&mut self, name: &str, elem: Type, mutable: bool, rank: u8) -> ParamId {
        let extent = |axis| if axis < self.0.dim { SizeExpr::Dim(axis) } else { SizeExpr::Literal(4) };
        let shape = (0..rank).map(extent).collect();
        self.param(name, ParamKind::Array { elem, mutable, shape })
    }

    pub(super) fn local(&mut self, name: &str, ty: Type, mutable: bool) -> LocalId {
        self.0.locals.push(Local { name: name.to_owned(), ty, mutable, len: None, span: Span::NONE });
        LocalId(self.0.locals.len() as u32 - 1)
    }

    /// `let name = init;`
    pub(super) fn bind(&mut self, name: &str, init: Expr) -> (Stmt, Expr) {
        let local = self.local(name, init.ty, false);
        let read = expr(ExprKind::Local(local), init.ty);
        (stmt(StmtKind::Let { local, init: Some(init) }), read)
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
        let (stmt, read) = self.bind(name, expr(ExprKind::Tid(axis), Type::INDEX));
        self.push(stmt);
        read
    }

    pub(super) fn load(&self, array: ParamId, index: Vec<Expr>) -> Expr {
        expr(ExprKind::Load { array, index }, self.0.param(array).elem())
    }

    pub(super) fn finish(self) -> VerifiedKernel {
        verify(self.0).expect("a kernel that keeps the rules")
    }
}

pub(super) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}

pub(super) fn op(op: Op, args: &[Expr], ret: Type) -> Expr {
    expr(ExprKind::Op(op, args.to_vec()), ret)
}

/// An operation whose result has the type of its first operand.
pub(super) fn arith(which: Op, args: &[Expr]) -> Expr {
    op(which, args, args[0].ty)
}

pub(super) fn compare(which: Op, a: &Expr, b: &Expr) -> Expr {
    op(which, &[a.clone(), b.clone()], Type::BOOL)
}

pub(super) fn cast(value: &Expr, ty: Type) -> Expr {
    expr(ExprKind::Cast(Box::new(value.clone())), ty)
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
    expr(ExprKind::Component(Box::new(base.clone()), Box::new(k)), Type::of(base.ty.scalar()))
}

/// The place that `read` reads.
pub(super) fn place(read: &Expr) -> Place {
    let root = |root: PlaceRoot| Place { root, path: Vec::new(), ty: read.ty, span: Span::NONE };
    match &read.kind {
        ExprKind::Local(local) => root(PlaceRoot::Local(*local)),
        ExprKind::Load { array, index } => root(PlaceRoot::Element { array: *array, index: index.clone() }),
        ExprKind::Component(base, k) => step(base, Projection::Component((**k).clone()), read.ty),
        ExprKind::Column(base, k) => step(base, Projection::Column((**k).clone()), read.ty),
        other => panic!("no place: {other:?}"),
    }
}

fn step(base: &Expr, projection: Projection, ty: Type) -> Place {
    let mut inner = place(base);
    inner.path.push(projection);
    inner.ty = ty;
    inner
}

pub(super) fn assign(target: &Expr, value: Expr) -> Stmt {
    stmt(StmtKind::Assign { place: place(target), value })
}

pub(super) fn update(target: &Expr, op: Op, value: Expr) -> Stmt {
    stmt(StmtKind::Update { place: place(target), op, value })
}

pub(super) fn if_(cond: Expr, then: Block, other: Block) -> Stmt {
    stmt(StmtKind::If { cond, then, other })
}

/// `start..end`.
pub(super) fn range(start: Expr, end: Expr) -> ForRange {
    ForRange { start, end, inclusive: false, direction: Direction::Up, step: None }
}

pub(super) fn for_(local: LocalId, range: ForRange, body: Block) -> Stmt {
    stmt(StmtKind::For { local, range, body })
}
