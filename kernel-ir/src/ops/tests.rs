//! Every row of the table: the rules against dual numbers, ⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩.

use crate::data::{Argument, Scalars};
use crate::interp::{Dual, TRIPS, run_with};
use crate::ir::{Expr, ExprKind, Literal, LocalId, ParamId, Scalar, Shape, Span, StmtKind, Type};
use crate::ops::{Op, TABLE, pullback};
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};
use expect_test::expect;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Operands at which something is special: ties, zeros of both signs, whole numbers, the ends of domains.
const SPECIAL: [f64; 10] = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 0.25];

/// An operation with the types of its operands and of its result. An operand of type `usize`, the number of a row, is
/// a literal.
#[derive(Debug)]
struct Case {
    op: Op,
    operands: Vec<Type>,
    ret: Type,
    number: u32,
}

impl Case {
    /// Every case that a derivative may go through.
    fn all() -> Vec<Case> {
        let mut cases = Vec::new();
        for def in &TABLE {
            for (row, t) in def.rows() {
                let operands: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
                let ret = row.ret.apply(t);
                let numbers = match t {
                    Type { shape: Shape::Matrix(n, _), .. } if operands.contains(&Type::INDEX) => n.into(),
                    _ => 1,
                };
                if ret.is_float() && operands.iter().any(|ty| ty.is_float()) {
                    cases.extend((0..numbers).map(|number| Case {
                        op: def.op,
                        operands: operands.clone(),
                        ret,
                        number,
                    }));
                }
            }
        }
        cases
    }

    /// How far the two products may differ: the constants in rules for `f32` are rounded to it.
    fn tolerance(&self) -> f64 {
        if self.ret.scalar() == Scalar::F32 { 1e-6 } else { 1e-12 }
    }

    /// The kernel that computes the result into its first array, and the adjoint of each operand into the others. It takes
    /// the operands and the adjoint of the result.
    fn kernel(&self) -> VerifiedKernel {
        let local = |place: usize, ty: Type| expr(ExprKind::Local(LocalId(place as u32)), ty);
        let param = |place: usize, ty: Type| expr(ExprKind::Param(ParamId(place as u32)), ty);
        let number = |ty: Type| (ty == Type::INDEX).then(|| Expr::literal(Literal::Index(self.number)));
        let operands = || self.operands.iter().copied().enumerate();

        // What the statements of the text below assign, in their order.
        let count = self.operands.len();
        let args = operands().map(|(place, ty)| number(ty).unwrap_or(local(place, ty))).collect();
        let mut values: Vec<Expr> = operands().map(|(place, ty)| number(ty).unwrap_or(param(place, ty))).collect();
        values.extend([expr(ExprKind::Op(self.op, args), self.ret), param(count, self.ret), local(count, self.ret)]);
        values.extend(pullback(self.op, &self.operands, self.ret).into_iter().flatten());

        let (mut params, mut body) = (String::new(), String::new());
        for (place, ty) in self.operands.iter().chain([&self.ret]).enumerate() {
            params.push_str(&format!("p{place}: {ty}, "));
        }
        for (place, value) in values.iter().enumerate() {
            let ty = value.ty;
            if place < count + 2 {
                body.push_str(&format!("let l.{place}: {ty};\n"));
            } else {
                params.push_str(&format!("p{place}: &mut [{ty}; 1], "));
                body.push_str(&format!("p{place}[0usize] = 0usize;\n"));
            }
        }
        let text = format!("#[kernel(family = \"f\", dim = 1)]\nfn k({params}) {{\n{body}}}\n");
        let mut kernel = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (stmt, assigned) in kernel.body.iter_mut().zip(values) {
            match &mut stmt.kind {
                StmtKind::Let { init, .. } => *init = Some(assigned),
                StmtKind::Assign { value, .. } => *value = assigned,
                _ => unreachable!("the text has no other statements"),
            }
        }
        verify(kernel).unwrap_or_else(|mistakes| panic!("{self:?}: {mistakes:?}"))
    }

    /// Compares the two products at drawn operands, and says whether they are finite. `None` if the program fails there.
    fn compare(&self, kernel: &VerifiedKernel, special: bool, rng: &mut ChaCha8Rng) -> Option<Result<bool, String>> {
        let mut args: Vec<Argument<Dual, Dual>> = self.operands.iter().map(|ty| draw(*ty, special, rng)).collect();
        args.push(draw(self.ret, false, rng));
        let values = args.len();
        args.extend(kernel.params[values..].iter().map(|param| Argument::zeros(param.elem(), &[1])));
        run_with(kernel, &[1], &mut args, TRIPS).ok()?;

        let (inputs, outputs) = args.split_at(values);
        let weights = floats(&inputs[values - 1]);
        let forward = floats(&outputs[0]).into_iter().zip(weights).map(|(y, w)| y.tangent * w.value);
        let rules = pullback(self.op, &self.operands, self.ret);
        let with_rule = inputs.iter().zip(&rules).filter(|(_, rule)| rule.is_some());
        let moved = with_rule.flat_map(|(input, _)| floats(input));
        let gained = outputs[1..].iter().flat_map(floats);
        let backward = moved.zip(gained).map(|(x, adjoint)| x.tangent * adjoint.value);

        let (forward, backward): (Vec<f64>, Vec<f64>) = (forward.collect(), backward.collect());
        let (found, expected) = (backward.iter().sum::<f64>(), forward.iter().sum::<f64>());
        let size: f64 = forward.iter().chain(&backward).map(|term| term.abs()).sum();
        let is_finite = expected.is_finite();
        let agree = if is_finite { (found - expected).abs() <= self.tolerance() * size } else { !found.is_finite() };
        let difference = || format!("{self:?} at {inputs:?}:\nexpected {expected}, found {found}");
        Some(if agree { Ok(is_finite) } else { Err(difference()) })
    }

