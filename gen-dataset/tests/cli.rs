//! Tests of the built program: exit statuses, one-line errors, and whole runs over the registry.

mod common;

use common::{command, run, skip, succeed};
use gen_dataset::judges;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const DATA_FILE: &str = "data/default/train-00000-of-00001.jsonl";

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

/// Asserts that the program refused, and returns its one-line message.
fn refusal(output: &Output, status: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("the output is text");
    assert_eq!(output.status.code(), Some(status), "{text}");
    let errors: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("generated ") && !line.starts_with("validated ")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    assert!(errors[0].starts_with("error: "), "{text}");
    errors[0].to_owned()
}

/// Every file below `folder` with its contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let inside = files(&path).into_iter();
            found.extend(inside.map(|(name, contents)| (Path::new(path.file_name().unwrap()).join(name), contents)));
        } else {
            found.push((path.file_name().unwrap().into(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn help_shows_verbs_and_examples() {
    let folder = tempfile::tempdir().unwrap();
    let help = succeed(folder.path(), &["--help"]);
    for word in ["generate", "list", "show", "validate", "export", "Examples:", "Exit status", "parquet"] {
        assert!(help.contains(word), "{word} is missing in {help}");
    }
    for verb in [
        "generate",
        "list",
        "show",
        "validate",
        "export",
        "audit",
        "stats",
        "report",
        "schema",
        "plan",
        "run",
        "worker",
        "status",
        "finalize",
        "new",
        "score",
        "doctor",
        "completions",
        "man",
    ] {
        assert!(succeed(folder.path(), &[verb, "--help"]).contains("Examples:"), "{verb}");
    }
}

#[test]
fn wrong_arguments_are_one_line_and_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 24] = [
        (&["--cuont", "3"], "--cuont"),
        (&["--count", "0"], "--count"),
        (&["--count", "1000000"], "the source has"),
        (&["--source", "synth", "--count", "1000000000000"], "PiB of disk, and "),
        (&["--source", "synth"], "give the number of kernels with `--count`"),
        (&["--source", "all"], "give the number of kernels with `--count`"),
        (&["--format", "csv"], "parquet"),
        (&["--configs", "sft"], "derived from `default`"),
        (&["--splits", "80,10"], "three numbers whose sum is 100"),
        (&["--hold-out", "loop"], "--splits"),
        (&["--splits", "80,10,10", "--hold-out", "loops"], "cannot hold out `loops`"),
        (&["--decontaminate", "absent"], "is not a folder"),
        (&["audit", "absent"], "no finished dataset"),
        (&["stats", "absent"], "no finished dataset"),
        (&["report", "absent"], "no finished dataset"),
        (&["report", "absent", "--samples", "0"], "from 1 to 2000"),
        (&["--family", "no_such_family"], "known: "),
        (&["validate", "absent"], "no finished dataset"),
        (&["export", "absent", "--cu", "programs"], "no finished dataset"),
        (&["show", "no_such_kernel"], "gen-dataset list"),
        (&["doctor", "--require", "warpp"], "there is no part `warpp`; known: driver, "),
        (&["completions", "tcsh"], "bash"),
        (&["completions"], "<SHELL>"),
        (&["man", "--output", "/dev/null/man"], "/dev/null/man"),
    ];
    for (args, words) in cases {
        let line = refusal(&run(folder.path(), args), 2);
        assert!(line.contains(words), "{args:?}: {line}");
    }
    assert!(files(folder.path()).is_empty(), "a refused run writes nothing");
}

#[test]
fn launch_sizes_and_examples_that_cannot_be_meant_are_refused() {
    const SIZE: &str =
        "a launch size is one to four whole numbers of at least 1, as `33x17`, whose product is at most 65536";
    const EXAMPLES: &str = "it must be a whole number from 1 to 16";
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], words: &str| {
        // No kernel of this family has four axes, neither registered nor synthesised.
        let line = refusal(&run(folder.path(), &[&["--family", "vector"], args].concat()), 2);
        assert!(line.contains(words), "{args:?}: {line}");
    };
    let sizes = [
        "",
        " ",
        "0",
        "-3",
        "-3x4",
        "3x-4",
        "3x0",
        "x",
        "3x",
        "x3",
        "3xx4",
        "3X4",
        "64 128",
        "1.5",
        "1e3",
        "0x10",
        "64,",
        ",64",
        "64,,32",
        "1x2x3x4x5",
        "65537",
        "256x257",
        "99999999999999999999999",
        "65536x65536x65536x65536",
        "many",
    ];
    for size in sizes {
        refused(&[&format!("--sizes={size}")], SIZE);
    }
    refused(&["--sizes", "-3"], SIZE);
    for count in ["", "0", "-1", "17", "1.5", "x", "99999999999999999999999"] {
        refused(&["--examples", count], EXAMPLES);
    }
    refused(&["--sizes", "64,64"], "`--sizes` has 64 twice; the examples take the sizes in turn, so name it once");
    refused(&["--sizes", "64,3,064"], "has 64 twice");
    refused(
        &["--sizes", "64,32"],
        "`--sizes` has 2 sizes of 1 axis, but a record has 1 example: add `--examples 2`, or name fewer sizes",
    );
    refused(&["--sizes", "1,2,3", "--examples", "2"], "but a record has 2 examples: add `--examples 3`");
    let unused = "none of these kernels has 4 axes, so none takes the size 3x1x4x1; leave it out of `--sizes`";
    refused(&["--sizes", "16,3x1x4x1"], unused);
    refused(&["--source", "synth", "--count", "2", "--sizes", "2x2x2x2"], "none of these kernels has 4 axes");
    refused(&["--source", "all", "--count", "1", "--sizes", "3x1x4x1"], unused);
    // A plan has the same options.
    let plan = ["plan", "--output", "run", "--source", "synth", "--count", "2", "--sizes", "0"];
    let plan = run(folder.path(), &plan);
    assert!(refusal(&plan, 2).contains(SIZE));
    assert!(files(folder.path()).is_empty(), "a refused run writes nothing");
}

#[test]
fn without_arguments_every_kernel_of_the_registry_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let summary = succeed(folder.path(), &[]);
    assert!(summary.contains("family") && summary.contains("records"), "{summary}");
    let dataset = folder.path().join("dataset");
    let names: Vec<PathBuf> = files(&dataset).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["README.md", DATA_FILE, "rejects.jsonl", "run.json", "stats.json"].map(PathBuf::from));
    let rejects = fs::read_to_string(dataset.join("rejects.jsonl")).unwrap();
    assert!(rejects.is_empty(), "{rejects}");
    assert!(fs::read_to_string(dataset.join("README.md")).unwrap().starts_with("---\nlicense: "));
}

