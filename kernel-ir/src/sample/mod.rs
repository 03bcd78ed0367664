//! Random launch arguments, drawn from the domains and shapes of a kernel's parameters.
//!
//! Every parameter has its own random stream, selected by its name, so its argument does not depend on the other
//! parameters. A longer array starts with the elements of a shorter one, unless its domain has a structure.
//!
//! The seed decides which optional arrays are absent: of four samples with consecutive seeds, one has all of them, one
//! none, and two have every other one.

#![deny(clippy::wildcard_enum_match_arm)]

mod draw;
mod structures;
#[cfg(test)]
mod tests;

use crate::data::Arg;
use crate::ir::{Kernel, Param, ParamId, ParamKind, SizeExpr, ValueRange};
pub use draw::Style;
use draw::{Ranges, Source};

/// The largest total number of scalars in the arguments of a launch.
const MOST_SCALARS: usize = 1 << 26;

/// Draws arguments for a launch of `dim`. The result depends on the kernel, `dim` and `seed` only, and is the same on
/// all machines.
///
/// Components are uniform over the range of the domain, and the array as a whole has its structure, if any. Without a
/// domain, floats are drawn from -1 to 1, integers from 0 to 7, and both values of `bool`. A writable array without a
/// domain is zero. An absent array has the extents 0.
///
/// # Errors
/// A message that names the parameter without a value, for example because its domain is empty.
pub fn args(kernel: &Kernel, dim: &[usize], seed: u64) -> Result<Vec<Arg>, String> {
    args_in_style(kernel, dim, seed, Style::Uniform)
}

/// Draws arguments as [`args`] does, with scalars in another distribution. Arrays with a structure keep it.
///
/// # Errors
/// Those of [`args`].
pub fn args_in_style(kernel: &Kernel, dim: &[usize], seed: u64, style: Style) -> Result<Vec<Arg>, String> {
    let mut sampler = Sampler { dim, style, args: Vec::new(), scalars: 0 };
    for param in &kernel.params {
        if !is_present(kernel, param, seed) {
            sampler.args.push(Arg::zeros(param.elem(), &vec![0; param.rank()]));
            continue;
        }
        let arg = sampler.arg(param, seed).map_err(|problem| format!("`{}` {problem}", param.name))?;
        sampler.args.push(arg);
    }
    Ok(sampler.args)
}

/// The seed, changed such that its sample has the optional arrays of the sample with the seed `number`. Seeds that are
/// hashes thus go through all combinations by their numbers.
pub fn numbered(kernel: &Kernel, seed: u64, number: u64) -> u64 {
    match kernel.params.iter().any(Param::is_optional) {
        true => seed - seed % COMBINATIONS + number % COMBINATIONS,
        false => seed,
    }
}

/// The number of combinations of present and absent arrays.
const COMBINATIONS: u64 = 4;

/// Whether the sample with this seed has the parameter.
fn is_present(kernel: &Kernel, param: &Param, seed: u64) -> bool {
    // The columns of an array of structs are present together.
    let array = |param: &Param| param.name.split('.').next().map(str::to_owned);
    let mut optional: Vec<Option<String>> =
        kernel.params.iter().filter(|param| param.is_optional()).map(array).collect();
    optional.dedup();
    let Some(place) = optional.iter().position(|name| *name == array(param)) else { return true };
    match seed % COMBINATIONS {
        0 => true,
        1 => false,
        2 => place % 2 == 0,
        _ => place % 2 == 1,
    }
}

/// `count` numbers in [-1, 1). They depend on `name` and `seed` only.
pub fn signed(name: &str, seed: u64, count: usize) -> Vec<f32> {
    Source::new(seed, name, Style::Uniform).signed(count)
}

