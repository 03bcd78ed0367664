//! `list`: prints the registered kernels.

use super::term;
use crate::cli::ListArgs;
use crate::error::Error;
use crate::files::pretty;
use crate::model::{Facts, read_kernel};
use crate::source::registry::{self, Candidate};
use kernel_rt::KernelInfo;
use serde::Serialize;

/// A kernel in the output of `--json`.
#[derive(Serialize)]
struct Entry {
    family: String,
    kernel: String,
    module: &'static str,
    dim: u8,
    signature: String,
    doc: String,
}

/// Prints the kernels of the families and modules in `args`.
pub(crate) fn list(args: &ListArgs, kernels: &[&'static KernelInfo]) -> Result<(), Error> {
    let (_, candidates) = registry::select(kernels, &args.family, &args.module)?;
    let entries = candidates.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        return term::print(&String::from_utf8_lossy(&pretty(&entries)?));
    }
    // Kernels of one name are told apart by their modules, as `show` takes them.
    let is_alone = |entry: &Entry| entries.iter().filter(|other| other.kernel == entry.kernel).count() == 1;
    let rows = entries.iter().map(|entry| {
        let Entry { family, kernel, module, dim, signature, doc } = entry;
        let kernel = if is_alone(entry) { kernel.clone() } else { format!("{module}::{kernel}") };
        vec![family.clone(), kernel, dim.to_string(), signature.clone(), doc.clone()]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    term::print(&term::table(&["family", "kernel", "dim", "signature", "doc"], &rows))
}

fn entry(candidate: &Candidate) -> Result<Entry, Error> {
    let info = candidate.info;
    let kernel = read_kernel(info.ir)
        .map_err(|why| Error::Internal(format!("the IR of kernel `{}` cannot be read: {why}", info.name)))?;
    Ok(Entry {
        family: info.family.to_owned(),
        kernel: info.name.to_owned(),
        module: info.module,
        dim: kernel.dim,
        signature: Facts::of(&kernel).signature,
        doc: kernel.doc.iter().find(|line| !line.trim().is_empty()).cloned().unwrap_or_default(),
    })
}
