//! Compiles answers, each by itself and in the sandbox, to shared libraries.
//!
//! 1. The compiler makes assembly of the answer, behind CUDA's words in a precompiled header (`host/apart.h`).
//! 2. Counts of work are added to the assembly ([`instrument`](super::instrument)).
//! 3. The assembler makes an object. It may refer to functions of CUDA's words and of mathematics, and to nothing else:
//!    no device function can call more.
//! 4. The linker makes a library of this object alone.
//!
//! Nothing of this is optimised, so that compiling is fast and results follow the source.

use super::instrument::instrument;
use super::sandbox::{Ended, Limits, Sandbox};
use kernel_ir::back::c::on_host;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The C++ compiler.
const COMPILER: &str = "g++";

/// The options of the compiler. Those of the precompiled header and of answers must be the same.
const OPTIONS: [&str; 14] = [
    "-std=c++17",
    "-O0",
    "-w",
    "-fPIC",
    // Without it, counts of bits would be calls of the compiler's own library.
    "-mpopcnt",
    // The count of work must not change what lies below the stack pointer.
    "-mno-red-zone",
    "-fcf-protection=none",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-exceptions",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    // Without it, copies of large structures would be single instructions.
    "-mstringop-strategy=libcall",
    "-fmax-errors=1",
];

/// Headers of CUDA that answers may include; their words are there anyway.
const HEADERS: [&str; 7] = [
    "cuda.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "math_constants.h",
];

/// Sections with code that runs before or after the kernel.
const STARTERS: [&str; 5] = [".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"];

/// The functions of `host.cpp`, and what the linker provides.
const OF_HOST: [&str; 18] = [
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "weft_publish",
    "weft_fence",
    "weft_barrier",
    "weft_votes",
    "weft_exchange",
    "weft_thread",
    "weft_active",
    "weft_trap",
    "weft_memcpy",
    "weft_memmove",
    "weft_memset",
    "weft_memcmp",
    "__tls_get_addr",
    "_GLOBAL_OFFSET_TABLE_",
];

/// The functions of mathematics that CUDA has, without the `f` of their versions for `float`.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

/// The most shared memory of a block, in bytes.
const SHARED: u64 = 48 << 10;

const LIMITS: Limits = Limits { seconds: 10, memory: 2 << 30, file: 32 << 20 };

/// The largest answer, in bytes.
pub(super) const LARGEST: usize = 1 << 20;

/// The compiler with its precompiled header, and the host program.
pub(super) struct Toolchain {
    folder: TempDir,
    assembler: PathBuf,
    linker: PathBuf,
    /// The version, for reports.
    pub(super) version: String,
}

