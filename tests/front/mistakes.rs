//! What the language does not have, and several mistakes at once.

use super::mistakes;
use expect_test::expect;

#[test]
fn forms_that_the_language_lacks() {
    let found = mistakes(
        "x: f32, out: &mut [f32]",
        r#"
            match x { _ => {} }
            let f = |a| a;
            let t = (1.0, 2.0);
            let a = [1.0, 2.0];
            let b = [0.0; 4];
            let s = Foo { x };
            let r = 0..3;
            let q = x?;
            unsafe { }
            if let Some(y) = x { }
            let z = &x;
            let w = *z;
            println!("{}", x);
            assert!(x > 0.0);
            let Some(v) = x else { return };
            let (a, b) = (1.0, 2.0);
            async { };
            let ref k = x;
            let n @ m = x;
            foo!(x);
        "#,
    );
    expect![[r#"
        match x { _ => {} }
          `match` is not in the kernel language
          help: write `if` / `else if` / `else`
        |a| a
          closures are not in the kernel language
          help: write the code in place
        (1.0, 2.0)
          tuples are not in the kernel language
          help: use one variable for each value
        [1.0, 2.0]
          local arrays are not in the kernel language
          help: use a vector such as `Vec4`, or an array parameter
        [0.0; 4]
          local arrays are not in the kernel language
          help: use a vector such as `Vec4`, or an array parameter
        Foo { x }
          structs are not in the kernel language
          help: use one variable for each field
        0..3
          a range stands only in `for … in`
          help: compare with `>=` and `<`
        x?
          `?` is not in the kernel language
          help: a kernel returns nothing: test and `return`
        unsafe { }
          `unsafe` is not in the kernel language
          help: remove it: a kernel needs none
        let Some(y) = x
          patterns are not in the kernel language
          help: compare with `==`
        &x
          references are not in the kernel language
          help: use the value itself; `&mut` stands only in `atomic_add(&mut out[i], v)` and its like
        *z
          references are not in the kernel language
          help: remove the `*`
        println!("{}", x);
          the macro `println!` cannot be called in a kernel
          note: `#[kernel]` sees the call, not what it expands to
          help: write the value to an array parameter
        assert!(x > 0.0);
          the macro `assert!` cannot be called in a kernel
          note: `#[kernel]` sees the call, not what it expands to
          help: a kernel cannot fail on purpose: test, and `return` or write a marked value
        { return }
          `let … else` is not in the kernel language
          help: write an `if` with `return`
        (a, b)
          tuples are not in the kernel language
          help: write one `let` for each value; only `let (i, j) = tid2();` binds several
        async { }
          `async` is not in the kernel language
          help: a launch runs every thread to its end
        ref k
          `let` binds one plain name
          help: write one `let` for each value; only `let (i, j) = tid2();` binds several
        n @ m
          `let` binds one plain name
          help: write one `let` for each value; only `let (i, j) = tid2();` binds several
        foo!(x);
          the macro `foo!` cannot be called in a kernel
          note: `#[kernel]` sees the call, not what it expands to
          help: write the code in place
    "#]]
    .assert_eq(&found);
}

#[test]
fn several_mistakes_are_all_reported() {
    let found = mistakes(
        "a: f32, x: &[f32], out: &mut [f32]",
        r"
            let i = tid();
            let b = a + 1;
            out[i] = unknown;
            x[i] = 2.0;
            let c: u8 = 3;
            out[i] = b.sinus();
        ",
    );
    expect![[r#"
        a + 1
          `+` does not take `f32` and an integer
          help: give the number a decimal point: `1.0` instead of `1`
        unknown
          there is no `unknown` in this kernel
          note: `#[kernel]` sees the function alone, not what is defined around it
          help: define a `const` inside the kernel, or pass the value as a parameter
        x[i]
          the array `x` is read only
          declared here: x
          help: declare `x` with `&mut`
        u8
          this type is not in the kernel language
          help: use `u32`
        sinus
          the method `sinus` is not in the kernel language
          help: did you mean `signum`?
    "#]]
    .assert_eq(&found);
}

#[test]
fn attributes_in_the_body() {
    let found = mistakes(
        "x: f32, out: &mut [f32]",
        r"
            #[cfg(debug_assertions)] { out[0] = 1.0; }
            #[allow(unused)] let a = 1.0;
            #[inline] let b = 2.0;
        ",
    );
    expect![[r#"
        cfg
          the attribute `cfg` cannot stand inside of a kernel
          note: it would be applied after `#[kernel]` has read the function
          help: put it before the whole function, or remove it
        inline
          the attribute `inline` cannot stand inside of a kernel
          note: it would be applied after `#[kernel]` has read the function
          help: put it before the whole function, or remove it
    "#]]
    .assert_eq(&found);
}
