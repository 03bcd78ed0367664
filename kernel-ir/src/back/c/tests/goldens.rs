//! What is written for small kernels.

use super::build::*;
use crate::back::c::{self, Dialect};
use crate::ir::{Direction, Expr, ExprKind, ForRange, Literal, StmtKind, Type};
use crate::ops::Op;
use crate::verify::VerifiedKernel;
use expect_test::{Expect, expect};

fn cuda(kernel: VerifiedKernel, text: Expect) {
    text.assert_eq(&c::write(&kernel, Dialect::Cuda));
}

fn cpp(kernel: VerifiedKernel, text: Expect) {
    text.assert_eq(&c::write(&kernel, Dialect::Cpp));
}

fn saxpy() -> VerifiedKernel {
    let mut b = Build::new("saxpy", 1);
    b.0.doc = vec!["y = a·x + y.".to_owned()];
    let a = b.value("a", Type::F32);
    let x = b.array("x", Type::F32, false, 1);
    let y = b.array("y", Type::F32, true, 1);
    let i = b.tid("i", 0);
    let x_i = b.load(x, vec![i.clone()]);
    let y_i = b.load(y, vec![i]);
    b.push(update(&y_i, Op::Add, arith(Op::Mul, &[a, x_i])));
    b.finish()
}

#[test]
fn a_launch_of_one_axis() {
    cuda(
        saxpy(),
        expect![[r#"
            using index_t = unsigned int;

            /// y = a·x + y.
            extern "C" __global__ void saxpy(
                float a,
                const float* __restrict__ x,
                float* __restrict__ y,
                index_t dim
            ) {
                for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
                    y[i] += a * x[i];
                }
            }
        "#]],
    );
    cpp(
        saxpy(),
        expect![[r#"
        using index_t = unsigned int;

        /// y = a·x + y.
        extern "C" void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, index_t dim) {
            for (index_t i = 0; i < dim; ++i) {
                y[i] += a * x[i];
            }
        }
    "#]],
    );
}

#[test]
fn a_launch_of_two_axes_with_an_early_return() {
    let kernel = || {
        let mut b = Build::new("transpose_add", 2);
        let m = b.array("m", Type::F64, false, 2);
        let out = b.array("out", Type::F64, true, 2);
        let i = b.tid("i", 0);
        let j = b.tid("j", 1);
        let n = expr(ExprKind::Extent { array: m, axis: 0 }, Type::INDEX);
        let outside = op(Op::Or, &[compare(Op::Ge, &j, &n), compare(Op::Eq, &i, &j)], Type::BOOL);
        b.push(if_(outside, vec![stmt(StmtKind::Return(None))], vec![]));
        let sum = arith(Op::Add, &[b.load(m, vec![i.clone(), j.clone()]), b.load(m, vec![j.clone(), i.clone()])]);
        let target = b.load(out, vec![i, j]);
        b.push(assign(&target, sum));
        b.finish()
    };
    cuda(
        kernel(),
        expect![[r#"
        using index_t = unsigned int;

        extern "C" __global__ void transpose_add(
            const double* __restrict__ m,
            index_t m_shape0,
            index_t m_shape1,
            double* __restrict__ out,
            index_t out_shape1,
            index_t dim0,
            index_t dim1
        ) {
            for (index_t i = blockIdx.y * blockDim.y + threadIdx.y; i < dim0; i += gridDim.y * blockDim.y) {
                for (index_t j = blockIdx.x * blockDim.x + threadIdx.x; j < dim1; j += gridDim.x * blockDim.x) {
                    if (j >= m_shape0 || i == j) {
                        continue;
                    }
                    out[i * out_shape1 + j] = m[i * m_shape1 + j] + m[j * m_shape1 + i];
                }
            }
        }
    "#]],
    );
    cpp(
        kernel(),
        expect![[r#"
        using index_t = unsigned int;

        extern "C" void transpose_add(
            const double* __restrict__ m,
            index_t m_shape0,
            index_t m_shape1,
            double* __restrict__ out,
            index_t out_shape1,
            index_t dim0,
            index_t dim1
        ) {
            for (index_t i = 0; i < dim0; ++i) {
                for (index_t j = 0; j < dim1; ++j) {
                    if (j >= m_shape0 || i == j) {
                        continue;
                    }
                    out[i * out_shape1 + j] = m[i * m_shape1 + j] + m[j * m_shape1 + i];
                }
            }
        }
    "#]],
    );
}

#[test]
fn a_return_from_a_loop_gives_the_thread_a_function() {
    let kernel = || {
        let mut b = Build::new("first_above", 1);
        let limit = b.value("limit", Type::F32);
        let x = b.array("x", Type::F32, false, 2);
        let out = b.array("out", Type::U32, true, 1);
        let i = b.tid("i", 0);
        let end = expr(ExprKind::Extent { array: x, axis: 1 }, Type::INDEX);
        let j = b.local("_", Type::INDEX, false);
        let at = expr(ExprKind::Local(j), Type::INDEX);
        let found = compare(Op::Gt, &b.load(x, vec![i.clone(), at.clone()]), &limit);
        let target = b.load(out, vec![i]);
        let store = assign(&target, cast(&at, Type::U32));
        let body = vec![if_(found, vec![store, stmt(StmtKind::Return(None))], vec![])];
        b.push(for_(j, range(index(0), end), body));
        b.finish()
    };
    cuda(
        kernel(),
        expect![[r#"
        using index_t = unsigned int;

        /// What one thread does.
        static __device__ void first_above_thread(
            float limit,
            const float* __restrict__ x,
            index_t x_shape1,
            unsigned int* __restrict__ out,
            index_t i
        ) {
            for (index_t k = 0; k < x_shape1; ++k) {
                if (x[i * x_shape1 + k] > limit) {
                    out[i] = (unsigned int)k;
                    return;
                }
            }
        }

        extern "C" __global__ void first_above(
            float limit,
            const float* __restrict__ x,
            index_t x_shape1,
            unsigned int* __restrict__ out,
            index_t dim
        ) {
            for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
                first_above_thread(limit, x, x_shape1, out, i);
            }
        }
    "#]],
    );
    cpp(
        kernel(),
        expect![[r#"
        using index_t = unsigned int;

        /// What one thread does.
        static void first_above_thread(
            float limit,
            const float* __restrict__ x,
            index_t x_shape1,
            unsigned int* __restrict__ out,
            index_t i
        ) {
            for (index_t k = 0; k < x_shape1; ++k) {
                if (x[i * x_shape1 + k] > limit) {
                    out[i] = (unsigned int)k;
                    return;
                }
            }
        }

        extern "C" void first_above(
            float limit,
            const float* __restrict__ x,
            index_t x_shape1,
            unsigned int* __restrict__ out,
            index_t dim
        ) {
            for (index_t i = 0; i < dim; ++i) {
                first_above_thread(limit, x, x_shape1, out, i);
            }
        }
    "#]],
    );
}

#[test]
fn a_launch_of_four_axes() {
    let mut b = Build::new("fill", 4);
    let out = b.array("out", Type::F32, true, 4);
    let tids: Vec<Expr> = (0..4).map(|axis| expr(ExprKind::Tid(axis), Type::INDEX)).collect();
    let target = b.load(out, tids);
    b.push(assign(&target, f32(-0.25)));
    cuda(
        b.finish(),
        expect![[r#"
            using index_t = unsigned int;

            extern "C" __global__ void fill(
                float* __restrict__ out,
                index_t out_shape1,
                index_t out_shape2,
                index_t out_shape3,
                index_t dim0,
                index_t dim1,
                index_t dim2,
                index_t dim3
            ) {
                const index_t threads = dim0 * dim1 * dim2 * dim3;
                for (index_t thread = blockIdx.x * blockDim.x + threadIdx.x; thread < threads; thread += gridDim.x * blockDim.x) {
                    const index_t l = thread % dim3;
                    const index_t k = thread / dim3 % dim2;
                    const index_t j = thread / dim3 / dim2 % dim1;
                    const index_t i = thread / dim3 / dim2 / dim1;
                    out[((i * out_shape1 + j) * out_shape2 + k) * out_shape3 + l] = -0.25f;
                }
            }
        "#]],
    );
}

#[test]
fn vectors_and_the_prelude() {
    let mut b = Build::new("project", 1);
    let vec3 = Type::from_name("vec3").expect("a type");
    let normal = b.value("normal", vec3);
    let v = b.array("v", vec3, true, 1);
    let i = b.tid("i", 0);
    let v_i = b.load(v, vec![i.clone()]);
    let (stmt, length) = b.bind("length", op(Op::Length, std::slice::from_ref(&v_i), Type::F32));
    b.push(stmt);
    let dot = op(Op::Dot, &[v_i.clone(), normal.clone()], Type::F32);
    b.push(update(&v_i, Op::Sub, op(Op::Mul, &[dot, normal], vec3)));
    let x = component(&v_i, index(0));
    b.push(update(&x, Op::Mul, length.clone()));
    let k = arith(Op::Rem, &[i, index(3)]);
    let part = component(&v_i, k);
    b.push(update(&part, Op::Add, length));
    cuda(
        b.finish(),
        expect![[r#"
            using index_t = unsigned int;

            struct vec3 {
                float x, y, z;

                __device__ float& operator[](index_t k) { return k == 0 ? x : k == 1 ? y : z; }
                __device__ float operator[](index_t k) const { return k == 0 ? x : k == 1 ? y : z; }
            };

            __device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
            __device__ inline float length(vec3 v) { return sqrtf(dot(v, v)); }
            __device__ inline vec3 operator*(float s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
            __device__ inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
            __device__ inline vec3& operator-=(vec3& a, vec3 b) { return a = a - b; }

            extern "C" __global__ void project(vec3 normal, vec3* __restrict__ v, index_t dim) {
                for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
                    const float length_ = length(v[i]);
                    v[i] -= dot(v[i], normal) * normal;
                    v[i].x *= length_;
                    v[i][i % 3] += length_;
                }
            }
        "#]],
    );
}

#[test]
fn an_atomic_declares_its_result() {
    let mut b = Build::new("claim", 1);
    let count = b.array("count", Type::I32, true, 1);
    let low = b.array("low", Type::F32, true, 1);
    let i = b.tid("i", 0);
    let first = b.load(count, vec![index(0)]);
    let old = b.local("old", Type::I32, false);
    b.push(stmt(StmtKind::Let { local: old, init: None }));
    let add = |result| StmtKind::Atomic { op: crate::ir::AtomicOp::Add, place: place(&first), value: i32(1), result };
    b.push(stmt(add(Some(old))));
    let value = cast(&expr(ExprKind::Local(old), Type::I32), Type::F32);
    let target = b.load(low, vec![i]);
    b.push(stmt(StmtKind::Atomic { op: crate::ir::AtomicOp::Min, place: place(&target), value, result: None }));
    b.push(stmt(add(None)));
    cpp(
        b.finish(),
        expect![[r##"
        #include <cmath>

        using index_t = unsigned int;

        // Threads run one after the other here: nothing comes between the read and the write.
        inline int atomic_add(int* p, int v) {
            const int old = *p;
            *p = (int)((unsigned int)old + (unsigned int)v);
            return old;
        }

        // Threads run one after the other here: nothing comes between the read and the write.
        inline float atomic_min(float* p, float v) {
            const float old = *p;
            *p = fminf(old, v);
            return old;
        }

        extern "C" void claim(int* __restrict__ count, float* __restrict__ low, index_t dim) {
            for (index_t i = 0; i < dim; ++i) {
                const int old = atomic_add(&count[0], 1);
                atomic_min(&low[i], (float)old);
                atomic_add(&count[0], 1);
            }
        }
    "##]],
    );
}

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

#[test]
fn a_bound_that_the_body_changes_is_evaluated_before_the_loop() {
    let mut b = Build::new("grow", 1);
    let out = b.array("out", Type::I32, true, 1);
    let i = b.tid("i", 0);
    let (declare, n) = b.bind_mut("n", i32(4));
    b.push(declare);
    let j = b.local("j", Type::I32, false);
    b.push(for_(j, range(i32(0), n.clone()), vec![update(&n, Op::Add, i32(1))]));
    let more = compare(Op::Lt, &n, &i32(9));
    b.push(stmt(StmtKind::While { cond: more, body: vec![update(&n, Op::Shl, i32(1))] }));
    let target = b.load(out, vec![i]);
    let (small, large) = (compare(Op::Lt, &n, &i32(0)), compare(Op::Gt, &n, &i32(99)));
    let other = if_(large, vec![assign(&target, i32(99))], vec![assign(&target, n)]);
    b.push(if_(small, vec![assign(&target, i32(0))], vec![other]));
    cpp(
        b.finish(),
        expect![[r#"
        using index_t = unsigned int;

        // The bits move as if unsigned: a negative value may be shifted.
        inline int shl(int x, int n) { return (int)((unsigned int)x << n); }

        extern "C" void grow(int* __restrict__ out, index_t dim) {
            for (index_t i = 0; i < dim; ++i) {
                int n = 4;
                const int j_end = n;
                for (int j = 0; j < j_end; ++j) {
                    n += 1;
                }
                while (n < 9) {
                    n = shl(n, 1);
                }
                if (n < 0) {
                    out[i] = 0;
                } else if (n > 99) {
                    out[i] = 99;
                } else {
                    out[i] = n;
                }
            }
        }
    "#]],
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
        -1LL
        18446744073709551615ULL
        true"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn names_keep_away_from_what_the_text_needs() {
    let mut b = Build::new("exp", 1);
    let x = b.value("x", Type::F64);
    let int = b.value("int", Type::F64);
    let out = b.array("out", Type::F64, true, 1);
    let (stmt, exp) = b.bind("exp", op(Op::Exp, &[x], Type::F64));
    b.push(stmt);
    let (stmt, y0) = b.bind("y0", arith(Op::Add, &[exp, int]));
    b.push(stmt);
    let target = b.load(out, vec![expr(ExprKind::Tid(0), Type::INDEX)]);
    b.push(assign(&target, y0));
    cpp(
        b.finish(),
        expect![[r##"
            #include <cmath>

            using index_t = unsigned int;

            extern "C" void exp_(double x, double int_, double* __restrict__ out, index_t dim) {
                for (index_t i = 0; i < dim; ++i) {
                    const double exp_1 = exp(x);
                    const double y0 = exp_1 + int_;
                    out[i] = y0;
                }
            }
        "##]],
    );
}
