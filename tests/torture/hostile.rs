//! Torture: infinity and NaN where the derivative exists, and the zeros that adjoints multiply them with.
//!
//! A case is a kernel, or two on a tape, with inputs chosen by hand. Its adjoint computes in the declared types, in the
//! interpreter and on the CPU. The result is compared, element by element, with central differences of the kernel in
//! the same types. Where a computed zero meets an infinite derivative, the gradient is 0 by convention, and the case
//! says so.

mod algebra;
mod conventions;
mod iterations;
mod masks;
mod missing;
mod overflow;
mod searches;

use expect_test::expect;
use kernel_ir::adjoint::{self, Backward, arguments, backward, gradients};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::{Expr, ExprKind, Kernel, Op, Param, Scalar, Shape};
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_rt::{KernelInfo, registered_kernels};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use tests::{as_data, report};

/// The arguments of all launches, by the name of the parameter.
type Arguments = BTreeMap<String, Arg>;

/// One launch of a case.
struct Step {
    info: &'static KernelInfo,
    kernel: VerifiedKernel,
    backward: Backward,
}

/// Launches with their inputs.
pub(super) struct Hostile {
    name: &'static str,
    /// The description in the table.
    about: &'static str,
    steps: Vec<Step>,
    threads: usize,
    /// The values of parameters. All others start as zeros.
    inputs: BTreeMap<&'static str, Vec<f64>>,
    /// The weights of outputs in the sum that is differentiated. Other outputs have the weights 1, 2, 3 and so on.
    weights: BTreeMap<&'static str, Vec<f64>>,
    /// Elements whose gradient is 0 by convention.
    conventions: BTreeMap<&'static str, Vec<usize>>,
    /// The reason for which the gradient is known not to be the derivative.
    limit: Option<&'static str>,
}

/// A launch of the kernel `name` over one thread.
fn hostile(name: &'static str, about: &'static str) -> Hostile {
    let [inputs, weights] = [BTreeMap::new(), BTreeMap::new()];
    Hostile {
        name,
        about,
        steps: vec![step(name)],
        threads: 1,
        inputs,
        weights,
        conventions: BTreeMap::new(),
        limit: None,
    }
}

fn step(name: &str) -> Step {
    let found = registered_kernels().into_iter().find(|info| info.family == "torture" && info.name == name);
    let info = found.unwrap_or_else(|| panic!("no kernel `{name}`"));
    let kernel = as_data(info);
    let backward = backward(&kernel).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
    Step { info, kernel, backward }
}

impl Hostile {
    /// Adds a launch of another kernel, with the arguments of the same names.
    fn then(mut self, name: &str) -> Hostile {
        self.steps.push(step(name));
        self
    }

    /// Launches over this number of threads.
    fn over(self, threads: usize) -> Hostile {
        Hostile { threads, ..self }
    }

    /// Sets the values of `param`: the components of its elements in order.
    fn with(mut self, param: &'static str, values: &[f64]) -> Hostile {
        self.inputs.insert(param, values.to_vec());
        self
    }

    /// Sets the weights of an output.
    fn weighing(mut self, param: &'static str, weights: &[f64]) -> Hostile {
        self.weights.insert(param, weights.to_vec());
        self
    }

    /// Declares that the gradient by these floats of `param` is 0 by convention.
    fn zero_by_convention(mut self, param: &'static str, floats: &[usize]) -> Hostile {
        self.conventions.insert(param, floats.to_vec());
        self
    }

    /// Declares that the gradient is known not to be the derivative.
    fn limit(self, why: &'static str) -> Hostile {
        Hostile { limit: Some(why), ..self }
    }

    /// The parameters of all launches, without repeated names.
    fn params(&self) -> Vec<&Param> {
        let mut params: Vec<&Param> = Vec::new();
        for param in self.steps.iter().flat_map(|step| &step.kernel.params) {
            match params.iter_mut().find(|known| known.name == param.name) {
                // An output of one launch is no input of the next.
                Some(known) if param.is_mutable() => *known = param,
                Some(_) => {}
                None => params.push(param),
            }
        }
        params
    }

    /// The float parameters that are only read.
    fn float_inputs(&self) -> impl Iterator<Item = &Param> {
        self.params().into_iter().filter(|param| is_float(param) && !param.is_mutable())
    }

