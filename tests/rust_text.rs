//! The Rust writer: the front end must compile its text to the same IR, and rustc must accept it.

use expect_test::expect_file;
use kernel_ir::back::rust;
use kernel_ir::front::compile_file;
use kernel_ir::text;
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_rt::{KernelInfo, registered_kernels};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use tests::{checked, report};

/// Compiles the text of a kernel with its device functions.
fn read(source: &str) -> VerifiedKernel {
    let tokens = source.parse().unwrap_or_else(|error| panic!("{error}:\n{source}"));
    compile_file(tokens).unwrap_or_else(|mistakes| panic!("{mistakes:#?}:\n{source}"))
}

#[test]
fn every_kernel_comes_back() {
    let mut failures = Vec::new();
    let kernels = registered_kernels();
    for info in &kernels {
        let kernel = checked(info);
        let source = rust::write(&kernel);
        let again = read(&source);
        let (before, after) = (ordered(&kernel), ordered(&again));
        if before != after {
            failures.push(format!("{source}\n{before}\n{after}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), kernels.len(), failures.join("\n\n"));
    report(&format!("Rust text: {} kernels come back", kernels.len()));
}

/// Builds the texts as one program, each in a module of its own because names repeat, and compares each launch with the
/// interpreter. rustc takes minutes for all texts, so only one of each family is built; `WEFT_ALL_TEXTS=1` builds all.
#[test]
fn rustc_accepts_the_texts() {
    let mut program = MAIN.to_owned();
    let all = std::env::var_os("WEFT_ALL_TEXTS").is_some();
    let mut families = HashSet::new();
    let has_functions = |info: &KernelInfo| info.ir.contains("#[device");
    let chosen =
        registered_kernels().into_iter().filter(|info| families.insert(info.family) || has_functions(info) || all);
    for (number, info) in chosen.enumerate() {
        let source = rust::write(&checked(info));
        program += &format!("\nmod kernel{number} {{\nuse kernel_rt::prelude::*;\n{source}}}\n");
    }
    let body = rust::write_body(&verify(text::parse(GENERATED).expect("it is IR")).expect("it keeps the rules"));
    program += &format!("const GENERATED: &str = r#\"{GENERATED}\"#;\n{THREAD} let tid = || index;\n{body}}}\n");
    run(&program);
}

/// Builds `program` as a package and runs it.
fn run(program: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written_kernels");
    let dependency = |name: &str| format!("{name} = {{ path = {:?} }}\n", root.join(name));
    let manifest = format!(
        "[package]\nname = \"written_kernels\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}{}",
        dependency("kernel-ir"),
        dependency("kernel-rt")
    );
    std::fs::create_dir_all(package.join("src")).expect("the target folder can be written to");
    std::fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("the workspace is locked");
    std::fs::write(package.join("Cargo.toml"), manifest).expect("a manifest is written");
    std::fs::write(package.join("src/main.rs"), program).expect("a program is written");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline"]).current_dir(&package).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const MAIN: &str = r#"
use kernel_ir::verify::verify;
use kernel_ir::data::Data;
use kernel_ir::{columns, interp, sample, text};
use kernel_rt::prelude::*;

fn main() {
    let generated = verify(text::parse(GENERATED).unwrap()).unwrap();
    let args = sample::args(&generated, &[4], 1).unwrap();
    let mut expected = args.clone();
    interp::run_over_std(&generated, &[4], &mut expected).unwrap();
    let (Data::F32(x), Data::F32(out)) = (&args[0].data, &expected[2].data) else { panic!("floats") };
    let mut m = Array2::from_vec([4, 2], vec![Vec3::ZERO; 8]).unwrap();
    let mut found = [0.0; 4];
    (0..4).for_each(|index| thread(index, x, &mut m, &mut found));
    assert_eq!(*out, found);

    for info in kernel_rt::registered_kernels() {
        let kernel = verify(text::parse(info.ir).unwrap()).unwrap();
        let kernel = columns::of_kernel(&kernel);
        for dim in sample::dims(&kernel) {
            let Ok(args) = sample::args(&kernel, &dim, 1) else { continue };
            let (mut by_cpu, mut by_interp) = (args.clone(), args);
            let finished = (info.cpu)(&dim, &mut by_cpu).is_ok();
            assert_eq!(finished, interp::run_over_std(&kernel, &dim, &mut by_interp).is_ok(), "{} {dim:?}", info.name);
            // As text, NaN is NaN.
            assert!(!finished || format!("{by_cpu:?}") == format!("{by_interp:?}"), "{} {dim:?}", info.name);
        }
    }
}
"#;

/// Constructs of generated code that authors do not write: local arrays, and reads of mutably borrowed values.
const GENERATED: &str = "
#[kernel(family = \"test\", dim = 1)]
fn generated(
    x: &[f32; dim(0)] in -1.0f64..1.0f64,
    m: &mut [vec3; dim(0), 2],
    out: &mut [f32; dim(0)],
) {
    let i.0: usize = tid(0);
    let mut states.1: [f32; 8];
    let mut points.2: [vec3; 2];
    let mut frames.3: [mat33; 2];
    let mut spins.4: [quat; 2];
    states.1[0usize] = x[i.0];
    for k.5: usize in (1usize..8usize) {
        states.1[k.5] = states.1[k.5 - 1usize] * 0.5f32 + sin(states.1[0usize]);
    }
    points.2[1usize].y += states.1[7usize];
    frames.3[0usize].col(i.0 % 3usize) += points.2[1usize] * 2.0f32;
    spins.4[0usize].w = 2.0f32;
    m[i.0, 0usize] += points.2[1usize];
    m[m.extent(0) - 1usize, 1usize] += m[i.0, 0usize] * 3.0f32 + frames.3[0usize].col(1usize);
    atomic_add(out[i.0], out[0usize] + x.extent(0) as f32);
    out[i.0] += m[m.extent(0) - 1usize, 1usize].y + spins.4[0usize].w + spins.4[1usize].w;
}
";

/// The head of the function that runs one thread of `generated`.
const THREAD: &str = "fn thread(index: usize, x: &[f32], m: &mut Array2<Vec3>, out: &mut [f32]) {";

#[test]
fn written_as_by_hand() {
    let kernels = registered_kernels();
    for name in ["particle_bounce", "edit_distance", "value_noise_2d", "fake_quantize"] {
        let info = kernels.iter().find(|info| info.name == name).expect("a kernel of the families");
        expect_file![format!("goldens/{}_{name}.rs", info.family)].assert_eq(&rust::write(&checked(info)));
    }
}

/// The text form with locals numbered in order of occurrence and without numeric suffixes. The front end flattens Rust
/// blocks, so two locals of one name may end up in the same scope of the IR.
fn ordered(kernel: &VerifiedKernel) -> String {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let text = text::print(kernel);
    let mut ordered = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let word = &rest[start..];
        let (name, after) = split(word, |c| c.is_alphanumeric() || c == '_');
        let number = after.strip_prefix('.').map(|after| split(after, |c| c.is_ascii_digit()));
        ordered += &rest[..start];
        rest = after;
        match number {
            Some((number, after)) if !number.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) => {
                let next = numbers.len();
                let place = *numbers.entry(number.to_owned()).or_insert(next);
                ordered += &format!("{}.{place}", unnumbered(name));
                rest = after;
            }
            _ => {
                // The locals of each function have numbers of their own.
                if name == "fn" {
                    numbers.clear();
                }
                ordered += name;
            }
        }
    }
    ordered + rest
}

/// The text up to the first character for which `is_such` is false, and the rest.
fn split(text: &str, is_such: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_such(c)).unwrap_or(text.len()))
}

fn unnumbered(name: &str) -> &str {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    plain.strip_suffix('_').filter(|plain| !plain.is_empty() && plain.len() + 1 < name.len()).unwrap_or(name)
}
