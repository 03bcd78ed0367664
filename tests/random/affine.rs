//! Random kernels whose threads read and write an array at affine indices: rows, blocks, pairs, the work of one thread.
//!
//! A kernel is differentiated only if its threads are proven to keep apart. The interpreter watches every access of small
//! launches, at the edges of sizes: no kernel that is accepted has a race, and its gradient is the transposed derivative.

use super::{TRIPS, seeds};
use crate::rng::Rng;
use kernel_ir::adjoint;
use kernel_ir::analysis::{AccessKind, Indices, accesses};
use kernel_ir::data::{Arg, Data};
use kernel_ir::front;
use kernel_ir::gradcheck::{Launch, dot_product};
use kernel_ir::interp::check_races;
use kernel_ir::ir::{Expr, Kernel, Type};
use kernel_ir::verify::VerifiedKernel;
use std::fmt::Write;
use tests::report;

/// The least share, in a hundred, of the kernels that run without a race in all launches and that are accepted.
const ACCEPTED: usize = 50;

/// The elements of a flat array. No index of these kernels reaches them all.
const LENGTH: usize = 640;

/// The elements along an axis of a matrix.
const SIDE: usize = 48;

/// Writes a kernel with these parameters: sizes `n` and `m`, `x`, and `y` with one axis or two.
struct Writer {
    rng: Rng,
    is_matrix: bool,
    /// The loop variables around the next statement.
    loops: Vec<&'static str>,
    text: String,
}

impl Writer {
    fn kernel(seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let is_matrix = rng.percent(35);
        let ty = if is_matrix { "Array2<f64>" } else { "[f64]" };
        let mut writer = Writer { rng, is_matrix, loops: Vec::new(), text: String::new() };
        if writer.rng.percent(15) {
            writer.line("if i != 0 { return; }");
        }
        for _ in 0..1 + writer.rng.below(2) {
            writer.stmt(2);
        }
        format!(
            "fn k(n: u32, m: u32, #[domain(0.5..1.5)] x: &[f64], #[domain(0.5..1.5)] y: &mut {ty}, z: &mut [f64]) {{\n\
             let i = tid();\nlet (n, m) = (n as usize, m as usize);\n{}}}",
            writer.text
        )
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn stmt(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 4 } else { 8 }) {
            4 | 5 => {
                let cond = self.condition();
                self.line(&format!("if {cond} {{"));
                self.stmt(depth - 1);
                self.line("}");
            }
            6 | 7 => {
                let variable = ["k", "l", "h"][self.loops.len()];
                let range = self.rng.pick(&[
                    "0..n",
                    "0..m",
                    "0..3",
                    "1..n",
                    "0..i",
                    "0..=n",
                    "(0..n).rev()",
                    "(1..m).rev()",
                    "(0..n).step_by(2)",
                    "(i..n * m).step_by(3)",
                ]);
                self.line(&format!("for {variable} in {range} {{"));
                self.loops.push(variable);
                self.stmt(depth - 1);
                if self.rng.percent(30) {
                    self.stmt(0);
                }
                self.loops.pop();
                self.line("}");
            }
            _ => self.access(),
        }
    }

    fn access(&mut self) {
        let (to, from) = (self.element(), self.element());
        let line = match self.rng.below(7) {
            0 => format!("{to} = 0.7 * {from}.sin() + x[i];"),
            1 => format!("{to} *= 0.5 + 0.2 * x[i];"),
            2 => format!("{to} += 0.3 * {from};"),
            3 => format!("{to} = x[i] * x[i];"),
            4 => format!("let v = {from}.cos(); {to} = v * v;"),
            5 => format!("{to} = 0.5 * {to} * {from};"),
            _ => format!("z[i] += {from}.sin();"),
        };
        self.line(&line);
    }

    fn element(&mut self) -> String {
        if self.is_matrix { format!("y[[{}, {}]]", self.index(), self.index()) } else { format!("y[{}]", self.index()) }
    }

    /// A variable, or a small number.
    fn atom(&mut self) -> String {
        let all: Vec<&str> = ["i", "i", "1", "2"].into_iter().chain(self.loops.iter().copied()).collect();
        self.rng.pick(&all).to_owned()
    }

    fn index(&mut self) -> String {
        let inner = self.loops.last().copied().unwrap_or("1");
        let outer = self.loops.first().copied().unwrap_or("0");
        let mut index = match self.rng.below(if self.is_matrix { 6 } else { 13 }) {
            0 | 1 => "i".to_owned(),
            2 => inner.to_owned(),
            3 => self.atom(),
            4 => format!("i / {} + {inner}", self.rng.pick(&["2", "n.max(1)"])),
            5 => format!("i % 3 + {inner}"),
            6 | 7 => format!("i * n + {inner}"),
            8 => format!("i * {} + {inner}", self.rng.pick(&["2", "3", "4"])),
            9 => format!("(i * n + {outer}) * m + {inner}"),
            10 => format!("(i * m + {inner}) * n + {outer}"),
            11 => "(i / n.max(1)) * 2 * n + i % n.max(1)".to_owned(),
            _ => format!("{} * {} + i", self.atom(), self.rng.pick(&["2", "n", "7"])),
        };
        match self.rng.below(6) {
            0 => index.push_str(" + 1"),
            1 if !self.is_matrix => index.push_str(" + n"),
            _ => {}
        }
        index
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.atom(), self.atom());
        match self.rng.below(7) {
            0 => "i == 0".to_owned(),
            1 => format!("i % 2 == {}", self.rng.below(2)),
            2 => "i < n".to_owned(),
            3 => format!("{a} < {b}"),
            4 => format!("{a} <= {b} && i > 0"),
            5 => format!("{a} != {b}"),
            _ => "i == n".to_owned(),
        }
    }
}

