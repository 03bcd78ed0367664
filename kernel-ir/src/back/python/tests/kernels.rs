//! Kernels built by hand, each for something that Python or Warp reads differently from Rust.

use crate::ir::*;
use crate::ops::Op;

/// A kernel under construction.
pub(super) struct Build {
    kernel: Kernel,
}

pub(super) fn lit(value: Literal) -> Expr {
    Expr::literal(value)
}

pub(super) fn int(n: i32) -> Expr {
    lit(Literal::I32(n))
}

pub(super) fn idx(n: u32) -> Expr {
    lit(Literal::Index(n))
}

pub(super) fn f32(x: f32) -> Expr {
    lit(Literal::f32(x))
}

pub(super) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

pub(super) fn op(op: Op, args: &[&Expr], ty: Type) -> Expr {
    expr(ExprKind::Op(op, args.iter().map(|&arg| arg.clone()).collect()), ty)
}

pub(super) fn bin(left: &Expr, with: Op, right: &Expr) -> Expr {
    let comparison = matches!(with, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge);
    op(with, &[left, right], if comparison { Type::BOOL } else { left.ty })
}

pub(super) fn cast(value: &Expr, ty: Type) -> Expr {
    expr(ExprKind::Cast(Box::new(value.clone())), ty)
}

pub(super) fn select(cond: &Expr, then: &Expr, other: &Expr) -> Expr {
    let [cond, then, other] = [cond, then, other].map(|e| Box::new(e.clone()));
    let ty = then.ty;
    expr(ExprKind::Select { cond, then, other }, ty)
}

pub(super) fn component(base: &Expr, index: &Expr) -> Expr {
    expr(ExprKind::Component(Box::new(base.clone()), Box::new(index.clone())), base.ty.scalar().into())
}

pub(super) fn tid(axis: u8) -> Expr {
    expr(ExprKind::Tid(axis), Type::INDEX)
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}

pub(super) fn assign(place: Place, value: &Expr) -> Stmt {
    stmt(StmtKind::Assign { place, value: value.clone() })
}

pub(super) fn update(place: Place, op: Op, value: &Expr) -> Stmt {
    stmt(StmtKind::Update { place, op, value: value.clone() })
}

pub(super) fn branch(cond: &Expr, then: Block, other: Block) -> Stmt {
    stmt(StmtKind::If { cond: cond.clone(), then, other })
}

pub(super) fn repeat(cond: &Expr, body: Block) -> Stmt {
    stmt(StmtKind::While { cond: cond.clone(), body })
}

pub(super) fn range(start: &Expr, end: &Expr) -> ForRange {
    ForRange { start: start.clone(), end: end.clone(), inclusive: false, direction: Direction::Up, step: None }
}

pub(super) fn part(mut place: Place, step: Projection, ty: Type) -> Place {
    place.path.push(step);
    place.ty = ty;
    place
}

pub(super) fn truth(value: bool) -> Expr {
    lit(Literal::Bool(value))
}

impl Build {
    pub(super) fn new(name: &str, dim: u8) -> Build {
        Build {
            kernel: Kernel {
                name: name.to_owned(),
                family: "test".to_owned(),
                doc: Vec::new(),
                dim,
                no_grad: false,
                slots: None,
                params: Vec::new(),
                locals: Vec::new(),
                body: Vec::new(),
            },
        }
    }

    pub(super) fn doc(mut self, lines: &[&str]) -> Build {
        self.kernel.doc = lines.iter().map(|&line| line.to_owned()).collect();
        self
    }

    fn param(&mut self, name: &str, kind: ParamKind) -> ParamId {
        self.kernel.params.push(Param { name: name.to_owned(), kind, domain: None, span: Span::NONE });
        ParamId(self.kernel.params.len() as u32 - 1)
    }

    pub(super) fn value(&mut self, name: &str, ty: Type) -> Expr {
        let id = self.param(name, ParamKind::Value(ty));
        expr(ExprKind::Param(id), ty)
    }

    pub(super) fn array(&mut self, name: &str, elem: Type, rank: u8) -> Array {
        let shape = (0..rank).map(SizeExpr::Dim).collect();
        Array { id: self.param(name, ParamKind::Array { elem, mutable: true, shape }), elem }
    }

    pub(super) fn local(&mut self, name: &str, ty: Type, mutable: bool) -> Var {
        self.kernel.locals.push(Local { name: name.to_owned(), ty, mutable, len: None, span: Span::NONE });
        Var { id: LocalId(self.kernel.locals.len() as u32 - 1), ty }
    }

    pub(super) fn body(mut self, body: Block) -> Kernel {
        self.kernel.body = body;
        self.kernel
    }
}

