//! Texts of benchmarks that a dataset must not hold.
//!
//! A record is contaminated if one of its texts shares a run of 12 tokens with a benchmark, or if its skeleton is that of
//! a kernel there: of a `#[kernel]` function in a `.rs` file, or of an IR text. Runs that many registered kernels have in
//! common, such as the loop over the threads of a launch, say nothing and do not count.

use crate::dedup::tokens;
use crate::error::Error;
use crate::out::entries;
use crate::record::{Reason, Record, skeleton_id};
use crate::source::read_kernel;
use kernel_ir::check::CheckedKernel;
use kernel_ir::front;
use kernel_rt::KernelInfo;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many tokens make a run.
const RUN: usize = 12;
/// A run that is in more kernels of the registry than one in this many is boilerplate.
const BOILERPLATE_SHARE: usize = 20;

/// What is known of the benchmarks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Benchmarks {
    runs: BTreeSet<u64>,
    skeletons: BTreeSet<String>,
}

impl Benchmarks {
    /// Reads every file below `folder` as text; `kernels` show what is boilerplate.
    pub(crate) fn read(folder: &Path, kernels: &[&'static KernelInfo]) -> Result<Benchmarks, Error> {
        if !folder.is_dir() {
            return Err(Error::Config(format!(
                "`{}` is not a folder; name one with the texts of benchmarks",
                folder.display()
            )));
        }
        let (mut runs, mut skeletons) = (BTreeSet::new(), BTreeSet::new());
        let mut files = Vec::new();
        collect(folder, &mut files)?;
        for file in &files {
            let text = fs::read(file).map_err(Error::io("read", file))?;
            let text = String::from_utf8_lossy(&text);
            runs.extend(runs_of(&text));
            skeletons.extend(kernels_in(&text).iter().map(|kernel| skeleton_id(kernel)));
        }
        if runs.is_empty() {
            return Err(Error::Config(format!("`{}` holds no text of {RUN} tokens or more", folder.display())));
        }
        for run in boilerplate(kernels) {
            runs.remove(&run);
        }
        Ok(Benchmarks { runs, skeletons })
    }

    /// Everything that counts of the benchmarks, as lines.
    pub(crate) fn to_text(&self) -> String {
        let skeletons = self.skeletons.iter().map(|skeleton| format!("{skeleton}\n"));
        skeletons.chain(self.runs.iter().map(|run| format!("{run:016x}\n"))).collect()
    }

    /// The benchmarks that [`to_text`](Self::to_text) wrote down.
    pub(crate) fn of_text(text: &str) -> Benchmarks {
        let (runs, skeletons): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.len() == 16);
        Benchmarks {
            runs: runs.into_iter().filter_map(|run| u64::from_str_radix(run, 16).ok()).collect(),
            skeletons: skeletons.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The hash of everything that counts.
    pub(crate) fn digest(&self) -> String {
        blake3::hash(self.to_text().as_bytes()).to_hex().to_string()
    }

    /// Finds what `record` shares with a benchmark.
    ///
    /// # Errors
    /// What it shares.
    pub(crate) fn admit(&self, record: &Record) -> Result<(), (Reason, String)> {
        if self.skeletons.contains(&record.skeleton_id) {
            return Err((Reason::Contaminated, "its skeleton is that of a benchmark".to_owned()));
        }
        for (name, text) in record.texts() {
            if text.is_some_and(|text| runs_of(text).any(|run| self.runs.contains(&run))) {
                return Err((Reason::Contaminated, format!("{RUN} tokens of `{name}` are in a benchmark")));
            }
        }
        Ok(())
    }
}

/// A hash of every run of tokens in `text`.
fn runs_of(text: &str) -> impl Iterator<Item = u64> {
    let tokens = tokens(text);
    (0..tokens.len().saturating_sub(RUN - 1)).map(move |start| {
        let run = &tokens[start..start + RUN];
        run.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, token| (hash ^ token).wrapping_mul(0x0100_0000_01b3))
    })
}

/// The runs that many kernels have in common.
fn boilerplate(kernels: &[&'static KernelInfo]) -> Vec<u64> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for info in kernels {
        let backward = info.backward.map_or([""; 3], |backward| [backward.ir, backward.cpp, backward.cuda]);
        let forward = [info.ir, info.rust_source, info.cpp_forward, info.cuda_forward, info.python];
        let runs: HashSet<u64> = forward.into_iter().chain(backward).flat_map(runs_of).collect();
        for run in runs {
            *counts.entry(run).or_default() += 1;
        }
    }
    let most = kernels.len() / BOILERPLATE_SHARE;
    counts.into_iter().filter(|(_, count)| *count > most.max(1)).map(|(run, _)| run).collect()
}

/// The kernel that `text` is the IR of, or those that it holds as functions under `#[kernel]`.
fn kernels_in(text: &str) -> Vec<CheckedKernel> {
    let Ok(file) = syn::parse_file(text) else { return read_kernel(text).into_iter().collect() };
    file.items.into_iter().filter_map(kernel_of).collect()
}

/// The kernel that the item of a Rust file is, if it is one.
fn kernel_of(item: syn::Item) -> Option<CheckedKernel> {
    let syn::Item::Fn(mut function) = item else { return None };
    let place = function.attrs.iter().position(|attr| attr.path().is_ident("kernel"))?;
    let attr = match function.attrs.remove(place).meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    front::compile(attr, function.into_token_stream()).kernel.ok()
}

/// Every file below `folder`, in order.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in entries(folder)? {
        if entry.is_dir() { collect(&entry, files)? } else { files.push(entry) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{self, Dataset};

    fn benchmarks(name: &str, text: &str) -> Benchmarks {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inside")).unwrap();
        fs::write(folder.path().join("inside").join(name), text).unwrap();
        Benchmarks::read(folder.path(), &[]).unwrap()
    }

    fn record() -> Record {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&["--source", "synth", "--count", "1", "--family", "math"]).unwrap();
        dataset.records().remove(0)
    }

    #[test]
    fn a_run_of_tokens_is_found_however_it_is_laid_out() {
        let record = record();
        let python = record.python_source.replace(' ', "  ");
        let error = benchmarks("a.py", &python).admit(&record).unwrap_err();
        assert_eq!(error.0, Reason::Contaminated);
        assert!(error.1.contains("`python_source`"), "{}", error.1);
        benchmarks("a.txt", "the quick brown fox jumps over the lazy dog and runs away from it")
            .admit(&record)
            .unwrap();
    }

    #[test]
    fn a_kernel_with_other_names_and_constants_has_the_skeleton() {
        let wave = "use kernel_rt::prelude::*;\n#[kernel(family = \"x\")]\npub fn other(#[domain(0.0..1.0)] f: f32, \
                    #[domain(0.0..1.0)] u: &[f32], v: &mut [f32]) { v[tid()] = f * u[tid()].sin(); v[tid()] += f; }";
        let found = benchmarks("a.rs", wave);
        assert_eq!(found.skeletons.len(), 1);
        assert_eq!(Benchmarks::of_text(&found.to_text()), found);
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&[]).unwrap();
        let error = found.admit(&dataset.records()[0]).unwrap_err();
        assert!(error.1.contains("skeleton"), "{}", error.1);
    }

    #[test]
    fn a_folder_without_texts_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Benchmarks::read(folder.path(), &[]).unwrap_err().to_string().contains("holds no text"));
        assert!(Benchmarks::read(&folder.path().join("absent"), &[]).unwrap_err().to_string().contains("not a folder"));
    }
}
