//! Tests as data: what each stage of the compiler makes of the texts in `tests/data`. Its README says how to add one.

use expect_test::expect_file;
use kernel_ir::analysis::{Execution, Lockstep};
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::back::rust::GroupNames;
use kernel_ir::back::{python, rust, wgsl};
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_ir::{adjoint, front, text};
use std::collections::HashSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// A stage of the compiler, tested by the cases of one folder.
struct Stage {
    folder: &'static str,
    /// The ending of the files with the inputs.
    input: &'static str,
    /// What the stage makes of an input, by the ending of the file beside it.
    outputs: &'static [Output],
}

/// The ending of an output, and what makes it of an input.
type Output = (&'static str, fn(&str) -> String);

const STAGES: [Stage; 12] = [
    Stage { folder: "front", input: "rs", outputs: &[("kir", lowered)] },
    Stage { folder: "front/files", input: "rs", outputs: &[("kir", lowered_file)] },
    Stage { folder: "front/mistakes", input: "rs", outputs: &[("txt", diagnostics)] },
    Stage { folder: "verify", input: "kir", outputs: &[("txt", mistakes)] },
    Stage { folder: "adjoint", input: "kir", outputs: &[("backward.kir", backward)] },
    Stage {
        folder: "back/c",
        input: "kir",
        outputs: &[
            ("cu", |source| c::write(&kernel(source), Dialect::Cuda)),
            ("cpp", |source| c::write(&kernel(source), Dialect::Cpp)),
        ],
    },
    Stage {
        folder: "back/checked",
        input: "kir",
        outputs: &[("cu", |source| c::write_checked(&kernel(source))), ("wgsl", checked_shader)],
    },
    Stage { folder: "back/hip", input: "kir", outputs: &[("hip", |source| c::write(&kernel(source), Dialect::Hip))] },
    Stage { folder: "back/python", input: "kir", outputs: &[("py", |source| python::write(&kernel(source)))] },
    Stage {
        folder: "back/rust",
        input: "kir",
        outputs: &[
            ("rs", |source| rust::write(&kernel(source))),
            ("body.rs", |source| rust::write_body(&kernel(source))),
        ],
    },
    Stage { folder: "back/wgsl", input: "kir", outputs: &[("wgsl", shader)] },
    Stage { folder: "back/rust/lockstep", input: "kir", outputs: &[("body.rs", group)] },
];

/// Reads a kernel in the text form.
fn kernel(source: &str) -> VerifiedKernel {
    let kernel = text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    verify(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{source}"))
}

/// The WGSL of a kernel, or the reason why it has none.
fn shader(source: &str) -> String {
    wgsl::write(&kernel(source)).unwrap_or_else(|why| format!("WGSL has no {why}\n"))
}

/// The bounds-checked WGSL of a kernel, or the reason why it has none.
fn checked_shader(source: &str) -> String {
    wgsl::write_checked(&kernel(source)).unwrap_or_else(|why| format!("WGSL has no {why}\n"))
}

/// Compiles a kernel in Rust.
fn compile(source: &str) -> front::Compiled {
    let attr = "family = \"test\"".parse().expect("the attribute is Rust tokens");
    front::compile(attr, source.parse().expect("the source is Rust tokens"))
}

/// The IR of a kernel in Rust.
fn lowered(source: &str) -> String {
    let kernel = compile(source).kernel.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{source}"));
    let text = text::print(kernel.with_tiles());
    assert_eq!(text::parse(&text).as_ref(), Ok(kernel.with_tiles()), "the text form does not come back:\n{text}");
    text
}

/// The IR of a kernel in Rust, with device functions before it.
fn lowered_file(source: &str) -> String {
    let kernel = front::compile_file(source.parse().expect("the source is Rust tokens"))
        .unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{source}"));
    let text = text::print(kernel.with_tiles());
    assert_eq!(text::parse(&text).as_ref(), Ok(kernel.with_tiles()), "the text form does not come back:\n{text}");
    text
}

/// The mistakes in a kernel in Rust: for each the tokens it points at, the message, and note and help below.
fn diagnostics(source: &str) -> String {
    let compiled = compile(source);
    let diagnostics = compiled.kernel.err().unwrap_or_else(|| panic!("there is no mistake in\n{source}"));
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let at = compiled.spans.get(diagnostic.span).source_text().unwrap_or_default();
        shown += &format!("{at}\n  {}\n", diagnostic.message);
        if let Some((span, label)) = diagnostic.related {
            shown += &format!("  {label}: {}\n", compiled.spans.get(span).source_text().unwrap_or_default());
        }
        for (kind, line) in [("note", diagnostic.note), ("help", diagnostic.help)] {
            shown += &line.map(|line| format!("  {kind}: {line}\n")).unwrap_or_default();
        }
    }
    shown
}

/// The mistakes in a kernel in the text form, a line each.
fn mistakes(source: &str) -> String {
    let kernel = text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    match verify(kernel) {
        Ok(_) => "sound\n".to_owned(),
        Err(mistakes) => mistakes.into_iter().map(|mistake| mistake.message + "\n").collect(),
    }
}

/// The adjoint of a kernel, or the reasons why it has none.
fn backward(source: &str) -> String {
    match adjoint::backward(&kernel(source)) {
        Ok(backward) => text::print(backward.kernel.with_tiles()),
        Err(mistakes) => mistakes.into_iter().map(|mistake| mistake.message + "\n").collect(),
    }
}

/// The body of a kernel for a group of 64 threads in lockstep.
fn group(source: &str) -> String {
    let kernel = kernel(source);
    let lockstep = Lockstep::of(&kernel, &Execution::of(&kernel)).expect("the kernel runs in lockstep");
    let names = GroupNames { lane: "lane", head: "let tid2 = || all(lane);", lanes: 64, lanes_at_run_time: "lanes" };
    rust::write_group(&kernel, &lockstep, names)
}

/// The cases of a file: their names and sources. A file without headers is one case.
fn cases(file: &str) -> Vec<(&str, String)> {
    let mut parts = file.split("//- ");
    let template = parts.next().unwrap_or_default();
    let case = |case| {
        let (name, source) = str::split_once(case, '\n').expect("a line below the header");
        let source = if template.is_empty() { source.to_owned() } else { template.replace("...", source.trim()) };
        (name, source)
    };
    let cases: Vec<(&str, String)> = parts.map(case).collect();
    if cases.is_empty() { vec![("", file.to_owned())] } else { cases }
}

/// The outputs for the cases of a file, each under the name of its case.
fn outputs(file: &str, ending: &str, run: fn(&str) -> String) -> String {
    let mark = if ending == "py" { "#- " } else { "//- " };
    let output = |(name, source): &(&str, String)| match *name {
        "" => run(source),
        name => [mark, name, "\n", run(source).trim_end(), "\n"].concat(),
    };
    cases(file).iter().map(output).collect::<Vec<_>>().join("\n")
}

/// The files in a folder, and in those inside it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn every_case_gives_what_stands_beside_it() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let (mut known, mut differ) = (HashSet::from([data.join("README.md")]), Vec::new());
    let all = files(&data);
    for path in &all {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
            continue;
        };
        let is_of = |stage: &&Stage| data.join(stage.folder) == folder;
        let Some(stage) = STAGES.iter().find(is_of) else { continue };
        // Outputs have an ending of their own, or one more.
        let Some((name, _)) = name.split_once('.').filter(|(_, ending)| *ending == stage.input) else { continue };
        let file = fs::read_to_string(path).expect("a case is text");
        known.insert(path.clone());
        for (ending, run) in stage.outputs {
            let beside = folder.join(format!("{name}.{ending}"));
            if catch_unwind(|| expect_file![&beside].assert_eq(&outputs(&file, ending, *run))).is_err() {
                differ.push(beside.clone());
            }
            known.insert(beside);
        }
    }
    assert!(differ.is_empty(), "not as expected: {differ:#?}");
    let strays: Vec<&PathBuf> = all.iter().filter(|path| !known.contains(*path)).collect();
    assert!(strays.is_empty(), "neither a case nor an output of one: {strays:#?}");
}
