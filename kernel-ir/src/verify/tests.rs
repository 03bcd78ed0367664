use super::verify;
use crate::ir::{Expr, ExprKind, Kernel, Literal, LocalId, ParamId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
use crate::text::parse;
use expect_test::{Expect, expect};

/// Checks a kernel of the parameters and the body; expects the messages, a line each.
fn check_kernel(params: &str, body: &str, expected: Expect) {
    let text = format!("#[kernel(family = \"f\", dim = 2)]\nfn k({params}) {{\n{body}\n}}\n");
    expected.assert_eq(&messages(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))));
}

fn messages(kernel: Kernel) -> String {
    let mistakes = verify(kernel).err().unwrap_or_default();
    mistakes.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>().join("\n")
}

fn check_body(body: &str, expected: Expect) {
    check_kernel(
        "n: i32, a: f32, b: bool, v: vec3, m: mat22, q: quat, x: &[f32; dim(0), 4], y: &mut [f32; 9], z: &mut [vec2; 9],",
        body,
        expected,
    );
}

#[test]
fn sound_kernels_pass() {
    check_body(
        "let x.0: f32;
        if b { x.0 = a; } else { return; }
        let mut s.1: f32 = x.0 * m.col(1usize)[tid(1)];
        for i.2: i32 in (0i32..n) { if i.2 == 3i32 { continue; } s.1 += i.2 as f32; }
        let found.3: usize;
        while true { if s.1 > 9.0f32 { found.3 = 2usize; break; } s.1 += 1.0f32; }
        y[found.3] = s.1;
        let old.4: f32;
        old.4 = atomic_add(y[0usize], s.1);
        z[0usize].x -= old.4;
        while b { let t.5: f32; t.5 = s.1; s.1 = t.5; }",
        expect![""],
    );
}