impl Toolchain {
    /// Finds the compiler, and builds the header and the host program with it.
    ///
    /// # Errors
    /// There is no compiler, or it fails.
    pub(super) fn open() -> Result<Toolchain, String> {
        let missing = |error: &dyn std::fmt::Display| {
            format!(
                "answers are compiled with {COMPILER}, which does not run: {error}; `scripts/install-judges.sh` installs it"
            )
        };
        let ask = |argument: &str| {
            let output = Command::new(COMPILER).arg(argument).output().map_err(|error| missing(&error))?;
            Ok::<_, String>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let version = format!("{COMPILER} {}", ask("-dumpfullversion")?);
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let found = |name: &str| {
            let path = ask(&format!("-print-prog-name={name}"))?;
            let places = ["", "/usr/bin/", "/bin/"].map(|folder| PathBuf::from(format!("{folder}{path}")));
            let is_there = |place: &PathBuf| place.is_absolute() && place.is_file();
            places.into_iter().find(is_there).ok_or_else(|| missing(&format!("`{name}` is not installed")))
        };
        let toolchain = Toolchain { assembler: found("as")?, linker: found("ld")?, folder, version };
        toolchain.build()?;
        Ok(toolchain)
    }

    /// Writes and compiles what is the same for all answers.
    fn build(&self) -> Result<(), String> {
        let folder = self.folder.path();
        let words =
            [include_str!("host/apart.h"), on_host::WORDS, on_host::BLOCK_WORDS, include_str!("host/library.h")];
        let host = include_str!("host/host.cpp")
            .replace("//@memory", on_host::MEMORY)
            .replace("//@words", on_host::WORDS)
            .replace("//@block", on_host::BLOCK)
            .replace("//@grid", on_host::GRID);
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text)
                .map_err(|error| format!("cannot write `{name}` to a temporary folder: {error}"))
        };
        write("words.h", &words.concat())?;
        write("host.cpp", &host)?;
        fs::create_dir(folder.join("include")).map_err(|error| format!("no temporary folder: {error}"))?;
        for header in HEADERS {
            write(&format!("include/{header}"), "")?;
        }
        let compile = |arguments: &[&str]| {
            let output = Command::new(COMPILER).args(arguments).current_dir(folder).output();
            let output = output.map_err(|error| format!("{COMPILER} does not run: {error}"))?;
            let log = String::from_utf8_lossy(&output.stderr);
            if output.status.success() {
                Ok(())
            } else {
                Err(format!("{COMPILER} does not build the host program: {log}"))
            }
        };
        compile(&[&OPTIONS[..], &["-x", "c++-header", "words.h", "-o", "words.h.gch"]].concat())?;
        compile(&["-std=c++17", "-O2", "-rdynamic", "host.cpp", "-o", "host", "-ldl"])
    }

    /// The host program.
    pub(super) fn host(&self) -> PathBuf {
        self.folder.path().join("host")
    }

    /// The folder that sandboxed programs read.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Compiles `text` in `folder` to the library `answer.so`.
    ///
    /// # Errors
    /// Why the text is no answer, in one line.
    pub(super) fn compile(
        &self,
        sandbox: &Sandbox,
        text: &str,
        folder: &Path,
    ) -> Result<Result<PathBuf, String>, String> {
        let write = |name: &str, text: &[u8]| {
            fs::write(folder.join(name), text)
                .map_err(|error| format!("cannot write `{name}` to a temporary folder: {error}"))
        };
        write("answer.cu", text.as_bytes())?;
        let words = self.folder.path().join("words.h");
        let include = format!("-I{}", self.folder.path().join("include").display());
        let input = [&include, "-include", &words.to_string_lossy(), "-S", "-x", "c++", "answer.cu", "-o", "answer.s"];
        let compiler = Path::new("/usr/bin").join(COMPILER);
        let arguments: Vec<&str> = OPTIONS.into_iter().chain(input).collect();
        let run = |program: &Path, arguments: &[&str]| {
            sandbox.run(program, arguments, folder, &[self.folder.path().to_owned()], None, LIMITS)
        };
        let ended = run(&compiler, &arguments)?;
        if !ended.is_success() {
            return Ok(Err(complaint(&ended)));
        }
        let Ok(assembly) = fs::read(folder.join("answer.s")) else {
            return Ok(Err("the compiler writes nothing".to_owned()));
        };
        let Ok(assembly) = String::from_utf8(assembly) else { return Ok(Err("its strings are no text".to_owned())) };
        let counted = match instrument(&assembly) {
            Ok(counted) => counted,
            Err(why) => return Ok(Err(why)),
        };
        write("answer.s", counted.as_bytes())?;
        let ended = run(&self.assembler, &["answer.s", "-o", "answer.o"])?;
        if !ended.is_success() {
            return Ok(Err(complaint(&ended)));
        }
        let object = fs::read(folder.join("answer.o")).map_err(|error| format!("the object is lost: {error}"))?;
        if let Err(why) = check(&object) {
            return Ok(Err(why));
        }
        let ended = run(&self.linker, &["-shared", "answer.o", "-o", "answer.so"])?;
        if !ended.is_success() {
            return Ok(Err(complaint(&ended)));
        }
        Ok(Ok(folder.join("answer.so")))
    }
}

/// What a compiler says about an answer, in one line.
fn complaint(ended: &Ended) -> String {
    if let Some(killed) = ended.killed() {
        return format!("the compiler was stopped: {killed}");
    }
    let lines = || ended.message.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find(|line| line.contains("error")).or_else(|| lines().next());
    line.unwrap_or("the compiler ends with an error").chars().take(300).collect()
}

/// Checks that an object refers to nothing that a device function cannot call, and runs no code by itself.
fn check(object: &[u8]) -> Result<(), String> {
    let file: ElfFile64 = ElfFile64::parse(object).map_err(|error| format!("its object cannot be read: {error}"))?;
    let mut shared = 0;
    for section in file.sections() {
        let name = section.name().unwrap_or_default();
        if STARTERS.iter().any(|starter| name.starts_with(starter)) {
            return Err(
                "it has code that runs without a launch, such as the constructor of a global variable".to_owned()
            );
        }
        if name.starts_with(".tbss") || name.starts_with(".tdata") {
            shared += section.size();
        }
    }
    if shared > SHARED {
        return Err(format!("it has {shared} bytes of shared memory, and a block has {SHARED}"));
    }
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { return Err("it has a symbol without a name".to_owned()) };
        if let object::SymbolFlags::Elf { st_info, .. } = symbol.flags()
            && st_info.st_type() == object::elf::STT_GNU_IFUNC
        {
            return Err(format!("`{name}` is chosen when the library is loaded"));
        }
        let is_known = || {
            let base = name.strip_suffix('f').unwrap_or(name);
            OF_HOST.contains(&name) || MATHEMATICS.contains(&name) || MATHEMATICS.contains(&base)
        };
        if symbol.is_undefined() && !name.is_empty() && symbol.kind() != SymbolKind::File && !is_known() {
            return Err(format!("it calls `{name}`, which a kernel cannot call"));
        }
    }
    Ok(())
}
