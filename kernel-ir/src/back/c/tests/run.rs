//! What emitted loops and casts do when they run: the same as Rust's, up to the ends of the types.

use super::build::*;
use crate::back::c::prelude::Preludes;
use crate::back::c::{self, Dialect};
use crate::ir::{Direction, Expr, ExprKind, ForRange, Literal, StmtKind, Type};
use crate::ops::Op;
use std::process::Command;

/// Compiles and runs a program; what it prints, or nothing if there is no compiler.
pub(super) fn output(name: &str, source: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("weft-{name}-{}", std::process::id()));
    let text = path.with_extension("cpp");
    std::fs::write(&text, source).expect("the temporary folder is writable");
    let gcc = Command::new("g++").args(["-std=c++17", "-O2", "-Wall", "-Werror", "-o"]).args([&path, &text]).output();
    let printed = gcc.map(|gcc| {
        assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
        let run = Command::new(&path).output().expect("the program starts");
        String::from_utf8(run.stdout).expect("the program prints text")
    });
    for file in [&text, &path] {
        let _ = std::fs::remove_file(file);
    }
    printed.inspect_err(|error| super::skip_compiling("g++".as_ref(), error)).ok()
}

/// How many values of a range are looked at.
const SEEN: usize = 5;

/// A kernel that stores the first values of a range and how many it saw.
fn probe(name: &str, ty: Type, bounds: Option<(Literal, Literal)>, shape: &ForRange) -> String {
    let mut b = Build::new(name, 1);
    let (start, end) = (b.value("start", ty), b.value("end", ty));
    let step = b.value("step", Type::INDEX);
    let i64 = Type::of(crate::ir::Scalar::I64);
    let seen = b.array("seen", i64, true, 1);
    b.tid("i", 0);
    let (declare, n) = b.bind_mut("n", index(0));
    b.push(declare);
    let j = b.local("j", ty, false);
    let target = b.load(seen, vec![arith(Op::Add, &[n.clone(), index(1)])]);
    let full = compare(Op::Eq, &n, &index(SEEN as u32));
    let body = vec![
        assign(&target, cast(&expr(ExprKind::Local(j), ty), i64)),
        update(&n, Op::Add, index(1)),
        if_(full, vec![stmt(StmtKind::Break)], vec![stmt(StmtKind::Continue)]),
    ];
    let (start, end) = bounds.map_or((start, end), |(start, end)| (Expr::literal(start), Expr::literal(end)));
    let step = shape.step.as_ref().map(|_| step);
    b.push(for_(j, ForRange { start, end, step, ..shape.clone() }, body));
    let count = b.load(seen, vec![index(0)]);
    b.push(assign(&count, cast(&n, i64)));
    c::write(&b.finish(), Dialect::Cpp)
}

/// The last one leaves every 32-bit type at once.
const STEPS: [usize; 3] = [2, 3, u32::MAX as usize];

