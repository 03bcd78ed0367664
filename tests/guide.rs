//! Tests of the documentation as a book: the summary lists all pages, links have targets, and the guide's output is
//! true.
//!
//! This file checks the blocks that are not Rust: messages of the macro, debugger sessions, lines of a `Cargo.toml`.
//! The Rust blocks of the guide are doc tests in `support.rs`, and `waves.rs` runs the commands of the page on
//! datasets. The blocks of the page of examples are parts of their sources.

use kernel_ir::adjoint::differentiate;
use kernel_ir::front::{Compiled, compile};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;
use tests::skip;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace").to_owned()
}

/// The Markdown files below a folder, with their texts.
fn pages(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("a page is text");
            found.insert(path, text);
        }
    }
    found
}

/// The text of a page of the guide.
fn guide(page: &str) -> String {
    fs::read_to_string(root().join("docs/guide").join(page)).expect("the page is there")
}

/// The fenced blocks of a page: the info string, and the text.
pub(crate) fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split("```").skip(1).step_by(2);
    inside.map(|block| block.split_once('\n').expect("a fence ends its line")).collect()
}

/// The Rust blocks of this `kind`, each with the text block after it: the output of the compiler or a debugger.
fn with_output<'a>(page: &'a str, kind: &str) -> Vec<(&'a str, &'a str)> {
    let blocks = blocks(page);
    let pairs = blocks.windows(2).filter(|pair| pair[0].0 == kind && pair[1].0 == "text");
    pairs.map(|pair| (pair[0].1, pair[1].1)).collect()
}

/// The targets of the links of a page, without links to other sites.
fn links(page: &str) -> Vec<String> {
    let prose: String = page.split("```").step_by(2).collect();
    // Code spans may contain brackets but no links.
    let prose: String = prose.split('`').step_by(2).collect();
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).filter(|target| !target.contains("://")).collect()
}

/// The anchors of the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let prose = page.split("```").step_by(2).flat_map(str::lines);
    let headings = prose.filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|sign| sign.is_alphanumeric() || "-_".contains(*sign)).collect()
    };
    headings.map(name).collect()
}

#[test]
fn the_summary_lists_every_page_once() {
    let docs = root().join("docs");
    let mut unlisted = pages(&docs);
    let summary = unlisted.remove(&docs.join("SUMMARY.md")).expect("there is a summary");
    for link in links(&summary) {
        assert!(unlisted.remove(&docs.join(&link)).is_some(), "`{link}` is no page, or is listed twice");
    }
    let unlisted: Vec<_> = unlisted.keys().collect();
    assert!(unlisted.is_empty(), "docs/SUMMARY.md does not list {unlisted:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages(&root().join("docs"));
    for name in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let path = root().join(name);
        let text = fs::read_to_string(&path).expect("the page is there");
        pages.insert(path, text);
    }
    let (mut seen, mut dead) = (0, String::new());
    for (path, text) in &pages {
        for link in links(text) {
            seen += 1;
            let (file, anchor) = link.split_once('#').map_or((&*link, None), |(file, anchor)| (file, Some(anchor)));
            let target = match file {
                "" => path.clone(),
                file => path.with_file_name(file),
            };
            let has =
                |anchor: &str| fs::read_to_string(&target).is_ok_and(|text| anchors(&text).iter().any(|a| a == anchor));
            if !target.exists() || anchor.is_some_and(|anchor| !has(anchor)) {
                dead += &format!("{}: `{link}`\n", path.display());
            }
        }
    }
    assert!(dead.is_empty(), "these links lead nowhere:\n{dead}");
    assert!(seen > 60, "only {seen} links were found");
}

/// The files and folders below a folder, by their paths in it, without what is built or hidden.
fn paths(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            paths(&path, found);
        }
        found.push(path);
    }
}

#[test]
fn files_of_the_source_that_are_named_exist() {
    let mut files = Vec::new();
    paths(&root(), &mut files);
    let (mut seen, mut dead) = (0, String::new());
    for page in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = fs::read_to_string(root().join(page)).expect("the page is there");
        for span in text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2)) {
            let is_source = [".rs", ".py", ".sh", "/"].iter().any(|end| span.ends_with(end));
            // `../device.rs` and `<folder>/mod.rs` are names in a context, and `/tmp/x/` is no file of ours.
            let is_plain = span.starts_with(char::is_alphanumeric) && !span.contains([' ', '<', '*', '{', '$']);
            if span.contains('/') && is_source && is_plain {
                seen += 1;
                if !files.iter().any(|file| file.ends_with(span)) {
                    dead += &format!("{page}: `{span}`\n");
                }
            }
        }
    }
    assert!(dead.is_empty(), "these files are named and do not exist:\n{dead}");
    assert!(seen > 100, "only {seen} names were found");
}