/// An array parameter.
#[derive(Clone, Copy)]
pub(super) struct Array {
    pub(super) id: ParamId,
    pub(super) elem: Type,
}

impl Array {
    pub(super) fn load(self, index: &[&Expr]) -> Expr {
        expr(ExprKind::Load { array: self.id, index: index.iter().map(|&i| i.clone()).collect() }, self.elem)
    }
    pub(super) fn at(self, index: &[&Expr]) -> Place {
        let root = PlaceRoot::Element { array: self.id, index: index.iter().map(|&i| i.clone()).collect() };
        Place { root, path: Vec::new(), ty: self.elem, span: Span::NONE }
    }
    pub(super) fn extent(self, axis: u8) -> Expr {
        expr(ExprKind::Extent { array: self.id, axis }, Type::INDEX)
    }
}

/// A local.
#[derive(Clone, Copy)]
pub(super) struct Var {
    pub(super) id: LocalId,
    pub(super) ty: Type,
}

impl Var {
    pub(super) fn get(self) -> Expr {
        expr(ExprKind::Local(self.id), self.ty)
    }
    pub(super) fn place(self) -> Place {
        Place { root: PlaceRoot::Local(self.id), path: Vec::new(), ty: self.ty, span: Span::NONE }
    }
    pub(super) fn let_(self, init: &Expr) -> Stmt {
        stmt(StmtKind::Let { local: self.id, init: Some(init.clone()) })
    }
    pub(super) fn declare(self) -> Stmt {
        stmt(StmtKind::Let { local: self.id, init: None })
    }
    pub(super) fn over(self, range: ForRange, body: Block) -> Stmt {
        stmt(StmtKind::For { local: self.id, range, body })
    }
}

/// `y[i] += a * x[i]`.
pub(super) fn saxpy() -> Kernel {
    let mut k = Build::new("saxpy", 1).doc(&["y = a·x + y, with \"\"\"quotes\"\"\" and \\.", "", "A second line."]);
    let a = k.value("a", Type::F32);
    let (x, y) = (k.array("x", Type::F32, 1), k.array("y", Type::F32, 1));
    let i = k.local("i", Type::INDEX, false);
    let product = bin(&a, Op::Mul, &x.load(&[&i.get()]));
    k.body(vec![i.let_(&tid(0)), update(y.at(&[&i.get()]), Op::Add, &product)])
}

/// Every kind of range, each adding its values to the digits of a number.
pub(super) fn ranges() -> Kernel {
    let mut k = Build::new("ranges", 1);
    let n = k.value("n", Type::I32);
    let u = k.value("u", Type::U32);
    let out = k.array("out", Type::I32, 1);
    let i = k.local("i", Type::INDEX, false);
    let s = k.local("s", Type::I32, true);
    let mut body = vec![i.let_(&tid(0)), s.let_(&int(0))];
    let i64_ = |n| lit(Literal::I64(n));
    let add = |value: &Expr| update(s.place(), Op::Add, &bin(&bin(&s.get(), Op::Mul, &int(2)), Op::Add, value));
    let rem = |value: Expr| bin(&value, Op::Rem, &int(1000));
    let mut cases = vec![
        range(&int(0), &int(4)),
        range(&int(2), &n),
        ForRange { inclusive: true, ..range(&int(1), &n) },
        ForRange { direction: Direction::Down, ..range(&int(0), &n) },
        ForRange { direction: Direction::Down, inclusive: true, step: Some(idx(3)), ..range(&int(-4), &n) },
        ForRange { step: Some(idx(2)), ..range(&int(-3), &n) },
        range(&lit(Literal::U32(0)), &u),
        ForRange { inclusive: true, ..range(&lit(Literal::U32(u32::MAX - 2)), &lit(Literal::U32(u32::MAX))) },
        ForRange { direction: Direction::Down, ..range(&lit(Literal::U32(9)), &u) },
        ForRange { direction: Direction::Down, step: Some(idx(2)), ..range(&lit(Literal::U32(1)), &u) },
        ForRange { inclusive: true, ..range(&bin(&u, Op::Sub, &lit(Literal::U32(2))), &u) },
        ForRange { direction: Direction::Down, inclusive: true, ..range(&i64_(-2), &cast(&n, Type::I64)) },
        ForRange { step: Some(idx(2)), ..range(&i64_(-2), &i64_(5)) },
    ];
    cases.push(range(&int(5), &int(2)));
    for range in cases {
        let j = k.local("j", range.start.ty, false);
        let value = cast(&j.get(), Type::I32);
        let skip = branch(&bin(&value, Op::Eq, &int(3)), vec![stmt(StmtKind::Continue)], vec![]);
        body.push(j.over(range, vec![skip, add(&value), assign(s.place(), &rem(s.get()))]));
    }
    body.push(assign(out.at(&[&i.get()]), &s.get()));
    k.body(body)
}

