//! Signatures: parameters, shapes, domains, documentation.

use super::{mistakes_of, text_of};
use expect_test::expect;

#[test]
fn every_kind_of_parameter() {
    let text = text_of(
        "/// One line.
        ///
        ///   Indented.
        fn k(a: f32, b: usize, mut c: i64, d: bool, v: glam::Vec3, q: DQuat, x: &[f64], y: &mut [UVec2], m: &Array2<Mat4>) {
            let (_, _) = tid2();
            c += 1;
        }",
    );
    expect![[r#"
        /// One line.
        ///
        ///   Indented.
        #[kernel(family = "test", dim = 2)]
        fn k(
            a: f32,
            b: usize,
            c: i64,
            d: bool,
            v: vec3,
            q: quatd,
            x: &[f64; dim(0)],
            y: &mut [vec2ui; dim(0)],
            m: &[mat44; dim(0), dim(1)],
        ) {
            let mut c.0: i64 = c;
            c.0 += 1i64;
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn shapes_and_domains() {
    let text = text_of(
        "fn k(
            #[domain(1..=8)] n: i32,
            #[domain(-2.0 * std::f32::consts::PI..1.5e1)] a: f32,
            #[domain(0.0..1.0)] #[shape(n * 2 + 1)] x: &[f32],
            #[shape(dim0, x.len() / 2)] m: &Array2<f32>,
            #[domain(0..x.len())] index: &[u32],
            #[shape(m.shape()[1], n - 1, (4))] t: &mut Array3<f64>,
            #[domain(-3..3)] s: i64,
            #[domain(-1.0..1.0)] v: Vec3,
            #[domain(-5..5)] w: IVec2,
        ) {
            let _i = tid();
        }",
    );
    expect![[r##"
        #[kernel(family = "test", dim = 1)]
        fn k(
            n: i32 in 1..9,
            a: f32 in -6.283185307179586f64..15.0f64,
            x: &[f32; n * 2 + 1] in 0.0f64..1.0f64,
            m: &[f32; dim(0), x.extent(0) / 2],
            index: &[u32; dim(0)] in 0..x.extent(0),
            t: &mut [f64; m.extent(1), n - 1, 4],
            s: i64 in -3..3,
            v: vec3 in -1.0f64..1.0f64,
            w: vec2i in -5..5,
        ) {
            let _i.0: usize = tid(0);
        }
    "##]]
    .assert_eq(&text);
}

#[test]
fn a_kernel_without_parameters_or_statements() {
    expect![[r##"
        #[kernel(family = "test", dim = 1)]
        fn k(
        ) {
        }
    "##]]
    .assert_eq(&text_of("pub fn k() {}"));
}

#[test]
fn functions_that_are_no_kernels() {
    let forms = [
        "const fn k() {}",
        "async fn k() {}",
        "unsafe fn k() {}",
        "extern \"C\" fn k() {}",
        "fn k<T>(a: T) {}",
        "fn k() where f32: Copy {}",
        "fn k() -> f32 { 1.0 }",
        "fn k(self) {}",
        "struct K;",
        "fn k();",
    ];
    expect![[r#"
        const
          a kernel cannot be `const`
          help: remove `const`
        async
          a kernel cannot be `async`
          help: remove `async`: a launch runs every thread to its end
        unsafe
          a kernel cannot be `unsafe` or `safe`
          help: remove the keyword
        extern "C"
          a kernel cannot have a foreign ABI
          help: remove `extern`
        <T>
          a kernel cannot be generic
          help: write one for each type, for example with a `macro_rules!` around it
        T
          this type is not in the kernel language
          help: use `f32 f64 i32 u32 i64 u64 bool usize`, a glam vector, matrix or quaternion such as `Vec3`, or an array of those
        where f32: Copy
          a kernel cannot have a `where` clause
          help: remove it
        f32
          a kernel returns nothing
          help: write results to an array parameter, for example `out: &mut [f32]`
        self
          a kernel cannot take `self`
          help: pass the fields that it needs as parameters
        struct
          `#[kernel]` does not understand this
          note: a kernel is a plain function; its parser says: expected `fn`
          help: write `#[kernel]` before `fn name(…) { … }`
        ;
          `#[kernel]` does not understand this
          note: a kernel is a plain function; its parser says: expected curly braces
          help: write `#[kernel]` before `fn name(…) { … }`
    "#]].assert_eq(&forms.map(mistakes_of).concat());
}

#[test]
fn parameters_that_a_kernel_cannot_take() {
    let found = mistakes_of(
        "fn k(a: u8, b: &f32, c: &mut Vec3, d: [f32; 3], e: Vec<f32>, f: &[bool], g: &[usize], h: (f32, f32), i: &Array5<f32>,
            j: [f32], l: Array2<f32>, (m, n): (f32, f32), o: &[&[f32]], mut p: &mut [f32], q: &str, r: Option<f32>,
            s: &[i8], t: &'static [f32], _: f32, u: impl Fn(), v: &mut Array2) {}",
    );
    expect![[r#"
        u8
          this type is not in the kernel language
          help: use `u32`
        &f32
          single values are passed by value
          help: write `f32`
        &mut Vec3
          a kernel cannot change a single value of its caller
          help: pass an array of one element: `&mut [Vec3]`
        [f32; 3]
          this type is not in the kernel language
          help: a kernel takes its arrays as `&[T]` or `&mut [T]`
        Vec<f32>
          this type is not in the kernel language
          help: a kernel takes its arrays as `&[T]` or `&mut [T]`
        bool
          an array cannot hold `bool`
          note: arrays hold numbers, vectors, matrices and quaternions
          help: use `u32`
        usize
          an array cannot hold `usize`
          note: its size differs between the targets
          help: use `u32`
        (f32, f32)
          this type is not in the kernel language
          help: use one variable for each value
        &Array5<f32>
          this is not an array that a kernel can take
          help: arrays are `&[T]`, `&mut [T]`, and `&Array2<T>` to `&mut Array4<T>`
        [f32]
          arrays are passed by reference
          help: write `&[T]` to read it, `&mut [T]` to write it
        l
          the array `l` has 2 axes, and the launch has 1: its extents are not known
          help: give them, for example `#[shape(dim0, 16)]`
        Array2<f32>
          arrays are passed by reference
          help: write `&Array2<T>` to read it, `&mut Array2<T>` to write it
        (m, n)
          a kernel's parameter is a plain name
          help: write `name: type`
        &[f32]
          this type is not in the kernel language
          help: use the type of the value itself; arrays of arrays are `&Array2<T>`
        mut p
          the array `p` cannot be rebound
          help: remove `mut` before the name; a writable array is `&mut [T]`
        &str
          this is not an array that a kernel can take
          help: arrays are `&[T]`, `&mut [T]`, and `&Array2<T>` to `&mut Array4<T>`
        Option<f32>
          this type is not in the kernel language
          help: use `f32 f64 i32 u32 i64 u64 bool usize`, a glam vector, matrix or quaternion such as `Vec3`, or an array of those
        i8
          this type is not in the kernel language
          help: use `i32`
        'static
          a kernel's parameters have no named lifetimes
          help: remove the lifetime
        _
          a kernel's parameter is a plain name
          help: write `name: type`
        impl Fn()
          this type is not in the kernel language
          help: use `f32 f64 i32 u32 i64 u64 bool usize`, a glam vector, matrix or quaternion such as `Vec3`, or an array of those
        &mut Array2
          this is not an array that a kernel can take
          help: arrays are `&[T]`, `&mut [T]`, and `&Array2<T>` to `&mut Array4<T>`
    "#]].assert_eq(&found);
}

#[test]
fn shapes_and_domains_that_make_no_sense() {
    let found = mistakes_of(
        "fn k(#[domain(0..1)] a: f32, #[domain(1.0..0.0)] b: f32, #[domain(3)] c: i32, #[domain(..1)] d: i32,
            #[domain(5..5)] e: i32, #[shape(2)] f: f32, #[shape(2, 2)] g: &[f32], h: &Array2<f32>, #[shape(i)] l: &[f32],
            i: i32, #[shape(dim1)] m: &[f32], #[domain(-1..3)] o: u32, #[domain(0..5_000_000_000)] p: i32,
            #[domain(0.0..1.0)] #[domain(0.0..1.0)] q: f32, #[domain(true..false)] r: bool, #[shape()] s: &[f32],
            #[domain(0.0..=1.0)] t: f32, #[domain(0.0..1.0 / 0.0)] u: f32, #[domain(0.0..1.0)] v: i32,
            #[cfg(test)] w: f32, #[shape(foo())] x: &[f32]) {}",
    );
    expect![[r#"
        0
          `a` holds floats, and this is not a constant float
          help: write a number with a decimal point, such as `1.0`
        1.0..0.0
          this domain holds no values to draw
          help: write two finite ends, the lower one first
        #[domain(3)]
          a domain is a range of values
          help: write `#[domain(-1.0..1.0)]`
        ..1
          a domain has two ends
          help: write `#[domain(-1.0..1.0)]`
        5..5
          this domain holds no values to draw
          help: the lower end comes first, the upper one is left out
        #[shape(2)]
          `f` is not an array and has no shape
          help: remove the attribute
        #[shape(2, 2)]
          `g` has 1 axis, and its shape has 2
          help: give one extent for each axis
        h
          the array `h` has 2 axes, and the launch has 1: its extents are not known
          help: give them, for example `#[shape(dim0, 16)]`
        i
          this is not an integer that the launch determines
          help: use numbers, `dim0`, integer parameters and lengths of arrays that stand earlier, and `+ - * /`
        dim1
          this is not an integer that the launch determines
          help: use numbers, `dim0`, integer parameters and lengths of arrays that stand earlier, and `+ - * /`
        -1..3
          this domain has values that do not fit `u32`
          help: narrow the domain, or use a wider type
        0..5_000_000_000
          this domain has values that do not fit `i32`
          help: narrow the domain, or use a wider type
        #[domain(0.0..1.0)]
          a second domain
          help: keep one of the two
        true..false
          a `bool` has no domain
          help: remove the attribute: both values are drawn
        #[shape()]
          `s` has 1 axis, and its shape has 0
          help: give one extent for each axis
        0.0..=1.0
          a domain of floats does not include its upper end
          help: write `..` instead of `..=`
        0.0..1.0 / 0.0
          this domain holds no values to draw
          help: write two finite ends, the lower one first
        0.0
          this is not an integer that the launch determines
          help: write a whole number below 2⁶³
        1.0
          this is not an integer that the launch determines
          help: write a whole number below 2⁶³
        cfg
          the attribute `cfg` cannot stand inside of a kernel
          note: it would be applied after `#[kernel]` has read the function
          help: put it before the whole function, or remove it
        foo()
          this is not an integer that the launch determines
          help: use numbers, `dim0`, integer parameters and lengths of arrays that stand earlier, and `+ - * /`
    "#]]
    .assert_eq(&found);
}
