//! Decontamination: rejects records that share text or structure with a benchmark.
//!
//! A record is contaminated in two cases. One of its texts shares an n-gram of 12 tokens with a benchmark file. Or its
//! skeleton is that of a kernel in such a file: of a `#[kernel]` function in a `.rs` file, or of an IR text.
//!
//! Two kinds of text do not count, because every kernel shares them. Helper functions and types that a target language
//! lacks are left out ([`own`]). N-grams that many registered kernels share, such as the loop over the threads of a
//! launch, are treated as boilerplate.

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

/// The number of tokens in an n-gram. Comments call an n-gram a run.
const NGRAM: usize = 12;
/// A run is boilerplate if more than one in this many registered kernels has it.
const BOILERPLATE_SHARE: usize = 20;
/// The least number of different names in a run that counts. A run with fewer is a common way to write loops, sums or
/// bounds.
const NAMES: usize = 4;
/// Keywords and type names. They do not count as names.
const WORDS: [&str; 51] = [
    "__half",
    "__nv_bfloat16",
    "as",
    "bf16",
    "bfloat16",
    "bool",
    "break",
    "char",
    "const",
    "continue",
    "double",
    "else",
    "f16",
    "f32",
    "f64",
    "float",
    "float16",
    "float32",
    "float64",
    "for",
    "i16",
    "i32",
    "i64",
    "i8",
    "if",
    "in",
    "index_t",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "let",
    "long",
    "mut",
    "range",
    "return",
    "short",
    "signed",
    "u16",
    "u32",
    "u64",
    "u8",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unsigned",
    "usize",
    "while",
    "wp",
];
/// The number of characters of a shared run in a message.
const SHOWN: usize = 60;
/// Texts that add nothing to the other texts of a record: compiled code, and the program around the kernel. Their words
/// are the same in all records.
const DERIVED: [&str; 2] = ["ptx", "cuda_source"];

/// The runs and skeletons of a set of benchmarks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Benchmarks {
    /// The files, relative to their folder, sorted.
    files: Vec<String>,
    /// The hash of each run, with the index of the first file that has it.
    ngrams: BTreeMap<u64, usize>,
    /// Each skeleton, with the index of the first file that has it.
    skeletons: BTreeMap<String, usize>,
}

