//! A server: a program with emitted kernels that makes launches on request.
//!
//! A process for each launch would cost more than the launch. A crash ends only the server, which then starts again.

use super::compiler::{Checks, Compiler, Dialect, Failure, source};
use super::grid::{self, Grid};
use super::wire::{decode, encode};
use crate::judges::case::Case;
use kernel_ir::data::Arg;
use kernel_ir::ir::AbiArg;
use kernel_ir::verify::VerifiedKernel;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The size of an argument that is a null pointer.
const NULL: u64 = u64::MAX;

/// The limit on the CPU time of a launch, in seconds. Examples take milliseconds, so a longer launch counts as endless.
const SECONDS: u64 = 4;

/// A running server.
pub struct Server {
    /// Holds the program and its log.
    folder: TempDir,
    process: Child,
}

impl Server {
    /// Builds a server with the text in `dialect` of all `cases`, numbered by position.
    ///
    /// # Errors
    /// The log of the compiler.
    pub fn of(compiler: &Compiler, dialect: Dialect, cases: &[Case]) -> Result<Server, String> {
        let source = source(dialect, cases.iter().enumerate());
        Server::build(compiler, &source, Checks::Sanitizers).map_err(|failure| match failure {
            Failure::Log(why) | Failure::Broken(why) => why,
        })
    }

    /// Compiles `source` and starts the program.
    pub(super) fn build(compiler: &Compiler, source: &str, checks: Checks) -> Result<Server, Failure> {
        let broken = |error: io::Error| Failure::Broken(format!("cannot build the server: {error}"));
        let folder = tempfile::tempdir().map_err(broken)?;
        let input = folder.path().join("server.cpp");
        fs::write(&input, source).map_err(broken)?;
        compiler.compile(&input, &folder.path().join("server"), checks)?;
        let process = start(&folder).map_err(broken)?;
        Ok(Server { folder, process })
    }

    /// Makes one launch of kernel `number`, which is `kernel` with the parameters that its text has, and returns the
    /// arguments after it. Arguments are columns.
    ///
    /// # Errors
    /// Why the kernel crashed or did not end. The server has been restarted.
    pub fn launch(
        &mut self,
        number: usize,
        kernel: &VerifiedKernel,
        dim: &[usize],
        grid: Grid,
        args: &[Arg],
    ) -> Result<Vec<Arg>, String> {
        let abi = kernel.abi();
        let sent = abi.iter().map(|arg| encode(*arg, kernel, dim, args)).collect::<Result<Vec<_>, _>>()?;
        let Ok(answer) = self.exchange(number, grid, grid::axes(dim), &sent) else { return Err(self.restart()) };
        let mut found = args.to_vec();
        let mut place = 0;
        for (arg, bytes) in abi.iter().zip(&sent) {
            let Some(bytes) = bytes else { continue };
            if let AbiArg::Pointer(id) = arg {
                decode(kernel, *id, &mut found, &answer[place..place + bytes.len()])?;
            }
            place += bytes.len();
        }
        Ok(found)
    }

    fn exchange(&mut self, number: usize, grid: Grid, axes: usize, sent: &[Option<Vec<u8>>]) -> io::Result<Vec<u8>> {
        // `harness.h` describes the format.
        let mut request = Vec::new();
        let grid = grid.blocks.into_iter().chain(grid.threads).map(u64::from);
        for value in [number as u64].into_iter().chain(grid).chain([axes as u64, SECONDS, sent.len() as u64]) {
            request.extend(value.to_le_bytes());
        }
        for bytes in sent {
            request.extend(bytes.as_ref().map_or(NULL, |bytes| bytes.len() as u64).to_le_bytes());
            request.extend(bytes.iter().flatten());
        }
        let mut answer = vec![0; sent.iter().flatten().map(Vec::len).sum()];
        let (Some(input), Some(output)) = (self.process.stdin.as_mut(), self.process.stdout.as_mut()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        input.write_all(&request)?;
        input.flush()?;
        output.read_exact(&mut answer)?;
        Ok(answer)
    }

    /// Restarts the program after it ended. Returns why it ended.
    fn restart(&mut self) -> String {
        // The program may still run, for example in an endless loop.
        let _ = self.process.kill();
        let status = self.process.wait();
        let printed = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let line = printed.lines().find(|line| line.contains("runtime error") || line.contains("ERROR: "));
        let why = match (line, status) {
            (Some(line), _) => format!("the program crashed: {line}"),
            (None, Ok(status)) => format!("the program crashed or did not end in {SECONDS} s ({status})"),
            (None, Err(error)) => format!("the program crashed: {error}"),
        };
        match start(&self.folder) {
            Ok(process) => self.process = process,
            Err(error) => return format!("{why}; and it does not start again: {error}"),
        }
        why
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // The program exits at the end of its input. Its status no longer matters.
        let _ = self.process.wait();
    }
}

fn start(folder: &TempDir) -> io::Result<Child> {
    let log = File::create(folder.path().join("log"))?;
    Command::new(folder.path().join("server"))
        // Symbolizing the stack of a crash takes seconds, and nobody reads it.
        .env("ASAN_OPTIONS", "symbolize=0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
}
