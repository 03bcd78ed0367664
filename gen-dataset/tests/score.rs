//! Tests of `gen-dataset score` by the built program: verdicts, the table, the long-lived mode, and bad input.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use common::{command, run, skip_judged, succeed};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with the datasets `pairs` and `programs`, of the same records; rows of `rl` have programs in the latter.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for (output, more) in [("pairs", &[][..]), ("programs", &["--rl-programs"])] {
        let what = ["--source", "synth", "--count", "13", "--seed", "3", "--configs", "default,sft,rl"];
        succeed(folder.path(), &[&what, &["--output", output][..], more].concat());
    }
    folder
});

/// Asserts that the program refused with status 2, and returns its one-line message.
fn refusal(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("the output is text");
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.trim_end().lines().count() == 1 && text.starts_with("error: "), "{text}");
    text
}

/// Whether answers cannot be scored here, for lack of a compiler or a sandbox. The reason is printed.
fn cannot_score() -> bool {
    static WHY: LazyLock<Option<String>> = LazyLock::new(|| {
        let doctor = run(FOLDER.path(), &["doctor", "--require", "g++,sandbox"]);
        (!doctor.status.success()).then(|| String::from_utf8_lossy(&doctor.stderr).trim().to_owned())
    });
    WHY.iter().for_each(|why| skip_judged(why));
    WHY.is_some()
}

/// Whether there is no Python. That is printed.
fn lacks_python() -> bool {
    let lacks = Command::new("python3").arg("--version").output().is_err();
    if lacks {
        skip_judged("python3 is not installed");
    }
    lacks
}

fn rows(dataset: &str, config: &str) -> Vec<Value> {
    let file = FOLDER.path().join(format!("{dataset}/data/{config}/train-00000-of-00001.jsonl"));
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A row of `rl` with the right answer.
struct Problem {
    row: Value,
    right: String,
}

impl Problem {
    /// The problems of a dataset.
    fn all(dataset: &str) -> Vec<Problem> {
        let answers = rows(dataset, "sft");
        let right = |row: &Value| {
            let same = |other: &&Value| other["id"] == row["id"] && other["task"] == row["task"];
            answers.iter().find(same).unwrap()["completion"].as_str().unwrap().to_owned()
        };
        rows(dataset, "rl").into_iter().map(|row| Problem { right: right(&row), row }).collect()
    }

    /// The right signature with an empty body.
    fn wrong(&self) -> String {
        let (before, entry) = self.right.split_once("extern \"C\" __global__").unwrap();
        let (signature, _) = entry.split_once(") {\n").unwrap();
        format!("{before}extern \"C\" __global__{signature}) {{\n}}\n```")
    }

    /// The right answer without its last brace.
    fn broken(&self) -> String {
        self.right.replace("}\n```", "\n```")
    }

    /// A line of answers.
    fn answer(&self, completion: impl Into<Value>) -> Value {
        json!({"id": self.row["id"], "task": self.row["task"], "completion": completion.into()})
    }

    /// A line of answers that needs no dataset.
    fn answer_with_kernel(&self, completion: &str) -> Value {
        let mut line = self.answer(completion);
        for name in ["ir", "seed", "category"] {
            line[name] = self.row[name].clone();
        }
        line
    }
}

fn write_lines(path: &Path, lines: &[Value]) {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, lines).unwrap();
}

fn read_lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The process of `score --ndjson`.
struct Server {
    process: std::process::Child,
    verdicts: BufReader<std::process::ChildStdout>,
}

impl Server {
    fn start(folder: &Path, args: &[&str]) -> Server {
        let mut command = command(folder, &[&["score", "--ndjson"], args].concat());
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let verdicts = BufReader::new(process.stdout.take().unwrap());
        Server { process, verdicts }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.process.stdin.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.verdicts.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, line: impl AsRef<[u8]>) -> Value {
        self.send(line.as_ref());
        self.receive()
    }

