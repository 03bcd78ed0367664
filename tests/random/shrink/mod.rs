//! Shrinking: makes a kernel smaller while it keeps a property.

mod edit;
mod visit;

use edit::edited;
use kernel_ir::ir::{Direction, ExprKind, Kernel, Literal, Scalar, StmtKind};
use kernel_ir::verify::{VerifiedKernel, verify};

/// The smallest verified kernel that the search finds for which `keeps` holds.
///
/// Thread indices, and the indices at which threads access mutable arrays, stay as they are. So threads that did not
/// share an element do not share one after an edit.
pub(crate) fn shrink(kernel: &VerifiedKernel, keeps: impl Fn(&VerifiedKernel) -> bool) -> VerifiedKernel {
    let mut smallest = kernel.clone();
    loop {
        let before = weight(&smallest);
        let mut number = 0;
        while let Some(edited) = edited(&smallest, number) {
            match verify(edited) {
                // The next edit takes the number of the one that was made.
                Ok(smaller) if weight(&smaller) < weight(&smallest) && keeps(&smaller) => smallest = smaller,
                _ => number += 1,
            }
        }
        if weight(&smallest) == before {
            return smallest;
        }
    }
}

/// The weight of reading a local. It exceeds that of the simplest value of any type, so literals win.
const LOCAL: usize = 15;

/// The size of the kernel to a reader. Every edit that is kept reduces it, so the search terminates.
pub(crate) fn weight(kernel: &Kernel) -> usize {
    let mut weight = 20 * kernel.params.len() + 5 * kernel.locals.len();
    weight += kernel.locals.iter().filter(|local| local.mutable).count();
    kernel.walk_stmts(&mut |stmt| {
        weight += 10;
        if let StmtKind::For { range, .. } = &stmt.kind {
            weight += usize::from(range.inclusive) + usize::from(range.direction == Direction::Down);
        }
    });
    kernel.walk_exprs(&mut |expr| {
        weight += match &expr.kind {
            ExprKind::Literal(value) => literal_weight(*value),
            ExprKind::Local(_) => LOCAL,
            _ => 6,
        }
    });
    weight
}

fn literal_weight(value: Literal) -> usize {
    let count = match value {
        Literal::Bool(_) => 0,
        Literal::F32(_) | Literal::F64(_) => u64::from(value != one(value.scalar())),
        integer => integer.as_integer().map_or(0, |value| value.unsigned_abs().min(3) as u64),
    };
    2 + count.min(3) as usize
}

fn one(scalar: Scalar) -> Literal {
    if scalar == Scalar::F32 { Literal::f32(1.0) } else { Literal::f64(1.0) }
}

#[cfg(test)]
mod tests {
    use super::{shrink, weight};
    use crate::random::{Case, shown};
    use expect_test::expect;
    use kernel_ir::ir::{ExprKind, PlaceRoot, StmtKind};
    use kernel_ir::ops::Op;
    use kernel_ir::text;
    use kernel_ir::verify::{VerifiedKernel, verify};

    /// Whether a `while` has a sine in its body.
    fn has_sine_in_a_while(kernel: &VerifiedKernel) -> bool {
        let mut found = false;
        kernel.walk_stmts(&mut |stmt| {
            let StmtKind::While { body, .. } = &stmt.kind else { return };
            for inner in body {
                inner.walk(&mut |inner| {
                    for expr in inner.exprs() {
                        expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Op(Op::Sin, _)));
                    }
                });
            }
        });
        found
    }

    fn stores(kernel: &VerifiedKernel) -> bool {
        let mut found = false;
        kernel.walk_stmts(&mut |stmt| {
            let StmtKind::Assign { place, .. } = &stmt.kind else { return };
            found |= matches!(place.root, PlaceRoot::Element { .. });
        });
        found
    }

    #[test]
    fn little_is_left_of_random_kernels() {
        let mut count = 0;
        for case in (0..200).map(Case::new).filter(|case| has_sine_in_a_while(&case.kernel)) {
            let smallest = shrink(&case.kernel, has_sine_in_a_while);
            assert!(has_sine_in_a_while(&smallest));
            // A loop, a statement with a sine, and what they need.
            assert!(weight(&smallest) < 80, "{}", shown(&smallest));
            count += 1;
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn every_part_shrinks() {
        let kernel = text::parse(
            "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, n: i32 in 0..9, x: &[f32; n], \
             v: &[vec2; dim(0)], y: &mut [f32; dim(0)],) { \
             let i.0: usize = tid(0); let mut s.1: f32 = a; let t.2: f32 = s.1 * 2.0f32; let b.6: bool; b.6 = t.2 > a; \
             for k.3: i32 in (0i32..=n).rev().step_by(2usize) { \
                 let mut j.4: i32 = k.3; \
                 while j.4 < 7i32 && t.2 < 4.0f32 { j.4 += 1i32; \
                     if i.0 > 3usize || b.6 { s.1 += sin(v[i.0].y + x[0usize]); continue; } else { break; } } \
                 let mut w.5: vec2 = v[i.0]; w.5[i.0 % 2usize] = 3.5f32; y[i.0] = dot(w.5, v[i.0]); } \
             y[i.0] = s.1; }",
        );
        let kernel = verify(kernel.unwrap()).unwrap();
        expect![[r##"
            #[kernel(family = "f")]
            pub fn k() {
                let mut s = 1.0;
                while false {
                    s += 1.0f32.sin();
                }
            }
        "##]]
        .assert_eq(&shown(&shrink(&kernel, has_sine_in_a_while)));
        // The index of an access to an array stays.
        expect![[r##"
            #[kernel(family = "f")]
            pub fn k(y: &mut [f32]) {
                y[tid()] = 1.0;
            }
        "##]]
        .assert_eq(&shown(&shrink(&kernel, stores)));
    }
}
