//! The host program, from outside: what it is asked, and what it leaves.

use super::compile::Toolchain;
use super::sandbox::{Limits, Sandbox};
use super::task::{Task, Test};
use crate::judges::cxx::{decode, encode};
use kernel_ir::back::c;
use kernel_ir::data::Arg;
use kernel_ir::ir::{AbiArg, ParamId};
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The first number of a request; see `host/host.cpp`, which describes the format.
const MAGIC: u64 = 0x5765_6674_5363_6f72;

const LIMITS: Limits = Limits { seconds: 5, memory: 3 << 30, file: 1 << 30 };

/// The work of a launch: instructions of all threads, and of the longest thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    pub(super) total: u64,
    pub(super) longest: u64,
}

/// What a kernel did in the launches of a task.
pub(super) struct Ran {
    /// The arguments after each launch.
    pub(super) found: Vec<Vec<Arg>>,
    /// The work of each launch.
    pub(super) work: Vec<Work>,
}

/// Why a kernel did not come to the end of its launches.
pub(super) enum Stopped {
    /// It crashed, or was stopped.
    Crashed(String),
    /// It did more work than it may, in the launch of this number.
    TooMuchWork(usize),
}

/// Runs the kernel of the library `answer` on the launches of `task`. A launch may do `most` work; 0 is no limit.
///
/// # Errors
/// The host program cannot be started.
pub(super) fn run(
    toolchain: &Toolchain,
    sandbox: &Sandbox,
    task: &Task,
    (answer, caller): (&Path, &Path),
    folder: &Path,
    most: &[u64],
) -> Result<Result<Ran, Stopped>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("the request to the host program fails: {error}");
    let filter = sandbox.inner_filter()?;
    let request = Request::new(task, &filter, most)?;
    let file: File = memfd_create("request", MemfdFlags::CLOEXEC).map_err(|error| failed(&error))?.into();
    file.write_all_at(&request.bytes, 0).map_err(|error| failed(&error))?;
    let entry = c::entry_name(&task.kernel);
    let paths = [answer, caller].map(|path| path.to_string_lossy().into_owned());
    let reads = [toolchain.folder().to_owned(), caller.parent().unwrap_or(caller).to_owned()];
    let arguments = [&paths[0], &paths[1], entry.as_str()];
    let ended = sandbox.run(&toolchain.host(), &arguments, folder, &reads, Some(&file), LIMITS)?;
    // No process of the group is left, so nothing changes any more.
    let mut ran = Ran { found: Vec::new(), work: Vec::new() };
    for (number, (test, places)) in task.tests.iter().zip(&request.launches).enumerate() {
        let mut report = [0; 24];
        file.read_exact_at(&mut report, places.report).map_err(|error| failed(&error))?;
        let [end, total, longest] =
            [0, 8, 16].map(|at| u64::from_le_bytes(report[at..at + 8].try_into().unwrap_or_default()));
        match end {
            1 => {}
            2 => return Ok(Err(Stopped::TooMuchWork(number))),
            _ => {
                let said = || ended.message.lines().next().map_or("it ended early".to_owned(), str::to_owned);
                return Ok(Err(Stopped::Crashed(ended.killed().unwrap_or_else(said))));
            }
        }
        let mut found = test.launch.before.clone();
        for (id, place, size) in &places.arrays {
            let mut bytes = vec![0; *size];
            file.read_exact_at(&mut bytes, *place).map_err(|error| failed(&error))?;
            if let Err(why) = decode(&task.kernel, *id, &mut found, &bytes) {
                return Ok(Err(Stopped::Crashed(why)));
            }
        }
        ran.found.push(found);
        ran.work.push(Work { total, longest });
    }
    Ok(Ok(ran))
}

/// The bytes of a request, and the places where the host program leaves its results.
struct Request {
    bytes: Vec<u8>,
    launches: Vec<Places>,
}

/// The places of a launch.
struct Places {
    report: u64,
    /// The parameter, place and size of each array that may change.
    arrays: Vec<(ParamId, u64, usize)>,
}

impl Request {
    fn new(task: &Task, filter: &[u8], most: &[u64]) -> Result<Request, String> {
        let abi = task.kernel.abi();
        let per_launch = 11 + 3 * abi.len();
        // First come the numbers, then the filter, then reports and arguments.
        let mut end = 8 * (4 + per_launch * task.tests.len());
        let mut reserve = |size: usize| {
            let place = end.next_multiple_of(16);
            end = place + size;
            place
        };
        let mut numbers = vec![MAGIC, task.tests.len() as u64, reserve(filter.len()) as u64, (filter.len() / 8) as u64];
        let mut contents = vec![(numbers[2] as usize, filter.to_vec())];
        let mut launches = Vec::new();
        for (number, Test { launch, grid, wave, backwards, .. }) in task.tests.iter().enumerate() {
            numbers.extend(grid.blocks.into_iter().chain(grid.threads).map(u64::from));
            let report = reserve(24);
            contents.push((report, vec![0; 24]));
            let most = most.get(number).copied().unwrap_or_default();
            numbers.extend([u64::from(*wave), u64::from(*backwards), most, report as u64, abi.len() as u64]);
            let mut arrays = Vec::new();
            for arg in &abi {
                let bytes = encode(*arg, &task.kernel, &launch.dim, &launch.before)?;
                let is_null = bytes.is_none();
                // A null pointer is passed as the number that it is.
                let bytes = bytes.unwrap_or_else(|| vec![0; size_of::<u64>()]);
                let place = reserve(bytes.len());
                let kind = match arg {
                    _ if is_null => 0,
                    AbiArg::Pointer(id) if task.kernel.params[id.0 as usize].is_mutable() => {
                        arrays.push((*id, place as u64, bytes.len()));
                        2
                    }
                    AbiArg::Pointer(_) => 1,
                    AbiArg::Value(_) | AbiArg::Extent(..) | AbiArg::Dim(_) => 0,
                };
                numbers.extend([kind, bytes.len() as u64, place as u64]);
                contents.push((place, bytes));
            }
            launches.push(Places { report: report as u64, arrays });
        }
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.resize(end, 0);
        for (place, content) in contents {
            bytes[place..place + content.len()].copy_from_slice(&content);
        }
        Ok(Request { bytes, launches })
    }
}