#[test]
fn what_is_in_a_dataset_is_told_alike_for_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        let wanted = ["--source", "all", "--family", "math,random_math,atomic", "--count", "120"];
        succeed(folder.path(), &[&wanted[..], &["--format", format, "--output", format]].concat());
        told.push(succeed(folder.path(), &["stats", format, "--json", "--plots", "plots"]));
    }
    assert!(told[1..].iter().all(|other| *other == told[0]));
    let stats: serde_json::Value = serde_json::from_str(&told[0]).unwrap();
    let all = &stats["families"]["all"];
    assert_eq!(all["records"], 120);
    let tiers = all["tiers"].as_object().unwrap();
    assert!(tiers.keys().eq(["3", "4"]) && tiers.values().all(|count| count.as_u64() > Some(20)), "{tiers:?}");
    assert!(stats["operations"]["sin"]["records"].as_u64() > Some(10), "{}", stats["operations"]["sin"]);
    let plots = files(&folder.path().join("plots"));
    assert!(plots.len() > 6 && plots.iter().all(|(_, svg)| svg.starts_with(b"<svg ")));
    // Registered kernels have no difficulty, so there is no plot of it.
    succeed(folder.path(), &["--count", "3", "--output", "few"]);
    succeed(folder.path(), &["stats", "few", "--plots", "few_plots"]);
    let names = |folder: PathBuf| files(&folder).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let (mut all, few) = (names(folder.path().join("plots")), names(folder.path().join("few_plots")));
    all.retain(|name| name != Path::new("difficulty.svg"));
    assert_eq!(few, all);
    let table = succeed(folder.path(), &["stats", "parquet"]);
    assert!(table.contains("near before") && table.contains("operations in fewer than 1 record:"), "{table}");
}

#[test]
fn a_report_is_one_page() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--family", "math,matrix,atomic", "--format", "parquet", "--output", "pairs"]);
    fs::write(folder.path().join("judged.txt"), "check <b>").unwrap();
    let told = succeed(folder.path(), &["report", "pairs", "--samples", "26", "--judged", "judged.txt"]);
    assert!(told.starts_with("26 samples, "), "{told}");
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains("check &lt;b&gt;"));
    let page = include_str!("../src/stats/report/page.html");
    let gaps: Vec<&str> = page.split("{{").skip(1).filter_map(|part| Some(part.split_once("}}")?.0)).collect();
    assert!(gaps.len() > 3 && gaps.iter().all(|gap| !html.contains(&format!("{{{{{gap}}}}}"))), "{gaps:?}");
    assert!(html.matches("<svg ").count() > 6);
    succeed(folder.path(), &["report", "pairs", "--samples", "26", "--judged", "judged.txt", "--output", "again.html"]);
    assert_eq!(fs::read_to_string(folder.path().join("again.html")).unwrap(), html);
}

