//! `doctor`: says which outside programs are installed, and what each missing one disables.

mod driver;

use super::term;
use crate::cli::DoctorArgs;
use crate::error::Error;
use crate::files::pretty;
use crate::judges::cxx::{COMPILERS, Compiler};
use crate::judges::hip::Hip;
use crate::judges::judge::{Judge, folder, installation};
use crate::judges::nvrtc::Nvrtc;
use crate::judges::warp::Warp;
use crate::model::JudgeKind;
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file names of NVRTC that `kernel-rt` loads, through cudarc.
const DEVICE_NVRTC: [&str; 3] = ["libnvrtc.so", "libnvrtc.so.12", "libnvrtc.so.11"];

/// The Python packages that read datasets, by their names on PyPI.
const READERS: [&str; 4] = ["pyarrow", "polars", "duckdb", "datasets"];

const INSTALL_JUDGES: &str = "run `scripts/install-judges.sh` in a checkout of Weft";
const INSTALL_VULKAN: &str = match cfg!(feature = "wgpu") {
    true => "install a Vulkan driver; `mesa-vulkan-drivers` of Debian has one that needs no GPU",
    false => "build the tool with `--features wgpu`",
};
const INSTALL_READERS: &str = "run `scripts/install-readers.sh` in a checkout of Weft";

/// The output of `--json`.
#[derive(Serialize)]
struct Diagnosis {
    version: &'static str,
    rustc: &'static str,
    system: String,
    parts: Vec<Part>,
}

/// An outside program or library.
#[derive(Serialize)]
struct Part {
    name: &'static str,
    installed: bool,
    version: Option<String>,
    path: Option<PathBuf>,
    /// Why the part is missing, or does not work.
    problem: Option<String>,
    /// What does not work without the part.
    disables: &'static str,
    /// How to install it: a script of the checkout, or a sentence.
    install: &'static str,
}

/// An installed part.
struct Found {
    version: String,
    path: Option<PathBuf>,
}

impl Part {
    fn new(name: &'static str, found: Result<Found, String>, disables: &'static str, install: &'static str) -> Part {
        let (found, problem) = match found {
            Ok(found) => (Some(found), None),
            Err(problem) => (None, Some(problem)),
        };
        let installed = found.is_some();
        let (version, path) = found.map_or((None, None), |found| (Some(found.version), found.path));
        Part { name, installed, version, path, problem, disables, install }
    }
}

/// Prints the table of the parts, and fails if one that `args` requires is missing.
pub(crate) fn doctor(args: &DoctorArgs) -> Result<(), Error> {
    let diagnosis = Diagnosis {
        version: env!("CARGO_PKG_VERSION"),
        rustc: env!("WEFT_RUSTC"),
        system: format!("{}-{}", env::consts::ARCH, env::consts::OS),
        parts: parts(),
    };
    match args.json {
        true => term::print(&String::from_utf8_lossy(&pretty(&diagnosis)?))?,
        false => term::print(&text(&diagnosis))?,
    }
    require(&diagnosis.parts, &args.require)
}

/// All parts, in the order of the table. The device's parts come first, because no other NVRTC is loaded yet when the
/// path of theirs is looked up.
fn parts() -> Vec<Part> {
    let device = [
        Part::new(
            "driver",
            driver::find().map(|(version, path)| Found { version, path }),
            "launches on a GPU (`Device::cuda`); datasets need none",
            "install NVIDIA's driver from your distribution",
        ),
        Part::new(
            "device-nvrtc",
            device_nvrtc(),
            "launches on a GPU (`Device::cuda`), which compile kernels with it",
            "install the CUDA toolkit, or put the folder of libnvrtc.so into LD_LIBRARY_PATH",
        ),
    ];
    let others = [
        Part::new(
            "sandbox",
            sandbox(),
            "`score`",
            "use a Linux kernel with Landlock (5.13 or newer), or install bubblewrap",
        ),
        Part::new("nvcc", nvcc(), "compiling exported programs for a GPU", INSTALL_JUDGES),
        Part::new("readers", readers(), "reading datasets in Python, and the tests that do so", INSTALL_READERS),
        Part::new("cargo", program("cargo"), "building the crates that `new` writes", "install Rust with rustup"),
    ];
    device.into_iter().chain(JudgeKind::ALL.into_iter().flat_map(of_judge)).chain(others).collect()
}

