//! `validate`: proves a finished dataset again.
//!
//! Records are untrusted input here. Texts are executed only after `texts` has shown that this program would write
//! them.

mod evidence;

use super::term::{self, Progress};
use crate::cli::ValidateArgs;
use crate::error::Error;
use crate::files::{digest, read_json};
use crate::judges::validators::{ValidatorSet, first_lines};
use crate::model::{Config, Format, JudgeKind, Outcome, Record, Split};
use crate::out::{Manifest, RUN, STATS, Stats, Stored, stored, table_files};
use crate::pipeline::jobs;
use crate::prove::check::{Verdict, check};
use evidence::Evidence;
use kernel_rt::KernelInfo;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashMap;
use std::path::Path;

/// The number of records that are checked at a time. Compilers are much faster with many kernels at once, and smaller
/// chunks show progress.
const CHUNK: usize = 64;
/// The number of failures that are printed.
const SHOWN: usize = 20;
/// The number of lines of each failure.
const SHOWN_LINES: usize = 8;

/// The checks of this program, in the order of the table. Those of the judges follow.
const CHECKS: [&str; 8] =
    ["structure", "texts", "unique id", "interpreter", "CPU version", "gradients", "CPU gradients", "data hash"];

/// The counts of one check over all records.
#[derive(Debug, Default)]
struct CheckCounts {
    name: String,
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// The result of validating a dataset.
#[derive(Debug, Default)]
struct Report {
    records: usize,
    failed_records: usize,
    rows: Vec<CheckCounts>,
    failures: Vec<String>,
    /// Launches that the judges could not compare or did not run.
    left_out: Vec<String>,
    /// A check that was impossible because the dataset lacks the expected value.
    unchecked: Option<String>,
}

/// Validates the dataset that `args` names, and prints the result.
pub(crate) fn validate(args: &ValidateArgs, kernels: &[&'static KernelInfo]) -> Result<(), Error> {
    let report = inspect(args, kernels)?;
    if let Some(unchecked) = &report.unchecked {
        term::warn(unchecked);
    }
    term::print(&report.text())?;
    term::print(&report.conclusion()?)
}

/// Checks every record, then the data as a whole.
fn inspect(args: &ValidateArgs, kernels: &[&'static KernelInfo]) -> Result<Report, Error> {
    let (data, mut records) = stored(&args.dir)?;
    let stats = complete(&args.dir)?;
    let mut validators = ValidatorSet::new(&args.judges)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs(args.jobs))
        .build()
        .map_err(|error| Error::Internal(error.to_string()))?;
    let mut progress = Progress::new("validated", stats.as_ref().map(|stats| stats.records));
    let mut report = Report::new(CHECKS.iter().map(|&name| name.to_owned()).chain(validators.names()));
    let mut evidence = match &args.evidence {
        Some(path) => {
            let checks = CHECKS[..CHECKS.len() - 1]
                .iter()
                .map(|&name| name.to_owned())
                .chain(validators.kinds().map(JudgeKind::name));
            Some(Evidence::create(path, checks.collect(), validators.versions().collect())?)
        }
        None => None,
    };
    let (mut ids, mut unknown) = (HashMap::new(), 0);
    loop {
        let chunk = records.by_ref().take(CHUNK).collect::<Result<Vec<Stored>, Error>>()?;
        if chunk.is_empty() {
            break;
        }
        let read: Vec<Result<Record, String>> = pool.install(|| chunk.par_iter().map(Stored::record).collect());
        let verdicts: Vec<Verdict> = pool.install(|| read.par_iter().map(|record| verdict(record, kernels)).collect());
        let sound: Vec<Option<&Record>> = read
            .iter()
            .zip(&verdicts)
            .map(|(record, verdict)| record.as_ref().ok().filter(|_| verdict.structure == Outcome::Passed))
            .collect();
        // Judges execute the texts, so by default they only get those that this version would write.
        let judgeable: Vec<Option<&Record>> = sound
            .iter()
            .zip(&verdicts)
            .map(|(record, verdict)| record.filter(|_| args.trust || verdict.is_safe_to_run()))
            .collect();
        unknown += sound.iter().flatten().count() - judgeable.iter().flatten().count();
        let mut judged = pool.install(|| validators.judge(&judgeable))?.into_iter();
        for ((item, record), verdict) in chunk.iter().zip(read).zip(verdicts) {
            let id = record.ok().map(|record| record.id);
            let unique = match id.clone().map(|id| ids.insert(id, item.location.clone())) {
                Some(Some(first)) => Outcome::Failed(format!("the record at {first} has the same id")),
                Some(None) => Outcome::Passed,
                None => Outcome::Skipped,
            };
            let Verdict { structure, texts, interpreter, cpu, adjoint, cpu_adjoint } = verdict;
            let own: [Outcome; CHECKS.len() - 1] = [structure, texts, unique, interpreter, cpu, adjoint, cpu_adjoint];
            let judged = judged.next().unwrap_or_default();
            if let Some(evidence) = &mut evidence {
                let outcomes: Vec<Outcome> = own.iter().chain(&judged).cloned().collect();
                evidence.record(id.as_deref(), &item.location, &outcomes)?;
            }
            report.record(&item.location, own, judged);
        }
        progress.advance(chunk.len());
    }
    drop(progress);
    evidence.map_or(Ok(()), Evidence::publish)?;
    report.left_out = validators.left_out();
    if unknown > 0 {
        report.left_out.push(format!(
            "{unknown} records failed, or have a text that this version does not write; no judge received them, because \
             judges run the texts; `--trust` passes them on"
        ));
    }
    report.unchecked = stats.is_none().then(|| {
        let folder = args.dir.display();
        format!(
            "`{folder}` has neither `{RUN}` nor `{STATS}`, so missing files and the hash of the data were not checked"
        )
    });
    let data_hash = match stats {
        Some(stats) if stats.data_blake3 == digest(&data)? => Outcome::Passed,
        Some(_) => Outcome::Failed(format!("not the data that `{STATS}` describes")),
        None => Outcome::Skipped,
    };
    report.take(CHECKS.len() - 1, &data.display().to_string(), data_hash);
    Ok(report)
}

/// The counts that the dataset in `dir` states, if all its files are there. `None` if it states nothing at all.
///
/// # Errors
/// A file is missing.
fn complete(dir: &Path) -> Result<Option<Stats>, Error> {
    let run: Option<Manifest> = read_json(&dir.join(RUN))?;
    let stats: Option<Stats> = read_json(&dir.join(STATS))?;
    // Both files are published together, so one without the other is damage.
    let missing = |name: &str| Err(Error::Invalid(format!("`{}` is missing; restore it", dir.join(name).display())));
    let (run, stats) = match (run, stats) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return missing(RUN),
        (Some(_), None) => return missing(STATS),
        (Some(run), Some(stats)) => (run, stats),
    };
    run.check_schema()?;
    if run.settings.format == Format::Files {
        return Ok(Some(stats));
    }
    for config in Config::ALL {
        let files = table_files(dir, config)?;
        for split in Split::ALL {
            let there = files.iter().filter(|(of, _)| *of == split).count();
            let said = stats.tables.get(config.name()).and_then(|splits| splits.get(split.name()));
            let said = said.map_or(0, |counts| counts.files);
            if there < said {
                return Err(Error::Invalid(format!(
                    "config `{}` has {there} files of split `{}`, but `{}` says {said}; restore the missing files",
                    config.name(),
                    split.name(),
                    dir.join(STATS).display()
                )));
            }
        }
    }
    Ok(Some(stats))
}

/// The verdict on a stored record.
fn verdict(record: &Result<Record, String>, kernels: &[&'static KernelInfo]) -> Verdict {
    match record {
        Ok(record) => check(record, kernels),
        Err(why) => Verdict::unreadable(why.clone()),
    }
}

impl Report {
    /// An empty report with rows for these checks.
    fn new(names: impl Iterator<Item = String>) -> Report {
        Report { rows: names.map(|name| CheckCounts { name, ..CheckCounts::default() }).collect(), ..Report::default() }
    }

    /// Counts the outcomes for a record: those of [`CHECKS`] except the last, and those of the judges.
    fn record(&mut self, location: &str, own: [Outcome; CHECKS.len() - 1], judged: Vec<Outcome>) {
        self.records += 1;
        let outcomes = (0..).zip(own).chain((CHECKS.len()..).zip(judged));
        let mut failed = false;
        for (check, outcome) in outcomes {
            failed |= matches!(outcome, Outcome::Failed(_));
            self.take(check, location, outcome);
        }
        self.failed_records += usize::from(failed);
    }

    fn take(&mut self, check: usize, location: &str, outcome: Outcome) {
        let row = &mut self.rows[check];
        match outcome {
            Outcome::Passed => row.passed += 1,
            Outcome::Skipped => row.skipped += 1,
            Outcome::Failed(why) => {
                row.failed += 1;
                self.failures.push(format!("{location}: {}: {}", row.name, first_lines(&why, SHOWN_LINES)));
            }
        }
    }

    /// The failures and the table.
    fn text(&self) -> String {
        let mut text: String = self.failures.iter().take(SHOWN).map(|failure| format!("{failure}\n")).collect();
        if self.failures.len() > SHOWN {
            text += &format!("… and {} more\n", self.failures.len() - SHOWN);
        }
        let cells = |row: &CheckCounts| {
            let counts = [row.passed, row.failed, row.skipped].map(|count| count.to_string());
            [row.name.clone()].into_iter().chain(counts).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        text += &term::table(&["check", "passed", "failed", "skipped"], &rows);
        self.left_out.iter().for_each(|left_out| text += &format!("{left_out}\n"));
        text
    }

    /// The conclusion.
    fn conclusion(&self) -> Result<String, Error> {
        match (self.failures.is_empty(), self.failed_records) {
            (true, _) => Ok(format!("{} records passed all checks that ran\n", self.records)),
            (false, 0) => Err(Error::Invalid("the data was changed after it was written".to_owned())),
            (false, failed) => Err(Error::Invalid(format!("{failed} of {} records failed", self.records))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use crate::model::JudgeChoice;
    use crate::out::DATA_FILE;
    use std::fs;

    /// Arguments without judges and without evidence.
    fn arguments(dataset: &Dataset) -> ValidateArgs {
        ValidateArgs {
            dir: dataset.path(),
            jobs: Some(2),
            judges: vec![JudgeChoice::None],
            evidence: None,
            trust: false,
        }
    }

    /// The failures of `validate` after `change` to the data file, without those about the data as a whole.
    fn after(change: impl Fn(&str) -> String) -> Vec<String> {
        let kernels = [fixtures::info("math", "one"), fixtures::info("math", "two")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&[]).unwrap();
        let file = dataset.path().join(DATA_FILE);
        fs::write(&file, change(&fs::read_to_string(&file).unwrap())).unwrap();
        let report = inspect(&arguments(&dataset), &kernels).unwrap();
        assert_eq!(report.rows[CHECKS.len() - 1].failed, usize::from(!report.failures.is_empty()));
        let prefix = format!("{}:", file.display());
        let strip = |failure: &String| failure.strip_prefix(&prefix).unwrap().to_owned();
        let of_records = report.failures.iter().filter(|failure| !failure.contains(CHECKS[CHECKS.len() - 1]));
        of_records.map(strip).collect()
    }

    #[test]
    fn a_dataset_as_written_is_sound() {
        assert!(after(str::to_owned).is_empty());
    }

    #[test]
    fn evidence_has_a_line_for_each_record() {
        let kernels = [fixtures::info("math", "one"), fixtures::info("math", "two")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&[]).unwrap();
        let file = dataset.path().join(DATA_FILE);
        let changed = fs::read_to_string(&file).unwrap().replacen("def two", "def due", 1);
        fs::write(&file, changed).unwrap();
        let path = dataset.path().join("evidence/checks.jsonl");
        inspect(&ValidateArgs { evidence: Some(path.clone()), ..arguments(&dataset) }, &kernels).unwrap();
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let lines: Vec<serde_json::Value> = fs::read_to_string(path).unwrap().lines().map(read).collect();
        let ids: Vec<String> = dataset.records().into_iter().map(|record| record.id).collect();
        assert!(lines.iter().map(|line| line["id"].as_str().unwrap()).eq(&ids));
        assert_eq!([&lines[0]["structure"], &lines[0]["gradients"], &lines[0]["cpu_version"]], ["passed"; 3]);
        assert_eq!(
            [&lines[1]["structure"], &lines[1]["texts"], &lines[1]["unique_id"]],
            ["passed", "failed", "passed"]
        );
        assert_eq!(lines[1]["failures"][0], "texts: `python_source` is not the text of the IR");
    }

    #[test]
    fn a_cut_line_is_named() {
        let failures = after(|text| text[..text.len() - 9].to_owned());
        assert_eq!(failures, ["2: structure: the line is cut off: it has no end"]);
    }

    #[test]
    fn a_missing_line_is_noticed() {
        // The remaining record is sound. The hash of the data is not, which `after` asserts.
        let kernels = [fixtures::info("math", "one"), fixtures::info("math", "two")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&[]).unwrap();
        let file = dataset.path().join(DATA_FILE);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.split_inclusive('\n').next().unwrap()).unwrap();
        let report = inspect(&arguments(&dataset), &kernels).unwrap();
        assert_eq!((report.records, report.failed_records, report.failures.len()), (1, 0, 1));
        assert_eq!(report.conclusion().unwrap_err().exit_code(), 1);
    }

    #[test]
    fn files_that_should_be_there_are_missed() {
        let kernels = ["one", "two", "three", "four", "five", "six", "seven"].map(|name| fixtures::info("math", name));
        let dataset = Dataset::new(&kernels);
        let args = ["--source", "all", "--count", "40", "--splits", "50,25,25", "--configs", "default,sft"];
        let path = |name: &str| dataset.path().join(name);
        let anew = || {
            // There is no folder the first time.
            let _ = fs::remove_dir_all(dataset.path());
            dataset.generate(&args).unwrap();
        };
        let refused = |names: &[&str]| {
            anew();
            names.iter().for_each(|name| fs::remove_file(path(name)).unwrap());
            inspect(&arguments(&dataset), &kernels).unwrap_err()
        };
        let split = "data/default/test-00000-of-00001.jsonl";
        for (names, why) in [
            (&[STATS, split][..], "stats.json` is missing"),
            (&[RUN], "run.json` is missing"),
            (&[split], "config `default` has 0 files of split `test`"),
            (&["data/sft/validation-00000-of-00001.jsonl"], "config `sft` has 0 files of split `validation`"),
        ] {
            let error = refused(names);
            assert!(error.to_string().contains(why) && error.exit_code() == 1, "{error}");
        }
        // A dataset without stated counts is validated with a remark.
        anew();
        assert_eq!(inspect(&arguments(&dataset), &kernels).unwrap().unchecked, None);
        [RUN, STATS, split].iter().for_each(|name| fs::remove_file(path(name)).unwrap());
        let report = inspect(&arguments(&dataset), &kernels).unwrap();
        assert!(report.unchecked.as_ref().unwrap().contains("neither `run.json` nor `stats.json`"));
        assert!(report.conclusion().is_ok() && report.records < 40);
    }

    #[test]
    fn a_changed_number_is_found_by_execution() {
        const OUTPUTS: &str = r#"\"outputs\":{\"y\":["#;
        let failures = after(|text| {
            let start = text.find(OUTPUTS).unwrap() + OUTPUTS.len();
            let end = start + text[start..].find(',').unwrap();
            format!("{}0.25{}", &text[..start], &text[end..])
        });
        assert!(failures[0].starts_with("1: interpreter: `y` differs at"), "{failures:?}");
        // The perturbed models agree with the interpreter, so a wrong number is not explained by ill-conditioning.
        assert!(failures[1].starts_with("1: CPU version: `y`"), "{failures:?}");
        assert!(failures[2].starts_with("1: gradients: `y`"), "{failures:?}");
    }

    #[test]
    fn changed_fields_are_named() {
        let change = |from: &str, to: &str| after(|text| text.replacen(from, to, 1));
        assert!(change("\"index\":0,", "")[0].starts_with("1: structure: not a record: missing field `index`"));
        assert_eq!(
            change("\"statements\":2", "\"statements\":3"),
            ["1: structure: `statements` is not the count of the IR"]
        );
        assert_eq!(
            change("\"seed\":0", "\"seed\":1"),
            ["1: structure: `id` is not the hash of IR, seed and launch size"]
        );
        assert_eq!(change("def one", "def uno"), ["1: texts: `python_source` is not the text of the IR"]);
        assert_eq!(
            change("\"schema_version\":7", "\"schema_version\":9"),
            ["1: structure: schema version 9; this program reads 4 to 7"]
        );
        let wrong = "1: structure: the adjoints are not those of the float parameters in their order";
        assert_eq!(change(r#"\"adj_outputs\":{\"y\""#, r#"\"adj_outputs\":{\"z\""#), [wrong]);
        let gradient = |text: &str| {
            let (head, tail) = text.split_once(r#"\"gradients\":{\"a\":"#).expect("a wave has gradients");
            format!(r#"{head}\"gradients\":{{\"a\":1.5{}"#, &tail[tail.find(',').expect("there are more")..])
        };
        let failures = after(gradient);
        assert!(failures[0].starts_with("1: gradients: gradient `a` differs at"), "{failures:?}");
        let tolerance = |text: &str| {
            let (head, tail) = text.split_once(r#"\"tolerances\":{\"y\":["#).expect("a sine is inexact");
            format!(r#"{head}\"tolerances\":{{\"y\":[0.5{}"#, &tail[tail.find(',').expect("there are more")..])
        };
        assert_eq!(after(tolerance), ["1: interpreter: the tolerances are not those of the launch"]);
        assert_eq!(
            change("{\"id\":", "{ \"id\":"),
            ["1: structure: not written by this program: fields or numbers have another form"]
        );
    }

    #[test]
    fn a_record_of_another_schema_is_refused_by_its_version() {
        let refused = "structure: schema version 3; this program reads 4 to 7";
        for (format, file) in [("jsonl", DATA_FILE), ("files", "samples/math/one/metadata.json")] {
            let kernels = [fixtures::info("math", "one")];
            let dataset = Dataset::new(&kernels);
            dataset.generate(&["--format", format]).unwrap();
            let path = dataset.path().join(file);
            let text = fs::read_to_string(&path).unwrap();
            let older = text.replace("\"schema_version\":7", "\"schema_version\":3");
            fs::write(&path, older.replace("\"schema_version\": 7", "\"schema_version\": 3")).unwrap();
            let failures = inspect(&arguments(&dataset), &kernels).unwrap().failures;
            assert!(failures[0].ends_with(refused) && !failures[0].contains('\n'), "{failures:?}");
        }
    }

    #[test]
    fn a_dataset_of_version_4_is_read_and_not_proven() {
        let kernels = [fixtures::info("math", "one")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&[]).unwrap();
        let records = dataset.records();
        let (file, run) = (dataset.path().join(DATA_FILE), dataset.path().join(RUN));
        let mut row: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        row["example"] = serde_json::from_str(row["example"].as_str().unwrap()).unwrap();
        row["schema_version"] = 4.into();
        row["verification"].as_object_mut().unwrap().remove("coverage");
        row["metadata"].as_object_mut().unwrap().remove("arguments");
        fs::write(&file, format!("{row}\n")).unwrap();
        let manifest = fs::read_to_string(&run).unwrap();
        fs::write(&run, manifest.replace("\"schema_version\": 7", "\"schema_version\": 4")).unwrap();
        let mut expected = Record { schema_version: 4, ..records[0].clone() };
        expected.verification.coverage = None;
        expected.metadata.arguments = None;
        assert_eq!(dataset.records(), [expected]);
        let refused = inspect(&arguments(&dataset), &kernels).unwrap_err();
        assert!(refused.exit_code() == 2 && refused.to_string().contains("(schema 4)"), "{refused}");
        [RUN, STATS].iter().for_each(|name| fs::remove_file(dataset.path().join(name)).unwrap());
        let failures = inspect(&arguments(&dataset), &kernels).unwrap().failures;
        assert!(failures[0].ends_with("structure: the schema version is not that of this program"), "{failures:?}");
        // Another layout of the same JSON is found too.
        fs::write(&file, format!("{{ {}\n", &row.to_string()[1..])).unwrap();
        let failures = inspect(&arguments(&dataset), &kernels).unwrap().failures;
        assert!(failures[0].contains("not written by this program"), "{failures:?}");
    }

    #[test]
    fn a_repeated_record_is_found() {
        let failures = after(|text| text.repeat(2));
        assert_eq!(failures.len(), 2);
        assert!(failures[0].starts_with("3: unique id: the record at "), "{failures:?}");
    }
}
