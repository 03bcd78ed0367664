//! The recipes for many machines: each makes the run that one worker makes, to the byte.

use super::pages::{Block, pages};
use super::shell::{Place, installed};
use super::{lines, skip};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The partitions of the run that recipes make.
const PARTITIONS: u64 = 64;

/// Whether a block works on a run that another one has planned.
pub(super) fn is_recipe(block: &Block) -> bool {
    ["/shared/run", "s3://bucket/run"].iter().any(|run| block.text.contains(run))
        && !block.text.contains("dataset plan")
}

/// A folder with a plan at `/shared/run`.
fn planned() -> Place {
    let place = Place::new();
    let plan = "gen-dataset plan --source synth --family math --output /shared/run";
    place.shell(&format!("{plan} --count {PARTITIONS} --partitions {PARTITIONS}")).unwrap();
    place
}

/// The contents of the partitions, all of which must be complete.
fn contents(place: &Place) -> Vec<Vec<u8>> {
    let parts = place.path().join("shared/run/parts");
    (0..PARTITIONS).map(|partition| fs::read(parts.join(format!("{partition:05}.jsonl.zst"))).unwrap()).collect()
}

/// The tasks that `--array=0-15` of a script says.
fn tasks(script: &str) -> Range<u64> {
    let (_, array) = script.split_once("--array=").expect("the script says how many tasks there are");
    let (first, last) = array.split_whitespace().next().unwrap().split_once('-').unwrap();
    first.parse().unwrap()..last.parse::<u64>().unwrap() + 1
}

/// Runs a batch script of Slurm for each task of its array.
fn run_script(place: &Place, script: &str) -> Result<(), String> {
    let tasks = tasks(script);
    let count = (tasks.end - tasks.start).to_string();
    for task in tasks.clone() {
        let variables = [
            ("SLURM_ARRAY_TASK_ID", task.to_string()),
            ("SLURM_ARRAY_TASK_MIN", tasks.start.to_string()),
            ("SLURM_ARRAY_TASK_COUNT", count.clone()),
            ("SLURM_CPUS_PER_TASK", "1".to_owned()),
        ];
        let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
        place.run(Path::new("bash"), &["-c", &place.here(script)], &variables)?;
    }
    Ok(())
}

/// Runs what an indexed job of Kubernetes runs, for each index.
fn run_job(place: &Place, python: &Path, job: &str) -> Result<(), String> {
    let read = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.argv[1])))";
    let job: Value = serde_json::from_str(&place.run(python, &["-c", read, &place.here(job)], &[])?).unwrap();
    let spec = &job["spec"];
    let arguments = spec["template"]["spec"]["containers"][0]["args"].as_array().expect("the container has arguments");
    let arguments: Vec<&str> = arguments.iter().map(|word| word.as_str().expect("an argument is text")).collect();
    assert_eq!((&spec["completionMode"], &spec["completions"]), (&"Indexed".into(), &PARTITIONS.into()));
    let tool = Path::new(env!("CARGO_BIN_EXE_gen-dataset"));
    for index in 0..PARTITIONS {
        place.run(tool, &arguments, &[("JOB_COMPLETION_INDEX", &index.to_string())])?;
    }
    // An index fails for good at a plan that is not there.
    let hopeless = place.output(tool, &["run", "nowhere"], &[("JOB_COMPLETION_INDEX", "0")]).status.code();
    let rule = &spec["podFailurePolicy"]["rules"][0];
    assert_eq!(
        (&rule["action"], &rule["onExitCodes"]["values"]),
        (&"FailIndex".into(), &serde_json::json!([hopeless]))
    );
    Ok(())
}

/// Runs a Python program.
fn run_python(place: &Place, python: &Path, program: &str) -> Result<(), String> {
    // Ray looks for the program's file.
    let file = place.path().join("recipe.py");
    fs::write(&file, place.here(program)).unwrap();
    let variables = [("RAY_USAGE_STATS_ENABLED", "0"), ("RAY_TMPDIR", "/tmp")];
    place.run(python, &[file.to_str().expect("the path is text")], &variables).map(drop)
}

#[test]
fn every_recipe_makes_the_run_of_one_worker() {
    let Some(readers) = installed("WEFT_READERS", ".readers") else {
        return skip("the readers are not installed; scripts/install-readers.sh does it");
    };
    let python = readers.join("venv/bin/python");
    let one = planned();
    one.shell("gen-dataset run /shared/run").unwrap();
    let mut run = 0;
    let mut makes_the_same = |name: &str, recipe: &dyn Fn(&Place) -> Result<(), String>| {
        let place = planned();
        recipe(&place).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(contents(&place) == contents(&one), "{name}");
        run += 1;
    };
    for block in pages().iter().flat_map(|page| page.blocks()).filter(is_recipe) {
        let text = block.text.as_str();
        match block.language.as_str() {
            "sh" if text.starts_with("#!") => makes_the_same(text, &|place| run_script(place, text)),
            "sh" => {
                for line in lines(&block) {
                    makes_the_same(&line, &|place| place.shell(&line).map(drop));
                }
            }
            "yaml" => makes_the_same(text, &|place| run_job(place, &python, text)),
            "python" => makes_the_same(text, &|place| run_python(place, &python, text)),
            language => panic!("nothing runs the recipe in `{language}`:\n{text}"),
        }
    }
    assert!(run >= 7, "only {run} recipes were found");
}
