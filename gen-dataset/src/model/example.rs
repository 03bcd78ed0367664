//! The example of a record: a launch with its inputs and outputs, in JSON.
//!
//! A number reads back to the same bits, also by a reader that only has 64-bit floats. Matrices are row-major in JSON,
//! and column-major in memory. An optional array that is absent has the extents 0, and null in the place of its numbers:
//! as an input, as an output, as an adjoint and as a gradient.

use super::gradients::Gradients;
use super::launch::Launch;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, Param, ParamId, Scalar, Shape, Type};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// A launch with its inputs and outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// The launch size.
    pub(crate) dim: Vec<usize>,
    /// The arguments before the launch, in the order of the parameters.
    pub(crate) args: Vec<ExampleArg>,
    /// Every writable array after the launch, by name, in the order of the parameters.
    pub(crate) outputs: Map<String, Value>,
    /// The tolerance of each number of an output, by name. Outputs not listed here must match bit for bit.
    pub(crate) tolerances: Map<String, Value>,
    /// The adjoint of every writable float array after the launch, by name; empty if the kernel has no adjoint.
    pub(crate) adj_outputs: Map<String, Value>,
    /// The gradient with respect to every float parameter before the launch, by name; empty if the kernel has no adjoint.
    pub(crate) gradients: Map<String, Value>,
    /// The tolerance of each number of a gradient, by name, for a machine that runs both kernel and adjoint. Gradients
    /// not listed here must match bit for bit.
    pub(crate) gradient_tolerances: Map<String, Value>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleArg {
    /// The parameter.
    name: String,
    /// Whether it is passed by value or as an array.
    kind: ArgKind,
    /// The name of the type of the value, or of an element.
    dtype: String,
    /// The extents, outermost first; empty for a value.
    shape: Vec<usize>,
    /// Whether the kernel may write to it.
    mutable: bool,
    /// A number, or a flat list of numbers in row-major order. Null for an absent array.
    data: Value,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ArgKind {
    Scalar,
    Array,
}

impl ArgKind {
    fn of(param: &Param) -> ArgKind {
        if param.rank() == 0 { ArgKind::Scalar } else { ArgKind::Array }
    }
}

impl Example {
    /// The example of `launch`, with its `tolerances` and, if there are any, its gradients. All floats must be finite.
    pub(crate) fn new(kernel: &Kernel, launch: &Launch, tolerances: &[Arg], gradients: Option<&Gradients>) -> Example {
        let Launch { dim, before, after } = launch;
        let named = |(id, arg): &(ParamId, Arg)| {
            let param = kernel.param(*id);
            (param.name.clone(), argument_to_json(param, arg))
        };
        let args = kernel.params.iter().zip(before).map(|(param, arg)| ExampleArg {
            name: param.name.clone(),
            kind: ArgKind::of(param),
            dtype: arg.ty.name().to_owned(),
            shape: arg.shape.clone(),
            mutable: param.is_mutable(),
            data: argument_to_json(param, arg),
        });
        let written = kernel.params.iter().zip(after).filter(|(param, _)| param.is_mutable());
        Example {
            dim: dim.to_vec(),
            args: args.collect(),
            outputs: written.map(|(param, arg)| (param.name.clone(), argument_to_json(param, arg))).collect(),
            tolerances: inexact(kernel, kernel.param_ids().map(|(id, _)| id).zip(tolerances)),
            adj_outputs: gradients.map(|found| found.adj_outputs.iter().map(named).collect()).unwrap_or_default(),
            gradients: gradients.map(|found| found.gradients.iter().map(named).collect()).unwrap_or_default(),
            gradient_tolerances: gradients
                .map(|found| inexact(kernel, found.tolerances.gradients.iter().map(|(id, arg)| (*id, arg))))
                .unwrap_or_default(),
        }
    }

    /// The arguments before the launch.
    ///
    /// # Errors
    /// A sentence that names the argument that does not fit `kernel`.
    pub(crate) fn inputs(&self, kernel: &Kernel) -> Result<Vec<Arg>, String> {
        if self.args.len() != kernel.params.len() {
            return Err(format!("the example has {} arguments, the kernel {}", self.args.len(), kernel.params.len()));
        }
        let read = |(param, arg): (&Param, &ExampleArg)| {
            let fits = arg.name == param.name
                && arg.kind == ArgKind::of(param)
                && arg.dtype == param.elem().name()
                && arg.shape.len() == param.rank()
                && arg.mutable == param.is_mutable();
            if !fits {
                return Err(format!("argument `{}` does not fit parameter `{}`", arg.name, param.name));
            }
            argument_from_json(&arg.data, param, &arg.shape).map_err(|wrong| format!("argument `{}` {wrong}", arg.name))
        };
        kernel.params.iter().zip(&self.args).map(read).collect()
    }

    /// The arguments after the launch: `inputs`, with the recorded outputs in place of the writable arrays.
    ///
    /// # Errors
    /// A sentence that names the output that is missing, wrong or unknown.
    pub(crate) fn outputs(&self, kernel: &Kernel, inputs: &[Arg]) -> Result<Vec<Arg>, String> {
        let written = kernel.params.iter().filter(|param| param.is_mutable());
        if !written.map(|param| &param.name).eq(self.outputs.keys()) {
            return Err("the outputs are not the writable arrays in their order".to_owned());
        }
        let read = |(param, arg): (&Param, &Arg)| match self.outputs.get(&param.name) {
            Some(data) => {
                argument_from_json(data, param, &arg.shape).map_err(|wrong| format!("output `{}` {wrong}", param.name))
            }
            None => Ok(arg.clone()),
        };
        kernel.params.iter().zip(inputs).map(read).collect()
    }
}

impl Example {
    /// The adjoints of the outputs.
    ///
    /// # Errors
    /// A sentence that names the adjoint that is missing, wrong or unknown.
    pub(crate) fn adj_outputs(&self, kernel: &Kernel, inputs: &[Arg]) -> Result<Vec<(ParamId, Arg)>, String> {
        let is_output = |param: &Param| param.is_mutable() && param.elem().is_float();
        read_floats(&self.adj_outputs, "adjoint", kernel, inputs, is_output)
    }

    /// The gradients.
    ///
    /// # Errors
    /// A sentence that names the gradient that is missing, wrong or unknown.
    pub(crate) fn gradients(&self, kernel: &Kernel, inputs: &[Arg]) -> Result<Vec<(ParamId, Arg)>, String> {
        read_floats(&self.gradients, "gradient", kernel, inputs, |param| param.elem().is_float())
    }
}

/// The tolerances by name. An argument is left out if all its tolerances are 0.
pub(crate) fn inexact<'a>(kernel: &Kernel, tolerances: impl Iterator<Item = (ParamId, &'a Arg)>) -> Map<String, Value> {
    let allows = |arg: &Arg| match &arg.data {
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => data.iter().any(|allowed| *allowed > 0.0),
        Data::F64(data) => data.iter().any(|allowed| *allowed > 0.0),
        _ => false,
    };
    let named = |(id, arg): (ParamId, &Arg)| {
        let param = kernel.param(id);
        (param.name.clone(), argument_to_json(param, arg))
    };
    tolerances.filter(|(_, arg)| allows(arg)).map(named).collect()
}

