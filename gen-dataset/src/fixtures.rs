//! Test fixtures: a kernel made by hand, and datasets of such kernels.

use crate::cli::Cli;
use crate::commands::generate::{Request, generate};
use crate::error::Error;
use crate::model::Record;
use crate::out::{Stats, stored};
use clap::Parser;
use kernel_ir::back::python;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{
    Domain, Expr, ExprKind, Kernel, Literal, Param, ParamId, ParamKind, Place, PlaceRoot, SizeExpr, Span, Stmt,
    StmtKind, Type,
};
use kernel_ir::ops::Op;
use kernel_ir::target::{self, TARGETS};
use kernel_ir::verify::{self, VerifiedKernel};
use kernel_ir::{adjoint, interp, text};
use kernel_rt::{BackwardInfo, KernelInfo, LaunchError};
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

/// Prints the reason for which the running test skips something. With `WEFT_REQUIRE_JUDGES`, as in `.ci/run`, it fails.
pub(crate) fn skip(what: &str) {
    assert!(std::env::var_os("WEFT_REQUIRE_JUDGES").is_none(), "{what}");
    let thread = std::thread::current();
    // The test harness captures `eprintln!`, but not this. A closed standard error must not fail the test.
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {what}", thread.name().unwrap_or("a test"));
}

/// A temporary folder for a dataset of given kernels.
pub(crate) struct Dataset {
    folder: TempDir,
    kernels: Vec<&'static KernelInfo>,
}

impl Dataset {
    /// Makes a temporary folder for a dataset of `kernels`. The dataset's own folder does not exist yet.
    pub(crate) fn new(kernels: &[&'static KernelInfo]) -> Dataset {
        Dataset {
            folder: tempfile::tempdir().expect("the system has a folder for temporary files"),
            kernels: kernels.to_vec(),
        }
    }

    /// The folder of the dataset.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("dataset")
    }

    /// Runs `gen-dataset` with `args`.
    pub(crate) fn generate(&self, args: &[&str]) -> Result<Option<Stats>, Error> {
        generate(&self.request(args)?, &|| false)
    }

    /// The records of the dataset.
    pub(crate) fn records(&self) -> Vec<Record> {
        let (_, records) = stored(&self.path()).expect("the dataset is complete");
        records.map(|record| record.expect("it can be read").record().expect("it is a record")).collect()
    }

    /// The request that `gen-dataset` makes of `args`.
    pub(crate) fn request(&self, args: &[&str]) -> Result<Request, Error> {
        let output = self.path();
        let typed = ["gen-dataset", "--output", output.to_str().expect("the path is text")];
        let cli = Cli::try_parse_from(typed.iter().chain(args)).expect("the arguments are well-formed");
        Request::new(&cli.generate, &self.kernels)
    }
}

/// `y = a·sin(x)`, then `y += a`.
pub(crate) fn wave() -> VerifiedKernel {
    named("wave")
}

/// The registry's entry for a kernel like [`wave`].
pub(crate) fn info(family: &'static str, name: &'static str) -> &'static KernelInfo {
    info_with(family, name, cpu)
}

/// The same as [`info`], in the module `module`.
pub(crate) fn info_in(module: &'static str, name: &'static str) -> &'static KernelInfo {
    info_of(module, "math", name, cpu)
}

/// The registry's entry for a kernel like [`wave`], with `cpu` as its CPU version.
pub(crate) fn info_with(
    family: &'static str,
    name: &'static str,
    cpu: fn(&[usize], &mut [Arg]) -> Result<(), LaunchError>,
) -> &'static KernelInfo {
    info_of("fixtures", family, name, cpu)
}

fn info_of(
    module: &'static str,
    family: &'static str,
    name: &'static str,
    cpu: fn(&[usize], &mut [Arg]) -> Result<(), LaunchError>,
) -> &'static KernelInfo {
    let mut kernel = (*named(name)).clone();
    kernel.family = family.to_owned();
    let kernel = verify::verify(kernel).expect("a family is only a name");
    Box::leak(Box::new(KernelInfo::new(
        name,
        module,
        family,
        "fn wave() {}",
        Box::leak(text::print(&kernel).into_boxed_str()),
        texts(&kernel),
        python::write(&kernel).leak(),
        cpu,
        "one core",
        Some(backward_info(&kernel)),
        &[],
        &[],
    )))
}

/// The texts of a kernel, one for each target.
fn texts(kernel: &VerifiedKernel) -> &'static [(&'static str, &'static str)] {
    let written = TARGETS.iter().zip(target::write(&TARGETS.each_ref(), kernel));
    let leaked = written.map(|(target, text)| (target.id, &*text.expect("targets of the compiler write all").leak()));
    leaked.collect::<Vec<_>>().leak()
}

