//! The recipes for many machines. Each must give the same run as one worker, byte for byte.

use super::common::skip_judged;
use super::lines;
use super::pages::{Block, pages};
use super::shell::{Place, installed};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// The number of partitions in a recipe's run.
const PARTITIONS: u64 = 64;

/// Whether a block works on a run that another block has planned.
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

/// The contents of all partitions, which must be complete.
fn contents(place: &Place) -> Vec<Vec<u8>> {
    let parts = place.path().join("shared/run/parts");
    (0..PARTITIONS).map(|partition| fs::read(parts.join(format!("{partition:05}.jsonl.zst"))).unwrap()).collect()
}

/// The tasks in `--array=0-15` of a script.
fn tasks(script: &str) -> Range<u64> {
    let (_, array) = script.split_once("--array=").expect("the script says how many tasks there are");
    let (first, last) = array.split_whitespace().next().unwrap().split_once('-').unwrap();
    first.parse().unwrap()..last.parse::<u64>().unwrap() + 1
}

/// The environment variables that Slurm sets for a task.
fn variables(tasks: &Range<u64>, task: u64) -> [(&'static str, String); 5] {
    [
        ("SLURM_ARRAY_JOB_ID", "7".to_owned()),
        ("SLURM_ARRAY_TASK_ID", task.to_string()),
        ("SLURM_ARRAY_TASK_MIN", tasks.start.to_string()),
        ("SLURM_ARRAY_TASK_COUNT", (tasks.end - tasks.start).to_string()),
        ("SLURM_CPUS_PER_TASK", "1".to_owned()),
    ]
}

/// Runs a batch script of Slurm for each task of its array.
fn run_script(place: &Place, script: &str) -> Result<(), String> {
    let tasks = tasks(script);
    for task in tasks.clone() {
        let variables = variables(&tasks, task);
        let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
        place.run(Path::new("bash"), &["-c", &place.here(script)], &variables)?;
    }
    Ok(())
}

/// Runs the command of an indexed Kubernetes job once for each index.
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
    // An index must fail for good if there is no plan.
    let hopeless = place.command(tool).args(["run", "nowhere"]).output().unwrap().status.code();
    let rule = &spec["podFailurePolicy"]["rules"][0];
    assert_eq!(
        (&rule["action"], &rule["onExitCodes"]["values"]),
        (&"FailIndex".into(), &serde_json::json!([hopeless]))
    );
    Ok(())
}

/// Runs a Python program.
fn run_python(place: &Place, python: &Path, program: &str) -> Result<(), String> {
    // Ray reads the source file of the program.
    let file = place.path().join("recipe.py");
    fs::write(&file, place.here(program)).unwrap();
    let variables = [("RAY_USAGE_STATS_ENABLED", "0"), ("RAY_TMPDIR", "/tmp")];
    place.run(python, &[file.to_str().expect("the path is text")], &variables).map(drop)
}

fn recipes() -> Vec<Block> {
    pages().iter().flat_map(|page| page.blocks()).filter(is_recipe).collect()
}

#[test]
fn every_recipe_makes_the_run_of_one_worker() {
    let Some(readers) = installed("WEFT_READERS", ".readers") else {
        return skip_judged("the readers are not installed; scripts/install-readers.sh does it");
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
    for block in recipes() {
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

/// The signal arrives in the middle of a partition.
#[test]
fn a_task_that_slurm_ends_is_queued_again() {
    let script = recipes().into_iter().find(|block| block.text.starts_with("#!")).expect("there is a script").text;
    let place = Place::new();
    place
        .shell("gen-dataset plan --source synth --family arithmetic --count 2000 --partitions 2 --output /shared/run")
        .unwrap();
    let mut bash = place.command(Path::new("bash"));
    bash.args(["-c", &place.here(&script)]).envs(variables(&tasks(&script), 0));
    let mut task = bash.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let has_begun = || place.path().join("shared/run/parts/00000.state.json").exists();
    while !has_begun() {
        assert!(task.try_wait().unwrap().is_none(), "the task has ended");
        thread::sleep(Duration::from_millis(20));
    }
    place.shell(&format!("kill -TERM {}", task.id())).unwrap();
    assert_eq!(task.wait().unwrap().code(), Some(75));
    assert_eq!(fs::read_to_string(place.path().join("scontrol.txt")).unwrap(), "requeue 7_0\n");
}
