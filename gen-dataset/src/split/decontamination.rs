//! Decontamination: texts of benchmarks that a dataset must not hold.
//!
//! A record is contaminated if one of its texts shares a run of 12 tokens with a benchmark, or if its skeleton is that of
//! a kernel there: of a `#[kernel]` function in a `.rs` file, or of an IR text. Of a text the kernel itself counts, not
//! the types and functions that its language lacks and every such text brings along ([`own`]). Runs that many registered
//! kernels have in common, such as the loop over the threads of a launch, say nothing and do not count.

use super::near_duplicates::{hash, words};
use crate::error::Error;
use crate::files::entries;
use crate::model::{Failure, Reason, Record, of_all_passes, read_kernel};
use crate::source::identity::skeleton_id;
use kernel_ir::front;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::KernelInfo;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many tokens are in an n-gram, which comments call a run.
const NGRAM: usize = 12;
/// A run that is in more kernels of the registry than one in this many is boilerplate.
const BOILERPLATE_SHARE: usize = 20;
/// How many different names a run has that counts. With fewer it is how loops, sums and bounds are written.
const NAMES: usize = 4;
/// Words that name nothing: those that loops, declarations and conversions are written with.
const WORDS: [&str; 34] = [
    "as", "bool", "break", "const", "continue", "double", "else", "f32", "f64", "float", "float32", "float64", "for",
    "i32", "i64", "if", "in", "index_t", "int", "int32", "int64", "let", "long", "mut", "range", "return", "u32",
    "u64", "uint32", "uint64", "unsigned", "usize", "while", "wp",
];
/// How many characters of a shared run are shown.
const SHOWN: usize = 60;
/// The texts of a record that say nothing of the kernel that the others do not: programs around it, and what compilers make
/// of it, in words that all kernels share.
const DERIVED: [&str; 2] = ["ptx", "cuda_source"];

/// What is known of the benchmarks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Benchmarks {
    /// The files, below their folder, in order.
    files: Vec<String>,
    /// Each run with the first file that has it.
    ngrams: BTreeMap<u64, usize>,
    /// Each skeleton with the first file that has it.
    skeletons: BTreeMap<String, usize>,
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
        let mut found = Benchmarks::default();
        let mut files = Vec::new();
        collect(folder, &mut files)?;
        for (number, file) in files.iter().enumerate() {
            let text = fs::read(file).map_err(Error::io("read", file))?;
            let text = String::from_utf8_lossy(&text);
            let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy();
            found.files.push(name.replace(char::is_control, "?"));
            for (_, run) in ngrams_of(&words(&text)) {
                found.ngrams.entry(run).or_insert(number);
            }
            for kernel in kernels_in(&text) {
                found.skeletons.entry(skeleton_id(&kernel)).or_insert(number);
            }
        }
        if found.ngrams.is_empty() {
            return Err(Error::Config(format!("`{}` holds no text of {NGRAM} tokens or more", folder.display())));
        }
        for run in boilerplate(kernels) {
            found.ngrams.remove(&run);
        }
        Ok(found)
    }

    /// Everything that counts of the benchmarks, as lines: the files, then the skeletons and runs, each after the number of
    /// its file.
    pub(crate) fn to_text(&self) -> String {
        let files = self.files.iter().map(|file| format!("file {file}\n"));
        let skeletons = self.skeletons.iter().map(|(skeleton, file)| format!("{file} {skeleton}\n"));
        let runs = self.ngrams.iter().map(|(run, file)| format!("{file} {run:016x}\n"));
        files.chain(skeletons).chain(runs).collect()
    }

    /// The benchmarks that [`to_text`](Self::to_text) wrote down.
    pub(crate) fn of_text(text: &str) -> Benchmarks {
        let mut found = Benchmarks::default();
        for (head, rest) in text.lines().filter_map(|line| line.split_once(' ')) {
            match (head.parse::<usize>(), u64::from_str_radix(rest, 16)) {
                (Err(_), _) => found.files.push(rest.to_owned()),
                (Ok(file), Ok(run)) => drop(found.ngrams.insert(run, file)),
                (Ok(file), Err(_)) => drop(found.skeletons.insert(rest.to_owned(), file)),
            }
        }
        found
    }

    /// The hash of everything that counts.
    pub(crate) fn digest(&self) -> String {
        blake3::hash(self.to_text().as_bytes()).to_hex().to_string()
    }

    /// Finds what `record` shares with a benchmark.
    ///
    /// # Errors
    /// What it shares, and with which file.
    pub(crate) fn admit(&self, record: &Record) -> Result<(), Failure> {
        let file = |number: &usize| self.files.get(*number).map_or("", String::as_str);
        if let Some(number) = self.skeletons.get(&record.skeleton_id) {
            return Err((Reason::Contaminated, format!("its skeleton is that of a kernel in `{}`", file(number))));
        }
        for (name, text) in record.texts() {
            for piece in text.filter(|_| !DERIVED.contains(&name)).map_or(Vec::new(), own) {
                let words = words(piece);
                let shared = ngrams_of(&words).find_map(|(start, run)| Some((start, self.ngrams.get(&run)?)));
                if let Some((start, number)) = shared {
                    let shown = shortened(&words[start..start + NGRAM]);
                    let why = format!("{NGRAM} tokens of `{name}` are in `{}`: {shown}", file(number));
                    return Err((Reason::Contaminated, why));
                }
            }
        }
        Ok(())
    }
}