/// Launch sizes for tests: empty, one thread, sizes around a warp, uneven boxes. The number of threads is small.
pub fn dims(kernel: &Kernel) -> Vec<Vec<usize>> {
    let sizes: &[&[usize]] = match kernel.dim {
        // A block has many threads.
        1 if kernel.block.is_some() => &[&[0], &[1], &[2], &[3], &[7], &[12]],
        1 => &[&[0], &[1], &[31], &[32], &[33], &[1000]],
        2 => &[&[0, 3], &[1, 1], &[5, 0], &[1, 33], &[7, 5], &[33, 17]],
        3 => &[&[2, 0, 3], &[1, 1, 1], &[1, 33, 2], &[5, 3, 7], &[3, 1, 32]],
        _ => &[&[2, 3, 0, 1], &[1, 1, 1, 1], &[1, 2, 1, 33], &[3, 5, 2, 4]],
    };
    sizes.iter().map(|size| size.to_vec()).collect()
}

struct Sampler<'a> {
    dim: &'a [usize],
    style: Style,
    /// The arguments of the parameters so far. Shapes and domains may refer to them.
    args: Vec<Arg>,
    /// The total number of their scalars.
    scalars: usize,
}

impl Sampler<'_> {
    fn arg(&mut self, param: &Param, seed: u64) -> Result<Arg, String> {
        let shape = self.shape(param)?;
        let ty = param.elem();
        let len = shape.iter().try_fold(ty.components(), |product, extent| product.checked_mul(*extent));
        self.scalars = len
            .and_then(|len| len.checked_add(self.scalars))
            .filter(|scalars| *scalars <= MOST_SCALARS)
            .ok_or_else(|| format!("of the shape {shape:?} is too large"))?;
        if len == Some(0) || (param.is_mutable() && param.domain.is_none()) {
            return Ok(Arg::zeros(ty, &shape));
        }
        let ranges = self.ranges(param)?;
        let mut source = Source::new(seed, &param.name, self.style);
        let data = match param.domain.as_ref().and_then(|domain| domain.structure) {
            None => source.draw(ty.scalar(), &ranges, len.unwrap_or_default()),
            Some(structure) => structures::draw(&mut source, structure, (ty, &shape), &ranges)?,
        };
        let data = data.ok_or_else(|| format!("has a domain that does not fit {}", ty.scalar().name()))?;
        Ok(Arg { ty, shape, data })
    }

    fn shape(&self, param: &Param) -> Result<Vec<usize>, String> {
        let ParamKind::Array { shape, .. } = &param.kind else { return Ok(Vec::new()) };
        let extent = |(axis, size): (usize, &SizeExpr)| {
            let value =
                self.size(size).ok_or_else(|| format!("has an extent along axis {axis} that cannot be computed"))?;
            usize::try_from(value).map_err(|_| format!("has the extent {value} along axis {axis}"))
        };
        shape.iter().enumerate().map(extent).collect()
    }

    fn ranges(&self, param: &Param) -> Result<Ranges, String> {
        match param.domain.as_ref().map(|domain| &domain.range) {
            // A `bool` needs no range.
            None | Some(ValueRange::Bool) => Ok(Ranges { floats: (-1.0, 1.0), ints: (0, 8) }),
            Some(ValueRange::Float { low, high }) => {
                let (low, high) = (f64::from_bits(*low), f64::from_bits(*high));
                if !(low.is_finite() && high.is_finite() && low < high) {
                    return Err(format!("has the empty or endless domain {low:?}..{high:?}"));
                }
                Ok(Ranges { floats: (low, high), ints: (0, 0) })
            }
            Some(ValueRange::Int { low, high }) => {
                let size = |size| self.size(size).ok_or("has a domain that cannot be computed");
                let (low, high) = (size(low)?, size(high)?);
                if low >= high {
                    return Err(format!("has the empty domain {low}..{high}"));
                }
                Ok(Ranges { floats: (0.0, 0.0), ints: (low.into(), high.into()) })
            }
        }
    }

    fn size(&self, size: &SizeExpr) -> Option<i64> {
        let arg = |id: ParamId| self.args.get(id.0 as usize);
        size.eval(self.dim, &|id| draw::integer(&arg(id)?.data), &|id, axis| {
            arg(id)?.shape.get(usize::from(axis)).copied()
        })
    }
}
