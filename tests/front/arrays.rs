//! Arrays, elements and places.

use super::{lowered, mistakes};
use expect_test::expect;

#[test]
fn elements_and_lengths() {
    let found = lowered(
        "x: &[f32], m: &Array2<f32>, t: &mut Array3<i32>, out: &mut [f32]",
        r"
            let (i, j, _) = tid3();
            out[i] = x[i] + m[[i, j]] + x.len() as f32 + m.shape()[1] as f32;
            t[[i, j, 0]] += 1;
            t[[0, 1, 2]] = 5;
        ",
    );
    expect![[r#"
        let i.0: usize = tid(0);
        let j.1: usize = tid(1);
        out[i.0] = x[i.0] + m[i.0, j.1] + x.extent(0) as f32 + m.extent(1) as f32;
        t[i.0, j.1, 0usize] += 1i32;
        t[0usize, 1usize, 2usize] = 5i32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn components_as_places() {
    let found = lowered(
        "v: &mut [Vec3], m: &mut [Mat3], k: usize",
        r"
            v[0].x = 1.0;
            v[k][k] += 2.0;
            m[0].x_axis.y = 3.0;
            m[0].col_mut(1)[0] = 4.0;
            m[1].col_mut(k).z -= 5.0;
            *m[2].col_mut(2) = Vec3::ONE;
            *m[2].col_mut(k) += Vec3::X;
            let mut w = v[0];
            w.y = 2.0;
            w[2] = 1.0;
            let mut a = m[0];
            a.col_mut(0).x = 1.0;
            (a.y_axis).x = 2.0;
        ",
    );
    expect![[r#"
        v[0usize].x = 1.0f32;
        v[k][k] += 2.0f32;
        m[0usize].col(0usize).y = 3.0f32;
        m[0usize].col(1usize).x = 4.0f32;
        m[1usize].col(k).z -= 5.0f32;
        m[2usize].col(2usize) = splat<vec3>(1.0f32);
        m[2usize].col(k) += vec3(1.0f32, 0.0f32, 0.0f32);
        let mut w.0: vec3 = v[0usize];
        w.0.y = 2.0f32;
        w.0.z = 1.0f32;
        let mut a.1: mat33 = m[0usize];
        a.1.col(0usize).x = 1.0f32;
        a.1.col(1usize).x = 2.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn components_as_values() {
    let found = lowered(
        "v: Vec4, m: Mat3, q: Quat, k: usize",
        r"
            let a = v.x + v[k] + v[3];
            let b = m.col(k)[1] + m.y_axis.z;
            let c = q.w;
            let d = m.row(1);
            let e = (v * 2.0).y;
        ",
    );
    expect![[r#"
        let a.0: f32 = v.x + v[k] + v.w;
        let b.1: f32 = m.col(k).y + m.col(1usize).z;
        let c.2: f32 = q.w;
        let d.3: vec3 = row(m, 1usize);
        let e.4: f32 = (v * 2.0f32).y;
    "#]]
    .assert_eq(&found);
}

#[test]
fn launch_indices() {
    let found = lowered(
        "out: &mut Array4<f32>",
        r"
            let (i, j, k, l) = tid4();
            let (a, _, c, _) = tid4();
            out[[i, j, k, l]] = (a + c) as f32;
        ",
    );
    expect![[r#"
        let i.0: usize = tid(0);
        let j.1: usize = tid(1);
        let k.2: usize = tid(2);
        let l.3: usize = tid(3);
        let a.4: usize = tid(0);
        let c.5: usize = tid(2);
        out[i.0, j.1, k.2, l.3] = (a.4 + c.5) as f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_mutable_launch_index() {
    let found = lowered(
        "out: &mut Array2<f32>",
        r"
            let (mut i, j): (usize, usize) = tid2();
            i += 1;
            out[[i, j]] = 0.0;
        ",
    );
    expect![[r#"
        let mut i.0: usize = tid(0);
        let j.1: usize = tid(1);
        i.0 += 1usize;
        out[i.0, j.1] = 0.0f32;
    "#]]
    .assert_eq(&found);
}

#[test]
fn mistakes_with_arrays() {
    let found = mistakes(
        "x: &[f32], m: &mut Array2<f32>, out: &mut [f32], n: i32, #[shape(1, 1, 1)] t: &Array3<i32>",
        r"
            let a = x;
            x[0] = 1.0;
            let b = x[n];
            let c = x[0.5];
            let d = m[0];
            let e = m[0][1];
            let f = m[[0]];
            let g = x[[0]];
            let h = m.len();
            let i = x.shape()[0];
            let j = m.shape();
            let k = m.shape()[2];
            let l = m.shape()[n];
            let o = x[0..2];
            let p = x.iter();
            let q = t[[0, 1]];
            out = x;
            let r = x + 1.0;
            let s = &x[0];
            let u = x.first();
        ",
    );
    expect![[r#"
        m
          the array `m` has 2 axes, and the launch has 1: its extents are not known
          help: give them, for example `#[shape(dim0, 16)]`
        x
          the array `x` is not a value
          declared here: x
          help: read an element: `x[i]`
        x[0]
          the array `x` is read only
          declared here: x
          help: declare `x` with `&mut`
        n
          mismatched types: expected `usize`, found `i32`
          note: the kernel language, like Rust, converts nothing by itself
          help: convert it with `as usize`
        0.5
          mismatched types: expected `usize`, found a float
          note: the kernel language, like Rust, converts nothing by itself
          help: an index is a whole number: convert it with `as usize`, which drops the fraction
        0
          `m` has 2 axes
          help: index it as `m[[i, j]]`
        0
          `m` has 2 axes
          help: index it as `m[[i, j]]`
        [0]
          `m` has 2 axes
          help: index it as `m[[i, j]]`
        [0]
          `x` has 1 axis
          help: index it as `x[i]`
        m.len()
          `m` has 2 axes and no `len`
          help: write `m.shape()[0]`
        x.shape()[0]
          `x` is a slice and has no `shape`
          help: write `x.len()`
        m.shape()
          a shape is not a value
          help: take one extent: `m.shape()[0]`
        2
          `m` has no axis 2
          help: the axes of `m` are 0 to 1
        n
          the axis of a shape is a literal number
          help: the axes of `m` are 0 to 1
        0..2
          a part of `x` is not a value
          help: read one element at a time: `x[i]`
        x.iter()
          arrays have no method `iter` in the kernel language
          help: loop over indices: `for j in 0..x.len()`
        [0, 1]
          `t` has 3 axes
          help: index it as `t[[i, j, k]]`
        out
          the array `out` is not a value
          declared here: out
          help: read an element: `out[i]`
        x
          the array `x` is not a value
          declared here: x
          help: read an element: `x[i]`
        x
          the array `x` is not a value
          declared here: x
          help: read an element: `x[i]`
        &x[0]
          references are not in the kernel language
          help: use the value itself; `&mut` stands only in `atomic_add(&mut out[i], v)` and its like
        x.first()
          arrays have no method `first` in the kernel language
          help: there are `x.len()` for slices and `shape()[0]` for the rest
    "#]]
    .assert_eq(&found);
}

#[test]
fn mistakes_with_places() {
    let found = mistakes(
        "p: f32, v: Vec3, m: Mat3",
        r"
            p = 1.0;
            v.x = 2.0;
            let a = 1.0;
            a = 2.0;
            let mut w = m;
            w.col(0).x = 1.0;
            w.col(0) = v;
            p + 1.0 = 2.0;
            let c = w.col_mut(0);
            3.0 = p;
            *w = m;
            { w }.x_axis = v;
            p += 1.0;
            *w.col(1) = v;
            let (b, d) = (1.0, 2.0);
            (p, p) = (1.0, 2.0);
        ",
    );
    expect![[r#"
        p
          the parameter `p` cannot be assigned
          declared here: p
          help: declare it as `mut p` to change the thread's own copy
        v
          the parameter `v` cannot be assigned
          declared here: v
          help: declare it as `mut v` to change the thread's own copy
        a
          `a` cannot be assigned a second time
          declared here: a
          help: declare it with `let mut a`
        w.col(0)
          this cannot be assigned
          help: write `*m.col_mut(k) = …`, or `m.col_mut(k).x = …` for a component
        w.col(0)
          this cannot be assigned
          help: write `*m.col_mut(k) = …`, or `m.col_mut(k).x = …` for a component
        p + 1.0
          this cannot be assigned
          help: assign a variable, an array element, or a component of one
        w.col_mut(0)
          `col_mut` stands only where a column is assigned
          help: read a column with `col`; assign one with `*m.col_mut(k) = …`
        3.0
          this cannot be assigned
          help: assign a variable, an array element, or a component of one
        *w
          references are not in the kernel language
          help: remove the `*`
        { w }
          this cannot be assigned
          help: assign a variable, an array element, or a component of one
        p
          the parameter `p` cannot be assigned
          declared here: p
          help: declare it as `mut p` to change the thread's own copy
        w.col(1)
          this cannot be assigned
          help: write `*m.col_mut(k) = …`, or `m.col_mut(k).x = …` for a component
        (b, d)
          tuples are not in the kernel language
          help: write one `let` for each value; only `let (i, j) = tid2();` binds several
        (p, p)
          tuples are not in the kernel language
          help: use one variable for each value
        (1.0, 2.0)
          tuples are not in the kernel language
          help: use one variable for each value
    "#]]
    .assert_eq(&found);
}

#[test]
fn mistakes_with_atomics() {
    let found = mistakes(
        "x: &[f32], out: &mut [f32], v: &mut [Vec3], n: &mut [i32], p: f32",
        r"
            atomic_add(&mut out[0]);
            atomic_add(out[0], 1.0);
            atomic_add(&out[0], 1.0);
            atomic_add(&mut x[0], 1.0);
            atomic_add(&mut v[0], v[1]);
            atomic_add(&mut v[0].x, 1.0);
            atomic_add(&mut n[0], 1.0);
            let mut q = p;
            atomic_add(&mut q, 1.0);
            atomic_or(&mut n[0], 1);
            atomic_add(&mut out, 1.0);
        ",
    );
    expect![[r#"
        atomic_add(&mut out[0])
          `atomic_add` takes an array element and a value
          help: write `atomic_add(&mut out[k], v)`
        out[0]
          `atomic_add` changes an array element through `&mut`
          help: write `atomic_add(&mut out[k], v)`
        &out[0]
          `atomic_add` changes an array element through `&mut`
          help: write `atomic_add(&mut out[k], v)`
        x[0]
          the array `x` is read only
          declared here: x
          help: declare `x` with `&mut`
        v[0]
          `atomic_add` works on single numbers
          help: keep each component in an array of its own
        v[0].x
          `atomic_add` works on a whole array element
          help: keep each component in an array of its own
        1.0
          mismatched types: expected `i32`, found a float
          note: the kernel language, like Rust, converts nothing by itself
          help: write a whole number: `1` instead of `1.0`
        q
          `atomic_add` works on a whole array element
          note: a thread's own variables need no atomics
          help: write `atomic_add(&mut out[k], v)`
        atomic_or(&mut n[0], 1)
          the function `atomic_or` is not in the kernel language
          note: a kernel may call the methods of the language and device functions
          help: write `#[device]` before the function
        out
          the array `out` is not a value
          declared here: out
          help: read an element: `out[i]`
    "#]]
    .assert_eq(&found);
}

#[test]
fn mistakes_with_the_launch() {
    let found = mistakes(
        "out: &mut [f32]",
        r"
            let i = tid();
            let (a, b) = tid2();
            let t = tid3();
            let c = tid2().0;
            let (d, e, f) = tid2();
            let g = tid(0);
            let ((h), k) = tid2();
        ",
    );
    expect![[r#"
        (a, b)
          `tid2()` in a kernel that calls `tid()`
          first called here: tid()
          help: a kernel has one launch dimension: call the same function everywhere
        tid3()
          `tid3()` in a kernel that calls `tid()`
          first called here: tid()
          help: a kernel has one launch dimension: call the same function everywhere
        tid3()
          `tid3()` gives several indices at once
          help: bind them by `let (i, j, k) = tid3();`
        tid2()
          `tid2()` in a kernel that calls `tid()`
          first called here: tid()
          help: a kernel has one launch dimension: call the same function everywhere
        tid2()
          `tid2()` gives several indices at once
          help: bind them by `let (i, j) = tid2();`
        (d, e, f)
          `tid2()` in a kernel that calls `tid()`
          first called here: tid()
          help: a kernel has one launch dimension: call the same function everywhere
        (d, e, f)
          `tid2()` gives 2 indices, and 3 are bound
          help: bind one name for each launch axis, `_` for those that you do not need
        tid(0)
          `tid` takes no arguments
          help: write `tid()`
        ((h), k)
          `tid2()` in a kernel that calls `tid()`
          first called here: tid()
          help: a kernel has one launch dimension: call the same function everywhere
        (h)
          a thread index is bound to a plain name
          help: write a name, or `_`
    "#]]
    .assert_eq(&found);
}
