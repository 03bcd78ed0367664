//! The judge `nvrtc`: NVIDIA's run-time compiler library, which compiles CUDA to PTX without a GPU.
//!
//! Many kernels go into one program, each in a namespace of its own. A warning counts as a failure. The PTX also shows
//! missing atomics, which no run of one thread after the other can show.

mod library;
mod ptx;

use super::bisect::{Bisected, compile_most, program};
use super::case::Case;
use super::judge::{Judge, folder};
use crate::model::{ARCHITECTURES, JudgeKind, Outcome};
use library::Api;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of kernels in one program. Larger programs are no cheaper per kernel, and a failure costs more.
const BATCH: usize = 64;

/// The opened library.
pub struct Nvrtc {
    api: Api,
    version: String,
    library: PathBuf,
}

impl Nvrtc {
    /// Opens the library in the judges' folder.
    ///
    /// # Errors
    /// It is not installed, or cannot be loaded.
    pub fn open() -> Result<Nvrtc, String> {
        let folder = folder()?.join("cuda/lib");
        let name = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libnvrtc.so"));
        let library = fs::read_dir(&folder)
            .ok()
            .and_then(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| name(path)).min())
            .ok_or_else(|| {
                format!("`{}` has no libnvrtc; `scripts/install-judges.sh` installs it", folder.display())
            })?;
        Nvrtc::load(library)
    }

    /// Loads the library at this path. A mere file name is searched on the loader's path.
    ///
    /// # Errors
    /// It cannot be loaded.
    pub(crate) fn load(library: PathBuf) -> Result<Nvrtc, String> {
        let api = Api::open(&library)?;
        let version = api.version()?;
        Ok(Nvrtc { api, version, library })
    }

    /// The path or file name that the library was loaded by.
    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// The version of the compiler, such as `13.5`.
    pub fn release(&self) -> &str {
        &self.version
    }

    /// The folder with CUDA's headers, if it is beside that of the library.
    fn headers(&self) -> Option<PathBuf> {
        let folder = self.library.parent()?.parent()?.join("include");
        folder.join("cuda_fp16.h").is_file().then_some(folder)
    }

    /// Compiles a CUDA text to PTX for the architecture `sm_<architecture>`.
    ///
    /// # Errors
    /// The log, if there is an error or a warning.
    pub fn ptx(&self, source: &str, name: &str, architecture: u32) -> Result<String, String> {
        self.compile(source, name, architecture, &[])
    }

    fn compile(&self, source: &str, name: &str, architecture: u32, more: &[&str]) -> Result<String, String> {
        // The defaults of NVRTC are IEEE 754 for denormals, division and square root. Contraction must be switched off,
        // because the other languages do not contract.
        let mut options = vec![format!("--gpu-architecture=compute_{architecture}"), "--fmad=false".to_owned()];
        options.extend(more.iter().map(|option| (*option).to_owned()));
        options.extend(self.headers().map(|folder| format!("--include-path={}", folder.display())));
        let compiled = self.api.compile(source, name, &options)?;
        match compiled.ptx {
            Some(ptx) if compiled.log.trim().is_empty() => Ok(ptx),
            _ => Err(compiled.log),
        }
    }

    /// Compiles `cases` in the way of `pass`. Returns the failures with the numbers of their cases.
    fn batch(&self, cases: &[(usize, &Case, &str)], pass: Pass) -> Vec<(usize, String)> {
        let (architecture, options): (u32, &[&str]) = match pass {
            Pass::Compile(architecture) => (architecture, &[]),
            Pass::Plain => (ARCHITECTURES[0], &["--device-debug"]),
        };
        let numbers: Vec<usize> = (0..cases.len()).collect();
        let Bisected { failed, programs } = compile_most(&numbers, &mut |together| {
            self.compile(&program(together, cases, "cu"), "batch.cu", architecture, options)
        });
        let logs = failed.into_iter().map(|(number, log)| {
            let (place, case, text) = cases[number];
            (place, with_lines(&log, case, text))
        });
        let counted = programs.iter().filter(|_| pass == Pass::Plain).flat_map(|(numbers, ptx)| {
            let found = ptx::atomics(ptx);
            numbers.iter().filter_map(move |&number| {
                let (place, case, _) = cases[number];
                let found = found.get(&number).copied().unwrap_or_default();
                ptx::check_atomics(&case.in_memory, found).err().map(|wrong| (place, wrong))
            })
        });
        logs.chain(counted).map(|(place, wrong)| (place, format!("sm_{architecture}: {wrong}"))).collect()
    }
}

/// The purpose of a compilation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Compiles for this architecture, with optimisation.
    Compile(u32),
    /// Compiles for the oldest architecture without optimisation, which takes a tenth of the time, and counts atomics. An
    /// optimiser repeats them in unrolled loops and drops them in dead branches.
    Plain,
}

impl fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nvrtc").field("version", &self.version).finish_non_exhaustive()
    }
}

impl Judge for Nvrtc {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Nvrtc
    }

    fn version(&self) -> String {
        format!("NVRTC {}", self.version)
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let texts: Vec<(usize, &Case, &str)> =
            (0..).zip(cases).filter_map(|(place, case)| case.text("cuda").map(|text| (place, case, text))).collect();
        let mut outcomes = vec![Outcome::Skipped; cases.len()];
        for (place, ..) in &texts {
            outcomes[*place] = Outcome::Passed;
        }
        // Texts are the same for all architectures, and errors come from the front end. The optimiser and the other
        // architectures are asked for one text in twenty.
        let optimised: Vec<_> = texts.iter().filter(|(_, case, _)| case.is_checked_thoroughly()).copied().collect();
        let compiled = optimised.chunks(BATCH).flat_map(|batch| ARCHITECTURES.map(|sm| (batch, Pass::Compile(sm))));
        let plain = texts.chunks(BATCH).map(|batch| (batch, Pass::Plain));
        let batches: Vec<_> = compiled.chain(plain).collect();
        let this = &*self;
        let failures: Vec<_> = batches.par_iter().map(|(batch, pass)| this.batch(batch, *pass)).collect();
        for (place, log) in failures.into_iter().flatten() {
            if outcomes[place] == Outcome::Passed {
                outcomes[place] = Outcome::Failed(log);
            }
        }
        Ok(outcomes)
    }
}

/// The log, followed by the source line that it names first.
fn with_lines(log: &str, case: &Case, text: &str) -> String {
    let marker = format!("{}.cu(", case.name);
    let line = log.split_once(&marker).and_then(|(_, rest)| rest.split_once(')')?.0.parse::<usize>().ok());
    let shown = line.and_then(|line| text.lines().nth(line.checked_sub(1)?));
    match shown {
        Some(shown) => format!("{}\n    {}", log.trim(), shown.trim()),
        None => log.trim().to_owned(),
    }
}