#[test]
fn every_page_of_the_guide_is_a_doc_test() {
    for (path, text) in pages(&root().join("docs/guide")) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("the name is text");
        if name == "examples.md" {
            continue; // `the_examples_are_shown_as_they_are` checks it.
        }
        assert!(include_str!("support.rs").contains(&format!("\"{name}\"")), "support.rs does not name `{name}`");
        for (info, block) in blocks(&text) {
            let is_tested = match info {
                "rust" | "rust,compile_fail" | "rust,no_run" | "sh" | "toml" => true,
                // kernel-rt/tests/interop/python.rs and gen-dataset/tests/score.rs run these.
                "python" => ["interop.md", "scoring.md"].contains(&name),
                "text" => ["errors.md", "language.md", "debugging.md", "your-own-dataset.md"].contains(&name),
                _ => false,
            };
            assert!(is_tested, "{name}: nothing runs the block in `{info}`:\n{block}");
        }
    }
}

#[test]
fn the_examples_are_shown_as_they_are() {
    let folder = root().join("examples/src");
    let source = |name: &str| fs::read_to_string(folder.join(name).with_extension("rs")).expect("the module is there");
    let (page, descent, mut bytes) = (guide("examples.md"), source("descent"), 0);
    let mut shown = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let picture = section.split_once("](examples/").and_then(|(_, rest)| rest.split_once(".png)"));
        let (name, _) = picture.unwrap_or_else(|| panic!("a section has no picture:\n{section}"));
        let source = source(name);
        let blocks = blocks(section);
        assert!(!blocks.is_empty(), "`{name}` shows no kernel");
        for (info, block) in blocks {
            assert_eq!(info, "rust", "{name}: nothing checks this block:\n{block}");
            assert!(
                source.contains(block) || descent.contains(block),
                "examples/src/{name}.rs does not have this block as it stands in the guide:\n{block}"
            );
        }
        assert!(section.contains(&format!("`cargo run --release -p examples -- {name}`")), "`{name}` has no command");
        let file = fs::read(root().join("docs/guide/examples").join(name).with_extension("png"));
        let file = file.unwrap_or_else(|error| panic!("the picture of `{name}`: {error}"));
        assert!(file.starts_with(b"\x89PNG"), "the picture of `{name}` is not in PNG");
        bytes += file.len();
        shown.push(name);
    }
    let pictures = fs::read_dir(root().join("docs/guide/examples")).expect("the folder is there").count();
    // The tests of the examples check that the page has a command for each of them.
    assert_eq!(shown.len(), pictures, "{shown:?}");
    assert!(bytes < 400_000, "the pictures take {bytes} bytes");
}

/// Compiles the kernel of a block, which is the last item.
fn compiled(block: &str) -> Compiled {
    let is_attribute =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.stream().to_string() == "kernel");
    let tokens: TokenStream = block.parse().expect("the block is Rust tokens");
    let item = tokens.into_iter().skip_while(|token| !is_attribute(token)).skip(1).collect();
    compile(TokenStream::new(), item)
}

#[test]
fn the_messages_are_those_of_the_macro() {
    let pages = ["errors.md", "language.md"].map(guide);
    let shown = pages.each_ref().map(|page| with_output(page, "rust,compile_fail"));
    assert_eq!(shown.each_ref().map(Vec::len), [3, 2]);
    for (source, text) in shown.into_iter().flatten() {
        let compiled = compiled(source);
        let mistakes = compiled.kernel.and_then(|kernel| differentiate(&kernel).map(|_| ())).unwrap_err();
        let [mistake] = &mistakes[..] else { panic!("{mistakes:?}") };
        let place = compiled.spans.get(mistake.span).start();
        let line = source.lines().nth(place.line - 1).expect("the place is in the block");
        let mut parts = vec![
            format!("error: {}\n", mistake.message),
            format!(" --> src/main.rs:{}:{}\n", place.line, place.column + 1),
            format!("\n{} | {line}\n", place.line),
        ];
        parts.extend(mistake.help.iter().map(|help| format!("help: {help}\n")));
        parts.extend(mistake.related.iter().map(|(span, label)| {
            let line = compiled.spans.get(*span).start().line;
            format!("line {line}: {label}\n")
        }));
        for part in parts {
            assert!(text.contains(&part), "the page does not show {part:?}:\n{text}");
        }
    }
}

