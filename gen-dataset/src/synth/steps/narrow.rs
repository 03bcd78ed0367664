//! Integers of 8 and 16 bits: quantised weights, pixels, labels and flags.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::range_repair::round2;
use kernel_ir::ir::{Expr, Place, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

impl Generator {
    pub(super) fn narrow(&mut self) {
        match self.rng.below(10) {
            0..3 => self.dequantized(),
            3..5 => self.quantized_dot(),
            5..7 => self.quantized_output(),
            7 => self.byte_flags(),
            8 => self.byte_labels(),
            _ => self.blended_bytes(),
        }
    }

    /// An array of small integers over the launch, and the element of the thread.
    fn narrow_array(&mut self, wishes: &[&str], elem: Type, low: f64, below: f64) -> (Array, Expr) {
        let name = self.one_of(wishes);
        let axes = self.launch_axes();
        let array = self.array_named(name, elem, axes, (low, below));
        // Sums of such integers would leave their range, so other steps do not take them as they are.
        self.arrays.pop();
        let element = Expr::load(array.id, self.tid.clone(), elem);
        (array, element)
    }

    /// `(codes[i] as f32 - 128.0) * 0.05`
    fn dequantized(&mut self) {
        let number = self.number();
        let (elem, low, high, offset) = self.rng.pick(&[
            (Type::I8, -127.0, 128.0, 0.0),
            (Type::U8, 0.0, 256.0, 128.0),
            (Type::U8, 0.0, 256.0, 0.0),
            (Type::I16, -2048.0, 2048.0, 0.0),
            (Type::U16, 0.0, 4096.0, 0.0),
        ]);
        let wishes: &[&str] = match elem {
            Type::I8 => &["quantized", "weights_i8", "deltas"],
            Type::U8 => &["pixels_u8", "codes_u8", "levels_u8", "texels"],
            Type::I16 => &["samples_i16", "audio", "readings"],
            _ => &["depth_u16", "counts_u16", "sensor"],
        };
        let (array, element) = self.narrow_array(wishes, elem, low, high);
        let value = element.cast(number);
        let value = if offset == 0.0 { value } else { value - offset };
        let unit = if matches!(elem, Type::I8 | Type::U8) { self.rng.pick(&[0.01, 0.02, 0.0625]) } else { 0.001 };
        let (least, most) = ((low - offset) * unit, (high - offset) * unit);
        let value = if self.rng.percent(30) && elem == Type::U8 && offset == 0.0 {
            let value = value / 255.0;
            self.known(value, 0.0, 1.0)
        } else {
            self.known(value * unit, least, most)
        };
        self.bind(&["decoded", "dequantized", "unpacked", "as_float"], value);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("decode", format!("decodes a number of {}", name));
    }

    /// `for k in 0..n { acc += w[[i, k]] as i32 * x[k] as i32; }`
    fn quantized_dot(&mut self) {
        let (axis, axes) = self.narrow_rows();
        let (left, right) = self.rng.pick(&[(Type::I8, Type::I8), (Type::I8, Type::U8), (Type::U8, Type::U8)]);
        let range = |ty: Type| if ty == Type::I8 { (-127.0, 128.0) } else { (0.0, 256.0) };
        let name = self.one_of(&["weights_q", "rows_q", "filters_q", "keys_q"]);
        let weights = self.array_named(name, left, axes, range(left));
        let name = self.one_of(&["inputs_q", "activations_q", "query_q"]);
        let inputs = self.array_named(name, right, vec![axis], range(right));
        self.arrays.truncate(self.arrays.len() - 2);
        let acc = self.row_dot(&weights, &inputs, axis, Type::I32, &["acc", "dot_q", "total_q"]);
        let number = self.number();
        let most = 128.0 * 256.0 * axis.most();
        let scale = 4.0 / most;
        let value = acc.cast(number) * Expr::number(rounded_to(scale), number);
        let value = self.known(value, -4.0, 4.0);
        self.bind(&["dequantized", "logit_value", "scaled_dot"], value);
        let name = docgen::words(&self.kernel.param(weights.id).name);
        self.tell("qdot", format!("multiplies a row of {name} by a vector in integers"));
    }

    /// The axis of a row, and the axes of an array with a row for each thread.
    pub(super) fn narrow_rows(&mut self) -> (Axis, Vec<Axis>) {
        let axis = self.inner_axis();
        let mut axes = self.launch_axes();
        axes.truncate(3);
        axes.push(axis);
        (axis, axes)
    }

    /// The sum in `ty` of the products of a row of `rows` and `vector`, which have narrow elements.
    pub(super) fn row_dot(&mut self, rows: &Array, vector: &Array, axis: Axis, ty: Type, wishes: &[&str]) -> Var {
        let acc = self.hidden(wishes, Expr::number(0, ty));
        let (variable, end) = self.run_over(axis, Some((rows.id, rows.axes.len() as u8 - 1)));
        let index = variable.cast(Type::INDEX);
        let mut at: Vec<Expr> = self.tid.clone();
        at.truncate(3);
        at.push(index.clone());
        let a = Expr::load(rows.id, at, rows.elem).cast(ty);
        let b = Expr::load(vector.id, vec![index], vector.elem).cast(ty);
        self.push(Stmt::for_loop(variable, 0, end, vec![acc.update(Op::Add, a * b)]));
        acc
    }

    /// `out[i] = (value * 255.0 + 0.5) as u8;`
    fn quantized_output(&mut self) {
        let number = self.number();
        let signed = self.rng.percent(40);
        let value = self.term(number, 1);
        let (low, high) = if signed { (-1.0, 1.0) } else { (0.0, 1.0) };
        let value = self.fit(value, low, high);
        if !value.samples.is_varied() || !value.samples.by_thread {
            return;
        }
        let (elem, most, wishes): (Type, f64, &[&str]) = match (signed, self.rng.percent(70)) {
            (true, true) => (Type::I8, 127.0, &["quantized_out", "codes_out", "packed_i8"]),
            (true, false) => (Type::I16, 32767.0, &["audio_out", "fixed_point"]),
            (false, true) => (Type::U8, 255.0, &["pixels_out", "bytes_out", "gray_out"]),
            (false, false) => (Type::U16, 65535.0, &["depth_out", "levels_out"]),
        };
        let scaled = value.expr * most;
        let rounded = if signed { Expr::op(Op::Round, [scaled]) } else { scaled + 0.5 };
        let bounded = rounded.clamp(if signed { -most } else { 0.0 }, most);
        let axes = self.launch_axes();
        let id = self.output(wishes, elem, &axes, None);
        self.push(Place::element(id, self.tid.clone(), elem).set(bounded.cast(elem)));
        self.has_stored = true;
        let name = docgen::words(&self.kernel.param(id).name);
        let bits = if matches!(elem, Type::I8 | Type::U8) { 8 } else { 16 };
        self.note(Mark::Effect, "quantize", format!("rounds a number to {bits} bits as {name}"));
    }

    /// `if flags[i] & 4 != 0 { … } else { … }`
    fn byte_flags(&mut self) {
        let elem = self.rng.pick(&[Type::U8, Type::U16]);
        let (array, element) = self.narrow_array(&["flags", "state_bits", "mask_bits"], elem, 0.0, 16.0);
        let bit = Expr::number(self.rng.pick(&[1, 2, 4, 8]), elem);
        let is_set = (element & bit).differs(0);
        let is_set = self.known(is_set, 0.0, 1.0);
        self.bind(&["is_set", "has_flag", "enabled_here"], is_set);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("flags", format!("tests a bit of {name}"));
    }

    /// Bytes that count or name something, as numbers of the usual type.
    fn byte_labels(&mut self) {
        let count = self.rng.int(3, 12) as f64;
        let wishes = ["labels_u8", "classes", "materials", "palette_u8"];
        let (array, element) = self.narrow_array(&wishes, Type::U8, 0.0, count);
        let value = self.known(element.cast(Type::of(self.int)), 0.0, count);
        self.bind(&["label", "class_here", "material_id"], value);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("label", format!("reads a label of {name}"));
    }

    /// `out[i] = ((a[i] as u16 + b[i] as u16) / 2) as u8;`, or the like without a wider type.
    fn blended_bytes(&mut self) {
        let names: [&[&str]; 2] = [&["front_u8", "first_image"], &["back_u8", "second_image"]];
        let [(a, left), (_, right)] = names.map(|names| self.narrow_array(names, Type::U8, 0.0, 256.0));
        let value = match self.rng.below(4) {
            0 => {
                let sum = left.cast(Type::U16) + right.cast(Type::U16);
                (sum / Expr::number(2, Type::U16)).cast(Type::U8)
            }
            1 => Expr::op(Op::AbsDiff, [left, right]),
            2 => left.max(right),
            _ => Expr::op(Op::SaturatingSub, [left, right]),
        };
        let axes = self.launch_axes();
        let id = self.output(&["blended_u8", "image_out", "merged_u8"], Type::U8, &axes, None);
        self.push(Place::element(id, self.tid.clone(), Type::U8).set(value));
        self.has_stored = true;
        let name = docgen::words(&self.kernel.param(a.id).name);
        self.note(Mark::Effect, "blend", format!("merges {name} with another image of bytes"));
    }

    /// Reads a mask of the launch.
    pub(super) fn mask(&mut self) {
        let name = self.one_of(&lexicon::MASKS);
        let axes = self.launch_axes();
        let array = self.array_named(name, Type::BOOL, axes, (0.0, 2.0));
        let flag = self.element(&array, self.tid.clone());
        let number = self.number();
        if self.nesting == 0 && self.rng.percent(30) {
            let held = if self.rng.percent(70) { !flag.expr } else { flag.expr };
            self.push(Stmt::when(held, [Stmt::new(kernel_ir::ir::StmtKind::Return(None))]));
            return;
        }
        let (a, b): (Term, Term) = (self.term(number, 1), self.term(number, 0));
        if a.expr == b.expr {
            return;
        }
        let samples = super::super::samples::select(&flag.samples, &a.samples, &b.samples);
        let value = Term { expr: flag.expr.select(a.expr, b.expr), samples, size: a.size + b.size + 2 };
        let names = self.local_names();
        self.bind(names, value);
    }
}

/// The number with two digits.
fn rounded_to(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    let digits = round2(value / unit / 100.0) * 100.0;
    format!("{digits}e{}", unit.log10().round()).parse().unwrap_or(value)
}