#[test]
fn a_row_is_shown_by_its_id_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let synth = ["--source", "synth", "--seed", "3", "--count", "30", "--family", "math,loop"];
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        succeed(folder.path(), &[&synth[..], &["--format", format, "--output", format]].concat());
    }
    let lines = fs::read_to_string(folder.path().join("jsonl").join(DATA_FILE)).unwrap();
    let mut records = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let record = records.rfind(|record| record["cuda_backward"].is_string()).unwrap();
    let (id, index) = (record["id"].as_str().unwrap(), record["metadata"]["index"].as_u64().unwrap());
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        for which in [id, &id[..12], &id.to_uppercase(), &format!("3:{index}")] {
            let shown = succeed(folder.path(), &["show", which, "--dataset", format, "--stage", "cuda-backward"]);
            assert_eq!(shown.trim_end(), record["cuda_backward"].as_str().unwrap().trim_end(), "{format} {which}");
        }
        let line = refusal(&run(folder.path(), &["show", "0123456789abcdef", "--dataset", format]), 2);
        assert!(line.contains("no record with that id"), "{line}");
    }
    // Without a dataset, the record is made again from seed and index.
    let all = ["--source", "synth", "--seed", "3", "--count", "5", "--output", "all"];
    succeed(folder.path(), &all);
    let lines = fs::read_to_string(folder.path().join("all").join(DATA_FILE)).unwrap();
    for line in lines.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let shown = succeed(folder.path(), &["show", &format!("3:{}", record["metadata"]["index"]), "--stage", "rust"]);
        assert_eq!(shown.trim_end(), record["rust_source"].as_str().unwrap().trim_end());
    }
}

#[test]
fn threads_do_not_change_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        let made = ["--family", "arithmetic,atomic,matrix", "--format", format, "--jobs"];
        succeed(folder.path(), &[&made[..], &["1", "--output", &format!("{format}1")]].concat());
        succeed(folder.path(), &[&made[..], &["4", "--output", &format!("{format}4")]].concat());
        let (one, four) =
            (files(&folder.path().join(format!("{format}1"))), files(&folder.path().join(format!("{format}4"))));
        assert!(one == four, "{format}");
    }
    // Every format holds the same records, and every subcommand reads it.
    for format in ["jsonl.zst1", "parquet1", "files4"] {
        let table = succeed(folder.path(), &["validate", format, "--judges", "none"]);
        assert!(table.contains("records passed all checks that ran"), "{table}");
    }
    assert!(succeed(folder.path(), &["audit", "parquet1"]).contains(" rows in 1 config, 0 rejects\n"));
    let record = fs::read_to_string(folder.path().join("jsonl1").join(DATA_FILE)).unwrap();
    let record: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let shown =
        succeed(folder.path(), &["show", record["id"].as_str().unwrap(), "--dataset", "parquet1", "--stage", "ir"]);
    assert_eq!(shown.trim_end(), record["ir"].as_str().unwrap().trim_end());
    succeed(folder.path(), &["export", "parquet1", "--cu", "programs"]);
}

/// Regression: the C library chooses other float functions on a processor without fused multiply-add, and they give
/// other bits. Where the interpreter called them, these records differed.
#[test]
fn another_processor_does_not_change_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let generate = ["generate", "--source", "synth", "--count", "40", "--seed", "6", "--output"];
    let made = |name: &str, tunables: &str| {
        let mut command = command(folder.path(), &[&generate[..], &[name]].concat());
        assert!(command.env("GLIBC_TUNABLES", tunables).output().unwrap().status.success());
        files(&folder.path().join(name))
    };
    assert!(made("here", "") == made("there", "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"));
}

#[test]
fn what_is_in_a_benchmark_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let python = succeed(folder.path(), &["show", "saxpy", "--stage", "python"]);
    fs::create_dir(folder.path().join("benchmark")).unwrap();
    fs::write(folder.path().join("benchmark/task.txt"), format!("Translate this:\n{python}")).unwrap();
    let summary = succeed(folder.path(), &["--family", "arithmetic", "--decontaminate", "benchmark"]);
    assert!(summary.contains("contaminated"), "{summary}");
    let rejects = fs::read_to_string(folder.path().join("dataset/rejects.jsonl")).unwrap();
    assert!(rejects.contains("\"saxpy\""), "{rejects}");
    let records = fs::read_to_string(folder.path().join("dataset").join(DATA_FILE)).unwrap();
    assert!(records.lines().count() > rejects.lines().count(), "most kernels are not in the benchmark: {rejects}");
    succeed(folder.path(), &["audit", "dataset"]);
}

