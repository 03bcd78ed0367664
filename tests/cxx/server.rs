//! A program made of emitted kernels by a C++ compiler, which runs launches that are sent to it.

use kernel_ir::back::c::{CUDA_ON_HOST, entry_name};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::AbiArg;
use kernel_rt::KernelInfo;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tests::{checked, report};

/// Which of the emitted texts is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// What its files and messages are called.
    pub(crate) name: &'static str,
    /// What stands before the kernels.
    header: &'static str,
    text: fn(&KernelInfo) -> &'static str,
}

/// Host C++.
pub(crate) const CPP: Dialect = Dialect { name: "cpp", header: "", text: |info| info.cpp_forward };

/// CUDA, whose words `CUDA_ON_HOST` gives a meaning on the host, so that the very text that ships is run.
pub(crate) const CUDA: Dialect = Dialect { name: "cuda", header: CUDA_ON_HOST, text: |info| info.cuda_forward };

/// A running server.
pub(crate) struct Server {
    program: PathBuf,
    process: Child,
}

impl Server {
    /// Compiles `kernels` to a server of that name and starts it; `None`, and a line that says so, without a compiler.
    pub(crate) fn build(name: &str, dialect: Dialect, kernels: &[&KernelInfo]) -> Option<Server> {
        let Some(compiler) = find_compiler() else {
            report(&format!("SKIPPED {name}, {}: no g++ on this machine", dialect.name));
            return None;
        };
        let program = compile(&compiler, &format!("{name}_{}", dialect.name), &source(dialect, kernels));
        let process = start(&program);
        Some(Server { program, process })
    }

    /// Runs one launch of the kernel of that number, and returns the arguments after it.
    ///
    /// # Errors
    /// The kernel crashed; its report is on standard error. The server has started anew.
    pub(crate) fn launch(
        &mut self,
        number: usize,
        kernel: &CheckedKernel,
        dim: &[usize],
        args: &[Arg],
    ) -> Result<Vec<Arg>, String> {
        let abi = kernel.abi();
        let sent: Vec<Vec<u8>> = abi.iter().map(|arg| encode(*arg, dim, args)).collect();
        let Some(answer) = self.exchange(number, &sent) else {
            // Wherever it stopped, this one is of no use any more.
            let _ = self.process.kill();
            let _ = self.process.wait();
            self.process = start(&self.program);
            return Err("the emitted kernel crashed; see its report above".to_owned());
        };
        let mut found = args.to_vec();
        let mut place = 0;
        for (arg, bytes) in abi.iter().zip(&sent) {
            if let AbiArg::Pointer(id) = arg {
                decode(&mut found[id.0 as usize].data, &answer[place..place + bytes.len()]);
            }
            place += bytes.len();
        }
        Ok(found)
    }

    fn exchange(&mut self, number: usize, sent: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut request = Vec::new();
        request.extend((number as u64).to_le_bytes());
        request.extend((sent.len() as u64).to_le_bytes());
        for bytes in sent {
            request.extend((bytes.len() as u64).to_le_bytes());
            request.extend(bytes);
        }
        let mut answer = vec![0; sent.iter().map(Vec::len).sum()];
        let input = self.process.stdin.as_mut().expect("piped");
        input.write_all(&request).and_then(|()| input.flush()).ok()?;
        self.process.stdout.as_mut().expect("piped").read_exact(&mut answer).ok()?;
        Some(answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // The server ends at the end of its input; how does not matter any more.
        let _ = self.process.wait();
    }
}

fn find_compiler() -> Option<PathBuf> {
    let found = Command::new("g++").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success()).then(|| PathBuf::from("g++"))
}

fn start(program: &Path) -> Child {
    Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server was just compiled")
}

/// All kernels in one file. Includes go to the top: they cannot stand in a namespace.
fn source(dialect: Dialect, kernels: &[&KernelInfo]) -> String {
    let mut includes = format!("#include \"harness.h\"\n{}", dialect.header);
    let mut bodies = String::new();
    let mut cases = String::new();
    for (number, info) in kernels.iter().enumerate() {
        let (included, rest): (Vec<&str>, Vec<&str>) =
            (dialect.text)(info).lines().partition(|line| line.starts_with("#include"));
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

fn compile(compiler: &Path, name: &str, source: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join(format!("{name}_server.cpp")), folder.join(format!("{name}_server")));
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
