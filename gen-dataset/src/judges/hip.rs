//! The judge `hip`: clang's pass for AMD GPUs, which compiles the HIP text without a GPU. Nothing is run.
//!
//! Many kernels go into one program, each in a namespace of its own. A warning counts as a failure. The headers are those
//! of HIP that `scripts/install-judges.sh` installs. Functions of the device's mathematical library stay declared.

use super::bisect::{Bisected, compile_most, program};
use super::case::Case;
use super::judge::{Judge, folder};
use crate::model::{JudgeKind, Outcome};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The compiler.
const CLANG: &str = "clang++";

/// The number of kernels in one program. The headers take as long as some dozens of kernels.
const BATCH: usize = 64;

/// The architectures for which one text in twenty is compiled to assembly: one with warps of 64 threads, and one with 32.
const ARCHITECTURES: [&str; 2] = ["gfx90a", "gfx1030"];

/// The compiler with HIP's headers.
#[derive(Debug)]
pub struct Hip {
    version: String,
    /// The folder with `include/hip`.
    headers: PathBuf,
}

/// What is asked of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The front end finds no fault.
    Check,
    /// Assembly for this architecture.
    Compile(&'static str),
}

impl Hip {
    /// Finds clang and HIP's headers.
    ///
    /// # Errors
    /// One of the two is missing.
    pub fn open() -> Result<Hip, String> {
        let headers = folder()?.join("hip");
        if !headers.join("include/hip/hip_runtime.h").is_file() {
            let why = "has no headers of HIP; `scripts/install-judges.sh` installs them";
            return Err(format!("`{}` {why}", headers.display()));
        }
        let version = Command::new(CLANG).arg("-dumpversion").output();
        let version = version.map_err(|error| format!("`{CLANG}` does not start: {error}"))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        Ok(Hip { version, headers })
    }

    /// The version of the compiler, such as `14.0.6`.
    pub fn release(&self) -> &str {
        &self.version
    }

    /// The folder with the headers.
    pub(crate) fn headers(&self) -> &Path {
        &self.headers
    }

    /// Compiles a text for a GPU.
    ///
    /// # Errors
    /// The log, if there is an error or a warning.
    fn compile(&self, source: &str, pass: Pass) -> Result<(), String> {
        let mut clang = Command::new(CLANG);
        // HIP contracts by default, and the other languages do not.
        clang.args(["-x", "hip", "--cuda-device-only", "-nogpulib", "-std=c++17", "-ffp-contract=off"]);
        clang.args(["-Wall", "-Werror", "-o", "/dev/null", "-"]).arg(format!("--rocm-path={}", self.headers.display()));
        clang.arg("-isystem").arg(self.headers.join("include"));
        match pass {
            Pass::Check => clang.args(["-fsyntax-only", "--offload-arch=gfx90a"]),
            Pass::Compile(architecture) => clang.args(["-S", "-O1"]).arg(format!("--offload-arch={architecture}")),
        };
        let started = clang.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut process = started.map_err(|error| format!("`{CLANG}` does not start: {error}"))?;
        if let Some(mut input) = process.stdin.take() {
            // A compiler that stops reading says why.
            let _ = input.write_all(source.as_bytes());
        }
        let output = process.wait_with_output().map_err(|error| format!("`{CLANG}`: {error}"))?;
        let log = String::from_utf8_lossy(&output.stderr);
        if output.status.success() && log.trim().is_empty() { Ok(()) } else { Err(log.into_owned()) }
    }

    /// Compiles `cases` together. Returns the failures with the numbers of their cases.
    fn batch(&self, cases: &[(usize, &Case, &str)], pass: Pass) -> Vec<(usize, String)> {
        let numbers: Vec<usize> = (0..cases.len()).collect();
        let Bisected { failed, .. } =
            compile_most(&numbers, &mut |together| self.compile(&program(together, cases, "hip"), pass));
        failed.into_iter().map(|(number, log)| (cases[number].0, log.trim().to_owned())).collect()
    }
}

impl Judge for Hip {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Hip
    }

    fn version(&self) -> String {
        format!("clang {} for HIP", self.version)
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let texts: Vec<(usize, &Case, &str)> =
            (0..).zip(cases).filter_map(|(place, case)| case.text("hip").map(|text| (place, case, text))).collect();
        let mut outcomes = vec![Outcome::Skipped; cases.len()];
        for (place, ..) in &texts {
            outcomes[*place] = Outcome::Passed;
        }
        let thorough: Vec<_> = texts.iter().filter(|(_, case, _)| case.is_checked_thoroughly()).copied().collect();
        let compiled = thorough.chunks(BATCH).flat_map(|batch| ARCHITECTURES.map(|name| (batch, Pass::Compile(name))));
        let batches: Vec<_> = compiled.chain(texts.chunks(BATCH).map(|batch| (batch, Pass::Check))).collect();
        let this = &*self;
        let failures: Vec<_> = batches.par_iter().map(|(batch, pass)| this.batch(batch, *pass)).collect();
        for (place, log) in failures.into_iter().flatten() {
            outcomes[place] = Outcome::Failed(log);
        }
        Ok(outcomes)
    }
}