/// A launch of `threads` threads with these sizes.
fn args(kernel: &Kernel, [n, m]: [u32; 2], threads: usize) -> Vec<Arg> {
    let floats = |shape: Vec<usize>| {
        let count = shape.iter().product();
        let data = Data::F64((0..count).map(|number| 0.6 + 0.8 * (number as f64 * 0.37).fract()).collect());
        Arg { ty: Type::F64, shape, data }
    };
    let size = |value| Arg { ty: Type::U32, shape: Vec::new(), data: Data::U32(vec![value]) };
    let is_matrix = kernel.params[3].rank() == 2;
    let y = if is_matrix { vec![SIDE, SIDE] } else { vec![LENGTH] };
    vec![size(n), size(m), floats(vec![threads]), floats(y), floats(vec![threads])]
}

/// Whether a proof from strides alone accepts `y`: the rule of earlier versions.
fn is_accepted_by_strides(kernel: &Kernel) -> bool {
    let (indices, accesses) = (Indices::of(kernel), accesses(kernel));
    let (y, _) = kernel.param_ids().nth(3).expect("a parameter");
    let Some(accesses) = accesses.get(&y) else { return true };
    let all: Vec<&[Expr]> = accesses.iter().map(|access| access.index).collect();
    let reads = accesses.iter().any(|access| matches!(access.kind, AccessKind::Read | AccessKind::Change));
    let writes = accesses.iter().any(|access| access.kind != AccessKind::Read);
    let is_single =
        |index: &[Expr]| index.iter().all(|index| indices.affine(index).is_some_and(|index| index.is_single()));
    let is_owned = || all.iter().all(|index| is_single(index)) && indices.are_distinguished(&all);
    !writes || indices.are_disjoint(&all) && (!reads || is_owned())
}

/// How the threads of a kernel behave in small launches.
#[derive(Debug, PartialEq)]
enum Behaviour {
    Apart,
    Race(String),
    /// An index is out of bounds, or negative.
    Fault,
}

fn behaviour(kernel: &VerifiedKernel) -> Behaviour {
    for threads in [1, 2, 3, 6] {
        for sizes in [[0, 1], [1, 1], [1, 3], [2, 2], [3, 1], [2, 4], [4, 3]] {
            if let Err(fault) = check_races(kernel, &[threads], &mut args(kernel, sizes, threads)) {
                match fault.message.starts_with("a data race") {
                    true => return Behaviour::Race(format!("{threads} threads, {sizes:?}: {}", fault.message)),
                    false => return Behaviour::Fault,
                }
            }
        }
    }
    Behaviour::Apart
}

#[test]
fn threads_of_accepted_kernels_keep_apart() {
    let (mut apart, mut accepted, mut by_strides, mut refused_values) = (0, 0, 0, 0);
    for seed in seeds() {
        let source = Writer::kernel(seed);
        let compiled = front::compile(Default::default(), source.parse().expect("Rust tokens"));
        let kernel = compiled.kernel.unwrap_or_else(|mistakes| panic!("seed {seed}: {mistakes:?}\n{source}"));
        let behaviour = behaviour(&kernel);
        apart += usize::from(behaviour == Behaviour::Apart);
        by_strides += usize::from(behaviour == Behaviour::Apart && is_accepted_by_strides(&kernel));
        let adjoint = match adjoint::backward(&kernel) {
            Ok(adjoint) => adjoint,
            Err(mistakes) => {
                let is_value =
                    mistakes.iter().all(|mistake| mistake.message.contains("neither its first nor its last"));
                refused_values += usize::from(is_value);
                continue;
            }
        };
        if let Behaviour::Race(race) = &behaviour {
            panic!("seed {seed} is accepted: {race}\n{source}");
        }
        accepted += usize::from(behaviour == Behaviour::Apart);
        for (threads, sizes) in [(1, [4, 2]), (3, [3, 2]), (5, [2, 3]), (4, [1, 1])] {
            let args = args(&kernel, sizes, threads);
            let launch = Launch { dim: &[threads], args: &args, trips: TRIPS, seed };
            if let (Err(failure), Behaviour::Apart) = (dot_product(&kernel, &adjoint, launch), &behaviour) {
                panic!("seed {seed}, {threads} threads, {sizes:?}: {failure:?}\n{source}");
            }
        }
    }
    let mut line = format!("{} random kernels with affine indices, {apart} without a race: ", seeds().count());
    let _ = write!(
        line,
        "{accepted} accepted, {by_strides} by strides alone, {refused_values} refused for a value in between"
    );
    report(&line);
    assert!(accepted * 100 >= apart * ACCEPTED, "{line}");
}
