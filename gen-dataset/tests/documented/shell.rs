//! A folder with a shell that finds this build, and stand-ins for the programs of clusters.

use super::pages::root;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The largest `--count` of a line, without and with judges, which take seconds for each record.
const MOST: u64 = 6;
const MOST_JUDGED: u64 = 2;

/// The command that runs the tool in a checkout.
const FROM_CHECKOUT: &str = "cargo run --release -p gen-dataset";

/// The folder of the readers or judges, if one of our scripts has filled it.
pub(super) fn installed(variable: &str, folder: &str) -> Option<PathBuf> {
    let folder = env::var_os(variable).map_or(root().join(folder), PathBuf::from);
    Some(folder).filter(|folder| folder.join("venv/bin/python").is_file())
}

/// A line of the documentation without its comment, with single spaces.
pub(super) fn without_comment(line: &str) -> String {
    let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a command line needs the judges; g++ is one of them, and Python is beside them.
pub(super) fn asks_judges(command: &str) -> bool {
    const WORDS: [&str; 8] = [
        "--judges",
        "--ptx",
        "doctor --require",
        "warp_judge.py",
        ".judges/",
        "check-programs.sh",
        "gen-dataset score ",
        "replay.py",
    ];
    let asks = WORDS.iter().any(|word| command.contains(word));
    asks && !command.contains("--judges none")
}

/// The command lines to run for a line of the documentation: with this build, few records, and, for the line of one
/// worker, once for each worker.
pub(super) fn commands(command: &str) -> Vec<String> {
    let command = command.replace(&format!("{FROM_CHECKOUT} -- "), "gen-dataset ");
    let command = command.replace(FROM_CHECKOUT, "gen-dataset");
    of_all_workers(&with_few_records(&command))
}

fn with_few_records(command: &str) -> String {
    let most = if asks_judges(command) { MOST_JUDGED } else { MOST };
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let Some(tool) = words.iter().position(|word| word == "gen-dataset") else { return command.to_owned() };
    let options = match words.get(tool + 1).map(String::as_str) {
        Some("generate" | "plan") => tool + 2,
        Some(option) if !option.starts_with("--") => return command.to_owned(),
        _ => tool + 1,
    };
    match words.iter().position(|word| word == "--count") {
        Some(at) => {
            let count: u64 = words[at + 1].parse().expect("a count is a number");
            words[at + 1] = count.min(most).to_string();
        }
        None => drop(words.splice(options..options, ["--count".to_owned(), most.to_string()])),
    }
    words.join(" ")
}

fn of_all_workers(command: &str) -> Vec<String> {
    let one = "--shard-index 0 --num-shards ";
    let Some((_, rest)) = command.split_once(one) else { return vec![command.to_owned()] };
    let workers: u32 = rest.split(' ').next().unwrap_or_default().parse().expect("the workers are a number");
    let of = |worker| command.replace(one, &format!("--shard-index {worker} --num-shards "));
    (0..workers).map(of).collect()
}

/// A folder that looks like a checkout to the command lines.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let judges = installed("WEFT_JUDGES", ".judges").map(|judges| (judges, ".judges"));
        let ours = ["scripts", "judges"].map(|name| (root().join(name), name));
        for (from, name) in ours.into_iter().chain(judges) {
            symlink(from, folder.path().join(name)).unwrap();
        }
        fs::create_dir(folder.path().join("shared")).unwrap();
        // A copy: a line may write to the folder.
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::copy(root().join("docs/replay.py"), folder.path().join("docs/replay.py")).unwrap();
        Place(folder)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The text with the shared folder or bucket of a cluster, and the home folder, replaced by folders here.
    pub(super) fn here(&self, text: &str) -> String {
        let folder = |name: &str| self.path().join(name).to_str().expect("the path is text").to_owned();
        let (shared, home) = (folder("shared"), folder("home/"));
        text.replace("/shared", &shared).replace("s3://bucket", &shared).replace("~/", &home)
    }

    /// Runs a program in the folder.
    ///
    /// # Errors
    /// The output of the program, if it fails.
    pub(super) fn run(&self, program: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Result<String, String> {
        let output = self.command(program).args(arguments).envs(variables.iter().copied()).output().unwrap();
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Runs a line of shell in the folder.
    ///
    /// # Errors
    /// The output of the line, if it fails.
    pub(super) fn shell(&self, command: &str) -> Result<String, String> {
        self.run(Path::new("bash"), &["-o", "pipefail", "-c", &self.here(command)], &[])
    }

    /// A command that finds this build and the stand-ins.
    pub(super) fn command(&self, program: &Path) -> Command {
        let stand_ins = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documented/stand_ins");
        let tool = Path::new(env!("CARGO_BIN_EXE_gen-dataset")).parent().unwrap().to_owned();
        let judges = installed("WEFT_JUDGES", ".judges").map(|folder| folder.join("venv/bin"));
        let others = env::var_os("PATH").unwrap_or_default();
        let path = [stand_ins.clone(), tool].into_iter().chain(judges).chain(env::split_paths(&others));
        let mut command = Command::new(program);
        command.current_dir(self.path()).env("PATH", env::join_paths(path).unwrap()).env("PYTHONPATH", stand_ins);
        // Python must not write byte code beside the stand-ins.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}
