//! Runs with many workers, from outside. The bytes must not depend on which worker did what, when, or how often it was
//! killed.

mod common;

use common::{command, run, succeed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

/// The arguments of the plan of most tests, without the output.
const PLAN: [&str; 10] =
    ["plan", "--source", "all", "--family", "math,atomic", "--count", "120", "--partitions", "7", "--output"];

/// Asserts that the program refused in one line, and returns that line.
fn refusal(folder: &Path, args: &[&str], status: i32) -> String {
    let output = run(folder, args);
    let text = String::from_utf8(output.stderr).expect("the output is text");
    assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
    let errors: Vec<&str> = text.lines().filter(|line| !line.starts_with("written ")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    errors[0].strip_prefix("error: ").expect("it is an error").to_owned()
}

/// Every file below `folder` with its contents, except hidden ones: a killed process may leave one under a temporary
/// name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inside, contents)| (name.join(inside), contents)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Asserts that both have the same files. A failure names those that differ, with the first line that does.
fn assert_same_files(found: &BTreeMap<PathBuf, Vec<u8>>, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let names: BTreeSet<&PathBuf> = found.keys().chain(expected.keys()).collect();
    let differences: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (found.get(name), expected.get(name)) {
            (Some(found), Some(expected)) if found == expected => None,
            (Some(found), Some(expected)) => Some(format!("{}: {}", name.display(), first_difference(found, expected))),
            (Some(_), None) => Some(format!("{}: must not be there", name.display())),
            _ => Some(format!("{}: missing", name.display())),
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn first_difference(found: &[u8], expected: &[u8]) -> String {
    let lines = |contents: &[u8]| String::from_utf8_lossy(contents).lines().map(str::to_owned).collect::<Vec<_>>();
    let (found, expected) = (lines(found), lines(expected));
    let same = found.iter().zip(&expected).take_while(|(found, expected)| found == expected).count();
    let line =
        |lines: &[String]| lines.get(same).map_or("its end".to_owned(), |line| line.chars().take(2000).collect());
    format!("line {} is\n{}\nnot\n{}", same + 1, line(&found), line(&expected))
}

/// The files of the [`PLAN`] as made by one worker.
fn by_one_worker() -> &'static BTreeMap<PathBuf, Vec<u8>> {
    static FILES: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        succeed(folder.path(), &[&PLAN[..], &["whole"]].concat());
        succeed(folder.path(), &["run", "whole"]);
        files(&folder.path().join("whole"))
    });
    &FILES
}

/// Writes the run of one worker to the folder `whole` in `folder`.
fn whole(folder: &Path) -> &'static BTreeMap<PathBuf, Vec<u8>> {
    for (name, contents) in by_one_worker() {
        let path = folder.join("whole").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    by_one_worker()
}

#[test]
fn bytes_do_not_depend_on_the_number_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    let one = whole(folder.path());
    assert!(one.contains_key(Path::new("parts/00006.json")));
    for workers in [2, 7, 64] {
        let name = format!("by{workers}");
        succeed(folder.path(), &[&PLAN[..], &[&name]].concat());
        // All workers at once, started in reverse order.
        let children: Vec<Child> = (0..workers)
            .rev()
            .map(|index| {
                let (index, workers) = (index.to_string(), workers.to_string());
                let shard = ["run", &name, "--shard-index", &index, "--num-shards", &workers, "--jobs", "1"];
                command(folder.path(), &shard).stdout(Stdio::null()).spawn().unwrap()
            })
            .collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert_same_files(&files(&folder.path().join(&name)), one);
    }
    succeed(folder.path(), &["finalize", "whole", "--output", "dataset"]);
    assert!(succeed(folder.path(), &["audit", "dataset"]).contains("120 records"));
    let table = succeed(folder.path(), &["validate", "dataset", "--judges", "none"]);
    assert!(table.contains("records passed all checks that ran"), "{table}");
}

#[test]
fn bytes_do_not_depend_on_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let expected = by_one_worker();
    succeed(folder.path(), &[&PLAN[..], &["killed"]].concat());
    let kills: u64 = std::env::var("WEFT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(5);
    // Kill times spread over the duration of a run, from a linear congruential generator.
    let mut state: u64 = 1;
    for kill in 0..kills {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = command(folder.path(), &["run", "killed"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + (state >> 33) % 1500));
        let _ = child.kill();
        child.wait().unwrap();
        // Some kills also lose the end of a file, or leave more than the state says.
        if kill % 3 == 1 {
            for file in fs::read_dir(folder.path().join("killed/parts")).into_iter().flatten() {
                let path = file.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "tmp") {
                    let mut contents = fs::read(&path).unwrap();
                    if kill % 2 == 0 {
                        contents.extend(b"half a fra")
                    } else {
                        contents.truncate(contents.len() / 2)
                    }
                    fs::write(&path, contents).unwrap();
                }
            }
        }
    }
    succeed(folder.path(), &["run", "killed"]);
    assert_same_files(&files(&folder.path().join("killed")), expected);
}

