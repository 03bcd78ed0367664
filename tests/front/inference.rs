//! Type inference.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn chains_of_vectors_and_scalars() {
    let found = lowered(
        "v: Vec3, s: f32, m: Mat3, q: Quat",
        r"
            let a = 2.0 * v * s + v / 2.0;
            let b = m * v * 0.5;
            let c = q * v;
            let d = q * q * 0.5;
            let e = (v * v).x;
            let f = 2.0 * m * 3.0;
            let g = v.dot(v) * 2.0;
        ",
    );
    expect![[r#"
        let a.0: vec3 = 2.0f32 * v * s + v / 2.0f32;
        let b.1: vec3 = m * v * 0.5f32;
        let c.2: vec3 = q * v;
        let d.3: quat = q * q * 0.5f32;
        let e.4: f32 = (v * v).x;
        let f.5: mat33 = 2.0f32 * m * 3.0f32;
        let g.6: f32 = dot(v, v) * 2.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn shadowing_with_another_type() {
    let found = lowered(
        "x: f32",
        r"
            let x = x as i32;
            let x = x as f64;
            let x = Vec2::new(1.0, x as f32);
            let x = x.x > 0.0;
        ",
    );
    expect![[r#"
        let x.0: i32 = x as i32;
        let x.1: f64 = x.0 as f64;
        let x.2: vec2 = vec2(1.0f32, x.1 as f32);
        let x.3: bool = x.2.x > 0.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_late_value_in_branches() {
    let found = lowered("c: bool, out: &mut [f32]", "let x; if c { x = 1.0; } else { x = 2.0; } out[0] = x;");
    expect![[r#"
        let x.0: f32;
        if c {
            x.0 = 1.0f32;
        } else {
            x.0 = 2.0f32;
        }
        out[0usize] = x.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_late_vector() {
    let found = lowered(
        "c: bool, out: &mut [Vec3]",
        r"
            let v;
            let w: Vec3;
            w = Vec3::ONE;
            if c { v = w; } else { v = 2.0 * w; }
            out[0] = v;
        ",
    );
    expect![[r#"
        let v.0: vec3;
        let w.1: vec3;
        w.1 = splat<vec3>(1.0f32);
        if c {
            v.0 = w.1;
        } else {
            v.0 = 2.0f32 * w.1;
        }
        out[0usize] = v.0;
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_accumulator_learns_its_type_from_the_end() {
    let found = lowered(
        "x: &[f64], out: &mut [f64]",
        r"
            let mut s = 0.0;
            let mut n = 0;
            for j in 0..x.len() { s += x[j]; n += 1; }
            out[0] = s / n as f64;
        ",
    );
    expect![[r#"
        let mut s.0: f64 = 0.0f64;
        let mut n.1: i32 = 0i32;
        for j.2: usize in (0usize..x.extent(0)) {
            s.0 += x[j.2];
            n.1 += 1i32;
        }
        out[0usize] = s.0 / n.1 as f64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_index_variable_is_usize() {
    let found =
        lowered("x: &[f32], out: &mut [f32], v: Vec3", "let k = 2; out[k] = x[k + 1]; let j = 1; out[0] = v[j];");
    expect![[r#"
        let k.0: usize = 2usize;
        out[k.0] = x[k.0 + 1usize];
        let j.1: usize = 1usize;
        out[0usize] = v[j.1];
    "#]]
    .assert_eq(&found);
}

#[test]
fn underscore_annotations() {
    let found = lowered("x: f32", "let a: _ = x; let b: f64 = 1.0;");
    expect![[r#"
        let a.0: f32 = x;
        let b.1: f64 = 1.0f64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn function_form_of_methods() {
    let found = lowered(
        "a: f32, v: Vec3, n: i32",
        r"
            let b = f32::max(a, 0.0);
            let c = Vec3::dot(v, v);
            let d = i32::abs(n);
            let e = f32::powi(2.0, n);
            let f = f64::sqrt(2.0);
            let g = f32::mul_add(a, 2.0, 1.0);
        ",
    );
    expect![[r#"
        let b.0: f32 = max(a, 0.0f32);
        let c.1: f32 = dot(v, v);
        let d.2: i32 = abs(n);
        let e.3: f32 = powi(2.0f32, n);
        let f.4: f64 = sqrt(2.0f64);
        let g.5: f32 = mul_add(a, 2.0f32, 1.0f32);
    "#]]
    .assert_eq(&found);
}

#[test]
fn nested_ifs_share_one_type() {
    let found = lowered(
        "a: f32",
        r"
            let x = if a > 1.0 { if a > 2.0 { 3.0 } else { a } } else if a < 0.0 { 1.0 } else { { 2.0 } }
            ;
        ",
    );
    expect![[r#"
        let x.0: f32 = if a > 1.0f32 { if a > 2.0f32 { 3.0f32 } else { a } } else { if a < 0.0f32 { 1.0f32 } else { 2.0f32 } };
    "#]].assert_eq(&found);
}

#[test]
fn constructors() {
    let found = lowered(
        "a: f32",
        r"
            let v = Vec3::new(a, 1.0, 2.0);
            let w = Vec4::splat(0.0);
            let m = Mat3::from_cols(v, v, Vec3::X);
            let q = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0);
            let e = v.extend(1.0);
            let t = e.truncate();
            let d = Mat2::from_diagonal(Vec2::new(a, a));
            let i = IVec3::new(1, 2, 3);
        ",
    );
    expect![[r#"
        let v.0: vec3 = vec3(a, 1.0f32, 2.0f32);
        let w.1: vec4 = splat<vec4>(0.0f32);
        let m.2: mat33 = mat3(v.0, v.0, vec3(1.0f32, 0.0f32, 0.0f32));
        let q.3: quat = quat(0.0f32, 0.0f32, 0.0f32, 1.0f32);
        let e.4: vec4 = extend(v.0, 1.0f32);
        let t.5: vec3 = truncate(e.4);
        let d.6: mat22 = from_diagonal(vec2(a, a));
        let i.7: vec3i = vec3(1i32, 2i32, 3i32);
    "#]]
    .assert_eq(&found);
}

#[test]
fn shifts_by_any_integer() {
    let found = lowered(
        "a: u32, k: i32, n: u64, i: usize",
        r"
            let b = a << 3;
            let c = a >> k;
            let d = 1 << k;
            let e = n << i;
            let mut f = a;
            f <<= k;
            f >>= 2;
            let s = 3;
            let g = a << s;
        ",
    );
    expect![[r#"
        let b.0: u32 = a << 3u32;
        let c.1: u32 = a >> k as u32;
        let d.2: i32 = 1i32 << k;
        let e.3: u64 = n << i as u64;
        let mut f.4: u32 = a;
        f.4 <<= k as u32;
        f.4 >>= 2u32;
        let s.5: i32 = 3i32;
        let g.6: u32 = a << s.5 as u32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn comparisons_and_logic() {
    let found = lowered(
        "a: f32, n: u32, c: bool",
        r"
            let d = a > 0.0 && n != 0 || !c;
            let e = c ^ d;
            let f = c & d | e;
            let g = c == d;
            let mut h = c;
            h &= d;
            h |= e;
            h ^= f;
        ",
    );
    expect![[r#"
        let d.0: bool = a > 0.0f32 && n != 0u32 || !c;
        let e.1: bool = c ^ d.0;
        let f.2: bool = c & d.0 | e.1;
        let g.3: bool = c == d.0;
        let mut h.4: bool = c;
        h.4 &= d.0;
        h.4 |= e.1;
        h.4 ^= f.2;
    "#]]
    .assert_eq(&found);
}

#[test]
fn bits() {
    let found = lowered(
        "n: u32, k: i64, i: usize",
        r"
            let a = n & 0xff | 1 << 4 ^ !n;
            let b = !k;
            let c = i & 3;
            let mut d = n;
            d &= 1;
            d |= 2;
            d ^= 3;
            let e = !0 as u64;
        ",
    );
    expect![[r#"
        let a.0: u32 = n & 255u32 | 1u32 << 4u32 ^ !n;
        let b.1: i64 = !k;
        let c.2: usize = i & 3usize;
        let mut d.3: u32 = n;
        d.3 &= 1u32;
        d.3 |= 2u32;
        d.3 ^= 3u32;
        let e.4: u64 = !(0i32) as u64;
    "#]]
    .assert_eq(&found);
}

#[test]
fn mismatched_operands() {
    let found = mistakes(
        "x: f32, n: i32, i: usize, v: Vec3, m: Mat3, w: Vec2, c: bool",
        r"
            let a = x * 2;
            let b = n * x;
            let d = i + n;
            let e = v + w;
            let f = v * m;
            let g = v == v;
            let h = c + c;
            let j = n + 1.5;
            let k = x && c;
            let l = i << 1;
            let o = v < 1.0;
            let p = x << 1;
            let q = n << x;
        ",
    );
    expect![[r#"
        x * 2
          `*` does not take `f32` and an integer
          help: give the number a decimal point: `1.0` instead of `1`
        n * x
          `*` does not take `i32` and `f32`
          help: convert one side, for example the left one with `as f32`
        i + n
          `+` does not take `usize` and `i32`
          help: convert one side, for example the right one with `as usize`
        v + w
          `+` does not take `Vec3` and `Vec2`
          help: make both the same size: append a component with `.extend(…)`
        v * m
          `*` does not take `Vec3` and `Mat3`
          help: to `Vec3` on its left it takes `f32` or `Vec3`
        v == v
          `==` does not take `Vec3` and `Vec3`
          help: compare the components one by one
        c + c
          `+` does not take `bool` and `bool`
          help: convert the `bool` with `as i32`, or choose a value with `if`
        n + 1.5
          `+` does not take `i32` and a float
          help: write a whole number, or convert the other side with `as f32`
        x && c
          `&&` does not take `f32` and `bool`
          help: it takes conditions, such as `k != 0`
        i << 1
          `<<` does not take `usize` and an integer
          help: the width of `usize` differs between the targets: convert with `as u32`
        v < 1.0
          `<` does not take `Vec3` and a float
          help: compare the components one by one
        x << 1
          `<<` does not take `f32` and an integer
          help: only integers have bits: convert with `as u32`
        x
          the distance of a shift is an integer
          help: convert it with `as u32`
    "#]]
    .assert_eq(&found);
}

#[test]
fn mismatched_results() {
    let found = mistakes(
        "x: f32, v: Vec3, n: i32, out: &mut [f32]",
        r"
            let a: f32 = v * v;
            let b: i32 = x.floor();
            let mut s = 1.0;
            s *= v;
            out[0] = v;
            out[0] = n;
            let d: f32 = v.x_axis;
            let e: i32 = v[0];
            let f: Vec3 = x;
            let g: bool = n;
            out[1] = n > 0;
            let h: f32 = 1;
            let j: i32 = 1.0;
        ",
    );
    expect![[r#"
        v * v
          mismatched types: `*` gives `Vec3` here, and `f32` is needed
          note: the kernel language, like Rust, converts nothing by itself
          help: take a component, such as `.x`, or a product with `.dot(…)`
        x.floor()
          mismatched types: `floor` gives `f32` here, and `i32` is needed
          note: the kernel language, like Rust, converts nothing by itself
          help: convert it with `as i32`
        s *= v
          mismatched types: `*` gives `Vec3` here, and a float is needed
          note: the kernel language, like Rust, converts nothing by itself
          help: change the operands, or the type of what receives the value
        v
          mismatched types: expected `f32`, found `Vec3`
          note: the kernel language, like Rust, converts nothing by itself
          help: take a component, such as `.x`, or a product with `.dot(…)`
        n
          mismatched types: expected `f32`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: convert it with `as f32`
        v.x_axis
          `Vec3` has no field `x_axis`
          help: it has `.x`, `.y` and `.z`
        v[0]
          mismatched types: the element is `f32` here, and `i32` is needed
          note: the kernel language, like Rust, converts nothing by itself
          help: convert it with `as i32`
        x
          mismatched types: expected `Vec3`, found `f32`
          note: the kernel language, like Rust, converts nothing by itself
          help: spread a number over the components with `Vec3::splat(…)`
        n
          mismatched types: expected `bool`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: compare, for example with `!= 0`
        n > 0
          mismatched types: `>` gives `bool` here, and `f32` is needed
          note: the kernel language, like Rust, converts nothing by itself
          help: choose a number: `if c { 1.0 } else { 0.0 }`
        1
          mismatched types: expected `f32`, found an integer
          note: the kernel language, like Rust, converts nothing by itself
          help: give the number a decimal point: `1.0` instead of `1`
        1.0
          mismatched types: expected `i32`, found a float
          note: the kernel language, like Rust, converts nothing by itself
          help: write a whole number: `1` instead of `1.0`
    "#]]
    .assert_eq(&found);
}

#[test]
fn methods_on_other_types() {
    let found = mistakes(
        "x: f32, n: i32, i: usize, v: Vec3, w: Vec2",
        r"
            let a = n.sin();
            let b = x.pow(2);
            let c = v.dot(w);
            let d = x.max(1);
            let e = x.powi(2.0);
            let f = i.wrapping_add(1);
            let g = w.cross(w);
            let h = 2.0.sqrt();
            let j = v.length(1.0);
            let k = x.powi();
            let l = x.dot(x);
        ",
    );
    expect![[r#"
        n.sin()
          there is no `sin` for `i32`
          help: convert the value first: `(k as f32).sin()`
        x.pow(2)
          there is no `pow` for `f32`
          help: for floats there are `powi` and `powf`
        v.dot(w)
          `dot` of `Vec3` takes `Vec3`, found `Vec2`
          help: append a component with `.extend(…)`
        x.max(1)
          `max` of `f32` takes `f32`, found an integer
          help: give the number a decimal point: `1.0` instead of `1`
        x.powi(2.0)
          `powi` of `f32` takes `i32`, found a float
          help: write a whole number: `1` instead of `1.0`
        i.wrapping_add(1)
          there is no `wrapping_add` for `usize`
          help: the width of `usize` differs between the targets: convert with `as u32`
        w.cross(w)
          there is no `cross` for `Vec2`
          help: there is one for `Vec3` or `DVec3`
        v.length(1.0)
          `length` takes no arguments, found 1
          help: give it no arguments
        x.powi()
          `powi` takes 1 argument, found 0
          help: give it 1 argument
        x.dot(x)
          there is no `dot` for `f32`
          help: there is one for `IVec2`, `IVec3`, `IVec4`, `UVec2` and others
    "#]]
    .assert_eq(&found);
}

#[test]
fn constructors_with_wrong_arguments() {
    let found = mistakes(
        "x: f32, n: i32",
        r"
            let a = Vec3::new(x, x);
            let b = Vec3::new(1, 2, 3);
            let c = IVec2::new(1.0, 2.0);
            let d = Vec2::splat(n);
            let e = f32::new(x);
            let f = Vec3::from_xyzw(x, x, x, x);
            let g = Vec3::news(x, x, x);
            let h = f32::max(n, n);
        ",
    );
    expect![[r#"
        Vec3::new(x, x)
          `Vec3::new` takes 3 arguments, found 2
          help: give it 3 arguments
        Vec3::new(1, 2, 3)
          `Vec3::new` takes `f32`, `f32`, `f32`, found an integer, an integer, an integer
          help: give the number a decimal point: `1.0` instead of `1`
        IVec2::new(1.0, 2.0)
          `IVec2::new` takes `i32`, `i32`, found a float, a float
          help: write a whole number: `1` instead of `1.0`
        Vec2::splat(n)
          `Vec2::splat` takes `f32`, found `i32`
          help: convert it with `as f32`
        f32::new(x)
          `f32::new` is not in the kernel language
          help: docs/operations.md lists what there is
        Vec3::from_xyzw(x, x, x, x)
          `Vec3::from_xyzw` is not in the kernel language
          help: docs/operations.md lists what there is
        Vec3::news(x, x, x)
          `Vec3::news` is not in the kernel language
          help: did you mean `new`?
        n
          mismatched types: expected `f32`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: convert it with `as f32`
    "#]]
    .assert_eq(&found);
}

#[test]
fn casts_that_do_not_exist() {
    let found = mistakes(
        "x: f32, v: Vec3, c: bool, n: i32",
        r"
            let a = v as f32;
            let b = x as bool;
            let d = c as f32;
            let e = n as Vec3;
            let f = n as u8;
            let g = n as _;
        ",
    );
    expect![[r#"
        v as f32
          `Vec3` cannot be cast to `f32`
          help: `as` converts single numbers; convert the components one by one
        x as bool
          nothing can be cast to `bool`
          help: compare with zero: `k != 0`
        c as f32
          `bool` cannot be cast to `f32`
          help: choose a number: `if c { 1.0 } else { 0.0 }`
        n as Vec3
          nothing can be cast to `Vec3`
          help: `as` converts single numbers; convert the components one by one
        u8
          this type is not in the kernel language
          help: use `u32`
        _
          this type is not in the kernel language
          help: write the type
    "#]]
    .assert_eq(&found);
}

#[test]
fn nothing_decides() {
    let found = mistakes("", "let a; let b = if true { return } else { return };");
    expect![[r#"
        if true { return } else { return }
          a value is needed here, and this never gives one
          help: make it a statement of its own
    "#]]
    .assert_eq(&found);
}

#[test]
fn components_that_do_not_exist() {
    let found = mistakes(
        "v: Vec2, m: Mat3, x: f32, q: Quat",
        r"
            let a = v.z;
            let b = m.x;
            let c = x.y;
            let d = v.x_axis;
            let e = v[2];
            let f = m[0];
            let g = q[0];
            let h = x[0];
            let i = v.foo;
            let j = m.col(3);
            let k = v[1.0];
            let l = v.0;
        ",
    );
    expect![[r#"
        v.z
          `Vec2` has no field `z`
          help: it has `.x` and `.y`
        m.x
          `Mat3` has no field `x`
          help: its columns are `.x_axis`, `.y_axis` and `.z_axis`
        x.y
          `f32` has no field `y`
          help: a number has no components
        v.x_axis
          `Vec2` has no field `x_axis`
          help: it has `.x` and `.y`
        m[0]
          `Mat3` cannot be indexed by an integer
          help: take a column first: `m.col(j)[i]`
        q[0]
          `Quat` cannot be indexed by an integer
          help: its components are `.x`, `.y`, `.z`, `.w`
        x[0]
          `f32` cannot be indexed by an integer
          help: only arrays and vectors have elements
        v.foo
          there is no field `foo` in the kernel language
          help: vectors and quaternions have `.x .y .z .w`, matrices `.x_axis .y_axis .z_axis .w_axis`
        v[1.0]
          `Vec2` cannot be indexed by a float
          help: indices are `usize`: convert with `as usize`
        v
          tuples are not in the kernel language
          help: bind the indices by `let (i, j) = tid2();`; components are `.x`, `.y`, `.z`, `.w`
    "#]]
    .assert_eq(&found);
}