/// The parts of a judge.
fn of_judge(kind: JudgeKind) -> Vec<Part> {
    match kind {
        JudgeKind::Nvrtc => {
            let found = Nvrtc::open()
                .map(|nvrtc| Found { version: nvrtc.release().to_owned(), path: Some(nvrtc.library().to_owned()) });
            vec![Part::new("nvrtc", found, "`--judges nvrtc` and `--ptx`", INSTALL_JUDGES)]
        }
        JudgeKind::Cxx => {
            let disables = |name| match name {
                "g++" => "`score`, and half of `--judges cxx`, which needs one of g++ and clang++ and uses both",
                _ => "half of `--judges cxx`, which needs one of g++ and clang++ and uses both",
            };
            COMPILERS.map(|name| Part::new(name, compiler(name), disables(name), INSTALL_JUDGES)).into()
        }
        JudgeKind::Warp => {
            let found = Warp::open()
                .map(|warp| Found { version: warp.release().to_owned(), path: Some(warp.python().to_owned()) });
            vec![Part::new("warp", found, "`--judges warp`", INSTALL_JUDGES)]
        }
        JudgeKind::Hip => {
            let found = Hip::open().map(|hip| Found { version: hip.version(), path: Some(hip.headers().to_owned()) });
            vec![Part::new("hip", found, "`--judges hip`", INSTALL_JUDGES)]
        }
        JudgeKind::Vulkan => vec![Part::new("vulkan", vulkan(), "`--judges vulkan`", INSTALL_VULKAN)],
    }
}

/// The adapter that runs WGSL.
#[cfg(feature = "wgpu")]
fn vulkan() -> Result<Found, String> {
    crate::judges::vulkan::Vulkan::open().map(|vulkan| Found { version: vulkan.adapter(), path: None })
}

#[cfg(not(feature = "wgpu"))]
fn vulkan() -> Result<Found, String> {
    Err("this build runs no WGSL".to_owned())
}

/// A C++ compiler that builds what the judge builds.
fn compiler(name: &'static str) -> Result<Found, String> {
    let compiler = Compiler::find(name).ok_or_else(|| format!("there is no `{name}` in PATH"))?;
    compiler.try_out().map_err(|why| format!("`{name}` does not compile with sanitizers: {why}"))?;
    Ok(Found { version: compiler.release().to_owned(), path: in_path(name) })
}

/// The sandbox for answers of models.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn sandbox() -> Result<Found, String> {
    let sandbox = crate::score::sandbox::Sandbox::open(None)?;
    Ok(Found { version: sandbox.name().to_owned(), path: None })
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn sandbox() -> Result<Found, String> {
    Err("answers are scored only on Linux on x86-64".to_owned())
}

/// NVRTC on the loader's path.
fn device_nvrtc() -> Result<Found, String> {
    let loaded = DEVICE_NVRTC.iter().find_map(|name| Nvrtc::load(PathBuf::from(name)).ok());
    let nvrtc = loaded.ok_or_else(|| format!("there is no {} on the loader's path", DEVICE_NVRTC[0]))?;
    Ok(Found { version: nvrtc.release().to_owned(), path: driver::loaded_from(DEVICE_NVRTC[0]) })
}

/// nvcc of the judges, or in PATH.
fn nvcc() -> Result<Found, String> {
    let ours = folder().ok().map(|folder| folder.join("cuda/bin/nvcc")).filter(|path| path.is_file());
    let path = ours.or_else(|| in_path("nvcc")).ok_or("there is no `nvcc` in the judges' folder or in PATH")?;
    // The version is the word after `release` in the banner.
    let banner = output(&path, &["--version"])?;
    let (_, rest) = banner.split_once("release ").ok_or_else(|| format!("`{}` says no version", path.display()))?;
    Ok(Found { version: rest.split(',').next().unwrap_or(rest).to_owned(), path: Some(path) })
}

/// The Python packages that read datasets: those of the install script, or of `python3` where it has not run.
fn readers() -> Result<Found, String> {
    let ours = installation("WEFT_READERS", ".readers").map(|folder| folder.join("venv/bin/python"));
    let python = ours.or_else(|| in_path("python3")).ok_or("there is no `python3` in PATH")?;
    let script = "import importlib.metadata as m, sys\n\
                  for name in sys.argv[1:]:\n    \
                  try: print(name, m.version(name))\n    \
                  except m.PackageNotFoundError: pass";
    let versions = output(&python, &[&["-c", script][..], &READERS].concat())?;
    let found: Vec<&str> = versions.lines().collect();
    let missing = READERS.iter().filter(|name| found.iter().all(|line| line.split(' ').next() != Some(**name)));
    let missing: Vec<&str> = missing.copied().collect();
    match missing.is_empty() {
        true => Ok(Found { version: found.join(", "), path: Some(python) }),
        false => Err(format!("`{}` has no {}", python.display(), missing.join(", no "))),
    }
}