    /// The outputs of the last launch.
    fn outputs(&self) -> impl Iterator<Item = &Param> {
        self.steps.last().into_iter().flat_map(|step| &step.kernel.params).filter(|param| param.is_mutable())
    }

    fn arguments(&self) -> Arguments {
        let argument = |param: &Param| {
            let parts = param.elem().components();
            let values =
                self.inputs.get(param.name.as_str()).cloned().unwrap_or_else(|| vec![0.0; self.threads * parts]);
            let shape = if param.rank() == 0 { vec![] } else { vec![values.len() / parts] };
            Arg { ty: param.elem(), shape, data: data(param.elem().scalar(), &values) }
        };
        self.params().into_iter().map(|param| (param.name.clone(), argument(param))).collect()
    }

    /// The weights of an output.
    fn weights(&self, param: &Param) -> Vec<f64> {
        let len = self.arguments()[&param.name].data.len();
        self.weights.get(param.name.as_str()).cloned().unwrap_or_else(|| (1..=len).map(|k| k as f64).collect())
    }

    /// Runs the launches. Returns the arguments before and after each.
    fn forward(&self, arguments: &mut Arguments) -> Vec<[Vec<Arg>; 2]> {
        let mut launches = Vec::new();
        for Step { kernel, .. } in &self.steps {
            let before: Vec<Arg> = kernel.params.iter().map(|param| arguments[&param.name].clone()).collect();
            let mut after = before.clone();
            interp::run(kernel, &[self.threads], &mut after).unwrap_or_else(|why| panic!("{}: {why:?}", self.name));
            arguments.extend(kernel.params.iter().map(|param| param.name.clone()).zip(after.iter().cloned()));
            launches.push([before, after]);
        }
        launches
    }

    /// The weighted sum of the outputs, and that of their magnitudes. An output with the weight 0 may be anything.
    fn loss(&self, arguments: &Arguments) -> [f64; 2] {
        let mut arguments = arguments.clone();
        self.forward(&mut arguments);
        let mut sums = [0.0, 0.0];
        for param in self.outputs() {
            let terms = floats(&arguments[&param.name]).into_iter().zip(self.weights(param));
            for (value, weight) in terms.filter(|(_, weight)| *weight != 0.0) {
                sums = [sums[0] + weight * value, sums[1] + (weight * value).abs()];
            }
        }
        sums
    }

    /// The gradient with respect to the float inputs. `run` runs the adjoint of a launch.
    fn gradient(&self, run: impl Fn(&Step, &mut [Arg])) -> BTreeMap<String, Vec<f64>> {
        let mut values = self.arguments();
        let launches = self.forward(&mut values);
        let mut adjoints: Arguments =
            values.iter().map(|(name, arg)| (name.clone(), Arg::zeros(arg.ty, &arg.shape))).collect();
        for param in self.outputs() {
            let seed = data(param.elem().scalar(), &self.weights(param));
            adjoints.get_mut(&param.name).expect("an argument").data = seed;
        }
        for (step, [before, after]) in self.steps.iter().zip(&launches).rev() {
            let Step { kernel, backward, .. } = step;
            let mut args = arguments(kernel, &backward.sources, before, after, |id| {
                let param = kernel.param(id);
                param.is_mutable().then(|| adjoints[&param.name].clone())
            });
            let launched: Result<(), Infallible> = adjoint::launch(&backward.sources, &mut args, |args| {
                run(step, args);
                Ok(())
            });
            let Ok(()) = launched;
            for (id, found) in gradients(&backward.sources, before, after, args) {
                let param = kernel.param(id);
                let adjoint = adjoints.get_mut(&param.name).expect("an argument");
                let earlier = if param.is_mutable() { vec![0.0; found.data.len()] } else { floats(adjoint) };
                let sums: Vec<f64> = floats(&found).iter().zip(earlier).map(|(a, b)| a + b).collect();
                adjoint.data = data(param.elem().scalar(), &sums);
            }
        }
        self.float_inputs().map(|param| (param.name.clone(), floats(&adjoints[&param.name]))).collect()
    }

    fn precision(&self) -> Precision {
        let has_f32 = self.params().iter().any(|param| param.elem().scalar() == Scalar::F32);
        if has_f32 { Precision::SINGLE } else { Precision::DOUBLE }
    }

