//! C++ compilers, and the source file of a server.

use super::grid::Grid;
use crate::judges::bisect::{in_namespace, line_directive};
use crate::judges::case::Case;
use kernel_ir::back::c::on_host::{GRID, MEMORY};
use kernel_ir::back::c::{BLOCK_ON_HOST, CUDA_ON_HOST, entry_name};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The start of every server source.
const HARNESS: &str = include_str!("harness.h");

/// The emitted C++ function runs the whole launch itself.
const CPP_THREADS: &str = "template <class Run> void each_thread(const harness::Grid&, Run run) { run(); }";

/// The emitted CUDA function runs one thread, so the harness loops over the grid.
const CUDA_THREADS: &str = include_str!("threads.h");

/// The emitted text to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Host C++.
    Cpp,
    /// CUDA, after a header that defines its keywords and functions on the host.
    Cuda,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Dialect; 2] = [Dialect::Cpp, Dialect::Cuda];

    /// The name in messages.
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

    /// The grids to run a launch of `dim` on, in which a block has `block` threads, if the text says so.
    pub(super) fn grids(self, dim: &[usize], block: Option<u32>) -> Vec<Grid> {
        match (self, block) {
            (Dialect::Cpp, _) => vec![Grid::ONE],
            (Dialect::Cuda, None) => Grid::all(dim.len()),
            (Dialect::Cuda, Some(size)) => Grid::of_blocks(size),
        }
    }

    /// ` on a grid …`. Empty for C++, which has one grid.
    pub(super) fn grid_name(self, grid: Grid) -> String {
        match self {
            Dialect::Cpp => String::new(),
            Dialect::Cuda => format!(" on a grid of {:?} blocks of {:?} threads", grid.blocks, grid.threads),
        }
    }

    fn headers(self) -> String {
        match self {
            Dialect::Cpp => format!("{HARNESS}\n{CPP_THREADS}\n"),
            Dialect::Cuda => [MEMORY, HARNESS, CUDA_ON_HOST, BLOCK_ON_HOST, GRID, CUDA_THREADS, ""].join("\n"),
        }
    }
}

/// The source of a server for `cases`, each with its number. Includes move to the top, because they cannot stand in a
/// namespace.
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
                // What CUDA's own headers declare is defined above.
                if !includes.contains(line) && !line.starts_with("#include <cuda_") {
                    includes.push_str(line);
                    includes.push('\n');
                }
            } else {
                // With C linkage, functions of the same name in two namespaces would be one function.
                body.push_str(line.strip_prefix("extern \"C\" ").unwrap_or(line));
            }
        }
        let name = entry_name(&case.kernel);
        // Writing to a `String` does not fail.
        let _ = match dialect {
            // In a namespace, the emitted overloads of `abs` for vectors would hide the one of the library.
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

/// How a program finds accesses out of bounds and undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// The program traps. Arrays end at a page without access, and the compiler does not optimise: that takes an eighth
    /// of the time.
    Traps,
    /// The sanitizers of the compiler, which also see the stack and name what they find.
    Sanitizers,
}

impl Checks {
    /// The checks for a case.
    pub(super) fn of(case: &Case) -> Checks {
        if case.is_checked_thoroughly() { Checks::Sanitizers } else { Checks::Traps }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Checks::Traps => &[
                "-O0",
                "-DWEFT_GUARD_PAGES",
                "-fsanitize=undefined",
                "-fno-sanitize=null,alignment,vptr,object-size",
                "-fsanitize-undefined-trap-on-error",
            ],
            Checks::Sanitizers => &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        }
    }
}

/// Why a program was not built.
#[derive(Debug)]
pub(super) enum Failure {
    /// The compiler rejects the source; its log.
    Log(String),
    /// The compiler does not run.
    Broken(String),
}

/// An installed C++ compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    name: &'static str,
    version: String,
}

impl Compiler {
    /// The compiler `name`, if it is installed.
    pub fn find(name: &'static str) -> Option<Compiler> {
        let output = Command::new(name).arg("-dumpfullversion").arg("-dumpversion").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
        output.status.success().then_some(Compiler { name, version })
    }

    /// The name of the program.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name and version, for messages.
    pub fn version(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The version alone.
    pub(crate) fn release(&self) -> &str {
        &self.version
    }

    /// Compiles an empty program as the judge compiles: a compiler may lack the sanitizers or the standard library.
    ///
    /// # Errors
    /// The first line of the compiler's log.
    pub(crate) fn try_out(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source = folder.path().join("empty.cpp");
        std::fs::write(&source, "#include <cmath>\nint main() {}\n").map_err(|error| error.to_string())?;
        let tried = |checks| self.compile(&source, &folder.path().join("empty"), checks);
        tried(Checks::Sanitizers).and_then(|()| tried(Checks::Traps)).map_err(|failure| match failure {
            Failure::Log(why) | Failure::Broken(why) => why.lines().next().unwrap_or("it fails").to_owned(),
        })
    }

    /// Compiles the file `input` to the program `output`, with warnings as errors.
    pub(super) fn compile(&self, input: &Path, output: &Path, checks: Checks) -> Result<(), Failure> {
        let result = Command::new(self.name)
            // Three warnings are off: strides of arrays that are only read at row 0 are unused, and so are parts of the
            // prelude and the harness.
            .args(["-std=c++17", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"])
            .args(["-Wno-unused-function", "-Wno-unused-parameter", "-Wno-unused-variable"])
            .args(checks.flags())
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
