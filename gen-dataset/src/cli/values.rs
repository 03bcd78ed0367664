//! The values of arguments: parsers whose errors say, in one line, what is wanted.

use crate::model::targets::targets;
use crate::model::{ARCHITECTURES, Device, JudgeKind};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kernel_ir::target::Target;
use kernel_rt::Pass;

/// The largest number of threads in the launch of an example. A record holds all its numbers.
const MOST_THREADS: usize = 1 << 16;

/// A stage of the compiler, as one of the texts of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Text {
    /// NVIDIA Warp Python.
    Python,
    /// The kernel or its adjoint for a target.
    Target(&'static Target, Pass),
    /// Rust.
    Rust,
    /// The syntax tree of the Rust source.
    Ast,
    /// The text form of the IR.
    Ir,
    /// The text form of the adjoint.
    Adjoint,
}

impl Text {
    /// The values of `--stage`, each with its name and its help text.
    fn all() -> Vec<(String, String, Text)> {
        let of_target = |target: &&'static Target| {
            [
                (target.id.to_owned(), target.language.to_owned(), Text::Target(target, Pass::Forward)),
                (
                    format!("{}-backward", target.id),
                    format!("The adjoint in {}", target.language),
                    Text::Target(target, Pass::Backward),
                ),
            ]
        };
        let python = ("python".to_owned(), "NVIDIA Warp Python".to_owned(), Text::Python);
        let rest = [
            ("rust".to_owned(), "Rust".to_owned(), Text::Rust),
            ("ast".to_owned(), "The syntax tree of the Rust source".to_owned(), Text::Ast),
            ("ir".to_owned(), "The text form of the IR".to_owned(), Text::Ir),
            ("adjoint".to_owned(), "The adjoint in the text form of the IR".to_owned(), Text::Adjoint),
        ];
        [python].into_iter().chain(targets().iter().flat_map(of_target)).chain(rest).collect()
    }
}

/// Parses the value of `--stage`. clap borrows the names for as long as the process runs.
pub(super) fn text() -> impl TypedValueParser<Value = Text> {
    let names = Text::all().into_iter().map(|(name, help, _)| PossibleValue::new(&*name.leak()).help(help));
    PossibleValuesParser::new(names).try_map(|given| {
        let found = Text::all().into_iter().find(|(name, ..)| *name == given);
        found.map(|(.., text)| text).ok_or("unknown text")
    })
}

/// The help of `--device`.
pub(super) fn device_help() -> String {
    let names: Vec<String> =
        Device::names().into_iter().map(|(name, languages)| format!("{name} ({languages})")).collect();
    format!("The targets whose texts a record has, separated by commas: {}", names.join(", "))
}

/// The help of `--judges` where records are made.
pub(super) fn judges_help() -> String {
    let names: Vec<String> = JudgeKind::ALL.into_iter().map(JudgeKind::name).collect();
    format!(
        "Write only records that these judges accept, separated by commas: {} [default: none]; rejected records go to the \
         rejects, and `toolchains` names the judges",
        names.join(", ")
    )
}

/// Parses the percentages of the splits.
pub(super) fn parts(text: &str) -> Result<[u8; 3], String> {
    let parts: Option<Vec<u8>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let parts: Option<[u8; 3]> = parts.and_then(|parts| parts.try_into().ok());
    parts
        .filter(|parts| parts.iter().map(|&part| u32::from(part)).sum::<u32>() == 100)
        .ok_or_else(|| "it must be three numbers whose sum is 100, such as `90,5,5`".to_owned())
}

/// A launch size.
#[derive(Clone, Debug)]
pub(crate) struct LaunchSize(pub(crate) Vec<usize>);

/// Parses a launch size.
pub(super) fn launch_size(text: &str) -> Result<LaunchSize, String> {
    let extent = |text: &str| text.parse().ok().filter(|extent| (1..=MOST_THREADS).contains(extent));
    let size: Option<Vec<usize>> = text.trim().split('x').map(extent).collect();
    // The product of four extents may overflow.
    let threads = |size: &[usize]| size.iter().try_fold(1_usize, |threads, extent| threads.checked_mul(*extent));
    let fits = |size: &Vec<usize>| size.len() <= 4 && threads(size).is_some_and(|threads| threads <= MOST_THREADS);
    size.filter(fits).map(LaunchSize).ok_or_else(|| {
        format!(
            "a launch size is one to four whole numbers of at least 1, as `33x17`, whose product is at most {MOST_THREADS}"
        )
    })
}

/// Parses a whole number from `low` to `high`. The error states the range.
pub(super) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    low: u64,
    high: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| (low..=high).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match high {
            ..=10_000 => format!("it must be a whole number from {low} to {high}"),
            _ => format!("it must be a whole number, at least {low}"),
        })
    }
}

/// Parses a text of one line, and trims it.
pub(super) fn one_line_of_text(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("it must be one line, and not empty".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Parses the name of a licence or tag.
pub(super) fn identifier(text: &str) -> Result<String, String> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "-_.+:".contains(sign);
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("it must be made of letters, digits and `-_.+:`".to_owned()),
    }
}

/// Parses the name of an architecture.
pub(super) fn architecture(name: &str) -> Result<u32, String> {
    let number = name.strip_prefix("sm_").and_then(|number| number.parse().ok());
    number.filter(|number| ARCHITECTURES.contains(number)).ok_or_else(|| {
        let known: Vec<String> = ARCHITECTURES.iter().map(|number| format!("sm_{number}")).collect();
        format!("the known architectures are {}", known.join(", "))
    })
}

/// Parses a number from 1 on.
pub(super) fn at_least_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 1.0 && number.is_finite() => Ok(number),
        _ => Err("a number from 1 on is needed".to_owned()),
    }
}
