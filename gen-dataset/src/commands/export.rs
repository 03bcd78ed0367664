//! `export`: standalone CUDA programs of the records of a dataset, or their shaders in the languages of GPU interfaces.

mod records;
mod shaders;

use super::term;
use crate::cli::ExportArgs;
use crate::error::Error;
use crate::files::file_name;
use crate::model::{DecodedAdjoint, DecodedRecord, GENERATOR_VERSION, Launch, Record, decode};
use crate::prove::check::texts;
use crate::prove::program::program;
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;
use records::{RecordError, check_empty, each_record, write};
use std::path::Path;

/// Writes what `args` asks for of every record of a dataset.
pub(crate) fn export(args: &ExportArgs) -> Result<(), Error> {
    match (&args.cu, &args.shaders) {
        (Some(folder), _) => export_programs(args, folder),
        (None, Some(folder)) => shaders::export(args, folder),
        (None, None) => Err(Error::Config("name a folder, by `--cu` or by `--shaders`".to_owned())),
    }
}

/// Writes a CUDA program for every record.
fn export_programs(args: &ExportArgs, folder: &Path) -> Result<(), Error> {
    check_empty(folder, "--cu")?;
    let (mut written, mut undecided) = (0, 0);
    each_record(args, |record| {
        for (name, program) in programs(record, args.trust).map_err(RecordError::Wrong)? {
            match program {
                Some(program) => {
                    write(folder, record, &format!("{name}.cu"), program.as_bytes()).map_err(RecordError::Failed)?;
                    written += 1;
                }
                None => undecided += 1,
            }
        }
        Ok(())
    })?;
    let folder = folder.display();
    term::print(&format!("{written} programs in {folder}; the head of each says how to compile it\n"))?;
    match undecided {
        0 => Ok(()),
        _ => term::print(&format!(
            "{undecided} adjoints have no program: the terms of their launch cancel, so a program cannot decide which result \
             is right\n"
        )),
    }
}

/// The programs for the example of `record`, by name: one for the kernel, and one for its adjoint. A launch that is
/// ill-conditioned by itself has no program. Without `trust`, the texts must be those that this program writes.
///
/// # Errors
/// A sentence, if there are no programs.
fn programs(record: &Record, trust: bool) -> Result<Vec<(String, Option<String>)>, String> {
    let cuda = record.targets.get("cuda");
    let text = |text: &Option<String>| text.clone().ok_or("it has no CUDA text: the dataset is for the CPU only");
    let DecodedRecord { kernel, data, launch, backward, .. } = decode(record)?;
    if !trust {
        let adjoint = backward.as_ref().map(|backward| &backward.adjoint);
        // The Rust text is not exported, so it need not be checked.
        texts(record, &kernel, adjoint, None).map_err(|why| refusal(record, &why))?;
    }
    let mut all = vec![([kernel, data], vec![launch], text(&cuda.forward)?)];
    if let Some(DecodedAdjoint { adjoint, data, launches }) = backward {
        all.push(([adjoint.kernel, data.kernel], launches.into_iter().collect(), text(&cuda.backward)?));
    }
    let named = |([kernel, data], launches, cuda): ([VerifiedKernel; 2], Vec<Launch>, String)| {
        let tolerances: Option<Vec<Vec<Arg>>> = launches.iter().map(|launch| launch.tolerances(&data).ok()).collect();
        let program = tolerances.map(|tolerances| {
            let launches: Vec<(&Launch, &[Arg])> = launches.iter().zip(tolerances.iter().map(Vec::as_slice)).collect();
            program(&kernel, &cuda, &launches)
        });
        (file_name(&kernel.name), program)
    };
    Ok(all.into_iter().map(named).collect())
}

/// A sentence about the refusal, with the way out.
fn refusal(record: &Record, why: &str) -> String {
    let version = match record.generator_version.as_str() {
        GENERATOR_VERSION => String::new(),
        other => format!(", and it names version {other} as its writer"),
    };
    format!(
        "record {}: {why}{version}; its program may do anything when it runs; if you trust the author of the dataset, add \
         `--trust`",
        record.id
    )
}