#[test]
fn signatures() {
    check_kernel(
        "b: &[bool; 1], i: &[usize; 1], r: &[f32;], n: f32 in 0..4, m: i32 in 0.0f64..1.0f64, c: bool in 0..1,",
        "",
        expect![[r#"
            the elements of `b` are bool, which arrays do not hold
            the elements of `i` are usize, which arrays do not hold
            `r` has 0 axes; an array has 1 to 4
            the domain of `n` is made of integers, its type f32 is not
            the domain of `m` is made of floats, its type i32 is not
            the domain of `c` is made of integers, its type bool is not"#]],
    );
    check_kernel(
        "a: f32 in 1.0f64..1.0f64, c: f32 in 0.0f64..f64::INFINITY, n: i32, x: &[f32; n, a, dim(2)], y: &[f32; x.extent(3)],",
        "",
        expect![[r#"
            the domain of `a` does not go from a finite number to a greater one: 1.0..1.0
            the domain of `c` does not go from a finite number to a greater one: 0.0..inf
            the shape or domain of `x` needs `a`, which is not an integer
            `dim2` in `x`: the launch has 2 axes
            the shape or domain of `y` needs axis 3 of `x`, which does not have it"#]],
    );
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
        the shape or domain of `x` needs `x`, which does not stand before it"#]]
    .assert_eq(&messages(kernel));
}

#[test]
fn types_of_expressions() {
    check_body(
        "let t.0: f32 = if n { a } else { n };",
        expect![[r#"
        expected a condition, found i32
        the two sides of the `if` differ: f32 and i32"#]],
    );
    check_body("let t.0: f32 = x[n, 0usize];", expect!["expected usize, found i32"]);
    check_body("let t.0: f32 = x[0usize];", expect!["`x` has 2 axes, but 1 indices"]);
    check_body(
        "let t.0: f32 = v[3usize] + q[tid(0)];",
        expect![[r#"
            there is no component 3; there are 3
            the number of the component must be a literal"#]],
    );
    check_body(
        "let t.0: vec2 = m.col(2usize) + row(m, tid(0));",
        expect![[r#"
            there is no column 2; there are 2
            the number of the row must be a literal"#]],
    );
    check_body("let t.0: f32 = b as f32;", expect!["there is no cast from bool to f32"]);
    check_body("let t.0: bool = n as bool;", expect!["there is no cast from i32 to bool"]);
    check_body("let t.0: usize = tid(2);", expect!["the launch has 2 axes; there is no axis 2"]);
    check_body("let t.0: usize = x.extent(2);", expect!["`x` has 2 axes; there is no axis 2"]);
    check_body("while n {}", expect!["expected a condition, found i32"]);
    check_body("let t.0: i32 = a;", expect!["expected i32, found f32"]);
}

#[test]
fn places() {
    check_body("x[0usize, 0usize] = a;", expect!["cannot write to `x`: it is not a `&mut` parameter"]);
    check_body("y[0usize] = n;", expect!["expected f32, found i32"]);
    check_body("y[0usize] += n;", expect!["f32 cannot be updated by `+` with i32"]);
    check_body("y[0usize] lt= a;", expect!["f32 cannot be updated by `<` with f32"]);
    check_body("let mut c.0: bool = b; c.0 and= b;", expect!["bool cannot be updated by `&&` with bool"]);
    check_body("z[0usize][2usize] = a;", expect!["there is no component 2; there are 2"]);
    check_body(
        "atomic_add(z[0usize], splat<vec2>(a)); atomic_add(z[0usize].x, a);",
        expect!["`atomic_add` works on a single number of a fixed width"],
    );
    check_body(
        "let mut t.0: f32 = a; atomic_max(t.0, a);",
        expect!["`atomic_max` works on an array element, not on a variable"],
    );
    check_body("let t.0: i32; t.0 = atomic_add(y[0usize], a);", expect!["expected i32, found f32"]);
    check_body("for i.0: f32 in (a..a) {}", expect!["a `for` runs over integers, not over f32"]);
    check_body(
        "for i.0: u32 in (0i32..5u32).step_by(0usize) {}",
        expect![[r#"
            expected u32, found i32
            a step of 0 never ends"#]],
    );
}

#[test]
fn scopes() {
    check_body("if b { let t.0: f32 = a; } y[0usize] = t.0;", expect!["`t` is not declared here"]);
    check_body("let t.0: f32 = a; let t.0: f32 = a;", expect!["`t` is declared 2 times"]);
    check_body("for i.0: i32 in (0i32..n) {} let t.1: i32 = i.0;", expect!["`i` is not declared here"]);
    check_body("break;", expect!["`break` outside of a loop"]);
    check_body("if b { continue; }", expect!["`continue` outside of a loop"]);
}

#[test]
fn values_before_reads() {
    check_body("let t.0: f32; y[0usize] = t.0;", expect!["`t` may not have a value yet"]);
    check_body("let t.0: f32; if b { t.0 = a; } y[0usize] = t.0;", expect!["`t` may not have a value yet"]);
    check_body("let t.0: f32; while b { t.0 = a; break; } y[0usize] = t.0;", expect!["`t` may not have a value yet"]);
    check_body("let mut t.0: f32; t.0 += a;", expect!["`t` may not have a value yet"]);
    check_body("let mut t.0: vec2; t.0.x = a;", expect!["`t` may not have a value yet"]);
    check_body(
        "let t.0: f32; while true { if b { break; } t.0 = a; break; } y[0usize] = t.0;",
        expect!["`t` may not have a value yet"],
    );
    check_body(
        "while b { let t.0: f32; if tid(0) > 0usize { t.0 = a; continue; } y[0usize] = t.0; }",
        expect!["`t` may not have a value yet"],
    );
}

#[test]
fn immutable_variables_get_one_value() {
    check_body("let t.0: f32 = a; t.0 = a;", expect!["cannot assign `t` again: it is not declared `mut`"]);
    check_body("let t.0: f32; t.0 = a; t.0 = a;", expect!["cannot assign `t` again: it is not declared `mut`"]);
    check_body(
        "let t.0: f32; if b { t.0 = a; } t.0 = a;",
        expect!["cannot assign `t` again: it is not declared `mut`"],
    );
    check_body("let t.0: f32; while b { t.0 = a; }", expect!["cannot assign `t` again: it is not declared `mut`"]);
    check_body(
        "let t.0: f32; while b { if b { t.0 = a; continue; } }",
        expect!["cannot assign `t` again: it is not declared `mut`"],
    );
    check_body(
        "let t.0: f32; while b { while b { t.0 = a; break; } }",
        expect!["cannot assign `t` again: it is not declared `mut`"],
    );
    check_body("let t.0: f32; while b { t.0 = a; break; }", expect![""]);
    check_body("let t.0: f32 = a; t.0 += a;", expect!["cannot assign `t` again: it is not declared `mut`"]);
    check_body("let t.0: vec3 = v; t.0.x = a;", expect!["cannot assign `t` again: it is not declared `mut`"]);
    check_body(
        "let t.0: f32 = a; t.0 = atomic_add(y[0usize], a);",
        expect!["cannot assign `t` again: it is not declared `mut`"],
    );
    check_body(
        "for mut i.0: i32 in (0i32..n) { i.0 = 3i32; }",
        expect!["cannot assign `i`: it is the variable of a `for`"],
    );
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

#[test]
fn local_arrays_are_used_by_element() {
    check_body(
        "let mut s.0: [f32; 4]; s.0[1usize] = a; s.0[1usize] += s.0[0usize]; y[0usize] = s.0[1usize];",
        expect![""],
    );
    check_body("let mut s.0: [f32; 4]; s.0[n] = a;", expect!["expected usize, found i32"]);
    check_body("let mut s.0: [f32; 4]; s.0[0usize] = n;", expect!["expected f32, found i32"]);
    check_body("let s.0: [f32; 4]; s.0[0usize] = a;", expect!["cannot assign `s` again: it is not declared `mut`"]);
    check_body("let mut s.0: [f32; 4] = a;", expect!["`s` is an array of 4 values; it needs an index"]);
}

/// Checks a kernel that calls the device functions.
fn check_functions(functions: &str, call: &str, expected: Expect) {
    let text = format!(
        "{functions}\n#[kernel(family = \"f\", dim = 1)]\nfn k(a: f32, x: &mut [f32; dim(0)],) {{ x[tid(0)] = {call}; }}"
    );
    expected.assert_eq(&messages(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))));
}

#[test]
fn functions() {
    check_functions(
        "#[device]\nfn f(a: f32,) -> f32 { while true { if a > 0.0f32 { return a; } } }\n\
         #[device]\nfn df(a: f32, adj: f32,) -> f32 { return adj; }\n\
         #[device(grad(a = df), surrogate)]\nfn g(a: f32,) -> f32 { return f(a); }",
        "g(f(a))",
        expect![""],
    );
    check_functions(
        "#[device]\nfn f(a: f32,) -> f32 { if a > 0.0f32 { return a; } }",
        "f(a)",
        expect!["`f` may end without a value"],
    );
    check_functions(
        "#[device]\nfn f(a: f32,) -> f32 { if a > 0.0f32 { return; } return 1i32; }",
        "f(a, a)",
        expect![[r#"
            a `return` of no value where f32 is expected
            a `return` of i32 where f32 is expected
            `f` takes 1 arguments, not 2"#]],
    );
    check_functions(
        "#[device]\nfn f(a: f32, n: i32,) -> f32 { return a; }",
        "f(1.0f32, 2.0f32)",
        expect!["expected i32, found f32"],
    );
    check_functions(
        "#[device]\nfn max(x: &[f32; 3],) -> f32 { return x[tid(0)]; }",
        "max(a)",
        expect![[r#"
            `max` is the name of an operation
            the array `x` cannot be given to a device function
            the launch has 0 axes; there is no axis 0"#]],
    );
    check_functions("#[device]\nfn k(a: f32,) -> f32 { return a; }", "k(a)", expect!["two functions are called `k`"]);
    check_functions(
        "#[device]\nfn d(n: i32, adj: f32,) -> i32 { return n; }\n\
         #[device(grad(n = d))]\nfn f(n: i32,) -> f32 { return 1.0f32; }",
        "f(1i32)",
        expect!["`d` is no derivative of `f` by `n`"],
    );
}

#[test]
fn a_kernel_returns_no_value() {
    check_body("return a;", expect!["a `return` of f32 where no value is expected"]);
}