/// A program in PATH that prints its name and version.
fn program(name: &str) -> Result<Found, String> {
    let path = in_path(name).ok_or_else(|| format!("there is no `{name}` in PATH"))?;
    let printed = output(&path, &["--version"])?;
    let version = printed.split_whitespace().nth(1).ok_or_else(|| format!("`{name}` says no version"))?;
    Ok(Found { version: version.to_owned(), path: Some(path) })
}

/// The standard output of a program that succeeds.
fn output(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("`{}` does not run: {error}", program.display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        // A program such as the `cargo` of rustup says on this stream what it lacks.
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().map(str::trim).find(|line| !line.is_empty());
            let said = said.map_or_else(|| output.status.to_string(), str::to_owned);
            Err(format!("`{}` fails: {said}", program.display()))
        }
    }
}

/// The program `name` in PATH.
fn in_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// The table of the parts, and what the missing ones disable.
fn text(diagnosis: &Diagnosis) -> String {
    let Diagnosis { version, rustc, system, parts } = diagnosis;
    let row = |part: &Part| {
        let version = part.version.clone().unwrap_or_else(|| "missing".to_owned());
        let path = part.path.as_ref().map_or(String::new(), |path| path.display().to_string());
        vec![part.name.to_owned(), version, path]
    };
    let rows: Vec<Vec<String>> = parts.iter().map(row).collect();
    let mut text = format!("gen-dataset {version} on {system}, built by rustc {rustc}\n\n");
    text += &term::table(&["part", "version", "path"], &rows);
    for part in parts {
        if let Some(problem) = &part.problem {
            text += &format!(
                "\n{} is missing: {problem}\n  it disables {}\n  to install it: {}\n",
                part.name, part.disables, part.install
            );
        }
    }
    text
}

/// Checks that the parts `names` are installed.
///
/// # Errors
/// A name is unknown, or a part is missing.
fn require(parts: &[Part], names: &[String]) -> Result<(), Error> {
    let mut missing = Vec::new();
    for name in names {
        let Some(part) = parts.iter().find(|part| part.name == name) else {
            let known: Vec<&str> = parts.iter().map(|part| part.name).collect();
            return Err(Error::Config(format!("there is no part `{name}`; known: {}", known.join(", "))));
        };
        if let Some(problem) = &part.problem {
            missing.push(format!("{name} is missing: {problem}; to install it: {}", part.install));
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Error::Config(missing.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &'static str, found: Result<Found, String>) -> Part {
        Part::new(name, found, "something", "install it")
    }

    fn two_parts() -> Vec<Part> {
        let found = Found { version: "1.2".to_owned(), path: Some("/bin/here".into()) };
        vec![part("here", Ok(found)), part("gone", Err("it is nowhere".to_owned()))]
    }

    #[test]
    fn a_required_part_that_is_missing_is_an_error_with_the_remedy() {
        let require = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            require(&two_parts(), &names).map_err(|error| error.to_string())
        };
        assert_eq!(require(&[]), Ok(()));
        assert_eq!(require(&["here"]), Ok(()));
        let missing = "gone is missing: it is nowhere; to install it: install it";
        assert_eq!(require(&["here", "gone"]), Err(missing.to_owned()));
        assert_eq!(require(&["gon"]), Err("there is no part `gon`; known: here, gone".to_owned()));
    }

    #[test]
    fn the_text_has_a_row_for_each_part_and_the_remedy_of_the_missing_ones() {
        let diagnosis = Diagnosis { version: "0.0.0", rustc: "1.0.0", system: "a-b".to_owned(), parts: two_parts() };
        let expected = "gen-dataset 0.0.0 on a-b, built by rustc 1.0.0\n\n\
            part  version  path\n\
            here  1.2      /bin/here\n\
            gone  missing\n\n\
            gone is missing: it is nowhere\n  it disables something\n  to install it: install it\n";
        assert_eq!(text(&diagnosis), expected);
    }

    #[test]
    fn no_two_parts_have_one_name() {
        let names: Vec<&str> = parts().iter().map(|part| part.name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len(), "{names:?}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_missing() {
        assert_eq!(program("no-such-program").err().unwrap(), "there is no `no-such-program` in PATH");
        assert!(output(Path::new("/no/such/program"), &[]).unwrap_err().starts_with("`/no/such/program` does not run"));
    }
}