#[test]
fn a_damaged_parquet_file_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--count", "3", "--format", "parquet"]);
    let file = folder.path().join("dataset/data/default/train-00000-of-00001.parquet");
    let contents = fs::read(&file).unwrap();
    for (damaged, words) in [(&contents[..contents.len() / 2], "is damaged"), (&contents[..0], "is damaged")] {
        fs::write(&file, damaged).unwrap();
        let line = refusal(&run(folder.path(), &["validate", "dataset", "--judges", "none"]), 1);
        assert!(line.contains(words) && line.contains(".parquet"), "{line}");
    }
    fs::rename(&file, file.with_file_name("train-00000-of-00002.parquet")).unwrap();
    let line = refusal(&run(folder.path(), &["audit", "dataset"]), 1);
    assert!(line.contains("restore the missing files"), "{line}");
}

#[test]
fn the_script_of_the_warp_judge_finds_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let script = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import warp_judge\n\
                  print([len(warp_judge.read_records(pathlib.Path(folder))) for folder in sys.argv[2:]])";
    for format in ["jsonl", "files"] {
        succeed(folder.path(), &["--count", "3", "--format", format, "--output", format]);
    }
    let judges = Path::new(env!("CARGO_MANIFEST_DIR")).join("../judges");
    let python = Command::new("python3")
        .args(["-B", "-c", script])
        .arg(judges)
        .args(["jsonl", "files"])
        .current_dir(folder.path())
        .output();
    let Ok(output) = python else { return skip("no python3 on this machine") };
    assert_eq!(stdout(&output), "[3, 3]\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_folder_in_use_needs_a_word() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--count", "2"]);
    let before = files(folder.path());
    assert!(refusal(&run(folder.path(), &["--count", "2"]), 2).contains("--overwrite"));
    assert!(refusal(&run(folder.path(), &["--count", "1", "--resume"]), 2).contains("`count`"));
    assert!(succeed(folder.path(), &["--count", "2", "--resume"]).contains("complete already"));
    assert_eq!(files(folder.path()), before);
    succeed(folder.path(), &["--count", "1", "--overwrite"]);
    assert_ne!(files(folder.path()), before);
}

#[test]
fn an_output_that_is_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("dataset"), "").unwrap();
    assert!(refusal(&run(folder.path(), &[]), 2).contains("is not a folder"));
    let line = refusal(&run(folder.path(), &["--output", "dataset/inside"]), 2);
    assert!(line.contains("dataset/inside"), "{line}");
}

#[test]
fn a_tampered_line_is_named_and_status_1() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--count", "3"]);
    let file = folder.path().join("dataset").join(DATA_FILE);
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&file, format!("{}\n{}\n{}\n", lines[0], &lines[1][..lines[1].len() / 2], lines[2])).unwrap();
    let output = run(folder.path(), &["validate", "dataset", "--judges", "none"]);
    refusal(&output, 1);
    assert!(stdout(&output).contains(&format!("{DATA_FILE}:2: structure: not a record")), "{}", stdout(&output));
}

#[test]
fn a_text_that_means_something_else_is_found_by_execution() {
    if judges::open(judges::JudgeKind::Cxx).is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--family", "arithmetic", "--count", "2"]);
    let file = folder.path().join("dataset").join(DATA_FILE);
    // The dataset claims another version of the tool, whose texts need not be those of this one.
    let version = format!("\"generator_version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let own = format!("\"weft {}\"", env!("CARGO_PKG_VERSION"));
    let text = fs::read_to_string(&file).unwrap().replace(&version, "\"generator_version\":\"0.0.1\"");
    let text = text.replace(&own, "\"weft 0.0.1\"");
    let (start, end) = (text.find("\"cpu_forward\"").unwrap(), text.find("\"cuda_forward\"").unwrap());
    fs::write(&file, format!("{}{}{}", &text[..start], text[start..end].replace(" * ", " + "), &text[end..])).unwrap();
    // Judges execute texts, so they do not get a text that this version would not write.
    let table = stdout(&run(folder.path(), &["validate", "dataset", "--judges", "cxx"]));
    assert!(table.contains(" records failed, or have a text that this version does not write; no judge"), "{table}");
    let output = run(folder.path(), &["validate", "dataset", "--judges", "cxx", "--trust"]);
    refusal(&output, 1);
    assert!(stdout(&output).contains(":1: cxx: C++ as "), "{}", stdout(&output));
    assert!(refusal(&run(folder.path(), &["validate", "dataset", "--judges", "none,cxx"]), 2).contains("none"));
}

