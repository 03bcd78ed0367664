//! What several tests need: kernels of the registry as IR, and the comparison of results.

use kernel_ir::check::{CheckedKernel, check};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Expr, ExprKind};
use kernel_ir::ops::Accuracy;
use kernel_ir::text;
use kernel_rt::KernelInfo;
use std::io::Write;

/// The IR of a registered kernel, read back from its text.
pub fn checked(info: &KernelInfo) -> CheckedKernel {
    let kernel = text::parse(info.ir).unwrap_or_else(|error| panic!("{}: {error:?}", info.name));
    check(kernel).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", info.name))
}

/// Prints what the running test leaves out, under the test's name.
pub fn skip(what: &str) {
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    report(&format!("SKIPPED {}: {what}", thread.name().unwrap_or("a test")));
}

/// Prints a line that is seen although the test passes. The test harness swallows `println!`.
pub fn report(line: &str) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// How closely two correct runs of a kernel agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Units in the last place.
    pub ulp: u64,
}

impl Agreement {
    /// To the bit if every operation is exact; else the sum of what the operations of the body may differ by.
    pub fn of(kernel: &CheckedKernel) -> Agreement {
        let mut ulp = 0;
        let mut count = |expr: &Expr| {
            if let ExprKind::Op(op, args) = &expr.kind {
                let types: Vec<_> = args.iter().map(|arg| arg.ty).collect();
                if let Some((row, _)) = op.row(&types, expr.ty)
                    && let Accuracy::Ulp(n) = row.accuracy
                {
                    ulp += u64::from(n);
                }
            }
        };
        kernel.walk_exprs(&mut count);
        for function in kernel.called() {
            function.code.walk_exprs(&mut count);
        }
        Agreement { ulp }
    }
}

/// Compares the arguments after a launch. Returns the worst difference in units in the last place.
///
/// # Errors
/// The first element that differs by more than `agreement`. NaN equals nothing but NaN.
pub fn compare(kernel: &CheckedKernel, expected: &[Arg], found: &[Arg], agreement: Agreement) -> Result<u64, String> {
    let mut worst = 0;
    for ((param, expected), found) in kernel.params.iter().zip(expected).zip(found) {
        let distances = distances(&expected.data, &found.data)
            .ok_or_else(|| format!("`{}`: the results have different types or sizes", param.name))?;
        for (place, distance) in distances.into_iter().enumerate() {
            if distance > agreement.ulp {
                return Err(format!(
                    "`{}` differs at scalar {place} by {distance} ulp: expected {}, found {}",
                    param.name,
                    scalar(&expected.data, place),
                    scalar(&found.data, place)
                ));
            }
            worst = worst.max(distance);
        }
    }
    Ok(worst)
}

/// The distance of each scalar: for floats in units in the last place, for the rest 0 or `u64::MAX`.
fn distances(a: &Data, b: &Data) -> Option<Vec<u64>> {
    fn each<T: Copy>(a: &[T], b: &[T], distance: impl Fn(T, T) -> u64) -> Option<Vec<u64>> {
        (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| distance(*a, *b)).collect())
    }
    fn equal<T: PartialEq>(a: T, b: T) -> u64 {
        if a == b { 0 } else { u64::MAX }
    }
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => each(a, b, equal),
        (Data::I32(a), Data::I32(b)) => each(a, b, equal),
        (Data::U32(a), Data::U32(b)) => each(a, b, equal),
        (Data::I64(a), Data::I64(b)) => each(a, b, equal),
        (Data::U64(a), Data::U64(b)) => each(a, b, equal),
        (Data::Index(a), Data::Index(b)) => each(a, b, equal),
        (Data::F32(a), Data::F32(b)) => each(a, b, |a, b| match (a.is_nan(), b.is_nan()) {
            (true, true) => 0,
            (false, false) => u64::from(ordered32(a).abs_diff(ordered32(b))),
            _ => u64::MAX,
        }),
        (Data::F64(a), Data::F64(b)) => each(a, b, |a, b| match (a.is_nan(), b.is_nan()) {
            (true, true) => 0,
            (false, false) => ordered64(a).abs_diff(ordered64(b)),
            _ => u64::MAX,
        }),
        _ => None,
    }
}

/// Floats as integers in the same order, neighbours one apart, -0 one below +0.
fn ordered32(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    if bits < 0 { !(bits & i32::MAX) } else { bits }
}

fn ordered64(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { !(bits & i64::MAX) } else { bits }
}

fn scalar(data: &Data, place: usize) -> String {
    match data {
        Data::Bool(v) => v[place].to_string(),
        Data::I32(v) => v[place].to_string(),
        Data::U32(v) => v[place].to_string(),
        Data::I64(v) => v[place].to_string(),
        Data::U64(v) => v[place].to_string(),
        Data::Index(v) => v[place].to_string(),
        Data::F32(v) => format!("{:?}", v[place]),
        Data::F64(v) => format!("{:?}", v[place]),
    }
}

/// Whether no float is NaN or infinite.
pub fn is_finite(data: &Data) -> bool {
    match data {
        Data::F32(v) => v.iter().all(|x| x.is_finite()),
        Data::F64(v) => v.iter().all(|x| x.is_finite()),
        _ => true,
    }
}