/// A hash of every run of `words` that says something, with its place.
fn ngrams_of(words: &[&[u8]]) -> impl Iterator<Item = (usize, u64)> {
    let tokens: Vec<u64> = words.iter().map(|word| hash(word)).collect();
    let is_name = |word: &[u8]| !word[0].is_ascii_digit() && !word[0].is_ascii_punctuation() || word[0] == b'_';
    let names: Vec<bool> =
        words.iter().map(|word| is_name(word) && !WORDS.iter().any(|other| other.as_bytes() == *word)).collect();
    let says_something = move |start: usize| {
        let is_first = |place: &usize| !words[start..*place].contains(&words[*place]);
        (start..start + NGRAM).filter(|place| names[*place]).filter(is_first).count() >= NAMES
    };
    let hash_of = move |start: usize| {
        let run = &tokens[start..start + NGRAM];
        run.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, token| (hash ^ token).wrapping_mul(0x0100_0000_01b3))
    };
    (0..words.len().saturating_sub(NGRAM - 1))
        .filter(move |start| says_something(*start))
        .map(move |start| (start, hash_of(start)))
}

/// The beginning of a run, for people.
fn shortened(run: &[&[u8]]) -> String {
    let words: Vec<Cow<str>> = run.iter().map(|word| String::from_utf8_lossy(word)).collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What of a text that this program writes is the kernel itself, in pieces: the bodies of its functions. The functions and
/// types that a language lacks are in many texts, as is how parameters are declared and threads are counted; and what is said
/// about a kernel is not the kernel.
fn own(text: &str) -> Vec<&str> {
    match text.split_once("@wp.kernel\n").and_then(|(_, kernel)| kernel.split_once("):\n")) {
        Some((_, body)) => {
            let said = body.trim_start().strip_prefix("\"\"\"").and_then(|said| said.split_once("\"\"\""));
            let body = said.map_or(body, |(_, body)| body).trim_start();
            // Which thread it is.
            let rest = body.split_once('\n').filter(|(first, _)| first.ends_with(" = wp.tid()"));
            vec![rest.map_or(body, |(_, rest)| rest)]
        }
        None => bodies(text),
    }
}

/// The bodies of the functions of a text with braces, without lines that only count threads.
fn bodies(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum At {
        Outside,
        Head,
        Start,
        Body,
    }
    let is_own = |line: &str| ["extern \"C\"", "static ", "pub fn ", "fn "].iter().any(|head| line.starts_with(head));
    let counts_threads = |line: &str, at: &At| {
        let is_launch = *at == At::Start && line.contains("index_t ") && line.contains("dim");
        is_launch || ["blockIdx", "blockDim", "threadIdx", "dim0 * dim1"].iter().any(|word| line.contains(word))
    };
    let (mut found, mut start, mut end, mut at) = (Vec::new(), 0, 0, At::Outside);
    for line in text.split_inclusive('\n') {
        // Other lines go on with what began before them.
        if line.starts_with(|c: char| !c.is_whitespace() && c != '}' && c != ')') {
            at = if is_own(line) { At::Head } else { At::Outside };
        }
        let is_kept = matches!(at, At::Start | At::Body) && !counts_threads(line, &at);
        at = match at {
            At::Head if line.trim_end().ends_with('{') => At::Start,
            At::Start if is_kept => At::Body,
            at => at,
        };
        if !is_kept {
            found.push(&text[start..end]);
            start = end + line.len();
        }
        end += line.len();
    }
    found.push(&text[start..]);
    found.retain(|piece| !piece.is_empty());
    found
}

/// The runs that many kernels have in common.
fn boilerplate(kernels: &[&'static KernelInfo]) -> Vec<u64> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for info in kernels {
        let runs: HashSet<u64> = [info.ir, info.rust_source]
            .into_iter()
            .chain(of_all_passes(info))
            .flat_map(own)
            .flat_map(|piece| ngrams_of(&words(piece)).map(|(_, run)| run).collect::<Vec<_>>())
            .collect();
        for run in runs {
            *counts.entry(run).or_default() += 1;
        }
    }
    let most = kernels.len() / BOILERPLATE_SHARE;
    counts.into_iter().filter(|(_, count)| *count > most.max(1)).map(|(run, _)| run).collect()
}

/// The kernel that `text` is the IR of, or those that it holds as functions under `#[kernel]`.
fn kernels_in(text: &str) -> Vec<VerifiedKernel> {
    let Ok(file) = syn::parse_file(text) else { return read_kernel(text).into_iter().collect() };
    file.items.into_iter().filter_map(kernel_of).collect()
}

/// The kernel that the item of a Rust file is, if it is one.
fn kernel_of(item: syn::Item) -> Option<VerifiedKernel> {
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
    use crate::fixtures;
    use crate::fixtures::Dataset;

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

    /// The first of these kernels by hand whose CUDA text brings a function along, and that function with the head of the text.
    fn with_helper() -> (Record, String) {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", "60", "--family", "math"]).unwrap();
        let of = |record: Record| {
            let helper = record.targets.forward("cuda")?.split_once("extern \"C\"")?.0.to_owned();
            (helper.matches("__device__ inline").count() >= 2).then_some((record, helper))
        };
        dataset.records().into_iter().find_map(of).expect("one of them has helpers")
    }

    #[test]
    fn what_a_text_brings_along_is_not_the_kernel() {
        let (record, helper) = with_helper();
        assert!(words(&helper).len() > 2 * NGRAM);
        let found = benchmarks("a.cu", &helper.repeat(2));
        found.admit(&record).unwrap();
        // What is said about it, how it is declared and how its threads are counted are not the kernel either.
        let (_, kernel) = record.targets.forward("cuda").unwrap().split_once("extern \"C\"").unwrap();
        let (head, body) = kernel.split_once("gridDim.x * blockDim.x) {\n").unwrap();
        benchmarks("a.cu", &format!("{helper}{head} gridDim.x * blockDim.x) {{")).admit(&record).unwrap();
        let error = benchmarks("a.cu", body).admit(&record).unwrap_err();
        assert!(error.1.contains("` are in `inside/a.cu`: "), "{}", error.1);
    }

    #[test]
    fn a_loop_that_names_little_is_no_contents() {
        let text = "float total = 0.0f;\nfor (index_t s = 0; s < 5; ++s) {\n    total += 0.0f; }\n";
        assert!(words(text).len() > 2 * NGRAM);
        assert_eq!(ngrams_of(&words(text)).count(), 0);
        // The first of six names all that there is: `y`, `i`, `a` and `x`.
        assert_eq!(ngrams_of(&words("y[i] += a * x[i] - 1.0;")).count(), 1);
    }

    #[test]
    fn a_shared_run_is_shown_with_its_file() {
        let record = record();
        let found = benchmarks("a.py", &record.python_source);
        let (_, why) = found.admit(&record).unwrap_err();
        let (head, shown) = why.split_once(": ").unwrap();
        assert_eq!(head, "12 tokens of `python_source` are in `inside/a.py`");
        let first = shown.split(' ').next().unwrap();
        assert!(record.python_source.contains(first) && shown.chars().count() <= SHOWN + 1, "{why}");
        assert_eq!(Benchmarks::of_text(&found.to_text()), found);
    }

    #[test]
    fn a_folder_without_texts_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Benchmarks::read(folder.path(), &[]).unwrap_err().to_string().contains("holds no text"));
        assert!(Benchmarks::read(&folder.path().join("absent"), &[]).unwrap_err().to_string().contains("not a folder"));
    }
}