    /// Ends the input, and returns the status and what the process wrote to standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.process.stdin.take());
        let output = self.process.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

/// The numbers with many digits in a value.
fn long_numbers(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Number(number) => found.extend(Some(number.to_string()).filter(|digits| digits.len() > 8)),
        Value::Array(values) => values.iter().for_each(|value| long_numbers(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| long_numbers(value, found)),
        Value::String(_) | Value::Bool(_) | Value::Null => {}
    }
}

#[test]
fn rows_of_rl_are_small_and_hold_no_results() {
    let small = Problem::all("pairs");
    let full = rows("programs", "rl");
    assert_eq!(small.len(), full.len());
    let records = rows("pairs", "default");
    for (Problem { row, .. }, full) in small.iter().zip(&full) {
        let names: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(names, ["prompt", "entry_point", "ir", "seed", "id", "task", "category", "skeleton_id"]);
        let text = row.to_string();
        let varies = row["prompt"].to_string().len() + row["ir"].to_string().len();
        assert!(text.len() < varies + 500, "{} bytes beside prompt and kernel: {row}", text.len() - varies);
        // The kernel in one language, the IR, and some words. A long kernel has a long row.
        let record = records.iter().find(|record| record["id"] == row["id"]).unwrap();
        let kernel = ["python_source", "ir"].map(|column| record[column].as_str().unwrap().len());
        let most = 2 * kernel.iter().sum::<usize>() + 1_500;
        assert!(text.len() < most, "a row has {} bytes, and its kernel {kernel:?}", text.len());
        // No number of the example is in the row: neither an input nor a result.
        let example = serde_json::from_str(record["example"].as_str().unwrap()).unwrap();
        let mut numbers = Vec::new();
        long_numbers(&example, &mut numbers);
        assert!(numbers.len() > 3, "{example}");
        let shown = numbers.iter().find(|number| text.contains(*number));
        assert_eq!(shown, None, "{row}");
        // With programs, the row has the same fields and more.
        assert!(row.as_object().unwrap().iter().all(|(name, value)| full[name] == *value));
        assert!(full["test"].as_str().is_some_and(|test| test.len() > text.len() / 2), "{full}");
    }
}

#[test]
fn a_file_gets_verdicts_and_a_table() {
    if cannot_score() {
        return;
    }
    let problems = Problem::all("pairs");
    let task = |name: &str| problems.iter().find(|problem| problem.row["task"] == name).unwrap();
    let (forward, backward) = (task("python_to_cuda"), task("python_to_cuda_backward"));
    let chat = json!([{"role": "user", "content": "?"}, {"role": "assistant", "content": forward.right}]);
    let mut unknown = forward.answer("x");
    unknown["id"] = json!("nobody");
    let mut python = forward.answer("x");
    python["task"] = json!("cuda_to_python");
    let answers = [
        forward.answer(forward.right.as_str()),
        forward.answer(chat),
        forward.answer(forward.wrong()),
        forward.answer(forward.broken()),
        backward.answer(backward.right.as_str()),
        backward.answer(backward.wrong()),
        backward.answer(backward.wrong()),
        backward.answer(backward.broken()),
        unknown,
        python,
    ];
    let work = tempfile::tempdir().unwrap();
    write_lines(&work.path().join("answers.jsonl"), &answers);
    let pairs = FOLDER.path().join("pairs").display().to_string();
    let table = succeed(work.path(), &["score", "answers.jsonl", "--dataset", &pairs, "--k", "1,2,5"]);

    let verdicts = read_lines(&work.path().join("answers.scores.jsonl"));
    let outcomes: Vec<&str> = verdicts.iter().map(|verdict| verdict["outcome"].as_str().unwrap()).collect();
    let expected = ["correct", "correct", "wrong", "does_not_compile", "correct", "wrong", "wrong", "does_not_compile"];
    assert_eq!(outcomes[..8], expected, "{verdicts:?}");
    assert_eq!(outcomes[8..], ["unscored", "unscored"]);
    for ((index, answer), verdict) in answers.iter().enumerate().zip(&verdicts) {
        assert_eq!(verdict["index"], index);
        assert_eq!([&verdict["id"], &verdict["task"]], [&answer["id"], &answer["task"]]);
        assert_eq!(verdict["correct"], verdict["outcome"] == "correct");
        assert_eq!(verdict["compiled"], ["correct", "wrong"].contains(&outcomes[index]));
        assert_eq!(verdict["why"] == "", verdict["outcome"] == "correct", "{verdict}");
        assert_eq!(verdict["work"].is_f64(), verdict["compiled"] == true, "{verdict}");
    }
    assert_eq!(verdicts[5]["why"], verdicts[6]["why"]);

    let line = |name: &str| {
        let line =
            table.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_else(|| panic!("{table}"));
        line[name.len()..].split_whitespace().filter(|word| *word != "%").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        table.lines().next().unwrap().split_whitespace().collect::<Vec<_>>(),
        ["answers", "compile", "correct", "pass@1", "pass@2", "pass@5", "unscored"]
    );
    // (1/2 + 1/4) / 2 and (5/6 + 1/2) / 2; no problem has five answers.
    assert_eq!(line("all"), ["8", "75.0", "37.5", "37.5", "66.7", "–", "2"]);
    assert_eq!(line("python_to_cuda"), ["4", "75.0", "50.0", "50.0", "83.3", "–", "1"]);
    assert_eq!(line("python_to_cuda_backward"), ["4", "75.0", "25.0", "25.0", "50.0", "–", "0"]);
    assert_eq!(line("cuda_to_python"), ["0", "–", "–", "–", "–", "–", "1"]);
    line(forward.row["category"].as_str().unwrap());
    line("difficulty");
    assert!(table.contains("verdicts in answers.scores.jsonl, by g++ "), "{table}");

    // Rows that come with the answers take the place of the dataset, and the verdicts are the same. Rows with programs
    // are scored, too.
    let programs = Problem::all("programs");
    let again: Vec<Value> = [&forward, &backward]
        .into_iter()
        .flat_map(|problem| {
            let same =
                |other: &&Problem| other.row["id"] == problem.row["id"] && other.row["task"] == problem.row["task"];
            let other = programs.iter().find(same).unwrap();
            [other.answer_with_kernel(&other.right), other.answer_with_kernel(&other.wrong())]
        })
        .collect();
    write_lines(&work.path().join("again.jsonl"), &again);
    let args = ["score", "again.jsonl", "--json", "--output", "out/again.txt", "--jobs", "1", "--sandbox", "none"];
    let output = run(work.path(), &args);
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warning.contains("warning: without a sandbox"), "{warning}");
    let groups: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        groups[0],
        json!({
            "by": "all", "name": "all", "answers": 4, "compiled": 4, "correct": 2, "unscored": 0, "pass_at": {"1": 0.5},
        })
    );
    let kinds: Vec<&str> = groups.iter().map(|group| group["by"].as_str().unwrap()).collect();
    assert_eq!(kinds[..4], ["all", "task", "task", "family"]);
    let verdicts_again = read_lines(&work.path().join("out/again.txt"));
    for (again, first) in verdicts_again.iter().zip([0, 2, 4, 5]) {
        let first = &verdicts[first];
        assert!(["outcome", "why", "work", "span"].iter().all(|name| again[name] == first[name]), "{again}, {first}");
    }
}

