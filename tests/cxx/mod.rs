//! The emitted C++ and CUDA, compiled for the host by a C++ compiler and run against the interpreter.
//!
//! 1. Every registered kernel goes into one source file, each in a namespace of its own.
//! 2. The compiler makes a server of it (`harness.h`).
//! 3. Sampled arguments go through the server and through the interpreter; the results must agree.
//!
//! `CUDA_ON_HOST` gives the words of CUDA a meaning on the host, so that the very CUDA text that ships is run.

use kernel_ir::back::c::{CUDA_ON_HOST, entry_name};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::AbiArg;
use kernel_ir::{interp, sample};
use kernel_rt::{KernelInfo, registered_kernels};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tests::{Agreement, checked, compare, report};

#[test]
fn host_cpp_agrees_with_the_interpreter() {
    run_everything("cpp", "", |info| info.cpp_forward);
}

#[test]
fn cuda_on_the_host_agrees_with_the_interpreter() {
    run_everything("cuda", CUDA_ON_HOST, |info| info.cuda_forward);
}

fn run_everything(dialect: &str, header: &str, text: fn(&KernelInfo) -> &'static str) {
    let Some(compiler) = find_compiler() else {
        report(&format!("SKIPPED cxx, {dialect}: no g++ on this machine"));
        return;
    };
    let kernels = registered_kernels();
    let source = server_source(&kernels, header, text);
    let mut server = Server::start(&compile(&compiler, dialect, &source));
    let mut failures = Vec::new();
    let mut launches = 0;
    for (number, info) in kernels.iter().enumerate() {
        let kernel = checked(info);
        for (seed, dim) in (0..).zip(sample::dims(&kernel)) {
            let args = sample::args(&kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", info.name));
            let found = server.launch(number, &kernel, &dim, &args);
            let mut expected = args;
            if let Err(fault) = interp::run(&kernel, &dim, &mut expected) {
                panic!("{}: {fault:?}", info.name);
            }
            if let Err(difference) = compare(&kernel, &expected, &found, Agreement::of(&kernel)) {
                failures.push(format!("{}::{} {dim:?}: {difference}", info.family, info.name));
            }
            launches += 1;
        }
    }
    assert!(failures.is_empty(), "{} of {launches} launches differ:\n{}", failures.len(), failures.join("\n"));
    report(&format!("cxx, {dialect}: {launches} launches of {} kernels agree", kernels.len()));
}

fn find_compiler() -> Option<PathBuf> {
    let found = Command::new("g++").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success()).then(|| PathBuf::from("g++"))
}

/// All kernels in one file. Includes go to the top: they cannot stand in a namespace.
fn server_source(kernels: &[&KernelInfo], header: &str, text: fn(&KernelInfo) -> &'static str) -> String {
    let mut includes = format!("#include \"harness.h\"\n{header}");
    let mut bodies = String::new();
    let mut cases = String::new();
    for (number, info) in kernels.iter().enumerate() {
        let (included, rest): (Vec<&str>, Vec<&str>) =
            text(info).lines().partition(|line| line.starts_with("#include"));
        for line in included.iter().filter(|line| !includes.contains(**line)).collect::<Vec<_>>() {
            writeln!(includes, "{line}").expect("a String takes everything");
        }
        // Without C linkage the same name can stand in several namespaces.
        let body = rest.join("\n").replace("extern \"C\" ", "");
        writeln!(bodies, "namespace kernel_{number} {{\n{body}\n}}").expect("a String takes everything");
        let name = entry_name(&checked(info));
        writeln!(cases, "        case {number}: harness::call(kernel_{number}::{name}, bytes); break;")
            .expect("a String takes everything");
    }
    format!(
        "{includes}\n{bodies}\nint main() {{\n    return harness::serve([](std::uint64_t number, void** bytes) {{\n        \
         switch (number) {{\n{cases}        }}\n    }});\n}}\n"
    )
}