/// Loops left from the middle, constants changed in loops, a bound changed by the body.
pub(super) fn control() -> Kernel {
    let mut k = Build::new("control", 1);
    let n = k.value("n", Type::I32);
    let out = k.array("out", Type::I32, 1);
    let i = k.local("i", Type::INDEX, false);
    let [last, count] = ["last", "count"].map(|name| k.local(name, Type::I32, true));
    let go = k.local("go", Type::BOOL, true);
    let m = k.local("n", Type::I32, true);
    let [a, b, t] = ["a", "b", "t"].map(|name| k.local(name, Type::I32, name == "t"));
    let at = cast(&i.get(), Type::I32);
    let even = bin(&bin(&count.get(), Op::Rem, &int(2)), Op::Eq, &int(0));
    let one = int(1);
    let nested = vec![t.let_(&one), update(t.place(), Op::Add, &b.get()), update(count.place(), Op::Add, &t.get())];
    k.body(vec![
        i.let_(&tid(0)),
        last.declare(),
        count.let_(&int(0)),
        repeat(
            &truth(true),
            vec![
                update(count.place(), Op::Add, &one),
                branch(&even, vec![stmt(StmtKind::Continue)], vec![]),
                branch(
                    &bin(&count.get(), Op::Gt, &at),
                    vec![assign(last.place(), &bin(&count.get(), Op::Mul, &int(10))), stmt(StmtKind::Break)],
                    vec![],
                ),
                assign(last.place(), &int(-1)),
            ],
        ),
        go.let_(&truth(true)),
        m.let_(&n),
        repeat(
            &go.get(),
            vec![
                update(m.place(), Op::Sub, &one),
                branch(&bin(&m.get(), Op::Lt, &int(2)), vec![assign(go.place(), &truth(false))], vec![]),
            ],
        ),
        a.over(range(&int(0), &int(3)), vec![b.over(range(&int(0), &n), nested)]),
        branch(
            &bin(&at, Op::Eq, &int(2)),
            vec![assign(out.at(&[&i.get()]), &int(-7)), stmt(StmtKind::Return(None))],
            vec![],
        ),
        assign(
            out.at(&[&i.get()]),
            &bin(&bin(&last.get(), Op::Add, &bin(&count.get(), Op::Mul, &int(1000))), Op::Add, &m.get()),
        ),
    ])
}

/// Operands that Rust does not evaluate, here out of bounds; comparisons of comparisons.
pub(super) fn lazy() -> Kernel {
    let mut k = Build::new("lazy", 1);
    let x = k.array("x", Type::I32, 1);
    let out = k.array("out", Type::I32, 1);
    let i = k.local("i", Type::INDEX, false);
    let far = bin(&i.get(), Op::Mul, &idx(1_000_000_000));
    let x_far = x.load(&[&far]);
    let first = bin(&i.get(), Op::Eq, &idx(0));
    let both = bin(&first, Op::And, &bin(&x_far, Op::Gt, &int(0)));
    let either = bin(&op(Op::Not, &[&first], Type::BOOL), Op::Or, &bin(&x_far, Op::Gt, &int(100)));
    let chosen = select(&first, &x_far, &select(&either, &int(5), &int(6)));
    let same = bin(&bin(&i.get(), Op::Gt, &idx(0)), Op::Eq, &bin(&i.get(), Op::Lt, &idx(2)));
    let o = || out.at(&[&i.get()]);
    k.body(vec![
        i.let_(&tid(0)),
        assign(o(), &chosen),
        branch(&both, vec![update(o(), Op::Add, &int(10))], vec![]),
        branch(
            &either,
            vec![update(o(), Op::Mul, &int(-3))],
            vec![branch(&same, vec![], vec![update(o(), Op::Div, &int(-2))])],
        ),
        branch(&same, vec![update(o(), Op::Rem, &int(4))], vec![]),
    ])
}