/// Runs the tool with the judges in the folder `judges`.
fn run_with(judges: &Path, folder: &Path, args: &[&str]) -> Output {
    command(folder, args).env("WEFT_JUDGES", judges).output().expect("the program was built")
}

/// The folder of the judges, if NVRTC is installed there.
fn judges_with_nvrtc() -> Result<PathBuf, String> {
    judges::nvrtc::Nvrtc::open().and_then(|_| judges::folder())
}

#[test]
fn ptx_is_written_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let ptx = ["--ptx", "sm_90", "--count", "2"];
    assert!(refusal(&run_with(folder.path(), folder.path(), &ptx), 2).contains("`--ptx` needs NVRTC"));
    assert!(refusal(&run(folder.path(), &["--ptx", "sm_1"]), 2).contains("sm_75"));
    let judges = match judges_with_nvrtc() {
        Ok(judges) => judges,
        Err(why) => return skip(&why),
    };
    for format in ["jsonl", "files"] {
        let output = run_with(&judges, folder.path(), &[&ptx[..], &["--format", format, "--output", format]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        succeed(folder.path(), &["validate", format, "--judges", "none"]);
    }
    let record = fs::read_to_string(folder.path().join("jsonl").join(DATA_FILE)).unwrap();
    let record: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert!(record["ptx"].as_str().unwrap().contains(".target sm_90"));
    assert!(fs::read_to_string(folder.path().join("jsonl/README.md")).unwrap().contains("- name: ptx"));
}

#[test]
fn only_making_partitions_needs_what_the_plan_names() {
    let judges = match judges_with_nvrtc() {
        Ok(judges) => judges,
        Err(why) => return skip(&why),
    };
    let folder = tempfile::tempdir().unwrap();
    let with = |args: &[&str]| run_with(&judges, folder.path(), args);
    let without = |args: &[&str]| run_with(folder.path(), folder.path(), args);
    let plan = ["plan", "--ptx", "sm_90", "--judges", "nvrtc", "--count", "2", "--partitions", "1", "--output", "run"];
    assert!(with(&plan).status.success());
    assert!(refusal(&without(&["run", "run"]), 2).contains("NVRTC"));
    assert!(with(&["run", "run"]).status.success());
    assert!(stdout(&without(&["status", "run"])).contains("1 of 1 partitions are complete, with 2 records"));
    assert!(without(&["finalize", "run", "--output", "dataset"]).status.success());
}

#[test]
fn kernels_are_listed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let list: serde_json::Value = serde_json::from_str(&succeed(folder.path(), &["list", "--json"])).unwrap();
    let kernels = list.as_array().unwrap();
    let name = kernels[0]["kernel"].as_str().unwrap();
    let family = kernels[0]["family"].as_str().unwrap();
    assert!(succeed(folder.path(), &["list", "--family", family]).contains(name));
    assert!(succeed(folder.path(), &["show", name]).contains(" │ "));
    assert!(succeed(folder.path(), &["show", name, "--stage", "python"]).contains("@wp.kernel"));
    assert!(succeed(folder.path(), &["show", name, "--stage", "cuda"]).contains("__global__"));

    succeed(folder.path(), &["--family", family, "--count", "1"]);
    let record = fs::read_to_string(folder.path().join("dataset").join(DATA_FILE)).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let shown = succeed(folder.path(), &["show", record["id"].as_str().unwrap(), "--stage", "ir"]);
    assert_eq!(shown.trim_end(), record["ir"].as_str().unwrap().trim_end());
}