    /// The expected gradient with its tolerances: central differences of fourth order, or 0 by convention.
    fn expected(&self) -> BTreeMap<String, Vec<[f64; 2]>> {
        let arguments = self.arguments();
        let Precision { step, relative, epsilon } = self.precision();
        let by = |param: &Param, place: usize| {
            if self.conventions.get(param.name.as_str()).is_some_and(|zeros| zeros.contains(&place)) {
                return [0.0, 0.0];
            }
            let at = floats(&arguments[&param.name])[place];
            let width = if at.is_finite() { step * at.abs().max(1.0) } else { 1.0 };
            let loss = |steps: f64| {
                let mut moved = arguments.clone();
                let arg = moved.get_mut(&param.name).expect("an argument");
                let mut values = floats(arg);
                values[place] += steps * width;
                arg.data = data(param.elem().scalar(), &values);
                self.loss(&moved)
            };
            let [near, far] = [1.0, 2.0].map(|steps| (loss(steps)[0] - loss(-steps)[0]) / (2.0 * steps * width));
            let difference = (4.0 * near - far) / 3.0;
            [difference, relative * difference.abs() + 16.0 * epsilon * loss(0.0)[1] / width]
        };
        let elements = |param: &Param| (0..arguments[&param.name].data.len()).map(|place| by(param, place)).collect();
        self.float_inputs().map(|param| (param.name.clone(), elements(param))).collect()
    }

    /// Checks a gradient.
    ///
    /// # Errors
    /// The first element that is wrong.
    fn holds(&self, found: &BTreeMap<String, Vec<f64>>) -> Result<(), String> {
        for (name, expected) in self.expected() {
            for (place, ([expected, allowed], found)) in expected.iter().zip(&found[&name]).enumerate() {
                assert!(expected.is_finite(), "{}: `{name}`[{place}] has no derivative", self.name);
                // The comparison is false for NaN.
                let is_right = (expected - found).abs() <= *allowed;
                if !is_right {
                    return Err(format!("{}: `{name}`[{place}] is {found:e} instead of {expected:e}", self.name));
                }
            }
        }
        Ok(())
    }

    fn on_the_cpu(&self) -> BTreeMap<String, Vec<f64>> {
        self.gradient(|step, args| {
            let adjoint = step.info.adjoint().expect("an adjoint");
            (adjoint.cpu)(&[self.threads], args).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        })
    }

    fn interpreted(&self, adjoint: impl Fn(&Kernel) -> VerifiedKernel) -> BTreeMap<String, Vec<f64>> {
        self.gradient(|step, args| {
            let adjoint = adjoint(&step.backward.kernel);
            interp::run(&adjoint, &[self.threads], args).unwrap_or_else(|why| panic!("{}: {why:?}", self.name));
        })
    }

    /// The names of its kernels.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.kernel.name.as_str())
    }

    /// The case for the other systems.
    pub(super) fn to_json(&self) -> Value {
        let mut after = self.arguments();
        self.forward(&mut after);
        let (expected, found) = (self.expected(), self.on_the_cpu());
        let wrong = self.holds(&found).err();
        let param = |param: &Param| {
            let name = &param.name;
            let pairs = expected.get(name);
            let is_output = self.outputs().any(|output| output.name == *name);
            json!({
                "name": name, "type": param.elem().rust_name(), "components": param.elem().components(),
                "array": param.rank() > 0, "mutable": param.is_mutable(),
                "data": spelled(&floats(&self.arguments()[name])),
                "result": is_output.then(|| spelled(&floats(&after[name]))),
                "weights": is_output.then(|| self.weights(param)),
                "gradient": pairs.map(|pairs| pairs.iter().map(|pair| pair[0]).collect::<Vec<_>>()),
                "allowed": pairs.map(|pairs| pairs.iter().map(|pair| pair[1]).collect::<Vec<_>>()),
                "found": found.get(name).map(|found| spelled(found)),
                "conventions": self.conventions.get(name.as_str()),
            })
        };
        json!({
            "name": self.name, "kernel": self.name, "about": self.about, "threads": self.threads,
            "launches": self.kernels().collect::<Vec<_>>(),
            "refused": null, "limit": wrong.and(self.limit),
            "params": self.params().into_iter().map(param).collect::<Vec<_>>(),
        })
    }
}

/// The step of central differences, and their error.
#[derive(Clone, Copy)]
struct Precision {
    /// The step, relative to the value.
    step: f64,
    /// The error: the fourth power of the step times a bound of the fifth derivative.
    relative: f64,
    epsilon: f64,
}

