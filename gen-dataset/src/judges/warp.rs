//! NVIDIA Warp, which imports the Python text and runs it on its CPU device.
//!
//! `judges/warp_judge.py` does the work: it judges a dataset, so the cases become one, a record for each launch.

use super::{Case, Judge, Kind, Launch, Outcome, folder};
use crate::compare::all_finite;
use crate::example::Example;
use crate::facts::Facts;
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = include_str!("../../../judges/warp_judge.py");
/// How many launches go into one build of Warp: those of about a hundred kernels.
const BATCH: &str = "1024";

/// A Python that has Warp.
pub struct Warp {
    python: PathBuf,
    version: String,
}

impl Warp {
    /// Looks for Warp.
    ///
    /// # Errors
    /// It is not installed.
    pub fn open() -> Result<Warp, String> {
        let python = folder()?.join("venv/bin/python");
        let asked = "import importlib.metadata as m; print(m.version('warp-lang'), m.version('numpy'))";
        let absent = || format!("{} has no Warp; `scripts/install-judges.sh` installs it", python.display());
        let found = Command::new(&python).args(["-c", asked]).output().map_err(|_| absent())?;
        let versions = String::from_utf8_lossy(&found.stdout);
        match (found.status.success(), versions.split_whitespace().next()) {
            (true, Some(version)) => Ok(Warp { version: format!("Warp {version}"), python }),
            _ => Err(absent()),
        }
    }

    /// What the script says of the dataset in `folder`.
    fn run(&self, folder: &Path) -> Result<Vec<Judged>, String> {
        let script = folder.join("warp_judge.py");
        let answer = folder.join("answer.json");
        fs::write(&script, SCRIPT).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.python);
        command.arg(&script).arg(folder).args(["--batch", BATCH, "--json"]).arg(&answer);
        let output = command.output().map_err(|error| format!("{}: {error}", self.python.display()))?;
        let text = fs::read_to_string(&answer)
            .map_err(|_| format!("the judge did not answer: {}", String::from_utf8_lossy(&output.stderr).trim_end()))?;
        let answer: Answer = serde_json::from_str(&text).map_err(|error| format!("the judge's answer: {error}"))?;
        Ok(answer.results)
    }
}

/// What the script writes.
#[derive(Deserialize)]
struct Answer {
    results: Vec<Judged>,
}

/// What it says of one record.
#[derive(Deserialize)]
struct Judged {
    id: String,
    failures: Vec<Failure>,
}

/// What is wrong with a record: a text, or a number of an array.
#[derive(Deserialize)]
struct Failure {
    message: Option<String>,
    output: Option<String>,
    position: Option<usize>,
    expected: Option<serde_json::Value>,
    found: Option<serde_json::Value>,
}

impl Judge for Warp {
    fn kind(&self) -> Kind {
        Kind::Warp
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let mut outcomes = vec![Outcome::Skipped; cases.len()];
        let (mut records, mut asked) = (String::new(), 0);
        for (number, case) in cases.iter().enumerate() {
            for (which, launch) in case.launches.iter().enumerate() {
                if let Some(record) = record(&format!("{number}-{which}"), case, launch) {
                    let _ = writeln!(records, "{record}");
                    outcomes[number] = Outcome::Passed;
                    asked += 1;
                }
            }
        }
        if asked == 0 {
            return Ok(outcomes);
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let data = folder.path().join("data");
        fs::create_dir(&data)
            .and_then(|()| fs::write(data.join("cases.jsonl"), records))
            .map_err(|error| error.to_string())?;
        let results = self.run(folder.path())?;
        if results.len() != asked {
            return Err(format!("the judge answers {} questions, not {asked}", results.len()));
        }
        for judged in results {
            let number = judged.id.split_once('-').and_then(|(number, _)| number.parse::<usize>().ok());
            let outcome = number.and_then(|number| outcomes.get_mut(number));
            let outcome =
                outcome.ok_or_else(|| format!("the judge answers for `{}`, which nobody asked", judged.id))?;
            if *outcome == Outcome::Passed && !judged.failures.is_empty() {
                let all: Vec<String> = judged.failures.iter().map(Failure::text).collect();
                *outcome = Outcome::Failed(all.join("; "));
            }
        }
        Ok(outcomes)
    }
}

impl Failure {
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(output) = &self.output {
            let _ = write!(text, "`{output}`");
        }
        if let (Some(position), Some(expected), Some(found)) = (self.position, &self.expected, &self.found) {
            let _ = write!(text, " at {position}: expected {expected}, found {found}");
        }
        if let Some(message) = &self.message {
            let _ = write!(text, "{}{message}", if text.is_empty() { "" } else { ": " });
        }
        text
    }
}

/// The fields of a record that the script reads. None without a Python text, or if a number is one that JSON does not
/// have.
fn record(id: &str, case: &Case, launch: &Launch) -> Option<serde_json::Value> {
    let python = case.python.as_ref()?;
    (all_finite(&launch.before) && all_finite(&launch.after)).then(|| {
        json!({
            "id": id,
            "python_source": python,
            "example": Example::new(&case.kernel, &launch.dim, &launch.before, &launch.after),
            "metadata": { "kernel_name": case.kernel.name, "category": case.kernel.family },
            "verification": { "allowed_ulp": Facts::of(&case.kernel).allowed_ulp },
        })
    })
}