/// Reads an argument from `map` for each parameter for which `belongs` holds. A by-value parameter has an array of one
/// element.
fn read_floats(
    map: &Map<String, Value>,
    what: &str,
    kernel: &Kernel,
    inputs: &[Arg],
    belongs: impl Fn(&Param) -> bool,
) -> Result<Vec<(ParamId, Arg)>, String> {
    let wanted: Vec<(ParamId, &Param)> = kernel.param_ids().filter(|(_, param)| belongs(param)).collect();
    if !wanted.iter().map(|(_, param)| &param.name).eq(map.keys()) {
        return Err(format!("the {what}s are not those of the float parameters in their order"));
    }
    let read = |((id, param), data): ((ParamId, &Param), &Value)| {
        let input = &inputs[id.0 as usize];
        let mut arg = argument_from_json(data, param, &input.shape)
            .map_err(|wrong| format!("{what} `{}` {wrong}", param.name))?;
        if param.rank() == 0 {
            arg.shape = vec![1];
        }
        Ok((id, arg))
    };
    wanted.into_iter().zip(map.values()).map(read).collect()
}

/// An argument of the parameter `param`, or another one of its shape: a number, a list, or null if it is absent.
fn argument_to_json(param: &Param, arg: &Arg) -> Value {
    match param.is_optional() && arg.is_empty() {
        true => Value::Null,
        false => to_json(arg, param.rank() == 0 && arg.ty.is_scalar()),
    }
}

