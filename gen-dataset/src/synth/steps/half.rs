//! Floats of 16 bits: storage that is read and written as `f32`, and arithmetic of their own.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator};
use super::super::notes::Mark;
use kernel_ir::ir::{Expr, Place, Scalar, Type};
use kernel_ir::ops::build::Operand;

/// The values of arrays are between this number and its negative. Sums and products of few of them are exact to a few
/// places in both types.
const MOST: f64 = 2.0;

impl Generator {
    pub(super) fn half(&mut self) {
        let scalar = self.rng.pick(&[Scalar::F16, Scalar::BF16]);
        match self.rng.below(10) {
            0..3 => self.half_read(scalar),
            3..5 => self.half_dot(scalar),
            5..8 => self.half_written(scalar),
            _ => self.half_update(scalar),
        }
    }

    /// An array of floats of 16 bits.
    fn half_array(&mut self, wishes: &[&str], scalar: Scalar, axes: Vec<Axis>) -> Array {
        let name = self.one_of(wishes);
        let array = self.array_named(name, scalar.into(), axes, (-MOST, MOST));
        // Other steps do not compute in 16 bits.
        self.arrays.pop();
        array
    }

    /// `features[i].to_f32()`
    fn half_read(&mut self, scalar: Scalar) {
        let axes = self.launch_axes();
        let array = self.half_array(&["features", "embeddings", "x_half", "hidden_in", "logits_half"], scalar, axes);
        let value = Expr::load(array.id, self.tid.clone(), array.elem).cast(self.number());
        let value = self.known(value, -MOST, MOST);
        self.bind(&["feature", "widened", "as_single", "full"], value);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("widen", format!("reads {name} from 16 bits"));
    }

    /// `for k in 0..n { acc += w[[i, k]].to_f32() * x[k].to_f32(); }`
    fn half_dot(&mut self, scalar: Scalar) {
        let (axis, axes) = self.narrow_rows();
        let weights = self.half_array(&["weights_half", "rows_half", "keys_half"], scalar, axes);
        let inputs = self.half_array(&["inputs_half", "query_half", "activations"], scalar, vec![axis]);
        let number = self.number();
        let acc = self.row_dot(&weights, &inputs, axis, number, &["acc", "dot_half", "score_sum"]);
        let most = MOST * MOST * axis.most();
        let value = self.known(acc.expr(), -most, most);
        self.bind(&["score", "attention", "projected"], value);
        let name = docgen::words(&self.kernel.param(weights.id).name);
        self.tell("halfdot", format!("multiplies a row of {name} by a vector, and adds up in {}", number.name()));
    }

    /// `out[i] = f16::from_f32(value);`
    fn half_written(&mut self, scalar: Scalar) {
        let number = self.number();
        let value = self.term(number, 1);
        let value = self.fit(value, -MOST, MOST);
        if !value.samples.is_varied() || !value.samples.by_thread {
            return;
        }
        self.store_half(&["out_half", "activations_out", "hidden_out", "stored_half"], scalar, |_| {
            value.expr.cast(Type::F32).cast(Type::from(scalar))
        });
    }

    /// `y[i] = gain[i] * x[i] + shift[i];`, rounded after each operation.
    fn half_update(&mut self, scalar: Scalar) {
        let names: [&[&str]; 2] = [&["x_half", "signal_half", "states_half"], &["gain_half", "scales", "rates_half"]];
        let [x, gain] = names.map(|names| {
            let axes = self.launch_axes();
            let array = self.half_array(names, scalar, axes);
            Expr::load(array.id, self.tid.clone(), array.elem)
        });
        let factor = self.rng.pick(&[0.25, 0.5, 0.75, 1.5]);
        let number = |ty: Type| Expr::number(factor, Type::F32).cast(ty);
        self.store_half(&["scaled_half", "y_half", "updated_half"], scalar, |ty| match factor {
            0.25 | 0.75 => gain * x + number(ty),
            _ => x * number(ty) - gain,
        });
    }

    /// Stores what `value` gives for the type in a new output.
    fn store_half(&mut self, wishes: &[&str], scalar: Scalar, value: impl FnOnce(Type) -> Expr) {
        let (elem, axes) = (Type::from(scalar), self.launch_axes());
        let id = self.output(wishes, elem, &axes, None);
        self.push(Place::element(id, self.tid.clone(), elem).set(value(elem)));
        self.has_stored = true;
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Effect, "round", format!("rounds a number to 16 bits as {name}"));
    }
}
