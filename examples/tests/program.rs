//! The program, and the commands of the guide.

use examples::EXAMPLES;
use std::path::Path;
use std::process::{Command, Output};

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft-examples")).args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

/// The line on standard error of a program that fails.
fn error(arguments: &[&str]) -> String {
    let output = program(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    text(&output.stderr).to_owned()
}

/// The guide's page of examples.
fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/examples.md");
    std::fs::read_to_string(path).expect("the page is there")
}

#[test]
fn every_command_of_the_guide_writes_its_picture() {
    let page = page();
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().to_str().expect("the path is text");
    let commands =
        page.split("cargo run --release -p examples -- ").skip(1).filter_map(|rest| rest.split(['`', '\n']).next());
    let names: Vec<&str> = commands.filter(|command| !command.contains(' ')).collect();
    for example in &EXAMPLES {
        assert!(names.contains(&example.name), "the guide has no command for {}", example.name);
        let size = example.sizes.start().to_string();
        let output = program(&[example.name, "--size", &size, "--output", output]);
        assert!(output.status.success(), "{output:?}");
        assert!(text(&output.stdout).starts_with(&format!("{}: {}", example.name, example.about)), "{output:?}");
        let file = std::fs::File::open(folder.path().join(example.name).with_extension("png")).unwrap();
        let (width, height) = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap().info().size();
        assert!(width > 0 && height > 0);
    }
}

#[test]
fn the_list_has_every_example() {
    let output = program(&["list"]);
    let names: Vec<&str> = text(&output.stdout).lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, EXAMPLES.each_ref().map(|example| example.name));
    assert!(text(&program(&["--help"]).stdout).contains("cargo run --release -p examples -- cloth"));
}

#[test]
fn mistakes_say_what_to_do() {
    let unknown = error(&["clot"]);
    assert!(EXAMPLES.iter().all(|example| unknown.contains(example.name)) && unknown.contains("list"), "{unknown}");
    assert!(unknown.contains("a similar value exists: 'cloth'"), "{unknown}");
    assert_eq!(error(&["heat", "--size", "3"]), "error: `heat` takes --size 12 to 500 (cells along an edge), not 3\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    let denied = error(&["mlp", "--output", file.path().to_str().unwrap()]);
    assert!(denied.starts_with("error: the folder ") && denied.lines().count() == 1, "{denied}");
}
