//! Makes parameters of the arrays that the threads of a block share or exchange, with a row for each block, so that race detection sees
//! the accesses to them.

use super::build::{index, zero};
use crate::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, Local, LocalId, LocalMap, Param, ParamId, ParamKind, Place,
    PlaceRoot, SizeExpr, Span, Stmt, StmtKind, Type,
};

/// The kernel with parameters in the place of its shared arrays, and the types and lengths of these.
pub(crate) fn as_params(kernel: &Kernel) -> (Kernel, Vec<(Type, u32)>) {
    let (mut kernel, mut arrays, mut made) = (kernel.clone(), LocalMap::default(), Vec::new());
    for (local, memory) in kernel.block_memory().iter() {
        let Local { name, ty, len: Some(len), .. } = kernel.local(local).clone() else { continue };
        if !memory.is_seen_by_others() {
            continue;
        }
        arrays.insert(local, (ParamId(kernel.params.len() as u32), len));
        made.push((ty, len));
        let shape = (0..kernel.dim).map(SizeExpr::Dim).chain([SizeExpr::Literal(len.into())]).collect();
        let kind = ParamKind::Array { elem: ty, mutable: true, optional: false, shape };
        let taken = |name: &str| kernel.params.iter().any(|param| param.name == name);
        let name = std::iter::successors(Some(name), |name| Some(format!("{name}_"))).find(|name| !taken(name));
        kernel.params.push(Param { name: name.unwrap_or_default(), kind, domain: None, span: Span::NONE });
    }
    let mut body = std::mem::take(&mut kernel.body);
    Rewrite { kernel: &mut kernel, arrays }.block(&mut body);
    kernel.body = body;
    (kernel, made)
}

struct Rewrite<'a> {
    kernel: &'a mut Kernel,
    /// The parameter and the length of each shared array.
    arrays: LocalMap<(ParamId, u32)>,
}

impl Rewrite<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(block) {
            let fills = match stmt.kind {
                StmtKind::Let { local, init: None } => {
                    self.arrays.get(local).copied().map(|array| self.zeros(local, array))
                }
                _ => None,
            };
            self.stmt(&mut stmt);
            block.push(stmt);
            block.extend(fills);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let (arrays, dim) = (&self.arrays, self.kernel.dim);
        for expr in stmt.exprs_mut() {
            expr.walk_mut(&mut |expr| {
                if let ExprKind::LocalElement { local, index } = &expr.kind
                    && let Some((array, _)) = arrays.get(*local)
                {
                    expr.kind = ExprKind::Load { array: *array, index: of_block(dim, (**index).clone()) };
                }
            });
        }
        if let Some(Place { root, .. }) = stmt.place_mut()
            && let PlaceRoot::LocalElement { local, index } = root
            && let Some((array, _)) = arrays.get(*local)
        {
            *root = PlaceRoot::Element { array: *array, index: of_block(dim, index.clone()) };
        }
        stmt.blocks_mut().for_each(|block| self.block(block));
    }

    /// The statement that gives each element of an array the value zero.
    fn zeros(&mut self, local: LocalId, (array, len): (ParamId, u32)) -> Stmt {
        let ty = self.kernel.local(local).ty;
        let counter = Local::fresh(&mut self.kernel.locals, "k", Type::INDEX);
        let at = Expr::new(ExprKind::Local(counter), Type::INDEX);
        let root = PlaceRoot::Element { array, index: of_block(self.kernel.dim, at) };
        let place = Place { root, path: Vec::new(), ty, span: Span::NONE };
        let body = vec![Stmt { kind: StmtKind::Assign { place, value: zero(ty) }, span: Span::NONE }];
        let (start, end) = (index(0), index(len));
        let range = ForRange { start, end, inclusive: false, direction: Direction::Up, step: None };
        Stmt { kind: StmtKind::For { local: counter, range, body }, span: Span::NONE }
    }
}

/// The indices of the element `at` of the block.
fn of_block(dim: u8, at: Expr) -> Vec<Expr> {
    (0..dim).map(|axis| Expr::new(ExprKind::Tid(axis), Type::INDEX)).chain([at]).collect()
}
