//! The judge `warp`: NVIDIA Warp imports the Python text and runs it on its CPU device.
//!
//! `judges/warp_judge.py` does the work. It judges a dataset, so the cases are written as one, with a record for each
//! launch.

use super::case::Case;
use super::judge::{Judge, folder};
use crate::model::{Example, Gradients, JudgeKind, Launch, Outcome, Reason, all_finite};
use kernel_ir::adjoint::Backward;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A symbolic link to the script in `judges/` of the workspace, because a package holds only files below its own folder.
const SCRIPT: &str = include_str!("warp_judge.py");
/// The number of launches in one build of Warp: those of about a hundred kernels.
const BATCH: &str = "1024";

/// A Python interpreter with Warp.
pub struct Warp {
    python: PathBuf,
    version: String,
    /// The launches so far that are too ill-conditioned to compare.
    undecided: usize,
}

impl Warp {
    /// Finds Warp in the judges' folder.
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
            (true, Some(version)) => Ok(Warp { version: format!("Warp {version}"), python, undecided: 0 }),
            _ => Err(absent()),
        }
    }

    /// Compares the gradients of Warp's tape with those of `cases`, each a kernel with its adjoint. The seed of the
    /// adjoints of the outputs is the index of the launch. Ill-conditioned launches are left out. A build with Warp's own
    /// checks, if it is `checked`, ends the process where an adjoint indexes outside of an array.
    ///
    /// # Errors
    /// The judge does not work, an adjoint does not run, or Warp's results differ from those of a kernel.
    pub fn gradients(&self, cases: &[&(Case, Backward)], checked: bool) -> Result<Vec<Vec<WarpGradient>>, String> {
        let mut records = String::new();
        for (number, (case, backward)) in cases.iter().enumerate() {
            for (place, launch) in case.launches.iter().enumerate() {
                let gradients = match Gradients::of(&case.kernel, backward, launch, place as u64) {
                    Ok(gradients) => gradients,
                    // The right gradients of an ill-conditioned launch are unknown.
                    Err((Reason::IllConditioned, _)) => continue,
                    Err((_, why)) => return Err(format!("{}: {why}", case.name)),
                };
                let Some(record) = record(&format!("{number}-{place}"), case, launch, Some(&gradients))
                    .map_err(|why| format!("{}: {why}", case.name))?
                else {
                    continue;
                };
                let _ = writeln!(records, "{record}");
            }
        }
        let mut found = vec![Vec::new(); cases.len()];
        for judged in self.judged(&records, &[if checked { "--gradients=checked" } else { "--gradients" }])? {
            let place = judged.id.split_once('-').and_then(|(n, place)| Some((n.parse().ok()?, place.parse().ok()?)));
            let (number, launch): (usize, usize) = place.ok_or("the judge answered a question that was not asked")?;
            let (case, _) = cases.get(number).ok_or("the judge answered a question that was not asked")?;
            if let Some(failure) = judged.failures.first() {
                return Err(format!("{}: {}", case.name, failure.text()));
            }
            found[number].extend(judged.gradients.unwrap_or_default().all(launch));
        }
        Ok(found)
    }

    /// The Python interpreter that imports Warp.
    pub(crate) fn python(&self) -> &Path {
        &self.python
    }

    /// The version of Warp.
    pub fn release(&self) -> &str {
        self.version.trim_start_matches("Warp ")
    }

    /// Runs the script on `records`, which is one JSON line for each record.
    fn judged(&self, records: &str, options: &[&str]) -> Result<Vec<Judged>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let data = folder.path().join("data/default");
        fs::create_dir_all(&data)
            .and_then(|()| fs::write(data.join("cases.jsonl"), records))
            .map_err(|error| error.to_string())?;
        let results = self.run(folder.path(), options)?;
        let asked = records.lines().count();
        match results.len() == asked {
            true => Ok(results),
            false => Err(format!("the judge answered {} questions, not {asked}", results.len())),
        }
    }

    /// Runs the script on the dataset in `folder`.
    fn run(&self, folder: &Path, options: &[&str]) -> Result<Vec<Judged>, String> {
        let script = folder.join("warp_judge.py");
        let answer = folder.join("answer.json");
        fs::write(&script, SCRIPT).map_err(|error| error.to_string())?;
        // `--trust`: the caller has verified the texts, or tests mutants on purpose.
        let mut command = Command::new(&self.python);
        command.arg(&script).arg(folder).args(options).args(["--trust", "--batch", BATCH, "--json"]).arg(&answer);
        let output = command.output().map_err(|error| format!("{}: {error}", self.python.display()))?;
        let text = fs::read_to_string(&answer)
            .map_err(|_| format!("the judge did not answer: {}", String::from_utf8_lossy(&output.stderr).trim_end()))?;
        let answer: Answer = serde_json::from_str(&text).map_err(|error| format!("the judge's answer: {error}"))?;
        Ok(answer.results)
    }
}