impl Benchmarks {
    /// Reads every file below `folder` as text. `kernels` are those of the registry; they define the boilerplate.
    pub(crate) fn read(folder: &Path, kernels: &[&'static KernelInfo]) -> Result<Benchmarks, Error> {
        if !folder.is_dir() {
            return Err(Error::Config(format!(
                "`{}` is not a folder; give a folder with the texts of benchmarks",
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
            return Err(Error::Config(format!(
                "`{}` has no text with {NGRAM} or more tokens; give a folder with the texts of benchmarks",
                folder.display()
            )));
        }
        for run in boilerplate(kernels) {
            found.ngrams.remove(&run);
        }
        Ok(found)
    }

    /// Serialises the benchmarks as lines: the files, then the skeletons and runs, each after the index of its file. A
    /// planned run stores this text, so that workers do not need the benchmark folder.
    pub(crate) fn to_text(&self) -> String {
        let files = self.files.iter().map(|file| format!("file {file}\n"));
        let skeletons = self.skeletons.iter().map(|(skeleton, file)| format!("{file} {skeleton}\n"));
        let runs = self.ngrams.iter().map(|(run, file)| format!("{file} {run:016x}\n"));
        files.chain(skeletons).chain(runs).collect()
    }

    /// Parses the output of [`to_text`](Self::to_text).
    pub(crate) fn of_text(text: &str) -> Benchmarks {
        let mut found = Benchmarks::default();
        for (head, rest) in text.lines().filter_map(|line| line.split_once(' ')) {
            // A skeleton has more digits than 64 bits hold, which distinguishes it from a run.
            match (head.parse::<usize>(), u64::from_str_radix(rest, 16)) {
                (Err(_), _) => found.files.push(rest.to_owned()),
                (Ok(file), Ok(run)) => drop(found.ngrams.insert(run, file)),
                (Ok(file), Err(_)) => drop(found.skeletons.insert(rest.to_owned(), file)),
            }
        }
        found
    }

    /// The hash of all files, runs and skeletons.
    pub(crate) fn digest(&self) -> String {
        blake3::hash(self.to_text().as_bytes()).to_hex().to_string()
    }

    /// Checks that `record` shares nothing with a benchmark.
    ///
    /// # Errors
    /// The shared run or skeleton, with the file that has it.
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

/// The position and the hash of every run of `words` with enough names.
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
        // FNV-1a over the hashes of the tokens.
        let run = &tokens[start..start + NGRAM];
        run.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, token| (hash ^ token).wrapping_mul(0x0100_0000_01b3))
    };
    (0..words.len().saturating_sub(NGRAM - 1))
        .filter(move |start| says_something(*start))
        .map(move |start| (start, hash_of(start)))
}

/// The beginning of a run, for messages.
fn shortened(run: &[&[u8]]) -> String {
    let words: Vec<Cow<str>> = run.iter().map(|word| String::from_utf8_lossy(word)).collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The parts of an emitted text that are specific to its kernel: the bodies of its functions. Helper functions,
/// parameter lists and the loop over threads are the same in many texts. The doc comment is not part of the kernel.
fn own(text: &str) -> Vec<&str> {
    match text.split_once("@wp.kernel\n").and_then(|(_, kernel)| kernel.split_once("):\n")) {
        Some((_, body)) => {
            let said = body.trim_start().strip_prefix("\"\"\"").and_then(|said| said.split_once("\"\"\""));
            let body = said.map_or(body, |(_, body)| body).trim_start();
            // The line that reads the thread index is boilerplate.
            let rest = body.split_once('\n').filter(|(first, _)| first.ends_with(" = wp.tid()"));
            vec![rest.map_or(body, |(_, rest)| rest)]
        }
        None => bodies(text),
    }
}

/// The bodies of the functions in a text with braces, without the lines that only compute the thread index.
///
/// A line scanner suffices, because the input is either emitted by this program or compared with such text.
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
        // Indented lines and closing brackets belong to the item that began before them.
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

/// The runs that many registered kernels share.
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

/// The kernels in `text`: the kernel whose IR it is, or those that it defines as functions under `#[kernel]`.
fn kernels_in(text: &str) -> Vec<VerifiedKernel> {
    let Ok(file) = syn::parse_file(text) else { return read_kernel(text).into_iter().collect() };
    file.items.into_iter().filter_map(kernel_of).collect()
}

/// The kernel that an item of a Rust file defines, if it does.
fn kernel_of(item: syn::Item) -> Option<VerifiedKernel> {
    let syn::Item::Fn(mut function) = item else { return None };
    let place = function.attrs.iter().position(|attr| attr.path().is_ident("kernel"))?;
    let attr = match function.attrs.remove(place).meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    front::compile(attr, function.into_token_stream()).kernel.ok()
}

/// Collects every file below `folder`, sorted.
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
        dataset.generate(&["--source", "synth", "--count", "8", "--family", "math"]).unwrap();
        // A short kernel may have no run of tokens that counts.
        dataset.records().into_iter().max_by_key(|record| record.python_source.len()).unwrap()
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

    /// A synthesised record without device functions of its own, whose CUDA text has helper functions, and the text up to the
    /// kernel.
    fn with_helper() -> (Record, String) {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", "60", "--family", "math"]).unwrap();
        let of = |record: Record| {
            let helper = record.targets.forward("cuda")?.split_once("extern \"C\"")?.0.to_owned();
            let has_own = record.rust_source.contains("#[device]");
            (!has_own && helper.matches("__device__ inline").count() >= 2).then_some((record, helper))
        };
        dataset.records().into_iter().find_map(of).expect("one of them has helpers")
    }

    #[test]
    fn what_a_text_brings_along_is_not_the_kernel() {
        let (record, helper) = with_helper();
        assert!(words(&helper).len() > 2 * NGRAM);
        let found = benchmarks("a.cu", &helper.repeat(2));
        found.admit(&record).unwrap();
        // Doc comment, declaration and thread loop do not count either.
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
        // The first run has the least number of names: `y`, `i`, `a` and `x`.
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
        assert!(Benchmarks::read(folder.path(), &[]).unwrap_err().to_string().contains("has no text with"));
        assert!(Benchmarks::read(&folder.path().join("absent"), &[]).unwrap_err().to_string().contains("not a folder"));
    }
}
