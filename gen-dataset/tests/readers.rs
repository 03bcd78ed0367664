//! Other programs on datasets: pyarrow, polars, DuckDB, pandas and `datasets` read them, a C++ compiler builds the
//! tests of `rl`, and object stores hold the partitions of a run.

mod common;

#[cfg(feature = "object-store")]
use common::command;
use common::{skip_judged, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace").to_owned()
}

/// The Python with the readers, if they are installed.
fn python() -> Option<PathBuf> {
    let folder = std::env::var_os("WEFT_READERS").map_or(checkout().join(".readers"), PathBuf::from);
    Some(folder.join("venv/bin/python")).filter(|python| python.is_file())
}

const ALL: [&str; 8] = [
    "--source",
    "all",
    "--splits",
    "60,20,20",
    "--configs",
    "default,sft,chat,rl,contrast",
    "--hold-out",
    "scalar_param",
];

#[test]
fn all_readers_read_all_configs_in_all_formats() {
    let Some(python) = python() else {
        return skip_judged("the readers are not installed; scripts/install-readers.sh does it");
    };
    let folder = tempfile::tempdir().unwrap();
    for format in ["parquet", "jsonl", "jsonl.zst"] {
        succeed(folder.path(), &[&ALL[..], &["--format", format, "--count", "156", "--output", format]].concat());
        let programs = format!("programs/{format}");
        let what = ["--source", "synth", "--count", "52", "--splits", "60,20,20", "--configs", "default,rl"];
        succeed(folder.path(), &[&what[..], &["--rl-programs", "--format", format, "--output", &programs]].concat());
    }
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers.py"))
        .args([folder.path(), &checkout().join("docs/schema")])
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An object store with a bucket `weft`. Dropping it ends the server.
#[cfg(feature = "object-store")]
struct Cloud {
    server: std::process::Child,
    /// The environment variables that give `gen-dataset` its address and keys.
    variables: Vec<(&'static str, String)>,
}

#[cfg(feature = "object-store")]
impl Cloud {
    /// Starts the server for URLs with `scheme`.
    fn start(python: &Path, scheme: &str) -> Cloud {
        use std::io::{BufRead, BufReader};
        use std::net::TcpListener;
        use std::process::Stdio;

        let free = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = free.local_addr().unwrap();
        drop(free);
        let mut server = Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clouds.py"))
            .args([scheme, &address.port().to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "ready"), "the server for `{scheme}://` does not start");
        let variables = match scheme {
            "s3" => vec![
                ("AWS_ENDPOINT_URL", format!("http://{address}")),
                ("AWS_ALLOW_HTTP", "true".to_owned()),
                ("AWS_REGION", "us-east-1".to_owned()),
                ("AWS_ACCESS_KEY_ID", "weft".to_owned()),
                ("AWS_SECRET_ACCESS_KEY", "weft".to_owned()),
            ],
            "gs" => {
                let account = serde_json::json!({
                    "private_key": "", "private_key_id": "", "client_email": "", "disable_oauth": true,
                    "gcs_base_url": format!("http://{address}"),
                });
                vec![("GOOGLE_SERVICE_ACCOUNT_KEY", account.to_string()), ("GOOGLE_ALLOW_HTTP", "true".to_owned())]
            }
            _ => vec![
                ("AZURE_STORAGE_USE_EMULATOR", "true".to_owned()),
                ("AZURITE_BLOB_STORAGE_URL", format!("http://{address}")),
                ("AZURE_STORAGE_ACCOUNT_NAME", "weft".to_owned()),
                ("AZURE_STORAGE_ACCOUNT_KEY", "d2VmdA==".to_owned()),
            ],
        };
        Cloud { server, variables }
    }

    /// Runs `gen-dataset` with the server's address and keys in the environment.
    fn gen_dataset(&self, folder: &Path, args: &[&str]) -> std::process::Output {
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command(folder, args).envs(variables).output().expect("the program was built")
    }
}

#[cfg(feature = "object-store")]
impl Drop for Cloud {
    fn drop(&mut self) {
        // The server may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A run in an object store has the same bytes as one in a folder, and a missing object is reported in one line.
#[cfg(feature = "object-store")]
fn a_run_is_that_of_a_folder(scheme: &str) {
    let Some(python) = python() else {
        return skip_judged("the readers are not installed; scripts/install-readers.sh does it");
    };
    let folder = tempfile::tempdir().unwrap();
    let cloud = Cloud::start(&python, scheme);
    let done = |args: &[&str]| {
        let output = cloud.gen_dataset(folder.path(), args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let there = &format!("{scheme}://weft/runs/one");
    for place in [there, "local"] {
        let what = ["--source", "synth", "--family", "math", "--count", "24", "--partitions", "4"];
        done(&[&["plan"], &what[..], &["--output", place]].concat());
        done(&["run", place, "--shard-index", "1", "--num-shards", "2"]);
    }
    let status: serde_json::Value = serde_json::from_str(&done(&["status", "--json", there])).unwrap();
    assert_eq!((&status["done"], &status["missing"]), (&2.into(), &serde_json::json!([0, 2])));
    for (place, dataset) in [(there.as_str(), "from_cloud"), ("local", "from_folder")] {
        done(&["run", place]);
        done(&["finalize", place, "--output", dataset]);
    }
    let data = |dataset: &str| fs::read(folder.path().join(dataset).join("data/default/train-00000-of-00001.jsonl"));
    assert!(data("from_cloud").unwrap() == data("from_folder").unwrap());
    let nobodys = &format!("{scheme}://nobodys/run");
    let failed = cloud.gen_dataset(folder.path(), &["status", nobodys]);
    let words = String::from_utf8(failed.stderr).unwrap();
    assert!(!failed.status.success() && words.trim_end().lines().count() == 1, "{words}");
    assert!(words.contains(nobodys), "{words}");
}

#[cfg(feature = "object-store")]
#[test]
fn a_run_in_s3_is_that_of_a_folder() {
    a_run_is_that_of_a_folder("s3");
}

#[cfg(feature = "object-store")]
#[test]
fn a_run_in_google_cloud_storage_is_that_of_a_folder() {
    a_run_is_that_of_a_folder("gs");
}

#[cfg(feature = "object-store")]
#[test]
fn a_run_in_azure_is_that_of_a_folder() {
    a_run_is_that_of_a_folder("az");
}

#[test]
fn the_tests_of_rl_pass_the_right_answer_and_fail_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["--source", "synth", "--count", "13", "--configs", "default,sft,rl", "--rl-programs"]);
    let rows = |config: &str| -> Vec<serde_json::Value> {
        let file = folder.path().join(format!("dataset/data/{config}/train-00000-of-00001.jsonl"));
        fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let answers = rows("sft");
    let (mut run, mut by_rote) = (0, 0);
    for row in rows("rl").iter().take(6) {
        let same = |other: &&serde_json::Value| other["id"] == row["id"] && other["task"] == row["task"];
        let answer = answers.iter().find(same).unwrap()["completion"].as_str().unwrap();
        let answer = answer.strip_prefix("```cuda\n").unwrap().strip_suffix("\n```").unwrap();
        let verdict = |answer: &str| {
            let work = tempfile::tempdir().unwrap();
            fs::write(work.path().join("answer.cu"), answer).unwrap();
            fs::write(work.path().join("test.cu"), row["test"].as_str().unwrap()).unwrap();
            let shell = |command: &str| {
                let mut words = command.split(' ');
                let program = words.next().unwrap();
                Command::new(program).args(words).current_dir(work.path()).output().ok()
            };
            let built = shell(row["host_build_command"].as_str().unwrap())?;
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            shell(row["test_command"].as_str().unwrap())?.status.code()
        };
        let Some(status) = verdict(answer) else { return skip_judged("no g++ on this machine") };
        assert_eq!(status, 0, "{row}");
        let (before, entry) = answer.split_once("extern \"C\" __global__").unwrap();
        let (signature, _) = entry.split_once(") {\n").unwrap();
        let with_body = |body: &str| format!("{before}extern \"C\" __global__{signature}) {{\n{body}");
        assert_eq!(verdict(&with_body("}\n")), Some(1), "an empty kernel is no answer to {row}");
        run += 1;
        let sizes = row["launches"].as_array().unwrap();
        if sizes.len() > 1 && signature.contains("index_t dim\n") {
            let body = &entry[signature.len() + ") {\n".len()..];
            let one_size = with_body(&format!("    if (dim != {}) return;\n{body}", sizes[0][0]));
            assert_eq!(verdict(&one_size), Some(1), "an answer for one size is no answer to {row}");
            by_rote += 1;
        }
    }
    assert!(run > 0 && by_rote > 0, "{by_rote} of {run} know one size only");
}
