use super::{parse, print};
use crate::ir::{
    Expr, ExprKind, Kernel, Literal, Local, LocalId, Param, ParamId, ParamKind, Span, Stmt, StmtKind, Type,
};
use crate::ops::TABLE;
use expect_test::{Expect, expect};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const EVERYTHING: &str = r##"/// A kernel with everything in it.
///
///   - indented
#[kernel(family = "com\"bined\n", dim = 2)]
fn r#loop(
    n: u32 in 0..dim(0) * (dim(1) - 2) / 3 - -1,
    s: f32 in -1.5f64..1e300f64,
    x: &[f32; dim(0), n + 1] in -0.0f64..f64::INFINITY,
    m: &mut [mat33d; x.extent(1)],
    c: &mut [i32; 16] in -4..4,
    v: &mut [vec4; dim(0)],
    b: bool,
) {
    let i.0: usize = tid(0);
    let mut x.1: f32 = x[i.0, tid(1)] * s - (s - 2.0f32) - 1e-7f32;
    let r#old.2: i32;
    let q.3: vec3d = splat<vec3d>(x.1 as f64);
    let r.4: mat33d = (-m[0usize] + m[1usize]) * 2.0f64 as f64;
    m[i.0].col(1usize)[i.0] = q.3.y + (if b { r.4.col(2usize) } else { q.3 }).x;
    v[i.0].w += -(1.0f32) * f32::NAN;
    v[i.0] max= vec(s, s, f32::from_bits(0xffc00001), -(f32::NEG_INFINITY));
    r#old.2 = atomic_add(c[3usize], -2147483648i32);
    atomic_min(c[x.extent(0) % 16usize], !r#old.2 & 7i32 | 1i32 << 3i32);
    for mut k.5: i32 in (0i32..=r#old.2).rev().step_by(2usize) {
        if k.5 == 3i32 && !b || (b || true) == false {
            continue;
        } else if k.5 as f32 as f64 <= 4.0f64 {
            break;
        } else {
            x.1 %= max(x.1, clamp(s, 0.0f32, 1.0f32));
            while true {
                return;
            }
        }
    }
    for k.6: u64 in (18446744073709551615u64..0u64) {
    }
    let mut kept.7: [vec3; 32];
    kept.7[i.0].y = kept.7[i.0 + 1usize].x;
}
"##;

fn round_trip(kernel: &Kernel) {
    let text = print(kernel);
    let back = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&back, kernel, "{text}");
    assert_eq!(print(&back), text);
}

#[test]
fn everything_comes_back_as_it_was() {
    let kernel = parse(EVERYTHING).unwrap();
    assert_eq!(print(&kernel), EVERYTHING);
    round_trip(&kernel);
}

/// A kernel with one statement, `let x = value`, and value parameters of the types `params`.
fn around(value: Expr, params: &[Type]) -> Kernel {
    let param = |(place, ty): (usize, &Type)| Param {
        name: format!("p{place}"),
        kind: ParamKind::Value(*ty),
        domain: None,
        span: Span::NONE,
    };
    Kernel {
        name: "k".to_owned(),
        family: "f".to_owned(),
        doc: Vec::new(),
        dim: 1,
        block: None,
        no_grad: false,
        in_order: false,
        slots: None,
        params: params.iter().enumerate().map(param).collect(),
        locals: vec![Local { name: "x".to_owned(), ty: value.ty, mutable: false, len: None, span: Span::NONE }],
        body: vec![Stmt { kind: StmtKind::Let { local: LocalId(0), init: Some(value) }, span: Span::NONE }],
    }
}

#[test]
fn every_row_of_the_table_comes_back_as_it_was() {
    for def in &TABLE {
        for (row, t) in def.rows() {
            let types: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            let arg =
                |(place, ty): (u32, &Type)| Expr { kind: ExprKind::Param(ParamId(place)), ty: *ty, span: Span::NONE };
            let args = (0..).zip(&types).map(arg).collect();
            round_trip(&around(
                Expr { kind: ExprKind::Op(def.op, args), ty: row.ret.apply(t), span: Span::NONE },
                &types,
            ));
        }
    }
}

#[test]
fn every_nesting_of_infix_operations_comes_back_as_it_was() {
    let operations = || TABLE.iter().filter(|def| matches!(def.rust, crate::ops::Syntax::Infix(_)));
    let ty_of = |def: &'static crate::ops::OpDef| {
        let (row, t) = def.rows().find(|(_, t)| *t == Type::BOOL || *t == Type::I32).unwrap();
        (t, row.ret.apply(t))
    };
    for outer in operations() {
        let (operand, result) = ty_of(outer);
        let leaf = || Expr { kind: ExprKind::Param(ParamId(0)), ty: operand, span: Span::NONE };
        for inner in operations().filter(|inner| ty_of(inner) == (operand, operand)) {
            let nested = || Expr { kind: ExprKind::Op(inner.op, vec![leaf(), leaf()]), ty: operand, span: Span::NONE };
            for args in [vec![nested(), leaf()], vec![leaf(), nested()]] {
                let kind = ExprKind::Op(outer.op, args);
                round_trip(&around(Expr { kind, ty: result, span: Span::NONE }, &[operand]));
            }
        }
    }
}

