//! A C++ compiler, and the source file that it is given.

use super::grid::Grid;
use crate::judges::bisect::{in_namespace, line_directive};
use crate::judges::case::Case;
use kernel_ir::back::c::{BLOCK_ON_HOST, CUDA_ON_HOST, entry_name};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The header of every server.
const HARNESS: &str = include_str!("harness.h");

/// A host program runs a whole launch.
const CPP_THREADS: &str = "template <class Run> void each_thread(const harness::Grid&, Run run) { run(); }";

/// CUDA runs a launch by the threads of a grid.
const CUDA_THREADS: &str = include_str!("threads.h");

/// Which of the emitted texts is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Host C++.
    Cpp,
    /// CUDA, behind a header that gives its words a meaning on the host.
    Cuda,
}

impl Dialect {
    /// Both.
    pub const ALL: [Dialect; 2] = [Dialect::Cpp, Dialect::Cuda];

    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Cpp => "C++",
            Dialect::Cuda => "CUDA on the host",
        }
    }

    /// The text of a case in this dialect.
    pub fn text(self, case: &Case) -> Option<&str> {
        match self {
            Dialect::Cpp => case.text("cpp"),
            Dialect::Cuda => case.text("cuda"),
        }
    }

    /// The grids that a launch of `dim` is run with.
    pub(super) fn grids(self, dim: &[usize]) -> Vec<Grid> {
        match self {
            Dialect::Cpp => vec![Grid::ONE],
            Dialect::Cuda => Grid::all(dim.len()),
        }
    }

    /// ` on a grid …`, where there are several.
    pub(super) fn grid_name(self, grid: Grid) -> String {
        match self {
            Dialect::Cpp => String::new(),
            Dialect::Cuda => format!(" on a grid of {:?} blocks of {:?} threads", grid.blocks, grid.threads),
        }
    }

    fn headers(self) -> String {
        match self {
            Dialect::Cpp => format!("{HARNESS}\n{CPP_THREADS}\n"),
            Dialect::Cuda => format!("{HARNESS}\n{CUDA_ON_HOST}\n{BLOCK_ON_HOST}\n{CUDA_THREADS}\n"),
        }
    }
}

/// The source of a server of `cases`, each with its number. Includes go to the top: they cannot stand in a namespace.
pub(super) fn source<'a>(dialect: Dialect, cases: impl Iterator<Item = (usize, &'a Case)>) -> String {
    let mut includes = dialect.headers();
    let mut bodies = String::new();
    let mut choices = String::new();
    for (number, case) in cases {
        let text = dialect.text(case).unwrap_or_default();
        let mut body = line_directive(number, &format!("{}.cpp", case.name));
        for line in text.lines() {
            body.push('\n');
            if line.starts_with("#include") {
                if !includes.contains(line) {
                    includes.push_str(line);
                    includes.push('\n');
                }
            } else {
                // Without C linkage the same name can stand in several namespaces.
                body.push_str(line.strip_prefix("extern \"C\" ").unwrap_or(line));
            }
        }
        let name = entry_name(&case.kernel);
        // A String takes everything.
        let _ = match dialect {
            // At the top, where the text belongs, the library's `abs` is beside that of vectors.
            Dialect::Cpp => {
                writeln!(bodies, "namespace kernel_{number} {{ using ::abs;\n{body}\n}}\n#line 1 \"server\"")
            }
            Dialect::Cuda => writeln!(bodies, "{}#line 1 \"server\"", in_namespace(number, &body)),
        };
        let _ =
            writeln!(choices, "                case {number}: harness::call(kernel_{number}::{name}, bytes); break;");
    }
    format!(
        "{includes}\n{bodies}\nint main() {{\n    return harness::serve([](std::uint64_t number, const harness::Grid& grid, \
         void** bytes) {{\n        each_thread(grid, [&] {{\n            switch (number) {{\n{choices}            }}\n        \
         }});\n    }});\n}}\n"
    )
}

/// Why there is no program.
#[derive(Debug)]
pub(super) enum Failure {
    /// The source is not accepted; the log.
    Log(String),
    /// The compiler does not run.
    Broken(String),
}

/// A C++ compiler of this machine.
#[derive(Clone, Debug)]
pub struct Compiler {
    name: &'static str,
    version: String,
}

impl Compiler {
    /// The compiler of that name, if there is one.
    pub fn find(name: &'static str) -> Option<Compiler> {
        let output = Command::new(name).arg("-dumpfullversion").arg("-dumpversion").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
        output.status.success().then_some(Compiler { name, version })
    }

    /// The name of its program.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name and version, for people.
    pub fn version(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// Compiles the file `input` to the program `output`, without a warning, and with the sanitizers in it.
    pub(super) fn compile(&self, input: &Path, output: &Path) -> Result<(), Failure> {
        let result = Command::new(self.name)
            // Unused are strides of arrays that are read at row 0 only, and what the prelude and the harness do not need.
            .args(["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"])
            .args(["-Wno-unused-function", "-Wno-unused-parameter", "-Wno-unused-variable"])
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
            .arg(input)
            .arg("-o")
            .arg(output)
            .output()
            .map_err(|error| Failure::Broken(format!("{} does not run: {error}", self.name)))?;
        match result.status.success() {
            true => Ok(()),
            false => Err(Failure::Log(String::from_utf8_lossy(&result.stderr).into_owned())),
        }
    }
}
