//! How loops, operators and constants are spelled: one line for each of many cases.

use super::build::*;
use crate::back::c::{self, Dialect};
use crate::ir::{Direction, Expr, ExprKind, ForRange, Literal, Type};
use crate::ops::Op;
use expect_test::{Expect, expect};

/// The heads of loops over these ranges, with the bounds that are put before them.
fn loops(make: impl Fn(&mut Build) -> Vec<ForRange>, text: Expect) {
    let mut b = Build::new("count", 1);
    let out = b.array("out", Type::F32, true, 1);
    for range in make(&mut b) {
        let j = b.local("j", range.start.ty, false);
        let target = b.load(out, vec![index(0)]);
        b.push(for_(j, range, vec![update(&target, Op::Add, f32(1.0))]));
    }
    let written = c::write(&b.finish(), Dialect::Cpp);
    let is_of_head = |line: &&str| line.contains(" j") || line.contains("more_") || *line == "for (";
    let heads: Vec<&str> = written.lines().map(str::trim).filter(is_of_head).collect();
    text.assert_eq(&heads.join("\n"));
}

fn variants(start: &Expr, end: &Expr, step: Option<Expr>) -> Vec<ForRange> {
    let mut ranges = Vec::new();
    for direction in [Direction::Up, Direction::Down] {
        for inclusive in [false, true] {
            ranges.push(ForRange { start: start.clone(), end: end.clone(), inclusive, direction, step: step.clone() });
        }
    }
    ranges
}

