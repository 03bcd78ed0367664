//! Tests the command lines in the documentation by parsing: every program, subcommand, flag, script, package and test
//! must exist. `tests/documented` also runs whole command lines.

mod pages;

use super::Cli;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use pages::{pages, root};
use std::fs;
use std::path::{Path, PathBuf};

/// The flags of cargo in the documentation.
const CARGO_FLAGS: [&str; 5] = ["--release", "--features", "--nocapture", "--locked", "--path"];

/// The commands in a line of shell, as words. A placeholder becomes 1.
fn commands(line: &str) -> Vec<Vec<String>> {
    let line = line.split(" #").next().unwrap_or_default();
    let parts = line.split(['|', ';', '>', '&', '\'']).filter(|part| !part.trim_start().starts_with('#'));
    let words = |part: &str| -> Vec<String> {
        let words = part.split_whitespace().map(|word| word.trim_matches('"'));
        words.map(|word| if word == "{}" || word.starts_with('$') { "1" } else { word }.to_owned()).collect()
    };
    parts.map(words).collect()
}

/// Whether a command is valid, or its fault.
type Verdict = Result<(), String>;

/// Checks a command. `None` if it is not ours. In a sentence, arguments may be left out.
fn verdict(words: &[String], is_whole: bool) -> Option<Verdict> {
    let at = |name: &str| words.iter().position(|word| word == name);
    if let Some(cargo) = at("cargo").filter(|cargo| words[..*cargo].iter().all(|word| word.contains('='))) {
        return Some(of_cargo(&words[cargo + 1..], is_whole));
    }
    let script = words.iter().position(|word| word.starts_with("scripts/") || word.ends_with("warp_judge.py"));
    if let Some(script) = script {
        return Some(of_script(&words[script], &words[script + 1..]));
    }
    if let Some(tool) = at("gen-dataset") {
        return Some(of_tool(&words[tool..], is_whole));
    }
    // A subcommand of this tool without the program name, such as `validate --judges all`.
    let cli = Cli::command();
    let verb = words.first().and_then(|word| cli.find_subcommand(word))?;
    let known =
        |flag: &str| flag == "--help" || verb.get_arguments().any(|arg| arg.get_long() == flag.strip_prefix("--"));
    Some(unless(flags(words).find(|flag| !known(flag)), |flag| format!("`{}` has no `{flag}`", verb.get_name())))
}

/// An error with the text of `why`, if there is `something`.
fn unless<T>(something: Option<T>, why: impl FnOnce(T) -> String) -> Verdict {
    something.map_or(Ok(()), |something| Err(why(something)))
}

fn flags(words: &[String]) -> impl Iterator<Item = &str> {
    words
        .iter()
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(|word| word.split('=').next().unwrap_or(word))
}

fn of_tool(words: &[String], is_whole: bool) -> Verdict {
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => Ok(()),
        Err(error) if !is_whole && error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
        Err(error) => Err(super::one_line(&error)),
    }
}

fn of_script(name: &str, arguments: &[String]) -> Verdict {
    let Ok(text) = fs::read_to_string(root().join(name)) else { return Err(format!("there is no `{name}`")) };
    unless(flags(arguments).find(|flag| !text.contains(flag)), |flag| format!("`{name}` has no `{flag}`"))
}