#[test]
fn the_doctor_names_what_is_missing_and_what_it_disables() {
    let folder = tempfile::tempdir().unwrap();
    // No judge and no reader is in this folder.
    let doctor = |args: &[&str]| {
        command(folder.path(), &[&["doctor"], args].concat())
            .env("WEFT_JUDGES", folder.path())
            .env("WEFT_READERS", folder.path())
            .output()
            .expect("the program was built")
    };
    let json = doctor(&["--json"]);
    assert!(json.status.success());
    let told: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    let part = |name: &str| {
        let parts = told["parts"].as_array().unwrap().iter();
        parts.clone().find(|part| part["name"] == name).unwrap_or_else(|| panic!("there is no {name} in {told}"))
    };
    for name in ["nvrtc", "warp", "readers"] {
        let part = part(name);
        assert_eq!(part["installed"], false, "{part}");
        assert!(part["problem"].is_string() && part["version"].is_null(), "{part}");
        let line = refusal(&doctor(&["--json", "--require", name]), 2);
        assert!(
            line.starts_with(&format!("error: {name} is missing: ")) && line.contains("scripts/install-"),
            "{line}"
        );
    }
    // The compilers do not stand in that folder. The judge opens if one of them is there.
    let has_compiler = ["g++", "clang++"].map(part).iter().any(|part| part["installed"] == true);
    assert_eq!(has_compiler, judges::open(judges::JudgeKind::Cxx).is_ok());
    let cargo = part("cargo");
    assert_eq!(cargo["installed"], true, "cargo runs this test");
    let text = stdout(&doctor(&["--require", "cargo"]));
    let row = format!("cargo         {}", cargo["version"].as_str().unwrap());
    assert!(text.lines().any(|line| line.starts_with(&row)), "{text}");
    assert!(text.contains("warp is missing: ") && text.contains("it disables `--judges warp`"), "{text}");
}

#[test]
fn the_doctor_and_the_judges_agree() {
    let folder = tempfile::tempdir().unwrap();
    let judges = match judges_with_nvrtc() {
        Ok(judges) => judges,
        Err(why) => return skip(&why),
    };
    let told = run_with(&judges, folder.path(), &["doctor", "--json", "--require", "nvrtc"]);
    let told: serde_json::Value = serde_json::from_str(&stdout(&told)).unwrap();
    let nvrtc = told["parts"].as_array().unwrap().iter().find(|part| part["name"] == "nvrtc").unwrap();
    assert_eq!(nvrtc["version"], judges::nvrtc::Nvrtc::open().unwrap().release());
    let library = Path::new(nvrtc["path"].as_str().unwrap());
    assert!(library.starts_with(&judges) && library.is_file(), "{}", library.display());
}

/// Bash offers the subcommands that begin with `va`, and the values of an option.
#[test]
fn bash_completes_commands_and_values() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("completions.bash"), succeed(folder.path(), &["completions", "bash"])).unwrap();
    let offered = |line: &str| {
        let words = line.split(' ').count();
        let (current, previous) = (line.rsplit(' ').next().unwrap(), line.rsplit(' ').nth(1).unwrap());
        let script = format!(
            "source completions.bash; COMP_WORDS=({line}); COMP_CWORD={}; of_tool=$(complete -p gen-dataset); \
             of_tool=${{of_tool##*-F }}; ${{of_tool%% *}} gen-dataset '{current}' '{previous}'; echo \"${{COMPREPLY[@]}}\"",
            words - 1
        );
        let bash = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output();
        bash.ok().map(|output| stdout(&output).trim_end().to_owned())
    };
    let Some(verbs) = offered("gen-dataset va") else { return skip("no bash on this machine") };
    assert_eq!(verbs, "validate");
    assert_eq!(offered("gen-dataset schema --config s").unwrap(), "sft");
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(succeed(folder.path(), &["completions", shell]).contains("doctor"), "{shell}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let page = succeed(folder.path(), &["man"]);
    let told = succeed(folder.path(), &["man", "--output", "share/man1"]);
    let pages = files(&folder.path().join("share/man1"));
    assert!(told.starts_with(&format!("wrote {} pages", pages.len())), "{told}");
    let find = |name: &str| pages.iter().find(|(path, _)| path == Path::new(name)).map(|(_, text)| text.clone());
    assert_eq!(find("gen-dataset.1"), Some(page.into_bytes()));
    let text = String::from_utf8(find("gen-dataset-validate.1").unwrap()).unwrap();
    assert!(text.contains("\\-\\-evidence") && text.contains("gen\\-dataset validate dataset \\-\\-judges"), "{text}");
    // groff reports what it cannot read.
    let mut groff = Command::new("groff");
    groff.args(["-man", "-ww", "-Tutf8", "-z", "share/man1/gen-dataset.1"]);
    let Ok(output) = groff.current_dir(folder.path()).output() else { return skip("no groff on this machine") };
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_output_has_no_colours_where_there_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!succeed(folder.path(), &["list"]).contains('\u{1b}'));
    assert!(!String::from_utf8(run(folder.path(), &["--cuont"]).stderr).unwrap().contains('\u{1b}'));
}

/// Compiles a program for the host and runs it. Returns its exit status and its output.
fn run_on_host(program: &Path) -> Option<(Option<i32>, String)> {
    let built = program.with_extension("out");
    let flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off", "-DWEFT_HOST", "-xc++"];
    let compiler = Command::new("g++").args(flags).arg(program).arg("-o").arg(&built).output().ok()?;
    assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
    let output = Command::new(&built).output().expect("the program starts");
    Some((output.status.code(), stdout(&output)))
}

