//! NVIDIA Warp, which imports the Python text and runs it on its CPU device.
//!
//! `judges/warp_judge.py` does the work: it judges a dataset, so the cases become one, a record for each launch.

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

    /// The gradients of Warp's tape beside those of `cases`, each a kernel with its adjoint; the adjoints of the outputs are
    /// drawn by the place of the launch. Ill-conditioned launches are left out.
    ///
    /// # Errors
    /// The judge does not work, an adjoint does not run, or Warp's results are not those of a kernel.
    pub fn gradients(&self, cases: &[(Case, Backward)]) -> Result<Vec<Vec<WarpGradient>>, String> {
        let mut records = String::new();
        for (number, (case, backward)) in cases.iter().enumerate() {
            for (place, launch) in case.launches.iter().enumerate() {
                let gradients = match Gradients::of(&case.kernel, backward, launch, place as u64) {
                    Ok(gradients) => gradients,
                    // There is no saying what is right.
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
        for judged in self.judged(&records, &["--gradients"])? {
            let place = judged.id.split_once('-').and_then(|(n, place)| Some((n.parse().ok()?, place.parse().ok()?)));
            let (number, launch): (usize, usize) = place.ok_or("the judge answers what nobody asked")?;
            let (case, _) = cases.get(number).ok_or("the judge answers what nobody asked")?;
            if let Some(failure) = judged.failures.first() {
                return Err(format!("{}: {}", case.name, failure.text()));
            }
            found[number].extend(judged.gradients.unwrap_or_default().all(launch));
        }
        Ok(found)
    }

    /// The version of Warp.
    pub fn release(&self) -> &str {
        self.version.trim_start_matches("Warp ")
    }

    /// What the script says of `records`, a line for each.
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
            false => Err(format!("the judge answers {} questions, not {asked}", results.len())),
        }
    }

    /// What the script says of the dataset in `folder`.
    fn run(&self, folder: &Path, options: &[&str]) -> Result<Vec<Judged>, String> {
        let script = folder.join("warp_judge.py");
        let answer = folder.join("answer.json");
        fs::write(&script, SCRIPT).map_err(|error| error.to_string())?;
        // Whoever asks this judge has verified the texts, or wants to know what they do.
        let mut command = Command::new(&self.python);
        command.arg(&script).arg(folder).args(options).args(["--trust", "--batch", BATCH, "--json"]).arg(&answer);
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
    gradients: Option<Compared>,
}

/// What it says of the gradients of one record: the worst element of each array, or why there are none.
#[derive(Default, Deserialize)]
struct Compared {
    #[serde(default)]
    arrays: BTreeMap<String, Element>,
    message: Option<String>,
}

/// An element of two gradients. What is missing is not finite.
#[derive(Deserialize)]
struct Element {
    error: Option<f64>,
    position: usize,
    expected: f64,
    found: Option<f64>,
}

impl Compared {
    /// Everything of it, for that launch.
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

/// What Warp's tape makes of one launch.
#[derive(Clone, Debug)]
pub struct WarpGradient {
    /// The place of the launch.
    pub launch: usize,
    /// The element of one array where Warp's gradient is farthest from Weft's; or why Warp has no gradient.
    pub outcome: Result<WarpElement, String>,
}

/// An element of a gradient by Weft and by Warp.
#[derive(Clone, Debug)]
pub struct WarpElement {
    /// The array.
    pub array: String,
    /// How far the two are apart, as a part of the largest element of the array.
    pub error: f64,
    /// Which scalar it is, matrices row by row.
    pub position: usize,
    /// Weft's gradient there.
    pub expected: f64,
    /// Warp's.
    pub found: f64,
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
            for (which, launch) in case.launches.iter().enumerate() {
                match record(&format!("{number}-{which}"), case, launch, None) {
                    Ok(Some(record)) => {
                        let _ = writeln!(records, "{record}");
                        outcomes[number] = Outcome::Passed.and(outcomes[number].clone());
                    }
                    Ok(None) => {}
                    Err(why) => outcomes[number] = Outcome::Failed(why),
                }
            }
        }
        if records.is_empty() {
            return Ok(outcomes);
        }
        for judged in self.judged(&records, &[])? {
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
///
/// # Errors
/// The launch is ill-conditioned.
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
