//! Mistakes that no text can have, because reading finds the types itself. `tests/data/verify` has the others.

use super::verify;
use crate::ir::{Expr, ExprKind, Kernel, Literal, LocalId, ParamId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
use crate::text::parse;
use expect_test::expect;

fn messages(kernel: Kernel) -> String {
    let mistakes = verify(kernel).err().unwrap_or_default();
    mistakes.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>().join("\n")
}

#[test]
fn sizes_look_back_only() {
    let mut kernel = parse("#[kernel(family = \"f\", dim = 1)]\nfn k(x: &[f32; n.extent(0)], n: &[f32; 1],) {}");
    assert_eq!(kernel.clone().unwrap_err().message, "there is no parameter `n`");
    kernel = parse("#[kernel(family = \"f\", dim = 5)]\nfn k(n: &[f32; 1], x: &[f32; n.extent(0)],) {}");
    let mut kernel = kernel.unwrap();
    kernel.params.swap(0, 1);
    expect![[r#"
        a launch has 1 to 4 axes, not 5
        the shape or domain of `x` uses `x`, which is not declared before `x`"#]]
    .assert_eq(&messages(kernel));
}

/// What no text says, because reading finds the types itself.
#[test]
fn damaged_trees() {
    let with = |stmt: StmtKind| {
        let mut kernel =
            parse("#[kernel(family = \"f\", dim = 1)]\nfn k(a: f32, x: &[f32; 1],) { let t.0: f32 = a; }").unwrap();
        kernel.body.push(Stmt { kind: stmt, span: Span::NONE });
        messages(kernel)
    };
    let node = |kind, ty| Expr { kind, ty, span: Span::NONE };
    let bind = |kind, ty| StmtKind::While { cond: node(kind, ty), body: Vec::new() };
    let assign = |root, ty| StmtKind::Assign {
        place: Place { root, path: Vec::new(), ty, span: Span::NONE },
        value: node(ExprKind::Param(ParamId(0)), Type::F32),
    };
    expect!["expected bool, found i32"].assert_eq(&with(bind(ExprKind::Literal(Literal::I32(1)), Type::BOOL)));
    expect!["there is no variable number 9; there are 1"]
        .assert_eq(&with(bind(ExprKind::Local(LocalId(9)), Type::BOOL)));
    expect!["there is no parameter number 7; there are 2"]
        .assert_eq(&with(bind(ExprKind::Param(ParamId(7)), Type::BOOL)));
    expect!["the array `x` is not a value; it needs an index"]
        .assert_eq(&with(bind(ExprKind::Param(ParamId(1)), Type::BOOL)));
    expect!["there is no variable number 3; there are 1"]
        .assert_eq(&with(assign(PlaceRoot::Local(LocalId(3)), Type::F32)));
    expect!["`a` is not an array"]
        .assert_eq(&with(assign(PlaceRoot::Element { array: ParamId(0), index: Vec::new() }, Type::F32)));
    let not = ExprKind::Op(crate::ops::Op::Not, vec![node(ExprKind::Param(ParamId(0)), Type::F32)]);
    expect!["`!` does not take f32 to bool"].assert_eq(&with(bind(not, Type::BOOL)));
}