fn of_cargo(words: &[String], is_whole: bool) -> Verdict {
    let (ours, theirs) = match words.iter().position(|word| word == "--") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None => (words, &[][..]),
    };
    let after = |flag: &str| ours.iter().position(|word| word == flag).and_then(|place| ours.get(place + 1));
    let package = after("-p").map_or("gen-dataset", String::as_str);
    let Some(folder) = folder_of(package) else { return Err(format!("there is no package `{package}`")) };
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (flag, inside) in [("--test", "tests"), ("--bench", "benches"), ("--example", "examples")] {
        if let Some(target) = after(flag) {
            let there =
                [format!("{target}.rs"), format!("{target}/main.rs")].map(|file| folder.join(inside).join(file));
            if !there.iter().any(|file| file.is_file()) && !manifest.contains(&format!("name = \"{target}\"")) {
                return Err(format!("`{package}` has no `{flag} {target}`"));
            }
        }
    }
    if let Some(feature) = after("--features") {
        let has = |folder: PathBuf| {
            fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains(&format!("\n{feature} = [")))
        };
        if !members().into_iter().any(has) {
            return Err(format!("no package has the feature `{feature}`"));
        }
    }
    let takes_one = ["-p", "--test", "--bench", "--example", "--features"];
    if let Some(flag) = flags(ours).find(|flag| !takes_one.contains(flag) && !CARGO_FLAGS.contains(flag)) {
        return Err(format!("does cargo have `{flag}`?"));
    }
    if ours.first().is_some_and(|verb| verb == "test") {
        let filters = ours
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(place, word)| !word.starts_with('-') && !takes_one.contains(&ours[place - 1].as_str()));
        let gone =
            filters.map(|(_, filter)| filter).find(|filter| !any_source(&folder, &|text| text.contains(*filter)));
        return unless(gone, |filter| format!("no test of `{package}` has `{filter}` in its name"));
    }
    match package == "gen-dataset" && ours.first().is_some_and(|verb| verb == "run") {
        true => of_tool(&[&["gen-dataset".to_owned()], theirs].concat(), is_whole),
        false => Ok(()),
    }
}

/// The folders of the workspace's packages.
fn members() -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, list) = manifest.split_once("members = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split(',').map(|name| root().join(name.trim().trim_matches('"'))).collect()
}

fn folder_of(package: &str) -> Option<PathBuf> {
    let has_name = |folder: &PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        manifest.contains(&format!("[package]\nname = \"{package}\"\n"))
    };
    members().into_iter().find(has_name)
}

/// Whether `is_it` holds for the text of a Rust file below `folder`.
fn any_source(folder: &Path, is_it: &dyn Fn(&str) -> bool) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let is_it_here = || fs::read_to_string(&path).is_ok_and(|text| is_it(&text));
        (path.is_dir() && any_source(&path, is_it)) || (is_rust && (is_it_here() || is_it(&path.display().to_string())))
    })
}

#[test]
fn every_command_of_the_documentation_names_what_there_is() {
    let (mut seen, mut mistakes) = (0, Vec::new());
    let mut check = |place: &str, line: &str, is_whole: bool| {
        for verdict in commands(line).iter().filter_map(|words| verdict(words, is_whole)) {
            seen += 1;
            mistakes.extend(verdict.err().map(|why| format!("{place}: `{line}`: {why}")));
        }
    };
    for page in pages() {
        let blocks = page.blocks().into_iter().filter(|block| block.language == "sh");
        blocks.flat_map(|block| block.lines()).for_each(|line| check(&page.path, &line, true));
        page.spans().iter().for_each(|span| check(&page.path, span, false));
    }
    let cli = Cli::command();
    for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = help.replace("\\\n", " ");
        let examples = examples.lines().filter_map(|line| line.strip_prefix("  "));
        // In an example, a comment follows after several spaces.
        let examples = examples.map(|line| line.split("   ").next().unwrap_or(line));
        examples.filter(|line| line.contains("gen-dataset ")).for_each(|line| check(command.get_name(), line, true));
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(seen > 100, "only {seen} commands were found");
}

#[test]
fn what_is_not_there_is_found() {
    for (line, why) in [
        ("gen-dataset validate DIR --juges all", "--juges"),
        ("gen-dataset frobnicate", "frobnicate"),
        ("validate --juges all", "`validate` has no `--juges`"),
        ("cargo test -p test judges", "no package `test`"),
        ("cargo bench -p tests --bench gpu", "no `--bench gpu`"),
        ("cargo test -p tests no_such_", "`no_such_` in its name"),
        ("cargo test --features gpu", "no package has the feature `gpu`"),
        ("cargo run --release -p gen-dataset -- show", "<ID|KERNEL|SEED:INDEX>"),
        ("scripts/install.sh", "there is no `scripts/install.sh`"),
        ("scripts/install-judges.sh --all-of-them", "has no `--all-of-them`"),
        ("pip install warp-lang; python warp_judge.py DATASET", "there is no `warp_judge.py`"),
        ("python judges/warp_judge.py DATASET --jsn x", "has no `--jsn`"),
    ] {
        let verdicts = commands(line).into_iter().filter_map(|words| verdict(&words, true));
        let found: Vec<String> = verdicts.filter_map(Result::err).collect();
        assert!(found.len() == 1 && found[0].contains(why), "{line}: {found:?}");
    }
}