/// Parts of locals and array elements are assigned; names that Python, Warp or C++ keep; shadowing.
pub(super) fn parts() -> Kernel {
    let vec3 = Type::vector(Scalar::F32, 3);
    let mat2 = Type::matrix(Scalar::F32, 2, 2);
    let vec2 = Type::vector(Scalar::F32, 2);
    let mut k = Build::new("range", 2);
    let v = k.array("lambda", vec3, 2);
    let m = k.array("double", mat2, 2);
    let i = k.local("i", Type::INDEX, false);
    let j = k.local("int", Type::INDEX, false);
    let x = k.local("x", Type::F32, false);
    let w = k.local("x", vec3, true);
    let y = k.local("y", mat2, true);
    let at = [i.get(), j.get()];
    let at = [&at[0], &at[1]];
    let c = |n: u32| Projection::Component(idx(n));
    let col = |n: u32| Projection::Column(idx(n));
    let two = f32(2.0);
    let pair = op(Op::Vec2New, &[&f32(8.0), &two], vec2);
    k.body(vec![
        i.let_(&tid(0)),
        j.let_(&tid(1)),
        x.let_(&component(&v.load(&at), &j.get())),
        w.let_(&v.load(&at)),
        update(part(w.place(), c(0), Type::F32), Op::Mul, &x.get()),
        update(part(w.place(), Projection::Component(j.get()), Type::F32), Op::Add, &two),
        update(w.place(), Op::Mul, &w.get()),
        assign(v.at(&at), &w.get()),
        assign(part(v.at(&at), c(1), Type::F32), &x.get()),
        update(part(v.at(&at), c(1), Type::F32), Op::Div, &two),
        update(part(v.at(&at), c(2), Type::F32), Op::Sub, &two),
        y.let_(&m.load(&at)),
        assign(part(y.place(), col(1), vec2), &pair),
        update(part(y.place(), col(0), vec2), Op::Mul, &two),
        update(part(part(y.place(), col(0), vec2), c(1), Type::F32), Op::Sub, &x.get()),
        update(m.at(&at), Op::Mul, &y.get()),
        update(part(part(m.at(&at), col(1), vec2), c(0), Type::F32), Op::Mul, &two),
        assign(part(m.at(&at), col(0), vec2), &pair),
        update(part(m.at(&at), col(0), vec2), Op::Sub, &pair),
        update(part(m.at(&at), col(0), vec2), Op::Add, &op(Op::Mul, &[&y.get(), &pair], vec2)),
    ])
}

/// Atomics, indices from other integers, wrapping.
pub(super) fn histogram() -> Kernel {
    let mut k = Build::new("histogram", 1);
    let x = k.array("x", Type::I32, 1);
    let (bins, order) = (k.array("bins", Type::U32, 1), k.array("order", Type::U32, 1));
    let i = k.local("i", Type::INDEX, false);
    let h = k.local("h", Type::U32, false);
    let old = k.local("old", Type::U32, true);
    let bin_ = k.local("bin", Type::INDEX, false);
    let value = cast(&x.load(&[&i.get()]), Type::U32);
    let mixed = bin(&value, Op::WrappingMul, &lit(Literal::U32(2654435761)));
    let atomic = |op, place, value: &Expr, result: Option<Var>| {
        stmt(StmtKind::Atomic { op, place, value: value.clone(), result: result.map(|v| v.id) })
    };
    let bins_len = cast(&bins.extent(0), Type::U32);
    k.body(vec![
        i.let_(&tid(0)),
        h.let_(&bin(&mixed, Op::BitXor, &bin(&mixed, Op::Shr, &lit(Literal::U32(16))))),
        bin_.let_(&cast(&bin(&h.get(), Op::Rem, &bins_len), Type::INDEX)),
        old.declare(),
        atomic(AtomicOp::Add, bins.at(&[&bin_.get()]), &lit(Literal::U32(1)), Some(old)),
        atomic(AtomicOp::Max, order.at(&[&idx(0)]), &h.get(), None),
        assign(order.at(&[&bin(&i.get(), Op::Add, &idx(1))]), &old.get()),
        branch(
            &bin(&cast(&x.load(&[&i.get()]), Type::INDEX), Op::Ge, &idx(100)),
            vec![update(order.at(&[&bin(&i.get(), Op::Add, &idx(1))]), Op::Add, &lit(Literal::U32(100)))],
            vec![],
        ),
    ])
}

/// A changed thread index, an axis that nobody asks for, names of helpers that the module has and of one that it has not.
pub(super) fn stride() -> Kernel {
    let mut k = Build::new("powi", 2);
    let x = k.array("x", Type::F32, 1);
    let row = k.local("row", Type::INDEX, true);
    let clamp = k.local("clamp", Type::F32, false);
    let value = x.load(&[&row.get()]);
    let square = op(Op::Powi, &[&value, &int(2)], Type::F32);
    k.body(vec![
        row.let_(&tid(1)),
        repeat(
            &bin(&row.get(), Op::Lt, &x.extent(0)),
            vec![
                clamp.let_(&op(Op::Clamp, &[&square, &f32(-1.0), &f32(f32::INFINITY)], Type::F32)),
                assign(x.at(&[&row.get()]), &clamp.get()),
                update(row.place(), Op::Add, &idx(4)),
            ],
        ),
    ])
}

/// Nothing.
pub(super) fn empty() -> Kernel {
    let mut k = Build::new("empty", 1);
    k.array("x", Type::F32, 1);
    k.body(vec![])
}