impl Precision {
    const SINGLE: Precision = Precision { step: 1.0 / 64.0, relative: 1e-3, epsilon: f32::EPSILON as f64 };
    const DOUBLE: Precision = Precision { step: 1.0 / 1024.0, relative: 1e-7, epsilon: f64::EPSILON };
}

fn is_float(param: &Param) -> bool {
    matches!(param.elem().scalar(), Scalar::F32 | Scalar::F64)
}

/// Numbers as data of a scalar type.
fn data(scalar: Scalar, values: &[f64]) -> Data {
    match scalar {
        Scalar::F32 => Data::F32(values.iter().map(|value| *value as f32).collect()),
        Scalar::F64 => Data::F64(values.to_vec()),
        Scalar::I32 => Data::I32(values.iter().map(|value| *value as i32).collect()),
        other => panic!("no case has {other:?}"),
    }
}

fn floats(arg: &Arg) -> Vec<f64> {
    match &arg.data {
        Data::F32(data) => data.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(data) => data.clone(),
        Data::I32(data) => data.iter().map(|x| f64::from(*x)).collect(),
        other => panic!("no case has {other:?}"),
    }
}

/// JSON has no infinity and no NaN, so they are written as words that Python's `float` reads.
fn spelled(values: &[f64]) -> Vec<Value> {
    values.iter().map(|value| if value.is_finite() { json!(value) } else { json!(value.to_string()) }).collect()
}

/// Every case.
pub(super) fn cases() -> Vec<Hostile> {
    [
        overflow::cases(),
        searches::cases(),
        missing::cases(),
        algebra::cases(),
        iterations::cases(),
        masks::cases(),
        conventions::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn as_it_is(kernel: &Kernel) -> VerifiedKernel {
    verify(kernel.clone()).expect("a kernel")
}

/// The kernel with plain products and quotients in place of strong ones.
fn plain(kernel: &Kernel) -> VerifiedKernel {
    let mut plain = kernel.clone();
    for stmt in &mut plain.body {
        stmt.walk_mut(&mut |stmt| stmt.exprs_mut().for_each(|expr| expr.walk_mut(&mut soften)));
    }
    verify(plain).expect("a kernel")
}

fn soften(expr: &mut Expr) {
    let ExprKind::Op(op, operands) = &mut expr.kind else { return };
    let shapes: Vec<Shape> = operands.iter().map(|operand| operand.ty.shape).collect();
    *op = match (*op, &shapes[..]) {
        // A vector times a matrix has no plain form.
        (Op::StrongMul, [Shape::Vector(_), Shape::Matrix(..)]) => return,
        (Op::StrongMul, [Shape::Scalar, Shape::Quat]) => {
            operands.swap(0, 1);
            Op::Mul
        }
        (Op::StrongMul, _) => Op::Mul,
        (Op::StrongDiv, _) => Op::Div,
        (Op::StrongDot, _) => Op::Dot,
        (Op::StrongCross, _) => Op::Cross,
        _ => return,
    };
}

#[test]
fn gradients_beside_infinity_hold() {
    let mut failures = Vec::new();
    for case in cases() {
        for (found, by) in [(case.on_the_cpu(), "CPU"), (case.interpreted(as_it_is), "interpreter")] {
            match (case.holds(&found), case.limit) {
                (Ok(()), None) | (Err(_), Some(_)) => {}
                (Err(why), None) => failures.push(format!("{by}: {why}")),
                (Ok(()), Some(_)) => failures.push(format!("{by}: {} is right, so it is no limit", case.name)),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Separates the cases that need strong zeros from those that hold for another reason: the adjoint leaves out unused
/// values.
#[test]
fn plain_products_fail() {
    let cases: Vec<Hostile> = cases().into_iter().filter(|case| case.limit.is_none()).collect();
    let (fail, hold): (Vec<&Hostile>, Vec<&Hostile>) =
        cases.iter().partition(|case| case.holds(&case.interpreted(plain)).is_err());
    report(&format!("torture: {} of {} cases beside infinity fail with plain products", fail.len(), cases.len()));
    let names: Vec<&str> = hold.iter().map(|case| case.name).collect();
    expect![[r#"
        returns_before_the_overflow
        returns_from_the_loop
        one_row_of_a_product
        square_of_a_length
        log_sum_exp
        masked_angle
        square_of_a_hypotenuse"#]]
    .assert_eq(&names.join("\n"));
}
