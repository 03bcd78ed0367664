//! Whole modules, and the table against the prelude.

mod kernels;

use super::{prelude, write};
use crate::ir::Kernel;
use crate::ops::{Spelling, TABLE};
use crate::verify::verify;
use expect_test::{Expect, expect};

fn golden(kernel: Kernel, expected: Expect) {
    let kernel = verify(kernel).expect("the kernel is sound");
    expected.assert_eq(&write(&kernel));
}

#[test]
fn every_helper_of_the_table_is_defined_for_its_operands() {
    for def in &TABLE {
        for (row, t) in def.rows() {
            if let Spelling::Helper(name) = row.py {
                let mut needed = prelude::Needed::default();
                needed.add(name, row.args[0].apply(t));
                assert!(needed.sources().next().is_some(), "{}: no `{name}` for {t}", def.name);
            }
        }
    }
}

#[test]
fn the_table_names_no_c_spelling_for_python() {
    for row in TABLE.iter().flat_map(|def| def.overloads) {
        assert!(!matches!(row.py, Spelling::Math(_)), "{:?}", row.py);
    }
}

#[test]
fn saxpy() {
    golden(
        kernels::saxpy(),
        expect![[r#"
        import warp as wp


        @wp.kernel
        def saxpy(a: float, x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
            """y = a·x + y, with \"\"\"quotes\"\"\" and \\.

            A second line.
            """
            i = wp.tid()
            y[i] += a * x[i]
    "#]],
    );
}

#[test]
fn ranges() {
    golden(
        kernels::ranges(),
        expect![[r#"
            import warp as wp


            @wp.kernel
            def ranges(n: int, u: wp.uint32, out: wp.array(dtype=wp.int32)):
                i = wp.tid()
                s = int(0)
                for j in range(4):
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                for j in range(2, n):
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                j = int(0)
                while j < n:
                    j += 1
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                j = int(n)
                while j > 0:
                    j -= 1
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                for j in range(n, -5, -3):
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                for trip in range(0, wp.max(n, -3) - -3, 2):
                    j = -3 + trip
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                for trip_1 in range(int(u)):
                    j_1 = wp.uint32(trip_1)
                    if int(j_1) == 3:
                        continue
                    s += s * 2 + int(j_1)
                    s = s % 1000
                for trip_2 in range(3):
                    j_2 = wp.uint32(4294967293) + wp.uint32(trip_2)
                    if int(j_2) == 3:
                        continue
                    s += s * 2 + int(j_2)
                    s = s % 1000
                for trip_3 in range(int(wp.max(u, wp.uint32(9)) - wp.uint32(9))):
                    j_3 = u - wp.uint32(trip_3 + 1)
                    if int(j_3) == 3:
                        continue
                    s += s * 2 + int(j_3)
                    s = s % 1000
                for trip_4 in range(0, int(wp.max(u, wp.uint32(1)) - wp.uint32(1)), 2):
                    j_4 = u - wp.uint32(trip_4 + 1)
                    if int(j_4) == 3:
                        continue
                    s += s * 2 + int(j_4)
                    s = s % 1000
                start = u - wp.uint32(2)
                for trip_5 in range(int(wp.max(u, start) - start) + int(u >= start)):
                    j_5 = start + wp.uint32(trip_5)
                    if int(j_5) == 3:
                        continue
                    s += s * 2 + int(j_5)
                    s = s % 1000
                end = wp.int64(n)
                for trip_6 in range(int(wp.max(end, wp.int64(-2)) - wp.int64(-2)) + int(end >= wp.int64(-2))):
                    j_6 = end - wp.int64(trip_6)
                    if int(j_6) == 3:
                        continue
                    s += s * 2 + int(j_6)
                    s = s % 1000
                for trip_7 in range(0, 7, 2):
                    j_7 = wp.int64(-2) + wp.int64(trip_7)
                    if int(j_7) == 3:
                        continue
                    s += s * 2 + int(j_7)
                    s = s % 1000
                for j in range(5, 2):
                    if j == 3:
                        continue
                    s += s * 2 + j
                    s = s % 1000
                out[i] = s
        "#]],
    );
}

#[test]
fn control() {
    golden(
        kernels::control(),
        expect![[r#"
        import warp as wp


        @wp.kernel
        def control(n: int, out: wp.array(dtype=wp.int32)):
            i = wp.tid()
            last = int(0)
            count = int(0)
            while True:
                count += 1
                if count % 2 == 0:
                    continue
                if count > i:
                    last = count * 10
                    break
                last = int(-1)
            go = bool(True)
            n_1 = n
            while go:
                n_1 -= 1
                if n_1 < 2:
                    go = bool(False)
            for a in range(3):
                for b in range(n):
                    t = int(1)
                    t += b
                    count += t
            if i == 2:
                out[i] = -7
                return
            out[i] = last + count * 1000 + n_1
    "#]],
    );
}

#[test]
fn lazy() {
    golden(
        kernels::lazy(),
        expect![[r#"
        import warp as wp


        @wp.kernel
        def lazy(x: wp.array(dtype=wp.int32), out: wp.array(dtype=wp.int32)):
            i = wp.tid()
            out[i] = x[i * 1000000000] if i == 0 else 5 if not i == 0 or x[i * 1000000000] > 100 else 6
            if i == 0 and x[i * 1000000000] > 0:
                out[i] += 10
            if not i == 0 or x[i * 1000000000] > 100:
                out[i] *= -3
            elif (i > 0) == (i < 2):
                pass
            else:
                out[i] /= -2
            if (i > 0) == (i < 2):
                out[i] %= 4
    "#]],
    );
}

#[test]
fn parts() {
    golden(
        kernels::parts(),
        expect![[r#"
        from typing import Any

        import warp as wp


        @wp.func
        def mat_mul(a: Any, b: Any):
            r = a
            for j in range(len(a)):
                r[:, j] = a * b[:, j]
            return r


        @wp.kernel
        def range_(lambda_: wp.array2d(dtype=wp.vec3), double_: wp.array2d(dtype=wp.mat22)):
            i, int_ = wp.tid()
            x = lambda_[i, int_][int_]
            x_1 = lambda_[i, int_]
            x_1.x *= x
            x_1[int_] += 2.0
            x_1 = wp.cw_mul(x_1, x_1)
            lambda_[i, int_] = x_1
            lambda_[i, int_].y = x
            lambda_[i, int_].y = lambda_[i, int_].y / 2.0
            lambda_[i, int_].z -= 2.0
            y = double_[i, int_]
            y[:, 1] = wp.vec2(8.0, 2.0)
            y[:, 0] = y[:, 0] * 2.0
            y[1, 0] -= x
            double_[i, int_] = mat_mul(double_[i, int_], y)
            double_[i, int_][0, 1] = double_[i, int_][0, 1] * 2.0
            matrix = double_[i, int_]
            matrix[:, 0] = wp.vec2(8.0, 2.0)
            double_[i, int_] = matrix
            matrix_1 = double_[i, int_]
            matrix_1[:, 0] -= wp.vec2(8.0, 2.0)
            double_[i, int_] = matrix_1
            matrix_2 = double_[i, int_]
            matrix_2[:, 0] += y * wp.vec2(8.0, 2.0)
            double_[i, int_] = matrix_2
    "#]],
    );
}

#[test]
fn histogram() {
    golden(
        kernels::histogram(),
        expect![[r#"
            from typing import Any

            import warp as wp


            @wp.func
            def as_index(x: Any):
                """An integer as an index. Rust makes a negative one huge; an index of Warp ends at 2147483647."""
                if x < type(x)(0) or x > type(x)(2147483647):
                    return 2147483647
                return int(x)


            @wp.kernel
            def histogram(
                x: wp.array(dtype=wp.int32),
                bins: wp.array(dtype=wp.uint32),
                order: wp.array(dtype=wp.uint32),
            ):
                i = wp.tid()
                h = (
                    (wp.uint32(x[i]) * wp.uint32(2654435761))
                    ^ ((wp.uint32(x[i]) * wp.uint32(2654435761)) >> wp.uint32(16))
                )
                bin = int(h % wp.uint32(bins.shape[0]))
                old = wp.atomic_add(bins, bin, wp.uint32(1))
                wp.atomic_max(order, 0, h)
                order[i + 1] = old
                if as_index(x[i]) >= 100:
                    order[i + 1] += wp.uint32(100)
        "#]],
    );
}

#[test]
fn stride() {
    golden(
        kernels::stride(),
        expect![[r#"
            from typing import Any

            import warp as wp


            @wp.func
            def clamp(x: Any, low: Any, high: Any):
                if x < low:
                    return low
                if x > high:
                    return high
                return x


            # By squaring, as in Rust.
            @wp.func_native(
                """
                float power = 1, square = x;
                for (int rest = n; rest != 0; rest /= 2) {
                    if (rest % 2 != 0) power *= square;
                    square *= square;
                }
                return n < 0 ? 1 / power : power;
                """,
                "if (n != 0) adj_x += n * pow(x, n - 1.0f) * adj_ret;",
            )
            def powi(x: wp.float32, n: wp.int32) -> wp.float32: ...


            @wp.kernel
            def powi_(x: wp.array(dtype=wp.float32)):
                i, row = wp.tid()
                while row < x.shape[0]:
                    clamp_ = clamp(powi(x[row], 2), -1.0, wp.inf)
                    x[row] = clamp_
                    row += 4
        "#]],
    );
}

#[test]
fn empty() {
    golden(
        kernels::empty(),
        expect![[r#"
        import warp as wp


        @wp.kernel
        def empty(x: wp.array(dtype=wp.float32)):
            pass
    "#]],
    );
}
