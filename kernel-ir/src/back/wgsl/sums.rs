//! Sums over the launch. Elements to which all threads add, such as the gradient of a by-value parameter, are added up in
//! each workgroup first.
//!
//! An atomic sum of floats is a loop that exchanges bits until no other thread has come between. With all threads on one
//! element, most exchanges fail. So a thread keeps its part of the sum in a variable. At the end of the kernel the threads of
//! a workgroup add up their parts in workgroup memory, and one of them updates the element (`workgroup.rs`).

use crate::analysis::grid_reductions;
use crate::ir::{Expr, ExprKind, Kernel, Literal, Local, LocalId, ParamId, Place, PlaceRoot, StmtKind};
use crate::rewrite::build::stmt;
use crate::rewrite::eliminate_returns::eliminate_returns;
use crate::verify::VerifiedKernel;
use std::borrow::Cow;

/// The sum of a thread for an element of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) array: ParamId,
    pub(super) at: u32,
    /// The local that has the thread's part.
    pub(super) local: LocalId,
}

/// The kernel with a local in place of each such element, declared at the start of the body. The kernel then has no `return`,
/// because all threads of a workgroup must come to its end.
pub(super) fn split(kernel: &VerifiedKernel) -> (Cow<'_, Kernel>, Vec<Sum>) {
    let mut sums = Vec::new();
    let mut split = Cow::Borrowed(&**kernel);
    for (array, elements) in grid_reductions(kernel) {
        let param = kernel.param(array);
        for at in &elements {
            let suffix = if elements.len() == 1 { String::new() } else { at.to_string() };
            let name = format!("{}_sum{suffix}", param.name);
            let local = Local::fresh(&mut split.to_mut().locals, name, param.elem());
            sums.push(Sum { array, at: *at, local });
        }
    }
    if !sums.is_empty() {
        let split = split.to_mut();
        eliminate_returns(split);
        for top in &mut split.body {
            top.walk_mut(&mut |inner| add_to_local(&mut inner.kind, &sums));
        }
        let declarations = sums.iter().map(|sum| stmt(StmtKind::Let { local: sum.local, init: None }));
        split.body.splice(..0, declarations);
    }
    (split, sums)
}

/// Turns an atomic sum on such an element into a sum on its local.
fn add_to_local(stmt: &mut StmtKind, sums: &[Sum]) {
    let StmtKind::Atomic { op, place, value, .. } = stmt else { return };
    let Some(sum) = sums.iter().find(|sum| sum.is_for(place)) else { return };
    let op = op.op().expect("only exchanges have no operation");
    let place = Place { root: PlaceRoot::Local(sum.local), ..place.clone() };
    *stmt = StmtKind::Update { place, op, value: value.clone() };
}

impl Sum {
    fn is_for(&self, place: &Place) -> bool {
        let PlaceRoot::Element { array, index } = &place.root else { return false };
        let at = match index.as_slice() {
            [Expr { kind: ExprKind::Literal(Literal::Index(at)), .. }] => *at,
            _ => return false,
        };
        (*array, at) == (self.array, self.at)
    }
}