    /// What is wrong with the rules.
    fn mistake(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        let kernel = self.kernel();
        [false, true].into_iter().find_map(|special| {
            let outcomes: Result<Vec<bool>, String> =
                (0..300).filter_map(|_| self.compare(&kernel, special, rng)).collect();
            let finite = outcomes.map(|outcomes| outcomes.into_iter().filter(|is_finite| *is_finite).count());
            finite.map_or_else(Some, |n| (n < 40).then(|| format!("{self:?}: only {n} derivatives are finite")))
        })
    }
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

fn floats(argument: &Argument<Dual, Dual>) -> Vec<Dual> {
    match &argument.data {
        Scalars::F64(data) => data.clone(),
        data => data.singles().cloned().unwrap_or_default(),
    }
}

/// A value of type `ty` with tangents. The matrices that are not special are far from singular.
fn draw(ty: Type, special: bool, rng: &mut ChaCha8Rng) -> Argument<Dual, Dual> {
    const INTEGERS: [i32; 8] = [0, 1, 2, 3, -1, -2, i32::MIN, i32::MAX];
    if !ty.is_float() {
        let data = match ty.scalar() {
            Scalar::Index => Scalars::Index(vec![0]),
            Scalar::U32 => Scalars::U32(vec![rng.next_u32()]),
            _ => Scalars::I32(vec![INTEGERS[rng.next_u32() as usize % INTEGERS.len()]]),
        };
        return Argument { ty, shape: Vec::new(), data };
    }
    let mut uniform = |low: f64, high: f64| low + (high - low) * f64::from(rng.next_u32()) / f64::from(u32::MAX);
    let mut pick = |place: usize| {
        let on_diagonal =
            matches!(ty, Type { shape: Shape::Matrix(n, _), .. } if place.is_multiple_of(usize::from(n) + 1));
        let value = if special {
            SPECIAL[(uniform(0.0, SPECIAL.len() as f64) as usize).min(SPECIAL.len() - 1)]
        } else {
            uniform(-1.0, 1.0) + if on_diagonal { 3.0 } else { 0.0 }
        };
        Dual { value, tangent: uniform(-1.0, 1.0) }
    };
    let numbers: Vec<Dual> = (0..ty.components()).map(&mut pick).collect();
    let data = match ty.scalar() {
        Scalar::F64 => Scalars::F64(numbers),
        scalar => Scalars::of_singles(scalar, numbers),
    };
    Argument { ty, shape: Vec::new(), data }
}

#[test]
fn every_rule_is_the_transposed_derivative() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let cases = Case::all();
    let mistakes: Vec<String> = cases.iter().filter_map(|case| case.mistake(&mut rng)).collect();
    assert!(mistakes.is_empty(), "{} of {}\n{}", mistakes.len(), cases.len(), mistakes.join("\n"));
    assert!(cases.len() > 250, "{} cases", cases.len());
}

/// Those of which the test above shows that their derivative is zero.
#[test]
fn float_operands_without_a_rule() {
    let mut found: Vec<String> = Vec::new();
    for Case { op, operands, ret, .. } in Case::all() {
        for (place, adjoint) in pullback(op, &operands, ret).iter().enumerate() {
            let line = format!("operand {place} of {}\n", op.name());
            if operands[place].is_float() && adjoint.is_none() && !found.contains(&line) {
                found.push(line);
            }
        }
    }
    expect![[r#"
        operand 0 of signum
        operand 1 of copysign
        operand 0 of floor
        operand 0 of ceil
        operand 0 of round
        operand 0 of trunc
    "#]]
    .assert_eq(&found.concat());
}

#[test]
fn what_is_not_a_float_has_no_adjoint() {
    for def in &TABLE {
        for (row, t) in def.rows() {
            let operands: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            let adjoints = pullback(def.op, &operands, row.ret.apply(t));
            assert_eq!(adjoints.len(), operands.len());
            for (ty, adjoint) in operands.iter().zip(adjoints) {
                assert!(
                    adjoint.is_none_or(|adjoint| ty.is_float() && adjoint.ty == *ty),
                    "{} of {operands:?}",
                    def.name
                );
            }
        }
    }
}

#[test]
fn no_rule_can_fail() {
    for Case { op, operands, ret, .. } in Case::all() {
        for adjoint in pullback(op, &operands, ret).into_iter().flatten() {
            adjoint.walk(&mut |part| {
                if let ExprKind::Op(used, _) = part.kind {
                    let is_total = part.ty.is_float() && used != Op::Clamp;
                    assert!(is_total || part.ty == Type::BOOL || used == Op::SaturatingSub, "{op:?} uses {used:?}");
                }
            });
        }
    }
}

#[test]
fn every_type_has_a_zero() {
    for ty in Type::all() {
        let value = Expr::zero(ty);
        assert_eq!(value.ty, ty);
        value.walk(&mut |part| {
            if let ExprKind::Op(op, args) = &part.kind {
                let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
                assert!(op.row(&types, part.ty).is_some(), "{op:?} of {types:?}");
            }
        });
    }
}