/// The inverse of [`argument_to_json`], for the extents `shape`.
fn argument_from_json(data: &Value, param: &Param, shape: &[usize]) -> Result<Arg, String> {
    if !param.is_optional() || shape.iter().all(|extent| *extent > 0) {
        return from_json(data, param.elem(), shape);
    }
    match data.is_null() {
        true => Ok(Arg::zeros(param.elem(), shape)),
        false => Err("is absent, and has numbers".to_owned()),
    }
}

/// The scalars of `arg` in row-major order, or a single number if `alone`.
fn to_json(arg: &Arg, alone: bool) -> Value {
    let mut numbers: Vec<Value> = match &arg.data {
        Data::Bool(data) => data.iter().map(|&v| v.into()).collect(),
        Data::I8(data) => data.iter().map(|&v| v.into()).collect(),
        Data::U8(data) => data.iter().map(|&v| v.into()).collect(),
        Data::I16(data) => data.iter().map(|&v| v.into()).collect(),
        Data::U16(data) => data.iter().map(|&v| v.into()).collect(),
        Data::I32(data) => data.iter().map(|&v| v.into()).collect(),
        Data::U32(data) => data.iter().map(|&v| v.into()).collect(),
        Data::I64(data) => data.iter().map(|&v| v.into()).collect(),
        Data::U64(data) => data.iter().map(|&v| v.into()).collect(),
        Data::Index(data) => data.iter().map(|&v| v.into()).collect(),
        Data::F16(data) | Data::BF16(data) => {
            data.iter().map(|&v| Number::from_f64(shortest(v, arg.data.scalar())).into()).collect()
        }
        Data::F32(data) => data.iter().map(|&v| Number::from_f64(short(v)).into()).collect(),
        Data::F64(data) => data.iter().map(|&v| Number::from_f64(v).into()).collect(),
    };
    if let Shape::Matrix(rows, columns) = arg.ty.shape {
        transpose([columns, rows], &mut numbers);
    }
    match alone {
        true => numbers.pop().unwrap_or(Value::Null),
        false => numbers.into(),
    }
}

/// The `f64` with the same shortest decimal as `value`, if it rounds back to `value`; otherwise `value` itself. So a
/// file has `0.1`, not `0.10000000149011612`.
fn short(value: f32) -> f64 {
    match value.to_string().parse::<f64>() {
        Ok(wide) if (wide as f32).to_bits() == value.to_bits() => wide,
        _ => f64::from(value),
    }
}

/// The shortest decimal that rounds to `value`, a number of the type `scalar` with 16 bits; `value` itself if it is not
/// finite.
fn shortest(value: f32, scalar: Scalar) -> f64 {
    // No number of 11 binary digits needs more than 5 decimal ones.
    let decimals = (0..5).filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok());
    // Readers may take it for an `f32` first.
    let rounds_back = |decimal: &f64| {
        let rounded = |decimal| scalar.format().is_some_and(|format| format.round(decimal) == f64::from(value));
        rounded(*decimal) && rounded((*decimal as f32).into())
    };
    decimals.into_iter().find(rounds_back).unwrap_or(value.into())
}