fn compile(compiler: &Path, dialect: &str, source: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join(format!("{dialect}_server.cpp")), folder.join(format!("{dialect}_server")));
    std::fs::write(&input, source).expect("the folder for temporary files is writable");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("cxx");
    let result = Command::new(compiler)
        // Unused are strides of arrays that are read at row 0 only, and what the shim does not need.
        .args(["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"])
        .args(["-Wno-unused-function", "-Wno-unused-parameter", "-Wno-unused-variable"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I"])
        .arg(headers)
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .output()
        .expect("the compiler was found");
    let log = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{} does not compile:\n{:.8000}", input.display(), log);
    output
}

/// A running server.
struct Server {
    process: Child,
}

impl Server {
    fn start(program: &Path) -> Server {
        let process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server was just compiled");
        Server { process }
    }

    /// Runs one launch and returns the arguments after it.
    fn launch(&mut self, number: usize, kernel: &CheckedKernel, dim: &[usize], args: &[Arg]) -> Vec<Arg> {
        let abi = kernel.abi();
        let sent: Vec<Vec<u8>> = abi.iter().map(|arg| encode(*arg, dim, args)).collect();
        let mut request = Vec::new();
        request.extend((number as u64).to_le_bytes());
        request.extend((sent.len() as u64).to_le_bytes());
        for bytes in &sent {
            request.extend((bytes.len() as u64).to_le_bytes());
            request.extend(bytes);
        }
        let mut answer = vec![0; sent.iter().map(Vec::len).sum()];
        let input = self.process.stdin.as_mut().expect("piped");
        let alive = input.write_all(&request).and_then(|()| input.flush());
        let output = self.process.stdout.as_mut().expect("piped");
        let result = alive.and_then(|()| output.read_exact(&mut answer));
        assert!(result.is_ok(), "the emitted `{}` crashed at {dim:?}; see its report above", kernel.name);
        let mut found = args.to_vec();
        let mut place = 0;
        for (arg, bytes) in abi.iter().zip(&sent) {
            if let AbiArg::Pointer(id) = arg {
                decode(&mut found[id.0 as usize].data, &answer[place..place + bytes.len()]);
            }
            place += bytes.len();
        }
        found
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // The server ends at the end of its input; how does not matter any more.
        let _ = self.process.wait();
    }
}

fn encode(arg: AbiArg, dim: &[usize], args: &[Arg]) -> Vec<u8> {
    let index = |value: usize| u32::try_from(value).expect("test launches are small").to_le_bytes().to_vec();
    match arg {
        AbiArg::Value(id) | AbiArg::Pointer(id) => bytes_of(&args[id.0 as usize].data),
        AbiArg::Extent(id, axis) => index(args[id.0 as usize].shape[usize::from(axis)]),
        AbiArg::Dim(axis) => index(dim[usize::from(axis)]),
    }
}

fn bytes_of(data: &Data) -> Vec<u8> {
    match data {
        Data::Bool(v) => v.iter().map(|x| u8::from(*x)).collect(),
        Data::I32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::U32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::U64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::Index(v) => v.iter().flat_map(|x| (*x as u32).to_le_bytes()).collect(),
        Data::F32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
}

fn decode(data: &mut Data, bytes: &[u8]) {
    fn each<const N: usize, T>(values: &mut [T], bytes: &[u8], from: fn([u8; N]) -> T) {
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<N>().0) {
            *value = from(*bytes);
        }
    }
    match data {
        Data::I32(v) => each(v, bytes, i32::from_le_bytes),
        Data::U32(v) => each(v, bytes, u32::from_le_bytes),
        Data::I64(v) => each(v, bytes, i64::from_le_bytes),
        Data::U64(v) => each(v, bytes, u64::from_le_bytes),
        Data::F32(v) => each(v, bytes, f32::from_le_bytes),
        Data::F64(v) => each(v, bytes, f64::from_le_bytes),
        Data::Bool(_) | Data::Index(_) => unreachable!("arrays hold neither"),
    }
}