/// Writes two datasets to `folder` in which the text `from` of a record is replaced by `to`. The first claims that this
/// version wrote it, the second that another one did.
fn tampered(folder: &Path, from: &str, to: &str) -> [&'static str; 2] {
    let versions = ["this", "another"];
    for name in versions {
        succeed(folder, &["--family", "arithmetic", "--count", "2", "--output", name]);
        let file = folder.join(name).join(DATA_FILE);
        let mut text = fs::read_to_string(&file).unwrap().replacen(from, to, 1);
        if name == "another" {
            let version = format!("\"generator_version\":\"{}\"", env!("CARGO_PKG_VERSION"));
            text = text.replace(&version, "\"generator_version\":\"0.0.1\"");
        }
        assert!(text.contains(to));
        fs::write(&file, text).unwrap();
        // Without these files, `validate` cannot compare the hash of the data.
        ["run.json", "stats.json"].iter().for_each(|of| fs::remove_file(folder.join(name).join(of)).unwrap());
    }
    versions
}

#[test]
fn tampered_cuda_is_exported_on_trust_alone() {
    let folder = tempfile::tempdir().unwrap();
    let own = "__global__ void";
    for name in tampered(folder.path(), own, "__global__ /*tampered*/ void") {
        let line = refusal(&run(folder.path(), &["export", name, "--cu", "refused"]), 1);
        assert!(line.contains(":1: record ") && line.contains("`cuda_forward`") && line.contains("--trust"), "{line}");
        assert!(files_if_any(&folder.path().join("refused")).is_empty());
        let programs = format!("programs_of_{name}");
        succeed(folder.path(), &["export", name, "--cu", &programs, "--trust"]);
        let exported = files(&folder.path().join(programs));
        assert!(exported.iter().any(|(_, text)| String::from_utf8_lossy(text).contains("/*tampered*/")));
    }
}

/// Every file below `folder`, which need not exist.
fn files_if_any(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if folder.is_dir() { files(folder) } else { Vec::new() }
}

#[test]
fn the_python_of_a_dataset_is_verified_before_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../judges/warp_judge.py");
    let tool = Path::new(env!("CARGO_BIN_EXE_gen-dataset")).parent().unwrap();
    let judge = |dataset: &str, options: &[&str]| {
        let path = std::env::join_paths(
            [tool.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        // The judge refuses the dataset before it imports Warp, so Warp need not be installed.
        let judge = Command::new("python3")
            .arg(&script)
            .arg(dataset)
            .args(options)
            .current_dir(folder.path())
            .env("PATH", path.unwrap())
            .output();
        judge.ok().map(|output| String::from_utf8(output.stderr).unwrap())
    };
    let is_refused = |words: &str| words.lines().count() == 1 && words.contains("Python") && words.contains(":1");
    let marker = "import pathlib; pathlib.Path('ran').touch()\\n";
    for name in tampered(folder.path(), "\"python_source\":\"", &format!("\"python_source\":\"{marker}")) {
        let Some(words) = judge(name, &[]) else { return skip("no python3 on this machine") };
        assert!(is_refused(&words), "{words}");
        assert!(!folder.path().join("ran").exists());
        assert!(!is_refused(&judge(name, &["--trust"]).unwrap()));
    }
    succeed(folder.path(), &["--family", "arithmetic", "--count", "2"]);
    assert!(!is_refused(&judge("dataset", &[]).unwrap()));
    // No dataset has a file of this name, so nobody verifies it.
    let data = folder.path().join("dataset/data/default");
    fs::copy(folder.path().join("this").join(DATA_FILE), data.join("a.jsonl")).unwrap();
    let dataset = folder.path().join("dataset");
    ["run.json", "stats.json"].iter().for_each(|name| fs::remove_file(dataset.join(name)).unwrap());
    let words = judge("dataset", &[]).unwrap();
    assert!(is_refused(&words) && words.contains("a.jsonl"), "{words}");
}

#[test]
fn shaders_are_exported_in_the_languages_of_gpu_interfaces() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["generate", "--family", "scalar_param,atomic", "--output", "dataset"]);
    let told = succeed(folder.path(), &["export", "dataset", "--shaders", "wgsl", "--language", "wgsl"]);
    let texts = files(&folder.path().join("wgsl"));
    assert!(told.starts_with(&format!("{} shaders in wgsl\n", texts.len())), "{told}");
    assert!(
        texts.iter().all(|(name, text)| name.extension().is_some_and(|ending| ending == "wgsl") && !text.is_empty())
    );
    assert!(texts.iter().any(|(name, _)| name.to_string_lossy().ends_with("_backward.wgsl")));
    if !cfg!(feature = "wgpu") {
        let line = refusal(&run(folder.path(), &["export", "dataset", "--shaders", "other"]), 2);
        return assert!(line.contains("build it with `--features wgpu`"), "{line}");
    }
    for (language, ending, begin) in [("spirv", "spv", &[0x03, 0x02, 0x23, 0x07][..]), ("msl", "metal", b"// language")]
    {
        let told = succeed(folder.path(), &["export", "dataset", "--shaders", language, "--language", language]);
        let translated = files(&folder.path().join(language));
        let left_out: usize =
            told.lines().filter_map(|line| line.split_once(" left out (")?.0.parse::<usize>().ok()).sum();
        assert_eq!(translated.len() + left_out, texts.len(), "{told}");
        for (name, text) in translated {
            assert!(name.extension().is_some_and(|is| is == ending) && text.starts_with(begin), "{}", name.display());
        }
    }
    let line = refusal(&run(folder.path(), &["export", "dataset", "--shaders", "spirv"]), 2);
    assert!(line.contains("is not empty; choose a new folder for `--shaders`"), "{line}");
}

