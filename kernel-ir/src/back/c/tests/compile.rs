//! Every row of the operation table, every cast and every atomic operation goes through the C++ compiler: each in a
//! kernel of its own, which shows that the prelude brings what it needs, and all in one kernel, which shows that its
//! parts get on with each other and with the headers.

use super::build::*;
use crate::back::c::on_host::split_includes;
use crate::back::c::{self, BLOCK_ON_HOST, CUDA_ON_HOST, Dialect};
use crate::ir::{AtomicOp, Expr, ExprKind, Literal, ParamId, Scalar, Shape, StmtKind, Type};
use crate::ops::{Op, TABLE};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const FLAGS: [&str; 8] =
    ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fsyntax-only", "-xc++", "-"];

/// Compiles `source` with g++; its complaints, or nothing if it has none or is not there.
fn complaints(source: &str) -> String {
    complaints_of(Command::new("g++").args(FLAGS), source)
}

/// What `compiler` says of a source on its standard input; nothing if it is not there.
fn complaints_of(compiler: &mut Command, source: &str) -> String {
    let mut process = match compiler.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(process) => process,
        Err(error) => {
            super::skip_compiling(compiler.get_program(), &error);
            return String::new();
        }
    };
    process.stdin.take().expect("piped").write_all(source.as_bytes()).expect("the compiler reads its input");
    let output = process.wait_with_output().expect("the compiler ends");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A kernel that gets its operands as values and stores its results.
struct Trial {
    build: Build,
    thread: Expr,
    values: HashMap<(Type, usize), Expr>,
    outputs: HashMap<Type, ParamId>,
}

impl Trial {
    fn new(name: &str) -> Trial {
        let mut build = Build::new(name, 1);
        let thread = build.tid("i", 0);
        Trial { build, thread, values: HashMap::new(), outputs: HashMap::new() }
    }

    /// The `k`th operand, of type `ty`.
    fn value(&mut self, ty: Type, k: usize) -> Expr {
        let build = &mut self.build;
        self.values.entry((ty, k)).or_insert_with(|| build.value(&format!("{ty}_{k}"), ty)).clone()
    }

    /// An element to write to.
    fn output(&mut self, ty: Type) -> Expr {
        let build = &mut self.build;
        let array = *self.outputs.entry(ty).or_insert_with(|| build.array(&format!("{ty}_out"), ty, true, 1));
        build.load(array, vec![self.thread.clone()])
    }

    fn store(&mut self, value: Expr) {
        let stmt = match value.ty {
            Type::BOOL => if_(value, vec![assign(&self.output(Type::I32), i32(1))], Vec::new()),
            Type::INDEX => assign(&self.output(Type::U32), cast(&value, Type::U32)),
            ty => assign(&self.output(ty), value),
        };
        self.build.push(stmt);
    }
}

type Case = Box<dyn Fn(&mut Trial)>;

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for def in &TABLE {
        for (row, t) in def.rows() {
            let tys: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            let ret = row.ret.apply(t);
            cases.push(Box::new(move |trial| operation(trial, def.op, &tys, ret)));
        }
    }
    for from in Scalar::ALL {
        for to in Scalar::ALL.into_iter().filter(|to| is_cast(from, *to)) {
            cases.push(Box::new(move |trial| {
                let value = trial.value(from.into(), 0);
                trial.store(cast(&value, to.into()));
            }));
        }
    }
    for op in AtomicOp::ALL {
        for ty in op.types(true).types() {
            cases.push(Box::new(move |trial| atomic(trial, op, ty)));
        }
    }
    for ty in Type::all().filter(|ty| ty.is_vector() || ty.is_matrix()) {
        cases.push(Box::new(move |trial| parts(trial, ty)));
    }
    cases.push(Box::new(|trial| {
        for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            trial.store(f32(value));
            trial.store(Expr::literal(Literal::f64(value.into())));
        }
    }));
    cases
}

fn is_cast(from: Scalar, to: Scalar) -> bool {
    match from.is_half() || to.is_half() {
        true => from == Scalar::F32 || to == Scalar::F32,
        false => to != Scalar::Bool && (from != Scalar::Bool || to.is_integer()),
    }
}

/// The operation on values, on literals where it takes an index, and as a compound assignment.
fn operation(trial: &mut Trial, which: Op, tys: &[Type], ret: Type) {
    let mut values = |literal: bool| -> Vec<Expr> {
        let value = |(k, ty): (usize, &Type)| {
            if literal && *ty == Type::INDEX { index(1) } else { trial.value(*ty, k) }
        };
        tys.iter().enumerate().map(value).collect()
    };
    let literals = op(which, &values(true), ret);
    if which == Op::Row {
        return trial.store(literals);
    }
    let args = values(false);
    trial.store(literals);
    trial.store(op(which, &args, ret));
    if which == Op::Below {
        // The texts leave out the bound.
        trial.store(args[1].clone());
    }
    if tys.len() == 2 && tys[0] == ret && ret != Type::BOOL && ret != Type::INDEX {
        let target = trial.output(ret);
        trial.build.push(update(&target, which, args[1].clone()));
    }
}