#[test]
fn a_long_lived_process_answers_each_line() {
    if cannot_score() {
        return;
    }
    let problems = Problem::all("pairs");
    let problem = &problems[0];
    let mut server = Server::start(FOLDER.path(), &["--dataset", "pairs"]);
    // A verdict comes before the next line is sent.
    let first = server.ask(problem.answer(problem.right.as_str()).to_string());
    assert_eq!((&first["outcome"], &first["index"]), (&json!("correct"), &json!(0)), "{first}");
    let answer = |text: &str| problem.answer(text).to_string().into_bytes();
    let nested = "(".repeat(500_000);
    let bomb = "#define A(x) x x x x x x x x\nint n = 0 A(A(A(A(A(A(A(A(A(A(+ 1))))))))));";
    let mut torn = problem.answer("§").to_string().into_bytes();
    let place = torn.windows(2).position(|pair| pair == "§".as_bytes()).unwrap();
    torn[place] = 0xff;
    let cases: Vec<(Vec<u8>, &str, &str)> = vec![
        (answer(""), "no_answer", "it is empty"),
        (answer("  \n\t"), "no_answer", "it is empty"),
        (answer("```cuda\n```"), "no_answer", "it is empty"),
        (answer(&"x".repeat(3 << 20)), "no_answer", "bytes"),
        (answer("a\0b"), "no_answer", "NUL"),
        (answer("def f(x):\n    return x\n"), "does_not_compile", "error"),
        (answer("#include <no_such_header.h>\n"), "does_not_compile", "no_such_header.h"),
        (answer("#include \"/etc/passwd\"\n"), "does_not_compile", "/etc/passwd"),
        (answer(&nested), "does_not_compile", ""),
        (answer(bomb), "does_not_compile", ""),
        (answer("\u{202e}♥"), "does_not_compile", "error"),
        (torn, "does_not_compile", "error"),
        (br#"{"id": "x"#.to_vec(), "no_answer", "no JSON"),
        (b"\xff\xfe".to_vec(), "no_answer", "no JSON"),
        (b"[1, 2]".to_vec(), "no_answer", "no `completion`"),
        (b"null".to_vec(), "no_answer", "no `completion`"),
        (br#"{"id": 3, "task": "python_to_cuda", "completion": "x"}"#.to_vec(), "no_answer", "`id` is no string"),
        (br#"{"id": "x", "task": "t", "completion": "\ud800"}"#.to_vec(), "no_answer", "no JSON"),
        (vec![b'['; 100_000], "no_answer", "no JSON"),
        (br#"{"id": "x", "task": "t", "completion": [{"role": "user"}]}"#.to_vec(), "no_answer", "`content`"),
        (br#"{"id": "nobody", "task": "python_to_cuda", "completion": "x"}"#.to_vec(), "unscored", "no record"),
        (br#"{"id": "x", "task": "knitting", "completion": "x"}"#.to_vec(), "unscored", "`knitting`"),
        (br#"{"id": "x", "task": "python_to_cuda", "completion": "x", "ir": "x", "seed": 1}"#.to_vec(), "unscored", ""),
    ];
    // All are sent before the first verdict is read. Empty lines get none.
    for (line, ..) in &cases {
        server.send(line);
        server.send(b"");
    }
    let started = std::time::Instant::now();
    for ((_, outcome, why), index) in cases.iter().zip(1..) {
        let verdict = server.receive();
        assert_eq!((&verdict["index"], &verdict["outcome"]), (&json!(index), &json!(outcome)), "{verdict}");
        let said = verdict["why"].as_str().unwrap();
        assert!(said.contains(why) && !said.is_empty() && said.len() < 1000 && !said.contains('\n'), "{verdict}");
        assert_eq!((&verdict["correct"], &verdict["compiled"]), (&json!(false), &json!(false)), "{verdict}");
    }
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
    // The process is as it was.
    let last = server.ask(problem.answer(problem.right.as_str()).to_string());
    assert!(["outcome", "why", "work", "span"].iter().all(|name| last[name] == first[name]), "{last}");
    assert_eq!(server.end(), (Some(0), String::new()));
}

#[test]
fn what_cannot_be_scored_is_one_line_and_status_2() {
    let work = tempfile::tempdir().unwrap();
    let write = |name: &str, contents: &[u8]| fs::write(work.path().join(name), contents).unwrap();
    write("good.jsonl", br#"{"id": "x", "task": "python_to_cuda", "completion": "x"}"#);
    write("bad.jsonl", b"{\"id\": \"x\", \"task\": \"t\", \"completion\": \"x\"}\n\n{\"id\": 3}\n");
    write("bytes.jsonl", b"\xff\xfe\n");
    write("empty.jsonl", b"\n\n");
    let cases: [(&[&str], &str); 13] = [
        (&[], "<ANSWERS>"),
        (&["none.jsonl"], "cannot open `none.jsonl`"),
        (&["."], "cannot read `.`"),
        (&["empty.jsonl"], "has no answers"),
        (&["bad.jsonl"], "of `bad.jsonl`: it has no `completion`"),
        (&["bytes.jsonl"], "line 1 of `bytes.jsonl`: it is no JSON"),
        (&["good.jsonl", "--dataset", "nowhere"], "nowhere"),
        (&["--ndjson", "--dataset", "nowhere"], "nowhere"),
        (&["good.jsonl", "--ndjson"], "--ndjson"),
        (&["good.jsonl", "--k", "0"], "--k"),
        (&["good.jsonl", "--work", "0.5"], "--work"),
        (&["good.jsonl", "--span", "NaN"], "--span"),
        (&["good.jsonl", "--sandbox", "chroot"], "bubblewrap"),
    ];
    for (args, why) in cases {
        let message = refusal(&run(work.path(), &[&["score"], args].concat()));
        assert!(message.contains(why), "{args:?}: {message}");
    }
    // Programs outside that are not there.
    let lost = |args: &[&str]| command(work.path(), args).env("PATH", work.path()).output().unwrap();
    let message = refusal(&lost(&["score", "good.jsonl", "--sandbox", "bubblewrap"]));
    assert!(message.contains("there is no sandbox") && message.contains("--sandbox none"), "{message}");
    let message = refusal(&lost(&["score", "good.jsonl"]));
    assert!(message.contains("g++") || message.contains("there is no sandbox"), "{message}");
    if !cannot_score() {
        // Without `--dataset`, and without kernels in the answers.
        let message = refusal(&run(work.path(), &["score", "good.jsonl"]));
        assert!(message.contains("dataset"), "{message}");
        write("same.jsonl", br#"{"id": "x", "task": "t", "completion": "x", "ir": "x", "seed": 1}"#);
        let message = refusal(&run(work.path(), &["score", "same.jsonl", "--output", "./same.jsonl"]));
        assert!(message.contains("has the answers"), "{message}");
    }
    let left: Vec<_> = fs::read_dir(work.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), if cannot_score() { 4 } else { 5 }, "{left:?}");
}

#[test]
fn the_python_package_keeps_what_trainers_rely_on() {
    if cannot_score() || lacks_python() {
        return;
    }
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace").join("python");
    let output = Command::new("python3")
        .args(["-B", "-W", "error", "-m", "unittest", "discover"])
        .arg(python.join("tests"))
        .current_dir(FOLDER.path())
        .env("PYTHONPATH", &python)
        .env("WEFT_PROGRAM", env!("CARGO_BIN_EXE_gen-dataset"))
        .env("WEFT_DATASET", FOLDER.path().join("pairs"))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("skipped") && said.contains("\nOK"), "{said}");
}

/// The Python blocks of the guide, with stand-ins for the trainers.
#[test]
fn the_python_of_the_guide_runs() {
    if cannot_score() || lacks_python() {
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.parent().expect("the package is in a workspace");
    let page = fs::read_to_string(root.join("docs/guide/scoring.md")).unwrap();
    let blocks: Vec<&str> = page.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    let work = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(FOLDER.path().join("pairs"), work.path().join("pairs")).unwrap();
    let right: Vec<Value> = Problem::all("pairs").iter().take(2).map(|one| one.answer(one.right.as_str())).collect();
    write_lines(&work.path().join("answers.jsonl"), &right);
    let tool = Path::new(env!("CARGO_BIN_EXE_gen-dataset")).parent().unwrap();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tool.to_owned()).chain(std::env::split_paths(&others))).unwrap();
    let packages = std::env::join_paths([root.join("python"), package.join("tests/trainers")]).unwrap();
    for block in blocks {
        let mut command = Command::new("python3");
        command.args(["-B", "-c", block]).current_dir(work.path()).env("PATH", &path).env("PYTHONPATH", &packages);
        let output = command.output().expect("Python starts");
        assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