/// The registry's entry for the adjoint of a kernel like [`wave`].
fn backward_info(kernel: &VerifiedKernel) -> BackwardInfo {
    let adjoint = adjoint::backward(kernel).expect("a wave has a derivative");
    BackwardInfo::new(
        text::print(&adjoint.kernel).leak(),
        texts(&adjoint.kernel),
        cpu_backward,
        "one core",
        adjoint.sources.leak(),
    )
}

/// The CPU version of the adjoint of [`wave`].
fn cpu_backward(dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError> {
    let adjoint = adjoint::backward(&wave()).expect("a wave has a derivative");
    interp::run(&adjoint.kernel, dim, args).expect("it runs");
    Ok(())
}

/// The CPU version of [`wave`].
pub(crate) fn cpu(_: &[usize], args: &mut [Arg]) -> Result<(), LaunchError> {
    let [Arg { data: Data::F32(a), .. }, Arg { data: Data::F32(x), .. }, Arg { data: Data::F32(y), .. }] = args else {
        panic!("the arguments are not those of `wave`");
    };
    for (y, x) in y.iter_mut().zip(x) {
        *y = a[0] * x.sin();
        *y += a[0];
    }
    Ok(())
}

fn named(name: &str) -> VerifiedKernel {
    let array = |name: &str, mutable| Param {
        name: name.to_owned(),
        kind: ParamKind::Array { elem: Type::F32, mutable, optional: false, shape: vec![SizeExpr::Dim(0)] },
        domain: (!mutable).then(|| Domain::floats(-1.0, 1.0)),
        span: Span::NONE,
    };
    let a = Param {
        name: "a".to_owned(),
        kind: ParamKind::Value(Type::F32),
        domain: Some(Domain::floats(0.5, 2.0)),
        span: Span::NONE,
    };
    let expr = |kind, ty| Expr { kind, ty, span: Span::NONE };
    let tid = || expr(ExprKind::Tid(0), Type::INDEX);
    let value = || expr(ExprKind::Param(ParamId(0)), Type::F32);
    let x = expr(ExprKind::Load { array: ParamId(1), index: vec![tid()] }, Type::F32);
    let sine = expr(ExprKind::Op(Op::Sin, vec![x]), Type::F32);
    let scaled = expr(ExprKind::Op(Op::Mul, vec![value(), sine]), Type::F32);
    let y = || Place {
        root: PlaceRoot::Element { array: ParamId(2), index: vec![tid()] },
        path: vec![],
        ty: Type::F32,
        span: Span::NONE,
    };
    let stmt = |kind| Stmt { kind, span: Span::NONE };
    let kernel = Kernel {
        name: name.to_owned(),
        family: "math".to_owned(),
        doc: vec!["y = a·sin(x) + a.".to_owned()],
        dim: 1,
        block: None,
        no_grad: false,
        in_order: false,
        slots: None,
        params: vec![a, array("x", false), array("y", true)],
        locals: vec![],
        body: vec![
            stmt(StmtKind::Assign { place: y(), value: scaled }),
            stmt(StmtKind::Update { place: y(), op: Op::Add, value: value() }),
        ],
    };
    verify::verify(kernel).expect("the kernel keeps the rules")
}

/// Reassociates sums and products of floats, `(a ∘ b) ∘ c` to `a ∘ (b ∘ c)`, and rewrites `a / c` to `a * (1 / c)`.
fn reassociate(expr: &mut Expr) {
    expr.children_mut().for_each(reassociate);
    let ty = expr.ty;
    let ExprKind::Op(op @ (Op::Add | Op::Mul | Op::Div), args) = &mut expr.kind else { return };
    if !(ty.is_float() && ty.is_scalar() && args.iter().all(|arg| arg.ty == ty)) {
        return;
    }
    let one = if ty == Type::F32 { Literal::f32(1.0) } else { Literal::f64(1.0) };
    let node = |op, args| Expr { kind: ExprKind::Op(op, args), ty, span: Span::default() };
    if *op == Op::Div {
        let one = Expr { kind: ExprKind::Literal(one), ty, span: Span::default() };
        let inverse = node(Op::Div, vec![one, args[1].clone()]);
        *expr = node(Op::Mul, vec![args[0].clone(), inverse]);
    } else if let ExprKind::Op(inner, first) = &args[0].kind
        && inner == op
        && first.iter().all(|arg| arg.ty == ty)
    {
        let rest = node(*op, vec![first[1].clone(), args[1].clone()]);
        *expr = node(*op, vec![first[0].clone(), rest]);
    }
}

pub(crate) fn reassociated(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    fn of_block(block: &mut [Stmt]) {
        for stmt in block {
            stmt.exprs_mut().for_each(reassociate);
            stmt.blocks_mut().for_each(|block| of_block(block));
        }
    }
    let mut other = Kernel::clone(kernel);
    of_block(&mut other.body);
    (other.body != kernel.body).then(|| verify::verify(other).ok())?
}