fn atomic(trial: &mut Trial, op: AtomicOp, ty: Type) {
    let (target, value) = (trial.output(ty), trial.value(ty, 0));
    let old = trial.build.local("old", ty, false);
    trial.build.push(stmt(StmtKind::Let { local: old, init: None }));
    for result in [Some(old), None] {
        let compare = (op == AtomicOp::Cas).then(|| value.clone());
        let value = value.clone();
        trial.build.push(stmt(StmtKind::Atomic { op, place: place(&target), compare, value, result }));
    }
    trial.store(expr(ExprKind::Local(old), ty));
}

/// Reads and writes a component of a vector or a column of a matrix, by literal and by run-time index.
fn parts(trial: &mut Trial, ty: Type) {
    let (value, target, thread) = (trial.value(ty, 0), trial.output(ty), trial.thread.clone());
    for k in [index(1), thread] {
        let part = |base: &Expr| match ty {
            Type { scalar: s, shape: Shape::Matrix(n, _) } => {
                expr(ExprKind::Column(Box::new(base.clone()), Box::new(k.clone())), Type::vector(s, n))
            }
            _ => component(base, k.clone()),
        };
        trial.store(part(&value));
        let read = part(&value);
        trial.build.push(assign(&part(&target), read));
    }
}

/// One text for every case, each in a namespace of its own.
fn each_alone(dialect: Dialect) -> String {
    let mut text = String::from("#include <cmath>\n#include <cstdlib>\n#include <cstring>\n");
    for (n, case) in cases().into_iter().enumerate() {
        let mut trial = Trial::new(&format!("case_{n}"));
        case(&mut trial);
        let written = c::write(&trial.build.finish(), dialect);
        text += &format!("namespace in_{n} {{\n{}}}\n", split_includes(&written).1);
    }
    text
}

/// One kernel that holds every case.
fn all_together(dialect: Dialect) -> String {
    let mut trial = Trial::new("everything");
    for case in cases() {
        case(&mut trial);
    }
    let text = c::write(&trial.build.finish(), dialect);
    match dialect {
        // The headers stand before it.
        Dialect::Cuda | Dialect::Hip => split_includes(&text).1.to_owned(),
        Dialect::Cpp => text,
    }
}

fn check(source: String) {
    let complaints = complaints(&source);
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn every_host_text_compiles() {
    check(each_alone(Dialect::Cpp));
    let together = all_together(Dialect::Cpp);
    check(c::with_wide_indices(&together));
    check(together);
}

#[test]
fn every_cuda_text_compiles() {
    let cuda = format!("{CUDA_ON_HOST}{BLOCK_ON_HOST}");
    check(format!("{cuda}{}", each_alone(Dialect::Cuda)));
    let together = format!("{cuda}{}", all_together(Dialect::Cuda));
    check(c::with_wide_indices(&together));
    check(together);
}

/// clang's pass for the device, with the headers of HIP that `scripts/install-judges.sh` installs.
#[test]
fn every_hip_text_compiles() {
    let judges = std::env::var_os("WEFT_JUDGES")
        .map_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../.judges").into(), PathBuf::from);
    let hip = judges.join("hip");
    if !hip.is_dir() {
        assert!(std::env::var_os("WEFT_REQUIRE_JUDGES").is_none(), "no headers of HIP in `{}`", hip.display());
        return super::skip("there are no headers of HIP");
    }
    let check = |text: String| {
        let source = format!("#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n{text}");
        let mut clang = Command::new("clang++");
        clang.args(["-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpulib", "-std=c++17", "-Wall"]);
        clang.args(["-Wextra", "-Werror", "-fsyntax-only", "-"]).arg(format!("--rocm-path={}", hip.display()));
        let complaints = complaints_of(clang.arg("-isystem").arg(hip.join("include")), &source);
        assert!(complaints.is_empty(), "{complaints}");
    };
    check(each_alone(Dialect::Hip));
    let together = all_together(Dialect::Hip);
    check(c::with_wide_indices(&together));
    check(together);
}

/// Compilers warn of a variable that nothing reads.
#[test]
fn thread_indices_that_nothing_reads_are_not_declared() {
    let mut build = Build::new("four_axes", 4);
    let thread = [("i", 0), ("j", 1), ("k", 2), ("l", 3)].map(|(name, axis)| build.tid(name, axis));
    let count = build.array("count", Type::U32, true, 1);
    let (target, value) = (build.load(count, vec![thread[2].clone()]), cast(&thread[0], Type::U32));
    build.push(stmt(StmtKind::Atomic { op: AtomicOp::Add, place: place(&target), compare: None, value, result: None }));
    let text = c::write(&build.finish(), Dialect::Cuda);
    check(format!("{CUDA_ON_HOST}{BLOCK_ON_HOST}{text}"));
    assert!(text.contains("index_t i =") && text.contains("index_t k =") && !text.contains("index_t l ="), "{text}");
}
