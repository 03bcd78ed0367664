//! The edits that make a kernel smaller.

use super::one;
use super::visit::{drop_locals, drop_param, is_used, replace_local};
use kernel_ir::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, Literal, ParamId, Place, Projection, Shape, Span, Stmt,
    StmtKind, Type,
};
use kernel_ir::ops::Op;

/// `kernel` after edit `number`, if there are that many edits.
pub(super) fn edited(kernel: &Kernel, number: usize) -> Option<Kernel> {
    let mut kernel = kernel.clone();
    let mutable = kernel.params.iter().map(|param| param.is_mutable()).collect();
    let mut editor = Editor { left: number, done: false, mutable };
    editor.block(&mut kernel.body);
    if !editor.done {
        editor.signature(&mut kernel);
    }
    drop_locals(&mut kernel);
    editor.done.then_some(kernel)
}

/// Walks over the possible edits and makes one.
struct Editor {
    /// The number of edits before the one to make.
    left: usize,
    done: bool,
    /// Whether each parameter is a mutable array.
    mutable: Vec<bool>,
}

impl Editor {
    /// Whether to make the edit that is possible here.
    fn turn(&mut self) -> bool {
        let turn = !self.done && self.left == 0;
        self.done |= turn;
        self.left = self.left.saturating_sub(1);
        turn
    }

    fn block(&mut self, block: &mut Block) {
        let mut size = block.len();
        while size > 0 {
            for start in (0..block.len()).step_by(size) {
                if self.turn() {
                    block.drain(start..block.len().min(start + size));
                    return;
                }
            }
            size /= 2;
        }
        for place in 0..block.len() {
            if let StmtKind::Let { local, init: Some(_) } = block[place].kind
                && self.turn()
            {
                let StmtKind::Let { init: Some(init), .. } = block.remove(place).kind else { return };
                return replace_local(&mut block[place..], local, &init);
            }
            for contents in contents(&block[place]) {
                if self.turn() {
                    block.splice(place..=place, contents);
                    return;
                }
            }
            self.stmt(&mut block[place]);
            if self.done {
                return;
            }
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Let { init, .. } => init.iter_mut().for_each(|init| self.expr(init)),
            StmtKind::Assign { place, value } | StmtKind::Update { place, value, .. } => {
                self.expr(value);
                self.path(place);
            }
            StmtKind::Atomic { place, compare, value, .. } => {
                compare.iter_mut().chain([value]).for_each(|operand| self.expr(operand));
                // Atomics may share elements, so their indices may change.
                place.exprs_mut().for_each(|index| self.expr(index));
            }
            StmtKind::If { cond, then, other } => {
                self.expr(cond);
                self.block(then);
                self.block(other);
            }
            StmtKind::For { range, body, .. } => {
                self.range(range);
                self.block(body);
            }
            StmtKind::While { cond, body } => {
                self.expr(cond);
                self.block(body);
            }
            StmtKind::Print(message) => message.args.iter_mut().for_each(|arg| self.expr(arg)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => {}
        }
    }

    fn range(&mut self, range: &mut ForRange) {
        self.expr(&mut range.start);
        self.expr(&mut range.end);
        if range.step.is_some() && self.turn() {
            range.step = None;
        }
        if range.inclusive && self.turn() {
            range.inclusive = false;
        }
        if range.direction == Direction::Down && self.turn() {
            range.direction = Direction::Up;
        }
    }

    fn path(&mut self, place: &mut Place) {
        place.path.iter_mut().filter_map(Projection::index_mut).for_each(|number| self.expr(number));
    }

    fn expr(&mut self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::Tid(_)) {
            return;
        }
        for simpler in nearest(expr).into_iter().chain(literals(expr.ty)) {
            if self.turn() {
                *expr = simpler;
                return;
            }
        }
        match &mut expr.kind {
            ExprKind::Load { array, .. } if self.mutable[array.0 as usize] => {}
            _ => expr.children_mut().for_each(|part| self.expr(part)),
        }
    }

    fn signature(&mut self, kernel: &mut Kernel) {
        for local in &mut kernel.locals {
            if local.mutable && self.turn() {
                local.mutable = false;
            }
        }
        for id in (0..kernel.params.len() as u32).map(ParamId) {
            if !is_used(kernel, id) && self.turn() {
                return drop_param(kernel, id);
            }
        }
    }
}

/// The blocks inside a statement, which may replace it.
fn contents(stmt: &Stmt) -> Vec<Block> {
    match &stmt.kind {
        StmtKind::For { local, range, body } => {
            let first = StmtKind::Let { local: *local, init: Some(range.start.clone()) };
            let mut once = vec![Stmt { kind: first, span: stmt.span }];
            once.extend(body.clone());
            vec![once]
        }
        _ => stmt.blocks().cloned().collect(),
    }
}

/// The outermost subexpressions of `expr` that have its type.
fn nearest(expr: &Expr) -> Vec<Expr> {
    fn search(expr: &Expr, ty: Type) -> Vec<Expr> {
        let each = |part: &Expr| if part.ty == ty { vec![part.clone()] } else { search(part, ty) };
        expr.children().flat_map(each).collect()
    }
    search(expr, expr.ty)
}

/// The simplest values of a type.
fn literals(ty: Type) -> Vec<Expr> {
    let number = Expr::literal(one(ty.scalar()));
    let make = |op, args, ty| Expr { kind: ExprKind::Op(op, args), ty, span: Span::NONE };
    match ty {
        Type::BOOL => vec![Literal::Bool(false).into(), Literal::Bool(true).into()],
        Type::F32 | Type::F64 => vec![number],
        Type { shape: Shape::Scalar, .. } => {
            (0..=2).filter_map(|value| Literal::int(value, ty)).map(Expr::literal).collect()
        }
        Type { shape: Shape::Struct(_) | Shape::Tile(..), .. } => Vec::new(),
        _ if !ty.is_float() => Vec::new(),
        Type { shape: Shape::Vector(_), .. } => vec![make(Op::Splat, vec![number], ty)],
        Type { scalar, shape: Shape::Matrix(n, _) } => {
            let diagonal = make(Op::Splat, vec![number], Type::vector(scalar, n));
            vec![make(Op::FromDiagonal, vec![diagonal], ty)]
        }
        Type { shape: Shape::Quat, .. } => vec![make(Op::QuatNew, vec![number; 4], ty)],
    }
}