/// The inverse of [`to_json`], for the type `ty` and the extents `shape`.
fn from_json(data: &Value, ty: Type, shape: &[usize]) -> Result<Arg, String> {
    let alone = [data.clone()];
    let numbers = match data.as_array() {
        Some(list) if !(shape.is_empty() && ty.is_scalar()) => list.as_slice(),
        None if shape.is_empty() && ty.is_scalar() => &alone,
        _ => return Err("is a number where a list belongs, or a list where a number does".to_owned()),
    };
    let extents = shape.iter().copied().chain([ty.components()]);
    let expected = extents.reduce(usize::saturating_mul);
    if expected != Some(numbers.len()) {
        return Err(format!("has {} numbers, which its shape does not have", numbers.len()));
    }
    let mut numbers = numbers.to_vec();
    if let Shape::Matrix(rows, columns) = ty.shape {
        transpose([rows, columns], &mut numbers);
    }
    let data = match ty.scalar() {
        Scalar::Bool => read(&numbers, Value::as_bool).map(Data::Bool),
        Scalar::I8 => read(&numbers, |v| v.as_i64()?.try_into().ok()).map(Data::I8),
        Scalar::U8 => read(&numbers, |v| v.as_i64()?.try_into().ok()).map(Data::U8),
        Scalar::I16 => read(&numbers, |v| v.as_i64()?.try_into().ok()).map(Data::I16),
        Scalar::U16 => read(&numbers, |v| v.as_i64()?.try_into().ok()).map(Data::U16),
        Scalar::I32 => read(&numbers, |v| v.as_i64()?.try_into().ok()).map(Data::I32),
        Scalar::U32 => read(&numbers, |v| v.as_u64()?.try_into().ok()).map(Data::U32),
        Scalar::I64 => read(&numbers, Value::as_i64).map(Data::I64),
        Scalar::U64 => read(&numbers, Value::as_u64).map(Data::U64),
        Scalar::Index => read(&numbers, |v| v.as_u64()?.try_into().ok()).map(Data::Index),
        scalar @ (Scalar::F16 | Scalar::BF16) => read(&numbers, |v| {
            let value = scalar.format()?.round(v.as_f64()?);
            Some(value as f32).filter(|value| value.is_finite())
        })
        .map(|data| Data::of_singles(scalar, data)),
        Scalar::F32 => read(&numbers, |v| Some(v.as_f64()? as f32).filter(|v| v.is_finite())).map(Data::F32),
        Scalar::F64 => read(&numbers, Value::as_f64).map(Data::F64),
    };
    match data {
        Some(data) => Ok(Arg { ty, shape: shape.to_vec(), data }),
        None => Err(format!("has a value that is not of type {}", ty.scalar().name())),
    }
}

fn read<T>(numbers: &[Value], one: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    numbers.iter().map(one).collect()
}

