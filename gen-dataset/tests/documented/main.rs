//! Runs the documentation: every command line in README, CONTRIBUTING and `docs/`. Every recipe for many machines must
//! give the same run as one worker.
//!
//! The lines of a block run in a folder of their own. Command lines in sentences share a folder in which `DIR` and
//! `DATASET` are a dataset. `elsewhere.rs` lists the lines that cannot run here.

#[path = "../common/mod.rs"]
mod common;
mod elsewhere;
#[path = "../../src/cli/documented/pages.rs"]
mod pages;
mod recipes;
mod shell;

use common::skip_judged;
use elsewhere::{is_elsewhere, stale};
use pages::{Block, pages};
use shell::{Place, asks_judges, commands, installed, without_comment};

/// The command lines of a block.
fn lines(block: &Block) -> Vec<String> {
    block.lines().iter().map(|line| without_comment(line)).filter(|line| !line.is_empty()).collect()
}

/// Whether a code span in a sentence is a command line, and not the name of a program or subcommand.
fn is_line(span: &str) -> bool {
    let words: Vec<&str> = span.split(' ').skip_while(|word| word.contains('=')).collect();
    match words[..] {
        ["gen-dataset", verb, ..] => words.len() > 2 || verb.starts_with("--"),
        ["cargo" | "python", _, ..] => true,
        [program, ..] => program.starts_with("scripts/"),
        [] => false,
    }
}

/// The parts of the documentation with command lines: the name of the page, and lines that depend on each other.
fn parts() -> Vec<(String, Vec<String>)> {
    let mut parts = Vec::new();
    let mut in_sentences: Vec<String> = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            match block.language.as_str() {
                _ if recipes::is_recipe(&block) => {}
                "sh" => parts.push((page.path.clone(), lines(&block))),
                // `guide.rs`, `waves.rs` and `wgsl.rs` of the tests compare these blocks with the output of programs.
                "rust" | "cuda" | "wgsl" | "toml" | "text" => {}
                // The tests of the arrays of other libraries, in `kernel-rt/tests/interop`, and those in `score.rs` run these.
                "python" if ["docs/guide/interop.md", "docs/guide/scoring.md"].contains(&page.path.as_str()) => {}
                language => panic!("{}: nothing runs the block in `{language}`:\n{}", page.path, block.text),
            }
        }
        for span in page.spans().into_iter().filter(|span| is_line(span)) {
            if !in_sentences.contains(&span) {
                in_sentences.push(span);
            }
        }
    }
    parts.push(("a sentence".to_owned(), in_sentences));
    parts
}

#[test]
fn every_command_line_runs() {
    let has_judges = installed("WEFT_JUDGES", ".judges").is_some();
    let mut wrong = Vec::new();
    for (page, lines) in parts() {
        let place = Place::new();
        place.shell("gen-dataset --count 2 --output DIR && ln -s DIR DATASET").unwrap();
        for line in lines.iter().filter(|line| !is_elsewhere(line)) {
            if asks_judges(line) && !has_judges {
                skip_judged(&format!("`{line}`: the judges are not installed; scripts/install-judges.sh does it"));
                continue;
            }
            for command in commands(line) {
                wrong.extend(place.shell(&command).err().map(|why| format!("{page}: `{line}`: {why}")));
            }
        }
    }
    let lines: Vec<String> = parts().into_iter().flat_map(|(_, lines)| lines).collect();
    wrong.extend(stale(&lines));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lines.len() > 60, "only {} command lines were found", lines.len());
}

#[test]
fn what_does_not_work_is_found() {
    let place = Place::new();
    for line in
        ["gen-dataset audit nothing", "gen-dataset frobnicate", "scripts/frobnicate.sh", "gen-dataset stats | cat"]
    {
        assert!(place.shell(line).is_err(), "{line}");
    }
    assert_eq!(commands("cargo run --release -p gen-dataset"), ["gen-dataset --count 6"]);
    assert_eq!(
        commands("gen-dataset plan --judges all --count 3 --output a"),
        ["gen-dataset plan --judges all --count 2 --output a"]
    );
    assert_eq!(commands("gen-dataset run a --shard-index 0 --num-shards 3").len(), 3);
    assert!(
        !is_elsewhere("cargo test --features gpu") && is_elsewhere("N=1 cargo test -p tests --features cuda parity")
    );
    assert!(is_line("N=1 cargo test parity") && is_line("gen-dataset audit DIR") && !is_line("gen-dataset audit"));
    assert!(!stale(&[]).is_empty());
}
