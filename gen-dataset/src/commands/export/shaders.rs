//! The texts in WGSL of a dataset, as files and in the languages of GPU interfaces.

use super::records::{RecordError, check_empty, each_record, write};
use crate::cli::ExportArgs;
use crate::commands::term;
use crate::error::Error;
use crate::files::file_name;
use crate::model::{Record, ShaderFormat, TargetText};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of kernels that are named for a reason.
const NAMED: usize = 3;

/// Writes the shaders of every record to `folder`.
pub(super) fn export(args: &ExportArgs, folder: &Path) -> Result<(), Error> {
    check_empty(folder, "--shaders")?;
    check_build(args.language)?;
    let mut written = 0;
    // The kernels without a shader, by reason.
    let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    each_record(args, |record| {
        for (name, text) in texts(record) {
            match text.map_or_else(|| Err(NO_TEXT.to_owned()), |text| translated(text, args.language)) {
                Ok(content) => {
                    let file = format!("{}.{}", file_name(&name), args.language.extension());
                    write(folder, record, &file, &content).map_err(RecordError::Failed)?;
                    written += 1;
                }
                Err(why) => left_out.entry(why).or_default().push(name),
            }
        }
        Ok(())
    })?;
    term::print(&format!("{written} shaders in {}\n", folder.display()))?;
    for (why, names) in left_out {
        let shown = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if names.len() > NAMED { ", …" } else { "" };
        term::print(&format!("{} left out ({shown}{more}): {why}\n", names.len()))?;
    }
    Ok(())
}

/// Why a kernel without a text has no shader.
const NO_TEXT: &str = "the record has no text in WGSL";

/// The texts of a record: the kernel's, and the adjoint's if the record has one in any language.
fn texts(record: &Record) -> Vec<(String, Option<&str>)> {
    let TargetText { forward, backward } = record.targets.get("wgsl");
    let has_adjoint = record.targets.iter().any(|(_, text)| text.backward.is_some());
    let name = &record.metadata.kernel_name;
    let adjoint = has_adjoint.then(|| (format!("{name}_backward"), backward.as_deref()));
    [(name.clone(), forward.as_deref())].into_iter().chain(adjoint).collect()
}

/// Whether this build has what the format needs.
fn check_build(format: ShaderFormat) -> Result<(), Error> {
    match format == ShaderFormat::Wgsl || cfg!(feature = "wgpu") {
        true => Ok(()),
        false => {
            let why = "this build translates no WGSL; build it with `--features wgpu`, or add `--language wgsl`";
            Err(Error::Config(why.to_owned()))
        }
    }
}

#[cfg(feature = "wgpu")]
fn translated(text: &str, format: ShaderFormat) -> Result<Vec<u8>, String> {
    use kernel_rt::{ShaderLanguage, translate_wgsl};
    let language = match format {
        ShaderFormat::Wgsl => return Ok(text.as_bytes().to_vec()),
        ShaderFormat::Spirv => ShaderLanguage::SpirV,
        ShaderFormat::Msl => ShaderLanguage::Msl,
        ShaderFormat::Hlsl => ShaderLanguage::Hlsl,
    };
    // A log names the place in the text; the reasons of many texts are told together.
    translate_wgsl(text, language).map_err(|log| reason(&log))
}

#[cfg(not(feature = "wgpu"))]
fn translated(text: &str, _: ShaderFormat) -> Result<Vec<u8>, String> {
    Ok(text.as_bytes().to_vec())
}

/// The last explanation of a log, without the lines that show the source.
#[cfg(feature = "wgpu")]
fn reason(log: &str) -> String {
    let told = |line: &&str| line.trim_start().starts_with("= ") || line.starts_with("error");
    let line = log.lines().rfind(told).unwrap_or_else(|| log.lines().next().unwrap_or_default());
    line.trim().trim_start_matches("= note: ").trim_start_matches("= ").to_owned()
}
