//! Names, constants and what is unknown.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn constants_may_stand_below_their_use() {
    let found = lowered("out: &mut [f32]", "out[N] = HALF; const N: usize = 1; const HALF: f32 = 0.5;");
    expect![[r#"
        let N.0: usize = 1usize;
        let HALF.1: f32 = 0.5f32;
        out[N.0] = HALF.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_inner_constant_is_seen_in_its_whole_block() {
    let found = lowered(
        "out: &mut [i32]",
        r"
            const N: i32 = 4;
            { out[0] = N; const N: i32 = 5; out[1] = N; }
            out[2] = N;
        ",
    );
    expect![[r#"
        let N.0: i32 = 4i32;
        let N.1: i32 = 5i32;
        out[0usize] = N.1;
        out[1usize] = N.1;
        out[2usize] = N.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn constants_of_constants() {
    let found = lowered(
        "",
        r"
            const A: i32 = 3;
            const B: i32 = A * A + 1;
            const T: f32 = std::f32::consts::PI / 2.0;
            let c = B;
        ",
    );
    expect![[r#"
        let A.0: i32 = 3i32;
        let B.1: i32 = A.0 * A.0 + 1i32;
        let T.2: f32 = 3.1415927f32 / 2.0f32;
        let c.3: i32 = B.1;
    "#]]
    .assert_eq(&found);
}

#[test]
fn raw_names() {
    let found = lowered(
        "r#in: f32, r#type: &mut [f32]",
        r"
            let r#fn = r#in;
            r#type[0] = r#fn;
            let r#match = 1.0;
            for r#loop in 0..2 { let _ = r#loop; }
        ",
    );
    expect![[r#"
        let fn.0: f32 = in;
        type[0usize] = fn.0;
        let match.1: f64 = 1.0f64;
        for loop.2: i32 in (0i32..2i32) {
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn made_up_names_do_not_clash() {
    let found = lowered(
        "mut p: f32",
        r"
            let value = 1.0;
            let before = 2.0;
            let holds = true;
            let old = 3.0;
            let a = p + { p += 1.0; p } + if p > 1.0 { p = 2.0; 1.0 } else { before } * value * old;
        ",
    );
    expect![[r#"
        let mut p.0: f32 = p;
        let value.1: f32 = 1.0f32;
        let before.2: f32 = 2.0f32;
        let holds.3: bool = true;
        let old.4: f32 = 3.0f32;
        let before.6: f32 = p.0;
        p.0 += 1.0f32;
        let before.8: f32 = before.6 + p.0;
        let value.7: f32;
        if p.0 > 1.0f32 {
            p.0 = 2.0f32;
            value.7 = 1.0f32;
        } else {
            value.7 = before.2;
        }
        let a.5: f32 = before.8 + value.7 * value.1 * old.4;
    "#]]
    .assert_eq(&found);
}

#[test]
fn unknown_names() {
    let found = mistakes(
        "alpha: f32, out: &mut [f32]",
        r"
            let a = alhpa;
            let b = PI;
            let c = undefined_thing;
            out[0] = foo(a);
            let d = MY_CONST;
            let e = crate::K;
            let f = sin(alpha);
            let g = alpha.sine();
            let h = usize::MAX;
            let i = alpha.clone();
            let j = x::y::z(1.0);
            let k = vec3(1.0, 2.0, 3.0);
        ",
    );
    expect![[r#"
        alhpa
          there is no `alhpa` in this kernel
          help: did you mean `alpha`?
        PI
          there is no `PI` in this kernel
          help: write the whole path: `std::f32::consts::PI`
        undefined_thing
          there is no `undefined_thing` in this kernel
          note: `#[kernel]` sees the function alone, not what is defined around it
          help: define a `const` inside the kernel, or pass the value as a parameter
        foo(a)
          the function `foo` is not in the kernel language
          note: a kernel may call the methods of the language and device functions
          help: write `#[device]` before the function
        MY_CONST
          there is no `MY_CONST` in this kernel
          note: `#[kernel]` sees the function alone, not what is defined around it
          help: define a `const` inside the kernel, or pass the value as a parameter
        crate::K
          the constant `crate::K` is not in the kernel language
          note: `#[kernel]` sees the function alone, not what is defined around it
          help: define a `const` inside the kernel, or pass the value as a parameter
        sin(alpha)
          the function `sin` is not in the kernel language
          help: it is a method: `x.sin(…)`
        sine
          the method `sine` is not in the kernel language
          help: did you mean `sin`?
        usize::MAX
          the constant `usize::MAX` is not in the kernel language
          note: `usize` has 32 or 64 bits, depending on the target
          help: use a constant of `u32`, or the length of an array
        clone
          the method `clone` is not in the kernel language
          help: values are copied: use the value itself
        x::y::z(1.0)
          the function `x::y::z` is not in the kernel language
          note: a kernel may call the methods of the language and device functions
          help: write `#[device]` before the function
        vec3(1.0, 2.0, 3.0)
          the function `vec3` is not in the kernel language
          help: write `Vec3::new(…)`
    "#]]
    .assert_eq(&found);
}

#[test]
fn constants_in_the_wrong_order() {
    let found = mistakes("", "const A: i32 = B; const B: i32 = 1; const C: i32 = C + 1;");
    expect![[r#"
        B
          the constant `B` is used above its definition
          defined here: B
          note: the constants of a block are computed in the order in which they stand
          help: define `B` first
        C
          the constant `C` is used above its definition
          defined here: C
          note: the constants of a block are computed in the order in which they stand
          help: define `C` first
    "#]]
    .assert_eq(&found);
}

#[test]
fn items_that_the_language_lacks() {
    let found = mistakes(
        "",
        r#"
            fn f() {}
            use std::f32::consts::PI;
            static S: i32 = 1;
            struct T;
            const A: &str = "a";
            const B: f32 = 1;
        "#,
    );
    expect![[r#"
        fn f() {}
          only `const` items can stand in a kernel
          help: write the code of the function in place
        use std::f32::consts::PI;
          only `const` items can stand in a kernel
          help: write the whole path, for example `std::f32::consts::PI`
        static S: i32 = 1;
          only `const` items can stand in a kernel
          help: write `const` instead of `static`
        struct T;
          only `const` items can stand in a kernel
          help: define it outside of the kernel
        &str
          this type is not in the kernel language
          help: use the type of the value itself; arrays of arrays are `&Array2<T>`
        "a"
          the kernel language has numbers and `true` and `false`, no text
          help: use a number
        1
          mismatched types: expected `f32`, found an integer
          note: the kernel language, like Rust, converts nothing by itself
          help: give the number a decimal point: `1.0` instead of `1`
    "#]]
    .assert_eq(&found);
}
