//! The schedule of checkpoints, as a device function that adjoints call.
//!
//! The function is the same in every adjoint, so its own test runs all its paths.

use super::build::{Operand, Var};
use crate::ir::{
    Block, Expr, ExprKind, Function, Kernel, Literal, Local, Op, Param, ParamId, ParamKind, Span, Stmt, StmtKind, Type,
};
use std::sync::Arc;

/// The name of the function.
const NAME: &str = "trips_to_next_checkpoint";

/// The function `trips_to_next_checkpoint(left, free)`. The last checkpoint in use holds the state before the first of
/// `left` trips that are to be reversed, and `free` checkpoints are free, that one included. The result is the number of
/// trips to the place of the next checkpoint.
///
/// With r the smallest number for which C(free + r, free) is at least `left`, it is the smaller one of
/// C(free + r - 1, free) and left - C(free + r - 2, free - 1). `is_taken` tells whether the kernel already has a
/// function of a name.
pub(crate) fn trips_to_next_checkpoint(is_taken: impl Fn(&str) -> bool) -> Arc<Function> {
    let mut name = NAME.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    let param = |name: &str| Param {
        name: name.to_owned(),
        kind: ParamKind::Value(Type::INDEX),
        domain: None,
        span: Span::NONE,
    };
    let mut locals = Vec::new();
    let body = body(&mut locals);
    let code = Kernel {
        name,
        family: String::new(),
        doc: vec!["The number of trips from the last checkpoint to the next one, by the binomial schedule.".to_owned()],
        dim: 0,
        no_grad: false,
        block: None,
        in_order: false,
        slots: None,
        params: vec![param("left"), param("free")],
        locals,
        body,
    };
    Arc::new(Function { code, ret: Type::INDEX, gradient: None, warp: None })
}

/// Whether `function` is [`trips_to_next_checkpoint`].
pub(crate) fn is_schedule(function: &Function) -> bool {
    function.name().starts_with(NAME) && function.code.body == body(&mut Vec::new())
}

fn body(locals: &mut Vec<Local>) -> Block {
    let param = |place: u32| Expr::new(ExprKind::Param(ParamId(place)), Type::INDEX);
    let (left, free) = (param(0), param(1));
    let [sweeps, before, reach] =
        ["sweeps", "reach_before", "reach"].map(|name| Var::new(Local::fresh(locals, name, Type::INDEX), Type::INDEX));
    // `reach` is C(free + sweeps, free): that many trips can be reversed if no trip runs forward more than `sweeps`
    // times.
    let extend = [
        sweeps.place().update(Op::Add, 1),
        before.place().set(reach),
        reach.place().set(reach * (&free + sweeps) / sweeps),
    ];
    // In emitted code an index may have 32 bits. A longer segment is treated as the longest one whose `reach` fits in
    // 32 bits.
    let fits = reach.le(Expr::literal(Literal::Index(u32::MAX)) / (&free + sweeps + 1));
    // C(free + sweeps - 2, free - 1), from `before` = C(free + sweeps - 1, free).
    let rest = before * &free / (&free + sweeps - 1);
    vec![
        sweeps.declare(1),
        before.declare(1),
        reach.declare(&free + 1),
        Stmt::while_loop(reach.lt(&left).and(fits), extend),
        Stmt::new(StmtKind::Return(Some(before.min(left.min(reach) - rest)))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Arg, Data};
    use crate::interp;
    use crate::ir::Callee;
    use crate::verify::{VerifiedKernel, verify};

    /// A kernel that calls the function with the values of `left` and `free`.
    fn caller() -> VerifiedKernel {
        let text = "#[kernel(family = \"f\", dim = 1)]
fn call(left: &[u64; 1], free: &[u64; 1], out: &mut [u64; 1],) {
    let i.0: usize = tid(0);
    let sum.1: usize = (left[i.0] as usize) + (free[i.0] as usize);
    out[i.0] = sum.1 as u64;
}
";
        let mut kernel = crate::text::parse(text).unwrap();
        let call = |expr: &mut Expr| {
            if let ExprKind::Op(Op::Add, args) = &expr.kind {
                expr.kind = ExprKind::Call(Callee::of_values(trips_to_next_checkpoint(|_| false)), args.clone());
            }
        };
        kernel.body.iter_mut().flat_map(Stmt::exprs_mut).for_each(call);
        verify(kernel).unwrap()
    }

    /// C(n, k).
    fn binomial(n: u64, k: u64) -> u64 {
        (1..=k).fold(1, |value, i| value * (n - k + i) / i)
    }

    #[test]
    fn the_place_is_that_of_the_binomial_schedule() {
        let kernel = caller();
        for free in [1u64, 2, 3, 5, 31, 32] {
            for left in (2..100).chain([500, 20_000, 100_000]) {
                let arg = |value: u64| Arg { ty: Type::U64, shape: vec![1], data: Data::U64(vec![value]) };
                let mut args = [arg(left), arg(free), arg(0)];
                interp::run(&kernel, &[1], &mut args).unwrap();
                let reach = |sweeps: u64| binomial(free + sweeps, free);
                let is_enough = |r: &u64| reach(*r) >= left || reach(*r) > u64::from(u32::MAX) / (free + r + 1);
                let sweeps = (1..).find(is_enough).unwrap();
                let rest = binomial(free + sweeps - 2, free - 1);
                let expected = binomial(free + sweeps - 1, free).min(left.min(reach(sweeps)) - rest);
                assert_eq!(args[2].data, Data::U64(vec![expected]), "left {left}, free {free}");
            }
        }
    }
}