#[test]
#[cfg(unix)]
fn sigterm_keeps_the_group_and_says_75() {
    let folder = tempfile::tempdir().unwrap();
    let plan = ["plan", "--source", "synth", "--count", "1000", "--partitions", "1", "--output", "run"];
    succeed(folder.path(), &plan);
    let child = command(folder.path(), &["run", "run"]).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let state = folder.path().join("run/parts/00000.state.json");
    while !state.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(75));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("records are kept; run the same command again") && error.lines().count() == 1, "{error}");
    let status: serde_json::Value =
        serde_json::from_str(&succeed(folder.path(), &["status", "run", "--json"])).unwrap();
    assert!(status["started"][0]["rows"].as_u64().unwrap() > 0, "{status}");
    assert_eq!(status["array"], "0");
}

#[test]
fn a_finished_partition_is_left_alone_and_a_damaged_one_named() {
    let folder = tempfile::tempdir().unwrap();
    let before = whole(folder.path());
    assert_eq!(succeed(folder.path(), &["run", "whole"]).matches("complete already").count(), 7);
    assert_same_files(&files(&folder.path().join("whole")), before);
    assert!(succeed(folder.path(), &[&PLAN[..], &["whole"]].concat()).contains("already exists"));

    let part = folder.path().join("whole/parts/00003.jsonl.zst");
    fs::write(&part, &before[Path::new("parts/00003.jsonl.zst")][1..]).unwrap();
    let error = refusal(folder.path(), &["finalize", "whole"], 1);
    assert!(error.contains("00003.jsonl.zst` is missing or damaged; `gen-dataset run` makes partition 3"), "{error}");
    assert_eq!(files(&folder.path().join("dataset")), BTreeMap::new());
    let text = succeed(folder.path(), &["status", "whole"]);
    assert!(text.starts_with("6 of 7 ") && text.contains("00003.jsonl.zst` is missing or damaged"), "{text}");
    let status: serde_json::Value =
        serde_json::from_str(&succeed(folder.path(), &["status", "whole", "--json"])).unwrap();
    assert_eq!((&status["array"], &status["done"]), (&"3".into(), &6.into()));
    assert_eq!(status["damaged"], serde_json::json!([3]));
    let output = run(folder.path(), &["run", "whole"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && error.contains("00003.jsonl.zst` is missing or damaged"), "{error}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("complete already").count(), 6);
    assert_same_files(&files(&folder.path().join("whole")), before);

    fs::remove_file(folder.path().join("whole/parts/00003.json")).unwrap();
    assert!(refusal(folder.path(), &["finalize", "whole"], 75).contains("1 of 7 partitions"));
    assert_eq!(succeed(folder.path(), &["run", "whole"]).matches("complete already").count(), 6);
    succeed(folder.path(), &["finalize", "whole"]);
}

#[test]
fn what_a_killed_process_left_beside_a_complete_partition_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let before = whole(folder.path());
    // A process that is killed between the marker and the end of the partition leaves these two.
    for name in ["00002.lock", "00004.state.json", "00005.lock", "00005.state.json"] {
        fs::write(folder.path().join("whole/parts").join(name), "left").unwrap();
    }
    assert_eq!(succeed(folder.path(), &["run", "whole"]).matches("complete already").count(), 7);
    assert_same_files(&files(&folder.path().join("whole")), before);
}

#[test]
fn workers_take_partitions_from_other_programs() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let before = by_one_worker();
    succeed(folder.path(), &[&PLAN[..], &["piped"]].concat());
    let mut child = command(folder.path(), &["worker", "piped", "--ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input: String = (0..7).rev().map(|partition| format!("{{\"partition\": {partition}}}\n")).collect();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let results: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.iter().map(|result| result["rows"].as_u64().unwrap()).sum::<u64>(), 120);
    assert!(results.iter().all(|result| result["status"] == "done"));
    assert_same_files(&files(&folder.path().join("piped")), before);
}

#[test]
fn what_cannot_be_served_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let plan = ["plan", "--count", "20", "--partitions", "4", "--output", "run"];
    succeed(folder.path(), &plan);
    let cases: [(&[&str], i32, &str); 8] = [
        (&["plan", "--count", "21", "--partitions", "4", "--output", "run"], 2, "a plan cannot be changed"),
        (&["plan", "--count", "20", "--partitions", "0", "--output", "other"], 2, "--partitions"),
        (&["plan", "--count", "20", "--output", "ftp://host/run"], 2, "ftp://"),
        (&["run", "absent"], 2, "`gen-dataset plan` writes one"),
        (&["run", "run", "--shard-index", "4", "--num-shards", "4"], 2, "no shard 4 of 4"),
        (&["run", "run", "--shard-index", "1"], 2, "--num-shards"),
        (&["worker", "run"], 2, "--ndjson"),
        (&["finalize", "run"], 75, "4 of 4 partitions are not complete"),
    ];
    for (args, status, words) in cases {
        let error = refusal(folder.path(), args, status);
        assert!(error.contains(words), "{args:?}: {error}");
    }
    fs::write(folder.path().join("run/run.json"), "{").unwrap();
    assert!(refusal(folder.path(), &["run", "run"], 2).contains("is not a plan"));
}

/// A full disk, or a folder that cannot be written, loses nothing that was complete.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let expected = by_one_worker();
    succeed(folder.path(), &[&PLAN[..], &["full"]].concat());
    // A limit of 20 kB on the size of files stands in for a full disk: with the signal ignored, the write fails.
    let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" run full --jobs 1";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_gen-dataset")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(70), 1), "{error}");
    assert!(error.contains("cannot write"), "{error}");
    succeed(folder.path(), &["run", "full"]);
    assert_same_files(&files(&folder.path().join("full")), expected);
}
