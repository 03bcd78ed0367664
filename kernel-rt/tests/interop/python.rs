//! NumPy on the other side: files of both, and memory through DLPack. PyTorch takes part where it is installed.
//!
//! NumPy comes with the judges (`scripts/install-judges.sh`). Without them the tests print that they are skipped; with
//! `WEFT_REQUIRE_JUDGES=1`, as in CI, they fail. `WEFT_PEERS_PYTHON` names another Python, such as one with PyTorch.

use crate::samples::{sample, with_all};
use kernel_rt::interop::InteropError;
use kernel_rt::interop::npy::{NpzReader, NpzWriter};
use kernel_rt::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace").to_owned()
}

/// A Python with NumPy.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("WEFT_PEERS_PYTHON").map(PathBuf::from).unwrap_or_else(|| {
        let judges = std::env::var_os("WEFT_JUDGES").map_or(checkout().join(".judges"), PathBuf::from);
        judges.join("venv/bin/python")
    });
    if python.is_file() {
        return Some(python);
    }
    assert!(std::env::var_os("WEFT_REQUIRE_JUDGES").is_none(), "missing: NumPy; scripts/install-judges.sh installs it");
    let thread = std::thread::current();
    // The test harness captures `eprintln!`, but not this. A closed standard error must not fail the test.
    let name = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "SKIPPED {name}: NumPy is not installed; scripts/install-judges.sh does it");
    None
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [printed, complaints] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{command:?}: {printed}{complaints}");
    printed
}

/// Compiles a shared library, linked with the runtime of this test.
fn compile(source: &Path, library: &Path) {
    let libraries = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_runtime = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libkernel_rt-") && name.ends_with(".rlib")
    };
    let files = std::fs::read_dir(&libraries).unwrap().map(|entry| entry.unwrap().path());
    let mut runtimes: Vec<PathBuf> = files.filter(is_runtime).collect();
    runtimes.sort_by_key(|path| std::cmp::Reverse(path.metadata().unwrap().modified().unwrap()));
    let mut complaints = String::new();
    // Older builds may have left runtimes that do not fit, such as one without the features.
    for runtime in &runtimes {
        let output = Command::new("rustc")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "library"])
            .arg(source)
            .arg(format!("--extern=kernel_rt={}", runtime.display()))
            .arg(format!("-Ldependency={}", libraries.display()))
            .arg("-o")
            .arg(library)
            .output()
            .unwrap();
        if output.status.success() {
            return;
        }
        complaints += &String::from_utf8_lossy(&output.stderr);
    }
    panic!("{} is not compiled with any of {runtimes:?}:\n{complaints}", source.display());
}

/// The name of an element type in `peer.py`.
fn name<T: UniformElement>() -> String {
    T::ir_type().rust_name()
}

fn save<T: UniformElement>(folder: &Path, archive: &mut NpzWriter<std::io::BufWriter<std::fs::File>>) {
    sample::<T>().save_npy(folder.join(format!("{}.npy", name::<T>()))).unwrap();
    archive.write(&name::<T>(), &sample::<T>()).unwrap();
}

fn load<T: UniformElement>(folder: &Path) {
    for kind in ["c", "fortran", "big"] {
        let file = folder.join(format!("{}.{kind}.npy", name::<T>()));
        assert_eq!(Array2::<T>::load_npy(&file).unwrap(), sample(), "{}", file.display());
    }
    for file in ["stored.npz", "compressed.npz"] {
        let mut archive = NpzReader::open(folder.join(file)).unwrap();
        assert_eq!(archive.read::<T, 2>(&name::<T>()).unwrap(), sample(), "{file}");
    }
}

#[test]
fn numpy_and_pytorch_exchange_files_and_memory() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("liblibrary.so");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop");
    compile(&tests.join("library.rs"), &library);
    let mut archive = NpzWriter::create(folder.path().join("rust.npz")).unwrap();
    with_all!(save(folder.path(), &mut archive));
    archive.finish().unwrap();
    let printed = succeeds(Command::new(python).arg(tests.join("peer.py")).arg(&library).arg(folder.path()));
    let _ = write!(std::io::stderr(), "the other side: {printed}");
    with_all!(load(folder.path()));
    for (file, problem) in [("text", "`<U1`"), ("objects", "`|O`"), ("structured", "structured type")] {
        let error = Array::<f32, 1>::load_npy(folder.path().join(format!("{file}.npy"))).unwrap_err();
        assert!(matches!(error, InteropError::Type { .. } | InteropError::Malformed { .. }), "{error:?}");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

/// The Python blocks of the page run as they are, after the Rust blocks before them: the library of the page, and the
/// program that saves files.
#[test]
fn the_python_of_the_guide_runs() {
    let page = std::fs::read_to_string(checkout().join("docs/guide/interop.md")).unwrap();
    let blocks = page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap());
    let blocks: Vec<(&str, &str)> = blocks.collect();
    assert_eq!(blocks.iter().filter(|(kind, _)| *kind == "python").count(), 2);
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = |script: &str| succeeds(Command::new(&python).current_dir(&folder).args(["-c", script]));
    let mut rust = "";
    for (kind, block) in blocks {
        match kind {
            "rust" | "rust,no_run" => rust = block,
            "python" => {
                let (source, library) = (folder.path().join("lib.rs"), folder.path().join("libmy_kernels.so"));
                let is_library = rust.contains("extern \"C\"");
                std::fs::write(&source, if is_library { shown(rust) } else { as_function(rust) }).unwrap();
                compile(&source, &library);
                if !is_library {
                    runs("import ctypes; ctypes.CDLL('./libmy_kernels.so').run()");
                }
                runs(block);
            }
            _ => {}
        }
    }
}

/// A block with the lines that the book hides.
fn shown(block: &str) -> String {
    block.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// A block that ends in a `Result`, as a function for Python.
fn as_function(block: &str) -> String {
    format!("#[unsafe(no_mangle)] pub extern \"C\" fn run() {{ (|| {{ {} }})().unwrap(); }}", shown(block))
}