#[test]
fn loops_over_index_ranges() {
    let make = |b: &mut Build| {
        let n = b.value("n", Type::INDEX);
        let s = b.value("s", Type::INDEX);
        [None, Some(index(2)), Some(s)].into_iter().flat_map(|step| variants(&index(0), &n, step)).collect()
    };
    loops(
        make,
        expect![[r#"
            for (index_t j = 0; j < n; ++j) {
            for (index_t j = 0; j <= n; ++j) {
            for (index_t j = n; j-- > 0;) {
            for (index_t j = n + 1; j-- > 0;) {
            for (index_t j = 0; j < n; j += 2) {
            for (index_t j = 0; j <= n; j += 2) {
            for (index_t j = n - 1, more = 0 < n; more; more = j >= 2, j -= more ? 2 : 0) {
            for (index_t j = n, more_1 = true; more_1; more_1 = j >= 2, j -= more_1 ? 2 : 0) {
            for (index_t j = 0; j < n; j += s) {
            for (index_t j = 0; j <= n; j += s) {
            for (index_t j = n - 1, more_2 = 0 < n; more_2; more_2 = j >= s, j -= more_2 ? s : 0) {
            for (index_t j = n, more_3 = true; more_3; more_3 = j >= s, j -= more_3 ? s : 0) {"#]],
    );
}

#[test]
fn loops_over_integers_do_not_overflow() {
    let make = |b: &mut Build| {
        let n = b.value("n", Type::I32);
        let s = b.value("s", Type::INDEX);
        let mut ranges: Vec<ForRange> =
            [None, Some(index(2)), Some(s)].into_iter().flat_map(|step| variants(&i32(1), &n, step)).collect();
        ranges.extend(variants(&i32(0), &i32(16), Some(index(4))));
        ranges.extend(variants(&i32(0), &arith(Op::Sub, &[n, i32(1)]), None));
        ranges
    };
    loops(
        make,
        expect![[r#"
            for (int j = 1; j < n; ++j) {
            for (int j = 1, more = 1 <= n; more; more = j < n, j += more) {
            for (int j = n; j-- > 1;) {
            for (int j = n, more_1 = 1 <= n; more_1; more_1 = 1 < j, j -= more_1) {
            for (int j = 1, more_2 = 1 < n; more_2; more_2 = (unsigned int)n - (unsigned int)j > 2u, j += more_2 ? 2 : 0) {
            for (
            int j = 1, more_3 = 1 <= n;
            more_3;
            more_3 = (unsigned int)n - (unsigned int)j >= 2u, j += more_3 ? 2 : 0
            for (int j = n - (1 < n), more_4 = 1 < n; more_4; more_4 = (unsigned int)j - 1u >= 2u, j -= more_4 ? 2 : 0) {
            for (int j = n; j >= 1; j -= 2) {
            for (
            int j = 1, more_5 = 1 < n;
            more_5;
            more_5 = (unsigned int)n - (unsigned int)j > (unsigned int)(int)s, j += more_5 ? (int)s : 0
            for (
            int j = 1, more_6 = 1 <= n;
            more_6;
            more_6 = (unsigned int)n - (unsigned int)j >= (unsigned int)(int)s, j += more_6 ? (int)s : 0
            for (
            int j = n - (1 < n), more_7 = 1 < n;
            more_7;
            more_7 = (unsigned int)j - 1u >= (unsigned int)(int)s, j -= more_7 ? (int)s : 0
            for (
            int j = n, more_8 = 1 <= n;
            more_8;
            more_8 = (unsigned int)j - 1u >= (unsigned int)(int)s, j -= more_8 ? (int)s : 0
            for (int j = 0; j < 16; j += 4) {
            for (int j = 0; j <= 16; j += 4) {
            for (int j = 15; j >= 0; j -= 4) {
            for (int j = 16; j >= 0; j -= 4) {
            for (int j = 0; j < n - 1; ++j) {
            for (int j = 0; j <= n - 1; ++j) {
            for (int j = n - 1; j-- > 0;) {
            for (int j = n; j-- > 0;) {"#]],
    );
}

#[test]
fn bounds_that_change_or_cost_are_evaluated_before_the_loop() {
    let make = |b: &mut Build| {
        let lens = b.array("lens", Type::I32, false, 1);
        let x = b.value("x", Type::F32);
        let (stmt, n) = b.bind_mut("n", i32(4));
        b.push(stmt);
        let load = b.load(lens, vec![index(0)]);
        vec![range(i32(0), load), range(i32(0), cast(&x, Type::I32)), range(i32(0), n)]
    };
    loops(
        make,
        expect![[r#"
        const int j_end = lens[0];
        for (int j = 0; j < j_end; ++j) {
        const int j_end_1 = to_i32(x);
        for (int j = 0; j < j_end_1; ++j) {
        for (int j = 0; j < n; ++j) {"#]],
    );
}

/// What is written for an expression over `a`, `b`, `c` of these types.
fn written(tys: [Type; 3], make: impl Fn(&Expr, &Expr, &Expr) -> Expr) -> String {
    let mut build = Build::new("shape", 1);
    let [a, b, c] = [("a", tys[0]), ("b", tys[1]), ("c", tys[2])].map(|(name, ty)| build.value(name, ty));
    let value = make(&a, &b, &c);
    let (stmt, _) = build.bind("value", value);
    build.push(stmt);
    let text = c::write(&build.finish(), Dialect::Cpp);
    let line = text.lines().find_map(|line| line.split_once(" value = "));
    line.expect("one declaration").1.trim_end_matches(';').to_owned()
}

#[test]
fn parentheses() {
    let mut lines = Vec::new();
    let mut floats = |make: &dyn Fn(&Expr, &Expr, &Expr) -> Expr| lines.push(written([Type::F32; 3], make));
    let two = |op, a: &Expr, b: &Expr| arith(op, &[a.clone(), b.clone()]);
    floats(&|a, b, c| two(Op::Sub, a, &two(Op::Sub, b, c)));
    floats(&|a, b, c| two(Op::Sub, &two(Op::Sub, a, b), c));
    floats(&|a, b, c| two(Op::Mul, &two(Op::Add, a, b), c));
    floats(&|a, b, c| two(Op::Add, a, &two(Op::Mul, b, c)));
    floats(&|a, b, c| two(Op::Div, a, &two(Op::Mul, b, c)));
    floats(&|a, b, _| arith(Op::Neg, &[two(Op::Mul, a, b)]));
    floats(&|a, _, _| arith(Op::Neg, &[arith(Op::Neg, std::slice::from_ref(a))]));
    floats(&|a, _, _| two(Op::Sub, a, &f32(-1.5)));
    floats(&|a, b, _| cast(&cast(&two(Op::Add, a, b), Type::F64), Type::F32));
    floats(&|a, b, c| {
        let (less, more) = (compare(Op::Lt, a, b), compare(Op::Gt, a, c));
        let same = compare(Op::Eq, &less, &more);
        op(Op::Or, &[op(Op::And, &[less.clone(), more.clone()], Type::BOOL), same], Type::BOOL)
    });
    floats(&|a, b, c| {
        let less = compare(Op::Lt, a, b);
        let not = op(Op::Not, &[compare(Op::Gt, a, c)], Type::BOOL);
        op(Op::BitAnd, &[less, not], Type::BOOL)
    });
    floats(&|a, b, c| {
        let select = |cond, then: &Expr, other: &Expr| {
            let (then, other) = (Box::new(then.clone()), Box::new(other.clone()));
            expr(ExprKind::Select { cond: Box::new(cond), then, other }, Type::F32)
        };
        let inner = select(compare(Op::Lt, a, b), a, b);
        two(Op::Mul, &select(compare(Op::Gt, a, c), &inner, &inner), c)
    });
    let mut ints = |make: &dyn Fn(&Expr, &Expr, &Expr) -> Expr| lines.push(written([Type::U32; 3], make));
    ints(&|a, b, c| two(Op::BitXor, a, &two(Op::Shl, b, c)));
    ints(&|a, b, c| two(Op::Shr, &two(Op::Add, a, b), c));
    ints(&|a, b, c| compare(Op::Eq, &two(Op::BitAnd, a, b), c));
    ints(&|a, b, c| two(Op::BitOr, &two(Op::BitOr, a, b), c));
    expect![[r#"
        a - (b - c)
        a - b - c
        (a + b) * c
        a + b * c
        a / (b * c)
        -(a * b)
        -(-a)
        a - -1.5f
        (float)(double)(a + b)
        (a < b && a > c) || (a < b) == (a > c)
        a < b && !(a > c)
        (a > c ? (a < b ? a : b) : a < b ? a : b) * c
        a ^ (b << c)
        (a + b) >> c
        (a & b) == c
        a | b | c"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn literals() {
    let literals = [
        Literal::f32(0.01),
        Literal::f32(1.0),
        Literal::f32(1e-30),
        Literal::f32(-0.0),
        Literal::f32(f32::NEG_INFINITY),
        Literal::f64(0.1),
        Literal::f64(1e300),
        Literal::f64(f64::INFINITY),
        Literal::I32(i32::MIN),
        Literal::U32(7),
        Literal::I8(i8::MIN),
        Literal::U16(7),
        Literal::I64(-1),
        Literal::U64(u64::MAX),
        Literal::Bool(true),
    ];
    let lines: Vec<String> =
        literals.into_iter().map(|value| written([Type::F32; 3], |_, _, _| Expr::literal(value))).collect();
    expect![[r#"
        0.01f
        1.0f
        1e-30f
        -0.0f
        -INFINITY
        0.1
        1e300
        (double)INFINITY
        (-2147483647 - 1)
        7u
        -128
        7
        -1LL
        18446744073709551615ULL
        true"#]]
    .assert_eq(&lines.join("\n"));
}
