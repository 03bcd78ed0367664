//! The format `files`: a folder for each record, with a file for each text and JSON for the rest.

use super::layout::SAMPLES;
use super::stats::Tables;
use super::writer::{Finished, RecordWriter};
use crate::error::Error;
use crate::files::{Staging, entries, file_name, pretty, write_through};
use crate::model::{Example, Metadata, REGISTRY, Record, Verification};
use crate::model::{TargetTexts, targets};
use kernel_ir::target::Target;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file of each text that is not a target's.
const TEXTS: [(&str, &str); 5] = [
    ("python_source", "kernel.py"),
    ("rust_source", "kernel.rs"),
    ("ptx", "kernel.ptx"),
    ("cuda_source", "program.cu"),
    ("ir", "kernel.ir"),
];

const EXAMPLE: &str = "example.json";
const MORE_EXAMPLES: &str = "more_examples.json";
const METADATA: &str = "metadata.json";

/// The contents of `metadata.json`: the fields of a record without a file of their own.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordMetadata {
    id: String,
    metadata: Metadata,
    tier: u8,
    verification: Verification,
    hash: String,
    skeleton_id: String,
    split: String,
    schema_version: u32,
    generator_version: String,
}

/// Writes a folder for each record.
#[derive(Debug)]
pub(crate) struct FolderWriter {
    samples: PathBuf,
    /// The folders of earlier records.
    taken: HashSet<PathBuf>,
}

impl FolderWriter {
    /// Announces the folder of all samples.
    pub(crate) fn new(staging: &mut Staging) -> Result<FolderWriter, Error> {
        let samples = staging.create_folder(SAMPLES)?;
        Ok(FolderWriter { samples, taken: HashSet::new() })
    }

    /// The folder of the next record. Kernels of two modules may have the same name, and a synthesised kernel that of a
    /// registered one; a number makes the folder unique.
    fn folder(&mut self, metadata: &Metadata) -> PathBuf {
        let Metadata { category, kernel_name, index, origin, .. } = metadata;
        let (family, name) = (self.samples.join(file_name(category)), file_name(kernel_name));
        let bare = (origin == REGISTRY).then(|| name.clone());
        let again = (2..).map(|number| format!("{name}-{index}-{number}"));
        let names = bare.into_iter().chain([format!("{name}-{index}")]).chain(again);
        names.map(|name| family.join(name)).find(|folder| self.taken.insert(folder.clone())).expect("names have no end")
    }
}

impl RecordWriter for FolderWriter {
    fn write(&mut self, record: &Record) -> Result<(), Error> {
        let folder = self.folder(&record.metadata);
        fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
        for (name, text) in record.texts() {
            if let Some(text) = text {
                write_through(&folder.join(text_file(name)), text.as_bytes())?;
            }
        }
        let stored = RecordMetadata {
            id: record.id.clone(),
            metadata: record.metadata.clone(),
            tier: record.tier,
            verification: record.verification.clone(),
            hash: record.hash.clone(),
            skeleton_id: record.skeleton_id.clone(),
            split: record.split.clone(),
            schema_version: record.schema_version,
            generator_version: record.generator_version.clone(),
        };
        write_through(&folder.join(EXAMPLE), &pretty(&record.example)?)?;
        if !record.more_examples.is_empty() {
            write_through(&folder.join(MORE_EXAMPLES), &pretty(&record.more_examples)?)?;
        }
        write_through(&folder.join(METADATA), &pretty(&stored)?)
    }

    fn finish(self: Box<Self>) -> Result<Finished, Error> {
        Ok(Finished { path: self.samples, tables: Tables::new() })
    }
}

/// The folders of the samples below `samples`, sorted.
pub(crate) fn sample_folders(samples: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut folders = Vec::new();
    for family in entries(samples)? {
        folders.extend(entries(&family)?);
    }
    Ok(folders)
}

/// Reads a record.
///
/// # Errors
/// A sentence that names the missing or malformed file.
pub(crate) fn read_folder(folder: &Path) -> Result<Record, String> {
    let optional = |name: &str| match fs::read_to_string(folder.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{name}: {error}")),
    };
    let required = |name: &str| optional(name)?.ok_or_else(|| format!("{name} is missing"));
    let example: Example = parse(EXAMPLE, &required(EXAMPLE)?)?;
    let more_examples = optional(MORE_EXAMPLES)?.map_or(Ok(Vec::new()), |text| parse(MORE_EXAMPLES, &text))?;
    let stored: RecordMetadata = parse(METADATA, &required(METADATA)?)?;
    let mut targets = TargetTexts::default();
    for name in targets::columns().flat_map(|(_, names)| names) {
        targets.set(name, optional(&text_file(name))?);
    }
    Ok(Record {
        id: stored.id,
        python_source: required(&text_file("python_source"))?,
        rust_source: required(&text_file("rust_source"))?,
        targets,
        ptx: optional(&text_file("ptx"))?,
        cuda_source: optional(&text_file("cuda_source"))?,
        ir: required(&text_file("ir"))?,
        example,
        more_examples,
        metadata: stored.metadata,
        tier: stored.tier,
        verification: stored.verification,
        hash: stored.hash,
        skeleton_id: stored.skeleton_id,
        split: stored.split,
        schema_version: stored.schema_version,
        generator_version: stored.generator_version,
    })
}

/// The file of the text in field `name`.
fn text_file(name: &str) -> String {
    if let Some((_, file)) = TEXTS.iter().find(|(field, _)| *field == name) {
        return (*file).to_owned();
    }
    let of_target = |(target, [forward, backward]): (&Target, [&str; 2])| match name {
        _ if name == forward => Some(format!("kernel.{}", target.extension)),
        _ if name == backward => Some(format!("kernel_backward.{}", target.extension)),
        _ => None,
    };
    targets::columns().find_map(of_target).unwrap_or_else(|| name.to_owned())
}

fn parse<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;

    #[test]
    fn kernels_of_one_name_have_folders_of_their_own() {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&[]).unwrap();
        let mut metadata = dataset.records().remove(0).metadata;
        let mut writer = FolderWriter { samples: PathBuf::new(), taken: HashSet::new() };
        let mut next = |origin: &str, index| {
            (metadata.origin, metadata.index) = (origin.to_owned(), index);
            writer.folder(&metadata).display().to_string()
        };
        assert_eq!([4, 7].map(|index| next(REGISTRY, index)), ["math/wave", "math/wave-7"]);
        assert_eq!([6, 7].map(|index| next("synth", index)), ["math/wave-6", "math/wave-7-2"]);
    }
}