/// Transposes every matrix in place: `count` runs of `length` numbers each become `length` runs.
fn transpose([count, length]: [u8; 2], numbers: &mut [Value]) {
    let (count, length) = (usize::from(count), usize::from(length));
    for element in numbers.chunks_exact_mut(count * length) {
        let runs = element.to_vec();
        for (place, number) in runs.into_iter().enumerate() {
            element[place % length * count + place / length] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(arg: &Arg) -> String {
        let alone = arg.shape.is_empty() && arg.ty.is_scalar();
        let text = to_json(arg, alone).to_string();
        let back = from_json(&serde_json::from_str(&text).unwrap(), arg.ty, &arg.shape).unwrap();
        assert_eq!(format!("{back:?}"), format!("{arg:?}"));
        text
    }

    fn floats(values: &[f32]) -> Arg {
        Arg { ty: Type::F32, shape: vec![values.len()], data: Data::F32(values.to_vec()) }
    }

    #[test]
    fn an_absent_array_is_null() {
        let text = "#[kernel(family = \"f\", dim = 1)] fn k(x: Option<&[f32; dim(0)]>,) {}";
        let kernel = kernel_ir::text::parse(text).unwrap();
        let param = &kernel.params[0];
        let absent = floats(&[]);
        assert_eq!(argument_to_json(param, &absent), Value::Null);
        assert_eq!(argument_from_json(&Value::Null, param, &[0]), Ok(absent));
        assert!(argument_from_json(&Value::Array(Vec::new()), param, &[0]).is_err());
        assert!(argument_from_json(&Value::Null, param, &[2]).is_err());
    }

    #[test]
    fn floats_are_short_and_exact() {
        let text = round_trip(&floats(&[0.1, -0.0, 1.0, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 16_777_217.0]));
        assert!(text.starts_with("[0.1,-0.0,1.0,"), "{text}");
        // A stride through all floats.
        let many: Vec<f32> = (0..u32::MAX).step_by(65_521).map(f32::from_bits).filter(|v| v.is_finite()).collect();
        round_trip(&floats(&many));
        let wide = Arg { ty: Type::F64, shape: vec![3], data: Data::F64(vec![0.1, 1.0 / 3.0, f64::MIN_POSITIVE]) };
        round_trip(&wide);
    }

    #[test]
    fn wide_integers_are_exact() {
        let arg = Arg { ty: Type::U64, shape: vec![2], data: Data::U64(vec![u64::MAX, 0]) };
        assert_eq!(round_trip(&arg), "[18446744073709551615,0]");
        let arg = Arg { ty: Type::I64, shape: vec![1], data: Data::I64(vec![i64::MIN]) };
        assert_eq!(round_trip(&arg), "[-9223372036854775808]");
    }

    #[test]
    fn matrices_are_row_major() {
        let columns = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let arg = Arg { ty: Type::matrix(Scalar::F32, 2, 2), shape: vec![2], data: Data::F32(columns) };
        assert_eq!(round_trip(&arg), "[1.0,3.0,2.0,4.0,5.0,7.0,6.0,8.0]");
    }

    #[test]
    fn values_are_numbers_and_vectors_lists() {
        let arg = Arg { ty: Type::BOOL, shape: vec![], data: Data::Bool(vec![true]) };
        assert_eq!(round_trip(&arg), "true");
        let arg = Arg { ty: Type::vector(Scalar::I32, 2), shape: vec![], data: Data::I32(vec![3, -4]) };
        assert_eq!(round_trip(&arg), "[3,-4]");
    }

    #[test]
    fn wrong_data_is_named() {
        let wrong = |text: &str, ty: Type, shape: &[usize]| {
            from_json(&serde_json::from_str(text).unwrap(), ty, shape).unwrap_err()
        };
        assert!(wrong("[1]", Type::I32, &[]).contains("a list where a number"));
        assert!(wrong("1", Type::I32, &[1]).contains("a number where a list"));
        assert!(wrong("[1,2]", Type::I32, &[3]).contains("2 numbers"));
        assert!(wrong("[1,2]", Type::I32, &[usize::MAX, 2]).contains("2 numbers"));
        assert!(wrong("[1.5]", Type::I32, &[1]).contains("not of type i32"));
        assert!(wrong("[4294967296]", Type::U32, &[1]).contains("not of type u32"));
        assert!(wrong("[1e39]", Type::F32, &[1]).contains("not of type f32"));
    }

    #[test]
    fn matrices_are_lists_of_rows() {
        let ty = Type::matrix(kernel_ir::ir::Scalar::F32, 2, 3);
        let columns = vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0, 7.0, 10.0, 8.0, 11.0, 9.0, 12.0];
        let text = round_trip(&Arg { ty, shape: vec![2], data: Data::F32(columns) });
        let numbers: Vec<String> = (1..=12).map(|number| format!("{number}.0")).collect();
        assert!(text.contains(&numbers.join(",")), "{text}");
    }
}