/// The manifest as cargo reads it. Dependencies are not resolved, because those of disabled features may not be
/// available.
fn manifest(path: &Path) -> Value {
    let output = run(Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(path));
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

#[test]
fn dependency_lines_name_crates_and_features_that_exist() {
    let mut seen = 0;
    for (path, text) in pages(&root().join("docs/guide")) {
        for (_, lines) in blocks(&text).into_iter().filter(|(info, _)| *info == "toml") {
            let folder = tempfile::tempdir().expect("a folder");
            let head = "[package]\nname = \"guide\"\nedition = \"2024\"\n\n[workspace]\n\n";
            let lines = lines.replace("../weft", root().to_str().expect("the path is text"));
            fs::create_dir(folder.path().join("src")).expect("the folder can be written");
            fs::write(folder.path().join("src/main.rs"), "fn main() {}\n").expect("the folder can be written");
            let file = folder.path().join("Cargo.toml");
            fs::write(&file, format!("{head}{lines}")).expect("the folder can be written");
            let user = manifest(&file);
            for dependency in user["packages"][0]["dependencies"].as_array().expect("a list") {
                let (name, folder) = (&dependency["name"], dependency["path"].as_str().expect("it has a path"));
                let there = manifest(&Path::new(folder).join("Cargo.toml"));
                let found = there["packages"].as_array().expect("a list").iter().find(|found| found["name"] == *name);
                let found = found.unwrap_or_else(|| panic!("{}: there is no {name} in {folder}", path.display()));
                for feature in dependency["features"].as_array().expect("a list") {
                    let feature = feature.as_str().expect("a name");
                    assert!(found["features"].get(feature).is_some(), "{}: {name} has no `{feature}`", path.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 4, "only {seen} dependencies were found");
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Builds a program with debug information, linked with the runtime of this test.
fn build(source: &str, folder: &Path) -> PathBuf {
    let (main, program) = (folder.join("main.rs"), folder.join("stretch"));
    fs::write(&main, source).expect("the folder can be written");
    let this = env::current_exe().expect("this program has a path");
    let libraries = this.parent().expect("it is in a folder");
    let changed =
        |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let is_runtime = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libkernel_rt-") && name.ends_with(".rlib")
    };
    let files = fs::read_dir(libraries).expect("the folder can be read").map(|entry| entry.expect("a file").path());
    // Older builds may have left libraries that do not fit. The newest one does.
    let mut runtimes: Vec<PathBuf> = files.filter(is_runtime).collect();
    runtimes.sort_by_key(changed);
    let mut words = String::new();
    for runtime in runtimes.iter().rev() {
        let output = run(Command::new("rustc")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["-g", "--edition", "2024", "--crate-name", "stretch"])
            .arg(&main)
            .arg("--extern")
            .arg(format!("kernel_rt={}", runtime.display()))
            .arg("-L")
            .arg(format!("dependency={}", libraries.display()))
            .arg("-o")
            .arg(&program));
        if output.status.success() {
            return program;
        }
        words += &String::from_utf8_lossy(&output.stderr);
    }
    panic!("the program is not compiled with any of {runtimes:?}:\n{words}");
}

#[test]
fn a_debugger_stops_in_a_kernel() {
    if Command::new("gdb").arg("--version").output().is_err() {
        return skip("gdb is not installed");
    }
    let page = guide("debugging.md");
    let sessions = with_output(&page, "rust");
    assert_eq!(sessions.len(), 2);
    for (source, session) in sessions {
        let folder = tempfile::tempdir().expect("a folder");
        let program = build(source, folder.path());
        let mut gdb = Command::new("gdb");
        gdb.args(["-batch", "-nx", "-ex", "set debuginfod enabled off"]);
        for command in session.lines().filter_map(|line| line.strip_prefix("(gdb) ")) {
            gdb.args(["-ex", command]);
        }
        let output = run(gdb.arg(&program));
        let [said, complaints] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        if complaints.contains("ptrace") || complaints.contains("not permitted") {
            return skip("gdb may not start programs here");
        }
        let mut lines = said.lines();
        for expected in session.lines().filter(|line| !line.starts_with("(gdb) ")) {
            let is_there = lines.any(|line| line == expected);
            assert!(is_there, "gdb does not print `{expected}` there:\n{said}\n{complaints}");
        }
    }
}