#[test]
fn exported_programs_check_themselves() {
    let folder = tempfile::tempdir().unwrap();
    // CI runs the programs of all families.
    succeed(folder.path(), &["--family", "arithmetic,atomic,reduction,shared,tile,vector"]);
    let told = succeed(folder.path(), &["export", "dataset", "--cu", "programs"]);
    let programs = folder.path().join("programs");
    assert!(told.starts_with(&format!("{} programs", files(&programs).len())), "{told}");
    assert!(refusal(&run(folder.path(), &["export", "dataset", "--cu", "programs"]), 2).contains("not empty"));

    // The first program of each family.
    for family in fs::read_dir(&programs).unwrap() {
        let mut of_family: Vec<PathBuf> =
            fs::read_dir(family.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        of_family.sort();
        match run_on_host(&of_family[0]) {
            Some(outcome) => assert_eq!(outcome, (Some(0), "PASS\n".to_owned()), "{}", of_family[0].display()),
            None => return skip("no g++ on this machine"),
        }
    }

    let saxpy = programs.join("arithmetic/saxpy.cu");
    let text = fs::read_to_string(&saxpy).unwrap();
    fs::write(&saxpy, text.replacen("y_after[16] = {\n    ", "y_after[16] = {\n    2.5f + ", 1)).unwrap();
    let (status, printed) = run_on_host(&saxpy).unwrap();
    assert_eq!(status, Some(1));
    assert!(printed.starts_with("FAIL: number 0 of `y` is "), "{printed}");
}

#[test]
fn exported_programs_add_up_on_many_threads() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--family", "atomic"]);
    succeed(folder.path(), &["export", "dataset", "--cu", "programs"]);
    let program = |name: &str| fs::read_to_string(folder.path().join("programs/atomic").join(name)).unwrap();
    // Tolerances of sums were measured in other orders of the threads too.
    assert!(program("global_sum.cu").contains("WEFT_LAUNCH(global_sum, dim3(1), dim3(128))"), "a sum of floats");
    assert!(program("histogram.cu").contains("WEFT_LAUNCH(histogram, dim3(1), dim3(128))"), "a sum of integers");
}

#[test]
fn exported_adjoints_count_winners_first() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--family", "atomic"]);
    succeed(folder.path(), &["export", "dataset", "--cu", "programs"]);
    for name in ["max_residual", "earliest_impact", "bounding_box"] {
        let path = folder.path().join(format!("programs/atomic/{name}_backward.cu"));
        let text = fs::read_to_string(&path).unwrap();
        let launches = format!("WEFT_LAUNCH({name}_backward, dim3(1), dim3(128))");
        assert_eq!(text.matches(&launches).count(), 2, "{name}: {text}");
        match run_on_host(&path) {
            Some(outcome) => assert_eq!(outcome, (Some(0), "PASS\n".to_owned()), "{name}"),
            None => return skip("no g++ on this machine"),
        }
        // The program notices a launch that counts no winner, and one that does not divide by the count.
        for (right, wrong) in [("_winners[0], 1u)", "_winners[0], 0u)"), (" / (float)", " / 2.0f / (float)")] {
            let changed = text.replace(right, wrong);
            if changed != text {
                fs::write(&path, changed).unwrap();
                assert_eq!(run_on_host(&path).unwrap().0, Some(1), "{name}: {wrong}");
            }
        }
    }
}
