//! Shared code of several tests: registered kernels as IR, and the comparison of results.

use kernel_ir::adjoint::{self, Backward};
use kernel_ir::columns;
use kernel_ir::data::{Arg, Data};
use kernel_ir::text;
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_rt::{KernelInfo, registered_kernels};
use std::io::Write;

/// The IR of a registered kernel, parsed from its text.
pub fn checked(info: &KernelInfo) -> VerifiedKernel {
    let kernel = text::parse(info.ir).unwrap_or_else(|error| panic!("{}: {error:?}", info.name));
    verify(kernel).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", info.name))
}

/// A registered kernel as data sees it: with [columns] in the place of structs.
pub fn as_data(info: &KernelInfo) -> VerifiedKernel {
    columns::of_kernel(&checked(info)).into_owned()
}

/// The adjoint of a registered kernel as data sees it.
pub fn adjoint_as_data(info: &KernelInfo) -> Backward {
    let kernel = checked(info);
    let adjoint = adjoint::backward(&kernel).unwrap_or_else(|why| panic!("{}: {why:?}", info.name));
    columns::of_backward(&kernel, &adjoint).into_owned()
}

/// Prints the reason for which the running test skips something.
pub fn skip(what: &str) {
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    report(&format!("SKIPPED {}: {what}", thread.name().unwrap_or("a test")));
}

/// Prints a line that shows although the test passes. The test harness captures `println!`, but not this.
pub fn report(line: &str) {
    // A closed standard error must not fail the test.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Compares the arguments after a launch, bit for bit.
///
/// # Errors
/// The first scalar that differs. NaN equals NaN here.
pub fn compare(kernel: &VerifiedKernel, expected: &[Arg], found: &[Arg]) -> Result<(), String> {
    for ((param, expected), found) in kernel.params.iter().zip(expected).zip(found) {
        let (expected, found) = (&expected.data, &found.data);
        let place = first_difference(expected, found)
            .ok_or_else(|| format!("`{}`: the results have different types or sizes", param.name))?;
        if let Some(place) = place {
            let (expected, found) = (scalar(expected, place), scalar(found, place));
            return Err(format!("`{}` differs at scalar {place}: expected {expected}, found {found}", param.name));
        }
    }
    Ok(())
}

/// The index of the first scalar that differs; `None` if all are equal. The outer `None` says that the values cannot be
/// compared.
fn first_difference(a: &Data, b: &Data) -> Option<Option<usize>> {
    fn first<T: Copy>(a: &[T], b: &[T], equal: impl Fn(T, T) -> bool) -> Option<Option<usize>> {
        (a.len() == b.len()).then(|| a.iter().zip(b).position(|(a, b)| !equal(*a, *b)))
    }
    match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => first(a, b, |a, b| a == b),
        (Data::I8(a), Data::I8(b)) => first(a, b, |a, b| a == b),
        (Data::U8(a), Data::U8(b)) => first(a, b, |a, b| a == b),
        (Data::I16(a), Data::I16(b)) => first(a, b, |a, b| a == b),
        (Data::U16(a), Data::U16(b)) => first(a, b, |a, b| a == b),
        (Data::I32(a), Data::I32(b)) => first(a, b, |a, b| a == b),
        (Data::U32(a), Data::U32(b)) => first(a, b, |a, b| a == b),
        (Data::I64(a), Data::I64(b)) => first(a, b, |a, b| a == b),
        (Data::U64(a), Data::U64(b)) => first(a, b, |a, b| a == b),
        (Data::Index(a), Data::Index(b)) => first(a, b, |a, b| a == b),
        (Data::F16(a), Data::F16(b)) | (Data::BF16(a), Data::BF16(b)) | (Data::F32(a), Data::F32(b)) => {
            first(a, b, |a, b| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
        }
        (Data::F64(a), Data::F64(b)) => first(a, b, |a, b| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())),
        _ => None,
    }
}

fn scalar(data: &Data, place: usize) -> String {
    match data {
        Data::Bool(v) => v[place].to_string(),
        Data::I8(v) => v[place].to_string(),
        Data::U8(v) => v[place].to_string(),
        Data::I16(v) => v[place].to_string(),
        Data::U16(v) => v[place].to_string(),
        Data::I32(v) => v[place].to_string(),
        Data::U32(v) => v[place].to_string(),
        Data::I64(v) => v[place].to_string(),
        Data::U64(v) => v[place].to_string(),
        Data::Index(v) => v[place].to_string(),
        Data::F16(v) | Data::BF16(v) | Data::F32(v) => format!("{:?}", v[place]),
        Data::F64(v) => format!("{:?}", v[place]),
    }
}

/// Whether no float is NaN or infinite.
pub fn is_finite(data: &Data) -> bool {
    match data {
        Data::F16(v) | Data::BF16(v) | Data::F32(v) => v.iter().all(|x| x.is_finite()),
        Data::F64(v) => v.iter().all(|x| x.is_finite()),
        _ => true,
    }
}

/// Every `step`-th registered kernel. `WEFT_PART=3/16` takes every sixteenth instead, from the third one on, and `WEFT_FAMILY=shared`
/// those of a family.
///
/// # Panics
/// If `WEFT_PART` is set, and not of this form.
pub fn selected(step: usize) -> Vec<&'static KernelInfo> {
    let family = std::env::var("WEFT_FAMILY").ok();
    let kernels = registered_kernels().into_iter();
    let kernels = kernels.filter(|info| family.as_ref().is_none_or(|family| family == info.family));
    match part() {
        Some((part, parts)) => kernels.skip(part - 1).step_by(parts).collect(),
        None if family.is_some() => kernels.collect(),
        None => kernels.step_by(step).collect(),
    }
}

/// Whether `WEFT_PART` or `WEFT_FAMILY` select kernels.
pub fn is_selected() -> bool {
    ["WEFT_PART", "WEFT_FAMILY"].iter().any(|name| std::env::var_os(name).is_some())
}

/// The part of the kernels that `WEFT_PART` asks for, from 1 on, and the number of parts.
fn part() -> Option<(usize, usize)> {
    let text = std::env::var("WEFT_PART").ok()?;
    let read = || text.split_once('/').map(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)))?;
    let (part, parts) = read().unwrap_or_else(|| panic!("WEFT_PART is `{text}`, and not like `3/16`"));
    assert!((1..=parts).contains(&part), "WEFT_PART is `{text}`: parts are numbered from 1 on");
    Some((part, parts))
}

/// The pages of the guide as doc tests: `cargo test --doc` compiles and runs their Rust blocks.
#[cfg(doctest)]
mod guide {
    macro_rules! pages {
        ($($page:ident: $file:literal,)*) => {
            $(#[doc = include_str!(concat!("../docs/guide/", $file))] mod $page {})*
        };
    }
    pages! {
        introduction: "introduction.md",
        install: "install.md",
        getting_started: "getting-started.md",
        language: "language.md",
        blocks: "blocks.md",
        tiles: "tiles.md",
        arrays_and_devices: "arrays-and-devices.md",
        interop: "interop.md",
        launches: "launches.md",
        streams_and_graphs: "streams-and-graphs.md",
        tape: "tape.md",
        gradients: "gradients.md",
        errors: "errors.md",
        debugging: "debugging.md",
        your_own_dataset: "your-own-dataset.md",
        scoring: "scoring.md",
        internals: "internals.md",
    }
}
