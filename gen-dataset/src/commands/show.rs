//! `show`: prints one kernel, with Python and CUDA side by side, or one of its texts.

use super::term;
use crate::cli::{ShowArgs, Text};
use crate::error::Error;
use crate::files::read_json;
use crate::model::read_kernel;
use crate::model::{CardSettings, Config, Device, ExampleSettings, Format, Record, Settings, Source};
use crate::model::{TargetText, TargetTexts};
use crate::out::{FEW, Found, Manifest, RUN, find_record};
use crate::prove::make_synth::{Synthesized, synthesize};
use crate::source::registry;
use crate::synth::{self, FAMILIES};
use kernel_ir::adjoint;
use kernel_ir::diag::nearest;
use kernel_ir::target::Target;
use kernel_ir::text;
use kernel_rt::{KernelInfo, Pass};
use std::path::Path;

/// The language beside Python, if the kernel has a text in it.
const PREFERRED: &str = "CUDA C++";

/// The texts of a kernel.
struct Texts {
    python: String,
    targets: TargetTexts,
    rust: String,
    ir: String,
}

/// Prints the kernel or record that `args` names.
pub(crate) fn show(args: &ShowArgs, kernels: &[&'static KernelInfo]) -> Result<(), Error> {
    let texts = find(args, kernels)?;
    let text = match args.stage {
        Some(Text::Python) => Some(texts.python),
        Some(Text::Rust) => Some(texts.rust),
        Some(Text::Ast) => Some(tree(&texts.rust)?),
        Some(Text::Ir) => Some(texts.ir),
        Some(Text::Adjoint) => adjoint_of(&texts.ir)?,
        Some(Text::Target(target, Pass::Forward)) => texts.targets.get(target.id).forward.clone(),
        Some(Text::Target(target, Pass::Backward)) => texts.targets.get(target.id).backward.clone(),
        None => {
            let with_text =
                |(target, text): (&'static Target, &TargetText)| Some((target.language, text.forward.clone()?));
            let first = texts.targets.iter().filter_map(with_text).max_by_key(|(language, _)| *language == PREFERRED);
            let (language, text) = first.unwrap_or_default();
            return term::print(&term::side_by_side(
                ("Warp Python", &texts.python),
                (language, &text),
                term::column_width(),
            ));
        }
    };
    let missing = || match args.stage {
        Some(Text::Adjoint) => format!("`{}` has no adjoint", args.which),
        Some(Text::Target(_, Pass::Backward)) => {
            format!("`{}` has no adjoint, or it is for the other device", args.which)
        }
        Some(Text::Target(target, _)) => {
            format!("`{}` has no {} text: it is for the other device", args.which, target.name)
        }
        _ => format!("`{}` has no such text", args.which),
    };
    let text = text.ok_or_else(|| Error::Config(missing()))?;
    term::print(&format!("{}\n", text.trim_end()))
}

/// The syntax tree of a Rust source.
fn tree(rust: &str) -> Result<String, Error> {
    let file =
        syn::parse_file(rust).map_err(|error| Error::Internal(format!("the Rust source is not valid: {error}")))?;
    Ok(file.items.iter().map(|item| format!("{item:#?}\n")).collect())
}

/// The adjoint of a kernel in the text form of the IR; `None` if it has none.
fn adjoint_of(ir: &str) -> Result<Option<String>, Error> {
    let kernel = read_kernel(ir).map_err(Error::Internal)?;
    let backward = adjoint::differentiate(&kernel).ok().flatten();
    Ok(backward.map(|backward| text::print(backward.kernel.with_tiles())))
}

impl Texts {
    fn of(record: Record) -> Texts {
        Texts { python: record.python_source, targets: record.targets, rust: record.rust_source, ir: record.ir }
    }
}

/// Finds the registered kernel with this name, the sample of this seed and index, or the record whose id starts with
/// this text.
fn find(args: &ShowArgs, kernels: &[&'static KernelInfo]) -> Result<Texts, Error> {
    if let Some(info) = named(&args.which, kernels)? {
        let kernel = read_kernel(info.ir).map_err(Error::Internal)?;
        // The registry has no adjoint of a kernel that cannot be differentiated.
        let backward = adjoint::differentiate(&kernel).ok().flatten();
        return Ok(Texts {
            python: info.python.to_owned(),
            targets: TargetTexts::registered(info, &kernel, backward.as_ref(), Device::all()),
            rust: info.rust_source.to_owned(),
            ir: info.ir.to_owned(),
        });
    }
    if let Some((seed, index)) = sample(&args.which) {
        return made_again(seed, index, &args.dataset).map(Texts::of);
    }
    let is_id = !args.which.is_empty() && args.which.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_id && args.dataset.is_dir() {
        match find_record(&args.dataset, &args.which.to_ascii_lowercase())? {
            Found::One(record) => return Ok(Texts::of(*record)),
            Found::Several(ids) => {
                let more = if ids.len() > FEW { ", …" } else { "" };
                return Err(Error::Config(format!(
                    "several records in `{}` have an id that starts with `{}`: {}{more}; give more digits of it",
                    args.dataset.display(),
                    args.which,
                    ids[..ids.len().min(FEW)].join(", ")
                )));
            }
            Found::None => {}
        }
    }
    let near = nearest(&args.which, kernels.iter().map(|info| info.name));
    Err(Error::Config(format!(
        "there is no kernel `{}`, and no record with that id in `{}`; {}`gen-dataset list` shows the kernels",
        args.which,
        args.dataset.display(),
        near.map_or(String::new(), |near| format!("did you mean `{near}`? "))
    )))
}

/// The registered kernel with this name or path: `saxpy`, or `kernels::arithmetic::saxpy`.
///
/// # Errors
/// Several kernels have this name.
fn named(which: &str, kernels: &[&'static KernelInfo]) -> Result<Option<&'static KernelInfo>, Error> {
    let path = |info: &KernelInfo| format!("{}::{}", info.module, info.name);
    if let Some(info) = kernels.iter().find(|info| path(info) == which) {
        return Ok(Some(info));
    }
    // The name, or the end of a path.
    let is_it = |info: &&KernelInfo| path(info).strip_suffix(which).is_some_and(|rest| rest.ends_with("::"));
    let found: Vec<&'static KernelInfo> = kernels.iter().copied().filter(|info| is_it(info)).collect();
    if let [_, _, ..] = found[..] {
        let paths: Vec<String> = found.iter().map(|info| path(info)).collect();
        return Err(Error::Config(format!(
            "several kernels are called `{which}`; give the path of one: {}",
            paths.join(", ")
        )));
    }
    Ok(found.first().copied())
}

/// Parses seed and index, written as `0:1274`.
fn sample(which: &str) -> Option<(u64, u64)> {
    let (seed, index) = which.split_once(':')?;
    Some((seed.parse().ok()?, index.parse().ok()?))
}

/// Makes the record of a sample again: with the settings of the dataset in `dir`, or as one of all families if there is
/// none.
fn made_again(seed: u64, index: u64, dir: &Path) -> Result<Record, Error> {
    let run: Option<Manifest> = read_json(&dir.join(RUN))?;
    // In a partition only the first draft of a sample is used.
    let attempts = if run.as_ref().is_some_and(|run| run.partitions.is_some()) { 1 } else { synth::ATTEMPTS };
    let settings = run.map_or_else(settings_of_samples, |run| run.settings);
    let families = registry::synthesised(&settings.families)?;
    let family = synth::family(&families, index);
    let Synthesized { made, rejects } = synthesize(family, index, &Settings { seed, ..settings }, None, attempts);
    made.map(|(record, _)| record).ok_or_else(|| {
        let reason = rejects.last().map(|reject| format!(": {}, {}", reject.reason.name(), reject.detail));
        Error::Config(format!("sample {index} of seed {seed} gives no record{}", reason.unwrap_or_default()))
    })
}

/// The settings for a sample of all families outside a dataset.
fn settings_of_samples() -> Settings {
    Settings {
        source: Source::Synth,
        families: FAMILIES.iter().map(|family| family.name.to_owned()).collect(),
        modules: Vec::new(),
        count: 1,
        device: Device::all(),
        seed: 0,
        format: Format::Jsonl,
        configs: Config::only_default(),
        splits: None,
        benchmarks: None,
        ptx: None,
        judges: Vec::new(),
        cuda_source: false,
        rl_programs: false,
        examples: ExampleSettings::default(),
        card: CardSettings::default(),
        kernels: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;

    #[test]
    fn kernels_of_one_name_are_told_apart_by_their_paths() {
        let kernels = ["mine::a", "mine::b"].map(|module| fixtures::info_in(module, "wave"));
        let text = named("wave", &kernels).unwrap_err().to_string();
        assert_eq!(text, "several kernels are called `wave`; give the path of one: mine::a::wave, mine::b::wave");
        assert_eq!(named("mine::b::wave", &kernels).unwrap().unwrap().module, "mine::b");
        assert_eq!(named("b::wave", &kernels).unwrap().unwrap().module, "mine::b");
        assert!(named("ave", &kernels).unwrap().is_none());
        assert!(named("mine::c::wave", &kernels).unwrap().is_none());
        assert_eq!(named("wave", &kernels[1..]).unwrap().unwrap().module, "mine::b");
    }

    #[test]
    fn a_mistyped_name_has_a_suggestion() {
        let names = ["saxpy", "daxpy", "wave"];
        assert_eq!(nearest("sapxy", names.into_iter()), Some("saxpy"));
        assert_eq!(nearest("Wave", names.into_iter()), Some("wave"));
        assert_eq!(nearest("7f3a", names.into_iter()), None);
        let args = ShowArgs { which: "wvae".to_owned(), stage: None, dataset: "absent".into() };
        let why = find(&args, &[fixtures::info("math", "wave")]).err().unwrap().to_string();
        assert!(why.contains("; did you mean `wave`? `gen-dataset list`"), "{why}");
    }

    #[test]
    fn the_beginning_of_an_id_names_a_record_if_it_is_that_of_no_other() {
        for format in ["jsonl", "parquet", "files"] {
            let dataset = Dataset::new(&[fixtures::info("math", "one")]);
            dataset.generate(&["--source", "all", "--count", "40", "--format", format]).unwrap();
            let ids: Vec<String> = dataset.records().into_iter().map(|record| record.id).collect();
            let show = |which: &str| {
                let args = ShowArgs { which: which.to_owned(), stage: None, dataset: dataset.path() };
                find(&args, &[]).map(|texts| texts.ir)
            };
            let of = |start: &str| ids.iter().filter(|id| id.starts_with(start)).count();
            // With 40 ids, some share their first digit, and some can be named by a few digits.
            let several = ids.iter().map(|id| &id[..1]).find(|start| of(start) > FEW).unwrap();
            let why = show(several).err().unwrap().to_string();
            assert!(why.starts_with("several records in ") && why.contains(", …; give more digits of it"), "{why}");
            assert_eq!(ids.iter().filter(|id| why.contains(*id)).count(), FEW);
            let one = (1..).map(|len| &ids[0][..len]).find(|start| of(start) == 1).unwrap();
            assert_eq!(show(one).unwrap(), show(&ids[0]).unwrap());
            assert!(show("0123456789abcdef").err().unwrap().to_string().contains("no record with that id"));
        }
    }
}