#[test]
fn every_float_is_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..2000 {
        let bits = rng.next_u64();
        round_trip(&around(Literal::F32(bits as u32).into(), &[]));
        round_trip(&around(Literal::F64(bits).into(), &[]));
    }
    for bits in [0, 1, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 0xffc0_0000] {
        round_trip(&around(Literal::F32(bits).into(), &[]));
    }
}

fn check_error(body: &str, expected: Expect) {
    let text = format!("#[kernel(family = \"f\", dim = 1)]\nfn k(a: f32, x: &[vec2; 4],) {{\n{body}\n}}\n");
    expected.assert_eq(&parse(&text).unwrap_err().to_string());
}

#[test]
fn errors_say_what_is_expected_and_where() {
    check_error("let x.0: f32 = ;", expect!["line 3: expected an expression, found `;`"]);
    check_error("let x: f32 = a;", expect!["line 3: expected a local such as `x.0`, found `x`"]);
    check_error("\n\nbreak", expect!["line 6: expected `;`, found `}`"]);
    check_error("let x.0: f33 = a;", expect!["line 3: expected a type, found `f33`"]);
    check_error("let x.0: f32 = a + 1i32;", expect!["line 3: there is no `add` for operands of the types f32, i32"]);
    check_error("let x.0: vec3 = splat(a);", expect!["line 3: `splat` needs its result type here: vec2, vec3, vec4"]);
    check_error("let x.0: f32 = a.x;", expect!["line 3: a value of type f32 has no components"]);
    check_error("let x.0: f32 = sine(a);", expect!["line 3: there is no operation `sine`"]);
    check_error("y.0 = a;", expect!["line 3: `y.0` is not declared above"]);
    check_error("let x.1: f32;", expect!["line 4: no local has the number 0, but a higher one is declared"]);
    check_error("let x.0: f32; let y.0: f32;", expect!["line 3: two different locals have the number 0"]);
    check_error("let x.0: u32 = -1u32;", expect!["line 3: `-1` is not a value of type u32"]);
    check_error("let x.0: u32 = 5;", expect!["line 3: expected an expression, found `5`"]);
    check_error("let x.0: f32 = €;", expect!["line 3: unexpected character '€'"]);
    check_error("if true {", expect!["line 4: expected a statement or `}`, found the end of the text"]);
    check_error(
        &format!("let x.0: f32 = {};", "-".repeat(5000) + "a"),
        expect!["line 3: nested more than 640 levels deep"],
    );
    check_error(
        &format!("let x.0: f32 = a{};", " + a".repeat(5000)),
        expect!["line 3: nested more than 640 levels deep"],
    );
    check_error(&"if true {".repeat(5000), expect!["line 3: nested more than 640 levels deep"]);
    check_error(&"while true {".repeat(5000), expect!["line 3: nested more than 640 levels deep"]);
    check_error(&"for i.0: u32 in (0u32..1u32) {".repeat(5000), expect!["line 3: nested more than 640 levels deep"]);
    check_error(&"if true {} else ".repeat(5000), expect!["line 3: nested more than 640 levels deep"]);
}

/// Texts that differ a little from a kernel end in a kernel or in an error, never in a panic.
#[test]
fn damaged_texts_do_not_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let chars: Vec<char> = EVERYTHING.chars().collect();
    for _ in 0..3000 {
        let mut damaged = chars.clone();
        for _ in 0..1 + rng.next_u32() % 3 {
            let at = rng.next_u32() as usize % damaged.len();
            match rng.next_u32() % 3 {
                0 => drop(damaged.remove(at)),
                1 => damaged[at] = chars[rng.next_u32() as usize % chars.len()],
                _ => damaged.insert(at, chars[rng.next_u32() as usize % chars.len()]),
            }
        }
        if let Ok(kernel) = parse(&damaged.iter().collect::<String>()) {
            round_trip(&kernel);
        }
    }
}

#[test]
fn enums_come_back() {
    let kernel = parse(
        "/// A shape.\n///\n///  - indented\nenum Shape: i8 {\n    Sphere = 0,\n    Box = -128,\n    if = 127,\n}\n\n\
         #[kernel(family = \"f\", dim = 1)]\nfn k(\n    s: Shape,\n) {\n    let t.0: Shape = if s.value == 0i8 { s } else { Shape(4i8) };\n}\n",
    );
    let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
    round_trip(&kernel);
    let of = kernel.params[0].elem().as_enum().expect("it is an enum");
    assert_eq!(of.variants[1], ("Box".to_owned(), -128));
}

#[test]
fn bad_enums_are_refused() {
    let refused = |text: &str, expected: &str| {
        let found = parse(&format!("{text}\n#[kernel(family = \"f\", dim = 1)]\nfn k() {{\n}}\n"));
        let error = found.expect_err("it is no kernel").to_string();
        assert!(error.contains(expected), "{text}: {error}");
    };
    refused("enum Shape: i32 {\n}", "`Shape` has no variants");
    refused("enum Shape: f32 {\n    Box = 0,\n}", "numbers of type f32");
    refused("enum Shape: usize {\n    Box = 0,\n}", "numbers of type usize");
    refused("enum Shape: i32 {\n    Box,\n}", "=");
    refused("enum Shape: i32 {\n    Box = 1.5,\n}", "number of the variant");
    refused("enum Shape: u8 {\n    Box = 256,\n}", "number of the variant");
    refused("enum vec3: i32 {\n    Box = 0,\n}", "two types");
}
