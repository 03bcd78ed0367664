use super::{Algebra, Dual, Fault, Number, TRIPS, run, run_with};
use crate::data::{Arg, Argument, Data, Scalars};
use crate::ir::Type;
use crate::ops::{Op, TABLE};
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};
use expect_test::{Expect, expect};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn kernel(dim: u8, params: &str, body: &str) -> VerifiedKernel {
    let text = format!("#[kernel(family = \"f\", dim = {dim})]\nfn k({params}) {{\n{body}\n}}\n");
    let kernel = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

fn value(data: Data) -> Arg {
    Arg { ty: Type::of(data.scalar()), shape: Vec::new(), data }
}

fn array(data: Data) -> Arg {
    Arg { ty: Type::of(data.scalar()), shape: vec![data.len()], data }
}

/// Runs `body` once, with `n: i32`, and expects what it leaves in the array `y` of 8 `i32`.
fn check_ints(n: i32, body: &str, expected: [i32; 8]) {
    let kernel = kernel(1, "n: i32, y: &mut [i32; 8],", body);
    let mut args = [value(Data::I32(vec![n])), array(Data::I32(vec![0; 8]))];
    run(&kernel, &[1], &mut args).unwrap_or_else(|fault| panic!("{fault:?}\n{body}"));
    assert_eq!(args[1].data, Data::I32(expected.to_vec()), "{body}");
}

/// Appends `$value` to `y`; `y[0]` counts.
fn push(value: &str) -> String {
    format!("y[0usize] += 1i32; y[y[0usize] as usize] = {value};")
}

#[test]
fn ranges_go_as_in_rust() {
    let over = |range: &str| format!("for i.0: i32 in {range} {{ {} }}", push("i.0"));
    check_ints(3, &over("(0i32..n)"), [3, 0, 1, 2, 0, 0, 0, 0]);
    check_ints(3, &over("(1i32..=n).rev()"), [3, 3, 2, 1, 0, 0, 0, 0]);
    check_ints(9, &over("(0i32..n).step_by(4usize)"), [3, 0, 4, 8, 0, 0, 0, 0]);
    check_ints(9, &over("(0i32..n).rev().step_by(4usize)"), [3, 8, 4, 0, 0, 0, 0, 0]);
    check_ints(-5, &over("(0i32..=n)"), [0; 8]);
    check_ints(i32::MAX, &over("(n - 1i32..=n)"), [2, i32::MAX - 1, i32::MAX, 0, 0, 0, 0, 0]);
    check_ints(i32::MIN, &over("(n..=n).rev()"), [1, i32::MIN, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn control_flow() {
    let body = format!(
        "for i.0: i32 in (0i32..n) {{ if i.0 == 1i32 {{ continue; }} if i.0 == 4i32 {{ break; }} {} }}
        let mut k.1: i32 = 0i32;
        while true {{ k.1 += 1i32; if k.1 > 2i32 {{ return; }} {} }}",
        push("i.0"),
        push("k.1 * 10i32")
    );
    check_ints(9, &body, [5, 0, 2, 3, 10, 20, 0, 0]);
}

#[test]
fn operands_that_do_not_decide_are_not_evaluated() {
    check_ints(0, "if n != 0i32 && 1i32 / n == 1i32 { y[0usize] = 1i32; }", [0; 8]);
    check_ints(0, "y[0usize] = if n == 0i32 || 1i32 / n == 1i32 { 7i32 } else { 1i32 / n };", [7, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn casts_are_those_of_rust() {
    let casts = "y[0usize] = 3e9f32 as i32; y[1usize] = f64::NAN as i32; y[2usize] = -1.9f64 as i32;
        y[3usize] = -1i64 as u32 as i32; y[4usize] = 4294967297u64 as i32; y[5usize] = true as i32;
        y[6usize] = 16777217i32 as f32 as i32; y[7usize] = -5.0f32 as u64 as i32;";
    check_ints(0, casts, [i32::MAX, 0, -1, -1, 1, 1, 16_777_216, 0]);
}

#[test]
fn places_change_only_their_part() {
    let kernel = kernel(
        1,
        "m: &mut [mat22; 2], q: &mut [quat; 1],",
        "let mut t.0: mat22 = m[1usize];
        t.0.col(0usize).y = 9.0f32;
        m[1usize] = t.0;
        m[0usize].col(1usize) *= 2.0f32;
        m[0usize].col(0usize)[tid(0)] -= 1.0f32;
        q[0usize].w = m[0usize].col(1usize).x;",
    );
    let data = |from: i32, to: i32| Data::F32((from..to).map(|x| x as f32).collect());
    let mut args = [
        Arg { ty: Type::matrix(crate::ir::Scalar::F32, 2, 2), shape: vec![2], data: data(0, 8) },
        Arg { ty: Type::quat(crate::ir::Scalar::F32), shape: vec![1], data: data(0, 4) },
    ];
    run(&kernel, &[1], &mut args).unwrap();
    assert_eq!(args[0].data, Data::F32(vec![-1.0, 1.0, 4.0, 6.0, 4.0, 9.0, 6.0, 7.0]));
    assert_eq!(args[1].data, Data::F32(vec![0.0, 1.0, 2.0, 4.0]));
}

#[test]
fn threads_run_in_row_major_order() {
    let kernel = kernel(
        2,
        "count: &mut [u32; 1], y: &mut [u32; dim(0), dim(1)],",
        "let old.0: u32; old.0 = atomic_add(count[0usize], 1u32); y[tid(0), tid(1)] = old.0;",
    );
    let mut args = [Arg::zeros(Type::U32, &[1]), Arg::zeros(Type::U32, &[2, 3])];
    run(&kernel, &[2, 3], &mut args).unwrap();
    assert_eq!(args[1].data, Data::U32((0..6).collect()));
    run(&kernel, &[2, 0], &mut args).unwrap();
    assert_eq!(args[0].data, Data::U32(vec![6]));
}

#[test]
fn groups_add_part_by_part() {
    let text = "for k.0: usize in (0usize..sum.extent(0)) { atomic_add(sum[k.0], 1.0f32); }
        atomic_add(sum[tid(0)], 16777216.0f32);";
    let kernel = kernel(1, "sum: &mut [f32; dim(0)],", text);
    let run = |threads: usize| {
        let mut args = [array(Data::F32(vec![0.0; threads]))];
        run(&kernel, &[threads], &mut args).unwrap();
        let Data::F32(sums) = &args[0].data else { panic!("it stays an array of floats") };
        sums.clone()
    };
    // Beside what a thread has added after its loop, the ones of those after it are lost.
    assert_eq!(run(63)[0], 16_777_216.0);
    // All ones of a group come first.
    assert_eq!(run(64), [16_777_280.0; 64]);
    // Two chunks: a group and six threads.
    assert_eq!(run(70)[..64], [16_777_286.0; 64]);
    assert_eq!(run(70)[64], 16_777_280.0);
}

#[test]
fn floats_round_as_declared() {
    let kernel = kernel(
        1,
        "a: f32, y: &mut [f32; 1], z: &mut [f64; 1],",
        "y[0usize] = a / 3.0f32; z[0usize] = a as f64 / 3.0f64;",
    );
    let args = [value(Data::F32(vec![1.0])), array(Data::F32(vec![0.0])), array(Data::F64(vec![0.0]))];
    let mut declared = args.clone();
    run(&kernel, &[1], &mut declared).unwrap();
    assert_eq!(declared[1].data, Data::F32(vec![1.0 / 3.0]));
    assert_eq!(declared[2].data, Data::F64(vec![1.0 / 3.0]));
    let mut wide: Vec<Argument<f64, f64>> = args.iter().map(|arg| arg.map_floats(|x| f64::from(*x), |x| *x)).collect();
    run_with(&kernel, &[1], &mut wide, TRIPS).unwrap();
    assert_eq!(wide[1].data, Scalars::F32(vec![1.0 / 3.0]));
}

fn check_fault(body: &str, expected: Expect) {
    let kernel = kernel(1, "n: i32, u: u32, x: &[f32; 4], m: &mut [vec2; 2, 3],", body);
    let mut args = [
        value(Data::I32(vec![i32::MIN])),
        value(Data::U32(vec![3])),
        array(Data::F32(vec![0.0; 4])),
        Arg::zeros(Type::vector(crate::ir::Scalar::F32, 2), &[2, 3]),
    ];
    let Fault { message, thread } = run_with(&kernel, &[5], &mut args, 1000).unwrap_err();
    expected.assert_eq(&format!("{thread:?} {message}"));
}

#[test]
fn faults_have_the_numbers() {
    check_fault("let t.0: f32 = x[tid(0)];", expect!["[4] index out of bounds: `x` has length 4, the index is 4"]);
    check_fault(
        "m[1usize, tid(0)] = m[0usize, 0usize];",
        expect!["[3] index out of bounds: `m` has length 3 along axis 1, the index is 3"],
    );
    check_fault(
        "m[0usize, 0usize][tid(0)] = 1.0f32;",
        expect!["[2] index out of bounds: Vec2 has 2 components, the index is 2"],
    );
    check_fault("let t.0: i32 = n - 1i32;", expect!["[0] integer overflow: `-2147483648 - 1` does not fit i32"]);
    check_fault("let t.0: i32 = -n;", expect!["[0] integer overflow: `-(-2147483648)` does not fit i32"]);
    check_fault("let t.0: i32 = abs(n);", expect!["[0] integer overflow: `(-2147483648).abs()` does not fit i32"]);
    check_fault("let t.0: i32 = n / 0i32;", expect!["[0] division by zero: `-2147483648 / 0`"]);
    check_fault(
        "let t.0: i32 = rem_euclid(n, -1i32);",
        expect!["[0] integer overflow: `(-2147483648).rem_euclid(-1)` does not fit i32"],
    );
    check_fault("let t.0: u32 = pow(u, 21u32);", expect!["[0] integer overflow: `(3).pow(21)` does not fit u32"]);
    check_fault("let t.0: usize = tid(0) - 1usize;", expect!["[0] integer overflow: `0 - 1` does not fit usize"]);
    check_fault("let t.0: u32 = u << 32u32;", expect!["[0] shift by the width or more: `3 << 32` in u32"]);
    check_fault("let t.0: i32 = 1i32 >> n;", expect!["[0] shift by the width or more: `1 >> -2147483648` in i32"]);
    check_fault(
        "let t.0: u32 = clamp(u, 5u32, 4u32);",
        expect!["[0] `clamp` to bounds that are not in order: 5 and 4"],
    );
    check_fault(
        "let t.0: f32 = clamp(1.0f32, f32::NAN, 4.0f32);",
        expect!["[0] `clamp` to bounds that are not in order: NaN and 4.0"],
    );
    check_fault("for i.0: i32 in (0i32..0i32).step_by(tid(0)) {}", expect!["[0] the step of a `for` is 0"]);
    check_fault("while true {}", expect!["[0] the loops of the launch make more than 1000 trips"]);
    check_fault("for i.0: i32 in (0i32..400i32) {}", expect!["[2] the loops of the launch make more than 1000 trips"]);
}

#[test]
fn arguments_must_fit() {
    let kernel = kernel(1, "n: i32, x: &[f32; 4],", "");
    let check = |dim: &[usize], args: &mut [Arg], expected: Expect| {
        expected.assert_eq(&run(&kernel, dim, args).unwrap_err().message);
    };
    let (n, x) = (value(Data::I32(vec![1])), array(Data::F32(vec![0.0; 4])));
    check(&[1, 1], &mut [n.clone(), x.clone()], expect!["`k` is launched over 1 axes, not 2"]);
    check(&[1], &mut [n.clone()], expect!["`k` takes 2 arguments, not 1"]);
    check(&[1], &mut [x.clone(), n.clone()], expect!["`n` is made of i32, not f32"]);
    check(&[1], &mut [n.clone(), Arg { shape: Vec::new(), ..x.clone() }], expect!["`x` is an array of 1 axes, not 0"]);
    check(
        &[1],
        &mut [n.clone(), Arg { shape: vec![usize::MAX], ..x.clone() }],
        expect!["`x` has the shape [18446744073709551615], but 4 scalars"],
    );
}

/// Every operation of floats: the tangent against a central difference.
#[test]
fn tangents_are_derivatives() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut checked = 0;
    for def in &TABLE {
        for (row, t) in def.rows() {
            let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            let ret = row.ret.apply(t);
            if t.scalar() == crate::ir::Scalar::F64 && ret.is_float() && !matches!(def.op, Op::Row | Op::Inverse) {
                check_tangent(def.op, &args, ret, &mut rng);
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked} rows");
}

fn check_tangent(op: Op, types: &[Type], ret: Type, rng: &mut ChaCha8Rng) {
    let params: String = types.iter().enumerate().map(|(place, ty)| format!("p{place}: {ty}, ")).collect();
    let names: Vec<String> = (0..types.len()).map(|place| format!("p{place}")).collect();
    let value = match (op.def().rust, names.as_slice()) {
        (crate::ops::Syntax::Infix(sign), [a, b]) => format!("{a} {sign} {b}"),
        (crate::ops::Syntax::Prefix(sign), [a]) => format!("{sign}{a}"),
        (_, names) if matches!(op, Op::Splat) => format!("splat<{ret}>({})", names.join(", ")),
        (_, names) => format!("{}({})", op.name(), names.join(", ")),
    };
    let kernel = kernel(1, &format!("{params}y: &mut [{ret}; 1],"), &format!("y[0usize] = {value};"));
    let run_at = |point: &[Vec<Dual>]| {
        let mut args: Vec<Argument<Dual, Dual>> = types
            .iter()
            .zip(point)
            .map(|(ty, numbers)| {
                let data = if ty.is_float() { Scalars::F64(numbers.clone()) } else { Scalars::I32(vec![3]) };
                Argument { ty: *ty, shape: Vec::new(), data }
            })
            .collect();
        args.push(Argument::zeros(ret, &[1]));
        run_with(&kernel, &[1], &mut args, TRIPS).unwrap_or_else(|fault| panic!("{fault:?}"));
        let Some(Argument { data: Scalars::F64(y), .. }) = args.pop() else { panic!() };
        y
    };
    // Ascending operands between 0.2 and 0.9 are in the domain of every operation, and away from ties and jumps.
    let mut draw = |place: usize| 0.2 + 0.2 * place as f64 + f64::from(rng.next_u32()) / f64::from(u32::MAX) * 0.1;
    let point: Vec<Vec<Dual>> = types
        .iter()
        .enumerate()
        .map(|(place, ty)| (0..ty.components()).map(|_| Dual { value: draw(place), tangent: draw(place) }).collect())
        .collect();
    let moved = |by: f64| -> Vec<f64> {
        let shift = |x: &Dual| Dual::constant(x.value + by * x.tangent);
        let point: Vec<Vec<Dual>> = point.iter().map(|numbers| numbers.iter().map(shift).collect()).collect();
        run_at(&point).into_iter().map(Number::value).collect()
    };
    let (step, found) = (1e-5, run_at(&point));
    for ((found, up), down) in found.iter().zip(moved(step)).zip(moved(-step)) {
        let expected = (up - down) / (2.0 * step);
        let error = (found.tangent - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-6, "{op:?} {types:?}: expected {expected}, found {}", found.tangent);
    }
}

#[test]
fn tangents_where_there_is_no_derivative() {
    let moving = |value: f64| Dual { value, tangent: 1.0 };
    let (zero, three) = (moving(0.0), Dual { value: 3.0, tangent: 5.0 });
    let tangents = [
        zero.abs(),
        Number::min(three, moving(3.0)),
        Number::max(three, moving(3.0)),
        three.lesser(moving(3.0)),
        Number::max(Dual { value: f64::NAN, tangent: 9.0 }, three),
        Number::floor(three),
        Number::fract(three),
        Number::hypot(zero, zero),
        Number::atan2(zero, zero),
        Number::powf(zero, zero),
        Number::powi(zero, 1),
        Number::copysign(zero, three),
        moving(7.0) % three,
    ]
    .map(|number| number.tangent);
    assert_eq!(tangents, [0.0, 5.0, 5.0, 5.0, 5.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0 - 2.0 * 5.0]);
}

#[test]
fn local_arrays_start_with_zeros_and_end_somewhere() {
    let body = "for t.0: i32 in (0i32..2i32) {
            let mut a.1: [i32; 3];
            a.1[1usize] += n + t.0;
            for k.2: usize in (0usize..3usize) { y[k.2] += a.1[k.2]; }
        }";
    check_ints(5, body, [0, 11, 0, 0, 0, 0, 0, 0]);
    let kernel = kernel(1, "n: i32, y: &mut [i32; 8],", "let mut a.0: [i32; 3]; y[0usize] = a.0[n as usize];");
    let mut args = [value(Data::I32(vec![3])), array(Data::I32(vec![0; 8]))];
    let fault = run(&kernel, &[1], &mut args).unwrap_err();
    assert_eq!(fault.message, "index out of bounds: `a` has length 3, the index is 3");
}