/// The output of the script.
#[derive(Deserialize)]
struct Answer {
    results: Vec<Judged>,
}

/// The result for one record.
#[derive(Deserialize)]
struct Judged {
    id: String,
    failures: Vec<Failure>,
    gradients: Option<Compared>,
}

/// The comparison of the gradients of one record: the worst element of each array, or why there are none.
#[derive(Default, Deserialize)]
struct Compared {
    #[serde(default)]
    arrays: BTreeMap<String, Element>,
    message: Option<String>,
}

/// The same element of two gradients. Values that are not finite are missing.
#[derive(Deserialize)]
struct Element {
    error: Option<f64>,
    position: usize,
    expected: f64,
    found: Option<f64>,
}

impl Compared {
    /// All comparisons, as those of launch `launch`.
    fn all(self, launch: usize) -> impl Iterator<Item = WarpGradient> {
        let worst = move |(array, Element { error, position, expected, found }): (String, Element)| {
            let infinite = f64::INFINITY;
            let element = WarpElement {
                array,
                error: error.unwrap_or(infinite),
                position,
                expected,
                found: found.unwrap_or(f64::NAN),
            };
            WarpGradient { launch, outcome: Ok(element) }
        };
        let failed = self.message.map(|why| WarpGradient { launch, outcome: Err(why) });
        self.arrays.into_iter().map(worst).chain(failed)
    }
}

/// The comparison of one launch with Warp's tape.
#[derive(Clone, Debug)]
pub struct WarpGradient {
    /// The index of the launch.
    pub launch: usize,
    /// The element of one array where Warp's gradient differs most from Weft's, or why Warp has no gradient.
    pub outcome: Result<WarpElement, String>,
}

/// An element of a gradient, by Weft and by Warp.
#[derive(Clone, Debug)]
pub struct WarpElement {
    /// The name of the array.
    pub array: String,
    /// The difference, relative to the largest element of the array.
    pub error: f64,
    /// The index of the scalar. Matrices are row-major.
    pub position: usize,
    /// The value by Weft.
    pub expected: f64,
    /// The value by Warp.
    pub found: f64,
}

/// A failure of a record: of a text, or of a number in an array.
#[derive(Deserialize)]
struct Failure {
    message: Option<String>,
    output: Option<String>,
    position: Option<usize>,
    expected: Option<serde_json::Value>,
    found: Option<serde_json::Value>,
}

impl Judge for Warp {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Warp
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let mut outcomes = vec![Outcome::Skipped; cases.len()];
        let mut records = String::new();
        for (number, case) in cases.iter().enumerate() {
            let mut undecided = Vec::new();
            for (which, launch) in case.launches.iter().enumerate() {
                // The id leads from a result back to its case and launch.
                match record(&format!("{number}-{which}"), case, launch, None) {
                    Ok(Some(record)) => {
                        let _ = writeln!(records, "{record}");
                        outcomes[number] = Outcome::Passed.and(outcomes[number].clone());
                    }
                    Ok(None) => {}
                    Err(why) => undecided.push(why),
                }
            }
            self.undecided += undecided.len();
            // A case of which no launch can be compared fails.
            if let (Some(why), Outcome::Skipped) = (undecided.pop(), &outcomes[number]) {
                outcomes[number] = Outcome::Failed(why);
            }
        }
        if records.is_empty() {
            return Ok(outcomes);
        }
        for judged in self.judged(&records, &[])? {
            let number = judged.id.split_once('-').and_then(|(number, _)| number.parse::<usize>().ok());
            let outcome = number.and_then(|number| outcomes.get_mut(number));
            let outcome =
                outcome.ok_or_else(|| format!("the judge answered for `{}`, which was not asked", judged.id))?;
            if *outcome == Outcome::Passed && !judged.failures.is_empty() {
                let all: Vec<String> = judged.failures.iter().map(Failure::text).collect();
                *outcome = Outcome::Failed(all.join("; "));
            }
        }
        Ok(outcomes)
    }

    fn undecided(&self) -> usize {
        self.undecided
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

/// The fields of a record that the script reads. `None` without a Python text, or if a number is infinite or NaN, which
/// JSON cannot hold.
///
/// # Errors
/// A sentence, if the launch is ill-conditioned.
fn record(
    id: &str,
    case: &Case,
    launch: &Launch,
    gradients: Option<&Gradients>,
) -> Result<Option<serde_json::Value>, String> {
    let Some(python) = &case.python else { return Ok(None) };
    if !all_finite(&launch.before) || !all_finite(&launch.after) {
        return Ok(None);
    }
    let tolerances = launch.tolerances(&case.kernel).map_err(|why| format!("launch of {:?}: {why}", launch.dim))?;
    Ok(Some(json!({
        "id": id,
        "python_source": python,
        "example": Example::new(&case.kernel, launch, &tolerances, gradients),
        "metadata": { "kernel_name": case.kernel.name, "category": case.kernel.family },
    })))
}
