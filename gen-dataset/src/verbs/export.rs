//! `export`: the records of a dataset as programs of their own.

use crate::cli::ExportArgs;
use crate::error::Error;
use crate::out::{file_name, stored};
use crate::record::Record;
use crate::source::read_kernel;
use crate::term;
use kernel_ir::back::c::{Launch, write_program};
use std::fs;
use std::path::Path;

/// Writes a CUDA program for every record of the dataset that `args` names.
pub(crate) fn export(args: &ExportArgs) -> Result<(), Error> {
    let (_, records) = stored(&args.dir)?;
    let is_empty = fs::read_dir(&args.cu).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty {
        return Err(Error::Config(format!("`{}` is not empty; name a new folder", args.cu.display())));
    }
    let mut written = 0;
    for item in records {
        let item = item?;
        let wrong = |why: String| Error::Invalid(format!("{}: {why}", item.location));
        let record = item.record().map_err(wrong)?;
        let wrong = |why: String| Error::Invalid(format!("{}: {why}", item.location));
        write(&args.cu, &record, &program(&record).map_err(wrong)?)?;
        written += 1;
    }
    term::print(&format!("{written} programs in {}; the head of each says how to compile it\n", args.cu.display()))
}

/// The program that runs the example of `record`.
///
/// # Errors
/// A sentence that says why there is none.
fn program(record: &Record) -> Result<String, String> {
    let cuda = record.cuda_forward.as_ref().ok_or("it has no CUDA text: the dataset is for the CPU only")?;
    let kernel = read_kernel(&record.ir)?;
    let before = record.example.inputs(&kernel)?;
    let after = record.example.outputs(&kernel, &before)?;
    let allowed_ulp = record.verification.allowed_ulp;
    let launch = Launch { dim: &record.example.dim, before: &before, after: &after, allowed_ulp };
    Ok(write_program(&kernel, cuda, &launch, &file_name(&kernel.name)))
}

fn write(folder: &Path, record: &Record, program: &str) -> Result<(), Error> {
    let folder = folder.join(file_name(&record.metadata.category));
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    let file = folder.join(file_name(&record.metadata.kernel_name)).with_extension("cu");
    fs::write(&file, program).map_err(Error::io("write", &file))
}
