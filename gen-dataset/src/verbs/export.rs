//! `export`: the records of a dataset as programs of their own.

use crate::check::{BackwardProof, Proof, proof};
use crate::cli::ExportArgs;
use crate::error::Error;
use crate::judges::Launch;
use crate::out::{file_name, stored};
use crate::program::program;
use crate::record::Record;
use crate::term;
use kernel_ir::check::CheckedKernel;
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
        for (name, program) in programs(&record).map_err(wrong)? {
            write(&args.cu, &record, &name, &program)?;
            written += 1;
        }
    }
    term::print(&format!("{written} programs in {}; the head of each says how to compile it\n", args.cu.display()))
}

/// The programs that run the example of `record`, by name: that of the kernel, and that of its adjoint if it has one.
///
/// # Errors
/// A sentence that says why there is none.
fn programs(record: &Record) -> Result<Vec<(String, String)>, String> {
    let text = |text: &Option<String>| text.clone().ok_or("it has no CUDA text: the dataset is for the CPU only");
    let Proof { kernel, launch, backward } = proof(record)?;
    let forward = (kernel, launch, text(&record.cuda_forward)?);
    let mut all = vec![forward];
    // No program can say what is right where terms cancel to nothing: the launch of an adjoint by itself may be such.
    if let Some(BackwardProof { adjoint, launch, .. }) = backward
        && launch.tolerances(&adjoint.kernel).is_ok()
    {
        all.push((adjoint.kernel, launch, text(&record.cuda_backward)?));
    }
    let named = |(kernel, launch, cuda): (CheckedKernel, Launch, String)| {
        Ok((file_name(&kernel.name), program(&kernel, &cuda, &launch, &launch.tolerances(&kernel)?)))
    };
    all.into_iter().map(named).collect()
}

fn write(folder: &Path, record: &Record, name: &str, program: &str) -> Result<(), Error> {
    let folder = folder.join(file_name(&record.metadata.category));
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    let file = folder.join(name).with_extension("cu");
    fs::write(&file, program).map_err(Error::io("write", &file))
}