const SHOW: &str = "#include <cstdio>
static void show(const long long* seen) {
    for (int k = 0; k <= seen[0]; ++k) {
        std::printf(\"%lld \", seen[k]);
    }
    std::printf(\"\\n\");
}
";

/// Tries every form of range over these bounds, as arguments and as literals.
fn loops<T: Copy>(
    name: &str,
    literal: impl Fn(T) -> Literal,
    bounds: &[T],
    steps: &[usize],
    values: impl Fn(T, T, bool, bool, usize) -> Vec<i64>,
) {
    let (mut source, mut calls) = (String::from(SHOW), String::new());
    let mut expected = Vec::new();
    for form in 0..8 {
        let (inclusive, down, stepped) = (form & 1 == 1, form & 2 == 2, form & 4 == 4);
        let direction = if down { Direction::Down } else { Direction::Up };
        let step = stepped.then(|| index(1));
        let shape = ForRange { inclusive, direction, step, ..range(index(0), index(0)) };
        let ty = literal(bounds[0]).ty();
        let general = format!("{name}_{form}");
        source += &format!("namespace of_{general} {{\n{}}}\n", probe(&general, ty, None, &shape));
        let pairs = bounds.iter().flat_map(|a| bounds.iter().map(move |b| (*a, *b)));
        for (k, (a, b)) in pairs.enumerate() {
            let own = format!("{general}_{k}");
            let text = probe(&own, ty, Some((literal(a), literal(b))), &shape);
            source += &format!("namespace of_{own} {{\n{text}}}\n");
            for step in if stepped { steps } else { &[1] } {
                let mut line = values(a, b, inclusive, down, *step);
                line.truncate(SEEN);
                line.insert(0, line.len() as i64);
                let [start, end] = [a, b].map(|bound| number(literal(bound)));
                for f in [&general, &own] {
                    let call = format!("of_{f}::{f}({start}, {end}, {step}u, seen, 1);");
                    calls += &format!("    {{ long long seen[9] = {{}}; {call} show(seen); }}\n");
                    let line: Vec<String> = line.iter().map(i64::to_string).collect();
                    expected.push((line.join(" "), call));
                }
            }
        }
    }
    source += &format!("int main() {{\n{calls}}}\n");
    if let Some(printed) = output(name, &source) {
        let differ = printed.lines().zip(&expected).filter(|(printed, (line, _))| printed.trim() != line);
        let differ: Vec<String> =
            differ.map(|(printed, (line, call))| format!("{printed}, not {line}: {call}")).collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
        assert_eq!(printed.lines().count(), expected.len());
    }
}

fn number(value: Literal) -> String {
    let mut text = String::new();
    crate::back::c::expr::literal(value, &mut Preludes::new(&[Dialect::Cpp]), &mut text);
    text
}

macro_rules! values {
    ($ty:ty) => {
        |a: $ty, b: $ty, inclusive, down, step| {
            let widen = |values: &mut dyn Iterator<Item = $ty>| values.take(SEEN).map(|v| v as i64).collect();
            match (inclusive, down) {
                (false, false) => widen(&mut (a..b).step_by(step)),
                (false, true) => widen(&mut (a..b).rev().step_by(step)),
                (true, false) => widen(&mut (a..=b).step_by(step)),
                (true, true) => widen(&mut (a..=b).rev().step_by(step)),
            }
        }
    };
}

#[test]
fn loops_over_narrow_integers_run_as_in_rust() {
    loops("over_i8", Literal::I8, &[i8::MIN, -1, 0, 100, i8::MAX], &[2, 300, u32::MAX as usize], values!(i8));
    loops("over_u8", Literal::U8, &[0, 4, u8::MAX - 1, u8::MAX], &[2, 300, u32::MAX as usize], values!(u8));
    loops(
        "over_i16",
        Literal::I16,
        &[i16::MIN, -1, 0, i16::MAX - 1, i16::MAX],
        &[3, 40000, u32::MAX as usize],
        values!(i16),
    );
    loops("over_u16", Literal::U16, &[0, 4, u16::MAX - 1, u16::MAX], &STEPS, values!(u16));
}

#[test]
fn loops_over_i32_run_as_in_rust() {
    let bounds = [i32::MIN, -1, 0, i32::MAX - 1, i32::MAX];
    loops("over_i32", Literal::I32, &bounds, &STEPS, values!(i32));
}

#[test]
fn loops_over_u32_run_as_in_rust() {
    loops("over_u32", Literal::U32, &[0, 4, u32::MAX - 1, u32::MAX], &STEPS, values!(u32));
}

#[test]
fn loops_over_i64_run_as_in_rust() {
    loops("over_i64", Literal::I64, &[i64::MIN, -2, 7, i64::MAX], &STEPS, values!(i64));
}

#[test]
fn loops_over_usize_run_as_in_rust() {
    loops("over_usize", Literal::Index, &[0, 1, 9], &STEPS[..2], values!(u32));
}
